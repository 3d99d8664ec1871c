"""As peças da lista 05: o módulo que `para_torch` devolve não é dado; aqui ele é chamado, e o que ele fez é dado."""

from collections.abc import Callable
from typing import Any

import numpy as np

CHAMADAS_NO_TREINO = 4  # com dropout, alguma delas sai diferente


def _o_que_veio(valor: Any) -> str:
    if valor is None:
        return "não devolveu nada (falta um return?)"
    if isinstance(valor, type):
        return f"devolveu a classe {valor.__name__}, em vez de um módulo"
    return f"devolveu um valor do tipo {type(valor).__name__}"


def para_torch(resposta: Callable) -> Callable:
    """A resposta do aluno vira uma função que devolve dados: a saída, os pesos e se o treino muda a saída."""
    import torch

    def chamar(modulo: Any, X: Any) -> tuple[Any, Any]:
        Y, A = modulo(X, X, X, need_weights=True, average_attn_weights=False)  # (1, N, d), (1, h, N, N)
        return Y[0].detach(), A[0].detach()

    def f(W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, W_O: np.ndarray, h: int, X: np.ndarray) -> tuple:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(5)  # pesos que o aluno deixou sorteados saem sempre iguais
            modulo = resposta(W_Q, W_K, W_V, W_O, h)
            if not isinstance(modulo, torch.nn.MultiheadAttention):
                raise TypeError(f"para_torch deve devolver um nn.MultiheadAttention, e {_o_que_veio(modulo)}")
            lote = torch.as_tensor(X).to(next(modulo.parameters()).dtype)[None]  # (1, N, d)
            modulo.eval()
            Y, A = chamar(modulo, lote)
            modulo.train()
            # Com folga: em avaliação o torch pode tomar um atalho que arredonda de outro jeito.
            treinos = [chamar(modulo, lote)[0] for _ in range(CHAMADAS_NO_TREINO)]
            iguais = all(torch.allclose(T, Y, rtol=1e-4, atol=1e-5) for T in treinos)
        return Y, A, iguais

    return f
