"""As trocas dentro de uma linha: por que outra expressão esta poderia estar no lugar."""

import ast
from collections.abc import Iterator

from helpers.conferencia.conserto.comum import Nova, chamado, com, constante, de_modulo, inteiro

# de quem some com um eixo, ou trabalha ao longo de um, e como se fala dele
REDUZ = {
    **dict.fromkeys(("sum", "nansum"), "da soma"),
    **dict.fromkeys(("mean", "average"), "da média"),
    **dict.fromkeys(("max", "amax", "maximum"), "do máximo"),
    **dict.fromkeys(("min", "amin"), "do mínimo"),
    **{"std": "do desvio", "var": "da variância", "norm": "da norma", "prod": "do produto", "median": "da mediana"},
}
AO_LONGO = {
    **{"argmax": "do argmax", "argmin": "do argmin", "argsort": "da ordenação", "sort": "da ordenação"},
    **{"softmax": "da softmax", "log_softmax": "da log_softmax", "cumsum": "da soma acumulada"},
    **{"stack": "da junção", "concatenate": "da junção", "cat": "da junção", "split": "do corte", "chunk": "do corte"},
    **{"all": "do all", "any": "do any", "logsumexp": "do logsumexp", "expand_dims": "do eixo novo"},
}
_OPERADORES: dict[type, tuple[type, ...]] = {
    ast.Mult: (ast.MatMult, ast.Div),
    ast.MatMult: (ast.Mult,),
    ast.Div: (ast.FloorDiv, ast.Mult),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Pow: (ast.Mult,),
    ast.BitXor: (ast.Pow,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_COMPARACOES = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_PARECIDAS = {
    "reducao": (("sum", "mean", "max"), ("argmax", "argmin"), ("std", "var"), ("max", "min"), ("all", "any")),
    "triangulo": (("triu", "tril"),),
    "juncao": (("stack", "concatenate"), ("stack", "cat")),
    "funcao": (("exp", "log"), ("floor", "ceil"), ("cos", "sin")),
}
_EIXOS: tuple[int | None, ...] = (-1, 0, 1, -2, None)
_COMUTAM = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)


def outras(no: ast.expr, pai: ast.AST, campo: str, nomes: list[str]) -> Iterator[Nova]:
    """Tudo o que se experimenta no lugar de `no`, que é o campo `campo` de `pai`."""
    if isinstance(getattr(no, "ctx", None), ast.Store | ast.Del):
        return
    if not (isinstance(pai, ast.Call) and campo == "func"):
        yield from _de_qualquer(no, pai, campo)
        if isinstance(no, ast.Name) and no.id in nomes:
            yield from (Nova(ast.Name(n, ast.Load()), "nome") for n in nomes if n != no.id)
    if isinstance(no, ast.BinOp):
        yield from _de_conta(no)
    elif isinstance(no, ast.UnaryOp) and inteiro(no) is None:
        yield Nova(no.operand, "sinal" if isinstance(no.op, ast.USub) else "negacao")
    elif isinstance(no, ast.Compare) and len(no.ops) == 1:
        yield from (Nova(com(no, ops=[op()]), "comparacao") for op in _COMPARACOES if type(no.ops[0]) is not op)
    elif isinstance(no, ast.Call):
        yield from _de_chamada(no)
    elif isinstance(no, ast.Subscript):
        yield from _de_indice(no)
    elif isinstance(no, ast.Tuple) and not isinstance(pai, ast.Subscript):
        yield from _de_tupla(no, pai)
    elif isinstance(no, ast.IfExp):
        yield Nova(com(no, body=no.orelse, orelse=no.body), "condicao")
    elif isinstance(no, ast.Attribute) and no.attr in ("T", "mT"):
        yield Nova(no.value, "transposta")
        yield Nova(com(no, attr="mT"), "transposta")
    else:
        yield from _de_constante(no, pai, campo)


def _de_qualquer(no: ast.expr, pai: ast.AST, campo: str) -> Iterator[Nova]:
    """O que falta em volta de uma expressão: a transposta, um sinal, uma raiz, um eixo de tamanho 1."""
    e_valor = isinstance(no, ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.BinOp | ast.UnaryOp)
    if not e_valor or inteiro(no) is not None or isinstance(pai, ast.Attribute | ast.keyword | ast.Slice):
        return
    conta = pai.op if isinstance(pai, ast.BinOp) else None
    if not (isinstance(no, ast.Attribute) and no.attr in ("T", "mT", "shape", "inf")) and not isinstance(
        pai, ast.Tuple
    ):
        yield Nova(ast.Attribute(no, "mT", ast.Load()), "transposta")
    if conta or isinstance(pai, ast.Return) or chamado(pai) in ("exp", "argsort", "where", "masked_fill", "full"):
        yield Nova(ast.UnaryOp(ast.USub(), no), "sinal")
    if (isinstance(conta, ast.Div | ast.Mult) and campo == "right") or isinstance(pai, ast.Return):
        yield Nova(ast.BinOp(no, ast.Pow(), ast.Constant(0.5)), "raiz")
    if conta and not isinstance(conta, ast.MatMult):
        for fatia in (ast.Constant(None), ast.Tuple([ast.Slice(), ast.Constant(None)], ast.Load())):
            yield Nova(ast.Subscript(no, fatia, ast.Load()), "some")
    if chamado(pai) in ("where", "masked_fill") or isinstance(pai, ast.If | ast.IfExp) and campo == "test":
        nao = ast.Not() if isinstance(pai, ast.If | ast.IfExp) else ast.Invert()
        yield Nova(ast.UnaryOp(nao, no), "negacao")


def chamadas(no: ast.expr, pai: ast.AST, campo: str, funcoes: list[str]) -> Iterator[Nova]:
    """A função que faltou chamar: a expressão passa por uma das que a questão usa."""
    inteira = isinstance(pai, ast.Assign | ast.Return) or (
        isinstance(pai, ast.BinOp) and isinstance(pai.op, ast.MatMult)
    )
    if not inteira and not isinstance(pai, ast.Tuple | ast.Call) or campo == "func":
        return
    if isinstance(no, ast.Name | ast.BinOp | ast.Subscript | ast.Attribute | ast.Call) and not isinstance(
        no, ast.Tuple
    ):
        if isinstance(getattr(no, "ctx", None), ast.Store):
            return
        for nome in funcoes:
            if nome != chamado(no):
                yield Nova(ast.Call(ast.Name(nome, ast.Load()), [no], []), "falta")


def _de_conta(no: ast.BinOp) -> Iterator[Nova]:
    if not isinstance(no.op, _COMUTAM):
        yield Nova(com(no, left=no.right, right=no.left), "ordem")
    for op in _OPERADORES.get(type(no.op), ()):
        yield Nova(com(no, op=op()), "operador")
    if isinstance(no.op, ast.Mult):  # Q * K por Q @ Kᵀ
        yield Nova(com(no, op=ast.MatMult(), right=_transposta(no.right)), "operador")
    if isinstance(no.op, ast.MatMult):  # (B A)ᵀ e companhia: os dois lados, transpostos ou trocados
        esquerda, direita = (_transposta(lado) for lado in (no.left, no.right))
        yield Nova(com(no, left=esquerda, right=direita), "transposta")
        yield Nova(com(no, left=no.right, right=esquerda), "ordem")
        yield Nova(com(no, left=direita, right=no.left), "ordem")
    yield Nova(no.left, "sobra")
    if isinstance(no.op, ast.Add | ast.Mult | ast.MatMult):
        yield Nova(no.right, "sobra")
    if isinstance(no.op, ast.Pow):
        yield from (Nova(com(no, right=ast.Constant(n)), "potencia") for n in (0.5, 2, 1))


def _transposta(no: ast.expr) -> ast.expr:
    return no.value if isinstance(no, ast.Attribute) and no.attr in ("T", "mT") else ast.Attribute(no, "mT", ast.Load())


def _de_chamada(no: ast.Call) -> Iterator[Nova]:
    nome = chamado(no)
    yield from _da_funcao(no, nome)
    if nome in REDUZ or nome in AO_LONGO:
        yield from _do_eixo(no, nome)
    if nome in ("triu", "tril", "tri"):
        sem = [k for k in no.keywords if k.arg != "k" and k.arg != "diagonal"]
        chave = "diagonal" if ast.unparse(no.func).startswith("torch") else "k"
        for k in (1, -1, 0):
            novo = ast.keyword(chave, constante(k))
            yield Nova(com(no, args=no.args[:1] if nome != "tri" else no.args, keywords=[*sem, novo]), "diagonal")
    if nome == "range":
        yield from _do_range(no)
        return
    for i in range(len(no.args) - 1):
        trocados = [*no.args[:i], no.args[i + 1], no.args[i], *no.args[i + 2 :]]
        yield Nova(com(no, args=trocados), "argumentos")
    if len(no.args) > 1:
        yield Nova(com(no, args=no.args[:-1]), "argumento")
    for i in range(len(no.keywords)):
        yield Nova(com(no, keywords=[*no.keywords[:i], *no.keywords[i + 1 :]]), "argumento")
    if nome == "len" and no.args:
        for i in (1, 0):
            forma = ast.Attribute(no.args[0], "shape", ast.Load())
            yield Nova(ast.Subscript(forma, ast.Constant(i), ast.Load()), "tamanho")
    # a chamada que sobra: f(x) por x, e x.f() por x
    if isinstance(no.func, ast.Attribute) and not de_modulo(no):
        yield Nova(no.func.value, _sobra(nome))
    elif no.args and not isinstance(no.args[0], ast.Starred) and nome not in ("range", "len", "zeros", "ones"):
        yield Nova(no.args[0], _sobra(nome))


def _sobra(nome: str) -> str:
    if nome in ("transpose", "swapaxes", "permute", "t"):
        return "transposta"
    return "raiz" if nome == "sqrt" else "chamada"


def _da_funcao(no: ast.Call, nome: str) -> Iterator[Nova]:
    for que, grupos in _PARECIDAS.items():
        for grupo in grupos:
            for outro in grupo if nome in grupo else ():
                if outro == nome:
                    continue
                if isinstance(no.func, ast.Attribute):
                    yield Nova(com(no, func=com(no.func, attr=outro)), que)
                elif isinstance(no.func, ast.Name):
                    yield Nova(com(no, func=com(no.func, id=outro)), que)


def _do_eixo(no: ast.Call, nome: str) -> Iterator[Nova]:
    """Outro eixo, e guardá-lo ou não. O eixo que a chamada já diz por posição é uma constante, e muda como tal."""
    tem = {k.arg: k for k in no.keywords}
    posicao = 1 if de_modulo(no) or isinstance(no.func, ast.Name) else 0
    por_posicao = len(no.args) > posicao and nome != "maximum"
    eixo = "dim" if "dim" in tem or "torch" in ast.unparse(no.func) or nome == "cat" else "axis"
    guarda = "keepdim" if eixo == "dim" else "keepdims"
    sem = [k for k in no.keywords if k.arg not in (eixo, guarda)]
    atual = tem.get(eixo)
    guardados: list[ast.keyword | None] = [tem.get(guarda)]
    if nome in REDUZ:
        troca = None if guarda in tem else ast.keyword(guarda, ast.Constant(True))
        guardados.append(troca)
        so_guarda = [*sem, *([atual] if atual else []), *([troca] if troca else [])]
        if atual or por_posicao or guarda in tem:
            yield Nova(com(no, keywords=so_guarda), "some")
    if por_posicao:
        return
    for valor in _EIXOS:
        if atual is not None and valor == _valor(atual.value):
            continue
        for g in guardados:
            pedido = [ast.keyword(eixo, constante(valor))]
            yield Nova(com(no, keywords=[*sem, *pedido, *([g] if g else [])]), "eixo")


def _valor(no: ast.expr) -> object:
    return no.value if isinstance(no, ast.Constant) else inteiro(no)


def _do_range(no: ast.Call) -> Iterator[Nova]:
    for i, a in enumerate(no.args):
        for op in (ast.Add(), ast.Sub()):
            mais = ast.BinOp(a, op, ast.Constant(1))
            yield Nova(com(no, args=[*no.args[:i], mais, *no.args[i + 1 :]]), "laco")
    if len(no.args) == 1:
        yield Nova(com(no, args=[ast.Constant(1), *no.args]), "laco")
    elif len(no.args) == 2:
        yield Nova(com(no, args=no.args[1:]), "laco")


def _de_indice(no: ast.Subscript) -> Iterator[Nova]:
    que = "tamanho" if isinstance(no.value, ast.Attribute) and no.value.attr == "shape" else "indice"
    if que == "indice":
        yield Nova(no.value, que)
    partes = no.slice.elts if isinstance(no.slice, ast.Tuple) else [no.slice]
    if len(partes) == 2:
        yield Nova(com(no, slice=com(no.slice, elts=partes[::-1])), que)
    for i, parte in enumerate(partes):
        for nova in _outra_fatia(parte):
            fatia = com(no.slice, elts=[*partes[:i], nova, *partes[i + 1 :]]) if partes != [no.slice] else nova
            yield Nova(com(no, slice=fatia), que)
    if len(partes) == 1 and not isinstance(no.slice, ast.Constant) and que == "indice":  # A[i] por A[:, i]
        yield Nova(com(no, slice=ast.Tuple([ast.Slice(), no.slice], ast.Load())), que)


def _outra_fatia(no: ast.expr) -> Iterator[ast.expr]:
    n = inteiro(no)
    if n is not None:
        yield from (constante(m) for m in dict.fromkeys((n + 1, n - 1, -n, 0, -1)) if m != n)
    elif isinstance(no, ast.Slice):
        for lado in ("lower", "upper"):
            atual = getattr(no, lado)
            for op in (ast.Add(), ast.Sub()) if atual is not None else ():
                n = inteiro(atual)
                mais = ast.BinOp(atual, op, ast.Constant(1))
                yield com(no, **{lado: mais if n is None else constante(n + (1 if isinstance(op, ast.Add) else -1))})
            if atual is not None:
                yield com(no, **{lado: None})
                yield com(no, **{lado: ast.UnaryOp(ast.USub(), atual)})
        if (no.lower is None) != (no.upper is None):
            yield com(no, lower=no.upper, upper=no.lower)
    elif isinstance(no, ast.Name | ast.BinOp):
        for op in (ast.Add(), ast.Sub()):
            yield ast.BinOp(no, op, ast.Constant(1))


def _de_tupla(no: ast.Tuple, pai: ast.AST) -> Iterator[Nova]:
    que = "ordem-da-saida" if isinstance(pai, ast.Return) else "argumentos"
    for i in range(len(no.elts) - 1):
        trocados = [*no.elts[:i], no.elts[i + 1], no.elts[i], *no.elts[i + 2 :]]
        yield Nova(com(no, elts=trocados), que)
    if isinstance(pai, ast.Return):
        yield from (Nova(e, "quantas") for e in no.elts)


def _de_constante(no: ast.expr, pai: ast.AST, campo: str) -> Iterator[Nova]:
    n = inteiro(no)
    if n is not None and not isinstance(pai, ast.Subscript | ast.Slice | ast.keyword):
        eixo = _eixo_de(no, pai)
        for m in dict.fromkeys((n + 1, n - 1, -n, 0, 1, -1, 2)):
            if m != n:
                yield Nova(constante(m), "eixo" if eixo else "numero")
        if eixo:
            yield Nova(ast.Constant(None), "eixo")
    elif n is not None and isinstance(pai, ast.keyword) and pai.arg not in ("axis", "dim", "k", "diagonal"):
        yield from (Nova(constante(m), "numero") for m in (n + 1, n - 1, -n))
    elif isinstance(no, ast.Constant) and type(no.value) is bool:
        yield Nova(ast.Constant(not no.value), "some" if isinstance(pai, ast.keyword) else "negacao")
    elif isinstance(no, ast.Constant) and type(no.value) is float:
        yield from (Nova(ast.Constant(v), "numero") for v in (0.0, 1.0, -no.value, 0.5, 2.0) if v != no.value)


def _eixo_de(no: ast.expr, pai: ast.AST) -> bool:
    """A constante é o eixo de uma chamada, dito por posição?"""
    nome = chamado(pai)
    return (nome in REDUZ or nome in AO_LONGO) and isinstance(pai, ast.Call) and no in pai.args
