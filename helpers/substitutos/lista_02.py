"""No lugar das funções da lista 02."""

import numpy as np
import torch


def softmax(x, eixo=-1):
    """Pesos que somam 1 ao longo de `eixo`; arrays do NumPy, em float64."""
    return torch.softmax(torch.as_tensor(np.asarray(x, dtype=float)), dim=eixo).numpy()
