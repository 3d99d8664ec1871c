"""Transforma uma função ou uma classe do gabarito no texto que um aluno escreveria em uma célula.

Serve para fazer turmas de mentira com o banco: leva junto o que a resposta usa, e nada mais.
"""

import ast
import inspect
import sys
import textwrap
import types
from collections.abc import Callable

Definicao = ast.FunctionDef | ast.ClassDef


def _definicao(resposta: Callable, nome: str) -> Definicao:
    """O `def` ou o `class` da resposta, com outro nome e sem os decoradores."""
    definicao = ast.parse(textwrap.dedent(inspect.getsource(resposta))).body[0]
    if not isinstance(definicao, Definicao):
        raise ValueError(f"{nome}: declare com def ou class, e não com lambda")
    if isinstance(definicao, ast.ClassDef) and definicao.name == "_":
        # o Python 3.11 procura o texto de uma classe pelo nome, e acharia o da primeira `_` do arquivo
        raise ValueError(f"{nome}: dê um nome próprio a cada classe do gabarito")
    antigo = definicao.name
    definicao.decorator_list = []
    definicao.name = nome
    for no in ast.walk(definicao):  # `super(Antigo, self)` e quem se chama a si mesmo
        if isinstance(no, ast.Name) and no.id == antigo:
            no.id = nome
    return definicao


def _globais(resposta: Callable) -> dict:
    return vars(sys.modules[resposta.__module__])


def _nomes_usados(definicao: Definicao) -> list[str]:
    """Os nomes que a resposta procura; os atributos (o `softmax` de `torch.softmax`) não são nomes."""
    return sorted({no.id for no in ast.walk(definicao) if isinstance(no, ast.Name)})


def como_resposta(resposta: Callable, nome: str) -> str:
    """O texto de uma célula que define `nome` com o código de `resposta`."""
    importacoes: dict[str, None] = {}
    definicoes: dict[str, str] = {}

    def juntar(r: Callable, apelido: str) -> None:
        definicao = _definicao(r, apelido)
        globais = _globais(r)
        definicoes[apelido] = ""  # marca antes de descer: uma função pode usar a si mesma
        for usado in _nomes_usados(definicao):
            valor = globais.get(usado)
            if usado in definicoes:
                continue
            if isinstance(valor, types.ModuleType):
                importacoes[f"import {valor.__name__} as {usado}"] = None
            elif isinstance(valor, types.FunctionType | type) and valor.__module__ == r.__module__:
                juntar(valor, usado)
            elif isinstance(valor, types.FunctionType | type):
                importacoes[f"from {valor.__module__} import {valor.__name__} as {usado}"] = None
            elif usado in globais:
                definicoes[usado] = f"{usado} = {valor!r}"
        del definicoes[apelido]  # volta ao fim da fila: o que ela usa (uma classe de que herda) já está definido
        definicoes[apelido] = ast.unparse(definicao)

    juntar(resposta, nome)
    return "\n".join([*importacoes, *definicoes.values()])
