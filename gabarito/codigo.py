"""Transforma uma função do gabarito no texto que um aluno escreveria em uma célula.

Serve para fazer turmas de mentira com o banco: leva junto o que a função usa, e nada mais.
"""

import ast
import inspect
import textwrap
import types
from collections.abc import Callable


def _definicao(funcao: Callable, nome: str) -> ast.FunctionDef:
    """O `def` da função, com outro nome e sem os decoradores."""
    definicao = ast.parse(textwrap.dedent(inspect.getsource(funcao))).body[0]
    if not isinstance(definicao, ast.FunctionDef):
        raise ValueError(f"{nome}: declare com def, e não com lambda")
    definicao.decorator_list = []
    definicao.name = nome
    return definicao


def _nomes_usados(definicao: ast.FunctionDef) -> list[str]:
    """Os nomes que a função procura; os atributos (o `softmax` de `torch.softmax`) não são nomes."""
    return sorted({no.id for no in ast.walk(definicao) if isinstance(no, ast.Name)})


def como_resposta(funcao: Callable, nome: str) -> str:
    """O texto de uma célula que define `nome` com o código de `funcao`."""
    importacoes: dict[str, None] = {}
    definicoes: dict[str, str] = {}

    def juntar(f: Callable, apelido: str) -> None:
        definicao = _definicao(f, apelido)
        definicoes[apelido] = ""  # marca antes de descer: uma função pode usar a si mesma
        for usado in _nomes_usados(definicao):
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
        definicoes[apelido] = ast.unparse(definicao)

    juntar(funcao, nome)
    # As auxiliares vêm antes de quem as usa, para que a célula se leia de cima para baixo.
    corpo = [d for apelido, d in definicoes.items() if apelido != nome] + [definicoes[nome]]
    return "\n".join([*importacoes, *corpo])
