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
)

previsao(
    "aula-09/mesmo-texto",
    certo="5-grama",
    errados={
        "empate": "Por pouco. A diferença é pequena, mas vai para o mesmo lado nas três sementes.",
        "gpt": "Ele chega perto. Só que, nas três sementes, a perda dele ainda fica um pouco acima.",
    },
    tipo="texto",
)

previsao(
    "aula-09/dobrar-T",
    certo="quadruplica",
    errados={
        "dobra": "Dobram as linhas de A. E as colunas?",
        "igual": "A matriz A tem uma linha e uma coluna para cada token. O que acontece com ela?",
    },
    tipo="texto",
)

previsao(
    "aula-09/outro-comprimento",
    certo="quase nada",
    errados={
        "tudo": "Seria o caso se ela procurasse o token. Mas, com L sempre igual a 16, que regra mais fácil bastava?",
        "metade": "É bem menos. Com L sempre igual a 16, bastava olhar sempre para a mesma distância.",
    },
    tipo="texto",
)

previsao(
    "aula-09/que-diferenca",
    certo="duas",
    errados={
        "saída": "Quase. Com a saída solta e os embeddings menores, ela só aparece inteira em uma das três sementes.",
        "embeddings": "Com embeddings maiores e a saída amarrada, nenhuma das três sementes a fez aparecer.",
    },
    tipo="texto",
    tambem={"as duas": "duas"},
)

# as duas que seguem são de alem/09-a-regua-inteira
previsao(
    "aula-09/linha-errada",
    certo="a",
    errados={
        "b": "Contar todas as ordens até 6 é o que um 6-grama faz. O problema é em que texto.",
        "c": "Os trechos são os mesmos de sempre. O que não podia era eles aparecerem também em outro lugar.",
        "d": "A última ordem é a 6, e a perda é a dos alvos: está certo. O que foi contado?",
    },
    tipo="texto",
    tambem={"(a)": "a", "(b)": "b", "(c)": "c", "(d)": "d"},
)

previsao(
    "aula-09/conserto",
    certo=2.064,
    errados={
        1.199: "Ainda é o número do colega. Mude a linha errada em `do_colega` e rode as duas células de novo.",
        0.984: "Agora ele conta só o teste, e decora ainda mais. O texto que se conta é o de treino.",
    },
    tipo="float",
)
