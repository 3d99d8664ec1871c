"""A questão `pontuacao_sumidouro` da lista 10."""

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao
from gabarito.lista_10.comum import UMA_CABECA, fatia, ocultos_de_uma_cabeca, sortear_pesos


def pontuacao_sumidouro(A):
    return float(A.double()[1:, 0].mean())


q = questao(
    "lista-10/pontuacao_sumidouro",
    assinatura="pontuacao_sumidouro(A)",
    saida="float",
    referencia=pontuacao_sumidouro,
    casos=[
        caso(UMA_CABECA, claro=True, rotulo="o exemplo do enunciado"),
        caso(sortear_pesos(np.random.default_rng(41), 6, 6), rotulo="seis tokens, com máscara causal"),
        caso(
            sortear_pesos(np.random.default_rng(42), 5, 5, causal=False), rotulo="sem máscara, como em um codificador"
        ),
        caso(fatia("sumidouro"), rotulo="a cabeça (16, 4) do SmolLM2"),
        caso(fatia("anterior"), rotulo="a cabeça (16, 0) do SmolLM2"),
        caso(sortear_pesos(np.random.default_rng(43), 2, 2, causal=False), rotulo="dois tokens"),
    ],
    ocultos=ocultos_de_uma_cabeca,
    propriedades=["entre-0-e-1"],
)

q.equivocos_curtos("""
conta-o-token-0: float(A.double()[:, 0].mean())
    Você contou também A[0, 0]. Com máscara, o token 0 só pode olhar para si mesmo: o peso dele é sempre 1 e infla a
    média. Comece em t = 1.
linha-em-vez-de-coluna: float(A.double()[0, 1:].mean())
    Você mediu a linha 0: para onde o primeiro token olha. O sumidouro é a coluna 0: quem olha para o primeiro token.
    Veja a Dica 1.
linha-0-inteira: float(A.double()[0].mean())
    Sua média é sempre 1/T: é a de linhas inteiras, que somam 1. O sumidouro é a coluna 0, sem a primeira casa.
ultima-coluna: float(A.double()[1:, -1].mean())
    Você mediu a última coluna. O sumidouro é o primeiro token, a coluna 0.
segunda-coluna: float(A.double()[1:, 1].mean())
    Você mediu a coluna 1. O primeiro token é a coluna 0.
divide-por-T: float(A.double()[1:, 0].sum() / len(A))
    A soma está certa, mas você a dividiu por T. Sem o token 0, são T − 1 parcelas.
soma-sem-media: float(A.double()[1:, 0].sum())
    Isto é a soma da coluna 0 a partir de t = 1. Falta dividir pela quantidade: é uma média.
o-maior-peso: float(A.double()[1:, 0].max())
    Você pegou o maior peso da coluna 0, e não a média deles.
so-o-token-1: float(A[1, 0])
    Você pegou só A[1, 0], o peso que o token 1 dá ao 0. A nota é a média de todos os tokens a partir dele.
fracao-acima-da-metade: float((A.double()[1:, 0] > 0.5).double().mean())
    Você contou em que fração das linhas o peso no token 0 passa de 0,5. O que se pede é a média dos próprios pesos.
fracao-das-linhas: float((A[1:].argmax(dim=1) == 0).double().mean())
    Você contou em que fração das linhas o maior peso está no token 0. O que se pede é a média dos próprios pesos.
comeca-em-2: float(A.double()[2:, 0].sum() / max(1, len(A) - 2))
    Você começou em t = 2. O token 1 também conta: são as linhas de 1 até o fim.
token-anterior: float(torch.diagonal(A.double(), -1).mean())
    Isto é a pontuação de token anterior. No sumidouro a coluna não muda: é sempre a 0.
sem-a-ultima-linha: float(A.double()[1:-1, 0].sum() / max(1, len(A) - 2))
    A última linha ficou de fora. São as linhas de t = 1 até T − 1, inclusive.
devolve-a-coluna: A.double()[1:, 0]
    Você devolveu a coluna inteira. Falta a média: o resultado é um número só.
divisao-inteira: 0.0
    A nota da cabeça deu 0: há uma divisão inteira (`//`) ou um int() na conta. A divisão é `/`.
soma-a-primeira-tambem: float(A.double()[:, 0].sum() / (len(A) - 1))
    O divisor está certo, T − 1, mas a soma inclui A[0, 0]. Comece em t = 1.
pula-a-ultima-e-nao-a-primeira: float(A.double()[:-1, 0].mean())
    A linha que ficou de fora é a última, e devia ser a primeira: t vai de 1 a T − 1.
""")


@q.alternativa
def laco(A):
    pesos = [float(linha[0]) for linha in A[1:]]
    return sum(pesos) / len(pesos)


q.alternativas_curtas("""
float32: A[1:, 0].mean().item()
desconta-a-primeira: (A[:, 0].sum() - A[0, 0]) / (A.shape[0] - 1)
transposta: A.T[0][1:].mean()
numpy: np.average(np.asarray(A)[1:, 0])
""")
