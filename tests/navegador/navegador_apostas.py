"""O que uma pessoa faz com as apostas, as figuras com controles e o glossário do site; chamado por tests/sitio.

Recebe o Chromium e a pasta do site; escreve em JSON o que viu.
"""

import json
import sys
from pathlib import Path

from navegador_exploradores import CELULAR, MESA, abrir, acesso, chromium, sobra_de_lado

SEM_GAVETA = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('proibido'); } })"
NOSSOS = ("form.aposta", ".quadros", ".significado", ".aposta-fechado", "button.termo")


def endereco(site, pagina):
    return (Path(site) / f"{pagina}.html").as_uri()


def fechadas(pagina):
    return pagina.locator(".depois-da-aposta:not(.aberta)").count()


def com_o_mouse(navegador, site):
    pagina = abrir(navegador, endereco(site, "aulas/02-softmax"))
    form, visto = pagina.locator("form.aposta").first, {"fechadas": [fechadas(pagina)]}
    form.get_by_role("button", name="Apostar").click()
    visto["sem escolher"] = form.locator(".aposta-resposta").inner_text()
    form.get_by_text("comer", exact=True).click()
    form.get_by_role("button", name="Apostar").click()
    visto["dita"] = form.locator(".aposta-resposta").inner_text()
    visto["fechadas"].append(fechadas(pagina))
    pagina.reload()
    visto["lembrada"] = form.locator(".aposta-resposta").inner_text()
    visto["fechadas"].append(fechadas(pagina))
    pagina.get_by_role("button", name="Ver sem apostar").first.click()
    visto["fechadas"].append(fechadas(pagina))
    pagina.goto(endereco(site, "index"))
    visto["no mapa"] = pagina.locator('[data-aula="02"] .apostadas').inner_text()
    return visto | {"erros": pagina.erros, "fora": pagina.fora}


def com_o_teclado(navegador, site):
    pagina = abrir(navegador, endereco(site, "aulas/00-boas-vindas"), CELULAR, "dark", reduced_motion="reduce")
    campo = pagina.locator("form.aposta input").first
    campo.focus()
    pagina.keyboard.type("90°")
    pagina.keyboard.press("Enter")
    visto = {"dita": pagina.locator(".aposta-resposta").first.inner_text().split("\n")}
    lugar = pagina.locator(".quadros").first
    lugar.scroll_into_view_if_needed()
    graus = lugar.locator("input[type=range]").first
    graus.wait_for()
    antes = lugar.locator("svg").inner_html()
    graus.focus()
    pagina.keyboard.press("End")
    visto["andou"] = antes != lugar.locator("svg").inner_html()
    visto["valor"] = graus.get_attribute("aria-valuetext")
    termo = pagina.locator("button.termo").first
    termo.focus()
    pagina.keyboard.press("Enter")
    visto["significado"] = pagina.locator(".significado").inner_text()
    visto["quebra"] = [q for nosso in NOSSOS if pagina.locator(nosso).count() for q in acesso(pagina, nosso)]
    pagina.keyboard.press("Escape")
    visto["fechou"] = pagina.locator(".significado:popover-open").count() == 0
    # o axe pede as folhas de estilo, que a política não deixa: isso não é da página
    return visto | {"sobra": sobra_de_lado(pagina), "fora": pagina.fora}


def sem_gaveta(navegador, site):
    contexto = navegador.new_context(viewport=MESA)
    contexto.add_init_script(SEM_GAVETA)
    pagina = contexto.new_page()
    pagina.goto(endereco(site, "aulas/02-softmax"))
    antes, form = fechadas(pagina), pagina.locator("form.aposta").first
    form.get_by_text("manga", exact=True).click()
    form.get_by_role("button", name="Apostar").click()
    return {"dita": form.locator(".aposta-resposta").inner_text(), "abriu": antes - fechadas(pagina)}


def main(caminho, site):
    with chromium(caminho) as navegador:
        roteiros = (com_o_mouse, com_o_teclado, sem_gaveta)
        print(json.dumps({r.__name__: r(navegador, site) for r in roteiros}, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
