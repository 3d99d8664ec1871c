"""A questão `cosseno` da lista 01."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch


def cosseno(X):
    n = np.linalg.norm(X, axis=1, keepdims=True)  # (N, 1)
    U = np.divide(X, n, out=np.zeros(X.shape), where=n > 0)  # (N, d), linhas de comprimento 1 ou 0
    return U @ U.T


def ocultos(rng):
    """Sempre há vetores nulos, de soma zero, comprimentos desiguais e cossenos dos dois sinais."""

    def matriz(N, d, nulas=(), escala=1.0):
        X = np.round(rng.normal(size=(N, d)), 2)
        X[0] += np.sign(X[0]) + 0.01  # nada perto do vetor nulo por acaso
        X[-1] = -X[0] + np.round(rng.uniform(0.2, 0.4, size=d), 2)
        X[1:-1] += 0.5 * np.sign(X[1:-1]) + 0.01
        X *= np.array([2.0 ** int(k) for k in rng.integers(-2, 4, size=N)])[:, None]
        for n in nulas:
            X[n] = 0.0
        return X * escala

    def com_zeros():
        # A soma da primeira linha é 0, as outras têm zeros em toda parte, e nenhuma é nula.
        u, v, w = (float(k) for k in rng.integers(1, 6, size=3))
        X = np.array([[u, -u, 0, 0], [0, 0, v, 0], [0, 0, -w, u], [0, v, 0, 0], [w, 0, 0, 0], [-v, 0, v + w, -w]])
        return caso(X[rng.permutation(6)], rotulo="linhas com zeros, nenhuma nula")

    def quase_nulo():
        # Mais curto que 0,01, e por pouco: quem soma 1e-8 ao denominador ainda acerta, dentro da tolerância.
        curto = rng.permutation([0.0062, 0.0078, 0.0006]) * rng.choice([-1.0, 1.0], size=3)
        return caso(np.vstack([matriz(3, 3), curto])[rng.permutation(4)], rotulo="um vetor curto, mas não nulo")

    def soma_zero():
        u, v = (int(k) / 4 for k in rng.integers(2, 9, size=2))
        X = np.array([[u, -u], [v + 1, u], [-v, v], [u, v + 2], [0, 0]])
        return caso(X[rng.permutation(5)], rotulo="linhas que somam zero, e uma nula", parte="nulos")

    N = int(rng.integers(5, 8))
    meio = int(rng.integers(1, N - 1))
    reta = np.round(rng.uniform(0.5, 3, size=4) * np.array([1, -1, 1, -1]), 2)[:, None]  # (4, 1)
    return [
        caso(matriz(N, 3), rotulo="sem vetor nulo"),
        caso(matriz(N, 4, nulas=(meio,)), rotulo="um vetor nulo", parte="nulos"),
        caso(matriz(4, 3, nulas=(1, 2)), rotulo="dois vetores nulos", parte="nulos"),
        caso(matriz(4, 4, escala=64.0), rotulo="vetores longos"),
        caso(matriz(6, 2), rotulo="no plano"),
        caso(np.zeros((1, 3)), rotulo="só um vetor nulo", parte="nulos"),
        caso(matriz(4, 3, nulas=(0,)), rotulo="o primeiro é nulo", parte="nulos"),
        caso(matriz(5, 4, nulas=(4,)), rotulo="o último é nulo", parte="nulos"),
        caso(matriz(7, 2, nulas=(0, meio, 5, 6)), rotulo="quatro vetores nulos", parte="nulos"),
        com_zeros(),
        quase_nulo(),
        soma_zero(),
        caso(reta, rotulo="uma dimensão só"),
        caso(np.vstack([reta, [[0.0]]]), rotulo="uma dimensão só, com um nulo", parte="nulos"),
        caso(matriz(2, 4)[:1], rotulo="um token só"),
    ]


q = questao(
    "lista-01/cosseno",
    assinatura="cosseno(X)",
    saida="array",
    referencia=cosseno,
    depende=["similaridades"],
    propriedades=["simetrica"],
    casos=[
        caso(np.array([[3.0, 4.0], [0.0, 2.0], [-3.0, 0.0]]), rotulo="o exemplo do enunciado", claro=True),
        caso(
            np.array([[0.7, -0.3, 1.1], [-0.4, 0.9, 0.2], [1.3, 0.5, -0.6], [0.1, -1.2, 0.8]]),
            rotulo="4 tokens, 3 dimensões",
        ),
        caso(
            np.array([[1.0, -2.0, 0.5], [0.0, 0.0, 0.0], [0.3, 0.6, -0.9], [-2.0, 1.5, 0.4]]),
            rotulo="com um vetor nulo",
            parte="nulos",
        ),
        caso(
            np.array([[100.0, 40.0, -30.0, 20.0], [0.01, 0.03, -0.02, 0.05]]), rotulo="um vetor longo e um curto"
        ),
        caso(
            np.array([[1.5, -0.4, 0.2], [0.3, 0.8, -0.7], [-0.9, 0.6, 1.2]]), rotulo="3 tokens, 3 dimensões"
        ),
        caso(
            np.array([[0.0, 0.0], [1.5, 0.5], [0.0, 0.0], [-2.0, 1.0], [0.0, 0.0]]),
            rotulo="três vetores nulos: o primeiro, o do meio e o último",
            parte="nulos",
        ),
        caso(
            np.array([[2.0, -2.0, 0.0], [0.0, 0.0, 5.0], [1.0, 3.0, -4.0], [0.0, 1.0, 0.0]]),
            rotulo="zeros e somas nulas, mas nenhum vetor nulo",
        ),
        caso(
            np.array([[0.5, -1.0, 2.0], [0.0062, -0.0078, 0.0006], [1.5, 0.25, -0.75]]),
            rotulo="um vetor de comprimento 0,00998, que não é nulo",
        ),
        caso(np.array([[2.0], [-3.0], [0.5]]), rotulo="uma dimensão só"),
        caso(np.array([[0.3, -0.4]]), rotulo="um token só"),
    ],
    ocultos=ocultos,
    partes={"direções": 0.75, "nulos": 0.25},
)  # fmt: skip


def _seguro(numerador, denominador):
    return np.divide(numerador, denominador, out=np.zeros(np.shape(numerador)), where=denominador != 0)


@q.equivoco
def nan_no_vetor_nulo(X):
    """Um vetor nulo deu NaN: sua conta divide zero por zero. Cuide do comprimento 0 antes de dividir; ali o cosseno
    vale 0. Veja a Dica 3."""
    n = np.linalg.norm(X, axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        return (X / n) @ (X / n).T


q.equivocos_curtos("""
diagonal-forcada-a-1: return U @ U.T → C = U @ U.T⏎np.fill_diagonal(C, 1)⏎return C
    Quase: você pôs 1 em toda a diagonal, até na do vetor nulo. Ele não tem direção; ali é 0.
vetor-nulo-vale-1: np.linalg.norm(X, axis=1, keepdims=True) → np.linalg.norm(X, axis=1)
        U = np.divide(X, n, out=np.zeros(X.shape), where=n > 0) → nn = np.outer(n, n)
        U @ U.T → np.divide(X @ X.T, nn, out=np.ones((len(X), len(X))), where=nn > 0)
    O vetor nulo ficou com cosseno 1 com todos. Sem direção não há semelhança: a linha e a coluna dele são 0.
arredonda: np.round(cosseno(X), 2)
    Seus cossenos saíram arredondados para duas casas. Devolva-os como são.
norma-da-matriz-toda: U = np.divide(X, n, out=np.zeros(X.shape), where=n > 0) → total = np.linalg.norm(X)
        U @ U.T → X @ X.T / total**2 if total > 0 else X @ X.T
    Você dividiu tudo por um número só: a norma da matriz inteira, ou `n @ n`, que é um número. Cada par de tokens tem o
    seu divisor, o comprimento de um vezes o do outro. Veja a Dica 2.
so-uma-norma: U @ U.T → _seguro(X, np.broadcast_to(n, X.shape)) @ X.T
    Você dividiu só pelo comprimento de um dos dois tokens: a matriz nem ficou simétrica. Divida pelos dois.
sem-dividir: X @ X.T
    Isso é o produto escalar puro. Para o cosseno, falta dividir pelos comprimentos dos dois tokens.
valor-absoluto: np.abs(cosseno(X))
    Os cossenos negativos perderam o sinal. Cosseno −1 é direção oposta, e não a mesma.
negativos-viram-zero: np.maximum(cosseno(X), 0)
    Os cossenos negativos viraram 0. O cosseno vai de −1 a 1: guarde-os.
distancia-do-cosseno: 1 - cosseno(X)
    Isso é 1 menos o cosseno, uma distância. O pedido é o cosseno: 1 na mesma direção, −1 na oposta.
angulo: np.arccos(np.clip(cosseno(X), -1, 1))
    Isso é o ângulo, em radianos. O pedido é o cosseno dele: pare antes do arco-cosseno.
angulo-em-graus: np.degrees(np.arccos(np.clip(cosseno(X), -1, 1)))
    Isso é o ângulo, em graus. O pedido é o cosseno dele, que vai de −1 a 1: pare antes do arco-cosseno.
correlacao: cosseno(X - X.mean(axis=1, keepdims=True))
    Isso é a correlação: ela subtrai a média de cada linha antes. O cosseno não subtrai nada.
altera-a-entrada: U = np.divide(X, n, out=np.zeros(X.shape), where=n > 0) → X /= np.where(n > 0, n, 1)
        U @ U.T → X @ X.T
    Sua função escreve em X (um `X /= ...`?). Quem chama continua a usar X: faça uma cópia.
so-a-norma-da-coluna: U @ U.T → X @ U.T
    Você dividiu só pelo comprimento do token da coluna: a matriz nem ficou simétrica. Divida também pelo do token da
    linha.
curto-vale-nulo: where=n > 0 → where=n >= 0.01
    Você tratou como nulo um vetor que é só curto. Ele tem direção, por menor que seja: nulo é o de comprimento 0
    exato.
um-nulo-zera-tudo: return U @ U.T → return U @ U.T * (n > 0).all()
    Basta um vetor nulo para a sua função devolver tudo zero. Só a linha e a coluna dele são 0; os outros cossenos
    continuam como eram.
normas-em-vetor: np.nan_to_num(X @ X.T / np.sum(X**2, axis=1))
    O denominador é um vetor, e assim cada coluna m foi dividida por ‖x_m‖². Cada par (n, m) tem o seu denominador,
    ‖x_n‖·‖x_m‖: são tantos quantos os produtos. Que forma têm, juntos?
""")


@q.equivoco
def nulo_pela_soma(X):
    """Sua função trata como nula uma linha cuja soma dá 0, e (2, −2) soma 0 sem ser nula. Nulo é o vetor de comprimento
    0."""
    U = np.where(X.sum(axis=1, keepdims=True) == 0, 0, _seguro(X, np.linalg.norm(X, axis=1)[:, None] * np.ones_like(X)))
    return U @ U.T


@q.equivoco
def um_zero_basta(X):
    """Sua função trata como nula uma linha que tem algum zero. Nulo é só o vetor com todas as componentes em 0."""
    U = np.where(X.all(axis=1, keepdims=True), _seguro(X, np.linalg.norm(X, axis=1)[:, None] * np.ones_like(X)), 0)
    return U @ U.T


@q.equivoco
def normaliza_colunas(X):
    """Você dividiu cada coluna pelo comprimento dela. Quem tem comprimento é o token, a linha: reveja o eixo da norma.
    Veja a Dica 2."""
    U = _seguro(X, np.broadcast_to(np.linalg.norm(X, axis=0, keepdims=True), X.shape))
    return U @ U.T


@q.equivoco
def norma_ao_quadrado(X):
    """Você dividiu cada linha pelo quadrado do comprimento. Falta a raiz quadrada na norma."""
    U = _seguro(X, np.broadcast_to((X**2).sum(axis=1, keepdims=True), X.shape))
    return U @ U.T


@q.equivoco
def soma_no_lugar_da_norma(X):
    """Você dividiu cada linha pela soma dos módulos. O comprimento é a raiz da soma dos quadrados."""
    U = _seguro(X, np.broadcast_to(np.abs(X).sum(axis=1, keepdims=True), X.shape))
    return U @ U.T


@q.equivoco
def dimensoes_no_lugar_de_tokens(X):
    """Sua saída é d×d: você comparou dimensões. São os tokens, as linhas, que se comparam: N×N."""
    U = _seguro(X, np.broadcast_to(np.linalg.norm(X, axis=0, keepdims=True), X.shape))
    return U.T @ U


@q.alternativa
def dois_lacos(X):
    N = len(X)
    C = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            comprimentos = np.sqrt(X[n] @ X[n]) * np.sqrt(X[m] @ X[m])
            if comprimentos != 0:
                C[n, m] = X[n] @ X[m] / comprimentos
    return C


@q.alternativa
def nan_trocado_por_zero(X):
    n = np.linalg.norm(X, axis=1)
    with np.errstate(all="ignore"):
        return np.nan_to_num(X @ X.T / np.outer(n, n), nan=0.0)


@q.alternativa
def a_partir_de_xxt(X):
    S = X @ X.T
    d = np.sqrt(np.diag(S))
    nn = d[:, None] * d[None, :]
    return np.where(nn > 0, S / np.where(nn > 0, nn, 1), 0)


@q.alternativa
def torch_normalize_float32(X):
    U = torch.nn.functional.normalize(torch.tensor(X, dtype=torch.float32), dim=1, eps=1e-12)
    return U @ U.T


@q.alternativa
def maximo_com_1e_12(X):
    U = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12)
    return np.einsum("nd,md->nm", U, U)


@q.alternativa
def float32(X):
    X = X.astype(np.float32)
    n = np.sqrt((X**2).sum(axis=1, keepdims=True))
    n[n == 0] = np.inf
    return (X / n) @ (X / n).T


q.alternativas_curtas("""
norma-zero-vira-um: np.divide(X, n, out=np.zeros(X.shape), where=n > 0) → X / np.where(n == 0, 1, n)
epsilon-no-produto: U @ U.T → X @ X.T / (n * n.T + 1e-8)
epsilon-em-cada-norma: U @ U.T → (X / (n + 1e-9)) @ (X / (n + 1e-9)).T
torch-cosine-similarity: U = np.divide(X, n, out=np.zeros(X.shape), where=n > 0) → Xt = torch.tensor(X)
        U @ U.T → torch.nn.functional.cosine_similarity(Xt[:, None, :], Xt[None, :, :], dim=-1)
""")
