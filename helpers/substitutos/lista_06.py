"""No lugar das funções da lista 06."""

import numpy as np

from helpers.substitutos import atender


def atencao_mascarada(Q, K, V, M):
    """Atenção com máscara (True esconde): Q (..., N, d_k), K (..., C, d_k), V (..., C, d_v) -> (Y, A)."""
    M = np.asarray(M)
    Y, A = atender(Q, K, V, ~M)
    toda = np.broadcast_to(M.all(axis=-1, keepdims=True), (*A.shape[:-1], 1))  # o PyTorch deixa nela o que sobrar
    return np.where(toda, 0.0, Y), np.where(toda, 0.0, A)
