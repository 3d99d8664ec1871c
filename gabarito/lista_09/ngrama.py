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
        for tamanho in range(min(n - 1, len(ids)), -1, -1):  # do contexto mais comprido ao vazio
            contagem = depois.get(tuple(ids[len(ids) - tamanho :]))
            if contagem:  # se nunca foi visto, tenta-se um mais curto
                return _vetor(contagem, V) / sum(contagem.values())

    return prever


def _recuo(dados, V, n, formula):
    """A mesma procura com outra conta no fim: `formula(c, contexto)`. Só os equívocos a usam."""
    depois = _sequencias(dados, n)

    def prever(ids):
        ids = ids.tolist()
        for tamanho in range(min(n - 1, len(ids)), -1, -1):
            contexto = tuple(ids[len(ids) - tamanho :])
            if depois.get(contexto):
                return formula(_vetor(depois[contexto], V), contexto)

    return prever


def _todas_as_ordens(dados, V, n):
    """A mesma função, que devolve a lista das distribuições de cada contexto visto, do vazio ao mais comprido."""
    depois = _sequencias(dados, n)

    def listar(ids):
        ids = ids.tolist()
        vistos = [depois.get(tuple(ids[len(ids) - m :])) for m in range(min(n - 1, len(ids)) + 1)]
        return [_vetor(c, V) for c in vistos if c]

    return listar


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
    """Um texto e contextos: visto, o mesmo de novo, nunca visto, curto, comprido, vazio, o do começo e o do fim dele.

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
    comeco = tuple(ids[: n - 1])
    lista = [visto, novo, comprido, visto, fim, comeco, visto[1:], (), novo[-1:], (V - 1,), (*visto, V - 1)]
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
sem-dividir: _recuo(dados, V, n, lambda c, h: c)
    Sua função devolve as contagens. Divida pela soma delas, N(h), para que sejam probabilidades.
divide-pelo-tamanho-do-texto: _recuo(dados, V, n, lambda c, h: c / len(dados))
    Você dividiu pelo tamanho do texto. Divide-se por N(h), quantas vezes algo veio depois deste contexto, e então a
    soma dá 1.
divide-por-V: _recuo(dados, V, n, lambda c, h: c / V)
    Você dividiu por V. Divide-se por N(h), a soma das contagens deste contexto.
soma-1-em-cada-contagem: _recuo(dados, V, n, lambda c, h: (c + 1) / (c.sum() + V))
    Você somou 1 a cada contagem, como no bigrama com k = 1. Aqui não se soma nada, e quem nunca veio depois do contexto
    fica com zero.
softmax-das-contagens: _recuo(dados, V, n, lambda c, h: c.softmax(0))
    Você passou as contagens por uma softmax. A probabilidade é a própria fração, c(h w) / N(h).
conta-uma-vez-so: _recuo(dados, V, n, lambda c, h: (c > 0) / (c > 0).sum())
    Um token que veio várias vezes depois do contexto contou uma vez só: há um `=` no lugar de `+=`?
so-o-mais-comum: _recuo(dados, V, n, lambda c, h: (c == c.max()).double() / (c == c.max()).sum())
    Só o token mais comum depois do contexto ficou com probabilidade. Cada um recebe a sua fração, c(h w) / N(h).
descarta-o-mais-recente: ids = ids.tolist() → contexto = ids.tolist()[max(0, len(ids) - n + 1) :]
        min(n - 1, len(ids)) → len(contexto)
        ids[len(ids) - tamanho :] → contexto[:tamanho]
    Ao encurtar o contexto, você jogou fora o token mais recente. Quem sai é o mais antigo, porque o vizinho é quem mais
    ajuda a prever.
comeco-de-ids: ids[len(ids) - tamanho :] → ids[:tamanho]
    Você usou os primeiros tokens de ids. O contexto são os últimos: `ids[len(ids) - m:]`.
contexto-ao-contrario: ids[len(ids) - tamanho :] → ids[len(ids) - tamanho :][::-1]
    O contexto foi procurado de trás para a frente. A ordem dos tokens é a do texto, o mais antigo primeiro.
um-token-a-mais: ngrama(dados, V, n + 1)
    Seu contexto tem n tokens. Um n-grama tem n tokens ao todo: n − 1 de contexto e o previsto.
um-token-a-menos: ngrama(dados, V, max(n - 1, 1))
    Falta um token no seu contexto: com n = 2 a previsão olha para 1 token, e com n = 3, para 2.
do-vazio-para-cima: min(n - 1, len(ids)), -1, -1 → min(n - 1, len(ids)) + 1
    Sua procura começa no contexto vazio, que sempre foi visto, e para nele. Comece no mais comprido e vá encurtando.
perde-o-ultimo-token: ngrama(dados[:-1], V, n)
    O último token do texto não foi contado: ele também veio depois de alguém. Confira até onde vai o laço.
nao-devolve-funcao: ngrama(dados, V, n)(dados)
    `ngrama` deve devolver uma função, que depois será chamada com ids. O que veio já é um resultado, sem contexto
    nenhum.
nunca-chega-ao-vazio: min(n - 1, len(ids)), -1, -1 → min(n - 1, len(ids)), 0, -1
    Sua procura para antes do contexto vazio, e há previsões que não saem. O range não inclui o fim: ele vai até −1.
fatia-com-comeco-negativo: range(min(n - 1, i) + 1) → range(n)
    No começo do texto, i − m fica negativo, e a fatia ids[i − m : i] sai vazia (ou de outro lugar): esses tokens foram
    contados a mais no contexto vazio. m vai só até min(n − 1, i).
""")


@q.equivoco
def mistura_todas_as_ordens(dados, V, n):
    """Você tirou a média de todos os contextos vistos. Aqui vale um só: o mais comprido que o texto tem."""
    listar = _todas_as_ordens(dados, V, n)
    return lambda ids: torch.stack([c / c.sum() for c in listar(ids)]).mean(0)


@q.equivoco
def soma_as_contagens_das_ordens(dados, V, n):
    """Você somou as contagens de todos os contextos vistos, dos curtos aos compridos. Vale só o mais comprido deles."""
    listar = _todas_as_ordens(dados, V, n)

    def prever(ids):
        c = torch.stack(listar(ids)).sum(0)
        return c / c.sum()

    return prever


@q.equivoco
def mistura_com_o_mais_curto(dados, V, n):
    """Você misturou as contagens do contexto com as do mais curto, como fazem os n-gramas da aula. Aqui é mais simples:
    vale só o contexto mais comprido que foi visto."""
    listar = _todas_as_ordens(dados, V, n)

    def prever(ids):
        p = torch.full((V,), 1 / V, dtype=torch.float64)
        for c in listar(ids):
            T = (c > 0).sum()
            p = (c + T * p) / (c.sum() + T)
        return p

    return prever


@q.equivoco
def fatia_menos_zero(dados, V, n):
    """Com m = 0, `ids[-m:]` é ids inteiro, e não o contexto vazio. Conte a partir do comprimento: `ids[len(ids) - m:]`.
    Veja a Dica 3."""
    depois = _sequencias(dados, n)

    def prever(ids):
        ids = ids.tolist()
        for tamanho in range(min(n - 1, len(ids)), -1, -1):
            contagem = depois.get(tuple(ids[-tamanho:]))
            if contagem:
                return _vetor(contagem, V) / sum(contagem.values())
        return torch.full((V,), 1 / V, dtype=torch.float64)

    return prever


def _com_chaves(dados, V, n, chave):
    """O n-grama em que o token t, com um contexto de m, conta na chave `chave(ids, t, m)`; em None, não conta."""
    ids, depois = dados.tolist(), defaultdict(Counter)
    for t, token in enumerate(ids):
        for m in range(min(n - 1, t) + 1):
            onde = chave(ids, t, m)
            if onde is not None:
                depois[onde][token] += 1

    def prever(ids):
        ids = ids.tolist()
        for m in range(min(n - 1, len(ids)), -1, -1):
            contagem = depois.get(tuple(ids[len(ids) - m :]))
            if contagem:
                return _vetor(contagem, V) / sum(contagem.values())
        return torch.full((V,), 1 / V, dtype=torch.float64)

    return prever


@q.equivoco
def conta_o_proprio_token_no_contexto(dados, V, n):
    """O contexto de um token inclui ele mesmo: a fatia vai uma posição longe demais. O contexto de t acaba em t − 1."""
    return _com_chaves(dados, V, n, lambda ids, t, m: tuple(ids[t - m + 1 : t + 1]))


@q.equivoco
def perde_o_contexto_do_comeco(dados, V, n):
    """As primeiras contagens se perderam: o contexto que começa no primeiro token do texto também vale (t − m ≥ 0, e
    não t − m > 0)."""
    return _com_chaves(dados, V, n, lambda ids, t, m: tuple(ids[t - m : t]) if t > m else None)


@q.equivoco
def devolve_logs(dados, V, n):
    """Isto são log-probabilidades. O enunciado pede as probabilidades, que somam 1."""
    prever = ngrama(dados, V, n)
    return lambda ids: prever(ids).log()


@q.equivoco
def contexto_novo_da_KeyError(dados, V, n):
    """Um contexto que o texto não tem não está no dicionário, e a consulta parou com KeyError. Pergunte antes (in,
    get): se não está, tente um mais curto."""
    depois = dict(_sequencias(dados, n))

    def prever(ids):
        contagem = depois[tuple(ids.tolist()[max(0, len(ids) - n + 1) :])]
        return _vetor(contagem, V) / sum(contagem.values())

    return prever


@q.equivoco
def perde_o_primeiro_token(dados, V, n):
    """O primeiro token do texto não foi contado no contexto vazio: nele N é o tamanho do texto. Comece o laço na
    posição 0."""
    primeiro = dados[0].item()

    def formula(c, h):
        if not h:
            c[primeiro] -= 1
        return c / c.sum()

    return _recuo(dados, V, n, formula)


@q.equivoco
def prever_devolve_lista(dados, V, n):
    """Sua função de ids devolve uma lista do Python. O enunciado pede um tensor ou um array (V,):
    torch.tensor(lista)."""
    prever = ngrama(dados, V, n)
    return lambda ids: prever(ids).tolist()


@q.equivoco
def contexto_novo_vira_uniforme(dados, V, n):
    """Um contexto nunca visto recebeu a uniforme. Ele deve encurtar: vale o que veio depois do contexto com um token a
    menos."""
    depois = _sequencias(dados, n)
    prever = ngrama(dados, V, n)

    def f(ids):
        contexto = tuple(ids.tolist()[max(0, len(ids) - n + 1) :])
        return prever(ids) if depois.get(contexto) else torch.full((V,), 1 / V, dtype=torch.float64)

    return f


@q.equivoco
def contexto_novo_vira_unigrama(dados, V, n):
    """Um contexto nunca visto caiu direto no contexto vazio. Encurte de um em um: primeiro, o contexto com um token a
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
    """Com menos de n − 1 tokens, seu modelo caiu no contexto vazio. O enunciado pede que ele use os que há."""
    prever = ngrama(dados, V, n)
    return lambda ids: prever(ids) if len(ids) >= n - 1 else prever(ids[:0])


@q.equivoco
def pula_o_comeco_do_texto(dados, V, n):
    """Os contextos curtos não contaram o começo do texto: seu laço só começa quando já há n − 1 tokens antes. O
    primeiro token também conta no contexto vazio."""
    ids = dados.tolist()
    depois = defaultdict(Counter)
    for i in range(n - 1, len(ids)):
        for tamanho in range(n):
            depois[tuple(ids[i - tamanho : i])][ids[i]] += 1

    def prever(ids):
        ids = ids.tolist()
        for tamanho in range(min(n - 1, len(ids)), -1, -1):
            contagem = depois.get(tuple(ids[len(ids) - tamanho :]))
            if contagem:
                return _vetor(contagem, V) / sum(contagem.values())
        return torch.full((V,), 1 / V, dtype=torch.float64)

    return prever


@q.equivoco
def conta_o_contexto_do_fim(dados, V, n):
    """Seu N conta também a vez em que o contexto é o fim do texto, e não há nada depois dele. N é quantas vezes algo
    veio depois: a soma das contagens."""
    fim = dados.tolist()

    def formula(c, h):
        return c / (c.sum() + (1 if h and tuple(fim[len(fim) - len(h) :]) == h else 0))

    return _recuo(dados, V, n, formula)


@q.equivoco
def o_mais_provavel(dados, V, n):
    """Sua função devolve um token só. O enunciado pede a distribuição inteira: um array (V,) de probabilidades."""
    prever = ngrama(dados, V, n)
    return lambda ids: int(prever(ids).argmax())


@q.equivoco
def sem_return(dados, V, n):
    """`ngrama` não devolveu nada. A função de dentro ficou pronta e se perdeu: falta `return`."""
    ngrama(dados, V, n)


@q.alternativa
def recursiva_com_dicionarios(dados, V, n):
    ids = dados.tolist()
    contagens = {}
    for m in range(n):
        for i in range(m, len(ids)):
            contexto = tuple(ids[i - m : i])
            contagens.setdefault(contexto, [0] * V)[ids[i]] += 1

    def P(contexto):
        c = contagens.get(contexto)
        return P(contexto[1:]) if c is None else [vezes / sum(c) for vezes in c]

    def prever(ids):
        recentes = ids.tolist()
        while len(recentes) > n - 1:
            recentes.pop(0)
        return torch.tensor(P(tuple(recentes)))

    return prever


@q.alternativa
def sobe_e_fica_com_a_ultima_vista(dados, V, n):
    listar = _todas_as_ordens(dados, V, n)

    def prever(ids):
        c = listar(ids)[-1]
        return c / c.sum()

    return prever


@q.alternativa
def procura_no_texto_a_cada_vez(dados, V, n):
    def prever(ids):
        p = torch.ones(V) / V
        for m in range(0, min(n - 1, len(ids)) + 1):
            contexto = ids[len(ids) - m :]
            seguintes = [dados[i] for i in range(m, len(dados)) if torch.equal(dados[i - m : i], contexto)]
            if seguintes:
                p = torch.bincount(torch.stack(seguintes), minlength=V).float() / len(seguintes)
        return p

    return prever


@q.alternativa
def janelas_em_numpy(dados, V, n):
    texto = dados.numpy()

    def prever(ids):
        contexto = ids.numpy()[max(0, len(ids) - (n - 1)) :]
        for m in range(min(len(contexto), len(texto) - 1), -1, -1):
            janelas = np.lib.stride_tricks.sliding_window_view(texto, m + 1)  # (quantas, m + 1)
            achou = (janelas[:, :m] == contexto[len(contexto) - m :]).all(axis=1)
            if achou.any():
                return np.bincount(janelas[achou, m], minlength=V) / achou.sum()
        return None

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
        while "".join(partes) not in tabela:
            partes = partes[1:]
        c = tabela["".join(partes)]
        return c / c.sum()

    return prever
