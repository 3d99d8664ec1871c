"""Um prazo posto antes da primeira correção: o livro conhece a lista sem as células dela, e isso não para a turma."""

import datetime
import shutil
from pathlib import Path

import pytest
from conftest import RAIZ
from nbgrader.apps import NbGraderAPI

from correcao import corrigir
from correcao.turma import Turma
from gabarito.curso import configuracao, emitir

LISTA = "lista-01-produto-escalar"
PRAZO = datetime.datetime(2026, 3, 1, 23, 59)
pytestmark = pytest.mark.usefixtures("com_ou_sem_caixa")


def livro(turma: Path):
    return Turma(turma).livro()


@pytest.fixture(scope="module")
def so_o_prazo(tmp_path_factory) -> Path:
    """Um livro de notas com o prazo e mais nada, como o formgrader e o `nbgrader db assignment add` o deixam."""
    pasta = tmp_path_factory.mktemp("prazo")
    with livro(pasta) as aberto:
        aberto.update_or_create_assignment(LISTA, duedate=PRAZO)
    return pasta / "gradebook.db"


@pytest.fixture
def turma(so_o_prazo, tmp_path) -> Path:
    """O livro só com o prazo, e uma entrega do dia seguinte que não é um notebook: nenhum kernel precisa partir."""
    shutil.copy(so_o_prazo, tmp_path)
    pasta = tmp_path / "submitted" / "ana" / LISTA
    pasta.mkdir(parents=True)
    (pasta / f"{LISTA}.ipynb").write_text("isto não é JSON")
    (pasta / "timestamp.txt").write_text("2026-03-02 23:59:00 UTC")
    return tmp_path


def conferir_a_nota(turma: Path) -> None:
    with livro(turma) as aberto:
        entrega = aberto.find_submission(LISTA, "ana")
        assert (entrega.score, entrega.max_score) == (0, 10) and entrega.assignment.duedate == PRAZO
        assert entrega.total_seconds_late == 24 * 3600


def test_corrigir_completa_a_lista_e_o_prazo_fica(turma):
    (situacao,) = corrigir.corrigir(LISTA, turma)
    assert (situacao.nota, situacao.de) == (0, 10) and "não é um notebook" in situacao.motivo
    conferir_a_nota(turma)


def test_o_autograde_comum_do_nbgrader_tambem_completa_a_lista(turma):
    feito = NbGraderAPI(config=configuracao(turma)).autograde(LISTA, "*")
    assert feito["success"], feito
    conferir_a_nota(turma)


def test_quem_ja_tinha_ficado_sem_nota_ganha_a_sua_e_a_prorrogacao_fica(turma):
    with livro(turma) as aberto:  # o que a correção antiga deixava: a entrega no livro, sem notebook algum
        aberto.add_student("ana")
        aberto.add_submission(LISTA, "ana", timestamp="2026-03-02 23:59:00 UTC")
        aberto.grant_extension(LISTA, "ana", hours=5)
    assert corrigir.corrigir(LISTA, turma)[0].nota == 0
    with livro(turma) as aberto:
        assert aberto.find_submission(LISTA, "ana").total_seconds_late == 19 * 3600


def test_gerar_completa_uma_lista_com_prazo_e_com_entregas_vazias(turma):
    with livro(turma) as aberto:
        aberto.add_student("ana")
        aberto.add_submission(LISTA, "ana")
    (turma / "source").symlink_to(RAIZ / "source")
    assert emitir(LISTA, turma) is None
    with livro(turma) as aberto:
        assert aberto.find_assignment(LISTA).max_score == 10 and aberto.find_assignment(LISTA).duedate == PRAZO
        assert [n.name for n in aberto.find_submission(LISTA, "ana").notebooks] == [LISTA]


def test_uma_emissao_que_parou_no_meio_e_refeita(turma):
    (turma / "source").symlink_to(RAIZ / "source")
    assert emitir(LISTA, turma) is None
    with livro(turma) as aberto:  # as células são gravadas uma a uma
        notebook = aberto.find_notebook(LISTA, LISTA)
        for celula in notebook.source_cells[3:]:
            aberto.db.delete(celula)
        aberto.db.commit()
    assert corrigir.corrigir(LISTA, turma)[0].nota == 0
    with livro(turma) as aberto:
        assert len(aberto.find_notebook(LISTA, LISTA).source_cells) > 10
