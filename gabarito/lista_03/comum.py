"""O que mais de uma questão da lista 03 usa."""

import numpy as np

from gabarito.base import caso


def softmax(S, eixo=-1):
    """A softmax estável da lista 02, repetido aqui para que a lista 03 se baste."""
    e = np.exp(S - S.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


def formas_de(rng, quantas):
    """Tamanhos todos diferentes entre si, para que um eixo trocado apareça."""
    return [int(n) for n in rng.choice([2, 3, 5, 6, 7], size=quantas, replace=False)]


def oitavos(rng, *forma):
    """Múltiplos de 1/8, de −2 a 2: os produtos escalares saem exatos também em float32, mesmo os de d_k grande."""
    return rng.integers(-16, 17, size=forma) / 8


Q1 = np.array([[1.0, 0.0, 2.0, 1.0], [0.0, 1.0, -1.0, 2.0]])  # (2, 4)
K1 = np.array([[1.0, 1.0, 0.0, 1.0], [2.0, 0.0, 1.0, 0.0], [0.0, -1.0, 1.0, 1.0]])  # (3, 4)
Q2 = np.array([[0.4, -0.3, 1.2], [0.9, 0.5, -0.6], [-0.7, 1.1, 0.2], [0.3, 0.8, 0.1], [1.4, -0.2, -0.5]])  # (5, 3)
K2 = np.array([[0.6, -0.9, 0.7], [-0.4, 0.3, 1.3]])  # (2, 3)
Q3 = np.array([[0.5, -0.2, 0.9, 0.1, -0.6, 0.3, 0.8]])  # (1, 7)

K3 = np.array(
    [
        [0.7, 0.2, -0.3, 0.4, 0.1, -0.5, 0.6],
        [-0.1, 0.8, 0.5, -0.2, 0.9, 0.3, 0.4],
        [0.3, -0.6, 1.1, 0.2, -0.4, 0.7, -0.8],
    ]
)  # (3, 7)

Q7 = np.array([[0.5, -1.0], [1.5, 0.25], [-0.75, 2.0]])  # (3, 2)
K7 = np.array([[1.0, 0.5], [-0.5, 1.25], [2.0, -1.5]])  # (3, 2)
Q9 = (np.arange(200).reshape(2, 100) % 7 - 2) / 4  # (2, 100)
K9 = (np.arange(300).reshape(3, 100) ** 2 % 11 - 4) / 4  # (3, 100)
Q10 = np.array([[2.0, 1.0, -1.0, 3.0], [1.5, -2.0, 0.5, 1.0]])  # (2, 4), a forma do exemplo
K10 = np.array([[3.0, 1.0, 0.0, 2.0], [-1.0, 2.0, 1.5, -1.0], [1.0, 0.5, -2.0, 1.0]])  # (3, 4)
A1 = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])  # (2, 3)

A2 = np.array(
    [
        [0.1, 0.2, 0.3, 0.4],
        [0.25, 0.45, 0.15, 0.15],
        [0.7, 0.05, 0.05, 0.2],
        [0.2, 0.6, 0.1, 0.1],
        [0.3, 0.3, 0.1, 0.3],
    ]
)  # (5, 4)

A4 = np.array([[0.0, 1.0, 0.0], [0.6, 0.25, 0.15], [0.3, 0.3, 0.4], [0.1, 0.7, 0.2]])  # (4, 3)
A5 = np.array([[0.05, 0.15, 0.35, 0.3, 0.1, 0.05]])  # (1, 6)
A6 = np.array([[0.44, 0.45, 0.11], [0.36, 0.3, 0.34], [0.2, 0.1, 0.7]])  # (3, 3)
A7 = np.ones((4, 1))  # (4, 1)
A8 = np.array([[0.6, 0.1, 0.3], [0.25, 0.35, 0.4]])  # (2, 3), a forma do exemplo

# Dezesseis chaves, pesos quase iguais: o maior é 0,08 na primeira linha e 0,07 nas outras duas.
A9 = np.array(
    [
        [0.06, 0.06, 0.08, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.08, 0.06, 0.06, 0.06, 0.06],
        [0.07, 0.06, 0.06, 0.06, 0.06, 0.07, 0.07, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.07, 0.06],
        [0.06, 0.06, 0.06, 0.06, 0.07, 0.06, 0.06, 0.06, 0.07, 0.06, 0.06, 0.07, 0.06, 0.06, 0.06, 0.07],
    ]
)  # (3, 16)


def _pesos(rng, n, m):
    """Linhas de pesos nem uniformes nem saturadas (nenhum passa de 0,97), com três casas e a soma acertada."""
    A = softmax(1.2 * rng.normal(size=(n, m)).clip(-1.4, 1.4)).round(3)
    A[np.arange(n), A.argmax(axis=1)] += 1 - A.sum(axis=1)  # o resto vai para o maior, que não fica negativo
    return A


def _quase_iguais(rng):
    """Dezesseis pesos perto de 1/16: cada linha tem dois de 0,08 ou quatro de 0,07, e o resto é 0,06."""
    linhas = [[0.08] * 2 + [0.06] * 14, [0.07] * 4 + [0.06] * 12]
    return rng.permuted(np.array([linhas[0], linhas[1], linhas[int(rng.integers(2))]]), axis=1)  # (3, 16)


def _com_linha_saturada(rng, n, m):
    A = _pesos(rng, n, m)
    A[rng.integers(n)] = np.eye(m)[rng.integers(m)]
    return A


def ocultos_saturacao(rng):
    formas = [tuple(int(x) for x in rng.choice([3, 4, 5, 6, 7], size=2, replace=False)) for _ in range(7)]
    n, m = formas[0]
    formas += [formas[0], (n, n), (1, m)]  # a mesma forma outra vez; N = M; uma consulta só
    matrizes = [_pesos(rng, *forma) for forma in formas]
    # N = M com o maior peso de todas as linhas na mesma coluna: ali os máximos das colunas são outros
    matrizes.append(np.roll(np.sort(_pesos(rng, m, m), axis=1), rng.integers(m), axis=1))
    return [caso(A) for A in (*matrizes, np.ones((n, 1)), _com_linha_saturada(rng, n, m), _quase_iguais(rng))]
