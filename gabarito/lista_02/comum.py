"""O que mais de uma questão da lista 02 usa."""

import numpy as np


def oitavos(rng, baixo, alto, forma):
    """Múltiplos de 1/8 entre baixo e alto: exatos em float32 mesmo perto de 10 000."""
    return rng.integers(round(8 * baixo), round(8 * alto), size=forma, endpoint=True) / 8


def misturadas(rng, n, m):
    """Linhas (n, m) em alturas muito diferentes: perto de 10 000, de −10 000, de 0, e uma de ponta a ponta."""
    X = oitavos(rng, -3, 3, (n, m))
    X[0] += 10_000 - 4
    X[1] -= 10_000 - 4
    X[2, :] += 10_000 - 4
    X[2, 0] = -10_000 + rng.integers(0, 8)
    return X


def coluna_a_meio_passo(rng, meio_passo):
    """Quatro linhas e três colunas em alturas muito diferentes; a primeira está a meio passo da grade."""
    X = misturadas(rng, 3, 4).T.copy()
    X[:, 0] = 10_000 - rng.integers(0, 8) + rng.permutation(meio_passo)
    return X


def log_soma_exp_float32(x, eixo):
    z = x.astype(np.float32)
    maior = z.max(axis=eixo, keepdims=True)
    return np.exp(z - (maior + np.log(np.exp(z - maior).sum(axis=eixo, keepdims=True))))
