"""A questão `entropia_cruzada` da lista 09."""

from collections import Counter

import numpy as np
import torch
import torch.nn.functional as F

from gabarito.base import caso, questao
from gabarito.lista_09.comum import NADA_SERVIU, TENTATIVAS, cadeia, contar_pares


def entropia_cruzada(logp, dados):
    return float(-logp.double()[dados[:-1], dados[1:]].mean())


def _logp(rng, V):
    """Log-probabilidades (V, V) quaisquer, com linhas que somam 1."""
    return torch.tensor(np.log(rng.dirichlet(np.full(V, 2.0), size=V)), dtype=torch.float32)


def _texto_que_repete(rng, V, quantos):
    for _ in TENTATIVAS:
        ids = cadeia(rng, V, quantos)
        pares = Counter(zip(ids, ids[1:], strict=False))
        if max(pares.values()) > 2 and min(pares.values()) == 1 and len(pares) > 3 and ids[0] != ids[-1]:
            return torch.tensor(ids)
    raise RuntimeError(NADA_SERVIU)


def _com_infinito(rng, V, quantos, usado):
    """Log-probabilidades com um −inf, em um par que o texto usa ou em um que ele não usa."""
    for _ in TENTATIVAS:
        dados, logp = _texto_que_repete(rng, V, quantos), _logp(rng, V)
        vistos = Counter(zip(dados.tolist(), dados[1:].tolist(), strict=False))
        # usado uma vez só: duas vezes o maior float32 já é infinito, e quem o pôs no lugar do infinito acertaria
        pares = [(a, b) for a in range(V) for b in range(V) if vistos[a, b] == usado]
        if pares:
            logp[pares[rng.integers(len(pares))]] = -torch.inf
            return torch.log_softmax(logp, dim=1), dados  # as linhas voltam a somar 1
    raise RuntimeError(NADA_SERVIU)


def ocultos(rng):
    return [
        caso(_logp(rng, 4), _texto_que_repete(rng, 4, 12)),
        caso(_logp(rng, 6), _texto_que_repete(rng, 6, 30)),
        caso(_logp(rng, 3), _texto_que_repete(rng, 3, 20)),
        caso(_logp(rng, 5), torch.tensor(rng.permutation(5)[:2])),
        caso(*_com_infinito(rng, 4, 14, usado=True)),
        caso(*_com_infinito(rng, 5, 16, usado=False)),
        caso(_logp(rng, 8), _texto_que_repete(rng, 8, 50)),
    ]


_TRES = torch.log(torch.tensor([[0.5, 0.25, 0.25], [0.125, 0.75, 0.125], [0.3125, 0.0625, 0.625]]))
_QUATRO = torch.tensor([[0.1, 0.6, 0.2, 0.1], [0.3, 0.1, 0.2, 0.4], [0.7, 0.1, 0.1, 0.1], [0.2, 0.5, 0.25, 0.05]])

q = questao(
    "lista-09/entropia_cruzada",
    assinatura="entropia_cruzada(logp, dados)",
    saida="float",
    referencia=entropia_cruzada,
    casos=[
        caso(_TRES, torch.tensor([0, 1, 0, 2]), claro=True, rotulo="o exemplo do enunciado"),
        caso(_QUATRO.log(), torch.tensor([0, 1, 3, 1, 0, 1, 3, 2, 0, 1]), rotulo="nove pares, alguns repetidos"),
        caso(_TRES.flip(0), torch.tensor([2, 1]), rotulo="um par só"),
        caso(
            torch.tensor([[0.5, 0.5, 0.0], [0.25, 0.0, 0.75], [0.2, 0.3, 0.5]]).log(),
            torch.tensor([0, 1, 2, 2, 1, 0, 0]),
            rotulo="há um menos infinito, mas o texto não usa esse par",
        ),
        caso(
            torch.tensor([[0.5, 0.5, 0.0], [0.25, 0.0, 0.75], [0.2, 0.3, 0.5]]).log(),
            torch.tensor([0, 1, 1, 2]),
            rotulo="o texto usa um par de probabilidade zero: dá infinito",
        ),
        caso(_QUATRO.flip(1).log(), torch.tensor([3, 3, 0, 2, 0, 2, 0, 2, 1]), rotulo="oito pares"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
sinal-trocado: float(logp[dados[:-1], dados[1:]].mean())
    O resultado deu negativo: entropia cruzada é a média do log da probabilidade, com o sinal trocado, e nunca fica
    abaixo de zero.
em-bits: float(-logp[dados[:-1], dados[1:]].mean()) / np.log(2)
    Sua resposta está em bits (log na base 2). O enunciado pede nats, e logp já está em nats: não converta.
soma-em-vez-de-media: float(-logp[dados[:-1], dados[1:]].sum())
    Você somou sobre os pares. Para comparar textos de tamanhos diferentes, divida pelo número de pares.
divide-por-N: float(-logp[dados[:-1], dados[1:]].sum()) / len(dados)
    Você dividiu pelo número de tokens. Com N tokens há N − 1 pares, e é por eles que se divide.
linha-e-o-seguinte: float(-logp[dados[1:], dados[:-1]].mean())
    Você leu logp com os índices trocados: a linha é o token anterior e a coluna, o seguinte.
o-proprio-token: float(-logp[dados, dados].mean())
    Você leu a diagonal de logp: cada token com ele mesmo. O alvo é o token seguinte, uma posição à frente.
o-proprio-token-sem-o-ultimo: float(-logp[dados[:-1], dados[:-1]].mean())
    Você comparou cada token com ele mesmo: o anterior e o alvo são os mesmos dados[:-1]. O alvo é o token seguinte,
    dados[1:].
da-a-volta: float(-logp[dados, dados.roll(-1)].mean())
    Há um par a mais, do último token para o primeiro. O texto não é um anel.
perplexidade: float(torch.exp(-logp[dados[:-1], dados[1:]].mean()))
    Isto é a perplexidade, a exponencial da entropia cruzada. O enunciado pede a média, em nats.
media-das-probabilidades: float(-torch.log(logp[dados[:-1], dados[1:]].exp().mean()))
    Você fez a média das probabilidades e só depois tirou o log. A média é dos logs: cada erro grande pesa muito.
probabilidade-media: float(logp[dados[:-1], dados[1:]].exp().mean())
    Isto é a probabilidade média dada ao token certo, entre 0 e 1. O enunciado pede a média de −log.
log-do-log: float(-logp[dados[:-1], dados[1:]].log().mean())
    Você tirou o log de um log: logp já são log-probabilidades. O log de um número negativo é NaN. Veja a Dica 2.
infinito-vira-numero-grande: float(-logp[dados[:-1], dados[1:]].clamp(min=-1e4).mean())
    Um par de probabilidade zero dá entropia infinita, e a sua é só um número grande: há um corte (clamp, nan_to_num)
    escondendo o infinito.
media-da-matriz: float(-logp.mean())
    Você fez a média da matriz inteira, sem olhar para o texto. Só contam os pares que aparecem em dados, cada um
    quantas vezes apareceu.
infinito-vira-zero: float(-logp.masked_fill(logp == -torch.inf, 0.0)[dados[:-1], dados[1:]].mean())
    Você trocou o −inf por 0, e log 0 é certeza: o pior erro do modelo contou como acerto. A resposta é infinito.
so-o-primeiro-par: float(-logp[dados[0], dados[1]]) / (len(dados) - 1)
    Só o primeiro par entrou na soma. Há um return dentro do laço?
falta-o-ultimo-par: float(-logp[dados[:-2], dados[1:-1]].sum()) / (len(dados) - 1)
    Falta o último par do texto na soma. Com N tokens há N − 1 pares: confira até onde vai o laço.
um-par-sim-outro-nao: float(-logp[dados[:-1:2], dados[1::2]].mean())
    Você cortou o texto em pares separados, (0, 1), (2, 3), … Os pares se sobrepõem: são n − 1, e cada token do meio
    entra em dois.
todas-as-combinacoes: float(-logp[dados[:-1]][:, dados[1:]].mean())
    `logp[anteriores][:, seguintes]` cruza cada anterior com todos os seguintes. Para uma entrada por par, dê os dois
    vetores juntos: logp[anteriores, seguintes]. Veja a Dica 1.
softmax-das-probabilidades: float(F.cross_entropy(logp[dados[:-1]].exp(), dados[1:]))
    Você deu probabilidades à cross_entropy, que aplica uma softmax antes do log. Dê a ela logp, ou use nll_loss.
uma-perda-por-par: -logp[dados[:-1], dados[1:]]
    Você devolveu uma perda para cada par. O enunciado pede um número só: a média delas.
em-base-10: float(-logp[dados[:-1], dados[1:]].mean()) / np.log(10)
    Sua resposta está na base 10. O enunciado pede nats, e logp já está em nats: não converta.
soma-e-sinal: float(logp[dados[:-1], dados[1:]].sum())
    São dois erros: é a média sobre os pares, e não a soma; e falta o sinal de menos.
o-seguinte-consigo-mesmo: float(-logp[dados[1:], dados[1:]].mean())
    Você leu a diagonal de logp: os dois índices são o mesmo token. A linha é o anterior; a coluna, o seguinte.
menos-a-probabilidade: float(-logp[dados[:-1], dados[1:]].exp().mean())
    Você tirou a média das probabilidades, com sinal de menos. O que se soma são os logs, que já estão em logp.
zero-vezes-infinito: float(-(contar_pares(dados, len(logp)) * logp).sum() / (len(dados) - 1))
    Deu NaN: você multiplicou contagens por logp, e 0 vezes −inf não é número. Um −inf que o texto não usa não entra na
    conta: leia só as entradas dos pares que há.
""")


@q.equivoco
def pula_os_infinitos(logp, dados):
    """Sua média pula os pares de probabilidade zero. Eles são os piores erros do modelo: a resposta é infinito."""
    v = -logp[dados[:-1], dados[1:]]
    return float(v[torch.isfinite(v)].mean())


@q.equivoco
def pares_sem_repetir(logp, dados):
    """Um par que se repete no texto contou uma vez só. A média é sobre todas as posições, repetidas ou não."""
    pares = sorted(set(zip(dados[:-1].tolist(), dados[1:].tolist(), strict=True)))
    return float(-torch.stack([logp[a, b] for a, b in pares]).mean())


@q.equivoco
def entropia_das_linhas(logp, dados):
    """Isto é a entropia do próprio modelo, com as probabilidades dele como pesos. A cruzada usa o que de fato veio no
    texto."""
    p = logp.exp()
    h = -(torch.where(p > 0, p * logp, torch.tensor(0.0))).sum(dim=1)
    return float(h[dados[:-1]].mean())


@q.equivoco
def pesa_pela_probabilidade(logp, dados):
    """Você fez a média de −p·log p. Quem dá o peso é o texto, e não o modelo: cada par conta uma vez, com −log p."""
    logs = logp[dados[:-1], dados[1:]]
    return float(-torch.where(torch.isinf(logs), logs, logs.exp() * logs).mean())


@q.equivoco
def a_duas_casas(logp, dados):
    """Você comparou cada token com o que vem duas posições à frente. O alvo é o vizinho imediato."""
    if len(dados) < 3:
        return float(-logp[dados[:-1], dados[1:]].mean())
    return float(-logp[dados[:-2], dados[2:]].mean())


@q.alternativa
def com_laco(logp, dados):
    total = 0.0
    for a, b in zip(dados[:-1], dados[1:], strict=True):
        total -= logp[a, b].item()
    return total / (len(dados) - 1)


@q.alternativa
def com_contagens(logp, dados):
    C = contar_pares(dados, len(logp))
    termos = torch.where(C > 0, C * logp, torch.tensor(0.0, dtype=torch.float64))  # 0 · (−inf) seria NaN
    return -termos.sum().item() / (len(dados) - 1)


@q.alternativa
def com_numpy(logp, dados):
    L, d = logp.numpy(), dados.numpy()
    return -np.mean(L[d[:-1], d[1:]])


@q.alternativa
def com_gather(logp, dados):
    linhas = logp[dados[:-1]]  # (N − 1, V)
    return -linhas.gather(1, dados[1:, None]).squeeze(1).mean()


@q.alternativa
def com_cross__entropy(logp, dados):
    # log-probabilidades são pontuações já normalizadas: a log-softmax não as muda
    return F.cross_entropy(logp[dados[:-1]], dados[1:])


q.alternativas_curtas("""
com-nll_loss: F.nll_loss(logp[dados[:-1]], dados[1:])
""")
