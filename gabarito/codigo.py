"""Transforma uma função do gabarito no texto que um aluno escreveria em uma célula.

Serve para fazer turmas de mentira com o banco: leva junto o que a função usa, e nada mais.
"""

import ast
import inspect
import textwrap
import types
from collections.abc import Callable


def _nomes_usados(codigo: types.CodeType) -> set[str]:
    """Os nomes globais que a função, ou uma função dentro dela, procura."""
    nomes = set(codigo.co_names)
    for constante in codigo.co_consts:
        if isinstance(constante, types.CodeType):
            nomes |= _nomes_usados(constante)
    return nomes


def _definicao(funcao: Callable, nome: str) -> str:
    """O `def` da função, com outro nome e sem os decoradores."""
    arvore = ast.parse(textwrap.dedent(inspect.getsource(funcao)))
    definicao = arvore.body[0]
    if not isinstance(definicao, ast.FunctionDef):
        raise ValueError(f"{nome}: declare com def, e não com lambda")
    definicao.decorator_list = []
    definicao.name = nome
    return ast.unparse(definicao)


def como_resposta(funcao: Callable, nome: str) -> str:
    """O texto de uma célula que define `nome` com o código de `funcao`."""
    importacoes: dict[str, None] = {}
    definicoes: dict[str, str] = {}

    def juntar(f: Callable, apelido: str) -> None:
        definicoes[apelido] = ""  # marca antes de descer: uma função pode usar a si mesma
        for usado in sorted(_nomes_usados(f.__code__)):
            valor = f.__globals__.get(usado)
            if isinstance(valor, types.ModuleType):
                importacoes[f"import {valor.__name__} as {usado}"] = None
            elif isinstance(valor, types.FunctionType) and valor.__module__ == f.__module__:
                if usado not in definicoes:
                    juntar(valor, usado)
            elif isinstance(valor, types.FunctionType | type):
                importacoes[f"from {valor.__module__} import {valor.__name__} as {usado}"] = None
            elif usado in f.__globals__:
                definicoes[usado] = f"{usado} = {valor!r}"
        definicoes[apelido] = _definicao(f, apelido)

    juntar(funcao, nome)
    # As auxiliares vêm antes de quem as usa, para que a célula se leia de cima para baixo.
    corpo = [d for apelido, d in definicoes.items() if apelido != nome] + [definicoes[nome]]
    return "\n".join([*importacoes, *corpo])
