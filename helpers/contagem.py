"""Modelos de contagem: n-gramas de Witten-Bell, rápidos o bastante para milhões de caracteres.

P_n(w|h) = (c(hw) + T(h)·P_(n−1)(w|h')) / (N(h) + T(h)), até a uniforme 1/V. Cada sequência de tokens vira um número
inteiro na base V; contar é ordenar esses números, e consultar é uma busca binária.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


@dataclass
class _Ordem:
    """As contagens de uma ordem, com m tokens de contexto."""

    sequencias: np.ndarray  # (S,) os números das sequências de m + 1 tokens que o texto tem, em ordem
    vezes: np.ndarray  # (S,) quantas vezes cada uma aparece
    contextos: np.ndarray  # (K,) os números dos contextos de m tokens, em ordem
    N: np.ndarray  # (K,) quantas vezes algo veio depois de cada contexto
    T: np.ndarray  # (K,) quantos tokens diferentes vieram


def _achar(valores: np.ndarray, tabela: np.ndarray, chaves: np.ndarray) -> np.ndarray:
    """Para cada chave, o valor que está ao lado dela na tabela (ordenada); 0 se ela não está."""
    onde = np.searchsorted(tabela, chaves).clip(max=len(tabela) - 1)
    return np.where(tabela[onde] == chaves, valores[onde], 0)


def _numerar(ids: np.ndarray, m: int, V: int) -> np.ndarray:
    """O número de cada sequência de m tokens seguidos ao longo do último eixo, (…, L) -> (…, L − m + 1)."""
    L = ids.shape[-1] - m + 1
    numero = np.zeros((*ids.shape[:-1], L), dtype=np.int64)
    for j in range(m):
        numero = numero * V + ids[..., j : j + L]
    return numero


class NGramas:
    """Todas as ordens, de 1 a n, contadas no mesmo texto."""

    def __init__(self, dados: Tensor, V: int, n: int):
        if V**n >= 2**63:
            raise ValueError(f"com V = {V}, n = {n} não cabe em um inteiro de 64 bits")
        self.V, self.n, self.ordens = V, n, []
        ids = dados.numpy()
        for m in range(min(n, ids.shape[-1])):
            sequencias, vezes = np.unique(_numerar(ids, m + 1, V), return_counts=True)
            donos = sequencias // V  # o contexto de cada sequência; as de um mesmo contexto são vizinhas
            contextos, comeco, T = np.unique(donos, return_index=True, return_counts=True)
            self.ordens.append(_Ordem(sequencias, vezes, contextos, np.add.reduceat(vezes, comeco), T))

    def tamanho(self, ordem: int) -> int:
        """Quantos números guarda o modelo dessa ordem: as contagens de todas as ordens de que ele precisa."""
        return sum(len(o.sequencias) for o in self.ordens[:ordem])

    def probabilidades(self, x: Tensor, y: Tensor) -> np.ndarray:
        """x e y (N, T), como em `treino.trechos` -> (n + 1, N, T): o que cada ordem, de 0 a n, dá ao alvo y.

        O contexto não sai do trecho: na posição t há t + 1 tokens. Uma ordem que quer mais usa os que há.
        """
        largura = x.shape[1]
        texto = np.concatenate([x.numpy(), y[:, -1:].numpy()], axis=1)  # (N, T + 1)
        P = np.full(y.shape, 1 / self.V)
        todas = [P]
        for m, ordem in enumerate(self.ordens):
            P = P.copy()
            if m <= largura:
                fim = _numerar(texto, m + 1, self.V)[:, 1 if m == 0 else 0 :]  # (N, T − m + 1): termina em cada alvo
                c = _achar(ordem.vezes, ordem.sequencias, fim)
                N, T = (_achar(v, ordem.contextos, fim // self.V) for v in (ordem.N, ordem.T))
                de = max(m - 1, 0)  # a primeira posição com m tokens antes do alvo
                visto = N > 0
                P[:, de:][visto] = ((c + T * P[:, de:])[visto]) / (N + T)[visto]
            todas.append(P)
        todas += [P] * (self.n + 1 - len(todas))  # ordens maiores que o texto: nada a acrescentar
        return np.stack(todas)

    def perdas(self, x: Tensor, y: Tensor, por_posicao: bool = False) -> np.ndarray:
        """A perda média em nats de cada ordem, (n + 1,); com `por_posicao`, (n + 1, T)."""
        porque = -np.log(self.probabilidades(x, y))
        return porque.mean(axis=1) if por_posicao else porque.mean(axis=(1, 2))

    def escrever(self, ids: Tensor, quantos: int, semente: int = 0, ordem: int | None = None) -> Tensor:
        """Continua ids (t,), ao menos um, com `quantos` tokens sorteados segundo uma ordem (a maior, se não se diz)."""
        sorte = torch.Generator().manual_seed(semente)
        todos = torch.arange(self.V)[:, None]
        for _ in range(quantos):
            x = ids[-self.n :].expand(self.V, -1)  # o mesmo contexto, uma vez para cada token que pode vir
            p = self.probabilidades(x, torch.cat([x[:, 1:], todos], 1))[self.n if ordem is None else ordem, :, -1]
            ids = torch.cat([ids, torch.multinomial(torch.from_numpy(p), 1, generator=sorte)])
        return ids
