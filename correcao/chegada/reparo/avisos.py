"""As células que a correção acrescenta no alto do notebook, para o aluno; reconhecidas, não são dele."""

import re

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

ID_DO_AVISO = "aviso-da-correcao"
_TITULO_DO_ZERO = "## Esta entrega não pôde ser corrigida"
_TITULO_DOS_CONSERTOS = "## O que a correção notou nesta entrega"  # nem tudo se conserta: há o que falta
_DE_ANTES = "## O que a correção consertou nesta entrega"  # o título em uma versão anterior do curso
_COMO_OS_NOSSOS = re.compile(
    r"[\s>]*(\*\*\W*aten[cç][aã]o\W*\*\*|#+\W*(esta entrega n[aã]o p[oô]de|o que a corre[cç][aã]o (consertou|notou)))",
    flags=re.IGNORECASE,
)


def aviso_dos_consertos(consertos: list[str], id_da_celula: str = ID_DO_AVISO) -> NotebookNode:
    """A célula que conta ao aluno o que foi consertado."""
    texto = "\n".join([_TITULO_DOS_CONSERTOS, "", *(f"- {frase}" for frase in consertos)])
    return new_markdown_cell(texto, id=id_da_celula)


def aviso_do_zero(motivo: str) -> NotebookNode:
    """A célula que conta ao aluno por que a entrega vale zero."""
    return new_markdown_cell(f"{_TITULO_DO_ZERO}\n\n{motivo}", id=ID_DO_AVISO)


def e_aviso(id_da_celula: str, texto: str) -> bool:
    """A célula é uma destas, de uma correção anterior (ou uma imitação)?"""
    return id_da_celula == ID_DO_AVISO and texto.startswith((_TITULO_DO_ZERO, _TITULO_DOS_CONSERTOS, _DE_ANTES))


def imita(texto: str) -> bool:
    """Um texto do aluno começa como um aviso da correção? (O de Registrar começa com **Atenção.**)"""
    return _COMO_OS_NOSSOS.match(texto) is not None
