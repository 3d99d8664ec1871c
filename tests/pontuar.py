"""Uma função qualquer ganharia pontos em uma questão? O que vários testes perguntam do que vai para o aluno."""

import socket
import subprocess
from collections.abc import Callable
from functools import cache
from typing import Any

import matplotlib.pyplot as plt
import pytest

from correcao.juizo import evidencia
from gabarito.base import CasoDeclarado, Questao, buscar
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.execucao import aceita, executar
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.pecas import modulos
from helpers.conferencia.referencia import Referencia, carregar, quantidades

SEMENTE = 3
PRAZO = 1.0  # segundos de processador por chamada


@pytest.fixture(autouse=True)
def sem_rede_nem_programas(monkeypatch, tmp_path):
    """O que se tenta não baixa, não instala, não lê o LLM, não escreve na pasta do curso e não fecha arquivo alheio."""

    def proibido(*_args: Any, **_kwargs: Any) -> None:
        raise RuntimeError("aqui não")

    def por_nome(arquivo: Any, *args: Any, abrir: Callable = open, **kwargs: Any) -> Any:
        return proibido() if isinstance(arquivo, int) else abrir(arquivo, *args, **kwargs)

    modulos.aquecer_o_torch()  # o primeiro otimizador importa muito, e o prazo de uma chamada o pegaria no meio
    monkeypatch.setattr("builtins.open", por_nome)  # o 4 que uma questão dá seria o arquivo 4, do pytest
    monkeypatch.setattr(socket.socket, "connect", proibido)
    monkeypatch.setattr(subprocess, "Popen", proibido)
    monkeypatch.setattr("helpers.llm.carregar", lambda: None)
    monkeypatch.chdir(tmp_path)
    yield
    plt.close("all")


# ------------------------------------------------------------ o que ganharia pontos


def _contam(q: Questao, casos: list[CasoDeclarado]) -> list[int]:
    """Os casos da primeira parte, que já dá pontos; menos as frases que `transplantar` leva ao LLM, que demoram."""
    primeira = next(iter(q.partes), None)
    sozinhos = [q.nome != "lista-10/transplantar" or not isinstance(c.entradas[0], str) for c in casos]
    return [i for i, c in enumerate(casos) if c.parte in (None, primeira) and sozinhos[i]]


@cache
def visivel(nome: str) -> Referencia:
    return carregar(nome)


@cache
def _oculta(nome: str) -> Referencia:
    q = buscar(nome)
    casos = q.casos_ocultos(0)
    resolvidos = q._resolver([casos[i] for i in _contam(q, casos)], as_claras=True, ocultos=True)
    return q._montar(resolvidos, com_equivocos=False)


def _acerta(ref: Referencia, quais: list[int], resposta: Callable) -> bool:
    """Caso a caso, até o primeiro erro."""
    juiz = Juiz(ref)
    try:
        adaptada = ref.adaptar(resposta)
        return all(juiz.acertou(i, executar(adaptada, [ref.casos[i].entradas], PRAZO)[0]) for i in quais)
    except DadoInvalido:  # devolveu o que nem se lê
        return False


def cabe(q: Questao, resposta: Any) -> bool:
    """Aceita os argumentos da primeira parte? Os que só as outras usam, quem copia a resposta acrescenta."""
    primeiros = [q.casos[i].entradas for i in _contam(q, q.casos)]
    quais = quantidades(q.assinatura, q.adaptador, primeiros) if primeiros else visivel(q.nome).quantidades
    return callable(resposta) and all(aceita(resposta, n) for n in quais)


def pontua(q: Questao, resposta: Callable) -> bool:
    """A resposta ganharia algum ponto, nos casos visíveis e em um sorteio?"""
    if not cabe(q, resposta) or not _acerta(visivel(q.nome), _contam(q, q.casos), resposta):
        return False
    return _acerta(_oculta(q.nome), list(range(len(_oculta(q.nome).casos))), resposta)


def fracao(q: Questao, equivoco: str | None) -> float:
    """A fração dos pontos que o banco dá à resposta: 1, se certa; de um equívoco, a das partes que ele não estraga."""
    if equivoco is None:
        return 1.0
    errada = next(e for e in q.equivocos if e.nome == equivoco)
    registros = executar(q.adaptar(errada.funcao), evidencia.pedido(q, SEMENTE)["casos"])
    dados = {"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return evidencia.julgar(q, SEMENTE, codificar_evidencia(dados)).fracao
