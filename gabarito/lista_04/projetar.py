"""A questão `projetar` da lista 04."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_04.comum import (
    WK1,
    WK2,
    WK3,
    WQ1,
    WQ2,
    WQ3,
    WV1,
    WV2,
    WV3,
    X1,
    X2,
    X3,
    normal,
    softmax,  # noqa: F401 (usado nas tabelas)
    tamanhos,
)

# As mesmas formas, com mais casas decimais: o produto não cabe em três casas, nem é o da vez anterior.
_X2b = (X2[::-1] * 0.37).round(3)
_WQ2b, _WK2b, _WV2b = ((W[::-1] * 0.61).round(3) for W in (WK2, WQ2, WV2))


def projetar(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def ocultos(rng):
    casos = []
    for _ in range(5):
        n, d, d_k, d_v = tamanhos(rng, 4)
        casos.append(caso(normal(rng, n, d), normal(rng, d, d_k), normal(rng, d, d_k), normal(rng, d, d_v)))
    casos.append(caso(*(normal(rng, 4, 4) for _ in range(4))))
    casos.append(caso(normal(rng, 1, 3), normal(rng, 3, 5), normal(rng, 3, 5), normal(rng, 3, 2)))
    for _ in range(2):  # as mesmas formas, outros números; e tudo o que pode ter largura 1
        casos.append(caso(normal(rng, 5, 4), normal(rng, 4, 3), normal(rng, 4, 3), normal(rng, 4, 2)))
        casos.append(caso(normal(rng, 4, 3), normal(rng, 3, 1), normal(rng, 3, 1), normal(rng, 3, 1)))
    casos.append(caso(normal(rng, 3, 1), normal(rng, 1, 2), normal(rng, 1, 2), normal(rng, 1, 4)))
    return casos


q = questao(
    "lista-04/projetar",
    assinatura="projetar(X, W_Q, W_K, W_V)",
    saida=[("Q", "array"), ("K", "array"), ("V", "array")],
    referencia=projetar,
    casos=[
        caso(X1, WQ1, WK1, WV1, claro=True, rotulo="o exemplo do enunciado"),
        caso(X2, WQ2, WK2, WV2, rotulo="5 tokens, d = 4, d_k = 3, d_v = 2"),
        caso(X3, WQ3, WK3, WV3, rotulo="tudo 3 × 3"),
        caso(X2[:1], WQ2, WK2, WV2, rotulo="um token só"),
        caso(_X2b, _WQ2b, _WK2b, _WV2b, rotulo="as mesmas formas, outros números"),
        caso(X2[1:4], WQ2[:, :1], WK2[:, :1], WV2[:, :1], rotulo="d_k = 1 e d_v = 1"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
troca-Q-e-K: X @ W_K, X @ W_Q, X @ W_V
    Q e K saíram trocadas: a primeira saída é a das consultas, feita com W_Q; a segunda é a das chaves, com W_K.
troca-K-e-V: X @ W_Q, X @ W_V, X @ W_K
    K e V saíram trocadas: a ordem é consultas, chaves, valores. Repare nas larguras: K tem d_k colunas e V tem d_v.
W-transposta: X @ W_Q.T, X @ W_K.T, X @ W_V.T
    Você multiplicou por Wᵀ. Aqui W já tem forma (d, d_k): as d componentes do token encontram as d linhas de W, sem
    transpor. Quem guarda W deitada é a camada linear do PyTorch. Veja a Dica 1.
W-antes-de-X: W_Q @ X, W_K @ X, W_V @ X
    Você fez W X. Como cada token é uma linha de X (N, d), a matriz W (d, d_k) entra pela direita.
so-W_Q: return X @ W_Q, X @ W_K, X @ W_V → Q = X @ W_Q⏎return Q, Q.copy(), Q.copy()
    Q está certa, mas K e V saíram dela ou com ela: cada uma das três saídas usa a sua própria matriz.
encadeia: return X @ W_Q, X @ W_K, X @ W_V → Q = X @ W_Q⏎K = Q @ W_K⏎return Q, K, K @ W_V
    A segunda projeção foi feita do resultado da primeira, e não de X. Você guardou Q em uma variável chamada X? As três
    projeções saem do mesmo token. Veja a Dica 3.
V-sem-projetar: X @ W_Q, X @ W_K, X.copy()
    Q e K estão certas, mas V é o próprio X. O token também passa por W_V antes de entregar alguma coisa.
escala-antes-da-hora: X @ W_Q / np.sqrt(W_Q.shape[1]), X @ W_K, X @ W_V
    Q saiu dividida por √d_k. A escala é das pontuações, na próxima questão; aqui são só três produtos de matrizes.
tokens-em-colunas: (X @ W_Q).T, (X @ W_K).T, (X @ W_V).T
    Cada token virou uma coluna: as saídas estão transpostas. Aqui um token é sempre uma linha, antes e depois.
tudo-em-um-array: np.concatenate([X @ W_Q, X @ W_K, X @ W_V], axis=1)
    Você devolveu as três juntas em um array só. Pedem-se três arrays, separados por vírgulas no return.
asterisco: X * W_Q, X * W_K, X * W_V
    Em NumPy, `*` multiplica elemento por elemento. O produto de matrizes é `@`. Veja a Dica 2.
com-softmax: softmax(X @ W_Q), softmax(X @ W_K), softmax(X @ W_V)
    As linhas das saídas somam 1: há uma softmax aqui. As projeções são só produtos de matrizes; ela vem depois, nas
    pontuações.
arredonda: np.round(X @ W_Q, 3), np.round(X @ W_K, 3), np.round(X @ W_V, 3)
    Suas saídas foram arredondadas. Arredonde só ao mostrar na tela: o que se devolve são as contas inteiras.
perde-eixo-de-tamanho-1: (X @ W_Q).squeeze(), (X @ W_K).squeeze(), (X @ W_V).squeeze()
    Um eixo de tamanho 1 sumiu da saída: olhe para o squeeze (ou o ravel). Com um token, ou com uma coluna, ela continua
    a ser uma matriz.
K-com-W_Q: X @ W_Q, X @ W_Q, X @ W_V
    K saiu igual a Q: foi feita com W_Q (ou é a própria Q que voltou). As chaves usam W_K.
V-com-W_K: X @ W_Q, X @ W_K, X @ W_K
    V saiu igual a K: foi feita com W_K (ou é a própria K que voltou). Os valores usam W_V.
ordem-invertida: X @ W_V, X @ W_K, X @ W_Q
    As três saíram na ordem inversa. A ordem é consultas, chaves, valores: (Q, K, V).
V-a-partir-de-K: return X @ W_Q, X @ W_K, X @ W_V → K = X @ W_K⏎return X @ W_Q, K, K @ W_V
    V foi feita a partir de K, e não de X. As três projeções saem do mesmo token: o produto é de X por W_V.
X-transposta: X.T @ W_Q, X.T @ W_K, X.T @ W_V
    Você transpôs X. Cada token já é uma linha: as d componentes dele, em (N, d), encontram as d linhas de W.
""")


@q.alternativa
def com_lacos(X, W_Q, W_K, W_V):
    saidas = []
    for W in (W_Q, W_K, W_V):
        Y = np.zeros((len(X), W.shape[1]))
        for n, x in enumerate(X):
            for j in range(W.shape[1]):
                Y[n, j] = sum(x[d] * W[d, j] for d in range(len(x)))
        saidas.append(Y)
    return tuple(saidas)


@q.alternativa
def um_produto_so(X, W_Q, W_K, W_V):
    d_k = W_Q.shape[1]
    tudo = X @ np.concatenate([W_Q, W_K, W_V], axis=1)
    return tudo[:, :d_k], tudo[:, d_k : 2 * d_k], tudo[:, 2 * d_k :]


@q.alternativa
def com_torch_float32(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (torch.tensor(a, dtype=torch.float32) for a in (X, W_Q, W_K, W_V))
    return X @ W_Q, X @ W_K, X @ W_V


@q.alternativa
def linear_do_torch(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (torch.from_numpy(a) for a in (X, W_Q, W_K, W_V))
    return tuple(torch.nn.functional.linear(X, W.T) for W in (W_Q, W_K, W_V))


q.alternativas_curtas("""
com-einsum: [np.einsum("nd,dk->nk", X, W) for W in (W_Q, W_K, W_V)]
duas-transpostas: (W_Q.T @ X.T).T, (W_K.T @ X.T).T, (W_V.T @ X.T).T
""")
