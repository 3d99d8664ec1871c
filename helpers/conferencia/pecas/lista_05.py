"""As peças da lista 05: o módulo que `para_torch` devolve não é dado; aqui ele é chamado, e o que ele fez é dado."""

from collections.abc import Callable
from typing import Any

import numpy as np

CERTO = "um nn.MultiheadAttention sem dropout e sem viés"


def _outra_coisa(valor: Any) -> str:
    """O nome do que não é um módulo pedido."""
    if isinstance(valor, type):
        return f"a classe {valor.__name__}, em vez de um módulo"
    if valor is None:
        return "None, em vez de um nn.MultiheadAttention; falta um return?"
    return f"um valor do tipo {type(valor).__name__}, em vez de um nn.MultiheadAttention"


def _que_modulo(modulo: Any) -> str:
    """O módulo por extenso: o viés das chaves não muda a saída, e um dropout pequeno quase nunca; por isso se olha."""
    vieses = (modulo.in_proj_bias, modulo.out_proj.bias, modulo.bias_k, modulo.bias_v)
    if modulo.dropout != 0:
        return "um nn.MultiheadAttention com dropout"
    if any(vies is not None and bool((vies != 0).any()) for vies in vieses):
        return "um nn.MultiheadAttention com viés diferente de zero"
    return CERTO


def para_torch(resposta: Callable) -> Callable:
    """A resposta do aluno vira uma função que devolve dados: que módulo é, a saída dele e os pesos de cada cabeça."""
    import torch

    def f(W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, W_O: np.ndarray, h: int, X: np.ndarray) -> tuple:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(5)  # pesos que o aluno deixou sorteados saem sempre iguais
            modulo = resposta(W_Q, W_K, W_V, W_O, h)
            if not isinstance(modulo, torch.nn.MultiheadAttention):
                # zeros das formas certas, para que o que se leia seja a primeira parte
                return _outra_coisa(modulo), np.zeros(X.shape), np.zeros((h, len(X), len(X)))
            lote = torch.as_tensor(X).to(next(modulo.parameters()).dtype)[None]  # (1, N, d)
            que = _que_modulo(modulo)
            modulo.eval()
            # O forward da própria classe: o de uma subclasse não usaria os pesos copiados.
            forward = torch.nn.MultiheadAttention.forward
            Y, A = forward(modulo, lote, lote, lote, average_attn_weights=False)  # (1, N, d), (1, h, N, N)
        return que, Y[0].detach(), A[0].detach() if A is not None else np.zeros((h, len(X), len(X)))

    return f
