"""`python curso.py testar`: o estilo, os tipos, os testes e as aulas, com um quadro no fim.

Roda com o Python do ambiente, chamado pelo curso.py. Cada etapa escreve na tela o que quiser; as contagens do
quadro vêm do relatório JUnit do pytest.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from configuracao import comandos
from configuracao.terminal import rodar

RAIZ = Path(__file__).resolve().parent.parent
# Dois processos, e cada arquivo inteiro em um deles, na ordem dada: os mais demorados vão na frente. Os do banco,
# que não dependem uns dos outros, se espalham e ficam para o fim (tests/conftest.py).
DOIS = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
Resultado = tuple[str, bool, str, float]  # a etapa, se passou, a contagem e os segundos


def ferramenta(nome: str, argumentos: list[str], padrao: str) -> Resultado:
    """O ruff ou o mypy, sobre tudo; `padrao` acha no que ele diz a quantidade de problemas."""
    print(f"\n== {nome} ({argumentos[0]})", flush=True)
    inicio = time.time()
    comando = [sys.executable, "-m", *argumentos]
    feito = subprocess.run(comando, cwd=RAIZ, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    print(feito.stdout, end="", flush=True)
    achados, bem = re.search(padrao, feito.stdout), feito.returncode == 0
    contagem = "nenhum problema" if bem else f"{achados[1]} problemas" if achados else f"o {argumentos[0]} parou"
    return nome, bem, contagem, time.time() - inicio


def estilo() -> list[Resultado]:
    """O que se vê sem rodar nada: programas e notebooks."""
    return [
        ferramenta("estilo", ["ruff", "check", "."], r"Found (\d+) error"),
        ferramenta("formato", ["ruff", "format", "--check", "."], r"(\d+) files? would be reformatted"),
        ferramenta("tipos", ["mypy"], r"Found (\d+) error"),
    ]


def pytest(nome: str, argumentos: list[str], pasta: str) -> Resultado:
    print(f"\n== {nome} (pytest)", flush=True)
    inicio, relatorio = time.time(), Path(pasta) / f"{nome}.xml"
    ambiente = dict(os.environ, OMP_NUM_THREADS="1", JUPYTER_RUNTIME_DIR=str(Path(pasta) / "jupyter"))
    comando = [sys.executable, "-m", "pytest", f"--junitxml={relatorio}", *argumentos]
    codigo = subprocess.run(comando, cwd=RAIZ, env=ambiente).returncode
    return nome, codigo == 0, contar(relatorio), time.time() - inicio


_MAL = ("failure", "error")


def contar(relatorio: Path) -> str:
    if not relatorio.is_file():
        return "o pytest parou antes do fim"
    soma = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for grupo in ET.parse(relatorio).getroot().iter("testsuite"):
        soma = {campo: valor + int(grupo.get(campo, 0)) for campo, valor in soma.items()}
    mal = soma["failures"] + soma["errors"]
    contagens = {"pass": soma["tests"] - mal - soma["skipped"], "falh": mal, "não rod": soma["skipped"]}
    return ", ".join(f"{n} {verbo}{'ou' if n == 1 else 'aram'}" for verbo, n in contagens.items() if n) or "nada"


def _falhas(relatorio: Path) -> list[tuple[str, str]]:
    """De que arquivo é cada falha do relatório (como o pytest o escreve, com pontos), e o que ela diz."""
    casos = ET.parse(relatorio).getroot().iter("testcase") if relatorio.is_file() else ()
    return [(c.get("classname", ""), f"{e.get('message')}{e.text}") for c in casos for e in c if e.tag in _MAL]


def _da_aula(arquivo: str, aula: str) -> bool:
    return aula.removesuffix(".ipynb").replace("/", ".") in arquivo.replace("/", ".")


def sem_kernel(relatorio: Path, aulas: list[str]) -> list[str]:
    """As aulas cujo kernel não chegou a abrir."""
    mudos = [arquivo for arquivo, dito in _falhas(relatorio) if "Kernel didn't respond" in dito]
    return [aula for aula in aulas if any(_da_aula(arquivo, aula) for arquivo in mudos)]


def falharam_so(relatorio: Path, aulas: list[str]) -> bool:
    """Todas as falhas do relatório são destas aulas?"""
    return all(any(_da_aula(arquivo, aula) for aula in aulas) for arquivo, _ in _falhas(relatorio))


def etapas(rapido: bool, pasta: str) -> Iterator[Resultado]:
    caminhos = [*RAIZ.glob("notebooks/*.ipynb"), *RAIZ.glob("notebooks/alem/*.ipynb")]
    # as últimas, que demoram mais, vão na frente
    aulas = [str(p.relative_to(RAIZ)) for p in sorted(caminhos, key=lambda p: p.name, reverse=True)]
    comparar = "--nbval"
    if (RAIZ / "tests").is_dir():
        yield from estilo()
        filtro = ["-m", "not lento"] if rapido else []
        yield pytest("testes", ["tests", *DOIS, *filtro], pasta)
    else:
        print("Este é o pacote do aluno: rodo as aulas e vejo se alguma célula falha.")
        print("Os resultados não são comparados: os que respondem a uma aposta nem vêm no pacote.")
        comparar, rapido = "--nbval-lax", False
    if aulas and not rapido:
        nbval = [comparar, "--nbval-current-env", "--nbval-cell-timeout=300", "-p", "no:cacheprovider"]
        feito = pytest("aulas", [*nbval, *DOIS, *aulas], pasta)
        mudas = sem_kernel(Path(pasta) / "aulas.xml", aulas)
        if mudas:  # um kernel que não abriu não diz nada da aula: abre-se de novo, uma por vez
            print(f"O kernel não abriu a tempo para {', '.join(mudas)}: rodo de novo.", flush=True)
            yield pytest("de novo", [*nbval, *mudas], pasta)
        yield feito if not mudas else (*feito[:1], falharam_so(Path(pasta) / "aulas.xml", mudas), *feito[2:])


def quadro(resultados: list[Resultado]) -> int:
    print(f"\n{'etapa':<10}{'resultado':<12}{'contagem':<36}{'tempo':>7}")
    for nome, bem, contagem, segundos in resultados:
        print(f"{nome:<10}{'passou' if bem else 'FALHOU':<12}{contagem:<36}{segundos:>5.0f} s")
    ruins = [nome for nome, bem, _, _ in resultados if not bem]
    print("Tudo passou." if not ruins else f"Falhou: {', '.join(ruins)}.", flush=True)
    return 1 if ruins else 0


def semente_do_conteudo() -> int:
    """De 1 a 99, tirada do que há neste commit: muda com ele, e quem o baixar tem a mesma."""
    try:
        comando = ["git", "rev-parse", "--verify", "--quiet", "HEAD^{tree}"]
        arvore = subprocess.run(comando, cwd=RAIZ, capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        arvore = ""
    return 1 + int(arvore[:8] or "0", 16) % 99


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("testar", argumentos)
    semente = semente_do_conteudo() if pedido.semente is None else pedido.semente
    print(f"O sorteio desta rodada se repete com: python curso.py testar --semente {semente}", flush=True)
    # os testes, em outros processos, as leem do ambiente
    os.environ["CURSO_SEMENTE"] = str(semente)
    if pedido.tudo:
        os.environ["CURSO_TUDO"] = "1"
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        os.makedirs(os.path.join(pasta, "jupyter"), mode=0o700)
        return quadro(list(etapas(pedido.rapido, pasta)))


if __name__ == "__main__":
    rodar(main)
