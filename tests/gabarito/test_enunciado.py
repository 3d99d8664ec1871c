"""O que um enunciado diz das entradas vale em todo caso, visível ou sorteado."""

import numpy as np

from gabarito.base import buscar
from gabarito.lista_03.resposta_ao_empurrao import MAIOR


def test_em_resposta_ao_empurrao_as_pontuacoes_ficam_onde_o_enunciado_diz():
    """Por isso quem faz a sua softmax sem tirar o máximo está certo ali, até em float32."""
    q = buscar("lista-03/resposta_ao_empurrao")
    for c in [*q.casos, *(c for s in range(60) for c in q.casos_ocultos(s))]:
        Q, K, divisor, empurrao = c.entradas
        passos = empurrao * K / np.linalg.norm(K, axis=1, keepdims=True)
        assert np.abs(Q @ K.T / divisor).max() <= MAIOR
        assert np.abs((Q[:, None, :] + passos) @ K.T / divisor).max() <= MAIOR < np.log(np.finfo(np.float32).max) / 2
