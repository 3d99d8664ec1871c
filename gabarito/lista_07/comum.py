"""O que mais de uma questão da lista 07 usa."""

import math

import numpy as np
import torch

from gabarito.base import caso


def tensor(valores):
    return torch.tensor(np.asarray(valores), dtype=torch.float32)


def curto(rng, forma, desvio=1.0):
    """Números normais arredondados para múltiplos de 1/16: exatos em float32 e curtos no arquivo."""
    return tensor(np.round(rng.normal(size=forma) * desvio * 16) / 16 + 0.0)


def _sortear_x(rng, forma):
    """Números dos dois lados do zero, com vários entre −3 e −1 e alguns positivos."""
    x = rng.normal(size=forma) * 1.8
    plano = x.ravel()
    n = max(2, plano.size // 4)
    plano[:n] = -rng.uniform(1.2, 2.9, size=n)
    plano[-n:] = rng.uniform(0.3, 1.6, size=n)
    return tensor(rng.permutation(plano).reshape(forma))


def ocultos_gelu(rng):
    return [
        caso(_sortear_x(rng, (9,))),
        caso(_sortear_x(rng, (3, 5))),
        caso(_sortear_x(rng, (2, 3, 4))),
        caso(_sortear_x(rng, (6, 2))),
        caso(tensor(np.concatenate([-rng.uniform(20, 100, 3), rng.uniform(20, 100, 3), [0.0, -2.5]]))),
        caso(tensor(rng.uniform(-3, -1, size=(4, 2)))),
    ]


CASOS_GELU = [
    caso(tensor([-2, -1, 0, 1, 2]), claro=True, rotulo="o exemplo do enunciado"),
    caso(tensor([[0.5, -1.5, 3], [-0.25, -2.5, 0.75]]), rotulo="uma matriz"),
    caso(tensor(np.arange(-14, 14, 2.25).reshape(1, 13) / 4), rotulo="treze números entre −3,5 e 3,25"),
    caso(tensor([[[-3], [1.25]], [[-1.75], [2.25]], [[0.125], [-0.5]]]), rotulo="três eixos"),
    caso(tensor([-100, -30, -2.25, 0, 30, 100]), rotulo="números de até 100"),
]


def exata(z):
    return 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))
