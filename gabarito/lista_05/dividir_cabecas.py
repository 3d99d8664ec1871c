"""A questão `dividir_cabecas` da lista 05."""

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao


def dividir_cabecas(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é divisível por h = {h}")
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


def _nomeia(d, h):
    """A mensagem traz os dois números, inteiros (o 7 de 17 não conta): só os nomes não dizem a quem lê o que mudar."""
    return {"quanto vale d": rf"(?<!\d){d}(?!\d)", "quanto vale h": rf"(?<!\d){h}(?!\d)"}


def _indivisivel(rng):
    """X (N, d) e h tais que h não divide d, e nenhum dos números que o NumPy citaria é d."""
    d, h = [(7, 3), (11, 4), (13, 5), (11, 3), (17, 7)][rng.integers(5)]
    return caso(rng.normal(size=(2, d)), h, nomeia=_nomeia(d, h), parte="erros")


def ocultos(rng):
    return [
        caso(rng.normal(size=(5, 12)), 4),
        caso(rng.normal(size=(4, 15)), 3),
        caso(rng.normal(size=(6, 8)), 2),
        caso(rng.normal(size=(3, 10)), 5),
        caso(rng.normal(size=(7, 6)), 1),
        caso(rng.normal(size=(1, 6)), 3),
        caso(rng.normal(size=(4, 12)), 4),
        _indivisivel(rng),
        caso(rng.normal(size=(4, 3)), 5, nomeia=_nomeia(3, 5), parte="erros"),
    ]


_NUMERADA = np.arange(3)[:, None] * 10.0 + np.arange(8)  # o token t e a coluna c no próprio número: 10 t + c

q = questao(
    "lista-05/dividir_cabecas",
    assinatura="dividir_cabecas(X, h)",
    saida="array",
    referencia=dividir_cabecas,
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
        caso(_NUMERADA[:2, :7] + 0.0, 3, rotulo="d = 7 e h = 3", nomeia=_nomeia(7, 3), parte="erros"),
        caso(_NUMERADA[:, :4] + 0.5, 6, rotulo="d = 4 e h = 6", nomeia=_nomeia(4, 6), parte="erros"),
    ],
    ocultos=ocultos,
    partes={"valores": 0.75, "erros": 0.25},
)

q.equivocos_curtos("""
reshape-sem-transpor: .reshape(N, h, d // h) → .reshape(h, N, d // h)
        .transpose(1, 0, 2) →
    A forma está certa, mas as linhas de uma cabeça vêm de tokens misturados: o reshape direto para (h, N, d_h) corta a
    memória em fila. Separe primeiro as colunas de cada token e só depois troque os eixos de lugar. Veja a Dica 2.
intercalado: X.reshape(N, h, d // h).transpose(1, 0, 2) → X.reshape(N, d // h, h).transpose(2, 0, 1)
    Cada cabeça recebeu colunas salteadas (0, h, 2h, …). As colunas de uma cabeça são vizinhas: no reshape, o eixo das
    cabeças vem antes do das componentes.
cabeca-no-meio: .transpose(1, 0, 2) →
    Os números certos estão lá, na ordem (N, h, d_h): o eixo das cabeças ficou no meio. Ele deve vir primeiro. Veja a
    Dica 2.
cabeca-deitada: X.reshape(N, h, d // h).transpose(1, 0, 2) → X.T.reshape(h, d // h, N)
    Cada cabeça saiu transposta, (h, d_h, N). Dentro de uma cabeça, cada linha é um token.
transposta-e-reshape: .reshape(N, h, d // h) → .T.reshape(h, N, d // h)
        .transpose(1, 0, 2) →
    A forma está certa, mas o reshape de Xᵀ direto para (h, N, d_h) embaralha tokens e colunas. Um reshape nunca troca
    eixos de lugar: para isso há transpose.
troca-h-por-d_h: .reshape(N, h, d // h) → .reshape(N, d // h, h)
    Você fez cabeças de tamanho h, em vez de h cabeças. O argumento h diz quantas são; o tamanho de cada uma é d/h.
sempre-a-primeira: N, d = X.shape → d = X.shape[1]
        X.reshape(N, h, d // h).transpose(1, 0, 2) → np.stack([X[:, : d // h] for _ in range(h)])
    Todas as cabeças são iguais: cada uma recebeu as mesmas d_h primeiras colunas. O começo da fatia precisa andar com a
    cabeça. Veja a Dica 1.
ordem-invertida: dividir_cabecas(X, h)[::-1]
    As cabeças estão de trás para a frente: a cabeça 0 deve ficar com as primeiras colunas.
divide-os-tokens: N, d = X.shape → d = X.shape[1]
        X.reshape(N, h, d // h).transpose(1, 0, 2) → np.stack(np.split(X, h, axis=0))
    Você repartiu as linhas, e cada cabeça viu só uma parte da frase. O que se reparte são as colunas: toda cabeça vê
    todos os tokens.
erro-do-split: np.stack(np.split(X, h, axis=1))
    Quando h não divide d, quem reclama é o np.split, e a mensagem dele não cita número nenhum. Examine d e h antes, e
    cite os dois.
erro-do-array_split: np.array(np.array_split(X, h, axis=1))
    Quando h não divide d, o np.array_split faz pedaços desiguais, e quem reclama é o np.array, sem dizer os culpados.
    Examine d e h antes, e cite os dois.
cita-so-d: f"d = {d} não é divisível por h = {h}" → f"d={d} não é divisível"
    O ValueError está certo, mas a mensagem só diz quanto vale d. Quem lê precisa dos dois culpados: diga também quantas
    são as cabeças, h.
cita-so-h: f"d = {d} não é divisível por h = {h}" → f"h={h} inválido"
    O ValueError está certo, mas a mensagem só diz quanto vale h. Quem lê precisa dos dois culpados: diga também qual é
    a dimensão, d.
so-os-nomes: f"d = {d} não é divisível por h = {h}" → "h não divide d"
    O ValueError está certo, mas a mensagem não diz quanto valem d e h. Ponha os dois números nela, com uma f-string:
    f"… {d} … {h} …".
esquece-o-f: f"d = {d} não é divisível por h = {h}" → "d = {d} e h = {h}"
    O ValueError está certo, mas a mensagem saiu com as chaves {d} e {h}, sem os números. Falta o f antes das aspas.
cabecas-no-fim: .transpose(1, 0, 2) → .transpose(0, 2, 1)
    A saída é (N, d_h, h): você trocou os dois últimos eixos, e o das cabeças foi parar no fim. Troque os dois
    primeiros: ele deve vir na frente.
inverte-todos-os-eixos: .transpose(1, 0, 2) → .T
    O `.T` de um array de três eixos inverte os três, e saiu (d_h, h, N). Diga em que ordem quer os eixos.
cabecas-empilhadas: np.concatenate(np.split(X, h, axis=1)) if X.shape[1] % h == 0 else dividir_cabecas(X, h)
    As cabeças saíram emendadas em uma matriz só, (h·N, d_h). Elas precisam de um eixo próprio, o primeiro: (h, N, d_h).
fatias-que-se-sobrepoem: N, d = X.shape → d = X.shape[1]
        X.reshape(N, h, d // h).transpose(1, 0, 2) → np.stack([X[:, i : i + d // h] for i in range(h)])
    As fatias de uma cabeça e da seguinte se sobrepõem: o começo anda de 1 em 1, e deve andar de d_h em d_h.
divide-com-uma-barra: d // h → d / h
    O tamanho da cabeça saiu com vírgula: `d / h` é sempre um float, e uma forma só aceita inteiros. Use `//`.
""")


@q.equivoco
def joga_o_resto_fora(X, h):
    """Quando h não divide d, sua função descarta as colunas que sobram, sem avisar. O enunciado pede um ValueError que
    cite d e h."""
    d_h = X.shape[1] // h
    return np.stack([X[:, i * d_h : (i + 1) * d_h] for i in range(h)])


@q.equivoco
def erro_do_reshape(X, h):
    """Quando h não divide d, quem reclama é o reshape do NumPy, e a mensagem dele não diz quem são os culpados. Examine
    d e h antes, e cite os dois. Veja a Dica 3."""
    N, d = X.shape
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@q.equivoco
def assert_em_vez_de_erro(X, h):
    """A verificação está lá, mas um assert lança AssertionError. O enunciado pede um ValueError: `raise
    ValueError(...)`."""
    N, d = X.shape
    assert d % h == 0, f"d = {d} não é divisível por h = {h}"
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@q.equivoco
def devolve_o_erro(X, h):
    """Quando h não divide d, sua função devolve o ValueError, como se fosse um resultado. Um erro se lança: troque o
    return por raise."""
    N, d = X.shape
    if d % h:
        return ValueError(f"d = {d} não é divisível por h = {h}")
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@q.equivoco
def imprime_o_erro(X, h):
    """Quando h não divide d, sua função devolve None. Um aviso na tela não faz parar quem a chamou: lance o erro com
    raise."""
    N, d = X.shape
    if d % h:
        print(f"d = {d} não é divisível por h = {h}")
        return None
    return X.reshape(N, h, d // h).transpose(1, 0, 2)


@q.alternativa
def fatias_empilhadas(X, h):
    d = X.shape[1]
    if d % h != 0:
        raise ValueError(f"não dá para repartir {d} colunas entre {h} cabeças")
    d_h = d // h
    return np.stack([X[:, i * d_h : (i + 1) * d_h] for i in range(h)])


@q.alternativa
def com_lacos(X, h):
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


@q.alternativa
def com_einsum_float32(X, h):
    N, d = X.shape
    if d % h:
        raise ValueError(f"d = {d} não é múltiplo de h = {h}")
    seletor = np.eye(d, dtype=np.float32).reshape(d, h, d // h)  # seletor[k, i, c] = 1 se k = i·d_h + c
    return np.einsum("nk,kic->inc", X.astype(np.float32), seletor)


q.alternativas_curtas("""
com-split: N, d = X.shape → d = X.shape[1]
        f"d = {d} não é divisível por h = {h}" → f"d={d}, h={h}"
        X.reshape(N, h, d // h).transpose(1, 0, 2) → np.array(np.split(X, h, axis=1))
com-torch: N, d = X.shape → T = torch.tensor(X)⏎N, d = T.shape
        f"d = {d} não é divisível por h = {h}" → f"o número de cabeças {h} não divide a dimensão {d}"
        X.reshape(N, h, d // h).transpose → T.view(N, h, d // h).permute
pela-transposta: f"d = {d} não é divisível por h = {h}" → f"d = {d}, h = {h}: a divisão não é exata"
        X.reshape(N, h, d // h) → np.swapaxes(X.T.reshape(h, d // h, N)
        .transpose(1, 0, 2) → , 1, 2)
""")
