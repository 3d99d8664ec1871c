"""A questão `bigrama` da lista 09."""

from collections import Counter

import numpy as np
import torch
import torch.nn.functional as F

from gabarito.base import caso, questao
from gabarito.lista_09.comum import NADA_SERVIU, TENTATIVAS, cadeia, contar_pares

_SEM_K = "k = 0"


def bigrama(dados, V, k):
    C = contar_pares(dados, V)  # (V, V): linha = token anterior
    N = C.sum(dim=1, keepdim=True)  # (V, 1)
    P = (C + k) / (N + k * V)
    if k == 0:
        P = torch.where(N == 0, torch.tensor(1 / V, dtype=torch.float64), P)
    return P.log()


def _texto_de_bigrama(rng, V, quantos, ausentes):
    """Um texto em que os `ausentes` primeiros tokens, de uma ordem sorteada, não aparecem, e que repete pares."""
    nomes = rng.permutation(V)[ausentes:]
    for _ in TENTATIVAS:
        ids = cadeia(rng, V - ausentes, quantos)
        C = np.zeros((V - ausentes, V - ausentes))
        np.add.at(C, (ids[:-1], ids[1:]), 1)
        # o último token já foi seguido por outro; há pares repetidos, pares ausentes e nada de simetria
        if C[ids[-1]].sum() and C.max() > 2 and (C == 0).any() and ids[0] != ids[-1] and len(set(ids)) > 2:
            return torch.tensor(nomes[ids])
    raise RuntimeError(NADA_SERVIU)


def _com_pontas_unicas(rng, V, quantos):
    """O primeiro e o último token só aparecem ali, e um não aparece: nem toda linha vazia é de quem não aparece."""
    primeiro, ultimo, ausente = (int(n) for n in rng.permutation(V)[:3])
    meio = [n for n in range(V) if n not in (primeiro, ultimo, ausente)]
    ids = _texto_de_bigrama(rng, len(meio), quantos - 2, 0)
    return torch.tensor([primeiro, *(meio[i] for i in ids), ultimo])


def ocultos(rng):
    meios = [0.25, 0.5, 2.0, 1.5]
    return [
        caso(_texto_de_bigrama(rng, 4, 30, 0), 4, 1.0),
        caso(_texto_de_bigrama(rng, 6, 41, 1), 6, meios[rng.integers(4)]),
        caso(_texto_de_bigrama(rng, 5, 36, 0), 5, 0.0, parte=_SEM_K),
        caso(_texto_de_bigrama(rng, 7, 40, 2), 7, 0.0, parte=_SEM_K),
        caso(_texto_de_bigrama(rng, 9, 60, 3), 9, 0.125),
        caso(_texto_de_bigrama(rng, 5, 25, 1), 5, 3.0),
        caso(torch.tensor(rng.permutation(5)[:2]), 5, 1.0),
        caso(_com_pontas_unicas(rng, 7, 40), 7, 0.0, parte=_SEM_K),
    ]


q = questao(
    "lista-09/bigrama",
    assinatura="bigrama(dados, V, k)",
    saida="array",
    referencia=bigrama,
    casos=[
        caso(torch.tensor([0, 1, 0, 2, 0, 1, 1]), 3, 1.0, claro=True, rotulo="o exemplo do enunciado"),
        caso(
            torch.tensor([3, 0, 3, 0, 1, 3, 0, 3, 3, 1, 0, 3, 0, 0, 3, 1]),
            5,
            0.5,
            rotulo="k = 0,5, com dois tokens que não aparecem",
        ),
        caso(
            torch.tensor([2, 0, 1, 2, 0, 0, 2, 1, 2, 0, 2, 0, 1, 1]),
            3,
            0.0,
            rotulo="k = 0: par nunca visto é −inf",
            parte=_SEM_K,
        ),
        caso(
            torch.tensor([4, 1, 4, 4, 2, 1, 4, 1, 4, 2]),
            6,
            0.0,
            rotulo="k = 0: linha de quem nunca é seguido é uniforme",
            parte=_SEM_K,
        ),
        caso(torch.tensor([0, 2, 0, 2, 0, 2, 1, 0, 2, 3, 0, 2, 0]), 4, 2.0, rotulo="k = 2"),
        caso(torch.tensor([2, 1]), 4, 1.0, rotulo="um par só"),
        caso(
            torch.tensor([5, 1, 0, 1, 1, 0, 3, 1, 0, 1, 3, 3, 0, 1, 2]),
            6,
            0.0,
            rotulo="k = 0: o primeiro e o último token só aparecem uma vez",
            parte=_SEM_K,
        ),
    ],
    ocultos=ocultos,
    partes={"k maior que zero": 0.75, _SEM_K: 0.25},
)

q.equivocos_curtos("""
linha-e-o-seguinte: bigrama(dados, V, k).T
    Sua matriz está transposta: a linha deve ser o token anterior e a coluna, o seguinte. Cada linha, exponenciada, soma
    1.
conta-do-lado-errado: bigrama(dados.flip(0), V, k)
    Você contou os pares ao contrário: cada linha ficou com os tokens que vêm antes dela, e não com os que vêm depois.
devolve-probabilidades: bigrama(dados, V, k).exp()
    Isto são as probabilidades. O enunciado pede o logaritmo natural delas.
log-na-base-2: bigrama(dados, V, k) / np.log(2)
    Seu logaritmo é na base 2 (bits). Neste curso a perda é em nats: use o logaritmo natural.
menos-o-logaritmo: -bigrama(dados, V, k)
    O sinal está trocado: log-probabilidade é negativa (ou zero). O menos entra depois, na entropia cruzada.
k-esquecido: bigrama(dados, V, 0)
    Sua conta não usa k: os pares nunca vistos ficaram com probabilidade zero, e o log deles, menos infinito.
k-sempre-1: bigrama(dados, V, 1)
    Você somou 1 a cada contagem, qualquer que fosse k. Use o argumento.
da-a-volta: bigrama(torch.cat([dados, dados[:1]]), V, k)
    Há um par a mais: o último token ligado ao primeiro. O texto não é um anel (o roll dá a volta; corte o fim).
perde-o-ultimo-par: bigrama(dados[:-1], V, k)
    Falta o último par do texto. Com N tokens há N − 1 pares: confira até onde vai o laço.
devolve-contagens: contar_pares(dados, V) + k
    Isto são as contagens (mais k). Falta dividir pelo total de cada linha e tirar o logaritmo.
log-das-contagens: (contar_pares(dados, V) + k).log()
    Você tirou o log das contagens sem dividir pelo total da linha. Exponenciada, cada linha deve somar 1.
bincount-sem-minlength: contar_pares(dados, V) → torch.bincount(dados[:-1] * V + dados[1:]).reshape(V, V).double()
    O bincount para no maior número que apareceu, e nem sempre são V·V contagens. Peça todas: minlength=V*V. Veja a
    Dica 2.
softmax-das-contagens: torch.log_softmax(contar_pares(dados, V) + k, dim=1)
    Contagens não são pontuações: a softmax as exponencia, e um par visto 5 vezes leva quase tudo. Divida pelo total.
log-na-base-10: bigrama(dados, V, k) / np.log(10)
    Seu logaritmo é na base 10. Neste curso a perda é em nats: use o logaritmo natural (torch.log ou math.log).
epsilon-no-log: (bigrama(dados, V, k).exp() + 1e-9).log()
    Há um número pequeno somado dentro do log: com k = 0, um par nunca visto deve dar menos infinito, sem disfarce.
sem-deslocar: C = contar_pares(dados, V) → C = torch.diag(torch.bincount(dados, minlength=V)).double()
    Cada token foi pareado com ele mesmo: só a diagonal tem contagens. O par é de cada token com o seguinte.
divisao-inteira: (C + k) / (N + k * V) → (C + k) // (N + k * V)
    Quase todas as probabilidades viraram 0: `//` é a divisão inteira. A divisão é `/`.
k-so-nos-pares-vistos: (C + k) / (N + k * V) → (C + k * (C > 0)) / (N + k * (C > 0).sum(dim=1, keepdim=True))
    O k só foi somado aos pares que apareceram. Ele se soma a todas as V contagens da linha: é o que tira o zero dos
    outros.
probabilidades-sem-k: P.log() → P.nan_to_num(1 / V)
        (C + k) / (N + k * V) → C / N
    São dois erros: o k não entrou na conta, e o enunciado pede o logaritmo das probabilidades.
k-depois-de-dividir: (C + k) / (N + k * V) → (C / N + k) / (1 + k * V)
    O k foi somado às probabilidades, depois de dividir. Ele se soma às contagens, antes: um par visto mil vezes pesa
    mais que um visto uma vez.
""")


@q.equivoco
def normaliza_colunas(dados, V, k):
    """Você dividiu cada contagem pelo total da coluna. A pergunta é “dado o anterior, o que vem?”: quem soma 1 é a
    linha."""
    C = contar_pares(dados, V) + k
    return (C / C.sum(dim=0, keepdim=True)).log()


@q.equivoco
def k_no_denominador_uma_vez(dados, V, k):
    """No denominador entrou k uma vez só. Cada uma das V colunas ganhou k: para a linha somar 1, o total cresce k·V."""
    C = contar_pares(dados, V)
    N = C.sum(dim=1, keepdim=True)
    return ((C + k) / (N + k)).log().nan_to_num(nan=-np.log(V), neginf=-np.inf)


@q.equivoco
def k_so_no_numerador(dados, V, k):
    """O k entrou só no numerador, e as linhas somam mais que 1. Divida pelo total da linha depois de somar k."""
    C = contar_pares(dados, V)
    N = C.sum(dim=1, keepdim=True)
    return torch.where(N == 0, torch.tensor(1 / V), (C + k) / N.clamp(min=1)).log()


@q.equivoco
def k_so_no_numerador_e_divide_por_zero(dados, V, k):
    """O k entrou só no numerador: as linhas somam mais que 1, e a de quem nunca é seguido é dividida por zero. Divida
    pelo total da linha depois de somar k."""
    C = contar_pares(dados, V)
    return ((C + k) / C.sum(dim=1, keepdim=True)).log()


@q.equivoco
def k_so_no_numerador_menos_com_k_0(dados, V, k):
    """O k entrou só no numerador, e as linhas somam mais que 1. Divida pelo total da linha depois de somar k."""
    C = contar_pares(dados, V)
    P = (C + k) / C.sum(dim=1, keepdim=True)
    if k == 0:
        P[C.sum(dim=1) == 0] = 1 / V
    return P.log()


@q.equivoco
def conta_o_ultimo_token(dados, V, k):
    """O total da linha conta também o último token do texto, que não é seguido por nada. O total certo é o dos pares: a
    soma da própria linha."""
    C = contar_pares(dados, V)
    N = torch.bincount(dados, minlength=V)[:, None].double()
    P = (C + k) / (N + k * V)
    return torch.where(torch.isnan(P), torch.tensor(1 / V, dtype=torch.float64), P).log()


@q.equivoco
def pares_sem_repetir(dados, V, k):
    """Um par que se repete contou uma vez só: ou há um `=` no lugar de `+=`, ou `C[a, b] += 1` recebeu vetores de
    índices, que não acumulam (use um laço, bincount ou accumulate=True). Veja a Dica 2."""
    C = torch.zeros(V, V, dtype=torch.float64)
    C[dados[:-1], dados[1:]] += 1
    N = C.sum(dim=1, keepdim=True)
    P = (C + k) / (N + k * V)
    return torch.where(torch.isnan(P), torch.tensor(1 / V, dtype=torch.float64), P).log()


@q.equivoco
def um_par_sim_outro_nao(dados, V, k):
    """Você cortou o texto em pares separados, (0, 1), (2, 3), … Os pares se sobrepõem: cada token, menos o último, é o
    anterior de alguém."""
    C = torch.zeros(V, V, dtype=torch.float64)
    for i in range(0, len(dados) - 1, 2):
        C[dados[i], dados[i + 1]] += 1
    P = (C + k) / (C.sum(dim=1, keepdim=True) + k * V)
    return torch.where(torch.isnan(P), torch.tensor(1 / V, dtype=torch.float64), P).log()


@q.equivoco
def probabilidade_conjunta(dados, V, k):
    """Você dividiu pelo total de pares do texto, e a matriz inteira soma 1. Aqui é condicional: cada linha soma 1."""
    C = contar_pares(dados, V) + k
    return (C / C.sum()).log()


@q.equivoco
def linha_nunca_vista_nan(dados, V, k):
    """Com k = 0, a linha de um token que nunca é seguido por outro virou 0/0, que é NaN. O enunciado diz o que pôr
    nela: a uniforme. Veja a Dica 3."""
    C = contar_pares(dados, V)
    return ((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log()


@q.equivoco
def linha_vazia_pelas_colunas(dados, V, k):
    """Você procurou na coluna quem nunca é seguido por outro. A coluna de um token conta quem vem antes dele; quantas
    vezes ele é seguido é a soma da linha."""
    C = contar_pares(dados, V)
    P = (C + k) / (C.sum(dim=1, keepdim=True) + k * V)
    if k == 0:
        P[C.sum(dim=0) == 0] = 1 / V
    return P.log()


@q.equivoco
def linha_vazia_so_de_quem_nao_aparece(dados, V, k):
    """Com k = 0, você só pôs a uniforme na linha de quem não aparece no texto. Um token que só aparece no fim também
    nunca é seguido por outro, e a linha dele ficou em 0/0."""
    C = contar_pares(dados, V)
    P = (C + k) / (C.sum(dim=1, keepdim=True) + k * V)
    if k == 0:
        P[torch.bincount(dados, minlength=V) == 0] = 1 / V
    return P.log()


@q.equivoco
def linha_nunca_vista_menos_infinito(dados, V, k):
    """Com k = 0, a linha de um token que nunca é seguido por outro ficou toda em menos infinito. O enunciado pede nela
    a uniforme, −ln V."""
    C = contar_pares(dados, V)
    N = C.sum(dim=1, keepdim=True)
    return ((C + k) / (N + k * V).clamp(min=1e-300)).log()


@q.equivoco
def linha_nunca_vista_zero(dados, V, k):
    """Com k = 0, a linha de um token que nunca é seguido por outro ficou com zeros, e log-probabilidade 0 é certeza. O
    enunciado pede nela a uniforme, −ln V."""
    C = contar_pares(dados, V)
    L = ((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log()
    return torch.where(torch.isnan(L), torch.zeros_like(L), L)


@q.equivoco
def linha_nunca_vista_sem_log(dados, V, k):
    """Com k = 0, na linha de um token que nunca é seguido por outro você pôs 1/V, que é a probabilidade. O que se
    devolve é o log dela, −ln V."""
    C = contar_pares(dados, V)
    L = ((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log()
    return torch.where(torch.isnan(L), torch.full_like(L, 1 / V), L)


@q.equivoco
def nan__to__num_troca_o_infinito(dados, V, k):
    """O nan_to_num trocou os −inf por um número enorme e os NaN por 0. Com k = 0, um par nunca visto fica em −inf, e a
    linha de quem nunca é seguido, uniforme: trate-a antes do log."""
    C = contar_pares(dados, V)
    return torch.nan_to_num(((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log())


@q.equivoco
def nan__to__num_em_float32(dados, V, k):
    """O nan_to_num trocou os −inf por um número enorme e os NaN por 0. Com k = 0, um par nunca visto fica em −inf, e a
    linha de quem nunca é seguido, uniforme. Trate só as linhas de soma zero, antes do log."""
    C = contar_pares(dados, V).float()
    return ((C + k) / (C.sum(dim=1, keepdim=True) + k * V)).log().nan_to_num(0)


@q.equivoco
def soma_sem_keepdim(dados, V, k):
    """Os totais são os das linhas, mas entraram nas colunas: C.sum(dim=1) tem forma (V,), e o broadcasting a alinha com
    o último eixo. Use keepdim=True."""
    C = contar_pares(dados, V) + k
    C[C.sum(dim=1) == 0] = 1.0
    return (C / C.sum(dim=1)).log()


@q.equivoco
def divide_pelos_pares_do_texto(dados, V, k):
    """Você dividiu cada linha pelo número de pares do texto inteiro (mais kV). O total é o da própria linha: quantas
    vezes alguém veio depois daquele token."""
    C = contar_pares(dados, V)
    return ((C + k) / (C.sum() + k * V)).log()


@q.equivoco
def k_vezes_os_tokens_vistos(dados, V, k):
    """No denominador, o k foi multiplicado pelo número de tokens que aparecem no texto. O vocabulário tem V tokens, e
    todos ganham k, até os que o texto não tem."""
    C = contar_pares(dados, V)
    P = (C + k) / (C.sum(dim=1, keepdim=True) + k * len(dados.unique()))
    return torch.where(torch.isnan(P), torch.tensor(1 / V, dtype=torch.float64), P).log()


@q.alternativa
def com_laco(dados, V, k):
    C = [[0] * V for _ in range(V)]
    ids = dados.tolist()
    for a, b in zip(ids, ids[1:], strict=False):
        C[a][b] += 1
    C = torch.tensor(C, dtype=torch.float32)
    total = C.sum(1, keepdim=True)
    if k == 0:
        return torch.where(total > 0, C / total, torch.full_like(C, 1 / V)).log()
    return ((C + k) / (total + V * k)).log()


@q.alternativa
def com_bincount(dados, V, k):
    C = torch.bincount(dados[:-1] * V + dados[1:], minlength=V * V).reshape(V, V).float()
    if k > 0:
        return torch.log(C + k) - torch.log(C.sum(dim=1, keepdim=True) + k * V)
    C[C.sum(dim=1) == 0] = 1.0  # a linha nunca vista: todos iguais
    return torch.log(C / C.sum(dim=1, keepdim=True))


@q.alternativa
def com_one_hot(dados, V, k):
    U = F.one_hot(dados, V).float()  # (N, V)
    C = U[:-1].T @ U[1:] + max(k, 1e-30)  # um k minúsculo faz a linha nunca vista ser uniforme
    P = C / C.sum(dim=1, keepdim=True)
    return torch.where(P < 1e-20, torch.tensor(0.0), P).log()


@q.alternativa
def com_numpy(dados, V, k):
    C = np.full((V, V), float(k))
    ids = dados.numpy()
    np.add.at(C, (ids[:-1], ids[1:]), 1)
    C[C.sum(axis=1) == 0] = 1
    with np.errstate(divide="ignore"):
        return np.log(C / C.sum(axis=1, keepdims=True))


@q.alternativa
def nan__to__num_so_no_nan(dados, V, k):
    C = torch.zeros(V * V).scatter_add_(0, dados[:-1] * V + dados[1:], torch.ones(len(dados) - 1)).view(V, V) + k
    return torch.nan_to_num((C / C.sum(1, keepdim=True)).log(), nan=-np.log(V), neginf=-np.inf)


@q.alternativa
def com_counter(dados, V, k):
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
