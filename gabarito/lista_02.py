"""Lista 02: softmax, temperatura, jacobiana, entropia e a autoatenção sem parâmetros.

As pontuações perto de ±10 000 são inteiros ou múltiplos de 1/8, e as temperaturas, potências de dois: assim a
mesma conta feita em float32 também está certa, e só a instabilidade é recusada. A exceção é quem, em float32, soma
o máximo de volta (o log-soma-exp à mão): perto de 10 000 os float32 distam 1/1024, e o peso sai errado na quarta
casa. `_MEIO_PASSO` e as colunas de `_MEIO_PASSO_FRIO` põem essa soma longe da grade, para que a recusa não dependa da
sorte; na autoatenção, `_PARES_NA_GRADE` a põem em cima dela, e ali as duas contas valem.

Em cada questão há duas entradas da mesma forma, com valores diferentes: guardar resultados pela forma não serve.
"""

import numpy as np
import torch

from gabarito.base import caso, questao


def _softmax(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


def _oitavos(rng, baixo, alto, forma):
    """Múltiplos de 1/8 entre baixo e alto: exatos em float32 mesmo perto de 10 000."""
    return rng.integers(round(8 * baixo), round(8 * alto), size=forma, endpoint=True) / 8


def _misturadas(rng, n, m):
    """Linhas (n, m) em alturas muito diferentes: perto de 10 000, de −10 000, de 0, e uma de ponta a ponta."""
    X = _oitavos(rng, -3, 3, (n, m))
    X[0] += 10_000 - 4
    X[1] -= 10_000 - 4
    X[2, :] += 10_000 - 4
    X[2, 0] = -10_000 + rng.integers(0, 8)
    return X


# ln Σ exp destes quatro cai a meio passo da grade dos float32 perto de 10 000 (passo de 1/1024).
_MEIO_PASSO = np.array([0.0, -0.5, -1.0, -2.0])
# O mesmo com T = 1/2: as pontuações divididas chegam a 20 000 (passo de 1/512).
_MEIO_PASSO_FRIO = np.array([0.0, -0.5, -1.0, -3.0])


def _coluna_a_meio_passo(rng, meio_passo):
    """Quatro linhas e três colunas em alturas muito diferentes; a primeira está a meio passo da grade."""
    X = _misturadas(rng, 3, 4).T.copy()
    X[:, 0] = 10_000 - rng.integers(0, 8) + rng.permutation(meio_passo)
    return X


def _log_soma_exp_float32(x, eixo):
    z = x.astype(np.float32)
    maior = z.max(axis=eixo, keepdims=True)
    return np.exp(z - (maior + np.log(np.exp(z - maior).sum(axis=eixo, keepdims=True))))


# --------------------------------------------------------------------------------------------- softmax


def _ocultos_softmax(rng):
    largo = _oitavos(rng, -2, 2, (2, 4)) + 600
    largo[:, 0] -= 1000  # a linha atravessa 1000 unidades: exp(x − mínimo) estoura, exp(x − média) ainda não
    dominado = rng.normal(size=6) / 4  # um peso quase 1, um de menos de 1%, e quatro de menos de um milésimo
    dominado[:2] += [8, 3]
    return [
        caso(rng.normal(size=(3, 5))),
        caso(rng.normal(size=(2, 5)), 0),
        caso(rng.normal(size=(4, 2, 3)), 1),
        caso(rng.normal(size=(3, 2, 4))),
        caso(rng.permutation(dominado)),
        caso(rng.normal(size=(2, 3, 2, 4)), -2),
        caso(_misturadas(rng, 4, 5)),
        caso(_coluna_a_meio_passo(rng, _MEIO_PASSO), 0),
        caso(largo),
        caso(rng.normal(size=(3, 5)), -1),
        caso(rng.normal(size=(1, 2, 2)), 2),
        caso(rng.normal(size=(3, 2, 2)), -3),
        caso(rng.normal(size=(3, 1)), 1),
        caso(rng.normal(size=(1, 2, 2, 1, 3)), -4),
        caso(rng.normal(size=(2, 1, 3, 1, 2)), 2),
    ]


softmax = questao(
    "lista-02/softmax",
    assinatura="softmax(x, eixo=-1)",
    saida="array",
    referencia=_softmax,
    casos=[
        caso(np.array([[1.0, 2.0, 0.0], [0.5, 0.5, -1.0]]), claro=True, rotulo="o exemplo do enunciado"),
        caso(np.array([[0.3, -1.2, 0.8, 0.1], [1.5, 0.4, -0.6, 0.9]]), 0, rotulo="eixo 0"),
        caso(
            np.array(
                [
                    [[0.2, 1.1, -0.4, 0.7], [1.3, -0.8, 0.5, 0.0], [-0.1, 0.6, 0.9, -1.5]],
                    [[0.8, -0.3, 1.2, 0.4], [-0.9, 0.1, 0.3, 1.6], [0.5, 1.4, -0.7, -0.2]],
                ]
            ),
            1,
            rotulo="três dimensões, eixo 1",
        ),
        caso(
            np.array([[[0.4, -0.5], [1.2, 0.9], [-0.6, 0.3]], [[-1.1, 0.7], [0.2, 1.3], [0.8, -0.4]]]),
            rotulo="três dimensões, último eixo",
        ),
        caso(np.array([0.7, -0.4, 8.0, 3.0, -1.3]), rotulo="um vetor, com pesos pequenos"),
        caso(
            np.array(
                [
                    [10000.0, 9999.0, 9999.5, 9998.0],
                    [-10000.0, -9999.0, -9998.0, -9999.5],
                    [-10000.0, 10000.0, 9999.5, 9998.0],
                    [-400.0, 600.0, 599.0, 598.5],
                ]
            ),
            rotulo="pontuações de até ±10 000",
        ),
        caso(
            np.array(
                [
                    [9999.0, -9998.0, 1.0],
                    [10000.0, -9999.5, 0.5],
                    [9998.0, -10000.0, -0.5],
                    [9999.5, -9999.0, 2.0],
                ]
            ),
            0,
            rotulo="pontuações de até ±10 000 no eixo 0",
        ),
        caso(np.array([[0.9, -0.6, 1.4], [-0.2, 1.7, 0.3]]), -1, rotulo="eixo −1, dito por extenso"),
        caso(
            np.array([[[0.6, -0.3], [1.1, 0.8]], [[-0.7, 1.5], [0.4, -1.2]], [[1.3, 0.1], [-0.5, 0.9]]]),
            -3,
            rotulo="três dimensões, eixo −3",
        ),
        caso(np.array([[3.0], [-2.0]]), 1, rotulo="um eixo de tamanho 1"),
        caso(
            np.array(
                [
                    [[[[0.2, 1.3, -0.8]], [[0.9, -0.4, 0.5]]]],
                    [[[[-1.1, 0.7, 0.1]], [[0.6, 1.2, -0.3]]]],
                ]
            ),
            2,
            rotulo="cinco dimensões, eixo 2",
        ),
    ],
    ocultos=_ocultos_softmax,
    propriedades=["soma-1-no-eixo", "nao-negativa"],
)


@softmax.equivoco(
    "normaliza-colunas",
    "Sua função normaliza sempre ao longo do eixo 0, seja qual for o eixo pedido. Sem pedido nenhum, é o "
    "último eixo que deve somar 1: veja onde `eixo` entra na sua conta.",
)
def _(x, eixo=-1):
    return _softmax(x, 0)


@softmax.equivoco(
    "ignora-o-eixo",
    "Sua função normaliza sempre o último eixo. Quando se pede outro, é nele que a soma deve dar 1: o "
    "argumento `eixo` precisa chegar ao máximo e à soma.",
)
def _(x, eixo=-1):
    return _softmax(x, -1)


@softmax.equivoco(
    "eixo-1-fixo",
    "O eixo 1 está escrito à mão. Serve para as linhas de uma matriz, mas um vetor não tem eixo 1, e em "
    "três dimensões ele não é o último: use o argumento `eixo`.",
)
def _(x, eixo=-1):
    return _softmax(x, 1)


@softmax.equivoco(
    "sem-maximo",
    "Com pontuações pequenas está certo, mas exp(10000) não cabe em um float: vira infinito, e inf/inf é "
    "NaN (e exp(−10000) vira 0, e 0/0 também). Use a propriedade da aula: somar uma constante a todas não "
    "muda o resultado.",
)
def _(x, eixo=-1):
    return np.exp(x) / np.exp(x).sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "maximo-global",
    "Você subtrai o maior valor do array inteiro. Uma linha que está muito abaixo dele vira exp(−20000) = "
    "0 em todas as posições, e 0/0 é NaN: cada linha precisa do seu próprio máximo.",
)
def _(x, eixo=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "maximo-no-eixo-errado",
    "O máximo foi tirado ao longo de um eixo e a soma, ao longo de outro. A constante subtraída tem de "
    "ser a mesma para todos os que competem entre si; senão o resultado muda.",
)
def _(x, eixo=-1):
    outro = 0 if eixo in (-1, x.ndim - 1) else -1
    e = np.exp(x - x.max(axis=outro, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "soma-global",
    "Tudo somado dá 1, mas cada linha deveria somar 1 sozinha. Você divide pela soma do array inteiro: "
    "some só ao longo de `eixo`.",
)
def _(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum()


@softmax.equivoco(
    "tudo-global",
    "O array inteiro virou uma distribuição só, com máximo e soma globais. São muitas: uma para cada "
    "fatia ao longo de `eixo`.",
)
def _(x, eixo=-1):
    e = np.exp(x - x.max())
    return e / e.sum()


@softmax.equivoco(
    "sem-exp",
    "Você dividiu as próprias pontuações pela soma delas. Assim uma pontuação negativa dá peso negativo: "
    "falta passar por uma função que só devolve números positivos.",
)
def _(x, eixo=-1):
    return x / x.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "sem-normalizar",
    "O maior valor de cada linha é exatamente 1, e a soma passa de 1: você exponenciou e parou. Falta "
    "dividir pela soma.",
)
def _(x, eixo=-1):
    return np.exp(x - x.max(axis=eixo, keepdims=True))


@softmax.equivoco(
    "divide-pelo-maximo",
    "Você divide as pontuações pelo máximo em vez de subtraí-lo. Dividir muda as diferenças entre elas, e "
    "são as diferenças que decidem os pesos.",
)
def _(x, eixo=-1):
    e = np.exp(x / x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "sigmoide",
    "Isto é a sigmoide: cada posição olha só para si mesma, e nada obriga a soma a ser 1. Na softmax, os "
    "elementos competem entre si.",
)
def _(x, eixo=-1):
    return 1 / (1 + np.exp(-x))


@softmax.equivoco(
    "log-softmax",
    "Seus valores são todos negativos: é o logaritmo dos pesos (a log-softmax). Faltou a exponencial no fim.",
)
def _(x, eixo=-1):
    z = x - x.max(axis=eixo, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=eixo, keepdims=True))


@softmax.equivoco(
    "sem-keepdims",
    "As formas não se encaixam: ao somar (ou tirar o máximo) ao longo de um eixo, ele desaparece. "
    "Conserve-o com tamanho 1, para que a divisão saiba a que linha cada soma pertence.",
)
def _(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo))
    return e / e.sum(axis=eixo)


@softmax.equivoco(
    "corta-em-k",
    "Você limita as pontuações antes de exponenciar. Não estoura, mas 10000 e 9999 viram o mesmo número e "
    "recebem o mesmo peso. Em vez de cortar, desloque todas igualmente.",
)
def _(x, eixo=-1):
    e = np.exp(np.clip(x, -60, 60))
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "subtrai-a-media",
    "Você subtrai a média. Se uma pontuação fica muito acima dela, a exponencial ainda estoura: há uma "
    "constante que garante que nenhum expoente passe de 0.",
)
def _(x, eixo=-1):
    e = np.exp(x - x.mean(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "subtrai-o-minimo",
    "Você subtrai o mínimo, e os expoentes crescem em vez de diminuir. Com qual outra constante nenhum "
    "deles passa de 0?",
)
def _(x, eixo=-1):
    e = np.exp(x - x.min(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "maximo-do-modulo",
    "Você subtrai o maior valor absoluto. Numa linha perto de −10000 isso afasta ainda mais de zero: tudo "
    "vira exp(−20000) = 0, e 0/0 é NaN. O máximo é o das próprias pontuações.",
)
def _(x, eixo=-1):
    e = np.exp(x - np.abs(x).max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "esconde-o-nan",
    "Onde a conta estourou, você trocou o NaN por outro número. A linha deixou de somar 1: em vez de "
    "esconder o NaN, evite que ele apareça.",
)
def _(x, eixo=-1):
    return np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=eixo, keepdims=True))


@softmax.equivoco(
    "base-2",
    "A soma está certa, mas a base da potência não: você usou 2, e a softmax usa o número e.",
)
def _(x, eixo=-1):
    e = 2.0 ** (x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "sinal-trocado",
    "A ordem saiu invertida: a menor pontuação ficou com o maior peso. Confira o sinal dentro da "
    "exponencial.",
)
def _(x, eixo=-1):
    e = np.exp(x.min(axis=eixo, keepdims=True) - x)
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "softmax-duas-vezes",
    "Os pesos estão perto demais uns dos outros: parece uma softmax aplicada sobre outra softmax. Uma vez "
    "basta.",
)
def _(x, eixo=-1):
    return _softmax(_softmax(x, eixo), eixo)


@softmax.equivoco(
    "norma-2",
    "Cada linha tem comprimento 1, mas não soma 1: você dividiu pela norma. Divida pela soma.",
)
def _(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / np.sqrt((e**2).sum(axis=eixo, keepdims=True))


@softmax.equivoco(
    "eixo-negativo-vira-ultimo",
    "Com um eixo negativo sua função usa sempre o último. Só −1 é o último: −2 é o penúltimo, −3 o anterior. O "
    "NumPy já entende os negativos; repasse `eixo` como veio.",
)
def _(x, eixo=-1):
    return _softmax(x, eixo if eixo >= 0 else -1)


@softmax.equivoco(
    "so-dois-eixos",
    "Sua função só conhece dois eixos: o 0 e o último. Com três dimensões ou mais há os do meio: use o número que "
    "veio em `eixo`.",
)
def _(x, eixo=-1):
    return _softmax(x, 0 if eixo in (0, -x.ndim) else -1)


@softmax.equivoco(
    "some-com-eixo-de-tamanho-1",
    "Os valores estão certos, mas um eixo de tamanho 1 sumiu da saída. A forma tem de ser a mesma de `x`: veja se há "
    "um squeeze a mais.",
)
def _(x, eixo=-1):
    return np.squeeze(_softmax(x, eixo))


@softmax.equivoco(
    "zera-pesos-pequenos",
    "Os pesos pequenos viraram zero. Na softmax todo mundo leva alguma coisa, por pouco que seja: não corte nem "
    "arredonde.",
)
def _(x, eixo=-1):
    p = _softmax(x, eixo)
    p = np.where(p < 1e-3, 0.0, p)
    return p / p.sum(axis=eixo, keepdims=True)


@softmax.equivoco(
    "float32-soma-o-maximo-de-volta",
    "Em float32, perto de 10 000 já não cabem as casas do logaritmo: ao somar o máximo de volta, elas se perderam, e "
    "os pesos saíram um pouco errados. Subtraia o máximo das pontuações e não o some mais (ou use float64).",
)
def _(x, eixo=-1):
    return _log_soma_exp_float32(x, eixo)


@softmax.equivoco(
    "altera-a-entrada",
    "Sua função escreve em `x`. Trabalhe numa cópia: quem chamou ainda precisa dele.",
)
def _(x, eixo=-1):
    x -= x.max(axis=eixo, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=eixo, keepdims=True)


@softmax.alternativa("com-torch")
def _(x, eixo=-1):
    return torch.softmax(torch.tensor(x), dim=eixo)


@softmax.alternativa("com-torch-float32")
def _(x, eixo=-1):
    return torch.softmax(torch.tensor(x, dtype=torch.float32), dim=eixo)


@softmax.alternativa("fatia-por-fatia")
def _(x, eixo=-1):
    def um(v):
        maior = max(v)
        e = [float(np.exp(a - maior)) for a in v]
        return np.array([a / sum(e) for a in e])

    return np.apply_along_axis(um, eixo, x)


@softmax.alternativa("log-soma-exp")
def _(x, eixo=-1):
    return np.exp(x - np.logaddexp.reduce(x, axis=eixo, keepdims=True))


@softmax.alternativa("eixo-para-o-fim")
def _(x, eixo=-1):
    z = np.moveaxis(x, eixo, -1)
    e = np.exp(z - z.max(axis=-1)[..., None])
    return np.moveaxis(e / np.einsum("...m->...", e)[..., None], -1, eixo)


@softmax.alternativa("epsilon-pequeno-no-denominador")
def _(x, eixo=-1):
    e = np.exp(x - np.max(x, axis=eixo, keepdims=True))
    return e / (np.sum(e, axis=eixo, keepdims=True) + 1e-12)


@softmax.alternativa("uma-sobre-a-soma-das-razoes")
def _(x, eixo=-1):
    z = np.moveaxis(x, eixo, -1)
    diferencas = z[..., None, :] - z[..., :, None]  # (..., M, M): x_k − x_m
    with np.errstate(over="ignore"):  # aqui o infinito é inofensivo: 1/inf = 0
        return np.moveaxis(1 / np.exp(diferencas).sum(axis=-1), -1, eixo)


@softmax.alternativa("com-numpy-float32")
def _(x, eixo=-1):
    z = x.astype(np.float32)
    e = np.exp(z - z.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


# --------------------------------------------------------------------------------- softmax_temperatura


def _softmax_temperatura(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"a temperatura deve ser positiva, e T = {T}")
    return _softmax(x / T, eixo)


# A mensagem pode trazer o nome (T, T_inválido, temperatura) ou só o valor, escrito de qualquer jeito usual.
_NOME_DE_T = r"(?<![^\W_])T(?![^\W_])|temperatur|\btemp\b"
_MENOS = r"(?:[-−–—‒‐‑]|\bmenos)\s*"
_NOMEIA = {
    0.0: rf"{_NOME_DE_T}|\bzero\b|\bnul[ao]\b|(?<![\d.,])[.,]?0",
    -0.5: rf"{_NOME_DE_T}|{_MENOS}(?:0?[.,]5(?!\d*[1-9])|5(?:[.,]0*)?e-0?1|0(?![.,]?\d)|1/2|meio\b)",
    -1.0: rf"{_NOME_DE_T}|{_MENOS}(?:1(?!\d|[.,]\d*[1-9])|um\b)",
    -2.0: rf"{_NOME_DE_T}|{_MENOS}(?:2(?!\d|[.,]\d*[1-9])|dois\b)",
}


def _ocultos_temperatura(rng):
    def frio(T):
        """x/T perto de ±1000 e de 0, com diferenças de oitavos: exatas em float32, pois T é potência de dois."""
        X = np.round(rng.normal(size=(3, 4)) * 8) / 8
        X += np.array([[1], [-1], [0]]) * (1024 + 64 * rng.integers(0, 4))
        return caso(X * T, T)

    def invalido(T, *eixo):
        # Pontuações positivas e sem zeros: uma mensagem que só mostra x não passa por mensagem que diz T.
        return caso(rng.integers(9, 40, size=(2, 3)) / 8, T, *eixo, nomeia=_NOMEIA[T])

    quente = _oitavos(rng, -10_000, 10_000, (2, 5))
    quente[:, 0], quente[:, 1] = 10_000, -10_000
    negativas = rng.permutation([-0.5, -1.0, -2.0])
    return [
        caso(rng.normal(size=(3, 5)), float(rng.integers(1, 6)) + 0.25),
        caso(rng.normal(size=(2, 5)), 0.5, 0),
        caso(2 * rng.normal(size=(4, 2, 3)), 3.5, 1),
        caso(rng.normal(size=6), 0.25),
        frio(2.0 ** -int(rng.integers(5, 8))),
        frio(2.0 ** -int(rng.integers(15, 18))),
        caso(_coluna_a_meio_passo(rng, _MEIO_PASSO_FRIO), 0.5, 0),
        caso(quente, float(rng.choice([4096, 8192]))),
        caso(rng.normal(size=(3, 5)), 0.5, -2),
        caso(rng.normal(size=(3, 2, 2)), 2.0, -3),
        caso(rng.normal(size=(3, 1)), 2.0, 1),
        invalido(0.0),
        invalido(float(negativas[0])),
        invalido(float(negativas[1]), 0),
        invalido(0.0, 1),
        caso(rng.normal(size=(3, 5)), 0.75),
    ]


_X_POSITIVO = np.array([[1.25, 3.5, 2.75], [4.5, 1.75, 2.25]])

softmax_temperatura = questao(
    "lista-02/softmax_temperatura",
    assinatura="softmax_temperatura(x, T, eixo=-1)",
    saida="array",
    referencia=_softmax_temperatura,
    casos=[
        caso(np.array([[2.0, 4.0, 0.0], [1.0, 1.0, -2.0]]), 2.0, claro=True, rotulo="o exemplo do enunciado"),
        caso(
            np.array(
                [
                    [10000.0, -9999.0, 0.5],
                    [9999.5, -9998.5, 1.0],
                    [9999.0, -10000.0, -0.5],
                    [9997.0, -9999.5, 0.0],
                ]
            ),
            0.5,
            0,
            rotulo="pontuações de até ±10 000, eixo 0, T = 0,5",
        ),
        caso(
            np.array(
                [
                    [[0.2, 1.1, -0.4, 0.7], [1.3, -0.8, 0.5, 0.0], [-0.1, 0.6, 0.9, -1.5]],
                    [[0.8, -0.3, 1.2, 0.4], [-0.9, 0.1, 0.3, 1.6], [0.5, 1.4, -0.7, -0.2]],
                ]
            ),
            3.5,
            1,
            rotulo="três dimensões, eixo 1, T = 3,5",
        ),
        caso(
            np.array([[16.0, 16.015625, 15.984375, 16.03125], [-16.0, -16.03125, -15.96875, -16.015625]]),
            0.015625,
            rotulo="T pequeno (1/64)",
        ),
        caso(
            np.array([[10000.0, 8000.0, -10000.0, 1000.0], [-10000.0, -6000.0, 3000.0, 500.0]]),
            8192.0,
            rotulo="T grande (8192)",
        ),
        caso(
            np.array([[1.0, 3.0, 0.0, 2.0], [-2.0, 0.5, 1.5, -1.0]]) / 32768,
            1 / 32768,
            rotulo="T minúsculo (1/32768), pontuações também",
        ),
        caso(np.array([[0.5, -1.0, 0.25], [1.0, 0.0, 0.75]]), 2.0, -2, rotulo="eixo −2, T = 2"),
        caso(_X_POSITIVO, 0.0, rotulo="T = 0", nomeia=_NOMEIA[0.0]),
        caso(_X_POSITIVO, -2.0, rotulo="T = −2", nomeia=_NOMEIA[-2.0]),
        caso(_X_POSITIVO, -0.5, 0, rotulo="T = −0,5, com o eixo dito", nomeia=_NOMEIA[-0.5]),
    ],
    ocultos=_ocultos_temperatura,
    propriedades=["soma-1-no-eixo", "nao-negativa"],
)


@softmax_temperatura.equivoco(
    "multiplica-por-T",
    "Com T grande seus pesos ficaram mais concentrados, e deveriam ficar mais iguais: T multiplica onde "
    "deveria dividir.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x * T, eixo)


@softmax_temperatura.equivoco(
    "divide-depois",
    "Os pesos foram divididos por T depois da softmax, e deixaram de somar 1. A temperatura age nas "
    "pontuações, antes da exponencial.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x, eixo) / T


@softmax_temperatura.equivoco(
    "raiz-de-T",
    "Você divide por √T. A raiz quadrada aparece na aula 03, com outro número; aqui se divide pelo "
    "próprio T.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / np.sqrt(T), eixo)


@softmax_temperatura.equivoco(
    "ignora-T",
    "Seu resultado é a softmax comum, a mesma para qualquer T. Se você dividiu numerador e denominador "
    "por T, ele se cancelou: T tem de entrar antes da exponencial.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x, eixo)


@softmax_temperatura.equivoco(
    "sem-maximo",
    "Falta a subtração do máximo: com T pequeno, x/T passa de 709 e a exponencial vira infinito (ou tudo "
    "vira 0), e a divisão dá NaN.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    e = np.exp(x / T)
    return e / e.sum(axis=eixo, keepdims=True)


@softmax_temperatura.equivoco(
    "maximo-sem-dividir",
    "Você subtrai de x/T o máximo de x, que não foi dividido por T. Divida primeiro e tire o máximo "
    "depois, ou divida a diferença inteira.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    e = np.exp(x / T - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@softmax_temperatura.equivoco(
    "maximo-global",
    "O máximo subtraído é o do array inteiro. As fatias que ficam muito abaixo dele viram zero em tudo, e "
    "0/0 é NaN: tire o máximo ao longo de `eixo`.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    e = np.exp((x - x.max()) / T)
    return e / e.sum(axis=eixo, keepdims=True)


@softmax_temperatura.equivoco(
    "potencia-das-probabilidades",
    "No papel, elevar a softmax a 1/T e renormalizar é a mesma coisa. No computador, não: com pontuações "
    "distantes a softmax já virou 0, e um T grande não a traz de volta. Divida por T antes da "
    "exponencial.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    p = _softmax(x, eixo) ** (1 / T)
    return p / p.sum(axis=eixo, keepdims=True)


@softmax_temperatura.equivoco(
    "nao-renormaliza",
    "Você elevou os pesos a 1/T e eles deixaram de somar 1. É mais simples dividir as pontuações por T "
    "antes da softmax.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x, eixo) ** (1 / T)


@softmax_temperatura.equivoco(
    "aceita-T-invalido",
    "Com T = 0 e com T negativo sua função devolve alguma coisa. Divisão por zero não tem sentido, e um T "
    "negativo inverte a ordem das palavras: nos dois casos lance ValueError.",
)
def _(x, T, eixo=-1):
    return _softmax(x / np.float64(T), eixo)


@softmax_temperatura.equivoco(
    "so-T-negativo",
    "T negativo você recusa, mas T = 0 passa, e a divisão por zero dá NaN. A condição tem de incluir o zero.",
)
def _(x, T, eixo=-1):
    if T < 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / np.float64(T), eixo)


@softmax_temperatura.equivoco(
    "so-T-zero",
    "T = 0 você recusa, mas T negativo passa: a menor pontuação fica com o maior peso. Recuse todo T que "
    "não seja positivo.",
)
def _(x, T, eixo=-1):
    if T == 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / T, eixo)


@softmax_temperatura.equivoco(
    "zero-vira-maximo",
    "Para T = 0 você devolve o limite (peso 1 no maior). A ideia é boa, mas o enunciado pede ValueError "
    "para todo T ≤ 0.",
)
def _(x, T, eixo=-1):
    if T < 0:
        raise ValueError(f"T = {T}")
    if T == 0:
        return (x == x.max(axis=eixo, keepdims=True)).astype(float)
    return _softmax(x / T, eixo)


@softmax_temperatura.equivoco(
    "troca-T-invalido",
    "Um T inválido foi trocado em silêncio por um número pequeno. Quem chamou nunca saberá do engano: "
    "lance ValueError.",
)
def _(x, T, eixo=-1):
    return _softmax(x / max(T, 1e-6), eixo)


@softmax_temperatura.equivoco(
    "modulo-de-T",
    "T negativo foi aceito como se fosse positivo. Quem chamou não saberá do engano: lance ValueError "
    "para todo T ≤ 0.",
)
def _(x, T, eixo=-1):
    if T == 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / abs(T), eixo)


@softmax_temperatura.equivoco(
    "assert-em-vez-de-ValueError",
    "Um `assert` lança AssertionError, e some quando o Python roda com -O. Para uma entrada inválida, "
    "use raise ValueError com uma mensagem.",
)
def _(x, T, eixo=-1):
    assert T > 0
    return _softmax(x / T, eixo)


@softmax_temperatura.equivoco(
    "divisao-por-zero",
    "Com T = 0 a função para com ZeroDivisionError, que veio da conta e não de você, e T negativo ela "
    "aceita. Examine T antes de dividir e lance ValueError.",
)
def _(x, T, eixo=-1):
    beta = 1 / T
    return _softmax(beta * x, eixo)


@softmax_temperatura.equivoco(
    "devolve-none",
    "Com T inválido sua função devolve None, e o erro só vai aparecer longe daqui, em outra conta. "
    "Lance ValueError.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        return None
    return _softmax(x / T, eixo)


@softmax_temperatura.equivoco(
    "erro-sem-mensagem",
    "O ValueError está certo, mas sem mensagem ninguém descobre o que houve. Diga nela qual é o culpado: "
    "T, ou o valor dele.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError
    return _softmax(x / T, eixo)


@softmax_temperatura.equivoco(
    "ignora-o-eixo",
    "Sua função normaliza sempre o último eixo. Repasse o argumento `eixo` à sua softmax.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / T, -1)


@softmax_temperatura.equivoco(
    "normaliza-colunas",
    "Sua função normaliza sempre ao longo do eixo 0. Sem pedido nenhum, é o último eixo que deve somar 1.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / T, 0)


@softmax_temperatura.equivoco(
    "eixo-negativo-vira-ultimo",
    "Com um eixo negativo sua função usa sempre o último. Só −1 é o último; −2 é o penúltimo. Repasse `eixo` à sua "
    "softmax como veio.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / T, eixo if eixo >= 0 else -1)


@softmax_temperatura.equivoco(
    "so-valida-sem-eixo",
    "Sem `eixo`, um T inválido é recusado; com `eixo`, ele passa. Examine T na primeira linha, antes de qualquer "
    "outra decisão.",
)
def _(x, T, eixo=None):
    if eixo is not None:
        return _softmax(x / np.float64(T), eixo)
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / T)


@softmax_temperatura.equivoco(
    "limita-T-por-baixo",
    "Um T pequeno, mas positivo, foi trocado por um maior, e os pesos saíram menos concentrados do que deviam. Todo "
    "T > 0 vale: a estabilidade vem da subtração do máximo.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _softmax(x / max(T, 1e-3), eixo)


@softmax_temperatura.equivoco(
    "recusa-T-pequeno",
    "Sua função recusa um T pequeno, mas positivo. Só T ≤ 0 é inválido: compare com zero, e não com um número pequeno.",
)
def _(x, T, eixo=-1):
    if T < 1e-3:
        raise ValueError(f"T = {T}")
    return _softmax(x / T, eixo)


@softmax_temperatura.equivoco(
    "float32-soma-o-maximo-de-volta",
    "Em float32, com pontuações de milhares, já não cabem as casas do logaritmo: ao somar o máximo de volta, elas se "
    "perderam. Subtraia o máximo e não o some mais (ou use float64).",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    return _log_soma_exp_float32(x / T, eixo)


@softmax_temperatura.equivoco(
    "altera-a-entrada",
    "Sua função escreve em `x`: `x /= T` muda o array de quem chamou.",
)
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    x /= T
    return _softmax(x, eixo)


@softmax_temperatura.alternativa("com-torch")
def _(x, T, eixo=-1):
    if not T > 0:
        raise ValueError(f"T precisa ser maior que zero; veio {T!r}")
    return torch.softmax(torch.tensor(x) / T, dim=eixo)


@softmax_temperatura.alternativa("com-torch-float32")
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"valor inválido: {T}")
    return torch.softmax(torch.tensor(x, dtype=torch.float32) / T, dim=eixo)


@softmax_temperatura.alternativa("divide-a-diferenca")
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError("a temperatura tem de ser positiva")
    e = np.exp((x - x.max(axis=eixo, keepdims=True)) / T)
    return e / e.sum(axis=eixo, keepdims=True)


@softmax_temperatura.alternativa("fatia-por-fatia")
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError("T <= 0")

    def um(v):
        e = np.exp((v - v.max()) / T)
        return e / e.sum()

    return np.apply_along_axis(um, eixo, x)


@softmax_temperatura.alternativa("beta-inverso")
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"Esperava T > 0, recebi {T:.3f}")
    beta = 1.0 / T
    return np.exp(beta * x - np.logaddexp.reduce(beta * x, axis=eixo, keepdims=True))


@softmax_temperatura.alternativa("so-o-valor-arredondado")
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"recebi {T:.2f}".replace(".", ",").replace("-", "−"))
    return _softmax(x / T, eixo)


@softmax_temperatura.alternativa("so-o-valor-em-notacao-cientifica")
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"{T:e}")
    return _softmax(x / T, eixo)


@softmax_temperatura.alternativa("nome-colado-em-outro")
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError("parâmetro T_inválido")
    return _softmax(x / T, eixo)


@softmax_temperatura.alternativa("com-numpy-float32")
def _(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    z = x.astype(np.float32) / np.float32(T)
    e = np.exp(z - z.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


# ----------------------------------------------------------------------------------- jacobiana_softmax


def _jacobiana(p):
    return np.diag(p) - np.outer(p, p)


def _ocultos_jacobiana(rng):
    com_zero = _softmax(rng.normal(size=4))
    com_zero[int(rng.integers(4))] = 0.0
    dez = _softmax(rng.normal(size=9))
    return [
        caso(_softmax(rng.normal(size=3))),
        caso(_softmax(rng.normal(size=5))),
        caso(_softmax(rng.normal(size=2))),
        caso(_softmax(2 * rng.normal(size=7))),
        caso(com_zero / com_zero.sum()),
        caso(np.eye(4)[int(rng.integers(4))]),
        caso(np.array([1.0])),
        caso(rng.permutation([0.004, *(0.996 * dez)])),
        caso(_softmax(rng.normal(size=3))),
    ]


jacobiana_softmax = questao(
    "lista-02/jacobiana_softmax",
    assinatura="jacobiana_softmax(p)",
    saida="array",
    referencia=_jacobiana,
    casos=[
        caso(np.array([0.5, 0.3, 0.2]), claro=True, rotulo="o exemplo do enunciado"),
        caso(np.array([0.1, 0.2, 0.3, 0.4]), rotulo="quatro pesos"),
        caso(np.array([0.9, 0.1]), rotulo="dois pesos"),
        caso(np.array([0.25, 0.0, 0.6, 0.1, 0.05]), rotulo="um peso zero"),
        caso(np.array([0.0, 1.0, 0.0]), rotulo="um peso só leva tudo"),
        caso(np.array([1.0]), rotulo="um peso só, N = 1"),
        caso(
            np.array([0.2, 0.005, 0.1, 0.05, 0.25, 0.015, 0.125, 0.08, 0.15, 0.025]),
            rotulo="dez pesos, alguns pequenos",
        ),
    ],
    ocultos=_ocultos_jacobiana,
    propriedades=["linhas-somam-0", "simetrica"],
)


@jacobiana_softmax.equivoco(
    "so-diag-p",
    "Você devolve só diag(p). Falta descontar o efeito da soma no denominador: ela muda com todas as "
    "pontuações.",
)
def _(p):
    return np.diag(p)


@jacobiana_softmax.equivoco(
    "so-a-diagonal",
    "A diagonal está certa, mas o resto é zero. Quando uma pontuação sobe, os outros pesos descem: "
    "preencha fora da diagonal.",
)
def _(p):
    return np.diag(p * (1 - p))


@jacobiana_softmax.equivoco(
    "sem-a-diagonal",
    "Fora da diagonal está certo. Na diagonal falta somar p_i: é o termo que só existe quando i = j.",
)
def _(p):
    return -np.outer(p, p)


@jacobiana_softmax.equivoco(
    "diagonal-zerada",
    "Fora da diagonal está certo, mas a diagonal ficou em zero. Quanto muda o peso i quando sobe a "
    "própria pontuação i?",
)
def _(p):
    J = -np.outer(p, p)
    np.fill_diagonal(J, 0.0)
    return J


@jacobiana_softmax.equivoco(
    "sinal-trocado",
    "Todos os sinais estão trocados: na diagonal os valores devem ser positivos (subir uma pontuação sobe "
    "o seu peso).",
)
def _(p):
    return np.outer(p, p) - np.diag(p)


@jacobiana_softmax.equivoco(
    "soma-em-vez-de-subtrair",
    "Você soma o produto externo em vez de subtraí-lo, e as linhas não somam 0: o que um peso ganha, os "
    "outros têm de perder.",
)
def _(p):
    return np.diag(p) + np.outer(p, p)


@jacobiana_softmax.equivoco(
    "externo-sem-menos",
    "Isto é só o produto externo p pᵀ. Falta o diag(p), e falta o sinal de menos.",
)
def _(p):
    return np.outer(p, p)


@jacobiana_softmax.equivoco(
    "fora-da-diagonal-positivo",
    "A diagonal está certa; fora dela falta o sinal de menos. Subir uma pontuação faz os outros pesos "
    "caírem.",
)
def _(p):
    return np.outer(p, p) * (1 - 2 * np.eye(len(p))) + np.diag(p)


@jacobiana_softmax.equivoco(
    "softmax-de-novo",
    "Você aplicou softmax a `p`, mas `p` já são as probabilidades. Use-as como vêm.",
)
def _(p):
    return _jacobiana(_softmax(p))


@jacobiana_softmax.equivoco(
    "produto-interno",
    "Você subtrai o mesmo número de todas as posições: com vetores, p @ p.T é o produto escalar. Aqui é "
    "preciso a matriz (N, N) dos produtos p_i p_j.",
)
def _(p):
    return np.diag(p) - p @ p.T


@jacobiana_softmax.equivoco(
    "p-ao-quadrado",
    "Você subtrai p² de cada linha. Fora da diagonal o termo é p_i p_j, com dois índices diferentes.",
)
def _(p):
    return np.diag(p) - p**2


@jacobiana_softmax.equivoco(
    "sem-delta-nas-linhas",
    "O primeiro p aparece em todas as linhas, e só deveria aparecer na diagonal: é o papel do δ_ij (1 se "
    "i = j, 0 se não).",
)
def _(p):
    return p - np.outer(p, p)


@jacobiana_softmax.equivoco(
    "sem-delta-nas-colunas",
    "Você tem p_i (1 − p_j) em toda parte. O 1 só vale na diagonal: é o δ_ij (1 se i = j, 0 se não).",
)
def _(p):
    return p[:, None] - np.outer(p, p)


@jacobiana_softmax.equivoco(
    "desconta-duas-vezes",
    "Fora da diagonal está certo, mas nela o p_i² foi descontado duas vezes: uma em p_i(1 − p_i) e outra "
    "no produto externo.",
)
def _(p):
    return np.diag(p * (1 - p)) - np.outer(p, p)


@jacobiana_softmax.equivoco(
    "um-vetor",
    "Você devolve um vetor p(1 − p), só a diagonal. Cada peso depende de todas as pontuações: o resultado "
    "é (N, N).",
)
def _(p):
    return p * (1 - p)


@jacobiana_softmax.equivoco(
    "jacobiana-do-log",
    "Isto é a derivada do logaritmo dos pesos. Para a do peso, multiplique cada linha i por p_i.",
)
def _(p):
    return np.eye(len(p)) - p


@jacobiana_softmax.equivoco(
    "some-com-eixo-de-tamanho-1",
    "Com um peso só, a saída perdeu as dimensões. O resultado é sempre (N, N), e com N = 1 é (1, 1): veja se há um "
    "squeeze a mais.",
)
def _(p):
    return np.squeeze(_jacobiana(p))


@jacobiana_softmax.equivoco(
    "arredonda",
    "Você arredondou a saída, e as entradas pequenas perderam os seus algarismos. Devolva a conta como ela é.",
)
def _(p):
    return np.round(_jacobiana(p), 3)


@jacobiana_softmax.alternativa("dois-lacos")
def _(p):
    J = np.zeros((len(p), len(p)))
    for i in range(len(p)):
        for j in range(len(p)):
            J[i, j] = p[i] * (1 - p[i]) if i == j else -p[i] * p[j]
    return J


@jacobiana_softmax.alternativa("com-delta")
def _(p):
    return p[:, None] * (np.eye(p.size) - p[None, :])


@jacobiana_softmax.alternativa("com-einsum")
def _(p):
    return np.einsum("i,ij->ij", p, np.eye(len(p))) - np.einsum("i,j->ij", p, p)


@jacobiana_softmax.alternativa("com-torch-float32")
def _(p):
    q = torch.tensor(p, dtype=torch.float32)
    return torch.diag(q) - torch.outer(q, q)


@jacobiana_softmax.alternativa("autograd")
def _(p):
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=0), torch.tensor(p).log())


@jacobiana_softmax.alternativa("coluna-vezes-linha")
def _(p):
    coluna = p.reshape(-1, 1)
    return np.eye(len(p)) * p - coluna @ coluna.T


# --------------------------------------------------------------------------------------------- entropia


def _entropia(A):
    seguro = np.where(A > 0, A, 1.0)  # log 1 = 0: o peso zero conta 0, sem passar por log 0
    return -(A * np.log(seguro)).sum(axis=-1)


def _ocultos_entropia(rng):
    com_zeros = _softmax(rng.normal(size=(3, 5)))
    com_zeros[0, int(rng.integers(5))] = 0.0
    com_zeros[1] = np.eye(5)[int(rng.integers(5))]
    com_zeros /= com_zeros.sum(axis=-1, keepdims=True)
    cubo = _softmax(rng.normal(size=(2, 4, 3)))
    cubo[1, 2] = [0.0, 0.375, 0.625]
    pequenos = rng.integers(1, 9, size=(2, 5)) / 10_000  # uma entrada leva quase tudo
    pequenos[:, int(rng.integers(5))] = 0.0
    pequenos += (1 - pequenos.sum(axis=-1, keepdims=True)) * (pequenos == 0)
    return [
        caso(_softmax(rng.normal(size=(2, 4)))),
        caso(_softmax(2 * rng.normal(size=(5, 3)))),
        caso(_softmax(rng.normal(size=6))),
        caso(com_zeros),
        caso(cubo),
        caso(_softmax(rng.normal(size=(2, 3, 2, 4)))),
        caso(_softmax(rng.normal(size=(1, 3)))),
        caso(_softmax(rng.normal(size=(2, 1, 2)))),
        caso(np.ones((3, 1))),
        caso(pequenos),
        caso(_softmax(rng.normal(size=(1, 2, 1, 2, 3)))),
        caso(_softmax(rng.normal(size=(2, 4)))),
    ]


entropia = questao(
    "lista-02/entropia",
    assinatura="entropia(A)",
    saida="array",
    referencia=_entropia,
    casos=[
        caso(np.array([[0.5, 0.25, 0.25], [0.0, 0.2, 0.8]]), claro=True, rotulo="o exemplo do enunciado"),
        caso(np.array([[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.15, 0.05]]), rotulo="nenhum peso zero"),
        caso(np.array([0.1, 0.6, 0.3]), rotulo="um vetor"),
        caso(
            np.array(
                [
                    [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.0, 0.45, 0.55], [0.15, 0.7, 0.15]],
                    [[0.1, 0.1, 0.8], [0.35, 0.25, 0.4], [0.05, 0.9, 0.05], [0.3, 0.0, 0.7]],
                ]
            ),
            rotulo="três dimensões",
        ),
        caso(
            np.array([[0.0, 0.0, 1.0, 0.0, 0.0], [0.2, 0.2, 0.2, 0.2, 0.2], [0.0, 0.1, 0.0, 0.9, 0.0]]),
            rotulo="do peso único à média simples",
        ),
        caso(
            np.array(
                [[0.9989, 0.0005, 0.0003, 0.0002, 0.0001], [0.3, 0.1, 0.2, 0.15, 0.25], [0.0, 0.999, 0.0, 0.0, 0.001]]
            ),
            rotulo="pesos de menos de um milésimo",
        ),
        caso(np.array([[0.25, 0.4, 0.35]]), rotulo="uma linha só, forma (1, 3)"),
        caso(np.array([[[0.3, 0.7]], [[0.85, 0.15]]]), rotulo="forma (2, 1, 2)"),
        caso(np.array([[1.0], [1.0], [1.0]]), rotulo="um peso por linha, forma (3, 1)"),
        caso(np.array([[[[[0.1, 0.35, 0.55]], [[0.6, 0.15, 0.25]]]]]), rotulo="cinco dimensões, forma (1, 1, 2, 1, 3)"),
    ],
    ocultos=_ocultos_entropia,
    propriedades=["nao-negativa"],
    atol=1e-5,
)


@entropia.equivoco(
    "log2",
    "Seu resultado está em bits: você usou o logaritmo na base 2. Em nats, o logaritmo é o natural.",
)
def _(A):
    return _entropia(A) / np.log(2)


@entropia.equivoco(
    "log10",
    "Você usou o logaritmo na base 10. Em nats, o logaritmo é o natural: np.log, e não np.log10.",
)
def _(A):
    return _entropia(A) / np.log(10)


@entropia.equivoco(
    "sem-sinal",
    "A entropia saiu negativa: o logaritmo de um peso é negativo ou zero. Falta o sinal de menos.",
)
def _(A):
    return -_entropia(A)


@entropia.equivoco(
    "nan-no-zero",
    "Onde há um peso zero apareceu NaN: log 0 é −inf, e 0 · (−inf) não é um número. O limite de a·ln a "
    "quando a → 0 é 0: faça esse caso contar 0.",
)
def _(A):
    return -(A * np.log(A)).sum(axis=-1)


@entropia.equivoco(
    "zera-a-linha",
    "O NaN foi trocado por 0 depois da soma, e com isso a linha inteira que tinha um peso zero ficou com "
    "entropia 0. Só o termo do peso zero é que conta 0.",
)
def _(A):
    with np.errstate(all="ignore"):
        return np.nan_to_num(-(A * np.log(A)).sum(axis=-1))


@entropia.equivoco(
    "nao-soma",
    "Você devolveu cada termo −a ln a, sem somar: a forma é a de `A`. A entropia é a soma deles ao longo "
    "do último eixo.",
)
def _(A):
    return -(A * np.log(np.where(A > 0, A, 1.0)))


@entropia.equivoco(
    "media",
    "Você tirou a média dos termos. A entropia é a soma deles: os pesos já fazem o papel da média.",
)
def _(A):
    return _entropia(A) / A.shape[-1]


@entropia.equivoco(
    "eixo-0",
    "Você somou ao longo do eixo 0. Cada distribuição está no último eixo: é ele que desaparece.",
)
def _(A):
    return -(A * np.log(np.where(A > 0, A, 1.0))).sum(axis=0)


@entropia.equivoco(
    "eixo-1-fixo",
    "O eixo 1 está escrito à mão. Serve para uma matriz, mas não para um vetor nem para três dimensões: é "
    "o último eixo.",
)
def _(A):
    return -(A * np.log(np.where(A > 0, A, 1.0))).sum(axis=1)


@entropia.equivoco(
    "soma-tudo",
    "Saiu um número só, com todas as linhas somadas (isso acontece também ao filtrar com A[A > 0], que "
    "desmancha as linhas). É uma entropia para cada linha.",
)
def _(A):
    return _entropia(A).sum()


@entropia.equivoco(
    "sobra-uma-dimensao",
    "Os valores estão certos, mas sobrou uma dimensão de tamanho 1 no fim. O último eixo deve desaparecer.",
)
def _(A):
    return _entropia(A)[..., None]


@entropia.equivoco(
    "eps-grande",
    "Você somou um número dentro do logaritmo, e ele é grande demais: mudou o resultado onde havia peso "
    "de verdade. Melhor tratar o zero à parte.",
)
def _(A):
    return -(A * np.log(A + 1e-3)).sum(axis=-1)


@entropia.equivoco(
    "sem-o-peso",
    "Você somou −ln a sem multiplicar pelo peso a. Cada surpresa conta na proporção em que acontece.",
)
def _(A):
    return -np.log(A).sum(axis=-1)


@entropia.equivoco(
    "log1p",
    "Você usou ln(1 + a) para fugir do zero, mas é outra função. É o ln a; só o caso a = 0 se trata à parte.",
)
def _(A):
    return -(A * np.log1p(A)).sum(axis=-1)


@entropia.equivoco(
    "gini",
    "Isto é 1 − Σ a², o índice de Gini. Ele também mede concentração, mas a entropia pedida usa o logaritmo.",
)
def _(A):
    return 1 - (A**2).sum(axis=-1)


@entropia.equivoco(
    "entre-0-e-1",
    "Você dividiu por ln N, para o máximo ser 1. Aqui se pede a entropia em nats, sem essa divisão.",
)
def _(A):
    return _entropia(A) / np.log(A.shape[-1])


@entropia.equivoco(
    "perplexidade",
    "Você devolveu a exponencial da entropia (o número efetivo de palavras). Aqui se pede a própria "
    "entropia.",
)
def _(A):
    return np.exp(_entropia(A))


@entropia.equivoco(
    "some-com-eixo-de-tamanho-1",
    "Os valores estão certos, mas um eixo de tamanho 1 sumiu. Só o último eixo desaparece; os outros ficam, ainda que "
    "tenham tamanho 1: veja se há um squeeze a mais.",
)
def _(A):
    return np.squeeze(_entropia(A))


@entropia.equivoco(
    "ignora-pesos-pequenos",
    "Os pesos pequenos ficaram fora da conta. Só o peso zero conta 0: um de um milésimo ainda tem surpresa, e grande.",
)
def _(A):
    return -(A * np.log(np.where(A > 1e-2, A, 1.0))).sum(axis=-1)


@entropia.equivoco("altera-a-entrada", "Sua função troca os zeros dentro de `A`. Trabalhe numa cópia.")
def _(A):
    A[A == 0] = 1e-12
    return -(A * np.log(A)).sum(axis=-1)


@entropia.alternativa("soma-sem-nan")
def _(A):
    with np.errstate(all="ignore"):
        return -np.nansum(A * np.log(A), axis=-1)


def _entropia_de_uma(linha):
    return -sum(float(a * np.log(a)) for a in linha if a > 0)


@entropia.alternativa("com-lacos")
def _(A):
    if A.ndim == 1:
        return _entropia_de_uma(A)
    return np.array([_entropia_de_uma(linha) for linha in A.reshape(-1, A.shape[-1])]).reshape(A.shape[:-1])


@entropia.alternativa("com-torch")
def _(A):
    return torch.special.entr(torch.tensor(A)).sum(dim=-1)


@entropia.alternativa("com-torch-float32")
def _(A):
    return torch.special.entr(torch.tensor(A, dtype=torch.float32)).sum(dim=-1)


@entropia.alternativa("epsilon-minusculo")
def _(A):
    return -np.sum(A * np.log(A + 1e-12), axis=-1)


@entropia.alternativa("com-mascara")
def _(A):
    termos = np.zeros_like(A)
    termos[A > 0] = A[A > 0] * np.log(1 / A[A > 0])
    return np.einsum("...m->...", termos)


@entropia.alternativa("limita-por-baixo")
def _(A):
    return -(A * np.log(np.clip(A, 1e-300, None))).sum(-1)


# --------------------------------------------------------------------------------- autoatencao_simples


def _autoatencao(X):
    A = _softmax(X @ X.T)
    return A @ X, A


# Para os tokens (64, a) e (64, b), ln Σ exp das pontuações cai quase em cima da grade dos float32 perto de 4096.
_PARES_NA_GRADE = [(-0.625, 0.625), (1.0, 1.625), (-0.875, 0.875), (2.0, -1.125), (-1.0, 1.0), (1.25, -1.25)]


def _ocultos_autoatencao(rng):
    # Tokens longos, curtos e opostos: pontuações de até 4100, exatas, com linhas em alturas muito diferentes.
    longos = np.zeros((5, 3))
    longos[:, 0] = [64, 64, 0, 0, -64]
    longos[:2, 1] = _PARES_NA_GRADE[int(rng.integers(len(_PARES_NA_GRADE)))]
    longos[2:, 1:] = rng.integers(1, 5, size=(3, 2)) / 8 * rng.choice([-1, 1], size=(3, 2))
    # A maior pontuação do token mais curto não é consigo mesmo: passa dela em pelo menos 16 · 48 = 768.
    curto, longo, outro = rng.integers(0, 8, size=3)
    desiguais = np.array([[16.0 + curto, 0.0], [64.0 + longo, 0.0], [0.0, 1 + outro / 8]])
    return [
        caso(rng.normal(size=(4, 2))),
        caso(rng.normal(size=(3, 5)) / 2),
        caso(rng.normal(size=(6, 4)) / 2),
        caso(rng.normal(size=(2, 3))),
        caso(longos),
        caso(rng.permutation(desiguais)),
        caso(rng.normal(size=(1, 4))),
        caso(rng.normal(size=(3, 3))),
        caso(rng.normal(size=(2, 2))),
        caso(rng.normal(size=(4, 1))),
        caso(rng.normal(size=(11, 2)) / 2),
        caso(rng.normal(size=(4, 2))),
    ]


_RATO = np.array(
    [
        [0.2, 0.0],
        [0.5, 0.3],
        [0.2, 0.3],
        [0.1, 0.1],
        [-0.3, 0.2],
        [0.2, 0.1],
        [0.8, 0.5],
        [0.1, 0.3],
        [0.9, 0.5],
    ]
)

autoatencao_simples = questao(
    "lista-02/autoatencao_simples",
    assinatura="autoatencao_simples(X)",
    saida=[("Y", "array"), ("A", "array")],
    referencia=_autoatencao,
    casos=[
        caso(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), claro=True, rotulo="o exemplo do enunciado"),
        caso(
            np.array([[0.4, -0.7, 1.1], [1.2, 0.3, -0.5], [-0.6, 0.9, 0.2], [0.8, 0.1, 1.3]]),
            rotulo="quatro tokens em 3-D",
        ),
        caso(
            np.array([[0.5, -0.2, 0.9, 0.1, -0.4], [0.3, 0.8, -0.6, 0.7, 0.2]]), rotulo="dois tokens em 5-D"
        ),
        caso(_RATO, rotulo="a frase do rato"),
        caso(
            np.array([[64.0, -1.0], [64.0, 1.0], [0.0, 0.5], [0.0, 1.0], [-64.0, 0.5]]),
            rotulo="vetores longos, pontuações de até 4097",
        ),
        caso(
            np.array([[16.0, 0.0], [64.0, 0.0], [0.0, 1.0]]),
            rotulo="um token bem mais longo que os outros",
        ),
        caso(np.array([[0.3, -1.2, 0.5]]), rotulo="um token só"),
        caso(np.array([[1.0, 0.5], [0.25, -1.0]]), rotulo="tantos tokens quanto dimensões, N = D"),
        caso(np.array([[0.5], [-1.0], [2.0]]), rotulo="uma dimensão só, D = 1"),
    ],
    ocultos=_ocultos_autoatencao,
    propriedades=["A: linhas-somam-1", "A: nao-negativa"],
)


@autoatencao_simples.equivoco(
    "sem-softmax",
    "Em A estão as próprias pontuações X Xᵀ. Elas ainda não são pesos: falta passar cada linha pela softmax.",
)
def _(X):
    A = X @ X.T
    return A @ X, A


@autoatencao_simples.equivoco(
    "normaliza-colunas",
    "As colunas de A somam 1, e são as linhas que deveriam somar. A linha n são os pesos com que o token "
    "n lê a frase: veja o eixo da softmax.",
)
def _(X):
    A = _softmax(X @ X.T, 0)
    return A @ X, A


@autoatencao_simples.equivoco(
    "softmax-global",
    "A matriz A inteira soma 1. Cada token precisa da sua própria distribuição: é cada linha que soma 1.",
)
def _(X):
    S = X @ X.T
    A = np.exp(S - S.max())
    A = A / A.sum()
    return A @ X, A


@autoatencao_simples.equivoco(
    "maximo-global",
    "Nas linhas de vetores curtos apareceu NaN: o máximo subtraído é o da matriz inteira, e elas viraram "
    "0/0. Use o máximo de cada linha (a sua softmax da questão 1 já faz isso).",
)
def _(X):
    S = X @ X.T
    A = np.exp(S - S.max())
    A = A / A.sum(axis=-1, keepdims=True)
    return A @ X, A


@autoatencao_simples.equivoco(
    "sem-maximo",
    "Com vetores longos a exponencial estourou e apareceu NaN. Use a sua softmax da questão 1, que "
    "subtrai o máximo.",
)
def _(X):
    A = np.exp(X @ X.T)
    A = A / A.sum(axis=-1, keepdims=True)
    return A @ X, A


@autoatencao_simples.equivoco(
    "subtrai-a-diagonal",
    "Você subtrai de cada linha a pontuação do token consigo mesmo, mas ela nem sempre é a maior: ao lado de um token "
    "bem mais longo, a exponencial estoura. Use o máximo da linha.",
)
def _(X):
    S = X @ X.T
    A = np.exp(S - np.diag(S)[:, None])
    A = A / A.sum(axis=-1, keepdims=True)
    return A @ X, A


@autoatencao_simples.equivoco(
    "some-com-eixo-de-tamanho-1",
    "Com um token só, ou uma dimensão só, um eixo de tamanho 1 sumiu da saída. Y é sempre (N, D), e A, (N, N): veja "
    "se há um squeeze a mais.",
)
def _(X):
    A = _softmax(X @ X.T)
    return np.squeeze(A @ X), np.squeeze(A)


@autoatencao_simples.equivoco(
    "escala-raiz-D",
    "Você dividiu as pontuações por √D. É uma boa ideia, e é o assunto da aula 03; aqui ainda não há escala.",
)
def _(X):
    A = _softmax(X @ X.T / np.sqrt(X.shape[-1]))
    return A @ X, A


@autoatencao_simples.equivoco(
    "escala-D",
    "Você dividiu as pontuações por D. Aqui ainda não há escala nenhuma.",
)
def _(X):
    A = _softmax(X @ X.T / X.shape[-1])
    return A @ X, A


@autoatencao_simples.equivoco(
    "A-transposta",
    "A está certa, mas Y foi feita com a transposta dela. A linha n de Y é a combinação dos tokens com os "
    "pesos da linha n.",
)
def _(X):
    A = _softmax(X @ X.T)
    return A.T @ X, A


@autoatencao_simples.equivoco(
    "ordem-trocada",
    "Os dois resultados estão certos, mas na ordem trocada: primeiro Y (N, D), depois A (N, N).",
)
def _(X):
    A = _softmax(X @ X.T)
    return A, A @ X


@autoatencao_simples.equivoco(
    "Y-com-pontuacoes",
    "A está certa, mas Y foi feita com as pontuações X Xᵀ em vez dos pesos. Use A.",
)
def _(X):
    S = X @ X.T
    return S @ X, _softmax(S)


@autoatencao_simples.equivoco(
    "compara-dimensoes",
    "A saiu (D, D): você multiplicou Xᵀ X, que compara dimensões. Para comparar tokens, a matriz é (N, N).",
)
def _(X):
    A = _softmax(X.T @ X)
    return X @ A, A


@autoatencao_simples.equivoco(
    "devolve-X",
    "A está certa, mas Y é a própria entrada X. Falta misturar os tokens com os pesos.",
)
def _(X):
    return X.copy(), _softmax(X @ X.T)


@autoatencao_simples.equivoco(
    "soma-a-entrada",
    "Você somou X à saída. Essa conexão residual vem na aula 07; aqui Y é só a combinação dos tokens.",
)
def _(X):
    A = _softmax(X @ X.T)
    return X + A @ X, A


@autoatencao_simples.equivoco(
    "cosseno",
    "Suas pontuações são cossenos: você normalizou os vetores antes. Aqui a pontuação é o produto escalar "
    "puro, X Xᵀ.",
)
def _(X):
    U = X / np.linalg.norm(X, axis=-1, keepdims=True)
    A = _softmax(U @ U.T)
    return A @ X, A


@autoatencao_simples.equivoco(
    "nao-olha-para-si",
    "A diagonal de A é zero: cada token deixou de olhar para si mesmo. Na autoatenção ele também conta.",
)
def _(X):
    S = X @ X.T
    if len(X) > 1:
        np.fill_diagonal(S, -np.inf)
    A = _softmax(S)
    return A @ X, A


@autoatencao_simples.equivoco(
    "so-o-maior",
    "Cada linha de A tem um único 1: você escolheu o maior em vez de repartir. A softmax dá um pouco a "
    "todos.",
)
def _(X):
    A = np.eye(len(X))[(X @ X.T).argmax(axis=-1)]
    return A @ X, A


@autoatencao_simples.equivoco(
    "media-simples",
    "Todos os pesos são 1/N: Y é a média da frase, igual para todos os tokens. As pontuações não estão "
    "entrando na conta.",
)
def _(X):
    A = np.full((len(X), len(X)), 1 / len(X))
    return A @ X, A


@autoatencao_simples.equivoco(
    "asterisco",
    "As formas não se encaixam: em NumPy, `*` multiplica elemento por elemento. O produto de matrizes é `@`.",
)
def _(X):
    A = _softmax(X @ X.T)
    return A * X, A


@autoatencao_simples.equivoco(
    "asterisco-nas-pontuacoes",
    "As formas de X e Xᵀ não se encaixam com `*`, que multiplica elemento por elemento. O produto de "
    "matrizes é `@`.",
)
def _(X):
    A = _softmax(X * X.T)
    return A @ X, A


@autoatencao_simples.alternativa("com-lacos")
def _(X):
    N, D = X.shape
    A = np.zeros((N, N))
    Y = np.zeros((N, D))
    for n in range(N):
        pontos = np.array([sum(X[n, d] * X[m, d] for d in range(D)) for m in range(N)])
        A[n] = np.exp(pontos - pontos.max())
        A[n] /= A[n].sum()
        for m in range(N):
            Y[n] += A[n, m] * X[m]
    return Y, A


@autoatencao_simples.alternativa("com-einsum")
def _(X):
    A = _softmax(np.einsum("nd,md->nm", X, X))
    return np.einsum("nm,md->nd", A, X), A


@autoatencao_simples.alternativa("com-torch")
def _(X):
    T = torch.tensor(X)
    A = torch.softmax(T @ T.T, dim=-1)
    return A @ T, A


@autoatencao_simples.alternativa("com-torch-float32")
def _(X):
    T = torch.tensor(X, dtype=torch.float32)
    A = torch.softmax(T @ T.T, dim=-1)
    return A @ T, A


@autoatencao_simples.alternativa("log-soma-exp-em-float32")
def _(X):
    T = torch.tensor(X, dtype=torch.float32)
    S = T @ T.T
    A = torch.exp(S - torch.logsumexp(S, dim=-1, keepdim=True))
    return A @ T, A


@autoatencao_simples.alternativa("atencao-do-torch-sem-escala")
def _(X):
    T = torch.tensor(X)
    Y = torch.nn.functional.scaled_dot_product_attention(T, T, T, scale=1.0)
    return Y, torch.softmax(T @ T.T, dim=-1)


@autoatencao_simples.alternativa("normaliza-no-fim")
def _(X):
    S = X @ X.T
    E = np.exp(S - S.max(axis=1, keepdims=True))
    soma = E.sum(axis=1, keepdims=True)
    return (E @ X) / soma, E / soma


@autoatencao_simples.alternativa("colunas-e-transposta")
def _(X):
    A = _softmax(X @ X.T, 0).T  # X Xᵀ é simétrica: normalizar as colunas e transpor dá o mesmo
    return A @ X, A
