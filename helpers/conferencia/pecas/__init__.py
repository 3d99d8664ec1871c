"""Peças: o que uma questão precisa e não é dado puro.

Uma questão pode receber uma função (é dado o nome de quem a constrói, e os parâmetros) ou pedir um objeto que não é
dado, como um módulo do torch (o adaptador o chama e devolve o que ele fez). O arquivo `lista_NN.py`, aqui, tem as peças
da lista NN; o nome "lista_04.cabeca" é a função `cabeca` dele.
"""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_NOME = re.compile(r"(lista|aula)_\d\d\.[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Funcao:
    """Uma entrada que é função: chega ao aluno construída por `peca(nome)(**parametros)`."""

    nome: str
    parametros: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Gerador:
    """Uma entrada que é um gerador de números do NumPy, com a semente dada."""

    semente: int


def semente_alta(rng: np.random.Generator) -> int:
    """Uma semente que ninguém escolheria: quem usa as suas (0, 42, 1234) não pode dar com as nossas.

    Fica abaixo de 2³¹ porque o gerador do torch só usa os últimos 32 bits.
    """
    return int(rng.integers(2**29, 2**30)) * 2 + 1


def que_veio(valor: Any) -> str:
    """O que uma resposta devolveu no lugar do que devia, em poucas palavras."""
    if valor is None:
        return "None (falta um return?)"
    if isinstance(valor, tuple | list):
        return f"uma {'tupla' if isinstance(valor, tuple) else 'lista'} de {len(valor)}"
    if hasattr(valor, "shape"):
        return f"um array de forma {tuple(valor.shape)}"
    return f"um valor do tipo {type(valor).__name__}"


def pesos_que_somam_1(S: np.ndarray) -> np.ndarray:
    """As pontuações viram pesos, em cada linha. Não é a softmax, que é a resposta de uma questão.

    Para saber se uma função comuta com uma permutação, ou se ela vaza o futuro, tanto faz: também aqui -inf dá zero,
    todas as colunas entram na soma, e uma pontuação gigante estoura.
    """
    positivos = np.maximum(1 + S / 128, 0) ** 128
    return positivos / positivos.sum(axis=-1, keepdims=True)


class ComTestemunha:
    """Uma resposta adaptada, com o que o adaptador viu na última chamada, para quem não confia no que ele diz.

    O adaptador a recebe, antes das entradas, e é ele quem a preenche.
    """

    def __init__(self, adaptador: Callable):
        self.adaptador = adaptador
        self.testemunha: Any = None

    def __call__(self, *entradas: Any) -> Any:
        self.testemunha = None
        return self.adaptador(self, *entradas)


def peca(nome: str) -> Callable:
    """A peça com esse nome. Só nomes de peças servem: daqui não se chega a outro módulo."""
    if not _NOME.fullmatch(nome):
        raise ValueError(f"nome de peça inválido: {nome!r}")
    modulo, atributo = nome.split(".")
    return getattr(importlib.import_module(f"helpers.conferencia.pecas.{modulo}"), atributo)
