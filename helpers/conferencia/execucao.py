"""Chama a função do aluno em cada caso e anota o que ela fez, só com dados: é a evidência.

Quem julga é `helpers.conferencia.juiz`, aqui mesmo ou em outro processo; este módulo não sabe o que é certo.
"""

import contextlib
import ctypes
import inspect
import io
import itertools
import json
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
from helpers.conferencia.por_escrever import Lixo, sem_sorte

# Segundos de processador: uma máquina ocupada não custa nada a quem responde. A página Como funciona uma lista diz os
# dois. A resposta certa mais lenta do banco gasta 1,2 s, que são do torch, na primeira vez que se usa uma camada dele.
PRAZO = 10.0  # de uma chamada
PRAZO_TOTAL = 20.0  # de todas as chamadas de uma conferência
ESPERA = 4.0  # quantas vezes o prazo se espera, no relógio, por quem não usa o processador (um sleep, um input)
QUASE_NADA = 0.02  # a fração do relógio: quem gasta menos está parado; quem só espera a sua vez gasta mais
NO_RELOGIO = "EsperaEsgotada"
_INSISTIR = (0.1, 0.1)  # segundos até o próximo aviso: um `except:` do aluno pode engolir o primeiro
SEM_TEMPO = ("TempoEsgotado", NO_RELOGIO)  # o prazo acabou: no processador, ou no relógio


class TempoEsgotado(BaseException):
    """Não herda de Exception para que um `except Exception` do aluno não a engula."""


class EsperaEsgotada(TempoEsgotado):
    """A função está parada: o relógio andou e o processador quase não foi usado."""


def parado(gasto: float, relogio: float) -> bool:
    """Com esses segundos de processador, em tantos de relógio, quase nada foi feito?"""
    return gasto < QUASE_NADA * relogio


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
def com_prazo(segundos: float, trecho: float = ESPERA * PRAZO) -> Iterator[None]:
    """Interrompe o bloco: com TempoEsgotado quando gasta `segundos` de processador; com EsperaEsgotada se fica parado.

    Parado é quem quase não usou o processador em um trecho do relógio, de tantos segundos. Em uma máquina ocupada um
    trecho rende menos, e o que se diz é o mesmo.
    """
    with _atendendo() as com_sinais, (_por_sinais if com_sinais else _por_outra_thread)(segundos, trecho):
        yield


_AVISAR: list[Callable[[int, types.FrameType | None], None]] = []  # quem quer saber de um sinal: o prazo que corre


@contextlib.contextmanager
def _atendendo() -> Iterator[bool]:
    """Atende, por todo o bloco, os sinais dos prazos que houver nele; False onde não há sinais.

    Trocar quem os atende a cada chamada custa mais do que muita resposta.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield False
    elif _AVISAR:  # já se atendem
        yield True
    else:
        _AVISAR.append(_ninguem)
        anteriores = [(sinal, signal.signal(sinal, _atender)) for sinal in (signal.SIGPROF, signal.SIGALRM)]
        try:
            yield True
        finally:
            for temporizador in (signal.ITIMER_PROF, signal.ITIMER_REAL):
                signal.setitimer(temporizador, 0)  # um que ficasse armado acabaria com o processo
            for sinal, anterior in anteriores:
                signal.signal(sinal, anterior)
            _AVISAR.clear()


def _atender(sinal: int, quadro: types.FrameType | None) -> None:
    _AVISAR[-1](sinal, quadro)


def _ninguem(sinal: int, quadro: types.FrameType | None) -> None:
    """Um aviso atrasado, de um bloco que acabou junto com o prazo."""


@contextlib.contextmanager
def _por_sinais(segundos: float, trecho: float) -> Iterator[None]:
    avisos, gasto = itertools.count(), time.process_time()

    def estourar(sinal: int, quadro: types.FrameType | None) -> None:
        nonlocal gasto
        if sinal == signal.SIGALRM:
            antes, gasto = gasto, time.process_time()
            if not parado(gasto - antes, trecho):
                return
            signal.setitimer(signal.ITIMER_REAL, *_INSISTIR)
        if next(avisos) % 2 == 0 or quadro is None:
            raise EsperaEsgotada if sinal == signal.SIGALRM else TempoEsgotado
        _levantar_adiante(quadro)

    _AVISAR.append(estourar)
    try:
        signal.setitimer(signal.ITIMER_PROF, segundos, _INSISTIR[1])
        signal.setitimer(signal.ITIMER_REAL, trecho, trecho)
        yield
        _AVISAR[-1] = _ninguem  # um aviso atrasado deixaria os temporizadores armados
    finally:
        _AVISAR[-1] = _ninguem
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _AVISAR.pop()


@contextlib.contextmanager
def _por_outra_thread(segundos: float, trecho: float) -> Iterator[None]:
    """O Windows não tem esses sinais: outra thread olha o processador, e o interpretador levanta a exceção nesta."""
    alvo, acabou = ctypes.c_ulong(threading.get_ident()), threading.Event()

    def vigiar() -> None:
        comeco = antes = time.process_time()
        fim_do_trecho, que = time.monotonic() + trecho, None
        while not acabou.wait(_INSISTIR[0]):
            gasto, agora = time.process_time(), time.monotonic()
            if gasto - comeco >= segundos:
                que = que or TempoEsgotado
            elif agora >= fim_do_trecho:
                que = que or (EsperaEsgotada if parado(gasto - antes, trecho) else None)
                antes, fim_do_trecho = gasto, agora + trecho
            if que and not acabou.is_set():
                ctypes.pythonapi.PyThreadState_SetAsyncExc(alvo, ctypes.py_object(que))

    threading.Thread(target=vigiar, daemon=True).start()
    try:
        try:
            yield
        finally:
            acabou.set()
    finally:  # outra vez: a exceção pode ter chegado na linha de cima
        acabou.set()


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


def _tempo_esgotado(segundos: float, no_relogio: bool = False, ao_todo: bool = False) -> dict:
    tipo = NO_RELOGIO if no_relogio else "TempoEsgotado"
    mensagem = f"{segundos:g}{' ao todo' if ao_todo else ''}"
    return {"tipo": tipo, "bases": [], "mensagem": mensagem, "onde": "", "auxiliar": ""}


def _codificar_saida(saida: Any) -> Any:
    try:
        return codificar(saida)
    except RecursionError:
        return {"outro": "uma lista dentro de outra, sem fim"}
    except Exception:  # um objeto do aluno pode falhar ao ser lido
        return {"outro": f"um valor do tipo {type(saida).__name__}, que não se deixa ler"}


def _chamar(
    funcao: Callable, entradas: list, registro: Registro, prazo: float, trecho: float, texto: io.StringIO
) -> None:
    inicio = time.process_time()
    with _casa_arrumada(), warnings.catch_warnings(record=True) as avisos:
        warnings.simplefilter("always")
        texto.seek(0)
        texto.truncate()
        sys.stdout = sys.stderr = texto  # a chamada anterior pode ter posto outra coisa
        try:
            with com_prazo(prazo, trecho):
                saida = funcao(*entradas)
        except EsperaEsgotada:
            registro.erro = _tempo_esgotado(trecho, no_relogio=True)
        except TempoEsgotado:
            registro.erro = _tempo_esgotado(prazo)
        except KeyboardInterrupt:  # é a pessoa, no botão de parar
            raise
        except BaseException as erro:  # inclusive SystemExit e as que o aluno inventar
            registro.erro = flagrante.anotar(erro)
        else:
            registro.saida = _codificar_saida(saida)
    registro.segundos = round(time.process_time() - inicio, 3)
    registro.impresso = len(texto.getvalue())
    registro.avisos = list(dict.fromkeys(str(a.message)[:200] for a in avisos))[:3]


def _procurar_a_memoria(
    funcao: Callable, entradas: list, registro: Registro, lixo: Lixo, prazo: float, texto: io.StringIO
) -> float:
    """Com outra coisa no que não foi escrito, a resposta muda? Então é isso que ela lê, e se anota a linha."""
    outro, linha = Registro(), lixo.linha
    lixo.limpo = True
    try:
        _chamar(funcao, [decodificar(e, confiavel=True) for e in entradas], outro, prazo, ESPERA * PRAZO, texto)
    finally:
        lixo.limpo, lixo.linha = False, 0
    if json.dumps([outro.saida, bool(outro.erro)]) != json.dumps([registro.saida, bool(registro.erro)]):
        registro.pistas = registro.pistas | {pistas.MEMORIA: linha}
    return outro.segundos


def executar(
    funcao: Callable,
    casos: list[list],
    prazo: float = PRAZO,
    prazo_total: float = PRAZO_TOTAL,
    resposta: Any = None,
    espera: float = ESPERA,
) -> list[Registro]:
    """Chama `funcao` com as entradas de cada caso, uma cópia nova por chamada, e anota tudo.

    Cada caso é uma lista de entradas já codificadas. Quando o tempo de uma chamada, ou o de todas, se esgota, os casos
    seguintes não são chamados. `resposta` é o que o aluno escreveu, que pode ter sido adaptado: dela se leem as pistas.
    """
    registros: list[Registro] = []
    achadas = pistas.procurar(resposta)
    resta, parada = prazo_total, espera * prazo_total
    # por todas as chamadas: a cada uma, custariam mais do que ela
    with _atendendo(), _calado() as texto, sem_sorte(resposta) as lixo:
        for entradas_codificadas in casos:
            registro = Registro(pistas=achadas)
            if resta <= 0 or parada <= 0:
                no_relogio = resta > 0
                ao_todo = espera * prazo_total if no_relogio else prazo_total
                registro.erro = _tempo_esgotado(ao_todo, no_relogio, ao_todo=True)
                return [*registros, registro]
            entradas = [decodificar(e, confiavel=True) for e in entradas_codificadas]
            antes = [codificar(e) for e in entradas]
            inicio = time.monotonic()
            _chamar(funcao, entradas, registro, min(prazo, resta), espera * prazo, texto)
            relogio = time.monotonic() - inicio
            if registro.erro and registro.erro["tipo"] == "TempoEsgotado" and resta < prazo:
                registro.erro = _tempo_esgotado(prazo_total, ao_todo=True)
            resta -= registro.segundos
            parada -= relogio if parado(registro.segundos, relogio) else 0.0
            registro.testemunha = _codificar_saida(getattr(funcao, "testemunha", None))
            # de funções e geradores só se vê o que são: usá-los é o combinado
            registro.alterou = [i for i, e in enumerate(entradas) if _codificar_saida(e) != antes[i]]
            registros.append(registro)
            if registro.erro and registro.erro["tipo"] in SEM_TEMPO:
                break
            if lixo is not None and lixo.linha:
                resta -= _procurar_a_memoria(funcao, entradas_codificadas, registro, lixo, min(prazo, resta), texto)
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
