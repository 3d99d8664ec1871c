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
    # uma alternativa em float32 dá, das mesmas entradas, outras saídas: vale a da solução da lista
    de_todas, da_lista = _tabelas(q, assinaturas), _tabelas(q, assinaturas, so_a_da_lista=True)
    nomes = [nome for nome in assinaturas if nome in de_todas or nome in da_lista]
    juntas = {nome: de_todas.get(nome, {}) | da_lista.get(nome, {}) for nome in nomes}
    return {nome: {"assinatura": assinaturas[nome], "tabela": tabela} for nome, tabela in juntas.items()}


def _tabelas(q: Questao, assinaturas: dict[str, str], so_a_da_lista: bool = False) -> dict[str, Tabela]:
    """O que as respostas certas pedem a cada uma destas funções, nos casos visíveis."""
    with _como_na_correcao(q.lista):
        nomes: dict[str, Any] = {"__name__": q.lista}
        exec(_solucao(q.lista), nomes)
        if q.funcao not in nomes:  # o instrutor a tirou da lista, e ela continua no gabarito
            return {}
        chamadas: dict[str, list] = {nome: [] for nome in assinaturas if nome in nomes}
        for nome in chamadas:
            nomes[nome] = anotada(nomes[nome], chamadas[nome])
        no_gabarito = [] if so_a_da_lista else [r.funcao for r in q.certas if isinstance(r.funcao, FunctionType)]
        anotadas = {nome: nomes[nome] for nome in chamadas}
        _chamar(q, [nomes[q.funcao], *(_com_elas(f, anotadas) for f in no_gabarito)])
    return {nome: tabela for nome, c in chamadas.items() if (tabela := guardar(assinaturas[nome], c))}


def _com_elas(resposta: FunctionType, anotadas: dict[str, Any]) -> FunctionType:
    """A mesma resposta do gabarito, que chama as anotadas no lugar das suas."""
    nomes = {**resposta.__globals__, **anotadas}
    return FunctionType(resposta.__code__, nomes, resposta.__name__, resposta.__defaults__, resposta.__closure__)


def _chamar(q: Questao, respostas: list[Any]) -> None:
    for caso in q.casos:
        for resposta in respostas:
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
