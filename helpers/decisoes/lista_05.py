"""*Engane a sua máquina*, na lista 05."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.autoria.tipos import como_na_entrada
from helpers.engane import duas_cabecas, lados
from helpers.exemplos import DUAS_MANGAS

ENGANA = " ".join(DUAS_MANGAS), "fruta, depois roupa"  # a frase do curso, em *Engane a sua máquina*


def decidir(prontas: Mapping[str, Callable[..., Any]], palavras: list[str]) -> np.ndarray:
    """Para que lado cada *manga* aponta, com as duas cabeças da aula: cossenos com fruta e camisa, (mangas, 2)."""
    Y = como_na_entrada(prontas["multi_cabecas"])(*duas_cabecas(palavras), 2)[0]  # (N, 4)
    return lados(Y[:, :2], palavras)
