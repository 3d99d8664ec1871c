"""As apostas da aula 01; as três últimas estão em notebooks/alem."""

from gabarito.base import previsao
from helpers.exemplos import RATO

previsao(
    "aula-01/comer-e-costureira",
    certo="quase branco",
    errados={
        "rosa": "Rosa é de quem aponta para o mesmo lado. Siga as setas da origem até cada uma. Que ângulo formam?",
        "azulado": "Azulado é de quem aponta para o lado contrário. As duas apontam para cima. Que ângulo elas formam?",
    },
    tipo="texto",
    tambem={"branco": "quase branco", "azul": "azulado"},
)

previsao(
    "aula-01/pista-fora-do-lugar",
    certo="c",
    errados={
        "a": "É o que se espera de quem aprendeu o que é fruta. Rode a próxima célula e veja se foi isso mesmo.",
        "b": "Otimista. Que parâmetros da 6ª posição o treino teve motivo para ajustar?",
        "d": "Para errar tudo, ela teria de saber a resposta e dizer o contrário. O que ela sabe da 6ª posição?",
    },
    tipo="texto",
)

previsao(
    "aula-01/o-lugar-que-faltou",
    certo="c",
    errados={
        "a": "Seis lugares parecem bastante para entender a ideia. Rode a próxima célula e olhe a penúltima linha.",
        "b": "Que parâmetros da 4ª posição o treino dela teve motivo para ajustar?",
        "d": "Para errar tudo, ela teria de saber a resposta e dizer o contrário. O que ela sabe da 4ª posição?",
    },
    tipo="texto",
)

previsao(
    "aula-01/a-mesma-conta",
    certo="a",
    errados={
        "b": "A média não sabe em que posição cada palavra está. O que muda para ela da 4ª para a 6ª?",
        "c": "Foi assim com o MLP, que tem outros parâmetros na 6ª posição. Esta tem os mesmos em todas.",
        "d": "Para errar tudo, ela teria de saber a resposta e dizer o contrário. A conta na 6ª é a mesma que na 4ª.",
    },
    tipo="texto",
)

previsao(
    "aula-01/maior-da-linha-do-rato",
    certo="Roma.",
    errados={
        "rato": "Seria natural, mas há setas quase na mesma direção da dele, e mais compridas.",
        "rei": "Perto. O rei tem a direção mais parecida, mas há alguém quase na mesma direção e mais comprido.",
        "roeu": "A palavra vizinha na frase não precisa ser a vizinha no plano. A posição não entra na conta.",
        "roupa": "“Roupa” aponta para o outro lado, e o produto dela com “rato” é negativo.",
    },
    tipo="texto",
    tambem={"Roma": "Roma."},
    opcoes=RATO,
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
