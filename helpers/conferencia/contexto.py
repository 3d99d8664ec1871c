"""O que vale enquanto se confere uma resposta. Quem o sabe se apresenta aqui: o motor não conhece a oficina."""

import contextlib
from collections.abc import Callable, Iterator

# Funções que devolvem um contexto: ele fica aberto enquanto se confere.
AO_CONFERIR: list[Callable[[], contextlib.AbstractContextManager[None]]] = []


@contextlib.contextmanager
def conferindo() -> Iterator[None]:
    with contextlib.ExitStack() as pilha:
        for contexto in AO_CONFERIR:
            pilha.enter_context(contexto())
        yield
