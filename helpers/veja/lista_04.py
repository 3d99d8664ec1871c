"""O desenho da lista 04: a frase do rato e as setas de *manga*, pela cabeça do aluno."""

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from helpers import exemplos
from helpers.desenho import mapa_de_calor
from helpers.olhares import plano_com_setas

_TRACO = exemplos.TRACOS.index


def _feitas_a_mao() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """O verbo procura um ser vivo, a palavra gramatical procura um substantivo, e quem é achado diz o que é."""
    W_Q, W_K, W_V = np.zeros((8, 2)), np.zeros((8, 2)), np.zeros((8, 4))
    W_Q[_TRACO("verbo")], W_Q[_TRACO("gramatical")] = [6, 0], [0, 4]
    W_K[_TRACO("ser vivo")], W_K[_TRACO("substantivo")] = [1, 0], [0, 1]
    W_V[4:] = np.eye(4)
    return W_Q, W_K, W_V


# As que o treino da aula 04 achou, com duas casas.
_APRENDIDAS = (
    np.array([[1.0, 0.0], [1.6, 2.41], [0.0, 0.0]]),
    np.array([[0.11, 0.15], [1.02, 1.84], [1.96, 1.84]]),
    np.array([[1.02, 0.0], [0.01, 1.0], [-0.01, 0.0]]),
)


def desenhar(prontas: Mapping[str, Callable[..., Any]]) -> tuple[Figure, str]:
    cabeca = prontas["cabeca"]
    fig, (ax, *planos) = plt.subplots(1, 3, figsize=(13, 4.4), width_ratios=[1.1, 1, 1])
    _, A = cabeca(exemplos.F_RATO, *_feitas_a_mao())
    mapa_de_calor(np.asarray(A), exemplos.RATO, exemplos.RATO, ax=ax, titulo="quem olha para quem", vmin=0, vmax=0.5,
                  eixo_x="quem é olhado", eixo_y="quem olha")  # fmt: skip
    for plano, frase in zip(planos, (exemplos.FRUTA, exemplos.ROUPA), strict=True):
        X = np.stack([exemplos.TABELA_3[p] for p in frase])  # (N, 3)
        Y, A = (np.asarray(Z) for Z in cabeca(X, *_APRENDIDAS))
        plano_com_setas(plano, frase, X[:, :2], A[-1], len(frase) - 1, {"manga vai": Y[-1]})
        plano.set(xlabel="dimensão 1", ylabel="dimensão 2")
    alt = (
        "À esquerda, o mapa de calor da sua cabeça na frase do rato: roeu olha para rato e para rei. À direita, as "
        "duas frases da manga no plano: na primeira, a seta de manga vai até comer; na segunda, até costureira."
    )
    return fig, alt
