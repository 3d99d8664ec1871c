"""O que é gerado está em dia com a sua fonte."""

import json

import nbformat
import pytest
from conftest import RAIZ, listas

from gabarito import indice
from gabarito.no_nbgrader import emitir, listas_do_curso
from helpers.indice import ARQUIVO

CONSERTO = "rode `python curso.py gerar`"


UMA, *OUTRAS = listas()


def test_o_indice_esta_em_dia_com_as_listas_as_aulas_e_os_substitutos():
    assert indice.texto(indice.montar(listas_do_curso())) == ARQUIVO.read_text("utf-8"), CONSERTO


@pytest.mark.parametrize("lista", [UMA, *(pytest.param(lista, marks=pytest.mark.lento) for lista in OUTRAS)])
def test_release_esta_em_dia_com_source(lista, tmp_path):
    origem = RAIZ / "source" / lista
    destino = tmp_path / "source" / lista
    destino.mkdir(parents=True)
    for arquivo in origem.iterdir():
        if arquivo.is_file():
            (destino / arquivo.name).write_bytes(arquivo.read_bytes())
    assert emitir(lista, tmp_path) is None
    gerado = sorted(p.relative_to(tmp_path / "release") for p in (tmp_path / "release").rglob("*") if p.is_file())
    no_disco = sorted(
        p.relative_to(RAIZ / "release")
        for p in (RAIZ / "release" / lista).rglob("*")
        if p.is_file() and ".ipynb_checkpoints" not in p.parts
    )
    assert gerado == no_disco, CONSERTO
    for caminho in gerado:
        novo, velho = (tmp_path / "release" / caminho), (RAIZ / "release" / caminho)
        if caminho.suffix == ".ipynb":
            assert json.loads(novo.read_text("utf-8")) == json.loads(velho.read_text("utf-8")), f"{caminho}: {CONSERTO}"
        else:
            assert novo.read_bytes() == velho.read_bytes(), f"{caminho}: {CONSERTO}"


@pytest.mark.parametrize("lista", listas())
def test_o_aluno_recebe_a_lista_menos_a_resposta(lista):
    fonte = nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)
    aluno = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)
    assert len(fonte.cells) == len(aluno.cells)
    for da_fonte, do_aluno in zip(fonte.cells, aluno.cells, strict=True):
        assert "BEGIN SOLUTION" not in do_aluno.source
        if "BEGIN SOLUTION" not in da_fonte.source:
            assert da_fonte.source == do_aluno.source
            continue
        antes = da_fonte.source.split("### BEGIN SOLUTION")[0].rstrip()
        solucao = da_fonte.source.split("### BEGIN SOLUTION")[1].split("### END SOLUTION")[0]
        assert do_aluno.source.startswith(antes)
        for linha in solucao.splitlines():
            if len(linha.strip()) > 12:
                assert linha.strip() not in do_aluno.source
