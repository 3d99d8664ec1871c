"""Cada aula roda com as listas feitas, em estilos que não são o do gabarito (`python curso.py testar --tudo`)."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ, alem, aulas, listas, questoes
from nbclient import NotebookClient

from correcao.demo import responder
from gabarito.base import Questao, Resposta
from gabarito.codigo import como_celula
from helpers.autoria import origem, verificacao

# O que se procura no nome de uma alternativa, do preferido em diante; sem nenhum, serve a última.
ESTILOS = {
    "com outras bibliotecas": ("torch", "float32", "einsum", "numpy"),
    "com laços": (
        "laco",
        "um-por-um",
        "linha-por-linha",
        "fatia-por-fatia",
        "posicao-por-posicao",
        "cabeca-por-cabeca",
    ),
}


def no_estilo(q: Questao, marcas: tuple[str, ...]) -> Resposta:
    achadas = [a for marca in marcas for a in q.alternativas if marca in a.nome]
    return (achadas or q.certas[::-1])[0]


@pytest.fixture(scope="module", params=ESTILOS)
def feitas(request, tmp_path_factory) -> Path:
    """Uma pasta com todas as listas respondidas nesse estilo, e todas certas."""
    pasta, marcas = tmp_path_factory.mktemp("listas"), ESTILOS[request.param]
    with pytest.MonkeyPatch.context() as troca:
        troca.setenv(origem.LISTAS, str(pasta))
        for lista in listas():
            celulas = {q.funcao: como_celula(q, no_estilo(q, marcas)) for q in questoes() if q.lista == lista[:8]}
            nb = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)
            (pasta / lista).mkdir()
            nbformat.write(responder(nb, celulas, None), pasta / lista / f"{lista}.ipynb")
        ditas = {q: s for lista in listas() for q, s in origem.situacoes(lista[:8]).items()}
        assert {q: s.frase for q, s in ditas.items() if s.estado != verificacao.CERTA} == {}
        yield pasta


def trazidas(nb: nbformat.NotebookNode) -> set[str]:
    """O que a aula importa de `helpers.minhas`, fora o que é do próprio curso."""
    codigo = "\n".join(re.sub(r"(?m)^\s*[%!].*", "", c.source) for c in nb.cells if c.cell_type == "code")
    nos = [no for no in ast.walk(ast.parse(codigo)) if isinstance(no, ast.ImportFrom) and no.module == "helpers.minhas"]
    return {a.name for no in nos for a in no.names} - {"mapa", "fixar"}


@pytest.mark.tudo
@pytest.mark.parametrize("caminho", [*aulas(), *alem()], ids=lambda p: str(p.relative_to(RAIZ)))
def test_a_aula_roda_com_as_funcoes_do_aluno(feitas, caminho):
    nb = nbformat.read(caminho, as_version=4)
    NotebookClient(nb, timeout=600, kernel_name="python3", resources={"metadata": {"path": caminho.parent}}).execute()
    impresso = "".join(s.text for c in nb.cells for s in c.get("outputs", []) if s.output_type == "stream")
    suas = set(re.findall(r"(?m)^(\w+): (?:a sua|o seu), da lista \d\d, salv[ao].* ✓$", impresso))
    assert trazidas(nb) <= suas
    assert re.findall(r"(?m)^\w+: [ao] do curso, porque.*", impresso) == []  # a frase de *Engane* pode ser a do curso
