"""O que os testes compartilham."""

import base64
import contextlib
import functools
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Antes de NumPy e torch: com matrizes pequenas, uma thread só é mais rápida, e muito, em máquina ocupada.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# A instalação deixa os .pyc para o primeiro uso: sem guardá-los, cada processo de um teste compilaria tudo de novo.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import pytest

from configuracao.testar import semente_do_conteudo
from helpers import RAIZ as RAIZ  # os testes a importam daqui
from helpers import indice

sys.dont_write_bytecode = False
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # com nohup: os programas que os testes abrem herdariam isso
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Cada processo leva um arquivo inteiro por vez, e os demorados vão na frente. Os testes do banco não dependem uns dos
# outros, se espalham e ficam para o fim: assim os processos acabam juntos.
DEMORADOS = (
    *("test_ataques", "test_nbgrader_original", "test_oficina", "test_correcao", "test_cluster", "test_quente"),
    *("test_tela", "test_motor", "test_no_navegador"),
    *("test_porta", "test_rejulgar", "test_llm", "test_corrigir", "test_formgrader", "test_fuzz", "test_volta"),
    *("test_termo", "test_lista_nova", "test_uma_lista_nova"),
)
ESPALHADOS = ("test_banco",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if tudo() or item.get_closest_marker("tudo") is None]
    lugar = {nome: i for i, nome in enumerate(DEMORADOS)} | dict.fromkeys(ESPALHADOS, len(DEMORADOS) + 1)
    items.sort(key=lambda item: lugar.get(item.path.stem, len(DEMORADOS)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """No lugar do `--dist loadgroup`, que nestas versões do pytest e do xdist não junta nada."""
    from xdist.scheduler import LoadScopeScheduling

    class PorArquivo(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            arquivo = nodeid.partition("::")[0]
            return nodeid if Path(arquivo).stem in ESPALHADOS else arquivo

    return PorArquivo(config, log)


def por_que_sem_caixa() -> str | None:
    """Por que não há caixa aqui: a máquina, ou o lugar do curso. Se nenhum dos dois impede, a falha é nossa."""
    from correcao.caixa import caixa

    try:
        caixa.exigir()
    except caixa.SemCaixa as frase:
        # o lugar em que alguém pôs o curso, ou quem pode lê-lo, não é defeito da caixa
        if caixa._por_que_nao() and "chmod" not in str(frase) and _esta_maquina_isola():
            pytest.fail(f"O bubblewrap isola um processo nesta máquina, e a caixa do curso não funciona: {frase}")
        return str(frase)
    return None


@functools.cache
def _esta_maquina_isola() -> bool:
    from correcao.caixa import caixa

    bwrap, programas = caixa._bwrap(), "prlimit --version && setpriv --version && choom --version"
    if not sys.platform.startswith("linux") or bwrap is None or caixa._opcoes_que_faltam(bwrap):
        return False
    minima = [bwrap, "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    return subprocess.run([*minima, "sh", "-c", programas], capture_output=True).returncode == 0


# Soquetes cheios, que ninguém lê: memória do núcleo, e não de um processo.
ENCHER_SOQUETES = """
import os, socket, time
tudo = []
while True:
    try:
        tudo.append(socket.socketpair())
        tudo[-1][0].setblocking(False)
        tudo[-1][0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 10**9)
        while True:
            tudo[-1][0].send(bytes(60_000))
    except OSError as e:
        if e.errno == 24 and os.fork():
            time.sleep(100)
"""


@pytest.fixture(scope="module")
def com_ou_sem_caixa():
    """Para as turmas honestas: onde não há como fazer a caixa (macOS, Windows, alguns contêineres), corrige sem ela."""
    from correcao.caixa import caixa

    with pytest.MonkeyPatch.context() as troca:
        if por_que_sem_caixa():
            troca.setenv(caixa.SEM_ISOLAMENTO, "1")
        yield


def vivo(processo: Any) -> bool:
    """Um processo do psutil ainda roda? Ele pode acabar no meio da pergunta."""
    import psutil

    try:
        return processo.is_running() and processo.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


CAIXAS = ("quente", "fria")


def caixas_do_que_demora() -> tuple[str, ...]:
    """Para `parametrize("cada_caixa", …, indirect=True)`: a fria, que promete o mesmo, só em `testar --tudo`."""
    return CAIXAS if tudo() else CAIXAS[:1]


@pytest.fixture(params=CAIXAS)
def cada_caixa(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """O mesmo teste nas duas caixas. Confere no fim que foi mesmo nela que cada kernel partiu."""
    from correcao.caixa import provisionador
    from correcao.caixa.quente import quente

    monkeypatch.setenv(quente.QUAL, request.param)
    da_casa, partidas = provisionador.Provisionador._quente, []

    def anotar(self: Any) -> bool:
        partidas.append("quente" if da_casa(self) else f"fria: {self.sem_quente}")
        return partidas[-1] == "quente"

    monkeypatch.setattr(provisionador.Provisionador, "_quente", anotar)
    yield request.param
    assert partidas and {p.partition(":")[0] for p in partidas} == {request.param}, partidas


@pytest.fixture(scope="session")
def raiz() -> Path:
    return RAIZ


def questoes():
    """As questões das listas."""
    from gabarito.banco import questoes_das_listas

    return questoes_das_listas()


def lentas(q):
    """As que rodam modelos."""
    from gabarito.banco import roda_modelos

    return [pytest.mark.lento] if roda_modelos(q) else []


def tudo() -> bool:
    """`python curso.py testar --tudo`: também o que custa mais do que costuma achar."""
    return os.environ.get("CURSO_TUDO") == "1"


def semente_da_rodada() -> int:
    """A de `testar --semente N`; senão, a que sai do conteúdo deste commit."""
    return int(os.environ.get("CURSO_SEMENTE") or semente_do_conteudo())


def listas() -> list[str]:
    """As pastas das listas, pelo índice (tests/gabarito/test_em_dia.py diz se ele não é o de source/)."""
    return [lista.pasta for lista in indice.listas().values()]


def aulas() -> list[Path]:
    """A linha principal."""
    return sorted((RAIZ / "notebooks").glob("*.ipynb"))


def alem() -> list[Path]:
    """Os caminhos ao lado, que são opcionais."""
    return sorted((RAIZ / "notebooks" / "alem").glob("*.ipynb"))


def solucoes(lista: str) -> dict[str, str]:
    """As respostas em código que o instrutor escreveu: célula → texto."""
    import nbformat
    from nbgrader.utils import is_grade, is_solution

    nb = nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)
    return {c.metadata.nbgrader.grade_id: c.source for c in nb.cells if is_solution(c) and not is_grade(c)}


def abrir_pacote(zip_: Path, onde: Path) -> Path:
    """Descompacta o pacote do aluno em `onde`; a pasta do curso que ele cria."""
    with zipfile.ZipFile(zip_) as aberto:
        aberto.extractall(onde)
        return onde / aberto.namelist()[0].partition("/")[0]


def entregar(
    turma: Path,
    lista: str,
    aluno: str,
    respostas: dict[str, str],
    discussao: str | None = None,
    nome: str | None = None,
    mexer: Callable | None = None,
) -> Path:
    """Uma entrega: a lista como foi distribuída, com as respostas dadas, e o que `mexer` fizer com o notebook."""
    import nbformat

    from correcao.demo import responder

    emitidas = [raiz / "release" / lista / f"{lista}.ipynb" for raiz in (turma, RAIZ)]
    nb = responder(nbformat.read(next(p for p in emitidas if p.is_file()), as_version=4), respostas, discussao)
    if mexer is not None:
        mexer(nb)
    destino = turma / "submitted" / aluno / lista / (nome or f"{lista}.ipynb")
    destino.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, destino)
    return destino


def png(largura: int, altura: int, antes: bytes = b"") -> str:
    """Em base64, um PNG que se diz deste tamanho; `antes` são partes postas entre o cabeçalho e os pontos."""

    def parte(tipo: bytes, dados: bytes) -> bytes:
        return struct.pack(">I", len(dados)) + tipo + dados + struct.pack(">I", zlib.crc32(tipo + dados))

    cabecalho = parte(b"IHDR", struct.pack(">IIBBBBB", largura, altura, 8, 0, 0, 0, 0))
    bruto = b"\x89PNG\r\n\x1a\n" + cabecalho + antes + parte(b"IDAT", zlib.compress(b"\0\0")) + parte(b"IEND", b"")
    return base64.b64encode(bruto).decode()


def instalar_a_parte(lock: str, pasta: Path) -> str:
    """Põe em `pasta`, fora do ambiente do curso, o que o lock de um extra pede; sem rede, pula o teste."""
    comando = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps", "--require-hashes"]
    comando += ["--only-binary", ":all:", "--target", str(pasta), "-r", str(RAIZ / "configuracao" / "locks" / lock)]
    feito = subprocess.run(comando, capture_output=True, text=True, encoding="utf-8")
    if feito.returncode:
        sem_rede = ("onnection", "Max retries", "timed out")  # um pino errado, com rede, é falha do teste
        assert any(sinal in feito.stderr for sinal in sem_rede), feito.stderr
        pytest.skip(f"sem rede para instalar {lock}: {feito.stderr.strip().splitlines()[-1]}")
    return str(pasta)


@pytest.fixture(scope="session")
def playwright(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A pasta com o que está em locks/navegador.lock, fora do ambiente do curso."""
    return instalar_a_parte("navegador.lock", tmp_path_factory.mktemp("playwright"))


@contextlib.contextmanager
def o_lab(pasta: Path) -> Iterator[tuple[str, str]]:
    """O endereço e o token do `lab --instrutor` aberto nesta pasta. No fim, o que ele disse não tem erro ao salvar."""
    ambiente = {**os.environ, "PYTHONUTF8": "1", "CURSO_TURMA": str(pasta), "JUPYTER_TOKEN": "segredo-do-teste"}
    comando = [sys.executable, str(RAIZ / "curso.py"), "lab", "--instrutor", "--sem-navegador"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as diario:  # um cano que ninguém lê encheria
        canos = {"stdout": subprocess.PIPE, "stderr": diario, "text": True, "encoding": "utf-8"}
        processo = subprocess.Popen(comando, env=ambiente, **canos)
        try:
            achados = (re.search(r"(http://localhost:\d+)/lab\S*token=(\S+)", linha) for linha in processo.stdout)
            achado = next((a for a in achados if a), None) or pytest.fail("o lab fechou sem anunciar o endereço")
            yield achado[1], achado[2]
        finally:
            processo.terminate()
            processo.communicate(timeout=300)
        diario.seek(0)
        assert "pre_save_hook" not in diario.read()


@pytest.fixture(scope="session")
def chromium() -> str:
    achado = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return achado or pytest.skip("não há Chromium: apt install chromium")


@pytest.fixture(scope="session")
def site_de_duas_aulas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """O site com as aulas 00 e 02 e a lista 02, feito uma vez só, ainda que os testes se repartam em dois processos."""
    pytest.importorskip("sphinx", reason="falta o Sphinx, que o site instala")
    if shutil.which("npm") is None:
        pytest.skip("falta o npm, que traz o que o site usa")
    from sitio.construir import fazer

    base = tmp_path_factory.getbasetemp()
    da_rodada = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    pasta = da_rodada / "site-de-duas-aulas"
    try:
        pasta.mkdir()
    except FileExistsError:  # o outro processo o faz
        for _ in range(6000):
            if (pasta / "pronto").exists():
                return pasta / "site"
            time.sleep(0.1)
        pytest.fail("o outro processo não acabou de fazer o site")
    fazer(pasta / "site", trabalho=pasta / "trabalho", so=("00-", "02-softmax"))
    (pasta / "pronto").touch()
    return pasta / "site"


@pytest.fixture
def temporarios(monkeypatch):
    """Uma pasta de temporários só deste teste: há outros rodando ao mesmo tempo."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="cx-") as pasta:
        monkeypatch.setattr(tempfile, "tempdir", pasta)
        yield Path(pasta)


@pytest.fixture
def segunda_vez(monkeypatch):
    """Na caixa, TZ diz se a entrega roda pela segunda vez, sozinha."""
    from correcao.caixa import conversa
    from correcao.juizo import trabalho

    def executar(tarefa, log):
        monkeypatch.setenv("TZ", "segunda" if tarefa.sozinha else "primeira")
        return conversa.executar(tarefa, log)

    monkeypatch.setattr(trabalho, "executar", executar)
