"""*Veja o que você fez*, lista 01: quem combina com quem nas frases da manga, e o que ela quer dizer em cada uma."""

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from helpers.desenho import CORES, TONS_DE_S, em_branco, mapa_de_calor
from helpers.exemplos import FRUTA, ROUPA, TABELA, X_FRUTA, X_ROUPA

CANDIDATOS = ["fruta", "camisa"]
SEM_ELA = {
    "incorporar": "o desenho usa os vetores do curso",
    "mais_parecido": "no desenho não há quadro em volta do mais parecido",
}


def desenhar(prontas: Mapping[str, Callable[..., Any]]) -> tuple[Figure, str]:
    fig = plt.figure(figsize=(14, 12), layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
    ditos = []
    quadros: Any = fig.subfigures(2, 1, height_ratios=[5, 6], hspace=0.04)
    for quadro, frase, pronta in zip(quadros, (FRUTA, ROUPA), (X_FRUTA, X_ROUPA), strict=True):
        quadro.suptitle(f"“{' '.join(frase)}”", fontsize=16, weight="bold")
        eixos = quadro.subplots(1, 3, width_ratios=[5, 5, 3])
        X = np.asarray(prontas["incorporar"](frase, TABELA)) if "incorporar" in prontas else pronta  # (N, 2)
        _matriz(eixos[0], prontas, "similaridades", X, frase, 1.3)
        _escolhas(eixos[0], prontas, X)
        _matriz(eixos[1], prontas, "cosseno", X, frase, 1.0)
        ditos.append(_urna(eixos[2], prontas, frase))
    alt = "Para cada frase da manga, os produtos escalares, os cossenos e os votos em fruta e camisa. "
    return fig, alt + " ".join(dito for dito in ditos if dito)


def _matriz(ax: Axes, prontas: Mapping, nome: str, X: np.ndarray, frase: list[str], maximo: float) -> None:
    if nome not in prontas:
        em_branco(ax, f"falta a sua função\n{nome}", fontsize=13)
        return
    M = np.asarray(prontas[nome](X))  # (N, N)
    mapa_de_calor(M, frase, frase, ax=ax, titulo=nome, valores=False, cmap=TONS_DE_S, vmin=-maximo, vmax=maximo)
    for (n, m), x in np.ndenumerate(np.round(M, 2) + 0.0):  # sem −0.00
        cor = "white" if abs(x) > 0.75 * maximo else "black"
        ax.text(m, n, f"{x:.2f}", ha="center", va="center", fontsize=13 if len(frase) < 6 else 10, color=cor)


def _escolhas(ax: Axes, prontas: Mapping, X: np.ndarray) -> None:
    """Em cada linha, um quadro em volta do token que `mais_parecido` escolheu."""
    if "similaridades" not in prontas or "mais_parecido" not in prontas:
        return
    for n in range(len(X)):
        canto = int(prontas["mais_parecido"](X, n)) - 0.5, n - 0.5
        ax.add_patch(plt.Rectangle(canto, 1, 1, fill=False, ec=CORES["vermelho"], lw=2))
    ax.set_title("similaridades\nno quadro, o mais parecido de cada linha")


def _urna(ax: Axes, prontas: Mapping, frase: list[str]) -> str:
    if "sentido" not in prontas:
        em_branco(ax, "falta a sua função\nsentido", fontsize=13)
        return ""
    quem, votos = prontas["sentido"](list(frase), "manga", list(CANDIDATOS), dict(TABELA))
    barras = ax.bar(CANDIDATOS, np.asarray(votos), color=[CORES["laranja"], CORES["azul"]])
    ax.bar_label(barras, [f"{v:.2f}" for v in votos], padding=2, fontsize=13)
    ax.set(title=f"sentido\nmanga aqui é {quem}", ylabel="votos", yticks=[])
    ax.margins(y=0.15)
    return f"Em “{' '.join(frase)}”, manga é {quem}."
