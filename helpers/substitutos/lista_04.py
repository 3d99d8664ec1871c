"""No lugar das funções da lista 04."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def cabeca(X, W_Q, W_K, W_V):
    """Uma cabeça: X (N, d) -> Y (N, d_v) e os pesos A (N, N); arrays do NumPy, em float64."""
    Q, K, V = (torch.tensor(X @ W, dtype=torch.float64) for W in (W_Q, W_K, W_V))
    um_de_cada = torch.eye(len(K), dtype=torch.float64)  # com estes valores, a saída são os pesos
    Y, A = (scaled_dot_product_attention(Q, K, Z).numpy() for Z in (V, um_de_cada))
    return Y, A
