"""O que vai para o aluno de uma função de que outra depende: o que as respostas certas usam dela, nos visíveis."""

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from types import FunctionType
from typing import Any

import nbformat
from nbgrader.utils import is_solution

from gabarito.base import Questao, carregar
from gabarito.no_nbgrader import listas_do_curso
from helpers import RAIZ
from helpers.conferencia.codificacao import codificar, decodificar
from helpers.conferencia.emprestimo import Tabela, anotada, guardar
from helpers.conferencia.listas import LISTA_ATUAL
from helpers.indice import listas


def tabelas(q: Questao) -> dict[str, Tabela]:
    """Função de que a questão depende → a tabela dela.

    Um módulo não a tem: guardada, a saída não leva o gradiente, que ali também se confere.
    """
    if not q.depende or q.adaptador:
        return {}
    return _tabelas(q, {d.funcao: d.assinatura for d in q.dependencias})


def de_outras_listas(q: Questao) -> dict[str, dict[str, Any]]:
    """O mesmo das funções que a lista traz de outras, para onde não há substitutos: função → assinatura e tabela."""
    questoes = {outra.funcao: outra for lista in listas() for outra in carregar(lista).values() if lista < q.lista}
    assinaturas = {nome: questoes[nome].assinatura for nome in listas()[q.lista].importa if nome in questoes}
    return {
        nome: {"assinatura": assinaturas[nome], "tabela": tabela} for nome, tabela in _tabelas(q, assinaturas).items()
    }


def _tabelas(q: Questao, assinaturas: dict[str, str]) -> dict[str, Tabela]:
    """O que as respostas certas pedem a cada uma destas funções, nos casos visíveis."""
    with _como_na_correcao(q.lista):
        nomes: dict[str, Any] = {"__name__": q.lista}
        exec(_solucao(q.lista), nomes)
        if q.funcao not in nomes:  # o instrutor a tirou da lista, e ela continua no gabarito
            return {}
        chamadas: dict[str, list] = {nome: [] for nome in assinaturas if nome in nomes}
        for nome in chamadas:
            nomes[nome] = anotada(nomes[nome], chamadas[nome])
        _chamar_as_certas(q, nomes, {nome: nomes[nome] for nome in chamadas})
    return {nome: tabela for nome, c in chamadas.items() if (tabela := guardar(assinaturas[nome], c))}


def _chamar_as_certas(q: Questao, nomes: dict[str, Any], anotadas: dict[str, Any]) -> None:
    """Em todos os casos visíveis: a de source/ e as do gabarito, que chamam as anotadas no lugar das suas."""
    no_gabarito = [r.funcao for r in q.certas if isinstance(r.funcao, FunctionType)]
    que_chamam = [
        FunctionType(f.__code__, {**f.__globals__, **anotadas}, f.__name__, f.__defaults__, f.__closure__)
        for f in no_gabarito
    ]
    for caso in q.casos:
        for resposta in (nomes[q.funcao], *que_chamam):
            with contextlib.suppress(Exception):  # um caso em que a resposta certa é um erro
                resposta(*(decodificar(codificar(e), confiavel=True) for e in caso.entradas))


@contextlib.contextmanager
def _como_na_correcao(lista: str) -> Iterator[None]:
    """O que a lista traz de outras, por `helpers.minhas`, é o do curso: o que há em release/ é de quem gera."""
    antes = os.environ.get(LISTA_ATUAL)
    os.environ[LISTA_ATUAL] = lista
    try:
        yield
    finally:
        if antes is None:
            del os.environ[LISTA_ATUAL]
        else:
            os.environ[LISTA_ATUAL] = antes


@cache
def _solucao(lista: str) -> str:
    """O código de source/: o preparo, o que a lista dá pronto e as respostas."""
    pasta = next(nome for nome in listas_do_curso() if nome.startswith(f"{lista}-"))
    celulas = nbformat.read(RAIZ / "source" / pasta / f"{pasta}.ipynb", as_version=4).cells
    codigo = [c for c in celulas if c.cell_type == "code"]
    dadas = ("preparo", "esqueleto")
    return "\n".join(
        c.source for c in codigo if is_solution(c) or c.metadata.get("nbgrader", {}).get("grade_id") in dadas
    )
