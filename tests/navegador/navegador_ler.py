"""O que duas pessoas fazem na página de `ler`, feito pelo Playwright; roda à parte, chamado por test_leitura.py.

Recebe o Chromium, os endereços das duas e, se quiser, a pasta onde gravar as imagens da tela; escreve em JSON o que
viu.
"""

import json
import sys
import time

from navegador_exploradores import acesso
from navegador_formgrader import OPCOES, PRAZO
from playwright.sync_api import sync_playwright


def abrir(navegador, endereco, erros, fora, **opcoes):
    pagina = navegador.new_page(**opcoes)
    pagina.set_default_timeout(PRAZO)
    pagina.on("pageerror", lambda erro: erros.append(str(erro)))
    pagina.on(
        "console", lambda dito: erros.append(dito.text) if dito.type == "error" and "409" not in dito.text else None
    )
    base = endereco.partition("?")[0]
    pagina.on("request", lambda p: fora.append(p.url) if not p.url.startswith((base, "data:")) else None)
    pagina.goto(endereco)
    esperar(pagina, "ana")
    return pagina


def esperar(pagina, aluno):
    """Até que a resposta deste aluno esteja na tela."""
    pagina.wait_for_function("(quem) => aqui && aluno === quem", arg=aluno)


def teclas(pagina, *quais):
    for tecla in quais:
        pagina.keyboard.press(tecla)


def percorrer(bruno, carla, imagens):
    visto = {"invadiu": bruno.evaluate("() => Boolean(window.invadido)"), "acesso": []}
    for pagina in (bruno, carla):  # a mesa clara e o celular escuro, com tudo aberto
        pagina.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true; })")
        visto["acesso"] += acesso(pagina)
        pagina.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = false; })")
    teclas(bruno, "1", "2", "2")
    visto["primeira"] = {
        "quem": bruno.locator("#de-quem").inner_text(),
        "pontos": bruno.locator("#pontos").input_value(),
        "formulas": bruno.locator("#resposta .formula").count(),
    }
    visto["frases"] = bruno.locator("#comentario").input_value()
    teclas(bruno, "c", "Control+End", "Enter")
    bruno.keyboard.type("Cite a aula 03.")
    if imagens:
        bruno.screenshot(path=f"{imagens}/ler.png")
    teclas(bruno, "Control+Enter")
    esperar(bruno, "bia")
    visto["depois"] = bruno.evaluate("() => aluno")
    visto["progresso"] = bruno.locator("#progresso").inner_text().partition(" Você")[0]

    # Carla, no celular, filtra os não lidos e abre a mesma resposta que Bruno vai gravar
    teclas(carla, "f", "n")
    esperar(carla, "bia")
    carla.evaluate("() => atualizar()")
    carla.wait_for_function("() => document.querySelectorAll('#fila li').length === 1")
    visto["fila"] = [carla.locator("#fila button").first.inner_text().split()[-1]]
    visto["rolagem"] = carla.evaluate("() => document.documentElement.scrollWidth")

    teclas(bruno, "t", "Shift+1")
    visto["reusado"] = "\n" + bruno.locator("#comentario").input_value()
    bruno.locator("#comentario").fill("Tudo bem.\nCite a aula 03.")
    teclas(bruno, "Escape", "p")
    bruno.keyboard.type("0,75")
    visto["virgula"] = bruno.locator("#pontos").input_value()
    teclas(bruno, "Enter")
    bruno.wait_for_function("() => quadro['discussao-1'].alunos[1].pontos === '0,75'")

    teclas(carla, "p")
    carla.keyboard.type("0.25")
    teclas(carla, "Enter")
    carla.locator("#da-outra").wait_for()
    visto["conflito"], visto["da_outra"] = (
        carla.locator("#recado").inner_text(),
        carla.locator("#da-outra").inner_text(),
    )
    if imagens:
        carla.screenshot(path=f"{imagens}/ler-celular.png")
    teclas(carla, "Enter")
    carla.wait_for_function("() => quadro['discussao-1'].alunos[1].quem === 'Carla'")
    visto["minha"] = carla.evaluate("() => quadro['discussao-1'].alunos[1].pontos")
    visto["depressa"] = depressa(bruno)
    return visto


def depressa(pagina):
    """As teclas de quem não espera a nota se gravar, na segunda questão."""
    gravadas = []

    def devagar(rota):
        gravadas.append(rota.request.post_data_json["aluno"])
        time.sleep(0.4)  # a página continua a receber teclas
        rota.continue_()

    teclas(pagina, "Escape", "q")
    esperar(pagina, "ana")
    pagina.wait_for_function("() => questao.id === 'discussao-2' && aqui")
    pagina.route("**/nota", devagar)
    apertar = "(teclas) => teclas.forEach(([key, code]) => document.activeElement.dispatchEvent(" + (
        "new KeyboardEvent('keydown', {key, code, bubbles: true, cancelable: true})))"
    )
    pagina.evaluate(apertar, [["t", "KeyT"], ["Enter", "Enter"], ["Enter", "Enter"], ["t", "KeyT"], ["1", "Digit1"]])
    esperar(pagina, "bia")
    visto = {"gravadas": gravadas, "recado": pagina.locator("#recado").inner_text()}
    visto["da seguinte"] = pagina.locator("#pontos").input_value() + pagina.locator("#comentario").input_value()
    teclas(pagina, "Enter")
    visto["sem nota"] = pagina.locator("#recado").inner_text()
    teclas(pagina, "t")
    visto["marcou"] = pagina.locator("#pontos").input_value()
    teclas(pagina, "p")
    pagina.keyboard.type("tem0,5")
    visto["no campo"] = pagina.locator("#pontos").input_value()
    return visto


def main(chromium, de_bruno, de_carla, imagens=""):
    erros, fora = [], []
    with sync_playwright() as playwright:
        navegador = playwright.chromium.launch(executable_path=chromium, args=OPCOES, timeout=PRAZO)
        bruno = abrir(navegador, de_bruno, erros, fora, viewport={"width": 1400, "height": 900})
        carla = abrir(navegador, de_carla, erros, fora, viewport={"width": 360, "height": 740}, color_scheme="dark")
        visto = percorrer(bruno, carla, imagens)
        print(json.dumps({**visto, "erros": erros, "fora": fora}, ensure_ascii=False))
        navegador.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
