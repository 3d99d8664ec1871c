"""As frases que servem a qualquer questão: a estrutura e a forma da saída. As dos erros estão em `erros`."""

import re

from helpers.escrita import enumerar

TIPO_DO_RECADO = "text/vnd.curso.recado"  # como uma conferência diz algo a quem passou
TIPOS_POR_EXTENSO = {
    "array": "um array do NumPy ou um tensor do torch, em float32 ou float64",
    "booleanos": "um array de booleanos (True ou False)",
    "float": "um float",
    "int": "um int",
    "bool": "um bool (True ou False)",
    "texto": "um texto",
    "pares": "uma lista de pares (i, j) de inteiros",
}


def explicar_estrutura(veio: str, saidas: list[tuple[str, str]], lugar: str) -> str:
    """A função devolveu outro tipo de coisa."""
    nomes = ", ".join(nome for nome, _ in saidas)
    pede = f"dois valores, ({nomes})" if len(saidas) == 2 else f"{len(saidas)} valores, ({nomes})"
    if len(saidas) == 1:
        pede = TIPOS_POR_EXTENSO.get(saidas[0][1], saidas[0][1])
    if veio.startswith("entre os valores, "):
        return f"{lugar}, sua função devolveu, {veio}; {_o_que_cada_um_e(saidas)}."
    if veio == "None":
        return f"{lugar}, sua função não devolveu nada (None); falta um return?"
    junte = " Junte-a em um array só: np.array, np.stack ou torch.stack." if veio.startswith("uma lista") else ""
    return f"{lugar}, sua função devolveu {veio}; o enunciado pede {pede}.{junte if 'array' in pede else ''}"


def _o_que_cada_um_e(saidas: list[tuple[str, str]]) -> str:
    """“Y e A devem ser, cada um, um array” ou, se os tipos são outros, “quem deve ser um texto, e votos, um array”."""
    tipos = [TIPOS_POR_EXTENSO.get(tipo, tipo) for _, tipo in saidas]
    nomes = [f"`{nome}`" for nome, _ in saidas]
    if len(set(tipos)) == 1:
        return f"{', '.join(nomes[:-1])} e {nomes[-1]} devem ser, cada um, {tipos[0]}"
    primeiro, *outros = (f"{nome}, {tipo}" for nome, tipo in zip(nomes, tipos, strict=True))
    return f"{primeiro.replace(', ', ' deve ser ', 1)}{''.join(f', e {outro}' for outro in outros)}"


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


def certa_com_outra(funcoes: list[str], inteira: bool = True) -> str:
    """A resposta só erra por causa de outras funções do aluno, que já foram descontadas no lugar delas."""
    nomes = enumerar(f"`{f}`" for f in funcoes)
    uma, sua = (f"uma {nomes} certa", "da sua") if len(funcoes) == 1 else (f"{nomes} certas", "das suas")
    if inteira:
        return (
            f"Esta resposta está certa: com {uma}, ela acerta tudo. O erro {sua} já foi descontado lá, e por isso você "
            "ganhou os pontos desta."
        )
    return f"Com {uma}, esta resposta acerta mais. O erro {sua} já foi descontado lá, e aqui não conta."


def errada_tambem_com_outra(funcoes: list[str]) -> str:
    """A resposta erra por causa de outras funções do aluno, e também por si."""
    nomes = enumerar(f"`{f}`" for f in funcoes)
    return f"Mesmo com {f'uma {nomes} certa' if len(funcoes) == 1 else f'{nomes} certas'}, ela ainda erra."


def so_conta_la(funcoes: list[str]) -> str:
    """O mesmo, antes da correção."""
    nomes = enumerar(f"`{f}`" for f in funcoes)
    uma, sua = (f"uma {nomes} certa", "da sua") if len(funcoes) == 1 else (f"{nomes} certas", "das suas")
    return f"Esta resposta está certa: com {uma}, ela acerta tudo. O erro {sua} só conta na outra questão."


def pode_vir_de(funcoes: list[str]) -> str:
    """Aqui não se sabe se o erro é da resposta ou das funções de que ela depende."""
    nomes = enumerar(f"`{f}`" for f in funcoes)
    if len(funcoes) == 1:
        return f"A sua {nomes} também está errada: conserte-a antes. Se o erro é só dela, esta questão ganha os pontos."
    return f"As suas {nomes} também têm erros: conserte-as antes. Se o erro é só delas, esta questão ganha os pontos."


def sem_palpites(frase: str) -> str:
    """A frase de um erro do Python só com o que ela afirma: da primeira pergunta em diante, ela supõe."""
    parou, fecha, explicacao = frase.rpartition("). ")
    if "sua função parou com " not in parou:
        return frase
    frases = re.split(r"(?<=[.?!]) ", explicacao)
    certas = next((i for i, f in enumerate(frases) if f.endswith("?")), len(frases))
    return " ".join([f"{parou}).", *frases[:certas]])
