"""O índice do curso, que `gerar` escreve (gabarito/indice.py): que listas há, o que cada uma pede, usa e empresta.

Nele não há resposta alguma. O do pacote de uma semana só fala das listas que já chegaram.
"""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

ARQUIVO = Path(__file__).with_name("indice.json")
_NO_LUGAR: list[dict[str, "Lista"]] = []  # o que ainda não está no arquivo, enquanto `gerar` trabalha


@dataclass(frozen=True)
class Lista:
    """O que se sabe de uma lista sem abri-la."""

    pasta: str  # "lista-02-softmax", em source/ e em release/
    titulo: str  # o da capa: "Softmax"
    no_mapa: str  # o que ela acrescenta à máquina: "de pontuações a pesos"
    aulas: list[str]  # os notebooks da aula dela: ["07-bloco", "07b-montagem"]
    questoes: dict[str, float]  # a função que cada uma pede, na ordem da lista → pontos
    abertas: dict[str, float]  # as que uma pessoa lê → pontos
    importa: list[str] = field(default_factory=list)  # as funções que ela traz de listas anteriores
    substitutos: list[str] = field(default_factory=list)  # as que o curso tem, para quem não fez as dela
    substitutos_com_torch: bool = False
    do_curso: list[str] = field(default_factory=list)  # o que o mapa mostra nela e não é o aluno quem faz
    a_parte: bool = False  # um experimento, e não uma peça da máquina
    aquecer: list[str] = field(default_factory=list)  # o que a caixa quente já deve ter pronto para ela


def listas() -> dict[str, Lista]:
    """ "lista-02" → o que se sabe dela, em ordem; vazio se o índice não está aqui."""
    if _NO_LUGAR:
        return _NO_LUGAR[-1]
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return _ler(ARQUIVO, ARQUIVO.stat().st_mtime_ns)
    return {}


@lru_cache(maxsize=4)
def _ler(arquivo: Path, _mudou: int) -> dict[str, Lista]:
    return de_dados(json.loads(arquivo.read_text(encoding="utf-8")))


def de_dados(dados: dict[str, Any]) -> dict[str, Lista]:
    return {nome: Lista(**lista) for nome, lista in dados["listas"].items()}


def questoes(lista: str) -> list[str]:
    """As questões que o computador confere, em ordem: "lista-02/softmax", …"""
    achada = listas().get(lista)
    return [f"{lista}/{funcao}" for funcao in achada.questoes] if achada else []


def catalogo() -> dict[str, str]:
    """Nome da função → "lista-02/softmax", de todas as listas que há aqui."""
    return {q.rpartition("/")[2]: q for lista in listas() for q in questoes(lista)}


def com_torch() -> frozenset[str]:
    """Os substitutos que usam o torch. Ele demora a chegar, e quem vai precisar deles o importa antes."""
    return frozenset(nome for lista in listas().values() if lista.substitutos_com_torch for nome in lista.substitutos)


@contextlib.contextmanager
def no_lugar(novas: dict[str, Lista]) -> Iterator[None]:
    """Enquanto isto dura, o índice é este."""
    _NO_LUGAR.append(novas)
    try:
        yield
    finally:
        _NO_LUGAR.pop()
