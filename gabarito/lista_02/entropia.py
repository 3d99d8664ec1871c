"""A questão `entropia` da lista 02."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch  # noqa: F401 (usado nas tabelas)
from gabarito.lista_02.softmax import softmax


def entropia(A):
    seguro = np.where(A > 0, A, 1.0)  # log 1 = 0: o peso zero conta 0, sem passar por log 0
    return -(A * np.log(seguro)).sum(axis=-1)


ZEROS = "pesos zero"


def ocultos(rng):
    com_zeros = softmax(rng.normal(size=(3, 5)))
    com_zeros[0, int(rng.integers(5))] = 0.0
    com_zeros[1] = np.eye(5)[int(rng.integers(5))]
    com_zeros /= com_zeros.sum(axis=-1, keepdims=True)
    cubo = softmax(rng.normal(size=(2, 4, 3)))
    cubo[1, 2] = [0.0, 0.375, 0.625]
    pequenos = rng.integers(1, 9, size=(2, 5)) / 10_000  # uma entrada leva quase tudo
    pequenos[:, int(rng.integers(5))] = 0.0
    pequenos += (1 - pequenos.sum(axis=-1, keepdims=True)) * (pequenos == 0)
    return [
        caso(softmax(rng.normal(size=(2, 4)))),
        caso(softmax(2 * rng.normal(size=(5, 3)))),
        caso(softmax(rng.normal(size=6))),
        caso(com_zeros, parte=ZEROS),
        caso(cubo, parte=ZEROS),
        caso(softmax(rng.normal(size=(2, 3, 2, 4)))),
        caso(softmax(rng.normal(size=(1, 3)))),
        caso(softmax(rng.normal(size=(2, 1, 2)))),
        caso(np.ones((3, 1))),
        caso(pequenos),
        caso(softmax(rng.normal(size=(1, 2, 1, 2, 3)))),
        caso(softmax(rng.normal(size=(2, 4)))),
    ]


q = questao(
    "lista-02/entropia",
    assinatura="entropia(A)",
    saida="array",
    referencia=entropia,
    casos=[
        caso(np.array([[0.5, 0.25, 0.25], [0.0, 0.2, 0.8]]), claro=True, rotulo="o exemplo do enunciado", parte=ZEROS),
        caso(np.array([[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.15, 0.05]]), rotulo="nenhum peso zero"),
        caso(np.array([0.1, 0.6, 0.3]), rotulo="um vetor"),
        caso(
            np.array(
                [
                    [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.4, 0.05, 0.55], [0.15, 0.7, 0.15]],
                    [[0.1, 0.1, 0.8], [0.35, 0.25, 0.4], [0.05, 0.9, 0.05], [0.28, 0.02, 0.7]],
                ]
            ),
            rotulo="três dimensões",
        ),
        caso(
            np.array([[0.0, 0.0, 1.0, 0.0, 0.0], [0.2, 0.2, 0.2, 0.2, 0.2], [0.0, 0.1, 0.0, 0.9, 0.0]]),
            rotulo="do peso único à média simples",
            parte=ZEROS,
        ),
        caso(
            np.array(
                [
                    [0.9989, 0.0005, 0.0003, 0.0002, 0.0001],
                    [0.3, 0.1, 0.2, 0.15, 0.25],
                    [0.0002, 0.9985, 0.0001, 0.0002, 0.001],
                ]
            ),
            rotulo="pesos de menos de um milésimo",
        ),
        caso(np.array([[0.25, 0.4, 0.35]]), rotulo="uma linha só, forma (1, 3)"),
        caso(np.array([[[0.3, 0.7]], [[0.85, 0.15]]]), rotulo="forma (2, 1, 2)"),
        caso(np.array([[1.0], [1.0], [1.0]]), rotulo="um peso por linha, forma (3, 1)"),
        caso(np.array([[[[[0.1, 0.35, 0.55]], [[0.6, 0.15, 0.25]]]]]), rotulo="cinco dimensões, forma (1, 1, 2, 1, 3)"),
    ],
    ocultos=ocultos,
    propriedades=["nao-negativa"],
    atol=1e-5,
    partes={"pesos positivos": 0.5, ZEROS: 0.5},
)


def _entropia_de_uma(linha):
    return -sum(float(a * np.log(a)) for a in linha if a > 0)


q.equivocos_curtos("""
log2: entropia(A) / np.log(2)
    Você usou o logaritmo na base 2. O do enunciado é o natural: np.log.
log10: entropia(A) / np.log(10)
    Você usou o logaritmo na base 10. O do enunciado é o natural: np.log, e não np.log10.
sem-sinal: -entropia(A)
    A entropia saiu negativa: o logaritmo de um peso é negativo ou zero. Falta o sinal de menos.
nan-no-zero: -(A * np.log(A)).sum(axis=-1)
    Onde há um peso zero apareceu NaN: log 0 é −inf, e 0 · (−inf) não é um número. O limite de a·ln a quando a → 0 é 0:
    faça esse caso contar 0. Veja a Dica 1.
nao-soma: -(A * np.log(np.where(A > 0, A, 1.0)))
    Você devolveu cada termo −a ln a, sem somar: a forma é a de `A`. A entropia é a soma deles ao longo do último eixo.
media: entropia(A) / A.shape[-1]
    Você tirou a média dos termos. A entropia é a soma deles: os pesos já fazem o papel da média.
eixo-0: -(A * np.log(np.where(A > 0, A, 1.0))).sum(axis=0)
    Você somou ao longo do eixo 0. Cada distribuição está no último eixo: é ele que desaparece.
eixo-1-fixo: -(A * np.log(np.where(A > 0, A, 1.0))).sum(axis=1)
    O eixo 1 está escrito à mão. Serve para uma matriz, mas não para um vetor nem para três dimensões: é o último eixo.
soma-tudo: entropia(A).sum()
    Saiu um número só, com todas as linhas somadas (isso acontece também ao filtrar com A[A > 0], que desmancha as
    linhas). É uma entropia para cada linha. Veja a Dica 3.
sobra-uma-dimensao: entropia(A)[..., None]
    Os valores estão certos, mas sobrou uma dimensão de tamanho 1 no fim. O último eixo deve desaparecer.
eps-grande: -(A * np.log(A + 1e-3)).sum(axis=-1)
    Você somou um número dentro do logaritmo, e ele é grande demais: mudou o resultado onde havia peso de verdade.
    Melhor tratar o zero à parte. Veja a Dica 2.
sem-o-peso: -np.log(A).sum(axis=-1)
    Você somou −ln a sem multiplicar pelo peso a. Cada surpresa conta na proporção em que acontece.
sem-o-peso-mas-com-o-zero-a-parte: -np.log(np.where(A > 0, A, 1.0)).sum(axis=-1)
    Você somou −ln a sem multiplicar pelo peso a. Cada surpresa conta na proporção em que acontece.
log1p: -(A * np.log1p(A)).sum(axis=-1)
    Você usou ln(1 + a) para fugir do zero, mas é outra função. É o ln a; só o caso a = 0 se trata à parte.
gini: 1 - (A**2).sum(axis=-1)
    Isto é 1 − Σ a², o índice de Gini. Ele também mede concentração, mas a entropia pedida usa o logaritmo.
entre-0-e-1: entropia(A) / np.log(A.shape[-1])
    Você dividiu por ln N, para o máximo ser 1. Aqui se pede a entropia, sem essa divisão.
perplexidade: np.exp(entropia(A))
    Você devolveu a exponencial da entropia (o número efetivo de palavras). Aqui se pede a própria entropia.
some-com-eixo-de-tamanho-1: np.squeeze(entropia(A))
    Os valores estão certos, mas um eixo de tamanho 1 sumiu. Só o último eixo desaparece; os outros ficam, ainda que
    tenham tamanho 1: veja se há um squeeze a mais.
ignora-pesos-pequenos: -(A * np.log(np.where(A > 1e-2, A, 1.0))).sum(axis=-1)
    Os pesos pequenos ficaram fora da conta. Só o peso zero conta 0: um de um milésimo ainda tem surpresa, e grande.
altera-a-entrada: seguro = np.where(A > 0, A, 1.0) → A[A == 0] = 1e-12
        np.log(seguro) → np.log(A)
    Sua função troca os zeros dentro de `A`. Trabalhe numa cópia.
media-das-linhas: entropia(A).mean()
    Saiu um número só, a média das entropias. É uma para cada linha: não junte as linhas.
where-ao-contrario: np.where(A > 0, A, 1.0) → np.where(A > 0, 1.0, A)
    O 1 foi posto onde há peso, e o zero continuou zero dentro do logaritmo: os dois lados da escolha estão trocados.
acumula-entre-as-linhas: np.cumsum(entropia(A)).reshape(A.shape[:-1])
    A partir da segunda linha, cada entropia inclui as das linhas de cima: a soma não volta a zero. Zere a soma a cada
    linha.
soma-tudo-em-bits: entropia(A).sum() / np.log(2)
    São dois erros: é uma entropia para cada linha, e não a soma de todas; e o logaritmo é o natural, e não o de base
    2.
""")


@q.equivoco
def zera_a_linha(A):
    """O NaN foi trocado por 0 depois da soma, e com isso a linha inteira que tinha um peso zero ficou com entropia 0.
    Só o termo do peso zero é que conta 0."""
    with np.errstate(all="ignore"):
        return np.nan_to_num(-(A * np.log(A)).sum(axis=-1))


@q.equivoco
def so_serve_para_matrizes(A):
    """Seus dois laços só servem para uma matriz: em um vetor não há linhas, e em três dimensões uma linha é outra
    matriz. Faça a conta com o array inteiro, ao longo do último eixo."""
    entropias = []
    for linha in A:
        h = 0
        for a in linha:
            if a > 0:
                h -= a * np.log(a)
        entropias.append(h)
    return np.array(entropias)


@q.equivoco
def sem_o_peso_em_lacos(A):
    """Você somou −ln a sem multiplicar pelo peso a. Cada surpresa conta na proporção em que acontece. E os dois laços
    só servem para uma matriz: faça a conta ao longo do último eixo."""
    return np.array([-sum(np.log(a) for a in linha if a > 0) for linha in A])


@q.alternativa
def soma_sem_nan(A):
    with np.errstate(all="ignore"):
        return -np.nansum(A * np.log(A), axis=-1)


@q.alternativa
def com_lacos(A):
    if A.ndim == 1:
        return _entropia_de_uma(A)
    return np.array([_entropia_de_uma(linha) for linha in A.reshape(-1, A.shape[-1])]).reshape(A.shape[:-1])


@q.alternativa
def com_mascara(A):
    termos = np.zeros_like(A)
    termos[A > 0] = A[A > 0] * np.log(1 / A[A > 0])
    return np.einsum("...m->...", termos)


q.alternativas_curtas("""
com-torch: torch.special.entr(torch.tensor(A)).sum(dim=-1)
com-torch-float32: torch.special.entr(torch.tensor(A, dtype=torch.float32)).sum(dim=-1)
epsilon-minusculo: -np.sum(A * np.log(A + 1e-12), axis=-1)
limita-por-baixo: -(A * np.log(np.clip(A, 1e-300, None))).sum(-1)
""")
