"""Nomes, atributos, índices e chamadas que não existem."""

import builtins
import math
import re
import sys

import numpy as np

from helpers.conferencia.explicacoes.formas import forma_inteira
from helpers.conferencia.explicacoes.tipos import none, potencia, tupla
from helpers.conferencia.flagrante import REDUZ, Flagrante

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


def nome_que_nao_ha(f: Flagrante, m: re.Match) -> str:
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


def atributo(f: Flagrante, m: re.Match) -> str:
    dono, nome = m[1], m[2]
    if dono == "NoneType":
        return none(f, m)
    if dono == "tuple" or "return_types" in dono:
        return tupla(f, m)
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
    criar = ""
    if "self" in f.valores and not quis:
        criar = f" Ou falta criá-lo no __init__, ou `{nome}` é de outro objeto, e não de `self`."
    return f"Um objeto do tipo {dono} não tem `{nome}`.{quis}{criar}"


def sem_forward(f: Flagrante, m: re.Match) -> str:
    if m[1] == "ModuleList":
        return "nn.ModuleList é só uma lista de módulos: percorra-a com um for."
    return f"`{m[1]}` não tem `forward`, e por isso não se chama como uma função: use as partes dele, uma a uma."


def da_biblioteca(f: Flagrante, m: re.Match) -> str:
    quis = f" Você quis dizer `{f.parecido}`?" if f.parecido else ""
    if not quis and m[1] == "numpy" and m[2] in ("erf", "softmax", "gelu", "sigmoid", "relu"):
        quis = f" O torch tem: `torch.{m[2]}`." if m[2] != "gelu" else ""
    return f"A biblioteca {m[1]} não tem `{m[2]}`.{quis}"


def fora(f: Flagrante, m: re.Match) -> str:
    tamanho = int(m[3])
    if inteira := forma_inteira(f):
        return inteira
    frase = f"Os índices vão de 0 a {tamanho - 1}, e foi pedido o {m[1]}."
    quem = re.match(r"(\w+)\[", f.trecho)
    if quem and (forma := f.forma(quem[1])) is not None:
        frase = f"`{quem[1]}` tem forma {forma}{f.de_onde(quem[1])}. No eixo {m[2]} os índices {frase[11:]}"
        if re.search(rf": {re.escape(f.trecho)}\s*[-+*/]?=(?!=)", f.onde) and len(forma) > 1:
            return f"{frase} É essa a forma do resultado?"
    return f"{frase} A conta vai um passo longe demais, ou é outro o eixo?"


E_DO_PYTHON = "O `{1}` do Python não tem `{0}`. Use o do array, `x.{1}(…)`."


def argumento_estranho(f: Flagrante, m: re.Match) -> str:
    funcao, nome = m[1].lstrip("_"), m[2]
    # desde o 3.13 o Python diz isso das funções dele com as palavras que já dizia das outras
    if sys.version_info >= (3, 13) and hasattr(builtins, funcao) and re.search(rf"(?<![\w.]){funcao}\(", f.onde):
        return E_DO_PYTHON.format(nome, funcao)
    if nome in ("dim", "keepdim") and not f.com_torch:
        return "No NumPy, o eixo é `axis`, e o que o conserva, `keepdims`; `dim` e `keepdim` são do torch."
    return f"`{funcao}` não tem um argumento `{nome}`. Veja os nomes na definição dela."


def faltam(f: Flagrante, m: re.Match) -> str:
    if m[1] == "transpose":
        return "No torch, transpose quer os dois eixos que trocam de lugar: transpose(-2, -1)."
    if m[2].strip("\"'") == "dim":
        return "Diga ao longo de que eixo: dim=-1 é o último."
    frase = f"Na chamada de `{m[1]}` falta passar {m[2].replace(', and ', ' e ').replace(' and ', ' e ')}."
    if f"return {m[1]}()" in f.onde:
        return f"{frase} Se o que se devolve é a função, e não um resultado dela, tire os parênteses."
    return frase


def combinacao(f: Flagrante, m: re.Match) -> str:
    if "numpy.ndarray" in m.string.partition("but expected")[0]:
        return "O torch espera um tensor, e veio um array do NumPy. Converta antes: torch.tensor(…)."
    if "Generator" in m.string.partition("but expected")[0] and "generator=" not in f.onde:
        return "O gerador vai pelo nome: `generator=gerador`."
    if m[1] in ("randint", "randn", "rand", "zeros", "ones", "full"):
        return "A forma vai em uma tupla: `(n,)` para um vetor, `(n, m)` para uma matriz."
    return "Essa função do torch não aceita esses argumentos; confira os nomes e os tipos."


def nao_se_percorre(f: Flagrante, m: re.Match) -> str:
    if m[1] == "NoneType":
        return none(f, m)
    if m[1] in ("method", "function", "builtin_function_or_method"):
        return "Aí está a função, e não o que ela devolve. Faltaram os parênteses da chamada?"
    if m[1] in ("int", "float"):
        return "Um número não se percorre. Para contar até ele, use range(n)."
    if re.search("float|int", m[1]):
        return "Aí há um número só, que não se percorre: o array tem menos eixos do que a conta supõe?"
    optim = "optim" in f.onde
    return "Passe ao otimizador modelo.parameters()." if optim else f"Um valor do tipo {m[1]} não se percorre."


def nao_se_indexa(f: Flagrante, m: re.Match) -> str:
    if m[1] == "NoneType":
        return none(f, m)
    if m[1] in ("method", "function", "builtin_function_or_method"):
        return "Uma função se chama com parênteses, e não com colchetes."
    if m[1] == "bool" and " is " in f.onde:
        return "`is` pergunta se são o mesmo objeto, e dá um bool só. Para comparar elemento por elemento, use `==`."
    return f"Aí há um valor do tipo {m[1]}, que não se indexa. O que deveria ser um array virou um número?"


def nao_se_chama(f: Flagrante, m: re.Match) -> str:
    if m[1] in ("numpy.ndarray", "Tensor", "list", "tuple", "dict", "Parameter"):
        return "Para pegar um elemento, use colchetes; parênteses chamam uma função."
    if m[1] in ("int", "float"):
        return "Um número seguido de parênteses não multiplica. Falta um `*`?"
    if m[1].endswith("Generator"):
        return "Um gerador não se chama: peça os números a um método dele, como `rng.normal(size=…)`."
    return "Isso não é uma função e foi chamado com parênteses. Um nome foi usado duas vezes?"


def sorteio(f: Flagrante, m: re.Match) -> str:
    if nome := f.quem("um float igual a zero", "um int igual a zero"):
        return f"As probabilidades têm NaN: `{nome}` é 0, e não se divide por 0. Trate esse caso antes, com argmax."
    return "As probabilidades têm NaN, infinito ou um negativo. Elas passaram pela softmax?"


def sem_conta(f: Flagrante, m: re.Match) -> str:
    """NotImplementedError do torch: a conta não existe para o tipo do tensor."""
    if "bitwise_xor" in m.string:
        return potencia(f, m)
    return "Essa conta do torch não existe para o tipo desse tensor. Se ele é de inteiros, converta com .float()."
