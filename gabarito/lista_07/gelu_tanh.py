"""A questão `gelu_tanh` da lista 07."""

import math

import numpy as np
import torch
import torch.nn.functional as F  # noqa: F401 (usado nas tabelas)

from gabarito.base import questao
from gabarito.lista_07.comum import CASOS_GELU, ocultos_gelu


def gelu_tanh(x):
    z = x.double()
    return (0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))).float()


q = questao(
    "lista-07/gelu_tanh",
    assinatura="gelu_tanh(x)",
    saida="array",
    referencia=gelu_tanh,
    casos=CASOS_GELU,
    ocultos=ocultos_gelu,
)

q.equivocos_curtos("""
a-exata: 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
    Esta é a GELU exata, a da questão 2. Aqui se pede a aproximação com a tangente hiperbólica: em −2, a quarta casa é
    outra.
com-sigmoide: x * torch.sigmoid(1.702 * x)
    Isto é x·σ(1,702x), a outra aproximação. A pedida usa a tangente hiperbólica e um termo com x³.
raiz-de-2-pi: 0.5 * x * (1 + torch.tanh(math.sqrt(2 * math.pi) * (x + 0.044715 * x**3)))
    Sua constante é √(2π), cerca de 2,51. É a raiz de 2 dividido por π, cerca de 0,80.
sem-a-raiz: 0.5 * x * (1 + torch.tanh(2 / math.pi * (x + 0.044715 * x**3)))
    Sua constante é 2/π, cerca de 0,64: falta a raiz, que dá cerca de 0,80.
raiz-so-do-2: 0.5 * x * (1 + torch.tanh(math.sqrt(2) / math.pi * (x + 0.044715 * x**3)))
    Sua constante é √2/π, cerca de 0,45: a raiz pegou só o 2. É a raiz da fração inteira, cerca de 0,80.
pi-sobre-2: 0.5 * x * (1 + torch.tanh(math.sqrt(math.pi / 2) * (x + 0.044715 * x**3)))
    Sua constante é √(π/2), cerca de 1,25. A fração está invertida: é √(2/π).
tanh-do-math: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    As funções do math, como math.tanh, só aceitam um número. Para o tensor inteiro, use a do torch: torch.tanh.
sem-a-constante: 0.5 * x * (1 + torch.tanh(x + 0.044715 * x**3))
    Falta o fator √(2/π) que multiplica tudo dentro da tangente hiperbólica.
sem-o-cubo: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * x))
    Falta o termo com x³ dentro da tangente hiperbólica.
quadrado-no-lugar-do-cubo: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**2)))
    O termo de correção leva x³, e você usou x². Com negativos o sinal muda.
coeficiente-dez-vezes-maior: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.44715 * x**3)))
    Uma vírgula fora do lugar: o coeficiente de x³ é 0,044715, e não 0,44715.
coeficiente-dez-vezes-menor: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.0044715 * x**3)))
    Uma vírgula fora do lugar: o coeficiente de x³ é 0,044715, e não 0,0044715.
coeficiente-arredondado: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.045 * x**3)))
    Você arredondou o coeficiente para 0,045, e a diferença aparece. Use 0,044715 inteiro.
coeficiente-truncado: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.0447 * x**3)))
    Você cortou o coeficiente em 0,0447, e a diferença aparece. Use 0,044715 inteiro.
constante-arredondada: 0.5 * x * (1 + torch.tanh(0.8 * (x + 0.044715 * x**3)))
    Você arredondou a constante √(2/π) para 0,8, e a diferença aparece na terceira casa. Use math.sqrt(2 / math.pi).
constante-com-tres-casas: 0.5 * x * (1 + torch.tanh(0.798 * (x + 0.044715 * x**3)))
    Você arredondou a constante √(2/π) para 0,798, e a diferença aparece nos negativos. Use math.sqrt(2 / math.pi).
cubo-fora-da-constante: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * x + 0.044715 * x**3))
    O parêntese fechou cedo: √(2/π) multiplica a soma toda, x + 0,044715 x³, e não só o x. Veja a Dica 1.
sem-a-metade: x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    Sua saída é o dobro da certa: falta a metade na frente.
sem-o-1: 0.5 * x * torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    Falta o 1 que se soma à tangente hiperbólica: sua função é par, e a GELU não é.
so-o-portao: 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    Isto é só o portão, entre 0 e 1. Falta multiplicar por x.
cubo-do-produto: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + (0.044715 * x) ** 3)))
    O coeficiente entrou no cubo: é 0,044715 vezes x³, e não (0,044715 x)³.
vezes-3: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * 3)))
    Você multiplicou por 3 em vez de elevar ao cubo. Em Python, a potência é **.
pi-com-duas-casas: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / 3.14) * (x + 0.044715 * x**3)))
    Você arredondou π para 3,14, e a diferença aparece nos negativos. Use math.pi.
sem-parenteses: 0.5 * x * 1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    A tanh foi somada no fim, fora da multiplicação: faltam parênteses em volta de 1 + tanh.
""")


@q.equivoco
def tanh_que_estoura(x):
    """Sua tangente hiperbólica divide exponenciais que estouram: para x = 30 dá inf/inf, que é NaN. Use torch.tanh, ou
    uma forma em que só apareça uma exponencial no denominador."""
    u = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + (torch.exp(u) - torch.exp(-u)) / (torch.exp(u) + torch.exp(-u)))


@q.equivoco
def tanh_que_estoura_nos_positivos(x):
    """Sua tangente hiperbólica, (e²ᵘ − 1)/(e²ᵘ + 1), estoura nos positivos: para x = 30 dá inf/inf, que é NaN. Use
    torch.tanh, ou 1 − 2/(e²ᵘ + 1), em que o infinito só aparece embaixo."""
    dobro = torch.exp(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    return 0.5 * x * (1 + (dobro - 1) / (dobro + 1))


@q.equivoco
def tanh_que_estoura_nos_negativos(x):
    """Sua tangente hiperbólica, (1 − e⁻²ᵘ)/(1 + e⁻²ᵘ), estoura nos negativos: para x = −30 dá −inf/inf, que é NaN. Use
    torch.tanh, ou 2/(1 + e⁻²ᵘ) − 1, em que o infinito só aparece embaixo."""
    dobro = torch.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    return 0.5 * x * (1 + (1 - dobro) / (1 + dobro))


@q.equivoco
def altera_a_entrada(x):
    """A conta foi feita dentro da própria entrada."""
    portao = 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    x *= portao
    return x


@q.alternativa
def com_tanh(x):
    u = (2 / torch.pi) ** 0.5 * (x + 0.044715 * torch.pow(x, 3))
    return x * (torch.tanh(u) + 1) / 2


@q.alternativa
def uma_exponencial_so(x):
    u = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return x * (1 - 1 / (torch.exp(2 * u) + 1))


@q.alternativa
def um_por_um(x):
    k = math.sqrt(2 / math.pi)
    valores = [0.5 * v * (1 + math.tanh(k * (v + 0.044715 * v**3))) for v in x.flatten().tolist()]
    return torch.tensor(valores).view(x.shape)


@q.alternativa
def com_numpy(x):
    z = x.numpy().astype(np.float64)
    return z / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))


q.alternativas_curtas("""
a-do-torch: F.gelu(x, approximate="tanh")
pela-sigmoide: x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * x * (1 + 0.044715 * x * x))
""")
