"""`inventar_cabeca`: o que se julga é o que a cabeça faz, e só passa quem acha a pista em qualquer telegrama."""

import itertools

import numpy as np
import pytest
from pontuar import pontua

from correcao.juizo import evidencia
from gabarito.base import buscar
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.codificacao import codificar
from helpers.conferencia.execucao import executar
from helpers.conferencia.pecas.lista_04 import ACHA, PALAVRAS, quais_pistas, ver_cabeca
from helpers.explorar import treinar_as_chaves
from helpers.fichas import FICHAS, TRACOS

q = buscar("lista-04/inventar_cabeca")
W_Q_A_MAO = np.array([[0, 0], [4, 6], [0, 0]])  # as da aula 04, (3, 2): direita, alto, assunto
W_K_A_MAO = np.array([[0, 0], [1, 0], [0, 1]])
DAS_AULAS = [(W_Q_A_MAO, W_K_A_MAO), treinar_as_chaves()]  # e as que o botão Treinar do explorador acha


def pela_forca(forca, desconto):
    def inventar_cabeca(tracos, fichas):
        W_Q, W_K = np.zeros((len(tracos), 1)), np.zeros((len(tracos), 1))
        W_Q[tracos.index("ambígua")] = 1
        W_K[[tracos.index("cozinha"), tracos.index("costura")]] = forca
        W_K[tracos.index("ambígua")] = -desconto * forca
        return W_Q, W_K, np.eye(len(tracos))

    return inventar_cabeca


@pytest.mark.parametrize("par", DAS_AULAS, ids=["à mão", "treinadas"])
def test_as_matrizes_da_aula_nao_valem_nada_aqui_em_quaisquer_tres_tracos(par):
    def postas(quais):
        def inventar_cabeca(tracos, fichas):
            linhas = [tracos.index(t) for t in quais] if isinstance(quais[0], str) else list(quais)
            W_Q, W_K = np.zeros((len(tracos), 2)), np.zeros((len(tracos), 2))
            W_Q[linhas], W_K[linhas] = par
            return W_Q, W_K, np.eye(len(tracos))

        return inventar_cabeca

    em_todas = ["coisa", "cozinha", "costura", "ambígua"]  # os traços que toda tabela tem
    lugares = [*itertools.permutations(em_todas, 3), *itertools.permutations(range(5), 3)]
    assert [quais for quais in lugares if pontua(q, postas(quais))] == []
    assert not pontua(q, lambda tracos, fichas: (*par, np.eye(3, 2)))


@pytest.mark.parametrize("semente", range(3))
@pytest.mark.parametrize("desconto", [1.0, 1.4, 2.0, 3.0])
@pytest.mark.parametrize("forca", [2.0, 8.0, 8.4, 8.7, 12.0, 60.0])
def test_quem_escolhe_pelos_nomes_ouve_o_mesmo_em_toda_tabela(forca, desconto, semente):
    casos = [*q.casos, *q.casos_ocultos(semente)]
    textos = [ver_cabeca(t, f, pela_forca(forca, desconto)(t, f), False)[0] for t, f, _ in (c.entradas for c in casos)]
    assert len({texto == ACHA for texto in textos}) == 1


def test_nenhum_telegrama_e_pior_que_o_que_se_julga():
    """Com uma cabeça fraca, os pesos em telegramas sorteados, pela fórmula: o menor é o que a peça diz."""
    rng, pistas = np.random.default_rng(0), list(quais_pistas(TRACOS, FICHAS))
    W_Q, W_K, W_V = pela_forca(3.0, 1.5)(TRACOS, FICHAS)
    outras = [p for p in FICHAS if p != "manga" and p not in pistas]
    pesos = []
    for pista, n in itertools.product(pistas, [3, 8, PALAVRAS]):
        for enfeites in [*([p] * (n - 2) for p in outras), *(rng.choice(outras, size=n - 2) for _ in range(20))]:
            X = np.stack([FICHAS[p] for p in ("manga", pista, *enfeites)])
            e = np.exp((X @ W_K) @ (X[0] @ W_Q))
            pesos.append(e[1] / e.sum())
    texto, _ = ver_cabeca(TRACOS, FICHAS, (W_Q, W_K, W_V), False)
    assert f"manga dá {int(100 * min(pesos)) / 100:.2f}".replace(".", ",") in texto


def test_um_adaptador_que_mente_nao_ganha_pontos():
    """Quem troca a peça, no kernel, diz que a cabeça acha a pista: os números que vão com isso têm de bastar."""
    fraca = pela_forca(1.0, 2.0)
    entradas = evidencia.pedido(q, 3)["casos"]
    certos = executar(q.adaptar(q.referencia), entradas)
    for registro, c in zip(certos, [*q.casos, *q.casos_ocultos(evidencia.semente_da_questao(3, q.nome))], strict=True):
        registro.testemunha = codificar(fraca(*c.entradas[:2]))
    dados = {"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in certos]}
    assert evidencia.julgar(q, 3, codificar_evidencia(dados)).fracao == 0


@pytest.mark.parametrize(
    "visto", [None, "uma cabeça", (1, 2, 3), (np.ones((5, 1)),) * 2, (np.full((5, 1), np.nan),) * 3]
)
def test_uma_testemunha_torta_nao_confirma_nada(visto):
    entradas = [codificar(e) for e in q.casos[0].entradas]
    assert not q.confirma(entradas, codificar(visto))
    assert q.confirma(entradas, codificar(q.referencia(TRACOS, FICHAS)))
