"""A questão `gelu` da lista 07."""

import math

import numpy as np  # noqa: F401 (usado nas tabelas)
import torch
import torch.nn.functional as F  # noqa: F401 (usado nas tabelas)
from torch import nn  # noqa: F401 (usado nas tabelas)

from gabarito.base import questao
from gabarito.lista_07.comum import CASOS_GELU, ocultos_gelu


def gelu(x):
    z = x.double()
    return (0.5 * z * (1 + torch.erf(z / math.sqrt(2)))).float()


q = questao(
    "lista-07/gelu",
    assinatura="gelu(x)",
    saida="array",
    referencia=gelu,
    casos=CASOS_GELU,
    ocultos=ocultos_gelu,
)

q.equivocos_curtos("""
a-aproximada: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    Esta é a aproximação com a tangente hiperbólica, a do GPT-2: em −2 ela erra na quarta casa. Aqui se pede a
    exata, com a função erf.
aproximada-com-sigmoide: x * torch.sigmoid(1.702 * x)
    Isto é x·σ(1,702x), uma aproximação mais grosseira (erra na segunda casa). Aqui se pede a exata, com a função erf.
silu: x * torch.sigmoid(x)
    Isto é a SiLU (ou swish), x·σ(x). A GELU troca a sigmoide pela Φ da normal.
relu: torch.relu(x)
    Isto é a ReLU: zero para todo negativo. A GELU é suave, e em −1 vale cerca de −0,159.
erf-de-x: 0.5 * x * (1 + torch.erf(x))
    Faltou dividir por √2 dentro da erf: Φ(x) é metade de 1 + erf(x/√2), e você usou erf(x). Veja a Dica 2.
raiz-de-2-com-tres-casas: 0.5 * x * (1 + torch.erf(x / 1.414))
    Você arredondou a raiz de 2, e a diferença aparece nos negativos, onde a GELU é pequena. Use math.sqrt(2).
raiz-de-2-com-duas-casas: 0.5 * x * (1 + torch.erf(x / 1.41))
    Você arredondou a raiz de 2 para 1,41, e a diferença aparece na terceira casa. Use math.sqrt(2).
erf-vezes-raiz-de-2: 0.5 * x * (1 + torch.erf(x * math.sqrt(2)))
    Dentro da erf você multiplicou x pela raiz de 2. É para dividir.
tanh-no-lugar-da-erf: 0.5 * x * (1 + torch.tanh(x / math.sqrt(2)))
    Você pôs a tangente hiperbólica no lugar da erf. As duas vão de −1 a 1, mas a Φ da normal se escreve com a erf.
erf-do-math: 0.5 * x * (1 + math.erf(x / math.sqrt(2)))
    As funções do math, como math.erf, só aceitam um número. Para o tensor inteiro, use a do torch: torch.erf.
erf-de-x-sobre-2: 0.5 * x * (1 + torch.erf(x / 2))
    Dentro da erf você dividiu x por 2. É pela raiz de 2.
sem-a-metade: x * (1 + torch.erf(x / math.sqrt(2)))
    Sua saída é o dobro da certa: 1 + erf vai de 0 a 2, e Φ vai de 0 a 1. Falta a metade.
sem-o-1: 0.5 * x * torch.erf(x / math.sqrt(2))
    Você fez x·erf(x/√2)/2: falta o 1 que se soma à erf. Sua função é par, e a GELU não é.
so-a-phi: 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    Isto é só Φ(x), o portão. Falta multiplicar por x. Veja a Dica 1.
densidade-no-lugar-da-acumulada: x * torch.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    Você multiplicou x pela densidade da normal (o sino). A Φ é a acumulada: a área à esquerda de x.
sinal-trocado: 0.5 * x * (1 - torch.erf(x / math.sqrt(2)))
    Seu portão está ao contrário: deixa passar os negativos e fecha para os positivos. Olhe o sinal da erf.
zera-os-negativos: torch.where(x > 0, F.gelu(x), torch.zeros_like(x))
    Nos positivos está certa, mas os negativos saíram 0. A GELU não os corta: em −1 ela vale cerca de −0,159.
elu: F.elu(x)
    Isto é a ELU: nos negativos, e^x − 1. A GELU é x·Φ(x).
sem-parenteses: 0.5 * x * 1 + torch.erf(x / math.sqrt(2))
    A erf foi somada no fim, fora da multiplicação: faltam parênteses em volta de 1 + erf.
divide-fora-da-erf: 0.5 * x * (1 + torch.erf(x) / math.sqrt(2))
    Você dividiu a erf por √2. O que se divide é x, dentro dela: erf(x / √2).
expoente-sem-parenteses: 0.5 * x * (1 + torch.erf(x / 2**1 / 2))
    Dentro da erf, x saiu dividido por 4: em Python, x / 2 ** 1/2 é (x / 2)/2. Ponha o expoente entre parênteses, ou use
    math.sqrt(2).
metade-so-da-erf: x * (1 + torch.erf(x / math.sqrt(2)) / 2)
    Só a erf foi dividida por 2: faltam parênteses. A metade é de 1 + erf.
""")


@q.equivoco
def altera_a_entrada(x):
    """A conta foi feita dentro da própria entrada."""
    portao = 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    x *= portao
    return x


q.alternativas_curtas("""
com-erf: x * 0.5 * (1.0 + torch.erf(x / 2**0.5))
a-do-torch: F.gelu(x)
com-a-normal: x * torch.distributions.Normal(0.0, 1.0).cdf(x)
com-erfc: 0.5 * x * torch.special.erfc(-x / math.sqrt(2))
com-ndtr: torch.special.ndtr(x) * x
um-por-um: z = x.double() → valores = [0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x.flatten().tolist()]
        (0.5 * z * (1 + torch.erf(z / math.sqrt(2)))).float() → torch.tensor(valores).reshape(x.shape)
com-numpy: .double() → .numpy().astype(float)
        (0.5 * z * (1 + torch.erf(z / math.sqrt(2)))).float() → z * (1 + np.vectorize(math.erf)(z / np.sqrt(2))) / 2
com-o-modulo: nn.GELU()(x)
""")
