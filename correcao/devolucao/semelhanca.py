"""As entregas parecidas de uma lista, em grupos: pistas para quem corrige, e nunca um veredito.

Cada resposta é comparada sem o que se troca em um minuto: nomes, comentários, textos, formatação. Uma pista nasce de
uma destas perguntas:

- o que duas entregas têm de próprio (o que não está na lista emitida, na aula, no gabarito nem em um terço da turma) é
  quase o mesmo? Idem para o texto das discussões;
- há entregas iguais em quase tudo, mais do que o acaso faria? Respostas curtas e certas são iguais sem que ninguém
  copie; quanto, diz a própria turma: conta-se quantos grupos assim haveria se cada um tivesse escrito sozinho.
"""

import ast
import builtins
import collections
import itertools
import keyword
import math
import re
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from correcao.comum.texto import sem_acentos

PARECIDAS = 0.7  # a partir de que fração do que uma entrega tem de próprio um par vira pista
TERCO = 1 / 3  # o que essa parte da turma escreveu não distingue ninguém
MINIMO = 40  # trechos próprios que uma entrega precisa ter para ser comparada
MINIMO_DO_TEXTO = 20  # o mesmo, no texto das discussões
POR_ACASO = 0.01  # grupos iguais que se esperariam por acaso, abaixo dos quais há uma pista
_TRECHO = 5  # símbolos, ou palavras, de um trecho
_DUVIDA = 3.0  # alunos imaginários que escrevem, cada um, uma resposta qualquer das conhecidas
_FOLGA = 2  # quantas vezes mais pares que os esperados
_POUCAS_QUESTOES = 3
TEXTO_LONGO = 40  # palavras: daí em diante, ninguém escreve o mesmo texto por acaso
_NOME = "¤"  # começa todo nome que o aluno escolheu
_SIMBOLO = re.compile(rf"{_NOME}?\w+|\*\*|//|[<>=!:]=|[^\w\s]")
_APELIDOS = {"np": "numpy", "torch": "torch", "nn": "nn", "F": "functional"}  # as listas já os importam
_MAIOR_CODIGO = 200_000  # caracteres que se comparam: um de 2 MB, só de números, ocuparia 1 GB
Trechos = frozenset[tuple[str, ...]]


@dataclass
class Escrito:
    """O que um aluno escreveu: o código e o texto de cada questão que não deixou em branco, e as células a mais."""

    codigos: dict[str, str] = field(default_factory=dict)
    textos: dict[str, str] = field(default_factory=dict)
    a_mais: list[str] = field(default_factory=list)


@dataclass
class Conhecido:
    """O que se escreve sem copiar de ninguém: o que o curso deu, e o que o gabarito sabe de cada questão."""

    dado: list[str] = field(default_factory=list)  # códigos e textos da lista emitida e da aula
    gabarito: Mapping[str, list[str]] = field(default_factory=dict)  # questão → respostas do banco


@dataclass
class Parecidos:
    """Entregas parecidas. O primeiro aluno, na ordem do alfabeto, é só aquele com quem se comparam os outros."""

    alunos: list[str]
    iguais: list[str]  # as questões em que todos escreveram o mesmo, a menos dos nomes
    quanto: dict[str, tuple[float, str]]  # de cada um dos outros, o que há de igual, do menos ao mais, e em palavras

    @property
    def mais_diferente(self) -> str:
        """O que melhor mostra até onde vai a semelhança."""
        return min(self.quanto, key=lambda aluno: (self.quanto[aluno], aluno))


# ---------------------------------------------------------------- um texto sem os nomes


class _SemNomes(ast.NodeTransformer):
    """O programa com os nomes trocados por números, na ordem em que aparecem; os de fora, os de atributos, ficam."""

    def __init__(self) -> None:
        self.numeros: dict[str, str] = {}
        self.importados = dict(_APELIDOS)
        self.dentro: list[str] = []  # os textos longos, que um exec poderia executar

    def _nome(self, nome: str) -> str:
        if nome in self.importados:
            return self.importados[nome]
        return nome if hasattr(builtins, nome) else self.numeros.setdefault(nome, f"{_NOME}{len(self.numeros)}")

    def visit_Import(self, no: ast.Import) -> None:
        self.importados |= {a.asname or a.name.partition(".")[0]: a.name.rpartition(".")[2] for a in no.names}

    def visit_ImportFrom(self, no: ast.ImportFrom) -> None:
        self.importados |= {a.asname or a.name: a.name for a in no.names}

    def visit_Name(self, no: ast.Name) -> ast.AST:
        return ast.Name(self._nome(no.id), no.ctx)

    def visit_arg(self, no: ast.arg) -> ast.AST:
        return ast.arg(self._nome(no.arg))

    def visit_keyword(self, no: ast.keyword) -> ast.AST:
        self.generic_visit(no)
        no.arg = self.numeros.get(no.arg, no.arg) if no.arg else None
        return no

    def visit_Attribute(self, no: ast.Attribute) -> ast.AST:
        if isinstance(no.value, ast.Name) and no.value.id == "self":
            no.attr = self._nome(f"self.{no.attr}")
        return self.generic_visit(no)

    def visit_Constant(self, no: ast.Constant) -> ast.AST:
        if not isinstance(no.value, str | bytes):
            return no
        if isinstance(no.value, str) and "\n" in no.value.strip():
            self.dentro.append(no.value)
        return ast.Constant("")

    def visit_JoinedStr(self, no: ast.JoinedStr) -> ast.AST:
        return ast.Constant("")

    def visit_AnnAssign(self, no: ast.AnnAssign) -> ast.AST | None:
        return self.visit(ast.Assign([no.target], no.value)) if no.value else None

    def visit_Expr(self, no: ast.Expr) -> ast.AST | None:
        """Sem docstrings, e sem linhas que não fazem nada."""
        return None if isinstance(no.value, ast.Constant | ast.Name) else self.generic_visit(no)

    def visit_Pass(self, no: ast.Pass) -> None:
        return None

    def visit_FunctionDef(self, no: ast.FunctionDef) -> ast.AST:
        no.name, no.returns = self._nome(no.name), None
        return self.generic_visit(no)

    def visit_ClassDef(self, no: ast.ClassDef) -> ast.AST:
        no.name = self._nome(no.name)
        return self.generic_visit(no)


@cache
def _forma(codigo: str) -> tuple[str, ...]:
    """Os símbolos do programa, com os nomes trocados; se não é um programa, os que se veem nele."""
    trocar, codigo = _SemNomes(), codigo[:_MAIOR_CODIGO]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            arvore = trocar.visit(ast.parse(re.sub(r"^[ \t]*[%!].*", "", codigo, flags=re.MULTILINE)))
            escrito = ast.unparse(ast.fix_missing_locations(arvore))
    except (SyntaxError, ValueError, RecursionError, MemoryError, AttributeError, TypeError):
        return _forma_do_que_nao_se_le(codigo)
    return tuple(itertools.chain(_SIMBOLO.findall(escrito), *map(_forma, trocar.dentro)))


def _forma_do_que_nao_se_le(codigo: str) -> tuple[str, ...]:
    """O mesmo, pelo que se vê: um erro de digitação não pode fazer de um trecho da aula um trecho próprio."""
    sem_textos = re.sub(r"""'[^'\n]*'|"[^"\n]*\"""", "''", re.sub(r"#.*", "", codigo))
    simbolos = _SIMBOLO.findall(sem_textos)
    fixos = {*keyword.kwlist, *dir(builtins)}
    trocados = []
    for antes, simbolo in zip(["", *simbolos], simbolos, strict=False):
        e_nome = simbolo.isidentifier() and simbolo not in fixos and antes != "."
        trocados.append(_APELIDOS.get(simbolo, f"{_NOME}{simbolo}") if e_nome else simbolo)
    return tuple(trocados)


@cache
def palavras(texto: str) -> tuple[str, ...]:
    """As de um texto, sem acentos, maiúsculas nem pontuação."""
    return tuple(re.findall(r"\w+", sem_acentos(texto)))


@cache
def _trechos(simbolos: tuple[str, ...]) -> Trechos:
    """Os de alguns símbolos seguidos. Em cada um os nomes contam do começo: uma linha a mais só muda os dela."""
    return frozenset(map(_do_comeco, zip(*(simbolos[i:] for i in range(_TRECHO)), strict=False)))


def _do_comeco(trecho: tuple[str, ...]) -> tuple[str, ...]:
    nomes: dict[str, str] = {}
    return tuple(nomes.setdefault(s, f"{_NOME}{len(nomes)}") if s[0] == _NOME else s for s in trecho)


def _uniao(conjuntos: Iterable[Trechos]) -> Trechos:
    return frozenset().union(*conjuntos)


def _letras(texto: str) -> str:
    """O texto como foi escrito, a menos de linhas vazias e de espaços no fim."""
    return "\n".join(linha.rstrip() for linha in texto.split("\n") if linha.strip())


# ---------------------------------------------------------------- a turma


class _Turma:
    """O que todos escreveram, pronto para comparar."""

    def __init__(self, escritos: dict[str, Escrito], conhecido: Conhecido):
        self.escritos, self.conhecido = escritos, conhecido
        self.letras = {a: {q: _letras(c) for q, c in e.codigos.items()} for a, e in escritos.items()}
        self.formas = {a: {q: _forma(c) for q, c in e.codigos.items()} for a, e in escritos.items()}
        self.textos = {a: {q: palavras(t) for q, t in e.textos.items()} for a, e in escritos.items()}
        self.codigo = {
            a: _uniao(_trechos(forma) for forma in [*self.formas[a].values(), *map(_forma, e.a_mais)])
            for a, e in escritos.items()
        }
        self.discussao = {a: _uniao(map(_trechos, ps.values())) for a, ps in self.textos.items()}

    def ligadas(self) -> Iterator[Iterable[str]]:
        """Alunos cujas entregas têm algo em comum que vale uma pista."""
        do_banco = self.conhecido.gabarito
        respostas = [*self.conhecido.dado, *itertools.chain.from_iterable(do_banco.values())]
        formas = (forma(r) for r in respostas for forma in (_forma, _forma_do_que_nao_se_le))
        yield from _pares(self.codigo, _uniao(map(_trechos, formas)), MINIMO)
        yield from _pares(self.discussao, _uniao(_trechos(palavras(r)) for r in respostas), MINIMO_DO_TEXTO)
        yield from self._com_o_mesmo_texto()
        yield from _Iguais(self.formas, {q: set(map(_forma, cs)) for q, cs in do_banco.items()}).grupos()
        yield from _Iguais(self.letras, {q: set(map(_letras, cs)) for q, cs in do_banco.items()}).grupos()

    def _com_o_mesmo_texto(self) -> Iterator[list[str]]:
        """Muitas palavras na mesma ordem, mesmo que em mais de um terço da turma."""
        juntos = collections.defaultdict(list)
        for aluno, textos in self.textos.items():
            for q, texto in textos.items():
                if len(texto) >= TEXTO_LONGO:
                    juntos[q, texto].append(aluno)
        yield from juntos.values()

    def grupo(self, alunos: list[str]) -> Parecidos:
        primeiro, *outros = sorted(alunos)
        respostas = {a: self.formas[a] | self.textos[a] for a in alunos}
        iguais = [q for q, r in respostas[primeiro].items() if all(respostas[a].get(q) == r for a in outros)]
        return Parecidos([primeiro, *outros], iguais, {a: self._quanto(primeiro, a) for a in outros})

    def _quanto(self, um: str, outro: str) -> tuple[float, str]:
        mesmos_textos = self.textos[um] == self.textos[outro]
        if mesmos_textos and self.letras[um] == self.letras[outro]:
            return 3.0, "igual, letra por letra"
        if mesmos_textos and self.formas[um] == self.formas[outro]:
            return 2.0, "igual, a menos de nomes e comentários"
        dele, do_outro = ({*self.codigo[a], *self.discussao[a]} for a in (um, outro))
        fracao = len(dele & do_outro) / max(1, min(len(dele), len(do_outro)))
        return fracao, f"{fracao:.0%} em comum"


def grupos(escritos: dict[str, Escrito], conhecido: Conhecido) -> list[Parecidos]:
    """As entregas parecidas, juntas: quem se parece com quem se parece está no mesmo grupo."""
    turma, de_quem = _Turma(escritos, conhecido), {aluno: {aluno} for aluno in escritos}
    for alunos in turma.ligadas():
        junto = set().union(*(de_quem[a] for a in alunos))
        de_quem |= dict.fromkeys(junto, junto)
    achados = {id(grupo): grupo for grupo in de_quem.values() if len(grupo) > 1}.values()
    return [turma.grupo(list(g)) for g in sorted(achados, key=lambda g: (-len(g), min(g)))]


def _pares(trechos: dict[str, Trechos], do_curso: Trechos, minimo: int) -> Iterator[tuple[str, str]]:
    """Os alunos com quase o mesmo no que cada um tem de próprio."""
    contagem = collections.Counter(itertools.chain.from_iterable(trechos.values()))
    comuns = do_curso | {t for t, n in contagem.items() if n > max(2, TERCO * len(trechos))}
    proprios = {aluno: de_um - comuns for aluno, de_um in sorted(trechos.items()) if len(de_um - comuns) >= minimo}
    donos = collections.defaultdict(list)  # só se comparam os pares que têm algum trecho em comum
    for aluno, de_um in proprios.items():
        for trecho in de_um:
            donos[trecho].append(aluno)
    juntos = collections.Counter(par for alunos in donos.values() for par in itertools.combinations(alunos, 2))
    for (a, b), n in juntos.items():
        if n >= PARECIDAS * max(minimo, min(len(proprios[a]), len(proprios[b]))):
            yield a, b


# ---------------------------------------------------------------- iguais em quase tudo


class _Iguais:
    """Quem deu as mesmas respostas, em uma tabela de alunos por questões: o número de cada resposta, ou −1."""

    def __init__(self, respostas: Mapping[str, Mapping[str, Hashable]], do_banco: Mapping[str, set]):
        self.alunos, questoes = sorted(respostas), sorted({q for r in respostas.values() for q in r})
        self.tabela = np.full((len(self.alunos), len(questoes)), -1)
        self.chances = np.zeros(self.tabela.shape)  # de que um colega qualquer dê a resposta que este deu
        for j, q in enumerate(questoes):
            numeros = {r: i for i, r in enumerate(do_banco.get(q, ()))}
            for i, aluno in enumerate(self.alunos):
                if q in respostas[aluno]:
                    self.tabela[i, j] = numeros.setdefault(respostas[aluno][q], len(numeros))
            coluna = self.tabela[:, j]
            contagem = np.bincount(coluna[coluna >= 0], minlength=len(numeros))
            dos_outros = contagem[coluna] - 1 + _DUVIDA / len(numeros)
            self.chances[:, j] = dos_outros / ((coluna >= 0).sum() - 1 + _DUVIDA)
        self.respondidas = (self.tabela >= 0).sum(axis=1)
        self.acordos = ((self.tabela[:, None] == self.tabela[None]) & (self.tabela >= 0)[:, None]).sum(axis=2)

    def grupos(self) -> Iterator[list[str]]:
        """Cada aluno com os que respondem o mesmo que ele a tudo, ou a tudo menos uma, se o acaso não o explica."""
        for centro, quantas in enumerate(self.respondidas.tolist()):
            for diferentes in (0, 1):
                junto = np.flatnonzero(self.acordos[centro] >= quantas - diferentes)
                if len(junto) < 2 or quantas - diferentes < _POUCAS_QUESTOES:
                    continue
                if self._de_estranhar(centro, junto, quantas, diferentes):
                    yield [self.alunos[i] for i in junto]

    def _de_estranhar(self, centro: int, junto: np.ndarray, quantas: int, diferentes: int) -> bool:
        tamanho = len(junto)
        if math.comb(tamanho, 2) < _FOLGA * self._pares_esperados(quantas, diferentes, tuple(junto.tolist())):
            return False
        chances, n = self.chances[centro][self.tabela[centro] >= 0], len(self.alunos)
        de_um = _ao_menos(quantas - diferentes, chances.tolist())
        return n * _ao_menos(tamanho - 1, [de_um] * (n - 1)) < POR_ACASO

    @cache  # noqa: B019 (vive o que vive um relatório)
    def _pares_esperados(self, quantas: int, diferentes: int, junto: tuple[int, ...]) -> float:
        """Quantos pares de acordo em tudo, menos em `diferentes`, se esperam pelos que discordam um pouco mais.

        É o que dá conta dos estilos: quem prefere o torch o usa em todas as questões, e concorda mais com os seus. Os
        pares de dentro do grupo não contam: em um anel, os que mudaram respostas diferentes são os que discordam mais.
        """
        iguais = np.flatnonzero(self.respondidas == quantas)
        um, outro = iguais[np.array(np.triu_indices(len(iguais), 1))]
        fora = ~(np.isin(um, junto) & np.isin(outro, junto))
        contagem = (
            np.bincount(self.acordos[um[fora], outro[fora]], minlength=quantas + 1) * len(um) / max(1, fora.sum())
        )
        k = quantas - diferentes - 1  # a chance de mais um acordo, contra a de mais um desacordo, de k − 1 para k
        cresce = (contagem[k] + 0.5) / (contagem[k - 1] + 1) * k / (quantas - k + 1)
        return (contagem[k] + 0.5) * cresce * (quantas - k) / (k + 1)


def _ao_menos(quantos: int, chances: list[float]) -> float:
    """A chance de que aconteçam ao menos `quantos` de vários acasos independentes."""
    menos = np.zeros(quantos)  # a de que aconteçam 0, 1, …, quantos − 1
    menos[:1] = 1.0
    for chance in chances:
        menos[1:] = menos[1:] * (1 - chance) + menos[:-1] * chance
        menos[:1] *= 1 - chance
    return max(0.0, 1.0 - float(menos.sum()))
