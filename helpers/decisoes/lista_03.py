"""*Engane a sua máquina*, na lista 03."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.engane import lados
from helpers.exemplos import VOCABULARIO

ENGANA = "Ele comeu manga e sujou a camisa", "fruta"  # a frase do curso, em *Engane a sua máquina*


def decidir(prontas: Mapping[str, Callable[..., Any]], palavras: list[str]) -> np.ndarray:
    """Para que lado cada *manga* aponta depois da atenção escalada: os cossenos com fruta e com camisa, (mangas, 2)."""
    X = np.stack([VOCABULARIO[p] for p in palavras])  # (N, 2)
    Y, _ = prontas["atencao_escalada"](X, X, X)
    return lados(Y, palavras)
