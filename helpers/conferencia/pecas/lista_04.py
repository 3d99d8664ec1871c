"""Peças da lista 04: as funções que a questão `equivariante` recebe.

Cada peça recebe parâmetros (dados) e devolve uma função f que leva X (N, d) a Y (N, d_v). Se f comuta ou não com uma
permutação depende dos parâmetros e da permutação: a mesma peça serve aos dois casos.
"""

from collections.abc import Callable

import numpy as np
import torch


def _softmax(S: np.ndarray) -> np.ndarray:
    return torch.softmax(torch.from_numpy(S), dim=-1).numpy()


def camada(W_Q, W_K, W_V, P, M, causal: bool = False) -> Callable:
    """Uma cabeça sobre X + P, mais uma mistura fixa dos tokens, M (N, N)."""
    W_Q, W_K, W_V, P, M = (np.asarray(a, dtype=float) for a in (W_Q, W_K, W_V, P, M))

    def f(X):
        Z = X + P  # (N, d)
        S = (Z @ W_Q) @ (Z @ W_K).T / np.sqrt(W_K.shape[1])  # (N, N)
        if causal:
            S = np.where(np.tri(len(S), dtype=bool), S, -np.inf)
        return (_softmax(S) + M) @ (Z @ W_V)  # (N, d_v)

    return f


def por_token(W, b, P, tanh: bool = True, centra: bool = False, no_lugar: bool = False) -> Callable:
    """A mesma conta em cada linha de X + P; `no_lugar` faz as somas dentro do próprio X recebido."""

    def f(X):
        Z = X if no_lugar else X.copy()  # (N, d)
        Z += P
        if centra:
            Z -= Z.mean(axis=0)
        H = Z @ W + b  # (N, d_v)
        return np.tanh(H) if tanh else H

    return f


def acumulada(W) -> Callable:
    """A linha n soma as linhas de 0 a n."""

    def f(X):
        return np.cumsum(X @ W, axis=0)

    return f


def ordenada(W, coluna: int = 0, devolve: bool = False) -> Callable:
    """Ordena as linhas por uma coluna; com `devolve`, cada linha fica no lugar e ganha o seu número de ordem."""

    def f(X):
        ordem = X[:, coluna].argsort()  # (N,)
        Y = (X[:, :, None] * W).sum(axis=1)  # (N, d_v): X W, somado na mesma ordem em todas as linhas
        return Y * (1 + ordem.argsort()[:, None]) if devolve else Y[ordem]

    return f


def escolhida(W, linha: int = 0) -> Callable:
    """Todas as linhas da saída vêm de uma linha só da entrada."""

    def f(X):
        return np.repeat(X[[linha]] @ W, len(X), axis=0)

    return f


def porta(W, linha: int, v, limiar: float = -3.0) -> Callable:
    """X W em cada linha; só a `linha` ganha mais v, tanto quanto a sua primeira entrada passa do limiar."""

    def f(X):
        Y = (X[:, :, None] * W).sum(axis=1)  # (N, d_v): X W, somado na mesma ordem em todas as linhas
        Y[linha] += np.maximum(X[linha, 0] - limiar, 0.0) * v
        return Y

    return f


def vira(W, linha: int) -> Callable:
    """X W em cada linha; só a `linha` sai com as colunas de trás para a frente."""

    def f(X):
        Y = (X[:, :, None] * W).sum(axis=1)  # (N, d_v)
        Y[linha] = Y[linha, ::-1].copy()
        return Y

    return f


def regida(W) -> Callable:
    """X W, tudo multiplicado por um número que só depende da primeira linha."""

    def f(X):
        return (X[:, :, None] * W).sum(axis=1) * (2.0 + X[0, 0])  # (N, d_v)

    return f
