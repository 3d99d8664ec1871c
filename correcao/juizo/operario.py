"""Um operário: um processo que faz, para quem corrige, o que custa caro (juizo/trabalho.py).

    python -m correcao.juizo.operario DESCRITOR [DESCRITOR DA MÃE] [O QUE ELA IMPORTOU…]

Recebe e devolve dados, em JSON, e não sabe de que aluno são. É do instrutor, como quem corrige: o que é do aluno roda
na caixa que ele faz. Morre com quem o pôs para trabalhar.
"""

import contextlib
import ctypes
import functools
import json
import logging
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any

from correcao.caixa import caixa
from correcao.caixa.conversa import Tarefa
from correcao.caixa.quente import quente
from correcao.comum import memoria
from correcao.juizo import trabalho

_PR_SET_PDEATHSIG = 1


class _Caderneta(logging.Handler):
    """O que se contou durante uma chamada, para quem corrige pôr no registro."""

    def __init__(self) -> None:
        super().__init__()
        self.linhas: list[tuple[int, str]] = []

    def emit(self, registro: logging.LogRecord) -> None:
        self.linhas.append((registro.levelno, self.format(registro)))


def enviar(canal: socket.socket, dado: Any) -> None:
    texto = json.dumps(dado).encode()
    canal.sendall(len(texto).to_bytes(8, "big") + texto)


def receber(canal: socket.socket) -> Any:
    """EOFError se do outro lado já não há ninguém."""
    return json.loads(_ler(canal, int.from_bytes(_ler(canal, 8), "big")))


def _ler(canal: socket.socket, quantos: int) -> bytes:
    partes = bytearray()
    while len(partes) < quantos:
        parte = canal.recv(min(2**20, quantos - len(partes)))
        if not parte:
            raise EOFError
        partes += parte
    return bytes(partes)


def fazer(pedido: dict[str, Any], log: logging.Logger) -> Any:
    """Uma das três coisas que se sabem fazer."""
    dados = pedido["dados"]
    if pedido["o_que"] == "executar":
        caixa.exigir()
        return trabalho.executar(Tarefa.de_dados(dados), log).para_dados()
    if pedido["o_que"] == "sortear":
        return trabalho.sortear(dados["questoes"], dados["semente"])
    return trabalho.julgar([tuple(par) for par in dados["evidencias"]], dados["semente"])


def atender(fazer: Callable[[logging.Logger], Any]) -> dict[str, Any]:
    """O que se fez, como dados: {"resultado"} ou {"erro"}, e o que se contou no caminho."""
    log, caderneta = logging.getLogger("operario"), _Caderneta()
    log.addHandler(caderneta)
    try:
        resposta: dict[str, Any] = {"resultado": fazer(log)}
    except Exception as erro:
        resposta = {"erro": {"tipo": type(erro).__name__, "texto": str(erro), "rastro": traceback.format_exc()}}
    finally:
        log.removeHandler(caderneta)
    return resposta | {"registro": caderneta.linhas}


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # quem decide parar é quem corrige
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    canal = socket.socket(fileno=int(sys.argv[1]))
    if len(sys.argv) > 2:
        quente.herdar(int(sys.argv[2]), sys.argv[3:])
    caixa.dar_por_conferida()  # já o fez quem corrige, antes de chamar os operários
    while True:
        try:
            pedido = receber(canal)
            # Também a conversa: o zmq acaba com o processo a que falta memória, e este se troca. Sem a caixa, o limite
            # seria também o do kernel, que nasce daqui.
            with contextlib.nullcontext() if caixa.sem_isolamento() else memoria.limitada():
                resposta = atender(functools.partial(fazer, pedido))
            enviar(canal, resposta)
        except (EOFError, OSError):  # de `fazer` nenhum erro sai: quem corrige é que morreu
            os._exit(0)


if __name__ == "__main__":
    main()
