"""Quanto custa corrigir uma entrega na caixa, com julgamento fora do kernel, contra o `nbgrader autograde` puro.

    python curso.py bancada correcao [--rapida]

As mesmas entregas (certas, erradas, alternativas, em branco) passam pelos dois, em rodadas alternadas, na mesma
execução. Conta-se o tempo de CPU de tudo o que cada comando põe para rodar. A última linha é um objeto JSON com as
razões; a promessa do curso é que isolar e julgar custe no máximo 10 % a mais.
"""

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbgrader import utils

from configuracao import comandos
from configuracao.terminal import rodar
from correcao.demo import responder
from correcao.preprocessadores import questao_da_celula
from gabarito.codigo import como_celula
from helpers import RAIZ

LISTA = "lista-04-qkv"
CONFIG_PURA = """c = get_config()
c.CourseDirectory.course_id = "pura"
c.CourseDirectory.root = {raiz!r}
c.Execute.timeout = 90
"""


def respostas() -> dict[str, dict[str, str]]:
    """Uma entrega de cada jeito: célula de resposta → código."""
    nb = nbformat.read(RAIZ / "source" / LISTA / f"{LISTA}.ipynb", as_version=4)
    questoes = [q for c in nb.cells if (q := questao_da_celula(c))]
    celulas = [c for c in nb.cells if utils.is_solution(c) and not utils.is_grade(c)]
    solucoes = {c.metadata.nbgrader.grade_id: c.source for c in celulas}
    return {
        "certa": solucoes,
        "errada": {q.funcao: como_celula(q, q.equivocos[0]) for q in questoes},
        "alternativa": {q.funcao: como_celula(q, q.alternativas[0]) for q in questoes},
        "branca": {},
    }


def entregar(turma: Path, aluno: str, codigo: dict[str, str]) -> None:
    nb = responder(nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4), codigo, None)
    destino = turma / "submitted" / aluno / LISTA
    destino.mkdir(parents=True)
    nbformat.write(nb, destino / f"{LISTA}.ipynb")


def preparar(pasta: Path, alunos: int, pura: bool) -> Path:
    shutil.copytree(RAIZ / "source" / LISTA, pasta / "source" / LISTA)
    jeitos = list(respostas().values())
    for i in range(alunos):
        entregar(pasta, f"aluno-{i:02d}", jeitos[i % len(jeitos)])
    if pura:
        (pasta / "nbgrader_config.py").write_text(CONFIG_PURA.format(raiz=str(pasta)), encoding="utf-8")
    nbgrader(pasta, pura, "generate_assignment", LISTA)
    return pasta


def nbgrader(turma: Path, pura: bool, *argumentos: str) -> tuple[float, float]:
    """Roda o comando do nbgrader e devolve (segundos de CPU, segundos de relógio)."""
    ambiente = os.environ | {"OMP_NUM_THREADS": "1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    if not pura:
        ambiente["CURSO_TURMA"] = str(turma)
    antes, inicio = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    feito = subprocess.run(
        [sys.executable, "-m", "nbgrader", *argumentos],
        cwd=turma if pura else RAIZ,
        env=ambiente,
        capture_output=True,
        text=True,
    )
    depois = resource.getrusage(resource.RUSAGE_CHILDREN)
    if feito.returncode:
        sys.exit(f"O nbgrader {'puro' if pura else 'do curso'} falhou:\n{feito.stderr[-2000:]}")
    cpu = depois.ru_utime + depois.ru_stime - antes.ru_utime - antes.ru_stime
    return cpu, time.perf_counter() - inicio


def main(argumentos: list[str] | None = None) -> int:
    rapida = comandos.ler("bancada correcao", argumentos).rapida
    alunos, rodadas = (4, 1) if rapida else (24, 2)
    medidas: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    with tempfile.TemporaryDirectory(prefix="bancada-") as pasta:
        turmas = {pura: preparar(Path(pasta, "pura" if pura else "curso"), alunos, pura) for pura in (True, False)}
        for rodada in range(rodadas):
            for pura in (True, False) if rodada % 2 == 0 else (False, True):
                medidas[pura].append(nbgrader(turmas[pura], pura, "autograde", LISTA, "--force"))
    print(f"{alunos} entregas de {LISTA}, {rodadas} rodada(s) alternada(s)\n")
    print(f"{'':<24}{'CPU s/entrega':>16}{'relógio s/entrega':>20}")
    por_entrega = {}
    for pura, nome in ((True, "nbgrader puro"), (False, "o curso: caixa e juiz")):
        cpu, relogio = (statistics.median(m[i] for m in medidas[pura]) / alunos for i in (0, 1))
        por_entrega[pura] = (cpu, relogio)
        print(f"{nome:<24}{cpu:>16.2f}{relogio:>20.2f}")
    razoes = {nome: round(por_entrega[False][i] / por_entrega[True][i], 3) for i, nome in ((0, "cpu"), (1, "relogio"))}
    print(json.dumps({"bancada": "correcao", "entregas": alunos, "rodadas": rodadas, "razao": razoes}))
    return 0


if __name__ == "__main__":
    rodar(main)
