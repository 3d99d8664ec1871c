"""O menor conserto de uma resposta errada: a troca que a faz passar, para dizer onde ela está, e nunca qual é."""

from typing import Any

from helpers.conferencia.execucao import Registro
from helpers.conferencia.frases import sem_palpites
from helpers.conferencia.juiz import Diagnostico
from helpers.conferencia.referencia import Referencia


def com_o_conserto(referencia: Referencia, resposta: Any, diagnostico: Diagnostico, registros: list[Registro]) -> str:
    """A frase do diagnóstico; se o erro não é um dos conhecidos e se achou um conserto, ela diz também onde olhar.

    O que se supôs de um erro do Python dá lugar ao que se achou, que é certo.
    """
    if diagnostico.equivoco is not None or diagnostico.caso is None:
        return diagnostico.frase
    from helpers.conferencia.conserto.busca import procurar  # só quem erra espera por ela

    conserto = procurar(referencia, resposta, registros)
    return diagnostico.frase if conserto is None else f"{sem_palpites(diagnostico.frase)} {conserto.dizer()}"
