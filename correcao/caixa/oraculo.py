"""Responde, do lado de fora da caixa, pelas funções que uma entrega pode chamar e não pode ver.

A pergunta vem do kernel do aluno: lê-se como dados, com tamanho limitado, e só escolhe uma das funções do pedido.
"""

import builtins
import json
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from correcao.comum import memoria
from gabarito.base import Questao
from helpers.conferencia.codificacao import DadoInvalido, codificar, decodificar
from helpers.conferencia.pecas import Funcao, peca

MAIOR_PERGUNTA = 1_000_000  # caracteres: as entradas das questões têm poucas dezenas de números
FIM = "\x04"  # para o kernel, o fim do que se digita: quem pede outra coisa recebe um EOFError


class Oraculo:
    """As funções das questões `as_cegas` de uma entrega."""

    def __init__(self) -> None:
        self._funcoes: dict[tuple, tuple[Callable, tuple[int, int]]] = {}  # cada uma, e a forma do que aceita
        self._dados: list[Any] = []
        self.segundos = 0.0  # de processador, gastos em responder: são da entrega

    @property
    def tem_o_que_responder(self) -> bool:
        return bool(self._funcoes)

    def esconder(self, q: Questao, caso: int, entradas: tuple) -> list[Any]:
        """As entradas de um caso, codificadas, com um lugar vazio onde havia uma função."""
        codificadas = []
        for argumento, entrada in enumerate(entradas):
            if q.as_cegas and isinstance(entrada, Funcao):
                lugar = (q.nome, caso, argumento)
                self._por(lugar, entrada, q.as_cegas(*entradas))
                codificadas.append({"de_fora": list(lugar)})
            else:
                codificadas.append(codificar(entrada))
        return codificadas

    def _por(self, lugar: tuple, funcao: Funcao, forma: tuple[int, int]) -> None:
        self._funcoes[lugar] = peca(funcao.nome)(**funcao.parametros), forma
        self._dados.append([list(lugar), funcao.nome, codificar(funcao.parametros), list(forma)])

    def para_dados(self) -> list[Any]:
        """As funções como dados, para quem as vai responder em outro processo."""
        return self._dados

    @classmethod
    def de_dados(cls, dados: list[Any]) -> "Oraculo":
        oraculo = cls()
        for lugar, nome, parametros, (linhas, colunas) in dados:
            oraculo._por(tuple(lugar), Funcao(nome, decodificar(parametros, confiavel=True)), (linhas, colunas))
        return oraculo

    def responder(self, pergunta: Any) -> str:
        inicio = time.process_time()
        try:
            with memoria.limitada():
                return self._responder(pergunta)
        finally:
            self.segundos += time.process_time() - inicio

    def _responder(self, pergunta: Any) -> str:
        """A saída da função, o que ela deixou na entrada e, se ela lançou um erro, só ele."""
        try:
            (funcao, forma), X = self._ler(pergunta)
        except (DadoInvalido, ValueError, TypeError, KeyError, RecursionError, MemoryError):
            return FIM
        antes = codificar(X)
        try:
            # com mais eixos, ou mais linhas, uma soma ou um produto poderia fazer aqui um array enorme
            if np.ndim(X) != 2 or len(X) > forma[0] or np.shape(X)[1] != forma[1]:
                raise ValueError
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                saida = funcao(X)
        except Exception as erro:  # a entrada é do aluno: o erro também; o texto dele falaria dos pesos da função
            tipo = next(c.__name__ for c in type(erro).__mro__ if hasattr(builtins, c.__name__))
            return json.dumps({"erro": [tipo, "a função f não aceita essa entrada"]})
        depois = codificar(X)
        return json.dumps({"saida": codificar(saida), "entrada": None if depois == antes else depois})

    def _ler(self, pergunta: Any) -> tuple[tuple[Callable, tuple[int, int]], Any]:
        if not isinstance(pergunta, str) or len(pergunta) > MAIOR_PERGUNTA:
            raise ValueError("pergunta grande demais")
        dado = json.loads(pergunta)
        return self._funcoes[tuple(dado["lugar"])], decodificar(dado["entrada"])
