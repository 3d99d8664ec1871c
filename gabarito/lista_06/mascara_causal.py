"""A questão `mascara_causal` da lista 06."""

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, questao


def mascara_causal(T):
    return np.triu(np.ones((T, T), dtype=bool), k=1)


def ocultos(rng):
    tamanhos = [int(t) for t in rng.choice(np.arange(7, 30), size=3, replace=False)]
    grande = int(rng.integers(90, 111))  # maior que qualquer máscara guardada pronta
    return [caso(T) for T in (1, 2, 3, *tamanhos, grande)]


q = questao(
    "lista-06/mascara_causal",
    assinatura="mascara_causal(T)",
    saida="array",
    referencia=mascara_causal,
    casos=[
        caso(4, claro=True, rotulo="o exemplo do enunciado"),
        caso(3, rotulo="três posições"),
        caso(1, rotulo="uma posição só"),
        caso(2, rotulo="duas posições"),
        caso(7, rotulo="sete posições"),
        caso(33, rotulo="trinta e três posições"),
    ],
    ocultos=ocultos,
)

q.equivocos_curtos("""
true-conserva: np.tril(np.ones((T, T), dtype=bool))
    Sua máscara está invertida: True aparece onde se pode olhar. Aqui a convenção é a do MultiheadAttention: True
    esconde.
esconde-a-diagonal: np.triu(np.ones((T, T), dtype=bool))
    Você escondeu também a diagonal: nenhuma posição vê a si mesma, e a primeira não vê nada. O presente não é futuro:
    olhe a partir de que diagonal começa o True. Veja a Dica 1.
esconde-o-passado: np.tril(np.ones((T, T), dtype=bool), k=-1)
    É o passado que está escondido, e o futuro à vista: o triângulo é o outro. Linha é quem olha, coluna é quem é
    olhado. Veja a Dica 1.
deixa-ver-o-proximo: np.triu(np.ones((T, T), dtype=bool), k=2)
    Cada posição ainda enxerga a seguinte: a máscara começa uma diagonal acima da certa. Esse vazamento de uma posição
    é o pior de todos, porque o próximo token é justamente a resposta.
esconde-o-anterior: np.triu(np.ones((T, T), dtype=bool), k=-1)
    Você escondeu a diagonal e ainda a posição anterior: a linha t deve ver tudo de 0 até t. Confira o deslocamento da
    diagonal.
numeros-em-vez-de-bool: np.triu(np.ones((T, T)), k=1)
    Os lugares estão certos, mas são números 0 e 1. O enunciado pede um array de booleanos: com ele se pode indexar,
    negar com ~ e usar np.where.
nada-escondido: np.zeros((T, T), dtype=bool)
    Sua máscara é toda False: não esconde ninguém. Onde a coluna vem depois da linha, deve haver True.
esconde-tudo: np.ones((T, T), dtype=bool)
    Sua máscara é toda True: ninguém vê ninguém. A diagonal e o que está abaixo dela ficam à vista.
so-a-diagonal-a-vista: ~np.eye(T, dtype=bool)
    Cada posição só vê a si mesma: você escondeu também o passado. Só o futuro se esconde.
so-o-proximo-escondido: np.eye(T, k=1, dtype=bool)
    Você escondeu só o token seguinte. O futuro é tudo o que vem depois, e não só a próxima posição.
com-dimensoes-a-mais: np.triu(np.ones((T, T), dtype=bool), k=1)[None, None]
    Os valores estão certos, mas a forma é (1, 1, T, T). Basta (T, T): o broadcasting cuida do resto.
aditiva: np.where(np.triu(np.ones((T, T), dtype=bool), k=1), -np.inf, 0.0)
    Isto é a máscara aditiva, com 0 e −inf, a que se soma às pontuações. Aqui se pede a booleana: True onde se esconde.
com-um-eixo-a-mais: np.triu(np.ones((1, T, T), dtype=bool), k=1)
    Os valores estão certos, mas a forma é (1, T, T). Basta (T, T): o broadcasting cuida do lote e das cabeças.
aditiva-com-menos-1e9: np.triu(np.full((T, T), -1e9), k=1)
    Isto é a máscara aditiva, com 0 e −1e9, a que se soma às pontuações. Aqui se pede a booleana: True onde se esconde.
so-a-primeira-linha: np.triu(np.ones((T, T), dtype=bool), k=1) & (np.arange(T) == 0)[:, None]
    Só a primeira linha tem True; as outras veem o futuro. O return está dentro do laço?
sem-a-ultima-coluna: np.triu(np.ones((T, T), dtype=bool), k=1) & (np.arange(T) < T - 1)
    A última coluna ficou à vista de todos: seus laços terminam uma posição antes. As posições vão de 0 a T − 1.
""")


@q.alternativa
def dois_lacos(T):
    M = np.zeros((T, T), dtype=bool)
    for t in range(T):
        for s in range(t + 1, T):
            M[t, s] = True
    return M


@q.alternativa
def fatias(T):
    M = np.zeros((T, T), dtype=bool)
    for t in range(T):
        M[t, t + 1 :] = True
    return M


q.alternativas_curtas("""
compara-indices: return np.triu(np.ones((T, T), dtype=bool), k=1) → t = np.arange(T)⏎return t[None, :] > t[:, None]
nega-tril: ~np.tril(np.ones((T, T), dtype=bool))
com-torch: torch.triu(torch.ones(T, T), diagonal=1).bool()
tri-maior-que: np.tri(T) == 0
""")
