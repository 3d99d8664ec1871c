"""A questão `ffn` da lista 07."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gabarito.base import caso, questao
from gabarito.lista_07.comum import exata, tensor


def ffn(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (t.double() for t in (x, W1, b1, W2, b2))
    z = x @ W1 + b1
    g = 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))  # a GELU exata
    return (g @ W2 + b2).float()


_PROJECOES, _GELU = "as projeções", "a GELU"


def _caso_longe(rng, forma, largura, arredonda=False, rotulo=""):
    """x, W1, b1, W2, b2; os números do meio ficam a mais de 12 do zero, onde a GELU é 0 ou o próprio número."""
    d = forma[-1]
    x, W1 = rng.uniform(-1, 1, size=forma), rng.uniform(-1, 1, size=(d, largura)) * 2 / d
    b1 = rng.uniform(15, 20, size=largura) * rng.permutation(np.resize([1, -1, 1], largura))
    W2, b2 = rng.normal(size=(largura, d)) * 0.3, rng.normal(size=d)
    tudo = (x, W1, b1, W2, b2)
    return caso(
        *(tensor(np.round(v * 16) / 16 + 0.0 if arredonda else v) for v in tudo), rotulo=rotulo, parte=_PROJECOES
    )


def _caso_ffn(rng, forma, largura, baixo=False, arredonda=False, rotulo=""):
    """x, W1, b1, W2, b2; com `baixo`, os números da camada do meio caem entre −3 e −1, onde a GELU exata se separa."""
    d = forma[-1]
    x = rng.normal(size=forma) * (0.2 if baixo else 1.3)
    W1 = rng.normal(size=(d, largura)) / math.sqrt(d) * (1.0 if baixo else 1.4)
    b1 = -rng.uniform(1.6, 2.6, size=largura) if baixo else rng.normal(size=largura) * 0.7
    W2 = rng.normal(size=(largura, d)) * (2.0 if baixo else 1 / math.sqrt(largura) * 1.5)
    b2 = rng.choice([-1, 1], size=d) * rng.uniform(0.05, 0.2, size=d) * (1 if baixo else 5)
    tudo = (x, W1, b1, W2, b2)
    return caso(*(tensor(np.round(v * 16) / 16 + 0.0 if arredonda else v) for v in tudo), rotulo=rotulo, parte=_GELU)


def ocultos(rng):
    return [
        _caso_ffn(rng, (4, 3), 7),
        _caso_ffn(rng, (2, 3, 4), 16),
        _caso_ffn(rng, (5, 6), 4),
        _caso_ffn(rng, (3, 4), 9, baixo=True),
        _caso_ffn(rng, (2, 2, 3), 8, baixo=True),
        _caso_ffn(rng, (5,), 11),
        _caso_ffn(rng, (1, 2), 5, baixo=True),
        _caso_longe(rng, (3, 4), 6),
        _caso_longe(rng, (2, 3, 3), 7),
    ]


_rng_ffn = np.random.default_rng(74)

q = questao(
    "lista-07/ffn",
    assinatura="ffn(x, W1, b1, W2, b2)",
    saida="array",
    referencia=ffn,
    casos=[
        caso(
            tensor([[1, 2], [0, -1]]), tensor([[1, 0, -1], [0, 1, 1]]), tensor([0, -1, 0]),
            tensor([[1, 0], [2, 1], [0, -1]]), tensor([0.5, 0]),
            claro=True, rotulo="o exemplo do enunciado", parte=_GELU,
        ),
        _caso_ffn(_rng_ffn, (3, 4), 7, arredonda=True, rotulo="três tokens, d = 4, largura 7"),
        _caso_ffn(_rng_ffn, (2, 3, 2), 5, arredonda=True, rotulo="um lote de duas frases"),
        _caso_ffn(_rng_ffn, (3, 3), 8, baixo=True, arredonda=True, rotulo="camada do meio toda negativa"),
        _caso_ffn(_rng_ffn, (4,), 3, arredonda=True, rotulo="um vetor só, e uma camada que encolhe"),
        _caso_longe(_rng_ffn, (3, 4), 6, arredonda=True, rotulo="três tokens, com o meio longe do zero"),
        _caso_longe(_rng_ffn, (2, 2, 3), 5, arredonda=True, rotulo="duas frases, com o meio longe do zero"),
    ],
    ocultos=ocultos,
    atol=1e-5,  # muitas parcelas que se cancelam, em float32
    partes={_PROJECOES: 0.5, _GELU: 0.5},
)  # fmt: skip

q.equivocos_curtos("""
relu: torch.relu(x @ W1 + b1) @ W2 + b2
    Você usou a ReLU no meio. Aqui a ativação é a GELU exata.
gelu-aproximada: F.gelu(x @ W1 + b1, approximate="tanh") @ W2 + b2
    A ativação é a GELU aproximada, com tanh. O enunciado pede a exata; a diferença é pequena, mas aparece.
aproximada-com-sigmoide: 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) → z * torch.sigmoid(1.702 * z)
    A ativação do meio é x·σ(1,702x), uma aproximação grosseira. O enunciado pede a GELU exata.
normaliza-a-saida: F.layer_norm(F.gelu(x @ W1 + b1) @ W2 + b2, x.shape[-1:])
    Você normalizou a saída da camada. A normalização é do bloco, na questão 4; aqui a saída sai como está.
subtrai-b1: F.gelu(x @ W1 - b1) @ W2 + b2
    Você subtraiu b1. O deslocamento se soma.
silu: F.silu(x @ W1 + b1) @ W2 + b2
    A ativação do meio é a SiLU, x·σ(x). O enunciado pede a GELU exata.
sem-ativacao: (x @ W1 + b1) @ W2 + b2
    Falta a GELU entre as duas projeções (foi chamada, e o resultado se perdeu?). Sem ela, as duas matrizes valem por
    uma só, W1·W2.
gelu-no-fim: F.gelu((x @ W1 + b1) @ W2 + b2)
    A GELU foi aplicada à saída, depois da segunda projeção. Ela fica no meio, na camada larga.
gelu-duas-vezes: F.gelu(F.gelu(x @ W1 + b1) @ W2 + b2)
    Há uma GELU a mais, na saída. A ativação é só a do meio.
gelu-na-entrada: (F.gelu(x) @ W1 + b1) @ W2 + b2
    A GELU foi aplicada a x, antes da primeira projeção. Ela vem depois de W1 e b1.
vies-depois-da-gelu: (F.gelu(x @ W1) + b1) @ W2 + b2
    O viés b1 foi somado depois da GELU. Ele entra antes dela, com x·W1.
sem-b1: F.gelu(x @ W1) @ W2 + b2
    O viés b1 não entrou na conta. Veja a Dica 3.
sem-b2: F.gelu(x @ W1 + b1) @ W2
    O viés b2 não entrou na conta: some-o no fim, depois da segunda projeção.
sem-vieses: F.gelu(x @ W1) @ W2
    Nenhum dos dois vieses entrou na conta: b1 se soma antes da GELU, e b2, no fim.
com-residuo: x + F.gelu(x @ W1 + b1) @ W2 + b2
    Você somou x à saída. A conexão residual é do bloco, na questão 4; aqui é só a camada.
pesos-transpostos: F.linear(F.gelu(F.linear(x, W1, b1)), W2, b2)
    As dimensões do produto não batem: ou você transpôs as matrizes, como as de um nn.Linear, ou trocou W1 e W2.
    Nesta questão W1 é (d, m) e fica à direita de x: x·W1; W2 vem depois. Veja a Dica 1.
normaliza-antes: F.gelu(F.layer_norm(x, x.shape[-1:]) @ W1 + b1) @ W2 + b2
    Você normalizou x antes da camada. A normalização é do bloco, na questão 4; aqui x entra como vem.
volta-com-W1: F.gelu(x @ W1 + b1) @ W1.T + b2
    A volta foi feita com W1 transposta. A segunda projeção é W2.
b1-no-fim: F.gelu(x @ W1 + b1) @ W2 + b1
    Um dos vieses está no lugar do outro, e as formas não combinam: b1, (m,), se soma a x·W1; b2, (d,), no fim.
vies-de-d-numeros: F.gelu(x @ W1 + b1 @ W2 + b2)
    O que você somou a x·W1, que tem m números, tem d. Ou o viés ali é o b2, e devia ser o b1, ou você fez b1 @ W2 sem
    querer, porque o @ vem antes do +. Faltam parênteses em volta de (x·W1 + b1).
vies-somado-ao-peso: F.gelu(x @ (W1 + b1)) @ W2 + b2
    O viés foi somado a W1, antes do produto. Ele se soma depois: x·W1 primeiro, b1 em seguida.
erf-sem-a-raiz: torch.erf(z / math.sqrt(2)) → torch.erf(z)
    Na GELU, faltou dividir por √2 dentro da erf: Φ(z) é metade de 1 + erf(z/√2), e você usou erf(z). Veja a Dica 2.
raiz-de-2-com-tres-casas: math.sqrt(2) → 1.414
    Você arredondou a raiz de 2 na GELU, e a diferença aparece nos negativos, onde ela é pequena. Use math.sqrt(2).
raiz-de-2-com-duas-casas: math.sqrt(2) → 1.41
    Você arredondou a raiz de 2 para 1,41, e a diferença aparece na terceira casa decimal. Use math.sqrt(2).
erf-vezes-raiz-de-2: z / math.sqrt(2) → z * math.sqrt(2)
    Dentro da erf da GELU você multiplicou pela raiz de 2. É para dividir.
erf-de-z-sobre-2: z / math.sqrt(2) → z / 2
    Dentro da erf da GELU você dividiu por 2. É pela raiz de 2.
tanh-no-lugar-da-erf: torch.erf → torch.tanh
    Você pôs a tangente hiperbólica no lugar da erf. As duas vão de −1 a 1, mas a Φ da normal se escreve com a erf.
erf-do-math: torch.erf → math.erf
    As funções do math, como math.erf, só aceitam um número. Para o tensor inteiro, use a do torch: torch.erf.
sem-a-metade: 0.5 * z → z
    Sua GELU é o dobro da certa: 1 + erf vai de 0 a 2, e Φ vai de 0 a 1. Falta a metade.
sem-o-1: (1 + torch.erf(z / math.sqrt(2))) → torch.erf(z / math.sqrt(2))
    Na GELU falta o 1 que se soma à erf. Você fez z·erf(z/√2)/2, que dá o mesmo para um número e para o oposto dele.
so-a-phi: 0.5 * z * → 0.5 *
    No lugar da GELU você usou só Φ(z), o portão. Falta multiplicar por z. Veja a Dica 2.
densidade-no-lugar-da-acumulada:
        0.5 * z * (1 + torch.erf(z / math.sqrt(2))) → z * torch.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    Na GELU você multiplicou pela densidade da normal (o sino). A Φ é a acumulada: a área à esquerda de z.
sinal-trocado: (1 + torch.erf → (1 - torch.erf
    O portão da sua GELU está ao contrário: deixa passar os negativos e fecha para os positivos. Olhe o sinal da erf.
zera-os-negativos: # a GELU exata → # a GELU exata⏎g = g * (z > 0)
    Nos positivos a sua GELU está certa, mas os negativos viraram 0. Ela não os corta: em −1 vale cerca de −0,159.
elu: 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) → F.elu(z)
    Isto é a ELU, que nos negativos é e^z − 1. A GELU é z·Φ(z).
sem-parenteses: (1 + torch.erf(z / math.sqrt(2))) → 1 + torch.erf(z / math.sqrt(2))
    Na GELU, a erf foi somada no fim, fora da multiplicação: faltam parênteses em volta de 1 + erf.
divide-fora-da-erf: torch.erf(z / math.sqrt(2)) → torch.erf(z) / math.sqrt(2)
    Você dividiu a erf por √2. O que se divide é o número, dentro dela: erf(z/√2).
metade-so-da-erf: 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) → z * (1 + torch.erf(z / math.sqrt(2)) / 2)
    Só a erf foi dividida por 2: faltam parênteses. A metade é de 1 + erf.
gelu-da-gelu: F.gelu(F.gelu(x @ W1 + b1)) @ W2 + b2
    A GELU foi aplicada duas vezes seguidas na camada do meio. Uma basta.
""")


@q.equivoco
def pesos_novos(x, W1, b1, W2, b2):
    """Os parâmetros que vêm nos argumentos não foram usados: sua camada sorteia outros a cada chamada. É o erro dos
    slides, na Caça ao erro da aula 07."""
    torch.manual_seed(0)
    W1, b1 = torch.rand(W1.shape), torch.rand(b1.shape)
    W2, b2 = torch.rand(W2.shape), torch.rand(b2.shape)
    return F.gelu(x @ W1 + b1) @ W2 + b2


@q.equivoco
def um_token_de_cada_vez(x, W1, b1, W2, b2):
    """Aqui x é um vetor só, e o seu laço percorreu os números dele. O `@` já repete a conta nas linhas, sem laço. Veja
    a Dica 1."""
    return torch.stack([F.gelu(linha @ W1 + b1) @ W2 + b2 for linha in x])


@q.equivoco
def altera_a_entrada(x, W1, b1, W2, b2):
    """A conta foi feita dentro da própria entrada."""
    y = F.gelu(x @ W1 + b1) @ W2
    y += b2
    x += y
    return y


@q.alternativa
def com_einsum(x, W1, b1, W2, b2):
    meio = exata(torch.einsum("...d,dm->...m", x, W1) + b1)
    return torch.einsum("...m,md->...d", meio, W2) + b2


@q.alternativa
def posicao_por_posicao(x, W1, b1, W2, b2):
    saidas = []
    for token in x.reshape(-1, x.shape[-1]):
        meio = exata(b1 + sum(v * W1[i] for i, v in enumerate(token)))
        saidas.append(meio @ W2 + b2)
    return torch.stack(saidas).reshape(x.shape)


@q.alternativa
def com_numpy(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (t.numpy().astype(np.float64) for t in (x, W1, b1, W2, b2))
    z = x @ W1 + b1
    return z * (1 + np.vectorize(math.erf)(z / math.sqrt(2))) / 2 @ W2 + b2


@q.alternativa
def com_modulos(x, W1, b1, W2, b2):
    d, m = W1.shape
    rede = nn.Sequential(nn.Linear(d, m), nn.GELU(), nn.Linear(m, d))
    rede.load_state_dict({"0.weight": W1.T, "0.bias": b1, "2.weight": W2.T, "2.bias": b2})
    return rede(x)


@q.alternativa
def unidade_por_unidade(x, W1, b1, W2, b2):
    y = b2.expand(x.shape).clone()
    for m in range(W1.shape[1]):
        y = y + F.gelu((x * W1[:, m]).sum(-1, keepdim=True) + b1[m]) * W2[m]
    return y


q.alternativas_curtas("""
com-a-normal: 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) → z * torch.distributions.Normal(0.0, 1.0).cdf(z)
com-erfc: 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) → 0.5 * z * torch.special.erfc(-z / math.sqrt(2))
com-ndtr: 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) → torch.special.ndtr(z) * z
em-uma-linha: F.gelu(x @ W1 + b1) @ W2 + b2
com-linear: F.linear(F.gelu(F.linear(x, W1.T, b1)), W2.T, b2)
""")
