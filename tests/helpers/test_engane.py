"""*Engane a sua máquina*: a frase é do aluno, e quem decide são as funções dele; a que as engana fica para a aula."""

import importlib
import json
import re

import numpy as np
import pytest
from conftest import RAIZ, listas

from gabarito.base import buscar
from helpers import engane as modulo
from helpers.engane import em_palavras, engane, frase_guardada, lados, tentar
from helpers.exemplos import DUAS_MANGAS, VOCABULARIO


def da_lista(lista: str):
    return importlib.import_module(f"helpers.decisoes.{lista[:8].replace('-', '_')}")


def da_caixa(lista: str) -> list[str]:
    """As funções que a lista dá à caixa; nenhuma, se ela não a tem."""
    nb = json.loads((RAIZ / "release" / lista / f"{lista}.ipynb").read_text("utf-8"))
    codigo = "\n".join("".join(c["source"]) for c in nb["cells"] if c["cell_type"] == "code")
    chamada = re.search(rf'(?m)^engane\("{lista[:8]}", (.*)\)', codigo)
    return re.findall(r"(\w+)=", chamada[1]) if chamada else []


USA = {lista[:8]: da_caixa(lista) for lista in listas() if da_caixa(lista)}
COM_MAQUINA = list(USA)


@pytest.fixture(autouse=True)
def guardadas(tmp_path, monkeypatch):
    """A pasta das frases, vazia, e alguém que olha a tela."""
    monkeypatch.setattr(modulo, "GUARDADAS", tmp_path / "engane")
    monkeypatch.delenv("CURSO_PEDIDO", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    return tmp_path / "engane"


@pytest.fixture
def caixas(monkeypatch) -> list:
    """As caixas que se mostraram: frase, certo, botão e o que se disse."""
    mostradas: list = []
    monkeypatch.setattr("IPython.display.display", lambda caixa: mostradas.append(caixa.children[1:]))
    return mostradas


def feitas(lista: str, qual: int = 0) -> dict:
    return {nome: buscar(f"{lista}/{nome}").certas[qual].funcao for nome in USA[lista]}


def por_escrever(*_):
    raise NotImplementedError("escreva a função")


def test_quem_escreve_a_frase_ve_a_decisao_das_suas_funcoes(caixas):
    engane("lista-01", **feitas("lista-01"))
    ((frase, certo, botao, dito),) = caixas
    frase.value, certo.value = "Ele comeu manga", "fruta"
    botao.click()
    assert "Ela acertou: em “Ele comeu manga”, manga é fruta" in dito.value


def test_a_frase_que_engana_fica_guardada_e_volta_na_aula_seguinte(capsys):
    dito = tentar("lista-01", feitas("lista-01"), "A costureira comeu a manga.", "fruta")
    assert dito.startswith("Você enganou a sua máquina. Para ela, em “a costureira comeu a manga”, manga é roupa")
    assert frase_guardada("lista-01") == (["a", "costureira", "comeu", "a", "manga"], "fruta")
    assert "com que você enganou a sua lista 01. Manga é fruta." in capsys.readouterr().out


def test_a_frase_que_nao_engana_nao_fica_guardada(guardadas):
    tentar("lista-01", feitas("lista-01"), "Ele comeu manga", "fruta")
    assert not guardadas.exists()


def test_sem_frase_guardada_vale_a_do_curso_e_se_diz(capsys):
    assert frase_guardada("lista-01") == (["a", "costureira", "comeu", "a", "manga"], "fruta")
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize(
    "dados",
    ["", "[]", '{"frase": 3}', '{"frase": "Ele comeu pijama", "certo": "fruta"}', '{"frase": "manga", "certo": "x"}'],
)
def test_um_arquivo_estragado_vale_como_nenhum(guardadas, capsys, dados):
    guardadas.mkdir()
    (guardadas / "lista-01.json").write_text(dados, "utf-8")
    assert frase_guardada("lista-01")[0][-1] == "manga" and "uma frase do curso" in capsys.readouterr().out


def test_onde_nao_se_pode_gravar_se_diz_e_nada_se_perde(guardadas):
    guardadas.write_text("no lugar da pasta há um arquivo", "utf-8")
    dito = tentar("lista-01", feitas("lista-01"), "a costureira comeu a manga", "fruta")
    assert "Não consegui guardar a frase" in dito


def test_as_palavras_de_fora_da_tabela_sao_nomeadas():
    with pytest.raises(ValueError, match="Não estão na tabela: “pijama” e “azul”"):
        em_palavras("Ele comeu manga de pijama, azul de pijama")


def test_a_maiuscula_e_a_pontuacao_nao_atrapalham():
    assert em_palavras("A costureira, ele... comeu MANGA!") == ["a", "costureira", "Ele", "comeu", "manga"]


@pytest.mark.parametrize("frase", ["", "Ele comeu fruta"])
def test_sem_manga_nao_ha_o_que_decidir(frase):
    assert "apareça a palavra manga" in tentar("lista-01", feitas("lista-01"), frase, "fruta")


def test_duas_mangas_tem_dois_sentidos_e_a_atencao_da_o_mesmo_as_duas(guardadas):
    dito = tentar("lista-02", feitas("lista-02"), " ".join(DUAS_MANGAS), "fruta, depois roupa")
    assert "manga é roupa, depois roupa" in dito
    assert json.loads((guardadas / "lista-02.json").read_text("utf-8"))["certo"] == "fruta, depois roupa"
    assert "com duas mangas" in tentar("lista-02", feitas("lista-02"), "Ele comeu manga", "fruta, depois roupa")
    assert "uma resposta por frase" in tentar("lista-01", feitas("lista-01"), " ".join(DUAS_MANGAS), "roupa")


def test_com_a_mascara_elas_se_separam_e_a_que_vem_antes_da_pista_ainda_erra():
    funcoes, trocada = feitas("lista-06"), "Ele sujou a manga da camisa e comeu manga"
    dito = tentar("lista-06", funcoes, " ".join(DUAS_MANGAS), "fruta, depois roupa")
    assert "fruta, depois fruta (fruta 0,97, roupa 0,35; fruta 1,00, roupa 0,60)" in dito
    assert tentar("lista-06", funcoes, trocada, "roupa, depois fruta").startswith("Ela acertou")


def test_os_lados_sao_os_cossenos_com_fruta_e_com_camisa():
    Y = np.stack([VOCABULARIO["fruta"] * 3, VOCABULARIO["trem"], VOCABULARIO["camisa"] / 2])
    assert np.allclose(np.diag(lados(Y, ["manga", "e", "manga"])), 1)


@pytest.mark.parametrize("lista", COM_MAQUINA)
@pytest.mark.parametrize("falta, estado", [(por_escrever, "não foi escrita"), (lambda *_: 3, "não passa")])
def test_de_quem_nao_acabou_se_diz_a_questao_que_falta(caixas, capsys, lista, falta, estado):
    ultima = USA[lista][-1]
    engane(lista, **feitas(lista) | {ultima: falta})
    dito = capsys.readouterr().out
    assert not caixas and f": `{ultima}` ainda {estado}" in dito and dito.startswith("Falta a questão ")


def test_a_funcao_que_para_na_frase_dele_nao_vira_um_erro():
    dito = tentar("lista-01", {"sentido": lambda *_: 1 / 0}, "Ele comeu manga", "fruta")
    assert dito == "Uma das suas funções parou nesta frase: ZeroDivisionError: division by zero"


@pytest.mark.parametrize("variavel", ["CURSO_PEDIDO", "NBGRADER_EXECUTION"])
def test_na_correcao_e_no_validar_nao_ha_caixa(caixas, capsys, monkeypatch, variavel):
    monkeypatch.setenv(variavel, "1")
    engane("lista-01", sentido=lambda *_: pytest.fail("chamou a função"))
    assert not caixas and capsys.readouterr().out == ""


@pytest.mark.parametrize("qual", [0, 1, -1])
@pytest.mark.parametrize("lista", COM_MAQUINA)
def test_a_frase_do_curso_engana_toda_resposta_certa(lista, qual):
    assert "Você enganou" in tentar(lista, feitas(lista, qual), *da_lista(lista).ENGANA)
