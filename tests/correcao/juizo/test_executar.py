"""Uma célula que leva o kernel só custa o que é dela: as de baixo rodam em outro, sem ela, e o custo tem um limite."""

import logging
from dataclasses import replace

import pytest

from correcao.caixa import caixa
from correcao.caixa.caixa import Limites
from correcao.caixa.conversa import Resultado, Tarefa
from correcao.juizo import executar, trabalho

LIMITES = Limites(caderno=300.0, espera=4.0)
FIM = "; o que vinha depois ficou sem resultado."


class Fingida:
    """Uma caixa que não roda nada: o código de cada célula diz o que aconteceria nela."""

    def __init__(self):
        self.tarefas: list[Tarefa] = []

    def executar(self, tarefa: Tarefa, log: logging.Logger) -> Resultado:
        self.tarefas.append(tarefa)
        corrida = Resultado([[] for _ in tarefa.celulas], [None for _ in tarefa.celulas])
        for i, codigo in enumerate(tarefa.celulas):
            if codigo is None:
                continue
            que, _, quanto = codigo.partition(" ")
            corrida.gasto += float(quanto or 0) if que != "dorme" else 0.0
            corrida.relogio += float(quanto or 0)
            corrida.contagens[i] = i
            if que in ("morre", "dorme"):
                corrida.saidas[i] = [f"parou na corrida {len(self.tarefas)}"]
                return replace(corrida, parou=i, motivo=f"O kernel terminou na célula {i + 1}.")
            if que == "defeito":
                return replace(corrida, motivo="Um defeito.", defeito="nosso")
            corrida.saidas[i] = [f"feita na corrida {len(self.tarefas)}"]
        return corrida


@pytest.fixture
def fingida(monkeypatch) -> Fingida:
    nossa = Fingida()
    monkeypatch.setattr(caixa, "exigir", lambda: None)
    monkeypatch.setattr(trabalho, "atual", lambda: nossa)
    return nossa


def rodar(*celulas: str | None, limites: Limites = LIMITES) -> Resultado:
    return executar.rodar_codigo(list(celulas), None, [], limites, logging.getLogger("teste"))


def test_as_de_baixo_rodam_outra_vez_sem_a_culpada_e_as_de_cima_ficam_com_o_que_tinham(fingida):
    feito = rodar("a", "morre", None, "b", "c")
    assert feito.saidas == [["feita na corrida 1"], ["parou na corrida 1"], [], *[["feita na corrida 2"]] * 2]
    assert [t.celulas for t in fingida.tarefas] == [["a", "morre", None, "b", "c"], ["a", None, None, "b", "c"]]
    assert (feito.motivo, feito.defeito) == (None, None) and feito.contagens == [0, 1, None, 3, 4]


def test_a_ultima_so_custa_ela_mesma_e_nada_roda_outra_vez(fingida):
    feito = rodar("a", "morre", None, " ")
    assert len(fingida.tarefas) == 1 and feito.motivo is None and feito.saidas[1] == ["parou na corrida 1"]


def test_cada_culpada_sai_na_sua_vez(fingida):
    feito = rodar("morre", "a", "morre", "b", "morre", "c")
    assert [s[0] for s in feito.saidas] == [
        *("parou na corrida 1", "feita na corrida 2", "parou na corrida 2", "feita na corrida 3"),
        *("parou na corrida 3", "feita na corrida 4"),
    ]
    assert feito.motivo is None


def test_oito_culpadas_ainda_deixam_ganhar_a_de_baixo_e_nove_nao(fingida):
    assert rodar(*["morre"] * 8, "a").saidas[-1] == ["feita na corrida 9"]
    fingida.tarefas.clear()
    feito = rodar(*["morre"] * 9, "a", "b")
    assert len(fingida.tarefas) == 9 and feito.saidas[-2:] == [[], []]
    assert feito.motivo == f"O kernel terminou na célula 9{FIM}"


@pytest.mark.parametrize(("como", "cada_uma"), [("morre", 70.0), ("dorme", 4 * 70.0)])
def test_todas_as_corridas_dividem_o_tempo_de_uma_so(fingida, como, cada_uma):
    """De processador; ou, de quem dorme, do relógio, que se espera quatro vezes mais."""
    feito = rodar(*[f"{como} {cada_uma}"] * 8, "a")
    assert [round(t.ja_gasto) for t in fingida.tarefas] == [0, 70, 140, 210, 280]
    assert feito.motivo == f"O kernel terminou na célula 5{FIM}"


def test_um_defeito_nosso_na_segunda_corrida_e_um_defeito(fingida):
    feito = rodar("morre", "defeito", "a")
    assert (feito.motivo, feito.defeito) == ("Um defeito.", "nosso")


def test_o_processador_que_se_anota_e_o_de_todas_as_corridas(fingida):
    assert rodar("a 2", "morre 3", "b 4").gasto == 2 + 3 + 2 + 4
