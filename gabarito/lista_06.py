"""Lista 06: a máscara causal, a de preenchimento, a atenção mascarada, as cabeças causais e a busca de vazamentos.

As pontuações ficam pequenas (o desvio delas é perto de 1) e uma máscara aditiva de −1e9 dá os mesmos pesos que −inf. Em
alguns casos elas vão a ±40, exatas em float32: quem esconde com −30 é apanhado, e quem esconde com −1e4 não. Em
`vaza_futuro`, uma função causal muda por menos de 1e-10 do tamanho da saída quando se mexe no futuro (é
arredondamento), e uma que vaza, por mais de 1e-4.
"""

import numpy as np
import torch

from gabarito.base import caso, funcao, gerador, questao

# ---------------------------------------------------------------------------------------- mascara_causal


def _mascara_causal(T):
    return np.triu(np.ones((T, T), dtype=bool), k=1)


def _ocultos_mascara_causal(rng):
    tamanhos = [int(t) for t in rng.choice(np.arange(7, 30), size=3, replace=False)]
    grande = int(rng.integers(90, 111))  # maior que qualquer máscara guardada pronta
    return [caso(T) for T in (1, 2, 3, *tamanhos, grande)]


mascara_causal = questao(
    "lista-06/mascara_causal",
    assinatura="mascara_causal(T)",
    saida="array",
    referencia=_mascara_causal,
    casos=[
        caso(4, claro=True, rotulo="o exemplo do enunciado"),
        caso(3, rotulo="três posições"),
        caso(1, rotulo="uma posição só"),
        caso(2, rotulo="duas posições"),
        caso(7, rotulo="sete posições"),
        caso(33, rotulo="trinta e três posições"),
    ],
    ocultos=_ocultos_mascara_causal,
)


@mascara_causal.equivoco(
    "true-conserva",
    "Sua máscara está invertida: True aparece onde se pode olhar. Aqui a convenção é a do MultiheadAttention: "
    "True esconde.",
)
def _(T):
    return np.tril(np.ones((T, T), dtype=bool))


@mascara_causal.equivoco(
    "esconde-a-diagonal",
    "Você escondeu também a diagonal: nenhuma posição vê a si mesma, e a primeira não vê nada. O presente não é "
    "futuro: olhe a partir de que diagonal começa o True.",
)
def _(T):
    return np.triu(np.ones((T, T), dtype=bool))


@mascara_causal.equivoco(
    "esconde-o-passado",
    "É o passado que está escondido, e o futuro à vista: o triângulo é o outro. Linha é quem olha, coluna é quem "
    "é olhado.",
)
def _(T):
    return np.tril(np.ones((T, T), dtype=bool), k=-1)


@mascara_causal.equivoco(
    "deixa-ver-o-proximo",
    "Cada posição ainda enxerga a seguinte: a máscara começa uma diagonal tarde demais. Esse vazamento de uma casa "
    "é o pior de todos, porque o próximo token é justamente a resposta.",
)
def _(T):
    return np.triu(np.ones((T, T), dtype=bool), k=2)


@mascara_causal.equivoco(
    "esconde-o-anterior",
    "Você escondeu a diagonal e ainda a posição anterior: a linha t deve ver tudo de 0 até t. Confira o "
    "deslocamento da diagonal.",
)
def _(T):
    return np.triu(np.ones((T, T), dtype=bool), k=-1)


@mascara_causal.equivoco(
    "numeros-em-vez-de-bool",
    "Os lugares estão certos, mas são números 0 e 1. O enunciado pede um array de booleanos: com ele se pode "
    "indexar, negar com ~ e usar np.where.",
)
def _(T):
    return np.triu(np.ones((T, T)), k=1)


@mascara_causal.equivoco(
    "nada-escondido",
    "Sua máscara é toda False: não esconde ninguém. Onde a coluna vem depois da linha, deve haver True.",
)
def _(T):
    return np.zeros((T, T), dtype=bool)


@mascara_causal.equivoco(
    "esconde-tudo",
    "Sua máscara é toda True: ninguém vê ninguém. A diagonal e o que está abaixo dela ficam à vista.",
)
def _(T):
    return np.ones((T, T), dtype=bool)


@mascara_causal.equivoco(
    "so-a-diagonal-a-vista",
    "Cada posição só vê a si mesma: você escondeu também o passado. Só o futuro se esconde.",
)
def _(T):
    return ~np.eye(T, dtype=bool)


@mascara_causal.equivoco(
    "so-o-proximo-escondido",
    "Você escondeu só o token seguinte. O futuro é tudo o que vem depois, e não só a próxima casa.",
)
def _(T):
    return np.eye(T, k=1, dtype=bool)


@mascara_causal.equivoco(
    "com-dimensoes-a-mais",
    "Os valores estão certos, mas a forma é (1, 1, T, T). Basta (T, T): o broadcasting cuida do resto.",
)
def _(T):
    return np.triu(np.ones((T, T), dtype=bool), k=1)[None, None]


@mascara_causal.equivoco(
    "aditiva",
    "Isto é a máscara aditiva, com 0 e −inf, a que se soma às pontuações. Aqui se pede a booleana: True onde se "
    "esconde.",
)
def _(T):
    return np.where(np.triu(np.ones((T, T), dtype=bool), k=1), -np.inf, 0.0)


@mascara_causal.alternativa("compara-indices")
def _(T):
    t = np.arange(T)
    return t[None, :] > t[:, None]


@mascara_causal.alternativa("dois-lacos")
def _(T):
    M = np.zeros((T, T), dtype=bool)
    for t in range(T):
        for s in range(t + 1, T):
            M[t, s] = True
    return M


@mascara_causal.alternativa("nega-tril")
def _(T):
    return ~np.tril(np.ones((T, T), dtype=bool))


@mascara_causal.alternativa("com-torch")
def _(T):
    return torch.triu(torch.ones(T, T), diagonal=1).bool()


@mascara_causal.alternativa("tri-maior-que")
def _(T):
    return np.tri(T) == 0


@mascara_causal.alternativa("fatias")
def _(T):
    M = np.zeros((T, T), dtype=bool)
    for t in range(T):
        M[t, t + 1 :] = True
    return M


# ------------------------------------------------------------------------------ mascara_de_preenchimento


def _mascara_de_preenchimento(ids, pad=0):
    return (ids == pad)[:, None, None, :]


def _frases(rng, B, T, pad, com_zero=False):
    """Um lote (B, T) com pads no fim, no começo e no meio, e tokens maiores e menores que o pad."""
    tokens = np.array([v for v in range(-3, 10) if v != pad and (com_zero or v != 0)])
    ids = rng.choice(tokens, size=(B, T))
    ids[:, 1] = pad + rng.choice([-1, 1], size=B)  # um vizinho do pad: «menor que» não é «igual a»
    ids[0, -2:] = pad
    ids[1, 0] = pad
    ids[1, 3] = pad  # no meio, com token depois
    ids[1, -1] = pad + 2
    if com_zero:
        ids[2, 2] = 0
        ids[2, -1] = pad + 1
    ids[0, 0] = pad + 3
    return ids


def _ocultos_preenchimento(rng):
    p, q = (int(v) for v in rng.choice([2, 4, 5, 6, 8], size=2, replace=False))
    return [
        caso(_frases(rng, 3, int(rng.integers(7, 10)), 0)),
        caso(_frases(rng, 4, 6, p, com_zero=True), p),
        caso(_frases(rng, 3, 8, q, com_zero=True), q),
        caso(_frases(rng, 5, 7, -100, com_zero=True), -100),
        caso(rng.integers(1, 9, size=(2, 5))),
        caso(np.stack([rng.integers(1, 9, size=4), np.zeros(4, dtype=int)])),
        caso(np.array([[3, 0, 0, 4, 2, 0, 0]])),
    ]


mascara_de_preenchimento = questao(
    "lista-06/mascara_de_preenchimento",
    assinatura="mascara_de_preenchimento(ids, pad=0)",
    saida="array",
    referencia=_mascara_de_preenchimento,
    casos=[
        caso(np.array([[5, 8, 2, 0], [7, 0, 3, 4]]), claro=True, rotulo="o exemplo do enunciado"),
        caso(
            np.array([[4, 1, 6, 2, 3, 0, 0], [0, 5, 2, 0, 7, 1, 2], [3, -2, 1, 4, 4, 2, 6]]),
            rotulo="pads no fim, no começo e no meio",
        ),
        caso(np.array([[3, 0, 9, 9, 1], [0, 9, 8, 0, 10], [8, 10, 0, 2, 9]]), 9, rotulo="pad = 9, e 0 é um token"),
        caso(np.array([[6, -99, 2, -100, -100, -101], [-100, 1, 0, 5, 3, 2]]), -100, rotulo="pad = −100"),
        caso(np.array([[2, 4, 1], [3, 5, 6]]), rotulo="nenhum pad"),
        caso(np.array([[0, 0, 0, 0], [1, 2, 0, 0]]), rotulo="uma frase só de pads"),
    ],
    ocultos=_ocultos_preenchimento,
)


@mascara_de_preenchimento.equivoco(
    "true-conserva",
    "Está ao contrário: True aparece nos tokens de verdade. Neste curso, como na questão 1, True esconde; e o que "
    "se esconde é o pad.",
)
def _(ids, pad=0):
    return (ids != pad)[:, None, None, :]


@mascara_de_preenchimento.equivoco(
    "so-os-do-fim",
    "Você só escondeu os pads do fim da frase. Há frases com pad no começo ou no meio, e ele deve ser escondido "
    "onde quer que esteja.",
)
def _(ids, pad=0):
    fim = np.cumprod((ids == pad)[:, ::-1], axis=1)[:, ::-1].astype(bool)
    return fim[:, None, None, :]


@mascara_de_preenchimento.equivoco(
    "pelo-comprimento",
    "Você contou os tokens de cada frase e escondeu o que passa do comprimento. Isso supõe os pads no fim; olhe "
    "para cada posição, e não para quantos são.",
)
def _(ids, pad=0):
    comprimentos = (ids != pad).sum(axis=1)  # (B,)
    return (np.arange(ids.shape[1])[None] >= comprimentos[:, None])[:, None, None, :]


@mascara_de_preenchimento.equivoco(
    "depois-do-primeiro-pad",
    "A partir do primeiro pad, você escondeu tudo o que vem depois, tokens de verdade também. Só o próprio pad se "
    "esconde.",
)
def _(ids, pad=0):
    return (np.cumsum(ids == pad, axis=1) > 0)[:, None, None, :]


@mascara_de_preenchimento.equivoco(
    "pad-fixo-em-zero",
    "O 0 está escrito à mão: com outro `pad`, a máscara esconde um token de verdade e deixa o pad à vista. Use o "
    "argumento.",
)
def _(ids, pad=0):
    return (ids == 0)[:, None, None, :]


@mascara_de_preenchimento.equivoco(
    "zero-tambem",
    "O pad está escondido, mas o 0 também, e aqui ele é um token como outro qualquer. Só o valor de `pad` se esconde.",
)
def _(ids, pad=0):
    return ((ids == pad) | (ids == 0))[:, None, None, :]


@mascara_de_preenchimento.equivoco(
    "menor-ou-igual",
    "Você escondeu tudo o que é menor ou igual ao pad. O identificador de um token é um nome, e não uma quantidade: "
    "a pergunta é se é igual.",
)
def _(ids, pad=0):
    return (ids <= pad)[:, None, None, :]


@mascara_de_preenchimento.equivoco(
    "forma-b-t",
    "Os valores estão certos, mas a forma é (B, T). Com pontuações (B, h, T, T), faltam dois eixos de tamanho 1 no "
    "meio: (B, 1, 1, T).",
)
def _(ids, pad=0):
    return ids == pad


@mascara_de_preenchimento.equivoco(
    "forma-b-t-1-1",
    "A forma é (B, T, 1, 1): o eixo das posições ficou no lugar do das cabeças. As chaves estão no último eixo das "
    "pontuações: (B, 1, 1, T).",
)
def _(ids, pad=0):
    return (ids == pad)[:, :, None, None]


@mascara_de_preenchimento.equivoco(
    "esconde-a-consulta",
    "A forma é (B, 1, T, 1): assim se esconde a linha inteira de quem é pad, e os outros continuam a olhar para "
    "ele. Quem não deve ser visto é a coluna, a chave.",
)
def _(ids, pad=0):
    return (ids == pad)[:, None, :, None]


@mascara_de_preenchimento.equivoco(
    "forma-1-b-1-t",
    "A forma é (1, B, 1, T): as frases foram parar no eixo das cabeças. O lote é o primeiro eixo.",
)
def _(ids, pad=0):
    return (ids == pad)[None, :, None, :]


@mascara_de_preenchimento.equivoco(
    "numeros-em-vez-de-bool",
    "Os lugares estão certos, mas são números 0 e 1. O enunciado pede booleanos, True ou False.",
)
def _(ids, pad=0):
    return (ids == pad).astype(float)[:, None, None, :]


@mascara_de_preenchimento.equivoco(
    "frase-inteira",
    "Onde havia um pad, a frase inteira foi escondida: sobrou um valor para cada frase, e é preciso um para cada "
    "posição.",
)
def _(ids, pad=0):
    return np.broadcast_to((ids == pad).any(axis=1)[:, None], ids.shape)[:, None, None, :]


@mascara_de_preenchimento.alternativa("reshape")
def _(ids, pad=0):
    B, T = ids.shape
    return np.equal(ids, pad).reshape(B, 1, 1, T)


@mascara_de_preenchimento.alternativa("lacos")
def _(ids, pad=0):
    B, T = ids.shape
    M = np.zeros((B, 1, 1, T), dtype=bool)
    for b in range(B):
        for t in range(T):
            M[b, 0, 0, t] = ids[b, t] == pad
    return M


@mascara_de_preenchimento.alternativa("com-torch")
def _(ids, pad=0):
    return torch.tensor(ids).eq(pad).unsqueeze(1).unsqueeze(1)


@mascara_de_preenchimento.alternativa("expand-dims")
def _(ids, pad=0):
    return np.expand_dims(~(ids != pad), axis=(1, 2))


@mascara_de_preenchimento.alternativa("lista-de-linhas")
def _(ids, pad=0):
    return np.array([[[[int(i) == pad for i in frase]]] for frase in ids])


# ------------------------------------------------------------------------------------- atencao_mascarada


def _softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


def _softmax_mascarado(S, M):
    """Softmax no último eixo só sobre o que está à vista; uma linha toda escondida dá zeros."""
    visivel = np.broadcast_to(~M, S.shape)
    S = np.where(visivel, S, -np.inf)
    topo = S.max(axis=-1, keepdims=True)
    E = np.where(visivel, np.exp(S - np.where(np.isfinite(topo), topo, 0.0)), 0.0)
    soma = E.sum(axis=-1, keepdims=True)
    return E / np.where(soma == 0, 1.0, soma)


def _pontuacoes(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


def _atencao_mascarada(Q, K, V, M):
    A = _softmax_mascarado(_pontuacoes(Q, K), M)
    return A @ V, A


def _qkv(rng, antes, N, C, d_k, d_v, escala=1.0):
    Q = rng.normal(size=(*antes, N, d_k)) * escala
    K = rng.normal(size=(*antes, C, d_k)) * escala
    return Q.round(3), K.round(3), rng.normal(size=(*antes, C, d_v)).round(3)


def _qkv_extremos(rng, antes, N, C, d_v):
    """Pontuações inteiras perto de ±40, exatas em float32 (d_k = 4), e uma máscara: cada linha só vê um dos sinais.

    A linha 0 só vê perto de −40 e esconde perto de +40: um −30 no lugar de −inf ainda ganharia do que se vê.
    """
    lado = np.where(np.arange(C) % 2, 1.0, -1.0)  # as chaves alternam o sinal
    quem = np.where(np.arange(N) % 3 == 2, -1.0, 1.0)
    Q = np.zeros((*antes, N, 4))
    K = np.zeros((*antes, C, 4))
    Q[..., 0], K[..., 0] = 8.0 * quem, 10.0 * lado
    Q[..., 1:] = rng.choice([-1.0, 1.0], size=(*antes, N, 3))
    K[..., 1:] = 2.0 * rng.integers(-1, 2, size=(*antes, C, 3))  # somam no máximo ±3 às pontuações
    V = rng.integers(-16, 17, size=(*antes, C, d_v)) / 8
    esconde = quem[:, None] * lado > 0  # (N, C)
    esconde[1] = ~esconde[1]  # e uma linha em que o visível é o maior
    return Q, K, V, esconde


def _ocultos_atencao_mascarada(rng):
    T = int(rng.integers(4, 7))
    aleatoria = rng.random((4, 6)) < 0.4
    aleatoria[:, 0], aleatoria[0, 1], aleatoria[2] = False, True, True  # a linha 2, escondida inteira
    pads = np.zeros((3, 1, 1, 5), dtype=bool)
    pads[0, ..., 3:] = pads[1, ..., 1] = pads[2] = True  # a última frase é só pad
    por_cabeca = rng.random((2, 3, 4, 4)) < 0.3
    por_cabeca[..., 0] = False
    por_cabeca[1, 2, 1] = True
    return [
        caso(*_qkv(rng, (), T, T, 3, 2), _mascara_causal(T)),
        caso(*_qkv(rng, (), 4, 6, 5, 3), aleatoria),
        caso(*_qkv(rng, (3, 2), 5, 5, 3, 4), pads),
        caso(*_qkv(rng, (2, 3), 4, 4, 2, 5), por_cabeca),
        caso(*_qkv(rng, (2,), T, T, 2, 3), _mascara_causal(T)),
        caso(*_qkv(rng, (2, 2), 5, 5, 4, 3), _mascara_causal(5) | pads[:2]),
        caso(*_qkv(rng, (), 3, 5, 6, 2), np.zeros((3, 5), dtype=bool)),
        caso(*_qkv(rng, (), 4, 3, 2, 3), np.array([[False, True, False]])),
        caso(*_qkv_extremos(rng, (), 4, 6, 3)),
        caso(*_qkv_extremos(rng, (2, 2), 3, 5, 2)),
        caso(*_qkv(rng, (), 4, 3, 5, 2), np.array([[False], [True], [False], [False]])),
        caso(*_qkv(rng, (2, 3), 3, 4, 2, 3), np.array([[False], [False], [True]])),
        caso(*_qkv(rng, (), 3, 5, 2, 4), np.array([False, True, False, False, True])),
        caso(*_qkv(rng, (2,), 4, 3, 2, 5), np.array([True, False, False])),
    ]


def _visiveis_atencao_mascarada():
    rng = np.random.default_rng(6)

    def qkv(antes, N, C, d_k, d_v):
        return tuple(a.round(1) for a in _qkv(rng, antes, N, C, d_k, d_v))

    Q = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    K = np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    V = np.array([[1.0, 0.0, 3.0], [0.0, 2.0, 1.0], [4.0, 1.0, 0.0]])
    linha = np.array(
        [[False, True, False, False, True], [True, True, True, True, True], [True, False, False, True, False]]
    )
    pads = np.array([[False, False, False, True], [False, True, False, False]])[:, None, None, :]
    so_pad = np.array([[False, True, True], [True, True, True]])[:, None, None, :]
    return [
        caso(Q, K, V, _mascara_causal(3), claro=True, rotulo="o exemplo do enunciado"),
        caso(*qkv((), 3, 5, 4, 2), linha, rotulo="3 consultas, 5 chaves, uma linha toda escondida"),
        caso(*qkv((2, 3), 4, 4, 2, 3), pads, rotulo="lote e cabeças, com máscara de preenchimento"),
        caso(*qkv((2,), 4, 4, 3, 2), _mascara_causal(4), rotulo="um lote, com máscara causal (T, T)"),
        caso(*qkv((2, 2), 3, 3, 2, 4), _mascara_causal(3) | so_pad, rotulo="causal e pads, uma frase só de pads"),
        caso(*qkv((), 2, 4, 3, 2), np.zeros((2, 4), dtype=bool), rotulo="nada escondido"),
        caso(*_qkv_extremos(rng, (), 3, 4, 2), rotulo="pontuações perto de −40 à vista e de +40 escondidas"),
        caso(*qkv((), 3, 4, 2, 3), np.array([[False], [True], [False]]), rotulo="M de forma (N, 1)"),
        caso(*qkv((2,), 3, 4, 3, 2), np.array([False, False, True, False]), rotulo="M de forma (C,), com lote"),
        caso(*qkv((), 3, 4, 2, 3), np.array([[True, False, False, True]]), rotulo="M de forma (1, C)"),
    ]


atencao_mascarada = questao(
    "lista-06/atencao_mascarada",
    assinatura="atencao_mascarada(Q, K, V, M)",
    saida=[("Y", "array"), ("A", "array")],
    referencia=_atencao_mascarada,
    casos=_visiveis_atencao_mascarada(),
    ocultos=_ocultos_atencao_mascarada,
    propriedades=["A: nao-negativa"],
)


@atencao_mascarada.equivoco(
    "mascara-depois-da-softmax",
    "Você zerou os pesos depois da softmax: as linhas já não somam 1, e o futuro continua dentro do denominador. "
    "Esconda antes: −inf nas pontuações.",
)
def _(Q, K, V, M):
    A = np.where(M, 0.0, _softmax(_pontuacoes(Q, K)))
    return A @ V, A


@atencao_mascarada.equivoco(
    "zero-na-pontuacao",
    "Você pôs 0 nas pontuações escondidas. Mas exp(0) é 1: uma pontuação 0 ainda recebe peso. O número cuja "
    "exponencial é 0 é −inf.",
)
def _(Q, K, V, M):
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, _softmax(_pontuacoes(Q, K) * ~M))
    return A @ V, A


@atencao_mascarada.equivoco(
    "ignora-a-mascara",
    "Sua máscara não esconde nada: os pesos são os da atenção comum. Ou M não entrou na conta, ou o número somado "
    "é pequeno demais (−1e-9 não é −1e9).",
)
def _(Q, K, V, M):
    A = _softmax(_pontuacoes(Q, K) + np.where(M, -1e-9, 0.0))
    return A @ V, A


@atencao_mascarada.equivoco(
    "mascara-invertida",
    "Você escondeu o que devia mostrar: em M, True esconde. Em scaled_dot_product_attention é o contrário; veja a "
    "seção da aula sobre as duas convenções.",
)
def _(Q, K, V, M):
    return _atencao_mascarada(Q, K, V, ~M)


@atencao_mascarada.equivoco(
    "linha-escondida-da-nan",
    "Tudo certo, menos a linha que está toda escondida: só com −inf, a softmax faz −inf − (−inf) e dá NaN. Trate "
    "essa linha à parte: zeros em A e em Y.",
)
def _(Q, K, V, M):
    A = _softmax(np.where(M, -np.inf, _pontuacoes(Q, K)))
    return A @ V, A


@atencao_mascarada.equivoco(
    "linha-escondida-uniforme",
    "Tudo certo, menos a linha toda escondida: com −1e9 em todas as posições, elas empatam e a softmax dá pesos "
    "iguais a quem devia ser invisível. Zere essa linha.",
)
def _(Q, K, V, M):
    A = _softmax(np.where(M, -1e9, _pontuacoes(Q, K)))
    return A @ V, A


@atencao_mascarada.equivoco(
    "linha-escondida-sem-mascara",
    "Na linha toda escondida, os pesos são os de quem não tem máscara: somar a mesma constante a todas as "
    "pontuações não muda a softmax. Zere essa linha.",
)
def _(Q, K, V, M):
    A = _softmax(_pontuacoes(Q, K) + np.where(M, -(2.0**20), 0.0))
    return A @ V, A


@atencao_mascarada.equivoco(
    "zera-y-e-esquece-a",
    "Y está certa, mas na linha toda escondida os pesos A ainda não são zeros. Zere A, e Y sai zero sozinha.",
)
def _(Q, K, V, M):
    A = _softmax(np.where(M, -1e9, _pontuacoes(Q, K)))
    return np.where(M.all(axis=-1, keepdims=True), 0.0, A @ V), A


@atencao_mascarada.equivoco(
    "zera-a-e-esquece-y",
    "A está certa, mas Y foi calculada antes de você zerar a linha escondida. Calcule Y = A V por último.",
)
def _(Q, K, V, M):
    A = _softmax(np.where(M, -1e9, _pontuacoes(Q, K)))
    return A @ V, np.where(M.all(axis=-1, keepdims=True), 0.0, A)


@atencao_mascarada.equivoco(
    "zero-vezes-infinito",
    "Sua máscara aditiva foi feita multiplicando M por −inf, e 0 × inf é NaN. Escolha em vez de multiplicar: "
    "np.where(M, −inf, …).",
)
def _(Q, K, V, M):
    A = _softmax(_pontuacoes(Q, K) + M * -np.inf)
    return A @ V, A


@atencao_mascarada.equivoco(
    "menos-dez",
    "O escondido ainda recebe um restinho de peso: −10 é pouco, exp(−10) não é zero. Use −inf, ou algo como −1e9.",
)
def _(Q, K, V, M):
    A = _softmax(np.where(M, -10.0, _pontuacoes(Q, K)))
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, A)
    return A @ V, A


@atencao_mascarada.equivoco(
    "menos-trinta",
    "Esconder com −30 não basta: as pontuações podem ser −40, e aí o escondido ainda ganha do que está à vista. Use "
    "−inf, ou algo como −1e9.",
)
def _(Q, K, V, M):
    A = _softmax(np.where(M, -30.0, _pontuacoes(Q, K)))
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, A)
    return A @ V, A


@atencao_mascarada.equivoco(
    "soma-menos-cinquenta",
    "Somar −50 não basta: um +40 escondido vira −10, e ainda ganha de um −40 à vista. Use −inf, ou algo como −1e9.",
)
def _(Q, K, V, M):
    A = _softmax(_pontuacoes(Q, K) + np.where(M, -50.0, 0.0))
    A = np.where(M.all(axis=-1, keepdims=True), 0.0, A)
    return A @ V, A


@atencao_mascarada.equivoco(
    "epsilon-no-denominador",
    "Quando o escondido tem as maiores pontuações, o que está à vista fica minúsculo, e o número que você soma ao "
    "denominador o engole. Esconda antes de subtrair o máximo, e dispense esse número.",
)
def _(Q, K, V, M):
    S = _pontuacoes(Q, K)
    E = np.where(M, 0.0, np.exp(S - S.max(axis=-1, keepdims=True)))
    A = E / (E.sum(axis=-1, keepdims=True) + 1e-12)
    return A @ V, A


@atencao_mascarada.equivoco(
    "softmax-nas-colunas",
    "Seus pesos somam 1 em cada coluna. Quem reparte o orçamento é a consulta, a linha: a softmax é no último eixo.",
)
def _(Q, K, V, M):
    S = np.where(M, -np.inf, _pontuacoes(Q, K))
    topo = S.max(axis=-2, keepdims=True)
    E = np.exp(S - np.where(np.isfinite(topo), topo, 0.0))
    soma = E.sum(axis=-2, keepdims=True)
    A = E / np.where(soma == 0, 1.0, soma)
    return A @ V, A


@atencao_mascarada.equivoco(
    "sem-escala",
    "A máscara está certa, mas falta dividir as pontuações por √d_k (aula 03).",
)
def _(Q, K, V, M):
    A = _softmax_mascarado(Q @ np.swapaxes(K, -1, -2), M)
    return A @ V, A


@atencao_mascarada.equivoco(
    "escala-por-d-v",
    "Você dividiu por √d_v, o tamanho dos valores. A escala vem do tamanho das chaves, d_k: são elas que entram no "
    "produto escalar.",
)
def _(Q, K, V, M):
    A = _softmax_mascarado(Q @ np.swapaxes(K, -1, -2) / np.sqrt(V.shape[-1]), M)
    return A @ V, A


@atencao_mascarada.equivoco(
    "divide-por-d-k",
    "Você dividiu por d_k, sem a raiz: as pontuações encolhem demais.",
)
def _(Q, K, V, M):
    A = _softmax_mascarado(Q @ np.swapaxes(K, -1, -2) / Q.shape[-1], M)
    return A @ V, A


@atencao_mascarada.equivoco(
    "y-sem-mascara",
    "A está certa, mas Y não é A V: foi calculada com os pesos de antes da máscara. É Y que segue pelo modelo, e "
    "nela o escondido ainda aparece.",
)
def _(Q, K, V, M):
    return _softmax(_pontuacoes(Q, K)) @ V, _softmax_mascarado(_pontuacoes(Q, K), M)


@atencao_mascarada.equivoco(
    "devolve-trocado",
    "Você devolveu (A, Y). O enunciado pede primeiro Y, depois A.",
)
def _(Q, K, V, M):
    Y, A = _atencao_mascarada(Q, K, V, M)
    return A, Y


@atencao_mascarada.equivoco(
    "transpoe-tudo",
    "Com lote e cabeças, K.T inverte todos os eixos, o do lote também. Troque só os dois últimos (np.swapaxes).",
)
def _(Q, K, V, M):
    A = _softmax_mascarado(Q @ K.T / np.sqrt(Q.shape[-1]), M)
    return A @ V, A


@atencao_mascarada.equivoco("altera-a-entrada", "Não escreva nas entradas.")
def _(Q, K, V, M):
    Q /= np.sqrt(Q.shape[-1])
    A = _softmax_mascarado(Q @ np.swapaxes(K, -1, -2), M)
    return A @ V, A


@atencao_mascarada.alternativa("menos-inf-e-nan-to-num")
def _(Q, K, V, M):
    with np.errstate(invalid="ignore"):
        A = np.nan_to_num(_softmax(np.where(M, -np.inf, _pontuacoes(Q, K))))
    return A @ V, A


@atencao_mascarada.alternativa("menos-1e9-e-zera-no-fim")
def _(Q, K, V, M):
    A = _softmax(np.where(M, -1e9, _pontuacoes(Q, K)))
    A = np.where(M, 0.0, A)
    return A @ V, A


@atencao_mascarada.alternativa("menos-1e4-somado-float32")
def _(Q, K, V, M):
    Q, K, V = (a.astype(np.float32) for a in (Q, K, V))
    A = _softmax(_pontuacoes(Q, K) + np.where(M, np.float32(-1e4), np.float32(0)))
    A = np.where(M, np.float32(0), A)
    return A @ V, A


@atencao_mascarada.alternativa("menos-1e9-somado")
def _(Q, K, V, M):
    A = _softmax(_pontuacoes(Q, K) + M * -1e9)
    A = A * ~M.all(axis=-1, keepdims=True)
    return A @ V, A


@atencao_mascarada.alternativa("depois-da-softmax-e-renormaliza")
def _(Q, K, V, M):
    A = _softmax(_pontuacoes(Q, K)) * ~M
    soma = A.sum(axis=-1, keepdims=True)
    A = np.divide(A, soma, out=np.zeros_like(A), where=soma > 0)
    return A @ V, A


@atencao_mascarada.alternativa("einsum")
def _(Q, K, V, M):
    S = np.einsum("...nk,...mk->...nm", Q, K) / Q.shape[-1] ** 0.5
    E = np.exp(S) * ~M
    soma = E.sum(axis=-1, keepdims=True)
    A = E / (soma + (soma == 0))
    return np.einsum("...nm,...mv->...nv", A, V), A


@atencao_mascarada.alternativa("com-torch")
def _(Q, K, V, M):
    Q, K, V, M = (torch.tensor(a) for a in (Q, K, V, M))
    S = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    A = torch.softmax(S.masked_fill(M, float("-inf")), dim=-1).nan_to_num(0.0)
    return A @ V, A


@atencao_mascarada.alternativa("com-torch-float32")
def _(Q, K, V, M):
    Q, K, V = (torch.tensor(a, dtype=torch.float32) for a in (Q, K, V))
    M = torch.tensor(M)
    A = torch.softmax((Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5).masked_fill(M, -1e9), dim=-1)
    A = A.masked_fill(M, 0.0)
    return A @ V, A


@atencao_mascarada.alternativa("linha-por-linha")
def _(Q, K, V, M):
    S = _pontuacoes(Q, K)
    M = np.broadcast_to(M, S.shape)
    A = np.zeros_like(S)
    for i in np.ndindex(S.shape[:-1]):
        vistas = np.flatnonzero(~M[i])
        if len(vistas):
            A[i][vistas] = _softmax(S[i][vistas])
    return A @ V, A


# --------------------------------------------------------------------------------- multi_cabecas_causal


def _dividir(X, h):
    T, d = X.shape
    return X.reshape(T, h, d // h).transpose(1, 0, 2)  # (h, T, d/h)


def _juntar(H):
    h, T, d_h = H.shape
    return H.transpose(1, 0, 2).reshape(T, h * d_h)


def _multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    Y, A = _atencao_mascarada(Q, K, V, _mascara_causal(len(X)))
    return _juntar(Y) @ W_O, A


def _com_mascara(X, W_Q, W_K, W_V, W_O, h, M):
    """O mesmo, com outra máscara no lugar da causal; serve aos equívocos."""
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    Y, A = _atencao_mascarada(Q, K, V, M)
    return _juntar(Y) @ W_O, A


def _entrada_mhc(rng, T, d, casas=3):
    """X (T, d) e quatro matrizes (d, d); o desvio 1/√d mantém as pontuações perto de 1."""
    return (rng.normal(size=(T, d)).round(casas), *((rng.normal(size=(4, d, d)) / np.sqrt(d)).round(casas)))


def _entrada_mhc_extrema(rng, T, d, h):
    """Pontuações inteiras perto de ±40, exatas em float32 (d/h = 4): só o último token, que ninguém vê, pontua +40."""
    X = np.zeros((T, d))
    X[:, 0], X[:, 1] = 1.0, -1.0  # a coluna 0 faz a consulta; a 1, a chave
    X[-1, 1] = 1.0
    X[:, 2:] = rng.integers(-1, 2, size=(T, d - 2))
    W_Q, W_K = np.zeros((2, d, d))
    W_Q[0], W_K[1] = np.tile([8.0, 1.0, -1.0, 1.0], h), np.tile([10.0, 0.0, 0.0, 0.0], h)
    for i in range(h):
        W_K[2 + i, 4 * i + 1 + rng.integers(3)] = 2.0 * rng.choice([-1.0, 1.0])  # soma até ±1 às pontuações
    W_V, W_O = rng.integers(-8, 9, size=(2, d, d)) / 8
    return X, W_Q, W_K, W_V, W_O, h


def _ocultos_mhc(rng):
    T = int(rng.integers(5, 8))
    return [
        caso(*_entrada_mhc(rng, T, 6), 2),
        caso(*_entrada_mhc(rng, T, 6), 3),
        caso(*_entrada_mhc(rng, 4, 8), 2),
        caso(*_entrada_mhc(rng, 3, 8), 4),
        caso(*_entrada_mhc(rng, 5, 4), 1),
        caso(*_entrada_mhc(rng, 4, 5), 5),
        caso(*_entrada_mhc(rng, 1, 6), 2),
        caso(*_entrada_mhc(rng, int(rng.integers(10, 16)), 6), 3),
        caso(*_entrada_mhc(rng, int(rng.integers(33, 41)), 4), 2),
        caso(*_entrada_mhc_extrema(rng, 5, 8, 2)),
        caso(*_entrada_mhc_extrema(rng, 6, 4, 1)),
    ]


def _visiveis_mhc():
    rng = np.random.default_rng(60)
    W_Q = np.array([[1.0, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0]])
    W_K = np.array([[1.0, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
    W_V = np.array([[1.0, 0, 0, 1], [0, 1, 1, 0], [1, 1, 1, 0], [0, 1, 0, 1]])
    X = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]])
    return [
        caso(X, W_Q, W_K, W_V, np.eye(4), 2, claro=True, rotulo="Life is awesome"),
        caso(*_entrada_mhc(rng, 5, 6, 1), 2, rotulo="duas cabeças"),
        caso(*_entrada_mhc(rng, 4, 6, 1), 3, rotulo="três cabeças"),
        caso(*_entrada_mhc(rng, 3, 4, 1), 1, rotulo="uma cabeça só"),
        caso(*_entrada_mhc(rng, 1, 4, 1), 2, rotulo="um token só"),
        caso(*_entrada_mhc(rng, 9, 4, 1), 2, rotulo="nove tokens"),
        caso(*_entrada_mhc_extrema(rng, 4, 8, 2), rotulo="pontuações perto de −40 à vista e de +40 no futuro"),
    ]


multi_cabecas_causal = questao(
    "lista-06/multi_cabecas_causal",
    assinatura="multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, h)",
    saida=[("Y", "array"), ("A", "array")],
    referencia=_multi_cabecas_causal,
    casos=_visiveis_mhc(),
    ocultos=_ocultos_mhc,
    propriedades=["A: nao-negativa", "A: linhas-somam-1"],
)


@multi_cabecas_causal.equivoco(
    "sem-mascara",
    "As cabeças estão certas, mas nenhuma tem máscara: os pesos acima da diagonal deviam ser 0. Cadê a causal?",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    return _com_mascara(X, W_Q, W_K, W_V, W_O, h, np.zeros((len(X), len(X)), dtype=bool))


@multi_cabecas_causal.equivoco(
    "mascara-so-na-primeira-cabeca",
    "Só a primeira cabeça tem máscara. Basta uma cabeça sem ela para o futuro vazar: a máscara vale para todas.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    M = np.zeros((h, len(X), len(X)), dtype=bool)
    M[0] = _mascara_causal(len(X))
    return _com_mascara(X, W_Q, W_K, W_V, W_O, h, M)


@multi_cabecas_causal.equivoco(
    "mascara-ao-contrario",
    "Cada token vê só o presente e o futuro: a máscara esconde o triângulo errado (ou está transposta).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    return _com_mascara(X, W_Q, W_K, W_V, W_O, h, _mascara_causal(len(X)).T)


@multi_cabecas_causal.equivoco(
    "deixa-ver-o-proximo",
    "Cada token ainda vê o seguinte: há peso na diagonal logo acima da principal. A máscara começa uma casa tarde "
    "demais.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    return _com_mascara(X, W_Q, W_K, W_V, W_O, h, np.triu(np.ones((len(X), len(X)), dtype=bool), k=2))


@multi_cabecas_causal.equivoco(
    "esconde-a-diagonal",
    "Nenhum token vê a si mesmo, e o primeiro não vê nada. A diagonal fica à vista: o presente não é futuro.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    return _com_mascara(X, W_Q, W_K, W_V, W_O, h, np.triu(np.ones((len(X), len(X)), dtype=bool)))


@multi_cabecas_causal.equivoco(
    "mascara-depois-da-softmax",
    "Os pesos do futuro são 0, mas as linhas de A não somam 1: você zerou depois da softmax. Esconda antes, nas "
    "pontuações.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = np.tril(_softmax(_pontuacoes(Q, K)))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas_causal.equivoco(
    "menos-vinte",
    "Esconder com −20 não basta: há pontuações perto de −40 à vista, e o futuro ainda ganha delas. Use −inf, ou algo "
    "como −1e9.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(np.where(_mascara_causal(len(X)), -20.0, _pontuacoes(Q, K)))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas_causal.equivoco(
    "escala-por-d",
    "Você dividiu por √d, o tamanho do token inteiro. Cada cabeça trabalha com d/h componentes: a escala é √(d/h).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(X.shape[1])
    A = _softmax_mascarado(S, _mascara_causal(len(X)))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas_causal.equivoco(
    "sem-escala",
    "Falta dividir as pontuações por √(d/h).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax_mascarado(Q @ K.transpose(0, 2, 1), _mascara_causal(len(X)))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas_causal.equivoco(
    "sem-w-o",
    "Os pesos estão certos e as cabeças, juntas, também; faltou a última projeção, W_O. No exemplo do enunciado ela "
    "é a identidade, e por isso a falta não aparece.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    return _multi_cabecas_causal(X, W_Q, W_K, W_V, np.eye(X.shape[1]), h)


@multi_cabecas_causal.equivoco(
    "reshape-sem-transpose",
    "As formas estão certas e os números, embaralhados: você foi de (T, d) direto a (h, T, d/h). Primeiro "
    "(T, h, d/h), depois troque os eixos.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    T, d = X.shape
    Q, K, V = ((X @ W).reshape(h, T, d // h) for W in (W_Q, W_K, W_V))
    Y, A = _atencao_mascarada(Q, K, V, _mascara_causal(T))
    return _juntar(Y) @ W_O, A


@multi_cabecas_causal.equivoco(
    "junta-sem-transpose",
    "Os pesos A estão certos, mas ao juntar as cabeças você foi de (h, T, d/h) direto a (T, d). Traga o eixo das "
    "cabeças para junto das componentes antes do reshape.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    Y, A = _atencao_mascarada(Q, K, V, _mascara_causal(len(X)))
    return Y.reshape(X.shape) @ W_O, A


@multi_cabecas_causal.equivoco(
    "cabecas-intercaladas",
    "Cada cabeça pegou uma coluna sim, outra não. A cabeça i fica com um bloco de d/h colunas seguidas: o reshape é "
    "(T, h, d/h), e não (T, d/h, h).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    T, d = X.shape
    Q, K, V = ((X @ W).reshape(T, d // h, h).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    Y, A = _atencao_mascarada(Q, K, V, _mascara_causal(T))
    return _juntar(Y) @ W_O, A


@multi_cabecas_causal.equivoco(
    "media-dos-pesos",
    "Y está certa, mas A é a média das cabeças, de forma (T, T). O enunciado pede os pesos de cada uma: (h, T, T).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Y, A = _multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, h)
    return Y, A.mean(axis=0)


@multi_cabecas_causal.equivoco(
    "uma-cabeca-so",
    "Você fez uma cabeça só, com as d componentes todas: A deveria ser (h, T, T). Divida em h cabeças antes da "
    "atenção.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    return _multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, 1)


@multi_cabecas_causal.equivoco(
    "devolve-trocado",
    "Você devolveu (A, Y). O enunciado pede primeiro Y, depois A.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Y, A = _multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, h)
    return A, Y


@multi_cabecas_causal.equivoco(
    "soma-o-residuo",
    "Você somou X à saída. A conexão residual é da aula 07; aqui, Y é só a atenção.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Y, A = _multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, h)
    return X + Y, A


@multi_cabecas_causal.alternativa("laco-nas-cabecas")
def _(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    saidas, pesos = [], []
    for i in range(h):
        bloco = slice(i * d_h, (i + 1) * d_h)
        S = (X @ W_Q[:, bloco]) @ (X @ W_K[:, bloco]).T / np.sqrt(d_h)
        S = S + np.where(np.tri(len(X)) == 0, -1e9, 0.0)
        pesos.append(_softmax(S))
        saidas.append(pesos[-1] @ (X @ W_V[:, bloco]))
    return np.concatenate(saidas, axis=1) @ W_O, np.stack(pesos)


@multi_cabecas_causal.alternativa("einsum")
def _(X, W_Q, W_K, W_V, W_O, h):
    T, d = X.shape
    Q, K, V = ((X @ W).reshape(T, h, d // h) for W in (W_Q, W_K, W_V))
    S = np.einsum("thc,shc->hts", Q, K) / np.sqrt(d / h)
    E = np.tril(np.exp(S))
    A = E / E.sum(axis=-1, keepdims=True)
    return np.einsum("hts,shc->thc", A, V).reshape(T, d) @ W_O, A


@multi_cabecas_causal.alternativa("soma-das-cabecas")
def _(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    Y, pesos = 0.0, []
    for W in (slice(i * d_h, (i + 1) * d_h) for i in range(h)):
        y, A = _atencao_mascarada(X @ W_Q[:, W], X @ W_K[:, W], X @ W_V[:, W], _mascara_causal(len(X)))
        Y = Y + y @ W_O[W]  # juntar e projetar é somar o que cada cabeça projeta
        pesos.append(A)
    return Y, np.array(pesos)


@multi_cabecas_causal.alternativa("com-torch-float32")
def _(X, W_Q, W_K, W_V, W_O, h):
    X, W_Q, W_K, W_V, W_O = (torch.tensor(a, dtype=torch.float32) for a in (X, W_Q, W_K, W_V, W_O))
    T, d = X.shape
    Q, K, V = ((X @ W).view(T, h, d // h).transpose(0, 1) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(-1, -2) / (d // h) ** 0.5
    A = torch.softmax(S.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf")), dim=-1)
    return (A @ V).transpose(0, 1).reshape(T, d) @ W_O, A


@multi_cabecas_causal.alternativa("multiheadattention-do-torch")
def _(X, W_Q, W_K, W_V, W_O, h):
    T, d = X.shape
    camada = torch.nn.MultiheadAttention(d, h, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        camada.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
        camada.out_proj.weight.copy_(torch.tensor(W_O.T))
        Z = torch.tensor(X)[None]
        mascara = torch.ones(T, T, dtype=torch.bool).triu(1)
        Y, A = camada(Z, Z, Z, attn_mask=mascara, average_attn_weights=False)
    return Y[0], A[0]


# -------------------------------------------------------------------------------------------- vaza_futuro


def _mudou(antes, depois, rtol=1e-6):
    """Alguma entrada mudou mais do que o arredondamento explica?"""
    tamanho = max(np.abs(antes).max(), np.abs(depois).max(), 1e-30)
    return bool(np.abs(antes - depois).max() > rtol * tamanho)


def _vaza_futuro(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Y = f(X)
    for k in range(1, T):
        Z = X.copy()
        Z[k:] = rng.normal(size=(T - k, d))
        if _mudou(Y[:k], f(Z)[:k]):
            return True
    return False


def _causal_sorteada(rng, T):
    """Uma mistura causal (T, T): triângulo inferior sorteado, com a diagonal forte."""
    return np.tril(rng.normal(size=(T, T)) * 0.5).round(3) + np.eye(T)


def _pesos(rng, d, d_k=3):
    """W_Q e W_K encolhidas: mesmo com entradas perto de 10, a softmax não satura e não esconde o vazamento."""
    W_Q, W_K = (rng.normal(size=(2, d, d_k)) / (4 * np.sqrt(d))).round(3)
    return {"W_Q": W_Q, "W_K": W_K, "W_V": rng.normal(size=(d, d)).round(3)}


def _uma_coordenada(rng, d, qual=None, fora=None):
    """L (d, d) que só lê a coordenada `qual` (sorteada longe da 0, se não se diz) e só não escreve na coluna `fora`.

    Escreve em várias colunas para que um sorteio quase igual ao antigo não passe por arredondamento.
    """
    L = np.zeros((d, d))
    qual = rng.integers(1, d) if qual is None else qual
    L[qual] = rng.choice([-1, 1]) * rng.uniform(0.8, 1.6, size=d)
    L[qual, rng.integers(0, d) if fora is None else fora] = 0.0
    return L.round(3)


def _casos_que_vazam(rng, T, d):
    """(rótulo, função) de cada jeito de vazar. O corte c = T // 2 separa as posições dos vazamentos de um ponto só."""
    causal, nada = _mascara_causal(T), np.zeros((T, T), dtype=bool)
    c = T // 2
    proximo = np.eye(T, k=1) * rng.uniform(0.8, 1.2)
    do_fim = {"de": T - 1, "para": int(rng.integers(1, c))}
    do_meio = {"de": int(rng.integers(c, T - 1)), "para": 0}
    t = int(rng.integers(c, T - 2))
    tarde = {"de": int(rng.integers(t + 1, T - 1)), "para": t}

    def ponto(onde, L):
        return funcao("lista_06.mistura", P=_causal_sorteada(rng, T), L=L, **onde)

    return [
        ("atenção sem máscara", funcao("lista_06.atencao", **_pesos(rng, d), esconde=nada)),
        (
            "máscara que começa uma casa tarde demais",
            funcao("lista_06.atencao", **_pesos(rng, d), esconde=np.triu(causal, 2)),
        ),
        ("máscara depois da softmax", funcao("lista_06.atencao", **_pesos(rng, d), esconde=causal, quando="depois")),
        ("normalização ao longo do tempo", funcao("lista_06.normalizada", P=_causal_sorteada(rng, T), eixo=0)),
        ("um ponto só: da última linha para outra", ponto(do_fim, _uma_coordenada(rng, d, 1))),
        ("um ponto só: do meio para a primeira linha", ponto(do_meio, _uma_coordenada(rng, d, d - 1))),
        ("um ponto só: na segunda metade", ponto(tarde, _uma_coordenada(rng, d))),
        ("um vazamento de um milésimo", ponto({"de": T - 1, "para": 0}, 1e-3 * np.eye(d))),
        ("um portão que olha para a linha seguinte", funcao("lista_06.portao", P=proximo.round(3))),
        (
            "a diferença entre duas linhas do futuro",
            funcao("lista_06.diferenca", P=_causal_sorteada(rng, T), s=T - 1, L=np.eye(d) * 0.5),
        ),
        (
            "atenção sem máscara sobre tokens normalizados",
            funcao("lista_06.atencao", **_pesos(rng, d), esconde=nada, norma=True),
        ),
        # cada linha da saída soma zero, vaze ou não: quem compara somas não vê nada
        (
            "mistura de todas as linhas, e depois cada token normalizado",
            funcao("lista_06.normalizada", P=rng.normal(size=(T, T)).round(3), eixo=-1, quando="depois"),
        ),
        # com linhas constantes o portão não abre, e o tamanho do futuro não importa: só a direção
        (
            "um portão que olha para a linha seguinte, com tokens normalizados",
            funcao("lista_06.portao", P=proximo.round(3), norma=True),
        ),
    ]


def _vizinho(rng, T, d, k):
    """Um vazamento só, da linha k para a k − 1: só o corte em k o vê. Para k = 1, só pela coordenada 0."""
    L = _uma_coordenada(rng, d, 0, fora=0) if k == 1 else np.eye(d)[rng.permutation(d)] * rng.uniform(0.4, 0.9)
    return funcao("lista_06.mistura", P=_causal_sorteada(rng, T), de=k, para=k - 1, L=L.round(3))


def _casos_causais(rng, T, d):
    causal = _mascara_causal(T)
    W1, W2 = (rng.normal(size=(2, d, d)) / np.sqrt(d)).round(3)
    conv = np.eye(T) + np.eye(T, k=-1) * 0.5 - np.eye(T, k=-2) * 0.3
    return [
        ("atenção com a máscara certa", funcao("lista_06.atencao", **_pesos(rng, d), esconde=causal)),
        ("médias acumuladas, enormes", funcao("lista_06.media", escala=2.0**50)),
        ("médias acumuladas", funcao("lista_06.media", escala=1.0)),
        ("convolução causal", funcao("lista_06.mistura", P=conv)),
        ("a mesma rede em cada linha", funcao("lista_06.por_posicao", W1=W1, W2=W2, escala=1000.0)),
        (
            "máscara depois da softmax, e divide pela soma",
            funcao("lista_06.atencao", **_pesos(rng, d), esconde=causal, quando="depois-e-divide"),
        ),
        ("saída que ignora a entrada", funcao("lista_06.constante", C=rng.normal(size=(T, d)).round(3))),
        ("cada linha recebe a anterior", funcao("lista_06.mistura", P=np.eye(T, k=-1))),
        (
            "atenção certa sobre tokens normalizados",
            funcao("lista_06.atencao", **_pesos(rng, d), esconde=causal, norma=True),
        ),
        ("um portão que olha para a linha anterior", funcao("lista_06.portao", P=np.eye(T, k=-1))),
    ]


def _ocultos_vaza_futuro(rng):
    pares = []
    for monta in (_casos_que_vazam, _casos_causais):
        T, d = int(rng.integers(6, 9)), int(rng.integers(3, 6))
        pares += [(f, T, d) for _, f in monta(rng, T, d)]
    # mais duas causais, com as peças dos vazamentos difíceis: a peça sozinha não diz a resposta
    pares.append((funcao("lista_06.portao", P=np.eye(T, k=-1), norma=True), T, d))
    pares.append((funcao("lista_06.normalizada", P=_causal_sorteada(rng, T), eixo=-1, quando="depois"), T, d))
    T, d = 6, int(rng.integers(3, 6))
    pares += [(_vizinho(rng, T, d, k), T, d) for k in range(1, T)]  # todo corte faz falta
    T, d = int(rng.integers(9, 13)), 3
    pares.append((_vizinho(rng, T, d, T - 1), T, d))
    return [caso(*pares[i], gerador(int(rng.integers(10**6)))) for i in rng.permutation(len(pares))]


def _visiveis_vaza_futuro():
    rng = np.random.default_rng(606)
    claro = funcao("lista_06.mistura", P=np.array([[1.0, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]), de=2, para=1, L=np.eye(2))
    casos = [caso(claro, 3, 2, gerador(0), claro=True, rotulo="o exemplo do enunciado")]
    vazam, causais = _casos_que_vazam(rng, 6, 3), _casos_causais(rng, 6, 3)
    vazam.append(("um ponto só: da linha 1 para a linha 0", _vizinho(rng, 6, 3, 1)))
    vazam.append(("um ponto só: da última linha para a penúltima", _vizinho(rng, 6, 3, 5)))
    for i, (rotulo, f) in enumerate([*vazam, *causais]):
        casos.append(caso(f, 6, 3, gerador(i + 1), rotulo=rotulo))
    return casos


vaza_futuro = questao(
    "lista-06/vaza_futuro",
    assinatura="vaza_futuro(f, T, d, rng)",
    saida="bool",
    referencia=_vaza_futuro,
    casos=_visiveis_vaza_futuro(),
    ocultos=_ocultos_vaza_futuro,
)


def _examinar(f, T, d, rng, mexer, comparar=None, base=None):
    """O laço comum: para cada k, `mexer(Z, k, rng)` muda uma cópia e `comparar(antes, depois, k)` diz se mudou."""
    X = rng.normal(size=(T, d)) if base is None else base
    Y = f(X)
    for k in range(1, T):
        Z = X.copy()
        mexer(Z, k, rng)
        if comparar is None:
            if _mudou(Y[:k], f(Z)[:k]):
                return True
        elif comparar(Y, f(Z), k):
            return True
    return False


def _troca_o_futuro(Z, k, rng):
    Z[k:] = rng.normal(size=Z[k:].shape)


@vaza_futuro.equivoco(
    "so-a-ultima-posicao",
    "Você só mexe na última linha. Um vazamento pode vir de uma linha do meio: faça o mesmo com cada posição.",
)
def _(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Z = X.copy()
    Z[-1] = rng.normal(size=d)
    return not np.allclose(f(X)[:-1], f(Z)[:-1])


@vaza_futuro.equivoco(
    "so-a-primeira-linha",
    "Você só olha para a primeira linha da saída. O futuro pode vazar para qualquer linha que o tenha pela frente.",
)
def _(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Z = X.copy()
    Z[1:] = rng.normal(size=(T - 1, d))
    return not np.allclose(f(X)[0], f(Z)[0])


@vaza_futuro.equivoco(
    "um-corte-so",
    "Você corta a sequência em poucos lugares. Um vazamento que fica todo do mesmo lado de cada corte passa "
    "despercebido: corte em cada posição.",
)
def _(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Z = X.copy()
    Z[T // 2 :] = rng.normal(size=(T - T // 2, d))
    return not np.allclose(f(X)[: T // 2], f(Z)[: T // 2])


@vaza_futuro.equivoco(
    "sempre-falso",
    "Sua função respondeu False a tudo. Se ela mede alguma coisa, a perturbação é pequena demais perto da tolerância: "
    "mexa no futuro com números de tamanho comum.",
)
def _(f, T, d, rng):
    return False


@vaza_futuro.equivoco(
    "sempre-verdadeiro",
    "Sua função respondeu True a tudo, até à que ignora a entrada. Compare só as linhas anteriores à que você mudou, "
    "com uma tolerância.",
)
def _(f, T, d, rng):
    return True


@vaza_futuro.equivoco(
    "resposta-trocada",
    "Suas respostas estão todas trocadas: True quer dizer que vaza. Note que np.allclose diz True quando nada mudou.",
)
def _(f, T, d, rng):
    return not _vaza_futuro(f, T, d, rng)


@vaza_futuro.equivoco(
    "mexe-no-passado",
    "Você muda o passado e olha para o futuro. Que o passado chegue ao futuro é o que se quer; o vazamento é o "
    "contrário.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[:k] = rng.normal(size=Z[:k].shape)

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: _mudou(Y[k:], W[k:]))


@vaza_futuro.equivoco(
    "compara-a-saida-inteira",
    "Até funções causais pareceram vazar. Ou você compara a saída inteira (só as linhas anteriores à que mudou deviam "
    "ficar paradas), ou mexeu no próprio X em vez de em uma cópia (`X.copy()`).",
)
def _(f, T, d, rng):
    return _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: _mudou(Y, W))


@vaza_futuro.equivoco(
    "conta-a-propria-linha",
    "Ao mudar a linha k, você conta também a linha k da saída. Ela pode usar a própria entrada: o presente não é "
    "futuro.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[k] = rng.normal(size=d)

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: _mudou(Y[: k + 1], W[: k + 1]))


@vaza_futuro.equivoco(
    "so-a-linha-vizinha",
    "Você muda a linha k e só olha para a linha k − 1. O vazamento pode saltar várias casas: olhe para todas as "
    "anteriores.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[k] = rng.normal(size=d)

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: not np.allclose(Y[k - 1], W[k - 1]))


@vaza_futuro.equivoco(
    "uma-coordenada-so",
    "Você mexe em uma coordenada só de cada linha. O vazamento pode estar em outra: mude a linha inteira.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[k:, 0] = rng.normal(size=len(Z) - k)

    return _examinar(f, T, d, rng, mexer)


@vaza_futuro.equivoco(
    "so-a-ultima-coordenada",
    "Você mexe em uma coordenada só, a última de cada linha. O vazamento pode estar em outra: mude a linha inteira.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[k:, -1] = rng.normal(size=len(Z) - k)

    return _examinar(f, T, d, rng, mexer)


@vaza_futuro.equivoco(
    "pula-o-primeiro-corte",
    "Seus cortes começam tarde: falta o que deixa só a linha 0 no passado. A linha 1 pode vazar para a linha 0, e só "
    "esse corte vê.",
)
def _(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Y = f(X)
    for k in range(2, T):
        Z = X.copy()
        Z[k:] = rng.normal(size=(T - k, d))
        if not np.allclose(f(Z)[:k], Y[:k]):
            return True
    return False


@vaza_futuro.equivoco(
    "pula-o-ultimo-corte",
    "Seus cortes terminam cedo: falta o que deixa só a última linha no futuro. Ela pode vazar para a penúltima, e só "
    "esse corte vê.",
)
def _(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Y = f(X)
    for k in range(1, T - 1):
        Z = X.copy()
        Z[k:] = rng.normal(size=(T - k, d))
        if not np.allclose(f(Z)[:k], Y[:k]):
            return True
    return False


@vaza_futuro.equivoco(
    "compara-somas",
    "Você compara um resumo da saída (a soma, por exemplo), e não os números. Há funções cujas linhas somam sempre "
    "zero: compare número a número.",
)
def _(f, T, d, rng):
    return _examinar(
        f, T, d, rng, _troca_o_futuro, lambda Y, W, k: not np.allclose(Y[:k].sum(axis=1), W[:k].sum(axis=1))
    )


@vaza_futuro.equivoco(
    "parte-de-uns",
    "Você parte de uma entrada de números iguais. Quem normaliza cada token (e tira a média dele) transforma essas "
    "linhas em zeros, e o vazamento some: parta de números sorteados.",
)
def _(f, T, d, rng):
    return _examinar(f, T, d, rng, _troca_o_futuro, base=np.ones((T, d)))


@vaza_futuro.equivoco(
    "multiplica-o-futuro",
    "Você só multiplica o futuro por um número. Quem normaliza cada token divide pelo tamanho dele e não sente isso: "
    "ponha outros números sorteados no lugar.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[k:] *= 2.0

    return _examinar(f, T, d, rng, mexer)


@vaza_futuro.equivoco(
    "igualdade-exata",
    "Você exige igualdade exata. Há funções causais em que o futuro entra e sai da conta e deixa só arredondamento, "
    "lá pela décima sexta casa: compare com uma tolerância.",
)
def _(f, T, d, rng):
    return _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: not np.array_equal(Y[:k], W[:k]))


@vaza_futuro.equivoco(
    "tolerancia-absoluta",
    "Sua tolerância não leva em conta o tamanho da saída: em uma função que devolve números enormes, o próprio "
    "arredondamento passa dela. Compare em relação ao tamanho.",
)
def _(f, T, d, rng):
    return _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: np.abs(Y[:k] - W[:k]).max() > 1e-8)


@vaza_futuro.equivoco(
    "tolerancia-grande-demais",
    "Sua tolerância é grande demais: um vazamento de um milésimo passou. Arredondamento é da ordem de 1e-16 do "
    "tamanho da saída; há muito espaço entre um e outro.",
)
def _(f, T, d, rng):
    return _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: not np.allclose(Y[:k], W[:k], rtol=1e-2, atol=1e-2))


@vaza_futuro.equivoco(
    "entrada-de-zeros",
    "Você parte de uma entrada de zeros. Com ela, muita conta dá zero com ou sem vazamento (um portão que multiplica "
    "zero, por exemplo): parta de números sorteados.",
)
def _(f, T, d, rng):
    return _examinar(f, T, d, rng, _troca_o_futuro, base=np.zeros((T, d)))


@vaza_futuro.equivoco(
    "soma-uma-constante",
    "Você soma a mesma constante a todas as componentes. Quem normaliza cada token (e tira a média dele) não "
    "sente isso: ponha números sorteados.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[k:] += 1.0

    return _examinar(f, T, d, rng, mexer)


@vaza_futuro.equivoco(
    "embaralha-o-futuro",
    "Você só troca a ordem do que vem depois. Uma atenção sem máscara soma sobre todas as linhas, em qualquer ordem, "
    "e não percebe: ponha outros números no lugar.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[k:] = Z[k:][::-1].copy()

    return _examinar(f, T, d, rng, mexer)


@vaza_futuro.equivoco(
    "perturbacao-gigante",
    "Sua perturbação é gigantesca: com números de um milhão, exponenciais viram 0 ou infinito, e uma função causal "
    "dá NaN. Use números de tamanho comum.",
)
def _(f, T, d, rng):
    def mexer(Z, k, rng):
        Z[k:] = 1e6 * rng.normal(size=Z[k:].shape)

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: not np.allclose(Y[:k], W[:k]))


@vaza_futuro.equivoco(
    "encurta-a-entrada",
    "Você chama f com menos linhas. Esta f só aceita (T, d): em vez de cortar o futuro, troque-o por outros números.",
)
def _(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Y = f(X)
    return any(not np.allclose(f(X[:k]), Y[:k]) for k in range(1, T))


@vaza_futuro.alternativa("uma-linha-por-vez")
def _(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Y = f(X)
    for s in range(1, T):
        Z = X.copy()
        Z[s] += rng.normal(size=d)
        if not np.allclose(f(Z)[:s], Y[:s]):
            return True
    return False


@vaza_futuro.alternativa("corta-em-todo-lugar-com-allclose")
def _(f, T, d, rng):
    X, outra = rng.normal(size=(2, T, d))
    Y = f(X)
    return not all(np.allclose(f(np.concatenate([X[:k], outra[k:]]))[:k], Y[:k]) for k in range(1, T))


@vaza_futuro.alternativa("so-a-linha-anterior-ao-corte")
def _(f, T, d, rng):
    X = rng.uniform(-2, 2, size=(T, d))
    Y = f(X)
    for k in range(1, T):  # trocar TODO o futuro da linha k − 1 e olhar só para ela também basta
        Z = X.copy()
        Z[k:] = rng.uniform(-2, 2, size=(T - k, d))
        if not np.allclose(f(Z)[k - 1], Y[k - 1]):
            return True
    return False


@vaza_futuro.alternativa("jacobiana-numerica")
def _(f, T, d, rng):
    X = rng.normal(size=(T, d))
    passo = 1e-4
    for s in range(T):
        for j in range(d):
            E = np.zeros((T, d))
            E[s, j] = passo
            mais, menos = f(X + E), f(X - E)
            tamanho = np.abs(mais).max()
            if s and np.abs(mais - menos)[:s].max() / (2 * passo) > 1e-5 * tamanho:
                return True
    return False


@vaza_futuro.alternativa("varias-tentativas")
def _(f, T, d, rng):
    achados = []
    for _ in range(3):
        X = rng.normal(size=(T, d))
        Y = f(X)
        for k in range(1, T):
            Z = X.copy()
            Z[k:] = 2 * rng.normal(size=(T - k, d))
            erro = np.linalg.norm(f(Z)[:k] - Y[:k]) / np.linalg.norm(Y[:k]) if np.any(Y[:k]) else 0.0
            achados.append(erro > 1e-7)
    return bool(np.any(achados))
