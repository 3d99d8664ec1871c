"""O que se diz de um conserto: a linha e o assunto, sem o código que a consertaria."""

import ast
import re
from dataclasses import dataclass, field

from helpers.conferencia.conserto.contas import AO_LONGO, REDUZ
from helpers.conferencia.conserto.trocas import Troca

MAIOR_TRECHO = 44
FALAS = {
    "eixo": "o eixo {de}",
    "some": "o eixo {de}, e se ele some ou fica",
    "transposta": "há uma transposição a mais ou a menos",
    "lados": "quem está transposto, e a ordem dos dois lados",
    "ordem": "a ordem dos dois lados da conta",
    "operador": "o sinal da conta",
    "sobra": "há uma conta a mais",
    "sinal": "o sinal, de mais ou de menos",
    "negacao": "o que é verdadeiro e o que é falso",
    "comparacao": "a comparação",
    "condicao": "a condição",
    "potencia": "o expoente",
    "raiz": "há uma raiz quadrada a mais ou a menos",
    "nome": "é mesmo `{trecho}` que entra ali?",
    "numero": "o número que está ali",
    "argumentos": "a ordem dos argumentos",
    "argumento": "há um argumento a mais",
    "chamada": "há uma chamada a mais",
    "falta": "falta passar isso por uma função",
    "reducao": "a função que resume os números",
    "triangulo": "qual dos dois triângulos fica",
    "diagonal": "em que diagonal o triângulo começa",
    "juncao": "como os pedaços se juntam",
    "funcao": "a função que é chamada",
    "tamanho": "qual dos tamanhos é esse",
    "indice": "o índice",
    "laco": "onde o laço começa e onde acaba",
    "laco-linha": "ela é mesmo para repetir a cada volta do laço?",
    "acumula": "o valor se soma ao de antes ou toma o lugar dele?",
    "ordem-da-saida": "a ordem do que a função devolve",
    "quantas": "quantas coisas a função devolve",
    "return": "o que a função devolve, e quando",
    "linha": "ela devia mesmo estar ali?",
    "linhas": "a ordem dela com a linha de baixo",
}
# assuntos diferentes de que se pode falar como de um só
_FAMILIAS = (
    ({"eixo", "some"}, "some"),
    ({"eixo", "some", "transposta"}, "some"),
    ({"transposta", "ordem"}, "lados"),
    ({"transposta", "ordem", "argumentos"}, "lados"),
    ({"comparacao", "negacao", "condicao", "operador"}, "condicao"),
    ({"operador", "sinal"}, "operador"),
    ({"sobra", "chamada"}, "sobra"),
    ({"sobra", "numero"}, "sobra"),
    ({"laco", "numero", "sobra"}, "laco"),
    ({"indice", "numero", "tamanho", "sobra"}, "indice"),
)
_NAO_SE_CITA = ("nome", "return", "linha", "linhas", "laco-linha", "ordem-da-saida", "acumula", "quantas")


@dataclass
class Ponto:
    """Um lugar a olhar: as linhas, o assunto e o que está escrito ali, até onde todos os consertos concordam."""

    linhas: list[int]
    que: str = ""  # vazio quando os consertos são de assuntos diferentes
    trecho: str = ""

    def dizer(self) -> str:
        linhas = f"a linha {self.linhas[0]}" if len(self.linhas) == 1 else "as linhas {} e {}".format(*self.linhas)
        o_que = self.o_que()
        return f"{linhas}{', ' if o_que.startswith('em `') else ': ' if o_que else ''}{o_que}"

    def o_que(self) -> str:
        trecho = f"em `{self.trecho}`" if self.trecho and self.que not in _NAO_SE_CITA else ""
        fala = FALAS[self.que].format(de=_de(self.trecho), trecho=self.trecho) if self.que else ""
        return ": ".join(filter(None, (trecho, fala)))


@dataclass
class Conserto:
    """Onde mexer, em um ponto ou em dois."""

    pontos: list[Ponto] = field(default_factory=list)

    def dizer(self) -> str:
        um, *outro = self.pontos
        if not outro:
            frase = f"Olhe {um.dizer()}"
        elif um.linhas != outro[0].linhas:
            frase = f"São dois pontos. Olhe {um.dizer().rstrip('?')}; e {outro[0].dizer()}"
        elif um.o_que() and outro[0].o_que() not in ("", um.o_que()):
            frase = f"São dois pontos em {um.dizer()[2:].rstrip('?')}; e {outro[0].o_que()}"
            frase = frase.replace("São dois pontos em linha", "São dois pontos na linha")
        else:
            frase = f"São dois pontos, e os dois estão na linha {um.linhas[0]}"
        return frase if frase.endswith("?") else f"{frase}."


def o_que_ha_em_comum(
    achados: list[tuple[Troca, ...]], definicao: ast.FunctionDef | ast.ClassDef, texto: str, antes: int
) -> Conserto | None:
    """O que dizem todos os consertos achados; None se eles não concordam no lugar.

    `antes` é quantas linhas há, na célula, antes da função.
    """
    if not achados:
        return None
    colunas = list(zip(*(sorted(a, key=lambda t: t.linha) for a in achados), strict=True))
    pontos = [_em_comum(list(coluna), definicao, texto, antes) for coluna in colunas]
    if any(p is None for p in pontos):
        return None
    return Conserto([p for p in pontos if p is not None])


def _em_comum(trocas: list[Troca], definicao: ast.FunctionDef | ast.ClassDef, texto: str, antes: int) -> Ponto | None:
    linhas = sorted({t.linha + antes for t in trocas})
    que = _assunto({t.que for t in trocas})
    if len(linhas) > 2 or (len(linhas) > 1 and not que):
        return None
    no = _em_volta([t.trecho for t in trocas], definicao) if len(linhas) == 1 else None
    trecho = (no is not None and ast.get_source_segment(texto, no)) or ""
    if len(trecho) > MAIOR_TRECHO or "\n" in trecho:
        trecho = ""
    if que == "nome" and not re.fullmatch(r"\w+", trecho):
        que = ""
    return Ponto(linhas, que, trecho)


def _assunto(assuntos: set[str]) -> str:
    if len(assuntos) == 1:
        return next(iter(assuntos))
    return next((nome for familia, nome in _FAMILIAS if assuntos <= familia), "")


def _em_volta(nos: list[ast.expr | None], definicao: ast.FunctionDef | ast.ClassDef) -> ast.expr | None:
    """A menor expressão do aluno em que estão todas estas; None se alguma é uma linha inteira."""
    faixas = [_faixa(no) for no in nos if no is not None and getattr(no, "end_col_offset", None) is not None]
    if not faixas or len(faixas) < len(nos):
        return None
    comeco, fim = min(f[0] for f in faixas), max(f[1] for f in faixas)
    em_volta = [
        no
        for no in ast.walk(definicao)
        if isinstance(no, ast.expr) and _faixa(no)[0] <= comeco and fim <= _faixa(no)[1]
    ]
    return min(em_volta, key=lambda no: (_faixa(no)[1][0] - _faixa(no)[0][0], _tamanho(no)), default=None)


def _faixa(no: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (no.lineno, no.col_offset), (no.end_lineno or no.lineno, no.end_col_offset or 0)


def _tamanho(no: ast.expr) -> int:
    return (no.end_col_offset or 0) - no.col_offset


def _de(trecho: str) -> str:
    """ "da soma", de uma chamada que soma; se ela não é de uma só conta conhecida, "da conta"."""
    nomes = [n for n in re.findall(r"(\w+)\(", trecho) if n in REDUZ or n in AO_LONGO]
    falas = {(REDUZ | AO_LONGO)[n] for n in nomes}
    return falas.pop() if len(falas) == 1 else "da conta"
