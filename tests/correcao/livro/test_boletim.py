"""O peso de cada lista na média."""

import pytest
from turma_pronta import LISTA

from correcao.livro import boletim
from correcao.livro.turma import TurmaIndisponivel
from gabarito.no_nbgrader import configuracao


def test_os_pesos_tambem_vem_da_configuracao(monkeypatch):
    config = configuracao()
    config.Notas.pesos = {"2": 2.5}
    monkeypatch.setattr(boletim, "configuracao", lambda: config)
    assert boletim.pesos_de(["lista-01-x", LISTA]) == {"lista-01-x": 1.0, LISTA: 2.5}
    for ruim, trecho in (({"09": 1}, "não tem notas"), ({"02": "x"}, "não é um número"), ("x", "não tem os pesos")):
        config.Notas.pesos = ruim
        with pytest.raises(TurmaIndisponivel, match=trecho):
            boletim.pesos_de(["lista-01-x", LISTA])
