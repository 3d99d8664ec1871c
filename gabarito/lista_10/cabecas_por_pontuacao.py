"""A questão `cabecas_por_pontuacao` da lista 10."""

import heapq

import numpy as np
import torch

from gabarito.base import caso, funcao, questao
from gabarito.lista_10.comum import fatia, sortear_pesos
from helpers.conferencia.pecas.lista_10 import pontuacao


def cabecas_por_pontuacao(As, f, k):
    notas = [(camada, cabeca, f(As[camada, cabeca])) for camada in range(As.shape[0]) for cabeca in range(As.shape[1])]
    return sorted(notas, key=lambda nota: -nota[2])[:k]


def _com_empates(rng, L, H, T, pares=2):
    """Pesos (L, H, T, T) em que algumas cabeças são cópias exatas de outras, em camadas diferentes e na mesma."""
    As = sortear_pesos(rng, L, H, T, T, causal=False)
    As[L - 1, 0] = As[0, H - 1]
    As[1, H - 1] = As[1, 0]
    if pares > 2:
        As[0, 0] = As[L - 1, 1]
    return As


def _caso_de_ranking(sortear, k, **nota):
    """Um caso sem quase empates: notas que só diferem em float64 empatariam para quem as guarda em float32."""
    f = pontuacao(**nota)
    for _ in range(100):
        As = sortear()
        saltos = np.diff(np.sort([f(A) for A in As.flatten(0, 1)]))
        if not ((saltos > 0) & (saltos < 1e-5)).any():
            return caso(As, funcao("lista_10.pontuacao", **nota), k)
    raise RuntimeError("nenhum sorteio serviu: mude os tamanhos do caso")


def ocultos(rng):
    i, j = (int(n) for n in rng.integers(0, 4, size=2))
    tipo = str(rng.choice(["casa", "coluna"]))
    return [
        _caso_de_ranking(lambda: _com_empates(rng, 3, 4, 5), 12, tipo=tipo, i=i, j=j),
        _caso_de_ranking(lambda: _com_empates(rng, 4, 3, 4, 3), 12, tipo="menos concentração"),
        _caso_de_ranking(lambda: sortear_pesos(rng, 4, 2, 6, 6), 3, tipo="dois antes"),
        _caso_de_ranking(lambda: _com_empates(rng, 2, 5, 4), 10, tipo="maximo", i=i),
        # mais de 16 cabeças: com menos, muitas ordenações instáveis conservam os empates por sorte
        _caso_de_ranking(lambda: sortear_pesos(rng, 7, 3, 6, 6, causal=False), 13, tipo="linhas no anterior"),
        _caso_de_ranking(lambda: sortear_pesos(rng, 3, 2, 4, 4), 1, tipo="coluna", i=j),
        _caso_de_ranking(lambda: _com_empates(rng, 2, 3, 4), 6, tipo="muito negativa"),
        _caso_de_ranking(lambda: sortear_pesos(rng, 3, 3, 4, 4, causal=False), 5, tipo="casa", i=j, j=i),
    ]


_AS_EXEMPLO = torch.tensor(
    [
        [[[1, 0], [0.25, 0.75]], [[1, 0], [0.875, 0.125]], [[1, 0], [0.5, 0.5]]],
        [[[1, 0], [0.5, 0.5]], [[1, 0], [0.125, 0.875]], [[1, 0], [0.625, 0.375]]],
    ]
)

q = questao(
    "lista-10/cabecas_por_pontuacao",
    assinatura="cabecas_por_pontuacao(As, f, k)",
    saida=[("formato", "texto"), ("índices", "array"), ("valores", "array")],
    referencia=cabecas_por_pontuacao,
    casos=[
        caso(
            _AS_EXEMPLO,
            funcao("lista_10.pontuacao", tipo="casa", i=1, j=0),
            4,
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(
            fatia("camadas"),
            funcao("lista_10.pontuacao", tipo="dois antes"),
            3,
            rotulo="três camadas e quatro cabeças do SmolLM2",
        ),
        caso(
            _com_empates(np.random.default_rng(61), 3, 4, 3),
            funcao("lista_10.pontuacao", tipo="coluna", i=1),
            12,
            rotulo="há empates",
        ),
        caso(
            _com_empates(np.random.default_rng(62), 3, 2, 4, 3),
            funcao("lista_10.pontuacao", tipo="menos concentração"),
            6,
            rotulo="valores negativos",
        ),
        caso(
            _com_empates(np.random.default_rng(65), 2, 3, 4),
            funcao("lista_10.pontuacao", tipo="muito negativa"),
            4,
            rotulo="valores abaixo de −1000",
        ),
        caso(
            sortear_pesos(np.random.default_rng(63), 5, 4, 5, 5, causal=False),
            funcao("lista_10.pontuacao", tipo="linhas no anterior"),
            14,
            rotulo="vinte cabeças, muitos empates",
        ),
        caso(
            sortear_pesos(np.random.default_rng(64), 4, 2, 3, 3),
            funcao("lista_10.pontuacao", tipo="casa", i=2, j=1),
            1,
            rotulo="só a melhor",
        ),
    ],
    ocultos=ocultos,
    adaptador="lista_10.cabecas_por_pontuacao",
)


def _todas(As, f):
    return [(c, h, f(As[c, h])) for c in range(As.shape[0]) for h in range(As.shape[1])]


q.equivocos_curtos("""
ordem-crescente: sorted(_todas(As, f), key=lambda nota: nota[2])[:k]
    A lista está da menor para a maior. Queremos as de maior nota primeiro.
as-maiores-em-ordem-crescente: cabecas_por_pontuacao(As, f, k)[::-1]
    São as cabeças certas, mas da menor para a maior. A de maior nota vem primeiro.
empate-ao-contrario: sorted(_todas(As, f), key=lambda nota: (nota[2], nota[0], nota[1]), reverse=True)[:k]
    Nos empates, vem antes a menor camada e, nela, a menor cabeça, e a sua veio depois. Quase sempre é por
    inverter tudo (reverse=True em uma tupla inteira, ou [::-1]) ou de uma ordenação que não conserva os empates
    (topk; np.argsort sem kind="stable"). Veja a Dica 2.
empate-so-pela-cabeca: sorted(_todas(As, f), key=lambda nota: (-nota[2], nota[1], nota[0]))[:k]
    Nos empates, parece que você olhou primeiro para a cabeça. Vem antes a menor camada; a cabeça só decide dentro da
    mesma camada.
todas-as-cabecas: sorted(_todas(As, f), key=lambda nota: -nota[2])
    Você devolveu todas as cabeças. São só as k primeiras.
corta-antes-de-ordenar: sorted(_todas(As, f)[:k], key=lambda nota: -nota[2])
    Você ficou com as k primeiras cabeças antes de ordenar. Ordene todas, e só depois corte. Veja a Dica 1.
cabeca-antes-da-camada: [(h, c, nota) for c, h, nota in cabecas_por_pontuacao(As, f, k)]
    A tripla está com a cabeça antes da camada. A ordem é (camada, cabeca, valor).
valor-na-frente: [(nota, c, h) for c, h, nota in cabecas_por_pontuacao(As, f, k)]
    A nota veio na frente da tripla. A ordem é (camada, cabeca, valor).
conta-a-partir-de-um: [(c + 1, h + 1, nota) for c, h, nota in cabecas_por_pontuacao(As, f, k)]
    As cabeças são as certas, mas seus índices começam em 1. Como no resto do curso, conte a partir de 0.
sem-o-valor: [(c, h) for c, h, _ in cabecas_por_pontuacao(As, f, k)]
    Vieram pares (camada, cabeca), sem a nota. Cada item é uma tripla (camada, cabeca, valor).
par-dentro-do-par: [((c, h), nota) for c, h, nota in cabecas_por_pontuacao(As, f, k)]
    Cada item veio como ((camada, cabeca), valor), um par dentro do outro. Desfaça o par de dentro: (camada, cabeca,
    valor).
pelo-modulo: sorted(_todas(As, f), key=lambda nota: -abs(nota[2]))[:k]
    Você ordenou pelo módulo. Uma nota pode ser negativa, e −0,2 é maior que −3.
cabecas-transpostas: cabecas_por_pontuacao(As.transpose(-1, -2), f, k)
    A nota foi medida na transposta de cada cabeça. Passe a f a matriz como ela está: linha é quem olha.
f-na-camada-inteira: sorted([(c, 0, f(As[c])) for c in range(As.shape[0])], key=lambda nota: -nota[2])[:k]
    Você passou a f a camada inteira, As[camada], com todas as cabeças. Ela dá nota a uma cabeça só, (T, T).
sort-devolve-none: _todas(As, f).sort(key=lambda nota: -nota[2])
    Veio None: falta um return, ou você devolveu o de `lista.sort(...)`, que ordena no lugar e não devolve nada (quem
    devolve a lista é sorted).
primeira-camada: sorted([(0, h, f(As[0, h])) for h in range(As.shape[1])], key=lambda nota: -nota[2])[:k]
    Só as cabeças da primeira camada concorreram (um return dentro do laço?). Percorra todas as camadas.
so-positivas: sorted([nota for nota in _todas(As, f) if nota[2] > 0], key=lambda nota: -nota[2])[:k]
    As cabeças de nota negativa ficaram de fora: você começou o máximo em 0, ou só guardou notas positivas. Notas
    negativas também concorrem.
sinal-trocado: [(c, h, -nota) for c, h, nota in cabecas_por_pontuacao(As, f, k)]
    As cabeças são as certas, mas as notas saíram com o sinal trocado. O menos é só para ordenar, dentro da key.
notas-arredondadas: [(c, h, round(nota, 2)) for c, h, nota in cabecas_por_pontuacao(As, f, k)]
    As cabeças são as certas, mas as notas vieram arredondadas. Devolva cada nota como f a deu.
camadas-no-lugar-de-cabecas: for cabeca in range(As.shape[1]) → for cabeca in range(len(As))
    Você contou as cabeças com o número de camadas. `len(As)` é o primeiro eixo, o das camadas. As cabeças são
    As.shape[1].
camadas-no-lugar-de-cabecas-em-dois-passos: for cabeca in range(As.shape[1]) → for cabeca in range(len(As))
        As[camada, cabeca] → As[camada][cabeca]
    Você contou as cabeças com o número de camadas. `len(As)` é o primeiro eixo, o das camadas. As cabeças são
    As.shape[1].
sem-ordenar: _todas(As, f)[:k]
    A lista saiu na ordem dos índices, e não na das notas. `sorted` devolve outra lista, que é preciso guardar; e
    `sort()` sem key ordena pelo primeiro número da tripla.
ordena-as-triplas-inteiras: key=lambda nota: -nota[2] → reverse=True
    Você ordenou as triplas inteiras, e tuplas se comparam pelo primeiro item, a camada. Diga por que número ordenar:
    key=lambda t: -t[2].
""")


@q.equivoco
def perde_os_empates(As, f, k):
    """Cabeças com a mesma nota sumiram. Você usou a nota como chave de um dicionário? Chaves iguais se
    sobrescrevem."""
    por_nota = {}
    for c, h, nota in _todas(As, f):
        por_nota[nota] = (c, h)
    return [(*por_nota[nota], nota) for nota in sorted(por_nota, reverse=True)[:k]]


@q.equivoco
def k_por_camada(As, f, k):
    """Vieram k cabeças de cada camada. São k no total, as melhores do modelo inteiro."""
    escolhidas = []
    for c in range(As.shape[0]):
        escolhidas += sorted([(c, h, f(As[c, h])) for h in range(As.shape[1])], key=lambda nota: -nota[2])[:k]
    return sorted(escolhidas, key=lambda nota: -nota[2])


@q.equivoco
def indice_corrido(As, f, k):
    """Você numerou as cabeças de 0 a L·h − 1 e dividiu pelo número de camadas. Divida pelo número de cabeças de cada
    camada, h: camada = i // h e cabeca = i % h."""
    L, H = As.shape[:2]
    notas = [f(A) for A in As.flatten(0, 1)]
    melhores = sorted(range(L * H), key=lambda i: -notas[i])[:k]
    return [(i // L, i % L, notas[i]) for i in melhores]


@q.equivoco
def a_media_da_camada(As, f, k):
    """Todas as cabeças de uma camada vieram com a mesma nota, a da média delas. Dê nota a cada cabeça, As[camada,
    cabeca]."""
    L, H = As.shape[:2]
    notas = [(c, h, f(As[c].double().mean(dim=0))) for c in range(L) for h in range(H)]
    return sorted(notas, key=lambda nota: -nota[2])[:k]


@q.equivoco
def index_acha_o_primeiro(As, f, k):
    """A mesma cabeça apareceu mais de uma vez: `notas.index(valor)` acha sempre a primeira com aquela nota. Ordene as
    triplas inteiras, com os índices junto."""
    notas = [nota for _, _, nota in _todas(As, f)]
    H = As.shape[1]
    return [(notas.index(n) // H, notas.index(n) % H, n) for n in sorted(notas, reverse=True)[:k]]


@q.equivoco
def uma_por_camada(As, f, k):
    """Veio só a melhor cabeça de cada camada. São as k melhores do modelo inteiro: uma camada pode ter várias."""
    melhores = []
    for c in range(As.shape[0]):
        notas = [f(A) for A in As[c]]
        melhores.append((c, notas.index(max(notas)), max(notas)))
    return sorted(melhores, key=lambda nota: -nota[2])[:k]


@q.equivoco
def ultima_camada(As, f, k):
    """Só as cabeças da última camada concorreram: a lista recomeça vazia a cada camada? Crie-a uma vez, antes do
    laço."""
    c = As.shape[0] - 1
    return sorted([(c, h, f(As[c, h])) for h in range(As.shape[1])], key=lambda nota: -nota[2])[:k]


@q.alternativa
def laco_e_sort(As, f, k):
    notas = []
    L, H, T, _ = As.shape
    for camada in range(L):
        for cabeca in range(H):
            notas.append((camada, cabeca, float(f(As[camada, cabeca]))))
    notas.sort(key=lambda n: (-n[2], n[0], n[1]))
    return notas[:k]


@q.alternativa
def reverse_estavel(As, f, k):
    notas = [(i, j, f(A)) for i, camada in enumerate(As) for j, A in enumerate(camada)]
    return sorted(notas, key=lambda n: n[2], reverse=True)[:k]


@q.alternativa
def argsort_do_numpy(As, f, k):
    L, H = As.shape[:2]
    notas = np.array([[f(As[c, h].numpy()) for h in range(H)] for c in range(L)])
    ordem = np.argsort(-notas.ravel(), kind="stable")[:k]
    return [(i // H, i % H, notas.ravel()[i]) for i in ordem]


@q.alternativa
def tabela_float32_argsort_estavel(As, f, k):
    L, H = As.shape[:2]
    notas = torch.zeros(L, H)  # em float32: as notas perdem casas, e a ordem não muda
    for c in range(L):
        for h in range(H):
            notas[c, h] = f(As[c, h])
    ordem = torch.argsort(notas.flatten(), descending=True, stable=True)[:k]
    return [(int(i) // H, int(i) % H, notas.flatten()[i].item()) for i in ordem]


@q.alternativa
def com_heapq(As, f, k):
    notas = (([c, h], f(As[c][h])) for c in range(len(As)) for h in range(len(As[c])))
    return [[c, h, nota] for (c, h), nota in heapq.nlargest(k, notas, key=lambda par: par[1])]


@q.alternativa
def sort_estavel_do_torch(As, f, k):
    H = As.shape[1]
    notas = torch.tensor([f(A) for A in As.reshape(-1, *As.shape[2:])], dtype=torch.float64)
    valores, ordem = torch.sort(notas, descending=True, stable=True)
    return [(i // H, i % H, v) for i, v in zip(ordem[:k], valores[:k], strict=True)]


@q.alternativa
def escolhe_uma_de_cada_vez(As, f, k):
    restam = {(c, h): f(As[c, h]) for c in range(As.shape[0]) for h in range(As.shape[1])}
    escolhidas = []
    for _ in range(k):
        melhor = max(restam, key=restam.get)
        escolhidas.append((*melhor, restam.pop(melhor)))
    return escolhidas
