"""A questão `produto_escalar` da lista 01."""

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao


def produto_escalar(a, b):
    return float(np.dot(a, b))


def ocultos(rng):
    """Um produto bem positivo, um bem negativo, um nulo, um de D = 1, um de D grande, um pequenino e um qualquer."""

    def par(D, sinal):
        # Duas componentes grandes e de mesmo produto garantem o sinal e separam "quase certo" de certo.
        a, b = np.round(rng.normal(size=D), 2), np.round(rng.normal(size=D), 2)
        a[0], a[-1] = 2.5, -3.25
        b[0], b[-1] = sinal * np.round(rng.uniform(1, 3, size=2), 2) * np.sign([2.5, -3.25])
        return caso(a, b, rotulo="produto positivo" if sinal > 0 else "produto negativo")

    def muitas(D):
        # A parcela grande passa de 30; a penúltima e a antepenúltima se repetem; as do fim pesam.
        a, b = np.round(rng.normal(size=D), 3), np.round(rng.normal(size=D), 3)
        a[-8:], b[-8:] = np.round(rng.uniform(0.5, 1.5, size=(2, 8)), 3)
        a[-2], b[-2] = a[-3], b[-3]
        a[0], b[0] = 8.0, 6.5 + rng.integers(0, 8) / 8
        return caso(a, b, rotulo="muitas componentes")

    u, v = (int(n) for n in rng.integers(2, 9, size=2))
    # 0,0002 mais de 15 a 45 milionésimos: quem arredonda para quatro casas fica longe.
    miudo = 0.001 * int(rng.choice([3, 5, 7, 9]))
    return [
        par(int(rng.integers(3, 6)), +1),
        par(int(rng.integers(6, 9)), -1),
        par(2, -1),
        caso(np.array([u, v, 0.0]), np.array([-v, u, 5.0]), rotulo="perpendiculares"),
        caso(np.array([u + 0.5]), np.array([-v - 0.25]), rotulo="D = 1"),
        caso(np.round(rng.normal(size=12), 2), np.round(rng.normal(size=12), 2), rotulo="D = 12"),
        muitas(int(rng.integers(20, 41))),
        caso(np.array([0.01, 0.005]), np.array([0.02, miudo]), rotulo="componentes pequenas"),
        caso(np.array([0.01, miudo]), np.array([-0.02, -0.005]), rotulo="componentes pequenas, produto negativo"),
    ]


q = questao(
    "lista-01/produto_escalar",
    assinatura="produto_escalar(a, b)",
    saida="float",
    referencia=produto_escalar,
    casos=[
        caso(np.array([1.0, 2.0, 3.0]), np.array([4.0, -5.0, 6.0]), rotulo="o exemplo do enunciado", claro=True),
        caso(np.array([0.5, 0.3]), np.array([0.9, 0.5]), rotulo="rato e Roma."),
        caso(np.array([1.0, 2.0]), np.array([-4.0, 2.0]), rotulo="vetores perpendiculares"),
        caso(
            np.array([0.7, -1.2, 0.4, 2.1, -0.5]), np.array([-1.5, 0.6, 0.8, -0.9, 1.1]), rotulo="um produto negativo"
        ),
        caso(np.array([2.5]), np.array([-4.0]), rotulo="uma dimensão só"),
        caso(np.array([0.01, 0.003]), np.array([0.02, 0.005]), rotulo="componentes pequenas"),
        # as parcelas se repetem (1 e 1; 0,125 e 0,125) e a soma passa de 30
        caso(
            np.array([5, 1, 1, -2, 0.5, 0.25, 0.5, -1, 3, 2, 1, 0, 0.125, 4, -3, 2, 0.5, 1, 1.5, 6]),
            np.array([4, 1, 1, 3, 0.25, 0.5, -2, 0.5, 1, 0.75, -1, 9, 1, 2, 1, -0.5, 3, 2.5, 2, 3]),
            rotulo="vinte componentes",
        ),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
sem-a-soma: a * b
    Sua saída é um vetor: os produtos componente a componente. Falta somá-los num número só. Veja a Dica 1.
produto-externo: np.outer(a, b)
    Sua saída é uma matriz, o produto externo: todas as componentes de a por todas as de b. Aqui cada componente só
    encontra a de mesmo índice.
cosseno: float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))
    Isso é o cosseno: você dividiu pelos comprimentos. O produto escalar não divide por nada.
somas-antes: float(a.sum() * b.sum())
    Saiu a soma de a vezes a soma de b (dois laços, um dentro do outro, também dão isso). Multiplique só os pares de
    mesmo índice, e depois some. Veja a Dica 1.
soma-dos-vetores: float(np.sum(a + b))
    Você somou as componentes dos dois vetores. Em cada par, o que se faz é multiplicar.
distancia: float(np.linalg.norm(a - b))
    Isso é a distância entre as pontas dos vetores: pequena quando são parecidos. O produto escalar multiplica as
    componentes, não as subtrai.
distancia-ao-quadrado: float(np.sum((a - b) ** 2))
    Isso é o quadrado da distância. O produto escalar multiplica as componentes, não as subtrai.
valor-absoluto: float(abs(a @ b))
    O tamanho está certo e o sinal se perdeu. Um produto negativo diz que os vetores se opõem: guarde o sinal.
absoluto-por-parcela: float(np.sum(np.abs(a * b)))
    Você tirou o sinal de cada parcela antes de somar. As parcelas negativas têm de descontar das positivas.
media: float(np.mean(a * b))
    Você tirou a média dos produtos: o resultado saiu dividido por D. O pedido é a soma.
perde-a-ultima: float(np.sum(a[:-1] * b[:-1]))
    Sua conta deixa a última componente de fora. Veja onde o seu laço termina.
perde-a-primeira: float(np.sum(a[1:] * b[1:]))
    Sua conta deixa a primeira componente de fora: os índices de Python começam no 0.
so-a-primeira: float(a[0] * b[0])
    Sua função devolve só a primeira parcela. O return está dentro do laço? Veja a Dica 2.
so-a-ultima: float(a[-1] * b[-1])
    Sua função devolve só a última parcela: a cada volta do laço, a anterior se perde. Acumule. Veja a Dica 2.
produto-das-normas: float(np.linalg.norm(a) * np.linalg.norm(b))
    Isso é o produto dos comprimentos, que não enxerga o ângulo. O produto escalar só chega a ele quando os vetores
    apontam para o mesmo lado.
ao-quadrado: float(a @ a)
    Seu resultado é o produto escalar de a com ele mesmo. O vetor b não entrou na conta.
arredonda: round(float(a @ b), 2)
    Seu resultado saiu arredondado para duas casas, e um produto pequeno virou 0. Devolva a soma como ela é.
arredonda-para-4-casas: round(float(a @ b), 4)
    Seu resultado saiu arredondado para quatro casas: num produto pequeno, sobra um algarismo só. Devolva a soma como
    ela é.
trunca-para-inteiro: int(a @ b)
    Seu resultado perdeu as casas decimais: há um `int` na conta. Devolva a soma como ela é.
matriz-1x1: a[None, :] @ b[:, None]
    O valor está certo, mas embrulhado numa matriz 1×1. O pedido é um número.
altera-a-entrada: return float(np.dot(a, b)) → a *= b⏎return float(a.sum())
    Sua função escreve em a (um `a *= b`?). Quem chama continua a usar o vetor: faça a conta fora dele.
acumula-multiplicando: float(np.prod(a * b))
    Você multiplicou todas as parcelas entre si. Depois de multiplicar par a par, o que se faz é somar.
so-o-b: float(b @ b)
    Seu resultado é o produto escalar de b com ele mesmo. O vetor a não entrou na conta.
sempre-tres-componentes: sum(a[i] * b[i] for i in range(3))
    Seu laço vai sempre até 3, o tamanho do exemplo. Os vetores podem ter outro tamanho: tire-o de a.
""")


@q.alternativa
def arroba(a, b):
    return a @ b  # np.float64


@q.alternativa
def lei_dos_cossenos(a, b):
    # |a + b|² − |a − b|² = 4 a·b
    return float(np.sum((a + b) ** 2) - np.sum((a - b) ** 2)) / 4


q.alternativas_curtas("""
laco: return float(np.dot(a, b)) → soma = 0.0⏎for i in range(len(a)):⏎    soma += a[i] * b[i]⏎return soma
zip-e-sum: sum(float(x) * float(y) for x, y in zip(a, b, strict=True))
einsum: np.einsum("d,d->", a, b)
com-torch: torch.dot(torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64))
torch-float32: torch.dot(torch.tensor(a, dtype=torch.float32), torch.tensor(b, dtype=torch.float32)).item()
multiplica-e-soma-float32: (a.astype(np.float32) * b.astype(np.float32)).sum()
""")
