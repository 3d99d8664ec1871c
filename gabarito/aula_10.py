"""As previsões da aula 10. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

from gabarito.base import previsao

previsao(
    "aula-10/forma-dos-pesos",
    certo=(9, 5, 5),
    errados={
        (5, 5): "Esses são os pesos de uma cabeça só. A função recebe as nove de uma vez.",
        (9, 5, 64): "Essa é a forma da saída, que mistura valores de 64 números. Os pesos vão de token a token.",
        (9, 64, 64): "O 64 é o tamanho de cada vetor. Os pesos ligam tokens, e a frase tem cinco.",
        (30, 9, 5, 5): "Esses são os pesos do modelo inteiro. A função é chamada uma vez por camada.",
        (3, 5, 5): "Três são as cabeças de chaves e valores, mas elas chegam repetidas: cada consulta tem a sua.",
    },
    tipo="forma",
)

previsao(
    "aula-10/perplexidade-menor",
    certo="sem máscara",
    errados={
        "nenhuma": "Parece óbvio, mas há uma. Lembre o que a perda mede, e o modelo que cola da aula 06.",
        "sem escala": (
            "Sem a escala cada cabeça olha quase só para um token: ele fica confuso, e a perplexidade sobe muito."
        ),
        "softmax nas colunas": (
            "Aí as linhas nem somam 1, e já na segunda camada os vetores não dizem nada. É a pior de todas."
        ),
        "máscara depois": "As linhas deixam de somar 1, e o modelo nunca viu vetores assim. A perplexidade sobe muito.",
        "sem o próprio": "Essa é a mais parecida com a certa, mas ainda é pior que ela.",
        "uniforme": "Sem escolher para onde olhar, ele vira um saco de palavras. A perplexidade sobe muito.",
    },
    tipo="texto",
    tambem={"sem": "sem máscara"},
)

previsao(
    "aula-10/manga-ou-roma",
    certo="fica igual",
    errados={
        "cai": "Cairia, se a cabeça seguisse o assunto. Veja o que ela segue de verdade.",
        "vai a zero": "Iria a zero se as duas palavras fossem diferentes uma da outra. Aqui trocamos as duas.",
        "sobe": "Quase: muda pouco. Rode e compare as casas.",
    },
    tipo="texto",
    tambem={"fica": "fica igual", "igual": "fica igual"},
    opcoes=["cai", "fica igual", "sobe"],
)

previsao(
    "aula-10/quantas-no-sumidouro",
    certo="mais da metade",
    errados={
        "nenhuma": "Veja o mosaico de novo: aquela coluna clara à esquerda de quase todo quadro é o primeiro token.",
        "menos da metade": "São mais. Conte os quadros do mosaico em que só a primeira coluna brilha.",
        "um terço": "São mais. Conte os quadros do mosaico em que só a primeira coluna brilha.",
        "metade": "Perto. Passam um pouco da metade.",
        "todas": "Nem todas: há cabeças que seguem a palavra igual, ou a anterior, e não voltam ao começo.",
    },
    tipo="texto",
    opcoes=["mais da metade", "menos da metade"],
)

previsao(
    "aula-10/cabeca-de-antes",
    certo="muito",
    errados={
        "nada": (
            "Ela não copia ninguém, é verdade. Mas pense em como uma cabeça da camada 17 pode saber quem veio "
            "antes de quem."
        ),
        "pouco": "Seria pouco se ela trabalhasse sozinha. Alguém nas camadas seguintes depende do que ela escreve.",
    },
    tipo="texto",
)

previsao(
    "aula-10/massa-no-futuro",
    certo=0.0,
    errados={
        0.25: "Isso é parecido com o que faz o codificador. No decodificador há uma máscara.",
        0.5: "Seria assim sem máscara e sem preferência. Mas há uma máscara.",
    },
    tipo="float",
)

previsao(
    "aula-10/linha-errada",
    certo="d",
    errados={
        "a": "O máximo ao longo do último eixo é o maior peso de cada linha: (camadas, cabeças, T). Está certo.",
        "b": "A média sobre os tokens que olham dá uma nota por cabeça. Está certo.",
        "c": (
            "Ordenar do maior para o menor é o que se quer, e o índice corrido percorre camada por camada. Está certo."
        ),
    },
    tipo="texto",
)

previsao(
    "aula-10/conserto",
    certo=(18, 8),
    errados={
        (5, 20): "Ainda não: não existe uma cabeça 20. Por quanto se divide o índice corrido para achar a camada?",
        (20, 5): "Você só trocou a ordem do par. Por quanto se divide o índice corrido?",
        (8, 18): "Os números são esses, mas na ordem (camada, cabeça).",
    },
    tipo="forma",
)
