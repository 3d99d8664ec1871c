"""A questão `Tokenizador` da lista 08."""

import re

import numpy as np
import torch  # noqa: F401 (usado nas tabelas)

from gabarito.base import caso, cita_todos, questao


class Tokenizador:
    def __init__(self, texto):
        self.simbolos = ["<PAD>", *sorted(set(texto))]
        self.ids = {c: i for i, c in enumerate(self.simbolos) if i}
        self.V = len(self.simbolos)

    def codificar(self, texto):
        for posicao, c in enumerate(texto):
            if c not in self.ids:
                raise ValueError(f"o caractere {c!r}, na posição {posicao}, não está no vocabulário")
        return [self.ids[c] for c in texto]

    def decodificar(self, ids):
        for i in ids:
            if not 0 <= i < self.V:
                raise ValueError(f"o id {i} não está no vocabulário, que vai de 0 a {self.V - 1}")
        return "".join(self.simbolos[i] for i in ids)


_VERSO = "To be, or not to be: that is the question;\nWhether 'tis nobler in the mind to suffer\n"


def _numero(i):
    """i por inteiro e com o sinal: o 1 de 12 não conta, nem o de −1."""
    return rf"(?<!\d){'[-−]' if i < 0 else '(?<![-−])'}{abs(i)}(?!\d)"


def _com_caractere(texto, frase, estranho, rotulo=""):
    """Um caractere desconhecido: a mensagem cita ele e a posição, e não o texto, as posições todas ou o vocabulário."""
    posicao = frase.index(estranho)
    # de longe do culpado, e fora do que uma mensagem diria de qualquer jeito (quantos são, a posição contada de 1)
    ditos = {len(frase), len(set(texto)), len(set(texto)) + 1, len(texto), frase.rindex(estranho)}
    longe = [i for i in range(2, len(frase)) if abs(i - posicao) > 2 and i not in ditos]
    raros = [c for c in sorted(set(texto)) if c.isupper() or c in ";!?"]  # nenhuma mensagem os tem todos
    inocentes = [
        *cita_todos(_numero(i) for i in longe[:: max(1, len(longe) // 4)]),
        *cita_todos(f"(?-i:{re.escape(c)})" for c in raros),
        *cita_todos(re.escape(t) for t in (frase[:5], frase[-5:])),
    ]
    nomeia = {
        "o primeiro caractere desconhecido": re.escape(estranho),
        "a posição do primeiro, contada de 0": _numero(posicao),
    }
    return caso(texto, frase, [], nomeia=nomeia, inocentes=inocentes, rotulo=rotulo, parte="erros")


def _com_id(texto, ids, ruim, rotulo=""):
    """Um id que não existe: a mensagem o cita, e não a lista inteira."""
    V = len(set(texto)) + 1
    ditos = {0, 1, V - 1, V, len(ids), ids.index(ruim), ids.index(ruim) + 1}  # os limites, e o lugar dele
    inocentes = cita_todos(_numero(i) for i in ids if i != ruim and i not in ditos)
    return caso(
        texto,
        "a",
        ids,
        nomeia={"o id que não existe": _numero(ruim)},
        inocentes=inocentes,
        rotulo=rotulo,
        parte="erros",
    )


def _texto_ao_acaso(rng, alfabeto, n):
    return "".join(rng.choice(list(alfabeto), size=n))


def _com_estranho(rng, texto, estranho):
    posicao = int(rng.integers(12, 60))
    frase = list(_texto_ao_acaso(rng, sorted(set(texto)), 80))
    frase[:5], frase[-5:] = "taBaz", "zAtaB"  # uma ponta que se escreve igual com e sem aspas
    frase[posicao] = frase[posicao + 9] = estranho
    return _com_caractere(texto, "".join(frase), estranho)


def ocultos(rng):
    # sempre há maiúsculas, minúsculas, acentos, espaço e quebra de linha, fora de ordem
    alfabeto = "".join(rng.permutation(list("abcdeghnotuzABDMTZáçêé ,.;!?\n'-")))
    base = alfabeto[: int(rng.integers(24, 32))] + "zaB\nçA t"
    texto = _texto_ao_acaso(rng, base, 60) + base
    V = len(set(texto)) + 1
    frase = _texto_ao_acaso(rng, base, 20) + "zaB\nçA tZAz"[:8]
    ids = [int(i) for i in rng.integers(0, V, size=15)] + [0, V - 1, 1, 0]
    return [
        caso(texto, frase, ids),
        caso(texto[::-1], frase[::-1], ids[::-1]),
        caso("".join(rng.permutation(list("zyTT cab"))), "cabTyz ", [3, 0, 7]),
        caso(*(str(t) for t in rng.choice([" b\nz\t", "\tzb\n "], size=2)), [1, 5, 2]),  # brancos nas pontas
        _com_estranho(rng, texto, "ω"),
        _com_estranho(rng, texto, "λ"),
        _com_id(texto, [7, 11, V, 9], V),
        _com_id(texto, [8, 13, V + 40], V + 40),
        _com_id(texto, [12, -1, 6], -1),
        _com_id(texto, [-V + 1], -V + 1),
    ]


q = questao(
    "lista-08/Tokenizador",
    assinatura="Tokenizador(texto)",
    saida=[("o que se viu", "texto"), ("V", "int"), ("codigos", "array"), ("texto", "texto")],
    adaptador="lista_08.tokenizador",
    referencia=Tokenizador,
    casos=[
        caso("banana!", "nab", [4, 2, 3], claro=True, rotulo="o exemplo do enunciado"),
        caso(_VERSO, "be not\nTo be", [2, 9, 1, 22, 5, 0, 12], rotulo="versos, com maiúsculas e quebra de linha"),
        caso("caçapa à Zé", "à Zé caça", [0, 3, 8, 0, 0, 2], rotulo="acentos, e o <PAD> no meio"),
        caso("zebra", "", [], rotulo="nada a codificar"),
        caso(" oi\n", "\noi ", [1, 2, 4], rotulo="espaço e quebra de linha nas pontas"),
        _com_caractere(_VERSO, "to be or nõt to be: thõt is it", "õ", "um caractere que não está no texto"),
        _com_id("o rato roeu a roupa", [5, 6, 9], 9, "um id grande demais"),
        _com_id("o rato roeu a roupa", [6, -1, 4], -1, "um id negativo"),
    ],
    ocultos=ocultos,
    partes={"valores": 0.75, "erros": 0.25},
)  # fmt: skip

q.equivocos_curtos("""
palavras: sorted(set(texto)) → sorted(set(texto.split()))
    Seu vocabulário é de palavras (um split?), e `codificar` não acha nele nem as letras do próprio texto. Cada
    caractere é um token.
sem-pad: ["<PAD>", *sorted(set(texto))] → sorted(set(texto))
        {c: i for i, c in enumerate(self.simbolos) if i} → {c: i for i, c in enumerate(self.simbolos)}
    Um dos caracteres tem o id 0, que é só do <PAD>. Os caracteres vão de 1 em diante, e o <PAD> conta em V.
v-nao-conta-o-pad: len(self.simbolos) → len(set(texto))
        0 <= i < self.V → 0 <= i <= self.V
        self.V - 1 → self.V
    V devia ser o maior id mais 1, e o seu V é menor: ou o <PAD> ficou fora da conta de V, ou os caracteres começam no
    2.
fora-de-ordem: sorted(set(texto)) → dict.fromkeys(texto)
    Os caracteres não estão numerados na ordem do sorted. Um set não tem ordem (ela muda de uma vez para outra): passe-o
    pelo sorted, sem mais nada. A ordem em que aparecem no texto não serve, nem a que ignora maiúsculas. Veja a
    Dica 1.
sem-espacos: sorted(set(texto)) → sorted(set("".join(texto.split())))
    Espaços e quebras de linha ficaram fora do vocabulário. Eles também são caracteres, e o modelo tem de aprender a
    escrevê-los.
desconhecido-vira-pad: for posicao, c in enumerate(texto) → for posicao, c in ()
        self.ids[c] for c in texto → self.ids.get(c, 0) for c in texto
    Um caractere que não está no vocabulário virou 0, o <PAD>, sem aviso. O enunciado pede um ValueError que cite o
    caractere e a posição.
desconhecido-some: for posicao, c in enumerate(texto) → for posicao, c in ()
        [self.ids[c] for c in texto] → [self.ids[c] for c in texto if c in self.ids]
    Um caractere que não está no vocabulário foi pulado, sem aviso. O enunciado pede um ValueError que cite o caractere
    e a posição.
keyerror: if c not in self.ids → if False
    Com um caractere desconhecido, quem reclama é o dicionário, com KeyError. Confira antes e lance um ValueError que
    cite o caractere e a posição. Veja a Dica 3.
nao-diz-a-posicao: posicao, c → c
        enumerate(texto) → texto
        f"o caractere {c!r}, na posição {posicao}, não está no vocabulário" → f"caractere desconhecido: {c!r}"
    O ValueError cita o caractere, mas não em que posição ele está. Em um texto de milhões de caracteres, é a posição
    que ajuda a achá-lo.
nao-diz-o-caractere:
        o caractere {c!r}, na posição {posicao}, não está no vocabulário → caractere desconhecido na posição {posicao}
    O ValueError cita a posição, mas não o caractere. Quem lê precisa dos dois.
posicao-a-partir-de-1: enumerate(texto) → enumerate(texto, start=1)
    A posição que você cita está uma à frente: contamos a partir de 0, como o Python.
id-negativo-passa: not 0 <= i < self.V → i >= self.V
        f"o id {i} não está no vocabulário, que vai de 0 a {self.V - 1}" → f"o id {i} não está no vocabulário"
    Um id negativo foi aceito: em Python, o índice −1 é o último da lista, e o erro passa calado. O enunciado pede
    ValueError também para os negativos. Veja a Dica 2.
id-invalido-some: if not 0 <= i < self.V → if False
        for i in ids) → for i in ids if 0 <= i < self.V)
    Um id fora do vocabulário foi pulado, sem aviso. O enunciado pede um ValueError que cite o id.
id-grande-da-indexerror: if not 0 <= i < self.V → if False
    Com um id grande demais, quem reclama é a lista, com IndexError. Examine antes e lance um ValueError que cite o id.
id-v-passa: not 0 <= i < self.V → i < 0 or i > self.V
        f"o id {i} não está no vocabulário, que vai de 0 a {self.V - 1}" → f"o id {i} não está no vocabulário"
        self.simbolos[i] → [*self.simbolos, ""][i]
    O id V foi aceito, mas não existe: os ids vão de 0 a V − 1. Olhe a comparação.
pad-some: return "".join(self.simbolos[i] for i in ids) → return "".join(self.simbolos[i] for i in ids if i != 0)
    O id 0 sumiu do texto decodificado. Aqui ele aparece, como “<PAD>”: se houver um preenchimento onde não devia, a
    gente quer ver.
decodifica-em-lista: "".join(self.simbolos[i] for i in ids) → [self.simbolos[i] for i in ids]
    Seu decodificar devolve uma lista de caracteres. O enunciado pede um texto só (str): falta juntá-los.
codifica-em-tensor: return [self.ids[c] for c in texto] → return torch.tensor([self.ids[c] for c in texto])
    Seu codificar devolve um tensor. O enunciado pede uma lista de int; quem precisar de um tensor faz isso depois.
codigo-unicode: return [self.ids[c] for c in texto] → return [ord(c) for c in texto]
    Você usou o código Unicode de cada caractere (ord). Os ids são seguidos, de 1 a V − 1, porque cada um é uma linha
    da tabela de embeddings.
repeticoes-contam: *sorted(set(texto)) → *sorted(texto)
    As letras repetidas entraram mais de uma vez no vocabulário, e V passou do certo. Fique com as distintas: há um tipo
    do Python para isso.
so-o-primeiro-caractere: return [self.ids[c] for c in texto] → return [self.ids[c] for c in texto[:1]]
    Só o primeiro caractere foi codificado. O return está dentro do laço?
decodifica-com-espacos: "".join(self.simbolos[i] for i in ids) → " ".join(self.simbolos[i] for i in ids)
    Há um espaço entre os caracteres decodificados. Junte-os sem nada no meio.
codifica-em-array: return [self.ids[c] for c in texto] → return np.array([self.ids[c] for c in texto])
    Seu codificar devolve um array do NumPy. O enunciado pede uma lista de int.
decodificar-sem-return: return "".join → texto = "".join
    Seu decodificar não devolve nada (None): o texto foi montado e se perdeu. Falta o return.
sem-o-atributo-V: self.V = len(self.simbolos) → V = len(self.simbolos)
        0 <= i < self.V → 0 <= i < len(self.simbolos)
        {self.V - 1} → {len(self.simbolos) - 1}
    Seu objeto não tem o atributo V. No __init__, guarde o tamanho do vocabulário em self.V: uma variável sem self se
    perde.
decodificar-nao-conhece-o-0: self.simbolos[i] for i in ids → {i: c for c, i in self.ids.items()}[i] for i in ids
    O id 0 é o <PAD>, e a tabela que você usa para decodificar não o tem. Ponha-o lá, como os outros.
keyerror-nos-dois: if c not in self.ids → if False
        if not 0 <= i < self.V → if False
        self.simbolos[i] for i in ids → dict(enumerate(self.simbolos))[i] for i in ids
    Com um caractere ou um id desconhecido, quem reclama é o dicionário, com KeyError. Examine antes, nos dois métodos,
    e lance um ValueError que cite o culpado (e, do caractere, a posição).
nao-conhece-o-0-e-keyerror: if c not in self.ids → if False
        if not 0 <= i < self.V → if False
        self.simbolos[i] for i in ids → {i: c for c, i in self.ids.items()}[i] for i in ids
    São dois erros: o id 0 é o <PAD>, e a tabela que você usa para decodificar não o tem; e um caractere ou um id
    desconhecido pede um ValueError, não um KeyError.
""")


@q.equivoco
class tudo_minusculo(Tokenizador):
    """Seu vocabulário só tem minúsculas: “T” e “t” viraram o mesmo token. São caracteres diferentes."""

    def __init__(self, texto):
        super().__init__(texto.lower())

    def codificar(self, texto):
        return super().codificar(texto.lower())


@q.equivoco
class apara_as_pontas(Tokenizador):
    """Espaços e quebras de linha do começo e do fim do texto se perderam (um strip?). Também são caracteres."""

    def __init__(self, texto):
        super().__init__(texto.strip())

    def codificar(self, texto):
        return super().codificar(texto.strip())


@q.equivoco
class ultima_posicao(Tokenizador):
    """O caractere desconhecido aparece mais de uma vez, e você citou a última. Cite a primeira posição."""

    def codificar(self, texto):
        estranhos = [c for c in texto if c not in self.ids]
        if estranhos:
            raise ValueError(f"{estranhos[0]!r} desconhecido na posição {texto.rindex(estranhos[0])}")
        return [self.ids[c] for c in texto]


@q.equivoco
class cita_o_texto_inteiro(Tokenizador):
    """A mensagem do ValueError cita tudo (o texto, as posições ou o vocabulário inteiros), e quem a lê não sabe onde
    está o problema. Cite só o caractere e a posição dele."""

    def codificar(self, texto):
        if set(texto) - set(self.ids):
            raise ValueError(f"{texto!r}, posições {list(range(len(texto)))}")
        return [self.ids[c] for c in texto]


@q.equivoco
class cita_todos_os_ids(Tokenizador):
    """A mensagem do ValueError cita a lista inteira, e quem a lê não sabe qual dos ids não existe. Cite só esse."""

    def decodificar(self, ids):
        if not all(0 <= i < self.V for i in ids):
            raise ValueError(f"há um id fora do vocabulário em {ids}")
        return "".join(self.simbolos[i] for i in ids)


@q.equivoco
class esvazia_a_lista(Tokenizador):
    """Seu decodificar mudou a lista que recebeu (um pop, ou um del?). Quem chamou ainda precisa dela: use um for."""

    def decodificar(self, ids):
        texto = ""
        while ids:
            texto += super().decodificar([ids.pop(0)])
        return texto


@q.equivoco
class vocabulario_da_classe(Tokenizador):
    """Um tokenizador muda quando se constrói outro: os dois dividem o mesmo vocabulário. Crie o dicionário e a lista
    dentro do __init__, em self, e não na classe nem em uma variável global."""

    def __init__(self, texto):
        vocabulario_da_classe.simbolos = ["<PAD>", *sorted(set(texto))]
        vocabulario_da_classe.ids = {c: i for i, c in enumerate(vocabulario_da_classe.simbolos) if i}
        vocabulario_da_classe.V = len(vocabulario_da_classe.simbolos)


@q.equivoco
class v_como_metodo(Tokenizador):
    """V é um método da sua classe. O enunciado pede um atributo, um int: `tok.V`, sem parênteses (ou uma @property)."""

    def __init__(self, texto):
        super().__init__(texto)
        del self.V

    def V(self):
        return len(self.simbolos)


@q.equivoco
class dicionario_da_classe(Tokenizador):
    """Um tokenizador muda quando se constrói outro: o dicionário é da classe, e todos os objetos escrevem nele. Crie-o
    dentro do __init__, em self."""

    ids: dict = {}

    def __init__(self, texto):
        self.simbolos = ["<PAD>", *sorted(set(texto))]
        self.ids.update({c: i for i, c in enumerate(self.simbolos) if i})
        self.V = len(self.simbolos)


@q.alternativa
class com_property_e_index:
    def __init__(self, texto):
        self._letras = "".join(sorted(set(texto)))

    @property
    def V(self):
        return 1 + len(self._letras)

    def codificar(self, texto):
        saida = []
        for i in range(len(texto)):
            onde = self._letras.find(texto[i])
            if onde < 0:
                raise ValueError(f"posição {i}: {texto[i]}")
            saida.append(onde + 1)
        return saida

    def decodificar(self, ids):
        texto = ""
        for i in ids:
            if i < 0 or i > len(self._letras):
                raise ValueError("id fora do vocabulário: " + str(i))
            texto += "<PAD>" if i == 0 else self._letras[i - 1]
        return texto


@q.alternativa
class com_try:
    def __init__(self, texto):
        letras = list(set(texto))
        letras.sort()
        self.de_letra = {}
        self.de_id = {0: "<PAD>"}
        for letra in letras:
            self.de_letra[letra] = len(self.de_letra) + 1
            self.de_id[len(self.de_letra)] = letra
        self.V = len(self.de_id)

    def codificar(self, texto):
        ids = []
        for posicao, letra in enumerate(texto):
            try:
                ids.append(self.de_letra[letra])
            except KeyError as erro:
                raise ValueError(f"não conheço “{letra}” (posição {posicao})") from erro
        return ids

    def decodificar(self, ids):
        try:
            return "".join([self.de_id[i] for i in ids])
        except KeyError as erro:
            raise ValueError(f"não existe o token {erro}") from None


@q.alternativa
class com_numpy:
    def __init__(self, texto):
        self.tabela = np.unique(list(texto))
        self.V = int(len(self.tabela)) + 1

    def codificar(self, texto):
        for posicao, c in enumerate(texto):
            if c not in self.tabela:
                raise ValueError(f"{posicao}: caractere {c!r} fora do vocabulário")
        return [int(np.searchsorted(self.tabela, c)) + 1 for c in texto]

    def decodificar(self, ids):
        ruins = [i for i in ids if i not in range(self.V)]
        if ruins:
            raise ValueError(f"ids inválidos: {ruins}")
        return "".join("<PAD>" if i == 0 else str(self.tabela[i - 1]) for i in ids)


@q.alternativa
class com_bisect_e_zip:
    PAD = "<PAD>"

    def __init__(self, texto):
        vocabulario = [self.PAD] + sorted(set(texto))
        self.V = len(vocabulario)
        self._para_id = dict(zip(vocabulario, range(self.V), strict=True))
        self._para_texto = dict(enumerate(vocabulario))

    def codificar(self, texto):
        desconhecidos = set(texto) - set(self._para_id)
        if desconhecidos:
            posicao = min(texto.index(c) for c in desconhecidos)
            raise ValueError(f"'{texto[posicao]}' (posição {posicao}) não existe no vocabulário de {self.V} tokens")
        return list(map(self._para_id.__getitem__, texto))

    def decodificar(self, ids):
        pedacos = []
        for posicao, i in enumerate(ids):
            if i not in self._para_texto:
                raise ValueError(f"id {i} na posição {posicao} é inválido")
            pedacos.append(self._para_texto[i])
        return "".join(pedacos)
