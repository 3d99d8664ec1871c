"""Quanto um explorador demora a abrir e a responder no navegador, contra a ida e volta ao kernel de `explorar`.

Rode na raiz: python curso.py bancada exploradores (ou, com o Python do curso, python -m bancadas.exploradores). Precisa
do Chromium do sistema; o Playwright vem de configuracao/locks/navegador.lock, para uma pasta provisória.

O par é o que as aulas tinham: um controle do ipywidgets que, solto, faz o kernel redesenhar a mesma figura. Nos dois, o
tempo vai da tecla à mudança na página, e é o navegador quem o mede. A última linha é um objeto JSON com as razões.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import numpy as np

from configuracao import comandos
from configuracao.lugares import LOCKS
from configuracao.terminal import rodar
from helpers import RAIZ
from helpers.exploradores.plano import FRASES, TABELA
from helpers.explorar import (
    as_cabecas,
    conta_das_matrizes,
    letra_por_letra,
    pagina_estatica,
    plano_da_frase,
    plano_das_chaves,
)

OPCOES = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PRAZO = 120_000  # milissegundos
# explorador → quem recebe a tecla, a tecla e a sua volta, e o que muda na página
GESTOS = {
    "plano": (".ponto.frente", ("ArrowRight", "ArrowLeft"), ".dito"),
    "chaves": (".punho", ("ArrowRight", "ArrowLeft"), ".dito"),
    "conta": (".resultado .casa[tabindex='0']", ("ArrowRight", "ArrowLeft"), ".soma"),
    "cabecas": (".mini[tabindex='0']", ("ArrowRight", "ArrowLeft"), ".palco"),
    "letra": ("textarea", ("e", "Backspace"), "ol"),
}
O_PAR = """from helpers.explorar import explorar
from helpers.exploradores.plano import FRASES, TABELA, _figura, _olhar
import numpy as np
palavras = FRASES[0].split()
X = np.array([TABELA[p] for p in palavras])

def desenhar(temperatura):
    A, Y = _olhar(X, {}, temperatura, False)
    return _figura(palavras, X, A, Y, 4)

explorar(desenhar, alt="o plano da frase, desenhado pelo kernel", temperatura=(0.25, 4.0, 0.25, 1.0))"""
# Da tecla à primeira mudança em `onde` (se há nele uma imagem, só a troca dela conta), medido pelo navegador.
CRONOMETRO = """(onde) => {
    const hospedeiros = [...document.querySelectorAll('*')].filter(no => no.shadowRoot);
    const raizes = [document, ...hospedeiros.map(no => no.shadowRoot)];
    const alvo = raizes.map(raiz => raiz.querySelector(onde)).find(Boolean);
    const imagem = () => alvo.querySelector('img')?.src;
    const antes = imagem();
    let tecla = null;
    addEventListener('keydown', () => { tecla = performance.now(); }, { capture: true, once: true });
    window.medida = new Promise((pronto, desistir) => {
        setTimeout(() => desistir(new Error(`nada mudou em ${onde}`)), 30000);
        const olheiro = new MutationObserver(() => {
            if (tecla === null || (antes && imagem() === antes)) return;
            olheiro.disconnect();
            requestAnimationFrame(() => pronto(performance.now() - tecla));
        });
        olheiro.observe(alvo, { subtree: true, childList: true, attributes: true, characterData: true });
    });
}"""


def medir(pagina: Any, quem: str, teclas: tuple[str, str], onde: str, vezes: int) -> float:
    """A mediana, em milissegundos, do tempo de uma tecla à mudança que ela causa."""
    tempos = []
    for i in range(vezes):
        pagina.locator(quem).first.focus()
        pagina.evaluate(CRONOMETRO, onde)
        pagina.keyboard.press(teclas[i % 2])
        tempos.append(pagina.evaluate("window.medida"))
        pagina.wait_for_timeout(30)
    return statistics.median(tempos)


def exploradores() -> dict[str, Any]:
    palavras = FRASES[0].split()
    X = np.array([TABELA[p] for p in palavras])
    sorteio = np.random.default_rng(0)
    W = [sorteio.normal(size=(2, 2)) for _ in range(3)]
    A = np.tril(sorteio.random((30, 9, 64, 64)))  # como o maior modelo da aula 10
    tokens = [f"t{i}" for i in range(64)]
    return {
        "plano": plano_da_frase(),
        "chaves": plano_das_chaves(),
        "conta": conta_das_matrizes(X, palavras, *W),
        "cabecas": as_cabecas(A / A.sum(axis=-1, keepdims=True), tokens),
        "letra": letra_por_letra(),
    }


def abrir_e_mexer(navegador: Any, endereco: str, nome: str, vezes: int) -> dict[str, float]:
    """Os segundos até a primeira resposta, da página em branco, e os milissegundos de cada uma das seguintes."""
    quem, teclas, onde = GESTOS[nome]
    pagina = navegador.new_page()
    pagina.set_default_timeout(PRAZO)
    inicio = time.perf_counter()
    pagina.goto(endereco)
    pagina.locator(quem).first.wait_for()
    medir(pagina, quem, teclas, onde, 2)  # vai e volta
    primeira = time.perf_counter() - inicio
    return {"primeira_s": round(primeira, 2), "resposta_ms": round(medir(pagina, quem, teclas, onde, vezes), 1)}


def ida_e_volta(navegador: Any, pasta: Path, vezes: int) -> float:
    """No JupyterLab, da tecla no controle do ipywidgets à figura que o kernel mandou de volta."""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(O_PAR)])
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    nbformat.write(nb, pasta / "par.ipynb")
    with lab(pasta) as (base, token):
        pagina = navegador.new_page(viewport={"width": 1200, "height": 1600})
        pagina.set_default_timeout(PRAZO)
        pagina.goto(f"{base}/lab/tree/par.ipynb?token={token}")
        pagina.locator(".jp-CodeCell").first.wait_for()
        pagina.locator(".jp-CodeCell .cm-content").first.click()
        slider = pagina.locator(".explorar input")
        while not slider.count():  # sem o kernel, executar não faz nada; já executando, basta esperar
            if "*" not in pagina.locator(".jp-CodeCell .jp-InputPrompt").first.inner_text():
                pagina.keyboard.press("Control+Enter")
            pagina.wait_for_timeout(3000)
        pagina.locator(".jp-OutputArea-output img").wait_for()
        return medir(pagina, ".explorar input", ("ArrowRight", "ArrowLeft"), ".jp-OutputArea", vezes)


@contextmanager
def lab(pasta: Path) -> Iterator[tuple[str, ...]]:
    ambiente = {**os.environ, "PYTHONUTF8": "1", "CURSO_TURMA": str(pasta), "JUPYTER_TOKEN": "bancada"}
    comando = [sys.executable, str(RAIZ / "curso.py"), "lab", "--instrutor", "--sem-navegador"]
    processo = subprocess.Popen(comando, env=ambiente, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert processo.stdout is not None
        achados = (re.search(r"(http://localhost:\d+)/lab\S*token=(\S+)", linha) for linha in processo.stdout)
        yield next(achado for achado in achados if achado).groups()
    finally:
        processo.terminate()
        processo.communicate(timeout=60)


def main(argumentos: list[str] | None = None) -> int:
    vezes = 6 if comandos.ler("bancada exploradores", argumentos).rapida else 30
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("Não há Chromium nesta máquina; instale com: apt install chromium", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="curso-") as nome_da_pasta:
        pasta = Path(nome_da_pasta)
        instalar = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--target"]
        subprocess.run([*instalar, str(pasta / "playwright"), "-r", str(LOCKS / "navegador.lock")], check=True)
        sys.path.insert(0, str(pasta / "playwright"))
        os.environ["NO_PROXY"] = "localhost,127.0.0.1"
        from playwright.sync_api import sync_playwright  # type: ignore[import-not-found]

        (pasta / "turma").mkdir()
        with sync_playwright() as playwright:
            navegador = playwright.chromium.launch(executable_path=chromium, args=OPCOES, timeout=PRAZO)
            medidas: dict[str, Any] = {}
            for nome, explorador in exploradores().items():
                endereco = pagina_estatica(explorador, pasta / f"{nome}.html").as_uri()
                medidas[nome] = abrir_e_mexer(navegador, endereco, nome, vezes)
                print(f"{nome:8} abre e responde em {medidas[nome]['primeira_s']} s; depois, a cada tecla, "
                      f"{medidas[nome]['resposta_ms']} ms", flush=True)  # fmt: skip
            medidas["kernel_ms"] = round(ida_e_volta(navegador, pasta / "turma", vezes), 1)
            print(f"ida e volta ao kernel, com explorar: {medidas['kernel_ms']} ms")
            navegador.close()
    medidas["vezes_mais_rapido"] = {
        nome: round(medidas["kernel_ms"] / medidas[nome]["resposta_ms"], 1) for nome in GESTOS
    }
    print(json.dumps(medidas, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    rodar(main)
