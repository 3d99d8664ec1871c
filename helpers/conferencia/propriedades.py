"""O que uma saída certa tem de cumprir, seja qual for a conta: é o degrau da escada antes de comparar valores.

Cada propriedade recebe a saída e as entradas e devolve None, ou uma frase que diz o que está errado.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

FOLGA = 1e-3  # larga: aqui se procura um erro, não um arredondamento


@dataclass(frozen=True)
class Propriedade:
    titulo: str  # como aparece na linha verde: "as linhas somam 1"
    verificar: Callable[[np.ndarray, Sequence], str | None]


PROPRIEDADES: dict[str, Propriedade] = {}


def propriedade(nome: str, titulo: str) -> Callable:
    def registrar(verificar: Callable) -> Callable:
        PROPRIEDADES[nome] = Propriedade(titulo, verificar)
        return verificar

    return registrar


def _onde(indice: Sequence[int]) -> str:
    return "[" + ", ".join(str(int(i)) for i in indice) + "]"


def _somas(saida: np.ndarray, eixo: int, alvo: float, nome: str) -> str | None:
    somas = saida.sum(axis=eixo)
    fora = np.argwhere(np.abs(somas - alvo) > FOLGA)
    if not len(fora):
        return None
    primeiro = tuple(fora[0])
    lugar = f" {_onde(primeiro)}" if primeiro else ""
    return f"{nome} deve somar {alvo:g}; em{lugar or ' sua saída'} a soma deu {float(somas[primeiro]):.4g}."


@propriedade("linhas-somam-1", "as linhas somam 1")
def _linhas_somam_1(saida: np.ndarray, entradas: Sequence) -> str | None:
    return _somas(saida, -1, 1.0, "Cada linha de pesos")


@propriedade("linhas-somam-0", "as linhas somam 0")
def _linhas_somam_0(saida: np.ndarray, entradas: Sequence) -> str | None:
    return _somas(saida, -1, 0.0, "Cada linha")


@propriedade("soma-1-no-eixo", "a soma é 1 ao longo do eixo")
def _soma_1_no_eixo(saida: np.ndarray, entradas: Sequence) -> str | None:
    # O eixo é o último argumento, quando foi dado: softmax(x, eixo), softmax_temperatura(x, T, eixo).
    eixo = entradas[-1] if len(entradas) > 1 and type(entradas[-1]) is int else -1
    return _somas(saida, eixo, 1.0, f"Ao longo do eixo {eixo}, a saída")


@propriedade("nao-negativa", "nada é negativo")
def _nao_negativa(saida: np.ndarray, entradas: Sequence) -> str | None:
    fora = np.argwhere(saida < -1e-6)
    if not len(fora):
        return None
    return f"A saída não pode ter valores negativos, e em {_onde(fora[0])} há {float(saida[tuple(fora[0])]):.4g}."


@propriedade("entre-0-e-1", "tudo entre 0 e 1")
def _entre_0_e_1(saida: np.ndarray, entradas: Sequence) -> str | None:
    fora = np.argwhere((saida < -1e-6) | (saida > 1 + FOLGA))
    if not len(fora):
        return None
    veio = f"{float(saida[tuple(fora[0])]):.4g}"
    if not saida.ndim:
        return f"O resultado deve ficar entre 0 e 1, e veio {veio}."
    return f"Todo valor deve ficar entre 0 e 1, e em {_onde(fora[0])} há {veio}."


@propriedade("simetrica", "a matriz é simétrica")
def _simetrica(saida: np.ndarray, entradas: Sequence) -> str | None:
    fora = np.argwhere(np.abs(saida - saida.T) > FOLGA * (1 + np.abs(saida)))
    if not len(fora):
        return None
    i, j = (int(k) for k in fora[0])
    return (
        f"A matriz deve ser simétrica, mas a entrada [{i}, {j}] é {float(saida[i, j]):.4g} "
        f"e a [{j}, {i}] é {float(saida[j, i]):.4g}."
    )
