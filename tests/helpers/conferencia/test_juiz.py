"""Cada caso é julgado uma vez, e a frase só se monta para o caso de que se fala."""

from collections import Counter

import numpy as np
import pytest

from correcao.juizo import evidencia
from gabarito.base import ALTERA_A_ENTRADA, buscar
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.escada import Escada
from helpers.conferencia.execucao import executar
from helpers.conferencia.fraseado import Fraseado
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.referencia import carregar
from helpers.conferir import Conferencia, conferir

SOFTMAX = buscar("lista-02/softmax")
CASOS = range(len(SOFTMAX.casos))
UMA_VEZ_CADA = Counter(CASOS)


@pytest.fixture
def julgados(monkeypatch):
    """Quantas vezes se julgou cada caso."""
    vezes: Counter[int] = Counter()
    subir = Escada.subir
    monkeypatch.setattr(Escada, "subir", lambda self, i, leitura: (vezes.update([i]), subir(self, i, leitura))[1])
    return vezes


@pytest.fixture
def lugares(monkeypatch):
    """Os casos de que se falou, pelo rótulo: toda frase começa por dizer onde foi."""
    ditos: list[str] = []
    lugar = Fraseado.lugar
    monkeypatch.setattr(Fraseado, "lugar", lambda self, caso: (ditos.append(caso.rotulo), lugar(self, caso))[1])
    return ditos


def so_erra_quando(erra):
    certa = SOFTMAX.referencia
    return lambda x, eixo=-1: certa(x, eixo) + (1 if erra(x) else 0)


ERRADAS = {
    "em tudo": so_erra_quando(lambda x: True),
    "em alguns": so_erra_quando(lambda x: x.ndim == 3),
    "com erro": lambda x, eixo=-1: x @ np.ones(99),
    "nem array": lambda x, eixo=-1: None,
    "um dicionário": lambda x, eixo=-1: {"a": 1},
    **{e.nome: e.funcao for e in SOFTMAX.equivocos},
}


def test_a_questao_tem_muitos_casos_e_muitos_equivocos():
    assert len(CASOS) >= 10 and len(SOFTMAX.equivocos) >= 10


@pytest.mark.parametrize("resposta", ERRADAS.values(), ids=ERRADAS)
def test_uma_conferencia_que_recusa_julga_cada_caso_uma_vez(resposta, julgados):
    with pytest.raises(Conferencia):
        conferir(SOFTMAX.nome, resposta)
    assert julgados == UMA_VEZ_CADA


def test_uma_conferencia_que_aceita_tambem(julgados):
    conferir(SOFTMAX.nome, SOFTMAX.referencia)
    assert julgados == UMA_VEZ_CADA


@pytest.mark.parametrize("resposta", ERRADAS.values(), ids=ERRADAS)
def test_a_frase_e_so_a_do_caso_que_se_conta(resposta, lugares):
    with pytest.raises(Conferencia):
        conferir(SOFTMAX.nome, resposta)
    assert len(lugares) <= 1


def test_quem_acerta_nao_faz_montar_frase_nenhuma(lugares):
    conferir(SOFTMAX.nome, SOFTMAX.referencia)
    assert lugares == []


def test_o_diagnostico_leva_o_que_se_decidiu_de_cada_caso():
    referencia = carregar(SOFTMAX.nome)
    casos = [c.entradas for c in referencia.casos]
    registros = executar(ERRADAS["em alguns"], casos)
    diagnostico = Juiz(referencia).julgar(registros)
    assert diagnostico.certos == [Juiz(referencia).acertou(i, r) for i, r in enumerate(registros)]
    assert diagnostico.caso == diagnostico.certos.index(False) > 0


# ---------------------------------------------------------------- na correção


def julgar(resposta):
    semente = 3
    registros = executar(resposta, evidencia.pedido(SOFTMAX, semente)["casos"])
    dados = {"questao": SOFTMAX.nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return evidencia.julgar(SOFTMAX, semente, codificar_evidencia(dados)), len(registros)


def test_a_correcao_de_quem_acerta_julga_cada_caso_uma_vez_visivel_ou_oculto(julgados):
    veredito, quantos = julgar(SOFTMAX.referencia)
    assert veredito.fracao == 1 and quantos > len(CASOS) and julgados == Counter(range(quantos))


def test_a_correcao_de_quem_so_erra_nos_ocultos_tambem(julgados):
    visiveis = [np.asarray(c.entradas[0]) for c in SOFTMAX.casos]
    decorada = so_erra_quando(lambda x: not any(np.array_equal(x, v) for v in visiveis))
    veredito, quantos = julgar(decorada)
    # a referência dos ocultos diz, de cada equívoco, onde ele acerta; a resposta é julgada uma vez
    equivocos = [e for e in SOFTMAX.equivocos if e.nome != ALTERA_A_ENTRADA]
    assert veredito.fracao == 0 and "Em um caso que você não vê" in veredito.frase
    assert julgados == Counter({i: 1 + len(equivocos) for i in range(quantos)})


def test_a_saida_que_nao_se_le_recusa_com_uma_frase():
    com_eixos_demais = lambda x, eixo=-1: np.asarray(x).reshape((1,) * 20 + np.shape(x))  # noqa: E731
    with pytest.raises(Conferencia, match="não pôde ser lido como dados"):
        conferir(SOFTMAX.nome, com_eixos_demais)
