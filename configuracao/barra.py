"""Roda o uv, o pip ou o venv com a saída no diário e uma barra em português na tela."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from configuracao.frases import Aviso, explicar
from configuracao.lugares import CACHE, DIARIO, RAIZ, WINDOWS

# Diz, do que o programa já escreveu, quanto foi feito (de 0 a 1, ou None) e em palavras.
Medida = Callable[[Sequence[str]], tuple[float | None, str]]


def acompanhar(
    comando: Sequence[str], rotulo: str, aberta: IO[str], variaveis: Mapping[str, str], medida: Medida | None = None
) -> None:
    """Roda o comando até o fim; se falhar, diz a causa numa frase."""
    # o filho herda a trava: se esta janela morrer, a próxima ainda espera a instalação acabar
    herdados: dict[str, Any] = {} if WINDOWS else {"pass_fds": (aberta.fileno(),)}
    filho = subprocess.Popen(
        comando,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        cwd=RAIZ,
        env={**variaveis, "PYTHONUNBUFFERED": "1"},
        **herdados,
    )
    linhas: list[str] = []
    barra = Barra(rotulo, medida)
    leitor = threading.Thread(target=guardar, args=(filho.stdout, linhas), daemon=True)
    leitor.start()
    try:
        while leitor.is_alive():
            barra.mostrar(linhas)
            leitor.join(0.2)
        barra.fim(filho.wait())
    except KeyboardInterrupt:
        parar(filho)
        raise Aviso(
            "\nInstalação interrompida; o que já foi feito fica guardado: rode o mesmo comando de novo e ela continua.",
            130,
        ) from None
    if filho.returncode:
        raise explicar("".join(linhas))


def guardar(saida: IO[bytes], linhas: list[str]) -> None:
    with open(DIARIO, "a", encoding="utf-8") as diario:
        for bruta in saida:
            linhas.append(bruta.decode("utf-8", "replace"))
            with contextlib.suppress(OSError):  # disco cheio: a causa ainda está em `linhas`
                diario.write(linhas[-1])
                diario.flush()


def parar(filho: "subprocess.Popen[bytes]") -> None:
    if not WINDOWS:
        filho.send_signal(signal.SIGINT)
    try:
        filho.wait(10)
    except subprocess.TimeoutExpired:
        filho.kill()
        filho.wait()


class Barra:
    """`Instalando os pacotes [#####-----] 213 de 395 MB, 18 s`, sempre na mesma linha do terminal."""

    def __init__(self, rotulo: str, medida: Medida | None):
        self.rotulo, self.medida = rotulo, medida
        self.inicio, self.viva = time.time(), sys.stdout.isatty()
        if not self.viva:
            print(f"{rotulo}…", flush=True)

    def mostrar(self, linhas: Sequence[str]) -> None:
        if not self.viva:
            return
        parte, texto = self.medida(linhas) if self.medida else (None, "")
        desenho = "" if parte is None else f" [{'#' * int(24 * parte):-<24}]"
        self.escrever(f"{self.rotulo}{desenho} {texto and texto + ', '}{time.time() - self.inicio:.0f} s")

    def escrever(self, texto: str, fim: str = "") -> None:
        print("\r" + texto.ljust(78), end=fim, flush=True)

    def fim(self, codigo: int) -> None:
        if self.viva:
            fecho = "não deu certo" if codigo else f"pronto em {time.time() - self.inicio:.0f} s"
            self.escrever(f"{self.rotulo}: {fecho}", fim="\n")


# ------------------------------------------------------------ quanto já foi feito


def medida_do_uv(dilatacao: float) -> Medida:
    """Em megabytes. O uv anuncia cada arquivo grande ao começar e ao acabar; no meio, conta-se o que ele já abriu.

    O uv abre cada arquivo enquanto o baixa, em uma pasta provisória do cache; `dilatacao` diz quantas vezes o aberto
    é maior que o baixado.
    """
    aberto, ate_aqui = Vigia(), 0.0

    def medir(linhas: Sequence[str]) -> tuple[float | None, str]:
        nonlocal ate_aqui
        if any(linha.startswith("Prepared ") for linha in linhas):
            return 1.0, "instalando"
        tamanhos = {achado[1]: _em_mb(achado[2], achado[3]) for linha in linhas if (achado := _BAIXANDO.match(linha))}
        prontos = {linha.split()[1] for linha in linhas if linha.startswith(" Downloaded ")}
        total = sum(tamanhos.values())
        if not total:  # nada grande a baixar: o arquivo está em uma pasta daqui, ou ainda se procura
            return None, f"{aberto.mb():.0f} MB abertos" if aberto.mb() else ""
        feito = sum(tamanho for nome, tamanho in tamanhos.items() if nome in prontos)
        feito += min(aberto.mb() / dilatacao, 0.99 * (total - feito))
        ate_aqui = max(ate_aqui, feito)  # o que se abre é uma estimativa: a barra não anda para trás
        return ate_aqui / total, f"{ate_aqui:.0f} de {total:.0f} MB"

    return medir


_BAIXANDO = re.compile(r"Downloading (\S+) \(([\d.]+)([KMG])iB\)")


def _em_mb(numero: str, unidade: str) -> float:
    return float(numero) * {"K": 2**10, "M": 2**20, "G": 2**30}[unidade] / 1e6


class Vigia:
    """Quantos MB há nas pastas provisórias do uv, contados no máximo uma vez por segundo."""

    def __init__(self) -> None:
        self.visto, self.quando = 0.0, 0.0

    def mb(self) -> float:
        if time.monotonic() - self.quando >= 1:
            self.visto = sum(tamanho(pasta) for pasta in CACHE.glob("uv/.tmp*")) / 1e6
            self.quando = time.monotonic()
        return self.visto


def tamanho(pasta: Path) -> int:
    soma = 0
    for raiz, _, nomes in os.walk(pasta):
        for nome in nomes:
            with contextlib.suppress(OSError):  # o uv já o levou para o lugar dele
                soma += os.path.getsize(os.path.join(raiz, nome))
    return soma


def medida_do_pip(total: int, instalados: Callable[[], int]) -> Medida:
    """Em pacotes: o pip baixa todos e depois instala todos."""
    inicios = ("Collecting ", "Requirement already", "Ignoring ")

    def medir(linhas: Sequence[str]) -> tuple[float | None, str]:
        if any(linha.startswith("Installing collected") for linha in linhas):
            feitos = min(instalados(), total)
            return 0.5 + feitos / total / 2, f"instalando {feitos}/{total}"
        feitos = min(sum(linha.startswith(inicios) for linha in linhas), total)
        return feitos / total / 2, f"baixando {feitos}/{total}"

    return medir
