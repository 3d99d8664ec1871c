"""Lista 10: desligar, a pontuação de indução, o ranking, as contribuições e o transplante dentro de um LLM de verdade.

As entradas são tensores float32. A referência e os equívocos fazem as contas em float64: assim as impressões não
dependem do processador. Só em `transplantar` quem faz as contas é um modelo, em float32: um pequeno e, em um caso, o
SmolLM2, de que se guardam três números (ver as peças da lista). As fatias de fatias.json são pesos e saídas de verdade
do SmolLM2, com três casas, na frase “The cat sat on the mat.” (a de indução, em cinco tokens sorteados, repetidos uma
vez).
"""

ORDEM = (
    "desligar",
    "pontuacao_inducao",
    "cabecas_por_pontuacao",
    "contribuicoes",
    "transplantar",
)  # as questões, na ordem da lista
NO_MAPA = "um LLM de verdade"  # o que ela acrescenta à máquina
DO_CURSO = ("os parâmetros do SmolLM2",)  # o que o mapa mostra nela e não é o aluno quem faz
AQUECER = ("llm",)  # o que a caixa quente já deve ter pronto (correcao/caixa/quente)
RODA_MODELOS = True  # cada sorteio do banco custa mais, e os testes fazem menos deles
EM_FLOAT32 = True  # em `transplantar`: outro processador pode arredondar de outro jeito
