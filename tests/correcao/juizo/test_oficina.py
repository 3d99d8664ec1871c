"""A oficina: várias entregas de cada vez, por qualquer caminho com as mesmas notas, e nada se perde com quem morre."""

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import nbformat
import psutil
import pytest
from conftest import RAIZ, entregar, por_que_sem_caixa, solucoes, tudo, vivo
from nbgrader.api import Gradebook
from sqlalchemy.exc import OperationalError

from correcao.caixa import caixa
from correcao.caixa.quente import quente
from correcao.comum.anotacao import DEFEITO, registro_da_correcao
from correcao.juizo import corrigir, oficina, preprocessadores

pytestmark = pytest.mark.lento
LISTA = "lista-01-produto-escalar"
ALUNAS = ("ana", "bia", "caio", "davi")


def corrigido(turma: Path, aluno: str) -> Path:
    return turma / "autograded" / aluno / LISTA / f"{LISTA}.ipynb"


def notas(turma: Path) -> dict[str, dict[str, float]]:
    with Gradebook(f"sqlite:///{turma / 'gradebook.db'}") as livro:
        return {
            entrega.student.id: {g.name: g.auto_score for caderno in entrega.notebooks for g in caderno.grades}
            for entrega in livro.assignment_submissions(LISTA)
        }


def cheias(turma: Path) -> set[str]:
    """Quem tem todos os pontos que uma máquina dá."""
    nb = nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)
    valem = {c.metadata.nbgrader.grade_id: c.metadata.nbgrader.points for c in nb.cells if _vale(c)}
    return {aluno for aluno, dela in notas(turma).items() if {n: dela[n] for n in valem} == valem}


def _vale(celula) -> bool:
    dados = celula.metadata.get("nbgrader", {})
    return bool(dados.get("grade")) and not dados.get("solution")


def _ate(condicao, segundos: float = 300) -> None:
    prazo = time.monotonic() + segundos
    while not condicao():
        assert time.monotonic() < prazo
        time.sleep(0.02)


# ---------------------------------------------------------------- o portão


class Passantes:
    """Threads que passam pelo portão quando se manda, e se contam lá dentro."""

    def __init__(self, portao: oficina.Portao):
        self.portao, self.dentro, self.threads = portao, Counter(), []

    def entra(self, quem: str, sozinho: bool = False) -> threading.Event:
        sai = threading.Event()

        def passar() -> None:
            with self.portao.sozinho() if sozinho else self.portao.com_outros():
                self.dentro[quem] += 1
                if sozinho:
                    assert sum(self.dentro.values()) == 1
                sai.wait(300)
                self.dentro[quem] -= 1

        self.threads.append(threading.Thread(target=passar, daemon=True))
        self.threads[-1].start()
        return sai

    def todos_sairam(self) -> bool:
        for thread in self.threads:
            thread.join(300)
        return not any(thread.is_alive() for thread in self.threads)


def test_pelo_portao_passam_muitos_ou_um_sozinho_e_quem_chega_depois_espera():
    passantes = Passantes(oficina.Portao())
    dois = [passantes.entra("a"), passantes.entra("b")]
    _ate(lambda: passantes.dentro["a"] and passantes.dentro["b"])
    so = passantes.entra("só", sozinho=True)
    _ate(lambda: passantes.portao._esperam == 1)
    tarde = passantes.entra("tarde")
    dois[0].set()
    _ate(lambda: not passantes.dentro["a"])
    assert not passantes.dentro["só"] and not passantes.dentro["tarde"]
    dois[1].set()
    _ate(lambda: passantes.dentro["só"])
    assert not passantes.dentro["tarde"]
    so.set()
    _ate(lambda: passantes.dentro["tarde"])
    tarde.set()
    assert passantes.todos_sairam()


def test_o_portao_nao_prende_ninguem_por_mais_que_se_peca_para_ficar_sozinho():
    passantes = Passantes(oficina.Portao())
    for i in range(60):
        passantes.entra(str(i), sozinho=i % 3 == 0).set()
    assert passantes.todos_sairam() and sum(passantes.dentro.values()) == 0


def test_um_erro_la_dentro_nao_fecha_o_portao():
    portao = oficina.Portao()
    for entrar in (portao.sozinho, portao.com_outros, portao.sozinho):
        with pytest.raises(KeyError), entrar():
            raise KeyError
    assert (portao._dentro, portao._esperam) == (0, 0)


@pytest.mark.parametrize(
    "nucleos, gigas, entregas, quantos",
    [(8, 64, 30, 8), (8, 3.5, 30, 3), (8, 0.2, 30, 1), (8, 64, 2, 2), (1, 64, 30, 1), (64, 64, 30, 30)],
)
def test_trabalham_tantos_quantos_cabem(monkeypatch, nucleos, gigas, entregas, quantos):
    monkeypatch.setattr(oficina.os, "sched_getaffinity", lambda _: set(range(nucleos)), raising=False)
    memoria = SimpleNamespace(available=int(gigas * 2**30))
    monkeypatch.setattr(oficina.psutil, "virtual_memory", lambda: memoria)
    assert oficina.quantos_cabem(entregas) == quantos


# ---------------------------------------------------------------- por qualquer caminho, as mesmas notas

LIMITES = json.dumps({"celula": 2, "interrupcao": 30, "espera": 30})
# O que separa um caminho de outro (a caixa, ou quantos de cada vez) se vê entre estes dois; o do meio diz qual foi.
CAMINHOS = ("fria em 1", "quente em 1", "quente em 2") if tudo() else ("fria em 1", "quente em 2")


@pytest.fixture(scope="module")
def _com_caixa():
    if frase := por_que_sem_caixa():
        pytest.skip(frase)
    yield
    quente.fechar()


def _misturada(turma: Path) -> None:
    certas = solucoes(LISTA)
    primeira, segunda, ultima = list(certas)[0], list(certas)[1], list(certas)[-1]
    tortas = {
        "devolve-none": re.sub(r"return .*", "return None", certas[primeira]),
        "devolve-zero": re.sub(r"return .*", "return 0.0", certas[primeira]),
        "estoura": re.sub(r"return .*", "raise ValueError('não sei')", certas[primeira]),
        "sem-sentido": "isto não é Python",
    }
    entregar(turma, LISTA, "certa", certas, "Uma resposta de verdade.")
    for nome, torta in tortas.items():
        entregar(turma, LISTA, nome, certas | {primeira: torta})
    entregar(turma, LISTA, "branco", {})
    torta = "def similaridades(X):\n    return X @ X.T + 1"
    entregar(turma, LISTA, "so-erra-por-outra", certas | {"similaridades": torta})
    entregar(turma, LISTA, "laco", certas | {segunda: "while True:\n    pass"})
    entregar(turma, LISTA, "mata-o-kernel", certas | {ultima: "import os\nos._exit(7)"})
    entregar(turma, LISTA, "quebrada", certas).write_text("isto não é um notebook")
    entregar(turma, LISTA, "outro-nome", certas, nome="cópia (2).ipynb")


def _por(caminho: str, turma: Path, troca: pytest.MonkeyPatch) -> dict:
    qual, _, quantos = caminho.partition(" em ")
    troca.setenv("CURSO_TURMA", str(turma))
    troca.setenv(quente.QUAL, qual)
    troca.setenv(caixa.LIMITES, LIMITES)
    troca.setattr(preprocessadores, "secrets", SimpleNamespace(randbits=lambda _: 4_321_234_567_890))
    situacoes = corrigir.corrigir(LISTA, turma, processos=int(quantos))
    frias = "rodou na caixa fria" in (turma / "correcao.log").read_text(encoding="utf-8")
    assert frias is (qual == "fria")
    vistas = {}
    for situacao in situacoes:
        anotacao = registro_da_correcao(corrigido(turma, situacao.aluno))
        assert anotacao is not None and anotacao.defeito is None
        vistas[situacao.aluno] = {
            "motivo": situacao.motivo,
            "consertos": situacao.consertos,
            "questões": [q.__dict__ for q in anotacao.questoes],
            "pontos": notas(turma)[situacao.aluno],
        }
    return vistas


def test_a_mesma_turma_tem_as_mesmas_notas_e_frases_por_qualquer_caminho(_com_caixa, tmp_path, monkeypatch):
    _misturada(tmp_path / "molde")
    vistas = {}
    for caminho in CAMINHOS:
        turma = tmp_path / caminho.replace(" ", "-")
        shutil.copytree(tmp_path / "molde", turma)
        with monkeypatch.context() as troca:
            vistas[caminho] = _por(caminho, turma, troca)
    referencia = vistas["fria em 1"]
    assert len({json.dumps(v, default=str) for v in referencia.values()}) >= 8  # uma turma de verdade misturada
    assert referencia["mata-o-kernel"]["motivo"] is None
    assert "kernel terminou" in str(referencia["mata-o-kernel"]["questões"])
    for caminho, vista in vistas.items():
        assert set(vista) == set(referencia)
        for aluno in referencia:
            assert vista[aluno] == referencia[aluno], (caminho, aluno)


# ---------------------------------------------------------------- quem morre no meio


@pytest.fixture
def turma(_com_caixa, tmp_path, monkeypatch) -> Path:
    turma = tmp_path / "turma"
    for aluna in ALUNAS:
        entregar(turma, LISTA, aluna, solucoes(LISTA))
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    return turma


@pytest.fixture
def corridas(monkeypatch) -> Counter:
    """Quantas vezes cada aluna foi corrigida."""
    vezes, da_casa = Counter(), corrigir.Correcao.corrigir

    def contar(self, aluno):
        vezes[aluno] += 1
        return da_casa(self, aluno)

    monkeypatch.setattr(corrigir.Correcao, "corrigir", contar)
    return vezes


@pytest.mark.parametrize("o_que", ["sortear", "executar", "julgar"] if tudo() else ["executar"])
def test_um_operario_morto_e_trocado_e_cada_uma_e_corrigida_uma_vez(turma, corridas, monkeypatch, o_que):
    da_casa, mortos = oficina.Operario._nascer, []
    enviar = oficina.enviar
    donos: dict[int, oficina.Operario] = {}

    def nascer(self):
        da_casa(self)
        donos[self.canal.fileno()] = self

    def matar_depois_de_pedir(canal, dado):
        enviar(canal, dado)
        if dado["o_que"] == o_que and not mortos:
            mortos.append(donos[canal.fileno()].processo.pid)
            os.kill(mortos[0], signal.SIGKILL)

    monkeypatch.setattr(oficina.Operario, "_nascer", nascer)
    monkeypatch.setattr(oficina, "enviar", matar_depois_de_pedir)
    situacoes = corrigir.corrigir(LISTA, turma, processos=2)
    assert len(mortos) == 1 and not psutil.pid_exists(mortos[0])
    assert [s.motivo for s in situacoes] == [None] * 4 and cheias(turma) == set(ALUNAS)
    assert corridas == Counter(ALUNAS)


def test_uma_entrega_com_que_morrem_tres_operarios_nao_para_as_outras(turma, monkeypatch):
    enviar, da_casa = oficina.enviar, oficina.Operario._nascer
    donos: dict[int, oficina.Operario] = {}

    def nascer(self):
        da_casa(self)
        donos[self.canal.fileno()] = self

    def matar(canal, dado):
        if dado["o_que"] == "executar" and "# fatal" in str(dado):
            os.kill(donos[canal.fileno()].processo.pid, signal.SIGKILL)
        enviar(canal, dado)

    monkeypatch.setattr(oficina.Operario, "_nascer", nascer)
    monkeypatch.setattr(oficina, "enviar", matar)
    certas = solucoes(LISTA)
    entregar(turma, LISTA, "bia", {nome: f"# fatal\n{texto}" for nome, texto in certas.items()})
    situacoes = {s.aluno: s.motivo for s in corrigir.corrigir(LISTA, turma, processos=2)}
    assert situacoes.pop("bia") == DEFEITO and set(situacoes.values()) == {None}


def test_quem_passou_do_relogio_com_vizinhos_roda_outra_vez_sozinho(turma, monkeypatch):
    monkeypatch.setenv(caixa.LIMITES, json.dumps({"celula": 30, "caderno": 30_000, "espera": 0.1, "interrupcao": 600}))
    certas, vistas, pedir = solucoes(LISTA), [], oficina.Operario.pedir
    primeira = next(iter(certas))
    entregar(turma, LISTA, "bia", certas | {primeira: f"import time\ntime.sleep(3600)\n{certas[primeira]}"})

    def anotar(self, o_que, dados, log=None):
        if o_que == "executar":
            vistas.append((dados["sozinha"], self.oficina.portao._dentro, "3600" in str(dados["celulas"])))
        return pedir(self, o_que, dados, log)

    monkeypatch.setattr(oficina.Operario, "pedir", anotar)
    situacoes = corrigir.corrigir(LISTA, turma, processos=2)
    assert all(s.motivo is None for s in situacoes) and cheias(turma) == set(ALUNAS) - {"bia"}
    sozinhas = [(dentro, dela) for sozinha, dentro, dela in vistas if sozinha]
    assert (-1, True) in sozinhas and {dentro for dentro, _ in sozinhas} == {-1}
    assert all(dentro > 0 for sozinha, dentro, _ in vistas if not sozinha)


def test_um_livro_que_deixa_de_responder_para_todas_com_a_frase_de_sempre(turma, monkeypatch, capsys):
    def falhar(self, *resto):
        raise OperationalError("insert", {}, Exception("disco cheio"))

    with monkeypatch.context() as troca:
        troca.setattr(preprocessadores.SalvarNotas, "preprocess", falhar)
        assert corrigir.main(["01", "--processos", "2"]) == corrigir.PROBLEMA
    dito = capsys.readouterr().err
    assert "O livro de notas não respondeu (disco cheio); nada se perdeu" in dito and "Traceback" not in dito
    assert not [t for t in threading.enumerate() if "_trabalhar" in t.name]
    assert corrigir.main(["01", "--processos", "2"]) == corrigir.BEM and cheias(turma) == set(ALUNAS)


# ---------------------------------------------------------------- quem corrige é que para

DORME = """import os, subprocess
if os.environ.get("TZ") == "DORME0":
    subprocess.run(["sleep", "<<MARCA>>"])
"""


def _dormindo(marca: str) -> list[int]:
    return [p.pid for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", marca]]


def _o_que_disse(quem: subprocess.Popen) -> str:
    """O que o programa, já mandado parar, escreveu; o que não para é morto, e o teste falha em vez de esperar."""
    try:
        return quem.communicate(timeout=300)[1]
    except subprocess.TimeoutExpired:
        os.killpg(quem.pid, signal.SIGKILL)
        raise


# à força, test_quente vê que não sobra ninguém, e test_corrigir, que a próxima recomeça
MORTES = [pytest.param(signal.SIGKILL, id="kill -9", marks=pytest.mark.tudo), pytest.param(signal.SIGINT, id="ctrl-c")]


@pytest.mark.parametrize("sinal", MORTES)
def test_quem_para_no_meio_nao_deixa_ninguem_rodando_e_a_proxima_rodada_continua(turma, temporarios, sinal):
    marca, certas = f"{time.time_ns() % 10**9}.{secrets.randbelow(1000):03d}", solucoes(LISTA)
    dorme = DORME.replace("<<MARCA>>", marca)
    primeira = next(iter(certas))
    for aluna in ("caio", "davi"):  # duas já terminaram, e duas estão no meio
        entregar(turma, LISTA, aluna, certas | {primeira: dorme + certas[primeira]})
    ambiente = os.environ | {"TZ": "DORME0", "TMPDIR": str(temporarios)}
    programa = [sys.executable, "-m", "correcao.juizo.corrigir", "01", "--processos", "2"]
    with subprocess.Popen(
        programa, cwd=RAIZ, env=ambiente, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as quem:
        _ate(lambda: len(_dormindo(marca)) == 2)
        filhos = psutil.Process(quem.pid).children(recursive=True)
        assert [f for f in filhos if "mae.py" in " ".join(f.cmdline())] and not _frios(filhos)
        os.killpg(quem.pid, sinal)
        dito = _o_que_disse(quem)
    _ate(lambda: not [f for f in filhos if vivo(f)])
    assert _dormindo(marca) == [] and "Traceback" not in dito
    if sinal == signal.SIGINT:
        assert quem.returncode == corrigir.INTERROMPIDA
        assert dito.strip() == "Correção interrompida; o que já foi corrigido fica: rode de novo e ela continua."
    assert cheias(turma) == {"ana", "bia"}
    prontas = {aluna for aluna in ALUNAS if registro_da_correcao(corrigido(turma, aluna)) is not None}
    assert prontas == {"ana", "bia"}
    antes = {aluna: corrigido(turma, aluna).stat().st_mtime_ns for aluna in prontas}
    feito = subprocess.run(programa, cwd=RAIZ, env=ambiente | {"TZ": "UTC"}, capture_output=True, text=True)
    assert feito.returncode == corrigir.BEM and "2 sem mudança" in feito.stdout, feito.stdout + feito.stderr
    assert cheias(turma) == set(ALUNAS)
    assert {aluna: corrigido(turma, aluna).stat().st_mtime_ns for aluna in prontas} == antes


def _frios(processos: list[psutil.Process]) -> list[str]:
    return [p.name() for p in processos if vivo(p) and "bwrap" in p.name()]
