"""A questão `vantagem` da lista 03."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_03.comum import K1, K2, K3, K7, K9, K10, Q1, Q2, Q3, Q7, Q9, Q10, grandes, oitavos, softmax

_Q4 = np.array([[0.5, 1.0, -0.5, 2.0, 0.25], [1.5, -1.0, 0.75, 0.5, 1.0], [-0.25, 2.0, 1.0, -1.5, 0.5]])  # (3, 5)
_K4 = np.array(
    [
        [1.0, -0.5, 2.0, 0.75, -1.0],
        [0.5, 0.25, -1.0, 1.5, 0.75],
        [-1.25, 1.0, 0.5, -0.5, 2.0],
        [0.75, 1.5, -0.25, 1.0, -0.5],
    ]
)  # (4, 5)

# As duas primeiras chaves são iguais, e empatam em primeiro nas duas primeiras consultas.
_Q5 = np.array([[1.0, 0.5, 0.0, 1.0], [2.0, 1.0, 1.0, 0.0], [-1.0, 0.0, 1.0, -1.0]])  # (3, 4)
_K5 = np.array([[1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [-1.0, 0.0, 0.5, 0.0], [0.5, 0.0, 0.25, -1.0]])  # (4, 4)


def vantagem(Q, K, divisor):
    A = softmax(Q @ K.T / divisor)
    em_ordem = np.sort(A, axis=1)
    return float((em_ordem[:, -1] - em_ordem[:, -2]).mean())


GRANDES = "pontuações grandes"


def ocultos(rng):
    """Pontuações de tamanho médio, que não saturam; o divisor nunca é 1, nem √d_k, nem d_k."""
    formas = [(*(int(n) for n in rng.choice([3, 4, 5, 6, 7], size=3, replace=False)),) for _ in range(6)]
    n, m, d_k = formas[0]
    formas += [formas[0], (n, n, d_k), (m, m, m), (1, m, d_k), (n, 2, d_k), (8, 5, 20), (5, 9, 64)]
    casos = [
        caso(oitavos(rng, n, d), oitavos(rng, m, d), round(float(np.sqrt(d) * rng.uniform(1.25, 1.9)), 2))
        for n, m, d in formas
    ]
    enormes = [caso(*grandes(rng, 4, 5, baixas), parte=GRANDES) for baixas in (False, True)]
    return [*casos, _empate(rng, n, m, d_k), *enormes]


def _empate(rng, n, m, d_k):
    """Duas chaves iguais, que empatam em primeiro na consulta 0; as outras são curtas demais para ganhar delas ali."""
    Q, K = oitavos(rng, n, d_k), oitavos(rng, m, d_k) / 4
    Q[0] = K[0] = K[1] = rng.choice([-1.5, -1.0, 1.0, 1.5], size=d_k)
    return caso(Q, K, round(float(rng.uniform(2.1, 2.9)), 2))


q = questao(
    "lista-03/vantagem",
    assinatura="vantagem(Q, K, divisor)",
    saida="float",
    referencia=vantagem,
    casos=[
        caso(Q1, K1, 2.0, claro=True, rotulo="o exemplo do enunciado"),
        caso(_Q4, _K4, 3.0, rotulo="3 consultas, 4 chaves, divisor 3"),
        caso(Q2, K2, 0.8, rotulo="5 consultas, 2 chaves, divisor 0,8"),
        caso(Q3, K3, 1.5, rotulo="uma consulta só"),
        caso(Q7, K7, 2.5, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(Q10, K10, 3.0, rotulo="a forma do exemplo, com outros números"),
        caso(Q1, K1, 5.0, rotulo="o exemplo do enunciado, divisor 5"),
        caso(Q9, K9, 6.0, rotulo="d_k = 100, divisor 6"),
        caso(_Q5, _K5, 3.0, rotulo="duas chaves iguais, que empatam"),
        caso(*grandes(np.random.default_rng(1), 3, 4, False), rotulo="pontuações perto de 2000", parte=GRANDES),
        caso(*grandes(np.random.default_rng(2), 3, 4), rotulo="pontuações perto de 2000 e de −2000", parte=GRANDES),
    ],
    ocultos=ocultos,
    partes={"pontuações comuns": 0.9, GRANDES: 0.1},
)


q.equivocos_curtos("""
ignora-o-divisor: Q @ K.T / divisor → Q @ K.T
    O divisor não entrou na conta. Divida as pontuações por ele antes da softmax.
divide-duas-vezes: Q @ K.T / divisor → Q @ K.T / np.sqrt(Q.shape[-1]) / divisor
    As pontuações foram divididas por √d_k e também pelo divisor. Aqui o divisor é só o que se recebe. Sua função
    pontuacoes já divide por √d_k.
sempre-a-raiz: Q @ K.T / divisor → Q @ K.T / np.sqrt(Q.shape[-1])
    As pontuações foram divididas por √d_k, e o divisor recebido ficou de fora. Sua função pontuacoes só conhece √d_k.
    Aqui a conta é com QKᵀ.
multiplica-pelo-divisor: Q @ K.T / divisor → Q @ K.T * divisor
    O divisor está multiplicando as pontuações. Ele divide.
raiz-do-divisor: Q @ K.T / divisor → Q @ K.T / np.sqrt(divisor)
    Você tirou a raiz do divisor. Ele já vem pronto: divida por ele como está.
divisor-depois-da-softmax: softmax(Q @ K.T / divisor) → softmax(Q @ K.T) / divisor
    A divisão veio depois da softmax, e as linhas deixaram de somar 1. Ela vem antes, nas pontuações.
sem-softmax: softmax(Q @ K.T / divisor) → Q @ K.T / divisor
    A vantagem saiu das pontuações. Pede-se a dos pesos, que vêm depois da softmax.
sem-o-maximo: softmax(Q @ K.T / divisor) → np.exp(Q @ K.T / divisor) / np.exp(Q @ K.T / divisor).sum(1)[:, None]
    Com pontuações de milhares a exponencial estourou e apareceu NaN. Subtraia o máximo de cada linha antes de
    exponenciar, como na sua softmax da lista 02.
maximo-de-tudo: A = softmax(Q @ K.T / divisor) → S = Q @ K.T / divisor⏎E = np.exp(S - S.max())⏎A = (E.T / E.sum(1)).T
    Nas linhas de pontuações muito baixas apareceu NaN: o máximo subtraído é o da matriz inteira, e elas viraram 0/0.
    Subtraia o máximo de cada linha, como na sua softmax da lista 02.
softmax-nas-colunas: softmax(Q @ K.T / divisor) → softmax(Q @ K.T / divisor, 0)
    A softmax foi feita nas colunas. Cada linha é de uma consulta, e é ela que soma 1.
maior-menos-menor: em_ordem[:, -2] → em_ordem[:, 0]
    Você subtraiu o menor peso do maior. A vantagem é sobre o segundo maior. Veja a Dica 2.
so-o-maior: em_ordem[:, -1] - em_ordem[:, -2] → em_ordem[:, -1]
    Isto é o maior peso, em média. Falta subtrair dele o segundo maior.
maior-menos-a-media: em_ordem[:, -2] → A.mean(axis=1)
    Você subtraiu do maior peso a média da linha. A vantagem é sobre o segundo maior.
os-dois-menores: em_ordem[:, -1] - em_ordem[:, -2] → em_ordem[:, 1] - em_ordem[:, 0]
    Você comparou os dois menores pesos. np.sort põe os números do menor para o maior, e os dois maiores ficam no fim.
sinal-trocado: em_ordem[:, -1] - em_ordem[:, -2] → em_ordem[:, -2] - em_ordem[:, -1]
    O sinal está trocado. É o maior menos o segundo, um número que nunca é negativo.
sem-ordenar: em_ordem[:, -1] - em_ordem[:, -2] → A[:, 0] - A[:, 1]
    Você subtraiu a segunda coluna da primeira. Os dois maiores pesos podem estar em quaisquer colunas. Veja a Dica 2.
os-dois-do-fim-sem-ordenar: np.sort(A, axis=1) → A
    Você pegou as duas últimas colunas sem ordenar. Os dois maiores pesos de uma linha podem estar em quaisquer colunas.
    Ordene cada linha antes. Veja a Dica 2.
razao: em_ordem[:, -1] - em_ordem[:, -2] → em_ordem[:, -1] / em_ordem[:, -2]
    Você dividiu o maior pelo segundo. A vantagem é a diferença entre eles.
soma-em-vez-de-media: .mean() → .sum()
    Você somou as vantagens das linhas. Falta dividir pelo número de linhas.
mediana: (em_ordem[:, -1] - em_ordem[:, -2]).mean() → np.median(em_ordem[:, -1] - em_ordem[:, -2])
    Saiu a mediana das vantagens. O enunciado pede a média.
so-a-primeira-linha: (em_ordem[:, -1] - em_ordem[:, -2]).mean() → (em_ordem[0, -1] - em_ordem[0, -2])
    Só a primeira linha entrou. Faça a média das vantagens de todas. O return está dentro do laço?
um-por-linha: np.diff(np.sort(softmax(Q @ K.T / divisor), axis=1), axis=1)[:, -1]
    Você devolveu um número para cada linha. Falta o último passo, a média deles.
os-dois-maiores-de-tudo: np.sort(A, axis=1) → np.sort(A, axis=None)[None]
    Você pegou os dois maiores pesos da matriz inteira. Compare dentro de cada linha, e depois tire a média.
pelas-colunas: np.sort(A, axis=1) → np.sort(A, axis=0).T
    Você ordenou cada coluna. A disputa é dentro de cada linha, que é de uma consulta.
so-consultas: Q @ K.T → Q @ Q.T
    A conta é de Q com Q. As consultas se comparam com as chaves, K.
arredondado: return float( → return round(1.0 * (
        .mean()) → .mean()), 2)
    Sua resposta foi arredondada para duas casas. Devolva a média como ela saiu da conta.
""")


@q.equivoco
def salta_os_empates(Q, K, divisor):
    """Quando duas chaves empatam em primeiro, você saltou as duas e comparou com a terceira. O segundo maior pode ser
    igual ao maior, e aí a vantagem é 0."""
    A = softmax(Q @ K.T / divisor)
    maior = A.max(axis=1, keepdims=True)
    resto = np.where(np.isclose(A, maior), 0, A)
    return float((maior[:, 0] - resto.max(axis=1)).mean())


@q.alternativa
def com_lacos(Q, K, divisor):
    vantagens = []
    for q in Q:
        s = np.array([float(q @ k) for k in K]) / divisor
        pesos = sorted(softmax(s), reverse=True)
        vantagens.append(float(pesos[0] - pesos[1]))
    return sum(vantagens) / len(vantagens)


@q.alternativa
def tira_o_maior(Q, K, divisor):
    A = softmax(np.einsum("nd,md->nm", Q, K) / divisor)
    maior = A.max(axis=1)
    A[np.arange(len(A)), A.argmax(axis=1)] = 0
    return (maior - A.max(axis=1)).mean()


@q.alternativa
def com_torch_float32(Q, K, divisor):
    Q, K = torch.tensor(Q, dtype=torch.float32), torch.tensor(K, dtype=torch.float32)
    maiores = torch.softmax(Q @ K.T / divisor, dim=-1).topk(2, dim=-1).values
    return (maiores[:, 0] - maiores[:, 1]).mean()


q.alternativas_curtas("""
com-partition: np.diff(np.partition(softmax(Q @ K.T / divisor), -2, axis=1)[:, -2:], axis=1).mean()
divide-antes: np.diff(np.sort(softmax((Q / divisor) @ K.T), axis=-1), axis=-1)[:, -1].mean()
media-por-media: (em_ordem[:, -1] - em_ordem[:, -2]).mean() → em_ordem[:, -1].mean() - em_ordem[:, -2].mean()
float32: vantagem(Q.astype(np.float32), K.astype(np.float32), np.float32(divisor))
""")
