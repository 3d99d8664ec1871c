"""A questão `similaridades` da lista 01."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch  # noqa: F401 (usado nas tabelas)
from gabarito.lista_01.comum import RATO, produto_escalar


def similaridades(X):
    return X @ X.T  # (N, d) @ (d, N) -> (N, N)


def _com_sinais(rng, N, d):
    """Uma matriz (N, d) com certeza de haver produtos positivos e negativos fora da diagonal."""
    X = np.round(rng.normal(size=(N, d)), 2)
    X[-1] = -X[0] + np.round(rng.uniform(0.05, 0.15, size=d), 2)
    X[0] += 0.75 * np.sign(X[0]) + 0.01  # nenhum comprimento perto de 1
    return X


def _miudos(rng, d):
    """Dois tokens pequenos, com produto de 0,0002 e mais uns milionésimos, e dois quaisquer: uma matriz (4, d)."""
    X = np.round(rng.normal(size=(4, d)), 3)
    X[0], X[2] = 0.0, 0.0
    X[0, :2] = 0.01, 0.005
    X[2, :2] = 0.02, 0.001 * int(rng.choice([3, 5, 7, 9]))
    return X[rng.permutation(4)]


def ocultos(rng):
    N = int(rng.integers(5, 8))
    return [
        caso(_com_sinais(rng, N, 3), rotulo="mais tokens do que dimensões"),
        caso(_com_sinais(rng, 3, 6), rotulo="mais dimensões do que tokens"),
        caso(_com_sinais(rng, 4, 4), rotulo="N = d"),
        caso(_com_sinais(rng, 6, 2), rotulo="no plano"),
        caso(np.round(rng.normal(size=(1, 3)) + 2, 2), rotulo="um token só"),
        caso(rng.integers(-9, 10, size=(4, 3)) / 4 + 0.125, rotulo="quartos"),
        caso(_miudos(rng, 3), rotulo="a mesma forma, com tokens pequenos"),
        caso(_com_sinais(rng, N, 1), rotulo="uma dimensão só"),
        caso(_com_sinais(rng, 3, 12), rotulo="doze dimensões"),
        caso(_com_sinais(rng, 12, 5), rotulo="doze tokens"),
        caso(np.round(rng.uniform(1.5, 3, size=(1, 1)), 2), rotulo="um token, uma dimensão"),
    ]


q = questao(
    "lista-01/similaridades",
    assinatura="similaridades(X)",
    saida="array",
    referencia=similaridades,
    propriedades=["simetrica"],
    casos=[
        caso(np.array([[1.0, 2.0], [3.0, 0.0], [-1.0, 1.0]]), rotulo="o exemplo do enunciado", claro=True),
        caso(RATO, rotulo="a frase do rato"),
        caso(
            np.array([[0.7, -0.3, 1.1], [-0.4, 0.9, 0.2], [1.3, 0.5, -0.6], [0.1, -1.2, 0.8]]),
            rotulo="4 tokens, 3 dimensões",
        ),
        caso(
            np.array([[1.5, -0.4, 0.2, 0.9, -1.1, 0.6, -0.8, 0.1], [0.3, 0.8, -0.7, 0.6, 1.2, -0.5, 0.4, 0.9]]),
            rotulo="2 tokens, 8 dimensões",
        ),
        caso(
            np.array([[1.5, -0.4, 0.2], [0.3, 0.8, -0.7], [-0.9, 0.6, 1.2]]),
            rotulo="3 tokens, 3 dimensões",
        ),
        caso(np.array([[0.5, -2.0, 1.5, 0.5]]), rotulo="um token só"),
        caso(
            np.array([[0.01, 0.003, 0.002], [0.02, 0.005, -0.001], [-0.125, 1.375, 0.25], [0.625, -0.375, 1.125]]),
            rotulo="outros 4 tokens, 3 dimensões, dois deles pequenos",
        ),
        caso(np.array([[1.5], [-2.0], [0.25]]), rotulo="uma dimensão só"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
transposta-trocada: X.T @ X
    Sua saída é d×d: você comparou dimensões com dimensões. Para comparar tokens com tokens (N×N), é o outro fator que
    leva a transposta. Veja a Dica 1.
falta-a-transposta: X @ X
    A multiplicação X por X não casa as formas: (N, d) com (N, d). Um dos fatores tem de ser transposto. Veja a Dica 1.
elemento-a-elemento: X * X
    Você elevou cada entrada ao quadrado: o `*` multiplica entrada por entrada. O produto de matrizes é outra operação.
    Veja a Dica 2.
sem-a-soma: X[:, None, :] * X[None, :, :]
    Sua saída tem três eixos, (N, N, d): os produtos estão lá, mas falta somar sobre as dimensões.
soma-no-eixo-errado: (X[:, None, :] * X[None, :, :]).sum(axis=1)
    Você somou sobre os tokens e sobraram as dimensões: (N, d). Some sobre o eixo das dimensões, para sobrar (N, N).
cosseno: return X @ X.T → n = np.linalg.norm(X, axis=1, keepdims=True)⏎return (X / n) @ (X / n).T
    Isso é a matriz de cossenos (a diagonal ficou toda em 1). Aqui ainda não se divide pelos comprimentos.
distancias: np.linalg.norm(X[:, None, :] - X[None, :, :], axis=-1)
    Isso é a matriz de distâncias (zero na diagonal). O pedido é o produto escalar entre os tokens.
diagonal-zerada: return X @ X.T → S = X @ X.T⏎np.fill_diagonal(S, 0)⏎return S
    Você zerou a diagonal. Cada token também tem produto escalar com ele mesmo: o quadrado do seu comprimento.
diagonal-de-uns: return X @ X.T → S = X @ X.T⏎np.fill_diagonal(S, 1)⏎return S
    Você pôs 1 na diagonal. Isso só valeria para o cosseno; o produto de um token com ele mesmo é o quadrado do
    comprimento.
so-o-triangulo-de-cima: np.triu(X @ X.T)
    Só metade da matriz está preenchida. A entrada (m, n) também existe, e é igual à (n, m).
so-o-triangulo-de-baixo: np.tril(X @ X.T)
    A metade de cima ficou em zero. Nada de máscara por enquanto: a entrada (n, m) também existe para m maior que n.
ja-com-escala: X @ X.T / np.sqrt(X.shape[1])
    Você dividiu pela raiz de d. Essa escala só chega na aula 03; aqui é o produto puro.
media-sobre-d: X @ X.T / X.shape[1]
    Seus valores saíram divididos por d: você tirou a média no lugar da soma.
ja-com-softmax: return X @ X.T → e = np.exp(X @ X.T)⏎return e / e.sum(axis=1, keepdims=True)
    Suas linhas somam 1: você já aplicou a softmax. Ela é da próxima aula; aqui ficam os produtos como são.
valor-absoluto: np.abs(X @ X.T)
    Os sinais negativos sumiram. Um produto negativo diz que os dois tokens se opõem: guarde o sinal.
negativos-viram-zero: np.maximum(X @ X.T, 0)
    Os produtos negativos viraram zero. Guarde-os: token oposto não é o mesmo que token sem relação.
so-a-diagonal: (X * X).sum(axis=1)
    Sua saída só tem cada token com ele mesmo, (N,). Falta comparar cada um com todos os outros. Veja a Dica 3.
so-o-primeiro-token: X @ X[0]
    Sua saída é uma linha só: o primeiro token com todos. Faça o mesmo para cada token. Veja a Dica 3.
dividida-pelo-maximo: return X @ X.T → S = X @ X.T⏎return S / S.max()
    Você dividiu tudo pelo maior valor. Não há normalização nesta questão.
arredonda: np.round(X @ X.T, 2)
    Seus valores saíram arredondados para duas casas, e os produtos pequenos viraram 0. Devolva-os como são.
perde-o-eixo-com-um-token: np.squeeze(X @ X.T)
    Com um token só, sua saída virou um número solto. Ela é sempre uma matriz (N, N); com N = 1, de forma (1, 1).
altera-a-entrada: return X @ X.T → X /= np.linalg.norm(X, axis=1, keepdims=True)⏎return X @ X.T
    Sua função escreve em X (normalizou no lugar?). Quem chama continua a usar X: trabalhe numa cópia.
so-a-primeira-linha: return X @ X.T → S = np.zeros((len(X), len(X)))⏎S[0] = X @ X[0]⏎return S
    Só a primeira linha da matriz foi preenchida; o resto ficou em zero. O return está dentro do laço?
sempre-consigo-mesmo: np.repeat((X * X).sum(axis=1, keepdims=True), len(X), axis=1)
    Cada linha repete um número só, o produto do token n com ele mesmo. Na entrada (n, m), o outro fator é o token m:
    confira os dois índices.
asterisco-com-a-transposta: X * X.T
    As formas de X e de Xᵀ não se encaixam com `*`, que multiplica elemento por elemento. O produto de matrizes é `@`.
""")


@q.alternativa
def dois_lacos(X):
    N = len(X)
    S = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            S[n, m] = produto_escalar(X[n], X[m])
    return S


@q.alternativa
def soma_de_produtos_externos(X):
    return sum(np.outer(coluna, coluna) for coluna in X.T)  # uma matriz (N, N) para cada dimensão


@q.alternativa
def metade_e_espelho(X):
    N = len(X)
    S = np.zeros((N, N))
    for n in range(N):
        for m in range(n, N):
            S[n, m] = S[m, n] = float(X[n] @ X[m])
    return S


q.alternativas_curtas("""
einsum: np.einsum("nd,md->nm", X, X)
espalhar-e-somar: (X[:, None, :] * X[None, :, :]).sum(axis=-1)
com-torch: return X @ X.T → Xt = torch.tensor(X)⏎return Xt @ Xt.T
torch-float32: return X @ X.T → Xt = torch.tensor(X, dtype=torch.float32)⏎return torch.einsum("nd,md->nm", Xt, Xt)
inner-em-float32: np.inner(X.astype(np.float32), X.astype(np.float32))
""")


@q.equivoco
def range_3(X):
    """Seus laços param sempre no token 3, que é o tamanho do exemplo. Aqui N muda: tire-o da forma de X."""
    S = np.zeros((len(X), len(X)))
    for n in range(3):
        for m in range(3):
            S[n, m] = X[n] @ X[m]
    return S


@q.equivoco
def matriz_3_por_3(X):
    """Sua matriz é sempre (3, 3), que é o tamanho do exemplo. Aqui N muda: tire-o da forma de X."""
    S = np.zeros((3, 3))
    for n in range(3):
        for m in range(3):
            S[n, m] = X[n] @ X[m]
    return S


@q.equivoco
def so_duas_dimensoes(X):
    """Sua soma só tem duas parcelas, que é o d do exemplo. Aqui d muda: some sobre todas as colunas de X."""
    S = np.zeros((len(X), len(X)))
    for n in range(len(X)):
        for m in range(len(X)):
            for i in range(2):
                S[n, m] += X[n, i] * X[m, i]
    return S


@q.equivoco
def nasce_com_a_forma_de_X(X):
    """A matriz nasceu com a forma de X, (N, d). O resultado tem uma linha e uma coluna para cada token: (N, N)."""
    S = np.zeros_like(X)
    for n in range(len(X)):
        for m in range(len(X)):
            S[n, m] = X[n] @ X[m]
    return S
