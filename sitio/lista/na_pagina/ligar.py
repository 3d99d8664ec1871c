"""Liga o atendente no Pyodide: o que o navegador dá no lugar do que o sistema daria."""

import signal
from collections.abc import Callable

from helpers.conferencia.conserto import busca
from helpers.conferencia.referencia import REFERENCIAS
from sitio.lista.na_pagina import sem_torch, viagem
from sitio.lista.na_pagina.atendente import Atendente

LENTO = 4  # quantas vezes o Python daqui demora mais que o do notebook, para procurar o mesmo conserto
Armar = Callable[[int, float, float], None]


def ligar(lista: str, armar: Armar) -> Callable[..., str]:
    """Quem atende a tela. `armar` põe um temporizador: o Emscripten tem os sinais, e não quem os mande na hora."""

    def setitimer(qual: int, segundos: float, intervalo: float = 0.0) -> tuple[float, float]:
        armar(int(qual), float(segundos), float(intervalo))
        return 0.0, 0.0

    signal.setitimer = setitimer  # type: ignore[attr-defined,assignment]
    busca.ORCAMENTO, busca.PRAZO = LENTO * busca.ORCAMENTO, LENTO * busca.PRAZO
    sem_torch.instalar()
    viagem.desembalar(REFERENCIAS / f"{lista}.json")
    return Atendente(lista).atender
