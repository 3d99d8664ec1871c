"""Lista 03: a seta de *manga* com e sem a escala, e as redes recém-nascidas, com as funções do aluno."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES
from helpers.escrita import enumerar
from helpers.exemplos import FRUTA, X_FRUTA

Funcoes = dict[str, Callable[..., Any]]
TAMANHOS = (2, 8, 32, 128, 512)
MODOS = {
    "sem escala": (0.0, "vermelho", "s-"),
    r"÷ $\sqrt{d_k}$": (0.5, "azul", "o-"),
    "÷ $d_k$": (1.0, "laranja", "^-"),
}


def desenhar(prontas: Funcoes) -> tuple[Figure, str]:
    """A figura com o que já está pronto, e o texto alternativo."""
    fig, (seta, certeza, resposta) = plt.subplots(1, 3, figsize=(12, 4.4), width_ratios=[1.15, 1, 1])
    ditos = [_seta(seta, prontas), _certeza(certeza, prontas), _resposta(resposta, prontas)]
    return fig, " ".join(ditos)


def em_branco(ax: Axes, titulo: str, *nomes: str) -> str:
    """O título de uma parte que ainda não dá para desenhar e, no meio, o que falta para ela; devolve o que se diz."""
    ax.set_title(titulo)
    ax.set(xticks=[], yticks=[])
    ax.text(0.5, 0.5, "falta " + enumerar(nomes), ha="center", va="center", transform=ax.transAxes, color="0.4")
    return f"{titulo.capitalize()}: em branco, falta {enumerar(nomes)}."


def _alongar(d: int) -> np.ndarray:
    """Os vetores da frase, (5, d): as pontuações deles são as do plano vezes √(d/2), como no explorador da aula."""
    return np.tile(X_FRUTA, (1, d // 2)) * (2 / d) ** 0.25


def _seta(ax: Axes, prontas: Funcoes) -> str:
    titulo = "a seta de manga"
    if "atencao_escalada" not in prontas:
        return em_branco(ax, titulo, "atencao_escalada")
    atencao = prontas["atencao_escalada"]
    chegadas: dict[str, list[np.ndarray]] = {"sem escala": [], "com a sua escala": []}
    for d in TAMANHOS:
        Z = _alongar(d)  # (5, d)
        for nome, desfaz in (("sem escala", d**0.5), ("com a sua escala", 1.0)):  # multiplicar Q desfaz a divisão
            chegadas[nome].append(np.asarray(atencao(Z * desfaz, Z, X_FRUTA)[0])[-1])  # (2,)
    ax.plot(*X_FRUTA.T, "o", color="0.6", ms=5)
    for palavra, (x, y) in zip(FRUTA, X_FRUTA, strict=True):
        ax.annotate(palavra, (x, y), xytext=(6, 6), textcoords="offset points", color="0.3")
    for (nome, pontos), cor in zip(chegadas.items(), ("vermelho", "azul"), strict=True):
        for x, y in pontos:
            if np.hypot(x - X_FRUTA[-1, 0], y - X_FRUTA[-1, 1]) < 0.02:
                continue  # uma ponta sem haste apontaria para qualquer lado
            traco = {"arrowstyle": "-|>", "color": CORES[cor], "lw": 1.4, "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", (x, y), X_FRUTA[-1], arrowprops=traco)
        ax.plot([], [], color=CORES[cor], label=nome)
    for d, (x, y) in list(zip(TAMANHOS, chegadas["sem escala"], strict=True))[:-1]:
        rotulo = {2: "$d_k$ = 2", 128: "128 e 512"}.get(d, str(d))  # o de 512 chega onde manga já está
        ax.annotate(rotulo, (x, y), xytext=(7, -4), textcoords="offset points", color=CORES["vermelho"], fontsize=8)
    ax.annotate("de 2 a 512", tuple(chegadas["com a sua escala"][-1]), xytext=(-5, -8), textcoords="offset points",
                ha="right", color=CORES["azul"], fontsize=8)  # fmt: skip
    ax.set(title=titulo, xlabel="dimensão 1", ylabel="dimensão 2", xlim=(-0.2, 0.95), ylim=(-0.35, 1.15))
    ax.legend(frameon=False, loc="lower right", fontsize=9)
    longe = [float(np.linalg.norm(c[-1] - X_FRUTA[-1])) for c in chegadas.values()]
    return (
        "À esquerda, o plano com as palavras de “Eu gosto de comer manga” e aonde manga chega com d_k de 2 a 512. "
        f"Com 512 números, sem escala, ela anda {longe[0]:.2f}; com a sua escala, {longe[1]:.2f}."
    )


def _redes(d: int, redes: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Consultas (300, d) e chaves (8, d) sorteadas, de média 0 e variância 1."""
    rng = np.random.default_rng(d)
    return rng.normal(size=(redes, d)), rng.normal(size=(8, d))


def _certeza(ax: Axes, prontas: Funcoes) -> str:
    titulo = "a vantagem da primeira colocada"
    if "vantagem" not in prontas:
        return em_branco(ax, titulo, "vantagem")
    fins = []
    for nome, (expoente, cor, traco) in MODOS.items():
        valores = [float(prontas["vantagem"](*_redes(d), d**expoente)) for d in TAMANHOS]
        ax.plot(TAMANHOS, valores, traco, color=CORES[cor], label=nome)
        fins.append(f"{valores[-1]:.2f}")
    _eixo_de_tamanhos(ax, titulo, "vantagem, em média")
    ax.set_ylim(0, 1)
    ax.legend(frameon=False, loc="upper left", fontsize=9)
    return (
        "No meio, a vantagem média em redes recém-nascidas contra d_k. Com 512 números ela é "
        f"{fins[0]} sem escala, {fins[1]} dividindo pela raiz de d_k e {fins[2]} dividindo por d_k."
    )


def _resposta(ax: Axes, prontas: Funcoes) -> str:
    titulo = "a resposta a um empurrão de 1"
    faltam = [nome for nome in ("pontuacoes", "resposta_ao_empurrao") if nome not in prontas]
    if faltam:
        return em_branco(ax, titulo, *faltam)
    fins = []
    for nome, (expoente, cor, traco) in MODOS.items():
        valores = []
        for d in TAMANHOS:
            S = np.asarray(prontas["pontuacoes"](*_redes(d))) * d ** (0.5 - expoente)  # (300, 8)
            valores.append(float(np.median(np.asarray(prontas["resposta_ao_empurrao"](S, 1.0)))))
        ax.plot(TAMANHOS, valores, traco, color=CORES[cor], label=nome)
        fins.append(f"{valores[-1]:.3f}")
    _eixo_de_tamanhos(ax, titulo, "quanto o peso sobe (mediana)")
    ax.set_ylim(0, None)
    ax.legend(frameon=False, loc="center right", fontsize=9)
    return (
        "À direita, quanto um peso sobe com um empurrão de 1, na mediana. Com 512 números ele sobe "
        f"{fins[0]} sem escala, {fins[1]} dividindo pela raiz de d_k e {fins[2]} dividindo por d_k."
    )


def _eixo_de_tamanhos(ax: Axes, titulo: str, eixo_y: str) -> None:
    ax.set(title=titulo, xlabel="$d_k$", ylabel=eixo_y, xscale="log")
    ax.set_xticks(TAMANHOS, [str(d) for d in TAMANHOS])
    ax.minorticks_off()
