"""No lugar das funções da lista 06."""

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention


def atencao_mascarada(Q, K, V, M):
    """Atenção com máscara (True esconde): Q (..., N, d_k), K (..., C, d_k), V (..., C, d_v) -> (Y, A).

    Arrays do NumPy, em float64. A linha toda escondida dá zeros.
    """
    Q, K, V = (torch.tensor(np.asarray(Z), dtype=torch.float64) for Z in (Q, K, V))
    M = torch.tensor(np.asarray(M))
    um_de_cada = torch.eye(K.shape[-2], dtype=K.dtype).expand(*K.shape[:-1], -1)  # com estes valores, saem os pesos
    nada = M.all(dim=-1, keepdim=True)  # no PyTorch, True é quem se vê
    Y, A = (scaled_dot_product_attention(Q, K, Z, ~M).masked_fill(nada, 0.0).numpy() for Z in (V, um_de_cada))
    return Y, A
