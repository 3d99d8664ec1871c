"""O que o site acrescenta ao Sphinx: as fórmulas, a política e os programas de cada página."""

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from sitio.formulas import Formula, Formulas
from sitio.politica import politica


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
    app.connect("html-page-context", _pagina)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1"}


# ------------------------------------------------------------ fórmulas


def _comecar(app: Sphinx) -> None:
    if not hasattr(app.env, "formulas"):
        app.env.formulas = {}  # type: ignore[attr-defined]


def _anotar_formulas(app: Sphinx, doctree: nodes.document) -> None:
    achadas = {_de_no(no) for tipo in (nodes.math, nodes.math_block) for no in doctree.findall(tipo)}
    app.env.formulas[app.env.docname] = achadas  # type: ignore[attr-defined]


def _juntar_formulas(app: Sphinx, env: Any, paginas: list[str], outro: Any) -> None:
    env.formulas.update({p: outro.formulas[p] for p in paginas if p in outro.formulas})


def _esquecer(app: Sphinx, env: Any, pagina: str) -> None:
    getattr(env, "formulas", {}).pop(pagina, None)


def _desenhar_formulas(app: Sphinx, env: Any) -> list[str]:
    todas = Formulas(Path(app.config.sitio_pasta, "formulas.json"))
    todas.fazer({formula: pagina for pagina, delas in sorted(env.formulas.items()) for formula in sorted(delas)})
    app.sitio_formulas = todas  # type: ignore[attr-defined]
    return []


def _de_no(no: nodes.Element) -> Formula:
    return (no.astext(), isinstance(no, nodes.math_block))


def _formula(tradutor: Any, no: nodes.math) -> None:
    tradutor.body.append(tradutor.builder.app.sitio_formulas.html(_de_no(no)))
    raise nodes.SkipNode


def _bloco(tradutor: Any, no: nodes.math_block) -> None:
    tradutor.body.append(f'<div class="formula">{tradutor.builder.app.sitio_formulas.html(_de_no(no))}</div>\n')
    raise nodes.SkipNode


# ------------------------------------------------------------ as páginas


def _pagina(app: Sphinx, onde: str, modelo: str, contexto: dict[str, Any], doctree: Any) -> None:
    ficha = app.config.sitio_fichas.get(onde, {})
    meta = f'<meta http-equiv="Content-Security-Policy" content="{politica(ficha.get("csp"))}">'
    contexto["metatags"] = meta + contexto.get("metatags", "")
    for nome in ficha.get("ativos", ()):
        if nome.endswith(".css"):
            app.add_css_file(nome)
        else:
            app.add_js_file(nome, loading_method="defer")
    if ficha.get("largo"):
        contexto["furo_hide_toc"] = True


def fichas(pasta: Path) -> dict[str, Any]:
    return json.loads((pasta / "paginas.json").read_text(encoding="utf-8"))
