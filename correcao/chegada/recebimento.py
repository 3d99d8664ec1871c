"""O que havia na pasta de uma entrega: que notebook se corrige, com que data, contra que lista emitida."""

import contextlib
import hashlib
import itertools
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.utils import is_grade, is_locked, parse_utc

from correcao import DATA, SEGREDO
from correcao.chegada import entrega
from correcao.comum.anotacao import QuestaoAnotada, nome_da_resposta
from helpers import RAIZ

_TITULO_DA_LISTA = re.compile(r"^# +(.*?)\s*$", flags=re.MULTILINE)
_TITULO = re.compile(r"^## +(.*?)\s*(?:\([\d,.]+ pontos?.*)?$", flags=re.MULTILINE)

_MAIOR_SENHA = 200  # bytes; o nbgrader as faz com 128


def ler_emitida(coursedir: Any, lista: str, notebook: str | None = None) -> Any:
    """A lista como foi distribuída: a da turma ou, se lá não há, a do curso."""
    return nbformat.read(_onde_esta_a_emitida(coursedir, lista, notebook), as_version=4)


def emitida_em_comum(coursedir: Any, lista: str, notebook: str | None = None) -> Any:
    """A mesma, para quem não a muda: enquanto o arquivo é o mesmo, não se lê outra vez a cada entrega."""
    caminho = _onde_esta_a_emitida(coursedir, lista, notebook)
    visto = caminho.stat()
    return _ja_lida(caminho, visto.st_mtime_ns, visto.st_size)


@lru_cache(maxsize=4)
def _ja_lida(caminho: Path, _quando: int, _tamanho: int) -> Any:
    return nbformat.read(caminho, as_version=4)


def _onde_esta_a_emitida(coursedir: Any, lista: str, notebook: str | None) -> Path:
    notebook = notebook or lista
    da_turma = Path(coursedir.format_path(coursedir.release_directory, ".", lista), f"{notebook}.ipynb")
    return da_turma if da_turma.is_file() else RAIZ / "release" / lista / f"{notebook}.ipynb"


def ler_original(coursedir: Any, lista: str, notebook: str | None = None) -> Any:
    """A lista como o instrutor a escreveu, com as rubricas: a da turma ou, se ela não tem, a do curso."""
    notebook = notebook or lista
    da_turma = Path(coursedir.format_path(coursedir.source_directory, ".", lista), f"{notebook}.ipynb")
    for caminho in (da_turma, RAIZ / "source" / lista / f"{notebook}.ipynb"):
        if caminho.is_file():
            return nbformat.read(caminho, as_version=4)
    return nbformat.v4.new_notebook()


def titulo_da_lista(emitida: Any) -> str | None:
    """O da primeira célula que começa com ele."""
    achados = (_TITULO_DA_LISTA.match(c.source) for c in emitida.cells if c.cell_type == "markdown" and is_locked(c))
    return next((achado.group(1) for achado in achados if achado), None)


def questoes_da_lista(emitida: Any) -> list[QuestaoAnotada]:
    """As células que valem pontos, com o título que está acima de cada uma, ainda sem veredito."""
    questoes, titulo = [], None
    for celula in emitida.cells:
        if celula.cell_type == "markdown" and is_locked(celula):
            for achado in _TITULO.finditer(celula.source):
                titulo = achado.group(1).strip()
        if is_grade(celula):
            nome = celula.metadata.nbgrader.grade_id
            questoes.append(QuestaoAnotada(nome, titulo or nome_da_resposta(nome)))
    return questoes


@dataclass
class Recebida:
    """O que havia na pasta de uma entrega: o notebook escolhido, e o que há a dizer da escolha."""

    nome: str
    conteudo: bytes | None
    avisos: list[str]
    data: bytes | None

    @property
    def resumo(self) -> str:
        """Muda quando muda o que seria corrigido, ou a data, de que depende o desconto por atraso."""
        partes = hashlib.sha256(b"nada" if self.conteudo is None else b"|" + self.conteudo)
        partes.update(b"" if self.data is None else b"|" + self.data)
        return partes.hexdigest()


def receber(pasta: Path, notebook: str, emitida: Any) -> Recebida:
    escolha = entrega.escolher(pasta, notebook, emitida)
    conteudo = entrega.ler(escolha.arquivo) if escolha.arquivo else None
    nome = escolha.arquivo.name if escolha.arquivo else ""
    return Recebida(nome, conteudo, list(escolha.avisos), entrega.ler(pasta / DATA, 200))


def antes_de_converter(assignment: str, student: str, notebooks: list[str]) -> None:
    """O `pre_convert_hook`: seja qual for o nome do arquivo entregue, o nbgrader vê o nome da lista.

    A lista de notebooks é a do próprio conversor, e muda no lugar. Uma lista com vários notebooks (não há nenhuma no
    curso) fica com os nomes que tem.
    """
    pasta = Path(notebooks[0]).parent
    nome = unico_notebook(pasta)
    if nome is not None:
        notebooks[:] = [str(pasta / nome)]


def unico_notebook(pasta: Path) -> str | None:
    """O nome do notebook da lista entregue em `pasta`; None se ela tem vários, ou nenhum."""
    emitidos = {p.name for raiz in (pasta.parents[2], RAIZ) for p in (raiz / "release" / pasta.name).glob("*.ipynb")}
    return emitidos.pop() if len(emitidos) == 1 else None


def por_de_lado_a_data_ilegivel(pasta: Path) -> None:
    """O nbgrader deixaria sem nota o aluno cuja data ele não entende."""
    data = pasta / DATA
    if os.path.lexists(data) and not data_legivel(data):
        nomes = (pasta / f"timestamp-ilegivel-{i}" for i in itertools.count(1))
        with contextlib.suppress(OSError):  # em uma pasta só de leitura, o nbgrader é que dirá o que há
            data.rename(next(nome for nome in nomes if not os.path.lexists(nome)))


def papeis(pasta: Path) -> dict[str, bytes]:
    """Os dois arquivos pequenos do nbgrader que seguem com a entrega, nome → conteúdo; só se são o que devem ser."""
    data, senha = entrega.ler(pasta / DATA, 200), entrega.ler(pasta / SEGREDO, _MAIOR_SENHA)
    achados = {DATA: data} if data is not None and data_legivel(pasta / DATA) else {}
    if senha and len(senha) <= _MAIOR_SENHA and re.fullmatch(rb"[!-~]+", senha):  # senão, o release_feedback pararia
        achados[SEGREDO] = senha
    return achados


def e_pasta(caminho: Path) -> bool:
    return caminho.is_dir() and not caminho.is_symlink() and not caminho.parent.is_symlink()


def data_legivel(data: Path) -> bool:
    try:
        if data.is_symlink() or not data.is_file() or data.stat().st_size > 200:
            return False
        texto = data.read_text(encoding="utf-8").strip()
        # quem a lê depois é o nbgrader: vale o que ele entende, se for de uma época em que alguém possa ter entregado
        return not texto or 1970 <= parse_utc(texto).year < 2200
    except Exception:  # o dateutil tem muitos jeitos de não entender
        return False
