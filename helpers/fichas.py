"""As fichas da lista 04: quanto cada palavra tem de cada traço, de 0 a 1, para que *manga* ache a pista.

As pistas são de cozinha ou de costura, e não das duas. As ambíguas, como *manga*, são das duas; as outras, de nenhuma.
"""

import numpy as np

TRACOS = ["coisa", "cozinha", "ambígua", "costura", "ação"]
FICHAS = {
    palavra: np.array(ficha)
    for palavra, ficha in {
        "manga": (1.0, 0.8, 1.0, 0.8, 0.0),
        "suco": (1.0, 1.0, 0.0, 0.0, 0.0),
        "agulha": (1.0, 0.0, 0.0, 1.0, 0.0),
        "provar": (0.0, 1.0, 1.0, 1.0, 1.0),
        "cozinhar": (0.0, 0.6, 0.0, 0.0, 1.0),
        "bordar": (0.0, 0.0, 0.0, 0.6, 1.0),
        "trem": (1.0, 0.0, 0.0, 0.0, 0.0),
        "panela": (1.0, 0.8, 0.0, 0.0, 0.0),
        "tecido": (1.0, 0.0, 0.0, 0.8, 0.0),
        "ponto": (1.0, 0.6, 1.0, 0.6, 0.0),
        "correr": (0.0, 0.0, 0.0, 0.0, 1.0),
        "de": (0.0, 0.0, 0.0, 0.0, 0.0),
    }.items()
}  # palavra → (5,)
