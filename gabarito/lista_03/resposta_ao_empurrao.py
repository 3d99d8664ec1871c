"""A questão `resposta_ao_empurrao` da lista 03."""

import math

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_03.comum import formas_de, softmax

_S1 = np.array([[1.0, 1.0, 0.0], [4.0, 0.0, 0.0]])  # (2, 3)
_S2 = np.array(
    [[0.5, -1.2, 0.3, 1.1], [0.2, 0.4, -0.7, -0.1], [1.6, 0.9, -0.4, 0.0], [-0.8, 0.6, 0.1, 0.7], [2.1, -0.3, 0.8, 1.2]]
)  # (5, 4)
_S3 = np.array([[0.4, -0.9, 1.3, 0.2, 0.6, -0.5]])  # (1, 6)
_S4 = np.array([[0.7, -0.2, 1.1], [1.4, 0.3, -0.6], [0.1, 0.9, 0.5]])  # (3, 3)
_S5 = np.array([[30.0, 0.0, -5.0, 2.0], [0.0, 0.5, 1.0, -0.5]])  # (2, 4), a primeira linha saturada
_S6 = np.array([[0.8], [-1.5]])  # (2, 1)


def resposta_ao_empurrao(S, empurrao):
    A = softmax(S)
    R = np.zeros(S.shape)
    for m in range(S.shape[1]):
        T = S.copy()
        T[:, m] += empurrao
        R[:, m] = softmax(T)[:, m] - A[:, m]
    return R


def ocultos(rng):
    formas = [tuple(formas_de(rng, 2)) for _ in range(5)]
    n, m = formas[0]
    formas += [formas[0], (n, n), (1, m + 1), (n, 1)]
    empurroes = [round(float(e), 2) for e in rng.uniform(0.4, 1.6, size=len(formas)) * rng.choice([-1, 1], len(formas))]
    empurroes[0], empurroes[1] = abs(empurroes[0]), -abs(empurroes[1])
    casos = [caso((1.3 * rng.normal(size=f)).round(2), e) for f, e in zip(formas, empurroes, strict=True)]
    saturada = rng.normal(size=(3, 5)).round(2)
    saturada[rng.integers(3), rng.integers(5)] += 35
    return [*casos, caso(saturada, round(float(rng.uniform(0.5, 2)), 2))]


q = questao(
    "lista-03/resposta_ao_empurrao",
    assinatura="resposta_ao_empurrao(S, empurrao)",
    saida="array",
    referencia=resposta_ao_empurrao,
    casos=[
        caso(_S1, 1.0, claro=True, rotulo="o exemplo do enunciado"),
        caso(_S2, 0.5, rotulo="5 consultas, 4 chaves, empurrão 0,5"),
        caso(_S2, -0.7, rotulo="5 consultas, 4 chaves, empurrão para baixo"),
        caso(_S3, 1.2, rotulo="uma consulta só"),
        caso(_S4, 0.8, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(_S5, 1.0, rotulo="uma linha saturada"),
        caso(_S6, 0.6, rotulo="uma chave só"),
    ],
    ocultos=ocultos,
)


q.equivocos_curtos("""
empurra-a-linha-inteira: T[:, m] += empurrao → T += empurrao
    As respostas saíram todas 0. A softmax só vê diferenças, e somar o empurrão à linha inteira não muda nada (nem à
    coluna inteira, com a softmax nas colunas). A soma das mudanças da linha também é 0, porque o que um peso ganha os
    outros perdem. Empurre uma chave por vez e olhe só o peso dela.
nao-subtrai: softmax(T)[:, m] - A[:, m] → softmax(T)[:, m]
    Estes são os pesos depois do empurrão. A resposta é quanto eles mudaram: subtraia os de antes.
sinal-trocado: softmax(T)[:, m] - A[:, m] → A[:, m] - softmax(T)[:, m]
    O sinal está trocado. É o peso depois menos o peso antes.
empurra-os-pesos: T = S.copy() → T = A.copy()
        softmax(T)[:, m] - A[:, m] → T[:, m] / T.sum(axis=1) - A[:, m]
    O empurrão foi dado nos pesos, depois da softmax. Ele é nas pontuações, antes dela.
divide-pelo-empurrao: softmax(T)[:, m] - A[:, m] → (softmax(T)[:, m] - A[:, m]) / empurrao
    Você dividiu a mudança pelo empurrão. Aqui se pede só a mudança do peso.
acumula: T = S.copy() → T = S.copy() if m == 0 else T
    Os empurrões foram se acumulando. Quando chega a vez da segunda chave, a primeira ainda está empurrada. Comece cada
    vez das pontuações originais. Veja a Dica 2.
multiplica: T[:, m] += empurrao → T[:, m] *= 1 + empurrao
    O empurrão multiplicou a pontuação. Ele se soma a ela.
troca-pelo-empurrao: T[:, m] += empurrao → T[:, m] = empurrao
    A pontuação foi trocada pelo empurrão. Ele se soma a ela: += em vez de =.
mudanca-de-todos-os-pesos: softmax(T)[:, m] - A[:, m] → np.abs(softmax(T) - A).sum(axis=1)
    Você somou as mudanças de todos os pesos da linha, e saiu o dobro, porque o que a chave empurrada ganha as outras
    perdem. Pede-se só a mudança dela.
pela-derivada: softmax(S) * (1 - softmax(S)) * empurrao
    Isto é a conta com a derivada, que só vale para um empurrão minúsculo. Este não é. Refaça a softmax depois de
    empurrar.
so-a-derivada: softmax(S) * (1 - softmax(S))
    Isto é a derivada de cada peso em relação à própria pontuação. Refaça a softmax depois de empurrar e subtraia.
so-a-primeira-chave: R[:, m] = softmax(T)[:, m] - A[:, m] → R[:, m] = (softmax(T)[:, m] - A[:, m]) * (m == 0)
    Só a coluna da primeira chave foi preenchida. O return está dentro do laço?
so-a-primeira-consulta: return R → R[1:] = 0⏎return R
    Só a linha da primeira consulta foi preenchida. O return está dentro do laço?
sempre-o-primeiro-peso: softmax(T)[:, m] - A[:, m] → softmax(T)[:, 0] - A[:, 0]
    Você olhou sempre para o peso da primeira chave. Quando a chave empurrada é a m, olhe o peso dela.
sem-softmax: R[:, m] = softmax(T)[:, m] - A[:, m] → R[:, m] = T[:, m] - S[:, m]
    Saiu o próprio empurrão. Você comparou as pontuações, e pede-se a mudança dos pesos, depois da softmax.
em-modulo: return R → return np.abs(R)
    A resposta tem sinal. Um empurrão para baixo faz o peso descer, e a mudança é negativa.
empurra-para-o-outro-lado: T[:, m] += empurrao → T[:, m] -= empurrao
    O empurrão foi subtraído. Ele se soma à pontuação.
softmax-duas-vezes: A = softmax(S) → S = softmax(S)⏎A = softmax(S)
    A softmax entrou duas vezes. S já são as pontuações: empurre uma delas e aplique a softmax uma vez só.
transposta: return R → return R.T
    A saída está transposta. As linhas são das consultas e as colunas são das chaves, como em S.
um-por-linha: return R → return R.mean(axis=1)
    Saiu um número por consulta. Pede-se uma resposta para cada consulta e cada chave, com a forma de S.
altera-a-entrada: T = S.copy() → T = S
    Sua função escreveu dentro de uma das entradas. Faça a conta em um array novo.
""")


@q.equivoco
def softmax_nas_colunas(S, empurrao):
    """A softmax foi feita nas colunas. Cada linha é de uma consulta, e é ela que soma 1."""
    A = softmax(S, 0)
    return A * math.exp(empurrao) / (1 - A + A * math.exp(empurrao)) - A


@q.equivoco
def devolve_tudo(S, empurrao):
    """Vieram as mudanças de todos os pesos para cada empurrão, (N, M, M). De cada uma, fica só a da chave empurrada."""
    empurradas = S[:, None, :] + empurrao * np.eye(S.shape[1])
    return softmax(empurradas) - softmax(S)[:, None, :]


@q.alternativa
def com_lacos(S, empurrao):
    R = np.zeros(S.shape)
    for n in range(len(S)):
        for m in range(S.shape[1]):
            nova = [float(s) for s in S[n]]
            antes = [math.exp(s - max(nova)) for s in nova]
            nova[m] += empurrao
            depois = [math.exp(s - max(nova)) for s in nova]
            R[n, m] = depois[m] / sum(depois) - antes[m] / sum(antes)
    return R


@q.alternativa
def sem_lacos(S, empurrao):
    empurradas = S[:, None, :] + empurrao * np.eye(S.shape[1])  # (N, M, M)
    return np.einsum("nmm->nm", softmax(empurradas)) - softmax(S)


@q.alternativa
def uma_linha_por_vez(S, empurrao):
    linhas = []
    for s in S:
        depois = softmax(s + empurrao * np.eye(len(s)))  # (M, M)
        linhas.append(np.diag(depois) - softmax(s))
    return np.stack(linhas)


@q.alternativa
def com_torch_float32(S, empurrao):
    S = torch.tensor(S, dtype=torch.float32)
    depois = torch.softmax(S[:, None, :] + empurrao * torch.eye(S.shape[1]), dim=-1)
    return depois.diagonal(dim1=1, dim2=2) - torch.softmax(S, dim=-1)


@q.alternativa
def forma_fechada(S, empurrao):
    A = softmax(S)
    return A * math.exp(empurrao) / (1 - A + A * math.exp(empurrao)) - A


q.alternativas_curtas("""
float32: resposta_ao_empurrao(S.astype(np.float32), np.float32(empurrao))
""")
