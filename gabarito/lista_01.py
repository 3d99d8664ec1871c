"""Lista 01, produto escalar: referências, casos, equívocos e alternativas de cada questão."""

import re

import numpy as np
import torch

from gabarito.base import caso, questao

# ---------------------------------------------------------------------------------------------- incorporar

PALAVRAS = ["casa", "rio", "vento", "pedra", "lua", "trem", "folha", "sino", "barco", "areia", "chuva", "ponte"]


def _incorporar(frase, tabela):
    return np.stack([tabela[palavra] for palavra in frase])  # (N, D)


def _tabela(rng, palavras, D):
    return {palavra: np.round(rng.normal(size=D), 2) for palavra in palavras}


def _tabela_fina(rng, palavras, D):
    """Quatro casas decimais, de modo que arredondar para duas ou três sempre se vê."""
    return {palavra: vetor + 0.0045 for palavra, vetor in _tabela(rng, palavras, D).items()}


def _ocultos_incorporar(rng):
    """Palavras sorteadas; cada caso separa um grupo de enganos, seja qual for a semente."""
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
        caso([c, b, d, a], _tabela(rng, [b, d, extra_1, a, c], 2), rotulo="D = 2"),
        caso([nome, b, a, nome], _tabela(rng, [b, a, extra_1, nome], 3), rotulo="maiúsculas"),
        caso([b, a + ".", d, a], _tabela(rng, [a, d, b, a + "."], 3), rotulo="pontuação"),
        caso([b, c, fora, a], _tabela(rng, [a, b, c, d], D), rotulo="palavra fora da tabela", nomeia=fora),
        caso([b, nome, c], _tabela(rng, [a, b, c], 4), rotulo="só há a forma minúscula", nomeia=nome),
        caso([b, a + "!", c], _tabela(rng, [a, b, c], 2), rotulo="só há a forma sem pontuação", nomeia=a + "!"),
        caso([e], base, rotulo="uma palavra só"),
        caso(longa, _tabela_fina(rng, [b, extra_2, e, a, d, c], D), rotulo="frase longa, quatro casas decimais"),
        caso(longa, _tabela(rng, [c, a, extra_1, d, b, e, extra_2], D), rotulo="a mesma frase, com outra tabela"),
        caso([b, *formas], _tabela(rng, [*sorted(formas), b], 3), rotulo="espaços e pontuação"),
        caso([b, c, pergunta], _tabela(rng, [b, a, c], 2), rotulo="sem a interrogação", nomeia=re.escape(pergunta)),
        caso([a, b], _tabela(rng, [b, grito, nome], 3), rotulo="só há as formas maiúsculas", nomeia=a),
        caso([b, " " + a, c], _tabela(rng, [c, a, b], 3), rotulo="só há a forma sem espaço", nomeia=a),
        caso([fora, b, fora_2, a], _tabela(rng, [a, b, c], 3), rotulo="duas fora da tabela", nomeia=f"{fora}|{fora_2}"),
    ]


incorporar = questao(
    "lista-01/incorporar",
    assinatura="incorporar(frase, tabela)",
    saida="array",
    referencia=_incorporar,
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
        caso(
            ["o", "gato", "roeu"],
            {"o": np.array([0.2, 0.0]), "roeu": np.array([0.2, 0.3]), "rato": np.array([0.5, 0.3])},
            rotulo="uma palavra fora da tabela", nomeia=r"gato",
        ),
        caso(
            ["Rato", "rei"],
            {"rato": np.array([0.5, 0.3, 0.1]), "rei": np.array([0.8, 0.5, 0.4])},
            rotulo="a tabela tem “rato”, mas não “Rato”", nomeia=r"Rato",
        ),
        caso(
            ["gato", "rei"],
            {"Gato": np.array([0.5, 0.3, 0.1]), "rei": np.array([0.8, 0.5, 0.4]), "GATO": np.array([0.4, 0.2, 0.9])},
            rotulo="a tabela tem “Gato” e “GATO”, mas não “gato”", nomeia=r"gato",
        ),
        caso(
            ["vai", "a", "Roma?"],
            {"a": np.array([0.1, 0.6]), "Roma": np.array([0.9, 0.5]), "vai": np.array([0.7, -0.6])},
            rotulo="a tabela tem “Roma”, mas não “Roma?”", nomeia=r"Roma\?",
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
    ocultos=_ocultos_incorporar,
)  # fmt: skip


@incorporar.equivoco(
    "minusculas",
    "Sua função troca maiúsculas por minúsculas antes de procurar. Aqui «Manga» e «manga» são duas palavras: "
    "procure cada uma exatamente como veio.",
)
def _(frase, tabela):
    return np.stack([tabela[p.lower()] for p in frase])


@incorporar.equivoco(
    "tira-pontuacao",
    "Sua função tira a pontuação antes de procurar. «Roma.» e «Roma» são entradas diferentes da tabela: "
    "use a palavra como ela veio.",
)
def _(frase, tabela):
    return np.stack([tabela[p.strip(".,;:!?")] for p in frase])


@incorporar.equivoco(
    "tira-espacos",
    "Sua função tira os espaços das pontas antes de procurar. « Roma» e «Roma» são entradas diferentes da tabela: "
    "use a palavra como ela veio.",
)
def _(frase, tabela):
    return np.stack([tabela[p.strip()] for p in frase])


@incorporar.equivoco(
    "minusculas-se-faltar",
    "Quando a palavra não está na tabela, sua função tenta de novo em minúsculas. «Rato» não é «rato»: "
    "o pedido é um KeyError que a nomeie.",
)
def _(frase, tabela):
    return np.stack([tabela[p] if p in tabela else tabela[p.lower()] for p in frase])


@incorporar.equivoco(
    "maiusculas-se-faltar",
    "Quando a palavra não está na tabela, sua função tenta de novo com a inicial maiúscula. «gato» não é «Gato»: "
    "o pedido é um KeyError que a nomeie.",
)
def _(frase, tabela):
    return np.stack([tabela[p] if p in tabela else tabela[p.capitalize()] for p in frase])


@incorporar.equivoco(
    "tira-pontuacao-se-faltar",
    "Quando a palavra não está na tabela, sua função tenta de novo sem a pontuação. «Roma?» não é «Roma»: "
    "o pedido é um KeyError que a nomeie.",
)
def _(frase, tabela):
    return np.stack([tabela[p] if p in tabela else tabela[p.strip(".,;:!?")] for p in frase])


@incorporar.equivoco(
    "arredonda",
    "Seus valores saíram arredondados para duas casas. Os vetores passam para a matriz como estão na tabela.",
)
def _(frase, tabela):
    return np.round(np.stack([tabela[p] for p in frase]), 2)


@incorporar.equivoco(
    "erro-com-outra-palavra",
    "O KeyError está certo, mas nomeia a última palavra da frase, que nem sempre é a que falta. Ponha na mensagem a "
    "palavra que não está na tabela.",
)
def _(frase, tabela):
    if any(p not in tabela for p in frase):
        raise KeyError(frase[-1])
    return np.stack([tabela[p] for p in frase])


@incorporar.equivoco(
    "pula-desconhecidas",
    "Uma palavra fora da tabela sumiu da saída sem aviso. O pedido é parar com um KeyError que diga qual é ela.",
)
def _(frase, tabela):
    return np.stack([tabela[p] for p in frase if p in tabela])


@incorporar.equivoco(
    "para-na-desconhecida",
    "Ao chegar a uma palavra fora da tabela, sua função devolve só o que juntou até ali. Ela deve lançar um "
    "KeyError com o nome dessa palavra.",
)
def _(frase, tabela):
    linhas = []
    for p in frase:
        if p not in tabela:
            break
        linhas.append(tabela[p])
    return np.array(linhas)


@incorporar.equivoco(
    "zeros-para-desconhecidas",
    "A palavra fora da tabela virou um vetor de zeros, e o erro seguiu escondido. O pedido é um KeyError que a nomeie.",
)
def _(frase, tabela):
    D = len(next(iter(tabela.values())))
    return np.stack([tabela.get(p, np.zeros(D)) for p in frase])


@incorporar.equivoco(
    "uns-para-desconhecidas",
    "A palavra fora da tabela virou um vetor de uns, inventado. O pedido é um KeyError que a nomeie.",
)
def _(frase, tabela):
    D = len(next(iter(tabela.values())))
    return np.stack([tabela.get(p, np.ones(D)) for p in frase])


@incorporar.equivoco(
    "media-para-desconhecidas",
    "A palavra fora da tabela recebeu a média dos outros vetores. É um truque que existe, mas aqui o pedido é um "
    "KeyError que a nomeie.",
)
def _(frase, tabela):
    media = np.mean(list(tabela.values()), axis=0)
    return np.stack([tabela.get(p, media) for p in frase])


@incorporar.equivoco(
    "erro-de-outro-tipo",
    "Sua função acusa a palavra que falta, mas com ValueError. O pedido é KeyError, o erro de quem procura uma chave "
    "que não existe.",
)
def _(frase, tabela):
    for p in frase:
        if p not in tabela:
            raise ValueError(f"palavra fora da tabela: {p}")
    return np.stack([tabela[p] for p in frase])


@incorporar.equivoco(
    "erro-sem-nome",
    "O KeyError está certo, mas a mensagem não diz qual palavra falta. Quem lê o erro precisa saber onde mexer.",
)
def _(frase, tabela):
    if any(p not in tabela for p in frase):
        raise KeyError("palavra desconhecida")
    return np.stack([tabela[p] for p in frase])


@incorporar.equivoco(
    "erro-com-indice",
    "O KeyError traz a posição da palavra na frase, e não a palavra. Ponha na mensagem a própria palavra que falta.",
)
def _(frase, tabela):
    for i, p in enumerate(frase):
        if p not in tabela:
            raise KeyError(i)
    return np.stack([tabela[p] for p in frase])


@incorporar.equivoco(
    "get-devolve-none",
    "Para uma palavra que falta, o `.get` do dicionário devolve None em silêncio, e o erro só aparece depois, ao "
    "montar o array. O pedido é um KeyError que a nomeie.",
)
def _(frase, tabela):
    return np.array([tabela.get(p) for p in frase])


@incorporar.equivoco(
    "get-devolve-none-no-stack",
    "Para uma palavra que falta, o `.get` do dicionário devolve None em silêncio, e o erro só aparece depois, ao "
    "empilhar. O pedido é um KeyError que a nomeie.",
)
def _(frase, tabela):
    return np.stack([tabela.get(p) for p in frase])


@incorporar.equivoco(
    "transposta",
    "Sua matriz está deitada: tem uma coluna para cada palavra. Na saída (N, D), cada palavra é uma linha.",
)
def _(frase, tabela):
    return np.stack([tabela[p] for p in frase]).T


@incorporar.equivoco(
    "sem-repeticao",
    "As palavras repetidas aparecem uma vez só. A saída tem uma linha para cada palavra da frase, mesmo que ela volte.",
)
def _(frase, tabela):
    return np.stack([tabela[p] for p in dict.fromkeys(frase)])


@incorporar.equivoco(
    "ordem-da-tabela",
    "As linhas seguem a ordem da tabela. É a ordem da frase que conta: percorra a frase, não a tabela.",
)
def _(frase, tabela):
    return np.stack([vetor for p, vetor in tabela.items() if p in frase])


@incorporar.equivoco(
    "tabela-inteira",
    "Sua saída traz a tabela inteira, com palavras que não estão na frase. Procure só as palavras da frase.",
)
def _(frase, tabela):
    return np.stack(list(tabela.values()))


@incorporar.equivoco(
    "ordem-alfabetica",
    "As linhas estão em ordem alfabética. A linha n deve ser o vetor da n-ésima palavra da frase.",
)
def _(frase, tabela):
    return np.stack([tabela[p] for p in sorted(frase)])


@incorporar.equivoco(
    "ordem-inversa",
    "As linhas estão de trás para a frente: a última palavra veio primeiro. A linha 0 é a primeira palavra.",
)
def _(frase, tabela):
    return np.stack([tabela[p] for p in frase])[::-1]


@incorporar.equivoco(
    "achatada",
    "Seus vetores estão emendados numa fila só, de forma (N·D,). Empilhe-os: uma linha para cada palavra, (N, D).",
)
def _(frase, tabela):
    return np.concatenate([tabela[p] for p in frase])


@incorporar.equivoco(
    "somada",
    "Sua saída é um vetor só, a soma da frase. Não some nada ainda: uma linha para cada palavra.",
)
def _(frase, tabela):
    return np.sum([tabela[p] for p in frase], axis=0)


@incorporar.equivoco(
    "media",
    "Sua saída é um vetor só, a média da frase. Não junte nada ainda: uma linha para cada palavra.",
)
def _(frase, tabela):
    return np.mean([tabela[p] for p in frase], axis=0)


@incorporar.equivoco(
    "um-vetor-a-menos",
    "Falta a última palavra da frase. Veja onde o seu laço termina.",
)
def _(frase, tabela):
    return np.array([tabela[frase[i]] for i in range(len(frase) - 1)])


@incorporar.equivoco(
    "altera-a-entrada",
    "Sua função escreve na tabela que recebeu. Quem chama continua a usá-la: só leia.",
)
def _(frase, tabela):
    D = len(next(iter(tabela.values())))
    return np.stack([tabela.setdefault(p, np.zeros(D)) for p in frase])


@incorporar.alternativa("lista-de-linhas")
def _(frase, tabela):
    return np.array([tabela[p] for p in frase])


@incorporar.alternativa("laco-com-erro-proprio")
def _(frase, tabela):
    D = len(next(iter(tabela.values())))
    X = np.zeros((len(frase), D))
    for n, palavra in enumerate(frase):
        if palavra not in tabela:
            raise KeyError(f"a palavra '{palavra}' não está na tabela")
        X[n] = tabela[palavra]
    return X


@incorporar.alternativa("todas-as-que-faltam")
def _(frase, tabela):
    faltam = sorted(set(frase) - set(tabela))
    if faltam:
        raise KeyError(f"fora da tabela: {', '.join(faltam)}")
    return np.vstack([tabela[p] for p in frase])


@incorporar.alternativa("indices-e-uma-consulta")
def _(frase, tabela):
    indice = {palavra: i for i, palavra in enumerate(tabela)}
    matriz = np.array(list(tabela.values()))  # (V, D)
    return matriz[[indice[p] for p in frase]]


@incorporar.alternativa("com-torch")
def _(frase, tabela):
    return torch.stack([torch.tensor(tabela[p], dtype=torch.float64) for p in frase])


@incorporar.alternativa("torch-float32")
def _(frase, tabela):
    return torch.stack([torch.tensor(tabela[p], dtype=torch.float32) for p in frase])


@incorporar.alternativa("erro-refeito")
def _(frase, tabela):
    linhas = []
    for palavra in frase:
        try:
            linhas.append(tabela[palavra])
        except KeyError as erro:
            raise KeyError("sem vetor para " + palavra) from erro
    return np.array(linhas, dtype=np.float32)


# ----------------------------------------------------------------------------------------- produto_escalar


def _produto_escalar(a, b):
    return float(np.dot(a, b))


def _ocultos_produto(rng):
    """Um produto bem positivo, um bem negativo, um nulo, um de D = 1, um de D grande, um pequenino e um qualquer."""

    def par(D, sinal):
        # Duas componentes grandes e de mesmo produto garantem o sinal e separam "quase certo" de certo.
        a, b = np.round(rng.normal(size=D), 2), np.round(rng.normal(size=D), 2)
        a[0], a[-1] = 2.5, -3.25
        b[0], b[-1] = sinal * np.round(rng.uniform(1, 3, size=2), 2) * np.sign([2.5, -3.25])
        return caso(a, b, rotulo="produto positivo" if sinal > 0 else "produto negativo")

    def muitas(D):
        # A parcela grande passa de 30; a penúltima e a antepenúltima se repetem; as do fim pesam.
        a, b = np.round(rng.normal(size=D), 3), np.round(rng.normal(size=D), 3)
        a[-8:], b[-8:] = np.round(rng.uniform(0.5, 1.5, size=(2, 8)), 3)
        a[-2], b[-2] = a[-3], b[-3]
        a[0], b[0] = 8.0, 6.5 + rng.integers(0, 8) / 8
        return caso(a, b, rotulo="muitas componentes")

    u, v = (int(n) for n in rng.integers(2, 9, size=2))
    # 0,0002 mais de 15 a 45 milionésimos: quem arredonda para quatro casas fica longe.
    miudo = 0.001 * int(rng.choice([3, 5, 7, 9]))
    return [
        par(int(rng.integers(3, 6)), +1),
        par(int(rng.integers(6, 9)), -1),
        par(2, -1),
        caso(np.array([u, v, 0.0]), np.array([-v, u, 5.0]), rotulo="perpendiculares"),
        caso(np.array([u + 0.5]), np.array([-v - 0.25]), rotulo="D = 1"),
        caso(np.round(rng.normal(size=12), 2), np.round(rng.normal(size=12), 2), rotulo="D = 12"),
        muitas(int(rng.integers(20, 41))),
        caso(np.array([0.01, 0.005]), np.array([0.02, miudo]), rotulo="componentes pequenas"),
        caso(np.array([0.01, miudo]), np.array([-0.02, -0.005]), rotulo="componentes pequenas, produto negativo"),
    ]


produto_escalar = questao(
    "lista-01/produto_escalar",
    assinatura="produto_escalar(a, b)",
    saida="float",
    referencia=_produto_escalar,
    casos=[
        caso(np.array([1.0, 2.0, 3.0]), np.array([4.0, -5.0, 6.0]), rotulo="o exemplo do enunciado", claro=True),
        caso(np.array([0.5, 0.3]), np.array([0.9, 0.5]), rotulo="rato e Roma."),
        caso(np.array([1.0, 2.0]), np.array([-4.0, 2.0]), rotulo="vetores perpendiculares"),
        caso(
            np.array([0.7, -1.2, 0.4, 2.1, -0.5]), np.array([-1.5, 0.6, 0.8, -0.9, 1.1]), rotulo="um produto negativo"
        ),
        caso(np.array([2.5]), np.array([-4.0]), rotulo="uma dimensão só"),
        caso(np.array([0.01, 0.003]), np.array([0.02, 0.005]), rotulo="componentes pequenas"),
        # as parcelas se repetem (1 e 1; 0,125 e 0,125) e a soma passa de 30
        caso(
            np.array([5, 1, 1, -2, 0.5, 0.25, 0.5, -1, 3, 2, 1, 0, 0.125, 4, -3, 2, 0.5, 1, 1.5, 6]),
            np.array([4, 1, 1, 3, 0.25, 0.5, -2, 0.5, 1, 0.75, -1, 9, 1, 2, 1, -0.5, 3, 2.5, 2, 3]),
            rotulo="vinte componentes",
        ),
    ],
    ocultos=_ocultos_produto,
)


@produto_escalar.equivoco(
    "sem-a-soma",
    "Sua saída é um vetor: os produtos componente a componente. Falta somá-los num número só.",
)
def _(a, b):
    return a * b


@produto_escalar.equivoco(
    "produto-externo",
    "Sua saída é uma matriz, o produto externo: todas as componentes de a por todas as de b. Aqui cada componente "
    "só encontra a de mesmo índice.",
)
def _(a, b):
    return np.outer(a, b)


@produto_escalar.equivoco(
    "cosseno",
    "Isso é o cosseno: você dividiu pelos comprimentos. O produto escalar não divide por nada.",
)
def _(a, b):
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


@produto_escalar.equivoco(
    "somas-antes",
    "Você somou cada vetor e depois multiplicou as somas. A ordem é a outra: multiplique par a par, depois some.",
)
def _(a, b):
    return float(a.sum() * b.sum())


@produto_escalar.equivoco(
    "soma-dos-vetores",
    "Você somou as componentes dos dois vetores. Em cada par, o que se faz é multiplicar.",
)
def _(a, b):
    return float(np.sum(a + b))


@produto_escalar.equivoco(
    "distancia",
    "Isso é a distância entre as pontas dos vetores: pequena quando são parecidos. O produto escalar multiplica as "
    "componentes, não as subtrai.",
)
def _(a, b):
    return float(np.linalg.norm(a - b))


@produto_escalar.equivoco(
    "distancia-ao-quadrado",
    "Isso é o quadrado da distância. O produto escalar multiplica as componentes, não as subtrai.",
)
def _(a, b):
    return float(np.sum((a - b) ** 2))


@produto_escalar.equivoco(
    "valor-absoluto",
    "O tamanho está certo e o sinal se perdeu. Um produto negativo diz que os vetores se opõem: guarde o sinal.",
)
def _(a, b):
    return float(abs(a @ b))


@produto_escalar.equivoco(
    "absoluto-por-parcela",
    "Você tirou o sinal de cada parcela antes de somar. As parcelas negativas têm de descontar das positivas.",
)
def _(a, b):
    return float(np.sum(np.abs(a * b)))


@produto_escalar.equivoco(
    "media",
    "Você tirou a média dos produtos: o resultado saiu dividido por D. O pedido é a soma.",
)
def _(a, b):
    return float(np.mean(a * b))


@produto_escalar.equivoco(
    "perde-a-ultima",
    "Sua conta deixa a última componente de fora. Veja onde o seu laço termina.",
)
def _(a, b):
    return float(np.sum(a[:-1] * b[:-1]))


@produto_escalar.equivoco(
    "perde-a-primeira",
    "Sua conta deixa a primeira componente de fora: os índices de Python começam no 0.",
)
def _(a, b):
    return float(np.sum(a[1:] * b[1:]))


@produto_escalar.equivoco(
    "so-a-primeira",
    "Sua função devolve só a primeira parcela. O return está dentro do laço?",
)
def _(a, b):
    return float(a[0] * b[0])


@produto_escalar.equivoco(
    "so-a-ultima",
    "Sua função devolve só a última parcela: a cada volta do laço, a anterior se perde. Acumule.",
)
def _(a, b):
    return float(a[-1] * b[-1])


@produto_escalar.equivoco(
    "produto-das-normas",
    "Isso é o produto dos comprimentos, que não enxerga o ângulo. O produto escalar só chega a ele quando os vetores "
    "apontam para o mesmo lado.",
)
def _(a, b):
    return float(np.linalg.norm(a) * np.linalg.norm(b))


@produto_escalar.equivoco(
    "ao-quadrado",
    "Seu resultado é o produto escalar de a com ele mesmo. O vetor b não entrou na conta.",
)
def _(a, b):
    return float(a @ a)


@produto_escalar.equivoco(
    "arredonda",
    "Seu resultado saiu arredondado para duas casas, e um produto pequeno virou 0. Devolva a soma como ela é.",
)
def _(a, b):
    return round(float(a @ b), 2)


@produto_escalar.equivoco(
    "arredonda-para-4-casas",
    "Seu resultado saiu arredondado para quatro casas: num produto pequeno, sobra um algarismo só. Devolva a soma "
    "como ela é.",
)
def _(a, b):
    return round(float(a @ b), 4)


@produto_escalar.equivoco(
    "trunca-para-inteiro",
    "Seu resultado perdeu as casas decimais: há um `int` na conta. Devolva a soma como ela é.",
)
def _(a, b):
    return int(a @ b)


@produto_escalar.equivoco(
    "matriz-1x1",
    "O valor está certo, mas embrulhado numa matriz 1×1. O pedido é um número.",
)
def _(a, b):
    return a[None, :] @ b[:, None]


@produto_escalar.equivoco(
    "altera-a-entrada",
    "Sua função escreve em a (um `a *= b`?). Quem chama continua a usar o vetor: faça a conta fora dele.",
)
def _(a, b):
    a *= b
    return float(a.sum())


@produto_escalar.alternativa("laco")
def _(a, b):
    soma = 0.0
    for i in range(len(a)):
        soma += a[i] * b[i]
    return soma


@produto_escalar.alternativa("zip-e-sum")
def _(a, b):
    return sum(float(x) * float(y) for x, y in zip(a, b, strict=True))


@produto_escalar.alternativa("arroba")
def _(a, b):
    return a @ b  # np.float64


@produto_escalar.alternativa("einsum")
def _(a, b):
    return np.einsum("d,d->", a, b)


@produto_escalar.alternativa("torch")
def _(a, b):
    return torch.dot(torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64))


@produto_escalar.alternativa("torch-float32")
def _(a, b):
    return torch.dot(torch.tensor(a, dtype=torch.float32), torch.tensor(b, dtype=torch.float32)).item()


@produto_escalar.alternativa("multiplica-e-soma-float32")
def _(a, b):
    return (a.astype(np.float32) * b.astype(np.float32)).sum()


@produto_escalar.alternativa("lei-dos-cossenos")
def _(a, b):
    # |a + b|² − |a − b|² = 4 a·b
    return float(np.sum((a + b) ** 2) - np.sum((a - b) ** 2)) / 4


# ------------------------------------------------------------------------------------------ similaridades

RATO = np.array(
    [[0.2, 0.0], [0.5, 0.3], [0.2, 0.3], [0.1, 0.1], [-0.3, 0.2], [0.2, 0.1], [0.8, 0.5], [0.1, 0.3], [0.9, 0.5]]
)


def _similaridades(X):
    return X @ X.T  # (N, D) @ (D, N) -> (N, N)


def _com_sinais(rng, N, D):
    """Uma matriz (N, D) com certeza de haver produtos positivos e negativos fora da diagonal."""
    X = np.round(rng.normal(size=(N, D)), 2)
    X[-1] = -X[0] + np.round(rng.uniform(0.05, 0.15, size=D), 2)
    X[0] += 0.75 * np.sign(X[0]) + 0.01  # nenhum comprimento perto de 1
    return X


def _miudos(rng, D):
    """Dois tokens pequenos, com produto de 0,0002 e mais uns milionésimos, e dois quaisquer: uma matriz (4, D)."""
    X = np.round(rng.normal(size=(4, D)), 3)
    X[0], X[2] = 0.0, 0.0
    X[0, :2] = 0.01, 0.005
    X[2, :2] = 0.02, 0.001 * int(rng.choice([3, 5, 7, 9]))
    return X[rng.permutation(4)]


def _ocultos_similaridades(rng):
    N = int(rng.integers(5, 8))
    return [
        caso(_com_sinais(rng, N, 3), rotulo="mais tokens do que dimensões"),
        caso(_com_sinais(rng, 3, 6), rotulo="mais dimensões do que tokens"),
        caso(_com_sinais(rng, 4, 4), rotulo="N = D"),
        caso(_com_sinais(rng, 6, 2), rotulo="no plano"),
        caso(np.round(rng.normal(size=(1, 3)) + 2, 2), rotulo="um token só"),
        caso(rng.integers(-9, 10, size=(4, 3)) / 4 + 0.125, rotulo="quartos"),
        caso(_miudos(rng, 3), rotulo="a mesma forma, com tokens pequenos"),
        caso(_com_sinais(rng, N, 1), rotulo="uma dimensão só"),
        caso(_com_sinais(rng, 3, 12), rotulo="doze dimensões"),
        caso(_com_sinais(rng, 12, 5), rotulo="doze tokens"),
        caso(np.round(rng.uniform(1.5, 3, size=(1, 1)), 2), rotulo="um token, uma dimensão"),
    ]


similaridades = questao(
    "lista-01/similaridades",
    assinatura="similaridades(X)",
    saida="array",
    referencia=_similaridades,
    propriedades=["simetrica"],
    casos=[
        caso(np.array([[1.0, 2.0], [3.0, 0.0], [-1.0, 1.0]]), rotulo="o exemplo do enunciado", claro=True),
        caso(RATO, rotulo="a frase do rato"),
        caso(
            np.array([[0.7, -0.3, 1.1], [-0.4, 0.9, 0.2], [1.3, 0.5, -0.6], [0.1, -1.2, 0.8]]),
            rotulo="4 tokens, 3 dimensões",
        ),
        caso(
            np.array([[1.5, -0.4, 0.2, 0.9, -1.1, 0.6, -0.8, 0.1], [0.3, 0.8, -0.7, 0.6, 1.2, -0.5, 0.4, 0.9]]),
            rotulo="2 tokens, 8 dimensões",
        ),
        caso(
            np.array([[1.5, -0.4, 0.2], [0.3, 0.8, -0.7], [-0.9, 0.6, 1.2]]),
            rotulo="3 tokens, 3 dimensões",
        ),
        caso(np.array([[0.5, -2.0, 1.5, 0.5]]), rotulo="um token só"),
        caso(
            np.array([[0.01, 0.003, 0.002], [0.02, 0.005, -0.001], [-0.125, 1.375, 0.25], [0.625, -0.375, 1.125]]),
            rotulo="outros 4 tokens, 3 dimensões, dois deles pequenos",
        ),
        caso(np.array([[1.5], [-2.0], [0.25]]), rotulo="uma dimensão só"),
    ],
    ocultos=_ocultos_similaridades,
)


@similaridades.equivoco(
    "transposta-trocada",
    "Sua saída é D×D: você comparou dimensões com dimensões. Para comparar tokens com tokens (N×N), é o outro fator "
    "que leva a transposta.",
)
def _(X):
    return X.T @ X


@similaridades.equivoco(
    "falta-a-transposta",
    "A multiplicação X por X não casa as formas: (N, D) com (N, D). Um dos fatores tem de ser transposto.",
)
def _(X):
    return X @ X


@similaridades.equivoco(
    "elemento-a-elemento",
    "Você elevou cada entrada ao quadrado: o `*` multiplica entrada por entrada. "
    "O produto de matrizes é outra operação.",
)
def _(X):
    return X * X


@similaridades.equivoco(
    "sem-a-soma",
    "Sua saída tem três eixos, (N, N, D): os produtos estão lá, mas falta somar sobre as dimensões.",
)
def _(X):
    return X[:, None, :] * X[None, :, :]


@similaridades.equivoco(
    "soma-no-eixo-errado",
    "Você somou sobre os tokens e sobraram as dimensões: (N, D). Some sobre o eixo das dimensões, para sobrar (N, N).",
)
def _(X):
    return (X[:, None, :] * X[None, :, :]).sum(axis=1)


@similaridades.equivoco(
    "cosseno",
    "Isso é a matriz de cossenos (a diagonal ficou toda em 1). Aqui ainda não se divide pelos comprimentos.",
)
def _(X):
    n = np.linalg.norm(X, axis=1, keepdims=True)
    return (X / n) @ (X / n).T


@similaridades.equivoco(
    "distancias",
    "Isso é a matriz de distâncias (zero na diagonal). O pedido é o produto escalar entre os tokens.",
)
def _(X):
    return np.linalg.norm(X[:, None, :] - X[None, :, :], axis=-1)


@similaridades.equivoco(
    "diagonal-zerada",
    "Você zerou a diagonal. Cada token também tem produto escalar com ele mesmo: o quadrado do seu comprimento.",
)
def _(X):
    S = X @ X.T
    np.fill_diagonal(S, 0)
    return S


@similaridades.equivoco(
    "diagonal-de-uns",
    "Você pôs 1 na diagonal. Isso só valeria para o cosseno; o produto de um token com ele mesmo é o quadrado do "
    "comprimento.",
)
def _(X):
    S = X @ X.T
    np.fill_diagonal(S, 1)
    return S


@similaridades.equivoco(
    "so-o-triangulo-de-cima",
    "Só metade da matriz está preenchida. A entrada (m, n) também existe, e é igual à (n, m).",
)
def _(X):
    return np.triu(X @ X.T)


@similaridades.equivoco(
    "so-o-triangulo-de-baixo",
    "A metade de cima ficou em zero. Nada de máscara por enquanto: a entrada (n, m) também existe para m maior que n.",
)
def _(X):
    return np.tril(X @ X.T)


@similaridades.equivoco(
    "ja-com-escala",
    "Você dividiu pela raiz de D. Essa escala só chega na aula 03; aqui é o produto puro.",
)
def _(X):
    return X @ X.T / np.sqrt(X.shape[1])


@similaridades.equivoco(
    "media-sobre-d",
    "Seus valores saíram divididos por D: você tirou a média no lugar da soma.",
)
def _(X):
    return X @ X.T / X.shape[1]


@similaridades.equivoco(
    "ja-com-softmax",
    "Suas linhas somam 1: você já aplicou a softmax. Ela é da próxima aula; aqui ficam os produtos como são.",
)
def _(X):
    e = np.exp(X @ X.T)
    return e / e.sum(axis=1, keepdims=True)


@similaridades.equivoco(
    "valor-absoluto",
    "Os sinais negativos sumiram. Um produto negativo diz que os dois tokens se opõem: guarde o sinal.",
)
def _(X):
    return np.abs(X @ X.T)


@similaridades.equivoco(
    "negativos-viram-zero",
    "Os produtos negativos viraram zero. Guarde-os: token oposto não é o mesmo que token sem relação.",
)
def _(X):
    return np.maximum(X @ X.T, 0)


@similaridades.equivoco(
    "so-a-diagonal",
    "Sua saída só tem cada token com ele mesmo, (N,). Falta comparar cada um com todos os outros.",
)
def _(X):
    return (X * X).sum(axis=1)


@similaridades.equivoco(
    "so-o-primeiro-token",
    "Sua saída é uma linha só: o primeiro token com todos. Faça o mesmo para cada token.",
)
def _(X):
    return X @ X[0]


@similaridades.equivoco(
    "dividida-pelo-maximo",
    "Você dividiu tudo pelo maior valor. Não há normalização nesta questão.",
)
def _(X):
    S = X @ X.T
    return S / S.max()


@similaridades.equivoco(
    "arredonda",
    "Seus valores saíram arredondados para duas casas, e os produtos pequenos viraram 0. Devolva-os como são.",
)
def _(X):
    return np.round(X @ X.T, 2)


@similaridades.equivoco(
    "perde-o-eixo-com-um-token",
    "Com um token só, sua saída virou um número solto. Ela é sempre uma matriz (N, N); com N = 1, de forma (1, 1).",
)
def _(X):
    return np.squeeze(X @ X.T)


@similaridades.equivoco(
    "altera-a-entrada",
    "Sua função escreve em X (normalizou no lugar?). Quem chama continua a usar X: trabalhe numa cópia.",
)
def _(X):
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X @ X.T


@similaridades.alternativa("dois-lacos")
def _(X):
    N = len(X)
    S = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            S[n, m] = np.dot(X[n], X[m])
    return S


@similaridades.alternativa("einsum")
def _(X):
    return np.einsum("nd,md->nm", X, X)


@similaridades.alternativa("espalhar-e-somar")
def _(X):
    return (X[:, None, :] * X[None, :, :]).sum(axis=-1)


@similaridades.alternativa("torch")
def _(X):
    Xt = torch.tensor(X)
    return Xt @ Xt.T


@similaridades.alternativa("torch-float32")
def _(X):
    Xt = torch.tensor(X, dtype=torch.float32)
    return torch.einsum("nd,md->nm", Xt, Xt)


@similaridades.alternativa("soma-de-produtos-externos")
def _(X):
    return sum(np.outer(coluna, coluna) for coluna in X.T)  # uma matriz (N, N) para cada dimensão


@similaridades.alternativa("inner-em-float32")
def _(X):
    return np.inner(X.astype(np.float32), X.astype(np.float32))


@similaridades.alternativa("metade-e-espelho")
def _(X):
    N = len(X)
    S = np.zeros((N, N))
    for n in range(N):
        for m in range(n, N):
            S[n, m] = S[m, n] = float(X[n] @ X[m])
    return S


# ------------------------------------------------------------------------------------------------ cosseno


def _cosseno(X):
    n = np.linalg.norm(X, axis=1, keepdims=True)  # (N, 1)
    U = np.divide(X, n, out=np.zeros(X.shape), where=n > 0)  # (N, D), linhas de comprimento 1 ou 0
    return U @ U.T


def _ocultos_cosseno(rng):
    """Sempre há vetores nulos, curtíssimos, de soma zero, comprimentos desiguais e cossenos dos dois sinais."""

    def matriz(N, D, nulas=(), escala=1.0):
        X = np.round(rng.normal(size=(N, D)), 2)
        X[0] += np.sign(X[0]) + 0.01  # nada perto do vetor nulo por acaso
        X[-1] = -X[0] + np.round(rng.uniform(0.2, 0.4, size=D), 2)
        X[1:-1] += 0.5 * np.sign(X[1:-1]) + 0.01
        X *= np.array([2.0 ** int(k) for k in rng.integers(-2, 4, size=N)])[:, None]
        for n in nulas:
            X[n] = 0.0
        return X * escala

    def curtissimos():
        X = np.round(rng.uniform(0.3, 1, size=(3, 5)) * rng.choice([-1, 1], size=(3, 5)), 2)
        return caso(X * 2.0**-22, rotulo="vetores curtíssimos")  # comprimentos entre 0,00000016 e 0,00000054

    def com_zeros():
        # A soma da primeira linha é 0, as outras têm zeros em toda parte, e nenhuma é nula.
        u, v, w = (float(k) for k in rng.integers(1, 6, size=3))
        X = np.array([[u, -u, 0, 0], [0, 0, v, 0], [0, 0, -w, u], [0, v, 0, 0], [w, 0, 0, 0], [-v, 0, v + w, -w]])
        return caso(X[rng.permutation(6)], rotulo="linhas com zeros, nenhuma nula")

    def soma_zero():
        u, v = (int(k) / 4 for k in rng.integers(2, 9, size=2))
        X = np.array([[u, -u], [v + 1, u], [-v, v], [u, v + 2], [0, 0]])
        return caso(X[rng.permutation(5)], rotulo="linhas que somam zero, e uma nula")

    N = int(rng.integers(5, 8))
    meio = int(rng.integers(1, N - 1))
    reta = np.round(rng.uniform(0.5, 3, size=4) * np.array([1, -1, 1, -1]), 2)[:, None]  # (4, 1)
    return [
        caso(matriz(N, 3), rotulo="sem vetor nulo"),
        caso(matriz(N, 4, nulas=(meio,)), rotulo="um vetor nulo"),
        caso(matriz(4, 3, nulas=(1, 2)), rotulo="dois vetores nulos"),
        curtissimos(),
        caso(matriz(4, 4, escala=64.0), rotulo="vetores longos"),
        caso(matriz(6, 2), rotulo="no plano"),
        caso(np.zeros((1, 3)), rotulo="só um vetor nulo"),
        caso(matriz(4, 3, nulas=(0,)), rotulo="o primeiro é nulo"),
        caso(matriz(5, 4, nulas=(4,)), rotulo="o último é nulo"),
        caso(matriz(7, 2, nulas=(0, meio, 5, 6)), rotulo="quatro vetores nulos"),
        com_zeros(),
        soma_zero(),
        caso(reta, rotulo="uma dimensão só"),
        caso(np.vstack([reta, [[0.0]]]), rotulo="uma dimensão só, com um nulo"),
        caso(matriz(2, 4)[:1], rotulo="um token só"),
    ]


cosseno = questao(
    "lista-01/cosseno",
    assinatura="cosseno(X)",
    saida="array",
    referencia=_cosseno,
    propriedades=["simetrica"],
    casos=[
        caso(np.array([[3.0, 4.0], [0.0, 2.0], [-3.0, 0.0]]), rotulo="o exemplo do enunciado", claro=True),
        caso(
            np.array([[0.7, -0.3, 1.1], [-0.4, 0.9, 0.2], [1.3, 0.5, -0.6], [0.1, -1.2, 0.8]]),
            rotulo="4 tokens, 3 dimensões",
        ),
        caso(
            np.array([[1.0, -2.0, 0.5], [0.0, 0.0, 0.0], [0.3, 0.6, -0.9], [-2.0, 1.5, 0.4]]),
            rotulo="com um vetor nulo",
        ),
        caso(np.array([[3e-6, 4e-6], [6e-6, -8e-6], [-5e-7, 2e-7]]), rotulo="vetores curtíssimos"),
        caso(
            np.array([[100.0, 40.0, -30.0, 20.0], [0.01, 0.03, -0.02, 0.05]]), rotulo="um vetor longo e um curto"
        ),
        caso(
            np.array([[1.5, -0.4, 0.2], [0.3, 0.8, -0.7], [-0.9, 0.6, 1.2]]), rotulo="3 tokens, 3 dimensões"
        ),
        caso(
            np.array([[0.0, 0.0], [1.5, 0.5], [0.0, 0.0], [-2.0, 1.0], [0.0, 0.0]]),
            rotulo="três vetores nulos: o primeiro, o do meio e o último",
        ),
        caso(
            np.array([[2.0, -2.0, 0.0], [0.0, 0.0, 5.0], [1.0, 3.0, -4.0], [0.0, 3.0, 0.0]]),
            rotulo="zeros e somas nulas, mas nenhum vetor nulo",
        ),
        caso(np.array([[2.0], [-3.0], [0.5]]), rotulo="uma dimensão só"),
        caso(np.array([[0.3, -0.4]]), rotulo="um token só"),
    ],
    ocultos=_ocultos_cosseno,
)  # fmt: skip


def _seguro(numerador, denominador):
    return np.divide(numerador, denominador, out=np.zeros(np.shape(numerador)), where=denominador != 0)


@cosseno.equivoco(
    "nan-no-vetor-nulo",
    "Um vetor nulo deu NaN: sua conta divide zero por zero. Cuide do comprimento 0 antes de dividir; ali o cosseno "
    "vale 0.",
)
def _(X):
    n = np.linalg.norm(X, axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        return (X / n) @ (X / n).T


@cosseno.equivoco(
    "diagonal-forcada-a-1",
    "Quase: você pôs 1 em toda a diagonal, até na do vetor nulo. Ele não tem direção; ali é 0.",
)
def _(X):
    C = _cosseno(X)
    np.fill_diagonal(C, 1)
    return C


@cosseno.equivoco(
    "vetor-nulo-vale-1",
    "O vetor nulo ficou com cosseno 1 com todos. Sem direção não há semelhança: a linha e a coluna dele são 0.",
)
def _(X):
    n = np.linalg.norm(X, axis=1)
    nn = np.outer(n, n)
    return np.divide(X @ X.T, nn, out=np.ones((len(X), len(X))), where=nn > 0)


@cosseno.equivoco(
    "epsilon-no-produto",
    "Você somou um número pequeno ao denominador. Ele evita o NaN, mas estraga o cosseno de vetores curtíssimos: "
    "trate o comprimento 0 à parte.",
)
def _(X):
    n = np.linalg.norm(X, axis=1)
    return X @ X.T / (np.outer(n, n) + 1e-8)


@cosseno.equivoco(
    "epsilon-1e-10-no-produto",
    "Você somou 1e-10 ao denominador. Evita o NaN, mas num par de vetores curtíssimos esse número já pesa: "
    "trate o comprimento 0 à parte.",
)
def _(X):
    n = np.linalg.norm(X, axis=1)
    return X @ X.T / (np.outer(n, n) + 1e-10)


@cosseno.equivoco(
    "epsilon-1e-12-no-produto",
    "Você somou 1e-12 ao denominador. Evita o NaN, mas num par de vetores curtíssimos esse número já pesa: "
    "trate o comprimento 0 à parte.",
)
def _(X):
    n = np.linalg.norm(X, axis=1)
    return X @ X.T / (np.outer(n, n) + 1e-12)


@cosseno.equivoco(
    "epsilon-1e-8-em-cada-norma",
    "Você somou 1e-8 a cada comprimento. Num vetor de comprimento 0,000005 isso já muda o cosseno: "
    "trate o comprimento 0 à parte.",
)
def _(X):
    n = np.linalg.norm(X, axis=1, keepdims=True) + 1e-8
    return (X / n) @ (X / n).T


@cosseno.equivoco(
    "epsilon-em-cada-norma",
    "Você somou um número pequeno a cada comprimento. Num vetor de comprimento 0,000005 isso já muda o cosseno: "
    "trate o comprimento 0 à parte.",
)
def _(X):
    n = np.linalg.norm(X, axis=1, keepdims=True) + 1e-6
    return (X / n) @ (X / n).T


@cosseno.equivoco(
    "curtos-viram-nulos",
    "Sua função trata vetores curtos como nulos. Só o comprimento exatamente 0 não tem direção; "
    "os curtíssimos têm, como os outros.",
)
def _(X):
    n = np.linalg.norm(X, axis=1, keepdims=True)
    U = np.where(n > 1e-4, X / np.where(n > 0, n, 1), 0)
    return U @ U.T


@cosseno.equivoco(
    "nulo-pela-soma",
    "Sua função trata como nula uma linha cuja soma dá 0, e (2, −2) soma 0 sem ser nula. Nulo é o vetor de "
    "comprimento 0.",
)
def _(X):
    U = np.where(X.sum(axis=1, keepdims=True) == 0, 0, _seguro(X, np.linalg.norm(X, axis=1)[:, None] * np.ones_like(X)))
    return U @ U.T


@cosseno.equivoco(
    "um-zero-basta",
    "Sua função trata como nula uma linha que tem algum zero. Nulo é só o vetor com todas as componentes em 0.",
)
def _(X):
    U = np.where(X.all(axis=1, keepdims=True), _seguro(X, np.linalg.norm(X, axis=1)[:, None] * np.ones_like(X)), 0)
    return U @ U.T


@cosseno.equivoco(
    "arredonda",
    "Seus cossenos saíram arredondados para duas casas. Devolva-os como são.",
)
def _(X):
    return np.round(_cosseno(X), 2)


@cosseno.equivoco(
    "normaliza-colunas",
    "Você dividiu cada coluna pelo comprimento dela. Quem tem comprimento é o token, a linha: reveja o eixo da norma.",
)
def _(X):
    U = _seguro(X, np.broadcast_to(np.linalg.norm(X, axis=0, keepdims=True), X.shape))
    return U @ U.T


@cosseno.equivoco(
    "norma-da-matriz-toda",
    "Você dividiu tudo por um número só, a norma da matriz inteira. Cada linha tem o seu comprimento.",
)
def _(X):
    total = np.linalg.norm(X)
    return X @ X.T / total**2 if total > 0 else X @ X.T


@cosseno.equivoco(
    "so-uma-norma",
    "Você dividiu só pelo comprimento de um dos dois tokens: a matriz nem ficou simétrica. Divida pelos dois.",
)
def _(X):
    n = np.linalg.norm(X, axis=1, keepdims=True)
    return _seguro(X, np.broadcast_to(n, X.shape)) @ X.T


@cosseno.equivoco(
    "norma-ao-quadrado",
    "Você dividiu cada linha pelo quadrado do comprimento. Falta a raiz quadrada na norma.",
)
def _(X):
    U = _seguro(X, np.broadcast_to((X**2).sum(axis=1, keepdims=True), X.shape))
    return U @ U.T


@cosseno.equivoco(
    "soma-no-lugar-da-norma",
    "Você dividiu cada linha pela soma dos módulos. O comprimento é a raiz da soma dos quadrados.",
)
def _(X):
    U = _seguro(X, np.broadcast_to(np.abs(X).sum(axis=1, keepdims=True), X.shape))
    return U @ U.T


@cosseno.equivoco(
    "sem-dividir",
    "Isso é o produto escalar puro. Para o cosseno, falta dividir pelos comprimentos dos dois tokens.",
)
def _(X):
    return X @ X.T


@cosseno.equivoco(
    "dimensoes-no-lugar-de-tokens",
    "Sua saída é D×D: você comparou dimensões. São os tokens, as linhas, que se comparam: N×N.",
)
def _(X):
    U = _seguro(X, np.broadcast_to(np.linalg.norm(X, axis=0, keepdims=True), X.shape))
    return U.T @ U


@cosseno.equivoco(
    "valor-absoluto",
    "Os cossenos negativos perderam o sinal. Cosseno −1 é direção oposta, e não a mesma.",
)
def _(X):
    return np.abs(_cosseno(X))


@cosseno.equivoco(
    "negativos-viram-zero",
    "Os cossenos negativos viraram 0. O cosseno vai de −1 a 1: guarde-os.",
)
def _(X):
    return np.maximum(_cosseno(X), 0)


@cosseno.equivoco(
    "distancia-do-cosseno",
    "Isso é 1 menos o cosseno, uma distância. O pedido é o cosseno: 1 na mesma direção, −1 na oposta.",
)
def _(X):
    return 1 - _cosseno(X)


@cosseno.equivoco(
    "angulo",
    "Isso é o ângulo, em radianos. O pedido é o cosseno dele: pare antes do arco-cosseno.",
)
def _(X):
    return np.arccos(np.clip(_cosseno(X), -1, 1))


@cosseno.equivoco(
    "correlacao",
    "Isso é a correlação: ela subtrai a média de cada linha antes. O cosseno não subtrai nada.",
)
def _(X):
    return _cosseno(X - X.mean(axis=1, keepdims=True))


@cosseno.equivoco(
    "altera-a-entrada",
    "Sua função escreve em X (um `X /= ...`?). Quem chama continua a usar X: faça uma cópia.",
)
def _(X):
    n = np.linalg.norm(X, axis=1, keepdims=True)
    X /= np.where(n > 0, n, 1)
    return X @ X.T


@cosseno.alternativa("norma-zero-vira-um")
def _(X):
    n = np.linalg.norm(X, axis=1, keepdims=True)
    U = X / np.where(n == 0, 1, n)
    return U @ U.T


@cosseno.alternativa("dois-lacos")
def _(X):
    N = len(X)
    C = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            comprimentos = np.sqrt(X[n] @ X[n]) * np.sqrt(X[m] @ X[m])
            if comprimentos != 0:
                C[n, m] = X[n] @ X[m] / comprimentos
    return C


@cosseno.alternativa("nan-trocado-por-zero")
def _(X):
    n = np.linalg.norm(X, axis=1)
    with np.errstate(all="ignore"):
        return np.nan_to_num(X @ X.T / np.outer(n, n), nan=0.0)


@cosseno.alternativa("a-partir-de-xxt")
def _(X):
    S = X @ X.T
    d = np.sqrt(np.diag(S))
    nn = d[:, None] * d[None, :]
    return np.where(nn > 0, S / np.where(nn > 0, nn, 1), 0)


@cosseno.alternativa("torch-cosine-similarity")
def _(X):
    Xt = torch.tensor(X)
    return torch.nn.functional.cosine_similarity(Xt[:, None, :], Xt[None, :, :], dim=-1)


@cosseno.alternativa("torch-normalize-float32")
def _(X):
    U = torch.nn.functional.normalize(torch.tensor(X, dtype=torch.float32), dim=1, eps=1e-12)
    return U @ U.T


@cosseno.alternativa("maximo-com-1e-12")
def _(X):
    U = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12)
    return np.einsum("nd,md->nm", U, U)


@cosseno.alternativa("float32")
def _(X):
    X = X.astype(np.float32)
    n = np.sqrt((X**2).sum(axis=1, keepdims=True))
    n[n == 0] = np.inf
    return (X / n) @ (X / n).T


# ------------------------------------------------------------------------------------------ mais_parecido


def _mais_parecido(X, n):
    s = X @ X[n]  # (N,)
    s[n] = -np.inf  # o próprio n fica fora da disputa
    return int(np.argmax(s))  # argmax fica com o primeiro dos empatados


def _sorteia(rng, N, D, rotulo, serve, escala=1.0):
    """Inteiros pequenos (contas exatas, empates de verdade), sorteados até que a condição `serve(X, n, s)` valha.

    A escala é uma potência de dois, e as contas continuam exatas, até em float32.
    """
    while True:
        X = rng.integers(-4, 5, size=(N, D)) * escala
        n = int(rng.integers(0, N))
        if X.any(axis=1).all() and serve(X, n, X @ X[n]):
            return caso(X, n, rotulo=rotulo)


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
    return caso(X, 0, rotulo="um token igual ao n, e outro que empata com ele")


def _ocultos_mais_parecido(rng):
    def proprio_ganha(X, n, s):
        # O módulo acerta aqui, para não se confundir com quem responde o menos parecido.
        m = _melhores(s, n)
        return 0 < n < 4 and len(m) == 1 and m[0] > n and s[n] > s[m[0]] > -s.min()

    def outro_ganha(X, n, s):
        m = _melhores(s, n)
        return len(m) == 1 and m[0] < n and s[m[0]] > s[n] and (s > s[n]).sum() == 1

    def empate_adiante(X, n, s):
        m = _melhores(s, n)
        return len(m) == 2 and m[0] > n and s[n] > s[m[0]] > 0

    def empate_dos_dois_lados(X, n, s):
        m = _melhores(s, n)
        return len(m) == 2 and m[0] < n < m[1]

    def todos_negativos(X, n, s):
        m = _melhores(s, n)
        return 0 < n < 3 and len(m) == 1 and m[0] != 0 and s[m[0]] < -1

    def outra_medida(X, n, s):
        por_cosseno = _escolhido(np.round(_cosseno(X)[n], 9), n)
        por_distancia = _escolhido(-((X - X[n]) ** 2).sum(axis=1), n)
        return len(_melhores(s, n)) == 1 and len({_escolhido(s, n), por_cosseno, por_distancia}) == 3

    def outro_token(X, n, s):
        certo, oposto, mais_longo = (_escolhido(m, n) for m in (s, np.abs(s), (X**2).sum(axis=1)))
        return n != 0 and len(_melhores(s, n)) == 1 and len({certo, oposto, mais_longo}) == 3

    def fracoes(X, n, s):
        # Nem os vetores nem os produtos podem virar inteiros ou décimos.
        P = np.round(X)
        tortos = [np.trunc(X) @ np.trunc(X[n]), np.trunc(s), P @ P[n], np.round(s), np.round(s, 1)]
        return len(_melhores(s, n)) == 1 and all(_escolhido(t, n) != _escolhido(s, n) for t in tortos)

    def empata_com_n(X, n, s):
        m = _melhores(s, n)
        return len(m) == 1 and m[0] > n and s[n] == s[m[0]] and not (X[n] == X[m[0]]).all()

    nulo = rng.integers(1, 5, size=(4, 3)) * rng.choice([-1.0, 1.0], size=(4, 3))
    nulo[0] = 0.0
    return [
        _sorteia(rng, 6, 3, "o próprio n tem o maior produto", proprio_ganha),
        _sorteia(rng, 5, 3, "outro token ganha do próprio n", outro_ganha),
        _sorteia(rng, 6, 2, "empate", empate_adiante),
        _sorteia(rng, 5, 3, "empate, um de cada lado de n", empate_dos_dois_lados),
        _sorteia(rng, 4, 2, "todos os produtos negativos", todos_negativos),
        _sorteia(rng, 6, 4, "produto, cosseno e distância discordam", outra_medida),
        _sorteia(rng, 5, 2, "um token oposto e um mais longo", outro_token),
        _sorteia(rng, 3, 5, "n é o último", lambda X, n, s: n == 2 and _melhores(s, n) == [1]),
        _sorteia(rng, 6, 3, "frações", fracoes, escala=0.125),
        _igual_e_empatado(rng),
        _sorteia(rng, 5, 2, "o melhor empata com o próprio n", empata_com_n),
        _sorteia(rng, 2, 3, "N = 2", lambda X, n, s: n == 0 and s[0] > s[1] > 0),
        _sorteia(rng, 2, 1, "N = 2, n = 1, D = 1", lambda X, n, s: n == 1),
        _sorteia(rng, 4, 3, "produtos muito negativos", todos_negativos, escala=1024.0),
        caso(nulo, 0, rotulo="o token n é nulo"),
    ]


mais_parecido = questao(
    "lista-01/mais_parecido",
    assinatura="mais_parecido(X, n)",
    saida="int",
    referencia=_mais_parecido,
    casos=[
        # produtos de X[1] = (2, 1) com cada linha: 3, 5, 4, −2
        caso(
            np.array([[1.0, 1.0], [2.0, 1.0], [0.0, 4.0], [-1.0, 0.0]]), 1, rotulo="o exemplo do enunciado", claro=True
        ),
        caso(np.round(RATO * 10), 1, rotulo="rato, na frase do rato (vetores ×10)"),
        # X[0] = (1, 2): 5, 4, 6, 6, −3  → empate entre 2 e 3
        caso(
            np.array([[1.0, 2.0], [4.0, 0.0], [2.0, 2.0], [0.0, 3.0], [1.0, -2.0]]), 0, rotulo="um empate"
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
            rotulo="um empate, um de cada lado de n",
        ),
        # X[0] = (0,5; 0,25): 0,3125; 0,3125; 0,34375
        caso(np.array([[0.5, 0.25], [0.25, 0.75], [0.5, 0.375]]), 0, rotulo="frações"),
        # X[0] = (2, 1): 5, 5, 5, 4  → a 1 é igual ao token n, e a 2 só empata com ele
        caso(
            np.array([[2.0, 1.0], [2.0, 1.0], [3.0, -1.0], [1.0, 2.0]]), 0,
            rotulo="um token igual ao n, e outro que empata com ele",
        ),
        # só um concorrente, de produto −2 097 152
        caso(np.array([[1024.0, 0.0], [-2048.0, 9.0]]), 0, rotulo="dois tokens, longos e opostos"),
        caso(np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0], [-2.0, 1.0]]), 0, rotulo="o token n é nulo"),
    ],
    ocultos=_ocultos_mais_parecido,
)  # fmt: skip


@mais_parecido.equivoco(
    "inclui-o-proprio",
    "Sua função respondeu o próprio n. Tire n da disputa antes de procurar o maior.",
)
def _(X, n):
    return int(np.argmax(X @ X[n]))


@mais_parecido.equivoco(
    "segundo-colocado",
    "Você pegou o segundo maior, supondo que o maior é sempre o próprio n. Nem sempre é: outro token, mais longo, "
    "pode ganhar dele.",
)
def _(X, n):
    return int(np.argsort(-(X @ X[n]), kind="stable")[1])


@mais_parecido.equivoco(
    "segundo-do-fim",
    "Você ordenou e pegou o penúltimo, supondo que o último é o próprio n. Nem sempre é; e o empate também saiu "
    "trocado.",
)
def _(X, n):
    return int(np.argsort(X @ X[n], kind="stable")[-2])


@mais_parecido.equivoco(
    "indice-deslocado",
    "Você apagou a posição n e o resto andou uma casa: os índices depois de n ficaram um a menos. Traga-os de volta.",
)
def _(X, n):
    return int(np.argmax(np.delete(X @ X[n], n)))


@mais_parecido.equivoco(
    "devolve-o-valor",
    "Sua função devolve o maior produto escalar. O pedido é o índice do token que o tem.",
)
def _(X, n):
    return float(np.max(np.delete(X @ X[n], n)))


@mais_parecido.equivoco(
    "devolve-o-vetor",
    "Sua função devolve o vetor do token. O pedido é o índice dele, um inteiro.",
)
def _(X, n):
    return X[_mais_parecido(X, n)]


@mais_parecido.equivoco(
    "empate-para-o-ultimo",
    "Num empate, você ficou com o maior índice. O pedido é o menor: veja se a sua comparação usa ≥ onde cabe >.",
)
def _(X, n):
    s = X @ X[n]
    s[n] = -np.inf
    return int(len(s) - 1 - np.argmax(s[::-1]))


@mais_parecido.equivoco(
    "com-cosseno",
    "Você comparou pelo cosseno. Aqui vale o produto escalar, em que o comprimento também conta.",
)
def _(X, n):
    c = _cosseno(X)[n]
    c[n] = -np.inf
    return int(np.argmax(np.round(c, 9)))


@mais_parecido.equivoco(
    "com-distancia",
    "Você escolheu o token mais próximo em distância. Aqui vale o produto escalar: longe na mesma direção ganha "
    "de perto.",
)
def _(X, n):
    d = np.linalg.norm(X - X[n], axis=1)
    d[n] = np.inf
    return int(np.argmin(d))


@mais_parecido.equivoco(
    "menos-parecido",
    "Você respondeu o token de menor produto escalar, o mais oposto. O pedido é o maior.",
)
def _(X, n):
    s = X @ X[n]
    s[n] = np.inf
    return int(np.argmin(s))


@mais_parecido.equivoco(
    "valor-absoluto",
    "Você comparou os produtos sem o sinal, e um token oposto ganhou. Oposto não é parecido: guarde o sinal.",
)
def _(X, n):
    s = np.abs(X @ X[n])
    s[n] = -np.inf
    return int(np.argmax(s))


@mais_parecido.equivoco(
    "zera-a-diagonal",
    "Você pôs 0 no lugar do próprio n. Quando todos os outros produtos são negativos, esse 0 ganha: tire n de verdade "
    "da disputa.",
)
def _(X, n):
    s = X @ X[n]
    s[n] = 0
    return int(np.argmax(s))


@mais_parecido.equivoco(
    "comeca-do-zero",
    "Seu laço começa com o melhor valor em 0. Quando todos os produtos são negativos, ninguém passa dele: "
    "comece em menos infinito.",
)
def _(X, n):
    melhor, indice = 0, -1
    for m in range(len(X)):
        if m != n and X[m] @ X[n] > melhor:
            melhor, indice = X[m] @ X[n], m
    return indice


@mais_parecido.equivoco(
    "sentinela-finita",
    "Para tirar n da disputa, você usou um número como −100 ou −999, e há produtos menores do que ele: n ganhou. "
    "Menos infinito perde para todos.",
)
def _(X, n):
    s = X @ X[n]
    s[n] = -999
    return int(np.argmax(s))


@mais_parecido.equivoco(
    "laco-comeca-finito",
    "Seu laço começa com o melhor valor num número como −100 ou −999, e há produtos menores do que ele: ninguém o "
    "passou. Comece em menos infinito.",
)
def _(X, n):
    melhor, indice = -999, -1
    for m in range(len(X)):
        if m != n and X[m] @ X[n] > melhor:
            melhor, indice = X[m] @ X[n], m
    return indice


@mais_parecido.equivoco(
    "troca-pelo-minimo",
    "Você pôs no lugar do próprio n o menor dos produtos. Quando todos os outros empatam, ou há um outro só, n empata "
    "com eles e ainda pode ganhar: tire-o de verdade da disputa.",
)
def _(X, n):
    s = X @ X[n]
    s[n] = s.min()
    return int(np.argmax(s))


@mais_parecido.equivoco(
    "procura-o-valor",
    "Você achou o maior produto dos outros e depois procurou esse valor na lista toda. Se o próprio n tem o mesmo "
    "valor, a procura para nele.",
)
def _(X, n):
    s = list(X @ X[n])
    return s.index(max(s[:n] + s[n + 1 :]))


@mais_parecido.equivoco(
    "exclui-linhas-iguais",
    "Você tirou da disputa todas as linhas iguais à do token n. Só a posição n sai: uma palavra repetida é "
    "outro token.",
)
def _(X, n):
    s = X @ X[n]
    s[[bool((x == X[n]).all()) for x in X]] = -np.inf
    return int(np.argmax(s))


@mais_parecido.equivoco(
    "exclui-valores-iguais",
    "Você tirou da disputa todos os que têm o mesmo produto que o próprio n. Só a posição n sai: "
    "quem empata com ela concorre.",
)
def _(X, n):
    s = X @ X[n]
    s[s == s[n]] = -np.inf
    return int(np.argmax(s))


@mais_parecido.equivoco(
    "trunca-para-inteiros",
    "As frações sumiram da conta: os vetores, ou os produtos, viraram inteiros no caminho. Compare os produtos "
    "como são.",
)
def _(X, n):
    return _mais_parecido(np.trunc(X), n)


@mais_parecido.equivoco(
    "conta-a-partir-de-1",
    "Sua resposta está uma casa adiante: você contou os tokens a partir de 1. Os índices de Python começam no 0.",
)
def _(X, n):
    return _mais_parecido(X, n) + 1


@mais_parecido.equivoco(
    "so-os-seguintes",
    "Você só comparou n com os tokens que vêm depois dele. Os de antes também contam.",
)
def _(X, n):
    s = X @ X[n]
    s[: n + 1] = -np.inf
    return int(np.argmax(s))


@mais_parecido.equivoco(
    "so-os-anteriores",
    "Você só comparou n com os tokens que vêm antes dele. Os de depois também contam.",
)
def _(X, n):
    s = X @ X[n]
    s[n:] = -np.inf
    return int(np.argmax(s))


@mais_parecido.equivoco(
    "esquece-o-n",
    "Sua função responde sempre pelo primeiro token. Use o argumento n para escolher de quem se fala.",
)
def _(X, n):
    return _mais_parecido(X, 0)


@mais_parecido.equivoco(
    "o-mais-longo",
    "Você respondeu o token de maior comprimento. O ângulo também conta: multiplique pelo token n.",
)
def _(X, n):
    c = np.linalg.norm(X, axis=1)
    c[n] = -np.inf
    return int(np.argmax(c))


@mais_parecido.equivoco(
    "altera-a-entrada",
    "Sua função escreve em X para tirar n da disputa. Quem chama continua a usar X: mexa nos produtos, não nele.",
)
def _(X, n):
    alvo = X[n].copy()
    X[n] = -1e9 * alvo
    return int(np.argmax(X @ alvo))


@mais_parecido.alternativa("laco")
def _(X, n):
    melhor, indice = -np.inf, -1
    for m in range(len(X)):
        if m == n:
            continue
        s = sum(X[m, d] * X[n, d] for d in range(X.shape[1]))
        if s > melhor:
            melhor, indice = s, m
    return indice


@mais_parecido.alternativa("max-com-chave")
def _(X, n):
    return max((m for m in range(len(X)) if m != n), key=lambda m: float(X[m] @ X[n]))


@mais_parecido.alternativa("apaga-e-corrige")
def _(X, n):
    i = int(np.argmax(np.delete(X @ X[n], n)))
    return i if i < n else i + 1


@mais_parecido.alternativa("minimo-menos-um")
def _(X, n):
    s = X @ X[n]
    s[n] = s.min() - 1
    return int(np.argmax(s))


@mais_parecido.alternativa("matriz-inteira")
def _(X, n):
    S = X @ X.T
    np.fill_diagonal(S, -np.inf)
    return S.argmax(axis=1)[n]  # np.int64


@mais_parecido.alternativa("torch")
def _(X, n):
    Xt = torch.tensor(X)
    s = Xt @ Xt[n]
    s[n] = float("-inf")
    return int((s == s.max()).nonzero()[0])


@mais_parecido.alternativa("float32")
def _(X, n):
    s = (X.astype(np.float32) @ X[n].astype(np.float32)).astype(np.float32)
    s[n] = np.finfo(np.float32).min
    return int(np.argmax(s))


@mais_parecido.alternativa("ordena-com-desempate")
def _(X, n):
    return sorted((m for m in range(len(X)) if m != n), key=lambda m: (-float(X[m] @ X[n]), m))[0]


@mais_parecido.alternativa("mascara")
def _(X, n):
    s = np.ma.masked_array(X @ X[n], mask=np.arange(len(X)) == n)
    return s.argmax()
