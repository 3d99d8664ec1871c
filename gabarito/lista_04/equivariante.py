"""A questão `equivariante` da lista 04.

Nos casos, a diferença entre f(X[perm]) e f(X)[perm] ou é de arredondamento (menos de 1e-9 do maior |Y|) ou é clara
(mais de 1e-2 dele): qualquer comparação razoável serve, e quem sorteia garante. Uma só é miúda, de meio milésimo: quem
arredonda, ou passa da tolerância de `iguais`, não a vê.
"""

import numpy as np

from gabarito.base import caso, funcao, questao
from gabarito.depois import torch
from gabarito.lista_04.comum import normal, sortear_pesos
from helpers.conferencia.pecas import peca
from helpers.conferir import iguais


def equivariante(f, X, perm):
    Y = f(X.copy())  # uma cópia: f pode escrever no que recebe
    Z = f(X[perm])  # indexar com um vetor já copia
    return iguais(Z, Y[perm])


def _diferenca(nome, parametros, X, perm):
    """Quanto f(X[perm]) e f(X)[perm] diferem, em relação ao maior |Y|."""
    f = peca(nome)(**parametros)
    Y, Z = f(X.copy()), f(X[perm])
    return float(np.abs(Z - Y[perm]).max() / np.abs(Y).max())


def _perm(rng, n, fixo=None):
    """Uma permutação que não é a própria inversa e não deixa índice algum no lugar, a não ser o `fixo`."""
    while True:
        perm = rng.permutation(n)
        if (perm[perm] == np.arange(n)).all() or (fixo is not None and perm[fixo] != fixo):
            continue
        if fixo is None and (perm == np.arange(n)).any():
            continue
        return perm


def _ciclo(n, passo=1):
    return (np.arange(n) + passo) % n


def _constante_nos_ciclos(rng, perm, d):
    """Uma tabela P (N, D) com P[perm] igual a P: o mesmo vetor em cada ciclo da permutação."""
    P, feitos = np.zeros((len(perm), d)), set()
    for n in range(len(perm)):
        linha = normal(rng, d)
        while n not in feitos:
            P[n], n_seguinte = linha, int(perm[n])
            feitos.add(n)
            n = n_seguinte
    return P


def _circulante(rng, n):
    """M[i, j] depende só de (i − j) mod n: comuta com as rotações, e com mais nada."""
    c = normal(rng, n)
    return np.array([[c[(i - j) % n] for j in range(n)] for i in range(n)])


def _camada(rng, n, d, P=None, M=None, **resto):
    W_Q, W_K, W_V = sortear_pesos(rng, d, 3, 4)
    vazia = np.zeros((n, d)) if P is None else P
    return "lista_04.camada", {
        "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "P": vazia, "M": np.zeros((n, n)) if M is None else M, **resto
    }  # fmt: skip


def _por_token(rng, n, d, P=None, **resto):
    W, b = normal(rng, d, 3) * 0.5, normal(rng, 3) * 0.5
    return "lista_04.por_token", {"W": W, "b": b, "P": np.zeros((n, d)) if P is None else P, **resto}


def _linha_que_vira(rng, n):
    """Uma permutação e uma linha r do meio que vai para outra linha do meio: (perm, r), com r e o seu destino longe
    das pontas."""
    while True:
        perm, r = _perm(rng, n), int(rng.integers(2, n - 1))
        if 2 <= int(np.argsort(perm)[r]) <= n - 2:
            return perm, r


def _porta(rng, n, onde, coluna, v, fechada=False):
    """Os dados de uma porta que só abre (na linha r) antes de embaralhar: a diferença fica toda em uma entrada, na
    linha `onde`. Se está `fechada`, não abre para este X (mas abriria para quase qualquer outro)."""
    perm = _perm(rng, n)
    r = int(perm[onde])
    X = np.concatenate([rng.uniform(-1.0, 1.0, size=(n, 1)), rng.normal(size=(n, 2))], axis=1).round(2)
    X[perm[r], 0] = -4.0
    if fechada:
        X[:, 0] -= 3.5
    vetor = np.zeros(4)
    vetor[coluna] = v
    return {"W": normal(rng, 3, 4), "linha": r, "v": vetor}, X, perm


def _cabeca_pura(rng):
    n, d = int(rng.integers(5, 8)), 3
    return *_camada(rng, n, d), normal(rng, n, d), _perm(rng, n)


def _identidade(rng):
    n, d = int(rng.integers(4, 8)), 3
    return *_camada(rng, n, d, P=normal(rng, n, d)), normal(rng, n, d), np.arange(n)


def _roda(rng, comuta):
    n, d = int(rng.integers(5, 8)), 3
    perm = _ciclo(n, int(rng.integers(1, 3))) if comuta else _perm(rng, n)
    return *_camada(rng, n, d, M=_circulante(rng, n)), normal(rng, n, d), perm


def _posicoes_por_ciclo(rng):
    n, d = 6, 3
    a = rng.permutation(n)  # dois ciclos de três
    perm = np.arange(n)
    perm[a[:3]], perm[a[3:]] = np.roll(a[:3], 1), np.roll(a[3:], 1)
    return *_camada(rng, n, d, P=_constante_nos_ciclos(rng, perm, d)), normal(rng, n, d), perm


def _no_lugar(rng, comuta):
    n, d = int(rng.integers(4, 8)), 2
    P = None if comuta else normal(rng, n, d)
    # o fator: na segunda vez, o mesmo array já dá outra coisa
    return *_por_token(rng, n, d, P=P, centra=True, no_lugar=True, fator=1.5), normal(rng, n, d), _perm(rng, n)


def _ordem(rng, devolve):
    n, d = int(rng.integers(4, 8)), 3
    p = {"W": normal(rng, d, 2), "coluna": int(rng.integers(0, d)), "devolve": devolve}
    return "lista_04.ordenada", p, normal(rng, n, d), _perm(rng, n)


def _uma_linha(rng, comuta):
    n, d = int(rng.integers(5, 8)), 3
    k = int(rng.integers(1, n))
    p = {"W": normal(rng, d, 2), "linha": k}
    return "lista_04.escolhida", p, normal(rng, n, d), _perm(rng, n, fixo=k if comuta else None)


def _com_posicoes(rng):
    n, d = int(rng.integers(4, 8)), 3
    P = normal(rng, n, d) * 2
    return *_camada(rng, n, d, P=P), normal(rng, n, d), _perm(rng, n)


def _causal(rng):
    n, d = int(rng.integers(4, 8)), 3
    return *_camada(rng, n, d, causal=True), normal(rng, n, d), _perm(rng, n)


def _regida(rng):
    """As duas saídas são proporcionais, e mesmo assim diferentes."""
    n, d = int(rng.integers(5, 8)), 3
    return "lista_04.regida", {"W": normal(rng, d, 2)}, normal(rng, n, d), _perm(rng, n)


def _so_soma_posicoes(rng, certa=None):
    """X + P, linha a linha; se `certa` é um índice, só essa linha de f(X[perm]) coincide."""
    n, d = int(rng.integers(5, 8)), 3
    P, perm = normal(rng, n, d), _perm(rng, n)
    while certa is not None and perm[perm[certa]] == certa:  # em um ciclo de dois, a outra coincidiria também
        perm = _perm(rng, n)
    if certa is not None:
        P[certa] = P[perm[certa]]
    return *_por_token(rng, n, d, P=P, tanh=False), normal(rng, n, d), perm


def _quase(rng):
    """Posições pequenas: diferem por pouco mais de um centésimo."""
    nome, p, X, perm = _so_soma_posicoes(rng)
    efeito = np.abs((p["P"][perm] - p["P"]) @ p["W"]).max()
    p["P"] = p["P"] * 0.014 * np.abs(X @ p["W"] + p["b"]).max() / efeito
    return nome, p, X, perm


def _so_o_meio_difere(rng):
    """As linhas 0, 1 e a última coincidem; as outras, que são a maioria, não."""
    n, d = 7, 3
    a, perm = rng.permutation(n), np.arange(n)
    perm[a] = np.roll(a, -1)  # um ciclo só
    P = normal(rng, n, d)
    for _ in range(3):
        for i in (0, 1, n - 1):
            P[perm[i]] = P[i]
    return *_por_token(rng, n, d, P=P, tanh=False), normal(rng, n, d), perm


def _uma_entrada(rng, onde, coluna, sinal):
    """f(X[perm]) − f(X)[perm] é zero em toda parte, menos em uma entrada, e ali tem o sinal dado."""
    v = -sinal * round(float(rng.uniform(0.4, 0.9)), 2)
    p, X, perm = _porta(rng, 7, onde, coluna, v)
    return "lista_04.porta", p, X, perm


def _miuda(rng):
    """A diferença é uma só, de meio milésimo, e nem ao arredondar para três casas aparece."""
    while True:
        nome, p, X, perm = _uma_entrada(rng, int(rng.integers(0, 7)), int(rng.integers(0, 4)), 1)
        f = peca(nome)(**p)
        diferenca = np.abs(f(X[perm]) - f(X)[perm]).max()
        p["v"] = p["v"] * (rng.uniform(5e-4, 8e-4) / diferenca)
        p["W"] = p["W"] / np.abs(f(X)).max()
        f = peca(nome)(**p)
        Y, Z = f(X)[perm], f(X[perm])
        if np.linalg.norm(Y) < 3.5 and all((np.round(Y, casas) == np.round(Z, casas)).all() for casas in (1, 2, 3)):
            return nome, p, X, perm


def _fechada(rng, abre_com_a_inversa):
    """Neste X ela não abre; com a permutação inversa, abriria, ou também não."""
    while True:
        p, X, perm = _porta(rng, 7, int(rng.integers(0, 7)), 1, round(float(rng.uniform(0.6, 0.9)), 2), fechada=True)
        volta = int(np.argsort(perm)[p["linha"]])
        abre = volta != perm[p["linha"]] and X[volta, 0] > -2.8
        if abre if abre_com_a_inversa else X[volta, 0] < -3.1:
            return "lista_04.porta", p, X, perm


def _vira(rng):
    perm, r = _linha_que_vira(rng, 7)
    return "lista_04.vira", {"W": normal(rng, 3, 4), "linha": r}, normal(rng, 7, 3), perm


def _trocas(rng):
    """A permutação é a própria inversa: quem permuta para o lado errado acerta, e quem não permuta a saída, não."""
    n, d = 6, 3
    pares, perm = rng.permutation(n), np.arange(n)
    perm[pares[:3]], perm[pares[3:]] = pares[3:], pares[:3]
    return *_camada(rng, n, d), normal(rng, n, d), perm


def _sorteios(rng):
    """Os feitios de casos: nome → (entre que limites, em relação ao maior |Y|, fica a diferença, quem sorteia)."""
    n_certa = int(rng.integers(2, 4))
    igual, arredonda, diferente = (0.0, 1e-9), (1e-17, 1e-9), (0.15, np.inf)
    return {
        "uma cabeça, sem posições": (arredonda, _cabeca_pura),
        "outra cabeça, sem posições": (arredonda, _cabeca_pura),
        "mais uma cabeça, sem posições": (arredonda, _cabeca_pura),
        "uma cabeça, com posições": (diferente, _com_posicoes),
        "uma cabeça que só olha para trás": (diferente, _causal),
        "a permutação que não muda nada": (igual, _identidade),
        "uma função que só comuta com rotações, e uma rotação": (igual, lambda rng: _roda(rng, True)),
        "uma função que só comuta com rotações, e outra permutação": (diferente, lambda rng: _roda(rng, False)),
        "posições que esta permutação não muda": (igual, _posicoes_por_ciclo),
        "uma função que ordena as linhas": (diferente, lambda rng: _ordem(rng, False)),
        "uma função que numera as linhas por ordem": (igual, lambda rng: _ordem(rng, True)),
        "todas as linhas iguais": (diferente, lambda rng: _uma_linha(rng, False)),
        "todas as linhas iguais, e a linha escolhida não sai do lugar": (igual, lambda rng: _uma_linha(rng, True)),
        "tudo vezes um número que depende da primeira linha": (diferente, _regida),
        "soma posições": (diferente, _so_soma_posicoes),
        "só a primeira linha coincide": (diferente, lambda rng: _so_soma_posicoes(rng, 0)),
        "só uma linha do meio coincide": (diferente, lambda rng: _so_soma_posicoes(rng, n_certa)),
        "só a primeira, a segunda e a última linha coincidem": (diferente, _so_o_meio_difere),
        "posições pequenas": ((0.011, 0.018), _quase),
        "uma linha sai com as colunas ao contrário": (diferente, _vira),
        "uma função que não comuta com perm, mas comuta neste X": (igual, lambda rng: _fechada(rng, False)),
        "outra que não comuta com perm, mas comuta neste X": (igual, lambda rng: _fechada(rng, True)),
        "só uma entrada difere, e para menos": (diferente, lambda rng: _uma_entrada(rng, rng.integers(2, 4), 1, -1)),
        "só uma entrada difere, e para mais": (diferente, lambda rng: _uma_entrada(rng, rng.integers(4, 6), 2, 1)),
        "só uma entrada da última linha difere": (diferente, lambda rng: _uma_entrada(rng, 6, 1, 1)),
        "só uma entrada da primeira linha difere": (diferente, lambda rng: _uma_entrada(rng, 0, 2, 1)),
        "uma permutação que é a própria inversa": (igual, _trocas),
        "só uma entrada difere, de menos de um milésimo": ((4e-4, 9e-4), _miuda),
        # a segunda parte: a f que escreve no que recebe
        "uma função que escreve no que recebe": (igual, lambda rng: _no_lugar(rng, True)),
        "outra função que escreve no que recebe": (diferente, lambda rng: _no_lugar(rng, False)),
    }


def _sortear(rng, limites, sortear):
    """Sorteia até a diferença cair entre os limites. Sem ser 0 nos casos de arredondamento: a igualdade exata erraria
    por sorte."""
    while True:
        feito = sortear(rng)
        if limites[0] <= _diferenca(*feito) < limites[1]:
            return feito


def _caso(rng, feitio, rotulo=""):
    nome, parametros, X, perm = _sortear(rng, *feitio)
    parte = "copia" if parametros.get("no_lugar") else "compara"
    return caso(funcao(nome, **parametros), X, perm, rotulo=rotulo, parte=parte)


def ocultos(rng):
    feitios = list(_sorteios(rng).values())
    casos = [_caso(rng, feitios[i]) for i in rng.permutation(len(feitios))]
    return sorted(casos, key=lambda c: c.parte == "copia")  # quem se esquece da cópia ouve isso por último


# Um caso de quase cada feitio, na ordem em que ensinam.
_VISIVEIS = [
    "uma cabeça, sem posições",
    "uma cabeça, com posições",
    "uma função que só comuta com rotações, e uma rotação",
    "outra cabeça, sem posições",
    "uma função que ordena as linhas",
    "só a primeira linha coincide",
    "tudo vezes um número que depende da primeira linha",
    "todas as linhas iguais",
    "só a primeira, a segunda e a última linha coincidem",
    "só uma entrada difere, e para menos",
    "só uma entrada difere, e para mais",
    "só uma entrada da primeira linha difere",
    "só uma entrada da última linha difere",
    "uma linha sai com as colunas ao contrário",
    "posições pequenas",
    "só uma entrada difere, de menos de um milésimo",
    "uma função que não comuta com perm, mas comuta neste X",
    "outra que não comuta com perm, mas comuta neste X",
    "uma função que escreve no que recebe",
]


def _visiveis_equivariante():
    rng = np.random.default_rng(4)
    feitios = _sorteios(rng)
    return [_caso(rng, feitios[rotulo], rotulo) for rotulo in _VISIVEIS]


q = questao(
    "lista-04/equivariante",
    assinatura="equivariante(f, X, perm)",
    saida="bool",
    referencia=equivariante,
    casos=[
        caso(
            funcao("lista_04.acumulada", W=np.eye(2)),
            np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]),
            np.array([2, 0, 1]),
            claro=True,
            rotulo="o exemplo do enunciado",
            parte="compara",
        ),
        *_visiveis_equivariante(),
    ],
    ocultos=ocultos,
    as_cegas=lambda f, X, perm: X.shape,
    partes={"compara": 0.75, "copia": 0.25},
)


q.equivocos_curtos("""
compara-sem-permutar-a-saida: iguais(Z, Y[perm]) → iguais(Z, Y)
    Você comparou f(X[perm]) com f(X): isso pergunta se a ordem não faz diferença alguma (invariância). Na
    equivariância, a saída muda de ordem junto com a entrada. Veja a Dica 1.
permuta-so-a-saida: iguais(Z, Y[perm]) → iguais(Y[perm], Y)
    Você só permutou a saída: f nunca viu a entrada embaralhada. São dois caminhos: embaralhar e aplicar f, ou aplicar f
    e embaralhar.
permutacao-inversa: iguais(Z, Y[perm]) → iguais(Z[perm], Y)
    Você recusou funções equivariantes. Confira o que você compara: de um lado, f com a entrada em outra ordem; do
    outro, a saída de f, posta nessa mesma ordem; e os números dos dois lados, com iguais(a, b). Veja a Dica 1.
igualdade-exata: iguais(Z, Y[perm]) → bool((Z == Y[perm]).all())
    Você exigiu igualdade exata. Somar em outra ordem muda o último algarismo: compare com iguais(a, b).
compara-conjuntos: iguais(Z, Y[perm]) → iguais(np.sort(Z, axis=0), np.sort(Y, axis=0))
    Você ordenou as saídas antes de comparar: só viu se são os mesmos números. Uma função que ordena as linhas passa
    nesse teste, e não comuta. Compare linha com linha.
permuta-colunas: iguais(f(X[:, perm]), f(X.copy())[:, perm])
    Você permutou as colunas de X, e nelas estão as componentes. Os tokens são as linhas: perm tem N índices.
so-a-primeira-linha: iguais(Z, Y[perm]) → iguais(Z[0], Y[perm[0]])
    Você comparou só a primeira linha. Ela pode coincidir por acaso: compare todas.
outra-permutacao: Z = f(X[perm]) → inversao = np.arange(len(X))[::-1]⏎Z = f(X[inversao])
        iguais(Z, Y[perm]) → iguais(Z, Y[inversao])
    Sua função testa uma permutação escolhida por ela. A pergunta é sobre a perm que chegou: uma função pode comutar com
    ela e não com as outras.
a-inversa-dos-dois-lados: Y = f(X.copy()) → Y, perm = f(X.copy()), np.argsort(perm)
    Você testou a permutação inversa, na entrada e na saída (há um argsort, ou uma matriz transposta?). A pergunta é
    sobre a perm que chegou: uma função pode comutar com uma e, neste X, não com a outra.
so-a-forma: iguais(Z, Y[perm]) → Z.shape == Y[perm].shape
    Sua função diz sempre que sim: ou compara só as formas, ou uma coisa com ela mesma. De um lado, f depois de trocar a
    ordem; do outro, a ordem trocada depois de f; e compare os valores.
responde-ao-contrario: iguais(Z, Y[perm]) → not iguais(Z, Y[perm])
    Suas respostas estão todas trocadas: True quer dizer que os dois caminhos chegam ao mesmo lugar.
so-algumas-linhas: iguais(Z, Y[perm]) → iguais(Z[[0, -1]], Y[perm][[0, -1]])
    Você não comparou todas as linhas: as das pontas podem coincidir e as do meio não. Compare todas as entradas.
so-as-duas-primeiras-linhas: iguais(Z, Y[perm]) → iguais(Z[:2], Y[perm][:2])
    Você só comparou o começo: as primeiras linhas podem coincidir e as outras não. Compare todas as entradas.
sem-a-primeira-linha: iguais(Z, Y[perm]) → iguais(Z[1:], Y[perm][1:])
    A primeira linha ficou de fora da sua comparação. Veja onde começa o laço, ou a fatia.
sem-a-ultima-linha: iguais(Z, Y[perm]) → iguais(Z[:-1], Y[perm][:-1])
    A última linha ficou de fora da sua comparação. Veja onde termina o laço, ou a fatia.
maioria-das-entradas: iguais(Z, Y[perm]) → bool(np.median(np.abs(Z - Y[perm])) < 1e-6)
    Para a sua função basta que a maioria das entradas coincida (há uma média ou uma mediana?). Uma só que difira já faz
    a resposta ser False.
resume-cada-linha: iguais(Z, Y[perm]) → iguais(np.linalg.norm(Z, axis=1), np.linalg.norm(Y[perm], axis=1))
    Você comparou um número por linha (a soma ou a norma dela). Duas linhas diferentes podem ter a mesma soma e a mesma
    norma: compare entrada com entrada.
sem-valor-absoluto: iguais(Z, Y[perm]) → bool((Z - Y[perm]).max() < 1e-6)
    Você tomou o máximo da diferença com sinal: uma diferença negativa, por maior que seja, passa por pequena. Falta o
    valor absoluto.
sem-valor-absoluto-ao-contrario: iguais(Z, Y[perm]) → bool((Y[perm] - Z).max() < 1e-6)
    Você tomou o máximo da diferença com sinal: uma diferença negativa, por maior que seja, passa por pequena. Falta o
    valor absoluto.
outro-X: Y = f(X.copy()) → outro = np.random.default_rng(0).normal(size=X.shape)⏎Y = f(outro.copy())
        Z = f(X[perm]) → Z = f(outro[perm])
    Sua função sorteia um X seu e testa nele. A pergunta é sobre o X que chegou: uma função pode comutar nele e não em
    outros.
a-mesma-copia: Y = f(X.copy()) → c = X.copy()⏎Y = f(c)
        Z = f(X[perm]) → Z = f(c[perm])
    Você fez uma cópia só e a deu às duas chamadas. A f que escreve no que recebe mudou a cópia na primeira, e a segunda
    já partiu de outra matriz. Cada chamada precisa da sua.
altera-a-entrada: f(X.copy()) → f(X)
    Sua função deixou X mudado. Há funções f que escrevem no que recebem: dê a elas uma cópia.
compara-somas: iguais(Z, Y[perm]) → iguais(Z.sum(axis=0), Y.sum(axis=0))
    Você comparou só as somas das colunas. Duas matrizes com a mesma soma podem ter linhas bem diferentes.
compara-a-soma-de-tudo: iguais(Z, Y[perm]) → iguais(Z.sum(), Y.sum())
    Você comparou a soma de tudo com a soma de tudo. Duas matrizes bem diferentes podem ter a mesma soma. Compare
    entrada com entrada.
any-em-vez-de-all: iguais(Z, Y[perm]) → bool(np.isclose(Z, Y[perm]).any())
    Basta uma entrada coincidir para a sua função dizer que sim: há um any onde deveria haver um all.
um-bool-por-entrada: iguais(Z, Y[perm]) → np.isclose(Z, Y[perm])
    Você devolveu um array de verdadeiros e falsos, um por entrada. Falta juntar todos em um só.
so-uma-coluna: iguais(Z, Y[perm]) → iguais(Z[:, 0], Y[perm][:, 0])
    Você não comparou todas as colunas: a diferença pode estar em uma coluna do meio. Compare todas as entradas.
meio-milesimo-e-igual: iguais(Z, Y[perm]) → bool(np.abs(Z - Y[perm]).max() <= 1e-3 * np.abs(Y).max())
    Você deixou passar por igual uma diferença pequena, mas de verdade: a do último algarismo é milhões de vezes menor.
    Sem arredondar e sem uma tolerância sua, compare com iguais(a, b).
tolerancia-larga: iguais(Z, Y[perm]) → bool(np.abs(Z - Y[perm]).max() <= 0.1 * np.abs(Y).max())
    Sua tolerância é larga demais: passou por igual uma diferença que se vê a olho nu. Compare com iguais(a, b).
""")


@q.alternativa
def com_a_inversa(f, X, perm):
    Y = f(np.array(X))
    de_volta = f(X[perm])[np.argsort(perm)]
    return np.max(np.abs(de_volta - Y)) < 1e-8


@q.alternativa
def com_matriz_de_permutacao(f, X, perm):
    P = np.eye(len(X))[perm]
    Y = f(X.copy())
    return bool(np.linalg.norm(f(P @ X) - P @ Y) <= 1e-4 * np.linalg.norm(Y))


@q.alternativa
def com_lacos(f, X, perm):
    embaralhada = np.array([X[p] for p in perm])
    Y, Z = f(X.copy()), f(embaralhada)
    tamanho = max(abs(float(v)) for linha in Y for v in linha)
    for n, p in enumerate(perm):
        for a, b in zip(Z[n], Y[p], strict=True):
            if abs(float(a) - float(b)) > 1e-4 * tamanho:
                return False
    return True


@q.alternativa
def com_torch(f, X, perm):
    Y, Z = torch.as_tensor(f(X.copy())), torch.as_tensor(f(X[perm]))
    return bool((Z - Y[torch.as_tensor(perm)]).abs().max() <= 1e-4 * Y.abs().max())


q.alternativas_curtas("""
com-allclose: iguais(Z, Y[perm]) → np.allclose(Z, Y[perm])
relativa: iguais(Z, Y[perm]) → bool(np.abs(Z - Y[perm]).max() <= 1e-4 * np.abs(Y).max())
""")
