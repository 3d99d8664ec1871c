"""Lista 08: o tokenizador, a taxa de cada passo, os lotes, o GPT, a geração de texto e o treino.

Nada aqui se compara sorteio a sorteio: os adaptadores (nas peças da lista) dizem o que a resposta fez. Nos dados
de `lotes` nenhuma janela se repete, para que se saiba de onde saiu cada linha. Em `gerar`, as frequências vêm de 10 000
textos: dois sorteios certos diferem por menos de 0,05 (sete desvios), e os equívocos, por muito mais.
"""

ORDEM = (
    "tokenizador",
    "taxa",
    "lotes",
    "gpt",
    "gerar",
    "treinar",
)  # as questões, na ordem da lista
NO_MAPA = "o seu GPT"  # o que ela acrescenta à máquina
DO_CURSO = ("o corpus",)  # o que o mapa mostra nela e não é o aluno quem faz
AQUECER = ("otimizadores",)  # o que a caixa quente já deve ter pronto (correcao/caixa/quente)
RODA_MODELOS = True  # cada sorteio do banco custa mais, e os testes fazem menos deles
EM_FLOAT32 = True  # outro processador pode arredondar de outro jeito, e os testes comparam as referências com folga
