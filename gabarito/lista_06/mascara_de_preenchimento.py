"""A questão `mascara_de_preenchimento` da lista 06."""

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao


def mascara_de_preenchimento(ids, pad=0):
    return (ids == pad)[:, None, None, :]


def _frases(rng, B, T, pad, com_zero=False):
    """Um lote (B, T) com pads no fim, no começo e no meio, e tokens maiores e menores que o pad."""
    tokens = np.array([v for v in range(-3, 10) if v != pad and (com_zero or v != 0)])
    ids = rng.choice(tokens, size=(B, T))
    ids[:, 1] = pad + rng.choice([-1, 1], size=B)  # um vizinho do pad: “menor que” não é “igual a”
    ids[0, -2:] = pad
    ids[1, 0] = pad
    ids[1, 3] = pad  # no meio, com token depois
    ids[1, -1] = pad + 2
    if com_zero:
        ids[2, 2] = 0
        ids[2, -1] = pad + 1
    ids[0, 0] = pad + 3
    return ids


def ocultos(rng):
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


q = questao(
    "lista-06/mascara_de_preenchimento",
    assinatura="mascara_de_preenchimento(ids, pad=0)",
    saida="array",
    referencia=mascara_de_preenchimento,
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
        caso(np.array([[6, 0, 2, 7, 0]]), rotulo="um lote de uma frase só, B = 1"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
perde-o-lote-de-um: np.squeeze(ids == pad)[..., None, None, :]
    Com uma frase só, sua máscara perdeu o eixo do lote (há um squeeze?). Com B = 1 ela ainda tem quatro eixos,
    (1, 1, 1, T).
true-conserva: (ids != pad)[:, None, None, :]
    Está ao contrário: True aparece nos tokens de verdade. Neste curso, como na questão 1, True esconde; e o que se
    esconde é o pad.
depois-do-primeiro-pad: (np.cumsum(ids == pad, axis=1) > 0)[:, None, None, :]
    A partir do primeiro pad, você escondeu tudo o que vem depois, tokens de verdade também. Só o próprio pad se
    esconde.
pad-fixo-em-zero: (ids == 0)[:, None, None, :]
    O 0 está escrito à mão: com outro `pad`, a máscara esconde um token de verdade e deixa o pad à vista. Use o
    argumento.
zero-tambem: ((ids == pad) | (ids == 0))[:, None, None, :]
    O pad está escondido, mas o 0 também, e aqui ele é um token como outro qualquer. Só o valor de `pad` se esconde.
menor-ou-igual: (ids <= pad)[:, None, None, :]
    Você escondeu tudo o que é menor ou igual ao pad. O número de um token é só um nome, e não uma quantidade. Pergunte
    se ele é igual ao pad.
forma-b-t: ids == pad
    Os valores estão certos, mas a forma é (B, T). Com pontuações (B, h, T, T), faltam dois eixos de tamanho 1 no meio:
    (B, 1, 1, T). Veja a Dica 2.
forma-b-t-1-1: (ids == pad)[:, :, None, None]
    A forma é (B, T, 1, 1): o eixo das posições ficou no lugar do das cabeças. As chaves estão no último eixo das
    pontuações: (B, 1, 1, T). Veja a Dica 2.
esconde-a-consulta: (ids == pad)[:, None, :, None]
    A forma é (B, 1, T, 1): assim se esconde a linha inteira de quem é pad, e os outros continuam olhando para ele. Quem
    não deve ser visto é a coluna, a chave.
forma-1-b-1-t: (ids == pad)[None, :, None, :]
    A forma é (1, B, 1, T): as frases foram parar no eixo das cabeças. O lote é o primeiro eixo.
numeros-em-vez-de-bool: (ids == pad).astype(float)[:, None, None, :]
    Os lugares estão certos, mas são números 0 e 1. O enunciado pede booleanos, True ou False.
frase-inteira: np.broadcast_to((ids == pad).any(axis=1)[:, None], ids.shape)[:, None, None, :]
    Onde havia um pad, a frase inteira foi escondida: sobrou um valor para cada frase, e é preciso um para cada posição.
forma-b-1-t: (ids == pad)[:, None, :]
    Os valores estão certos, mas a forma é (B, 1, T). Com pontuações (B, h, T, T), faltam dois eixos de tamanho 1 no
    meio: (B, 1, 1, T).
ja-estendida: np.broadcast_to((ids == pad)[:, None, None, :], (len(ids), 1, ids.shape[1], ids.shape[1]))
    Os valores estão certos, mas você já repetiu a máscara para cada consulta, (B, 1, T, T). Basta (B, 1, 1, T): o
    broadcasting repete sozinho.
aditiva: np.where(ids == pad, -np.inf, 0.0)[:, None, None, :]
    Isto é a máscara aditiva, com 0 e −inf, a que se soma às pontuações. Aqui se pede a booleana: True em cada pad.
so-o-primeiro-pad: ((ids == pad) & (np.cumsum(ids == pad, axis=1) == 1))[:, None, None, :]
    Só o primeiro pad de cada frase foi escondido: há um break (ou um index, que acha só o primeiro)? Esconda todos.
so-os-do-fim: np.cumprod((ids == pad)[:, ::-1], axis=1)[:, ::-1].astype(bool)[:, None, None, :]
    Você só escondeu os pads do fim da frase. Há frases com pad no começo ou no meio, e ele deve ser escondido onde quer
    que esteja.
""")


@q.equivoco
def pelo_comprimento(ids, pad=0):
    """Você contou os tokens de cada frase e escondeu o que passa do comprimento. Isso supõe os pads no fim; olhe para
    cada posição, e não para quantos são."""
    comprimentos = (ids != pad).sum(axis=1)  # (B,)
    return (np.arange(ids.shape[1])[None] >= comprimentos[:, None])[:, None, None, :]


@q.alternativa
def lacos(ids, pad=0):
    B, T = ids.shape
    M = np.zeros((B, 1, 1, T), dtype=bool)
    for b in range(B):
        for t in range(T):
            M[b, 0, 0, t] = ids[b, t] == pad
    return M


q.alternativas_curtas("""
reshape: return (ids == pad)[:, None, None, :] → B, T = ids.shape⏎return np.equal(ids, pad).reshape(B, 1, 1, T)
com-torch: torch.tensor(ids).eq(pad).unsqueeze(1).unsqueeze(1)
expand-dims: np.expand_dims(~(ids != pad), axis=(1, 2))
lista-de-linhas: np.array([[[[int(i) == pad for i in frase]]] for frase in ids])
""")
