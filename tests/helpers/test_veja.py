"""*Veja o que você fez*: o fim de cada lista desenha com as funções do aluno, diz o que falta e não vale pontos."""

import ast
import importlib
import inspect
import json
import sys
import types
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from conftest import RAIZ, listas

from gabarito.base import Resposta, buscar
from helpers.conferir import iguais
from helpers.veja import veja

COM_DESENHO = [lista for lista in listas() if (RAIZ / f"helpers/veja/{lista[:8].replace('-', '_')}.py").is_file()]


@pytest.fixture
def desenhos(monkeypatch) -> list:
    """O que se mostrou: (figura, texto alternativo)."""
    mostrados: list = []
    monkeypatch.delenv("CURSO_PEDIDO", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr("helpers.desenho.mostrar", lambda figura, alt: mostrados.append((figura, alt)))
    yield mostrados
    plt.close("all")


@pytest.fixture
def de_mentira(monkeypatch) -> types.ModuleType:
    """Um desenho para a lista 02, que só guarda o que recebeu."""
    modulo = types.ModuleType("helpers.veja.lista_02")
    modulo.recebidas = []
    modulo.desenhar = lambda prontas: (modulo.recebidas.append(prontas), (plt.figure(), "uma figura de mentira"))[1]
    monkeypatch.setitem(sys.modules, modulo.__name__, modulo)
    return modulo


def certa(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


def por_escrever(*_):
    raise NotImplementedError("escreva a função")


def recebidas(modulo: types.ModuleType) -> dict:
    (prontas,) = modulo.recebidas
    return {nome: inspect.unwrap(f) for nome, f in prontas.items()}


def test_a_funcao_certa_desenha(desenhos, de_mentira, capsys):
    veja("lista-02", softmax=certa)
    assert recebidas(de_mentira) == {"softmax": certa}
    assert [alt for _, alt in desenhos] == ["uma figura de mentira"] and capsys.readouterr().out == ""


def test_da_lista_que_nao_tem_desenho_se_diz(desenhos, capsys):
    veja("lista-99", dobro=certa)
    assert not desenhos and capsys.readouterr().out == "A lista 99 ainda não tem um desenho.\n"


def test_o_desenho_recebe_arrays_tambem_de_quem_escreveu_com_o_pytorch(desenhos, de_mentira):
    veja("lista-02", softmax=lambda x, eixo=-1: torch.softmax(torch.tensor(x, requires_grad=True), eixo))
    (prontas,) = de_mentira.recebidas
    assert isinstance(prontas["softmax"](np.zeros((2, 3))), np.ndarray)


def test_da_que_nao_passa_se_diz_e_o_resto_desenha(desenhos, de_mentira, capsys):
    veja("lista-02", softmax=certa, entropia=lambda A: A)
    assert recebidas(de_mentira) == {"softmax": certa} and len(desenhos) == 1
    assert "entropia: ainda não passa na conferência" in capsys.readouterr().out


def test_a_que_o_pytorch_tem_vem_dele_e_se_diz(desenhos, de_mentira, capsys):
    de_mentira.DO_PYTORCH = {"softmax": torch.softmax}
    veja("lista-02", softmax=por_escrever)
    assert recebidas(de_mentira) == {"softmax": torch.softmax} and len(desenhos) == 1
    assert "softmax: a do PyTorch, porque a sua ainda não foi escrita." in capsys.readouterr().out


def test_da_que_ainda_nao_foi_escrita_se_diz_isso(desenhos, de_mentira, capsys):
    veja("lista-02", softmax=certa, entropia=por_escrever)
    dito = "entropia: ainda não foi escrita, e a parte dela no desenho fica em branco.\n"
    assert capsys.readouterr().out == dito


def test_so_se_diz_em_branco_da_que_deixa_o_quadro_em_branco(desenhos, de_mentira, capsys):
    de_mentira.SEM_ELA = {"entropia": "o desenho usa a do curso"}
    veja("lista-02", softmax=certa, entropia=por_escrever, empurrar=lambda a, j, c: a)
    assert capsys.readouterr().out.splitlines() == [
        "entropia: ainda não foi escrita, e o desenho usa a do curso.",
        "empurrar: ainda não passa na conferência, e a parte dela no desenho fica em branco.",
    ]


@pytest.mark.parametrize("lista", COM_DESENHO)
def test_o_que_se_diz_de_uma_funcao_e_de_uma_funcao_da_lista(lista):
    modulo = importlib.import_module(f"helpers.veja.{lista[:8].replace('-', '_')}")
    assert set(getattr(modulo, "SEM_ELA", {})) <= set(pedidas(lista))


def test_sem_nenhuma_pronta_nao_ha_desenho(desenhos, de_mentira, capsys):
    veja("lista-02", softmax=por_escrever, entropia=por_escrever)
    assert desenhos == de_mentira.recebidas == []
    assert "rode esta célula de novo" in capsys.readouterr().out


def test_a_que_para_no_meio_do_desenho_nao_vira_um_erro(desenhos, de_mentira, capsys):
    de_mentira.desenhar = lambda prontas: prontas["softmax"](np.zeros((2, 3)), eixo=7)
    veja("lista-02", softmax=certa)
    assert desenhos == [] and "parou no meio do desenho: AxisError" in capsys.readouterr().out


@pytest.mark.parametrize("variavel", ["CURSO_PEDIDO", "NBGRADER_EXECUTION"])
def test_na_correcao_e_no_validar_nao_faz_nada(desenhos, de_mentira, monkeypatch, capsys, variavel):
    monkeypatch.setenv(variavel, "1")
    veja("lista-02", softmax=lambda *_: pytest.fail("chamou a função"))
    assert desenhos == de_mentira.recebidas == [] and capsys.readouterr().out == ""


# ------------------------------------------------------------ o desenho de cada lista


def pedidas(lista: str) -> list[str]:
    """As funções que a última célula da lista dá ao desenho."""
    nb = json.loads(Path(RAIZ, "release", lista, f"{lista}.ipynb").read_text("utf-8"))
    (codigo,) = (
        "".join(c["source"]) for c in nb["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == "veja"
    )
    (chamada,) = (no for no in ast.walk(ast.parse(codigo)) if isinstance(no, ast.Call))
    return [str(k.arg) for k in chamada.keywords]


def respostas(lista: str, qual: int) -> dict[str, Resposta]:
    return {nome: buscar(f"{lista[:8]}/{nome}").certas[qual] for nome in pedidas(lista)}


@pytest.mark.parametrize("qual", [0, 1, -1, -2])
@pytest.mark.parametrize("lista", COM_DESENHO)
def test_o_desenho_sai_com_qualquer_resposta_certa(desenhos, capsys, lista, qual):
    veja(lista[:8], **{nome: r.funcao for nome, r in respostas(lista, qual).items()})
    assert capsys.readouterr().out == ""
    ((figura, alt),) = desenhos
    assert len(alt) > 20 and figura.axes


@pytest.mark.parametrize("lista", COM_DESENHO)
def test_o_desenho_sai_com_so_uma_pronta_e_diz_das_outras(desenhos, capsys, lista):
    todas = {nome: r.funcao for nome, r in respostas(lista, 0).items()}
    for pronta in todas:
        desenhos.clear()
        veja(lista[:8], **{nome: f if nome == pronta else por_escrever for nome, f in todas.items()})
        dito = capsys.readouterr().out
        assert len(desenhos) == 1, (pronta, dito)
        assert all((f"\n{nome}: " in f"\n{dito}") == (nome != pronta) for nome in todas), dito
        assert "parou no meio" not in dito


@pytest.mark.parametrize("lista", COM_DESENHO)
def test_a_do_pytorch_e_uma_resposta_certa(lista):
    """O que entra no lugar da do aluno faz o mesmo que ela faria."""
    from helpers.conferencia.exame import examinar
    from helpers.conferencia.referencia import carregar

    modulo = importlib.import_module(f"helpers.veja.{lista[:8].replace('-', '_')}")
    for nome, funcao in getattr(modulo, "DO_PYTORCH", {}).items():
        assert nome in pedidas(lista)
        dito, _ = examinar(carregar(f"{lista[:8]}/{nome}"), funcao)
        assert dito is None, (nome, dito)


# ------------------------------------------------------------ iguais


@pytest.mark.parametrize(
    "a, b, esperado",
    [
        ([1, 2], [1.0, 2.0], True),
        (np.ones((2, 3)), np.ones((2, 3)) * (1 + 1e-7), True),
        (np.float32([0.1, 0.2]), np.array([0.1, 0.2]), True),
        (torch.ones(2), np.ones(2), True),
        (3, 3.0, True),
        (np.ones((2, 3)), np.ones((3, 2)), False),
        (np.ones((1, 3)), np.ones(3), False),  # a forma também conta
        ([1.0, 2.0], [1.0, 2.001], False),
        (np.ones(3), 1.0, False),
        ([np.nan], [np.nan], False),
        (None, np.ones(2), False),
    ],
)
def test_iguais_e_ter_a_mesma_forma_e_os_mesmos_numeros(a, b, esperado):
    assert iguais(a, b) is esperado


def test_o_bloco_do_aluno_se_compara_ao_do_pytorch():
    from helpers.veja.lista_07 import _como_o_do_torch

    q = buscar("lista-07/Bloco")
    assert {_como_o_do_torch(certa.funcao) for certa in q.certas} == {"iguais ao do PyTorch"}
    (relu,) = (e for e in q.equivocos if e.nome == "relu")
    assert _como_o_do_torch(relu.funcao).startswith("diferem até ")
