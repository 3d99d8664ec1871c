"""`python curso.py testar`: o estilo, os testes e as aulas, com um quadro no fim.

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
from pathlib import Path

RAIZ = Path(__file__).resolve().parent.parent
# Um arquivo por vez em cada um de dois processos, na ordem dada: os mais demorados vão na frente.
DOIS = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]


def estilo():
    """O ruff, sobre programas e notebooks."""
    print("\n== estilo (ruff)", flush=True)
    inicio = time.time()
    feito = subprocess.run([sys.executable, "-m", "ruff", "check", "."], cwd=RAIZ, stdout=subprocess.PIPE,
                           text=True, encoding="utf-8")
    print(feito.stdout, end="", flush=True)
    achados = re.search(r"Found (\d+) error", feito.stdout)
    bem = feito.returncode == 0
    contagem = f"{achados[1]} problemas" if achados else "nenhum problema" if bem else "o ruff parou"
    return "estilo", bem, contagem, time.time() - inicio


def pytest(nome, argumentos, pasta):
    print(f"\n== {nome} (pytest)", flush=True)
    inicio, relatorio = time.time(), Path(pasta) / f"{nome}.xml"
    ambiente = dict(os.environ, OMP_NUM_THREADS="1", JUPYTER_RUNTIME_DIR=str(Path(pasta) / "jupyter"))
    comando = [sys.executable, "-m", "pytest", f"--junitxml={relatorio}", *argumentos]
    codigo = subprocess.run(comando, cwd=RAIZ, env=ambiente).returncode
    return nome, codigo == 0, contar(relatorio), time.time() - inicio


def contar(relatorio):
    if not relatorio.is_file():
        return "o pytest parou antes do fim"
    soma = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for grupo in ET.parse(relatorio).getroot().iter("testsuite"):
        soma = {campo: valor + int(grupo.get(campo, 0)) for campo, valor in soma.items()}
    mal = soma["failures"] + soma["errors"]
    partes = [f"{soma['tests'] - mal - soma['skipped']} passaram"]
    partes += [f"{mal} falharam"] if mal else []
    partes += [f"{soma['skipped']} não rodaram"] if soma["skipped"] else []
    return ", ".join(partes)


def etapas(rapido, pasta):
    aulas = sorted((str(aula.relative_to(RAIZ)) for aula in RAIZ.glob("notebooks/*.ipynb")), reverse=True)
    if (RAIZ / "tests").is_dir():
        yield estilo()
        filtro = ["-m", "not lento"] if rapido else []
        yield pytest("testes", ["tests", *DOIS, *filtro], pasta)
    else:
        print("Este é o pacote do aluno: rodo só as aulas, que devem dar os resultados que trazem.")
        rapido = False
    if aulas and not rapido:
        nbval = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=300", "-p", "no:cacheprovider"]
        yield pytest("aulas", [*nbval, *DOIS, *aulas], pasta)


def quadro(resultados):
    print(f"\n{'etapa':<10}{'resultado':<12}{'contagem':<36}{'tempo':>7}")
    for nome, bem, contagem, segundos in resultados:
        print(f"{nome:<10}{'passou' if bem else 'FALHOU':<12}{contagem:<36}{segundos:>5.0f} s")
    ruins = [nome for nome, bem, _, _ in resultados if not bem]
    print("Tudo passou." if not ruins else f"Falhou: {', '.join(ruins)}.", flush=True)
    return 1 if ruins else 0


def principal(argumentos):
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        os.makedirs(os.path.join(pasta, "jupyter"), mode=0o700)
        return quadro(list(etapas("--rapido" in argumentos, pasta)))


if __name__ == "__main__":
    sys.exit(principal(sys.argv[1:]))
