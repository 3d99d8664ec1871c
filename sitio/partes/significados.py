"""As palavras do glossário mostram o que querem dizer onde estão: as definições que a página leva, e o que as procura.

A palavra é achada no navegador (sitio/ativos/significados.js), uma vez por seção, nas aulas a partir daquela em que o
glossário a apresenta. As que também são palavras de todo dia ficam de fora: sublinhar todo “caso” não ajuda ninguém.
"""

import html
import re
from dataclasses import dataclass
from typing import Any

from sitio.obra import Caderno, Obra, em_script

LINHA = re.compile(r"^\| (\*\*.+?) \| (.+?) \|(?: .*)? (\d\d)b? \|$", re.MULTILINE)
DE_TODO_DIA = {
    *("forma", "valor", "passo", "caso", "controle", "escala", "teste", "classe", "célula", "aposta", "conferência"),
    *("circuito", "desligar", "régua", "linha de base", "eixo", "época", "erro famoso", "para ir além", "explorador"),
    *("equívoco", "podar", "gancho", "bloco", "módulo", "contexto", "treinar", "atenção"),
}


@dataclass
class Termo:
    nomes: list[str]
    ingles: str
    definicao: str  # HTML
    aula: str


def caderno(caderno: Caderno, obra: Obra) -> None:
    if caderno.endereco.startswith(("aulas/", "alem/")):
        caderno.usar("glossario-termos.js", "significados.js", "significados.css")


def arquivos(obra: Obra) -> dict[str, Any]:
    texto = (obra.raiz / "notebooks" / "glossario.md").read_text(encoding="utf-8")
    dados = [
        {"nomes": [*t.nomes, *map(plural, t.nomes)], "ingles": t.ingles, "definicao": t.definicao, "aula": t.aula}
        for t in termos(texto)
    ]
    return {"_static/glossario-termos.js": f"globalThis.TERMOS_DO_GLOSSARIO = {em_script(dados)};\n"}


def termos(texto: str) -> list[Termo]:
    achados = []
    for nome, definicao, aula in LINHA.findall(texto):
        nomes = [n for n in re.findall(r"\*\*(.+?)\*\*", nome) if n not in DE_TODO_DIA]
        em_ingles = [n for n in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", nome) if n not in nomes]
        if nomes:
            achados.append(Termo(nomes, ", ".join(em_ingles), em_html(definicao), aula))
    return achados


def plural(nome: str) -> str:
    """“produtos escalares”, “pesos de atenção”: vão ao plural as palavras antes do primeiro “de”, “do” ou “que”."""
    antes, *depois = re.split(r"(?= (?:de|do|da|em|que|ao)\b)", nome, maxsplit=1)
    return " ".join([_no_plural(palavra) for palavra in antes.split()]) + "".join(depois)


FINAIS = {"ção": "ções", "xão": "xões", "são": "sões", "or": "ores", "ar": "ares", "al": "ais", "és": "eses"}


def _no_plural(palavra: str) -> str:
    for fim, outro in FINAIS.items():
        if palavra.endswith(fim):
            return palavra.removesuffix(fim) + outro
    return palavra if palavra.endswith("s") else f"{palavra}s"


def em_html(markdown: str) -> str:
    """O pouco de Markdown que há em uma definição; uma fórmula vira texto, que é curta."""
    partes = re.split(r"(\$[^$]+\$|`[^`]+`)", markdown)
    return "".join(_parte(parte) for parte in partes)


def _parte(parte: str) -> str:
    if parte.startswith("$"):
        return re.sub(r"_(\w)", r"<sub>\1</sub>", f"<i>{html.escape(_formula(parte[1:-1]))}</i>")
    if parte.startswith("`"):
        return f"<code>{html.escape(parte[1:-1])}</code>"
    texto = html.escape(re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", parte), quote=False)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", texto))


SIMBOLOS = {r"\top": "ᵀ", r"\beta": "β", r"\infty": "∞", r"\ln": "ln ", r"\cdot": "·", r"\,": " ", r"\times": "×"}


def _formula(latex: str) -> str:
    latex = re.sub(r"\\(?:operatorname|text|mathrm)\{([^}]*)\}", r"\1", latex)
    latex = re.sub(r"\\sqrt\{([^}]*)\}", r"√\1", latex)
    for nome, simbolo in SIMBOLOS.items():
        latex = latex.replace(nome, simbolo)
    latex = latex.replace("^ᵀ", "ᵀ").replace("10^9", "10⁹").replace("{,}", ",")
    return re.sub(r"[{}\\]", "", latex).replace("-", "−").replace("  ", " ")
