"""O que o site acrescenta ao Sphinx: as fórmulas, a política e os programas de cada página."""

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from sitio.busca import secoes
from sitio.formulas import Formula, Formulas
from sitio.politica import politica

CABE_NA_LINHA = 24  # letras de uma fórmula no meio do texto, na tela de um celular


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("sitio_pasta", "", "")
    app.add_config_value("sitio_programa", "", "env")  # muda quando muda o que faz as páginas: refaz todas
    app.add_config_value("sitio_fichas", {}, "")
    app.add_html_math_renderer("temml", (_formula, None), (_bloco, None))
    app.connect("builder-inited", _comecar)
    app.connect("doctree-read", _anotar_formulas)
    app.connect("env-merge-info", _juntar_formulas)
    app.connect("env-purge-doc", _esquecer)
    app.connect("env-updated", _desenhar_formulas)
    app.connect("html-page-context", _pagina, priority=900)  # depois do Furo
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1"}


# ------------------------------------------------------------ fórmulas


def _comecar(app: Sphinx) -> None:
    app.builder.search = False  # type: ignore[attr-defined]  # a busca é a nossa (sitio.busca)
    app.env.secoes = getattr(app.env, "secoes", {})  # type: ignore[attr-defined]
    if not hasattr(app.env, "formulas"):
        app.env.formulas = {}  # type: ignore[attr-defined]


def _anotar_formulas(app: Sphinx, doctree: nodes.document) -> None:
    achadas = {_de_no(no) for tipo in (nodes.math, nodes.math_block) for no in doctree.findall(tipo)}
    app.env.formulas[app.env.docname] = achadas  # type: ignore[attr-defined]
    app.env.secoes[app.env.docname] = secoes(doctree)  # type: ignore[attr-defined]


def _juntar_formulas(app: Sphinx, env: Any, paginas: list[str], outro: Any) -> None:
    for nome in ("formulas", "secoes"):
        deles = getattr(outro, nome, {})
        getattr(env, nome).update({p: deles[p] for p in paginas if p in deles})


def _esquecer(app: Sphinx, env: Any, pagina: str) -> None:
    for nome in ("formulas", "secoes"):
        getattr(env, nome, {}).pop(pagina, None)


def _desenhar_formulas(app: Sphinx, env: Any) -> list[str]:
    todas = Formulas(Path(app.config.sitio_pasta, "formulas.json"))
    todas.fazer({formula: pagina for pagina, delas in sorted(env.formulas.items()) for formula in sorted(delas)})
    app.sitio_formulas = todas  # type: ignore[attr-defined]
    return []


def _de_no(no: nodes.Element) -> Formula:
    return (no.astext(), isinstance(no, nodes.math_block))


def _formula(tradutor: Any, no: nodes.math) -> None:
    desenhada = tradutor.builder.app.sitio_formulas.html(_de_no(no))
    longa = len(re.sub(r"<[^>]+>|&#?\w+;", "", desenhada)) > CABE_NA_LINHA
    tradutor.body.append(f'<span class="formula-longa">{desenhada}</span>' if longa else desenhada)
    raise nodes.SkipNode


def _bloco(tradutor: Any, no: nodes.math_block) -> None:
    tradutor.body.append(f'<div class="formula">{tradutor.builder.app.sitio_formulas.html(_de_no(no))}</div>\n')
    raise nodes.SkipNode


# ------------------------------------------------------------ as páginas


def _pagina(app: Sphinx, onde: str, modelo: str, contexto: dict[str, Any], doctree: Any) -> None:
    ficha = app.config.sitio_fichas.get(onde, {})
    meta = f'<meta http-equiv="Content-Security-Policy" content="{politica(ficha.get("csp"))}">'
    contexto["metatags"] = meta + contexto.get("metatags", "")
    contexto["ficha"] = ficha
    contexto.update({nome: ficha.get(nome) for nome in ("trilha", "antes", "depois")})
    contexto["body"] = _acessivel(contexto["body"])
    if "furo_navigation_tree" in contexto:
        contexto["furo_navigation_tree"] = contexto["furo_navigation_tree"].replace(' role="heading"', "")
    if ficha.get("linha"):
        contexto["body"] = contexto["body"].replace("</h1>", "</h1>" + ficha["linha"], 1)
    for nome in ficha.get("ativos", ()):
        if nome.endswith(".css"):
            app.add_css_file(nome)
        else:
            app.add_js_file(nome, loading_method="defer")
    contexto["script_files"][:] = [s for s in contexto["script_files"] if not _dispensavel(s)]
    if ficha.get("largo"):
        contexto["furo_hide_toc"] = True


def _acessivel(corpo: str) -> str:
    """O que o myst-nb escreve em inglês, ou que um leitor de telas não entende."""
    corpo = corpo.replace(' aria-label="Toggle hidden content"', "")
    return re.sub(r'<th class="head[^"]*">(?:<p></p>)?</th>', "<td></td>", corpo)


# do Sphinx: o realce da busca dele, que não é a nossa, e os atalhos da documentação
DISPENSADOS = ("documentation_options.js", "doctools.js", "sphinx_highlight.js", "translations.js")


def _dispensavel(programa: Any) -> bool:
    return str(getattr(programa, "filename", programa)).rpartition("/")[2] in DISPENSADOS


def fichas(pasta: Path) -> dict[str, Any]:
    return json.loads((pasta / "paginas.json").read_text(encoding="utf-8"))
