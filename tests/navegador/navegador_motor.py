"""O motor de uma lista em um Chromium: abre uma página mínima, faz o que lhe pedem e diz em JSON o que viu.

python navegador_motor.py CHROMIUM PASTA        # PASTA tem pagina.html, motor.js e recursos/; abre por http e do disco
"""

import http.server
import json
import sys
import threading
import time
from functools import partial
from pathlib import Path

from playwright.sync_api import sync_playwright

OPCOES = ["--no-sandbox", "--disable-dev-shm-usage"]
PRAZO = 240_000  # em uma máquina ocupada o Python demora a ligar

CERTA = """def softmax(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)"""
ERRADA = CERTA.replace("axis=eixo", "axis=0")
FUGAS = """
import js
from pyodide.code import run_js
ditos = {}
def tentar(nome, codigo):
    try:
        ditos[nome] = "passou: " + str(run_js(codigo))
    except BaseException as erro:
        ditos[nome] = "barrado"
tentar("xhr", "const x = new XMLHttpRequest(); x.open('GET', 'ALVO/xhr', false); x.send(); x.status")
tentar("importScripts", "importScripts('ALVO/importScripts')")
tentar("indexedDB", "indexedDB.open('curso')")
tentar("cookie", "document.cookie")
tentar("storage", "localStorage.length")
tentar("pai", "parent.document.title")
run_js("globalThis.fugas = []; fetch('ALVO/fetch').then(() => fugas.push('fetch')).catch(() => 0)")
run_js("try { const s = new WebSocket('ALVO/ws'.replace('http', 'ws')); s.onopen = () => fugas.push('ws') } catch {}")
run_js("try { new EventSource('ALVO/sse') } catch {}")
run_js("try { new Worker('ALVO/worker') } catch {}")
run_js("try { const b = new Blob([`fetch('ALVO/neto')`]); new Worker(URL.createObjectURL(b)) } catch {}")
run_js("import('ALVO/modulo').catch(() => 0)")
ditos
"""
DEPOIS = "from pyodide.code import run_js\nlist(run_js('globalThis.fugas'))"


class Servidor(http.server.SimpleHTTPRequestHandler):
    pedidos: list[str] = []

    def log_message(self, *_dito):
        pass

    def do_GET(self):
        type(self).pedidos.append(self.path)
        super().do_GET()


def servir(pasta: Path):
    servidor = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Servidor, directory=str(pasta)))
    threading.Thread(target=servidor.serve_forever, daemon=True).start()
    return servidor, f"http://127.0.0.1:{servidor.server_port}"


def abrir(navegador, endereco):
    pagina = navegador.new_page()
    pagina.set_default_timeout(PRAZO)
    pagina.on("pageerror", lambda erro: print("erro na página:", erro, file=sys.stderr))
    pagina.goto(endereco)
    pagina.wait_for_function("window.pronta")
    return pagina


def pedir(pagina, expressao, **dados):
    return pagina.evaluate(f"async (d) => {expressao}", dados)


def conferir(pagina, texto):
    inicio = time.perf_counter()
    dito = pedir(pagina, "motor.conferir('lista-02/softmax', com('softmax', d.texto))", texto=texto)
    return dito | {"levou": time.perf_counter() - inicio}


def rodar(pagina, texto):
    return pedir(pagina, "motor.rodar('meca-2', com('meca-2', d.texto))", texto=texto)


def o_basico(pagina):
    """A primeira conferência liga o Python; as seguintes, não."""
    visto = {"errada": conferir(pagina, ERRADA), "certa": conferir(pagina, CERTA)}
    visto["rodou"] = rodar(pagina, "print('oi')\n1 + 1")
    visto["progresso"] = pagina.evaluate("progressos.at(-1)")
    visto["estados"] = pagina.evaluate("estados")
    return visto


def o_que_da_errado(pagina):
    visto = {"enxurrada": rodar(pagina, "for i in range(400_000):\n    print(i)")}
    visto["enxurrada"]["saida"] = len(visto["enxurrada"]["saida"])
    visto["gigante"] = rodar(pagina, "a = np.ones((300, 1000, 1000))\nb = np.ones((200, 1000, 1000))\na.shape")
    visto["input"] = rodar(pagina, "input('?')")
    visto["sintaxe"] = rodar(pagina, "print('oi'")
    visto["sem_fim"] = rodar(pagina, "def f(n, k=0):\n    return f(n)\nf(1)")
    visto["depois_da_morte"] = conferir(pagina, CERTA)
    pagina.evaluate("setTimeout(() => motor.parar(), 1500)")
    visto["parada"] = rodar(pagina, "print('vai')\nwhile True:\n    pass")
    visto["depois_de_parar"] = conferir(pagina, CERTA)
    return visto


def as_fugas(pagina, alvo):
    dito = rodar(pagina, FUGAS.replace("ALVO", alvo))
    pagina.wait_for_timeout(1500)
    return {"dito": dito, "depois": rodar(pagina, DEPOIS)}


def main(chromium: str, pasta: str) -> None:
    servidor, base = servir(Path(pasta))
    espiao, alvo = servir(Path(pasta, "recursos"))
    visto = {}
    with sync_playwright() as playwright:
        navegador = playwright.chromium.launch(executable_path=chromium, args=OPCOES, timeout=PRAZO)
        pagina = abrir(navegador, f"{base}/pagina.html")
        antes = len(Servidor.pedidos)
        visto["antes_de_usar"] = [p for p in Servidor.pedidos if "recursos/" in p]
        visto["http"] = o_basico(pagina)
        visto["baixou"] = sum("recursos/" in p for p in Servidor.pedidos[antes:])
        visto["errado"] = o_que_da_errado(pagina)
        Servidor.pedidos.clear()
        visto["fugas"] = as_fugas(pagina, alvo)
        visto["fugidos"] = list(Servidor.pedidos)
        pagina.close()
        pagina = abrir(navegador, Path(pasta, "pagina.html").resolve().as_uri())
        visto["disco"] = o_basico(pagina)
        Servidor.pedidos.clear()
        visto["fugas_do_disco"] = as_fugas(pagina, alvo)
        visto["fugidos_do_disco"] = list(Servidor.pedidos)
        navegador.close()
    print(json.dumps(visto, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
