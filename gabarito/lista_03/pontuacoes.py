"""A questão `pontuacoes` da lista 03."""

import math

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_03.comum import (
    K1,
    K2,
    K3,
    K7,
    K9,
    K10,
    Q1,
    Q2,
    Q3,
    Q7,
    Q9,
    Q10,
    formas_de,
    oitavos,
    softmax,  # noqa: F401 (usado nas tabelas)
)

_Q4 = np.array([[0.5], [-1.5], [2.0]])  # (3, 1)
_K4 = np.array([[0.8], [-0.3], [1.1], [0.6]])  # (4, 1)
_Q8 = np.array([[0.5, 1.0, -0.5, 2.0, 0.25], [1.5, -1.0, 0.75, 0.5, 1.0], [-0.25, 2.0, 1.0, -1.5, 0.5]])  # (3, 5)
_K8 = np.array([[1.0, -0.5, 2.0, 0.75, -1.0]])  # (1, 5)


def pontuacoes(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


def ocultos(rng):
    formas = []
    for d_k in rng.permutation([2, 3, 5, 6, 7]):
        n, m = (int(x) for x in rng.choice([x for x in (2, 3, 4, 5, 6, 7) if x != d_k], size=2, replace=False))
        formas.append((n, m, int(d_k)))
    n, d_k = formas_de(rng, 2)
    formas += [
        formas[0],  # a mesma forma outra vez, com outros valores
        (3, 8, 64),
        (4, 2, 100),
        (2, 5, 256),
        (n, n, d_k),
        (n, n, n),
        (n, 1, d_k),
        (1, n, d_k),
        (1, 1, d_k),
        (n, d_k, 1),
    ]
    return [caso(oitavos(rng, n, d_k), oitavos(rng, m, d_k)) for n, m, d_k in formas]


q = questao(
    "lista-03/pontuacoes",
    assinatura="pontuacoes(Q, K)",
    saida="array",
    referencia=pontuacoes,
    casos=[
        caso(Q1, K1, claro=True, rotulo="o exemplo do enunciado, d_k = 4"),
        caso(Q2, K2, rotulo="5 consultas, 2 chaves, d_k = 3"),
        caso(Q3, K3, rotulo="1 consulta, 3 chaves, d_k = 7"),
        caso(_Q4, _K4, rotulo="d_k = 1"),
        caso(Q7, K7, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(_Q8, _K8, rotulo="uma chave só"),
        caso(Q9, K9, rotulo="d_k = 100"),
        caso(Q10, K10, rotulo="a forma do exemplo, com outros números"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
sem-escala: Q @ K.T
    Estes são os produtos escalares crus, QKᵀ. Falta a escala: com vetores de d_k componentes, o tamanho típico deles
    cresce com √d_k.
divide-por-dk: Q @ K.T / Q.shape[-1]
    As pontuações saíram divididas por d_k inteiro. Faltou a raiz? Ou a raiz entrou duas vezes, uma em Q e outra em K? A
    divisão por √d_k acontece uma vez só.
multiplica-pela-raiz: Q @ K.T * np.sqrt(Q.shape[-1])
    As pontuações cresceram em vez de encolher: √d_k está multiplicando. Ela divide.
raiz-do-numero-de-consultas: Q @ K.T / np.sqrt(Q.shape[0])
    Você dividiu por √N, a raiz do número de consultas. O que conta é d_k, quantas componentes cada vetor tem: olhe qual
    eixo de Q você mediu. Veja a Dica 2.
raiz-do-numero-de-chaves: Q @ K.T / np.sqrt(len(K))
    Você dividiu por √M, a raiz do número de chaves. O que conta é d_k, quantas componentes cada vetor tem: olhe qual
    eixo de K você mediu (len(K) conta linhas). Veja a Dica 2.
transposta: K @ Q.T / np.sqrt(Q.shape[-1])
    A conta é de chaves contra consultas: saiu (M, N). Cada linha deve ser de uma consulta, cada coluna de uma chave.
raiz-quarta: (Q / Q.shape[-1] ** 0.25) @ K.T
    A escala ficou no meio do caminho: as pontuações saíram divididas por d_k elevado a 1/4. Se quiser dividir antes do
    produto por essa potência, é preciso fazê-lo em Q e também em K.
ja-com-softmax: softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    Suas linhas já somam 1: a softmax foi aplicada. Aqui se pedem as pontuações, que vêm antes dela.
precedencia-menos-um-meio: Q @ K.T * Q.shape[-1] ** -1 / 2
    As pontuações saíram divididas por 2·d_k. Em Python a potência vem antes da divisão: tanto `/ d_k ** 1/2` como
    `* d_k ** -1/2` dividem por d_k e depois por 2. Ponha o expoente entre parênteses. Veja a Dica 3.
precedencia-um-meio: Q @ K.T / (Q.shape[-1] ** 1 / 2)
    As pontuações saíram divididas por d_k/2. Em Python, d_k ** 1/2 quer dizer (d_k ** 1) / 2: a potência vem antes da
    divisão. Veja a Dica 3.
so-consultas: Q @ Q.T / np.sqrt(Q.shape[-1])
    A conta é de Q com Q: na aula 02 era XXᵀ, mas aqui as consultas se comparam com as chaves.
altera-a-entrada: return Q @ K.T / np.sqrt(Q.shape[-1]) → Q /= np.sqrt(Q.shape[-1])⏎return Q @ K.T
    Sua função escreveu dentro de uma das entradas. Faça a conta em um array novo.
raiz-cortada: Q @ K.T / math.isqrt(Q.shape[-1])
    A raiz de d_k perdeu as casas decimais: só está certo onde d_k é um quadrado, como 4 ou 100. Use a raiz como ela é,
    sem int(), // nem math.isqrt.
sempre-oito: Q @ K.T / 8
    Você dividiu sempre por 8, que é √64. Isso só serve quando d_k é 64: leia d_k na forma de Q.
perde-o-eixo-de-tamanho-1: (Q @ K.T / np.sqrt(Q.shape[-1])).squeeze()
    Com uma consulta só, ou uma chave só, um eixo sumiu (squeeze?). A saída tem sempre dois eixos, (N, M), mesmo quando
    um deles é 1.
so-chaves: K @ K.T / np.sqrt(K.shape[-1])
    A conta é de K com K: as consultas não entraram. Cada linha é de uma consulta, e cada coluna, de uma chave.
sem-transpor: Q @ K / np.sqrt(Q.shape[-1])
    O produto Q @ K não se encaixa: (N, d_k) com (M, d_k). Um dos dois tem de ser transposto, para que os d_k se
    encontrem.
asterisco: Q * K.T / np.sqrt(Q.shape[-1])
    As formas não se encaixam com `*`, que multiplica elemento por elemento. O produto de matrizes é `@`.
divisao-inteira: Q @ K.T // np.sqrt(Q.shape[-1])
    As pontuações perderam as casas decimais: `//` é a divisão inteira. A divisão é `/`.
transposta-e-sem-escala: K @ Q.T
    São dois erros: a conta é de chaves contra consultas, (M, N), e cada linha deve ser de uma consulta; e falta
    dividir por √d_k.
ja-com-softmax-e-sem-escala: softmax(Q @ K.T)
    São dois erros: a softmax ainda não entra aqui (suas linhas somam 1), e falta dividir por √d_k.
so-a-primeira-consulta: return Q @ K.T / np.sqrt(Q.shape[-1]) → S = Q @ K.T / np.sqrt(Q.shape[-1])⏎S[1:] = 0⏎return S
    Só a linha da primeira consulta foi preenchida. O return está dentro do laço?
raiz-de-Q-size: Q.shape[-1] → Q.size
    Você dividiu por √(N·d_k): Q.size conta todos os números de Q. d_k é só o tamanho de uma consulta, Q.shape[-1].
cosseno: Q @ K.T / (np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(K, axis=1)[None, :])
    Isto é o cosseno: você dividiu pelas normas dos vetores. A escala é um número só, √d_k, igual para todos os pares.
""")


@q.equivoco
def subtrai_o_maximo(Q, K):
    """O maior valor de cada linha é sempre 0: o máximo foi subtraído. Esse cuidado é da softmax; as pontuações são só
    os produtos divididos por √d_k."""
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    return S - S.max(axis=-1, keepdims=True)


@q.equivoco
def raiz_de_tudo(Q, K):
    """A raiz foi tirada do quociente inteiro, e onde o produto escalar é negativo saiu NaN. A raiz é só de d_k."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(Q @ K.T / Q.shape[-1])


@q.alternativa
def com_lacos(Q, K):
    d_k = Q.shape[1]
    S = np.zeros((len(Q), len(K)))
    for n, q in enumerate(Q):
        for m, k in enumerate(K):
            S[n, m] = sum(float(a) * float(b) for a, b in zip(q, k, strict=True)) / math.sqrt(d_k)
    return S


@q.alternativa
def com_torch_float32(Q, K):
    Q, K = torch.tensor(Q, dtype=torch.float32), torch.tensor(K, dtype=torch.float32)
    return Q @ K.T / Q.shape[-1] ** 0.5


@q.alternativa
def float32_escala_nos_dois(Q, K):
    c = np.float32(Q.shape[-1] ** 0.25)
    return (Q.astype(np.float32) / c) @ (K.astype(np.float32) / c).T


@q.alternativa
def float32(Q, K):
    Q, K = Q.astype(np.float32), K.astype(np.float32)
    return Q @ K.T / np.float32(np.sqrt(Q.shape[-1]))


q.alternativas_curtas("""
com-einsum: np.einsum("nd,md->nm", Q, K) * Q.shape[1] ** -0.5
com-torch-float64: torch.from_numpy(Q) @ torch.from_numpy(K).mT / math.sqrt(K.shape[-1])
escala-nas-consultas: (Q / np.sqrt(K.shape[1])) @ K.T
raiz-quarta-nos-dois: return Q @ K.T / np.sqrt(Q.shape[-1]) → c = Q.shape[-1] ** 0.25⏎return np.inner(Q / c, K / c)
""")
