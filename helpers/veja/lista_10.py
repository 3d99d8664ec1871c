"""Veja o que você fez, lista 10: quem, das 270 cabeças do SmolLM2, empurra o logit de *Paris*, e o que ela traz."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers import llm
from helpers.desenho import CORES, PAPEIS

_FRASE, _PROXIMO = "The capital of France is", " Paris"
SEM_ELA = {"atencao": "quem dirige o modelo no desenho é a do curso"}


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    modelo, atencao = llm.carregar(), prontas.get("atencao")
    logits = modelo.logits(_FRASE, atencao)[-1]
    escreve = modelo.texto([int(logits.argmax())])
    if not (contribuir := prontas.get("contribuicoes")):
        fig, ax = plt.subplots(figsize=(8, 2.5))
        _mais_provaveis(ax, modelo, logits)
        return fig, f"Os cinco tokens mais prováveis depois de {_FRASE}; o primeiro é {escreve}. Falta contribuicoes."
    C = _todas(modelo, atencao, contribuir)  # (30, 9, T)
    por_cabeca = C.sum(axis=-1)  # (30, 9)
    camada, cabeca = (int(i) for i in np.unravel_index(por_cabeca.argmax(), por_cabeca.shape))
    pesos = modelo.atencoes(_FRASE, atencao)[camada, cabeca, -1].numpy()  # (T,)
    fig, eixos = plt.subplot_mosaic("tt;pc", figsize=(12, 6.5), height_ratios=[1.2, 1])
    _mapa(fig, eixos["t"], por_cabeca, camada, cabeca)
    eixos["t"].set(
        title=f"“{_FRASE}” → “{escreve.strip()}”: quanto cada cabeça empurra “Paris”, acima da média dos tokens"
    )
    rotulos = modelo.tokens(_FRASE)
    eixos["p"].bar(rotulos, pesos, color=PAPEIS["A"])
    eixos["p"].set(title=f"cabeça ({camada}, {cabeca}): para onde ela olha", ylabel="peso de atenção", ylim=(0, 1))
    cores = [CORES["azul"] if x >= 0 else CORES["vermelho"] for x in C[camada, cabeca]]
    eixos["c"].bar(rotulos, C[camada, cabeca], color=cores)
    eixos["c"].axhline(0, color="black", lw=0.8)
    eixos["c"].set(title="… e o que ela traz de cada token", ylabel=f"empurrão em “{_PROXIMO.strip()}”")
    maior = rotulos[int(C[camada, cabeca].argmax())]
    return fig, (
        f"Depois de {_FRASE}, o modelo escreve{escreve}. Em cima, o empurrão de cada uma das 270 cabeças no logit de "
        f"Paris, acima da média dos tokens; a que mais empurra é a ({camada}, {cabeca}). Embaixo, os pesos de atenção "
        f"dela e o que ela traz de cada token; o maior empurrão vem de {maior}."
    )


def _todas(modelo: Any, atencao: Any, contribuir: Callable) -> np.ndarray:
    """C de todas as camadas: (30, 9, T). Em u estão o embedding de Paris, menos a média de todos, e a última norma."""
    p, percurso = modelo.p, modelo.percorrer(_FRASE, atencao)
    final = sum(percurso.escritas)[-1]  # (576,): o que chega à última norma
    embeddings = p["token_embd.weight"]  # (49152, 576)
    u = (embeddings[modelo.ids(_PROXIMO)[0]] - embeddings.mean(dim=0)) * p["output_norm.weight"]
    u = u / final.square().mean().sqrt()
    partes = [
        contribuir(*qkvm, p[f"blk.{camada}.attn_output.weight"].T.contiguous(), u)
        for camada, qkvm in enumerate(percurso.entregues)
    ]
    return np.stack([np.asarray(parte, dtype=float) for parte in partes])


def _mapa(fig: Figure, ax: Axes, por_cabeca: np.ndarray, camada: int, cabeca: int) -> None:
    limite = np.abs(por_cabeca).max()
    imagem = ax.imshow(por_cabeca.T, cmap="RdBu", vmin=-limite, vmax=limite, aspect="auto")
    ax.add_patch(plt.Rectangle((camada - 0.5, cabeca - 0.5), 1, 1, fill=False, ec="black", lw=2))
    ax.set(xlabel="camada", ylabel="cabeça")
    ax.set(xticks=range(0, 30, 2), yticks=range(0, 9, 2))
    fig.colorbar(imagem, ax=ax, label="parte do logit")


def _mais_provaveis(ax: Axes, modelo: Any, logits: torch.Tensor) -> None:
    p, quais = logits.softmax(dim=0).topk(5)
    ax.barh([modelo.texto([int(i)]) for i in quais], p.tolist(), color=CORES["azul"])
    ax.invert_yaxis()
    ax.set(xlabel="probabilidade", title=f"depois de “{_FRASE}” (falta contribuicoes)")
