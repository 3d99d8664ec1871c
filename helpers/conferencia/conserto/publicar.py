"""Na correção, procura o conserto dentro da caixa, depois de tudo julgado, e o publica como dados."""

import json
from dataclasses import asdict
from typing import Any

from helpers.conferencia.conserto.busca import procurar
from helpers.conferencia.exame import examinar
from helpers.conferencia.pedido import TIPO_DA_EVIDENCIA
from helpers.conferencia.referencia import carregar


def publicar(questao: str, resposta: Any) -> None:
    """No lugar de `conferir`: não diz se a resposta está certa, e só mostra as linhas e os assuntos."""
    from IPython.display import display

    referencia = carregar(questao)
    diagnostico, registros = examinar(referencia, resposta)
    conhecido = diagnostico is None or diagnostico.equivoco is not None or diagnostico.caso is None
    conserto = None if conhecido else procurar(referencia, resposta, registros)
    if conserto is not None:
        display({TIPO_DA_EVIDENCIA: json.dumps(asdict(conserto))}, raw=True)
