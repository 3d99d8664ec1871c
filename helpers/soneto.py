"""Dois sonetos de Camões, letra por letra, e o treino de um modelo de linguagem minúsculo: o que a aula 06 usa."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

Parametros = dict[str, Tensor]
Modelo = Callable[[Parametros, Tensor, Tensor], Tensor]  # os parâmetros, os ids (B, T) e a máscara (T, T) → logits

SONETO = """Amor é um fogo que arde sem se ver;
é ferida que dói, e não se sente;
é um contentamento descontente;
é dor que desatina sem doer.

É um não querer mais que bem querer;
é um andar solitário entre a gente;
é nunca contentar-se de contente;
é um cuidar que ganha em se perder.

É querer estar preso por vontade;
é servir a quem vence, o vencedor;
é ter com quem nos mata, lealdade.

Mas como causar pode seu favor
nos corações humanos amizade,
se tão contrário a si é o mesmo Amor?
"""
OUTRO = """Alma minha gentil, que te partiste
tão cedo desta vida descontente,
repousa lá no Céu eternamente,
e viva eu cá na terra sempre triste.
"""
LETRAS = sorted(set(SONETO + OUTRO))  # o vocabulário: cada caractere é um token
CODIGO = {letra: i for i, letra in enumerate(LETRAS)}


def janelas(texto: str, T: int) -> tuple[Tensor, Tensor]:
    """Todas as janelas de T letras do texto, e as letras que vêm depois de cada uma: (quantas, T) e (quantas, T)."""
    cortes = torch.tensor([CODIGO[letra] for letra in texto]).unfold(0, T + 1, 1)  # (quantas, T + 1)
    return cortes[:, :-1], cortes[:, 1:]


def sortear_parametros(T: int, d: int = 48, semente: int = 0) -> Parametros:
    """Os parâmetros do modelo, pelo nome, por treinar; T posições e tokens de tamanho d."""
    formas = {"E": (len(LETRAS), d), "P": (T, d)} | {f"W_{nome}": (d, d) for nome in "QKVO"}
    formas |= {"W_1": (d, 4 * d), "W_2": (4 * d, d), "U": (d, len(LETRAS))}
    sorte = torch.Generator().manual_seed(semente)
    desvio = {nome: 0.5 if nome in "EP" else forma[0] ** -0.5 for nome, forma in formas.items()}
    return {n: (desvio[n] * torch.randn(f, generator=sorte)).requires_grad_() for n, f in formas.items()}


def perdas(modelo: Modelo, p: Parametros, X: Tensor, Y: Tensor, mascara: Tensor) -> Tensor:
    """A perda em cada posição de cada janela: entrada e alvo (B, T) -> (B, T)."""
    return F.cross_entropy(modelo(p, X, mascara).mT, Y, reduction="none")  # .mT põe as letras no meio


def treinar(modelo: Modelo, mascara: Tensor, passos: int = 800, lote: int = 32) -> Parametros:
    """Treina o modelo no SONETO, em janelas do tamanho da máscara; o sorteio e os lotes são sempre os mesmos."""
    X, Y = janelas(SONETO, len(mascara))
    p, sorte = sortear_parametros(len(mascara)), torch.Generator().manual_seed(1)
    otimizador = torch.optim.Adam(p.values(), lr=0.005)
    for _ in range(passos):
        quais = torch.randint(len(X), (lote,), generator=sorte)
        otimizador.zero_grad()
        perdas(modelo, p, X[quais], Y[quais], mascara).mean().backward()
        otimizador.step()
    return {nome: W.detach() for nome, W in p.items()}
