"""O que uma testemunha traz, lido com desconfiança: veio do kernel do aluno, e pode ter sido escrita por qualquer um.

Cada leitor confere o tipo, a forma, o tamanho e se os números são finitos, antes que alguém faça conta com eles. O que
não é como o combinado levanta DadoInvalido: a testemunha não confirma. Qualquer outro erro é nosso.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from helpers.conferencia.codificacao import DadoInvalido

LIMITE = 1e6  # nenhum número de uma resposta certa chega perto


def tupla(valor: Any, tamanho: int) -> tuple | list:
    if not isinstance(valor, tuple | list) or len(valor) != tamanho:
        raise DadoInvalido(f"não é uma tupla de {tamanho}")
    return valor


def inteiros(valor: Any, forma: Sequence[int]) -> Tensor:
    """Um tensor int64 dessa forma."""
    if not isinstance(valor, Tensor) or valor.dtype != torch.int64:
        raise DadoInvalido("não é um tensor de inteiros")
    return _com_a_forma(valor, forma)


def algarismos(valor: Any, forma: Sequence[int]) -> Tensor:
    """Um tensor int64 dessa forma, de inteiros de 0 a 9, escritos um depois do outro em um texto."""
    if not isinstance(valor, str) or not (valor.isascii() and valor.isdecimal()) or len(valor) != math.prod(forma):
        raise DadoInvalido("não é um texto de algarismos")
    return torch.from_numpy(np.frombuffer(valor.encode(), dtype=np.uint8) - ord("0")).long().view(*forma)


def reais(valor: Any, forma: Sequence[int]) -> Tensor:
    """Um tensor float64 dessa forma, de números finitos, a partir de um tensor ou de um array de reais."""
    tensor = torch.from_numpy(valor) if isinstance(valor, np.ndarray) and valor.dtype.kind == "f" else valor
    if not isinstance(tensor, Tensor) or not tensor.is_floating_point():
        raise DadoInvalido("não é um tensor de reais")
    tensor = _com_a_forma(tensor, forma).double()
    if not bool((tensor.abs() <= LIMITE).all()):  # NaN também não passa
        raise DadoInvalido("há números que não são finitos, ou enormes")
    return tensor


def floats(valor: Any, quantos: int) -> list[float]:
    """Uma lista de floats finitos do Python."""
    if not isinstance(valor, list) or len(valor) != quantos or not all(type(v) is float for v in valor):
        raise DadoInvalido(f"não é uma lista de {quantos} floats")
    if not all(abs(v) <= LIMITE for v in valor):
        raise DadoInvalido("há números que não são finitos, ou enormes")
    return valor


def parametros(valor: Any, formas: Mapping[str, Sequence[int]]) -> dict[str, Tensor]:
    """Os parâmetros de um modelo: {nome: tensor de reais}, com esses nomes, e nenhum outro."""
    if not isinstance(valor, dict) or set(valor) != set(formas):
        raise DadoInvalido("não são os parâmetros pedidos")
    return {nome: reais(valor[nome], forma) for nome, forma in formas.items()}


def _com_a_forma(tensor: Tensor, forma: Sequence[int]) -> Tensor:
    if tuple(tensor.shape) != tuple(forma):
        raise DadoInvalido(f"a forma não é {tuple(forma)}")
    return tensor
