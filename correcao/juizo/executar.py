"""O preprocessador que roda o notebook de um aluno: faz dele uma tarefa, e põe de volta nele o resultado.

O tempo é o de processador. Quem só passa do de relógio, ou fica sem a memória do computador, pode ter tido azar com os
vizinhos: roda outra vez, sozinho, antes que isso lhe custe um ponto.
"""

import logging
import time
from dataclasses import replace
from typing import Any

from nbformat import NotebookNode, from_dict
from nbgrader.preprocessors import Execute
from traitlets import Instance, default

from correcao.caixa import caixa
from correcao.caixa.caixa import Limites
from correcao.caixa.conversa import Resultado, Tarefa
from correcao.comum.anotacao import DADOS, Anotacao
from correcao.juizo import trabalho


class Executar(Execute):
    """No lugar do Execute do nbgrader: na caixa, com limites, e sem nunca falhar pelo que o aluno fez."""

    limites = Instance(Limites)

    @default("limites")
    def _limites(self) -> Limites:
        return Limites.do_ambiente()

    def preprocess(self, nb: NotebookNode, resources: Any, km: Any = None) -> tuple[NotebookNode, Any]:
        anotacao: Anotacao = resources.setdefault(DADOS, Anotacao())
        _por(nb, Resultado([[] for _ in nb.cells], [None for _ in nb.cells]))
        if anotacao.motivo:  # já se sabe por que esta entrega não roda
            return nb, resources
        inicio = time.monotonic()
        resultado = rodar(nb, anotacao.pedido, anotacao.oraculo, self.limites, self.log)
        _por(nb, resultado)
        anotacao.motivo, anotacao.processador = resultado.motivo, resultado.gasto
        anotacao.segundos = round(time.monotonic() - inicio, 2)
        if resultado.defeito is not None:
            anotacao.tropecar(resultado.defeito)
        return nb, resources


def rodar(nb: NotebookNode, pedido: str | None, oraculo: list[Any], limites: Limites, log: logging.Logger) -> Resultado:
    # As etiquetas da célula não contam: `skip-execution` deixaria uma conferência sem rodar.
    return rodar_codigo([c.source if c.cell_type == "code" else None for c in nb.cells], pedido, oraculo, limites, log)


def rodar_codigo(
    celulas: list[str | None], pedido: str | None, oraculo: list[Any], limites: Limites, log: logging.Logger
) -> Resultado:
    """As células, na caixa; e outra vez, sozinhas, se não se sabe de quem foi a culpa de terem parado."""
    caixa.exigir()
    tarefa = Tarefa(celulas, pedido, oraculo, limites)
    resultado = trabalho.atual().executar(tarefa, log)
    if resultado.sem_culpa_certa:
        log.warning("%s: a entrega roda outra vez, sozinha.", resultado.sem_culpa_certa)
        resultado = trabalho.atual().executar(replace(tarefa, sozinha=True), log)
    if resultado.fria:
        log.warning("A entrega rodou na caixa fria, que é mais lenta: %s", resultado.fria)
    if resultado.motivo:
        log.warning(resultado.motivo)
    return resultado


def _por(nb: NotebookNode, resultado: Resultado) -> None:
    for celula, saidas, contagem in zip(nb.cells, resultado.saidas, resultado.contagens, strict=True):
        if celula.cell_type == "code":
            celula.outputs, celula.execution_count = [from_dict(s) for s in saidas], contagem
