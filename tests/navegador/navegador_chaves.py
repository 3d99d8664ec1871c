"""O que uma pessoa faz no plano das chaves; como navegador_exploradores.py, de que usa as partes."""

import re
import sys

import navegador_exploradores as comum
from navegador_exploradores import (
    ALTA,
    CELULAR,
    abrir,
    acesso,
    ate,
    com_foco,
    deixar_passar,
    esperar_kernel,
    esperar_mudanca,
    redesenhar,
    rodou,
    tabelas,
)


def arrastar(pagina, seletor, dx, dy):
    """Pelo mouse; devolve o que se diz depois."""
    antes = pagina.locator(".dito").inner_text()
    caixa = pagina.locator(seletor).bounding_box()
    x, y = caixa["x"] + caixa["width"] / 2, caixa["y"] + caixa["height"] / 2
    pagina.mouse.move(x, y)
    pagina.mouse.down()
    pagina.mouse.move(x + dx, y + dy, steps=4)
    pagina.mouse.up()
    return esperar_mudanca(pagina, ".dito", antes)


def mexer(navegador, endereco):
    """Pelo mouse e depois só pelo teclado."""
    pagina = abrir(navegador, endereco)
    dito, escrita = pagina.locator(".dito"), pagina.get_by_label("Ou escreva a sua")
    pagina.locator(".palavra").first.wait_for()
    redesenhar(pagina)
    visto = {"no_comeco": dito.inner_text()}
    visto["arrastada"] = arrastar(pagina, ".punho .bola", -60, -40)
    visto["com_foco"] = com_foco(pagina)
    visto["legenda"] = pagina.locator(".grupos").last.inner_text()
    visto["chave_puxada"] = arrastar(pagina, ".o-das-chaves [data-palavra=comer] .bola", -40, -90)
    pagina.mouse.move(0, 0)
    pagina.get_by_role("button", name="Voltar ao começo").click()
    redesenhar(pagina)
    redesenhar(pagina)
    visto["de_volta"] = dito.inner_text()
    pagina.locator(".o-das-palavras [data-palavra=comer] .bola").click()
    visto["quem"] = esperar_mudanca(pagina, ".dito", visto["de_volta"])
    pagina.locator(".o-das-chaves text[data-palavra=gosto]").click()
    pagina.locator(".dito", has_text=re.compile(r"^\s*gosto ")).wait_for()  # antes, o ponteiro em cima diz outra coisa
    visto["pelo_nome"] = dito.inner_text()
    pagina.locator(".o-das-palavras [data-palavra=suco] .bola").click()
    visto["de_fora"] = escrita.input_value()

    casa = pagina.locator(".explorador")
    visto["alturas"], visto["avisos"] = [casa.bounding_box()["height"]], []
    for frase in ("Ele comeu banana ", "Ele comeu man"):
        escrita.fill(frase)
        visto["avisos"].append(pagina.locator(".aviso").text_content().split(". ")[0])
    visto["alturas"].append(casa.bounding_box()["height"])

    pagina.locator(".palavra").first.focus()  # daqui em diante, só o teclado
    pagina.keyboard.press("0")
    redesenhar(pagina)
    visto["chegou_ao_numero"] = ate(pagina, "W_Q, linha alto, coluna 1")
    for _ in range(2):
        pagina.keyboard.press("ArrowRight")
        redesenhar(pagina)
    visto["numero"] = pagina.locator(".casa output").nth(2).inner_text()
    visto["consulta"] = pagina.locator(".punho").get_attribute("aria-label")
    visto["chegou_a_ponta"] = ate(pagina, "consulta de manga", "Shift+Tab")
    for tecla in ("ArrowRight", "Shift+ArrowUp"):
        pagina.keyboard.press(tecla)
        redesenhar(pagina)
    visto["ponta"] = com_foco(pagina)
    pagina.keyboard.press("t")
    visto["tabelas"] = tabelas(pagina)
    deixar_passar(pagina, 400)  # a fala espera a pessoa parar de mexer
    visto["falado"] = pagina.locator(".fala").inner_text()
    return visto | {"fora": pagina.fora, "erros": pagina.erros}


def treinar(navegador, endereco):
    pagina = abrir(navegador, endereco)
    placar, dito = pagina.locator(".placar"), pagina.locator(".dito")
    pagina.locator(".palavra").first.wait_for()
    redesenhar(pagina)
    visto = {"no_comeco": dito.inner_text(), "placares": [placar.inner_text()]}
    pagina.get_by_role("button", name="Um passo").click()
    visto["placares"].append(esperar_mudanca(pagina, ".placar", visto["placares"][-1]))
    pagina.get_by_role("button", name="Treinar").click()
    for _ in range(2):
        visto["placares"].append(esperar_mudanca(pagina, ".placar", visto["placares"][-1]))
    pagina.locator(".palavra", has_text="comer").click()
    redesenhar(pagina)
    visto["escolhida"] = dito.inner_text()
    pagina.get_by_role("button", name="Pausar").click()
    redesenhar(pagina)
    for _ in range(2):
        visto["placares"].append(placar.inner_text())
        deixar_passar(pagina, 200)
    pagina.get_by_role("button", name="Treinar").click()
    pagina.locator(".casa input").nth(2).press("ArrowRight")
    redesenhar(pagina)
    visto["mexido"] = placar.inner_text()
    pagina.get_by_role("button", name="Voltar ao começo").click()
    redesenhar(pagina)
    pagina.mouse.move(0, 0)
    redesenhar(pagina)
    visto |= {"de_volta": dito.inner_text(), "botao": pagina.locator(".treinar").inner_text()}
    return visto | {"erros": pagina.erros}


def sem_movimento(navegador, endereco):
    """Quem pediu menos animações vê o fim do treino de uma vez."""
    pagina = abrir(navegador, endereco, reduced_motion="reduce")
    pagina.locator(".treinar").focus()
    pagina.keyboard.press("r")
    redesenhar(pagina)
    pagina.keyboard.press("t")
    deixar_passar(pagina, 400)
    fala = pagina.locator(".fala").inner_text()
    return {"placar": pagina.locator(".placar").inner_text(), "falado": fala, "tabelas": tabelas(pagina)}


def com_o_dedo(navegador, endereco):
    """No celular, o dedo leva a ponta da consulta; e os planos são quadrados."""
    pagina = abrir(navegador, endereco, CELULAR, has_touch=True)
    pagina.locator(".punho").scroll_into_view_if_needed()
    toque, antes = pagina.context.new_cdp_session(pagina), pagina.locator(".punho").get_attribute("aria-label")
    caixa = pagina.locator(".punho .bola").bounding_box()
    x, y = caixa["x"] + caixa["width"] / 2, caixa["y"] + caixa["height"] / 2
    for tipo, dx in (("touchStart", 0), ("touchMove", -30), ("touchMove", -60), ("touchEnd", None)):
        pontos = [] if dx is None else [{"x": x + dx, "y": y}]
        toque.send("Input.dispatchTouchEvent", {"type": tipo, "touchPoints": pontos})
        redesenhar(pagina)
    redesenhar(pagina)
    lados = pagina.locator("figure svg").evaluate_all("s => s.map(n => [n.clientWidth, n.clientHeight])")
    return [antes, pagina.locator(".punho").get_attribute("aria-label"), lados]


def nos_dois_temas(navegador, endereco):
    return comum.nos_dois_temas(navegador, endereco, ".palavra")


def no_lab(navegador, base, token, notebook):
    """No JupyterLab: o número que se muda no explorador é o que a célula seguinte imprime."""
    pagina = abrir(navegador, f"{base}/lab/tree/{notebook}?token={token}", ALTA)
    celulas = pagina.locator(".jp-CodeCell")
    celulas.first.wait_for()
    esperar_kernel(pagina, token)
    celulas.first.locator(".cm-content").click()
    pagina.keyboard.press("Shift+Enter")
    rodou(celulas.first)
    pagina.locator(".explorador .palavra").first.wait_for()
    antes = pagina.locator(".dito").inner_text()
    pagina.locator(".punho").focus()
    pagina.keyboard.press("ArrowRight")
    esperar_mudanca(pagina, ".dito", antes)
    visto = {"acesso": {}}
    for tema in ("true", "false"):
        pagina.evaluate("(tema) => document.body.setAttribute('data-jp-theme-light', tema)", tema)
        visto["acesso"][tema] = acesso(pagina, ".jp-OutputArea-output")
    celulas.last.locator(".cm-content").click()
    pagina.keyboard.press("Shift+Enter")
    visto["impresso"] = esperar_mudanca(pagina, ".jp-OutputArea-output pre", "W_Q: [0.6, 0.4]\n")
    return visto | {"erros": pagina.erros}


comum.ROTEIROS |= {f.__name__: f for f in (mexer, treinar, sem_movimento, com_o_dedo, nos_dois_temas, no_lab)}

if __name__ == "__main__":
    comum.main(*sys.argv[1:])
