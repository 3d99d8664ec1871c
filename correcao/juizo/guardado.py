"""A evidência de cada entrega, guardada para que uma questão possa ser julgada de novo sem rodar nada do aluno.

Fica em evidencias/ALUNO/LISTA.json.gz, com a semente que a entrega teve: nunca em autograded/, de onde o nbgrader leva
arquivos para a devolutiva.
"""

import gzip
import json
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from correcao.juizo.evidencia import MAXIMO
from helpers.gravacao import gravar

EVIDENCIAS = "evidencias"


@dataclass
class Pronta:
    """O que uma célula de conferência deixou."""

    entradas: str | None  # o resumo das entradas que a resposta recebeu; None se não as recebeu
    texto: str | None  # a evidência; None se não houve


@dataclass
class Guardada:
    """O que se guarda de uma entrega."""

    entrega: str | None  # a mesma de Anotacao.entrega
    semente: int
    questoes: dict[str, Pronta] = field(default_factory=dict)  # grade_id → o que deixou
    segundas: dict[str, Pronta] = field(default_factory=dict)  # o mesmo, de quem rodou outra vez (juizo/uma_vez.py)


def arquivo(raiz: Path, aluno: str, lista: str) -> Path:
    return Path(raiz, EVIDENCIAS, aluno, f"{lista}.json.gz")


def guardar(raiz: Path, aluno: str, lista: str, guardada: Guardada) -> None:
    destino = arquivo(raiz, aluno, lista)
    destino.parent.mkdir(parents=True, exist_ok=True)
    gravar(destino, gzip.compress(json.dumps(asdict(guardada)).encode(), compresslevel=1, mtime=0))


def caber(texto: str | None) -> str | None:
    """Uma evidência que o juiz recusaria pelo tamanho não se guarda: não há outro veredito que ela possa ter."""
    return texto if isinstance(texto, str) and len(texto) <= MAXIMO else None


def ler(raiz: Path, aluno: str, lista: str) -> Guardada | None:
    """None se não há, ou se o que há não foi escrito por `guardar`."""
    try:
        dado = json.loads(gzip.decompress(arquivo(raiz, aluno, lista).read_bytes()))
        questoes, segundas = (
            {nome: Pronta(_texto(q["entradas"]), _texto(q["texto"])) for nome, q in dado[quais].items()}
            for quais in ("questoes", "segundas")
        )
        return Guardada(_texto(dado["entrega"]), int(dado["semente"]), questoes, segundas)
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _texto(dado: Any) -> str | None:
    if dado is not None and not isinstance(dado, str):
        raise TypeError
    return dado
