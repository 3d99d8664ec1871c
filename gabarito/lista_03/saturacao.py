"""A questão `saturacao` da lista 03."""

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao
from gabarito.lista_03.comum import A1, A2, A4, A5, A6, A7, A8, A9, ocultos_saturacao

_A3 = np.full((3, 5), 0.2)  # (3, 5)


def saturacao(A):
    return float(A.max(axis=1).mean())


q = questao(
    "lista-03/saturacao",
    assinatura="saturacao(A)",
    saida="float",
    referencia=saturacao,
    casos=[
        caso(A1, claro=True, rotulo="o exemplo do enunciado"),
        caso(A2, rotulo="5 consultas, 4 chaves"),
        caso(_A3, rotulo="pesos uniformes"),
        caso(A4, rotulo="uma linha já saturada"),
        caso(A5, rotulo="uma consulta só"),
        caso(A6, rotulo="tantas consultas quanto chaves, N = M = 3"),
        caso(A7, rotulo="uma chave só"),
        caso(A8, rotulo="a forma do exemplo, com outros números"),
        caso(A9, rotulo="16 chaves, pesos quase iguais"),
    ],
    ocultos=ocultos_saturacao,
)

q.equivocos_curtos("""
maximo-das-colunas: float(A.max(axis=0).mean())
    Você pegou o maior peso de cada coluna. A pergunta é quanto cada consulta se concentra: o maior de cada linha. Veja
    a Dica 2.
maximo-de-tudo: float(A.max())
    Você devolveu o maior peso da matriz inteira. Pegue o maior de cada linha e depois a média deles. Veja a Dica 1.
media-de-tudo: float(A.mean())
    Você tirou a média de todos os pesos, que dá sempre 1/M, pois cada linha soma 1. Falta o máximo de cada linha.
media-das-posicoes: float(A.argmax(axis=1).mean())
    Saiu a média das posições (argmax): ela diz onde está o maior peso, e não quanto ele vale.
menor-peso: float(A.min(axis=1).mean())
    Você usou o menor peso de cada linha; a saturação é medida pelo maior.
soma-em-vez-de-media: float(A.max(axis=1).sum())
    Você somou os maiores pesos das linhas. Falta dividir pelo número de linhas: a resposta fica entre 1/M e 1.
divide-pelas-colunas: float(A.max(axis=1).sum() / A.shape[1])
    A soma dos maiores pesos foi dividida pelo número de chaves. É uma média sobre as consultas: divida pelo número de
    linhas.
um-por-linha: A.max(axis=1)
    Você devolveu um número por linha. Falta o último passo: a média deles, um número só.
mediana: float(np.median(A.max(axis=1)))
    Saiu a mediana dos maiores pesos. O enunciado pede a média.
diagonal: float(np.diagonal(A).mean())
    Você tirou a média da diagonal: quanto cada consulta olha para a chave de mesmo índice. O maior peso da linha pode
    estar em qualquer coluna.
maior-menos-menor: float((A.max(axis=1) - A.min(axis=1)).mean())
    Você subtraiu o menor peso do maior, linha a linha. A saturação desta lista é só o maior.
so-a-primeira-linha: float(A[0].max())
    Só a primeira linha foi usada. Faça a média sobre todas as consultas.
arredondado-em-2-casas: round(float(A.max(axis=1).mean()), 2)
    Sua resposta foi arredondada para duas casas. Devolva a média como ela saiu da conta; arredonde só para mostrar.
arredondado-em-3-casas: round(float(A.max(axis=1).mean()), 3)
    Sua resposta foi arredondada para três casas. Devolva a média como ela saiu da conta; arredonde só para mostrar.
os-N-maiores-da-matriz: float(np.sort(A.ravel())[-len(A) :].mean())
    Você ordenou a matriz inteira e ficou com os N maiores pesos. Podem vir dois da mesma linha: pegue um de cada.
repetidos-contam-uma-vez: float(np.unique(A.max(axis=1)).mean())
    Dois maiores pesos iguais contaram uma vez só na média (set ou np.unique?). Cada linha conta, mesmo repetida.
return-no-laco: float(A[0].max()) / len(A)
    Só a primeira linha entrou na soma. O return está dentro do laço?
media-antes-do-maximo: float(A.mean(axis=0).max())
    A média foi feita antes do máximo: saiu o maior peso médio de uma coluna. Primeiro o maior de cada linha, depois a
    média deles.
divisao-inteira: float(A.max(axis=1).sum() // len(A))
    Sua resposta perdeu as casas decimais: `//` é a divisão inteira. A divisão é `/`.
fracao-saturada: float((A.max(axis=1) > 0.5).mean())
    Você contou a fração das linhas cujo maior peso passa de 0,5. O que se pede é a média dos próprios maiores pesos.
""")


@q.alternativa
def com_lacos(A):
    maiores = [max(float(p) for p in linha) for linha in A]
    return sum(maiores) / len(maiores)


q.alternativas_curtas("""
com-indices: A[np.arange(len(A)), A.argmax(axis=1)].mean()
ordenando: np.sort(A, axis=-1)[:, -1].mean()
com-torch-float32: torch.tensor(A, dtype=torch.float32).amax(dim=-1).mean()
float32: np.mean(np.max(A.astype(np.float32), axis=-1))
""")
