"""O grupo de controle (cgroup) de uma caixa: um limite de memória que quem vigia é o próprio núcleo.

Há memória que não é de processo algum: a que enche um soquete, um cano ou um arquivo sem disco. Onde se pode fazer um
grupo (como root, ou onde o systemd delega um ramo ao usuário), ela conta no limite dele. Onde não se pode,
juizo/executar.py olha a do computador inteiro.
"""

import contextlib
import math
import subprocess
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_ARVORE, _NOSSO = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
_NOSSOS = "curso-*"  # os nomes dos grupos que se fazem aqui
_VELHO = 60.0  # segundos depois dos quais um grupo vazio não está à espera do seu primeiro processo
_MORTE = 60.0  # segundos pelos processos que já foram mortos
_QUASE = 0.95  # do limite: quem pede mais do que resta morre sem chegar a ele
ENTRAR = 'echo $$ >"$1/cgroup.procs" && shift && '  # em um shell, com a pasta do grupo em $1


class Grupo:
    """Um grupo, que limita a memória de tudo o que entra nele."""

    def __init__(self, pasta: Path):
        self.pasta = pasta

    @classmethod
    def novo(cls, nome: str, memoria: int) -> "Grupo | None":
        """Um grupo com esse nome (`curso-…`) e esse limite, em bytes; None se este computador não deixa fazer um."""
        onde = _onde()
        return None if onde is None else _fazer(onde, nome, memoria)

    def estourou(self) -> bool:
        """O núcleo já matou alguém daqui por passar do limite?"""
        return self._morreu_alguem() and self._chegou_ao_limite()

    def foi_vitima(self) -> bool:
        """Já matou alguém daqui sem que se tivesse chegado ao limite: a memória que faltou foi a do computador."""
        return self._morreu_alguem() and not self._chegou_ao_limite()

    def pico(self) -> float:
        """O máximo de memória que já teve, em bytes; infinito se este núcleo não conta (o memory.peak é do 5.19)."""
        for arquivo in ("memory.peak", "memory.max_usage_in_bytes"):
            if (maximo := self._numero(arquivo)) is not None:
                return maximo
        return math.inf

    def _morreu_alguem(self) -> bool:
        """De qualquer falta de memória: a conta é a mesma para a do grupo e para a do computador."""
        return any(self._conta(arquivo, "oom_kill") for arquivo in ("memory.events", "memory.oom_control"))

    def _chegou_ao_limite(self) -> bool:
        if (esgotado := self._conta("memory.events", "oom")) is not None:
            return esgotado > 0
        # a primeira versão não conta as vezes (o memory.failcnt já não anda), mas sabe o máximo a que se chegou
        limite = self._numero("memory.limit_in_bytes")
        return limite is None or self.pico() >= _QUASE * limite

    def _numero(self, arquivo: str) -> int | None:
        with contextlib.suppress(OSError, ValueError):
            return int((self.pasta / arquivo).read_text())
        return None

    def _conta(self, arquivo: str, nome: str) -> int | None:
        with contextlib.suppress(OSError, ValueError):
            contas = dict(linha.split() for linha in (self.pasta / arquivo).read_text().splitlines())
            return int(contas[nome]) if nome in contas else None
        return None

    def processos(self) -> list[int]:
        """Os que estão nele agora; nenhum, se não se consegue ler."""
        try:
            return [int(pid) for pid in (self.pasta / "cgroup.procs").read_text().split()]
        except (OSError, ValueError):
            return []

    def apagar(self) -> None:
        """Os processos dele já foram mortos; o núcleo pode levar um instante para os tirar daqui."""
        prazo = time.monotonic() + _MORTE
        while self.pasta.is_dir() and time.monotonic() < prazo:
            with contextlib.suppress(OSError):
                self.pasta.rmdir()
                return
            time.sleep(0.01)


def _fazer(onde: Path, nome: str, memoria: int) -> Grupo | None:
    pasta = onde / nome
    try:
        pasta.mkdir()
    except OSError:
        return None
    principal = "memory.max" if (pasta / "memory.max").exists() else "memory.limit_in_bytes"
    outros = {"memory.swap.max": 0, "memory.memsw.limit_in_bytes": memoria, "memory.kmem.tcp.limit_in_bytes": memoria}
    try:
        for arquivo, valor in ({principal: memoria} | outros).items():
            if arquivo == principal or (pasta / arquivo).exists():
                (pasta / arquivo).write_text(str(valor))
    except OSError:
        pasta.rmdir()
        return None
    return Grupo(pasta)


@cache
def _onde() -> Path | None:
    """A pasta em que se fazem grupos, se há uma: põe-se de verdade um processo em um grupo novo."""
    for pasta in _candidatas():
        grupo = _fazer(pasta, f"curso-ensaio-{time.time_ns()}", 2**30)
        if grupo is not None:
            feito = subprocess.run(["/bin/sh", "-c", ENTRAR + ":", "sh", str(grupo.pasta)], capture_output=True)
            grupo.apagar()
            if feito.returncode == 0:
                return pasta
    return None


def _candidatas() -> Iterator[Path]:
    """Na primeira versão dos grupos, o nosso; na segunda, o mais próximo acima dele que reparta a memória."""
    with contextlib.suppress(OSError):
        for linha in _NOSSO.read_text().splitlines():
            _, controles, caminho = linha.split(":", 2)
            if "memory" in controles.split(","):
                yield _ARVORE / "memory" / caminho.lstrip("/")
            elif not controles:
                nosso = _ARVORE / caminho.lstrip("/")
                yield from filter(_reparte_a_memoria, [p for p in (nosso, *nosso.parents) if p.is_relative_to(_ARVORE)])


def _reparte_a_memoria(pasta: Path) -> bool:
    with contextlib.suppress(OSError):
        return "memory" in (pasta / "cgroup.subtree_control").read_text().split()
    return False


def varrer() -> None:
    """Apaga os grupos vazios que uma correção morta à força deixou; um com processos não se deixa apagar."""
    for pasta in (_onde() or Path("/nonexistent")).glob(_NOSSOS):
        with contextlib.suppress(OSError):
            if time.time() - pasta.stat().st_mtime > _VELHO:
                pasta.rmdir()
