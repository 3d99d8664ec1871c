"""Veja o que você fez, lista 05: a divisão em cores, e quatro cabeças lado a lado na frase da costureira."""

from collections.abc import Callable, Collection
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES, TONS_DE_A
from helpers.exemplos import VOCABULARIO

_FRASE = ["A", "costureira", "vai", "comer", "a", "manga"]
_CABECAS = ["0: o que fazem comigo?", "1: quem faz?", "2: a palavra anterior", "3: todas por igual"]
_TONS = [CORES[nome] for nome in ("ceu", "laranja", "rosa", "verde", "amarelo", "vermelho")]


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    fig, eixos = plt.subplot_mosaic("aabb;0123", figsize=(13, 7), height_ratios=[1, 1.25])
    dito = []
    if dividir := prontas.get("dividir_cabecas"):
        Z = 10.0 * np.arange(6)[:, None] + np.arange(8)  # (6, 8): o token t e a coluna c em 10 t + c
        for ax, i in ((eixos["a"], 0), (eixos["b"], 1)):
            _em_cores(ax, np.asarray(dividir(Z, 2))[i].astype(int), f"a sua divisão, cabeça {i}", primeira=i == 0)
        dito.append("Em cima, duas cabeças de quatro colunas: a linha de cada palavra tem uma cor só.")
    if multi := prontas.get("multi_cabecas"):
        A = np.asarray(multi(*_camada(), 4)[1])  # (4, 6, 6)
        for i, nome in enumerate(_CABECAS):
            em_calor(eixos[str(i)], A[i], _FRASE, nome, primeira=i == 0)
        dito.append(
            "Embaixo, quatro mapas de atenção. Na linha de manga, a cabeça 0 acende comer, e a 1, costureira; a 2 "
            "acende a palavra anterior, e a 3, todas por igual."
        )
    dito += dizer_o_que_falta(fig, prontas, {"dividir_cabecas": (0.5, 0.75), "multi_cabecas": (0.5, 0.28)})
    return fig, " ".join(dito)


def dizer_o_que_falta(fig: Figure, prontas: Collection[str], onde: dict[str, tuple[float, float]]) -> list[str]:
    """Tira os eixos em que nada foi desenhado, e põe o nome de cada função que falta no lugar da parte dela."""
    for ax in fig.axes:
        if not ax.get_title():
            ax.axis("off")
    faltam = {nome: lugar for nome, lugar in onde.items() if nome not in prontas}
    for nome, (x, y) in faltam.items():
        fig.text(x, y, f"falta {nome}", ha="center", va="center", color="0.4")
    return [f"{'Em cima' if y > 0.5 else 'Embaixo'}, em branco: falta {nome}." for nome, (_, y) in faltam.items()]


def _camada() -> tuple[np.ndarray, ...]:
    """X (6, 8) e as quatro matrizes (8, 8), de quatro cabeças de tamanho 2 feitas à mão.

    Cada palavra tem os dois números do plano, “sou uma ação”, “sou uma pessoa”, a posição em um relógio, um 1 e “sou a
    primeira”.
    """
    ponto = VOCABULARIO | {"A": VOCABULARIO["a"]}
    angulo = np.arange(6) * np.pi / 4  # oito lugares no relógio: o primeiro não é vizinho do último
    X = np.zeros((6, 8))
    X[:, :2] = [ponto[p] for p in _FRASE]
    X[:, 2], X[:, 3] = [p == "comer" for p in _FRASE], [p == "costureira" for p in _FRASE]
    X[:, 4], X[:, 5], X[:, 6] = np.cos(angulo), np.sin(angulo), 1
    X[0, 7] = 1  # “sou a primeira”
    W_Q, W_K = np.zeros((8, 8)), np.zeros((8, 8))
    W_Q[1, 0] = W_Q[1, 2] = 8  # cabeças 0 e 1: perguntam as palavras com assunto
    W_K[2, 0] = W_K[3, 2] = 1  # … pela ação, e pela pessoa
    c = s = np.sqrt(0.5)
    W_Q[4:6, 4:6], W_K[4:6, 4:6] = 20 * np.array([[c, -s], [s, c]]), np.eye(2)  # cabeça 2: um passo para trás
    W_Q[7, 4:6] = [-20 * c, 20 * s]  # a primeira não tem anterior: a consulta dela é zero, como na aula
    return X, W_Q, W_K, np.eye(8), np.eye(8)


def _em_cores(ax: Axes, M: np.ndarray, titulo: str, primeira: bool) -> None:
    for (i, j), valor in np.ndenumerate(M):
        ax.add_patch(plt.Rectangle((j, i), 1, 1, facecolor=_TONS[valor // 10 % 6], edgecolor="white", lw=2))
        ax.text(j + 0.5, i + 0.5, f"{valor:02d}", ha="center", va="center", fontsize=10)
    ax.set(xlim=(0, M.shape[1]), ylim=(len(M), 0), xticks=[], title=titulo)
    ax.set_yticks(np.arange(len(M)) + 0.5, _FRASE if primeira else [""] * 6)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def em_calor(ax: Axes, A: np.ndarray, palavras: list[str], titulo: str, primeira: bool) -> None:
    """Os pesos de atenção (N, N) de uma cabeça; só o primeiro mapa de uma fila diz as palavras de quem olha."""
    ax.imshow(A, cmap=TONS_DE_A, vmin=0, vmax=1)
    ax.set_xticks(range(len(A)), palavras, rotation=45, ha="right")
    ax.set_yticks(range(len(A)), palavras if primeira else [""] * len(A))
    ax.set(title=titulo, xlabel="quem é olhado", ylabel="quem olha" if primeira else "")
    ax.spines[:].set_visible(False)
