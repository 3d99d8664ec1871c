"""A questão `jacobiana_softmax` da lista 02."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_02.softmax import softmax


def jacobiana_softmax(p):
    return np.diag(p) - np.outer(p, p)


def ocultos(rng):
    com_zero = softmax(rng.normal(size=4))
    com_zero[int(rng.integers(4))] = 0.0
    dez = softmax(rng.normal(size=9))
    return [
        caso(softmax(rng.normal(size=3))),
        caso(softmax(rng.normal(size=5))),
        caso(softmax(rng.normal(size=2))),
        caso(softmax(2 * rng.normal(size=7))),
        caso(com_zero / com_zero.sum()),
        caso(np.eye(4)[int(rng.integers(4))]),
        caso(np.array([1.0])),
        caso(rng.permutation([0.004, *(0.996 * dez)])),
        caso(softmax(rng.normal(size=3))),
    ]


q = questao(
    "lista-02/jacobiana_softmax",
    assinatura="jacobiana_softmax(p)",
    saida="array",
    referencia=jacobiana_softmax,
    casos=[
        caso(np.array([0.5, 0.3, 0.2]), claro=True, rotulo="o exemplo do enunciado"),
        caso(np.array([0.1, 0.2, 0.3, 0.4]), rotulo="quatro pesos"),
        caso(np.array([0.9, 0.1]), rotulo="dois pesos"),
        caso(np.array([0.25, 0.0, 0.6, 0.1, 0.05]), rotulo="um peso zero"),
        caso(np.array([0.0, 1.0, 0.0]), rotulo="um peso só leva tudo"),
        caso(np.array([1.0]), rotulo="um peso só, N = 1"),
        caso(
            np.array([0.2, 0.005, 0.1, 0.05, 0.25, 0.015, 0.125, 0.08, 0.15, 0.025]),
            rotulo="dez pesos, alguns pequenos",
        ),
    ],
    ocultos=ocultos,
    propriedades=["linhas-somam-0", "simetrica"],
)

q.equivocos_curtos("""
so-diag-p: np.diag(p)
    Você devolve só diag(p). Falta descontar o efeito da soma no denominador: ela muda com todas as pontuações.
so-a-diagonal: np.diag(p * (1 - p))
    A diagonal está certa, mas o resto é zero. Quando uma pontuação sobe, os outros pesos descem: preencha fora da
    diagonal. Veja a Dica 1.
sem-a-diagonal: -np.outer(p, p)
    Fora da diagonal está certo. Na diagonal falta somar p_i: é o termo que só existe quando i = j.
diagonal-zerada: return np.diag(p) - np.outer(p, p) → J = -np.outer(p, p)⏎np.fill_diagonal(J, 0.0)⏎return J
    Fora da diagonal está certo, mas a diagonal ficou em zero. Quanto muda o peso i quando sobe a própria pontuação i?
sinal-trocado: np.outer(p, p) - np.diag(p)
    Todos os sinais estão trocados: na diagonal os valores devem ser positivos (subir uma pontuação sobe o seu peso).
soma-em-vez-de-subtrair: np.diag(p) + np.outer(p, p)
    Você soma o produto externo em vez de subtraí-lo, e as linhas não somam 0: o que um peso ganha, os outros têm de
    perder.
externo-sem-menos: np.outer(p, p)
    Isto é só o produto externo p pᵀ. Falta o diag(p), e falta o sinal de menos.
fora-da-diagonal-positivo: np.outer(p, p) * (1 - 2 * np.eye(len(p))) + np.diag(p)
    A diagonal está certa; fora dela falta o sinal de menos. Subir uma pontuação faz os outros pesos caírem.
softmax-de-novo: jacobiana_softmax(softmax(p))
    Você aplicou softmax a `p`, mas `p` já são as probabilidades. Use-as como vêm.
produto-interno: np.diag(p) - p @ p.T
    Você subtrai o mesmo número de todas as posições: com vetores, p @ p.T é o produto escalar. Aqui é preciso a matriz
    (N, N) dos produtos p_i p_j. Veja a Dica 2.
p-ao-quadrado: np.diag(p) - p**2
    Você subtrai p² de cada linha. Fora da diagonal o termo é p_i p_j, com dois índices diferentes.
sem-delta-nas-linhas: p - np.outer(p, p)
    O primeiro p aparece em todas as linhas, e só deveria aparecer na diagonal: é o papel do δ_ij (1 se i = j, 0 se
    não).
sem-delta-nas-colunas: p[:, None] - np.outer(p, p)
    Você tem p_i (1 − p_j) em toda parte. O 1 só vale na diagonal: é o δ_ij (1 se i = j, 0 se não).
desconta-duas-vezes: np.diag(p * (1 - p)) - np.outer(p, p)
    Fora da diagonal está certo, mas nela o p_i² foi descontado duas vezes: uma em p_i(1 − p_i) e outra no produto
    externo.
um-vetor: p * (1 - p)
    Você devolve um vetor p(1 − p), só a diagonal. Cada peso depende de todas as pontuações: o resultado é (N, N).
jacobiana-do-log: np.eye(len(p)) - p
    Isto é a derivada do logaritmo dos pesos. Para a do peso, multiplique cada linha i por p_i.
some-com-eixo-de-tamanho-1: np.squeeze(jacobiana_softmax(p))
    Com um peso só, a saída perdeu as dimensões. O resultado é sempre (N, N), e com N = 1 é (1, 1): veja se há um
    squeeze a mais.
arredonda: np.round(jacobiana_softmax(p), 3)
    Você arredondou a saída, e as entradas pequenas perderam os seus algarismos. Devolva a conta como ela é.
if-ao-contrario: np.where(np.eye(len(p), dtype=bool), -np.outer(p, p), p[:, None] * (1 - p[:, None]))
    Os dois casos estão trocados: p_i(1 − p_i) foi parar fora da diagonal, e −p_i·p_j, nela. Confira a pergunta do if: a
    diagonal é i = j.
indice-repetido: p[:, None] * (np.eye(len(p)) - p[:, None])
    Fora da diagonal saiu −p_i², com o mesmo índice duas vezes. Ali entram dois pesos diferentes, p_i e p_j.
so-a-primeira-linha:
        return np.diag(p) - np.outer(p, p) → J = np.diag(p) - np.outer(p, p)⏎J[1:] = 0⏎return J
    Só a primeira linha foi preenchida. O return está dentro do laço?
so-o-triangulo-de-cima: np.triu(np.diag(p) - np.outer(p, p))
    Abaixo da diagonal ficou zero. A jacobiana é simétrica: a entrada (j, i) é igual à (i, j).
diag-de-uma-coluna: np.diag(p) → np.diag(p[:, None])
    O np.diag recebeu uma coluna (N, 1), e dela só tira o primeiro número, em vez de montar a matriz. Dê a ele o vetor
    p, ou use np.diagflat.
""")


@q.alternativa
def dois_lacos(p):
    J = np.zeros((len(p), len(p)))
    for i in range(len(p)):
        for j in range(len(p)):
            J[i, j] = p[i] * (1 - p[i]) if i == j else -p[i] * p[j]
    return J


@q.alternativa
def com_torch_float32(p):
    q = torch.tensor(p, dtype=torch.float32)
    return torch.diag(q) - torch.outer(q, q)


q.alternativas_curtas("""
com-delta: p[:, None] * (np.eye(p.size) - p[None, :])
com-einsum: np.einsum("i,ij->ij", p, np.eye(len(p))) - np.einsum("i,j->ij", p, p)
autograd: torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=0), torch.tensor(p).log())
coluna-vezes-linha:
        return np.diag(p) - np.outer(p, p) → coluna = p.reshape(-1, 1)⏎return np.eye(len(p)) * p - coluna @ coluna.T
""")
