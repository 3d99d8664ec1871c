"""A questão `atencao` da lista 10."""

import math

import numpy as np
import torch
import torch.nn.functional as F  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao


def _pontuacoes(q, k):
    return q.double() @ k.double().transpose(-2, -1) / math.sqrt(q.shape[-1])  # (h, T, T)


def atencao(q, k, v, mascara):
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


def sortear_qkv(rng, h, T, d, casas=2):
    return tuple(torch.tensor(rng.normal(size=(h, T, d)).round(casas), dtype=torch.float32) for _ in range(3))


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


def sortear_mascara(rng, T):
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
DE_VERDADE = "pontuações grandes e SmolLM2"

FRASES = [  # as que a correção sorteia
    "Ele gosta de comer manga",
    "The opposite of hot is",
    "O rato roeu a roupa do",
    "Two plus two is equal to",
    "Amor é um fogo que",
    "The sun rises in the",
]


def ocultos(rng):
    T = int(rng.integers(5, 8))
    return [
        caso(*sortear_qkv(rng, 3, T, 8), causal(T)),
        caso(*sortear_qkv(rng, 2, 4, 5), sortear_mascara(rng, 4)),
        caso(*sortear_qkv(rng, 4, T + 1, 3), sortear_mascara(rng, T + 1)),
        caso(*sortear_qkv(rng, 5, 3, 2), torch.zeros(3, 3, dtype=torch.bool)),
        caso(*_grandes(rng, 3, 5), parte=DE_VERDADE),
        caso(*sortear_qkv(rng, 1, 2, 6), causal(2)),
        caso(FRASES[rng.integers(len(FRASES))], parte=DE_VERDADE),
    ]


q = questao(
    "lista-10/atencao",
    assinatura="atencao(q, k, v, mascara)",
    saida=[("saida", "array"), ("pesos", "array")],
    ordem=["pesos", "saida"],
    referencia=atencao,
    casos=[
        caso(_Q_EXEMPLO, _K_EXEMPLO, _V_EXEMPLO, causal(3), claro=True, rotulo="o exemplo do enunciado"),
        caso(*sortear_qkv(np.random.default_rng(1), 3, 5, 2), causal(5), rotulo="três cabeças, máscara causal"),
        caso(
            *sortear_qkv(np.random.default_rng(2), 2, 4, 6),
            sortear_mascara(np.random.default_rng(2), 4),
            rotulo="outra máscara",
        ),
        caso(
            *sortear_qkv(np.random.default_rng(3), 4, 3, 5),
            torch.zeros(3, 3, dtype=torch.bool),
            rotulo="nada escondido",
        ),
        caso(*_grandes(np.random.default_rng(4), 2, 5), rotulo="pontuações de até ±1026", parte=DE_VERDADE),
        caso(*sortear_qkv(np.random.default_rng(5), 1, 2, 3), causal(2), rotulo="uma cabeça, dois tokens"),
        caso(FRASE, rotulo="dentro do SmolLM2", parte=DE_VERDADE),
    ],
    ocultos=ocultos,
    propriedades=["pesos: linhas-somam-1", "pesos: nao-negativa"],
    rtol=1e-3,
    atol=1e-4,
    adaptador="lista_10.atencao",
    partes={"tensores pequenos": 0.75, DE_VERDADE: 0.25},
)


@q.equivoco
def sem_escala(q, k, v, mascara):
    """Faltou dividir as pontuações por √d_h. No SmolLM2, d_h é 64 e elas ficam oito vezes maiores: cada cabeça olha
    quase só para um token, e depois de “The capital of France is” ele escreve “ the”, e não “ Paris”."""
    S = q.double() @ k.double().transpose(-2, -1)
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


q.equivocos_curtos("""
sem-mascara: .masked_fill(mascara, -math.inf) →
    A máscara não teve efeito: há peso onde ela é True (masked_fill devolve outro tensor: guarde-o). Dentro do SmolLM2,
    cada token vê os que ainda nem foram escritos, e depois de “The capital of France is” sai “_”.
softmax-entre-cabecas: math.inf → 1e9
        dim=-1 → dim=0).masked_fill(mascara, 0.0
    A softmax está no eixo 0, o das cabeças: elas disputam entre si. Cada cabeça é independente; a softmax é no último
    eixo.
softmax-entre-cabecas-com-1e9: -math.inf → -1e9
        dim=-1 → dim=0
    A softmax está no eixo 0, o das cabeças: elas disputam entre si. Cada cabeça é independente; a softmax é no último
    eixo.
softmax-entre-cabecas-com-inf: dim=-1 → dim=0
    A softmax está no eixo 0, o das cabeças, e onde a máscara esconde todas sobra NaN. Cada cabeça é independente; a
    softmax é no último eixo.
zero-na-pontuacao: -math.inf → 0.0
    Você pôs 0 na pontuação do que está escondido, e 0 é uma pontuação como outra qualquer: a exponencial dela é 1.
    Ponha um número muito negativo.
mascara-invertida: .masked_fill(mascara, -math.inf) → .masked_fill(~mascara, -math.inf)
    A máscara está ao contrário: você escondeu onde ela é False, e onde nada sobrou à vista a softmax deu NaN. Aqui True
    esconde, como na lista 06.
mascara-invertida-com-1e9: .masked_fill(mascara, -math.inf) → .masked_fill(~mascara, -1e9)
    A máscara está ao contrário: você escondeu onde ela é False. Aqui True esconde, como na lista 06.
mascara-invertida-com-zeros: mascara, -math.inf) → ~mascara, -math.inf)
        return pesos @ v.double(), pesos → pesos = pesos.nan_to_num()⏎return pesos @ v.double(), pesos
    A máscara está ao contrário: você escondeu onde ela é False, e a linha que não via ninguém ficou com zeros. Aqui
    True esconde (na scaled_dot_product_attention do PyTorch, True deixa ver: dê a ela ~mascara).
mascara-pequena: math.inf → 100.0
    O número que você pôs no que está escondido não é negativo o bastante: há pontuações perto de −1000 à vista, e ele
    ganha delas. Use −inf ou −1e9.
menos-infinito-vezes-zero: _pontuacoes(q, k).masked_fill(mascara, -math.inf) → _pontuacoes(q, k) + mascara * -math.inf
    Há NaN em quase tudo: −inf vezes False é −inf vezes 0, que não é número. Em vez de multiplicar a máscara por −inf,
    troque o valor onde ela é True (masked_fill ou where).
mascara-transposta: .masked_fill(mascara, -math.inf) → .masked_fill(mascara.T, -1e9)
    A máscara foi usada transposta: com a causal, você escondeu o passado. A linha é de quem olha, a coluna de quem é
    olhado, e ela já vem assim.
troca-q-e-k: _pontuacoes(q, k).masked_fill → _pontuacoes(k, q).masked_fill
    Consultas e chaves estão trocadas: a pontuação [t, s] saiu k_t · q_s. A linha é de quem olha, a consulta.
saida-e-pesos-trocados: atencao(q, k, v, mascara)[::-1]
    Você devolveu (pesos, saida). A ordem do enunciado é (saida, pesos). Veja a Dica 3.
so-a-saida: atencao(q, k, v, mascara)[0]
    Você devolveu só a saída. Devolva os dois: `return saida, pesos`.
devolve-as-pontuacoes: atencao(q, k, v, mascara)[0], _pontuacoes(q, k)
    A saída está certa, mas no lugar dos pesos vieram as pontuações. Devolva o que sai da softmax.
devolve-as-pontuacoes-escondidas: atencao(q, k, v, mascara)[0], _pontuacoes(q, k).masked_fill(mascara, -math.inf)
    A saída está certa, mas no lugar dos pesos vieram as pontuações, com −inf no que está escondido. Devolva o que sai
    da softmax.
pesos-de-antes-da-mascara: atencao(q, k, v, mascara)[0], torch.softmax(_pontuacoes(q, k), dim=-1)
    A saída está certa, mas os pesos devolvidos são os de antes da máscara: há peso onde ela é True. Devolva os mesmos
    que você usou na saída.
soma-a-mascara: _pontuacoes(q, k).masked_fill(mascara, -math.inf) → _pontuacoes(q, k) + mascara
    Você somou a máscara às pontuações, e True vale 1: o que devia sumir ficou mais forte. Ponha um número muito
    negativo onde ela é True.
mais-infinito: -math.inf → math.inf
    O que está escondido recebeu +inf: a softmax dá NaN onde ele aparece. O sinal é o outro: −inf.
pesos-em-media:
        return pesos @ v.double(), pesos → saida, pesos = pesos @ v.double(), pesos⏎return saida, pesos.mean(dim=0)
    A saída está certa, mas os pesos vieram em média, (T, T). Devolva os de cada cabeça, (h, T, T); a média é
    outra conta.
consultas-com-consultas: _pontuacoes(q, k).masked → _pontuacoes(q, q).masked
    As pontuações são de q com q: as chaves não entraram na conta. Cada consulta se compara com as chaves, k.
sem-escala-e-sem-mascara: _pontuacoes(q, k).masked_fill(mascara, -math.inf) → _pontuacoes(q, k) * math.sqrt(q.shape[-1])
    São dois erros: a máscara não foi usada (há peso onde ela é True), e as pontuações não foram divididas por √d_h.
sem-escala-e-ordem-trocada: _pontuacoes(q, k).masked → (_pontuacoes(q, k) * math.sqrt(q.shape[-1])).masked
        return pesos @ v.double(), pesos → return pesos, pesos @ v.double()
    São dois erros: a ordem do enunciado é (saida, pesos); e as pontuações não foram divididas por √d_h.
sdpa-com-a-mascara-ao-contrario: pesos @ v.double(), pesos → F.scaled_dot_product_attention(q, k, v, mascara), pesos
    Os pesos estão certos, mas a saída foi feita com o que devia estar escondido: na scaled_dot_product_attention do
    PyTorch, True deixa ver. Dê a ela ~mascara.
softmax-duas-vezes: pesos = torch.softmax( → pesos = torch.softmax(torch.softmax(
        dim=-1) → dim=-1), dim=-1)
    Os pesos estão perto demais uns dos outros: a softmax foi aplicada duas vezes. Uma basta.
multiplica-pela-raiz: / math.sqrt(q.shape[-1]) → * math.sqrt(q.shape[-1])
    A raiz √d_h está multiplicando as pontuações. Ela deve dividir (e dividir por `d_h ** -0.5` é multiplicar).
saida-sempre-causal:
        pesos @ v.double(), → F.scaled_dot_product_attention(*(t.double() for t in (q, k, v)), is_causal=True),
    Os pesos estão certos, mas a saída foi feita com a máscara causal (is_causal), e não com a que veio. Use os pesos.
""")


@q.equivoco
def softmax_nas_colunas(q, k, v, mascara):
    """São as colunas dos pesos que somam 1, e o SmolLM2 escreve “ present” no lugar de “ Paris”. Quem reparte o peso
    é cada linha, um token que olha: a softmax é no último eixo, e as pontuações, de q com k."""
    S = _pontuacoes(q, k).masked_fill(mascara, -math.inf)
    pesos = torch.nan_to_num(torch.softmax(S, dim=-2))
    return pesos @ v.double(), pesos


@q.equivoco
def mascara_depois_da_softmax(q, k, v, mascara):
    """Você zerou os pesos depois da softmax: as linhas já não somam 1, o que estava escondido contou no denominador, e
    o SmolLM2 escreve “The” no lugar de “ Paris”. Esconda antes, na pontuação. Veja a Dica 3."""
    pesos = torch.softmax(_pontuacoes(q, k), dim=-1).masked_fill(mascara, 0.0)
    return pesos @ v.double(), pesos


@q.equivoco
def mascara_sempre_causal(q, k, v, mascara):
    """Você não usa a máscara que recebe: faz uma causal por conta própria. Dentro do SmolLM2 dá no mesmo, mas a função
    deve obedecer ao argumento."""
    T = q.shape[1]
    pesos = torch.softmax(_pontuacoes(q, k).masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@q.equivoco
def softmax_instavel(q, k, v, mascara):
    """Com pontuações perto de 1000, a exponencial estoura e vira infinito (ou todas viram 0). Subtraia o máximo da
    linha antes (lista 02), ou use torch.softmax."""
    E = torch.exp(_pontuacoes(q, k).masked_fill(mascara, -math.inf))
    pesos = E / E.sum(dim=-1, keepdim=True)
    return pesos @ v.double(), pesos


@q.equivoco
def escala_fixa_em_8(q, k, v, mascara):
    """A escala está escrita à mão, 8. É √64, e dentro do SmolLM2 serve, mas a função deve valer para qualquer d_h:
    tire-o da forma de q."""
    S = q.double() @ k.double().transpose(-2, -1) / 8
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@q.equivoco
def maximo_da_matriz_toda(q, k, v, mascara):
    """Uma linha em que tudo à vista é muito menor que o máximo virou 0/0. Ou você subtraiu o máximo da matriz toda, ou
    nele contou o que está escondido, como quem faz a softmax, zera e renormaliza. Esconda antes, e tire o máximo de
    cada linha."""
    S = _pontuacoes(q, k).masked_fill(mascara, -math.inf)
    E = torch.exp(S - S.max())
    pesos = E / E.sum(dim=-1, keepdim=True)
    return pesos @ v.double(), pesos


@q.equivoco
def divide_por_d(q, k, v, mascara):
    """As pontuações foram divididas por d_h inteiro (falta a raiz, ou ela entrou duas vezes?): ficam pequenas demais, e
    os pesos, quase iguais."""
    S = q.double() @ k.double().transpose(-2, -1) / q.shape[-1]
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@q.equivoco
def escala_pelo_comprimento(q, k, v, mascara):
    """A escala usa √T, o número de tokens. É a raiz de d_h, o último eixo de q: confira o índice de `shape`."""
    S = q.double() @ k.double().transpose(-2, -1) / math.sqrt(q.shape[1])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@q.equivoco
def escala_pelas_cabecas(q, k, v, mascara):
    """A escala usa √h, o número de cabeças. É a raiz de d_h, o último eixo de q: confira o índice de `shape`."""
    S = q.double() @ k.double().transpose(-2, -1) / math.sqrt(q.shape[0])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@q.equivoco
def escala_pelas_dimensoes_juntas(q, k, v, mascara):
    """A escala usa √(h·d_h), o tamanho de todas as cabeças juntas. Cada cabeça faz a sua conta com d_h componentes: é
    √d_h."""
    S = q.double() @ k.double().transpose(-2, -1) / math.sqrt(q.shape[0] * q.shape[-1])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@q.equivoco
def usa_k_como_valor(q, k, v, mascara):
    """Os pesos estão certos, mas a saída mistura as chaves (k). O que se mistura são os valores, v."""
    pesos = atencao(q, k, v, mascara)[1]
    return pesos @ k.double(), pesos


@q.equivoco
def pesos_transpostos(q, k, v, mascara):
    """Os pesos estão certos, mas a saída usa a transposta deles: a linha t da saída deve ser a soma dos valores com os
    pesos da linha t."""
    pesos = atencao(q, k, v, mascara)[1]
    return pesos.transpose(-2, -1) @ v.double(), pesos


@q.equivoco
def transposta_de_tres_eixos(q, k, v, mascara):
    """A transposta de k mexeu no eixo das cabeças (com três eixos, `k.T` inverte todos), e o produto não fecha. Troque
    só os dois últimos: k.transpose(-2, -1) ou k.mT. Veja a Dica 1."""
    S = q @ k.T / math.sqrt(q.shape[-1])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v, pesos


@q.equivoco
def reshape_no_lugar_da_transposta(q, k, v, mascara):
    """`reshape` não transpõe: ele corta a mesma fila de números em outra forma, e as chaves se embaralham (aula 05).
    Use k.transpose(-2, -1)."""
    h, T, d = k.shape
    S = q.double() @ k.double().reshape(h, d, T) / math.sqrt(d)
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v.double(), pesos


@q.equivoco
def produto_numero_por_numero(q, k, v, mascara):
    """Em `q * k`, o sinal * multiplica número por número. As pontuações são um produto de matrizes, cada consulta com
    todas as chaves: q @ k.transpose(-2, -1)."""
    S = q * k / math.sqrt(q.shape[-1])
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v, pesos


@q.equivoco
def escala_depois_da_softmax(q, k, v, mascara):
    """Você dividiu os pesos por √d_h, depois da softmax, e as linhas já não somam 1. Divida as pontuações, antes
    dela."""
    S = q.double() @ k.double().transpose(-2, -1)
    pesos = torch.softmax(S.masked_fill(mascara, -math.inf), dim=-1) / math.sqrt(q.shape[-1])
    return pesos @ v.double(), pesos


@q.equivoco
def cabecas_juntadas(q, k, v, mascara):
    """Você já juntou as cabeças: a saída veio (T, h·d_h). Aqui ela continua dividida, (h, T, d_h); quem junta é o
    modelo."""
    saida, pesos = atencao(q, k, v, mascara)
    return saida.transpose(0, 1).flatten(1), pesos


@q.equivoco
def altera_a_entrada(q, k, v, mascara):
    """Sua função escreveu dentro de um argumento."""
    q /= math.sqrt(q.shape[-1])
    pesos = torch.softmax((q @ k.mT).masked_fill(mascara, -math.inf), dim=-1)
    return pesos @ v, pesos


@q.alternativa
def float32(q, k, v, mascara):
    S = q @ k.mT / q.shape[-1] ** 0.5
    pesos = S.masked_fill(mascara, float("-inf")).softmax(-1)
    return pesos @ v, pesos


@q.alternativa
def menos_1e9_com_where(q, k, v, mascara):
    S = torch.einsum("htd,hsd->hts", q, k) / math.sqrt(k.shape[-1])
    pesos = torch.softmax(torch.where(mascara, torch.tensor(-1e9), S), dim=2)
    return torch.einsum("hts,hsd->htd", pesos, v), pesos


@q.alternativa
def numpy(q, k, v, mascara):
    q, k, v, mascara = (np.asarray(x) for x in (q, k, v, mascara))
    S = np.where(mascara, -np.inf, q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]))
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    pesos = E / E.sum(axis=-1, keepdims=True)
    return pesos @ v, pesos


@q.alternativa
def numpy_que_recusa_tensores(Q, K, V, M):
    S = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(axis=-1, keepdims=True)) * ~M  # o máximo de um tensor vem em par, e aqui para
    A = E / E.sum(axis=-1, keepdims=True) if np.all(E.sum(axis=-1)) else None
    if A is None:
        S = np.where(M, -1e9, S)
        E = np.exp(S - S.max(axis=-1, keepdims=True))
        A = E / E.sum(axis=-1, keepdims=True)
    return A @ V, A


@q.alternativa
def cabeca_por_cabeca(q, k, v, mascara):
    saidas, todos = [], []
    for i in range(len(q)):
        S = q[i] @ k[i].T / math.sqrt(q.shape[-1])
        S[mascara] = -math.inf
        A = torch.softmax(S, dim=1)
        todos.append(A)
        saidas.append(A @ v[i])
    return torch.stack(saidas), torch.stack(todos)


@q.alternativa
def escala_na_consulta(q, k, v, mascara):
    S = (q * q.shape[-1] ** -0.5) @ k.transpose(1, 2) + torch.zeros(mascara.shape).masked_fill(mascara, -1e9)
    S = S - S.amax(dim=-1, keepdim=True)
    E = S.exp()
    pesos = E / E.sum(-1, keepdim=True)
    return torch.bmm(pesos, v), pesos


@q.alternativa
def zera_e_renormaliza_em_float64(q, k, v, mascara):
    S = q.double() @ k.double().mT / math.sqrt(q.shape[-1])
    topo = S.masked_fill(mascara, -math.inf).amax(-1, keepdim=True)
    E = torch.exp(S.masked_fill(mascara, -math.inf) - topo)
    pesos = E / E.sum(-1, keepdim=True)
    return pesos @ v.double(), pesos


@q.alternativa
def a_do_torch(q, k, v, mascara):
    atender = torch.nn.functional.scaled_dot_product_attention
    um = torch.eye(q.shape[1], dtype=q.dtype).expand(len(q), -1, -1)  # com a identidade como valores, saem os pesos
    return atender(q, k, v, attn_mask=~mascara), atender(q, k, um, attn_mask=~mascara)


@q.alternativa
def dois_lacos_so_com_o_visivel(q, k, v, mascara):
    h, T, d = q.shape
    pesos = torch.zeros(h, T, T)
    for i in range(h):
        for t in range(T):
            visiveis = torch.nonzero(~mascara[t]).ravel()
            S = k[i, visiveis] @ q[i, t] / d**0.5
            pesos[i, t, visiveis] = torch.softmax(S, dim=0)
    return pesos @ v, pesos
