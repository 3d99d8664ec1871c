"""A questão `desligar` da lista 10."""

import math  # noqa: F401 (usado nas tabelas)

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_10.comum import fatia


def desligar(saidas, cabecas):
    novas = saidas.double()
    novas[list(cabecas)] = 0.0
    return novas


def _saidas(rng, h, T, d):
    return torch.tensor((rng.normal(size=(h, T, d)) + rng.choice([-1, 1])).round(2), dtype=torch.float32)


def ocultos(rng):
    a, b, c = (int(i) for i in rng.choice(np.arange(1, 6), size=3, replace=False))
    return [
        caso(_saidas(rng, 7, 3, 4), [a, b]),
        caso(_saidas(rng, 6, 9, 8), [c]),
        caso(_saidas(rng, 7, 8, 9), [b, 0, c]),
        caso(_saidas(rng, 4, 2, 5), []),
        caso(_saidas(rng, 3, 5, 2), [2, 0, 1]),
        caso(_saidas(rng, 6, 7, 6), [a, a, c]),
    ]


q = questao(
    "lista-10/desligar",
    assinatura="desligar(saidas, cabecas)",
    saida=[("o que se viu", "texto"), ("", "array")],
    adaptador="lista_10.desligar",
    referencia=desligar,
    casos=[
        caso(
            torch.tensor([[[1.0, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]),
            [1],
            claro=True,
            rotulo="o exemplo do enunciado",
        ),
        caso(_saidas(np.random.default_rng(21), 4, 5, 6), [2, 0], rotulo="duas cabeças, fora de ordem"),
        caso(fatia("saidas"), [1, 4], rotulo="cinco cabeças do SmolLM2, três tokens"),
        caso(_saidas(np.random.default_rng(22), 3, 4, 2), [], rotulo="nenhuma"),
        caso(_saidas(np.random.default_rng(23), 2, 3, 4), [0, 1], rotulo="todas"),
        caso(_saidas(np.random.default_rng(24), 5, 6, 7), [3, 3], rotulo="a mesma duas vezes"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
desliga-as-outras: saidas.double() → torch.zeros_like(saidas.double())
        0.0 → saidas[list(cabecas)].double()
    Você zerou as outras e deixou ligadas as da lista. É o contrário: as da lista vão a zero.
retira-as-cabecas: torch.stack([saidas[i].double() for i in range(len(saidas)) if i not in cabecas] or [saidas[0] *
        0.0])
    Você retirou as cabeças: a forma mudou. O modelo espera as h cabeças no lugar; as desligadas ficam, com zeros.
zera-os-tokens: list(cabecas) → :, [i for i in cabecas if i < saidas.shape[1]]
    Você zerou posições (o segundo eixo), e não cabeças. As cabeças estão no primeiro eixo.
zera-as-componentes: list(cabecas) → ..., [i for i in cabecas if i < saidas.shape[2]]
    Você zerou componentes (o último eixo), e não cabeças. As cabeças estão no primeiro eixo.
conta-a-partir-de-um: list(cabecas) → [i - 1 for i in cabecas]
    Você desligou as vizinhas: os índices da lista já contam a partir de 0.
so-a-primeira-da-lista: novas[list(cabecas)] = 0.0 → for i in cabecas:⏎    novas[i] = 0.0⏎    break
    Só a primeira cabeça da lista foi desligada. Há um return dentro do laço, ou só se usa cabecas[0]?
poe-a-media: 0.0 → saidas.double().mean(dim=0)
    No lugar das desligadas você pôs a média das cabeças. É outra experiência (também boa); aqui se pede zero.
poe-menos-infinito: 0.0 → -math.inf
    Você pôs −inf nas desligadas. Isso se faz com pontuações, antes da softmax; a saída de uma cabeça desligada é zero.
nada-muda: saidas.double()
    Nada foi desligado: você devolveu uma cópia igual à entrada (há um == no lugar de =, ou o zero ficou em outra
    variável?).
lista-vazia-desliga-tudo: desligar(saidas, cabecas or range(len(saidas)))
    Com a lista vazia, você desligou todas as cabeças. Sem nenhuma na lista, a saída é igual à entrada.
faixa-em-vez-de-lista: novas[list(cabecas)] = 0.0 → if cabecas:⏎    novas[min(cabecas) : max(cabecas) + 1] = 0.0
    Você desligou uma faixa inteira, da menor à maior cabeça da lista. Só as que estão nela se desligam.
posicoes-da-lista: list → : len
    Você desligou as primeiras cabeças, uma para cada item da lista. `range(len(cabecas))` dá as posições na lista; os
    números das cabeças estão dentro dela.
so-a-ultima-da-lista: novas[list(cabecas)] = 0.0 → for i in cabecas:⏎    novas = saidas.double()⏎    novas[i] = 0.0
    Só a última cabeça da lista ficou desligada: cada volta do laço recomeça de uma cópia nova. Copie uma vez, antes
    dele.
so-o-primeiro-token: novas[list(cabecas)] = 0.0 → for i in cabecas:⏎    novas[i, 0] = 0.0
    Só a primeira linha de cada cabeça da lista foi a zero. Desligue a cabeça inteira, com todos os tokens.
so-a-primeira-componente: novas[list(cabecas)] = 0.0 → for i in cabecas:⏎    novas[i, :, 0] = 0.0
    Só a primeira componente de cada cabeça da lista foi a zero. Desligue a cabeça inteira, com as d_h componentes.
lista-vazia-vira-float: list → torch.tensor
    Com a lista vazia, torch.tensor([]) sai em ponto flutuante e não serve de índice. Use a própria lista, ou diga
    dtype=torch.long.
liga-de-novo: novas[list(cabecas)] = 0.0 → for i in cabecas:⏎    novas[i] = saidas[i].double() - novas[i]
    Uma cabeça que aparece duas vezes na lista voltou a ficar ligada. Repetida ou não, ela fica em zero.
subtrai-duas-vezes: novas[list(cabecas)] = 0.0 → for i in cabecas:⏎    novas[i] -= saidas[i].double()
    Uma cabeça que aparece duas vezes na lista foi subtraída duas vezes. Ponha zero, em vez de subtrair.
altera-a-entrada: novas[list(cabecas)] → saidas[cabecas]
        return novas → return saidas
    Sua função escreveu dentro de um argumento.
lista-vazia-devolve-a-entrada: novas = saidas.double() → if not cabecas:⏎    return saidas⏎novas = saidas.double()
    Com a lista vazia, sua função devolve a própria entrada. Os números são os mesmos, mas o pedido é uma cópia: quem
    escrever na saída não pode mudar a entrada.
zera-tudo: torch.zeros_like(saidas.double())
    Todas as cabeças foram a zero. Só as da lista se desligam; as outras ficam como estavam.
zera-uma-copia-perdida: saidas
    Saiu a própria entrada, sem nenhuma cabeça desligada. Ponha a cópia em uma variável, `novas = saidas.clone()`, zere
    nela e devolva-a.
""")


@q.equivoco
def compensa_as_outras(saidas, cabecas):
    """As desligadas estão em zero, mas você aumentou as outras para compensar, como faz o dropout. Aqui as outras ficam
    como estavam."""
    novas = desligar(saidas, cabecas)
    ligadas = len(saidas) - len(set(cabecas))
    return novas * (len(saidas) / ligadas) if 0 < ligadas < len(saidas) else novas


@q.alternativa
def numpy(saidas, cabecas):
    novas = np.array(saidas)
    for i in cabecas:
        novas[i] = 0.0
    return novas


q.alternativas_curtas("""
clone: .double → .clone
        list(cabecas) → cabecas
        0.0 → 0
multiplica-por-mascara:
        novas[list(cabecas)] = 0.0 → ligada = torch.tensor([float(i not in cabecas) for i in range(len(saidas))])
        return novas → return saidas * ligada[:, None, None]
empilha: torch.stack([torch.zeros_like(s) if i in cabecas else s for i, s in enumerate(saidas)])
where-em-float64: novas = saidas.double() → fora = torch.zeros(saidas.shape[0], dtype=torch.bool)
        novas[list(cabecas)] = 0.0 → fora[torch.tensor(cabecas, dtype=torch.long)] = True
        return novas → return torch.where(fora[:, None, None], 0.0, saidas.double())
index-fill: saidas.index_fill(0, torch.tensor(cabecas, dtype=torch.int64), 0.0)
""")
