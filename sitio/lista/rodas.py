"""De onde vem o NumPy da página: uma pasta dada, a gaveta do curso, ou a roda oficial do Pyodide, pelo resumo dela.

CURSO_RODAS=PASTA    como o find-links do pip: a roda, ou um zip de um NumPy já compilado para este Pyodide
"""

import contextlib
import hashlib
import json
import os
import re
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configuracao.lugares import RAIZ

RODAS = "CURSO_RODAS"
PYODIDE = RAIZ / "sitio" / "node_modules" / "pyodide"
GAVETA = RAIZ / ".jupyter" / "rodas"
_ESPERA = 20.0  # segundos por leitura


class SemRodas(RuntimeError):
    """CURSO_RODAS aponta para o que não serve; o texto diz por quê, e o que fazer."""


@dataclass(frozen=True)
class Roda:
    arquivo: Path
    versao: str  # a do NumPy que está nela
    oficial: bool


def achar(aviso: Callable[[str], None] = print) -> Roda | None:
    """O NumPy para o Pyodide que o npm trouxe; None, com um aviso, se não há como tê-lo aqui."""
    dito, pyodide = _do_lock()
    if pasta := os.environ.get(RODAS):
        return _na_pasta(Path(pasta), dito, pyodide)
    guardada = GAVETA / dito["file_name"]
    if not _confere(guardada, dito):
        try:
            _baixar(dito, pyodide, guardada)
        except (OSError, ValueError) as erro:
            aviso(
                f"Não consegui o NumPy da página, o {dito['file_name']} do Pyodide {pyodide} ({_curto(erro)}). "
                f"Baixe-o, ponha-o em uma pasta e diga qual é em {RODAS}."
            )
            return None
    return Roda(guardada, dito["version"], oficial=True)


def _do_lock() -> tuple[dict[str, Any], str]:
    """O que o próprio Pyodide diz da roda do NumPy dele; e a versão do Pyodide."""
    lido = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    pacote = json.loads((PYODIDE / "package.json").read_text("utf-8"))
    return lido["packages"]["numpy"], pacote["version"]


def _na_pasta(pasta: Path, dito: dict[str, Any], pyodide: str) -> Roda:
    """A roda oficial, se está lá; senão, um zip `numpy-VERSÃO-para-pyodide-VERSÃO.zip`."""
    oficial = pasta / dito["file_name"]
    if oficial.is_file():
        if not _confere(oficial, dito):
            raise SemRodas(f"{oficial} não é a roda que o Pyodide {pyodide} diz (o SHA-256 é outro): baixe-a de novo.")
        return Roda(oficial, dito["version"], oficial=True)
    for zip_ in sorted(pasta.glob(f"numpy-*-para-pyodide-{pyodide}.zip"), reverse=True):
        achada = re.fullmatch(r"numpy-([\d.]+)-para-pyodide-.*", zip_.stem)
        with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(zip_) as aberto:
            if achada and "numpy/__init__.py" in aberto.namelist():
                return Roda(zip_, achada[1], oficial=False)
        raise SemRodas(f"{zip_} não se abre como o zip de um NumPy: troque o arquivo, ou tire {RODAS} do ambiente.")
    raise SemRodas(
        f"{RODAS} aponta para {pasta}, e lá não há {dito['file_name']} nem numpy-…-para-pyodide-{pyodide}.zip: ponha "
        f"um deles na pasta, ou tire {RODAS} do ambiente."
    )


def _confere(arquivo: Path, dito: dict[str, Any]) -> bool:
    return arquivo.is_file() and hashlib.sha256(arquivo.read_bytes()).hexdigest() == dito["sha256"]


def _baixar(dito: dict[str, Any], pyodide: str, destino: Path) -> None:
    """Só o que tem o resumo certo fica na gaveta."""
    with urllib.request.urlopen(_endereco(pyodide, dito["file_name"]), timeout=_ESPERA) as resposta:
        dados = resposta.read()
    if hashlib.sha256(dados).hexdigest() != dito["sha256"]:
        raise ValueError("o que veio não tem o SHA-256 que o Pyodide diz")
    destino.parent.mkdir(parents=True, exist_ok=True)
    provisorio = destino.with_suffix(f".{os.getpid()}")
    provisorio.write_bytes(dados)
    provisorio.replace(destino)


def _endereco(pyodide: str, nome: str) -> str:
    """O Pyodide traz, no código dele, o lugar das suas rodas: ali a versão é o que falta pôr."""
    achado = re.search(r"(https://[\w./-]+/v)\$\{\w+\}(/full/)", (PYODIDE / "pyodide.mjs").read_text("utf-8"))
    if achado is None:
        raise ValueError("este Pyodide não diz onde ficam as rodas dele")
    return f"{achado[1]}{pyodide}{achado[2]}{nome}"


def _curto(erro: Exception) -> str:
    motivo = erro.reason if isinstance(erro, urllib.error.URLError) else erro
    return str(motivo).rstrip(".")[:120] or type(erro).__name__
