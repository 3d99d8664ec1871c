"""Quanto custa corrigir uma entrega na caixa, com julgamento fora do kernel, contra o `nbgrader autograde` puro.

    python curso.py bancada correcao [--rapida] [--turma N] [--lista LISTA]

As mesmas entregas (certas, erradas, alternativas, em branco) das listas 02, 05, 08 e 10 passam pelos dois, na mesma
execução. Conta-se o tempo de CPU de tudo o que cada comando põe para rodar, e também o de quem ele mata. Com
`--turma N`, corrigem-se N entregas das listas 05 e 10, e depois delas rodam `devolver`, `notas` e `relatorio`. Com
`--lista`, só uma lista. A última linha é um objeto JSON.
"""

import contextlib
import ctypes
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
from typing import NamedTuple

import nbformat
from nbgrader import utils

from configuracao import comandos
from configuracao.terminal import rodar
from correcao.comum.anotacao import registro_da_correcao
from correcao.demo import responder
from correcao.juizo.preprocessadores import questao_da_celula
from gabarito.codigo import como_celula
from gabarito.no_nbgrader import listas_do_curso
from helpers import RAIZ
from helpers.conferencia.listas import achar_lista, nao_existe

LISTAS = ("02", "05", "08", "10")
DE_UMA_TURMA = ("05", "10")
POUCOS = 4  # alunos da turma menor: um de cada jeito
PROMESSA = {"02": 3, "05": 5, "08": 5, "10": 5}  # quantas vezes menos CPU que o nbgrader puro
_PR_SET_CHILD_SUBREAPER = 36
CONFIG_PURA = """c = get_config()
c.CourseDirectory.course_id = "pura"
c.CourseDirectory.root = {raiz!r}
c.Execute.timeout = 90
"""


class Medida(NamedTuple):
    cpu: float  # segundos
    relogio: float


def respostas(lista: str) -> list[dict[str, str]]:
    """Uma entrega de cada jeito: célula de resposta → código."""
    nb = nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)
    questoes = [q for c in nb.cells if (q := questao_da_celula(c))]
    celulas = [c for c in nb.cells if utils.is_solution(c) and not utils.is_grade(c)]
    certa = {c.metadata.nbgrader.grade_id: c.source for c in celulas}
    errada = {q.funcao: como_celula(q, q.equivocos[0]) for q in questoes}
    alternativa = {q.funcao: como_celula(q, q.alternativas[0]) for q in questoes if q.alternativas}
    return [certa, errada, certa | alternativa, {}]


def preparar(pasta: Path, lista: str, alunos: int, pura: bool) -> Path:
    shutil.copytree(RAIZ / "source" / lista, pasta / "source" / lista)
    emitida = (RAIZ / "release" / lista / f"{lista}.ipynb").read_text(encoding="utf-8")
    jeitos = respostas(lista)
    for i in range(alunos):
        destino = pasta / "submitted" / f"aluno-{i:04d}" / lista
        destino.mkdir(parents=True)
        nb = responder(nbformat.reads(emitida, as_version=4), jeitos[i % len(jeitos)], None)
        nbformat.write(nb, destino / f"{lista}.ipynb")
    if pura:
        (pasta / "nbgrader_config.py").write_text(CONFIG_PURA.format(raiz=str(pasta)), encoding="utf-8")
    medir(pasta, pura, "nbgrader", "generate_assignment", lista)
    return pasta


def medir(turma: Path, pura: bool, *comando: str) -> Medida:
    """Roda `python -m comando` e conta o que ele e todos os que dele nasceram gastaram."""
    ambiente = os.environ | {"OMP_NUM_THREADS": "1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    ambiente |= {} if pura else {"CURSO_TURMA": str(turma)}
    antes, inicio = _gasto(), time.perf_counter()
    feito = subprocess.run(
        [sys.executable, "-m", *comando], cwd=turma if pura else RAIZ, env=ambiente, capture_output=True, text=True
    )
    relogio = time.perf_counter() - inicio
    if feito.returncode not in (0, 3):
        sys.exit(f"O comando {' '.join(comando)} falhou:\n{feito.stderr[-2000:]}")
    _recolher_os_orfaos()
    return Medida(_gasto() - antes, relogio)


def corrigir(turma: Path, lista: str, pura: bool) -> Medida:
    return medir(turma, pura, *(["nbgrader", "autograde"] if pura else ["correcao.juizo.corrigir"]), lista)


def _gasto() -> float:
    uso = resource.getrusage(resource.RUSAGE_CHILDREN)
    return uso.ru_utime + uso.ru_stime


def _adotar_os_orfaos() -> None:
    """O que sobrevive a quem o pôs para rodar passa a ser nosso filho: senão o tempo dele não apareceria na conta."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _recolher_os_orfaos() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def comparar(lista: str, alunos: int) -> dict[str, float]:
    """As razões desta lista, com a tabela na tela.

    O que custa uma entrega é a diferença entre uma turma e outra menor, dividida pelos alunos a mais; o resto é o que
    custa começar, que não depende da turma.
    """
    tamanhos, medidas = (POUCOS, alunos), {}
    with tempfile.TemporaryDirectory(prefix="bancada-") as pasta:
        for pura in (True, False):  # o que um computador só faz uma vez (os .pyc, as fontes) fica fora da conta
            corrigir(preparar(Path(pasta, f"antes-{pura}"), lista, 1, pura), lista, pura)
        for n, pura in [(n, pura) for n in tamanhos for pura in (True, False)]:
            turma = preparar(Path(pasta, f"{n}-{pura}"), lista, n, pura)
            medida = corrigir(turma, lista, pura)
            # quem morre com a caixa não deixa o seu tempo a ninguém: soma-se o que a correção anotou
            na_caixa = 0.0 if pura else _na_caixa(turma, lista)
            medidas[n, pura] = Medida(medida.cpu + n * na_caixa, medida.relogio)
    marginal, partida = {}, {}
    for pura, nome in ((True, "nbgrader puro"), (False, "o curso")):
        menor, maior = medidas[POUCOS, pura], medidas[alunos, pura]
        marginal[pura] = Medida(*((b - a) / (alunos - POUCOS) for a, b in zip(menor, maior, strict=True)))
        partida[pura] = menor.cpu - POUCOS * marginal[pura].cpu
        print(f"{lista:<28}{nome:<16}{marginal[pura].cpu:>12.2f}{marginal[pura].relogio:>12.2f}{partida[pura]:>12.1f}")
    puro, curso = marginal[True], marginal[False]
    empate = (partida[False] - partida[True]) / (puro.cpu - curso.cpu)
    print(f"{'':<28}{'  na caixa':<16}{na_caixa:>12.2f}    gasta menos no total a partir de {empate:.0f} entregas")
    print(f"{'':<44}    se só custasse o que roda na caixa, a razão seria {puro.cpu / na_caixa:.1f}\n")
    razoes = {"cpu": round(puro.cpu / curso.cpu, 2), "relogio": round(puro.relogio / curso.relogio, 2)}
    return razoes | {"na_caixa": round(na_caixa / curso.cpu, 2), "promessa": PROMESSA.get(lista[6:8], 3)}


def _na_caixa(turma: Path, lista: str) -> float:
    """Segundos de CPU por entrega dentro da caixa: o kernel e o que o aluno escreveu."""
    anotacoes = [registro_da_correcao(p) for p in (turma / "autograded").glob(f"*/{lista}/{lista}.ipynb")]
    return statistics.mean(a.processador or 0.0 for a in anotacoes if a)


def turma_inteira(lista: str, alunos: int) -> dict[str, dict[str, float]]:
    """Quanto espera quem corrige uma turma destas, do primeiro comando ao último, e quanto gasta por aluno."""
    with tempfile.TemporaryDirectory(prefix="bancada-") as pasta:
        turma = preparar(Path(pasta), lista, alunos, pura=False)
        corrigida = corrigir(turma, lista, pura=False)
        medidas = {"corrigir": Medida(corrigida.cpu + alunos * _na_caixa(turma, lista), corrigida.relogio)}
        medidas["nada a fazer"] = corrigir(turma, lista, pura=False)
        for comando in ("devolver", "notas", "relatorio"):
            medidas[comando] = medir(turma, False, f"correcao.devolucao.{comando}", lista)
    for nome, m in medidas.items():
        print(
            f"{alunos} de {lista}: {nome:<14}{m.relogio:>8.1f} s  CPU {m.cpu:>7.1f} s  {m.cpu / alunos:.3f} por aluno"
        )
    return {nome: {"relogio": round(m.relogio, 1), "cpu_por_aluno": m.cpu / alunos} for nome, m in medidas.items()}


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("bancada correcao", argumentos)
    _adotar_os_orfaos()
    pedidas = [pedido.lista] if pedido.lista else DE_UMA_TURMA if pedido.turma else LISTAS
    nomes = {numero: achar_lista(numero, listas_do_curso()) for numero in pedidas}
    if None in nomes.values():
        sys.exit(nao_existe(pedido.lista, listas_do_curso()))
    if pedido.turma:
        tempos = {numero: turma_inteira(nome, pedido.turma) for numero, nome in nomes.items() if nome}
        print(json.dumps({"bancada": "correcao", "entregas": pedido.turma, "segundos": tempos}))
        return 0
    alunos = 12 if pedido.rapida else 28
    quais = list(nomes.values())[:1] if pedido.rapida else nomes.values()
    print(f"{'':<44}{'CPU/entrega':>12}{'relógio':>12}{'partida':>12}   (segundos; turmas de {POUCOS} e {alunos})")
    razoes = {lista[6:8]: comparar(lista, alunos) for lista in quais if lista}
    print(json.dumps({"bancada": "correcao", "entregas": [POUCOS, alunos], "razao": razoes}))
    return 0


if __name__ == "__main__":
    rodar(main)
