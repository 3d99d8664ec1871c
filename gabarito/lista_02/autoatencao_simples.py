"""A questão `autoatencao_simples` da lista 02."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_02.softmax import softmax
from helpers.exemplos import X_FRUTA, X_RATO


def autoatencao_simples(X):
    A = softmax(X @ X.T)
    return A @ X, A


LONGOS = "vetores longos"


def ocultos(rng):
    # Tokens longos, curtos e opostos: pontuações de até 900 e pouco, exatas, com linhas em alturas muito diferentes.
    longos = np.zeros((5, 3))
    longos[:, 0] = [30, 30, 0, 0, -30]
    longos[:2, 1] = rng.choice([-1.25, -0.875, 0.625, 1.125, 1.625], size=2, replace=False)
    longos[2:, 1:] = rng.integers(1, 5, size=(3, 2)) / 8 * rng.choice([-1, 1], size=(3, 2))
    # A maior pontuação do token mais curto não é consigo mesmo: passa dela em pelo menos 16 · 48 = 768.
    curto, longo, outro = rng.integers(0, 8, size=3)
    desiguais = np.array([[16.0 + curto, 0.0], [64.0 + longo, 0.0], [0.0, 1 + outro / 8]])
    return [
        caso(rng.normal(size=(4, 2))),
        caso(rng.normal(size=(3, 5)) / 2),
        caso(rng.normal(size=(6, 4)) / 2),
        caso(rng.normal(size=(2, 3))),
        caso(longos, parte=LONGOS),
        caso(rng.permutation(desiguais), parte=LONGOS),
        caso(rng.normal(size=(1, 4))),
        caso(rng.normal(size=(3, 3))),
        caso(rng.normal(size=(2, 2))),
        caso(rng.normal(size=(4, 1))),
        caso(rng.normal(size=(11, 2)) / 2),
        caso(rng.normal(size=(4, 2))),
    ]


q = questao(
    "lista-02/autoatencao_simples",
    assinatura="autoatencao_simples(X)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=autoatencao_simples,
    depende=["softmax"],
    casos=[
        caso(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), claro=True, rotulo="o exemplo do enunciado"),
        caso(
            np.array([[0.4, -0.7, 1.1], [1.2, 0.3, -0.5], [-0.6, 0.9, 0.2], [0.8, 0.1, 1.3]]),
            rotulo="quatro tokens em 3-D",
        ),
        caso(np.array([[0.5, -0.2, 0.9, 0.1, -0.4], [0.3, 0.8, -0.6, 0.7, 0.2]]), rotulo="dois tokens em 5-D"),
        caso(X_RATO, rotulo="a frase do rato"),
        caso(X_FRUTA, rotulo="“Eu gosto de comer manga”"),
        caso(
            np.array([[30.0, -1.0], [30.0, 1.0], [0.0, 0.5], [0.0, 1.0], [-30.0, 0.5]]),
            rotulo="vetores longos, pontuações de até 901",
            parte=LONGOS,
        ),
        caso(
            np.array([[16.0, 0.0], [64.0, 0.0], [0.0, 1.0]]),
            rotulo="um token bem mais longo que os outros",
            parte=LONGOS,
        ),
        caso(np.array([[0.3, -1.2, 0.5]]), rotulo="um token só"),
        caso(np.array([[1.0, 0.5], [0.25, -1.0]]), rotulo="tantos tokens quanto dimensões, N = d"),
        caso(np.array([[0.5], [-1.0], [2.0]]), rotulo="uma dimensão só, d = 1"),
    ],
    ocultos=ocultos,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
    partes={"vetores comuns": 0.75, LONGOS: 0.25},
)

q.equivocos_curtos("""
sem-softmax: softmax(X @ X.T) → X @ X.T
    Em A estão as próprias pontuações X Xᵀ. Elas ainda não são pesos: falta passar cada linha pela softmax.
normaliza-colunas: .T → .T, 0
    As colunas de A somam 1, e são as linhas que deveriam somar 1. Ou a softmax correu no eixo 0, ou a soma de cada
    linha perdeu o eixo (falta keepdims=True) e dividiu as colunas. Use a sua função `softmax`, que já cuida do eixo.
    Veja a Dica 2.
softmax-global: A = softmax(X @ X.T) → S = X @ X.T⏎A = np.exp(S - S.max())⏎A = A / A.sum()
    A matriz A inteira soma 1. Cada token precisa da sua própria distribuição: é cada linha que soma 1.
maximo-global: A = softmax(X @ X.T) → S = X @ X.T⏎A = np.exp(S - S.max())⏎A = A / A.sum(axis=-1, keepdims=True)
    Nas linhas de vetores curtos apareceu NaN: o máximo subtraído é o da matriz inteira, e elas viraram 0/0. Use o
    máximo de cada linha (a sua softmax da questão 1 já faz isso).
sem-maximo: A = softmax(X @ X.T) → A = np.exp(X @ X.T)⏎A = A / A.sum(axis=-1, keepdims=True)
    Com vetores longos a exponencial estourou e apareceu NaN. Use a sua softmax da questão 1, que subtrai o máximo.
subtrai-a-diagonal:
        A = softmax(X @ X.T) → S = X @ X.T⏎A = np.exp(S - np.diag(S)[:, None])⏎A = A / A.sum(axis=-1, keepdims=True)
    Você subtrai de cada linha a pontuação do token consigo mesmo, mas ela nem sempre é a maior: ao lado de um token bem
    mais longo, a exponencial estoura. Use o máximo da linha.
some-com-eixo-de-tamanho-1: A @ X, A → np.squeeze(A @ X), np.squeeze(A)
    Com um token só, ou uma dimensão só, um eixo de tamanho 1 sumiu da saída. Y é sempre (N, d), e A, (N, N): veja se há
    um squeeze a mais.
escala-raiz-D: .T → .T / np.sqrt(X.shape[-1])
    Você dividiu as pontuações por √d. É uma boa ideia, e é o assunto da aula 03; aqui ainda não há escala.
escala-D: .T → .T / X.shape[-1]
    Você dividiu as pontuações por d. Aqui ainda não há escala nenhuma.
A-transposta: A @ X → A.T @ X
    A está certa, mas Y foi feita com a transposta dela. A linha n de Y é a combinação dos tokens com os pesos da linha
    n.
ordem-trocada: A @ X, A → A, A @ X
    Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, d), depois A (N, N). Veja a Dica 3.
Y-com-pontuacoes: A = softmax(X @ X.T) → S = X @ X.T
        A @ X, A → S @ X, softmax(S)
    A está certa, mas Y foi feita com as pontuações X Xᵀ em vez dos pesos. Use A.
compara-dimensoes: X @ X.T → X.T @ X
        A @ X → X @ A
    A saiu (d, d): você multiplicou Xᵀ X, que compara dimensões. Para comparar tokens, a matriz é (N, N).
devolve-X: X.copy(), softmax(X @ X.T)
    A está certa, mas Y é a própria entrada X. Falta misturar os tokens com os pesos.
soma-a-entrada: A @ X → X + A @ X
    Você somou X à saída. Essa conexão residual vem na aula 07; aqui Y é só a combinação dos tokens.
cosseno: A = softmax(X @ X.T) → U = X / np.linalg.norm(X, axis=-1, keepdims=True)⏎A = softmax(U @ U.T)
    Suas pontuações são cossenos: você normalizou os vetores antes. Aqui a pontuação é o produto escalar puro, X Xᵀ.
nao-olha-para-si: A = softmax(X @ X.T) → S = X @ X.T⏎if len(X) > 1:⏎    np.fill_diagonal(S, -np.inf)⏎A = softmax(S)
    A diagonal de A é zero: cada token deixou de olhar para si mesmo. Na autoatenção ele também conta.
so-o-maior: softmax(X @ X.T) → np.eye(len(X))[(X @ X.T).argmax(axis=-1)]
    Cada linha de A tem um único 1: você escolheu o maior em vez de repartir. A softmax dá um pouco a todos.
media-simples: softmax → np.full((len
        X @ X.T → X), len(X)), 1 / len(X)
    Todos os pesos são 1/N: Y é a média da frase, igual para todos os tokens. As pontuações não estão entrando na conta.
asterisco: A @ X → A * X
    As formas não se encaixam: em NumPy, `*` multiplica elemento por elemento. O produto de matrizes é `@`. Veja a Dica
    2.
asterisco-nas-pontuacoes: X @ X.T → X * X.T
    As formas de X e Xᵀ não se encaixam com `*`, que multiplica elemento por elemento. O produto de matrizes é `@`. Veja
    a Dica 2.
softmax-duas-vezes: softmax(X @ X.T) → softmax(softmax(X @ X.T))
    Os pesos estão perto demais uns dos outros: a softmax foi aplicada duas vezes. Uma basta.
devolve-as-pontuacoes: return A @ X, A → return A @ X, X @ X.T
    Y está certa, mas no lugar dos pesos vieram as pontuações. A é o que sai da softmax.
soma-sem-keepdims:
        A = softmax(X @ X.T) → S = X @ X.T⏎E = np.exp(S - S.max(axis=1, keepdims=True))⏎A = E / E.sum(axis=1)
    As linhas de A não somam 1: sem keepdims=True, a soma da linha m foi parar na coluna m. Em matriz quadrada o NumPy
    não avisa.
maximo-sem-keepdims: A = softmax(X @ X.T) → S = X @ X.T⏎E = np.exp(S - S.max(axis=1))
        return A @ X, A → A = E / E.sum(axis=1, keepdims=True)⏎return A @ X, A
    O máximo da linha m foi subtraído da coluna m: falta keepdims=True nele. Em matriz quadrada o NumPy não avisa.
colunas-e-ordem-trocada: .T → .T, 0
        A @ X, A → A, A @ X
    São dois erros: a ordem é Y e depois A; e são as linhas de A que somam 1, e não as colunas.
escala-e-colunas: .T → .T / np.sqrt(X.shape[-1]), 0
    São dois erros: as colunas de A somam 1, e são as linhas que deveriam somar 1; e aqui ainda não há escala.
""")


@q.alternativa
def com_lacos(X):
    N, D = X.shape
    A = np.zeros((N, N))
    Y = np.zeros((N, D))
    for n in range(N):
        pontos = np.array([sum(X[n, d] * X[m, d] for d in range(D)) for m in range(N)])
        A[n] = np.exp(pontos - pontos.max())
        A[n] /= A[n].sum()
        for m in range(N):
            Y[n] += A[n, m] * X[m]
    return Y, A


@q.alternativa
def com_torch(X):
    T = torch.tensor(X)
    A = torch.softmax(T @ T.T, dim=-1)
    return A @ T, A


@q.alternativa
def com_torch_float32(X):
    T = torch.tensor(X, dtype=torch.float32)
    A = torch.softmax(T @ T.T, dim=-1)
    return A @ T, A


@q.alternativa
def log_soma_exp_em_float32(X):
    T = torch.tensor(X, dtype=torch.float32)
    S = T @ T.T
    A = torch.exp(S - torch.logsumexp(S, dim=-1, keepdim=True))
    return A @ T, A


@q.alternativa
def atencao_do_torch_sem_escala(X):
    T = torch.tensor(X)
    Y = torch.nn.functional.scaled_dot_product_attention(T, T, T, scale=1.0)
    return Y, torch.softmax(T @ T.T, dim=-1)


@q.alternativa
def normaliza_no_fim(X):
    S = X @ X.T
    E = np.exp(S - S.max(axis=1, keepdims=True))
    soma = E.sum(axis=1, keepdims=True)
    return (E @ X) / soma, E / soma


@q.alternativa
def colunas_e_transposta(X):
    A = softmax(X @ X.T, 0).T  # X Xᵀ é simétrica: normalizar as colunas e transpor dá o mesmo
    return A @ X, A


q.alternativas_curtas("""
com-einsum: X @ X.T → np.einsum("nd,md->nm", X, X)
        A @ X → np.einsum("nm,md->nd", A, X)
""")
