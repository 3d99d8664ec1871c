"""Respostas escritas como em um notebook, com o texto à mão, e o que se diz delas."""

import functools
import linecache
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ

from helpers.conferir import Conferencia, conferir


def blocos(arquivo: Path) -> list[tuple[str, ...]]:
    """(questão, trecho da frase, célula) de cada resposta de um arquivo delas."""
    _, *textos = arquivo.read_text(encoding="utf-8").split("\n=== ")
    return [tuple(texto.split("\n", 2)) for texto in textos]


@functools.cache
def preparo(lista: str) -> str:
    """O que a lista já traz e as respostas do instrutor às outras questões, sem as conferências."""
    (pasta,) = (RAIZ / "source").glob(f"{lista}-*")
    celulas = nbformat.read(pasta / f"{pasta.name}.ipynb", as_version=4).cells
    fora = "conferir(", "from helpers.veja", "from helpers.engane", "from helpers.minhas import mapa"
    return "\n".join(c.source for c in celulas if c.cell_type == "code" and not c.source.startswith(fora))


def escrever(questao: str, celula: str):
    """A resposta como ela nasce em um notebook: com o texto à mão."""
    lista, _, nome = questao.partition("/")
    nomes: dict = {}
    exec(preparo(lista), nomes)
    arquivo = f"/tmp/ipykernel_1/{abs(hash(celula))}.py"
    linecache.cache[arquivo] = (len(celula), None, celula.splitlines(keepends=True), arquivo)
    exec(compile(celula, arquivo, "exec"), nomes)
    return nomes[nome]


def dito(questao: str, resposta) -> Conferencia:
    with pytest.raises(Conferencia) as erro:
        conferir(questao, escrever(questao, resposta) if isinstance(resposta, str) else resposta)
    return erro.value
