"""Duas caixas não se falam, nem com quem está de fora, e nenhuma gasta o que é do computador inteiro.

As duas rodam juntas, uma célula de cada vez: a primeira faz, a segunda procura o que ela fez. O que se acha vai em um
dicionário {canal: ouviu?}, e cada canal é um teste.
"""

import asyncio
import json
import logging
import os
import tempfile
import threading
from pathlib import Path

import pytest
from conftest import CAIXAS, RAIZ, por_que_sem_caixa
from na_caixa import ROOT, como_comum, textos

from correcao.caixa import conversa
from correcao.caixa.caixa import Limites
from correcao.caixa.conversa import Tarefa
from correcao.caixa.quente import quente

pytestmark = pytest.mark.lento
LOG = logging.getLogger("teste")
NOMES = ("registro", "ofd", "flock", "concessão", "dica", "aviso", "futex")
VISTOS = {nome: str(RAIZ / "dados" / nome) for nome in NOMES}  # arquivos que toda caixa vê, e que nada mais abre
_COMUM = f"""
import ctypes, fcntl, json, os, struct
VISTOS, libc = {VISTOS!r}, ctypes.CDLL(None, use_errno=True)
abertos = {{nome: os.open(caminho, os.O_RDONLY) for nome, caminho in VISTOS.items() if nome != "concessão"}}
trava = lambda tipo: struct.pack("hhqqi4x", tipo, 0, 7, 1, 0)

libc.mmap.restype = ctypes.c_void_p
pagina = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, abertos["futex"], ctypes.c_long(0))
valor = ctypes.c_uint.from_address(pagina).value

def futex(operacao, quanto):
    numero, prazo = {{"x86_64": 202, "aarch64": 98}}[os.uname().machine], struct.pack("qq", 60, 0)
    return libc.syscall(numero, ctypes.c_void_p(pagina), operacao, quanto, prazo, None, 0)

def tentar(fazer):
    try:
        return fazer()
    except (OSError, AttributeError) as erro:
        return erro
"""
FAZER = (
    _COMUM
    + """
tentar(lambda: fcntl.fcntl(abertos["registro"], fcntl.F_SETLK, trava(fcntl.F_RDLCK)))
tentar(lambda: fcntl.fcntl(abertos["ofd"], 37, trava(fcntl.F_RDLCK)))
tentar(lambda: fcntl.flock(abertos["flock"], fcntl.LOCK_SH))
tentar(lambda: fcntl.fcntl(abertos["dica"], 1036, struct.pack("Q", 5)))
concedido = os.open(VISTOS["concessão"], os.O_RDONLY)
import signal
signal.signal(signal.SIGIO, signal.SIG_IGN)  # que avisa o dono da concessão, e o mataria
tentar(lambda: fcntl.fcntl(concedido, fcntl.F_SETLEASE, fcntl.F_WRLCK))
import threading
threading.Thread(target=futex, args=(0, valor), daemon=True).start()
ficam = []
contextos = (ctypes.c_ulong * 2)()
libc.syscall({"x86_64": 206, "aarch64": 0}[os.uname().machine], 60_000, contextos)
for _ in range(200):
    par = tentar(os.openpty)
    if isinstance(par, OSError):
        break
    ficam.append(par)
with open("/proc/self/oom_score_adj") as arquivo:
    antes = arquivo.read()
def desmarcar():
    with open("/proc/self/oom_score_adj", "w") as arquivo:
        arquivo.write("0")
tentar(desmarcar)
with open("/proc/self/oom_score_adj") as arquivo:
    fez = {"oom_score_adj": arquivo.read() != antes, "ptys": len(ficam)}
# Todas as caixas têm os mesmos aparelhos; e de quem corrige, se é um usuário comum, são os sinais e as filas.
horas = {nome: os.stat(f"/dev/{nome}").st_mtime_ns for nome in ("null", "zero", "full", "random", "urandom", "tty")}
for nome in horas:
    tentar(lambda: os.utime(f"/dev/{nome}"))
fez["hora"] = any(os.stat(f"/dev/{nome}").st_mtime_ns != hora for nome, hora in horas.items())
import socket
fez["internet"] = not isinstance(tentar(socket.socket), OSError)  # quantos há, /proc/net/sockstat diz a todas
filho = os.fork()
if filho == 0:  # com uma thread só, que os deixa na fila
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    os._exit(all(libc.sigqueue(os.getpid(), signal.SIGRTMIN, None) == 0 for _ in range(1001)))
fez["sinais"] = os.waitpid(filho, 0)[1] != 0
numero = {"x86_64": 240, "aarch64": 180}[os.uname().machine]
fez["filas"] = libc.syscall(numero, b"fila", os.O_CREAT | os.O_RDWR, 0o600, None) >= 0
print(json.dumps(fez))
"""
)
_ABRIR = "for _ in range(3):\n    os.close(os.open(VISTOS['aviso'], os.O_RDONLY))"
PROCURAR = (
    _COMUM
    + """
def travado(nome, comando):
    visto = tentar(lambda: fcntl.fcntl(abertos[nome], comando, trava(fcntl.F_WRLCK)))
    return isinstance(visto, bytes) and struct.unpack_from("h", visto)[0] != fcntl.F_UNLCK
def espera(caminho):
    aberto = tentar(lambda: os.close(os.open(caminho, os.O_RDONLY | os.O_NONBLOCK)))
    return isinstance(aberto, BlockingIOError)
dica = tentar(lambda: struct.unpack("Q", fcntl.fcntl(abertos["dica"], 1035, bytes(8)))[0])
ouvidos = {"registro": travado("registro", fcntl.F_GETLK), "ofd": travado("ofd", 36), "dica": dica == 5}
ouvidos["flock"] = isinstance(tentar(lambda: fcntl.flock(abertos["flock"], fcntl.LOCK_EX | fcntl.LOCK_NB)), OSError)
ouvidos["concessão"] = espera(VISTOS["concessão"])
import time
ouvidos["futex"] = any(futex(1, 1) or time.sleep(0.01) for _ in range(50))
vigia = libc.inotify_init1(os.O_NONBLOCK)
libc.inotify_add_watch(vigia, os.fsencode(VISTOS["aviso"]), 0x20)
"""
)
OUVIR = """
lido = tentar(lambda: os.read(vigia, 4096)) if vigia >= 0 else b""
ouvidos["inotify"] = isinstance(lido, bytes) and len(lido) > 0
print(json.dumps(ouvidos))
"""


def juntas(a: list[str], b: list[str], vez_de_fora=lambda passo: None) -> list[conversa.Resultado]:
    """Duas caixas ao mesmo tempo, uma célula de cada vez: a primeira de `a`, a primeira de `b`, a segunda de `a`…"""
    da_casa, vez, ordem = conversa.Execucao._celula, threading.Condition(), []
    tarefas = [Tarefa([*celulas, "pass"], limites=Limites(abertos=1024)) for celulas in (a, b)]
    esperadas = [(i, lado) for i in range(len(a) + 1) for lado in (0, 1)]

    def chegar(minha) -> None:
        with vez:
            assert vez.wait_for(lambda: len(ordem) >= esperadas.index(minha), 120)
            vez_de_fora(minha)

    def passar(minha) -> None:
        with vez:
            ordem.append(minha)
            vez.notify_all()

    async def celula(self, codigo, saida, indice):
        minha = (indice, 0 if self.tarefa is tarefas[0] else 1)
        await asyncio.to_thread(chegar, minha)
        try:
            await da_casa(self, codigo, saida, indice)
        finally:
            passar(minha)

    feitos: list = [None, None]
    with pytest.MonkeyPatch.context() as troca:
        troca.setattr(conversa.Execucao, "_celula", celula)
        fios = [
            threading.Thread(target=lambda i=i: feitos.__setitem__(i, conversa.executar(tarefas[i], LOG)))
            for i in (0, 1)
        ]
        for fio in fios:
            fio.start()
        for fio in fios:
            fio.join()
    return feitos


def _numero(caminho: str) -> int:
    return int(Path(caminho).read_text())


def canais() -> dict[str, dict]:
    """{caixa: {canal: ouviu?}}; roda também como usuário comum, e então os arquivos são dele."""
    with tempfile.TemporaryDirectory() as dados, pytest.MonkeyPatch.context() as troca:
        os.chmod(dados, 0o755)
        for nome in NOMES:
            Path(dados, nome).write_text("o corpus")
        troca.setenv("CURSO_DADOS", dados)
        return {qual: _canais(qual, dados, troca) for qual in CAIXAS}


def _canais(qual: str, dados: str, troca: pytest.MonkeyPatch) -> dict[str, bool]:
    troca.setenv(quente.QUAL, qual)
    fora: dict = {}
    antes = {nome: _numero(f"/proc/sys/{onde}") for nome, onde in _QUOTAS.items()}

    def de_fora(passo):
        if passo == (1, 0):  # a primeira já fez o que tinha de fazer, e vai abrir o arquivo
            exec(PROCURAR.replace(str(RAIZ / "dados"), dados), fora)
            fora["quotas"] = {nome: _numero(f"/proc/sys/{o}") - antes[nome] for nome, o in _QUOTAS.items()}
        elif passo == (1, 1):
            exec(OUVIR.replace("print", "str"), fora)

    um, outro = juntas([FAZER, _ABRIR], [PROCURAR, OUVIR], de_fora)
    assert (um.motivo, outro.motivo) == (None, None)
    assert bool(um.fria) is (qual == "fria")
    for descritor in (fora["vigia"], *fora["abertos"].values()):
        os.close(descritor)
    dito = json.loads(textos(um.saidas[0]))
    assert dito.pop("ptys") > 0  # um `!comando` do IPython precisa de um
    quotas = {"aio": fora["quotas"]["aio"] > 0, "ptys": fora["quotas"]["ptys"] > 64}
    de_la = {f"{nome}, de fora": valor for nome, valor in fora["ouvidos"].items()}
    return json.loads(textos(outro.saidas[1])) | de_la | quotas | dito


_QUOTAS = {"aio": "fs/aio-nr", "ptys": "kernel/pty/nr"}
_CANAIS = ("registro", "ofd", "flock", "dica", "concessão", "inotify", "futex")
_DE_FORA = tuple(f"{nome}, de fora" for nome in _CANAIS if nome != "inotify")  # que fica: SECURITY.md


@pytest.fixture(scope="module", params=["quem corrige", "usuário comum"])
def ouvidos(request):
    if frase := por_que_sem_caixa():
        pytest.skip(frase)
    if request.param == "quem corrige":
        with pytest.MonkeyPatch.context() as troca:
            troca.setenv(quente.QUAL, "quente")
            yield canais()
        quente.fechar()
        return
    if not ROOT:
        pytest.skip("os outros testes já rodam como usuário comum")
    de_onde = [str(RAIZ / "tests"), str(Path(__file__).parent)]
    programa = (
        f"import json, sys; sys.path[:0] = {de_onde!r}\nfrom test_canais import canais; print(json.dumps(canais()))"
    )
    casa = Path(tempfile.mkdtemp(dir="/tmp", prefix="cx-"))
    yield json.loads(como_comum(casa, programa).splitlines()[-1])


@pytest.mark.parametrize("qual", CAIXAS)
@pytest.mark.parametrize("canal", [*_CANAIS, *_DE_FORA])
def test_o_que_uma_caixa_diz_ninguem_ouve(ouvidos, qual, canal):
    assert ouvidos[qual][canal] is False


@pytest.mark.parametrize("qual", CAIXAS)
@pytest.mark.parametrize("quota", ["aio", "ptys", "oom_score_adj", "hora", "internet", "sinais", "filas"])
def test_o_que_e_do_computador_inteiro_nao_se_gasta_nem_se_muda(ouvidos, qual, quota):
    assert ouvidos[qual][quota] is False


# O que de /proc não é dos processos da caixa, e o que só se pergunta ao núcleo.
_DO_COMPUTADOR = """
import ctypes, glob, os, threading
def ler():
    vistos = {}
    for caminho in [c for c in glob.glob("/proc/*") if not c[6:].isdigit()] + glob.glob("/proc/sys/**", recursive=True):
        if os.path.isfile(caminho) and caminho != "/proc/cpuinfo":  # que só muda com a velocidade do processador
            try:
                vistos[caminho] = open(caminho, "rb").read(100_000)
            except OSError as erro:
                vistos[caminho] = erro.strerror
    return vistos
antes = ler()
fios = [threading.Thread(target=threading.Event().wait, args=(30,), daemon=True) for _ in range(40)]
[fio.start() for fio in fios]
with open("/tmp/cheio", "wb") as arquivo:
    arquivo.write(bytes(8_000_000))
sum(i * i for i in range(1_000_000))
depois = ler()
libc = ctypes.CDLL(None, use_errno=True)
perguntas = [libc.sysinfo(ctypes.create_string_buffer(128)), libc.mincore(None, 0, None), libc.syscall(451, 0, 0, 0, 0)]
print([c for c in depois if depois[c] != antes.get(c)], len(antes) > 10, perguntas)
"""


def test_de_dentro_nada_conta_o_que_o_computador_faz(cada_caixa):
    feito = conversa.executar(Tarefa([_DO_COMPUTADOR]), LOG)
    assert textos(feito.saidas[0]) == "[] True [-1, -1, -1]\n"


# Em um arquivo só da caixa, quem trava, aconselha ou espera por outro processo não percebe nada.
_HONESTO = """
import fcntl, multiprocessing, os, sqlite3
with open("/tmp/meu", "w") as arquivo:
    fcntl.flock(arquivo, fcntl.LOCK_EX)
    fcntl.lockf(arquivo, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.lockf(arquivo, fcntl.LOCK_UN)
    os.posix_fadvise(arquivo.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    arquivo.write("oi")
lido = bytearray(2)
with open("/tmp/meu", "rb") as arquivo:
    os.preadv(arquivo.fileno(), [lido], 0)
banco = sqlite3.connect("/tmp/banco.db")
banco.execute("create table t (x)")
banco.execute("insert into t values (3)")
banco.commit()
with multiprocessing.get_context("fork").Pool(2) as grupo:
    print(lido.decode(), banco.execute("select x from t").fetchall(), grupo.map(abs, range(-3, 0)), os.cpu_count() > 0)
"""


def test_um_programa_honesto_nao_percebe_nada(cada_caixa):
    feito = conversa.executar(Tarefa([_HONESTO, "!echo no terminal"]), LOG)
    assert [textos(s).strip() for s in feito.saidas] == ["oi [(3,)] [3, 2, 1] True", "no terminal"]
