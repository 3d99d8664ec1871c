"""O notebook da página: o que se baixa é o de release/ com o que se escreveu, e o que se abre volta ao lugar."""

import base64
import copy
import json
import shutil
import subprocess

import pytest
from conftest import RAIZ

from helpers.indice import listas
from sitio.lista import tela

TELA = tela.TELA
ESBUILD = RAIZ / "sitio" / "node_modules" / "esbuild"
JUNTO = ""
RESPOSTA = "def softmax(x, eixo=-1):\n    return x\n"
pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not ESBUILD.is_dir(), reason="sem o Node, ou sem o que o site traz do npm"
)


@pytest.fixture(scope="module", autouse=True)
def junto(tmp_path_factory):
    """Onde ficam os módulos juntos, que se juntam uma vez só."""
    global JUNTO
    JUNTO = str(tmp_path_factory.mktemp("caderno"))


def pedir(*pedidos):
    programa = RAIZ / "tests" / "sitio" / "lista" / "caderno_em_node.mjs"
    comando = ["node", str(programa), str(ESBUILD), str(TELA), JUNTO]
    feito = subprocess.run(comando, input=json.dumps(pedidos), capture_output=True, text=True, encoding="utf-8")
    assert feito.returncode == 0, feito.stderr
    return json.loads(feito.stdout)


def caminho(nome):
    pasta = listas()[nome].pasta
    return RAIZ / "release" / pasta / f"{pasta}.ipynb"


@pytest.fixture(scope="module")
def emitido():
    return json.loads(caminho("lista-02").read_text("utf-8"))


def abrir(emitido, arquivo):
    bruto = arquivo if isinstance(arquivo, bytes) else json.dumps(arquivo).encode()
    return {"que": "abrir", "emitido": emitido, "arquivo": base64.b64encode(bruto).decode()}


def respondido(emitido, **textos):
    nb = copy.deepcopy(emitido)
    for celula in nb["cells"]:
        nome = celula["metadata"].get("nbgrader", {}).get("grade_id")
        if nome in textos:
            celula["source"] = textos[nome]
    return nb


def test_sem_nada_escrito_o_que_se_baixa_e_o_arquivo_de_release_byte_a_byte():
    nomes = list(listas())
    feitos = pedir(
        *({"que": "montar", "emitido": json.loads(caminho(n).read_text("utf-8")), "textos": {}} for n in nomes)
    )
    for nome, feito in zip(nomes, feitos, strict=True):
        # o json do Python põe cada lista vazia em uma linha, como o do navegador: só os números podem diferir
        assert json.loads(feito) == json.loads(caminho(nome).read_text("utf-8"))
    assert feitos[1] == caminho("lista-02").read_text("utf-8")


def test_o_que_se_baixa_leva_a_resposta_no_lugar_e_volta_igual(emitido):
    extras = [{"id": "minha-1", "depois": "confere-softmax", "tipo": "code", "texto": "softmax(1)"}]
    textos = {"softmax": RESPOSTA, "discussao-1": "Medi.\n\nE deu certo.", "meca-1": "1 + 1"}
    (baixado,) = pedir({"que": "montar", "emitido": emitido, "textos": textos, "extras": extras})
    nb = json.loads(baixado)
    ids = [c["id"] for c in nb["cells"]]
    assert ids.index("minha-1") == ids.index("confere-softmax") + 1
    (lido,) = pedir(abrir(emitido, baixado.encode()))
    assert {nome: lido["textos"][nome] for nome in textos} == textos
    assert [e["texto"] for e in lido["extras"]] == ["softmax(1)"] and lido["extras"][0]["depois"] == "confere-softmax"
    assert not lido["faltam"] and not lido["reparado"]


def test_um_arquivo_do_colab_sem_marcas_nem_ids_e_fora_de_ordem_volta_ao_lugar(emitido):
    nb = respondido(
        emitido, softmax=RESPOSTA, empurrar="def empurrar(a, j, c):\n    return a\n", **{"discussao-1": "Conserta."}
    )
    nb["nbformat_minor"] = 0
    for celula in nb["cells"]:
        celula.pop("id")
        celula["metadata"] = {"id": "aBcD1234"}
    nomes = ["".join(c["source"]) for c in nb["cells"]]
    i, j = (next(n for n, fonte in enumerate(nomes) if fonte.startswith(f"def {f}(")) for f in ("softmax", "empurrar"))
    nb["cells"][i], nb["cells"][j] = nb["cells"][j], nb["cells"][i]
    (lido,) = pedir(abrir(emitido, nb))
    assert lido["textos"]["softmax"] == RESPOSTA and lido["textos"]["empurrar"].startswith("def empurrar")
    assert lido["textos"]["discussao-1"] == "Conserta."
    assert lido["reparado"] and not lido["extras"] and not lido["faltam"]


def test_de_duas_copias_da_mesma_celula_fica_a_escrita_e_nada_se_perde(emitido):
    nb = respondido(emitido, softmax=RESPOSTA)
    i = next(n for n, c in enumerate(nb["cells"]) if "".join(c["source"]) == RESPOSTA)
    em_branco = next(c for c in emitido["cells"] if c["id"] == "softmax")
    outra = {**copy.deepcopy(nb["cells"][i]), "source": RESPOSTA.replace("x\n", "2 * x\n")}
    nb["cells"][i:i] = [copy.deepcopy(em_branco), outra]
    (lido,) = pedir(abrir(emitido, nb))
    assert lido["textos"]["softmax"] == RESPOSTA
    assert [e["texto"] for e in lido["extras"]] == [outra["source"]]


@pytest.mark.parametrize(
    "bruto, recusa",
    [
        (b"", "vazio"),
        (b"PK\x03\x04resto", "zip"),
        (b"%PDF-1.7", "pdf"),
        (b'{"cells": [{"cell_type": "co', "cortado"),
        (b"[1, 2]", "sem_celulas"),
        (b'{"cells": []}', "sem_celulas"),
        (b'{"cells": [{"cell_type": "code", "source": "x = 1"}]}', "nenhuma"),
    ],
)
def test_o_que_nao_e_a_lista_ganha_um_motivo(emitido, bruto, recusa):
    assert pedir(abrir(emitido, bruto)) == [{"recusa": recusa}]


def test_o_de_outra_lista_diz_de_qual_e(emitido):
    outra = json.loads(caminho("lista-03").read_text("utf-8"))
    assert pedir(abrir(emitido, outra)) == [{"recusa": "outra_lista", "outra": "03", "esta": "02"}]


def test_mudar_uma_funcao_muda_a_assinatura_das_que_a_chamam_e_so_delas():
    antes = {"a": "def a(): return 1", "b": "def b(): return a()", "c": "def c(): return 2"}
    depois = {**antes, "a": "def a(): return 3"}
    pedidos = [{"que": "assinatura", "nome": n, "textos": t} for n in "abc" for t in (antes, depois)]
    a1, a2, b1, b2, c1, c2 = pedir(*pedidos)
    assert a1 != a2 and b1 != b2 and c1 == c2


def test_os_pontos_so_contam_o_que_nao_mudou_depois_de_conferido(emitido):
    textos = {"softmax": RESPOSTA}
    (certa,) = pedir({"que": "assinatura", "nome": "softmax", "textos": textos})
    pedido = {"que": "estados", "emitido": emitido, "textos": textos}
    dito = {"softmax": {"assinatura": certa, "fracao": 0.5}}
    agora, depois = pedir(pedido | {"resultados": dito}, pedido | {"resultados": dito, "textos": {"softmax": "outra"}})
    assert agora["softmax"] == {"estado": "errada", "fracao": 0.5}
    assert depois["softmax"] == {"estado": "mudou", "fracao": 0}
    assert agora["entropia"] == {"estado": "por fazer", "fracao": 0}
