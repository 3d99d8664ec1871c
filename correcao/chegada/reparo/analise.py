"""O que se pode saber do texto de uma célula sem executá-lo, e como se escrevem as frases do relato."""

import ast
import re
import textwrap
import warnings

MAXIMO_PARA_ANALISAR = 20_000  # caracteres que se entregam ao analisador do Python
_DEFINICAO = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*[(\[]|^class[ \t]+(\w+)[ \t]*[(:\[]", flags=re.MULTILINE)
_METODO = re.compile(  # com um decorador na linha de cima, ou com self ou cls
    r"^@[^\n]*\n(?:async[ \t]+)?def[ \t]|^(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(\s*(?:self|cls)\b", flags=re.MULTILINE
)
_SO_DEFINE = re.compile(r"(async\s|def\s|class\s|@|import\s|from\s|#|\)|\]|\})")


def chave(fonte: str) -> str:
    """O que dois textos iguais têm de igual: espaços no fim das linhas e linhas vazias nas pontas não contam."""
    return "\n".join(linha.rstrip() for linha in fonte.split("\n")).strip()


def linhas(texto: str) -> set[str]:
    """As linhas de um texto, sem contar espaços nem linhas vazias."""
    return {" ".join(linha.split()) for linha in texto.split("\n") if linha.strip()}


def na_margem(fonte: str) -> str:
    """O texto como o IPython o executa: sem o recuo comum e sem os `>>>` de um exemplo colado."""
    partes = fonte.split("\n")
    primeira = next((linha for linha in partes if linha.strip()), "")
    if primeira.startswith(">>> "):
        return "\n".join(linha[4:] if linha[:4] in (">>> ", "... ") else linha for linha in partes)
    recuo = primeira[: len(primeira) - len(primeira.lstrip(" \t"))]
    return "\n".join(linha.removeprefix(recuo) for linha in partes) if recuo else fonte


def definidos(fonte: str) -> list[str]:
    """Os nomes que o texto define com def ou class na margem, na ordem."""
    return [m.group(1) or m.group(2) for m in _DEFINICAO.finditer(na_margem(fonte))]


def define_fracamente(fonte: str, nome: str) -> bool:
    """`nome = …`, `import … as nome`, ou um def recuado (dentro de um if ou de um try)."""
    n = re.escape(nome)
    candidatas = [linha for linha in na_margem(fonte).split("\n") if nome in linha and len(linha) < 1000]
    atribui = rf"^{n}[ \t]*(:[^=\n]*)?=(?!=)(?![ \t]*{n}[ \t]*\()"
    recuado = rf"^[ \t]+(async[ \t]+)?(def|class)[ \t]+{n}\b"
    return any(re.search(f"{atribui}|{recuado}", linha) or _importa(linha, nome) for linha in candidatas)


def _importa(linha: str, nome: str) -> bool:
    """`from a import b as nome, c`. Sem expressão regular, que em uma linha feita para isso levaria segundos."""
    comeca = linha.startswith(("import ", "import\t", "from ", "from\t"))
    itens = re.split(r"[,()]", linha.partition("import")[2]) if comeca else []
    return any(item.split()[-1:] == [nome] for item in itens)


def so_metodos(fonte: str) -> bool:
    """Tudo o que o texto define na margem são métodos."""
    da_margem = na_margem(fonte)
    return len(_METODO.findall(da_margem)) == len(_DEFINICAO.findall(da_margem))


def termina_em_classe(fonte: str) -> bool:
    """O último bloco da margem é o de uma classe."""
    da_margem = [linha for linha in na_margem(fonte).split("\n") if linha.strip() and linha[:1] not in " \t#)]}"]
    return bool(da_margem) and da_margem[-1].startswith("class ")


def e_python(fonte: str) -> bool:
    """Se o texto é um programa; o que for grande demais para ser uma resposta não é analisado."""
    if len(fonte) > MAXIMO_PARA_ANALISAR:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(na_margem(fonte))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def e_prosa(fonte: str) -> bool:
    """Um texto que ficou em uma célula de código: não é um programa, nem tem comandos do IPython."""
    # com `\s` no lugar de `[^\S\n]`, um milhão de linhas vazias levaria horas
    comandos = re.search(r"^[^\S\n]*[%!?]", fonte, flags=re.MULTILINE)
    return not comandos and len(fonte) <= MAXIMO_PARA_ANALISAR and not e_python(fonte)


def sem_cerca(fonte: str) -> str:
    """O programa de dentro de ```python … ```, se a célula é só isso."""
    partes = fonte.strip().split("\n")
    cercada = len(partes) > 2 and partes[0].startswith(("```", "~~~")) and partes[-1].strip() == partes[0][:3]
    return textwrap.dedent("\n".join(partes[1:-1])) if cercada else fonte


def tem_instrucao(fonte: str) -> bool:
    return any(linha.strip() and not linha.lstrip().startswith("#") for linha in fonte.split("\n"))


def so_define(fonte: str) -> bool:
    """Só importações e definições na margem: mudar a célula de lugar não muda o que ela faz."""
    da_margem = [linha for linha in fonte.split("\n") if linha.strip() and linha[:1] not in (" ", "\t")]
    return all(_SO_DEFINE.match(linha) for linha in da_margem)


# ---------------------------------------------------------------- frases


def plural(n: int, um: str, varios: str) -> str:
    return um if n == 1 else varios


def quantas(n: int) -> str:
    return "Uma célula" if n == 1 else f"{n} células"
