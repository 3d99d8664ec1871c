"""*Engane a sua máquina*, na lista 01."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.exemplos import VOCABULARIO

ENGANA = "a costureira comeu a manga", "fruta"  # a frase do curso, em *Engane a sua máquina*


def decidir(prontas: Mapping[str, Callable[..., Any]], palavras: list[str]) -> np.ndarray:
    """Os votos em fruta e em roupa (no candidato *camisa*), (1, 2)."""
    if palavras.count("manga") > 1:
        raise ValueError("A sua `sentido` dá uma resposta por frase, e esta tem duas mangas. A aula 02 volta a ela.")
    return np.asarray(prontas["sentido"](palavras, "manga", ["fruta", "camisa"], dict(VOCABULARIO))[1])[None]
