"""A questão `resposta_ao_empurrao` da lista 03."""

import math

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_03.comum import K1, K2, K3, K7, K9, Q1, Q2, Q3, Q7, Q9, formas_de, softmax

_Q4 = np.array([[0.5, 1.0, -0.5, 2.0], [1.5, -1.0, 0.75, 0.5], [-0.25, 2.0, 1.0, -1.5]])  # (3, 4)
_K4 = np.array(
    [
        [1.0, -0.5, 1.25, 0.75],
        [0.5, 0.25, -1.0, 1.5],
        [-1.25, 1.0, 0.5, -0.5],
        [0.75, 1.5, -0.25, 1.0],
        [0.2, 0.4, 2.0, 0.1],
    ]
)  # (5, 4)
_K5 = np.array([[1.2, 0.4, -0.3]])  # (1, 3): uma chave só
_Q6 = np.array([[0.5, 0.25], [9.0, -2.0]])  # (2, 2), a segunda consulta satura
_K6 = np.array([[2.0, 0.5], [-1.0, 1.5], [0.5, -1.0]])  # (3, 2)


def resposta_ao_empurrao(Q, K, divisor, empurrao):
    A = softmax(Q @ K.T / divisor)
    R = np.zeros(A.shape)
    for m, k in enumerate(K):
        passo = empurrao * k / np.linalg.norm(k)
        depois = softmax((Q + passo) @ K.T / divisor)
        R[:, m] = depois[:, m] - A[:, m]
    return R


MAIOR = 40.0  # nenhuma pontuação dividida passa disto, antes ou depois do passo: está no enunciado, e um teste olha


def ocultos(rng):
    """Chaves de normas diferentes, pontuações que não saturam; o divisor nunca é 1, nem √d_k, nem d_k."""
    formas = [tuple(formas_de(rng, 3)) for _ in range(5)]
    n, m, d_k = formas[0]
    formas += [formas[0], (n, n, d_k), (m, m, m), (1, m + 1, d_k), (n, 1, d_k), (4, 6, 64)]
    empurroes = [round(float(e), 2) for e in rng.uniform(0.4, 1.6, size=len(formas)) * rng.choice([-1, 1], len(formas))]
    empurroes[0], empurroes[1] = abs(empurroes[0]), -abs(empurroes[1])
    casos = []
    for (n, m, d), empurrao in zip(formas, empurroes, strict=True):
        normas = rng.uniform(0.5, 2.0, size=(m, 1))
        Q, K = rng.normal(size=(n, d)).round(2), (normas * rng.normal(size=(m, d))).round(2) + 0.001
        casos.append(caso(Q, K, round(float(np.sqrt(d) * rng.uniform(1.2, 1.9)), 2), empurrao))
    Q, K = rng.normal(size=(3, 4)).round(2), rng.normal(size=(5, 4)).round(2) + 0.001
    n = rng.integers(3)
    Q[n] *= MAIOR / 2 * 2.5 / np.abs(Q[n] @ K.T).max()  # uma consulta saturada
    return [*casos, caso(Q, K, 2.5, round(float(rng.uniform(0.5, 1.5)), 2))]


q = questao(
    "lista-03/resposta_ao_empurrao",
    assinatura="resposta_ao_empurrao(Q, K, divisor, empurrao)",
    saida="array",
    referencia=resposta_ao_empurrao,
    casos=[
        caso(
            np.array([[1.0, 0.0], [0.0, 1.0]]),
            np.array([[3.0, 4.0], [0.0, -2.0]]),
            2.0,
            0.5,
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(Q1, K1, 3.0, 0.5, rotulo="2 consultas, 3 chaves, empurrão 0,5"),
        caso(_Q4, _K4, 1.6, -0.7, rotulo="3 consultas, 5 chaves, empurrão para baixo"),
        caso(Q2, K2, 0.8, 0.4, rotulo="5 consultas, 2 chaves, divisor 0,8"),
        caso(Q3, K3, 1.5, 1.2, rotulo="uma consulta só"),
        caso(Q7, K7, 2.5, 0.8, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(Q9, K9, 6.0, 1.0, rotulo="d_k = 100, divisor 6"),
        caso(_Q6, _K6, 0.5, 0.5, rotulo="uma linha saturada"),
        caso(Q2, _K5, 1.3, 0.6, rotulo="uma chave só"),
    ],
    ocultos=ocultos,
)


q.equivocos_curtos("""
empurra-a-pontuacao: softmax((Q + passo) @ K.T / divisor) → softmax(Q @ K.T / divisor + empurrao * np.eye(len(K))[m])
    O empurrão foi dado na pontuação. Ele é na consulta, que anda um passo na direção da chave, e chega à pontuação
    já mudado pela norma da chave e pelo divisor.
empurra-o-produto: softmax((Q + passo) @ K.T / divisor) → softmax((Q @ K.T + empurrao * np.eye(len(K))[m]) / divisor)
    O empurrão foi somado ao produto escalar. Ele é na consulta: ande com ela e refaça as pontuações de todas as chaves.
passo-sem-norma: empurrao * k / np.linalg.norm(k) → empurrao * k
    Seu passo é maior quando a chave é mais longa. Ele deve ter sempre o tamanho do empurrão: divida a chave pela norma
    dela. Veja a Dica 2.
norma-ao-quadrado: np.linalg.norm(k) → (k @ k)
    Você dividiu a chave pelo quadrado da norma. Falta a raiz.
norma-da-matriz: np.linalg.norm(k) → np.linalg.norm(K)
    A norma é a da matriz K inteira. Cada passo se divide pela norma da própria chave.
norma-da-consulta: np.linalg.norm(k) → np.linalg.norm(Q, axis=1, keepdims=True)
    Você dividiu pela norma da consulta. Quem dá a direção do passo é a chave, e é a norma dela que se divide.
anda-na-consulta: k / np.linalg.norm(k) → Q / np.linalg.norm(Q, axis=1, keepdims=True)
    A consulta andou na própria direção, e só ficou mais longa. O passo é na direção da chave.
so-a-chave-muda: softmax((Q + passo) @ K.T / divisor) → softmax((Q @ K.T + np.eye(len(K))[m] * (passo @ k)) / divisor)
    Só a pontuação da chave m mudou na sua conta. Quando a consulta anda, mudam as pontuações de todas as chaves.
nao-subtrai: depois[:, m] - A[:, m] → depois[:, m]
    Estes são os pesos depois do empurrão. A resposta é quanto eles mudaram: subtraia os de antes.
sinal-trocado: depois[:, m] - A[:, m] → A[:, m] - depois[:, m]
    O sinal está trocado. É o peso depois menos o peso antes.
divide-pelo-empurrao: depois[:, m] - A[:, m] → (depois[:, m] - A[:, m]) / empurrao
    Você dividiu a mudança pelo empurrão. Aqui se pede só a mudança do peso.
ignora-o-divisor: A = softmax(Q @ K.T / divisor) → A = softmax(Q @ K.T)
        softmax((Q + passo) @ K.T / divisor) → softmax((Q + passo) @ K.T)
    O divisor não entrou na conta. Divida as pontuações por ele, antes e depois do empurrão.
sempre-a-raiz: A = softmax(Q @ K.T / divisor) → A = softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
        softmax((Q + passo) @ K.T / divisor) → softmax((Q + passo) @ K.T / np.sqrt(Q.shape[-1]))
    As pontuações foram divididas por √d_k, e o divisor recebido ficou de fora. Sua função pontuacoes só conhece √d_k.
divide-duas-vezes: A = softmax(Q @ K.T / divisor) → A = softmax(Q @ K.T / np.sqrt(Q.shape[-1]) / divisor)
        softmax((Q + passo) @ K.T / divisor) → softmax((Q + passo) @ K.T / np.sqrt(Q.shape[-1]) / divisor)
    As pontuações foram divididas por √d_k e também pelo divisor. Aqui o divisor é só o que se recebe.
divisor-so-depois: A = softmax(Q @ K.T / divisor) → A = softmax(Q @ K.T)
    O divisor entrou nos pesos de depois, mas não nos de antes. A conta é a mesma dos dois lados.
acumula: / np.linalg.norm(k) → / np.linalg.norm(k) + (passo if m else 0)
    Os empurrões foram se acumulando. Quando chega a vez da segunda chave, a consulta ainda está onde o primeiro passo a
    deixou. Comece cada vez do Q original.
mudanca-de-todos-os-pesos: depois[:, m] - A[:, m] → np.abs(depois - A).sum(axis=1)
    Você somou as mudanças de todos os pesos da linha. Pede-se só a da chave m.
so-a-primeira-chave: depois[:, m] - A[:, m] → (depois[:, m] - A[:, m]) * (m == 0)
    Só a coluna da primeira chave foi preenchida. O return está dentro do laço?
so-a-primeira-consulta: return R → R[1:] = 0⏎return R
    Só a linha da primeira consulta foi preenchida. O return está dentro do laço?
sempre-o-primeiro-peso: depois[:, m] - A[:, m] → depois[:, 0] - A[:, 0]
    Você olhou sempre para o peso da primeira chave. Quando se anda rumo à chave m, olhe o peso dela.
sem-softmax: depois[:, m] - A[:, m] → (passo @ K.T / divisor)[m]
    Saiu a mudança da pontuação. Pede-se a dos pesos, depois da softmax.
em-modulo: return R → return np.abs(R)
    A resposta tem sinal. Um passo para trás faz o peso descer, e a mudança é negativa.
anda-para-o-outro-lado: (Q + passo) → (Q - passo)
    A consulta andou para longe da chave. O passo se soma a ela.
anda-a-chave: (Q + passo) @ K.T → Q @ (K + np.eye(len(K))[m][:, None] * passo).T
    Quem andou foi a chave. O passo é da consulta, e as chaves ficam onde estão.
transposta: return R → return R.T
    A saída está transposta. As linhas são das consultas e as colunas são das chaves.
um-por-linha: return R → return R.mean(axis=1)
    Saiu um número por consulta. Pede-se uma resposta para cada consulta e cada chave, com a forma (N, M).
altera-a-entrada: (Q + passo) → (np.add(Q, passo, out=Q))
    Sua função escreveu dentro de uma das entradas. Faça a conta em um array novo, sem +=.
""")


@q.equivoco
def softmax_nas_colunas(Q, K, divisor, empurrao):
    """As respostas saíram todas 0: o que você comparou não muda com o empurrão. Isso acontece com a softmax nas
    colunas, com as chaves andando todas juntas e com a soma da linha inteira, que é sempre 1. Cada linha é de uma
    consulta, só a consulta anda, e se compara o peso de uma chave."""
    A = softmax(Q @ K.T / divisor, 0)
    R = np.zeros(A.shape)
    for m, k in enumerate(K):
        R[:, m] = softmax((Q + empurrao * k / np.linalg.norm(k)) @ K.T / divisor, 0)[:, m] - A[:, m]
    return R


@q.equivoco
def pela_derivada(Q, K, divisor, empurrao):
    """Isto é a conta com a derivada, que só vale para um empurrão minúsculo. Este não é. Refaça a softmax depois de
    andar."""
    A = softmax(Q @ K.T / divisor)
    G = (K / np.linalg.norm(K, axis=1, keepdims=True)) @ K.T / divisor * empurrao  # (M, M)
    return A * (np.diag(G) - A @ G.T)


@q.equivoco
def devolve_tudo(Q, K, divisor, empurrao):
    """Vieram as mudanças de todos os pesos para cada passo, (N, M, M). De cada uma, fica só a da chave rumo à qual se
    andou."""
    passos = empurrao * K / np.linalg.norm(K, axis=1, keepdims=True)
    return softmax((Q[:, None, :] + passos) @ K.T / divisor) - softmax(Q @ K.T / divisor)[:, None, :]


@q.alternativa
def com_lacos(Q, K, divisor, empurrao):
    R = np.zeros((len(Q), len(K)))
    for n in range(len(Q)):
        for m in range(len(K)):
            norma = math.sqrt(sum(float(x) ** 2 for x in K[m]))
            andou = [float(a) + empurrao * float(b) / norma for a, b in zip(Q[n], K[m], strict=True)]
            pesos = []
            for vetor in (Q[n], andou):
                s = [sum(float(a) * float(b) for a, b in zip(vetor, k, strict=True)) / divisor for k in K]
                e = [math.exp(x - max(s)) for x in s]
                pesos.append(e[m] / sum(e))
            R[n, m] = pesos[1] - pesos[0]
    return R


@q.alternativa
def sem_lacos(Q, K, divisor, empurrao):
    passos = empurrao * K / np.linalg.norm(K, axis=1, keepdims=True)  # (M, d_k)
    depois = softmax((Q[:, None, :] + passos) @ K.T / divisor)  # (N, M, M)
    return np.einsum("nmm->nm", depois) - softmax(Q @ K.T / divisor)


@q.alternativa
def soma_nas_pontuacoes(Q, K, divisor, empurrao):
    S = Q @ K.T / divisor
    colunas = []
    for m in range(len(K)):
        soma = empurrao * (K @ K[m]) / (np.sqrt((K[m] ** 2).sum()) * divisor)  # (M,): quanto muda cada pontuação
        colunas.append(softmax(S + soma)[:, m] - softmax(S)[:, m])
    return np.stack(colunas, axis=1)


@q.alternativa
def uma_consulta_por_vez(Q, K, divisor, empurrao):
    direcoes = K / np.linalg.norm(K, axis=1)[:, None]
    linhas = []
    for q in Q:
        depois = softmax((q + empurrao * direcoes) @ K.T / divisor)  # (M, M)
        linhas.append(np.diag(depois) - softmax(q @ K.T / divisor))
    return np.stack(linhas)


@q.alternativa
def com_torch_float32(Q, K, divisor, empurrao):
    Q, K = torch.tensor(Q, dtype=torch.float32), torch.tensor(K, dtype=torch.float32)
    passos = empurrao * K / K.norm(dim=1, keepdim=True)
    depois = torch.softmax((Q[:, None, :] + passos) @ K.T / divisor, dim=-1)
    return depois.diagonal(dim1=1, dim2=2) - torch.softmax(Q @ K.T / divisor, dim=-1)


q.alternativas_curtas("""
sem-o-maximo: A = softmax(Q @ K.T / divisor) → A = np.exp(Q @ K.T / divisor)⏎A = A / A.sum(axis=1, keepdims=True)
        depois = softmax((Q + passo) @ K.T / divisor) → depois = np.exp((Q + passo) @ K.T / divisor)
        depois[:, m] - A[:, m] → depois[:, m] / depois.sum(axis=1) - A[:, m]
float32: resposta_ao_empurrao(Q.astype(np.float32), K.astype(np.float32), np.float32(divisor), np.float32(empurrao))
""")
