"""Onde há sorteio, uma resposta certa só é recusada por azar: menos de uma vez em um bilhão de entregas.

As chances são calculadas (caudas exatas da binomial, somadas sobre os testes e os casos), e não medidas: nos casos
visíveis e no pior que o sorteio dos ocultos deu em muitas sementes. E ninguém depende das sementes daqui.
"""

import math
from functools import lru_cache

import numpy as np
import pytest

from gabarito.base import buscar
from gabarito.lista_06.vaza_futuro import _examinar, _troca_o_futuro
from gabarito.lista_08.gerar import FOLGA, PERTO, _exatas
from gabarito.lista_08.gerar import VEZES as GERADAS
from helpers.conferencia.codificacao import codificar, decodificar
from helpers.conferencia.execucao import executar
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.pecas import Gerador
from helpers.conferencia.pecas.lista_08 import OUTRAS, POUCOS, VEZES, maior_desvio
from helpers.conferencia.pecas.lista_09 import MAIOR_DESVIO, MAIOR_EXCESSO, linhas_do_lote_grande
from helpers.conferencia.saidas import partes

SORTEIOS = 60  # sementes em que se procuram os piores parâmetros dos ocultos


@lru_cache
def ln_fatoriais(n: int) -> np.ndarray:
    return np.array([math.lgamma(i + 1) for i in range(n + 1)])


def binomial(n: int, p: float) -> np.ndarray:
    """P(X = k), k de 0 a n."""
    k, fatoriais = np.arange(n + 1), ln_fatoriais(n)
    return np.exp(fatoriais[n] - fatoriais - fatoriais[::-1] + k * math.log(p) + (n - k) * math.log1p(-p))


def cauda(n: int, p: float, desvio: float) -> float:
    """P(|X − np| > desvio)."""
    k = np.arange(n + 1)
    return float(binomial(n, p)[np.abs(k - n * p) > desvio].sum())


def visiveis_e_piores(q, parametros, chance):
    """A soma das chances nos casos visíveis, mais, em cada lugar dos ocultos, a do pior sorteio."""
    guardadas: dict = {}

    def uma(c):
        quais = parametros(c)
        if quais not in guardadas:
            guardadas[quais] = 0.0 if quais is None else chance(*quais)
        return guardadas[quais]

    ocultos = [[uma(c) for c in q.casos_ocultos(s)] for s in range(SORTEIOS)]
    return sum(uma(c) for c in q.casos) + sum(max(lugar) for lugar in zip(*ocultos, strict=True))


def chance_de_recusar_lotes(m: int, lote: int) -> float:
    """m começos igualmente prováveis: a soma das chances de cada frase de `ver_lotes`, para quem sorteia bem."""
    if m == 1:
        return 0.0
    n = VEZES * lote
    sem_repetir = math.prod(1 - i / m for i in range(min(lote, m + 1)))  # em um lote
    return (
        m * (1 - 1 / m) ** n  # algum começo não aparece
        + m * cauda(n, 1 / m, maior_desvio(n, m))
        + (sem_repetir**VEZES if lote > 1 else 0.0)
        + 2 * m ** (-VEZES * (lote - 1.0)) * (lote > 1)  # todas as linhas iguais, ou vizinhas, em todos os lotes
        + m ** -(lote * (VEZES - 1.0))  # sempre o mesmo lote
        + m ** -(lote * float(OUTRAS))  # o mesmo com outra semente
    )


def chance_de_recusar_copias(L: int, V: int) -> float:
    linhas, tokens = linhas_do_lote_grande(L, V), V - 1
    n = linhas * L
    sem_repetir = math.prod(1 - i / tokens for i in range(min(L, V)))  # em uma linha
    return (
        tokens * cauda(n, 1 / tokens, MAIOR_EXCESSO * n / tokens)
        + tokens * (1 - 1 / tokens) ** n
        + L * chernoff_da_media(linhas, L, tokens)
        + (sem_repetir**linhas if L > 1 else 0.0)
        + 2 * tokens ** -(40.0 * L)  # dois lotes de 40 linhas iguais: seguidos, ou com outra semente
    )


def chernoff_da_media(linhas: int, L: int, tokens: int) -> float:
    """Um limite para a chance de a média de uma posição fugir da média de todas MAIOR_DESVIO desvios, ou mais."""
    if L == 1:
        return 0.0  # a média da única posição é a de todas
    valores = np.arange(1, tokens + 1) - (tokens + 1) / 2
    foge = MAIOR_DESVIO * math.sqrt((tokens**2 - 1) / 12 / linhas)

    def ln_geradora(t):  # ln E[exp(t X)], de um token
        return np.log(np.mean(np.exp(t * valores)))

    def expoente(t):
        da_posicao, das_outras = t * (1 - 1 / L) / linhas, -t / L / linhas
        return linhas * ln_geradora(da_posicao) + linhas * (L - 1) * ln_geradora(das_outras) - t * foge

    centro = MAIOR_DESVIO / math.sqrt((tokens**2 - 1) / 12 / linhas)
    return 2 * math.exp(min(expoente(t) for t in centro * np.linspace(0.5, 2, 31)))


def chance_de_recusar_textos() -> float:
    """Nos ocultos se comparam duas amostras, a da resposta e a da referência; e a da resposta, com a lei exata."""
    q = buscar("lista-08/gerar")
    sorteados = [c for c in q.casos_ocultos(0) if c.entradas[-1] > 1]
    frequencias = sum(2 * len(c.entradas[1]) * c.entradas[0].parametros["V"] for c in sorteados)
    uma = max(entre_amostras(p) + cauda(GERADAS, p, FOLGA * GERADAS) for p in (0.1, 0.3, 0.4, 0.5))
    # quem sorteia os casos garante que a chance de um token não passa de 1 − PERTO
    iguais = len(sorteados) * (PERTO**2 + (1 - PERTO) ** 2) ** POUCOS
    return sum(nos_visiveis(q)) + frequencias * uma + iguais


def entre_amostras(p: float) -> float:
    """P(|X − Y| > FOLGA·n), de duas amostras independentes; é maior quanto mais perto p está de 1/2."""
    x, passo = binomial(GERADAS, p), int(FOLGA * GERADAS) + 1
    pelo_menos = x[::-1].cumsum()[::-1]  # P(Y ≥ k)
    return 2 * float((x[:-passo] * pelo_menos[passo:]).sum())


def nos_visiveis(q):
    """Nos visíveis a outra amostra é fixa: a da referência, guardada em impressão digital."""
    entradas = [[codificar(e) for e in c.entradas] for c in q.casos]
    for c, e, r in zip(q.casos, entradas, executar(q.adaptar(q.referencia), entradas), strict=True):
        if c.entradas[-1] == 1:
            continue
        modelo, ids, n, temperatura, top_k = (decodificar(d, confiavel=True) for d in e[:5])
        guardadas = partes(r.saida, ["texto", "array"])[1].valores
        exatas = _exatas(modelo, ids, n, temperatura, top_k).double().numpy()
        for p, guardada in zip(exatas.ravel(), guardadas.ravel(), strict=True):
            if 0 < p < 1:
                k = np.arange(GERADAS + 1)
                yield float(binomial(GERADAS, p)[np.abs(k / GERADAS - guardada) > FOLGA].sum())


# ---------------------------------------------------------------- o azar


def test_um_sorteio_honesto_de_lotes_ou_de_textos_e_recusado_menos_de_uma_vez_em_um_bilhao():
    def medidas(c):
        m = len(c.entradas[0]) - c.entradas[1]
        return (m, c.entradas[2]) if m > 0 else None

    dos_lotes = visiveis_e_piores(buscar("lista-08/lotes"), medidas, chance_de_recusar_lotes)
    assert dos_lotes + chance_de_recusar_textos() < 1e-9


def test_uma_tarefa_de_copia_honesta_e_recusada_menos_de_uma_vez_em_um_bilhao():
    q = buscar("lista-09/tarefa_de_copia")
    assert visiveis_e_piores(q, lambda c: c.entradas[1:3], chance_de_recusar_copias) < 1e-9


def test_a_conta_das_caudas_e_a_da_binomial():
    x = binomial(20, 0.3)
    assert x.sum() == pytest.approx(1) and x[4] == pytest.approx(math.comb(20, 4) * 0.3**4 * 0.7**16)
    assert cauda(20, 0.5, 9.5) == pytest.approx(2 / 2**20)
    assert entre_amostras(0.5) > entre_amostras(0.4) > 0


# ---------------------------------------------------------------- as sementes


@pytest.mark.parametrize(
    "nome", ["lista-06/vaza_futuro", "lista-08/lotes", "lista-08/gerar", "lista-09/tarefa_de_copia"]
)
def test_a_semente_de_um_gerador_que_a_resposta_recebe_nao_e_uma_que_alguem_escolheria(nome):
    q = buscar(nome)
    for c in [*q.casos, *q.casos_ocultos(0), *q.casos_ocultos(1)]:
        sementes = [e.semente for e in c.entradas if isinstance(e, Gerador)] or [c.entradas[-1]]
        assert all(2**30 < s < 2**31 and s % 2 for s in sementes)


@pytest.mark.parametrize("semente", [0, 1, 7, 42, 1234])
def test_um_vaza_futuro_que_sorteia_com_a_propria_semente_esta_certo(semente):
    def troca_com_a_sua(f, T, d, rng):
        X, meu = rng.normal(size=(T, d)), np.random.default_rng(semente)
        return _examinar(f, T, d, meu, _troca_o_futuro, base=X)

    def parte_do_seu(f, T, d, rng):
        return _examinar(f, T, d, rng, _troca_o_futuro, base=np.random.default_rng(semente).normal(size=(T, d)))

    def sempre_a_mesma(f, T, d, rng):
        def mexer(Z, k, _rng):
            Z[k:] = np.random.default_rng(semente).normal(size=Z.shape)[k:]

        return _examinar(f, T, d, rng, mexer)

    q = buscar("lista-06/vaza_futuro")
    referencia = q.oculta(semente + 1, com_equivocos=False)
    for resposta in (troca_com_a_sua, parte_do_seu, sempre_a_mesma):
        assert Juiz(referencia).julgar(executar(resposta, [c.entradas for c in referencia.casos])) is None
