"""A porta da conferência: `conferir("lista-02/softmax", softmax)`.

Nos casos visíveis o julgamento é aqui, na hora. Quando a lista está sendo corrigida, a correção deixa um pedido com
entradas novas, e esta função só devolve a evidência: o que a resposta fez com elas. Nenhum notebook muda por isso.
"""

from typing import Any

import numpy as np

from helpers.conferencia.aposta import confira
from helpers.conferencia.atendimento import entregar_evidencia
from helpers.conferencia.na_tela import Conferencia, cuidar_do_notebook, dar_o_recado, em_notebook, em_verde
from helpers.conferencia.parecer import CERTA, POR_OUTRA, dar_parecer
from helpers.conferencia.pedido import pedido_da_correcao

__all__ = ["Conferencia", "conferir", "confira", "iguais"]


def conferir(questao: str, resposta: Any) -> None:
    """Confere a resposta nos casos visíveis; lança Conferencia com o diagnóstico, ou volta em silêncio.

    Em um notebook, quando está tudo certo, mostra uma linha verde com o que foi conferido.
    """
    pedido = pedido_da_correcao(questao)
    if pedido is not None:
        entregar_evidencia(questao, resposta, pedido)
        return
    parecer = dar_parecer(questao, resposta)
    if parecer.situacao == POR_OUTRA:
        dar_o_recado(parecer.frase)
    elif parecer.situacao != CERTA:
        # "from None": o caminho por dentro do curso não interessa a quem responde
        raise Conferencia(parecer.frase, questao, parecer.equivoco) from None
    elif em_notebook():
        print(em_verde(parecer.frase))
        for observacao in parecer.observacoes:
            print(f"  {observacao}")


def iguais(a: Any, b: Any) -> bool:
    """Os dois arrays têm a mesma forma e os mesmos números? (A tolerância para o arredondamento é nossa.)"""
    um, outro = np.asarray(a), np.asarray(b)
    return um.shape == outro.shape and bool(np.allclose(um, outro, rtol=1e-5, atol=1e-7))


cuidar_do_notebook()
