"""O que a correção anota em um notebook de autograded/: o veredito de cada questão, escrito uma vez, como dados.

A devolutiva, o relatório e as notas leem daqui, e a saída que o nbgrader pontua é desenhada daqui: nada é lido de volta
do texto de uma célula. Do que vem do aluno não passa nenhum metadado, e por isso só a correção escreve estas chaves.
"""

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import is_grade

from helpers.conferencia.frases import certa_com_outra, sem_palpites

DADOS = "curso"  # a chave, nos metadados do notebook e nos recursos, do que a correção anota
RECEBIDA = "curso-recebida"  # a mesma anotação, da limpeza à correção: quem a tem ainda não chegou ao fim
DEFEITO = "A correção tropeçou em um defeito dela mesma nesta entrega; o instrutor foi avisado e vai olhá-la."


# só existem durante a correção, e nunca vão para o notebook
_SO_DURANTE = ("semente", "pedido", "sem_pedido", "oraculo", "entradas", "depende", "evidencias", "segundas")


class AnotacaoIlegivel(ValueError):
    """O que está no notebook não é uma anotação desta versão do curso."""


@dataclass
class Veredito:
    """O que se decidiu de uma resposta."""

    frase: str | None = None  # por que não ganhou tudo; None quando está tudo certo
    equivoco: str | None = None  # o nome curto do equívoco, quando é conhecido
    fracao: float = 0.0  # dos pontos
    certas: list[str] = field(default_factory=list)  # as partes certas, se a questão declara partes
    casos: int = 0
    # se os pontos vêm da segunda evidência (juizo/uma_vez.py): as funções do aluno, já descontadas, que não contaram
    emprestadas: list[str] = field(default_factory=list)
    onde: str | None = None  # onde olhar, se o erro não é um dos conhecidos e se achou (juizo/onde_olhar.py)

    @property
    def recado(self) -> str | None:
        """O que se diz ao aluno; None se não há o que dizer."""
        if self.frase is not None and self.onde is not None:
            return f"{sem_palpites(self.frase)} {self.onde}"
        if not self.emprestadas:
            return self.frase
        return " ".join(filter(None, (certa_com_outra(self.emprestadas, self.fracao == 1), self.frase)))

    @classmethod
    def de_dados(cls, dado: Any) -> "Veredito":
        fracao = float(_campo(dado, "fracao", int, float))
        if not 0 <= fracao <= 1 or not math.isfinite(fracao):
            raise AnotacaoIlegivel("fracao")
        opcionais = {nome: _campo(dado, nome, str, NoneType) for nome in ("frase", "equivoco", "onde")}
        certas, emprestadas = (_textos(dado, nome) for nome in ("certas", "emprestadas"))
        casos = _campo(dado, "casos", int)
        return cls(**opcionais, fracao=fracao, certas=certas, casos=casos, emprestadas=emprestadas)


@dataclass
class QuestaoAnotada:
    """Uma célula que vale pontos."""

    id: str  # o grade_id: "confere-softmax" ou "discussao-1"
    titulo: str  # como está na lista: "1. `softmax`"
    veredito: Veredito | None = None  # None quando quem lê a resposta é uma pessoa

    @classmethod
    def de_dados(cls, dado: Any) -> "QuestaoAnotada":
        veredito = _campo(dado, "veredito", dict, NoneType)
        lido = None if veredito is None else Veredito.de_dados(veredito)
        return cls(_campo(dado, "id", str), _campo(dado, "titulo", str), lido)


@dataclass
class Anotacao:
    """O que se sabe de uma entrega, do recebimento ao fim da correção."""

    entrega: str | None = None  # o resumo do que foi corrigido: muda quando a entrega muda
    titulo: str = ""  # o da lista
    consertos: list[str] = field(default_factory=list)
    motivo: str | None = None  # o que vale para a entrega inteira, e pede um olhar
    defeito: str | None = None  # a culpa foi nossa ou da máquina: a próxima correção a refaz
    segundos: float | None = None  # de relógio, a executar
    processador: float | None = None  # segundos de processador, na caixa
    questoes: list[QuestaoAnotada] = field(default_factory=list)
    # _SO_DURANTE
    semente: int = 0
    pedido: str | None = None
    oraculo: list[Any] = field(default_factory=list)  # as funções que a entrega não pode ver (caixa/oraculo.py)
    sem_pedido: dict[str, str] = field(default_factory=dict)  # questão → o erro nosso que não a deixou ir no pedido
    entradas: dict[str, str] = field(default_factory=dict)  # questão → o resumo das entradas que ela recebeu
    depende: dict[str, dict[str, str]] = field(default_factory=dict)  # questão → as de que depende, e a certa de cada
    evidencias: dict[str, Any] = field(default_factory=dict)  # grade_id → o que se guarda dela (juizo/guardado.py)
    segundas: dict[str, Any] = field(default_factory=dict)  # o mesmo, da segunda evidência

    def tropecar(self, erro: Exception | str) -> None:
        """A culpa foi nossa: o motivo o diz, também a quem já tinha outro, e a próxima correção refaz a entrega."""
        self.defeito = self.defeito or (erro if isinstance(erro, str) else repr(erro))
        if DEFEITO not in (self.motivo or ""):
            self.motivo = f"{self.motivo} {DEFEITO}" if self.motivo else DEFEITO

    def anotar(self, questao: str, veredito: Veredito) -> None:
        """Guarda o veredito da questão com esse id."""
        achada = next((q for q in self.questoes if q.id == questao), None)
        if achada is None:  # uma célula que o livro de notas tem e a lista emitida não
            achada = QuestaoAnotada(questao, nome_da_resposta(questao))
            self.questoes.append(achada)
        achada.veredito = veredito

    def para_dados(self) -> dict[str, Any]:
        return {nome: valor for nome, valor in asdict(self).items() if nome not in _SO_DURANTE}

    @classmethod
    def de_dados(cls, dado: Any) -> "Anotacao":
        """AnotacaoIlegivel para o que não foi escrito por `para_dados`: o arquivo é nosso, mas esteve no disco."""
        opcionais = {nome: _campo(dado, nome, str, NoneType) for nome in ("entrega", "motivo", "defeito")}
        return cls(
            **opcionais,
            titulo=_campo(dado, "titulo", str),
            consertos=_textos(dado, "consertos"),
            segundos=_campo(dado, "segundos", int, float, NoneType),
            processador=_campo(dado, "processador", int, float, NoneType),
            questoes=[QuestaoAnotada.de_dados(q) for q in _campo(dado, "questoes", list)],
        )


def nome_da_resposta(questao: str) -> str:
    """O grade_id da célula em que o aluno responde: “confere-softmax” → “softmax”."""
    return questao.removeprefix("confere-")


def registro_da_correcao(caminho: Path) -> Anotacao | None:
    """O que a correção anotou em um notebook; None se ele não chegou ao fim, ou é de uma versão anterior do curso."""
    try:
        return Anotacao.de_dados(json.loads(caminho.read_bytes())["metadata"][DADOS])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def pontos_do_corrigido(caminho: Path) -> dict[str, float]:
    """Quanto valia cada questão quando um notebook de autograded/ foi corrigido."""
    return pontos_de(nbformat.from_dict(json.loads(caminho.read_bytes())))


def pontos_de(nb: NotebookNode) -> dict[str, float]:
    """Quanto vale cada questão de uma lista: grade_id → pontos."""
    return {c.metadata.nbgrader.grade_id: float(c.metadata.nbgrader.points) for c in nb.cells if is_grade(c)}


def _campo(dado: Any, nome: str, *tipos: type) -> Any:
    valor = dado.get(nome) if isinstance(dado, dict) else None
    if not isinstance(valor, tipos) or isinstance(valor, bool):
        raise AnotacaoIlegivel(nome)
    return valor


def _textos(dado: Any, nome: str) -> list[str]:
    lista = _campo(dado, nome, list)
    if not all(isinstance(texto, str) for texto in lista):
        raise AnotacaoIlegivel(nome)
    return list(lista)
