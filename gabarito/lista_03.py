"""Lista 03, escala: referências, casos, equívocos conhecidos e soluções alternativas de cada questão."""

import math

import numpy as np
import torch

from gabarito.base import caso, questao


def _softmax(S, eixo=-1):
    """A softmax estável da lista 02, repetido aqui para que a lista 03 se baste."""
    e = np.exp(S - S.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


def _formas(rng, quantas):
    """Tamanhos todos diferentes entre si, para que um eixo trocado apareça."""
    return [int(n) for n in rng.choice([2, 3, 5, 6, 7], size=quantas, replace=False)]


def _oitavos(rng, *forma):
    """Múltiplos de 1/8, de −2 a 2: os produtos escalares saem exatos também em float32, mesmo os de d_k grande."""
    return rng.integers(-16, 17, size=forma) / 8


# --- pontuacoes ---------------------------------------------------------------------------------------------

_Q1 = np.array([[1.0, 0.0, 2.0, 1.0], [0.0, 1.0, -1.0, 2.0]])  # (2, 4)
_K1 = np.array([[1.0, 1.0, 0.0, 1.0], [2.0, 0.0, 1.0, 0.0], [0.0, -1.0, 1.0, 1.0]])  # (3, 4)
_Q2 = np.array([[0.4, -0.3, 1.2], [0.9, 0.5, -0.6], [-0.7, 1.1, 0.2], [0.3, 0.8, 0.1], [1.4, -0.2, -0.5]])  # (5, 3)
_K2 = np.array([[0.6, -0.9, 0.7], [-0.4, 0.3, 1.3]])  # (2, 3)
_Q3 = np.array([[0.5, -0.2, 0.9, 0.1, -0.6, 0.3, 0.8]])  # (1, 7)
_K3 = np.array(
    [
        [0.7, 0.2, -0.3, 0.4, 0.1, -0.5, 0.6],
        [-0.1, 0.8, 0.5, -0.2, 0.9, 0.3, 0.4],
        [0.3, -0.6, 1.1, 0.2, -0.4, 0.7, -0.8],
    ]
)  # (3, 7)
_Q4 = np.array([[0.5], [-1.5], [2.0]])  # (3, 1)
_K4 = np.array([[0.8], [-0.3], [1.1], [0.6]])  # (4, 1)
_Q7 = np.array([[0.5, -1.0], [1.5, 0.25], [-0.75, 2.0]])  # (3, 2)
_K7 = np.array([[1.0, 0.5], [-0.5, 1.25], [2.0, -1.5]])  # (3, 2)
_Q8 = np.array([[0.5, 1.0, -0.5, 2.0, 0.25], [1.5, -1.0, 0.75, 0.5, 1.0], [-0.25, 2.0, 1.0, -1.5, 0.5]])  # (3, 5)
_K8 = np.array([[1.0, -0.5, 2.0, 0.75, -1.0]])  # (1, 5)
_Q9 = (np.arange(200).reshape(2, 100) % 7 - 2) / 4  # (2, 100)
_K9 = (np.arange(300).reshape(3, 100) ** 2 % 11 - 4) / 4  # (3, 100)
_Q10 = np.array([[2.0, 1.0, -1.0, 3.0], [1.5, -2.0, 0.5, 1.0]])  # (2, 4), a forma do exemplo
_K10 = np.array([[3.0, 1.0, 0.0, 2.0], [-1.0, 2.0, 1.5, -1.0], [1.0, 0.5, -2.0, 1.0]])  # (3, 4)


def _pontuacoes(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


def _ocultos_pontuacoes(rng):
    formas = []
    for d_k in rng.permutation([2, 3, 5, 6, 7]):
        n, m = (int(x) for x in rng.choice([x for x in (2, 3, 4, 5, 6, 7) if x != d_k], size=2, replace=False))
        formas.append((n, m, int(d_k)))
    n, d_k = _formas(rng, 2)
    formas += [
        formas[0],  # a mesma forma outra vez, com outros valores
        (3, 8, 64),
        (4, 2, 100),
        (2, 5, 256),
        (n, n, d_k),
        (n, n, n),
        (n, 1, d_k),
        (1, n, d_k),
        (1, 1, d_k),
        (n, d_k, 1),
    ]
    return [caso(_oitavos(rng, n, d_k), _oitavos(rng, m, d_k)) for n, m, d_k in formas]


pontuacoes = questao(
    "lista-03/pontuacoes",
    assinatura="pontuacoes(Q, K)",
    saida="array",
    referencia=_pontuacoes,
    casos=[
        caso(_Q1, _K1, claro=True, rotulo="o exemplo do enunciado, d_k = 4"),
        caso(_Q2, _K2, rotulo="5 consultas, 2 chaves, d_k = 3"),
        caso(_Q3, _K3, rotulo="1 consulta, 3 chaves, d_k = 7"),
        caso(_Q4, _K4, rotulo="d_k = 1"),
        caso(_Q7, _K7, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(_Q8, _K8, rotulo="uma chave só"),
        caso(_Q9, _K9, rotulo="d_k = 100"),
        caso(_Q10, _K10, rotulo="a forma do exemplo, com outros números"),
    ],
    ocultos=_ocultos_pontuacoes,
)


@pontuacoes.equivoco(
    "sem-escala",
    "Estes são os produtos escalares crus, QKᵀ. Falta a escala: com vetores de d_k componentes, o tamanho "
    "típico deles cresce com √d_k.",
)
def _(Q, K):
    return Q @ K.T


@pontuacoes.equivoco(
    "divide-por-dk",
    "As pontuações saíram divididas por d_k inteiro. Faltou a raiz? Ou a raiz entrou duas vezes, uma em Q "
    "e outra em K? A divisão por √d_k acontece uma vez só.",
)
def _(Q, K):
    return Q @ K.T / Q.shape[-1]


@pontuacoes.equivoco(
    "multiplica-pela-raiz",
    "As pontuações cresceram em vez de encolher: √d_k está multiplicando. Ela divide.",
)
def _(Q, K):
    return Q @ K.T * np.sqrt(Q.shape[-1])


@pontuacoes.equivoco(
    "raiz-do-numero-de-consultas",
    "Você dividiu por √N, a raiz do número de consultas. O que conta é d_k, quantas componentes cada vetor "
    "tem: olhe qual eixo de Q você mediu.",
)
def _(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[0])


@pontuacoes.equivoco(
    "raiz-do-numero-de-chaves",
    "Você dividiu por √M, a raiz do número de chaves. O que conta é d_k, quantas componentes cada vetor "
    "tem: olhe qual eixo de K você mediu (len(K) conta linhas).",
)
def _(Q, K):
    return Q @ K.T / np.sqrt(len(K))


@pontuacoes.equivoco(
    "transposta",
    "A conta é de chaves contra consultas: saiu (M, N). Cada linha deve ser de uma consulta, cada coluna de uma chave.",
)
def _(Q, K):
    return K @ Q.T / np.sqrt(Q.shape[-1])


@pontuacoes.equivoco(
    "raiz-quarta",
    "A escala ficou no meio do caminho: as pontuações saíram divididas por d_k elevado a 1/4. Se quiser"
    " dividir antes do produto por essa potência, é preciso fazê-lo em Q e também em K.",
)
def _(Q, K):
    return (Q / Q.shape[-1] ** 0.25) @ K.T


@pontuacoes.equivoco(
    "ja-com-softmax",
    "Suas linhas já somam 1: a softmax foi aplicada. Aqui se pedem as pontuações, que vêm antes dela.",
)
def _(Q, K):
    return _softmax(Q @ K.T / np.sqrt(Q.shape[-1]))


@pontuacoes.equivoco(
    "cosseno",
    "Isto é o cosseno: você dividiu pelas normas dos vetores. A escala é um número só, √d_k, igual para "
    "todos os pares.",
)
def _(Q, K):
    normas = np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(K, axis=1)[None, :]
    return Q @ K.T / normas


@pontuacoes.equivoco(
    "precedencia-menos-um-meio",
    "As pontuações saíram divididas por 2·d_k. Em Python, d_k ** -1/2 quer dizer (d_k ** -1) / 2: a "
    "potência vem antes da divisão.",
)
def _(Q, K):
    return Q @ K.T * Q.shape[-1] ** -1 / 2


@pontuacoes.equivoco(
    "precedencia-um-meio",
    "As pontuações saíram divididas por d_k/2. Em Python, d_k ** 1/2 quer dizer (d_k ** 1) / 2: a potência "
    "vem antes da divisão.",
)
def _(Q, K):
    return Q @ K.T / (Q.shape[-1] ** 1 / 2)


@pontuacoes.equivoco(
    "so-consultas",
    "A conta é de Q com Q: na aula 02 era XXᵀ, mas aqui as consultas se comparam com as chaves.",
)
def _(Q, K):
    return Q @ Q.T / np.sqrt(Q.shape[-1])


@pontuacoes.equivoco(
    "subtrai-o-maximo",
    "O maior valor de cada linha é sempre 0: o máximo foi subtraído. Esse cuidado é da softmax; as "
    "pontuações são só os produtos divididos por √d_k.",
)
def _(Q, K):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    return S - S.max(axis=-1, keepdims=True)


@pontuacoes.equivoco(
    "altera-a-entrada",
    "Sua função escreveu dentro de uma das entradas. Faça a conta em um array novo.",
)
def _(Q, K):
    Q /= np.sqrt(Q.shape[-1])
    return Q @ K.T


@pontuacoes.equivoco(
    "raiz-de-tudo",
    "A raiz foi tirada do quociente inteiro, e onde o produto escalar é negativo saiu NaN. A raiz é só de d_k.",
)
def _(Q, K):
    with np.errstate(invalid="ignore"):
        return np.sqrt(Q @ K.T / Q.shape[-1])


@pontuacoes.equivoco(
    "raiz-cortada",
    "A raiz de d_k perdeu as casas decimais: só está certo onde d_k é um quadrado, como 4 ou 100. Use a raiz "
    "como ela é, sem int(), // nem math.isqrt.",
)
def _(Q, K):
    return Q @ K.T / math.isqrt(Q.shape[-1])


@pontuacoes.equivoco(
    "sempre-oito",
    "Você dividiu sempre por 8, que é √64. Isso só serve quando d_k é 64: leia d_k na forma de Q.",
)
def _(Q, K):
    return Q @ K.T / 8


@pontuacoes.equivoco(
    "perde-o-eixo-de-tamanho-1",
    "Com uma consulta só, ou uma chave só, um eixo sumiu (squeeze?). A saída tem sempre dois eixos, (N, M), mesmo "
    "quando um deles é 1.",
)
def _(Q, K):
    return (Q @ K.T / np.sqrt(Q.shape[-1])).squeeze()


@pontuacoes.alternativa("com-lacos")
def _(Q, K):
    d_k = Q.shape[1]
    S = np.zeros((len(Q), len(K)))
    for n, q in enumerate(Q):
        for m, k in enumerate(K):
            S[n, m] = sum(float(a) * float(b) for a, b in zip(q, k, strict=True)) / math.sqrt(d_k)
    return S


@pontuacoes.alternativa("com-einsum")
def _(Q, K):
    return np.einsum("nd,md->nm", Q, K) * Q.shape[1] ** -0.5


@pontuacoes.alternativa("com-torch-float32")
def _(Q, K):
    Q, K = torch.tensor(Q, dtype=torch.float32), torch.tensor(K, dtype=torch.float32)
    return Q @ K.T / Q.shape[-1] ** 0.5


@pontuacoes.alternativa("com-torch-float64")
def _(Q, K):
    return torch.from_numpy(Q) @ torch.from_numpy(K).mT / math.sqrt(K.shape[-1])


@pontuacoes.alternativa("escala-nas-consultas")
def _(Q, K):
    return (Q / np.sqrt(K.shape[1])) @ K.T


@pontuacoes.alternativa("raiz-quarta-nos-dois")
def _(Q, K):
    c = Q.shape[-1] ** 0.25
    return np.inner(Q / c, K / c)


@pontuacoes.alternativa("float32-escala-nos-dois")
def _(Q, K):
    c = np.float32(Q.shape[-1] ** 0.25)
    return (Q.astype(np.float32) / c) @ (K.astype(np.float32) / c).T


@pontuacoes.alternativa("float32")
def _(Q, K):
    Q, K = Q.astype(np.float32), K.astype(np.float32)
    return Q @ K.T / np.float32(np.sqrt(Q.shape[-1]))


# --- variancia_do_produto -----------------------------------------------------------------------------------


def _variancia(d_k, sigma_q, sigma_k):
    return float(d_k * sigma_q**2 * sigma_k**2)


def _ocultos_variancia(rng):
    casos = []
    for _ in range(7):
        pequeno, grande = rng.uniform(0.2, 0.8), rng.uniform(1.3, 3.0)
        sigmas = [pequeno, grande] if rng.random() < 0.5 else [grande, pequeno]
        casos.append(caso(int(rng.integers(3, 300)), *(round(float(s), 3) for s in sigmas)))
    casos.append(caso(int(rng.integers(3, 300)), round(float(rng.uniform(1.3, 3.0)), 3), 1.7))
    sigma = round(float(rng.uniform(1.3, 3.0)), 3)
    d_k = casos[0].entradas[0]  # o mesmo d_k outra vez, com outros desvios
    return [
        *casos,
        caso(d_k, round(sigma / 2, 3), 1.9),
        caso(int(rng.integers(3, 300)), sigma, 0.0),
        caso(int(rng.integers(3, 300)), 0.0, sigma),
        caso(int(rng.integers(400, 513)), 0.6, sigma),
        caso(1, sigma, 0.7),
        caso(int(rng.integers(3, 8)), 0.137, round(sigma / 10, 3)),  # variância pequena, que um round() estraga
    ]


variancia_do_produto = questao(
    "lista-03/variancia_do_produto",
    assinatura="variancia_do_produto(d_k, sigma_q, sigma_k)",
    saida="float",
    referencia=_variancia,
    casos=[
        caso(4, 3.0, 0.5, claro=True, rotulo="o exemplo do enunciado"),
        caso(64, 1.0, 1.0, rotulo="d_k = 64 e desvios 1"),
        caso(10, 2.0, 0.25, rotulo="d_k = 10, desvios 2 e 0,25"),
        caso(7, 0.5, 3.0, rotulo="d_k = 7, desvios 0,5 e 3"),
        caso(1, 1.5, 2.0, rotulo="d_k = 1"),
        caso(128, 0.0, 1.2, rotulo="consultas todas nulas"),
        caso(128, 1.2, 0.0, rotulo="chaves todas nulas"),
        caso(512, 1.5, 0.5, rotulo="d_k = 512"),
        caso(4, 0.13, 0.21, rotulo="d_k = 4, desvios pequenos"),
    ],
    ocultos=_ocultos_variancia,
)


@variancia_do_produto.equivoco(
    "desvio-padrao",
    "Isto é o desvio padrão do produto escalar. Pede-se a variância, que é o quadrado dele.",
)
def _(d_k, sigma_q, sigma_k):
    return math.sqrt(d_k) * sigma_q * sigma_k


@variancia_do_produto.equivoco(
    "desvios-sem-quadrado",
    "Os sigmas são desvios padrão, e entraram sem o quadrado. A variância de cada componente é sigma².",
)
def _(d_k, sigma_q, sigma_k):
    return d_k * sigma_q * sigma_k


@variancia_do_produto.equivoco(
    "so-q-ao-quadrado",
    "Só sigma_q está ao quadrado. As chaves também entram com a variância delas.",
)
def _(d_k, sigma_q, sigma_k):
    return d_k * sigma_q**2 * sigma_k


@variancia_do_produto.equivoco(
    "so-k-ao-quadrado",
    "Só sigma_k está ao quadrado. As consultas também entram com a variância delas.",
)
def _(d_k, sigma_q, sigma_k):
    return d_k * sigma_q * sigma_k**2


@variancia_do_produto.equivoco(
    "soma-das-variancias",
    "Você somou as duas variâncias. Somam-se as variâncias de parcelas; q_i e k_i estão multiplicados, e a "
    "variância do produto deles (médias zero, independentes) é outra.",
)
def _(d_k, sigma_q, sigma_k):
    return d_k * (sigma_q**2 + sigma_k**2)


@variancia_do_produto.equivoco(
    "dk-ao-quadrado",
    "O d_k entrou ao quadrado. Isso valeria se as d_k parcelas fossem todas iguais; parcelas independentes "
    "somam variâncias uma a uma.",
)
def _(d_k, sigma_q, sigma_k):
    return d_k**2 * sigma_q**2 * sigma_k**2


@variancia_do_produto.equivoco(
    "sem-dk",
    "Esta é a variância de uma parcela só, q_i·k_i (ou do produto já dividido por √d_k). O produto escalar "
    "soma d_k parcelas.",
)
def _(d_k, sigma_q, sigma_k):
    return sigma_q**2 * sigma_k**2


@variancia_do_produto.equivoco(
    "raiz-de-dk",
    "O d_k entrou com raiz. A raiz aparece no desvio padrão; na variância as d_k parcelas se somam inteiras.",
)
def _(d_k, sigma_q, sigma_k):
    return math.sqrt(d_k) * sigma_q**2 * sigma_k**2


@variancia_do_produto.equivoco(
    "ignora-os-desvios",
    "Sua resposta é sempre d_k: isso só vale quando sigma_q e sigma_k são 1.",
)
def _(d_k, sigma_q, sigma_k):
    return float(d_k)


@variancia_do_produto.equivoco(
    "dividida-por-dk",
    "Saiu dividida por d_k: essa é a variância depois de uma divisão por d_k. Pede-se a do produto sem escala alguma.",
)
def _(d_k, sigma_q, sigma_k):
    return sigma_q**2 * sigma_k**2 / d_k


@variancia_do_produto.equivoco(
    "dobro",
    "Saiu o dobro do certo. Você contou consultas e chaves como 2·d_k parcelas? São d_k produtos, um por componente.",
)
def _(d_k, sigma_q, sigma_k):
    return 2 * d_k * sigma_q**2 * sigma_k**2


@variancia_do_produto.equivoco(
    "soma-dos-desvios",
    "Você somou os desvios padrão. Desvios não se somam, e q_i e k_i se multiplicam: pense na variância de "
    "uma parcela q_i·k_i.",
)
def _(d_k, sigma_q, sigma_k):
    return d_k * (sigma_q + sigma_k)


@variancia_do_produto.equivoco(
    "arredondado",
    "Sua resposta foi arredondada para duas casas, e uma variância pequena não sobrevive a isso. Devolva o valor como "
    "ele saiu da conta.",
)
def _(d_k, sigma_q, sigma_k):
    return round(d_k * sigma_q**2 * sigma_k**2, 2)


@variancia_do_produto.alternativa("recursiva")
def _(d_k, sigma_q, sigma_k):
    def somar(parcelas):
        return 0.0 if parcelas == 0 else (sigma_q * sigma_k) ** 2 + somar(parcelas - 1)

    return somar(d_k)


@variancia_do_produto.alternativa("desvio-ao-quadrado")
def _(d_k, sigma_q, sigma_k):
    return (math.sqrt(d_k) * sigma_q * sigma_k) ** 2


@variancia_do_produto.alternativa("soma-das-parcelas")
def _(d_k, sigma_q, sigma_k):
    return sum((sigma_q * sigma_k) ** 2 for _ in range(d_k))


@variancia_do_produto.alternativa("escalar-numpy")
def _(d_k, sigma_q, sigma_k):
    return np.float64(d_k) * np.square(sigma_q) * np.square(sigma_k)


@variancia_do_produto.alternativa("array-de-dimensao-zero")
def _(d_k, sigma_q, sigma_k):
    return np.array(d_k * sigma_q**2 * sigma_k**2, dtype=np.float32)


@variancia_do_produto.alternativa("com-torch")
def _(d_k, sigma_q, sigma_k):
    return torch.full((d_k,), sigma_q).square().mul(torch.tensor(sigma_k).square()).sum()


# --- saturacao ----------------------------------------------------------------------------------------------

_A1 = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])  # (2, 3)
_A2 = np.array(
    [
        [0.1, 0.2, 0.3, 0.4],
        [0.25, 0.45, 0.15, 0.15],
        [0.7, 0.05, 0.05, 0.2],
        [0.2, 0.6, 0.1, 0.1],
        [0.3, 0.3, 0.1, 0.3],
    ]
)  # (5, 4)
_A3 = np.full((3, 5), 0.2)  # (3, 5)
_A4 = np.array([[0.0, 1.0, 0.0], [0.6, 0.25, 0.15], [0.3, 0.3, 0.4], [0.1, 0.7, 0.2]])  # (4, 3)
_A5 = np.array([[0.05, 0.15, 0.35, 0.3, 0.1, 0.05]])  # (1, 6)
_A6 = np.array([[0.44, 0.45, 0.11], [0.36, 0.3, 0.34], [0.2, 0.1, 0.7]])  # (3, 3)
_A7 = np.ones((4, 1))  # (4, 1)
_A8 = np.array([[0.6, 0.1, 0.3], [0.25, 0.35, 0.4]])  # (2, 3), a forma do exemplo
# Dezesseis chaves, pesos quase iguais: o maior é 0,08 na primeira linha e 0,07 nas outras duas.
_A9 = np.array(
    [
        [0.06, 0.06, 0.08, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.08, 0.06, 0.06, 0.06, 0.06],
        [0.07, 0.06, 0.06, 0.06, 0.06, 0.07, 0.07, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.06, 0.07, 0.06],
        [0.06, 0.06, 0.06, 0.06, 0.07, 0.06, 0.06, 0.06, 0.07, 0.06, 0.06, 0.07, 0.06, 0.06, 0.06, 0.07],
    ]
)  # (3, 16)


def _saturacao(A):
    return float(A.max(axis=1).mean())


def _pesos(rng, n, m):
    """Linhas de pesos nem uniformes nem saturadas (nenhum passa de 0,97), com três casas e a soma acertada."""
    A = _softmax(1.2 * rng.normal(size=(n, m)).clip(-1.4, 1.4)).round(3)
    A[np.arange(n), A.argmax(axis=1)] += 1 - A.sum(axis=1)  # o resto vai para o maior, que não fica negativo
    return A


def _quase_iguais(rng):
    """Dezesseis pesos perto de 1/16: cada linha tem dois de 0,08 ou quatro de 0,07, e o resto é 0,06."""
    linhas = [[0.08] * 2 + [0.06] * 14, [0.07] * 4 + [0.06] * 12]
    return rng.permuted(np.array([linhas[0], linhas[1], linhas[int(rng.integers(2))]]), axis=1)  # (3, 16)


def _com_linha_saturada(rng, n, m):
    A = _pesos(rng, n, m)
    A[rng.integers(n)] = np.eye(m)[rng.integers(m)]
    return A


def _ocultos_saturacao(rng):
    formas = [tuple(int(x) for x in rng.choice([3, 4, 5, 6, 7], size=2, replace=False)) for _ in range(7)]
    n, m = formas[0]
    formas += [formas[0], (n, n), (1, m)]  # a mesma forma outra vez; N = M; uma consulta só
    matrizes = [_pesos(rng, *forma) for forma in formas]
    # N = M com o maior peso de todas as linhas na mesma coluna: ali os máximos das colunas são outros
    matrizes.append(np.roll(np.sort(_pesos(rng, m, m), axis=1), rng.integers(m), axis=1))
    return [caso(A) for A in (*matrizes, np.ones((n, 1)), _com_linha_saturada(rng, n, m), _quase_iguais(rng))]


saturacao = questao(
    "lista-03/saturacao",
    assinatura="saturacao(A)",
    saida="float",
    referencia=_saturacao,
    casos=[
        caso(_A1, claro=True, rotulo="o exemplo do enunciado"),
        caso(_A2, rotulo="5 consultas, 4 chaves"),
        caso(_A3, rotulo="pesos uniformes"),
        caso(_A4, rotulo="uma linha já saturada"),
        caso(_A5, rotulo="uma consulta só"),
        caso(_A6, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(_A7, rotulo="uma chave só"),
        caso(_A8, rotulo="a forma do exemplo, com outros números"),
        caso(_A9, rotulo="16 chaves, pesos quase iguais"),
    ],
    ocultos=_ocultos_saturacao,
)


@saturacao.equivoco(
    "maximo-das-colunas",
    "Você pegou o maior peso de cada coluna. A pergunta é quanto cada consulta se concentra: o maior de cada linha.",
)
def _(A):
    return float(A.max(axis=0).mean())


@saturacao.equivoco(
    "maximo-de-tudo",
    "Você devolveu o maior peso da matriz inteira. Pegue o maior de cada linha e depois a média deles.",
)
def _(A):
    return float(A.max())


@saturacao.equivoco(
    "media-de-tudo",
    "Você tirou a média de todos os pesos, que dá sempre 1/M, pois cada linha soma 1. Falta o máximo de cada linha.",
)
def _(A):
    return float(A.mean())


@saturacao.equivoco(
    "media-das-posicoes",
    "Saiu a média das posições (argmax): ela diz onde está o maior peso, e não quanto ele vale.",
)
def _(A):
    return float(A.argmax(axis=1).mean())


@saturacao.equivoco(
    "menor-peso",
    "Você usou o menor peso de cada linha; a saturação é medida pelo maior.",
)
def _(A):
    return float(A.min(axis=1).mean())


@saturacao.equivoco(
    "soma-em-vez-de-media",
    "Você somou os maiores pesos das linhas. Falta dividir pelo número de linhas: a resposta fica entre 1/M e 1.",
)
def _(A):
    return float(A.max(axis=1).sum())


@saturacao.equivoco(
    "divide-pelas-colunas",
    "A soma dos maiores pesos foi dividida pelo número de chaves. É uma média sobre as consultas: divida "
    "pelo número de linhas.",
)
def _(A):
    return float(A.max(axis=1).sum() / A.shape[1])


@saturacao.equivoco(
    "um-por-linha",
    "Você devolveu um número por linha. Falta o último passo: a média deles, um número só.",
)
def _(A):
    return A.max(axis=1)


@saturacao.equivoco(
    "mediana",
    "Saiu a mediana dos maiores pesos. O enunciado pede a média.",
)
def _(A):
    return float(np.median(A.max(axis=1)))


@saturacao.equivoco(
    "diagonal",
    "Você tirou a média da diagonal: quanto cada consulta olha para a chave de mesmo índice. O maior peso "
    "da linha pode estar em qualquer coluna.",
)
def _(A):
    return float(np.diagonal(A).mean())


@saturacao.equivoco(
    "maior-menos-menor",
    "Você subtraiu o menor peso do maior, linha a linha. A saturação desta lista é só o maior.",
)
def _(A):
    return float((A.max(axis=1) - A.min(axis=1)).mean())


@saturacao.equivoco(
    "so-a-primeira-linha",
    "Só a primeira linha foi usada. Faça a média sobre todas as consultas.",
)
def _(A):
    return float(A[0].max())


@saturacao.equivoco(
    "arredondado-em-2-casas",
    "Sua resposta foi arredondada para duas casas. Devolva a média como ela saiu da conta; arredonde só para mostrar.",
)
def _(A):
    return round(float(A.max(axis=1).mean()), 2)


@saturacao.equivoco(
    "arredondado-em-3-casas",
    "Sua resposta foi arredondada para três casas. Devolva a média como ela saiu da conta; arredonde só para mostrar.",
)
def _(A):
    return round(float(A.max(axis=1).mean()), 3)


@saturacao.equivoco(
    "os-N-maiores-da-matriz",
    "Você ordenou a matriz inteira e ficou com os N maiores pesos. Podem vir dois da mesma linha: pegue um de cada.",
)
def _(A):
    return float(np.sort(A.ravel())[-len(A) :].mean())


@saturacao.equivoco(
    "repetidos-contam-uma-vez",
    "Dois maiores pesos iguais contaram uma vez só na média (set ou np.unique?). Cada linha conta, mesmo repetida.",
)
def _(A):
    return float(np.unique(A.max(axis=1)).mean())


@saturacao.alternativa("com-lacos")
def _(A):
    maiores = [max(float(p) for p in linha) for linha in A]
    return sum(maiores) / len(maiores)


@saturacao.alternativa("com-indices")
def _(A):
    return A[np.arange(len(A)), A.argmax(axis=1)].mean()


@saturacao.alternativa("ordenando")
def _(A):
    return np.sort(A, axis=-1)[:, -1].mean()


@saturacao.alternativa("com-torch-float32")
def _(A):
    return torch.tensor(A, dtype=torch.float32).amax(dim=-1).mean()


@saturacao.alternativa("float32")
def _(A):
    return np.mean(np.max(A.astype(np.float32), axis=-1))


# --- norma_jacobiana ----------------------------------------------------------------------------------------

_J1 = np.array([[0.5, 0.5], [0.8, 0.2], [1.0, 0.0]])  # (3, 2)


def _jacobianas(A):
    return np.einsum("nm,mk->nmk", A, np.eye(A.shape[1])) - A[:, :, None] * A[:, None, :]  # (N, M, M)


def _norma_jacobiana(A):
    return np.sqrt((_jacobianas(A) ** 2).sum(axis=(1, 2)))


norma_jacobiana = questao(
    "lista-03/norma_jacobiana",
    assinatura="norma_jacobiana(A)",
    saida="array",
    referencia=_norma_jacobiana,
    casos=[
        caso(_J1, claro=True, rotulo="o exemplo do enunciado"),
        caso(_A2, rotulo="5 consultas, 4 chaves"),
        caso(_A4, rotulo="uma linha já saturada"),
        caso(_A1, rotulo="2 consultas, 3 chaves"),
        caso(_A5, rotulo="uma consulta só"),
        caso(_A6, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(_A7, rotulo="uma chave só"),
        caso(_A8, rotulo="outra vez 2 consultas e 3 chaves"),
        caso(_A9, rotulo="16 chaves, pesos quase iguais"),
    ],
    ocultos=_ocultos_saturacao,
)


@norma_jacobiana.equivoco(
    "sem-raiz",
    "Isto é a soma dos quadrados das entradas: falta a raiz quadrada da norma de Frobenius.",
)
def _(A):
    return (_jacobianas(A) ** 2).sum(axis=(1, 2))


@norma_jacobiana.equivoco(
    "traco",
    "Isto é o traço da jacobiana (que é também a norma nuclear). A de Frobenius eleva cada entrada ao "
    "quadrado, soma e tira a raiz.",
)
def _(A):
    return (A * (1 - A)).sum(axis=1)


@norma_jacobiana.equivoco(
    "norma-espectral",
    "Isto é a norma espectral, o maior autovalor (np.linalg.norm com ord=2). Pede-se a de Frobenius.",
)
def _(A):
    return np.linalg.norm(_jacobianas(A), ord=2, axis=(1, 2))


@norma_jacobiana.equivoco(
    "so-a-diagonal",
    "Só a diagonal a_i(1 − a_i) entrou na conta. Fora dela há os termos −a_i·a_j; confira também se o "
    "último termo da sua fórmula é o quadrado da soma, e não a soma das quartas potências.",
)
def _(A):
    return np.linalg.norm(A * (1 - A), axis=1)


@norma_jacobiana.equivoco(
    "sem-a-diagonal",
    "Só entraram os termos de fora da diagonal. Cada peso também responde à própria pontuação.",
)
def _(A):
    J = _jacobianas(A)
    J[:, np.arange(A.shape[1]), np.arange(A.shape[1])] = 0
    return np.sqrt((J**2).sum(axis=(1, 2)))


@norma_jacobiana.equivoco(
    "sinal-trocado",
    "A jacobiana saiu com diag(a) + aaᵀ. O sinal é de menos: quando um peso sobe, os outros descem.",
)
def _(A):
    return np.sqrt(((2 * A[:, :, None] * np.eye(A.shape[1]) - _jacobianas(A)) ** 2).sum(axis=(1, 2)))


@norma_jacobiana.equivoco(
    "so-o-produto-externo",
    "Você mediu só aaᵀ. A jacobiana é diag(a) menos isso.",
)
def _(A):
    return (A**2).sum(axis=1)


@norma_jacobiana.equivoco(
    "so-a-norma-dos-pesos",
    "Você mediu a norma da linha de pesos (ou de diag(a)). Falta subtrair aaᵀ: repare que uma linha "
    "saturada deve dar 0.",
)
def _(A):
    return np.linalg.norm(A, axis=1)


@norma_jacobiana.equivoco(
    "todas-as-linhas-juntas",
    "Saiu um número só, a norma de todas as jacobianas empilhadas. Pede-se uma norma por linha de A: some "
    "sobre os dois últimos eixos.",
)
def _(A):
    return np.linalg.norm(_jacobianas(A))


@norma_jacobiana.equivoco(
    "devolve-as-jacobianas",
    "Você devolveu as próprias jacobianas, (N, M, M). Falta medir o tamanho de cada uma com um número.",
)
def _(A):
    return _jacobianas(A)


@norma_jacobiana.equivoco(
    "uma-norma-por-linha-da-jacobiana",
    "Saiu uma norma para cada linha de cada jacobiana, (N, M). Some os quadrados nos dois últimos eixos de uma vez.",
)
def _(A):
    return np.linalg.norm(_jacobianas(A), axis=-1)


@norma_jacobiana.equivoco(
    "pelas-colunas",
    "Você tratou cada coluna de A como uma distribuição: saíram M números. Cada linha de A é de uma consulta.",
)
def _(A):
    return _norma_jacobiana(A.T)


@norma_jacobiana.equivoco(
    "softmax-de-novo",
    "Parece que a softmax foi aplicada outra vez. A já traz os pesos: use-os como estão.",
)
def _(A):
    return _norma_jacobiana(_softmax(A))


@norma_jacobiana.equivoco(
    "soma-dos-modulos",
    "Você somou os módulos das entradas. A norma de Frobenius soma os quadrados e tira a raiz.",
)
def _(A):
    return np.abs(_jacobianas(A)).sum(axis=(1, 2))


@norma_jacobiana.equivoco(
    "media-em-vez-de-soma",
    "Você tirou a raiz da média dos quadrados, em vez da raiz da soma: saiu M vezes menor.",
)
def _(A):
    return np.sqrt((_jacobianas(A) ** 2).mean(axis=(1, 2)))


@norma_jacobiana.equivoco(
    "forma-fechada-com-sinal-trocado",
    "Isto é a forma fechada com um sinal trocado, e debaixo da raiz apareceu número negativo. Refaça o quadrado de "
    "diag(a) − aaᵀ: qual é o sinal do termo (Σa²)²?",
)
def _(A):
    s2, s3 = (A**2).sum(axis=1), (A**3).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.sqrt(s2 - 2 * s3 - s2**2)


@norma_jacobiana.equivoco(
    "perde-o-eixo-de-tamanho-1",
    "Com uma consulta só, saiu um número solto (squeeze?). A resposta é sempre um vetor (N,), mesmo com N = 1.",
)
def _(A):
    return _norma_jacobiana(A).squeeze()


@norma_jacobiana.alternativa("com-lacos")
def _(A):
    normas = []
    for a in A:
        J = np.diag(a) - np.outer(a, a)
        normas.append(math.sqrt(sum(float(x) ** 2 for x in J.ravel())))
    return np.array(normas)


@norma_jacobiana.alternativa("linalg-norm")
def _(A):
    return np.array([np.linalg.norm(np.diag(a) - np.outer(a, a)) for a in A])


@norma_jacobiana.alternativa("forma-fechada")
def _(A):
    s2, s3 = (A**2).sum(axis=1), (A**3).sum(axis=1)
    return np.sqrt(np.maximum(s2 - 2 * s3 + s2**2, 0))


@norma_jacobiana.alternativa("forma-fechada-float32")
def _(A):
    A = A.astype(np.float32)
    s2, s3 = (A**2).sum(axis=1), (A**3).sum(axis=1)
    return np.sqrt(s2 - 2 * s3 + s2**2)


@norma_jacobiana.alternativa("forma-fechada-torch-float32")
def _(A):
    A = torch.tensor(A, dtype=torch.float32)
    s2 = (A**2).sum(1)
    return (s2 - 2 * (A**3).sum(1) + s2**2).sqrt()


@norma_jacobiana.alternativa("com-torch-float32")
def _(A):
    A = torch.tensor(A, dtype=torch.float32)
    return torch.linalg.matrix_norm(torch.diag_embed(A) - A[:, :, None] * A[:, None, :])


@norma_jacobiana.alternativa("autovalores")
def _(A):
    return np.sqrt((np.linalg.eigvalsh(_jacobianas(A)) ** 2).sum(axis=1))


@norma_jacobiana.alternativa("float32")
def _(A):
    return _norma_jacobiana(A.astype(np.float32))


# --- atencao_escalada ---------------------------------------------------------------------------------------

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


def _atencao(Q, K, V):
    A = _softmax(_pontuacoes(Q, K))
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
    return caso(Q, K, rng.normal(size=(5, 2)).round(2))


def _opostas(rng):
    """Na mesma linha, pontuações perto de 1500, de −1500 e de 0: só o máximo da linha pode ser subtraído."""
    sinais = rng.choice([-1.0, 1.0], size=16)
    Q = 20 * sinais * np.array([[1.0], [-1.0]]) + rng.integers(-1, 2, size=(2, 16))  # (2, 16)
    K = 19 * sinais * np.array([[1.0], [1.0], [-1.0], [-1.0], [0.0]])  # (5, 16)
    _cutucar(rng, K[1], 3)
    _cutucar(rng, K[3], 3)
    K[:4] = rng.permutation(K[:4])
    return caso(Q, K, rng.normal(size=(5, 3)).round(2))


def _ocultos_atencao(rng):
    formas = [tuple(_formas(rng, 4)) for _ in range(6)]
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
    casos = [caso(_oitavos(rng, n, d_k), _oitavos(rng, m, d_k), _oitavos(rng, m, d_v)) for n, m, d_k, d_v in formas]
    negativas = caso(-_oitavos(rng, n, 1) / 8 - 30, np.array([[30.0]]), _oitavos(rng, 1, d_v))  # M = 1, perto de −900
    return [*casos, negativas, _grandes(rng), _opostas(rng)]


atencao_escalada = questao(
    "lista-03/atencao_escalada",
    assinatura="atencao_escalada(Q, K, V)",
    saida=[("Y", "array"), ("A", "array")],
    referencia=_atencao,
    casos=[
        caso(_Q1, _K1, _V1, claro=True, rotulo="o exemplo do enunciado"),
        caso(_Q2, _K2, _V2, rotulo="5 consultas, 2 chaves, d_k = 3, d_v = 4"),
        caso(_Q3, _K3, _V3, rotulo="1 consulta, 3 chaves, d_k = 7, d_v = 5"),
        caso(_Q5, _K5, _V5, rotulo="3 consultas, 5 chaves, d_k = 2, d_v = 6"),
        caso(_Q6, _K6, _V6, rotulo="pontuações perto de 1000 e de −800"),
        caso(_Q12, _K12, _V12, rotulo="de −1536 a 1536 na mesma linha"),
        caso(_Q11, _K11, _V11, rotulo="uma chave só, pontuações perto de −900"),
        caso(_Q7, _K7, _V7, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(_Q10, _K10, _V10, rotulo="a forma do exemplo, com outros números"),
        caso(_Q9, _K9, _V12[:3], rotulo="d_k = 100"),
    ],
    ocultos=_ocultos_atencao,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
)


def _com_divisor(Q, K, V, divisor):
    A = _softmax(Q @ K.T / divisor)
    return A @ V, A


@atencao_escalada.equivoco(
    "sem-escala",
    "Os pesos são os da softmax de QKᵀ sem escala: mais concentrados do que deviam. Divida as pontuações "
    "por √d_k antes da softmax.",
)
def _(Q, K, V):
    return _com_divisor(Q, K, V, 1)


@atencao_escalada.equivoco(
    "divide-por-dk",
    "Seus pesos estão uniformes demais: as pontuações foram divididas por d_k inteiro. Confira se a raiz "
    "entrou, e uma vez só.",
)
def _(Q, K, V):
    return _com_divisor(Q, K, V, Q.shape[1])


@atencao_escalada.equivoco(
    "multiplica-pela-raiz",
    "Seus pesos estão concentrados demais: √d_k está multiplicando as pontuações. Ela divide.",
)
def _(Q, K, V):
    return _com_divisor(Q, K, V, Q.shape[1] ** -0.5)


@atencao_escalada.equivoco(
    "raiz-de-dv",
    "A escala usou o tamanho dos valores, d_v. A variância da pontuação vem de consultas e chaves: use o "
    "tamanho delas.",
)
def _(Q, K, V):
    return _com_divisor(Q, K, V, np.sqrt(V.shape[1]))


@atencao_escalada.equivoco(
    "raiz-do-numero-de-chaves",
    "A escala usou M, o número de chaves. O que faz a pontuação crescer é d_k, o tamanho de cada vetor.",
)
def _(Q, K, V):
    return _com_divisor(Q, K, V, np.sqrt(len(K)))


@atencao_escalada.equivoco(
    "raiz-do-numero-de-consultas",
    "A escala usou N, o número de consultas. O que faz a pontuação crescer é d_k, o tamanho de cada vetor.",
)
def _(Q, K, V):
    return _com_divisor(Q, K, V, np.sqrt(len(Q)))


@atencao_escalada.equivoco(
    "softmax-nas-colunas",
    "Seus pesos somam 1 em cada coluna. Cada linha é de uma consulta, e é ela que deve somar 1: olhe o eixo"
    " da softmax.",
)
def _(Q, K, V):
    A = _softmax(_pontuacoes(Q, K), eixo=0)
    return A @ V, A


@atencao_escalada.equivoco(
    "softmax-nas-colunas-e-sem-escala",
    "São dois enganos juntos: seus pesos somam 1 em cada coluna, e não em cada linha; e falta dividir as pontuações "
    "por √d_k. Comece pelo eixo da softmax.",
)
def _(Q, K, V):
    A = _softmax(Q @ K.T, eixo=0)
    return A @ V, A


@atencao_escalada.equivoco(
    "escala-depois-da-softmax",
    "Suas linhas somam 1/√d_k: a divisão veio depois da softmax. Ali ela só encolhe os pesos; é antes que "
    "ela muda a concentração.",
)
def _(Q, K, V):
    A = _softmax(Q @ K.T) / np.sqrt(Q.shape[1])
    return A @ V, A


@atencao_escalada.equivoco(
    "sem-softmax",
    "Seus pesos são as próprias pontuações: há negativos, e as linhas não somam 1. Falta a softmax.",
)
def _(Q, K, V):
    A = _pontuacoes(Q, K)
    return A @ V, A


@atencao_escalada.equivoco(
    "softmax-instavel",
    "Com pontuações perto de 1000, a exponencial estourou e saiu NaN. Subtraia o máximo de cada linha antes de "
    "exponenciar: o resultado não muda.",
)
def _(Q, K, V):
    with np.errstate(all="ignore"):
        e = np.exp(_pontuacoes(Q, K))
        A = e / e.sum(axis=1, keepdims=True)
    return A @ V, A


@atencao_escalada.equivoco(
    "maximo-da-matriz-inteira",
    "Uma linha de pontuações muito baixas virou 0/0. O máximo a subtrair é o de cada linha, e não o da matriz inteira.",
)
def _(Q, K, V):
    S = _pontuacoes(Q, K)
    with np.errstate(all="ignore"):
        e = np.exp(S - S.max())
        A = e / e.sum(axis=1, keepdims=True)
    return A @ V, A


def _com_subtraido(Q, K, V, escolher):
    """A softmax que subtrai de cada linha o que `escolher` diz, e não o máximo dela."""
    S = _pontuacoes(Q, K)
    with np.errstate(all="ignore"):
        e = np.exp(S - escolher(S))
        A = e / e.sum(axis=1, keepdims=True)
    return A @ V, A


@atencao_escalada.equivoco(
    "subtrai-o-minimo",
    "Sua softmax subtrai o mínimo da linha. Quando a linha vai de muito negativo a muito positivo, a exponencial ainda "
    "estoura: é o máximo que, subtraído, deixa todos os expoentes menores ou iguais a 0.",
)
def _(Q, K, V):
    return _com_subtraido(Q, K, V, lambda S: S.min(axis=1, keepdims=True))


@atencao_escalada.equivoco(
    "subtrai-a-media",
    "Sua softmax subtrai a média da linha. Uma pontuação muito acima da média ainda estoura a exponencial: subtraia o "
    "máximo da linha.",
)
def _(Q, K, V):
    return _com_subtraido(Q, K, V, lambda S: S.mean(axis=1, keepdims=True))


@atencao_escalada.equivoco(
    "subtrai-a-primeira-coluna",
    "Sua softmax subtrai de cada linha a primeira pontuação dela. Só serve se essa for das maiores; o seguro é "
    "subtrair o máximo da linha.",
)
def _(Q, K, V):
    return _com_subtraido(Q, K, V, lambda S: S[:, :1])


@atencao_escalada.equivoco(
    "subtrai-o-maior-modulo",
    "Sua softmax subtrai o maior módulo da linha. Em uma linha toda negativa isso empurra tudo para −∞ e dá 0/0: o "
    "máximo é o das pontuações com o sinal delas.",
)
def _(Q, K, V):
    return _com_subtraido(Q, K, V, lambda S: np.abs(S).max(axis=1, keepdims=True))


@atencao_escalada.equivoco(
    "maximo-de-cada-coluna",
    "Antes da exponencial, você subtraiu o máximo de cada coluna. O resultado só não muda quando se subtrai o mesmo "
    "número da linha inteira: use o máximo de cada linha.",
)
def _(Q, K, V):
    return _com_subtraido(Q, K, V, lambda S: S.max(axis=0, keepdims=True))


@atencao_escalada.equivoco(
    "corta-as-pontuacoes",
    "As pontuações grandes foram cortadas em um teto (np.clip?) antes da exponencial, e chaves diferentes ficaram com "
    "o mesmo peso. Em vez de cortar, subtraia o máximo de cada linha.",
)
def _(Q, K, V):
    A = _softmax(np.clip(_pontuacoes(Q, K), -700, 700))
    return A @ V, A


@atencao_escalada.equivoco(
    "esconde-o-nan",
    "Onde a exponencial estourou, o NaN foi trocado por 0, e a linha deixou de somar 1. Em vez de esconder o NaN, "
    "evite que ele apareça.",
)
def _(Q, K, V):
    with np.errstate(all="ignore"):
        e = np.exp(_pontuacoes(Q, K))
        A = np.nan_to_num(e / e.sum(axis=1, keepdims=True))
    return A @ V, A


@atencao_escalada.equivoco(
    "zera-pesos-pequenos",
    "Os pesos menores que 0,001 viraram 0. Peso pequeno não é peso nulo: a softmax nunca descarta uma chave.",
)
def _(Q, K, V):
    A = _softmax(_pontuacoes(Q, K))
    A = np.where(A < 1e-3, 0, A)
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V, A


@atencao_escalada.equivoco(
    "Y-perde-o-eixo-de-tamanho-1",
    "Com d_v = 1 (ou uma consulta só), Y perdeu um eixo (squeeze? V achatado?). Y tem sempre dois eixos, (N, d_v).",
)
def _(Q, K, V):
    Y, A = _atencao(Q, K, V)
    return Y.squeeze(), A


@atencao_escalada.equivoco(
    "escolha-dura",
    "Seus pesos são todos 0 ou 1: cada consulta copia um valor só (argmax). A atenção é uma média ponderada.",
)
def _(Q, K, V):
    A = np.eye(len(K))[(Q @ K.T).argmax(axis=1)]
    return A @ V, A


@atencao_escalada.equivoco(
    "pondera-as-chaves",
    "A média foi feita sobre as chaves. As chaves servem para calcular os pesos; o que se mistura são os valores, V.",
)
def _(Q, K, V):
    A = _softmax(_pontuacoes(Q, K))
    return A @ K, A


@atencao_escalada.equivoco(
    "so-Y",
    "Veio só Y. Devolva os dois, nesta ordem: a saída Y e os pesos A.",
)
def _(Q, K, V):
    return _atencao(Q, K, V)[0]


@atencao_escalada.equivoco(
    "ordem-trocada",
    "Vieram os pesos e depois a saída. A ordem pedida é (Y, A).",
)
def _(Q, K, V):
    return _atencao(Q, K, V)[::-1]


@atencao_escalada.equivoco(
    "pondera-com-pontuacoes",
    "A está certa, mas Y foi calculada com as pontuações em vez dos pesos.",
)
def _(Q, K, V):
    S = _pontuacoes(Q, K)
    return S @ V, _softmax(S)


@atencao_escalada.equivoco(
    "devolve-pontuacoes",
    "Y está certa, mas no lugar dos pesos vieram as pontuações. A é o que sai da softmax.",
)
def _(Q, K, V):
    S = _pontuacoes(Q, K)
    return _softmax(S) @ V, S


@atencao_escalada.equivoco(
    "transposta",
    "Os pesos saíram com uma linha por chave, (M, N). Cada linha de A é de uma consulta.",
)
def _(Q, K, V):
    A = _softmax(K @ Q.T / np.sqrt(Q.shape[1]))
    return A.T @ V, A


@atencao_escalada.equivoco(
    "softmax-duas-vezes",
    "Seus pesos estão quase uniformes: a softmax foi aplicada duas vezes. Sua função de pontuações já a aplica?",
)
def _(Q, K, V):
    A = _softmax(_softmax(_pontuacoes(Q, K)))
    return A @ V, A


@atencao_escalada.equivoco(
    "altera-a-entrada",
    "Sua função escreveu dentro de uma das entradas. Faça a conta em um array novo.",
)
def _(Q, K, V):
    Q /= np.sqrt(Q.shape[1])
    A = _softmax(Q @ K.T)
    return A @ V, A


@atencao_escalada.alternativa("com-lacos")
def _(Q, K, V):
    Y, A = np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))
    for n, q in enumerate(Q):
        s = [float(q @ k) / math.sqrt(len(q)) for k in K]
        e = [math.exp(x - max(s)) for x in s]
        A[n] = [x / sum(e) for x in e]
        for m, v in enumerate(V):
            Y[n] += A[n, m] * v
    return Y, A


@atencao_escalada.alternativa("com-einsum")
def _(Q, K, V):
    S = np.einsum("nd,md->nm", Q, K) * Q.shape[1] ** -0.5
    A = np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
    return np.einsum("nm,mv->nv", A, V), A


@atencao_escalada.alternativa("com-torch-float32")
def _(Q, K, V):
    Q, K, V = (torch.tensor(x, dtype=torch.float32) for x in (Q, K, V))
    A = torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1)
    return A @ V, A


@atencao_escalada.alternativa("sdpa-do-torch")
def _(Q, K, V):
    Q, K, V = (torch.tensor(x, dtype=torch.float32)[None] for x in (Q, K, V))
    Y = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    A = torch.nn.functional.scaled_dot_product_attention(Q, K, torch.eye(K.shape[1])[None])
    return Y[0], A[0]


@atencao_escalada.alternativa("escala-nas-chaves")
def _(Q, K, V):
    A = _softmax(Q @ (K / np.sqrt(K.shape[1])).T)
    return A @ V, A


@atencao_escalada.alternativa("float32")
def _(Q, K, V):
    return _atencao(*(x.astype(np.float32) for x in (Q, K, V)))


@atencao_escalada.alternativa("float32-com-log-sum-exp")
def _(Q, K, V):
    Q, K, V = (x.astype(np.float32) for x in (Q, K, V))
    S = Q @ K.T / np.float32(math.sqrt(Q.shape[1]))
    maximo = S.max(axis=1, keepdims=True)
    A = np.exp(S - (maximo + np.log(np.exp(S - maximo).sum(axis=1, keepdims=True))))
    return A @ V, A


@atencao_escalada.alternativa("torch-float32-com-logsumexp")
def _(Q, K, V):
    Q, K, V = (torch.tensor(x, dtype=torch.float32) for x in (Q, K, V))
    S = Q @ K.mT / math.sqrt(K.shape[1])
    A = (S - S.logsumexp(dim=1, keepdim=True)).exp()
    return A @ V, A


@atencao_escalada.alternativa("float32-escala-nos-dois")
def _(Q, K, V):
    c = np.float32(Q.shape[1] ** 0.25)
    A = _softmax((Q.astype(np.float32) / c) @ (K.astype(np.float32) / c).T)
    return A @ V.astype(np.float32), A
