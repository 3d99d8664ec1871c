"""A questão `multi_cabecas` da lista 05."""

import math

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_05.comum import WK_EXEMPLO, WO_EXEMPLO, WQ_EXEMPLO, WV_EXEMPLO, X_EXEMPLO
from gabarito.lista_05.dividir_cabecas import dividir_cabecas
from gabarito.lista_05.juntar_cabecas import juntar_cabecas
from gabarito.lista_05.para_torch import para_torch  # noqa: F401 (usado nas tabelas)


def _softmax(S, eixo=-1):
    e = np.exp(S - S.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


def multi_cabecas(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (dividir_cabecas(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return juntar_cabecas(A @ V) @ W_O, A


_VARIAS, _GRANDES = "várias cabeças", "pontuações grandes"


def _sorteio(rng, N, d, h):
    """X (N, d), quatro matrizes (d, d) e h: as pontuações ficam com desvio perto de 1, longe de saturar."""
    pesos = [rng.normal(size=(d, d)) * s / np.sqrt(d) for s in (1.2, 1.2, 1.0, 1.0)]
    return caso(rng.normal(size=(N, d)), *pesos, h, parte=_VARIAS if h > 1 else None)


def _enormes_na_softmax(rng, N, h, rotulo=""):
    """Pontuações perto de ±1024 em cabeças de tamanho 1, exatas em float32, e que na linha diferem por pouco.

    Em X há o sinal da consulta, um múltiplo de 1/64 que distingue as chaves, e 1: chave = 32 + ou − o múltiplo.
    """
    X = np.ones((N, h))
    X[:, 0] = rng.permutation(np.resize([1.0, -1.0], N))
    X[:, 1] = rng.permutation(N) / 64
    W_Q, W_K = np.zeros((h, h)), np.zeros((h, h))
    W_Q[0], W_K[1], W_K[2] = 32.0, np.resize([1.0, -1.0, 2.0], h), 32.0
    W_V, W_O = (rng.integers(-8, 8, size=(h, h), endpoint=True) / 4 for _ in range(2))
    return caso(X, W_Q, W_K, W_V, W_O, h, rotulo=rotulo, parte=_GRANDES)


def ocultos(rng):
    return [
        _sorteio(rng, 5, 8, 2),
        _sorteio(rng, 4, 6, 3),
        _sorteio(rng, 3, 12, 4),
        _sorteio(rng, 7, 10, 2),
        _sorteio(rng, 4, 5, 1),
        _sorteio(rng, 1, 6, 2),
        _sorteio(rng, 3, 6, 3),
        _enormes_na_softmax(rng, 5, 3),
        _enormes_na_softmax(rng, 3, 4),
    ]


def _redondos(semente, N, d, h, rotulo):
    """Como `_sorteio`, mas com uma casa decimal, para que o caso visível se leia."""
    rng = np.random.default_rng(semente)
    pesos = [np.round(rng.normal(size=(d, d)) * 0.5, 1) + 0.0 for _ in range(4)]
    X = np.round(rng.normal(size=(N, d)), 1) + 0.0
    return caso(X, *pesos, h, rotulo=rotulo, parte=_VARIAS if h > 1 else None)


q = questao(
    "lista-05/multi_cabecas",
    assinatura="multi_cabecas(X, W_Q, W_K, W_V, W_O, h)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=multi_cabecas,
    depende=["dividir_cabecas", "juntar_cabecas"],
    casos=[
        caso(
            X_EXEMPLO, WQ_EXEMPLO, WK_EXEMPLO, WV_EXEMPLO, WO_EXEMPLO, 2,
            claro=True, rotulo="o exemplo do enunciado", parte=_VARIAS,
        ),
        _redondos(11, 5, 6, 2, "cinco tokens, d = 6, h = 2"),
        _redondos(12, 2, 6, 3, "dois tokens, d = 6, h = 3"),
        _redondos(13, 4, 3, 1, "uma cabeça só"),
        _redondos(17, 2, 5, 1, "uma cabeça só, e menos tokens que colunas"),
        _redondos(14, 1, 4, 2, "um token só"),
        _redondos(15, 2, 4, 2, "tantas cabeças quantos tokens"),
        _enormes_na_softmax(np.random.default_rng(16), 4, 3, "pontuações perto de 1024 e de -1024"),
    ],
    ocultos=ocultos,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
    partes={"uma cabeça": 0.3, _VARIAS: 0.6, _GRANDES: 0.1},
)  # fmt: skip


@q.equivoco
def reshape_sem_transpor(X, W_Q, W_K, W_V, W_O, h):
    """As formas estão certas, mas as cabeças misturam tokens: ao repartir Q, K e V, o reshape foi direto para (h, N,
    d_h). Use a sua dividir_cabecas (e a juntar_cabecas na volta)."""
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(h, N, d // h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return (A @ V).reshape(N, d) @ W_O, A


@q.equivoco
def reparte_sem_transpor(X, W_Q, W_K, W_V, W_O, h):
    """A junção está certa, mas a divisão não: o reshape foi direto para (h, N, d_h), e cada cabeça misturou tokens. Use
    a sua dividir_cabecas."""
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(h, N, d // h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return juntar_cabecas(A @ V) @ W_O, A


@q.equivoco
def junta_com_reshape(X, W_Q, W_K, W_V, W_O, h):
    """A está certa, mas Y não: ao juntar as cabeças, o reshape foi direto de (h, N, d_h) para (N, d) e misturou tokens.
    Use a sua juntar_cabecas."""
    N, d = X.shape
    Q, K, V = (dividir_cabecas(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return (A @ V).reshape(N, d) @ W_O, A


@q.equivoco
def intercalado(X, W_Q, W_K, W_V, W_O, h):
    """Suas cabeças pegaram colunas intercaladas de Q, K e V. As colunas de uma cabeça são vizinhas: a cabeça 0 fica com
    as d_h primeiras."""
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(N, d // h, h).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return (A @ V).transpose(1, 2, 0).reshape(N, d) @ W_O, A


q.equivocos_curtos("""
sem-W_O: juntar_cabecas(A @ V) @ W_O → juntar_cabecas(A @ V)
    A está certa, e Y é a fila das cabeças sem a mistura final. Falta multiplicar por W_O. Veja a Dica 3.
W_O-antes-da-atencao: (W_Q, W_K, W_V) → (W_Q, W_K, W_V @ W_O)
        juntar_cabecas(A @ V) @ W_O → juntar_cabecas(A @ V)
    W_O entrou antes da atenção, e a divisão em cabeças cortou o que ela tinha misturado. Ela vem por último, depois de
    juntar.
W_O-transposta: juntar_cabecas(A @ V) @ W_O → juntar_cabecas(A @ V) @ W_O.T
    A está certa, mas a saída foi multiplicada pela transposta de W_O. Os tokens estão nas linhas: W_O entra pela
    direita, como está.
pesos-transpostos: X @ W → X @ W.T
        juntar_cabecas(A @ V) @ W_O → juntar_cabecas(A @ V) @ W_O.T
    Você multiplicou pelas transpostas das matrizes, como faz a nn.Linear do torch por dentro. Aqui é X @ W.
escala-raiz-de-d: Q.shape → X.shape
    A escala usa √d, o tamanho do modelo inteiro. O produto escalar de uma cabeça tem só d_h parcelas: é √d_h.
escala-raiz-de-h: Q.shape[-1] → h
    A escala usa √h, o número de cabeças. Quem entra na raiz é o tamanho de uma cabeça, d_h.
sem-escala: Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]) → Q @ K.transpose(0, 2, 1)
    As pontuações entraram na softmax sem escala. Divida-as por √d_h antes. Veja a Dica 3.
escala-sem-raiz: np.sqrt(Q.shape[-1]) → Q.shape[-1]
    Você dividiu as pontuações por d_h inteiro: ou falta a raiz (aula 03), ou ela entrou duas vezes.
softmax-nas-colunas: .sqrt(Q.shape[-1]) → .sqrt(Q.shape[-1]), 1
    Em cada cabeça, são as colunas de A que somam 1, e deve ser cada linha. Ou a softmax não foi no último eixo, ou as
    pontuações são K com Q e A foi transposta depois.
softmax-entre-cabecas: .sqrt(Q.shape[-1]) → .sqrt(Q.shape[-1]), 0
    A softmax correu ao longo do eixo 0, o das cabeças: elas é que estão competindo. Quem compete são os tokens, no
    último eixo.
A-media-das-cabecas:
        return juntar_cabecas(A @ V) @ W_O, A → Y, A = juntar_cabecas(A @ V) @ W_O, A⏎return Y, A.mean(axis=0)
    Y está certa, mas A é a média das cabeças, (N, N), como o torch devolve se ninguém pede outra coisa. Devolva todas:
    (h, N, N).
cabecas-no-fim:
        return juntar_cabecas(A @ V) @ W_O, A → Y, A = juntar_cabecas(A @ V) @ W_O, A⏎return Y, A.transpose(1, 2, 0)
    Y está certa, mas A saiu com o eixo das cabeças no fim, (N, N, h). Ele vem primeiro.
cabecas-no-meio:
        return juntar_cabecas(A @ V) @ W_O, A → Y, A = juntar_cabecas(A @ V) @ W_O, A⏎return Y, A.transpose(1, 0, 2)
    Y está certa, mas A saiu com o eixo das cabeças no meio, (N, h, N). Ele vem primeiro.
ignora-h: multi_cabecas(X, W_Q, W_K, W_V, W_O, 1)
    Isto é uma cabeça só, do tamanho do modelo: h não entrou na conta. Reparta Q, K e V antes da atenção.
cabeca-repetida: dividir_cabecas(X @ W, h) → dividir_cabecas(X @ W, h)[[0] * h]
    Todas as cabeças são iguais à primeira: o mesmo pedaço de Q, K e V foi usado h vezes. O índice da cabeça não está
    andando.
sem-projetar: Q, K, V → Q = K = V
        (dividir_cabecas(X @ W, h) for W in (W_Q, W_K, W_V)) → dividir_cabecas(X, h)
    Q, K e V são a própria X repartida: as matrizes W_Q, W_K e W_V não entraram na conta. Projete X antes de repartir.
consultas-por-chaves: Q @ K.transpose(0, 2, 1) → K @ Q.transpose(0, 2, 1)
    As pontuações estão transpostas: a linha deve ser de quem consulta (Q) e a coluna, de quem é lido (K).
mistura-chaves: Q, K, V → Q, K
        (W_Q, W_K, W_V) → (W_Q, W_K)
        A @ V → A @ K
    A está certa, mas o que se misturou foram as chaves K (V foi feita com W_K?). O que um token entrega é o valor V.
soma-a-entrada: return juntar_cabecas(A @ V) @ W_O, A → Y, A = juntar_cabecas(A @ V) @ W_O, A⏎return X + Y, A
    Você somou X à saída. Essa conexão residual vem na aula 07; aqui Y é só a atenção.
ordem-trocada: return juntar_cabecas(A @ V) @ W_O, A → Y, A = juntar_cabecas(A @ V) @ W_O, A⏎return A, Y
    Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, d), depois A (h, N, N).
T-com-tres-eixos: .transpose(0, 2, 1) → .T
    O `.T` de um array (h, N, d_h) inverte os três eixos, e o produto não se encaixa. Dentro de cada cabeça, troque só
    os dois últimos. Veja a Dica 2.
divide-antes-de-projetar:
        (dividir_cabecas(X @ W, h) for W in (W_Q, W_K, W_V)) → (dividir_cabecas(X, h) @ W for W in (W_Q, W_K, W_V))
    Um pedaço de d_h colunas não se encaixa em uma matriz (d, d). X inteira passa pelas matrizes inteiras, e só depois
    se divide; as cabeças todas, uma ao lado da outra, passam por W_O. Em que ponto sobrou um pedaço? Veja a Dica 1.
fatia-X-e-W: Q, K, V = → c = [slice(i, i + len(W_O) // h) for i in range(0, len(W_O), len(W_O) // h)]⏎Q, K, V =
        dividir_cabecas(X @ W, h) for → np.stack([X[:, s] @ W[s, s] for s in c]) for
    Cada cabeça só viu um pedaço de cada palavra: você cortou as colunas de X e, com elas, as linhas das matrizes. Cada
    cabeça recebe X inteira, (N, d). O que se corta são as colunas de Q, K e V. Veja a Dica 1.
fatia-X-e-as-linhas-de-W:
        Q, K, V = → d_h = len(W_O) // h⏎c = [slice(i, i + d_h) for i in range(0, len(W_O), d_h)]⏎Q, K, V =
        dividir_cabecas(X @ W, h) for → np.stack([X[:, s] @ W[s] for s in c]) for
        Q.shape[-1] → d_h
        juntar_cabecas(A @ V) → (A @ V).sum(axis=0)
    Cada cabeça só viu um pedaço de cada palavra: você cortou as colunas de X e, com elas, as linhas das matrizes. Cada
    cabeça recebe X inteira, (N, d). O que se corta são as colunas de Q, K e V. Veja a Dica 1.
math.exp-estoura: np.exp(S - S.max(axis=eixo, keepdims=True)) → np.vectorize(math.exp)(S)
    Com pontuações perto de 1000, o math.exp estoura e sua função para. Em cada linha, subtraia o máximo antes de
    exponenciar: a softmax não muda (lista 02).
maximo-do-array-inteiro: S.max(axis=eixo, keepdims=True) → S.max()
    Você subtraiu um máximo só, o de todas as pontuações, e as linhas muito abaixo dele viraram 0/0. O máximo é o de
    cada linha: guarde o eixo com keepdims.
chaves-com-W_Q: (W_Q, W_K, W_V) → (W_Q, W_Q, W_V)
    As chaves foram feitas com W_Q, e W_K não entrou na conta. Cada projeção usa a sua matriz.
valores-com-W_Q: (W_Q, W_K, W_V) → (W_Q, W_K, W_Q)
    A está certa, mas os valores foram feitos com W_Q. Eles usam W_V.
entradas-transpostas: X @ W → X @ W.T
    Q, K e V foram feitas com as transpostas das matrizes, como na nn.Linear do torch. Aqui é X @ W, sem transpor.
sempre-os-primeiros-valores: juntar_cabecas(A @ V) → juntar_cabecas(A @ V[[0] * h])
    A está certa, mas todas as cabeças misturaram os valores da primeira. A fatia de V também anda com a cabeça.
so-os-pesos-da-ultima: return juntar_cabecas(A @ V) @ W_O, A → return juntar_cabecas(A @ V) @ W_O, A[-1]
    Y está certa, mas A só tem a última cabeça, (N, N): cada volta do laço apagou a anterior. Guarde todas: (h, N, N).
eixos-fora-do-lugar: dividir_cabecas(X @ W, h) → (X @ W).reshape(len(X), h, -1)
        juntar_cabecas(A @ V) → (A @ V).reshape(X.shape)
    Faltou trocar os eixos depois do reshape: com (N, h, d_h), a atenção é entre as cabeças de um mesmo token, e não
    entre os tokens. A forma é (h, N, d_h).
sem-escala+sem-W_O:
    Faltam duas contas: dividir as pontuações por √d_h, antes da softmax, e multiplicar as cabeças por W_O, no fim.
raiz-de-d-e-sem-W_O: Q.shape → X.shape
        juntar_cabecas(A @ V) @ W_O, A → juntar_cabecas(A @ V), A
    São dois erros: a escala é √d_h, o tamanho de uma cabeça, e não √d; e falta multiplicar a fila das cabeças por
    W_O.
sem-escala-e-ordem-trocada: / np.sqrt(Q.shape[-1]) → / 1
        return juntar_cabecas(A @ V) @ W_O, A → return A, juntar_cabecas(A @ V) @ W_O
    São dois erros: a ordem é Y e depois A; e as pontuações não foram divididas por √d_h.
sem-W_O-e-ordem-trocada: return juntar_cabecas(A @ V) @ W_O, A → return A, juntar_cabecas(A @ V)
    São dois erros: a ordem é Y e depois A; e falta multiplicar a fila das cabeças por W_O.
reshape-nos-dois-e-sem-escala: dividir_cabecas(X @ W, h) → (X @ W).reshape(h, len(X), -1)
        / np.sqrt(Q.shape[-1]) → / 1
        juntar_cabecas(A @ V) → (A @ V).reshape(X.shape)
    São dois erros: o reshape direto, ao repartir e ao juntar, mistura tokens (use a sua dividir_cabecas e a sua
    juntar_cabecas); e falta dividir as pontuações por √d_h.
reshape-nos-dois-e-sem-W_O: dividir_cabecas(X @ W, h) → (X @ W).reshape(h, len(X), -1)
        juntar_cabecas(A @ V) @ W_O → (A @ V).reshape(X.shape)
    São dois erros: o reshape direto, ao repartir e ao juntar, mistura tokens (use a sua dividir_cabecas e a sua
    juntar_cabecas); e falta multiplicar por W_O no fim.
peso-a-esquerda: juntar_cabecas(A @ V) @ W_O → W_O @ juntar_cabecas(A @ V)
    Um produto não se encaixa: veio uma matriz (d, d) do lado de outra que não tem d linhas. Os tokens estão nas linhas:
    W_O, como as outras matrizes, entra pela direita, e uma vez só. Se você chama `cabeca`, ela recebe X e as matrizes
    de uma cabeça, e não Q, K e V.
escala-raiz-de-h+sem-W_O:
    São dois erros: a escala usa √h, o número de cabeças, em vez de √d_h; e falta multiplicar as cabeças por W_O.
fatias-sobrepostas:
        Q, K, V = → s = len(W_O) // h⏎Q, K, V =
        dividir_cabecas(X @ W, h) for → np.stack([(X @ W)[:, i : i + s] for i in range(h)]) for
    As cabeças se sobrepõem: a cabeça i ficou com as colunas de i a i + d_h. Ela começa em i·d_h: Q[:, i * d_h : (i + 1)
    * d_h].
""")


@q.equivoco
def reparte_intercalado(X, W_Q, W_K, W_V, W_O, h):
    """A junção está certa, mas a divisão pegou colunas intercaladas de Q, K e V. As colunas de uma cabeça são vizinhas:
    use a sua dividir_cabecas."""
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(N, d // h, h).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return juntar_cabecas(A @ V) @ W_O, A


@q.equivoco
def mascara_causal(X, W_Q, W_K, W_V, W_O, h):
    """Os pesos acima da diagonal são zero: cada token só olha para trás. Essa máscara é da aula 06; aqui não há."""
    Q, K, V = (dividir_cabecas(X @ W, h) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    A = _softmax(np.where(np.tri(len(X), dtype=bool), S, -1e9))
    return juntar_cabecas(A @ V) @ W_O, A


@q.equivoco
def uma_cabeca_repetida(X, W_Q, W_K, W_V, W_O, h):
    """Isto é uma cabeça só, do tamanho do modelo, com os pesos copiados h vezes. Reparta Q, K e V antes da atenção:
    cada cabeça compara só as colunas dela."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A = _softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    return A @ V @ W_O, np.stack([A] * h)


@q.equivoco
def softmax_instavel(X, W_Q, W_K, W_V, W_O, h):
    """Com pontuações perto de 1000 a exponencial estoura, e A sai com NaN. Em cada linha, subtraia o máximo antes de
    exponenciar: a softmax não muda (lista 02)."""
    Q, K, V = (dividir_cabecas(X @ W, h) for W in (W_Q, W_K, W_V))
    e = np.exp(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    A = e / e.sum(axis=-1, keepdims=True)
    return juntar_cabecas(A @ V) @ W_O, A


@q.alternativa
def laco_por_cabeca(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    saidas, pesos = [], []
    for i in range(h):
        c = slice(i * d_h, (i + 1) * d_h)
        A_i = _softmax((X @ W_Q[:, c]) @ (X @ W_K[:, c]).T / np.sqrt(d_h))
        saidas.append(A_i @ (X @ W_V[:, c]))
        pesos.append(A_i)
    return np.concatenate(saidas, axis=1) @ W_O, np.stack(pesos)


@q.alternativa
def soma_de_cabecas_por_blocos_de_W__O(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    Y, A = np.zeros(X.shape), np.zeros((h, len(X), len(X)))
    for i in range(h):
        c = slice(i * d_h, (i + 1) * d_h)
        A[i] = _softmax(X @ (W_Q[:, c] @ W_K[:, c].T) @ X.T / d_h**0.5)
        Y += A[i] @ X @ (W_V[:, c] @ W_O[c])
    return Y, A


@q.alternativa
def com_einsum(X, W_Q, W_K, W_V, W_O, h):
    d = X.shape[1]
    pesos = [W.reshape(d, h, d // h) for W in (W_Q, W_K, W_V)]
    Q, K, V = (np.einsum("nd,dic->inc", X, W) for W in pesos)
    A = _softmax(np.einsum("inc,imc->inm", Q, K) / np.sqrt(d // h))
    return np.einsum("inm,imc,icd->nd", A, V, W_O.reshape(h, d // h, d)), A


@q.alternativa
def com_torch_float32(X, W_Q, W_K, W_V, W_O, h):
    X, W_Q, W_K, W_V, W_O = (torch.tensor(M, dtype=torch.float32) for M in (X, W_Q, W_K, W_V, W_O))
    N, d = X.shape
    Q, K, V = ((X @ W).view(N, h, d // h).transpose(0, 1) for W in (W_Q, W_K, W_V))
    A = torch.softmax(Q @ K.transpose(1, 2) / (d // h) ** 0.5, dim=-1)
    return (A @ V).transpose(0, 1).reshape(N, d) @ W_O, A


@q.alternativa
def atencao_pronta_do_torch(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = (torch.tensor(dividir_cabecas(X @ W, h)) for W in (W_Q, W_K, W_V))
    H = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    A = torch.softmax(Q @ K.mT / (d // h) ** 0.5, dim=-1)
    return H.transpose(0, 1).reshape(N, d).numpy() @ W_O, A


@q.alternativa
def sdpa_float32(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = (torch.tensor(dividir_cabecas(X @ W, h), dtype=torch.float32) for W in (W_Q, W_K, W_V))
    atender = torch.nn.functional.scaled_dot_product_attention
    A = atender(Q, K, torch.eye(N).expand(h, N, N))  # com a identidade como valores, saem os pesos
    return atender(Q, K, V).transpose(0, 1).reshape(N, d) @ torch.tensor(W_O, dtype=torch.float32), A


@q.alternativa
def com_lacos_e_math(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    d_h = d // h
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A, Z = np.zeros((h, N, N)), np.zeros((N, d))
    for i in range(h):
        c = slice(i * d_h, (i + 1) * d_h)
        for n in range(N):
            pontos = [float(Q[n, c] @ K[m, c]) / math.sqrt(d_h) for m in range(N)]
            e = [math.exp(p - max(pontos)) for p in pontos]
            A[i, n] = np.array(e) / sum(e)
            Z[n, c] = A[i, n] @ V[:, c]
    return Z @ W_O, A


@q.alternativa
def escala_em_Q(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    Q, K, V = (np.stack(np.split(X @ W, h, axis=1)) for W in (W_Q / d_h**0.5, W_K, W_V))
    A = _softmax(Q @ np.swapaxes(K, -1, -2))
    return np.hstack(list(A @ V)) @ W_O, A


q.alternativas_curtas("""
modulo-do-torch-float32:
        Q, K, V = (dividir_cabecas(X @ W, h) for W in (W_Q, W_K, W_V)) → modulo = para_torch(W_Q, W_K, W_V, W_O, h)
        A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])) → X = torch.tensor(X, dtype=torch.float32)
        juntar_cabecas(A @ V) @ W_O, A → modulo(X, X, X, average_attn_weights=False)
""")
