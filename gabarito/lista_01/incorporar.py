"""A questão `incorporar` da lista 01."""

import re

import numpy as np

from gabarito.base import caso, questao
from gabarito.depois import torch  # noqa: F401 (usado nas tabelas)

PALAVRAS = ["casa", "rio", "vento", "pedra", "lua", "trem", "folha", "sino", "barco", "areia", "chuva", "ponte"]


def incorporar(frase, tabela):
    faltam = [palavra for palavra in frase if palavra not in tabela]
    if faltam:
        raise KeyError(f"fora da tabela: {faltam}")
    return np.stack([tabela[palavra] for palavra in frase])  # (N, d)


def _tabela(rng, palavras, D):
    return {palavra: np.round(rng.normal(size=D), 2) for palavra in palavras}


def _tabela_fina(rng, palavras, D):
    """Quatro casas decimais, de modo que arredondar para duas ou três sempre se vê."""
    return {palavra: vetor + 0.0045 for palavra, vetor in _tabela(rng, palavras, D).items()}


def _faltando(frase, tabela, rotulo, *nomeia):
    """Um caso com palavras fora da tabela: a mensagem cita todas elas, e não pode citar as outras da frase.

    As de uma letra e as que caberiam em uma mensagem qualquer não contam.
    """
    todas = "|".join(nomeia)
    outras = [p for p in frase if p in tabela and len(p) > 2 and p != "vai" and not re.search(todas, p, re.IGNORECASE)]
    que = ["a palavra que falta"] if len(nomeia) == 1 else [f"a {i}ª palavra que falta" for i in (1, 2, 3)]
    inocentes = [rf"(?<!\w){re.escape(p)}(?!\w)" for p in outras]
    citadas = dict(zip(que, nomeia, strict=False))
    return caso(frase, tabela, rotulo=rotulo, nomeia=citadas, inocentes=inocentes, parte="falta")


def ocultos(rng):
    """Palavras sorteadas; cada caso separa um grupo de equívocos, seja qual for a semente."""
    p = [str(palavra) for palavra in rng.permutation(PALAVRAS)]
    # Fora de ordem alfabética e fora da ordem da tabela, com uma repetição e duas palavras de sobra na tabela.
    a, b, c, d, e = sorted(p[:5])
    extra_1, extra_2, fora, fora_2 = p[5:9]
    D = int(rng.integers(3, 6))
    base = _tabela(rng, [extra_1, e, b, c, d, a, extra_2], D)
    nome, grito, pergunta = a.capitalize(), a.upper(), a + "?"
    formas = [a + "?", a, " " + a, a + ",", a + " ", a + ".", a + "!"]
    longa = [d, a, e, c, b, a, d, extra_2, e, b, c, d]
    return [
        caso([d, a, e, c, b, a], base, rotulo="com repetição"),
        caso([c, b, d, a], _tabela(rng, [b, d, extra_1, a, c], 2), rotulo="d = 2"),
        caso([nome, b, a, nome], _tabela(rng, [b, a, extra_1, nome], 3), rotulo="maiúsculas"),
        caso([b, a + ".", d, a], _tabela(rng, [a, d, b, a + "."], 3), rotulo="pontuação"),
        _faltando([b, c, fora, a], _tabela(rng, [a, b, c, d], D), "palavra fora da tabela", fora),
        _faltando([b, nome, c], _tabela(rng, [a, b, c], 4), "só há a forma minúscula", nome),
        _faltando([b, a + "!", c], _tabela(rng, [a, b, c], 2), "só há a forma sem pontuação", a + "!"),
        caso([e], base, rotulo="uma palavra só"),
        caso(longa, _tabela_fina(rng, [b, extra_2, e, a, d, c], D), rotulo="frase longa, quatro casas decimais"),
        caso(longa, _tabela(rng, [c, a, extra_1, d, b, e, extra_2], D), rotulo="a mesma frase, com outra tabela"),
        caso([b, *formas], _tabela(rng, [*sorted(formas), b], 3), rotulo="espaços e pontuação"),
        _faltando([b, c, pergunta], _tabela(rng, [b, a, c], 2), "sem a interrogação", re.escape(pergunta)),
        _faltando([a, b], _tabela(rng, [b, grito, nome], 3), "só há as formas maiúsculas", a),
        _faltando([b, " " + a, c], _tabela(rng, [c, a, b], 3), "só há a forma sem espaço", a),
        _faltando([fora, b, fora_2, a], _tabela(rng, [a, b, c], 3), "duas fora da tabela", fora, fora_2),
    ]


q = questao(
    "lista-01/incorporar",
    assinatura="incorporar(frase, tabela)",
    saida="array",
    referencia=incorporar,
    casos=[
        caso(
            ["o", "rato", "roeu"],
            {"rato": np.array([0.5, 0.3]), "roeu": np.array([0.2, 0.3]), "o": np.array([0.2, 0.0]),
             "rei": np.array([0.8, 0.5])},
            rotulo="o exemplo do enunciado", claro=True,
        ),
        caso(
            ["o", "tempo", "perguntou", "ao", "tempo", "quanto", "tempo", "o", "tempo", "tem"],
            {"ao": np.array([0.1, -0.2, 0.4]), "quanto": np.array([0.3, 0.0, 0.7]), "lua": np.array([-0.5, 0.2, 0.9]),
             "tempo": np.array([0.6, -0.8, 0.5]), "tem": np.array([-0.1, 0.9, 0.2]), "o": np.array([0.4, 0.3, -0.6]),
             "perguntou": np.array([0.8, 0.7, -0.3])},
            rotulo="dez palavras, com repetições",
        ),
        caso(
            ["Manga", "tem", "manga"],
            {"manga": np.array([0.4, 0.9]), "Manga": np.array([-0.7, 0.1]), "tem": np.array([0.2, 0.3])},
            rotulo="“Manga” e “manga” na mesma tabela",
        ),
        caso(
            ["vai", "a", "Roma.", "Roma", "Roma?", " Roma"],
            {"Roma": np.array([0.9, 0.5, 0.2]), "a": np.array([0.1, 0.1, 0.6]), "Roma.": np.array([-0.4, 0.8, 0.3]),
             " Roma": np.array([0.2, -0.7, 0.8]), "vai": np.array([0.7, -0.6, 0.5]),
             "Roma?": np.array([0.6, 0.4, -0.9])},
            rotulo="“Roma.”, “Roma?”, “ Roma” e “Roma” na mesma tabela",
        ),
        _faltando(
            ["o", "gato", "roeu"],
            {"o": np.array([0.2, 0.0]), "roeu": np.array([0.2, 0.3]), "rato": np.array([0.5, 0.3])},
            "uma palavra fora da tabela", r"gato",
        ),
        _faltando(
            ["o", "gato", "roeu", "a", "rede", "azul"],
            {"o": np.array([0.2, 0.0]), "a": np.array([0.1, 0.1]), "roeu": np.array([0.2, 0.3])},
            "três palavras fora da tabela", r"gato", r"rede", r"azul",
        ),
        _faltando(
            ["Rato", "rei"],
            {"rato": np.array([0.5, 0.3, 0.1]), "rei": np.array([0.8, 0.5, 0.4])},
            "a tabela tem “rato”, mas não “Rato”", r"Rato",
        ),
        _faltando(
            ["gato", "rei"],
            {"Gato": np.array([0.5, 0.3, 0.1]), "rei": np.array([0.8, 0.5, 0.4]), "GATO": np.array([0.4, 0.2, 0.9])},
            "a tabela tem “Gato” e “GATO”, mas não “gato”", r"gato",
        ),
        _faltando(
            ["vai", "a", "Roma?"],
            {"a": np.array([0.1, 0.6]), "Roma": np.array([0.9, 0.5]), "vai": np.array([0.7, -0.6])},
            "a tabela tem “Roma”, mas não “Roma?”", r"Roma\?",
        ),
        caso(
            ["rei"],
            {"rato": np.array([0.5, 0.3, 0.1, -0.2]), "rei": np.array([0.8, 0.5, 0.4, 0.6])},
            rotulo="uma frase de uma palavra só",
        ),
        caso(
            ["o", "rato", "roeu"],
            {"roeu": np.array([0.3125, -0.0625]), "o": np.array([0.4375, 0.1875]), "rato": np.array([-0.5625, 0.8125])},
            rotulo="a frase do exemplo, com outra tabela",
        ),
    ],
    ocultos=ocultos,
    partes={"valores": 0.75, "falta": 0.25},
)  # fmt: skip

q.equivocos_curtos("""
minusculas: np.stack([tabela[p.lower()] for p in frase])
    Sua função troca maiúsculas por minúsculas antes de procurar. Aqui “Manga” e “manga” são duas palavras: procure cada
    uma exatamente como veio.
tira-pontuacao: np.stack([tabela[p.strip(".,;:!?")] for p in frase])
    Sua função tira a pontuação antes de procurar. “Roma.” e “Roma” são entradas diferentes da tabela: use a palavra
    como ela veio.
tira-espacos: np.stack([tabela[p.strip()] for p in frase])
    Sua função tira os espaços das pontas antes de procurar. “ Roma” e “Roma” são entradas diferentes da tabela: use a
    palavra como ela veio.
minusculas-se-faltar: np.stack([tabela[p] if p in tabela else tabela[p.lower()] for p in frase])
    Quando a palavra não está na tabela, sua função tenta de novo em minúsculas. “Rato” não é “rato”: o pedido é um
    KeyError com o nome dela.
maiusculas-se-faltar: np.stack([tabela[p] if p in tabela else tabela[p.capitalize()] for p in frase])
    Quando a palavra não está na tabela, sua função tenta de novo com a inicial maiúscula. “gato” não é “Gato”: o pedido
    é um KeyError com o nome dela.
tira-pontuacao-se-faltar: np.stack([tabela[p] if p in tabela else tabela[p.strip(".,;:!?")] for p in frase])
    Quando a palavra não está na tabela, sua função tenta de novo sem a pontuação. “Roma?” não é “Roma”: o pedido é um
    KeyError com o nome dela.
arredonda: np.round(np.stack([tabela[p] for p in frase]), 2)
    Seus valores saíram arredondados para duas casas. Os vetores passam para a matriz como estão na tabela.
so-a-primeira-que-falta: np.stack([tabela[p] for p in frase])
    O KeyError do próprio dicionário para na primeira palavra que falta, e nesta frase faltam outras. A mensagem tem de
    dizer todas. Veja a Dica 2.
pula-desconhecidas: np.stack([tabela[p] for p in frase if p in tabela])
    Uma palavra fora da tabela sumiu da saída sem aviso. O pedido é parar com um KeyError que diga qual é ela. Veja a
    Dica 2.
get-devolve-none: np.array([tabela.get(p) for p in frase])
    Para uma palavra que falta, o `.get` do dicionário não reclama, e o erro só aparece depois, ao montar o array. O
    enunciado pede um KeyError que cite a palavra. Veja a Dica 2.
get-devolve-none-no-stack: np.stack([tabela.get(p) for p in frase])
    Para uma palavra que falta, o `.get` do dicionário devolve None em silêncio, e o erro só aparece depois, ao
    empilhar. O pedido é um KeyError com o nome dela. Veja a Dica 2.
transposta: np.stack([tabela[p] for p in frase]).T
    Sua matriz está deitada: tem uma coluna para cada palavra. Na saída (N, d), cada palavra é uma linha.
sem-repeticao: np.stack([tabela[p] for p in dict.fromkeys(frase)])
    As palavras repetidas aparecem uma vez só. A saída tem uma linha para cada palavra da frase, mesmo que ela volte.
ordem-da-tabela: np.stack([vetor for p, vetor in tabela.items() if p in frase])
    As linhas seguem a ordem da tabela. É a ordem da frase que conta: percorra a frase, não a tabela. Veja a Dica 1.
tabela-inteira: np.stack(list(tabela.values()))
    Sua saída traz a tabela inteira, com palavras que não estão na frase. Procure só as palavras da frase. Veja a Dica
    1.
ordem-alfabetica: np.stack([tabela[p] for p in sorted(frase)])
    As linhas estão em ordem alfabética. A linha n deve ser o vetor da n-ésima palavra da frase.
ordem-inversa: np.stack([tabela[p] for p in frase])[::-1]
    As linhas estão de trás para a frente: a última palavra veio primeiro. A linha 0 é a primeira palavra.
achatada: np.concatenate([tabela[p] for p in frase])
    Seus vetores estão emendados numa fila só, de forma (N·d,). Empilhe-os: uma linha para cada palavra, (N, d). Veja a
    Dica 3.
somada: np.sum([tabela[p] for p in frase], axis=0)
    Sua saída é um vetor só, a soma da frase. Não some nada ainda: uma linha para cada palavra.
media: np.mean([tabela[p] for p in frase], axis=0)
    Sua saída é um vetor só, a média da frase. Não junte nada ainda: uma linha para cada palavra.
um-vetor-a-menos: np.array([tabela[frase[i]] for i in range(len(frase) - 1)])
    Falta a última palavra da frase. Veja onde o seu laço termina.
so-a-primeira-palavra: np.stack([tabela[frase[0]]])
    Saiu só a linha da primeira palavra. O return está dentro do laço?
so-a-ultima-palavra: np.stack([tabela[p] for p in frase][-1:])
    Saiu só a linha da última palavra: a lista recomeça vazia a cada volta do laço. Crie-a uma vez, antes dele.
pergunta-ao-contrario:
        return np.stack → for p in frase:⏎    if p in tabela:⏎        raise KeyError(p)⏎return np.stack
    Sua função recusa uma palavra que está na tabela: a pergunta do if está ao contrário. O KeyError é para a que não
    está.
devolve-o-erro: raise KeyError → return KeyError
    Quando falta uma palavra, sua função devolve o KeyError, como se fosse um resultado. Um erro se lança: troque o
    return por raise.
vira-inteiro: np.stack([tabela[p] for p in frase]).astype(int)
    Seus números perderam as casas decimais: a matriz foi criada com inteiros (dtype=int)? Os vetores passam como estão
    na tabela.
""")


@q.equivoco
def erro_com_outra_palavra(frase, tabela):
    """O KeyError está certo, mas nomeia a última palavra da frase, que nem sempre é a que falta. Ponha na mensagem a
    palavra que não está na tabela."""
    if any(p not in tabela for p in frase):
        raise KeyError(frase[-1])
    return np.stack([tabela[p] for p in frase])


@q.equivoco
def para_na_desconhecida(frase, tabela):
    """Ao chegar a uma palavra fora da tabela, sua função devolve só o que juntou até ali. Ela deve lançar um KeyError
    com o nome dessa palavra."""
    linhas = []
    for p in frase:
        if p not in tabela:
            break
        linhas.append(tabela[p])
    return np.array(linhas)


@q.equivoco
def zeros_para_desconhecidas(frase, tabela):
    """A palavra fora da tabela virou um vetor de zeros, e o erro seguiu escondido. O pedido é um KeyError com o
    nome dela."""
    D = len(next(iter(tabela.values())))
    return np.stack([tabela.get(p, np.zeros(D)) for p in frase])


@q.equivoco
def uns_para_desconhecidas(frase, tabela):
    """A palavra fora da tabela virou um vetor de uns, inventado. O pedido é um KeyError com o nome dela."""
    D = len(next(iter(tabela.values())))
    return np.stack([tabela.get(p, np.ones(D)) for p in frase])


@q.equivoco
def media_para_desconhecidas(frase, tabela):
    """A palavra fora da tabela recebeu a média dos outros vetores. É um truque que existe, mas aqui o pedido é um
    KeyError com o nome dela."""
    media = np.mean(list(tabela.values()), axis=0)
    return np.stack([tabela.get(p, media) for p in frase])


@q.equivoco
def erro_de_outro_tipo(frase, tabela):
    """Sua função acusa a palavra que falta, mas com ValueError. O pedido é KeyError, o erro de quem procura uma chave
    que não existe. Veja a Dica 2."""
    for p in frase:
        if p not in tabela:
            raise ValueError(f"palavra fora da tabela: {p}")
    return np.stack([tabela[p] for p in frase])


@q.equivoco
def erro_sem_nome(frase, tabela):
    """O KeyError está certo, mas a mensagem não diz qual palavra falta. Quem lê o erro precisa saber onde mexer."""
    if any(p not in tabela for p in frase):
        raise KeyError("palavra desconhecida")
    return np.stack([tabela[p] for p in frase])


@q.equivoco
def erro_com_a_frase_inteira(frase, tabela):
    """O KeyError está certo, mas a mensagem traz a frase inteira, e quem lê não sabe qual das palavras falta. Cite só a
    que falta."""
    if any(p not in tabela for p in frase):
        raise KeyError(f"há palavra fora da tabela em {frase}")
    return np.stack([tabela[p] for p in frase])


@q.equivoco
def erro_com_a_tabela_inteira(frase, tabela):
    """O KeyError está certo, mas a mensagem traz, além da palavra que falta, todas as da tabela. Em uma tabela de
    verdade são milhares: cite só a que falta."""
    for p in frase:
        if p not in tabela:
            raise KeyError(f"{p} não está entre {sorted(tabela)}")
    return np.stack([tabela[p] for p in frase])


@q.equivoco
def erro_com_indice(frase, tabela):
    """O KeyError traz a posição da palavra na frase, e não a palavra. Ponha na mensagem a própria palavra que falta."""
    for i, p in enumerate(frase):
        if p not in tabela:
            raise KeyError(i)
    return np.stack([tabela[p] for p in frase])


@q.equivoco
def altera_a_entrada(frase, tabela):
    """Sua função escreve na tabela que recebeu. Quem chama continua a usá-la: só leia."""
    D = len(next(iter(tabela.values())))
    return np.stack([tabela.setdefault(p, np.zeros(D)) for p in frase])


@q.alternativa
def laco_com_erro_proprio(frase, tabela):
    D = len(next(iter(tabela.values())))
    X = np.zeros((len(frase), D))
    for n, palavra in enumerate(frase):
        X[n] = tabela.get(palavra, 0)
    if faltam := [palavra for palavra in frase if palavra not in tabela]:
        raise KeyError("a tabela não tem " + " nem ".join(faltam))
    return X


@q.alternativa
def todas_as_que_faltam(frase, tabela):
    faltam = sorted(set(frase) - set(tabela))
    if faltam:
        raise KeyError(f"fora da tabela: {', '.join(faltam)}")
    return np.vstack([tabela[p] for p in frase])


@q.alternativa
def indices_e_uma_consulta(frase, tabela):
    indice = {palavra: i for i, palavra in enumerate(tabela)}
    matriz = np.array(list(tabela.values()))  # (V, D)
    if faltam := dict.fromkeys(p for p in frase if p not in indice):
        raise KeyError(*faltam)
    return matriz[[indice[p] for p in frase]]


@q.alternativa
def erro_refeito(frase, tabela):
    linhas, faltam = [], []
    for palavra in frase:
        try:
            linhas.append(tabela[palavra])
        except KeyError:
            faltam.append(palavra)
    if faltam:
        raise KeyError(f"sem vetor para {faltam}")
    return np.array(linhas, dtype=np.float32)


q.alternativas_curtas("""
lista-de-linhas: np.stack → np.array
com-torch: np.stack([tabela[palavra] → torch.stack([torch.tensor(tabela[palavra], dtype=torch.float64)
torch-float32: np.stack([tabela[palavra] → torch.stack([torch.tensor(tabela[palavra], dtype=torch.float32)
""")


@q.equivoco
def D_do_tamanho_da_tabela(frase, tabela):
    """Cada linha nasceu com um lugar para cada palavra da tabela. d é o tamanho de um vetor dela, não len(tabela)."""
    X = np.zeros((len(frase), len(tabela)))
    for i, palavra in enumerate(frase):
        X[i] = tabela[palavra]
    return X
