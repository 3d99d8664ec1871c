"""As questões anuladas de uma turma: os pontos delas são de todos os que entregaram, também de quem entregar depois.

Quais são está em anuladas.json. O que cada um tinha, ou teria, nelas fica em uma tabela a mais, no livro de notas, que
muda na mesma transação que a nota: desistir de anular é copiá-lo de volta, sem julgar nada.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from correcao.comum.moodle import TurmaIndisponivel, ler_guardado
from helpers.gravacao import gravar

ANULADAS = "anuladas.json"  # lista → as questões, pelo grade_id
FRASE = "Questão anulada: os pontos dela são de todos."

_TABELAS = sa.MetaData()
ANTES = sa.Table(
    "curso_antes_de_anular", _TABELAS,
    sa.Column("nota", sa.String(32), primary_key=True),  # o id do nbgrader
    sa.Column("automatica", sa.Float),
    sa.Column("a_mao", sa.Float),
    sa.Column("espera", sa.Boolean, nullable=False),
)  # fmt: skip


def ler_anuladas(raiz: Path) -> dict[str, list[str]]:
    estragado = (
        "em que estão as questões anuladas, está estragado; mude o nome dele e anule-as de novo: "
        "python curso.py corrigir LISTA --questao Q --anular"
    )
    return ler_guardado(raiz / ANULADAS, list, estragado)


def gravar_anuladas(raiz: Path, todas: dict[str, list[str]]) -> None:
    gravar(raiz / ANULADAS, json.dumps(todas, ensure_ascii=False, indent=1, sort_keys=True))


# ------------------------------------------------------------ o que havia antes


def antes_de_anular(sessao: Any, notas: Iterable[Any]) -> dict[str, Any]:
    """De cada nota (pelo id), o que se guardou dela: `automatica`, `a_mao` e `espera`."""
    if not sa.inspect(sessao.connection()).has_table(ANTES.name):
        return {}
    ids = [nota.id for nota in notas]
    return {linha.nota: linha for linha in sessao.execute(sa.select(ANTES).where(ANTES.c.nota.in_(ids)))}


def esquecer(sessao: Any, notas: Iterable[Any]) -> None:
    _TABELAS.create_all(sessao.connection())
    sessao.execute(sa.delete(ANTES).where(ANTES.c.nota.in_([nota.id for nota in notas])))


def guardar_o_de_antes(sessao: Any, notas: list[Any]) -> None:
    """A que já era de uma anulada não se guarda outra vez, a não ser que alguém lhe tenha dado outra nota depois."""
    guardadas = antes_de_anular(sessao, notas)
    novas = [n for n in notas if n.id not in guardadas or n.manual_score is not None]
    esquecer(sessao, novas)
    for n in novas:
        automatica = guardadas[n.id].automatica if n.id in guardadas else n.auto_score
        linha = {"nota": n.id, "automatica": automatica, "a_mao": n.manual_score, "espera": n.needs_manual_grade}
        sessao.execute(sa.insert(ANTES).values(**linha))


def dar_os_pontos(nota: Any) -> None:
    """Faz da nota a de uma questão anulada; o crédito extra fica."""
    nota.auto_score, nota.manual_score, nota.needs_manual_grade = nota.max_score, None, False


def desfazer(nota: Any, antes: Any) -> None:
    """A nota volta a ser o que era; a que uma pessoa lhe deu depois de anulada é mais nova, e fica."""
    nota.auto_score = antes.automatica
    if nota.manual_score is None:
        nota.manual_score, nota.needs_manual_grade = antes.a_mao, antes.espera


def na_escala(sessao: Any, notas: Iterable[Any], escala: float) -> None:
    """O mesmo que muda nas notas de uma questão que passa a valer outros pontos."""
    for ident in antes_de_anular(sessao, notas):
        novos = {c.name: c * escala for c in (ANTES.c.automatica, ANTES.c.a_mao)}
        sessao.execute(sa.update(ANTES).where(ANTES.c.nota == ident).values(**novos))


# ------------------------------------------------------------ em uma correção


class _NasAnuladas(NbGraderPreprocessor):
    """Um passo da correção que só diz respeito às notas das questões anuladas."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        ids, raiz = resources["nbgrader"], Path(cast(Any, self.parent).conversor.coursedir.root)
        try:
            anuladas = ler_anuladas(raiz).get(ids["assignment"], [])
        except TurmaIndisponivel as erro:  # quem lê as notas o dirá; a correção não depende disto
            self.log.error("%s", erro)
            return nb, resources
        if anuladas:
            with Gradebook(ids["db_url"]) as livro:
                entregue = livro.find_submission_notebook(ids["notebook"], ids["assignment"], ids["student"])
                self._mudar(livro.db, [n for n in entregue.grades if n.name in anuladas])
                livro.db.commit()
        return nb, resources

    def _mudar(self, sessao: Any, notas: list[Any]) -> None:
        raise NotImplementedError


class DesfazerAsAnuladas(_NasAnuladas):
    """Antes de dadas as notas: a que uma pessoa deu a um texto que não mudou continua a ser dele."""

    def _mudar(self, sessao: Any, notas: list[Any]) -> None:
        guardadas = antes_de_anular(sessao, notas)
        for nota in notas:
            if nota.id in guardadas:
                desfazer(nota, guardadas[nota.id])


class DarAsAnuladas(_NasAnuladas):
    """Depois de dadas as notas: as que a correção acaba de dar são as de antes."""

    def _mudar(self, sessao: Any, notas: list[Any]) -> None:
        esquecer(sessao, notas)
        guardar_o_de_antes(sessao, notas)
        for nota in notas:
            dar_os_pontos(nota)
