"""A questão `media_uniforme_causal` da lista 09."""

import numpy as np
import torch
import torch.nn.functional as F

from gabarito.base import caso, questao


def media_uniforme_causal(X):
    T = X.shape[1]
    return X.cumsum(dim=1) / torch.arange(1, T + 1)[:, None]


def _X(rng, *forma):
    return torch.tensor(rng.normal(size=forma) + 0.3, dtype=torch.float32)


def ocultos(rng):
    return [
        caso(_X(rng, 2, 5, 3)),
        caso(_X(rng, 3, 4, 6)),
        caso(_X(rng, 1, 7, 2)),
        caso(_X(rng, 4, 1, 3)),
        caso(_X(rng, 2, 3, 1)),
        caso(_X(rng, 3, 11, 4)),
        caso(_X(rng, 5, 2, 4)),
        caso(_X(rng, 4, 4, 4)),
    ]


q = questao(
    "lista-09/media_uniforme_causal",
    assinatura="media_uniforme_causal(X)",
    saida="array",
    referencia=media_uniforme_causal,
    casos=[
        caso(
            torch.tensor([[[2.0, 0.0], [4.0, 1.0], [0.0, 5.0]], [[1.0, -3.0], [3.0, 1.0], [8.0, 2.0]]]),
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(
            torch.tensor([[[0.5, -1.2, 0.8], [1.5, 0.4, -0.6], [0.2, 1.1, -0.4], [-0.9, 0.7, 1.3], [2.1, -0.5, 0.3]]]),
            rotulo="um texto de cinco posições",
        ),
        caso(
            torch.tensor([[[0.4], [1.2]], [[-1.1], [0.2]], [[1.5], [-0.2]], [[0.7], [1.4]]]),
            rotulo="quatro textos de duas posições, d = 1",
        ),
        caso(torch.tensor([[[0.5, -0.2, 0.9, 1.7]], [[0.3, 0.8, -0.6, 0.1]]]), rotulo="uma posição só"),
        caso(
            (torch.arange(3 * 7 * 2).reshape(3, 7, 2) * 37 % 23 - 9).float() / 8,
            rotulo="três textos de sete posições",
        ),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
divide-por-T: X.cumsum(dim=1) / X.shape[1]
    Você dividiu sempre por T. A posição t (a partir de 0) vê t + 1 posições, e é por esse número que se divide: a
    primeira fica igual a ela mesma. Veja a Dica 2.
acumula-no-lote-sem-dividir: X.cumsum(dim=0)
    São dois erros: você somou ao longo do lote (o eixo 0), e o passado está no eixo 1; e falta dividir pelo número de
    posições somadas.
sem-dividir: X.cumsum(dim=1)
    Isto é a soma do passado, que só cresce. Falta dividir pelo número de posições somadas. Veja a Dica 1.
media-da-frase-inteira: X.mean(dim=1, keepdim=True).expand_as(X)
    Todas as posições receberam a média da frase inteira, futuro incluído. Cada uma só pode ver até ela mesma.
media-do-futuro: .cumsum → .flip(1).cumsum
        dim=1 → dim=1).flip(1
        .arange(1, T + 1) → .arange(T, 0, -1)
    Você fez a média de cada posição com as seguintes: o triângulo é o outro. Aqui só o passado conta.
acumula-no-lote: X.cumsum(dim=0) / torch.arange(1, len(X) + 1)[:, None, None]
    A média andou ao longo do lote (eixo 0), misturando textos diferentes. O tempo é o eixo 1.
acumula-nas-componentes: X.cumsum(dim=2) / torch.arange(1, X.shape[2] + 1)
    A média andou ao longo das componentes (o último eixo). O tempo é o eixo 1, o do meio.
soma-no-lote: dim=1 → dim=0
    Você somou ao longo dos textos do lote (eixo 0), misturando textos diferentes. O tempo é o eixo 1.
soma-nas-componentes: dim=1 → dim=2
    Você somou ao longo das componentes (o último eixo). O tempo é o eixo 1, o do meio.
divide-por-t: X.cumsum(dim=1) / torch.arange(X.shape[1])[:, None]
    Você dividiu por t, e não por t + 1: contando a partir de 0, a primeira posição é dividida por zero.
divide-por-t-mais-2: X.cumsum(dim=1) / torch.arange(2, X.shape[1] + 2)[:, None]
    O denominador está uma unidade grande demais: a primeira posição deve ser dividida por 1.
janela-de-duas: T = X.shape[1] → anterior = torch.cat([X[:, :1], X[:, :-1]], dim=1)
        X.cumsum(dim=1) / torch.arange(1, T + 1)[:, None] → (X + anterior) / 2
    Cada posição foi misturada só com a anterior. A média é de todo o passado, desde a posição 0.
softmax-de-zeros-e-uns:
        X.cumsum(dim=1) / torch.arange(1, T + 1)[:, None] → torch.softmax(torch.ones(T, T).tril(), dim=-1) @ X
    Você aplicou a softmax a uma matriz de zeros e uns: e⁰ = 1, e o futuro ainda recebe peso. Ou se esconde com −∞ antes
    da softmax, ou se divide o triângulo pela soma de cada linha.
normaliza-as-colunas-do-triangulo: T = X.shape[1] → W = torch.ones(X.shape[1], X.shape[1]).tril()
        X.cumsum(dim=1) / torch.arange(1, T + 1)[:, None] → (W / W.sum(dim=0, keepdim=True)) @ X
    O triângulo foi dividido pela soma das colunas. Cada linha de pesos é de uma posição, e é ela que soma 1.
so-a-ultima: X.mean(dim=1)
    Você devolveu uma média só por texto. O enunciado pede uma para cada posição, (B, T, d).
media-de-medias: T = X.shape[1] → divisor = torch.arange(1, X.shape[1] + 1)[:, None]
        X.cumsum → (X.cumsum
        torch.arange(1, T + 1)[:, None] → divisor).cumsum(dim=1) / divisor
    Você fez a média das médias: a cada passo, o acumulado já dividido foi somado e dividido outra vez.
primeira-posicao-sem-ninguem: torch.stack([X[:, :t].mean(dim=1) for t in range(X.shape[1])], dim=1)
    A primeira posição deu NaN: sua média deixa de fora o presente, e ela ficou sem ninguém para olhar (0/0). A posição
    t vê de 0 até t, inclusive: X[:, : t + 1], ou tril sem deslocar.
divide-as-colunas-do-triangulo: X.cumsum → (torch.ones
        dim=1 → T, T).tril(
        torch.arange(1, T + 1)[:, None] → torch.arange(1, T + 1)) @ X
    Cada parcela foi dividida pelo lugar dela (1, 2, …, T), e não pelo da linha em que se soma. Some primeiro, e depois
    divida a linha t por t + 1.
mistura-os-textos-do-lote: T = X.shape[1] → medias = [X[:, : t + 1].mean(dim=(0, 1)) for t in range(X.shape[1])]
        X.cumsum(dim=1) / torch.arange(1, T + 1)[:, None] → torch.stack(medias).expand_as(X)
    A média juntou os textos do lote: todos saíram iguais. Cada texto só olha para si mesmo; a média é no eixo 1.
atencao-com-pontuacoes: F.scaled_dot_product_attention(X, X, X, is_causal=True)
    Os pesos vêm de pontuações entre os próprios tokens: é a atenção de verdade. Aqui todos os pesos são iguais, seja
    qual for o conteúdo.
divisao-inteira: .cumsum(dim=1) / torch → .cumsum(dim=1) // torch
    As médias perderam as casas decimais: `//` é a divisão inteira. A divisão é `/`.
so-a-primeira-posicao: torch.cat([X[:, :1], torch.zeros_like(X[:, 1:])], dim=1)
    Só a primeira posição foi preenchida; as outras ficaram em zero. O return está dentro do laço?
divisor-sem-eixo: [:, None] →
    Os números 1, 2, …, T foram alinhados com as componentes, o último eixo. Quem tem t + 1 parcelas é a posição t: dê
    ao vetor a forma (T, 1).
sem-o-presente: (X.cumsum(dim=1) - X) / torch.arange(X.shape[1]).clamp(min=1)[:, None]
    Sua média deixa de fora a própria posição. O presente conta: a posição t vê de 0 até t, inclusive.
""")


@q.equivoco
def media_exponencial(X):
    """Sua média dá metade do peso ao presente e a outra metade ao acumulado: o passado distante quase some. Aqui todos
    pesam o mesmo."""
    Y = [X[:, 0]]
    for t in range(1, X.shape[1]):
        Y.append((Y[-1] + X[:, t]) / 2)
    return torch.stack(Y, dim=1)


@q.equivoco
def mascara_invertida(X):
    """Sua máscara esconde o passado e o presente, e a última posição, sem ninguém à vista, deu NaN. Quem se esconde é o
    futuro: triu(1)."""
    T = X.shape[1]
    S = torch.zeros(T, T).masked_fill(torch.ones(T, T).tril().bool(), float("-inf"))
    return torch.softmax(S, dim=-1) @ X


@q.equivoco
def menos_infinito_vezes_zero(X):
    """Há NaN em tudo: −inf vezes 0 não é número. Em vez de multiplicar uma matriz de zeros e uns por −inf, troque o
    valor onde ela é 1 (masked_fill ou where)."""
    T = X.shape[1]
    return torch.softmax(torch.ones(T, T).triu(1) * float("-inf"), dim=-1) @ X


@q.equivoco
def media_do_que_ja_e_media(X):
    """Você escreveu cada média no lugar do original e a usou na média seguinte. Leia sempre de X e escreva em outro
    tensor."""
    Y = X.clone()
    for t in range(1, X.shape[1]):
        Y[:, t] = Y[:, : t + 1].mean(dim=1)
    return Y


@q.equivoco
def altera_a_entrada(X):
    return X.cumsum_(dim=1) / torch.arange(1, X.shape[1] + 1)[:, None]


@q.alternativa
def softmax_com_menos_infinito(X):
    T = X.shape[1]
    S = torch.zeros(T, T).masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(S, dim=-1) @ X


@q.alternativa
def com_lacos(X):
    Y = torch.empty_like(X)
    for b in range(X.shape[0]):
        for t in range(X.shape[1]):
            Y[b, t] = X[b, : t + 1].mean(dim=0)
    return Y


@q.alternativa
def einsum_em_float64(X):
    T = X.shape[1]
    t = torch.arange(T)
    W = (t[:, None] >= t[None, :]).double() / (t[:, None] + 1)
    return torch.einsum("ts,bsc->btc", W, X.double())


@q.alternativa
def com_numpy(X):
    A = X.numpy()
    return np.cumsum(A, axis=1) / np.arange(1, A.shape[1] + 1).reshape(1, -1, 1)


@q.alternativa
def atencao_de_pontuacoes_zero(X):
    zeros = torch.zeros(X.shape[0], X.shape[1], 1)
    return F.scaled_dot_product_attention(zeros, zeros, X, is_causal=True)


@q.alternativa
def media_corrida(X):
    Y = [X[:, 0]]
    for t in range(1, X.shape[1]):
        Y.append(Y[-1] + (X[:, t] - Y[-1]) / (t + 1))
    return torch.stack(Y, 1)


q.alternativas_curtas("""
triangulo-vezes-X: T = X.shape[1] → W = torch.tril(torch.ones(X.shape[1], X.shape[1]))
        X.cumsum(dim=1) / torch.arange(1, T + 1)[:, None] → (W / W.sum(dim=1, keepdim=True)) @ X
""")
