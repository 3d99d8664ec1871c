"""A célula de uma aposta, na página: o formulário, e o que fica fechado até o próximo título de seção."""

import re
from pathlib import Path

import nbformat
import pytest

from helpers.conferencia.referencia import carregar
from sitio.obra import Caderno, Obra
from sitio.partes import apostas

APOSTA = 'aposta = ...\nconfira("aula-02/perto-ou-longe", aposta)'


def md(texto):
    return nbformat.v4.new_markdown_cell(texto)


def code(texto, *impresso):
    saidas = [nbformat.v4.new_output("stream", text=t) for t in impresso]
    return nbformat.v4.new_code_cell(texto, outputs=saidas)


def feito(*celulas):
    nb = nbformat.v4.new_notebook(cells=list(celulas))
    caderno = Caderno(Path("notebooks/02-softmax.ipynb"), "aulas/02-softmax", nb)
    apostas.caderno(caderno, Obra(Path("."), Path(".")))
    return caderno


def fechados(caderno):
    """O que está dentro de um `<div>` fechado, pelo primeiro pedaço de cada célula."""
    dentro, achados = 0, []
    for celula in caderno.nb.cells:
        if "depois-da-aposta" in celula.source:
            dentro += 1
        elif re.search(r"^</div>$", celula.source, re.MULTILINE):
            dentro -= 1
        elif dentro:
            achados.append(celula.source.split("\n")[0])
    assert dentro == 0
    return achados


def test_fecha_o_que_vem_depois_ate_o_proximo_titulo_de_secao():
    pagina = feito(md("antes"), code(APOSTA), code("x = 1"), md("O que houve.\n\n## 4. Outra\n\nTexto"), code("y = 2"))
    assert fechados(pagina) == ["x = 1", "O que houve."]
    assert pagina.nb.cells[-2].source.startswith("## 4. Outra")


def test_um_titulo_menor_fica_a_vista_e_o_texto_dele_nao():
    pagina = feito(code(APOSTA), md("### Explorador\n\nArraste."), code("x = 1"))
    assert fechados(pagina) == ["Arraste.", "x = 1"]


def test_a_segunda_aposta_da_secao_so_aparece_depois_da_primeira():
    outra = 'aposta = ...\nconfira("aula-02/mil-e-mil", aposta)'
    pagina = feito(code(APOSTA), md("meio"), code(outra), md("fim"))
    assert "aposta = ..." in fechados(pagina)
    abre = [c.source for c in pagina.nb.cells if "depois-da-aposta" in c.source]
    assert 'data-de="aula-02/perto-ou-longe aula-02/mil-e-mil"' in abre[-1]


def test_a_celula_nao_pede_que_se_troquem_os_tres_pontos_e_guarda_o_resto_do_que_imprimiu():
    pedido = "Troque os três pontos pela sua aposta e rode esta célula de novo.\n"
    pagina = feito(code(f"print(Z)\n{APOSTA}", f"[[0 1]]\n{pedido}"))
    celula = next(c for c in pagina.nb.cells if c.cell_type == "code")
    assert [s.text for s in celula.outputs] == ["[[0 1]]\n"]
    assert "hide-input" not in celula.metadata["tags"]


def test_o_codigo_que_e_so_a_aposta_vem_dobrado():
    pagina = feito(code(APOSTA))
    celula = next(c for c in pagina.nb.cells if c.cell_type == "code")
    assert celula.metadata["tags"] == ["hide-input"]


@pytest.mark.parametrize("texto", ['confira("aula-08/conserto", perda)', "x = ...", "%pip list", 'conferir("a/b", f)'])
def test_o_que_nao_deixa_nada_por_apostar_nao_e_uma_aposta(texto):
    assert apostas.da_celula(texto) == []


def test_quem_tem_opcoes_toca_nelas_e_quem_pede_um_numero_escreve():
    assert apostas.formulario(carregar("aula-02/perto-ou-longe")).count('type="radio"') == 2
    assert 'inputmode="decimal"' in apostas.formulario(carregar("aula-00/angulo"))
