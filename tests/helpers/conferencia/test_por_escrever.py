"""Uma resposta que lê o que ninguém escreveu erra sempre, e não só quando a memória calha de ter outra coisa."""

import numpy as np
import pytest
import torch
from escritas import dito, escrever

from helpers.conferencia.exame import examinar
from helpers.conferencia.execucao import executar
from helpers.conferencia.por_escrever import sem_sorte
from helpers.conferencia.referencia import carregar

QUESTAO = "lista-01/cosseno"
NORMA = "def cosseno(X):\n    n = np.linalg.norm(X, axis=1, keepdims=True)\n"
LEEM_A_MEMORIA = [
    (NORMA + "    U = np.divide(X, n, where=n > 0)\n    return U @ U.T\n", 3),
    (
        NORMA + "    U = np.empty_like(X)\n    for i in range(len(X)):\n        if n[i] > 0:\n"
        "            U[i] = X[i] / n[i]\n    return U @ U.T\n",
        3,
    ),
    (f"def em_um(X, n):\n    return np.divide(X, n, where=n > 0)\n{NORMA}    U = em_um(X, n)\n    return U @ U.T\n", 2),
]
PREENCHEM = [
    NORMA + "    U = np.where(n > 0, np.divide(X, n, where=n > 0), 0)\n    return U @ U.T\n",
    NORMA + "    U = np.divide(X, n, out=np.zeros(X.shape), where=n > 0)\n    return U @ U.T\n",
    NORMA + "    U = np.empty(X.shape)\n    U[:] = X / np.where(n > 0, n, 1)\n    return U @ U.T\n",
]


@pytest.mark.parametrize(("celula", "linha"), LEEM_A_MEMORIA)
def test_quem_le_a_memoria_e_recusado_e_ouve_em_que_linha(celula, linha):
    erro = dito(QUESTAO, celula)
    assert erro.equivoco == "memoria-por-preencher" and f"A linha {linha} deixa posições por escrever" in str(erro)
    assert "costuma vir" not in str(erro) and "sorteio" not in str(erro)


@pytest.mark.parametrize("celula", PREENCHEM)
def test_quem_preenche_tudo_passa_e_nao_ouve_nada(celula):
    assert examinar(carregar(QUESTAO), escrever(QUESTAO, celula))[0] is None


def test_depois_da_chamada_as_funcoes_sao_as_de_antes():
    originais = np.divide, np.empty, torch.empty
    resposta = escrever(QUESTAO, LEEM_A_MEMORIA[1][0])
    with sem_sorte(resposta) as lixo:
        assert lixo is not None and np.empty_like is not originais[1]
        assert np.isnan(np.empty_like(np.ones(3))).all()
    assert (np.divide, np.empty, torch.empty) == originais and "empty_like" in repr(np.empty_like)
    executar(lambda: 1 / 0, [[]], resposta=resposta)
    assert (np.divide, np.empty, torch.empty) == originais


def test_quem_nao_usa_nada_disso_nao_paga_por_isso():
    with sem_sorte(escrever(QUESTAO, "def cosseno(X):\n    return X @ X.T\n")) as lixo:
        assert lixo is None
