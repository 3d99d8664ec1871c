"""A questão `equivariante` da lista 04.

Nos casos, a diferença entre f(X[perm]) e f(X)[perm] ou é de arredondamento (menos de 1e-5 do maior |Y|) ou é clara
(mais de 1e-2 dele): o enunciado promete isso, e quem sorteia garante.
"""

import numpy as np
import torch

from gabarito.base import caso, funcao, questao
from gabarito.lista_04.comum import normal, sortear_pesos
from helpers.conferencia.pecas import peca


def equivariante(f, X, perm):
    Y = f(X.copy())  # uma cópia: f pode escrever no que recebe
    Z = f(X[perm])  # indexar com um vetor já copia
    return bool(np.abs(Z - Y[perm]).max() <= 1e-4 * np.abs(Y).max())


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


def _positivos(rng, *forma):
    return rng.uniform(0.2, 1.0, size=forma).round(2)


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


def _sorteios(rng):
    """Os feitios de casos: (entre que limites, em relação ao maior |Y|, fica a diferença, função que sorteia)."""

    def cabeca_pura(tipo="float64"):
        n, d = int(rng.integers(5, 8)), 3
        return *_camada(rng, n, d, tipo=tipo), normal(rng, n, d), _perm(rng, n)

    def enorme():
        n, d = int(rng.integers(5, 8)), 3
        nome, p = _camada(rng, n, d, M=np.full((n, n), 0.3), escala=1e6, tipo="float32")
        p["W_V"] = _positivos(rng, d, 4)
        return nome, p, _positivos(rng, n, d), _perm(rng, n)

    def identidade():
        n, d = int(rng.integers(4, 8)), 3
        return *_camada(rng, n, d, P=normal(rng, n, d)), normal(rng, n, d), np.arange(n)

    def roda(comuta):
        n, d = int(rng.integers(5, 8)), 3
        perm = _ciclo(n, int(rng.integers(1, 3))) if comuta else _perm(rng, n)
        return *_camada(rng, n, d, M=_circulante(rng, n)), normal(rng, n, d), perm

    def posicoes_por_ciclo():
        n, d = 6, 3
        a = rng.permutation(n)  # dois ciclos de três
        perm = np.arange(n)
        perm[a[:3]], perm[a[3:]] = np.roll(a[:3], 1), np.roll(a[3:], 1)
        return *_camada(rng, n, d, P=_constante_nos_ciclos(rng, perm, d)), normal(rng, n, d), perm

    def no_lugar(comuta):
        n, d = int(rng.integers(4, 8)), 2
        P = None if comuta else normal(rng, n, d)
        return *_por_token(rng, n, d, P=P, centra=True, no_lugar=True), normal(rng, n, d), _perm(rng, n)

    def ordem(devolve):
        n, d = int(rng.integers(4, 8)), 3
        p = {"W": normal(rng, d, 2), "coluna": int(rng.integers(0, d)), "devolve": devolve}
        return "lista_04.ordenada", p, normal(rng, n, d), _perm(rng, n)

    def uma_linha(comuta):
        n, d = int(rng.integers(5, 8)), 3
        k = int(rng.integers(1, n))
        p = {"W": normal(rng, d, 2), "linha": k}
        return "lista_04.escolhida", p, normal(rng, n, d), _perm(rng, n, fixo=k if comuta else None)

    def com_posicoes(escala=1.0):
        n, d = int(rng.integers(4, 8)), 3
        P = normal(rng, n, d) * 2
        return *_camada(rng, n, d, P=P, escala=escala), normal(rng, n, d), _perm(rng, n)

    def causal():
        n, d = int(rng.integers(4, 8)), 3
        return *_camada(rng, n, d, causal=True), normal(rng, n, d), _perm(rng, n)

    def regida():
        """As duas saídas são proporcionais, e mesmo assim diferentes."""
        n, d = int(rng.integers(5, 8)), 3
        return "lista_04.regida", {"W": normal(rng, d, 2)}, normal(rng, n, d), _perm(rng, n)

    def so_soma_posicoes(certa=None):
        """X + P, linha a linha; se `certa` é um índice, só essa linha de f(X[perm]) coincide."""
        n, d = int(rng.integers(5, 8)), 3
        P, perm = normal(rng, n, d), _perm(rng, n)
        while certa is not None and perm[perm[certa]] == certa:  # em um ciclo de dois, a outra coincidiria também
            perm = _perm(rng, n)
        if certa is not None:
            P[certa] = P[perm[certa]]
        return *_por_token(rng, n, d, P=P, tanh=False), normal(rng, n, d), perm

    def quase():
        """Posições pequenas: diferem por pouco mais de um centésimo."""
        nome, p, X, perm = so_soma_posicoes()
        efeito = np.abs((p["P"][perm] - p["P"]) @ p["W"]).max()
        p["P"] = p["P"] * 0.014 * np.abs(X @ p["W"] + p["b"]).max() / efeito
        return nome, p, X, perm

    def so_o_meio_difere():
        """As linhas 0, 1 e a última coincidem; as outras, que são a maioria, não."""
        n, d = 7, 3
        a, perm = rng.permutation(n), np.arange(n)
        perm[a] = np.roll(a, -1)  # um ciclo só
        P = normal(rng, n, d)
        for _ in range(3):
            for i in (0, 1, n - 1):
                P[perm[i]] = P[i]
        return *_por_token(rng, n, d, P=P, tanh=False), normal(rng, n, d), perm

    def uma_entrada(onde, coluna, sinal):
        """f(X[perm]) − f(X)[perm] é zero em toda parte, menos em uma entrada, e ali tem o sinal dado."""
        v = -sinal * round(float(rng.uniform(0.4, 0.9)), 2)
        p, X, perm = _porta(rng, 7, onde, coluna, v)
        return "lista_04.porta", p, X, perm

    def fechada():
        p, X, perm = _porta(rng, 7, int(rng.integers(0, 7)), 1, round(float(rng.uniform(0.6, 0.9)), 2), fechada=True)
        return "lista_04.porta", p, X, perm

    def arredondada(nula):
        """Saídas perto de um milhão; a diferença é minúscula, ou na maior entrada, ou em uma que seria nula."""
        while True:
            p, X, perm = _porta(rng, 7, int(rng.integers(2, 6)), 1, 0.0)
            p["W"], r = p["W"] * 4e5, p["linha"]
            if nula and p["W"][2, 1] == 0:
                continue
            if nula:
                X[r, 2] = -X[r, :2] @ p["W"][:2, 1] / p["W"][2, 1]
            Y = np.abs(X @ p["W"])
            if nula and abs(X[r, 2]) < 2 and Y[:, 0].max() > 1e5:
                p["v"][1] = 5e-7 * Y.max() / (X[r, 0] + 3)
            elif not nula and Y[r].max() == Y.max():
                p["v"][int(Y[r].argmax())] = 6e-6 * Y.max() / (X[r, 0] + 3)
            else:
                continue
            return "lista_04.porta", p, X, perm

    def vira():
        perm, r = _linha_que_vira(rng, 7)
        return "lista_04.vira", {"W": normal(rng, 3, 4), "linha": r}, normal(rng, 7, 3), perm

    def trocas():
        """A permutação é a própria inversa: quem permuta para o lado errado acerta, e quem não permuta a saída, não."""
        n, d = 6, 3
        pares, perm = rng.permutation(n), np.arange(n)
        perm[pares[:3]], perm[pares[3:]] = pares[3:], pares[:3]
        return *_camada(rng, n, d), normal(rng, n, d), perm

    n_certa = int(rng.integers(2, 4))
    igual, quase_igual, diferente = (0.0, 1e-6), (1e-12, 1e-6), (0.15, np.inf)
    return [
        (igual, cabeca_pura), (quase_igual, lambda: cabeca_pura("float32")), (quase_igual, enorme), (igual, identidade),
        (igual, lambda: roda(True)), (igual, posicoes_por_ciclo), (igual, lambda: no_lugar(True)),
        (igual, lambda: ordem(True)), (igual, lambda: uma_linha(True)),
        (diferente, com_posicoes), (diferente, lambda: com_posicoes(1e-10)), (diferente, causal), (diferente, regida),
        (diferente, lambda: roda(False)), (diferente, lambda: ordem(False)), (diferente, lambda: uma_linha(False)),
        (diferente, so_soma_posicoes), (diferente, lambda: so_soma_posicoes(0)),
        (diferente, lambda: so_soma_posicoes(n_certa)), (diferente, lambda: no_lugar(False)),
        # a partir daqui, o que só se vê comparando todas as entradas, em valor absoluto, com a tolerância prometida
        ((0.011, 0.018), quase), (diferente, so_o_meio_difere), (diferente, vira), (igual, fechada),
        (diferente, lambda: uma_entrada(int(rng.integers(2, 4)), 1, -1)),
        (diferente, lambda: uma_entrada(int(rng.integers(4, 6)), 2, 1)),
        (diferente, lambda: uma_entrada(6, 1, 1)), (diferente, lambda: uma_entrada(0, 2, 1)),
        ((3e-6, 9e-6), lambda: arredondada(False)), ((2e-7, 9e-7), lambda: arredondada(True)), (igual, trocas),
    ]  # fmt: skip


def _sortear(limites, sortear):
    """Sorteia até a diferença cair entre os limites. Sem ser 0 nos casos de arredondamento: a igualdade exata erraria
    por sorte."""
    while True:
        feito = sortear()
        if limites[0] <= _diferenca(*feito) < limites[1]:
            return feito


def ocultos(rng):
    sorteios = _sorteios(rng)
    casos = []
    for i in rng.permutation(len(sorteios)):
        nome, parametros, X, perm = _sortear(*sorteios[i])
        casos.append(caso(funcao(nome, **parametros), X, perm))
    # quem se esquece da cópia ouve isso por último, como nos visíveis: só o que não é outro erro
    return sorted(casos, key=lambda c: bool(c.entradas[0].parametros.get("no_lugar")))


def _visiveis_equivariante():
    """Um caso de cada feitio, sorteados uma vez por todas; na ordem em que ensinam."""
    rng = np.random.default_rng(4)
    rotulos = {
        0: "uma cabeça, sem posições",
        9: "uma cabeça, com posições",
        4: "uma função que só comuta com rotações, e uma rotação",
        2: "saídas perto de um milhão, em float32",
        10: "saídas perto de 1e-10",
        14: "uma função que ordena as linhas",
        17: "só a primeira linha coincide",
        12: "tudo vezes um número que depende da primeira linha",
        15: "todas as linhas iguais",
        6: "uma função que escreve no que recebe",
        21: "só a primeira, a segunda e a última linha coincidem",
        24: "só uma entrada difere, e para menos",
        27: "só uma entrada da primeira linha difere",
        26: "só uma entrada da última linha difere",
        22: "uma linha sai com as colunas ao contrário",
        20: "a maior diferença passa pouco de 0,01 c",
        28: "a maior diferença é quase 0,00001 c",
        29: "uma entrada quase nula",
        23: "uma função que não comuta com perm, mas comuta neste X",
    }
    sorteios = _sorteios(rng)
    casos = []
    for i, rotulo in rotulos.items():
        nome, parametros, X, perm = _sortear(*sorteios[i])
        casos.append(caso(funcao(nome, **parametros), X, perm, rotulo=rotulo))
    return casos


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
        ),
        *_visiveis_equivariante(),
    ],
    ocultos=ocultos,
    as_cegas=True,
)


def _perto(Z, Y):
    return bool(np.abs(Z - Y).max() <= 1e-4 * np.abs(Y).max())


q.equivocos_curtos("""
compara-sem-permutar-a-saida: _perto(f(X[perm]), f(X.copy()))
    Você comparou f(X[perm]) com f(X): isso pergunta se a ordem não faz diferença alguma (invariância). Na
    equivariância, a saída muda de ordem junto com a entrada. Veja a Dica 1.
permuta-so-a-saida: bool(np.abs(Z - Y[perm]).max() <= 1e-4 * np.abs(Y).max()) → _perto(Y[perm], Y)
    Você só permutou a saída: f nunca viu a entrada embaralhada. São dois caminhos: embaralhar e aplicar f, ou aplicar f
    e embaralhar.
permutacao-inversa: _perto(f(X[perm])[perm], f(X.copy()))
    Você recusou funções equivariantes: a entrada ou a saída foi permutada para o lado errado. Use [perm] na entrada e
    na saída, do mesmo jeito; ou desfaça a ordem de f(X[perm]) com np.argsort(perm), e compare com f(X). Veja a Dica 1.
igualdade-exata: bool((f(X[perm]) == f(X.copy())[perm]).all())
    Você exigiu igualdade exata. Somar em outra ordem muda o último algarismo: compare a menos de um arredondamento.
allclose-sem-pensar: bool(np.allclose(f(X[perm]), f(X.copy())[perm]))
    Com saídas perto de 1e-10, tudo parece igual: a tolerância absoluta do np.allclose (1e-8) é maior que os próprios
    números. Meça a diferença em relação ao maior |Y|. Veja a Dica 2.
tolerancia-absoluta: bool(np.abs(f(X[perm]) - f(X.copy())[perm]).max() < 1e-5)
    Sua tolerância é um número fixo: aceita qualquer coisa quando as saídas são minúsculas e recusa arredondamentos
    quando são enormes. Meça a diferença em relação ao maior |Y|. Veja a Dica 2.
compara-conjuntos: _perto(np.sort(f(X[perm]), axis=0), np.sort(f(X.copy()), axis=0))
    Você ordenou as saídas antes de comparar: só viu se são os mesmos números. Uma função que ordena as linhas passa
    nesse teste, e não comuta. Compare linha com linha.
permuta-colunas: _perto(f(X[:, perm]), f(X.copy())[:, perm])
    Você permutou as colunas de X, e nelas estão as componentes. Os tokens são as linhas: perm tem N índices.
so-a-primeira-linha: Z - Y[perm] → f(X[perm])[0] - Y[perm[0]]
    Você comparou só a primeira linha. Ela pode coincidir por acaso: compare todas.
outra-permutacao: Z = f(X[perm]) → inversao = np.arange(len(X))[::-1]
        bool(np.abs(Z - Y[perm]).max() <= 1e-4 * np.abs(Y).max()) → _perto(f(X[inversao]), f(X.copy())[inversao])
    Sua função testa uma permutação escolhida por ela. A pergunta é sobre a perm que chegou: uma função pode comutar com
    ela e não com as outras.
so-a-forma: f(X[perm]).shape == f(X.copy())[perm].shape
    Sua função diz sempre que sim: a forma das duas saídas é igual em todos os casos. Compare os valores.
responde-ao-contrario: not equivariante(f, X, perm)
    Suas respostas estão todas trocadas: True quer dizer que os dois caminhos chegam ao mesmo lugar.
so-algumas-linhas: Z - Y[perm] → (f(X[perm]) - Y[perm])[[0, -1]]
    Você não comparou todas as linhas: as das pontas podem coincidir e as do meio não. Compare todas as entradas.
so-as-duas-primeiras-linhas: Z - Y[perm] → (f(X[perm]) - Y[perm])[:2]
    Você só comparou o começo: as primeiras linhas podem coincidir e as outras não. Compare todas as entradas.
sem-a-primeira-linha: Z - Y[perm] → (f(X[perm]) - Y[perm])[1:]
    A primeira linha ficou de fora da sua comparação. Veja onde começa o laço, ou a fatia.
sem-a-ultima-linha: Z - Y[perm] → (f(X[perm]) - Y[perm])[:-1]
    A última linha ficou de fora da sua comparação. Veja onde termina o laço, ou a fatia.
maioria-das-entradas: np.abs(Z - Y[perm]).max() → np.median(np.abs(f(X[perm]) - Y[perm]))
    Para a sua função basta que a maioria das entradas coincida (há uma média ou uma mediana?). Uma só que difira já faz
    a resposta ser False.
resume-cada-linha: Y = f(X.copy()) → Y, Z = f(X.copy())[perm], f(X[perm])
        Z = f(X[perm]) → normas = np.linalg.norm(Z, axis=1) - np.linalg.norm(Y, axis=1)
        Z - Y[perm] → normas
    Você comparou um número por linha (a soma ou a norma dela). Duas linhas diferentes podem ter a mesma soma e a mesma
    norma: compare entrada com entrada.
sem-valor-absoluto: np.abs(Z - Y[perm]) → (f(X[perm]) - Y[perm])
    Você tomou o máximo da diferença com sinal: uma diferença negativa, por maior que seja, passa por pequena. Falta o
    valor absoluto.
sem-valor-absoluto-ao-contrario: np.abs(Z - Y[perm]) → (Y[perm] - f(X[perm]))
    Você tomou o máximo da diferença com sinal: uma diferença negativa, por maior que seja, passa por pequena. Falta o
    valor absoluto.
relativa-a-cada-entrada: bool(np.allclose(f(X[perm]), f(X.copy())[perm], rtol=1e-4, atol=0))
    Você mediu cada diferença em relação à própria entrada: quando a entrada é quase nula, um arredondamento parece
    enorme. A medida é uma só, o maior |Y|.
outro-X: Z = f(X[perm]) → outro = np.random.default_rng(0).normal(size=X.shape)
        bool(np.abs(Z - Y[perm]).max() <= 1e-4 * np.abs(Y).max()) → _perto(f(outro[perm]), f(outro.copy())[perm])
    Sua função sorteia um X seu e testa nele. A pergunta é sobre o X que chegou: uma função pode comutar nele e não em
    outros.
altera-a-entrada: _perto(f(X[perm]), f(X)[perm])
    Sua função deixou X mudado. Há funções f que escrevem no que recebem: dê a elas uma cópia.
allclose-sem-copia: bool(np.allclose(f(X[perm]), f(X)[perm]))
    Com saídas perto de 1e-10, tudo parece igual: a tolerância absoluta do np.allclose (1e-8) é maior que os próprios
    números. Meça a diferença em relação ao maior |Y|. E dê a f uma cópia de X: f pode mudar o array que recebe.
""")


@q.equivoco
def compara_somas(f, X, perm):
    """Você comparou só as somas das colunas. Duas matrizes com a mesma soma podem ter linhas bem diferentes."""
    Y = f(X.copy())
    return _perto(f(X[perm]).sum(axis=0) / np.abs(Y).max(), Y.sum(axis=0) / np.abs(Y).max() + 1e-9)


@q.equivoco
def any_em_vez_de_all(f, X, perm):
    """Basta uma entrada coincidir para a sua função dizer que sim: há um any onde deveria haver um all."""
    Y = f(X.copy())
    return bool((np.abs(f(X[perm]) - Y[perm]) <= 1e-4 * np.abs(Y).max()).any())


@q.equivoco
def um_bool_por_entrada(f, X, perm):
    """Você devolveu um array de verdadeiros e falsos, um por entrada. Falta juntar todos em um só."""
    Y = f(X.copy())
    return np.abs(f(X[perm]) - Y[perm]) <= 1e-4 * np.abs(Y).max()


@q.equivoco
def so_uma_coluna(f, X, perm):
    """Você não comparou todas as colunas: a diferença pode estar em uma coluna do meio. Compare todas as entradas."""
    Y = f(X.copy())
    return _perto((f(X[perm]) - Y[perm])[:, 0] / np.abs(Y).max() + 1, np.ones(len(X)))


@q.equivoco
def tolerancia_larga(f, X, perm):
    """Sua tolerância é larga demais: passou por igual uma diferença maior que um centésimo do maior |Y|. O enunciado
    diz entre que números ela deve ficar."""
    Y = f(X.copy())
    return bool(np.abs(f(X[perm]) - Y[perm]).max() <= 0.1 * np.abs(Y).max())


@q.equivoco
def tolerancia_apertada(f, X, perm):
    """Sua tolerância é apertada demais: recusou uma diferença menor que 0,00001 do maior |Y|, que conta como igual. O
    enunciado diz entre que números ela deve ficar."""
    Y = f(X.copy())
    return bool(np.abs(f(X[perm]) - Y[perm]).max() <= 1e-6 * np.abs(Y).max())


@q.alternativa
def com_a_inversa(f, X, perm):
    Y = f(np.array(X))
    de_volta = f(X[perm])[np.argsort(perm)]
    return np.max(np.abs(de_volta - Y)) < 1e-3 * np.max(np.abs(Y))


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
allclose-com-escala: Z = f(X[perm]) → c = np.abs(Y).max()
        bool(np.abs(Z - Y[perm]).max() <= 1e-4 * np.abs(Y).max()) → np.allclose(f(X[perm]) / c, Y[perm] / c, atol=1e-4)
""")
