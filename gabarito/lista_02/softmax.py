"""A questão `softmax` da lista 02."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch  # noqa: F401 (usado nas tabelas)
from gabarito.lista_02.comum import misturadas, oitavos


def softmax(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


EIXO, ENORMES = "qualquer eixo", "pontuações enormes"


def _so_negativas(rng):
    """Linhas muito abaixo de zero, e uma comum, com um número que também está: ninguém é grande, e exp(x) dá 0/0."""
    X = oitavos(rng, -2, 2, (3, 4))
    X[0] -= rng.integers(800, 990)
    X[1] -= rng.integers(800, 990)
    X[1:, rng.integers(4)] = -1000.0 + rng.integers(4)
    return X[rng.permutation(3)]


def _na_beira(rng):
    """exp(708,5) ainda cabe em um float64, mas a soma de seis já não."""
    return oitavos(rng, -0.25, 0.25, (2, 6)) + 708.5


def ocultos(rng):
    largo = oitavos(rng, -2, 2, (2, 4)) + 600
    largo[:, 0] -= 1000  # a linha atravessa 1000 unidades: exp(x − mínimo) estoura, exp(x − média) ainda não
    dominado = rng.normal(size=6) / 4  # um peso quase 1, um de menos de 1%, e quatro de menos de um milésimo
    dominado[:2] += [8, 3]
    return [
        caso(rng.normal(size=(3, 5))),
        caso(rng.normal(size=(3, 2, 4))),
        caso(rng.permutation(dominado)),
        caso(rng.normal(size=(3, 5)), -1),
        caso(rng.normal(size=(2, 5)), 0, parte=EIXO),
        caso(rng.normal(size=(4, 2, 3)), 1, parte=EIXO),
        caso(rng.normal(size=(2, 3, 2, 4)), -2, parte=EIXO),
        caso(rng.normal(size=(1, 2, 2)), 2, parte=EIXO),
        caso(rng.normal(size=(3, 2, 2)), -3, parte=EIXO),
        caso(rng.normal(size=(3, 1)), 1, parte=EIXO),
        caso(rng.normal(size=(1, 2, 2, 1, 3)), -4, parte=EIXO),
        caso(rng.normal(size=(2, 1, 3, 1, 2)), 2, parte=EIXO),
        caso(misturadas(rng, 4, 5), parte=ENORMES),
        caso(misturadas(rng, 3, 4).T.copy(), 0, parte=ENORMES),
        caso(largo, parte=ENORMES),
        caso(_so_negativas(rng), parte=ENORMES),
        caso(_na_beira(rng), parte=ENORMES),
    ]


q = questao(
    "lista-02/softmax",
    assinatura="softmax(x, eixo=-1)",
    saida="array",
    referencia=softmax,
    casos=[
        caso(np.array([[1.0, 2.0, 0.0], [0.5, 0.5, -1.0]]), claro=True, rotulo="o exemplo do enunciado"),
        caso(np.array([0.7, -0.4, 8.0, 3.0, -1.3]), rotulo="um vetor, com pesos pequenos"),
        caso(
            np.array([[[0.4, -0.5], [1.2, 0.9], [-0.6, 0.3]], [[-1.1, 0.7], [0.2, 1.3], [0.8, -0.4]]]),
            rotulo="três dimensões, último eixo",
        ),
        caso(np.array([[-0.5, -1.25, -2.0], [0.5, 1.0, -1.5]]), rotulo="uma linha só de negativos"),
        caso(np.array([[0.9, -0.6, 1.4], [-0.2, 1.7, 0.3]]), -1, rotulo="eixo −1, dito por extenso"),
        caso(np.array([[0.3, -1.2, 0.8, 0.1], [1.5, 0.4, -0.6, 0.9]]), 0, rotulo="eixo 0", parte=EIXO),
        caso(
            np.array(
                [
                    [[0.2, 1.1, -0.4, 0.7], [1.3, -0.8, 0.5, 0.0], [-0.1, 0.6, 0.9, -1.5]],
                    [[0.8, -0.3, 1.2, 0.4], [-0.9, 0.1, 0.3, 1.6], [0.5, 1.4, -0.7, -0.2]],
                ]
            ),
            1,
            rotulo="três dimensões, eixo 1",
            parte=EIXO,
        ),
        caso(
            np.array([[[0.6, -0.3], [1.1, 0.8]], [[-0.7, 1.5], [0.4, -1.2]], [[1.3, 0.1], [-0.5, 0.9]]]),
            -3,
            rotulo="três dimensões, eixo −3",
            parte=EIXO,
        ),
        caso(np.array([[3.0], [-2.0]]), 1, rotulo="um eixo de tamanho 1", parte=EIXO),
        caso(
            np.array(
                [
                    [[[[0.2, 1.3, -0.8]], [[0.9, -0.4, 0.5]]]],
                    [[[[-1.1, 0.7, 0.1]], [[0.6, 1.2, -0.3]]]],
                ]
            ),
            2,
            rotulo="cinco dimensões, eixo 2",
            parte=EIXO,
        ),
        caso(
            np.array(
                [
                    [1000.0, 999.0, 999.5, 998.0],
                    [-1000.0, -999.0, -998.0, -999.5],
                    [-1000.0, 1000.0, 999.5, -998.0],
                    [-400.0, 600.0, 599.0, 598.5],
                ]
            ),
            rotulo="pontuações de até ±1000",
            parte=ENORMES,
        ),
        caso(
            np.array(
                [
                    [999.0, -998.0, 1.0],
                    [1000.0, -999.5, 0.5],
                    [998.0, -1000.0, -0.5],
                    [999.5, -999.0, 2.0],
                ]
            ),
            0,
            rotulo="pontuações de até ±1000 no eixo 0",
            parte=ENORMES,
        ),
        caso(
            np.array([[-1000.0, -1001.0, -999.5], [-990.0, -810.0, -809.0], [1.5, -900.0, 0.5]]),
            rotulo="linhas muito negativas, e nenhuma grande",
            parte=ENORMES,
        ),
        caso(
            np.array([[-400.0, 600.0, 599.0, 598.5], [600.5, 597.0, 598.0, 599.5]]),
            rotulo="pontuações perto de 600",
            parte=ENORMES,
        ),
        caso(
            np.array([[708.5, 708.25, 708.75, 708.0, 707.5, 708.625]]),
            rotulo="pontuações perto de 708",
            parte=ENORMES,
        ),
    ],
    ocultos=ocultos,
    propriedades=["soma-1-no-eixo", "nao-negativa"],
    partes={"o último eixo": 0.5, EIXO: 0.25, ENORMES: 0.25},
)

q.equivocos_curtos("""
normaliza-colunas: softmax(x, 0)
    Sua função normaliza sempre ao longo do eixo 0, seja qual for o eixo pedido. Sem pedido nenhum, é o último eixo que
    deve somar 1: veja onde `eixo` entra na sua conta. Veja a Dica 2.
ignora-o-eixo: softmax(x, -1)
    Sua função normaliza sempre o último eixo. Quando se pede outro, é nele que a soma deve dar 1: o argumento `eixo`
    precisa chegar ao máximo e à soma. Veja a Dica 2.
eixo-1-fixo: softmax(x, 1)
    O eixo 1 está escrito à mão. Serve para as linhas de uma matriz, mas um vetor não tem eixo 1, e em três dimensões
    ele não é o último: use o argumento `eixo`.
sem-maximo: np.exp(x) / np.exp(x).sum(axis=eixo, keepdims=True)
    Com pontuações pequenas está certo, mas exp(1000) não cabe em um float: vira infinito, e inf/inf é NaN (e
    exp(−1000) vira 0, e 0/0 também). Use a propriedade da aula: somar uma constante a todas não muda o resultado. Veja
    a Dica 1.
maximo-global: .max(axis=eixo, keepdims=True) → .max()
    Você subtrai o maior valor do array inteiro. Uma linha que está muito abaixo dele vira exp(−2000) = 0 em todas as
    posições, e 0/0 é NaN: cada linha precisa do seu próprio máximo. Veja a Dica 2.
soma-global: .sum(axis=eixo, keepdims=True) → .sum()
    Tudo somado dá 1, mas cada linha deveria somar 1 sozinha. Você divide pela soma do array inteiro: some só ao longo
    de `eixo`. Veja a Dica 2.
tudo-global: .max(axis=eixo, keepdims=True) → .max()
        .sum(axis=eixo, keepdims=True) → .sum()
    O array inteiro virou uma distribuição só, com máximo e soma globais. São muitas: uma para cada fatia ao longo de
    `eixo`.
sem-exp: x / x.sum(axis=eixo, keepdims=True)
    Você dividiu as próprias pontuações pela soma delas. Assim uma pontuação negativa dá peso negativo: falta passar por
    uma função que só devolve números positivos.
sem-normalizar: np.exp(x - x.max(axis=eixo, keepdims=True))
    O maior valor de cada linha é exatamente 1, e a soma passa de 1: você parou nas exponenciais, ou dividiu pela maior
    delas. O divisor é a soma.
divide-pelo-maximo: x - x.max(axis=eixo, keepdims=True) → x / x.max(axis=eixo, keepdims=True)
    Você divide as pontuações pelo máximo em vez de subtraí-lo. Dividir muda as diferenças entre elas, e são as
    diferenças que decidem os pesos.
sigmoide: 1 / (1 + np.exp(-x))
    Isto é a sigmoide: cada posição olha só para si mesma, e nada obriga a soma a ser 1. Na softmax, os elementos
    competem entre si.
log-softmax: e = np.exp(x - x.max(axis=eixo, keepdims=True)) → z = x - x.max(axis=eixo, keepdims=True)
        e / e.sum(axis=eixo, keepdims=True) → z - np.log(np.exp(z).sum(axis=eixo, keepdims=True))
    Seus valores são todos negativos: é o logaritmo dos pesos (a log-softmax). Faltou a exponencial no fim.
sem-keepdims: .max(axis=eixo, keepdims=True) → .max(axis=eixo)
        .sum(axis=eixo, keepdims=True) → .sum(axis=eixo)
    As formas não se encaixam: ao somar (ou tirar o máximo) ao longo de um eixo, ele desaparece. Conserve-o com tamanho
    1, para que a divisão saiba a que linha cada soma pertence. Veja a Dica 2.
corta-em-k: x - x.max(axis=eixo, keepdims=True) → np.clip(x, -60, 60)
    Você limita as pontuações antes de exponenciar. Não estoura, mas 1000 e 999 viram o mesmo número e recebem o mesmo
    peso. Em vez de cortar, desloque todas igualmente.
corta-em-700: x - x.max(axis=eixo, keepdims=True) → np.clip(x, -700, 700)
    Você limita as pontuações antes de exponenciar. Não estoura, mas 1000 e 999 viram o mesmo número e recebem o mesmo
    peso. Em vez de cortar, desloque todas igualmente.
corta-em-709: x - x.max(axis=eixo, keepdims=True) → np.clip(x, -709, 709)
    Você limita as pontuações antes de exponenciar. Cada exponencial ainda cabe, mas a soma delas estoura, e 1000 e 999
    virariam o mesmo número. Em vez de cortar, desloque todas igualmente.
corta-pouco-so-por-cima: x - x.max(axis=eixo, keepdims=True) → np.minimum(x, 100)
    Você limita as pontuações grandes antes de exponenciar. Assim 1000 e 999 recebem o mesmo peso, e numa linha muito
    negativa exp(−1000) ainda vira 0 em todas as posições. Em vez de cortar, desloque todas igualmente.
corta-so-por-cima: x - x.max(axis=eixo, keepdims=True) → np.minimum(x, 700)
    Você limita as pontuações grandes antes de exponenciar. Assim 1000 e 999 recebem o mesmo peso, e numa linha muito
    negativa exp(−1000) ainda vira 0 em todas as posições. Em vez de cortar, desloque todas igualmente.
maximo-so-quando-e-grande: x - x.max(axis=eixo, keepdims=True) → x - (x.max() > 700) * x.max(axis=eixo, keepdims=True)
    Você só subtrai o máximo quando ele é grande. Mas uma linha muito negativa também estraga a conta: exp(−1000) vira 0
    em todas as posições, e 0/0 é NaN. Subtraia sempre: o máximo, seja qual for, leva o maior expoente a 0.
maximo-so-das-linhas-grandes:
        x - x.max(axis=eixo, keepdims=True) → x - np.maximum(x.max(axis=eixo, keepdims=True), 0)
    Você só subtrai o máximo das linhas em que ele é grande (ou positivo). Numa linha muito negativa, exp(−1000) vira 0
    em todas as posições, e 0/0 é NaN. Subtraia sempre, de todas.
limite-no-estouro: x - x.max(axis=eixo, keepdims=True) → x - (np.abs(x).max() > 709) * x.max(axis=eixo, keepdims=True)
    Você só subtrai o máximo quando exp() de um número estouraria. Perto de 709 cada exponencial ainda cabe, mas a soma
    delas não. Subtraia sempre.
subtrai-a-media: .max → .mean
    Você subtrai a média. Se uma pontuação fica muito acima dela, a exponencial ainda estoura: há uma constante que
    garante que nenhum expoente passe de 0. Veja a Dica 1.
subtrai-o-minimo: .max → .min
    Você subtrai o mínimo, e os expoentes crescem em vez de diminuir. Com qual outra constante nenhum deles passa de 0?
maximo-do-modulo: x.max → np.abs(x).max
    Você subtrai o maior valor absoluto. Numa linha perto de −1000 isso afasta ainda mais de zero: tudo vira
    exp(−2000) = 0, e 0/0 é NaN. O máximo é o das próprias pontuações.
esconde-o-nan: np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=eixo, keepdims=True))
    Onde a conta estourou, você trocou o NaN por outro número. A linha deixou de somar 1: em vez de esconder o NaN,
    evite que ele apareça.
base-2: np.exp(x - x.max(axis=eixo, keepdims=True)) → 2.0 ** (x - x.max(axis=eixo, keepdims=True))
    A soma está certa, mas a base da potência não: você usou 2, e a softmax usa o número e.
sinal-trocado: x - x.max(axis=eixo, keepdims=True) → x.min(axis=eixo, keepdims=True) - x
    A ordem saiu invertida: a menor pontuação ficou com o maior peso. Confira o sinal dentro da exponencial.
softmax-duas-vezes: softmax(softmax(x, eixo), eixo)
    Os pesos estão perto demais uns dos outros: parece uma softmax aplicada sobre outra softmax. Uma vez basta.
norma-2: e.sum(axis=eixo, keepdims=True) → np.sqrt((e**2).sum(axis=eixo, keepdims=True))
    Cada linha tem comprimento 1, mas não soma 1: você dividiu pela norma. Divida pela soma.
eixo-negativo-vira-ultimo: softmax(x, eixo if eixo >= 0 else -1)
    Com um eixo negativo sua função usa sempre o último. Só −1 é o último: −2 é o penúltimo, −3 o anterior. O NumPy já
    entende os negativos; repasse `eixo` como veio.
so-dois-eixos: softmax(x, 0 if eixo in (0, -x.ndim) else -1)
    Sua função só conhece dois eixos: o 0 e o último. Com três dimensões ou mais há os do meio: use o número que veio em
    `eixo`.
some-com-eixo-de-tamanho-1: np.squeeze(softmax(x, eixo))
    Os valores estão certos, mas um eixo de tamanho 1 sumiu da saída. A forma tem de ser a mesma de `x`: veja se há um
    squeeze a mais.
altera-a-entrada: e = np.exp(x - x.max(axis=eixo, keepdims=True)) → x -= x.max(axis=eixo, keepdims=True)⏎e = np.exp(x)
    Sua função escreve em `x`. Trabalhe numa cópia: quem chamou ainda precisa dele.
maximo-no-ultimo-eixo: x.max(axis=eixo, keepdims=True) → x.max(axis=-1, keepdims=True)
    O máximo foi tirado sempre no último eixo, e a soma, no eixo pedido: a constante subtraída tem de ser a mesma para
    todos os que competem. Leve `eixo` também ao máximo.
soma-no-ultimo-eixo: e.sum(axis=eixo, keepdims=True) → e.sum(axis=-1, keepdims=True)
    O máximo usa o eixo pedido, mas a soma é sempre no último: quando se pede outro eixo, os pesos não somam 1 nele.
    Leve `eixo` também à soma.
media-no-lugar-da-soma: .sum(axis=eixo, keepdims=True) → .mean(axis=eixo, keepdims=True)
    Você dividiu pela média das exponenciais, e a soma dos pesos deu a quantidade deles, em vez de 1. Divida pela soma.
divisao-inteira: e / e.sum → e // e.sum
    Quase tudo virou 0: `//` é a divisão inteira, que joga as casas decimais fora. A divisão é `/`.
""")


@q.equivoco
def maximo_no_eixo_errado(x, eixo=-1):
    """O máximo foi tirado ao longo de um eixo e a soma, ao longo de outro. A constante subtraída tem de ser a mesma
    para todos os que competem entre si; senão o resultado muda."""
    outro = 0 if eixo in (-1, x.ndim - 1) else -1
    e = np.exp(x - x.max(axis=outro, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@q.equivoco
def zera_pesos_pequenos(x, eixo=-1):
    """Os pesos pequenos viraram zero. Na softmax todo mundo leva alguma coisa, por pouco que seja: não corte nem
    arredonde."""
    p = softmax(x, eixo)
    p = np.where(p < 1e-3, 0.0, p)
    return p / p.sum(axis=eixo, keepdims=True)


@q.alternativa
def fatia_por_fatia(x, eixo=-1):
    def um(v):
        maior = max(v)
        e = [float(np.exp(a - maior)) for a in v]
        return np.array([a / sum(e) for a in e])

    return np.apply_along_axis(um, eixo, x)


@q.alternativa
def eixo_para_o_fim(x, eixo=-1):
    z = np.moveaxis(x, eixo, -1)
    e = np.exp(z - z.max(axis=-1)[..., None])
    return np.moveaxis(e / np.einsum("...m->...", e)[..., None], -1, eixo)


@q.alternativa
def uma_sobre_a_soma_das_razoes(x, eixo=-1):
    z = np.moveaxis(x, eixo, -1)
    diferencas = z[..., None, :] - z[..., :, None]  # (..., M, M): x_k − x_m
    with np.errstate(over="ignore"):  # aqui o infinito é inofensivo: 1/inf = 0
        return np.moveaxis(1 / np.exp(diferencas).sum(axis=-1), -1, eixo)


@q.alternativa
def com_numpy_float32(x, eixo=-1):
    z = x.astype(np.float32)
    e = np.exp(z - z.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


# Só quando é preciso, e com folga: exp(±700) cabe em um float64, e a soma de milhares delas também.
q.alternativas_curtas("""
maximo-so-se-o-modulo-e-grande:
        x - x.max(axis=eixo, keepdims=True) → x - (np.abs(x).max() > 700) * x.max(axis=eixo, keepdims=True)
com-torch: torch.softmax(torch.tensor(x), dim=eixo)
com-torch-float32: torch.softmax(torch.tensor(x, dtype=torch.float32), dim=eixo)
log-soma-exp-do-torch-float32:
        e = np.exp(x - x.max(axis=eixo, keepdims=True)) → z = torch.tensor(x, dtype=torch.float32)
        e / e.sum(axis=eixo, keepdims=True) → torch.exp(z - torch.logsumexp(z, dim=eixo, keepdim=True))
log-soma-exp: np.exp(x - np.logaddexp.reduce(x, axis=eixo, keepdims=True))
epsilon-pequeno-no-denominador: x.max(axis=eixo, keepdims=True) → np.max(x, axis=eixo, keepdims=True)
        e.sum(axis=eixo, keepdims=True) → (np.sum(e, axis=eixo, keepdims=True) + 1e-12)
""")
