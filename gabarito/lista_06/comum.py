"""O que mais de uma questão da lista 06 usa."""

import numpy as np


def softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


def softmax_mascarado(S, M):
    """Softmax no último eixo só sobre o que está à vista; uma linha toda escondida dá zeros."""
    visivel = np.broadcast_to(~M, S.shape)
    S = np.where(visivel, S, -np.inf)
    topo = S.max(axis=-1, keepdims=True)
    E = np.where(visivel, np.exp(S - np.where(np.isfinite(topo), topo, 0.0)), 0.0)
    soma = E.sum(axis=-1, keepdims=True)
    return E / np.where(soma == 0, 1.0, soma)


def pontuacoes(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
