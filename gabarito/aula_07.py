"""As previsões da aula 07. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

import math

from gabarito.base import previsao

previsao(
    "aula-07/quantos-sobram",
    certo=1,
    errados={
        9: "Seria bom. Mas cada saída é uma média dos valores de todos; o que acontece com a média de médias?",
        0: "Vetores há sempre nove. A pergunta é quantos são diferentes uns dos outros.",
        2: "Quase: depois de doze médias de médias, nem dois sobram.",
        3: "Ainda é muito: depois de doze médias de médias, todos vão para o mesmo lugar.",
        8: "Ainda é muito: cada camada faz de cada token uma média de todos.",
    },
)

previsao(
    "aula-07/derivada-com-soma",
    certo=1.1**12,
    errados={
        0.1**12: "Essa é a de sem a soma. Com ela, cada camada multiplica por 1 + 0,1.",
        1.0: "Há sempre um caminho com derivada 1, mas não é o único: cada camada multiplica por 1,1.",
        2.2: "São doze multiplicações por 1,1, e não uma soma: é uma potência.",
        1.2: "São doze multiplicações por 1,1, e não uma soma: é uma potência.",
        1.1: "Isso é uma camada só. São doze.",
        13.2: "São doze multiplicações por 1,1, e não doze vezes 1,1.",
    },
    tipo="float",
)

previsao(
    "aula-07/primeira-componente",
    certo=-3 / math.sqrt(5),
    errados={
        3 / math.sqrt(5): "Confira o sinal: 1 está abaixo da média, que é 4.",
        -3 / math.sqrt(20 / 3): "Você dividiu a soma dos quadrados por 3. Aqui a variância divide por d, que é 4.",
        -3 / 5: "Você dividiu pela variância, 5. É pela raiz dela.",
        -3.0: "Você tirou a média e parou. Falta dividir pelo desvio.",
        1 / math.sqrt(5): "Faltou tirar a média, que é 4, antes de dividir.",
        -3 / math.sqrt(20): "Você dividiu pela raiz da soma dos quadrados, 20. A variância é a média deles: 20/4.",
        0.0: "Zero é a média do resultado. A primeira componente está abaixo dela.",
    },
    tipo="float",
)

previsao(
    "aula-07/esticar-e-mover",
    certo="igual",
    errados={
        "maior": "Tirar a média desfaz o +100, e dividir pelo desvio desfaz o ×10. O que sobra?",
        "menor": "Tirar a média desfaz o +100, e dividir pelo desvio desfaz o ×10. O que sobra?",
    },
    tipo="texto",
    tambem={"iguais": "igual"},
)

previsao(
    "aula-07/razao-da-copiada",
    certo=math.sqrt(3 / 4),
    errados={
        0.75: "Essa é a razão das variâncias. A dos desvios é a raiz dela.",
        math.sqrt(4 / 3): "Ao contrário: o desvio com d − 1 é maior, e dividir por ele dá um resultado menor.",
        4 / 3: "Ao contrário, e falta a raiz: o desvio com d − 1 é maior, e dividir por ele dá um resultado menor.",
        1.0: "Seria se os dois desvios fossem iguais. Um divide por 4, o outro por 3.",
    },
    tipo="float",
)

previsao(
    "aula-07/fracao-da-feed-forward",
    certo=2 / 3,
    errados={
        0.5: "Conte em d²: quatro matrizes (d, d) de um lado; do outro, duas com 4d² cada.",
        1 / 3: "Essa é a fração da atenção. A pergunta é pela outra.",
        0.8: "A atenção tem quatro matrizes, e não duas: 4d² contra 8d².",
        0.25: "Conte em d²: a atenção tem 4d², a feed-forward tem 8d².",
        2.0: "Essa é a razão entre as duas. A fração é sobre o total: 8 em 12.",
        66.7: "A conta é essa; escreva como fração, entre 0 e 1.",
    },
    tipo="float",
)

previsao(
    "aula-07/mordeu",
    certo="igual",
    errados={
        "diferente": (
            "As duas frases têm as mesmas palavras, e para “mordeu” a atenção é uma média que não liga para a ordem. "
            "O que mudaria?"
        ),
    },
    tipo="texto",
    tambem={"iguais": "igual"},
)

previsao(
    "aula-07/quem-treina",
    certo="pré",
    errados={
        "pós": "Rode e compare. Pense em quantas normas o gradiente atravessa, em cada um, do fim ao começo.",
    },
    tipo="texto",
    tambem={"pré-norma": "pré", "pós-norma": "pós"},
)

previsao(
    "aula-07/linhas-culpadas",
    certo="a e b",
    errados={
        "c": "A ReLU dá sempre o mesmo para o mesmo número. Que linha pode dar dois resultados diferentes?",
        "d": "Um produto e uma soma dão sempre o mesmo. Que linha pode dar dois resultados diferentes?",
        "a": "Uma delas. A outra faz o mesmo com a segunda projeção.",
        "b": "Uma delas. A outra faz o mesmo com a primeira projeção.",
    },
    tipo="texto",
    tambem={"a, b": "a e b"},
    opcoes=["a e b", "c", "d"],
)

previsao(
    "aula-07/conserto",
    certo=0.0,
    errados={
        2.3557: (
            "As duas chamadas ainda discordam: os pesos continuam a ser sorteados dentro da chamada. Guarde-os em "
            "self, no __init__, e use-os no __call__."
        ),
    },
    tipo="float",
)
