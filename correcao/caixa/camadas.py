"""O que a caixa vê do computador, sem que outra caixa o veja pelo mesmo arquivo.

Uma pasta só de leitura que todas as caixas veem ainda serve de recado: quem trava um arquivo, ou só o abre, pode ser
notado por quem olha o mesmo arquivo. Por isso cada caixa a vê por uma camada (overlayfs) só dela: o conteúdo é o
mesmo, e o arquivo, para o núcleo, é outro. O que são arquivos soltos (de /etc, e o que em /proc conta coisas do
computador inteiro) vem de uma cópia.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from helpers import RAIZ
from helpers.gravacao import pasta_pronta

_DE_ETC = ("alternatives", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types")
# De /proc, além do que é dos processos da caixa, só o que não muda enquanto se corrige.
_NAO_MUDAM = {"cmdline", "config.gz", "consoles", "cpuinfo", "crypto", "devices", "dma", "execdomains", "filesystems"}
_NAO_MUDAM |= {"iomem", "ioports", "kallsyms", "misc", "mounts", "mtrr", "net", "partitions", "self", "sysvipc"}
_NAO_MUDAM |= {"thread-self", "version"}
_RETRATOS = ("stat", "meminfo", "uptime", "loadavg")  # do que muda, o que um programa honesto lê: fica parado no tempo
_VAZIA, _VAZIO, _PROGRAMA = "vazia", "vazio", "programa"
OPCOES = ("--overlay-src", "--ro-overlay")  # do bubblewrap 0.11; sem elas também se corrige
APARELHOS = ("null", "zero", "full", "random", "urandom", "tty")
# Um `!comando` usa um terminal; o computador inteiro tem 4.096.
TERMINAIS = "newinstance,ptmxmode=0666,mode=620,max=16"


@cache
def vistas() -> Path:
    """A pasta com as cópias: etc/, proc/, uma pasta vazia e um arquivo vazio."""
    return pasta_pronta(RAIZ / ".jupyter" / "vistas" / _impressao(), _copiar)


def _copiar(pasta: Path) -> None:
    for nome in (_VAZIA, _PROGRAMA):
        (pasta / nome).mkdir(mode=0o755)
    (pasta / _VAZIO).touch(mode=0o644)
    for nome, origem in (("etc", [Path("/etc", n) for n in _DE_ETC]), ("proc", [Path("/proc", n) for n in _RETRATOS])):
        (pasta / nome).mkdir(mode=0o755)
        for caminho in origem:
            if caminho.is_dir():
                shutil.copytree(caminho, pasta / nome / caminho.name, symlinks=True, ignore_dangling_symlinks=True)
            elif caminho.is_file():
                with contextlib.suppress(OSError):
                    (pasta / nome / caminho.name).write_bytes(caminho.read_bytes())
                    (pasta / nome / caminho.name).chmod(0o644)


def _impressao() -> str:
    """Muda quando muda o que se copia de /etc; o de /proc é de quando se copiou."""
    vistos = []
    for caminho in (Path("/etc", nome) for nome in _DE_ETC):
        with contextlib.suppress(OSError):
            arquivos = [caminho, *(sorted(caminho.rglob("*")) if caminho.is_dir() else [])]
            vistos += [(str(a), a.lstat().st_mtime_ns, a.stat().st_size if a.exists() else 0) for a in arquivos]
    return hashlib.sha256(repr(vistos).encode()).hexdigest()[:16]


@cache
def do_proc() -> list[tuple[str, ...]]:
    """O que em /proc fala do computador inteiro: de lá outra caixa leria o que esta faz."""
    operacoes = []
    for nome in sorted(os.listdir("/proc")):
        caminho = Path("/proc", nome)
        if nome.isdigit() or nome in _NAO_MUDAM or not caminho.stat().st_mode & 0o004:
            continue
        copia = vistas() / ("proc" if nome in _RETRATOS else "") / (nome if nome in _RETRATOS else _VAZIO)
        operacoes.append(("ro-bind", str(vistas() / _VAZIA if caminho.is_dir() else copia), str(caminho)))
    return [*operacoes, ("remount-ro", "/proc")]  # em /proc/self também há o que se muda, como o oom_score_adj


def so_leitura(origem: str, destino: str, bwrap: str | None) -> list[tuple[str, ...]]:
    """As montagens que mostram `origem` em `destino`: por uma camada, se é uma pasta e este computador as faz."""
    if not os.path.isdir(origem) or not ha(bwrap):
        return [("ro-bind", origem, destino)]
    return _da_pasta(origem, destino)


@cache
def _da_pasta(origem: str, destino: str) -> list[tuple[str, ...]]:
    real = os.path.realpath(origem)
    por_baixo = [ponto for ponto in _montadas() if ponto.startswith(real + "/")]
    if por_baixo and os.geteuid() != 0:  # em um espaço de usuários, o núcleo não deixa
        return [("ro-bind", origem, destino)]
    operacoes: list[tuple[str, ...]] = [("camada", real, destino)]
    for montada in por_baixo:  # que uma camada não mostra
        operacao = "camada" if os.path.isdir(montada) else "ro-bind"
        operacoes.append((operacao, montada, destino + montada.removeprefix(real)))
    return operacoes


def como_o_bubblewrap(origem: str, destino: str) -> list[str]:
    vazia = str(vistas() / _VAZIA)
    return ["--overlay-src", vazia, "--overlay-src", origem, "--ro-overlay", destino, "--remount-ro", destino]


@cache
def _montadas() -> list[str]:
    with open("/proc/self/mountinfo") as tabela:
        pontos = {linha.split()[4].encode().decode("unicode_escape") for linha in tabela}
    return sorted(ponto for ponto in pontos if os.access(ponto, os.R_OK))


@cache
def ha(bwrap: str | None) -> bool:
    """O bubblewrap é o 0.11 ou mais novo, e este sistema o deixa fazer camadas? Faz uma de verdade."""
    if bwrap is None:
        return False
    espaco = [] if os.geteuid() == 0 else ["--unshare-user"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        vazia = str(vistas() / _VAZIA)
        ensaio = [bwrap, *espaco, "--ro-bind", "/", "/", "--overlay-src", vazia, "--overlay-src", "/usr"]
        feito = subprocess.run([*ensaio, "--ro-overlay", "/usr", "--", "true"], capture_output=True, timeout=30)
        return feito.returncode == 0
    return False


def lugar_do_programa() -> str:
    """Uma pasta vazia em que se pode montar a do bubblewrap."""
    return str(vistas() / _PROGRAMA)


@cache
def com_o_seu_dev() -> list[str]:
    """O começo do comando da caixa fria que dá a ela os seus terminais, que o bubblewrap não sabe contar, e aparelhos
    em que só se escreve: a hora de um aparelho é a mesma para o computador inteiro.

    Vazio onde não se pode (o AppArmor do Ubuntu só deixa o bubblewrap).
    """
    espaco = ["-m"] if os.geteuid() == 0 else ["-mUr"]
    opcoes = _so_para_ler_a_hora()
    montagens = [f"mount -t devpts -o nosuid,noexec,{TERMINAIS} devpts /dev/pts"]
    montagens += [
        f"mount --bind -o {opcoes} /dev/{nome} /dev/{nome}" for nome in APARELHOS if os.path.exists(f"/dev/{nome}")
    ]
    montar = " && ".join([*montagens, 'exec "$@"'])
    comando = [shutil.which("unshare") or "unshare", *espaco, "--", "/bin/sh", "-c", montar, "sh"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if subprocess.run([*comando, "true"], capture_output=True, timeout=30).returncode == 0:
            return comando
    return []


def _so_para_ler_a_hora() -> str:
    """Só leitura, com o que /dev já proíbe, que em um espaço de usuários não se pode deixar de proibir."""
    with open("/proc/self/mountinfo") as tabela:
        de_dev = [linha.split()[5] for linha in tabela if linha.split()[4] == "/dev"]
    proibe = [opcao for opcao in ("nosuid", "noexec") if de_dev and opcao in de_dev[-1].split(",")]
    return ",".join(["ro", *proibe])
