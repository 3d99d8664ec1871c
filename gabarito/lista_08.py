"""Lista 08: o tokenizador, os lotes, o GPT, a geração de texto e o treino que decora um lote.

Nada aqui se compara sorteio a sorteio: os adaptadores (helpers/pecas/lista_08.py) dizem o que a resposta fez. Nos dados
de `lotes` nenhuma janela se repete, para que se saiba de onde saiu cada linha. Em `gerar`, as frequências vêm de 10 000
textos: dois sorteios certos diferem por menos de 0,05 (sete desvios), e os enganos, por muito mais.
"""

import copy
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from gabarito.base import caso, funcao, questao
from gabarito.base import gerador as gerador_dado  # `gerador` é o nome de um argumento das respostas

# ------------------------------------------------------------------------------------------ Tokenizador


class TokenizadorCerto:
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


def _estranho(c, posicao):
    """O que a mensagem tem de citar: o caractere e a posição."""
    return [rf"{c}", rf"(?<!\d){posicao}(?!\d)"]


def _id_ruim(i):
    return rf"(?<!\d){'[-−]' if i < 0 else '(?<![-−])'}{abs(i)}(?!\d)"


def _com_id(texto, ids, ruim, rotulo=""):
    return caso(texto, "a", ids, nomeia=_id_ruim(ruim), rotulo=rotulo, parte="erros")


def _texto_ao_acaso(rng, alfabeto, n):
    return "".join(rng.choice(list(alfabeto), size=n))


def _com_estranho(rng, texto, estranho):
    posicao = int(rng.integers(12, 60))
    frase = list(_texto_ao_acaso(rng, set(texto), 80))
    frase[posicao] = frase[posicao + 9] = estranho
    return caso(texto, "".join(frase), [], nomeia=_estranho(estranho, posicao), parte="erros")


def _ocultos_tokenizador(rng):
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
        _com_id(texto, [1, 2, V, 3], V),
        _com_id(texto, [2, V + 40], V + 40),
        _com_id(texto, [2, -1, 3], -1),
        _com_id(texto, [-V + 1], -V + 1),
    ]


Tokenizador = questao(
    "lista-08/Tokenizador",
    assinatura="Tokenizador(texto)",
    saida=[("o que se viu", "texto"), ("V", "int"), ("codigos", "array"), ("texto", "texto")],
    adaptador="lista_08.tokenizador",
    referencia=TokenizadorCerto,
    casos=[
        caso("banana!", "nab", [4, 2, 3], claro=True, rotulo="o exemplo do enunciado"),
        caso(_VERSO, "be not\nTo be", [2, 9, 1, 22, 5, 0, 12], rotulo="versos, com maiúsculas e quebra de linha"),
        caso("caçapa à Zé", "à Zé caça", [0, 3, 8, 0, 0, 2], rotulo="acentos, e o <PAD> no meio"),
        caso("zebra", "", [], rotulo="nada a codificar"),
        caso(" oi\n", "\noi ", [1, 2, 4], rotulo="espaço e quebra de linha nas pontas"),
        caso(_VERSO, "to be or nõt to be: thõt", [], rotulo="um caractere que não está no texto",
             nomeia=_estranho("õ", 10), parte="erros"),
        _com_id("zebra", [3, 6], 6, "um id grande demais"),
        _com_id("zebra", [3, -1, 2], -1, "um id negativo"),
    ],
    ocultos=_ocultos_tokenizador,
    partes={"valores": 0.75, "erros": 0.25},
)  # fmt: skip


@Tokenizador.equivoco(
    "sem-pad",
    "Seus identificadores começam em 0, e o 0 é do <PAD>. Os caracteres vão de 1 em diante, e o <PAD> conta em V.",
)
class TokSemPad(TokenizadorCerto):
    def __init__(self, texto):
        self.simbolos = sorted(set(texto))
        self.ids = {c: i for i, c in enumerate(self.simbolos)}
        self.V = len(self.simbolos)


@Tokenizador.equivoco(
    "v-nao-conta-o-pad",
    "Os identificadores estão certos, mas V é menor que o maior deles mais 1: o <PAD> também é um token, e conta em V.",
)
class TokVSemPad(TokenizadorCerto):
    def __init__(self, texto):
        super().__init__(texto)
        self.V = len(set(texto))

    def decodificar(self, ids):
        for i in ids:
            if not 0 <= i <= self.V:
                raise ValueError(f"o id {i} não está no vocabulário, que vai de 0 a {self.V}")
        return "".join(self.simbolos[i] for i in ids)


@Tokenizador.equivoco(
    "ordem-de-aparicao",
    "Você numerou os caracteres na ordem em que aparecem no texto. A ordem pedida é a do sorted, que não depende de "
    "quem veio primeiro.",
)
class TokAparicao(TokenizadorCerto):
    def __init__(self, texto):
        self.simbolos = ["<PAD>", *dict.fromkeys(texto)]
        self.ids = {c: i for i, c in enumerate(self.simbolos) if i}
        self.V = len(self.simbolos)


@Tokenizador.equivoco(
    "pad-no-fim",
    "O <PAD> ficou no fim, depois dos caracteres. Ele é o identificador 0, e os caracteres começam em 1.",
)
class TokPadNoFim(TokenizadorCerto):
    def __init__(self, texto):
        self.simbolos = [*sorted(set(texto)), "<PAD>"]
        self.ids = {c: i for i, c in enumerate(self.simbolos[:-1])}
        self.V = len(self.simbolos)


@Tokenizador.equivoco(
    "ordem-sem-maiusculas",
    "Você ordenou sem distinguir maiúsculas de minúsculas. O sorted, sem mais nada, põe todas as maiúsculas antes: "
    "vale a ordem dos códigos.",
)
class TokOrdemSemCaixa(TokenizadorCerto):
    def __init__(self, texto):
        self.simbolos = ["<PAD>", *sorted(sorted(set(texto)), key=str.lower)]
        self.ids = {c: i for i, c in enumerate(self.simbolos) if i}
        self.V = len(self.simbolos)


@Tokenizador.equivoco(
    "tudo-minusculo",
    "Seu vocabulário só tem minúsculas: «T» e «t» viraram o mesmo token. São caracteres diferentes.",
)
class TokMinusculo(TokenizadorCerto):
    def __init__(self, texto):
        super().__init__(texto.lower())

    def codificar(self, texto):
        return super().codificar(texto.lower())


@Tokenizador.equivoco(
    "sem-espacos",
    "Espaços e quebras de linha ficaram fora do vocabulário. Eles também são caracteres, e o modelo tem de aprender a "
    "escrevê-los.",
)
class TokSemEspacos(TokenizadorCerto):
    def __init__(self, texto):
        super().__init__("".join(texto.split()))


@Tokenizador.equivoco(
    "apara-as-pontas",
    "Espaços e quebras de linha do começo e do fim do texto se perderam (um strip?). Também são caracteres.",
)
class TokStrip(TokenizadorCerto):
    def __init__(self, texto):
        super().__init__(texto.strip())

    def codificar(self, texto):
        return super().codificar(texto.strip())


@Tokenizador.equivoco(
    "desconhecido-vira-pad",
    "Um caractere que não está no vocabulário virou 0, o <PAD>, sem aviso. O enunciado pede um ValueError que cite o "
    "caractere e a posição.",
)
class TokDesconhecidoZero(TokenizadorCerto):
    def codificar(self, texto):
        return [self.ids.get(c, 0) for c in texto]


@Tokenizador.equivoco(
    "desconhecido-some",
    "Um caractere que não está no vocabulário foi pulado, sem aviso. O enunciado pede um ValueError que cite o "
    "caractere e a posição.",
)
class TokDesconhecidoSome(TokenizadorCerto):
    def codificar(self, texto):
        return [self.ids[c] for c in texto if c in self.ids]


@Tokenizador.equivoco(
    "keyerror",
    "Com um caractere desconhecido, quem reclama é o dicionário, com KeyError. Examine antes e lance um ValueError que "
    "cite o caractere e a posição.",
)
class TokKeyError(TokenizadorCerto):
    def codificar(self, texto):
        return [self.ids[c] for c in texto]


@Tokenizador.equivoco(
    "nao-diz-a-posicao",
    "O ValueError cita o caractere, mas não em que posição ele está. Em um texto de milhões de caracteres, é a posição "
    "que ajuda a achá-lo.",
)
class TokSemPosicao(TokenizadorCerto):
    def codificar(self, texto):
        for c in texto:
            if c not in self.ids:
                raise ValueError(f"caractere desconhecido: {c!r}")
        return [self.ids[c] for c in texto]


@Tokenizador.equivoco(
    "nao-diz-o-caractere",
    "O ValueError cita a posição, mas não o caractere. Quem lê precisa dos dois.",
)
class TokSemCaractere(TokenizadorCerto):
    def codificar(self, texto):
        for posicao, c in enumerate(texto):
            if c not in self.ids:
                raise ValueError(f"caractere desconhecido na posição {posicao}")
        return [self.ids[c] for c in texto]


@Tokenizador.equivoco(
    "posicao-a-partir-de-1",
    "A posição que você cita está uma à frente: contamos a partir de 0, como o Python.",
)
class TokPosicaoUm(TokenizadorCerto):
    def codificar(self, texto):
        for posicao, c in enumerate(texto, start=1):
            if c not in self.ids:
                raise ValueError(f"o caractere {c!r}, na posição {posicao}, não está no vocabulário")
        return [self.ids[c] for c in texto]


@Tokenizador.equivoco(
    "ultima-posicao",
    "O caractere desconhecido aparece mais de uma vez, e você citou a última. Cite a primeira posição.",
)
class TokUltimaPosicao(TokenizadorCerto):
    def codificar(self, texto):
        estranhos = [c for c in texto if c not in self.ids]
        if estranhos:
            raise ValueError(f"{estranhos[0]!r} desconhecido na posição {texto.rindex(estranhos[0])}")
        return [self.ids[c] for c in texto]


@Tokenizador.equivoco(
    "id-negativo-passa",
    "Um id negativo foi aceito: em Python, o índice −1 é o último da lista, e o engano passa calado. O enunciado pede "
    "ValueError também para os negativos.",
)
class TokNegativo(TokenizadorCerto):
    def decodificar(self, ids):
        for i in ids:
            if i >= self.V:
                raise ValueError(f"o id {i} não está no vocabulário")
        return "".join(self.simbolos[i] for i in ids)


@Tokenizador.equivoco(
    "id-invalido-some",
    "Um id fora do vocabulário foi pulado, sem aviso. O enunciado pede um ValueError que cite o id.",
)
class TokIdSome(TokenizadorCerto):
    def decodificar(self, ids):
        return "".join(self.simbolos[i] for i in ids if 0 <= i < self.V)


@Tokenizador.equivoco(
    "id-grande-da-indexerror",
    "Com um id grande demais, quem reclama é a lista, com IndexError. Examine antes e lance um ValueError que cite "
    "o id.",
)
class TokIndexError(TokenizadorCerto):
    def decodificar(self, ids):
        return "".join(self.simbolos[i] for i in ids)


@Tokenizador.equivoco(
    "id-v-passa",
    "O id V foi aceito, e não existe: os identificadores vão de 0 a V − 1. Olhe a comparação.",
)
class TokIdV(TokenizadorCerto):
    def decodificar(self, ids):
        for i in ids:
            if i < 0 or i > self.V:
                raise ValueError(f"o id {i} não está no vocabulário")
        return "".join([*self.simbolos, ""][i] for i in ids)


@Tokenizador.equivoco(
    "pad-some",
    "O id 0 sumiu do texto decodificado. Aqui ele aparece, como «<PAD>»: um preenchimento onde não devia haver é uma "
    "coisa que se quer ver.",
)
class TokPadSome(TokenizadorCerto):
    def decodificar(self, ids):
        return super().decodificar([i for i in ids if i != 0])


@Tokenizador.equivoco(
    "esvazia-a-lista",
    "Seu decodificar mudou a lista que recebeu (um pop, ou um del?). Quem chamou ainda precisa dela: use um for.",
)
class TokEsvazia(TokenizadorCerto):
    def decodificar(self, ids):
        texto = ""
        while ids:
            texto += super().decodificar([ids.pop(0)])
        return texto


@Tokenizador.equivoco(
    "decodifica-em-lista",
    "Seu decodificar devolve uma lista de caracteres. O enunciado pede um texto só (str): falta juntá-los.",
)
class TokLista(TokenizadorCerto):
    def decodificar(self, ids):
        return list(super().decodificar(ids))


@Tokenizador.equivoco(
    "codifica-em-tensor",
    "Seu codificar devolve um tensor. O enunciado pede uma lista de int; quem precisar de tensor o fará depois.",
)
class TokTensor(TokenizadorCerto):
    def codificar(self, texto):
        return torch.tensor(super().codificar(texto))


@Tokenizador.equivoco(
    "codigo-unicode",
    "Você usou o código Unicode de cada caractere (ord). Os identificadores são seguidos, de 1 a V − 1: é o tamanho da "
    "tabela de embeddings.",
)
class TokOrd(TokenizadorCerto):
    def codificar(self, texto):
        super().codificar(texto)
        return [ord(c) for c in texto]


@Tokenizador.equivoco(
    "vocabulario-da-classe",
    "Dois tokenizadores dividem o mesmo vocabulário: ao construir o segundo, o primeiro mudou. Guarde o vocabulário "
    "em self, e não na classe nem em uma variável global.",
)
class TokDaClasse(TokenizadorCerto):
    def __init__(self, texto):
        TokDaClasse.simbolos = ["<PAD>", *sorted(set(texto))]
        TokDaClasse.ids = {c: i for i, c in enumerate(TokDaClasse.simbolos) if i}
        TokDaClasse.V = len(TokDaClasse.simbolos)


@Tokenizador.equivoco(
    "v-como-metodo",
    "V é um método da sua classe. O enunciado pede um atributo, um int: `tok.V`, sem parênteses (ou uma @property).",
)
class TokVMetodo(TokenizadorCerto):
    def __init__(self, texto):
        super().__init__(texto)
        del self.V

    def V(self):
        return len(self.simbolos)


@Tokenizador.alternativa("com-property-e-index")
class TokProperty:
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


@Tokenizador.alternativa("com-try")
class TokTry:
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
                raise ValueError(f"não conheço «{letra}» (posição {posicao})") from erro
        return ids

    def decodificar(self, ids):
        try:
            return "".join([self.de_id[i] for i in ids])
        except KeyError as erro:
            raise ValueError(f"não existe o token {erro}") from None


@Tokenizador.alternativa("com-numpy")
class TokNumpy:
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


@Tokenizador.alternativa("com-bisect-e-zip")
class TokZip:
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


# ------------------------------------------------------------------------------------------------ lotes


def _conferir_tamanho(dados, bloco):
    if len(dados) < bloco + 1:
        raise ValueError(f"o texto tem {len(dados)} tokens e um bloco de {bloco} precisa de {bloco + 1}")


def _lotes(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(len(dados) - bloco, (lote,), generator=gerador)  # (lote,)
    onde = comecos[:, None] + torch.arange(bloco)  # (lote, bloco)
    return dados[onde], dados[onde + 1]


def _sem_repetir(rng, n, V, bloco):
    """n tokens de 1 a V − 1, com repetições, em que nenhuma janela de `bloco` (nem de bloco − 1, se der) se repete."""
    while True:
        dados = rng.integers(1, V, size=n)
        janelas = [tuple(dados[i : i + bloco]) for i in range(n - bloco + 1)]
        circulares = [tuple(np.resize(np.roll(dados, -i), bloco)) for i in range(n - bloco + 1, n)]
        if len(set(janelas + circulares)) == len(janelas + circulares):
            return torch.tensor(dados)


# as palavras que servem para o tamanho do texto; "contexto" não é uma delas
_O_TEXTO = r"dados|(?<!con)texto|tokens|caracteres|sequ[eê]ncia"


def _gerador(rng):
    return gerador_dado(int(rng.integers(1, 10**6)))


def _curto(rng, n, bloco):
    nomeia = [rf"(?<!\d){n}(?!\d)|{_O_TEXTO}", rf"(?<!\d){bloco}(?!\d)|bloco|contexto"]
    return caso(torch.tensor(rng.integers(1, 9, size=n)), bloco, 3, _gerador(rng), nomeia=nomeia, parte="erros")


def _ocultos_lotes(rng):
    bloco, outro = (int(b) for b in rng.choice([3, 4, 5, 6], size=2, replace=False))
    return [
        caso(_sem_repetir(rng, 24, 15, bloco), bloco, 8, _gerador(rng)),
        caso(_sem_repetir(rng, int(rng.integers(12, 18)), 15, outro), outro, 6, _gerador(rng)),
        caso(_sem_repetir(rng, 9, 40, 4), 4, 30, _gerador(rng)),
        caso(torch.tensor(rng.permutation(np.arange(1, 8))), 6, 3, _gerador(rng)),
        caso(torch.tensor(rng.permutation(np.arange(1, 12))), 1, 40, _gerador(rng)),
        _curto(rng, bloco, bloco),
        _curto(rng, 2, 5),
    ]


def _com_rotulo(c, rotulo):
    c.rotulo = rotulo
    return c


lotes = questao(
    "lista-08/lotes",
    assinatura="lotes(dados, bloco, lote, gerador)",
    saida=[("o que se viu", "texto"), ("janelas", "array")],
    adaptador="lista_08.lotes",
    referencia=_lotes,
    casos=[
        caso(torch.tensor([5, 3, 8, 6, 2, 7]), 3, 3, gerador_dado(1), claro=True, rotulo="o exemplo do enunciado"),
        caso(
            torch.tensor([4, 9, 1, 7, 4, 2, 9, 1, 5, 8, 8, 3, 6, 1, 4, 3]),
            4,
            5,
            gerador_dado(2),
            rotulo="dezesseis tokens",
        ),
        caso(torch.tensor([6, 2, 9, 4, 7, 1]), 4, 7, gerador_dado(3), rotulo="um lote com mais linhas do que começos"),
        caso(
            torch.tensor([3, 8, 5, 2, 6]),
            4,
            3,
            gerador_dado(4),
            rotulo="um começo só: cabem o bloco e o alvo, e mais nada",
        ),
        caso(torch.tensor([2, 7, 4, 1, 9, 3, 8]), 1, 40, gerador_dado(5), rotulo="bloco de um token"),
        _com_rotulo(_curto(np.random.default_rng(4), 4, 4), "texto do tamanho do bloco: falta um token para o alvo"),
        _com_rotulo(_curto(np.random.default_rng(5), 3, 8), "texto menor que o bloco"),
    ],
    ocultos=_ocultos_lotes,
    partes={"valores": 0.75, "erros": 0.25},
)


@lotes.equivoco(
    "falta-o-ultimo-comeco",
    "O último começo possível nunca é sorteado. O fim de torch.randint já fica de fora: com n tokens, o começo vai de "
    "0 até n − bloco − 1, inclusive.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(max(len(dados) - bloco - 1, 1), (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "y-igual-a-x",
    "Seu y é igual a x: o modelo aprenderia a repetir a entrada. O alvo da posição t é o token t + 1.",
)
def _(dados, bloco, lote, gerador):
    x, _y = _lotes(dados, bloco, lote, gerador)
    return x, x.clone()


@lotes.equivoco(
    "y-e-a-volta",
    "Seu y é x girado: a última posição recebeu o primeiro token da própria linha. O alvo dela é o token seguinte do "
    "texto, que não está em x.",
)
def _(dados, bloco, lote, gerador):
    x, _y = _lotes(dados, bloco, lote, gerador)
    return x, torch.roll(x, -1, dims=1)


@lotes.equivoco(
    "y-com-pad-no-fim",
    "A última posição de y ficou com 0. O token seguinte existe no texto: y tem os bloco alvos, até o que vem logo "
    "depois de x.",
)
def _(dados, bloco, lote, gerador):
    x, _y = _lotes(dados, bloco, lote, gerador)
    return x, torch.cat([x[:, 1:], torch.zeros_like(x[:, :1])], dim=1)


@lotes.equivoco(
    "x-e-y-trocados",
    "Os dois vieram trocados: x está um passo à frente de y. O que entra vem antes; o alvo, depois.",
)
def _(dados, bloco, lote, gerador):
    x, y = _lotes(dados, bloco, lote, gerador)
    return y, x


@lotes.equivoco(
    "y-e-so-o-proximo",
    "Seu y tem um token por linha. Cada posição de x tem o seu alvo: y tem a mesma forma de x, (lote, bloco).",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(len(dados) - bloco, (lote,), generator=gerador)
    return dados[comecos[:, None] + torch.arange(bloco)], dados[comecos + bloco]


@lotes.equivoco(
    "um-comeco-para-todas",
    "Todas as linhas de um lote começam no mesmo lugar: é o mesmo trecho, repetido. Sorteie um começo para cada linha.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    i = int(torch.randint(len(dados) - bloco, (1,), generator=gerador))
    return dados[i : i + bloco].repeat(lote, 1), dados[i + 1 : i + bloco + 1].repeat(lote, 1)


@lotes.equivoco(
    "linhas-vizinhas",
    "Só a primeira linha foi sorteada; as outras começam logo depois dela. Sorteie um começo para cada linha, senão o "
    "lote é quase um trecho só.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    m = len(dados) - bloco
    comecos = (torch.randint(m, (1,), generator=gerador) + torch.arange(lote)) % m
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "ignora-o-gerador",
    "Dois geradores com a mesma semente deram lotes diferentes: o sorteio não usou o gerador recebido. Passe-o com "
    "generator=gerador.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(len(dados) - bloco, (lote,))
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "sempre-o-mesmo-lote",
    "Chamada de novo com o mesmo gerador, sua função devolve sempre o mesmo lote. Não ponha semente lá dentro, nem "
    "comece sempre do começo: é o gerador que avança.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(len(dados) - bloco, (lote,), generator=torch.Generator().manual_seed(0))
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "nao-examina-o-tamanho",
    "Com um texto curto demais, quem reclama é o sorteio, com um RuntimeError que não diz nada. Examine antes e lance "
    "um ValueError com o tamanho do texto e o do bloco.",
)
def _(dados, bloco, lote, gerador):
    comecos = torch.randint(len(dados) - bloco, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "esquece-o-alvo-no-tamanho",
    "Um texto do tamanho do bloco ainda não serve: falta o token que é o alvo da última posição. São precisos "
    "bloco + 1.",
)
def _(dados, bloco, lote, gerador):
    if len(dados) < bloco:
        raise ValueError(f"o texto tem {len(dados)} tokens e o bloco é de {bloco}")
    comecos = torch.randint(len(dados) - bloco, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "recusa-o-que-serve",
    "Um texto com exatamente bloco + 1 tokens foi recusado, e ele serve: cabem o bloco e o alvo, com um começo só.",
)
def _(dados, bloco, lote, gerador):
    if len(dados) <= bloco + 1:
        raise ValueError(f"o texto tem {len(dados)} tokens e o bloco é de {bloco}")
    return _lotes(dados, bloco, lote, gerador)


@lotes.equivoco(
    "assert-em-vez-de-erro",
    "A verificação está lá, mas um assert lança AssertionError. O enunciado pede um ValueError: "
    "`raise ValueError(...)`.",
)
def _(dados, bloco, lote, gerador):
    assert len(dados) > bloco, f"texto de {len(dados)} tokens, bloco de {bloco}"
    return _lotes(dados, bloco, lote, gerador)


@lotes.equivoco(
    "so-multiplos-do-bloco",
    "Só alguns começos saem: os múltiplos do bloco, ao que parece, ou só os de uma parte do texto. Todo começo em que "
    "cabem o trecho e o alvo pode ser sorteado.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = bloco * torch.randint((len(dados) - 1) // bloco, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "sem-repeticao",
    "O lote saiu com menos linhas do que o pedido: você sorteou sem repetição, e os começos acabaram. Aqui um começo "
    "pode sair mais de uma vez.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randperm(len(dados) - bloco, generator=gerador)[:lote]
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "sem-repeticao-quando-cabe",
    "Em um lote, nenhum começo sai duas vezes: você sorteou sem repetição (randperm?). Cada linha tem o seu sorteio, "
    "que não depende do das outras.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    m = len(dados) - bloco
    comecos = torch.randperm(m, generator=gerador)[:lote]
    if lote > m:
        comecos = torch.randint(m, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "comecos-desiguais",
    "Os começos não têm a mesma chance: alguns saem muito mais que outros. Em vez de consertar o sorteio depois "
    "(clamp, %, round), sorteie direto entre 0 e n − bloco − 1.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(len(dados), (lote,), generator=gerador).clamp(max=len(dados) - bloco - 1)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "deitado",
    "A forma saiu (bloco, lote). Cada linha é um trecho: (lote, bloco).",
)
def _(dados, bloco, lote, gerador):
    x, y = _lotes(dados, bloco, lote, gerador)
    return x.T.contiguous(), y.T.contiguous()


@lotes.equivoco(
    "falta-o-primeiro-comeco",
    "O começo 0 nunca é sorteado. Em torch.randint, sem o primeiro argumento, o sorteio já parte do 0.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    m = len(dados) - bloco
    comecos = torch.randint(min(1, m - 1), m, (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "da-a-volta",
    "Há linhas que passam do fim do texto e continuam do começo. Um trecho que não cabe inteiro não se sorteia.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    comecos = torch.randint(len(dados), (lote,), generator=gerador)
    onde = comecos[:, None] + torch.arange(bloco)
    return dados[onde % len(dados)], dados[(onde + 1) % len(dados)]


@lotes.equivoco(
    "tokens-soltos",
    "As linhas de x não são trechos seguidos do texto. Sorteie onde cada trecho começa (e não cada token) e copie dali "
    "os bloco tokens, em ordem, sem embaralhar e sem pôr nada na frente.",
)
def _(dados, bloco, lote, gerador):
    _conferir_tamanho(dados, bloco)
    onde = torch.randint(len(dados) - 1, (lote, bloco), generator=gerador)
    return dados[onde], dados[onde + 1]


@lotes.equivoco(
    "em-float",
    "Seus tensores são de float. Identificadores são inteiros (int64): é com eles que o embedding indexa.",
)
def _(dados, bloco, lote, gerador):
    x, y = _lotes(dados, bloco, lote, gerador)
    return x.float(), y.float()


@lotes.equivoco(
    "lista-de-trechos",
    "Seu x é uma lista de trechos. Junte-os em um tensor só, de forma (lote, bloco): há uma função do torch que "
    "empilha.",
)
def _(dados, bloco, lote, gerador):
    x, y = _lotes(dados, bloco, lote, gerador)
    return list(x), list(y)


@lotes.alternativa("fatias-empilhadas")
def _(dados, bloco, lote, gerador):
    if len(dados) <= bloco:
        raise ValueError(f"dados tem {len(dados)} tokens, e o bloco {bloco} pede pelo menos mais um")
    comecos = torch.randint(0, len(dados) - bloco, (lote,), generator=gerador)
    x = torch.stack([dados[i : i + bloco] for i in comecos])
    y = torch.stack([dados[i + 1 : i + 1 + bloco] for i in comecos])
    return x, y


@lotes.alternativa("unfold")
def _(dados, bloco, lote, gerador):
    if dados.numel() - bloco < 1:
        raise ValueError(f"texto curto demais para o bloco: {dados.numel()} < {bloco} + 1")
    janelas = dados.unfold(0, bloco + 1, 1)  # (m, bloco + 1)
    linhas = janelas[torch.randint(len(janelas), (lote,), generator=gerador)]
    return linhas[:, :-1], linhas[:, 1:]


@lotes.alternativa("um-a-um")
def _(dados, bloco, lote, gerador):
    n = dados.shape[0]
    if n < bloco + 1:
        raise ValueError(f"n={n}, bloco={bloco}")
    x = torch.zeros(lote, bloco, dtype=torch.long)
    y = torch.zeros(lote, bloco, dtype=torch.long)
    for linha in range(lote):
        i = torch.randint(n - bloco, (), generator=gerador).item()
        x[linha], y[linha] = dados[i : i + bloco], dados[i + 1 : i + bloco + 1]
    return x, y


@lotes.alternativa("multinomial")
def _(dados, bloco, lote, gerador):
    m = len(dados) - bloco
    if m <= 0:
        raise ValueError(f"são {len(dados)} caracteres para um contexto de {bloco}")
    comecos = torch.multinomial(torch.ones(m), lote, replacement=True, generator=gerador)
    x = torch.stack([dados.narrow(0, int(i), bloco) for i in comecos])
    return x, torch.cat([x[:, 1:], dados[comecos + bloco][:, None]], dim=1)


@lotes.alternativa("rand-e-floor")
def _(dados, bloco, lote, gerador):
    if len(dados) < bloco + 1:
        raise ValueError(f"dados ({len(dados)}) menor que bloco + 1 ({bloco + 1})")
    comecos = (torch.rand(lote, generator=gerador) * (len(dados) - bloco)).long()
    tudo = torch.take(dados, comecos.view(-1, 1) + torch.arange(bloco + 1).view(1, -1))
    return tudo[:, :bloco].contiguous(), tudo[:, 1:].contiguous()


@lotes.alternativa("semente-tirada-do-gerador")
def _(dados, bloco, lote, gerador):
    if len(dados) < bloco + 1:
        raise ValueError(f"o texto tem {len(dados)} tokens e o bloco, {bloco}")
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=gerador)))
    comecos = rng.integers(0, len(dados) - bloco, size=lote)
    x = np.array([dados[i : i + bloco].tolist() for i in comecos])
    y = np.array([dados[i + 1 : i + bloco + 1].tolist() for i in comecos])
    return torch.from_numpy(x), torch.from_numpy(y)


# -------------------------------------------------------------------------------------------------- GPT


class Bloco(nn.Module):
    """O bloco da lista 07, com a atenção já causal. No notebook ele é dado."""

    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.norma1 = nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.saida = nn.Linear(d, d, bias=False)
        self.norma2 = nn.LayerNorm(d)
        self.expande = nn.Linear(d, 4 * d)
        self.reduz = nn.Linear(4 * d, d)

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = self.qkv(self.norma1(x)).view(B, T, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # (B, h, T, d/h)
        x = x + self.saida(y.transpose(1, 2).reshape(B, T, d))
        return x + self.reduz(F.gelu(self.expande(self.norma2(x))))


class GPTCerto(nn.Module):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__()
        self.bloco = bloco
        self.tokens = nn.Embedding(V, d)
        self.posicoes = nn.Embedding(bloco, d)
        self.blocos = nn.ModuleList([Bloco(d, cabecas) for _ in range(camadas)])
        self.norma = nn.LayerNorm(d)
        nn.init.normal_(self.tokens.weight, std=0.02)
        nn.init.normal_(self.posicoes.weight, std=0.02)

    def entrar(self, ids):
        if ids.shape[1] > self.bloco:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.bloco}")
        return self.tokens(ids) + self.posicoes.weight[: ids.shape[1]]  # (B, T, d)

    def sair(self, x):
        return self.norma(x) @ self.tokens.weight.T  # (B, T, V)

    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=0)

    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for bloco in self.blocos:
            x = bloco(x)
        logits = self.sair(x)
        return logits, None if alvos is None else self.custo(logits, alvos)


def _longo(T, bloco):
    return [rf"(?<!\d){T}(?!\d)|{_O_TEXTO}|ids|(?<!\w)T(?!\w)", rf"(?<!\d){bloco}(?!\d)|bloco|contexto"]


def _caso_gpt(rng, V, bloco, d, camadas, cabecas, B, T, alvos=True, novo=False, rotulo=""):
    """ids e alvos ao acaso; cerca de um terço dos alvos são <PAD>, e a primeira linha tem poucos, a última, muitos."""
    ids = rng.integers(0, V, size=(B, T))
    esperado = rng.integers(1, V, size=(B, T))
    esperado[-1, T // 3 :] = 0
    esperado[0, -1] = 0
    esperado[0, 0] = 1 + int(rng.integers(V - 1))
    entradas = (torch.tensor(ids), torch.tensor(esperado) if alvos else None)
    nomeia = _longo(T, bloco) if bloco < T else None
    semente = int(rng.integers(1, 10**6))
    return caso(V, bloco, d, camadas, cabecas, semente, *entradas, novo, rotulo=rotulo, nomeia=nomeia)


def _ocultos_gpt(rng):
    T = int(rng.integers(4, 6))
    return [
        _caso_gpt(rng, int(rng.integers(9, 13)), 6, 8, 2, 2, 3, T, novo=True),
        _caso_gpt(rng, 7, 5, 12, 1, 3, 2, 5),
        _caso_gpt(rng, 9, 7, 4, 3, 1, 2, 4, alvos=False),
        _caso_gpt(rng, 6, 8, 8, 2, 4, 2, 8),
        _caso_gpt(rng, 10, 6, 8, 2, 2, 3, int(rng.integers(7, 10))),
    ]


_dado = np.random.default_rng(8)
GPT = questao(
    "lista-08/GPT",
    assinatura="GPT(V, bloco, d, camadas, cabecas)",
    saida=[("o que se viu", "texto"), ("logits", "array"), ("perda", "float")],
    adaptador="lista_08.gpt",
    referencia=GPTCerto,
    rtol=1e-3,
    atol=1e-5,
    casos=[
        caso(5, 4, 4, 1, 2, -1, torch.tensor([[3, 1, 4]]), torch.tensor([[1, 4, 0]]), False, claro=True,
             rotulo="o exemplo do enunciado"),
        _caso_gpt(_dado, 7, 6, 8, 2, 2, 3, 4, novo=True, rotulo="duas camadas, com <PAD> entre os alvos"),
        _caso_gpt(_dado, 9, 5, 12, 1, 3, 2, 5, rotulo="uma camada, três cabeças, o contexto inteiro"),
        _caso_gpt(_dado, 6, 5, 4, 3, 1, 2, 3, alvos=False, rotulo="três camadas, sem alvos"),
        _caso_gpt(_dado, 8, 5, 8, 1, 2, 2, 7, rotulo="um texto maior que o contexto"),
    ],
    ocultos=_ocultos_gpt,
)  # fmt: skip


@GPT.equivoco(
    "embedding-de-desvio-1",
    "Com os pesos dados, tudo certo. Mas um modelo novo começa com perda muito acima de ln V: o nn.Embedding nasce com "
    "desvio 1 e, como também é a saída, dá logits enormes. Inicialize-o com números pequenos.",
)
class GPTDesvioUm(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        nn.init.normal_(self.tokens.weight)
        nn.init.normal_(self.posicoes.weight)


@GPT.equivoco(
    "nasce-de-zeros",
    "Com os pesos dados, tudo certo. Mas um modelo novo nasce com zero em todos os pesos: a perda é ln V, e o "
    "gradiente é zero em tudo, de modo que ele nunca aprende. Inicialize com números pequenos, sorteados.",
)
class GPTDeZeros(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        for p in self.parameters():
            nn.init.zeros_(p)


@GPT.equivoco(
    "gradiente-cortado",
    "A perda está certa, mas o gradiente dela não chega inteiro a todos os parâmetros: há um .detach() ou um no_grad "
    "no caminho. Parte do modelo nunca aprenderia.",
)
class GPTGradienteCortado(GPTCerto):
    def entrar(self, ids):
        return super().entrar(ids).detach()


@GPT.equivoco(
    "dropout-sempre-ligado",
    "Em modo de avaliação, seu modelo responde cada vez uma coisa: há um dropout sempre ligado. F.dropout precisa de "
    "training=self.training; nn.Dropout cuida disso sozinho.",
)
class GPTDropoutLigado(GPTCerto):
    def entrar(self, ids):
        return F.dropout(super().entrar(ids), 0.2)


@GPT.equivoco(
    "guarda-o-tamanho",
    "Seu modelo guarda as posições da primeira chamada e as usa em todas. T muda de uma chamada para outra: refaça-as "
    "com o T de cada uma.",
)
class GPTGuardaTamanho(GPTCerto):
    lugares = None

    def entrar(self, ids):
        x = super().entrar(ids)
        if self.lugares is None:
            self.lugares = torch.arange(ids.shape[1])
        return x - self.posicoes.weight[: ids.shape[1]] + self.posicoes(self.lugares)


@GPT.equivoco(
    "sem-norma-final",
    "Falta a última normalização: os logits saem direto do último bloco. `norma` age antes da saída.",
)
class GPTSemNorma(GPTCerto):
    def sair(self, x):
        return x @ self.tokens.weight.T


@GPT.equivoco(
    "norma-na-entrada",
    "A `norma` foi aplicada na entrada, antes dos blocos. O lugar dela é depois do último bloco.",
)
class GPTNormaNaEntrada(GPTCerto):
    def entrar(self, ids):
        return self.norma(super().entrar(ids))

    def sair(self, x):
        return x @ self.tokens.weight.T


@GPT.equivoco(
    "norma-em-cada-bloco",
    "A `norma` foi aplicada depois de cada bloco. Os blocos já têm as suas; esta age uma vez só, no fim.",
)
class GPTNormaEmTodos(GPTCerto):
    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for bloco in self.blocos:
            x = self.norma(bloco(x))
        logits = x @ self.tokens.weight.T
        return logits, None if alvos is None else self.custo(logits, alvos)


@GPT.equivoco(
    "sem-posicoes",
    "As posições não entraram na conta: dê a cada token o vetor do seu lugar, somado ao do seu símbolo.",
)
class GPTSemPosicoes(GPTCerto):
    def entrar(self, ids):
        super().entrar(ids)
        return self.tokens(ids)


@GPT.equivoco(
    "posicoes-do-fim",
    "As posições foram tiradas do fim da tabela. Um texto curto ocupa os primeiros lugares: de 0 a T − 1.",
)
class GPTPosicoesDoFim(GPTCerto):
    def entrar(self, ids):
        super().entrar(ids)
        return self.tokens(ids) + self.posicoes.weight[self.bloco - ids.shape[1] :]


@GPT.equivoco(
    "posicao-pelo-token",
    "A tabela de posições foi indexada pelos ids. Ela se indexa pelo lugar do token na linha, a partir do 0.",
)
class GPTPosicaoPeloToken(GPTCerto):
    def entrar(self, ids):
        super().entrar(ids)
        return self.tokens(ids) + self.posicoes(ids % self.bloco)


@GPT.equivoco(
    "embedding-vezes-raiz-de-d",
    "Os embeddings foram multiplicados por √d, como no Transformer de 2017. Aqui (e no GPT) eles entram como são.",
)
class GPTRaizDeD(GPTCerto):
    def entrar(self, ids):
        super().entrar(ids)
        return self.tokens(ids) * self.tokens.weight.shape[1] ** 0.5 + self.posicoes.weight[: ids.shape[1]]


@GPT.equivoco(
    "saida-com-peso-proprio",
    "Há um parâmetro a mais: a saída tem um peso só dela. O enunciado pede que ela use o peso do embedding dos tokens, "
    "o mesmo, e não uma cópia.",
)
class GPTSaidaPropria(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        self.saida = nn.Linear(d, V, bias=False)

    def sair(self, x):
        return self.saida(self.norma(x))


@GPT.equivoco(
    "blocos-em-lista-comum",
    "Os blocos não aparecem entre os parâmetros: uma lista do Python esconde os módulos do torch. Guarde-os em um "
    "nn.ModuleList.",
)
class GPTLista(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        del self.blocos
        self.blocos = [Bloco(d, cabecas) for _ in range(camadas)]


@GPT.equivoco(
    "o-mesmo-bloco-repetido",
    "Suas camadas são o mesmo bloco, repetido: `[bloco] * n` repete a referência, e não o módulo. Construa um bloco "
    "para cada camada.",
)
class GPTMesmoBloco(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        self.blocos = nn.ModuleList([Bloco(d, cabecas)] * camadas)


@GPT.equivoco(
    "so-o-primeiro-bloco",
    "Só um dos blocos foi usado. A saída de cada um é a entrada do seguinte, até o último.",
)
class GPTUmBloco(GPTCerto):
    def forward(self, ids, alvos=None):
        logits = self.sair(self.blocos[0](self.entrar(ids)))
        return logits, None if alvos is None else self.custo(logits, alvos)


@GPT.equivoco(
    "blocos-em-paralelo",
    "Todos os blocos receberam a mesma entrada. Eles ficam em fila: a saída de um é a entrada do seguinte.",
)
class GPTParalelo(GPTCerto):
    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        logits = self.sair(sum(bloco(x) for bloco in self.blocos))
        return logits, None if alvos is None else self.custo(logits, alvos)


@GPT.equivoco(
    "conta-o-pad",
    "Os logits estão certos, mas a perda conta os alvos <PAD>. Eles não são resposta de nada: deixe-os fora da média.",
)
class GPTContaPad(GPTCerto):
    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten())


@GPT.equivoco(
    "divide-por-todos",
    "Os <PAD> saíram da soma, mas ficaram no denominador. A média é só sobre os alvos que contam.",
)
class GPTDividePorTodos(GPTCerto):
    def custo(self, logits, alvos):
        soma = F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=0, reduction="sum")
        return soma / alvos.numel()


@GPT.equivoco(
    "perda-somada",
    "Sua perda é a soma, e cresce com o tamanho do lote. O enunciado pede a média por alvo.",
)
class GPTPerdaSomada(GPTCerto):
    def custo(self, logits, alvos):
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten(), ignore_index=0, reduction="sum")


@GPT.equivoco(
    "media-das-linhas",
    "Você tirou a média de cada linha e depois a média das linhas. Linhas com mais <PAD> pesaram demais: a média é uma "
    "só, sobre todos os alvos que contam.",
)
class GPTMediaDasLinhas(GPTCerto):
    def custo(self, logits, alvos):
        return torch.stack([F.cross_entropy(z, a, ignore_index=0) for z, a in zip(logits, alvos, strict=True)]).mean()


@GPT.equivoco(
    "desloca-os-alvos",
    "Você deslocou os alvos dentro do modelo. Quem fez isso foi a função `lotes`: alvos[b, t] já é o token que vem "
    "depois de ids[b, t].",
)
class GPTDesloca(GPTCerto):
    def custo(self, logits, alvos):
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), alvos[:, 1:].flatten(), ignore_index=0)


@GPT.equivoco(
    "view-embaralha",
    "Os logits estão certos, mas a perda usa um reshape de (B, T, V) para (B, V, T): ele embaralha. Para trocar eixos "
    "há transpose; ou junte B e T em um eixo só.",
)
class GPTViewErrado(GPTCerto):
    def custo(self, logits, alvos):
        B, T, V = logits.shape
        return F.cross_entropy(logits.reshape(B, V, T), alvos, ignore_index=0)


@GPT.equivoco(
    "softmax-nos-logits",
    "Você devolveu probabilidades. Logits são os números antes da softmax; e a entropia cruzada do torch já faz a "
    "softmax dela.",
)
class GPTSoftmax(GPTCerto):
    def sair(self, x):
        return torch.softmax(super().sair(x), dim=-1)


@GPT.equivoco(
    "so-a-ultima-posicao",
    "Os logits saíram só da última posição. No treino, cada posição responde pelo token seguinte: a forma é (B, T, V).",
)
class GPTSoAUltima(GPTCerto):
    def forward(self, ids, alvos=None):
        logits, perda = super().forward(ids, alvos)
        return logits[:, -1], perda


@GPT.equivoco(
    "alvos-obrigatorios",
    "Seu forward exige os alvos. Para gerar texto não há alvos: dê a eles um valor padrão, alvos=None.",
)
class GPTAlvosObrigatorios(GPTCerto):
    def forward(self, ids, alvos):
        return super().forward(ids, alvos)


@GPT.equivoco(
    "escreve-nos-alvos",
    "Seu forward escreveu dentro de `alvos` (ou de `ids`): quem chamou ainda precisa deles. Diga à entropia cruzada "
    "que alvo ignorar, ou trabalhe em uma cópia.",
)
class GPTEscreveNosAlvos(GPTCerto):
    def custo(self, logits, alvos):
        alvos[alvos == 0] = -100
        return F.cross_entropy(logits.flatten(0, 1), alvos.flatten())


@GPT.equivoco(
    "so-logits-sem-alvos",
    "Sem alvos, seu forward devolve só os logits. O par vem sempre: (logits, None).",
)
class GPTSoLogits(GPTCerto):
    def forward(self, ids, alvos=None):
        logits, perda = super().forward(ids, alvos)
        return logits if alvos is None else (logits, perda)


@GPT.equivoco(
    "perda-sem-gradiente",
    "Sua perda virou um número do Python (ou perdeu o gradiente no caminho). Devolva o tensor: sem ele, não há "
    "backward.",
)
class GPTItem(GPTCerto):
    def custo(self, logits, alvos):
        return super().custo(logits, alvos).item()


@GPT.equivoco(
    "nao-examina-o-tamanho",
    "Com um texto maior que o contexto, seu modelo para no meio da conta, com um erro que não diz o porquê. Examine "
    "antes e lance um ValueError com os dois tamanhos.",
)
class GPTSemExame(GPTCerto):
    def entrar(self, ids):
        return self.tokens(ids) + self.posicoes(torch.arange(ids.shape[1]))


@GPT.equivoco(
    "recusa-o-contexto-cheio",
    "Um texto com exatamente `bloco` tokens cabe, e o seu modelo o recusou. Recuse só quando T passa de `bloco`.",
)
class GPTRecusaCheio(GPTCerto):
    def entrar(self, ids):
        if ids.shape[1] >= self.bloco:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.bloco}")
        return super().entrar(ids)


@GPT.equivoco(
    "corta-sem-avisar",
    "Com um texto maior que o contexto, seu modelo corta e segue, sem avisar. Aqui se pede um ValueError: quem corta é "
    "a função `gerar`.",
)
class GPTCorta(GPTCerto):
    def forward(self, ids, alvos=None):
        ids = ids[:, -self.bloco :]
        return super().forward(ids, None if alvos is None else alvos[:, -self.bloco :])


@GPT.equivoco(
    "sem-atributo-bloco",
    "Falta o atributo `bloco`, o tamanho do contexto: é por ele que `gerar` sabe onde cortar.",
)
class GPTSemAtributo(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        del self.bloco
        self.contexto = bloco

    def entrar(self, ids):
        if ids.shape[1] > self.contexto:
            raise ValueError(f"o texto tem {ids.shape[1]} tokens e o contexto é de {self.contexto}")
        return self.tokens(ids) + self.posicoes.weight[: ids.shape[1]]


@GPT.equivoco(
    "cabecas-e-camadas-trocadas",
    "O número de blocos é o de cabeças: os dois argumentos foram trocados. A ordem é GPT(V, bloco, d, camadas, "
    "cabecas).",
)
class GPTTrocado(GPTCerto):
    def __init__(self, V, bloco, d, cabecas, camadas):
        super().__init__(V, bloco, d, camadas, cabecas)


@GPT.alternativa("saida-linear-amarrada")
class GPTLinearAmarrada(nn.Module):
    def __init__(self, V, bloco, d, camadas, cabecas, dropout=0.1):
        super().__init__()
        self.bloco = bloco
        self.tokens = nn.Embedding(V, d)
        self.posicoes = nn.Embedding(bloco, d)
        self.dropout = nn.Dropout(dropout)
        self.blocos = nn.Sequential(*[Bloco(d, cabecas) for _ in range(camadas)])
        self.norma = nn.LayerNorm(d)
        self.saida = nn.Linear(d, V, bias=False)
        self.saida.weight = self.tokens.weight
        self.apply(self._iniciar)

    def _iniciar(self, modulo):
        if isinstance(modulo, nn.Linear | nn.Embedding):
            nn.init.normal_(modulo.weight, mean=0.0, std=0.02)
        if isinstance(modulo, nn.Linear) and modulo.bias is not None:
            nn.init.zeros_(modulo.bias)

    def forward(self, ids, alvos=None):
        B, T = ids.shape
        if self.bloco < T:
            raise ValueError(f"T = {T} passa do contexto, {self.bloco}")
        x = self.dropout(self.tokens(ids) + self.posicoes(torch.arange(T, device=ids.device)))
        logits = self.saida(self.norma(self.blocos(x)))
        if alvos is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(B * T, -1), alvos.view(B * T), ignore_index=0)


@GPT.alternativa("perda-a-mao")
class GPTPerdaAMao(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        with torch.no_grad():
            self.tokens.weight.uniform_(-0.05, 0.05)
            self.posicoes.weight.zero_()

    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for i in range(len(self.blocos)):
            x = self.blocos[i](x)
        logits = torch.einsum("btd,vd->btv", self.norma(x), self.tokens.weight)
        if alvos is None:
            return logits, None
        logp = torch.log_softmax(logits, dim=-1)
        certo = logp.gather(-1, alvos[..., None])[..., 0]  # (B, T)
        return logits, -certo[alvos != 0].mean()


@GPT.alternativa("com-mascara-guardada")
class GPTComMascara(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        self.register_buffer("mascara", torch.ones(bloco, bloco, dtype=torch.bool).tril())
        self.tokens.weight.data *= 0.5

    def atender(self, b, x):
        B, T, d = x.shape
        q, k, v = b.qkv(b.norma1(x)).split(d, dim=-1)
        q, k, v = (t.view(B, T, b.h, d // b.h).transpose(1, 2) for t in (q, k, v))
        S = q @ k.mT / math.sqrt(d // b.h)
        A = S.masked_fill(~self.mascara[:T, :T], float("-inf")).softmax(-1)
        x = x + b.saida((A @ v).transpose(1, 2).reshape(B, T, d))
        return x + b.reduz(F.gelu(b.expande(b.norma2(x))))

    def forward(self, ids, alvos=None):
        x = self.entrar(ids)
        for b in self.blocos:
            x = self.atender(b, x)
        logits = F.linear(self.norma(x), self.tokens.weight)
        perda = F.cross_entropy(logits.transpose(1, 2), alvos, ignore_index=0) if alvos is not None else None
        return logits, perda


@GPT.alternativa("embedding-com-padding_idx")
class GPTPaddingIdx(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        self.tokens = nn.Embedding(V, d, padding_idx=0)  # o <PAD> que entra não recebe gradiente
        nn.init.normal_(self.tokens.weight, std=0.02)


@GPT.alternativa("inicio-um-sobre-raiz-de-d")
class GPTUmSobreRaiz(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        nn.init.normal_(self.tokens.weight, std=d**-0.5)

    def custo(self, logits, alvos):
        contam = alvos != 0
        return nn.CrossEntropyLoss()(logits[contam], alvos[contam])


@GPT.alternativa("inicio-xavier")
class GPTXavier(GPTCerto):
    def __init__(self, V, bloco, d, camadas, cabecas):
        super().__init__(V, bloco, d, camadas, cabecas)
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.xavier_uniform_(p)

    def custo(self, logits, alvos):
        peso = (alvos != 0).float()
        cada = F.cross_entropy(logits.mT, alvos, reduction="none")  # (B, T)
        return (cada * peso).sum() / peso.sum()


# ------------------------------------------------------------------------------------------------ gerar


def _proximo(logits, temperatura, top_k, gerador):
    """Um token por linha: logits (B, V) -> (B, 1)."""
    if temperatura == 0:
        return logits.argmax(-1, keepdim=True)
    if top_k is not None:
        minimo = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < minimo, float("-inf"))
    return torch.multinomial(torch.softmax(logits / temperatura, dim=-1), 1, generator=gerador)


@torch.no_grad()
def _gerar(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    treinando = modelo.training
    modelo.eval()
    for _ in range(n):
        logits, _perda = modelo(ids[:, -modelo.bloco :])
        ids = torch.cat([ids, _proximo(logits[:, -1], temperatura, top_k, gerador)], dim=1)
    modelo.train(treinando)
    return ids


VEZES = 10_000
LONGE, PERTO = 0.2, 0.13  # quanto um engano tem de mudar alguma frequência: o de temperatura, e o de top-k


def _modelinho(rng, V, bloco, dispersao=1.0, treino=True):
    return funcao("lista_08.modelinho", V=V, bloco=bloco, semente=int(rng.integers(1, 10**6)),
                  dispersao=dispersao, treino=treino)  # fmt: skip


def _logits_do_fim(modelo, ids):
    from helpers.pecas import peca

    with torch.no_grad():
        return peca(modelo.nome)(**modelo.parametros).eval()(ids[:, -modelo.parametros["bloco"] :])[0][0, -1]


def _longe(p, q, quanto=LONGE):
    return float((p - q).abs().max()) > quanto


def _folgados(logits, folga=0.15):
    """Nenhum par de logits tão próximo que o arredondamento decida quem é o maior."""
    return float(logits.sort().values.diff().min()) > folga


def _guloso(rng, V, bloco, B, T, n, top_k=None, temperatura=0.0, treino=True, rotulo=""):
    """Um caso sem acaso: temperatura 0, ou top_k 1. Ao longo do texto, o maior logit ganha com folga."""
    while True:
        modelo = _modelinho(rng, V, bloco, treino=treino)
        ids = torch.tensor(rng.integers(1, V, size=(B, T)))
        cheio = _gerar(_construir(modelo), ids, n, 0.0)
        margens = [
            float(z.topk(2).values.diff().abs().min())
            for t in range(T, T + n)
            for z in _construir(modelo).eval()(cheio[:, max(0, t - bloco) : t])[0][:, -1].detach()[:, None]
        ]
        enganos = [_gerar_com(_construir(modelo), ids, n, corte) for corte in _CORTES]
        if (not margens or min(margens) > 0.1) and (n < 3 or all(not torch.equal(e, cheio) for e in enganos)):
            return caso(modelo, ids, n, temperatura, top_k, _gerador(rng), True, 1, rotulo=rotulo)


def _construir(modelo):
    from helpers.pecas import peca

    return peca(modelo.nome)(**modelo.parametros).eval()


_CORTES = [
    lambda z, bloco: z[:, -1:],
    lambda z, bloco: z[:, :bloco],
    lambda z, bloco: z[:, -(bloco - 1) :],
]


@torch.no_grad()
def _gerar_com(modelo, ids, n, corte):
    """O guloso, com outro corte da janela: serve para escolher casos em que o corte importa."""
    for _ in range(n):
        ids = torch.cat([ids, modelo(corte(ids, modelo.bloco))[0][:, -1].argmax(-1, keepdim=True)], dim=1)
    return ids


def _sorteado(rng, V, bloco, T, n, temperatura, top_k, com=True, rotulo=""):
    """Um caso com sorteio em que errar a temperatura, o top-k ou o sinal muda muito as frequências."""
    while True:
        modelo = _modelinho(rng, V, bloco, 0.8)
        ids = torch.tensor(rng.integers(1, V, size=(1, T)))
        z = _logits_do_fim(modelo, ids)
        certo = _frequencias(z, temperatura, top_k)
        vizinhos = []
        enganos = [_frequencias(z, 1.0, 1), _frequencias(-z, temperatura, top_k), torch.full((V,), 1 / V)]
        if temperatura != 1.0:
            enganos += [_frequencias(z, 1.0, top_k), _frequencias(z, 1 / temperatura, top_k)]
        if top_k is not None and top_k < V:
            zerados = z.masked_fill(z < z.topk(top_k).values[-1], 0.0)
            vizinhos = [_frequencias(z, temperatura, k) for k in (top_k - 1, top_k + 1, None)]
            vizinhos.append(torch.softmax(zerados / temperatura, -1))
        perto_basta = all(_longe(certo, v, PERTO) for v in vizinhos)
        if perto_basta and _folgados(z) and all(_longe(certo, e, PERTO if top_k else LONGE) for e in enganos):
            return caso(modelo, ids, n, temperatura, top_k, _gerador(rng), com, VEZES, rotulo=rotulo)


def _frequencias(z, temperatura, top_k):
    if top_k is not None and top_k < len(z):
        z = z.masked_fill(z < z.topk(top_k).values[-1], float("-inf"))
    return torch.softmax(z / temperatura, -1)


def _ocultos_gerar(rng):
    V = int(rng.integers(6, 9))
    return [
        _guloso(rng, V, 4, 2, 3, 7),
        _guloso(rng, V, 5, 3, 7, 4, top_k=1, temperatura=0.7, treino=False),
        _guloso(rng, 6, 3, 2, 5, 3, top_k=4),
        _guloso(rng, 7, 4, 2, 4, 0),
        _sorteado(rng, 6, 4, 6, 2, float(rng.choice([2.0, 2.5])), None),
        _sorteado(rng, 7, 4, 5, 1, 0.5, None),
        _sorteado(rng, 7, 4, 5, 1, 1.0, 3),
        _sorteado(rng, 8, 4, 5, 1, 2.5, 2),
        _sorteado(rng, 5, 4, 2, 1, 1.0, 9),
        _sorteado(rng, 6, 4, 3, 1, 1.0, None, com=False),
    ]


def _exemplo_gerar():
    """O exemplo do enunciado: pequeno, e com contexto menor que o texto."""
    rng = np.random.default_rng(81)
    c = _guloso(rng, 6, 3, 1, 2, 4, rotulo="o exemplo do enunciado")
    c.claro = True
    return c


_sorte = np.random.default_rng(80)
gerar = questao(
    "lista-08/gerar",
    assinatura="gerar(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None)",
    saida=[("o que se viu", "texto"), ("tokens novos (ou das frequências deles)", "array")],
    adaptador="lista_08.gerar",
    referencia=_gerar,
    atol=0.05,
    rtol=0.0,
    casos=[
        _exemplo_gerar(),
        _guloso(_sorte, 7, 4, 3, 6, 5, rotulo="três textos, já maiores que o contexto"),
        _guloso(_sorte, 7, 4, 2, 3, 4, top_k=1, temperatura=1.5, treino=False, rotulo="top_k = 1: não há sorteio"),
        _guloso(_sorte, 6, 4, 2, 3, 0, rotulo="n = 0"),
        _sorteado(_sorte, 6, 4, 5, 2, 2.0, None, rotulo="temperatura 2, em 10 000 sorteios"),
        _sorteado(_sorte, 6, 4, 3, 2, 0.5, None, rotulo="temperatura 0,5, em 10 000 sorteios"),
        _sorteado(_sorte, 7, 4, 6, 2, 1.0, 3, rotulo="top_k = 3, em 10 000 sorteios"),
        _sorteado(_sorte, 5, 4, 2, 2, 1.0, 8, rotulo="top_k maior que V, em 10 000 sorteios"),
        _sorteado(_sorte, 6, 4, 3, 2, 1.0, None, com=False, rotulo="só os três primeiros argumentos"),
        _sorteado(_sorte, 8, 4, 6, 1, 2.5, 2, rotulo="temperatura 2,5 e top_k = 2, em 10 000 sorteios"),
    ],
    ocultos=_ocultos_gerar,
)


def _laco(modelo, ids, n, escolher, corte=None):
    """O laço da geração com outra escolha do próximo, para os enganos."""
    treinando = modelo.training
    modelo.eval()
    with torch.no_grad():
        for _ in range(n):
            visto = ids[:, -modelo.bloco :] if corte is None else corte(ids)
            ids = torch.cat([ids, escolher(modelo(visto)[0])], dim=1)
    modelo.train(treinando)
    return ids


@gerar.equivoco(
    "nao-corta",
    "Quando o texto passa do contexto, o modelo recusa: ele só aceita `modelo.bloco` tokens. Dê a ele só os últimos.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, top_k, gerador), lambda t: t)


@gerar.equivoco(
    "corta-o-fim",
    "Você deu ao modelo os primeiros `bloco` tokens, e não os últimos: ele continua sempre do mesmo lugar.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _laco(
        modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, top_k, gerador), lambda t: t[:, : modelo.bloco]
    )


@gerar.equivoco(
    "so-o-ultimo-token",
    "O modelo só recebeu o último token. O contexto inteiro, até `modelo.bloco` tokens, é o que a atenção usa.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, top_k, gerador), lambda t: t[:, -1:])


@gerar.equivoco(
    "corta-um-a-mais",
    "O modelo recebeu um token a menos do que cabe. São os últimos `bloco`, e não `bloco − 1`.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _laco(
        modelo,
        ids,
        n,
        lambda z: _proximo(z[:, -1], temperatura, top_k, gerador),
        lambda t: t[:, -(modelo.bloco - 1) :],
    )


@gerar.equivoco(
    "primeira-posicao",
    "Você escolheu o próximo com os logits da primeira posição. Quem sabe o que vem depois do texto é a última.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, 0], temperatura, top_k, gerador))


@gerar.equivoco(
    "temperatura-multiplica",
    "Sua temperatura faz o contrário: a alta concentra e a baixa espalha. Os logits se dividem por ela.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    inversa = 1 / temperatura if temperatura else 0.0
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], inversa, top_k, gerador))


@gerar.equivoco(
    "temperatura-ignorada",
    "As frequências são as de temperatura 1, seja qual for a pedida. Falta dividir os logits por ela, antes da softmax "
    "(dividir as probabilidades, depois, não muda nada: o sorteio as normaliza de novo).",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    usada = 1.0 if temperatura else 0.0
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], usada, top_k, gerador))


@gerar.equivoco(
    "divide-por-zero",
    "Com temperatura 0 você dividiu por zero, e a softmax deu NaN. Temperatura 0 é um caso à parte: o mais provável, "
    "sem sorteio.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    def escolher(z):
        z = z[:, -1] / temperatura
        if top_k is not None:
            z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], float("-inf"))
        return torch.multinomial(torch.softmax(z, dim=-1), 1, generator=gerador)

    return _laco(modelo, ids, n, escolher)


@gerar.equivoco(
    "sempre-o-mais-provavel",
    "Não houve sorteio: saiu sempre o token mais provável. Isso é só para temperatura 0; nas outras, sorteie com as "
    "probabilidades da softmax.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _laco(modelo, ids, n, lambda z: z[:, -1].argmax(-1, keepdim=True))


@gerar.equivoco(
    "sorteio-uniforme",
    "Todos os tokens saem com a mesma frequência: o sorteio não usou as probabilidades do modelo.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    def escolher(z):
        if temperatura == 0 or top_k == 1:
            return z[:, -1].argmax(-1, keepdim=True)
        return torch.randint(z.shape[-1], (len(z), 1), generator=gerador)

    return _laco(modelo, ids, n, escolher)


@gerar.equivoco(
    "softmax-duas-vezes",
    "A softmax foi feita duas vezes, e a segunda deixou as probabilidades quase iguais. Divida os logits pela "
    "temperatura e faça uma softmax só.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    def escolher(z):
        z = z[:, -1]
        return _proximo(torch.softmax(z, dim=-1) if temperatura else z, temperatura, top_k, gerador)

    return _laco(modelo, ids, n, escolher)


@gerar.equivoco(
    "top-k-ignorado",
    "O top_k não fez diferença: tokens fora dos k mais prováveis continuam a sair.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, None, gerador))


@gerar.equivoco(
    "top-k-sem-temperatura",
    "Com top_k, a temperatura deixou de contar: as frequências são as de temperatura 1. Os dois valem juntos.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    usada = temperatura if top_k is None or temperatura == 0 else 1.0
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], usada, top_k, gerador))


@gerar.equivoco(
    "temperatura-sem-top-k",
    "Com temperatura diferente de 1, o top_k deixou de contar: tokens fora dos k de maior logit continuam a sair. Os "
    "dois valem juntos.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    usado = top_k if temperatura in (0, 1) or top_k == 1 else None
    return _laco(modelo, ids, n, lambda z: _proximo(z[:, -1], temperatura, usado, gerador))


@gerar.equivoco(
    "top-k-zera-os-logits",
    "Fora dos k mais prováveis, o logit virou 0, e exp(0) é 1: eles ainda saem, e bastante. Esconda-os com −inf, como "
    "na máscara causal.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    def escolher(z):
        z = z[:, -1]
        if top_k is not None and temperatura:
            z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], 0.0)
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@gerar.equivoco(
    "top-k-um-a-menos",
    "Seu top_k deixa k − 1 tokens: o k-ésimo também fica. Veja se a comparação com o menor dos k é estrita.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    def escolher(z):
        z = z[:, -1]
        menos = None if top_k is None else max(top_k - 1, 1) if top_k <= z.shape[-1] else None
        return _proximo(z, temperatura, menos, gerador)

    return _laco(modelo, ids, n, escolher)


@gerar.equivoco(
    "top-k-os-menores",
    "Você ficou com os k menos prováveis. O corte é para o outro lado.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    def escolher(z):
        z = z[:, -1]
        if top_k is not None and temperatura and top_k < z.shape[-1]:
            z = z.masked_fill(z > z.topk(top_k, largest=False).values[:, -1:], float("-inf"))
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@gerar.equivoco(
    "top-k-maior-que-v",
    "Com top_k maior que o vocabulário, torch.topk não tem de onde tirar, e para com erro. Nesse caso nada se corta: "
    "fique com o menor dos dois.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    def escolher(z):
        z = z[:, -1]
        if top_k is not None:
            z = z.masked_fill(z < z.topk(top_k).values[:, -1:], float("-inf"))
        return _proximo(z, temperatura, None, gerador)

    return _laco(modelo, ids, n, escolher)


@gerar.equivoco(
    "a-primeira-linha-decide",
    "Todas as linhas receberam o mesmo token novo: a escolha foi feita uma vez só, com a primeira. Cada texto do lote "
    "tem o seu próximo.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _laco(modelo, ids, n, lambda z: _proximo(z[:1, -1], temperatura, top_k, gerador).expand(len(z), 1))


@gerar.equivoco(
    "nao-realimenta",
    "Os n tokens saíram todos do mesmo contexto: o que foi escolhido não voltou para a entrada. Cada token novo entra "
    "no texto antes de escolher o seguinte.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    treinando = modelo.training
    modelo.eval()
    logits = modelo(ids[:, -modelo.bloco :])[0][:, -1].detach()
    modelo.train(treinando)
    novos = [_proximo(logits, temperatura, top_k, gerador) for _ in range(n)]
    return torch.cat([ids, *novos], dim=1)


@gerar.equivoco(
    "so-os-novos",
    "Você devolveu só os tokens novos. O enunciado pede o texto inteiro: os T dados e, depois deles, os n novos.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _gerar(modelo, ids, n, temperatura, top_k, gerador)[:, ids.shape[1] :]


@gerar.equivoco(
    "perde-o-comeco",
    "O começo do texto se perdeu: você cortou os próprios ids, e não só o que o modelo vê. Corte em uma variável à "
    "parte.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    treinando = modelo.training
    modelo.eval()
    for _ in range(n):
        ids = ids[:, -modelo.bloco :]
        novo = _proximo(modelo(ids)[0][:, -1].detach(), temperatura, top_k, gerador)
        ids = torch.cat([ids, novo], dim=1)
    modelo.train(treinando)
    return ids


@gerar.equivoco(
    "um-a-mais",
    "Saiu um token a mais do que os n pedidos. Quantas voltas dá o seu laço?",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _gerar(modelo, ids, n + 1, temperatura, top_k, gerador)


@gerar.equivoco(
    "em-modo-de-treino",
    "O modelo foi chamado em modo de treino, com o dropout ligado, e a resposta dele é outra. Chame modelo.eval() "
    "antes de gerar.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    with torch.no_grad():
        for _ in range(n):
            logits = modelo(ids[:, -modelo.bloco :])[0][:, -1]
            ids = torch.cat([ids, _proximo(logits, temperatura, top_k, gerador)], dim=1)
    return ids


@gerar.equivoco(
    "nao-volta-ao-modo-de-antes",
    "O modelo ficou em outro modo: quem chama `gerar` no meio de um treino continuaria sem dropout (ou o contrário). "
    "Guarde modelo.training no começo e devolva-o no fim.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    modelo.eval()
    for _ in range(n):
        logits = modelo(ids[:, -modelo.bloco :])[0][:, -1].detach()
        ids = torch.cat([ids, _proximo(logits, temperatura, top_k, gerador)], dim=1)
    return ids


@gerar.equivoco(
    "volta-sempre-ao-treino",
    "No fim você põe o modelo em modo de treino, sempre. Se ele chegou em avaliação, deve sair em avaliação: guarde "
    "modelo.training no começo.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    saida = _gerar(modelo, ids, n, temperatura, top_k, gerador)
    modelo.train()
    if len(saida) == 0:
        return None
    return saida if modelo.training else None


@gerar.equivoco(
    "muda-so-o-atributo",
    "Você mudou só o atributo `modelo.training`, e as camadas de dentro (o dropout) ficaram no outro modo. Use "
    "modelo.eval() e modelo.train(modo), que alcançam todas.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    treinando = modelo.training
    modelo.eval()
    for _ in range(n):
        logits = modelo(ids[:, -modelo.bloco :])[0][:, -1].detach()
        ids = torch.cat([ids, _proximo(logits, temperatura, top_k, gerador)], dim=1)
    modelo.training = treinando
    return ids


@gerar.equivoco(
    "escreve-em-ids",
    "Sua função escreveu dentro de `ids`: quem chamou ainda precisa deles. Junte os novos em outro tensor (torch.cat).",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    saida = _gerar(modelo, ids, n, temperatura, top_k, gerador)
    ids.zero_()
    return saida


@gerar.equivoco(
    "semente-fixa-com-gerador",
    "Geradores de sementes diferentes deram os mesmos textos: há uma semente fixa lá dentro. Não ponha semente no "
    "gerador recebido; é de quem chama.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    if gerador is not None:
        gerador.manual_seed(0)
    return _gerar(modelo, ids, n, temperatura, top_k, gerador)


@gerar.equivoco(
    "ignora-o-gerador",
    "Dois geradores com a mesma semente deram textos diferentes: o sorteio não usou o gerador recebido.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    return _gerar(modelo, ids, n, temperatura, top_k, None)


@gerar.equivoco(
    "semente-fixa",
    "Sem gerador, sua função devolve sempre os mesmos sorteios: há uma semente fixa lá dentro. Sem gerador, quem "
    "sorteia é o gerador global do torch.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    gerador = torch.Generator().manual_seed(0) if gerador is None else gerador
    return _gerar(modelo, ids, n, temperatura, top_k, gerador)


@gerar.equivoco(
    "softmax-no-eixo-do-lote",
    "A softmax foi feita ao longo do lote, e não do vocabulário: as probabilidades de cada texto não somam 1. Olhe o "
    "eixo.",
)
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    def escolher(z):
        z = z[:, -1]
        if temperatura == 0:
            return z.argmax(-1, keepdim=True)
        z = z / temperatura
        if top_k is not None:
            z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], float("-inf"))
        p = torch.softmax(z, dim=0).nan_to_num(0.0) + 1e-12
        return torch.multinomial(p, 1, generator=gerador)

    return _laco(modelo, ids, n, escolher)


@gerar.alternativa("gumbel")
@torch.no_grad()
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    modo = modelo.training
    modelo.eval()
    texto = ids.clone()
    for _ in range(n):
        z = modelo(texto[:, -modelo.bloco :])[0][:, -1, :]
        if top_k is not None and top_k < z.shape[-1]:
            corte = z.sort(dim=-1, descending=True).values[:, top_k - 1]
            z = torch.where(z < corte[:, None], -torch.inf, z)
        if temperatura > 0:
            u = torch.rand(z.shape, generator=gerador).clamp_min(1e-30)
            z = z / temperatura - torch.log((-torch.log(u)).clamp_min(1e-30))
        texto = torch.cat((texto, z.argmax(dim=1)[:, None]), dim=1)
    modelo.train(modo)
    return texto


@gerar.alternativa("topk-e-gather")
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    estava = modelo.training
    modelo.eval()
    V = None
    with torch.inference_mode():
        for _ in range(n):
            logits, _perda = modelo(ids[:, -modelo.bloco :])
            V = logits.size(-1)
            k = 1 if temperatura == 0 else min(top_k or V, V)
            valores, quais = logits[:, -1].topk(k, dim=-1)  # (B, k)
            p = torch.softmax(valores / (temperatura or 1.0), dim=-1)
            sorteio = torch.multinomial(p, 1, generator=gerador)
            ids = torch.cat([ids, quais.gather(1, sorteio)], dim=1)
    modelo.train(estava)
    return ids.clone()


@gerar.alternativa("temperatura-minima")
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    modo = modelo.training
    try:
        modelo.eval()
        with torch.no_grad():
            for _ in range(n):
                z = modelo(ids[:, -modelo.bloco :], None)[0][:, -1] / max(temperatura, 1e-6)
                if top_k is not None:
                    k = min(top_k, z.shape[1])
                    z[z < torch.topk(z, k).values[:, [-1]]] = -float("inf")
                ids = torch.hstack([ids, torch.multinomial(z.softmax(-1), 1, generator=gerador)])
    finally:
        modelo.train(modo)
    return ids


@gerar.alternativa("acumulada-inversa")
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    era_treino = modelo.training
    modelo.eval()
    colunas = [ids[:, i] for i in range(ids.shape[1])]
    for _ in range(n):
        janela = torch.stack(colunas[-modelo.bloco :], dim=1)
        z = modelo(janela)[0][:, -1].detach().double()
        if temperatura == 0:
            colunas.append(z.argmax(1))
            continue
        p = (z / temperatura).softmax(1)
        if top_k is not None:
            ordem = p.argsort(dim=1, descending=True)
            fora = ordem[:, top_k:]
            p = p.scatter(1, fora, 0.0)
            p = p / p.sum(1, keepdim=True)
        u = torch.rand(len(p), 1, generator=gerador, dtype=torch.float64)
        colunas.append((p.cumsum(1) < u).sum(1).clamp_max(p.shape[1] - 1))
    modelo.train(era_treino)
    return torch.stack(colunas, dim=1)


@gerar.alternativa("categorical-com-espaco-pronto")
@torch.no_grad()
def _(modelo, ids, n, temperatura=1.0, top_k=None, gerador=None):
    modo = modelo.training
    modelo.eval()
    B, T = ids.shape
    tudo = torch.zeros(B, T + n, dtype=torch.int64)
    tudo[:, :T] = ids
    for t in range(T, T + n):
        z = modelo(tudo[:, max(0, t - modelo.bloco) : t])[0][:, -1]
        if temperatura == 0:
            tudo[:, t] = z.argmax(-1)
        else:
            if top_k is not None and top_k < z.shape[-1]:
                z = z.masked_fill(z < z.kthvalue(z.shape[-1] - top_k + 1, dim=-1, keepdim=True).values, -1e9)
            tudo[:, t] = torch.multinomial((z / temperatura).softmax(-1), 1, generator=gerador).squeeze(-1)
    modelo.train(modo)
    return tudo


# ----------------------------------------------------------------------------------------- sobreajustar


def _sobreajustar(modelo, x, y, passos):
    otimizador = torch.optim.AdamW(modelo.parameters(), lr=0.01)
    perdas = []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        perdas.append(perda.item())
        otimizador.zero_grad()
        perda.backward()
        otimizador.step()
    return perdas


def _lote_separavel(rng, V, B, T):
    """x e y em que cada token aparece uma vez só; alguns alvos são <PAD>."""
    x = rng.permutation(np.arange(1, V))[: B * T].reshape(B, T)
    y = rng.integers(1, V, size=(B, T))
    y[0, -1] = y[-1, 0] = y[-1, T // 2] = 0
    return torch.tensor(x), torch.tensor(y)


def _caso_decorar(rng, passos, V=18, B=4, T=4, rotulo=""):
    modelo = funcao("lista_08.redinha", V=V, bloco=T + 2, d=64, semente=int(rng.integers(1, 10**6)))
    return caso(modelo, *_lote_separavel(rng, V, B, T), passos, rotulo=rotulo)


def _ocultos_sobreajustar(rng):
    return [
        _caso_decorar(rng, 300, V=int(rng.integers(17, 22))),
        _caso_decorar(rng, 1, V=13, B=3, T=4),
        _caso_decorar(rng, int(rng.integers(20, 30)), V=14, B=3, T=4),
    ]


_lembra = np.random.default_rng(82)
sobreajustar = questao(
    "lista-08/sobreajustar",
    assinatura="sobreajustar(modelo, x, y, passos)",
    saida=[("o que se viu", "texto"), ("primeira perda", "float")],
    adaptador="lista_08.sobreajustar",
    referencia=_sobreajustar,
    casos=[
        _caso_decorar(_lembra, 300, rotulo="o exemplo do enunciado, 300 passos"),
        _caso_decorar(_lembra, 1, V=13, B=3, T=4, rotulo="um passo só"),
        _caso_decorar(_lembra, 25, V=14, B=3, T=4, rotulo="25 passos"),
    ],
    ocultos=_ocultos_sobreajustar,
)
sobreajustar.casos[0].claro = True


def _treinar(modelo, x, y, passos, taxa=2.0, custo=None, antes=True):
    """O mesmo treino, com descida simples feita à mão e um engano de cada vez."""
    perdas = []
    parametros = list(modelo.parameters())
    for _ in range(passos):
        logits, perda = modelo(x, y)
        perda = perda if custo is None else custo(logits, y)
        gradientes = torch.autograd.grad(perda, parametros)
        with torch.no_grad():
            for p, g in zip(parametros, gradientes, strict=True):
                p -= taxa * g
        perdas.append(perda.item() if antes else modelo(x, y)[1].item())
    return perdas


def _sem_treinar(modelo, x, y, passos):
    """Uma lista do tamanho certo depois de um passo só: basta para os enganos que se veem na própria lista."""
    return _treinar(modelo, x, y, 1) * passos


@sobreajustar.equivoco(
    "sem-zero-grad",
    "Os gradientes de um passo se somam aos dos anteriores. O backward acumula: zere-os antes de cada um.",
)
def _(modelo, x, y, passos):
    otimizador = torch.optim.SGD(modelo.parameters(), lr=0.01)
    perdas = []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        perda.backward()
        otimizador.step()
        perdas.append(perda.item())
    return perdas


@sobreajustar.equivoco(
    "nada-muda",
    "Os parâmetros do modelo são os mesmos de antes. Ou falta o step do otimizador (ou o backward), ou os gradientes "
    "foram zerados entre os dois, ou você treinou uma cópia do modelo.",
)
def _(modelo, x, y, passos):
    return _treinar(copy.deepcopy(modelo), x, y, passos)


@sobreajustar.equivoco(
    "so-uma-parte-muda",
    "Só uma parte dos parâmetros mudou. Dê todos ao otimizador: modelo.parameters().",
)
def _(modelo, x, y, passos):
    parametro, perdas = next(modelo.parameters()), []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        perdas.append(perda.item())
        parametro.data -= 20.0 * torch.autograd.grad(perda, parametro)[0]
    return perdas


@sobreajustar.equivoco(
    "perdas-de-outro-passo",
    "A primeira perda está certa, mas da segunda em diante a lista não traz as que o modelo tinha em cada passo (é a "
    "do passo anterior? uma média?). Anote, em cada passo, a perda que deu origem a ele.",
)
def _(modelo, x, y, passos):
    perdas = _treinar(modelo, x, y, passos)
    return [perdas[0], *perdas[:-1]]


@sobreajustar.equivoco(
    "mede-depois-do-passo",
    "Sua primeira perda já é de depois de um passo. Anote a perda que deu origem ao passo, antes de mexer nos "
    "parâmetros.",
)
def _(modelo, x, y, passos):
    return _treinar(modelo, x, y, passos, antes=False)


@sobreajustar.equivoco(
    "lista-de-tensores",
    "Sua lista é de tensores (e, sem .detach(), cada um segura a conta inteira do seu passo na memória). Guarde "
    "números: há um método do tensor para isso.",
)
def _(modelo, x, y, passos):
    return [torch.tensor(p) for p in _sem_treinar(modelo, x, y, passos)]


@sobreajustar.equivoco(
    "taxa-pequena-demais",
    "A perda não chega a 0,1 em 300 passos. Se ela cai devagar, aumente a taxa (com Adam, 0,01 é um bom começo); se "
    "quase não se mexe, veja se os gradientes não são zerados entre o backward e o step.",
)
def _(modelo, x, y, passos):
    return _treinar(modelo, x, y, passos, taxa=0.001)


@sobreajustar.equivoco(
    "taxa-grande-demais",
    "Depois de uns poucos passos a perda está acima da inicial: os passos são grandes demais (ou sobem, em vez de "
    "descer). Diminua a taxa de aprendizado.",
)
def _(modelo, x, y, passos):
    return _treinar(modelo, x, y, passos, taxa=-0.1)


@sobreajustar.equivoco(
    "so-a-ultima-perda",
    "Você devolveu uma perda só. O enunciado pede a lista, com uma perda para cada passo.",
)
def _(modelo, x, y, passos):
    return _sem_treinar(modelo, x, y, passos)[-1]


@sobreajustar.equivoco(
    "uma-perda-a-mais",
    "Há uma perda a mais na lista: são tantas quantos os passos. A medida depois do último passo fica de fora.",
)
def _(modelo, x, y, passos):
    perdas = _sem_treinar(modelo, x, y, passos)
    return [*perdas, modelo(x, y)[1].item()]


@sobreajustar.equivoco(
    "para-antes",
    "A lista é mais curta que o número de passos: você parou quando a perda ficou pequena. O enunciado pede todos os "
    "passos.",
)
def _(modelo, x, y, passos):
    otimizador = torch.optim.AdamW(modelo.parameters(), lr=0.01)
    perdas = []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        perdas.append(perda.item())
        if perda < 0.1:
            break
        otimizador.zero_grad()
        perda.backward()
        otimizador.step()
    return perdas


@sobreajustar.equivoco(
    "conta-o-pad",
    "Sua primeira perda não é a do modelo: os alvos 0, de <PAD>, entraram na média. Use a perda que o próprio modelo "
    "devolve.",
)
def _(modelo, x, y, passos):
    return _treinar(modelo, x, y, passos, custo=lambda z, a: F.cross_entropy(z.flatten(0, 1), a.flatten()))


@sobreajustar.equivoco(
    "alvo-e-o-proprio-x",
    "Sua primeira perda não é a deste lote: os alvos são y, e você treinou o modelo a repetir x.",
)
def _(modelo, x, y, passos):
    return _treinar(modelo, x, x, passos)


@sobreajustar.equivoco(
    "perda-somada",
    "Sua primeira perda é a soma sobre os alvos, e não a média. Use a perda que o próprio modelo devolve.",
)
def _(modelo, x, y, passos):
    def somada(z, a):
        return F.cross_entropy(z.flatten(0, 1), a.flatten(), ignore_index=0, reduction="sum")

    return _treinar(modelo, x, y, passos, taxa=0.1, custo=somada)


@sobreajustar.equivoco(
    "devolve-array",
    "Você devolveu um array. O enunciado pede uma lista de floats do Python.",
)
def _(modelo, x, y, passos):
    return np.array(_sem_treinar(modelo, x, y, passos))


@sobreajustar.equivoco(
    "perdas-em-texto",
    "Sua lista é de textos. O enunciado pede números (float), que se possam desenhar e comparar.",
)
def _(modelo, x, y, passos):
    return [f"{p:.4f}" for p in _sem_treinar(modelo, x, y, passos)]


@sobreajustar.equivoco(
    "perdas-arredondadas",
    "Suas perdas foram arredondadas. Guarde-as como são; quem mostra é que arredonda.",
)
def _(modelo, x, y, passos):
    return [round(p, 1) for p in _treinar(modelo, x, y, passos)]


@sobreajustar.alternativa("adam-com-set-to-none")
def _(modelo, x, y, passos):
    modelo.train()
    opt = torch.optim.Adam(modelo.parameters(), lr=3e-3)
    historico = []
    for _ in range(passos):
        _logits, L = modelo(x, y)
        opt.zero_grad(set_to_none=True)
        L.backward()
        opt.step()
        historico.append(float(L.detach()))
    return historico


@sobreajustar.alternativa("sgd-com-momento")
def _(modelo, x, y, passos):
    opt = torch.optim.SGD(modelo.parameters(), lr=0.1, momentum=0.9)
    historico = []
    for _ in range(passos):
        opt.zero_grad()
        L = modelo(x, y)[1]
        L.backward()
        historico.append(L.detach().item())
        opt.step()
    return historico


@sobreajustar.alternativa("descida-a-mao")
def _(modelo, x, y, passos):
    historico = []
    for _ in range(passos):
        perda = modelo(x, y)[1]
        gradientes = torch.autograd.grad(perda, list(modelo.parameters()), allow_unused=True)
        with torch.no_grad():
            for p, g in zip(modelo.parameters(), gradientes, strict=True):
                if g is not None:
                    p.sub_(1.0 * g)
        historico.append(perda.item())
    return historico


@sobreajustar.alternativa("cosseno-e-corte")
def _(modelo, x, y, passos):
    opt = torch.optim.AdamW(modelo.parameters(), lr=0.02, weight_decay=0.1)
    agenda = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=passos)
    historico = []
    for _ in range(passos):
        logits, _perda = modelo(x)
        perda = F.cross_entropy(logits.mT, y, ignore_index=0)
        opt.zero_grad()
        perda.backward()
        nn.utils.clip_grad_norm_(modelo.parameters(), 1.0)
        opt.step()
        agenda.step()
        historico.append(perda.item())
    return historico


@sobreajustar.alternativa("linha-por-linha")
def _(modelo, x, y, passos):
    opt = torch.optim.Adam(modelo.parameters(), lr=0.01)
    contam = (y != 0).sum()
    historico = []
    for _ in range(passos):
        opt.zero_grad()
        total = 0.0
        for xi, yi in zip(x, y, strict=True):  # gradientes somados de propósito, dentro do mesmo passo
            perda = modelo(xi[None], yi[None])[1] * (yi != 0).sum() / contam
            perda.backward()
            total += perda.item()
        opt.step()
        historico.append(total)
    return historico


@sobreajustar.alternativa("lbfgs")
def _(modelo, x, y, passos):
    opt = torch.optim.LBFGS(modelo.parameters(), lr=1, max_iter=4)

    def medir():  # o LBFGS mede a perda várias vezes em um passo; a que ele devolve é a primeira
        opt.zero_grad()
        perda = modelo(x, y)[1]
        perda.backward()
        return perda

    return [float(opt.step(medir)) for _ in range(passos)]


@sobreajustar.alternativa("treina-uma-copia-e-a-devolve")
def _(modelo, x, y, passos):
    copia = copy.deepcopy(modelo)
    historico = _treinar(copia, x, y, passos, taxa=1.0)
    modelo.load_state_dict(copia.state_dict())
    return historico
