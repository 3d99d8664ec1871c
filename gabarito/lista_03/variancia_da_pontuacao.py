"""A questão `variancia_da_pontuacao` da lista 03."""

import math  # noqa: F401 (usado nas tabelas)

import numpy as np  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao
from gabarito.depois import torch  # noqa: F401 (usado nas tabelas)


def variancia_da_pontuacao(d_k, sigma_q, sigma_k, divisor):
    return float(d_k * sigma_q**2 * sigma_k**2 / divisor**2)


def ocultos(rng):
    """Metade sem divisor (1), metade com; nenhum d_k é um quadrado, e o divisor nunca é √d_k nem d_k."""
    casos = []
    for parte in ("sem divisor", "com divisor"):
        for _ in range(5):
            pequeno, grande = (round(float(rng.uniform(*faixa)), 3) for faixa in ((0.2, 0.8), (1.3, 3.0)))
            sigmas = [pequeno, grande] if rng.random() < 0.5 else [grande, pequeno]
            divisor = 1.0 if parte == "sem divisor" else round(float(rng.choice([rng.uniform(0.3, 0.8), 2.5, 6.5])), 3)
            casos.append(caso(int(rng.choice([3, 5, 11, 50, 130, 300])), *sigmas, divisor, parte=parte))
        divisor = 1.0 if parte == "sem divisor" else 3.5
        sigma = round(float(rng.uniform(1.3, 3.0)), 3)
        casos += [
            caso(int(rng.integers(3, 300)), sigma, 0.0, divisor, parte=parte),
            caso(1, sigma, 0.7, divisor, parte=parte),
            caso(int(rng.integers(3, 8)), 0.137, round(sigma / 10, 3), divisor, parte=parte),  # um round() a estraga
        ]
    return casos


q = questao(
    "lista-03/variancia_da_pontuacao",
    assinatura="variancia_da_pontuacao(d_k, sigma_q, sigma_k, divisor)",
    saida="float",
    referencia=variancia_da_pontuacao,
    casos=[
        caso(4, 3.0, 0.5, 1.0, claro=True, rotulo="o exemplo do enunciado, sem divisor"),
        caso(10, 2.0, 0.25, 1.0, rotulo="d_k = 10, desvios 2 e 0,25, sem divisor"),
        caso(7, 0.5, 3.0, 1.0, rotulo="d_k = 7, desvios 0,5 e 3, sem divisor"),
        caso(1, 1.5, 2.0, 1.0, rotulo="d_k = 1, sem divisor"),
        caso(128, 1.2, 0.0, 1.0, rotulo="vetores k todos nulos"),
        caso(4, 0.13, 0.21, 1.0, rotulo="desvios pequenos, sem divisor"),
        caso(4, 3.0, 0.5, 3.0, parte="com divisor", rotulo="o exemplo do enunciado, divisor 3"),
        caso(512, 1.5, 0.5, 10.0, parte="com divisor", rotulo="d_k = 512, divisor 10"),
        caso(6, 0.7, 1.9, 0.5, parte="com divisor", rotulo="d_k = 6, divisor 0,5"),
        caso(64, 1.0, 1.3, 8.0, parte="com divisor", rotulo="d_k = 64, divisor √64"),
        caso(50, 1.4, 0.8, 50.0, parte="com divisor", rotulo="d_k = 50, divisor 50"),
    ],
    ocultos=ocultos,
    partes={"sem divisor": 0.6, "com divisor": 0.4},
)

q.equivocos_curtos("""
desvio-padrao: math.sqrt(d_k) * sigma_q * sigma_k / divisor
    Isto é o desvio padrão da pontuação. Pede-se a variância, que é o quadrado dele. Veja a Dica 2.
desvios-sem-quadrado: d_k * sigma_q * sigma_k / divisor**2
    Os sigmas são desvios padrão, e entraram sem o quadrado. A variância de cada número é sigma². Veja a Dica 2.
tudo-sem-quadrado: d_k * sigma_q * sigma_k / divisor
    Os sigmas são desvios padrão, e entraram sem o quadrado. O divisor também. Em uma variância, tudo o que multiplica
    ou divide entra ao quadrado. Veja a Dica 2.
so-q-ao-quadrado: d_k * sigma_q**2 * sigma_k / divisor**2
    Só sigma_q está ao quadrado. O vetor k também entra com a variância dele.
so-k-ao-quadrado: d_k * sigma_q * sigma_k**2 / divisor**2
    Só sigma_k está ao quadrado. O vetor q também entra com a variância dele.
soma-das-variancias: d_k * (sigma_q**2 + sigma_k**2) / divisor**2
    Você somou as duas variâncias. Somam-se as variâncias das parcelas. Dentro de uma parcela, q_i e k_i se
    multiplicam, e as variâncias deles também.
dk-ao-quadrado: d_k**2 * sigma_q**2 * sigma_k**2 / divisor**2
    O d_k entrou ao quadrado. Isso valeria se as d_k parcelas fossem todas iguais. Parcelas independentes somam as
    variâncias uma a uma.
sem-dk: sigma_q**2 * sigma_k**2 / divisor**2
    Esta é a variância de uma parcela só, q_i·k_i. O produto escalar soma d_k parcelas.
raiz-de-dk: math.sqrt(d_k) * sigma_q**2 * sigma_k**2 / divisor**2
    O d_k entrou com raiz. A raiz aparece no desvio padrão. Na variância, as d_k parcelas se somam inteiras.
ignora-os-desvios: d_k / divisor**2
    Os desvios não entraram na conta. A variância só é d_k quando sigma_q e sigma_k são 1.
ignora-o-divisor: d_k * sigma_q**2 * sigma_k**2
    Sem divisor está certo, mas o divisor não entrou na conta. Quem divide os números também muda a variância deles.
divisor-sem-quadrado: d_k * sigma_q**2 * sigma_k**2 / divisor
    O divisor entrou sem o quadrado. Dividir os números por c divide o desvio padrão por c. E a variância?
multiplica-pelo-divisor: d_k * sigma_q**2 * sigma_k**2 * divisor**2
    O divisor está multiplicando. Números divididos por 2 ficam menos espalhados, e não mais.
raiz-do-divisor: d_k * sigma_q**2 * sigma_k**2 / math.sqrt(divisor)
    O divisor entrou com raiz. Dividir os números por c divide o desvio padrão por c, e a variância é o quadrado dele.
sempre-a-raiz-de-dk: sigma_q**2 * sigma_k**2
    Sua resposta vale para o divisor √d_k, e só para ele. O divisor é um argumento e pode ser outro.
dobro: 2 * d_k * sigma_q**2 * sigma_k**2 / divisor**2
    Saiu o dobro do certo. Você contou q e k como 2·d_k parcelas? São d_k produtos, um para cada posição.
soma-dos-desvios: d_k * (sigma_q + sigma_k) / divisor**2
    Você somou os desvios padrão. Desvios não se somam, e q_i e k_i se multiplicam. Comece pela variância de uma
    parcela.
arredondado: round(d_k * sigma_q**2 * sigma_k**2 / divisor**2, 2)
    Sua resposta foi arredondada para duas casas, e uma variância pequena não sobrevive a isso. Devolva o valor como
    ele saiu da conta.
so-os-desvios-de-q: d_k * sigma_q**4 / divisor**2
    Só sigma_q entrou na conta, duas vezes. Um dos dois fatores é a variância de k, com sigma_k.
uma-parcela-a-menos: (d_k - 1) * sigma_q**2 * sigma_k**2 / divisor**2
    Sua conta usa d_k − 1. São d_k parcelas, e as variâncias de todas se somam.
vira-inteiro: int(d_k * sigma_q**2 * sigma_k**2 / divisor**2)
    Sua resposta perdeu as casas decimais. Há um int() ou um // na conta. Devolva o valor como ele saiu.
""")


@q.alternativa
def parcela_por_parcela(d_k, sigma_q, sigma_k, divisor):
    variancia = 0.0
    for _ in range(d_k):
        variancia += (sigma_q * sigma_k / divisor) ** 2
    return variancia


q.alternativas_curtas("""
desvio-ao-quadrado: (math.sqrt(d_k) * sigma_q * sigma_k / divisor) ** 2
soma-das-parcelas: sum((sigma_q * sigma_k) ** 2 for _ in range(d_k)) / divisor / divisor
escalar-numpy: np.float64(d_k) * np.square(sigma_q) * np.square(sigma_k) * np.power(divisor, -2.0)
array-de-dimensao-zero: np.array(d_k * sigma_q**2 * sigma_k**2 / divisor**2, dtype=np.float32)
com-torch: torch.full((d_k,), sigma_q / divisor).square().mul(torch.tensor(sigma_k).square()).sum()
""")
