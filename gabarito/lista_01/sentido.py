"""A questão `sentido` da lista 01."""

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch
from gabarito.lista_01.comum import produto_escalar
from gabarito.lista_01.cosseno import cosseno  # noqa: F401 (usado nas tabelas)
from gabarito.lista_01.incorporar import PALAVRAS, incorporar


def sentido(frase, palavra, candidatos, tabela):
    X, C = incorporar(frase, tabela), incorporar(candidatos, tabela)  # (N, d) e (c, d)
    n = frase.index(palavra)
    pesos = np.maximum(X @ X[n], 0)  # (N,): quem não combina com a palavra não vota
    pesos[n] = 0  # nem ela mesma
    votos = C @ (pesos @ X)  # (c, d) por (d,)
    return candidatos[int(np.argmax(votos))], votos


def _margem(votos):
    """A distância da campeã à segunda, e o voto mais perto de zero: nada fica decidido por um arredondamento."""
    maiores = np.sort(votos)[::-1]
    return min(maiores[0] - maiores[1], np.abs(votos).min())


def _sorteia(rng, rotulo, N, d, c, contrarios, lugar=None, serve=None, repetida=False, na_frase=False):
    """Uma frase de N palavras, `contrarios` delas com produto negativo com a ambígua, e c candidatos de fora dela.

    Com `repetida`, a ambígua é a primeira, e a segunda palavra volta no fim. Com `na_frase`, a que vem depois da
    ambígua é também o primeiro candidato.
    """
    palavras = [str(p) for p in rng.permutation(PALAVRAS)]
    frase, candidatos, sobra = palavras[:N], palavras[N : N + c], palavras[N + c]
    if repetida:
        frase[-1] = frase[1]
    n = int(rng.integers(N)) if lugar is None else lugar % N
    if na_frase:
        candidatos[0] = frase[(n + 1) % N]
    while True:
        tabela = {p: np.round(rng.normal(size=d), 2) for p in rng.permutation([*frase, *candidatos, sobra]).tolist()}
        X = incorporar(frase, tabela)
        s = np.delete(X @ X[n], n)
        quem, votos = sentido(frase, frase[n], candidatos, tabela)
        apertado = np.abs(s).min() < 0.1 or _margem(votos) < 0.1
        if (s < 0).sum() != contrarios or apertado or (serve and not serve(frase, n, candidatos, tabela, quem)):
            continue
        return caso(frase, frase[n], candidatos, tabela, rotulo=rotulo, parte="contrários" if contrarios else None)


def _a_campea_engana(frase, n, candidatos, tabela, quem):
    """Quem só ouve a palavra mais parecida escolhe outro sentido."""
    X, C = incorporar(frase, tabela), incorporar(candidatos, tabela)
    s = X @ X[n]
    s[n] = -np.inf
    return candidatos[int(np.argmax(C @ X[int(np.argmax(s))]))] != quem


def _os_contrarios_enganam(frase, n, candidatos, tabela, quem):
    X, C = incorporar(frase, tabela), incorporar(candidatos, tabela)
    s = X @ X[n]
    s[n] = 0
    return candidatos[int(np.argmax(C @ (s @ X)))] != quem


def _o_contra_e_o_maior(frase, n, candidatos, tabela, quem):
    votos = sentido(frase, frase[n], candidatos, tabela)[1]
    return candidatos[int(np.argmax(np.abs(votos)))] != quem


def _a_repetida_conta(frase, n, candidatos, tabela, quem):
    """Sem o segundo voto da última palavra, algum total muda, e muito."""
    votos = [sentido(f, frase[n], candidatos, tabela)[1] for f in (frase, frase[:-1])]
    return np.abs(votos[0] - votos[1]).max() > 0.1


def _vence_o_ultimo(frase, n, candidatos, tabela, quem):
    return quem == candidatos[-1]


def _a_candidata_vota(frase, n, candidatos, tabela, quem):
    """Sem o voto da palavra que também é candidata, os totais são outros."""
    votos = [sentido(f, frase[n], candidatos, tabela)[1] for f in (frase, [p for p in frase if p != candidatos[0]])]
    return np.abs(votos[0] - votos[1]).max() > 0.1


def ocultos(rng):
    return [
        _sorteia(rng, "todas combinam com ela", 4, 3, 2, 0),
        _sorteia(rng, "a mais parecida engana", 5, 3, 2, 0, serve=_a_campea_engana),
        _sorteia(rng, "três sentidos", 4, 4, 3, 0, serve=_vence_o_ultimo),
        _sorteia(rng, "uma candidata está na frase", 4, 3, 2, 0, serve=_a_candidata_vota, na_frase=True),
        _sorteia(rng, "a palavra vem primeiro", 4, 3, 2, 0, lugar=0),
        _sorteia(rng, "a palavra vem no fim", 5, 3, 3, 0, lugar=-1),
        _sorteia(rng, "duas palavras só", 2, 3, 2, 0),
        _sorteia(rng, "uma palavra repetida", 5, 3, 2, 0, lugar=0, serve=_a_repetida_conta, repetida=True),
        _sorteia(rng, "mais votos contra do que a favor", 4, 3, 2, 0, serve=_o_contra_e_o_maior),
        _sorteia(rng, "há uma contrária", 5, 3, 2, 1),
        _sorteia(rng, "as contrárias enganam", 6, 3, 2, 3, serve=_os_contrarios_enganam),
        _sorteia(rng, "metade é contrária", 7, 4, 3, 3),
        _sorteia(rng, "a palavra vem primeiro, e há contrárias", 6, 2, 2, 2, lugar=0),
    ]


def _t(**palavras):
    return {p: np.array(x, dtype=float) for p, x in palavras.items()}


_PLANO = _t(
    manga=(0, 1), comer=(0.66, 0.6), gosto=(0.2, 0.18), de=(0.08, 0.06), cortar=(0.05, 0.68), costureira=(-0.72, 0.62),
    pediu=(-0.28, 0.18), para=(-0.25, 0.03), Eu=(0.07, -0.13), Ele=(-0.17, -0.14), a=(-0.02, -0.03), fruta=(0.5, 0.95),
    camisa=(-0.52, 0.95),
)  # fmt: skip

q = questao(
    "lista-01/sentido",
    assinatura="sentido(frase, palavra, candidatos, tabela)",
    saida=[("quem", "texto"), ("votos", "array")],
    ordem=["votos", "quem"],
    referencia=sentido,
    depende=["incorporar", "similaridades"],
    casos=[
        # produtos com manga: 2 e 4; votos: 2·(6, −2) + 4·(4, 4) = (28, 12)
        caso(
            ["comer", "manga", "cortada"], "manga", ["fruta", "camisa"],
            _t(manga=(0, 2), comer=(2, 1), cortada=(0, 2), fruta=(2, 2), camisa=(-2, 2), cedo=(1, -1)),
            rotulo="o exemplo do enunciado", claro=True,
        ),
        caso(
            ["gosto", "de", "comer", "manga"], "manga", ["camisa", "fruta"], _PLANO,
            rotulo="gosto de comer manga",
        ),
        # a mais parecida com banco é praça, que aponta para assento; juntas, as outras três dizem dinheiro
        caso(
            ["fila", "banco", "praça", "conta", "senha"], "banco", ["assento", "dinheiro"],
            _t(banco=(1, 1, 0.5), praça=(1.8, 0.2, 0.4), fila=(-0.4, 1.3, 0.7), conta=(-0.3, 1.5, 0.2),
               senha=(-0.5, 1.2, 0.9), assento=(1.2, -0.3, 0.1), dinheiro=(-0.2, 1.1, 0.4), rio=(0.3, -1, 0.8)),
            rotulo="a mais parecida engana",
        ),
        caso(
            ["vela", "acesa", "no", "mar"], "vela", ["barco", "noite", "chama"],
            _t(vela=(1.5, 0.5, -0.25, 1), acesa=(1.25, -0.5, 0.75, 0.5), no=(0.25, 0.25, 0.5, 0.125),
               mar=(0.5, 1.75, -0.5, 0.25), barco=(-0.25, 1.5, 0.25, 0.5), chama=(1.75, -1, 0.25, 0.75),
               noite=(-1, 0.25, 1.5, 0.5)),
            rotulo="três sentidos, e a palavra no começo",
        ),
        # votos: 1·(0; −6) + 3·(−1,125; −1,125) = (−3,375; −9,375)
        caso(
            ["rasgou", "manga", "costura"], "manga", ["camisa", "fruta"],
            _t(manga=(1, 1), rasgou=(2, -1), costura=(1.5, 1.5), camisa=(-0.25, -0.5), fruta=(-2.25, 1.5)),
            rotulo="todos contra os dois",
        ),
        # comer vota duas vezes: 2·2·(6, −2) + 4·(4, 4) = (40, 8)
        caso(
            ["comer", "manga", "cortada", "comer"], "manga", ["fruta", "camisa"],
            _t(manga=(0, 2), comer=(2, 1), cortada=(0, 2), fruta=(2, 2), camisa=(-2, 2), cedo=(1, -1)),
            rotulo="o exemplo, com comer duas vezes",
        ),
        # fruta é palavra da frase e candidata, e vota em si mesma: 2·(6, −2) + 4·(8, 0) = (44, −4)
        caso(
            ["comer", "manga", "fruta"], "manga", ["fruta", "camisa"],
            _t(manga=(0, 2), comer=(2, 1), fruta=(2, 2), camisa=(-2, 2), cedo=(1, -1)),
            rotulo="uma candidata está na frase",
        ),
        caso(
            ["comer", "manga", "cortada", "cedo"], "manga", ["fruta", "camisa"],
            _t(manga=(0, 2), comer=(2, 1), cortada=(0, 2), fruta=(2, 2), camisa=(-2, 2), cedo=(1, -1)),
            rotulo="o exemplo, com cedo, que não vota", parte="contrários",
        ),
        caso(
            ["Ele", "pediu", "para", "a", "costureira", "cortar", "manga"], "manga", ["fruta", "camisa"], _PLANO,
            rotulo="a frase da costureira", parte="contrários",
        ),
        caso(
            ["pena", "leve", "juiz", "lei", "preso"], "pena", ["asa", "castigo"],
            _t(pena=(1, 1, 0), leve=(1.5, 0.25, 0.5), juiz=(-1.75, 0.5, 1), lei=(-1.5, 0.75, 0.25),
               preso=(-1.25, 0.25, 0.75), asa=(1.25, 0.5, 0.25), castigo=(-1, 1.25, 0.5)),
            rotulo="três contrárias", parte="contrários",
        ),
    ],
    ocultos=ocultos,
    partes={"todas votam": 0.6, "contrários": 0.4},
)  # fmt: skip

q.equivocos_curtos("""
os-contrarios-votam: np.maximum(X @ X[n], 0) → X @ X[n]
    As palavras de produto negativo com a ambígua também votaram, e com o sinal trocado. Quem não combina com ela não
    vota: o peso dessas é 0. Veja a Dica 2.
a-propria-vota: pesos[n] = 0 → pesos[n] = X[n] @ X[n]
    A palavra ambígua votou em si mesma. Ela é a dúvida, e não a pista: o peso dela é 0. Veja a Dica 2.
os-contrarios-votam+a-propria-vota:
    Votaram todas, até a própria ambígua e as palavras de produto negativo com ela. O peso dessas é 0. Veja a Dica 2.
a-candidata-nao-vota: pesos[n] = 0 → pesos[[p == palavra or p in candidatos for p in frase]] = 0
    Uma palavra da frase que também é candidata ficou sem votar. Só a ambígua não vota.
so-os-dois-primeiros: np.argmax(votos) → np.argmax(votos[:2])
    Os votos estão certos, mas você só comparou os dois primeiros. Pode haver mais candidatos: fique com o mais votado
    de todos.
modulo-no-peso: np.maximum(X @ X[n], 0) → np.abs(X @ X[n])
    Você tirou o sinal dos pesos, e as palavras contrárias votaram como se combinassem. O peso delas é 0.
sem-o-peso: np.maximum(X @ X[n], 0) → (X @ X[n] > 0).astype(float)
    Todas as palavras votaram com a mesma força. O voto de cada uma é multiplicado pelo produto dela com a ambígua.
so-a-mais-parecida: votos = C @ (pesos @ X) → votos = C @ (pesos.max() * X[int(np.argmax(pesos))])
    Só a palavra mais parecida votou. Todas as que combinam com a ambígua votam, cada uma com o seu peso.
so-a-mais-parecida-sem-peso: votos = C @ (pesos @ X) → votos = C @ X[int(np.argmax(pesos))]
    Só a palavra mais parecida votou, e sem peso. Todas as que combinam com a ambígua votam, cada uma com o seu peso.
esquece-a-frase: votos = C @ (pesos @ X) → votos = C @ X[n]
    Você comparou os candidatos direto com a ambígua, e a frase não entrou na conta. Quem vota são as outras palavras.
media-no-lugar-da-soma: C @ (pesos @ X) → C @ (pesos @ X) / (len(frase) - 1)
    Seus votos saíram divididos pelo número de palavras: é a média. O pedido é a soma.
pesos-que-somam-1: C @ (pesos @ X) → C @ (pesos @ X) / pesos.sum()
    Seus votos saíram divididos pela soma dos pesos. Isso é assunto da aula 02. Aqui o peso é o produto, como ele é.
cosseno-no-peso: np.maximum(X @ X[n], 0) → np.maximum(cosseno(X)[n], 0)
    O peso de cada palavra saiu pelo cosseno. Aqui ele é o produto escalar, em que o comprimento também conta.
cosseno-no-voto: C @ (pesos @ X) → cosseno(np.vstack([C, X]))[: len(C), len(C) :] @ pesos
    O voto de cada palavra saiu pelo cosseno com o candidato. Aqui ele é o produto escalar.
votos-negativos-viram-zero: C @ (pesos @ X) → np.maximum(C @ X.T, 0) @ pesos
    Um voto contra um candidato também conta: o produto da palavra com ele pode ser negativo. Só o peso é que não pode.
pelo-tamanho-do-voto: np.argmax(votos) → np.argmax(np.abs(votos))
    Os votos estão certos, mas você escolheu pelo tamanho deles, sem o sinal, e ganhou quem teve mais votos contra.
    Muitos votos contra não elegem: fique com o maior, com sinal e tudo.
o-menos-votado: np.argmax(votos) → np.argmin(votos)
    Os votos estão certos, e você devolveu o candidato com menos deles. Fique com o maior.
devolve-o-indice: return candidatos[int(np.argmax(votos))], votos → return int(np.argmax(votos)), votos
    Os votos estão certos. No lugar do índice do mais votado, devolva a palavra, que está em candidatos.
saidas-trocadas: return candidatos[int(np.argmax(votos))], votos → return votos, candidatos[int(np.argmax(votos))]
    Você devolveu as duas saídas na ordem trocada. Primeiro a palavra, depois os votos.
so-a-palavra: return candidatos[int(np.argmax(votos))], votos → return candidatos[int(np.argmax(votos))]
    Falta devolver os votos, junto com a palavra: `return quem, votos`.
so-os-votos: return candidatos[int(np.argmax(votos))], votos → return votos
    Falta devolver a palavra mais votada, antes dos votos: `return quem, votos`.
so-quem-vem-antes: pesos[n] = 0 → pesos[n:] = 0
    Só votaram as palavras que vêm antes da ambígua. As de depois também votam.
so-quem-vem-depois: pesos[n] = 0 → pesos[: n + 1] = 0
    Só votaram as palavras que vêm depois da ambígua. As de antes também votam.
peso-ao-quadrado: np.maximum(X @ X[n], 0) → np.maximum(X @ X[n], 0) ** 2
    O peso de cada palavra entrou duas vezes na conta. O voto é o produto com a ambígua vezes o produto com o candidato.
tira-a-palavra-errada: n = frase.index(palavra) → n = 0
    Você tratou a primeira palavra da frase como a ambígua. Procure onde ela está: `frase.index(palavra)`.
""")


@q.equivoco
def uma_cabeca_um_voto(frase, palavra, candidatos, tabela):
    """Você contou quantas palavras preferem cada candidato. O voto é um número, o produto com o candidato, vezes o peso
    da palavra."""
    X, C = incorporar(frase, tabela), incorporar(candidatos, tabela)
    pesos = np.maximum(X @ X[frase.index(palavra)], 0)
    pesos[frase.index(palavra)] = 0
    votos = np.zeros(len(candidatos))
    for x, peso in zip(X, pesos, strict=True):
        votos[int(np.argmax(C @ x))] += peso > 0
    return candidatos[int(np.argmax(votos))], votos


@q.equivoco
def todo_o_peso_em_um_so(frase, palavra, candidatos, tabela):
    """Cada palavra pôs o peso inteiro no candidato que ela prefere. Ela dá um voto a todos os candidatos: a cada um, o
    produto dela com ele, vezes o peso."""
    X, C = incorporar(frase, tabela), incorporar(candidatos, tabela)
    pesos = np.maximum(X @ X[frase.index(palavra)], 0)
    pesos[frase.index(palavra)] = 0
    votos = np.zeros(len(candidatos))
    for x, peso in zip(X, pesos, strict=True):
        votos[int(np.argmax(C @ x))] += peso
    return candidatos[int(np.argmax(votos))], votos


@q.equivoco
def todo_o_peso_em_um_so_ate_o_negativo(frase, palavra, candidatos, tabela):
    """São dois erros. Cada palavra pôs o peso inteiro no candidato que ela prefere, e ela dá um voto a todos: o produto
    dela com cada um, vezes o peso. E quem tem peso negativo não vota."""
    X, C = incorporar(frase, tabela), incorporar(candidatos, tabela)
    pesos = X @ X[frase.index(palavra)]
    pesos[frase.index(palavra)] = 0
    votos = np.zeros(len(candidatos))
    for x, peso in zip(X, pesos, strict=True):
        votos[int(np.argmax(C @ x))] += peso
    return candidatos[int(np.argmax(votos))], votos


@q.equivoco
def vota_so_no_preferido(frase, palavra, candidatos, tabela):
    """Cada palavra só votou no candidato que ela prefere. Ela dá um voto a todos, e o voto em quem ela não prefere
    também entra na soma dele."""
    X, C = incorporar(frase, tabela), incorporar(candidatos, tabela)
    pesos = np.maximum(X @ X[frase.index(palavra)], 0)
    pesos[frase.index(palavra)] = 0
    votos = np.zeros(len(candidatos))
    for x, peso in zip(X, pesos, strict=True):
        m = int(np.argmax(C @ x))
        votos[m] += peso * (C[m] @ x)
    return candidatos[int(np.argmax(votos))], votos


@q.equivoco
def repetidas_votam_uma_vez(frase, palavra, candidatos, tabela):
    """Uma palavra que aparece duas vezes só votou uma (isso acontece com `set(frase)`, ou com um dicionário de pesos).
    Percorra a frase como ela é: cada vez que a palavra aparece é um voto."""
    return sentido(list(dict.fromkeys(frase)), palavra, candidatos, tabela)


@q.equivoco
def altera_a_entrada(frase, palavra, candidatos, tabela):
    """Sua função tira a palavra de frase, e quem chamou ainda precisa dela. Percorra a frase e pule essa posição."""
    n = frase.index(palavra)
    x = tabela[frase.pop(n)]
    votos = np.array([sum(max(x @ tabela[p], 0) * (tabela[p] @ tabela[c]) for p in frase) for c in candidatos])
    return candidatos[int(np.argmax(votos))], votos


@q.alternativa
def lacos(frase, palavra, candidatos, tabela):
    votos = []
    for c in candidatos:
        total = 0.0
        for p in frase:
            peso = produto_escalar(tabela[palavra], tabela[p])
            if p != palavra and peso > 0:
                total += peso * produto_escalar(tabela[p], tabela[c])
        votos.append(total)
    return candidatos[votos.index(max(votos))], np.array(votos)


@q.alternativa
def dicionario_de_votos(frase, palavra, candidatos, tabela):
    votos = dict.fromkeys(candidatos, 0.0)
    for p in frase:
        peso = float(tabela[p] @ tabela[palavra])
        for c in candidatos:
            votos[c] += peso * float(tabela[p] @ tabela[c]) if peso > 0 and p != palavra else 0.0
    return max(votos, key=votos.get), np.array([votos[c] for c in candidatos])


@q.alternativa
def com_a_matriz_inteira(frase, palavra, candidatos, tabela):
    tudo = incorporar(frase + candidatos, tabela)
    S = tudo @ tudo.T
    n, N = frase.index(palavra), len(frase)
    pesos = np.where(S[n, :N] > 0, S[n, :N], 0) * (np.arange(N) != n)
    votos = S[N:, :N] @ pesos
    return candidatos[votos.argmax()], votos


@q.alternativa
def sem_a_palavra(frase, palavra, candidatos, tabela):
    outras = np.array([tabela[p] for p in frase if p != palavra])
    pesos = np.clip(outras @ tabela[palavra], 0, None)
    votos = np.einsum("m,md,cd->c", pesos, outras, np.stack([tabela[c] for c in candidatos]))
    return candidatos[np.argmax(votos)], votos


@q.alternativa
def torch_float32(frase, palavra, candidatos, tabela):
    X = torch.tensor(incorporar(frase, tabela), dtype=torch.float32)
    C = torch.tensor(incorporar(candidatos, tabela), dtype=torch.float32)
    n = frase.index(palavra)
    pesos = torch.relu(X @ X[n])
    pesos[n] = 0
    votos = C @ X.T @ pesos
    return candidatos[int(votos.argmax())], votos


@q.alternativa
def so_os_que_votam(frase, palavra, candidatos, tabela):
    votantes = [p for p in frase if p != palavra and tabela[p] @ tabela[palavra] > 0]
    votos = np.zeros(len(candidatos))
    for p in votantes:
        votos += (tabela[p] @ tabela[palavra]) * (incorporar(candidatos, tabela) @ tabela[p])
    return candidatos[int(np.argmax(votos))], votos
