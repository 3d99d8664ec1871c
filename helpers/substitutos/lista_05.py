"""No lugar das funções da lista 05."""

import numpy as np


def dividir_cabecas(X, h):
    """X (N, d) -> as cabeças (h, N, d_h), cada uma com d_h colunas vizinhas."""
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não se reparte entre h = {h} cabeças: escolha um h que divida d")
    return np.stack(np.split(np.asarray(X), h, axis=1))


def juntar_cabecas(H):
    """As cabeças lado a lado: H (h, N, d_h) -> (N, h·d_h)."""
    return np.concatenate(list(np.asarray(H)), axis=1)
