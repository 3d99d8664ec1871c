"""`corrigir LISTA --questao Q --anular`, e a desistência: o que havia antes volta, seja qual for a entrega."""

import datetime
import shutil
from pathlib import Path

import nbformat
import pytest
import sqlalchemy as sa
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties
from turma_pronta import LISTA, NOTEBOOK, dito, turma_corrigida

from correcao.juizo import anular, corrigir, lista_nova
from correcao.juizo.preprocessadores import SalvarNotas
from correcao.livro import anuladas
from correcao.livro.atraso import Atrasos, descontar
from correcao.livro.turma import Turma
from gabarito.no_nbgrader import configuracao

QUESTAO, DISCUSSAO = "confere-softmax", "discussao-1"
# aluno → o que ele tem na questão que o programa corrige: (automática, à mão, espera, extra)
AUTOMATICAS = {
    "certa": (2.0, None, False, None),
    "parcial": (0.75, None, False, None),
    "sem-notebook": (0.0, None, False, None),
    "lista-errada": (0.0, None, False, None),
    "kernel-morto": (0.0, None, False, None),
    "so-o-esqueleto": (0.0, None, False, None),
    "a-mao": (0.0, 1.25, False, None),
    "a-mao-por-ler": (0.5, 1.0, True, None),
    "com-extra": (0.0, None, False, 0.5),
    "grupo-a": (0.25, None, False, None),
    "zz-atrasada": (0.5, None, False, None),
}
# e na que uma pessoa lê
ABERTAS = {
    **dict.fromkeys(AUTOMATICAS, (None, None, True, None)),
    "certa": (None, 0.5, False, None),
    "sem-notebook": (0.0, None, False, None),
    "com-extra": (None, 1.0, False, 0.25),
    "a-mao-por-ler": (None, 0.75, True, None),
}
pytestmark = pytest.mark.filterwarnings("ignore:Object of type")


@pytest.fixture(scope="module")
def pronta(tmp_path_factory) -> Path:
    pasta = tmp_path_factory.mktemp("turma")
    turma_corrigida(pasta, len(AUTOMATICAS), tuple(AUTOMATICAS))
    with Turma(pasta).livro() as livro:
        for aluno in AUTOMATICAS:
            for questao, tem in ((QUESTAO, AUTOMATICAS), (DISCUSSAO, ABERTAS)):
                por(livro, aluno, questao, *tem[aluno])
        lista_nova.aplicar(livro, LISTA, nbformat.reads(NOTEBOOK.decode(), as_version=4))  # os enunciados, no livro
        livro.find_assignment(LISTA).duedate = datetime.datetime(2026, 3, 2, 13, 5)  # só a última é entregue depois
        livro.db.commit()
        for aluno in AUTOMATICAS:
            descontar(AssignLatePenalties(config=com_desconto(pasta)), livro, Atrasos(pasta), LISTA, LISTA, aluno)
        livro.db.commit()
    return pasta


def com_desconto(pasta):
    config = configuracao(pasta)
    config.Atraso.por_dia = 0.1
    return config


@pytest.fixture
def turma(pronta, tmp_path, monkeypatch) -> Path:
    shutil.copytree(pronta, tmp_path / "turma")
    monkeypatch.setattr(anular, "configuracao", com_desconto)
    monkeypatch.setenv("CURSO_TURMA", str(tmp_path / "turma"))
    return tmp_path / "turma"


def por(livro, aluno, questao, automatica, a_mao, espera, extra) -> None:
    nota = livro.find_grade(questao, LISTA, LISTA, aluno)
    nota.auto_score, nota.manual_score, nota.needs_manual_grade, nota.extra_credit = automatica, a_mao, espera, extra


def tudo(turma: Path) -> dict:
    """Tudo o que o livro tem de cada nota, e de cada entrega."""
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        entregas = livro.assignment_submissions(LISTA)
        notas = {
            (e.student_id, g.name): (g.auto_score, g.manual_score, g.needs_manual_grade, g.extra_credit, g.score)
            for e in entregas
            for g in e.notebooks[0].grades
        }
        return notas | {e.student_id: (e.score, e.notebooks[0].late_submission_penalty) for e in entregas}


def pontos(turma: Path, questao: str) -> dict[str, float]:
    return {chave[0]: valor[4] for chave, valor in tudo(turma).items() if chave[1] == questao}


def pedir(*opcoes: str) -> int:
    return corrigir.main(["02", "--questao", *opcoes])


@pytest.mark.parametrize(
    ("nome", "questao", "tinham"), [("softmax", QUESTAO, AUTOMATICAS), ("discussao-1", DISCUSSAO, ABERTAS)]
)
def test_desistir_de_anular_devolve_exatamente_o_que_cada_um_tinha(turma, capsys, nome, questao, tinham):
    antes = tudo(turma)
    assert antes["zz-atrasada"][1] > 0 and antes["certa"][1] is None
    assert pedir(nome, "--anular", "--aplicar") == 0
    cheios = {a: livro_maximo(turma, questao) + (x[3] or 0) for a, x in tinham.items()}
    assert pontos(turma, questao) == cheios
    assert dito(capsys).count("→") == len(AUTOMATICAS)
    assert pedir(nome) == 0 and "nada foi gravado" in dito(capsys) and pontos(turma, questao) == cheios
    assert pedir(nome, "--aplicar") == 0
    assert tudo(turma) == antes and anuladas.ler_anuladas(turma) == {LISTA: []}
    assert "volta a valer, e cada um tem nela o que tinha antes" in dito(capsys)


def livro_maximo(turma: Path, questao: str) -> float:
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        return livro.find_graded_cell(questao, LISTA, LISTA).max_score


def test_anular_duas_vezes_e_desistir_duas_vezes_dao_no_mesmo(turma, capsys):
    antes = tudo(turma)
    for _ in range(2):
        assert pedir("softmax", "--anular", "--aplicar") == 0
    assert pedir("softmax", "--aplicar") == 0 and tudo(turma) == antes
    assert pedir("softmax", "--anular", "--aplicar") == pedir("softmax", "--aplicar") == 0
    assert tudo(turma) == antes


def test_uma_nota_dada_depois_de_anulada_fica(turma, capsys):
    assert pedir("discussao-1", "--anular", "--aplicar") == 0
    with Turma(turma).livro() as livro:
        livro.find_grade(DISCUSSAO, LISTA, LISTA, "grupo-a").manual_score = 0.25
        livro.db.commit()
    assert pedir("discussao-1", "--aplicar") == 0
    assert tudo(turma)["grupo-a", DISCUSSAO] == (None, 0.25, False, None, 0.25)


def test_o_que_se_corrige_enquanto_ela_esta_anulada_tambem_volta(turma, capsys):
    """O que a correção faria de novo: a nota automática muda, e a dada à mão a um texto igual fica."""
    antes = tudo(turma)
    assert pedir("softmax", "--anular", "--aplicar") == pedir("discussao-1", "--anular", "--aplicar") == 0
    with Turma(turma).livro() as livro:
        for aluno in AUTOMATICAS:
            notas = [livro.find_grade(q, LISTA, LISTA, aluno) for q in (QUESTAO, DISCUSSAO)]
            anuladas.DesfazerAsAnuladas()._mudar(livro.db, notas)
            notas[0].auto_score = 1.75
            anuladas.DarAsAnuladas()._mudar(livro.db, notas)
        livro.db.commit()
    assert set(pontos(turma, QUESTAO).values()) == {2.0, 2.5}
    assert pedir("softmax", "--aplicar") == pedir("discussao-1", "--aplicar") == 0
    depois = tudo(turma)
    for aluno in AUTOMATICAS:
        assert depois[aluno, QUESTAO][:4] == (1.75, *antes[aluno, QUESTAO][1:4])
        assert depois[aluno, DISCUSSAO] == antes[aluno, DISCUSSAO]


def test_os_dois_passos_das_anuladas_estao_em_volta_de_quem_da_as_notas():
    passos = configuracao(Path(".")).Autograde.autograde_preprocessors
    quem_da = passos.index(f"{SalvarNotas.__module__}.SalvarNotas")
    assert [p.rpartition(".")[2] for p in passos[quem_da - 1 : quem_da + 2]] == [
        *("DesfazerAsAnuladas", "SalvarNotas", "DarAsAnuladas")
    ]


def test_sem_nenhuma_entrega_corrigida_nada_se_anula_nem_se_anota(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CURSO_TURMA", str(tmp_path))
    assert pedir("softmax", "--anular", "--aplicar") == 2
    assert "corrija antes de anular" in dito(capsys) and anuladas.ler_anuladas(tmp_path) == {}


def test_de_quem_nao_se_sabe_o_que_tinha_diz_se_como_saber(turma, capsys):
    """Como em uma turma em que se anulou com uma versão anterior do curso."""
    assert pedir("softmax", "--anular", "--aplicar") == 0
    with Turma(turma).livro() as livro:
        nota = livro.find_grade(QUESTAO, LISTA, LISTA, "sem-notebook")
        livro.db.execute(sa.delete(anuladas.ANTES).where(anuladas.ANTES.c.nota == nota.id))
        livro.db.commit()
    capsys.readouterr()
    assert pedir("softmax", "--aplicar") == 3
    assert "sem-notebook: não se sabe o que tinha; rode python curso.py corrigir 02 --aluno sem-notebook" in dito(
        capsys
    )


def test_uma_questao_que_muda_de_pontos_enquanto_anulada_volta_na_escala_nova(turma):
    assert pedir("softmax", "--anular", "--aplicar") == 0
    with Turma(turma).livro() as livro:
        celula = livro.find_graded_cell(QUESTAO, LISTA, LISTA)
        anuladas.na_escala(livro.db, celula.grades, 2.0)
        guardadas = anuladas.antes_de_anular(livro.db, celula.grades)
        por_aluno = {n.notebook.assignment.student_id: guardadas[n.id] for n in celula.grades}
    assert por_aluno["parcial"].automatica == 1.5 and por_aluno["a-mao"].a_mao == 2.5
