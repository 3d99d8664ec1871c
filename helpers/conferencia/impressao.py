"""Impressões digitais: conferir uma saída sem ter a resposta escrita no arquivo.

O arquivo de referências vai para o aluno. Se guardasse as saídas certas, uma função que procura a entrada na tabela
passaria. Por isso cada número vira uma marca: o valor é arredondado para uma grade um pouco mais larga que a
tolerância e passa por um hash. Quem tem o valor (ou um vizinho dele, dentro da tolerância) reconhece a marca; quem tem
a marca não lê o valor.
"""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

Numero = TypeVar("Numero", float, np.ndarray)
TAMANHO = 8  # algarismos hexadecimais por marca


@dataclass(frozen=True)
class Tolerancia:
    """Quanto duas contas certas podem diferir: rtol·|valor| + atol."""

    rtol: float
    atol: float

    def folga(self, valor: Numero) -> Numero:
        return self.atol + self.rtol * abs(valor)

    def iguais(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Elemento a elemento; NaN só é igual a NaN, e infinito a infinito do mesmo sinal."""
        with np.errstate(invalid="ignore"):
            perto = np.isfinite(b) & (np.abs(a - b) <= self.folga(b))  # com b infinito, a folga também seria
        return perto | (a == b) | (np.isnan(a) & np.isnan(b))


def marca(sal: str, indice: int, casa: int | str) -> str:
    # o texto que um aluno devolve pode ter meio caractere, que o UTF-8 não aceita
    return hashlib.sha256(f"{sal}|{indice}|{casa}".encode("utf-8", "surrogatepass")).hexdigest()[:TAMANHO]


def _casa(valor: float, expoente: int) -> int | str:
    """A casa da grade de lado 2^expoente em que o valor cai; o que não é finito é a sua própria casa."""
    return math.floor(math.ldexp(valor, -expoente)) if math.isfinite(valor) else str(valor)


def _expoente(valor: float, tolerancia: Tolerancia) -> int:
    """A menor potência de dois que cobre a folga: do valor, só revela a ordem de grandeza.

    Com casas do tamanho da folga (e 20 % a mais), o certo está sempre na casa do valor do aluno ou em uma das casas
    de valor ± folga: quem está dentro da tolerância nunca é recusado, e quem está a quatro folgas nunca é aceito.
    """
    folga = float(tolerancia.folga(valor)) if math.isfinite(valor) else 1.0
    return math.ceil(math.log2(1.2 * folga))


def imprimir(valores: np.ndarray, sal: str, tolerancia: Tolerancia) -> dict:
    """As marcas de um array, na ordem de leitura."""
    planos = [float(v) for v in np.asarray(valores, dtype=float).ravel()]
    expoentes = [_expoente(v, tolerancia) for v in planos]
    marcas = [marca(sal, i, _casa(v, e)) for i, (v, e) in enumerate(zip(planos, expoentes, strict=True))]
    return {"expoentes": expoentes, "marcas": " ".join(marcas)}


def reconhecer(valores: np.ndarray, impressao: dict, sal: str, tolerancia: Tolerancia) -> np.ndarray:
    """Para cada valor: a marca guardada é a dele, ou a de um vizinho dentro da tolerância?"""
    return np.fromiter(_um_a_um(valores, impressao, sal, tolerancia), bool, valores.size).reshape(valores.shape)


def reconhece(valores: np.ndarray, impressao: dict, sal: str, tolerancia: Tolerancia) -> bool:
    """O mesmo, de todos eles: para no primeiro que não é."""
    return all(_um_a_um(valores, impressao, sal, tolerancia))


def _um_a_um(valores: np.ndarray, impressao: dict, sal: str, tolerancia: Tolerancia) -> Iterator[bool]:
    guardados = zip(valores.ravel().tolist(), impressao["expoentes"], impressao["marcas"].split(), strict=True)
    for i, (valor, expoente, guardada) in enumerate(guardados):
        casa = _casa(valor, expoente)
        if marca(sal, i, casa) == guardada:
            yield True
            continue
        # 5 % a mais porque a folga é medida no valor do aluno, e não no certo, que aqui não se conhece
        folga = 1.05 * float(tolerancia.folga(valor)) if math.isfinite(valor) else 0.0
        vizinhas = {_casa(valor - folga, expoente), _casa(valor + folga, expoente)} - {casa}
        yield any(marca(sal, i, vizinha) == guardada for vizinha in vizinhas)
