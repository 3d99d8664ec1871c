"""A questão `pontuacao_token_anterior` da lista 10."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_10.comum import UMA_CABECA, fatia, ocultos_de_uma_cabeca, sortear_pesos


def pontuacao_token_anterior(A):
    return float(torch.diagonal(A.double(), -1).mean())


q = questao(
    "lista-10/pontuacao_token_anterior",
    assinatura="pontuacao_token_anterior(A)",
    saida="float",
    referencia=pontuacao_token_anterior,
    casos=[
        caso(UMA_CABECA, claro=True, rotulo="o exemplo do enunciado"),
        caso(sortear_pesos(np.random.default_rng(31), 6, 6), rotulo="seis tokens, com máscara causal"),
        caso(
            sortear_pesos(np.random.default_rng(32), 5, 5, causal=False), rotulo="sem máscara, como em um codificador"
        ),
        caso(fatia("anterior"), rotulo="a cabeça (16, 0) do SmolLM2"),
        caso(fatia("sumidouro"), rotulo="a cabeça (16, 4) do SmolLM2"),
        caso(sortear_pesos(np.random.default_rng(33), 2, 2, causal=False), rotulo="dois tokens"),
    ],
    ocultos=ocultos_de_uma_cabeca,
    propriedades=["entre-0-e-1"],
)

q.equivocos_curtos("""
token-seguinte: float(torch.diagonal(A.double(), 1).mean())
    Você mediu o peso no token seguinte, A[t, t + 1], na diagonal de cima (linha e coluna trocadas?). O token anterior
    está na diagonal de baixo, A[t, t − 1].
si-mesmo: float(torch.diagonal(A.double()).mean())
    Você mediu a diagonal principal, o peso que cada token dá a si mesmo. A do token anterior é a de baixo.
dois-atras: float(torch.diagonal(A.double(), -2).sum() / max(1, len(A) - 2))
    Você andou duas casas para trás, A[t, t − 2]. O token anterior está a uma.
divide-por-T: float(torch.diagonal(A.double(), -1).sum() / len(A))
    A soma está certa, mas você a dividiu por T. O token 0 não tem anterior: são T − 1 parcelas.
soma-sem-media: float(torch.diagonal(A.double(), -1).sum())
    Isto é a soma dos pesos no token anterior. Falta dividir pela quantidade: é uma média.
o-maior-peso: float(torch.diagonal(A.double(), -1).max())
    Você pegou o maior peso no token anterior, e não a média de todos.
pula-o-primeiro: float(torch.diagonal(A.double(), -1)[1:].sum() / max(1, len(A) - 2))
    Você começou em t = 2. O token 1 também tem anterior, o 0: ele conta.
so-o-token-1: float(A[1, 0])
    Você pegou só A[1, 0], o peso que o token 1 dá ao 0. A nota é a média de todos os tokens a partir dele.
return-no-laco: float(A[1, 0]) / (len(A) - 1)
    Só o primeiro peso entrou na soma. Há um return dentro do laço?
sem-a-ultima-linha: float(torch.diagonal(A.double(), -1)[:-1].sum() / (len(A) - 1))
    O último token ficou de fora da soma. O t vai de 1 até T − 1, inclusive: range(1, T).
sumidouro: float(A.double()[1:, 0].mean())
    Você mediu a coluna 0, o peso no primeiro token: essa é a questão 5. O anterior de t está na coluna t − 1.
todo-o-passado: float(torch.tril(A.double(), -1).sum() / (len(A) - 1))
    Você somou todo o passado de cada token. Só a casa t − 1 conta.
media-da-matriz: float(torch.diagonal(A.double(), -1).sum() / A.numel())
    Você pôs zero fora da diagonal e tirou a média da matriz inteira, T × T casas. Divida só pelas T − 1 que contam.
devolve-o-vetor: torch.diagonal(A.double(), -1)
    Você devolveu um peso para cada token. Falta a média: o resultado é um número só.
divisao-inteira: 0.0
    A nota da cabeça deu 0: há uma divisão inteira (`//`) ou um int() na conta. A divisão é `/`.
so-o-ultimo: float(A[-1, -2]) / (len(A) - 1)
    Só o último peso ficou na soma: a cada volta do laço, o anterior se perde. Acumule, com +=.
parenteses-no-divisor: float(torch.diagonal(A.double(), -1).sum() / len(A) - 1)
    Faltam parênteses no divisor: você dividiu por T e depois subtraiu 1. São T − 1 parcelas.
da-a-volta-com-o-divisor-certo: float(sum(A.double()[t, t - 1] for t in range(len(A))) / (len(A) - 1))
    Na soma entrou t = 0, em que t − 1 é −1 e A[0, −1] é o último token. Comece em t = 1.
conta-as-linhas: float((A[1:].argmax(dim=1) == torch.arange(len(A) - 1)).double().mean())
    Você contou em que fração das linhas o maior peso está no token anterior. O que se pede é a média dos próprios
    pesos.
""")


@q.equivoco
def da_a_volta(A):
    """Com t = 0, o índice t − 1 é −1, e A[0, −1] é o último token: a conta deu a volta. Comece em t = 1. Veja a Dica
    2."""
    A = A.double()
    return float(sum(A[t, t - 1] for t in range(len(A))) / len(A))


@q.alternativa
def laco(A):
    soma = 0.0
    for t in range(1, len(A)):
        soma += float(A[t, t - 1])
    return soma / (len(A) - 1)


q.alternativas_curtas("""
diagonal-float32: A.diagonal(-1).mean().item()
indices: return float(torch.diagonal(A.double(), -1).mean()) → t = torch.arange(1, A.shape[0])⏎return A[t, t - 1].mean()
traco: torch.trace(A[1:, :-1]) / (A.shape[0] - 1)
numpy: np.mean(np.diag(A.numpy(), k=-1))
""")
