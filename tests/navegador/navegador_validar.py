"""O que um aluno faz no JupyterLab: abre uma aula, mexe em uma figura, vai à lista por um elo e aperta Validar.

Recebe o endereço do Jupyter, o token, o Chromium, a aula, a lista e, se quiser, a pasta das imagens da tela; escreve em
JSON o que viu. Chamado por test_formgrader.py.
"""

import json
import sys

from navegador_exploradores import esperar_kernel
from navegador_formgrader import OPCOES, PRAZO
from playwright.sync_api import sync_playwright

PAINEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"
FIGURA = f"{PAINEL} .jp-OutputArea-output img"


def sujas(pagina):
    """Quantas abas dizem que o notebook mudou; em uma máquina ocupada, a marca leva um instante para sair."""
    abas = pagina.locator(".lm-TabBar-tab.jp-mod-dirty")
    for _ in range(40):
        if not abas.count():
            break
        pagina.wait_for_timeout(500)
    return abas.count()


def na_aula(pagina, token):
    pagina.locator(f"{PAINEL} .jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for(state="attached")
    pagina.wait_for_timeout(500)  # o que o kernel escreve no notebook ao chegar
    visto = {"sujas": sujas(pagina)}
    visto["dobrado"] = pagina.locator(".jp-PlaceholderText").evaluate(
        "no => [getComputedStyle(no).fontSize, getComputedStyle(no, '::after').content]"
    )
    visto["folga"] = pagina.locator(f"{PAINEL} details").evaluate(
        "no => no.nextElementSibling.getBoundingClientRect().top - no.getBoundingClientRect().bottom"
    )
    esperar_kernel(pagina, token)
    pagina.locator(f"{PAINEL} .jp-CodeCell").click()
    pagina.keyboard.press("Escape")
    pagina.keyboard.press("Control+Enter")
    controle = pagina.get_by_role("slider", name="ângulo")
    controle.wait_for()
    pagina.locator(FIGURA).wait_for()
    caixa, figuras = controle.bounding_box(), []
    meio = caixa["y"] + caixa["height"] / 2
    pagina.mouse.move(caixa["x"] + caixa["width"] / 2, meio)
    pagina.mouse.down()
    for x in (0.6, 0.8):
        antes = pagina.locator(FIGURA).get_attribute("src")
        pagina.mouse.move(caixa["x"] + x * caixa["width"], meio)
        pagina.wait_for_function("([onde, antes]) => document.querySelector(onde).src !== antes", arg=[FIGURA, antes])
        figuras.append(pagina.locator(FIGURA).get_attribute("src"))  # e o botão ainda está apertado
    pagina.mouse.up()
    controle.focus()
    for tecla in ("ArrowRight", "ArrowLeft"):  # que em uma célula são do JupyterLab
        antes = pagina.locator(FIGURA).get_attribute("src")
        pagina.keyboard.press(tecla)
        pagina.wait_for_function("([onde, antes]) => document.querySelector(onde).src !== antes", arg=[FIGURA, antes])
    visto["figuras"], visto["visor"] = len(set(figuras)), pagina.locator(".explorar output").inner_text()
    visto["alt"] = pagina.locator(FIGURA).get_attribute("alt")
    visto["cartao"] = pagina.locator(FIGURA).evaluate(
        "no => { const antes = getComputedStyle(no).borderTopWidth; document.body.dataset.jpThemeLight = 'false';"
        " const agora = getComputedStyle(no); const visto = [antes, agora.borderTopWidth, agora.backgroundColor];"
        " document.body.dataset.jpThemeLight = 'true'; return visto; }"
    )
    visto["menus"] = {}
    for menu in ("Arquivo", "Configurações", "Ajuda"):
        pagina.locator(".lm-MenuBar-itemLabel", has_text=menu).click()
        pagina.locator(".lm-Menu-itemLabel").first.wait_for()
        pagina.wait_for_timeout(300)
        visto["menus"][menu] = [item for item in pagina.locator(".lm-Menu-itemLabel").all_inner_texts() if item]
        pagina.keyboard.press("Escape")
    pagina.keyboard.press("Control+s")
    return visto


def no_lugar(pagina, texto):
    """Espera que o título com este texto esteja à vista e diz a que distância do alto do notebook ele está."""
    titulo = pagina.locator(f"{PAINEL} h2", has_text=texto)
    titulo.wait_for()
    pagina.wait_for_timeout(2500)  # as células de cima se desenham e o empurram
    alto = pagina.locator(f"{PAINEL} .jp-WindowedPanel-outer").bounding_box()["y"]
    return titulo.bounding_box()["y"] - alto


def main(base, token, chromium, aula, lista, imagens=""):
    with sync_playwright() as playwright:
        navegador = playwright.chromium.launch(executable_path=chromium, args=OPCOES, timeout=PRAZO)
        pagina = navegador.new_page(viewport={"width": 1200, "height": 1000})
        pagina.set_default_timeout(PRAZO)
        pagina.route(lambda url: not url.startswith((base, "data:", "blob:")), lambda pedido: pedido.abort())
        pagina.goto(f"{base}/lab/tree/{aula}?token={token}&reset")  # sem as abas que outro teste deixou
        pagina.locator(f"{PAINEL} .jp-CodeCell").wait_for()
        visto = na_aula(pagina, token)
        pagina.locator(f"{PAINEL} .jp-RenderedMarkdown a", has_text="a lista").click()
        visto["pelo_elo"] = no_lugar(pagina, "entropia")
        pagina.locator(f"{PAINEL} .validate-button").click()
        corpo = pagina.locator("#validation-message")
        corpo.wait_for()
        pagina.wait_for_timeout(500)
        visto |= {"corpo": corpo.inner_text(), "titulo": pagina.locator(".jp-Dialog-header").inner_text()}
        if imagens:
            pagina.screenshot(path=f"{imagens}/validar.png")
        corpo.get_by_role("link", name="empilhar (2 pontos)").click()
        corpo.wait_for(state="detached")
        visto["pelo_relato"] = no_lugar(pagina, "empilhar")
        visto["por_escrever"] = pagina.locator(f"{PAINEL} .curso-por-escrever").count()
        if imagens:
            pagina.screenshot(path=f"{imagens}/pelo-relato.png")
        print(json.dumps(visto, ensure_ascii=False))
        navegador.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
