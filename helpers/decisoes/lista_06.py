"""*Engane a sua máquina*, na lista 06."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.autoria.tipos import como_na_entrada
from helpers.engane import duas_cabecas, lados
from helpers.exemplos import DUAS_MANGAS

ENGANA = " ".join(DUAS_MANGAS), "fruta, depois roupa"  # a frase do curso, em *Engane a sua máquina*


def decidir(prontas: Mapping[str, Callable[..., Any]], palavras: list[str]) -> np.ndarray:
    """Para que lado cada *manga* aponta, com as duas cabeças da aula 05 e a máscara causal, (mangas, 2)."""
    X, *W = duas_cabecas(palavras)
    ids = np.ones((1, len(palavras)), dtype=int)  # nenhum pad
    Y = como_na_entrada(prontas["multi_cabecas_causal"])(X[None], ids, *W, 2)[0]  # (1, N, 4)
    return lados(np.asarray(Y)[0, :, :2], palavras)
