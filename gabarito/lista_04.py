"""Lista 04: projeções, a cabeça, a atenção cruzada, o dicionário suave e a equivariância.

Os tamanhos são todos diferentes (N, D, d_k, d_v, M), para que um eixo ou uma matriz trocada apareça. A exceção é um
caso em que tudo é quadrado (na cabeça e na atenção cruzada, o primeiro): nele nenhum engano para com um erro do NumPy,
que seria igual para enganos diferentes, e cada um se reconhece pelos valores.
Onde as pontuações são grandes, as entradas são frações de denominador 2, 4 ou 8 e √d_k é inteira: em float32 a conta é
a mesma.
"""

import math

import numpy as np
import torch

from gabarito.base import caso, funcao, questao
from helpers.pecas import peca


def _softmax(S, eixo=-1):
    e = np.exp(S - S.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


def _tamanhos(rng, quantos):
    """Tamanhos todos diferentes entre si."""
    return [int(n) for n in rng.choice([2, 3, 4, 5, 6, 7], size=quantos, replace=False)]


def _normal(rng, *forma):
    return rng.normal(size=forma).round(2)


def _fracoes(rng, partes, *forma):
    """Múltiplos de 1/partes entre −1 e 1: com poucas partes, os produtos são exatos em float32."""
    return rng.integers(-partes, partes, size=forma, endpoint=True) / partes


_X1 = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])  # (2, 3)
_WQ1 = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 1.0]])  # (3, 2)
_WK1 = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])  # (3, 2)
_WV1 = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]])  # (3, 4)

_X2 = np.array(
    [[0.4, -0.3, 1.2, 0.5], [0.9, 0.5, -0.6, 0.1], [-0.7, 1.1, 0.2, 0.8], [0.3, 0.8, 0.1, -1.2], [1.4, -0.2, -0.5, 0.6]]
)  # (5, 4)
_WQ2 = np.array([[0.6, -0.9, 0.7], [-0.4, 0.3, 1.3], [1.1, 0.2, -0.8], [0.5, 0.9, 0.4]])  # (4, 3)
_WK2 = np.array([[0.3, 1.2, -0.5], [0.8, -0.6, 0.4], [-0.2, 0.7, 1.0], [0.9, 0.1, -0.7]])  # (4, 3)
_WV2 = np.array([[0.7, -0.4], [0.2, 1.1], [-0.9, 0.5], [0.6, 0.3]])  # (4, 2)

# As mesmas formas, com mais casas decimais: o produto não cabe em três casas, nem é o da vez anterior.
_X2b = (_X2[::-1] * 0.37).round(3)
_WQ2b, _WK2b, _WV2b = ((W[::-1] * 0.61).round(3) for W in (_WK2, _WQ2, _WV2))

# Tudo 3 × 3: aqui W e Wᵀ, X W e W X, todos "encaixam", e só o valor os distingue.
_X3 = np.array([[0.5, -0.2, 0.9], [0.1, 0.7, -0.4], [-0.8, 0.3, 0.6]])
_WQ3 = np.array([[0.4, 1.1, -0.3], [-0.7, 0.2, 0.8], [0.9, -0.5, 0.6]])
_WK3 = np.array([[1.0, -0.4, 0.2], [0.3, 0.8, -0.6], [-0.1, 0.5, 0.7]])
_WV3 = np.array([[0.2, 0.9, 0.4], [-0.6, 0.1, 1.2], [0.8, -0.3, 0.5]])


# --- projetar -----------------------------------------------------------------------------------------------


def _projetar(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def _ocultos_projetar(rng):
    casos = []
    for _ in range(5):
        n, d, d_k, d_v = _tamanhos(rng, 4)
        casos.append(caso(_normal(rng, n, d), _normal(rng, d, d_k), _normal(rng, d, d_k), _normal(rng, d, d_v)))
    casos.append(caso(*(_normal(rng, 4, 4) for _ in range(4))))
    casos.append(caso(_normal(rng, 1, 3), _normal(rng, 3, 5), _normal(rng, 3, 5), _normal(rng, 3, 2)))
    for _ in range(2):  # as mesmas formas, outros números; e tudo o que pode ter largura 1
        casos.append(caso(_normal(rng, 5, 4), _normal(rng, 4, 3), _normal(rng, 4, 3), _normal(rng, 4, 2)))
        casos.append(caso(_normal(rng, 4, 3), _normal(rng, 3, 1), _normal(rng, 3, 1), _normal(rng, 3, 1)))
    casos.append(caso(_normal(rng, 3, 1), _normal(rng, 1, 2), _normal(rng, 1, 2), _normal(rng, 1, 4)))
    return casos


projetar = questao(
    "lista-04/projetar",
    assinatura="projetar(X, W_Q, W_K, W_V)",
    saida=[("Q", "array"), ("K", "array"), ("V", "array")],
    referencia=_projetar,
    casos=[
        caso(_X1, _WQ1, _WK1, _WV1, claro=True, rotulo="o exemplo do enunciado"),
        caso(_X2, _WQ2, _WK2, _WV2, rotulo="5 tokens, D = 4, d_k = 3, d_v = 2"),
        caso(_X3, _WQ3, _WK3, _WV3, rotulo="tudo 3 × 3"),
        caso(_X2[:1], _WQ2, _WK2, _WV2, rotulo="um token só"),
        caso(_X2b, _WQ2b, _WK2b, _WV2b, rotulo="as mesmas formas, outros números"),
        caso(_X2[1:4], _WQ2[:, :1], _WK2[:, :1], _WV2[:, :1], rotulo="d_k = 1 e d_v = 1"),
    ],
    ocultos=_ocultos_projetar,
)


@projetar.equivoco(
    "troca-Q-e-K",
    "Q e K saíram trocadas: a primeira saída é a das consultas, feita com W_Q; a segunda é a das chaves, com W_K.",
)
def _(X, W_Q, W_K, W_V):
    return X @ W_K, X @ W_Q, X @ W_V


@projetar.equivoco(
    "troca-K-e-V",
    "K e V saíram trocadas: a ordem é consultas, chaves, valores. Repare nas larguras: K tem d_k colunas e V tem d_v.",
)
def _(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_V, X @ W_K


@projetar.equivoco(
    "W-transposta",
    "Você multiplicou por Wᵀ. Aqui W já tem forma (D, d): as D componentes do token encontram as D linhas de W, sem "
    "transpor. Quem guarda W deitada é a camada linear do torch.",
)
def _(X, W_Q, W_K, W_V):
    return X @ W_Q.T, X @ W_K.T, X @ W_V.T


@projetar.equivoco(
    "W-antes-de-X",
    "Você fez W X. Como cada token é uma linha de X (N, D), a matriz W (D, d) entra pela direita.",
)
def _(X, W_Q, W_K, W_V):
    return W_Q @ X, W_K @ X, W_V @ X


@projetar.equivoco(
    "so-W_Q",
    "Q está certa, mas K e V saíram dela ou com ela: cada uma das três saídas usa a sua própria matriz.",
)
def _(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    return Q, Q.copy(), Q.copy()


@projetar.equivoco(
    "encadeia",
    "A segunda projeção foi feita do resultado da primeira, e não de X. Você guardou Q em uma variável chamada X? As "
    "três projeções saem do mesmo token.",
)
def _(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = Q @ W_K
    return Q, K, K @ W_V


@projetar.equivoco(
    "V-sem-projetar",
    "Q e K estão certas, mas V é o próprio X. O token também passa por W_V antes de entregar alguma coisa.",
)
def _(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X.copy()


@projetar.equivoco(
    "escala-antes-da-hora",
    "Q saiu dividida por √d_k. A escala é das pontuações, na próxima questão; aqui são só três produtos de matrizes.",
)
def _(X, W_Q, W_K, W_V):
    return X @ W_Q / np.sqrt(W_Q.shape[1]), X @ W_K, X @ W_V


@projetar.equivoco(
    "tokens-em-colunas",
    "Cada token virou uma coluna: as saídas estão transpostas. Aqui um token é sempre uma linha, antes e depois.",
)
def _(X, W_Q, W_K, W_V):
    return (X @ W_Q).T, (X @ W_K).T, (X @ W_V).T


@projetar.equivoco(
    "tudo-em-um-array",
    "Você devolveu as três juntas em um array só. Pedem-se três arrays, separados por vírgulas no return.",
)
def _(X, W_Q, W_K, W_V):
    return np.concatenate([X @ W_Q, X @ W_K, X @ W_V], axis=1)


@projetar.equivoco(
    "asterisco",
    "Em NumPy, `*` multiplica elemento por elemento. O produto de matrizes é `@`.",
)
def _(X, W_Q, W_K, W_V):
    return X * W_Q, X * W_K, X * W_V


@projetar.equivoco(
    "com-softmax",
    "As linhas das saídas somam 1: há uma softmax aqui. As projeções são só produtos de matrizes; ela vem depois, "
    "nas pontuações.",
)
def _(X, W_Q, W_K, W_V):
    return _softmax(X @ W_Q), _softmax(X @ W_K), _softmax(X @ W_V)


@projetar.equivoco(
    "arredonda",
    "Suas saídas foram arredondadas. Arredonde só ao mostrar na tela: o que se devolve são as contas inteiras.",
)
def _(X, W_Q, W_K, W_V):
    return np.round(X @ W_Q, 3), np.round(X @ W_K, 3), np.round(X @ W_V, 3)


@projetar.equivoco(
    "perde-eixo-de-tamanho-1",
    "Um eixo de tamanho 1 sumiu da saída: olhe para o squeeze (ou o ravel). Com um token, ou com uma coluna, ela "
    "continua a ser uma matriz.",
)
def _(X, W_Q, W_K, W_V):
    return (X @ W_Q).squeeze(), (X @ W_K).squeeze(), (X @ W_V).squeeze()


@projetar.alternativa("com-lacos")
def _(X, W_Q, W_K, W_V):
    saidas = []
    for W in (W_Q, W_K, W_V):
        Y = np.zeros((len(X), W.shape[1]))
        for n, x in enumerate(X):
            for j in range(W.shape[1]):
                Y[n, j] = sum(x[d] * W[d, j] for d in range(len(x)))
        saidas.append(Y)
    return tuple(saidas)


@projetar.alternativa("com-einsum")
def _(X, W_Q, W_K, W_V):
    return [np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V)]


@projetar.alternativa("um-produto-so")
def _(X, W_Q, W_K, W_V):
    d_k = W_Q.shape[1]
    tudo = X @ np.concatenate([W_Q, W_K, W_V], axis=1)
    return tudo[:, :d_k], tudo[:, d_k : 2 * d_k], tudo[:, 2 * d_k :]


@projetar.alternativa("duas-transpostas")
def _(X, W_Q, W_K, W_V):
    return (W_Q.T @ X.T).T, (W_K.T @ X.T).T, (W_V.T @ X.T).T


@projetar.alternativa("com-torch-float32")
def _(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (torch.tensor(a, dtype=torch.float32) for a in (X, W_Q, W_K, W_V))
    return X @ W_Q, X @ W_K, X @ W_V


@projetar.alternativa("linear-do-torch")
def _(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (torch.from_numpy(a) for a in (X, W_Q, W_K, W_V))
    return tuple(torch.nn.functional.linear(X, W.T) for W in (W_Q, W_K, W_V))


# --- cabeca -------------------------------------------------------------------------------------------------

# d_k = 4, e uma componente grande em toda consulta e em toda chave: pontuações perto de 2048, diferenças pequenas.
_X4 = np.array([[64.0, 0.5, -0.25], [64.0, -0.75, 1.0], [64.0, 0.25, 0.5], [64.0, 1.0, -0.5], [64.0, 0.0, 0.75]])
_WQ4 = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, -0.5], [0.0, 0.0, 1.0, 0.5]])
_WK4 = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.5, 1.0, 0.0], [0.0, -1.0, 0.0, 0.5]])
_WV4 = np.array([[0.0, 0.125], [1.0, -0.5], [0.5, 1.0]])


def _cabeca(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A = _softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return A @ V, A


def _grande(rng, n):
    """X (n, 3) e pesos com d_k = 4: pontuações perto de 2048 que diferem em poucas unidades."""
    X = np.concatenate([np.full((n, 1), 64.0), _fracoes(rng, 4, n, 2)], axis=1)
    W_Q, W_K = np.zeros((3, 4)), np.zeros((3, 4))
    W_Q[0, 0] = W_K[0, 0] = 1.0
    W_Q[1:, 1:], W_K[1:, 1:] = _fracoes(rng, 2, 2, 3), _fracoes(rng, 2, 2, 3)
    W_V = np.concatenate([np.full((1, 2), 0.125), _fracoes(rng, 8, 2, 2)])
    return X, W_Q, W_K, W_V


def _pesos(rng, d, d_k, d_v):
    """W_Q, W_K e W_V que dão pontuações nem mornas demais nem saturadas."""
    return tuple((rng.normal(size=(d, k)) * 1.4 / math.sqrt(d)).round(2) for k in (d_k, d_k, d_v))


def _ocultos_cabeca(rng):
    casos = []
    for _ in range(5):
        n, d, d_k, d_v = _tamanhos(rng, 4)
        casos.append(caso(_normal(rng, n, d), *_pesos(rng, d, d_k, d_v)))
    casos.append(caso(_normal(rng, 4, 4), *_pesos(rng, 4, 4, 4)))
    casos.append(caso(_normal(rng, 3, 5), *_pesos(rng, 5, 7, 2)))
    casos.append(caso(*_grande(rng, 5)))
    casos.append(caso(_normal(rng, 4, 3), *_pesos(rng, 3, 1, 1)))
    casos.append(caso(_normal(rng, 1, 4), *_pesos(rng, 4, 3, 2)))
    return casos


cabeca = questao(
    "lista-04/cabeca",
    assinatura="cabeca(X, W_Q, W_K, W_V)",
    saida=[("Y", "array"), ("A", "array")],
    referencia=_cabeca,
    casos=[
        caso(_X3, _WQ3, _WK3, _WV3, rotulo="tudo 3 × 3"),
        caso(_X1, _WQ1, _WK1 / 4, _WV1, claro=True, rotulo="o exemplo do enunciado"),
        caso(_X2, _WQ2, _WK2, _WV2, rotulo="5 tokens, D = 4, d_k = 3, d_v = 2"),
        caso(_X2[1:4], _WQ2[:, :1], _WK2[:, :1], np.hstack([_WV2, _WQ2]), rotulo="d_k = 1 e d_v = 5"),
        caso(_X4, _WQ4, _WK4, _WV4, rotulo="pontuações perto de 2048"),
        caso(_X2[:1], _WQ2, _WK2, _WV2, rotulo="um token só"),
    ],
    ocultos=_ocultos_cabeca,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
)


@cabeca.equivoco(
    "sem-escala",
    "Falta dividir as pontuações por √d_k antes da softmax. Foi o assunto da aula 03.",
)
def _(X, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (X @ W_K).T)
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "escala-dk",
    "As pontuações foram divididas por d_k inteiro. Falta a raiz (ou ela entrou duas vezes, uma em Q e outra em K).",
)
def _(X, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (X @ W_K).T / W_K.shape[1])
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "escala-raiz-D",
    "Você dividiu por √D, o tamanho do token. O que conta é d_k, quantas componentes têm a consulta e a chave depois "
    "da projeção.",
)
def _(X, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(X.shape[1]))
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "escala-raiz-dv",
    "Você dividiu por √d_v, a largura dos valores. Quem entra no produto escalar são consultas e chaves: a raiz é de "
    "d_k.",
)
def _(X, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_V.shape[1]))
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "escala-raiz-N",
    "Você dividiu por √N, a raiz do número de tokens. A raiz é de d_k: olhe qual eixo de K você mediu (len(K) conta "
    "linhas).",
)
def _(X, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(len(X)))
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "normaliza-colunas",
    "As colunas de A somam 1, e são as linhas que deveriam somar: a linha n são os pesos com que o token n lê os "
    "outros.",
)
def _(X, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1]), 0)
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "softmax-global",
    "A matriz A inteira soma 1. Cada consulta tem o seu próprio orçamento: é cada linha que soma 1.",
)
def _(X, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    A = np.exp(S - S.max())
    A = A / A.sum()
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "sem-keepdims",
    "As linhas de A não somam 1: sem keepdims=True, a soma da linha m foi parar na coluna m. Em matriz quadrada o "
    "NumPy não avisa.",
)
def _(X, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1)
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "troca-Q-e-K",
    "As consultas e as chaves trocaram de papel: as pontuações são KQᵀ. Cada linha de A deve ser de uma consulta.",
)
def _(X, W_Q, W_K, W_V):
    A = _softmax((X @ W_K) @ (X @ W_Q).T / np.sqrt(W_K.shape[1]))
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "so-consultas",
    "A conta é de Q com Q: W_K não está sendo usada. Cada consulta se compara com as chaves.",
)
def _(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    A = _softmax(Q @ Q.T / np.sqrt(Q.shape[1]))
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "pontua-sem-projetar",
    "As pontuações são as de X Xᵀ, como na aula 02. Quem se compara agora são as projeções: X W_Q com X W_K.",
)
def _(X, W_Q, W_K, W_V):
    A = _softmax(X @ X.T / np.sqrt(W_K.shape[1]))
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "A-transposta",
    "A está certa, mas Y foi feita com Aᵀ. A linha n de Y é a média dos valores com os pesos da linha n de A.",
)
def _(X, W_Q, W_K, W_V):
    A = _cabeca(X, W_Q, W_K, W_V)[1]
    return A.T @ (X @ W_V), A


@cabeca.equivoco(
    "mistura-X",
    "A está certa, mas Y é A X: os tokens foram misturados sem passar por W_V. O que se entrega são os valores.",
)
def _(X, W_Q, W_K, W_V):
    A = _cabeca(X, W_Q, W_K, W_V)[1]
    return A @ X, A


@cabeca.equivoco(
    "mistura-K",
    "A está certa, mas Y é A K. A chave serve para ser encontrada; o que se entrega é o valor.",
)
def _(X, W_Q, W_K, W_V):
    A = _cabeca(X, W_Q, W_K, W_V)[1]
    return A @ (X @ W_K), A


@cabeca.equivoco(
    "mistura-Q",
    "A está certa, mas Y é A Q. A consulta serve para procurar; o que se entrega é o valor.",
)
def _(X, W_Q, W_K, W_V):
    A = _cabeca(X, W_Q, W_K, W_V)[1]
    return A @ (X @ W_Q), A


@cabeca.equivoco(
    "sem-softmax",
    "Em A estão as pontuações. Elas ainda não são pesos: falta a softmax em cada linha.",
)
def _(X, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    return S @ (X @ W_V), S


@cabeca.equivoco(
    "ordem-trocada",
    "Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, d_v), depois A (N, N).",
)
def _(X, W_Q, W_K, W_V):
    Y, A = _cabeca(X, W_Q, W_K, W_V)
    return A, Y


@cabeca.equivoco(
    "sem-maximo",
    "Com pontuações na casa dos milhares a exponencial estourou e apareceu NaN. Subtraia o máximo de cada linha, como "
    "na lista 02.",
)
def _(X, W_Q, W_K, W_V):
    E = np.exp((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1]))
    A = E / E.sum(axis=1, keepdims=True)
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "esconde-o-futuro",
    "A parte de cima de A é zero: você pôs uma máscara causal. Ela é a aula 06; nesta cabeça todos olham para todos.",
)
def _(X, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    A = _softmax(np.where(np.tri(len(X), dtype=bool), S, -np.inf))
    return A @ (X @ W_V), A


@cabeca.equivoco(
    "W-transposta",
    "Você multiplicou por Wᵀ. Aqui W já tem forma (D, d): entra pela direita de X, sem transpor.",
)
def _(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q.T, X @ W_K.T, X @ W_V.T
    A = _softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return A @ V, A


@cabeca.equivoco(
    "K-sem-transpor",
    "As pontuações são Q K, sem transpor K. Para comparar cada consulta com cada chave, as d_k componentes têm de se "
    "encontrar: (N, d_k) por (d_k, N).",
)
def _(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A = _softmax(Q @ K / np.sqrt(K.shape[1]))
    return A @ V, A


@cabeca.equivoco(
    "V-transposta",
    "A está certa, mas V foi transposta antes da mistura. As N colunas de A encontram as N linhas de V: (N, N) por "
    "(N, d_v).",
)
def _(X, W_Q, W_K, W_V):
    A = _cabeca(X, W_Q, W_K, W_V)[1]
    return A @ (X @ W_V).T, A


@cabeca.alternativa("com-lacos")
def _(X, W_Q, W_K, W_V):
    N, d_k, d_v = len(X), W_K.shape[1], W_V.shape[1]
    A, Y = np.zeros((N, N)), np.zeros((N, d_v))
    for n in range(N):
        pontos = [float((X[n] @ W_Q) @ (X[m] @ W_K)) / math.sqrt(d_k) for m in range(N)]
        maior = max(pontos)
        exponenciais = [math.exp(p - maior) for p in pontos]
        for m in range(N):
            A[n, m] = exponenciais[m] / sum(exponenciais)
            Y[n] += A[n, m] * (X[m] @ W_V)
    return Y, A


@cabeca.alternativa("com-einsum")
def _(X, W_Q, W_K, W_V):
    S = np.einsum("nd,dk,mk->nm", X, W_Q, X @ W_K) / np.sqrt(W_K.shape[1])
    A = _softmax(S)
    return np.einsum("nm,me,ev->nv", A, X, W_V), A


@cabeca.alternativa("uma-matriz-so")
def _(X, W_Q, W_K, W_V):
    A = _softmax(X @ (W_Q @ W_K.T) @ X.T / np.sqrt(W_K.shape[1]))
    return (A @ X) @ W_V, A


@cabeca.alternativa("escala-na-consulta")
def _(X, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q / np.sqrt(W_Q.shape[1])) @ (X @ W_K).T)
    return A @ (X @ W_V), A


@cabeca.alternativa("atencao-do-torch")
def _(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (torch.from_numpy(a) for a in (X, W_Q, W_K, W_V))
    Q, K = X @ W_Q, X @ W_K
    Y = torch.nn.functional.scaled_dot_product_attention(Q, K, X @ W_V)
    return Y, torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)


@cabeca.alternativa("com-torch-float32")
def _(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (torch.tensor(a, dtype=torch.float32) for a in (X, W_Q, W_K, W_V))
    A = torch.softmax((X @ W_Q) @ (X @ W_K).T / math.sqrt(W_K.shape[1]), dim=-1)
    return A @ (X @ W_V), A


@cabeca.alternativa("numpy-float32")
def _(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (a.astype(np.float32) for a in (X, W_Q, W_K, W_V))
    A = _softmax((X @ W_Q) @ (X @ W_K).T / np.float32(np.sqrt(W_K.shape[1])))
    return A @ (X @ W_V), A


# --- atencao_cruzada ----------------------------------------------------------------------------------------

_C1 = np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [2.0, 0.0, 1.0]])  # (3, 3)
_C2 = np.array([[0.7, 0.2, -0.9, 0.4], [-0.3, 1.1, 0.6, -0.5], [0.8, -0.7, 0.3, 1.0]])  # (3, 4)
_C2b = np.array(
    [[0.2, 0.9, -0.4, 0.6], [1.0, -0.1, 0.5, -0.8], [-0.6, 0.3, 0.7, 0.1], [0.4, -1.1, 0.2, 0.9], [0.5, 0.6, -0.7, 0.3]]
)  # (5, 4)
_C3 = np.array([[0.6, -0.4, 0.2], [-0.9, 0.8, 0.5], [0.3, 0.1, -1.0]])
_C4 = np.array([[64.0, 0.75, 0.5], [64.0, -0.5, 0.25], [64.0, 0.125, -1.0]])  # (3, 3)
_C5 = np.array([[0.9, -0.6], [0.4, 0.7], [-0.8, 0.5], [0.1, 1.2]])  # (4, 2): de largura diferente da de X
_WK5 = np.array([[0.8, -0.3, 1.1], [0.5, 0.9, -0.6]])  # (2, 3)
_WV5 = np.array([[0.7, -0.2, 0.4, 1.0, 0.1], [0.3, 0.8, -0.5, 0.2, 0.6]])  # (2, 5)


def _cruzada(X, C, W_Q, W_K, W_V):
    K = C @ W_K
    A = _softmax((X @ W_Q) @ K.T / np.sqrt(K.shape[1]))
    return A @ (C @ W_V), A


def _ocultos_cruzada(rng):
    casos = []
    for _ in range(4):
        n, m, d, d_k, d_v = _tamanhos(rng, 5)
        casos.append(caso(_normal(rng, n, d), _normal(rng, m, d), *_pesos(rng, d, d_k, d_v)))
    casos.append(caso(_normal(rng, 5, 3), _normal(rng, 5, 3), *_pesos(rng, 3, 4, 2)))
    casos.append(caso(_normal(rng, 4, 4), _normal(rng, 4, 4), *_pesos(rng, 4, 4, 4)))
    X, W_Q, W_K, W_V = _grande(rng, 7)
    casos.append(caso(X[:4], X[4:], W_Q, W_K, W_V))
    W_Q, (_, W_K, W_V) = _pesos(rng, 5, 3, 2)[0], _pesos(rng, 4, 3, 6)
    casos.append(caso(_normal(rng, 2, 5), _normal(rng, 7, 4), W_Q, W_K, W_V))
    casos.append(caso(_normal(rng, 3, 4), _normal(rng, 1, 4), *_pesos(rng, 4, 5, 2)))
    casos.append(caso(_normal(rng, 5, 3), _normal(rng, 4, 3), *_pesos(rng, 3, 1, 1)))
    casos.append(caso(_normal(rng, 1, 4), _normal(rng, 6, 4), *_pesos(rng, 4, 3, 2)))
    return casos


atencao_cruzada = questao(
    "lista-04/atencao_cruzada",
    assinatura="atencao_cruzada(X, C, W_Q, W_K, W_V)",
    saida=[("Y", "array"), ("A", "array")],
    referencia=_cruzada,
    casos=[
        caso(_X3, _C3, _WQ3, _WK3, _WV3, rotulo="tudo 3 × 3"),
        caso(_X1, _C1, _WQ1, _WK1 / 4, _WV1, claro=True, rotulo="o exemplo do enunciado"),
        caso(_X2, _C2, _WQ2, _WK2, _WV2, rotulo="5 consultas, 3 chaves"),
        caso(_X2, _C2b, _WQ2, _WK2, _WV2, rotulo="tantas consultas quanto chaves"),
        caso(_X4[:4], _C4, _WQ4, _WK4, _WV4, rotulo="pontuações perto de 2048"),
        caso(_X2[:3], _C5, _WQ2, _WK5, _WV5, rotulo="C com outra largura"),
        caso(_X2[:1], _C2, _WQ2, _WK2, _WV2, rotulo="uma consulta só"),
        caso(_X2[:4], _C2[:1], _WQ2, _WK2, _WV2, rotulo="um token só em C"),
        caso(_X2[:4], _C2, _WQ2[:, :1], _WK2[:, :1], _WV2[:, :1], rotulo="d_k = 1 e d_v = 1"),
    ],
    ocultos=_ocultos_cruzada,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
)


@atencao_cruzada.equivoco(
    "papeis-trocados",
    "X e C trocaram de papel: saiu uma linha para cada token de C. Quem pergunta é X; quem responde, com chaves e "
    "valores, é C.",
)
def _(X, C, W_Q, W_K, W_V):
    K = X @ W_K
    A = _softmax((C @ W_Q) @ K.T / np.sqrt(K.shape[1]))
    return A @ (X @ W_V), A


@atencao_cruzada.equivoco(
    "ignora-C",
    "Isto é a autoatenção de X: C não está sendo usada. As chaves e os valores vêm de C.",
)
def _(X, C, W_Q, W_K, W_V):
    return _cabeca(X, W_Q, W_K, W_V)


@atencao_cruzada.equivoco(
    "ignora-X",
    "Isto é a autoatenção de C: X não está sendo usada. As consultas vêm de X.",
)
def _(X, C, W_Q, W_K, W_V):
    return _cabeca(C, W_Q, W_K, W_V)


@atencao_cruzada.equivoco(
    "chaves-de-X",
    "As chaves foram feitas de X. Quem oferece as chaves é C: A deve ter uma coluna para cada token de C.",
)
def _(X, C, W_Q, W_K, W_V):
    K = X @ W_K
    A = _softmax((X @ W_Q) @ K.T / np.sqrt(K.shape[1]))
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "valores-de-X",
    "As pontuações estão certas, mas os valores foram feitos de X. Quem foi encontrado é que entrega: os valores vêm "
    "de C.",
)
def _(X, C, W_Q, W_K, W_V):
    K = C @ W_K
    A = _softmax((X @ W_Q) @ K.T / np.sqrt(K.shape[1]))
    return A @ (X @ W_V), A


@atencao_cruzada.equivoco(
    "consultas-de-C",
    "As consultas foram feitas de C, e os valores misturados são os de X. Só as consultas vêm de X; chaves e valores, "
    "de C.",
)
def _(X, C, W_Q, W_K, W_V):
    K = C @ W_K
    A = _softmax((C @ W_Q) @ K.T / np.sqrt(K.shape[1]))
    return A @ (X @ W_V), A


@atencao_cruzada.equivoco(
    "junta-X-e-C",
    "A tem N + M colunas: X foi parar também entre as chaves. Na atenção cruzada, X só pergunta; só C responde.",
)
def _(X, C, W_Q, W_K, W_V):
    T = np.concatenate([X, C])
    return _cruzada(X, T, W_Q, W_K, W_V)


@atencao_cruzada.equivoco(
    "sem-escala",
    "Falta dividir as pontuações por √d_k antes da softmax.",
)
def _(X, C, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (C @ W_K).T)
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "escala-raiz-D",
    "Você dividiu por √D, a largura de X. A raiz é de d_k, a largura das consultas e das chaves.",
)
def _(X, C, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (C @ W_K).T / np.sqrt(X.shape[1]))
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "escala-raiz-M",
    "Você dividiu por √M, a raiz do número de chaves (len(K) conta linhas). A raiz é de d_k.",
)
def _(X, C, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (C @ W_K).T / np.sqrt(len(C)))
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "normaliza-colunas",
    "As colunas de A somam 1, e são as linhas que deveriam somar: cada consulta reparte o seu orçamento entre as M "
    "chaves.",
)
def _(X, C, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1]), 0)
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "softmax-global",
    "A matriz A inteira soma 1. Cada consulta tem o seu próprio orçamento: é cada linha que soma 1.",
)
def _(X, C, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1])
    A = np.exp(S - S.max())
    A = A / A.sum()
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "mistura-C",
    "A está certa, mas Y é A C: os tokens de C foram misturados sem passar por W_V.",
)
def _(X, C, W_Q, W_K, W_V):
    A = _cruzada(X, C, W_Q, W_K, W_V)[1]
    return A @ C, A


@atencao_cruzada.equivoco(
    "mistura-K",
    "A está certa, mas Y é A K. A chave serve para ser encontrada; o que se entrega é o valor.",
)
def _(X, C, W_Q, W_K, W_V):
    A = _cruzada(X, C, W_Q, W_K, W_V)[1]
    return A @ (C @ W_K), A


@atencao_cruzada.equivoco(
    "sem-softmax",
    "Em A estão as pontuações. Elas ainda não são pesos: falta a softmax em cada linha.",
)
def _(X, C, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1])
    return S @ (C @ W_V), S


@atencao_cruzada.equivoco(
    "ordem-trocada",
    "Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, d_v), depois A (N, M).",
)
def _(X, C, W_Q, W_K, W_V):
    Y, A = _cruzada(X, C, W_Q, W_K, W_V)
    return A, Y


@atencao_cruzada.equivoco(
    "sem-maximo",
    "Com pontuações na casa dos milhares a exponencial estourou e apareceu NaN. Subtraia o máximo de cada linha.",
)
def _(X, C, W_Q, W_K, W_V):
    E = np.exp((X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1]))
    A = E / E.sum(axis=1, keepdims=True)
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "A-transposta",
    "As pontuações são KQᵀ: saiu uma linha para cada chave. Cada linha de A deve ser de uma consulta, (N, M).",
)
def _(X, C, W_Q, W_K, W_V):
    A = _softmax((C @ W_K) @ (X @ W_Q).T / np.sqrt(W_K.shape[1]))
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "K-sem-transpor",
    "As pontuações são Q K, sem transpor K. Para comparar cada consulta com cada chave, as d_k componentes têm de se "
    "encontrar: (N, d_k) por (d_k, M).",
)
def _(X, C, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (C @ W_K) / np.sqrt(W_K.shape[1]))
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "Y-com-A-transposta",
    "A está certa, mas Y foi feita com Aᵀ. A linha n de Y é a média dos valores de C com os pesos da linha n de A.",
)
def _(X, C, W_Q, W_K, W_V):
    A = _cruzada(X, C, W_Q, W_K, W_V)[1]
    return A.T @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "sem-keepdims",
    "Falta keepdims=True na soma da softmax: a soma da linha n tem de dividir a linha n, e não a coluna n.",
)
def _(X, C, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1)
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "escala-dk",
    "As pontuações foram divididas por d_k inteiro. Falta a raiz (ou ela entrou duas vezes).",
)
def _(X, C, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (C @ W_K).T / W_K.shape[1])
    return A @ (C @ W_V), A


@atencao_cruzada.equivoco(
    "escala-raiz-dv",
    "Você dividiu por √d_v, a largura dos valores. Quem entra no produto escalar são consultas e chaves: a raiz é de "
    "d_k.",
)
def _(X, C, W_Q, W_K, W_V):
    A = _softmax((X @ W_Q) @ (C @ W_K).T / np.sqrt(W_V.shape[1]))
    return A @ (C @ W_V), A


@atencao_cruzada.alternativa("com-lacos")
def _(X, C, W_Q, W_K, W_V):
    A, Y = np.zeros((len(X), len(C))), np.zeros((len(X), W_V.shape[1]))
    for n, x in enumerate(X):
        pontos = np.array([(x @ W_Q) @ (c @ W_K) for c in C]) / math.sqrt(W_K.shape[1])
        pesos = np.exp(pontos - pontos.max())
        A[n] = pesos / pesos.sum()
        for peso, c in zip(A[n], C, strict=True):
            Y[n] += peso * (c @ W_V)
    return Y, A


@atencao_cruzada.alternativa("com-einsum")
def _(X, C, W_Q, W_K, W_V):
    S = np.einsum("nk,mk->nm", X @ W_Q, C @ W_K) * W_K.shape[1] ** -0.5
    A = _softmax(S)
    return np.einsum("nm,mv->nv", A, C @ W_V), A


@atencao_cruzada.alternativa("atencao-do-torch")
def _(X, C, W_Q, W_K, W_V):
    X, C, W_Q, W_K, W_V = (torch.from_numpy(a) for a in (X, C, W_Q, W_K, W_V))
    Q, K = X @ W_Q, C @ W_K
    Y = torch.nn.functional.scaled_dot_product_attention(Q, K, C @ W_V)
    return Y, torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)


@atencao_cruzada.alternativa("com-torch-float32")
def _(X, C, W_Q, W_K, W_V):
    X, C, W_Q, W_K, W_V = (torch.tensor(a, dtype=torch.float32) for a in (X, C, W_Q, W_K, W_V))
    A = torch.softmax((X @ W_Q) @ (C @ W_K).T / math.sqrt(W_K.shape[1]), dim=-1)
    return A @ (C @ W_V), A


@atencao_cruzada.alternativa("normaliza-no-fim")
def _(X, C, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_Q.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    soma = E.sum(axis=1, keepdims=True)
    return (E @ C @ W_V) / soma, E / soma


# --- dicionario_suave ---------------------------------------------------------------------------------------

_q1 = np.array([1.0, 0.5])
_K1 = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])  # (3, 2)
_V1 = np.array([[10.0, 0.0, 1.0, 2.0], [0.0, 10.0, 3.0, 1.0], [5.0, 5.0, 0.0, 4.0]])  # (3, 4)
_q2 = np.array([0.6, -0.4, 0.9])
_K2 = np.array([[0.5, 0.8, -0.3], [-0.7, 0.2, 0.9], [0.4, -0.6, 0.1], [1.1, 0.3, 0.5], [-0.2, -0.9, 0.7]])  # (5, 3)
_V2 = np.array([[0.3, 1.2], [-0.8, 0.5], [0.9, -0.4], [0.1, 0.7], [1.5, -0.6]])  # (5, 2)
_q3 = np.array([1.0, -0.5, 0.25])
_K3 = np.array([[1.0, 0.5, 0.0], [0.5, -0.5, 0.0], [-1.0, 0.0, 1.0], [0.25, 0.5, 1.0]])  # K q: 0,75 0,75 −0,75 0,25
_V3 = np.array([[2.0, 0.5], [1.0, -1.5], [0.0, 3.0], [4.0, 1.0]])


# A consulta começa por 1: tirar 1/4096 (ou 1/64) do primeiro número de uma chave tira o mesmo da pontuação.
_K4 = np.array([[1.0, 0.5, 0.0], [1.0 - 2.0**-12, 0.5, 0.0], [-1.0, 0.0, 1.0], [0.25, 0.5, 1.0]])
_K5 = np.array([[0.25, 0.5, 1.0], [1.0 - 2.0**-6, 0.5, 0.0], [1.0, 0.5, 0.0], [-1.0, 0.0, 1.0], [0.5, -0.5, -1.0]])
_V5 = np.array([[3.0], [-1.0], [2.0], [0.5], [4.0]])


def _dicionario(consulta, chaves, valores, beta):
    return _softmax(beta * (chaves @ consulta)) @ valores


def _chaves_com_empate(rng, m, d):
    """Chaves e consulta em oitavos, com dois vencedores empatados e os outros pelo menos 1/64 abaixo."""
    while True:
        q, K = _fracoes(rng, 8, d), _fracoes(rng, 8, m, d)
        K[m - 1] = K[0]
        s = K @ q
        if s.argmax() == 0 and (s == s[0]).sum() == 2 and s[0] > 0 and not np.allclose(np.linalg.norm(K, axis=1), 1):
            return q, K


def _chaves_por_um_triz(rng, m, d, folga):
    """Como as empatadas, mas uma das duas fica atrás só por `folga`, uma potência de dois."""
    while True:
        q, K = _fracoes(rng, 8, d), _fracoes(rng, 8, m, d)
        q[0], K[m - 1] = 1.0, K[0]
        s = K @ q
        if s.argmax() == 0 and (s == s[0]).sum() == 2 and s[0] > 0.25:
            K[m - 1, 0] -= folga
            return q, K[rng.permutation(m)]


def _ocultos_dicionario(rng):
    casos = []
    for beta in rng.permutation([0.5, 1.5, 2.0, 3.0, 0.75]):
        m, d, d_v = (int(n) for n in rng.choice([3, 4, 5, 6, 7], size=3, replace=False))
        casos.append(caso(_normal(rng, d), _normal(rng, m, d), _normal(rng, m, d_v), float(beta)))
    casos.append(caso(_normal(rng, 3), _normal(rng, 5, 3), _normal(rng, 5, 2), 0.0))
    q, K = _chaves_com_empate(rng, 5, 3)
    casos.append(caso(q, K, _normal(rng, 5, 4), 2.0**14))
    casos.append(caso(-q, K, _normal(rng, 5, 2), 2.0**14))
    casos.append(caso(q, K, _normal(rng, 5, 2), 2.0))
    casos.append(caso(_normal(rng, 3), _normal(rng, 3, 3), _normal(rng, 3, 3), 1.25))
    for folga, beta, d_v in ((2.0**-12, 2.0**14, 2), (2.0**-6, 64.0, 1)):
        V = _fracoes(rng, 4, 5, d_v) + 3.0 * np.arange(5)[:, None]  # valores distantes: o peso de cada um aparece
        casos.append(caso(*_chaves_por_um_triz(rng, 5, 3, folga), V, beta))
    casos.append(caso(_normal(rng, 4), _normal(rng, 1, 4), _normal(rng, 1, 3), 1.5))
    casos.append(caso(_fracoes(rng, 4, 3), _fracoes(rng, 4, 6, 3), _normal(rng, 6, 4), 8.0))
    casos.append(caso(_normal(rng, 1), _normal(rng, 4, 1), _normal(rng, 4, 2), 2.0))
    return casos


dicionario_suave = questao(
    "lista-04/dicionario_suave",
    assinatura="dicionario_suave(consulta, chaves, valores, beta)",
    saida="array",
    referencia=_dicionario,
    casos=[
        caso(_q1, _K1, _V1, 2.0, claro=True, rotulo="o exemplo do enunciado"),
        caso(_q2, _K2, _V2, 0.5, rotulo="5 chaves, beta 0,5"),
        caso(_q2, _K2, _V2, 3.0, rotulo="5 chaves, beta 3"),
        caso(_q2, _K2, _V2, 0.0, rotulo="beta 0"),
        caso(_q3, _K3, _V3, 16384.0, rotulo="beta 16 384, com duas chaves empatadas"),
        caso(-_q3, _K3[:2], _V3[:2], 16384.0, rotulo="beta 16 384, pontuações negativas"),
        caso(_q2, _K2[:3], _K2[2:], 1.5, rotulo="3 chaves em 3-D, valores em 3-D"),
        caso(_q3, _K4, _V3, 16384.0, rotulo="beta 16 384, e a segunda chave perde por 1/4096"),
        caso(_q3, _K5, _V5, 64.0, rotulo="beta 64, d_v = 1, e a segunda colocada perde por 1/64"),
        caso(_q2, _K2[:1], _K2[1:2], 1.5, rotulo="uma chave só"),
    ],
    ocultos=_ocultos_dicionario,
)


@dicionario_suave.equivoco(
    "sem-beta",
    "Seja qual for o beta, sua saída é a mesma. Ele multiplica as pontuações, antes da exponencial; se multiplicar as "
    "exponenciais, cancela-se na divisão.",
)
def _(consulta, chaves, valores, beta):
    return _softmax(chaves @ consulta) @ valores


@dicionario_suave.equivoco(
    "beta-divide",
    "Você dividiu as pontuações por beta, como se fosse uma temperatura. Aqui ele multiplica: beta grande afia, beta "
    "pequeno amorna.",
)
def _(consulta, chaves, valores, beta):
    with np.errstate(divide="ignore", invalid="ignore"):
        return _softmax((chaves @ consulta) / np.float64(beta)) @ valores


@dicionario_suave.equivoco(
    "com-raiz-de-d",
    "Você dividiu as pontuações por √d. Neste dicionário não há essa escala: quem faz o papel dela é beta.",
)
def _(consulta, chaves, valores, beta):
    return _softmax(beta * (chaves @ consulta) / np.sqrt(len(consulta))) @ valores


@dicionario_suave.equivoco(
    "sem-maximo",
    "Com beta grande apareceu NaN: a exponencial estourou. Subtraia a maior pontuação antes da exponencial.",
)
def _(consulta, chaves, valores, beta):
    e = np.exp(beta * (chaves @ consulta))
    return e / e.sum() @ valores


@dicionario_suave.equivoco(
    "sempre-a-mais-parecida",
    "Você devolveu o valor de uma chave só, a de maior pontuação. Isso é o limite de beta grande; com beta pequeno "
    "todas as chaves contam, e duas chaves empatadas dividem o peso.",
)
def _(consulta, chaves, valores, beta):
    return valores[np.argmax(chaves @ consulta)].copy()


@dicionario_suave.equivoco(
    "devolve-os-pesos",
    "Você devolveu os pesos, um por chave. Falta o último passo: misturar os valores com eles.",
)
def _(consulta, chaves, valores, beta):
    return _softmax(beta * (chaves @ consulta))


@dicionario_suave.equivoco(
    "mistura-as-chaves",
    "Os pesos estão certos, mas você misturou as chaves. O que o dicionário devolve são os valores.",
)
def _(consulta, chaves, valores, beta):
    return _softmax(beta * (chaves @ consulta)) @ chaves


@dicionario_suave.equivoco(
    "beta-nos-pesos",
    "Você multiplicou os pesos por beta, depois da softmax: eles deixam de somar 1. Ele entra antes, nas pontuações.",
)
def _(consulta, chaves, valores, beta):
    return beta * _softmax(chaves @ consulta) @ valores


@dicionario_suave.equivoco(
    "sem-softmax",
    "Você misturou os valores com as pontuações cruas. Falta a softmax, que faz delas pesos que somam 1.",
)
def _(consulta, chaves, valores, beta):
    return beta * (chaves @ consulta) @ valores


@dicionario_suave.equivoco(
    "cosseno",
    "Você normalizou a consulta e as chaves antes de comparar. Aqui a pontuação é o produto escalar puro.",
)
def _(consulta, chaves, valores, beta):
    c = chaves @ consulta / (np.linalg.norm(chaves, axis=1) * np.linalg.norm(consulta))
    return _softmax(beta * c) @ valores


@dicionario_suave.equivoco(
    "distancia",
    "Suas pontuações são distâncias ao quadrado com o sinal trocado. É uma boa ideia, mas outra: aqui é o produto "
    "escalar da chave com a consulta.",
)
def _(consulta, chaves, valores, beta):
    return _softmax(-beta * ((chaves - consulta) ** 2).sum(axis=1)) @ valores


@dicionario_suave.equivoco(
    "media-dos-valores",
    "Saiu a média simples dos valores, a mesma para qualquer consulta. As pontuações não estão entrando na conta.",
)
def _(consulta, chaves, valores, beta):
    return valores.mean(axis=0)


@dicionario_suave.equivoco(
    "linha-em-vez-de-vetor",
    "A conta está certa, mas saiu uma matriz de uma linha, (1, d_v). Pede-se um vetor, (d_v,).",
)
def _(consulta, chaves, valores, beta):
    return _softmax(beta * (consulta[None] @ chaves.T)) @ valores


@dicionario_suave.equivoco(
    "softmax-dos-valores",
    "A saída soma 1: você passou o resultado pela softmax. A softmax é só das pontuações.",
)
def _(consulta, chaves, valores, beta):
    return _softmax(_softmax(beta * (chaves @ consulta)) @ valores)


@dicionario_suave.equivoco(
    "busca-dura",
    "Com beta grande você trocou a softmax por uma busca do máximo. A fórmula é a mesma para todo beta: uma chave que "
    "perde por muito pouco ainda pesa.",
)
def _(consulta, chaves, valores, beta):
    s = chaves @ consulta
    if beta > 1000:
        return valores[np.isclose(s, s.max())].mean(axis=0)
    return _softmax(beta * s) @ valores


@dicionario_suave.equivoco(
    "beta-com-teto",
    "Você pôs um teto em beta. Para não estourar, subtraia a maior pontuação; beta entra na conta inteiro.",
)
def _(consulta, chaves, valores, beta):
    return _softmax(min(beta, 50.0) * (chaves @ consulta)) @ valores


@dicionario_suave.equivoco(
    "vira-numero",
    "Com d_v = 1, saiu um número solto (há um squeeze?). Pede-se sempre um vetor, (d_v,), mesmo que de um número só.",
)
def _(consulta, chaves, valores, beta):
    return np.squeeze(_softmax(beta * (chaves @ consulta)) @ valores)


@dicionario_suave.alternativa("com-lacos")
def _(consulta, chaves, valores, beta):
    pontos = [beta * sum(float(a) * float(b) for a, b in zip(chave, consulta, strict=True)) for chave in chaves]
    maior = max(pontos)
    pesos = [math.exp(p - maior) for p in pontos]
    total = sum(pesos)
    return np.array([sum(w * v for w, v in zip(pesos, coluna, strict=True)) / total for coluna in valores.T])


@dicionario_suave.alternativa("maximo-antes-de-beta")
def _(consulta, chaves, valores, beta):
    s = chaves @ consulta
    e = np.exp(beta * (s - s.max()))
    return (e[:, None] * valores).sum(axis=0) / e.sum()


@dicionario_suave.alternativa("com-torch-float32")
def _(consulta, chaves, valores, beta):
    q, K, V = (torch.tensor(a, dtype=torch.float32) for a in (consulta, chaves, valores))
    return torch.softmax(beta * (K @ q), dim=0) @ V


@dicionario_suave.alternativa("atencao-do-torch")
def _(consulta, chaves, valores, beta):
    q, K, V = (torch.from_numpy(a) for a in (consulta, chaves, valores))
    return torch.softmax(beta * torch.einsum("md,d->m", K, q), 0) @ V


@dicionario_suave.alternativa("log-da-soma")
def _(consulta, chaves, valores, beta):
    s = beta * (chaves @ consulta)
    return np.exp(s - np.logaddexp.reduce(s)) @ valores


@dicionario_suave.alternativa("beta-na-consulta")
def _(consulta, chaves, valores, beta):
    return np.einsum("m,mv->v", _softmax(np.inner(chaves, beta * consulta)), valores)


# --- equivariante -------------------------------------------------------------------------------------------
#
# Nos casos, a diferença entre f(X[perm]) e f(X)[perm] ou é de arredondamento (menos de 1e-5 do maior |Y|) ou é clara
# (mais de 1e-2 dele): o enunciado promete isso, e quem sorteia garante.


def _equivariante(f, X, perm):
    Y = f(X.copy())  # uma cópia: f pode escrever no que recebe
    Z = f(X[perm])  # indexar com um vetor já copia
    return bool(np.abs(Z - Y[perm]).max() <= 1e-4 * np.abs(Y).max())


def _diferenca(nome, parametros, X, perm):
    """Quanto f(X[perm]) e f(X)[perm] diferem, em relação ao maior |Y|."""
    f = peca(nome)(**parametros)
    Y, Z = f(X.copy()), f(X[perm])
    return float(np.abs(Z - Y[perm]).max() / np.abs(Y).max())


def _perm(rng, n, fixo=None):
    """Uma permutação que não é a própria inversa e não deixa índice algum no lugar, a não ser o `fixo`."""
    while True:
        perm = rng.permutation(n)
        if (perm[perm] == np.arange(n)).all() or (fixo is not None and perm[fixo] != fixo):
            continue
        if fixo is None and (perm == np.arange(n)).any():
            continue
        return perm


def _ciclo(n, passo=1):
    return (np.arange(n) + passo) % n


def _constante_nos_ciclos(rng, perm, d):
    """Uma tabela P (N, D) com P[perm] igual a P: o mesmo vetor em cada ciclo da permutação."""
    P, feitos = np.zeros((len(perm), d)), set()
    for n in range(len(perm)):
        linha = _normal(rng, d)
        while n not in feitos:
            P[n], n_seguinte = linha, int(perm[n])
            feitos.add(n)
            n = n_seguinte
    return P


def _circulante(rng, n):
    """M[i, j] depende só de (i − j) mod n: comuta com as rotações, e com mais nada."""
    c = _normal(rng, n)
    return np.array([[c[(i - j) % n] for j in range(n)] for i in range(n)])


def _camada(rng, n, d, P=None, M=None, **resto):
    W_Q, W_K, W_V = _pesos(rng, d, 3, 4)
    vazia = np.zeros((n, d)) if P is None else P
    return "lista_04.camada", {
        "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "P": vazia, "M": np.zeros((n, n)) if M is None else M, **resto
    }  # fmt: skip


def _por_token(rng, n, d, P=None, **resto):
    W, b = _normal(rng, d, 3) * 0.5, _normal(rng, 3) * 0.5
    return "lista_04.por_token", {"W": W, "b": b, "P": np.zeros((n, d)) if P is None else P, **resto}


def _positivos(rng, *forma):
    return rng.uniform(0.2, 1.0, size=forma).round(2)


def _linha_que_vira(rng, n):
    """Uma permutação e uma linha r do meio que vai para outra linha do meio: (perm, r), com r e o seu destino longe
    das pontas."""
    while True:
        perm, r = _perm(rng, n), int(rng.integers(2, n - 1))
        if 2 <= int(np.argsort(perm)[r]) <= n - 2:
            return perm, r


def _porta(rng, n, onde, coluna, v, fechada=False):
    """Os dados de uma porta que só abre (na linha r) antes de embaralhar: a diferença fica toda em uma entrada, na
    linha `onde`. Se está `fechada`, não abre para este X (mas abriria para quase qualquer outro)."""
    perm = _perm(rng, n)
    r = int(perm[onde])
    X = np.concatenate([rng.uniform(-1.0, 1.0, size=(n, 1)), rng.normal(size=(n, 2))], axis=1).round(2)
    X[perm[r], 0] = -4.0
    if fechada:
        X[:, 0] -= 3.5
    vetor = np.zeros(4)
    vetor[coluna] = v
    return {"W": _normal(rng, 3, 4), "linha": r, "v": vetor}, X, perm


def _sorteios(rng):
    """Os feitios de casos: (entre que limites, em relação ao maior |Y|, fica a diferença, função que sorteia)."""

    def cabeca_pura(tipo="float64"):
        n, d = int(rng.integers(5, 8)), 3
        return *_camada(rng, n, d, tipo=tipo), _normal(rng, n, d), _perm(rng, n)

    def enorme():
        n, d = int(rng.integers(5, 8)), 3
        nome, p = _camada(rng, n, d, M=np.full((n, n), 0.3), escala=1e6, tipo="float32")
        p["W_V"] = _positivos(rng, d, 4)
        return nome, p, _positivos(rng, n, d), _perm(rng, n)

    def identidade():
        n, d = int(rng.integers(4, 8)), 3
        return *_camada(rng, n, d, P=_normal(rng, n, d)), _normal(rng, n, d), np.arange(n)

    def roda(comuta):
        n, d = int(rng.integers(5, 8)), 3
        perm = _ciclo(n, int(rng.integers(1, 3))) if comuta else _perm(rng, n)
        return *_camada(rng, n, d, M=_circulante(rng, n)), _normal(rng, n, d), perm

    def posicoes_por_ciclo():
        n, d = 6, 3
        a = rng.permutation(n)  # dois ciclos de três
        perm = np.arange(n)
        perm[a[:3]], perm[a[3:]] = np.roll(a[:3], 1), np.roll(a[3:], 1)
        return *_camada(rng, n, d, P=_constante_nos_ciclos(rng, perm, d)), _normal(rng, n, d), perm

    def no_lugar(comuta):
        n, d = int(rng.integers(4, 8)), 2
        P = None if comuta else _normal(rng, n, d)
        return *_por_token(rng, n, d, P=P, centra=True, no_lugar=True), _normal(rng, n, d), _perm(rng, n)

    def ordem(devolve):
        n, d = int(rng.integers(4, 8)), 3
        p = {"W": _normal(rng, d, 2), "coluna": int(rng.integers(0, d)), "devolve": devolve}
        return "lista_04.ordenada", p, _normal(rng, n, d), _perm(rng, n)

    def uma_linha(comuta):
        n, d = int(rng.integers(5, 8)), 3
        k = int(rng.integers(1, n))
        p = {"W": _normal(rng, d, 2), "linha": k}
        return "lista_04.escolhida", p, _normal(rng, n, d), _perm(rng, n, fixo=k if comuta else None)

    def com_posicoes(escala=1.0):
        n, d = int(rng.integers(4, 8)), 3
        P = _normal(rng, n, d) * 2
        return *_camada(rng, n, d, P=P, escala=escala), _normal(rng, n, d), _perm(rng, n)

    def causal():
        n, d = int(rng.integers(4, 8)), 3
        return *_camada(rng, n, d, causal=True), _normal(rng, n, d), _perm(rng, n)

    def regida():
        """As duas saídas são proporcionais, e mesmo assim diferentes."""
        n, d = int(rng.integers(5, 8)), 3
        return "lista_04.regida", {"W": _normal(rng, d, 2)}, _normal(rng, n, d), _perm(rng, n)

    def so_soma_posicoes(certa=None):
        """X + P, linha a linha; se `certa` é um índice, só essa linha de f(X[perm]) coincide."""
        n, d = int(rng.integers(5, 8)), 3
        P, perm = _normal(rng, n, d), _perm(rng, n)
        while certa is not None and perm[perm[certa]] == certa:  # em um ciclo de dois, a outra coincidiria também
            perm = _perm(rng, n)
        if certa is not None:
            P[certa] = P[perm[certa]]
        return *_por_token(rng, n, d, P=P, tanh=False), _normal(rng, n, d), perm

    def quase():
        """Posições pequenas: diferem por pouco mais de um centésimo."""
        nome, p, X, perm = so_soma_posicoes()
        efeito = np.abs((p["P"][perm] - p["P"]) @ p["W"]).max()
        p["P"] = p["P"] * 0.014 * np.abs(X @ p["W"] + p["b"]).max() / efeito
        return nome, p, X, perm

    def so_o_meio_difere():
        """As linhas 0, 1 e a última coincidem; as outras, que são a maioria, não."""
        n, d = 7, 3
        a, perm = rng.permutation(n), np.arange(n)
        perm[a] = np.roll(a, -1)  # um ciclo só
        P = _normal(rng, n, d)
        for _ in range(3):
            for i in (0, 1, n - 1):
                P[perm[i]] = P[i]
        return *_por_token(rng, n, d, P=P, tanh=False), _normal(rng, n, d), perm

    def uma_entrada(onde, coluna, sinal):
        """f(X[perm]) − f(X)[perm] é zero em toda parte, menos em uma entrada, e ali tem o sinal dado."""
        v = -sinal * round(float(rng.uniform(0.4, 0.9)), 2)
        p, X, perm = _porta(rng, 7, onde, coluna, v)
        return "lista_04.porta", p, X, perm

    def fechada():
        p, X, perm = _porta(rng, 7, int(rng.integers(0, 7)), 1, round(float(rng.uniform(0.6, 0.9)), 2), fechada=True)
        return "lista_04.porta", p, X, perm

    def arredondada(nula):
        """Saídas perto de um milhão; a diferença é minúscula, ou na maior entrada, ou em uma que seria nula."""
        while True:
            p, X, perm = _porta(rng, 7, int(rng.integers(2, 6)), 1, 0.0)
            p["W"], r = p["W"] * 4e5, p["linha"]
            if nula and p["W"][2, 1] == 0:
                continue
            if nula:
                X[r, 2] = -X[r, :2] @ p["W"][:2, 1] / p["W"][2, 1]
            Y = np.abs(X @ p["W"])
            if nula and abs(X[r, 2]) < 2 and Y[:, 0].max() > 1e5:
                p["v"][1] = 5e-7 * Y.max() / (X[r, 0] + 3)
            elif not nula and Y[r].max() == Y.max():
                p["v"][int(Y[r].argmax())] = 6e-6 * Y.max() / (X[r, 0] + 3)
            else:
                continue
            return "lista_04.porta", p, X, perm

    def vira():
        perm, r = _linha_que_vira(rng, 7)
        return "lista_04.vira", {"W": _normal(rng, 3, 4), "linha": r}, _normal(rng, 7, 3), perm

    n_certa = int(rng.integers(2, 4))
    igual, quase_igual, diferente = (0.0, 1e-6), (1e-12, 1e-6), (0.15, np.inf)
    return [
        (igual, cabeca_pura), (quase_igual, lambda: cabeca_pura("float32")), (quase_igual, enorme), (igual, identidade),
        (igual, lambda: roda(True)), (igual, posicoes_por_ciclo), (igual, lambda: no_lugar(True)),
        (igual, lambda: ordem(True)), (igual, lambda: uma_linha(True)),
        (diferente, com_posicoes), (diferente, lambda: com_posicoes(1e-10)), (diferente, causal), (diferente, regida),
        (diferente, lambda: roda(False)), (diferente, lambda: ordem(False)), (diferente, lambda: uma_linha(False)),
        (diferente, so_soma_posicoes), (diferente, lambda: so_soma_posicoes(0)),
        (diferente, lambda: so_soma_posicoes(n_certa)), (diferente, lambda: no_lugar(False)),
        # a partir daqui, o que só se vê comparando todas as entradas, em valor absoluto, com a tolerância prometida
        ((0.011, 0.018), quase), (diferente, so_o_meio_difere), (diferente, vira), (igual, fechada),
        (diferente, lambda: uma_entrada(int(rng.integers(2, 4)), 1, -1)),
        (diferente, lambda: uma_entrada(int(rng.integers(4, 6)), 2, 1)),
        (diferente, lambda: uma_entrada(6, 1, 1)), (diferente, lambda: uma_entrada(0, 2, 1)),
        ((3e-6, 9e-6), lambda: arredondada(False)), ((2e-7, 9e-7), lambda: arredondada(True)),
    ]  # fmt: skip


def _sortear(limites, sortear):
    """Sorteia até a diferença cair entre os limites. Sem ser 0 nos casos de arredondamento: a igualdade exata erraria
    por sorte."""
    while True:
        feito = sortear()
        if limites[0] <= _diferenca(*feito) < limites[1]:
            return feito


def _ocultos_equivariante(rng):
    sorteios = _sorteios(rng)
    casos = []
    for i in rng.permutation(len(sorteios)):
        nome, parametros, X, perm = _sortear(*sorteios[i])
        casos.append(caso(funcao(nome, **parametros), X, perm))
    return casos


def _visiveis_equivariante():
    """Um caso de cada feitio, sorteados uma vez por todas; na ordem em que ensinam."""
    rng = np.random.default_rng(4)
    rotulos = {
        0: "uma cabeça, sem posições",
        9: "uma cabeça, com posições",
        4: "uma função que só comuta com rotações, e uma rotação",
        2: "saídas perto de um milhão, em float32",
        10: "saídas perto de 1e-10",
        14: "uma função que ordena as linhas",
        17: "só a primeira linha coincide",
        12: "tudo vezes um número que depende da primeira linha",
        15: "todas as linhas iguais",
        6: "uma função que escreve no que recebe",
        21: "só a primeira, a segunda e a última linha coincidem",
        24: "só uma entrada difere, e para menos",
        27: "só uma entrada da primeira linha difere",
        26: "só uma entrada da última linha difere",
        22: "uma linha sai com as colunas ao contrário",
        20: "a maior diferença passa pouco de 0,01 c",
        28: "a maior diferença é quase 0,00001 c",
        29: "uma entrada quase nula",
        23: "uma função que não comuta com perm, mas comuta neste X",
    }
    sorteios = _sorteios(rng)
    casos = []
    for i, rotulo in rotulos.items():
        nome, parametros, X, perm = _sortear(*sorteios[i])
        casos.append(caso(funcao(nome, **parametros), X, perm, rotulo=rotulo))
    return casos


equivariante = questao(
    "lista-04/equivariante",
    assinatura="equivariante(f, X, perm)",
    saida="bool",
    referencia=_equivariante,
    casos=[
        caso(
            funcao("lista_04.acumulada", W=np.eye(2)),
            np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]),
            np.array([2, 0, 1]),
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        *_visiveis_equivariante(),
    ],
    ocultos=_ocultos_equivariante,
)


def _perto(Z, Y):
    return bool(np.abs(Z - Y).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "compara-sem-permutar-a-saida",
    "Você comparou f(X[perm]) com f(X): isso pergunta se a ordem não faz diferença alguma (invariância). Na "
    "equivariância, a saída muda de ordem junto com a entrada.",
)
def _(f, X, perm):
    return _perto(f(X[perm]), f(X.copy()))


@equivariante.equivoco(
    "permuta-so-a-saida",
    "Você só permutou a saída: f nunca viu a entrada embaralhada. São dois caminhos: embaralhar e aplicar f, ou "
    "aplicar f e embaralhar.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return _perto(Y[perm], Y)


@equivariante.equivoco(
    "permutacao-inversa",
    "Você recusou funções que comutam: a saída foi permutada para o lado errado. Ou as duas com [perm], ou desfaça com "
    "a inversa, que é np.argsort(perm), e não perm outra vez.",
)
def _(f, X, perm):
    return _perto(f(X[perm])[perm], f(X.copy()))


@equivariante.equivoco(
    "igualdade-exata",
    "Você exigiu igualdade exata. Somar em outra ordem muda o último algarismo: compare a menos de um arredondamento.",
)
def _(f, X, perm):
    return bool((f(X[perm]) == f(X.copy())[perm]).all())


@equivariante.equivoco(
    "allclose-sem-pensar",
    "Com saídas perto de 1e-10, tudo parece igual: a tolerância absoluta do np.allclose (1e-8) é maior que os próprios "
    "números. Meça a diferença em relação ao maior |Y|.",
)
def _(f, X, perm):
    return bool(np.allclose(f(X[perm]), f(X.copy())[perm]))


@equivariante.equivoco(
    "tolerancia-absoluta",
    "Sua tolerância é um número fixo: aceita qualquer coisa quando as saídas são minúsculas e recusa arredondamentos "
    "quando são enormes. Meça a diferença em relação ao maior |Y|.",
)
def _(f, X, perm):
    return bool(np.abs(f(X[perm]) - f(X.copy())[perm]).max() < 1e-5)


@equivariante.equivoco(
    "compara-somas",
    "Você comparou só as somas das colunas. Duas matrizes com a mesma soma podem ter linhas bem diferentes.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return _perto(f(X[perm]).sum(axis=0) / np.abs(Y).max(), Y.sum(axis=0) / np.abs(Y).max() + 1e-9)


@equivariante.equivoco(
    "compara-conjuntos",
    "Você ordenou as saídas antes de comparar: só viu se são os mesmos números. Uma função que ordena as linhas passa "
    "nesse teste, e não comuta. Compare linha com linha.",
)
def _(f, X, perm):
    return _perto(np.sort(f(X[perm]), axis=0), np.sort(f(X.copy()), axis=0))


@equivariante.equivoco(
    "permuta-colunas",
    "Você permutou as colunas de X, e nelas estão as componentes. Os tokens são as linhas: perm tem N índices.",
)
def _(f, X, perm):
    return _perto(f(X[:, perm]), f(X.copy())[:, perm])


@equivariante.equivoco(
    "so-a-primeira-linha",
    "Você comparou só a primeira linha. Ela pode coincidir por acaso: compare todas.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool(np.abs(f(X[perm])[0] - Y[perm[0]]).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "any-em-vez-de-all",
    "Basta uma entrada coincidir para a sua função dizer que sim: há um any onde deveria haver um all.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool((np.abs(f(X[perm]) - Y[perm]) <= 1e-4 * np.abs(Y).max()).any())


@equivariante.equivoco(
    "outra-permutacao",
    "Sua função testa uma permutação escolhida por ela. A pergunta é sobre a perm que chegou: uma função pode comutar "
    "com ela e não com as outras.",
)
def _(f, X, perm):
    inversao = np.arange(len(X))[::-1]
    return _perto(f(X[inversao]), f(X.copy())[inversao])


@equivariante.equivoco(
    "so-a-forma",
    "Sua função diz sempre que sim: a forma das duas saídas é igual em todos os casos. Compare os valores.",
)
def _(f, X, perm):
    return f(X[perm]).shape == f(X.copy())[perm].shape


@equivariante.equivoco(
    "responde-ao-contrario",
    "Suas respostas estão todas trocadas: True quer dizer que os dois caminhos chegam ao mesmo lugar.",
)
def _(f, X, perm):
    return not _equivariante(f, X, perm)


@equivariante.equivoco(
    "um-bool-por-entrada",
    "Você devolveu um array de verdadeiros e falsos, um por entrada. Falta juntar todos em um só.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return np.abs(f(X[perm]) - Y[perm]) <= 1e-4 * np.abs(Y).max()


@equivariante.equivoco(
    "so-uma-coluna",
    "Você não comparou todas as colunas: a diferença pode estar em uma coluna do meio. Compare todas as entradas.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return _perto((f(X[perm]) - Y[perm])[:, 0] / np.abs(Y).max() + 1, np.ones(len(X)))


@equivariante.equivoco(
    "so-algumas-linhas",
    "Você não comparou todas as linhas: as das pontas podem coincidir e as do meio não. Compare todas as entradas.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool(np.abs((f(X[perm]) - Y[perm])[[0, -1]]).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "so-as-duas-primeiras-linhas",
    "Você só comparou o começo: as primeiras linhas podem coincidir e as outras não. Compare todas as entradas.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool(np.abs((f(X[perm]) - Y[perm])[:2]).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "sem-a-primeira-linha",
    "A primeira linha ficou de fora da sua comparação. Veja onde começa o laço, ou a fatia.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool(np.abs((f(X[perm]) - Y[perm])[1:]).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "sem-a-ultima-linha",
    "A última linha ficou de fora da sua comparação. Veja onde termina o laço, ou a fatia.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool(np.abs((f(X[perm]) - Y[perm])[:-1]).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "maioria-das-entradas",
    "Para a sua função basta que a maioria das entradas coincida (há uma média ou uma mediana?). Uma só que difira já "
    "faz a resposta ser False.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool(np.median(np.abs(f(X[perm]) - Y[perm])) <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "resume-cada-linha",
    "Você comparou um número por linha (a soma ou a norma dela). Duas linhas diferentes podem ter a mesma soma e a "
    "mesma norma: compare entrada com entrada.",
)
def _(f, X, perm):
    Y, Z = f(X.copy())[perm], f(X[perm])
    normas = np.linalg.norm(Z, axis=1) - np.linalg.norm(Y, axis=1)
    return bool(np.abs(normas).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "sem-valor-absoluto",
    "Você tomou o máximo da diferença com sinal: uma diferença negativa, por maior que seja, passa por pequena. Falta "
    "o valor absoluto.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool((f(X[perm]) - Y[perm]).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "sem-valor-absoluto-ao-contrario",
    "Você tomou o máximo da diferença com sinal: uma diferença negativa, por maior que seja, passa por pequena. Falta "
    "o valor absoluto.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool((Y[perm] - f(X[perm])).max() <= 1e-4 * np.abs(Y).max())


@equivariante.equivoco(
    "tolerancia-larga",
    "Sua tolerância é larga demais: passou por igual uma diferença maior que um centésimo do maior |Y|. O enunciado "
    "diz entre que números ela deve ficar.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool(np.abs(f(X[perm]) - Y[perm]).max() <= 0.1 * np.abs(Y).max())


@equivariante.equivoco(
    "tolerancia-apertada",
    "Sua tolerância é apertada demais: recusou uma diferença menor que 0,00001 do maior |Y|, que conta como igual. O "
    "enunciado diz entre que números ela deve ficar.",
)
def _(f, X, perm):
    Y = f(X.copy())
    return bool(np.abs(f(X[perm]) - Y[perm]).max() <= 1e-6 * np.abs(Y).max())


@equivariante.equivoco(
    "relativa-a-cada-entrada",
    "Você mediu cada diferença em relação à própria entrada: quando a entrada é quase nula, um arredondamento parece "
    "enorme. A medida é uma só, o maior |Y|.",
)
def _(f, X, perm):
    return bool(np.allclose(f(X[perm]), f(X.copy())[perm], rtol=1e-4, atol=0))


@equivariante.equivoco(
    "outro-X",
    "Sua função sorteia um X seu e testa nele. A pergunta é sobre o X que chegou: uma função pode comutar nele e não "
    "em outros.",
)
def _(f, X, perm):
    outro = np.random.default_rng(0).normal(size=X.shape)
    return _perto(f(outro[perm]), f(outro.copy())[perm])


@equivariante.equivoco(
    "altera-a-entrada",
    "Sua função deixou X mudado. Há funções f que escrevem no que recebem: dê a elas uma cópia.",
)
def _(f, X, perm):
    return _perto(f(X[perm]), f(X)[perm])


@equivariante.alternativa("com-a-inversa")
def _(f, X, perm):
    Y = f(np.array(X))
    de_volta = f(X[perm])[np.argsort(perm)]
    return np.max(np.abs(de_volta - Y)) < 1e-3 * np.max(np.abs(Y))


@equivariante.alternativa("com-matriz-de-permutacao")
def _(f, X, perm):
    P = np.eye(len(X))[perm]
    Y = f(X.copy())
    return bool(np.linalg.norm(f(P @ X) - P @ Y) <= 1e-4 * np.linalg.norm(Y))


@equivariante.alternativa("com-lacos")
def _(f, X, perm):
    embaralhada = np.array([X[p] for p in perm])
    Y, Z = f(X.copy()), f(embaralhada)
    tamanho = max(abs(float(v)) for linha in Y for v in linha)
    for n, p in enumerate(perm):
        for a, b in zip(Z[n], Y[p], strict=True):
            if abs(float(a) - float(b)) > 1e-4 * tamanho:
                return False
    return True


@equivariante.alternativa("allclose-com-escala")
def _(f, X, perm):
    Y = f(X.copy())
    c = np.abs(Y).max()
    return np.allclose(f(X[perm]) / c, Y[perm] / c, atol=1e-4)


@equivariante.alternativa("com-torch")
def _(f, X, perm):
    Y, Z = torch.as_tensor(f(X.copy())), torch.as_tensor(f(X[perm]))
    return bool((Z - Y[torch.as_tensor(perm)]).abs().max() <= 1e-4 * Y.abs().max())
