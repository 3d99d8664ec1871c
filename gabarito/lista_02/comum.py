"""O que mais de uma questão da lista 02 usa."""


def oitavos(rng, baixo, alto, forma):
    """Múltiplos de 1/8 entre baixo e alto: exatos em float32 mesmo perto de 1000."""
    return rng.integers(round(8 * baixo), round(8 * alto), size=forma, endpoint=True) / 8


def misturadas(rng, n, m):
    """Linhas (n, m) em alturas muito diferentes: perto de 1000, de −1000, de 0, e uma de ponta a ponta."""
    X = oitavos(rng, -3, 3, (n, m))
    X[0] += 1000 - 4
    X[1] -= 1000 - 4
    X[2, :] += 1000 - 4
    X[2, : m // 2] = -1000 + rng.integers(0, 8, size=m // 2)
    return X
