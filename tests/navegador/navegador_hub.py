"""O que se faz no navegador em um JupyterHub: buscar a lista, validar, entregar, rodar a aula, buscar a devolutiva.

Recebe o endereço do hub, o Chromium, a conta, a senha, o que fazer e, se quiser, a pasta das imagens da tela; escreve
em JSON o que viu. Chamado por test_hub_de_verdade.py.
"""

import contextlib
import json
import sys

from navegador_formgrader import OPCOES
from playwright.sync_api import TimeoutError, sync_playwright

PRAZO = 180_000
PAINEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"
LISTAS = "#nbgrader-assignment-list"


def entrar(pagina, base, conta, senha):
    pagina.goto(f"{base}/hub/login")
    pagina.fill("input[name=username]", conta)
    pagina.fill("input[name=password]", senha)
    pagina.locator("input[type=submit], button[type=submit]").click()
    pagina.locator(".jp-FileBrowser").wait_for()
    pagina.wait_for_timeout(3000)


def menu(pagina):
    pagina.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
    pagina.locator(".lm-Menu-itemLabel").first.wait_for()
    pagina.wait_for_timeout(500)
    return [item for item in pagina.locator(".lm-Menu-itemLabel").all_inner_texts() if item]


def abrir_as_listas(pagina):
    itens = menu(pagina)
    pagina.locator(".lm-Menu-itemLabel", has_text="Listas do curso").click()
    pagina.locator(f"{LISTAS} .list_item").first.wait_for()
    pagina.wait_for_timeout(1000)
    return itens


def apertar(pagina, botao, depois):
    """Aperta um botão da tela das listas e espera que nela apareça o texto que vem depois."""
    pagina.locator(f"{LISTAS} button", has_text=botao).first.click()
    pagina.locator(LISTAS, has_text=depois).wait_for()
    pagina.wait_for_timeout(1500)


def buscar(pagina, lista):
    visto = {"menu": abrir_as_listas(pagina), "antes": pagina.locator(LISTAS).inner_text()}
    pagina.locator(f"{LISTAS} .list_item", has_text=lista).locator("button", has_text="Buscar").click()
    pagina.locator(f"{LISTAS} button", has_text="Entregar").wait_for()
    visto["depois"] = pagina.locator(LISTAS).inner_text()
    return visto


def abrir(pagina, base, conta, caminho):
    pagina.goto(f"{base}/user/{conta}/lab/tree/{caminho}?reset")
    pagina.locator(f"{PAINEL} .jp-CodeCell").first.wait_for()
    pagina.locator(f"{PAINEL} .jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for(state="attached")


def entregar(pagina, base, conta, lista):
    abrir(pagina, base, conta, f"release/{lista}/{lista}.ipynb")
    pagina.locator(f"{PAINEL} .validate-button").click()
    dialogo = pagina.locator("#validation-message")
    dialogo.wait_for()
    pagina.wait_for_timeout(500)
    visto = {"relato": dialogo.inner_text()}
    pagina.locator(".jp-Dialog-footer button").first.click()
    abrir_as_listas(pagina)
    pagina.locator(f"{LISTAS} button", has_text="Entregar").first.click()
    pagina.locator(f"{LISTAS} #submitted_assignments_list .list_item").first.wait_for()
    visto["listas"] = pagina.locator(LISTAS).inner_text()
    return visto


def rodar_a_aula(pagina, base, conta, aula):
    """A primeira célula de código, e o que ela diz da função do aluno."""
    abrir(pagina, base, conta, f"notebooks/{aula}.ipynb")
    pagina.wait_for_timeout(1000)
    pagina.locator(f"{PAINEL} .jp-CodeCell").first.click()
    pagina.keyboard.press("Escape")
    saida = pagina.locator(f"{PAINEL} .jp-OutputArea-output", has_text="softmax: a ")
    for _ in range(6):  # o que se pede antes de o kernel atender se perde
        pagina.keyboard.press("Control+Enter")
        with contextlib.suppress(TimeoutError):
            saida.first.wait_for(timeout=30_000)
            break
    return {"saida": saida.first.inner_text()}


def devolutiva(pagina):
    abrir_as_listas(pagina)
    botao = pagina.locator(f"{LISTAS} button", has_text="Buscar a devolutiva")
    botao.first.click()
    pagina.locator(LISTAS, has_text="ver a devolutiva").wait_for(state="attached")
    return {"listas": pagina.locator(LISTAS).inner_text()}


def formgrader(pagina):
    visto = {"menu": menu(pagina)}
    with pagina.expect_popup() as aba:
        pagina.get_by_text("Formgrader", exact=True).click()
    aba.value.locator("table tbody tr", has_text="lista-02").wait_for()
    visto["tabela"] = aba.value.locator("table tbody").inner_text()
    return visto


def main(base, chromium, conta, senha, tarefa, onde="", imagem=""):
    with sync_playwright() as playwright:
        navegador = playwright.chromium.launch(executable_path=chromium, args=OPCOES, timeout=PRAZO)
        pagina = navegador.new_page(viewport={"width": 1280, "height": 800})
        pagina.set_default_timeout(PRAZO)
        pagina.set_default_navigation_timeout(PRAZO)
        entrar(pagina, base, conta, senha)
        try:
            visto = {
                "buscar": lambda: buscar(pagina, onde),
                "entregar": lambda: entregar(pagina, base, conta, onde),
                "aula": lambda: rodar_a_aula(pagina, base, conta, onde),
                "devolutiva": lambda: devolutiva(pagina),
                "formgrader": lambda: formgrader(pagina),
            }[tarefa]()
        finally:
            if imagem:
                pagina.screenshot(path=imagem)
        print(json.dumps(visto, ensure_ascii=False))
        navegador.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
