"""O atraso de uma entrega, e o desconto por ele, como o nbgrader o pede: uma classe com `late_submission_penalty`.

A política é uma só, em nbgrader_config.py: quantos por cento da nota se perdem por dia (ou parte de um dia) de atraso,
até que teto, depois de quantas horas de tolerância. Sem mexer lá, não há desconto. O prazo de cada lista está no livro
de notas: quem o põe é `python curso.py prazo`, o formgrader ou o `nbgrader db assignment add LISTA --duedate`.

Quem atrasou, dizem o prazo e a planilha do Moodle. Se dizem coisas diferentes, vale o que for melhor para o aluno.
"""

import datetime
import math
from pathlib import Path
from typing import Any, cast

from nbgrader.api import Gradebook
from nbgrader.plugins import BasePlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float, Unicode

from correcao.comum.datas import BRASILIA, de_dados
from correcao.comum.moodle import TurmaIndisponivel, ler_anotado
from correcao.livro.prorrogacao import ler_prorrogacoes
from helpers.escrita import numero


class Atraso(BasePlugin):
    """Perde-se uma fração da nota por dia de atraso."""

    por_dia = Float(0.0, min=0, max=1, help="fração da nota que se perde por dia de atraso").tag(config=True)
    teto = Float(1.0, min=0, max=1, help="a maior fração que se perde").tag(config=True)
    tolerancia = Float(0.0, min=0, help="horas de atraso que não contam").tag(config=True)
    fuso = Unicode(BRASILIA, help="o fuso da turma: o dos prazos e o das datas do Moodle").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Quantos pontos tirar de `score`."""
        dias = math.ceil(max(0.0, total_seconds_late - 3600 * self.tolerancia) / 86_400)
        return score * min(self.teto, self.por_dia * dias)

    def politica(self) -> str:
        """A política em vigor, em uma frase."""
        if self.por_dia == 0:
            return "Atraso: sem desconto."
        texto = f"Atraso: {self.por_dia:.0%} da nota por dia começado, até {self.teto:.0%}"
        return texto + (f", depois de {numero(self.tolerancia)} h de tolerância." if self.tolerancia else ".")


class Atrasos:
    """O atraso de cada entrega: o que sabem dele o livro de notas, a planilha do Moodle e quem deu mais prazo."""

    def __init__(self, raiz: Path):
        self._moodle, self._dadas = ler_anotado(raiz), ler_prorrogacoes(raiz)

    def segundos(self, guardada: Any, aluno: str | None = None) -> float:
        """De uma entrega do livro de notas; na de um grupo, o do membro `aluno` ou, sem ele, o do que atrasou menos."""
        quando, prazo = guardada.timestamp, guardada.assignment.duedate
        lista, aluno = guardada.assignment.name, aluno or guardada.student_id
        do_moodle = self._moodle.get(lista, {}).get(aluno, {})
        if membros := do_moodle.get("membros"):
            return min(self.segundos(guardada, membro) for membro in membros)
        ditos = []
        if quando is not None and prazo is not None:
            prazos = [prazo + (guardada.extension or datetime.timedelta()), *self.prorrogacoes(lista, aluno)]
            ditos.append(max(0.0, (quando - max(prazos)).total_seconds()))
        if isinstance(atraso := do_moodle.get("atraso"), int | float):
            ditos.append(max(0.0, float(atraso)))
        return min(ditos, default=0.0)

    def prorrogacoes(self, lista: str, aluno: str) -> list[datetime.datetime]:
        """Até quando: as que o instrutor deu e a que está na planilha do Moodle, como o livro as guardaria."""
        escritas = [
            self._dadas.get(lista, {}).get(aluno),
            self._moodle.get(lista, {}).get(aluno, {}).get("prorrogacao"),
        ]
        lidas = [lida for texto in escritas if (lida := de_dados(texto))]
        return [lida.astimezone(datetime.UTC).replace(tzinfo=None) for lida in lidas]


class DescontarAtraso(AssignLatePenalties):
    """O do nbgrader, com as prorrogações e com o que a planilha do Moodle disse de quem atrasou."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        ids, exportador = resources["nbgrader"], cast(Any, self.parent)
        try:
            atrasos = Atrasos(Path(exportador.conversor.coursedir.root))
        except TurmaIndisponivel as erro:  # quem lê as notas o dirá; a correção não depende disto
            self.log.error("%s", erro)
            return super().preprocess(nb, resources)
        with Gradebook(ids["db_url"]) as livro:
            descontar(self, livro, atrasos, ids["assignment"], ids["notebook"], ids["student"])
            livro.db.commit()
        return nb, resources


def descontar(
    quem: AssignLatePenalties, livro: Gradebook, atrasos: Atrasos, lista: str, notebook: str, aluno: str
) -> None:
    """Põe no livro o desconto de uma entrega, ainda sem gravar."""
    quem.init_plugin()
    entregue = livro.find_submission_notebook(notebook, lista, aluno)
    atraso = atrasos.segundos(entregue.assignment)
    desconto = quem.plugin_inst.late_submission_penalty(aluno, entregue.score, atraso) if atraso else None
    entregue.late_submission_penalty = None if desconto is None else max(0.0, min(desconto, entregue.score))
