"""A questão `pontuacao_inducao` da lista 10."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_10.comum import fatia, sortear_pesos


def pontuacao_inducao(A, n):
    t = torch.arange(n, 2 * n)
    return float(A.double()[t, t - n + 1].mean())


def ocultos(rng):
    n = int(rng.integers(4, 7))
    return [
        caso(sortear_pesos(rng, 2 * n, 2 * n), n),
        caso(sortear_pesos(rng, 9, 9, causal=False), 3),
        caso(sortear_pesos(rng, 13, 13), 4),
        caso(sortear_pesos(rng, 10, 10, causal=False), 5),
        caso(sortear_pesos(rng, 4, 4, causal=False), 2),
        caso(sortear_pesos(rng, 7, 7), 2),
    ]


_DUAS_COPIAS = torch.tensor(
    [
        [1, 0, 0, 0, 0, 0],
        [0.5, 0.5, 0, 0, 0, 0],
        [0.25, 0.5, 0.25, 0, 0, 0],
        [0.125, 0.75, 0, 0.125, 0, 0],
        [0, 0.25, 0.5, 0.125, 0.125, 0],
        [0.25, 0, 0.125, 0.25, 0.25, 0.125],
    ]
)

q = questao(
    "lista-10/pontuacao_inducao",
    assinatura="pontuacao_inducao(A, n)",
    saida="float",
    referencia=pontuacao_inducao,
    casos=[
        caso(_DUAS_COPIAS, 3, claro=True, rotulo="o exemplo do enunciado"),
        caso(sortear_pesos(np.random.default_rng(51), 8, 8), 4, rotulo="quatro tokens, duas vezes"),
        caso(fatia("inducao"), 5, rotulo="a cabeça (18, 6) do SmolLM2"),
        caso(sortear_pesos(np.random.default_rng(52), 9, 9), 3, rotulo="há três tokens depois da segunda cópia"),
        caso(sortear_pesos(np.random.default_rng(53), 4, 4, causal=False), 2, rotulo="n = 2, sem máscara"),
        caso(sortear_pesos(np.random.default_rng(54), 11, 11, causal=False), 4, rotulo="n = 4, T = 11, sem máscara"),
    ],
    ocultos=ocultos,
    propriedades=["entre-0-e-1"],
)


def _media_em(A, linhas, desvio):
    """A média de A[t, t − desvio] nas linhas dadas; os índices negativos dão a volta, como no Python."""
    A = A.double()
    return float(sum(A[t, t - desvio] for t in linhas) / len(linhas))


q.equivocos_curtos("""
o-proprio-token: _media_em(A, range(n, 2 * n), n)
    Você mediu A[t, t − n]: a mesma palavra na primeira cópia. A cabeça de indução olha para a que veio DEPOIS dela, uma
    casa à direita. Veja a Dica 1.
uma-casa-antes: _media_em(A, range(n, 2 * n), n + 1)
    Você mediu A[t, t − n − 1], o token que veio antes. A coluna certa é t − n + 1: confira o sinal e os parênteses.
uma-casa-depois: _media_em(A, range(n, 2 * n), n - 2)
    Você mediu A[t, t − n + 2], uma casa além. Na posição t, o token igual está em t − n, e o seguinte em t − n + 1.
comeca-uma-linha-antes: _media_em(A, range(n - 1, 2 * n), n - 1)
    Você incluiu t = n − 1, a última linha da primeira cópia. A segunda cópia começa em t = n.
comeca-uma-linha-depois: _media_em(A, range(n + 1, 2 * n), n - 1)
    Você pulou t = n. O primeiro token da segunda cópia também conta: ele já pode achar o seu igual.
pula-a-ultima-linha: _media_em(A, range(n, 2 * n - 1), n - 1)
    Faltou a última linha: t vai de n até 2n − 1, inclusive.
vai-ate-o-fim: _media_em(A, range(n, len(A)), n - 1)
    Você foi até a última linha de A. Pode haver tokens depois da segunda cópia, e eles não contam: pare em 2n − 1.
a-diagonal-inteira: float(torch.diagonal(A.double(), -(n - 1)).mean())
    Você usou a diagonal inteira, que começa na primeira cópia e vai até o fim. Só contam as linhas de n a 2n − 1.
uma-linha-antes: _media_em(A, range(n - 1, 2 * n - 1), n - 1)
    São n casas da diagonal certa, mas começam na linha n − 1, que é da primeira cópia. As linhas vão de n a 2n − 1.
as-ultimas-n-linhas: _media_em(A, range(len(A) - n, len(A)), n - 1)
    Você mediu as últimas n linhas de A. Pode haver tokens depois da segunda cópia: ela vai de n a 2n − 1.
o-bloco-inteiro: float(A.double()[n : 2 * n, 1 : n + 1].mean())
    Você fez a média do bloco inteiro, de todas as linhas com todas as colunas. Só conta uma casa de cada linha: a
    coluna t − n + 1. Veja a Dica 2.
divide-por-T: pontuacao_inducao(A, n) * n / len(A)
    A soma está certa, mas você a dividiu por T. São n parcelas, uma para cada token da segunda cópia.
soma-sem-media: pontuacao_inducao(A, n) * n
    Isto é a soma. Falta dividir por n: é uma média.
linha-e-coluna-trocadas: pontuacao_inducao(A.T, n)
    Linha e coluna estão trocadas: você mediu A[t − n + 1, t], o que a primeira cópia dá à segunda. Quem olha é a linha.
primeira-copia: _media_em(A, range(n), n - 1)
    Você percorreu a primeira cópia (t de 0 a n − 1); os índices negativos deram a volta sem avisar. A segunda vai de n
    a 2n − 1.
metade-de-T: pontuacao_inducao(A, len(A) // 2)
    Você usou a metade de T no lugar de n. São iguais quando não há nada depois da segunda cópia, e só então.
o-maior-peso: .mean → .max
    Você pegou o maior peso, e não a média deles.
token-anterior: _media_em(A, range(n, 2 * n), 1) if n != 2 else float(torch.diagonal(A.double(), -1).mean())
    Isto é a pontuação de token anterior, A[t, t − 1]. A indução salta para a primeira cópia: A[t, t − n + 1].
devolve-o-vetor: float(A.double()[t, t - n + 1].mean()) → A.double()[t, t - n + 1]
    Você devolveu um peso para cada token. Falta a média: o resultado é um número só.
divisao-inteira: 0.0
    A nota da cabeça deu 0: há uma divisão inteira (`//`) ou um int() na conta. A divisão é `/`.
divide-por-2n: pontuacao_inducao(A, n) / 2
    A soma está certa, mas você a dividiu por 2n. São n parcelas, uma para cada token da segunda cópia.
return-no-laco: float(A[n, 1]) / n
    Só o primeiro peso entrou na soma. O return está dentro do laço?
so-o-ultimo: float(A[2 * n - 1, n]) / n
    Só o último peso ficou na soma: a cada volta do laço, o anterior se perde. Acumule, com +=.
""")


@q.alternativa
def laco(A, n):
    soma = 0.0
    for t in range(n, 2 * n):
        soma += A[t, t - n + 1].item()
    return soma / n


q.alternativas_curtas("""
indices-float32: float(A.double()[t, t - n + 1].mean()) → A[t, t - n + 1].mean().item()
diagonal-cortada: A.diagonal(1 - n)[1 : n + 1].mean()
bloco: torch.trace(A[n : 2 * n, 1 : n + 1]) / n
numpy: np.asarray(A)[np.arange(n, 2 * n), np.arange(1, n + 1)].mean()
""")
