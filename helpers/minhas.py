"""As suas funções, das listas para as aulas.

    from helpers.minhas import softmax, cabeca

Cada uma vem do notebook salvo da lista dela, se passa na conferência; senão, o curso põe outra no lugar. Uma linha diz
de onde veio. O mapa do que você já fez: `mapa()`.
"""

from typing import Any

from helpers.autoria import origem as _origem
from helpers.autoria.mapa import mapa

__all__ = ["mapa"]


def __getattr__(nome: str) -> Any:
    if nome.startswith("_"):  # quem procura é o próprio Python, ou o IPython
        raise AttributeError(nome)
    return _origem.dar(nome)


def __dir__() -> list[str]:
    return sorted([*__all__, *_origem.catalogo()])
