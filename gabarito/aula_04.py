"""As previsões da aula 04. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

from gabarito.base import previsao

previsao(
    "aula-04/parecida",
    certo="cortar",
    errados={
        "costureira": "É quem decide, mas quem mais se parece com “manga” é outra. Rode a célula e compare os pesos.",
        "manga": "Para si mesma ela olha mais ainda. A pergunta é sobre as outras palavras.",
    },
    tipo="texto",
    opcoes=["cortar", "costureira"],
)

previsao(
    "aula-04/angulo",
    certo="não",
    errados={
        "sim": "Ache primeiro um ângulo em que “comer” vence. Olhe então para o outro lado do desenho: quem vence ali?",
    },
    tipo="texto",
)

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
    "aula-04/rato-olha",
    certo="todos por igual",
    errados={
        "roeu": "Isso seria a simetria de antes. Veja na célula de cima o que “rato” procura.",
    },
    tipo="texto",
    tambem={"todos": "todos por igual", "por igual": "todos por igual", "todos igual": "todos por igual"},
)

previsao(
    "aula-04/troca",
    certo="igual",
    errados={
        "diferente": "Deveria ser, pois a história é outra. Mas o que entra na conta de “roeu”? As mesmas palavras.",
    },
    tipo="texto",
    tambem={"iguais": "igual", "diferentes": "diferente"},
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
