"""O que mais de uma questão da lista 10 usa."""

import json
from pathlib import Path

import numpy as np
import torch

from gabarito.base import caso

_FATIAS = json.loads((Path(__file__).parent / "fatias.json").read_text(encoding="utf-8"))


def fatia(nome):
    return torch.tensor(_FATIAS[nome])


def sortear_pesos(rng, *forma, causal=True, casas=3):
    """Pesos de atenção (…, T, T) com poucas casas; cada linha soma 1, a menos do arredondamento."""
    S = 1.3 * rng.normal(size=forma)
    if causal:
        S = np.where(np.triu(np.ones(forma[-2:], dtype=bool), k=1), -np.inf, S)
    E = np.exp(S)
    return torch.tensor((E / E.sum(axis=-1, keepdims=True)).round(casas), dtype=torch.float32)


def ocultos_de_uma_cabeca(rng):
    """Causais e não causais; com dois tokens, nenhuma linha se pode pular."""
    T = int(rng.integers(7, 10))
    disputada = sortear_pesos(rng, 5, 5, causal=False)
    disputada[1] = torch.tensor([0.05, 0.4, 0.25, 0.2, 0.1])  # o maior da coluna e da diagonal não é o primeiro
    disputada[2] = torch.tensor([0.4, 0.1, 0.2, 0.2, 0.1])  # o maior peso está no token 0, e não passa da metade
    return [
        caso(sortear_pesos(rng, T, T)),
        caso(disputada),
        caso(sortear_pesos(rng, 2, 2, causal=False)),
        caso(sortear_pesos(rng, 6, 6, causal=False)),
        caso(sortear_pesos(rng, T + 3, T + 3)),
        caso(sortear_pesos(rng, 3, 3)),
    ]


UMA_CABECA = torch.tensor([[1, 0, 0, 0], [0.75, 0.25, 0, 0], [0.125, 0.5, 0.375, 0], [0.25, 0.125, 0.375, 0.25]])
