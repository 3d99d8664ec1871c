"""As previsões da aula 05 e dos notebooks alem/05-*. Cada resposta errada prevista recebe uma frase que explica."""

from gabarito.base import previsao

previsao(
    "aula-05/costureira-come",
    certo="meio",
    errados={
        "fruta": "É o que a frase quer dizer. Mas comer puxa para um lado, e costureira, para o outro.",
        "roupa": "Costureira puxa mesmo para lá. Só que comer puxa para o outro lado, com a mesma força.",
    },
    tipo="texto",
)

previsao(
    "aula-05/procura-sem-achar",
    certo="parada",
    errados={
        "roupa": "Ela iria, se houvesse roupa na frase. Uma média só leva a um lugar entre as palavras que estão ali.",
        "fruta": "Para esta cabeça, a chave de comer é a menor de todas: é a palavra mais à direita.",
    },
    tipo="texto",
)

previsao(
    "aula-05/a-media-de-duas",
    certo="nenhuma",
    errados={
        "quase todas": "As palavras estão longe, mas em cada par uma puxa para um lado, e a outra, para o outro.",
        "metade": "Em nenhum par as duas estão do mesmo lado. Quanto é a metade de 1,02 menos 0,52, o caso extremo?",
    },
    tipo="texto",
    tambem={"0": "nenhuma", "todas": "quase todas"},
)

previsao(
    "aula-05/de-que-token",
    certo=0,
    errados={
        1: (
            "Seria o certo, e é o que a divisão deveria fazer. Mas o reshape só lê os números em fila: "
            "depois de 0, 1, 2, 3, quais são os quatro seguintes?"
        ),
        2: "Conte em fila: a linha 0 leva os quatro primeiros números, e a linha 1, os quatro seguintes.",
    },
    tipo="int",
)

previsao(
    "aula-05/oito-ou-uma",
    certo="as mesmas",
    errados={
        "mais": "São oito cabeças, mas cada uma é oito vezes menor. Quanto é h vezes d_h?",
        "menos": "Cada cabeça faz um oitavo das contas, mas são oito. Quanto é h vezes d_h?",
    },
    tipo="texto",
    tambem={"mesmas": "as mesmas", "iguais": "as mesmas"},
)

previsao(
    "aula-05/quem-aprende-antes",
    certo="duas",
    errados={
        "uma": "Com uma cabeça, as duas respostas chegam em uma média só, e é preciso aprender a decifrá-la.",
        "empate": "Os parâmetros são tantos quantos. Mas uma cabeça precisa decifrar uma média, e duas não precisam.",
    },
    tipo="texto",
)

previsao(
    "aula-05/o-relogio",
    certo="sobe",
    errados={
        "igual": "É o que dizem as multiplicações. Só que há uma parte da conta que não é produto.",
        "desce": "As matrizes ficam menores, mas são mais mapas de atenção. Quantas exponenciais há em h mapas?",
    },
    tipo="texto",
)

previsao(
    "aula-05/onde-moram",
    certo="feed-forward",
    errados={
        "atenção": "É a parte mais famosa, mas não a maior: fica entre um quarto e um terço.",
        "embeddings": "São um quinto do BERT-base. No GPT-3, que tem d muito maior, quase somem.",
    },
    tipo="texto",
)

previsao(
    "aula-05/forma-da-juncao",
    certo=(8, 3),
    errados={
        (4, 6): "É a forma que queríamos: as colunas lado a lado. Mas sem dizer o eixo, o np.concatenate usa o 0.",
        (4, 3): "Duas matrizes (4, 3) concatenadas têm 24 números; (4, 3) só guarda 12.",
        (2, 4, 3): "Essa seria a do np.stack, que cria um eixo. O np.concatenate emenda em um eixo que já existe.",
    },
    tipo="forma",
)

previsao(
    "aula-05/quantas-certas",
    certo="poucas",
    errados={
        "quase todas": "Faça à mão só a primeira: 1·0,1 + 0·0,2 + 2·0,1 + 1·0,3, e compare com 0,7.",
        "metade": "É ainda pior. Rode a figura abaixo e conte as casas brancas, que são as certas.",
    },
    tipo="texto",
)

previsao(
    "aula-05/forma-do-peso",
    certo=(2, 3),
    errados={
        (3, 2): "É a forma da matriz das nossas aulas. O PyTorch guarda uma linha para cada saída.",
        (2,): "Essa é a forma do viés, com um número para cada saída.",
    },
    tipo="forma",
)
