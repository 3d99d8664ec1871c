"""O que uma lista diz de si: os pontos da capa e dos títulos, que têm de ser os das células, e as questões dela."""

import re
from typing import Any

from nbgrader.utils import is_grade, is_solution

from helpers.escrita import numero

_LINHA = re.compile(r"^\|\s*(?P<nome>[^|]*?)\s*\|\s*(?P<pontos>\d+(?:,\d+)?)\s*\|", flags=re.MULTILINE)
_TITULO = re.compile(r"^#+ (?P<nome>.*?)\s*\((?P<pontos>\d+(?:,\d+)?) pontos?\)", flags=re.MULTILINE)
_TOTAL = re.compile(r"\*\*[^*]*?(\d+(?:,\d+)?) pontos?\*\*")


_CHAMADA = re.compile(r"""^[ \t]*conferir\(\s*["']([\w/-]+)["']""", flags=re.MULTILINE)


def questao_conferida(celula: Any) -> str | None:
    """O nome da questão que uma célula de teste confere; None se a célula não é uma conferência."""
    automatica = celula.cell_type == "code" and is_grade(celula) and not is_solution(celula)
    achada = _CHAMADA.search(celula.source) if automatica else None
    return achada.group(1) if achada else None


def conferidas(nb: Any) -> list[str]:
    return [nome for c in nb.cells if (nome := questao_conferida(c))]


def desacordos(nb: Any) -> list[str]:
    """Onde a capa, os títulos e as células de uma lista dizem pontos diferentes, uma frase para cada lugar."""
    valem = {_chave(c.metadata.nbgrader.grade_id): float(c.metadata.nbgrader.points) for c in nb.cells if is_grade(c)}
    textos = [c.source for c in nb.cells if c.cell_type == "markdown"]
    lugares = {
        "na capa": {_chave(m["nome"]): _numero(m["pontos"]) for m in _LINHA.finditer(textos[0])},
        "no título": {_chave(m["nome"]): _numero(m["pontos"]) for texto in textos for m in _TITULO.finditer(texto)},
    }
    frases = []
    for onde, ditos in lugares.items():
        for nome in valem | ditos:
            diz, vale = ditos.get(nome), valem.get(nome)
            if diz != vale:
                frases.append(f"{nome}: {_ou_nada(diz)} {onde} e {_ou_nada(vale)} na célula")
    total = _TOTAL.search(textos[0])
    if total is None or _numero(total[1]) != sum(valem.values()):
        dito = _ou_nada(total and _numero(total[1]))
        frases.append(f"o total: {dito} na capa e {_ou_nada(sum(valem.values()))} nas células")
    return frases


def _chave(nome: str) -> str:
    """A questão de que se fala: "softmax" em "confere-softmax" e em "1. `softmax` (junta as anteriores)"."""
    codigo = re.search(r"`(\w+)`", nome)
    if codigo:
        return codigo[1]
    discussao = re.fullmatch(r"discuss[aã]o[ -](\d+)", nome.strip().casefold())
    return f"Discussão {discussao[1]}" if discussao else nome.removeprefix("confere-")


def _numero(texto: str) -> float:
    return float(texto.replace(",", "."))


def _ou_nada(pontos: float | None) -> str:
    if pontos is None:
        return "nada"
    return f"{numero(pontos, 6)} ponto{'' if pontos == 1 else 's'}"
