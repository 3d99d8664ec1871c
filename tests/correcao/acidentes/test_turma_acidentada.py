"""A turma dos acidentes, corrigida de verdade (caixa, kernel, juiz, nbgrader): os pontos exatos no livro de notas.

Muitos acidentes, consertados, dão o mesmo notebook, letra por letra; desses, só o primeiro é executado, e os pontos
dele valem para todos. Com CURSO_ACIDENTES=todos no ambiente, todos são executados.
"""

import os
import subprocess
import sys

import nbformat
import pytest
from acidentes import ACIDENTES, DISCUSSOES, LISTA, QUESTOES, RAIZ, emitida, entregar, marcadas
from conftest import caixas_do_que_demora
from nbgrader.api import Gradebook

from correcao.caixa import caixa
from correcao.caixa.quente import quente
from correcao.chegada.reparo import reparar

pytestmark = [pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")]
PRECISA_DE_UM_OLHAR = 3


def _da_turma() -> dict[str, str]:
    """{acidente: quem é corrigido por ele}: ele mesmo, ou o primeiro que, consertado, dá no mesmo notebook."""
    primeiros: dict[str, str] = {}
    quem = {}
    for nome, acidente in ACIDENTES.items():
        arquivos = acidente.fazer()
        quem[nome] = nome
        simples = list(arquivos) == [f"{LISTA}.ipynb"] and not acidente.motivo
        if simples and os.environ.get("CURSO_ACIDENTES") != "todos":
            consertado = nbformat.writes(reparar(arquivos[f"{LISTA}.ipynb"], emitida(), LISTA).nb)
            quem[nome] = primeiros.setdefault(consertado, nome)
    return quem


@pytest.fixture(scope="module", params=caixas_do_que_demora())
def corrigida(tmp_path_factory, request):
    """{aluno: {célula: (pontos, espera uma pessoa)}}, a pasta da turma, e que aluno representa cada acidente."""
    turma, quem = tmp_path_factory.mktemp("acidentados"), _da_turma()
    for nome in set(quem.values()):
        entregar(ACIDENTES[nome], turma / "submitted" / nome / LISTA)
    feito = subprocess.run(
        [sys.executable, "-m", "correcao.juizo.corrigir", LISTA],
        cwd=RAIZ,
        env=os.environ | {"CURSO_TURMA": str(turma), quente.QUAL: request.param},
        capture_output=True,
        text=True,
    )
    assert feito.returncode == PRECISA_DE_UM_OLHAR, (feito.stdout + feito.stderr)[-3000:]
    frias = ("rodou na caixa fria" in texto for texto in (feito.stderr, (turma / "correcao.log").read_text()))
    assert any(frias) is (request.param == "fria" and not caixa.sem_isolamento())
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        notas = {
            entrega.student.id: {
                g.name: (g.auto_score, g.needs_manual_grade) for caderno in entrega.notebooks for g in caderno.grades
            }
            for entrega in livro.assignment_submissions(LISTA)
        }
    return notas, turma, quem


@pytest.mark.parametrize("acidente", [pytest.param(a, id=a.nome) for a in ACIDENTES.values()])
def test_os_pontos_sao_os_que_as_respostas_merecem(corrigida, acidente):
    notas, turma, quem = corrigida
    aluno = quem[acidente.nome]
    valores = {c.metadata.nbgrader.grade_id: c.metadata.nbgrader.get("points") for c in marcadas()}
    ganhas = {*acidente.certas, *acidente.por_outra}
    esperado = {f"confere-{q}": (valores[f"confere-{q}"] if q in ganhas else 0, False) for q in QUESTOES}
    esperado |= {d: (None, True) if d in acidente.escritas else (0, False) for d in DISCUSSOES}
    assert notas[aluno] == esperado
    nb = nbformat.read(turma / "autograded" / aluno / LISTA / f"{LISTA}.ipynb", as_version=4)
    if acidente.motivo:
        assert acidente.motivo in nb.cells[0].source


def test_ninguem_fica_sem_nota(corrigida):
    notas, _, quem = corrigida
    assert set(notas) == set(quem.values())
    assert len(notas) >= 40
