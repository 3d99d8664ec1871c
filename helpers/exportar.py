"""Um notebook exportado para HTML, que se lê sem rede: as fórmulas vão desenhadas, em MathML."""

import re
from typing import Any

from latex2mathml.converter import convert
from nbconvert.preprocessors import Preprocessor

# código, em que um cifrão é um cifrão, ou uma fórmula
_PARTES = re.compile(r"(```.*?```|`[^`\n]*`)|\$\$(.+?)\$\$|(?<![\\$])\$(?!\s)([^$\n]+?)(?<![\s\\])\$", flags=re.DOTALL)


class Formulas(Preprocessor):
    """Troca cada fórmula das células de texto pelo desenho dela. A que não se sabe desenhar fica como foi escrita."""

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        if cell.cell_type == "markdown":
            cell.source = desenhadas(cell.source)
        return cell, resources


def desenhadas(texto: str) -> str:
    return _PARTES.sub(_desenhada, texto)


def _desenhada(achado: re.Match) -> str:
    _, bloco, linha = achado.groups()
    latex = bloco or linha
    if not latex:
        return achado[0]
    try:
        # em uma linha só: uma linha em branco acabaria o HTML no meio
        return " ".join(convert(latex, display="block" if bloco else "inline").split())
    except Exception:  # o LaTeX é de quem escreveu o notebook
        return achado[0]
