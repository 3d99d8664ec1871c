"""Lista 10: a atenção dentro de um LLM de verdade, a média das cabeças, desligar, as três pontuações e o ranking.

As entradas são tensores float32. A referência e os enganos fazem as contas em float64: assim as impressões digitais não
dependem do processador. Em `atencao`, além dos casos com tensores, há frases que passam pelo SmolLM2 inteiro com a
função do aluno (ver helpers/pecas/lista_10.py); delas só se guardam três números. As fatias de fatias_10.json são pesos
e saídas de verdade do SmolLM2, com três casas, na frase «The cat sat on the mat.» (a de indução, em cinco tokens
sorteados, repetidos uma vez).
"""

import heapq
import json
import math
from pathlib import Path

import numpy as np
import torch

from gabarito.base import caso, funcao, questao
from helpers.pecas.lista_10 import pontuacao

_FATIAS = json.loads((Path(__file__).parent / "fatias_10.json").read_text(encoding="utf-8"))


def _fatia(nome):
    return torch.tensor(_FATIAS[nome])


def _pesos(rng, *forma, causal=True, casas=3):
    """Pesos de atenção (…, T, T) com poucas casas; cada linha soma 1, a menos do arredondamento."""
    S = 1.3 * rng.normal(size=forma)
    if causal:
        S = np.where(np.triu(np.ones(forma[-2:], dtype=bool), k=1), -np.inf, S)
    E = np.exp(S)
    return torch.tensor((E / E.sum(axis=-1, keepdims=True)).round(casas), dtype=torch.float32)


# ---------------------------------------------------------------------------------------- atencao


def _pontuacoes(q, k):
    return q.double() @ k.double().transpose(-2, -1) / math.sqrt(q.shape[-1])  # (h, T, T)


def _atencao(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


def _qkv(rng, h, T, d, casas=2):
    return tuple(torch.tensor(rng.normal(size=(h, T, d)).round(casas), dtype=torch.float32) for _ in range(3))


def _causal(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


def _mascara(rng, T):
    """Uma máscara que não é causal: toda linha vê alguém, esconde alguém e vê alguém do futuro, se houver."""
    M = rng.random((T, T)) < 0.5
    for t in range(T):
        a, b = rng.choice(T, size=2, replace=False)
        M[t, a], M[t, b] = False, True
    M[0, -1], M[0, 0], M[-1, 0], M[-1, -1] = False, True, True, False
    return torch.tensor(M)


def _grandes(rng, h, T):
    """Pontuações de ±1024, exatas em float32, que diferem por 1 ou 2: exponenciar sem cuidado estoura.

    A linha 0 só vê pontuações perto de −1024 e esconde uma de +1024; a linha 1, o contrário.
    """
    q, k = np.zeros((2, h, T, 4))
    q[..., 0] = 256.0
    q[:, 0, 0] = -256.0  # a linha 0 vê tudo com o sinal trocado
    k[..., 0] = 8 + rng.integers(0, 3, size=(h, T)) / 128  # 256 · (8 + n/128) / 2 = 1024 + n
    k[:, -1, 0] *= -1
    k[:, 0, 0], k[:, 1, 0] = 8.0, 8 + 1 / 128
    M = np.zeros((T, T), dtype=bool)
    M[0, -1] = M[1, 2] = M[-1, -1] = True
    q, k, M = (torch.tensor(x) for x in (q, k, M))
    return q.float(), k.float(), torch.tensor(rng.normal(size=(h, T, 4)).round(2), dtype=torch.float32), M


_Q_EXEMPLO = torch.tensor([[[1.0, 0, 1, 0], [0, 2, 0, 0], [1, 1, 0, 1]], [[0, 1, 0, 0], [2, 0, 1, 0], [0, 0, 1, 1]]])
_K_EXEMPLO = torch.tensor([[[2.0, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0]], [[1, 2, 0, 0], [0, 0, 2, 1], [1, 0, 0, 1]]])
_V_EXEMPLO = torch.tensor([[[1.0, 0, 3, 0], [0, 2, 1, 0], [4, 1, 0, 2]], [[0, 1, 0, 2], [3, 0, 0, 1], [1, 1, 2, 0]]])
FRASE = "The capital of France is"
FRASES = [  # as que a correção sorteia
    "Ele gosta de comer manga",
    "The opposite of hot is",
    "O rato roeu a roupa do",
    "Two plus two is equal to",
    "Amor é um fogo que",
    "The sun rises in the",
]


def _ocultos_atencao(rng):
    T = int(rng.integers(5, 8))
    return [
        caso(*_qkv(rng, 3, T, 8), _causal(T)),
        caso(*_qkv(rng, 2, 4, 5), _mascara(rng, 4)),
        caso(*_qkv(rng, 4, T + 1, 3), _mascara(rng, T + 1)),
        caso(*_qkv(rng, 5, 3, 2), torch.zeros(3, 3, dtype=torch.bool)),
        caso(*_grandes(rng, 3, 5)),
        caso(*_qkv(rng, 1, 2, 6), _causal(2)),
        caso(FRASES[rng.integers(len(FRASES))]),
    ]


atencao = questao(
    "lista-10/atencao",
    assinatura="atencao(q, k, v, mascara)",
    saida=[("saida", "array"), ("pesos", "array")],
    referencia=_atencao,
    casos=[
        caso(_Q_EXEMPLO, _K_EXEMPLO, _V_EXEMPLO, _causal(3), claro=True, rotulo="o exemplo do enunciado"),
        caso(*_qkv(np.random.default_rng(1), 3, 5, 2), _causal(5), rotulo="três cabeças, máscara causal"),
        caso(*_qkv(np.random.default_rng(2), 2, 4, 6), _mascara(np.random.default_rng(2), 4), rotulo="outra máscara"),
        caso(*_qkv(np.random.default_rng(3), 4, 3, 5), torch.zeros(3, 3, dtype=torch.bool), rotulo="nada escondido"),
        caso(*_grandes(np.random.default_rng(4), 2, 5), rotulo="pontuações de até ±1026"),
        caso(*_qkv(np.random.default_rng(5), 1, 2, 3), _causal(2), rotulo="uma cabeça, dois tokens"),
        caso(FRASE, rotulo="dentro do SmolLM2"),
    ],
    ocultos=_ocultos_atencao,
    propriedades=["pesos: linhas-somam-1", "pesos: nao-negativa"],
    rtol=1e-3,
    atol=1e-4,
    prazo=15.0,
    adaptador="lista_10.atencao",
)


@atencao.equivoco(
    "sem-escala",
    "Faltou dividir as pontuações por √d. No SmolLM2, d é 64 e elas ficam oito vezes maiores: cada cabeça olha quase "
    "só para um token, e depois de «The capital of France is» ele escreve « the», e não « Paris».",
)
def _(q, k, v, mascara):
    S = q.double() @ k.double().transpose(-2, -1)
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "sem-mascara",
    "A máscara não foi usada: há peso onde ela é True. Dentro do SmolLM2, cada token lê os que ainda nem foram "
    "escritos, e depois de «The capital of France is» sai «_».",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "softmax-nas-colunas",
    "A softmax está no eixo das consultas: são as colunas que somam 1, e o SmolLM2 escreve « present» no lugar de « "
    "Paris». Cada linha (um token que olha) é que reparte o seu peso: use o último eixo.",
)
def _(q, k, v, mascara):
    S = _pontuacoes(q, k).masked_fill(mascara, -math.inf)
    pesos = torch.nan_to_num(torch.softmax(S, dim=-2))
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "softmax-entre-cabecas",
    "A softmax está no eixo 0, o das cabeças: elas disputam entre si. Cada cabeça é independente; a softmax é no "
    "último eixo.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(mascara, -1e9), dim=0).masked_fill(mascara, 0.0)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "mascara-depois-da-softmax",
    "Você zerou os pesos depois da softmax: as linhas já não somam 1, o que estava escondido contou no denominador, "
    "e o SmolLM2 escreve «The» no lugar de « Paris». Esconda antes, na pontuação.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k), dim=-1).masked_fill(mascara, 0.0)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "zero-na-pontuacao",
    "Você pôs 0 na pontuação do que está escondido, e 0 é uma pontuação como outra qualquer: a exponencial dela é 1. "
    "Ponha um número muito negativo.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(mascara, 0.0), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "mascara-invertida",
    "A máscara está ao contrário: você escondeu onde ela é False, e onde nada sobrou à vista a softmax deu NaN. Aqui "
    "True esconde, como na lista 06.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(~mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "mascara-invertida-com-1e9",
    "A máscara está ao contrário: você escondeu onde ela é False. Aqui True esconde, como na lista 06.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(~mascara, -1e9), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "mascara-invertida-com-zeros",
    "A máscara está ao contrário: você escondeu onde ela é False, e a linha que não via ninguém ficou com zeros. Aqui "
    "True esconde (na scaled_dot_product_attention do torch, True deixa ver: dê a ela ~mascara).",
)
def _(q, k, v, mascara):
    pesos = torch.nan_to_num(torch.softmax(_pontuacoes(q, k).masked_fill(~mascara, -math.inf), dim=-1))
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "mascara-sempre-causal",
    "Você não usa a máscara que recebe: faz uma causal por conta própria. Dentro do SmolLM2 dá no mesmo, mas a "
    "função deve obedecer ao argumento.",
)
def _(q, k, v, mascara):
    T = q.shape[1]
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "mascara-pequena",
    "O número que você pôs no que está escondido não é negativo o bastante: há pontuações perto de −1000 à vista, e "
    "ele ganha delas. Use −inf ou −1e9.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(mascara, -100.0), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "menos-infinito-vezes-zero",
    "Há NaN em quase tudo: −inf vezes False é −inf vezes 0, que não é número. Em vez de multiplicar a máscara por "
    "−inf, troque o valor onde ela é True (masked_fill ou where).",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k) + mascara * -math.inf, dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "softmax-instavel",
    "Com pontuações perto de 1000, a exponencial estoura e vira infinito (ou todas viram 0). Subtraia o máximo da "
    "linha antes (lista 02), ou use torch.softmax.",
)
def _(q, k, v, mascara):
    E = torch.exp(_pontuacoes(q, k).masked_fill(mascara, -math.inf))
    pesos = E / E.sum(dim=-1, keepdim=True)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "escala-fixa-em-8",
    "A escala está escrita à mão, 8. É √64, e dentro do SmolLM2 serve, mas a função deve valer para qualquer d: "
    "tire-o da forma de q.",
)
def _(q, k, v, mascara):
    S = q.double() @ k.double().transpose(-2, -1) / 8
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "maximo-da-matriz-toda",
    "O máximo que você subtraiu é o da matriz toda, ou conta o que está escondido: uma linha em que tudo à vista é "
    "muito menor que ele vira 0/0. Esconda antes, e tire o máximo de cada linha.",
)
def _(q, k, v, mascara):
    S = _pontuacoes(q, k).masked_fill(mascara, -math.inf)
    E = torch.exp(S - S.max())
    pesos = E / E.sum(dim=-1, keepdim=True)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "mascara-transposta",
    "A máscara foi usada transposta: com a causal, você escondeu o passado. A linha é de quem olha, a coluna de quem "
    "é olhado, e ela já vem assim.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(mascara.T, -1e9), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "divide-por-d",
    "Você dividiu por d, e não por √d: as pontuações ficam pequenas demais e os pesos, quase iguais.",
)
def _(q, k, v, mascara):
    S = q.double() @ k.double().transpose(-2, -1) / q.shape[-1]
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "escala-pelo-comprimento",
    "A escala usa √T, o número de tokens. É a raiz de d, o último eixo de q: confira o índice de `shape`.",
)
def _(q, k, v, mascara):
    S = q.double() @ k.double().transpose(-2, -1) / math.sqrt(q.shape[1])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "escala-pelas-cabecas",
    "A escala usa √h, o número de cabeças. É a raiz de d, o último eixo de q: confira o índice de `shape`.",
)
def _(q, k, v, mascara):
    S = q.double() @ k.double().transpose(-2, -1) / math.sqrt(q.shape[0])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "escala-pelas-dimensoes-juntas",
    "A escala usa √(h·d), o tamanho de todas as cabeças juntas. Cada cabeça faz a sua conta com d componentes: é √d.",
)
def _(q, k, v, mascara):
    S = q.double() @ k.double().transpose(-2, -1) / math.sqrt(q.shape[0] * q.shape[-1])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "troca-q-e-k",
    "Consultas e chaves estão trocadas: a pontuação [t, s] saiu k_t · q_s. A linha é de quem olha, a consulta.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(k, q).masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "usa-k-como-valor",
    "Os pesos estão certos, mas a saída mistura as chaves (k). O que se mistura são os valores, v.",
)
def _(q, k, v, mascara):
    pesos = _atencao(q, k, v, mascara)[1]
    return pesos @ k.double(), pesos


@atencao.equivoco(
    "pesos-transpostos",
    "Os pesos estão certos, mas a saída usa a transposta deles: a linha t da saída deve ser a soma dos valores com "
    "os pesos da linha t.",
)
def _(q, k, v, mascara):
    pesos = _atencao(q, k, v, mascara)[1]
    return pesos.transpose(-2, -1) @ v.double(), pesos


@atencao.equivoco(
    "saida-e-pesos-trocados",
    "Você devolveu (pesos, saida). A ordem do enunciado é (saida, pesos).",
)
def _(q, k, v, mascara):
    return _atencao(q, k, v, mascara)[::-1]


@atencao.equivoco(
    "so-a-saida",
    "Você devolveu só a saída. Devolva os dois: `return saida, pesos`.",
)
def _(q, k, v, mascara):
    return _atencao(q, k, v, mascara)[0]


@atencao.equivoco(
    "devolve-as-pontuacoes",
    "A saída está certa, mas no lugar dos pesos vieram as pontuações, de antes da softmax.",
)
def _(q, k, v, mascara):
    return _atencao(q, k, v, mascara)[0], _pontuacoes(q, k)


@atencao.equivoco(
    "devolve-as-pontuacoes-escondidas",
    "A saída está certa, mas no lugar dos pesos vieram as pontuações, com −inf no que está escondido. Devolva o que "
    "sai da softmax.",
)
def _(q, k, v, mascara):
    return _atencao(q, k, v, mascara)[0], _pontuacoes(q, k).masked_fill(mascara, -math.inf)


@atencao.equivoco(
    "pesos-de-antes-da-mascara",
    "A saída está certa, mas os pesos devolvidos são os de antes da máscara: há peso onde ela é True. Devolva os "
    "mesmos que você usou na saída.",
)
def _(q, k, v, mascara):
    return _atencao(q, k, v, mascara)[0], torch.softmax(_pontuacoes(q, k), dim=-1)


@atencao.equivoco(
    "transposta-de-tres-eixos",
    "A transposta de k mexeu no eixo das cabeças (com três eixos, `k.T` inverte todos), e o produto não fecha. Troque "
    "só os dois últimos: k.transpose(-2, -1) ou k.mT.",
)
def _(q, k, v, mascara):
    S = q @ k.T / math.sqrt(q.shape[-1])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v, pesos


@atencao.equivoco(
    "soma-a-mascara",
    "Você somou a máscara às pontuações, e True vale 1: o que devia sumir ficou mais forte. Ponha um número muito "
    "negativo onde ela é True.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k) + mascara, dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "mais-infinito",
    "O que está escondido recebeu +inf: a softmax dá NaN onde ele aparece. O sinal é o outro: −inf.",
)
def _(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(mascara, math.inf), dim=-1)
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "escala-depois-da-softmax",
    "Você dividiu os pesos por √d, depois da softmax, e as linhas já não somam 1. Quem se divide é a pontuação, antes "
    "dela.",
)
def _(q, k, v, mascara):
    S = q.double() @ k.double().transpose(-2, -1)
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1) / math.sqrt(q.shape[-1])
    return pesos @ v.double(), pesos


@atencao.equivoco(
    "pesos-em-media",
    "A saída está certa, mas os pesos vieram em média, (T, T). Devolva os de cada cabeça, (h, T, T); a média é a "
    "questão 2.",
)
def _(q, k, v, mascara):
    saida, pesos = _atencao(q, k, v, mascara)
    return saida, pesos.mean(dim=0)


@atencao.equivoco(
    "cabecas-juntadas",
    "Você já juntou as cabeças: a saída veio (T, h·d). Aqui ela continua dividida, (h, T, d); quem junta é o modelo.",
)
def _(q, k, v, mascara):
    saida, pesos = _atencao(q, k, v, mascara)
    return saida.transpose(0, 1).flatten(1), pesos


@atencao.equivoco("altera-a-entrada", "Sua função escreveu dentro de um argumento.")
def _(q, k, v, mascara):
    q /= math.sqrt(q.shape[-1])
    pesos = torch.softmax((q @ k.mT).masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v, pesos


@atencao.alternativa("float32")
def _(q, k, v, mascara):
    S = q @ k.mT / q.shape[-1] ** 0.5
    pesos = S.masked_fill(mascara, float("-inf")).softmax(-1)
    return pesos @ v, pesos


@atencao.alternativa("menos-1e9-com-where")
def _(q, k, v, mascara):
    S = torch.einsum("htd,hsd->hts", q, k) / math.sqrt(k.shape[-1])
    pesos = torch.softmax(torch.where(mascara, torch.tensor(-1e9), S), dim=2)
    return torch.einsum("hts,hsd->htd", pesos, v), pesos


@atencao.alternativa("numpy")
def _(q, k, v, mascara):
    q, k, v, mascara = (np.asarray(x) for x in (q, k, v, mascara))
    S = np.where(mascara, -np.inf, q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]))
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    pesos = E / E.sum(axis=-1, keepdims=True)
    return pesos @ v, pesos


@atencao.alternativa("numpy-que-recusa-tensores")
def _(Q, K, V, M):
    S = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(axis=-1, keepdims=True)) * ~M  # o máximo de um tensor vem em par, e aqui para
    A = E / E.sum(axis=-1, keepdims=True) if np.all(E.sum(axis=-1)) else None
    if A is None:
        S = np.where(M, -1e9, S)
        E = np.exp(S - S.max(axis=-1, keepdims=True))
        A = E / E.sum(axis=-1, keepdims=True)
    return A @ V, A


@atencao.alternativa("cabeca-por-cabeca")
def _(q, k, v, mascara):
    saidas, todos = [], []
    for i in range(len(q)):
        S = q[i] @ k[i].T / math.sqrt(q.shape[-1])
        S[mascara] = -math.inf
        A = torch.softmax(S, dim=1)
        todos.append(A)
        saidas.append(A @ v[i])
    return torch.stack(saidas), torch.stack(todos)


@atencao.alternativa("escala-na-consulta")
def _(q, k, v, mascara):
    S = (q * q.shape[-1] ** -0.5) @ k.transpose(1, 2) + torch.zeros(mascara.shape).masked_fill(mascara, -1e9)
    S = S - S.amax(dim=-1, keepdim=True)
    E = S.exp()
    pesos = E / E.sum(-1, keepdim=True)
    return torch.bmm(pesos, v), pesos


@atencao.alternativa("zera-e-renormaliza-em-float64")
def _(q, k, v, mascara):
    S = q.double() @ k.double().mT / math.sqrt(q.shape[-1])
    topo = S.masked_fill(mascara, -math.inf).amax(-1, keepdim=True)
    E = torch.exp(S.masked_fill(mascara, -math.inf) - topo)
    pesos = E / E.sum(-1, keepdim=True)
    return pesos @ v.double(), pesos


@atencao.alternativa("a-do-torch")
def _(q, k, v, mascara):
    atender = torch.nn.functional.scaled_dot_product_attention
    um = torch.eye(q.shape[1], dtype=q.dtype).expand(len(q), -1, -1)  # com a identidade como valores, saem os pesos
    return atender(q, k, v, attn_mask=~mascara), atender(q, k, um, attn_mask=~mascara)


@atencao.alternativa("dois-lacos-so-com-o-visivel")
def _(q, k, v, mascara):
    h, T, d = q.shape
    pesos = torch.zeros(h, T, T)
    for i in range(h):
        for t in range(T):
            visiveis = torch.nonzero(~mascara[t]).ravel()
            S = k[i, visiveis] @ q[i, t] / d**0.5
            pesos[i, t, visiveis] = torch.softmax(S, dim=0)
    return pesos @ v, pesos


# ----------------------------------------------------------------------------- media_das_cabecas


def _media_das_cabecas(A):
    return A.double().mean(dim=0)


def _ocultos_media(rng):
    T = int(rng.integers(6, 9))
    return [
        caso(_pesos(rng, 3, T, T)),
        caso(_pesos(rng, 5, 4, 4, causal=False)),
        caso(_pesos(rng, 2, 3, 3)),
        caso(_pesos(rng, 4, 4, 4, causal=False)),
        caso(_pesos(rng, 1, 5, 5)),
        caso(_pesos(rng, 9, 6, 6)),
    ]


media_das_cabecas = questao(
    "lista-10/media_das_cabecas",
    assinatura="media_das_cabecas(A)",
    saida="array",
    referencia=_media_das_cabecas,
    casos=[
        caso(
            torch.tensor([[[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]], [[1, 0, 0], [0.75, 0.25, 0], [0, 0.5, 0.5]]]),
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(_pesos(np.random.default_rng(11), 3, 5, 5), rotulo="três cabeças, cinco tokens"),
        caso(_pesos(np.random.default_rng(12), 4, 2, 2, causal=False), rotulo="sem máscara"),
        caso(_pesos(np.random.default_rng(13), 1, 4, 4), rotulo="uma cabeça só"),
        caso(_fatia("camadas")[2], rotulo="quatro cabeças da camada 16 do SmolLM2"),
    ],
    ocultos=_ocultos_media,
    propriedades=["nao-negativa"],
)


@media_das_cabecas.equivoco(
    "media-das-colunas",
    "A média foi no último eixo: ficou um número por cabeça e por token. O eixo das cabeças é o primeiro.",
)
def _(A):
    return A.double().mean(dim=-1)


@media_das_cabecas.equivoco(
    "media-das-linhas",
    "A média foi no eixo 1, o dos tokens que olham: sobrou (h, T). O eixo das cabeças é o primeiro.",
)
def _(A):
    return A.double().mean(dim=1)


@media_das_cabecas.equivoco(
    "media-de-tudo",
    "Você tirou a média de tudo, e sobrou um número. Falta dizer o eixo: só o das cabeças some.",
)
def _(A):
    return A.double().mean()


@media_das_cabecas.equivoco(
    "soma-das-cabecas",
    "Isto é a soma das cabeças: cada linha soma h, e não 1. Divida pelo número de cabeças.",
)
def _(A):
    return A.double().sum(dim=0)


@media_das_cabecas.equivoco(
    "maximo-das-cabecas",
    "Isto é o maior peso entre as cabeças, casa por casa. A média é outra conta: some e divida.",
)
def _(A):
    return A.double().amax(dim=0)


@media_das_cabecas.equivoco(
    "so-a-primeira-cabeca",
    "Isto é a primeira cabeça, e não a média de todas.",
)
def _(A):
    return A.double()[0]


@media_das_cabecas.equivoco(
    "so-a-ultima-cabeca",
    "Isto é a última cabeça, e não a média de todas.",
)
def _(A):
    return A.double()[-1]


@media_das_cabecas.equivoco(
    "eixo-de-tamanho-1",
    "Os valores estão certos, mas sobrou um eixo de tamanho 1: a forma pedida é (T, T).",
)
def _(A):
    return A.double().mean(dim=0, keepdim=True)


@media_das_cabecas.equivoco(
    "divide-pelos-tokens",
    "Você dividiu a soma pelo número de tokens, T. Quem some na média são as cabeças: divida por elas.",
)
def _(A):
    return A.double().sum(dim=0) / A.shape[-1]


@media_das_cabecas.equivoco(
    "mediana",
    "Isto é a mediana das cabeças, e não a média.",
)
def _(A):
    return torch.quantile(A.double(), 0.5, dim=0)


@media_das_cabecas.equivoco(
    "transposta",
    "A média está certa, mas transposta: linha é quem olha, coluna é quem é olhado, como em A.",
)
def _(A):
    return A.double().mean(dim=0).T


@media_das_cabecas.equivoco(
    "sem-a-ultima",
    "Uma cabeça ficou de fora: a média é de todas, da primeira à última.",
)
def _(A):
    return A.double()[: max(1, len(A) - 1)].mean(dim=0)


@media_das_cabecas.equivoco(
    "media-de-duas-em-duas",
    "Você fez a média do acumulado com cada cabeça nova, duas a duas: a última fica com metade do peso. Some todas e "
    "divida uma vez, no fim.",
)
def _(A):
    media = A.double()[0]
    for cabeca in A[1:]:
        media = (media + cabeca) / 2
    return media


@media_das_cabecas.equivoco(
    "reshape-no-lugar-de-trocar-eixos",
    "O reshape não troca eixos: ele reparte os mesmos números em outra ordem, e as cabeças se misturaram. A média é no "
    "eixo 0, sem mexer na forma.",
)
def _(A):
    return A.double().reshape(A.shape[1], A.shape[2], -1).mean(dim=-1)


@media_das_cabecas.equivoco(
    "media-e-softmax",
    "Você passou a média por mais uma softmax. Cada linha de uma média de pesos já soma 1: não falta nada.",
)
def _(A):
    return torch.softmax(A.double().mean(dim=0), dim=-1)


@media_das_cabecas.equivoco("altera-a-entrada", "Sua função escreveu dentro de um argumento.")
def _(A):
    for cabeca in A[1:]:
        A[0] += cabeca
    return A[0] / len(A)


@media_das_cabecas.alternativa("mean-do-torch")
def _(A):
    return A.mean(0)


@media_das_cabecas.alternativa("soma-e-divide")
def _(A):
    total = torch.zeros_like(A[0])
    for cabeca in A:
        total = total + cabeca
    return total / A.shape[0]


@media_das_cabecas.alternativa("numpy")
def _(A):
    return np.mean(A.numpy(), axis=0)


@media_das_cabecas.alternativa("einsum")
def _(A):
    return torch.einsum("hts->ts", A) / A.size(0)


@media_das_cabecas.alternativa("pesos-iguais")
def _(A):
    h = len(A)
    return torch.tensordot(torch.full((h,), 1 / h, dtype=torch.float64), A.double(), dims=1)


@media_das_cabecas.alternativa("lista-por-compreensao")
def _(A):
    T = A.shape[1]
    return torch.tensor([[float(sum(A[:, t, s]) / len(A)) for s in range(T)] for t in range(T)])


# -------------------------------------------------------------------------------------- desligar


def _desligar(saidas, cabecas):
    novas = saidas.double()
    novas[list(cabecas)] = 0.0
    return novas


def _saidas(rng, h, T, d):
    return torch.tensor((rng.normal(size=(h, T, d)) + rng.choice([-1, 1])).round(2), dtype=torch.float32)


def _ocultos_desligar(rng):
    a, b, c = (int(i) for i in rng.choice(np.arange(1, 6), size=3, replace=False))
    return [
        caso(_saidas(rng, 7, 3, 4), [a, b]),
        caso(_saidas(rng, 6, 9, 8), [c]),
        caso(_saidas(rng, 7, 8, 9), [b, 0, c]),
        caso(_saidas(rng, 4, 2, 5), []),
        caso(_saidas(rng, 3, 5, 2), [2, 0, 1]),
        caso(_saidas(rng, 6, 7, 6), [a, a, c]),
    ]


desligar = questao(
    "lista-10/desligar",
    assinatura="desligar(saidas, cabecas)",
    saida="array",
    referencia=_desligar,
    casos=[
        caso(
            torch.tensor([[[1.0, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]),
            [1],
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(_saidas(np.random.default_rng(21), 4, 5, 6), [2, 0], rotulo="duas cabeças, fora de ordem"),
        caso(_fatia("saidas"), [1, 4], rotulo="cinco cabeças do SmolLM2, três tokens"),
        caso(_saidas(np.random.default_rng(22), 3, 4, 2), [], rotulo="nenhuma"),
        caso(_saidas(np.random.default_rng(23), 2, 3, 4), [0, 1], rotulo="todas"),
        caso(_saidas(np.random.default_rng(24), 5, 6, 7), [3, 3], rotulo="a mesma duas vezes"),
    ],
    ocultos=_ocultos_desligar,
)


@desligar.equivoco(
    "desliga-as-outras",
    "Você zerou as outras e deixou ligadas as da lista. É o contrário: as da lista vão a zero.",
)
def _(saidas, cabecas):
    novas = torch.zeros_like(saidas.double())
    novas[list(cabecas)] = saidas[list(cabecas)].double()
    return novas


@desligar.equivoco(
    "retira-as-cabecas",
    "Você retirou as cabeças: a forma mudou. O modelo espera as h cabeças no lugar; as desligadas ficam, com zeros.",
)
def _(saidas, cabecas):
    return torch.stack([saidas[i].double() for i in range(len(saidas)) if i not in cabecas] or [saidas[0] * 0.0])


@desligar.equivoco(
    "zera-os-tokens",
    "Você zerou posições (o segundo eixo), e não cabeças. As cabeças estão no primeiro eixo.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    novas[:, [i for i in cabecas if i < saidas.shape[1]]] = 0.0
    return novas


@desligar.equivoco(
    "zera-as-componentes",
    "Você zerou componentes (o último eixo), e não cabeças. As cabeças estão no primeiro eixo.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    novas[..., [i for i in cabecas if i < saidas.shape[2]]] = 0.0
    return novas


@desligar.equivoco(
    "conta-a-partir-de-um",
    "Você desligou as vizinhas: os índices da lista já contam a partir de 0.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    novas[[i - 1 for i in cabecas]] = 0.0
    return novas


@desligar.equivoco(
    "so-a-primeira-da-lista",
    "Só a primeira cabeça da lista foi desligada. Há um return dentro do laço, ou só se usa cabecas[0]?",
)
def _(saidas, cabecas):
    novas = saidas.double()
    for i in cabecas:
        novas[i] = 0.0
        break
    return novas


@desligar.equivoco(
    "compensa-as-outras",
    "As desligadas estão em zero, mas você aumentou as outras para compensar, como faz o dropout. Aqui as outras "
    "ficam como estavam.",
)
def _(saidas, cabecas):
    novas = _desligar(saidas, cabecas)
    ligadas = len(saidas) - len(set(cabecas))
    return novas * (len(saidas) / ligadas) if 0 < ligadas < len(saidas) else novas


@desligar.equivoco(
    "poe-a-media",
    "No lugar das desligadas você pôs a média das cabeças. É outra experiência (também boa); aqui se pede zero.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    novas[list(cabecas)] = saidas.double().mean(dim=0)
    return novas


@desligar.equivoco(
    "poe-menos-infinito",
    "Você pôs −inf nas desligadas. Isso se faz com pontuações, antes da softmax; a saída de uma cabeça desligada é "
    "zero.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    novas[list(cabecas)] = -math.inf
    return novas


@desligar.equivoco(
    "nada-muda",
    "Nada foi desligado: você devolveu uma cópia igual à entrada.",
)
def _(saidas, cabecas):
    return saidas.double()


@desligar.equivoco(
    "lista-vazia-desliga-tudo",
    "Com a lista vazia, você desligou todas as cabeças. Sem nenhuma na lista, a saída é igual à entrada.",
)
def _(saidas, cabecas):
    return _desligar(saidas, cabecas or range(len(saidas)))


@desligar.equivoco(
    "faixa-em-vez-de-lista",
    "Você desligou uma faixa inteira, da menor à maior cabeça da lista. Só as que estão nela se desligam.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    if cabecas:
        novas[min(cabecas) : max(cabecas) + 1] = 0.0
    return novas


@desligar.equivoco(
    "posicoes-da-lista",
    "Você desligou as primeiras cabeças, uma para cada item da lista. `range(len(cabecas))` dá as posições na lista; "
    "os números das cabeças estão dentro dela.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    novas[: len(cabecas)] = 0.0
    return novas


@desligar.equivoco(
    "so-a-ultima-da-lista",
    "Só a última cabeça da lista ficou desligada: cada volta do laço recomeça de uma cópia nova. Copie uma vez, antes "
    "dele.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    for i in cabecas:
        novas = saidas.double()
        novas[i] = 0.0
    return novas


@desligar.equivoco(
    "so-o-primeiro-token",
    "Só a primeira linha de cada cabeça da lista foi a zero. A cabeça inteira se cala: todos os tokens.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    for i in cabecas:
        novas[i, 0] = 0.0
    return novas


@desligar.equivoco(
    "so-a-primeira-componente",
    "Só a primeira componente de cada cabeça da lista foi a zero. A cabeça inteira se cala: as d componentes.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    for i in cabecas:
        novas[i, :, 0] = 0.0
    return novas


@desligar.equivoco(
    "lista-vazia-vira-float",
    "Com a lista vazia, torch.tensor([]) sai em ponto flutuante e não serve de índice. Use a própria lista, ou diga "
    "dtype=torch.long.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    novas[torch.tensor(cabecas)] = 0.0
    return novas


@desligar.equivoco(
    "liga-de-novo",
    "Uma cabeça que aparece duas vezes na lista voltou a ligar-se. Repetida ou não, ela fica em zero.",
)
def _(saidas, cabecas):
    novas = saidas.double()
    for i in cabecas:
        novas[i] = saidas[i].double() - novas[i]
    return novas


@desligar.equivoco("altera-a-entrada", "Sua função escreveu dentro de um argumento.")
def _(saidas, cabecas):
    saidas[cabecas] = 0.0
    return saidas


@desligar.alternativa("clone")
def _(saidas, cabecas):
    novas = saidas.clone()
    novas[cabecas] = 0
    return novas


@desligar.alternativa("multiplica-por-mascara")
def _(saidas, cabecas):
    ligada = torch.tensor([float(i not in cabecas) for i in range(len(saidas))])
    return saidas * ligada[:, None, None]


@desligar.alternativa("numpy")
def _(saidas, cabecas):
    novas = np.array(saidas)
    for i in cabecas:
        novas[i] = 0.0
    return novas


@desligar.alternativa("empilha")
def _(saidas, cabecas):
    return torch.stack([torch.zeros_like(s) if i in cabecas else s for i, s in enumerate(saidas)])


@desligar.alternativa("where-em-float64")
def _(saidas, cabecas):
    fora = torch.zeros(saidas.shape[0], dtype=torch.bool)
    fora[torch.tensor(cabecas, dtype=torch.long)] = True
    return torch.where(fora[:, None, None], 0.0, saidas.double())


@desligar.alternativa("index-fill")
def _(saidas, cabecas):
    return saidas.index_fill(0, torch.tensor(cabecas, dtype=torch.int64), 0.0)


# ---------------------------------------------------------------------- pontuacao_token_anterior


def _pontuacao_token_anterior(A):
    return float(torch.diagonal(A.double(), -1).mean())


def _ocultos_de_uma_cabeca(rng):
    """Causais e não causais; com dois tokens, nenhuma linha se pode pular."""
    T = int(rng.integers(7, 10))
    disputada = _pesos(rng, 5, 5, causal=False)
    disputada[2] = torch.tensor([0.4, 0.1, 0.2, 0.2, 0.1])  # o maior peso está no token 0, e não passa da metade
    return [
        caso(_pesos(rng, T, T)),
        caso(disputada),
        caso(_pesos(rng, 2, 2, causal=False)),
        caso(_pesos(rng, 6, 6, causal=False)),
        caso(_pesos(rng, T + 3, T + 3)),
        caso(_pesos(rng, 3, 3)),
    ]


_UMA_CABECA = torch.tensor([[1, 0, 0, 0], [0.75, 0.25, 0, 0], [0.125, 0.5, 0.375, 0], [0.25, 0.125, 0.375, 0.25]])

pontuacao_token_anterior = questao(
    "lista-10/pontuacao_token_anterior",
    assinatura="pontuacao_token_anterior(A)",
    saida="float",
    referencia=_pontuacao_token_anterior,
    casos=[
        caso(_UMA_CABECA, claro=True, rotulo="o exemplo do enunciado"),
        caso(_pesos(np.random.default_rng(31), 6, 6), rotulo="seis tokens, com máscara causal"),
        caso(_pesos(np.random.default_rng(32), 5, 5, causal=False), rotulo="sem máscara, como em um codificador"),
        caso(_fatia("anterior"), rotulo="a cabeça (16, 0) do SmolLM2"),
        caso(_fatia("sumidouro"), rotulo="a cabeça (16, 4) do SmolLM2"),
        caso(_pesos(np.random.default_rng(33), 2, 2, causal=False), rotulo="dois tokens"),
    ],
    ocultos=_ocultos_de_uma_cabeca,
    propriedades=["entre-0-e-1"],
)


@pontuacao_token_anterior.equivoco(
    "token-seguinte",
    "Você mediu o peso no token seguinte, A[t, t + 1]: é a diagonal de cima. A do anterior é a de baixo.",
)
def _(A):
    return float(torch.diagonal(A.double(), 1).mean())


@pontuacao_token_anterior.equivoco(
    "si-mesmo",
    "Você mediu a diagonal principal, o peso que cada token dá a si mesmo. A do token anterior é a de baixo.",
)
def _(A):
    return float(torch.diagonal(A.double()).mean())


@pontuacao_token_anterior.equivoco(
    "dois-atras",
    "Você andou duas casas para trás, A[t, t − 2]. O token anterior está a uma.",
)
def _(A):
    return float(torch.diagonal(A.double(), -2).sum() / max(1, len(A) - 2))


@pontuacao_token_anterior.equivoco(
    "divide-por-T",
    "A soma está certa, mas você a dividiu por T. O token 0 não tem anterior: são T − 1 parcelas.",
)
def _(A):
    return float(torch.diagonal(A.double(), -1).sum() / len(A))


@pontuacao_token_anterior.equivoco(
    "da-a-volta",
    "Com t = 0, o índice t − 1 é −1, e A[0, −1] é o último token: a conta deu a volta. Comece em t = 1.",
)
def _(A):
    A = A.double()
    return float(sum(A[t, t - 1] for t in range(len(A))) / len(A))


@pontuacao_token_anterior.equivoco(
    "soma-sem-media",
    "Isto é a soma dos pesos no token anterior. Falta dividir pela quantidade: é uma média.",
)
def _(A):
    return float(torch.diagonal(A.double(), -1).sum())


@pontuacao_token_anterior.equivoco(
    "o-maior-peso",
    "Você pegou o maior peso no token anterior, e não a média de todos.",
)
def _(A):
    return float(torch.diagonal(A.double(), -1).max())


@pontuacao_token_anterior.equivoco(
    "conta-as-linhas",
    "Você contou em que fração das linhas o maior peso está no token anterior. O que se pede é a média dos próprios "
    "pesos.",
)
def _(A):
    certas = A[1:].argmax(dim=1) == torch.arange(len(A) - 1)
    return float(certas.double().mean())


@pontuacao_token_anterior.equivoco(
    "pula-o-primeiro",
    "Você começou em t = 2. O token 1 também tem anterior, o 0: ele conta.",
)
def _(A):
    return float(torch.diagonal(A.double(), -1)[1:].sum() / max(1, len(A) - 2))


@pontuacao_token_anterior.equivoco(
    "so-o-token-1",
    "Você pegou só A[1, 0], o peso que o token 1 dá ao 0. A nota é a média de todos os tokens a partir dele.",
)
def _(A):
    return float(A[1, 0])


@pontuacao_token_anterior.equivoco(
    "return-no-laco",
    "Só o primeiro peso entrou na soma. Há um return dentro do laço?",
)
def _(A):
    return float(A[1, 0]) / (len(A) - 1)


@pontuacao_token_anterior.equivoco(
    "sem-a-ultima-linha",
    "O último token ficou de fora da soma. O t vai de 1 até T − 1, inclusive: range(1, T).",
)
def _(A):
    return float(torch.diagonal(A.double(), -1)[:-1].sum() / (len(A) - 1))


@pontuacao_token_anterior.equivoco(
    "sumidouro",
    "Você mediu a coluna 0, o peso no primeiro token: essa é a questão 5. O anterior de t está na coluna t − 1.",
)
def _(A):
    return float(A.double()[1:, 0].mean())


@pontuacao_token_anterior.equivoco(
    "todo-o-passado",
    "Você somou todo o passado de cada token. Só a casa t − 1 conta.",
)
def _(A):
    return float(torch.tril(A.double(), -1).sum() / (len(A) - 1))


@pontuacao_token_anterior.equivoco(
    "media-da-matriz",
    "Você pôs zero fora da diagonal e tirou a média da matriz inteira, T × T casas. Divida só pelas T − 1 que contam.",
)
def _(A):
    return float(torch.diagonal(A.double(), -1).sum() / A.numel())


@pontuacao_token_anterior.equivoco(
    "devolve-o-vetor",
    "Você devolveu um peso para cada token. Falta a média: o resultado é um número só.",
)
def _(A):
    return torch.diagonal(A.double(), -1)


@pontuacao_token_anterior.alternativa("diagonal-float32")
def _(A):
    return A.diagonal(-1).mean().item()


@pontuacao_token_anterior.alternativa("laco")
def _(A):
    soma = 0.0
    for t in range(1, len(A)):
        soma += float(A[t, t - 1])
    return soma / (len(A) - 1)


@pontuacao_token_anterior.alternativa("indices")
def _(A):
    t = torch.arange(1, A.shape[0])
    return A[t, t - 1].mean()


@pontuacao_token_anterior.alternativa("traco")
def _(A):
    return torch.trace(A[1:, :-1]) / (A.shape[0] - 1)


@pontuacao_token_anterior.alternativa("numpy")
def _(A):
    return np.mean(np.diag(A.numpy(), k=-1))


# --------------------------------------------------------------------------- pontuacao_sumidouro


def _pontuacao_sumidouro(A):
    return float(A.double()[1:, 0].mean())


pontuacao_sumidouro = questao(
    "lista-10/pontuacao_sumidouro",
    assinatura="pontuacao_sumidouro(A)",
    saida="float",
    referencia=_pontuacao_sumidouro,
    casos=[
        caso(_UMA_CABECA, claro=True, rotulo="o exemplo do enunciado"),
        caso(_pesos(np.random.default_rng(41), 6, 6), rotulo="seis tokens, com máscara causal"),
        caso(_pesos(np.random.default_rng(42), 5, 5, causal=False), rotulo="sem máscara, como em um codificador"),
        caso(_fatia("sumidouro"), rotulo="a cabeça (16, 4) do SmolLM2"),
        caso(_fatia("anterior"), rotulo="a cabeça (16, 0) do SmolLM2"),
        caso(_pesos(np.random.default_rng(43), 2, 2, causal=False), rotulo="dois tokens"),
    ],
    ocultos=_ocultos_de_uma_cabeca,
    propriedades=["entre-0-e-1"],
)


@pontuacao_sumidouro.equivoco(
    "conta-o-token-0",
    "Você contou também A[0, 0]. Com máscara, o token 0 só pode olhar para si mesmo: o peso dele é sempre 1 e infla "
    "a média. Comece em t = 1.",
)
def _(A):
    return float(A.double()[:, 0].mean())


@pontuacao_sumidouro.equivoco(
    "linha-em-vez-de-coluna",
    "Você mediu a linha 0: para onde o primeiro token olha. O sumidouro é a coluna 0: quem olha para o primeiro token.",
)
def _(A):
    return float(A.double()[0, 1:].mean())


@pontuacao_sumidouro.equivoco(
    "linha-0-inteira",
    "Sua média é sempre 1/T: é a de linhas inteiras, que somam 1. O sumidouro é a coluna 0, sem a primeira casa.",
)
def _(A):
    return float(A.double()[0].mean())


@pontuacao_sumidouro.equivoco(
    "ultima-coluna",
    "Você mediu a última coluna. O sumidouro é o primeiro token, a coluna 0.",
)
def _(A):
    return float(A.double()[1:, -1].mean())


@pontuacao_sumidouro.equivoco(
    "segunda-coluna",
    "Você mediu a coluna 1. O primeiro token é a coluna 0.",
)
def _(A):
    return float(A.double()[1:, 1].mean())


@pontuacao_sumidouro.equivoco(
    "divide-por-T",
    "A soma está certa, mas você a dividiu por T. Sem o token 0, são T − 1 parcelas.",
)
def _(A):
    return float(A.double()[1:, 0].sum() / len(A))


@pontuacao_sumidouro.equivoco(
    "soma-sem-media",
    "Isto é a soma da coluna 0 a partir de t = 1. Falta dividir pela quantidade: é uma média.",
)
def _(A):
    return float(A.double()[1:, 0].sum())


@pontuacao_sumidouro.equivoco(
    "o-maior-peso",
    "Você pegou o maior peso da coluna 0, e não a média deles.",
)
def _(A):
    return float(A.double()[1:, 0].max())


@pontuacao_sumidouro.equivoco(
    "so-o-token-1",
    "Você pegou só A[1, 0], o peso que o token 1 dá ao 0. A nota é a média de todos os tokens a partir dele.",
)
def _(A):
    return float(A[1, 0])


@pontuacao_sumidouro.equivoco(
    "fracao-acima-da-metade",
    "Você contou em que fração das linhas o peso no token 0 passa de 0,5. O que se pede é a média dos próprios pesos.",
)
def _(A):
    return float((A.double()[1:, 0] > 0.5).double().mean())


@pontuacao_sumidouro.equivoco(
    "fracao-das-linhas",
    "Você contou em que fração das linhas o maior peso está no token 0. O que se pede é a média dos próprios pesos.",
)
def _(A):
    return float((A[1:].argmax(dim=1) == 0).double().mean())


@pontuacao_sumidouro.equivoco(
    "comeca-em-2",
    "Você começou em t = 2. O token 1 também conta: são as linhas de 1 até o fim.",
)
def _(A):
    return float(A.double()[2:, 0].sum() / max(1, len(A) - 2))


@pontuacao_sumidouro.equivoco(
    "token-anterior",
    "Isto é a pontuação de token anterior. No sumidouro a coluna não muda: é sempre a 0.",
)
def _(A):
    return float(torch.diagonal(A.double(), -1).mean())


@pontuacao_sumidouro.equivoco(
    "sem-a-ultima-linha",
    "A última linha ficou de fora. São as linhas de t = 1 até T − 1, inclusive.",
)
def _(A):
    return float(A.double()[1:-1, 0].sum() / max(1, len(A) - 2))


@pontuacao_sumidouro.equivoco(
    "devolve-a-coluna",
    "Você devolveu a coluna inteira. Falta a média: o resultado é um número só.",
)
def _(A):
    return A.double()[1:, 0]


@pontuacao_sumidouro.alternativa("float32")
def _(A):
    return A[1:, 0].mean().item()


@pontuacao_sumidouro.alternativa("laco")
def _(A):
    pesos = [float(linha[0]) for linha in A[1:]]
    return sum(pesos) / len(pesos)


@pontuacao_sumidouro.alternativa("desconta-a-primeira")
def _(A):
    return (A[:, 0].sum() - A[0, 0]) / (A.shape[0] - 1)


@pontuacao_sumidouro.alternativa("transposta")
def _(A):
    return A.T[0][1:].mean()


@pontuacao_sumidouro.alternativa("numpy")
def _(A):
    return np.average(np.asarray(A)[1:, 0])


# ----------------------------------------------------------------------------- pontuacao_inducao


def _pontuacao_inducao(A, n):
    t = torch.arange(n, 2 * n)
    return float(A.double()[t, t - n + 1].mean())


def _ocultos_inducao(rng):
    n = int(rng.integers(4, 7))
    return [
        caso(_pesos(rng, 2 * n, 2 * n), n),
        caso(_pesos(rng, 9, 9, causal=False), 3),
        caso(_pesos(rng, 13, 13), 4),
        caso(_pesos(rng, 10, 10, causal=False), 5),
        caso(_pesos(rng, 4, 4, causal=False), 2),
        caso(_pesos(rng, 7, 7), 2),
    ]


_DUAS_COPIAS = torch.tensor(
    [
        [1, 0, 0, 0, 0, 0],
        [0.5, 0.5, 0, 0, 0, 0],
        [0.25, 0.5, 0.25, 0, 0, 0],
        [0.125, 0.75, 0, 0.125, 0, 0],
        [0, 0.25, 0.5, 0.125, 0.125, 0],
        [0.25, 0, 0.125, 0.25, 0.25, 0.125],
    ]
)

pontuacao_inducao = questao(
    "lista-10/pontuacao_inducao",
    assinatura="pontuacao_inducao(A, n)",
    saida="float",
    referencia=_pontuacao_inducao,
    casos=[
        caso(_DUAS_COPIAS, 3, claro=True, rotulo="o exemplo do enunciado"),
        caso(_pesos(np.random.default_rng(51), 8, 8), 4, rotulo="quatro tokens, duas vezes"),
        caso(_fatia("inducao"), 5, rotulo="a cabeça (18, 6) do SmolLM2"),
        caso(_pesos(np.random.default_rng(52), 9, 9), 3, rotulo="há três tokens depois da segunda cópia"),
        caso(_pesos(np.random.default_rng(53), 4, 4, causal=False), 2, rotulo="n = 2, sem máscara"),
        caso(_pesos(np.random.default_rng(54), 11, 11, causal=False), 4, rotulo="n = 4, T = 11, sem máscara"),
    ],
    ocultos=_ocultos_inducao,
    propriedades=["entre-0-e-1"],
)


def _media_em(A, linhas, desvio):
    """A média de A[t, t − desvio] nas linhas dadas; os índices negativos dão a volta, como no Python."""
    A = A.double()
    return float(sum(A[t, t - desvio] for t in linhas) / len(linhas))


@pontuacao_inducao.equivoco(
    "o-proprio-token",
    "Você mediu A[t, t − n]: a mesma palavra na primeira cópia. A cabeça de indução olha para a que veio DEPOIS "
    "dela, uma casa à direita.",
)
def _(A, n):
    return _media_em(A, range(n, 2 * n), n)


@pontuacao_inducao.equivoco(
    "uma-casa-antes",
    "Você mediu A[t, t − n − 1]: a palavra que veio antes. O sinal do 1 está trocado: é t − n + 1.",
)
def _(A, n):
    return _media_em(A, range(n, 2 * n), n + 1)


@pontuacao_inducao.equivoco(
    "uma-casa-depois",
    "Você mediu A[t, t − n + 2], uma casa além. Na posição t, o token igual está em t − n, e o seguinte em t − n + 1.",
)
def _(A, n):
    return _media_em(A, range(n, 2 * n), n - 2)


@pontuacao_inducao.equivoco(
    "comeca-uma-linha-antes",
    "Você incluiu t = n − 1, a última linha da primeira cópia. A segunda cópia começa em t = n.",
)
def _(A, n):
    return _media_em(A, range(n - 1, 2 * n), n - 1)


@pontuacao_inducao.equivoco(
    "comeca-uma-linha-depois",
    "Você pulou t = n. O primeiro token da segunda cópia também conta: ele já pode achar o seu igual.",
)
def _(A, n):
    return _media_em(A, range(n + 1, 2 * n), n - 1)


@pontuacao_inducao.equivoco(
    "pula-a-ultima-linha",
    "Faltou a última linha: t vai de n até 2n − 1, inclusive.",
)
def _(A, n):
    return _media_em(A, range(n, 2 * n - 1), n - 1)


@pontuacao_inducao.equivoco(
    "vai-ate-o-fim",
    "Você foi até a última linha de A. Pode haver tokens depois da segunda cópia, e eles não contam: pare em 2n − 1.",
)
def _(A, n):
    return _media_em(A, range(n, len(A)), n - 1)


@pontuacao_inducao.equivoco(
    "a-diagonal-inteira",
    "Você usou a diagonal inteira, que começa na primeira cópia e vai até o fim. Só contam as linhas de n a 2n − 1.",
)
def _(A, n):
    return float(torch.diagonal(A.double(), -(n - 1)).mean())


@pontuacao_inducao.equivoco(
    "uma-linha-antes",
    "São n casas da diagonal certa, mas começam na linha n − 1, que é da primeira cópia. As linhas vão de n a 2n − 1.",
)
def _(A, n):
    return _media_em(A, range(n - 1, 2 * n - 1), n - 1)


@pontuacao_inducao.equivoco(
    "as-ultimas-n-linhas",
    "Você mediu as últimas n linhas de A. Pode haver tokens depois da segunda cópia: ela vai de n a 2n − 1.",
)
def _(A, n):
    return _media_em(A, range(len(A) - n, len(A)), n - 1)


@pontuacao_inducao.equivoco(
    "o-bloco-inteiro",
    "Você fez a média do bloco inteiro, de todas as linhas com todas as colunas. Só conta uma casa de cada linha: a "
    "coluna t − n + 1.",
)
def _(A, n):
    return float(A.double()[n : 2 * n, 1 : n + 1].mean())


@pontuacao_inducao.equivoco(
    "divide-por-T",
    "A soma está certa, mas você a dividiu por T. São n parcelas, uma para cada token da segunda cópia.",
)
def _(A, n):
    return _pontuacao_inducao(A, n) * n / len(A)


@pontuacao_inducao.equivoco(
    "soma-sem-media",
    "Isto é a soma. Falta dividir por n: é uma média.",
)
def _(A, n):
    return _pontuacao_inducao(A, n) * n


@pontuacao_inducao.equivoco(
    "linha-e-coluna-trocadas",
    "Linha e coluna estão trocadas: você mediu A[t − n + 1, t], o que a primeira cópia dá à segunda. Quem olha é a "
    "linha.",
)
def _(A, n):
    return _pontuacao_inducao(A.T, n)


@pontuacao_inducao.equivoco(
    "primeira-copia",
    "Você percorreu a primeira cópia (t de 0 a n − 1); os índices negativos deram a volta sem avisar. A segunda vai "
    "de n a 2n − 1.",
)
def _(A, n):
    return _media_em(A, range(n), n - 1)


@pontuacao_inducao.equivoco(
    "metade-de-T",
    "Você usou a metade de T no lugar de n. São iguais quando não há nada depois da segunda cópia, e só então.",
)
def _(A, n):
    return _pontuacao_inducao(A, len(A) // 2)


@pontuacao_inducao.equivoco(
    "o-maior-peso",
    "Você pegou o maior peso, e não a média deles.",
)
def _(A, n):
    t = torch.arange(n, 2 * n)
    return float(A.double()[t, t - n + 1].max())


@pontuacao_inducao.equivoco(
    "token-anterior",
    "Isto é a pontuação de token anterior, A[t, t − 1]. A indução salta para a primeira cópia: A[t, t − n + 1].",
)
def _(A, n):
    return _media_em(A, range(n, 2 * n), 1) if n != 2 else float(torch.diagonal(A.double(), -1).mean())


@pontuacao_inducao.equivoco(
    "devolve-o-vetor",
    "Você devolveu um peso para cada token. Falta a média: o resultado é um número só.",
)
def _(A, n):
    t = torch.arange(n, 2 * n)
    return A.double()[t, t - n + 1]


@pontuacao_inducao.alternativa("indices-float32")
def _(A, n):
    t = torch.arange(n, 2 * n)
    return A[t, t - n + 1].mean().item()


@pontuacao_inducao.alternativa("laco")
def _(A, n):
    soma = 0.0
    for t in range(n, 2 * n):
        soma += A[t, t - n + 1].item()
    return soma / n


@pontuacao_inducao.alternativa("diagonal-cortada")
def _(A, n):
    return A.diagonal(1 - n)[1 : n + 1].mean()


@pontuacao_inducao.alternativa("bloco")
def _(A, n):
    return torch.trace(A[n : 2 * n, 1 : n + 1]) / n


@pontuacao_inducao.alternativa("numpy")
def _(A, n):
    return np.asarray(A)[np.arange(n, 2 * n), np.arange(1, n + 1)].mean()


# ------------------------------------------------------------------------- cabecas_por_pontuacao


def _cabecas_por_pontuacao(As, f, k):
    notas = [(camada, cabeca, f(As[camada, cabeca])) for camada in range(As.shape[0]) for cabeca in range(As.shape[1])]
    return sorted(notas, key=lambda nota: -nota[2])[:k]


def _com_empates(rng, L, H, T, pares=2):
    """Pesos (L, H, T, T) em que algumas cabeças são cópias exatas de outras, em camadas diferentes e na mesma."""
    As = _pesos(rng, L, H, T, T, causal=False)
    As[L - 1, 0] = As[0, H - 1]
    As[1, H - 1] = As[1, 0]
    if pares > 2:
        As[0, 0] = As[L - 1, 1]
    return As


def _caso_de_ranking(sortear, k, **nota):
    """Um caso sem quase empates: notas que só diferem em float64 empatariam para quem as guarda em float32."""
    f = pontuacao(**nota)
    for _ in range(100):
        As = sortear()
        saltos = np.diff(np.sort([f(A) for A in As.flatten(0, 1)]))
        if not ((saltos > 0) & (saltos < 1e-5)).any():
            return caso(As, funcao("lista_10.pontuacao", **nota), k)
    raise RuntimeError("nenhum sorteio serviu: mude os tamanhos do caso")


def _ocultos_ranking(rng):
    i, j = (int(n) for n in rng.integers(0, 4, size=2))
    tipo = str(rng.choice(["casa", "coluna"]))
    return [
        _caso_de_ranking(lambda: _com_empates(rng, 3, 4, 5), 12, tipo=tipo, i=i, j=j),
        _caso_de_ranking(lambda: _com_empates(rng, 4, 3, 4, 3), 12, tipo="menos entropia"),
        _caso_de_ranking(lambda: _pesos(rng, 4, 2, 6, 6), 3, tipo="anterior"),
        _caso_de_ranking(lambda: _com_empates(rng, 2, 5, 4), 10, tipo="maximo", i=i),
        # mais de 16 cabeças: com menos, muitas ordenações instáveis conservam os empates por sorte
        _caso_de_ranking(lambda: _pesos(rng, 7, 3, 6, 6, causal=False), 13, tipo="linhas no anterior"),
        _caso_de_ranking(lambda: _pesos(rng, 3, 2, 4, 4), 1, tipo="coluna", i=j),
        _caso_de_ranking(lambda: _pesos(rng, 3, 3, 4, 4, causal=False), 5, tipo="casa", i=j, j=i),
    ]


_AS_EXEMPLO = torch.tensor(
    [
        [[[1, 0], [0.25, 0.75]], [[1, 0], [0.875, 0.125]], [[1, 0], [0.5, 0.5]]],
        [[[1, 0], [0.5, 0.5]], [[1, 0], [0.125, 0.875]], [[1, 0], [0.625, 0.375]]],
    ]
)

cabecas_por_pontuacao = questao(
    "lista-10/cabecas_por_pontuacao",
    assinatura="cabecas_por_pontuacao(As, f, k)",
    saida=[("formato", "texto"), ("índices", "array"), ("valores", "array")],
    referencia=_cabecas_por_pontuacao,
    casos=[
        caso(
            _AS_EXEMPLO,
            funcao("lista_10.pontuacao", tipo="anterior"),
            4,
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(
            _fatia("camadas"),
            funcao("lista_10.pontuacao", tipo="anterior"),
            3,
            rotulo="três camadas e quatro cabeças do SmolLM2",
        ),
        caso(
            _com_empates(np.random.default_rng(61), 3, 4, 3),
            funcao("lista_10.pontuacao", tipo="coluna", i=1),
            12,
            rotulo="há empates",
        ),
        caso(
            _com_empates(np.random.default_rng(62), 3, 2, 4, 3),
            funcao("lista_10.pontuacao", tipo="menos entropia"),
            6,
            rotulo="valores negativos",
        ),
        caso(
            _pesos(np.random.default_rng(63), 5, 4, 5, 5, causal=False),
            funcao("lista_10.pontuacao", tipo="linhas no anterior"),
            14,
            rotulo="vinte cabeças, muitos empates",
        ),
        caso(
            _pesos(np.random.default_rng(64), 4, 2, 3, 3),
            funcao("lista_10.pontuacao", tipo="casa", i=2, j=1),
            1,
            rotulo="só a melhor",
        ),
    ],
    ocultos=_ocultos_ranking,
    adaptador="lista_10.cabecas_por_pontuacao",
)


def _todas(As, f):
    return [(c, h, f(As[c, h])) for c in range(As.shape[0]) for h in range(As.shape[1])]


@cabecas_por_pontuacao.equivoco(
    "ordem-crescente",
    "A lista está da menor para a maior. Queremos as de maior pontuação primeiro.",
)
def _(As, f, k):
    return sorted(_todas(As, f), key=lambda nota: nota[2])[:k]


@cabecas_por_pontuacao.equivoco(
    "as-maiores-em-ordem-crescente",
    "São as cabeças certas, mas da menor para a maior. A de maior pontuação vem primeiro.",
)
def _(As, f, k):
    return _cabecas_por_pontuacao(As, f, k)[::-1]


@cabecas_por_pontuacao.equivoco(
    "empate-ao-contrario",
    "Nos empates, a de índice maior veio primeiro; vem antes a menor camada e, nela, a menor cabeça. Costuma ser "
    "efeito de inverter tudo (reverse=True em uma tupla inteira, ou [::-1]) ou de uma ordenação que não conserva os "
    'empates (topk; np.argsort sem kind="stable").',
)
def _(As, f, k):
    return sorted(_todas(As, f), key=lambda nota: (nota[2], nota[0], nota[1]), reverse=True)[:k]


@cabecas_por_pontuacao.equivoco(
    "empate-so-pela-cabeca",
    "Nos empates, parece que você olhou primeiro para a cabeça. Vem antes a menor camada; a cabeça só decide dentro da "
    "mesma camada.",
)
def _(As, f, k):
    return sorted(_todas(As, f), key=lambda nota: (-nota[2], nota[1], nota[0]))[:k]


@cabecas_por_pontuacao.equivoco(
    "perde-os-empates",
    "Cabeças com a mesma pontuação sumiram. Você usou a pontuação como chave de um dicionário? Chaves iguais se "
    "sobrescrevem.",
)
def _(As, f, k):
    por_nota = {}
    for c, h, nota in _todas(As, f):
        por_nota[nota] = (c, h)
    return [(*por_nota[nota], nota) for nota in sorted(por_nota, reverse=True)[:k]]


@cabecas_por_pontuacao.equivoco(
    "todas-as-cabecas",
    "Você devolveu todas as cabeças. São só as k primeiras.",
)
def _(As, f, k):
    return sorted(_todas(As, f), key=lambda nota: -nota[2])


@cabecas_por_pontuacao.equivoco(
    "corta-antes-de-ordenar",
    "Você ficou com as k primeiras cabeças antes de ordenar. Ordene todas, e só depois corte.",
)
def _(As, f, k):
    return sorted(_todas(As, f)[:k], key=lambda nota: -nota[2])


@cabecas_por_pontuacao.equivoco(
    "cabeca-antes-da-camada",
    "A tripla está com a cabeça antes da camada. A ordem é (camada, cabeca, valor).",
)
def _(As, f, k):
    return [(h, c, nota) for c, h, nota in _cabecas_por_pontuacao(As, f, k)]


@cabecas_por_pontuacao.equivoco(
    "valor-na-frente",
    "A pontuação veio na frente da tripla. A ordem é (camada, cabeca, valor).",
)
def _(As, f, k):
    return [(nota, c, h) for c, h, nota in _cabecas_por_pontuacao(As, f, k)]


@cabecas_por_pontuacao.equivoco(
    "conta-a-partir-de-um",
    "As cabeças são as certas, mas seus índices começam em 1. Como no resto do curso, conte a partir de 0.",
)
def _(As, f, k):
    return [(c + 1, h + 1, nota) for c, h, nota in _cabecas_por_pontuacao(As, f, k)]


@cabecas_por_pontuacao.equivoco(
    "sem-o-valor",
    "Vieram pares (camada, cabeca), sem a pontuação. Cada item é uma tripla (camada, cabeca, valor).",
)
def _(As, f, k):
    return [(c, h) for c, h, _ in _cabecas_por_pontuacao(As, f, k)]


@cabecas_por_pontuacao.equivoco(
    "par-dentro-do-par",
    "Cada item veio como ((camada, cabeca), valor), um par dentro do outro. Desfaça o par de dentro: (camada, "
    "cabeca, valor).",
)
def _(As, f, k):
    return [((c, h), nota) for c, h, nota in _cabecas_por_pontuacao(As, f, k)]


@cabecas_por_pontuacao.equivoco(
    "pelo-modulo",
    "Você ordenou pelo módulo. Uma pontuação pode ser negativa, e −0,2 é maior que −3.",
)
def _(As, f, k):
    return sorted(_todas(As, f), key=lambda nota: -abs(nota[2]))[:k]


@cabecas_por_pontuacao.equivoco(
    "k-por-camada",
    "Vieram k cabeças de cada camada. São k no total, as melhores do modelo inteiro.",
)
def _(As, f, k):
    escolhidas = []
    for c in range(As.shape[0]):
        escolhidas += sorted([(c, h, f(As[c, h])) for h in range(As.shape[1])], key=lambda nota: -nota[2])[:k]
    return sorted(escolhidas, key=lambda nota: -nota[2])


@cabecas_por_pontuacao.equivoco(
    "indice-corrido",
    "Você usou um índice corrido, de 0 a L·H − 1, e fez a divisão pelo número de camadas. Quem divide é o número de "
    "cabeças de cada camada: camada = i // H e cabeca = i % H.",
)
def _(As, f, k):
    L, H = As.shape[:2]
    notas = [f(A) for A in As.flatten(0, 1)]
    melhores = sorted(range(L * H), key=lambda i: -notas[i])[:k]
    return [(i // L, i % L, notas[i]) for i in melhores]


@cabecas_por_pontuacao.equivoco(
    "cabecas-transpostas",
    "A pontuação foi medida na transposta de cada cabeça. Passe a f a matriz como ela está: linha é quem olha.",
)
def _(As, f, k):
    return _cabecas_por_pontuacao(As.transpose(-1, -2), f, k)


@cabecas_por_pontuacao.equivoco(
    "a-media-da-camada",
    "Todas as cabeças de uma camada vieram com a mesma pontuação: a da média delas. Dê nota a cada cabeça, "
    "As[camada, cabeca].",
)
def _(As, f, k):
    L, H = As.shape[:2]
    notas = [(c, h, f(As[c].double().mean(dim=0))) for c in range(L) for h in range(H)]
    return sorted(notas, key=lambda nota: -nota[2])[:k]


@cabecas_por_pontuacao.equivoco(
    "f-na-camada-inteira",
    "Você passou a f a camada inteira, As[camada], com todas as cabeças. Ela dá nota a uma cabeça só, (T, T).",
)
def _(As, f, k):
    return sorted([(c, 0, f(As[c])) for c in range(As.shape[0])], key=lambda nota: -nota[2])[:k]


@cabecas_por_pontuacao.equivoco(
    "sort-devolve-none",
    "Veio None: falta um return, ou você devolveu o de `lista.sort(...)`, que ordena no lugar e não devolve nada (quem "
    "devolve a lista é sorted).",
)
def _(As, f, k):
    return _todas(As, f).sort(key=lambda nota: -nota[2])


@cabecas_por_pontuacao.equivoco(
    "index-acha-o-primeiro",
    "A mesma cabeça apareceu mais de uma vez: `notas.index(valor)` acha sempre a primeira com aquela nota. Ordene as "
    "triplas inteiras, com os índices junto.",
)
def _(As, f, k):
    notas = [nota for _, _, nota in _todas(As, f)]
    H = As.shape[1]
    return [(notas.index(n) // H, notas.index(n) % H, n) for n in sorted(notas, reverse=True)[:k]]


@cabecas_por_pontuacao.equivoco(
    "primeira-camada",
    "Só as cabeças da primeira camada concorreram. Percorra todas as camadas.",
)
def _(As, f, k):
    return sorted([(0, h, f(As[0, h])) for h in range(As.shape[1])], key=lambda nota: -nota[2])[:k]


@cabecas_por_pontuacao.equivoco(
    "uma-por-camada",
    "Veio só a melhor cabeça de cada camada. São as k melhores do modelo inteiro: uma camada pode ter várias.",
)
def _(As, f, k):
    melhores = []
    for c in range(As.shape[0]):
        notas = [f(A) for A in As[c]]
        melhores.append((c, notas.index(max(notas)), max(notas)))
    return sorted(melhores, key=lambda nota: -nota[2])[:k]


@cabecas_por_pontuacao.equivoco(
    "so-positivas",
    "As cabeças de nota negativa ficaram de fora: você começou o máximo em 0, ou só guardou notas positivas. Notas "
    "negativas também concorrem.",
)
def _(As, f, k):
    return sorted([nota for nota in _todas(As, f) if nota[2] > 0], key=lambda nota: -nota[2])[:k]


@cabecas_por_pontuacao.equivoco(
    "ultima-camada",
    "Só as cabeças da última camada concorreram. Percorra todas as camadas.",
)
def _(As, f, k):
    c = As.shape[0] - 1
    return sorted([(c, h, f(As[c, h])) for h in range(As.shape[1])], key=lambda nota: -nota[2])[:k]


@cabecas_por_pontuacao.alternativa("laco-e-sort")
def _(As, f, k):
    notas = []
    L, H, T, _ = As.shape
    for camada in range(L):
        for cabeca in range(H):
            notas.append((camada, cabeca, float(f(As[camada, cabeca]))))
    notas.sort(key=lambda n: (-n[2], n[0], n[1]))
    return notas[:k]


@cabecas_por_pontuacao.alternativa("reverse-estavel")
def _(As, f, k):
    notas = [(i, j, f(A)) for i, camada in enumerate(As) for j, A in enumerate(camada)]
    return sorted(notas, key=lambda n: n[2], reverse=True)[:k]


@cabecas_por_pontuacao.alternativa("argsort-do-numpy")
def _(As, f, k):
    L, H = As.shape[:2]
    notas = np.array([[f(As[c, h].numpy()) for h in range(H)] for c in range(L)])
    ordem = np.argsort(-notas.ravel(), kind="stable")[:k]
    return [(i // H, i % H, notas.ravel()[i]) for i in ordem]


@cabecas_por_pontuacao.alternativa("tabela-float32-argsort-estavel")
def _(As, f, k):
    L, H = As.shape[:2]
    notas = torch.zeros(L, H)  # em float32: as notas perdem casas, e a ordem não muda
    for c in range(L):
        for h in range(H):
            notas[c, h] = f(As[c, h])
    ordem = torch.argsort(notas.flatten(), descending=True, stable=True)[:k]
    return [(int(i) // H, int(i) % H, notas.flatten()[i].item()) for i in ordem]


@cabecas_por_pontuacao.alternativa("heapq")
def _(As, f, k):
    notas = (([c, h], f(As[c][h])) for c in range(len(As)) for h in range(len(As[c])))
    return [[c, h, nota] for (c, h), nota in heapq.nlargest(k, notas, key=lambda par: par[1])]


@cabecas_por_pontuacao.alternativa("sort-estavel-do-torch")
def _(As, f, k):
    H = As.shape[1]
    notas = torch.tensor([f(A) for A in As.reshape(-1, *As.shape[2:])], dtype=torch.float64)
    valores, ordem = torch.sort(notas, descending=True, stable=True)
    return [(i // H, i % H, v) for i, v in zip(ordem[:k], valores[:k], strict=True)]


@cabecas_por_pontuacao.alternativa("escolhe-uma-de-cada-vez")
def _(As, f, k):
    restam = {(c, h): f(As[c, h]) for c in range(As.shape[0]) for h in range(As.shape[1])}
    escolhidas = []
    for _ in range(k):
        melhor = max(restam, key=restam.get)
        escolhidas.append((*melhor, restam.pop(melhor)))
    return escolhidas
