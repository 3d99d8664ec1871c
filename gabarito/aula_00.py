"""As conferências da aula 00: a primeira, que falha e depois passa, e as apostas do texto."""

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, previsao, questao


def _dobro(x):
    return 2 * x


def _ocultos(rng):
    return [caso(rng.normal(size=(3,)) + 3.0), caso(rng.normal(size=(2, 4)) - 3.0)]


dobro = questao(
    "aula-00/dobro",
    assinatura="dobro(x)",
    saida="array",
    referencia=_dobro,
    casos=[
        caso(np.array([1.0, 2.0, 5.0]), claro=True, rotulo="o exemplo do texto"),
        caso(np.array([[0.5, -1.0, 3.0, 4.5], [2.5, 0.0, -7.0, 1.5]]), rotulo="uma matriz"),
    ],
    ocultos=_ocultos,
)


dobro.equivocos_curtos("""
quadrado: x**2
    Sua função eleva ao quadrado; o dobro de 5 é 10, e a sua conta dá 25.
soma-dois: x + 2
    Sua função soma 2 a cada número. Dobrar é multiplicar por 2.
devolve-x: x
    A saída é igual à entrada. Falta fazer a conta.
""")


@dobro.equivoco
def altera_a_entrada(x):
    x *= 2
    return x


dobro.alternativas_curtas("""
soma: x + x
com-laco: np.array([2 * v for v in x])
torch-float32: torch.tensor(x, dtype=torch.float32) * 2
""")


# ---------------------------------------------------------------- as apostas do texto

previsao(
    "aula-00/angulo",
    certo=90,
    errados={
        0: "Em 0° as duas setas apontam para o mesmo lado, e o produto é o maior possível. Gire mais.",
        45: "Em 45° as setas ainda concordam em parte, e o produto escalar é positivo. Gire mais.",
        180: "Em 180° as setas se opõem, e o produto é o mais negativo possível. Você passou do zero.",
        270: "Em 270° o produto escalar também é zero, mas houve um ângulo antes desse. Qual é o primeiro?",
        360: "Em 360° a seta voltou ao começo, onde o produto escalar é o maior possível. Ele já foi zero antes.",
    },
    tipo="int",
)

previsao(
    "aula-00/media-da-bia",
    certo=8.5,
    errados={
        7.0: "Essa é a média de todos na segunda prova. As notas da Bia estão na linha dela. Troque o eixo.",
        34.0: "Essa é a soma das notas da Bia. Falta dividir pelo número de provas.",
        34 / 3: "Você dividiu por 3, o número de alunos. A Bia fez 4 provas.",
    },
    tipo="float",
)
