"""A questão `inventar_cabeca` da lista 04: matrizes com que manga acha a pista.

O que se julga é o que a cabeça faz no pior telegrama (helpers/conferencia/pecas/lista_04.py). Toda tabela tem os mesmos
extremos: uma pista de cada assunto com 0,6 e uma com 1, uma ambígua com 1 nos dois, a mesma manga, uma palavra sem
traço algum. Quem escolhe pelos nomes ouve o mesmo em todas; mudam a ordem e o número dos traços, e as palavras.
As pistas vêm em pares, uma de cada assunto com o resto igual: nenhum outro traço as separa.
"""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_04.comum import softmax
from gabarito.testemunha import reais, tupla
from helpers.conferencia.codificacao import DadoInvalido
from helpers.conferencia.pecas.lista_04 import ACHA, DIZ_O_ASSUNTO, ver_cabeca
from helpers.fichas import FICHAS, TRACOS

PARES = [  # pistas de cozinha e de costura
    *(("suco", "agulha"), ("cozinhar", "bordar"), ("panela", "camisa"), ("doce", "macia"), ("comer", "costurar")),
    *(("forno", "ateliê"), ("azedo", "listrado"), ("sopa", "botão")),
]
AMBIGUAS = ["provar", "ponto", "cortar", "medida", "dobrar"]
OUTRAS = ["trem", "chuva", "ontem", "praça", "correr", "lua", "guerra", "barco", "ler", "antigo"]
OUTROS_TRACOS = ["ação", "lugar", "tempo", "qualidade", "plural", "comprida", "antiga"]
_PESOS, _VALORES = "pesos", "valores"


def inventar_cabeca(tracos, fichas):
    d, forca = len(tracos), 20
    W_Q, W_K, W_V = np.zeros((d, 1)), np.zeros((d, 1)), np.eye(d)
    W_Q[tracos.index("ambígua")] = 1  # quem é ambígua procura
    W_K[tracos.index("cozinha")] = forca
    W_K[tracos.index("costura")] = forca
    W_K[tracos.index("ambígua")] = -2 * forca  # e não quer achar outra ambígua
    return W_Q, W_K, W_V


def _tabela(rng, d, pares=3):
    """Traços em outra ordem e fichas de outras palavras, com os extremos de sempre."""
    outros = ["coisa", *rng.permutation(OUTROS_TRACOS)[: d - 4]]
    tracos = [str(t) for t in rng.permutation(["cozinha", "costura", "ambígua", *outros])]

    def ficha(cozinha, costura, ambigua, resto):
        tem = {"cozinha": cozinha, "costura": costura, "ambígua": ambigua, **dict(zip(outros, resto, strict=True))}
        return np.array([float(tem[t]) for t in tracos])

    def resto():
        return rng.integers(0, 5, size=len(outros), endpoint=True) / 5

    fichas = {"manga": ficha(0.8, 0.8, 1, [1.0, *np.zeros(len(outros) - 1)]), "de": ficha(0, 0, 0, 0 * resto())}
    niveis = [0.6, 1.0, *rng.choice([0.7, 0.8, 0.9], size=pares - 2)]
    for nivel, n in zip(niveis, rng.permutation(len(PARES)), strict=False):
        comum = resto()
        fichas |= {PARES[n][0]: ficha(nivel, 0, 0, comum), PARES[n][1]: ficha(0, nivel, 0, comum)}
    for palavra, nivel in zip(rng.permutation(AMBIGUAS), (1.0, 0.6), strict=False):
        fichas[str(palavra)] = ficha(nivel, nivel, 1, resto())
    fichas |= {str(palavra): ficha(0, 0, 0, resto()) for palavra in rng.permutation(OUTRAS)[:5]}
    palavras = [str(p) for p in rng.permutation(list(fichas))]
    return tracos, {p: fichas[p] for p in palavras}


def _com_outra_ordem(rng, d, pares=3):
    """Uma tabela em que nenhum dos três traços está onde estava no enunciado."""
    while True:
        tracos, fichas = _tabela(rng, d, pares)
        if all(tracos.index(t) != TRACOS.index(t) for t in ("cozinha", "costura", "ambígua")):
            return tracos, fichas


def ocultos(rng):
    tamanhos = [int(d) for d in rng.permutation([5, 6, 7, 8, 9])]
    so_pesos = [caso(*_com_outra_ordem(rng, d, int(rng.integers(3, 6))), False, parte=_PESOS) for d in tamanhos]
    return so_pesos + [caso(*_com_outra_ordem(rng, d), True, parte=_VALORES) for d in tamanhos[:3]]


def _testemunha(visto, tracos, fichas, com_valores):
    """As matrizes que o adaptador leu fazem, aqui, o mesmo que ele disse?"""
    matrizes = [reais(W, _forma(W)).numpy() for W in tupla(visto, 3)]
    return ver_cabeca(tracos, fichas, matrizes, com_valores)[0] == (DIZ_O_ASSUNTO if com_valores else ACHA)


def _forma(W):
    if not isinstance(W, np.ndarray) or W.size > 10_000:
        raise DadoInvalido("não é um array de tamanho razoável")
    return W.shape


_rng = np.random.default_rng(32)
_OUTRA, _MAIOR = _com_outra_ordem(_rng, 5), _com_outra_ordem(_rng, 8, pares=4)
q = questao(
    "lista-04/inventar_cabeca",
    assinatura="inventar_cabeca(tracos, fichas)",
    saida=[("o que a cabeça faz", "texto"), ("pontuações que manga dá, sem a escala", "array")],
    referencia=inventar_cabeca,
    casos=[
        caso(TRACOS, FICHAS, False, claro=True, rotulo="a tabela do enunciado", parte=_PESOS),
        caso(*_OUTRA, False, rotulo="outra tabela, com os traços em outra ordem", parte=_PESOS),
        caso(*_MAIOR, False, rotulo="uma tabela de oito traços", parte=_PESOS),
        caso(TRACOS, FICHAS, True, rotulo="a tabela do enunciado, e o que manga recolhe", parte=_VALORES),
        caso(*_MAIOR, True, rotulo="a tabela de oito traços, e o que manga recolhe", parte=_VALORES),
    ],
    ocultos=ocultos,
    adaptador="lista_04.inventar_cabeca",
    testemunha=_testemunha,
    partes={_PESOS: 2 / 3, _VALORES: 1 / 3},
)

q.equivocos_curtos("""
manga-acha-a-si-mesma: W_K[tracos.index("ambígua")] = -2 * forca → W_K[tracos.index("ambígua")] = 0
    Manga também é de cozinha e de costura, e soma as duas pontuações: ganha das pistas, que só têm uma. O que na
    ficha dela as pistas não têm? Veja a Dica 2.
ambigua-some-pouco: -2 * forca → -forca
    A ambígua desconta o que um assunto só dá. Manga e as outras ambíguas têm os dois, e uma com 1 em cada ainda fica
    na frente das pistas: desconte mais. Veja a Dica 2.
so-cozinha: W_K[tracos.index("costura")] = forca → W_K[tracos.index("costura")] = 0
    As pistas de costura não são achadas: a chave delas não tem o que manga procura. As duas oferecem uma pista.
so-costura: W_K[tracos.index("cozinha")] = forca → W_K[tracos.index("cozinha")] = 0
    As pistas de cozinha não são achadas: a chave delas não tem o que manga procura. As duas oferecem uma pista.
um-assunto-contra-o-outro: W_K[tracos.index("costura")] = forca → W_K[tracos.index("costura")] = -forca
    Você procura cozinha e foge de costura, e uma pista de costura perde de todas. As duas decidem, e as duas têm de ser
    achadas.
forca-pequena: forca = len(tracos), 20 → forca = len(tracos), 1
    A direção está certa, e falta força. Em um telegrama de 20 palavras, as outras são muitas: com diferenças de
    pontuação pequenas, a softmax reparte o peso entre elas. Veja a Dica 3.
forca-media: forca = len(tracos), 20 → forca = len(tracos), 6
    Falta pouco. A pista mais fraca tem só 0,6 do assunto dela, e em 20 palavras as outras somam: aumente os números de
    W_Q ou de W_K. Veja a Dica 3.
sinal-trocado: W_Q[tracos.index("ambígua")] = 1 → W_Q[tracos.index("ambígua")] = -1
    O sinal está trocado: manga dá às pistas as menores pontuações de todas. Troque o de W_Q ou o de W_K, só um deles.
W_Q-e-W_K-trocadas: return W_Q, W_K, W_V → return W_K, W_Q, W_V
    W_Q e W_K saíram trocadas: a primeira é a de quem procura. Assim manga procura o que é ambíguo.
consulta-que-manga-nao-tem: W_Q[tracos.index("ambígua")] = 1 → W_Q[:] = 1 - fichas["manga"][:, None].round()
    A consulta de manga é zero: a linha de W_Q que você encheu é de um traço que ela não tem. Quem não procura nada
    reparte o peso por igual.
tudo-zero: W_K[tracos.index("cozinha")] = forca → return W_K, W_K, W_V⏎W_K[tracos.index("cozinha")] = forca
    W_Q e W_K são só zeros: ninguém procura nem oferece coisa alguma, e o peso se reparte por igual.
tudo-um: return W_Q, W_K, W_V → return np.ones((d, 1)), np.ones((d, 1)), W_V
    Matrizes só de uns comparam a soma da ficha de manga com a das outras, e quem tem mais traços ganha. Escolha que
    traços contam, e com que sinal.
identidade: return W_Q, W_K, W_V → return np.eye(d), np.eye(d), np.eye(d)
    Com a identidade, manga procura quem se parece com ela, como na aula 02, e ninguém se parece mais do que outra
    ambígua, ou ela mesma.
colunas-fixas: tracos.index("cozinha") → 1
        W_K[tracos.index("costura")] → W_K[3]
        W_Q[tracos.index("ambígua")] → W_Q[2]
        W_K[tracos.index("ambígua")] → W_K[2]
    Na tabela do enunciado dá certo. Nas outras, os traços estão em outra ordem: pergunte a `tracos` em que linha está
    cada um. Veja a Dica 1.
a-tabela-do-enunciado: d, forca = len(tracos), 20 → tracos = TRACOS⏎d, forca = len(tracos), 20
    Na tabela do enunciado dá certo. Nas outras os traços são outros, em outra ordem: use os argumentos, `tracos` e
    `fichas`, e não TRACOS, FICHAS ou um número de linhas fixo. Veja a Dica 1.
uma-palavra-so: W_K[tracos.index("cozinha")] = forca → W_K[:, 0] = 99 * next(f for f in fichas.values() if f.max() == 1)
        W_K[tracos.index("costura")] = forca →
        W_K[tracos.index("ambígua")] = -2 * forca →
    A chave é a ficha de uma palavra só, e manga acha as que se parecem com ela. O que as pistas todas têm, e as
    outras não?
transpostas: return W_Q, W_K, W_V → return W_Q.T, W_K.T, W_V.T
    As matrizes saíram transpostas: são (d, d_k), uma linha por traço.
d_k-diferentes: return W_Q, W_K, W_V → return W_Q, np.hstack([W_K, W_K]), W_V
    W_Q e W_K têm números de colunas diferentes. Consultas e chaves se comparam, e por isso d_k é o mesmo.
vetores: return W_Q, W_K, W_V → return W_Q[:, 0], W_K[:, 0], W_V
    W_Q e W_K são vetores, de forma (d,). Com d_k = 1 elas ainda são matrizes, (d, 1).
so-duas: return W_Q, W_K, W_V → return W_Q, W_K
    Vieram duas matrizes. Faltou uma: são três, W_Q, W_K e W_V.
sem-return: return W_Q, W_K, W_V → W_Q, W_K, W_V
    Sua função não devolveu nada: as matrizes ficaram prontas lá dentro e se perderam. Falta o return.
devolve-projecoes: return W_Q, W_K, W_V → return tuple(np.array(list(fichas.values())) @ W for W in (W_Q, W_K, W_V))
    Você devolveu as fichas já multiplicadas, que são Q, K e V. Pedem-se as matrizes que as fazem, com uma linha por
    traço.
divide-por-zero: return W_Q, W_K, W_V → return W_Q, W_K / np.float64(0), W_V
    Há NaN ou infinito em W_K. Números grandes bastam: 20 ou 30 já concentram o peso.
numeros-enormes: forca = len(tracos), 20 → forca = len(tracos), 1e9
    Os números passam de um milhão. Não é preciso: a softmax já dá quase tudo a quem ganha por 10.
W_V-zero: np.eye(d) → np.zeros((d, d))
    Os pesos estão certos, mas W_V é só de zeros: manga acha a pista e não recebe nada dela.
W_V-perde-o-assunto: return W_Q, W_K, W_V → return W_Q, W_K, W_K
    Os pesos estão certos, mas o que se entrega não diz o assunto: a sua W_V apaga cozinha e costura, ou soma as duas em
    um número só, como uma chave que diz apenas “sou uma pista”. Veja a Dica 4.
W_V-quase-perde: np.eye(d) → np.zeros((d, 1))⏎W_V[tracos.index("cozinha")], W_V[tracos.index("costura")] = 1.0, 1.2
    Os pesos estão certos, mas em uma coluna só, com números parecidos, uma pista forte de um assunto entrega o mesmo
    que uma fraca do outro. Dê uma coluna a cada assunto, ou sinais contrários. Veja a Dica 4.
W_V-ao-contrario: return W_Q, W_K, W_V → return W_V, W_K, W_Q
    A ordem é W_Q, W_K, W_V, e as suas saíram ao contrário.
""")


@q.equivoco
def media_das_pistas(tracos, fichas):
    """A chave é a média das fichas das pistas: manga, que se parece com elas, ganha de todas. Desconte o que as
    outras têm e as pistas não. Veja a Dica 2."""
    media = np.mean([fichas[p] for p in _so_pistas(tracos, fichas)], axis=0)
    W_Q = np.zeros((len(tracos), 1))
    W_Q[tracos.index("ambígua")] = 1
    return W_Q, 50 * media[:, None], np.eye(len(tracos))


def _so_pistas(tracos, fichas):
    um, outro = tracos.index("cozinha"), tracos.index("costura")
    return [p for p, ficha in fichas.items() if (ficha[um] > 0) != (ficha[outro] > 0)]


# ------------------------------------------------------------ outras escolhas, todas certas


@q.alternativa
def so_com_a_ambigua_para_baixo(tracos, fichas):
    """Listas, d_k = 2, outra força, sinais negativos dos dois lados, e manga procura por ser de cozinha."""
    W_Q = [[-1.0 * (t == "cozinha"), -2.0 * (t == "cozinha")] for t in tracos]
    chave = {"cozinha": -40.0, "costura": -55.0, "ambígua": 140.0}
    W_K = [[chave.get(t, 0.0), 0.5 * chave.get(t, 0.0)] for t in tracos]
    return [W_Q, W_K, [[1.0 * (t == "cozinha") - (t == "costura")] for t in tracos]]


@q.alternativa
def uma_coluna_por_assunto(tracos, fichas):
    """d_k = 3: uma coluna para cada traço que conta, e o que manga é fica do lado da consulta."""
    quais = [tracos.index(t) for t in ("cozinha", "costura", "ambígua")]
    W_K = np.eye(len(tracos))[:, quais]  # (d, 3)
    procura = np.array([40.0, 40.0, -80.0])
    W_Q = np.outer(fichas["manga"], procura) / (fichas["manga"] @ fichas["manga"])  # manga @ W_Q = procura
    return W_Q.astype(np.float32), W_K.astype(np.float32), np.eye(len(tracos), dtype=np.float32)[:, quais[:2]]


@q.alternativa
def minimos_quadrados(tracos, fichas):
    """Sem usar os nomes a não ser para saber quem é pista: a chave é a reta que melhor separa."""
    X, pistas = np.array(list(fichas.values())), _so_pistas(tracos, fichas)
    y = np.array([1.0 * (p in pistas) for p in fichas])
    w = np.linalg.lstsq(X, y, rcond=None)[0]
    consulta = np.linalg.pinv(fichas["manga"][None])  # (d, 1): manga @ consulta = 1
    return 200 * consulta, w[:, None], np.eye(len(tracos))


@q.alternativa
def gradiente_em_numpy(tracos, fichas):
    """Descida do gradiente na direção da chave: em cada passo, manga reparte o peso em telegramas inteiros."""
    X, pistas = np.array(list(fichas.values())), _so_pistas(tracos, fichas)
    e_pista = np.array([p in pistas for p in fichas])
    telegramas = np.array([[x, *X[~e_pista]] for x in X[e_pista]])  # (B, N, d): a pista é a primeira
    w = np.zeros(len(tracos))
    for _ in range(400):
        A = softmax(telegramas @ w)  # (B, N)
        w -= 1.5 * (np.einsum("bn,bnd->d", A, telegramas) / len(A) - telegramas[:, 0].mean(axis=0))
    return 4 * np.linalg.pinv(fichas["manga"][None]), w[:, None], np.eye(len(tracos))


@q.alternativa
def treino_com_torch(tracos, fichas):
    """As três matrizes aprendidas como na aula: só se corrige o lugar a que manga chegou."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        d = len(tracos)
        pistas, manga = _so_pistas(tracos, fichas), fichas["manga"]
        resto = [f for p, f in fichas.items() if p not in pistas]
        X = torch.tensor(np.array([[fichas[p], *resto, *resto] for p in pistas]))  # (B, N, d)
        W_Q, W_K = (torch.randn(d, 2, dtype=torch.float64, requires_grad=True) for _ in range(2))
        otimizador = torch.optim.Adam([W_Q, W_K], lr=0.3)
        for _ in range(100):
            s = (X @ W_K) @ (torch.tensor(manga) @ W_Q) / 2**0.5  # (B, N)
            perda = -torch.log_softmax(s, dim=1)[:, 0].mean()
            otimizador.zero_grad()
            perda.backward()
            otimizador.step()
        return 3 * W_Q, W_K, torch.eye(d)


@q.alternativa
def a_mesma_matriz_duas_vezes(tracos, fichas):
    """W_Q = W_K: manga também se acha, mas pouco."""
    W = np.zeros((len(tracos), 1))
    for traco, quanto in (("cozinha", 60.0), ("costura", 60.0), ("ambígua", -95.0)):
        W[tracos.index(traco)] = quanto
    return W, W, np.eye(len(tracos))


q.alternativas_curtas("""
forca-enorme: forca = len(tracos), 20 → forca = len(tracos), 5e5
em-pilha: return W_Q, W_K, W_V → return np.stack([np.tile(W_Q, (1, d)), np.tile(W_K, (1, d)), W_V])
""")
