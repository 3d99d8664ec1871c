"""Quem lê uma posição que ninguém escreveu lê o que havia na memória: às vezes o certo. Aqui, nunca.

`np.divide(a, b, where=…)` sem `out=`, `np.empty` e os parecidos dão, enquanto a resposta roda, um array com NaN (ou
um inteiro absurdo) onde nada foi escrito. Quem depois preenche tudo não nota; quem não preenche erra em toda máquina.
"""

import contextlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from helpers.conferencia.por_dentro import trocar

_COM_WHERE = ("divide", "true_divide", "multiply", "add", "subtract", "sqrt", "log", "exp", "power")
_VAZIOS = ("empty", "empty_like")
_DE_LONGE = 3  # de função em função, até onde se procura quem usa um desses nomes


class Lixo:
    """O que se põe onde ninguém escreveu, e a linha da última vez em que se pôs."""

    def __init__(self) -> None:
        self.limpo = False  # zeros no lugar do lixo: é assim que se sabe se ele mudou alguma coisa
        self.linha = 0

    def valor(self, especie: str) -> float | int | None:
        sujo = float("nan") if especie in "fc" else 99 if especie in "iu" else None
        return 0 if self.limpo and sujo is not None else sujo

    def em_tudo(self, saida: Any, _opcoes: dict) -> bool:
        if isinstance(saida, np.ndarray):
            if (valor := self.valor(saida.dtype.kind)) is not None:
                saida.fill(valor)
        else:  # um tensor
            especie = "f" if saida.is_floating_point() else "b" if "bool" in str(saida.dtype) else "i"
            if (valor := self.valor(especie)) is not None:
                saida.fill_(valor)
        return True

    def no_que_sobrou(self, saida: Any, opcoes: dict) -> bool:
        """Onde o `where` é falso, se não havia um `out`."""
        onde = opcoes.get("where", True)
        if opcoes.get("out") is not None or onde is True or not isinstance(saida, np.ndarray):
            return False
        if (valor := self.valor(saida.dtype.kind)) is not None:
            np.copyto(saida, valor, where=~np.asarray(onde, dtype=bool))
        return True


class _ComLixo:
    """Uma função do NumPy ou do torch, com lixo no que ela deixa por escrever; no mais, é ela mesma."""

    def __init__(self, original: Callable, lixo: Lixo, sujar: Callable[[Any, dict], bool]):
        self._original, self._lixo, self._sujar = original, lixo, sujar

    def __call__(self, *dados: Any, **opcoes: Any) -> Any:
        saida = self._original(*dados, **opcoes)
        if self._sujar(saida, opcoes):
            quadro = inspect.currentframe()
            self._lixo.linha = quadro.f_back.f_lineno if quadro and quadro.f_back else 0
        return saida

    def __getattr__(self, nome: str) -> Any:
        return getattr(self._original, nome)


@contextlib.contextmanager
def sem_sorte(resposta: Any) -> Iterator[Lixo | None]:
    """No bloco, o que a resposta não escreve não se parece com o certo. None para quem não usa nenhum desses nomes."""
    usados = _nomes(resposta, _DE_LONGE)
    lixo = Lixo()
    trocas: list[tuple[Any, str, Callable[[Any, dict], bool]]] = [
        (np, n, lixo.no_que_sobrou) for n in _COM_WHERE if n in usados
    ]
    trocas += [(m, n, lixo.em_tudo) for m in (np, sys.modules.get("torch")) if m for n in _VAZIOS if n in usados]
    trocas = [troca for troca in trocas if troca[1] in vars(troca[0])]  # no site não há torch, só o nome dele
    originais = [(modulo, nome, vars(modulo)[nome]) for modulo, nome, _ in trocas]
    try:
        for (modulo, nome, original), (*_, sujar) in zip(originais, trocas, strict=True):
            trocar(modulo, nome, _ComLixo(original, lixo, sujar))
        yield lixo if trocas else None
    finally:
        for modulo, nome, original in originais:
            trocar(modulo, nome, original)


def _nomes(resposta: Any, longe: int) -> set[str]:
    """Os que a resposta usa, ela e as funções do mesmo notebook que ela chama."""
    metodos = vars(resposta).values() if isinstance(resposta, type) else [resposta]
    achados: set[str] = set()
    for funcao in metodos:
        if isinstance(funcao, types.FunctionType):
            diretos = _do_codigo(funcao.__code__)
            achados |= diretos
            outras = (funcao.__globals__.get(nome) for nome in diretos) if longe else ()
            for outra in outras:
                if isinstance(outra, types.FunctionType) and outra.__globals__ is funcao.__globals__:
                    achados |= _nomes(outra, longe - 1)
    return achados


def _do_codigo(codigo: types.CodeType) -> set[str]:
    dentro = (c for c in codigo.co_consts if isinstance(c, types.CodeType))
    return {*codigo.co_names}.union(*map(_do_codigo, dentro))
