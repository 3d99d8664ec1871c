"""O sorteio não decide uma nota: o que uma resposta ganha nos casos visíveis é o que ganha em qualquer sorteio.

Quem erra são a própria referência e as outras respostas certas, estragadas por programa: uma troca de cada vez, das
que o menor conserto experimenta ao contrário. Uma que passe nos visíveis e não em todo sorteio mostra um caso que falta
entre os visíveis.
"""

import ast
import inspect
import sys
import warnings

import numpy as np
import pytest
from conftest import questoes, semente_da_rodada, tudo

from gabarito.base import Questao, Resposta
from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.conserto.trocas import trocas
from helpers.conferencia.execucao import SEM_TEMPO, executar
from helpers.conferencia.juiz import Julgamento
from helpers.conferencia.referencia import Referencia

POR_QUESTAO, SORTEIOS = (None, 6) if tudo() else (25, 2)
PRAZO = 0.25  # segundos de processador por chamada


def das_listas_01_a_06():
    return [q for q in questoes() if "lista-01" <= q.lista <= "lista-06" and q.ocultos]


def _definicao(resposta: Resposta) -> ast.FunctionDef:
    """A árvore de uma resposta do banco, sem o @q.alternativa."""
    nome = resposta.funcao.__name__
    texto = resposta.fonte or inspect.getsource(resposta.funcao)
    (definicao,) = (no for no in ast.parse(texto).body if isinstance(no, ast.FunctionDef) and no.name == nome)
    definicao.decorator_list = []
    return definicao


def mutantes(q: Questao):
    """(linha trocada, função) de cada troca que o Python compila; `testar` vê um punhado, que muda a cada commit."""
    todas = []
    for resposta in q.certas:
        definicao = _definicao(resposta)
        if "backward" in ast.unparse(definicao):  # quem treina chega ou não chega: isso é do treino, e não dos casos
            continue
        todas += [(definicao, troca) for troca in trocas(definicao, q.depende)]
    if POR_QUESTAO is not None:
        quais = np.random.default_rng(semente_da_rodada()).permutation(len(todas))[:POR_QUESTAO]
        todas = [todas[i] for i in quais]
    for definicao, troca in todas:
        original = ast.unparse(definicao)
        troca.fazer()
        try:
            texto = ast.unparse(ast.fix_missing_locations(definicao))
            nomes = dict(vars(sys.modules[q.referencia.__module__]))
            exec(compile(texto, "<mutante>", "exec"), nomes)
        except Exception:  # uma árvore que o Python não compila
            continue
        finally:
            troca.desfazer()
        mudou = [b for a, b in zip(original.splitlines(), texto.splitlines(), strict=False) if a != b]
        yield (mudou or ["(uma linha a menos)"])[0].strip(), nomes[definicao.name]


def _so_o_sorteio(q: Questao, semente: int) -> Referencia:
    return q._montar(q._resolver(q.casos_ocultos(semente), True, ocultos=True), com_equivocos=False)


def fracao(q: Questao, ref: Referencia, funcao) -> float | None:
    """A fração dos pontos nestes casos; None se não terminou, e aí quem decidiria é o relógio."""
    registros = executar(ref.adaptar(funcao), [c.entradas for c in ref.casos], PRAZO, PRAZO * len(ref.casos))
    if len(registros) < len(ref.casos) or any(r.erro and r.erro["tipo"] in SEM_TEMPO for r in registros):
        return None
    try:
        certos = Julgamento(ref, registros).certos
    except DadoInvalido:
        return 0.0
    ganha = 0.0
    for i, vale in enumerate(q.partes.values() or [1.0]):
        if not all(certo for certo, c in zip(certos, ref.casos, strict=True) if c.parte == i):
            break
        ganha += vale
    return round(ganha, 6)


@pytest.mark.parametrize("q", das_listas_01_a_06(), ids=lambda q: q.nome)
def test_o_que_uma_resposta_ganha_nos_visiveis_nenhum_sorteio_muda(q):
    visiveis = q.as_claras()
    sorteios = [_so_o_sorteio(q, semente_da_rodada() + s) for s in range(SORTEIOS)]
    de_sorte = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for linha, funcao in mutantes(q):
            em_casa = fracao(q, visiveis, funcao)
            if not em_casa:  # nem a primeira parte: nenhum sorteio a salva
                continue
            na_correcao = [fracao(q, sorteio, funcao) for sorteio in sorteios]
            if any(f is not None and f < em_casa for f in na_correcao):
                de_sorte[linha] = (em_casa, na_correcao)
    assert de_sorte == {}
