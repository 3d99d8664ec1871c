"""Lista 10: desligar, a pontuação de indução, o ranking, a atenção dentro de um LLM de verdade e as contribuições.

As entradas são tensores float32. A referência e os equívocos fazem as contas em float64: assim as impressões não
dependem do processador. Em `atencao`, além dos casos com tensores, há frases que passam pelo SmolLM2 inteiro com a
função do aluno (ver as peças da lista); delas só se guardam três números. As fatias de fatias.json são pesos
e saídas de verdade do SmolLM2, com três casas, na frase “The cat sat on the mat.” (a de indução, em cinco tokens
sorteados, repetidos uma vez).
"""

ORDEM = (
    "desligar",
    "pontuacao_inducao",
    "cabecas_por_pontuacao",
    "atencao",
    "contribuicoes",
)  # as questões, na ordem da lista
NO_MAPA = "um LLM de verdade"  # o que ela acrescenta à máquina
DO_CURSO = ("os parâmetros do SmolLM2",)  # o que o mapa mostra nela e não é o aluno quem faz
AQUECER = ("llm",)  # o que a caixa quente já deve ter pronto (correcao/caixa/quente)
RODA_MODELOS = True  # cada sorteio do banco custa mais, e os testes fazem menos deles
