"""Uma função que a resposta recebe e não pode examinar: na correção, quem a calcula é o outro lado da caixa.

Saber se uma função vaza o futuro é fácil para quem lê os pesos dela. Por isso, quando a lista é corrigida, a função não
entra na caixa: cada chamada é uma pergunta, pelo canal em que um kernel pede que alguém digite, e a resposta só traz a
saída. Nos casos visíveis, no computador do aluno, a função é a própria peça.
"""

import builtins
import json
from typing import Any

from helpers.conferencia.codificacao import codificar, decodificar


class DeFora:
    """Chama-se como a função que representa; se ela escreve na entrada, aqui se escreve também."""

    def __init__(self, lugar: list):
        self.lugar = lugar  # a questão, o caso e o argumento

    def __call__(self, X: Any) -> Any:
        from IPython import get_ipython

        pergunta = json.dumps({"lugar": self.lugar, "entrada": codificar(X)})
        resposta = json.loads(get_ipython().kernel.raw_input(pergunta))
        if "erro" in resposta:
            tipo, mensagem = resposta["erro"]
            raise getattr(builtins, tipo, ValueError)(mensagem)
        if resposta["entrada"] is not None:
            X[...] = decodificar(resposta["entrada"])
        return decodificar(resposta["saida"])
