"""O que mais de uma questão da lista 01 usa."""

import numpy as np

RATO = np.array(
    [[0.2, 0.0], [0.5, 0.3], [0.2, 0.3], [0.1, 0.1], [-0.3, 0.2], [0.2, 0.1], [0.8, 0.5], [0.1, 0.3], [0.9, 0.5]]
)


def produto_escalar(a, b):
    return float(np.dot(a, b))
