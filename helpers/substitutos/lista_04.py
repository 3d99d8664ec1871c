"""No lugar das funções da lista 04."""

from helpers.substitutos import atender


def cabeca(X, W_Q, W_K, W_V):
    """Uma cabeça: X (N, D) -> Y (N, d_v) e os pesos A (N, N)."""
    return atender(X @ W_Q, X @ W_K, X @ W_V)
