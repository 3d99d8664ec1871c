"""Uma turma inteira de cada lista, e os pontos exatos no livro de notas; de duas delas, com o nbgrader comum: uma
pelos comandos dele, e a outra pela API, que é o que o formgrader usa."""

import contextlib
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ, entregar, listas, solucoes
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI

from correcao.caixa import caixa
from correcao.caixa.quente import quente
from correcao.juizo import corrigir, evidencia
from correcao.juizo.preprocessadores import questao_da_celula
from correcao.livro import livro
from gabarito.base import buscar
from gabarito.codigo import como_celula
from gabarito.no_nbgrader import configuracao, sem_o_programa_alembic
from helpers.conferencia.execucao import executar
from helpers.conferencia.referencia import carregar

pytestmark = [pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")]


def _nbgrader(turma: Path, comando: str, lista: str) -> None:
    """O nbgrader de sempre, com o nbgrader_config.py do curso."""
    if lista == DUAS[1]:
        de_quem = {"autograde": ["*"]}.get(comando, [])
        feito = getattr(NbGraderAPI(config=configuracao(turma)), comando)(lista, *de_quem)
        assert feito["success"], feito["log"][-3000:]
        if comando == "autograde":  # quem chama continua vivo, e volta a conferir o livro a cada vez que o abre
            assert Gradebook.__init__ is livro._CONFERIR_E_ABRIR
        return
    ambiente = os.environ | {"CURSO_TURMA": str(turma)}
    programa = [sys.executable, "-m", "nbgrader", comando, lista]
    feito = subprocess.run(programa, cwd=RAIZ, env=ambiente, capture_output=True, text=True)
    assert feito.returncode == 0, feito.stderr[-3000:]


def _questoes_da_lista(lista: str) -> dict[str, object]:
    """grade_id da célula de resposta → questão do gabarito, na ordem da lista."""
    nb = nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)
    achadas = [questao_da_celula(c) for c in nb.cells]
    return {q.funcao: q for q in achadas if q is not None}


def _o_erro(q):
    """O primeiro equívoco que erra o exemplo do enunciado e a primeira parte: não ganha nem um pedaço dos pontos."""
    da_primeira = {None, next(iter(q.partes), None)}
    um_caso_dela = next(i for i, c in enumerate(q.casos) if c.parte in da_primeira)
    do_aluno = {e.nome: [e.casos[0], e.casos[um_caso_dela]] for e in carregar(q.nome).equivocos}
    return next(e for e in q.equivocos if "certo" not in do_aluno[e.nome])


def _que_procura_na_tabela(nome: str, questao: str) -> str:
    """Uma resposta que abre o arquivo de referências e devolve o que achar para a mesma entrada."""
    return f'''
import json
from helpers.conferencia import referencia as modulo
from helpers.conferencia.codificacao import codificar
import numpy as np

def {nome}(*entradas):
    caminho = modulo.REFERENCIAS / "{questao.partition("/")[0]}.json"
    for caso in json.loads(caminho.read_text())["{questao}"]["casos"]:
        if caso["entradas"] == [codificar(e, por_extenso=True) for e in entradas] and "claro" in caso["esperado"]:
            saidas = [np.array(p["valores"], dtype=float).reshape(p["forma"]) for p in caso["esperado"]["claro"]]
            return saidas[0] if len(saidas) == 1 else tuple(saidas)
    return 0.0
'''


def _ruidosa(codigo: str) -> str:
    """A mesma resposta, com avisos, barra de progresso e impressões na célula e em cada chamada."""
    nome = codigo.split("def ", 2)[-1].split("(")[0]
    return f"""{codigo}

import sys, warnings
from tqdm import tqdm
_calada_{nome} = {nome}

def {nome}(*entradas):
    warnings.warn("um aviso")
    print("uma impressão")
    print("outra, no stderr", file=sys.stderr)
    for _ in tqdm(range(3)):
        pass
    return _calada_{nome}(*entradas)

warnings.warn("um aviso na célula")
"""


# O que não depende da lista se vê em duas, uma de NumPy e uma de torch, com classes, e com o nbgrader comum. As outras
# são corrigidas pelo `corrigir`, neste processo, que já importou tudo.
DUAS = ["lista-02-softmax", "lista-07-bloco"]


@pytest.fixture(scope="module")
def corrigir_uma_vez(tmp_path_factory):
    quente_para_todas()
    sem_o_programa_alembic()
    yield functools.cache(lambda lista: _corrigir(lista, tmp_path_factory.mktemp(lista)))
    quente.fechar()


def quente_para_todas() -> None:
    """Uma mãe só, que serve a todas as listas."""
    with contextlib.suppress(quente.SemQuente):
        if not caixa.sem_isolamento():
            quente.mae(quente.TUDO)


@pytest.fixture(params=listas())
def notas(request, corrigir_uma_vez):
    return corrigir_uma_vez(request.param)


@pytest.fixture(params=DUAS)
def notas_variadas(request, corrigir_uma_vez):
    return corrigir_uma_vez(request.param)


def _corrigir(lista: str, turma: Path) -> dict:
    """A turma de uma lista, corrigida: {aluno: {célula: pontos}} e as questões com o seu valor."""
    if lista in DUAS:
        shutil.copytree(RAIZ / "source" / lista, turma / "source" / lista)
        _nbgrader(turma, "generate_assignment", lista)
    questoes, certas = _questoes_da_lista(lista), solucoes(lista)
    primeiras = {n: como_celula(q, q.alternativas[0]) for n, q in questoes.items()}
    erradas = {n: como_celula(q, _o_erro(q)) for n, q in questoes.items()}
    metade = dict(list(certas.items())[: len(certas) // 2])
    entregar(turma, lista, "tudo-certo", certas, discussao="Uma resposta de verdade.")
    entregar(turma, lista, "tudo-errado", erradas)
    entregar(turma, lista, "em-branco", {})
    entregar(turma, lista, "alternativas", primeiras)
    if lista in DUAS:
        entregar(turma, lista, "metade", metade)
        tabela = {n: _que_procura_na_tabela(n, q.nome) for n, q in questoes.items()}
        entregar(turma, lista, "procura-na-tabela", tabela)
        entregar(turma, lista, "ruidoso", {n: _ruidosa(c) if n in questoes else c for n, c in certas.items()})
        _nbgrader(turma, "autograde", lista)
        _nbgrader(turma, "generate_feedback", lista)
    else:
        with pytest.MonkeyPatch.context() as troca:
            troca.setenv("CURSO_TURMA", str(turma))
            corrigir.corrigir(lista, turma)
    resultado = {}
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as aberto:
        for entrega in aberto.assignment_submissions(lista):
            celulas = {g.name: g for n in entrega.notebooks for g in n.grades}
            resultado[entrega.student.id] = {n: (g.auto_score, g.needs_manual_grade) for n, g in celulas.items()}
        valores = {g.name: g.max_score for g in celulas.values()}
    return {
        "notas": resultado,
        "valores": valores,
        "questoes": questoes,
        "metade": metade,
        "turma": turma,
        "lista": lista,
    }


def _automaticas(notas: dict, aluno: str) -> dict[str, float]:
    return {n.removeprefix("confere-"): v for n, (v, _) in notas["notas"][aluno].items() if n.startswith("confere-")}


def _cheios(notas: dict) -> dict[str, float]:
    return {n.removeprefix("confere-"): v for n, v in notas["valores"].items() if n.startswith("confere-")}


def test_tudo_certo_ganha_todos_os_pontos_automaticos(notas):
    assert _automaticas(notas, "tudo-certo") == _cheios(notas)


def test_as_primeiras_alternativas_ganham_todos_os_pontos_automaticos(notas):
    assert _automaticas(notas, "alternativas") == _cheios(notas)


@pytest.mark.parametrize("aluno", ["tudo-errado", "em-branco"])
def test_quem_nao_acerta_nao_ganha_nada(notas, aluno):
    assert set(_automaticas(notas, aluno).values()) == {0.0}


def test_quem_procura_na_tabela_nao_ganha_nada(notas_variadas):
    assert set(_automaticas(notas_variadas, "procura-na-tabela").values()) == {0.0}


def test_avisos_barras_e_impressoes_nao_custam_pontos(notas_variadas):
    assert _automaticas(notas_variadas, "ruidoso") == _cheios(notas_variadas)


def test_metade_certa_ganha_a_metade_que_acertou(notas_variadas):
    cheios, metade = _cheios(notas_variadas), notas_variadas["metade"]
    esperado = {n: (v if n in metade else 0.0) for n, v in cheios.items()}
    assert _automaticas(notas_variadas, "metade") == esperado
    assert 0 < sum(esperado.values()) < sum(cheios.values())


def test_a_discussao_em_branco_vale_zero_e_a_respondida_espera_uma_pessoa(notas):
    manuais = [n for n in notas["valores"] if n.startswith("discussao")]
    assert manuais
    for n in manuais:
        assert notas["notas"]["em-branco"][n] == (0.0, False)
        assert notas["notas"]["tudo-certo"][n] == (None, True)


def test_o_diagnostico_fica_escrito_na_celula(notas):
    nb = nbformat.read(notas["turma"] / "autograded" / "tudo-errado" / notas["lista"] / f"{notas['lista']}.ipynb", 4)
    for nome, q in notas["questoes"].items():
        celula = next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == f"confere-{nome}")
        (saida,) = celula.outputs
        assert saida.evalue.startswith(_o_erro(q).frase) or _o_erro(q).nome == "altera-a-entrada"


def test_cada_aluno_recebe_a_sua_pagina(notas_variadas):
    lista = notas_variadas["lista"]
    for aluno in notas_variadas["notas"]:
        arquivo = notas_variadas["turma"] / "feedback" / aluno / lista / f"{lista}.html"
        pagina = arquivo.read_text(encoding="utf-8")
        assert aluno in pagina and all(nome in pagina for nome in notas_variadas["questoes"])


def test_a_soma_da_lista_e_a_que_o_aluno_ve(notas):
    onde = notas["turma"] if notas["lista"] in DUAS else RAIZ
    nb = nbformat.read(onde / "release" / notas["lista"] / f"{notas['lista']}.ipynb", 4)
    assert f"{sum(notas['valores'].values()):g} pontos" in nb.cells[0].source + nb.cells[1].source


def test_uma_evidencia_torta_nao_da_pontos_nem_para_a_correcao():
    q = buscar("aula-00/dobro")
    for texto in [None, "", "{}", "[1]", "null", '{"questao": "aula-00/dobro", "registros": [1]}', "[" * 100_000]:
        veredito = evidencia.julgar(q, 1, texto)
        assert veredito.frase is not None and veredito.fracao == 0


def test_a_evidencia_de_uma_entrega_nao_serve_em_outra():
    q = buscar("aula-00/dobro")
    registros = executar(q.referencia, evidencia.pedido(q, 1)["casos"])
    from helpers.conferencia.atendimento import codificar_evidencia

    texto = codificar_evidencia({"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in registros]})
    assert evidencia.julgar(q, 1, texto).frase is None
    assert evidencia.julgar(q, 2, texto).frase is not None
