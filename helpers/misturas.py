"""Outros jeitos de um token saber do passado, para pôr no lugar da atenção em `helpers.gpt.GPT(mistura=...)`.

Todos têm 4·d² pesos por camada (mais ou menos alguns vieses), como a atenção, e nenhum olha o futuro.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.gpt import Atencao


class Sozinho(nn.Module):
    """Nada do passado: cada token passa por uma rede só sua. (B, T, C) -> (B, T, C)."""

    def __init__(self, d: int, cabecas: int, bloco: int, dropout: float):
        super().__init__()
        self.entra, self.saida = nn.Linear(d, 2 * d, bias=False), nn.Linear(2 * d, d, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.saida(F.gelu(self.entra(x)))


class MediaUniforme(nn.Module):
    """Pesos iguais para todo o passado, com valores e saída aprendidos: a atenção do torch com pontuações zero."""

    def __init__(self, d: int, cabecas: int, bloco: int, dropout: float):
        super().__init__()
        self.valores, self.saida = nn.Linear(d, 2 * d, bias=False), nn.Linear(2 * d, d, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        nada = torch.zeros(*x.shape[:2], 1)  # consultas e chaves que não dizem nada: (B, T, 1)
        return self.saida(F.scaled_dot_product_attention(nada, nada, self.valores(x), is_causal=True))


class Janela(nn.Module):
    """Uma rede sobre os últimos k tokens, sempre com os mesmos pesos para a mesma distância."""

    def __init__(self, d: int, cabecas: int, bloco: int, dropout: float, k: int = 7):
        super().__init__()
        self.k = k
        oculta = 4 * d // (k + 1)  # k·d·oculta + oculta·d = 4·d²
        self.junta = nn.Conv1d(d, oculta, k)
        self.saida = nn.Linear(oculta, d, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        passado = F.pad(x.transpose(1, 2), (self.k - 1, 0))  # (B, C, k-1+T): zeros antes do começo
        return self.saida(F.gelu(self.junta(passado)).transpose(1, 2))


MISTURAS = {"atencao": Atencao, "uniforme": MediaUniforme, "janela": Janela, "sozinho": Sozinho, "nenhuma": None}
