"""A questão `norma_jacobiana` da lista 03."""

import math

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_03.comum import (
    A1,
    A2,
    A4,
    A5,
    A6,
    A7,
    A8,
    A9,
    ocultos_saturacao,
    softmax,  # noqa: F401 (usado nas tabelas)
)

_J1 = np.array([[0.5, 0.5], [0.8, 0.2], [1.0, 0.0]])  # (3, 2)


def _jacobianas(A):
    return np.einsum("nm,mk->nmk", A, np.eye(A.shape[1])) - A[:, :, None] * A[:, None, :]  # (N, M, M)


def norma_jacobiana(A):
    return np.sqrt((_jacobianas(A) ** 2).sum(axis=(1, 2)))


q = questao(
    "lista-03/norma_jacobiana",
    assinatura="norma_jacobiana(A)",
    saida="array",
    referencia=norma_jacobiana,
    casos=[
        caso(_J1, claro=True, rotulo="o exemplo do enunciado"),
        caso(A2, rotulo="5 consultas, 4 chaves"),
        caso(A4, rotulo="uma linha já saturada"),
        caso(A1, rotulo="2 consultas, 3 chaves"),
        caso(A5, rotulo="uma consulta só"),
        caso(A6, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(A7, rotulo="uma chave só"),
        caso(A8, rotulo="outra vez 2 consultas e 3 chaves"),
        caso(A9, rotulo="16 chaves, pesos quase iguais"),
    ],
    ocultos=ocultos_saturacao,
)

q.equivocos_curtos("""
sem-raiz: (_jacobianas(A) ** 2).sum(axis=(1, 2))
    Isto é a soma dos quadrados das entradas: falta a raiz quadrada da norma de Frobenius. Veja a Dica 3.
traco: (A * (1 - A)).sum(axis=1)
    Isto é o traço da jacobiana (que é também a norma nuclear). A de Frobenius eleva cada entrada ao quadrado, soma e
    tira a raiz.
norma-espectral: np.linalg.norm(_jacobianas(A), ord=2, axis=(1, 2))
    Isto é a norma espectral, o maior autovalor (np.linalg.norm com ord=2). Pede-se a de Frobenius.
so-a-diagonal: np.linalg.norm(A * (1 - A), axis=1)
    Só a diagonal a_i(1 − a_i) entrou na conta. Fora dela há os termos −a_i·a_j; confira também se o último termo da sua
    fórmula é o quadrado da soma, e não a soma das quartas potências.
sinal-trocado: np.sqrt(((2 * A[:, :, None] * np.eye(A.shape[1]) - _jacobianas(A)) ** 2).sum(axis=(1, 2)))
    A jacobiana saiu com diag(a) + aaᵀ. O sinal é de menos: quando um peso sobe, os outros descem.
so-o-produto-externo: (A**2).sum(axis=1)
    Você mediu só aaᵀ. A jacobiana é diag(a) menos isso.
so-a-norma-dos-pesos: np.linalg.norm(A, axis=1)
    Você mediu a norma da linha de pesos (ou de diag(a)). Falta subtrair aaᵀ: repare que uma linha saturada deve dar 0.
todas-as-linhas-juntas: np.linalg.norm(_jacobianas(A))
    Saiu um número só, a norma de todas as jacobianas empilhadas. Pede-se uma norma por linha de A: some sobre os dois
    últimos eixos.
devolve-as-jacobianas: _jacobianas(A)
    Você devolveu as próprias jacobianas, (N, M, M). Falta medir o tamanho de cada uma com um número. Veja a Dica 2.
uma-norma-por-linha-da-jacobiana: np.linalg.norm(_jacobianas(A), axis=-1)
    Saiu uma norma para cada linha de cada jacobiana, (N, M). Some os quadrados nos dois últimos eixos de uma vez.
pelas-colunas: norma_jacobiana(A.T)
    Você tratou cada coluna de A como uma distribuição: saíram M números. Cada linha de A é de uma consulta.
softmax-de-novo: norma_jacobiana(softmax(A))
    Parece que a softmax foi aplicada outra vez. A já traz os pesos: use-os como estão.
soma-dos-modulos: np.abs(_jacobianas(A)).sum(axis=(1, 2))
    Você somou os módulos das entradas. A norma de Frobenius soma os quadrados e tira a raiz.
media-em-vez-de-soma: np.sqrt((_jacobianas(A) ** 2).mean(axis=(1, 2)))
    Você tirou a raiz da média dos quadrados, em vez da raiz da soma: saiu M vezes menor.
perde-o-eixo-de-tamanho-1: norma_jacobiana(A).squeeze()
    Com uma consulta só, saiu um número solto (squeeze?). A resposta é sempre um vetor (N,), mesmo com N = 1.
forma-fechada-sem-o-quadrado: np.sqrt(np.maximum(2 * (A**2).sum(axis=1) - 2 * (A**3).sum(axis=1), 0))
    Na forma fechada, o último termo é o quadrado de Σa², e o seu entrou sem o quadrado.
so-a-primeira-linha: float(norma_jacobiana(A)[0])
    Saiu um número só, o da primeira linha de A. O return está dentro do laço? Guarde uma norma para cada linha.
produto-interno: np.array([np.linalg.norm(np.diag(a) - a @ a.T) for a in A])
    Com vetores, a @ a.T é um número, e você o subtraiu de todas as entradas. Aqui é preciso a matriz dos produtos
    a_i·a_j, o produto externo.
quadrado-em-cada-linha: np.array([np.linalg.norm(np.diag(a) - a * a) for a in A])
    Você subtraiu a² de cada linha da jacobiana. Fora da diagonal o termo é a_i·a_j, com dois índices diferentes.
quadrado-depois-da-soma: np.abs(_jacobianas(A).sum(axis=(1, 2)))
    Todas as normas saíram 0, porque as entradas de J se cancelam na soma. Eleve cada uma ao quadrado antes de somar:
    np.sum(J**2).
diag-da-matriz-inteira: np.linalg.norm(np.diag(A) - np.outer(A, A))
    Você deu a matriz A inteira ao np.diag, que dela só tira a diagonal. Há uma J para cada linha de A: faça um laço
    (for a in A) e guarde as N normas.
diag-menos-A-A-T: np.linalg.norm(np.diag(A) - A @ A.T)
    Você deu a matriz A inteira ao np.diag, que dela só tira a diagonal. Há uma J para cada linha de A: faça um laço
    (for a in A) e guarde as N normas.
so-a-da-ultima-linha: float(norma_jacobiana(A)[-1])
    Saiu só a norma da última linha de A. Guarde uma em cada volta do laço: são N.
""")


@q.equivoco
def sem_a_diagonal(A):
    """Só entraram os termos de fora da diagonal. Cada peso também responde à própria pontuação."""
    J = _jacobianas(A)
    J[:, np.arange(A.shape[1]), np.arange(A.shape[1])] = 0
    return np.sqrt((J**2).sum(axis=(1, 2)))


@q.equivoco
def forma_fechada_com_sinal_trocado(A):
    """Isto é a forma fechada com um sinal trocado, e debaixo da raiz apareceu número negativo. Refaça o quadrado de
    diag(a) − aaᵀ: qual é o sinal do termo (Σa²)²?"""
    s2, s3 = (A**2).sum(axis=1), (A**3).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.sqrt(s2 - 2 * s3 - s2**2)


@q.alternativa
def com_lacos(A):
    normas = []
    for a in A:
        J = np.diag(a) - np.outer(a, a)
        normas.append(math.sqrt(sum(float(x) ** 2 for x in J.ravel())))
    return np.array(normas)


@q.alternativa
def forma_fechada(A):
    s2, s3 = (A**2).sum(axis=1), (A**3).sum(axis=1)
    return np.sqrt(np.maximum(s2 - 2 * s3 + s2**2, 0))


@q.alternativa
def forma_fechada_sem_cuidado(A):
    # Em uma linha quase saturada, o arredondamento pode deixar a conta negativa. Nas dos casos, nunca: ou a linha está
    # saturada de todo, e a conta é exata, ou está longe disso (tests/test_banco.py).
    s2, s3 = (A**2).sum(axis=1), (A**3).sum(axis=1)
    return np.sqrt(s2 - 2 * s3 + s2**2)


@q.alternativa
def forma_fechada_float32(A):
    A = A.astype(np.float32)
    s2, s3 = (A**2).sum(axis=1), (A**3).sum(axis=1)
    return np.sqrt(s2 - 2 * s3 + s2**2)


@q.alternativa
def forma_fechada_torch_float32(A):
    A = torch.tensor(A, dtype=torch.float32)
    s2 = (A**2).sum(1)
    return (s2 - 2 * (A**3).sum(1) + s2**2).sqrt()


@q.alternativa
def com_torch_float32(A):
    A = torch.tensor(A, dtype=torch.float32)
    return torch.linalg.matrix_norm(torch.diag_embed(A) - A[:, :, None] * A[:, None, :])


q.alternativas_curtas("""
linalg-norm: np.array([np.linalg.norm(np.diag(a) - np.outer(a, a)) for a in A])
autovalores: np.sqrt((np.linalg.eigvalsh(_jacobianas(A)) ** 2).sum(axis=1))
float32: norma_jacobiana(A.astype(np.float32))
""")
