"""A correção em um cluster do dask de verdade: o agendador e as máquinas são processos deste computador."""

import contextlib
import json
import logging
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from types import SimpleNamespace

import psutil
import pytest
from conftest import RAIZ, entregar, instalar_a_parte, semente_da_rodada, tudo

from configuracao import comandos
from correcao import demo
from correcao.caixa.conversa import Resultado, Tarefa
from correcao.juizo.cluster import cluster

LISTA = demo.LISTA
TAREFA, LOG = Tarefa(["1", None]), logging.getLogger("teste")
QUANTAS = 6 if tudo() else 4  # com quatro, há uma de cada
lento = pytest.mark.lento


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """O que dá o dask, de locks/cluster.lock, a quem roda com ele no ambiente."""
    pasta = instalar_a_parte("cluster.lock", tmp_path_factory.mktemp("dask"))
    return {"PYTHONPATH": os.pathsep.join([str(RAIZ), pasta])}


def turma(pasta, quantas):
    """Certas, pela metade, erradas e em branco."""
    for i in range(quantas):
        respostas = {} if i % 4 == 3 else demo.respostas(random.Random(i), [1.0, 0.5, 0.0][i % 4])
        entregar(pasta, LISTA, f"aluno-{i}", respostas, "As linhas somam 1.")
    return pasta


SORTE_FIXA = """
import secrets, sys
from correcao.juizo.corrigir import main
secrets.randbits = lambda bits: 7
sys.exit(main())
"""


def comando(*argumentos):
    return [sys.executable, "-c", SORTE_FIXA, LISTA, *argumentos]


def ambiente(pasta, **variaveis):
    return {**os.environ, "PYTHONUTF8": "1", "CURSO_TURMA": str(pasta), **variaveis}


def corrigir(pasta, *argumentos, **variaveis):
    return subprocess.run(
        comando(*argumentos),
        cwd=RAIZ,
        env=ambiente(pasta, **variaveis),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=400,
    )


def notas(pasta):
    """O que cada um ganhou em cada questão, e o que se lhe disse."""
    from correcao.livro.turma import Turma

    return {
        e.aluno: (e.nota, e.motivo, [(q.id, q.pontos, q.diagnostico, q.equivoco) for q in e.questoes])
        for e in Turma(pasta).entregas(LISTA)
    }


@contextlib.contextmanager
def processo(onde, *argumentos, **variaveis):
    """Um programa do dask, morto no fim com os filhos."""
    with onde.open("a") as registro:
        aberto = subprocess.Popen(
            [sys.executable, "-m", "dask", *argumentos],
            cwd=RAIZ,
            env={**os.environ, "PYTHONUTF8": "1", **variaveis},
            stdout=registro,
            stderr=registro,
        )
    try:
        yield aberto
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            filhos = psutil.Process(aberto.pid).children(recursive=True)
            aberto.kill()
            for filho in filhos:
                with contextlib.suppress(psutil.NoSuchProcess):
                    filho.kill()
        aberto.wait()


def porta_livre():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ate(condicao, segundos=300):
    fim = time.monotonic() + segundos
    while not condicao():
        assert time.monotonic() < fim, "demorou demais"
        time.sleep(0.1)


class Ligado:
    """Um agendador e as suas máquinas."""

    def __init__(self, pasta, dask, opcoes=(), esquema="tcp"):
        self.pasta, self.dask, self.opcoes = pasta, dask, [*opcoes, "--dashboard-address", "127.0.0.1:0"]
        self.endereco = f"{esquema}://127.0.0.1:{porta_livre()}"
        self.pilha = contextlib.ExitStack()
        self.registro = pasta / "agendador.txt"

    def __enter__(self):
        self.agendador = self._ligar(self.registro, "scheduler", "--host", self.endereco)
        ate(lambda: "Scheduler at" in self.registro.read_text())
        return self

    def _ligar(self, onde, *argumentos, **variaveis):
        return self.pilha.enter_context(processo(onde, *argumentos, *self.opcoes, **self.dask, **variaveis))

    def maquinas(self, quantas, *argumentos, **variaveis):
        onde = self.pasta / "maquinas.txt"
        antes = onde.read_text().count("Registered to") if onde.exists() else 0
        argumentos = ["--nthreads", "1", "--nworkers", str(quantas), "--local-directory", str(self.pasta), *argumentos]
        maquina = self._ligar(onde, "worker", self.endereco, *argumentos, **variaveis)
        ate(lambda: onde.read_text().count("Registered to") >= antes + quantas)
        return maquina

    def __exit__(self, *_):
        self.pilha.close()


@pytest.fixture
def ligado(tmp_path, dask):
    with Ligado(tmp_path, dask) as o_cluster:
        yield o_cluster


# ------------------------------------------------------------ com as máquinas


@pytest.fixture(scope="module")
def de_um_processo_so(tmp_path_factory):
    """As notas da mesma turma, corrigida neste computador."""
    aqui = turma(tmp_path_factory.mktemp("aqui"), QUANTAS)
    assert corrigir(aqui, "--processos", "1").returncode == 0
    return notas(aqui)


@lento
def test_o_cluster_da_os_mesmos_pontos_e_as_mesmas_frases_que_um_processo_so(ligado, dask, tmp_path, de_um_processo_so):
    la = turma(tmp_path / "la", QUANTAS)
    ligado.maquinas(2)
    feito = corrigir(la, "--cluster", ligado.endereco, **dask)
    assert feito.returncode == 0 and not feito.stderr, feito.stdout + feito.stderr  # nem uma linha do dask
    assert notas(la) == de_um_processo_so and len(notas(la)) == QUANTAS
    assert len({nota for nota, _, _ in notas(la).values()}) > 2
    assert "neste computador" not in (la / "correcao.log").read_text(encoding="utf-8")


@lento
@pytest.mark.tudo
def test_maquinas_mortas_a_esmo_nao_custam_nada_a_ninguem(ligado, dask, tmp_path, de_um_processo_so):
    la = turma(tmp_path / "la", QUANTAS)
    sem_baba, com_baba = ligado.maquinas(1, "--no-nanny"), ligado.maquinas(2)
    sorte, acabou, mortes = random.Random(semente_da_rodada()), threading.Event(), []

    def matar():
        while not acabou.wait(1.5) and len(mortes) < 6:
            filhos = [p for p in psutil.Process(com_baba.pid).children() if "spawn_main" in " ".join(p.cmdline())]
            if len(mortes) == 1:
                sem_baba.send_signal(signal.SIGKILL)  # esta não volta
            elif filhos:
                sorte.choice(filhos).kill()
            else:
                continue
            mortes.append(time.monotonic())

    assassino = threading.Thread(target=matar)
    with subprocess.Popen(
        comando("--cluster", ligado.endereco), cwd=RAIZ, env=ambiente(la, **dask), stdout=subprocess.PIPE, text=True
    ) as correndo:
        ate(lambda: "Starting" in ligado.registro.read_text() and (la / "autograded").exists())
        assassino.start()
        dito = correndo.communicate(timeout=400)[0]
    acabou.set()
    assassino.join()
    assert correndo.returncode == 0 and len(mortes) >= 2, dito
    assert ligado.registro.read_text().count("Remove worker") >= 2  # o agendador sentiu a falta
    assert notas(la) == de_um_processo_so


def corrigir_em_outras(ligado, dask, tmp_path, quantas, troca):
    """A turma de uma entrega, corrigida em máquinas em que se fez antes esta troca; e o que o comando disse."""
    preparo, la = tmp_path / "preparo.py", turma(tmp_path / "la", 1)
    preparo.write_text(f"from correcao.juizo.cluster import cluster\n{troca}\n", encoding="utf-8")
    ligado.maquinas(quantas, "--preload", str(preparo))
    return la, corrigir(la, "--cluster", ligado.endereco, **dask)


@lento
@pytest.mark.tudo
def test_a_entrega_que_derruba_todas_as_maquinas_roda_neste_computador(ligado, dask, tmp_path):
    la, feito = corrigir_em_outras(ligado, dask, tmp_path, 2, "import os; cluster.rodar = lambda pedido: os._exit(1)")
    assert feito.returncode == 0 and "não deu conta de 1 entrega," in feito.stderr, feito.stderr
    assert notas(la)["aluno-0"][0] == 8


@lento
@pytest.mark.tudo
def test_ctrl_c_para_logo_e_nao_deixa_ninguem(ligado, dask, tmp_path):
    la = turma(tmp_path / "la", 4)
    ligado.maquinas(1)
    with subprocess.Popen(
        comando("--cluster", ligado.endereco), cwd=RAIZ, env=ambiente(la, **dask), stderr=subprocess.PIPE, text=True
    ) as correndo:
        ate(lambda: len(list(la.glob("autograded/*/*/*.ipynb"))) == 2)
        filhos = psutil.Process(correndo.pid).children(recursive=True)
        correndo.send_signal(signal.SIGINT)
        _, dito = correndo.communicate(timeout=300)
    assert correndo.returncode == 130 and dito.strip().splitlines() == [dito.strip()], dito
    assert "Correção interrompida" in dito and filhos and not psutil.wait_procs(filhos, timeout=300)[1]


@lento
@pytest.mark.tudo
def test_sem_o_agendador_no_meio_uma_frase_e_a_proxima_continua(ligado, dask, tmp_path):
    la = turma(tmp_path / "la", 4)
    ligado.maquinas(1)
    with subprocess.Popen(
        comando("--cluster", ligado.endereco),
        cwd=RAIZ,
        env=ambiente(la, **dask),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as correndo:
        ate(lambda: len(list(la.glob("autograded/*/*/*.ipynb"))) == 2)  # com uma máquina, o primeiro já acabou
        ligado.agendador.kill()
        _, dito = correndo.communicate(timeout=300)
    assert correndo.returncode == 1 and "Perdi a conexão com o agendador" in dito and "Traceback" not in dito
    assert len(dito.strip().splitlines()) == 1, dito
    feito = corrigir(la, "--processos", "2")
    assert feito.returncode == 0 and "sem mudança" in feito.stdout and len(notas(la)) == 4


# ------------------------------------------------------------ as iscas

# O que a máquina faz no lugar de rodar a entrega. A isca só morde em quem tem CURSO_ISCA no ambiente: quem corrige.
ISCAS = """
import itertools, os, pickle, sys
import cloudpickle
from distributed import get_worker
from distributed.protocol.serialize import ToPickle
from correcao.juizo.cluster import cluster

MORDER = "__import__('os').environ.get('CURSO_ISCA') and open(__import__('os').environ['CURSO_ISCA'], 'a').write('x')"

class Isca:
    def __reduce__(self):
        return eval, (MORDER,)

class ComIsca:
    isca = Isca()

cloudpickle.register_pickle_by_value(sys.modules[__name__])
vez = itertools.count()

def rodar(pedido):
    n = next(vez) % 4
    if n == 0:
        return Isca()
    if n == 1:
        raise ValueError(Isca())
    if n == 2:
        return ComIsca()
    get_worker().log_event("warn", {"message": pickle.dumps(Isca())})
    return b"[]"

cluster.rodar = rodar
"""

# O mesmo com o cliente do dask como ele vem: prova que as iscas mordem.
SEM_CUIDADO = """
import sys, time
from distributed import Client
from correcao.juizo.cluster import cluster
cliente = Client(sys.argv[1])
for i in range(4):
    try:
        cliente.submit(cluster.rodar, i, pure=False).result(timeout=60)
    except Exception:
        pass
time.sleep(1)
"""


@lento
@pytest.mark.tudo  # que a porta fecha, o teste seguinte o vê sempre, sem máquina alguma
def test_nada_do_que_uma_maquina_manda_e_lido_com_pickle(ligado, dask, tmp_path):
    iscas, mordida = tmp_path / "iscas.py", tmp_path / "mordida"
    iscas.write_text(ISCAS)
    la = turma(tmp_path / "la", 4)
    ligado.maquinas(1, "--preload", str(iscas))
    feito = corrigir(la, "--cluster", ligado.endereco, CURSO_ISCA=str(mordida), **dask)
    assert feito.returncode == 0, feito.stderr
    assert "não deu conta de 4 entregas" in feito.stderr and len(notas(la)) == 4
    assert not mordida.exists()

    sem_cuidado = [sys.executable, "-c", SEM_CUIDADO, ligado.endereco]
    subprocess.run(sem_cuidado, cwd=RAIZ, env=ambiente(la, CURSO_ISCA=str(mordida), **dask), capture_output=True)
    assert len(mordida.read_text()) >= 4


PORTA_FECHADA = """
import pickle
from distributed.protocol import dumps, loads, to_serialize
from distributed.protocol.serialize import ToPickle
from distributed.core import clean_exception
from correcao.juizo.cluster import cluster

class Isca:
    def __reduce__(self):
        return exec, ("raise SystemExit('mordeu')",)

enviadas = [dumps({"x": ToPickle(Isca())}), *(dumps({"x": to_serialize(x)}) for x in (Isca(), b"bytes"))]
cluster._fechar_a_porta()
for quadros in enviadas:
    assert isinstance(loads(quadros)["x"], cluster.Recusado)
assert isinstance(clean_exception(pickle.dumps(Isca()))[1], cluster.Recusado)
"""


@lento
def test_com_a_porta_fechada_o_dask_nao_le_pickle_em_mensagem_alguma(dask):
    feito = subprocess.run([sys.executable, "-c", PORTA_FECHADA], cwd=RAIZ, env={**os.environ, **dask}, text=True)
    assert feito.returncode == 0


@lento
@pytest.mark.tudo
def test_uma_maquina_com_outra_versao_do_curso_e_dita_pelo_nome(ligado, dask, tmp_path):
    la, feito = corrigir_em_outras(ligado, dask, tmp_path, 1, "cluster.versao = lambda: 'outra'")
    frase = f"A máquina {socket.gethostname()} tem outra versão do curso; atualize-a e rode de novo."
    assert feito.returncode == 1 and feito.stderr.strip() == frase and not notas(la)


# ------------------------------------------------------------ a segurança


@lento
@pytest.mark.tudo
def test_o_guia_ensina_a_fazer_os_certificados_e_sem_eles_nao_se_entra(dask, tmp_path):
    blocos = re.findall(r"```\n(.*?)```", (RAIZ / "guias" / "instrutor.md").read_text(encoding="utf-8"), flags=re.S)
    (certificados,) = [bloco for bloco in blocos if "openssl" in bloco]
    subprocess.run(["sh", "-ec", certificados], cwd=tmp_path, check=True, capture_output=True)
    tls = tmp_path / "tls"
    opcoes = ["--tls-ca-file", tls / "ca.pem", "--tls-cert", tls / "cert.pem", "--tls-key", tls / "chave.pem"]
    assert all(str(opcao) in "".join(blocos) for opcao in opcoes[::2])
    la = turma(tmp_path / "la", 1)
    with Ligado(tmp_path, dask, map(str, opcoes), "tls") as seguro:
        seguro.maquinas(1)
        feito = corrigir(la, "--cluster", seguro.endereco, **dask)
        assert feito.returncode == 1 and f"ponha em {cluster.TLS} a pasta" in feito.stderr
        subprocess.run(["sh", "-ec", certificados.replace("tls", "outra")], cwd=tmp_path, check=True)
        feito = corrigir(la, "--cluster", seguro.endereco, **dask, **{cluster.TLS: str(tmp_path / "outra")})
        assert feito.returncode == 1 and "não respondeu" in feito.stderr and "Traceback" not in feito.stderr
        feito = corrigir(la, "--cluster", seguro.endereco, **dask, **{cluster.TLS: str(tls)})
        assert feito.returncode == 0 and not feito.stderr, feito.stderr
    assert len(notas(la)) == 1


@pytest.mark.parametrize(
    "endereco",
    [
        "tcp://10.0.0.1:8786",
        "maquina:8786",
        "tcp://localhost.exemplo.br:8786",
        "tcp://localhost@10.0.0.1:8786",
        "tls://",
    ]
    + ["inproc://10.0.0.1:1", "tcp://localhost", "tcp://localhost:porta", "ws://localhost:8786", "tcp://[::1:8786"],
)
def test_fora_deste_computador_so_com_tls(endereco, capsys):
    with pytest.raises(SystemExit) as saida:
        comandos.ler("corrigir", ["02", "--cluster", endereco])
    assert saida.value.code == 2
    assert "pede tls://MÁQUINA:PORTA" in capsys.readouterr().err


@pytest.mark.parametrize(
    "endereco", ["tls://10.0.0.1:8786", "localhost:8786", "tcp://127.0.0.1:8786", "tcp://[::1]:8786"]
)
def test_estes_enderecos_servem(endereco):
    assert comandos.ler("corrigir", ["02", "--cluster", endereco]).cluster.endswith(endereco)


# ------------------------------------------------------------ sem o cluster


def test_sem_o_dask_a_frase_diz_como_instalar(tmp_path):
    (tmp_path / "distributed.py").write_text("raise ImportError('não há')")  # alguém pode ter instalado o extra
    caminho = os.pathsep.join([str(RAIZ), str(tmp_path)])
    feito = corrigir(turma(tmp_path, 1), "--cluster", "localhost:8786", PYTHONPATH=caminho)
    assert feito.returncode == 1 and "Traceback" not in feito.stderr
    assert "pip install --no-deps -r configuracao/locks/cluster.lock" in feito.stderr.strip().splitlines()[-1]


@lento
@pytest.mark.tudo
def test_sem_agendador_ou_sem_maquinas_a_frase_vem_logo(dask, tmp_path):
    la = turma(tmp_path / "la", 1)
    inicio = time.monotonic()
    feito = corrigir(la, "--cluster", f"localhost:{porta_livre()}", **dask)
    assert time.monotonic() < inicio + 120  # dez são do dask; o resto, de importar tudo em uma máquina ocupada
    assert feito.returncode == 1 and len(feito.stderr.splitlines()) == 1 and "não respondeu" in feito.stderr
    with Ligado(tmp_path, dask) as sem_maquinas:
        feito = corrigir(la, "--cluster", sem_maquinas.endereco, **dask)
    assert feito.returncode == 1 and len(feito.stderr.splitlines()) == 1 and "não tem máquina" in feito.stderr


class ClienteSemMaquinas:
    """O que se usa do cliente do dask, com uma tarefa que ninguém vem buscar."""

    status, _handle_report_task = "running", SimpleNamespace(done=lambda: False)

    def submit(self, *_, **__):
        return SimpleNamespace(done=lambda: False, release=lambda: None)

    def nthreads(self):
        return {}


def test_se_todas_as_maquinas_se_vao_espera_se_um_pouco_e_desiste_se(monkeypatch):
    monkeypatch.setattr(cluster, "_SEM_MAQUINAS", 0.5)
    monkeypatch.setattr(cluster, "_VIGIA", 0.1)
    with pytest.raises(cluster.SemCluster, match="sem máquina alguma"):
        cluster.Cluster(ClienteSemMaquinas()).executar(TAREFA, LOG, threading.Event())


def test_quem_espera_pelo_cluster_para_quando_todos_param():
    parou = threading.Event()
    parou.set()
    with pytest.raises(KeyboardInterrupt):
        cluster.Cluster(ClienteSemMaquinas()).executar(TAREFA, LOG, parou)


# ------------------------------------------------------------ o que volta

CERTO = asdict(Resultado([[{"output_type": "stream"}], []], [1, None]))


def test_um_resultado_com_a_forma_certa_e_entendido():
    bruto = json.dumps({"resultado": CERTO, "registro": [[30, "oi"], "torta"], "maquina": "m"}).encode()
    assert cluster.entender(bruto, TAREFA, LOG) == Resultado(**CERTO)


@pytest.mark.parametrize(
    "bruto",
    [None, "{}", b"", b"[]", b"{}", b"[" * 100_000, b'{"erro": 3}', b'{"erro": {"tipo": "Demais"}}', b"\xff"]
    + [
        json.dumps({"resultado": CERTO | troca}).encode()
        for troca in ({"saidas": [[]]}, {"saidas": [[3], []]}, {"saidas": [3, []]}, {"contagens": ["1", None]})
        + ({"motivo": 3}, {"gasto": None}, {"novo": 1}, {"saidas": None})
    ],
)
def test_um_resultado_com_outra_forma_faz_a_entrega_rodar_aqui(bruto):
    with pytest.raises(cluster.FacaAqui):
        cluster.entender(bruto, TAREFA, LOG)


def test_um_resultado_grande_demais_nao_sai_da_maquina_nem_entra_aqui(monkeypatch):
    monkeypatch.setattr(cluster, "MAIOR_RESULTADO", 500)
    monkeypatch.setattr(cluster, "fazer", lambda *_: {"saidas": "x" * 1000})
    pedido = json.dumps({"versao": cluster.versao(), "tarefa": {}}).encode()
    resposta = json.loads(cluster.rodar(pedido))
    assert resposta["erro"]["tipo"] == "Demais" and "resultado" not in resposta
    with pytest.raises(cluster.FacaAqui):
        cluster.entender(b" " * 501, TAREFA, LOG)


def test_nenhum_erro_sai_da_maquina_a_nao_ser_como_dados():
    for pedido in (b"", b"{}", json.dumps({"versao": cluster.versao(), "tarefa": {}}).encode()):
        assert "erro" in json.loads(cluster.rodar(pedido))


def test_a_tarefa_nao_diz_de_quem_e_a_entrega():
    assert TAREFA.para_dados().keys() == {"celulas", "pedido", "oraculo", "limites", "sozinha", "ja_gasto"}


def test_o_agendador_do_guia_e_o_do_comando():
    guia = (RAIZ / "guias" / "instrutor.md").read_text(encoding="utf-8")
    assert cluster.TLS in guia and "--cluster tls://" in guia and "--nthreads 1" in guia
