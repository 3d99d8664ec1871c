"""Quanto custa uma conferência além da conta do aluno, contra o `assert_allclose` do NumPy nos mesmos casos.

Rode com o Python do curso, na raiz: .venv/bin/python bancadas/conferencia.py
A última linha é um objeto JSON com as razões.
"""

import contextlib
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from gabarito.base import carregar_tudo
from helpers.conferir import Conferencia, conferir
from helpers.dados import decodificar

VEZES = 30


def mediana_ms(f: Callable[[], None]) -> float:
    tempos = []
    for _ in range(VEZES):
        inicio = time.perf_counter()
        f()
        tempos.append(1000 * (time.perf_counter() - inicio))
    return statistics.median(tempos)


def _errada(q) -> Callable[[], None]:
    def f() -> None:
        with contextlib.suppress(Conferencia):
            conferir(q.nome, q.equivocos[0].funcao)

    return f


def _entradas(q) -> list[list]:
    """As entradas dos casos visíveis em que a resposta não é um erro, já construídas."""
    casos = [c for c in q.visivel(com_enganos=False).casos if "erro" not in c.esperado]
    return [[decodificar(e, confiavel=True) for e in c.entradas] for c in casos]


def _par(q) -> Callable[[], None]:
    """O par: chamar a função e comparar com assert_allclose, sem diagnóstico nenhum."""
    entradas, funcao = _entradas(q), q.adaptar(q.referencia)
    certas = [funcao(*e) for e in entradas]

    def f() -> None:
        for e, certa in zip(entradas, certas, strict=True):
            saida = funcao(*e)
            pares = zip(saida, certa, strict=True) if isinstance(certa, tuple) else [(saida, certa)]
            for a, b in pares:
                if not isinstance(b, str | list):  # textos e pares não têm o que comparar com tolerância
                    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=1e-4, atol=1e-6)

    return f


def main() -> None:
    linhas = []
    for q in carregar_tudo().values():
        if q.lista.startswith("lista-"):
            entradas, funcao = _entradas(q), q.adaptar(q.referencia)
            conta = mediana_ms(lambda f=funcao, entradas=entradas: [f(*e) for e in entradas])
            par = mediana_ms(_par(q))
            certa = mediana_ms(lambda q=q: conferir(q.nome, q.referencia))
            errada = mediana_ms(_errada(q))
            linhas.append((q.nome, conta, par, certa, errada))
            print(
                f"{q.nome:36s} conta {conta:6.2f}  allclose {par:6.2f}  certa {certa:6.2f}  errada {errada:6.2f} ms"
            )
    pior = max(max(certa, errada) - conta for _, conta, _, certa, errada in linhas)
    razao = statistics.median(certa / par for _, _, par, certa, _ in linhas)
    print(json.dumps({"razao_mediana_contra_assert_allclose": round(razao, 2), "pior_custo_ms": round(pior, 2)}))


if __name__ == "__main__":
    main()
