"""Veja o que você fez, lista 09: um soneto de Camões em pares, em médias e em n-gramas que continuam a escrevê-lo."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.figure import Figure

from helpers.desenho import TONS_DE_A, TONS_NEUTROS, em_branco
from helpers.soneto import SONETO

_SONETO = SONETO.lower().replace("\n\n", "\n")  # sem maiúsculas nem estrofes: menos letras para contar
_VOCABULARIO = sorted(set(_SONETO))
_DADOS = torch.tensor([_VOCABULARIO.index(c) for c in _SONETO])  # (n,)
_LETRAS = " aeiorsntdqu"  # as que aparecem no mapa dos pares
_COMECO = "amor é um fogo"


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    fig, eixos = plt.subplot_mosaic("pm;ee", figsize=(12, 7.6), height_ratios=[1, 0.36])
    partes = {
        "bigrama": ("p", _pares, "Em cima, à esquerda, que letra vem depois de cada letra; depois de q só vem u."),
        "media_uniforme_causal": (
            "m",
            _medias,
            "À direita, um triângulo: cada letra olha por igual para as anteriores, cada vez mais fraco.",
        ),
        "ngrama": ("e", _escritos, "Embaixo, quatro continuações do soneto, com cada vez mais contexto."),
    }
    dito = []
    for nome, (lugar, desenho, descricao) in partes.items():
        if nome in prontas:
            desenho(eixos[lugar], prontas[nome])
            dito.append(descricao)
        else:
            em_branco(eixos[lugar], f"falta {nome}")
            dito.append(f"Em branco: falta {nome}.")
    return fig, " ".join(dito)


def _pares(ax: Axes, bigrama: Callable[..., Any]) -> None:
    quais = [_VOCABULARIO.index(c) for c in _LETRAS]
    P = np.exp(np.asarray(bigrama(_DADOS, len(_VOCABULARIO), 0.1), dtype=float))[np.ix_(quais, quais)]
    _mapa(ax, P, _LETRAS, "a sua bigrama: o que vem depois", "letra seguinte", "letra", TONS_NEUTROS)


def _medias(ax: Axes, media: Callable[..., Any]) -> None:
    T = len(_COMECO)
    pesos = np.asarray(media(torch.eye(T)[None]))[0]  # (T, T): a média de one-hots é a linha de pesos de cada posição
    _mapa(ax, pesos, _COMECO, "a sua média: quanto olha para cada letra", "quem é olhado", "quem olha")


def _mapa(
    ax: Axes, M: np.ndarray, letras: str, titulo: str, eixo_x: str, eixo_y: str, cores: Colormap = TONS_DE_A
) -> None:
    nomes = list(letras.replace(" ", "␣"))
    ax.imshow(M, cmap=cores, vmin=0, vmax=1)
    ax.set_xticks(range(len(nomes)), nomes)
    ax.set_yticks(range(len(nomes)), nomes)
    ax.set(title=titulo, xlabel=eixo_x, ylabel=eixo_y)
    ax.spines[:].set_visible(False)


def _escritos(ax: Axes, ngrama: Callable[..., Any]) -> None:
    ax.set(title="o que o seu ngrama escreve depois de ler só o soneto", xlim=(0, 1), ylim=(0, 1))
    ax.axis("off")
    for i, n in enumerate((1, 2, 3, 5)):
        texto = _continuar(ngrama(_DADOS, len(_VOCABULARIO), n), 75).replace("\n", " / ")
        ax.text(0.0, 0.88 - 0.27 * i, f"n = {n}", fontweight="bold", va="center")
        ax.text(0.07, 0.88 - 0.27 * i, texto, family="monospace", va="center", fontsize=12)


def _continuar(prever: Callable[..., Any], quantos: int) -> str:
    sorte = torch.Generator().manual_seed(9)
    ids = _DADOS[: len(_COMECO)]
    for _ in range(quantos):
        p = torch.as_tensor(np.asarray(prever(ids), dtype=float))  # (V,)
        ids = torch.cat([ids, torch.multinomial(p, 1, generator=sorte)])
    return "".join(_VOCABULARIO[i] for i in ids.tolist())
