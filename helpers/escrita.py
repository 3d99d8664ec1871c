"""Números e nomes como se escrevem em português: “1,5” e “a, b e c”.

É do motor, da oficina e de quem corrige: por isso não importa nada pesado nem nada do curso.
"""

import re
from collections.abc import Iterable


def com_virgula(x: float, casas: int = 2) -> str:
    """1,50 e não 1.50."""
    return f"{x:.{casas}f}".replace(".", ",")


def numero(x: float, casas: int = 2) -> str:
    """O mesmo, sem os zeros do fim: 1,5, e 2 em vez de 2,00."""
    escrito = com_virgula(x, casas)
    return escrito.rstrip("0").rstrip(",") if "," in escrito else escrito


def decimais(texto: str) -> str:
    """O texto com vírgula nos decimais e sinal de menos nos negativos."""
    return re.sub(r"(?<![\w)])-(?=\d)", "−", re.sub(r"(?<=\d)\.(?=\d)", ",", texto))


def enumerar(partes: Iterable[str]) -> str:
    """“a”, “a e b”, “a, b e c”."""
    *antes, ultima = partes
    return f"{', '.join(antes)} e {ultima}" if antes else ultima
