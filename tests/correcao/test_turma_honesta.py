"""Uma turma honesta de 30, sorteada do banco: na caixa, cada um ganha exatamente os pontos que o banco diz."""

from pathlib import Path

import nbformat
import numpy as np
import pytest
from conftest import RAIZ, entregar
from nbgrader.api import Gradebook
from pontuar import fracao

from correcao.comum.anotacao import registro_da_correcao
from correcao.juizo.corrigir import corrigir
from correcao.juizo.preprocessadores import questao_da_celula
from gabarito.base import Questao
from gabarito.codigo import como_celula

LISTA = "lista-03-escala"
ALUNOS = [f"aluno-{i:02d}" for i in range(1, 31)]
SEMENTE = 3
pytestmark = [pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")]

Sorteio = dict[str, tuple[str | None, str]]  # questão → (o equívoco que é, ou None se está certa; o texto da célula)


def emitida():
    return nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)


def conferencias() -> list[tuple[Questao, float]]:
    """As questões da lista, na ordem, e quanto vale cada uma."""
    return [(q, float(c.metadata.nbgrader.points)) for c in emitida().cells if (q := questao_da_celula(c))]


def repartir(q: Questao, rng: np.random.Generator) -> list[tuple[str | None, str]]:
    """Uma resposta à questão para cada aluno: metade da referência e das alternativas, metade dos equívocos."""
    metade = len(ALUNOS) // 2
    certas = [(None, r) for r in q.certas]
    erradas = [(e.nome, e) for e in q.equivocos]
    monte = [grupo[i % len(grupo)] for grupo in (certas, erradas) for i in _embaralhar(len(grupo), metade, rng)]
    return [(nome, como_celula(q, r)) for nome, r in (monte[i] for i in rng.permutation(len(monte)))]


def _embaralhar(quantos: int, pedidos: int, rng: np.random.Generator) -> list[int]:
    """`pedidos` índices de um monte de `quantos`; só repete quem já deu a volta inteira."""
    voltas = -(-pedidos // quantos)
    return [int(i) for _ in range(voltas) for i in rng.permutation(quantos)][:pedidos]


@pytest.fixture(scope="module")
def sorteio() -> dict[str, Sorteio]:
    rng = np.random.default_rng(SEMENTE)
    montes = {q.nome: repartir(q, rng) for q, _ in conferencias()}
    return {aluno: {nome: monte[i] for nome, monte in montes.items()} for i, aluno in enumerate(ALUNOS)}


@pytest.fixture(scope="module")
def corrigida(sorteio, tmp_path_factory) -> tuple[Path, dict]:
    turma = tmp_path_factory.mktemp("turma")
    for aluno, respostas in sorteio.items():
        entregar(turma, LISTA, aluno, {q.funcao: respostas[q.nome][1] for q, _ in conferencias()})
    return turma, {s.aluno: s for s in corrigir(LISTA, raiz=turma)}


def test_o_sorteio_mistura_certas_alternativas_e_equivocos(sorteio):
    for q, _ in conferencias():
        equivocos = [sorteio[aluno][q.nome][0] for aluno in ALUNOS]
        assert equivocos.count(None) == 15 and len(set(equivocos)) >= 13
        assert len({sorteio[a][q.nome][1] for a in ALUNOS if sorteio[a][q.nome][0] is None}) == 1 + len(q.alternativas)


def test_cada_aluno_ganha_em_cada_questao_os_pontos_que_o_banco_diz(sorteio, corrigida):
    turma, situacoes = corrigida
    esperados = {
        aluno: {f"confere-{q.funcao}": v * fracao(q, respostas[q.nome][0]) for q, v in conferencias()}
        for aluno, respostas in sorteio.items()
    }
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        notas = {
            e.student.id: {g.name: g.auto_score for n in e.notebooks for g in n.grades if g.name.startswith("confere-")}
            for e in livro.assignment_submissions(LISTA)
        }
    assert notas == esperados
    assert {a: s.nota for a, s in situacoes.items()} == {a: sum(pontos.values()) for a, pontos in esperados.items()}
    assert not [s for s in situacoes.values() if s.motivo or s.consertos]


def test_cada_equivoco_e_chamado_pelo_nome(sorteio, corrigida):
    turma, _ = corrigida
    for aluno, respostas in sorteio.items():
        anotacao = registro_da_correcao(turma / "autograded" / aluno / LISTA / f"{LISTA}.ipynb")
        ouvidos = {q.id: q.veredito.equivoco for q in anotacao.questoes if q.veredito}
        assert ouvidos == {f"confere-{q.funcao}": respostas[q.nome][0] for q, _ in conferencias()}
