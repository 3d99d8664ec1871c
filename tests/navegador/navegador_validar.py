"""Abre um notebook no JupyterLab, aperta Validar e diz o que apareceu; chamado por test_formgrader.py.

Recebe o endereço do Jupyter, o token, o Chromium, o notebook e, se quiser, onde gravar a imagem da tela; escreve em
JSON o que viu.
"""

import json
import sys

from navegador_formgrader import OPCOES, PRAZO
from playwright.sync_api import sync_playwright


def main(base, token, chromium, notebook, imagem=""):
    with sync_playwright() as playwright:
        navegador = playwright.chromium.launch(executable_path=chromium, args=OPCOES, timeout=PRAZO)
        pagina = navegador.new_page(viewport={"width": 1200, "height": 1000})
        pagina.set_default_timeout(PRAZO)
        pagina.route(lambda url: not url.startswith(base), lambda pedido: pedido.abort())
        pagina.goto(f"{base}/lab/tree/{notebook}?token={token}")
        pagina.locator(".validate-button").click()
        corpo = pagina.locator("#validation-message")
        corpo.wait_for()
        pagina.wait_for_timeout(500)
        visto = {"corpo": corpo.inner_text(), "titulo": pagina.locator(".jp-Dialog-header").inner_text()}
        if imagem:
            pagina.screenshot(path=imagem)
        print(json.dumps(visto, ensure_ascii=False))
        navegador.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
