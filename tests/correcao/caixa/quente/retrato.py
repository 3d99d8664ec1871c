"""Um retrato da caixa, visto de dentro: roda como uma célula e mostra, em JSON, tudo o que se pode comparar.

test_quente.py o tira nas duas caixas. O que muda a cada caixa (o usuário, a pasta de troca) aparece sem o número.
"""

import ctypes
import json
import locale
import multiprocessing
import os
import re
import signal
import socket
import struct
import sys
import tempfile
import time
from fcntl import ioctl

import matplotlib
import numpy


def _tentar(fazer):
    """O que deu, ou o erro."""
    try:
        return fazer()
    except OSError as erro:
        return erro.strerror


def _sem_numeros(texto):
    eu = str(os.getuid())
    texto = re.sub(r"(/\S*)?/curso-kernel-\w+", "/TROCA", texto)
    return re.sub(r":\[\d+\]", "", texto).replace(eu, "EU")


def _ler(caminho):
    with open(caminho) as arquivo:
        return arquivo.read()


def _escrever(caminho, texto):
    with open(caminho, "w") as arquivo:
        arquivo.write(texto)
    return "escreveu"


def _montagens():
    vistas = {}
    for linha in _ler("/proc/self/mountinfo").splitlines():
        (_, _, _, _, ponto, opcoes, *_), (tipo, *_) = (parte.split() for parte in linha.split(" - "))
        vistas[ponto] = f"{tipo} {','.join(sorted(o for o in opcoes.split(',') if o != 'relatime'))}"
    return vistas


_DO_ESTADO = ("Umask", "Uid", "Gid", "Groups", "PPid", "NS", "NoNewPrivs", "Seccomp", "SigBlk", "SigIgn", "Cap")


def _estado():
    campos = dict(linha.split(":", 1) for linha in _ler("/proc/self/status").splitlines())
    return {nome: valor.split() for nome, valor in campos.items() if nome.startswith(_DO_ESTADO)}


def _do_processo(pid):
    """O que se alcança de um processo em /proc."""
    lidos = {nome: _tentar(lambda nome=nome: _ler(f"/proc/{pid}/{nome}")) for nome in ("cgroup", "oom_score_adj")}
    for nome in ("environ", "mem", "maps", "auxv", "stack", "syscall", "pagemap", "io"):
        lidos[nome] = _tentar(lambda nome=nome: os.close(os.open(f"/proc/{pid}/{nome}", os.O_RDONLY)) or "abre")
    lidos["mem, para escrever"] = _tentar(lambda: os.close(os.open(f"/proc/{pid}/mem", os.O_WRONLY)) or "abre")
    for nome in ("fd", "map_files"):
        lidos[nome] = _tentar(lambda nome=nome: os.listdir(f"/proc/{pid}/{nome}") and "lista")
    for nome in ("root", "cwd"):
        lidos[nome] = _tentar(lambda nome=nome: os.readlink(f"/proc/{pid}/{nome}"))
    # o programa de quem roda: pelas montagens da caixa não se escreve nele, e por aqui também não
    lidos["mudar o programa"] = _tentar(lambda: os.chmod(f"/proc/{pid}/exe", 0o755) or "mudou")
    lidos["datar o programa"] = _tentar(lambda: os.utime(f"/proc/{pid}/exe") or "mudou")
    return lidos


def _descritores():
    alvos = [_tentar(lambda n=n: os.readlink(f"/proc/self/fd/{n}")) for n in os.listdir("/proc/self/fd")]
    return sorted({_sem_numeros(a) for a in alvos} - {"No such file or directory"})


def _rede():
    with socket.socket(socket.AF_UNIX) as soquete:
        sinais = ioctl(soquete, 0x8913, struct.pack("16sh22x", b"lo", 0))
    enderecos = _ler("/proc/net/if_inet6").split()
    return socket.if_nameindex(), struct.unpack("16sh22x", sinais)[1], enderecos


def _arvore(raiz):
    vistos = {}
    for pasta, pastas, arquivos in os.walk(raiz):
        for nome in (*pastas, *arquivos):
            caminho = os.path.join(pasta, nome)
            dados = os.lstat(caminho)
            dono = "EU" if dados.st_uid == os.getuid() else "outro"
            vistos[_sem_numeros(caminho)] = oct(dados.st_mode), dono
        # o que se montou ali está na tabela de montagens; se o curso fica em /tmp, é o Python inteiro
        pastas[:] = [nome for nome in pastas if not os.path.ismount(os.path.join(pasta, nome))]
    return vistos


def _raiz():
    return {nome: oct(os.lstat(f"/{nome}").st_mode) for nome in os.listdir("/")}


def _escritas():
    """O que do núcleo se deixaria escrever."""
    quais = ["sys/kernel/hostname", "sys/vm/drop_caches", "sysrq-trigger", "sys/user/max_user_namespaces"]
    quais += ["self/uid_map", "self/gid_map", "self/setgroups", "irq/default_smp_affinity"]
    return {q: _tentar(lambda q=q: _escrever(f"/proc/{q}", "0 0 1")) for q in quais}


def _espaco_de_usuarios():
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.unshare(0x1000_0000), os.strerror(ctypes.get_errno())


def _sinais():
    return {s: str(signal.getsignal(s)).split(" at ")[0] for s in sorted(signal.valid_signals()) if s < 32}


def retratar():
    flags = {n: getattr(sys.flags, n) for n in dir(sys.flags) if not n.startswith(("_", "n_", "count", "index"))}
    return {
        "montagens": {_sem_numeros(ponto): opcoes for ponto, opcoes in _montagens().items()},
        "estado": {campo: [_sem_numeros(v) for v in valores] for campo, valores in _estado().items()},
        "limites": dict(re.findall(r"(Max [\w ]+?)  +(.+?) *\n", _ler("/proc/self/limits"))),
        "nome": (socket.gethostname(), _tentar(lambda: _ler("/proc/sys/kernel/domainname"))),
        "processos": sorted(int(n) for n in os.listdir("/proc") if n.isdigit()),
        "sessão": (os.getsid(0), os.getpgid(0), os.getpid(), os.getppid()),
        "ambiente": dict(os.environ),
        "pasta": (os.getcwd(), os.listdir("."), tempfile.gettempdir(), os.path.expanduser("~")),
        "descritores": _descritores(),
        "rede": _rede(),
        "dev": _arvore("/dev"),
        "tmp": _arvore("/tmp"),
        "raiz": _raiz(),
        "terminal": _tentar(lambda: os.close(os.open("/dev/tty", os.O_RDWR)) or "abre"),
        "o primeiro": _do_processo(1),
        "eu": _do_processo("self"),
        "escritas": _escritas(),
        "falta de memória": _tentar(lambda: _escrever("/proc/self/oom_score_adj", "0")),
        "espaço de usuários": _espaco_de_usuarios(),
        "usuários": [_sem_numeros(_ler(f"/proc/self/{n}_map")).split()[0] for n in ("uid", "gid")],
        "sinais": _sinais(),
        "prioridade": (os.getpriority(0, 0), os.sched_getscheduler(0), sorted(os.sched_getaffinity(0))),
        "módulos": sys.path,
        "argumentos": [_sem_numeros(a) for a in sys.argv],
        "flags": flags,
        "sem guardar .pyc": sys.dont_write_bytecode,
        "programa": (sys.executable, sys.prefix, sys.base_prefix),
        "hora": (time.tzname, time.localtime(0).tm_hour),
        "língua": (locale.setlocale(locale.LC_ALL), locale.getpreferredencoding(), sys.getfilesystemencoding()),
        "matplotlib": (matplotlib.get_backend(), matplotlib.get_configdir(), matplotlib.get_cachedir()),
        "rcparams": {nome: str(valor) for nome, valor in matplotlib.rcParams.items()},
        "numpy": (numpy.geterr(), numpy.get_printoptions()),
        "recursão": (sys.getrecursionlimit(), sys.getswitchinterval()),
        "multiprocessing": multiprocessing.get_start_method(),
        "do curso": sorted(m for m in sys.modules if m.partition(".")[0] in ("gabarito", "correcao", "mae")),
    }


if __name__ == "__main__":
    print(json.dumps(retratar()))
