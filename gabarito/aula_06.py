"""As previsões da aula 06. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

import math

from gabarito.base import previsao

previsao(
    "aula-06/quem-vai-melhor",
    certo="sem",
    errados={
        "com": (
            "Seria justo. Mas pense no que o modelo sem máscara pode ler, na própria entrada, enquanto responde; e a "
            "prova é aplicada do mesmo jeito."
        ),
    },
    tipo="texto",
    tambem={"sem máscara": "sem", "com máscara": "com"},
)

previsao(
    "aula-06/soma-depois-de-zerar",
    certo=0.5,
    errados={
        1.0: "Somava 1 antes de zerar. Depois, duas das quatro posições da segunda linha viraram 0.",
        0.25: "Essa é a soma da primeira linha, que só vê a si mesma. A segunda vê duas posições.",
        0.75: "Essa é a terceira linha. A segunda vê a primeira posição e a si mesma.",
        2.0: "São duas posições à vista, mas cada uma tem peso 1/4.",
    },
    tipo="float",
)

previsao(
    "aula-06/media-crescente",
    certo=3.0,
    errados={
        4.0: "Essa é a média dos quatro: o último ainda não existe para o terceiro.",
        3.5: "Essa é a média só dos dois anteriores. O presente também conta: a diagonal fica à vista.",
        2.0: "Esse é o próprio terceiro token. Ele também ouve os dois anteriores, com o mesmo peso.",
        9.0: "Essa é a soma. Os pesos são 1/3 cada um.",
        4.5: "Essa é a média do terceiro com o quarto: o futuro. A máscara esconde o outro lado.",
    },
    tipo="float",
)

_e = math.exp(1 / math.sqrt(2))
_tres = [math.exp(v / math.sqrt(2)) for v in (3, 2, 4)]
previsao(
    "aula-06/peso-de-life",
    certo=_e / (1 + _e),
    errados={
        1 / (1 + _e): "Esse é o peso que “is” dá a si mesma. O de “Life” é o outro.",
        0.6: "Você repartiu 3 e 2 em proporção. Quem reparte é a softmax: exponencie antes.",
        math.e / (1 + math.e): "Faltou dividir as pontuações por √2 antes da exponencial.",
        _tres[0] / sum(_tres): "O 4 de “awesome” entrou na soma, e ela é o futuro de “is”. Esconda-a antes.",
        1.5 / 2.5: "Você repartiu em proporção. Quem reparte é a softmax: exponencie antes.",
    },
    tipo="float",
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

previsao(
    "aula-06/linha-escondida",
    certo=0.25,
    errados={
        0.0: "É o que gostaríamos. Mas a softmax só vê diferenças, e entre quatro números iguais a diferença é 0.",
        math.nan: "Isso é com −inf. Com −1e9, a conta não estoura: subtrai-se o máximo, e sobra 0 em todas.",
        1.0: "Os pesos de uma linha somam 1: não podem ser quatro vezes 1.",
    },
    tipo="float",
)

previsao(
    "aula-06/casas-do-gradiente",
    certo=21,
    errados={
        15: "Esse é o triângulo sem a diagonal. Cada saída depende também da própria entrada.",
        36: "Seriam todas se não houvesse máscara. Acima da diagonal a derivada é zero.",
        18: "Metade de 36, quase. A diagonal inteira também conta: 1 + 2 + … + 6.",
        6: "Isso seria se cada saída só dependesse da própria entrada.",
        20: "Errou por um: some 1 + 2 + 3 + 4 + 5 + 6.",
    },
    tipo="int",
)

previsao(
    "aula-06/linha-que-vaza",
    certo="a",
    errados={
        "b": (
            "Ela usa mesmo o máximo da matriz inteira. Mas uma constante subtraída de todos se cancela na linha (d): "
            "sobra só arredondamento."
        ),
        "c": "Ela põe 0 na exponencial do que é futuro, o mesmo que exp(−inf), e antes da divisão da linha (d).",
        "d": "A soma é do que ficou depois da linha (c), sem o futuro: é o denominador certo.",
    },
    tipo="texto",
)

previsao(
    "aula-06/conserto",
    certo=0.0,
    errados={
        0.943: (
            "Ainda vaza. A média e o desvio da linha (a) são de quê: de cada token, ou de cada componente ao longo da "
            "frase?"
        ),
    },
    tipo="float",
)
