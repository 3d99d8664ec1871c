"""Formas que não combinam: a conta, o produto, o eixo, o desempacotar."""

import ast
import re

from helpers.conferencia.explicacoes.tipos import none, tupla
from helpers.conferencia.flagrante import Flagrante


def combinar(f: Flagrante, m: re.Match) -> str:
    """Duas formas que não combinam em uma conta elemento a elemento."""
    if f.operador == "@":
        return produto(f, m)
    a, b = _formas_citadas(m.string) or f.lados
    if nome := f.quem_no_trecho("uma lista"):
        return (
            f"`{nome}` é uma lista{f.de_onde(nome)}, e a conta dela com um array vai elemento por elemento. "
            "Para acrescentar, use append; para somar, comece com 0."
        )
    if f.quem_no_trecho("uma tupla"):
        return tupla(f, m)
    if f.operador == "*" and (a is None or b is None or (len(a) > 1 and b and a[-1] == b[max(len(b) - 2, 0)])):
        return "O sinal `*` multiplica número por número; o produto de matrizes é `@`."
    if inteira := forma_inteira(f):
        return inteira
    if cortado := re.search(r"\b(\w+)\[:, (-?\d+)\]", f.trecho):
        nome, k = cortado.groups()
        return f"`{cortado[0]}` perde um eixo, e depois as formas não combinam. Conserve-o: `{nome}[:, [{k}]]`."
    if reduz := f.reduz:
        como = "keepdim=True" if f.com_torch else "keepdims=True"
        return f"Em `{reduz}` um eixo some, e depois as formas não combinam: faltou um {como}?"
    if a is not None and b is not None:
        curta, longa = sorted((a, b), key=len)
        if len(longa) == len(curta) + 1 and longa[:-1] == curta:
            como = "[:, None]" if len(curta) == 1 else "[..., None]"
            return f"À forma {curta} falta um eixo no fim: com `{como}` ela vira {(*curta, 1)} e combina com {longa}."
    return (
        f"{_quais(a, b, m.string)}; só combinam tamanhos iguais, ou 1. Falta um eixo ([:, None]), ou cortar um deles?"
    )


def _formas_citadas(mensagem: str) -> list[tuple[int, ...]] | None:
    """As duas formas que a mensagem traz: "shapes (2,4) (4,3)", "cannot be multiplied (3x2 and 3x2)"."""
    if do_torch := re.search(r"multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", mensagem):
        return [(int(do_torch[1]), int(do_torch[2])), (int(do_torch[3]), int(do_torch[4]))]
    citadas = re.findall(r"\(([\d, ]*)\)", mensagem.partition("shapes")[2].partition(" not aligned")[0])
    formas = [tuple(int(n) for n in re.findall(r"\d+", texto)) for texto in citadas]
    return formas if len(formas) == 2 else None


def forma_inteira(f: Flagrante) -> str:
    """Um `.shape` sem dizer qual dos tamanhos."""
    achada = re.search(r"\b[\w.]+\.shape(?!\w|\s*\[)", f.trecho)
    return f"`{achada[0]}` são todos os tamanhos, e aqui cabe um: escolha, como em `{achada[0]}[-1]`." if achada else ""


def _quais(a: tuple[int, ...] | None, b: tuple[int, ...] | None, mensagem: str) -> str:
    if a is not None and b is not None:
        return f"As formas {a} e {b} não combinam, olhadas de trás para a frente"
    no_torch = re.search(r"a \((\d+)\) must match .* b \((\d+)\) at .* dimension (\d+)", mensagem)
    return (
        "No eixo {2}, um lado tem tamanho {0} e o outro, {1}".format(*no_torch.groups())
        if no_torch
        else "As formas não combinam"
    )


def produto_sem_eixos(f: Flagrante, m: re.Match) -> str:
    if nome := f.quem_no_trecho("uma função"):
        return f"`{nome}` é uma função{f.de_onde(nome)}, que não foi chamada: faltam os parênteses e o que ela recebe."
    if nome := f.quem_no_trecho("None"):
        return f"`{nome}` é None{f.de_onde(nome)}, e com None não se faz conta: trate esse caso antes."
    return "No produto `@`, um dos lados é um número; para isso serve o `*`."


def produto(f: Flagrante, m: re.Match) -> str:
    """As dimensões internas de um produto de matrizes não se encontram."""
    a, b = _formas_citadas(m.string) or f.lados
    tem_tres = any(forma is not None and len(forma) > 2 for forma in (a, b))
    if tem_tres and ".T" in f.trecho:
        return "Com mais de dois eixos, `.T` inverte todos. Troque só os dois últimos de lugar."
    if a and b:
        colunas, linhas = a[-1], b[max(len(b) - 2, 0)]
        um, outro = (f"`{nome}` {forma}" if nome else f"{forma}" for nome, forma in zip(f.nomes, (a, b), strict=True))
        return (
            f"As dimensões internas do produto não batem: {um} tem {colunas} colunas e {outro} tem {linhas} linhas. "
            "São essas as duas que se multiplicam? Se são, falta transpor uma, ou trocar a ordem."
        )
    return "As dimensões internas do produto de matrizes não batem: as colunas do primeiro são as linhas do segundo."


def um_numero_so(f: Flagrante, m: re.Match) -> str:
    """Um array inteiro onde cabe um número."""
    if f.chamada.startswith("math."):
        onde = "torch" if f.com_torch else "np"
        return f"As funções do math só aceitam um número. Para o array inteiro, use `{onde}.{f.chamada[5:]}`."
    if f.chamada in ("torch.tensor", "np.array"):
        return "Para juntar tensores em um só, use torch.stack."
    if isinstance(f.no, ast.Expr) and isinstance(f.no.value, ast.Subscript):
        return "Uma fatia vai de um número a outro, e aqui há um array deles. Faça uma fatia para cada um, e junte-as."
    return "Aqui cabe um número só, e veio um array inteiro. Falta somar, ou escolher um elemento?"


def casa(f: Flagrante, m: re.Match) -> str:
    return f"Em `{f.trecho}` cabe um número só, e veio um vetor. Falta somar os produtos (sum), ou usar `@`?"


def forma_solta(f: Flagrante, m: re.Match) -> str:
    return f"A forma vai em uma tupla só: `{f.chamada or 'np.zeros'}((n, m))`."


def linhas_desiguais(f: Flagrante, m: re.Match) -> str:
    if isinstance(f.no, ast.Expr) and isinstance(f.no.value, ast.Subscript):
        return casa(f, m)
    frase = "As partes têm tamanhos diferentes e não formam um array só."
    if devolve := re.search(r"return np\.\w*(?:array|stack|concatenate)\([\[(](\w+(?:, \w+)+)[\])]", f.onde):
        return f"{frase} Para devolver várias saídas, separe-as por vírgulas: `return {devolve[1]}`."
    return frase


def numeros_de_eixos(f: Flagrante, m: re.Match) -> str:
    falta = next((n for n, v in f.valores.items() if n in f.trecho and f.forma(n) and len(f.forma(n) or ()) == 1), "")
    quem = f"`{falta}` tem forma {f.forma(falta)}: falta" if falta else "A um deles falta"
    return f"Só se juntam arrays com o mesmo número de eixos. {quem} um eixo (keepdim=True, ou [:, None])."


def desempacotar(f: Flagrante, m: re.Match) -> str:
    de_forma = re.search(r"=\s*(\w+)\.(?:shape|size\(\))", f.onde)
    if de_forma and (forma := f.forma(de_forma[1])) is not None:
        return f"`{de_forma[1]}` tem {_eixos(len(forma))}, {forma}, e você pediu {m[1]}."
    if re.search(r"\.split\(", f.onde):
        return "`split(n)` corta em pedaços de tamanho n, e não em n pedaços. Diga o tamanho, ou use chunk(n)."
    if re.search(r"linha \d+: (.* )?for ", f.onde) and "enumerate" not in f.onde:
        return f"O `for` tira um item de cada vez, e você deu {m[1]} nomes a ele. Falta um enumerate, ou um zip?"
    return f"À esquerda do = há {m[1]} nomes, e do outro lado não vieram {m[1]} valores."


def um_item_so(f: Flagrante, m: re.Match) -> str:
    if m[1] == "NoneType":
        return none(f, m)
    if re.search(r"linha \d+: for ", f.onde) and "enumerate" not in f.onde:
        return "O `for` tira um item de cada vez, e você deu mais de um nome a ele. Falta um enumerate, ou um zip?"
    return "À esquerda do = há mais de um nome, e do outro lado veio um valor só."


def eixo_que_nao_ha(f: Flagrante, m: re.Match) -> str:
    return f"Esse eixo não existe: o array tem {_eixos(int(m[1]))}, contados a partir do 0 (o último é o −1)."


def _eixos(n: int) -> str:
    return "1 eixo" if n == 1 else f"{n} eixos"


_TRANSPOSTA = re.compile(r"\b(transpose|swapaxes|permute|movedim)\(|\.(m?T|mH)\b")


def view(f: Flagrante, m: re.Match) -> str:
    """Um view que não cabe na memória. Só se fala de transposta se ela está ali, ou onde o nome nasceu."""
    no = f.no.value if isinstance(f.no, ast.Expr) else None
    de_quem = no.func.value if isinstance(no, ast.Call) and isinstance(no.func, ast.Attribute) else None
    texto = ast.unparse(de_quem) if de_quem else ""
    if _TRANSPOSTA.search(texto):
        return "Depois de um transpose, view não serve. Use reshape."
    nome = de_quem.id if isinstance(de_quem, ast.Name) else ""
    if nome and _TRANSPOSTA.search(f.de_onde(nome)):
        return f"`{nome}` vem de um transpose{f.de_onde(nome)}, e depois dele view não serve. Use reshape."
    forma = f.forma(nome)
    quem = f"`{nome}`{f', de forma {forma},' if forma else ''}" if nome else "o tensor"
    return (
        f"`view` não muda os números de lugar: só corta ou junta eixos, na ordem em que estão na memória, e {quem} não "
        "se deixa ler assim. Para mudar a ordem dos eixos, corte antes, sem mudá-la, e depois use transpose."
    )
