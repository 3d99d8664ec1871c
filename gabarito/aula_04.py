"""As previsões das aulas 04 e 04b e dos notebooks alem/04-*. Cada resposta errada recebe uma frase que explica."""

from gabarito.base import previsao

previsao(
    "aula-04/angulo",
    certo="não",
    errados={
        "sim": "Ache primeiro um ângulo em que “comer” vence. Olhe então para o outro lado do desenho: quem vence ali?",
    },
    tipo="texto",
)

previsao(
    "aula-04/frutas-e-roupas",
    certo="juntas",
    errados={
        "opostas": "No começo é assim. Mas uma consulta só tem de servir às duas: treine, e olhe para onde ela aponta.",
    },
    tipo="texto",
    tambem={"junto": "juntas", "juntos": "juntas", "oposta": "opostas", "opostos": "opostas"},
)

previsao(
    "aula-04/pista-nova",
    certo="mais",
    errados={
        "menos": "Seria, se o treino tivesse decorado as pistas. Veja em que canto do plano das chaves “pomar” cai.",
    },
    tipo="texto",
)

# ------------------------------------------------------------ aula 04b

previsao(
    "aula-04/perto-de-zero",
    certo="direita",
    errados={
        "alto": "Sem procurar no alto, “manga” olharia também para “trem” e “circo”, que têm assunto e não são pistas.",
        "assunto": "Sem procurar o assunto, ela continuaria a olhar para si mesma e para “cortar”, que estão no alto.",
    },
    tipo="texto",
)

previsao(
    "aula-04/mutuo",
    certo="menor",
    errados={
        "a mesma": "Isso seria a simetria da aula 01. Agora uma entra com a consulta, e a outra, com a chave.",
        "maior": "“Costureira” procura o mesmo que “manga”: quem está no alto e tem assunto. “Manga” tem assunto?",
    },
    tipo="texto",
    tambem={"mesma": "a mesma", "igual": "a mesma"},
)

previsao(
    "aula-04/forma-cruzada",
    certo=(4, 8),
    errados={
        (8, 4): "É a transposta. Cada linha é de uma palavra que pergunta, e a softmax soma 1 em cada linha.",
        (4, 4): "Essa seria a de “Ele sujou a manga” olhando para si mesma. Quantas palavras respondem agora?",
        (8, 8): "Essa seria a da outra frase olhando para si mesma. Quantas palavras perguntam?",
        (12, 12): "As frases não se juntam: uma só pergunta, e a outra só responde.",
    },
    tipo="forma",
)

previsao(
    "aula-04/duas-mangas",
    certo="nenhuma",
    errados={
        "quase todas": "Gire o sorteio no explorador e olhe os dois pontos. O que entra na conta de cada “manga”?",
        "poucas": "Nem uma. As duas linhas de X são iguais: em que passo da conta elas poderiam se separar?",
    },
    tipo="texto",
)

previsao(
    "aula-04/troca",
    certo="mesmo",
    errados={
        "outro": "Deveria ir, pois a história é outra. Mas o que entra na conta de “manga”? As mesmas palavras.",
    },
    tipo="texto",
    tambem={"o mesmo": "mesmo", "mesmo lugar": "mesmo", "igual": "mesmo", "outro lugar": "outro"},
)

# Nos notebooks de alem/.

previsao(
    "aula-04/vencedoras",
    certo=4,
    errados={
        9: "Seria justo, mas não: gire a consulta uma volta inteira e veja quem acende. Procure “rato”.",
        8: "Menos. Uma palavra que está no meio das outras é sempre ultrapassada por alguma que está mais para fora.",
        1: "Seria só “Roma.” se a consulta apontasse sempre para o mesmo lado. Gire-a.",
        2: "Além de “Roma.” e “roupa” há mais: olhe também para baixo e para cima.",
        3: "Quase. Gire devagar entre 90° e 110°: há uma palavra que vence em uma faixa estreita.",
        5: "Quase. A quinta chega perto, mas quem vence é sempre uma das que estão na borda.",
    },
    tipo="int",
)

previsao(
    "aula-04/maior-peso",
    certo=2,
    errados={
        1: "A chave 1 aponta para o mesmo lado que a consulta, mas é curta. O produto escalar conta o tamanho também.",
        3: "A chave 3 tem a maior segunda componente, mas perde na terceira, que na consulta pesa mais.",
    },
    tipo="int",
)

previsao(
    "aula-04/beta-zero",
    certo=30.0,
    errados={
        10.0: "Esse seria o valor de uma chave só, e só com beta grande. Com beta 0, todas as pontuações viram 0.",
        20.0: "Esse seria o valor de uma chave só, e só com beta grande. Com beta 0, todas as pontuações viram 0.",
        60.0: "Esse seria o valor de uma chave só, e só com beta grande. Com beta 0, todas as pontuações viram 0.",
        0.0: "As pontuações viram 0, mas os pesos não: a softmax de (0, 0, 0) é um terço para cada.",
        90.0: "Essa é a soma. Os pesos somam 1: é a média.",
    },
    tipo="float",
)

previsao(
    "aula-04/parametros",
    certo=210,
    errados={
        14: "Esses são os números de colunas das três matrizes. Cada uma tem também 15 linhas.",
        150: "Faltou uma: são três matrizes, e W_Q e W_K têm a mesma forma.",
        120: "Essas são W_Q e W_K. Falta W_V.",
        180: "Você usou 4 colunas nas três; W_V tem 6.",
        1440: "Você multiplicou as três. Parâmetros se somam.",
        21600: "Você multiplicou as três. Parâmetros se somam.",
    },
    tipo="int",
)

previsao(
    "aula-04/mesmo-adjetivo",
    certo="iguais",
    errados={
        "diferentes": (
            "Deveriam ser, pois os donos são diferentes. Mas o que entra na consulta de “triste”? Só a palavra. Nas "
            "duas posições ela é a mesma."
        ),
    },
    tipo="texto",
    tambem={"igual": "iguais", "diferente": "diferentes"},
)

previsao(
    "aula-04/um-token",
    certo=1.0,
    errados={
        0.0: "Os pesos de uma linha somam 1, e esta linha tem um peso só.",
        0.5: "Os pesos de uma linha somam 1, e esta linha tem um peso só.",
        24.22: "Essa é a pontuação. Depois da softmax, uma linha de um elemento só tem uma saída possível.",
    },
    tipo="float",
)

previsao(
    "aula-04/conserto",
    certo=(4,),
    errados={
        (2,): "Cada cabeça entrega um vetor de d_v = 2 componentes, e são duas, uma depois da outra.",
        (2, 2): "Essa seria a forma se as cabeças fossem empilhadas (np.stack). Concatenar põe uma depois da outra.",
        (1,): "Um número é o que saía antes do conserto. Agora cada cabeça entrega um valor, de d_v = 2 componentes.",
    },
    tipo="forma",
)

previsao(
    "aula-04/gradiente",
    certo=0.0,
    errados={
        1.0: "Pense no que é a pontuação quando todas as chaves são zero, e em quanto ela muda se W_Q mudar um pouco.",
    },
    tipo="float",
)
