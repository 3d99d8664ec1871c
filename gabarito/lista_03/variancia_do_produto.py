"""A questão `variancia_do_produto` da lista 03."""

import math  # noqa: F401 (usado nas tabelas)

import numpy as np  # noqa: F401 (usado nas tabelas)
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao


def variancia_do_produto(d_k, sigma_q, sigma_k):
    return float(d_k * sigma_q**2 * sigma_k**2)


def ocultos(rng):
    casos = []
    for _ in range(7):
        pequeno, grande = rng.uniform(0.2, 0.8), rng.uniform(1.3, 3.0)
        sigmas = [pequeno, grande] if rng.random() < 0.5 else [grande, pequeno]
        casos.append(caso(int(rng.integers(3, 300)), *(round(float(s), 3) for s in sigmas)))
    casos.append(caso(int(rng.integers(3, 300)), round(float(rng.uniform(1.3, 3.0)), 3), 1.7))
    sigma = round(float(rng.uniform(1.3, 3.0)), 3)
    d_k = casos[0].entradas[0]  # o mesmo d_k outra vez, com outros desvios
    return [
        *casos,
        caso(d_k, round(sigma / 2, 3), 1.9),
        caso(int(rng.integers(3, 300)), sigma, 0.0),
        caso(int(rng.integers(3, 300)), 0.0, sigma),
        caso(int(rng.integers(400, 513)), 0.6, sigma),
        caso(1, sigma, 0.7),
        caso(int(rng.integers(3, 8)), 0.137, round(sigma / 10, 3)),  # variância pequena, que um round() estraga
    ]


q = questao(
    "lista-03/variancia_do_produto",
    assinatura="variancia_do_produto(d_k, sigma_q, sigma_k)",
    saida="float",
    referencia=variancia_do_produto,
    casos=[
        caso(4, 3.0, 0.5, claro=True, rotulo="o exemplo do enunciado"),
        caso(64, 1.0, 1.0, rotulo="d_k = 64 e desvios 1"),
        caso(10, 2.0, 0.25, rotulo="d_k = 10, desvios 2 e 0,25"),
        caso(7, 0.5, 3.0, rotulo="d_k = 7, desvios 0,5 e 3"),
        caso(1, 1.5, 2.0, rotulo="d_k = 1"),
        caso(128, 0.0, 1.2, rotulo="consultas todas nulas"),
        caso(128, 1.2, 0.0, rotulo="chaves todas nulas"),
        caso(512, 1.5, 0.5, rotulo="d_k = 512"),
        caso(4, 0.13, 0.21, rotulo="d_k = 4, desvios pequenos"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
desvio-padrao: math.sqrt(d_k) * sigma_q * sigma_k
    Isto é o desvio padrão do produto escalar. Pede-se a variância, que é o quadrado dele. Veja a Dica 2.
desvios-sem-quadrado: d_k * sigma_q * sigma_k
    Os sigmas são desvios padrão, e entraram sem o quadrado. A variância de cada componente é sigma². Veja a Dica 2.
so-q-ao-quadrado: d_k * sigma_q**2 * sigma_k
    Só sigma_q está ao quadrado. As chaves também entram com a variância delas.
so-k-ao-quadrado: d_k * sigma_q * sigma_k**2
    Só sigma_k está ao quadrado. As consultas também entram com a variância delas.
soma-das-variancias: d_k * (sigma_q**2 + sigma_k**2)
    Você somou as duas variâncias. Somam-se as variâncias de parcelas; q_i e k_i estão multiplicados, e a variância do
    produto deles (médias zero, independentes) é outra.
dk-ao-quadrado: d_k**2 * sigma_q**2 * sigma_k**2
    O d_k entrou ao quadrado. Isso valeria se as d_k parcelas fossem todas iguais; parcelas independentes somam
    variâncias uma a uma.
sem-dk: sigma_q**2 * sigma_k**2
    Esta é a variância de uma parcela só, q_i·k_i (ou do produto já dividido por √d_k). O produto escalar soma d_k
    parcelas.
raiz-de-dk: math.sqrt(d_k) * sigma_q**2 * sigma_k**2
    O d_k entrou com raiz. A raiz aparece no desvio padrão; na variância as d_k parcelas se somam inteiras.
ignora-os-desvios: float(d_k)
    Sua resposta é sempre d_k: isso só vale quando sigma_q e sigma_k são 1.
dividida-por-dk: sigma_q**2 * sigma_k**2 / d_k
    Saiu dividida por d_k: essa é a variância depois de uma divisão por d_k. Pede-se a do produto sem escala alguma.
dobro: 2 * d_k * sigma_q**2 * sigma_k**2
    Saiu o dobro do certo. Você contou consultas e chaves como 2·d_k parcelas? São d_k produtos, um por componente.
soma-dos-desvios: d_k * (sigma_q + sigma_k)
    Você somou os desvios padrão. Desvios não se somam, e q_i e k_i se multiplicam: pense na variância de uma parcela
    q_i·k_i.
arredondado: round(d_k * sigma_q**2 * sigma_k**2, 2)
    Sua resposta foi arredondada para duas casas, e uma variância pequena não sobrevive a isso. Devolva o valor como ele
    saiu da conta.
so-os-desvios-de-q: d_k * sigma_q**4
    Só sigma_q entrou na conta, duas vezes. Um dos dois fatores é a variância das chaves, com sigma_k.
soma-dos-desvios-ao-quadrado: d_k * (sigma_q + sigma_k) ** 2
    Você somou os desvios antes de elevar ao quadrado. Em cada parcela, q_i e k_i se multiplicam, e as variâncias deles
    também.
uma-parcela-a-menos: (d_k - 1) * sigma_q**2 * sigma_k**2
    Sua conta usa d_k − 1. Não é uma variância estimada de dados: são d_k parcelas, e as variâncias delas se somam.
vira-inteiro: int(d_k * sigma_q**2 * sigma_k**2)
    Sua resposta perdeu as casas decimais: há um int() ou uma divisão inteira na conta. Devolva o valor como ele saiu.
""")


@q.alternativa
def recursiva(d_k, sigma_q, sigma_k):
    def somar(parcelas):
        return 0.0 if parcelas == 0 else (sigma_q * sigma_k) ** 2 + somar(parcelas - 1)

    return somar(d_k)


q.alternativas_curtas("""
desvio-ao-quadrado: (math.sqrt(d_k) * sigma_q * sigma_k) ** 2
soma-das-parcelas: sum((sigma_q * sigma_k) ** 2 for _ in range(d_k))
escalar-numpy: np.float64(d_k) * np.square(sigma_q) * np.square(sigma_k)
array-de-dimensao-zero: np.array(d_k * sigma_q**2 * sigma_k**2, dtype=np.float32)
com-torch: torch.full((d_k,), sigma_q).square().mul(torch.tensor(sigma_k).square()).sum()
""")
