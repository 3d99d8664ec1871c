"""*Engane a sua máquina*, na lista 04."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.conferencia.pecas.lista_04 import quais_pistas
from helpers.exemplos import DUAS_MANGAS
from helpers.fichas import FICHAS_DO_CURSO, TRACOS

ENGANA = " ".join(DUAS_MANGAS), "fruta, depois roupa"  # a frase do curso, em *Engane a sua máquina*


def decidir(prontas: Mapping[str, Callable[..., Any]], palavras: list[str]) -> np.ndarray:
    """Quanto cada *manga* recolheu de fruta e de roupa, (mangas, 2): perto de que pistas a saída dela cai."""
    matrizes = prontas["inventar_cabeca"](list(TRACOS), dict(FICHAS_DO_CURSO))

    def saidas(frase: list[str]) -> np.ndarray:
        Y, _ = prontas["cabeca"](np.stack([FICHAS_DO_CURSO[p] for p in frase]), *map(np.asarray, matrizes))
        return np.asarray(Y)[[n for n, p in enumerate(frase) if p == "manga"]]  # (mangas, d_v)

    pistas = quais_pistas(TRACOS, FICHAS_DO_CURSO)
    fruta, roupa = (
        np.mean([saidas(["manga", p])[0] for p in pistas if pistas[p] == assunto], axis=0)
        for assunto in ("cozinha", "costura")
    )
    vao = fruta - roupa  # (d_v,)
    na_reta = (saidas(palavras) - roupa) @ vao / (vao @ vao)  # (mangas,): 0 na média das roupas, 1 na das frutas
    return np.stack([na_reta, 1 - na_reta], axis=1)
