"""O que vem do npm, fixado em sitio/package-lock.json: chega na primeira vez que o site é feito."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from helpers import RAIZ
from sitio.obra import NaoDeu

PASTA = RAIZ / "sitio"
MODULOS = PASTA / "node_modules"
SELO = MODULOS / ".do-curso"
VERSAO_MINIMA = 18


def preparar() -> None:
    """Roda `npm ci` se o que há em node_modules não é o que o lock pede."""
    node()
    resumo = hashlib.sha256((PASTA / "package-lock.json").read_bytes()).hexdigest()
    if SELO.is_file() and SELO.read_text(encoding="utf-8") == resumo:
        return
    npm = shutil.which("npm")
    if npm is None:
        raise NaoDeu("O site precisa do npm, que vem com o Node.js (nodejs.org); instale-o e rode de novo.")
    print("Trazendo do npm o que o site usa, só desta vez…", flush=True)
    comando = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    feito = subprocess.run(comando, cwd=PASTA, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if feito.returncode:
        dito = (feito.stderr or feito.stdout).strip().splitlines()
        raise NaoDeu(
            f"O npm não trouxe o que o site usa; veja a sua rede e rode de novo. Ele disse: {' '.join(dito[:3])}"
        )
    SELO.write_text(resumo, encoding="utf-8")


def node() -> str:
    achado = shutil.which("node")
    frase = f"O site precisa do Node.js {VERSAO_MINIMA} ou mais novo; instale-o (nodejs.org) e rode de novo."
    if achado is None:
        raise NaoDeu(frase)
    dito = subprocess.run([achado, "--version"], capture_output=True, text=True).stdout.strip().lstrip("v")
    if not dito.partition(".")[0].isdigit() or int(dito.partition(".")[0]) < VERSAO_MINIMA:
        raise NaoDeu(frase)
    return achado


def arquivo(caminho: str) -> Path:
    """Um arquivo de um pacote do npm."""
    return MODULOS / caminho


if __name__ == "__main__":
    try:
        preparar()
    except NaoDeu as erro:
        sys.exit(str(erro))
