"""Lê, de um notebook de lista, só o que é preciso para ter uma função dele: sem rodar o notebook.

Do notebook servem as importações, as definições e as atribuições simples, e delas só as que a função usa. O resto
(treinos, figuras, arquivos, comandos do IPython) não roda.
"""

import ast
import builtins
import json
import linecache
import re
import symtable
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

_DEFINICOES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ATRIBUICOES = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_IMPORTACOES = (ast.Import, ast.ImportFrom)
# Uma atribuição que chama um destes lê ou grava um arquivo, pergunta algo ou treina: não é simples.
_FORA = frozenset(
    (
        *("open", "input", "exec", "eval", "compile", "exit", "quit", "print", "display", "get_ipython", "breakpoint"),
        *("carregar", "load", "loadtxt", "genfromtxt", "save", "savez", "savetxt", "savefig", "urlopen", "system"),
        *("read_text", "read_bytes", "write_text", "write_bytes", "popen", "run", "backward", "step"),
        *("subplots", "figure"),
    )
)
_SO_TEMPO = ("%%time", "%%timeit", "%%capture", "%%prun")  # o resto da célula é Python


class NotebookIlegivel(ValueError):
    """O arquivo não é um notebook que se possa ler."""


@dataclass(frozen=True)
class Comando:
    """Um comando de uma célula, dos que servem."""

    no: ast.stmt
    arquivo: str  # de que célula veio, como aparece em um erro
    celula: int
    define: frozenset[str]
    usa: frozenset[str]
    estrela: bool = False  # um `from … import *`, que pode definir qualquer nome


@dataclass
class Caderno:
    """Os comandos que servem em um notebook de lista, em ordem."""

    lista: str  # "lista-02"
    fontes: list[str]  # o texto das células de código
    questoes: frozenset[str] = frozenset()  # as funções que a lista pede
    quebradas: list[str] = field(default_factory=list)  # o texto das células que não são Python

    @cached_property
    def comandos(self) -> list[Comando]:
        return [c for i, fonte in enumerate(self.fontes) for c in self._da_celula(i, fonte)]

    def _da_celula(self, i: int, fonte: str) -> Iterator[Comando]:
        texto = sem_magicas(fonte)
        arquivo = f"<{self.lista}, célula de código {i + 1}>"
        try:
            arvore = ast.parse(texto, arquivo)
        except (SyntaxError, ValueError):
            self.quebradas.append(fonte)
            return
        linecache.cache[arquivo] = (len(texto), None, texto.splitlines(True), arquivo)  # para os erros e as pistas
        for no in arvore.body:
            if _serve(no, self.questoes):
                yield Comando(no, arquivo, i, frozenset(_define(no)), frozenset(_usa(no)), _estrela(no))

    def ate_a_conferencia(self, questao: str) -> list[Comando]:
        """Os que vêm antes da célula que confere a questão: é o que vale quando ela roda. Sem ela, todos."""
        chamada = re.compile(rf"""conferir\(\s*["']{questao}["']""")  # com as aspas: um nome pode ser o começo de outro
        alvo = [i for i, fonte in enumerate(self.fontes) if chamada.search(fonte)]
        return [c for c in self.comandos if not alvo or c.celula <= alvo[0]]

    def precisa(self, nome: str, questao: str) -> tuple[list[Comando], list[str]]:
        """Os comandos de que `nome` precisa, e os nomes de fora que nenhum deles define."""
        comandos = self.ate_a_conferencia(questao)
        quer, escolhidos = {nome}, [c for c in comandos if c.estrela]
        while novos := [c for c in comandos if c.define & quer and c not in escolhidos]:
            escolhidos += novos
            quer |= {usado for c in novos for usado in c.usa}
        definidos = {definido for c in escolhidos for definido in c.define} | set(dir(builtins)) | {"__name__"}
        faltam = [] if any(c.estrela for c in escolhidos) else sorted(quer - definidos)
        return sorted(escolhidos, key=comandos.index), faltam

    def importa_de_minhas(self) -> list[str]:
        """Os nomes que a lista traz de outras, por `from helpers.minhas import …`."""
        nos = [c.no for c in self.comandos if isinstance(c.no, ast.ImportFrom)]
        return [a.name for no in nos if no.module == "helpers.minhas" for a in no.names]

    def erro_de_sintaxe(self, nome: str) -> str | None:
        """Onde está o erro, se a célula que define `nome` não é Python."""
        if any(nome in c.define for c in self.comandos):
            return None
        for fonte in self.quebradas:
            if re.search(rf"^\s*(def|class)\s+{nome}\b", fonte, re.M):
                try:
                    ast.parse(sem_magicas(fonte))
                except SyntaxError as erro:
                    return f"A célula de `{nome}` tem um erro de sintaxe na linha {erro.lineno}"
        return None

    def esta_por_escrever(self, nome: str, questao: str) -> bool:
        """A resposta ainda é a que veio na lista?"""
        definicoes = [c.no for c in self.ate_a_conferencia(questao) if nome in c.define]
        if self.erro_de_sintaxe(nome):
            return False
        return not definicoes or any(_e_esboco(no) for no in ast.walk(definicoes[-1]))


def ler(caminho: Path, lista: str, questoes: Iterable[str]) -> Caderno:
    """O caderno de um arquivo .ipynb; NotebookIlegivel se não é um."""
    try:
        celulas = json.loads(caminho.read_text(encoding="utf-8"))["cells"]
        fontes = ["".join(c["source"]) for c in celulas if c["cell_type"] == "code"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as erro:
        raise NotebookIlegivel(str(caminho)) from erro
    return Caderno(lista, fontes, frozenset(questoes))


def montar(comandos: list[Comando], nome_do_modulo: str) -> dict[str, Any]:
    """Roda os comandos, e nada mais, em um espaço só deles."""
    espaco = vars(types.ModuleType(nome_do_modulo))
    for comando in comandos:
        exec(compile(ast.Module([comando.no], []), comando.arquivo, "exec", dont_inherit=True), espaco)
    return espaco


def sem_magicas(fonte: str) -> str:
    """A célula sem os comandos do IPython, com as linhas nos mesmos números."""
    primeira = fonte.lstrip().split("\n", 1)[0]
    if primeira.startswith("%%") and not primeira.startswith(_SO_TEMPO):
        return ""  # a célula é de outra linguagem
    linhas = [("" if _e_magica(linha) else linha) for linha in fonte.split("\n")]
    return "\n".join(linhas)


def _e_magica(linha: str) -> bool:
    return linha.lstrip().startswith(("%", "!", "?")) or linha.rstrip().endswith("?")


def _serve(no: ast.stmt, questoes: frozenset[str]) -> bool:
    if isinstance(no, (*_IMPORTACOES, *_DEFINICOES)):
        return True
    if isinstance(no, _ATRIBUICOES):
        return no.value is not None and not (_chamadas(no.value) & (_FORA | questoes))
    if isinstance(no, ast.If | ast.Try):  # `try: import …`, `if CONDICAO: def …`
        partes = [*no.body, *no.orelse, *getattr(no, "finalbody", [])]
        partes += [c for tratador in getattr(no, "handlers", []) for c in tratador.body]
        return all(isinstance(parte, ast.Pass) or _serve(parte, questoes) for parte in partes)
    return False


def _chamadas(no: ast.AST) -> set[str]:
    """Os nomes do que se chama em uma expressão, sem contar o que está dentro de um lambda, que ainda não roda."""
    if isinstance(no, ast.Lambda):
        return set()
    nomes = {n for filho in ast.iter_child_nodes(no) for n in _chamadas(filho)}
    if isinstance(no, ast.Call):
        nomes.add(no.func.id if isinstance(no.func, ast.Name) else getattr(no.func, "attr", ""))
    return nomes


def _estrela(no: ast.stmt) -> bool:
    return isinstance(no, ast.ImportFrom) and any(a.name == "*" for a in no.names)


def _define(no: ast.stmt) -> Iterator[str]:
    """Os nomes que o comando cria ou muda (`GPT.forward = …` muda GPT)."""
    if isinstance(no, _IMPORTACOES):
        yield from ((a.asname or a.name).partition(".")[0] for a in no.names)
    elif isinstance(no, _DEFINICOES):
        yield no.name
    elif isinstance(no, _ATRIBUICOES):
        for alvo in no.targets if isinstance(no, ast.Assign) else [no.target]:
            yield from _raizes(alvo)
        yield from (n.target.id for n in ast.walk(no) if isinstance(n, ast.NamedExpr))
    else:
        for parte in ast.iter_child_nodes(no):
            if isinstance(parte, ast.ExceptHandler):
                yield from (nome for c in parte.body for nome in _define(c))
            elif isinstance(parte, ast.stmt):
                yield from _define(parte)


def _raizes(alvo: ast.expr) -> Iterator[str]:
    if isinstance(alvo, ast.Name):
        yield alvo.id
    elif isinstance(alvo, ast.Tuple | ast.List):
        for parte in alvo.elts:
            yield from _raizes(parte)
    elif isinstance(alvo, ast.Starred | ast.Attribute | ast.Subscript):
        yield from _raizes(alvo.value)


def _usa(no: ast.stmt) -> Iterator[str]:
    """Os nomes do notebook de que o comando precisa, seus ou das funções que ele define."""
    tabela = symtable.symtable(ast.unparse(no), "<célula>", "exec")
    yield from (s.get_name() for s in tabela.get_symbols() if s.is_referenced())
    if isinstance(no, ast.AugAssign):
        yield from _raizes(no.target)
    yield from _usa_por_dentro(tabela)


def _usa_por_dentro(tabela: symtable.SymbolTable) -> Iterator[str]:
    for dentro in tabela.get_children():
        yield from (s.get_name() for s in dentro.get_symbols() if s.is_global() and s.is_referenced())
        yield from _usa_por_dentro(dentro)


def _e_esboco(no: ast.AST) -> bool:
    """Uma função que, fora a docstring, só tem `raise NotImplementedError`?"""
    if not isinstance(no, ast.FunctionDef):
        return False
    (*antes, fim) = no.body
    if not isinstance(fim, ast.Raise) or fim.exc is None or any(not isinstance(c, ast.Expr) for c in antes):
        return False
    erro = fim.exc.func if isinstance(fim.exc, ast.Call) else fim.exc
    return isinstance(erro, ast.Name) and erro.id == "NotImplementedError"
