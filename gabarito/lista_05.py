"""Lista 05: dividir e juntar cabeças, a atenção de múltiplas cabeças, os parâmetros, o torch e a caça às entradas.

As formas são todas diferentes entre si (N, h, d_h e d), para que um eixo trocado apareça. Em `entradas_erradas` os
números são múltiplos de potências de dois onde a fronteira importa: a diferença que vale exatamente `tol` é exata.
"""

import math

import numpy as np
import torch

from gabarito.base import caso, questao


def _softmax(S, eixo=-1):
    e = np.exp(S - S.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


# ------------------------------------------------------------------------------------- dividir_cabecas


def _dividir(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


def _nomeia(d, h):
    """A mensagem nomeia os dois culpados, pelo nome ou pelo valor inteiro (o 7 de 17 não conta)."""
    return [rf"(?<!\w)d(_model)?(?!\w)|(?<!\d){d}(?!\d)", rf"(?<!\w)h(?!\w)|(?<!\d){h}(?!\d)"]


def _indivisivel(rng):
    """X (N, d) e h tais que h não divide d, e nenhum dos números que o NumPy citaria é d."""
    d, h = [(7, 3), (11, 4), (13, 5), (11, 3), (17, 7)][rng.integers(5)]
    return caso(rng.normal(size=(2, d)), h, nomeia=_nomeia(d, h))


def _ocultos_dividir(rng):
    return [
        caso(rng.normal(size=(5, 12)), 4),
        caso(rng.normal(size=(4, 15)), 3),
        caso(rng.normal(size=(6, 8)), 2),
        caso(rng.normal(size=(3, 10)), 5),
        caso(rng.normal(size=(7, 6)), 1),
        caso(rng.normal(size=(1, 6)), 3),
        caso(rng.normal(size=(4, 12)), 4),
        _indivisivel(rng),
        caso(rng.normal(size=(4, 3)), 5, nomeia=_nomeia(3, 5)),
    ]


_NUMERADA = np.arange(3)[:, None] * 10.0 + np.arange(8)  # o token t e a coluna c no próprio número: 10 t + c

dividir_cabecas = questao(
    "lista-05/dividir_cabecas",
    assinatura="dividir_cabecas(X, h)",
    saida="array",
    referencia=_dividir,
    casos=[
        caso(_NUMERADA[:, :4] + 0.0, 2, claro=True, rotulo="o exemplo do enunciado"),
        caso(_NUMERADA, 4, rotulo="três tokens, d = 8, h = 4"),
        caso(
            np.array(
                [
                    [0.3, -1.2, 0.8, 0.1, 1.5, 0.4, -0.6, 0.9, 0.2, 1.1, -0.4, 0.7],
                    [1.3, -0.8, 0.5, 0.0, -0.1, 0.6, 0.9, -1.5, 0.8, -0.3, 1.2, 0.4],
                    [-0.9, 0.1, 0.3, 1.6, 0.5, 1.4, -0.7, -0.2, 0.6, -1.1, 1.7, -0.5],
                    [0.7, 1.0, -1.3, 0.2, -0.8, 1.9, 1.8, 0.0, -0.6, 0.3, -1.4, 1.1],
                    [-0.2, 0.5, 1.2, -0.4, 0.9, -1.0, 0.1, 1.3, -1.6, 0.8, 0.4, -0.7],
                ]
            ),
            2,
            rotulo="cinco tokens, d = 12, h = 2",
        ),
        caso(np.array([[0.5, -0.2, 0.9, 0.1, -0.4]]), 5, rotulo="um token, cabeças de tamanho 1"),
        caso(np.array([[0.5, -0.2, 0.9], [0.3, 0.8, -0.6]]), 1, rotulo="uma cabeça só"),
        caso(_NUMERADA[:, :6] - 3.0, 3, rotulo="tantas cabeças quantos tokens"),
        caso(_NUMERADA[:2, :7] + 0.0, 3, rotulo="d = 7 e h = 3", nomeia=_nomeia(7, 3)),
        caso(_NUMERADA[:, :4] + 0.5, 6, rotulo="d = 4 e h = 6", nomeia=_nomeia(4, 6)),
    ],
    ocultos=_ocultos_dividir,
)


@dividir_cabecas.equivoco(
    "reshape-sem-transpor",
    "A forma está certa, mas as linhas de uma cabeça vêm de tokens misturados: o reshape direto para (h, N, d_h) "
    "corta a memória em fila. Separe primeiro as colunas de cada token e só depois troque os eixos de lugar.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return X.reshape(h, N, d // h)


@dividir_cabecas.equivoco(
    "intercalado",
    "Cada cabeça recebeu uma coluna sim, outras não (0, h, 2h, …). As colunas de uma cabeça são vizinhas: "
    "a cabeça 0 fica com as d_h primeiras.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return X.reshape(N, d // h, h).transpose(2, 0, 1)


@dividir_cabecas.equivoco(
    "cabeca-no-meio",
    "Os números certos estão lá, na ordem (N, h, d_h): o eixo das cabeças ficou no meio. Ele deve vir primeiro.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return X.reshape(N, h, d // h)


@dividir_cabecas.equivoco(
    "cabeca-deitada",
    "Cada cabeça saiu transposta, (h, d_h, N). Dentro de uma cabeça, cada linha é um token.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return X.T.reshape(h, d // h, N)


@dividir_cabecas.equivoco(
    "transposta-e-reshape",
    "A forma está certa, mas o reshape de Xᵀ direto para (h, N, d_h) embaralha tokens e colunas. Um reshape nunca "
    "troca eixos de lugar: para isso há transpose.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return X.T.reshape(h, N, d // h)


@dividir_cabecas.equivoco(
    "troca-h-por-d_h",
    "Você fez cabeças de tamanho h, em vez de h cabeças. O argumento h diz quantas são; o tamanho de cada uma é d/h.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return X.reshape(N, d // h, h).transpose(1, 0, 2)


@dividir_cabecas.equivoco(
    "sempre-a-primeira",
    "Todas as cabeças são iguais: cada uma recebeu as mesmas d_h primeiras colunas. O começo da fatia precisa andar "
    "com a cabeça.",
)
def _(X, h):
    d = X.shape[1]
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return np.stack([X[:, : d // h] for _ in range(h)])


@dividir_cabecas.equivoco(
    "ordem-invertida",
    "As cabeças estão de trás para a frente: a cabeça 0 deve ficar com as primeiras colunas.",
)
def _(X, h):
    return _dividir(X, h)[::-1]


@dividir_cabecas.equivoco(
    "divide-os-tokens",
    "Você repartiu as linhas, e cada cabeça viu só uma parte da frase. O que se reparte são as colunas: toda cabeça "
    "vê todos os tokens.",
)
def _(X, h):
    d = X.shape[1]
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return np.stack(np.split(X, h, axis=0))


@dividir_cabecas.equivoco(
    "joga-o-resto-fora",
    "Quando h não divide d, sua função descarta as colunas que sobram, sem avisar. O enunciado pede um ValueError que "
    "cite d e h.",
)
def _(X, h):
    d_h = X.shape[1] // h
    return np.stack([X[:, i * d_h : (i + 1) * d_h] for i in range(h)])


@dividir_cabecas.equivoco(
    "erro-do-reshape",
    "Quando h não divide d, quem reclama é o reshape do NumPy, e a mensagem dele não diz quem são os culpados. "
    "Examine d e h antes, e cite os dois.",
)
def _(X, h):
    N, d = X.shape
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@dividir_cabecas.equivoco(
    "erro-do-split",
    "Quando h não divide d, quem reclama é o np.split, e a mensagem dele não cita número nenhum. Examine d e h antes, "
    "e cite os dois.",
)
def _(X, h):
    return np.stack(np.split(X, h, axis=1))


@dividir_cabecas.equivoco(
    "assert-em-vez-de-erro",
    "A verificação está lá, mas um assert lança AssertionError. O enunciado pede um ValueError: "
    "`raise ValueError(...)`.",
)
def _(X, h):
    N, d = X.shape
    assert d % h == 0, f"d = {d} não é divisível por h = {h}"
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@dividir_cabecas.equivoco(
    "erro-do-array_split",
    "Quando h não divide d, o np.array_split faz pedaços desiguais, e quem reclama é o np.array, sem dizer os "
    "culpados. Examine d e h antes, e cite os dois.",
)
def _(X, h):
    return np.array(np.array_split(X, h, axis=1))


@dividir_cabecas.equivoco(
    "cita-so-d",
    "O ValueError está certo, mas a mensagem só fala de d. Quem lê precisa dos dois culpados: diga também quantas são "
    "as cabeças, h.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d={d} não é divisível")
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@dividir_cabecas.equivoco(
    "cita-so-h",
    "O ValueError está certo, mas a mensagem só fala de h. Quem lê precisa dos dois culpados: diga também qual é a "
    "dimensão, d.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"h={h} inválido")
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@dividir_cabecas.equivoco(
    "devolve-o-erro",
    "Quando h não divide d, sua função devolve o ValueError, como se fosse um resultado. Um erro se lança: troque o "
    "return por raise.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        return ValueError(f"d = {d} não é divisível por h = {h}")
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@dividir_cabecas.equivoco(
    "imprime-o-erro",
    "Quando h não divide d, sua função devolve None. Um aviso na tela não faz parar quem a chamou: "
    "lance o erro com raise.",
)
def _(X, h):
    N, d = X.shape
    if d % h:
        print(f"d = {d} não é divisível por h = {h}")
        return None
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@dividir_cabecas.alternativa("fatias-empilhadas")
def _(X, h):
    d = X.shape[1]
    if d % h != 0:
        raise ValueError(f"não dá para repartir {d} colunas entre {h} cabeças")
    d_h = d // h
    return np.stack([X[:, i * d_h : (i + 1) * d_h] for i in range(h)])


@dividir_cabecas.alternativa("com-lacos")
def _(X, h):
    N, d = X.shape
    d_h, resto = divmod(d, h)
    if resto:
        raise ValueError(f"{h} não divide {d}")
    H = np.zeros((h, N, d_h))
    for i in range(h):
        for n in range(N):
            for c in range(d_h):
                H[i, n, c] = X[n, i * d_h + c]
    return H


@dividir_cabecas.alternativa("com-split")
def _(X, h):
    d = X.shape[1]
    if d % h:
        raise ValueError(f"d={d}, h={h}")
    return np.array(np.split(X, h, axis=1))


@dividir_cabecas.alternativa("com-torch")
def _(X, h):
    T = torch.tensor(X)
    N, d = T.shape
    if d % h:
        raise ValueError(f"o número de cabeças {h} não divide a dimensão {d}")
    return T.view(N, h, d // h).permute(1, 0, 2)


@dividir_cabecas.alternativa("pela-transposta")
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d}, h = {h}: a divisão não é exata")
    return np.swapaxes(X.T.reshape(h, d // h, N), 1, 2)


@dividir_cabecas.alternativa("com-einsum-float32")
def _(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é múltiplo de h = {h}")
    seletor = np.eye(d, dtype=np.float32).reshape(d, h, d // h)  # seletor[k, i, c] = 1 se k = i·d_h + c
    return np.einsum("nk,kic->inc", X.astype(np.float32), seletor)


# -------------------------------------------------------------------------------------- juntar_cabecas


def _juntar(H):
    h, N, d_h = H.shape
    return H.transpose(1, 0, 2).reshape(N, h * d_h)


def _ocultos_juntar(rng):
    return [
        caso(rng.normal(size=(2, 5, 3))),
        caso(rng.normal(size=(4, 3, 2))),
        caso(rng.normal(size=(3, 2, 5))),
        caso(rng.normal(size=(5, 4, 3))),
        caso(rng.normal(size=(1, 4, 3))),
        caso(rng.normal(size=(3, 1, 4))),
        caso(rng.normal(size=(4, 6, 1))),
        caso(rng.normal(size=(4, 4, 3))),
        caso(rng.normal(size=(2, 1, 1))),
    ]


juntar_cabecas = questao(
    "lista-05/juntar_cabecas",
    assinatura="juntar_cabecas(H)",
    saida="array",
    referencia=_juntar,
    casos=[
        caso(
            np.array([[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0]], [[2.0, 3.0], [12.0, 13.0], [22.0, 23.0]]]),
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(
            np.array(
                [
                    [[0.2, 1.1, -0.4, 0.7], [1.3, -0.8, 0.5, 0.0]],
                    [[-0.1, 0.6, 0.9, -1.5], [0.8, -0.3, 1.2, 0.4]],
                    [[-0.9, 0.1, 0.3, 1.6], [0.5, 1.4, -0.7, -0.2]],
                ]
            ),
            rotulo="três cabeças de tamanho 4",
        ),
        caso(
            np.array(
                [
                    [[0.4, -0.5], [1.2, 0.9], [-0.6, 0.3]],
                    [[-1.1, 0.7], [0.2, 1.3], [0.8, -0.4]],
                    [[1.5, 0.1], [-0.2, 0.6], [1.7, -0.9]],
                    [[0.0, 1.8], [1.4, -1.3], [-0.7, 1.0]],
                ]
            ),
            rotulo="quatro cabeças de tamanho 2",
        ),
        caso(np.array([[[0.5, -0.2, 0.9], [0.3, 0.8, -0.6]]]), rotulo="uma cabeça só"),
        caso(np.array([[[0.5], [0.3], [-1.1]], [[0.8], [-0.6], [0.2]]]), rotulo="cabeças de tamanho 1"),
        caso(np.array([[[0.5, -0.2, 0.9]], [[0.3, 0.8, -0.6]]]), rotulo="um token só"),
        caso(
            np.array(
                [
                    [[0.1, 0.2], [1.1, 1.2], [2.1, 2.2]],
                    [[0.3, 0.4], [1.3, 1.4], [2.3, 2.4]],
                    [[0.5, 0.6], [1.5, 1.6], [2.5, 2.6]],
                ]
            ),
            rotulo="tantas cabeças quantos tokens",
        ),
    ],
    ocultos=_ocultos_juntar,
)


@juntar_cabecas.equivoco(
    "so-reshape",
    "A forma está certa, mas cada linha junta pedaços de tokens diferentes: o reshape leu a memória cabeça por cabeça. "
    "Antes dele, o eixo dos tokens precisa vir para a frente.",
)
def _(H):
    h, N, d_h = H.shape
    return H.reshape(N, h * d_h)


@juntar_cabecas.equivoco(
    "concatena-no-eixo-0",
    "As cabeças foram empilhadas, e a frase ficou h vezes mais comprida. Elas se juntam lado a lado: quem cresce é o "
    "último eixo, o das colunas.",
)
def _(H):
    return np.concatenate(list(H))


@juntar_cabecas.equivoco(
    "media-das-cabecas",
    "Você fez a média das cabeças. Assim o que uma viu se mistura ao que a outra viu; juntar é pôr lado a lado, sem "
    "perder nada.",
)
def _(H):
    return H.mean(axis=0)


@juntar_cabecas.equivoco(
    "soma-das-cabecas",
    "Você somou as cabeças. Assim não dá mais para saber o que cada uma viu; juntar é pôr lado a lado.",
)
def _(H):
    return H.sum(axis=0)


@juntar_cabecas.equivoco(
    "intercala",
    "As colunas das cabeças saíram intercaladas. Primeiro vêm todas as da cabeça 0, depois todas as da cabeça 1, e "
    "assim por diante: veja a ordem dos eixos antes do reshape.",
)
def _(H):
    h, N, d_h = H.shape
    return H.transpose(1, 2, 0).reshape(N, h * d_h)


@juntar_cabecas.equivoco(
    "ordem-invertida",
    "As cabeças estão de trás para a frente: as primeiras colunas são da cabeça 0.",
)
def _(H):
    return _juntar(H[::-1])


@juntar_cabecas.equivoco(
    "para-no-meio",
    "Os eixos estão na ordem certa, (N, h, d_h), mas ainda são três. Falta fundir os dois últimos em um.",
)
def _(H):
    return H.transpose(1, 0, 2)


@juntar_cabecas.equivoco(
    "saida-transposta",
    "A saída está deitada: cada linha deve ser um token, e cada coluna, uma componente de uma cabeça.",
)
def _(H):
    return _juntar(H).T


@juntar_cabecas.equivoco(
    "so-a-primeira",
    "Só a primeira cabeça chegou ao fim. As outras também contam.",
)
def _(H):
    return H[0].copy()


@juntar_cabecas.equivoco(
    "transpoe-tudo",
    "O `.T` de um array de três eixos inverte os três, e o reshape depois dele embaralha tudo. Diga em que ordem quer "
    "os eixos.",
)
def _(H):
    h, N, d_h = H.shape
    return H.T.reshape(N, h * d_h)


@juntar_cabecas.equivoco(
    "repete-a-primeira",
    "Todas as fatias da saída são iguais à cabeça 0. O índice da cabeça não está andando no seu laço.",
)
def _(H):
    return np.concatenate([H[0] for _ in H], axis=-1)


@juntar_cabecas.equivoco(
    "maximo-das-cabecas",
    "Você ficou com o maior valor entre as cabeças. Juntar não escolhe: põe lado a lado.",
)
def _(H):
    return H.max(axis=0)


@juntar_cabecas.equivoco(
    "squeeze",
    "Com um token só, a saída perdeu o eixo dos tokens: um squeeze leva todo eixo de tamanho 1. A forma é sempre "
    "(N, h·d_h), mesmo com N = 1.",
)
def _(H):
    return np.hstack(list(H)).squeeze()


@juntar_cabecas.equivoco(
    "eixo-adivinhado-pelo-tamanho",
    "Quando há tantas cabeças quantos tokens, os eixos se confundem na sua função. A posição diz o que é cada eixo; o "
    "tamanho não.",
)
def _(H):
    h, N, d_h = H.shape
    return H.reshape(N, h * d_h) if h == N else _juntar(H)


@juntar_cabecas.alternativa("concatena-no-ultimo-eixo")
def _(H):
    return np.concatenate(list(H), axis=-1)


@juntar_cabecas.alternativa("com-hstack")
def _(H):
    return np.hstack(list(H))


@juntar_cabecas.alternativa("com-lacos")
def _(H):
    h, N, d_h = H.shape
    Z = np.zeros((N, h * d_h))
    for i in range(h):
        Z[:, i * d_h : (i + 1) * d_h] = H[i]
    return Z


@juntar_cabecas.alternativa("com-torch")
def _(H):
    return torch.cat(list(torch.tensor(H)), dim=-1)


@juntar_cabecas.alternativa("com-torch-float32")
def _(H):
    T = torch.tensor(H, dtype=torch.float32)
    return T.permute(1, 0, 2).flatten(1)


@juntar_cabecas.alternativa("com-einsum")
def _(H):
    return np.einsum("inc->nic", H).reshape(H.shape[1], -1)


# --------------------------------------------------------------------------------------- multi_cabecas


def _multi(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V) @ W_O, A


def _sorteio(rng, N, d, h):
    """X (N, d), quatro pesos (d, d) e h: as pontuações ficam com desvio perto de 1, longe de saturar."""
    pesos = [rng.normal(size=(d, d)) * s / np.sqrt(d) for s in (1.2, 1.2, 1.0, 1.0)]
    return caso(rng.normal(size=(N, d)), *pesos, h)


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
    return caso(X, W_Q, W_K, W_V, W_O, h, rotulo=rotulo)


def _ocultos_multi(rng):
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
    return caso(np.round(rng.normal(size=(N, d)), 1) + 0.0, *pesos, h, rotulo=rotulo)


_X_EXEMPLO = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]])
_WQ_EXEMPLO = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]])
_WK_EXEMPLO = np.array([[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 2.0]])
_WV_EXEMPLO = np.array([[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 1.0]])
_WO_EXEMPLO = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]])

multi_cabecas = questao(
    "lista-05/multi_cabecas",
    assinatura="multi_cabecas(X, W_Q, W_K, W_V, W_O, h)",
    saida=[("Y", "array"), ("A", "array")],
    referencia=_multi,
    casos=[
        caso(
            _X_EXEMPLO, _WQ_EXEMPLO, _WK_EXEMPLO, _WV_EXEMPLO, _WO_EXEMPLO, 2,
            claro=True, rotulo="o exemplo do enunciado",
        ),
        _redondos(11, 5, 6, 2, "cinco tokens, d = 6, h = 2"),
        _redondos(12, 2, 6, 3, "dois tokens, d = 6, h = 3"),
        _redondos(13, 4, 3, 1, "uma cabeça só"),
        _redondos(14, 1, 4, 2, "um token só"),
        _redondos(15, 2, 4, 2, "tantas cabeças quantos tokens"),
        _enormes_na_softmax(np.random.default_rng(16), 4, 3, "pontuações perto de 1024 e de -1024"),
    ],
    ocultos=_ocultos_multi,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
)  # fmt: skip


@multi_cabecas.equivoco(
    "reshape-sem-transpor",
    "As formas estão certas, mas as cabeças misturam tokens: ao repartir Q, K e V, o reshape foi direto para "
    "(h, N, d_h). Use a sua dividir_cabecas (e a juntar_cabecas na volta).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(h, N, d // h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return (A @ V).reshape(N, d) @ W_O, A


@multi_cabecas.equivoco(
    "reparte-sem-transpor",
    "A junção está certa, mas a divisão não: o reshape foi direto para (h, N, d_h), e cada cabeça misturou tokens. "
    "Use a sua dividir_cabecas.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(h, N, d // h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "junta-com-reshape",
    "A está certa, mas Y não: ao juntar as cabeças, o reshape foi direto de (h, N, d_h) para (N, d) e misturou "
    "tokens. Use a sua juntar_cabecas.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return (A @ V).reshape(N, d) @ W_O, A


@multi_cabecas.equivoco(
    "intercalado",
    "Suas cabeças pegaram colunas intercaladas de Q, K e V. As colunas de uma cabeça são vizinhas: a cabeça 0 fica "
    "com as d_h primeiras.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(N, d // h, h).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return (A @ V).transpose(1, 2, 0).reshape(N, d) @ W_O, A


@multi_cabecas.equivoco(
    "sem-W_O",
    "A está certa, e Y é a fila das cabeças sem a mistura final. Falta multiplicar por W_O.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V), A


@multi_cabecas.equivoco(
    "W_O-antes-da-atencao",
    "W_O entrou antes da atenção, e a divisão em cabeças cortou o que ela tinha misturado. Ela vem por último, depois "
    "de juntar.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V @ W_O))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V), A


@multi_cabecas.equivoco(
    "W_O-transposta",
    "A está certa, mas a saída foi multiplicada pela transposta de W_O. Os tokens estão nas linhas: o peso vem à "
    "direita, como está.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V) @ W_O.T, A


@multi_cabecas.equivoco(
    "pesos-transpostos",
    "Você multiplicou pelas transpostas dos pesos, como faz a nn.Linear do torch por dentro. Aqui é X @ W.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W.T, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V) @ W_O.T, A


@multi_cabecas.equivoco(
    "escala-raiz-de-d",
    "A escala usa √d, o tamanho do modelo inteiro. O produto escalar de uma cabeça tem só d_h parcelas: é √d_h.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(X.shape[-1]))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "escala-raiz-de-h",
    "A escala usa √h, o número de cabeças. Quem entra na raiz é o tamanho de uma cabeça, d_h.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(h))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "reparte-intercalado",
    "A junção está certa, mas a divisão pegou colunas intercaladas de Q, K e V. As colunas de uma cabeça são vizinhas: "
    "use a sua dividir_cabecas.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(N, d // h, h).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "sem-escala",
    "As pontuações entraram na softmax sem escala. Divida-as por √d_h antes.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "escala-sem-raiz",
    "Você dividiu as pontuações por d_h. É pela raiz dele (aula 03).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / Q.shape[-1])
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "softmax-nas-colunas",
    "Em cada cabeça, são as colunas de A que somam 1. Deve ser cada linha: a softmax vai ao longo do último eixo.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]), 1)
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "softmax-entre-cabecas",
    "A softmax correu ao longo do eixo 0, o das cabeças: elas é que estão competindo. Quem compete são os tokens, no "
    "último eixo.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]), 0)
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "A-media-das-cabecas",
    "Y está certa, mas A é a média das cabeças, (N, N), como o torch devolve se ninguém pede outra coisa. Devolva "
    "todas: (h, N, N).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Y, A = _multi(X, W_Q, W_K, W_V, W_O, h)
    return Y, A.mean(axis=0)


@multi_cabecas.equivoco(
    "cabecas-no-fim",
    "Y está certa, mas A saiu com o eixo das cabeças no fim, (N, N, h). Ele vem primeiro.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Y, A = _multi(X, W_Q, W_K, W_V, W_O, h)
    return Y, A.transpose(1, 2, 0)


@multi_cabecas.equivoco(
    "cabecas-no-meio",
    "Y está certa, mas A saiu com o eixo das cabeças no meio, (N, h, N). Ele vem primeiro.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Y, A = _multi(X, W_Q, W_K, W_V, W_O, h)
    return Y, A.transpose(1, 0, 2)


@multi_cabecas.equivoco(
    "ignora-h",
    "Isto é uma cabeça só, do tamanho do modelo: h não entrou na conta. Reparta Q, K e V antes da atenção.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    return _multi(X, W_Q, W_K, W_V, W_O, 1)


@multi_cabecas.equivoco(
    "cabeca-repetida",
    "Todas as cabeças são iguais à primeira: o mesmo pedaço de Q, K e V foi usado h vezes. O índice da cabeça não "
    "está andando.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h)[[0] * h] for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "sem-projetar",
    "Q, K e V são a própria X repartida: os pesos W_Q, W_K e W_V não entraram na conta.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q = K = V = _dividir(X, h)
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "consultas-por-chaves",
    "As pontuações estão transpostas: a linha deve ser de quem consulta (Q) e a coluna, de quem é lido (K).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(K @ Q.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "mistura-chaves",
    "A está certa, mas o que se misturou foram as chaves K. O que um token entrega é o valor V.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K = (_dividir(X @ W, h) for W in (W_Q, W_K))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ K) @ W_O, A


@multi_cabecas.equivoco(
    "soma-a-entrada",
    "Você somou X à saída. Essa conexão residual vem na aula 07; aqui Y é só a atenção.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Y, A = _multi(X, W_Q, W_K, W_V, W_O, h)
    return X + Y, A


@multi_cabecas.equivoco(
    "mascara-causal",
    "Os pesos acima da diagonal são zero: cada token só olha para trás. Essa máscara é da aula 06; aqui não há.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    A = _softmax(np.where(np.tri(len(X), dtype=bool), S, -1e9))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "ordem-trocada",
    "Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, d), depois A (h, N, N).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Y, A = _multi(X, W_Q, W_K, W_V, W_O, h)
    return A, Y


@multi_cabecas.equivoco(
    "T-com-tres-eixos",
    "O `.T` de um array (h, N, d_h) inverte os três eixos, e o produto não se encaixa. Dentro de cada cabeça, troque "
    "só os dois últimos.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "divide-antes-de-projetar",
    "Você dividiu X em cabeças antes de projetar, e um pedaço de X não se encaixa em W (d, d). Projete a X inteira; "
    "divida depois.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X, h) @ W for W in (W_Q, W_K, W_V))
    A = _softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "softmax-instavel",
    "Com pontuações perto de 1000 a exponencial estoura, e A sai com NaN. Em cada linha, subtraia o máximo antes de "
    "exponenciar: a softmax não muda (lista 02).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    e = np.exp(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    A = e / e.sum(axis=-1, keepdims=True)
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "math.exp-estoura",
    "Com pontuações perto de 1000, o math.exp estoura e sua função para. Em cada linha, subtraia o máximo antes de "
    "exponenciar: a softmax não muda (lista 02).",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    A = np.vectorize(math.exp)(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    A = A / A.sum(axis=-1, keepdims=True)
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.equivoco(
    "maximo-do-array-inteiro",
    "Você subtraiu um máximo só, o de todas as pontuações, e as linhas muito abaixo dele viraram 0/0. O máximo é o de "
    "cada linha: guarde o eixo com keepdims.",
)
def _(X, W_Q, W_K, W_V, W_O, h):
    Q, K, V = (_dividir(X @ W, h) for W in (W_Q, W_K, W_V))
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    e = np.exp(S - S.max())
    A = e / e.sum(axis=-1, keepdims=True)
    return _juntar(A @ V) @ W_O, A


@multi_cabecas.alternativa("laco-por-cabeca")
def _(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    saidas, pesos = [], []
    for i in range(h):
        c = slice(i * d_h, (i + 1) * d_h)
        A_i = _softmax((X @ W_Q[:, c]) @ (X @ W_K[:, c]).T / np.sqrt(d_h))
        saidas.append(A_i @ (X @ W_V[:, c]))
        pesos.append(A_i)
    return np.concatenate(saidas, axis=1) @ W_O, np.stack(pesos)


@multi_cabecas.alternativa("soma-de-cabecas-por-blocos-de-W_O")
def _(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    Y, A = np.zeros(X.shape), np.zeros((h, len(X), len(X)))
    for i in range(h):
        c = slice(i * d_h, (i + 1) * d_h)
        A[i] = _softmax(X @ (W_Q[:, c] @ W_K[:, c].T) @ X.T / d_h**0.5)
        Y += A[i] @ X @ (W_V[:, c] @ W_O[c])
    return Y, A


@multi_cabecas.alternativa("com-einsum")
def _(X, W_Q, W_K, W_V, W_O, h):
    d = X.shape[1]
    pesos = [W.reshape(d, h, d // h) for W in (W_Q, W_K, W_V)]
    Q, K, V = (np.einsum("nd,dic->inc", X, W) for W in pesos)
    A = _softmax(np.einsum("inc,imc->inm", Q, K) / np.sqrt(d // h))
    return np.einsum("inm,imc,icd->nd", A, V, W_O.reshape(h, d // h, d)), A


@multi_cabecas.alternativa("com-torch-float32")
def _(X, W_Q, W_K, W_V, W_O, h):
    X, W_Q, W_K, W_V, W_O = (torch.tensor(M, dtype=torch.float32) for M in (X, W_Q, W_K, W_V, W_O))
    N, d = X.shape
    Q, K, V = ((X @ W).view(N, h, d // h).transpose(0, 1) for W in (W_Q, W_K, W_V))
    A = torch.softmax(Q @ K.transpose(1, 2) / (d // h) ** 0.5, dim=-1)
    return (A @ V).transpose(0, 1).reshape(N, d) @ W_O, A


@multi_cabecas.alternativa("atencao-pronta-do-torch")
def _(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = (torch.tensor(_dividir(X @ W, h)) for W in (W_Q, W_K, W_V))
    H = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    A = torch.softmax(Q @ K.mT / (d // h) ** 0.5, dim=-1)
    return H.transpose(0, 1).reshape(N, d).numpy() @ W_O, A


@multi_cabecas.alternativa("modulo-do-torch-float32")
def _(X, W_Q, W_K, W_V, W_O, h):
    modulo = _para_torch(W_Q, W_K, W_V, W_O, h)
    X = torch.tensor(X, dtype=torch.float32)
    return modulo(X, X, X, average_attn_weights=False)


@multi_cabecas.alternativa("sdpa-float32")
def _(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = (torch.tensor(_dividir(X @ W, h), dtype=torch.float32) for W in (W_Q, W_K, W_V))
    atender = torch.nn.functional.scaled_dot_product_attention
    A = atender(Q, K, torch.eye(N).expand(h, N, N))  # com a identidade como valores, saem os pesos
    return atender(Q, K, V).transpose(0, 1).reshape(N, d) @ torch.tensor(W_O, dtype=torch.float32), A


@multi_cabecas.alternativa("com-lacos-e-math")
def _(X, W_Q, W_K, W_V, W_O, h):
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


@multi_cabecas.alternativa("escala-em-Q")
def _(X, W_Q, W_K, W_V, W_O, h):
    d_h = X.shape[1] // h
    Q, K, V = (np.stack(np.split(X @ W, h, axis=1)) for W in (W_Q / d_h**0.5, W_K, W_V))
    A = _softmax(Q @ np.swapaxes(K, -1, -2))
    return np.hstack(list(A @ V)) @ W_O, A


# ----------------------------------------------------------------------------------- contar_parametros


def _contar(d_model, h, vies=True):
    return 4 * d_model**2 + (4 * d_model if vies else 0)


_D_E_H = [(64, 4), (96, 6), (128, 8), (256, 4), (320, 5), (512, 8), (640, 10), (2048, 16)]


def _ocultos_contar(rng):
    i, j = rng.choice(len(_D_E_H), size=2, replace=False)
    return [
        caso(*_D_E_H[i]),
        caso(*_D_E_H[j], False),
        caso(*_D_E_H[j], True),
        caso(12288, 96, False),
        caso(16384, 128),
        caso(int(rng.integers(3, 30)) * 7, 7),
        caso(int(rng.integers(3, 30)), 1, False),
    ]


contar_parametros = questao(
    "lista-05/contar_parametros",
    assinatura="contar_parametros(d_model, h, vies=True)",
    saida="int",
    referencia=_contar,
    casos=[
        caso(6, 2, claro=True, rotulo="o exemplo do enunciado"),
        caso(6, 2, False, rotulo="o exemplo, sem viés"),
        caso(768, 12, True, rotulo="uma camada do BERT-base"),
        caso(1024, 16, False, rotulo="uma camada do BERT-large, sem viés"),
        caso(12288, 96, rotulo="uma camada do GPT-3"),
        caso(10, 1, rotulo="uma cabeça só"),
    ],
    ocultos=_ocultos_contar,
    prazo=2.0,
)


@contar_parametros.equivoco(
    "esquece-W_O",
    "Você contou três projeções. São quatro: além de W_Q, W_K e W_V, há a de saída, W_O.",
)
def _(d_model, h, vies=True):
    return 3 * d_model**2 + (3 * d_model if vies else 0)


@contar_parametros.equivoco(
    "vezes-h",
    "Sua conta dá a cada cabeça projeções do tamanho do modelo inteiro. Cada cabeça tem d/h colunas; as h juntas fazem "
    "uma matriz (d, d).",
)
def _(d_model, h, vies=True):
    return h * (4 * d_model**2 + (4 * d_model if vies else 0))


@contar_parametros.equivoco(
    "vezes-h-menos-W_O",
    "A projeção de saída está certa, mas W_Q, W_K e W_V foram contadas h vezes inteiras. Cada cabeça tem só d/h "
    "colunas de cada uma.",
)
def _(d_model, h, vies=True):
    return h * 3 * d_model**2 + d_model**2 + (4 * d_model if vies else 0)


@contar_parametros.equivoco(
    "uma-cabeca-so",
    "Você contou os parâmetros de uma cabeça, com d·(d/h) em cada projeção. São h cabeças, e o h se cancela.",
)
def _(d_model, h, vies=True):
    d_h = d_model // h
    return 4 * d_model * d_h + (4 * d_h if vies else 0)


@contar_parametros.equivoco(
    "W_O-de-uma-cabeca",
    "W_Q, W_K e W_V estão certas, mas W_O foi contada com d/h linhas. Ela recebe as h cabeças em fila: é (d, d).",
)
def _(d_model, h, vies=True):
    return 3 * d_model**2 + d_model * (d_model // h) + (4 * d_model if vies else 0)


@contar_parametros.equivoco(
    "um-vies-so",
    "As matrizes estão certas, mas há um viés só. Cada uma das quatro projeções tem o seu, de tamanho d.",
)
def _(d_model, h, vies=True):
    return 4 * d_model**2 + (d_model if vies else 0)


@contar_parametros.equivoco(
    "tres-vieses",
    "As matrizes estão certas, mas a projeção de saída ficou sem viés. Ela também tem o seu, de tamanho d.",
)
def _(d_model, h, vies=True):
    return 4 * d_model**2 + (3 * d_model if vies else 0)


@contar_parametros.equivoco(
    "vies-por-cabeca",
    "As matrizes estão certas, mas cada cabeça ganhou um viés do tamanho do modelo. As h cabeças juntas têm d "
    "componentes por projeção.",
)
def _(d_model, h, vies=True):
    return 4 * d_model**2 + (4 * h * d_model if vies else 0)


@contar_parametros.equivoco(
    "vies-de-uma-cabeca",
    "As matrizes estão certas, mas os vieses têm só d/h componentes. O viés de uma projeção tem uma componente para "
    "cada coluna dela, e são d.",
)
def _(d_model, h, vies=True):
    return 4 * d_model**2 + (4 * (d_model // h) if vies else 0)


@contar_parametros.equivoco(
    "sempre-com-vies",
    "Você soma os vieses mesmo quando `vies` é False.",
)
def _(d_model, h, vies=True):
    return 4 * d_model**2 + 4 * d_model


@contar_parametros.equivoco(
    "nunca-com-vies",
    "Os vieses não entraram na conta quando `vies` é True (o padrão). São quatro, de tamanho d.",
)
def _(d_model, h, vies=True):
    return 4 * d_model**2


@contar_parametros.equivoco(
    "vies-ao-contrario",
    "Está trocado: você soma os vieses quando `vies` é False, e não soma quando é True.",
)
def _(d_model, h, vies=True):
    return 4 * d_model**2 + (0 if vies else 4 * d_model)


@contar_parametros.equivoco(
    "o-bloco-inteiro",
    "Você contou também a camada feed-forward (mais 8d² e 5d). A pergunta é só sobre as quatro projeções da atenção.",
)
def _(d_model, h, vies=True):
    return 12 * d_model**2 + (9 * d_model if vies else 0)


@contar_parametros.equivoco(
    "sem-quadrado",
    "Seu resultado cresce com d, e não com d²: parece que cada matriz entrou com d números. Uma matriz (d, d) tem d·d.",
)
def _(d_model, h, vies=True):
    return 4 * d_model + (4 * d_model if vies else 0)


@contar_parametros.alternativa("fatorada")
def _(d_model, h, vies=True):
    return 4 * d_model * (d_model + int(vies))


@contar_parametros.alternativa("cabeca-por-cabeca")
def _(d_model, h, vies=True):
    d_h = d_model // h
    total = 0
    for _ in range(h):
        total += 3 * (d_model * d_h + (d_h if vies else 0))  # W_Q, W_K e W_V desta cabeça
    return total + h * d_h * d_model + (d_model if vies else 0)  # e W_O


@contar_parametros.alternativa("modulo-do-torch-sem-memoria")
def _(d_model, h, vies=True):
    modulo = torch.nn.MultiheadAttention(d_model, h, bias=vies, device="meta")  # formas, sem números dentro
    return sum(p.numel() for p in modulo.parameters())


@contar_parametros.alternativa("inteiro-do-numpy")
def _(d_model, h, vies=True):
    d = np.int64(d_model)
    return 4 * d * d + (4 * d if vies else 0)


@contar_parametros.alternativa("soma-de-formas")
def _(d_model, h, vies=True):
    formas = [(d_model, d_model)] * 4 + [(d_model,)] * (4 if vies else 0)
    return sum(int(np.prod(forma, dtype=np.int64)) for forma in formas)


# ------------------------------------------------------------------------------------------ para_torch


def _modulo(W_O, h, **opcoes):
    """Um nn.MultiheadAttention do tamanho pedido, ainda com os pesos sorteados pelo torch."""
    return torch.nn.MultiheadAttention(len(W_O), h, **({"bias": False, "batch_first": True} | opcoes))


def _preencher(modulo, entrada, saida):
    """Copia para o módulo o peso de entrada (3d, d) e o de saída (d, d)."""
    with torch.no_grad():
        modulo.in_proj_weight.copy_(torch.tensor(entrada))
        modulo.out_proj.weight.copy_(torch.tensor(saida))
    return modulo


def _para_torch(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, h), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)


def _caso_torch(rng, N, d, h, casas=None, rotulo=""):
    """Pesos, h e X; as pontuações ficam longe de saturar."""
    matrizes = [rng.normal(size=(d, d)) * s / np.sqrt(d) for s in (1.2, 1.2, 1.0, 1.0)]
    X = rng.normal(size=(N, d))
    if casas is not None:
        matrizes, X = [np.round(M, casas) + 0.0 for M in matrizes], np.round(X, casas) + 0.0
    return caso(*matrizes, h, X, rotulo=rotulo)


def _ocultos_torch(rng):
    return [
        _caso_torch(rng, 5, 8, 2),
        _caso_torch(rng, 4, 6, 3),
        _caso_torch(rng, 3, 12, 4),
        _caso_torch(rng, 7, 10, 5),
        _caso_torch(rng, 4, 5, 1),
        _caso_torch(rng, 1, 4, 4),
        _caso_torch(rng, 2, 8, 2),
    ]


para_torch = questao(
    "lista-05/para_torch",
    assinatura="para_torch(W_Q, W_K, W_V, W_O, h)",
    saida=[("módulo", "texto"), ("Y", "array"), ("A", "array")],
    referencia=_para_torch,
    casos=[
        caso(
            _WQ_EXEMPLO, _WK_EXEMPLO, _WV_EXEMPLO, _WO_EXEMPLO, 2, _X_EXEMPLO,
            claro=True, rotulo="o exemplo da questão 5",
        ),
        _caso_torch(np.random.default_rng(21), 5, 6, 2, 1, "cinco tokens, d = 6, h = 2"),
        _caso_torch(np.random.default_rng(22), 3, 6, 3, 1, "três tokens, d = 6, h = 3"),
        _caso_torch(np.random.default_rng(23), 4, 3, 1, 1, "uma cabeça só"),
        _caso_torch(np.random.default_rng(24), 2, 6, 2, 1, "d = 6 e h = 2 outra vez, com outros pesos"),
    ],
    ocultos=_ocultos_torch,
    adaptador="lista_05.para_torch",
)  # fmt: skip


@para_torch.equivoco(
    "sem-transpor",
    "Os pesos foram copiados como estão, e o torch os guarda transpostos: por dentro ele faz x @ W.T. Como as "
    "matrizes são quadradas, nada avisa.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, h), np.concatenate([W_Q, W_K, W_V]), W_O)


@para_torch.equivoco(
    "saida-sem-transpor",
    "Os pesos de atenção estão certos, mas a saída não: o peso de out_proj foi copiado sem transpor.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, h), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O)


@para_torch.equivoco(
    "entrada-sem-transpor",
    "A projeção de saída está transposta, como deve ser, mas as de entrada não: in_proj_weight guarda W_Qᵀ, W_Kᵀ e "
    "W_Vᵀ, uma embaixo da outra.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, h), np.concatenate([W_Q, W_K, W_V]), W_O.T)


@para_torch.equivoco(
    "reshape-em-vez-de-transpor",
    "`in_proj_weight` tem a forma certa, (3d, d), mas você chegou a ela com reshape, que não troca linhas por colunas. "
    "Transponha.",
)
def _(W_Q, W_K, W_V, W_O, h):
    d = len(W_O)
    return _preencher(_modulo(W_O, h), np.concatenate([W_Q, W_K, W_V], axis=1).reshape(3 * d, d), W_O.T)


@para_torch.equivoco(
    "ordem-K-Q-V",
    "Em in_proj_weight, as chaves vieram antes das consultas. A ordem do torch é Q, K, V.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, h), np.concatenate([W_K.T, W_Q.T, W_V.T]), W_O.T)


@para_torch.equivoco(
    "ordem-Q-V-K",
    "Em in_proj_weight, os valores vieram antes das chaves. A ordem do torch é Q, K, V.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, h), np.concatenate([W_Q.T, W_V.T, W_K.T]), W_O.T)


@para_torch.equivoco(
    "ordem-V-K-Q",
    "Em in_proj_weight, a ordem saiu invertida: V, K, Q. A do torch é Q, K, V.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, h), np.concatenate([W_V.T, W_K.T, W_Q.T]), W_O.T)


@para_torch.equivoco(
    "W_O-esquecida",
    "Os pesos de atenção estão certos, mas a projeção de saída ainda é a que o torch sorteou: falta copiar W_O para "
    "out_proj.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h)
    with torch.no_grad():
        modulo.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
    return modulo


@para_torch.equivoco(
    "nada-copiado",
    "O módulo tem os pesos que o torch sorteou: nenhum dos seus chegou lá. Copie-os para in_proj_weight e para "
    "out_proj.weight.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _modulo(W_O, h)


@para_torch.equivoco(
    "nada-copiado-com-vies",
    "O módulo, criado com vieses, tem os pesos que o torch sorteou: nenhum dos seus chegou lá. Copie-os para "
    "in_proj_weight e para out_proj.weight.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _modulo(W_O, h, bias=True)


@para_torch.equivoco(
    "lote-no-segundo-eixo",
    "O módulo espera o lote no segundo eixo, que é o padrão do torch. Crie-o com batch_first=True.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h, batch_first=False)
    return _preencher(modulo, np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)


@para_torch.equivoco(
    "com-dropout",
    "O módulo tem dropout: em modo de treino, a saída muda de uma chamada para a outra. O enunciado pede sem.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h, dropout=0.1)
    return _preencher(modulo, np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)


@para_torch.equivoco(
    "uma-cabeca-so",
    "O módulo tem uma cabeça só, do tamanho do modelo. Diga a ele quantas são.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, 1), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)


@para_torch.equivoco(
    "escala-duas-vezes",
    "Você já entregou W_Q dividida por √d_h, e o módulo divide outra vez. A escala é com ele: copie os pesos como são.",
)
def _(W_Q, W_K, W_V, W_O, h):
    escala = np.sqrt(len(W_O) // h)
    return _preencher(_modulo(W_O, h), np.concatenate([W_Q.T / escala, W_K.T, W_V.T]), W_O.T)


@para_torch.equivoco(
    "tipos-misturados",
    "Uma parte dos pesos do módulo está em float64 e outra em float32, e o torch não multiplica as duas. Copie para "
    "dentro do que já existe, ou crie o módulo no tipo dos seus pesos.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h)
    modulo.in_proj_weight = torch.nn.Parameter(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
    with torch.no_grad():
        modulo.out_proj.weight.copy_(torch.tensor(W_O.T))
    return modulo


@para_torch.equivoco(
    "tipos-misturados-no-vies",
    "Os pesos do módulo estão em float64 e os vieses em float32, e o torch não junta os dois. Copie para dentro do que "
    "já existe, ou crie o módulo no tipo dos seus pesos.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h, bias=True)
    modulo.in_proj_weight.data = torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T]))
    modulo.out_proj.weight.data = torch.tensor(W_O.T)
    return modulo


@para_torch.equivoco(
    "sem-no_grad",
    "O torch não deixa escrever em um parâmetro que ele acompanha para o gradiente. Faça a cópia dentro de "
    "`with torch.no_grad():`.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h)
    modulo.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
    modulo.out_proj.weight.copy_(torch.tensor(W_O.T))
    return modulo


@para_torch.equivoco(
    "array-no-lugar-do-tensor",
    "Você pôs um array do NumPy no `.data` de um parâmetro, e lá só cabe um tensor. Converta antes, com torch.tensor.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h)
    modulo.in_proj_weight.data = np.concatenate([W_Q.T, W_K.T, W_V.T])
    modulo.out_proj.weight.data = W_O.T
    return modulo


@para_torch.equivoco(
    "tensor-no-lugar-do-parametro",
    "Um parâmetro do módulo não pode ser trocado por um tensor comum. Copie os valores para dentro dele com `copy_`, "
    "ou embrulhe o tensor em nn.Parameter.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h)
    modulo.in_proj_weight = torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T]))
    modulo.out_proj.weight = torch.tensor(W_O.T)
    return modulo


@para_torch.equivoco(
    "lado-a-lado-em-vez-de-empilhar",
    "Você entregou as três projeções lado a lado, (d, 3d), e in_proj_weight é (3d, d): uma embaixo da outra, cada uma "
    "transposta.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _modulo(W_O, h)
    entrada = torch.tensor(np.hstack([W_Q, W_K, W_V]))
    modulo.load_state_dict({"in_proj_weight": entrada, "out_proj.weight": torch.tensor(W_O.T)})
    return modulo


@para_torch.equivoco(
    "copia-lado-a-lado",
    "As três projeções estão lado a lado, (d, 3d), e não cabem em in_proj_weight, que é (3d, d): uma embaixo da outra, "
    "cada uma transposta.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _preencher(_modulo(W_O, h), np.concatenate([W_Q.T, W_K.T, W_V.T], axis=1), W_O.T)


@para_torch.equivoco(
    "devolve-tupla",
    "Você devolveu uma tupla. O enunciado pede só o módulo: quem o chama com X é a conferência.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return _para_torch(W_Q, W_K, W_V, W_O, h), h


@para_torch.equivoco(
    "devolve-a-classe",
    "Você devolveu a classe nn.MultiheadAttention, e não um módulo dela. Falta criá-lo, com parênteses e tamanhos.",
)
def _(W_Q, W_K, W_V, W_O, h):
    return torch.nn.MultiheadAttention


@para_torch.equivoco(
    "vies-que-nao-e-zero",
    "A saída está certa, mas há um viés diferente de zero no módulo (o das chaves não muda a softmax, e se esconde). "
    "O enunciado pede todos em zero, ou nenhum: crie-o com bias=False.",
)
def _(W_Q, W_K, W_V, W_O, h):
    d = len(W_O)
    modulo = _preencher(_modulo(W_O, h, bias=True), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)
    with torch.no_grad():
        modulo.in_proj_bias[d : 2 * d] = 3.0
    return modulo


@para_torch.equivoco(
    "devolve-linear",
    "Você devolveu um nn.Linear; o pedido é um nn.MultiheadAttention, com as quatro projeções dentro.",
)
def _(W_Q, W_K, W_V, W_O, h):
    linear = torch.nn.Linear(len(W_O), len(W_O), bias=False)
    with torch.no_grad():
        linear.weight.copy_(torch.tensor(W_O.T))
    return linear


@para_torch.equivoco(
    "devolve-funcao",
    "Você devolveu uma função que chama o módulo. O enunciado pede o próprio nn.MultiheadAttention.",
)
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _para_torch(W_Q, W_K, W_V, W_O, h)
    return lambda X: modulo(X, X, X)


@para_torch.equivoco(
    "sem-return",
    "Sua função não devolveu nada: o módulo ficou pronto lá dentro e se perdeu. Falta o return.",
)
def _(W_Q, W_K, W_V, W_O, h):
    _para_torch(W_Q, W_K, W_V, W_O, h)


@para_torch.alternativa("com-load_state_dict")
def _(W_Q, W_K, W_V, W_O, h):
    modulo = torch.nn.MultiheadAttention(W_Q.shape[0], h, bias=False, batch_first=True, dtype=torch.float64)
    entrada = torch.cat([torch.tensor(W).T for W in (W_Q, W_K, W_V)])
    modulo.load_state_dict({"in_proj_weight": entrada, "out_proj.weight": torch.tensor(W_O).T})
    return modulo


@para_torch.alternativa("vies-zero")
def _(W_Q, W_K, W_V, W_O, h):
    modulo = torch.nn.MultiheadAttention(W_Q.shape[0], h, batch_first=True)
    modulo.in_proj_weight.data.copy_(torch.from_numpy(np.hstack([W_Q, W_K, W_V]).T))
    modulo.out_proj.weight.data.copy_(torch.from_numpy(W_O.T))
    torch.nn.init.zeros_(modulo.in_proj_bias)
    torch.nn.init.zeros_(modulo.out_proj.bias)
    return modulo


@para_torch.alternativa("fatia-por-fatia")
def _(W_Q, W_K, W_V, W_O, h):
    d = len(W_O)
    modulo = torch.nn.MultiheadAttention(d, h, dropout=0.0, bias=False, batch_first=True).double()
    with torch.no_grad():
        for i, W in enumerate((W_Q, W_K, W_V)):
            modulo.in_proj_weight[i * d : (i + 1) * d] = torch.tensor(W).T
        modulo.out_proj.weight[:] = torch.tensor(W_O).T
    return modulo


@para_torch.alternativa("parametros-novos-em-avaliacao")
def _(W_Q, W_K, W_V, W_O, h):
    modulo = torch.nn.MultiheadAttention(len(W_O), h, bias=False, batch_first=True)
    entrada = np.vstack([W_Q.T, W_K.T, W_V.T]).astype(np.float32)
    modulo.in_proj_weight = torch.nn.Parameter(torch.tensor(entrada))
    modulo.out_proj.weight = torch.nn.Parameter(torch.tensor(W_O.T.astype(np.float32)))
    return modulo.eval()


@para_torch.alternativa("subclasse-sem-forward")
def _(W_Q, W_K, W_V, W_O, h):
    class Camada(torch.nn.MultiheadAttention):
        pass

    camada = Camada(len(W_O), h, bias=False, batch_first=True)
    return _preencher(camada, np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)


@para_torch.alternativa("vieses-retirados")
def _(W_Q, W_K, W_V, W_O, h):
    modulo = _preencher(_modulo(W_O, h, bias=True), np.concatenate([W_Q.T, W_K.T, W_V.T]), W_O.T)
    modulo.in_proj_bias = modulo.out_proj.bias = None
    return modulo


@para_torch.alternativa("sem-gradiente")
def _(W_Q, W_K, W_V, W_O, h):
    return _para_torch(W_Q, W_K, W_V, W_O, h).requires_grad_(False)


# ------------------------------------------------------------------------------------ entradas_erradas


def _erradas(X, W, P, tol):
    return [(int(i), int(j)) for i, j in np.argwhere(np.abs(P - X @ W) > tol)]


def _quartos(rng, limite, forma):
    return rng.integers(-limite, limite, size=forma, endpoint=True) / 4


def _com_erros(rng, N, d, M, tol):
    """X, W e um P com diferenças nos dois sentidos: nulas, de meia tolerância, iguais a ela e maiores que ela."""
    X, W = _quartos(rng, 8, (N, d)), _quartos(rng, 8, (d, M))
    tamanhos = np.resize([0, 2, -2, 0.5, 1, -3, -1, -0.5, 1.5], N * M)
    erros = rng.permutation(tamanhos).reshape(N, M) * tol
    # Os dois cantos e um par fora da diagonal são fixos: a ordem de leitura e a ordem (i, j) sempre se veem.
    erros[0, M - 1], erros[N - 1, 0], erros[0, 0], erros[N - 1, M - 1] = 2 * tol, -2 * tol, tol, -3 * tol
    return caso(X, W, X @ W + erros, tol)


def _enormes(rng):
    """Produtos perto de um milhão, com erro de 1: a tolerância relativa do np.isclose os deixaria passar."""
    X = rng.integers(900, 1100, size=(3, 2)) * 1.0
    W = rng.integers(400, 600, size=(2, 4)) * 1.0
    P = X @ W
    P[0, 2] += 1
    P[2, 1] -= 1
    return caso(X, W, P, 0.25)


def _rentes(rng, N, d, M, rotulo=""):
    """Tolerância de 2⁻¹⁰ e erros rentes a ela, exatos em float32: uma folga ou um arredondamento a mais aparecem."""
    tol = 2.0**-10
    X, W = _quartos(rng, 8, (N, d)), _quartos(rng, 8, (d, M))
    tamanhos = np.resize([17 / 16, -17 / 16, 1, -1, 8, 15 / 16, 0, -8, -15 / 16, -2, 2], N * M)
    return caso(X, W, X @ W + rng.permutation(tamanhos).reshape(N, M) * tol, tol, rotulo=rotulo)


def _ocultos_erradas(rng):
    X, W = _quartos(rng, 8, (2, 3)), _quartos(rng, 8, (3, 4))
    return [
        _com_erros(rng, 3, 4, 5, 0.25),
        _com_erros(rng, 5, 2, 3, 0.5),
        _com_erros(rng, 4, 3, 6, 0.125),
        _enormes(rng),
        _rentes(rng, 3, 4, 5),
        _rentes(rng, 6, 3, 2),
        caso(X, W, X @ W, 0.25),
    ]


_X_003 = np.array([[1.0, 0.0, 2.0, 1.0], [0.0, 2.0, 1.0, 1.0], [1.0, 1.0, 0.0, 2.0]])
_WQ_003 = np.array([[0.1, 0.2, 0.1, 0.3], [0.2, 0.1, 0.1, 0.2], [0.1, 0.3, 0.2, 0.1], [0.3, 0.2, 0.1, 0.2]])
_Q_003 = np.array([[0.7, 0.9, 0.9, 0.7], [0.9, 0.9, 0.7, 0.9], [0.5, 0.5, 0.7, 0.6]])

entradas_erradas = questao(
    "lista-05/entradas_erradas",
    assinatura="entradas_erradas(X, W, P, tol)",
    saida="pares",
    referencia=_erradas,
    casos=[
        caso(
            np.array([[1.0, 2.0], [0.0, 1.0]]),
            np.array([[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]]),
            np.array([[7.0, 2.5, 5.0], [3.0, 0.0, 0.25]]),
            0.5,
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(_X_003, _WQ_003, _Q_003, 0.05, rotulo="a consulta da caça ao erro da aula"),
        _com_erros(np.random.default_rng(31), 4, 2, 3, 0.25),
        _enormes(np.random.default_rng(32)),
        caso(np.array([[1.0, -2.0]]), np.array([[0.5, 1.0, 2.0], [1.5, 0.0, -1.0]]),
             np.array([[-2.5, 1.0, 4.0]]), 0.25, rotulo="nada errado"),
        _rentes(np.random.default_rng(33), 4, 2, 3, "tolerância de 1/1024, e erros rentes a ela"),
    ],
    ocultos=_ocultos_erradas,
)  # fmt: skip
entradas_erradas.casos[2].rotulo = "erros dos dois lados, alguns iguais à tolerância"
entradas_erradas.casos[3].rotulo = "produtos perto de um milhão, com erro de 1"


@entradas_erradas.equivoco(
    "indices-a-partir-de-1",
    "Seus índices começam em 1. Em código, a primeira linha e a primeira coluna são a 0.",
)
def _(X, W, P, tol):
    return [(i + 1, j + 1) for i, j in _erradas(X, W, P, tol)]


@entradas_erradas.equivoco(
    "tolerancia-relativa",
    "Sua tolerância cresce com o valor: a diferença foi comparada com tol vezes |X·W|. Aqui `tol` é absoluta.",
)
def _(X, W, P, tol):
    C = X @ W
    return [(i, j) for i, j in np.ndindex(C.shape) if abs(P[i, j] - C[i, j]) > tol * abs(C[i, j])]


@entradas_erradas.equivoco(
    "isclose-com-rtol",
    "O np.isclose soma à sua tolerância uma relativa, de 0,00001 por padrão. Com produtos perto de um milhão, ela "
    "esconde um erro de 1.",
)
def _(X, W, P, tol):
    return [tuple(par) for par in np.argwhere(~np.isclose(P, X @ W, atol=tol)).tolist()]


@entradas_erradas.equivoco(
    "inclui-a-fronteira",
    "Uma diferença que vale exatamente tol foi dada como errada. Errada é a que passa de tol.",
)
def _(X, W, P, tol):
    return [tuple(par) for par in np.argwhere(np.abs(P - X @ W) >= tol).tolist()]


@entradas_erradas.equivoco(
    "coluna-antes-da-linha",
    "As entradas são as certas, mas cada par saiu como (coluna, linha). É (i, j): primeiro a linha.",
)
def _(X, W, P, tol):
    return [(j, i) for i, j in _erradas(X, W, P, tol)]


@entradas_erradas.equivoco(
    "ordem-de-coluna",
    "Os pares estão certos, mas percorridos coluna por coluna. Na ordem de leitura, a linha 0 vem inteira antes da 1.",
)
def _(X, W, P, tol):
    return sorted(_erradas(X, W, P, tol), key=lambda par: (par[1], par[0]))


@entradas_erradas.equivoco(
    "so-os-maiores",
    "Só apareceram as entradas em que P passa do certo. As que ficam abaixo também estão erradas: falta o valor "
    "absoluto.",
)
def _(X, W, P, tol):
    diferenca = P - X @ W
    return [tuple(par) for par in np.argwhere(diferenca > tol).tolist()]


@entradas_erradas.equivoco(
    "so-os-menores",
    "Só apareceram as entradas em que P fica abaixo do certo. As que passam também estão erradas: falta o valor "
    "absoluto.",
)
def _(X, W, P, tol):
    diferenca = X @ W - P
    return [tuple(par) for par in np.argwhere(diferenca > tol).tolist()]


@entradas_erradas.equivoco(
    "ignora-tol",
    "Qualquer diferença contou como erro, até a que cabe na tolerância (ou a do arredondamento). Compare com tol.",
)
def _(X, W, P, tol):
    return [tuple(par) for par in np.argwhere(P != X @ W).tolist()]


@entradas_erradas.equivoco(
    "devolve-as-certas",
    "Essas são as entradas certas. A lista pedida é a das outras.",
)
def _(X, W, P, tol):
    return [tuple(par) for par in np.argwhere(np.abs(P - X @ W) <= tol).tolist()]


@entradas_erradas.equivoco(
    "so-a-primeira",
    "Sua função para no primeiro erro que acha. Um `return` dentro do laço encerra a busca: devolva só no fim.",
)
def _(X, W, P, tol):
    return _erradas(X, W, P, tol)[:1]


@entradas_erradas.equivoco(
    "diferenca-ao-quadrado",
    "Você comparou o quadrado da diferença com tol. É a própria diferença, em valor absoluto.",
)
def _(X, W, P, tol):
    diferenca = (P - X @ W) ** 2
    return [tuple(par) for par in np.argwhere(diferenca > tol).tolist()]


@entradas_erradas.equivoco(
    "contagem-ou-mascara",
    "O que você devolveu não é uma lista: parece a contagem dos erros, ou a máscara de verdadeiros e falsos. O "
    "enunciado pede os pares (i, j).",
)
def _(X, W, P, tol):
    return len(_erradas(X, W, P, tol))


@entradas_erradas.equivoco(
    "indices-em-separado",
    "Isto é o que o np.where devolve: as linhas de um lado e as colunas do outro. O enunciado pede pares (i, j).",
)
def _(X, W, P, tol):
    return np.where(np.abs(P - X @ W) > tol)


@entradas_erradas.equivoco(
    "indice-corrido",
    "Você devolveu índices corridos, de um array achatado. O enunciado pede o par (linha, coluna).",
)
def _(X, W, P, tol):
    return np.flatnonzero(np.abs(P - X @ W) > tol).tolist()


@entradas_erradas.equivoco(
    "linhas-no-lugar-das-colunas",
    "Seu laço das colunas vai até o número de linhas. P tem tantas colunas quanto W, e elas não precisam ser tantas "
    "quanto as linhas.",
)
def _(X, W, P, tol):
    C = X @ W
    return [(i, j) for i in range(len(P)) for j in range(len(P)) if abs(P[i, j] - C[i, j]) > tol]


@entradas_erradas.equivoco(
    "folga-a-mais",
    "Há uma folga somada a `tol`: um erro que passa dela por pouco escapou. Compare com `tol`, sem mais nada.",
)
def _(X, W, P, tol):
    return [tuple(par) for par in np.argwhere(np.abs(P - X @ W) > tol + 0.01).tolist()]


@entradas_erradas.equivoco(
    "arredonda-a-diferenca",
    "A diferença foi arredondada antes da comparação, e com `tol` pequena o arredondamento decide no lugar dela. "
    "Compare a diferença como ela é.",
)
def _(X, W, P, tol):
    return [tuple(par) for par in np.argwhere(np.round(np.abs(P - X @ W), 2) > tol).tolist()]


@entradas_erradas.equivoco(
    "trincas-com-o-valor",
    "Cada item da sua lista tem três números. O enunciado pede só o par (linha, coluna), sem o valor.",
)
def _(X, W, P, tol):
    return [(i, j, float(P[i, j])) for i, j in _erradas(X, W, P, tol)]


@entradas_erradas.equivoco(
    "indices-que-nao-sao-inteiros",
    "Seus pares não são de inteiros. Índices são int: 2, e não 2.0.",
)
def _(X, W, P, tol):
    return [(float(i), float(j)) for i, j in _erradas(X, W, P, tol)]


@entradas_erradas.equivoco(
    "pares-em-texto",
    "Sua lista é de textos. O enunciado pede pares de inteiros: (0, 2), e não '(0, 2)'.",
)
def _(X, W, P, tol):
    return [f"({i}, {j})" for i, j in _erradas(X, W, P, tol)]


@entradas_erradas.alternativa("com-lacos")
def _(X, W, P, tol):
    lista = []
    for i in range(len(X)):
        for j in range(W.shape[1]):
            if abs(float(X[i] @ W[:, j]) - P[i, j]) > tol:
                lista.append((i, j))
    return lista


@entradas_erradas.alternativa("argwhere-direto")
def _(X, W, P, tol):
    return np.argwhere(np.abs(P - X @ W) > tol)


@entradas_erradas.alternativa("listas-em-vez-de-tuplas")
def _(X, W, P, tol):
    return np.argwhere(np.abs(P - X @ W) > tol).tolist()


@entradas_erradas.alternativa("where-e-zip")
def _(X, W, P, tol):
    return list(zip(*np.where(np.abs(np.einsum("nd,dm->nm", X, W) - P) > tol), strict=True))


@entradas_erradas.alternativa("com-torch")
def _(X, W, P, tol):
    fora = (torch.tensor(P) - torch.tensor(X) @ torch.tensor(W)).abs() > tol
    return [(int(i), int(j)) for i, j in fora.nonzero()]


@entradas_erradas.alternativa("isclose-sem-rtol")
def _(X, W, P, tol):
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(~np.isclose(P, X @ W, rtol=0, atol=tol)), strict=True)]


@entradas_erradas.alternativa("nonzero-do-torch")
def _(X, W, P, tol):
    return torch.nonzero((torch.tensor(P) - torch.tensor(X) @ torch.tensor(W)).abs() > tol)


@entradas_erradas.alternativa("linhas-do-nonzero")
def _(X, W, P, tol):
    return list(torch.nonzero((torch.tensor(P) - torch.tensor(X) @ torch.tensor(W)).abs() > tol))


@entradas_erradas.alternativa("array-da-lista")
def _(X, W, P, tol):
    return np.array(_erradas(X, W, P, tol))


@entradas_erradas.alternativa("em-float32")
def _(X, W, P, tol):
    X, W, P = (M.astype(np.float32) for M in (X, W, P))
    return np.argwhere(np.abs(P - X @ W) > np.float32(tol)).tolist()
