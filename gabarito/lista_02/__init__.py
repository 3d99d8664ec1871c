"""Lista 02: softmax, temperatura, entropia, a autoatenção sem parâmetros, o empurrão em uma pontuação e as camadas.

As pontuações enormes não passam de ±1000, e são inteiros ou múltiplos de 1/8: assim a mesma conta feita em float32
também está certa, e só a instabilidade é recusada.

Em cada questão há duas entradas da mesma forma, com valores diferentes: guardar resultados pela forma não serve.
"""

ORDEM = (
    "softmax",
    "softmax_temperatura",
    "entropia",
    "autoatencao_simples",
    "empurrar",
    "empilhar",
)  # as questões, na ordem da lista
NO_MAPA = "de pontuações a pesos"  # o que ela acrescenta à máquina
