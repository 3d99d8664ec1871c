"""As apostas da aula 02. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

import math

from gabarito.base import previsao

previsao(
    "aula-02/divide-pela-soma",
    certo="manga",
    errados={
        "Eu": "Seria o natural, porque “Eu” tem a maior pontuação. Mas olhe o sinal da soma antes de dividir.",
        "comer": "O sinal você percebeu. Mas há uma palavra com pontuação ainda mais negativa.",
        "de": "“de” tem a segunda maior pontuação. Mas olhe o sinal da soma antes de dividir.",
        "gosto": "O sinal você percebeu. Mas há uma palavra com pontuação bem mais negativa.",
    },
    tipo="texto",
)

previsao(
    "aula-02/perto-ou-longe",
    certo="longe",
    errados={
        "perto": ("É o que a seta sugere. Meça na figura: de (0; 1) e de (0,21; 0,52), quanto falta até fruta?"),
    },
    tipo="texto",
    tambem={"mais longe": "longe", "mais perto": "perto"},
)

previsao(
    "aula-02/mil-e-mil",
    certo="nan",
    errados={
        "0,5": "É o que dá no papel. Mas quanto é a exponencial de 1000, para um computador? Rode e veja.",
        "zero": "Zero seria um número comum dividido por infinito. O que há em cima da fração?",
    },
    tipo="texto",
    tambem={"0.5": "0,5", "1/2": "0,5", "meio": "0,5", "0": "zero", "não é um número": "nan"},
)

previsao(
    "aula-02/quase-zero",
    certo="manga",
    errados={
        "comer": (
            "“comer” é a palavra mais parecida com “manga” entre as outras. Mas “manga” também olha para si mesma: "
            "compare as duas pontuações na tabela da seção 3."
        ),
        "meio": "Isso acontece no outro extremo, com T muito grande, quando todas levam o mesmo peso.",
    },
    tipo="texto",
    tambem={"média": "meio"},
)

previsao(
    "aula-02/as-duas-mangas",
    certo="mesmo ponto",
    errados={
        "lados opostos": (
            "É o que você faz quando lê. Mas compare as duas linhas de pontuações: em que número elas diferem?"
        ),
        "vizinhos": "Elas têm vizinhas diferentes na frase. Mas onde, em XXᵀ, aparece a distância entre duas palavras?",
    },
    tipo="texto",
    tambem={"ao mesmo ponto": "mesmo ponto", "o mesmo ponto": "mesmo ponto", "pontos vizinhos": "vizinhos"},
)

previsao(
    "aula-02/duas-camadas",
    certo="viram um ponto",
    errados={
        "se espalham": "Cada palavra vai para uma média das outras, e uma média nunca sai da região entre elas.",
        "voltam": (
            "A segunda camada não desfaz a primeira: ela tira outra média, agora de palavras que já estão perto umas "
            "das outras."
        ),
    },
    tipo="texto",
    tambem={
        "um ponto": "viram um ponto",
        "viram ponto": "viram um ponto",
        "ponto": "viram um ponto",
        "espalham": "se espalham",
    },
)

# ------------------------------------------------------------ notebooks/alem

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
    opcoes=["the", "cat", "sat", "on"],
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
