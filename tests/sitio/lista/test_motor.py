"""O motor de uma lista na página: em um Node, o banco ouve o mesmo que no notebook; em um Chromium, isolado e vivo."""

import io
import json
import os
import random
import shutil
import subprocess
import sys
import zipfile
from gzip import decompress

import pytest
from conftest import RAIZ, semente_da_rodada, tudo

from helpers.indice import questoes
from sitio import npm
from sitio.lista import ensaio, mesmo_veredito, recursos, rodas
from sitio.lista.rastro import celulas

UM_DECIMO = 25  # respostas, de uma lista só: são 1200 ao todo, e ligar o Python custa mais do que conferir


@pytest.fixture(scope="module")
def prontos(tmp_path_factory):
    """(a pasta, o manifesto): os recursos da lista 02 e os da lista da rodada; com `--tudo`, os de todas."""
    if shutil.which("node") is None:
        pytest.skip("não há Node.js")
    guias = RAIZ.parent / "shared" / "rodas"
    if guias.is_dir():
        os.environ.setdefault(rodas.RODAS, str(guias))
    npm.preparar()
    pasta = tmp_path_factory.mktemp("recursos")
    quais = recursos.LISTAS if tudo() else sorted({"lista-02", "lista-03", da_rodada()})
    manifesto = recursos.preparar(pasta, quais, aviso=lambda _frase: None)
    return (pasta, manifesto) if manifesto else pytest.skip("não há o NumPy do Pyodide: diga onde em CURSO_RODAS")


def da_rodada() -> str:
    return recursos.LISTAS[semente_da_rodada() % len(recursos.LISTAS)]


# ---------------------------------------------------------------- o que viaja


def test_so_viaja_o_que_a_lista_usa_e_nada_que_responda_a_uma_questao(prontos):
    pasta, manifesto = prontos
    for lista in manifesto["listas"]:
        dados = manifesto["arquivos"][f"{lista}.zip"]
        assert dados["comprimido"] <= recursos.MAIOR_LISTA
        with zipfile.ZipFile(io.BytesIO(decompress((pasta / dados["gz"]).read_bytes()))) as viaja:
            nomes = viaja.namelist()
        assert not [n for n in nomes if "substitutos" in n or n.startswith(("gabarito", "correcao", "source"))]
        outras = {f"helpers/referencias/{outra}.json" for outra in recursos.LISTAS} - {
            f"helpers/referencias/{lista}.json"
        }
        assert not outras & set(nomes)


def test_a_primeira_vez_baixa_menos_de_12_megas(prontos):
    _, manifesto = prontos
    comuns = sum(manifesto["arquivos"][nome]["comprimido"] for nome in manifesto["comuns"])
    assert comuns + recursos.MAIOR_LISTA <= 12_000_000


def test_o_mesmo_recurso_esta_nas_duas_formas(prontos):
    pasta, manifesto = prontos
    import base64

    dados = manifesto["arquivos"]["lista-02.zip"]
    script = (pasta / dados["js"]).read_text("ascii")
    assert base64.b64decode(script.split('"')[3]) == (pasta / dados["gz"]).read_bytes()


# ---------------------------------------------------------------- em um Node


@pytest.mark.skipif(tudo(), reason="com --tudo, o banco inteiro")
def test_um_decimo_do_banco_ouve_na_pagina_o_que_ouve_no_notebook(prontos):
    lista = da_rodada()
    todas = mesmo_veredito.respostas(lista)
    quais = random.Random(semente_da_rodada()).sample(todas, UM_DECIMO)
    assert not mesmo_veredito.diferencas(prontos[0], lista, quais)


@pytest.mark.tudo
@pytest.mark.parametrize("lista", recursos.LISTAS)
def test_o_banco_inteiro_ouve_na_pagina_o_que_ouve_no_notebook(prontos, lista):
    assert not mesmo_veredito.diferencas(prontos[0], lista, mesmo_veredito.respostas(lista))


def test_o_que_passou_em_uma_lista_roda_na_seguinte_e_o_que_falta_e_emprestado(prontos):
    softmax = "def softmax(x, eixo=-1):\n    e = np.exp(x - x.max(axis=eixo, keepdims=True))"
    softmax += "\n    return e / e.sum(axis=eixo, keepdims=True)"
    da_02 = _com(celulas("lista-02"), "softmax", softmax)
    solucao = "def atencao_escalada(Q, K, V):\n    A = softmax(Q @ K.T / np.sqrt(K.shape[1]))\n    return A @ V, A"
    outro_jeito = solucao.replace("softmax(Q @ K.T", "softmax(1 + Q @ K.T")
    da_03 = celulas("lista-03")

    def conferir(texto, outras):
        celulas_ = _com(da_03, "atencao_escalada", texto)
        return {"que": "conferir", "questao": "lista-03/atencao_escalada", "celulas": celulas_, "outras": outras}

    feita = {"lista-02": {"celulas": da_02, "certas": ["softmax"]}}
    por_conferir = {"lista-02": {"celulas": da_02, "certas": []}}
    pedidos = [conferir(solucao, feita), conferir(solucao, {}), conferir(outro_jeito, por_conferir)]
    com_a_sua, emprestada, sem = mesmo_veredito.em_node(prontos[0], "lista-03", pedidos)
    assert (com_a_sua["situacao"], com_a_sua["minhas"][0]["veio"]) == ("certa", "sua")
    assert (emprestada["situacao"], emprestada["minhas"][0]["veio"]) == ("certa", "emprestada")
    assert sem["situacao"] == "falta-outra" and "`softmax` é da lista 02" in sem["frase"]
    assert sem["minhas"][0]["porque"] == "ainda não passou em Conferir"


def _com(todas, nome, texto):
    return [c | {"texto": texto} if c["nome"] == nome else c for c in todas]


# ---------------------------------------------------------------- em um Chromium


@pytest.fixture(scope="module")
def visto(prontos, chromium, playwright, tmp_path_factory):
    """O que uma pessoa faz na página, por http e do disco, e o que se viu: uma vez só."""
    pasta = tmp_path_factory.mktemp("pagina")
    ensaio.fazer(pasta, *prontos)
    programa = RAIZ / "tests" / "navegador" / "navegador_motor.py"
    ambiente = os.environ | {"PYTHONPATH": playwright, "PYTHONUTF8": "1"}
    feito = subprocess.run(
        [sys.executable, str(programa), chromium, str(pasta)], env=ambiente, capture_output=True, text=True
    )
    assert feito.returncode == 0, feito.stderr[-3000:]
    return json.loads(feito.stdout)


@pytest.mark.parametrize("por_onde", ["http", "disco"])
def test_a_pagina_confere_por_http_e_aberta_do_disco(visto, por_onde):
    dito = visto[por_onde]
    assert (dito["errada"]["situacao"], dito["errada"]["equivoco"]) == ("errada", "normaliza-colunas")
    assert "ao longo do eixo 0" in dito["errada"]["frase"]
    assert (dito["certa"]["situacao"], dito["certa"]["titulo"]) == ("certa", "✓ softmax")
    assert (dito["rodou"]["saida"], dito["rodou"]["valor"]) == ("oi\n", "2")
    assert dito["estados"][:3] == ["carregando", "pronto", "ocupado"]
    assert dito["progresso"]["feito"] == dito["progresso"]["total"] > 8_000_000


def test_o_python_so_e_baixado_quando_alguem_o_usa(visto):
    assert visto["antes_de_usar"] == [] and visto["baixou"] > 5


def test_o_que_da_errado_acaba_em_uma_frase_e_a_pagina_segue(visto):
    errado = visto["errado"]
    assert errado["enxurrada"]["cortada"] and errado["enxurrada"]["saida"] == 100_000
    assert errado["gigante"]["situacao"] == "erro" and "não cabe na memória" in errado["gigante"]["frase"]
    assert "não há como responder a um input" in errado["input"]["frase"]
    assert errado["sintaxe"]["frase"].startswith("A célula tem um erro de sintaxe na linha 1")
    assert errado["sem_fim"]["situacao"] == "morta" and "chama a si mesma" in errado["sem_fim"]["frase"]
    assert errado["depois_da_morte"]["situacao"] == "certa"
    assert errado["parada"]["situacao"] == "parada" and errado["parada"]["frase"].startswith("Você parou")
    assert errado["depois_de_parar"]["situacao"] == "certa"


@pytest.mark.parametrize("onde", ["", "_do_disco"])
def test_o_python_do_aluno_nao_alcanca_a_rede_nem_o_que_esta_guardado(visto, onde):
    from ast import literal_eval

    dito = literal_eval(visto[f"fugas{onde}"]["dito"]["valor"])
    assert set(dito) == {"xhr", "importScripts", "indexedDB", "cookie", "storage", "pai"}
    assert set(dito.values()) == {"barrado"}, dito
    assert visto[f"fugas{onde}"]["depois"]["valor"] == "[]"
    assert visto[f"fugidos{onde}"] == []


# ---------------------------------------------------------------- sem o Python


def test_o_torch_e_dito_sem_ligar_nada(prontos):
    pasta, manifesto = prontos
    assert manifesto["sem_torch"] == (["lista-05/para_torch"] if "lista-05" in manifesto["listas"] else [])
    assert set(questoes("lista-05")) > {"lista-05/para_torch"}
