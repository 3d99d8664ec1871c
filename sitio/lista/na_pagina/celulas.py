"""As células de uma lista: qual é qual, e como se roda uma. O que o IPython faz no notebook, aqui é isto."""

import ast
import contextlib
import linecache
import re
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from helpers.autoria.recorte import sem_magicas
from helpers.conferencia import na_celula
from helpers.conferencia.erros import o_que_quer_dizer, onde_parou
from helpers.conferencia.flagrante import anotar
from helpers.conferencia.na_tela import Conferencia
from sitio.lista.na_pagina.sem_torch import SemTorch, nome_sem_torch

LIMITE = 100_000  # caracteres que se mostram cada vez que uma célula roda
PREPARO = "preparo"
_NAO_RODAM = ("veja", "engane", "mapa")  # a página as faz de outro jeito
_CONFERE = "confere-"


@dataclass(frozen=True)
class Celula:
    id: str
    nome: str  # o grade_id do nbgrader; vazio em um rascunho
    texto: str

    @property
    def roda(self) -> bool:
        return not self.nome.startswith(_CONFERE) and self.nome not in _NAO_RODAM

    def confere(self, questao: str) -> bool:
        return bool(re.search(rf"""conferir\(\s*["']{re.escape(questao)}["']""", self.texto))


@dataclass(frozen=True)
class Parada:
    """Uma célula que não chegou ao fim."""

    celula: str
    frase: str
    linha: int | None = None
    sem_torch: bool = False


@dataclass
class Espaco:
    """Os nomes do notebook, e o que já rodou neles."""

    nomes: dict[str, Any] = field(default_factory=dict)
    rodadas: list[Celula] = field(default_factory=list)
    paradas: dict[str, Parada] = field(default_factory=dict)  # id da célula → por que ela não chegou ao fim

    def recomecar(self) -> None:
        modulo = types.ModuleType("__main__")
        sys.modules["__main__"] = modulo  # é onde o motor da conferência procura os nomes do notebook
        self.nomes, self.rodadas, self.paradas = vars(modulo), [], {}

    def por_em_dia(self, celulas: list[Celula]) -> None:
        """Roda estas, em silêncio, menos as que já rodaram e não mudaram; se uma mudou, todas de novo."""
        if celulas[: len(self.rodadas)] != self.rodadas or not self.nomes:
            self.recomecar()
        for celula in celulas[len(self.rodadas) :]:
            with escrevendo(Escritor()):
                self.rodar(celula)
            self.rodadas.append(celula)

    def rodar(self, celula: Celula) -> tuple[Any, Parada | None]:
        """(o valor da última expressão, por que parou)."""
        valor, parada = _rodar(celula, self.nomes)
        self.paradas.pop(celula.id, None)
        if parada is not None:
            self.paradas[celula.id] = parada
        return valor, parada


def _rodar(celula: Celula, nomes: dict[str, Any]) -> tuple[Any, Parada | None]:
    arquivo = f"<célula {celula.id}>"
    texto = sem_magicas(celula.texto)
    linecache.cache[arquivo] = (len(texto), None, texto.splitlines(True), arquivo)
    try:
        comandos = _comandos(texto, arquivo, por_partes=celula.nome == PREPARO)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as erro:
        na_celula.lembrar(celula.texto, erro)
        return None, _de_sintaxe(celula, erro, texto)
    na_celula.lembrar(celula.texto, None)
    valor = None
    try:
        for comando in comandos:
            try:
                valor = eval(comando, nomes)  # de um comando que não é expressão, None
            except SemTorch:
                if celula.nome != PREPARO:  # o preparo é da lista, e importa o torch mesmo sem precisar dele aqui
                    raise
                nomes.update({nome: nome_sem_torch for nome in comando.co_names if nome not in nomes})
    except KeyboardInterrupt:  # quem para a célula é a página
        raise
    except BaseException as erro:
        return None, _do_erro(celula, erro)
    return valor, None


def _comandos(texto: str, arquivo: str, por_partes: bool) -> list[types.CodeType]:
    """A célula compilada; a última expressão à parte, porque é o valor dela; `por_partes`, comando por comando."""
    corpo = ast.parse(texto, arquivo).body
    fim = corpo.pop() if corpo and isinstance(corpo[-1], ast.Expr) and not texto.rstrip().endswith(";") else None
    grupos = [[no] for no in corpo] if por_partes else [corpo] if corpo else []
    feitos = [compile(ast.Module(g, []), arquivo, "exec", dont_inherit=True) for g in grupos]
    if isinstance(fim, ast.Expr):
        feitos.append(compile(ast.Expression(fim.value), arquivo, "eval", dont_inherit=True))
    return feitos


def _de_sintaxe(celula: Celula, erro: BaseException, texto: str) -> Parada:
    linha = erro.lineno if isinstance(erro, SyntaxError) else None
    linhas = texto.splitlines()
    trecho = linhas[linha - 1].strip()[:80] if linha and linha <= len(linhas) else ""
    onde = f" na linha {linha}" if linha else ""
    onde += f" (`{trecho}`)" if trecho else ""
    return Parada(celula.id, f"A célula tem um erro de sintaxe{onde}, e por isso nada dela rodou.", linha)


def _do_erro(celula: Celula, erro: BaseException) -> Parada:
    rastro = erro.__traceback__
    while rastro is not None and rastro.tb_frame.f_code.co_filename == __file__:
        rastro = rastro.tb_next
    linha = rastro.tb_lineno if rastro is not None else None
    if isinstance(erro, SemTorch | Conferencia):
        return Parada(celula.id, str(erro), linha, isinstance(erro, SemTorch))
    if isinstance(erro, SystemExit):
        return Parada(celula.id, "A célula encerrou o programa (exit ou quit), e parou ali.", linha)
    anotado = anotar(erro.with_traceback(rastro))
    frase = f"{onde_parou(anotado, 'Ao rodar', 'a célula')} {o_que_quer_dizer(anotado)}"
    return Parada(celula.id, frase.rstrip(), linha)


# ---------------------------------------------------------------- o que se escreve na tela


class Escritor:
    """O que um print escreve: até o limite, e a quem quiser ver na hora."""

    encoding = "utf-8"

    def __init__(self, mostrar: Callable[[str], None] = lambda _texto: None):
        self.partes: list[str] = []
        self.resta, self.cortado, self._mostrar = LIMITE, False, mostrar

    def write(self, texto: str) -> int:
        cabe = texto[: self.resta]
        self.cortado = self.cortado or len(cabe) < len(texto)
        self.resta -= len(cabe)
        if cabe:
            self.partes.append(cabe)
            self._mostrar(cabe)
        return len(texto)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def texto(self) -> str:
        return "".join(self.partes)


@contextlib.contextmanager
def escrevendo(escritor: Any) -> Iterator[None]:
    with contextlib.redirect_stdout(escritor), contextlib.redirect_stderr(escritor):
        yield
