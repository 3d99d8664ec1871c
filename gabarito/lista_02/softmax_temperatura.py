"""A questão `softmax_temperatura` da lista 02."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch  # noqa: F401 (usado nas tabelas)
from gabarito.lista_02.comum import misturadas, oitavos
from gabarito.lista_02.softmax import softmax


def softmax_temperatura(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"a temperatura deve ser positiva, e T = {T}")
    return softmax(x / T, eixo)


# A mensagem pode trazer o nome (T, T_inválido, temperatura) ou só o valor, escrito de qualquer jeito usual.
_NOME_DE_T = r"(?<![^\W_])T(?![^\W_])|temperatur|\btemp\b"
_MENOS = r"(?:[-−–—‒‐‑]|\bmenos)\s*"

_NOMEIA = {
    0.0: rf"{_NOME_DE_T}|\bzero\b|\bnul[ao]\b|(?<![\d.,])[.,]?0",
    -0.5: rf"{_NOME_DE_T}|{_MENOS}(?:0?[.,]5(?!\d*[1-9])|5(?:[.,]0*)?e-0?1|0(?![.,]?\d)|1/2|meio\b)",
    -1.0: rf"{_NOME_DE_T}|{_MENOS}(?:1(?!\d|[.,]\d*[1-9])|um\b)",
    -2.0: rf"{_NOME_DE_T}|{_MENOS}(?:2(?!\d|[.,]\d*[1-9])|dois\b)",
}


def ocultos(rng):
    def frio(T):
        """x/T perto de ±900 e de 0, com diferenças de oitavos: exatas em float32, pois T é potência de dois."""
        X = np.round(rng.normal(size=(3, 4)) * 8) / 8
        X += np.array([[1], [-1], [0]]) * (768 + 64 * rng.integers(0, 4))
        return caso(X * T, T)

    def invalido(T, *eixo):
        # Pontuações positivas e sem zeros: uma mensagem que só mostra x não passa por mensagem que diz T.
        return caso(rng.integers(9, 40, size=(2, 3)) / 8, T, *eixo, nomeia=_NOMEIA[T], parte="erros")

    quente = oitavos(rng, -10_000, 10_000, (2, 5))
    quente[:, 0], quente[:, 1] = 10_000, -10_000
    negativas = rng.permutation([-0.5, -1.0, -2.0])
    return [
        caso(rng.normal(size=(3, 5)), float(rng.integers(1, 6)) + 0.25),
        caso(rng.normal(size=(2, 5)), 0.5, 0),
        caso(2 * rng.normal(size=(4, 2, 3)), 3.5, 1),
        caso(rng.normal(size=6), 0.25),
        frio(2.0 ** -int(rng.integers(5, 8))),
        frio(2.0 ** -int(rng.integers(15, 18))),
        caso(misturadas(rng, 3, 4).T.copy() / 2, 0.5, 0),
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

q = questao(
    "lista-02/softmax_temperatura",
    assinatura="softmax_temperatura(x, T, eixo=-1)",
    saida="array",
    referencia=softmax_temperatura,
    depende=["softmax"],
    casos=[
        caso(np.array([[2.0, 4.0, 0.0], [1.0, 1.0, -2.0]]), 2.0, claro=True, rotulo="o exemplo do enunciado"),
        caso(
            np.array([[750.0, -750.0, 0.25], [-745.0, 740.0, 739.5]]),
            0.5,
            rotulo="pontuações distantes, divididas por 0,5",
        ),
        caso(np.array([0.5, -1.25, 2.0, 0.75, -0.5]), 0.75, rotulo="um vetor só, sem dizer o eixo"),
        caso(
            np.array([[500.0, -499.0, 0.5], [499.5, -498.5, 1.0], [499.0, -500.0, -0.5], [497.0, -499.5, 0.0]]),
            0.5,
            0,
            rotulo="pontuações de até ±500, eixo 0, T = 0,5",
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
        caso(_X_POSITIVO, 0.0, rotulo="T = 0", nomeia=_NOMEIA[0.0], parte="erros"),
        caso(_X_POSITIVO, -2.0, rotulo="T = −2", nomeia=_NOMEIA[-2.0], parte="erros"),
        caso(_X_POSITIVO, -0.5, 0, rotulo="T = −0,5, com o eixo dito", nomeia=_NOMEIA[-0.5], parte="erros"),
    ],
    ocultos=ocultos,
    propriedades=["soma-1-no-eixo", "nao-negativa"],
    partes={"valores": 0.75, "erros": 0.25},
)

q.equivocos_curtos("""
multiplica-por-T: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        x / T → x * T
    Com T grande seus pesos ficaram mais concentrados, e deveriam ficar mais iguais: T multiplica onde deveria dividir.
divide-depois: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        softmax(x / T, eixo) → softmax(x, eixo) / T
    Os pesos foram divididos por T depois da softmax, e deixaram de somar 1. A temperatura age nas pontuações, antes da
    exponencial. Veja a Dica 3.
raiz-de-T: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        x / T → x / np.sqrt(T)
    Você divide por √T. A raiz quadrada aparece na aula 03, com outro número; aqui se divide pelo próprio T.
ignora-T: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        x / T → x
    Seu resultado é a softmax comum, a mesma para qualquer T. T se cancela quando divide as exponenciais, ou só o máximo
    (faltam parênteses?). Ele deve dividir as pontuações, antes da exponencial.
nao-renormaliza: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        softmax(x / T, eixo) → softmax(x, eixo) ** (1 / T)
    Você elevou os pesos a 1/T e eles deixaram de somar 1. É mais simples dividir as pontuações por T antes da softmax.
aceita-T-invalido: softmax(x / np.float64(T), eixo)
    Com T = 0 e com T negativo sua função devolve alguma coisa. Divisão por zero não tem sentido, e um T negativo
    inverte a ordem das palavras: nos dois casos lance ValueError. Veja a Dica 2.
so-T-negativo: T <= 0 → T < 0
        f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        x / T → x / np.float64(T)
    T negativo você recusa, mas T = 0 passa, e a divisão por zero dá NaN. A condição tem de incluir o zero.
so-T-zero: T <= 0 → T == 0
        f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
    T = 0 você recusa, mas T negativo passa: a menor pontuação fica com o maior peso. Recuse todo T que não seja
    positivo.
troca-T-invalido: softmax(x / max(T, 1e-6), eixo)
    Um T inválido foi trocado em silêncio por um número pequeno. Quem chamou nunca saberá do erro: lance ValueError.
modulo-de-T: T <= 0 → T == 0
        f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        x / T → x / abs(T)
    T negativo foi aceito como se fosse positivo. Quem chamou não saberá do erro: lance ValueError para todo T ≤ 0.
devolve-none: raise ValueError(f"a temperatura deve ser positiva, e T = {T}") → return None
    Com T inválido sua função devolve None, e o erro só vai aparecer longe daqui, em outra conta. Lance ValueError.
erro-sem-mensagem: ValueError(f"a temperatura deve ser positiva, e T = {T}") → ValueError
    O ValueError está certo, mas sem mensagem ninguém descobre o que houve. Diga nela qual é o culpado: T, ou o valor
    dele. Veja a Dica 2.
ignora-o-eixo: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        softmax(x / T, eixo) → softmax(x / T, -1)
    Sua função normaliza sempre o último eixo. Repasse o argumento `eixo` à sua softmax.
normaliza-colunas: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        softmax(x / T, eixo) → softmax(x / T, 0)
    Sua função normaliza sempre ao longo do eixo 0. Sem pedido nenhum, é o último eixo que deve somar 1.
eixo-negativo-vira-ultimo: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        softmax(x / T, eixo) → softmax(x / T, eixo if eixo >= 0 else -1)
    Com um eixo negativo sua função usa sempre o último. Só −1 é o último; −2 é o penúltimo. Repasse `eixo` à sua
    softmax como veio.
limita-T-por-baixo: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        x / T → x / max(T, 1e-3)
    Um T pequeno, mas positivo, foi trocado por um maior, e os pesos saíram menos concentrados do que deviam. Todo T > 0
    vale: a estabilidade vem da subtração do máximo.
recusa-T-pequeno: T <= 0 → T < 1e-3
        f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
    Sua função recusa um T pequeno, mas positivo. Só T ≤ 0 é inválido: compare com zero, e não com um número pequeno.
tudo-global: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        return softmax(x / T, eixo) → e = np.exp((x - x.max()) / T)⏎return e / e.sum()
    O array inteiro virou uma distribuição só: a soma (e o máximo) correu por todos os números. É cada fatia ao longo de
    `eixo` que soma 1.
divisao-inteira: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        x / T → x // T
    As pontuações foram divididas com `//`, que joga as casas decimais fora. A divisão é `/`.
softmax-da-softmax: f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
        softmax(x / T, eixo) → softmax(softmax(x, eixo) / T, eixo)
    Você dividiu por T os pesos da softmax e fez outra softmax deles. T divide as pontuações, e a softmax é uma só.
devolve-o-erro: raise ValueError(f"a temperatura deve ser positiva, e T = {T}") → return ValueError(f"T = {T}")
    Com T inválido sua função devolve o ValueError, como se fosse um resultado. Um erro se lança: troque o return por
    raise.
recusa-os-validos: T <= 0 → T > 0
        f"a temperatura deve ser positiva, e T = {T}" → f"T = {T}"
    Sua função recusa os T positivos, que são os que valem: a pergunta do if está ao contrário.
divisao-por-zero: softmax(1 / T * x, eixo)
    Com T = 0 a função para com ZeroDivisionError, que veio da conta e não de você, e T negativo ela aceita. Examine T
    antes de dividir e lance ValueError.
""")


@q.equivoco
def sem_maximo(x, T, eixo=-1):
    """Falta a subtração do máximo: com T pequeno, x/T passa de 709 e a exponencial vira infinito (ou tudo vira 0), e a
    divisão dá NaN."""
    if T <= 0:
        raise ValueError(f"T = {T}")
    e = np.exp(x / T)
    return e / e.sum(axis=eixo, keepdims=True)


@q.equivoco
def maximo_sem_dividir(x, T, eixo=-1):
    """Você subtrai de x/T o máximo de x, que não foi dividido por T. Divida primeiro e tire o máximo depois, ou divida
    a diferença inteira."""
    if T <= 0:
        raise ValueError(f"T = {T}")
    e = np.exp(x / T - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


@q.equivoco
def maximo_global(x, T, eixo=-1):
    """O máximo subtraído é o do array inteiro. As fatias que ficam muito abaixo dele viram zero em tudo, e 0/0 é NaN:
    tire o máximo ao longo de `eixo`."""
    if T <= 0:
        raise ValueError(f"T = {T}")
    e = np.exp((x - x.max()) / T)
    return e / e.sum(axis=eixo, keepdims=True)


@q.equivoco
def potencia_das_probabilidades(x, T, eixo=-1):
    """No papel, elevar a softmax a 1/T e renormalizar é a mesma coisa. No computador, não: com pontuações distantes a
    softmax já virou 0, e um T grande não a traz de volta. Divida por T antes da exponencial."""
    if T <= 0:
        raise ValueError(f"T = {T}")
    p = softmax(x, eixo) ** (1 / T)
    return p / p.sum(axis=eixo, keepdims=True)


@q.equivoco
def zero_vira_maximo(x, T, eixo=-1):
    """Para T = 0 você devolve o limite (peso 1 no maior). A ideia é boa, mas o enunciado pede ValueError para todo T ≤
    0."""
    if T < 0:
        raise ValueError(f"T = {T}")
    if T == 0:
        return (x == x.max(axis=eixo, keepdims=True)).astype(float)
    return softmax(x / T, eixo)


@q.equivoco
def assert_em_vez_de_ValueError(x, T, eixo=-1):
    """Um `assert` lança AssertionError, e some quando o Python roda com -O. Para uma entrada inválida, use raise
    ValueError com uma mensagem."""
    assert T > 0
    return softmax(x / T, eixo)


@q.equivoco
def so_valida_sem_eixo(x, T, eixo=None):
    """Sem `eixo`, um T inválido é recusado; com `eixo`, ele passa. Examine T na primeira linha, antes de qualquer outra
    decisão."""
    if eixo is not None:
        return softmax(x / np.float64(T), eixo)
    if T <= 0:
        raise ValueError(f"T = {T}")
    return softmax(x / T)


@q.equivoco
def altera_a_entrada(x, T, eixo=-1):
    """Sua função escreve em `x`: `x /= T` muda o array de quem chamou."""
    if T <= 0:
        raise ValueError(f"T = {T}")
    x /= T
    return softmax(x, eixo)


@q.alternativa
def divide_a_diferenca(x, T, eixo=-1):
    if T <= 0:
        raise ValueError("a temperatura tem de ser positiva")
    e = np.exp((x - x.max(axis=eixo, keepdims=True)) / T)
    return e / e.sum(axis=eixo, keepdims=True)


@q.alternativa
def fatia_por_fatia(x, T, eixo=-1):
    if T <= 0:
        raise ValueError("T <= 0")

    def um(v):
        e = np.exp((v - v.max()) / T)
        return e / e.sum()

    return np.apply_along_axis(um, eixo, x)


@q.alternativa
def beta_inverso(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"Esperava T > 0, recebi {T:.3f}")
    beta = 1.0 / T
    return np.exp(beta * x - np.logaddexp.reduce(beta * x, axis=eixo, keepdims=True))


@q.alternativa
def com_numpy_float32(x, T, eixo=-1):
    if T <= 0:
        raise ValueError(f"T = {T}")
    z = x.astype(np.float32) / np.float32(T)
    e = np.exp(z - z.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)


q.alternativas_curtas("""
com-torch: T <= 0 → not T > 0
        f"a temperatura deve ser positiva, e T = {T}" → f"T precisa ser maior que zero; veio {T!r}"
        softmax(x / T, eixo) → torch.softmax(torch.tensor(x) / T, dim=eixo)
com-torch-float32: f"a temperatura deve ser positiva, e T = {T}" → f"valor inválido: {T}"
        softmax(x / T, eixo) → torch.softmax(torch.tensor(x, dtype=torch.float32) / T, dim=eixo)
so-o-valor-arredondado:
        f"a temperatura deve ser positiva, e T = {T}" → f"recebi {T:.2f}".replace(".", ",").replace("-", "−")
so-o-valor-em-notacao-cientifica: f"a temperatura deve ser positiva, e T = {T}" → f"{T:e}"
nome-colado-em-outro: f"a temperatura deve ser positiva, e T = {T}" → "parâmetro T_inválido"
""")
