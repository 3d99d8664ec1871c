"""Quem tem mais prazo: o que `python curso.py prazo LISTA DATA --aluno A` guarda, na pasta da turma.

Fica fora do livro de notas, que só prorroga o prazo de quem já entregou, e em horas: se o prazo mudasse, ela mudaria.
"""

import json
from pathlib import Path

from correcao.comum.moodle import ler_guardado
from helpers.gravacao import gravar

PRORROGACOES = "prorrogacoes.json"  # lista → aluno → até quando
Prorrogacoes = dict[str, dict[str, str]]


def ler_prorrogacoes(raiz: Path) -> Prorrogacoes:
    estragado = (
        "em que estão as prorrogações, está estragado; mude o nome dele e dê de novo o prazo de cada um: "
        "python curso.py prazo LISTA DATA --aluno A"
    )
    return ler_guardado(raiz / PRORROGACOES, dict, estragado)


def gravar_prorrogacoes(raiz: Path, todas: Prorrogacoes) -> None:
    gravar(raiz / PRORROGACOES, json.dumps(todas, ensure_ascii=False, indent=1, sort_keys=True))
