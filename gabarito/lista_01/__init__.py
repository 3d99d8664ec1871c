"""Lista 01, produto escalar: referências, casos, equívocos e alternativas de cada questão."""

ORDEM = ("incorporar", "similaridades", "cosseno", "mais_parecido", "sentido")  # as questões, na ordem da lista
NO_MAPA = "comparar palavras"  # o que ela acrescenta à máquina
