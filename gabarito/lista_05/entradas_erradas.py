"""A questão `entradas_erradas` da lista 05."""

import numpy as np
import torch

from gabarito.base import caso, questao


def entradas_erradas(X, W, P):
    return [(int(i), int(j)) for i, j in np.argwhere(~np.isclose(P, X @ W))]


def _decimos(rng, limite, forma):
    return rng.integers(-limite, limite, size=forma, endpoint=True) / 10


def _com_erros(rng, N, d, M, rotulo=""):
    """X, W e um P impresso com uma casa, em que as entradas erradas diferem de um décimo a um inteiro, dos dois lados.

    W é de décimos e X, de inteiros: XW tem uma casa, mas quase nunca é o mesmo float que o impresso.
    """
    X, W = rng.integers(1, 5, size=(N, d)) * 1.0, _decimos(rng, 9, (d, M))
    tamanhos = np.resize([0, 1, -1, 0, 3, 0, -10, 0, 0, -2, 10], N * M)
    erros = rng.permutation(tamanhos).reshape(N, M) / 10
    # Os dois cantos e um par fora da diagonal são fixos: a ordem de leitura e a ordem (i, j) sempre se veem.
    erros[0, M - 1], erros[N - 1, 0], erros[0, 0], erros[N - 1, M - 1] = 0.2, -0.3, 0, -0.1
    return caso(X, W, np.round(X @ W + erros, 1) + 0.0, rotulo=rotulo)


def ocultos(rng):
    X, W = rng.integers(1, 5, size=(2, 3)) * 1.0, _decimos(rng, 9, (3, 4))
    return [
        _com_erros(rng, 3, 4, 5),
        _com_erros(rng, 5, 3, 3),
        _com_erros(rng, 4, 5, 6),
        _com_erros(rng, 6, 4, 2),
        _com_erros(rng, 2, 3, 7),
        caso(X, W, np.round(X @ W, 1) + 0.0),
    ]


_X_003 = np.array([[1.0, 0.0, 2.0, 1.0], [0.0, 2.0, 1.0, 1.0], [1.0, 1.0, 0.0, 2.0]])
_WQ_003 = np.array([[0.1, 0.2, 0.1, 0.3], [0.2, 0.1, 0.1, 0.2], [0.1, 0.3, 0.2, 0.1], [0.3, 0.2, 0.1, 0.2]])
_Q_003 = np.array([[0.7, 0.9, 0.9, 0.7], [0.9, 0.9, 0.7, 0.9], [0.5, 0.5, 0.7, 0.6]])

q = questao(
    "lista-05/entradas_erradas",
    assinatura="entradas_erradas(X, W, P)",
    saida="pares",
    referencia=entradas_erradas,
    casos=[
        caso(
            np.array([[1.0, 2.0], [0.0, 3.0]]),
            np.array([[0.1, 0.0, 0.2], [0.3, 0.1, 0.0]]),
            np.array([[0.7, 0.2, 0.5], [0.9, 0.2, 0.0]]),
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(_X_003, _WQ_003, _Q_003, rotulo="a matriz Q1 de um capítulo sobre o assunto"),
        _com_erros(np.random.default_rng(31), 4, 2, 3, "erros dos dois lados"),
        _com_erros(np.random.default_rng(32), 2, 5, 6, "mais colunas do que linhas"),
        caso(
            np.array([[3.0, -2.0]]),
            np.array([[0.1, 0.4, 0.2], [0.5, 0.0, -0.3]]),
            np.array([[-0.7, 1.2, 1.2]]),
            rotulo="nada errado",
        ),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
sem-folga-nenhuma: [tuple(par) for par in np.argwhere(P != X @ W).tolist()]
    Sua comparação exige que os dois números sejam iguais até o último bit, e no computador 3 · 0,1 não é exatamente
    0,3. Compare com `iguais`, ou deixe passar uma diferença bem pequena. Veja a Dica 2.
arredonda-demais: [tuple(par) for par in np.argwhere(np.round(P) != np.round(X @ W)).tolist()]
    Você arredondou antes de comparar, e um erro de 0,1 sumiu no arredondamento. Compare os números como eles são.
folga-grande-demais: [tuple(par) for par in np.argwhere(np.abs(P - X @ W) > 0.5).tolist()]
    Sua comparação deixa passar erros de um ou dois décimos. Diminua a folga, ou use `iguais`. Veja a Dica 2.
indices-a-partir-de-1: [(i + 1, j + 1) for i, j in entradas_erradas(X, W, P)]
    Seus índices começam em 1. Em código, a primeira linha e a primeira coluna são a 0.
coluna-antes-da-linha: [(j, i) for i, j in entradas_erradas(X, W, P)]
    As entradas são as certas, mas cada par saiu como (coluna, linha). É (i, j): primeiro a linha.
ordem-de-coluna: sorted(entradas_erradas(X, W, P), key=lambda par: (par[1], par[0]))
    Os pares estão certos, mas percorridos coluna por coluna. Na ordem de leitura, a linha 0 vem inteira antes da 1.
devolve-as-certas: [tuple(par) for par in np.argwhere(np.isclose(P, X @ W)).tolist()]
    Essas são as entradas certas. A lista pedida é a das outras.
so-a-primeira: entradas_erradas(X, W, P)[:1]
    Sua função para no primeiro erro que acha. Um `return` dentro do laço encerra a busca: devolva só no fim. Veja a
    Dica 3.
contagem-ou-mascara: len(entradas_erradas(X, W, P))
    O que você devolveu não é uma lista: parece a contagem dos erros, ou a máscara de verdadeiros e falsos. O enunciado
    pede os pares (i, j).
indices-em-separado: np.where(~np.isclose(P, X @ W))
    Isto é o que o np.where devolve: as linhas de um lado e as colunas do outro. O enunciado pede pares (i, j), como os
    do np.argwhere.
indice-corrido: np.flatnonzero(~np.isclose(P, X @ W)).tolist()
    Sua lista é de números soltos: ou são índices corridos, de um array achatado, ou i e j foram emendados um a um
    (`lista += (i, j)`). O enunciado pede um par (linha, coluna) para cada erro.
trincas-com-o-valor: [(i, j, float(P[i, j])) for i, j in entradas_erradas(X, W, P)]
    Cada item da sua lista tem três números. O enunciado pede só o par (linha, coluna), sem o valor.
indices-que-nao-sao-inteiros: [(float(i), float(j)) for i, j in entradas_erradas(X, W, P)]
    Seus pares não são de inteiros. Índices são int: 2, e não 2.0.
pares-em-texto: [f"({i}, {j})" for i, j in entradas_erradas(X, W, P)]
    Sua lista é de textos. O enunciado pede pares de inteiros: (0, 2), e não '(0, 2)'.
so-a-primeira-linha: [par for par in entradas_erradas(X, W, P) if par[0] == 0]
    Só apareceram os erros da primeira linha. O return está dentro do laço das linhas?
so-a-ultima-linha: [par for par in entradas_erradas(X, W, P) if par[0] == len(P) - 1]
    Só apareceram os erros da última linha: a lista recomeça vazia a cada volta. Crie-a uma vez, antes dos laços.
sem-a-ultima-coluna: [par for par in entradas_erradas(X, W, P) if par[1] < P.shape[1] - 1]
    A última coluna ficou de fora: seu laço das colunas termina um antes. range(M) já vai de 0 a M − 1.
varre-a-transposta: np.argwhere(~np.isclose(P, X @ W).T).tolist()
    Seus pares vieram como (coluna, linha), e percorridos coluna por coluna: a matriz foi varrida transposta. O
    enunciado pede (i, j), com a linha primeiro, em ordem de leitura.
valores-em-vez-de-indices: P[~np.isclose(P, X @ W)]
    Você devolveu os números que estão errados. O enunciado pede onde eles estão: os pares (i, j).
""")


@q.equivoco
def so_os_maiores(X, W, P):
    """Só apareceram as entradas em que P passa do certo. As que ficam abaixo também estão erradas: falta o valor
    absoluto, e ele é o da diferença. Veja a Dica 1."""
    diferenca = P - X @ W
    return [tuple(par) for par in np.argwhere(diferenca > 0.05).tolist()]


@q.equivoco
def so_os_menores(X, W, P):
    """Só apareceram as entradas em que P fica abaixo do certo. As que passam também estão erradas: falta o valor
    absoluto."""
    diferenca = X @ W - P
    return [tuple(par) for par in np.argwhere(diferenca > 0.05).tolist()]


@q.equivoco
def linhas_no_lugar_das_colunas(X, W, P):
    """Seu laço das colunas vai até o número de linhas. P tem tantas colunas quanto W, e elas não precisam ser tantas
    quanto as linhas."""
    C = X @ W
    return [(i, j) for i in range(len(P)) for j in range(len(P)) if abs(P[i, j] - C[i, j]) > 0.05]


@q.alternativa
def com_lacos(X, W, P):
    lista = []
    for i in range(len(X)):
        for j in range(W.shape[1]):
            if abs(float(X[i] @ W[:, j]) - P[i, j]) > 1e-6:
                lista.append((i, j))
    return lista


@q.alternativa
def com_a_iguais_do_curso(X, W, P):
    from helpers.conferir import iguais

    C = X @ W
    return [(i, j) for i in range(P.shape[0]) for j in range(P.shape[1]) if not iguais(P[i, j], C[i, j])]


@q.alternativa
def com_torch(X, W, P):
    fora = (torch.tensor(P) - torch.tensor(X) @ torch.tensor(W)).abs() > 0.05
    return [(int(i), int(j)) for i, j in fora.nonzero()]


@q.alternativa
def em_float32(X, W, P):
    X, W, P = (M.astype(np.float32) for M in (X, W, P))
    return np.argwhere(np.abs(P - X @ W) > 1e-3).tolist()


q.alternativas_curtas("""
argwhere-direto: np.argwhere(np.abs(P - X @ W) > 0.01)
arredonda-a-uma-casa: np.argwhere(np.round(P, 1) != np.round(X @ W, 1)).tolist()
where-e-zip: list(zip(*np.where(np.abs(np.einsum("nd,dm->nm", X, W) - P) > 1e-9), strict=True))
isclose-sem-rtol: [(int(i), int(j)) for i, j in zip(*np.nonzero(~np.isclose(P, X @ W, rtol=0, atol=0.05)), strict=True)]
nonzero-do-torch: torch.nonzero(~torch.isclose(torch.tensor(P), torch.tensor(X) @ torch.tensor(W)))
linhas-do-nonzero: list(torch.nonzero((torch.tensor(P) - torch.tensor(X) @ torch.tensor(W)).abs() > 0.02))
array-da-lista: np.array(entradas_erradas(X, W, P))
""")
