"""Cada entrega acidentada é consertada e ganha o que as suas respostas merecem; sem kernel e sem nbgrader."""

import contextlib
import io
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from acidentes import ACIDENTES, DISCUSSOES, LISTA, QUESTOES, RESPOSTAS, emitida, entregar, marcadas, stub
from IPython.core.inputtransformer2 import TransformerManager

from correcao.chegada.entrega import escolher, ler
from correcao.chegada.reparo import aviso_dos_consertos, reparar
from helpers.conferencia.execucao import executar
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.referencia import carregar

TODOS = [pytest.param(a, id=a.nome) for a in ACIDENTES.values()]


@cache
def _recebida(nome: str):
    """Como a correção recebe: da pasta ao notebook consertado."""
    with TemporaryDirectory() as pasta:
        entregar(ACIDENTES[nome], Path(pasta))
        escolha = escolher(Path(pasta), LISTA, emitida())
        return reparar(ler(escolha.arquivo) if escolha.arquivo else None, emitida(), LISTA), escolha


def _receber(acidente):
    return _recebida(acidente.nome)


def _certas(nb) -> set[str]:
    return _rodar(tuple(c.source for c in nb.cells if c.cell_type == "code"))


@cache
def _rodar(celulas: tuple[str, ...]) -> set[str]:
    """Roda o notebook de cima para baixo e julga cada função na hora em que a conferência dela roda.

    Muitos acidentes, consertados, dão o mesmo código: desses, roda-se um.
    """
    certas = set()
    espaco = {"get_ipython": lambda: SimpleNamespace(run_cell_magic=_magica, run_line_magic=print, system=print)}

    def _conferir(questao, resposta):
        casos = [c.entradas for c in carregar(questao).casos]
        if callable(resposta) and Juiz(carregar(questao)).julgar(executar(resposta, casos)) is None:
            certas.add(questao.removeprefix("lista-02/"))

    def _magica(nome, linha, corpo):
        exec(corpo, espaco)

    with pytest.MonkeyPatch.context() as troca:
        troca.setenv("NBGRADER_EXECUTION", "autograde")  # sem o desenho do fim, como na correção
        for celula in celulas:
            with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
                exec(TransformerManager().transform_cell(celula), espaco)
            if "conferir" in espaco:
                espaco["conferir"] = _conferir
    return certas


def _escritas(nb) -> tuple[str, ...]:
    por_id = {c.metadata.get("nbgrader", {}).get("grade_id"): c for c in nb.cells}
    return tuple(d for d in DISCUSSOES if por_id[d].source != stub(d))


def test_ha_pelo_menos_trinta_acidentes_com_algo_a_corrigir():
    assert sum(not a.motivo for a in ACIDENTES.values()) >= 30


@pytest.mark.parametrize("acidente", TODOS)
def test_cada_entrega_ganha_o_que_as_suas_respostas_merecem(acidente):
    reparo, _ = _receber(acidente)
    assert _certas(reparo.nb) == set(acidente.certas) & set(QUESTOES)
    assert set(_escritas(reparo.nb)) == set(acidente.escritas)


@pytest.mark.parametrize("acidente", TODOS)
def test_o_motivo_do_zero_e_dito_ao_aluno(acidente):
    reparo, _ = _receber(acidente)
    if acidente.motivo:
        assert acidente.motivo in reparo.motivo
        assert reparo.motivo in reparo.nb.cells[0].source
        assert [c.source for c in reparo.nb.cells[1:]] == [c.source for c in marcadas()]
    else:
        assert reparo.motivo is None


@pytest.mark.parametrize("acidente", TODOS)
def test_so_o_que_foi_consertado_e_contado(acidente):
    reparo, escolha = _receber(acidente)
    contado = [*reparo.consertos, *escolha.avisos]
    if acidente.intacta:
        assert contado == []
    elif not acidente.motivo:
        assert contado
    assert all(f.endswith(".") and f[0].isupper() | f[0].isdigit() or f[0] == "“" for f in contado)
    assert len(contado) == len(set(contado))


@pytest.mark.parametrize("acidente", TODOS)
def test_a_lista_volta_a_ser_a_emitida(acidente):
    reparo, _ = _receber(acidente)
    da_lista = [c for c in reparo.nb.cells if "nbgrader" in c.metadata]
    assert [c.id for c in da_lista] == [c.id for c in marcadas()]
    for celula, original in zip(da_lista, marcadas(), strict=True):
        assert celula.metadata == original.metadata
        assert celula.cell_type == original.cell_type
        if not original.metadata.nbgrader.solution:
            assert celula == original
    assert reparo.nb.metadata == emitida().metadata
    assert all(c.metadata == {} for c in reparo.nb.cells if "nbgrader" not in c.metadata)
    assert all(c.outputs == [] and c.execution_count is None for c in reparo.nb.cells if c.cell_type == "code")
    nbformat.validate(reparo.nb)


@pytest.mark.parametrize("acidente", [p for p in TODOS if not p.values[0].motivo])
def test_consertar_de_novo_nao_muda_nada(acidente):
    reparo, _ = _receber(acidente)
    com_aviso = nbformat.from_dict(reparo.nb)  # como a correção o devolve, com o que consertou escrito no alto
    com_aviso.cells = [aviso_dos_consertos(reparo.consertos), *reparo.nb.cells]
    for nb in (reparo.nb, com_aviso):
        outra_vez = reparar(nbformat.writes(nb).encode(), emitida(), LISTA)
        assert outra_vez.nb == reparo.nb
        assert outra_vez.consertos == []
        assert outra_vez.respondidas == reparo.respondidas


@pytest.mark.parametrize("acidente", [p for p in TODOS if p.values[0].intacta])
def test_as_respostas_de_uma_entrega_intacta_nao_mudam(acidente):
    reparo, _ = _receber(acidente)
    (conteudo,) = acidente.fazer().values()
    entregue = json.loads(conteudo.decode("utf-8-sig"))
    fontes = ["".join(c["source"]).replace("\r\n", "\n") for c in entregue["cells"]]
    for celula in reparo.nb.cells:
        assert celula.source in fontes or celula.source in map(stub, RESPOSTAS)
