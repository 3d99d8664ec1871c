"""Para conferir uma questão sem o erro de outra, de que ela depende: saídas certas, trancadas com as entradas delas.

A resposta certa da outra questão não vai para o aluno. Vai, para os casos visíveis, o que ela devolve em cada chamada
que a solução faz; e só lê uma saída quem chega à entrada certa, porque a chave é a própria entrada, arredondada. Se o
aluno chama a função de outro jeito, não há o que emprestar: só a correção, que tem a certa, sabe dizer.
"""

import base64
import copy
import hashlib
import inspect
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.conferencia.codificacao import codificar, decodificar

_LADO = 1e-3  # da casa em que cada número da entrada é arredondado: duas contas certas caem na mesma
_DESVIO = 0.377  # para que um número redondo nunca caia entre duas casas
_ALGARISMOS = 8  # do que se guarda: mais do que a tolerância pede, menos do que muda de um computador a outro
Tabela = dict[str, str]  # chave da entrada → saída trancada


class NaoHa(Exception):
    """A função foi chamada com o que não está na tabela."""


class Emprestada:
    """No lugar de uma função do aluno: devolve o que está na tabela.

    `usada` diz se alguém a chamou; `faltou`, se algo foi pedido e não havia.
    """

    def __init__(self, assinatura: str, tabela: Tabela):
        self.assinatura, self.tabela, self.usada, self.faltou = assinatura, tabela, False, False

    def __call__(self, *entradas: Any, **opcoes: Any) -> Any:
        self.usada = True
        try:
            segredo = segredo_da(self.assinatura, entradas, opcoes)
            texto = destrancar(segredo, self.tabela[nome_da(segredo)])
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as erro:
            self.faltou = True
            raise NaoHa from erro
        return _como(entradas, decodificar(json.loads(texto)))


def _como(entradas: tuple, saida: Any) -> Any:
    """Arrays para quem deu arrays, tensores para quem deu tensores."""
    if isinstance(saida, tuple):
        return tuple(_como(entradas, s) for s in saida)
    if isinstance(saida, np.ndarray) and any(hasattr(e, "detach") for e in entradas):
        import torch

        return torch.from_numpy(saida)
    return saida


def guardar(assinatura: str, chamadas: list[tuple[tuple, dict[str, Any], Any]]) -> Tabela:
    """A tabela de (entradas, opções, saída). O que se arredonda para a mesma entrada, com outra saída, fica de fora."""
    textos: dict[bytes, set[str]] = {}
    for entradas, opcoes, saida in chamadas:
        texto = json.dumps(_arredondar(codificar(saida, por_extenso=True)))
        textos.setdefault(segredo_da(assinatura, entradas, opcoes), set()).add(texto)
    return {nome_da(s): trancar(s, *saidas) for s, saidas in textos.items() if len(saidas) == 1}


def segredo_da(assinatura: str, entradas: tuple, opcoes: dict[str, Any]) -> bytes:
    """Um resumo do nome e das entradas: o mesmo por posição ou por nome, e para listas, arrays e tensores."""
    molde: dict[str, Any] = {}
    exec(f"def {assinatura}: pass", molde)
    nome = assinatura.partition("(")[0]
    dadas = inspect.signature(molde[nome]).bind(*entradas, **opcoes)
    dadas.apply_defaults()
    resumo = hashlib.sha256(nome.encode())
    for valor in dadas.arguments.values():
        resumo.update(_em_bytes(valor))
    return resumo.digest()


def _em_bytes(valor: Any) -> bytes:
    """O que da entrada conta: os números, arredondados; os textos, as listas e os dicionários deles, como são."""
    if isinstance(valor, str):
        return repr(valor).encode()
    if isinstance(valor, dict):
        return b"{" + b",".join(_em_bytes(k) + b":" + _em_bytes(valor[k]) for k in sorted(valor)) + b"}"
    if isinstance(valor, list | tuple) and any(isinstance(v, str) for v in valor):
        return b"[" + b",".join(map(_em_bytes, valor)) + b"]"
    a = np.asarray(valor.detach() if hasattr(valor, "detach") else valor, dtype=float)
    finitos = np.nan_to_num(a, nan=-math.pi, posinf=1e9, neginf=-1e9)
    return repr(a.shape).encode() + np.floor(finitos / _LADO + _DESVIO).astype(np.int64).tobytes()


def nome_da(segredo: bytes) -> str:
    return hashlib.sha256(b"nome" + segredo).hexdigest()[:16]


def trancar(segredo: bytes, texto: str) -> str:
    return base64.b64encode(_misturar(segredo, texto.encode())).decode()


def destrancar(segredo: bytes, trancado: str) -> str:
    return _misturar(segredo, base64.b64decode(trancado)).decode()


def _misturar(segredo: bytes, dados: bytes) -> bytes:
    fluxo = hashlib.shake_256(b"saida" + segredo).digest(len(dados))
    return bytes(a ^ b for a, b in zip(dados, fluxo, strict=True))


def _arredondar(dado: Any) -> Any:
    if isinstance(dado, float):
        return float(f"{dado:.{_ALGARISMOS}g}")
    if isinstance(dado, dict):
        return {k: _arredondar(v) for k, v in dado.items()}
    return [_arredondar(v) for v in dado] if isinstance(dado, list) else dado


def anotada(funcao: Callable, chamadas: list) -> Callable:
    """A mesma função, que anota com que foi chamada e o que devolveu."""

    def anotar(*entradas: Any, **opcoes: Any) -> Any:
        antes = copy.deepcopy(entradas)
        saida = funcao(*entradas, **opcoes)
        chamadas.append((antes, opcoes, copy.deepcopy(saida)))  # quem chamou pode escrever no que recebeu
        return saida

    return anotar
