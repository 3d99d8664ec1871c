"""A questão `atencao_cruzada` da lista 04."""

import math

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_04.cabeca import cabeca  # noqa: F401 (usado nas tabelas)
from gabarito.lista_04.comum import (
    WK1,
    WK2,
    WK3,
    WK4,
    WQ1,
    WQ2,
    WQ3,
    WQ4,
    WV1,
    WV2,
    WV3,
    WV4,
    X1,
    X2,
    X3,
    X4,
    atencao_escalada,  # noqa: F401 (usado nas tabelas)
    grande,
    normal,
    softmax,
    sortear_pesos,
    tamanhos,
)

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


def atencao_cruzada(X, C, W_Q, W_K, W_V):
    K = C @ W_K
    A = softmax((X @ W_Q) @ K.T / np.sqrt(K.shape[1]))
    return A @ (C @ W_V), A


def ocultos(rng):
    casos = []
    for _ in range(4):
        n, m, d, d_k, d_v = tamanhos(rng, 5)
        casos.append(caso(normal(rng, n, d), normal(rng, m, d), *sortear_pesos(rng, d, d_k, d_v)))
    casos.append(caso(normal(rng, 5, 3), normal(rng, 5, 3), *sortear_pesos(rng, 3, 4, 2)))
    casos.append(caso(normal(rng, 4, 4), normal(rng, 4, 4), *sortear_pesos(rng, 4, 4, 4)))
    X, W_Q, W_K, W_V = grande(rng, 7)
    casos.append(caso(X[:4], X[4:], W_Q, W_K, W_V, parte="limites"))
    W_Q, (_, W_K, W_V) = sortear_pesos(rng, 5, 3, 2)[0], sortear_pesos(rng, 4, 3, 6)
    casos.append(caso(normal(rng, 2, 5), normal(rng, 7, 4), W_Q, W_K, W_V, parte="limites"))
    casos.append(caso(normal(rng, 3, 4), normal(rng, 1, 4), *sortear_pesos(rng, 4, 5, 2)))
    casos.append(caso(normal(rng, 5, 3), normal(rng, 4, 3), *sortear_pesos(rng, 3, 1, 1)))
    casos.append(caso(normal(rng, 1, 4), normal(rng, 6, 4), *sortear_pesos(rng, 4, 3, 2)))
    return casos


q = questao(
    "lista-04/atencao_cruzada",
    assinatura="atencao_cruzada(X, C, W_Q, W_K, W_V)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=atencao_cruzada,
    casos=[
        caso(X1, _C1, WQ1, WK1 / 4, WV1, claro=True, rotulo="o exemplo do enunciado"),
        caso(X3, _C3, WQ3, WK3, WV3, rotulo="tudo 3 × 3"),
        caso(X2, _C2, WQ2, WK2, WV2, rotulo="5 consultas, 3 chaves"),
        caso(X2, _C2b, WQ2, WK2, WV2, rotulo="tantas consultas quanto chaves"),
        caso(X4[:4], _C4, WQ4, WK4, WV4, rotulo="pontuações perto de 2048", parte="limites"),
        caso(X2[:3], _C5, WQ2, _WK5, _WV5, rotulo="C com outra largura", parte="limites"),
        caso(X2[:1], _C2, WQ2, WK2, WV2, rotulo="uma consulta só"),
        caso(X2[:4], _C2[:1], WQ2, WK2, WV2, rotulo="um token só em C"),
        caso(X2[:4], _C2, WQ2[:, :1], WK2[:, :1], WV2[:, :1], rotulo="d_k = 1 e d_v = 1"),
    ],
    ocultos=ocultos,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
    partes={"contas": 0.75, "limites": 0.25},
)

q.equivocos_curtos("""
papeis-trocados: C @ W_K → X @ W_K
        X @ W_Q → C @ W_Q
        C @ W_V → X @ W_V
    X e C trocaram de papel: saiu uma linha para cada token de C. Quem pergunta é X; quem responde, com chaves e
    valores, é C. Veja a Dica 1.
ignora-C: cabeca(X, W_Q, W_K, W_V)
    Isto é a autoatenção de X: C não está sendo usada. As chaves e os valores vêm de C. Veja a Dica 1.
ignora-X: cabeca(C, W_Q, W_K, W_V)
    Isto é a autoatenção de C: X não está sendo usada. As consultas vêm de X.
chaves-de-X: C @ W_K → X @ W_K
    As chaves foram feitas de X. Quem oferece as chaves é C: A deve ter uma coluna para cada token de C. Veja a Dica 2.
valores-de-X: C @ W_V → X @ W_V
    As pontuações estão certas, mas os valores foram feitos de X. Quem foi encontrado é que entrega: os valores vêm de
    C. Veja a Dica 2.
consultas-de-C: X @ W_Q → C @ W_Q
        C @ W_V → X @ W_V
    As consultas foram feitas de C, e os valores misturados são os de X. Só as consultas vêm de X; chaves e valores, de
    C.
sem-escala: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (C @ W_K).T
    Falta dividir as pontuações por √d_k antes da softmax.
escala-raiz-d: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (C @ W_K).T / np.sqrt(X.shape[1])
    Você dividiu pela raiz do número de colunas de X (ou de C). A raiz é de d_k, a largura das consultas e das chaves.
escala-raiz-d-de-C: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (C @ W_K).T / np.sqrt(C.shape[1])
    Você dividiu pela raiz do número de colunas de X (ou de C). A raiz é de d_k, a largura das consultas e das chaves.
escala-raiz-M: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (C @ W_K).T / np.sqrt(len(C))
    Você dividiu por √M, a raiz do número de chaves (len(K) conta linhas). A raiz é de d_k.
normaliza-colunas: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1]), 0
    As colunas de A somam 1, e são as linhas que deveriam somar 1. Ou a softmax correu no outro eixo, ou as pontuações
    são KQᵀ e A foi transposta depois.
sem-softmax: A = softmax((X @ W_Q) @ K.T / np.sqrt(K.shape[1])) → S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1])
        A @ (C @ W_V), A → S @ (C @ W_V), S
    Em A estão as pontuações. Elas ainda não são pesos: falta a softmax em cada linha.
ordem-trocada: return A @ (C @ W_V), A → Y, A = A @ (C @ W_V), A⏎return A, Y
    Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, d_v), depois A (N, M).
sem-maximo: K = C @ W_K → E = np.exp((X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1]))
        softmax((X @ W_Q) @ K.T / np.sqrt(K.shape[1])) → E / E.sum(axis=1, keepdims=True)
    Com pontuações na casa dos milhares a exponencial estourou e apareceu NaN. Subtraia o máximo de cada linha.
A-transposta: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (C @ W_K) @ (X @ W_Q).T / np.sqrt(W_K.shape[1])
    As pontuações são KQᵀ: saiu uma linha para cada chave. Cada linha de A deve ser de uma consulta, (N, M).
K-sem-transpor: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (C @ W_K) / np.sqrt(W_K.shape[1])
    As pontuações são Q K, sem transpor K. Para comparar cada consulta com cada chave, as d_k componentes têm de se
    encontrar: (N, d_k) por (d_k, M).
escala-dk: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (C @ W_K).T / W_K.shape[1]
    As pontuações foram divididas por d_k inteiro. Falta a raiz (ou ela entrou duas vezes).
escala-raiz-dv: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_V.shape[1])
    Você dividiu por √d_v, a largura dos valores. Quem entra no produto escalar são consultas e chaves: a raiz é de d_k.
chaves-com-W_Q: K = C @ W_K → K = C @ W_Q
    As chaves foram feitas com W_Q. Cada projeção usa a sua matriz: as chaves são C por W_K.
escala-depois-da-softmax: @ K.T / np.sqrt(K.shape[1])) → @ K.T) / np.sqrt(K.shape[1])
    As linhas de A somam 1/√d_k: a divisão veio depois da softmax. Divida as pontuações, antes dela.
W-transposta: C @ W_K → C @ W_K.T
        X @ W_Q → X @ W_Q.T
        C @ W_V → C @ W_V.T
    Você multiplicou por Wᵀ. Aqui W já tem forma (d, d_k): entra pela direita, sem transpor.
esconde-o-futuro:
        K = C @ W_K → K = C @ W_K⏎M = np.tri(len(X), len(C), dtype=bool)
        (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → np.where(M, (X @ W_Q) @ K.T / np.sqrt(K.shape[1]), -np.inf)
    A parte de cima de A é zero: você pôs uma máscara causal. Ela só vem na aula 06; aqui X olha para todos os tokens de
    C.
sem-escala-e-colunas: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ K.T, 0
    São dois erros: as colunas de A somam 1, e são as linhas que deveriam somar 1; e falta dividir as pontuações por
    √d_k.
sem-escala-e-ordem-trocada: (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ K.T
        return A @ (C @ W_V), A → return A, A @ (C @ W_V)
    São dois erros: a ordem é Y e depois A; e falta dividir as pontuações por √d_k.
sem-escala-e-papeis-trocados: C @ W_K → X @ W_K
        (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → (C @ W_Q) @ K.T
        C @ W_V → X @ W_V
    São dois erros: X e C trocaram de papel (quem pergunta é X, quem responde é C); e falta dividir as pontuações por
    √d_k.
soma-a-entrada: return A @ (C @ W_V), A → return X + A @ (C @ W_V), A
    Você somou X à saída. Essa conexão residual vem na aula 07; aqui Y é só a mistura dos valores de C.
so-Y: atencao_cruzada(X, C, W_Q, W_K, W_V)[0]
    Veio só Y. Devolva os dois, nesta ordem: a saída Y e os pesos A.
softmax-so-em-Q: softmax((X @ W_Q) @ K.T / np.sqrt(K.shape[1])) → softmax(X @ W_Q / np.sqrt(K.shape[1])) @ K.T
    A softmax foi aplicada a Q, antes do produto com K. Ela vem depois, nas pontuações Q @ K.T / √d_k.
projetar-X-com-as-tres: K = C @ W_K → X @ W_K⏎K = C @ W_K
    Aqui X foi multiplicada por W_K (projetar faz as três contas), e, quando C tem outra largura, as formas não se
    encaixam. Faça só X @ W_Q, C @ W_K e C @ W_V.
projetar-C-com-as-tres: K = C @ W_K → C @ W_Q⏎K = C @ W_K
    Aqui C foi multiplicada por W_Q (projetar faz as três contas), e, quando C tem outra largura, as formas não se
    encaixam. Faça só X @ W_Q, C @ W_K e C @ W_V.
junta-X-e-C: atencao_cruzada(X, np.concatenate([X, C]), W_Q, W_K, W_V)
    A tem N + M colunas: X foi parar também entre as chaves. Na atenção cruzada, X só pergunta; só C responde.
mistura-C: A @ (C @ W_V), A → A @ C, A
    A está certa, mas Y é A C: os tokens de C foram misturados sem passar por W_V.
mistura-K: A @ (C @ W_V), A → A @ K, A
    A está certa, mas Y é A K (V foi feita com W_K?). A chave serve para ser encontrada; o que se entrega é o valor.
Y-com-A-transposta: A @ (C @ W_V), A → A.T @ (C @ W_V), A
    A está certa, mas Y foi feita com Aᵀ. A linha n de Y é a média dos valores de C com os pesos da linha n de A.
""")


@q.equivoco
def softmax_global(X, C, W_Q, W_K, W_V):
    """A matriz A inteira soma 1. Cada consulta tem o seu próprio orçamento: é cada linha que soma 1."""
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1])
    A = np.exp(S - S.max())
    A = A / A.sum()
    return A @ (C @ W_V), A


@q.equivoco
def sem_keepdims(X, C, W_Q, W_K, W_V):
    """Falta keepdims=True na soma da softmax: a soma da linha n tem de dividir a linha n, e não a coluna n."""
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1)
    return A @ (C @ W_V), A


@q.alternativa
def com_lacos(X, C, W_Q, W_K, W_V):
    A, Y = np.zeros((len(X), len(C))), np.zeros((len(X), W_V.shape[1]))
    for n, x in enumerate(X):
        pontos = np.array([(x @ W_Q) @ (c @ W_K) for c in C]) / math.sqrt(W_K.shape[1])
        pesos = np.exp(pontos - pontos.max())
        A[n] = pesos / pesos.sum()
        for peso, c in zip(A[n], C, strict=True):
            Y[n] += peso * (c @ W_V)
    return Y, A


@q.alternativa
def atencao_do_torch(X, C, W_Q, W_K, W_V):
    X, C, W_Q, W_K, W_V = (torch.from_numpy(a) for a in (X, C, W_Q, W_K, W_V))
    Q, K = X @ W_Q, C @ W_K
    Y = torch.nn.functional.scaled_dot_product_attention(Q, K, C @ W_V)
    return Y, torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)


@q.alternativa
def com_torch_float32(X, C, W_Q, W_K, W_V):
    X, C, W_Q, W_K, W_V = (torch.tensor(a, dtype=torch.float32) for a in (X, C, W_Q, W_K, W_V))
    A = torch.softmax((X @ W_Q) @ (C @ W_K).T / math.sqrt(W_K.shape[1]), dim=-1)
    return A @ (C @ W_V), A


@q.alternativa
def normaliza_no_fim(X, C, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_Q.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    soma = E.sum(axis=1, keepdims=True)
    return (E @ C @ W_V) / soma, E / soma


q.alternativas_curtas("""
com-a-da-lista-03: atencao_escalada(X @ W_Q, C @ W_K, C @ W_V)
com-einsum: K = C @ W_K → S = np.einsum("nk,mk->nm", X @ W_Q, C @ W_K) * W_K.shape[1] ** -0.5
        (X @ W_Q) @ K.T / np.sqrt(K.shape[1]) → S
        A @ (C @ W_V) → np.einsum("nm,mv->nv", A, C @ W_V)
""")
