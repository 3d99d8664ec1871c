"""O que mais de uma questão da lista 10 usa."""

import json
from pathlib import Path

import numpy as np
import torch

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


def sortear_numeros(rng, *forma):
    return torch.tensor(rng.normal(size=forma).round(2), dtype=torch.float32)
