"""Uma lista que muda depois de corrigida: o que mudou, e como o livro de notas da turma passa para a nova.

O nbgrader não deixa pôr nem tirar células de uma lista que já tem entregas. Aqui o livro muda em uma transação só: o
que sai leva as notas dele, o que entra espera a correção, e o que fica guarda as suas, na escala nova.
"""

import datetime
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Comment, Grade, Gradebook, GradeCell, MissingEntry, Notebook, SolutionCell, SourceCell
from nbgrader.utils import is_grade, is_locked, is_solution

from correcao.chegada.recebimento import ler_emitida
from correcao.comum.anotacao import nome_da_resposta
from correcao.comum.trava import NaoDaParaCorrigir
from correcao.livro import anuladas
from correcao.livro.livro import COPIAS, guardar_copia
from helpers import RAIZ
from helpers.escrita import numero

_COMANDO = "python curso.py corrigir {} --lista-nova"


@dataclass
class Mudanca:
    """O que há de diferente entre a lista do livro de notas, que já tem entregas, e a de release/."""

    entram: list[str] = field(default_factory=list)  # as questões, pelo nome
    saem: list[str] = field(default_factory=list)
    pontos: dict[str, tuple[float, float]] = field(default_factory=dict)  # questão → antes e depois
    celulas: bool = False  # entram ou saem células que não valem pontos
    textos: bool = False  # o que está escrito nelas

    @property
    def pede_licenca(self) -> bool:
        """Um texto novo não muda a nota de ninguém; o resto, sim."""
        return bool(self.entram or self.saem or self.pontos or self.celulas)

    def __str__(self) -> str:
        partes = [f"entra {nome}" for nome in self.entram] + [f"sai {nome}" for nome in self.saem]
        partes += [f"{nome} passa de {numero(de)} para {numero(a)}" for nome, (de, a) in self.pontos.items()]
        return ", ".join(partes) or "há células a mais ou a menos"


def _no_livro(livro: Gradebook, lista: str) -> Notebook | None:
    """O notebook da lista, se ele já tem entregas."""
    try:
        achado = livro.find_notebook(lista, lista)
    except MissingEntry:
        return None
    return achado if achado.submissions else None


def comparar(livro: Gradebook, lista: str, emitida: NotebookNode) -> Mudanca:
    """A mudança; vazia, se ainda não há entregas corrigidas."""
    guardado = _no_livro(livro, lista)
    if guardado is None:
        return Mudanca()
    pontos = {c.name: c.max_score for c in guardado.grade_cells}
    textos = {c.name: c.source for c in guardado.source_cells}
    return _diferenca((pontos, textos, {c.name for c in guardado.solution_cells}), _retrato(emitida))


Retrato = tuple[dict[str, float], dict[str, str], set[str]]  # os pontos das células, os textos, as respostas


def _retrato(emitida: NotebookNode) -> Retrato:
    pontos = {_nome(c): float(c.metadata.nbgrader.points) for c in emitida.cells if is_grade(c)}
    textos = {_nome(c): c.source for c in emitida.cells if _e_da_lista(c)}
    return pontos, textos, {_nome(c) for c in emitida.cells if is_solution(c)}


def _diferenca(de: Retrato, a: Retrato) -> Mudanca:
    (antes, textos, respostas), (depois, novos, novas) = de, a
    return Mudanca(
        [nome_da_resposta(q) for q in depois if q not in antes],
        [nome_da_resposta(q) for q in antes if q not in depois],
        {nome_da_resposta(q): (antes[q], depois[q]) for q in depois if q in antes and antes[q] != depois[q]},
        celulas=textos.keys() != novos.keys() or respostas != novas,
        textos=textos != novos,
    )


def que_a_turma_nao_tem(coursedir: Any, lista: str) -> str | None:
    """Uma turma em outra pasta tem uma cópia da lista: se a do curso mudou depois, em que, e como passar para ela."""
    do_curso = RAIZ / "release" / lista / f"{lista}.ipynb"
    if Path(coursedir.root).resolve() == RAIZ.resolve() or not do_curso.is_file():
        return None
    nova = nbformat.read(do_curso, as_version=4)
    mudanca = _diferenca(_retrato(ler_emitida(coursedir, lista)), _retrato(nova))
    if not mudanca.pede_licenca:
        return None
    return (
        f"A {lista} do curso mudou ({mudanca}), e esta turma, que tem uma cópia própria, é corrigida pela de antes. "
        f"Para passá-la para a nova: {_COMANDO.format(lista.split('-')[1])}"
    )


def aplicar(livro: Gradebook, lista: str, emitida: NotebookNode) -> None:
    """Faz do livro o da lista nova. Ou muda tudo, ou nada muda."""
    guardado = _no_livro(livro, lista)
    if guardado is None:
        return
    try:
        _notas(livro.db, guardado, {_nome(c): c for c in emitida.cells if is_grade(c)})
        _comentarios(livro.db, guardado, {_nome(c) for c in emitida.cells if is_solution(c)})
        _textos(livro.db, guardado, {_nome(c): c for c in emitida.cells if _e_da_lista(c)})
        livro.db.commit()
    except BaseException:
        livro.db.rollback()
        raise


def _notas(db: Any, guardado: Notebook, novas: dict[str, NotebookNode]) -> None:
    antigas = {c.name: c for c in guardado.grade_cells}
    for nome, celula in novas.items():
        vale, tipo = float(celula.metadata.nbgrader.points), celula.cell_type
        if nome not in antigas:
            nova = GradeCell(name=nome, notebook=guardado, max_score=vale, cell_type=tipo)
            db.add_all([nova, *(Grade(cell=nova, notebook=entregue) for entregue in guardado.submissions)])
            continue
        escala = vale / antigas[nome].max_score if antigas[nome].max_score else 1.0
        for nota in antigas[nome].grades:
            nota.auto_score = None if nota.auto_score is None else nota.auto_score * escala
            nota.manual_score = None if nota.manual_score is None else nota.manual_score * escala
        anuladas.na_escala(db, antigas[nome].grades, escala)
        antigas[nome].max_score, antigas[nome].cell_type = vale, tipo
    for nome in antigas.keys() - novas.keys():
        _apagar(db, antigas[nome], antigas[nome].grades)


def _comentarios(db: Any, guardado: Notebook, novas: set[str]) -> None:
    antigas = {c.name: c for c in guardado.solution_cells}
    for nome in sorted(novas - antigas.keys()):
        nova = SolutionCell(name=nome, notebook=guardado)
        db.add_all([nova, *(Comment(cell=nova, notebook=entregue) for entregue in guardado.submissions)])
    for nome in antigas.keys() - novas:
        _apagar(db, antigas[nome], antigas[nome].comments)


def _textos(db: Any, guardado: Notebook, novas: dict[str, NotebookNode]) -> None:
    antigas = {c.name: c for c in guardado.source_cells}
    for nome, celula in novas.items():
        guardada = antigas.get(nome) or SourceCell(name=nome, notebook=guardado)
        guardada.cell_type, guardada.locked, guardada.source = celula.cell_type, is_locked(celula), celula.source
        guardada.checksum = celula.metadata.nbgrader.get("checksum")
        db.add(guardada)
    for nome in antigas.keys() - novas.keys():
        _apagar(db, antigas[nome], [])


def _apagar(db: Any, celula: Any, filhas: list[Any]) -> None:
    for coisa in [*filhas, celula]:
        db.delete(coisa)
    db.flush()


def por_em_dia(coursedir: Any, lista: str, com_licenca: bool = False) -> Mudanca:
    """Passa o livro para a lista de release/, se ela mudou; o que muda notas, só com licença, e com uma cópia antes."""
    if com_licenca:
        _trazer_do_curso(coursedir, lista)
    emitida = ler_emitida(coursedir, lista)
    with Gradebook(coursedir.db_url, coursedir.course_id) as livro:
        mudanca = comparar(livro, lista, emitida)
        if mudanca.pede_licenca and not com_licenca:
            comando = _COMANDO.format(lista.split("-")[1])
            raise NaoDaParaCorrigir(
                f"A {lista} mudou depois que parte da turma foi corrigida: {mudanca}. Nada foi feito. Para passar a "
                f"turma para a nova, sem perder o livro de notas: {comando}"
            )
        if mudanca.pede_licenca or mudanca.textos:
            guardar_copia(coursedir.db_url, Path(coursedir.root))
            aplicar(livro, lista, emitida)
    return mudanca


def _trazer_do_curso(coursedir: Any, lista: str) -> None:
    """Em uma turma em outra pasta, a lista é uma cópia: a que lá está vai para copias/, e a do curso toma o lugar."""
    raiz = Path(coursedir.root)
    if raiz.resolve() == RAIZ.resolve():
        return
    for pasta in ("source", "release"):
        da_turma, do_curso = raiz / pasta / lista, RAIZ / pasta / lista
        provisoria = da_turma.with_name(f".{lista}.nova")
        shutil.rmtree(provisoria, ignore_errors=True)
        shutil.copytree(do_curso, provisoria)
        if da_turma.is_dir():
            guardada = raiz / COPIAS / f"{pasta}-{lista}-{datetime.datetime.now():%Y%m%d-%H%M%S-%f}"
            guardada.parent.mkdir(exist_ok=True)
            da_turma.rename(guardada)
        provisoria.rename(da_turma)


def _nome(celula: NotebookNode) -> str:
    return str(celula.metadata.nbgrader.grade_id)


def _e_da_lista(celula: NotebookNode) -> bool:
    return is_grade(celula) or is_solution(celula) or is_locked(celula)
