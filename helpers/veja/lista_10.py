"""Veja o que você fez, lista 10: quem, das 270 cabeças do SmolLM2, empurra *Paris*, e o que muda com outros números."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers import llm
from helpers.desenho import PAPEIS, TONS_DE_S, em_branco

_FRASE, _PROXIMO = "The capital of France is", " Paris"
_DE_PARIS = (23, 4)  # a da aula 10b, para quem ainda não tem `contribuicoes`
_DOADORAS = (
    "The Colosseum is in",
    "The currency of Japan is the",
    "The language spoken in Germany is",
    "The Eiffel Tower is in",
    "Two plus two is",
)


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    modelo = llm.carregar()
    fig, eixos = plt.subplot_mosaic("mm;ct", figsize=(13, 7), height_ratios=[1.2, 1], width_ratios=[1, 1.3])
    partes = []
    camada, cabeca = _DE_PARIS
    if contribuir := prontas.get("contribuicoes"):
        C = _todas(modelo, contribuir)  # (30, 9, T)
        por_cabeca = C.sum(axis=-1)  # (30, 9)
        camada, cabeca = (int(i) for i in np.unravel_index(por_cabeca.argmax(), por_cabeca.shape))
        _mapa(fig, eixos["m"], por_cabeca, camada, cabeca)
        partes.append(_trazido(eixos["c"], modelo, C[camada, cabeca], (camada, cabeca)))
    else:
        em_branco(eixos["m"], "quanto cada cabeça empurra “Paris”: falta contribuicoes")
        em_branco(eixos["c"], "o que ela traz de cada token:\nfalta contribuicoes")
    if transplantar := prontas.get("transplantar"):
        partes.append(_transplantes(eixos["t"], modelo, transplantar, (camada, cabeca)))
    else:
        em_branco(eixos["t"], f"“{_FRASE}” com os números de outra frase:\nfalta transplantar")
    return fig, " ".join(partes)


def _todas(modelo: Any, contribuir: Callable) -> np.ndarray:
    """C de todas as camadas: (30, 9, T). Em u estão o embedding de Paris, menos a média de todos, e a última norma."""
    p, percurso = modelo.p, modelo.percorrer(_FRASE, llm.minha_atencao(dizer=False))
    final = sum(percurso.escritas)[-1]  # (576,): o que chega à última norma
    embeddings = p["token_embd.weight"]  # (49152, 576)
    u = (embeddings[modelo.ids(_PROXIMO)[0]] - embeddings.mean(dim=0)) * p["output_norm.weight"]
    u = u / final.square().mean().sqrt()
    partes = [
        contribuir(A, v, p[f"blk.{camada}.attn_output.weight"].T.contiguous(), u)
        for camada, (A, (_, _, v, _)) in enumerate(zip(percurso.pesos, percurso.entregues, strict=True))
    ]
    return np.stack([np.asarray(parte, dtype=float) for parte in partes])


def _mapa(fig: Figure, ax: Axes, por_cabeca: np.ndarray, camada: int, cabeca: int) -> None:
    limite = np.abs(por_cabeca).max()
    imagem = ax.imshow(por_cabeca.T, cmap=TONS_DE_S, vmin=-limite, vmax=limite, aspect="auto")
    ax.add_patch(plt.Rectangle((camada - 0.5, cabeca - 0.5), 1, 1, fill=False, ec="black", lw=2))
    ax.set(xlabel="camada", ylabel="cabeça", title=f"“{_FRASE}”: quanto cada cabeça empurra “{_PROXIMO.strip()}”")
    ax.set(xticks=range(0, 30, 2), yticks=range(0, 9, 2))
    fig.colorbar(imagem, ax=ax, label="parte do logit")


def _trazido(ax: Axes, modelo: Any, C: np.ndarray, par: tuple[int, int]) -> str:
    rotulos = modelo.tokens(_FRASE)
    ax.bar(rotulos, C, color=[PAPEIS["V"] if x >= 0 else PAPEIS["destaque"] for x in C])
    ax.axhline(0, color="black", lw=0.8)
    ax.set(title=f"o que a {par} traz de cada token", ylabel=f"empurrão em “{_PROXIMO.strip()}”")
    maior = rotulos[int(C.argmax())]
    return (
        f"Em cima, o empurrão de cada uma das 270 cabeças no logit de Paris, acima da média dos tokens; a que mais "
        f"empurra é a {par}. Embaixo, à esquerda, o que ela traz de cada token; o maior empurrão vem de {maior}."
    )


def _transplantes(ax: Axes, modelo: Any, transplantar: Callable, par: tuple[int, int]) -> str:
    """Barras: o token mais provável depois da frase, intacta e com os números de cada doadora."""
    todos = [modelo.logits(_FRASE)[-1]] + [transplantar(modelo, _FRASE, d, [par]) for d in _DOADORAS]
    nomes = ["nenhuma", *_DOADORAS]
    escritos = []
    for i, logits in enumerate(todos):
        p = np.exp(np.asarray(logits, dtype=float) - float(np.max(np.asarray(logits))))  # (V,)
        p /= p.sum()
        qual = int(p.argmax())
        escritos.append(modelo.texto([qual]).strip())
        ax.barh(i, p[qual], color=PAPEIS["residual"] if i == 0 else PAPEIS["atencao"])
        ax.text(p[qual] + 0.02, i, escritos[-1], va="center", family="monospace")
    ax.set_yticks(range(len(nomes)), nomes)
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="probabilidade do token que ele escreve", ylabel="doadora")
    ax.set_title(f"“{_FRASE}”, com a {par} de outra frase")
    lidos = "; ".join(f"com {nome}, {token}" for nome, token in zip(nomes, escritos, strict=True))
    return f"O token que o modelo escreve depois de {_FRASE}, com os números da cabeça {par} em outra frase: {lidos}."
