"""Atende o pedido da correção: chama a resposta com as entradas dele e publica o que ela fez, a evidência."""

import json
from typing import Any

from helpers.conferencia.execucao import aceita, executar
from helpers.conferencia.pecas import peca
from helpers.conferencia.pedido import TIPO_DA_EVIDENCIA


def entregar_evidencia(questao: str, resposta: Any, pedido: dict) -> None:
    """Só dados saem daqui: quem julga é a correção, em outro processo."""
    from IPython.display import display

    evidencia: dict[str, Any] = {"questao": questao, "registros": [], "chamada": None}
    if not callable(resposta):
        evidencia["chamada"] = "nao-e-funcao"
    elif not all(aceita(resposta, quantidade) for quantidade in pedido["quantidades"]):
        evidencia["chamada"] = "argumentos"
    else:
        funcao = peca(pedido["adaptador"])(resposta) if pedido["adaptador"] else resposta
        registros = executar(funcao, pedido["casos"], pedido["prazo"], pedido["prazo_total"], resposta)
        evidencia["registros"] = [r.como_dados() for r in registros]
    display({TIPO_DA_EVIDENCIA: codificar_evidencia(evidencia)}, raw=True)


def codificar_evidencia(evidencia: dict) -> str:
    """Texto, e não objeto: o Jupyter não tem o que reinterpretar no caminho."""
    return json.dumps(evidencia, ensure_ascii=False)
