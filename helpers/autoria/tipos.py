"""A função do aluno devolve o tipo do que recebeu, qualquer que seja a biblioteca com que ele a escreveu.

Uma lista aceita respostas em NumPy e em PyTorch. Uma aula, que usa a função no meio de outras contas, não tem como
saber qual foi: com arrays na entrada, saem arrays; com tensores, tensores, do mesmo tipo de número.
"""

import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np


def como_na_entrada(funcao: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(funcao)
    def chamada(*entradas: Any, **opcoes: Any) -> Any:
        saida = funcao(*entradas, **opcoes)
        if "torch" not in sys.modules:
            return saida
        tensores = list(_tensores([*entradas, *opcoes.values()]))
        return _em_tensores(saida, tensores) if tensores else _em_arrays(saida)

    return chamada


def _tensores(valores: Iterable[Any]) -> Iterator[Any]:
    import torch

    for valor in valores:
        if isinstance(valor, torch.Tensor):
            yield valor
        elif isinstance(valor, list | tuple):
            yield from _tensores(valor)


def _em_arrays(valor: Any) -> Any:
    import torch

    if isinstance(valor, torch.Tensor):
        return valor.detach().numpy()[()]  # o de dimensão zero vira um número
    return _por_dentro(valor, _em_arrays)


def _em_tensores(valor: Any, entradas: list[Any]) -> Any:
    import torch

    if isinstance(valor, np.ndarray | torch.Tensor):
        tensor = torch.as_tensor(valor)
        reais = [e.dtype for e in entradas if e.is_floating_point()]
        return tensor.to(reais[0]) if reais and tensor.is_floating_point() else tensor
    return _por_dentro(valor, lambda v: _em_tensores(v, entradas))


def _por_dentro(valor: Any, trocar: Callable[[Any], Any]) -> Any:
    """Só o que é exatamente uma tupla ou uma lista: o resto volta como veio."""
    return type(valor)(map(trocar, valor)) if type(valor) in (tuple, list) else valor
