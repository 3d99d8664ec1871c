"""A questão `juntar_cabecas` da lista 05."""

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao


def juntar_cabecas(H):
    h, N, d_h = H.shape
    return H.transpose(1, 0, 2).reshape(N, h * d_h)


def ocultos(rng):
    return [
        caso(rng.normal(size=(2, 5, 3))),
        caso(rng.normal(size=(4, 3, 2))),
        caso(rng.normal(size=(3, 2, 5))),
        caso(rng.normal(size=(5, 4, 3))),
        caso(rng.normal(size=(1, 4, 3))),
        caso(rng.normal(size=(3, 1, 4))),
        caso(rng.normal(size=(4, 6, 1))),
        caso(rng.normal(size=(4, 4, 3))),
        caso(rng.normal(size=(2, 1, 1))),
    ]


q = questao(
    "lista-05/juntar_cabecas",
    assinatura="juntar_cabecas(H)",
    saida="array",
    referencia=juntar_cabecas,
    casos=[
        caso(
            np.array([[[0.0, 1.0], [10.0, 11.0], [20.0, 21.0]], [[2.0, 3.0], [12.0, 13.0], [22.0, 23.0]]]),
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(
            np.array(
                [
                    [[0.2, 1.1, -0.4, 0.7], [1.3, -0.8, 0.5, 0.0]],
                    [[-0.1, 0.6, 0.9, -1.5], [0.8, -0.3, 1.2, 0.4]],
                    [[-0.9, 0.1, 0.3, 1.6], [0.5, 1.4, -0.7, -0.2]],
                ]
            ),
            rotulo="três cabeças de tamanho 4",
        ),
        caso(
            np.array(
                [
                    [[0.4, -0.5], [1.2, 0.9], [-0.6, 0.3]],
                    [[-1.1, 0.7], [0.2, 1.3], [0.8, -0.4]],
                    [[1.5, 0.1], [-0.2, 0.6], [1.7, -0.9]],
                    [[0.0, 1.8], [1.4, -1.3], [-0.7, 1.0]],
                ]
            ),
            rotulo="quatro cabeças de tamanho 2",
        ),
        caso(np.array([[[0.5, -0.2, 0.9], [0.3, 0.8, -0.6]]]), rotulo="uma cabeça só"),
        caso(np.array([[[0.5], [0.3], [-1.1]], [[0.8], [-0.6], [0.2]]]), rotulo="cabeças de tamanho 1"),
        caso(np.array([[[0.5, -0.2, 0.9]], [[0.3, 0.8, -0.6]]]), rotulo="um token só"),
        caso(
            np.array(
                [
                    [[0.1, 0.2], [1.1, 1.2], [2.1, 2.2]],
                    [[0.3, 0.4], [1.3, 1.4], [2.3, 2.4]],
                    [[0.5, 0.6], [1.5, 1.6], [2.5, 2.6]],
                ]
            ),
            rotulo="tantas cabeças quantos tokens",
        ),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
so-reshape: H.transpose(1, 0, 2).reshape → H.reshape
    A forma está certa, mas cada linha junta pedaços de tokens diferentes: o reshape leu a memória cabeça por cabeça.
    Antes dele, o eixo dos tokens precisa vir para a frente. Veja a Dica 1.
concatena-no-eixo-0: np.concatenate(list(H))
    As cabeças foram empilhadas, e a frase ficou h vezes mais comprida. Elas se juntam lado a lado: quem cresce é o
    último eixo, o das colunas. Veja a Dica 2.
media-das-cabecas: H.mean(axis=0)
    Você fez a média das cabeças. Assim o que uma viu se mistura ao que a outra viu; juntar é pôr lado a lado, sem
    perder nada.
soma-das-cabecas: H.sum(axis=0)
    Você somou as cabeças. Assim não dá mais para saber o que cada uma viu; juntar é pôr lado a lado.
intercala: .transpose(1, 0, 2) → .transpose(1, 2, 0)
    As colunas das cabeças saíram intercaladas. Primeiro vêm todas as da cabeça 0, depois todas as da cabeça 1, e assim
    por diante: veja a ordem dos eixos antes do reshape.
ordem-invertida: juntar_cabecas(H[::-1])
    As cabeças estão de trás para a frente: as primeiras colunas são da cabeça 0.
para-no-meio: H.transpose(1, 0, 2)
    Os eixos estão na ordem certa, (N, h, d_h), mas ainda são três. Falta fundir os dois últimos em um. Veja a Dica 3.
saida-transposta: juntar_cabecas(H).T
    A saída está deitada: cada linha deve ser um token, e cada coluna, uma componente de uma cabeça.
so-a-primeira: H[0].copy()
    Só a primeira cabeça chegou ao fim (um return dentro do laço?). As outras também contam.
transpoe-tudo: .transpose(1, 0, 2) → .T
    O `.T` de um array de três eixos inverte os três, e o reshape depois dele embaralha tudo. Diga em que ordem quer os
    eixos.
repete-a-primeira: np.concatenate([H[0] for _ in H], axis=-1)
    Todas as fatias da saída são iguais à cabeça 0. O índice da cabeça não está andando no seu laço.
maximo-das-cabecas: H.max(axis=0)
    Você ficou com o maior valor entre as cabeças. Juntar não escolhe: põe lado a lado.
squeeze: np.hstack(list(H)).squeeze()
    Com um token só, a saída perdeu o eixo dos tokens: um squeeze leva todo eixo de tamanho 1. A forma é sempre (N,
    h·d_h), mesmo com N = 1.
componentes-na-frente: .transpose(1, 0, 2) → .transpose(2, 0, 1)
    A forma está certa, mas cada linha junta a mesma componente de tokens diferentes: o eixo que veio para a frente é o
    das componentes. Traga o dos tokens.
so-as-duas-primeiras: np.concatenate(list(H[:2]), axis=1)
    Você juntou sempre duas cabeças, como no exemplo. São h: junte todas as que vierem.
reshape-e-transposta: H.transpose(1, 0, 2).reshape(N, h * d_h) → H.reshape(h * d_h, N).T
    A forma está certa, mas os números se embaralharam: um reshape não troca eixos, e o `.T` depois dele não desfaz
    isso. Troque os eixos antes do reshape.
so-a-ultima: H[-1].copy()
    Só a última cabeça chegou ao fim: cada volta do laço apaga a anterior. Guarde todas e junte no fim.
h-e-N-trocados: h, N, d_h = H.shape → N, h, d_h = H.shape
    Os nomes dos dois primeiros eixos estão trocados: H é (h, N, d_h), com a cabeça primeiro.
cabecas-0-e-1: np.concatenate([H[0], H[1]], axis=1)
    Você juntou sempre as cabeças 0 e 1, como no exemplo. São h: junte todas as que vierem.
""")


@q.equivoco
def eixo_adivinhado_pelo_tamanho(H):
    """Quando há tantas cabeças quantos tokens, os eixos se confundem na sua função. A posição diz o que é cada eixo; o
    tamanho não."""
    h, N, d_h = H.shape
    return H.reshape(N, h * d_h) if h == N else juntar_cabecas(H)


@q.alternativa
def com_lacos(H):
    h, N, d_h = H.shape
    Z = np.zeros((N, h * d_h))
    for i in range(h):
        Z[:, i * d_h : (i + 1) * d_h] = H[i]
    return Z


q.alternativas_curtas("""
concatena-no-ultimo-eixo: np.concatenate(list(H), axis=-1)
com-hstack: np.hstack(list(H))
com-torch: torch.cat(list(torch.tensor(H)), dim=-1)
com-torch-float32: h, N, d_h = H.shape → T = torch.tensor(H, dtype=torch.float32)
        H.transpose(1, 0, 2).reshape(N, h * d_h) → T.permute(1, 0, 2).flatten(1)
com-einsum: np.einsum("inc->nic", H).reshape(H.shape[1], -1)
""")
