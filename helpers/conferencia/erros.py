"""O que um erro de Python quer dizer, em português: escolhido pelo tipo, pela mensagem, pelo trecho que falhou e pelo
que havia nos nomes dele (ver `helpers.conferencia.flagrante`)."""

import ast
import builtins
import math
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.conferencia.flagrante import REDUZ, Flagrante
from helpers.escrita import enumerar

_MUDA_NO_LUGAR = re.compile(r"\.(sort|append|extend|insert|reverse|update|shuffle)\(")
_IMPORTAR = {
    "np": "import numpy as np",
    "math": "import math",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
}
_NO_NUMPY = {
    "permute": "transpose",
    "clone": "copy",
    "masked_fill": "np.where(máscara, valor, S)",
    "unsqueeze": "[:, None]",
    "softmax": "a sua softmax",
    "detach": "nada: um array não guarda gradiente",
    "numpy": "nada: já é um array",
    "cat": "np.concatenate",
    "float": "astype(float)",
}
_NO_TORCH = {
    "copy": "clone",
    "astype": "to (ou .float(), .long())",
    "swapaxes": "transpose",
    "concatenate": "torch.cat",
}


Dizer = str | Callable[[Flagrante, re.Match], str | None]


# ---------------------------------------------------------------- formas


def _combinar(f: Flagrante, m: re.Match) -> str:
    """Duas formas que não combinam em uma conta elemento a elemento."""
    if f.operador == "@":
        return _produto(f, m)
    a, b = _formas_citadas(m.string) or f.lados
    if nome := f.quem_no_trecho("uma lista"):
        return (
            f"`{nome}` é uma lista{f.de_onde(nome)}, e a conta dela com um array vai elemento por elemento. "
            "Para acrescentar, use append; para somar, comece com 0."
        )
    if f.quem_no_trecho("uma tupla"):
        return _tupla(f, m)
    if f.operador == "*" and (a is None or b is None or (len(a) > 1 and b and a[-1] == b[max(len(b) - 2, 0)])):
        return "O sinal `*` multiplica número por número; o produto de matrizes é `@`."
    if inteira := _forma_inteira(f):
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


def _forma_inteira(f: Flagrante) -> str:
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


def _produto(f: Flagrante, m: re.Match) -> str:
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


def _um_numero_so(f: Flagrante, m: re.Match) -> str:
    """Um array inteiro onde cabe um número."""
    if f.chamada.startswith("math."):
        onde = "torch" if f.com_torch else "np"
        return f"As funções do math só aceitam um número. Para o array inteiro, use `{onde}.{f.chamada[5:]}`."
    if f.chamada in ("torch.tensor", "np.array"):
        return "Para juntar tensores em um só, use torch.stack."
    if isinstance(f.no, ast.Expr) and isinstance(f.no.value, ast.Subscript):
        return "Uma fatia vai de um número a outro, e aqui há um array deles. Faça uma fatia para cada um, e junte-as."
    return "Aqui cabe um número só, e veio um array inteiro. Falta somar, ou escolher um elemento?"


def _casa(f: Flagrante, m: re.Match) -> str:
    return f"Em `{f.trecho}` cabe um número só, e veio um vetor. Falta somar os produtos (sum), ou usar `@`?"


def _forma_solta(f: Flagrante, m: re.Match) -> str:
    return f"A forma vai em uma tupla só: `{f.chamada or 'np.zeros'}((n, m))`."


def _linhas_desiguais(f: Flagrante, m: re.Match) -> str:
    if isinstance(f.no, ast.Expr) and isinstance(f.no.value, ast.Subscript):
        return _casa(f, m)
    frase = "As partes têm tamanhos diferentes e não formam um array só."
    if devolve := re.search(r"return np\.\w*(?:array|stack|concatenate)\([\[(](\w+(?:, \w+)+)[\])]", f.onde):
        return f"{frase} Para devolver várias saídas, separe-as por vírgulas: `return {devolve[1]}`."
    return frase


def _numeros_de_eixos(f: Flagrante, m: re.Match) -> str:
    falta = next((n for n, v in f.valores.items() if n in f.trecho and f.forma(n) and len(f.forma(n) or ()) == 1), "")
    quem = f"`{falta}` tem forma {f.forma(falta)}: falta" if falta else "A um deles falta"
    return f"Só se juntam arrays com o mesmo número de eixos. {quem} um eixo (keepdim=True, ou [:, None])."


def _desempacotar(f: Flagrante, m: re.Match) -> str:
    de_forma = re.search(r"=\s*(\w+)\.(?:shape|size\(\))", f.onde)
    if de_forma and (forma := f.forma(de_forma[1])) is not None:
        return f"`{de_forma[1]}` tem {_eixos(len(forma))}, {forma}, e você pediu {m[1]}."
    if re.search(r"\.split\(", f.onde):
        return "`split(n)` corta em pedaços de tamanho n, e não em n pedaços. Diga o tamanho, ou use chunk(n)."
    if re.search(r"linha \d+: (.* )?for ", f.onde) and "enumerate" not in f.onde:
        return f"O `for` tira um item de cada vez, e você deu {m[1]} nomes a ele. Falta um enumerate, ou um zip?"
    return f"À esquerda do = há {m[1]} nomes, e do outro lado não vieram {m[1]} valores."


def _um_item_so(f: Flagrante, m: re.Match) -> str:
    if m[1] == "NoneType":
        return _none(f, m)
    if re.search(r"linha \d+: for ", f.onde) and "enumerate" not in f.onde:
        return "O `for` tira um item de cada vez, e você deu mais de um nome a ele. Falta um enumerate, ou um zip?"
    return "À esquerda do = há mais de um nome, e do outro lado veio um valor só."


def _eixo_que_nao_ha(f: Flagrante, m: re.Match) -> str:
    return f"Esse eixo não existe: o array tem {_eixos(int(m[1]))}, contados a partir do 0 (o último é o −1)."


def _eixos(n: int) -> str:
    return "1 eixo" if n == 1 else f"{n} eixos"


# ---------------------------------------------------------------- o tipo errado


def _verdadeiro(f: Flagrante, m: re.Match) -> str:
    torch = "Tensor" in m.string
    if f.chamada in ("max", "min", "sorted"):
        eixo = "dim" if torch else "axis"
        como = f"Use o do array, `x.{f.chamada}({eixo}=…)`" if f.chamada != "sorted" else "Ordene por um número (key=…)"
        return f"O `{f.chamada}` do Python não sabe comparar linhas inteiras de uma matriz. {como}."
    if do_python := re.search(r"(?<![\w.])(any|all)\(", f.onde):
        return f"O `{do_python[1]}` do Python percorre linhas inteiras. Use o do array: `(x < 0).{do_python[1]}()`."
    if re.search(r"\b(if|while)\b[^=!]*[=!]=\s*[^\d\s-]", f.onde) and not re.search(r"\b(and|or|not)\b", f.onde):
        iguais = "torch.allclose" if torch else "np.allclose"
        return f"Um `if` precisa de um só True ou False. Para comparar dois arrays, use `{iguais}(a, b)`."
    if re.search(r"\b(and|or|not)\b", f.onde) or len(re.findall(r"[<>]=?", f.onde)) > 1:
        return "Entre arrays, em vez de `and`, `or` e `not`, use `&`, `|` e `~`, com parênteses em cada comparação."
    escolhe = "torch.where" if torch else "np.where"
    return f"Um array inteiro não é verdadeiro nem falso. Para decidir elemento por elemento, use {escolhe}."


def _inteiro(f: Flagrante, m: re.Match) -> str:
    if f.divisao:
        return (
            f"Aqui só cabe um inteiro, e `{f.divisao}` é um float, mesmo se a conta é exata. A divisão inteira é `//`."
        )
    nome = f.quem("um float")
    quem = f"`{nome}` é um float{f.de_onde(nome)}, e aqui" if nome else "Aqui"
    return f"{quem} só cabe um inteiro. Se ele vem de uma divisão, use `//`."


def _argumentos_a_mais(f: Flagrante, m: re.Match) -> str:
    if f.divisao or (f.quem("um float") and re.search(r"reshape|view|zeros|ones|empty", f.trecho)):
        return _inteiro(f, m)  # o torch se queixa assim de um tamanho que não é inteiro
    if re.search(r"(stack|concatenate|cat)$", f.chamada):
        return _em_lista(f, m)
    if "." in m[0].partition("(")[0]:
        return "O primeiro argumento de um método é `self`. Ele está na definição?"
    return "A chamada tem mais argumentos do que a função aceita."


def _em_lista(f: Flagrante, m: re.Match) -> str:
    quem = f.chamada or "Essa função"
    return f"`{quem}` recebe as partes juntas, em uma lista: `[a, b]`."


def _none(f: Flagrante, m: re.Match) -> str:
    nome = f.quem("None")
    origem = f.de_onde(nome)
    if not nome:
        return "Alguma coisa aqui é None. Falta um return em uma função que você chamou?"
    if not origem:
        return f"`{nome}` é None nesta chamada. Trate esse caso antes: `if {nome} is None: …`."
    if metodo := _MUDA_NO_LUGAR.search(origem):
        como = "sorted(…) devolve outra lista" if metodo[1] == "sort" else "chame-o em uma linha só dele"
        return f"`{metodo[1]}` muda a lista no lugar e devolve None, então `{nome}` é None{origem}; {como}."
    return f"`{nome}` é None{origem}. O que foi chamado ali não devolve nada: falta um return?"


def _tupla(f: Flagrante, m: re.Match) -> str:
    if "return_types" in m.string:
        return "No torch, `max` e `min` com dim devolvem dois tensores. Use `.values`, ou amax e amin."
    nome = f.quem("uma tupla")
    if not nome and "modelo(" in f.trecho:
        return "O modelo devolve um par. Separe-o antes: `logits, perda = modelo(…)`."
    if not nome:
        return "Aqui há uma tupla com vários valores. Separe-os (`a, b = …`) ou pegue um com [0]."
    if f.de_onde(nome).endswith(".shape)"):
        return f"`{nome}` são todos os tamanhos{f.de_onde(nome)}, e aqui cabe um: escolha, como em `.shape[-1]`."
    quantos = f.valores[nome].rpartition(" ")[2]
    if re.search(r"modelo\(", f.de_onde(nome)):
        return f"`{nome}` é o par que o modelo devolve{f.de_onde(nome)}. Separe-o: `logits, perda = modelo(…)`."
    return f"`{nome}` é uma tupla de {quantos} valores{f.de_onde(nome)}. Separe-os (`a, b = …`) ou pegue um com [0]."


def _lista(f: Flagrante, m: re.Match) -> str:
    nomes = [n for n in dict.fromkeys(re.findall(r"\w+", f.trecho)) if f.valores.get(n, "").startswith("uma lista")]
    if len(nomes) > 1:
        quais = enumerar(f"`{n}`" for n in nomes)
        return f"{quais} são listas: com elas, `+` junta e `*` repete. Faça um array de cada uma antes da conta."
    nome = f.quem("uma lista")
    quem = f"`{nome}` é uma lista" if nome else "Aqui há uma lista"
    vira = "torch.tensor(…), ou torch.stack se ela é de tensores" if f.com_torch else "np.array(…)"
    return f"{quem}, e listas não fazem essa conta. Transforme-a antes: {vira}."


def _espera_tensor(f: Flagrante, m: re.Match) -> str:
    funcao, tipo = m[1], m[2]
    if tipo == "NoneType":
        return _none(f, m)
    if tipo == "tuple":
        return _tupla(f, m)
    if tipo in ("float", "int"):
        como = f"`math.{funcao}`" if hasattr(math, funcao) else "torch.tensor(…) antes"
        return f"`{f.chamada or funcao}` só aceita tensores, e recebeu um número. Para um número, use {como}."
    if tipo == "list":
        return f"`{f.chamada or funcao}` espera um tensor, e veio uma lista. Transforme-a antes: torch.tensor(…)."
    if tipo == "numpy.ndarray":
        return "O torch espera um tensor, e veio um array do NumPy. Converta antes: torch.tensor(…)."
    return f"`{f.chamada or funcao}` espera um tensor, e veio outra coisa ({tipo})."


def _operandos(f: Flagrante, m: re.Match) -> str:
    sinal, tipos = m[1], (m[2], m[3])
    if "NoneType" in tipos:
        return _none(f, m)
    if any(t == "tuple" or "return_types" in t for t in tipos):
        return _tupla(f, m)
    if sinal.startswith("^"):
        return _potencia(f, m)
    if {"numpy.ndarray", "Tensor"} == set(tipos):
        if re.fullmatch(r"f\(.*\)", f.trecho):  # a função que algumas questões dão
            return "A função f recebe um array do NumPy, e você deu a ela um tensor."
        return _MISTURA
    if "list" in tipos:
        return _lista(f, m)
    if any(t in ("function", "method", "builtin_function_or_method", "type") for t in tipos):
        return "Um dos lados é uma função. Faltaram os parênteses da chamada?"
    return f"Essa conta não existe entre {m[2]} e {m[3]}."


def _potencia(f: Flagrante, m: re.Match) -> str:
    return "Em Python a potência é `**`; o `^` é outra operação."


_APAGAR = "De um array não se apaga uma posição com del. Troque o valor que está nela, ou escolha as outras."
_MISTURA = "NumPy e torch se misturaram nesta conta. Faça tudo com um dos dois (torch.tensor(…) ou .numpy())."


# ---------------------------------------------------------------- nomes, atributos, índices e chamadas


def _nome(f: Flagrante, m: re.Match) -> str:
    nome = m[1]
    if f.parecido:
        return f"O nome `{nome}` não existe. Você quis dizer `{f.parecido}`?"
    if nome in _IMPORTAR:
        return f"Falta `{_IMPORTAR[nome]}` em uma célula de cima."
    if hasattr(math, nome):
        return f"`{nome}` mora em uma biblioteca: `np.{nome}`, `torch.{nome}` ou `math.{nome}`."
    if "self" in f.valores:
        return f"O nome `{nome}` não existe aqui. Se ele nasce em outro método, guarde-o em `self.{nome}`."
    return f"O nome `{nome}` não existe. Há um erro de digitação, ou uma célula por executar?"


def _atributo(f: Flagrante, m: re.Match) -> str:
    dono, nome = m[1], m[2]
    if dono == "NoneType":
        return _none(f, m)
    if dono == "tuple" or "return_types" in dono:
        return _tupla(f, m)
    if dono == "numpy.ndarray" and nome in _NO_NUMPY:
        return f"`{nome}` é do torch, e aqui há um array do NumPy. No NumPy: {_NO_NUMPY[nome]}."
    if dono == "Tensor" and nome in _NO_TORCH:
        return f"`{nome}` é do NumPy, e aqui há um tensor. No torch: {_NO_TORCH[nome]}."
    if dono == "numpy.ndarray" and nome == "append":
        return "Um array não cresce. Junte os valores em uma lista, com append, e no fim faça dela um array."
    if dono == "numpy.ndarray" and hasattr(np, nome):
        return f"No NumPy, `{nome}` não é um método, é uma função: `np.{nome}(…)`."
    quis = f" Você quis dizer `{f.parecido}`?" if f.parecido else ""
    if dono == "list" and not quis:
        quem = f"`{f.quem('uma lista')}`" if f.quem("uma lista") else "Isso"
        como = f" Use `np.{nome}(…)`." if nome in (*REDUZ, "argmax", "argmin") else ""
        return f"{quem} é uma lista, e listas não têm `{nome}`.{como}"
    if dono in ("int", "float"):
        nome = f.quem("um int", "um float")
        quem = f"`{nome}` é um número{f.de_onde(nome)}" if nome else "Isso é um número"
        troca = " Os argumentos estão na ordem certa?" if f.dados["auxiliar"] else ""
        return f"{quem}, e não um array nem um tensor.{troca}"
    if dono in ("function", "method", "builtin_function_or_method"):
        return "Isso é uma função. Faltaram os parênteses da chamada?"
    criar = f" Falta criar `self.{nome}` no __init__?" if "self" in f.valores and not quis else ""
    return f"Um objeto do tipo {dono} não tem `{nome}`.{quis}{criar}"


def _da_biblioteca(f: Flagrante, m: re.Match) -> str:
    quis = f" Você quis dizer `{f.parecido}`?" if f.parecido else ""
    if not quis and m[1] == "numpy" and m[2] in ("erf", "softmax", "gelu", "sigmoid", "relu"):
        quis = f" O torch tem: `torch.{m[2]}`." if m[2] != "gelu" else ""
    return f"A biblioteca {m[1]} não tem `{m[2]}`.{quis}"


def _fora(f: Flagrante, m: re.Match) -> str:
    tamanho = int(m[3])
    if inteira := _forma_inteira(f):
        return inteira
    frase = f"Os índices vão de 0 a {tamanho - 1}, e foi pedido o {m[1]}."
    quem = re.match(r"(\w+)\[", f.trecho)
    if quem and (forma := f.forma(quem[1])) is not None:
        frase = f"`{quem[1]}` tem forma {forma}{f.de_onde(quem[1])}. No eixo {m[2]} os índices {frase[11:]}"
        if re.search(rf": {re.escape(f.trecho)}\s*[-+*/]?=(?!=)", f.onde) and len(forma) > 1:
            return f"{frase} É essa a forma do resultado?"
    return f"{frase} A conta vai um passo longe demais, ou é outro o eixo?"


_E_DO_PYTHON = "O `{1}` do Python não tem `{0}`. Use o do array, `x.{1}(…)`."


def _argumento_estranho(f: Flagrante, m: re.Match) -> str:
    funcao, nome = m[1].lstrip("_"), m[2]
    # desde o 3.13 o Python diz isso das funções dele com as palavras que já dizia das outras
    if sys.version_info >= (3, 13) and hasattr(builtins, funcao) and re.search(rf"(?<![\w.]){funcao}\(", f.onde):
        return _E_DO_PYTHON.format(nome, funcao)
    if nome in ("dim", "keepdim") and not f.com_torch:
        return "No NumPy, o eixo é `axis`, e o que o conserva, `keepdims`; `dim` e `keepdim` são do torch."
    return f"`{funcao}` não tem um argumento `{nome}`. Veja os nomes na definição dela."


def _faltam(f: Flagrante, m: re.Match) -> str:
    if m[1] == "transpose":
        return "No torch, transpose quer os dois eixos que trocam de lugar: transpose(-2, -1)."
    if m[2].strip("\"'") == "dim":
        return "Diga ao longo de que eixo: dim=-1 é o último."
    return f"Na chamada de `{m[1]}` falta passar {m[2].replace(', and ', ' e ').replace(' and ', ' e ')}."


def _combinacao(f: Flagrante, m: re.Match) -> str:
    if "numpy.ndarray" in m.string.partition("but expected")[0]:
        return "O torch espera um tensor, e veio um array do NumPy. Converta antes: torch.tensor(…)."
    if "Generator" in m.string.partition("but expected")[0] and "generator=" not in f.onde:
        return "O gerador vai pelo nome: `generator=gerador`."
    if m[1] in ("randint", "randn", "rand", "zeros", "ones", "full"):
        return "A forma vai em uma tupla: `(n,)` para um vetor, `(n, m)` para uma matriz."
    return "Essa função do torch não aceita esses argumentos; confira os nomes e os tipos."


def _nao_se_percorre(f: Flagrante, m: re.Match) -> str:
    if m[1] == "NoneType":
        return _none(f, m)
    if m[1] in ("method", "function", "builtin_function_or_method"):
        return "Aí está a função, e não o que ela devolve. Faltaram os parênteses da chamada?"
    if m[1] in ("int", "float"):
        return "Um número não se percorre. Para contar até ele, use range(n)."
    if re.search("float|int", m[1]):
        return "Aí há um número só, que não se percorre: o array tem menos eixos do que a conta supõe?"
    optim = "optim" in f.onde
    return "Passe ao otimizador modelo.parameters()." if optim else f"Um valor do tipo {m[1]} não se percorre."


def _nao_se_indexa(f: Flagrante, m: re.Match) -> str:
    if m[1] == "NoneType":
        return _none(f, m)
    if m[1] in ("method", "function", "builtin_function_or_method"):
        return "Uma função se chama com parênteses, e não com colchetes."
    if m[1] == "bool" and " is " in f.onde:
        return "`is` pergunta se são o mesmo objeto, e dá um bool só. Para comparar elemento por elemento, use `==`."
    return f"Aí há um valor do tipo {m[1]}, que não se indexa. O que deveria ser um array virou um número?"


def _nao_se_chama(f: Flagrante, m: re.Match) -> str:
    if m[1] in ("numpy.ndarray", "Tensor", "list", "tuple", "dict", "Parameter"):
        return "Para pegar um elemento, use colchetes; parênteses chamam uma função."
    if m[1] in ("int", "float"):
        return "Um número seguido de parênteses não multiplica. Falta um `*`?"
    if m[1].endswith("Generator"):
        return "Um gerador não se chama: peça os números a um método dele, como `rng.normal(size=…)`."
    return "Isso não é uma função e foi chamado com parênteses. Um nome foi usado duas vezes?"


def _sorteio(f: Flagrante, m: re.Match) -> str:
    if nome := f.quem("um float igual a zero", "um int igual a zero"):
        return f"As probabilidades têm NaN: `{nome}` é 0, e não se divide por 0. Trate esse caso antes, com argmax."
    return "As probabilidades têm NaN, infinito ou um negativo. Elas passaram pela softmax?"


def _sem_conta(f: Flagrante, m: re.Match) -> str:
    """NotImplementedError do torch: a conta não existe para o tipo do tensor."""
    if "bitwise_xor" in m.string:
        return _potencia(f, m)
    return "Essa conta do torch não existe para o tipo desse tensor. Se ele é de inteiros, converta com .float()."


_EXPLICACOES: list[tuple[str, str, Dizer]] = [
    # (tipo do erro, ou tipos, se o NumPy e o torch lançam um cada; trecho da mensagem em inglês; o que dizer)
    ("ModuleNotFoundError", r"", "Essa biblioteca não faz parte do curso."),
    # formas
    (
        "ValueError|RuntimeError",
        r"matmul: .*enough dimensions|matmul need to be at least 1D",
        "No produto `@`, um dos lados é um número; para isso serve o `*`.",
    ),
    ("ValueError", r"matmul|not aligned", _produto),
    ("RuntimeError", r"mat1 and mat2 shapes|size mismatch|dimensions of batch2", _produto),
    (
        "ValueError",
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
        "O lugar tem forma {1}, e o que se põe nele tem {0}. Qual das duas não é a que você queria?",
    ),
    ("RuntimeError", r"expanded size of the tensor", "O que se põe ali não tem a forma do lugar que o recebe."),
    ("ValueError", r"broadcast", _combinar),
    ("RuntimeError", r"must match the size", _combinar),
    ("ValueError", r"inhomogeneous", _linhas_desiguais),
    ("ValueError", r"setting an array element", _casa),
    ("RuntimeError", r"expand\(.*number of sizes provided", _casa),
    ("AxisError", r"dimension (\d+)", _eixo_que_nao_ha),
    ("IndexError", r"Dimension out of range.*\[-(\d+)", _eixo_que_nao_ha),
    (
        "ValueError|RuntimeError",
        r"cannot reshape|is invalid for input of size",
        "A nova forma não tem a mesma quantidade de números.",
    ),
    ("RuntimeError", r"view size is not compatible", "Depois de um transpose, view não serve. Use reshape."),
    (
        "ValueError",
        r"axes don't match|repeated axis",
        "transpose precisa de todos os eixos; para trocar dois, use np.swapaxes.",
    ),
    (
        "RuntimeError",
        r"permute.*number of dimensions",
        "permute precisa de todos os eixos; para trocar dois, use transpose.",
    ),
    (
        "RuntimeError",
        r"equal size, but got (\[.*?\]) .*and (\[.*?\])",
        "Os pedaços têm tamanhos diferentes, {0} e {1}. Algum foi cortado no fim, ou começa tarde demais?",
    ),
    (
        "RuntimeError",
        r"Sizes of tensors must match",
        "Fora do eixo em que se juntam, as partes precisam ter o mesmo tamanho.",
    ),
    ("ValueError|RuntimeError", r"same number of dimensions", _numeros_de_eixos),
    ("ValueError", r"must have the same shape|must match exactly", _linhas_desiguais),
    ("ValueError", r"to unpack \(expected (\d+)", _desempacotar),
    (
        "ValueError|RuntimeError",
        r"Expected input batch_size|Expected target size",
        "A cross_entropy quer logits (N, V) e alvos (N,): junte o lote e o tempo em um eixo só, nos dois.",
    ),
    (
        "RuntimeError",
        r"normalized_shape=\[(\d+)\]",
        "Essa LayerNorm normaliza vetores de {0} componentes, e os que chegaram têm outro tamanho.",
    ),
    # um array onde cabe outra coisa, e o contrário
    ("ValueError", r"truth value of an array", _verdadeiro),
    ("RuntimeError", r"Boolean value of Tensor", _verdadeiro),
    (
        "TypeError",
        r"'(\w+)' is an invalid keyword argument for (\w+)\(\)",
        _E_DO_PYTHON,
    ),
    ("TypeError", r"only integer scalar arrays", _em_lista),
    ("TypeError", r"multiple values for argument 'axis'", _em_lista),
    ("TypeError", r"must be tuple of Tensors", _em_lista),
    ("TypeError", r"only (0-dimensional|size-1|length-1)|only integer tensors of a single", _um_numero_so),
    ("ValueError", r"only one element tensors|array of size 1 to a Python scalar", _um_numero_so),
    ("RuntimeError", r"elements cannot be converted to Scalar", _um_numero_so),
    ("TypeError", r"'float' object cannot be interpreted|slice indices must|but got float", _inteiro),
    ("TypeError", r"(int|slices), not float$|or a single integer", _inteiro),
    ("IndexError", r"only integers", _inteiro),
    ("IndexError", r"used as indices must be", "Para indexar, os números precisam ser inteiros; converta antes."),
    (
        "RuntimeError",
        r"scalar types: Long",
        "Um Embedding quer índices inteiros, e veio um tensor de floats. Use .long().",
    ),
    ("RuntimeError", r"target dtype to be Long", "Os alvos da cross_entropy são inteiros, os ids. Use .long()."),
    ("TypeError", r"Cannot interpret '.*' as a data type", _forma_solta),
    (
        "TypeError",
        r"found element of type Tensor",
        "Aqui vão tamanhos, que são inteiros, e veio um tensor. Com pesos que você já tem, a conta é x @ W + b.",
    ),
    (
        "TypeError",
        r"must be tuple of ints",
        "A forma vai em uma tupla: `(n,)` para um vetor, `(n, m)` para uma matriz.",
    ),
    ("TypeError", r"(?:(\w+)\(\): argument .* )?must be Tensor, not ([\w.]+)", _espera_tensor),
    ("TypeError", r"(must be|has to be) a tensor|expected np.ndarray|not implemented for NumPy arrays", _MISTURA),
    ("TypeError", r"tuple indices must be", _tupla),
    (
        "TypeError",
        r"list indices must be integers or slices, not tuple",
        "Em uma lista de listas, pegue um elemento com [i][j]; [i, j] só vale em um array.",
    ),
    ("TypeError", r"unsupported operand type\(s\) for (\S+?):? '([\w.]+)' and '([\w.]+)'", _operandos),
    ("TypeError", r"ufunc 'bitwise_xor'", _potencia),
    ("TypeError", r"can only concatenate list|can't multiply sequence", _lista),
    (
        "TypeError",
        r"can only concatenate str",
        "Um texto só se soma com outro texto; em uma mensagem, use uma f-string.",
    ),
    ("TypeError", r"boolean (negative|subtract)", "Para negar uma máscara de booleanos, use `~`."),
    ("RuntimeError", r"with a bool tensor|on a bool tensor", "Para negar uma máscara de booleanos, use `~`."),
    ("TypeError", r"ufunc 'invert'|operator.invert", "`~` só nega booleanos, e aqui há números. Compare antes (== 0)."),
    (
        "RuntimeError",
        r"only supports boolean masks",
        "A máscara precisa ser de booleanos. Compare (== 0), ou use .bool().",
    ),
    ("TypeError", r"Cannot cast ufunc", "O array é de inteiros e não guarda frações. Crie-o com floats."),
    (
        "RuntimeError",
        r"can't be cast to the desired",
        "O tensor é de inteiros e não guarda frações. Converta com .float().",
    ),
    (
        "RuntimeError",
        r"dtype must be either a floating point",
        "A média é de floats, e o tensor é de inteiros. Converta com .float().",
    ),
    (
        "RuntimeError",
        r"same dtype|expected scalar type|dtypes match",
        "Há tensores de tipos diferentes (float32, float64, inteiros); converta um.",
    ),
    # torch: módulos, pesos e gradientes
    (
        "NotImplementedError",
        r"missing the required \"forward\"",
        "nn.ModuleList é só uma lista de módulos: percorra-a com um for.",
    ),
    ("NotImplementedError", r"not implemented for", _sem_conta),
    ("RuntimeError", r"in loading state_dict", "Os nomes ou as formas dos pesos não são os do módulo."),
    ("RuntimeError", r"leaf Variable|in-place operation", "Copie os pesos dentro de torch.no_grad()."),
    (
        "TypeError",
        r"cannot assign",
        "Em um parâmetro do módulo não se põe um tensor. Copie os valores com .copy_(), dentro de torch.no_grad().",
    ),
    (
        "RuntimeError",
        r"requires grad\. Use",
        "O NumPy não lê um tensor que guarda gradiente. Faça a conta com o torch, ou use .detach().",
    ),
    (
        "RuntimeError",
        r"does not require grad",
        "Essa perda não está ligada aos parâmetros: veio de .item(), de .detach() ou de dentro de no_grad?",
    ),
    ("RuntimeError", r"only for scalar outputs", "O backward parte de um número só: a perda média."),
    (
        "RuntimeError",
        r"backward through the graph a second time",
        "Cada backward precisa de uma perda nova: calcule-a dentro do laço.",
    ),
    ("RuntimeError", r"probability tensor contains|sum of probabilities", _sorteio),
    ("RuntimeError", r"index k out of range", "O k do topk é maior que a quantidade de valores. Use min(k, …)."),
    ("AttributeError", r"before Module.__init__", "Falta super().__init__() no começo do __init__ da sua classe."),
    # índices, nomes e atributos
    (
        "IndexError",
        r"too many indices",
        "Há mais índices do que eixos: esse array tem menos dimensões do que você supôs.",
    ),
    (
        "IndexError",
        r"boolean index did not match|shape of the mask",
        "Indexar com uma máscara pede que ela tenha a forma do array; np.where a estende sozinho.",
    ),
    ("IndexError", r"index (-?\d+) is out of bounds for \w+ (\d+) with size (\d+)", _fora),
    ("IndexError", r"in self", "Um índice passou do tamanho da tabela do Embedding."),
    ("IndexError", r"Target (-?\d+)", "O alvo {0} não cabe nos seus logits: o último eixo deles tem de ter V colunas."),
    ("IndexError", r"tuple index", "Essa forma tem menos eixos do que você supôs."),
    ("IndexError", r"out of bounds|out of range", "Um índice passou do fim."),
    (
        "KeyError",
        r"^(\d+)$",
        "O {0} não é uma chave do dicionário. Falta essa chave, ou você usou a posição?",
    ),
    ("KeyError", r"", "Essa chave não está no dicionário."),
    # UnboundLocalError é um NameError: vem antes dele
    (
        "UnboundLocalError",
        r"variable '(\w+)'",
        "`{0}` foi usado antes de receber um valor. Falta começar com um, antes do laço?",
    ),
    ("NameError", r"name '(\w+)'", _nome),
    ("AttributeError", r"'([\w.]+)' object has no attribute '(\w+)'", _atributo),
    ("AttributeError", r"module '([\w.]+)' has no attribute '(\w+)'", _da_biblioteca),
    ("ValueError", r"cannot delete array", _APAGAR),
    ("TypeError", r"not support deleting|doesn't support item deletion", _APAGAR),
    (
        "TypeError",
        r"unhashable type",
        "Uma lista ou um array não serve de chave de dicionário. Use uma tupla: tuple(…).",
    ),
    # chamadas
    ("TypeError", r"(\w+)\(\) got an unexpected keyword argument '(\w+)'", _argumento_estranho),
    ("TypeError", r"(\w+)\(\) missing \d+ required positional arguments?: (.*)", _faltam),
    ("TypeError", r"(\w+)\(\) received an invalid combination of arguments", _combinacao),
    ("TypeError", r"\S+ takes \d+ positional arguments? but", _argumentos_a_mais),
    ("TypeError", r"keyword argument|positional argument", "A chamada não combina com os argumentos da função."),
    ("TypeError", r"cannot unpack non-iterable ([\w.]+)", _um_item_so),
    ("TypeError", r"'([\w.]+)' object is not iterable", _nao_se_percorre),
    ("TypeError", r"'([\w.]+)' object is not subscriptable", _nao_se_indexa),
    ("TypeError", r"'([\w.]+)' object is not callable", _nao_se_chama),
    ("TypeError", r"has no len", "Um número não tem len()."),
    ("TypeError", r"NoneType", _none),
    (
        "TypeError",
        r"exceptions must derive",
        "Um erro se lança com a classe dele: `raise ValueError(…)`, com o texto dentro.",
    ),
    # contas
    ("ZeroDivisionError", r"", "Houve uma divisão por zero."),
    (
        "ValueError",
        r"math domain error|expected a (nonnegative|positive) input",
        "O log é de números positivos, e a raiz, de não negativos.",
    ),
    ("OverflowError", r"", "O número ficou grande demais. Há um exp de algo grande?"),
    ("MemoryError", r"", "O que você quis criar não cabe na memória; dá para não criar?"),
    ("RuntimeError", r"allocate memory|enough memory", "O que você quis criar não cabe na memória; dá para não criar?"),
    ("AssertionError", r"", "Um assert da sua função falhou."),
]


def por_escrever(erro: dict[str, Any]) -> bool:
    """A resposta ainda tem o `raise NotImplementedError`? O torch também lança esse erro, mas com uma mensagem."""
    return erro["tipo"] == "NotImplementedError" and (not erro["mensagem"] or "NotImplementedError" in erro["onde"])


def explicar_erro(erro: dict[str, Any], lugar: str) -> str:
    """A função parou: diz com que erro, onde, e o que isso costuma querer dizer."""
    tipo, mensagem, onde = erro["tipo"], erro["mensagem"], erro["onde"]
    if por_escrever(erro):
        if erro["auxiliar"]:
            return f"Esta função usa `{erro['auxiliar']}`, que ainda não foi escrita: comece por ela."
        return "Esta função ainda não foi escrita: troque o `raise NotImplementedError` pela sua resposta."
    if tipo in ("TempoEsgotado", "EsperaEsgotada"):
        return f"{lugar}, {_sem_tempo(mensagem, parada=tipo == 'EsperaEsgotada')}"
    if tipo == "RecursionError":
        return f"{lugar}, sua função chama a si mesma sem parar; qual é o caso em que ela deve parar?"
    if tipo == "SystemExit":
        return f"{lugar}, sua função encerrou o programa (exit ou quit); use return."
    parou = f"{lugar}, sua função parou com {_em_curto(erro)}"
    if re.search(r"linha \d+: (if .*: *)?raise ", onde):
        explicacao = "Esse erro vem do seu próprio raise, e neste caso não era para lançar: confira a condição."
    else:
        explicacao = o_que_quer_dizer(erro)
    return f"{parou}{f' ({onde})' if onde else ''}. {explicacao}".rstrip()


def _sem_tempo(mensagem: str, parada: bool) -> str:
    """O prazo acabou: o de uma chamada ou, em “20 ao todo”, o de todas."""
    segundos, _, ao_todo = mensagem.partition(" ")
    if parada:
        ficou = "as chamadas à sua função já somavam" if ao_todo else "sua função ficou"
        return f"{ficou} {segundos} s sem quase usar o processador; há um sleep, um input ou uma trava?"
    if ao_todo:
        return f"as chamadas à sua função já somavam {segundos} s de processador; há um laço que dá para evitar?"
    return (
        f"sua função não terminou em {segundos} s de processador; há um laço que não acaba, ou um que dá para evitar?"
    )


def _em_curto(erro: dict[str, Any]) -> str:
    """O tipo e a mensagem, sem as listas de tudo o que serviria."""
    curta = re.split(r", but expected one of|, with gufunc signature|\n| \(or directly access", erro["mensagem"])[0]
    return f"{erro['tipo']}: {curta}".rstrip(": ").rstrip(".")


def o_que_quer_dizer(erro: dict[str, Any]) -> str:
    """A explicação do erro, ou nada, se ele não está na tabela."""
    flagrante = Flagrante(erro)
    for nome, padrao, dizer in _EXPLICACOES:
        if not {*nome.split("|")} & {erro["tipo"], *erro["bases"]}:
            continue
        achado = re.search(padrao, erro["mensagem"], flags=re.DOTALL)
        dito = achado and (dizer.format(*achado.groups()) if isinstance(dizer, str) else dizer(flagrante, achado))
        if dito:
            return dito
    return ""
