"""Lista 09: contar pares e sequências, a média uniforme do passado, a tarefa de cópia e o GPT sem atenção.

Os textos são de poucas letras e vêm de cadeias sorteadas, com contextos que nunca aparecem e com um fim que nada segue.
Em `ngrama` cada semente escolhe contextos vistos, nunca vistos, curtos, compridos e o do fim do texto. Em
`tarefa_de_copia` não se comparam sorteios, e sim fatos: que formas, de onde vem cada alvo, que tokens apareceram.
"""

ORDEM = (
    "entropia_cruzada",
    "media_uniforme_causal",
    "bigrama",
    "tarefa_de_copia",
    "ngrama",
    "gpt_sem_atencao",
)  # as questões, na ordem da lista
NO_MAPA = "à parte: o GPT sem atenção"  # o que ela acrescenta à máquina
DO_CURSO = ("os treinos guardados",)  # o que o mapa mostra nela e não é o aluno quem faz
A_PARTE = True  # o experimento que tira a atenção não é uma peça da máquina
RODA_MODELOS = True  # cada sorteio do banco custa mais, e os testes fazem menos deles
EM_FLOAT32 = True  # outro processador pode arredondar de outro jeito, e os testes comparam as referências com folga
