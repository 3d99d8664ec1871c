"""As previsões das aulas 10 e 10b e do alem/10-*. Cada resposta errada prevista recebe uma frase que explica."""

from gabarito.base import previsao

# ------------------------------------------------------------ aula 10

previsao(
    "aula-10/com-a-sua-atencao",
    certo="iguais",
    errados={
        "parecidos": "Não há nada de aproximado: a conta é a mesma, e só o arredondamento muda.",
        "diferentes": "Seria assim se a conta fosse outra. Mas um LLM faz, em cada camada, a conta da lista 06.",
    },
    tipo="texto",
    tambem={"igual": "iguais"},
)

previsao(
    "aula-10/pedacos",
    certo=3,
    errados={
        0: "Pelo menos um pedaço sempre sai. Rode e conte.",
        1: "Em geral, só as palavras comuns do inglês se fundem até virar um pedaço só.",
        2: "Quase. Rode e veja os pedaços.",
        4: "São as sílabas, mas o BPE não sabe separar sílabas. Rode e veja os pedaços.",
        5: "São as sílabas, mas o BPE não sabe separar sílabas. Rode e veja os pedaços.",
        10: "Seria assim com uma letra por vez, como na aula 08. Aqui muitos pares de letras já se fundem.",
        11: "Seria assim com uma letra por vez, como na aula 08. Aqui muitos pares de letras já se fundem.",
    },
)

previsao(
    "aula-10/cem-adiante",
    certo="igual",
    errados={
        "maior": "Os dois giraram mais, mas os dois giraram o mesmo tanto. O que muda no ângulo entre eles?",
        "menor": "Seria assim se a posição contasse sozinha. Os dois giraram o mesmo tanto: e o ângulo entre eles?",
    },
    tipo="texto",
    tambem={"iguais": "igual", "a mesma": "igual"},
)

previsao(
    "aula-10/perplexidade-menor",
    certo="sem máscara",
    errados={
        "nenhuma": "Parece óbvio, mas há uma. Lembre o que a perda mede, e o modelo que cola da aula 06.",
        "sem escala": "Sem a escala cada cabeça olha quase só para um token, e a perplexidade sobe muito.",
        "softmax nas colunas": "Aí as linhas nem somam 1. É a pior de todas.",
        "máscara depois": "As linhas deixam de somar 1, e o modelo nunca viu vetores assim. A perplexidade sobe muito.",
        "sem o próprio": "Essa é a mais parecida com a certa, mas ainda é pior que ela.",
        "uniforme": "Sem escolher para onde olhar, tudo vira uma média. A perplexidade sobe muito.",
    },
    tipo="texto",
    opcoes=["sem escala", "sem máscara", "softmax nas colunas", "máscara depois", "sem o próprio", "uniforme"],
)

previsao(
    "aula-10/manga-ou-roma",
    certo="igual",
    errados={
        "cai": "Cairia, se a cabeça seguisse o assunto. Veja o que ela segue de verdade.",
        "a zero": "Iria a zero se as duas palavras fossem diferentes uma da outra. Aqui trocamos as duas.",
    },
    tipo="texto",
    tambem={"fica igual": "igual", "quase igual": "igual", "vai a zero": "a zero", "zero": "a zero", "0": "a zero"},
    opcoes=["cai", "igual", "a zero"],
)

previsao(
    "aula-10/os-dois-bancos",
    certo="da 5",
    errados={
        "da 15": "Parece razoável que leve meia pilha, mas é bem antes. Rode e veja onde a linha chega a doze.",
        "da 25": "Seria assim se o sentido só aparecesse no fim. Rode e veja onde a linha chega a doze.",
    },
    tipo="texto",
    tambem={"5": "da 5", "15": "da 15", "25": "da 25"},
)

# ------------------------------------------------------------ aula 10b

previsao(
    "aula-10/valor-do-primeiro",
    certo="menor",
    errados={
        "parecido": "Seria assim se ele fosse um token como os outros. Compare as duas curvas da figura da direita.",
        "maior": (
            "Parece natural, porque é para ele que quase todos olham. Mas o peso e o valor são contas separadas. "
            "Compare as duas curvas da figura da direita."
        ),
    },
    tipo="texto",
    tambem={"parecida": "parecido", "igual": "parecido"},
    opcoes=["menor", "parecido", "maior"],
)

previsao(
    "aula-10/cabeca-de-antes",
    certo="muito",
    errados={
        "nada": (
            "Ela não copia ninguém, é verdade. Mas como uma cabeça da camada 17 pode saber quem veio antes de quem?"
        ),
        "pouco": "Seria pouco se ela trabalhasse sozinha. Alguém nas camadas seguintes depende do que ela escreve.",
    },
    tipo="texto",
)

previsao(
    "aula-10/onde-se-decide",
    certo="uma",
    errados={
        "todas": "As camadas todas trabalham, mas quase todas empurram as duas cidades por igual.",
        "umas dez": "É mais concentrado ainda. Rode e procure a barra mais alta.",
    },
    tipo="texto",
    tambem={"dez": "umas dez", "1": "uma", "uma só": "uma"},
    opcoes=["todas", "umas dez", "uma"],
)

previsao(
    "aula-10/sem-a-cabeca",
    certo="Paris",
    errados={
        "London": "A diferença entre as duas ficou perto de zero, mas ainda é de Paris. Rode e leia o que ele escreve.",
        "the": "É a segunda mais provável, por pouco. Rode e veja qual é a primeira.",
    },
    tipo="texto",
    tambem={"Londres": "London"},
    opcoes=["Paris", "London", "the"],
)

previsao(
    "aula-10/que-capital",
    certo="Rome",
    errados={
        "Paris": "Todo o resto ainda é da França, mas a resposta passa por esta cabeça. Rode e leia.",
        "outra": "Parece que sairia uma mistura sem sentido. Rode e veja o que o modelo faz com esses números.",
    },
    tipo="texto",
    tambem={"Roma": "Rome", "outra palavra": "outra"},
)

previsao(
    "aula-10/quem-sai-primeiro",
    certo="as que descansam",
    errados={
        "as sorteadas": "No sorteio entram também as que trabalham. Compare as bolinhas com o ponto vermelho.",
        "tanto faz": "Tanto faria se o descanso não dissesse nada da cabeça. Compare as bolinhas com o ponto vermelho.",
    },
    tipo="texto",
    tambem={"as que mais descansam": "as que descansam", "sorteadas": "as sorteadas", "ao acaso": "as sorteadas"},
)

# ------------------------------------------------------------ alem/10-o-mesmo-modelo

previsao(
    "aula-10/pares-trocados",
    certo="um pouco",
    errados={
        "nada": "Seria assim se qualquer par servisse. Mas o treino usou estes pares, e não outros.",
        "desaba": "É o que se espera de um erro em todas as camadas. Rode e veja como ele é discreto.",
    },
    tipo="texto",
    tambem={"pouco": "um pouco", "piora um pouco": "um pouco"},
)
