"""Da lista 02: o caminho das palavras, camada por camada, e os pesos de *manga* quando alguém empurra *costureira*."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES, PAPEIS, em_branco
from helpers.exemplos import RATO, ROUPA, X_RATO, X_ROUPA

CAMADAS, T = 3, 0.25  # com T = 0,25 as palavras demoram mais a se juntar, e se vê o caminho
EMPURROES = np.linspace(-4, 6, 41)
COSTUREIRA = ROUPA.index("costureira")


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    """Três quadros; o da função que falta fica em branco."""
    fig, eixos = plt.subplots(1, 3, figsize=(15, 4.8), width_ratios=[1, 1.2, 0.9])
    ditos = []
    for ax, nome, quadro in zip(eixos, ("empilhar", "empurrar", "entropia"), (_caminho, _pesos, _olha), strict=True):
        if nome in prontas:
            ditos.append(quadro(ax, prontas[nome]))
        else:
            em_branco(ax, f"falta a sua função\n{nome}", fontsize=13)
    return fig, " ".join(ditos)


def _empurradas(empurroes: np.ndarray) -> np.ndarray:
    """Os pesos de *manga* na frase da roupa, (quantos, N), com a pontuação de *costureira* empurrada."""
    pontuacoes = np.tile(X_ROUPA @ X_ROUPA[-1], (len(empurroes), 1))
    pontuacoes[:, COSTUREIRA] += empurroes
    return torch.softmax(torch.tensor(pontuacoes), dim=-1).numpy()


def _pesos(ax: Axes, empurrar: Callable[..., Any]) -> str:
    (antes,) = _empurradas(np.zeros(1))  # (N,)
    pesos = np.stack([np.asarray(empurrar(antes.copy(), COSTUREIRA, float(c))) for c in EMPURROES])  # (41, N)
    cores = {"costureira": CORES["azul"], "manga": CORES["vermelho"], "cortar": CORES["laranja"]}
    for n, palavra in enumerate(ROUPA):
        ax.plot(EMPURROES, pesos[:, n], color=cores.get(palavra, "0.75"), lw=2.4 if palavra in cores else 1.2)
        if palavra in cores:
            ax.annotate(palavra, (EMPURROES[0], pesos[0, n]), xytext=(3, 5), textcoords="offset points",
                        color=cores[palavra])  # fmt: skip
    ax.set(title="empurrar: os pesos de manga", xlabel="quanto sobe a pontuação de costureira",
           ylabel="peso de atenção", ylim=(-0.03, 1))  # fmt: skip
    de, ate = (f"{pesos[i, COSTUREIRA]:.2f}" for i in (0, -1))
    return f"Os pesos de manga quando se empurra costureira: o dela vai de {de} a {ate}, e todos os outros encolhem."


def _olha(ax: Axes, entropia: Callable[..., Any]) -> str:
    quantas = np.exp(np.asarray(entropia(_empurradas(EMPURROES))))  # (41,): o número efetivo de palavras
    ax.plot(EMPURROES, quantas, color=PAPEIS["A"], lw=2.6)
    ax.set(title="entropia: para quantas manga olha", xlabel="quanto sobe a pontuação de costureira",
           ylabel="palavras olhadas, exp(H)", ylim=(0, len(ROUPA)))  # fmt: skip
    return f"Manga olha, na prática, para no máximo {quantas.max():.1f} palavras, e no fim para {quantas[-1]:.1f}."


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
    ax.set(title=f"empilhar: {CAMADAS} camadas, com T = 0,25", xlabel="dimensão 1", ylabel="dimensão 2")
    return f"O caminho das nove palavras por {CAMADAS} camadas, com T = 0,25; no fim a largura é {largura}."
