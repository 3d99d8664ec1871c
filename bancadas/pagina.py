"""Quanto a página de uma lista demora a conferir, contra o kernel do notebook, na mesma execução.

Rode na raiz: python curso.py bancada pagina. A primeira conferência conta tudo: na página, de abri-la em um Chromium
sem nada guardado, por um servidor local, até a frase; no notebook, de nascer o kernel até a frase. As seguintes trocam
a resposta certa por uma errada e voltam. A última linha é um objeto JSON.
"""

import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from configuracao import comandos
from configuracao.lugares import LOCKS
from configuracao.terminal import rodar
from helpers import RAIZ
from sitio import npm
from sitio.lista import ensaio, recursos

QUESTAO = "lista-02/softmax"
CERTA = """def softmax(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)
"""
ERRADA = CERTA.replace("axis=eixo", "axis=0")
PRAZO = 300_000


class _Calado(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_dito: Any) -> None:
        pass


def medir(conferir: Callable[[str], str], inicio: float, vezes: int) -> dict[str, float]:
    """Segundos até a primeira frase, e os milissegundos de cada uma das seguintes."""
    frase = conferir(CERTA)
    primeira, seguintes = time.perf_counter() - inicio, []
    assert "15 casos" in frase, frase
    for i in range(vezes):
        antes = time.perf_counter()
        conferir(CERTA if i % 2 else ERRADA)
        seguintes.append(1000 * (time.perf_counter() - antes))
    return {"primeira_s": round(primeira, 2), "seguinte_ms": round(statistics.median(seguintes), 1)}


def no_kernel(vezes: int) -> dict[str, float]:
    from jupyter_client.manager import KernelManager

    inicio, gestor = time.perf_counter(), KernelManager(kernel_name="python3")
    gestor.start_kernel(cwd=str(RAIZ), env={**os.environ, "PYTHONPATH": str(RAIZ)})
    cliente = gestor.client()
    cliente.start_channels()
    cliente.wait_for_ready(timeout=120)

    def executar(texto: str) -> str:
        ditos: list[str] = []
        cliente.execute_interactive(texto, output_hook=lambda m: ditos.append(str(m["content"])), timeout=120)
        return "".join(ditos)

    try:
        executar("import numpy as np\nfrom helpers.conferir import conferir")
        return medir(lambda texto: executar(f"{texto}\nconferir({QUESTAO!r}, softmax)"), inicio, vezes)
    finally:
        cliente.stop_channels()
        gestor.shutdown_kernel(now=True)


def na_pagina(navegador: Any, endereco: str, vezes: int) -> dict[str, float]:
    inicio, pagina = time.perf_counter(), navegador.new_page()
    pagina.set_default_timeout(PRAZO)
    pagina.goto(endereco)
    pagina.wait_for_function("window.pronta")
    pedido = f"async (t) => (await motor.conferir('{QUESTAO}', com('softmax', t))).frase"
    medidas = medir(lambda texto: pagina.evaluate(pedido, texto), inicio, vezes)
    pagina.close()
    return medidas


def main(argumentos: list[str] | None = None) -> int:
    vezes = 6 if comandos.ler("bancada pagina", argumentos).rapida else 30
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("Não há Chromium nesta máquina; instale com: apt install chromium", file=sys.stderr)
        return 1
    npm.preparar()
    with tempfile.TemporaryDirectory(prefix="curso-") as nome_da_pasta:
        pasta = Path(nome_da_pasta)
        manifesto = recursos.preparar(pasta / "feitos", ["lista-02"])
        if manifesto is None:
            return 1
        ensaio.fazer(pasta, pasta / "feitos", manifesto)
        instalar = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--target"]
        subprocess.run([*instalar, str(pasta / "playwright"), "-r", str(LOCKS / "navegador.lock")], check=True)
        sys.path.insert(0, str(pasta / "playwright"))
        os.environ["NO_PROXY"] = "localhost,127.0.0.1"
        from playwright.sync_api import sync_playwright  # type: ignore[import-not-found]

        servidor = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Calado, directory=str(pasta)))
        threading.Thread(target=servidor.serve_forever, daemon=True).start()
        medidas: dict[str, Any] = {"kernel": no_kernel(vezes)}
        with sync_playwright() as playwright:
            navegador = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"], timeout=PRAZO)
            medidas["http"] = na_pagina(navegador, f"http://127.0.0.1:{servidor.server_port}/pagina.html", vezes)
            medidas["disco"] = na_pagina(navegador, (pasta / "pagina.html").as_uri(), vezes)
            navegador.close()
        servidor.shutdown()
    comuns, dela = manifesto["comuns"], manifesto["listas"]["lista-02"]
    medidas["baixa_bytes"] = sum(manifesto["arquivos"][nome]["comprimido"] for nome in [*comuns, *dela])
    for onde in ("kernel", "http", "disco"):
        print(f"{onde:7} primeira {medidas[onde]['primeira_s']} s; seguintes {medidas[onde]['seguinte_ms']} ms")
    medidas["primeira_contra_o_kernel"] = round(medidas["http"]["primeira_s"] / medidas["kernel"]["primeira_s"], 2)
    medidas["seguinte_contra_o_kernel"] = round(medidas["http"]["seguinte_ms"] / medidas["kernel"]["seguinte_ms"], 2)
    print(json.dumps(medidas, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    rodar(main)
