"""A caixa quente: um processo-mãe (quente/mae.py) já importou o que as listas importam, e cada kernel é filho dele.

Daqui a mãe só recebe, a cada pedido, um descritor; a descrição da caixa vai por ele, direto à filha. A mãe que morre,
ou que deixa de ter uma thread só, é trocada por outra; os pedidos que estavam na fila esperam pela nova.
"""

import contextlib
import json
import os
import re
import select
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable
from functools import cache
from typing import Any

from correcao.caixa import caixa
from helpers import RAIZ
from helpers.indice import com_torch, listas
from helpers.substitutos import USA_TORCH

QUAL = "CURSO_CAIXA"  # variável de ambiente: "fria" para não usar a quente
_PROGRAMA = RAIZ / "correcao" / "caixa" / "quente" / "mae.py"
_DO_PYTHON = ("PYTHONHASHSEED",)  # se o instrutor a quer, é ao nascer que o Python a lê; fora ela, o ambiente é vazio
_NASCER = 300.0  # segundos pela mãe, que importa tudo na primeira vez
_MORRER = 60.0  # segundos por uma caixa que já se mandou matar
_TENTATIVAS = 2  # uma mãe pode morrer com o pedido na mão
_MORTES, _PERIODO = 3, 60.0  # quantas mães podem morrer, e em quantos segundos, antes que se desista delas


class SemQuente(RuntimeError):
    """A caixa quente não se faz; o texto diz por quê. Usa-se a fria."""


class Filha:
    """Uma caixa quente com o seu kernel, com o que o jupyter_client usa de um subprocess.Popen."""

    stdin = stdout = stderr = None
    returncode: int | None = None

    def __init__(self, canal: socket.socket):
        self._canal, self._lido = canal, b""
        dito = self._ouvir(time.monotonic() + _NASCER)
        if dito is None or "pid" not in dito:
            canal.close()
            raise SemQuente((dito or {}).get("erro") or "a mãe não respondeu")
        self.pid: int = dito["pid"]

    def poll(self) -> int | None:
        if self.returncode is None:
            self._ver_se_acabou(time.monotonic())
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        prazo = None if timeout is None else time.monotonic() + timeout
        while self.returncode is None:
            self._ver_se_acabou(time.monotonic() + 1)
            if prazo is not None and time.monotonic() > prazo and self.returncode is None:
                raise subprocess.TimeoutExpired("caixa quente", timeout or 0)
        return self.returncode

    def kill(self) -> None:
        """Fechado o nosso lado do canal, o vigia mata a caixa, e diz quando ela acabou."""
        if self.returncode is None:
            with contextlib.suppress(OSError):
                self._canal.shutdown(socket.SHUT_WR)
            self._ver_se_acabou(time.monotonic() + _MORRER)

    terminate = kill

    def send_signal(self, sinal: int) -> None:
        """O kernel interrompe-se por mensagem: um sinal só pode ser o de acabar."""
        self.kill()

    def _ver_se_acabou(self, prazo: float) -> None:
        try:
            dito = self._ouvir(prazo)
        except TimeoutError:
            return
        # se o vigia morreu sem dizer nada, foi à força, e a caixa com ele
        self.returncode = -9 if dito is None else int(dito["codigo"])
        self._canal.close()

    def _ouvir(self, prazo: float) -> dict[str, Any] | None:
        """A próxima linha do vigia; None se ele já não está lá. TimeoutError se não disse nada até o prazo."""
        while b"\n" not in self._lido:
            if not select.select([self._canal], [], [], max(0.0, prazo - time.monotonic()))[0]:
                raise TimeoutError
            try:
                parte = self._canal.recv(65536)
            except OSError:
                parte = b""
            if not parte:
                return None
            self._lido += parte
        linha, self._lido = self._lido.split(b"\n", 1)
        return json.loads(linha)


class Mae:
    """O processo-mãe, ou o lado de cá dele em um operário, que o herda de quem o pôs para rodar."""

    def __init__(self, controle: socket.socket, receita: Iterable[str] = (), herdada: bool = False):
        self.controle, self.receita = controle, frozenset(receita)
        # a herdada importou o mesmo que quem a herda, que já não lê os módulos outra vez
        self.impressao = None if herdada else impressao()
        self.queixa = ""  # por que não há mãe
        self._processo: subprocess.Popen | None = None
        self._do_lado_de_la: socket.socket | None = None
        self._fim = threading.Event()

    @classmethod
    def nova(cls, receita: Iterable[str]) -> "Mae":
        daqui, de_la = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        mae = cls(daqui, receita)
        mae._do_lado_de_la = de_la
        # A mãe morre com a thread que a fez, e por isso quem a faz é a que cuida dela enquanto vive.
        threading.Thread(target=mae._cuidar, daemon=True, name="mae").start()
        return mae

    def pedir(self, descricao: dict[str, Any], descritores: list[int]) -> Filha:
        """Uma caixa com um kernel; SemQuente se ela não se faz."""
        for tentativa in range(1, _TENTATIVAS + 1):
            try:
                return self._pedir(descricao, descritores)
            except (OSError, SemQuente) as erro:
                if self.queixa or tentativa == _TENTATIVAS:
                    raise SemQuente(self.queixa or str(erro) or "a mãe não respondeu a tempo") from None
        raise AssertionError

    def _pedir(self, descricao: dict[str, Any], descritores: list[int]) -> Filha:
        if self.queixa:
            raise SemQuente(self.queixa)
        canal, dela = socket.socketpair()
        try:
            with dela:
                socket.send_fds(self.controle, [b"x"], [dela.fileno()])
            texto = json.dumps(descricao).encode()
            socket.send_fds(canal, [len(texto).to_bytes(4, "big")], descritores)
            canal.sendall(texto)
            return Filha(canal)
        except BaseException:
            canal.close()
            raise

    def serve_para(self, quer: Iterable[str]) -> bool:
        """Já importou tudo isto, e o que importou do curso não mudou? (O formgrader fica aberto dias.)"""
        return self.receita >= set(quer) and (self.impressao is None or self.impressao == impressao())

    def fechar(self) -> None:
        self._fim.set()
        if self._processo is not None:
            self._processo.kill()
        self.controle.close()

    def _cuidar(self) -> None:
        assert self._do_lado_de_la is not None
        mortes: deque[float] = deque(maxlen=_MORTES)
        with self._do_lado_de_la as de_la:
            while not self._fim.is_set():
                try:
                    self._processo = self._nascer(de_la.fileno())
                    ditas = self._processo.communicate()[1].decode(errors="replace").strip()
                except OSError as erro:
                    ditas = str(erro)
                if self._processo is None or self._processo.returncode != 0:
                    mortes.append(time.monotonic())
                if len(mortes) == _MORTES and mortes[-1] - mortes[0] < _PERIODO:
                    self.queixa = ditas[-300:] or "a mãe morreu várias vezes"
                    return
                while not self._fim.is_set() and not select.select([de_la], [], [], 1.0)[0]:
                    pass  # até que alguém precise de outra

    def _nascer(self, descritor: int) -> subprocess.Popen:
        programa = [sys.executable, "-I", str(_PROGRAMA), str(descritor), str(caixa.pasta_das_fontes())]
        nada = subprocess.DEVNULL
        return subprocess.Popen(
            [*programa, *sorted(self.receita)],
            env={nome: os.environ[nome] for nome in _DO_PYTHON if nome in os.environ},
            cwd="/",
            pass_fds=(descritor,),
            start_new_session=True,
            stdin=nada,
            stdout=nada,
            stderr=subprocess.PIPE,
        )


TUDO = ("torch", "otimizadores", "controles", "llm")  # o que uma receita pode ter
_LISTA = re.compile(r"""["'](lista-\d\d)/""")  # em conferir("lista-02/softmax", softmax)
_DE_MINHAS = re.compile(r"^\s*from helpers\.minhas import ([^#\n]+)", re.M)


def receita(codigo: str) -> frozenset[str]:
    """O que vale a pena já ter importado para rodar uma lista com este código."""
    de_minhas = set(re.findall(r"\w+", " ".join(_DE_MINHAS.findall(codigo))))
    torch = {"torch"} if USA_TORCH.search(codigo) or de_minhas & com_torch() else set()
    controles = {"controles"} if "helpers.explorar" in codigo else set()
    conferidas = set(_LISTA.findall(codigo))
    das_listas = {coisa for nome, lista in listas().items() if nome in conferidas for coisa in lista.aquecer}
    return frozenset(torch | controles | das_listas)


def receita_do_pedido(pedido: str | None) -> frozenset[str]:
    """A da lista das questões do pedido, como foi dada à turma: a de uma entrega é o aluno quem escreve, e um
    comentário dele faria nascer outra mãe, com o torch e o LLM."""
    achada = re.search(r'"(lista-\d\d)/', pedido or "")
    return _receita_da_lista(achada.group(1)) if achada else frozenset()


@cache
def _receita_da_lista(lista: str) -> frozenset[str]:
    cadernos = [json.loads(p.read_bytes()) for p in (RAIZ / "release").glob(f"{lista}-*/{lista}-*.ipynb")]
    return receita("\n".join("".join(c["source"]) for n in cadernos for c in n["cells"] if c["cell_type"] == "code"))


_DESTE_PROCESSO: list[Mae] = []
_TRAVA = threading.Lock()


def herdar(descritor: int, receita: Iterable[str]) -> None:
    """Em um operário: a mãe é a que já está do outro lado deste descritor."""
    _DESTE_PROCESSO[:] = [Mae(socket.socket(fileno=descritor), receita, herdada=True)]


def mae(quer: Iterable[str]) -> Mae:
    """A deste processo, com pelo menos isto importado; SemQuente se não a deve haver."""
    if os.environ.get(QUAL) == "fria":
        raise SemQuente("pediu-se a fria")
    if porque := _por_que_nao():
        raise SemQuente(porque)
    with _TRAVA:
        if not _DESTE_PROCESSO or not _DESTE_PROCESSO[0].serve_para(quer):
            fechar()
            _DESTE_PROCESSO.append(Mae.nova(quer))
        return _DESTE_PROCESSO[0]


def fechar() -> None:
    while _DESTE_PROCESSO:
        _DESTE_PROCESSO.pop().fechar()


def _por_que_nao() -> str | None:
    if not sys.platform.startswith("linux") or not hasattr(os, "pidfd_open"):
        return "só existe no Linux"
    return None


def impressao() -> float:
    """Muda quando mudam os módulos que a mãe importou do curso."""
    nomes = ((pasta, nome) for pasta, _, nomes in os.walk(RAIZ / "helpers") for nome in nomes if nome.endswith(".py"))
    return max((os.stat(f"{pasta}/{nome}").st_mtime for pasta, nome in nomes), default=0.0)
