"""Liga o atendente no Pyodide: o que o navegador dá no lugar do que o sistema daria."""

import signal
from collections.abc import Callable

from sitio.lista.na_pagina import sem_torch
from sitio.lista.na_pagina.atendente import Atendente

Armar = Callable[[int, float, float], None]


def ligar(lista: str, armar: Armar) -> Callable[..., str]:
    """Quem atende a tela. `armar` põe um temporizador: o Emscripten tem os sinais, e não quem os mande na hora."""

    def setitimer(qual: int, segundos: float, intervalo: float = 0.0) -> tuple[float, float]:
        armar(int(qual), float(segundos), float(intervalo))
        return 0.0, 0.0

    signal.setitimer = setitimer  # type: ignore[attr-defined,assignment]
    sem_torch.instalar()
    return Atendente(lista).atender
