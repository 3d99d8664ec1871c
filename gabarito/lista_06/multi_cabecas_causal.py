"""A questão `multi_cabecas_causal` da lista 06."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_06.atencao_mascarada import atencao_mascarada
from gabarito.lista_06.comum import pontuacoes, softmax, softmax_mascarado  # noqa: F401 (usados nas tabelas)
from gabarito.lista_06.mascara_causal import mascara_causal
from gabarito.lista_06.mascara_de_preenchimento import mascara_de_preenchimento


def _dividir(X, h):
    B, T, d = X.shape
    return X.reshape(B, T, h, d // h).transpose(0, 2, 1, 3)  # (B, h, T, d/h)


def _juntar(H):
    B, h, T, d_h = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, T, h * d_h)


def multi_cabecas_causal(X, ids, W_Q, W_K, W_V, W_O, h):
    M = mascara_causal(X.shape[1]) | mascara_de_preenchimento(ids)
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    Y, A = atencao_mascarada(Q, K, V, M)
    return _juntar(Y) @ W_O, A


_FRASE, _LOTE, _PADS = "uma frase", "um lote", "pads e pontuações grandes"


def _entrada(rng, B, T, d, pads=False, casas=3):
    """X (B, T, d), ids (B, T) e quatro matrizes (d, d); o desvio 1/√d mantém as pontuações perto de 1.

    O primeiro token nunca é pad: nenhuma linha fica toda escondida.
    """
    ids = rng.integers(1, 9, size=(B, T))
    if pads:
        ids[0, -2:] = ids[1, 1] = ids[1, -1] = 0  # no fim, e no meio
    X = rng.normal(size=(B, T, d)).round(casas)
    return X, ids, *((rng.normal(size=(4, d, d)) / np.sqrt(d)).round(casas))


def _extrema(rng, T, d, h, longe=40):
    """Pontuações inteiras perto de ±longe, exatas em float32 (d/h = 4): só o último token, que ninguém antes vê, pontua
    +longe. Com longe = 40, a exponencial de cada uma ainda cabe."""
    X = np.zeros((1, T, d))
    X[..., 0], X[..., 1] = 1.0, -1.0  # a coluna 0 faz a consulta; a 1, a chave
    X[0, -1, 1] = 1.0
    X[..., 2:] = rng.integers(-1, 2, size=(T, d - 2))
    W_Q, W_K = np.zeros((2, d, d))
    W_Q[0], W_K[1] = np.tile([longe / 5, 1.0, -1.0, 1.0], h), np.tile([10.0, 0.0, 0.0, 0.0], h)
    for i in range(h):
        W_K[2 + i, 4 * i + 1 + rng.integers(3)] = 2.0 * rng.choice([-1.0, 1.0])  # soma até ±1 às pontuações
    W_V, W_O = rng.integers(-8, 9, size=(2, d, d)) / 8
    return X, rng.integers(1, 9, size=(1, T)), W_Q, W_K, W_V, W_O, h


def ocultos(rng):
    T = int(rng.integers(5, 8))
    return [
        caso(*_entrada(rng, 1, T, 6), 2, parte=_FRASE),
        caso(*_entrada(rng, 1, 4, 8), 4, parte=_FRASE),
        caso(*_entrada(rng, 1, 5, 4), 1, parte=_FRASE),
        caso(*_entrada(rng, 1, 4, 5), 5, parte=_FRASE),
        caso(*_entrada(rng, 1, 1, 6), 2, parte=_FRASE),
        caso(*_entrada(rng, 1, int(rng.integers(33, 41)), 4), 2, parte=_FRASE),
        caso(*_extrema(rng, 5, 8, 2), parte=_FRASE),
        caso(*_entrada(rng, 2, T, 6), 3, parte=_LOTE),
        caso(*_entrada(rng, 4, 3, 6), 2, parte=_LOTE),
        caso(*_entrada(rng, 2, T, 6, pads=True), 2, parte=_PADS),
        caso(*_entrada(rng, 3, 6, 8, pads=True), 4, parte=_PADS),
        caso(*_extrema(rng, 5, 8, 2, longe=1000), parte=_PADS),
    ]


def _visiveis():
    rng = np.random.default_rng(60)
    W_Q = np.array([[1.0, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0]])
    W_K = np.array([[1.0, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
    W_V = np.array([[1.0, 0, 0, 1], [0, 1, 1, 0], [1, 1, 1, 0], [0, 1, 0, 1]])
    X, ids = np.array([[[1.0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]]]), np.array([[7, 2, 9]])
    return [
        caso(X, ids, W_Q, W_K, W_V, np.eye(4), 2, claro=True, rotulo="Life is awesome", parte=_FRASE),
        caso(*_entrada(rng, 1, 5, 6, casas=1), 2, rotulo="uma frase, duas cabeças", parte=_FRASE),
        caso(*_entrada(rng, 1, 4, 6, casas=1), 3, rotulo="uma frase, três cabeças", parte=_FRASE),
        caso(*_entrada(rng, 1, 3, 4, casas=1), 1, rotulo="uma frase, uma cabeça", parte=_FRASE),
        caso(*_entrada(rng, 1, 1, 4, casas=1), 2, rotulo="um token só", parte=_FRASE),
        caso(*_extrema(rng, 4, 8, 2), rotulo="pontuações perto de −40 à vista e de +40 no futuro", parte=_FRASE),
        caso(*_entrada(rng, 3, 4, 6, casas=1), 2, rotulo="três frases", parte=_LOTE),
        caso(*_entrada(rng, 2, 5, 6, pads=True, casas=1), 3, rotulo="duas frases, com pads", parte=_PADS),
        caso(*_extrema(rng, 4, 8, 2, longe=1000), rotulo="pontuações perto de −1000 e de 1000", parte=_PADS),
    ]


q = questao(
    "lista-06/multi_cabecas_causal",
    assinatura="multi_cabecas_causal(X, ids, W_Q, W_K, W_V, W_O, h)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=multi_cabecas_causal,
    depende=["mascara_causal", "mascara_de_preenchimento", "atencao_mascarada"],
    casos=_visiveis(),
    ocultos=ocultos,
    propriedades=["A: nao-negativa", "A: linhas-somam-1"],
    partes={_FRASE: 0.5, _LOTE: 0.25, _PADS: 0.25},
)

q.equivocos_curtos("""
sem-mascara: mascara_causal(X.shape[1]) → np.zeros((X.shape[1], X.shape[1]), dtype=bool)
    As cabeças estão certas, mas cada token ainda vê o futuro: os pesos acima da diagonal deviam ser 0. Cadê a causal?
sem-mascara-nenhuma: M = mascara_causal(X.shape[1]) | mascara_de_preenchimento(ids) → M = np.zeros((1, 1), dtype=bool)
    As cabeças estão certas, mas nenhuma máscara entrou na conta. Faltam as duas, a causal e a dos pads.
esquece-os-pads: M = mascara_causal(X.shape[1]) | mascara_de_preenchimento(ids) → M = mascara_causal(X.shape[1])
    A máscara causal está certa, mas os pads ainda recebem peso. Junte a ela a sua mascara_de_preenchimento. Veja a
    Dica 3.
e-no-lugar-de-ou: mascara_causal(X.shape[1]) | mascara → mascara_causal(X.shape[1]) & mascara
    Você juntou as máscaras com “e”: só se esconde o que é futuro e pad ao mesmo tempo. Um par fica escondido se uma
    máscara ou a outra o esconde.
pads-ao-contrario: | mascara_de_preenchimento(ids) → | ~mascara_de_preenchimento(ids)
    Você escondeu os tokens de verdade e deixou os pads à vista. Em mascara_de_preenchimento, True já esconde o pad.
esconde-a-linha-do-pad: | mascara_de_preenchimento(ids) → | (ids == 0)[:, None, :, None]
    Você escondeu a linha do pad, e os outros continuam olhando para ele. Quem não deve ser visto é a coluna, a chave.
esconde-a-linha-e-a-coluna: mascara_de_preenchimento(ids) → mascara_de_preenchimento(ids) | (ids == 0)[:, None, :, None]
    Você escondeu também as linhas dos pads, e elas ficaram sem ninguém para olhar. Só a coluna se esconde.
zera-a-saida-do-pad: return _juntar(Y) @ W_O, A → return _juntar(Y) @ W_O * (ids != 0)[:, :, None], A
    A está certa, mas na saída você zerou as linhas dos pads. Ninguém olha para um pad, e ele mesmo olha como os outros:
    a linha dele em Y fica.
pads-da-primeira-frase: mascara_de_preenchimento(ids) → mascara_de_preenchimento(ids)[:1]
    Todas as frases usaram os pads da primeira. Cada frase tem os seus: a máscara tem o eixo do lote.
mascara-so-na-primeira-cabeca: Q, K, V = → M = np.repeat(M, h, axis=1) & (np.arange(h) == 0)[:, None, None]⏎Q, K, V =
    Só a primeira cabeça tem máscara. Basta uma cabeça sem ela para o futuro vazar: a máscara vale para todas.
mascara-ao-contrario: mascara_causal(X.shape[1]) → mascara_causal(X.shape[1]).T
    Cada token vê só o presente e o futuro: a máscara esconde o triângulo errado (ou está transposta).
deixa-ver-o-proximo: mascara_causal(X.shape[1]) → np.triu(np.ones((X.shape[1], X.shape[1]), dtype=bool), k=2)
    Cada token ainda vê o seguinte: há peso na diagonal logo acima da principal. A máscara começa uma diagonal acima
    da certa.
esconde-a-diagonal: mascara_causal(X.shape[1]) → np.triu(np.ones((X.shape[1], X.shape[1]), dtype=bool))
    Nenhum token vê a si mesmo, e o primeiro não vê nada. A diagonal fica à vista: o presente não é futuro.
mascara-depois-da-softmax: Y, A = atencao_mascarada(Q, K, V, M) → A = np.where(M, 0.0, softmax(pontuacoes(Q, K)))
        _juntar(Y) → _juntar(A @ V)
    Os pesos do futuro são 0, mas as linhas de A não somam 1: você zerou depois da softmax. Esconda antes, nas
    pontuações.
sem-w-o: _juntar(Y) @ W_O, A → _juntar(Y), A
    Os pesos estão certos e as cabeças, juntas, também; faltou a última projeção, W_O. No exemplo do enunciado ela é a
    identidade, e por isso a falta não aparece.
junta-sem-transpose: _juntar(Y) → Y.reshape(X.shape)
    Os pesos A estão certos, mas ao juntar as cabeças você foi de (B, h, T, d/h) direto a (B, T, d). Traga o eixo das
    cabeças para junto das componentes antes do reshape. Veja a Dica 2.
media-dos-pesos: return _juntar(Y) @ W_O, A → Y, A = _juntar(Y) @ W_O, A⏎return Y, A.mean(axis=1)
    Y está certa, mas A é a média das cabeças, de forma (B, T, T). O enunciado pede os pesos de cada uma: (B, h, T, T).
uma-cabeca-so: multi_cabecas_causal(X, ids, W_Q, W_K, W_V, W_O, 1)
    Você fez uma cabeça só, com as d componentes todas: A deveria ser (B, h, T, T). Divida em h cabeças antes da
    atenção.
devolve-trocado: return _juntar(Y) @ W_O, A → Y, A = _juntar(Y) @ W_O, A⏎return A, Y
    Você devolveu (A, Y). O enunciado pede primeiro Y, depois A.
soma-o-residuo: return _juntar(Y) @ W_O, A → Y, A = _juntar(Y) @ W_O, A⏎return X + Y, A
    Você somou X à saída. A conexão residual é da aula 07; aqui, Y é só a atenção.
chaves-com-W_Q: (W_Q, W_K, W_V)) → (W_Q, W_Q, W_V))
    As chaves foram feitas com W_Q, e W_K não entrou na conta. Cada projeção usa a sua matriz.
consultas-e-chaves-trocadas: (W_Q, W_K, W_V)) → (W_K, W_Q, W_V))
    As consultas e as chaves estão trocadas: W_Q faz a consulta de quem olha, que é a linha de A, e W_K, a chave de quem
    é olhado. Confira também a ordem em que as entrega à atenção.
valores-com-W_K: (W_Q, W_K, W_V)) → (W_Q, W_K, W_K))
    A está certa, mas os valores foram feitos com W_K. Eles usam W_V.
pesos-transpostos: X @ W, h → X @ W.T, h
        @ W_O → @ W_O.T
    Você multiplicou pelas matrizes transpostas, como faz a nn.Linear do torch por dentro. Aqui é X @ W.
w-o-transposta: @ W_O → @ W_O.T
    Os pesos A estão certos, mas a saída foi multiplicada pela transposta de W_O. No exemplo do enunciado ela é a
    identidade, e por isso o erro não aparece.
mascara-negada: atencao_mascarada(Q, K, V, M) → atencao_mascarada(Q, K, V, ~M)
    A máscara foi negada: cada token só vê o que devia estar escondido. Nas suas máscaras, True já esconde.
zero-na-pontuacao: Y, A = atencao_mascarada(Q, K, V, M) → A = softmax(np.where(M, 0.0, pontuacoes(Q, K)))
        _juntar(Y) → _juntar(A @ V)
    Você pôs 0 nas pontuações do futuro, e exp(0) é 1: ele ainda recebe peso. Para esconder, ponha −inf antes da
    softmax.
zero-vezes-infinito: Y, A = atencao_mascarada(Q, K, V, M) → A = softmax(pontuacoes(Q, K) + M * -np.inf)
        _juntar(Y) → _juntar(A @ V)
    Sua máscara aditiva multiplica True e False por −inf, e 0 × inf é NaN. Escolha em vez de multiplicar: np.where.
softmax-nas-colunas: M = mascara_causal(X.shape[1]) | → M = mascara_causal(X.shape[1]).T | np.swapaxes(
        mascara_de_preenchimento(ids) → mascara_de_preenchimento(ids), -1, -2)
        Y, A = atencao_mascarada(Q, K, V, M) → A = np.swapaxes(softmax_mascarado(pontuacoes(K, Q), M), -1, -2)
        _juntar(Y) → _juntar(A @ V)
    Em cada cabeça, são as colunas de A que somam 1, e deve ser cada linha: a softmax é no último eixo.
escala-sem-raiz: Y, A = atencao_mascarada(Q, K → Y, A = atencao_mascarada(Q / np.sqrt(Q.shape[-1]), K
    As pontuações foram divididas por d/h inteiro: ou falta a raiz, ou √(d/h) entrou duas vezes (a sua atencao_mascarada
    já divide).
escala-por-d: Y, A = atencao_mascarada(Q, K → Y, A = atencao_mascarada(Q / np.sqrt(h), K
    Você dividiu por √d, o tamanho do token inteiro. Cada cabeça trabalha com d/h componentes: a escala é √(d/h).
sem-escala: Y, A = atencao_mascarada(Q, K → Y, A = atencao_mascarada(Q * np.sqrt(Q.shape[-1]), K
    Falta dividir as pontuações por √(d/h).
reshape-sem-transpose: _dividir(X @ W, h) → (X @ W).reshape(len(X), h, X.shape[1], -1)
    As formas estão certas e os números, embaralhados: você foi de (B, T, d) direto a (B, h, T, d/h). Primeiro
    (B, T, h, d/h), depois troque os eixos. Veja a Dica 2.
reshape-nos-dois: _dividir(X @ W, h) → (X @ W).reshape(len(X), h, X.shape[1], -1)
        _juntar(Y) → Y.reshape(X.shape)
    Ao repartir e ao juntar as cabeças, o reshape foi direto e misturou tokens. De (B, T, d) vá a (B, T, h, d/h) e
    troque os eixos; na volta, troque-os antes do reshape.
cabecas-intercaladas: _dividir(X @ W, h) → (X @ W).reshape(*X.shape[:2], -1, h).transpose(0, 3, 1, 2)
    Cada cabeça pegou uma coluna sim, outra não. A cabeça i fica com um bloco de d/h colunas seguidas: o reshape é
    (B, T, h, d/h), e não (B, T, d/h, h).
intercala-nos-dois: _dividir(X @ W, h) → (X @ W).reshape(*X.shape[:2], -1, h).transpose(0, 3, 1, 2)
        _juntar(Y) → Y.transpose(0, 2, 3, 1).reshape(X.shape)
    Cada cabeça pegou colunas intercaladas, na divisão e na junção. A cabeça i fica com um bloco de d/h colunas
    seguidas: o reshape é (B, T, h, d/h).
sem-escala-e-sem-w-o: Y, A = atencao_mascarada(Q, K → Y, A = atencao_mascarada(Q * np.sqrt(Q.shape[-1]), K
        _juntar(Y) @ W_O → _juntar(Y)
    São dois erros: falta dividir as pontuações por √(d/h), e falta a última projeção, W_O.
sem-w-o-e-ordem-trocada: return _juntar(Y) @ W_O, A → return A, _juntar(Y)
    São dois erros: o enunciado pede primeiro Y, depois A; e falta a última projeção, W_O.
esconde-com-menos-vinte: Y, A = atencao_mascarada(Q, K, V, M) → A = softmax(np.where(M, -20.0, pontuacoes(Q, K)))
        _juntar(Y) → _juntar(A @ V)
    Esconder com −20 não basta: há pontuações perto de −40 à vista, e o futuro ainda ganha delas. Use −inf, ou algo como
    −1e9.
esconde-com-menos-dez: Y, A = atencao_mascarada(Q, K, V, M) → A = softmax(np.where(M, -10.0, pontuacoes(Q, K)))
        _juntar(Y) → _juntar(A @ V)
    O escondido ainda recebe um restinho de peso: −10 é pouco, exp(−10) não é zero. Use −inf, ou algo como −1e9.
so-a-primeira-frase: multi_cabecas_causal(X[:1], ids[:1], W_Q, W_K, W_V, W_O, h)
    Só a primeira frase do lote saiu. Há um X[0], ou um return dentro do laço? Faça o mesmo com cada frase.
sem-o-eixo-do-lote: _juntar(Y) @ W_O, A → (_juntar(Y) @ W_O)[0], A[0]
    Falta o eixo do lote, o primeiro. Com uma frase só ele tem tamanho 1, e continua lá.
""")


def _cada_cabeca_com_a_sua_parte(X, ids, W_Q, W_K, W_V, h, parte):
    """As cabeças lado a lado, cada uma já multiplicada pela parte (d_h, d_h) de W_O que `parte(i, d_h)` diz."""
    M = mascara_causal(X.shape[1]) | mascara_de_preenchimento(ids)
    H, A = atencao_mascarada(*(_dividir(X @ W, h) for W in (W_Q, W_K, W_V)), M)
    partes = np.stack([parte(i, H.shape[-1]) for i in range(h)])  # (h, d_h, d_h)
    return _juntar(H @ partes), A


def _com_a_softmax(propria, X, ids, W_Q, W_K, W_V, W_O, h):
    """A resposta de quem não chama atencao_mascarada, e faz a softmax ali mesmo, com as pontuações e a máscara."""
    M = mascara_causal(X.shape[1]) | mascara_de_preenchimento(ids)
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = propria(pontuacoes(Q, K), M)
    return _juntar(A @ V) @ W_O, A


@q.equivoco
def sem_o_maximo(X, ids, W_Q, W_K, W_V, W_O, h):
    """Com pontuações pequenas está certo, mas exp(1000) estoura, e exp(−1000) vira 0: saiu NaN. Use a sua
    atencao_mascarada, ou subtraia de cada linha o máximo do que ela vê."""

    def propria(S, M):
        E = np.exp(np.where(M, -np.inf, S))
        return E / E.sum(axis=-1, keepdims=True)

    return _com_a_softmax(propria, X, ids, W_Q, W_K, W_V, W_O, h)


@q.equivoco
def maximo_de_tudo(X, ids, W_Q, W_K, W_V, W_O, h):
    """Na linha que só vê pontuações perto de −1000, toda exponencial deu 0, e 0/0 é NaN: o máximo que você subtraiu é
    muito maior que elas. Ou ele é o de outras linhas, ou é o do futuro, e aí um número finito pequeno, como −100, não
    esconde: use −inf ou −1e9, antes de achar o máximo de cada linha."""

    def propria(S, M):
        S = np.where(M, -np.inf, S)
        E = np.exp(S - S.max())
        return E / E.sum(axis=-1, keepdims=True)

    return _com_a_softmax(propria, X, ids, W_Q, W_K, W_V, W_O, h)


@q.equivoco
def o_canto_de_w_o(X, ids, W_Q, W_K, W_V, W_O, h):
    """Os pesos A estão certos, mas cada cabeça foi multiplicada pelo canto de W_O. Junte as cabeças antes e multiplique
    por W_O inteira, porque é ela que as mistura."""
    return _cada_cabeca_com_a_sua_parte(X, ids, W_Q, W_K, W_V, h, lambda _, d_h: W_O[:d_h, :d_h])


@q.equivoco
def w_o_em_pedacos(X, ids, W_Q, W_K, W_V, W_O, h):
    """Os pesos A estão certos, mas cada cabeça só foi multiplicada por um pedaço de W_O. Junte as cabeças antes e
    multiplique por W_O inteira, porque é ela que as mistura."""

    def parte(i, d_h):
        return W_O[i * d_h : (i + 1) * d_h, i * d_h : (i + 1) * d_h]

    return _cada_cabeca_com_a_sua_parte(X, ids, W_Q, W_K, W_V, h, parte)


@q.alternativa
def frase_por_frase_e_cabeca_por_cabeca(X, ids, W_Q, W_K, W_V, W_O, h):
    B, T, d = X.shape
    d_h = d // h
    A, H = np.zeros((B, h, T, T)), np.zeros((B, T, d))
    for b in range(B):
        for i in range(h):
            bloco = slice(i * d_h, (i + 1) * d_h)
            S = (X[b] @ W_Q[:, bloco]) @ (X[b] @ W_K[:, bloco]).T / np.sqrt(d_h)
            S = S + np.where(np.tri(T) == 0, -1e9, 0.0) + np.where(ids[b] == 0, -1e9, 0.0)
            A[b, i] = softmax(S)
            H[b, :, bloco] = A[b, i] @ (X[b] @ W_V[:, bloco])
    return H @ W_O, A


@q.alternativa
def einsum(X, ids, W_Q, W_K, W_V, W_O, h):
    B, T, d = X.shape
    Q, K, V = ((X @ W).reshape(B, T, h, d // h) for W in (W_Q, W_K, W_V))
    S = np.einsum("bthc,bshc->bhts", Q, K) / np.sqrt(d / h)
    S = np.where(np.tri(T, dtype=bool) & (ids != 0)[:, None, None, :], S, -np.inf)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    A = E / E.sum(axis=-1, keepdims=True)
    return np.einsum("bhts,bshc->bthc", A, V).reshape(B, T, d) @ W_O, A


@q.alternativa
def soma_das_cabecas(X, ids, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[-1] // h
    M = (mascara_causal(X.shape[1]) | mascara_de_preenchimento(ids))[:, 0]  # (B, T, T)
    Y, pesos = 0.0, []
    for W in (slice(i * d_h, (i + 1) * d_h) for i in range(h)):
        y, A = atencao_mascarada(X @ W_Q[:, W], X @ W_K[:, W], X @ W_V[:, W], M)
        Y = Y + y @ W_O[W]  # juntar e projetar é somar o que cada cabeça projeta
        pesos.append(A)
    return Y, np.stack(pesos, axis=1)


@q.alternativa
def uma_frase_de_cada_vez(X, ids, W_Q, W_K, W_V, W_O, h):
    T, d = X.shape[1:]
    saidas, pesos = [], []
    for x, pads in zip(X, mascara_de_preenchimento(ids), strict=True):
        Q, K, V = ((x @ W).reshape(T, h, d // h).transpose(1, 0, 2) for W in (W_Q, W_K, W_V))
        H, A = atencao_mascarada(Q, K, V, mascara_causal(T) | pads[0])
        saidas.append(H.transpose(1, 0, 2).reshape(T, d) @ W_O)
        pesos.append(A)
    return np.stack(saidas), np.stack(pesos)


@q.alternativa
def com_torch_float32(X, ids, W_Q, W_K, W_V, W_O, h):
    X, W_Q, W_K, W_V, W_O = (torch.tensor(a, dtype=torch.float32) for a in (X, W_Q, W_K, W_V, W_O))
    B, T, d = X.shape
    Q, K, V = ((X @ W).view(B, T, h, d // h).transpose(1, 2) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(-1, -2) / (d // h) ** 0.5
    M = torch.ones(T, T).triu(1).bool() | torch.tensor(ids).eq(0)[:, None, None, :]
    A = torch.softmax(S.masked_fill(M, float("-inf")), dim=-1)
    return (A @ V).transpose(1, 2).reshape(B, T, d) @ W_O, A


@q.alternativa
def multiheadattention_do_torch(X, ids, W_Q, W_K, W_V, W_O, h):
    T, d = X.shape[1:]
    camada = torch.nn.MultiheadAttention(d, h, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        camada.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
        camada.out_proj.weight.copy_(torch.tensor(W_O.T))
        Z, pads = torch.tensor(X), torch.tensor(ids == 0)
        mascara = torch.ones(T, T, dtype=torch.bool).triu(1)
        return camada(Z, Z, Z, attn_mask=mascara, key_padding_mask=pads, average_attn_weights=False)
