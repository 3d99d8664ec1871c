"""Onde cada arquivo do curso fica no site, e as ligações de uma página para outra."""

from pathlib import Path

import pytest

from sitio.enderecos import endereco, imagens, relativo, religar, religar_saida

HA = {"aulas/00-boas-vindas", "aulas/02-softmax", "listas/lista-02-softmax", "alem/02-entropia", "glossario"}


@pytest.mark.parametrize(
    ("caminho", "onde"),
    [
        ("notebooks/02-softmax.ipynb", "aulas/02-softmax"),
        ("notebooks/alem/02-entropia.ipynb", "alem/02-entropia"),
        ("release/lista-02-softmax/lista-02-softmax.ipynb", "listas/lista-02-softmax"),
        ("notebooks/glossario.md", "glossario"),
        ("guias/instrutor.md", "guias/instrutor"),
        ("source/lista-02-softmax/lista-02-softmax.ipynb", None),
        ("gabarito/lista_02/MATRIZ.md", None),
        ("autograded/README.md", None),
    ],
)
def test_so_tem_endereco_o_que_vai_para_o_site(caminho, onde):
    assert endereco(caminho) == onde


def ligada(texto, origem="notebooks/02-softmax.ipynb", de="aulas/02-softmax"):
    return religar(texto, Path(origem), de, HA)


def test_uma_ligacao_entre_notebooks_leva_a_pagina_do_outro():
    feita = ligada("Veja a [**lista 02**](../release/lista-02-softmax/lista-02-softmax.ipynb).")
    assert 'href="../listas/lista-02-softmax.html">**lista 02**</a>' in feita


def test_a_celula_com_nome_e_o_titulo_com_acento_sao_destinos():
    assert 'href="00-boas-vindas.html#mapa-00"' in ligada("[mapa](00-boas-vindas.ipynb#cell-id=mapa-00)")
    assert 'href="../glossario.html#da-cabeca"' in ligada("[ali](glossario.md#da-cabeça)")


def test_o_que_nao_chegou_ou_nao_vai_para_o_site_fica_so_com_o_texto():
    assert ligada("A [aula 09](09-sem-atencao.ipynb) vem.") == "A aula 09 vem."
    assert ligada("O [gabarito](../gabarito/lista_02/softmax.py).") == "O gabarito."


def test_o_que_esta_em_codigo_e_o_que_leva_para_fora_nao_mudam():
    texto = "`[a](02-softmax.ipynb)` e [artigo](https://exemplo.org/x) e [aqui](#tres)\n```\n[b](02-softmax.ipynb)\n```"
    assert ligada(texto) == texto


def test_o_texto_de_uma_ligacao_pode_ter_codigo():
    assert ">a `softmax` dela</a>" in ligada("[a `softmax` dela](02-softmax.ipynb)")


def test_o_html_de_uma_celula_tambem_se_liga_e_o_que_nao_ha_deixa_de_ser_ligacao():
    mapa = '<a class="x" href="../release/../notebooks/02-softmax.ipynb">02</a><a href="09-sem.ipynb#cell-id=b">09</a>'
    feito = religar_saida(mapa, Path("notebooks/00-boas-vindas.ipynb"), "aulas/00-boas-vindas", HA)
    assert feito == '<a class="x" href="02-softmax.html">02</a><a>09</a>'


def test_uma_imagem_vai_para_a_pasta_das_imagens_com_o_texto_dela():
    texto, achadas = imagens("![o relatório](../imagens/relatorio.png)", Path("guias/instrutor.md"), "guias/instrutor")
    assert achadas == {"_images/relatorio.png": Path("imagens/relatorio.png")}
    assert 'alt="o relatório" src="../_images/relatorio.png"' in texto


def test_o_caminho_entre_duas_paginas_e_relativo():
    assert relativo("alem/02-entropia", "aulas/02-softmax") == "../aulas/02-softmax.html"
    assert relativo("index", "aulas/02-softmax") == "aulas/02-softmax.html"
