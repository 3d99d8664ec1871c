"""As previsões da aula 06 e dos notebooks alem/06-*. Cada resposta errada prevista recebe uma frase que explica."""

import math

from gabarito.base import previsao

previsao(
    "aula-06/quem-vai-melhor",
    certo="sem",
    errados={
        "com": (
            "Seria justo. Mas pense no que o modelo sem máscara pode ler, na própria entrada, enquanto responde. E o "
            "teste é feito do mesmo jeito."
        ),
    },
    tipo="texto",
    tambem={"sem máscara": "sem", "com máscara": "com"},
)

previsao(
    "aula-06/com-dezesseis",
    certo="acerta",
    errados={
        "erra": (
            "Com seis letras ele errava. Mas a posição 15 é a única em que, no treino, nunca houve de onde colar. O "
            "que ele teve de aprender ali?"
        ),
    },
    tipo="texto",
)

previsao(
    "aula-06/onde-esconder",
    certo=1,
    errados={
        2: "Ali o zero é o próprio peso, e o futuro some. O problema desse jeito é outro. Olhe as somas.",
        0: "Quanto é a exponencial de zero? Com pontuação zero, a softmax ainda dá peso.",
        3: "No 3 a exponencial de −∞ é zero, e o futuro some. A pergunta é sobre os dois jeitos que usam zero.",
    },
    tipo="int",
)

previsao(
    "aula-06/segunda-manga",
    certo="fruta",
    errados={
        "roupa": (
            "É o que ela é. Mas a palavra que diz isso, camisa, vem depois dela. Das palavras que a máscara deixa a "
            "segunda manga ver, quais têm lado no plano?"
        ),
    },
    tipo="texto",
)

previsao(
    "aula-06/com-cache",
    certo="igual",
    errados={
        "diferente": (
            "O cache guarda números em vez de calculá-los de novo. Com a máscara, a letra nova muda alguma coisa nas "
            "linhas do passado?"
        ),
    },
    tipo="texto",
    tambem={"diferentes": "diferente", "iguais": "igual"},
)

previsao(
    "aula-06/convencoes",
    certo="nada",
    errados={
        "tudo": "Seria com a convenção da camada, em que True esconde. Para esta função, True deixa ver.",
        "só ele mesmo": "A diagonal é False, e para esta função False esconde. O que sobra na última linha?",
    },
    tipo="texto",
)

_e = math.exp(1 / math.sqrt(2))
_tres = [math.exp(v / math.sqrt(2)) for v in (3, 2, 4)]
previsao(
    "aula-06/peso-de-life",
    certo=_e / (1 + _e),
    errados={
        0.5: "Esse seria o peso com pontuações iguais. As de “is” são 3 e 2.",
        1 / (1 + _e): "Esse é o peso que “is” dá a si mesma. O de “Life” é o outro.",
        0.6: "Você repartiu 3 e 2 em proporção. Quem reparte é a softmax, que exponencia antes.",
        67.0: "Um peso vai de 0 a 1. A conta parece certa. Escreva o peso, e não a porcentagem.",
        1 / (1 + math.e): "Faltou dividir por √2, e esse é o peso que “is” dá a si mesma. O de “Life” é o outro.",
        math.e / (1 + math.e): "Faltou dividir as pontuações por √2 antes da exponencial.",
        _tres[0] / sum(_tres): "O 4 de “awesome” entrou na soma, e ela é o futuro de “is”. Esconda-a antes.",
    },
    tipo="float",
)

previsao(
    "aula-06/o-pad-do-comeco",
    certo="NaN",
    errados={
        "zeros": "É o que a função devolve. A camada, quando também devolve os pesos, faz a softmax com −inf.",
        "iguais": "Isso é com −1e9. A camada troca o True por −inf. O que a softmax faz com uma linha assim?",
    },
    tipo="texto",
    tambem={"zero": "zeros", "pesos iguais": "iguais"},
)
