"""Os acidentes com classes e torch: cada entrega, consertada, ganha o que as suas respostas merecem."""

import contextlib
import io
import json
from functools import cache
from types import SimpleNamespace

import nbformat
import pytest
from com_torch import ACIDENTES, emitida, questoes, respondida
from IPython.core.inputtransformer2 import TransformerManager

from correcao.chegada.reparo import reparar
from helpers.conferencia.exame import examinar
from helpers.conferencia.referencia import carregar

pytestmark = pytest.mark.lento
TODOS = [pytest.param(a, id=a.nome) for a in ACIDENTES.values()]


@cache
def _reparo(nome: str):
    acidente = ACIDENTES[nome]
    return reparar(acidente.entregue(), emitida(acidente.lista), f"{acidente.lista}.ipynb")


@cache
def _certa(questao: str, programa: str) -> bool:
    """Se a resposta está certa depois de rodar `programa`: as células até a conferência dela."""
    espaco = {"get_ipython": lambda: SimpleNamespace(system=print, run_line_magic=print)}
    for celula in programa.split("\0"):
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            exec(TransformerManager().transform_cell(celula), espaco)
    resposta = espaco.get(questao.rpartition("/")[2])
    return resposta is not None and examinar(carregar(questao), resposta)[0] is None


def _certas(nb, lista: str) -> set[str]:
    """As questões certas. O que a conferência mostra não importa: roda-se tudo, menos ela."""
    certas, celulas = set(), []
    for celula in nb.cells:
        nome = celula.metadata.get("nbgrader", {}).get("grade_id", "")
        if nome.startswith("confere-"):
            questao = f"{'-'.join(lista.split('-')[:2])}/{nome.removeprefix('confere-')}"
            if _certa(questao, "\0".join(celulas)):
                certas.add(nome.removeprefix("confere-"))
        elif celula.cell_type == "code":
            celulas.append(celula.source)
    return certas


@pytest.mark.parametrize("acidente", TODOS)
def test_cada_entrega_ganha_o_que_as_suas_respostas_merecem(acidente):
    feito = _reparo(acidente.nome)
    assert feito.motivo is None
    assert _certas(feito.nb, acidente.lista) == questoes(acidente.lista) - set(acidente.erradas)


@pytest.mark.parametrize("acidente", TODOS)
def test_a_lista_volta_a_ser_a_emitida_e_o_conserto_e_contado(acidente):
    feito = _reparo(acidente.nome)
    da_lista = [c for c in feito.nb.cells if "nbgrader" in c.metadata]
    da_emitida = [c for c in emitida(acidente.lista).cells if "nbgrader" in c.metadata]
    assert [(c.id, c.metadata) for c in da_lista] == [(c.id, c.metadata) for c in da_emitida]
    assert feito.consertos


@pytest.mark.parametrize("acidente", TODOS)
def test_consertar_de_novo_nao_muda_nada(acidente):
    feito = _reparo(acidente.nome)
    outra_vez = reparar(nbformat.writes(feito.nb).encode(), emitida(acidente.lista), "x")
    assert (outra_vez.nb, outra_vez.consertos) == (feito.nb, [])


@pytest.mark.parametrize("lista", sorted({a.lista for a in ACIDENTES.values()}))
def test_a_lista_de_que_os_acidentes_partem_esta_toda_certa(lista):
    assert _certas(nbformat.reads(json.dumps(respondida(lista)), as_version=4), lista) == questoes(lista)
