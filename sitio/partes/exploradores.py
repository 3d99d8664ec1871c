"""Os exploradores: o programa de cada um vai uma vez, em um arquivo, e as páginas só levam os dados."""

import re
from functools import cache
from typing import Any

from helpers.exploradores import montar
from sitio.obra import Caderno, Obra

PASTA = "_static/exploradores"
SAIDA = re.compile(
    r'(<div data-explorador="(\w+)".*?</div>)\s*<script>\(\(\) => \{\n// Feito de [^\n]*\((\w+)\)\n.*'
    r'\nabrirNaPagina\(render, "\2", (\{.*\})\);\n\}\)\(\);</script>\s*',
    re.DOTALL,
)


def caderno(caderno: Caderno, obra: Obra) -> None:
    for celula in caderno.nb.cells:
        for saida in celula.get("outputs", ()):
            texto = saida.get("data", {}).get("text/html", "")
            if achado := SAIDA.fullmatch(texto):
                figura, resumo, nome, dados = achado.groups()
                saida.data = {"text/html": figura + colocar(resumo, nome, dados)}
                caderno.usar(programa(nome))


def arquivos(obra: Obra) -> dict[str, Any]:
    return {f"{PASTA}/{nome}.js": classico(nome) for nome in montar.nomes()}


def programa(nome: str) -> str:
    """O arquivo do explorador, para `usar`."""
    return f"{PASTA.removeprefix('_static/')}/{nome}.js"


def colocar(resumo: str, nome: str, dados: str) -> str:
    """Os dados de um explorador que está no elemento com este resumo; `dados` já é JSON que não fecha o `<script>`."""
    return f'<script type="application/json" data-do-explorador="{resumo}" data-programa="{nome}">{dados}</script>'


@cache
def classico(nome: str) -> str:
    """O módulo de um explorador como um `<script>` comum: um módulo de outro arquivo não abre em `file://`."""
    corpo = montar.modulo(nome).removesuffix(montar.FIM)
    return (
        f"(() => {{\n{corpo}\n"
        f"for (const no of document.querySelectorAll('script[data-programa=\"{nome}\"]'))\n"
        "  abrirNaPagina(render, no.dataset.doExplorador, JSON.parse(no.textContent, globalThis.deScript));\n"
        "})();\n"
    )
