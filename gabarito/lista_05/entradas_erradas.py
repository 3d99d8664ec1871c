"""A questão `entradas_erradas` da lista 05."""

import numpy as np
import torch

from gabarito.base import caso, questao


def entradas_erradas(X, W, P, tol):
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


def ocultos(rng):
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

q = questao(
    "lista-05/entradas_erradas",
    assinatura="entradas_erradas(X, W, P, tol)",
    saida="pares",
    referencia=entradas_erradas,
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
    ocultos=ocultos,
)  # fmt: skip

q.casos[2].rotulo = "erros dos dois lados, alguns iguais à tolerância"
q.casos[3].rotulo = "produtos perto de um milhão, com erro de 1"

q.equivocos_curtos("""
indices-a-partir-de-1: [(i + 1, j + 1) for i, j in entradas_erradas(X, W, P, tol)]
    Seus índices começam em 1. Em código, a primeira linha e a primeira coluna são a 0.
isclose-com-rtol: [tuple(par) for par in np.argwhere(~np.isclose(P, X @ W, atol=tol)).tolist()]
    O np.isclose soma à sua tolerância uma relativa, de 0,00001 por padrão: com produtos perto de um milhão, ela esconde
    um erro de 1. Tire-a com rtol=0, ou compare a diferença com tol. Veja a Dica 2.
inclui-a-fronteira: [tuple(par) for par in np.argwhere(np.abs(P - X @ W) >= tol).tolist()]
    Uma diferença que vale exatamente tol foi dada como errada. Errada é a que passa de tol.
coluna-antes-da-linha: [(j, i) for i, j in entradas_erradas(X, W, P, tol)]
    As entradas são as certas, mas cada par saiu como (coluna, linha). É (i, j): primeiro a linha.
ordem-de-coluna: sorted(entradas_erradas(X, W, P, tol), key=lambda par: (par[1], par[0]))
    Os pares estão certos, mas percorridos coluna por coluna. Na ordem de leitura, a linha 0 vem inteira antes da 1.
ignora-tol: [tuple(par) for par in np.argwhere(P != X @ W).tolist()]
    Qualquer diferença contou como erro, até a que cabe na tolerância (ou a do arredondamento). Compare com tol.
devolve-as-certas: [tuple(par) for par in np.argwhere(np.abs(P - X @ W) <= tol).tolist()]
    Essas são as entradas certas. A lista pedida é a das outras.
so-a-primeira: entradas_erradas(X, W, P, tol)[:1]
    Sua função para no primeiro erro que acha. Um `return` dentro do laço encerra a busca: devolva só no fim. Veja a
    Dica 3.
contagem-ou-mascara: len(entradas_erradas(X, W, P, tol))
    O que você devolveu não é uma lista: parece a contagem dos erros, ou a máscara de verdadeiros e falsos. O enunciado
    pede os pares (i, j).
indices-em-separado: np.where(np.abs(P - X @ W) > tol)
    Isto é o que o np.where devolve: as linhas de um lado e as colunas do outro. O enunciado pede pares (i, j), como os
    do np.argwhere.
indice-corrido: np.flatnonzero(np.abs(P - X @ W) > tol).tolist()
    Sua lista é de números soltos: ou são índices corridos, de um array achatado, ou i e j foram emendados um a um
    (`lista += (i, j)`). O enunciado pede um par (linha, coluna) para cada erro.
folga-a-mais: [tuple(par) for par in np.argwhere(np.abs(P - X @ W) > tol + 0.01).tolist()]
    Há uma folga somada a `tol`: um erro que passa dela por pouco escapou. Compare com `tol`, sem mais nada.
arredonda-a-diferenca: [tuple(par) for par in np.argwhere(np.round(np.abs(P - X @ W), 2) > tol).tolist()]
    A diferença foi arredondada antes da comparação, e com `tol` pequena o arredondamento decide no lugar dela. Compare
    a diferença como ela é.
trincas-com-o-valor: [(i, j, float(P[i, j])) for i, j in entradas_erradas(X, W, P, tol)]
    Cada item da sua lista tem três números. O enunciado pede só o par (linha, coluna), sem o valor.
indices-que-nao-sao-inteiros: [(float(i), float(j)) for i, j in entradas_erradas(X, W, P, tol)]
    Seus pares não são de inteiros. Índices são int: 2, e não 2.0.
pares-em-texto: [f"({i}, {j})" for i, j in entradas_erradas(X, W, P, tol)]
    Sua lista é de textos. O enunciado pede pares de inteiros: (0, 2), e não '(0, 2)'.
so-a-primeira-linha: [par for par in entradas_erradas(X, W, P, tol) if par[0] == 0]
    Só apareceram os erros da primeira linha. O return está dentro do laço das linhas?
so-a-ultima-linha: [par for par in entradas_erradas(X, W, P, tol) if par[0] == len(P) - 1]
    Só apareceram os erros da última linha: a lista recomeça vazia a cada volta. Crie-a uma vez, antes dos laços.
sem-a-ultima-coluna: [par for par in entradas_erradas(X, W, P, tol) if par[1] < P.shape[1] - 1]
    A última coluna ficou de fora: seu laço das colunas termina um antes. range(M) já vai de 0 a M − 1.
menor-que-tol: [tuple(par) for par in np.argwhere(np.abs(P - X @ W) < tol).tolist()]
    A comparação está ao contrário: essas são as entradas certas. Errada é a que difere por mais de tol.
varre-a-transposta: np.argwhere((np.abs(P - X @ W) > tol).T).tolist()
    Seus pares vieram como (coluna, linha), e percorridos coluna por coluna: a matriz foi varrida transposta. O
    enunciado pede (i, j), com a linha primeiro, em ordem de leitura.
valores-em-vez-de-indices: P[np.abs(P - X @ W) > tol]
    Você devolveu os números que estão errados. O enunciado pede onde eles estão: os pares (i, j).
""")


@q.equivoco
def tolerancia_relativa(X, W, P, tol):
    """Sua tolerância cresce com o valor: a diferença foi comparada com tol vezes |X·W|. Aqui `tol` é absoluta."""
    C = X @ W
    return [(i, j) for i, j in np.ndindex(C.shape) if abs(P[i, j] - C[i, j]) > tol * abs(C[i, j])]


@q.equivoco
def so_os_maiores(X, W, P, tol):
    """Só apareceram as entradas em que P passa do certo. As que ficam abaixo também estão erradas: falta o valor
    absoluto, e ele é o da diferença. Veja a Dica 1."""
    diferenca = P - X @ W
    return [tuple(par) for par in np.argwhere(diferenca > tol).tolist()]


@q.equivoco
def so_os_menores(X, W, P, tol):
    """Só apareceram as entradas em que P fica abaixo do certo. As que passam também estão erradas: falta o valor
    absoluto."""
    diferenca = X @ W - P
    return [tuple(par) for par in np.argwhere(diferenca > tol).tolist()]


@q.equivoco
def diferenca_ao_quadrado(X, W, P, tol):
    """Você comparou o quadrado da diferença com tol. É a própria diferença, em valor absoluto."""
    diferenca = (P - X @ W) ** 2
    return [tuple(par) for par in np.argwhere(diferenca > tol).tolist()]


@q.equivoco
def linhas_no_lugar_das_colunas(X, W, P, tol):
    """Seu laço das colunas vai até o número de linhas. P tem tantas colunas quanto W, e elas não precisam ser tantas
    quanto as linhas."""
    C = X @ W
    return [(i, j) for i in range(len(P)) for j in range(len(P)) if abs(P[i, j] - C[i, j]) > tol]


@q.alternativa
def com_lacos(X, W, P, tol):
    lista = []
    for i in range(len(X)):
        for j in range(W.shape[1]):
            if abs(float(X[i] @ W[:, j]) - P[i, j]) > tol:
                lista.append((i, j))
    return lista


@q.alternativa
def com_torch(X, W, P, tol):
    fora = (torch.tensor(P) - torch.tensor(X) @ torch.tensor(W)).abs() > tol
    return [(int(i), int(j)) for i, j in fora.nonzero()]


@q.alternativa
def em_float32(X, W, P, tol):
    X, W, P = (M.astype(np.float32) for M in (X, W, P))
    return np.argwhere(np.abs(P - X @ W) > np.float32(tol)).tolist()


q.alternativas_curtas("""
argwhere-direto: np.argwhere(np.abs(P - X @ W) > tol)
listas-em-vez-de-tuplas: np.argwhere(np.abs(P - X @ W) > tol).tolist()
where-e-zip: list(zip(*np.where(np.abs(np.einsum("nd,dm->nm", X, W) - P) > tol), strict=True))
isclose-sem-rtol: [(int(i), int(j)) for i, j in zip(*np.nonzero(~np.isclose(P, X @ W, rtol=0, atol=tol)), strict=True)]
nonzero-do-torch: torch.nonzero((torch.tensor(P) - torch.tensor(X) @ torch.tensor(W)).abs() > tol)
linhas-do-nonzero: list(torch.nonzero((torch.tensor(P) - torch.tensor(X) @ torch.tensor(W)).abs() > tol))
array-da-lista: np.array(entradas_erradas(X, W, P, tol))
""")
