"""A questão `vaza_futuro` da lista 06."""

import numpy as np

from gabarito.base import caso, funcao, gerador, questao
from gabarito.lista_06.mascara_causal import mascara_causal


def _mudou(antes, depois, rtol=1e-6):
    """Alguma entrada mudou mais do que o arredondamento explica?"""
    tamanho = max(np.abs(antes).max(), np.abs(depois).max(), 1e-30)
    return bool(np.abs(antes - depois).max() > rtol * tamanho)


def vaza_futuro(f, T, d, rng):
    X = rng.normal(size=(T, d))
    Y = f(X)
    for k in range(1, T):
        Z = X.copy()
        Z[k:] = rng.normal(size=(T - k, d))
        if _mudou(Y[:k], f(Z)[:k]):
            return True
    return False


def _causal_sorteada(rng, T):
    """Uma mistura causal (T, T): triângulo inferior sorteado, com a diagonal forte."""
    return np.tril(rng.normal(size=(T, T)) * 0.5).round(3) + np.eye(T)


def _pesos(rng, d, d_k=3):
    """W_Q e W_K encolhidas: mesmo com entradas perto de 10, a softmax não satura e não esconde o vazamento."""
    W_Q, W_K = (rng.normal(size=(2, d, d_k)) / (4 * np.sqrt(d))).round(3)
    return {"W_Q": W_Q, "W_K": W_K, "W_V": rng.normal(size=(d, d)).round(3)}


def _uma_coordenada(rng, d, qual=None, fora=None):
    """L (d, d) que só lê a coordenada `qual` (sorteada longe da 0, se não se diz) e só não escreve na coluna `fora`.

    Escreve em várias colunas para que um sorteio quase igual ao antigo não passe por arredondamento.
    """
    L = np.zeros((d, d))
    qual = rng.integers(1, d) if qual is None else qual
    L[qual] = rng.choice([-1, 1]) * rng.uniform(0.8, 1.6, size=d)
    L[qual, rng.integers(0, d) if fora is None else fora] = 0.0
    return L.round(3)


_CAMADAS, _PONTO, _DISFARCES = "camadas", "um lugar só", "disfarces"


def _vizinho(rng, T, d, k):
    """Um vazamento só, da linha k para a k − 1: só o corte em k o vê. Para k = 1, só pela coordenada 0."""
    L = _uma_coordenada(rng, d, 0, fora=0) if k == 1 else np.eye(d)[rng.permutation(d)] * rng.uniform(0.4, 0.9)
    return funcao("lista_06.mistura", P=_causal_sorteada(rng, T), de=k, para=k - 1, L=L.round(3))


def _camadas(rng, T, d):
    """(rótulo, função): as camadas de sempre, as que vazam em muitos lugares e as causais."""
    causal, nada = mascara_causal(T), np.zeros((T, T), dtype=bool)
    W1, W2 = (rng.normal(size=(2, d, d)) / np.sqrt(d)).round(3)
    conv = np.eye(T) + np.eye(T, k=-1) * 0.5 - np.eye(T, k=-2) * 0.3
    return [
        ("atenção sem máscara", funcao("lista_06.atencao", **_pesos(rng, d), esconde=nada)),
        ("atenção com a máscara certa", funcao("lista_06.atencao", **_pesos(rng, d), esconde=causal)),
        (
            "máscara que começa uma diagonal acima da certa",
            funcao("lista_06.atencao", **_pesos(rng, d), esconde=np.triu(causal, 2)),
        ),
        ("convolução causal", funcao("lista_06.mistura", P=conv)),
        ("a mesma rede em cada linha", funcao("lista_06.por_posicao", W1=W1, W2=W2, escala=10.0)),
        ("mistura de todas as linhas", funcao("lista_06.mistura", P=rng.normal(size=(T, T)).round(3))),
        ("saída que ignora a entrada", funcao("lista_06.constante", C=rng.normal(size=(T, d)).round(3))),
        ("cada linha recebe a anterior", funcao("lista_06.mistura", P=np.eye(T, k=-1))),
    ]


def _pontos(rng, T, d):
    """Vazamentos de uma linha para outra e mais nada. O corte c = T // 2 separa as posições deles."""
    c = T // 2
    t = int(rng.integers(c, T - 2))
    do_fim = {"de": T - 1, "para": int(rng.integers(1, c))}
    do_meio = {"de": int(rng.integers(c, T - 1)), "para": 0}
    tarde = {"de": int(rng.integers(t + 1, T - 1)), "para": t}

    def ponto(onde, L):
        return funcao("lista_06.mistura", P=_causal_sorteada(rng, T), L=L, **onde)

    return [
        ("um lugar só: da última linha para outra", ponto(do_fim, _uma_coordenada(rng, d, 1))),
        ("um lugar só: do meio para a primeira linha", ponto(do_meio, _uma_coordenada(rng, d, d - 1))),
        ("um lugar só: na segunda metade", ponto(tarde, _uma_coordenada(rng, d))),
        ("um lugar só: da última linha para a primeira", ponto({"de": T - 1, "para": 0}, 0.5 * np.eye(d))),
        ("um lugar só: da linha 1 para a linha 0", _vizinho(rng, T, d, 1)),
        ("um lugar só: da última linha para a penúltima", _vizinho(rng, T, d, T - 1)),
        ("nenhum lugar", funcao("lista_06.mistura", P=_causal_sorteada(rng, T))),
    ]


def _disfarces(rng, T, d):
    """Vazamentos que um teste apressado não vê, e funções causais que usam o futuro e o cancelam."""
    causal, nada = mascara_causal(T), np.zeros((T, T), dtype=bool)
    proximo, anterior = (np.eye(T, k=1) * rng.uniform(0.8, 1.2)).round(3), np.eye(T, k=-1)
    return [
        ("máscara depois da softmax", funcao("lista_06.atencao", **_pesos(rng, d), esconde=causal, quando="depois")),
        (
            "máscara depois da softmax, e divide pela soma",
            funcao("lista_06.atencao", **_pesos(rng, d), esconde=causal, quando="depois-e-divide"),
        ),
        ("normalização ao longo do tempo", funcao("lista_06.normalizada", P=_causal_sorteada(rng, T), eixo=0)),
        ("médias acumuladas", funcao("lista_06.media", escala=1.0)),
        ("um portão que olha para a linha seguinte", funcao("lista_06.portao", P=proximo)),
        ("um portão que olha para a linha anterior", funcao("lista_06.portao", P=anterior)),
        (
            "a diferença entre duas linhas do futuro",
            funcao("lista_06.diferenca", P=_causal_sorteada(rng, T), s=T - 1, L=np.eye(d) * 0.5),
        ),
        (
            "atenção sem máscara sobre tokens normalizados",
            funcao("lista_06.atencao", **_pesos(rng, d), esconde=nada, norma=True),
        ),
        (
            "atenção certa sobre tokens normalizados",
            funcao("lista_06.atencao", **_pesos(rng, d), esconde=causal, norma=True),
        ),
        # cada linha da saída soma zero, vaze ou não: quem compara somas não vê nada
        (
            "mistura de todas as linhas, e depois cada token normalizado",
            funcao("lista_06.normalizada", P=rng.normal(size=(T, T)).round(3), eixo=-1, quando="depois"),
        ),
        (
            "mistura causal, e depois cada token normalizado",
            funcao("lista_06.normalizada", P=_causal_sorteada(rng, T), eixo=-1, quando="depois"),
        ),
        # com linhas constantes o portão não abre, e o tamanho do futuro não importa: só a direção
        (
            "um portão que olha para a linha seguinte, com tokens normalizados",
            funcao("lista_06.portao", P=proximo, norma=True),
        ),
        (
            "um portão que olha para a linha anterior, com tokens normalizados",
            funcao("lista_06.portao", P=anterior, norma=True),
        ),
    ]


_PARTES = {_CAMADAS: _camadas, _PONTO: _pontos, _DISFARCES: _disfarces}


def ocultos(rng):
    casos = []
    for parte, monta in _PARTES.items():
        T, d = int(rng.integers(6, 9)), int(rng.integers(3, 6))
        trios = [(f, T, d) for _, f in monta(rng, T, d)]
        if parte == _PONTO:  # todo corte faz falta
            T, d = 6, int(rng.integers(3, 6))
            trios += [(_vizinho(rng, T, d, k), T, d) for k in range(2, T - 1)]
        casos += [caso(*trios[i], gerador(int(rng.integers(2**40))), parte=parte) for i in rng.permutation(len(trios))]
    return casos


def _visiveis_vaza_futuro():
    rng = np.random.default_rng(606)
    claro = funcao("lista_06.mistura", P=np.array([[1.0, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]), de=2, para=1, L=np.eye(2))
    casos = [caso(claro, 3, 2, gerador(0), claro=True, rotulo="o exemplo do enunciado", parte=_CAMADAS)]
    for parte, monta in _PARTES.items():
        for rotulo, f in monta(rng, 6, 3):
            casos.append(caso(f, 6, 3, gerador(len(casos)), rotulo=rotulo, parte=parte))
    return casos


q = questao(
    "lista-06/vaza_futuro",
    assinatura="vaza_futuro(f, T, d, rng)",
    saida="bool",
    referencia=vaza_futuro,
    casos=_visiveis_vaza_futuro(),
    ocultos=ocultos,
    as_cegas=lambda f, T, d, rng: (T, d),
    partes={_CAMADAS: 0.5, _PONTO: 0.25, _DISFARCES: 0.25},
)


def _examinar(f, T, d, rng, mexer, comparar=None, base=None):
    """O laço comum: para cada k, `mexer(Z, k, rng)` muda uma cópia e `comparar(antes, depois, k)` diz se mudou."""
    X = rng.normal(size=(T, d)) if base is None else base
    Y = f(X)
    for k in range(1, T):
        Z = X.copy()
        mexer(Z, k, rng)
        if comparar is None:
            if _mudou(Y[:k], f(Z)[:k]):
                return True
        elif comparar(Y, f(Z), k):
            return True
    return False


def _troca_o_futuro(Z, k, rng):
    Z[k:] = rng.normal(size=Z[k:].shape)


@q.equivoco
def so_a_ultima_posicao(f, T, d, rng):
    """Só a última posição contou: ou você só mexe na última linha, ou cada volta do laço apaga a resposta da anterior.
    Um vazamento pode vir de qualquer linha, e basta um para a resposta ser True."""
    X = rng.normal(size=(T, d))
    Z = X.copy()
    Z[-1] = rng.normal(size=d)
    return not np.allclose(f(X)[:-1], f(Z)[:-1])


@q.equivoco
def so_a_primeira_linha(f, T, d, rng):
    """Só a primeira linha da saída foi comparada (há um return que encerra o laço na primeira volta?). O futuro pode
    vazar para qualquer linha, menos a última."""
    X = rng.normal(size=(T, d))
    Z = X.copy()
    Z[1:] = rng.normal(size=(T - 1, d))
    return not np.allclose(f(X)[0], f(Z)[0])


@q.equivoco
def um_corte_so(f, T, d, rng):
    """Você corta a sequência em poucos lugares. Um vazamento que fica todo do mesmo lado de cada corte passa
    despercebido: corte em cada posição. Veja a Dica 1."""
    X = rng.normal(size=(T, d))
    Z = X.copy()
    Z[T // 2 :] = rng.normal(size=(T - T // 2, d))
    return not np.allclose(f(X)[: T // 2], f(Z)[: T // 2])


q.equivocos_curtos("""
sempre-falso: False
    Sua função respondeu False a tudo. Ou ela compara uma coisa com ela mesma (f da mesma entrada, ou as duas entradas),
    ou mexe pouco demais no futuro: ponha nele outros números sorteados.
sempre-verdadeiro: True
    Sua função respondeu True a tudo, até à que ignora a entrada. Compare só as linhas anteriores à que você mudou.
resposta-trocada: not vaza_futuro(f, T, d, rng)
    Suas respostas estão todas trocadas: True quer dizer que vaza. Note que `iguais` diz True quando nada mudou. Veja a
    Dica 2.
compara-a-saida-inteira: _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: _mudou(Y, W))
    Até funções causais pareceram vazar. Ou você compara a saída inteira (só as linhas anteriores à que mudou deviam
    ficar paradas), ou sorteia de novo também o passado, ou as mudanças de uma volta do laço ficam para a seguinte. Em
    cada volta, copie X e troque só as linhas de k em diante.
pula-o-primeiro-corte: range(1, T) → range(2, T)
        _mudou(Y[:k], f(Z)[:k]) → not np.allclose(f(Z)[:k], Y[:k])
    Seus cortes começam tarde: falta o que deixa só a linha 0 no passado. A linha 1 pode vazar para a linha 0, e só esse
    corte vê.
pula-o-ultimo-corte: range(1, T) → range(1, T - 1)
        _mudou(Y[:k], f(Z)[:k]) → not np.allclose(f(Z)[:k], Y[:k])
    Seus cortes terminam cedo: falta o que deixa só a última linha no futuro. Ela pode vazar para a penúltima, e só esse
    corte vê.
compara-somas: _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: not np.allclose(Y[:k].sum(axis=1),
        W[:k].sum(axis=1)))
    Você compara um resumo da saída (a soma, por exemplo), e não os números. Há funções cujas linhas somam sempre zero:
    compare número a número.
parte-de-uns: _examinar(f, T, d, rng, _troca_o_futuro, base=np.ones((T, d)))
    Você parte de uma entrada de números iguais. Quem normaliza cada token (e tira a média dele) transforma essas linhas
    em zeros, e o vazamento some: parta de números sorteados.
igualdade-exata: _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: not np.array_equal(Y[:k], W[:k]))
    Você exige igualdade exata. Há funções causais em que o futuro entra e sai da conta e deixa só arredondamento, lá
    pela décima sexta casa decimal: compare com `iguais`.
entrada-de-zeros: _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: not np.allclose(Y[:k], W[:k]),
        base=np.zeros((T, d)))
    Você parte de uma entrada de zeros. Com ela, muita conta dá zero com ou sem vazamento (um portão que multiplica
    zero, por exemplo): parta de números sorteados.
falta-o-not: _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: np.allclose(Y[:k], W[:k]))
    Falta um not: a comparação diz True quando nada mudou, e a sua função chama isso de vazamento.
todas-precisam-mudar:
        _examinar(f, T, d, rng, _troca_o_futuro, lambda Y, W, k: bool((np.abs(Y[:k] - W[:k]) > 1e-6).all()))
    Você só acusa quando todos os números do passado mudam (all). Basta um: any.
""")


@q.equivoco
def mexe_no_passado(f, T, d, rng):
    """Você muda o passado e olha para o futuro. O passado chegar ao futuro é o que queremos. O vazamento é o
    contrário."""

    def mexer(Z, k, rng):
        Z[:k] = rng.normal(size=Z[:k].shape)

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: _mudou(Y[k:], W[k:]))


@q.equivoco
def conta_a_propria_linha(f, T, d, rng):
    """Ao mudar a linha k, você conta também a linha k da saída. Essa linha pode usar a própria entrada, porque o
    presente não é futuro."""

    def mexer(Z, k, rng):
        Z[k] = rng.normal(size=d)

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: _mudou(Y[: k + 1], W[: k + 1]))


@q.equivoco
def so_a_linha_vizinha(f, T, d, rng):
    """Você muda a linha k e só olha para a linha k − 1. O vazamento pode saltar várias posições: olhe para todas as
    anteriores."""

    def mexer(Z, k, rng):
        Z[k] = rng.normal(size=d)

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: not np.allclose(Y[k - 1], W[k - 1]))


@q.equivoco
def uma_coordenada_so(f, T, d, rng):
    """Você mexe em uma componente só de cada linha. O vazamento pode estar em outra: mude a linha inteira."""

    def mexer(Z, k, rng):
        Z[k:, 0] = rng.normal(size=len(Z) - k)

    return _examinar(f, T, d, rng, mexer)


@q.equivoco
def so_a_ultima_coordenada(f, T, d, rng):
    """Você mexe em uma componente só, a última de cada linha. O vazamento pode estar em outra: mude a linha inteira."""

    def mexer(Z, k, rng):
        Z[k:, -1] = rng.normal(size=len(Z) - k)

    return _examinar(f, T, d, rng, mexer)


@q.equivoco
def multiplica_o_futuro(f, T, d, rng):
    """Você só multiplica o futuro por um número. Quem normaliza cada token divide pelo tamanho dele e não sente isso:
    ponha outros números sorteados no lugar."""

    def mexer(Z, k, rng):
        Z[k:] *= 2.0

    return _examinar(f, T, d, rng, mexer)


@q.equivoco
def soma_uma_constante(f, T, d, rng):
    """Você soma a mesma constante a todas as componentes. Quem normaliza cada token (e tira a média dele) não sente
    isso: ponha números sorteados."""

    def mexer(Z, k, rng):
        Z[k:] += 1.0

    return _examinar(f, T, d, rng, mexer)


@q.equivoco
def embaralha_o_futuro(f, T, d, rng):
    """Você só troca a ordem do que vem depois. Uma atenção sem máscara soma sobre todas as linhas, em qualquer ordem, e
    não percebe: ponha outros números no lugar."""

    def mexer(Z, k, rng):
        Z[k:] = Z[k:][::-1].copy()

    return _examinar(f, T, d, rng, mexer)


@q.equivoco
def perturbacao_gigante(f, T, d, rng):
    """Os números que você põe no futuro são gigantes. Com números de um milhão, exponenciais viram 0 ou infinito, e uma
    função causal dá NaN. Use números de tamanho comum."""

    def mexer(Z, k, rng):
        Z[k:] = 1e6 * rng.normal(size=Z[k:].shape)

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: not np.allclose(Y[:k], W[:k]))


@q.equivoco
def de_zeros_a_uns(f, T, d, rng):
    """Você parte de zeros e põe uns no futuro. Com números tão parecidos, muita conta dá o mesmo com ou sem vazamento.
    Parta de números sorteados e ponha outros números sorteados no lugar."""

    def mexer(Z, k, rng):
        Z[k:] = 1.0

    return _examinar(f, T, d, rng, mexer, lambda Y, W, k: not np.allclose(Y[:k], W[:k]), base=np.zeros((T, d)))


@q.equivoco
def encurta_a_entrada(f, T, d, rng):
    """Você chama f com menos linhas. Esta f só aceita (T, d): em vez de cortar o futuro, troque-o por outros
    números."""
    X = rng.normal(size=(T, d))
    Y = f(X)
    return any(not np.allclose(f(X[:k]), Y[:k]) for k in range(1, T))


@q.alternativa
def corta_em_todo_lugar_com_allclose(f, T, d, rng):
    X, outra = rng.normal(size=(2, T, d))
    Y = f(X)
    return not all(np.allclose(f(np.concatenate([X[:k], outra[k:]]))[:k], Y[:k]) for k in range(1, T))


@q.alternativa
def so_a_linha_anterior_ao_corte(f, T, d, rng):
    X = rng.uniform(-2, 2, size=(T, d))
    Y = f(X)
    for k in range(1, T):  # trocar TODO o futuro da linha k − 1 e olhar só para ela também basta
        Z = X.copy()
        Z[k:] = rng.uniform(-2, 2, size=(T - k, d))
        if not np.allclose(f(Z)[k - 1], Y[k - 1]):
            return True
    return False


@q.alternativa
def jacobiana_numerica(f, T, d, rng):
    X = rng.normal(size=(T, d))
    passo = 1e-4
    for s in range(T):
        for j in range(d):
            E = np.zeros((T, d))
            E[s, j] = passo
            mais, menos = f(X + E), f(X - E)
            tamanho = np.abs(mais).max()
            if s and np.abs(mais - menos)[:s].max() / (2 * passo) > 1e-5 * tamanho:
                return True
    return False


@q.alternativa
def zera_o_futuro(f, T, d, rng):
    X = rng.normal(size=(T, d))  # basta que o passado seja sorteado: o futuro novo pode ser zero
    return _examinar(f, T, d, rng, lambda Z, k, _: Z[k:].fill(0.0), base=X)


@q.alternativa
def varias_tentativas(f, T, d, rng):
    achados = []
    for _ in range(3):
        X = rng.normal(size=(T, d))
        Y = f(X)
        for k in range(1, T):
            Z = X.copy()
            Z[k:] = 2 * rng.normal(size=(T - k, d))
            erro = np.linalg.norm(f(Z)[:k] - Y[:k]) / np.linalg.norm(Y[:k]) if np.any(Y[:k]) else 0.0
            achados.append(erro > 1e-7)
    return bool(np.any(achados))


q.alternativas_curtas("""
uma-linha-por-vez: for k in range(1, T): → for s in range(1, T):
        Z[k:] = rng.normal(size=(T - k, d)) → Z[s] += rng.normal(size=d)
        _mudou(Y[:k], f(Z)[:k]) → not np.allclose(f(Z)[:s], Y[:s])
""")
