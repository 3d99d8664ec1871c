"""As frases que servem a qualquer questão: erros de Python, estrutura e forma da saída."""

import re

_EXPLICACOES = [
    # (tipo do erro, trecho da mensagem em inglês, o que dizer)
    (
        "ValueError",
        r"matmul|not aligned",
        "as dimensões internas do produto de matrizes não batem",
    ),
    ("RuntimeError", r"in loading state_dict", "os nomes ou as formas dos pesos não são os do módulo"),
    ("RuntimeError", r"leaf Variable|in-place operation", "copie os pesos dentro de torch.no_grad()"),
    ("TypeError", r"cannot assign", "um parâmetro do módulo só aceita nn.Parameter; copie os valores com .copy_()"),
    (
        "TypeError",
        r"(must be|has to be) a tensor|must be Tensor(?!, not NoneType)",
        "o torch espera um tensor, e veio um array do NumPy",
    ),
    ("RuntimeError", r"mat1 and mat2|size mismatch", "as dimensões internas do produto de matrizes não batem"),
    ("ValueError", r"could not be broadcast|broadcast", "as formas não combinam; faltou um keepdims=True ou um eixo?"),
    (
        "ValueError",
        r"truth value of an array",
        "um array inteiro não é verdadeiro nem falso; compare elemento a elemento",
    ),
    ("ValueError", r"inhomogeneous", "as linhas têm tamanhos diferentes e não formam uma matriz"),
    ("AxisError", r"", "esse eixo não existe no array"),
    ("ValueError", r"setting an array element", "as linhas têm tamanhos diferentes e não formam uma matriz"),
    (
        "ValueError",
        r"cannot reshape|is invalid for input of size",
        "a nova forma não tem a mesma quantidade de números",
    ),
    ("ValueError", r"must have the same shape|must match exactly", "os arrays que você juntou não têm a mesma forma"),
    ("ValueError", r"to unpack", "a quantidade de nomes à esquerda do = não é a de valores à direita"),
    (
        "IndexError",
        r"too many indices",
        "há mais índices do que eixos; esse array tem menos dimensões do que você supôs",
    ),
    ("IndexError", r"boolean index did not match", "a máscara booleana não tem a forma do array"),
    ("IndexError", r"only integers", "o índice precisa ser inteiro"),
    ("IndexError", r"out of bounds|out of range", "um índice passou do fim"),
    ("ModuleNotFoundError", r"", "essa biblioteca não faz parte do curso"),
    (
        "RuntimeError",
        r"same dtype|expected scalar type",
        "há tensores de tipos diferentes (float32 e float64); converta um",
    ),
    ("RuntimeError", r"must match the size", "as formas não combinam; confira os eixos"),
    ("RuntimeError", r"requires grad", "antes de passar um tensor ao NumPy, use .detach()"),
    ("KeyError", r"", "essa chave não está no dicionário"),
    # UnboundLocalError é um NameError: vem antes dele
    ("UnboundLocalError", r"", "a variável foi usada antes de receber um valor"),
    ("NameError", r"", "esse nome ainda não foi definido; há um erro de digitação ou uma célula por executar?"),
    ("ZeroDivisionError", r"", "houve uma divisão por zero"),
    ("MemoryError", r"", "o que você quis criar não cabe na memória; dá para não criar?"),
    ("RuntimeError", r"allocate memory|enough memory", "o que você quis criar não cabe na memória; dá para não criar?"),
    ("AttributeError", r"before Module.__init__", "falta super().__init__() no começo do __init__ da sua classe"),
    ("AttributeError", r"NoneType", "alguma função anterior devolveu None; falta um return?"),
    ("AttributeError", r"", "esse objeto não tem o que foi pedido a ele"),
    ("TypeError", r"numpy.*Tensor|Tensor.*numpy|expected np.ndarray", "NumPy e torch se misturaram; converta um deles"),
    ("TypeError", r"NoneType", "alguma coisa é None; falta um return em outra função?"),
    (
        "TypeError",
        r"invalid combination of arguments",
        "essa função do torch não aceita esses argumentos; veja os nomes",
    ),
    ("TypeError", r"positional argument|keyword argument", "a chamada não combina com os argumentos da função"),
    ("TypeError", r"unsupported operand", "essa operação não existe entre esses tipos; algum deles é uma lista?"),
    ("TypeError", r"not iterable", "só dá para percorrer listas, arrays e afins; aí veio um número?"),
    ("TypeError", r"only (0-dimensional|size-1|length-1)", "um array inteiro foi usado onde cabe um número só"),
    ("TypeError", r"not callable", "algo que não é função foi chamado com parênteses"),
]

TIPOS_POR_EXTENSO = {
    "array": "um array do NumPy ou um tensor do torch, em float32 ou float64",
    "booleanos": "um array de booleanos (True ou False)",
    "float": "um float",
    "int": "um int",
    "bool": "um bool (True ou False)",
    "texto": "um texto",
    "pares": "uma lista de pares (i, j) de inteiros",
}


def explicar_erro(erro: dict, lugar: str) -> str:
    """A função parou: diz com que erro, onde, e o que isso costuma querer dizer."""
    tipo, mensagem, onde = erro["tipo"], erro["mensagem"], erro["onde"]
    if tipo == "NotImplementedError":
        if erro["auxiliar"]:
            return f"Esta função usa `{erro['auxiliar']}`, que ainda não foi escrita: comece por ela."
        return "Esta função ainda não foi escrita: troque o `raise NotImplementedError` pela sua resposta."
    if tipo == "EsperaEsgotada":
        return f"{lugar}, sua função ficou {mensagem} s parada, sem calcular nada; há um sleep, um input ou uma trava?"
    if tipo == "TempoEsgotado":
        return f"{lugar}, sua função não terminou em {mensagem} s; há um laço que não acaba, ou um que dá para evitar?"
    if tipo == "RecursionError":
        return f"{lugar}, sua função chama a si mesma sem parar; qual é o caso em que ela deve parar?"
    if tipo == "SystemExit":
        return f"{lugar}, sua função encerrou o programa (exit ou quit); use return."
    na_linha = f" ({onde})" if onde else ""
    dica = next(
        (
            dica
            for nome, trecho, dica in _EXPLICACOES
            if (nome == tipo or nome in erro["bases"]) and re.search(trecho, mensagem)
        ),
        "",
    )
    curta = mensagem.split(", but expected one of")[0]  # o torch lista todas as assinaturas que aceitaria
    parou = f"{lugar}, sua função parou com {tipo}: {curta}".rstrip(": ").rstrip(".")
    frase = f"{parou}{na_linha}{'; ' + dica if dica else ''}"
    return frase if frase.endswith("?") else f"{frase}."


def explicar_estrutura(veio: str, saidas: list[tuple[str, str]], lugar: str) -> str:
    """A função devolveu outro tipo de coisa."""
    nomes = ", ".join(nome for nome, _ in saidas)
    pede = f"dois valores, ({nomes})" if len(saidas) == 2 else f"{len(saidas)} valores, ({nomes})"
    if len(saidas) == 1:
        pede = TIPOS_POR_EXTENSO.get(saidas[0][1], saidas[0][1])
    if veio.startswith("entre os valores, "):
        tipos = " e ".join(dict.fromkeys(TIPOS_POR_EXTENSO.get(tipo, tipo) for _, tipo in saidas))
        return f"{lugar}, sua função devolveu, {veio}; cada um de ({nomes}) deve ser {tipos}."
    if veio == "None":
        return f"{lugar}, sua função não devolveu nada (None); falta um return?"
    return f"{lugar}, sua função devolveu {veio}; o enunciado pede {pede}."


def explicar_forma(veio: tuple[int, ...], certa: tuple[int, ...], nome: str, lugar: str) -> str:
    """A saída tem outra forma; se parece transposta, ou com um eixo de tamanho 1 a mais, diz."""
    quem = f"`{nome}`" if nome else "a saída"
    dica = ""
    if len(veio) > 1 and veio == certa[::-1]:
        dica = " Parece transposta."
    elif [n for n in veio if n != 1] == [n for n in certa if n != 1]:
        dica = " Há um eixo de tamanho 1 a mais ou a menos."
    if not veio:
        return f"{lugar}, {quem} deve ser um array de forma {certa}, e veio um número só."
    if not certa:
        return f"{lugar}, {quem} deve ser um número só, e veio um array de forma {veio}."
    return f"{lugar}, {quem} deve ter forma {certa}, e a sua tem {veio}.{dica}"
