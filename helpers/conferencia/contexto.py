"""O que vale enquanto se confere uma resposta. Quem o sabe se apresenta aqui: o motor não conhece a oficina."""

import contextlib
from collections.abc import Callable, Iterator

Contexto = Callable[[], contextlib.AbstractContextManager[None]]
_contextos: list[Contexto] = []


def ao_conferir(contexto: Contexto) -> Contexto:
    """Decora uma função que devolve um contexto: ele fica aberto enquanto se confere."""
    _contextos.append(contexto)
    return contexto


@contextlib.contextmanager
def conferindo() -> Iterator[None]:
    with contextlib.ExitStack() as pilha:
        for contexto in _contextos:
            pilha.enter_context(contexto())
        yield
