"""O Sphinx, com a configuração do site."""

import hashlib
import io
import os
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from helpers import RAIZ
from sitio.busca import INDICE, indice
from sitio.extensao import fichas
from sitio.obra import NaoDeu, Obra

SALA = Path(__file__).resolve().parent
TITULO = "Atenção e Transformers"


def construir(obra: Obra) -> None:
    """Refaz as páginas que mudaram, em `obra.saida`. Um aviso do Sphinx é um erro, e ele diz onde."""
    avisos = io.StringIO()
    with patch_docutils(), docutils_namespace():  # o que ele registra no docutils não passa de uma vez para outra
        app = Sphinx(
            srcdir=obra.fonte,
            confdir=None,
            outdir=obra.saida,
            doctreedir=obra.pasta / "lidos",
            buildername="html",
            confoverrides=_configuracao(obra),
            status=None,
            warning=avisos,
            parallel=min(2, os.cpu_count() or 1),
        )
        app.build()
    obra.arquivos[INDICE] = indice(app.env.secoes, fichas(obra.pasta))  # type: ignore[attr-defined]
    ditos = [linha for linha in _limpos(avisos.getvalue()) if linha]
    if ditos or app.statuscode:
        raise NaoDeu("O site não foi feito. " + "\n".join(ditos))


def _limpos(texto: str) -> list[str]:
    return [re.sub(r"\x1b\[[0-9;]*m", "", linha).strip() for linha in texto.splitlines()]


def _configuracao(obra: Obra) -> dict[str, Any]:
    return {
        "project": TITULO,
        "author": "os autores do curso",
        "copyright": "os autores do curso. Textos e figuras: CC BY 4.0. Código: MIT",
        "version": obra.versao,
        "release": obra.versao,
        "language": "pt_BR",
        "root_doc": "index",
        "extensions": ["myst_nb", "sitio.extensao"],
        "templates_path": [str(SALA / "modelos")],
        "html_theme": "furo",
        "html_title": TITULO,
        "html_static_path": [str(SALA / "ativos")],
        "html_css_files": ["sitio.css"],
        "html_js_files": [("sitio.js", {"defer": "defer"})],
        "html_show_sourcelink": False,
        "html_copy_source": False,
        "html_use_index": False,
        "html_math_renderer": "temml",
        "html_permalinks_icon": "#",
        "nb_execution_mode": "off",
        "nb_render_text_lexer": "none",
        "nb_code_prompt_show": "Mostrar o código",
        "nb_code_prompt_hide": "Esconder o código",
        "myst_enable_extensions": ["dollarmath"],
        "myst_dmath_double_inline": True,
        "myst_heading_anchors": 3,
        "sitio_pasta": str(obra.pasta),
        "sitio_fichas": fichas(obra.pasta),
        "sitio_programa": _resumo("*.py", "modelos/**/*", "ativos/*"),
        "suppress_warnings": ["config.cache", "toc.not_included"],
    }


def _resumo(*padroes: str) -> str:
    """Do que está em sitio/, e não do que o npm trouxe."""
    arquivos = {p for padrao in padroes for p in SALA.glob(padrao) if p.is_file()} | {*SALA.glob("partes/*.py")}
    conta = hashlib.sha256()
    for arquivo in sorted(arquivos):
        conta.update(arquivo.relative_to(RAIZ).as_posix().encode() + arquivo.read_bytes())
    return conta.hexdigest()
