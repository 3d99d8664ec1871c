"""A questão `empilhar` da lista 02."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_02.autoatencao_simples import autoatencao_simples
from gabarito.lista_02.softmax import softmax
from gabarito.lista_02.softmax_temperatura import softmax_temperatura
from helpers.exemplos import X_FRUTA, X_RATO


def empilhar(X, camadas, T=1.0):
    caminho = [X]
    for _ in range(camadas):
        Z = caminho[-1]
        caminho.append(softmax(Z @ Z.T / T) @ Z)
    return np.stack(caminho)


VARIAS, LONGOS = "várias camadas", "vetores longos"


def _longos(rng, N, T, rotulo=""):
    """Uns tokens longos, de pontuações perto de 6400, e outros curtos: quem não tira de cada linha o máximo dela
    estoura ou faz 0/0. A √T é exata, as pontuações também, até em float32, e os pesos não saturam."""
    X = np.zeros((N, 3))
    X[:, 0] = 80.0 * np.sqrt(T)
    X[:, 1:] = rng.integers(-8, 9, size=(N, 2)) / 8
    X[-2:, 0] = 0.0
    return caso(X, 1, T, rotulo=rotulo, parte=LONGOS)


def ocultos(rng):
    def T():
        return float(rng.choice([0.25, 0.5, 0.75, 2.0, 3.0]))

    return [
        caso(rng.normal(size=(4, 2)), 1, T()),
        caso(rng.normal(size=(3, 5)), 1, T()),
        caso(rng.normal(size=(6, 3)), 1),
        caso(rng.normal(size=(3, 3)), 1, T()),
        caso(rng.normal(size=(4, 2)), 1, 0.25),
        caso(rng.normal(size=(4, 2)), 2, 0.5, parte=VARIAS),
        caso(rng.normal(size=(5, 3)), 3, 0.25, parte=VARIAS),
        caso(rng.normal(size=(3, 4)), 4, 0.75, parte=VARIAS),
        caso(rng.normal(size=(4, 2)), 2, parte=VARIAS),
        caso(rng.normal(size=(3, 2)), 0, T(), parte=VARIAS),
        caso(rng.normal(size=(1, 3)), 2, T(), parte=VARIAS),
        caso(rng.normal(size=(4, 1)), 2, 2.0, parte=VARIAS),
        _longos(rng, 5, float(rng.choice([0.25, 4.0]))),
        _longos(rng, 4, 1.0),
    ]


q = questao(
    "lista-02/empilhar",
    assinatura="empilhar(X, camadas, T=1.0)",
    saida="array",
    referencia=empilhar,
    depende=["softmax", "softmax_temperatura", "autoatencao_simples"],
    casos=[
        caso(np.array([[1.0, 0.0], [0.0, 1.0]]), 1, 0.5, claro=True, rotulo="o exemplo do enunciado"),
        caso(
            np.array([[0.4, -0.7, 1.1], [1.2, 0.3, -0.5], [-0.6, 0.9, 0.2], [0.8, 0.1, 1.3]]),
            1,
            2.0,
            rotulo="quatro tokens em 3-D, uma camada, T = 2",
        ),
        caso(X_FRUTA, 1, 0.25, rotulo="“Eu gosto de comer manga”, uma camada, T = 0,25"),
        caso(np.array([[1.0, 0.5], [0.25, -1.0], [-0.5, 0.75]]), 1, rotulo="uma camada, sem dizer T"),
        caso(np.array([[1.5, 0.5], [0.25, -1.0], [-0.5, 0.75]]), 2, 0.5, rotulo="duas camadas, T = 0,5", parte=VARIAS),
        caso(X_RATO, 3, 0.25, rotulo="a frase do rato, três camadas, T = 0,25", parte=VARIAS),
        caso(
            np.array([[0.5, -0.2, 0.9, 0.1], [0.3, 0.8, -0.6, 0.7], [-1.1, 0.4, 0.2, 0.6]]),
            4,
            0.75,
            rotulo="três tokens em 4-D, quatro camadas",
            parte=VARIAS,
        ),
        caso(np.array([[1.0, 0.5], [0.25, -1.0]]), 0, 1.0, rotulo="nenhuma camada", parte=VARIAS),
        caso(np.array([[0.3, -1.2, 0.5]]), 2, 0.5, rotulo="um token só", parte=VARIAS),
        _longos(np.random.default_rng(1), 4, 0.25, rotulo="dois tokens longos e dois curtos"),
    ],
    ocultos=ocultos,
    partes={"uma camada": 0.5, VARIAS: 0.4, LONGOS: 0.1},
)


def _camada(X, T):
    return softmax(X @ X.T / T) @ X


q.equivocos_curtos("""
so-o-fim: np.stack(caminho) → caminho[-1]
    Você devolveu só o último quadro. Pede-se o caminho inteiro, do X até a última camada: (camadas + 1, N, d).
mistura-o-comeco: @ Z) → @ X)
    Os pesos são os da camada, mas a mistura foi com o X do começo. Misture as palavras onde elas estão agora.
sempre-do-comeco: caminho[-1] → X
    Todas as camadas saíram iguais à primeira: cada uma parte do X do começo. A camada 2 parte de onde a 1 parou.
uma-camada-a-mais: range(camadas) → range(camadas + 1)
    Há um quadro a mais. Com L camadas o caminho tem L + 1 quadros, porque o X do começo já é um.
multiplica-por-T: / T → * T
    T multiplica as pontuações, e deveria dividi-las: com T pequeno as diferenças crescem.
ignora-T: / T → / 1.0
    A temperatura não entrou na conta: o resultado é o mesmo para qualquer T. Ela divide as pontuações, antes da
    softmax.
divide-os-vetores-por-T: Z @ Z.T / T → (Z / T) @ (Z / T).T
    Você dividiu os vetores por T, e com isso as pontuações foram divididas por T². É a pontuação que se divide, e uma
    vez só.
divide-a-saida-por-T: softmax(Z @ Z.T / T) @ Z → softmax(Z @ Z.T) @ Z / T
    T dividiu as palavras depois da atenção, e não as pontuações antes da softmax.
normaliza-colunas: softmax(Z @ Z.T / T) → softmax(Z @ Z.T / T, 0)
    A softmax correu nas colunas. Cada palavra reparte o próprio olhar: é cada linha que soma 1.
soma-a-entrada: caminho.append(softmax → caminho.append(Z + softmax
    Você somou a cada camada o que entrou nela. Essa ideia é boa e vem na aula 07; aqui a palavra só vai para a
    média.
em-outra-ordem: np.stack(caminho) → np.stack(caminho, axis=1)
    Os números estão certos, mas o eixo das camadas ficou no meio. Ele é o primeiro: (camadas + 1, N, d).
de-tras-para-frente: np.stack(caminho) → np.stack(caminho[::-1])
    O caminho veio de trás para a frente. O quadro 0 é o X, e o último, a última camada.
so-os-pesos-da-primeira-temperatura: / T → / (T if len(caminho) == 1 else 1.0)
    A temperatura só agiu na primeira camada. Ela vale em todas.
sem-o-maximo: softmax(Z @ Z.T / T) → np.exp(Z @ Z.T / T) / np.exp(Z @ Z.T / T).sum(axis=1, keepdims=True)
    Com vetores longos a exponencial estourou e apareceu NaN. Use a sua softmax da questão 1, que subtrai o máximo.
maximo-de-tudo: Z = caminho[-1] → Z = caminho[-1]⏎E = np.exp(Z @ Z.T / T - (Z @ Z.T / T).max())
        softmax(Z @ Z.T / T) → E / E.sum(axis=1, keepdims=True)
    Nas linhas dos vetores curtos apareceu NaN: o máximo subtraído é o da matriz inteira, e elas viraram 0/0. Use o
    máximo de cada linha (a sua softmax da questão 1 já faz isso).
sem-softmax: softmax(Z @ Z.T / T) → (Z @ Z.T / T)
    Falta a softmax: você misturou as palavras com as pontuações, que não são pesos.
""")


@q.equivoco
def o_mesmo_array_em_todo_quadro(X, camadas, T=1.0):
    """Todos os quadros saíram iguais ao último. Ou você guardou o mesmo array várias vezes e escreveu dentro dele, ou
    só guardou o fim. Guarde um array novo a cada camada. Veja a Dica 2."""
    Z = X.copy()
    caminho = [Z]
    for _ in range(camadas):
        Z[:] = _camada(Z, T)
        caminho.append(Z)
    return np.stack(caminho)


@q.equivoco
def mesmos_pesos(X, camadas, T=1.0):
    """A primeira camada está certa. Nas outras você usou os pesos da primeira, mas as palavras já mudaram de lugar:
    compare-as de novo, onde elas estão agora. Veja a Dica 2."""
    A = softmax(X @ X.T / T)
    caminho = [X]
    for _ in range(camadas):
        caminho.append(A @ caminho[-1])
    return np.stack(caminho)


@q.equivoco
def sem_o_comeco(X, camadas, T=1.0):
    """Falta o começo: a posição 0 do caminho é o próprio X, antes de qualquer camada. Com L camadas, são L + 1
    quadros."""
    return empilhar(X, camadas, T)[1:]


@q.equivoco
def altera_a_entrada(X, camadas, T=1.0):
    """Sua função escreve em `X`. Comece de uma cópia: quem chamou ainda precisa dele."""
    caminho = [X.copy()]
    for _ in range(camadas):
        X[:] = _camada(X, T)
        caminho.append(X.copy())
    return np.stack(caminho)


@q.alternativa
def com_a_softmax_temperatura(X, camadas, T=1.0):
    caminho = [X]
    while len(caminho) <= camadas:
        Z = caminho[-1]
        caminho.append(softmax_temperatura(Z @ Z.T, T) @ Z)
    return np.array(caminho)


@q.alternativa
def com_a_autoatencao_simples(X, camadas, T=1.0):
    """Dividir os vetores por √T divide as pontuações por T; a saída volta ao tamanho multiplicada por √T."""
    caminho = [X]
    for _ in range(camadas):
        Y, _A = autoatencao_simples(caminho[-1] / np.sqrt(T))
        caminho.append(Y * np.sqrt(T))
    return np.stack(caminho)


@q.alternativa
def com_lacos(X, camadas, T=1.0):
    caminho = np.zeros((camadas + 1, *X.shape))
    caminho[0] = X
    for c in range(camadas):
        for n in range(len(X)):
            pontos = np.array([(caminho[c, n] * caminho[c, m]).sum() for m in range(len(X))]) / T
            pesos = np.exp(pontos - pontos.max())
            for m in range(len(X)):
                caminho[c + 1, n] += pesos[m] / pesos.sum() * caminho[c, m]
    return caminho


@q.alternativa
def recursiva(X, camadas, T=1.0):
    if camadas == 0:
        return X[None].copy()
    return np.concatenate([X[None], recursiva(_camada(X, T), camadas - 1, T)])


@q.alternativa
def com_torch(X, camadas, T=1.0):
    caminho = [torch.tensor(X)]
    for _ in range(camadas):
        Z = caminho[-1]
        caminho.append(torch.softmax(torch.einsum("nd,md->nm", Z, Z) / T, dim=-1) @ Z)
    return torch.stack(caminho)


@q.alternativa
def atencao_do_torch_float32(X, camadas, T=1.0):
    caminho = [torch.tensor(X, dtype=torch.float32)]
    for _ in range(camadas):
        Z = caminho[-1]
        caminho.append(torch.nn.functional.scaled_dot_product_attention(Z, Z, Z, scale=1 / T))
    return torch.stack(caminho)
