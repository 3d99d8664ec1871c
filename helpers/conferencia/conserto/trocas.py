"""As trocas que se experimentam no texto de uma resposta: cada uma põe outra coisa em um campo da árvore, e desfaz.

São as que um aluno faria ao achar o seu erro: outro eixo, uma transposta, um sinal, um nome por outro. Nenhuma escreve
uma conta que não estava lá; por isso só chega à resposta certa quem já estava a uma ou duas delas.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from helpers.conferencia.conserto import contas, linhas


@dataclass
class Troca:
    """Um campo de um nó com outro valor; `que` é o assunto dela, e `trecho`, a expressão do aluno que ela muda."""

    no: ast.AST
    campo: str
    novo: Any
    linha: int
    que: str
    trecho: ast.expr | None = None
    _velho: Any = field(default=None, repr=False)

    def fazer(self) -> None:
        self._velho = getattr(self.no, self.campo)
        setattr(self.no, self.campo, self.novo)

    def desfazer(self) -> None:
        setattr(self.no, self.campo, self._velho)


def trocas(definicao: ast.FunctionDef, funcoes: list[str]) -> Iterator[Troca]:
    """Todas as de uma função, uma por vez, sem mudar os argumentos que ela recebe. `funcoes` são as que ela pode ter
    esquecido de chamar."""
    nomes = _nomes(definicao)
    for pai in list(ast.walk(definicao)):
        if isinstance(pai, ast.arguments | ast.arg):
            continue
        for campo, filho, por in _filhos(pai):
            if isinstance(filho, ast.expr) and campo not in ("returns", "decorator_list", "targets", "annotation"):
                linha = getattr(filho, "lineno", getattr(pai, "lineno", 0))
                for nova in contas.outras(filho, pai, campo, nomes):
                    yield Troca(pai, campo, por(nova.no), linha, nova.que, filho)
                for nova in contas.chamadas(filho, pai, campo, funcoes):
                    yield Troca(pai, campo, por(nova.no), linha, nova.que, filho)
        for campo in ("body", "orelse"):
            passos = getattr(pai, campo, None)
            if isinstance(passos, list):
                for linha, novos, que in linhas.outras(passos, pai, definicao):
                    yield Troca(pai, campo, novos, linha, que)


def _filhos(pai: ast.AST) -> Iterator[tuple[str, ast.AST, Callable[[ast.AST], Any]]]:
    """Cada filho, o campo em que está, e o valor que o campo teria com outro no lugar dele."""
    for campo, valor in ast.iter_fields(pai):
        if isinstance(valor, ast.AST):
            yield campo, valor, lambda novo: novo
        elif isinstance(valor, list):
            for i, filho in enumerate(valor):
                if isinstance(filho, ast.AST):
                    yield campo, filho, partial(_trocado, valor, i)


def _trocado(lista: list, i: int, novo: ast.AST) -> list:
    return [*lista[:i], novo, *lista[i + 1 :]]


def _nomes(definicao: ast.FunctionDef) -> list[str]:
    """Os argumentos e os nomes que a função cria, na ordem em que aparecem."""
    argumentos = [a.arg for a in (*definicao.args.posonlyargs, *definicao.args.args, *definicao.args.kwonlyargs)]
    guardados = [n.id for n in ast.walk(definicao) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return list(dict.fromkeys([*argumentos, *guardados]))
