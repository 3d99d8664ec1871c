"""A lista na página, no Chromium: o que se escreve, se confere, se guarda, se baixa e se abre."""

import copy
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from functools import partial

import nbformat
import pytest
from conftest import RAIZ
from escritas import dito

from correcao.livro.turma import Turma
from helpers.indice import listas
from sitio.lista import tela

NOME = "lista-02"
RODAS = RAIZ.parent / "shared" / "rodas"
ERRADAS = {
    "softmax": "def softmax(x, eixo=-1):\n    e = np.exp(x - x.max())\n    return e / e.sum(axis=0, keepdims=True)\n",
    "softmax_temperatura": "def softmax_temperatura(x, T, eixo=-1):\n    return softmax(x, eixo) / T\n",
    "entropia": "def entropia(A):\n    return -(A * np.log(A)).sum(axis=-1)\n",
    "autoatencao_simples": "def autoatencao_simples(X):\n    A = softmax(X @ X.T)\n    return A, A @ X\n",
    "empurrar": "def empurrar(a, j, c):\n    b = a.copy()\n    b[j] += c\n    return b\n",
    "empilhar": "def empilhar(X, camadas, T=1.0):\n    return X\n",
}
pytestmark = [
    pytest.mark.lento,
    pytest.mark.skipif(shutil.which("node") is None, reason="sem o Node, que junta o programa da página"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """O site só com as listas, servido por http."""
    pytest.importorskip("sphinx", reason="sem o que faz o site")
    if RODAS.is_dir():
        os.environ.setdefault("CURSO_RODAS", str(RODAS))
    from sitio import construir

    pasta = tmp_path_factory.mktemp("site")
    construir.fazer(pasta / "pronto", trabalho=pasta / "trabalho", so=("lista-",))
    if not any((pasta / "pronto" / "recursos").glob("numpy*.gz")):
        pytest.skip("sem o NumPy da página (CURSO_RODAS)")
    calado = type("Calado", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    servidor = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(calado, directory=str(pasta / "pronto")))
    threading.Thread(target=servidor.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{servidor.server_port}/"
    servidor.shutdown()


@pytest.fixture(scope="module")
def visitar(site, chromium, playwright):
    """Faz os roteiros de navegador_lista.py, um depois do outro, e devolve o que se viu em cada um."""

    def fazer(*roteiros):
        comando = [sys.executable, str(RAIZ / "tests" / "navegador" / "navegador_lista.py"), chromium, site]
        ambiente = {**os.environ, "PYTHONPATH": playwright, "PYTHONUTF8": "1"}
        pedido = json.dumps(roteiros)
        feito = subprocess.run(comando, input=pedido, env=ambiente, capture_output=True, text=True, encoding="utf-8")
        assert feito.returncode == 0, feito.stderr[-3000:]
        return json.loads(feito.stdout)

    return fazer


def do_instrutor(lista: str) -> dict[str, str]:
    """As respostas certas, de source/: só os testes as veem."""
    (pasta,) = (RAIZ / "source").glob(f"{lista}-*")
    celulas = nbformat.read(pasta / f"{pasta.name}.ipynb", as_version=4).cells
    questoes = listas()[lista].questoes
    certas = {c.metadata.get("nbgrader", {}).get("grade_id"): c.source for c in celulas if c.cell_type == "code"}
    return {nome: certas[nome] for nome in questoes}


def endereco(lista: str) -> str:
    return f"listas/{listas()[lista].pasta}.html"


def de_antes(lista: str) -> list[str]:
    """O que a lista importa de outra, já feito: o endereço da outra, o nome e a resposta."""
    outra, nome = {"lista-02": ("lista-01", "similaridades"), "lista-04": ("lista-02", "softmax")}[lista]
    return [endereco(outra), nome, do_instrutor(outra)[nome]]


@pytest.fixture
def colab(tmp_path):
    """A lista como o Colab a devolve: sem os ids, com outros metadados, e uma resposta."""
    nb = copy.deepcopy(tela.emitida(RAIZ, listas()[NOME].pasta))
    for celula in nb["cells"]:
        if celula.pop("id") == "softmax":
            celula["source"] = ERRADAS["softmax"]
        celula["metadata"] = {"id": "a1B2c3"}
    (tmp_path / "colab.ipynb").write_text(json.dumps(nb), encoding="utf-8")
    (tmp_path / "cortado.ipynb").write_text(json.dumps(nb)[:500], encoding="utf-8")
    return {"colab": str(tmp_path / "colab.ipynb"), "cortado": str(tmp_path / "cortado.ipynb")}


def test_a_pagina_diz_o_que_o_notebook_diz_e_o_que_se_baixa_ganha_a_nota_que_ela_promete(visitar, tmp_path, colab):
    certas = do_instrutor(NOME)
    baixado = tmp_path / "baixada.ipynb"
    questoes, volta = visitar(["questoes", ERRADAS, certas, str(baixado), de_antes(NOME)], ["volta", colab])
    do_notebook = {nome: str(dito(f"{NOME}/{nome}", fonte)) for nome, fonte in ERRADAS.items()}
    # o que está entre crases, na página, é <code>
    assert {n: f.replace("`", "") for n, f in questoes["erradas"].items()} == {
        n: f.replace("`", "") for n, f in do_notebook.items()
    }
    assert questoes["certas"] == {nome: f"✓ {nome}" for nome in certas}
    assert questoes["pontos"] == "8 de 8 pontos" and questoes["depois_de_recarregar"][0] == "8 de 8 pontos"
    assert questoes["depois_de_recarregar"][1].split() == certas["softmax"].split()
    assert questoes["arquivo"] == f"{listas()[NOME].pasta}.ipynb"
    assert not questoes["erros"] and not questoes["fora"]
    lido = nbformat.read(baixado, as_version=4)
    nbformat.validate(lido)
    emitido = nbformat.from_dict(tela.emitida(RAIZ, listas()[NOME].pasta))
    assert [(c.id, c.metadata) for c in lido.cells] == [(c.id, c.metadata) for c in emitido.cells]
    assert {c.id: c.source for c in lido.cells if c.id in certas} == certas
    aberto, softmax = volta["colab"]
    assert (
        "Nada rodou ainda" in aberto and "Mudaram: softmax." in aberto and softmax.split() == ERRADAS["softmax"].split()
    )
    cortado, softmax = volta["cortado"]
    assert "não mudou" in cortado and softmax.split() == ERRADAS["softmax"].split()
    assert volta["python"] == 0  # abrir um arquivo não liga o Python


def test_o_que_para_ou_nao_acaba_nao_derruba_a_pagina_e_nada_se_perde(visitar):
    tropecos, guarda = visitar(["tropecos"], ["guarda"])
    assert "Você parou" in tropecos["laco"]
    assert tropecos["enxurrada_escrito"] <= 110_000
    for nome in ("erro", "sintaxe", "input", "gigabytes"):
        assert tropecos[nome], (nome, tropecos)
        assert "Traceback" not in tropecos[nome]
    assert tropecos["depois"] == "2" and tropecos["ficou"].strip() == "1 + 1"
    assert "outra aba" in guarda["duas_abas"]
    assert "Não coube" in guarda["cheio"] and "sem espaço para isto" in guarda["na_tela"]
    assert "Coube" in guarda["coube"] and "não deixa esta página guardar" in guarda["recusado"]


@pytest.mark.tudo
def test_o_que_se_baixa_da_pagina_se_coleta_e_ganha_na_correcao_a_nota_prometida(visitar, tmp_path):
    certas = do_instrutor(NOME) | {"empilhar": ERRADAS["empilhar"], "entropia": ERRADAS["entropia"]}
    baixado = tmp_path / f"{listas()[NOME].pasta}.ipynb"
    (feito,) = visitar(["questoes", dict.fromkeys(certas, "pass"), certas, str(baixado), de_antes(NOME)])
    prometido = float(feito["pontos"].split()[0].replace(",", "."))
    zip_ = tmp_path / "envios.zip"
    with zipfile.ZipFile(zip_, "w") as envios:
        envios.write(baixado, f"Ana Souza_123_assignsubmission_file_/{baixado.name}")
    turma = tmp_path / "turma"
    turma.mkdir()
    ambiente = {**os.environ, "CURSO_TURMA": str(turma), "PYTHONUTF8": "1"}
    for comando in (["coletar", "02", str(zip_)], ["corrigir", "02", "--processos", "1"]):
        comando = [sys.executable, str(RAIZ / "curso.py"), *comando]
        feito = subprocess.run(comando, env=ambiente, capture_output=True, text=True, encoding="utf-8")
        assert feito.returncode == 0, feito.stdout + feito.stderr
    with Turma(turma).livro() as livro:
        (entrega,) = livro.assignment_submissions(listas()[NOME].pasta)
        assert sum(nota.auto_score or 0 for nota in entrega.notebooks[0].grades) == prometido


@pytest.mark.tudo
def test_a_lista_se_faz_inteira_com_o_teclado(visitar):
    certas = do_instrutor(NOME)
    (feito,) = visitar(["teclado", certas])
    assert feito == {"feitas": [[nome, f"✓ {nome}"] for nome in certas], "pontos": "8 de 8 pontos"}


@pytest.mark.tudo
def test_depois_da_primeira_visita_a_lista_funciona_sem_rede(visitar):
    (visto,) = visitar(["sem_rede"])
    assert "return A" in visto["guardado"] and visto["conferencia"].startswith("✗ entropia")
    assert "Escala" in visto["outra_lista"]


@pytest.mark.tudo
def test_o_axe_nao_acha_nada_nas_listas_e_elas_cabem_em_360_pixels(visitar):
    paginas = ["index.html", *(f"listas/{listas()[n].pasta}.html" for n in ("lista-02", "lista-05", "lista-08"))]
    (visto,) = visitar(["acessivel", "", paginas])
    for onde, achado in visto.items():
        assert not achado["quebra"], (onde, achado["quebra"])
        assert achado["sobra"] <= 0, onde


@pytest.mark.tudo
def test_veja_o_que_voce_fez_abre_os_exploradores_com_as_funcoes_da_lista(visitar):
    quais = ("lista-02", "lista-04")
    feitos = visitar(*(["veja", endereco(nome), do_instrutor(nome), "", de_antes(nome)] for nome in quais))
    assert [f["exploradores"] for f in feitos] == [["explorador plano", "explorador cabecas"], ["explorador cabecas"]]
    assert not any(f["erros"] for f in feitos)


@pytest.mark.tudo
def test_na_inicial_se_confere_uma_questao(visitar):
    (visto,) = visitar(["primeira_vez", do_instrutor("lista-01")["similaridades"]])
    assert visto["titulo"] == "✓ similaridades"
