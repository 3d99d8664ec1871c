"""A lista como foi emitida: o que cada célula dela é, e se uma entrega é mesmo desta lista."""

import copy
import json
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from nbformat import NotebookNode, from_dict

from correcao.chegada.reparo import analise
from correcao.chegada.reparo.arquivo import Zero
from correcao.chegada.reparo.avisos import ID_DO_AVISO
from correcao.chegada.reparo.celulas import Celula

DO_ALUNO = "do-aluno-"  # como começa o id de toda célula que não é da lista: só a correção escreve ids
_CHAMADA = re.compile(r"""^[ \t]*conferir\(\s*["']([\w-]+)/""", flags=re.MULTILINE)
_TITULO = re.compile(r"^#[ \t]*Lista[ \t]+(\d+)", flags=re.MULTILINE | re.IGNORECASE)


class Lista:
    """A lista como foi distribuída; as células sem marca do nbgrader são rascunho, e do aluno."""

    def __init__(self, emitida: NotebookNode):
        self.metadados = copy.deepcopy(emitida.metadata)
        self.emitidas = [c for c in emitida.cells if c.metadata.get("nbgrader", {}).get("grade_id")]
        self.marcas = [c.metadata.nbgrader for c in self.emitidas]
        self.indice = {m.grade_id: i for i, m in enumerate(self.marcas)}
        self.por_id = {c.id: i for i, c in enumerate(self.emitidas) if c.get("id")}
        self.chaves = [analise.chave(c.source) for c in self.emitidas]
        self.das_chaves: dict[str, list[int]] = {}
        for i, chave in enumerate(self.chaves):
            self.das_chaves.setdefault(chave, []).append(i)
        self.codigos = [i for i, c in enumerate(self.emitidas) if self.marcas[i].solution and c.cell_type == "code"]
        self.textos = [i for i, c in enumerate(self.emitidas) if self.marcas[i].solution and c.cell_type != "code"]
        respostas = {*self.codigos, *self.textos}
        self.fixas = [i for i in range(len(self.emitidas)) if i not in respostas]
        self.testes = [i for i in self.fixas if self.marcas[i].grade and self.emitidas[i].cell_type == "code"]
        self.nomes = {r: set(analise.definidos(self.emitidas[r].source)) for r in self.codigos}
        self.linhas_de_teste = {
            linha: i for i in self.testes for linha in self.chaves[i].split("\n") if linha.startswith("conferir(")
        }
        self.linhas = {
            i: analise.linhas(self.chaves[i]) for i in self.fixas if self.emitidas[i].cell_type == "markdown"
        }

    @cached_property
    def da_linha(self) -> dict[str, set[int]]:
        """Em que textos da lista está cada linha."""
        onde: dict[str, set[int]] = {}
        for i, linhas in self.linhas.items():
            for linha in linhas:
                onde.setdefault(linha, set()).add(i)
        return onde

    @cached_property
    def do_nome(self) -> dict[str, int]:
        """De que questão é cada nome que a lista pede para definir."""
        return {n: r for r in self.codigos for n in self.nomes[r]}

    @cached_property
    def numeros(self) -> set[str]:
        """Como a lista se chama nas suas conferências e no seu título."""
        return _numeros(self.emitidas, lambda c: c.cell_type, lambda c: c.source)

    @cached_property
    def _metadados_das_celulas(self) -> list[str]:
        return [json.dumps(c.metadata) for c in self.emitidas]  # copiar um texto é bem mais rápido que deepcopy

    def teste_de(self, resposta: int) -> int | None:
        for i in self.testes:
            if i > resposta and any(re.search(rf"\b{re.escape(n)}\b", self.chaves[i]) for n in self.nomes[resposta]):
                return i
        return None

    def rotulo(self, i: int) -> str:
        return f"`{self.marcas[i].grade_id}`"

    def celula(self, i: int, fonte: str | None = None, imagens: dict | None = None) -> NotebookNode:
        """A célula emitida, com a fonte do aluno se ela é uma resposta."""
        celula = NotebookNode({k: v for k, v in self.emitidas[i].items() if k != "metadata"})
        celula.metadata = from_dict(json.loads(self._metadados_das_celulas[i]))
        if fonte is not None:
            celula.source = fonte
        if celula.cell_type == "code":
            celula.outputs, celula.execution_count = [], None
        elif imagens:
            celula.attachments = from_dict(imagens)
        return celula

    def notebook(self, celulas: list[NotebookNode]) -> NotebookNode:
        """O notebook com os metadados da lista; os ids que faltam são dados em ordem, sem repetir."""
        usados = {*self.por_id, ID_DO_AVISO}
        numero = 0
        for celula in celulas:
            if celula.get("id") not in self.por_id:
                numero += 1
                while f"{DO_ALUNO}{numero}" in usados:
                    numero += 1
                celula.id = f"{DO_ALUNO}{numero}"
        return NotebookNode(nbformat=4, nbformat_minor=5, metadata=copy.deepcopy(self.metadados), cells=celulas)


def _numeros(celulas: Iterable[Any], tipo: Callable, fonte: Callable) -> set[str]:
    achados = set()
    for c in celulas:
        if tipo(c) == "markdown":
            achados |= {f"lista-{int(m.group(1)):02d}" for m in _TITULO.finditer(fonte(c)[:2000])}
        else:
            achados |= set(_CHAMADA.findall(fonte(c)))
    return achados


def exigir_a_lista(celulas: list[Celula], lista: Lista, nome: str) -> None:
    """Zero se o notebook é o de outra lista, ou de nenhuma."""
    daqui = sum(c.chave in lista.das_chaves for c in celulas if c.tipo == "markdown")
    votos = _numeros(celulas, lambda c: c.tipo, lambda c: c.fonte)
    outras = sorted(v for v in votos - lista.numeros if re.fullmatch(r"(lista|aula)-\d{2}", v))
    if outras and not votos & lista.numeros and daqui <= 2:
        certa = f", e esta entrega é da {min(lista.numeros)}" if lista.numeros else ""
        raise Zero(f"O arquivo {nome} é da {', '.join(outras[:3])}{certa}. Entregue o notebook desta lista.")
    conhecida = votos & lista.numeros or any(
        c.chave in lista.das_chaves or c.grade_id in lista.indice or lista.do_nome.keys() & set(c.definidos)
        for c in celulas
    )
    if not conhecida:
        raise Zero(
            f"O notebook {nome} não tem nenhuma questão desta lista: nem as suas células, nem as funções que ela pede. "
            "Confira se não entregou outro arquivo."
        )
