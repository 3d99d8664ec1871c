"""A questão `cabeca` da lista 04."""

import math

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
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


def cabeca(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return A @ V, A


def ocultos(rng):
    casos = []
    for _ in range(5):
        n, d, d_k, d_v = tamanhos(rng, 4)
        casos.append(caso(normal(rng, n, d), *sortear_pesos(rng, d, d_k, d_v)))
    casos.append(caso(normal(rng, 4, 4), *sortear_pesos(rng, 4, 4, 4)))
    casos.append(caso(normal(rng, 3, 5), *sortear_pesos(rng, 5, 7, 2)))
    casos.append(caso(*grande(rng, 5), parte="grandes"))
    casos.append(caso(normal(rng, 4, 3), *sortear_pesos(rng, 3, 1, 1)))
    casos.append(caso(normal(rng, 1, 4), *sortear_pesos(rng, 4, 3, 2)))
    return casos


q = questao(
    "lista-04/cabeca",
    assinatura="cabeca(X, W_Q, W_K, W_V)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=cabeca,
    depende=["projetar"],
    casos=[
        caso(X1, WQ1, WK1 / 4, WV1, claro=True, rotulo="o exemplo do enunciado"),
        caso(X3, WQ3, WK3, WV3, rotulo="tudo 3 × 3"),
        caso(X2, WQ2, WK2, WV2, rotulo="5 tokens, d = 4, d_k = 3, d_v = 2"),
        caso(X2[1:4], WQ2[:, :1], WK2[:, :1], np.hstack([WV2, WQ2]), rotulo="d_k = 1 e d_v = 5"),
        caso(X4, WQ4, WK4, WV4, rotulo="pontuações perto de 2048", parte="grandes"),
        caso(X2[:1], WQ2, WK2, WV2, rotulo="um token só"),
    ],
    ocultos=ocultos,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
    partes={"contas": 0.75, "grandes": 0.25},
)

q.equivocos_curtos("""
sem-escala: Q @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (X @ W_K).T
        A @ V → A @ (X @ W_V)
    Falta dividir as pontuações por √d_k antes da softmax. Foi o assunto da aula 03.
escala-dk: Q @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (X @ W_K).T / W_K.shape[1]
        A @ V → A @ (X @ W_V)
    As pontuações foram divididas por d_k inteiro. Falta a raiz (ou ela entrou duas vezes, uma em Q e outra em K).
escala-raiz-d: Q @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (X @ W_K).T / np.sqrt(X.shape[1])
        A @ V → A @ (X @ W_V)
    Você dividiu por √d, o tamanho do token. O que conta é d_k, quantas componentes têm a consulta e a chave depois da
    projeção. Veja a Dica 2.
escala-raiz-dv: Q @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_V.shape[1])
        A @ V → A @ (X @ W_V)
    Você dividiu por √d_v, a largura dos valores. Quem entra no produto escalar são consultas e chaves: a raiz é de d_k.
    Veja a Dica 2.
escala-raiz-N: Q @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (X @ W_K).T / np.sqrt(len(X))
        A @ V → A @ (X @ W_V)
    Você dividiu por √N, a raiz do número de tokens. A raiz é de d_k: olhe qual eixo de K você mediu (len(K) conta
    linhas). Veja a Dica 2.
normaliza-colunas: Q @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1]), 0
        A @ V → A @ (X @ W_V)
    As colunas de A somam 1, e são as linhas que deveriam somar 1. Ou a softmax correu no outro eixo, ou as pontuações
    são KQᵀ e A foi transposta depois.
troca-Q-e-K: Q @ K.T / np.sqrt(K.shape[1]) → (X @ W_K) @ (X @ W_Q).T / np.sqrt(W_K.shape[1])
        A @ V → A @ (X @ W_V)
    As consultas e as chaves trocaram de papel: as pontuações são KQᵀ. Cada linha de A deve ser de uma consulta.
so-consultas: Q, K, V = X @ W_Q, X @ W_K, X @ W_V → Q = X @ W_Q
        Q @ K.T / np.sqrt(K.shape[1]) → Q @ Q.T / np.sqrt(Q.shape[1])
        A @ V → A @ (X @ W_V)
    A conta é de Q com Q: W_K não está sendo usada (K foi feita com W_Q?). Cada consulta se compara com as chaves.
pontua-sem-projetar: Q @ K.T / np.sqrt(K.shape[1]) → X @ X.T / np.sqrt(W_K.shape[1])
        A @ V → A @ (X @ W_V)
    As pontuações são as de X Xᵀ, como na aula 02. Quem se compara agora são as projeções: X W_Q com X W_K.
sem-softmax: A = softmax(Q @ K.T / np.sqrt(K.shape[1])) → S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
        A @ V, A → S @ (X @ W_V), S
    Em A estão as pontuações. Elas ainda não são pesos: falta a softmax em cada linha.
ordem-trocada: return A @ V, A → Y, A = A @ V, A⏎return A, Y
    Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, d_v), depois A (N, N). Veja a Dica 3.
sem-maximo: Q, K, V = X @ W_Q, X @ W_K, X @ W_V → E = np.exp((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1]))
        softmax(Q @ K.T / np.sqrt(K.shape[1])) → E / E.sum(axis=1, keepdims=True)
        A @ V → A @ (X @ W_V)
    Com pontuações na casa dos milhares a exponencial estourou e apareceu NaN. Subtraia o máximo de cada linha, como na
    lista 02.
esconde-o-futuro: Q, K, V = X @ W_Q, X @ W_K, X @ W_V → S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
        Q @ K.T / np.sqrt(K.shape[1]) → np.where(np.tri(len(X), dtype=bool), S, -np.inf)
        A @ V → A @ (X @ W_V)
    A parte de cima de A é zero: você pôs uma máscara causal. Ela é a aula 06; nesta cabeça todos olham para todos.
W-transposta: X @ W_Q → X @ W_Q.T
        X @ W_K → X @ W_K.T
        X @ W_V → X @ W_V.T
    Você multiplicou por Wᵀ. Aqui W já tem forma (d, d_k): entra pela direita de X, sem transpor.
K-sem-transpor: .T →
    As pontuações são Q K, sem transpor K. Para comparar cada consulta com cada chave, as d_k componentes têm de se
    encontrar: (N, d_k) por (d_k, N).
so-chaves: Q @ K.T → K @ K.T
    As pontuações são de K com K: as consultas não entraram na conta. Cada consulta se compara com as chaves.
pontua-com-os-valores: Q @ K.T → Q @ V.T
    As consultas foram comparadas com os valores, V. Quem se compara com Q são as chaves, K.
escala-depois-da-softmax: softmax(Q @ K.T / np.sqrt(K.shape[1])) → softmax(Q @ K.T) / np.sqrt(K.shape[1])
    As linhas de A somam 1/√d_k: a divisão veio depois da softmax. Divida as pontuações, antes dela.
multiplica-pela-raiz: / np.sqrt → * np.sqrt
    A raiz √d_k multiplica as pontuações, e os pesos ficaram concentrados demais. Ela deve dividir.
precedencia-um-meio: / np.sqrt(K.shape[1]) → / K.shape[1] ** 1 / 2
    As pontuações foram divididas por 2·d_k. Em Python, `S / d ** 1/2` é `(S / d) / 2`. Ponha o expoente entre
    parênteses, ou use np.sqrt.
divisao-inteira: Q @ K.T / np → Q @ K.T // np
    As pontuações perderam as casas decimais: `//` é a divisão inteira. A divisão é `/`.
devolve-as-pontuacoes: return A @ V, A → return A @ V, Q @ K.T / np.sqrt(K.shape[1])
    Y está certa, mas no lugar dos pesos vieram as pontuações. A é o que sai da softmax.
Y-com-pontuacoes: return A @ V, A → return Q @ K.T / np.sqrt(K.shape[1]) @ V, A
    A está certa, mas Y foi feita com as pontuações em vez dos pesos. Use A.
softmax-duas-vezes: softmax(Q @ K.T / np.sqrt(K.shape[1])) → softmax(softmax(Q @ K.T / np.sqrt(K.shape[1])))
    Os pesos estão perto demais uns dos outros: a softmax foi aplicada duas vezes. Uma basta.
asterisco: return A @ V, A → return A * V, A
    Em NumPy, `*` multiplica elemento por elemento. A mistura dos valores é um produto de matrizes, `@`.
so-Y: cabeca(X, W_Q, W_K, W_V)[0]
    Veio só Y. Devolva os dois, nesta ordem: a saída Y e os pesos A.
sem-escala-e-colunas: Q @ K.T / np.sqrt(K.shape[1]) → Q @ K.T, 0
    São dois erros: as colunas de A somam 1, e são as linhas que deveriam somar 1; e falta dividir as pontuações por
    √d_k.
sem-escala-e-ordem-trocada: Q @ K.T / np.sqrt(K.shape[1]) → Q @ K.T
        return A @ V, A → return A, A @ V
    São dois erros: a ordem é Y e depois A; e falta dividir as pontuações por √d_k.
sem-escala-e-papeis-trocados: Q @ K.T / np.sqrt(K.shape[1]) → K @ Q.T
    São dois erros: as consultas e as chaves trocaram de papel (as pontuações são QKᵀ); e falta dividir as pontuações
    por √d_k.
soma-a-entrada: return A @ V, A → return X + A @ V, A
    Você somou a entrada à saída. Essa conexão residual vem na aula 07; aqui Y é só a mistura dos valores.
softmax-so-em-Q: softmax(Q @ K.T / np.sqrt(K.shape[1])) → softmax(Q / np.sqrt(K.shape[1])) @ K.T
    A softmax foi aplicada a Q, antes do produto com K. Ela vem depois, nas pontuações Q @ K.T / √d_k.
A-transposta: A @ V, A → A.T @ V, A
    A está certa, mas Y foi feita com Aᵀ. A linha n de Y é a média dos valores com os pesos da linha n de A.
mistura-X: A @ V, A → A @ X, A
    A está certa, mas Y é A X: os tokens foram misturados sem passar por W_V. O que se entrega são os valores.
mistura-K: A @ V, A → A @ K, A
    A está certa, mas Y é A K (V foi feita com W_K?). A chave serve para ser encontrada; o que se entrega é o valor.
mistura-Q: A @ V, A → A @ Q, A
    A está certa, mas Y é A Q. A consulta serve para procurar; o que se entrega é o valor.
V-transposta: A @ V, A → A @ V.T, A
    A está certa, mas V foi transposta antes da mistura. As N colunas de A encontram as N linhas de V: (N, N) por (N,
    d_v).
""")


@q.equivoco
def softmax_global(X, W_Q, W_K, W_V):
    """A matriz A inteira soma 1. Cada consulta tem o seu próprio orçamento: é cada linha que soma 1."""
    S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    A = np.exp(S - S.max())
    A = A / A.sum()
    return A @ (X @ W_V), A


@q.equivoco
def sem_keepdims(X, W_Q, W_K, W_V):
    """As linhas de A não somam 1: sem keepdims=True, a soma da linha m foi parar na coluna m. Em matriz quadrada o
    NumPy não avisa."""
    S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1)
    return A @ (X @ W_V), A


@q.alternativa
def com_lacos(X, W_Q, W_K, W_V):
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


@q.alternativa
def atencao_do_torch(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (torch.from_numpy(a) for a in (X, W_Q, W_K, W_V))
    Q, K = X @ W_Q, X @ W_K
    Y = torch.nn.functional.scaled_dot_product_attention(Q, K, X @ W_V)
    return Y, torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)


@q.alternativa
def com_torch_float32(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = (torch.tensor(a, dtype=torch.float32) for a in (X, W_Q, W_K, W_V))
    A = torch.softmax((X @ W_Q) @ (X @ W_K).T / math.sqrt(W_K.shape[1]), dim=-1)
    return A @ (X @ W_V), A


q.alternativas_curtas("""
com-a-da-lista-03: atencao_escalada(X @ W_Q, X @ W_K, X @ W_V)
com-einsum: Q, K, V = X @ W_Q, X @ W_K, X @ W_V → S = np.einsum("nd,dk,mk->nm", X, W_Q, X @ W_K) / np.sqrt(W_K.shape[1])
        Q @ K.T / np.sqrt(K.shape[1]) → S
        A @ V → np.einsum("nm,me,ev->nv", A, X, W_V)
uma-matriz-so: Q @ K.T / np.sqrt(K.shape[1]) → X @ (W_Q @ W_K.T) @ X.T / np.sqrt(W_K.shape[1])
        A @ V → (A @ X) @ W_V
escala-na-consulta: Q @ K.T / np.sqrt(K.shape[1]) → (X @ W_Q / np.sqrt(W_Q.shape[1])) @ (X @ W_K).T
        A @ V → A @ (X @ W_V)
numpy-float32:
        Q, K, V = X @ W_Q, X @ W_K, X @ W_V → X, W_Q, W_K, W_V = (a.astype(np.float32) for a in (X, W_Q, W_K, W_V))
        softmax(Q @ K.T / np.sqrt(K.shape[1])) → softmax((X @ W_Q) @ (X @ W_K).T / np.float32(np.sqrt(W_K.shape[1])))
        A @ V → A @ (X @ W_V)
""")
