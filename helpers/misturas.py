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
    """Pesos iguais para todo o passado: 1/(t+1) para cada token até t, com valores e saída aprendidos."""

    pesos_fixos: Tensor

    def __init__(self, d: int, cabecas: int, bloco: int, dropout: float):
        super().__init__()
        self.valores, self.saida = nn.Linear(d, 2 * d, bias=False), nn.Linear(2 * d, d, bias=False)
        pesos = torch.ones(bloco, bloco).tril() / torch.arange(1, bloco + 1)[:, None]  # (bloco, bloco), linhas somam 1
        self.register_buffer("pesos_fixos", pesos, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        T = x.shape[1]
        return self.saida(self.pesos_fixos[:T, :T] @ self.valores(x))


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
