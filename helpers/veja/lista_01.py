"""*Veja o que você fez*, lista 01: quem combina com quem nas frases da manga, e o que ela quer dizer em cada uma."""

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES, mapa_de_calor
from helpers.exemplos import FRUTA, ROUPA, TABELA, X_FRUTA, X_ROUPA

CANDIDATOS = ["fruta", "camisa"]


def desenhar(prontas: Mapping[str, Callable[..., Any]]) -> tuple[Figure, str]:
    fig, eixos = plt.subplots(2, 3, figsize=(13, 8.4), width_ratios=[5, 5, 3])
    ditos = []
    for linha, frase, pronta in zip(eixos, (FRUTA, ROUPA), (X_FRUTA, X_ROUPA), strict=True):
        X = np.asarray(prontas["incorporar"](frase, TABELA)) if "incorporar" in prontas else pronta  # (N, 2)
        _matriz(linha[0], prontas, "similaridades", X, frase, 1.3)
        _escolhas(linha[0], prontas, X)
        _matriz(linha[1], prontas, "cosseno", X, frase, 1.0)
        ditos.append(_urna(linha[2], prontas, frase))
    fig.suptitle("Feito pelas suas funções")
    alt = "Para cada frase da manga, os produtos escalares, os cossenos e os votos em fruta e camisa. "
    return fig, alt + " ".join(dito for dito in ditos if dito)


def _matriz(ax: Axes, prontas: Mapping, nome: str, X: np.ndarray, frase: list[str], maximo: float) -> None:
    if nome not in prontas:
        _falta(ax, nome)
        return
    M = np.asarray(prontas[nome](X))  # (N, N)
    mapa_de_calor(M, frase, frase, ax=ax, titulo=nome, valores=False, cmap="PuOr", vmin=-maximo, vmax=maximo)
    for (n, m), x in np.ndenumerate(np.round(M, 2) + 0.0):  # sem −0.00
        cor = "white" if abs(x) > 0.7 * maximo else "black"
        ax.text(m, n, f"{x:.2f}", ha="center", va="center", fontsize=7, color=cor)


def _escolhas(ax: Axes, prontas: Mapping, X: np.ndarray) -> None:
    """Em cada linha, um quadro em volta do token que `mais_parecido` escolheu."""
    if "similaridades" not in prontas or "mais_parecido" not in prontas:
        return
    for n in range(len(X)):
        canto = int(prontas["mais_parecido"](X, n)) - 0.5, n - 0.5
        ax.add_patch(plt.Rectangle(canto, 1, 1, fill=False, ec=CORES["vermelho"], lw=2))
    ax.set_xlabel("no quadro, o mais parecido de cada linha")


def _urna(ax: Axes, prontas: Mapping, frase: list[str]) -> str:
    if "sentido" not in prontas:
        _falta(ax, "sentido")
        return ""
    quem, votos = prontas["sentido"](list(frase), "manga", list(CANDIDATOS), dict(TABELA))
    barras = ax.bar(CANDIDATOS, np.asarray(votos), color=[CORES["laranja"], CORES["azul"]])
    ax.bar_label(barras, fmt="%.2f", padding=2)
    ax.set(title=f"manga aqui é {quem}", ylabel="votos")
    ax.margins(y=0.15)
    return f"Em “{' '.join(frase)}”, manga é {quem}."


def _falta(ax: Axes, nome: str) -> None:
    ax.text(0.5, 0.5, f"falta {nome}", ha="center", va="center", color="0.5")
    ax.set(xticks=[], yticks=[])
