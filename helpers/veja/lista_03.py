"""Lista 03: as redes recém-nascidas, com e sem a escala, com as funções do aluno."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES, PAPEIS
from helpers.escrita import enumerar
from helpers.exemplos import FRUTA, X_FRUTA

Funcoes = dict[str, Callable[..., Any]]
TAMANHOS = (2, 4, 8, 16, 32, 64, 128)
D_K, REDES, EMPURRAO = 64, 300, 0.1
MODOS = {  # o expoente de d_k no divisor, a cor e o traço: os da aula
    "sem escala": (0.0, PAPEIS["destaque"], "s-"),
    r"÷ $\sqrt{d_k}$": (0.5, CORES["preto"], "o-"),
    "÷ $d_k$": (1.0, CORES["ceu"], "^-"),
}


def desenhar(prontas: Funcoes) -> tuple[Figure, str]:
    """A figura com o que já está pronto, e o texto alternativo."""
    fig, (chegada, certeza, resposta) = plt.subplots(1, 3, figsize=(13, 4.4), width_ratios=[1.15, 1, 1])
    ditos = [_chegada(chegada, prontas), _certeza(certeza, prontas), _resposta(resposta, prontas)]
    return fig, " ".join(ditos)


def em_branco(ax: Axes, titulo: str, *nomes: str) -> str:
    """O título de uma parte que ainda não dá para desenhar e, no meio, o que falta para ela; devolve o que se diz."""
    ax.set_title(titulo)
    ax.set(xticks=[], yticks=[])
    ax.text(0.5, 0.5, "falta " + enumerar(nomes), ha="center", va="center", transform=ax.transAxes, color="0.4")
    return f"{titulo.capitalize()}: em branco, falta {enumerar(nomes)}."


def _chegada(ax: Axes, prontas: Funcoes) -> str:
    titulo = f"aonde manga chega em {REDES} redes"
    if "atencao_escalada" not in prontas:
        return em_branco(ax, titulo, "atencao_escalada")
    rng = np.random.default_rng(3)
    vezes = {"sem escala": D_K**0.5, "com a sua escala": 1.0}  # multiplicar a consulta desfaz a divisão
    pontos: dict[str, list[np.ndarray]] = {nome: [] for nome in vezes}
    for _ in range(REDES):
        q, K = rng.normal(size=(1, D_K)), rng.normal(size=(5, D_K))  # uma rede recém-nascida
        for nome, fator in vezes.items():
            pontos[nome].append(np.asarray(prontas["atencao_escalada"](q * fator, K, X_FRUTA)[0])[0])  # (2,)
    for (nome, ps), cor, marca in zip(pontos.items(), (PAPEIS["destaque"], CORES["preto"]), "s.", strict=True):
        ax.plot(*np.array(ps).T, marca, color=cor, ms=4, alpha=0.45, mec="none", label=nome)
    for palavra, ponto in zip(FRUTA, X_FRUTA, strict=True):
        ax.plot(*ponto, "o", mfc="none", mec="0.3", ms=11)
        ax.annotate(palavra, ponto, xytext=(9, 5), textcoords="offset points", color="0.3")
    ax.set(title=titulo, xlabel="dimensão 1", ylabel="dimensão 2", xlim=(-0.1, 0.95), ylim=(-0.3, 1.15))
    ax.legend(frameon=False, loc="lower right", fontsize=9, markerscale=1.8)
    em_cima = [np.mean([np.linalg.norm(X_FRUTA - p, axis=1).min() < 0.05 for p in ps]) for ps in pontos.values()]
    return (
        f"À esquerda, o plano com as palavras de “Eu gosto de comer manga” e aonde manga chega em {REDES} redes. Ela "
        f"para em cima de uma palavra em {em_cima[0]:.0%} delas sem escala, e em {em_cima[1]:.0%} com a sua escala."
    )


def _redes(d: int) -> tuple[np.ndarray, np.ndarray]:
    """Consultas (300, d) e chaves (8, d) sorteadas, de média 0 e variância 1."""
    rng = np.random.default_rng(d)
    return rng.normal(size=(REDES, d)), rng.normal(size=(8, d))


def _certeza(ax: Axes, prontas: Funcoes) -> str:
    titulo = "a vantagem da primeira colocada"
    if "vantagem" not in prontas:
        return em_branco(ax, titulo, "vantagem")
    fins = []
    for nome, (expoente, cor, traco) in MODOS.items():
        valores = [float(prontas["vantagem"](*_redes(d), d**expoente)) for d in TAMANHOS]
        ax.plot(TAMANHOS, valores, traco, color=cor, label=nome)
        fins.append(f"{valores[-1]:.2f}")
    ax.set(title=titulo, xlabel="$d_k$", ylabel="vantagem, em média", xscale="log", ylim=(0, 1))
    ax.set_xticks(TAMANHOS, [str(d) for d in TAMANHOS])
    ax.minorticks_off()
    ax.legend(frameon=False, loc="upper left", fontsize=9)
    return (
        f"No meio, a vantagem média em redes recém-nascidas contra d_k. Com {TAMANHOS[-1]} números ela é "
        f"{fins[0]} sem escala, {fins[1]} dividindo pela raiz de d_k e {fins[2]} dividindo por d_k."
    )


def _resposta(ax: Axes, prontas: Funcoes) -> str:
    titulo = f"a resposta a um empurrão de {EMPURRAO}"
    if "resposta_ao_empurrao" not in prontas:
        return em_branco(ax, titulo, "resposta_ao_empurrao")
    rng = np.random.default_rng(5)
    pares = [(rng.normal(size=(1, D_K)), rng.normal(size=(8, D_K))) for _ in range(REDES)]  # q e K de cada rede
    ditos = []
    for nome, (expoente, cor, _) in MODOS.items():
        respostas = [float(np.asarray(prontas["resposta_ao_empurrao"](q, K, D_K**expoente, EMPURRAO))[0, 0])
                     for q, K in pares]  # fmt: skip
        ax.plot(np.sort(respostas), color=cor, lw=2.4, label=nome)
        ditos.append(f"{np.median(respostas):.4f} na do meio e {max(respostas):.3f} na última")
    ax.axvline(REDES / 2, color="0.6", ls="--", lw=1)
    ax.set(title=titulo, xlabel="redes, da que menos responde à que mais", ylabel="quanto subiu o peso")
    ax.legend(frameon=False, loc="upper left", fontsize=9)
    return (
        f"À direita, quanto sobe o peso de uma chave em {REDES} redes em fila. Sem escala, {ditos[0]}; dividindo pela "
        f"raiz de d_k, {ditos[1]}; dividindo por d_k, {ditos[2]}."
    )
