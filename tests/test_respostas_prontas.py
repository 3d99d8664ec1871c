"""Nada do que vai para o aluno é a resposta de uma questão: nem helpers/, nem as células de preparo das listas."""

import importlib
import inspect
import pkgutil
import socket
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import matplotlib.pyplot as plt
import nbformat
import pytest
from conftest import RAIZ, listas, questoes

import helpers
from gabarito.base import CasoDeclarado, Questao
from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.execucao import aceita, executar
from helpers.conferencia.julgamento import Juiz, Referencia
from helpers.conferir import carregar

PRAZO = 1.0


def _de_casa(objeto: Any) -> bool:
    return callable(objeto) and str(getattr(objeto, "__module__", "")).startswith("helpers")


def _modulos() -> Iterator[Any]:
    for m in pkgutil.walk_packages(helpers.__path__, "helpers."):
        yield importlib.import_module(m.name)


def _publicos(dono: Any, onde: str) -> dict[str, Any]:
    return {f"{onde}.{n}": getattr(dono, n) for n in vars(dono) if not n.startswith("_") and _de_casa(getattr(dono, n))}


@cache
def prontos() -> dict[str, Callable]:
    """Tudo o que se pode chamar em helpers/: nome → função, classe ou método; cada um, uma vez."""
    achados: dict[str, Any] = {}
    for m in _modulos():
        achados |= _publicos(m, m.__name__)
    for nome, classe in list(achados.items()):
        if inspect.isclass(classe):
            for ancestral in classe.__mro__:
                if ancestral.__module__.startswith("helpers"):
                    achados |= _publicos(ancestral, nome)
    return {nome: o for nome, o in {id(o): (n, o) for n, o in reversed(achados.items())}.values()}


def primeira_parte(q: Questao, casos: list[CasoDeclarado]) -> list[int]:
    """Os casos que já dão pontos: os da primeira parte. As frases que passam pelo LLM ficam para o banco."""
    primeira = next(iter(q.partes), None)
    return [
        i
        for i, c in enumerate(casos)
        if c.parte in (None, primeira) and not (q.nome == "lista-10/atencao" and isinstance(c.entradas[0], str))
    ]


@cache
def visivel(nome: str) -> Referencia:
    return carregar(nome)


def acerta(ref: Referencia, quais: list[int], resposta: Callable) -> bool:
    juiz = Juiz(ref)
    try:
        adaptada = ref.adaptar(resposta)
        return all(juiz.acertou(i, executar(adaptada, [ref.casos[i].entradas], PRAZO)[0]) for i in quais)
    except DadoInvalido:  # devolveu o que nem se lê
        return False


def pontua(q: Questao, resposta: Callable) -> bool:
    """A resposta ganharia algum ponto: acerta os casos visíveis e os de um sorteio."""
    ref = visivel(q.nome)
    if not callable(resposta) or not all(aceita(resposta, n) for n in ref.quantidades):
        return False
    if not acerta(ref, primeira_parte(q, q.casos), resposta):
        return False
    ocultos = q.casos_ocultos(0)
    ocultos = [ocultos[i] for i in primeira_parte(q, ocultos)]
    oculta = q._referencia([], ocultos, com_equivocos=False)
    return acerta(oculta, list(range(len(ocultos))), resposta)
