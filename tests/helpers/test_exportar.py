"""“Salvar e exportar como HTML”, com os ajustes do JupyterLab do curso: uma página que se lê sem rede."""

import re

import nbformat
import pytest
from conftest import RAIZ, aulas
from nbconvert import HTMLExporter
from traitlets.config.loader import PyFileConfigLoader

from helpers.exportar import desenhadas


@pytest.fixture(scope="module")
def exportador() -> HTMLExporter:
    ajustes = PyFileConfigLoader("jupyter_lab_config.py", str(RAIZ / "configuracao" / "jupyter")).load_config()
    return HTMLExporter(config=ajustes)


def test_uma_aula_exportada_nao_pede_nada_a_rede_e_guarda_formulas_e_dobras(exportador):
    (aula,) = (caminho for caminho in aulas() if caminho.name.startswith("02-"))
    nb = nbformat.read(aula, as_version=4)
    nb.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}  # como quem acaba de rodar
    dobradas = [c for c in nb.cells if c.metadata.get("jupyter", {}).get("source_hidden")]
    pagina, _ = exportador.from_notebook_node(nb)
    assert not re.findall(r"<(?:script|link)[^>]*(?:src|href)=.https?:|import .{0,80}https?://|cdnjs|unpkg", pagina)
    assert pagina.count('<details class="dobrado">') == len(dobradas) > 0
    texto = re.sub(r"<script.*?</script>|<style.*?</style>|<pre.*?</pre>", "", pagina, flags=re.DOTALL)
    assert texto.count("<math") > 10 and not re.search(r"\\(?:frac|sum|sqrt|top)|\$[^$<]{1,40}\$", texto)


def test_toda_formula_do_curso_se_desenha():
    cruas = []
    for caminho in [*(RAIZ / "notebooks").rglob("*.ipynb"), *(RAIZ / "release").rglob("*.ipynb")]:
        textos = [c.source for c in nbformat.read(caminho, as_version=4).cells if c.cell_type == "markdown"]
        cruas += [
            (caminho.name, t) for t in textos if "$" in re.sub(r"```.*?```|`[^`\n]*`", "", desenhadas(t), flags=re.S)
        ]
    assert not cruas


def test_o_que_e_codigo_e_o_que_nao_se_desenha_ficam_como_estao():
    for texto in ("um `$PATH$` no terminal", "custa R$ 5 e R$ 6", "```\n$a$\n```", r"$a_1_2$"):
        assert desenhadas(texto) == texto
    assert desenhadas("o $a_1$").startswith("o <math") and "\n" not in desenhadas("$$\na\n\n=b$$")
