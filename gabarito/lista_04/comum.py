"""O que mais de uma questão da lista 04 usa."""

import math

import numpy as np


def softmax(S, eixo=-1):
    e = np.exp(S - S.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


def atencao_escalada(Q, K, V):
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return A @ V, A


def tamanhos(rng, quantos):
    """Tamanhos todos diferentes entre si."""
    return [int(n) for n in rng.choice([2, 3, 4, 5, 6, 7], size=quantos, replace=False)]


def normal(rng, *forma):
    return rng.normal(size=forma).round(2)


def fracoes(rng, partes, *forma):
    """Múltiplos de 1/partes entre −1 e 1: com poucas partes, os produtos são exatos em float32."""
    return rng.integers(-partes, partes, size=forma, endpoint=True) / partes


X1 = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])  # (2, 3)
WQ1 = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 1.0]])  # (3, 2)
WK1 = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])  # (3, 2)
WV1 = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]])  # (3, 4)

X2 = np.array(
    [[0.4, -0.3, 1.2, 0.5], [0.9, 0.5, -0.6, 0.1], [-0.7, 1.1, 0.2, 0.8], [0.3, 0.8, 0.1, -1.2], [1.4, -0.2, -0.5, 0.6]]
)  # (5, 4)

WQ2 = np.array([[0.6, -0.9, 0.7], [-0.4, 0.3, 1.3], [1.1, 0.2, -0.8], [0.5, 0.9, 0.4]])  # (4, 3)
WK2 = np.array([[0.3, 1.2, -0.5], [0.8, -0.6, 0.4], [-0.2, 0.7, 1.0], [0.9, 0.1, -0.7]])  # (4, 3)
WV2 = np.array([[0.7, -0.4], [0.2, 1.1], [-0.9, 0.5], [0.6, 0.3]])  # (4, 2)

# Tudo 3 × 3: aqui W e Wᵀ, X W e W X, todos "encaixam", e só o valor os distingue.
X3 = np.array([[0.5, -0.2, 0.9], [0.1, 0.7, -0.4], [-0.8, 0.3, 0.6]])
WQ3 = np.array([[0.4, 1.1, -0.3], [-0.7, 0.2, 0.8], [0.9, -0.5, 0.6]])
WK3 = np.array([[1.0, -0.4, 0.2], [0.3, 0.8, -0.6], [-0.1, 0.5, 0.7]])
WV3 = np.array([[0.2, 0.9, 0.4], [-0.6, 0.1, 1.2], [0.8, -0.3, 0.5]])

# d_k = 4, e uma componente grande em toda consulta e em toda chave: pontuações perto de 2048, diferenças pequenas.
X4 = np.array([[64.0, 0.5, -0.25], [64.0, -0.75, 1.0], [64.0, 0.25, 0.5], [64.0, 1.0, -0.5], [64.0, 0.0, 0.75]])
WQ4 = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, -0.5], [0.0, 0.0, 1.0, 0.5]])
WK4 = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.5, 1.0, 0.0], [0.0, -1.0, 0.0, 0.5]])
WV4 = np.array([[0.0, 0.125], [1.0, -0.5], [0.5, 1.0]])


def grande(rng, n):
    """X (n, 3) e pesos com d_k = 4: pontuações perto de 2048 que diferem em poucas unidades."""
    X = np.concatenate([np.full((n, 1), 64.0), fracoes(rng, 4, n, 2)], axis=1)
    W_Q, W_K = np.zeros((3, 4)), np.zeros((3, 4))
    W_Q[0, 0] = W_K[0, 0] = 1.0
    W_Q[1:, 1:], W_K[1:, 1:] = fracoes(rng, 2, 2, 3), fracoes(rng, 2, 2, 3)
    W_V = np.concatenate([np.full((1, 2), 0.125), fracoes(rng, 8, 2, 2)])
    return X, W_Q, W_K, W_V


def sortear_pesos(rng, d, d_k, d_v):
    """W_Q, W_K e W_V que dão pontuações nem mornas demais nem saturadas."""
    return tuple((rng.normal(size=(d, k)) * 1.4 / math.sqrt(d)).round(2) for k in (d_k, d_k, d_v))
