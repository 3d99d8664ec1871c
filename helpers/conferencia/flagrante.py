"""O que se anota de um erro, no lugar em que ele aconteceu, e como se lê depois.

`anotar` roda no kernel do aluno, logo depois do erro, e só guarda dados pequenos: o trecho que falhou e o que havia nos
nomes dele. `Flagrante` os lê, aqui mesmo ou na correção; o que dizer se decide em `helpers.conferencia.erros`.
"""

import ast
import builtins
import difflib
import linecache
import os
import re
import sys
import traceback
import types
from functools import cache, cached_property
from typing import Any

import numpy as np

from helpers import RAIZ

MAIS_NOMES = 12
MAIOR_TRECHO = 200
_NOME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_OPERADORES = {ast.Mult: "*", ast.MatMult: "@", ast.BitXor: "^", ast.Div: "/", ast.Add: "+", ast.Sub: "-"}
REDUZ = ("sum", "mean", "max", "min", "amax", "amin", "std", "var", "prod", "median", "norm", "average")
_REDUZ = re.compile(rf"\.({'|'.join(REDUZ)})\(")  # com ponto: o min do Python, de dois números, não tem eixos
_Quadro = tuple[types.FrameType, traceback.FrameSummary]


def anotar(erro: BaseException) -> dict[str, Any]:
    """O erro como dados: o tipo, a mensagem, a linha do aluno e o que havia nos nomes dela."""
    quadros = _quadros_do_aluno(erro)
    # em 32 bits, como na página, o NumPy recusa com um ValueError o array que em 64 não cabe na memória
    tipo = MemoryError if _texto(erro).startswith("array is too big") else type(erro)
    return {
        "tipo": tipo.__name__,
        "bases": [classe.__name__ for classe in tipo.__mro__],
        "mensagem": _texto(erro)[:500],
        "onde": _linha_do_aluno(quadros)[:MAIOR_TRECHO],
        # vazio quando quem errou foi a própria resposta; senão, a função que ela chamou
        "auxiliar": quadros[-1][1].name[:100] if len(quadros) > 1 else "",
        **_em_volta_se_der(erro, quadros),
    }


def _texto(erro: BaseException) -> str:
    try:
        return str(erro)
    except Exception:  # um __str__ do aluno pode falhar
        return ""


def _quadros_do_aluno(erro: BaseException) -> list[_Quadro]:
    """O caminho do erro, só com o que é do aluno, e não de uma biblioteca."""
    caminho = list(traceback.walk_tb(erro.__traceback__))[-40:]  # de uma recursão sem fim, basta o fim
    resumos = traceback.extract_tb(erro.__traceback__, limit=-40)
    return [
        (quadro, resumo)
        for (quadro, _), resumo in zip(caminho, resumos, strict=True)
        if not resumo.filename.startswith(_bibliotecas())
    ]


@cache
def _bibliotecas() -> tuple[str, ...]:
    """Como começa o caminho de um arquivo que não é do aluno. Achá-las custa 1 ms, e só quem erra precisa."""
    import sysconfig

    # a biblioteca padrão também pode estar em um zip, fora dos caminhos do sysconfig
    padrao = os.path.dirname(os.__file__)
    return (str(RAIZ / "helpers"), *set(sysconfig.get_paths().values()), padrao, "<frozen", "<__")


def _linha_do_aluno(quadros: list[_Quadro]) -> str:
    """A linha que falhou; se ela está em outra função, também a linha da resposta que a chamou."""
    if not quadros:
        return ""
    quadro, resumo = quadros[-1]
    chamou = next((r for q, r in reversed(quadros[:-1]) if q.f_code is not quadro.f_code), None)
    if chamou is None or resumo.name.startswith("<"):  # uma compreensão ou um lambda estão na própria resposta
        return _linha(resumo)
    return f"em `{resumo.name}`, {_linha(resumo)[:90]}; chamada na {_linha(chamou)}"


def _codigo(resumo: traceback.FrameSummary) -> str:
    return (resumo.line or linecache.getline(resumo.filename, resumo.lineno or 0)).strip()


def _linha(resumo: traceback.FrameSummary) -> str:
    codigo = _codigo(resumo)
    return f"linha {resumo.lineno}: {codigo}" if codigo else f"linha {resumo.lineno}"


# ---------------------------------------------------------------- o trecho, e os nomes dele


def _em_volta_se_der(erro: BaseException, quadros: list[_Quadro]) -> dict[str, Any]:
    try:
        return _em_volta(erro, quadros)
    except Exception:  # o que se sabe a mais de um erro nunca pode ser outro erro
        return {}


def _em_volta(erro: BaseException, quadros: list[_Quadro]) -> dict[str, Any]:
    quadro, resumo = quadros[-1]
    locais, inicio = quadro.f_locals, quadro.f_code.co_firstlineno
    if resumo.name.startswith("<") and len(quadros) > 1:  # uma compreensão vê os nomes da função em que está
        locais, inicio = {**quadros[-2][0].f_locals, **locais}, quadros[-2][0].f_code.co_firstlineno
    trecho = _trecho(resumo)
    valores: dict[str, str] = {}
    origens: dict[str, str] = {}
    fila = [*_NOME.findall(trecho), *_NOME.findall(_codigo(resumo)), "self"]
    while fila and len(valores) < MAIS_NOMES:
        nome = fila.pop(0)
        if nome in valores or nome not in locais:
            continue
        valores[nome] = _seguro(locais[nome])
        if origem := _origem(nome, inicio, resumo):
            origens[nome] = origem[:MAIOR_TRECHO]
            fila += _NOME.findall(origem)
    existentes = [*locais, *quadro.f_globals, *dir(builtins)]
    return {"trecho": trecho, "valores": valores, "origens": origens, "parecido": _parecido(erro, existentes)}


def _trecho(resumo: traceback.FrameSummary) -> str:
    """O pedaço do código que falhou, como está escrito; vazio se o texto não está à mão."""
    if resumo.lineno is None or resumo.end_lineno is None or resumo.colno is None or resumo.end_colno is None:
        return ""
    linhas = linecache.getlines(resumo.filename)[resumo.lineno - 1 : resumo.end_lineno]
    if not linhas:
        return ""
    linhas[-1] = linhas[-1].encode()[: resumo.end_colno].decode(errors="ignore")  # as colunas contam bytes
    linhas[0] = linhas[0].encode()[resumo.colno :].decode(errors="ignore")
    texto = " ".join("".join(linhas).split())
    return texto if len(texto) <= MAIOR_TRECHO else ""  # um pedaço cortado não se deixa ler


def _origem(nome: str, inicio: int, resumo: traceback.FrameSummary) -> str:
    """A última linha, antes da que falhou, em que o nome recebeu um valor: "linha 2: n = …"."""
    recebe = re.compile(rf"\s*(?:\w+\s*,\s*)*{re.escape(nome)}\s*(?:,\s*\w+\s*)*=(?!=)")
    linhas = linecache.getlines(resumo.filename)[inicio - 1 : (resumo.lineno or 1) - 1]
    numeradas = list(enumerate(linhas, start=inicio))
    return next((f"linha {i}: {linha.strip()}" for i, linha in reversed(numeradas) if recebe.match(linha)), "")


def _seguro(valor: Any) -> str:
    try:
        return descrever(valor)
    except Exception:  # um objeto do aluno pode falhar ao ser lido
        return "um valor que não se deixa ler"


def descrever(valor: Any) -> str:
    """O que um valor é, em poucas palavras e sem o conteúdo dele: "um array de forma (2, 3)"."""
    torch = sys.modules.get("torch")
    if valor is None:
        return "None"
    if isinstance(valor, np.ndarray) and valor.ndim:
        return f"um array de forma {valor.shape}"
    if torch is not None and isinstance(valor, torch.Tensor):
        return f"um tensor de forma {tuple(valor.shape)}"
    if isinstance(valor, bool | np.bool_):
        return "um bool"
    if isinstance(valor, int | float | np.number | np.ndarray):
        que = "um int" if isinstance(valor, int | np.integer) else "um float"
        return f"{que} igual a zero" if valor == 0 else que
    for tipo, nome in ((tuple, "uma tupla"), (list, "uma lista"), (dict, "um dicionário"), (str, "um texto")):
        if isinstance(valor, tipo):
            return f"{nome} de {len(valor)}"
    if isinstance(valor, types.FunctionType | types.BuiltinFunctionType | types.MethodType):
        return "uma função"
    return f"um valor do tipo {type(valor).__name__}"[:80]


def _parecido(erro: BaseException, existentes: list[str]) -> str:
    """De um nome que não existe, o que mais se parece com ele."""
    nome = getattr(erro, "name", None)
    if isinstance(erro, AttributeError):
        existentes = [n for n in _dentro_de(erro.obj) if not n.startswith("_")]
    if not isinstance(erro, NameError | AttributeError) or not isinstance(nome, str):
        return ""
    perto = difflib.get_close_matches(nome, existentes, n=1, cutoff=0.75)
    return perto[0][:80] if perto and perto[0] != nome else ""


def _dentro_de(objeto: Any) -> list[str]:
    """Os atributos de um objeto, sem chamar nada dele."""
    if isinstance(objeto, types.ModuleType):
        return list(vars(objeto))
    dele = vars(objeto) if type(objeto).__dictoffset__ else {}
    modulos = [n for grupo in ("_modules", "_parameters", "_buffers") for n in dele.get(grupo) or ()]  # de um nn.Module
    return [*dele, *modulos, *dir(type(objeto))]


# ---------------------------------------------------------------- como se lê


class Flagrante:
    """Um erro como foi anotado, e o que se lê no trecho que falhou."""

    def __init__(self, dados: dict[str, Any]):
        self.dados = dados

    @property
    def trecho(self) -> str:
        return self.dados.get("trecho", "")

    @property
    def onde(self) -> str:
        return self.dados["onde"]

    @property
    def valores(self) -> dict[str, str]:
        return self.dados.get("valores", {})

    @property
    def parecido(self) -> str:
        return self.dados.get("parecido", "")

    @cached_property
    def no(self) -> ast.AST | None:
        """O trecho como árvore; None se ele não se deixa ler sozinho."""
        for texto in (f"({self.trecho})", self.trecho):
            try:
                return ast.parse(texto).body[0] if texto.strip("()") else None
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
        return None

    @property
    def _conta(self) -> tuple[ast.operator, ast.expr, ast.expr] | None:
        no = self.no.value if isinstance(self.no, ast.Expr) else self.no
        if isinstance(no, ast.BinOp):
            return no.op, no.left, no.right
        return (no.op, no.target, no.value) if isinstance(no, ast.AugAssign) else None

    @property
    def operador(self) -> str:
        """O sinal da conta que falhou; vazio se não foi uma conta."""
        return _OPERADORES.get(type(self._conta[0]), "") if self._conta else ""

    @property
    def lados(self) -> list[tuple[int, ...] | None]:
        """A forma de cada lado da conta que falhou, onde ela é conhecida."""
        return [self._forma(lado) for lado in self._conta[1:]] if self._conta else [None, None]

    @property
    def nomes(self) -> list[str]:
        """Como se escreve cada lado da conta que falhou; vazio se não é só um nome, ou a transposta de um."""
        lados = [ast.unparse(lado) for lado in self._conta[1:]] if self._conta else ["", ""]
        return [lado if re.fullmatch(r"\w+(\.m?T)?", lado) else "" for lado in lados]

    def _forma(self, no: ast.expr) -> tuple[int, ...] | None:
        if isinstance(no, ast.Attribute) and no.attr in ("T", "mT"):
            forma = self._forma(no.value)
            if forma is None or len(forma) < 2:
                return forma
            return forma[::-1] if no.attr == "T" else (*forma[:-2], forma[-1], forma[-2])
        return self.forma(no.id) if isinstance(no, ast.Name) else None

    def forma(self, nome: str) -> tuple[int, ...] | None:
        achada = re.search(r" de forma \(([\d, ]*)\)", self.valores.get(nome, ""))
        return tuple(int(n) for n in re.findall(r"\d+", achada[1])) if achada else None

    @property
    def chamada(self) -> str:
        """O que foi chamado no trecho que falhou: "max", "torch.cat"."""
        no = self.no.value if isinstance(self.no, ast.Expr) else None
        return ast.unparse(no.func) if isinstance(no, ast.Call) else ""

    @property
    def divisao(self) -> str:
        """A primeira divisão com `/` do trecho."""
        divisoes = (
            n for n in ast.walk(self.no or ast.Pass()) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)
        )
        return next(map(ast.unparse, divisoes), "")

    def quem(self, *que: str) -> str:
        """O primeiro nome, a começar pelos do trecho, que tem um valor assim."""
        return next((nome for nome, valor in self.valores.items() if valor.startswith(que)), "")

    def quem_no_trecho(self, que: str) -> str:
        """O mesmo, só entre os nomes do trecho que falhou."""
        nomes = _NOME.findall(self.trecho)
        return next((nome for nome in nomes if self.valores.get(nome, "").startswith(que)), "")

    def de_onde(self, nome: str) -> str:
        """ " (linha 2: n = …)": onde o nome recebeu o valor; vazio se ele já veio de fora."""
        origem = self.dados.get("origens", {}).get(nome, "")
        return f" ({origem})" if origem else ""

    @property
    def reduz(self) -> str:
        """A conta que fez um eixo sumir, no trecho que falhou ou onde nasceu um nome dele; vazio se não há.

        Se o trecho é uma conta dentro de outra, `np.sum(w * V)`, a soma de fora ainda não aconteceu.
        """
        linhas = [self.trecho or self.onde, *(self.de_onde(nome) for nome in self.valores if nome in self.trecho)]
        achadas = (_REDUZ.search(linha) for linha in linhas if "keepdim" not in linha)
        return next((f"{achada[1]}(…)" for achada in achadas if achada), "")

    @property
    def com_torch(self) -> bool:
        return "ensor" in self.dados["mensagem"] or bool(self.quem("um tensor"))
