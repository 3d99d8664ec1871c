"""Quanta memória pode custar, a quem corrige, o que veio de uma entrega: passado disso, um MemoryError."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

DE_UMA_ENTREGA = 2 * 2**30  # bytes de endereços, além dos que o processo já tem; uma lista do curso usa um quarto
_USADAS = Path("/proc/self/statm")
_VEZ = threading.Lock()  # o limite é do processo: um bloco de cada vez o põe, e o que está dentro de outro já o tem


@contextlib.contextmanager
def limitada() -> Iterator[None]:
    """Neste bloco, o processo só cresce isso. É o limite do núcleo, e só no Linux; quem nasce aqui dentro o herda."""
    if not sys.platform.startswith("linux") or not _VEZ.acquire(blocking=False):
        yield
        return
    import resource

    antes = resource.getrlimit(resource.RLIMIT_AS)
    try:
        limite = int(_USADAS.read_text().split()[0]) * resource.getpagesize() + DE_UMA_ENTREGA
        tetos = [limite, *(teto for teto in antes if teto != resource.RLIM_INFINITY)]
        resource.setrlimit(resource.RLIMIT_AS, (min(tetos), antes[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, antes)
        _VEZ.release()
