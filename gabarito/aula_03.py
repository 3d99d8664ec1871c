"""As previsões da aula 03."""

from gabarito.base import previsao

previsao(
    "aula-03/certeza",
    certo="c",
    tipo="texto",
    errados={
        "a": ("Seria o justo, mas não é o que acontece. Rode a próxima célula e veja o que 512 componentes fazem."),
        "b": "Isso é o que se vê com d_k = 2. Com 512 é bem mais: rode a próxima célula.",
    },
)

previsao(
    "aula-03/variancia",
    certo=36.0,
    tipo="float",
    errados={
        6.0: "Esse é o desvio padrão. A variância é o quadrado dele.",
        24.0: "Os sigmas são desvios padrão: entram na fórmula ao quadrado.",
        2.25: "Essa é a variância de uma parcela só. São 16 parcelas.",
        148.0: "Você somou as variâncias de q e de k. No passo 2 elas se multiplicam.",
        576.0: "O d_k entrou ao quadrado. No passo 3 somam-se d_k variâncias iguais.",
    },
)

previsao(
    "aula-03/dividir-por-dk",
    certo="b",
    tipo="texto",
    errados={
        "a": ("Ao contrário: d_k divide mais do que √d_k, as pontuações encolhem, e as diferenças entre elas somem."),
        "c": ("Isso é o que √d_k faz. Com d_k, o desvio das pontuações vira 1/√d_k: o que acontece quando d_k cresce?"),
    },
)

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
    "aula-03/tamanho-errado",
    certo=2.449,
    tipo="float",
    errados={
        6.0: "A razão 384/64 é 6, mas as duas escalas são raízes: √384/√64.",
        0.408: ("Essa é a razão ao contrário: o desvio que as pontuações passam a ter. O divisor é maior, não menor."),
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
