"""As previsões da aula 03 e dos cadernos de ir além dela."""

from gabarito.base import previsao

# ------------------------------------------------------------ a aula

previsao(
    "aula-03/seta",
    certo="some",
    tipo="texto",
    errados={
        "cresce": "É o contrário. Rode a próxima célula, arraste d_k até 128 e veja com quem fica o peso de manga.",
        "igual": "Ela muda, e muito. Rode a próxima célula, arraste d_k até 128 e veja com quem fica o peso de manga.",
    },
    tambem={"vai sumindo": "some", "sumindo": "some"},
)

previsao(
    "aula-03/certeza",
    certo="c",
    tipo="texto",
    errados={
        "a": "Seria o justo, mas não é o que acontece. Rode a próxima célula e veja o que 64 números fazem.",
        "b": "Isso é o que se vê com d_k = 2. Com 64 é bem mais. Rode a próxima célula.",
    },
)

previsao(
    "aula-03/largura",
    certo=2,
    tipo="int",
    errados={
        4: "Quatro vezes maior fica a variância. A largura é o desvio padrão, que é a raiz dela.",
        16: "As parcelas são quatro vezes mais, e as variâncias delas se somam. E a raiz da variância?",
    },
)

previsao(
    "aula-03/dividir-por-dk",
    certo="b",
    tipo="texto",
    errados={
        "a": "É o contrário. d_k divide mais do que √d_k, as pontuações encolhem, e as diferenças entre elas somem.",
        "c": "Isso é o que √d_k faz. Com d_k, o desvio padrão das pontuações vira 1/√d_k. E quando d_k cresce?",
    },
)

previsao(
    "aula-03/empurrao",
    certo="poucas",
    tipo="texto",
    errados={
        "quase todas": "Isso é o que se vê com a raiz. Sem escala, quantas das mil redes já nascem com certeza?",
        "nenhuma": "Na maioria, é isso mesmo. Mas há redes em que duas palavras disputam a certeza, e ali ele decide.",
    },
    tambem={"quase": "quase todas", "umas poucas": "poucas"},
)

# ------------------------------------------------------------ alem/03-hipoteses

previsao(
    "aula-03/repetidos",
    certo="d_k",
    tipo="texto",
    errados={
        "raiz": "A raiz vem de parcelas que se cancelam em parte. Parcelas iguais não se cancelam.",
        "nada": "São d_k parcelas iguais, e a soma delas é d_k vezes uma. Ela cresce com d_k.",
    },
    tambem={"dk": "d_k"},
)

# ------------------------------------------------------------ alem/03-gradiente

previsao(
    "aula-03/norma-meio-meio",
    certo=0.5,
    tipo="float",
    errados={
        0.25: (
            "Esse é o tamanho de cada entrada (ou a soma dos quadrados). São quatro entradas: some os quadrados "
            "e tire a raiz."
        ),
        0.0: "As entradas somam zero, mas a norma soma os quadrados delas, e esses não se cancelam.",
        1.0: "Essa é a soma dos módulos. A norma de Frobenius soma os quadrados e tira a raiz.",
        0.354: "Parece que só a diagonal entrou. Fora dela há −0,25 duas vezes.",
    },
)

previsao(
    "aula-03/duas-perdas",
    certo="logaritmo",
    tipo="texto",
    errados={
        "quadrado": (
            "Nesse o gradiente ainda passa pela jacobiana da softmax, que some na rede saturada. "
            "Rode as próximas células e compare."
        ),
        "nenhum": "Um deles consegue. Em qual deles o gradiente a − e₀ chega inteiro às pontuações?",
        "os dois": "Só um. No outro o gradiente ainda passa pela jacobiana da softmax, que some na rede saturada.",
    },
)

# ------------------------------------------------------------ alem/03-erros-famosos

previsao(
    "aula-03/tamanho-errado",
    certo=2.449,
    tipo="float",
    errados={
        6.0: "A razão 384/64 é 6, mas as duas escalas são raízes: √384/√64.",
        0.408: "Essa é a razão ao contrário: o desvio que as pontuações passam a ter. O divisor é maior, não menor.",
    },
)

previsao(
    "aula-03/verificacao",
    certo=5,
    tipo="int",
    errados={
        1: (
            "Era o que se esperava de uma verificação. Calcule a primeira pontuação, 12·10 + 2·99 + 17·65 + "
            "88·10, e pense na softmax."
        ),
        4: "Até a escolha dura passa: quando a softmax satura, ela é uma escolha dura.",
        2: "São mais. Com pontuações de milhares, o que sobra de cada linha depois da softmax?",
        3: "São mais. Com pontuações de milhares, o que sobra de cada linha depois da softmax?",
    },
)

previsao(
    "aula-03/caca-ao-erro",
    certo=64,
    tipo="int",
    errados={
        8: "Cada uma foi dividida por 8, e as duas se multiplicam.",
        16: "Os divisores não se somam: no produto QKᵀ eles se multiplicam.",
        4096: "Foi demais: são duas divisões por 8, não por 64.",
    },
)
