"""`python curso.py testar`: o estilo, os tipos, os testes e as aulas, com um quadro no fim.

Roda com o Python do ambiente, chamado pelo curso.py. Os tipos e as aulas rodam ao lado dos testes, que muitas vezes só
esperam por um relógio, e o que dizem sai na tela depois deles. As contagens do quadro vêm do relatório JUnit do pytest.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

from configuracao import comandos
from configuracao.lugares import RAIZ
from configuracao.terminal import rodar

# Cada arquivo inteiro em um dos processos, na ordem dada: os mais demorados vão na frente. Os do banco, que não
# dependem uns dos outros, se espalham e ficam para o fim (tests/conftest.py).
_POR_ARQUIVO = ["--dist", "loadfile", "--no-loadscope-reorder"]
DOIS = ["-n", "2", *_POR_ARQUIVO]
TRES = ["-n", "3", *_POR_ARQUIVO]  # muitos testes só esperam por um relógio: com dois, sobrariam núcleos
Resultado = tuple[str, bool, str, float]  # a etapa, se passou, a contagem e os segundos


def ferramenta(nome: str, argumentos: list[str], padrao: str, tela: TextIO | None = None) -> Resultado:
    """O ruff ou o mypy, sobre tudo; `padrao` acha no que ele diz a quantidade de problemas."""
    print(f"\n== {nome} ({argumentos[0]})", flush=True, file=tela)
    inicio = time.time()
    comando = [sys.executable, "-m", *argumentos]
    feito = subprocess.run(comando, cwd=RAIZ, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    print(feito.stdout, end="", flush=True, file=tela)
    achados, bem = re.search(padrao, feito.stdout), feito.returncode == 0
    contagem = "nenhum problema" if bem else f"{achados[1]} problemas" if achados else f"o {argumentos[0]} parou"
    return nome, bem, contagem, time.time() - inicio


def estilo() -> list[Resultado]:
    """O que se vê sem rodar nada: programas e notebooks."""
    return [
        ferramenta("estilo", ["ruff", "check", "."], r"Found (\d+) error"),
        ferramenta("formato", ["ruff", "format", "--check", "."], r"(\d+) files? would be reformatted"),
    ]


def pytest(nome: str, argumentos: list[str], pasta: str, tela: TextIO | None = None) -> Resultado:
    print(f"\n== {nome} (pytest)", flush=True, file=tela)
    inicio, relatorio = time.time(), Path(pasta) / f"{nome}.xml"
    ambiente = dict(os.environ, OMP_NUM_THREADS="1", JUPYTER_RUNTIME_DIR=str(Path(pasta) / "jupyter"))
    comando = [sys.executable, "-m", "pytest", f"--junitxml={relatorio}", *argumentos]
    codigo = subprocess.run(comando, cwd=RAIZ, env=ambiente, stdout=tela).returncode
    return nome, codigo == 0, contar(relatorio), time.time() - inicio


def contar(relatorio: Path) -> str:
    if not relatorio.is_file():
        return "o pytest parou antes do fim"
    soma = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for grupo in ET.parse(relatorio).getroot().iter("testsuite"):
        soma = {campo: valor + int(grupo.get(campo, 0)) for campo, valor in soma.items()}
    mal = soma["failures"] + soma["errors"]
    contagens = {"pass": soma["tests"] - mal - soma["skipped"], "falh": mal, "não rod": soma["skipped"]}
    return ", ".join(f"{n} {verbo}{'ou' if n == 1 else 'aram'}" for verbo, n in contagens.items() if n) or "nada"


def _falhas(relatorio: Path, aulas: list[str]) -> Iterator[tuple[str, str]]:
    """De que aula é cada falha do relatório, e o que ela diz."""
    nomes = {aula.replace("/", "."): aula for aula in aulas}
    for caso in ET.parse(relatorio).getroot().iter("testcase") if relatorio.is_file() else ():
        for mal in (*caso.iter("failure"), *caso.iter("error")):
            yield nomes.get(caso.get("classname", ""), ""), f"{mal.get('message')}{mal.text}"


def rodar_aulas(nbval: list[str], aulas: list[str], pasta: str, tela: TextIO | None = None) -> Iterator[Resultado]:
    """Roda as aulas; a que não teve kernel a tempo roda de novo, sozinha: disso ela não tem culpa."""
    nome, bem, contagem, segundos = pytest("aulas", [*nbval, *([] if tela else DOIS), *aulas], pasta, tela)
    falhas = list(_falhas(Path(pasta) / "aulas.xml", aulas))
    mudas = sorted({aula for aula, dito in falhas if "Kernel didn't respond" in dito})
    yield nome, bem or bool(mudas) and {aula for aula, _ in falhas} <= set(mudas), contagem, segundos
    if mudas:
        print(f"O kernel não abriu a tempo para {', '.join(mudas)}: rodo de novo.", flush=True, file=tela)
        yield pytest("de novo", [*nbval, *mudas], pasta, tela)


def ao_lado(nbval: list[str], aulas: list[str], pasta: str) -> tuple[list[Resultado], str]:
    """Os tipos e as aulas, em um processo por vez, e o que disseram."""
    dito = Path(pasta) / "ao-lado.txt"
    with dito.open("w", encoding="utf-8") as tela:
        resultados = [ferramenta("tipos", ["mypy"], r"Found (\d+) error", tela)]
        resultados += rodar_aulas(nbval, aulas, pasta, tela) if aulas else []
    return resultados, dito.read_text(encoding="utf-8", errors="replace")


def etapas(rapido: bool, pasta: str) -> Iterator[Resultado]:
    caminhos = [*RAIZ.glob("notebooks/*.ipynb"), *RAIZ.glob("notebooks/alem/*.ipynb")]
    # as últimas, que demoram mais, vão na frente
    aulas = [str(p.relative_to(RAIZ)) for p in sorted(caminhos, key=lambda p: p.name, reverse=True)]
    nbval = ["--nbval-current-env", "--nbval-cell-timeout=1800", "-p", "no:cacheprovider"]
    if not (RAIZ / "tests").is_dir():
        print("Este é o pacote do aluno: rodo as aulas e vejo se alguma célula falha.")
        print("Os resultados não são comparados: os que respondem a uma aposta nem vêm no pacote.")
        yield from rodar_aulas(["--nbval-lax", *nbval], aulas, pasta) if aulas else ()
        return
    yield from estilo()
    if shutil.which("npm"):  # antes dos testes: os processos deles o trariam ao mesmo tempo, um por cima do outro
        subprocess.run([sys.executable, "-m", "sitio.npm"], cwd=RAIZ)
    with ThreadPoolExecutor(max_workers=1) as outra:
        do_lado = outra.submit(ao_lado, ["--nbval", *nbval], [] if rapido else aulas, pasta)
        yield pytest("testes", ["tests", *TRES, *(["-m", "not lento"] if rapido else [])], pasta)
        resultados, dito = do_lado.result()
    print(dito, end="", flush=True)
    yield from resultados


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
    if pedido.instalar:  # foi o curso.py, antes de chegar aqui
        print(f"O que os testes usam está instalado; para rodar alguns: {sys.executable} -m pytest CAMINHO")
        return 0
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
