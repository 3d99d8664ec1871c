"""O que mais de uma questão da lista 09 usa."""

import numpy as np
import torch

TENTATIVAS = range(500)  # quase sempre bastam duas ou três
NADA_SERVIU = "nenhum texto sorteado serviu: mude os tamanhos do caso"


def cadeia(rng, V, quantos, espalhada=0.5):
    """Um texto de `quantos` tokens de uma cadeia de Markov sorteada: uns pares são comuns, outros nunca aparecem."""
    P = rng.dirichlet(np.full(V, espalhada), size=V)
    ids = [int(rng.integers(V))]
    while len(ids) < quantos:
        ids.append(int(rng.choice(V, p=P[ids[-1]])))
    return ids


def contar_pares(dados, V):
    C = torch.zeros(V, V, dtype=torch.float64)
    uns = torch.ones(len(dados) - 1, dtype=torch.float64)
    C.index_put_((dados[:-1], dados[1:]), uns, accumulate=True)
    return C


em_ids = torch.tensor
