"""Lista 04: a cabeça, o que ela procura, a equivariância e uma cabeça inventada.

Na `cabeca` os tamanhos são todos diferentes (N, M, D, d_k, d_v), para que um eixo ou uma matriz trocada apareça. A
exceção são os casos em que tudo é quadrado: neles nenhum para com um erro do NumPy, que seria o mesmo para vários
equívocos, e cada um se reconhece pelos valores.
Onde as pontuações são grandes, as entradas são frações de denominador 2, 4 ou 8 e √d_k é inteira: em float32 a conta é
a mesma.
A `inventar_cabeca` é julgada pelo que a cabeça faz (helpers/conferencia/pecas/lista_04.py), e não pelos números dela.
"""

ORDEM = (
    "cabeca",
    "ler_cabeca",
    "equivariante",
    "inventar_cabeca",
)  # as questões, na ordem da lista
NO_MAPA = "uma cabeça de atenção"  # o que ela acrescenta à máquina
