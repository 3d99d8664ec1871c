"""O comando que faz o site: o que ele recusa, o que ele publica, e o que nunca está no que ele faz."""

import json
import re
import shutil

import nbformat
import pytest
from conftest import RAIZ

from sitio import construir, montagem, npm
from sitio.obra import Caderno, NaoDeu, Obra, em_script, ler_caderno
from sitio.politica import politica
from sitio.rumo import minutos, rumos


def obra(pasta, ate=None):
    return Obra(RAIZ, pasta / "trabalho", ate, "1.0.0")


BOA = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "x"}
CADERNO = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}


# ------------------------------------------------------------ antes


def test_uma_pasta_com_outras_coisas_e_recusada_e_fica_como_estava(tmp_path):
    (tmp_path / "tese.txt").write_text("não apague")
    with pytest.raises(NaoDeu, match="já tem outras coisas"):
        construir.conferir(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["tese.txt"]


def test_um_destino_com_pontos_e_o_lugar_a_que_eles_levam(tmp_path):
    (tmp_path / "tese.txt").write_text("não apague")
    with pytest.raises(NaoDeu, match="já tem outras coisas"):
        construir.conferir(tmp_path / "ainda" / "nao" / ".." / "..")


def test_um_arquivo_no_lugar_da_pasta_e_recusado(tmp_path):
    (tmp_path / "site").write_text("")
    with pytest.raises(NaoDeu, match="é um arquivo"):
        construir.conferir(tmp_path / "site")


@pytest.mark.parametrize("dito", [None, "v16.20.0", "isto não é o node"])
def test_sem_o_node_ou_com_um_antigo_uma_frase_diz_o_que_fazer(dito, monkeypatch, tmp_path):
    falso = tmp_path / "node"
    falso.write_text(f"#!/bin/sh\necho '{dito}'\n")
    falso.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda nome: dito and str(falso))
    with pytest.raises(NaoDeu, match=r"Node\.js 18 ou mais novo; instale-o"):
        npm.node()


@pytest.mark.parametrize(
    ("texto", "dito"),
    [
        ("{", "aulas/x.ipynb: "),
        (
            json.dumps(CADERNO | {"cells": [BOA, {"cell_type": "code"}]}),
            "na célula 2",
        ),
    ],
)
def test_um_notebook_que_nao_se_le_diz_qual_e_e_em_que_celula(texto, dito, tmp_path):
    (tmp_path / "aulas").mkdir()
    (tmp_path / "aulas" / "x.ipynb").write_text(texto)
    with pytest.raises(NaoDeu, match="Não consegui ler aulas/x.ipynb") as parou:
        ler_caderno(tmp_path, "aulas/x.ipynb", "aulas/x")
    assert dito in str(parou.value)


# ------------------------------------------------------------ o que vai


def test_nada_do_instrutor_entra_e_o_ate_para_na_aula_pedida(tmp_path, monkeypatch):
    monkeypatch.setattr(montagem, "ler_caderno", lambda _, origem, onde: Caderno(origem, onde, None))
    inteira, de_uma_semana = obra(tmp_path), obra(tmp_path, "02")
    for uma in (inteira, de_uma_semana):
        montagem._juntar(uma, None)
    origens = {c.origem.parts[0] for c in inteira.cadernos.values()}
    assert origens == {"notebooks", "release"}
    assert not {p.origem.parts[0] for p in inteira.paginas.values()} & {"source", "gabarito", "correcao"}
    numeros = {int(re.search(r"\d\d", onde)[0]) for onde in de_uma_semana.cadernos}
    assert numeros == {0, 1, 2}


def test_publicar_leva_o_que_mudou_e_tira_o_que_deixou_de_haver(tmp_path):
    uma, destino = obra(tmp_path), tmp_path / "site"
    uma.saida.mkdir(parents=True)
    uma.arquivos = {"a.js": "1", "pasta/b.js": b"2"}
    construir.publicar(uma, destino)
    (destino / "de-outra-pessoa.txt").write_text("fica")
    uma.arquivos = {"a.js": "3"}
    construir.conferir(destino)
    construir.publicar(uma, destino)
    assert (destino / "a.js").read_text() == "3"
    assert not (destino / "pasta" / "b.js").exists()
    assert (destino / "de-outra-pessoa.txt").exists()


def test_a_politica_nao_deixa_nada_vir_de_fora_e_uma_pagina_so_soma_ao_que_ja_ha():
    assert "default-src 'none'" in politica() and "http" not in politica()
    somada = politica({"worker-src": "blob:", "script-src": "'wasm-unsafe-eval'"})
    assert "worker-src blob:" in somada and re.search(r"script-src 'self'[^;]*'wasm-unsafe-eval'", somada)


def test_nenhum_texto_fecha_o_script_em_que_os_dados_estao():
    assert "</script>" not in em_script({"x": "</script><script>alert(1)"})


# ------------------------------------------------------------ onde se está


def test_o_tempo_e_o_que_a_aula_diz_ou_o_de_ler_as_palavras():
    assert minutos("# A\n\nTempo: 35 minutos, fora o treino.") == 35
    assert minutos("palavra " * 1000) == 5
    assert minutos("") == 1


def ficha(nome):
    return {"titulo": f"Aula · {nome}", "origem": f"notebooks/{nome}.ipynb", "minutos": 10}


def test_a_lista_vem_depois_da_segunda_metade_da_aula_e_leva_a_seguinte():
    nomes = ("aulas/04-qkv", "aulas/04b-duas-mangas", "aulas/05-multiplas", "listas/lista-04-qkv", "alem/04-ordem")
    fichas = {nome: ficha(nome) for nome in nomes}
    rumos(Obra(RAIZ, RAIZ), fichas)
    lista, alem = fichas["listas/lista-04-qkv"], fichas["alem/04-ordem"]
    assert lista["antes"]["href"] == "../aulas/04b-duas-mangas.html"
    assert lista["depois"]["href"] == alem["depois"]["href"] == "../aulas/05-multiplas.html"
    assert [p["numero"] for p in lista["trilha"] if p["aqui"]] == ["04", "04b"]
    assert fichas["aulas/04-qkv"]["antes"] is None and "Além: " in fichas["aulas/04-qkv"]["linha"]


def test_um_caderno_so_leva_cada_programa_uma_vez(tmp_path):
    caderno = Caderno(tmp_path, "aulas/x", nbformat.v4.new_notebook())
    caderno.usar("a.js")
    caderno.usar("b.js", "a.js")
    assert caderno.ativos == ["a.js", "b.js"]
