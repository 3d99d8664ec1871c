"""O que se lê no texto de uma resposta e o resultado dela não conta. Só se diz a quem errou.

Cada pista é certa: não há resposta boa, das que se escrevem nestas listas, em que ela apareça sem querer.
"""

import ast
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

RETURN_NO_LACO = "return-no-laco"
ORDEM_INSTAVEL = "ordem-instavel"  # só explica quem acertou os valores e errou mais adiante, nos empates
MEMORIA = "memoria-por-preencher"  # não se lê no texto: quem a nota é `execucao`, com o lixo de `memoria`
FRASES = {
    RETURN_NO_LACO: "O `return` da linha {0} está dentro do laço: a função termina na primeira volta.",
    "conta-perdida": "A linha {0} faz uma conta e não guarda o resultado: falta um nome e um = antes dela?",
    "circunflexo": "Na linha {0} há um `^`, que em Python não é a potência: use `**`.",
    ORDEM_INSTAVEL: (
        "A linha {0} escolhe por uma ordenação que não guarda a ordem dos empatados: em um empate, quem vem primeiro "
        'depende do computador. Procure o maior sem ordenar, ou peça uma ordenação estável (`kind="stable"`).'
    ),
    MEMORIA: (
        "A linha {0} deixa posições por escrever (um `where=` sem `out=`, ou um `empty`), e a sua conta lê o que já "
        "estava na memória ali. Comece com zeros: `out=np.zeros(…)`, ou `np.zeros`."
    ),
}
# métodos que devolvem outro array e não mudam o que receberam
_DEVOLVEM_OUTRO = {
    *("masked_fill", "transpose", "reshape", "view", "permute", "swapaxes", "softmax", "flatten", "unsqueeze"),
    *("squeeze", "copy", "clone", "astype", "clip", "clamp", "sum", "mean", "max", "min", "round"),
}

# e funções do NumPy e do torch que fazem o mesmo; o append de uma lista muda a lista, e o do NumPy, não
_FUNCOES = {"append", "concatenate", "stack", "vstack", "hstack", "cat", "exp", "log", "sqrt", "where", "matmul", "dot"}


def dizer(achadas: dict[str, int]) -> str:
    """A frase da primeira pista, na ordem em que estão em FRASES; vazia se não há nenhuma."""
    return next((frase.format(achadas[nome]) for nome, frase in FRASES.items() if nome in achadas), "")


def procurar(resposta: Any) -> dict[str, int]:
    """As pistas de uma função ou de uma classe, e a linha de cada uma; vazio quando o texto não está à mão."""
    metodos = vars(resposta).values() if isinstance(resposta, type) else [resposta]
    achadas: dict[str, int] = {}
    for funcao in metodos:
        if isinstance(funcao, types.FunctionType):
            for nome, linha in _da_funcao(funcao):
                achadas.setdefault(nome, linha)
    return achadas


def _da_funcao(funcao: types.FunctionType) -> Iterator[tuple[str, int]]:
    try:
        arvore = ast.parse(textwrap.dedent(inspect.getsource(funcao)))
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    antes = funcao.__code__.co_firstlineno - 1
    for no in ast.walk(arvore):
        for nome, ver in _VER.items():
            if (achado := ver(no)) is not None:
                yield nome, antes + achado.lineno


def _return_no_laco(no: ast.AST) -> ast.stmt | None:
    """Um `for` que devolve sem condição nenhuma: nunca dá a segunda volta. (Com `continue`, é uma busca.)"""
    if not isinstance(no, ast.For) or any(isinstance(n, ast.Continue | ast.Break) for n in ast.walk(no)):
        return None
    return next((passo for passo in no.body if isinstance(passo, ast.Return)), None)


def _conta_perdida(no: ast.AST) -> ast.stmt | None:
    """Uma linha que é só uma conta, ou a chamada de quem devolve outro array."""
    if isinstance(no, ast.For) and isinstance(no.target, ast.Name):  # for bloco in blocos: bloco(x)
        chamadas = [(p, p.value.func) for p in no.body if isinstance(p, ast.Expr) and isinstance(p.value, ast.Call)]
        return next((p for p, quem in chamadas if ast.unparse(quem) == no.target.id), None)
    if not isinstance(no, ast.Expr):
        return None
    if isinstance(no.value, ast.BinOp | ast.Compare):
        return no
    chamado = no.value.func if isinstance(no.value, ast.Call) else None
    if not isinstance(chamado, ast.Attribute):
        return None
    de_biblioteca = ast.unparse(chamado.value) in ("np", "torch", "F") and chamado.attr in _FUNCOES
    return no if de_biblioteca or chamado.attr in _DEVOLVEM_OUTRO else None


def _circunflexo(no: ast.AST) -> ast.expr | None:
    return no if isinstance(no, ast.BinOp) and isinstance(no.op, ast.BitXor) else None


def _ordem_instavel(no: ast.AST) -> ast.expr | None:
    """Do maior para o menor com um argsort, ou o primeiro, o último ou o avesso de um: no empate, qualquer um."""
    if isinstance(no, ast.Subscript):
        lugar = ast.unparse(no.slice)
        return no if lugar in ("0", "-1", "-2", "::-1") and _argsort(no.value) else None
    if not _argsort(no):
        return None
    assert isinstance(no, ast.Call)
    return no if no.args and isinstance(no.args[0], ast.UnaryOp) else None


def _argsort(no: ast.AST) -> bool:
    """Uma ordenação de índices que não promete nada aos empatados?"""
    if not isinstance(no, ast.Call) or not isinstance(no.func, ast.Attribute | ast.Name):
        return False
    nome = no.func.attr if isinstance(no.func, ast.Attribute) else no.func.id
    estavel = any(k.arg == "stable" or (k.arg == "kind" and "stable" in ast.unparse(k.value)) for k in no.keywords)
    return nome in ("argsort", "argpartition") and not estavel


_VER: dict[str, Callable[[ast.AST], ast.stmt | ast.expr | None]] = {
    RETURN_NO_LACO: _return_no_laco,
    "conta-perdida": _conta_perdida,
    "circunflexo": _circunflexo,
    ORDEM_INSTAVEL: _ordem_instavel,
}
