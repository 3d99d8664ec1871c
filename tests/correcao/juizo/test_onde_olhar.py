"""A página de quem errou de um jeito que o banco não conhece diz onde olhar, e isso nunca muda um ponto."""

import json
import logging
from pathlib import Path

import nbformat
import pytest
from conftest import entregar, solucoes

from correcao.caixa import conversa
from correcao.caixa.caixa import Limites
from correcao.comum.anotacao import Veredito, registro_da_correcao
from correcao.juizo import corrigir, onde_olhar
from correcao.juizo.onde_olhar import _ler

LISTA, QUESTAO = "lista-03-escala", "pontuacoes"
ERRADA = "def pontuacoes(Q, K, divisor=None):\n    return Q * K / np.sqrt(Q.shape[1])\n"
FORJADA = """
import json
from IPython.display import display
import helpers.conferencia.conserto.publicar as publicar
def dizer(questao, resposta):
    dado = {"pontos": [{"linhas": [7], "que": "nome", "trecho": "<scr" + "ipt>"}]}
    display({publicar.TIPO_DA_EVIDENCIA: json.dumps(dado)}, raw=True)
publicar.publicar = dizer
"""


@pytest.fixture(scope="module")
def corrigida(tmp_path_factory) -> Path:
    turma, certas = tmp_path_factory.mktemp("turma"), solucoes(LISTA)
    entregar(turma, LISTA, "ana", certas | {QUESTAO: ERRADA})
    entregar(turma, LISTA, "bia", certas | {QUESTAO: ERRADA + FORJADA})
    corrigir.corrigir(LISTA, turma)
    return turma


def veredito(turma: Path, aluna: str) -> Veredito:
    caderno = turma / "autograded" / aluna / LISTA / f"{LISTA}.ipynb"
    return next(q.veredito for q in registro_da_correcao(caderno).questoes if q.id == f"confere-{QUESTAO}")


@pytest.mark.lento
def test_a_pagina_diz_a_linha_e_o_assunto_como_o_notebook(corrigida):
    dito = veredito(corrigida, "ana")
    assert dito.fracao == 0 and dito.recado.endswith(" Olhe a linha 2, em `Q * K`: o sinal da conta.")
    assert "?" not in dito.recado.partition("sua função parou com ")[2]
    caderno = nbformat.read(corrigida / "autograded" / "ana" / LISTA / f"{LISTA}.ipynb", 4)
    assert any(o.get("evalue", "").endswith("o sinal da conta.") for c in caderno.cells for o in c.get("outputs", []))


@pytest.mark.lento
def test_o_que_uma_resposta_forja_nao_chega_a_pagina_nem_a_nota(corrigida):
    dito = veredito(corrigida, "bia")
    assert dito.fracao == 0 and dito.onde is None and "script" not in dito.recado


@pytest.mark.parametrize(
    "ponto",
    [
        {"linhas": [0], "que": "eixo", "trecho": ""},
        {"linhas": [1, 2, 3], "que": "eixo", "trecho": ""},
        {"linhas": [1], "que": "inventado", "trecho": ""},
        {"linhas": [1], "que": "nome", "trecho": ""},
        {"linhas": [1], "que": "eixo", "trecho": "o que não está na resposta"},
        {"linhas": "x", "que": "eixo", "trecho": ""},
        {"linhas": [1]},
        {"linhas": [float("inf")], "que": "eixo", "trecho": ""},
    ],
)
def test_so_se_le_da_caixa_o_formato_combinado(ponto):
    assert _ler(json.dumps({"pontos": [ponto]}), "def f(x):\n    return x\n") is None
    bom = {"linhas": [1], "que": "eixo", "trecho": "x"}
    assert _ler(json.dumps({"pontos": [bom]}), "return x").dizer() == "Olhe a linha 1, em `x`: o eixo da conta."
    assert _ler(json.dumps({"pontos": [bom] * 3}), "return x") is None


def test_a_procura_tem_menos_tempo_do_que_a_correcao(monkeypatch):
    """É só por uma frase, e quem dorme na própria célula já fez a turma esperar."""
    dados = {"grade_id": "confere-f", "points": 1, "grade": True, "solution": False}
    celula = nbformat.v4.new_code_cell('conferir("lista-02/f", f)', metadata={"nbgrader": dados})
    dados_da_corrida = []
    vazio = conversa.Resultado(saidas=[[]])
    monkeypatch.setattr(onde_olhar, "rodar_codigo", lambda *dados: dados_da_corrida.append(dados) or vazio)
    nb = nbformat.v4.new_notebook(cells=[celula])
    assert onde_olhar.procurar(nb, {"lista-02/f": "def f(): pass"}, Limites(), logging.getLogger("teste")) == {}
    assert dados_da_corrida[0][3] == Limites(caderno=60.0)


def test_de_um_equivoco_conhecido_e_de_um_caso_oculto_nao_se_procura():
    nb = nbformat.v4.new_notebook()
    dados = {"grade_id": "confere-f", "points": 1, "grade": True, "solution": False}
    nb.cells = [
        nbformat.v4.new_code_cell("def f(x):\n    return x", metadata={"nbgrader": {"grade_id": "f"}}),
        nbformat.v4.new_code_cell('conferir("l/f", f)', metadata={"nbgrader": dados}),
    ]
    ditas = {
        "visível": (Veredito("No caso “a”, veio 1."), ["l/f"]),
        "oculto": (Veredito("Em um caso que você não vê, veio 1."), []),
        "conhecido": (Veredito("No caso “a”, veio 1.", "soma-tudo"), []),
        "certa": (Veredito(None, None, 1.0), []),
    }
    for dito, esperado in ditas.values():
        assert list(onde_olhar.sem_nome(nb, {"l/f": dito})) == esperado
