"""A questão `multi_cabecas_causal` da lista 06."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_06.atencao_mascarada import atencao_mascarada
from gabarito.lista_06.comum import pontuacoes, softmax, softmax_mascarado
from gabarito.lista_06.mascara_causal import mascara_causal


def _dividir(X, h):
    T, d = X.shape
    return X.reshape(T, h, d // h).transpose(1, 0, 2)  # (h, T, d/h)


def _juntar(H):
    h, T, d_h = H.shape
    return H.transpose(1, 0, 2).reshape(T, h * d_h)


def multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    Y, A = atencao_mascarada(Q, K, V, mascara_causal(len(X)))
    return _juntar(Y) @ W_O, A


def _com_mascara(X, W_Q, W_K, W_V, W_O, h, M):
    """O mesmo, com outra máscara no lugar da causal; serve aos equívocos."""
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    Y, A = atencao_mascarada(Q, K, V, M)
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


def ocultos(rng):
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


q = questao(
    "lista-06/multi_cabecas_causal",
    assinatura="multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, h)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=multi_cabecas_causal,
    depende=["mascara_causal", "atencao_mascarada"],
    casos=_visiveis_mhc(),
    ocultos=ocultos,
    propriedades=["A: nao-negativa", "A: linhas-somam-1"],
)

q.equivocos_curtos("""
sem-mascara: _com_mascara(X, W_Q, W_K, W_V, W_O, h, np.zeros((len(X), len(X)), dtype=bool))
    As cabeças estão certas, mas nenhuma tem máscara: os pesos acima da diagonal deviam ser 0. Cadê a causal?
mascara-so-na-primeira-cabeca:
        Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V)) → M = np.zeros((h, len(X), len(X)), dtype=bool)
        Y, A = atencao_mascarada(Q, K, V, mascara_causal(len(X))) → M[0] = mascara_causal(len(X))
        _juntar(Y) @ W_O, A → _com_mascara(X, W_Q, W_K, W_V, W_O, h, M)
    Só a primeira cabeça tem máscara. Basta uma cabeça sem ela para o futuro vazar: a máscara vale para todas.
mascara-ao-contrario: _com_mascara(X, W_Q, W_K, W_V, W_O, h, mascara_causal(len(X)).T)
    Cada token vê só o presente e o futuro: a máscara esconde o triângulo errado (ou está transposta).
deixa-ver-o-proximo: _com_mascara(X, W_Q, W_K, W_V, W_O, h, np.triu(np.ones((len(X), len(X)), dtype=bool), k=2))
    Cada token ainda vê o seguinte: há peso na diagonal logo acima da principal. A máscara começa uma casa tarde demais.
esconde-a-diagonal: _com_mascara(X, W_Q, W_K, W_V, W_O, h, np.triu(np.ones((len(X), len(X)), dtype=bool)))
    Nenhum token vê a si mesmo, e o primeiro não vê nada. A diagonal fica à vista: o presente não é futuro.
mascara-depois-da-softmax: Y, A → A
        atencao_mascarada(Q, K, V, mascara_causal(len(X))) → np.tril(softmax(pontuacoes(Q, K)))
        _juntar(Y) → _juntar(A @ V)
    Os pesos do futuro são 0, mas as linhas de A não somam 1: você zerou depois da softmax. Esconda antes, nas
    pontuações.
sem-w-o: multi_cabecas_causal(X, W_Q, W_K, W_V, np.eye(X.shape[1]), h)
    Os pesos estão certos e as cabeças, juntas, também; faltou a última projeção, W_O. No exemplo do enunciado ela é a
    identidade, e por isso a falta não aparece.
junta-sem-transpose: _juntar(Y) → Y.reshape(X.shape)
    Os pesos A estão certos, mas ao juntar as cabeças você foi de (h, T, d/h) direto a (T, d). Traga o eixo das cabeças
    para junto das componentes antes do reshape. Veja a Dica 2.
media-dos-pesos: return _juntar(Y) @ W_O, A → Y, A = _juntar(Y) @ W_O, A⏎return Y, A.mean(axis=0)
    Y está certa, mas A é a média das cabeças, de forma (T, T). O enunciado pede os pesos de cada uma: (h, T, T).
uma-cabeca-so: multi_cabecas_causal(X, W_Q, W_K, W_V, W_O, 1)
    Você fez uma cabeça só, com as d componentes todas: A deveria ser (h, T, T). Divida em h cabeças antes da atenção.
devolve-trocado: return _juntar(Y) @ W_O, A → Y, A = _juntar(Y) @ W_O, A⏎return A, Y
    Você devolveu (A, Y). O enunciado pede primeiro Y, depois A.
soma-o-residuo: return _juntar(Y) @ W_O, A → Y, A = _juntar(Y) @ W_O, A⏎return X + Y, A
    Você somou X à saída. A conexão residual é da aula 07; aqui, Y é só a atenção.
chaves-com-W_Q: (W_Q, W_K, W_V)) → (W_Q, W_Q, W_V))
    As chaves foram feitas com W_Q, e W_K não entrou na conta. Cada projeção usa a sua matriz.
valores-com-W_K: (W_Q, W_K, W_V)) → (W_Q, W_K, W_K))
    A está certa, mas os valores foram feitos com W_K. Eles usam W_V.
pesos-transpostos: X @ W, h → X @ W.T, h
        @ W_O → @ W_O.T
    Você multiplicou pelas transpostas dos pesos, como faz a nn.Linear do torch por dentro. Aqui é X @ W.
w-o-transposta: @ W_O → @ W_O.T
    Os pesos A estão certos, mas a saída foi multiplicada pela transposta de W_O. No exemplo do enunciado ela é a
    identidade, e por isso o erro não aparece.
mascara-negada: _com_mascara(X, W_Q, W_K, W_V, W_O, h, ~mascara_causal(len(X)))
    A máscara foi negada: cada token só vê o futuro, e o último não vê ninguém. Em mascara_causal, True já esconde o
    futuro.
zero-na-pontuacao: Y, A = atencao_mascarada(Q, K, V, mascara_causal(len(X))) → A = softmax(np.tril(pontuacoes(Q, K)))
        _juntar(Y) → _juntar(A @ V)
    Você pôs 0 nas pontuações do futuro, e exp(0) é 1: ele ainda recebe peso. Para esconder, ponha −inf antes da
    softmax.
zero-vezes-infinito:
        Y, A = atencao_mascarada(Q, K, V, mascara_causal(len(X))) → M = mascara_causal(len(X)) * -np.inf
        return _juntar(Y) @ W_O, A → A = softmax(pontuacoes(Q, K) + M)⏎return _juntar(A @ V) @ W_O, A
    Sua máscara aditiva multiplica True e False por −inf, e 0 × inf é NaN. Escolha em vez de multiplicar: np.where.
softmax-nas-colunas: Y, A = atencao_mascarada(Q, K, V, mascara_causal(len(X))) → M = mascara_causal(len(X)).T
        return _juntar(Y) → A = softmax_mascarado(pontuacoes(K, Q), M).transpose(0, 2, 1)⏎return _juntar(A @ V)
    Em cada cabeça, são as colunas de A que somam 1, e deve ser cada linha: a softmax é no último eixo.
escala-sem-raiz: Y, A = atencao_mascarada(Q, K → Y, A = atencao_mascarada(Q / np.sqrt(Q.shape[-1]), K
    As pontuações foram divididas por d/h inteiro: ou falta a raiz, ou √(d/h) entrou duas vezes (a sua atencao_mascarada
    já divide).
reshape-nos-dois: _dividir(X @ W, h) → (X @ W).reshape(h, len(X), -1)
        _juntar(Y) → Y.reshape(X.shape)
    Ao repartir e ao juntar as cabeças, o reshape foi direto e misturou tokens. De (T, d) vá a (T, h, d/h) e troque os
    eixos; na volta, troque-os antes do reshape.
intercala-nos-dois: _dividir(X @ W, h) → (X @ W).reshape(len(X), -1, h).transpose(2, 0, 1)
        _juntar(Y) → Y.transpose(1, 2, 0).reshape(X.shape)
    Cada cabeça pegou colunas intercaladas, na divisão e na junção. A cabeça i fica com um bloco de d/h colunas
    seguidas: o reshape é (T, h, d/h).
sem-escala-e-sem-w-o:
        Y, A = atencao_mascarada(Q, K, V → Y, A = atencao_mascarada(Q * np.sqrt(Q.shape[-1]), K, V
        _juntar(Y) @ W_O → _juntar(Y)
    São dois erros: falta dividir as pontuações por √(d/h), e falta a última projeção, W_O.
sem-mascara-e-sem-escala:
        Y, A = atencao_mascarada(Q, K, V, mascara_causal(len(X))) → A = softmax(Q @ K.transpose(0, 2, 1))
        _juntar(Y) → _juntar(A @ V)
    São dois erros: falta a máscara causal (os pesos acima da diagonal deviam ser 0), e falta dividir as pontuações por
    √(d/h).
sem-w-o-e-ordem-trocada: return _juntar(Y) @ W_O, A → return A, _juntar(Y)
    São dois erros: o enunciado pede primeiro Y, depois A; e falta a última projeção, W_O.
fatias-sobrepostas: Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V)) → s = len(W_O) // h⏎Q, K, V = (
        Y, A = → np.stack([(X @ W)[:, i : i + s] for i in range(h)]) for W in (W_Q, W_K, W_V))⏎Y, A =
    As cabeças se sobrepõem: a cabeça i ficou com as colunas de i a i + d_h. Ela começa em i·d_h: Q[:, i * d_h : (i + 1)
    * d_h].
""")


@q.equivoco
def menos_vinte(X, W_Q, W_K, W_V, W_O, h):
    """Esconder com −20 não basta: há pontuações perto de −40 à vista, e o futuro ainda ganha delas. Use −inf, ou algo
    como −1e9."""
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = softmax(np.where(mascara_causal(len(X)), -20.0, pontuacoes(Q, K)))
    return _juntar(A @ V) @ W_O, A


@q.equivoco
def escala_por_d(X, W_Q, W_K, W_V, W_O, h):
    """Você dividiu por √d, o tamanho do token inteiro. Cada cabeça trabalha com d/h componentes: a escala é √(d/h)."""
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(X.shape[1])
    A = softmax_mascarado(S, mascara_causal(len(X)))
    return _juntar(A @ V) @ W_O, A


@q.equivoco
def sem_escala(X, W_Q, W_K, W_V, W_O, h):
    """Falta dividir as pontuações por √(d/h)."""
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = softmax_mascarado(Q @ K.transpose(0, 2, 1), mascara_causal(len(X)))
    return _juntar(A @ V) @ W_O, A


@q.equivoco
def reshape_sem_transpose(X, W_Q, W_K, W_V, W_O, h):
    """As formas estão certas e os números, embaralhados: você foi de (T, d) direto a (h, T, d/h). Primeiro (T, h, d/h),
    depois troque os eixos. Veja a Dica 2."""
    T, d = X.shape
    Q, K, V = ((X @ W).reshape(h, T, d // h) for W in (W_Q, W_K, W_V))
    Y, A = atencao_mascarada(Q, K, V, mascara_causal(T))
    return _juntar(Y) @ W_O, A


@q.equivoco
def cabecas_intercaladas(X, W_Q, W_K, W_V, W_O, h):
    """Cada cabeça pegou uma coluna sim, outra não. A cabeça i fica com um bloco de d/h colunas seguidas: o reshape é
    (T, h, d/h), e não (T, d/h, h)."""
    T, d = X.shape
    Q, K, V = ((X @ W).reshape(T, d // h, h).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    Y, A = atencao_mascarada(Q, K, V, mascara_causal(T))
    return _juntar(Y) @ W_O, A


@q.alternativa
def laco_nas_cabecas(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    saidas, pesos = [], []
    for i in range(h):
        bloco = slice(i * d_h, (i + 1) * d_h)
        S = (X @ W_Q[:, bloco]) @ (X @ W_K[:, bloco]).T / np.sqrt(d_h)
        S = S + np.where(np.tri(len(X)) == 0, -1e9, 0.0)
        pesos.append(softmax(S))
        saidas.append(pesos[-1] @ (X @ W_V[:, bloco]))
    return np.concatenate(saidas, axis=1) @ W_O, np.stack(pesos)


@q.alternativa
def einsum(X, W_Q, W_K, W_V, W_O, h):
    T, d = X.shape
    Q, K, V = ((X @ W).reshape(T, h, d // h) for W in (W_Q, W_K, W_V))
    S = np.einsum("thc,shc->hts", Q, K) / np.sqrt(d / h)
    E = np.tril(np.exp(S))
    A = E / E.sum(axis=-1, keepdims=True)
    return np.einsum("hts,shc->thc", A, V).reshape(T, d) @ W_O, A


@q.alternativa
def soma_das_cabecas(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    Y, pesos = 0.0, []
    for W in (slice(i * d_h, (i + 1) * d_h) for i in range(h)):
        y, A = atencao_mascarada(X @ W_Q[:, W], X @ W_K[:, W], X @ W_V[:, W], mascara_causal(len(X)))
        Y = Y + y @ W_O[W]  # juntar e projetar é somar o que cada cabeça projeta
        pesos.append(A)
    return Y, np.array(pesos)


@q.alternativa
def com_torch_float32(X, W_Q, W_K, W_V, W_O, h):
    X, W_Q, W_K, W_V, W_O = (torch.tensor(a, dtype=torch.float32) for a in (X, W_Q, W_K, W_V, W_O))
    T, d = X.shape
    Q, K, V = ((X @ W).view(T, h, d // h).transpose(0, 1) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(-1, -2) / (d // h) ** 0.5
    A = torch.softmax(S.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf")), dim=-1)
    return (A @ V).transpose(0, 1).reshape(T, d) @ W_O, A


@q.alternativa
def multiheadattention_do_torch(X, W_Q, W_K, W_V, W_O, h):
    T, d = X.shape
    camada = torch.nn.MultiheadAttention(d, h, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        camada.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
        camada.out_proj.weight.copy_(torch.tensor(W_O.T))
        Z = torch.tensor(X)[None]
        mascara = torch.ones(T, T, dtype=torch.bool).triu(1)
        Y, A = camada(Z, Z, Z, attn_mask=mascara, average_attn_weights=False)
    return Y[0], A[0]
