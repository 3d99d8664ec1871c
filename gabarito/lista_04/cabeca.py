"""A questão `cabeca` da lista 04: sem C, a autoatenção de X; com C, a atenção cruzada de X para C."""

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

_COM_C, _LIMITES = "atenção cruzada", "limites"
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


def cabeca(X, W_Q, W_K, W_V, C=None):
    if C is None:
        C = X
    Q, K, V = X @ W_Q, C @ W_K, C @ W_V
    A = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return A @ V, A


def _cruzado(X, C, pesos, parte=_COM_C, rotulo=""):
    return caso(X, *pesos, C, parte=parte, rotulo=rotulo)


def _alturas(rng, n, m, rotulo=""):
    """Com C, consultas que dão perto de 2048 a toda chave, e outras, perto de −2048: quem subtrai um máximo só, o de
    todas, faz 0/0 nestas."""
    X, *pesos = grande(rng, n + m)
    X[:n:2, 0] *= -1
    return _cruzado(X[:n], X[n:], pesos, _LIMITES, rotulo)


def ocultos(rng):
    casos = []
    for _ in range(4):
        n, d, d_k, d_v = tamanhos(rng, 4)
        casos.append(caso(normal(rng, n, d), *sortear_pesos(rng, d, d_k, d_v)))
    casos.append(caso(normal(rng, 4, 4), *sortear_pesos(rng, 4, 4, 4)))
    casos.append(caso(normal(rng, 4, 3), *sortear_pesos(rng, 3, 1, 1)))
    casos.append(caso(normal(rng, 1, 4), *sortear_pesos(rng, 4, 3, 2)))
    for _ in range(4):
        n, m, d, d_k, d_v = tamanhos(rng, 5)
        casos.append(_cruzado(normal(rng, n, d), normal(rng, m, d), sortear_pesos(rng, d, d_k, d_v)))
    casos.append(_cruzado(normal(rng, 5, 3), normal(rng, 5, 3), sortear_pesos(rng, 3, 4, 2)))
    casos.append(_cruzado(normal(rng, 4, 4), normal(rng, 4, 4), sortear_pesos(rng, 4, 4, 4)))
    casos.append(_cruzado(normal(rng, 3, 4), normal(rng, 1, 4), sortear_pesos(rng, 4, 5, 2)))
    casos.append(_cruzado(normal(rng, 1, 4), normal(rng, 6, 4), sortear_pesos(rng, 4, 3, 2)))
    casos.append(caso(*grande(rng, 5), parte=_LIMITES))
    X, *pesos = grande(rng, 7)
    casos.append(_cruzado(X[:4], X[4:], pesos, _LIMITES))
    casos.append(_alturas(rng, 5, 4))
    W_Q, (_, W_K, W_V) = sortear_pesos(rng, 3, 2, 2)[0], sortear_pesos(rng, 5, 2, 4)
    casos.append(_cruzado(normal(rng, 4, 3), normal(rng, 2, 5), (W_Q, W_K, W_V), _LIMITES))
    W_Q, (_, W_K, W_V) = sortear_pesos(rng, 5, 3, 2)[0], sortear_pesos(rng, 4, 3, 6)
    casos.append(_cruzado(normal(rng, 2, 5), normal(rng, 7, 4), (W_Q, W_K, W_V), _LIMITES))
    return casos


q = questao(
    "lista-04/cabeca",
    assinatura="cabeca(X, W_Q, W_K, W_V, C=None)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=cabeca,
    casos=[
        caso(X1, WQ1, WK1 / 4, WV1, claro=True, rotulo="o exemplo do enunciado"),
        caso(X3, WQ3, WK3, WV3, rotulo="tudo 3 × 3"),
        caso(X2, WQ2, WK2, WV2, rotulo="5 tokens, d = 4, d_k = 3, d_v = 2"),
        caso(X2[1:4], WQ2[:, :1], WK2[:, :1], np.hstack([WV2, WQ2]), rotulo="d_k = 1 e d_v = 5"),
        caso(X2[:1], WQ2, WK2, WV2, rotulo="um token só"),
        _cruzado(X1, _C1, (WQ1, WK1 / 4, WV1), rotulo="o exemplo do enunciado, com C"),
        _cruzado(X3, _C3, (WQ3, WK3, WV3), rotulo="com C, tudo 3 × 3"),
        _cruzado(X2, _C2, (WQ2, WK2, WV2), rotulo="com C, 5 consultas e 3 chaves"),
        _cruzado(X2, _C2b, (WQ2, WK2, WV2), rotulo="com C, tantas consultas quanto chaves"),
        _cruzado(X2[:1], _C2, (WQ2, WK2, WV2), rotulo="com C, uma consulta só"),
        _cruzado(X2[:4], _C2[:1], (WQ2, WK2, WV2), rotulo="um token só em C"),
        caso(X4, WQ4, WK4, WV4, rotulo="pontuações perto de 2048", parte=_LIMITES),
        _cruzado(X4[:4], _C4, (WQ4, WK4, WV4), _LIMITES, "com C, pontuações perto de 2048"),
        _alturas(np.random.default_rng(3), 3, 4, "com C, pontuações perto de 2048 e de −2048"),
        _cruzado(X2[:3], _C5, (WQ2, _WK5, _WV5), _LIMITES, "C com outra largura, menor"),
        _cruzado(X2[:4, :2], X2[1:, 1:], (_WK5, WQ2[:3], WV2[:3]), _LIMITES, "C com outra largura, maior"),
    ],
    ocultos=ocultos,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
    partes={"autoatenção": 0.5, _COM_C: 0.25, _LIMITES: 0.25},
)

q.equivocos_curtos("""
sem-escala: Q @ K.T / np.sqrt(K.shape[1]) → Q @ K.T
    Falta dividir as pontuações por √d_k antes da softmax. Foi o assunto da aula 03.
escala-dk: / np.sqrt(K.shape[1]) → / K.shape[1]
    As pontuações foram divididas por d_k inteiro. Falta a raiz (ou ela entrou duas vezes, uma em Q e outra em K).
escala-raiz-d: / np.sqrt(K.shape[1]) → / np.sqrt(X.shape[1])
    Você dividiu por √d, o tamanho do token. O que conta é d_k, quantas componentes têm a consulta e a chave depois da
    projeção. Veja a Dica 2.
escala-raiz-dv: / np.sqrt(K.shape[1]) → / np.sqrt(W_V.shape[1])
    Você dividiu por √d_v, a largura dos valores. Quem entra no produto escalar são consultas e chaves: a raiz é de d_k.
    Veja a Dica 2.
escala-raiz-M: / np.sqrt(K.shape[1]) → / np.sqrt(len(K))
    Você dividiu pela raiz do número de tokens: len(K) conta linhas. A raiz é de d_k. Veja a Dica 2.
multiplica-pela-raiz: / np.sqrt → * np.sqrt
    A raiz √d_k multiplica as pontuações, e os pesos ficaram concentrados demais. Ela deve dividir.
precedencia-um-meio: / np.sqrt(K.shape[1]) → / K.shape[1] ** 1 / 2
    As pontuações foram divididas por 2·d_k. Em Python, `S / d ** 1/2` é `(S / d) / 2`. Ponha o expoente entre
    parênteses, ou use np.sqrt.
divisao-inteira: Q @ K.T / np → Q @ K.T // np
    As pontuações perderam as casas decimais: `//` é a divisão inteira. A divisão é `/`.
escala-depois-da-softmax: / np.sqrt(K.shape[1])) → ) / np.sqrt(K.shape[1])
    As linhas de A somam 1/√d_k: a divisão veio depois da softmax. Divida as pontuações, antes dela.
normaliza-colunas: / np.sqrt(K.shape[1]) → / np.sqrt(K.shape[1]), 0
    As colunas de A somam 1, e são as linhas que deveriam somar 1. Ou a softmax correu no outro eixo, ou as pontuações
    são KQᵀ e A foi transposta depois.
troca-Q-e-K: Q @ K.T → K @ Q.T
    As consultas e as chaves trocaram de papel: as pontuações são KQᵀ. Cada linha de A deve ser de uma consulta.
so-consultas: C @ W_K → C @ W_Q
    As chaves foram feitas com W_Q: W_K não está sendo usada. Cada consulta se compara com as chaves, que usam W_K.
so-chaves: X @ W_Q → X @ W_K
    As consultas foram feitas com W_K: W_Q não está sendo usada. O que se procura e o que se oferece são coisas
    diferentes.
pontua-sem-projetar: Q @ K.T / np.sqrt(K.shape[1]) → X @ C.T / np.sqrt(K.shape[1])
    As pontuações são as de X Xᵀ, como na aula 02, sem as projeções. Quem se compara agora são X W_Q e as chaves.
pontua-com-os-valores: Q @ K.T → Q @ V.T
    As consultas foram comparadas com os valores, V. Quem se compara com Q são as chaves, K.
sem-softmax: A = softmax(Q @ K.T / np.sqrt(K.shape[1])) → A = Q @ K.T / np.sqrt(K.shape[1])
    Em A estão as pontuações. Elas ainda não são pesos: falta a softmax em cada linha.
devolve-as-pontuacoes: return A @ V, A → return A @ V, Q @ K.T / np.sqrt(K.shape[1])
    Y está certa, mas no lugar dos pesos vieram as pontuações. A é o que sai da softmax.
Y-com-pontuacoes: return A @ V, A → return Q @ K.T / np.sqrt(K.shape[1]) @ V, A
    A está certa, mas Y foi feita com as pontuações em vez dos pesos. Use A.
softmax-duas-vezes: softmax(Q @ K.T / np.sqrt(K.shape[1])) → softmax(softmax(Q @ K.T / np.sqrt(K.shape[1])))
    Os pesos estão perto demais uns dos outros: a softmax foi aplicada duas vezes. Uma basta.
softmax-so-em-Q: softmax(Q @ K.T / np.sqrt(K.shape[1])) → softmax(Q / np.sqrt(K.shape[1])) @ K.T
    A softmax foi aplicada a Q, antes do produto com K. Ela vem depois, nas pontuações Q @ K.T / √d_k.
sem-maximo: A = softmax(Q @ K.T / np.sqrt(K.shape[1])) → E = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
        return A @ V, A → A = E / E.sum(axis=1, keepdims=True)⏎return A @ V, A
    Com pontuações na casa dos milhares a exponencial estourou e apareceu NaN. Subtraia o máximo de cada linha, como na
    lista 02.
maximo-de-tudo: A = softmax(Q @ K.T / np.sqrt(K.shape[1])) → S = Q @ K.T / np.sqrt(K.shape[1])
        return A @ V, A → A = np.exp(S - S.max()) / np.exp(S - S.max()).sum(axis=1, keepdims=True)⏎return A @ V, A
    Nas linhas de pontuações muito baixas apareceu NaN: o máximo subtraído é o da matriz inteira, e elas viraram 0/0.
    Subtraia o máximo de cada linha, como na lista 02.
corta-C: Q, K, V = → d = X.shape[1]⏎C, W_K, W_V = C[:, :d], W_K[:d], W_V[:d]⏎Q, K, V =
    Se C é mais larga que X, você cortou colunas dela, ou linhas de W_K e W_V. C tem as suas, d_C, e W_K e W_V têm uma
    linha para cada uma: use todas.
ordem-trocada: return A @ V, A → return A, A @ V
    Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, d_v), depois A. Veja a Dica 3.
so-Y: return A @ V, A → return A @ V
    Veio só Y. Devolva os dois, nesta ordem: a saída Y e os pesos A.
W-transposta: X @ W_Q, C @ W_K, C @ W_V → X @ W_Q.T, C @ W_K.T, C @ W_V.T
    Você multiplicou por Wᵀ. Aqui W já tem forma (d, d_k): as d componentes do token encontram as d linhas de W, sem
    transpor. Quem guarda W deitada é a camada linear do PyTorch. Veja a Dica 1.
W-antes-de-X: X @ W_Q, C @ W_K, C @ W_V → W_Q @ X, W_K @ C, W_V @ C
    Você fez W X. Como cada token é uma linha de X (N, d), a matriz W (d, d_k) entra pela direita. Veja a Dica 1.
asterisco: return A @ V, A → return A * V, A
    Em NumPy, `*` multiplica elemento por elemento. A mistura dos valores é um produto de matrizes, `@`.
K-sem-transpor: .T →
    As pontuações são Q K, sem transpor K. Para comparar cada consulta com cada chave, as d_k componentes têm de se
    encontrar: (N, d_k) por (d_k, M).
encadeia: C @ W_K, C @ W_V → C @ W_K, C @ W_K @ W_V
    V foi feita a partir de K, e não do token. As três projeções saem do mesmo token, cada uma com a sua matriz.
mistura-X: A @ V, A → A @ C, A
    A está certa, mas Y é A X: os tokens foram misturados sem passar por W_V. O que se entrega são os valores.
mistura-K: A @ V, A → A @ K, A
    A está certa, mas Y é A K (V foi feita com W_K?). A chave serve para ser encontrada; o que se entrega é o valor.
Y-com-A-transposta: A @ V, A → A.T @ V, A
    A está certa, mas Y foi feita com Aᵀ. A linha n de Y é a média dos valores com os pesos da linha n de A.
V-transposta: A @ V, A → A @ V.T, A
    A está certa, mas V foi transposta antes da mistura. As colunas de A encontram as linhas de V: (N, M) por (M, d_v).
soma-a-entrada: return A @ V, A → return X + A @ V, A
    Você somou a entrada à saída. Essa conexão residual vem na aula 07; aqui Y é só a mistura dos valores.
esconde-o-futuro: A = softmax( → M = np.tri(len(X), len(C), dtype=bool)⏎A = softmax(
        Q @ K.T / np.sqrt(K.shape[1]) → np.where(M, Q @ K.T / np.sqrt(K.shape[1]), -np.inf)
    A parte de cima de A é zero: você pôs uma máscara causal. Ela é a aula 06; nesta cabeça todos olham para todos.
sem-escala-e-colunas: Q @ K.T / np.sqrt(K.shape[1]) → Q @ K.T, 0
    São dois erros: as colunas de A somam 1, e são as linhas que deveriam somar 1; e falta dividir as pontuações por
    √d_k.
sem-escala-e-ordem-trocada: Q @ K.T / np.sqrt(K.shape[1]) → Q @ K.T
        return A @ V, A → return A, A @ V
    São dois erros: a ordem é Y e depois A; e falta dividir as pontuações por √d_k.
ignora-C: if C is None → if True
    Sem C está certo, mas com C a sua função continua fazendo a autoatenção de X. Se C veio, as chaves e os valores são
    dele. Veja a Dica 3.
ignora-X: X @ W_Q → C @ W_Q
    Sem C está certo, mas com C a sua função faz a autoatenção de C. As consultas continuam a ser de X. Veja a Dica 3.
papeis-trocados: X @ W_Q, C @ W_K, C @ W_V → C @ W_Q, X @ W_K, X @ W_V
    Sem C está certo. Com C, os papéis se trocaram: saiu uma linha para cada token de C. Quem pergunta é X; quem
    responde, com chaves e valores, é C. Veja a Dica 3.
chaves-de-X: C @ W_K → X @ W_K
    Sem C está certo. Com C, as chaves foram feitas de X, e quem as oferece é C: A deve ter uma coluna para cada token
    de C. Veja a Dica 3.
valores-de-X: C @ W_V → X @ W_V
    Sem C está certo, e com C as pontuações também, mas os valores foram feitos de X. Quem foi encontrado é que entrega.
    Veja a Dica 3.
consultas-de-C: X @ W_Q, C @ W_K, C @ W_V → C @ W_Q, C @ W_K, X @ W_V
    Com C, as consultas foram feitas de C, e os valores misturados são os de X. Só as consultas vêm de X; chaves e
    valores, de C. Veja a Dica 3.
compara-C-sem-is: if C is None → if C == None
    `C == None`, `not C` e `C or X` perguntam a cada número do array, e o Python não sabe o que fazer com tantas
    respostas. Para saber se C veio, pergunte `C is None`.
if-ao-contrario: if C is None → if C is not None
    O `if` está ao contrário: é quando C não veio (`C is None`) que ele passa a ser X.
projeta-X-com-as-tres: Q, K, V = → X @ W_K⏎Q, K, V =
    Aqui X foi multiplicada por W_K mesmo quando há C, e, se C tem outra largura, as formas não se encaixam. Com C, de X
    só se faz X @ W_Q.
""")


@q.equivoco
def softmax_global(X, W_Q, W_K, W_V, C=None):
    """A matriz A inteira soma 1. Cada consulta tem o seu próprio orçamento: é cada linha que soma 1."""
    C = X if C is None else C
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1])
    A = np.exp(S - S.max())
    A = A / A.sum()
    return A @ (C @ W_V), A


@q.equivoco
def sem_keepdims(X, W_Q, W_K, W_V, C=None):
    """As linhas de A não somam 1: sem keepdims=True, a soma da linha m foi parar na coluna m. Em matriz quadrada o
    NumPy não avisa."""
    C = X if C is None else C
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_K.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1)
    return A @ (C @ W_V), A


@q.equivoco
def junta_X_e_C(X, W_Q, W_K, W_V, C=None):
    """Sem C está certo. Com C, A tem N + M colunas: X foi parar também entre as chaves. Na atenção cruzada, X só
    pergunta; só C responde."""
    return cabeca(X, W_Q, W_K, W_V, X if C is None else np.concatenate([X, C]))


@q.alternativa
def com_lacos(X, W_Q, W_K, W_V, C=None):
    responde = X if C is None else C
    A, Y = np.zeros((len(X), len(responde))), np.zeros((len(X), W_V.shape[1]))
    for n, x in enumerate(X):
        pontos = [float((x @ W_Q) @ (c @ W_K)) / math.sqrt(W_K.shape[1]) for c in responde]
        exponenciais = [math.exp(p - max(pontos)) for p in pontos]
        for m, c in enumerate(responde):
            A[n, m] = exponenciais[m] / sum(exponenciais)
            Y[n] += A[n, m] * (c @ W_V)
    return Y, A


@q.alternativa
def atencao_do_torch(X, W_Q, W_K, W_V, C=None):
    X, W_Q, W_K, W_V, C = (torch.from_numpy(a) for a in (X, W_Q, W_K, W_V, X if C is None else C))
    Q, K = X @ W_Q, C @ W_K
    Y = torch.nn.functional.scaled_dot_product_attention(Q, K, C @ W_V)
    return Y, torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)


@q.alternativa
def com_torch_float32(X, W_Q, W_K, W_V, C=None):
    C = X if C is None else C
    X, W_Q, W_K, W_V, C = (torch.tensor(a, dtype=torch.float32) for a in (X, W_Q, W_K, W_V, C))
    A = torch.softmax((X @ W_Q) @ (C @ W_K).T / math.sqrt(W_K.shape[1]), dim=-1)
    return A @ (C @ W_V), A


@q.alternativa
def normaliza_no_fim(X, W_Q, W_K, W_V, C=None):
    if C is None:
        return normaliza_no_fim(X, W_Q, W_K, W_V, X)
    S = (X @ W_Q) @ (C @ W_K).T / np.sqrt(W_Q.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    soma = E.sum(axis=1, keepdims=True)
    return (E @ C @ W_V) / soma, E / soma


q.alternativas_curtas("""
com-a-da-lista-03:
        A = softmax(Q @ K.T / np.sqrt(K.shape[1])) → Y, A = atencao_escalada(Q, K, V)
        return A @ V, A → return Y, A
com-einsum: Q @ K.T → np.einsum("nk,mk->nm", Q, K)
        return A @ V, A → return np.einsum("nm,mv->nv", A, V), A
uma-matriz-so: Q @ K.T → X @ (W_Q @ W_K.T) @ C.T
        return A @ V, A → return (A @ C) @ W_V, A
escala-na-consulta: X @ W_Q → X @ W_Q / np.sqrt(W_Q.shape[1])
        Q @ K.T / np.sqrt(K.shape[1]) → Q @ K.T
numpy-float32: X @ W_Q, C @ W_K, C @ W_V → (np.float32(a) @ np.float32(W) for a, W in ((X, W_Q), (C, W_K), (C, W_V)))
        / np.sqrt(K.shape[1]) → / np.float32(np.sqrt(K.shape[1]))
""")
