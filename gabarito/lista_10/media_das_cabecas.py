"""A questão `media_das_cabecas` da lista 10."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_10.comum import fatia, sortear_pesos


def media_das_cabecas(A):
    return A.double().mean(dim=0)


def ocultos(rng):
    T = int(rng.integers(6, 9))
    return [
        caso(sortear_pesos(rng, 3, T, T)),
        caso(sortear_pesos(rng, 5, 4, 4, causal=False)),
        caso(sortear_pesos(rng, 2, 3, 3)),
        caso(sortear_pesos(rng, 4, 4, 4, causal=False)),
        caso(sortear_pesos(rng, 1, 5, 5)),
        caso(sortear_pesos(rng, 9, 6, 6)),
    ]


q = questao(
    "lista-10/media_das_cabecas",
    assinatura="media_das_cabecas(A)",
    saida="array",
    referencia=media_das_cabecas,
    casos=[
        caso(
            torch.tensor([[[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]], [[1, 0, 0], [0.75, 0.25, 0], [0, 0.5, 0.5]]]),
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(sortear_pesos(np.random.default_rng(11), 3, 5, 5), rotulo="três cabeças, cinco tokens"),
        caso(sortear_pesos(np.random.default_rng(12), 4, 2, 2, causal=False), rotulo="sem máscara"),
        caso(sortear_pesos(np.random.default_rng(13), 1, 4, 4), rotulo="uma cabeça só"),
        caso(fatia("camadas")[2], rotulo="quatro cabeças da camada 16 do SmolLM2"),
    ],
    ocultos=ocultos,
    propriedades=["nao-negativa"],
)

q.equivocos_curtos("""
media-das-colunas: A.double().mean(dim=-1)
    A média foi no último eixo: ficou um número por cabeça e por token. O eixo das cabeças é o primeiro. Veja a Dica 1.
media-das-linhas: A.double().mean(dim=1)
    A média foi no eixo 1, o dos tokens que olham: sobrou (h, T). O eixo das cabeças é o primeiro.
media-de-tudo: A.double().mean()
    Você tirou a média de tudo, e sobrou um número. Falta dizer o eixo: só o das cabeças some.
soma-das-cabecas: A.double().sum(dim=0)
    Isto é a soma das cabeças: cada linha soma h, e não 1. Divida pelo número de cabeças.
maximo-das-cabecas: A.double().amax(dim=0)
    Isto é o maior peso entre as cabeças, casa por casa. A média é outra conta: some e divida.
so-a-primeira-cabeca: A.double()[0]
    Isto é a primeira cabeça, e não a média de todas.
so-a-ultima-cabeca: A.double()[-1]
    Isto é a última cabeça, e não a média de todas.
eixo-de-tamanho-1: A.double().mean(dim=0, keepdim=True)
    Os valores estão certos, mas sobrou um eixo de tamanho 1: a forma pedida é (T, T).
divide-pelos-tokens: A.double().sum(dim=0) / A.shape[-1]
    Você dividiu a soma pelo número de tokens, T. Quem some na média são as cabeças: divida por elas.
mediana: torch.quantile(A.double(), 0.5, dim=0)
    Isto é a mediana das cabeças, e não a média.
transposta: A.double().mean(dim=0).T
    A média está certa, mas transposta: linha é quem olha, coluna é quem é olhado, como em A.
sem-a-ultima: A.double()[: max(1, len(A) - 1)].mean(dim=0)
    Uma cabeça ficou de fora: a média é de todas, da primeira à última.
reshape-no-lugar-de-trocar-eixos: A.double().reshape(A.shape[1], A.shape[2], -1).mean(dim=-1)
    O reshape não troca eixos: ele reparte os mesmos números em outra ordem, e as cabeças se misturaram. A média é no
    eixo 0, sem mexer na forma.
media-e-softmax: torch.softmax(A.double().mean(dim=0), dim=-1)
    Você passou a média por mais uma softmax. Cada linha de uma média de pesos já soma 1: não falta nada.
altera-a-entrada: return A.double().mean(dim=0) → for cabeca in A[1:]:⏎    A[0] += cabeca⏎return A[0] / len(A)
    Sua função escreveu dentro de um argumento.
divisao-inteira: A.double().sum(dim=0) // len(A)
    Quase tudo virou 0: `//` é a divisão inteira. A divisão é `/`.
so-a-primeira-dividida: A.double()[0] / len(A)
    Só a primeira cabeça entrou na soma, dividida por h. O return está dentro do laço?
so-a-ultima-dividida: A.double()[-1] / len(A)
    Só a última cabeça entrou na soma, dividida por h: a cada volta do laço, a anterior se perde. Acumule.
""")


@q.equivoco
def media_de_duas_em_duas(A):
    """Você fez a média do acumulado com cada cabeça nova, duas a duas: a última fica com metade do peso. Some todas e
    divida uma vez, no fim."""
    media = A.double()[0]
    for cabeca in A[1:]:
        media = (media + cabeca) / 2
    return media


@q.alternativa
def soma_e_divide(A):
    total = torch.zeros_like(A[0])
    for cabeca in A:
        total = total + cabeca
    return total / A.shape[0]


@q.alternativa
def pesos_iguais(A):
    h = len(A)
    return torch.tensordot(torch.full((h,), 1 / h, dtype=torch.float64), A.double(), dims=1)


@q.alternativa
def lista_por_compreensao(A):
    T = A.shape[1]
    return torch.tensor([[float(sum(A[:, t, s]) / len(A)) for s in range(T)] for t in range(T)])


q.alternativas_curtas("""
mean-do-torch: A.mean(0)
numpy: np.mean(A.numpy(), axis=0)
einsum: torch.einsum("hts->ts", A) / A.size(0)
""")
