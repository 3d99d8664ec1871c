"""O que as trocas de contas e as de linhas dividem."""

import ast
import copy
from dataclasses import dataclass
from typing import Any


@dataclass
class Nova:
    """Uma expressão para pôr no lugar de outra, e o assunto da troca (ver FALAS)."""

    no: ast.expr
    que: str


def com(no: Any, **campos: Any) -> Any:
    """O mesmo nó, com estes campos no lugar dos que tinha; os filhos são os mesmos."""
    novo = copy.copy(no)
    for campo, valor in campos.items():
        setattr(novo, campo, valor)
    return novo


def constante(valor: Any) -> ast.expr:
    if isinstance(valor, int) and not isinstance(valor, bool) and valor < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-valor))
    return ast.Constant(valor)


def inteiro(no: ast.AST) -> int | None:
    """O inteiro que está escrito ali, também com um sinal antes; None se é outra coisa."""
    if isinstance(no, ast.UnaryOp) and isinstance(no.op, ast.USub):
        valor = inteiro(no.operand)
        return None if valor is None else -valor
    e_inteiro = isinstance(no, ast.Constant) and type(no.value) is int
    return no.value if e_inteiro else None  # type: ignore[attr-defined]


def chamado(no: ast.AST) -> str:
    """O último nome de uma chamada: "sum" de np.sum(x) e de x.sum(); vazio se não é uma chamada com nome."""
    if not isinstance(no, ast.Call):
        return ""
    return no.func.attr if isinstance(no.func, ast.Attribute) else getattr(no.func, "id", "")


def de_modulo(no: ast.Call) -> bool:
    """A chamada é a de uma função de biblioteca (np.sum), e não a de um método (x.sum)?"""
    return isinstance(no.func, ast.Attribute) and ast.unparse(no.func.value) in MODULOS


MODULOS = ("np", "numpy", "torch", "F", "math", "np.linalg", "torch.nn.functional", "nn.functional", "torch.linalg")
