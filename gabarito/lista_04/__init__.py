"""Lista 04: projeções, a cabeça, a atenção cruzada, o dicionário suave e a equivariância.

Os tamanhos são todos diferentes (N, D, d_k, d_v, M), para que um eixo ou uma matriz trocada apareça. A exceção é um
caso em que tudo é quadrado (na cabeça e na atenção cruzada, o primeiro): nele nenhum deles para com um erro do NumPy,
que seria o mesmo para vários equívocos, e cada um se reconhece pelos valores.
Onde as pontuações são grandes, as entradas são frações de denominador 2, 4 ou 8 e √d_k é inteira: em float32 a conta é
a mesma.
"""

ORDEM = (
    "projetar",
    "cabeca",
    "atencao_cruzada",
    "dicionario_suave",
    "equivariante",
)  # as questões, na ordem da lista
NO_MAPA = "uma cabeça de atenção"  # o que ela acrescenta à máquina
