"""Lista 07: normalização de camada, GELU e a aproximação dela, a camada feed-forward, posições e o bloco inteiro.

As entradas são tensores float32 (e int64, nos identificadores). Os números visíveis são múltiplos de 1/16, curtos e
exatos. A GELU exata e a aproximação diferem no máximo 0,0005: toda questão que as distingue tem entradas entre −3 e
−1, onde a diferença é grande perto do valor. Em `layer_norm`, a linha com média perto de mil tem quatro números cuja
soma é exata em float32: ali a variância pelos desvios é exata, e a por diferença de quadrados se perde.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gabarito.base import caso, questao


def _t(valores):
    return torch.tensor(np.asarray(valores), dtype=torch.float32)


def _curto(rng, forma, desvio=1.0):
    """Números normais arredondados para múltiplos de 1/16: exatos em float32 e curtos no arquivo."""
    return _t(np.round(rng.normal(size=forma) * desvio * 16) / 16 + 0.0)


# -------------------------------------------------------------------------------------------- layer_norm


def _layer_norm(x, gama, beta, eps=1e-5):
    z = x.double()
    desvios = z - z.mean(dim=-1, keepdim=True)
    variancia = (desvios**2).mean(dim=-1, keepdim=True)
    return (gama * desvios / torch.sqrt(variancia + eps) + beta).float()


def _gama_e_beta(rng, d):
    """Ganho longe de 0 e de 1, deslocamento longe de 0: esquecer um deles aparece."""
    gama = rng.choice([-1, 1], size=d) * rng.uniform(0.4, 0.8, size=d) + rng.choice([0, 2], size=d)
    beta = rng.choice([-1, 1], size=d) * rng.uniform(0.3, 1.5, size=d)
    return _t(np.round(gama * 16) / 16), _t(np.round(beta * 16) / 16)


def _longe_de_zero(rng, linhas, rotulo=""):
    """Linhas de quatro números perto de mil, afastados por oitavos: a média é exata em float32.

    O deslocamento é grande para que a saída não passe perto de zero, onde o erro do float32 pareceria grande.
    """
    oitavos = rng.integers(-12, 13, size=(linhas, 4)) / 8
    oitavos[:, 0], oitavos[:, 1] = 1.5, -1.25
    return caso(_t(1024 + oitavos), _t([2.0, 0.5, -1.0, 3.0]), _t([8.0, -8.0, 8.0, -9.0]), rotulo=rotulo)


def _ocultos_layer_norm(rng):
    miudo = rng.normal(size=(3, 6)) * 0.003
    constante = np.concatenate([rng.normal(size=(2, 5)), np.full((1, 5), rng.integers(-8, 9) / 4)])
    return [
        caso(_t(rng.normal(size=(4, 6)) * 2 + rng.normal(size=(4, 1)) * 3), *_gama_e_beta(rng, 6)),
        caso(_t(rng.normal(size=(2, 3, 5)) + 1.5), *_gama_e_beta(rng, 5)),
        caso(_t(rng.normal(size=(3, 2, 4, 7)) * 3), *_gama_e_beta(rng, 7)),
        caso(_t(rng.normal(size=8) * 2 - 1), *_gama_e_beta(rng, 8)),
        caso(_t(miudo), *_gama_e_beta(rng, 6)),
        caso(_t(constante), *_gama_e_beta(rng, 5)),
        _longe_de_zero(rng, 5),
        caso(_t(rng.normal(size=(5, 3))), *_gama_e_beta(rng, 3), 0.5),
        caso(_t(rng.normal(size=(2, 4, 6)) * 0.1), *_gama_e_beta(rng, 6), 0.015625),
    ]


_rng_ln = np.random.default_rng(71)
_GAMA_4, _BETA_4 = _t([2.0, 0.5, -1.0, 3.0]), _t([0.25, -0.5, 1.0, -1.5])

layer_norm = questao(
    "lista-07/layer_norm",
    assinatura="layer_norm(x, gama, beta, eps=1e-5)",
    saida="array",
    referencia=_layer_norm,
    casos=[
        caso(
            _t([[1, 3, 5, 7], [0, 0, 4, 0]]), _t([1, 2, 1, 0.5]), _t([0, 1, -1, 0.25]),
            claro=True, rotulo="o exemplo do enunciado",
        ),
        caso(_curto(_rng_ln, (3, 5), 2.0) + 3, *_gama_e_beta(_rng_ln, 5), rotulo="três linhas, com média perto de 3"),
        caso(_curto(_rng_ln, (2, 3, 4), 1.5), _GAMA_4, _BETA_4, rotulo="um lote de duas frases"),
        caso(_t([0.5, -2, 1.25, 3, -0.75, 2.5]), *_gama_e_beta(_rng_ln, 6), rotulo="um vetor só"),
        caso(_t([[2, 2, 2, 2], [1, -1, 2, 0.5]]), _GAMA_4, _BETA_4, rotulo="uma linha de números iguais"),
        caso(_t(np.array([[3, -1, 2, 0], [1, 1, -4, 2]]) / 1024), _GAMA_4, _BETA_4, rotulo="variância muito pequena"),
        _longe_de_zero(_rng_ln, 3, "média perto de mil"),
        caso(_curto(_rng_ln, (2, 5)), *_gama_e_beta(_rng_ln, 5), 0.5, rotulo="eps = 0,5"),
    ],
    ocultos=_ocultos_layer_norm,
    atol=1e-5,  # ganho e deslocamento podem se cancelar: perto de zero, o float32 erra mais que 1e-6
)  # fmt: skip


@layer_norm.equivoco(
    "a-copiada",
    "Esta é a versão muito copiada: o desvio divide por d − 1, e eps é somado fora da raiz. O torch divide por d e "
    "soma eps à variância, antes da raiz.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + beta


@layer_norm.equivoco(
    "variancia-com-d-menos-1",
    "Sua variância divide por d − 1, que é o padrão de .var() e .std() no torch. Aqui se divide por d: procure a opção "
    "que muda isso, ou faça a média dos quadrados.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps) + beta


@layer_norm.equivoco(
    "eps-fora-da-raiz",
    "Quase: eps foi somado ao desvio, depois da raiz. Ele se soma à variância, antes dela; com variância pequena a "
    "diferença é grande.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True, correction=0) + eps) + beta


@layer_norm.equivoco(
    "sem-eps",
    "Falta o eps: em uma linha de números iguais a variância é 0, e 0/0 é NaN. Some eps à variância, antes da raiz.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True, correction=0) + beta


@layer_norm.equivoco(
    "eps-fixo",
    "Seu eps é sempre 0,00001, mesmo quando a chamada traz outro. Use o argumento.",
)
def _(x, gama, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gama, beta)


@layer_norm.equivoco(
    "outro-eps-padrao",
    "Quando a chamada não traz eps, o seu não vale 0,00001: com variância pequena isso aparece. Confira o valor padrão "
    "na assinatura.",
)
def _(x, gama, beta, eps=1e-6):
    return F.layer_norm(x, x.shape[-1:], gama, beta, eps)


@layer_norm.equivoco(
    "eps-como-piso",
    "Você usou eps como um piso para o desvio. Ele se soma à variância, sempre, antes da raiz.",
)
def _(x, gama, beta, eps=1e-5):
    desvio = x.std(-1, keepdim=True, correction=0).clamp(min=eps)
    return gama * (x - x.mean(-1, keepdim=True)) / desvio + beta


@layer_norm.equivoco(
    "eps-ao-quadrado",
    "Você somou eps² à variância. Some o próprio eps: com variância pequena, ou com eps grande, aparece a diferença.",
)
def _(x, gama, beta, eps=1e-5):
    variancia = x.var(-1, keepdim=True, correction=0)
    return gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(variancia + eps**2) + beta


@layer_norm.equivoco(
    "sem-eps-e-com-d-menos-1",
    "São dois enganos: o .std() do torch divide por d − 1, e aqui se divide por d; e falta o eps, que se soma à "
    "variância, antes da raiz.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True) + beta


@layer_norm.equivoco(
    "eps-como-piso-da-variancia",
    "Você usou eps como um piso para a variância. Ele se soma a ela, sempre, mesmo quando ela já é maior.",
)
def _(x, gama, beta, eps=1e-5):
    variancia = x.var(-1, keepdim=True, correction=0).clamp(min=eps)
    return gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(variancia) + beta


@layer_norm.equivoco(
    "eixo-das-linhas",
    "A média e a variância foram tiradas ao longo do primeiro eixo, misturando linhas (ou frases) diferentes. Cada "
    "vetor se normaliza sozinho, no último eixo.",
)
def _(x, gama, beta, eps=1e-5):
    variancia = x.var(0, keepdim=True, correction=0)
    return gama * (x - x.mean(0, keepdim=True)) / torch.sqrt(variancia + eps) + beta


@layer_norm.equivoco(
    "eixo-1",
    "Você tirou a média e a variância no eixo 1. Em uma matriz ele é o último; em um lote (B, T, d) não é, e em um "
    "vetor nem existe. O último eixo é sempre o −1.",
)
def _(x, gama, beta, eps=1e-5):
    variancia = x.var(1, keepdim=True, correction=0)
    return gama * (x - x.mean(1, keepdim=True)) / torch.sqrt(variancia + eps) + beta


@layer_norm.equivoco(
    "normaliza-tudo-junto",
    "A média e a variância são do tensor inteiro. Cada vetor do último eixo tem as suas: diga o eixo e conserve a "
    "dimensão.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) + beta


@layer_norm.equivoco(
    "dois-ultimos-eixos",
    "Você normalizou cada frase inteira, com os dois últimos eixos juntos: um token mexe nos outros. A média e a "
    "variância são de cada token, só do último eixo.",
)
def _(x, gama, beta, eps=1e-5):
    eixos = tuple(range(max(-2, -x.ndim), 0))
    variancia = x.var(eixos, keepdim=True, correction=0)
    return gama * (x - x.mean(eixos, keepdim=True)) / torch.sqrt(variancia + eps) + beta


@layer_norm.equivoco(
    "sem-raiz",
    "Você dividiu pela variância, e não pela raiz dela: números grandes saem pequenos demais, e os pequenos, grandes.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + eps) + beta


@layer_norm.equivoco(
    "sem-tirar-a-media",
    "A divisão está certa, mas falta subtrair a média: sua saída (antes de gama e beta) não tem média 0.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * x / torch.sqrt(x.var(-1, keepdim=True, correction=0) + eps) + beta


@layer_norm.equivoco(
    "rmsnorm",
    "Isto é a RMSNorm: divide pela raiz da média dos quadrados, sem tirar a média. Ela existe (os Llama a usam), mas "
    "aqui se pede a LayerNorm.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * x / torch.sqrt((x**2).mean(-1, keepdim=True) + eps) + beta


@layer_norm.equivoco(
    "soma-em-vez-de-media",
    "Você somou os quadrados dos desvios e não dividiu por d. A variância é a média deles.",
)
def _(x, gama, beta, eps=1e-5):
    desvios = x - x.mean(-1, keepdim=True)
    return gama * desvios / torch.sqrt((desvios**2).sum(-1, keepdim=True) + eps) + beta


@layer_norm.equivoco(
    "so-centraliza",
    "Você tirou a média, e parou: falta dividir pelo desvio.",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean(-1, keepdim=True)) + beta


@layer_norm.equivoco("sem-gama", "O ganho não entrou na conta: multiplique por `gama` antes de somar `beta`.")
def _(x, gama, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], None, beta, eps)


@layer_norm.equivoco("sem-beta", "O deslocamento não entrou na conta: depois de multiplicar por `gama`, some `beta`.")
def _(x, gama, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gama, None, eps)


@layer_norm.equivoco(
    "sem-gama-nem-beta",
    "A normalização está certa, e é só metade: falta multiplicar por `gama` e somar `beta`, que são o que o modelo "
    "aprende.",
)
def _(x, gama, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], None, None, eps)


@layer_norm.equivoco("gama-e-beta-trocados", "Estão trocados: `gama` multiplica e `beta` soma.")
def _(x, gama, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], beta, gama, eps)


@layer_norm.equivoco(
    "beta-antes-de-gama",
    "Você somou `beta` antes de multiplicar por `gama`, e o deslocamento saiu esticado. Primeiro o ganho, depois a "
    "soma.",
)
def _(x, gama, beta, eps=1e-5):
    return (F.layer_norm(x, x.shape[-1:], None, None, eps) + beta) * gama


@layer_norm.equivoco(
    "um-mais-gama",
    "Você multiplicou por 1 + gama. Há modelos que guardam o ganho assim, mas aqui `gama` é o próprio ganho.",
)
def _(x, gama, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], 1 + gama, beta, eps)


@layer_norm.equivoco(
    "variancia-por-diferenca",
    "A conta média(x²) − média² está certa no papel, mas em float32, com média perto de mil, ela subtrai dois números "
    "quase iguais e perde tudo. Tire a média primeiro e faça a média dos quadrados dos desvios.",
)
def _(x, gama, beta, eps=1e-5):
    media = x.mean(-1, keepdim=True)
    return gama * (x - media) / torch.sqrt((x**2).mean(-1, keepdim=True) - media**2 + eps) + beta


@layer_norm.equivoco(
    "sem-keepdim",
    "A média perdeu o último eixo e não combina mais com x. Conserve a dimensão (keepdim=True).",
)
def _(x, gama, beta, eps=1e-5):
    return gama * (x - x.mean(-1)) / torch.sqrt(x.var(-1, correction=0) + eps) + beta


@layer_norm.equivoco("altera-a-entrada", "A conta foi feita dentro da própria entrada.")
def _(x, gama, beta, eps=1e-5):
    x -= x.mean(-1, keepdim=True)
    x /= torch.sqrt((x**2).mean(-1, keepdim=True) + eps)
    return gama * x + beta


@layer_norm.alternativa("a-do-torch")
def _(x, gama, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gama, beta, eps)


@layer_norm.alternativa("pela-media-dos-quadrados")
def _(x, gama, beta, eps=1e-5):
    desvios = x - x.mean(dim=-1, keepdim=True)
    return desvios * torch.rsqrt(desvios.pow(2).mean(dim=-1, keepdim=True) + eps) * gama + beta


@layer_norm.alternativa("var-sem-correcao")
def _(x, gama, beta, eps=1e-5):
    media, variancia = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
    return gama * (x - media) / (variancia + eps).sqrt() + beta


@layer_norm.alternativa("var_mean")
def _(x, gama, beta, eps=1e-5):
    variancia, media = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
    return torch.addcmul(beta, gama, (x - media) / torch.sqrt(variancia + eps))


@layer_norm.alternativa("corrige-d-menos-1")
def _(x, gama, beta, eps=1e-5):
    d = x.shape[-1]
    variancia = x.var(-1, keepdim=True) * (d - 1) / d
    return gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(variancia + eps) + beta


@layer_norm.alternativa("com-numpy")
def _(x, gama, beta, eps=1e-5):
    z = x.numpy().astype(np.float64)
    z = (z - z.mean(axis=-1, keepdims=True)) / np.sqrt(z.var(axis=-1, keepdims=True) + eps)
    return gama.numpy() * z + beta.numpy()


@layer_norm.alternativa("linha-por-linha")
def _(x, gama, beta, eps=1e-5):
    linhas = []
    for linha in x.reshape(-1, x.shape[-1]):
        media = sum(linha) / len(linha)
        variancia = sum((v - media) ** 2 for v in linha) / len(linha)
        linhas.append(gama * (linha - media) / (variancia + eps) ** 0.5 + beta)
    return torch.stack(linhas).reshape(x.shape)


@layer_norm.alternativa("com-o-modulo")
def _(x, gama, beta, eps=1e-5):
    norma = nn.LayerNorm(x.shape[-1], eps=eps)
    norma.load_state_dict({"weight": gama, "bias": beta})
    return norma(x)


@layer_norm.alternativa("com-einsum")
def _(x, gama, beta, eps=1e-5):
    d = x.shape[-1]
    centro = torch.eye(d) - 1 / d  # (d, d): tirar a média é um produto de matrizes
    desvios = (x.double() @ centro.double()).float()
    variancia = torch.einsum("...i,...i->...", desvios, desvios)[..., None] / d
    return gama * desvios / torch.sqrt(variancia + eps) + beta


# -------------------------------------------------------------------------------------------------- gelu


def _gelu(x):
    z = x.double()
    return (0.5 * z * (1 + torch.erf(z / math.sqrt(2)))).float()


def _sortear_x(rng, forma):
    """Números dos dois lados do zero, com vários entre −3 e −1 e alguns positivos."""
    x = rng.normal(size=forma) * 1.8
    plano = x.ravel()
    n = max(2, plano.size // 4)
    plano[:n] = -rng.uniform(1.2, 2.9, size=n)
    plano[-n:] = rng.uniform(0.3, 1.6, size=n)
    return _t(rng.permutation(plano).reshape(forma))


def _ocultos_gelu(rng):
    return [
        caso(_sortear_x(rng, (9,))),
        caso(_sortear_x(rng, (3, 5))),
        caso(_sortear_x(rng, (2, 3, 4))),
        caso(_sortear_x(rng, (6, 2))),
        caso(_t(np.concatenate([-rng.uniform(20, 100, 3), rng.uniform(20, 100, 3), [0.0, -2.5]]))),
        caso(_t(rng.uniform(-3, -1, size=(4, 2)))),
    ]


_CASOS_GELU = [
    caso(_t([-2, -1, 0, 1, 2]), claro=True, rotulo="o exemplo do enunciado"),
    caso(_t([[0.5, -1.5, 3], [-0.25, -2.5, 0.75]]), rotulo="uma matriz"),
    caso(_t(np.arange(-14, 14, 2.25).reshape(1, 13) / 4), rotulo="treze números entre −3,5 e 3,25"),
    caso(_t([[[-3], [1.25]], [[-1.75], [2.25]], [[0.125], [-0.5]]]), rotulo="três eixos"),
    caso(_t([-100, -30, -2.25, 0, 30, 100]), rotulo="números de até 100"),
]

gelu = questao(
    "lista-07/gelu",
    assinatura="gelu(x)",
    saida="array",
    referencia=_gelu,
    casos=_CASOS_GELU,
    ocultos=_ocultos_gelu,
)


@gelu.equivoco(
    "a-aproximada",
    "Esta é a aproximação com a tangente hiperbólica, a da questão 3: em −2 ela erra na quarta casa. Aqui se pede a "
    "exata, com a função erf.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@gelu.equivoco(
    "aproximada-com-sigmoide",
    "Isto é x·σ(1,702x), uma aproximação mais grosseira (erra na segunda casa). Aqui se pede a exata, com a função "
    "erf.",
)
def _(x):
    return x * torch.sigmoid(1.702 * x)


@gelu.equivoco("silu", "Isto é a SiLU (ou swish), x·σ(x). A GELU troca a sigmoide pela Φ da normal.")
def _(x):
    return x * torch.sigmoid(x)


@gelu.equivoco("relu", "Isto é a ReLU: zero para todo negativo. A GELU é suave, e em −1 vale cerca de −0,159.")
def _(x):
    return torch.relu(x)


@gelu.equivoco(
    "erf-de-x",
    "Faltou dividir por √2 dentro da erf: Φ(x) é metade de 1 + erf(x/√2), e você usou erf(x).",
)
def _(x):
    return 0.5 * x * (1 + torch.erf(x))


@gelu.equivoco(
    "raiz-de-2-com-tres-casas",
    "Você arredondou a raiz de 2, e a diferença aparece nos negativos, onde a GELU é pequena. Use math.sqrt(2).",
)
def _(x):
    return 0.5 * x * (1 + torch.erf(x / 1.414))


@gelu.equivoco(
    "raiz-de-2-com-duas-casas",
    "Você arredondou a raiz de 2 para 1,41, e a diferença aparece na terceira casa. Use math.sqrt(2).",
)
def _(x):
    return 0.5 * x * (1 + torch.erf(x / 1.41))


@gelu.equivoco("erf-vezes-raiz-de-2", "Dentro da erf você multiplicou x pela raiz de 2. É para dividir.")
def _(x):
    return 0.5 * x * (1 + torch.erf(x * math.sqrt(2)))


@gelu.equivoco(
    "tanh-no-lugar-da-erf",
    "Você pôs a tangente hiperbólica no lugar da erf. As duas vão de −1 a 1, mas a Φ da normal se escreve com a erf.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(x / math.sqrt(2)))


@gelu.equivoco(
    "erf-do-math",
    "As funções do math, como math.erf, só aceitam um número. Para o tensor inteiro, use a do torch: torch.erf.",
)
def _(x):
    return 0.5 * x * (1 + math.erf(x / math.sqrt(2)))


@gelu.equivoco("erf-de-x-sobre-2", "Dentro da erf você dividiu x por 2. É pela raiz de 2.")
def _(x):
    return 0.5 * x * (1 + torch.erf(x / 2))


@gelu.equivoco(
    "sem-a-metade",
    "Sua saída é o dobro da certa: 1 + erf vai de 0 a 2, e Φ vai de 0 a 1. Falta a metade.",
)
def _(x):
    return x * (1 + torch.erf(x / math.sqrt(2)))


@gelu.equivoco(
    "sem-o-1",
    "Você fez x·erf(x/√2)/2: falta o 1 que se soma à erf. Sua função é par, e a GELU não é.",
)
def _(x):
    return 0.5 * x * torch.erf(x / math.sqrt(2))


@gelu.equivoco("so-a-phi", "Isto é só Φ(x), o portão. Falta multiplicar por x.")
def _(x):
    return 0.5 * (1 + torch.erf(x / math.sqrt(2)))


@gelu.equivoco(
    "densidade-no-lugar-da-acumulada",
    "Você multiplicou x pela densidade da normal (o sino). A Φ é a acumulada: a área à esquerda de x.",
)
def _(x):
    return x * torch.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)


@gelu.equivoco(
    "sinal-trocado",
    "Seu portão está ao contrário: deixa passar os negativos e fecha para os positivos. Olhe o sinal da erf.",
)
def _(x):
    return 0.5 * x * (1 - torch.erf(x / math.sqrt(2)))


@gelu.equivoco(
    "zera-os-negativos",
    "Nos positivos está certa, mas os negativos saíram 0. A GELU não os corta: em −1 ela vale cerca de −0,159.",
)
def _(x):
    return torch.where(x > 0, F.gelu(x), torch.zeros_like(x))


@gelu.equivoco("elu", "Isto é a ELU: nos negativos, e^x − 1. A GELU é x·Φ(x).")
def _(x):
    return F.elu(x)


@gelu.equivoco("altera-a-entrada", "A conta foi feita dentro da própria entrada.")
def _(x):
    portao = 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    x *= portao
    return x


@gelu.alternativa("com-erf")
def _(x):
    return x * 0.5 * (1.0 + torch.erf(x / 2**0.5))


@gelu.alternativa("a-do-torch")
def _(x):
    return F.gelu(x)


@gelu.alternativa("com-a-normal")
def _(x):
    return x * torch.distributions.Normal(0.0, 1.0).cdf(x)


@gelu.alternativa("com-erfc")
def _(x):
    return 0.5 * x * torch.special.erfc(-x / math.sqrt(2))


@gelu.alternativa("com-ndtr")
def _(x):
    return torch.special.ndtr(x) * x


@gelu.alternativa("um-por-um")
def _(x):
    valores = [0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x.flatten().tolist()]
    return torch.tensor(valores).reshape(x.shape)


@gelu.alternativa("com-numpy")
def _(x):
    z = x.numpy().astype(float)
    return z * (1 + np.vectorize(math.erf)(z / np.sqrt(2))) / 2


@gelu.alternativa("com-o-modulo")
def _(x):
    return nn.GELU()(x)


# --------------------------------------------------------------------------------------------- gelu_tanh


def _gelu_tanh(x):
    z = x.double()
    return (0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))).float()


gelu_tanh = questao(
    "lista-07/gelu_tanh",
    assinatura="gelu_tanh(x)",
    saida="array",
    referencia=_gelu_tanh,
    casos=_CASOS_GELU,
    ocultos=_ocultos_gelu,
)


@gelu_tanh.equivoco(
    "a-exata",
    "Esta é a GELU exata, a da questão 2. Aqui se pede a aproximação com a tangente hiperbólica: em −2, a quarta casa "
    "é outra.",
)
def _(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


@gelu_tanh.equivoco(
    "com-sigmoide",
    "Isto é x·σ(1,702x), a outra aproximação. A pedida usa a tangente hiperbólica e um termo com x³.",
)
def _(x):
    return x * torch.sigmoid(1.702 * x)


@gelu_tanh.equivoco(
    "raiz-de-2-pi",
    "Sua constante é √(2π), cerca de 2,51. É a raiz de 2 dividido por π, cerca de 0,80.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 * math.pi) * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco("sem-a-raiz", "Sua constante é 2/π, cerca de 0,64: falta a raiz, que dá cerca de 0,80.")
def _(x):
    return 0.5 * x * (1 + torch.tanh(2 / math.pi * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco(
    "raiz-so-do-2",
    "Sua constante é √2/π, cerca de 0,45: a raiz pegou só o 2. É a raiz da fração inteira, cerca de 0,80.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2) / math.pi * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco("pi-sobre-2", "Sua constante é √(π/2), cerca de 1,25. A fração está invertida: é √(2/π).")
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(math.pi / 2) * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco(
    "tanh-do-math",
    "As funções do math, como math.tanh, só aceitam um número. Para o tensor inteiro, use a do torch: torch.tanh.",
)
def _(x):
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco(
    "sem-a-constante",
    "Falta o fator √(2/π) que multiplica tudo dentro da tangente hiperbólica.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(x + 0.044715 * x**3))


@gelu_tanh.equivoco("sem-o-cubo", "Falta o termo com x³ dentro da tangente hiperbólica.")
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * x))


@gelu_tanh.equivoco(
    "quadrado-no-lugar-do-cubo",
    "O termo de correção leva x³, e você usou x². Com negativos o sinal muda.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**2)))


@gelu_tanh.equivoco(
    "coeficiente-dez-vezes-maior",
    "Uma vírgula fora do lugar: o coeficiente de x³ é 0,044715, e não 0,44715.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.44715 * x**3)))


@gelu_tanh.equivoco(
    "coeficiente-dez-vezes-menor",
    "Uma vírgula fora do lugar: o coeficiente de x³ é 0,044715, e não 0,0044715.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.0044715 * x**3)))


@gelu_tanh.equivoco(
    "coeficiente-arredondado",
    "Você arredondou o coeficiente para 0,045, e a diferença aparece. Use 0,044715 inteiro.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.045 * x**3)))


@gelu_tanh.equivoco(
    "coeficiente-truncado",
    "Você cortou o coeficiente em 0,0447, e a diferença aparece. Use 0,044715 inteiro.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.0447 * x**3)))


@gelu_tanh.equivoco(
    "constante-arredondada",
    "Você arredondou a constante √(2/π) para 0,8, e a diferença aparece na terceira casa. Use math.sqrt(2 / math.pi).",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(0.8 * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco(
    "constante-com-tres-casas",
    "Você arredondou a constante √(2/π) para 0,798, e a diferença aparece nos negativos. Use math.sqrt(2 / math.pi).",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(0.798 * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco(
    "cubo-fora-da-constante",
    "O parêntese fechou cedo: √(2/π) multiplica a soma toda, x + 0,044715 x³, e não só o x.",
)
def _(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * x + 0.044715 * x**3))


@gelu_tanh.equivoco("sem-a-metade", "Sua saída é o dobro da certa: falta a metade na frente.")
def _(x):
    return x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco("sem-o-1", "Falta o 1 que se soma à tangente hiperbólica: sua função é par, e a GELU não é.")
def _(x):
    return 0.5 * x * torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))


@gelu_tanh.equivoco("so-o-portao", "Isto é só o portão, entre 0 e 1. Falta multiplicar por x.")
def _(x):
    return 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@gelu_tanh.equivoco(
    "tanh-que-estoura",
    "Sua tangente hiperbólica divide exponenciais que estouram: para x = 30 dá inf/inf, que é NaN. Use torch.tanh, ou "
    "uma forma em que só apareça uma exponencial no denominador.",
)
def _(x):
    u = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + (torch.exp(u) - torch.exp(-u)) / (torch.exp(u) + torch.exp(-u)))


@gelu_tanh.equivoco(
    "tanh-que-estoura-nos-positivos",
    "Sua tangente hiperbólica, (e²ᵘ − 1)/(e²ᵘ + 1), estoura nos positivos: para x = 30 dá inf/inf, que é NaN. Use "
    "torch.tanh, ou 1 − 2/(e²ᵘ + 1), em que o infinito só aparece embaixo.",
)
def _(x):
    dobro = torch.exp(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    return 0.5 * x * (1 + (dobro - 1) / (dobro + 1))


@gelu_tanh.equivoco(
    "tanh-que-estoura-nos-negativos",
    "Sua tangente hiperbólica, (1 − e⁻²ᵘ)/(1 + e⁻²ᵘ), estoura nos negativos: para x = −30 dá −inf/inf, que é NaN. Use "
    "torch.tanh, ou 2/(1 + e⁻²ᵘ) − 1, em que o infinito só aparece embaixo.",
)
def _(x):
    dobro = torch.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    return 0.5 * x * (1 + (1 - dobro) / (1 + dobro))


@gelu_tanh.equivoco("altera-a-entrada", "A conta foi feita dentro da própria entrada.")
def _(x):
    portao = 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    x *= portao
    return x


@gelu_tanh.alternativa("com-tanh")
def _(x):
    u = (2 / torch.pi) ** 0.5 * (x + 0.044715 * torch.pow(x, 3))
    return x * (torch.tanh(u) + 1) / 2


@gelu_tanh.alternativa("a-do-torch")
def _(x):
    return F.gelu(x, approximate="tanh")


@gelu_tanh.alternativa("pela-sigmoide")
def _(x):
    return x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * x * (1 + 0.044715 * x * x))


@gelu_tanh.alternativa("uma-exponencial-so")
def _(x):
    u = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return x * (1 - 1 / (torch.exp(2 * u) + 1))


@gelu_tanh.alternativa("um-por-um")
def _(x):
    k = math.sqrt(2 / math.pi)
    valores = [0.5 * v * (1 + math.tanh(k * (v + 0.044715 * v**3))) for v in x.flatten().tolist()]
    return torch.tensor(valores).view(x.shape)


@gelu_tanh.alternativa("com-numpy")
def _(x):
    z = x.numpy().astype(np.float64)
    return z / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))


# --------------------------------------------------------------------------------------------------- ffn


def _ffn(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (t.double() for t in (x, W1, b1, W2, b2))
    return (_exata(x @ W1 + b1) @ W2 + b2).float()


def _exata(z):
    return 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))


def _caso_ffn(rng, forma, largura, baixo=False, arredonda=False, rotulo=""):
    """x, W1, b1, W2, b2; com `baixo`, os números da camada do meio caem entre −3 e −1, onde a GELU exata se separa."""
    d = forma[-1]
    x = rng.normal(size=forma) * (0.2 if baixo else 1.3)
    W1 = rng.normal(size=(d, largura)) / math.sqrt(d) * (1.0 if baixo else 1.4)
    b1 = -rng.uniform(1.6, 2.6, size=largura) if baixo else rng.normal(size=largura) * 0.7
    W2 = rng.normal(size=(largura, d)) * (2.0 if baixo else 1 / math.sqrt(largura) * 1.5)
    b2 = rng.choice([-1, 1], size=d) * rng.uniform(0.05, 0.2, size=d) * (1 if baixo else 5)
    tudo = (x, W1, b1, W2, b2)
    return caso(*(_t(np.round(v * 16) / 16 + 0.0 if arredonda else v) for v in tudo), rotulo=rotulo)


def _ocultos_ffn(rng):
    return [
        _caso_ffn(rng, (4, 3), 7),
        _caso_ffn(rng, (2, 3, 4), 16),
        _caso_ffn(rng, (5, 6), 4),
        _caso_ffn(rng, (3, 4), 9, baixo=True),
        _caso_ffn(rng, (2, 2, 3), 8, baixo=True),
        _caso_ffn(rng, (5,), 11),
        _caso_ffn(rng, (1, 2), 5, baixo=True),
    ]


_rng_ffn = np.random.default_rng(74)

ffn = questao(
    "lista-07/ffn",
    assinatura="ffn(x, W1, b1, W2, b2)",
    saida="array",
    referencia=_ffn,
    casos=[
        caso(
            _t([[1, 2], [0, -1]]), _t([[1, 0, -1], [0, 1, 1]]), _t([0, -1, 0]),
            _t([[1, 0], [2, 1], [0, -1]]), _t([0.5, 0]),
            claro=True, rotulo="o exemplo do enunciado",
        ),
        _caso_ffn(_rng_ffn, (3, 4), 7, arredonda=True, rotulo="três tokens, d = 4, largura 7"),
        _caso_ffn(_rng_ffn, (2, 3, 2), 5, arredonda=True, rotulo="um lote de duas frases"),
        _caso_ffn(_rng_ffn, (3, 3), 8, baixo=True, arredonda=True, rotulo="camada do meio toda negativa"),
        _caso_ffn(_rng_ffn, (4,), 3, arredonda=True, rotulo="um vetor só, e uma camada que encolhe"),
    ],
    ocultos=_ocultos_ffn,
    atol=1e-5,  # muitas parcelas que se cancelam, em float32
)  # fmt: skip


@ffn.equivoco("relu", "Você usou a ReLU no meio. Aqui a ativação é a GELU exata, a da questão 2.")
def _(x, W1, b1, W2, b2):
    return torch.relu(x @ W1 + b1) @ W2 + b2


@ffn.equivoco(
    "gelu-aproximada",
    "A ativação é a GELU aproximada, com tanh. O enunciado pede a exata; a diferença é pequena, mas aparece.",
)
def _(x, W1, b1, W2, b2):
    return F.gelu(x @ W1 + b1, approximate="tanh") @ W2 + b2


@ffn.equivoco(
    "aproximada-com-sigmoide",
    "A ativação do meio é x·σ(1,702x), uma aproximação grosseira. O enunciado pede a GELU exata, a da questão 2.",
)
def _(x, W1, b1, W2, b2):
    z = x @ W1 + b1
    return z * torch.sigmoid(1.702 * z) @ W2 + b2


@ffn.equivoco(
    "normaliza-a-saida",
    "Você normalizou a saída da camada. A normalização é do bloco, na questão 6; aqui a saída sai como está.",
)
def _(x, W1, b1, W2, b2):
    return F.layer_norm(F.gelu(x @ W1 + b1) @ W2 + b2, x.shape[-1:])


@ffn.equivoco("silu", "A ativação do meio é a SiLU, x·σ(x). O enunciado pede a GELU exata.")
def _(x, W1, b1, W2, b2):
    return F.silu(x @ W1 + b1) @ W2 + b2


@ffn.equivoco(
    "sem-ativacao",
    "Falta a GELU entre as duas projeções. Sem ela, as duas matrizes valem por uma só, W1·W2, e a camada é linear.",
)
def _(x, W1, b1, W2, b2):
    return (x @ W1 + b1) @ W2 + b2


@ffn.equivoco(
    "gelu-no-fim",
    "A GELU foi aplicada à saída, depois da segunda projeção. Ela fica no meio, na camada larga.",
)
def _(x, W1, b1, W2, b2):
    return F.gelu((x @ W1 + b1) @ W2 + b2)


@ffn.equivoco("gelu-duas-vezes", "Há uma GELU a mais, na saída. A ativação é só a do meio.")
def _(x, W1, b1, W2, b2):
    return F.gelu(F.gelu(x @ W1 + b1) @ W2 + b2)


@ffn.equivoco("gelu-na-entrada", "A GELU foi aplicada a x, antes da primeira projeção. Ela vem depois de W1 e b1.")
def _(x, W1, b1, W2, b2):
    return (F.gelu(x) @ W1 + b1) @ W2 + b2


@ffn.equivoco("vies-depois-da-gelu", "O viés b1 foi somado depois da GELU. Ele entra antes dela, com x·W1.")
def _(x, W1, b1, W2, b2):
    return (F.gelu(x @ W1) + b1) @ W2 + b2


@ffn.equivoco("sem-b1", "O viés b1 não entrou na conta.")
def _(x, W1, b1, W2, b2):
    return F.gelu(x @ W1) @ W2 + b2


@ffn.equivoco("sem-b2", "O viés b2 não entrou na conta: some-o no fim, depois da segunda projeção.")
def _(x, W1, b1, W2, b2):
    return F.gelu(x @ W1 + b1) @ W2


@ffn.equivoco("sem-vieses", "Nenhum dos dois vieses entrou na conta: b1 se soma antes da GELU, e b2, no fim.")
def _(x, W1, b1, W2, b2):
    return F.gelu(x @ W1) @ W2


@ffn.equivoco(
    "com-residuo",
    "Você somou x à saída. A conexão residual é do bloco, na questão 6; aqui é só a camada.",
)
def _(x, W1, b1, W2, b2):
    return x + F.gelu(x @ W1 + b1) @ W2 + b2


@ffn.equivoco(
    "pesos-novos",
    "Os pesos dos argumentos não foram usados: sua camada sorteia outros a cada chamada. É o erro dos slides da aula.",
)
def _(x, W1, b1, W2, b2):
    torch.manual_seed(0)
    W1, b1 = torch.rand(W1.shape), torch.rand(b1.shape)
    W2, b2 = torch.rand(W2.shape), torch.rand(b2.shape)
    return F.gelu(x @ W1 + b1) @ W2 + b2


@ffn.equivoco(
    "pesos-transpostos",
    "Você transpôs os pesos, como se fossem de um nn.Linear, e as dimensões não batem. Nesta questão W1 é (d, m) e "
    "fica "
    "à direita de x: x·W1.",
)
def _(x, W1, b1, W2, b2):
    return F.linear(F.gelu(F.linear(x, W1, b1)), W2, b2)


@ffn.equivoco(
    "normaliza-antes",
    "Você normalizou x antes da camada. A normalização é do bloco, na questão 6; aqui x entra como vem.",
)
def _(x, W1, b1, W2, b2):
    return F.gelu(F.layer_norm(x, x.shape[-1:]) @ W1 + b1) @ W2 + b2


@ffn.equivoco("altera-a-entrada", "A conta foi feita dentro da própria entrada.")
def _(x, W1, b1, W2, b2):
    y = F.gelu(x @ W1 + b1) @ W2
    y += b2
    x += y
    return y


@ffn.alternativa("em-uma-linha")
def _(x, W1, b1, W2, b2):
    return F.gelu(x @ W1 + b1) @ W2 + b2


@ffn.alternativa("com-linear")
def _(x, W1, b1, W2, b2):
    return F.linear(F.gelu(F.linear(x, W1.T, b1)), W2.T, b2)


@ffn.alternativa("com-einsum")
def _(x, W1, b1, W2, b2):
    meio = _exata(torch.einsum("...d,dm->...m", x, W1) + b1)
    return torch.einsum("...m,md->...d", meio, W2) + b2


@ffn.alternativa("posicao-por-posicao")
def _(x, W1, b1, W2, b2):
    saidas = []
    for token in x.reshape(-1, x.shape[-1]):
        meio = _exata(b1 + sum(v * W1[i] for i, v in enumerate(token)))
        saidas.append(meio @ W2 + b2)
    return torch.stack(saidas).reshape(x.shape)


@ffn.alternativa("com-numpy")
def _(x, W1, b1, W2, b2):
    x, W1, b1, W2, b2 = (t.numpy().astype(np.float64) for t in (x, W1, b1, W2, b2))
    z = x @ W1 + b1
    return z * (1 + np.vectorize(math.erf)(z / math.sqrt(2))) / 2 @ W2 + b2


@ffn.alternativa("com-modulos")
def _(x, W1, b1, W2, b2):
    d, m = W1.shape
    rede = nn.Sequential(nn.Linear(d, m), nn.GELU(), nn.Linear(m, d))
    rede.load_state_dict({"0.weight": W1.T, "0.bias": b1, "2.weight": W2.T, "2.bias": b2})
    return rede(x)


@ffn.alternativa("unidade-por-unidade")
def _(x, W1, b1, W2, b2):
    y = b2.expand(x.shape).clone()
    for m in range(W1.shape[1]):
        y = y + F.gelu((x * W1[:, m]).sum(-1, keepdim=True) + b1[m]) * W2[m]
    return y


# -------------------------------------------------------------------------------------------- posicionar


def _posicionar(emb_tokens, emb_posicoes, ids):
    V, L, T = len(emb_tokens), len(emb_posicoes), ids.shape[1]
    if T > L:
        raise ValueError(f"o texto tem T = {T} tokens e o contexto só vai até L = {L}")
    fora = ids[(ids < 0) | (ids >= V)]
    if len(fora):
        raise ValueError(f"o id {int(fora[0])} não existe: os ids vão de 0 a {V - 1}")
    return emb_tokens[ids] + emb_posicoes[:T]


def _id_citado(*ids):
    """A mensagem cita um dos ids culpados, inteiro e com o sinal (o 1 de 12 não conta)."""
    return "|".join(rf"(?<![\d.\-−]){i}(?![\d])" if i >= 0 else rf"[-−]{-i}(?!\d)" for i in ids)


def _medidas_citadas(T, L):
    """A mensagem cita as duas medidas, pelo nome ou pelo valor."""
    return [rf"(?<!\w)T(?!\w)|(?<!\d){T}(?!\d)", rf"(?<!\w)L(?!\w)|(?<!\d){L}(?!\d)"]


def _ids(linhas):
    return torch.tensor(linhas, dtype=torch.int64)


def _caso_posicionar(rng, V, L, C, B, T):
    """Um lote com o primeiro e o último id do vocabulário, e um id repetido em posições diferentes."""
    ids = rng.integers(0, V, size=(B, T))
    ids[0, 0], ids[-1, -1] = V - 1, 0
    return caso(_t(rng.normal(size=(V, C))), _t(rng.normal(size=(L, C))), _ids(ids))


def _caso_id_ruim(rng, V, L, C, B, T, ruim, onde, rotulo=""):
    """O lugar do culpado é dito: em uns casos na primeira frase, em outros na última, no começo e no fim."""
    ids = rng.integers(0, V, size=(B, T))
    ids[onde] = ruim
    entradas = _curto(rng, (V, C)), _curto(rng, (L, C)), _ids(ids)
    return caso(*entradas, nomeia=_id_citado(ruim), rotulo=rotulo, parte="erros")


def _caso_comprido(rng, V, L, C, B, T, rotulo=""):
    entradas = _curto(rng, (V, C)), _curto(rng, (L, C)), _ids(rng.integers(0, V, size=(B, T)))
    return caso(*entradas, nomeia=_medidas_citadas(T, L), rotulo=rotulo, parte="erros")


def _ocultos_posicionar(rng):
    V = int(rng.integers(11, 15))
    return [
        _caso_posicionar(rng, 9, 7, 4, 3, 5),
        _caso_posicionar(rng, 5, 8, 3, 2, 6),
        _caso_posicionar(rng, 12, 5, 6, 4, 5),
        _caso_posicionar(rng, 7, 6, 2, 1, 4),
        _caso_posicionar(rng, 8, 9, 5, 6, 3),
        _caso_posicionar(rng, 4, 3, 4, 3, 2),
        _caso_id_ruim(rng, V, 6, 3, 2, 4, V, (0, -1)),
        _caso_id_ruim(rng, V, 6, 3, 3, 4, V + int(rng.integers(20, 40)), (-1, 0)),
        _caso_id_ruim(rng, V, 6, 3, 2, 4, -1, (-1, -1)),
        _caso_id_ruim(rng, V, 6, 3, 2, 5, -int(rng.integers(2, V)), (0, 0)),
        _caso_id_ruim(rng, V, 6, 3, 3, 5, -int(rng.integers(30, 50)), (1, 2)),
        _caso_comprido(rng, 9, 4, 3, 2, 5),
        _caso_comprido(rng, 9, 5, 3, 1, 13),
        _caso_comprido(rng, 9, 1, 3, 2, 4),
    ]


_rng_pos = np.random.default_rng(75)

posicionar = questao(
    "lista-07/posicionar",
    assinatura="posicionar(emb_tokens, emb_posicoes, ids)",
    saida="array",
    referencia=_posicionar,
    casos=[
        caso(
            _t([[10, 0], [20, 1], [30, 2], [40, 3]]), _t([[0.5, 0], [0.25, -1], [0.125, -2]]), _ids([[2, 0], [3, 3]]),
            claro=True, rotulo="o exemplo do enunciado",
        ),
        caso(_curto(_rng_pos, (6, 3)), _curto(_rng_pos, (7, 3)), _ids([[5, 1, 1, 0], [2, 4, 0, 3]]),
             rotulo="duas frases de quatro tokens"),
        caso(_curto(_rng_pos, (5, 2)), _curto(_rng_pos, (3, 2)), _ids([[4, 4, 0], [1, 0, 2], [3, 2, 4], [0, 1, 1]]),
             rotulo="quatro frases que enchem o contexto"),
        caso(_curto(_rng_pos, (3, 4)), _curto(_rng_pos, (8, 4)), _ids([[2, 0, 1, 2, 2]]),
             rotulo="uma frase só, com mais posições que tokens no vocabulário"),
        _caso_id_ruim(_rng_pos, 6, 5, 3, 2, 4, 6, (1, 2), "um id igual a V"),
        _caso_id_ruim(_rng_pos, 6, 5, 3, 2, 4, 17, (0, 0), "um id muito grande"),
        _caso_id_ruim(_rng_pos, 6, 5, 3, 2, 4, -1, (0, 3), "o id −1"),
        _caso_id_ruim(_rng_pos, 6, 5, 3, 2, 4, -4, (1, 0), "outro id negativo"),
        _caso_comprido(_rng_pos, 9, 4, 3, 2, 5, "um texto maior que o contexto"),
        _caso_comprido(_rng_pos, 7, 1, 2, 2, 3, "três tokens em um contexto de uma posição só"),
    ],
    ocultos=_ocultos_posicionar,
    partes={"valores": 0.75, "erros": 0.25},
)  # fmt: skip


def _conferir_ids(emb_tokens, emb_posicoes, ids):
    """As duas verificações certas, para os enganos que erram só na conta."""
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}")
    fora = ids[(ids < 0) | (ids >= len(emb_tokens))]
    if len(fora):
        raise ValueError(f"id {int(fora[0])} fora do vocabulário")


@posicionar.equivoco(
    "posicao-pelo-id",
    "Você procurou a posição pelo id do token. A posição é o lugar dele na frase: 0 para o primeiro, 1 para o segundo.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[ids % len(emb_posicoes)]


@posicionar.equivoco(
    "sem-verificar",
    "Nada foi verificado: o id −1 pega em silêncio a última linha da tabela, como em qualquer índice do Python, e os "
    "outros param com o erro do torch. Examine ids antes e lance ValueError.",
)
def _(emb_tokens, emb_posicoes, ids):
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "aceita-negativo",
    "O id −1 passou: no Python, um índice negativo conta do fim, e a sua frase ganhou o último token do vocabulário. "
    "Recuse também os negativos.",
)
def _(emb_tokens, emb_posicoes, ids):
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}")
    if ids.max() >= len(emb_tokens):
        raise ValueError(f"id {int(ids.max())} fora do vocabulário")
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "aceita-V",
    "O id igual a V escapou da verificação e quem parou foi o torch. Com V linhas, o último id é V − 1.",
)
def _(emb_tokens, emb_posicoes, ids):
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}")
    fora = ids[(ids < 0) | (ids > len(emb_tokens))]
    if len(fora):
        raise ValueError(f"id {int(fora[0])} fora do vocabulário")
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "aceita-texto-comprido",
    "Os ids são verificados, o tamanho do texto não: com T maior que L faltam posições, e quem para é a soma. Lance "
    "ValueError antes, citando T e L.",
)
def _(emb_tokens, emb_posicoes, ids):
    fora = ids[(ids < 0) | (ids >= len(emb_tokens))]
    if len(fora):
        raise ValueError(f"id {int(fora[0])} fora do vocabulário")
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "deixa-a-soma-reclamar",
    "Você esperou que a soma reclamasse do texto comprido, e com uma posição só (L = 1) ela não reclama: o "
    "broadcasting repete essa posição para todos. Compare T e L antes de somar.",
)
def _(emb_tokens, emb_posicoes, ids):
    fora = ids[(ids < 0) | (ids >= len(emb_tokens))]
    if len(fora):
        raise ValueError(f"id {int(fora[0])} fora do vocabulário")
    try:
        return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]
    except RuntimeError:
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}") from None


@posicionar.equivoco(
    "so-examina-a-primeira-frase",
    "Só os ids da primeira frase do lote foram examinados. O culpado pode estar em qualquer uma: examine o tensor "
    "inteiro.",
)
def _(emb_tokens, emb_posicoes, ids):
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}")
    for i in ids[0].tolist():
        if i < 0 or i >= len(emb_tokens):
            raise ValueError(f"id {i} fora do vocabulário")
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "corta-o-texto",
    "Quando o texto é maior que o contexto, sua função joga fora o que sobra, sem avisar. O enunciado pede ValueError.",
)
def _(emb_tokens, emb_posicoes, ids):
    ids = ids[:, : len(emb_posicoes)]
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "da-a-volta-nas-posicoes",
    "Quando o texto é maior que o contexto, as posições recomeçam do zero, em silêncio. O enunciado pede ValueError.",
)
def _(emb_tokens, emb_posicoes, ids):
    fora = ids[(ids < 0) | (ids >= len(emb_tokens))]
    if len(fora):
        raise ValueError(f"id {int(fora[0])} fora do vocabulário")
    return emb_tokens[ids] + emb_posicoes[torch.arange(ids.shape[1]) % len(emb_posicoes)]


@posicionar.equivoco(
    "recusa-o-contexto-cheio",
    "Um texto com exatamente L tokens cabe: as posições vão de 0 a L − 1. Recuse só quando T passa de L.",
)
def _(emb_tokens, emb_posicoes, ids):
    if ids.shape[1] >= len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} não cabe em L = {len(emb_posicoes)}")
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "limita-os-ids",
    "Um id fora do vocabulário virou o mais próximo que existe (clamp), em silêncio. O enunciado pede ValueError.",
)
def _(emb_tokens, emb_posicoes, ids):
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}")
    return emb_tokens[ids.clamp(0, len(emb_tokens) - 1)] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "assert-em-vez-de-erro",
    "As verificações estão lá, mas um assert lança AssertionError. O enunciado pede ValueError: `raise "
    "ValueError(...)`.",
)
def _(emb_tokens, emb_posicoes, ids):
    assert ids.shape[1] <= len(emb_posicoes), f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}"
    fora = ids[(ids < 0) | (ids >= len(emb_tokens))]
    assert len(fora) == 0, f"id {fora.tolist()} fora do vocabulário"
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "erro-sem-nome",
    "O ValueError está lá, mas a mensagem não diz qual é o id. Quem tem um lote de mil tokens precisa saber qual "
    "procurar: cite o valor dele.",
)
def _(emb_tokens, emb_posicoes, ids):
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}")
    if (ids < 0).any() or (ids >= len(emb_tokens)).any():
        raise ValueError("há um id fora do vocabulário")
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "comprido-sem-medidas",
    "O ValueError do texto comprido está lá, mas a mensagem não diz as medidas. Cite T e L, pelo nome ou pelo valor.",
)
def _(emb_tokens, emb_posicoes, ids):
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError("texto comprido demais")
    fora = ids[(ids < 0) | (ids >= len(emb_tokens))]
    if len(fora):
        raise ValueError(f"id {int(fora[0])} fora do vocabulário")
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco("sem-posicoes", "As posições não entraram: isto é só o embedding de cada token.")
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids]


@posicionar.equivoco(
    "uma-posicao-para-todos",
    "Todos os tokens receberam o vetor da posição 0, e assim a ordem continua sem contar. Cada lugar tem o seu.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[0]


@posicionar.equivoco(
    "posicao-pela-frase",
    "O vetor de posição mudou com a frase do lote, e não com o lugar do token nela. O eixo das posições é o segundo.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    linhas = torch.arange(ids.shape[0]) % len(emb_posicoes)
    return emb_tokens[ids] + emb_posicoes[linhas][:, None]


@posicionar.equivoco(
    "posicoes-do-fim",
    "Você usou as últimas T posições da tabela. A frase começa na posição 0.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[-ids.shape[1] :]


@posicionar.equivoco(
    "posicoes-a-partir-de-1",
    "O primeiro token recebeu a linha 1 da tabela. As posições começam em 0: use as T primeiras linhas.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[1 : ids.shape[1] + 1]


@posicionar.equivoco(
    "posicoes-de-tras-para-a-frente",
    "As posições estão de trás para a frente: o primeiro token deve receber a linha 0.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]].flip(0)


@posicionar.equivoco(
    "escala-raiz-de-C",
    "Você multiplicou o embedding por √C, como no artigo de 2017. Aqui é só a soma.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] * emb_tokens.shape[1] ** 0.5 + emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "concatena",
    "Você pôs token e posição lado a lado, e o vetor ficou com 2C números. Eles se somam.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    P = emb_posicoes[: ids.shape[1]].expand(len(ids), -1, -1)
    return torch.cat([emb_tokens[ids], P], dim=-1)


@posicionar.equivoco("multiplica", "Você multiplicou token e posição. Eles se somam.")
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] * emb_posicoes[: ids.shape[1]]


@posicionar.equivoco(
    "todas-as-posicoes",
    "Você somou a tabela inteira de posições, que tem L linhas, a uma frase de T tokens. Use só as T primeiras.",
)
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes


@posicionar.equivoco("altera-a-entrada", "A soma foi feita dentro da tabela.")
def _(emb_tokens, emb_posicoes, ids):
    _conferir_ids(emb_tokens, emb_posicoes, ids)
    emb_tokens += 0.5
    return emb_tokens[ids] - 0.5 + emb_posicoes[: ids.shape[1]]


@posicionar.alternativa("indexando")
def _(emb_tokens, emb_posicoes, ids):
    B, T = ids.shape
    if emb_posicoes.shape[0] < T:
        raise ValueError(f"texto de {T} tokens, contexto de {emb_posicoes.shape[0]}")
    ruins = (ids < 0) | (ids >= emb_tokens.shape[0])
    if ruins.any():
        raise ValueError(f"ids fora do vocabulário: {ids[ruins].tolist()}")
    return emb_tokens[ids] + emb_posicoes[torch.arange(T)]


@posicionar.alternativa("com-embedding")
def _(emb_tokens, emb_posicoes, ids):
    V, L, T = emb_tokens.size(0), emb_posicoes.size(0), ids.size(1)
    if ids.min() < 0:
        raise ValueError(f"id negativo: {ids.min()}")
    if ids.max() >= V:
        raise ValueError(f"o maior id é {ids.max().item()} e o vocabulário tem {V}")
    if T > L:
        raise ValueError(f"T={T} > L={L}")
    return F.embedding(ids, emb_tokens) + F.embedding(torch.arange(T), emb_posicoes)[None]


@posicionar.alternativa("um-quente")
def _(emb_tokens, emb_posicoes, ids):
    for i in ids.flatten().tolist():
        if not 0 <= i < len(emb_tokens):
            raise ValueError(f"o id {i} não está entre 0 e {len(emb_tokens) - 1}")
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"{ids.shape[1]} tokens não cabem em um contexto de {len(emb_posicoes)}")
    quente = F.one_hot(ids, len(emb_tokens)).float()  # (B, T, V)
    return quente @ emb_tokens + emb_posicoes[: ids.shape[1]]


@posicionar.alternativa("com-lacos")
def _(emb_tokens, emb_posicoes, ids):
    B, T = ids.shape
    if len(emb_posicoes) < T:
        raise ValueError(f"T = {T} é maior que L = {len(emb_posicoes)}")
    Y = torch.empty(B, T, emb_tokens.shape[1])
    for b in range(B):
        for t in range(T):
            i = int(ids[b, t])
            if i < 0 or i >= len(emb_tokens):
                raise ValueError(f"id inválido na frase {b}, posição {t}: {i}")
            Y[b, t] = emb_tokens[i] + emb_posicoes[t]
    return Y


@posicionar.alternativa("com-numpy")
def _(emb_tokens, emb_posicoes, ids):
    tokens, posicoes, indices = emb_tokens.numpy(), emb_posicoes.numpy(), ids.numpy()
    if indices.shape[1] > len(posicoes):
        raise ValueError(f"o texto ({indices.shape[1]}) não cabe no contexto ({len(posicoes)})")
    fora = indices[(indices < 0) | (indices >= len(tokens))]
    if fora.size:
        raise ValueError(f"id {fora[0]} fora do intervalo")
    return np.take(tokens, indices, axis=0) + posicoes[: indices.shape[1]]


@posicionar.alternativa("com-modulos")
def _(emb_tokens, emb_posicoes, ids):
    V, T = len(emb_tokens), ids.shape[1]
    if len(emb_posicoes) < T:
        raise ValueError(f"T = {T}, L = {len(emb_posicoes)}: o texto não cabe")
    if int(ids.min()) < 0 or int(ids.max()) >= V:
        raise ValueError(f"há ids fora de 0…{V - 1}: o menor é {int(ids.min())}, o maior é {int(ids.max())}")
    tokens, lugares = nn.Embedding.from_pretrained(emb_tokens), nn.Embedding.from_pretrained(emb_posicoes)
    return tokens(ids) + lugares(torch.arange(T))


# ------------------------------------------------------------------------------------------------- Bloco


class _Bloco(nn.Module):
    """A referência, em pedaços que os enganos trocam um a um."""

    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.norma1 = nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.saida = nn.Linear(d, d, bias=False)
        self.norma2 = nn.LayerNorm(d)
        self.expande = nn.Linear(d, 4 * d)
        self.reduz = nn.Linear(4 * d, d)

    def separar(self, N):
        return self.qkv(N).chunk(3, dim=-1)  # três (B, T, d)

    def dividir(self, Z):
        B, T, d = Z.shape
        return Z.view(B, T, self.h, d // self.h).transpose(1, 2)  # (B, h, T, d/h)

    def juntar(self, H):
        return H.transpose(1, 2).flatten(2)  # (B, T, d)

    def pontuar(self, Q, K):
        return Q @ K.mT / Q.shape[-1] ** 0.5  # (B, h, T, T)

    def pesar(self, S):
        futuro = torch.ones(S.shape[-2:], dtype=torch.bool).triu(1)
        return S.masked_fill(futuro, float("-inf")).softmax(-1)

    def ativar(self, Z):
        return F.gelu(Z)

    def atender(self, N):
        Q, K, V = (self.dividir(Z) for Z in self.separar(N))
        return self.saida(self.juntar(self.pesar(self.pontuar(Q, K)) @ V))

    def pensar(self, N):
        return self.reduz(self.ativar(self.expande(N)))

    def forward(self, X):
        X = X + self.atender(self.norma1(X))
        return X + self.pensar(self.norma2(X))


def _pesos(rng, d, arredonda=False):
    """Pesos de um bloco: pontuações de desvio perto de 1, camada do meio espalhada entre −3 e 3."""

    def matriz(saem, entram, tamanho):
        return rng.normal(size=(saem, entram)) * tamanho / math.sqrt(entram)

    def ganho():
        return rng.uniform(0.7, 1.5, size=d) * rng.choice([-1, 1], size=d)

    pesos = {
        "norma1.weight": ganho(),
        "norma1.bias": rng.normal(size=d) * 0.4,
        "qkv.weight": matriz(3 * d, d, 1.1),
        "saida.weight": matriz(d, d, 1.3),
        "norma2.weight": ganho(),
        "norma2.bias": rng.normal(size=d) * 0.4,
        "expande.weight": matriz(4 * d, d, 1.6),
        "expande.bias": rng.normal(size=4 * d) * 0.5 - 0.5,
        "reduz.weight": matriz(d, 4 * d, 1.5),
        "reduz.bias": rng.normal(size=d) * 0.4,
    }
    return {n: _t(np.round(p * 16) / 16 + 0.0 if arredonda else p) for n, p in pesos.items()}


def _caso_bloco(rng, B, T, d, h, arredonda=False, rotulo=""):
    pesos = _pesos(rng, d, arredonda)
    X = rng.normal(size=(B, T, d)) * 1.5 + rng.normal(size=(B, T, 1)) * 0.5
    return caso(d, h, pesos, _t(np.round(X * 8) / 8 + 0.0 if arredonda else X), rotulo=rotulo)


def _ocultos_bloco(rng):
    return [
        _caso_bloco(rng, 2, 4, 6, 2),
        _caso_bloco(rng, 1, 5, 6, 3),
        _caso_bloco(rng, 3, 3, 8, 4),
        _caso_bloco(rng, 2, 6, 4, 2),
        _caso_bloco(rng, 2, 3, 5, 1),
        _caso_bloco(rng, 2, 1, 4, 2),
        _caso_bloco(rng, 1, 9, 8, 2),
    ]


def _pesos_do_exemplo():
    """d = 2 e h = 1: tudo cabe em uma folha de papel."""
    pesos = {n: torch.zeros(p.shape) for n, p in _Bloco(2, 1).state_dict().items()}
    for nome in ("norma1.weight", "norma2.weight"):
        pesos[nome] = torch.ones(2)
    pesos["qkv.weight"] = torch.eye(2).repeat(3, 1)
    pesos["saida.weight"] = torch.eye(2)
    pesos["expande.weight"][:2] = torch.eye(2)
    pesos["reduz.weight"][:, :2] = torch.eye(2)
    return pesos


_rng_bloco = np.random.default_rng(76)

Bloco = questao(
    "lista-07/Bloco",
    assinatura="Bloco(d, h)",
    saida=[("o módulo", "texto"), ("Y", "array")],
    referencia=_Bloco,
    casos=[
        caso(2, 1, _pesos_do_exemplo(), _t([[[3, 1], [0, 2]]]), claro=True, rotulo="o exemplo do enunciado"),
        _caso_bloco(_rng_bloco, 2, 3, 6, 2, True, "duas frases de três tokens, d = 6, h = 2"),
        _caso_bloco(_rng_bloco, 1, 5, 6, 3, True, "uma frase de cinco tokens, d = 6, h = 3"),
        _caso_bloco(_rng_bloco, 3, 2, 4, 1, True, "três frases de dois tokens, d = 4, h = 1"),
        _caso_bloco(_rng_bloco, 2, 1, 4, 2, True, "um token só, d = 4, h = 2"),
        _caso_bloco(_rng_bloco, 1, 4, 8, 2, True, "uma frase de quatro tokens, d = 8, h = 2"),
    ],
    ocultos=_ocultos_bloco,
    atol=1e-5,  # muitas parcelas que se cancelam, em float32
    adaptador="lista_07.bloco",
)


@Bloco.equivoco(
    "pos-norma",
    "Sua normalização está depois da soma: isto é o pós-norma do artigo de 2017. No pré-norma, a norma vem na entrada "
    "de cada subcamada, e o caminho das somas fica livre.",
)
class _PosNorma(_Bloco):
    def forward(self, X):
        X = self.norma1(X + self.atender(X))
        return self.norma2(X + self.pensar(X))


@Bloco.equivoco(
    "sem-mascara",
    "A atenção olha para o futuro: falta a máscara causal. Só o último token de cada frase saiu certo.",
)
class _SemMascara(_Bloco):
    def pesar(self, S):
        return S.softmax(-1)


@Bloco.equivoco(
    "mascara-invertida",
    "Sua máscara está ao contrário: cada token vê a si mesmo e o futuro, e não vê o passado. Olhe qual triângulo ela "
    "esconde.",
)
class _MascaraInvertida(_Bloco):
    def pesar(self, S):
        passado = torch.ones(S.shape[-2:], dtype=torch.bool).tril(-1)
        return S.masked_fill(passado, float("-inf")).softmax(-1)


@Bloco.equivoco(
    "mascara-esconde-a-diagonal",
    "Sua máscara esconde também o próprio token: o primeiro fica sem ninguém para ver, e a softmax dá NaN. A diagonal "
    "fica à vista.",
)
class _MascaraComDiagonal(_Bloco):
    def pesar(self, S):
        return S.masked_fill(torch.ones(S.shape[-2:], dtype=torch.bool).triu(0), float("-inf")).softmax(-1)


@Bloco.equivoco(
    "mascara-uma-casa-tarde",
    "Cada token ainda vê o seguinte: a máscara começa uma diagonal tarde demais.",
)
class _MascaraTarde(_Bloco):
    def pesar(self, S):
        return S.masked_fill(torch.ones(S.shape[-2:], dtype=torch.bool).triu(2), float("-inf")).softmax(-1)


@Bloco.equivoco(
    "mascara-depois-da-softmax",
    "Você zerou os pesos depois da softmax: as linhas deixam de somar 1, e o futuro ainda conta no denominador. A "
    "máscara entra antes, com −inf.",
)
class _MascaraDepois(_Bloco):
    def pesar(self, S):
        return S.softmax(-1).tril()


@Bloco.equivoco(
    "mascara-com-zero",
    "Você pôs 0 nas pontuações do futuro, e e⁰ = 1 ainda é peso. Para esconder, ponha −inf antes da softmax.",
)
class _MascaraComZero(_Bloco):
    def pesar(self, S):
        return S.tril().softmax(-1)


@Bloco.equivoco(
    "zero-vezes-infinito",
    "Sua máscara multiplica uma matriz de 0 e 1 por −inf, e 0 · inf é NaN: estraga até o que fica à vista. Ponha −inf "
    "só onde se esconde (masked_fill, ou torch.full com −inf e depois triu).",
)
class _ZeroVezesInfinito(_Bloco):
    def pesar(self, S):
        return (S + torch.ones(S.shape[-2:]).triu(1) * float("-inf")).softmax(-1)


@Bloco.equivoco(
    "mascara-guardada",
    "Seu bloco guarda a máscara da primeira chamada e a usa em todas. T muda de uma chamada para outra: faça a máscara "
    "a cada vez, ou guarde uma grande e corte um pedaço T × T.",
)
class _MascaraGuardada(_Bloco):
    mascara = None

    def pesar(self, S):
        if self.mascara is None:
            self.mascara = torch.ones(S.shape[-2:], dtype=torch.bool).triu(1)
        return S.masked_fill(self.mascara, float("-inf")).softmax(-1)


@Bloco.equivoco(
    "softmax-no-eixo-errado",
    "A softmax foi feita ao longo das consultas. São os pesos de cada linha, no último eixo, que somam 1.",
)
class _SoftmaxNoEixoErrado(_Bloco):
    def pesar(self, S):
        futuro = torch.ones(S.shape[-2:], dtype=torch.bool).triu(1)
        return S.masked_fill(futuro, float("-inf")).softmax(-2)


@Bloco.equivoco(
    "sem-residuo-na-atencao",
    "Falta a conexão residual em volta da atenção: some X à saída dela antes de seguir.",
)
class _SemResiduoNaAtencao(_Bloco):
    def forward(self, X):
        X = self.atender(self.norma1(X))
        return X + self.pensar(self.norma2(X))


@Bloco.equivoco(
    "sem-residuo-na-feed-forward",
    "Falta a segunda conexão residual: a saída da feed-forward se soma ao que entrou nela (antes da norma).",
)
class _SemResiduoNaFeedForward(_Bloco):
    def forward(self, X):
        X = X + self.atender(self.norma1(X))
        return self.pensar(self.norma2(X))


@Bloco.equivoco(
    "sem-residuos",
    "Não há conexão residual nenhuma: a entrada se perde. São duas somas, uma em volta da atenção e outra em volta da "
    "feed-forward.",
)
class _SemResiduos(_Bloco):
    def forward(self, X):
        return self.pensar(self.norma2(self.atender(self.norma1(X))))


@Bloco.equivoco(
    "residuo-normalizado",
    "Você somou a saída da subcamada à versão normalizada de X. O caminho residual leva o próprio X; a norma é só para "
    "a entrada da subcamada.",
)
class _ResiduoNormalizado(_Bloco):
    def forward(self, X):
        N = self.norma1(X)
        X = N + self.atender(N)
        N = self.norma2(X)
        return N + self.pensar(N)


@Bloco.equivoco(
    "primeiro-residuo-normalizado",
    "A primeira soma usa X já normalizado por `norma1` (um X = self.norma1(X)?). O caminho residual leva o X que "
    "chegou; a norma é só para a entrada da atenção.",
)
class _PrimeiroResiduo(_Bloco):
    def forward(self, X):
        N = self.norma1(X)
        X = N + self.atender(N)
        return X + self.pensar(self.norma2(X))


@Bloco.equivoco(
    "segundo-residuo-normalizado",
    "A segunda soma usa Z já normalizado por `norma2` (um Z = self.norma2(Z)?). O caminho residual leva o próprio Z; a "
    "norma é só para a entrada da feed-forward.",
)
class _SegundoResiduo(_Bloco):
    def forward(self, X):
        N = self.norma2(X + self.atender(self.norma1(X)))
        return N + self.pensar(N)


@Bloco.equivoco(
    "residuo-da-entrada-original",
    "A segunda soma voltou ao X da entrada do bloco, e o que a atenção fez se perdeu do caminho. Some ao X que já "
    "passou pela atenção.",
)
class _ResiduoDaEntrada(_Bloco):
    def forward(self, X):
        Z = X + self.atender(self.norma1(X))
        return X + self.pensar(self.norma2(Z))


@Bloco.equivoco(
    "em-paralelo",
    "A feed-forward leu o X de antes da atenção: as duas ficaram em paralelo (há modelos assim). Aqui ela lê o "
    "resultado da primeira soma.",
)
class _EmParalelo(_Bloco):
    def forward(self, X):
        return X + self.atender(self.norma1(X)) + self.pensar(self.norma2(X))


@Bloco.equivoco(
    "feed-forward-antes",
    "A ordem está trocada: primeiro a atenção (com norma1), depois a feed-forward (com norma2).",
)
class _FeedForwardAntes(_Bloco):
    def forward(self, X):
        X = X + self.pensar(self.norma2(X))
        return X + self.atender(self.norma1(X))


@Bloco.equivoco(
    "normas-trocadas",
    "As duas normas estão trocadas: `norma1` é a da atenção e `norma2` a da feed-forward.",
)
class _NormasTrocadas(_Bloco):
    def forward(self, X):
        X = X + self.atender(self.norma2(X))
        return X + self.pensar(self.norma1(X))


@Bloco.equivoco(
    "norma1-esquecida",
    "A `norma1` ficou fora da conta, e o gradiente nem chega aos pesos dela: a atenção deve receber X normalizado por "
    "ela.",
)
class _Norma1Esquecida(_Bloco):
    def forward(self, X):
        X = X + self.atender(X)
        return X + self.pensar(self.norma2(X))


@Bloco.equivoco(
    "norma2-esquecida",
    "A `norma2` ficou fora da conta: ou a feed-forward recebeu X sem normalizar, ou você usou `norma1` duas vezes.",
)
class _Norma2Esquecida(_Bloco):
    def forward(self, X):
        X = X + self.atender(self.norma1(X))
        return X + self.pensar(self.norma1(X))


@Bloco.equivoco(
    "sem-a-projecao-de-saida",
    "A projeção `saida` ficou fora da conta: depois de juntar as cabeças, é ela que as mistura.",
)
class _SemSaida(_Bloco):
    def atender(self, N):
        Q, K, V = (self.dividir(Z) for Z in self.separar(N))
        return self.juntar(self.pesar(self.pontuar(Q, K)) @ V)


@Bloco.equivoco("sem-escala", "As pontuações não foram divididas por √d_h, a raiz do tamanho de uma cabeça (aula 03).")
class _SemEscala(_Bloco):
    def pontuar(self, Q, K):
        return Q @ K.mT


@Bloco.equivoco(
    "escala-pelo-modelo",
    "Você dividiu por √d, o tamanho do modelo. A escala é a do tamanho de uma cabeça, √(d/h).",
)
class _EscalaPeloModelo(_Bloco):
    def pontuar(self, Q, K):
        return Q @ K.mT / (self.h * Q.shape[-1]) ** 0.5


@Bloco.equivoco(
    "escala-sem-raiz",
    "Você dividiu as pontuações por d_h, sem a raiz, ou por √d_h duas vezes (F.scaled_dot_product_attention já "
    "divide). Elas ficam pequenas demais.",
)
class _EscalaSemRaiz(_Bloco):
    def pontuar(self, Q, K):
        return Q @ K.mT / Q.shape[-1]


@Bloco.equivoco(
    "escala-depois-da-softmax",
    "Você dividiu por √d_h os pesos, depois da softmax, e eles deixaram de somar 1. A escala é das pontuações, antes.",
)
class _EscalaDepois(_Bloco):
    def atender(self, N):
        Q, K, V = (self.dividir(Z) for Z in self.separar(N))
        return self.saida(self.juntar(self.pesar(Q @ K.mT) / Q.shape[-1] ** 0.5 @ V))


@Bloco.equivoco(
    "uma-cabeca-so",
    "O argumento h não foi usado: há uma cabeça só, do tamanho do modelo. Divida Q, K e V em h cabeças.",
)
class _UmaCabecaSo(_Bloco):
    def dividir(self, Z):
        return Z[:, None]


@Bloco.equivoco(
    "divide-com-reshape-direto",
    "As cabeças saíram embaralhadas: o reshape direto para (B, h, T, d_h) mistura os tokens. Corte as colunas em "
    "(B, T, h, d_h) e só depois troque os eixos.",
)
class _DivideComReshape(_Bloco):
    def dividir(self, Z):
        B, T, d = Z.shape
        return Z.reshape(B, self.h, T, d // self.h)


@Bloco.equivoco(
    "cabecas-intercaladas",
    "Cada cabeça recebeu colunas salteadas (0, h, 2h, …). As colunas de uma cabeça são vizinhas.",
)
class _CabecasIntercaladas(_Bloco):
    def dividir(self, Z):
        B, T, d = Z.shape
        return Z.view(B, T, d // self.h, self.h).permute(0, 3, 1, 2)


@Bloco.equivoco(
    "atencao-entre-as-cabecas",
    "Faltou trocar os eixos antes da atenção: com (B, T, h, d_h), cada token atende às próprias cabeças, e não aos "
    "outros tokens. A conta quer (B, h, T, d_h).",
)
class _EntreAsCabecas(_Bloco):
    def dividir(self, Z):
        B, T, d = Z.shape
        return Z.view(B, T, self.h, d // self.h)

    def juntar(self, H):
        return H.flatten(2)


@Bloco.equivoco(
    "cabecas-e-tamanho-trocados",
    "Você fez d/h cabeças de h colunas. São h cabeças, de d/h colunas cada uma.",
)
class _CabecasETamanho(_Bloco):
    def dividir(self, Z):
        B, T, d = Z.shape
        return Z.view(B, T, d // self.h, self.h).transpose(1, 2)


@Bloco.equivoco(
    "junta-sem-trocar-os-eixos",
    "Ao juntar as cabeças faltou trazer o eixo dos tokens para a frente antes do reshape: cada linha mistura tokens.",
)
class _JuntaSemTrocar(_Bloco):
    def juntar(self, H):
        B, h, T, d_h = H.shape
        return H.reshape(B, T, h * d_h)


@Bloco.equivoco(
    "ordem-K-Q-V",
    "Consultas e chaves estão trocadas: das 3d saídas de `qkv`, as d primeiras são Q, as do meio K, as últimas V.",
)
class _OrdemKQV(_Bloco):
    def separar(self, N):
        K, Q, V = self.qkv(N).chunk(3, dim=-1)
        return Q, K, V


@Bloco.equivoco(
    "ordem-V-K-Q",
    "A ordem está invertida: das 3d saídas de `qkv`, as d primeiras são Q, as do meio K, as últimas V.",
)
class _OrdemVKQ(_Bloco):
    def separar(self, N):
        V, K, Q = self.qkv(N).chunk(3, dim=-1)
        return Q, K, V


@Bloco.equivoco(
    "qkv-por-cabeca",
    "Você cortou as saídas de `qkv` primeiro em cabeças, e dentro de cada uma em Q, K e V (há modelos assim). Aqui, "
    "primeiro em Q, K e V, com d colunas cada, e depois em cabeças.",
)
class _QkvPorCabeca(_Bloco):
    def atender(self, N):
        B, T, d = N.shape
        Q, K, V = self.qkv(N).view(B, T, self.h, 3 * d // self.h).transpose(1, 2).chunk(3, dim=-1)
        return self.saida(self.juntar(self.pesar(self.pontuar(Q, K)) @ V))


@Bloco.equivoco(
    "valores-sem-projecao",
    "Os pesos de atenção misturaram o próprio X normalizado. O que se mistura são os valores V, a última parte de "
    "`qkv`.",
)
class _ValoresSemProjecao(_Bloco):
    def separar(self, N):
        Q, K, _ = self.qkv(N).chunk(3, dim=-1)
        return Q, K, N


@Bloco.equivoco(
    "gelu-aproximada",
    "A ativação é a GELU com tanh. O enunciado pede a exata, a da questão 2; a diferença é pequena, mas aparece.",
)
class _GeluAproximada(_Bloco):
    def ativar(self, Z):
        return F.gelu(Z, approximate="tanh")


@Bloco.equivoco("relu", "A ativação da feed-forward é a ReLU. O enunciado pede a GELU exata.")
class _Relu(_Bloco):
    def ativar(self, Z):
        return torch.relu(Z)


@Bloco.equivoco(
    "gelu-no-fim",
    "A GELU foi aplicada depois de `reduz`. Ela fica no meio, entre `expande` e `reduz`.",
)
class _GeluNoFim(_Bloco):
    def pensar(self, N):
        return F.gelu(self.reduz(self.expande(N)))


@Bloco.equivoco("sem-ativacao", "Falta a GELU entre `expande` e `reduz`: sem ela as duas valem por uma só.")
class _SemAtivacao(_Bloco):
    def ativar(self, Z):
        return Z


@Bloco.equivoco(
    "norma-copiada",
    "Sua norma é a versão muito copiada, com d − 1 na variância e eps fora da raiz. Use nn.LayerNorm, ou a sua "
    "questão 1.",
)
class _NormaCopiada(_Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.norma1, self.norma2 = _Copiada(d), _Copiada(d)


class _Copiada(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return self.weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + self.bias


@Bloco.equivoco(
    "dropout-sempre-ligado",
    "Em modo de avaliação, seu bloco responde cada vez uma coisa: há um dropout sempre ligado. F.dropout precisa de "
    "training=self.training; nn.Dropout cuida disso sozinho.",
)
class _DropoutSempreLigado(_Bloco):
    def pensar(self, N):
        return F.dropout(self.reduz(F.gelu(self.expande(N))), 0.5)


@Bloco.equivoco(
    "nomes-em-ingles",
    "Os pesos não entram: os nomes dos submódulos não são os da tabela. O nome do atributo (`self.norma1`) vira o nome "
    "do peso (`norma1.weight`).",
)
class _NomesEmIngles(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn, self.proj = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.fc1, self.fc2 = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, X):
        return X


@Bloco.equivoco(
    "vies-na-atencao",
    "Há vieses a mais: `qkv` e `saida` não têm viés, e o nn.Linear põe um se ninguém disser que não. Crie-as com "
    "bias=False.",
)
class _ViesNaAtencao(_Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.qkv, self.saida = nn.Linear(d, 3 * d), nn.Linear(d, d)


@Bloco.equivoco("vies-so-na-saida", "`saida` tem um viés que não está na tabela: crie-a com bias=False.")
class _ViesNaSaida(_Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.saida = nn.Linear(d, d)


@Bloco.equivoco(
    "feed-forward-sem-vies",
    "`expande` e `reduz` têm viés (é o que o nn.Linear faz se você não disser nada): tire o bias=False delas.",
)
class _FeedForwardSemVies(_Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.expande, self.reduz = nn.Linear(d, 4 * d, bias=False), nn.Linear(4 * d, d, bias=False)


@Bloco.equivoco(
    "largura-2d",
    "Sua feed-forward só dobra a largura. Ela expande de d para 4d: veja as formas na tabela.",
)
class _LarguraDobrada(_Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.expande, self.reduz = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)


@Bloco.equivoco(
    "linear-ao-contrario",
    "As medidas de `qkv` estão trocadas: nn.Linear recebe primeiro quantos números entram e depois quantos saem, e "
    "guarda o peso como (saem, entram).",
)
class _LinearAoContrario(_Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.qkv = nn.Linear(3 * d, d, bias=False)
        self.expande, self.reduz = nn.Linear(4 * d, d), nn.Linear(d, 4 * d)


@Bloco.equivoco(
    "mascara-em-buffer",
    "A máscara guardada com register_buffer entrou no state_dict, e os pesos da tabela não a têm. Passe "
    "persistent=False, ou faça a máscara no forward.",
)
class _MascaraEmBuffer(_Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.register_buffer("mascara", torch.ones(64, 64, dtype=torch.bool).triu(1))


@Bloco.equivoco(
    "camadas-no-forward",
    "Seu módulo não tem parâmetro nenhum: as camadas são criadas no forward, com pesos novos a cada chamada. "
    "Crie-as no __init__, como atributos (self.…).",
)
class _CamadasNoForward(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.d, self.h = d, h

    def forward(self, X):
        Z = X + nn.Linear(self.d, self.d, bias=False)(nn.LayerNorm(self.d)(X))
        return Z + nn.Linear(4 * self.d, self.d)(F.gelu(nn.Linear(self.d, 4 * self.d)(nn.LayerNorm(self.d)(Z))))


@Bloco.equivoco(
    "sem-super",
    "Falta chamar `super().__init__()` na primeira linha do __init__: é ela que prepara o módulo para guardar camadas.",
)
class _SemSuper(nn.Module):
    def __init__(self, d, h):
        self.h = h
        self.norma1 = nn.LayerNorm(d)

    def forward(self, X):
        return self.norma1(X)


@Bloco.equivoco(
    "sem-forward",
    "Sua classe não tem o método `forward`, que o torch chama quando se escreve bloco(X). O nome tem de ser esse.",
)
class _SemForward(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.norma1 = nn.LayerNorm(d)

    def bloco(self, X):
        return self.norma1(X)


@Bloco.equivoco("sem-return", "O forward não devolve nada: a conta foi feita e se perdeu. Falta o return.")
class _SemReturn(_Bloco):
    def forward(self, X):
        X = X + self.atender(self.norma1(X))
        X = X + self.pensar(self.norma2(X))


@Bloco.equivoco(
    "devolve-os-pesos-tambem",
    "O forward devolve uma tupla. O enunciado pede só a saída, um tensor (B, T, d): assim os blocos se empilham.",
)
class _DevolveTupla(_Bloco):
    def forward(self, X):
        Z = X + self.atender(self.norma1(X))
        return Z + self.pensar(self.norma2(Z)), self.qkv(X)


@Bloco.equivoco(
    "escreve-em-X",
    "Seu forward escreveu dentro de X (um += no tensor muda o de quem chamou). Escreva X = X + …, que cria outro.",
)
class _EscreveEmX(_Bloco):
    def forward(self, X):
        X += self.atender(self.norma1(X)).detach()
        return X + self.pensar(self.norma2(X))


@Bloco.equivoco(
    "sem-gradiente",
    "A saída não guarda o caminho do gradiente: a conta passou pelo NumPy, por .detach(), .data ou torch.no_grad(). "
    "Assim o bloco nunca aprenderia; faça tudo com tensores do torch.",
)
class _SemGradiente(_Bloco):
    def forward(self, X):
        with torch.no_grad():
            Z = X + self.atender(self.norma1(X))
            return Z + self.pensar(self.norma2(Z))


@Bloco.equivoco(
    "gradiente-cortado",
    "A saída está certa, mas parte do gradiente se perde: há um .detach(), um .data ou um no_grad no meio da conta. O "
    "bloco treinaria mal, sem nenhum aviso.",
)
class _GradienteCortado(_Bloco):
    def pesar(self, S):
        return super().pesar(S).detach()


@Bloco.equivoco(
    "entrada-sem-gradiente",
    "A saída está certa, mas o gradiente não volta inteiro até X (há um .detach() ou um torch.tensor na entrada). X é "
    "a saída do bloco de baixo, que assim nunca aprenderia.",
)
class _EntradaSemGradiente(_Bloco):
    def forward(self, X):
        return super().forward(X.detach())


@Bloco.equivoco(
    "pede-a-mascara",
    "Seu forward exige um segundo argumento. O bloco é chamado só com X: faça a máscara lá dentro, do tamanho de T.",
)
class _PedeMascara(_Bloco):
    def forward(self, X, M):
        return X + self.pensar(self.norma2(X))


@Bloco.equivoco(
    "norma-na-saida-da-subcamada",
    "A norma foi aplicada à saída de cada subcamada, antes da soma. No pré-norma ela vem na entrada: o que a subcamada "
    "recebe é X já normalizado.",
)
class _NormaNaSaida(_Bloco):
    def forward(self, X):
        X = X + self.norma1(self.atender(X))
        return X + self.norma2(self.pensar(X))


@Bloco.equivoco(
    "norma-no-fim",
    "Há uma normalização a mais, na saída do bloco. No pré-norma a soma final sai como está (a norma do fim é uma só, "
    "depois do último bloco do modelo).",
)
class _NormaNoFim(_Bloco):
    def forward(self, X):
        X = X + self.atender(self.norma1(X))
        return self.norma2(X + self.pensar(self.norma2(X)))


@Bloco.alternativa("com-a-funcao-do-torch")
class _ComSdpa(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.norma1, self.norma2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.saida = nn.Linear(d, d, bias=False)
        self.expande = nn.Linear(d, 4 * d)
        self.reduz = nn.Linear(4 * d, d)

    def forward(self, X):
        B, T, d = X.shape
        Q, K, V = self.qkv(self.norma1(X)).split(d, dim=2)
        Q, K, V = (Z.view(B, T, self.h, d // self.h).transpose(1, 2) for Z in (Q, K, V))
        Y = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
        X = X + self.saida(Y.transpose(1, 2).contiguous().view(B, T, d))
        return X + self.reduz(F.gelu(self.expande(self.norma2(X))))


@Bloco.alternativa("com-einsum")
class _ComEinsum(_Bloco):
    def atender(self, N):
        B, T, d = N.shape
        Q, K, V = self.qkv(N).view(B, T, 3, self.h, d // self.h).unbind(2)  # cada um (B, T, h, d/h)
        S = torch.einsum("bthd,bshd->bhts", Q, K) / math.sqrt(d // self.h)
        A = torch.softmax(S + torch.full((T, T), -1e9).triu(1), dim=-1)
        return self.saida(torch.einsum("bhts,bshd->bthd", A, V).reshape(B, T, d))


@Bloco.alternativa("laco-nas-cabecas")
class _LacoNasCabecas(_Bloco):
    def atender(self, N):
        T, d = N.shape[1:]
        d_h = d // self.h
        tudo = self.qkv(N)
        cabecas = []
        for i in range(self.h):
            Q, K, V = (tudo[:, :, p * d + i * d_h : p * d + (i + 1) * d_h] for p in range(3))
            S = Q @ K.transpose(1, 2) / d_h**0.5
            S = S.masked_fill(~torch.tril(torch.ones(T, T)).bool(), -1e9)
            cabecas.append(torch.softmax(S, dim=-1) @ V)
        return self.saida(torch.cat(cabecas, dim=-1))


def _norma_a_mao(x, camada):
    desvios = x - x.mean(-1, keepdim=True)
    return camada.weight * desvios / torch.sqrt((desvios**2).mean(-1, keepdim=True) + camada.eps) + camada.bias


def _atencao_causal(Q, K, V):
    T = Q.shape[-2]
    S = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    t = torch.arange(T)
    return torch.softmax(torch.where(t[None] > t[:, None], -torch.inf, S), dim=-1) @ V


@Bloco.alternativa("com-funcoes-proprias")
class _ComFuncoes(_Bloco):
    def forward(self, X):
        B, T, d = X.shape
        partes = self.qkv(_norma_a_mao(X, self.norma1)).reshape(B, T, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        X = X + self.saida(_atencao_causal(*partes).permute(0, 2, 1, 3).reshape(B, T, d))
        meio = _norma_a_mao(X, self.norma2) @ self.expande.weight.T + self.expande.bias
        return X + _exata(meio) @ self.reduz.weight.T + self.reduz.bias


@Bloco.alternativa("com-dropout-e-buffer")
class _ComDropout(_Bloco):
    def __init__(self, d, h, dropout=0.1, bloco=256):
        super().__init__(d, h)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mascara", torch.tril(torch.ones(bloco, bloco)).view(1, 1, bloco, bloco), persistent=False)

    def pesar(self, S):
        T = S.shape[-1]
        S = S.masked_fill(self.mascara[:, :, :T, :T] == 0, float("-inf"))
        return self.dropout(F.softmax(S, dim=-1))

    def pensar(self, N):
        return self.dropout(self.reduz(nn.GELU()(self.expande(N))))


@Bloco.alternativa("token-por-token")
class _TokenPorToken(_Bloco):
    def atender(self, N):
        B, T, d = N.shape
        Q, K, V = (self.dividir(Z) for Z in self.separar(N))
        linhas = []
        for t in range(T):  # cada token só recebe o passado, e nem precisa de máscara
            S = (Q[:, :, t : t + 1] * K[:, :, : t + 1]).sum(-1) * (d / self.h) ** -0.5  # (B, h, t + 1)
            linhas.append((S.softmax(-1)[..., None] * V[:, :, : t + 1]).sum(2).reshape(B, d))
        return self.saida(torch.stack(linhas, dim=1))


@Bloco.alternativa("em-float64")
class _EmFloat64(_Bloco):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.double()

    def forward(self, X):
        return super().forward(X.double())
