"""No lugar das funções da lista 07."""

import torch.nn.functional as F
from torch import nn


class Bloco(nn.Module):
    """Um bloco pré-norma de Transformer, com atenção causal de h cabeças: (B, T, d) -> (B, T, d)."""

    def __init__(self, d, h):
        super().__init__()
        if d % h:
            raise ValueError(f"d = {d} não se reparte entre h = {h} cabeças: escolha um d que seja múltiplo de h")
        self.h = h
        self.norma1, self.norma2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.saida = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.expande, self.reduz = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, X):
        partes = self.qkv(self.norma1(X)).chunk(3, dim=-1)  # Q, K e V, (B, T, d) cada
        Q, K, V = (Z.unflatten(-1, (self.h, -1)).transpose(1, 2) for Z in partes)  # (B, h, T, d_h)
        H = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
        Z = X + self.saida(H.transpose(1, 2).flatten(2))
        return Z + self.reduz(F.gelu(self.expande(self.norma2(Z))))
