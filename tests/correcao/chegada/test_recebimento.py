"""O que se lê da lista emitida para receber uma entrega dela."""

import nbformat
import pytest
from conftest import RAIZ, listas
from nbgrader.utils import is_grade

from correcao.chegada.recebimento import questoes_da_lista, titulo_da_lista


@pytest.mark.parametrize("lista", listas())
def test_os_titulos_saem_da_lista_emitida(lista):
    emitida = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)
    questoes, textos = questoes_da_lista(emitida), "\n".join(c.source for c in emitida.cells)
    assert [q.id for q in questoes] == [c.metadata.nbgrader.grade_id for c in emitida.cells if is_grade(c)]
    assert len({q.titulo for q in questoes}) == len(questoes)
    assert all(f"## {q.titulo} (" in textos and q.veredito is None for q in questoes)
    assert f"# {titulo_da_lista(emitida)}\n" in textos and f"{int(lista[6:8]):02d}" in titulo_da_lista(emitida)
