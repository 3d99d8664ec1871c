"""Quanto custa uma conferência além da conta do aluno, contra o `assert_allclose` do NumPy nos mesmos casos.

Rode na raiz: python curso.py bancada conferencia (ou, com o Python do curso, python -m bancadas.conferencia).
A última linha é um objeto JSON com as razões.
"""

import contextlib
import json
import statistics
import time
from collections.abc import Callable

import numpy as np

from configuracao import comandos
from configuracao.terminal import rodar
from gabarito.base import carregar_tudo
from helpers.conferencia.codificacao import decodificar
from helpers.conferir import Conferencia, conferir


def mediana_ms(f: Callable[[], None], vezes: int) -> float:
    tempos = []
    for _ in range(vezes):
        inicio = time.perf_counter()
        f()
        tempos.append(1000 * (time.perf_counter() - inicio))
    return statistics.median(tempos)


def _errada(q) -> Callable[[], None]:
    def f() -> None:
        with contextlib.suppress(Conferencia):
            conferir(q.nome, q.equivocos[0].funcao)

    return f


def _conta(q) -> Callable[[], list]:
    """Só construir as entradas dos casos visíveis (sem os que pedem um erro) e chamar a função."""
    casos = [c.entradas for c in q.visivel(com_equivocos=False).casos if "erro" not in c.esperado]
    funcao = q.adaptar(q.referencia)
    # Construídas a cada vez, como faz a conferência: um gerador de números que já sorteou não é a mesma entrada.
    return lambda: [funcao(*[decodificar(e, confiavel=True) for e in entradas]) for entradas in casos]


def _par(q) -> Callable[[], None]:
    """O par: chamar a função e comparar com assert_allclose, sem diagnóstico nenhum."""
    conta = _conta(q)
    certas = conta()

    def f() -> None:
        for saida, certa in zip(conta(), certas, strict=True):
            pares = zip(saida, certa, strict=True) if isinstance(certa, tuple) else [(saida, certa)]
            for a, b in pares:
                if not isinstance(b, str | list):  # textos e pares não têm o que comparar com tolerância
                    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=1e-4, atol=1e-6)

    return f


def main(argumentos: list[str] | None = None) -> int:
    vezes = 2 if comandos.ler("bancada conferencia", argumentos).rapida else 30
    linhas = []
    for q in carregar_tudo().values():
        if q.lista.startswith("lista-"):
            conta = mediana_ms(_conta(q), vezes)
            par = mediana_ms(_par(q), vezes)
            certa = mediana_ms(lambda q=q: conferir(q.nome, q.referencia), vezes)
            errada = mediana_ms(_errada(q), vezes)
            linhas.append((q.nome, conta, par, certa, errada))
            print(f"{q.nome:36s} conta {conta:6.2f}  allclose {par:6.2f}  certa {certa:6.2f}  errada {errada:6.2f} ms")
    pior = max(max(certa, errada) - conta for _, conta, _, certa, errada in linhas)
    razao = statistics.median(certa / par for _, _, par, certa, _ in linhas)
    print(json.dumps({"razao_mediana_contra_assert_allclose": round(razao, 2), "pior_custo_ms": round(pior, 2)}))
    return 0


if __name__ == "__main__":
    rodar(main)
