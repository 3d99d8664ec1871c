"""Lista 09: contar pares e sequências, a média uniforme do passado, a tarefa de cópia e o GPT sem atenção.

Os textos são de poucas letras e vêm de cadeias sorteadas, com contextos que nunca aparecem e com um fim que nada segue.
Em `ngrama` cada semente escolhe contextos vistos, nunca vistos, curtos, compridos e o do fim do texto. Em
`tarefa_de_copia` não se comparam sorteios, e sim fatos: que formas, de onde vem cada alvo, que tokens apareceram.
"""

from collections import Counter, defaultdict

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from gabarito.base import caso, questao

_TENTATIVAS = range(500)  # quase sempre bastam duas ou três
_NADA_SERVIU = "nenhum texto sorteado serviu: mude os tamanhos do caso"


def _cadeia(rng, V, quantos, espalhada=0.5):
    """Um texto de `quantos` tokens de uma cadeia de Markov sorteada: uns pares são comuns, outros nunca aparecem."""
    P = rng.dirichlet(np.full(V, espalhada), size=V)
    ids = [int(rng.integers(V))]
    while len(ids) < quantos:
        ids.append(int(rng.choice(V, p=P[ids[-1]])))
    return ids


# ---------------------------------------------------------------------------------------------- bigrama


def _contar_pares(dados, V):
    C = torch.zeros(V, V, dtype=torch.float64)
    uns = torch.ones(len(dados) - 1, dtype=torch.float64)
    C.index_put_((dados[:-1], dados[1:]), uns, accumulate=True)
    return C


def _bigrama(dados, V, k):
    C = _contar_pares(dados, V)  # (V, V): linha = token anterior
    N = C.sum(dim=1, keepdim=True)  # (V, 1)
    P = (C + k) / (N + k * V)
    if k == 0:
        P = torch.where(N == 0, torch.tensor(1 / V, dtype=torch.float64), P)
    return P.log()


def _texto_de_bigrama(rng, V, quantos, ausentes):
    """Um texto em que os `ausentes` primeiros tokens, de uma ordem sorteada, não aparecem, e que repete pares."""
    nomes = rng.permutation(V)[ausentes:]
    for _ in _TENTATIVAS:
        ids = _cadeia(rng, V - ausentes, quantos)
        C = np.zeros((V - ausentes, V - ausentes))
        np.add.at(C, (ids[:-1], ids[1:]), 1)
        # o último token já foi seguido por outro; há pares repetidos, pares ausentes e nada de simetria
        if C[ids[-1]].sum() and C.max() > 2 and (C == 0).any() and ids[0] != ids[-1] and len(set(ids)) > 2:
            return torch.tensor(nomes[ids])
    raise RuntimeError(_NADA_SERVIU)


def _ocultos_bigrama(rng):
    meios = [0.25, 0.5, 2.0, 1.5]
    return [
        caso(_texto_de_bigrama(rng, 4, 30, 0), 4, 1.0),
        caso(_texto_de_bigrama(rng, 6, 41, 1), 6, meios[rng.integers(4)]),
        caso(_texto_de_bigrama(rng, 5, 36, 0), 5, 0.0),
        caso(_texto_de_bigrama(rng, 7, 40, 2), 7, 0.0),
        caso(_texto_de_bigrama(rng, 9, 60, 3), 9, 0.125),
        caso(_texto_de_bigrama(rng, 5, 25, 1), 5, 3.0),
        caso(torch.tensor(rng.permutation(5)[:2]), 5, 1.0),
    ]


bigrama = questao(
    "lista-09/bigrama",
    assinatura="bigrama(dados, V, k)",
    saida="array",
    referencia=_bigrama,
    casos=[
        caso(torch.tensor([0, 1, 0, 2, 0, 1, 1]), 3, 1.0, claro=True, rotulo="o exemplo do enunciado"),
        caso(
            torch.tensor([3, 0, 3, 0, 1, 3, 0, 3, 3, 1, 0, 3, 0, 0, 3, 1]),
            5,
            0.5,
            rotulo="k = 0,5, com dois tokens que não aparecem",
        ),
        caso(torch.tensor([2, 0, 1, 2, 0, 0, 2, 1, 2, 0, 2, 0, 1, 1]), 3, 0.0, rotulo="k = 0: par nunca visto é −inf"),
        caso(
            torch.tensor([4, 1, 4, 4, 2, 1, 4, 1, 4, 2]),
            6,
            0.0,
            rotulo="k = 0: linha de quem nunca é seguido é uniforme",
        ),
        caso(torch.tensor([0, 2, 0, 2, 0, 2, 1, 0, 2, 3, 0, 2, 0]), 4, 2.0, rotulo="k = 2"),
        caso(torch.tensor([2, 1]), 4, 1.0, rotulo="um par só"),
    ],
    ocultos=_ocultos_bigrama,
)


@bigrama.equivoco(
    "linha-e-o-seguinte",
    "Sua matriz está transposta: a linha deve ser o token anterior e a coluna, o seguinte. Cada linha, exponenciada, "
    "soma 1.",
)
def _(dados, V, k):
    return _bigrama(dados, V, k).T


@bigrama.equivoco(
    "normaliza-colunas",
    "Você dividiu cada contagem pelo total da coluna. A pergunta é «dado o anterior, o que vem?»: quem soma 1 é a "
    "linha.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V) + k
    return (C / C.sum(dim=0, keepdim=True)).log()


@bigrama.equivoco(
    "conta-do-lado-errado",
    "Você contou os pares ao contrário: cada linha ficou com os tokens que vêm antes dela, e não com os que vêm "
    "depois.",
)
def _(dados, V, k):
    return _bigrama(dados.flip(0), V, k)


@bigrama.equivoco(
    "devolve-probabilidades",
    "Isto são as probabilidades. O enunciado pede o logaritmo natural delas.",
)
def _(dados, V, k):
    return _bigrama(dados, V, k).exp()


@bigrama.equivoco(
    "log-na-base-2",
    "Seu logaritmo é na base 2 (bits). Neste curso a perda é em nats: use o logaritmo natural.",
)
def _(dados, V, k):
    return _bigrama(dados, V, k) / np.log(2)


@bigrama.equivoco(
    "menos-o-logaritmo",
    "O sinal está trocado: log-probabilidade é negativa (ou zero). O menos entra depois, na entropia cruzada.",
)
def _(dados, V, k):
    return -_bigrama(dados, V, k)


@bigrama.equivoco(
    "k-no-denominador-uma-vez",
    "No denominador entrou k uma vez só. Cada uma das V colunas ganhou k: para a linha somar 1, o total cresce k·V.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    N = C.sum(dim=1, keepdim=True)
    return ((C + k) / (N + k)).log().nan_to_num(nan=-np.log(V), neginf=-np.inf)


@bigrama.equivoco(
    "k-so-no-numerador",
    "O k entrou só no numerador, e as linhas somam mais que 1. Divida pelo total da linha depois de somar k.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    N = C.sum(dim=1, keepdim=True)
    return torch.where(N == 0, torch.tensor(1 / V), (C + k) / N.clamp(min=1)).log()


@bigrama.equivoco(
    "k-esquecido",
    "Sua conta não usa k: os pares nunca vistos ficaram com probabilidade zero, e o log deles, menos infinito.",
)
def _(dados, V, k):
    return _bigrama(dados, V, 0)


@bigrama.equivoco(
    "k-sempre-1",
    "Você somou 1 a cada contagem, qualquer que fosse k. Use o argumento.",
)
def _(dados, V, k):
    return _bigrama(dados, V, 1)


@bigrama.equivoco(
    "conta-o-ultimo-token",
    "O total da linha conta também o último token do texto, que não é seguido por nada. O total certo é o dos pares: a "
    "soma da própria linha.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    N = torch.bincount(dados, minlength=V)[:, None].double()
    P = (C + k) / (N + k * V)
    return torch.where(torch.isnan(P), torch.tensor(1 / V, dtype=torch.float64), P).log()


@bigrama.equivoco(
    "pares-sem-repetir",
    "Um par que se repete contou uma vez só: escrever `C[a, b] += 1` com vetores de índices não acumula. Conte com um "
    "laço, com bincount ou com accumulate=True.",
)
def _(dados, V, k):
    C = torch.zeros(V, V, dtype=torch.float64)
    C[dados[:-1], dados[1:]] += 1
    N = C.sum(dim=1, keepdim=True)
    P = (C + k) / (N + k * V)
    return torch.where(torch.isnan(P), torch.tensor(1 / V, dtype=torch.float64), P).log()


@bigrama.equivoco(
    "um-par-sim-outro-nao",
    "Você cortou o texto em pares separados, (0, 1), (2, 3), … Os pares se sobrepõem: cada token, menos o último, é o "
    "anterior de alguém.",
)
def _(dados, V, k):
    C = torch.zeros(V, V, dtype=torch.float64)
    for i in range(0, len(dados) - 1, 2):
        C[dados[i], dados[i + 1]] += 1
    P = (C + k) / (C.sum(dim=1, keepdim=True) + k * V)
    return torch.where(torch.isnan(P), torch.tensor(1 / V, dtype=torch.float64), P).log()


@bigrama.equivoco(
    "da-a-volta",
    "Há um par a mais: o último token ligado ao primeiro. O texto não é um anel (o roll dá a volta; corte o fim).",
)
def _(dados, V, k):
    return _bigrama(torch.cat([dados, dados[:1]]), V, k)


@bigrama.equivoco(
    "perde-o-ultimo-par",
    "Falta o último par do texto. Com N tokens há N − 1 pares: confira até onde vai o laço.",
)
def _(dados, V, k):
    return _bigrama(dados[:-1], V, k)


@bigrama.equivoco(
    "probabilidade-conjunta",
    "Você dividiu pelo total de pares do texto, e a matriz inteira soma 1. Aqui é condicional: cada linha soma 1.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V) + k
    return (C / C.sum()).log()


@bigrama.equivoco(
    "devolve-contagens",
    "Isto são as contagens (mais k). Falta dividir pelo total de cada linha e tirar o logaritmo.",
)
def _(dados, V, k):
    return _contar_pares(dados, V) + k


@bigrama.equivoco(
    "log-das-contagens",
    "Você tirou o log das contagens sem dividir pelo total da linha. Exponenciada, cada linha deve somar 1.",
)
def _(dados, V, k):
    return (_contar_pares(dados, V) + k).log()


@bigrama.equivoco(
    "softmax-das-contagens",
    "Contagens não são pontuações: a softmax as exponencia, e um par visto 5 vezes leva quase tudo. Divida pelo total.",
)
def _(dados, V, k):
    return torch.log_softmax(_contar_pares(dados, V) + k, dim=1)


@bigrama.equivoco(
    "linha-nunca-vista-nan",
    "Com k = 0, a linha de um token que nunca é seguido por outro virou 0/0, que é NaN. O enunciado diz o que pôr "
    "nela: a uniforme.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    return ((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log()


@bigrama.equivoco(
    "linha-nunca-vista-menos-infinito",
    "Com k = 0, a linha de um token que nunca é seguido por outro ficou toda em menos infinito. O enunciado pede "
    "nela a uniforme, −ln V.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    N = C.sum(dim=1, keepdim=True)
    return ((C + k) / (N + k * V).clamp(min=1e-300)).log()


@bigrama.equivoco(
    "linha-nunca-vista-zero",
    "Com k = 0, a linha de um token que nunca é seguido por outro ficou com zeros, e log-probabilidade 0 é certeza. O "
    "enunciado pede nela a uniforme, −ln V.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    L = ((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log()
    return torch.where(torch.isnan(L), torch.zeros_like(L), L)


@bigrama.equivoco(
    "linha-nunca-vista-sem-log",
    "Com k = 0, na linha de um token que nunca é seguido por outro você pôs 1/V, que é a probabilidade. O que se "
    "devolve é o log dela, −ln V.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    L = ((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log()
    return torch.where(torch.isnan(L), torch.full_like(L, 1 / V), L)


@bigrama.equivoco(
    "nan_to_num-troca-o-infinito",
    "O nan_to_num trocou os −inf por um número enorme e os NaN por 0. Com k = 0, um par nunca visto fica em −inf, e a "
    "linha de quem nunca é seguido, uniforme: trate-a antes do log.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    return torch.nan_to_num(((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log())


@bigrama.equivoco(
    "soma-sem-keepdim",
    "Os totais são os das linhas, mas entraram nas colunas: C.sum(dim=1) tem forma (V,), e o broadcasting a alinha com "
    "o último eixo. Use keepdim=True.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V) + k
    C[C.sum(dim=1) == 0] = 1.0
    return (C / C.sum(dim=1)).log()


@bigrama.equivoco(
    "divide-pelos-pares-do-texto",
    "Você dividiu cada linha pelo número de pares do texto inteiro (mais kV). O total é o da própria linha: quantas "
    "vezes alguém veio depois daquele token.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    return ((C + k) / (C.sum() + k * V)).log()


@bigrama.equivoco(
    "k-vezes-os-tokens-vistos",
    "No denominador, o k foi multiplicado pelo número de tokens que aparecem no texto. O vocabulário tem V tokens, e "
    "todos ganham k, até os que o texto não tem.",
)
def _(dados, V, k):
    C = _contar_pares(dados, V)
    P = (C + k) / (C.sum(dim=1, keepdim=True) + k * len(dados.unique()))
    return torch.where(torch.isnan(P), torch.tensor(1 / V, dtype=torch.float64), P).log()


@bigrama.equivoco(
    "log-na-base-10",
    "Seu logaritmo é na base 10. Neste curso a perda é em nats: use o logaritmo natural (torch.log ou math.log).",
)
def _(dados, V, k):
    return _bigrama(dados, V, k) / np.log(10)


@bigrama.equivoco(
    "epsilon-no-log",
    "Há um número pequeno somado dentro do log: com k = 0, um par nunca visto deve dar menos infinito, sem disfarce.",
)
def _(dados, V, k):
    return (_bigrama(dados, V, k).exp() + 1e-9).log()


@bigrama.alternativa("com-laco")
def _(dados, V, k):
    C = [[0] * V for _ in range(V)]
    ids = dados.tolist()
    for a, b in zip(ids, ids[1:], strict=False):
        C[a][b] += 1
    C = torch.tensor(C, dtype=torch.float32)
    total = C.sum(1, keepdim=True)
    if k == 0:
        return torch.where(total > 0, C / total, torch.full_like(C, 1 / V)).log()
    return ((C + k) / (total + V * k)).log()


@bigrama.alternativa("com-bincount")
def _(dados, V, k):
    C = torch.bincount(dados[:-1] * V + dados[1:], minlength=V * V).reshape(V, V).float()
    if k > 0:
        return torch.log(C + k) - torch.log(C.sum(dim=1, keepdim=True) + k * V)
    C[C.sum(dim=1) == 0] = 1.0  # a linha nunca vista: todos iguais
    return torch.log(C / C.sum(dim=1, keepdim=True))


@bigrama.alternativa("com-one-hot")
def _(dados, V, k):
    U = F.one_hot(dados, V).float()  # (N, V)
    C = U[:-1].T @ U[1:] + max(k, 1e-30)  # um k minúsculo faz a linha nunca vista ser uniforme
    P = C / C.sum(dim=1, keepdim=True)
    return torch.where(P < 1e-20, torch.tensor(0.0), P).log()


@bigrama.alternativa("com-numpy")
def _(dados, V, k):
    C = np.full((V, V), float(k))
    ids = dados.numpy()
    np.add.at(C, (ids[:-1], ids[1:]), 1)
    C[C.sum(axis=1) == 0] = 1
    with np.errstate(divide="ignore"):
        return np.log(C / C.sum(axis=1, keepdims=True))


@bigrama.alternativa("nan_to_num-so-no-nan")
def _(dados, V, k):
    C = torch.zeros(V * V).scatter_add_(0, dados[:-1] * V + dados[1:], torch.ones(len(dados) - 1)).view(V, V) + k
    return torch.nan_to_num((C / C.sum(1, keepdim=True)).log(), nan=-np.log(V), neginf=-np.inf)


@bigrama.alternativa("com-counter")
def _(dados, V, k):
    pares = Counter(zip(dados[:-1].tolist(), dados[1:].tolist(), strict=True))
    linhas = Counter(dados[:-1].tolist())
    logp = np.full((V, V), -np.log(V), dtype=np.float32)
    for a in range(V):
        for b in range(V):
            baixo = linhas[a] + k * V
            if baixo > 0:
                cima = pares[a, b] + k
                logp[a, b] = np.log(cima / baixo) if cima else -np.inf
    return logp


# ------------------------------------------------------------------------------------ entropia_cruzada


def _entropia(logp, dados):
    return float(-logp.double()[dados[:-1], dados[1:]].mean())


def _logp(rng, V):
    """Log-probabilidades (V, V) quaisquer, com linhas que somam 1."""
    return torch.tensor(np.log(rng.dirichlet(np.full(V, 2.0), size=V)), dtype=torch.float32)


def _texto_que_repete(rng, V, quantos):
    for _ in _TENTATIVAS:
        ids = _cadeia(rng, V, quantos)
        pares = Counter(zip(ids, ids[1:], strict=False))
        if max(pares.values()) > 2 and min(pares.values()) == 1 and len(pares) > 3 and ids[0] != ids[-1]:
            return torch.tensor(ids)
    raise RuntimeError(_NADA_SERVIU)


def _com_infinito(rng, V, quantos, usado):
    """Log-probabilidades com um −inf, em um par que o texto usa ou em um que ele não usa."""
    for _ in _TENTATIVAS:
        dados, logp = _texto_que_repete(rng, V, quantos), _logp(rng, V)
        vistos = Counter(zip(dados.tolist(), dados[1:].tolist(), strict=False))
        # usado uma vez só: duas vezes o maior float32 já é infinito, e quem o pôs no lugar do infinito acertaria
        pares = [(a, b) for a in range(V) for b in range(V) if vistos[a, b] == usado]
        if pares:
            logp[pares[rng.integers(len(pares))]] = -torch.inf
            return torch.log_softmax(logp, dim=1), dados  # as linhas voltam a somar 1
    raise RuntimeError(_NADA_SERVIU)


def _ocultos_entropia(rng):
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

entropia_cruzada = questao(
    "lista-09/entropia_cruzada",
    assinatura="entropia_cruzada(logp, dados)",
    saida="float",
    referencia=_entropia,
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
    ocultos=_ocultos_entropia,
)


@entropia_cruzada.equivoco(
    "sinal-trocado",
    "O resultado deu negativo: entropia cruzada é a média de MENOS o log da probabilidade, e nunca fica abaixo de "
    "zero.",
)
def _(logp, dados):
    return float(logp[dados[:-1], dados[1:]].mean())


@entropia_cruzada.equivoco(
    "em-bits",
    "Sua resposta está em bits (log na base 2). O enunciado pede nats, e logp já está em nats: não converta.",
)
def _(logp, dados):
    return float(-logp[dados[:-1], dados[1:]].mean()) / np.log(2)


@entropia_cruzada.equivoco(
    "soma-em-vez-de-media",
    "Você somou sobre os pares. Para comparar textos de tamanhos diferentes, divida pelo número de pares.",
)
def _(logp, dados):
    return float(-logp[dados[:-1], dados[1:]].sum())


@entropia_cruzada.equivoco(
    "divide-por-N",
    "Você dividiu pelo número de tokens. Com N tokens há N − 1 pares, e é por eles que se divide.",
)
def _(logp, dados):
    return float(-logp[dados[:-1], dados[1:]].sum()) / len(dados)


@entropia_cruzada.equivoco(
    "linha-e-o-seguinte",
    "Você leu logp com os índices trocados: a linha é o token anterior e a coluna, o seguinte.",
)
def _(logp, dados):
    return float(-logp[dados[1:], dados[:-1]].mean())


@entropia_cruzada.equivoco(
    "o-proprio-token",
    "Você leu a diagonal de logp: cada token com ele mesmo. O alvo é o token seguinte, uma casa à frente.",
)
def _(logp, dados):
    return float(-logp[dados, dados].mean())


@entropia_cruzada.equivoco(
    "da-a-volta",
    "Há um par a mais, do último token para o primeiro. O texto não é um anel.",
)
def _(logp, dados):
    return float(-logp[dados, dados.roll(-1)].mean())


@entropia_cruzada.equivoco(
    "perplexidade",
    "Isto é a perplexidade, a exponencial da entropia cruzada. O enunciado pede a média, em nats.",
)
def _(logp, dados):
    return float(torch.exp(-logp[dados[:-1], dados[1:]].mean()))


@entropia_cruzada.equivoco(
    "media-das-probabilidades",
    "Você fez a média das probabilidades e só depois tirou o log. A média é dos logs: cada erro grande pesa muito.",
)
def _(logp, dados):
    return float(-torch.log(logp[dados[:-1], dados[1:]].exp().mean()))


@entropia_cruzada.equivoco(
    "probabilidade-media",
    "Isto é a probabilidade média dada ao token certo, entre 0 e 1. O enunciado pede a média de −log.",
)
def _(logp, dados):
    return float(logp[dados[:-1], dados[1:]].exp().mean())


@entropia_cruzada.equivoco(
    "log-do-log",
    "Você tirou o log de um log: logp já são log-probabilidades. O log de um número negativo é NaN.",
)
def _(logp, dados):
    return float(-logp[dados[:-1], dados[1:]].log().mean())


@entropia_cruzada.equivoco(
    "pula-os-infinitos",
    "Sua média pula os pares de probabilidade zero. Eles são os piores erros do modelo: a resposta é infinito.",
)
def _(logp, dados):
    v = -logp[dados[:-1], dados[1:]]
    return float(v[torch.isfinite(v)].mean())


@entropia_cruzada.equivoco(
    "infinito-vira-numero-grande",
    "Um par de probabilidade zero dá entropia infinita, e a sua é só um número grande: há um corte (clamp, nan_to_num) "
    "escondendo o infinito.",
)
def _(logp, dados):
    return float(-logp[dados[:-1], dados[1:]].clamp(min=-1e4).mean())


@entropia_cruzada.equivoco(
    "pares-sem-repetir",
    "Um par que se repete no texto contou uma vez só. A média é sobre todas as posições, repetidas ou não.",
)
def _(logp, dados):
    pares = sorted(set(zip(dados[:-1].tolist(), dados[1:].tolist(), strict=True)))
    return float(-torch.stack([logp[a, b] for a, b in pares]).mean())


@entropia_cruzada.equivoco(
    "media-da-matriz",
    "Você fez a média da matriz inteira, sem olhar para o texto. Só contam os pares que aparecem em dados, cada um "
    "quantas vezes apareceu.",
)
def _(logp, dados):
    return float(-logp.mean())


@entropia_cruzada.equivoco(
    "entropia-das-linhas",
    "Isto é a entropia do próprio modelo, com as probabilidades dele como pesos. A cruzada usa o que de fato veio no "
    "texto.",
)
def _(logp, dados):
    p = logp.exp()
    h = -(torch.where(p > 0, p * logp, torch.tensor(0.0))).sum(dim=1)
    return float(h[dados[:-1]].mean())


@entropia_cruzada.equivoco(
    "zero-vezes-infinito",
    "Deu NaN: você multiplicou contagens por logp, e 0 vezes −inf não é número. Um −inf que o texto não usa não entra "
    "na conta: leia só as entradas dos pares que há.",
)
def _(logp, dados):
    C = _contar_pares(dados, len(logp))
    return float(-(C * logp).sum() / (len(dados) - 1))


@entropia_cruzada.equivoco(
    "infinito-vira-zero",
    "Você trocou o −inf por 0, e log 0 é certeza: o pior erro do modelo contou como acerto. A resposta é infinito.",
)
def _(logp, dados):
    return float(-logp.masked_fill(logp == -torch.inf, 0.0)[dados[:-1], dados[1:]].mean())


@entropia_cruzada.equivoco(
    "so-o-primeiro-par",
    "Só o primeiro par entrou na soma. Há um return dentro do laço?",
)
def _(logp, dados):
    return float(-logp[dados[0], dados[1]]) / (len(dados) - 1)


@entropia_cruzada.equivoco(
    "falta-o-ultimo-par",
    "Falta o último par do texto na soma. Com N tokens há N − 1 pares: confira até onde vai o laço.",
)
def _(logp, dados):
    return float(-logp[dados[:-2], dados[1:-1]].sum()) / (len(dados) - 1)


@entropia_cruzada.equivoco(
    "todas-as-combinacoes",
    "`logp[anteriores][:, seguintes]` cruza cada anterior com todos os seguintes. Para uma entrada por par, dê os dois "
    "vetores juntos: logp[anteriores, seguintes].",
)
def _(logp, dados):
    return float(-logp[dados[:-1]][:, dados[1:]].mean())


@entropia_cruzada.equivoco(
    "softmax-das-probabilidades",
    "Você deu probabilidades à cross_entropy, que aplica uma softmax antes do log. Dê a ela logp, ou use nll_loss.",
)
def _(logp, dados):
    return float(F.cross_entropy(logp[dados[:-1]].exp(), dados[1:]))


@entropia_cruzada.equivoco(
    "pesa-pela-probabilidade",
    "Você fez a média de −p·log p. Quem dá o peso é o texto, e não o modelo: cada par conta uma vez, com −log p.",
)
def _(logp, dados):
    logs = logp[dados[:-1], dados[1:]]
    return float(-torch.where(torch.isinf(logs), logs, logs.exp() * logs).mean())


@entropia_cruzada.equivoco(
    "a-duas-casas",
    "Você comparou cada token com o que vem duas casas à frente. O alvo é o vizinho imediato.",
)
def _(logp, dados):
    if len(dados) < 3:
        return float(-logp[dados[:-1], dados[1:]].mean())
    return float(-logp[dados[:-2], dados[2:]].mean())


@entropia_cruzada.equivoco(
    "uma-perda-por-par",
    "Você devolveu uma perda para cada par. O enunciado pede um número só: a média delas.",
)
def _(logp, dados):
    return -logp[dados[:-1], dados[1:]]


@entropia_cruzada.alternativa("com-laco")
def _(logp, dados):
    total = 0.0
    for a, b in zip(dados[:-1], dados[1:], strict=True):
        total -= logp[a, b].item()
    return total / (len(dados) - 1)


@entropia_cruzada.alternativa("com-nll_loss")
def _(logp, dados):
    return F.nll_loss(logp[dados[:-1]], dados[1:])


@entropia_cruzada.alternativa("com-contagens")
def _(logp, dados):
    C = _contar_pares(dados, len(logp))
    termos = torch.where(C > 0, C * logp, torch.tensor(0.0, dtype=torch.float64))  # 0 · (−inf) seria NaN
    return -termos.sum().item() / (len(dados) - 1)


@entropia_cruzada.alternativa("com-numpy")
def _(logp, dados):
    L, d = logp.numpy(), dados.numpy()
    return -np.mean(L[d[:-1], d[1:]])


@entropia_cruzada.alternativa("com-gather")
def _(logp, dados):
    linhas = logp[dados[:-1]]  # (N − 1, V)
    return -linhas.gather(1, dados[1:, None]).squeeze(1).mean()


@entropia_cruzada.alternativa("com-cross_entropy")
def _(logp, dados):
    # log-probabilidades são pontuações já normalizadas: a log-softmax não as muda
    return F.cross_entropy(logp[dados[:-1]], dados[1:])


# ------------------------------------------------------------------------------- media_uniforme_causal


def _media(X):
    T = X.shape[1]
    return X.cumsum(dim=1) / torch.arange(1, T + 1)[:, None]


def _X(rng, *forma):
    return torch.tensor(rng.normal(size=forma) + 0.3, dtype=torch.float32)


def _ocultos_media(rng):
    return [
        caso(_X(rng, 2, 5, 3)),
        caso(_X(rng, 3, 4, 6)),
        caso(_X(rng, 1, 7, 2)),
        caso(_X(rng, 4, 1, 3)),
        caso(_X(rng, 2, 3, 1)),
        caso(_X(rng, 3, 11, 4)),
        caso(_X(rng, 5, 2, 4)),
        caso(_X(rng, 4, 4, 4)),
    ]


media_uniforme_causal = questao(
    "lista-09/media_uniforme_causal",
    assinatura="media_uniforme_causal(X)",
    saida="array",
    referencia=_media,
    casos=[
        caso(
            torch.tensor([[[2.0, 0.0], [4.0, 1.0], [0.0, 5.0]], [[1.0, -3.0], [3.0, 1.0], [8.0, 2.0]]]),
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(
            torch.tensor([[[0.5, -1.2, 0.8], [1.5, 0.4, -0.6], [0.2, 1.1, -0.4], [-0.9, 0.7, 1.3], [2.1, -0.5, 0.3]]]),
            rotulo="um texto de cinco posições",
        ),
        caso(
            torch.tensor([[[0.4], [1.2]], [[-1.1], [0.2]], [[1.5], [-0.2]], [[0.7], [1.4]]]),
            rotulo="quatro textos de duas posições, C = 1",
        ),
        caso(torch.tensor([[[0.5, -0.2, 0.9, 1.7]], [[0.3, 0.8, -0.6, 0.1]]]), rotulo="uma posição só"),
        caso(
            (torch.arange(3 * 7 * 2).reshape(3, 7, 2) * 37 % 23 - 9).float() / 8,
            rotulo="três textos de sete posições",
        ),
    ],
    ocultos=_ocultos_media,
)


@media_uniforme_causal.equivoco(
    "divide-por-T",
    "Você dividiu sempre por T. A posição t (a partir de 0) vê t + 1 posições, e é por esse número que se divide: a "
    "primeira fica igual a ela mesma.",
)
def _(X):
    return X.cumsum(dim=1) / X.shape[1]


@media_uniforme_causal.equivoco(
    "sem-o-presente",
    "Sua média deixa de fora a própria posição. O presente conta: a posição t vê de 0 até t, inclusive.",
)
def _(X):
    T = X.shape[1]
    soma = X.cumsum(dim=1) - X
    return soma / torch.arange(T).clamp(min=1)[:, None]


@media_uniforme_causal.equivoco(
    "sem-dividir",
    "Isto é a soma do passado, que só cresce. Falta dividir pelo número de posições somadas.",
)
def _(X):
    return X.cumsum(dim=1)


@media_uniforme_causal.equivoco(
    "media-da-frase-inteira",
    "Todas as posições receberam a média da frase inteira, futuro incluído. Cada uma só pode ver até ela mesma.",
)
def _(X):
    return X.mean(dim=1, keepdim=True).expand_as(X)


@media_uniforme_causal.equivoco(
    "media-do-futuro",
    "Você fez a média de cada posição com as seguintes: o triângulo é o outro. Aqui só o passado conta.",
)
def _(X):
    T = X.shape[1]
    return X.flip(1).cumsum(dim=1).flip(1) / torch.arange(T, 0, -1)[:, None]


@media_uniforme_causal.equivoco(
    "acumula-no-lote",
    "A média andou ao longo do lote (eixo 0), misturando textos diferentes. O tempo é o eixo 1.",
)
def _(X):
    return X.cumsum(dim=0) / torch.arange(1, len(X) + 1)[:, None, None]


@media_uniforme_causal.equivoco(
    "acumula-nas-componentes",
    "A média andou ao longo das componentes (o último eixo). O tempo é o eixo 1, o do meio.",
)
def _(X):
    return X.cumsum(dim=2) / torch.arange(1, X.shape[2] + 1)


@media_uniforme_causal.equivoco(
    "divide-por-t",
    "Você dividiu por t, e não por t + 1: contando a partir de 0, a primeira posição é dividida por zero.",
)
def _(X):
    return X.cumsum(dim=1) / torch.arange(X.shape[1])[:, None]


@media_uniforme_causal.equivoco(
    "divide-por-t-mais-2",
    "O denominador está uma unidade grande demais: a primeira posição deve ser dividida por 1.",
)
def _(X):
    return X.cumsum(dim=1) / torch.arange(2, X.shape[1] + 2)[:, None]


@media_uniforme_causal.equivoco(
    "janela-de-duas",
    "Cada posição foi misturada só com a anterior. A média é de todo o passado, desde a posição 0.",
)
def _(X):
    anterior = torch.cat([X[:, :1], X[:, :-1]], dim=1)
    return (X + anterior) / 2


@media_uniforme_causal.equivoco(
    "media-exponencial",
    "Sua média dá metade do peso ao presente e a outra metade ao acumulado: o passado distante quase some. Aqui todos "
    "pesam o mesmo.",
)
def _(X):
    Y = [X[:, 0]]
    for t in range(1, X.shape[1]):
        Y.append((Y[-1] + X[:, t]) / 2)
    return torch.stack(Y, dim=1)


@media_uniforme_causal.equivoco(
    "softmax-de-zeros-e-uns",
    "Você aplicou a softmax a uma matriz de zeros e uns: e⁰ = 1, e o futuro ainda recebe peso. Ou se esconde com −∞ "
    "antes da softmax, ou se divide o triângulo pela soma de cada linha.",
)
def _(X):
    T = X.shape[1]
    return torch.softmax(torch.ones(T, T).tril(), dim=-1) @ X


@media_uniforme_causal.equivoco(
    "normaliza-as-colunas-do-triangulo",
    "O triângulo foi dividido pela soma das colunas. Cada linha de pesos é de uma posição, e é ela que soma 1.",
)
def _(X):
    W = torch.ones(X.shape[1], X.shape[1]).tril()
    return (W / W.sum(dim=0, keepdim=True)) @ X


@media_uniforme_causal.equivoco(
    "so-a-ultima",
    "Você devolveu uma média só por texto. O enunciado pede uma para cada posição, (B, T, C).",
)
def _(X):
    return X.mean(dim=1)


@media_uniforme_causal.equivoco(
    "media-de-medias",
    "Você fez a média das médias: a cada passo, o acumulado já dividido foi somado e dividido outra vez.",
)
def _(X):
    divisor = torch.arange(1, X.shape[1] + 1)[:, None]
    return (X.cumsum(dim=1) / divisor).cumsum(dim=1) / divisor


@media_uniforme_causal.equivoco(
    "primeira-posicao-sem-ninguem",
    "A primeira posição deu NaN: sua média deixa de fora o presente, e ela ficou sem ninguém para ouvir (0/0). A "
    "posição t vê de 0 até t, inclusive: X[:, : t + 1], ou tril sem deslocar.",
)
def _(X):
    return torch.stack([X[:, :t].mean(dim=1) for t in range(X.shape[1])], dim=1)


@media_uniforme_causal.equivoco(
    "mascara-invertida",
    "Sua máscara esconde o passado e o presente, e a última posição, sem ninguém à vista, deu NaN. Quem se esconde é o "
    "futuro: triu(1).",
)
def _(X):
    T = X.shape[1]
    S = torch.zeros(T, T).masked_fill(torch.ones(T, T).tril().bool(), float("-inf"))
    return torch.softmax(S, dim=-1) @ X


@media_uniforme_causal.equivoco(
    "menos-infinito-vezes-zero",
    "Há NaN em tudo: −inf vezes 0 não é número. Em vez de multiplicar uma matriz de zeros e uns por −inf, troque o "
    "valor onde ela é 1 (masked_fill ou where).",
)
def _(X):
    T = X.shape[1]
    return torch.softmax(torch.ones(T, T).triu(1) * float("-inf"), dim=-1) @ X


@media_uniforme_causal.equivoco(
    "divide-as-colunas-do-triangulo",
    "Os números 1, 2, …, T dividiram as colunas do triângulo. Quem tem t + 1 parcelas é a linha t: dê ao vetor a forma "
    "(T, 1).",
)
def _(X):
    T = X.shape[1]
    return (torch.ones(T, T).tril() / torch.arange(1, T + 1)) @ X


@media_uniforme_causal.equivoco(
    "media-do-que-ja-e-media",
    "Você escreveu cada média no lugar do original e a usou na média seguinte. Leia sempre de X e escreva em outro "
    "tensor.",
)
def _(X):
    Y = X.clone()
    for t in range(1, X.shape[1]):
        Y[:, t] = Y[:, : t + 1].mean(dim=1)
    return Y


@media_uniforme_causal.equivoco(
    "mistura-os-textos-do-lote",
    "A média juntou os textos do lote: todos saíram iguais. Cada texto só ouve a si mesmo; a média é no eixo 1.",
)
def _(X):
    medias = [X[:, : t + 1].mean(dim=(0, 1)) for t in range(X.shape[1])]
    return torch.stack(medias).expand_as(X)


@media_uniforme_causal.equivoco(
    "atencao-com-pontuacoes",
    "Os pesos vêm de pontuações entre os próprios tokens: é a atenção de verdade. Aqui todos os pesos são iguais, seja "
    "qual for o conteúdo.",
)
def _(X):
    return F.scaled_dot_product_attention(X, X, X, is_causal=True)


@media_uniforme_causal.equivoco("altera-a-entrada", "")
def _(X):
    return X.cumsum_(dim=1) / torch.arange(1, X.shape[1] + 1)[:, None]


@media_uniforme_causal.alternativa("triangulo-vezes-X")
def _(X):
    W = torch.tril(torch.ones(X.shape[1], X.shape[1]))
    return (W / W.sum(dim=1, keepdim=True)) @ X


@media_uniforme_causal.alternativa("softmax-com-menos-infinito")
def _(X):
    T = X.shape[1]
    S = torch.zeros(T, T).masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(S, dim=-1) @ X


@media_uniforme_causal.alternativa("com-lacos")
def _(X):
    Y = torch.empty_like(X)
    for b in range(X.shape[0]):
        for t in range(X.shape[1]):
            Y[b, t] = X[b, : t + 1].mean(dim=0)
    return Y


@media_uniforme_causal.alternativa("einsum-em-float64")
def _(X):
    T = X.shape[1]
    t = torch.arange(T)
    W = (t[:, None] >= t[None, :]).double() / (t[:, None] + 1)
    return torch.einsum("ts,bsc->btc", W, X.double())


@media_uniforme_causal.alternativa("com-numpy")
def _(X):
    A = X.numpy()
    return np.cumsum(A, axis=1) / np.arange(1, A.shape[1] + 1).reshape(1, -1, 1)


@media_uniforme_causal.alternativa("atencao-de-pontuacoes-zero")
def _(X):
    zeros = torch.zeros(X.shape[0], X.shape[1], 1)
    return F.scaled_dot_product_attention(zeros, zeros, X, is_causal=True)


@media_uniforme_causal.alternativa("media-corrida")
def _(X):
    Y = [X[:, 0]]
    for t in range(1, X.shape[1]):
        Y.append(Y[-1] + (X[:, t] - Y[-1]) / (t + 1))
    return torch.stack(Y, 1)


# ----------------------------------------------------------------------------------------------- ngrama


def _sequencias(dados, n):
    """Para cada contexto de até n − 1 tokens, o que veio depois e quantas vezes: {contexto: {token: vezes}}."""
    ids = dados.tolist()
    depois = defaultdict(Counter)
    for i, token in enumerate(ids):
        for tamanho in range(min(n - 1, i) + 1):
            depois[tuple(ids[i - tamanho : i])][token] += 1
    return depois


def _vetor(contagem, V):
    c = torch.zeros(V, dtype=torch.float64)
    for token, vezes in contagem.items():
        c[token] = vezes
    return c


def _ngrama(dados, V, n):
    depois = _sequencias(dados, n)

    def prever(ids):
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)  # a ordem 0: nada se sabe
        for tamanho in range(min(n - 1, len(ids)) + 1):
            contagem = depois.get(tuple(ids[len(ids) - tamanho :]))
            if contagem:  # contexto nunca visto: fica a ordem de baixo
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


def _misturado(dados, V, n, formula):
    """A mesma descida com outra fórmula: `formula(c, p, contexto)`. Só os enganos a usam."""
    depois = _sequencias(dados, n)

    def prever(ids):
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            contexto = tuple(ids[len(ids) - tamanho :])
            if depois.get(contexto):
                p = formula(_vetor(depois[contexto], V), p, contexto)
        return p

    return prever


_VAZIO = torch.tensor([], dtype=torch.int64)


def _contexto_que_separa(rng, ids, V, n):
    """Um contexto do texto em que as contagens de cada ordem contam histórias diferentes."""
    vistos = _sequencias(torch.tensor(ids), n)
    varios = min(2, n - 1)  # tokens diferentes no contexto, para que a ordem deles importe
    bons = [c for c, d in vistos.items() if len(c) == n - 1 and sum(d.values()) > len(d) > 1 and len(set(c)) >= varios]
    return bons[rng.integers(len(bons))] if bons else None


def _contexto_novo(rng, ids, V, n):
    """Um contexto que o texto não tem, mas cujo fim (um token a menos) ele tem."""
    if n == 2:
        return (V,)
    vistos = _sequencias(torch.tensor(ids), n)
    for _ in range(60):
        c = tuple(int(t) for t in rng.integers(V, size=n - 1))
        if not vistos.get(c) and len(vistos.get(c[1:], ())) > 1 and len(set(c)) > 1:
            return c
    return None


def _caso_de_ngrama(rng, V, n, quantos, **opcoes):
    """Um texto e contextos: visto, o mesmo de novo, nunca visto, curto, comprido, vazio e o do fim do texto.

    O último token do vocabulário não aparece no texto.
    """
    for _ in _TENTATIVAS:
        ids = _cadeia(rng, V - 1, quantos, 0.4)
        visto, novo = _contexto_que_separa(rng, ids, V, n), _contexto_novo(rng, ids, V - 1, n)
        fim = tuple(ids[len(ids) - (n - 1) :])
        if visto and novo and len(set(ids)) == V - 1 and _sequencias(torch.tensor(ids), n).get(fim):
            break
    else:
        raise RuntimeError(_NADA_SERVIU)
    comprido = (int(rng.integers(V)), novo[0], *visto)
    lista = [visto, novo, comprido, visto, fim, visto[1:], (), novo[-1:], (V - 1,), (*visto, V - 1)]
    return caso(torch.tensor(ids), V, n, tuple(torch.tensor(c, dtype=torch.int64) for c in lista), **opcoes)


def _caso_de_unigrama(rng, V, quantos, **opcoes):
    ids = torch.tensor(_cadeia(rng, V - 1, quantos, 2.0))
    contextos = (_VAZIO, ids[3:4], ids[4:6], ids[-2:], torch.tensor([V - 1, 0, 1]))
    return caso(ids, V, 1, contextos, **opcoes)


def _ocultos_ngrama(rng):
    return [
        _caso_de_ngrama(rng, 5, 3, 40),
        _caso_de_ngrama(rng, 7, 2, 36),
        _caso_de_ngrama(rng, 6, 4, 60),
        _caso_de_ngrama(rng, 6, 3, 50),
        _caso_de_unigrama(rng, 6, 20),
        caso(torch.tensor(rng.permutation(6)[:3]), 6, 5, (torch.tensor(rng.permutation(6)[:4]), _VAZIO)),
    ]


_ABRACADABRA = torch.tensor([0, 1, 2, 0, 3, 0, 4, 0, 1, 2, 0])  # a b r a c a d a b r a
_ids = torch.tensor

ngrama = questao(
    "lista-09/ngrama",
    assinatura="ngrama(dados, V, n)",
    saida=[("o que ngrama devolveu", "texto"), ("probabilidades (uma linha por contexto)", "array")],
    referencia=_ngrama,
    adaptador="lista_09.ngrama",
    casos=[
        caso(_ABRACADABRA, 5, 2, (_ids([0]), _ids([3, 1]), _VAZIO), claro=True, rotulo="o exemplo do enunciado, n = 2"),
        caso(
            _ABRACADABRA,
            6,
            3,
            (_ids([2, 0]), _ids([1, 0]), _ids([0, 1, 2, 0]), _ids([2, 0]), _ids([0]), _VAZIO, _ids([5]), _ids([0, 5])),
            rotulo="n = 3, com contextos vistos, nunca vistos, curtos e compridos",
        ),
        caso(_ABRACADABRA, 6, 1, (_VAZIO, _ids([0]), _ids([3, 1])), rotulo="n = 1: o contexto não importa"),
        _caso_de_ngrama(np.random.default_rng(4), 6, 4, 48, rotulo="n = 4, texto de 48 tokens"),
        _caso_de_ngrama(np.random.default_rng(7), 5, 2, 30, rotulo="n = 2, texto de 30 tokens"),
        caso(_ids([2, 0, 1]), 4, 5, (_ids([2, 0, 1, 3]), _ids([3, 2]), _VAZIO), rotulo="texto menor que n"),
    ],
    ocultos=_ocultos_ngrama,
    propriedades=["probabilidades (uma linha por contexto): nao-negativa"],
)


@ngrama.equivoco(
    "T-e-o-numero-de-ocorrencias",
    "Seu T conta todas as vezes em que algo veio depois do contexto, com repetição (é o mesmo que misturar meio a "
    "meio). T é quantos tokens diferentes vieram depois dele.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: (c + c.sum() * p) / (2 * c.sum()))


@ngrama.equivoco(
    "T-e-V",
    "Seu T é sempre V. T é quantos tokens diferentes vieram depois deste contexto, no texto.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: (c + V * p) / (c.sum() + V))


@ngrama.equivoco(
    "T-do-texto-inteiro",
    "Seu T é o número de tokens diferentes no texto inteiro. Ele depende do contexto: quantos diferentes vieram depois "
    "deste.",
)
def _(dados, V, n):
    T = len(set(dados.tolist()))
    return _misturado(dados, V, n, lambda c, p, h: (c + T * p) / (c.sum() + T))


@ngrama.equivoco(
    "T-sempre-1",
    "A ordem de baixo entrou com peso 1 em todos os contextos. O peso dela é T: quantos tokens diferentes vieram "
    "depois do contexto.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: (c + p) / (c.sum() + 1))


@ngrama.equivoco(
    "sem-a-ordem-de-baixo-no-numerador",
    "O denominador tem N + T, mas no numerador só há contagens: falta T vezes a probabilidade da ordem de baixo, e a "
    "soma não dá 1.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: c / (c.sum() + (c > 0).sum()))


@ngrama.equivoco(
    "so-as-contagens",
    "Quando o contexto já foi visto, você usou só as contagens dele: o que nunca veio depois ficou com probabilidade "
    "zero. Misture com a ordem de baixo.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: c / c.sum())


@ngrama.equivoco(
    "mistura-com-a-uniforme",
    "Você misturou as contagens do contexto direto com a uniforme 1/V. Entre as duas estão as ordens menores: a de "
    "baixo é P_(n−1), com um token a menos de contexto.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: (c + (c > 0).sum() / V) / (c.sum() + (c > 0).sum()))


@ngrama.equivoco(
    "unigrama-sem-a-uniforme",
    "Sua descida para no unigrama de contagens puras, e o token que o texto não tem fica com probabilidade zero. "
    "Também a ordem 1 se mistura: com a uniforme 1/V.",
)
def _(dados, V, n):
    return _misturado(
        dados, V, n, lambda c, p, h: (c + (c > 0).sum() * p) / (c.sum() + (c > 0).sum()) if h else c / c.sum()
    )


@ngrama.equivoco(
    "soma-1-no-lugar-da-uniforme",
    "No unigrama você somou 1 a cada contagem. A ordem 1 segue a mesma fórmula das outras: (c + T/V) / (N + T).",
)
def _(dados, V, n):
    return _misturado(
        dados,
        V,
        n,
        lambda c, p, h: (c + (c > 0).sum() * p) / (c.sum() + (c > 0).sum()) if h else (c + 1) / (c.sum() + V),
    )


@ngrama.equivoco(
    "comeco-do-contexto",
    "Seu modelo usa os primeiros tokens de ids. O que prevê o próximo são os últimos n − 1.",
)
def _(dados, V, n):
    prever = _ngrama(dados, V, n)
    return lambda ids: prever(ids[: n - 1])


@ngrama.equivoco(
    "descarta-o-mais-recente",
    "Ao descer de ordem, você jogou fora o token mais recente do contexto. Quem sai é o mais antigo: o vizinho é o que "
    "mais diz.",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)

    def prever(ids):
        contexto = ids.tolist()[max(0, len(ids) - n + 1) :]
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(len(contexto) + 1):
            contagem = depois.get(tuple(contexto[:tamanho]))
            if contagem:
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "contexto-ao-contrario",
    "O contexto foi procurado de trás para a frente. A ordem dos tokens é a do texto, o mais antigo primeiro.",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)

    def prever(ids):
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            contagem = depois.get(tuple(ids[len(ids) - tamanho :][::-1]))
            if contagem:
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "um-token-a-mais",
    "Seu contexto tem n tokens. Um n-grama tem n tokens ao todo: n − 1 de contexto e o previsto.",
)
def _(dados, V, n):
    return _ngrama(dados, V, n + 1)


@ngrama.equivoco(
    "um-token-a-menos",
    "Falta um token no seu contexto: com n = 2 a previsão olha para 1 token, e com n = 3, para 2.",
)
def _(dados, V, n):
    return _ngrama(dados, V, max(n - 1, 1))


@ngrama.equivoco(
    "fatia-menos-zero",
    "Com n = 1, `ids[-(n - 1):]` é `ids[-0:]`, isto é, ids inteiro. O contexto de um unigrama é vazio: conte a "
    "partir do comprimento, ou trate n = 1 à parte.",
)
def _(dados, V, n):
    depois = _sequencias(dados, 10)

    def prever(ids):
        contexto = ids.tolist()[-(n - 1) :]
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(len(contexto) + 1):
            contagem = depois.get(tuple(contexto[len(contexto) - tamanho :]))
            if contagem:
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "tensor-como-chave",
    "Seu modelo nunca acha o contexto e sempre cai no unigrama. Uma tupla de tensores não serve de chave de dicionário "
    "(cada tensor é um objeto diferente): use números, com tolist().",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)

    def prever(ids):
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            contagem = depois.get(tuple(ids[len(ids) - tamanho :]))
            if contagem:
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "devolve-logs",
    "Isto são log-probabilidades. O enunciado pede as probabilidades, que somam 1.",
)
def _(dados, V, n):
    prever = _ngrama(dados, V, n)
    return lambda ids: prever(ids).log()


@ngrama.equivoco(
    "contexto-novo-da-zero-sobre-zero",
    "Um contexto nunca visto deu NaN: nele N e T são 0, e a fórmula vira 0/0. O enunciado diz o que fazer: vale a "
    "ordem de baixo, sem mudança.",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)

    def prever(ids):
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            c = _vetor(depois.get(tuple(ids[len(ids) - tamanho :]), {}), V)
            T = (c > 0).sum()
            p = (c + T * p) / (c.sum() + T)
        return p

    return prever


@ngrama.equivoco(
    "contexto-novo-da-KeyError",
    "Um contexto que o texto não tem não está no dicionário, e a consulta parou com KeyError. Pergunte antes (in, "
    "get): se não está, fica a ordem de baixo.",
)
def _(dados, V, n):
    depois = dict(_sequencias(dados, n))

    def prever(ids):
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            contagem = depois[tuple(ids[len(ids) - tamanho :])]
            T = len(contagem)
            p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "fatia-menos-zero-na-escada",
    "No primeiro degrau, `ids[-m:]` com m = 0 é ids inteiro, e não o contexto vazio: o unigrama ficou de fora. Conte a "
    "partir do comprimento, `ids[len(ids) - m:]`.",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)

    def prever(ids):
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            contagem = depois.get(tuple(ids[-tamanho:]))
            if contagem:
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "soma-1-em-cada-contagem",
    "Você somou 1 a cada contagem, como no bigrama com k = 1. Aqui o que se soma é T vezes a ordem de baixo, e se "
    "divide por N + T.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: (c + 1) / (c.sum() + V))


@ngrama.equivoco(
    "sem-T-no-denominador",
    "As probabilidades somam mais que 1: no denominador há só N. Ao somar T vezes a ordem de baixo, o total cresce T: "
    "divida por N + T.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: (c + (c > 0).sum() * p) / c.sum())


@ngrama.equivoco(
    "sem-T-no-numerador",
    "As probabilidades somam menos que 1: no numerador a ordem de baixo entrou sem o T. É c + T · P, sobre N + T.",
)
def _(dados, V, n):
    return _misturado(dados, V, n, lambda c, p, h: (c + p) / (c.sum() + (c > 0).sum()))


@ngrama.equivoco(
    "escada-de-cima-para-baixo",
    "A escada está de cabeça para baixo: o contexto comprido foi misturado com a uniforme, e o unigrama ficou por "
    "último, com o maior peso. Comece no contexto vazio e suba.",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)

    def prever(ids):
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)), -1, -1):
            contagem = depois.get(tuple(ids[len(ids) - tamanho :]))
            if contagem:
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "perde-o-primeiro-token",
    "O primeiro token do texto não foi contado no contexto vazio: nele N é o tamanho do texto. Comece o laço na "
    "posição 0.",
)
def _(dados, V, n):
    primeiro = dados[0].item()

    def formula(c, p, h):
        if not h:
            c = c.clone()
            c[primeiro] -= 1
        T = (c > 0).sum()
        return (c + T * p) / (c.sum() + T)

    return _misturado(dados, V, n, formula)


@ngrama.equivoco(
    "perde-o-ultimo-token",
    "O último token do texto não foi contado: ele também veio depois de alguém. Confira até onde vai o laço.",
)
def _(dados, V, n):
    return _ngrama(dados[:-1], V, n)


@ngrama.equivoco(
    "uniforme-so-dos-vistos",
    "A uniforme de baixo só reparte entre os tokens que aparecem no texto, e os outros ficam com zero. São V tokens, "
    "todos com 1/V.",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)
    vistos = dados.unique()

    def prever(ids):
        ids = ids.tolist()
        p = torch.zeros(V, dtype=torch.float64)
        p[vistos] = 1 / len(vistos)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            contagem = depois.get(tuple(ids[len(ids) - tamanho :]))
            if contagem:
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "prever-devolve-lista",
    "Sua função de ids devolve uma lista do Python. O enunciado pede um tensor ou um array (V,): torch.tensor(lista).",
)
def _(dados, V, n):
    prever = _ngrama(dados, V, n)
    return lambda ids: prever(ids).tolist()


@ngrama.equivoco(
    "contexto-novo-vira-uniforme",
    "Um contexto nunca visto recebeu a uniforme. Ele deve descer: valem as probabilidades do contexto com um token a "
    "menos.",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)
    prever = _ngrama(dados, V, n)

    def f(ids):
        contexto = tuple(ids.tolist()[max(0, len(ids) - n + 1) :])
        return prever(ids) if depois.get(contexto) else torch.full((V,), 1 / V, dtype=torch.float64)

    return f


@ngrama.equivoco(
    "contexto-novo-vira-unigrama",
    "Um contexto nunca visto caiu direto no unigrama. Desça um degrau de cada vez: primeiro, o contexto com um token a "
    "menos.",
)
def _(dados, V, n):
    depois = _sequencias(dados, n)
    prever = _ngrama(dados, V, n)

    def f(ids):
        contexto = tuple(ids.tolist()[max(0, len(ids) - n + 1) :])
        return prever(ids) if depois.get(contexto) else prever(ids[:0])

    return f


@ngrama.equivoco(
    "contexto-curto-vira-uniforme",
    "Com menos de n − 1 tokens, seu modelo desistiu e deu a uniforme. O enunciado pede que ele use os que há.",
)
def _(dados, V, n):
    prever = _ngrama(dados, V, n)
    return lambda ids: prever(ids) if len(ids) >= n - 1 else torch.full((V,), 1 / V, dtype=torch.float64)


@ngrama.equivoco(
    "contexto-curto-vira-unigrama",
    "Com menos de n − 1 tokens, seu modelo caiu no unigrama. O enunciado pede que ele use os que há.",
)
def _(dados, V, n):
    prever = _ngrama(dados, V, n)
    return lambda ids: prever(ids) if len(ids) >= n - 1 else prever(ids[:0])


@ngrama.equivoco(
    "pula-o-comeco-do-texto",
    "As ordens menores não contaram o começo do texto: seu laço só começa quando já há n − 1 tokens antes. O primeiro "
    "token também conta no unigrama.",
)
def _(dados, V, n):
    ids = dados.tolist()
    depois = defaultdict(Counter)
    for i in range(n - 1, len(ids)):
        for tamanho in range(n):
            depois[tuple(ids[i - tamanho : i])][ids[i]] += 1
    modelo = _misturado(dados, V, n, lambda c, p, h: p)  # só para dados curtos demais

    def prever(ids):
        if not depois:
            return modelo(ids)
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            contagem = depois.get(tuple(ids[len(ids) - tamanho :]))
            if contagem:
                T = len(contagem)
                p = (_vetor(contagem, V) + T * p) / (sum(contagem.values()) + T)
        return p

    return prever


@ngrama.equivoco(
    "conta-o-contexto-do-fim",
    "Seu N conta também a vez em que o contexto é o fim do texto, e não há nada depois dele. N é quantas vezes algo "
    "veio depois: a soma das contagens.",
)
def _(dados, V, n):
    fim = dados.tolist()

    def formula(c, p, h):
        T = (c > 0).sum()
        N = c.sum() + (1 if h and tuple(fim[len(fim) - len(h) :]) == h else 0)
        return (c + T * p) / (N + T)

    return _misturado(dados, V, n, formula)


@ngrama.equivoco(
    "defaultdict-que-incha",
    "Consultar um defaultdict cria a chave: depois da primeira previsão, T passa a contar tokens que nunca vieram. "
    "Consulte com get, ou guarde T antes.",
)
def _(dados, V, n):
    ids = dados.tolist()
    depois = defaultdict(lambda: defaultdict(int))
    for i, token in enumerate(ids):
        for tamanho in range(min(n - 1, i) + 1):
            depois[tuple(ids[i - tamanho : i])][token] += 1

    def prever(ids):
        ids = ids.tolist()
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for tamanho in range(min(n - 1, len(ids)) + 1):
            h = tuple(ids[len(ids) - tamanho :])
            if h in depois:
                T, N = len(depois[h]), sum(depois[h].values())
                p = torch.stack([(depois[h][w] + T * p[w]) / (N + T) for w in range(V)])
        return p

    return prever


@ngrama.equivoco(
    "conta-os-que-vem-antes",
    "Seu T conta quantos tokens diferentes vêm antes do contexto. O que interessa é o que vem depois dele.",
)
def _(dados, V, n):
    ids = dados.tolist()

    def formula(c, p, h):
        m = len(h)
        antes = {ids[i - 1] for i in range(1, len(ids) - m + 1) if tuple(ids[i : i + m]) == h}
        T = len(antes)
        return (c + T * p) / (c.sum() + T)

    return _misturado(dados, V, n, formula)


@ngrama.equivoco(
    "o-mais-provavel",
    "Sua função devolve um token só. O enunciado pede a distribuição inteira: um array (V,) de probabilidades.",
)
def _(dados, V, n):
    prever = _ngrama(dados, V, n)
    return lambda ids: int(prever(ids).argmax())


@ngrama.equivoco(
    "nao-devolve-funcao",
    "`ngrama` deve devolver uma função, que depois será chamada com ids. O que veio já é um resultado, sem contexto "
    "nenhum.",
)
def _(dados, V, n):
    return _ngrama(dados, V, n)(dados)


@ngrama.equivoco(
    "sem-return",
    "`ngrama` não devolveu nada. A função de dentro ficou pronta e se perdeu: falta `return`.",
)
def _(dados, V, n):
    _ngrama(dados, V, n)


@ngrama.alternativa("recursiva-com-dicionarios")
def _(dados, V, n):
    ids = dados.tolist()
    contagens = {}
    for m in range(n):
        for i in range(m, len(ids)):
            contexto = tuple(ids[i - m : i])
            contagens.setdefault(contexto, [0] * V)[ids[i]] += 1

    def P(contexto):
        abaixo = P(contexto[1:]) if contexto else [1 / V] * V
        c = contagens.get(contexto)
        if c is None:
            return abaixo
        N, T = sum(c), sum(x > 0 for x in c)
        return [(c[w] + T * abaixo[w]) / (N + T) for w in range(V)]

    def prever(ids):
        recentes = ids.tolist()
        while len(recentes) > n - 1:
            recentes.pop(0)
        return torch.tensor(P(tuple(recentes)))

    return prever


@ngrama.alternativa("procura-no-texto-a-cada-vez")
def _(dados, V, n):
    def prever(ids):
        p = torch.ones(V) / V
        for m in range(0, min(n - 1, len(ids)) + 1):
            contexto = ids[len(ids) - m :]
            seguintes = [dados[i] for i in range(m, len(dados)) if torch.equal(dados[i - m : i], contexto)]
            if seguintes:
                c = torch.bincount(torch.stack(seguintes), minlength=V).float()
                T = (c > 0).sum()
                p = (c + T * p) / (c.sum() + T)
        return p

    return prever


@ngrama.alternativa("janelas-em-numpy")
def _(dados, V, n):
    texto = dados.numpy()

    def prever(ids):
        contexto = ids.numpy()[max(0, len(ids) - (n - 1)) :]
        p = np.full(V, 1 / V)
        for m in range(min(len(contexto), len(texto) - 1) + 1):
            janelas = np.lib.stride_tricks.sliding_window_view(texto, m + 1)  # (quantas, m + 1)
            achou = (janelas[:, :m] == contexto[len(contexto) - m :]).all(axis=1)
            c = np.bincount(janelas[achou, m], minlength=V)
            T = np.count_nonzero(c)
            if T:
                p = (c + T * p) / (c.sum() + T)
        return p

    return prever


@ngrama.alternativa("textos-como-chave-em-float32")
def _(dados, V, n):
    simbolos = [f"<{t}>" for t in dados.tolist()]
    tabela = {}
    for i, t in enumerate(dados.tolist()):
        for j in range(max(0, i - n + 1), i + 1):
            tabela.setdefault("".join(simbolos[j:i]), torch.zeros(V))[t] += 1

    def prever(ids):
        partes = [f"<{t}>" for t in ids.tolist()]
        partes = partes[len(partes) - min(n - 1, len(partes)) :]
        p = torch.full((V,), 1.0 / V)
        for j in range(len(partes), -1, -1):
            chave = "".join(partes[j:])
            if chave in tabela:
                c = tabela[chave]
                p = (c + (c > 0).sum() * p) / (c.sum() + (c > 0).sum())
        return p

    return prever


@ngrama.alternativa("uma-tabela-por-ordem-e-para-no-primeiro-que-falta")
def _(dados, V, n):
    texto = dados.numpy()
    tabelas = [defaultdict(lambda: np.zeros(V)) for _ in range(n)]
    for m in range(n):
        for i in range(len(texto) - m):
            tabelas[m][texto[i : i + m].tobytes()][texto[i + m]] += 1

    def prever(ids):
        contexto, p = ids.numpy(), np.ones(V) / V
        for m in range(min(n - 1, len(contexto)) + 1):
            c = tabelas[m].get(contexto[len(contexto) - m :].tobytes())
            if c is None:  # se este nunca foi visto, um mais comprido também não
                break
            T = np.count_nonzero(c)
            p = (c + T * p) / (c.sum() + T)
        return p.astype(np.float32)

    return prever


@ngrama.alternativa("objeto-que-se-chama")
def _(dados, V, n):
    class Modelo:
        def __init__(self):
            self.abaixo = None if n == 1 else _ngrama(dados, V, n - 1)
            self.depois = _sequencias(dados, n)

        def __call__(self, ids):
            if self.abaixo is None:
                p, contexto = torch.full((V,), 1 / V, dtype=torch.float64), ()
            else:
                p, contexto = self.abaixo(ids), tuple(ids.tolist()[-(n - 1) :])
            c = self.depois.get(contexto)
            if len(contexto) < n - 1 or not c:
                return p
            return (_vetor(c, V) + len(c) * p) / (sum(c.values()) + len(c))

    return Modelo()


# -------------------------------------------------------------------------------------- tarefa_de_copia


def _copia(lote, comprimento, V, gerador):
    tokens = torch.randint(1, V, (lote, comprimento), generator=gerador)
    separador = torch.zeros(lote, 1, dtype=torch.int64)
    x = torch.cat([tokens, separador, tokens], dim=1)  # (lote, 2·comprimento + 1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


def _ocultos_copia(rng):
    L = [int(v) for v in rng.choice(np.arange(3, 9), size=3, replace=False)]
    lotes = [int(v) for v in rng.choice(np.arange(2, 12), size=5, replace=False)]
    Vs = [int(v) for v in rng.choice(np.arange(5, 16), size=5, replace=False)]
    sementes = [int(v) for v in rng.integers(10_000, size=5)]
    sozinha = caso(1, L[0], Vs[1], sementes[0])  # um squeeze a mais só aparece com uma linha
    return [*(caso(*c) for c in zip(lotes, [*L, 2, 1], Vs, sementes, strict=True)), sozinha]


tarefa_de_copia = questao(
    "lista-09/tarefa_de_copia",
    assinatura="tarefa_de_copia(lote, comprimento, V, gerador)",
    saida=[
        ("o que foi devolvido", "texto"),
        ("x, coluna por coluna (k: igual à k-ésima; 0: o separador)", "array"),
        ("y, coluna por coluna (1: o próximo de x; 2: o mesmo; 3: o anterior; −100: não se cobra; −1: outro)", "array"),
        ("tokens que saíram, de 0 a V", "array"),
    ],
    referencia=_copia,
    adaptador="lista_09.tarefa_de_copia",
    casos=[
        caso(2, 3, 8, 0, claro=True, rotulo="o exemplo do enunciado"),
        caso(5, 4, 6, 1, rotulo="cinco linhas, quatro tokens"),
        caso(3, 7, 12, 2, rotulo="sete tokens, V = 12"),
        caso(4, 1, 5, 3, rotulo="um token só"),
        caso(1, 5, 7, 4, rotulo="uma linha só"),
    ],
    ocultos=_ocultos_copia,
)


@tarefa_de_copia.equivoco(
    "alvo-no-que-nao-se-sabe",
    "Não há −100 na primeira metade de y: você cobra do modelo tokens sorteados, que ninguém pode prever. Só o "
    "separador e a cópia podem ser sabidos.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    y[:, :-1] = x[:, 1:]
    return x, y


@tarefa_de_copia.equivoco(
    "esconde-o-separador",
    "Há um −100 a mais, onde o próximo é o separador. Ele vem sempre no mesmo lugar, depois de `comprimento` tokens: "
    "pode ser sabido.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    y[:, :comprimento] = -100
    return x, y


@tarefa_de_copia.equivoco(
    "esconde-o-primeiro-da-copia",
    "Há −100 também na posição do separador, cujo próximo é o primeiro token da cópia. Esse já foi visto: pode ser "
    "sabido.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    y[:, : comprimento + 1] = -100
    return x, y


@tarefa_de_copia.equivoco(
    "cobra-o-ultimo-sorteado",
    "Falta um −100: na penúltima posição antes do separador o próximo token ainda é sorteado, e não pode ser sabido.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    inicio = max(comprimento - 2, 0)
    y[:, inicio:-1] = x[:, inicio + 1 :]
    if comprimento == 1:
        y[:, 0] = -100
    return x, y


@tarefa_de_copia.equivoco(
    "ultimo-alvo-zero",
    "O último alvo é 0. Depois do último token não há nada: o próximo não pode ser sabido, e o alvo é −100.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    y[:, -1] = 0
    return x, y


@tarefa_de_copia.equivoco(
    "ultimo-alvo-da-a-volta",
    "O último alvo é o primeiro token: o roll deu a volta. Depois do fim não há nada, e o alvo é −100.",
)
def _(lote, comprimento, V, gerador):
    x, _ = _copia(lote, comprimento, V, gerador)
    y = x.roll(-1, dims=1)
    y[:, : comprimento - 1] = -100
    return x, y


@tarefa_de_copia.equivoco(
    "sem-deslocar",
    "Seu y repete o próprio token de x. O alvo é o token seguinte, uma casa à frente.",
)
def _(lote, comprimento, V, gerador):
    x, _ = _copia(lote, comprimento, V, gerador)
    y = x.clone()
    y[:, :comprimento] = -100
    return x, y


@tarefa_de_copia.equivoco(
    "desloca-para-o-outro-lado",
    "Seu y é x um passo atrás: o alvo é o token anterior, que o modelo já leu. Ele deve ser o seguinte.",
)
def _(lote, comprimento, V, gerador):
    x, _ = _copia(lote, comprimento, V, gerador)
    y = x.roll(1, dims=1)
    y[:, : comprimento + 1] = -100
    return x, y


@tarefa_de_copia.equivoco(
    "nenhum-menos-100",
    "Não há nenhum −100 em y: nem na parte sorteada, nem na última posição. O que não pode ser sabido não se cobra.",
)
def _(lote, comprimento, V, gerador):
    x, _ = _copia(lote, comprimento, V, gerador)
    return x, torch.cat([x[:, 1:], torch.zeros(lote, 1, dtype=torch.int64)], dim=1)


@tarefa_de_copia.equivoco(
    "nenhum-menos-100-com-roll",
    "Seu y é só o x rolado de uma casa, sem nenhum −100. O que não pode ser sabido (a parte sorteada e o que vem "
    "depois do fim) não se cobra.",
)
def _(lote, comprimento, V, gerador):
    x, _ = _copia(lote, comprimento, V, gerador)
    return x, x.roll(-1, dims=1)


@tarefa_de_copia.equivoco(
    "esconde-a-copia",
    "Os −100 estão na metade errada: você cobra a parte sorteada e perdoa a cópia, que é a única que dá para saber.",
)
def _(lote, comprimento, V, gerador):
    x, _ = _copia(lote, comprimento, V, gerador)
    y = x.roll(-1, dims=1)
    y[:, comprimento:] = -100
    return x, y


@tarefa_de_copia.equivoco(
    "tudo-menos-100",
    "Todos os alvos são −100: não sobrou nada para aprender. O separador e a cópia podem ser sabidos.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    return x, torch.full_like(y, -100)


@tarefa_de_copia.equivoco(
    "menos-1-no-lugar-de-menos-100",
    "Você marcou com −1 o que não se sabe. A marca que a cross_entropy do torch pula é −100.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    return x, torch.where(y == -100, -1, y)


@tarefa_de_copia.equivoco(
    "zero-no-lugar-de-menos-100",
    "Você marcou com 0 o que não se sabe, mas 0 é o separador: o modelo aprenderia a prevê-lo ali. Use −100.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    return x, torch.where(y == -100, 0, y)


@tarefa_de_copia.equivoco(
    "copia-ao-contrario",
    "A segunda metade é a primeira de trás para a frente. O enunciado pede os mesmos tokens na mesma ordem.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    x = torch.cat([x[:, : comprimento + 1], x[:, :comprimento].flip(1)], dim=1)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    if comprimento == 1:
        x[:, 2] = x[:, 0]
    return x, y


@tarefa_de_copia.equivoco(
    "sorteia-de-novo",
    "A segunda metade foi sorteada de novo, e não é cópia de nada. Guarde o sorteio e use-o duas vezes.",
)
def _(lote, comprimento, V, gerador):
    partes = [torch.randint(1, V, (lote, comprimento), generator=gerador) for _ in range(2)]
    x = torch.cat([partes[0], torch.zeros(lote, 1, dtype=torch.int64), partes[1]], dim=1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@tarefa_de_copia.equivoco(
    "sem-separador",
    "Faltou o separador entre as duas metades: x tem 2·comprimento + 1 colunas.",
)
def _(lote, comprimento, V, gerador):
    tokens = torch.randint(1, V, (lote, comprimento), generator=gerador)
    x = torch.cat([tokens, tokens], dim=1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@tarefa_de_copia.equivoco(
    "corta-o-ultimo-de-x",
    "Você cortou x e y para que casassem, e ficaram com uma coluna a menos. Aqui x é a sequência inteira, com "
    "2·comprimento + 1 colunas, e o último alvo é −100.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    return x[:, :-1].clone(), y[:, :-1].clone()


@tarefa_de_copia.equivoco(
    "y-com-uma-coluna-a-menos",
    "Seu y tem uma coluna a menos que x. Ele tem a mesma forma: a última coluna, que não pode ser sabida, é −100.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    return x, y[:, :-1].clone()


@tarefa_de_copia.equivoco(
    "sorteia-o-zero",
    "O token 0 aparece entre os sorteados, e ele é o separador. Sorteie de 1 a V − 1.",
)
def _(lote, comprimento, V, gerador):
    tokens = torch.randint(0, V, (lote, comprimento), generator=gerador)
    x = torch.cat([tokens, torch.zeros(lote, 1, dtype=torch.int64), tokens], dim=1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@tarefa_de_copia.equivoco(
    "nunca-o-ultimo-token",
    "O token V − 1 nunca aparece: o limite de cima do torch.randint já fica de fora. Sorteie de 1 a V − 1, inclusive.",
)
def _(lote, comprimento, V, gerador):
    return _copia(lote, comprimento, V - 1, gerador)


@tarefa_de_copia.equivoco(
    "passa-do-vocabulario",
    "Saiu o token V, que não existe: com V tokens, eles vão de 0 a V − 1. O limite de cima do torch.randint já fica de "
    "fora.",
)
def _(lote, comprimento, V, gerador):
    return _copia(lote, comprimento, V + 1, gerador)


@tarefa_de_copia.equivoco(
    "separador-V",
    "O separador é o token 0, e o seu é outro.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    x[:, comprimento] = V
    y[:, comprimento - 1] = V
    return x, y


@tarefa_de_copia.equivoco(
    "a-mesma-linha-no-lote",
    "Todas as linhas do lote são iguais: você sorteou uma sequência só. Sorteie (lote, comprimento) tokens.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(1, comprimento, V, gerador)
    return x.repeat(lote, 1), y.repeat(lote, 1)


@tarefa_de_copia.equivoco(
    "o-mesmo-token-na-linha",
    "Em cada linha saiu um token só, repetido. Sorteie um para cada posição: (lote, comprimento).",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    if comprimento == 1:
        return x, y
    x[:, :comprimento] = x[:, :1]
    x[:, comprimento + 1 :] = x[:, :1]
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@tarefa_de_copia.equivoco(
    "nao-usa-o-gerador",
    "Com geradores de mesma semente saíram sorteios diferentes: o acaso não veio do gerador. Passe generator=gerador.",
)
def _(lote, comprimento, V, gerador):
    return _copia(lote, comprimento, V, None)


@tarefa_de_copia.equivoco(
    "semente-fixa",
    "Duas chamadas seguidas deram o mesmo lote: você semeou o acaso de novo, lá dentro. Só use o gerador que recebeu, "
    "como ele está.",
)
def _(lote, comprimento, V, gerador):
    return _copia(lote, comprimento, V, torch.Generator().manual_seed(0))


@tarefa_de_copia.equivoco(
    "sem-repeticao",
    "Em cada linha os tokens são todos diferentes: parece uma permutação. O sorteio é com reposição, e um token pode "
    "repetir-se.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    if comprimento > 1:
        linhas = torch.stack([torch.randperm(max(V - 1, comprimento), generator=gerador) for _ in range(lote)])
        x[:, :comprimento] = x[:, comprimento + 1 :] = linhas[:, :comprimento] % (V - 1) + 1
        y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@tarefa_de_copia.equivoco(
    "em-float",
    "Os tokens saíram em ponto flutuante. Identificadores são inteiros: um embedding só aceita int64.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    return x.float(), y.float()


@tarefa_de_copia.equivoco(
    "y-e-o-proprio-x",
    "Escrever em y mudou x também: `y = x` não copia, os dois nomes são o mesmo tensor. Use clone().",
)
def _(lote, comprimento, V, gerador):
    x, certo = _copia(lote, comprimento, V, gerador)
    y = x
    y[:] = certo
    return x, y


@tarefa_de_copia.equivoco(
    "menos-100-em-x",
    "Há −100 dentro de x, e ele só existe em y. Você devolveu (y, x), ou escreveu os −100 no tensor errado?",
)
def _(lote, comprimento, V, gerador):
    return _copia(lote, comprimento, V, gerador)[::-1]


@tarefa_de_copia.equivoco(
    "chances-diferentes",
    "Os tokens não saem todos com a mesma frequência: trocar os zeros por outro token, ou arredondar um sorteio, muda "
    "as chances. Sorteie direto de 1 a V − 1.",
)
def _(lote, comprimento, V, gerador):
    tokens = torch.randint(0, V, (lote, comprimento), generator=gerador).clamp(min=1)
    x = torch.cat([tokens, torch.zeros(lote, 1, dtype=torch.int64), tokens], dim=1)
    y = torch.full_like(x, -100)
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@tarefa_de_copia.equivoco(
    "linhas-em-ordem",
    "Os tokens de cada linha não saem ao acaso: os menores vêm antes. Não ordene o que foi sorteado.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    x[:, :comprimento] = x[:, comprimento + 1 :] = x[:, :comprimento].sort(dim=1).values
    y[:, comprimento - 1 : -1] = x[:, comprimento:]
    return x, y


@tarefa_de_copia.equivoco(
    "esconde-o-ultimo-da-copia",
    "Há −100 na penúltima posição, cujo próximo é o último token da cópia. Esse já foi visto: só a última posição não "
    "tem próximo.",
)
def _(lote, comprimento, V, gerador):
    x, y = _copia(lote, comprimento, V, gerador)
    y[:, -2] = -100
    return x, y


@tarefa_de_copia.equivoco(
    "so-x",
    "Você devolveu um tensor só. O enunciado pede o par (x, y).",
)
def _(lote, comprimento, V, gerador):
    return _copia(lote, comprimento, V, gerador)[0]


@tarefa_de_copia.alternativa("roll-e-mascara")
def _(lote, comprimento, V, gerador):
    metade = torch.randint(low=1, high=V, size=(lote, comprimento), generator=gerador)
    x = torch.zeros(lote, 2 * comprimento + 1, dtype=torch.long)
    x[:, :comprimento] = metade
    x[:, comprimento + 1 :] = metade
    y = x.roll(-1, dims=1)
    y[:, : comprimento - 1] = -100
    y[:, -1] = -100
    return x, y


@tarefa_de_copia.alternativa("sorteio-por-multinomial")
def _(lote, comprimento, V, gerador):
    pesos = torch.ones(V)
    pesos[0] = 0
    tokens = torch.multinomial(pesos, lote * comprimento, replacement=True, generator=gerador).view(lote, comprimento)
    x = torch.hstack([tokens, tokens.new_zeros(lote, 1), tokens])
    y = torch.hstack([x[:, 1:], tokens.new_full((lote, 1), -100)])
    t = torch.arange(2 * comprimento + 1)
    return x, torch.where(t < comprimento - 1, -100, y)


@tarefa_de_copia.alternativa("reais-vezes-V")
def _(lote, comprimento, V, gerador):
    tokens = (torch.rand(lote, comprimento, generator=gerador, dtype=torch.float64) * (V - 1)).long() + 1
    x = F.pad(tokens, (0, 1))
    x = torch.cat((x, tokens), dim=-1)
    y = F.pad(x, (0, 1), value=-100)[:, 1:].contiguous()
    y[:, torch.arange(comprimento - 1)] = -100
    return x, y


@tarefa_de_copia.alternativa("linha-por-linha")
def _(lote, comprimento, V, gerador):
    xs, ys = [], []
    for _ in range(lote):
        s = torch.randint(V - 1, (comprimento,), generator=gerador).add(1).tolist()
        linha = [*s, 0, *s]
        xs.append(linha)
        ys.append([-100] * (comprimento - 1) + linha[comprimento:] + [-100])
    return torch.tensor(xs), torch.tensor(ys)


@tarefa_de_copia.alternativa("semente-para-o-numpy")
def _(lote, comprimento, V, gerador):
    semente = torch.randint(0, 2**31, (1,), generator=gerador).item()  # o acaso ainda vem todo do gerador
    tokens = torch.from_numpy(np.random.default_rng(semente).integers(1, V, size=(lote, comprimento)))
    nada = torch.full((lote, 1), -100)
    x = torch.cat([tokens, torch.zeros_like(nada), tokens], dim=1)
    return x, torch.cat([nada.expand(-1, comprimento - 1), x[:, comprimento:], nada], dim=1)


@tarefa_de_copia.alternativa("indices-e-devolve-lista")
def _(lote, comprimento, V, gerador):
    s = torch.randint(1, V, (comprimento, lote), generator=gerador).T
    indice = torch.arange(2 * comprimento + 1)
    x = s[:, (indice % (comprimento + 1)).clamp(max=comprimento - 1)].clone()
    x[:, comprimento] = 0
    y = torch.full(x.shape, -100)
    for t in range(comprimento - 1, 2 * comprimento):
        y[:, t] = x[:, t + 1]
    return [x, y]


# ----------------------------------------------------------------------------------------- GPTSemAtencao


class _Bloco(nn.Module):
    def __init__(self, d, mistura):
        super().__init__()
        self.mistura = mistura
        if mistura == "media":
            self.norma1 = nn.LayerNorm(d)
            self.projecao = nn.Linear(d, d)
        self.norma2 = nn.LayerNorm(d)
        self.expande = nn.Linear(d, 4 * d)
        self.reduz = nn.Linear(4 * d, d)

    def ouvir(self, x):
        if self.mistura == "nenhuma":
            return x
        return x + self.projecao(_media(self.norma1(x)))

    def pensar(self, x):
        return x + self.reduz(F.gelu(self.expande(self.norma2(x))))

    def forward(self, x):
        return self.pensar(self.ouvir(x))


class _Modelo(nn.Module):
    Bloco = _Bloco

    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__()
        self.bloco = bloco
        self.tokens = nn.Embedding(V, d)
        self.posicoes = nn.Embedding(bloco, d)
        self.blocos = nn.ModuleList([self.Bloco(d, mistura) for _ in range(camadas)])
        self.norma = nn.LayerNorm(d)

    def entrar(self, ids):
        if ids.shape[1] > self.bloco:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.bloco}")
        return self.tokens(ids) + self.posicoes.weight[: ids.shape[1]]

    def sair(self, x):
        return self.norma(x) @ self.tokens.weight.T

    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.masked_fill(alvos == 0, -100).flatten())

    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for bloco in self.blocos:
            x = bloco(x)
        logits = self.sair(x)
        return logits, None if alvos is None else self.custo(logits, alvos)


def _caso_gpt(rng, V, bloco, d, camadas, mistura, B, T, **opcoes):
    """Entre os alvos há tokens, zeros (o <PAD>) e −100, em quantidades diferentes em cada linha."""
    ids = rng.integers(0, V, size=(B, T))
    alvos = rng.integers(1, V, size=(B, T))
    alvos[0, -1] = 0
    alvos[-1, : T // 2] = -100
    if T > 3:
        alvos[0, 1] = -100
    return caso(V, bloco, d, camadas, mistura, int(rng.integers(1, 10**6)), _ids(ids), _ids(alvos), **opcoes)


def _ocultos_gpt(rng):
    V = int(rng.integers(8, 12))
    return [
        _caso_gpt(rng, V, 6, 8, 2, "media", 3, 5),
        _caso_gpt(rng, 7, 5, 12, 1, "media", 2, 5),
        _caso_gpt(rng, V, 6, 8, 2, "nenhuma", 2, 4),
        _caso_gpt(rng, 6, 7, 4, 3, "media", 2, 4),
        _caso_gpt(rng, 9, 4, 8, 1, "nenhuma", 3, 4),
    ]


_dado = np.random.default_rng(9)
GPTSemAtencao = questao(
    "lista-09/GPTSemAtencao",
    assinatura="GPTSemAtencao(V, bloco, d, camadas, mistura)",
    saida=[("o que se viu", "texto"), ("logits", "array"), ("perda", "float")],
    adaptador="lista_09.gpt_sem_atencao",
    referencia=_Modelo,
    rtol=1e-3,
    atol=1e-5,
    casos=[
        caso(4, 3, 2, 1, "media", -1, _ids([[2, 1, 3]]), _ids([[3, 2, 0]]), claro=True,
             rotulo="o exemplo do enunciado"),
        _caso_gpt(_dado, 7, 6, 8, 2, "media", 3, 5, rotulo="a média, duas camadas"),
        _caso_gpt(_dado, 9, 5, 4, 2, "nenhuma", 2, 4, rotulo="sem mistura, duas camadas"),
        _caso_gpt(_dado, 6, 4, 12, 1, "media", 2, 4, rotulo="a média, uma camada, o contexto inteiro"),
        _caso_gpt(_dado, 8, 7, 8, 3, "nenhuma", 2, 6, rotulo="sem mistura, três camadas"),
    ],
    ocultos=_ocultos_gpt,
)  # fmt: skip


@GPTSemAtencao.equivoco(
    "media-com-o-futuro",
    "Com a mistura «media», a saída de uma posição depende das seguintes: a média é da frase inteira. Use a média "
    "causal da questão anterior.",
)
class GPTMediaComOFuturo(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            if self.mistura == "nenhuma":
                return x
            z = self.norma1(x)
            return x + self.projecao(z.mean(dim=1, keepdim=True).expand_as(z))


@GPTSemAtencao.equivoco(
    "projeta-sem-misturar",
    "Com a mistura «media», cada token passa por `projecao` sozinho: falta a média do passado entre `norma1` e "
    "`projecao`.",
)
class GPTProjetaSemMisturar(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else x + self.projecao(self.norma1(x))


@GPTSemAtencao.equivoco(
    "nao-mistura",
    "Com a mistura «media», seu bloco não mistura nada: `norma1` e `projecao` existem, mas o forward não as usa.",
)
class GPTNaoMistura(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x


@GPTSemAtencao.equivoco(
    "media-sem-projecao",
    "A média do passado entrou direto no caminho residual, sem passar por `projecao`.",
)
class GPTMediaSemProjecao(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else x + _media(self.norma1(x))


@GPTSemAtencao.equivoco(
    "media-sem-norma1",
    "A média foi tirada de x, sem normalizar antes: o bloco é pré-norma, e `norma1` vem primeiro.",
)
class GPTMediaSemNorma1(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else x + self.projecao(_media(x))


@GPTSemAtencao.equivoco(
    "normaliza-depois-da-media",
    "Você normalizou a média. A ordem é a outra: normaliza cada token com `norma1` e depois tira a média.",
)
class GPTNormaDepoisDaMedia(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else x + self.projecao(self.norma1(_media(x)))


@GPTSemAtencao.equivoco(
    "sem-residuo-na-mistura",
    "A mistura substituiu x, em vez de somar-se a ele: falta o caminho residual da primeira metade do bloco.",
)
class GPTSemResiduoNaMistura(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else self.projecao(_media(self.norma1(x)))


@GPTSemAtencao.equivoco(
    "sem-residuo-no-feed-forward",
    "A camada feed-forward substituiu x, em vez de somar-se a ele: falta o caminho residual da segunda metade do "
    "bloco.",
)
class GPTSemResiduoNoFF(_Modelo):
    class Bloco(_Bloco):
        def pensar(self, x):
            return self.reduz(F.gelu(self.expande(self.norma2(x))))


@GPTSemAtencao.equivoco(
    "sem-norma2",
    "A camada feed-forward recebeu x sem normalizar: falta `norma2` antes de `expande`.",
)
class GPTSemNorma2(_Modelo):
    class Bloco(_Bloco):
        def pensar(self, x):
            return x + self.reduz(F.gelu(self.expande(x)))


@GPTSemAtencao.equivoco(
    "pos-norma",
    "Seus blocos normalizam depois da soma (pós-norma). O enunciado pede antes de cada metade (pré-norma), e o caminho "
    "residual fica livre.",
)
class GPTPosNorma(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else self.norma1(x + self.projecao(_media(x)))

        def pensar(self, x):
            return self.norma2(x + self.reduz(F.gelu(self.expande(x))))


@GPTSemAtencao.equivoco(
    "relu-no-lugar-da-gelu",
    "Entre `expande` e `reduz` você usou ReLU. O enunciado pede a GELU.",
)
class GPTRelu(_Modelo):
    class Bloco(_Bloco):
        def pensar(self, x):
            return x + self.reduz(F.relu(self.expande(self.norma2(x))))


@GPTSemAtencao.equivoco(
    "sem-gelu",
    "Entre `expande` e `reduz` não há não linearidade: duas camadas lineares seguidas valem uma só. Falta a GELU.",
)
class GPTSemGelu(_Modelo):
    class Bloco(_Bloco):
        def pensar(self, x):
            return x + self.reduz(self.expande(self.norma2(x)))


@GPTSemAtencao.equivoco(
    "gelu-aproximada",
    "Por pouco: sua GELU é a aproximação com tangente hiperbólica. O enunciado pede a exata, que é o padrão de F.gelu.",
)
class GPTGeluAproximada(_Modelo):
    class Bloco(_Bloco):
        def pensar(self, x):
            return x + self.reduz(F.gelu(self.expande(self.norma2(x)), approximate="tanh"))


@GPTSemAtencao.equivoco(
    "sem-posicoes",
    "O modelo não usa as posições: some `posicoes` aos embeddings dos tokens.",
)
class GPTSemPosicoes(_Modelo):
    def entrar(self, ids):
        if ids.shape[1] > self.bloco:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.bloco}")
        return self.tokens(ids)


@GPTSemAtencao.equivoco(
    "sem-norma-final",
    "Falta a última normalização: `norma` age depois do último bloco, antes da saída.",
)
class GPTSemNormaFinal(_Modelo):
    def sair(self, x):
        return x @ self.tokens.weight.T


@GPTSemAtencao.equivoco(
    "devolve-probabilidades",
    "Seus logits já passaram pela softmax. A cross_entropy a aplica outra vez: devolva as pontuações como saem.",
)
class GPTDevolveProbabilidades(_Modelo):
    def sair(self, x):
        return torch.softmax(self.norma(x) @ self.tokens.weight.T, dim=-1)


@GPTSemAtencao.equivoco(
    "o-mesmo-bloco-repetido",
    "Todas as camadas são o mesmo objeto (`[bloco] * camadas`): elas dividem os pesos. Construa um bloco para cada "
    "camada.",
)
class GPTMesmoBloco(_Modelo):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.blocos = nn.ModuleList([_Bloco(d, mistura)] * camadas)


@GPTSemAtencao.equivoco(
    "so-o-primeiro-bloco",
    "Só o primeiro bloco é usado. Passe x por todos, um depois do outro.",
)
class GPTSoOPrimeiro(_Modelo):
    def forward(self, ids, alvos=None):
        logits = self.sair(self.blocos[0](self.entrar(ids)))
        return logits, None if alvos is None else self.custo(logits, alvos)


@GPTSemAtencao.equivoco(
    "bloco-sem-return",
    "O forward do bloco não devolve nada, e a norma seguinte recebeu None: falta `return x`.",
)
class GPTBlocoSemReturn(_Modelo):
    class Bloco(_Bloco):
        def forward(self, x):
            self.pensar(self.ouvir(x))


@GPTSemAtencao.equivoco(
    "sem-super-init",
    "O torch só aceita submódulos depois que a classe-mãe foi preparada: comece o __init__ com `super().__init__()`.",
)
class GPTSemSuperInit(nn.Module):
    def __init__(self, V, bloco, d, camadas, mistura):
        self.tokens = nn.Embedding(V, d)


@GPTSemAtencao.equivoco(
    "so-o-ultimo-bloco",
    "Cada bloco recebeu o x da entrada, e só o resultado do último ficou. A saída de um é a entrada do seguinte: "
    "x = bloco(x).",
)
class GPTSoOUltimo(_Modelo):
    def forward(self, ids, alvos=None):
        logits = self.sair(self.blocos[-1](self.entrar(ids)))
        return logits, None if alvos is None else self.custo(logits, alvos)


@GPTSemAtencao.equivoco(
    "nenhum-bloco",
    "O resultado dos blocos se perdeu: os logits saem direto dos embeddings. Guarde-o, x = bloco(x).",
)
class GPTNenhumBloco(_Modelo):
    def forward(self, ids, alvos=None):
        logits = self.sair(self.entrar(ids))
        return logits, None if alvos is None else self.custo(logits, alvos)


@GPTSemAtencao.equivoco(
    "devolve-log-probabilidades",
    "Seus logits já passaram pela log-softmax. Devolva as pontuações como saem do produto: a cross_entropy faz o "
    "resto.",
)
class GPTDevolveLogs(_Modelo):
    def sair(self, x):
        return torch.log_softmax(self.norma(x) @ self.tokens.weight.T, dim=-1)


@GPTSemAtencao.equivoco(
    "softmax-antes-da-perda",
    "Os logits estão certos, mas você aplicou a softmax antes da cross_entropy, que já a aplica: foram duas.",
)
class GPTSoftmaxAntesDaPerda(_Modelo):
    def custo(self, logits, alvos):
        return super().custo(torch.softmax(logits, dim=-1), alvos)


@GPTSemAtencao.equivoco(
    "soma-no-lugar-da-media",
    "Com a mistura «media», você somou o passado sem dividir. A posição t divide por t + 1, como na questão 4.",
)
class GPTSomaDoPassado(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else x + self.projecao(self.norma1(x).cumsum(dim=1))


@GPTSemAtencao.equivoco(
    "media-dividida-por-T",
    "Com a mistura «media», a soma do passado foi dividida sempre por T. A posição t divide por t + 1, como na "
    "questão 4.",
)
class GPTMediaPorT(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            return x if self.mistura == "nenhuma" else x + self.projecao(self.norma1(x).cumsum(dim=1) / x.shape[1])


@GPTSemAtencao.equivoco(
    "media-sem-o-presente",
    "Com a mistura «media», a média deixa de fora a própria posição. Ela conta: de 0 até t, inclusive, como na "
    "questão 4.",
)
class GPTMediaSemOPresente(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):
            if self.mistura == "nenhuma":
                return x
            z = self.norma1(x)
            return x + self.projecao((z.cumsum(dim=1) - z) / torch.arange(x.shape[1]).clamp(min=1)[:, None])


@GPTSemAtencao.equivoco(
    "metades-em-paralelo",
    "As duas metades do bloco leram o mesmo x. A segunda (norma2, expande, reduz) lê o x que a primeira já mudou.",
)
class GPTMetadesEmParalelo(_Modelo):
    class Bloco(_Bloco):
        def forward(self, x):
            return self.ouvir(x) + self.pensar(x) - x


@GPTSemAtencao.equivoco(
    "metades-trocadas",
    "As metades do bloco estão trocadas: primeiro a média (norma1, projecao), depois a camada feed-forward.",
)
class GPTMetadesTrocadas(_Modelo):
    class Bloco(_Bloco):
        def forward(self, x):
            return self.ouvir(self.pensar(x))


@GPTSemAtencao.equivoco(
    "posicoes-do-fim",
    "As posições usadas foram as últimas da tabela. Um texto de T tokens usa as de 0 a T − 1.",
)
class GPTPosicoesDoFim(_Modelo):
    def entrar(self, ids):
        if ids.shape[1] > self.bloco:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.bloco}")
        return self.tokens(ids) + self.posicoes.weight[-ids.shape[1] :]


@GPTSemAtencao.equivoco(
    "menos-100-vira-pad",
    "Os logits estão certos, mas a perda conta os que deviam ser pulados: você trocou os −100 por 0 e não disse à "
    "cross_entropy que pulasse o 0 (ignore_index=0).",
)
class GPTMenos100ViraPad(_Modelo):
    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.clamp(min=0).flatten())


@GPTSemAtencao.equivoco(
    "conta-o-pad-na-perda",
    "Os logits estão certos, mas a perda conta os alvos 0, que são <PAD>. Eles não contam.",
)
class GPTContaOPad(_Modelo):
    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten())


@GPTSemAtencao.equivoco(
    "so-pula-o-pad",
    "Com ignore_index=0, os alvos −100 deixam de ser pulados, e a cross_entropy reclama deles. Dois valores não "
    "contam: 0 e −100. Troque um pelo outro antes.",
)
class GPTSoPulaOPad(_Modelo):
    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=0)


@GPTSemAtencao.equivoco(
    "escreve-nos-alvos",
    "Seu forward escreve dentro de `alvos` (`alvos[alvos == 0] = -100` muda o tensor de quem chamou). Faça outro, com "
    "masked_fill ou torch.where.",
)
class GPTEscreveNosAlvos(_Modelo):
    def custo(self, logits, alvos):
        alvos[alvos == 0] = -100
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten())


@GPTSemAtencao.equivoco(
    "soma-das-perdas",
    "A perda é a soma sobre as posições. O enunciado pede a média sobre as que contam.",
)
class GPTSomaDasPerdas(_Modelo):
    def custo(self, logits, alvos):
        alvos = alvos.masked_fill(alvos == 0, -100)
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), reduction="sum")


@GPTSemAtencao.equivoco(
    "divide-por-todas-as-posicoes",
    "A perda foi dividida pelo número de todas as posições, inclusive as que não contam. Divida só pelas que contam.",
)
class GPTDividePorTodas(_Modelo):
    def custo(self, logits, alvos):
        alvos = alvos.masked_fill(alvos == 0, -100)
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), reduction="sum") / alvos.numel()


@GPTSemAtencao.equivoco(
    "media-por-texto",
    "Você tirou a média de cada texto e depois a média das médias. A média é uma só, sobre todas as posições que "
    "contam.",
)
class GPTMediaPorTexto(_Modelo):
    def custo(self, logits, alvos):
        alvos = alvos.masked_fill(alvos == 0, -100)
        return torch.stack([F.cross_entropy(z, a) for z, a in zip(logits, alvos, strict=True)]).mean()


@GPTSemAtencao.equivoco(
    "desloca-os-alvos-de-novo",
    "Você deslocou os alvos de uma casa, mas eles já vêm deslocados: alvos[b, t] é o que vem depois de ids[b, t].",
)
class GPTDeslocaDeNovo(_Modelo):
    def custo(self, logits, alvos):
        alvos = alvos.masked_fill(alvos == 0, -100)[:, 1:]
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), alvos.flatten())


@GPTSemAtencao.equivoco(
    "if-alvos",
    "`if alvos` pergunta se o tensor inteiro é verdadeiro, e ele não sabe responder. Pergunte `if alvos is not None`.",
)
class GPTIfAlvos(_Modelo):
    def forward(self, ids, alvos=None):
        logits = super().forward(ids)[0]
        return logits, self.custo(logits, alvos) if alvos else None


@GPTSemAtencao.equivoco(
    "cross-entropy-sem-achatar",
    "A cross_entropy procura o vocabulário no eixo 1, e o seu está no último: as formas não combinam. Achate os dois: "
    "logits (B·T, V) e alvos (B·T,).",
)
class GPTSemAchatar(_Modelo):
    def custo(self, logits, alvos):
        return F.cross_entropy(logits, alvos.masked_fill(alvos == 0, -100))


@GPTSemAtencao.equivoco(
    "posicoes-a-partir-de-1",
    "As posições começam em 1, e um texto do tamanho do contexto passa do fim da tabela. Conte de 0 a T − 1: "
    "torch.arange(T).",
)
class GPTPosicoesAPartirDe1(_Modelo):
    def entrar(self, ids):
        if ids.shape[1] > self.bloco:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.bloco}")
        return self.tokens(ids) + self.posicoes(torch.arange(1, ids.shape[1] + 1))


@GPTSemAtencao.equivoco(
    "com-dropout",
    "Seu modelo tem dropout, e os logits mudam no modo de treino. O enunciado pede sem: a correção compara números "
    "exatos.",
)
class GPTComDropout(_Modelo):
    class Bloco(_Bloco):
        def pensar(self, x):
            return x + F.dropout(self.reduz(F.gelu(self.expande(self.norma2(x)))), 0.3, self.training)


@GPTSemAtencao.equivoco(
    "perda-zero-sem-alvos",
    "Sem alvos, a perda deve ser None, e não um número.",
)
class GPTPerdaZero(_Modelo):
    def forward(self, ids, alvos=None):
        logits, perda = super().forward(ids, alvos)
        return logits, torch.tensor(0.0) if perda is None else perda


@GPTSemAtencao.equivoco(
    "so-os-logits",
    "Seu forward devolve só os logits. Devolva sempre o par (logits, perda), com perda None quando não há alvos.",
)
class GPTSoOsLogits(_Modelo):
    def forward(self, ids, alvos=None):
        return super().forward(ids)[0]


@GPTSemAtencao.equivoco(
    "perda-sem-gradiente",
    "A perda saiu como número solto (item(), detach() ou um tensor feito de novo): sem gradiente, não há como treinar. "
    "Devolva o próprio tensor da conta.",
)
class GPTPerdaSemGradiente(_Modelo):
    def forward(self, ids, alvos=None):
        logits, perda = super().forward(ids, alvos)
        return logits, perda if perda is None else perda.item()


@GPTSemAtencao.equivoco(
    "vocabulario-no-meio",
    "Seus logits têm o vocabulário no eixo do meio, (B, V, T). O enunciado pede (B, T, V).",
)
class GPTVocabularioNoMeio(_Modelo):
    def forward(self, ids, alvos=None):
        logits, perda = super().forward(ids, alvos)
        return logits.mT, perda


@GPTSemAtencao.equivoco(
    "saida-solta",
    "Há um parâmetro a mais, de uma camada de saída própria. A saída é amarrada: usa o próprio peso de `tokens`.",
)
class GPTSaidaSolta(_Modelo):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.saida = nn.Linear(d, V, bias=False)

    def sair(self, x):
        return self.saida(self.norma(x))


@GPTSemAtencao.equivoco(
    "lista-comum",
    "Os parâmetros dos blocos não aparecem no modelo: eles estão em uma lista comum do Python. Use nn.ModuleList.",
)
class GPTListaComum(_Modelo):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        del self.blocos
        self.blocos = [_Bloco(d, mistura) for _ in range(camadas)]


@GPTSemAtencao.equivoco(
    "sempre-com-projecao",
    "Com a mistura «nenhuma» sobram parâmetros: `norma1` e `projecao` só existem quando há mistura.",
)
class GPTSempreComProjecao(_Modelo):
    class Bloco(_Bloco):
        def __init__(self, d, mistura):
            super().__init__(d, mistura)
            if mistura == "nenhuma":
                self.norma1, self.projecao = nn.LayerNorm(d), nn.Linear(d, d)


@GPTSemAtencao.equivoco(
    "texto-comprido-da-outro-erro",
    "Um texto maior que o contexto estoura lá dentro, com um erro que não diz o porquê. Examine antes o tamanho, "
    "ids.shape[1], e lance um ValueError.",
)
class GPTTextoComprido(_Modelo):
    def entrar(self, ids):
        return self.tokens(ids) + self.posicoes(torch.arange(ids.shape[1]))


@GPTSemAtencao.equivoco(
    "texto-comprido-e-cortado",
    "Um texto maior que o contexto passa sem aviso. Quem corta é quem gera o texto; aqui, lance um ValueError.",
)
class GPTTextoCortado(_Modelo):
    def entrar(self, ids):
        ids = ids[:, -self.bloco :]
        return self.tokens(ids) + self.posicoes.weight[: ids.shape[1]]


@GPTSemAtencao.equivoco(
    "sem-o-atributo-bloco",
    "O modelo está certo, mas não guarda `self.bloco`. Quem gera texto precisa dele, para saber onde cortar.",
)
class GPTSemOAtributo(_Modelo):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        del self.bloco
        self.contexto = bloco

    def entrar(self, ids):
        if ids.shape[1] > self.contexto:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.contexto}")
        return self.tokens(ids) + self.posicoes.weight[: ids.shape[1]]


@GPTSemAtencao.alternativa("com-ModuleDict")
class GPTComModuleDict(nn.Module):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__()
        self.bloco = bloco
        self.mistura = mistura
        self.tokens, self.posicoes = nn.Embedding(V, d), nn.Embedding(bloco, d)
        self.blocos = nn.ModuleList()
        for _ in range(camadas):
            partes = {"norma2": nn.LayerNorm(d), "expande": nn.Linear(d, 4 * d), "reduz": nn.Linear(4 * d, d)}
            if mistura == "media":
                partes |= {"norma1": nn.LayerNorm(d), "projecao": nn.Linear(d, d)}
            self.blocos.append(nn.ModuleDict(partes))
        self.norma = nn.LayerNorm(d)

    def forward(self, ids, alvos=None):
        T = ids.shape[1]
        if ids.shape[1] > self.bloco:
            raise ValueError("texto maior que o bloco")
        pesos = torch.ones(T, T).tril()
        pesos = pesos / pesos.sum(1, keepdim=True)
        x = self.tokens(ids) + self.posicoes(torch.arange(T))
        for b in self.blocos:
            if self.mistura == "media":
                x = x + b["projecao"](pesos @ b["norma1"](x))
            x = x + b["reduz"](F.gelu(b["expande"](b["norma2"](x))))
        logits = F.linear(self.norma(x), self.tokens.weight)
        if alvos is None:
            return logits, None
        contam = (alvos != 0) & (alvos != -100)
        logp = torch.log_softmax(logits, dim=-1)
        return logits, -logp[contam].gather(1, alvos[contam][:, None]).mean()


@GPTSemAtencao.alternativa("saida-amarrada-em-um-Linear")
class GPTSaidaAmarrada(_Modelo):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.saida = nn.Linear(d, V, bias=False)
        self.saida.weight = self.tokens.weight

    def sair(self, x):
        return self.saida(self.norma(x))


@GPTSemAtencao.alternativa("projeta-e-depois-tira-a-media")
class GPTProjetaAntes(_Modelo):
    class Bloco(_Bloco):
        def ouvir(self, x):  # a média e a projeção são lineares, e os pesos somam 1: a ordem não importa
            return x if self.mistura == "nenhuma" else x + _media(self.projecao(self.norma1(x)))


@GPTSemAtencao.alternativa("triangulo-em-um-buffer")
class GPTComBuffer(_Modelo):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.register_buffer("pesos", torch.ones(bloco, bloco).tril() / torch.arange(1, bloco + 1)[:, None])

    def forward(self, ids, alvos=None):
        x, T = self.entrar(ids), ids.shape[1]
        for b in self.blocos:
            if hasattr(b, "projecao"):
                x = x + b.projecao(torch.einsum("ts,bsc->btc", self.pesos[:T, :T], b.norma1(x)))
            x = b.pensar(x)
        logits = self.sair(x)
        if alvos is None:
            return logits, None
        alvos = torch.where(alvos == -100, 0, alvos)
        return logits, F.cross_entropy(logits.transpose(1, 2), alvos, ignore_index=0)


@GPTSemAtencao.alternativa("perda-com-lacos-e-sequential")
class GPTComLacos(_Modelo):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.blocos = nn.Sequential(*[_Bloco(d, mistura) for _ in range(camadas)])
        self.sorteio = nn.Dropout(0.0)

    def forward(self, ids, alvos=None):
        logits = self.sair(self.sorteio(self.blocos(self.entrar(ids))))
        if alvos is None:
            return [logits, None]
        logp = logits.log_softmax(-1)
        perdas = [-logp[b, t, a] for b, linha in enumerate(alvos) for t, a in enumerate(linha) if a > 0]
        return [logits, sum(perdas) / len(perdas)]


@GPTSemAtencao.alternativa("em-float64")
class GPTEmDouble(_Modelo):
    def __init__(self, V, bloco, d, camadas, mistura):
        super().__init__(V, bloco, d, camadas, mistura)
        self.double()
