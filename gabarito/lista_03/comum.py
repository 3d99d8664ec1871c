"""O que mais de uma questão da lista 03 usa."""

import numpy as np


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


def grandes(rng, n, m, baixas=True):
    """Q (n, 3), K (m, 3) e o divisor 2: pontuações perto de 4000 e, com `baixas`, de −4000 em metade das linhas.
    Quem não tira de cada linha o máximo dela estoura, ou faz 0/0. Em float32 as contas são exatas."""
    Q, K = rng.integers(-6, 7, size=(n, 3)) / 4, rng.integers(-6, 7, size=(m, 3)) / 4
    K[:, 0] = 64.0
    Q[:, 0] = np.where(np.arange(n) % 2 == baixas, -64.0, 64.0) if baixas else 64.0
    return Q, K, 2.0


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
