"""A conta das matrizes: X W, Q Kᵀ / √d_k, softmax e A V, casa a casa."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from helpers.desenho import PAPEIS
from helpers.exploradores.anfitriao import Explorador, Problema, frase, matriz, numero, ou_recado
from helpers.exploradores.montar import neutras

MAIOR_LADO = 16


@ou_recado
def conta_das_matrizes(
    X: Any,
    palavras: Sequence[str],
    W_Q: Any = None,
    W_K: Any = None,
    W_V: Any = None,
    *,
    escala: bool | None = None,
    ate: str = "Y",
    destaque: str = "manga",
    colunas: Sequence[str] | None = None,
) -> Explorador:
    """Cada produto da atenção, com a linha, a coluna e a soma da casa apontada.

    X (N, D), uma linha para cada palavra. Com W_Q, W_K (D, d_k) e W_V (D, d_v), começa pelas projeções; sem elas,
    compara X com X. `escala` divide as pontuações por √d_k (por padrão, só quando há projeções). `ate` diz onde
    parar: nas pontuações ("S"), nos pesos ("A") ou na saída ("Y"). `colunas` dá um nome a cada coluna de X. Os números
    de X e das W se mudam no lugar; `.estado` tem os que a pessoa deixou.
    """
    nomes = [str(p) for p in palavras]
    valores = matriz("X", X, (None, None))
    if len(nomes) != len(valores):
        raise Problema(frase("conta.faltam_palavras", n=len(valores)))
    if ate not in ("S", "A", "Y"):
        raise Problema(frase("conta.ate_errado"))
    if colunas is not None and len(colunas) != valores.shape[1]:
        raise Problema(frase("conta.colunas_erradas", d=valores.shape[1], n=len(colunas)))
    dadas = {nome: W for nome, W in {"W_Q": W_Q, "W_K": W_K, "W_V": W_V}.items() if W is not None}
    pesos = _projecoes(dadas, valores.shape[1])
    if max(*valores.shape, *(lado for W in pesos.values() for lado in W.shape)) > MAIOR_LADO:
        raise Problema(frase("conta.grande", n=MAIOR_LADO))
    linha = len(nomes) - 1 - nomes[::-1].index(destaque) if destaque in nomes else 0
    dividir = bool(pesos) if escala is None else escala
    dados = {
        "X": valores.tolist(),
        "palavras": nomes,
        "pesos": {nome: W.tolist() for nome, W in pesos.items()},
        "escala": dividir,
        "ate": ate,
        "linha": linha,
        **({"colunas": [str(c) for c in colunas]} if colunas is not None else {}),
    }
    matrizes = _contas(valores, pesos, dividir, ate)
    return Explorador("conta", dados, _alt(nomes, matrizes, linha), lambda: _figura(nomes, matrizes))


def _projecoes(dadas: Mapping[str, Any], D: int) -> dict[str, np.ndarray]:
    if not dadas:
        return {}
    if len(dadas) < 3:
        raise Problema(frase("conta.W_torta", d=D))
    pesos = {nome: matriz(nome, W, (D, None)) for nome, W in dadas.items()}
    if pesos["W_Q"].shape != pesos["W_K"].shape:
        raise Problema(frase("conta.W_torta", d=D))
    return pesos


# ------------------------------------------------------------ a imagem


def _contas(X: np.ndarray, pesos: Mapping[str, np.ndarray], escala: bool, ate: str) -> dict[str, np.ndarray]:
    """As matrizes que a imagem mostra, em ordem; a softmax é a do PyTorch."""
    Q, K, V = (X @ pesos[f"W_{nome}"] if pesos else X for nome in "QKV")
    S = Q @ K.T / (K.shape[1] ** 0.5 if escala else 1.0)  # (N, N)
    A = torch.softmax(torch.from_numpy(S), dim=-1).numpy()
    todas = {**({"Q": Q, "K": K, "V": V} if pesos else {"X": X}), "S": S, "A": A, "Y": A @ V}
    return {nome: M for nome, M in todas.items() if nome not in {"S": "AY", "A": "Y"}.get(ate, "")}


def _alt(nomes: list[str], matrizes: Mapping[str, np.ndarray], linha: int) -> str:
    formas = ", ".join(f"{nome} ({M.shape[0]} × {M.shape[1]})" for nome, M in matrizes.items())
    dito = ""
    if "A" in matrizes:
        alvo = int(matrizes["A"][linha].argmax())
        peso = numero(matrizes["A"][linha, alvo])
        dito = frase("conta.alt_dito", palavra=nomes[linha], alvo=nomes[alvo], peso=peso)
    return frase("conta.alt", frase=" ".join(nomes), matrizes=formas, dito=dito).strip()


def _figura(nomes: list[str], matrizes: Mapping[str, np.ndarray]) -> Figure:
    """Cada matriz na cor do seu papel: branco é zero, e os negativos vão para o cinza azulado."""
    claro = neutras("claro")
    larguras = [max(M.shape[1], 1.5) for M in matrizes.values()]
    fig, eixos = plt.subplots(
        1, len(matrizes), figsize=(max(5.0, 0.62 * sum(larguras) + 0.5), 0.42 * len(nomes) + 1.3), dpi=80,
        width_ratios=larguras, squeeze=False,
    )  # fmt: skip
    for i, (ax, (nome, M)) in enumerate(zip(eixos[0], matrizes.items(), strict=True)):
        cor = PAPEIS[{"S": "A", "Y": "V"}.get(nome, nome)]
        mapa = LinearSegmentedColormap.from_list(nome, [claro["negativo"], claro["fundo"], cor])
        limite = max(float(np.abs(M).max()), 1e-9)
        ax.imshow(M, cmap=mapa, vmin=-1.3 * limite, vmax=1.3 * limite, aspect="auto")
        for (n, m), x in np.ndenumerate(M):
            ax.text(m, n, numero(x), ha="center", va="center", fontsize=8)
        ax.set_title(f"{nome} ({M.shape[0]} × {M.shape[1]})", fontsize=10)
        if nome in "SA":  # as colunas são palavras; nas outras matrizes, dimensões
            ax.set_xticks(range(len(nomes)), nomes, rotation=45, ha="right")
        else:
            ax.set_xticks([])
        ax.set_yticks(range(len(nomes)) if i == 0 else [], nomes if i == 0 else [])
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
    return fig
