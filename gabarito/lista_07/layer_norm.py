"""A questão `layer_norm` da lista 07."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao
from gabarito.lista_07.comum import curto, tensor

_GANHO, _EPS = "ganho e deslocamento", "eps"


def layer_norm(x, gama, beta, eps=1e-5):
    z = x.double()
    desvios = z - z.mean(dim=-1, keepdim=True)
    variancia = (desvios**2).mean(dim=-1, keepdim=True)
    return (gama * desvios / torch.sqrt(variancia + eps) + beta).float()


def _gama_e_beta(rng, d):
    """Ganho longe de 0 e de 1, deslocamento longe de 0: esquecer um deles aparece."""
    gama = rng.choice([-1, 1], size=d) * rng.uniform(0.4, 0.8, size=d) + rng.choice([0, 2], size=d)
    beta = rng.choice([-1, 1], size=d) * rng.uniform(0.3, 1.5, size=d)
    return tensor(np.round(gama * 16) / 16), tensor(np.round(beta * 16) / 16)


def _sem_ganho(x, rotulo=""):
    """Ganho 1 e deslocamento 0: só a média e o desvio contam."""
    return caso(x, torch.ones(x.shape[-1]), torch.zeros(x.shape[-1]), rotulo=rotulo)


def ocultos(rng):
    miudo = rng.normal(size=(3, 6)) * 0.003
    constante = np.concatenate([rng.normal(size=(2, 5)), np.full((1, 5), rng.integers(-8, 9) / 4)])
    return [
        _sem_ganho(tensor(rng.normal(size=(4, 6)) * 2 + rng.normal(size=(4, 1)) * 3)),
        _sem_ganho(tensor(rng.normal(size=(2, 3, 5)) + 1.5)),
        _sem_ganho(tensor(rng.normal(size=7) * 3 - 2)),
        caso(tensor(rng.normal(size=(4, 6)) * 2 + rng.normal(size=(4, 1)) * 3), *_gama_e_beta(rng, 6), parte=_GANHO),
        caso(tensor(rng.normal(size=(3, 2, 4, 7)) * 3), *_gama_e_beta(rng, 7), parte=_GANHO),
        caso(tensor(rng.normal(size=8) * 2 - 1), *_gama_e_beta(rng, 8), parte=_GANHO),
        caso(tensor(miudo), *_gama_e_beta(rng, 6), parte=_EPS),
        caso(tensor(constante), *_gama_e_beta(rng, 5), parte=_EPS),
        caso(tensor(rng.normal(size=(5, 3))), *_gama_e_beta(rng, 3), 0.5, parte=_EPS),
        caso(tensor(rng.normal(size=(2, 4, 6)) * 0.1), *_gama_e_beta(rng, 6), 0.015625, parte=_EPS),
    ]


_rng_ln = np.random.default_rng(71)
_GAMA_4, _BETA_4 = tensor([2.0, 0.5, -1.0, 3.0]), tensor([0.25, -0.5, 1.0, -1.5])

q = questao(
    "lista-07/layer_norm",
    assinatura="layer_norm(x, gama, beta, eps=1e-5)",
    saida="array",
    referencia=layer_norm,
    casos=[
        caso(
            tensor([[1, 3, 5, 7], [0, 0, 4, 0]]), tensor([1, 2, 1, 0.5]), tensor([0, 1, -1, 0.25]),
            claro=True, rotulo="o exemplo do enunciado", parte=_GANHO,
        ),
        _sem_ganho(curto(_rng_ln, (2, 5), 2.0) + 1, "duas linhas, com ganho 1 e deslocamento 0"),
        _sem_ganho(curto(_rng_ln, (3, 2, 4), 1.5), "um lote de três frases, com ganho 1 e deslocamento 0"),
        _sem_ganho(tensor([2, -1, 0.5, 4]), "um vetor só, com ganho 1 e deslocamento 0"),
        caso(curto(_rng_ln, (3, 5), 2.0) + 3, *_gama_e_beta(_rng_ln, 5), rotulo="três linhas, com média perto de 3",
             parte=_GANHO),
        caso(curto(_rng_ln, (2, 3, 4), 1.5), _GAMA_4, _BETA_4, rotulo="um lote de duas frases", parte=_GANHO),
        caso(tensor([0.5, -2, 1.25, 3, -0.75, 2.5]), *_gama_e_beta(_rng_ln, 6), rotulo="um vetor só", parte=_GANHO),
        caso(tensor([[2, 2, 2, 2], [1, -1, 2, 0.5]]), _GAMA_4, _BETA_4, rotulo="uma linha de números iguais",
             parte=_EPS),
        caso(tensor([[3, -1, 2, 0], [1, 1, -4, 2]]) / 1024, _GAMA_4, _BETA_4, rotulo="variância muito pequena",
             parte=_EPS),
        caso(curto(_rng_ln, (2, 5)), *_gama_e_beta(_rng_ln, 5), 0.5, rotulo="eps = 0,5", parte=_EPS),
    ],
    ocultos=ocultos,
    partes={"média e desvio": 0.5, _GANHO: 0.3, _EPS: 0.2},
    atol=1e-5,  # ganho e deslocamento podem se cancelar: perto de zero, o float32 erra mais que 1e-6
)  # fmt: skip

q.equivocos_curtos("""
a-copiada: gama * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + beta
    Esta é a versão muito copiada: o desvio divide por d − 1, e eps é somado fora da raiz. O torch divide por d e soma
    eps à variância, antes da raiz.
variancia-com-d-menos-1: gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps) + beta
    Sua variância divide por d − 1, que é o padrão de .var() e .std() no torch. Aqui se divide por d: procure a opção
    que muda isso, ou faça a média dos quadrados. Veja a Dica 2.
eps-fora-da-raiz: gama * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True, correction=0) + eps) + beta
    Quase: eps foi somado ao desvio, depois da raiz. Ele se soma à variância, antes dela; com variância pequena a
    diferença é grande.
segundo-momento: gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt((x**2).mean(-1, keepdim=True) + eps) + beta
    A variância é a média dos quadrados de x − μ, e você fez a dos quadrados de x. Só são iguais quando μ é 0.
sem-eps: gama * (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True, correction=0) + beta
    Falta o eps: em uma linha de números iguais a variância é 0, e 0/0 é NaN. Some eps à variância, antes da raiz.
eps-fixo: F.layer_norm(x, x.shape[-1:], gama, beta)
    Seu eps é sempre 0,00001, mesmo quando a chamada traz outro. Use o argumento.
sem-eps-e-com-d-menos-1: gama * (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True) + beta
    São dois erros: o .std() do torch divide por d − 1, e aqui se divide por d; e falta o eps, que se soma à
    variância, antes da raiz.
normaliza-tudo-junto: gama * (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) + beta
    A média e a variância são do tensor inteiro. Cada vetor do último eixo tem as suas: diga o eixo e conserve a
    dimensão.
sem-raiz: gama * (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + eps) + beta
    Você dividiu pela variância, e não pela raiz dela: números grandes saem pequenos demais, e os pequenos, grandes.
sem-tirar-a-media: gama * x / torch.sqrt(x.var(-1, keepdim=True, correction=0) + eps) + beta
    A divisão está certa, mas falta subtrair a média: sua saída (antes de gama e beta) não tem média 0.
rmsnorm: gama * x / torch.sqrt((x**2).mean(-1, keepdim=True) + eps) + beta
    Isto é a RMSNorm: divide pela raiz da média dos quadrados, sem tirar a média. Ela existe (os Llama a usam), mas aqui
    se pede a LayerNorm.
so-centraliza: gama * (x - x.mean(-1, keepdim=True)) + beta
    Você tirou a média e parou. Falta dividir pelo desvio.
sem-gama: F.layer_norm(x, x.shape[-1:], None, beta, eps)
    O ganho não entrou na conta: multiplique por `gama` antes de somar `beta`.
sem-beta: F.layer_norm(x, x.shape[-1:], gama, None, eps)
    O deslocamento não entrou na conta: depois de multiplicar por `gama`, some `beta`.
sem-gama-nem-beta: F.layer_norm(x, x.shape[-1:], None, None, eps)
    A normalização está certa, e é só metade: falta multiplicar por `gama` e somar `beta`, que são o que o modelo
    aprende.
gama-e-beta-trocados: F.layer_norm(x, x.shape[-1:], beta, gama, eps)
    Estão trocados: `gama` multiplica e `beta` soma.
beta-antes-de-gama: (F.layer_norm(x, x.shape[-1:], None, None, eps) + beta) * gama
    Você somou `beta` antes de multiplicar por `gama`, e o deslocamento saiu esticado. Primeiro o ganho, depois a soma.
um-mais-gama: F.layer_norm(x, x.shape[-1:], 1 + gama, beta, eps)
    Você multiplicou por 1 + gama. Há modelos que guardam o ganho assim, mas aqui `gama` é o próprio ganho.
sem-keepdim: gama * (x - x.mean(-1)) / torch.sqrt(x.var(-1, correction=0) + eps) + beta
    A média, ou a variância, perdeu o último eixo e não combina mais com x. Conserve a dimensão (keepdim=True). Veja a
    Dica 1.
altera-a-entrada: desvios = z - z.mean(dim=-1, keepdim=True) → x -= x.mean(-1, keepdim=True)
        variancia = (desvios**2).mean(dim=-1, keepdim=True) → x /= torch.sqrt((x**2).mean(-1, keepdim=True) + eps)
        (gama * desvios / torch.sqrt(variancia + eps) + beta).float() → gama * x + beta
    A conta foi feita dentro da própria entrada.
gama-no-lugar-de-beta: F.layer_norm(x, x.shape[-1:], gama, gama, eps)
    `gama` entrou duas vezes: multiplicou e foi somado. O que se soma no fim é `beta`.
sem-parenteses: gama * desvios / torch.sqrt → gama * z - (z - desvios) / torch.sqrt
    Só a média foi dividida pelo desvio: faltam parênteses em volta de x menos a média.
sem-parenteses-nenhum: gama * desvios / torch.sqrt → z - gama * (z - desvios) / torch.sqrt
    Só a média foi dividida e multiplicada: faltam parênteses em volta de x menos a média.
raiz-do-desvio: torch.sqrt(variancia + eps) → torch.sqrt(variancia.sqrt() + eps)
    Você tirou a raiz do desvio, que já é a raiz da variância. Use a variância dentro da raiz.
sem-gama-nem-beta-e-com-d-menos-1: (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps)
    São dois erros: a variância divide por d, e não por d − 1 (o padrão do torch); e faltam `gama` e `beta`.
divide-pelo-primeiro-eixo: (desvios**2).mean(dim=-1, keepdim=True) → (desvios**2).sum(dim=-1, keepdim=True) / len(x)
    A soma dos desvios ao quadrado foi dividida por len(x), o tamanho do primeiro eixo. É por d, o do último:
    x.shape[-1].
eps-como-piso: gama * (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True, correction=0).clamp(min=eps) + beta
    Você usou eps como um piso para o desvio. Ele se soma à variância, sempre, antes da raiz.
eixo-das-linhas: gama * (x - x.mean(0, keepdim=True)) / torch.sqrt(x.var(0, keepdim=True, correction=0) + eps) + beta
    A média e a variância foram tiradas ao longo do primeiro eixo, misturando linhas (ou frases) diferentes. Cada vetor
    se normaliza sozinho, no último eixo.
penultimo-eixo:
        gama * (x - x.mean(-2, keepdim=True)) / torch.sqrt(x.var(-2, keepdim=True, correction=0) + eps) + beta
    A média e a variância foram tiradas ao longo do penúltimo eixo, misturando tokens diferentes. Cada vetor se
    normaliza sozinho, no último eixo.
eps-escrito-a-mao:
        gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, correction=0) + 1e-6) + beta
    Há um eps de 0,000001 escrito à mão no corpo, e o argumento não entra na conta. Use o `eps` que a função recebe.
outro-eps-escrito-a-mao:
        gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, correction=0) + 1e-8) + beta
    Há um eps de 0,00000001 escrito à mão no corpo, e o argumento não entra na conta. Use o `eps` que a função recebe.
eixo-1: gama * (x - x.mean(1, keepdim=True)) / torch.sqrt(x.var(1, keepdim=True, correction=0) + eps) + beta
    Você tirou a média e a variância no eixo 1. Em uma matriz ele é o último; em um lote (B, T, d) não é, e em um vetor
    nem existe. O último eixo é sempre o −1.
""")


@q.equivoco
def outro_eps_padrao(x, gama, beta, eps=1e-6):
    """Quando a chamada não traz eps, o seu não vale 0,00001: com variância pequena isso aparece. Confira o valor padrão
    na assinatura, e se não há outro escrito à mão no corpo."""
    return F.layer_norm(x, x.shape[-1:], gama, beta, eps)


@q.equivoco
def eps_ao_quadrado(x, gama, beta, eps=1e-5):
    """Você somou eps² à variância. Some o próprio eps: com variância pequena, ou com eps grande, aparece a
    diferença."""
    variancia = x.var(-1, keepdim=True, correction=0)
    return gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(variancia + eps**2) + beta


@q.equivoco
def eps_como_piso_da_variancia(x, gama, beta, eps=1e-5):
    """Você usou eps como um piso para a variância. Ele se soma a ela, sempre, mesmo quando ela já é maior."""
    variancia = x.var(-1, keepdim=True, correction=0).clamp(min=eps)
    return gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(variancia) + beta


@q.equivoco
def dois_ultimos_eixos(x, gama, beta, eps=1e-5):
    """Você normalizou cada frase inteira, com os dois últimos eixos juntos: um token mexe nos outros. A média e a
    variância são de cada token, só do último eixo."""
    eixos = tuple(range(max(-2, -x.ndim), 0))
    variancia = x.var(eixos, keepdim=True, correction=0)
    return gama * (x - x.mean(eixos, keepdim=True)) / torch.sqrt(variancia + eps) + beta


@q.equivoco
def soma_em_vez_de_media(x, gama, beta, eps=1e-5):
    """Você somou os quadrados dos desvios e não dividiu por d. A variância é a média deles. Veja a Dica 3."""
    desvios = x - x.mean(-1, keepdim=True)
    return gama * desvios / torch.sqrt((desvios**2).sum(-1, keepdim=True) + eps) + beta


@q.alternativa
def variancia_por_diferenca(x, gama, beta, eps=1e-5):
    media = x.mean(-1, keepdim=True)
    return gama * (x - media) / torch.sqrt((x**2).mean(-1, keepdim=True) - media**2 + eps) + beta


@q.alternativa
def pela_media_dos_quadrados(x, gama, beta, eps=1e-5):
    desvios = x - x.mean(dim=-1, keepdim=True)
    return desvios * torch.rsqrt(desvios.pow(2).mean(dim=-1, keepdim=True) + eps) * gama + beta


@q.alternativa
def var_sem_correcao(x, gama, beta, eps=1e-5):
    media, variancia = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
    return gama * (x - media) / (variancia + eps).sqrt() + beta


@q.alternativa
def var__mean(x, gama, beta, eps=1e-5):
    variancia, media = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
    return torch.addcmul(beta, gama, (x - media) / torch.sqrt(variancia + eps))


@q.alternativa
def corrige_d_menos_1(x, gama, beta, eps=1e-5):
    d = x.shape[-1]
    variancia = x.var(-1, keepdim=True) * (d - 1) / d
    return gama * (x - x.mean(-1, keepdim=True)) / torch.sqrt(variancia + eps) + beta


@q.alternativa
def com_numpy(x, gama, beta, eps=1e-5):
    z = x.numpy().astype(np.float64)
    z = (z - z.mean(axis=-1, keepdims=True)) / np.sqrt(z.var(axis=-1, keepdims=True) + eps)
    return gama.numpy() * z + beta.numpy()


@q.alternativa
def linha_por_linha(x, gama, beta, eps=1e-5):
    linhas = []
    for linha in x.reshape(-1, x.shape[-1]):
        media = sum(linha) / len(linha)
        variancia = sum((v - media) ** 2 for v in linha) / len(linha)
        linhas.append(gama * (linha - media) / (variancia + eps) ** 0.5 + beta)
    return torch.stack(linhas).reshape(x.shape)


@q.alternativa
def com_einsum(x, gama, beta, eps=1e-5):
    d = x.shape[-1]
    centro = torch.eye(d) - 1 / d  # (d, d): tirar a média é um produto de matrizes
    desvios = (x.double() @ centro.double()).float()
    variancia = torch.einsum("...i,...i->...", desvios, desvios)[..., None] / d
    return gama * desvios / torch.sqrt(variancia + eps) + beta


q.alternativas_curtas("""
a-do-torch: F.layer_norm(x, x.shape[-1:], gama, beta, eps)
com-o-modulo: desvios = z - z.mean(dim=-1, keepdim=True) → norma = nn.LayerNorm(x.shape[-1], eps=eps)
        variancia = (desvios**2).mean(dim=-1, keepdim=True) → norma.load_state_dict({"weight": gama, "bias": beta})
        (gama * desvios / torch.sqrt(variancia + eps) + beta).float() → norma(x)
""")
