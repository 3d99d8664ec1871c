"""As funções que `vaza_futuro` examina: cada construtora devolve uma `f` que leva X (T, d) a Y (T, d').

Todas são contas comuns de um Transformer. O que decide se o futuro vaza são os parâmetros, e não a construtora.
"""

from collections.abc import Callable

import numpy as np

from helpers.conferencia.pecas import pesos_que_somam_1

Camada = Callable[[np.ndarray], np.ndarray]


def _normalizar(X: np.ndarray, eixo: int) -> np.ndarray:
    return (X - X.mean(axis=eixo, keepdims=True)) / np.sqrt(X.var(axis=eixo, keepdims=True) + 1e-12)


def atencao(W_Q, W_K, W_V, esconde, quando="antes", norma=False) -> Camada:
    """Atenção com a máscara `esconde` (T, T) aplicada antes ou depois dos pesos; `norma` normaliza cada token."""

    def f(X):
        Z = _normalizar(X, -1) if norma else X
        S = (Z @ W_Q) @ (Z @ W_K).T / np.sqrt(W_Q.shape[1])  # (T, T)
        antes = quando == "antes"
        A = pesos_que_somam_1(np.where(esconde, -np.inf, S)) if antes else np.where(esconde, 0.0, pesos_que_somam_1(S))
        if quando == "depois-e-divide":
            A = A / A.sum(axis=-1, keepdims=True)
        return A @ (Z @ W_V)

    return f


def mistura(P, de=0, para=0, L=None) -> Camada:
    """Y = P X, com P (T, T) fixa; e, se houver L (d, d), a linha `de` entra também na linha `para`."""

    def f(X):
        Y = P @ X
        if L is not None:
            Y[para] += X[de] @ L
        return Y

    return f


def diferenca(P, s, L) -> Camada:
    """Y = P X, e as linhas antes de s − 1 recebem também a diferença entre as linhas s e s − 1."""

    def f(X):
        Y = P @ X
        Y[: s - 1] += (X[s] - X[s - 1]) @ L
        return Y

    return f


def media(escala) -> Camada:
    """A média de cada linha com as anteriores, em que a linha n pesa n + 1, calculada pelo que sobra: o total menos a
    soma do resto."""

    def f(X):
        pesos = np.arange(1.0, len(X) + 1)[:, None]  # (T, 1)
        P = pesos * X
        resto = np.cumsum(P[::-1], axis=0)[::-1] - P  # (T, d): a soma das linhas seguintes
        return escala * (P.sum(axis=0) - resto) / pesos.cumsum(axis=0)

    return f


def normalizada(P, eixo, quando="antes") -> Camada:
    """Y = P X, normalizando ao longo de `eixo` antes (X) ou depois (Y)."""

    def f(X):
        return P @ _normalizar(X, eixo) if quando == "antes" else _normalizar(P @ X, eixo)

    return f


def portao(P, norma=False) -> Camada:
    """Cada linha mais o que dela passa por um portão, que olha para as outras. `norma` normaliza cada token."""

    def f(X):
        Z = _normalizar(X, -1) if norma else X
        return X + 0.5 * Z * np.tanh(P @ Z)

    return f


def por_posicao(W1, W2, escala) -> Camada:
    """A mesma rede pequena em cada linha."""

    def f(X):
        return escala * (X + np.tanh(X @ W1) @ W2)

    return f


def constante(C) -> Camada:
    """Não olha para a entrada."""

    def f(X):
        return C + 0.0 * X[:, :1]

    return f
