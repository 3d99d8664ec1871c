"""As trocas de linhas inteiras: um `return` no lugar errado, duas linhas na ordem trocada, uma que sobra."""

import ast
from collections.abc import Iterator

from helpers.conferencia.conserto.comum import com

Outra = tuple[int, list[ast.stmt], str]  # a linha, as instruções do bloco depois da troca, e o assunto
_MUDAM = (ast.Assign, ast.AugAssign, ast.Expr, ast.If)
_ACUMULA = {ast.Add: (ast.Sub, ast.Mult), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.Div: (ast.Mult,)}


def outras(passos: list[ast.stmt], pai: ast.AST, definicao: ast.FunctionDef) -> Iterator[Outra]:
    if pai is definicao and passos:
        yield from _sem_return(passos)
    for i, passo in enumerate(passos):
        antes, depois = passos[:i], passos[i + 1 :]
        if isinstance(passo, ast.For | ast.While):
            yield from _do_laco(passo, antes, depois)
        if isinstance(passo, ast.Assign) and isinstance(pai, ast.For | ast.While) and len(passo.targets) == 1:
            soma = ast.AugAssign(passo.targets[0], ast.Add(), passo.value)  # type: ignore[arg-type]
            yield passo.lineno, [*antes, soma, *depois], "acumula"
        if isinstance(passo, ast.AugAssign):
            for op in _ACUMULA.get(type(passo.op), ()):
                yield passo.lineno, [*antes, com(passo, op=op()), *depois], "operador"
            yield passo.lineno, [*antes, ast.Assign([passo.target], passo.value), *depois], "acumula"
        if isinstance(passo, _MUDAM) and len(passos) > 1:
            yield passo.lineno, [*antes, *depois], "linha"
        if depois and isinstance(passo, _MUDAM) and isinstance(depois[0], _MUDAM):
            yield passo.lineno, [*antes, depois[0], passo, *depois[1:]], "linhas"


def _sem_return(passos: list[ast.stmt]) -> Iterator[Outra]:
    ultimo = passos[-1]
    if isinstance(ultimo, ast.Expr):
        yield ultimo.lineno, [*passos[:-1], ast.Return(ultimo.value)], "return"
    elif isinstance(ultimo, ast.Assign | ast.AugAssign | ast.For):
        alvo = ultimo.targets[0] if isinstance(ultimo, ast.Assign) else getattr(ultimo, "target", None)
        if isinstance(ultimo, ast.For):
            guardados = [n for n in ast.walk(ultimo) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)]
            alvo = guardados[0].value if guardados else None
        if isinstance(alvo, ast.Name):
            yield ultimo.lineno, [*passos, ast.Return(ast.Name(alvo.id, ast.Load()))], "return"


def _do_laco(laco: ast.For | ast.While, antes: list[ast.stmt], depois: list[ast.stmt]) -> Iterator[Outra]:
    """O que está no laço e devia estar fora dele: o `return`, a linha do começo, a do fim."""
    dentro = laco.body
    if len(dentro) < 2:
        return
    if isinstance(dentro[-1], ast.Return):
        yield dentro[-1].lineno, [*antes, com(laco, body=dentro[:-1]), dentro[-1], *depois], "return"
    elif isinstance(dentro[-1], _MUDAM):
        yield dentro[-1].lineno, [*antes, com(laco, body=dentro[:-1]), dentro[-1], *depois], "laco-linha"
    if isinstance(dentro[0], ast.Assign):
        yield dentro[0].lineno, [*antes, dentro[0], com(laco, body=dentro[1:]), *depois], "laco-linha"
