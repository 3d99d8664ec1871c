"""A troca do nbgrader, como em um JupyterHub: da lista liberada à devolutiva que o aluno busca."""

import os
from pathlib import Path

import pytest
from conftest import RAIZ, entregar, solucoes
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from correcao import SEGREDO
from correcao.chegada import troca
from correcao.devolucao import devolver
from correcao.juizo import corrigir
from correcao.livro.turma import Turma
from gabarito.no_nbgrader import configuracao

LISTA = "lista-01-produto-escalar"
pytestmark = [pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")]


class Hub:
    """Uma turma, a pasta de troca e a casa de cada aluno."""

    def __init__(self, pasta: Path):
        self.turma, self.troca = pasta / "turma", pasta / "troca"
        self.casas = {aluno: pasta / "casas" / aluno for aluno in ("ana", "bia", "mau")}
        for nova in (self.turma, self.troca, *self.casas.values()):
            nova.mkdir(parents=True)
        self.troca.chmod(0o777)
        (self.turma / "source").symlink_to(RAIZ / "source")
        self.professor = self.api(self.turma)

    def api(self, casa: Path) -> NbGraderAPI:
        config = configuracao(self.turma)
        config.Exchange = Config(root=str(self.troca), cache=str(casa / ".cache"), assignment_dir=str(casa))
        return NbGraderAPI(config=config)

    def do_aluno(self, aluno: str, passo: str) -> None:
        api = self.api(self.casas[aluno])
        api.coursedir.student_id, api.coursedir.assignment_id = aluno, LISTA
        getattr(api.exchange, passo)(coursedir=api.coursedir, authenticator=api.authenticator, parent=api).start()

    def do_professor(self, passo: str, *argumentos: str) -> str:
        feito = getattr(self.professor, passo)(LISTA, *argumentos)
        assert feito["success"], feito
        return feito["log"]

    def devolutivas(self, aluno: str) -> list[Path]:
        self.do_aluno(aluno, "FetchFeedback")
        return list((self.casas[aluno] / LISTA / "feedback").glob(f"*/{LISTA}.html"))


@pytest.fixture(scope="module")
def hub(tmp_path_factory) -> Hub:
    """O prazo antes de tudo, a lista liberada, e três entregas; nem todo aluno deixa a sua como a troca a fez."""
    hub = Hub(tmp_path_factory.mktemp("hub"))
    with Turma(hub.turma).livro() as livro:
        livro.update_or_create_assignment(LISTA, duedate="2100-01-01")
    for passo in ("generate_assignment", "release_assignment"):
        hub.do_professor(passo)
    for aluno in hub.casas:
        hub.do_aluno(aluno, "FetchAssignment")
    feita = entregar(hub.turma, LISTA, "rascunho", solucoes(LISTA), "Uma resposta.")
    feita.replace(hub.casas["ana"] / LISTA / f"{LISTA}.ipynb")
    feita.parent.rmdir()
    for aluno in ("ana", "bia"):
        hub.do_aluno(aluno, "Submit")
    return hub


def chegada(hub: Hub) -> Path:
    return hub.troca / "curso-atencao" / "inbound"


@pytest.fixture(scope="module")
def corrigida(hub) -> Hub:
    (da_bia,) = chegada(hub).glob("bia+*")
    (da_bia / SEGREDO).unlink()  # a pasta é dela: pode apagar a senha, e o release_feedback do nbgrader pararia ali
    (da_bia / f"{LISTA}.ipynb").write_text("isto não é JSON")
    (chegada(hub) / f"mau+{LISTA}+anteontem").mkdir()
    (chegada(hub) / f"..+{LISTA}+2026-03-01 10:00:00 UTC").mkdir()
    do_mau = chegada(hub) / f"mau+{LISTA}+2026-03-01 10:00:00 UTC"
    do_mau.mkdir()
    (do_mau / f"{LISTA}.ipynb").symlink_to(RAIZ / "source" / LISTA / f"{LISTA}.ipynb")
    (do_mau / "senha.txt").symlink_to("/etc/hostname")
    (do_mau / SEGREDO).write_bytes(b"\xff\xfe" * 60)
    hub.do_professor("collect")
    hub.do_professor("autograde", "*")
    return hub


def test_a_coleta_nao_segue_atalhos_e_uma_pasta_torta_nao_para_as_outras(corrigida):
    entregues = {p.relative_to(corrigida.turma / "submitted") for p in (corrigida.turma / "submitted").rglob("*.*")}
    assert {p.parts[0] for p in entregues} == {"ana", "bia", "mau"}
    assert {p.name for p in entregues if p.parts[0] == "mau"} == {SEGREDO}
    assert not (corrigida.turma / LISTA).exists()


def test_o_gabarito_ligado_por_um_atalho_nao_da_pontos(corrigida):
    notas = {e.aluno: e.nota for e in Turma(corrigida.turma).entregas(LISTA)}
    assert notas["ana"] > 5 and notas["bia"] == notas["mau"] == 0


def test_da_entrega_so_a_data_e_a_senha_seguem_com_a_correcao(corrigida):
    pasta = corrigida.turma / "autograded"
    assert {p.name for p in (pasta / "ana" / LISTA).iterdir()} == {f"{LISTA}.ipynb", "timestamp.txt", SEGREDO}
    assert not (pasta / "bia" / LISTA / SEGREDO).exists() and not (pasta / "mau" / LISTA / SEGREDO).exists()


@pytest.mark.parametrize("quem_faz", ["nbgrader generate_feedback", "curso.py devolver"])
def test_o_aluno_busca_na_troca_a_pagina_do_curso(corrigida, quem_faz):
    umask = os.umask(0o077)  # a do terminal do instrutor no hub
    try:
        if quem_faz == "curso.py devolver":
            devolver.devolver(LISTA, Turma(corrigida.turma))
        else:
            corrigida.do_professor("generate_feedback")
        dito = corrigida.do_professor("release_feedback")
    finally:
        os.umask(umask)
    (publicada,) = (corrigida.troca / "curso-atencao" / "feedback").iterdir()
    assert publicada.stat().st_mode & 0o777 == 0o644
    assert "bia" in dito and "não veio pela troca" in dito
    (pagina,) = corrigida.devolutivas("ana")
    texto = pagina.read_text(encoding="utf-8")
    assert "Devolutiva de ana" in texto and "conferir(" not in texto
    assert corrigida.devolutivas("bia") == []
    pagina.unlink()
    for publicada in (corrigida.troca / "curso-atencao" / "feedback").iterdir():
        publicada.unlink()


@pytest.mark.parametrize("dono", ["bia", "quem nunca entregou", None])
def test_uma_entrega_em_nome_de_outro_nao_toma_o_lugar_da_dele(hub, monkeypatch, dono):
    forjada = chegada(hub) / f"ana+{LISTA}+2099-01-01 10:00:00 UTC"
    forjada.mkdir()
    monkeypatch.setattr(troca, "_dono", lambda path: dono if "2099" in path else os.path.basename(path).split("+")[0])
    monkeypatch.setattr(troca.ColetaDaTroca, "_e_minha", lambda self, path: False)
    coleta = troca.ColetaDaTroca(coursedir=hub.professor.coursedir, parent=hub.professor, check_owner=True)
    hub.professor.coursedir.assignment_id = LISTA
    coleta.init_src()
    forjada.rmdir()
    (da_ana,) = (r for r in coleta.src_records if r["username"] == "ana")
    assert da_ana["timestamp"].year < 2099


def test_o_prazo_posto_antes_de_tudo_continua_no_livro(corrigida):
    with Turma(corrigida.turma).livro() as livro:
        assert livro.find_assignment(LISTA).duedate.year == 2100
    assert corrigir.corrigir(LISTA, corrigida.turma)[0].em_dia
