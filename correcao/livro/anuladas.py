"""As questões anuladas de uma turma: os pontos delas são de todos os que entregaram, também de quem entregar depois."""

import json
from pathlib import Path
from typing import Any, cast

from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from correcao.comum.moodle import TurmaIndisponivel, ler_guardado
from helpers.gravacao import gravar

ANULADAS = "anuladas.json"  # lista → as questões, pelo grade_id
FRASE = "Questão anulada: os pontos dela são de todos."


def ler_anuladas(raiz: Path) -> dict[str, list[str]]:
    estragado = (
        "em que estão as questões anuladas, está estragado; mude o nome dele e anule-as de novo: "
        "python curso.py corrigir LISTA --questao Q --anular"
    )
    return ler_guardado(raiz / ANULADAS, list, estragado)


def gravar_anuladas(raiz: Path, todas: dict[str, list[str]]) -> None:
    gravar(raiz / ANULADAS, json.dumps(todas, ensure_ascii=False, indent=1, sort_keys=True))


def dar_os_pontos(nota: Any) -> None:
    """Faz da nota de uma questão, no livro, a de uma questão anulada; o crédito extra fica."""
    nota.auto_score, nota.manual_score, nota.needs_manual_grade = nota.max_score, None, False


class DarAsAnuladas(NbGraderPreprocessor):
    """Na correção, depois de dadas as notas."""

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
                for nota in (n for n in entregue.grades if n.name in anuladas):
                    dar_os_pontos(nota)
                livro.db.commit()
        return nb, resources
