"""As previsões das aulas 07 e 07b e dos notebooks alem/07-*. Cada resposta errada recebe uma frase que explica."""

from gabarito.base import previsao

# ---------------------------------------------------------------- 07: as peças

previsao(
    "aula-07/quantos-sobram",
    certo=1,
    errados={
        9: "Seria bom. Mas cada saída é uma média dos valores de todos. O que acontece com a média de médias?",
        0: "Vetores há sempre nove. A pergunta é quantos são diferentes uns dos outros.",
        2: "Quase: depois de doze médias de médias, nem dois sobram.",
        **dict.fromkeys(range(3, 9), "Ainda é muito: cada camada faz de cada palavra uma média de todas, doze vezes."),
    },
)

previsao(
    "aula-07/de-cabeca-para-baixo",
    certo="invertido",
    errados={
        "igual": "O desvio é o mesmo, e a média vira zero. Mas quem estava acima da média, onde fica agora?",
    },
    tipo="texto",
    tambem={"iguais": "igual", "invertida": "invertido"},
)

previsao(
    "aula-07/norma-sem-soma",
    certo="iguais",
    errados={
        "diferentes": (
            "A normalização acerta o tamanho de cada vetor. Dois que já apontam para o mesmo lado continuam assim."
        ),
    },
    tipo="texto",
    tambem={"igual": "iguais", "diferente": "diferentes"},
)

previsao(
    "aula-07/sem-gelu",
    certo="quase nada",
    errados={
        "muito": "Veja os números do meio, todos positivos e quase todos grandes. O que a GELU faz com um desses?",
    },
    tipo="texto",
    tambem={"nada": "quase nada", "pouco": "quase nada"},
)

previsao(
    "aula-07/duas-mangas",
    certo="iguais",
    errados={
        "diferentes": "As duas entram com o mesmo vetor e veem as mesmas palavras. Que peça sabe o lugar de cada uma?",
    },
    tipo="texto",
    tambem={"igual": "iguais", "diferente": "diferentes"},
)

# ---------------------------------------------------------------- 07b: a montagem

previsao(
    "aula-07/quem-treina",
    certo="pré",
    errados={
        "pós": "Rode e compare. Siga o caminho cinza de cada desenho: em qual deles ele passa por mais caixas?",
        "empate": "As peças são as mesmas, e o treino também. Mas o caminho cinza não é: siga-o nos dois desenhos.",
    },
    tipo="texto",
    tambem={"pré-norma": "pré", "pós-norma": "pós"},
)

previsao(
    "aula-07/pilha-parada",
    certo=1,
    errados={
        16: "É o que se espera. Mas com 16 vetores diferentes ela poderia dar 16 previsões, e a perda diz que não dá.",
        0: "Vetores há sempre 16. A pergunta é quantos são diferentes uns dos outros.",
        **dict.fromkeys(range(2, 16), "A perda é a de quem dá sempre a mesma previsão. Com que vetores se faz isso?"),
    },
)

previsao(
    "aula-07/perto-de-um",
    certo="cresce um pouco",
    errados={
        "some": "Isso é sem a soma, 0,1 vezes 0,1 vezes 0,1… Com ela, cada camada multiplica por 1 + 0,1.",
        "explode": "O produto de doze fatores 1,1 passa pouco de 3. Para explodir, eles teriam de ser bem maiores.",
    },
    tipo="texto",
    tambem={"cresce": "cresce um pouco", "cresce pouco": "cresce um pouco"},
)

previsao(
    "aula-07/taxa-menor",
    certo="melhora",
    errados={
        "parado": "Com passos menores, duas das três sementes saem da linha. Veja o quadro do meio.",
        "alcança": "Ele sai da linha, mas devagar. Compare as curvas das duas cores no quadro do meio.",
    },
    tipo="texto",
)

# ---------------------------------------------------------------- alem/07-*

previsao(
    "aula-07/repetir-sem-posicoes",
    certo="mais que o chute",
    errados={
        "o chute": "Ele não sabe a ordem, mas sabe quais letras passaram. Isso já elimina algumas das dez.",
        "quase tudo": "Para isso ele precisaria saber qual letra estava duas posições atrás. De quem viria essa ordem?",
    },
    tipo="texto",
    tambem={"mais do que o chute": "mais que o chute", "chute": "o chute"},
)

previsao(
    "aula-07/linhas-culpadas",
    certo="a e b",
    errados={
        "c": "A ReLU dá sempre o mesmo para o mesmo número. Que linha pode dar dois resultados diferentes?",
        "d": "Um produto e uma soma dão sempre o mesmo. Que linha pode dar dois resultados diferentes?",
        "a": "Essa é uma delas. A outra faz o mesmo com a segunda projeção.",
        "b": "Essa é uma delas. A outra faz o mesmo com a primeira projeção.",
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
            "As duas chamadas ainda discordam, porque os parâmetros continuam sendo sorteados dentro da chamada. "
            "Guarde-os em self, no __init__, e use-os no __call__."
        ),
    },
    tipo="float",
)
