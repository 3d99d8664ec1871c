"""Lista 09, depois da questão 4: uma rede de duas camadas treina na `tarefa_de_copia` do aluno, e se vê o que nasce."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from helpers.inducao import SOLTA, Copista, Vida, acertos, ver_nascer

V = 32
COMPRIMENTOS = (4, 10)  # o menor e o maior L
MEDIDO = 8  # o L das sequências em que se mede
LOTE = 64
REDE = replace(SOLTA, passos=400)


def viver_na_tarefa(tarefa_de_copia: Callable[..., Any], passos: int = REDE.passos) -> Vida:
    """A mesma rede solta da aula 09, com os lotes da função dada; um comprimento sorteado por lote."""

    def sorteio(sorte: torch.Generator) -> tuple[Tensor, Tensor]:
        L = int(torch.randint(COMPRIMENTOS[0], COMPRIMENTOS[1] + 1, (1,), generator=sorte))
        x, y = tarefa_de_copia(LOTE, L, V, sorte)
        return x, y

    x, y = tarefa_de_copia(100, MEDIDO, V, torch.Generator().manual_seed(9))
    so_a_copia = y.clone()
    so_a_copia[:, :MEDIDO] = -100

    def medida(modelo: Copista) -> dict[str, float]:
        A = modelo.mapas(x)  # (2, B, h, T, T)
        depois, copia = torch.arange(1, MEDIDO + 1), torch.arange(MEDIDO + 1, 2 * MEDIDO)
        return {
            "acertos": acertos(modelo, x, so_a_copia),
            "anterior": A[0][..., depois, depois - 1].mean((0, 2)).max().item(),
            "inducao": A[1][..., copia, copia - MEDIDO].mean((0, 2)).max().item(),
        }

    rede, maior = replace(REDE, passos=passos), 2 * COMPRIMENTOS[1] + 1
    vidas = ver_nascer({"a sua tarefa": rede}, x[:1], sorteio=sorteio, medida=medida, tokens=V, bloco=maior)
    return vidas["a sua tarefa"]
