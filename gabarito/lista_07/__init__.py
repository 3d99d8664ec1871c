"""Lista 07: a camada feed-forward, com a GELU, posições, normalização de camada e o bloco inteiro.

As entradas são tensores float32 (e int64, nos identificadores). Os números visíveis são múltiplos de 1/16, curtos e
exatos. A GELU exata e a aproximação diferem no máximo 0,0005: toda questão que as distingue tem entradas entre −3 e
−1, onde a diferença é grande perto do valor.
"""

ORDEM = (
    "ffn",
    "posicionar",
    "layer_norm",
    "bloco",
)  # as questões, na ordem da lista
NO_MAPA = "o bloco"  # o que ela acrescenta à máquina
RODA_MODELOS = True  # cada sorteio do banco custa mais, e os testes fazem menos deles
EM_FLOAT32 = True  # outro processador pode arredondar de outro jeito, e os testes comparam as referências com folga
