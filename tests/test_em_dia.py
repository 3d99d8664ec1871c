"""O que é gerado está em dia com a sua fonte."""

import copy
import json
import math

import nbformat
import pytest
from conftest import RAIZ, listas

from gabarito import banco, referencias
from gabarito.gerar import gerar_release

CONSERTO = "rode `python curso.py gerar`"


EM_FLOAT32 = {"lista-07", "lista-08", "lista-09"}


def diferencas(a, b, onde=""):
    """Onde dois arquivos de referências diferem além do arredondamento.

    As listas 07 a 09 calculam em float32, e outro processador pode arredondar de outro jeito: uma marca em cem pode
    cair na casa vizinha da grade (a conferência aceita as vizinhas). Mais que isso é um arquivo velho.
    """
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return [onde]
        return [d for chave in a for d in diferencas(a[chave], b[chave], f"{onde}/{chave}")]
    if onde.endswith(("/marcas", "/expoentes")):
        novas, velhas = (x.split() if isinstance(x, str) else x for x in (a, b))
        mudaram = sum(x != y for x, y in zip(novas, velhas, strict=False))
        return [] if len(novas) == len(velhas) and mudaram <= max(1, len(novas) // 100) else [onde]
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return [onde]
        return [d for i, (x, y) in enumerate(zip(a, b, strict=True)) for d in diferencas(x, y, f"{onde}/{i}")]
    perto = isinstance(a, float) and isinstance(b, float) and math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-5)
    return [] if perto or (type(a) is type(b) and a == b) else [onde]


@pytest.mark.lento
def test_as_referencias_estao_em_dia_com_o_gabarito():
    textos = referencias.textos()
    no_disco = {p.stem: p.read_text(encoding="utf-8") for p in referencias.DESTINO.glob("*.json")}
    assert set(no_disco) == set(textos), CONSERTO
    for nome, texto in textos.items():
        if nome in EM_FLOAT32:
            assert not diferencas(json.loads(texto), json.loads(no_disco[nome]))[:5], f"{nome}.json velho; {CONSERTO}"
        else:
            assert no_disco[nome] == texto, f"{nome}.json está velho; {CONSERTO}"


def test_uma_referencia_velha_e_notada():
    nova = json.loads((referencias.DESTINO / "lista-07.json").read_text(encoding="utf-8"))
    for estragar in (
        lambda d: d["casos"][0].update(rotulo="outro"),
        lambda d: d["casos"][1]["entradas"].pop(),
        lambda d: d["casos"][1]["esperado"]["saidas"][-1].update(marcas="x " * 36),
        lambda d: d["equivocos"].pop(next(iter(d["equivocos"]))),
        lambda d: d.update(atol=1.0),
    ):
        velha = copy.deepcopy(nova)
        estragar(velha["lista-07/Bloco"])
        assert diferencas(nova, velha)
    assert not diferencas(nova, copy.deepcopy(nova))


@pytest.mark.lento
def test_a_matriz_esta_em_dia_com_o_banco():
    assert banco.MATRIZ.read_text(encoding="utf-8") == banco.matriz(banco.questoes_das_listas()), CONSERTO


@pytest.mark.parametrize("lista", listas())
def test_release_esta_em_dia_com_source(lista, tmp_path):
    origem = RAIZ / "source" / lista
    destino = tmp_path / "source" / lista
    destino.mkdir(parents=True)
    for arquivo in origem.iterdir():
        if arquivo.is_file():
            (destino / arquivo.name).write_bytes(arquivo.read_bytes())
    assert gerar_release(lista, tmp_path) is None
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
