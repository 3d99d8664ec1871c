"""A questão `mais_parecido` da lista 01."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_01.comum import RATO, produto_escalar  # noqa: F401 (usada nas tabelas)
from gabarito.lista_01.cosseno import cosseno


def mais_parecido(X, n):
    s = X @ X[n]  # (N,)
    s[n] = -np.inf  # o próprio n fica fora da disputa
    return int(np.argmax(s))  # argmax fica com o primeiro dos empatados


def _sorteia(rng, N, d, rotulo, serve, escala=1.0, parte=None):
    """Inteiros pequenos (contas exatas, empates de verdade), sorteados até que a condição `serve(X, n, s)` valha.

    A escala é uma potência de dois, e as contas continuam exatas, até em float32.
    """
    while True:
        X = rng.integers(-4, 5, size=(N, d)) * escala
        n = int(rng.integers(0, N))
        if X.any(axis=1).all() and serve(X, n, X @ X[n]):
            return caso(X, n, rotulo=rotulo, parte=parte)


def _outros(s, n):
    return np.delete(s, n)


def _melhores(s, n):
    """Os índices de todos os que empatam no primeiro lugar, fora o próprio n."""
    maior = _outros(s, n).max()
    return [i for i in range(len(s)) if i != n and s[i] == maior]


def _escolhido(medida, n):
    return int(_outros(medida, n).argmax())


def _igual_e_empatado(rng):
    """n = 0; depois dele, um token igual a ele, outro que só empata com ele e um menos parecido."""
    u, v = (int(k) for k in rng.permutation([1, 2, 3, 4])[:2])
    # (u, v)·(u + v, v − u) = u² + v²
    X = np.array([[u, v], [u, v], [u + v, v - u], [v - 4, -u]], dtype=float)
    return caso(X, 0, rotulo="um token igual ao n, e outro que empata com ele", parte="empates")


def _proprio_ganha(X, n, s):
    # O módulo acerta aqui, para não se confundir com quem responde o menos parecido.
    m = _melhores(s, n)
    return 0 < n < 4 and m == [n + 1] and s[n] > s[n + 1] > -s.min()


def _outro_ganha(X, n, s):
    m = _melhores(s, n)
    return len(m) == 1 and m[0] < n and s[m[0]] > s[n] and (s > s[n]).sum() == 1


def _empate_adiante(X, n, s):
    m = _melhores(s, n)
    return len(m) == 2 and m[0] > n + 1 and s[n] > s[m[0]] > 0


def _empate_dos_dois_lados(X, n, s):
    m = _melhores(s, n)
    return len(m) == 2 and m[0] < n < m[1]


def _todos_negativos(X, n, s):
    m = _melhores(s, n)
    return 0 < n < 3 and len(m) == 1 and m[0] != 0 and s[m[0]] < -1


def _outra_medida(X, n, s):
    por_cosseno = _escolhido(np.round(cosseno(X)[n], 9), n)
    por_distancia = _escolhido(-((X - X[n]) ** 2).sum(axis=1), n)
    return len(_melhores(s, n)) == 1 and len({_escolhido(s, n), por_cosseno, por_distancia}) == 3


def _outro_token(X, n, s):
    certo, oposto, mais_longo = (_escolhido(m, n) for m in (s, np.abs(s), (X**2).sum(axis=1)))
    return n != 0 and len(_melhores(s, n)) == 1 and len({certo, oposto, mais_longo}) == 3


def _fracoes(X, n, s):
    # Nem os vetores nem os produtos podem virar inteiros ou décimos.
    P = np.round(X)
    tortos = [np.trunc(X) @ np.trunc(X[n]), np.trunc(s), P @ P[n], np.round(s), np.round(s, 1)]
    return len(_melhores(s, n)) == 1 and all(_escolhido(t, n) != _escolhido(s, n) for t in tortos)


def _empata_com_n(X, n, s):
    m = _melhores(s, n)
    return len(m) == 1 and m[0] > n and s[n] == s[m[0]] and not (X[n] == X[m[0]]).all()


# Os postos de vinte produtos, e o n: cinco empatam no 12, e o próprio n tem mais que todos. Com estes, quem usa uma
# ordenação que não guarda a ordem dos empatados erra em todo processador (um teste olha); com outros, só em alguns.
_POSTOS = [
    ([-7, 3, 2, 2, -5, -8, 7, 3, -4, -4, 5, -1, 12, 12, 12, -8, 20, 12, 12, -8], 16),
    ([-8, 5, 2, 0, 5, -5, 6, -3, 8, -4, -3, 12, 12, 12, -6, -8, 7, 20, 12, 12], 17),
    ([2, 3, 12, 12, -5, 0, -1, 5, 12, -9, -9, -7, 2, 2, 8, -2, -3, 20, 12, 12], 17),
]


def _muitos(rng, qual, rotulo="vinte tokens, e um empate"):
    """Vinte tokens com os produtos naquela ordem; as contas são exatas até em float32."""
    s, n = np.array(_POSTOS[qual][0], dtype=float), _POSTOS[qual][1]
    v = float(rng.integers(1, 4))
    y = rng.integers(-3, 4, size=len(s)).astype(float)
    X = np.stack([(s - v * y) / 4, y], axis=1)  # vezes (4, v) dá s
    X[n] = 4.0, v  # e o produto dele consigo, 16 + v², é o maior
    return caso(X * 2.0 ** int(rng.integers(-1, 3)), n, rotulo=rotulo, parte="empates")


def ocultos(rng):
    nulo = rng.integers(1, 5, size=(4, 3)) * rng.choice([-1.0, 1.0], size=(4, 3))
    nulo[0] = 0.0
    return [
        _sorteia(rng, 6, 3, "o próprio n tem o maior produto", _proprio_ganha),
        _sorteia(rng, 5, 3, "outro token ganha do próprio n", _outro_ganha),
        _sorteia(rng, 6, 2, "empate", _empate_adiante, parte="empates"),
        _sorteia(rng, 5, 3, "empate, um de cada lado de n", _empate_dos_dois_lados, parte="empates"),
        _sorteia(rng, 4, 2, "todos os produtos negativos", _todos_negativos),
        _sorteia(rng, 6, 4, "produto, cosseno e distância discordam", _outra_medida),
        _sorteia(rng, 5, 2, "um token oposto e um mais longo", _outro_token),
        _sorteia(rng, 3, 5, "n é o último", lambda X, n, s: n == 2 and _melhores(s, n) == [1]),
        _sorteia(rng, 6, 3, "frações", _fracoes, escala=0.125),
        _igual_e_empatado(rng),
        _sorteia(rng, 5, 2, "o melhor empata com o próprio n", _empata_com_n),
        _sorteia(rng, 2, 3, "N = 2", lambda X, n, s: n == 0 and s[0] > s[1] > 0),
        _sorteia(rng, 2, 1, "N = 2, n = 1, d = 1", lambda X, n, s: n == 1),
        _sorteia(rng, 4, 3, "produtos muito negativos", _todos_negativos, escala=1024.0),
        caso(nulo, 0, rotulo="o token n é nulo", parte="empates"),
        _muitos(rng, 1),
        _muitos(rng, 2),
    ]


q = questao(
    "lista-01/mais_parecido",
    assinatura="mais_parecido(X, n)",
    saida="int",
    referencia=mais_parecido,
    depende=["similaridades"],
    casos=[
        # produtos de X[1] = (2, 1) com cada linha: 3, 5, 4, −2
        caso(
            np.array([[1.0, 1.0], [2.0, 1.0], [0.0, 4.0], [-1.0, 0.0]]), 1, rotulo="o exemplo do enunciado", claro=True
        ),
        caso(np.round(RATO * 10), 1, rotulo="rato, na frase do rato (vetores ×10)"),
        # X[0] = (1, 2): 5, 4, 6, 6, −3  → empate entre 2 e 3
        caso(
            np.array([[1.0, 2.0], [4.0, 0.0], [2.0, 2.0], [0.0, 3.0], [1.0, -2.0]]), 0, rotulo="um empate",
            parte="empates",
        ),
        # X[2] = (1, 1, 0): −3, −2, 2, −4  → todos os outros negativos, abaixo de −1
        caso(
            np.array([[-3.0, 0.0, 1.0], [-4.0, 2.0, 0.0], [1.0, 1.0, 0.0], [0.0, -4.0, 2.0]]), 2,
            rotulo="todos os outros com produto negativo",
        ),
        # X[1] = (1, −1, 2): 3, 6, −9, 7  → a 2 é a mais oposta; a 3 ganha de n
        caso(
            np.array([[2.0, 1.0, 1.0], [1.0, -1.0, 2.0], [-3.0, 2.0, -2.0], [4.0, 3.0, 3.0]]), 1,
            rotulo="um token bem oposto",
        ),
        # X[3] = (2, 2): 6, 4, 2, 8, 6  → empate entre 0 e 4, um de cada lado de n
        caso(
            np.array([[1.0, 2.0], [0.0, 2.0], [2.0, -1.0], [2.0, 2.0], [3.0, 0.0]]), 3,
            rotulo="um empate, um de cada lado de n", parte="empates",
        ),
        # X[3] = (2, 1): 6, 3, 5, 5  → o primeiro de todos, e n é o último; a 2 tem a maior parcela
        caso(np.array([[2.0, 2.0], [1.0, 1.0], [3.0, -1.0], [2.0, 1.0]]), 3, rotulo="o token 0 ganha, e n é o último"),
        # X[0] = (0,5; 0,25): 0,3125; 0,3125; 0,34375
        caso(np.array([[0.5, 0.25], [0.25, 0.75], [0.5, 0.375]]), 0, rotulo="frações"),
        # X[0] = (2, 1): 5, 5, 5, 4  → a 1 é igual ao token n, e a 2 só empata com ele
        caso(
            np.array([[2.0, 1.0], [2.0, 1.0], [3.0, -1.0], [1.0, 2.0]]), 0,
            rotulo="um token igual ao n, e outro que empata com ele", parte="empates",
        ),
        # só um concorrente, de produto −2 097 152
        caso(np.array([[1024.0, 0.0], [-2048.0, 9.0]]), 0, rotulo="dois tokens, longos e opostos"),
        caso(
            np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0], [-2.0, 1.0]]), 0, rotulo="o token n é nulo", parte="empates"
        ),
        _muitos(np.random.default_rng(1), 0, "vinte tokens, e um empate de cinco"),
    ],
    ocultos=ocultos,
    partes={"valores": 0.75, "empates": 0.25},
)  # fmt: skip

q.equivocos_curtos("""
inclui-o-proprio: int(np.argmax(X @ X[n]))
    Sua função respondeu o próprio n. Tire n da disputa antes de procurar o maior. Veja a Dica 2.
segundo-colocado: int(np.argsort(-(X @ X[n]), kind="stable")[1])
    Você pegou o segundo maior, supondo que o maior é sempre o próprio n. Nem sempre é: outro token, mais longo, pode
    ganhar dele.
segundo-do-fim: int(np.argsort(X @ X[n], kind="stable")[-2])
    Você ordenou e pegou o penúltimo, supondo que o último é o próprio n. Nem sempre é, e o
    empate também saiu trocado. Tire n da disputa antes de procurar o maior. Veja a Dica 2.
indice-deslocado: int(np.argmax(np.delete(X @ X[n], n)))
    Você apagou a posição n e o resto andou uma casa: os índices depois de n ficaram um a menos. Traga-os de volta. Veja
    a Dica 2.
devolve-o-valor: float(np.max(np.delete(X @ X[n], n)))
    Sua função devolve o maior produto escalar. O pedido é o índice do token que o tem.
devolve-o-vetor: X[mais_parecido(X, n)]
    Sua função devolve o vetor do token. O pedido é o índice dele, um inteiro.
empate-para-o-ultimo: np.argmax(s) → len(s) - 1 - np.argmax(s[::-1])
    Num empate, você ficou com o maior índice. O pedido é o menor: compare com `>`, e não com `>=`, e não pegue o último
    de um argsort. Veja a Dica 3.
com-cosseno: s = X @ X[n] → c = cosseno(X)[n]
        s[n] → c[n]
        .argmax(s) → .argmax(np.round(c, 9))
    Você comparou pelo cosseno. Aqui vale o produto escalar, em que o comprimento também conta.
com-distancia: s = X @ X[n] → d = np.linalg.norm(X - X[n], axis=1)
        s[n] = -np.inf → d[n] = np.inf
        np.argmax(s) → np.argmin(d)
    Você escolheu o token mais próximo em distância. Aqui vale o produto escalar: longe na mesma direção ganha de perto.
menos-parecido: -np.inf → np.inf
        .argmax → .argmin
    Você respondeu o token de menor produto escalar, o mais oposto. O pedido é o maior.
valor-absoluto: X @ X[n] → np.abs(X @ X[n])
    Você comparou os produtos sem o sinal, e um token oposto ganhou. Oposto não é parecido: guarde o sinal.
zera-a-diagonal: -np.inf → 0
    O próprio n ficou com 0: ou você trocou o produto dele por 0, ou o seu laço começa no 0. Quando todos os outros
    produtos são negativos, esse 0 ganha: tire n de verdade da disputa. Veja a Dica 2.
sentinela-finita: np.inf → 999
    Para tirar n da disputa, você usou um número como −100 ou −999, e há produtos menores do que ele: n ganhou. Menos
    infinito perde para todos.
troca-pelo-minimo: -np.inf → s.min()
    Você pôs no lugar do próprio n o menor dos produtos. Quando todos os outros empatam, ou há um outro só, n empata com
    eles e ainda pode ganhar: tire-o de verdade da disputa.
exclui-linhas-iguais: s[n] → s[[bool((x == X[n]).all()) for x in X]]
    Você tirou da disputa todas as linhas iguais à do token n. Só a posição n sai: uma palavra repetida é outro token.
exclui-valores-iguais: s[n] → s[s == s[n]]
    Você tirou da disputa todos os que têm o mesmo produto que o próprio n. Só a posição n sai: quem empata com ela
    concorre.
trunca-para-inteiros: mais_parecido(np.trunc(X), n)
    As frações sumiram da conta: os vetores, ou os produtos, viraram inteiros no caminho. Compare os produtos como são.
conta-a-partir-de-1: mais_parecido(X, n) + 1
    Sua resposta está uma casa adiante: você contou os tokens a partir de 1. Os índices de Python começam no 0.
so-os-seguintes: s[n] → s[: n + 1]
    Você só comparou n com os tokens que vêm depois dele. Os de antes também contam.
so-os-anteriores: s[n] → s[n:]
    Você só comparou n com os tokens que vêm antes dele. Os de depois também contam.
esquece-o-n: mais_parecido(X, 0)
    Sua função responde sempre pelo primeiro token. Use o argumento n para escolher de quem se fala.
o-mais-longo: s = X @ X[n] → c = np.linalg.norm(X, axis=1)
        s[n] → c[n]
        np.argmax(s) → np.argmax(c)
    Você respondeu o token de maior comprimento. O ângulo também conta: multiplique pelo token n.
altera-a-entrada: s = X @ X[n] → alvo = X[n].copy()
        s[n] = -np.inf → X[n] = -1e9 * alvo
        np.argmax(s) → np.argmax(X @ alvo)
    Sua função escreve em X para tirar n da disputa. Quem chama continua a usar X: mexa nos produtos, não nele.
ultimo-da-ordem: int(np.argsort(X @ X[n], kind="stable")[-1])
    Você ordenou e pegou o último, que costuma ser o próprio n. Tire n da disputa antes de ordenar.
maior-produto-como-inteiro: int(np.max(np.delete(X @ X[n], n)))
    Sua função devolve o maior produto escalar, convertido em inteiro. O pedido é o índice do token que o tem.
fica-com-o-ultimo: int(np.argmax(s)) → len(X) - 1 - (n == len(X) - 1)
    Sua função devolve sempre o último token que concorre. Ou ela devolve a variável do laço, em vez do índice do
    melhor, ou não atualiza o melhor valor.
comeca-pelo-token-0: -np.inf → s[0] if n == 0 else -np.inf
    Seu laço começa com o token 0 como o melhor. Quando n é 0, ele concorre consigo mesmo: comece em menos infinito.
menos-um-no-lugar-de-n: -np.inf → -1
    Para tirar n da disputa você pôs −1 no lugar dele, e quando todos os outros produtos são menores do que isso, n
    ganha. Menos infinito perde para todos.
soma-1-a-todo-indice: 1 + int(np.argmax(np.delete(X @ X[n], n)))
    Você tirou n da lista e somou 1 a todo índice. Só os tokens que vêm depois de n andaram uma casa.
soma-1-so-depois-de-n: (lambda m: m + (m > n))(int(np.argmax(np.delete(X @ X[n], n))))
    Você tirou n da lista e somou 1 aos índices maiores que n. O token n + 1 passou para a posição n: some 1 a partir
    dela (>=).
""")


@q.equivoco
def comeca_do_zero(X, n):
    """Seu laço começa com o melhor valor em 0. Quando todos os produtos são negativos, ninguém passa dele: comece em
    menos infinito."""
    melhor, indice = 0, -1
    for m in range(len(X)):
        if m != n and X[m] @ X[n] > melhor:
            melhor, indice = X[m] @ X[n], m
    return indice


@q.equivoco
def comeca_do_zero_no_token_0(X, n):
    """Seu laço começa com o melhor valor em 0 e o índice em 0. Quando nenhum produto é positivo, ninguém passa desse
    valor, e sai o token 0 sem ter disputado: comece em menos infinito."""
    melhor, indice = 0, 0
    for m in range(len(X)):
        if m != n and X[m] @ X[n] > melhor:
            melhor, indice = X[m] @ X[n], m
    return indice


@q.equivoco
def laco_comeca_finito(X, n):
    """Seu laço começa com o melhor valor num número como −100 ou −999, e há produtos menores do que ele: ninguém o
    passou. Comece em menos infinito."""
    melhor, indice = -999, -1
    for m in range(len(X)):
        if m != n and X[m] @ X[n] > melhor:
            melhor, indice = X[m] @ X[n], m
    return indice


@q.equivoco
def procura_o_valor(X, n):
    """Você achou o maior produto dos outros e depois procurou esse valor na lista toda. Se o próprio n tem o mesmo
    valor, a procura para nele."""
    s = list(X @ X[n])
    return s.index(max(s[:n] + s[n + 1 :]))


@q.alternativa
def laco(X, n):
    melhor, indice = -np.inf, -1
    for m in range(len(X)):
        if m == n:
            continue
        s = sum(X[m, d] * X[n, d] for d in range(X.shape[1]))
        if s > melhor:
            melhor, indice = s, m
    return indice


@q.alternativa
def matriz_inteira(X, n):
    S = X @ X.T
    np.fill_diagonal(S, -np.inf)
    return S.argmax(axis=1)[n]  # np.int64


@q.alternativa
def com_torch(X, n):
    Xt = torch.tensor(X)
    s = Xt @ Xt[n]
    s[n] = float("-inf")
    return int((s == s.max()).nonzero()[0])


@q.alternativa
def mascara(X, n):
    s = np.ma.masked_array(X @ X[n], mask=np.arange(len(X)) == n)
    return s.argmax()


q.alternativas_curtas("""
max-com-chave: max((m for m in range(len(X)) if m != n), key=lambda m: produto_escalar(X[m], X[n]))
apaga-e-corrige: s[n] = -np.inf → i = int(np.argmax(np.delete(X @ X[n], n)))
        int(np.argmax(s)) → i if i < n else i + 1
minimo-menos-um: -np.inf → s.min() - 1
float32: X @ X[n] → (X.astype(np.float32) @ X[n].astype(np.float32)).astype(np.float32)
        -np.inf → np.finfo(np.float32).min
ordena-com-desempate: sorted((m for m in range(len(X)) if m != n), key=lambda m: (-produto_escalar(X[n], X[m]), m))[0]
""")
