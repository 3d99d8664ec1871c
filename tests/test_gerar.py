"""`python curso.py gerar`: só grava quando tudo combina, e só o que se pediu."""

import shutil

import nbformat
import pytest
from conftest import RAIZ, listas

from gabarito import gerar, pontos

LISTA = "lista-02-softmax"


@pytest.fixture
def lista():
    return nbformat.read(RAIZ / "source" / LISTA / f"{LISTA}.ipynb", as_version=4)


@pytest.mark.parametrize("lista", listas())
def test_os_pontos_que_o_aluno_le_sao_os_que_a_questao_vale(lista):
    assert not gerar.desacordos(lista)


def _na_celula(nb):
    next(c for c in nb.cells if c.metadata.nbgrader.grade_id == "confere-softmax").metadata.nbgrader.points = 3


def _na_capa(nb):
    nb.cells[0].source = nb.cells[0].source.replace("| 1. `softmax` | 2 |", "| 1. `softmax` | 2,5 |")


def _no_titulo(nb):
    titulo = next(c for c in nb.cells if "## 1. `softmax` (2 pontos)" in c.source)
    titulo.source = titulo.source.replace("(2 pontos)", "(1 ponto)")


def _sem_titulo(nb):
    titulo = next(c for c in nb.cells if "## Discussão 1 (1 ponto)" in c.source)
    titulo.source = titulo.source.replace(" (1 ponto)", "")


def _no_total(nb):
    nb.cells[0].source = nb.cells[0].source.replace("**Vale 10 pontos**", "**Vale 12 pontos**")


@pytest.mark.parametrize(
    ("estragar", "frase"),
    [
        (_na_celula, "softmax: 2 pontos na capa e 3 pontos na célula"),
        (_na_capa, "softmax: 2,5 pontos na capa e 2 pontos na célula"),
        (_no_titulo, "softmax: 1 ponto no título e 2 pontos na célula"),
        (_sem_titulo, "Discussão 1: nada no título e 1 ponto na célula"),
        (_no_total, "o total: 12 pontos na capa e 10 pontos nas células"),
    ],
)
def test_pontos_que_nao_combinam_sao_ditos(lista, estragar, frase):
    estragar(lista)
    assert frase in pontos.desacordos(lista)


@pytest.fixture
def curso(tmp_path, monkeypatch):
    """Um curso em outra pasta, para que o `gerar` grave lá."""
    shutil.copytree(RAIZ / "source" / LISTA, tmp_path / "source" / LISTA)
    for modulo, nome, valor in (
        ("gabarito.gerar", "RAIZ", tmp_path),
        ("gabarito.curso", "RAIZ", tmp_path),
        ("gabarito.banco", "RAIZ", tmp_path),
        ("gabarito.referencias", "DESTINO", tmp_path / "helpers" / "referencias"),
    ):
        monkeypatch.setattr(f"{modulo}.{nome}", valor)
    for pasta in ("helpers/referencias", "gabarito/lista_02"):
        (tmp_path / pasta).mkdir(parents=True)
    return tmp_path


def arquivos(pasta):
    return sorted(str(p.relative_to(pasta)) for p in pasta.rglob("*") if p.is_file() and "source" not in p.parts)


def test_com_os_pontos_errados_nada_e_gravado(curso, lista, capsys):
    _na_celula(lista)
    nbformat.write(lista, curso / "source" / LISTA / f"{LISTA}.ipynb")
    assert gerar.main(["02"]) == 1
    erro = capsys.readouterr().err
    assert "Os pontos de source/lista-02-softmax não combinam" in erro and "nada foi gravado" in erro
    assert not arquivos(curso)


def test_com_uma_troca_que_nao_acha_o_que_procura_nada_e_gravado(curso, capsys, monkeypatch):
    from gabarito.tabela import DeclaracaoErrada

    def errada(_lista):
        raise DeclaracaoErrada("lista-02/softmax, sem-exp: a troca procura 'np.exp', que aparece 0 vezes na referência")

    monkeypatch.setattr(gerar, "carregar", errada)
    assert gerar.main(["02"]) == 1
    assert "lista-02/softmax, sem-exp" in capsys.readouterr().err and not arquivos(curso)


def test_gerar_uma_lista_so_grava_o_que_e_dela(curso, monkeypatch):
    monkeypatch.setattr(gerar, "emitir", lambda lista: (curso / "release" / lista).mkdir(parents=True))
    assert gerar.main(["02"]) == 0
    assert arquivos(curso) == [
        "gabarito/lista_02/MATRIZ.md",
        "helpers/referencias/aula-02.json",
        "helpers/referencias/lista-02.json",
    ]
    guardada = (RAIZ / "helpers" / "referencias" / "lista-02.json").read_text(encoding="utf-8")
    assert (curso / "helpers" / "referencias" / "lista-02.json").read_text(encoding="utf-8") == guardada
