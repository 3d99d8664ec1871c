"""No lugar das funções da lista 04."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def cabeca(X, W_Q, W_K, W_V, C=None):
    """De X (N, d) para C (M, d_C), ou para X mesmo -> Y (N, d_v) e A (N, M); arrays do NumPy, em float64."""
    C = X if C is None else C
    Q, K, V = (torch.tensor(Z @ W, dtype=torch.float64) for Z, W in ((X, W_Q), (C, W_K), (C, W_V)))
    um_de_cada = torch.eye(len(K), dtype=torch.float64)  # com estes valores, a saída são os pesos
    Y, A = (scaled_dot_product_attention(Q, K, Z).numpy() for Z in (V, um_de_cada))
    return Y, A
