"""As previsões da aula 01."""

from gabarito.base import previsao

previsao(
    "aula-01/forma-de-x",
    certo=(5, 2),
    errados={
        (2, 5): "Está deitada: são as linhas que correspondem às palavras. N vem primeiro, D depois.",
        (5,): "Cada palavra é um vetor de duas componentes, e não um número só: falta o segundo eixo.",
        (10,): "Os números são mesmo 10, mas arrumados em linhas: uma para cada palavra.",
        (4, 2): "Conte as palavras de novo: manga também entra.",
        (8, 2): "Essa é a forma da outra frase, a da costureira.",
        (5, 5): "Essa será a forma de uma comparação de todos com todos. X ainda tem D colunas.",
    },
    tipo="forma",
)

previsao(
    "aula-01/pista-fora-do-lugar",
    certo="c",
    errados={
        "a": "É o que se espera de quem aprendeu o que é fruta. Rode a próxima célula e veja se foi isso mesmo.",
        "b": "Otimista. Pense: que pesos a rede teve motivo para ajustar na 6ª posição?",
        "d": "Para errar tudo ela precisaria saber a resposta e trocá-la. Pense no que ela sabe da 6ª posição.",
    },
    tipo="texto",
)

previsao(
    "aula-01/roupa-e-roma",  # em centésimos: inteiros se comparam sem folga
    certo=-17,
    errados={
        37: "Um sinal se perdeu: (−0,3)·(0,9) é negativo.",
        17: "O tamanho está certo; confira o sinal. No desenho, roupa e Roma apontam para lados diferentes.",
        -37: "A segunda parcela, (0,2)·(0,5), é positiva: ela desconta da primeira.",
        -27: "Essa é a primeira parcela. Falta somar (0,2)·(0,5).",
        10: "Essa é a segunda parcela. Falta somar (−0,3)·(0,9).",
        130: "Você somou as componentes dos dois vetores. Em cada par, multiplique.",
    },
    tipo="int",
)

previsao(
    "aula-01/maior-da-linha-do-rato",
    certo=8,
    errados={
        1: "Seria natural: quem combinaria mais com o rato? Mas compare rato·rato com os vizinhos, na figura.",
        6: "Perto. O rei tem a direção mais parecida, mas há alguém quase na mesma direção e mais comprido.",
        9: "Roma é o nono token, mas em Python o índice começa no 0.",
        7: "Se você contou a partir de 1, esse é o rei. Se contou a partir de 0, é “de”. Olhe a linha de novo.",
        2: "A palavra vizinha na frase não precisa ser a vizinha no plano: aqui a posição não entra na conta.",
    },
    tipo="int",
)

previsao(
    "aula-01/caca-ao-erro",
    certo=(3, 1),
    errados={
        (1, 3): "A entrada da linha 1 e coluna 3 está certa: x₁ com x₃. Olhe a do outro lado da diagonal.",
        (3, 3): "Na linha 3 e coluna 3, x₃ com x₃ está certo. Onde mais ele aparece, sem dever?",
        (2, 0): "O lugar é esse, mas aqui contamos a partir de 1, como na tabela.",
    },
    tipo="forma",
)

previsao(
    "aula-01/entradas-que-mudam",
    certo=17,
    errados={
        9: "Essa é a linha de roeu. E as entradas dos outros tokens com roeu, onde estão?",
        18: "Linha e coluna, isso mesmo; mas uma entrada está nas duas e foi contada duas vezes.",
        16: "Linha e coluna; mas a entrada de roeu com ele mesmo também muda.",
        1: "Essa é só a da diagonal. Roeu também se encontra com os outros oito.",
        2: "Duas componentes de X mudam, mas cada uma entra em várias contas. Em quais entradas de XXᵀ roeu aparece?",
        81: "O produto de rei com Roma não usa o vetor de roeu: essa entrada não muda.",
    },
    tipo="int",
)

previsao(
    "aula-01/girar-o-plano",
    certo="c",
    errados={
        "a": "Os números de X mudam todos. Mas o produto escalar é feito de comprimentos e de um ângulo: eles mudam?",
        "b": "Na diagonal estão os quadrados dos comprimentos. Girar encurta ou estica um vetor?",
    },
    tipo="texto",
)
