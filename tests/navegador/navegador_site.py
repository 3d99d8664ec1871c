"""O site em um Chromium: o que cada página pede, o acesso, o celular, a busca, o teclado, o papel. Roda à parte.

Recebe o Chromium, a pasta do site e “tudo” ou “pouco”, e escreve em JSON o que viu.
"""

import contextlib
import functools
import http.server
import json
import sys
import threading
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from navegador_exploradores import CELULAR, MESA, REGRAS, chromium, sobra_de_lado
from navegador_formgrader import PRAZO

PARES = {
    "atenção": "atencao", "máscara": "mascara", "posição": "posicao", "função": "funcao", "saída": "saida",
    "índice": "indice", "pontuação": "pontuacao", "cabeça": "cabeca", "múltiplas": "multiplas", "ação": "acao",
    "variância": "variancia",
    "projeção": "projecao", "dimensão": "dimensao", "consulta é": "consulta e", "vocabulário": "vocabulario",
    "parâmetro": "parametro", "normalização": "normalizacao", "exponencial não": "exponencial nao", "média": "media",
    "similaridade é": "similaridade e", "código": "codigo", "lógica": "logica", "número": "numero",
    "próxima": "proxima",
    "treino até": "treino ate", "Transformers já": "transformers ja", "EMBEDDING": "embedding", "Softmax": "softmax",
    "família": "familia", "você": "voce",
}  # fmt: skip
AXE = {**REGRAS, "preload": False}  # o axe buscaria o CSS pela rede, e a política da página não deixa


@contextlib.contextmanager
def servidor(pasta):
    """A mesma pasta por http, em uma porta livre daqui."""
    feitor = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(pasta))
    feitor.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), feitor) as servidor:
        threading.Thread(target=servidor.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{servidor.server_address[1]}"
        servidor.shutdown()


def nova(navegador, tela=MESA, tema="light", daqui="file:"):
    """Uma página que anota o que pede a outro lugar e o que dá errado nela."""
    contexto = navegador.new_context(viewport=tela, color_scheme=tema, reduced_motion="reduce")
    pagina = contexto.new_page()
    pagina.set_default_timeout(PRAZO)
    pagina.fora, pagina.erros = [], []
    nossas = (daqui, "data:", "blob:")
    pagina.on("request", lambda r: None if r.url.startswith(nossas) else pagina.fora.append(r.url))
    pagina.on("pageerror", lambda erro: pagina.erros.append(f"{pagina.url}: {erro}"))
    pagina.on("console", lambda m: pagina.erros.append(f"{pagina.url}: {m.text}") if m.type == "error" else None)
    return pagina


def paginas(pasta):
    return sorted(pasta.rglob("*.html"))


def varrer(navegador, pasta, quais, visto):
    """Cada página, clara na mesa e escura no celular: o acesso, o que sobra de lado, o que pediu e o que quebrou."""
    for tema, tela in (("light", MESA), ("dark", CELULAR)):
        pagina = nova(navegador, tela, tema)
        for arquivo in quais:
            pagina.goto(arquivo.as_uri())
            pagina.wait_for_function("document.body.hasAttribute('data-jp-theme-light')")
            nome = arquivo.relative_to(pasta).as_posix()
            quebras = Axe().run(pagina, options=AXE).response["violations"]
            visto["acesso"] += [f"{tema} {nome} {v['id']}: {n['html'][:140]}" for v in quebras for n in v["nodes"]]
            if tela is CELULAR and (sobra := sobra_de_lado(pagina)) > 0:
                visto["sobra"].append(f"{nome}: {sobra}")
        visto["fora"] += pagina.fora
        visto["erros"] += pagina.erros
        pagina.context.close()


def busca(navegador, pasta):
    pagina = nova(navegador)
    pagina.goto((pasta / "index.html").as_uri())
    campo = pagina.get_by_role("searchbox", name="Buscar no curso")
    campo.fill("mascara")
    campo.press("Enter")
    pagina.locator("#achados li").first.wait_for()
    achar = "t => window.buscarNoCurso(t).map(a => a.onde)"
    diferentes = [p for p, q in PARES.items() if pagina.evaluate(achar, p) != pagina.evaluate(achar, q)]
    primeiro = pagina.locator("#achados li").first
    visto = {
        "endereco": pagina.url.rpartition("/")[2],
        "marcado": primeiro.locator("mark").first.text_content(),
        "diferentes": diferentes,
        "vazios": [p for p in ("softmax", "atenção") if not pagina.evaluate(achar, p)],
    }
    primeiro.locator("a").click()
    pagina.wait_for_load_state()
    visto["aonde"] = pagina.locator("h1").first.text_content()
    pagina.locator("a.sidebar-brand").click()
    pagina.wait_for_load_state()
    return visto | {"erros": pagina.erros, "fora": pagina.fora}


def teclado(navegador, pasta):
    """No celular, só com o teclado: o menu abre, diz que abriu, e Esc o fecha. Na mesa, o primeiro Tab é o atalho."""
    pagina = nova(navegador, CELULAR)
    pagina.goto((pasta / "aulas/02-softmax.html").as_uri())
    menu = pagina.get_by_role("button", name="Menu do curso")
    menu.focus()
    menu.press("Enter")
    aberto = menu.get_attribute("aria-expanded")
    menu.press("Escape")
    visto = {"menu": [aberto, menu.get_attribute("aria-expanded")]}
    pagina.set_viewport_size(MESA)
    pagina.reload()
    pagina.keyboard.press("Tab")
    visto["primeiro"] = pagina.evaluate("document.activeElement.textContent.trim()")
    aqui = pagina.locator(".trilha [aria-current]")
    visto["aqui"] = [aqui.count(), aqui.text_content()]
    pagina.get_by_role("button", name="Tema").locator("visible=true").first.click()
    visto["tema"] = pagina.evaluate("[document.body.dataset.theme, document.body.dataset.jpThemeLight]")
    return visto


def papel(navegador, pasta, onde):
    pagina = nova(navegador, tema="dark")
    pagina.goto((pasta / "aulas/02-softmax.html").as_uri())
    pagina.pdf(path=str(onde), format="A4")
    return onde.stat().st_size


def por_http(navegador, pasta):
    """O que pesa a página inicial, e em quanto tempo o plano da frase responde."""
    with servidor(pasta) as endereco:
        pagina = nova(navegador, daqui=endereco)
        pesos = []
        pagina.on("response", lambda r: pesos.append(len(r.body())))
        pagina.goto(endereco + "/index.html")
        pagina.locator("[data-explorador] input").first.wait_for()
        pronto = pagina.evaluate("performance.now()")
        pagina.wait_for_load_state("networkidle")
        return {"bytes": sum(pesos), "ms": pronto, "fora": pagina.fora, "erros": pagina.erros}


def main():
    caminho, pasta, quanto = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    visto = {"acesso": [], "sobra": [], "fora": [], "erros": []}
    todas = paginas(pasta)
    poucas = [pasta / n for n in ("index.html", "busca.html", "aulas/02-softmax.html", "listas/lista-02-softmax.html")]
    with chromium(caminho) as navegador:
        varrer(navegador, pasta, todas if quanto == "tudo" else [p for p in poucas if p.is_file()], visto)
        visto["busca"] = busca(navegador, pasta)
        visto["teclado"] = teclado(navegador, pasta)
        visto["papel"] = papel(navegador, pasta, pasta.parent / "aula.pdf")
        visto["http"] = por_http(navegador, pasta)
    visto["quantas"] = len(todas)
    print(json.dumps(visto))


main()
