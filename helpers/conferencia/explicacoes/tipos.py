"""Um tipo onde cabe outro: um float, um None, uma tupla, uma lista, um array inteiro."""

import math
import re

from helpers.conferencia.flagrante import Flagrante
from helpers.escrita import enumerar

_MUDA_NO_LUGAR = re.compile(r"\.(sort|append|extend|insert|reverse|update|shuffle)\(")


def verdadeiro(f: Flagrante, m: re.Match) -> str:
    torch = "Tensor" in m.string
    if f.chamada in ("max", "min", "sorted"):
        eixo = "dim" if torch else "axis"
        como = f"Use o do array, `x.{f.chamada}({eixo}=…)`" if f.chamada != "sorted" else "Ordene por um número (key=…)"
        return f"O `{f.chamada}` do Python não sabe comparar linhas inteiras de uma matriz. {como}."
    if do_python := re.search(r"(?<![\w.])(any|all)\(", f.onde):
        return f"O `{do_python[1]}` do Python percorre linhas inteiras. Use o do array: `(x < 0).{do_python[1]}()`."
    if re.search(r"\b(if|while)\b[^=!]*[=!]=\s*[^\d\s-]", f.onde) and not re.search(r"\b(and|or|not)\b", f.onde):
        iguais = "torch.allclose" if torch else "np.allclose"
        return (
            "Um `if` precisa de um só True ou False, e a comparação de um array dá um por elemento. "
            f"Para saber se dois arrays são iguais, use `{iguais}(a, b)`; para decidir em cada elemento, não use `if`."
        )
    if re.search(r"\b(and|or|not)\b", f.onde) or len(re.findall(r"[<>]=?", f.onde)) > 1:
        return "Entre arrays, em vez de `and`, `or` e `not`, use `&`, `|` e `~`, com parênteses em cada comparação."
    escolhe = "torch.where" if torch else "np.where"
    return f"Um array inteiro não é verdadeiro nem falso. Para decidir elemento por elemento, use {escolhe}."


def inteiro(f: Flagrante, m: re.Match) -> str:
    if f.divisao:
        return (
            f"Aqui só cabe um inteiro, e `{f.divisao}` é um float, mesmo se a conta é exata. A divisão inteira é `//`."
        )
    nome = f.quem("um float")
    quem = f"`{nome}` é um float{f.de_onde(nome)}, e aqui" if nome else "Aqui"
    return f"{quem} só cabe um inteiro. Se ele vem de uma divisão, use `//`."


def argumentos_a_mais(f: Flagrante, m: re.Match) -> str:
    if f.divisao or (f.quem("um float") and re.search(r"reshape|view|zeros|ones|empty", f.trecho)):
        return inteiro(f, m)  # o torch se queixa assim de um tamanho que não é inteiro
    if re.search(r"(stack|concatenate|cat)$", f.chamada):
        return em_lista(f, m)
    if "." in m[0].partition("(")[0]:
        return "O primeiro argumento de um método é `self`. Ele está na definição?"
    return "A chamada tem mais argumentos do que a função aceita."


def em_lista(f: Flagrante, m: re.Match) -> str:
    if not f.chamada and "[" in f.trecho and (nome := f.quem_no_trecho("um array") or f.quem_no_trecho("um tensor")):
        onde = f.de_onde(nome)
        return f"Entre os colchetes só cabe um inteiro, e `{nome}` é um array{onde}: tire dele um número, com `int(…)`."
    quem = f.chamada or "Essa função"
    return f"`{quem}` recebe as partes juntas, em uma lista: `[a, b]`."


def none(f: Flagrante, m: re.Match) -> str:
    nome = f.quem("None")
    origem = f.de_onde(nome)
    if not nome:
        return "Alguma coisa aqui é None. Falta um return em uma função que você chamou?"
    if not origem:
        return f"`{nome}` é None nesta chamada. Trate esse caso antes: `if {nome} is None: …`."
    if metodo := _MUDA_NO_LUGAR.search(origem):
        como = "sorted(…) devolve outra lista" if metodo[1] == "sort" else "chame-o em uma linha só dele"
        return f"`{metodo[1]}` muda a lista no lugar e devolve None, então `{nome}` é None{origem}; {como}."
    if not re.search(r"[\w\]]\(", origem.partition("=")[2]):  # nada é chamado ali: é outra linha que o deixou assim
        return f"`{nome}` ainda é None quando a conta chega aqui: nenhuma linha executada antes lhe deu outro valor."
    return f"`{nome}` é None{origem}. Falta um return no que foi chamado ali, ou um argumento na chamada?"


def tupla(f: Flagrante, m: re.Match) -> str:
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


def lista(f: Flagrante, m: re.Match) -> str:
    nomes = [n for n in dict.fromkeys(re.findall(r"\w+", f.trecho)) if f.valores.get(n, "").startswith("uma lista")]
    if len(nomes) > 1:
        quais = enumerar(f"`{n}`" for n in nomes)
        return f"{quais} são listas: com elas, `+` junta e `*` repete. Faça um array de cada uma antes da conta."
    nome = f.quem("uma lista")
    quem = f"`{nome}` é uma lista" if nome else "Aqui há uma lista"
    vira = "torch.tensor(…), ou torch.stack se ela é de tensores" if f.com_torch else "np.array(…)"
    return f"{quem}, e listas não fazem essa conta. Transforme-a antes: {vira}."


def espera_tensor(f: Flagrante, m: re.Match) -> str:
    funcao, tipo = m[1], m[2]
    if tipo == "NoneType":
        return none(f, m)
    if tipo == "tuple":
        return tupla(f, m)
    if tipo in ("float", "int"):
        como = f"`math.{funcao}`" if hasattr(math, funcao) else "torch.tensor(…) antes"
        return f"`{f.chamada or funcao}` só aceita tensores, e recebeu um número. Para um número, use {como}."
    if tipo == "list":
        return f"`{f.chamada or funcao}` espera um tensor, e veio uma lista. Transforme-a antes: torch.tensor(…)."
    if tipo == "numpy.ndarray":
        return "O torch espera um tensor, e veio um array do NumPy. Converta antes: torch.tensor(…)."
    return f"`{f.chamada or funcao}` espera um tensor, e veio outra coisa ({tipo})."


def operandos(f: Flagrante, m: re.Match) -> str:
    sinal, tipos = m[1], (m[2], m[3])
    if "NoneType" in tipos:
        return none(f, m)
    if any(t == "tuple" or "return_types" in t for t in tipos):
        return tupla(f, m)
    if sinal.startswith("^"):
        return potencia(f, m)
    if {"numpy.ndarray", "Tensor"} == set(tipos):
        if re.fullmatch(r"f\(.*\)", f.trecho):  # a função que algumas questões dão
            return "A função f recebe um array do NumPy, e você deu a ela um tensor."
        return MISTURA
    if "list" in tipos:
        return lista(f, m)
    if any(t in ("function", "method", "builtin_function_or_method", "type") for t in tipos):
        return "Um dos lados é uma função. Faltaram os parênteses da chamada?"
    return f"Essa conta não existe entre {m[2]} e {m[3]}."


def potencia(f: Flagrante, m: re.Match) -> str:
    return "Em Python a potência é `**`; o `^` é outra operação."


APAGAR = "De um array não se apaga uma posição com del. Troque o valor que está nela, ou escolha as outras."
MISTURA = "NumPy e torch se misturaram nesta conta. Faça tudo com um dos dois (torch.tensor(…) ou .numpy())."
