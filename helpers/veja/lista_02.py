"""Da lista 02: as duas setas de *manga*, o mapa da frase do rato e o caminho das palavras, camada por camada."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES, em_branco, mapa_de_calor, setas_da_manga
from helpers.engane import lados
from helpers.exemplos import RATO, VOCABULARIO, X_FRUTA, X_RATO, X_ROUPA

ENGANA = "Ele comeu manga e sujou a camisa", "fruta"  # a frase do curso, em *Engane a sua máquina*
CAMADAS, T = 3, 0.25  # com T = 0,25 as palavras demoram mais a se juntar, e se vê o caminho


def decidir(prontas: dict[str, Callable[..., Any]], palavras: list[str]) -> np.ndarray:
    """Para que lado cada *manga* aponta depois de olhar: os cossenos com fruta e com camisa, (mangas, 2)."""
    Y, _ = prontas["autoatencao_simples"](np.stack([VOCABULARIO[p] for p in palavras]))
    return lados(Y, palavras)


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    """Três quadros; o da função que falta fica em branco."""
    fig, eixos = plt.subplots(1, 3, figsize=(15, 4.8), width_ratios=[1.05, 1, 1])
    ditos = []
    if "autoatencao_simples" in prontas:
        ditos += [_setas(eixos[0], prontas["autoatencao_simples"]), _mapa(eixos[1], prontas["autoatencao_simples"])]
    else:
        for ax in eixos[:2]:
            em_branco(ax, "falta a sua função\nautoatencao_simples", fontsize=13)
    if "empilhar" in prontas:
        ditos.append(_caminho(eixos[2], prontas["empilhar"]))
    else:
        em_branco(eixos[2], "falta a sua função\nempilhar", fontsize=13)
    return fig, " ".join(ditos)


def _setas(ax: Axes, autoatencao_simples: Callable[..., Any]) -> str:
    fruta, roupa = (np.asarray(autoatencao_simples(X)[0])[-1] for X in (X_FRUTA, X_ROUPA))
    setas_da_manga(ax, fruta, roupa)
    ax.set_title("as duas setas de manga, com T = 1")
    return f"O plano com as setas de manga, até {fruta[0]:.2f} na frase da fruta e {roupa[0]:.2f} na da roupa."


def _mapa(ax: Axes, autoatencao_simples: Callable[..., Any]) -> str:
    A = np.asarray(autoatencao_simples(X_RATO)[1])
    mapa_de_calor(A, linhas=RATO, colunas=RATO, ax=ax, titulo="quem olha para quem, com T = 1", eixo_x="palavra olhada",
                  eixo_y="palavra que olha")  # fmt: skip
    return f"O mapa de calor da frase do rato; a coluna mais clara é a de {RATO[int(A.sum(axis=0).argmax())]}"


def _caminho(ax: Axes, empilhar: Callable[..., Any]) -> str:
    caminho = np.asarray(empilhar(X_RATO, CAMADAS, T))  # (camadas + 1, N, 2)
    for n, palavra in enumerate(RATO):
        ax.plot(*caminho[:, n].T, "o-", color=CORES["ceu"], ms=3, lw=1)
        ax.plot(*caminho[0, n], "o", color=CORES["azul"], ms=6)
        ax.annotate(palavra, caminho[0, n], xytext=(5, 5), textcoords="offset points", fontsize=9)
    ax.plot(*caminho[-1].T, "o", color=CORES["vermelho"], ms=6)
    largura = f"{np.ptp(caminho[-1][:, 0]):.4f}"
    ax.annotate(f"as nove palavras,\ndepois de {CAMADAS} camadas\n(largura {largura})", caminho[-1].mean(axis=0),
                xytext=(0.99, 0.36), textcoords="axes fraction", ha="right", color=CORES["vermelho"], fontsize=9,
                arrowprops={"arrowstyle": "-", "color": CORES["vermelho"], "shrinkB": 5})  # fmt: skip
    ax.margins(0.15)
    ax.set(title=f"o caminho por {CAMADAS} camadas, com T = 0,25", xlabel="dimensão 1", ylabel="dimensão 2")
    return f"O caminho das nove palavras por {CAMADAS} camadas, com T = 0,25; no fim a largura é {largura}."
