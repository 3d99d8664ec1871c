"""A rubrica de uma questão aberta, item por item: quanto vale cada um, o que só quem corrige lê e o que o aluno lê.

O que só quem corrige lê está no lugar da resposta, em source/. O que o aluno lê é o que o enunciado promete (“Vale 0,25
por …”), se os valores são os mesmos, na mesma ordem; senão, o título do item ou só o número dele.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nbgrader.utils import is_grade, is_locked, is_solution

from correcao.chegada.recebimento import questoes_da_lista
from helpers.escrita import numero

_RUBRICA = re.compile(r"### BEGIN SOLUTION\n(.*?)\n### END SOLUTION", flags=re.DOTALL)
MODELO = "**Resposta-modelo"
_NUMERO = r"\d+(?:,\d+)?"
_VALE = re.compile(r"^Vale\b:?\s(.*)", flags=re.DOTALL | re.MULTILINE)
_POR = rf"{_NUMERO}\s+p(?:or|el[oa]s?)\b"
_PROMESSA = re.compile(rf"(?={_POR})({_NUMERO})\s+(.*?)(?=[;.,]?\s*(?:\be\s+)?(?:-\s+)?{_POR}|$)")
_NO_ITEM = re.compile(rf"({_NUMERO}):\s|\*\*[^*]*\(({_NUMERO})\)")
_POR_ITEM = re.compile(rf"({_NUMERO}) por item")
_TITULO = re.compile(rf"\*\*([^*]+?)\.?(?:\s*\({_NUMERO}\)\.?)?\*\*")


@dataclass(frozen=True)
class Criterio:
    """Um item da rubrica."""

    valor: float
    dito: str  # completa “0,25 …”, para o aluno: “por explicar o que mudou”
    rubrica: str = ""  # o item inteiro, em Markdown, que só quem corrige lê


@dataclass(frozen=True)
class Avaliado:
    """Um critério na resposta de um aluno."""

    valor: float
    dito: str
    fracao: float  # 0, 0,5 ou 1

    @property
    def pontos(self) -> float:
        return self.valor * self.fracao


@dataclass
class Aberta:
    """Uma questão que uma pessoa lê."""

    id: str
    titulo: str
    pontos: float
    enunciado: str = ""
    antes: str = ""  # o que a rubrica diz antes dos itens
    criterios: list[Criterio] = field(default_factory=list)
    depois: str = ""
    modelo: str = ""

    def avaliar(self, fracoes: Sequence[float]) -> list[Avaliado]:
        """ValueError se as frações não são as dos critérios, na ordem."""
        if len(fracoes) != len(self.criterios) or not all(f in FRACOES for f in fracoes):
            raise ValueError(f"{self.id} tem {len(self.criterios)} critérios, cada um com 0, 0,5 ou 1")
        return [Avaliado(c.valor, c.dito, float(f)) for c, f in zip(self.criterios, fracoes, strict=True)]


FRACOES = (0.0, 0.5, 1.0)


def frase(valor: float, dito: str, fracao: float) -> str:
    """O que se diz ao aluno de um critério; nada, se ele o cumpriu."""
    if fracao == 1:
        return ""
    return f"{'Só metade do' if fracao else 'Faltou'} {numero(valor)} {dito}."


def comentario(avaliados: Sequence[Avaliado]) -> str:
    """O que as caixas marcadas escrevem; a página de leitura faz a mesma soma, com as mesmas frases."""
    return " ".join(filter(None, (frase(a.valor, a.dito, a.fracao) for a in avaliados)))


def rubricas_de(original: Any) -> dict[str, str]:
    """O que está escrito no lugar de cada resposta aberta: questão → rubrica."""
    abertas = [c for c in original.cells if is_grade(c) and is_solution(c)]
    achadas = {c.metadata.nbgrader.grade_id: _RUBRICA.search(c.source) for c in abertas}
    return {nome: achado.group(1) for nome, achado in achadas.items() if achado}


def abertas_de(original: Any) -> list[Aberta]:
    """As questões abertas de uma lista, como está em source/."""
    rubricas, titulos = rubricas_de(original), {q.id: q.titulo for q in questoes_da_lista(original)}
    achadas, enunciado = [], ""
    for celula in original.cells:
        if celula.cell_type == "markdown" and is_locked(celula):
            enunciado = celula.source
        elif is_grade(celula) and is_solution(celula):
            dados = celula.metadata.nbgrader
            aberta = Aberta(dados.grade_id, titulos[dados.grade_id], float(dados.points), enunciado)
            _ler_rubrica(aberta, rubricas.get(dados.grade_id, ""))
            achadas.append(aberta)
    return achadas


def _ler_rubrica(aberta: Aberta, texto: str) -> None:
    corpo, marca, modelo = texto.partition(MODELO)
    aberta.modelo = marca + modelo
    # um item é uma linha que começa com “- ”, e as recuadas que vêm depois dela
    antes, *itens = re.split(r"^- ", corpo.strip(), flags=re.MULTILINE)
    *inteiros, ultimo = itens or [""]
    ultimo, _, depois = ultimo.partition("\n\n")
    itens = [*inteiros, ultimo] if itens else []
    valores = [_valor(item, antes) for item in itens]
    if not itens or None in valores or abs(sum(v or 0 for v in valores) - aberta.pontos) > 1e-9:
        aberta.antes = corpo.strip()  # sem caixas: a rubrica é texto, e a nota, um número
        return
    aberta.antes, aberta.depois = re.sub(r"^\*\*Rubrica[^*]*\*\*[.:]?\s*", "", antes).strip(), depois.strip()
    prometido = promessas(aberta.enunciado)
    mesmos = [valor for valor, _ in prometido] == valores
    for i, (item, valor) in enumerate(zip(itens, valores, strict=True)):
        titulo = _TITULO.match(item)
        dito = f"em “{titulo[1].strip()}”" if titulo else f"no {i + 1}º critério"
        sem_o_valor = re.sub(rf"^{_NUMERO}:\s+", "", item).strip()
        aberta.criterios.append(Criterio(valor or 0.0, prometido[i][1] if mesmos else dito, sem_o_valor))


def promessas(enunciado: str) -> list[tuple[float, str]]:
    """O que o enunciado diz que vale pontos: [(0,25, “por explicar o que mudou”), …]."""
    achado = _VALE.search(enunciado)
    if achado is None:
        return []
    texto = " ".join(achado[1].split())
    return [(_ler(valor), dito.rstrip(" .;,")) for valor, dito in _PROMESSA.findall(texto)]


def _valor(item: str, antes: str) -> float | None:
    achado = _NO_ITEM.match(item) or _POR_ITEM.search(antes)
    return _ler(next(filter(None, achado.groups()))) if achado else None


def _ler(texto: str) -> float:
    return float(texto.replace(",", "."))
