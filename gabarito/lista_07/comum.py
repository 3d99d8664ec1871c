"""O que mais de uma questão da lista 07 usa."""

import math

import numpy as np
import torch


def tensor(valores):
    return torch.tensor(np.asarray(valores), dtype=torch.float32)


def curto(rng, forma, desvio=1.0):
    """Números normais arredondados para múltiplos de 1/16: exatos em float32 e curtos no arquivo."""
    return tensor(np.round(rng.normal(size=forma) * desvio * 16) / 16 + 0.0)


def exata(z):
    return 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))
