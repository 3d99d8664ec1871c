"""As previsões da aula 09. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

from gabarito.base import previsao

previsao(
    "aula-09/onde-para",
    certo="bigrama",
    errados={
        "acaso": "Ele aprende alguma coisa: cada posição ainda vê o próprio token. O que dá para saber a partir dele?",
        "unigrama": "Um unigrama não olha para nada. Cada posição ainda vê o próprio token, e ele diz algo do próximo.",
        "trigrama": "Para um trigrama é preciso ver duas letras. Sem atenção, como a letra anterior chegaria até aqui?",
    },
    tipo="texto",
    tambem={"2,54": "bigrama"},
)

previsao(
    "aula-09/melhor-ordem",
    certo=6,
    errados={
        7: "Mais contexto devia ajudar sempre, não é? Mas contextos de 6 letras são tão raros que a conta fica ruim.",
        5: "Quase: a ordem 6 ainda ganha, por muito pouco.",
        4: "Ainda há o que ganhar depois da 4: veja o quanto.",
        3: "Duas letras de contexto dizem pouco: veja quanto se ganha com mais.",
        2: "Uma letra de contexto é muito pouco: veja quanto se ganha com mais.",
        1: "Sem contexto nenhum? Veja quanto se ganha com uma letra.",
    },
    tipo="int",
)

previsao(
    "aula-09/quem-ganha",
    certo="5-grama",
    errados={
        "gpt": (
            "Seria natural: são centenas de milhares de parâmetros treinados. Mas o 5-grama guarda ainda mais números, "
            "e contou o treino inteiro. Rode e veja."
        ),
    },
    tipo="texto",
    tambem={"o gpt": "gpt", "o 5-grama": "5-grama"},
)

previsao(
    "aula-09/acaso-da-copia",
    certo=1 / 31,
    errados={
        1 / 32: "Quase: o separador não está entre os sorteados. São 31 tokens possíveis, e não 32.",
        0.5: "São 31 tokens igualmente prováveis; acertar por acaso é bem mais raro que isso.",
        31.0: "Esse é o número de tokens. O acerto por acaso é 1 dividido por ele.",
    },
    tipo="float",
)

previsao(
    "aula-09/ordem-para-copiar",
    certo=12,
    errados={
        10: "O contexto de um 10-grama tem 9 tokens, e o original está 11 posições antes.",
        11: "Um 11-grama tem 10 tokens de contexto. O original está 11 posições antes do token previsto: falta um.",
        13: "Um a mais que o necessário: com n = 12 o contexto já tem 11 tokens.",
        21: "Não é preciso ver a sequência inteira; basta alcançar o original, 11 posições antes.",
    },
    tipo="int",
)

previsao(
    "aula-09/comprimento-que-estoura",
    certo=3,
    errados={
        2: "Com 2, são 31² = 961, menos que 4 800: ainda cabem todos, umas cinco vezes cada um.",
        4: "Com 4, já passa de 900 mil. Há um L menor que também passa de 4 800.",
        155: "Dividir 4 800 por 31 não conta sequências: elas são 31 vezes 31 vezes 31, e assim por diante.",
    },
    tipo="int",
)

previsao(
    "aula-09/linha-errada",
    certo="a",
    errados={
        "b": "Contar todas as ordens até 6 é o que um 6-grama faz. O problema é em que texto.",
        "c": "A prova é a mesma: blocos de 16 do teste. O que não podia era ela aparecer também em outro lugar.",
        "d": "A última ordem é a 6, e a probabilidade é a do alvo: está certo. O que foi contado?",
    },
    tipo="texto",
)
