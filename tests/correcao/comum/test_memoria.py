"""O limite de memória de quem corrige: estourado por uma entrega, só ela perde, e a turma segue."""

import json
import sys

import numpy as np
import pytest
from conftest import entregar, solucoes

from correcao.caixa.oraculo import Oraculo
from correcao.chegada import reparo
from correcao.comum import memoria
from correcao.comum.anotacao import DEFEITO
from correcao.juizo import corrigir, evidencia, trabalho
from gabarito.base import buscar
from helpers.conferencia.codificacao import codificar


def _encher(*_):
    return np.empty(2 * memoria.DE_UMA_ENTREGA, np.uint8)  # só se pede: sem o limite, nada se ocuparia


def _sem_limite() -> bool:
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


so_no_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="só no Linux há o limite")


@so_no_linux
def test_julgar_uma_evidencia_que_enche_a_memoria_e_um_defeito_e_nao_o_fim_da_turma(monkeypatch):
    monkeypatch.setattr(evidencia, "julgar", _encher)
    cheia, seguinte = trabalho.julgar([("lista-02/softmax", "{}")] * 2, 7)
    assert "MemoryError" in cheia["defeito"]["erro"] and "MemoryError" in seguinte["defeito"]["erro"]
    monkeypatch.undo()
    assert _sem_limite() and "veredito" in trabalho.julgar([("lista-02/softmax", "{}")], 7)[0]


@so_no_linux
def test_uma_funcao_do_oraculo_que_enche_a_memoria_vira_um_erro_para_quem_perguntou():
    q, oraculo = buscar("lista-06/vaza_futuro"), Oraculo()
    lugar = oraculo.esconder(q, 0, q.casos[0].entradas)[0]["de_fora"]
    oraculo._funcoes[tuple(lugar)] = _encher, oraculo._funcoes[tuple(lugar)][1]
    pergunta = json.dumps({"lugar": lugar, "entrada": codificar(np.ones((3, 2)))})
    assert json.loads(oraculo.responder(pergunta))["erro"][0] == "MemoryError" and _sem_limite()


@so_no_linux
@pytest.mark.usefixtures("com_ou_sem_caixa")
def test_ler_um_notebook_que_enche_a_memoria_so_custa_a_correcao_dele(tmp_path, monkeypatch):
    lista = "lista-01-produto-escalar"
    da_casa = reparo.reparar
    cheia = entregar(tmp_path, lista, "cheia", solucoes(lista)).read_bytes()
    entregar(tmp_path, lista, "outra", {nome: f"# outra\n{texto}" for nome, texto in solucoes(lista).items()})
    monkeypatch.setattr(reparo, "reparar", lambda bruto, *r: _encher() if bruto == cheia else da_casa(bruto, *r))
    situacoes = {s.aluno: s for s in corrigir.corrigir(lista, tmp_path)}
    assert situacoes["cheia"].motivo == DEFEITO and situacoes["outra"].motivo is None
    assert situacoes["outra"].nota > 0 and _sem_limite()
