"""Veja o que você fez, lista 07: o círculo da `layer_norm`, a curva da `gelu` e seis blocos empilhados."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES, em_branco, mapa_de_calor
from helpers.exemplos import RATO

_PARTES = {"layer_norm": "À esquerda", "gelu": "No meio", "Bloco": "À direita"}


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    fig, eixos = plt.subplots(1, 3, figsize=(14, 4.6), width_ratios=[1, 1, 1.2])
    dito = []
    partes: list[Callable[[Axes, Callable[..., Any]], str]] = [_circulo, _curva, _influencia]
    for ax, (nome, onde), parte in zip(eixos, _PARTES.items(), partes, strict=True):
        if nome in prontas:
            dito.append(f"{onde}, {parte(ax, prontas[nome])}")
        else:
            em_branco(ax, f"falta {nome}")
            dito.append(f"{onde}, em branco: falta {nome}.")
    return fig, " ".join(dito)


def _circulo(ax: Axes, layer_norm: Callable[..., Any]) -> str:
    """150 vetores de três números, no plano de soma zero: antes, em cinza; depois, em azul."""
    rng = np.random.default_rng(7)
    antes = torch.tensor(rng.normal(size=(150, 3)) * rng.uniform(0.3, 2, size=(150, 1)), dtype=torch.float32)
    depois = torch.as_tensor(layer_norm(antes, torch.ones(3), torch.zeros(3))).detach()
    plano = torch.tensor([[1.0, -1, 0], [1, 1, -2]]) / torch.tensor([[2.0], [6.0]]).sqrt()  # dois eixos do plano
    (u, v), (x, y) = (plano @ antes.T).numpy(), (plano @ depois.float().T).numpy()
    ax.scatter(u, v, s=10, color="0.75", label="antes")
    ax.scatter(x, y, s=14, color=CORES["azul"], label="depois")
    ax.set(title="a sua layer_norm, d = 3", xlabel="direção (1, −1, 0)", ylabel="direção (1, 1, −2)", aspect="equal")
    ax.set(xlim=(-3.6, 3.6), ylim=(-3.6, 3.6))
    return (
        "150 vetores espalhados, vistos no plano de média zero. A sua norma tira a média e o comprimento, e os pontos "
        "caem em um círculo de raio raiz de 3."
    )


def _curva(ax: Axes, gelu: Callable[..., Any]) -> str:
    z = torch.linspace(-4, 3, 200)
    ax.plot(z, F.relu(z), ":", color="0.4", label="ReLU")
    ax.plot(z, torch.as_tensor(gelu(z)).detach(), color=CORES["azul"], lw=2.5, label="a sua gelu")
    ax.set(title="a sua gelu", xlabel="x", ylabel="GELU(x)")
    ax.legend(frameon=False)
    return "a curva da sua gelu, que desce um pouco abaixo de zero e sobe ao lado da ReLU."


def _influencia(ax: Axes, Bloco: Callable[..., Any], quantos: int = 6) -> str:
    """Quanto cada palavra que entra pesa em cada uma que sai: a norma das derivadas, (T, T), 1 no maior da linha."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        pilha = torch.nn.Sequential(*(Bloco(32, 4) for _ in range(quantos)))
        X = torch.randn(1, len(RATO), 32)
    derivadas = torch.autograd.functional.jacobian(lambda Z: pilha(Z).sum(dim=-1)[0], X)  # (T, 1, T, 32)
    pesa = derivadas[:, 0].norm(dim=-1).detach().double().numpy()  # (T, T)
    mapa_de_calor(pesa / pesa.max(axis=1, keepdims=True), RATO, RATO, ax=ax, valores=False, vmin=0, vmax=1,
                  titulo=f"{quantos} dos seus blocos, sem treino", eixo_x="a palavra que entra",
                  eixo_y="a palavra que sai")  # fmt: skip
    return (
        f"um mapa de {quantos} dos seus blocos: a diagonal é forte, porque cada palavra chega inteira pelo caminho "
        "residual, e acima dela tudo é zero, porque ninguém vê o futuro."
    )
