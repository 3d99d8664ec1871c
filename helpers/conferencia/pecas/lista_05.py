"""As peças da lista 05: o módulo que `para_torch` devolve não é dado; aqui ele é chamado, e o que ele fez é dado."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.conferencia.pecas import ComTestemunha

CERTO = "um nn.MultiheadAttention sem dropout e sem viés"


def _outra_coisa(valor: Any) -> str:
    """O nome do que não é um módulo pedido."""
    if isinstance(valor, type):
        return f"a classe {valor.__name__}, em vez de um módulo"
    if valor is None:
        return "None, em vez de um nn.MultiheadAttention; falta um return?"
    return f"um valor do tipo {type(valor).__name__}, em vez de um nn.MultiheadAttention"


def estado(modulo: Any) -> dict[str, Any]:
    """Tudo o que decide o que um nn.MultiheadAttention faz: com isto, a correção faz outro igual e o chama."""
    pesos = {
        "in_proj_weight": modulo.in_proj_weight,
        "out_proj.weight": modulo.out_proj.weight,
        "in_proj_bias": modulo.in_proj_bias,
        "out_proj.bias": modulo.out_proj.bias,
        "bias_k": modulo.bias_k,
        "bias_v": modulo.bias_v,
    }
    return pesos | {"num_heads": modulo.num_heads, "dropout": modulo.dropout, "batch_first": modulo.batch_first}


def que_modulo(visto: dict[str, Any]) -> str:
    """O módulo por extenso: o viés das chaves não muda a saída, e um dropout pequeno quase nunca; por isso se olha."""
    if visto["dropout"] != 0:
        return "um nn.MultiheadAttention com dropout"
    vieses = [visto[nome] for nome in ("in_proj_bias", "out_proj.bias", "bias_k", "bias_v")]
    if any(vies is not None and bool((vies != 0).any()) for vies in vieses):
        return "um nn.MultiheadAttention com viés diferente de zero"
    return CERTO


def para_torch(resposta: Callable) -> Callable:
    """A resposta do aluno vira uma função que devolve dados: que módulo é, a saída dele e os pesos de cada cabeça.

    Com `so_os_pesos`, a saída não se olha: é a parte da questão que só precisa de W_Q e W_K.
    """
    import torch

    def f(
        este: ComTestemunha, W_Q: Any, W_K: Any, W_V: Any, W_O: Any, h: int, X: np.ndarray, so_os_pesos: bool
    ) -> tuple:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(5)  # pesos que o aluno deixou sorteados saem sempre iguais
            modulo = resposta(W_Q, W_K, W_V, W_O, h)
            if not isinstance(modulo, torch.nn.MultiheadAttention):
                # zeros das formas certas, para que o que se leia seja a primeira parte
                return _outra_coisa(modulo), np.zeros(X.shape), np.zeros((h, len(X), len(X)))
            lote = torch.as_tensor(X).to(next(modulo.parameters()).dtype)[None]  # (1, N, d)
            este.testemunha = estado(modulo)
            que = que_modulo(este.testemunha)
            modulo.eval()
            # O forward da própria classe: o de uma subclasse não usaria os pesos copiados.
            forward = torch.nn.MultiheadAttention.forward
            Y, A = forward(modulo, lote, lote, lote, average_attn_weights=False)  # (1, N, d), (1, h, N, N)
        pesos = A[0].detach() if A is not None else np.zeros((h, len(X), len(X)))
        return que, np.zeros(X.shape) if so_os_pesos else Y[0].detach(), pesos

    return ComTestemunha(f)
