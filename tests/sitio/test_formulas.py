"""As fórmulas: desenhadas uma vez, com o LaTeX ao lado, e uma frase quando não se desenham."""

import json
import shutil

import pytest

from sitio import npm
from sitio.formulas import Formulas
from sitio.obra import NaoDeu

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not npm.arquivo("temml").is_dir(), reason="sem o Node, ou sem o que vem do npm"
)


def test_uma_formula_e_mathml_com_o_latex_como_texto_alternativo(tmp_path):
    formulas = Formulas(tmp_path / "guardadas.json")
    formulas.fazer({(r"a < b & \frac{1}{2}"[:5], False): "aulas/x", (r"\frac{1}{2}", True): "aulas/x"})
    assert formulas.html((r"\frac{1}{2}", True)).startswith(r'<math alttext="\frac{1}{2}"')
    assert 'display="block"' in formulas.html((r"\frac{1}{2}", True))
    assert 'alttext="a &lt; b"' in formulas.html(("a < b", False))


def test_o_que_ja_foi_desenhado_nao_chama_o_node_de_novo(tmp_path, monkeypatch):
    guardadas = tmp_path / "guardadas.json"
    guardadas.write_text(json.dumps({"linha x": "<math></math>"}))
    monkeypatch.setattr(npm, "node", lambda: pytest.fail("chamou o node"))
    Formulas(guardadas).fazer({("x", False): "aulas/x"})


def test_uma_formula_errada_diz_em_que_pagina_esta(tmp_path):
    with pytest.raises(NaoDeu, match=r"Em aulas/02, a fórmula .*frac"):
        Formulas(tmp_path / "guardadas.json").fazer({(r"\frac{1}{", True): "aulas/02"})
