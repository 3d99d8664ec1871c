"""A questão `pontuacao_inducao` da lista 10."""

import math  # noqa: F401 (usado nas tabelas)

import numpy as np
import torch

from gabarito.base import caso, questao
from gabarito.lista_10.comum import fatia, sortear_pesos


def pontuacao_inducao(A, ids):
    notas = []
    for t in range(len(ids)):
        copias = [s for s in range(t) if ids[s] == ids[t]]
        if copias:
            notas.append(sum(float(A[t, s + 1]) for s in copias))
    return sum(notas) / len(notas) if notas else 0.0


_VARIAS = "várias cópias"


def _texto(rng, vezes):
    """Ids de um texto em que cada token aparece tantas vezes, em ordem sorteada e sem dois iguais em seguida."""
    nomes = rng.choice(np.arange(300, 900), size=len(vezes), replace=False).tolist()
    ids = [nome for nome, n in zip(nomes, vezes, strict=True) for _ in range(n)]
    for _ in range(1000):
        sorteados = rng.permutation(ids).tolist()
        if all(a != b for a, b in zip(sorteados, sorteados[1:], strict=False)):
            return sorteados
    raise RuntimeError("nenhuma ordem serviu: mude as quantidades")


def _caso(rng, ids, causal=True, **como):
    parte = _VARIAS if len(set(ids)) == len(ids) or max(map(ids.count, ids)) > 2 or _vizinhos(ids) else None
    return caso(sortear_pesos(rng, len(ids), len(ids), causal=causal), ids, parte=parte, **como)


def _com_zero(pesos, ids):
    """Os mesmos pesos, com 0 em todas as cópias do último token: a linha dele entra na média mesmo assim."""
    t = len(ids) - 1
    pesos[t, [s + 1 for s in range(t) if ids[s] == ids[t]]] = 0.0
    return pesos


def _vizinhos(ids):
    return any(a == b for a, b in zip(ids, ids[1:], strict=False))


def ocultos(rng):
    a, b, c, d = rng.choice(np.arange(300, 900), size=4, replace=False).tolist()
    tres = sortear_pesos(rng, 7, 7)
    tres[4, [1, 3]] = tres[4, [1, 3]].sort().values + torch.tensor([0, 0.01])  # a maior nunca é a da primeira cópia
    return [
        _caso(rng, _texto(rng, [2, 2, 1, 1, 2])),
        _caso(rng, _texto(rng, [2, 1, 2, 2]), causal=False),
        _caso(rng, [a, b, c, d, a, b, c, d]),
        _caso(rng, [a, b, c, a, d, a, b, a]),
        _caso(rng, _texto(rng, [3, 3, 2, 1]), causal=False),
        _caso(rng, [a, b, b, c, b, a, c]),
        _caso(rng, [c, a, d, b]),
        caso(_com_zero(sortear_pesos(rng, 6, 6), [a, b, c, a, d, b]), [a, b, c, a, d, b]),
        caso(_com_zero(tres, [a, b, a, c, a, d, b]), [a, b, a, c, a, d, b], parte=_VARIAS),
    ]


_EXEMPLO = torch.tensor(
    [
        [1, 0, 0, 0, 0],
        [0.5, 0.5, 0, 0, 0],
        [0.25, 0.5, 0.25, 0, 0],
        [0.125, 0.75, 0, 0.125, 0],
        [0.25, 0.125, 0.5, 0, 0.125],
    ]
)

q = questao(
    "lista-10/pontuacao_inducao",
    assinatura="pontuacao_inducao(A, ids)",
    saida="float",
    referencia=pontuacao_inducao,
    casos=[
        caso(_EXEMPLO, [20, 71, 43, 20, 71], claro=True, rotulo="o exemplo do enunciado"),
        # de um array, os iguais saem como objetos diferentes, e `is` os distingue: até 256, o Python os guarda prontos
        _caso(np.random.default_rng(56), np.array([1052, 317, 498, 1052, 317]).tolist(), rotulo="números grandes"),
        caso(fatia("inducao"), [11, 12, 13, 14, 15] * 2, rotulo="a cabeça (18, 6) do SmolLM2, em uma lista repetida"),
        _caso(np.random.default_rng(51), [5, 8, 2, 5, 9, 2, 7], rotulo="dois tokens se repetem"),
        _caso(np.random.default_rng(52), [4, 6, 1, 3, 6, 4], causal=False, rotulo="sem máscara causal"),
        _caso(np.random.default_rng(53), [3, 7, 3, 9, 3, 7, 3], rotulo="o mesmo token quatro vezes"),
        _caso(np.random.default_rng(54), [8, 2, 2, 5, 2, 8], rotulo="dois iguais em seguida"),
        _caso(np.random.default_rng(55), [1, 2, 3, 4], causal=False, rotulo="nada se repete"),
        caso(
            torch.tensor([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.75, 0, 0], [0.5, 0.25, 0, 0.25]]),
            [7, 8, 7, 8],
            rotulo="uma cópia com peso 0",
        ),
    ],
    ocultos=ocultos,
    propriedades=["entre-0-e-1"],
    partes={"duas vezes cada": 0.5, _VARIAS: 0.5},
)

q.equivocos_curtos("""
a-propria-copia: s + 1 → s
    Você mediu o peso na cópia anterior do mesmo token. A cabeça de indução olha para o que veio depois dela, uma casa à
    direita. Veja a Dica 1.
uma-casa-antes: s + 1 → s - 1
    Você mediu o que veio antes da cópia. O que interessa é o que veio depois: confira o sinal.
duas-casas-depois: s + 1 → min(s + 2, len(ids) - 1)
    Você foi uma casa além: o token igual está em s, e o que veio logo depois, em s + 1.
so-a-copia-mais-recente: in copias) → in copias[-1:])
    Só a cópia mais recente entrou na conta. Quando o token já apareceu várias vezes, some as casas de todas.
so-a-primeira-copia: in copias) → in copias[:1])
    Só a primeira aparição do token entrou na conta (é o que faz `ids.index`). Quando há várias, some as casas de todas.
media-das-copias: sum(float(A[t, s + 1]) for s in copias) → sum(float(A[t, s + 1]) for s in copias) / len(copias)
    Quando o token já apareceu várias vezes, você fez a média das casas. Elas se somam; a média é só no fim, das linhas.
a-maior-das-copias: sum(float(A[t, s + 1]) for s in copias) → max(float(A[t, s + 1]) for s in copias)
    Quando o token já apareceu várias vezes, você ficou com o maior peso. Some os de todas as cópias.
todas-as-copias-na-mesma-media: notas.append(sum( → notas.extend([
        in copias)) → in copias])
    Cada cópia contou como uma parcela da média. Primeiro some as cópias de uma linha, depois tire a média das linhas.
divide-por-T: len(notas) if → len(ids) if
    Você dividiu pelo número de tokens. Só contam as linhas de tokens que já tinham aparecido.
soma-sem-media: sum(notas) / len(notas) if → sum(notas) if
    Isto é a soma das linhas. Falta dividir pelo número delas: é uma média.
linha-e-coluna-trocadas: A[t, s + 1] → A[s + 1, t]
    Linha e coluna estão trocadas: você mediu quanto o passado olha para t. Quem olha é a linha.
copias-de-depois-tambem: range(t) → [*range(t), *range(t + 1, len(ids) - 1)]
    Você contou também cópias que vêm depois de t. A indução procura no passado: só valem s menores que t.
copias-de-depois-ate-a-ultima: s in range(t) if → s in range(len(ids)) if s != t and
        for s in copias) → for s in copias if s + 1 < len(ids))
    Você contou também cópias que vêm depois de t. A indução procura no passado: só valem s menores que t.
so-as-de-depois: for s in range(t) → for s in range(t + 1, len(ids) - 1)
    Você procurou as cópias depois de t. A indução procura no passado: s vai de 0 a t − 1.
conta-o-proprio-token: range(t) → range(min(t + 1, len(ids) - 1))
    O próprio token entrou como cópia de si mesmo, e então todo token se repete. As cópias são as de antes: s vai até
    t − 1.
sem-os-vizinhos: range(t) → range(t - 1)
    Faltou a cópia que está logo ao lado, em s = t − 1. Ela também conta: o que veio depois dela é o próprio token t.
a-maior-linha: sum(notas) / len(notas) if → max(notas) if
    Você devolveu a maior das linhas. O que se pede é a média delas.
devolve-as-linhas: sum(notas) / len(notas) if notas else 0.0 → np.array(notas)
    Você devolveu um número para cada linha. Falta a média: o resultado é um número só.
return-no-laco: sum(notas) / len(notas) if → notas[0] if
    Só a primeira linha entrou na conta. O return está dentro do laço?
so-a-ultima-linha: sum(notas) / len(notas) if → notas[-1] if
    Só a última linha ficou: a cada volta do laço, a anterior se perde. Guarde todas em uma lista.
lista-repetida: float(torch.diagonal(A.double()[len(A) // 2 : len(A) // 2 * 2, 1:]).mean())
    Sua conta supõe que a segunda metade do texto repete a primeira, como na aula. Aqui o texto é qualquer um: use os
    ids para achar as cópias.
compara-com-is: if ids[s] == ids[t] → if ids[s] is ids[t]
    Você comparou com `is`, que pergunta se são o mesmo objeto, e não se são iguais. Com números pequenos dá certo por
    acaso. Use ==.
diagonal-da-metade: float(A.double().diagonal(1 - len(A) // 2).mean())
    Sua conta lê uma diagonal só, a da lista repetida. Aqui o texto é qualquer um: use os ids para achar as cópias.
sobre-todo-o-peso: sum(notas) / len(notas) if notas else 0.0 → sum(notas) / float(A.sum()) if notas else 0.0
    Você dividiu pela soma de todos os pesos de A. O que se pede é a média das linhas que têm cópia.
acerta-ou-erra:
        sum(float(A[t, s + 1]) for s in copias) → float(int(A[t].argmax()) in [s + 1 for s in copias])
    Você contou em quantas linhas o maior peso está na casa certa. O que se pede é quanto peso há nela.
token-anterior: float(torch.diagonal(A.double(), -1).mean())
    Isto é quanto a cabeça olha para o token anterior. A indução salta para depois da cópia: é preciso usar os ids.
sem-repeticao-da-nan: notas else 0.0 → notas else math.nan
    Quando nada se repete, sua função devolve NaN (a média de uma lista vazia). O enunciado pede 0.
sem-repeticao-da-um: notas else 0.0 → notas else 1.0
    Quando nada se repete, a nota é 0: não houve o que copiar.
anda-a-linha: A[t, s + 1] → A[t - 1, s]
    Você andou uma linha para trás. Quem anda é a coluna: a linha é t, e a coluna, s + 1.
arredonda: sum(notas) / len(notas) if notas else 0.0 → round(sum(notas) / len(notas), 2) if notas else 0.0
    O resultado veio arredondado. Devolva o número como a conta o deu.
conta-o-proprio-e-passa-do-fim: range(t) → range(t + 1)
    Você contou o próprio t como cópia de si mesmo, e na última linha s + 1 passou do fim. Só valem s menores que t, os
    de range(t).
conta-o-proprio-e-passa-do-fim-em-dois-passos: range(t) → range(t + 1)
        A[t, s + 1] → A[t][s + 1]
    Você contou o próprio t como cópia de si mesmo, e na última linha s + 1 passou do fim. Só valem s menores que t, os
    de range(t).
conta-o-proprio-sem-o-ultimo: for t in range(len(ids)) → for t in range(len(ids) - 1)
        for s in range(t) → for s in range(t + 1)
    Você contou o próprio t como cópia de si mesmo, e a última linha ficou de fora. Só valem s menores que t, os de
    range(t), e t vai até o fim.
divide-por-zero: sum(notas) / len(notas) if notas else 0.0 → sum(notas) / len(notas)
    Quando nada se repete, você divide por zero. Trate esse caso: a nota é 0.
""")


@q.equivoco
def pula_a_copia_de_peso_zero(A, ids):
    """Você deixou de fora a linha em que a cópia tem peso 0, e ela também entra na média. Guarde a soma quando há
    cópia, e não quando a soma é maior que 0."""
    somas = [sum(float(A[t, s + 1]) for s in range(t) if ids[s] == ids[t]) for t in range(len(ids))]
    notas = [soma for soma in somas if soma > 0]
    return sum(notas) / len(notas) if notas else 0.0


@q.alternativa
def com_matriz_de_iguais(A, ids):
    x = torch.tensor(ids)
    antes = (x[:, None] == x[None, :]).tril(-1)  # (T, T): s é cópia de t, e vem antes
    pesos = torch.where(antes[:, :-1], A[:, 1:], torch.zeros(())).sum(dim=1)  # (T,)
    repetidos = antes.any(dim=1)
    return pesos[repetidos].mean() if repetidos.any() else 0.0


@q.alternativa
def um_por_um(A, ids):
    total, quantos = 0.0, 0
    for t in range(1, len(ids)):
        achou = False
        for s in range(t):
            if ids[s] == ids[t]:
                total += A[t][s + 1].item()
                achou = True
        quantos += achou
    return total / max(quantos, 1)


@q.alternativa
def numpy(A, ids):
    A, ids = np.asarray(A), np.asarray(ids)
    linhas = [A[t, np.flatnonzero(ids[:t] == ids[t]) + 1].sum() for t in range(len(ids)) if ids[t] in ids[:t]]
    return float(np.mean(linhas)) if linhas else 0


@q.alternativa
def com_dicionario_de_lugares(A, ids):
    vistos, notas = {}, []
    for t, i in enumerate(ids):
        if i in vistos:
            notas.append(A[t, vistos[i]].sum())
        vistos.setdefault(i, []).append(t + 1)
    return torch.stack(notas).mean().item() if notas else 0.0
