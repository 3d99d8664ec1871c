"""A oficina: várias entregas ao mesmo tempo, em tantos operários quantos couberem neste computador.

Cada entrega que anda tem aqui uma thread, que percorre com ela o caminho do nbgrader. Só uma thread por vez anda nesse
caminho, que é onde está o livro de notas; as outras esperam por um operário (juizo/operario.py), que é onde o tempo
se gasta. Um operário que morre é trocado, e o que ele fazia começa de novo. Com um cluster (juizo/cluster), as
entregas rodam lá, e os operários só sorteiam, julgam e rodam o que precisa rodar sozinho.
"""

import contextlib
import logging
import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import psutil

from correcao.caixa import caixa
from correcao.caixa.conversa import Resultado, Tarefa
from correcao.caixa.quente import quente
from correcao.juizo import trabalho
from correcao.juizo.cluster.cluster import Cluster, FacaAqui, SemCluster
from correcao.juizo.operario import enviar, receber
from helpers import RAIZ

_POR_CAIXA = 2**30  # bytes de memória para cada entrega que roda; quem usa mais e não cabe roda outra vez, sozinho
_VIDAS = 3  # operários que podem morrer com a mesma tarefa
T = TypeVar("T")


class DefeitoNoOperario(RuntimeError):
    """Um erro nosso em um operário, com o rastro que ele deixou lá."""


def quantos_cabem(entregas: int) -> int:
    """Um por núcleo, se há memória e entregas para tantos."""
    nucleos = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(nucleos, entregas, psutil.virtual_memory().available // _POR_CAIXA))


class Portao:
    """Por onde passa quem vai rodar: muitos de cada vez, ou um sozinho."""

    def __init__(self) -> None:
        self._mudou = threading.Condition()
        self._dentro, self._esperam = 0, 0

    @contextlib.contextmanager
    def com_outros(self) -> Iterator[None]:
        with self._mudou:
            self._mudou.wait_for(lambda: self._dentro >= 0 and not self._esperam)
            self._dentro += 1
        try:
            yield
        finally:
            with self._mudou:
                self._dentro -= 1
                self._mudou.notify_all()

    @contextlib.contextmanager
    def sozinho(self) -> Iterator[None]:
        with self._mudou:
            self._esperam += 1  # quem chega depois espera: senão nunca se ficaria sozinho
            self._mudou.wait_for(lambda: self._dentro == 0)
            self._dentro, self._esperam = -1, self._esperam - 1
        try:
            yield
        finally:
            with self._mudou:
                self._dentro = 0
                self._mudou.notify_all()


class Oficina:
    """Os operários de uma correção, a mãe deles e a vez de mexer no livro de notas. É onde cada thread trabalha."""

    def __init__(self, quantos: int, receita: frozenset[str], cluster: Cluster | None = None):
        self.quantos, self.portao, self.parou = quantos, Portao(), threading.Event()
        self.cluster = cluster
        self.sem_cluster: SemCluster | None = None  # por que ele se perdeu no meio
        self.daqui: set[Any] = set()  # as entregas que, havendo um cluster, rodaram neste computador
        self.vez = threading.Lock()
        self.frias: set[str] = set()  # por que alguma entrega rodou na caixa fria
        self.mae: quente.Mae | None = None
        with contextlib.suppress(quente.SemQuente):
            if not caixa.sem_isolamento():
                self.mae = quente.mae(receita)
        self._operarios: list[Operario] = []
        self._livres: queue.SimpleQueue[Operario] = queue.SimpleQueue()
        self._desta_thread = threading.local()

    def fazer(self, tarefas: list[T], fazer: Callable[[T, int], Any], feita: Callable[[], Any]) -> dict[T, Any]:
        """`fazer(tarefa, número da thread)` de cada uma; para no primeiro erro, sem deixar ninguém trabalhando."""
        fila: queue.SimpleQueue[T] = queue.SimpleQueue()
        for tarefa in tarefas:
            fila.put(tarefa)
        prontas: queue.SimpleQueue[tuple[T | None, Any]] = queue.SimpleQueue()
        # Os operários morrem com a thread que os fez: quem os faz é esta, que espera por todos.
        self._operarios = [Operario(self) for _ in range(quantos_cabem(self.quantos) if self.cluster else self.quantos)]
        for operario in self._operarios:
            self._livres.put(operario)
        threads = [
            threading.Thread(target=self._trabalhar, args=(i, fila, fazer, prontas), daemon=True)
            for i in range(self.quantos)
        ]
        for thread in threads:
            thread.start()
        resultados: dict[T, Any] = {}
        try:
            while len(resultados) < len(tarefas):
                with contextlib.suppress(queue.Empty):
                    qual, resultado = prontas.get(timeout=0.2)  # sem prazo, o Ctrl-C esperaria
                    if qual is None:
                        raise self.sem_cluster or resultado
                    resultados[qual] = resultado
                    feita()
                self._trocar_os_mortos()
        finally:
            self.parou.set()
            for operario in self._operarios:
                operario.dispensar()
            if self.cluster:
                self.cluster.fechar()
            for thread in threads:
                thread.join(timeout=30)
        return resultados

    def _trabalhar(self, i: int, fila: Any, fazer: Callable[[T, int], Any], prontas: Any) -> None:
        trabalho.trabalhar_em(self)
        if self.cluster is None:  # quem julga uma entrega é quem sorteou para ela, e ainda tem o sorteio à mão
            self._desta_thread.operario = self._operarios[i]
        while not self.parou.is_set():
            try:
                tarefa = fila.get_nowait()
            except queue.Empty:
                return
            self._desta_thread.entrega = tarefa
            try:
                with self.vez:
                    prontas.put((tarefa, fazer(tarefa, i)))
            except BaseException as erro:
                prontas.put((None, erro))
                return

    def _trocar_os_mortos(self) -> None:
        for operario in self._operarios:
            operario.renascer_se_preciso()

    @contextlib.contextmanager
    def fora_da_vez(self) -> Iterator[None]:
        """Enquanto se espera por um operário, outra entrega pode andar."""
        self.vez.release()
        try:
            yield
        finally:
            self.vez.acquire()
            # o nbgrader a pôs, e vai tirá-la sem olhar: outra thread já o pode ter feito
            os.environ["NBGRADER_EXECUTION"] = "autograde"

    # ------------------------------------------------------------ o que se lhe pede (trabalho.Trabalho)

    def sortear(self, questoes: list[str], semente: int) -> dict[str, Any]:
        with self.fora_da_vez():
            return self._pedir("sortear", {"questoes": questoes, "semente": semente})

    def executar(self, tarefa: Tarefa, log: logging.Logger) -> Resultado:
        with self.fora_da_vez():
            resultado = self._no_cluster(tarefa, log) or self._aqui(tarefa, log)
        if resultado.fria:
            self.frias.add(resultado.fria)
        return resultado

    def julgar(self, evidencias: list[tuple[str, str]], semente: int) -> list[dict[str, Any]]:
        with self.fora_da_vez():
            return self._pedir("julgar", {"evidencias": evidencias, "semente": semente})

    def _no_cluster(self, tarefa: Tarefa, log: logging.Logger) -> Resultado | None:
        """None se é para rodar aqui: sozinha só se está neste computador, em que nada mais roda."""
        if self.cluster is None or tarefa.sozinha:
            return None
        try:
            return self.cluster.executar(tarefa, log, self.parou)
        except FacaAqui as porque:
            log.warning("A entrega não rodou no cluster, e roda neste computador: %s", porque)
            self.daqui.add(self._desta_thread.entrega)  # ela pode rodar duas vezes
            return None
        except SemCluster as erro:  # não é só desta entrega: para tudo, como um Ctrl-C
            self.sem_cluster = erro
            raise KeyboardInterrupt from None

    def _aqui(self, tarefa: Tarefa, log: logging.Logger) -> Resultado:
        with self.portao.sozinho() if tarefa.sozinha else self.portao.com_outros():
            return Resultado(**self._pedir("executar", tarefa.para_dados(), log))

    def _pedir(self, o_que: str, dados: Any, log: logging.Logger | None = None) -> Any:
        """Ao operário desta thread, ou a um livre; fora da vez, porque quem tem um pode estar esperando por ela."""
        if proprio := getattr(self._desta_thread, "operario", None):
            return proprio.pedir(o_que, dados, log)
        operario = self._livres.get()
        try:
            return operario.pedir(o_que, dados, log)
        finally:
            self._livres.put(operario)


class Operario:
    """O lado de cá de um operário."""

    def __init__(self, oficina: Oficina):
        self.oficina = oficina
        self._precisa_renascer, self._pronto = threading.Event(), threading.Event()
        self._nascer()

    def _nascer(self) -> None:
        self.canal, de_la = socket.socketpair()
        mae = self.oficina.mae
        with de_la:
            descritores = [de_la.fileno(), *([mae.controle.fileno()] if mae else [])]
            argumentos = [*map(str, descritores), *sorted(mae.receita if mae else ())]
            self.processo = subprocess.Popen(
                [sys.executable, "-m", "correcao.juizo.operario", *argumentos],
                pass_fds=descritores,
                cwd=RAIZ,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
            )
        self._precisa_renascer.clear()
        self._pronto.set()

    def renascer_se_preciso(self) -> None:
        """Chamada pela thread que faz os operários."""
        if self._precisa_renascer.is_set():
            self._largar()
            self._nascer()

    def _largar(self) -> None:
        self.canal.close()
        self.processo.kill()
        self.processo.wait()

    def dispensar(self) -> None:
        with contextlib.suppress(OSError):
            self.canal.shutdown(socket.SHUT_RDWR)
        self.processo.kill()
        self.processo.wait()
        self._pronto.set()

    def pedir(self, o_que: str, dados: Any, log: logging.Logger | None = None) -> Any:
        for _ in range(_VIDAS):
            self._pronto.wait()
            if self.oficina.parou.is_set():
                raise KeyboardInterrupt
            try:
                enviar(self.canal, {"o_que": o_que, "dados": dados})
                resposta = receber(self.canal)
            except (EOFError, OSError):  # morreu, ou foi dispensado
                self._pronto.clear()
                self._precisa_renascer.set()
                if self.oficina.parou.is_set():
                    raise KeyboardInterrupt from None
                continue
            return self._entender(resposta, log)
        raise DefeitoNoOperario(f"{_VIDAS} operários morreram ao {o_que} esta entrega")

    @staticmethod
    def _entender(resposta: dict[str, Any], log: logging.Logger | None) -> Any:
        for nivel, linha in resposta["registro"]:
            (log or logging.getLogger("correcao")).log(nivel, "%s", linha)
        if erro := resposta.get("erro"):
            if erro["tipo"] == "SemCaixa":
                raise caixa.SemCaixa(erro["texto"])
            raise DefeitoNoOperario(f"{erro['texto']}\n{erro['rastro']}")
        return resposta["resultado"]
