"""Quanto custa uma conferência além da conta do aluno, contra o `assert_allclose` do NumPy nos mesmos casos.

Rode na raiz: python curso.py bancada conferencia (ou, com o Python do curso, python -m bancadas.conferencia).
A resposta errada, que é quando alguém espera para ler, se mede em todos os equívocos do banco. Com `--antes PASTA`, a
comparação é com o curso de outra pasta, em rodadas alternadas. A última linha é um objeto JSON com as razões.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from configuracao import comandos
from configuracao.terminal import rodar
from gabarito.base import Questao, carregar_tudo
from helpers import RAIZ
from helpers.conferencia.codificacao import decodificar
from helpers.conferir import Conferencia, conferir

Tempos = dict[str, dict[str, float]]  # questão → "certa" ou "erradas" → ms


def mediana_ms(f: Callable[[], object], vezes: int) -> float:
    tempos = []
    for _ in range(vezes):
        inicio = time.perf_counter()
        f()
        tempos.append(1000 * (time.perf_counter() - inicio))
    return statistics.median(tempos)


def _conferencia(q: Questao, resposta: Callable) -> Callable[[], None]:
    def f() -> None:
        with contextlib.suppress(Conferencia):
            conferir(q.nome, resposta)

    return f


def _conta(q: Questao) -> Callable[[], list]:
    """Só construir as entradas dos casos visíveis (sem os que pedem um erro) e chamar a função."""
    casos = [c.entradas for c in q.visivel(com_equivocos=False).casos if "erro" not in c.esperado]
    funcao = q.adaptar(q.referencia)
    # Construídas a cada vez, como faz a conferência: um gerador de números que já sorteou não é a mesma entrada.
    return lambda: [funcao(*[decodificar(e, confiavel=True) for e in entradas]) for entradas in casos]


def _par(q: Questao) -> Callable[[], None]:
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


def _das_listas() -> list[Questao]:
    return [q for q in carregar_tudo().values() if q.lista.startswith("lista-")]


# ---------------------------------------------------------------- contra o assert_allclose


def contra_o_numpy(vezes: int) -> None:
    linhas = []
    for q in _das_listas():
        conta, par = mediana_ms(_conta(q), vezes), mediana_ms(_par(q), vezes)
        certa = mediana_ms(_conferencia(q, q.referencia), vezes)
        # as erradas são muitas: menos vezes cada uma, e a média delas
        errada = statistics.mean(mediana_ms(_conferencia(q, e.funcao), max(2, vezes // 10)) for e in q.equivocos)
        linhas.append((q.nome, conta, par, certa, errada))
        print(f"{q.nome:36s} conta {conta:6.2f}  allclose {par:6.2f}  certa {certa:6.2f}  errada {errada:6.2f} ms")
    pior = max(max(certa, errada) - conta for _, conta, _, certa, errada in linhas)
    razoes = {
        "razao_mediana_contra_assert_allclose": statistics.median(certa / par for _, _, par, certa, _ in linhas),
        "razao_mediana_das_erradas": statistics.median(errada / par for _, _, par, _, errada in linhas),
        "pior_custo_ms": pior,
    }
    print(json.dumps({nome: round(valor, 2) for nome, valor in razoes.items()}))


# ---------------------------------------------------------------- contra o curso de outra pasta


def tempos(segundos: float) -> Tempos:
    """De cada questão, os ms de processador da resposta certa e de todas as erradas, cada uma conferida uma vez."""
    medidos = {}
    for q in _das_listas():
        erradas = [_conferencia(q, e.funcao) for e in q.equivocos]
        medidos[q.nome] = {
            "certa": _processador_ms([_conferencia(q, q.referencia)], segundos),
            "erradas": _processador_ms(erradas, segundos),
        }
    return medidos


def _processador_ms(conferencias: list[Callable[[], None]], segundos: float) -> float:
    """Repete-as até somar este tempo: o relógio do processador anda aos saltos, e o da parede conta o dos outros."""
    inicio, voltas = time.process_time(), 0
    while voltas == 0 or time.process_time() - inicio < segundos:
        for conferencia in conferencias:
            conferencia()
        voltas += 1
    return 1000 * (time.process_time() - inicio) / voltas


def _tempos_em(pasta: Path, segundos: float) -> Tempos:
    """O mesmo programa, com o gabarito e os helpers da pasta."""
    codigo = f"import json, runpy; print(json.dumps(runpy.run_path({__file__!r})['tempos']({segundos})))"
    feito = subprocess.run(
        [sys.executable, "-c", codigo],
        cwd=pasta,
        env=os.environ | {"PYTHONPATH": str(pasta), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    if feito.returncode:
        raise SystemExit(f"A medição em {pasta} não terminou: {feito.stderr.strip().splitlines()[-1]}")
    return json.loads(feito.stdout.splitlines()[-1])


def contra_outra_pasta(pasta: Path, voltas: int, segundos: float) -> None:
    rodadas: dict[Path, list[Tempos]] = {pasta: [], RAIZ: []}
    for volta in range(voltas):
        for onde in [pasta, RAIZ] if volta % 2 == 0 else [RAIZ, pasta]:
            rodadas[onde].append(_tempos_em(onde, segundos))
    razoes = {}
    for que in ("certa", "erradas"):
        antes, agora = ({q: min(t[q][que] for t in rodadas[onde]) for q in rodadas[onde][0]} for onde in (pasta, RAIZ))
        comuns = sorted(antes.keys() & agora.keys())
        for q in comuns:
            print(f"{que:8s} {q:36s} {antes[q]:9.2f} ms antes {agora[q]:9.2f} ms agora  {agora[q] / antes[q]:5.2f}×")
        razoes[f"{que}_soma"] = sum(agora[q] for q in comuns) / sum(antes[q] for q in comuns)
        razoes[f"{que}_mediana"] = statistics.median(agora[q] / antes[q] for q in comuns)
    print(json.dumps({nome: round(valor, 3) for nome, valor in razoes.items()}))


def main(argumentos: list[str] | None = None) -> int:
    opcoes = comandos.ler("bancada conferencia", argumentos)
    if opcoes.antes:
        contra_outra_pasta(opcoes.antes.resolve(), *((1, 0.0) if opcoes.rapida else (3, 0.2)))
    else:
        contra_o_numpy(vezes=2 if opcoes.rapida else 30)
    return 0


if __name__ == "__main__":
    rodar(main)
