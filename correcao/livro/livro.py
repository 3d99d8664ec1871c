"""O livro de notas antes de o nbgrader o abrir: onde está, e o que o impede de responder, em uma frase."""

import contextlib
import datetime
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

import nbgrader.api
from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import scoped_session, sessionmaker

from correcao.comum.reserva import pasta_fechada
from gabarito.no_nbgrader import sem_o_programa_alembic
from helpers.conferencia.por_dentro import trocar
from helpers.gravacao import de_uma_vez

COPIAS = "copias"  # onde `corrigir` guarda cópias datadas do livro
QUANTAS_COPIAS = 10  # do livro de notas
ESPERA = 5.0  # segundos por um livro que outro programa está usando


def um_motor_so() -> Callable[[], None]:
    """Daqui em diante, neste processo, o nbgrader abre o livro sempre com o mesmo motor do SQLAlchemy.

    Ele faz um novo a cada consulta, e com ele se vai tudo o que o SQLAlchemy tinha aprendido: um terço do que custava
    percorrer o caminho do nbgrader com uma entrega. E confere a cada vez, nove por entrega, se as tabelas e o curso
    existem: basta a primeira. As conexões continuam a ser abertas e fechadas a cada vez, menos em `conexao_guardada`.

    Devolve o que desfaz isto, para quem continua vivo depois de corrigir, como o formgrader, e pode encontrar o livro
    trocado por outro.
    """
    trocar(nbgrader.api, "create_engine", cache(create_engine))
    trocar(Gradebook, "__init__", _abrir_o_ja_conferido)
    _CONFERIDOS.clear()
    sem_o_programa_alembic()
    return _um_motor_de_cada_vez


def _um_motor_de_cada_vez() -> None:
    trocar(nbgrader.api, "create_engine", create_engine)
    trocar(Gradebook, "__init__", _CONFERIR_E_ABRIR)


_CONFERIR_E_ABRIR = Gradebook.__init__
_CONFERIDOS: set[tuple[str, str]] = set()  # o endereço do livro, e o curso


def _abrir_o_ja_conferido(self: Gradebook, db_url: str, course_id: str = "default_course", *resto: Any) -> None:
    if (db_url, course_id) not in _CONFERIDOS:
        _CONFERIR_E_ABRIR(self, db_url, course_id, *resto)
        _CONFERIDOS.add((db_url, course_id))
        return
    if aberto := _ABERTO.get(None):
        self.engine, self.db = Sem(aberto.engine, "dispose"), Sem(aberto.db, "remove")
    else:
        motor = nbgrader.api.create_engine(db_url, echo=False, future=True)
        self.engine = Sem(motor, "dispose") if _GUARDAR.get(False) else motor
        self.db = scoped_session(sessionmaker(autoflush=True, bind=motor, future=True))
    self.course_id, self.authenticator = course_id, resto[0] if resto else None


_ABERTO: ContextVar[Gradebook | None] = ContextVar("livro aberto")
_GUARDAR: ContextVar[bool] = ContextVar("guardar a conexão")


@contextlib.contextmanager
def conexao_guardada(endereco: str) -> Iterator[None]:
    """Nesta thread e neste bloco, quem fecha o livro deixa a conexão para o próximo que o abra; com `um_motor_so`.

    Abrir uma é ler outra vez o esquema inteiro, e uma entrega o faz dez vezes. Parada, ela não prende nada no livro.
    """
    antes = _GUARDAR.set(True)
    try:
        yield
    finally:
        _GUARDAR.reset(antes)
        nbgrader.api.create_engine(endereco, echo=False, future=True).dispose()


@contextlib.contextmanager
def aberto_por_todo(endereco: str, curso: str) -> Iterator[None]:
    """Nesta thread e neste bloco, quem abre o livro recebe um só, que não esquece, ao gravar, o que já leu.

    O nbgrader abre um para cada pergunta. Só onde ninguém mais grava no meio, e com `um_motor_so`.
    """
    with Gradebook(endereco, curso) as livro:
        livro.db().expire_on_commit = False
        antes = _ABERTO.set(livro)
        try:
            yield
        finally:
            _ABERTO.reset(antes)


class DeUmaVez:
    """O livro de notas com o que se vai buscar nele já na mão, e que só se grava no fim.

    O nbgrader vai a ele, e grava, a cada célula: para uma entrega, trinta buscas e quinze gravações.
    """

    def __init__(self, livro: Gradebook, **na_mao: dict[str, Any]):
        self._livro, self._na_mao = livro, na_mao  # o nome do método → nome da célula → o que ele devolve
        self.db = Sem(livro.db, "commit")  # fica para `gravar`

    def __getattr__(self, metodo: str) -> Any:
        if metodo not in self._na_mao:
            return getattr(self._livro, metodo)
        return lambda celula, *_: self._buscar(metodo, celula)

    def _buscar(self, metodo: str, celula: str) -> Any:
        if celula not in self._na_mao[metodo]:
            raise MissingEntry(f"{metodo}: não há a célula {celula}")
        return self._na_mao[metodo][celula]

    def gravar(self) -> None:
        self._livro.db.commit()


class Sem:
    """O mesmo objeto, mas um dos seus métodos não faz nada."""

    def __init__(self, inteiro: Any, metodo: str):
        self._inteiro, self._metodo = inteiro, metodo

    def __getattr__(self, nome: str) -> Any:
        return (lambda: None) if nome == self._metodo else getattr(self._inteiro, nome)


class LivroIndisponivel(Exception):
    """O livro de notas não responde; o texto diz o que fazer."""


def arquivo_do_livro(endereco: str) -> Path | None:
    """O arquivo do livro de notas, exista ou não; None quando ele está em um servidor, que cuida de si."""
    url = make_url(endereco)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def conferir_o_livro(endereco: str) -> None:
    """LivroIndisponivel se o arquivo não se deixa ler: o nbgrader faria tabelas novas por cima de um estragado."""
    arquivo = arquivo_do_livro(endereco)
    if arquivo is None or not arquivo.exists():
        return
    try:
        so_leitura = f"{arquivo.resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(so_leitura, uri=True, timeout=ESPERA)) as conexao:
            if conexao.execute("pragma quick_check").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("malformed")
    except sqlite3.DatabaseError as erro:
        raise LivroIndisponivel(explicar(endereco, str(erro))) from None


class _SemRastro(logging.Filter):
    """O nbgrader despeja na tela, pelo registro do tornado, o rastro do erro que também levanta."""

    def filter(self, registro: logging.LogRecord) -> bool:
        return not str(registro.msg).startswith("Rolling back session due to database error")


logging.getLogger("tornado.application").addFilter(_SemRastro())


def do_banco(erro: BaseException) -> DatabaseError | None:
    """O erro do banco que está por trás deste: o nbgrader os troca por um InvalidEntry."""
    if isinstance(erro, InvalidEntry):
        return erro.__context__ if isinstance(erro.__context__, DatabaseError) else None
    return erro if isinstance(erro, DatabaseError) else None


def em_portugues(erro: str) -> str:
    """O que o SQLite disse de um disco em que não coube; o resto fica nas palavras dele."""
    cheio = "disk is full" in erro or "disk I/O error" in erro
    return "o disco está cheio, ou há um limite no tamanho dos arquivos" if cheio else erro


def explicar(endereco: str, erro: str) -> str:
    """O que o SQLite (ou o servidor) disse, em uma frase em português."""
    onde = arquivo_do_livro(endereco) or "do servidor"
    if "locked" in erro:
        return f"O livro de notas {onde} está em uso por outro programa; feche-o e rode de novo."
    if isinstance(onde, Path) and not onde.parent.is_dir():
        return f"A pasta da turma, {onde.parent}, não existe; crie-a, ou acerte a variável CURSO_TURMA, e rode de novo."
    if "readonly" in erro or "unable to open" in erro:
        return f"Não consegui abrir o livro de notas {onde}; confira as permissões do arquivo e da pasta."
    if "malformed" in erro or "not a database" in erro:
        return (
            f"O livro de notas {onde} está estragado; troque-o por uma das cópias de {COPIAS}/, ou mude o nome dele "
            "para recomeçar com um vazio, e rode de novo."
        )
    return f"O livro de notas {onde} não respondeu ({em_portugues(erro)}); nada se perdeu: tente de novo."


def guardar_copia(endereco: str, raiz: Path) -> Path | None:
    """Uma cópia datada do livro de notas antes de mexer nele; ficam as últimas. None se ele não é um arquivo daqui."""
    livro = arquivo_do_livro(endereco)
    if livro is None or not livro.is_file():
        return None
    pasta = pasta_fechada(raiz / COPIAS)
    destino = pasta / f"gradebook-{datetime.datetime.now():%Y%m%d-%H%M%S}.db"
    try:
        with (
            de_uma_vez(destino) as provisorio,
            contextlib.closing(sqlite3.connect(livro)) as de,
            contextlib.closing(sqlite3.connect(provisorio)) as para,
        ):
            de.backup(para)
    except sqlite3.Error as erro:
        dito = f"Não consegui guardar uma cópia do livro de notas em {pasta}: {em_portugues(str(erro))}."
        raise LivroIndisponivel(f"{dito} Nada foi feito; resolva isso e rode de novo.") from None
    for velha in sorted(pasta.glob("gradebook-*.db"))[:-QUANTAS_COPIAS]:
        velha.unlink()
    return destino
