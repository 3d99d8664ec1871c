"""As fichas da lista 04: quanto cada palavra tem de cada traço, de 0 a 1, para que *manga* ache a pista.

As pistas são de cozinha ou de costura, e não das duas. As ambíguas, como *manga*, são das duas; as outras, de nenhuma.
"""

import numpy as np

from helpers.exemplos import GRUPOS, VOCABULARIO

TRACOS = ["coisa", "cozinha", "ambígua", "costura", "ação"]
FICHAS = {
    palavra: np.array(ficha)
    for palavra, ficha in {
        "manga": (1.0, 0.8, 1.0, 0.8, 0.0),
        "suco": (1.0, 1.0, 0.0, 0.0, 0.0),
        "agulha": (1.0, 0.0, 0.0, 1.0, 0.0),
        "cortar": (0.0, 1.0, 1.0, 1.0, 1.0),
        "cozinhar": (0.0, 0.6, 0.0, 0.0, 1.0),
        "bordar": (0.0, 0.0, 0.0, 0.6, 1.0),
        "trem": (1.0, 0.0, 0.0, 0.0, 0.0),
        "abacaxi": (1.0, 0.8, 0.0, 0.0, 0.0),
        "tecido": (1.0, 0.0, 0.0, 0.8, 0.0),
        "ponto": (1.0, 0.6, 1.0, 0.6, 0.0),
        "correr": (0.0, 0.0, 0.0, 0.0, 1.0),
        "de": (0.0, 0.0, 0.0, 0.0, 0.0),
    }.items()
}  # palavra → (5,)

_ACOES = {"comer", "comeu", "cortar", "gosto", "pediu", "sujou", "vai"}
_ASSUNTOS = {"fruta": (0.8, 0.0, 0.0), "roupa": (0.0, 0.0, 0.8), "ambiguas": (1.0, 1.0, 1.0)}


def _ficha(palavra: str) -> np.ndarray:
    grupo = next((g for g, palavras in GRUPOS.items() if palavra in palavras), "curtas")
    acao = palavra in _ACOES
    assunto = (0.6, 0.0, 0.0) if palavra == "comeu" else _ASSUNTOS.get(grupo, (0.0, 0.0, 0.0))
    return np.array([float(grupo != "curtas" and not acao), *assunto, float(acao)])


FICHAS_DO_CURSO = {p: FICHAS[p] if p in FICHAS else _ficha(p) for p in VOCABULARIO}  # as das palavras das aulas
