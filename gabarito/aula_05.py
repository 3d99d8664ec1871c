"""As previsões da aula 05. Cada resposta errada prevista recebe uma frase que explica de onde ela vem."""

from gabarito.base import previsao

previsao(
    "aula-05/saidas-diferentes",
    certo=10,
    errados={
        16: "Seria uma saída para cada frase. Mas compare “gato viu rato” com “rato viu gato”: o que muda na média?",
        6: "São mesmo 6 os pares de animais diferentes, sem contar a ordem. Faltam as frases de um animal só.",
        12: "São 12 as frases com dois animais diferentes. Algumas dão a mesma média, e faltam as de um animal só.",
        8: "Metade das frases some, mas não todas têm par: “gato viu gato” trocada é ela mesma.",
        4: "Quatro são os animais. A média depende dos dois que aparecem na frase.",
        1: "A média depende de quem aparece na frase; o que ela não guarda é quem fez o quê.",
    },
    tipo="int",
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
    "aula-05/mapas-que-mudam",
    certo=1,
    errados={
        4: "A saída Y muda toda, pois W_O mistura as cabeças. Mas os pesos de cada uma só dependem das colunas dela.",
        0: "A cabeça em que mexemos muda: as consultas dela são outras.",
        2: "Nenhuma cabeça olha para o que a vizinha fez. Só uma delas usa as colunas em que mexemos.",
        3: "As outras três não usam as colunas em que mexemos.",
    },
    tipo="int",
)

previsao(
    "aula-05/quantas-vezes-mais",
    certo=1.0,
    errados={
        8.0: "Seria assim se cada uma das 8 cabeças tivesse tamanho 512. Elas têm 64, oito vezes menos.",
        64.0: "Esse é o tamanho de cada cabeça. A pergunta é a razão entre o custo das oito juntas e o de uma de 512.",
        0.125: "Cada cabeça custa um oitavo, mas são oito.",
        0.0: "A diferença entre as duas é mesmo 0. A pergunta é a razão: o custo das oito dividido pelo de uma.",
        52.2: "É a razão entre os dois números do texto que vamos corrigir. Ele cobra as projeções só de um dos lados.",
    },
    tipo="float",
)

previsao(
    "aula-05/parametros-do-bert",
    certo=2_362_368,
    errados={
        2_359_296: "As quatro matrizes estão certas. Faltam os quatro vieses.",
        1_769_472: "São quatro projeções, e não três: há W_O. E faltam os vieses.",
        1_771_776: "São quatro projeções, e não três: há W_O, com o seu viés.",
        196_608: "Essas são as projeções de uma cabeça, sem os vieses. As doze juntas enchem matrizes 768 × 768.",
        28_311_552: "É doze vezes demais: ou são as doze camadas, ou cada cabeça ganhou uma matriz inteira.",
        28_348_416: "Essas são as doze camadas. A pergunta é sobre uma.",
        2_360_064: "As quatro matrizes estão certas, mas cada projeção tem o seu viés: são quatro.",
        589_824: "Essa é uma das matrizes. São quatro, e mais os vieses.",
    },
    tipo="int",
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
    "aula-05/conserto-juncao",
    certo=(4, 6),
    errados={
        (8, 3): "Ainda saiu (8, 3): quatro palavras entraram e oito saíram. O eixo que deve crescer é o último.",
        (2, 4, 3): "As cabeças estão empilhadas em um eixo novo. Falta pô-las lado a lado nas colunas: (4, 6).",
    },
    tipo="forma",
)

previsao(
    "aula-05/entradas-erradas",
    certo=58,
    errados={
        11: "Onze são as de Q1. Faltam as outras cinco matrizes.",
        31: "Essas são as da cabeça 1. Falta a cabeça 2.",
        27: "Essas são as da cabeça 2. Falta a cabeça 1.",
        14: "Catorze são as certas!",
        72: "Perto da verdade, mas algumas entradas estão certas.",
        0: "Faça à mão só a primeira: 1·0,1 + 0·0,2 + 2·0,1 + 1·0,3, e compare com 0,7.",
    },
    tipo="int",
)
