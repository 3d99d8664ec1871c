"""As células de um notebook como se leem em uma página: código dobrado, saídas sem o que só serve ao Jupyter."""

import html
import re
from typing import Any

import nbformat

from sitio.obra import Caderno, Obra

SO_DO_JUPYTER = re.compile(r"application/vnd\.jupyter|text/plain$")


def caderno(caderno: Caderno, obra: Obra) -> None:
    for celula in caderno.nb.cells:
        if celula.cell_type == "code":
            _arrumar(celula)
    _ancoras(caderno)


def _arrumar(celula: Any) -> None:
    etiquetas = celula.metadata.setdefault("tags", [])
    if celula.metadata.get("jupyter", {}).get("source_hidden") and "hide-input" not in etiquetas:
        etiquetas.append("hide-input")
    if not celula.source.strip():
        etiquetas.append("remove-cell")
    celula.outputs = [_erro(saida) if saida.output_type == "error" else saida for saida in celula.outputs]
    for saida in celula.outputs:
        dados = saida.get("data", {})
        ricos = [tipo for tipo in dados if not SO_DO_JUPYTER.match(tipo)]
        for tipo in [t for t in dados if SO_DO_JUPYTER.match(t) and (ricos or not t.startswith("text/plain"))]:
            del dados[tipo]


def _erro(saida: Any) -> Any:
    """O que um erro de propósito mostra; sem as cores do terminal."""
    dito = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(saida.traceback)).strip()
    return nbformat.v4.new_output("display_data", {"text/html": f'<pre class="erro">{html.escape(dito)}</pre>'})


def _ancoras(caderno: Caderno) -> None:
    """Uma célula com nome (`mapa-00`) pode ser o destino de uma ligação."""
    for i, celula in reversed(list(enumerate(caderno.nb.cells))):
        nome = celula.get("id", "")
        if re.fullmatch(r"[a-z]+-[a-z0-9-]*", nome):
            caderno.nb.cells.insert(i, caderno.html(f'<span id="{nome}" class="ancora"></span>'))
