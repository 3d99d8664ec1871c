"""As previsões da aula 02. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

import math

from gabarito.base import previsao

previsao(
    "aula-02/divide-pela-soma",
    certo="Roma.",
    errados={
        "Roma": "É isso: “Roma.” (com o ponto, que faz parte do token).",
        "roupa": (
            "Seria o natural: “roupa” tem a maior pontuação consigo mesma. Mas olhe o sinal da soma da "
            "linha antes de dividir."
        ),
        "rei": "Quase. O sinal você percebeu; há uma palavra com pontuação ainda mais negativa.",
        "de": "“de” tem a segunda maior pontuação. Mas olhe o sinal da soma da linha antes de dividir.",
    },
    tipo="texto",
)

previsao(
    "aula-02/razao",
    certo=math.exp(0.97 + 0.14),
    errados={
        0.97 / -0.14: (
            "Essa é a razão entre as pontuações. Depois da exponencial, quem manda é a diferença entre elas."
        ),
        0.97 / 0.14: (
            "Essa é a razão entre os tamanhos das pontuações. Depois da exponencial, quem manda é a "
            "diferença entre elas."
        ),
        1.11: "Essa é a diferença entre as pontuações. Falta passá-la pela exponencial.",
        math.exp(0.83): "Você fez 0,97 − 0,14, mas a pontuação de “roupa” é negativa: 0,97 − (−0,14).",
    },
    tipo="float",
)

previsao(
    "aula-02/soma-constante",
    certo=1.0,
    errados={
        math.exp(5): "Cada exponencial fica mesmo multiplicada por e⁵. Mas a soma no denominador também.",
        5: (
            "As pontuações ganharam 5, mas não os pesos. Escreva a fração e veja o que acontece com e⁵ em "
            "cima e embaixo."
        ),
        0: "O peso não some: ele continua entre 0 e 1. A pergunta é por quanto ele fica multiplicado.",
    },
    tipo="float",
)

previsao(
    "aula-02/forma-da-soma",
    certo=(2, 1),
    errados={
        (2,): "Essa seria a forma sem keepdims. Com keepdims=True, o eixo somado continua lá, com tamanho 1.",
        (1, 3): ("Essa é a soma de cada coluna: o eixo que some é o 0. Com axis=1, a soma é ao longo de cada linha."),
        (3,): "Essa é a soma de cada coluna, sem keepdims. Com axis=1, a soma é ao longo de cada linha.",
        (1, 2): "As duas somas estão aí, mas deitadas. O eixo que ficou com tamanho 1 é o segundo.",
        (2, 3): "A soma não conserva a forma: um dos eixos fica com tamanho 1.",
    },
    tipo="forma",
)

previsao(
    "aula-02/softmax-de-mil",
    certo="nan",
    errados={
        "0.5": (
            "É o que a matemática manda, e é o que queremos. Mas antes de dividir, o computador precisa "
            "guardar exp(1000)."
        ),
        "0,5": (
            "É o que a matemática manda, e é o que queremos. Mas antes de dividir, o computador precisa "
            "guardar exp(1000)."
        ),
        "inf": "De fato, exp(1000) é inf. Mas a seguir vem inf dividido por inf.",
        "1": ("Dois pesos iguais não podem valer 1 cada. E antes de dividir, o computador precisa guardar exp(1000)."),
        "0": "Pense no que exp(1000) vira em um float, e no que dá dividir isso por si mesmo.",
        "erro": "O NumPy não para: avisa e continua, com um valor que não é um número.",
    },
    tipo="texto",
)

previsao(
    "aula-02/entropia-maxima",
    certo=math.log(9),
    errados={
        math.log2(9): "Esse é o valor em bits (logaritmo na base 2). Em nats, use o logaritmo natural.",
        9: "Nove é o número efetivo de palavras, exp(H). A entropia é o logaritmo dele.",
        1: (
            "Isso valeria se a entropia fosse dividida pelo seu máximo. Com nove pesos iguais a 1/9, faça "
            "−Σ (1/9) ln(1/9)."
        ),
        1 / 9: "Esse é o peso de cada palavra. A entropia é −Σ (1/9) ln(1/9), com nove parcelas.",
        0: "Zero é o outro extremo, T → 0: uma palavra leva tudo.",
    },
    tipo="float",
)

previsao(
    "aula-02/quantas-olham-para-roma",
    certo=8,
    errados={
        9: "Quase: há uma palavra que aponta para o outro lado do plano e prefere a si mesma.",
        1: (
            "Seria assim se cada palavra preferisse a si mesma. Mas o produto escalar premia vetores "
            "longos, e o de “Roma.” é o mais longo."
        ),
        2: (
            "Além de “rei” e “Roma.”, há outras: o produto escalar premia vetores longos, e o de “Roma.” "
            "é o mais longo."
        ),
        7: "Perto. Confira as palavras curtas (“O”, “a”, “do”, “de”): para onde apontam?",
    },
    tipo="int",
)

previsao(
    "aula-02/lado-de-roupa",
    certo="direita",
    errados={
        "esquerda": (
            "Os pesos são quase iguais, e as outras oito palavras estão todas à direita: quem ganha essa média?"
        ),
    },
    tipo="texto",
)

previsao(
    "aula-02/linha-que-passa-de-1",
    certo="on",
    errados={
        "the": "Cada coluna soma 1. Que linha recebe muito de quase todas as colunas?",
        "cat": "Cada coluna soma 1. Que linha recebe muito de quase todas as colunas?",
        "sat": (
            "“sat” não tem nada em comum com as outras: recebe pouco delas. Procure a que tem algo com quase todas."
        ),
        "nenhuma": "Seria assim se cada linha somasse 1. Mas aqui são as colunas que somam 1.",
    },
    tipo="texto",
)

previsao(
    "aula-02/conserto-eixo",
    certo=1.0,
    errados={1.4402: "Uma linha ainda soma 1,44: a soma continua ao longo do eixo errado."},
    tipo="float",
)

previsao(
    "aula-02/conserto-maximo",
    certo=1.0,
    errados={
        math.nan: ("Com vetores 30 vezes maiores ainda aparece NaN: a exponencial estoura antes da divisão."),
    },
    tipo="float",
)

previsao(
    "aula-02/soma-da-jacobiana",
    certo=0.0,
    errados={
        1: ("Quem soma 1 são os pesos. Se eles somam 1 antes e depois do empurrão, quanto somam as variações?"),
    },
    tipo="float",
)
