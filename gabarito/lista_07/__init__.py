"""Lista 07: normalização de camada, GELU e a aproximação dela, a camada feed-forward, posições e o bloco inteiro.

As entradas são tensores float32 (e int64, nos identificadores). Os números visíveis são múltiplos de 1/16, curtos e
exatos. A GELU exata e a aproximação diferem no máximo 0,0005: toda questão que as distingue tem entradas entre −3 e
−1, onde a diferença é grande perto do valor. Em `layer_norm`, a linha com média perto de mil tem quatro números cuja
soma é exata em float32: ali a variância pelos desvios é exata, e a por diferença de quadrados se perde.
"""

ORDEM = (
    "layer_norm",
    "gelu",
    "gelu_tanh",
    "ffn",
    "posicionar",
    "bloco",
)  # as questões, na ordem da lista
