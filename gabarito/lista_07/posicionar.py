"""A questão `posicionar` da lista 07."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gabarito.base import caso, questao
from gabarito.lista_07.comum import curto, tensor


def posicionar(emb_tokens, emb_posicoes, ids):
    T, L = ids.shape[1], len(emb_posicoes)
    if T > L:
        raise ValueError(f"o texto tem T = {T} tokens, e o contexto só vai até L = {L}")
    return emb_tokens[ids] + emb_posicoes[:T]


def _medidas_citadas(T, L):
    """A mensagem cita as duas medidas, pelo nome ou pelo valor."""
    return {"T": rf"(?<!\w)T(?!\w)|(?<!\d){T}(?!\d)", "L": rf"(?<!\w)L(?!\w)|(?<!\d){L}(?!\d)"}


def _ids(linhas):
    return torch.tensor(linhas, dtype=torch.int64)


def _caso_posicionar(rng, V, L, d, B, T):
    """Um lote com o primeiro e o último id do vocabulário, e um id repetido em posições diferentes."""
    ids = rng.integers(0, V, size=(B, T))
    ids[0, 0], ids[-1, -1] = V - 1, 0
    return caso(tensor(rng.normal(size=(V, d))), tensor(rng.normal(size=(L, d))), _ids(ids))


def _caso_comprido(rng, V, L, d, B, T, rotulo=""):
    entradas = curto(rng, (V, d)), curto(rng, (L, d)), _ids(rng.integers(0, V, size=(B, T)))
    return caso(*entradas, nomeia=_medidas_citadas(T, L), rotulo=rotulo, parte="erro")


def ocultos(rng):
    return [
        _caso_posicionar(rng, 9, 7, 4, 3, 5),
        _caso_posicionar(rng, 5, 8, 3, 2, 6),
        _caso_posicionar(rng, 12, 5, 6, 4, 5),
        _caso_posicionar(rng, 7, 6, 2, 1, 4),
        _caso_posicionar(rng, 8, 9, 5, 6, 3),
        _caso_posicionar(rng, 4, 3, 4, 3, 2),
        _caso_comprido(rng, 9, 4, 3, 2, 5),
        _caso_comprido(rng, 9, 5, 3, 1, 13),
        _caso_comprido(rng, 9, 1, 3, 2, 4),
    ]


_rng_pos = np.random.default_rng(75)

q = questao(
    "lista-07/posicionar",
    assinatura="posicionar(emb_tokens, emb_posicoes, ids)",
    saida="array",
    referencia=posicionar,
    casos=[
        caso(
            tensor([[10, 0], [20, 1], [30, 2], [40, 3]]), tensor([[0.5, 0], [0.25, -1], [0.125, -2]]),
            _ids([[2, 0], [3, 3]]), claro=True, rotulo="o exemplo do enunciado",
        ),
        caso(curto(_rng_pos, (6, 3)), curto(_rng_pos, (7, 3)), _ids([[5, 1, 1, 0], [2, 4, 0, 3]]),
             rotulo="duas frases de quatro tokens"),
        caso(curto(_rng_pos, (5, 2)), curto(_rng_pos, (3, 2)), _ids([[4, 4, 0], [1, 0, 2], [3, 2, 4], [0, 1, 1]]),
             rotulo="quatro frases que enchem o contexto"),
        caso(curto(_rng_pos, (3, 4)), curto(_rng_pos, (8, 4)), _ids([[2, 0, 1, 2, 2]]),
             rotulo="uma frase só, com mais posições que tokens no vocabulário"),
        _caso_comprido(_rng_pos, 9, 4, 3, 2, 5, "um texto maior que o contexto"),
        _caso_comprido(_rng_pos, 7, 1, 2, 2, 3, "três tokens em um contexto de uma posição só"),
    ],
    ocultos=ocultos,
    partes={"valores": 0.75, "erro": 0.25},
)  # fmt: skip


def _conferir_o_tamanho(emb_posicoes, ids):
    """A verificação certa, para os equívocos que erram só na conta."""
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}")


q.equivocos_curtos("""
sem-verificar: emb_tokens[ids] + emb_posicoes[: ids.shape[1]]
    O tamanho do texto não foi verificado: com T maior que L faltam posições, e a soma dá erro (ou nem isso, se L é
    1). Compare T e L antes e lance ValueError. Veja a Dica 2.
posicao-pelo-id: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids] + emb_posicoes[ids % L]
    Você procurou a posição pelo id do token. A posição é o lugar dele na frase: 0 para o primeiro, 1 para o segundo.
sem-posicoes: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids]
    As posições não entraram: isto é só o embedding de cada token.
uma-posicao-para-todos: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids] + emb_posicoes[0]
    Todos os tokens receberam o vetor da posição 0, e assim a ordem continua sem contar. Cada lugar tem o seu.
posicoes-do-fim: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids] + emb_posicoes[-T:]
    Você usou as últimas T posições da tabela. A frase começa na posição 0.
posicoes-a-partir-de-1: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids] + emb_posicoes[1 : T + 1]
    O primeiro token recebeu a linha 1 da tabela. As posições começam em 0: use as T primeiras linhas.
posicoes-de-tras-para-a-frente: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids] + emb_posicoes[:T].flip(0)
    As posições estão de trás para a frente: o primeiro token deve receber a linha 0.
multiplica: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids] * emb_posicoes[:T]
    Você multiplicou token e posição. Eles se somam.
todas-as-posicoes: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids] + emb_posicoes
    Você somou a tabela inteira de posições, que tem L linhas, a uma frase de T tokens. Use só as T primeiras.
escala-raiz-de-d: emb_tokens[ids] + emb_posicoes[:T] → emb_tokens[ids] * emb_tokens.shape[1] ** 0.5 + emb_posicoes[:T]
    Você multiplicou o embedding por √d, como no artigo de 2017. Aqui é só a soma.
""")


@q.equivoco
def deixa_a_soma_reclamar(emb_tokens, emb_posicoes, ids):
    """Você esperou que a soma reclamasse do texto comprido, e com uma posição só (L = 1) ela não reclama: o
    broadcasting repete essa posição para todos. Compare T e L antes de somar."""
    try:
        return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]
    except RuntimeError:
        raise ValueError(f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}") from None


@q.equivoco
def corta_o_texto(emb_tokens, emb_posicoes, ids):
    """Quando o texto é maior que o contexto, sua função joga fora o que sobra, sem avisar. O enunciado pede
    ValueError."""
    ids = ids[:, : len(emb_posicoes)]
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@q.equivoco
def da_a_volta_nas_posicoes(emb_tokens, emb_posicoes, ids):
    """Quando o texto é maior que o contexto, as posições recomeçam do zero, em silêncio. O enunciado pede
    ValueError."""
    return emb_tokens[ids] + emb_posicoes[torch.arange(ids.shape[1]) % len(emb_posicoes)]


@q.equivoco
def recusa_o_contexto_cheio(emb_tokens, emb_posicoes, ids):
    """Um texto com exatamente L tokens cabe: as posições vão de 0 a L − 1. Recuse só quando T passa de L."""
    if ids.shape[1] >= len(emb_posicoes):
        raise ValueError(f"T = {ids.shape[1]} não cabe em L = {len(emb_posicoes)}")
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@q.equivoco
def assert_em_vez_de_erro(emb_tokens, emb_posicoes, ids):
    """A verificação está lá, mas um assert lança AssertionError. O enunciado pede ValueError: `raise
    ValueError(...)`."""
    assert ids.shape[1] <= len(emb_posicoes), f"T = {ids.shape[1]} passa de L = {len(emb_posicoes)}"
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@q.equivoco
def erro_sem_medidas(emb_tokens, emb_posicoes, ids):
    """O ValueError está lá, mas a mensagem não diz os tamanhos. Ponha nela T e L, pelo nome ou pelo valor."""
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError("texto comprido demais")
    return emb_tokens[ids] + emb_posicoes[: ids.shape[1]]


@q.equivoco
def posicao_pela_frase(emb_tokens, emb_posicoes, ids):
    """O vetor de posição mudou com a frase do lote, e não com o lugar do token nela. O eixo das posições é o segundo.
    Veja a Dica 2."""
    _conferir_o_tamanho(emb_posicoes, ids)
    linhas = torch.arange(ids.shape[0]) % len(emb_posicoes)
    return emb_tokens[ids] + emb_posicoes[linhas][:, None]


@q.equivoco
def posicao_pelo_id_sem_mais(emb_tokens, emb_posicoes, ids):
    """Você indexou as posições com os ids dos tokens. A posição é o lugar do token na frase, 0, 1, …, T − 1."""
    _conferir_o_tamanho(emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[ids]


@q.equivoco
def T_e_o_numero_de_frases(emb_tokens, emb_posicoes, ids):
    """Você usou len(ids), que é B, o número de frases. O T é o segundo tamanho de ids, ids.shape[1]."""
    _conferir_o_tamanho(emb_posicoes, ids)
    return emb_tokens[ids] + emb_posicoes[: len(ids)]


@q.equivoco
def posicao_pelo_id_e_sem_verificar(emb_tokens, emb_posicoes, ids):
    """Você indexou as posições com os ids dos tokens. A posição é o lugar do token na frase, 0, 1, …, T − 1. E falta
    comparar T com L."""
    return emb_tokens[ids] + emb_posicoes[ids]


@q.equivoco
def T_e_o_numero_de_frases_e_sem_verificar(emb_tokens, emb_posicoes, ids):
    """Você usou len(ids), que é B, o número de frases. O T é o segundo tamanho de ids, ids.shape[1]. E falta
    comparar T com L."""
    return emb_tokens[ids] + emb_posicoes[: len(ids)]


@q.equivoco
def concatena(emb_tokens, emb_posicoes, ids):
    """Você pôs token e posição lado a lado, e o vetor ficou com 2d números. Eles se somam."""
    _conferir_o_tamanho(emb_posicoes, ids)
    P = emb_posicoes[: ids.shape[1]].expand(len(ids), -1, -1)
    return torch.cat([emb_tokens[ids], P], dim=-1)


@q.equivoco
def altera_a_entrada(emb_tokens, emb_posicoes, ids):
    """A soma foi feita dentro da tabela."""
    _conferir_o_tamanho(emb_posicoes, ids)
    emb_tokens += 0.5
    return emb_tokens[ids] - 0.5 + emb_posicoes[: ids.shape[1]]


@q.alternativa
def indexando(emb_tokens, emb_posicoes, ids):
    B, T = ids.shape
    if emb_posicoes.shape[0] < T:
        raise ValueError(f"texto de {T} tokens, contexto de {emb_posicoes.shape[0]}")
    return emb_tokens[ids] + emb_posicoes[torch.arange(T)]


@q.alternativa
def com_embedding(emb_tokens, emb_posicoes, ids):
    L, T = emb_posicoes.size(0), ids.size(1)
    if T > L:
        raise ValueError(f"T={T} > L={L}")
    return F.embedding(ids, emb_tokens) + F.embedding(torch.arange(T), emb_posicoes)[None]


@q.alternativa
def um_quente(emb_tokens, emb_posicoes, ids):
    if ids.shape[1] > len(emb_posicoes):
        raise ValueError(f"{ids.shape[1]} tokens não cabem em um contexto de {len(emb_posicoes)}")
    quente = F.one_hot(ids, len(emb_tokens)).float()  # (B, T, V)
    return quente @ emb_tokens + emb_posicoes[: ids.shape[1]]


@q.alternativa
def com_lacos(emb_tokens, emb_posicoes, ids):
    B, T = ids.shape
    if len(emb_posicoes) < T:
        raise ValueError(f"T = {T} é maior que L = {len(emb_posicoes)}")
    Y = torch.empty(B, T, emb_tokens.shape[1])
    for b in range(B):
        for t in range(T):
            Y[b, t] = emb_tokens[int(ids[b, t])] + emb_posicoes[t]
    return Y


@q.alternativa
def com_numpy(emb_tokens, emb_posicoes, ids):
    tokens, posicoes, indices = emb_tokens.numpy(), emb_posicoes.numpy(), ids.numpy()
    if indices.shape[1] > len(posicoes):
        raise ValueError(f"o texto ({indices.shape[1]}) não cabe no contexto ({len(posicoes)})")
    return np.take(tokens, indices, axis=0) + posicoes[: indices.shape[1]]


@q.alternativa
def com_modulos(emb_tokens, emb_posicoes, ids):
    T = ids.shape[1]
    if len(emb_posicoes) < T:
        raise ValueError(f"T = {T}, L = {len(emb_posicoes)}: o texto não cabe")
    tokens, lugares = nn.Embedding.from_pretrained(emb_tokens), nn.Embedding.from_pretrained(emb_posicoes)
    return tokens(ids) + lugares(torch.arange(T))
