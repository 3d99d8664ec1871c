"""As apostas, os controles e o glossário do site em um Chromium: com o mouse, só com o teclado, no celular."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from conftest import RAIZ

from helpers.conferencia.aposta import responder
from sitio.partes.apostas import da_celula

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def visto(chromium, playwright, site_de_duas_aulas):
    """O que o roteiro viu no site das aulas 00 e 02, que sitio.partes.apostas mudou."""
    comando = [
        sys.executable,
        str(RAIZ / "tests" / "navegador" / "navegador_apostas.py"),
        chromium,
        str(site_de_duas_aulas),
    ]
    ambiente = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": playwright}
    feito = subprocess.run(comando, env=ambiente, capture_output=True, text=True, encoding="utf-8")
    assert feito.returncode == 0, feito.stderr[-3000:]
    return json.loads(feito.stdout)


def test_com_o_mouse_a_aposta_e_respondida_abre_o_resto_e_fica_lembrada(visto):
    mouse = visto["com_o_mouse"]
    assert mouse["sem escolher"] == "Falta a sua aposta."
    assert mouse["dita"] == mouse["lembrada"] == responder("aula-02/divide-pela-soma", "comer", "na_pagina").frase
    aula = nbformat.read(RAIZ / "notebooks" / "02-softmax.ipynb", as_version=4)
    quantas = sum(len(da_celula(celula.source)) for celula in aula.cells if celula.cell_type == "code")
    assert mouse["fechadas"] == [quantas, quantas - 1, quantas - 1, quantas - 2]
    assert mouse["no mapa"] == f"1 de {quantas} apostas"


def test_so_com_o_teclado_se_aposta_se_mexe_na_figura_e_se_le_um_significado(visto):
    teclado = visto["com_o_teclado"]
    assert teclado["dita"] == ["Li 90.", "Isso mesmo."]
    assert teclado["andou"] and teclado["valor"] == "360"
    assert teclado["significado"].endswith("No glossário") and teclado["fechou"]


def test_onde_o_navegador_nao_guarda_nada_ainda_se_aposta(visto):
    assert visto["sem_gaveta"] == {"dita": "Isso mesmo.", "abriu": 1}


def test_nada_disso_quebra_o_acesso_sobra_de_lado_ou_pede_algo_a_rede(visto):
    assert visto["com_o_teclado"]["quebra"] == []
    assert visto["com_o_teclado"]["sobra"] == 0
    assert visto["com_o_mouse"]["erros"] == visto["com_o_mouse"]["fora"] == visto["com_o_teclado"]["fora"] == []
