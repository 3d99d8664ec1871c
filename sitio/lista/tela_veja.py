"""*Veja o que você fez*, na página: os números que as funções do aluno devolvem, para os exploradores desenharem.

Roda dentro do Pyodide, junto de `na_pagina.py`, e só usa o NumPy. `prontas` tem as funções que passam na conferência
(nome → função), como em `helpers.veja`; o que falta não entra nos dados. Tudo o que volta cabe em um JSON.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.exemplos import RATO, ROUPA, X_RATO
from helpers.fichas import FICHAS, TRACOS

Prontas = Mapping[str, Callable[..., Any]]

CAMADAS, T = 3, 0.25  # como em helpers/veja/lista_02.py: com T = 0,25 se vê o caminho
EMPURROES = [float(c) for c in range(-4, 7)]
COSTUREIRA = ROUPA.index("costureira")
# Os pesos de manga na frase da roupa. São números, e não a conta: a softmax é a resposta de uma questão.
ANTES = [0.075016, 0.103306, 0.088917, 0.083738, 0.160404, 0.170323, 0.083738, 0.234558]
TELEGRAMAS = ["trem de manga suco correr", "manga cortar de agulha ponto trem de", "de bordar trem ponto de manga"]


def dados(lista: str, prontas: Prontas, frase: str = "") -> dict[str, Any]:
    """O que desenhar desta lista; com `frase`, na 04, só o telegrama de quem a escreveu."""
    return {"lista-02": _lista_02, "lista-04": _lista_04}[lista](prontas, frase)


def _lista_02(prontas: Prontas, frase: str) -> dict[str, Any]:
    feito: dict[str, Any] = {}
    if "empilhar" in prontas:
        caminho = np.asarray(prontas["empilhar"](X_RATO.copy(), CAMADAS, T), dtype=float)  # (camadas + 1, 9, 2)
        feito["caminho"] = {"palavras": RATO, "quadros": caminho.tolist(), "T": T}
        if "softmax_temperatura" in prontas:
            olhares = [prontas["softmax_temperatura"](X @ X.T, T) for X in caminho[:-1]]  # (9, 9) cada um
            feito["olhares"] = _mapas(RATO, [[A] for A in olhares])
    if "empurrar" in prontas:
        antes = np.array(ANTES)
        pesos = [np.asarray(prontas["empurrar"](antes.copy(), COSTUREIRA, c), dtype=float) for c in EMPURROES]
        feito["empurroes"] = {"palavras": ROUPA, "empurroes": EMPURROES, "pesos": [a.tolist() for a in pesos]}
        if "entropia" in prontas:
            H = np.asarray(prontas["entropia"](np.stack(pesos)), dtype=float)  # (11,)
            feito["empurroes"]["olhadas"] = np.exp(H).tolist()
    return feito


def _lista_04(prontas: Prontas, frase: str) -> dict[str, Any]:
    if "inventar_cabeca" not in prontas:
        return {}
    feito: dict[str, Any] = {"conhece": list(FICHAS)}
    matrizes = [np.asarray(W, dtype=float) for W in prontas["inventar_cabeca"](list(TRACOS), dict(FICHAS))]
    if "ler_cabeca" in prontas:
        M, procura, oferece = prontas["ler_cabeca"](*matrizes[:2], list(TRACOS))
        feito["leitura"] = {"procura": str(procura), "oferece": str(oferece)}
    if "cabeca" in prontas:
        escritas = [frase] if frase else TELEGRAMAS
        palavras = [[p.lower().strip(".,;:!?") for p in texto.split()] for texto in escritas]
        fora = sorted({p for telegrama in palavras for p in telegrama if p not in FICHAS})
        if fora:
            return feito | {"recusa": f"Não têm ficha: {', '.join(fora)}. Escreva com estas: {', '.join(FICHAS)}."}
        feito["telegramas"] = [_telegrama(prontas["cabeca"], matrizes, telegrama) for telegrama in palavras]
    return feito


def _telegrama(cabeca: Callable[..., Any], matrizes: list[np.ndarray], palavras: list[str]) -> dict[str, Any]:
    _, A = cabeca(np.stack([FICHAS[p] for p in palavras]), *(W.copy() for W in matrizes))
    return _mapas(palavras, [[A]])


def _mapas(tokens: list[str], pesos: list[list[Any]]) -> dict[str, Any]:
    """Os pesos (camadas, cabeças, N, N), como o explorador *As cabeças* os lê."""
    return {"tokens": tokens, "pesos": np.asarray(pesos, dtype=float).tolist()}
