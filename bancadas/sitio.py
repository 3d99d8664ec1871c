"""Quanto custa fazer o site: inteiro, e de novo depois que uma aula muda, contra o nbconvert nos mesmos notebooks.

Rode na raiz: python curso.py bancada sitio. Trabalha em uma cópia do curso, em uma pasta temporária. O par é o
`nbconvert --to html` como vem, em um processo só, sem fórmulas, sem busca e sem índice. Com --rapida, o curso até a
aula 01. A última linha é um objeto JSON com os segundos de relógio e de processador e com os tamanhos.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from configuracao import comandos
from configuracao.terminal import rodar
from helpers import RAIZ
from helpers.escrita import com_virgula

FORA = (".git", ".venv", ".jupyter", ".sitio", "pacotes", "node_modules", "tests", "dados", "__pycache__")
MUDA = "notebooks/01-produto-escalar.ipynb"
LIMITES = {"inteiro_s": 180, "uma_aula_s": 20, "mb": 40}  # o que se prometeu em dois núcleos quietos


def copiar(pasta: Path) -> Path:
    curso = pasta / "curso"
    shutil.copytree(RAIZ, curso, ignore=shutil.ignore_patterns(*FORA))
    (curso / "sitio" / "node_modules").symlink_to(RAIZ / "sitio" / "node_modules")
    return curso


def cronometrar(comando: list[str], onde: Path) -> dict[str, float]:
    """Os segundos de relógio e os de processador, com os dos processos que ele abrir."""
    antes, inicio = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    variaveis = dict(os.environ, PYTHONPATH=str(onde), PYTHONUTF8="1")
    feito = subprocess.run(comando, cwd=onde, env=variaveis, capture_output=True, text=True, encoding="utf-8")
    if feito.returncode:
        raise RuntimeError(feito.stderr.strip() or feito.stdout.strip())
    depois = resource.getrusage(resource.RUSAGE_CHILDREN)
    processador = depois.ru_utime + depois.ru_stime - antes.ru_utime - antes.ru_stime
    return {"relogio_s": round(time.monotonic() - inicio, 1), "processador_s": round(processador, 1)}


def mudar_uma_aula(curso: Path) -> None:
    arquivo = curso / MUDA
    nb = json.loads(arquivo.read_text(encoding="utf-8"))
    texto = next(c for c in nb["cells"] if c["cell_type"] == "markdown")
    texto["source"] = [*texto["source"], "\n\nUma frase a mais."]
    arquivo.write_text(json.dumps(nb, ensure_ascii=False), encoding="utf-8")


def megabytes(pasta: Path) -> float:
    return round(sum(p.stat().st_size for p in pasta.rglob("*") if p.is_file()) / 1e6, 1)


def medir(pasta: Path, rapida: bool) -> dict[str, Any]:
    curso, destino, par = copiar(pasta), pasta / "site", pasta / "nbconvert"
    fazer = [sys.executable, "-m", "sitio.construir", "--destino", str(destino), *(["--ate", "01"] if rapida else [])]
    medidas: dict[str, Any] = {"inteiro": cronometrar(fazer, curso)}
    medidas["sem_mudar"] = cronometrar(fazer, curso)
    mudar_uma_aula(curso)
    medidas["uma_aula"] = cronometrar(fazer, curso)
    os_mesmos = sorted(str(p) for p in (destino / "baixar").glob("*.ipynb"))
    converter = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "html", "--output-dir", str(par), *os_mesmos]
    medidas["nbconvert"] = cronometrar(converter, curso)
    medidas |= {"notebooks": len(os_mesmos), "mb": megabytes(destino), "mb_do_nbconvert": megabytes(par)}
    return medidas


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("bancada sitio", argumentos)
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        medidas = medir(Path(pasta), pedido.rapida)
    for nome, dito in (
        ("inteiro", "o site inteiro"),
        ("uma_aula", "de novo, depois que uma aula muda"),
        ("sem_mudar", "de novo, sem mudança nenhuma"),
        ("nbconvert", "o nbconvert, nos mesmos notebooks"),
    ):
        tempo = {k: com_virgula(v, 1) for k, v in medidas[nome].items()}
        print(f"{dito:<36}{tempo['relogio_s']:>8} s, {tempo['processador_s']:>8} s de processador")
    mb, do_par = com_virgula(medidas["mb"], 1), com_virgula(medidas["mb_do_nbconvert"], 1)
    print(f"{medidas['notebooks']} notebooks: {mb} MB, e {do_par} MB com o nbconvert.")
    print(json.dumps(medidas | {"limites": LIMITES}))
    return 0


if __name__ == "__main__":
    rodar(main)
