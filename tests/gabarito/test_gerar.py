"""`python curso.py gerar`: só grava quando tudo combina, e só o que se pediu."""

import copy
import shutil
from dataclasses import replace

import nbformat
import pytest
from conftest import RAIZ, listas

from correcao.demo import responder
from gabarito import emprestimos, gerar, indice, pontos
from gabarito.base import Resposta, buscar
from helpers.autoria import origem

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
    for lista in listas()[:2]:  # a 02 importa da 01
        shutil.copytree(RAIZ / "source" / lista, tmp_path / "source" / lista)
    shutil.copytree(RAIZ / "helpers" / "substitutos", tmp_path / "helpers" / "substitutos")
    for modulo, nome, valor in (
        ("gabarito.gerar", "RAIZ", tmp_path),
        ("gabarito.no_nbgrader", "RAIZ", tmp_path),
        ("gabarito.banco", "RAIZ", tmp_path),
        ("gabarito.indice", "RAIZ", tmp_path),
        ("gabarito.gerar", "ARQUIVO", tmp_path / "helpers" / "indice.json"),
        ("helpers.indice", "ARQUIVO", tmp_path / "helpers" / "indice.json"),
        ("gabarito.referencias", "DESTINO", tmp_path / "helpers" / "referencias"),
    ):
        monkeypatch.setattr(f"{modulo}.{nome}", valor)
    for pasta in ("helpers/referencias", "gabarito/lista_02"):
        (tmp_path / pasta).mkdir(parents=True)
    shutil.copy(RAIZ / "helpers" / "indice.json", tmp_path / "helpers")
    return tmp_path


def arquivos(pasta):
    """O que se gravou no curso."""
    de_antes = {"source", "substitutos"}
    achados = [p for p in pasta.rglob("*") if p.is_file() and not de_antes & set(p.parts)]
    antes = (RAIZ / "helpers" / "indice.json").read_bytes()
    return sorted(str(p.relative_to(pasta)) for p in achados if p.name != "indice.json" or p.read_bytes() != antes)


def test_com_os_pontos_errados_nada_e_gravado(curso, lista, capsys):
    _na_celula(lista)
    nbformat.write(lista, curso / "source" / LISTA / f"{LISTA}.ipynb")
    assert gerar.main(["02"]) == 1
    erro = capsys.readouterr().err
    assert "A lista em source/lista-02-softmax não combina (softmax: 2 pontos na capa e 3" in erro
    assert "nada foi gravado" in erro and not arquivos(curso)


def test_com_uma_questao_que_o_gabarito_nao_tem_nada_e_gravado(curso, lista, capsys):
    celula = next(c for c in lista.cells if c.metadata.nbgrader.grade_id == "confere-softmax")
    celula.source = celula.source.replace("lista-02/softmax", "lista-02/sofmax")
    nbformat.write(lista, curso / "source" / LISTA / f"{LISTA}.ipynb")
    assert gerar.main(["02"]) == 1
    assert "a questão lista-02/sofmax não está no gabarito" in capsys.readouterr().err and not arquivos(curso)


@pytest.fixture
def entropia(monkeypatch):
    """A entropia sozinha, com um equívoco a mais: a lista inteira demoraria."""
    q = copy.copy(buscar("lista-02/entropia"))
    q.equivocos = q.equivocos[:2]
    monkeypatch.setattr(gerar, "carregar", lambda lista: {q.nome: q} if lista == "lista-02" else {})
    monkeypatch.setattr(gerar, "desacordos", lambda lista: [])
    return q


@pytest.mark.parametrize(
    ("estragar", "queixa"),
    [
        (lambda q: q.equivocos.append(Resposta("igual", q.referencia, "Uma frase.")), "igual à referência"),
        (lambda q: q.equivocos.append(replace(q.equivocos[0], nome="gemeo")), "equívoco gemeo"),
        (lambda q: q.alternativas.append(q.equivocos[0]), "alternativa"),
    ],
    ids=["um equívoco que é a referência", "dois equívocos que dão no mesmo", "uma alternativa errada"],
)
def test_com_uma_resposta_que_nao_e_o_que_diz_nada_e_gravado(curso, entropia, capsys, estragar, queixa):
    entropia.alternativas = list(entropia.alternativas)
    estragar(entropia)
    assert gerar.main(["02"]) == 1
    erro = capsys.readouterr().err
    assert "lista-02/entropia" in erro and queixa in erro and not arquivos(curso)


EM_FLOAT32 = """
def similaridades(X):
    Y = np.asarray(X, dtype=np.float32)
    return Y @ Y.T
"""


@pytest.fixture
def release_do_instrutor(curso, monkeypatch):
    """Em release/, uma lista 01 respondida pelo instrutor: certa, e com outros números nas últimas casas."""
    caminho = curso / "release" / "lista-01-produto-escalar" / "lista-01-produto-escalar.ipynb"
    caminho.parent.mkdir(parents=True)
    emitida = nbformat.read(RAIZ / caminho.relative_to(curso), as_version=4)
    nbformat.write(responder(emitida, {"similaridades": EM_FLOAT32}, None), caminho)
    monkeypatch.delenv(origem.LISTAS, raising=False)
    monkeypatch.setattr(origem, "do_aluno", lambda: curso)
    monkeypatch.setattr(origem, "MEMORIA", curso / ".jupyter" / "minhas")
    assert origem.obter("similaridades").propria  # é a que uma aula usaria


def test_o_que_ha_em_release_nao_muda_o_que_se_gera(curso, release_do_instrutor, monkeypatch, capsys):
    monkeypatch.setattr(gerar, "emitir", lambda lista: None)
    capsys.readouterr()
    assert gerar.main(["02"]) == 0
    for caminho in (curso / "helpers" / "referencias").iterdir():
        assert caminho.read_bytes() == (RAIZ / caminho.relative_to(curso)).read_bytes(), caminho.name
    assert "similaridades" not in "".join(capsys.readouterr())


def test_gerar_uma_lista_so_grava_o_que_e_dela(curso, monkeypatch):
    monkeypatch.setattr(gerar, "emitir", lambda lista: (curso / "release" / lista).mkdir(parents=True))
    assert gerar.main(["02"]) == 0
    assert arquivos(curso) == [
        "gabarito/lista_02/MATRIZ.md",
        "helpers/indice.json",
        "helpers/referencias/aula-02.json",
        "helpers/referencias/lista-02.json",
    ]
    guardada = (RAIZ / "helpers" / "referencias" / "lista-02.json").read_text(encoding="utf-8")
    assert (curso / "helpers" / "referencias" / "lista-02.json").read_text(encoding="utf-8") == guardada


@pytest.mark.parametrize("tirada", ["sentido", "incorporar"], ids=["ela mesma", "uma de que ela depende"])
def test_o_banco_serve_antes_de_a_questao_estar_na_lista(monkeypatch, tirada):
    inteira, q = emprestimos._solucao("lista-01"), buscar("lista-01/sentido")
    assert set(emprestimos.tabelas(q)) == {"incorporar", "similaridades"}
    monkeypatch.setattr(emprestimos, "_solucao", lambda _: f"{inteira}\ndel {tirada}")
    assert "incorporar" not in emprestimos.tabelas(q)


def test_com_uma_questao_que_nenhuma_celula_confere_nada_e_gravado_e_se_diz_o_que_fazer(curso, lista, capsys):
    lista.cells = [c for c in lista.cells if c.metadata.get("nbgrader", {}).get("grade_id") != "confere-entropia"]
    nbformat.write(lista, curso / "source" / LISTA / f"{LISTA}.ipynb")
    assert gerar.main(["02"]) == 1
    erro = capsys.readouterr().err
    assert "nenhuma célula confere a questão lista-02/entropia" in erro
    assert "tire “entropia” de ORDEM, em gabarito/lista_02/__init__.py" in erro and "nada foi gravado" in erro
    assert not arquivos(curso)


# ------------------------------------------------------------ o índice


def mudar_o_preparo(curso, lista, de, para):
    preparo = next(c for c in lista.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "preparo")
    preparo.source = preparo.source.replace(de, para)
    nbformat.write(lista, curso / "source" / LISTA / f"{LISTA}.ipynb")


@pytest.mark.parametrize(
    ("funcao", "frase"),
    [
        ("cosseno", "ela importa cosseno de helpers.minhas, e falta a do curso, em helpers/substitutos/lista_01.py"),
        ("cabeca", "ela importa cabeca de helpers.minhas, e nenhuma lista anterior pede essa função"),
    ],
    ids=["sem substituto", "de uma lista posterior"],
)
def test_o_que_a_lista_importa_e_nao_teria_na_correcao_e_dito(curso, lista, capsys, funcao, frase):
    mudar_o_preparo(curso, lista, "import similaridades", f"import similaridades, {funcao}")
    assert gerar.main(["02"]) == 1
    erro = capsys.readouterr().err
    assert frase in erro and "nada foi gravado" in erro and not arquivos(curso)


def test_no_indice_as_listas_que_nao_se_geram_ficam_como_foram_geradas(curso, lista):
    por_gerar = curso / "source" / "lista-99-nova"
    por_gerar.mkdir()
    titulo = lista.cells[0].source.partition("\n")[0]
    lista.cells[0].source = lista.cells[0].source.replace(titulo, "# Lista 02 · Outro nome")
    nbformat.write(lista, curso / "source" / LISTA / f"{LISTA}.ipynb")
    (curso / "helpers" / "substitutos" / "lista_02.py").write_text("import torch\n\n\ndef entropia(A): ...\n")
    da_outra, da_propria = indice.montar(["lista-01-produto-escalar"]), indice.montar([LISTA])
    assert list(da_outra) == ["lista-01", "lista-02"]
    assert da_outra["lista-02"].titulo == "Softmax" and da_propria["lista-02"].titulo == "Outro nome"
    assert da_outra["lista-02"].substitutos == da_propria["lista-02"].substitutos == ["entropia"]


def test_uma_pasta_sem_o_notebook_da_uma_frase(curso, capsys):
    (curso / "source" / "lista-99-nova").mkdir()
    assert gerar.main(["99"]) == 1
    assert "Não consegui ler source/lista-99-nova/lista-99-nova.ipynb (o caminho não existe)" in capsys.readouterr().err
