"""Os controles de `explorar`, que aqui não têm kernel: a figura muda entre os quadros guardados (gabarito/quadros.py).

Os quadros são um programa à parte, que a página só pede quando o explorador aparece na tela. Sem eles fica a imagem, e
uma linha que diz onde ela se mexe.
"""

import ast
import base64
import html
from pathlib import Path
from typing import Any

from sitio.obra import Caderno, Obra, em_script

QUADROS = Path(__file__).parents[1] / "quadros"
PASTA = "quadros"  # em _static/
SEM_QUADROS = "No notebook, esta figura tem controles, e muda junto com eles."


def caderno(caderno: Caderno, obra: Obra) -> None:
    quantos = sum(chama_explorar(celula) for celula in caderno.nb.cells)
    for i, celula in reversed(list(enumerate(caderno.nb.cells))):
        if not chama_explorar(celula):
            continue
        arquivo = QUADROS / f"{nome_dos_quadros(caderno, quantos)}.quadros"
        quantos -= 1
        caderno.nb.cells.insert(i + 1, caderno.html(_depois(caderno, arquivo)))
        if arquivo.is_file():
            obra.arquivos[f"_static/{PASTA}/{arquivo.stem}.js"] = programa(arquivo)
            caderno.usar("quadros.js", "quadros.css")


def chama_explorar(celula: Any) -> bool:
    if celula.cell_type != "code" or "explorar(" not in celula.source:
        return False
    chamadas = (no.value for no in ast.parse(celula.source).body if isinstance(no, ast.Expr))
    return any(isinstance(c, ast.Call) and isinstance(c.func, ast.Name) and c.func.id == "explorar" for c in chamadas)


def nome_dos_quadros(caderno: Caderno, qual: int) -> str:
    """O n-ésimo `explorar` de um notebook, como `gabarito.aulas` o guardou: `alem-04-dicionario-2`."""
    puro = caderno.origem.with_suffix("").as_posix().removeprefix("notebooks/")
    return f"{puro.replace('/', '-')}-{qual}"


def programa(arquivo: Path) -> str:
    bruto = base64.b64encode(arquivo.read_bytes()).decode("ascii")
    return f"globalThis.chegaramOsQuadros({em_script(arquivo.stem)}, {em_script(bruto)});\n"


def _depois(caderno: Caderno, arquivo: Path) -> str:
    if not arquivo.is_file():
        return f'<p class="quadros-parada">{SEM_QUADROS}</p>'
    onde = f"{caderno.raiz}_static/{PASTA}/{arquivo.stem}.js"
    return f'<div class="quadros" data-quadros="{arquivo.stem}" data-programa="{html.escape(onde)}"></div>'
