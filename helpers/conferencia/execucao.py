"""Chama a função do aluno em cada caso e anota o que ela fez, só com dados: é a evidência.

Quem julga é `helpers.conferencia.juiz`, aqui mesmo ou em outro processo; este módulo não sabe o que é certo.
"""

import contextlib
import ctypes
import inspect
import io
import itertools
import os
import random
import signal
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from helpers.conferencia import flagrante, pistas
from helpers.conferencia.codificacao import codificar, decodificar

PRAZO = 10.0  # segundos de processador por chamada: uma máquina ocupada não custa nada a quem responde
PRAZO_TOTAL = 20.0  # segundos de processador de todas as chamadas de uma conferência
ESPERA = 4  # quantas vezes o prazo se espera, no relógio, por quem não usa o processador (um sleep, um input)
NO_RELOGIO = "EsperaEsgotada"
SEM_TEMPO = ("TempoEsgotado", NO_RELOGIO)  # o prazo acabou: no processador, ou no relógio


class TempoEsgotado(BaseException):
    """Não herda de Exception para que um `except Exception` do aluno não a engula."""


class EsperaEsgotada(TempoEsgotado):
    """O que acabou foi a paciência do relógio: o processador quase não foi usado."""


@dataclass
class Registro:
    """O que aconteceu em uma chamada: uma saída ou um erro, e o que mais se viu."""

    saida: Any = None
    erro: dict | None = None
    alterou: list[int] = field(default_factory=list)  # argumentos em que a função escreveu
    impresso: int = 0  # caracteres na tela
    avisos: list[str] = field(default_factory=list)
    segundos: float = 0.0  # de processador
    testemunha: Any = None  # o que o adaptador de uma questão viu, para quem não confia no que ele disse
    pistas: dict[str, int] = field(default_factory=dict)  # o que se leu no texto da resposta, e em que linha

    def como_dados(self) -> dict:
        return dict(vars(self))  # os campos já são dados: copiá-los um a um custaria mais do que chamar a resposta


def _levantar_adiante(quadro: types.FrameType) -> None:
    """Para o laço cujo `except:` engole tudo: levanta algumas linhas adiante, que uma hora cai fora do try."""
    adiante = random.Random(time.perf_counter_ns()).randrange(1, 12)  # sem tocar na semente do aluno
    anterior = sys.gettrace()

    def rastrear(_quadro: types.FrameType, evento: str, _valor: Any) -> Callable:
        nonlocal adiante
        adiante -= evento == "line"
        if adiante <= 0:
            sys.settrace(anterior)
            raise TempoEsgotado
        return rastrear

    sys.settrace(rastrear)
    quadro.f_trace = rastrear


@contextlib.contextmanager
def _casa_arrumada() -> Iterator[None]:
    """Devolve ao lugar o que a função pode ter mexido: a pasta, o limite de recursão, os avisos do NumPy, o rastro."""
    pasta, limite, rastro = os.getcwd(), sys.getrecursionlimit(), sys.gettrace()
    try:
        with np.errstate():
            yield
    finally:
        sys.settrace(rastro)
        sys.setrecursionlimit(limite)
        with contextlib.suppress(OSError):
            os.chdir(pasta)


@contextlib.contextmanager
def com_prazo(segundos: float) -> Iterator[None]:
    """Interrompe o bloco com TempoEsgotado quando o tempo de processador acaba, ou quando o relógio anda demais."""
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        avisos, valendo = itertools.count(), True

        def estourar(sinal: int, quadro: types.FrameType | None) -> None:
            if not valendo:  # o bloco acabou junto com o prazo: um aviso atrasado deixaria os temporizadores armados
                return
            if next(avisos) % 2 == 0 or quadro is None:
                raise EsperaEsgotada if sinal == signal.SIGALRM else TempoEsgotado
            _levantar_adiante(quadro)

        temporizadores = ((signal.SIGPROF, signal.ITIMER_PROF, 1), (signal.SIGALRM, signal.ITIMER_REAL, ESPERA))
        anteriores = [signal.signal(sinal, estourar) for sinal, _, _ in temporizadores]
        # Repete: um `except:` do aluno pode engolir o primeiro aviso.
        for _, temporizador, vezes in temporizadores:
            signal.setitimer(temporizador, vezes * segundos, 0.1)
        try:
            yield
            valendo = False
        finally:
            valendo = False
            for (sinal, temporizador, _), anterior in zip(temporizadores, anteriores, strict=True):
                signal.setitimer(temporizador, 0)
                signal.signal(sinal, anterior)
        return
    # O Windows não tem esses sinais: pede-se ao interpretador que levante a exceção nesta thread, pelo relógio.
    alvo = ctypes.c_ulong(threading.get_ident())
    relogio = threading.Timer(
        ESPERA * segundos, lambda: ctypes.pythonapi.PyThreadState_SetAsyncExc(alvo, ctypes.py_object(TempoEsgotado))
    )
    relogio.daemon = True
    relogio.start()
    try:
        yield
    finally:
        relogio.cancel()


@contextlib.contextmanager
def _calado() -> Iterator[io.StringIO]:
    """Guarda o que a função mostra (print, barra de progresso, figura) em vez de mostrar."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    sem_display = _sem_display(shell) if shell is not None else contextlib.nullcontext()
    with contextlib.redirect_stdout(io.StringIO()) as texto, contextlib.redirect_stderr(texto), sem_display:
        yield texto


@contextlib.contextmanager
def _sem_display(shell: Any) -> Iterator[None]:
    """Segura também o que vai por display(), como as barras do tqdm.notebook.

    É o que faz o capture_output do IPython, mas com um publicador só: fazer um custa mais do que muita resposta.
    """
    from IPython.core.displayhook import CapturingDisplayHook

    publicador, anteriores = _publicador(), (shell.display_pub, sys.displayhook)
    shell.display_pub, sys.displayhook = publicador, CapturingDisplayHook(shell, [])
    try:
        yield
    finally:
        shell.display_pub, sys.displayhook = anteriores
        publicador.outputs = []


@cache
def _publicador() -> Any:
    from IPython.core.displaypub import CapturingDisplayPublisher

    return CapturingDisplayPublisher()


def _tempo_esgotado(prazo: float, no_relogio: bool = False) -> dict:
    tipo = NO_RELOGIO if no_relogio else "TempoEsgotado"
    mensagem = f"{ESPERA * prazo if no_relogio else prazo:g}"
    return {"tipo": tipo, "bases": [], "mensagem": mensagem, "onde": "", "auxiliar": ""}


def _codificar_saida(saida: Any) -> Any:
    try:
        return codificar(saida)
    except RecursionError:
        return {"outro": "uma lista dentro de outra, sem fim"}
    except Exception:  # um objeto do aluno pode falhar ao ser lido
        return {"outro": f"um valor do tipo {type(saida).__name__}, que não se deixa ler"}


def _chamar(funcao: Callable, entradas: list, registro: Registro, prazo: float) -> None:
    inicio = time.process_time()
    with _casa_arrumada(), warnings.catch_warnings(record=True) as avisos, _calado() as texto:
        warnings.simplefilter("always")
        try:
            with com_prazo(prazo):
                saida = funcao(*entradas)
        except TempoEsgotado as esgotado:
            registro.erro = _tempo_esgotado(prazo, isinstance(esgotado, EsperaEsgotada))
        except KeyboardInterrupt:  # é a pessoa, no botão de parar
            raise
        except BaseException as erro:  # inclusive SystemExit e as que o aluno inventar
            registro.erro = flagrante.anotar(erro)
        else:
            registro.saida = _codificar_saida(saida)
    registro.segundos = round(time.process_time() - inicio, 3)
    registro.impresso = len(texto.getvalue())
    registro.avisos = list(dict.fromkeys(str(a.message)[:200] for a in avisos))[:3]


def executar(
    funcao: Callable,
    casos: list[list],
    prazo: float = PRAZO,
    prazo_total: float = PRAZO_TOTAL,
    resposta: Any = None,
) -> list[Registro]:
    """Chama `funcao` com as entradas de cada caso, uma cópia nova por chamada, e anota tudo.

    Cada caso é uma lista de entradas já codificadas. Quando o tempo de uma chamada, ou o de todas, se esgota, os casos
    seguintes não são chamados. `resposta` é o que o aluno escreveu, que pode ter sido adaptado: dela se leem as pistas.
    """
    registros: list[Registro] = []
    achadas = pistas.procurar(resposta)
    inicio = time.monotonic()
    for entradas_codificadas in casos:
        registro = Registro(pistas=achadas)
        gasto, esperado = sum(r.segundos for r in registros), time.monotonic() - inicio
        if gasto >= prazo_total or esperado >= ESPERA * prazo_total:
            registro.erro = _tempo_esgotado(prazo_total, no_relogio=gasto < prazo_total)
            return [*registros, registro]
        entradas = [decodificar(e, confiavel=True) for e in entradas_codificadas]
        antes = [codificar(e) for e in entradas]
        _chamar(funcao, entradas, registro, min(prazo, prazo_total - gasto))
        registro.testemunha = _codificar_saida(getattr(funcao, "testemunha", None))
        # de funções e geradores só se vê o que são: usá-los é o combinado
        registro.alterou = [i for i, e in enumerate(entradas) if _codificar_saida(e) != antes[i]]
        registros.append(registro)
        if registro.erro and registro.erro["tipo"] in SEM_TEMPO:
            break
    return registros


def aceita(funcao: Callable, quantidade: int) -> bool:
    """A função pode ser chamada com essa quantidade de argumentos por posição?"""
    try:
        inspect.signature(funcao).bind(*[None] * quantidade)
    except TypeError:
        return False
    except ValueError:  # funções em C sem assinatura: só chamando para saber
        return True
    return True
