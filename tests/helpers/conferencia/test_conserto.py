"""O menor conserto: a quem erra de um jeito que ninguém viu ainda se diz onde olhar, e nunca o que escrever."""

import ast
import random
from pathlib import Path

import numpy as np
import pytest
from conftest import questoes, tudo
from escritas import blocos, dito, escrever

from helpers.conferencia.conserto import busca
from helpers.conferencia.exame import examinar
from helpers.conferencia.referencia import carregar

LISTAS = "lista-10" if tudo() else "lista-06"
ESCRITAS = [q.nome for q in questoes() if q.lista <= LISTAS and not q.opcoes and not isinstance(q.referencia, type)]


@pytest.mark.parametrize(("questao", "onde", "celula"), blocos(Path(__file__).with_name("consertos.txt")))
def test_diz_em_que_linha_esta_o_erro_e_de_que_ele_trata(questao, onde, celula):
    assert onde in str(dito(questao, celula))


@pytest.mark.parametrize(("questao", "onde", "celula"), blocos(Path(__file__).with_name("consertos.txt")))
def test_so_cita_o_que_a_pessoa_escreveu(questao, onde, celula):
    frase = str(dito(questao, celula)).partition("Olhe ")[2]
    assert all(trecho in celula for trecho in frase.split("`")[1::2])


COMECOS = [
    "raise NotImplementedError",
    "pass",
    "return {primeiro}",
    "return {primeiro}, {primeiro}",
    "return {primeiro} + 1",
    "return np.zeros(3)",
    "return np.zeros_like({primeiro})",
    "return True",
    "return 0",
    "return np.random.rand(3, 3)",
    "x = {primeiro}\n    return x",
]


@pytest.mark.parametrize("questao", ESCRITAS)
def test_quem_ainda_nao_tentou_nao_ouve_onde_mexer(questao):
    referencia = carregar(questao)
    for comeco in COMECOS:
        assinatura = f"{referencia.funcao}({', '.join(referencia.argumentos)})"
        celula = f"def {assinatura}:\n    {comeco.format(primeiro=referencia.argumentos[0])}\n"
        resposta = escrever(questao, celula)
        diagnostico, registros = examinar(referencia, resposta)
        if diagnostico is not None and len(registros) == len(referencia.casos):
            assert busca.procurar(referencia, resposta, registros) is None, celula


def procurado(questao: str, celula: str):
    referencia, resposta = carregar(questao), escrever(questao, celula)
    return resposta, busca.procurar(referencia, resposta, examinar(referencia, resposta)[1])


def test_a_procura_nao_mexe_nos_nomes_nem_nos_sorteios_do_notebook():
    referencia = carregar("lista-01/similaridades")
    resposta = escrever(
        referencia.questao, "def similaridades(X):\n    np.random.rand(3)\n    S = X @ X\n    return S\n"
    )
    registros = examinar(referencia, resposta)[1]
    nomes = dict(resposta.__globals__)
    depois = np.random.get_state()[1].tolist(), random.getstate()  # noqa: NPY002
    assert busca.procurar(referencia, resposta, registros) is not None
    assert (np.random.get_state()[1].tolist(), random.getstate()) == depois  # noqa: NPY002
    assert resposta.__globals__ == nomes


@pytest.mark.parametrize(
    "efeito", ["open('x.txt', 'w').write('')", "np.save('x', X)", "os.system('ls')", "global n", "input()"]
)
def test_o_que_tem_efeito_fora_da_funcao_nao_e_tentado_outra_vez(efeito):
    celula = f"def similaridades(X):\n    if len(X) > 99:\n        {efeito}\n    return X @ X\n"
    assert procurado("lista-01/similaridades", celula)[1] is None


def test_uma_conta_funda_demais_nao_para_a_conferencia():
    celula = f"def similaridades(X):\n    if len(X) > 99:\n        X{'()' * 400}\n    return X @ X\n"
    assert procurado("lista-01/similaridades", celula)[1] is None


def test_o_que_foi_tentado_nao_fica_no_texto_da_funcao():
    celula = "def similaridades(X):\n    return X @ X\n"
    resposta, _ = procurado("lista-01/similaridades", celula)
    definicao = busca._ler(resposta).definicao
    antes = ast.dump(definicao)
    todas = list(busca.trocas(definicao, []))
    for troca in todas:
        troca.fazer()
        troca.desfazer()
    assert todas and ast.dump(definicao) == antes


def test_quem_acerta_e_quem_tem_um_equivoco_conhecido_nao_esperam_pela_procura(monkeypatch):
    monkeypatch.setattr(busca, "procurar", lambda *_: pytest.fail("procurou"))
    assert dito("lista-01/similaridades", "def similaridades(X):\n    return X.T @ X\n").equivoco
