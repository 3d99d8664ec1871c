"""Uma função que a resposta recebe e não pode examinar: na correção, quem a calcula é o outro lado da caixa.

Saber se uma função vaza o futuro é fácil para quem lê os pesos dela. Por isso, quando a lista é corrigida, a função não
entra na caixa: cada chamada é uma pergunta, pelo canal em que um kernel pede que alguém digite, e a resposta só traz a
saída. Nos casos visíveis, no computador do aluno, a função é a própria peça.
"""

import builtins
import json
import threading
from collections.abc import Callable
from typing import Any

from helpers.conferencia.codificacao import codificar, decodificar

_UMA_POR_VEZ = threading.Lock()  # a resposta pode chamar a função de várias threads, e o canal é um só


def de_fora(lugar: list) -> Callable:
    """Chama-se como a função que está em `lugar` (questão, caso, argumento); se ela escreve na entrada, esta também."""

    def f(X: Any) -> Any:
        resposta = _perguntar({"lugar": lugar, "entrada": codificar(X)})
        if "erro" in resposta:
            tipo, mensagem = resposta["erro"]
            raise getattr(builtins, tipo, ValueError)(mensagem)
        if resposta["entrada"] is not None:
            X[...] = decodificar(resposta["entrada"])
        return decodificar(resposta["saida"])

    return f


def _perguntar(pergunta: dict) -> dict:
    from IPython import get_ipython

    with _UMA_POR_VEZ:
        return json.loads(get_ipython().kernel.raw_input(json.dumps(pergunta)))
