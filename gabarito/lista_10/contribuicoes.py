"""A questão `contribuicoes` da lista 10."""

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_10.comum import sortear_numeros, sortear_pesos


def contribuicoes(A, v, W_O, u):
    pesos = A[:, -1].double()  # (h, T): a linha do último token
    fatias = W_O.double().reshape(v.shape[0], v.shape[2], -1)  # (h, d_h, d)
    escrito = v.double() @ fatias  # (h, T, d)
    return pesos * (escrito @ u.double())


_VARIAS = "várias cabeças"


def _caso(rng, h, T, d, D, causal=True, **como):
    A, v = sortear_pesos(rng, h, T, T, causal=causal), sortear_numeros(rng, h, T, d)
    W_O, u = sortear_numeros(rng, h * d, D), sortear_numeros(rng, D)
    return caso(A, v, W_O, u, parte=_VARIAS if h > 1 else None, **como)


def ocultos(rng):
    T = int(rng.integers(4, 7))
    return [
        _caso(rng, 1, T, 3, 5),
        _caso(rng, 1, 4, 2, 3, causal=False),
        _caso(rng, 3, T, 2, 7),
        _caso(rng, 2, 5, 4, 6, causal=False),
        _caso(rng, 4, 3, 3, 12),
        _caso(rng, 2, 2, 5, 4),
    ]


_EXEMPLO = (
    torch.tensor([[[1.0, 0], [0.5, 0.5]], [[1, 0], [0.75, 0.25]]]),
    torch.tensor([[[4.0], [-2]], [[1], [3]]]),
    torch.tensor([[1.0, 0, 2], [0, 1, -1]]),
    torch.tensor([1.0, 2, 1]),
)

q = questao(
    "lista-10/contribuicoes",
    assinatura="contribuicoes(A, v, W_O, u)",
    saida="array",
    referencia=contribuicoes,
    casos=[
        caso(*_EXEMPLO, claro=True, rotulo="o exemplo do enunciado", parte=_VARIAS),
        _caso(np.random.default_rng(71), 1, 4, 3, 5, rotulo="uma cabeça só"),
        _caso(np.random.default_rng(72), 1, 5, 2, 4, causal=False, rotulo="uma cabeça sem máscara causal"),
        _caso(np.random.default_rng(73), 3, 5, 2, 4, rotulo="três cabeças"),
        _caso(np.random.default_rng(74), 2, 4, 3, 6, causal=False, rotulo="duas cabeças sem máscara causal"),
        _caso(np.random.default_rng(75), 4, 4, 2, 8, rotulo="quatro cabeças, quatro tokens, d = 8"),
    ],
    ocultos=ocultos,
    rtol=1e-3,
    atol=1e-4,
    partes={"uma cabeça": 0.4, _VARIAS: 0.6},
)

q.equivocos_curtos("""
sem-os-pesos: pesos * (escrito @ u.double()) → escrito @ u.double()
    Faltaram os pesos de atenção: isto é o que cada token entregaria se a cabeça olhasse só para ele. Multiplique pelo
    peso da última linha.
so-os-pesos: pesos * (escrito @ u.double()) → pesos
    Você devolveu os pesos da última linha. É o mapa de calor; a contribuição é o peso vezes o que o valor escreve na
    direção u.
a-primeira-linha: [:, -1].double() → [:, 0].double()
    Você usou a linha 0 dos pesos. Quem prevê o próximo token é o último: a linha −1.
a-ultima-coluna: [:, -1].double() → [:, :, -1].double()
    Você usou a última coluna dos pesos, quem olha para o último token. A linha é de quem olha: pesos[:, -1].
a-media-das-linhas: [:, -1].double() → .double().mean(dim=1)
    Você fez a média das linhas dos pesos. Só o último token prevê o próximo: use a linha dele.
todas-com-a-primeira-fatia: W_O.double().reshape(v.shape[0], v.shape[2], -1) → W_O.double()[: v.shape[2]]
    Todas as cabeças usaram as d_h primeiras linhas de W_O. Cada uma tem as suas: as da cabeça i começam na
    linha i·d_h.
fatias-intercaladas: reshape(v.shape[0], v.shape[2], -1) → reshape(v.shape[2], v.shape[0], -1).transpose(0, 1)
    As linhas de W_O foram divididas em tiras intercaladas. As de uma cabeça são vizinhas: a cabeça 0 fica com as d_h
    primeiras.
fatias-ao-contrario: reshape(v.shape[0], v.shape[2], -1) → reshape(v.shape[0], v.shape[2], -1).flip(0)
    As fatias de W_O estão na ordem contrária: a cabeça 0 ficou com as últimas linhas, e são dela as primeiras.
fatias-de-uma-em-uma: reshape(v.shape[0], v.shape[2], -1) → unfold(0, v.shape[2], 1)[: len(v)].mT
    As fatias de W_O andam de uma em uma linha, como em W_O[i : i + d_h], e se sobrepõem. Cada cabeça tem d_h linhas
    só dela: a fatia da cabeça i começa na linha i·d_h.
a-saida-da-atencao: pesos * (escrito @ u.double()) → A.double() @ v.double() @ fatias @ u.double()
    Você usou a saída da atenção, A @ v, que já somou todos os tokens olhados. Para separá-los, use os valores v, cada
    um vezes o seu peso na última linha.
soma-os-tokens: pesos * (escrito @ u.double()) → (pesos * (escrito @ u.double())).sum(dim=1)
    Você somou os tokens, e ficou um número por cabeça. A resposta separa também o token olhado: (h, T).
soma-as-cabecas: pesos * (escrito @ u.double()) → (pesos * (escrito @ u.double())).sum(dim=0)
    Você somou as cabeças, e ficou um número por token. A resposta separa também a cabeça: (h, T).
transposta: pesos * (escrito @ u.double()) → (pesos * (escrito @ u.double())).T
    A resposta está transposta. A linha é a cabeça, e a coluna, o token olhado: (h, T).
sem-o-sinal: pesos * (escrito @ u.double()) → (pesos * (escrito @ u.double())).abs()
    Você tirou o sinal. Uma contribuição negativa diminui o logit, e isso faz parte da resposta.
fracao-do-total: contribuicoes(A, v, W_O, u) / contribuicoes(A, v, W_O, u).sum()
    Você dividiu pelo total. A resposta são as parcelas como estão; somadas, dão o logit.
o-que-se-escreve-sem-u: pesos * (escrito @ u.double()) → pesos[..., None] * escrito
    Faltou a direção u: você parou no vetor que cada cabeça escreve, (h, T, d). O produto escalar com u dá um número.
o-tamanho-no-lugar-da-direcao: pesos * (escrito @ u.double()) → pesos * escrito.norm(dim=-1)
    Você mediu o tamanho do vetor escrito. Só conta quanto ele aponta para u, que é o produto escalar.
u-em-cima-de-W_O-somada: escrito @ u.double() → escrito.sum(dim=-1) * u.double().sum()
    Você somou as d componentes antes de multiplicar por u. O produto escalar multiplica componente a componente e só
    depois soma.
com-todas-as-linhas: [:, -1].double() → .double()
        pesos * (escrito @ u.double()) → pesos * (escrito @ u.double())[:, None]
    Vieram todas as linhas, (h, T, T). Só a do último token interessa: (h, T).
a-penultima-linha: [:, -1].double() → [:, -2].double()
    Você usou a penúltima linha dos pesos. Quem prevê o próximo token é o último: a linha −1.
uma-cabeca-so: W_O.double().reshape(v.shape[0], v.shape[2], -1) → W_O.double()
    Com uma cabeça só, a sua conta dá o que se pede. Com várias, W_O tem as linhas de todas. Em cada cabeça i, use só as
    d_h linhas dela, a partir da linha i·d_h.
uma-cabeca-so-com-u-antes: pesos * (escrito @ u.double()) → pesos * (v.double() @ (W_O.double() @ u.double()))
        v.double() @ fatias → 0
    Com uma cabeça só, a sua conta dá o que se pede. Com várias, W_O tem as linhas de todas. Em cada cabeça i, use só as
    d_h linhas dela, a partir da linha i·d_h.
so-a-cabeca-zero: pesos * (escrito @ u.double()) → pesos[:1] * (v[0].double() @ (W_O.double() @ u.double()))
        v.double() @ fatias → 0
    Você fez a conta da cabeça 0. Com várias, W_O tem as linhas de todas: em cada cabeça i, use só as d_h linhas dela, a
    partir da linha i·d_h, e empilhe as cabeças em (h, T).
so-a-cabeca-zero-sem-o-eixo: pesos * (escrito @ u.double()) → pesos[0] * (v[0].double() @ (W_O.double() @ u.double()))
        v.double() @ fatias → 0
    Você fez a conta da cabeça 0. Com várias, W_O tem as linhas de todas: em cada cabeça i, use só as d_h linhas dela, a
    partir da linha i·d_h, e empilhe as cabeças em (h, T).
todas-as-cabecas-juntas: pesos * (escrito @ u.double()) → pesos * (escrito @ u.double()).sum(dim=0)
    Você juntou as cabeças antes de separar, e cada token trouxe a soma de todas. Em cada cabeça, use só os valores e as
    linhas de W_O dela.
juntas-sem-transpor: escrito @ u.double() → v.double().reshape(v.shape[1], -1) @ W_O.double() @ u.double()
    Você juntou as cabeças antes de separar, e com um reshape que mistura cabeças e tokens. Em cada cabeça, use só os
    valores e as linhas de W_O dela.
valor-do-ultimo-token: v.double() @ fatias → (v.double()[:, -1:] @ fatias).expand(-1, v.shape[1], -1)
    Você usou o valor do último token em todas as colunas. Na coluna s vai o valor do token s, que é o olhado.
""")


@q.equivoco
def fatia_com_uma_linha_a_menos(A, v, W_O, u):
    """A fatia `a:b` do Python para antes de b, e a sua ficou com uma linha a menos. As linhas da cabeça i são
    W_O[i * d_h : (i + 1) * d_h]. Veja a Dica 2."""
    d = v.shape[-1]
    return torch.stack([A[i, -1] * (v[i] @ W_O[i * d : (i + 1) * d - 1] @ u) for i in range(len(v))])


@q.equivoco
def fatia_com_uma_linha_a_menos_e_u_antes(A, v, W_O, u):
    """A fatia `a:b` do Python para antes de b, e a sua ficou com uma linha a menos. As linhas da cabeça i são
    W_O[i * d_h : (i + 1) * d_h]. Veja a Dica 2."""
    d = v.shape[-1]
    return torch.stack([A[i, -1] * (v[i] @ (W_O[i * d : (i + 1) * d - 1] @ u)) for i in range(len(v))])


@q.alternativa
def com_einsum_em_float32(A, v, W_O, u):
    h, T, d = v.shape
    return torch.einsum("hs,hsd,hdD,D->hs", A[:, -1], v, W_O.view(h, d, -1), u)


@q.alternativa
def cabeca_por_cabeca(A, v, W_O, u):
    linhas, d = [], v.shape[-1]
    for i in range(len(v)):
        direcao = W_O[i * d : (i + 1) * d] @ u  # (d,): o que a cabeça lê de cada valor
        linhas.append(A[i, -1] * (v[i] @ direcao))
    return torch.stack(linhas)


@q.alternativa
def um_por_um(A, v, W_O, u):
    h, T, d = v.shape
    C = torch.zeros(h, T)
    for i in range(h):
        for s in range(T):
            x = torch.zeros(h * d)
            x[i * d : (i + 1) * d] = A[i, -1, s] * v[i, s]
            C[i, s] = x @ W_O @ u
    return C


@q.alternativa
def numpy(A, v, W_O, u):
    A, v, W_O, u = (np.asarray(x) for x in (A, v, W_O, u))
    return A[:, -1] * (np.stack([v[i] @ W for i, W in enumerate(np.split(W_O, len(v)))]) @ u)


@q.alternativa
def o_peso_antes_de_W__O(A, v, W_O, u):
    trazido = A[:, -1, :, None] * v  # (h, T, d_h)
    return torch.stack([x @ W @ u for x, W in zip(trazido, W_O.chunk(len(v)), strict=True)])


@q.alternativa
def u_antes_de_tudo(A, v, W_O, u):
    lidos = (v * (W_O @ u).reshape(len(v), 1, -1)).sum(-1)  # (h, T): o que cada valor escreve na direção u
    return A[:, -1] * lidos
