"""A busca: o texto de cada seção, em um arquivo que a página de busca lê; quem procura nele é o MiniSearch.

O arquivo é um `<script>`, e não JSON, porque de `file://` uma página não lê outro arquivo de outro jeito.
"""

import re
from typing import Any

from docutils import nodes

from sitio.obra import em_script

INDICE = "_static/indice-da-busca.js"
Secao = tuple[str, str, str]  # a âncora, o título e o texto
FORA = (nodes.raw, nodes.math_block, nodes.comment, nodes.literal_block, nodes.system_message)


def secoes(doctree: nodes.document) -> list[Secao]:
    """As seções de uma página, sem o código, as fórmulas e o que as células escreveram."""
    achadas = []
    for secao in doctree.findall(nodes.section):
        titulo = next(iter(secao.findall(nodes.title)), None)
        texto = " ".join(
            _texto(filho) for filho in secao.children if not isinstance(filho, nodes.section | nodes.title)
        )
        achadas.append((secao["ids"][0], titulo.astext() if titulo else "", re.sub(r"\s+", " ", texto).strip()))
    return achadas


def _texto(no: nodes.Node) -> str:
    if isinstance(no, FORA):
        return ""
    if isinstance(no, nodes.math):  # “T” e “N = 3” se leem; uma fórmula de verdade, não
        return no.astext() if re.fullmatch(r"[\w\s=+,.()-]+", no.astext()) else "…"
    if isinstance(no, nodes.Text):
        return no.astext()
    junta = "" if isinstance(no, nodes.TextElement) else " "
    return junta.join(_texto(filho) for filho in no.children)


def indice(por_pagina: dict[str, list[Secao]], fichas: dict[str, Any]) -> str:
    docs = []
    for pagina, dela in sorted(por_pagina.items()):
        ficha = fichas.get(pagina, {})
        if pagina in ("index", "busca"):
            continue
        for i, (ancora, titulo, texto) in enumerate(dela):
            mais = ficha.get("busca", "") if not i else ""
            onde = f"{pagina}.html" + (f"#{ancora}" if i else "")
            docs.append([onde, ficha.get("titulo", ""), titulo if i else "", f"{texto} {mais}".strip()])
    return f"window.INDICE_DA_BUSCA = {em_script(docs)};\n"
