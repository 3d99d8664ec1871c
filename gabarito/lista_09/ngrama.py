"""A questão `ngrama` da lista 09."""

from collections import Counter, defaultdict

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_09.comum import NADA_SERVIU, TENTATIVAS, cadeia, em_ids

_MAIORES = "contextos maiores"


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


def ngrama(dados, V, n):
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
    """A mesma descida com outra fórmula: `formula(c, p, contexto)`. Só os equívocos a usam."""
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
    for _ in TENTATIVAS:
        ids = cadeia(rng, V - 1, quantos, 0.4)
        visto, novo = _contexto_que_separa(rng, ids, V, n), _contexto_novo(rng, ids, V - 1, n)
        fim = tuple(ids[len(ids) - (n - 1) :])
        if visto and novo and len(set(ids)) == V - 1 and _sequencias(torch.tensor(ids), n).get(fim):
            break
    else:
        raise RuntimeError(NADA_SERVIU)
    comprido = (int(rng.integers(V)), novo[0], *visto)
    lista = [visto, novo, comprido, visto, fim, visto[1:], (), novo[-1:], (V - 1,), (*visto, V - 1)]
    return caso(torch.tensor(ids), V, n, tuple(torch.tensor(c, dtype=torch.int64) for c in lista), **opcoes)


def _caso_de_unigrama(rng, V, quantos, **opcoes):
    ids = torch.tensor(cadeia(rng, V - 1, quantos, 2.0))
    contextos = (_VAZIO, ids[3:4], ids[4:6], ids[-2:], torch.tensor([V - 1, 0, 1]))
    return caso(ids, V, 1, contextos, **opcoes)


def ocultos(rng):
    return [
        _caso_de_ngrama(rng, 5, 3, 40, parte=_MAIORES),
        _caso_de_ngrama(rng, 7, 2, 36),
        _caso_de_ngrama(rng, 6, 4, 60, parte=_MAIORES),
        _caso_de_ngrama(rng, 6, 3, 50, parte=_MAIORES),
        _caso_de_unigrama(rng, 6, 20),
        caso(
            torch.tensor(rng.permutation(6)[:3]),
            6,
            5,
            (torch.tensor(rng.permutation(6)[:4]), _VAZIO),
            parte=_MAIORES,
        ),
    ]


_ABRACADABRA = torch.tensor([0, 1, 2, 0, 3, 0, 4, 0, 1, 2, 0])  # a b r a c a d a b r a

q = questao(
    "lista-09/ngrama",
    assinatura="ngrama(dados, V, n)",
    saida=[("o que ngrama devolveu", "texto"), ("probabilidades (uma linha por contexto)", "array")],
    referencia=ngrama,
    adaptador="lista_09.ngrama",
    casos=[
        caso(
            _ABRACADABRA,
            5,
            2,
            (em_ids([0]), em_ids([3, 1]), _VAZIO),
            claro=True,
            rotulo="o exemplo do enunciado, n = 2",
        ),
        caso(
            _ABRACADABRA,
            6,
            3,
            (
                em_ids([2, 0]),
                em_ids([1, 0]),
                em_ids([0, 1, 2, 0]),
                em_ids([2, 0]),
                em_ids([0]),
                _VAZIO,
                em_ids([5]),
                em_ids([0, 5]),
            ),
            rotulo="n = 3, com contextos vistos, nunca vistos, curtos e compridos",
            parte=_MAIORES,
        ),
        caso(_ABRACADABRA, 6, 1, (_VAZIO, em_ids([0]), em_ids([3, 1])), rotulo="n = 1: o contexto não importa"),
        _caso_de_ngrama(np.random.default_rng(4), 6, 4, 48, rotulo="n = 4, texto de 48 tokens", parte=_MAIORES),
        _caso_de_ngrama(np.random.default_rng(7), 5, 2, 30, rotulo="n = 2, texto de 30 tokens"),
        caso(
            em_ids([2, 0, 1]),
            4,
            5,
            (em_ids([2, 0, 1, 3]), em_ids([3, 2]), _VAZIO),
            rotulo="texto menor que n",
            parte=_MAIORES,
        ),
    ],
    ocultos=ocultos,
    propriedades=["probabilidades (uma linha por contexto): nao-negativa"],
    partes={"contexto de até um token": 0.5, _MAIORES: 0.5},
)

q.equivocos_curtos("""
para-no-bigrama: ngrama(dados, V, min(n, 2))
    Sua conta para no contexto de um token. Com n = 3, vale também o que veio depois dos dois últimos, e assim até
    n − 1. Veja a Dica 2.
T-e-o-numero-de-ocorrencias: _misturado(dados, V, n, lambda c, p, h: (c + c.sum() * p) / (2 * c.sum()))
    Seu T conta todas as vezes em que algo veio depois do contexto, com repetição (é o mesmo que misturar meio a meio).
    T é quantos tokens diferentes vieram depois dele.
T-e-V: _misturado(dados, V, n, lambda c, p, h: (c + V * p) / (c.sum() + V))
    Seu T é sempre V. T é quantos tokens diferentes vieram depois deste contexto, no texto.
T-sempre-1: _misturado(dados, V, n, lambda c, p, h: (c + p) / (c.sum() + 1))
    A ordem de baixo entrou com peso 1 em todos os contextos. O peso dela é T: quantos tokens diferentes vieram depois
    do contexto.
sem-a-ordem-de-baixo-no-numerador: _misturado(dados, V, n, lambda c, p, h: c / (c.sum() + (c > 0).sum()))
    O denominador tem N + T, mas no numerador só há contagens: falta T vezes a probabilidade da ordem de baixo, e a soma
    não dá 1.
so-as-contagens: _misturado(dados, V, n, lambda c, p, h: c / c.sum())
    Quando o contexto já foi visto, você usou só as contagens dele: o que nunca veio depois ficou com probabilidade
    zero. Misture com a ordem de baixo. Veja a Dica 2.
mistura-com-a-uniforme: _misturado(dados, V, n, lambda c, p, h: (c + (c > 0).sum() / V) / (c.sum() + (c > 0).sum()))
    Você misturou as contagens do contexto direto com a uniforme 1/V. Entre as duas estão as ordens menores. A logo
    abaixo tem um token a menos de contexto.
unigrama-sem-a-uniforme: _misturado(dados, V, n, lambda c, p, h: (c + (c > 0).sum() * p) / (c.sum() + (c > 0).sum()) if
        h else c / c.sum())
    Sua descida para no unigrama de contagens puras, e o token que o texto não tem fica com probabilidade zero. Também a
    ordem 1 se mistura: com a uniforme 1/V.
soma-1-no-lugar-da-uniforme: _misturado(dados, V, n, lambda c, p, h: (c + (c > 0).sum() * p) / (c.sum() + (c >
        0).sum()) if h else (c + 1) / (c.sum() + V))
    No unigrama você somou 1 a cada contagem. A ordem 1 segue a mesma fórmula das outras: (c + T/V) / (N + T).
descarta-o-mais-recente: ids = ids.tolist() → contexto = ids.tolist()[max(0, len(ids) - n + 1) :]
        min(n - 1, len(ids)) → len(contexto)
        ids[len(ids) - tamanho :] → contexto[:tamanho]
    Ao descer de ordem, você jogou fora o token mais recente do contexto. Quem sai é o mais antigo, porque o vizinho é
    quem mais ajuda a prever.
comeco-de-ids: ids[len(ids) - tamanho :] → ids[:tamanho]
    Você usou os primeiros tokens de ids. O contexto são os últimos: `ids[len(ids) - m:]`.
comeca-em-zero: torch.full((V,), 1 / V, dtype=torch.float64) → torch.zeros(V, dtype=torch.float64)
    As probabilidades somam menos que 1: a escada começou em zero. Abaixo do contexto vazio está a uniforme, 1/V em cada
    token. Comece por ela.
contexto-ao-contrario: ids[len(ids) - tamanho :] → ids[len(ids) - tamanho :][::-1]
    O contexto foi procurado de trás para a frente. A ordem dos tokens é a do texto, o mais antigo primeiro.
um-token-a-mais: ngrama(dados, V, n + 1)
    Seu contexto tem n tokens. Um n-grama tem n tokens ao todo: n − 1 de contexto e o previsto.
um-token-a-menos: ngrama(dados, V, max(n - 1, 1))
    Falta um token no seu contexto: com n = 2 a previsão olha para 1 token, e com n = 3, para 2.
fatia-menos-zero-na-escada: len(ids) - tamanho → - tamanho
    No primeiro degrau, `ids[-m:]` com m = 0 é ids inteiro, e não o contexto vazio: o unigrama ficou de fora. Conte a
    partir do comprimento, `ids[len(ids) - m:]`.
soma-1-em-cada-contagem: _misturado(dados, V, n, lambda c, p, h: (c + 1) / (c.sum() + V))
    Você somou 1 a cada contagem, como no bigrama com k = 1. Aqui o que se soma é T vezes a ordem de baixo, e se divide
    por N + T.
sem-T-no-denominador: _misturado(dados, V, n, lambda c, p, h: (c + (c > 0).sum() * p) / c.sum())
    As probabilidades somam mais que 1: no denominador há só N. Ao somar T vezes a ordem de baixo, o total cresce T:
    divida por N + T.
sem-T-no-numerador: _misturado(dados, V, n, lambda c, p, h: (c + p) / (c.sum() + (c > 0).sum()))
    As probabilidades somam menos que 1: no numerador a ordem de baixo entrou sem o T. É c + T · P, sobre N + T.
escada-de-cima-para-baixo: min(n - 1, len(ids)) + 1 → min(n - 1, len(ids)), -1, -1
    A escada está de cabeça para baixo: o contexto comprido foi misturado com a uniforme, e o unigrama ficou por último,
    com o maior peso. Comece no contexto vazio e suba.
perde-o-ultimo-token: ngrama(dados[:-1], V, n)
    O último token do texto não foi contado: ele também veio depois de alguém. Confira até onde vai o laço.
nao-devolve-funcao: ngrama(dados, V, n)(dados)
    `ngrama` deve devolver uma função, que depois será chamada com ids. O que veio já é um resultado, sem contexto
    nenhum.
so-a-ordem-mais-alta: range(min(n - 1, len(ids)) + 1): → [min(n - 1, len(ids))]:
    Só o contexto mais comprido foi consultado, misturado direto com a uniforme. Suba a escada inteira: o contexto
    vazio, o de 1 token, e assim por diante, cada um apoiado no de baixo.
sem-o-unigrama: range(min(n - 1, len(ids)) + 1): → range(1, min(n - 1, len(ids)) + 1):
    A escada começou no contexto de 1 token, e o unigrama ficou de fora. Comece no contexto vazio, tamanho 0.
um-degrau-a-menos: range(min(n - 1, len(ids)) + 1): → range(min(n - 1, len(ids))):
    A escada para um degrau antes: o contexto mais comprido não é consultado. O range não inclui o fim.
sem-parenteses: _misturado(dados, V, n, lambda c, p, h: c + (c > 0).sum() * p / (c.sum() + (c > 0).sum()))
    As probabilidades somam mais que 1: só a ordem de baixo foi dividida por N + T. Ponha o numerador inteiro entre
    parênteses.
conta-uma-vez-so: _misturado(dados, V, n, lambda c, p, h: ((c > 0) + (c > 0).sum() * p) / (2 * (c > 0).sum()))
    Um token que veio várias vezes depois do contexto contou uma vez só: há um `=` no lugar de `+=`?
fatia-com-comeco-negativo: range(min(n - 1, i) + 1) → range(n)
    No começo do texto, i − m fica negativo, e a fatia ids[i − m : i] sai vazia (ou de outro lugar): esses tokens foram
    contados a mais no contexto vazio. m vai só até min(n − 1, i).
""")


@q.equivoco
def T_do_texto_inteiro(dados, V, n):
    """Seu T é o número de tokens diferentes no texto inteiro. Ele depende do contexto: quantos diferentes vieram depois
    deste."""
    T = len(set(dados.tolist()))
    return _misturado(dados, V, n, lambda c, p, h: (c + T * p) / (c.sum() + T))


@q.equivoco
def comeco_do_contexto(dados, V, n):
    """Seu modelo usa os primeiros tokens de ids. O que prevê o próximo são os últimos n − 1."""
    prever = ngrama(dados, V, n)
    return lambda ids: prever(ids[: n - 1])


@q.equivoco
def fatia_menos_zero(dados, V, n):
    """Com n = 1, `ids[-(n - 1):]` é `ids[-0:]`, isto é, ids inteiro. O contexto de um unigrama é vazio: conte a partir
    do comprimento, ou trate n = 1 à parte. Veja a Dica 3."""
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


@q.equivoco
def tensor_como_chave(dados, V, n):
    """Seu modelo responde sempre com o unigrama. Ou nunca acha o contexto (uma tupla de tensores não serve de chave:
    use números, com tolist()), ou a escada para no primeiro degrau (um return dentro do laço?). Veja a Dica 1."""
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


@q.equivoco
def devolve_logs(dados, V, n):
    """Isto são log-probabilidades. O enunciado pede as probabilidades, que somam 1."""
    prever = ngrama(dados, V, n)
    return lambda ids: prever(ids).log()


@q.equivoco
def contexto_novo_da_zero_sobre_zero(dados, V, n):
    """Um contexto nunca visto deu NaN: nele N e T são 0, e a fórmula vira 0/0. O enunciado diz o que fazer: vale a
    ordem de baixo, sem mudança."""
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


@q.equivoco
def contexto_novo_da_KeyError(dados, V, n):
    """Um contexto que o texto não tem não está no dicionário, e a consulta parou com KeyError. Pergunte antes (in,
    get): se não está, fica a ordem de baixo."""
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


@q.equivoco
def perde_o_primeiro_token(dados, V, n):
    """O primeiro token do texto não foi contado no contexto vazio: nele N é o tamanho do texto. Comece o laço na
    posição 0."""
    primeiro = dados[0].item()

    def formula(c, p, h):
        if not h:
            c = c.clone()
            c[primeiro] -= 1
        T = (c > 0).sum()
        return (c + T * p) / (c.sum() + T)

    return _misturado(dados, V, n, formula)


@q.equivoco
def uniforme_so_dos_vistos(dados, V, n):
    """A uniforme de baixo só reparte entre os tokens que aparecem no texto, e os outros ficam com zero. São V tokens,
    todos com 1/V."""
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


@q.equivoco
def prever_devolve_lista(dados, V, n):
    """Sua função de ids devolve uma lista do Python. O enunciado pede um tensor ou um array (V,):
    torch.tensor(lista)."""
    prever = ngrama(dados, V, n)
    return lambda ids: prever(ids).tolist()


@q.equivoco
def contexto_novo_vira_uniforme(dados, V, n):
    """Um contexto nunca visto recebeu a uniforme. Ele deve descer: valem as probabilidades do contexto com um token a
    menos."""
    depois = _sequencias(dados, n)
    prever = ngrama(dados, V, n)

    def f(ids):
        contexto = tuple(ids.tolist()[max(0, len(ids) - n + 1) :])
        return prever(ids) if depois.get(contexto) else torch.full((V,), 1 / V, dtype=torch.float64)

    return f


@q.equivoco
def contexto_novo_vira_unigrama(dados, V, n):
    """Um contexto nunca visto caiu direto no unigrama. Desça um degrau de cada vez: primeiro, o contexto com um token a
    menos."""
    depois = _sequencias(dados, n)
    prever = ngrama(dados, V, n)

    def f(ids):
        contexto = tuple(ids.tolist()[max(0, len(ids) - n + 1) :])
        return prever(ids) if depois.get(contexto) else prever(ids[:0])

    return f


@q.equivoco
def contexto_curto_vira_uniforme(dados, V, n):
    """Com menos de n − 1 tokens, seu modelo desistiu e deu a uniforme. O enunciado pede que ele use os que há."""
    prever = ngrama(dados, V, n)
    return lambda ids: prever(ids) if len(ids) >= n - 1 else torch.full((V,), 1 / V, dtype=torch.float64)


@q.equivoco
def contexto_curto_vira_unigrama(dados, V, n):
    """Com menos de n − 1 tokens, seu modelo caiu no unigrama. O enunciado pede que ele use os que há."""
    prever = ngrama(dados, V, n)
    return lambda ids: prever(ids) if len(ids) >= n - 1 else prever(ids[:0])


@q.equivoco
def pula_o_comeco_do_texto(dados, V, n):
    """As ordens menores não contaram o começo do texto: seu laço só começa quando já há n − 1 tokens antes. O primeiro
    token também conta no unigrama."""
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


@q.equivoco
def conta_o_contexto_do_fim(dados, V, n):
    """Seu N conta também a vez em que o contexto é o fim do texto, e não há nada depois dele. N é quantas vezes algo
    veio depois: a soma das contagens."""
    fim = dados.tolist()

    def formula(c, p, h):
        T = (c > 0).sum()
        N = c.sum() + (1 if h and tuple(fim[len(fim) - len(h) :]) == h else 0)
        return (c + T * p) / (N + T)

    return _misturado(dados, V, n, formula)


@q.equivoco
def defaultdict_que_incha(dados, V, n):
    """Consultar um defaultdict cria a chave: depois da primeira previsão, T passa a contar tokens que nunca vieram.
    Consulte com get, ou guarde T antes."""
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


@q.equivoco
def conta_os_que_vem_antes(dados, V, n):
    """Seu T conta quantos tokens diferentes vêm antes do contexto. O que interessa é o que vem depois dele."""
    ids = dados.tolist()

    def formula(c, p, h):
        m = len(h)
        antes = {ids[i - 1] for i in range(1, len(ids) - m + 1) if tuple(ids[i : i + m]) == h}
        T = len(antes)
        return (c + T * p) / (c.sum() + T)

    return _misturado(dados, V, n, formula)


@q.equivoco
def o_mais_provavel(dados, V, n):
    """Sua função devolve um token só. O enunciado pede a distribuição inteira: um array (V,) de probabilidades."""
    prever = ngrama(dados, V, n)
    return lambda ids: int(prever(ids).argmax())


@q.equivoco
def sem_return(dados, V, n):
    """`ngrama` não devolveu nada. A função de dentro ficou pronta e se perdeu: falta `return`."""
    ngrama(dados, V, n)


@q.equivoco
def sem_descida(dados, V, n):
    """Só o contexto mais comprido foi consultado: saíram as contagens puras dele, ou a uniforme, se ele nunca apareceu.
    Suba a escada: cada ordem se mistura com a de baixo, (c + T · P) / (N + T)."""
    depois = _sequencias(dados, n)

    def prever(ids):
        contagem = depois.get(tuple(ids.tolist()[max(0, len(ids) - n + 1) :]), Counter(range(V)))
        return _vetor(contagem, V) / sum(contagem.values())

    return prever


@q.alternativa
def recursiva_com_dicionarios(dados, V, n):
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


@q.alternativa
def procura_no_texto_a_cada_vez(dados, V, n):
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


@q.alternativa
def janelas_em_numpy(dados, V, n):
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


@q.alternativa
def textos_como_chave_em_float32(dados, V, n):
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


@q.alternativa
def uma_tabela_por_ordem_e_para_no_primeiro_que_falta(dados, V, n):
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


@q.alternativa
def objeto_que_se_chama(dados, V, n):
    class Modelo:
        def __init__(self):
            self.abaixo = None if n == 1 else ngrama(dados, V, n - 1)
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
