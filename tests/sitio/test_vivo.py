"""O que se mexe nas páginas: quadros, treinos, significados. Tudo achado onde a aula o tem."""

from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ

from gabarito.no_nbgrader import aulas_do_curso
from sitio.obra import Caderno, Obra
from sitio.partes import quadros, significados, treinos

GLOSSARIO = (RAIZ / "notebooks" / "glossario.md").read_text(encoding="utf-8")


def caderno(caminho):
    endereco = f"{'alem' if caminho.parent.name == 'alem' else 'aulas'}/{caminho.stem}"
    return Caderno(caminho.relative_to(RAIZ), endereco, nbformat.read(caminho, as_version=4))


def obra():
    return Obra(RAIZ, Path("."))


def test_todo_explorar_das_aulas_tem_os_seus_quadros():
    for caminho in aulas_do_curso():
        aula = caderno(caminho)
        quantos = sum(quadros.chama_explorar(celula) for celula in aula.nb.cells)
        for n in range(1, quantos + 1):
            assert (quadros.QUADROS / f"{quadros.nome_dos_quadros(aula, n)}.quadros").is_file(), caminho.name


def test_sem_quadros_a_figura_diz_onde_se_mexe(monkeypatch, tmp_path):
    monkeypatch.setattr(quadros, "QUADROS", tmp_path)
    aula = caderno(RAIZ / "notebooks" / "07-bloco.ipynb")
    quadros.caderno(aula, obra())
    assert any(quadros.SEM_QUADROS in celula.source for celula in aula.nb.cells)


@pytest.mark.parametrize("endereco", treinos.ONDE)
def test_os_treinos_estao_na_aula_que_os_mostra(endereco):
    pasta = RAIZ / "notebooks" / ("alem" if endereco.startswith("alem/") else "")
    aula = caderno(pasta / f"{endereco.partition('/')[2]}.ipynb")
    treinos.caderno(aula, obra())
    assert sum("data-treinos" in celula.source for celula in aula.nb.cells) == 1


def test_de_cada_treino_ha_tantas_perdas_quantos_passos():
    for treino in treinos.guardados()["treinos"].values():
        assert len(treino["passos"]) == len(treino["treino"]) == len(treino["validacao"])


def test_o_glossario_inteiro_se_le():
    achados = significados.termos(GLOSSARIO)
    assert len(achados) > 90
    assert not [t for t in achados if "$" in t.definicao or "**" in t.definicao or "\\" in t.definicao]


@pytest.mark.parametrize(
    ("um", "muitos"),
    [("produto escalar", "produtos escalares"), ("peso de atenção", "pesos de atenção"), ("projeção", "projeções")],
)
def test_uma_palavra_do_glossario_e_achada_no_plural(um, muitos):
    assert significados.plural(um) == muitos
