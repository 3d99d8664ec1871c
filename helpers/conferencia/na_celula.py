"""O texto de uma célula, antes e depois que ela roda.

Uma aposta escrita de um jeito que o Python não lê (`direita` sem aspas, `90°`) chega assim mesmo a `confira`, que diz
em português o que leu: o notebook segue. E de uma célula com erro de sintaxe se lembra o que ela definiria: a
conferência não julga, no lugar da função nova, a que já havia.
"""

import ast
import builtins
import re
from collections.abc import Collection
from typing import Any

_DEFINE = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*=[^=]", re.MULTILINE)
_CONFIRA = re.compile(r"\bconfira\(\s*(?:\"[^\"]*\"|'[^']*')\s*,\s*([^\n)]*)")
_ASPAS = "\"'“”‘’«»` "

_nao_rodaram: dict[str, int | None] = {}  # nome → a linha do erro de sintaxe da célula que o define


class SemAspas(str):
    """O que se escreveu no lugar de uma aposta e o Python não sabe ler."""


def instalar(shell: Any) -> None:
    shell.input_transformers_post.append(lambda linhas: _com_apostas_lidas(shell, linhas))
    shell.events.register("post_run_cell", _lembrar)


# ---------------------------------------------------------------- antes: as apostas


def _com_apostas_lidas(shell: Any, linhas: list[str]) -> list[str]:
    celula = "".join(linhas)
    if "confira(" not in celula:  # quase todas
        return linhas
    return lida(celula, {*shell.user_ns, *vars(builtins)}).splitlines(keepends=True)


def lida(celula: str, existem: Collection[str]) -> str:
    """A célula de uma aposta, com o que o Python não lê posto entre aspas; no pior caso, uma que só diz o que houve."""
    apostas = {nome.strip() for nome in _CONFIRA.findall(celula)}
    if not _compila(celula):
        linhas = celula.splitlines(keepends=True)
        celula = "".join(_linha_lida(linha, apostas) for linha in linhas)
    try:
        arvore = ast.parse(celula)
    except SyntaxError as erro:
        return f"print({_nao_se_le(erro.lineno)!r})\n"
    for no in sorted(_sem_aspas(arvore, apostas, existem), key=lambda no: (no.lineno, no.col_offset), reverse=True):
        celula = _trocar(celula, no)
    return celula


def _nao_se_le(linha: int | None) -> str:
    return (
        f"Esta célula tem um erro de sintaxe{f' na linha {linha}' if linha else ''}, e por isso não rodou. Escreva a "
        "aposta depois do sinal de igual, um texto entre aspas ou um número, e rode a célula de novo."
    )


def _compila(texto: str) -> bool:
    try:
        ast.parse(texto)
    except (SyntaxError, ValueError):
        return False
    return True


def _linha_lida(linha: str, apostas: Collection[str]) -> str:
    """`aposta = 90°` com o que vem depois do igual entre aspas; se ele já se lê, a linha como está."""
    achada = re.match(r"(\w+)\s*=\s*([^=\n].*)", linha)
    if achada and achada[1] in apostas and not _compila(achada[2]):
        return f"{achada[1]} = {_marcada(achada[2].partition('#')[0])}\n"
    return linha


def _sem_aspas(arvore: ast.Module, apostas: Collection[str], existem: Collection[str]) -> list[ast.expr]:
    """As apostas que são um nome que não existe, ou uma conta de nomes que não existem (`mais-alta`)."""
    feitos = {no.id for no in ast.walk(arvore) if isinstance(no, ast.Name) and isinstance(no.ctx, ast.Store)}
    candidatos: list[ast.expr] = []
    for no in arvore.body:
        if isinstance(no, ast.Assign) and any(isinstance(a, ast.Name) and a.id in apostas for a in no.targets):
            candidatos.append(no.value)
        elif isinstance(no, ast.Expr) and isinstance(no.value, ast.Call) and _e_confira(no.value.func):
            candidatos += no.value.args[1:]
    return [c for c in candidatos if _e_so_de_nomes(c) and _nomes(c) - feitos - set(existem)]


def _e_confira(funcao: ast.expr) -> bool:
    return isinstance(funcao, ast.Name) and funcao.id == "confira"


def _nomes(no: ast.expr) -> set[str]:
    return {dentro.id for dentro in ast.walk(no) if isinstance(dentro, ast.Name)}


def _e_so_de_nomes(no: ast.expr) -> bool:
    return not any(isinstance(dentro, ast.Call | ast.Subscript | ast.Lambda) for dentro in ast.walk(no))


def _trocar(celula: str, no: ast.expr) -> str:
    linhas = [linha.encode() for linha in celula.splitlines(keepends=True)]  # col_offset conta bytes
    de, ate = no.lineno - 1, (no.end_lineno or no.lineno) - 1
    escrito = ast.get_source_segment(celula, no) or ""
    nova = linhas[de][: no.col_offset] + _marcada(escrito).encode() + linhas[ate][no.end_col_offset :]
    return b"".join([*linhas[:de], nova, *linhas[ate + 1 :]]).decode()


def _marcada(escrito: str) -> str:
    limpo = " ".join(escrito.strip().strip(_ASPAS).replace("_", " ").split())
    return f'__import__("{__name__}", fromlist=["SemAspas"]).SemAspas({limpo!r})'


# ---------------------------------------------------------------- depois: o que não rodou


def _lembrar(resultado: Any) -> None:
    lembrar(resultado.info.raw_cell if resultado.info else "", resultado.error_before_exec)


def lembrar(celula: str | None, erro: BaseException | None) -> None:
    """Da célula que acabou de rodar, o que ela define; ou definiria, se `erro` é de sintaxe."""
    nomes = {uma or outra for uma, outra in _DEFINE.findall(celula or "")}
    if isinstance(erro, SyntaxError):
        _nao_rodaram.update(dict.fromkeys(nomes, erro.lineno))
    else:
        for nome in nomes:
            _nao_rodaram.pop(nome, None)


def nao_existe(nome: str) -> str:
    """O que se diz quando a conferência de uma questão não acha a função que ela confere."""
    return nao_rodou(nome) or (
        f"O nome `{nome}` não existe neste notebook: rode a célula em que você o define, "
        "ou veja se o nome é o do enunciado."
    )


def nao_rodou(*nomes: str | None) -> str | None:
    """Uma frase, se a última célula que definiria um destes nomes tem um erro de sintaxe."""
    for nome in nomes:
        if nome in _nao_rodaram:
            linha = _nao_rodaram[nome]
            onde = f" na linha {linha}" if linha else ""
            return (
                f"A célula em que você define `{nome}` tem um erro de sintaxe{onde}, e por isso não rodou. Conserte-o, "
                "rode aquela célula e depois esta."
            )
    return None
