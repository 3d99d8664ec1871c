"""A questão `atencao_escalada` da lista 03."""

import math

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_03.comum import K1, K2, K3, K7, K9, K10, Q1, Q2, Q3, Q7, Q9, Q10, formas_de, oitavos, softmax
from gabarito.lista_03.pontuacoes import pontuacoes

_GRANDES = "pontuações grandes"  # a parte em que uma softmax sem cuidado estoura
_V1 = np.array([[10.0], [20.0], [40.0]])  # (3, 1)
_V2 = np.array([[1.0, -0.5, 0.3, 2.0], [0.2, 1.5, -1.0, 0.4]])  # (2, 4)
_V3 = np.array([[0.3, 1.2, -0.7, 0.5, 2.0], [1.1, -0.4, 0.6, 0.9, -1.3], [-0.8, 0.2, 1.4, 0.1, 0.7]])  # (3, 5)
_Q5 = np.array([[0.9, -1.2], [0.4, 1.6], [-1.3, 0.7]])  # (3, 2)
_K5 = np.array([[1.1, 0.3], [-0.6, 1.4], [0.2, -0.9], [1.5, 0.8], [-0.4, -1.1]])  # (5, 2)
_V5 = np.array(
    [
        [0.5, -1.0, 2.0, 0.3, 0.8, 1.2],
        [1.5, 0.4, -0.6, 1.1, 0.2, -0.9],
        [-0.7, 0.9, 0.1, 2.2, 1.3, 0.6],
        [0.0, 1.8, 0.7, -1.2, 0.4, 1.0],
        [2.1, -0.3, 1.4, 0.6, -0.5, 0.2],
    ]
)  # (5, 6)
# Pontuações perto de 1000 e de −800, exatas também em float32, e nenhuma linha saturada.
_Q6 = np.array([[50.0], [-40.0]])  # (2, 1)
_K6 = np.array([[20.0], [20.03125], [19.96875], [20.015625]])  # (4, 1)
_V6 = np.array([[1.0, 0.5, -1.0], [2.0, -0.5, 0.0], [0.0, 1.5, 1.0], [-1.0, 0.5, 3.0]])  # (4, 3)
_V7 = np.array([[1.0, 0.5, -2.0, 0.0], [0.25, 1.5, 1.0, -0.5], [-1.0, 2.0, 0.75, 3.0]])  # (3, 4)
# Uma chave só, pontuações −900 e −930: o peso é 1 mesmo assim.
_Q11 = np.array([[-30.0], [-31.0]])  # (2, 1)
_K11 = np.array([[30.0]])  # (1, 1)
_V11 = np.array([[2.0, -1.0, 0.5]])  # (1, 3)
# Na mesma linha, de −1536 a 1536, exatas também em float32; a primeira linha não satura.
_Q12 = np.array([[64.0], [-64.0]])  # (2, 1)
_K12 = np.array([[-24.0], [24.0], [23.984375], [0.0]])  # (4, 1)
_V12 = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [0.0, 1.0]])  # (4, 2)
_V10 = np.array([[3.0], [-2.0], [8.0]])  # (3, 1)


def atencao_escalada(Q, K, V):
    A = softmax(pontuacoes(Q, K))
    return A @ V, A


# Pontuações grandes são exatas em float32, mesmo se a escala for repartida entre Q e K: por isso d_k = 16. E não passam
# de 2048: dali em diante, um log-sum-exp em float32, que está certo, perderia mais do que a tolerância.


def _cutucar(rng, linha, quantas):
    """Muda `quantas` componentes de uma chave em 1/8: a pontuação dela muda pouco, e a softmax não satura."""
    linha[rng.permutation(len(linha))[:quantas]] += rng.choice([-0.125, 0.125], size=quantas)


def _grandes(rng):
    """Linhas inteiras perto de 900 e linhas inteiras perto de −900: exp estoura nas primeiras e zera nas outras."""
    sinais = rng.choice([-1.0, 1.0], size=16)
    Q = 15 * sinais * np.array([[1.0], [-1.0], [1.0]]) + rng.integers(-1, 2, size=(3, 16))  # (3, 16)
    K = np.tile(15 * sinais, (5, 1))  # (5, 16)
    for linha in K[:4]:
        _cutucar(rng, linha, 3)
    K[4] -= 0.125 * sinais  # a última fica 7,5 abaixo das outras (ou acima, na linha negativa): um peso pequeno, não 0
    return caso(Q, K, rng.normal(size=(5, 2)).round(2), parte=_GRANDES)


def _opostas(rng):
    """Na mesma linha, pontuações perto de 1500, de −1500 e de 0: só o máximo da linha pode ser subtraído."""
    sinais = rng.choice([-1.0, 1.0], size=16)
    Q = 20 * sinais * np.array([[1.0], [-1.0]]) + rng.integers(-1, 2, size=(2, 16))  # (2, 16)
    K = 19 * sinais * np.array([[1.0], [1.0], [-1.0], [-1.0], [0.0]])  # (5, 16)
    _cutucar(rng, K[1], 3)
    _cutucar(rng, K[3], 3)
    K[:4] = rng.permutation(K[:4])
    return caso(Q, K, rng.normal(size=(5, 3)).round(2), parte=_GRANDES)


def ocultos(rng):
    formas = [tuple(formas_de(rng, 4)) for _ in range(6)]
    n, m, d_k, d_v = formas[0]
    formas += [
        formas[0],  # a mesma forma outra vez, com outros valores
        (n, n, d_k, d_v),
        (n, n, n, n),
        (n, 1, d_k, d_v),
        (1, m, d_k, d_v),
        (n, m, d_k, 1),
        (3, 4, 100, 2),
    ]
    casos = [caso(oitavos(rng, n, d_k), oitavos(rng, m, d_k), oitavos(rng, m, d_v)) for n, m, d_k, d_v in formas]
    perto_de_menos_30 = -oitavos(rng, n, 1) / 8 - 30  # (n, 1): com uma chave só, pontuações perto de −900
    negativas = caso(perto_de_menos_30, np.array([[30.0]]), oitavos(rng, 1, d_v), parte=_GRANDES)
    return [*casos, negativas, _grandes(rng), _opostas(rng)]


q = questao(
    "lista-03/atencao_escalada",
    assinatura="atencao_escalada(Q, K, V)",
    saida=[("Y", "array"), ("A", "array")],
    ordem=["A", "Y"],
    referencia=atencao_escalada,
    depende=["pontuacoes"],
    casos=[
        caso(Q1, K1, _V1, claro=True, rotulo="o exemplo do enunciado"),
        caso(Q2, K2, _V2, rotulo="5 consultas, 2 chaves, d_k = 3, d_v = 4"),
        caso(Q3, K3, _V3, rotulo="1 consulta, 3 chaves, d_k = 7, d_v = 5"),
        caso(_Q5, _K5, _V5, rotulo="3 consultas, 5 chaves, d_k = 2, d_v = 6"),
        caso(_Q6, _K6, _V6, rotulo="pontuações perto de 1000 e de −800", parte=_GRANDES),
        caso(_Q12, _K12, _V12, rotulo="de −1536 a 1536 na mesma linha", parte=_GRANDES),
        caso(_Q11, _K11, _V11, rotulo="uma chave só, pontuações perto de −900", parte=_GRANDES),
        caso(Q7, K7, _V7, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(Q10, K10, _V10, rotulo="a forma do exemplo, com outros números"),
        caso(Q9, K9, _V12[:3], rotulo="d_k = 100"),
        caso(Q2[:3], K3[:, :3], _V7[:, :3], rotulo="tudo 3 × 3"),
    ],
    ocultos=ocultos,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
    partes={"pontuações comuns": 0.75, _GRANDES: 0.25},
)


def _com_divisor(Q, K, V, divisor):
    A = softmax(Q @ K.T / divisor)
    return A @ V, A


def _com_subtraido(Q, K, V, escolher):
    """A softmax que subtrai de cada linha o que `escolher` diz, e não o máximo dela."""
    S = pontuacoes(Q, K)
    with np.errstate(all="ignore"):
        e = np.exp(S - escolher(S))
        A = e / e.sum(axis=1, keepdims=True)
    return A @ V, A


q.equivocos_curtos("""
sem-escala: _com_divisor(Q, K, V, 1)
    Os pesos são os da softmax de QKᵀ sem escala: mais concentrados do que deviam. Divida as pontuações por √d_k antes
    da softmax.
divide-por-dk: _com_divisor(Q, K, V, Q.shape[1])
    Seus pesos estão uniformes demais: as pontuações foram divididas por d_k inteiro. Confira se a raiz entrou, e uma
    vez só.
multiplica-pela-raiz: _com_divisor(Q, K, V, Q.shape[1] ** -0.5)
    Seus pesos estão concentrados demais: √d_k está multiplicando as pontuações. Ela divide.
raiz-de-dv: _com_divisor(Q, K, V, np.sqrt(V.shape[1]))
    A escala usou o tamanho dos valores, d_v. A variância da pontuação vem de consultas e chaves: use o tamanho delas.
raiz-do-numero-de-chaves: _com_divisor(Q, K, V, np.sqrt(len(K)))
    A escala usou M, o número de chaves. O que faz a pontuação crescer é d_k, o tamanho de cada vetor.
raiz-do-numero-de-consultas: _com_divisor(Q, K, V, np.sqrt(len(Q)))
    A escala usou N, o número de consultas. O que faz a pontuação crescer é d_k, o tamanho de cada vetor.
softmax-nas-colunas: pontuacoes(Q, K) → pontuacoes(Q, K), eixo=0
    Seus pesos somam 1 em cada coluna, e é cada linha, de uma consulta, que deve somar 1. Ou a softmax correu no outro
    eixo, ou Q e K trocaram de lugar e A foi transposta depois.
softmax-nas-colunas-e-sem-escala: pontuacoes(Q, K) → Q @ K.T, eixo=0
    São dois erros juntos: seus pesos somam 1 em cada coluna, e não em cada linha; e falta dividir as pontuações por
    √d_k. Comece pelo eixo da softmax.
escala-depois-da-softmax: pontuacoes(Q, K) → Q @ K.T) / np.sqrt(Q.shape[1]
    Suas linhas somam 1/√d_k: a divisão veio depois da softmax. Ali ela só encolhe os pesos; é antes que ela muda a
    concentração.
sem-softmax: softmax(pontuacoes(Q, K)) → pontuacoes(Q, K)
    Seus pesos são as próprias pontuações: há negativos, e as linhas não somam 1. Falta a softmax.
subtrai-o-minimo: _com_subtraido(Q, K, V, lambda S: S.min(axis=1, keepdims=True))
    Sua softmax subtrai o mínimo da linha. Quando a linha vai de muito negativo a muito positivo, a exponencial ainda
    estoura: é o máximo que, subtraído, deixa todos os expoentes menores ou iguais a 0.
subtrai-a-media: _com_subtraido(Q, K, V, lambda S: S.mean(axis=1, keepdims=True))
    Sua softmax subtrai a média da linha. Uma pontuação muito acima da média ainda estoura a exponencial: subtraia o
    máximo da linha.
subtrai-a-primeira-coluna: _com_subtraido(Q, K, V, lambda S: S[:, :1])
    Sua softmax subtrai de cada linha a primeira pontuação dela. Só serve se essa for das maiores; o seguro é subtrair o
    máximo da linha.
subtrai-o-maior-modulo: _com_subtraido(Q, K, V, lambda S: np.abs(S).max(axis=1, keepdims=True))
    Sua softmax subtrai o maior módulo da linha. Em uma linha toda negativa isso empurra tudo para −∞ e dá 0/0: o máximo
    é o das pontuações com o sinal delas.
maximo-de-cada-coluna: _com_subtraido(Q, K, V, lambda S: S.max(axis=0, keepdims=True))
    Antes da exponencial, você subtraiu o máximo de cada coluna. O resultado só não muda quando se subtrai o mesmo
    número da linha inteira: use o máximo de cada linha.
corta-as-pontuacoes: pontuacoes(Q, K) → np.clip(pontuacoes(Q, K), -700, 700)
    As pontuações grandes foram cortadas em um teto (np.clip?) antes da exponencial, e chaves diferentes ficaram com o
    mesmo peso. Em vez de cortar, subtraia o máximo de cada linha.
zera-pesos-pequenos: return A @ V, A → A = np.where(A < 1e-3, 0, A)⏎A = A / A.sum(axis=1, keepdims=True)⏎return A @ V, A
    Os pesos menores que 0,001 viraram 0. Peso pequeno não é peso nulo: a softmax nunca descarta uma chave.
Y-perde-o-eixo-de-tamanho-1: return A @ V, A → Y, A = A @ V, A⏎return Y.squeeze(), A
    Com d_v = 1 (ou uma consulta só), Y perdeu um eixo (squeeze? V achatado?). Y tem sempre dois eixos, (N, d_v).
escolha-dura: softmax(pontuacoes(Q, K)) → np.eye(len(K))[(Q @ K.T).argmax(axis=1)]
    Seus pesos são todos 0 ou 1: cada consulta copia um valor só (argmax). A atenção é uma média ponderada.
pondera-as-chaves: A @ V → A @ K
    A média foi feita sobre as chaves. As chaves servem para calcular os pesos; o que se mistura são os valores, V.
so-Y: atencao_escalada(Q, K, V)[0]
    Veio só Y. Devolva os dois, nesta ordem: a saída Y e os pesos A.
ordem-trocada: atencao_escalada(Q, K, V)[::-1]
    Vieram os pesos e depois a saída. A ordem pedida é (Y, A). Veja a Dica 3.
pondera-com-pontuacoes: A = softmax(pontuacoes(Q, K)) → S = pontuacoes(Q, K)
        A @ V, A → S @ V, softmax(S)
    A está certa, mas Y foi calculada com as pontuações em vez dos pesos.
devolve-pontuacoes: A = softmax(pontuacoes(Q, K)) → S = pontuacoes(Q, K)
        A @ V, A → softmax(S) @ V, S
    Y está certa, mas no lugar dos pesos vieram as pontuações. A é o que sai da softmax.
transposta: pontuacoes(Q, K) → K @ Q.T / np.sqrt(Q.shape[1])
        A @ V → A.T @ V
    Os pesos saíram com uma linha por chave, (M, N). Cada linha de A é de uma consulta.
softmax-duas-vezes: pontuacoes(Q, K) → softmax(pontuacoes(Q, K))
    Seus pesos estão quase uniformes: a softmax foi aplicada duas vezes. Sua função de pontuações já a aplica?
altera-a-entrada: A = softmax(pontuacoes(Q, K)) → Q /= np.sqrt(Q.shape[1])⏎A = softmax(Q @ K.T)
    Sua função escreveu dentro de uma das entradas. Faça a conta em um array novo.
consultas-e-chaves-trocadas: pontuacoes(Q, K) → pontuacoes(K, Q)
    As consultas e as chaves trocaram de lugar: saiu uma matriz (M, N), com uma linha para cada chave, e a matriz não se
    encaixa em V. Cada linha de A é de uma consulta.
so-consultas: pontuacoes(Q, K) → pontuacoes(Q, Q)
    As consultas foram comparadas com elas mesmas: K não entrou na conta. As pontuações são de Q com K.
valores-no-lugar-das-chaves: pontuacoes(Q, K) → pontuacoes(Q, V)
    As consultas foram comparadas com os valores. Quem se compara com Q são as chaves, K; os valores só entram no fim.
soma-global: A = softmax(pontuacoes(Q, K)) → S = pontuacoes(Q, K)⏎E = np.exp(S - S.max())⏎A = E / E.sum()
    A matriz A inteira soma 1. Cada consulta reparte o seu próprio orçamento: é cada linha que soma 1.
soma-sem-keepdims: A = softmax(pontuacoes(Q, K)) → S = pontuacoes(Q, K)
        return A @ V, A → E = np.exp(S - S.max(axis=1, keepdims=True))⏎A = E / E.sum(axis=1)⏎return A @ V, A
    Na softmax, a soma de cada linha perdeu o eixo: ou as formas não se encaixam, ou, com N = M, ela divide a coluna
    errada. Conserve o eixo com keepdims=True.
mistura-com-a-transposta: return A @ V, A → return A.T @ V, A
    Y foi feita com Aᵀ, e as formas só se encaixam quando N = M. A linha n de Y mistura os valores com os pesos da linha
    n de A.
asterisco: return A @ V, A → return A * V, A
    Em NumPy, `*` multiplica elemento por elemento. A mistura dos valores é um produto de matrizes, `@`.
V-transposta: return A @ V, A → return A @ V.T, A
    V foi transposta antes da mistura. As M colunas de A encontram as M linhas de V como ela está.
sem-escala-e-ordem-trocada: pontuacoes(Q, K) → Q @ K.T
        return A @ V, A → return A, A @ V
    São dois erros: a ordem pedida é (Y, A); e falta dividir as pontuações por √d_k.
chaves-e-valores-trocados: atencao_escalada(Q, V, K)
    As chaves e os valores trocaram de lugar: a ordem dos argumentos é (Q, K, V). Quem se compara com Q são as chaves.
softmax-so-em-Q: softmax(pontuacoes(Q, K)) → softmax(Q / np.sqrt(Q.shape[-1])) @ K.T
    A softmax foi aplicada a Q, antes do produto com K. Ela vem depois, nas pontuações Q @ K.T / √d_k.
""")


@q.equivoco
def softmax_instavel(Q, K, V):
    """Com pontuações perto de 1000, a exponencial estourou e saiu NaN. Subtraia o máximo de cada linha antes de
    exponenciar: o resultado não muda. Veja a Dica 2."""
    with np.errstate(all="ignore"):
        e = np.exp(pontuacoes(Q, K))
        A = e / e.sum(axis=1, keepdims=True)
    return A @ V, A


@q.equivoco
def maximo_da_matriz_inteira(Q, K, V):
    """Uma linha de pontuações muito baixas virou 0/0. O máximo a subtrair é o de cada linha, e não o da matriz inteira.
    Veja a Dica 2."""
    S = pontuacoes(Q, K)
    with np.errstate(all="ignore"):
        e = np.exp(S - S.max())
        A = e / e.sum(axis=1, keepdims=True)
    return A @ V, A


@q.equivoco
def esconde_o_nan(Q, K, V):
    """Onde a exponencial estourou, o NaN foi trocado por 0, e a linha deixou de somar 1. Em vez de esconder o NaN,
    evite que ele apareça."""
    with np.errstate(all="ignore"):
        e = np.exp(pontuacoes(Q, K))
        A = np.nan_to_num(e / e.sum(axis=1, keepdims=True))
    return A @ V, A


@q.alternativa
def com_lacos(Q, K, V):
    Y, A = np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))
    for n, q in enumerate(Q):
        s = [float(q @ k) / math.sqrt(len(q)) for k in K]
        e = [math.exp(x - max(s)) for x in s]
        A[n] = [x / sum(e) for x in e]
        for m, v in enumerate(V):
            Y[n] += A[n, m] * v
    return Y, A


@q.alternativa
def com_einsum(Q, K, V):
    S = np.einsum("nd,md->nm", Q, K) * Q.shape[1] ** -0.5
    A = np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
    return np.einsum("nm,mv->nv", A, V), A


@q.alternativa
def com_torch_float32(Q, K, V):
    Q, K, V = (torch.tensor(x, dtype=torch.float32) for x in (Q, K, V))
    A = torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1)
    return A @ V, A


@q.alternativa
def sdpa_do_torch(Q, K, V):
    Q, K, V = (torch.tensor(x, dtype=torch.float32)[None] for x in (Q, K, V))
    Y = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    A = torch.nn.functional.scaled_dot_product_attention(Q, K, torch.eye(K.shape[1])[None])
    return Y[0], A[0]


@q.alternativa
def float32_com_log_sum_exp(Q, K, V):
    Q, K, V = (x.astype(np.float32) for x in (Q, K, V))
    S = Q @ K.T / np.float32(math.sqrt(Q.shape[1]))
    maximo = S.max(axis=1, keepdims=True)
    A = np.exp(S - (maximo + np.log(np.exp(S - maximo).sum(axis=1, keepdims=True))))
    return A @ V, A


@q.alternativa
def torch_float32_com_logsumexp(Q, K, V):
    Q, K, V = (torch.tensor(x, dtype=torch.float32) for x in (Q, K, V))
    S = Q @ K.mT / math.sqrt(K.shape[1])
    A = (S - S.logsumexp(dim=1, keepdim=True)).exp()
    return A @ V, A


@q.alternativa
def float32_escala_nos_dois(Q, K, V):
    c = np.float32(Q.shape[1] ** 0.25)
    A = softmax((Q.astype(np.float32) / c) @ (K.astype(np.float32) / c).T)
    return A @ V.astype(np.float32), A


q.alternativas_curtas("""
escala-nas-chaves: pontuacoes(Q, K) → Q @ (K / np.sqrt(K.shape[1])).T
float32: atencao_escalada(*(x.astype(np.float32) for x in (Q, K, V)))
""")
