"""As previsões da aula 08. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

import math

from gabarito.base import previsao

previsao(
    "aula-08/quem-nao-sabe-nada",
    certo=math.log(85),
    errados={
        math.log2(85): "Isso é em bits, com o logaritmo na base 2. Neste curso a perda é em nats: logaritmo natural.",
        math.log10(85): "Esse é o logaritmo na base 10. A entropia cruzada usa o natural.",
        85.0: "Esse é o número de opções. A perda é o logaritmo dele.",
        1 / 85: "Essa é a probabilidade de cada caractere. A perda é −ln dela.",
    },
    tipo="float",
)

previsao(
    "aula-08/quantos-comecos",
    certo=4,
    errados={
        5: "Com 5, o último trecho usaria o último token, e a última posição dele ficaria sem alvo.",
        20: "Um trecho que começa no fim não cabe: são precisos 16 tokens, e mais um para o alvo.",
        3: "Um a menos: o começo 3 também serve. O trecho vai do 3 ao 18, e o alvo da última posição é o 19.",
        1: "Isso seria cortar o texto em blocos sem sobreposição. Um trecho começa em qualquer lugar em que caiba.",
        16: "Esse é o tamanho do trecho. Quantos lugares há para ele começar?",
    },
)

previsao(
    "aula-08/peso-poupado",
    certo=85 * 128,
    errados={
        85: "Isso é só o número de tokens. Cada um tem um vetor de 128 números.",
        128: "Isso é um vetor só. Há um por token.",
        85 * 16: "O 16 é o tamanho do contexto. O vetor de um token tem d = 128 números.",
        16 * 128: "Essa é a tabela das posições. A saída tem uma linha para cada token do vocabulário.",
        128 * 128: "Essa é uma projeção de d para d. A saída vai de d para V.",
        2 * 85 * 128: "Isso é o que se teria com as duas tabelas. O que se poupa é uma.",
    },
)

previsao(
    "aula-08/treino-ou-teste",
    certo="treino",
    errados={
        "teste": (
            "É o costume, porque o modelo nunca viu o teste. Mas o treino é medido com o dropout ligado, e o teste, "
            "com ele desligado."
        ),
        "iguais": "Quase: com tanto texto, o modelo não decora. Mas uma das duas é medida com o dropout ligado.",
    },
    tipo="texto",
    opcoes=["teste", "treino"],
)

previsao(
    "aula-08/temperatura-zero",
    certo=1,
    errados={
        10: "Seria com sorteio. Com temperatura 0 sai sempre o mais provável, e o mais provável é sempre o mesmo.",
        0: "Texto sai. A pergunta é quantos são diferentes uns dos outros.",
        5: "Não há meio-termo: sem sorteio, o mesmo começo dá sempre a mesma continuação.",
    },
)

previsao(
    "aula-08/linha-errada",
    certo="d",
    errados={
        "a": "Os começos vão de 0 a n − bloco − 1: em todos cabem o trecho e o alvo. Está certa.",
        "b": "Cada linha de x é um trecho seguido do texto. Está certa.",
        "c": "O `y` é o mesmo trecho um passo à frente. Está certa.",
    },
    tipo="texto",
)

previsao(
    "aula-08/conserto",
    certo=1.0,
    errados={},
    tipo="float",
)
