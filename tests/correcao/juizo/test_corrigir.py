"""`python curso.py corrigir`: toda entrega termina com nota, motivo e notebook, e rodar de novo não muda nada."""

import contextlib
import io
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from conftest import RAIZ, entregar, solucoes
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.converters.base import NbGraderException

from correcao.caixa.quente import quente
from correcao.chegada import reparo
from correcao.juizo import corrigir
from gabarito.base import Questao

LISTA = "lista-01-produto-escalar"
pytestmark = [pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")]


def comando(turma: Path, *argumentos: str, programa: str = "correcao.juizo.corrigir", **extra: str):
    return subprocess.run(
        [sys.executable, "-m", programa, *argumentos],
        cwd=RAIZ,
        capture_output=True,
        text=True,
        env=os.environ | {"CURSO_TURMA": str(turma)} | extra,
    )


def aqui(turma: Path, *argumentos: str) -> SimpleNamespace:
    """O `corrigir`, neste processo, uma entrega de cada vez."""
    dito, queixas = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as troca, contextlib.redirect_stdout(dito), contextlib.redirect_stderr(queixas):
        troca.setenv("CURSO_TURMA", str(turma))
        codigo = corrigir.main([*argumentos, "--processos", "1"])
    return SimpleNamespace(returncode=codigo, stdout=dito.getvalue(), stderr=queixas.getvalue())


@pytest.fixture(scope="module", autouse=True)
def _sem_mae_no_fim():
    yield
    quente.fechar()


def notas(turma: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        return {e.student.id: e.score for e in livro.assignment_submissions(LISTA)}


def corrigido(turma: Path, aluno: str) -> Path:
    return turma / "autograded" / aluno / LISTA / f"{LISTA}.ipynb"


def automaticos() -> float:
    nb = nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)
    return sum(c.metadata.nbgrader.points for c in nb.cells if utils.is_grade(c) and not utils.is_solution(c))


@pytest.fixture(scope="module")
def turma(tmp_path_factory) -> Path:
    """Uma turma: certa, em branco, com outro nome, sem notebook, que não é notebook, e que mata o kernel."""
    turma = tmp_path_factory.mktemp("turma")
    certas = solucoes(LISTA)
    entregar(turma, LISTA, "ana", certas, "Uma resposta de verdade.")
    entregar(turma, LISTA, "bia", {})
    entregar(turma, LISTA, "caio [2]", certas, nome="Cópia de lista 1 (3).ipynb")
    (turma / "submitted" / "davi" / LISTA).mkdir(parents=True)
    (turma / "submitted" / "davi" / LISTA / "lista.docx").write_bytes(b"PK\x03\x04 isto")
    (turma / "submitted" / "eva" / LISTA).mkdir(parents=True)
    (turma / "submitted" / "eva" / LISTA / f"{LISTA}.ipynb").write_text("isto não é JSON")
    ultima = list(certas)[-1]
    entregar(turma, LISTA, "fabio", certas | {ultima: "import os\nos._exit(7)"})
    return turma


@pytest.fixture(scope="module")
def feito(turma) -> subprocess.CompletedProcess:
    return comando(turma, "01")


def test_toda_entrega_termina_com_nota_e_notebook(turma, feito):
    assert set(notas(turma)) == {"ana", "bia", "caio [2]", "davi", "eva", "fabio"}
    assert all(corrigido(turma, aluno).is_file() for aluno in notas(turma))


def test_cada_um_ganha_o_que_merece(turma, feito):
    cheios = automaticos()
    assert notas(turma)["ana"] == notas(turma)["caio [2]"] == cheios
    assert notas(turma)["bia"] == notas(turma)["davi"] == notas(turma)["eva"] == 0
    assert 0 < notas(turma)["fabio"] < cheios  # a célula que mata o kernel só custa o que é dela


def test_o_quadro_diz_quem_precisa_de_um_olhar_e_o_codigo_de_saida_tambem(feito):
    assert feito.returncode == 3, feito.stdout + feito.stderr
    ultima = next(linha for linha in feito.stdout.splitlines() if linha.startswith("Precisam de um olhar"))
    assert all(nome in ultima for nome in ("davi", "eva")) and "ana" not in ultima
    assert "Traceback" not in feito.stdout + feito.stderr


def test_o_motivo_esta_escrito_no_notebook_corrigido(turma, feito):
    for aluno in ("davi", "eva"):
        nb = nbformat.read(corrigido(turma, aluno), 4)
        assert nb.metadata.curso.motivo
        assert "\n".join(c.source for c in nb.cells if c.cell_type == "markdown").count(nb.metadata.curso.motivo) == 1


def test_rodar_outra_vez_nao_muda_nada(turma, feito):
    antes = {a: (corrigido(turma, a).read_bytes(), n) for a, n in notas(turma).items()}
    outra = aqui(turma, "01")
    assert "6 sem mudança" in outra.stdout
    assert {a: (corrigido(turma, a).read_bytes(), n) for a, n in notas(turma).items()} == antes


def test_cada_rodada_guarda_uma_copia_datada_do_livro_e_so_as_ultimas_ficam(turma, feito):
    from correcao.livro.livro import COPIAS, QUANTAS_COPIAS, guardar_copia

    for i in range(QUANTAS_COPIAS + 3):
        (turma / COPIAS / f"gradebook-20200101-0000{i:02d}.db").touch()
    guardar_copia(f"sqlite:///{turma / 'gradebook.db'}", turma)
    copias = sorted((turma / COPIAS).glob("*.db"))
    assert len(copias) == QUANTAS_COPIAS
    with sqlite3.connect(copias[-1]) as conexao:
        assert conexao.execute("select count(*) from student").fetchone()[0] == 6


@pytest.fixture
def copia(turma, feito, tmp_path) -> Path:
    destino = tmp_path / "turma"
    shutil.copytree(turma, destino)
    for aluno in ("caio [2]", "davi", "eva", "fabio"):
        shutil.rmtree(destino / "submitted" / aluno)
    return destino


def test_uma_entrega_nova_e_corrigida_e_a_nota_dada_a_mao_fica(copia):
    with Gradebook(f"sqlite:///{copia / 'gradebook.db'}") as livro:
        manual = next(
            g for n in livro.find_submission(LISTA, "ana").notebooks for g in n.grades if g.name.startswith("discussao")
        )
        nome, manual.manual_score, manual.needs_manual_grade = manual.name, 0.5, False
        livro.db.commit()
    entregar(copia, LISTA, "bia", solucoes(LISTA))
    corrigido(copia, "ana").unlink()  # como se a correção tivesse parado antes de gravar
    assert aqui(copia, "01").returncode == 0
    assert notas(copia)["bia"] == automaticos() and notas(copia)["ana"] == automaticos() + 0.5
    with Gradebook(f"sqlite:///{copia / 'gradebook.db'}") as livro:
        assert livro.find_grade(nome, LISTA, LISTA, "ana").manual_score == 0.5


def test_o_que_parou_no_meio_recomeca(copia):
    certo = corrigido(copia, "ana").read_bytes()
    corrigido(copia, "ana").write_bytes(certo[: len(certo) // 2])
    assert aqui(copia, "01").returncode == 0
    assert nbformat.read(corrigido(copia, "ana"), 4).metadata.curso.entrega


@pytest.fixture(scope="module")
def morta_a_forca(turma, feito, tmp_path_factory):
    """Uma turma cuja correção morreu (kill -9) no meio da entrega de gil, e onde a de hugo não tem notebook.

    Com ela vem a pasta de temporários que a correção usava.
    """
    destino = tmp_path_factory.mktemp("morta") / "turma"
    shutil.copytree(turma, destino)
    for aluno in ("bia", "caio [2]", "davi", "eva", "fabio"):
        shutil.rmtree(destino / "submitted" / aluno)
    certas = solucoes(LISTA)
    # dorme só na correção que vai morrer, a única em que esta variável, que entra na caixa, vale isto
    dorme = "import os, time\nif os.environ.get('TZ') == 'DORME0':\n    time.sleep(3600)"
    entregar(destino, LISTA, "gil", {nome: f"{dorme}\n\n{resposta}" for nome, resposta in certas.items()})
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="mf-") as temporarios:
        ambiente = os.environ | {"CURSO_TURMA": str(destino), "TMPDIR": temporarios, "TZ": "DORME0"}
        programa = [sys.executable, "-m", "correcao.juizo.corrigir", "01"]
        with subprocess.Popen(programa, cwd=RAIZ, env=ambiente, stdout=subprocess.DEVNULL) as processo:
            prazo = time.monotonic() + 300
            while not corrigido(destino, "gil").is_file():
                assert processo.poll() is None and time.monotonic() < prazo
                time.sleep(0.05)
            processo.send_signal(signal.SIGKILL)
        (destino / "submitted" / "hugo" / LISTA).mkdir(parents=True)
        yield destino, Path(temporarios)


@pytest.mark.parametrize(
    "programa, argumentos, codigo",
    [("correcao.juizo.corrigir", ["01", "--processos", "1"], 3), ("nbgrader", ["autograde", LISTA], 0)],
)
def test_o_que_morreu_a_forca_recomeca_e_a_pasta_sem_notebook_vale_zero(
    morta_a_forca, tmp_path, programa, argumentos, codigo
):
    morta, temporarios = morta_a_forca
    copia = tmp_path / "turma"
    shutil.copytree(morta, copia)
    de_ana = corrigido(copia, "ana").stat().st_mtime_ns
    for pasta in temporarios.iterdir():  # o que o kernel usava ficou para trás; já se passou mais de um minuto
        os.utime(pasta, (0, 0))
    feito = comando(copia, *argumentos, programa=programa, TMPDIR=str(temporarios))
    assert feito.returncode == codigo, feito.stdout + feito.stderr
    assert notas(copia)["gil"] == automaticos() and notas(copia)["hugo"] == 0
    assert nbformat.read(corrigido(copia, "gil"), 4).metadata.curso.entrega
    assert "Nenhum notebook desta entrega" in nbformat.read(corrigido(copia, "hugo"), 4).metadata.curso.motivo
    assert corrigido(copia, "ana").stat().st_mtime_ns == de_ana
    assert list(temporarios.iterdir()) == []
    if programa == "nbgrader":  # o que um comando fez vale para o outro
        assert "3 sem mudança" in aqui(copia, "01").stdout


def test_uma_pasta_de_nome_impossivel_nao_para_os_outros_no_nbgrader_comum(copia):
    shutil.copytree(copia / "submitted" / "ana", copia / "submitted" / "aa\nbb")
    (copia / "submitted" / "ana" / LISTA / "timestamp.txt").write_text("anteontem, de noite")
    shutil.rmtree(copia / "autograded" / "bia")
    feito = comando(copia, "autograde", LISTA, programa="nbgrader")
    assert feito.returncode == 0 and "quebras de linha" in feito.stderr, feito.stderr
    assert corrigido(copia, "bia").is_file() and corrigido(copia, "ana").is_file()


def test_uma_segunda_correcao_ao_mesmo_tempo_e_recusada(copia):
    import fcntl

    with open(copia / ".correcao.trava", "a") as trava:
        fcntl.flock(trava, fcntl.LOCK_EX)
        feito = aqui(copia, "01", "--de-novo")
    assert feito.returncode == 2 and "em outra janela" in feito.stderr


def reparo_que_lanca(erro: BaseException, em_branco: bool, troca: pytest.MonkeyPatch) -> None:
    """O reparo lança `erro` nas entregas em branco, ou nas outras."""
    certo = reparo.reparar

    def torto(bruto, emitida, nome):
        if (b"raise NotImplementedError" in bruto) == em_branco:
            raise erro
        return certo(bruto, emitida, nome)

    troca.setattr(reparo, "reparar", torto)


def test_um_defeito_nosso_em_um_aluno_nao_para_os_outros(copia, monkeypatch):
    reparo_que_lanca(KeyError("defeito"), False, monkeypatch)
    feito = aqui(copia, "01", "--de-novo")
    assert feito.returncode == 3 and "Precisam de um olhar: ana." in feito.stdout
    assert notas(copia)["ana"] == 0 and "defeito dela mesma" in corrigido(copia, "ana").read_text()
    assert corrigido(copia, "bia").is_file()


def test_um_defeito_nosso_ao_julgar_nao_e_um_zero_do_aluno_e_e_refeito_sem_pedir(copia, monkeypatch):
    certa, primeira = Questao.oculta, next(iter(solucoes(LISTA)))

    def torta(q, *resto, **opcoes):
        if q.funcao == primeira:
            raise KeyError("defeito")
        return certa(q, *resto, **opcoes)

    with monkeypatch.context() as troca:
        troca.setattr(Questao, "oculta", torta)
        feito = aqui(copia, "01", "--de-novo", "--aluno", "ana")
    assert feito.returncode == 3 and "Precisam de um olhar: ana." in feito.stdout, feito.stdout + feito.stderr
    assert "defeito dela mesma" in feito.stdout
    assert 0 < notas(copia)["ana"] < automaticos()  # as outras questões dela ficam com os pontos que têm
    assert "KeyError: 'defeito'" in (copia / "correcao.log").read_text(encoding="utf-8")
    monkeypatch.setenv("CURSO_TURMA", str(copia))
    assert corrigir.Correcao(LISTA, copia).em_dia(["ana", "bia"]) == {"bia"}
    de_bia = corrigido(copia, "bia").stat().st_mtime_ns
    feito = comando(copia, "autograde", LISTA, programa="nbgrader")  # o nbgrader comum também a refaz
    assert feito.returncode == 0 and notas(copia)["ana"] == automaticos(), feito.stderr
    assert nbformat.read(corrigido(copia, "ana"), 4).metadata.curso.defeito is None
    assert corrigido(copia, "bia").stat().st_mtime_ns == de_bia


def test_uma_turma_que_as_entregas_veriam_nao_e_corrigida(copia, monkeypatch, capsys):
    from correcao.caixa import caixa

    if caixa.sem_isolamento():
        pytest.skip("sem caixa não há o que esconder")
    monkeypatch.setattr(caixa, "_SISTEMA", (str(copia.parent),))
    monkeypatch.setenv("CURSO_TURMA", str(copia))
    assert corrigir.main(["01", "--de-novo"]) == 2
    assert f"A pasta {copia} fica dentro de {copia.parent}" in capsys.readouterr().err
    rodada = corrigir.Correcao(LISTA, copia)
    rodada.coursedir.assignment_id, rodada.coursedir.student_id = LISTA, "ana"
    with pytest.raises(NbGraderException, match="fica dentro de"):  # por aqui passa o botão do formgrader
        corrigir.Corretor(coursedir=rodada.coursedir, parent=rodada.api).start()


def test_ctrl_c_guarda_o_que_ja_foi_feito_e_a_proxima_rodada_continua(copia, monkeypatch):
    corrigido(copia, "bia").unlink()
    with monkeypatch.context() as troca:
        reparo_que_lanca(KeyboardInterrupt(), True, troca)
        feito = aqui(copia, "01")
    assert feito.returncode == 130 and "rode de novo e ela continua" in feito.stderr
    assert corrigido(copia, "ana").is_file() and not corrigido(copia, "bia").is_file()
    assert aqui(copia, "01").returncode == 0 and corrigido(copia, "bia").is_file()


def test_um_livro_de_notas_estragado_e_dito_e_nao_e_refeito(copia):
    (copia / "gradebook.db").write_bytes(b"SQLite format 3\x00" + b"lixo" * 500)
    feito = aqui(copia, "01")
    assert feito.returncode == 2 and "está estragado" in feito.stderr
    assert (copia / "gradebook.db").read_bytes().endswith(b"lixo")


def test_um_livro_de_notas_em_uma_pasta_de_nome_estranho_e_lido_e_copiado(tmp_path):
    from correcao.juizo.corrigir import Correcao
    from correcao.livro.livro import COPIAS, conferir_o_livro, guardar_copia

    turma = tmp_path / "turma 50% #2"
    turma.mkdir()
    sqlite3.connect(turma / "gradebook.db").execute("create table student (id)").connection.close()
    with pytest.MonkeyPatch.context() as troca:
        troca.setenv("CURSO_TURMA", str(turma))
        rodada = Correcao(LISTA, turma)
        conferir_o_livro(rodada.coursedir.db_url)
        guardar_copia(rodada.coursedir.db_url, turma)
    assert len(list((turma / COPIAS).glob("*.db"))) == 1


def test_um_livro_de_notas_ocupado_e_dito(copia):
    with sqlite3.connect(copia / "gradebook.db") as conexao:
        conexao.execute("begin exclusive")
        feito = aqui(copia, "01", "--de-novo")
        conexao.rollback()
    assert feito.returncode in (1, 2) and "livro de notas" in feito.stderr and "Traceback" not in feito.stderr


@pytest.mark.parametrize(
    "pedido, trecho",
    [(["99"], "Não existe a lista"), (["02"], "Não há entregas"), (["01", "--aluno", "zé"], "do aluno “zé”")],
)
def test_pedidos_que_nao_dao_certo_dizem_por_que(turma, pedido, trecho):
    feito = aqui(turma, *pedido)
    assert feito.returncode == 2 and trecho in feito.stderr and "Traceback" not in feito.stderr
