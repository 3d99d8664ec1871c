"""O preprocessador que roda o notebook de um aluno: faz dele uma tarefa, e põe de volta nele o resultado.

O tempo é o de processador. Quem só passa do de relógio, ou fica sem a memória do computador, pode ter tido azar com os
vizinhos: roda outra vez, sozinho, antes que isso lhe custe um ponto.

A célula que não termina, que mata o kernel ou que estoura um limite só custa o que é dela. O laço que aceita ser
interrompido acaba ali, e o mesmo kernel segue para a célula seguinte (caixa/conversa.py); nos outros casos já não há
kernel, e um novo roda o notebook sem a culpada. O tempo de todas as corridas é o de uma só.
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

_RECOMECOS = 8  # cada um é um kernel novo; uma lista tem até sete questões
_SEM_RESULTADO = "o que vinha depois ficou sem resultado."


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
    """As células, na caixa; se uma delas leva o kernel, as de baixo rodam em outro, sem ela."""
    caixa.exigir()
    tarefa = Tarefa(celulas, pedido, oraculo, limites)
    todo = corrida = _correr(tarefa, log)
    for _ in range(_RECOMECOS):
        if corrida.parou is None or not _falta(celulas, todo.parou):
            break
        sem_ela = [None if i == corrida.parou else codigo for i, codigo in enumerate(tarefa.celulas)]
        tarefa = replace(tarefa, celulas=sem_ela, ja_gasto=tarefa.ja_gasto + _custo(corrida, limites))
        if tarefa.ja_gasto >= limites.caderno:
            break
        log.warning("%s O que vinha depois roda outra vez, sem essa célula.", corrida.motivo)
        corrida = _correr(tarefa, log)
        _juntar(todo, corrida)
    if corrida.parou is None:
        todo.motivo, todo.defeito = corrida.motivo, corrida.defeito
    else:
        falta = _falta(celulas, todo.parou)
        todo.motivo = f"{(corrida.motivo or '').rstrip('.')}; {_SEM_RESULTADO}" if falta else None
    if todo.motivo:
        log.warning(todo.motivo)
    return todo


def _falta(celulas: list[str | None], parou: int | None) -> bool:
    """Há código depois da célula em que se parou?"""
    return parou is not None and any(codigo and codigo.strip() for codigo in celulas[parou + 1 :])


def _custo(corrida: Resultado, limites: Limites) -> float:
    """O que uma corrida usou dos segundos do notebook: de processador ou, de quem dorme, a parte do relógio."""
    return max(corrida.gasto, corrida.relogio / limites.espera)


def _juntar(todo: Resultado, corrida: Resultado) -> None:
    """Acrescenta a `todo` o que só a corrida nova viu: as células depois daquela em que ele tinha parado."""
    assert todo.parou is not None
    ate = len(todo.saidas) - 1 if corrida.parou is None else corrida.parou
    for i in range(todo.parou + 1, ate + 1):
        todo.saidas[i], todo.contagens[i] = corrida.saidas[i], corrida.contagens[i]
    todo.parou = max(todo.parou, ate)
    todo.gasto, todo.fria = round(todo.gasto + corrida.gasto, 2), todo.fria or corrida.fria


def _correr(tarefa: Tarefa, log: logging.Logger) -> Resultado:
    """Uma corrida; e outra, sozinha, se não se sabe de quem foi a culpa de ter parado."""
    resultado = trabalho.atual().executar(tarefa, log)
    if resultado.sem_culpa_certa:
        log.warning("%s: a entrega roda outra vez, sozinha.", resultado.sem_culpa_certa)
        resultado = trabalho.atual().executar(replace(tarefa, sozinha=True), log)
    if resultado.fria:
        log.warning("A entrega rodou na caixa fria, que é mais lenta: %s", resultado.fria)
    return resultado


def _por(nb: NotebookNode, resultado: Resultado) -> None:
    for celula, saidas, contagem in zip(nb.cells, resultado.saidas, resultado.contagens, strict=True):
        if celula.cell_type == "code":
            celula.outputs, celula.execution_count = [from_dict(s) for s in saidas], contagem
