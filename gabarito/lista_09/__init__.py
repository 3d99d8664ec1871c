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
