"""A questão `dicionario_suave` da lista 04."""

import math

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_04.comum import fracoes, normal, softmax

_q1 = np.array([1.0, 0.5])
_K1 = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])  # (3, 2)
_V1 = np.array([[10.0, 0.0, 1.0, 2.0], [0.0, 10.0, 3.0, 1.0], [5.0, 5.0, 0.0, 4.0]])  # (3, 4)
_q2 = np.array([0.6, -0.4, 0.9])
_K2 = np.array([[0.5, 0.8, -0.3], [-0.7, 0.2, 0.9], [0.4, -0.6, 0.1], [1.1, 0.3, 0.5], [-0.2, -0.9, 0.7]])  # (5, 3)
_V2 = np.array([[0.3, 1.2], [-0.8, 0.5], [0.9, -0.4], [0.1, 0.7], [1.5, -0.6]])  # (5, 2)
_q3 = np.array([1.0, -0.5, 0.25])
_K3 = np.array([[1.0, 0.5, 0.0], [0.5, -0.5, 0.0], [-1.0, 0.0, 1.0], [0.25, 0.5, 1.0]])  # K q: 0,75 0,75 −0,75 0,25
_V3 = np.array([[2.0, 0.5], [1.0, -1.5], [0.0, 3.0], [4.0, 1.0]])
# A consulta começa por 1: tirar 1/4096 (ou 1/64) do primeiro número de uma chave tira o mesmo da pontuação.
_K4 = np.array([[1.0, 0.5, 0.0], [1.0 - 2.0**-12, 0.5, 0.0], [-1.0, 0.0, 1.0], [0.25, 0.5, 1.0]])
_K5 = np.array([[0.25, 0.5, 1.0], [1.0 - 2.0**-6, 0.5, 0.0], [1.0, 0.5, 0.0], [-1.0, 0.0, 1.0], [0.5, -0.5, -1.0]])
_V5 = np.array([[3.0], [-1.0], [2.0], [0.5], [4.0]])


def dicionario_suave(consulta, chaves, valores, beta):
    return softmax(beta * (chaves @ consulta)) @ valores


def _chaves_com_empate(rng, m, d):
    """Chaves e consulta em oitavos, com dois vencedores empatados e os outros pelo menos 1/64 abaixo."""
    while True:
        q, K = fracoes(rng, 8, d), fracoes(rng, 8, m, d)
        K[m - 1] = K[0]
        s = K @ q
        if s.argmax() == 0 and (s == s[0]).sum() == 2 and s[0] > 0 and not np.allclose(np.linalg.norm(K, axis=1), 1):
            return q, K


def _chaves_por_um_triz(rng, m, d, folga):
    """Como as empatadas, mas uma das duas fica atrás só por `folga`, uma potência de dois."""
    while True:
        q, K = fracoes(rng, 8, d), fracoes(rng, 8, m, d)
        q[0], K[m - 1] = 1.0, K[0]
        s = K @ q
        if s.argmax() == 0 and (s == s[0]).sum() == 2 and s[0] > 0.25:
            K[m - 1, 0] -= folga
            return q, K[rng.permutation(m)]


def ocultos(rng):
    casos = []
    for beta in rng.permutation([0.5, 1.5, 2.0, 3.0, 0.75]):
        m, d, d_v = (int(n) for n in rng.choice([3, 4, 5, 6, 7], size=3, replace=False))
        casos.append(caso(normal(rng, d), normal(rng, m, d), normal(rng, m, d_v), float(beta)))
    casos.append(caso(normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 2), 0.0))
    q, K = _chaves_com_empate(rng, 5, 3)
    casos.append(caso(q, K, normal(rng, 5, 4), 2.0**14, parte="beta grande"))
    casos.append(caso(-q, K, normal(rng, 5, 2), 2.0**14, parte="beta grande"))
    casos.append(caso(q, K, normal(rng, 5, 2), 2.0))
    casos.append(caso(normal(rng, 3), normal(rng, 3, 3), normal(rng, 3, 3), 1.25))
    for folga, beta, d_v in ((2.0**-12, 2.0**14, 2), (2.0**-6, 64.0, 1)):
        V = fracoes(rng, 4, 5, d_v) + 3.0 * np.arange(5)[:, None]  # valores distantes: o peso de cada um aparece
        parte = "beta grande" if beta > 1000 else "contas"
        casos.append(caso(*_chaves_por_um_triz(rng, 5, 3, folga), V, beta, parte=parte))
    casos.append(caso(normal(rng, 4), normal(rng, 1, 4), normal(rng, 1, 3), 1.5))
    casos.append(caso(fracoes(rng, 4, 3), fracoes(rng, 4, 6, 3), normal(rng, 6, 4), 8.0))
    casos.append(caso(normal(rng, 1), normal(rng, 4, 1), normal(rng, 4, 2), 2.0))
    return casos


q = questao(
    "lista-04/dicionario_suave",
    assinatura="dicionario_suave(consulta, chaves, valores, beta)",
    saida="array",
    referencia=dicionario_suave,
    casos=[
        caso(_q1, _K1, _V1, 2.0, claro=True, rotulo="o exemplo do enunciado"),
        caso(_q2, _K2, _V2, 0.5, rotulo="5 chaves, beta 0,5"),
        caso(_q2, _K2, _V2, 3.0, rotulo="5 chaves, beta 3"),
        caso(_q2, _K2, _V2, 0.0, rotulo="beta 0"),
        caso(_q3, _K3, _V3, 16384.0, rotulo="beta 16 384, com duas chaves empatadas", parte="beta grande"),
        caso(-_q3, _K3[:2], _V3[:2], 16384.0, rotulo="beta 16 384, pontuações negativas", parte="beta grande"),
        caso(_q2, _K2[:3], _K2[2:], 1.5, rotulo="3 chaves em 3-D, valores em 3-D"),
        caso(_q3, _K4, _V3, 16384.0, rotulo="beta 16 384, e a segunda chave perde por 1/4096", parte="beta grande"),
        caso(_q3, _K5, _V5, 64.0, rotulo="beta 64, d_v = 1, e a segunda colocada perde por 1/64"),
        caso(_q2, _K2[:1], _K2[1:2], 1.5, rotulo="uma chave só"),
    ],
    ocultos=ocultos,
    partes={"contas": 0.75, "beta grande": 0.25},
)

q.equivocos_curtos("""
sem-beta: softmax(chaves @ consulta) @ valores
    Seja qual for o beta, sua saída é a mesma. Ele multiplica as pontuações, antes da exponencial; se multiplicar as
    exponenciais, cancela-se na divisão.
com-raiz-de-dk: softmax(beta * (chaves @ consulta) / np.sqrt(len(consulta))) @ valores
    Você dividiu as pontuações por √d_k. Neste dicionário não há essa escala: quem faz o papel dela é beta.
com-a-atencao-escalada: softmax(chaves @ consulta / np.sqrt(len(consulta))) @ valores
    Esta é a atenção escalada, que divide por √d_k e não conhece beta. Aqui quem multiplica as pontuações é beta, e não
    há raiz.
sempre-a-mais-parecida: valores[np.argmax(chaves @ consulta)].copy()
    Você devolveu o valor de uma chave só, a de maior pontuação. Isso é o limite de beta grande; com beta pequeno todas
    as chaves contam, e duas chaves empatadas dividem o peso.
devolve-os-pesos: softmax(beta * (chaves @ consulta))
    Você devolveu os pesos, um por chave. Falta o último passo: misturar os valores com eles.
mistura-as-chaves: softmax(beta * (chaves @ consulta)) @ chaves
    Os pesos estão certos, mas você misturou as chaves. O que o dicionário devolve são os valores.
beta-nos-pesos: beta * softmax(chaves @ consulta) @ valores
    Você multiplicou os pesos por beta, depois da softmax: eles deixam de somar 1. Ele entra antes, nas pontuações.
sem-softmax: beta * (chaves @ consulta) @ valores
    Você misturou os valores com as pontuações cruas. Falta a softmax, que faz delas pesos que somam 1.
distancia: softmax(-beta * ((chaves - consulta) ** 2).sum(axis=1)) @ valores
    Suas pontuações são distâncias ao quadrado com o sinal trocado. É uma boa ideia, mas outra: aqui é o produto escalar
    da chave com a consulta.
media-dos-valores: valores.mean(axis=0)
    Saiu a média simples dos valores, a mesma para qualquer consulta. As pontuações não estão entrando na conta.
linha-em-vez-de-vetor: softmax(beta * (consulta[None] @ chaves.T)) @ valores
    A conta está certa, mas saiu uma matriz de uma linha, (1, d_v). Pede-se um vetor, (d_v,).
softmax-dos-valores: softmax(softmax(beta * (chaves @ consulta)) @ valores)
    A saída soma 1: você passou o resultado pela softmax. A softmax é só das pontuações.
beta-com-teto: softmax(min(beta, 50.0) * (chaves @ consulta)) @ valores
    Você pôs um teto em beta. Para não estourar, subtraia a maior pontuação; beta entra na conta inteiro.
vira-numero: np.squeeze(softmax(beta * (chaves @ consulta)) @ valores)
    Com d_v = 1, saiu um número solto (há um squeeze?). Pede-se sempre um vetor, (d_v,), mesmo que de um número só.
consulta-a-esquerda: softmax(beta * (consulta @ chaves)) @ valores
    O produto consulta @ chaves não se encaixa: (d_k,) com (M, d_k). As d_k componentes têm de se encontrar: as
    chaves vêm à esquerda.
valores-a-esquerda: valores @ softmax(beta * (chaves @ consulta))
    O produto de valores, (M, d_v), pelos pesos, (M,), não se encaixa. Os M pesos encontram as M linhas de valores: os
    pesos vêm à esquerda.
nao-soma-os-valores: softmax(beta * (chaves @ consulta))[:, None] * valores
    Cada valor foi multiplicado pelo seu peso, (M, d_v), mas falta somar as linhas: o resultado é um vetor só, (d_v,).
soma-tudo: float((softmax(beta * (chaves @ consulta))[:, None] * valores).sum())
    Você somou também as componentes, e saiu um número só. Some só sobre as chaves: o resultado é um vetor, (d_v,).
sinal-trocado: softmax(-beta * (chaves @ consulta)) @ valores
    A chave menos parecida ficou com o maior peso: confira o sinal antes da exponencial.
beta-zero-da-zeros: softmax(beta * (chaves @ consulta)) @ valores * (beta != 0)
    Com beta 0 você devolve zeros. Não é um caso à parte: a fórmula dá pesos iguais a todas as chaves, e sai a média dos
    valores.
pontua-com-os-valores: softmax(beta * (valores @ consulta)) @ valores
    A consulta foi comparada com os valores. Quem se compara com ela são as chaves; os valores só entram no fim.
beta-so-no-numerador: np.exp(beta * (chaves @ consulta)) / np.exp(chaves @ consulta).sum() @ valores
    Beta entrou só no numerador da softmax, e os pesos não somam 1. Multiplique as pontuações por ele antes, e use a
    mesma conta em cima e embaixo.
cosseno: softmax(beta * (chaves @ consulta / (np.linalg.norm(chaves, axis=1) * np.linalg.norm(consulta)))) @ valores
    Você normalizou a consulta e as chaves antes de comparar. Aqui a pontuação é o produto escalar puro.
""")


@q.equivoco
def beta_divide(consulta, chaves, valores, beta):
    """Você dividiu as pontuações por beta, como se fosse uma temperatura. Aqui ele multiplica: beta grande concentra os
    pesos, beta pequeno espalha."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return softmax((chaves @ consulta) / np.float64(beta)) @ valores


@q.equivoco
def sem_maximo(consulta, chaves, valores, beta):
    """Com beta grande apareceu NaN: a exponencial estourou. Multiplique as pontuações por beta e, antes da exponencial,
    subtraia o máximo do resultado."""
    e = np.exp(beta * (chaves @ consulta))
    return e / e.sum() @ valores


@q.equivoco
def busca_dura(consulta, chaves, valores, beta):
    """Com beta grande você trocou a softmax por uma busca do máximo. A fórmula é a mesma para todo beta: uma chave que
    perde por muito pouco ainda pesa."""
    s = chaves @ consulta
    if beta > 1000:
        return valores[np.isclose(s, s.max())].mean(axis=0)
    return softmax(beta * s) @ valores


@q.equivoco
def argmax_so_com_beta_grande(consulta, chaves, valores, beta):
    """Com beta grande você devolveu o valor de uma chave só, a de maior pontuação. A fórmula é a mesma para todo beta:
    duas chaves empatadas dividem o peso, e uma que perde por muito pouco ainda pesa."""
    s = chaves @ consulta
    if beta > 1000:
        return valores[np.argmax(s)].copy()
    return softmax(beta * s) @ valores


@q.alternativa
def com_lacos(consulta, chaves, valores, beta):
    pontos = [beta * sum(float(a) * float(b) for a, b in zip(chave, consulta, strict=True)) for chave in chaves]
    maior = max(pontos)
    pesos = [math.exp(p - maior) for p in pontos]
    total = sum(pesos)
    return np.array([sum(w * v for w, v in zip(pesos, coluna, strict=True)) / total for coluna in valores.T])


@q.alternativa
def maximo_antes_de_beta(consulta, chaves, valores, beta):
    s = chaves @ consulta
    e = np.exp(beta * (s - s.max()))
    return (e[:, None] * valores).sum(axis=0) / e.sum()


@q.alternativa
def com_torch_float32(consulta, chaves, valores, beta):
    q, K, V = (torch.tensor(a, dtype=torch.float32) for a in (consulta, chaves, valores))
    return torch.softmax(beta * (K @ q), dim=0) @ V


@q.alternativa
def atencao_do_torch(consulta, chaves, valores, beta):
    q, K, V = (torch.from_numpy(a) for a in (consulta, chaves, valores))
    return torch.softmax(beta * torch.einsum("md,d->m", K, q), 0) @ V


@q.alternativa
def log_da_soma(consulta, chaves, valores, beta):
    s = beta * (chaves @ consulta)
    return np.exp(s - np.logaddexp.reduce(s)) @ valores


q.alternativas_curtas("""
beta-na-consulta: np.einsum("m,mv->v", softmax(np.inner(chaves, beta * consulta)), valores)
""")
