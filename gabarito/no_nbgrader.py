"""O curso como o nbgrader o vê: a configuração, as listas e a emissão de uma delas (source/ → release/)."""

import contextlib
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from traitlets.config import Config, PyFileConfigLoader

from helpers import RAIZ
from helpers.conferencia.por_dentro import trocar


def listas_do_curso() -> list[str]:
    """As pastas de source/, em ordem: "lista-01-produto-escalar", …"""
    return sorted(p.name for p in (RAIZ / "source").glob("lista-*") if p.is_dir())


def aulas_do_curso(numero: str = "") -> list[Path]:
    """Os notebooks das aulas, e depois os de `alem/`; com o número ("02"), só os dessa aula."""
    pastas = (RAIZ / "notebooks", RAIZ / "notebooks" / "alem")
    return [p for pasta in pastas for p in sorted(pasta.glob(f"{numero}*.ipynb"))]


def configuracao(raiz: Path | None = None) -> Config:
    """O nbgrader_config.py da raiz; com `raiz`, o curso (source, release, gradebook) fica nessa outra pasta."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(RAIZ)).load_config()
    if raiz is not None:
        config.CourseDirectory.root = str(raiz)
    config.Application.log_level = logging.WARNING
    return config


def sem_o_programa_alembic() -> None:
    """Daqui em diante, neste processo, um livro de notas novo não custa um segundo e meio.

    É o que leva o programa alembic, a que o nbgrader pergunta que versão das tabelas escrever nele.
    """
    import nbgrader.api

    trocar(nbgrader.api, "get_alembic_version", versao_das_tabelas)


@cache
def versao_das_tabelas() -> str:
    import nbgrader.api
    from alembic.script import ScriptDirectory

    return str(ScriptDirectory(str(Path(nbgrader.api.__file__).parent / "alembic")).get_current_head())


def emitir(lista: str, raiz: Path | None = None, coursedir: Any = None) -> str | None:
    """source/LISTA → release/LISTA pelo próprio nbgrader. Devolve o log quando não deu certo.

    Sem `raiz`, a lista é a do curso, e o livro de notas de nenhuma turma muda: quem a põe nele é a correção.
    """
    from nbgrader.apps import NbGraderAPI  # leva segundos, e quem só lê a configuração não precisa dele

    sem_o_programa_alembic()
    destino = (raiz or RAIZ) / "release" / lista
    with tempfile.TemporaryDirectory() as reserva:
        if destino.is_dir():  # o nbgrader apaga a versão antiga antes de saber se consegue fazer a nova
            shutil.copytree(destino, Path(reserva, lista))
        config = configuracao(raiz or RAIZ)
        if raiz is None:
            config.CourseDirectory.db_url = f"sqlite:///{Path(reserva, 'gradebook.db')}"
        api = NbGraderAPI(coursedir, config=config)
        with _sem_as_entregas_vazias(api.coursedir, lista):
            resultado = api.generate_assignment(lista, force=True, create=True)
        if resultado["success"]:
            return None
        if Path(reserva, lista).is_dir():
            shutil.copytree(Path(reserva, lista), destino, dirs_exist_ok=True)
    return resultado.get("log") or str(resultado.get("error"))


def completar_no_livro(lista: str, coursedir: Any) -> str | None:
    """Emite a lista se o livro de notas da turma não tem as células dela. Devolve o log quando não deu certo.

    Um prazo posto antes da primeira correção cria a lista no livro sem célula alguma.
    """
    raiz = Path(coursedir.root)
    if _esta_no_livro(lista, coursedir):
        return None
    if not (raiz / "source" / lista).is_dir():  # uma turma em outra pasta usa a lista do curso
        shutil.copytree(RAIZ / "source" / lista, raiz / "source" / lista)
    return emitir(lista, raiz, coursedir)


def _esta_no_livro(lista: str, coursedir: Any) -> bool:
    """O livro tem todas as células da lista, ou já tem respostas a elas (e então o nbgrader não deixa mudá-las)?"""
    import nbformat
    from nbgrader.api import Gradebook, MissingEntry
    from nbgrader.utils import is_grade, is_locked, is_solution

    with Gradebook(coursedir.db_url, coursedir.course_id) as livro:
        try:
            guardada = livro.find_assignment(lista)
        except MissingEntry:
            return False
        if any(entrega.notebooks for entrega in guardada.submissions):
            return True
        no_livro = {celula.name for notebook in guardada.notebooks for celula in notebook.source_cells}
    fonte = next(p for raiz in (Path(coursedir.root), RAIZ) if (p := raiz / "source" / lista).is_dir())
    celulas = [c for p in fonte.glob("*.ipynb") for c in nbformat.read(p, as_version=4).cells]
    da_lista = {c.metadata.nbgrader.grade_id for c in celulas if is_grade(c) or is_solution(c) or is_locked(c)}
    return da_lista <= no_livro


@contextlib.contextmanager
def _sem_as_entregas_vazias(coursedir: Any, lista: str) -> Iterator[None]:
    """O nbgrader não põe células em uma lista que já tem entregas; as feitas antes das células saem, e voltam com elas.

    É o que há no livro quando o prazo foi posto antes da primeira emissão, e alguém corrigiu ou prorrogou.
    """
    from nbgrader.api import Gradebook, MissingEntry

    vazias: list[tuple[str, dict[str, Any]]] = []
    with Gradebook(coursedir.db_url, coursedir.course_id) as livro, contextlib.suppress(MissingEntry):
        for entrega in list(livro.find_assignment(lista).submissions):
            if not entrega.notebooks:
                guardado = {"timestamp": entrega.timestamp, "extension": entrega.extension}
                vazias.append((entrega.student_id, {nome: valor for nome, valor in guardado.items() if valor}))
                livro.remove_submission(lista, entrega.student_id)
    try:
        yield
    finally:
        with Gradebook(coursedir.db_url, coursedir.course_id) as livro, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # o nbgrader usa o SQLAlchemy de um jeito que ele desaconselha
            for aluno, dados in vazias:
                livro.add_submission(lista, aluno, **dados)
