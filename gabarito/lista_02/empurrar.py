"""A questão `empurrar` da lista 02."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_02.softmax import softmax


def empurrar(a, j, c):
    expoentes = np.zeros(len(a))
    expoentes[j] = c
    novos = a * np.exp(expoentes - expoentes.max())  # nenhum expoente passa de 0
    return novos / novos.sum()


ENORMES = "empurrões enormes"


def _pesos(rng, n, com_zero=False):
    """Pesos (n,) bem diferentes uns dos outros: nenhum par se confunde, nem na hora de trocar o índice."""
    a = rng.permutation(np.arange(1, n + 1) + rng.uniform(0, 0.5, size=n))
    if com_zero:
        a[int(rng.integers(n))] = 0.0
    return a / a.sum()


def ocultos(rng):
    def c(baixo, alto):
        return float(np.round(rng.uniform(baixo, alto), 3))

    def enorme():
        # com menos, tirar dos expoentes a média, o desvio ou a metade, em vez do máximo, às vezes bastaria
        return float(rng.integers(12_000, 15_000))

    a = _pesos(rng, 4, com_zero=True)
    return [
        caso(_pesos(rng, 3), 0, c(0.5, 1.5)),
        caso(_pesos(rng, 3), 2, c(-1.5, -0.5)),
        caso(_pesos(rng, 5), int(rng.integers(1, 5)), c(1.5, 3)),
        caso(_pesos(rng, 6), int(rng.integers(1, 6)), c(-3, -1.5)),
        caso(_pesos(rng, 2), 1, c(0.2, 0.8)),
        caso(a, int(np.argmax(a)), c(0.5, 1.5)),
        caso(a, int(np.argmin(a)), c(0.5, 1.5)),
        caso(_pesos(rng, 4), 3, 0.0),
        caso(np.array([1.0]), 0, c(0.5, 1.5)),
        caso(np.array([0.004, 0.001, 0.995]), 0, c(3, 5)),
        caso(_pesos(rng, 4), int(rng.integers(4)), enorme(), parte=ENORMES),
        caso(_pesos(rng, 3), int(rng.integers(3)), -enorme(), parte=ENORMES),
        caso(_pesos(rng, 5), 0, enorme(), parte=ENORMES),
    ]


q = questao(
    "lista-02/empurrar",
    assinatura="empurrar(a, j, c)",
    saida="array",
    referencia=empurrar,
    depende=["softmax"],
    casos=[
        caso(np.array([0.5, 0.3, 0.2]), 0, float(np.log(2)), claro=True, rotulo="o exemplo do enunciado"),
        caso(np.array([0.1, 0.2, 0.3, 0.4]), 2, -1.25, rotulo="quatro pesos, para baixo"),
        caso(np.array([0.55, 0.45]), 1, 2.0, rotulo="dois pesos"),
        caso(np.array([0.25, 0.0, 0.6, 0.1, 0.05]), 2, 1.5, rotulo="um dos outros pesos é zero"),
        caso(np.array([0.25, 0.0, 0.6, 0.1, 0.05]), 1, 1.5, rotulo="o peso empurrado é zero"),
        caso(np.array([0.35, 0.45, 0.2]), 1, 0.0, rotulo="um empurrão de zero"),
        caso(np.array([1.0]), 0, 1.0, rotulo="um peso só, N = 1"),
        caso(np.array([0.98, 0.005, 0.015]), 1, 4.0, rotulo="um peso pequeno que cresce"),
        caso(np.array([0.2, 0.3, 0.5]), 1, 15000.0, rotulo="c = 15000", parte=ENORMES),
        caso(np.array([0.6, 0.3, 0.1]), 2, -15000.0, rotulo="c = −15000", parte=ENORMES),
    ],
    ocultos=ocultos,
    propriedades=["nao-negativa", "linhas-somam-1"],
    partes={"empurrões comuns": 0.75, ENORMES: 0.25},
)


def _fatores(a, j, c):
    """1 em toda parte, e e^c no lugar j; com c enorme, estoura."""
    return np.where(np.arange(len(a)) == j, np.exp(c), 1.0)


def _cortado(a, j, c):
    """O peso j vezes e^c, sem passar de 1."""
    return min(1.0, a[j] * np.exp(min(c, 700.0)))


def _sozinho(a, j, novo):
    """Os pesos a, com outro no lugar j."""
    return np.where(np.arange(len(a)) == j, novo, a)


q.equivocos_curtos("""
sem-dividir: a * _fatores(a, j, c)
    O peso j foi multiplicado por e^c, e isso está certo. Mas agora os pesos não somam 1: falta dividir todos pela nova
    soma. Veja a Dica 2.
soma-no-peso: _sozinho(a, j, a[j] + c) / _sozinho(a, j, a[j] + c).sum()
    Você somou c ao peso. Quem sobe c é a pontuação, que está dentro da exponencial: o que acontece com e^s quando s
    vira s + c?
soma-no-peso-sem-dividir: _sozinho(a, j, a[j] + c)
    Você somou c ao peso, e os pesos deixaram de somar 1. Quem sobe c é a pontuação, que está dentro da exponencial: o
    que acontece com e^s quando s vira s + c?
multiplica-por-c: _sozinho(a, j, a[j] * c) / _sozinho(a, j, a[j] * c).sum()
    Você multiplicou o peso por c. Somar c à pontuação multiplica a exponencial dela por e^c, e não por c.
multiplica-por-um-mais-c: _sozinho(a, j, a[j] * (1 + c)) / _sozinho(a, j, a[j] * (1 + c)).sum()
    Você multiplicou o peso por 1 + c. Quando c é pequeno isso é quase e^c, mas só quase: use a exponencial.
softmax-dos-pesos: softmax(_sozinho(a, j, a[j] + c))
    Você usou os pesos como se fossem pontuações e fez outra softmax. Os pesos já passaram por uma exponencial: para
    voltar às pontuações é preciso desfazê-la. Veja a Dica 3.
empurra-todos: a * np.exp(min(c, 700.0)) / (a * np.exp(min(c, 700.0))).sum()
    Nada mudou: você multiplicou todos os pesos por e^c, e ele se cancela na divisão. Só a pontuação j foi empurrada.
sinal-trocado: empurrar(a, j, -c)
    O peso j foi para o lado errado: com c positivo ele cresce, com c negativo ele encolhe.
base-2: empurrar(a, j, c * np.log(2))
    O peso j foi multiplicado por 2^c. A softmax usa o número e.
os-outros-ficam: _sozinho(a, j, empurrar(a, j, c)[j])
    O peso j está certo, mas os outros ficaram como estavam. O que ele ganha, alguém perde.
tira-igual-de-todos: np.where(np.arange(len(a)) == j, empurrar(a, j, c)[j],
        a - (empurrar(a, j, c)[j] - a[j]) / max(len(a) - 1, 1))
    O peso j está certo, mas você tirou a mesma quantia de cada um dos outros. As pontuações deles não mudaram, então a
    razão entre dois deles também não muda: quem tinha o dobro continua com o dobro. Veja a Dica 1.
conta-a-partir-de-um: empurrar(a, j - 1, c)
    O empurrão foi parar no vizinho da esquerda. Em Python o primeiro peso é o de índice 0: use `j` como veio.
so-a-variacao: empurrar(a, j, c) - a
    Você devolveu quanto cada peso mudou. Pedem-se os pesos novos, que somam 1.
so-o-peso-j: empurrar(a, j, c)[j]
    Saiu um número só, o novo peso de j. Pedem-se todos os pesos, porque os outros também mudam.
estoura: a * _fatores(a, j, c) / (a * _fatores(a, j, c)).sum()
    Com empurrões comuns está certo. Mas e^15000 vira infinito, e infinito dividido por infinito é NaN. Somar −c às
    outras pontuações dá os mesmos pesos que somar c à de j, e aí ninguém estoura. Veja a Dica 3.
esconde-o-nan: np.nan_to_num(a * _fatores(a, j, c) / (a * _fatores(a, j, c)).sum())
    Onde a conta estourou, você trocou o NaN por zero, e os pesos deixaram de somar 1. Evite que o NaN apareça: diminua
    as outras pontuações em vez de aumentar a de j.
peso-cortado-em-1: _sozinho(a, j, _cortado(a, j, c)) / _sozinho(a, j, _cortado(a, j, c)).sum()
    Antes de dividir, você cortou em 1 o peso empurrado. Ali ele pode passar de 1: quem o traz de volta é a divisão pela
    nova soma.
tira-outra-constante: expoentes.max() → expoentes.mean()
    O que você tira dos expoentes não basta (a média, a metade ou o menor deles?): com c enorme, o maior ainda estoura a
    exponencial. Que constante garante que nenhum expoente passe de 0?
tira-o-desvio: expoentes.max() → expoentes.std()
    Você tirou dos expoentes o desvio-padrão. Se c é enorme, ele não impede a exponencial de estourar, ou zera todas:
    que constante garante que nenhum expoente passe de 0, e que um deles seja 0?
corta-o-empurrao: empurrar(a, j, float(np.clip(c, -1.0, 1.0)))
    Os empurrões maiores que 1 foram cortados. Vale qualquer c: a estabilidade vem de outro lugar.
esquece-o-peso: softmax(np.where(np.arange(len(a)) == j, c, 0.0))
    Os pesos antigos não entraram na conta: você partiu de pontuações todas iguais a zero.
um-passo-linear: a + c * a[j] * (np.eye(len(a))[j] - a)
    Isto é a reta que acompanha a curva, boa só quando c é quase zero. Para um c qualquer, multiplique por e^c e divida
    pela soma.
""")


@q.equivoco
def altera_a_entrada(a, j, c):
    """Sua função escreve em `a`. Trabalhe numa cópia: quem chamou ainda precisa dele."""
    a[j] *= np.exp(min(c, 700.0))
    return a / a.sum()


@q.alternativa
def pelas_pontuacoes(a, j, c):
    with np.errstate(divide="ignore"):
        s = np.log(a)  # um peso zero tem pontuação −∞, e continua zero
    s[j] += c
    return softmax(s)


@q.alternativa
def com_lacos(a, j, c):
    novos = []
    for i in range(len(a)):
        if c > 0:
            novos.append(a[i] if i == j else a[i] * np.exp(-c))
        else:
            novos.append(a[i] * np.exp(c) if i == j else a[i])
    return np.array([n / sum(novos) for n in novos])


@q.alternativa
def com_torch(a, j, c):
    s = torch.log(torch.tensor(a))
    s[j] = s[j] + c
    return torch.softmax(s, dim=0)


@q.alternativa
def com_torch_float32(a, j, c):
    s = torch.log(torch.tensor(a, dtype=torch.float32))
    s[j] = s[j] + c
    return torch.softmax(s, dim=0)


@q.alternativa
def o_j_e_o_resto(a, j, c):
    if a[j] in (0.0, 1.0):
        return a.copy()
    with np.errstate(over="ignore"):
        novo = 1 / (1 + (1 - a[j]) / a[j] * np.exp(-c))  # o infinito é inofensivo: 1/inf = 0
    outros = a * (1 - novo) / (1 - a[j])
    outros[j] = novo
    return outros
