"""O que os comandos que leem a turma têm em comum: o pedido, a turma e, em uma frase, o que impede de o atender."""

import sys
from collections.abc import Callable
from typing import Any

from configuracao import comandos
from configuracao.terminal import nao_gravei
from correcao import pasta_da_turma
from correcao.comum.reserva import turma_fechada
from correcao.livro.turma import Turma, TurmaIndisponivel


def com_a_turma(
    comando: str, argumentos: list[str] | None, fazer: Callable[[Any, Turma], int], *recusas: type[Exception]
) -> int:
    """`fazer(pedido, turma)`; 2 se o pedido não se atende, 1 se não se consegue gravar."""
    pedido = comandos.ler(comando, argumentos)
    impedem: tuple[type[Exception], ...] = (*recusas, TurmaIndisponivel)
    try:
        with turma_fechada(pasta_da_turma()):
            return fazer(pedido, Turma(pasta_da_turma()))
    except impedem as erro:
        print(erro, file=sys.stderr)
        return 2
    except OSError as erro:
        print(nao_gravei(erro), file=sys.stderr)
        return 1
