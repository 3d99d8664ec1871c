"""O desconto por atraso, como o nbgrader o pede: uma classe com `late_submission_penalty`.

A política é uma só, em nbgrader_config.py: quantos por cento da nota se perdem por dia (ou parte de um dia) de atraso,
até que teto, depois de quantas horas de tolerância. Sem mexer lá, não há desconto. O prazo de cada lista se põe no
formgrader ou com `nbgrader db assignment add LISTA --duedate "2026-03-01 23:59 America/Sao_Paulo"`.
"""

import math

from nbgrader.plugins import BasePlugin
from traitlets import Float


class Atraso(BasePlugin):
    """Perde-se uma fração da nota por dia de atraso."""

    por_dia = Float(0.0, min=0, max=1, help="fração da nota que se perde por dia de atraso").tag(config=True)
    teto = Float(1.0, min=0, max=1, help="a maior fração que se perde").tag(config=True)
    tolerancia = Float(0.0, min=0, help="horas de atraso que não contam").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Quantos pontos tirar de `score`."""
        dias = math.ceil(max(0.0, total_seconds_late - 3600 * self.tolerancia) / 86_400)
        return score * min(self.teto, self.por_dia * dias)

    def politica(self) -> str:
        """A política em vigor, em uma frase."""
        if self.por_dia == 0:
            return "Atraso: sem desconto."
        texto = f"Atraso: {self.por_dia:.0%} da nota por dia, até {self.teto:.0%}"
        return texto + (f", depois de {self.tolerancia:g} h de tolerância." if self.tolerancia else ".")
