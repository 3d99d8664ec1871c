"""O que mais de uma questão da lista 05 usa."""

import numpy as np
import torch

X_EXEMPLO = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]])
# Nem simétricas nem em blocos: quem não transpõe, ou divide X antes de projetar, já erra no exemplo.
WQ_EXEMPLO = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
WK_EXEMPLO = np.array([[0.0, 0.0, 2.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.0, 0.0]])
WV_EXEMPLO = np.array([[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 1.0]])
WO_EXEMPLO = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]])


def modulo_pronto(W_O, h, **opcoes):
    """Um nn.MultiheadAttention do tamanho pedido, ainda com os parâmetros sorteados pelo torch."""
    return torch.nn.MultiheadAttention(len(W_O), h, **({"bias": False, "batch_first": True} | opcoes))


def preencher(modulo, entrada, saida):
    """Copia para o módulo o peso de entrada (3d, d) e o de saída (d, d)."""
    with torch.no_grad():
        modulo.in_proj_weight.copy_(torch.tensor(entrada))
        modulo.out_proj.weight.copy_(torch.tensor(saida))
    return modulo
