"""Da lista 04: a cabeça que o aluno inventou, lida por ele, em telegramas; e o que ela decide em uma frase dele."""

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import PAPEIS, TONS_DE_S, em_branco, mapa_de_calor
from helpers.fichas import FICHAS, TRACOS

TELEGRAMAS = ["trem de manga suco correr", "manga cortar de agulha ponto trem de", "de bordar trem ponto de manga"]


def desenhar(prontas: Mapping[str, Callable[..., Any]]) -> tuple[Figure, str]:
    fig, (ax, *eixos) = plt.subplots(1, 4, figsize=(14, 4.2), width_ratios=[1.5, 1, 1, 1])
    if "inventar_cabeca" not in prontas:
        for vazio in (ax, *eixos):
            em_branco(vazio, "falta a sua função\ninventar_cabeca", fontsize=13)
        return fig, "Falta a inventar_cabeca: o desenho está em branco."
    matrizes = [np.asarray(W) for W in prontas["inventar_cabeca"](list(TRACOS), dict(FICHAS))]
    dito = _leitura(ax, prontas, matrizes)
    for eixo, telegrama in zip(eixos, TELEGRAMAS, strict=True):
        if "cabeca" in prontas:
            dito += " " + _pesos(eixo, prontas["cabeca"], matrizes, telegrama.split())
        else:
            em_branco(eixo, "falta a sua função\ncabeca", fontsize=13)
    return fig, dito


def _leitura(ax: Axes, prontas: Mapping[str, Callable[..., Any]], matrizes: list[np.ndarray]) -> str:
    if "ler_cabeca" not in prontas:
        em_branco(ax, "falta a sua função\nler_cabeca", fontsize=13)
        return ""
    M, procura, oferece = prontas["ler_cabeca"](*matrizes[:2], list(TRACOS))
    maior = float(np.abs(M).max()) or 1.0
    mapa_de_calor(np.asarray(M), TRACOS, TRACOS, ax=ax, titulo="o que a sua cabeça procura", valores=False,
                  cmap=TONS_DE_S, vmin=-maior, vmax=maior, eixo_x="quem é olhado", eixo_y="quem olha")  # fmt: skip
    return f"A matriz da sua cabeça: quem tem {procura} procura quem tem {oferece}."


def _pesos(ax: Axes, cabeca: Callable[..., Any], matrizes: list[np.ndarray], frase: list[str]) -> str:
    _, A = cabeca(np.stack([FICHAS[p] for p in frase]), *matrizes)
    pesos = np.asarray(A)[frase.index("manga")]  # (N,)
    ax.barh(np.arange(len(frase)), pesos, color=PAPEIS["A"])
    ax.set_yticks(np.arange(len(frase)), frase)
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="peso de manga", title="a palavra que ela acha")
    return f"Em “{' '.join(frase)}”, manga dá o maior peso a {frase[int(pesos.argmax())]}."
