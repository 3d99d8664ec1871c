"""A questão `ler_cabeca` da lista 04.

O maior de M ganha do segundo com folga, para que arredondar não troque o par. Em uns casos ele está na diagonal, em
outros o maior em valor absoluto é negativo.
"""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_04.comum import softmax  # noqa: F401 (usado nas tabelas)

NOMES = ["verbo", "ser vivo", "lugar", "adjetivo", "nome próprio", "plural", "cor", "comida", "tempo", "bicho"]
_FOLGA = 0.4  # entre o maior de M e o segundo


def ler_cabeca(W_Q, W_K, tracos):
    M = W_Q @ W_K.T
    i, j = np.unravel_index(M.argmax(), M.shape)
    return M, tracos[i], tracos[j]


def _sorteado(rng, d, d_k, diagonal=False, negativo=False, rotulo=""):
    """W_Q e W_K em décimos; o maior de M na diagonal ou fora dela, e o maior em módulo negativo ou positivo."""
    while True:
        W_Q, W_K = (rng.integers(-20, 20, size=(d, d_k), endpoint=True) / 10 for _ in range(2))
        M = W_Q @ W_K.T
        i, j = np.unravel_index(M.argmax(), M.shape)
        segundo = np.sort(M, axis=None)[-2]
        claro = M[i, j] - segundo > _FOLGA and abs(M[i, j] + M.min()) > _FOLGA
        if claro and (i == j) == diagonal and (-M.min() > M.max()) == negativo:
            return caso(W_Q, W_K, [str(n) for n in rng.permutation(NOMES)[:d]], rotulo=rotulo)


def _toda_negativa(rng, d, d_k, rotulo=""):
    """M sem nenhum número acima de −1, e o maior fora da primeira casa: nela não se acha o maior a partir do zero."""
    while True:
        W_Q = rng.integers(6, 20, size=(d, d_k), endpoint=True) / 10
        W_K = -rng.integers(18, 30, size=(d, d_k), endpoint=True) / 10
        M = W_Q @ W_K.T
        if M.argmax() > 0 and np.diff(np.sort(M, axis=None)[-2:])[0] > _FOLGA / 4:
            return caso(W_Q, W_K, [str(n) for n in rng.permutation(NOMES)[:d]], rotulo=rotulo)


def ocultos(rng):
    d = [int(n) for n in rng.permutation([4, 5, 6, 7])]
    return [
        _sorteado(rng, d[0], 2),
        _sorteado(rng, d[1], 3, negativo=True),
        _sorteado(rng, d[2], 3, diagonal=True),
        _sorteado(rng, d[3], 2, negativo=True),
        _sorteado(rng, 4, 4, negativo=True),
        _sorteado(rng, 5, 5),
        _sorteado(rng, 6, 1),
        _toda_negativa(rng, 4, 2),
    ]


_rng = np.random.default_rng(11)
q = questao(
    "lista-04/ler_cabeca",
    assinatura="ler_cabeca(W_Q, W_K, tracos)",
    saida=[("M", "array"), ("procura", "texto"), ("oferece", "texto")],
    referencia=ler_cabeca,
    casos=[
        caso(
            np.array([[2.0, 0.0], [0.0, 1.0], [1.0, -1.0]]),
            np.array([[0.0, 1.0], [3.0, 0.0], [1.0, 2.0]]),
            ["verbo", "ser vivo", "lugar"],
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        _sorteado(_rng, 5, 2, rotulo="cinco traços, d_k = 2"),
        _sorteado(_rng, 4, 4, negativo=True, rotulo="tudo 4 × 4, e o mais longe de zero é negativo"),
        _sorteado(_rng, 6, 3, diagonal=True, rotulo="um traço que procura a si mesmo"),
        _sorteado(_rng, 3, 1, negativo=True, rotulo="d_k = 1"),
        _sorteado(_rng, 7, 4, negativo=True, rotulo="sete traços, d_k = 4"),
        _toda_negativa(_rng, 4, 2, rotulo="ninguém procura ninguém: M toda negativa"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
par-trocado: M, tracos[i], tracos[j] → M, tracos[j], tracos[i]
    M está certa, mas o par saiu ao contrário. A linha de M diz quem procura; a coluna, o que é oferecido. Veja a
    Dica 2.
M-transposta: W_Q @ W_K.T → W_K @ W_Q.T
    M saiu transposta: você fez W_K W_Qᵀ. A linha é de quem procura, e por isso W_Q vem antes. Veja a Dica 1.
M-transposta-e-par-certo: W_Q @ W_K.T → W_K @ W_Q.T
        M, tracos[i], tracos[j] → M, tracos[j], tracos[i]
    O par é esse mesmo, mas M saiu transposta: você fez W_K W_Qᵀ. A linha é de quem procura. Veja a Dica 1.
valor-absoluto: M.argmax() → np.abs(M).argmax()
    M está certa, mas o par é o do número mais longe de zero, que pode ser negativo. Uma pontuação muito negativa é de
    quem foge, e não de quem procura. Veja a Dica 2.
o-menor: M.argmax() → M.argmin()
    M está certa, mas o par é o da menor pontuação. Quem procura dá a maior.
com-a-escala: W_Q @ W_K.T → W_Q @ W_K.T / np.sqrt(W_K.shape[1])
    M saiu dividida por √d_k. O par não muda com isso, mas aqui se pede só o produto W_Q W_Kᵀ, sem a escala.
so-a-diagonal: np.unravel_index(M.argmax(), M.shape) → (int(np.diag(M).argmax()),) * 2
    M está certa, mas você só olhou a diagonal, em que cada traço procura a si mesmo. O maior pode estar em qualquer
    casa.
pula-a-diagonal: M.argmax() → (M - 1e9 * np.eye(len(M))).argmax()
    M está certa, mas você pulou a diagonal. Um traço também pode procurar a si mesmo: o maior pode estar lá.
so-a-primeira-linha: np.unravel_index(M.argmax(), M.shape) → 0, M[0].argmax()
    M está certa, mas você só procurou o maior na primeira linha. Ele pode estar em qualquer casa de M.
soma-das-linhas: np.unravel_index(M.argmax(), M.shape) → M.sum(axis=1).argmax(), M.sum(axis=0).argmax()
    M está certa, mas você somou as linhas e as colunas antes de escolher. O par é o da casa de maior pontuação, uma só.
o-maior-de-cada-uma: np.unravel_index(M.argmax(), M.shape) → W_Q.max(axis=1).argmax(), W_K.max(axis=1).argmax()
    M está certa, mas o par saiu do maior número de W_Q e do maior de W_K, separados. O que um traço procura no outro
    só aparece no produto.
argmax-sem-linha-e-coluna: np.unravel_index(M.argmax(), M.shape) → M.argmax(), M.argmax()
    O `argmax` de uma matriz conta as casas em fila: o número que ele dá não é a linha nem a coluna. Transforme-o nas
    duas. Veja a Dica 2.
devolve-indices: M, tracos[i], tracos[j] → M, int(i), int(j)
    M está certa, mas você devolveu os números da linha e da coluna. Pedem-se os nomes, que estão em `tracos`.
duas-coisas: return M, tracos[i], tracos[j] → return tracos[i], tracos[j]
    Vieram duas coisas, e pedem-se três, separadas por vírgulas: M, quem procura e o que é oferecido. Falta M, ou o par
    veio dentro de uma tupla?
so-M: return M, tracos[i], tracos[j] → return M
    Veio só M. Falta o par: o nome de quem procura e o do que é oferecido. Veja a Dica 3.
M-por-ultimo: return M, tracos[i], tracos[j] → return tracos[i], tracos[j], M
    Os três saíram em outra ordem: primeiro M, depois quem procura e o que é oferecido.
Q-transposta: ler_cabeca(W_Q.T, W_K.T, tracos + tracos)
    Você fez W_Qᵀ W_K, de forma (d_k, d_k). Ali cada casa é de duas colunas das matrizes, e não de dois traços. Os
    traços são as linhas: o produto é (d, d). Veja a Dica 1.
sem-transpor: W_Q @ W_K.T → W_Q @ W_K
    O produto W_Q W_K, sem transpor, não compara traço com traço. As d_k colunas de uma têm de encontrar as d_k colunas
    da outra. Veja a Dica 1.
com-softmax: W_Q @ W_K.T → softmax(W_Q @ W_K.T)
    As linhas de M somam 1: há uma softmax aqui. M são pontuações, entre traços, e não pesos.
arredonda: return M, → return np.round(M),
    M foi arredondada. Arredonde só ao mostrar na tela: o que se devolve são as contas inteiras.
asterisco: W_Q @ W_K.T → W_Q * W_K
    Em NumPy, `*` multiplica elemento por elemento. O produto de matrizes é `@`.
""")


@q.equivoco
def comeca_do_zero(W_Q, W_K, tracos):
    """
    M está certa, mas a procura do maior começou do zero, e em uma M toda negativa ninguém passa dele. Comece de menos
    infinito, ou da primeira casa.
    """
    M = W_Q @ W_K.T
    maior, par = 0, (0, 0)
    for i in range(len(M)):
        for j in range(len(M)):
            if M[i, j] > maior:
                maior, par = M[i, j], (i, j)
    return M, tracos[par[0]], tracos[par[1]]


@q.alternativa
def com_lacos(W_Q, W_K, tracos):
    d, maior, par = len(tracos), -float("inf"), (0, 0)
    M = np.zeros((d, d))
    for i in range(d):
        for j in range(d):
            M[i, j] = sum(float(a) * float(b) for a, b in zip(W_Q[i], W_K[j], strict=True))
            if M[i, j] > maior:
                maior, par = M[i, j], (i, j)
    return M, tracos[par[0]], tracos[par[1]]


@q.alternativa
def com_torch_float32(W_Q, W_K, tracos):
    M = torch.tensor(W_Q, dtype=torch.float32) @ torch.tensor(W_K, dtype=torch.float32).T
    i, j = divmod(int(M.argmax()), len(tracos))
    return M, tracos[i], tracos[j]


q.alternativas_curtas("""
com-divmod: np.unravel_index(M.argmax(), M.shape) → divmod(int(M.argmax()), len(tracos))
com-einsum: W_Q @ W_K.T → np.einsum("ik,jk->ij", W_Q, W_K)
dois-argmax: np.unravel_index(M.argmax(), M.shape) → M.max(axis=1).argmax(), M.max(axis=0).argmax()
com-where: np.unravel_index(M.argmax(), M.shape) → (int(eixo[0]) for eixo in np.where(M == M.max()))
nomes-em-array: tracos[i], tracos[j] → np.array(tracos)[i], np.array(tracos)[j]
em-lista: return M, tracos[i], tracos[j] → return [M, tracos[i], tracos[j]]
""")
