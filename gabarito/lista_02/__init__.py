"""Lista 02: softmax, temperatura, jacobiana, entropia e a autoatenção sem parâmetros.

As pontuações perto de ±10 000 são inteiros ou múltiplos de 1/8, e as temperaturas, potências de dois: assim a
mesma conta feita em float32 também está certa, e só a instabilidade é recusada. A exceção é quem, em float32, soma
o máximo de volta (o log-soma-exp à mão): perto de 10 000 os float32 distam 1/1024, e o peso sai errado na quarta
casa. `_MEIO_PASSO` e as colunas de `_MEIO_PASSO_FRIO` põem essa soma longe da grade, para que a recusa não dependa da
sorte; na autoatenção, `_PARES_NA_GRADE` a põem em cima dela, e ali as duas contas valem.

Em cada questão há duas entradas da mesma forma, com valores diferentes: guardar resultados pela forma não serve.
"""

ORDEM = (
    "softmax",
    "softmax_temperatura",
    "jacobiana_softmax",
    "entropia",
    "autoatencao_simples",
)  # as questões, na ordem da lista
