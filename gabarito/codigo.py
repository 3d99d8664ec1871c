"""O texto de uma célula que um aluno entregaria com uma resposta do gabarito: certa, alternativa ou com um equívoco.

Serve para fazer turmas de mentira: leva junto o que a resposta usa do gabarito, e nada mais.
"""

import ast
import inspect
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

from gabarito.base import Questao, Resposta

Definicao = ast.FunctionDef | ast.ClassDef


def como_celula(q: Questao, resposta: Resposta) -> str:
    """O texto de uma célula que define a função da questão com o código da resposta."""
    certa = f"_{q.funcao}"  # como se chama, na célula, a referência de que a resposta se serve
    junto = _Junto(certa, q.referencia)
    if resposta.trocas:  # o texto já é uma célula; faltam as importações e as constantes
        definicoes = [_sem_gabarito(no) for no in ast.parse(resposta.fonte).body]
        junto.definicoes = {no.name: ast.unparse(no) for no in definicoes}
        for definicao in definicoes:
            junto.levar(definicao, _globais(q.referencia))
    else:
        definicao = _ler(resposta.fonte or _texto(resposta.funcao))
        if resposta.funcao is not q.referencia:
            _renomear_usos(definicao, q.funcao, certa)
        _renomear_usos(definicao, definicao.name, q.funcao)
        definicao.name = q.funcao
        junto.levar(definicao, _globais(q.referencia if resposta.fonte else resposta.funcao))
        junto.definicoes[q.funcao] = ast.unparse(definicao)
    return "\n".join([*junto.importacoes, *junto.definicoes.values()])


def emprestada(q: Questao) -> str:
    """O texto de uma célula que põe a resposta certa no lugar da do aluno, e não mexe em nenhum outro nome dele."""
    certa = como_celula(q, q.certas[0])
    if isinstance(q.referencia, types.FunctionType):
        certa += f"\n{_texto(_de_qualquer_jeito)}\n{q.funcao} = {_de_qualquer_jeito.__name__}({q.funcao})"
    return f"{q.funcao} = (lambda nomes: exec({certa!r}, nomes) or nomes[{q.funcao!r}])({{'__name__': '__main__'}})"


def _de_qualquer_jeito(certa):
    """O aluno pode ter escrito a dele para tensores, ou para listas: a emprestada aceita o que a dele aceitaria."""

    def emprestada(*entradas, **opcoes):
        try:
            return certa(*entradas, **opcoes)
        except Exception:
            import numpy

            tensores = [e for e in entradas if hasattr(e, "detach")]
            sem_grad = [e.detach() if hasattr(e, "detach") else e for e in entradas]
            arrays = [numpy.array(e) if isinstance(e, list | tuple) or hasattr(e, "detach") else e for e in sem_grad]
            saida = certa(*arrays, **opcoes)
            if not tensores:
                return saida
            import torch

            return tuple(map(torch.as_tensor, saida)) if isinstance(saida, tuple) else torch.as_tensor(saida)

    return emprestada


class _Junto:
    """O que uma definição usa: o que é do gabarito vai por extenso; o resto, importado."""

    def __init__(self, certa: str, referencia: Callable):
        self.certa, self.referencia = certa, referencia
        self.importacoes: dict[str, None] = {}
        self.definicoes: dict[str, str] = {}

    def levar(self, definicao: Definicao, globais: dict[str, Any]) -> None:
        globais = {**globais, self.certa: self.referencia}
        for nome in sorted(_de_fora(definicao) & globais.keys() - self.definicoes.keys()):
            valor = globais[nome]
            if isinstance(valor, types.ModuleType):
                self.importacoes[f"import {valor.__name__} as {nome}"] = None
            elif not isinstance(valor, types.FunctionType | type):
                self.definicoes[nome] = f"{nome} = {valor!r}"
            elif valor.__module__.startswith("gabarito."):
                self._definir(nome, valor)
            else:
                self.importacoes[f"from {valor.__module__} import {valor.__name__} as {nome}"] = None

    def _definir(self, nome: str, valor: Callable) -> None:
        definicao = _ler(_texto(valor))
        _renomear_usos(definicao, definicao.name, nome)
        definicao.name = nome
        self.definicoes[nome] = ""  # marca antes de descer: uma função pode usar a si mesma
        self.levar(definicao, _globais(valor))
        del self.definicoes[nome]  # volta ao fim da fila: o que ela usa (uma classe de que herda) já está definido
        self.definicoes[nome] = ast.unparse(definicao)


def _texto(resposta: Callable) -> str:
    return textwrap.dedent(inspect.getsource(resposta))


def _globais(resposta: Callable) -> dict[str, Any]:
    return vars(sys.modules[resposta.__module__])


def _ler(texto: str) -> Definicao:
    return _sem_gabarito(ast.parse(texto).body[0])


def _sem_gabarito(definicao: ast.stmt) -> Definicao:
    """O `def` ou o `class`, sem os decoradores do gabarito e sem a frase."""
    if not isinstance(definicao, Definicao):
        raise ValueError(f"declare com def ou class: {ast.unparse(definicao)}")
    definicao.decorator_list = [d for d in definicao.decorator_list if not _do_gabarito(d)]
    if ast.get_docstring(definicao) is not None:
        definicao.body = definicao.body[1:] or [ast.Pass()]
    return definicao


def _do_gabarito(decorador: ast.expr) -> bool:
    return isinstance(decorador, ast.Attribute) and decorador.attr in ("equivoco", "alternativa")


def _de_fora(definicao: Definicao) -> set[str]:
    """Os nomes que a definição usa e não são dela."""
    nos = list(ast.walk(definicao))
    seus = {no.arg for no in nos if isinstance(no, ast.arg)}
    seus |= {no.id for no in nos if isinstance(no, ast.Name) and isinstance(no.ctx, ast.Store)}
    return {no.id for no in nos if isinstance(no, ast.Name)} - seus - {definicao.name}


def _renomear_usos(definicao: Definicao, antes: str, depois: str) -> None:
    for no in ast.walk(definicao):  # inclusive quem se chama a si mesmo, e `super(Antigo, self)`
        if isinstance(no, ast.Name) and no.id == antes:
            no.id = depois
