"""Veja o que você fez, lista 07: o círculo da `layer_norm`, o morro da `ffn` e seis blocos empilhados."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES, PAPEIS, TONS_NEUTROS, em_branco, mapa_de_calor
from helpers.exemplos import RATO

_PARTES = {"layer_norm": "À esquerda", "ffn": "No meio", "Bloco": "À direita"}


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    fig, eixos = plt.subplots(1, 3, figsize=(14, 4.6), width_ratios=[1, 1, 1.2])
    dito = []
    partes: list[Callable[[Axes, Callable[..., Any]], str]] = [_circulo, _morro, _influencia]
    for ax, (nome, onde), parte in zip(eixos, _PARTES.items(), partes, strict=True):
        if nome in prontas:
            dito.append(f"{onde}, {parte(ax, prontas[nome])}")
        else:
            em_branco(ax, f"falta {nome}")
            dito.append(f"{onde}, em branco: falta {nome}.")
    return fig, " ".join(dito)


def _circulo(ax: Axes, layer_norm: Callable[..., Any]) -> str:
    """150 vetores de três números, no plano de soma zero: antes, em cinza; depois, em preto."""
    rng = np.random.default_rng(7)
    antes = torch.tensor(rng.normal(size=(150, 3)) * rng.uniform(0.3, 2, size=(150, 1)), dtype=torch.float32)
    depois = torch.as_tensor(layer_norm(antes, torch.ones(3), torch.zeros(3))).detach()
    plano = torch.tensor([[1.0, -1, 0], [1, 1, -2]]) / torch.tensor([[2.0], [6.0]]).sqrt()  # dois eixos do plano
    (u, v), (x, y) = (plano @ antes.T).numpy(), (plano @ depois.float().T).numpy()
    ax.scatter(u, v, s=10, color="0.75", label="antes")
    ax.scatter(x, y, s=14, color=CORES["preto"], label="depois")
    ax.set(title="a sua layer_norm, d = 3", xlabel="direção (1, −1, 0)", ylabel="direção (1, 1, −2)", aspect="equal")
    ax.set(xlim=(-3.6, 3.6), ylim=(-3.6, 3.6))
    return (
        "150 vetores espalhados, vistos no plano de média zero. A sua layer_norm tira a média e o comprimento, e os "
        "pontos caem em um círculo de raio raiz de 3."
    )


def _morro(ax: Axes, ffn: Callable[..., Any]) -> str:
    z = torch.linspace(-4, 4, 200)[:, None]  # (200, d), com d = 1
    uma = torch.ones(1, 1), torch.zeros(1), torch.ones(1, 1), torch.zeros(1)
    tres = torch.ones(1, 3), torch.tensor([1.5, 0.0, -1.5]), torch.tensor([[1.0], [-2.0], [1.0]]), torch.zeros(1)
    ax.plot(z, torch.as_tensor(ffn(z, *uma)).detach(), "--", color=CORES["preto"], label="uma unidade")
    ax.plot(z, torch.as_tensor(ffn(z, *tres)).detach(), color=PAPEIS["feed-forward"], lw=2.5, label="três unidades")
    ax.set(title="a sua ffn, de um número a um número", xlabel="x", ylabel="FFN(x)")
    ax.legend(frameon=False, loc="upper left")
    return (
        "a sua ffn em um gráfico: com uma unidade ela é a curva da GELU, que fica perto de zero e depois sobe; com "
        "três, é um morro em volta de zero."
    )


def _influencia(ax: Axes, Bloco: Callable[..., Any], quantos: int = 6) -> str:
    """Quanto cada palavra que entra pesa em cada uma que sai: a norma das derivadas, (T, T), 1 no maior da linha."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        pilha = torch.nn.Sequential(*(Bloco(32, 4) for _ in range(quantos)))
        X = torch.randn(1, len(RATO), 32)
    derivadas = torch.autograd.functional.jacobian(lambda Z: pilha(Z).sum(dim=-1)[0], X)  # (T, 1, T, 32)
    pesa = derivadas[:, 0].norm(dim=-1).detach().double().numpy()  # (T, T)
    titulo = f"{quantos} dos seus blocos, sem treino\n{_como_o_do_torch(Bloco)}"
    mapa_de_calor(pesa / pesa.max(axis=1, keepdims=True), RATO, RATO, ax, titulo, valores=False, vmin=0, vmax=1,
                  cmap=TONS_NEUTROS, eixo_x="a palavra que entra", eixo_y="a palavra que sai")  # fmt: skip
    return (
        f"um mapa de {quantos} dos seus blocos: a diagonal é forte, porque cada palavra chega inteira pelo caminho "
        "residual, e acima dela tudo é zero, porque ninguém vê o futuro. O título diz se, com os mesmos parâmetros, um "
        "bloco seu dá o mesmo que o do PyTorch."
    )


def _como_o_do_torch(Bloco: Callable[..., Any]) -> str:
    """A maior diferença entre um bloco dele e o do PyTorch com os mesmos parâmetros."""
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(1)
        pronto = torch.nn.TransformerEncoderLayer(32, 4, 128, 0.0, "gelu", batch_first=True, norm_first=True)
        dele, X = Bloco(32, 4), torch.randn(2, 9, 32)
        dele.load_state_dict(
            {
                "norma1.weight": pronto.norm1.weight,
                "norma1.bias": pronto.norm1.bias,
                "qkv.weight": pronto.self_attn.in_proj_weight,  # os vieses da atenção nascem zero
                "saida.weight": pronto.self_attn.out_proj.weight,
                "norma2.weight": pronto.norm2.weight,
                "norma2.bias": pronto.norm2.bias,
                "expande.weight": pronto.linear1.weight,
                "expande.bias": pronto.linear1.bias,
                "reduz.weight": pronto.linear2.weight,
                "reduz.bias": pronto.linear2.bias,
            }
        )
        futuro = torch.nn.Transformer.generate_square_subsequent_mask(9)
        longe = float((dele.eval()(X) - pronto(X, src_mask=futuro)).abs().max())
    return "iguais ao do PyTorch" if longe < 1e-4 else f"diferem até {longe:.1g} do bloco do PyTorch"
