"""O que uma pessoa faz no formgrader, feito pelo Playwright; roda à parte, chamado por test_formgrader.py.

Recebe o endereço do Jupyter, o token, o Chromium, a lista e, se quiser, onde gravar a imagem da tela; escreve em JSON
o que viu.
"""

import json
import sys

from playwright.sync_api import sync_playwright

OPCOES = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
OPCOES += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
PRAZO = 600_000  # milissegundos: em máquina ocupada, a primeira página demora
QUESTAO, PONTOS, COMENTARIO = "discussao-1", "0.75", "Faltou o exemplo numérico; o resto está claro."


def percorrer(pagina, base, token, lista, imagem):
    visto = {}
    # nada de fora: o formgrader de quem está sem rede tem de funcionar (o MathJax dele viria de uma CDN)
    pagina.route(lambda url: not url.startswith(base), lambda pedido: pedido.abort())
    pagina.goto(f"{base}/formgrader?token={token}")
    pagina.get_by_role("link", name="Correção manual").first.click()
    pagina.get_by_role("link", name=lista).first.click()
    pagina.wait_for_url(f"**/gradebook/{lista}")
    pagina.locator("table").get_by_role("link", name=lista).first.click()
    pagina.wait_for_url(f"**/gradebook/{lista}/{lista}")
    primeira = pagina.get_by_role("link", name="Entrega nº 1", exact=True)
    primeira.wait_for()
    visto["antes"] = linha(pagina)
    primeira.click()
    pagina.locator(f"#{QUESTAO}").wait_for()
    pagina.wait_for_load_state("load")
    visto["aluno"] = pagina.locator(".live-notebook a.name-shown").text_content().strip()
    celula = pagina.locator(".nbgrader_cell", has=pagina.locator(f"#{QUESTAO}"))
    visto["resposta"] = celula.locator(".panel-body").inner_text()
    visto["rubricas"] = pagina.locator(".rubrica").all_inner_texts()
    visto["invadiu"] = pagina.evaluate("() => Boolean(window.invadido)")
    # o formgrader preenche os campos com o que está no livro depois de montar a página
    pagina.wait_for_function("() => formgrader.loaded && formgrader.grades.loaded && formgrader.comments.loaded")
    with pagina.expect_response(lambda r: r.request.method == "PUT" and "/api/grade/" in r.url) as nota:
        pagina.locator(f"#{QUESTAO}").fill(PONTOS)
        pagina.locator(f"#{QUESTAO}").press("Tab")
    with pagina.expect_response(lambda r: r.request.method == "PUT" and "/api/comment/" in r.url) as comentario:
        pagina.locator(f"#{QUESTAO}-comment").fill(COMENTARIO)
        pagina.locator(f"#{QUESTAO}-comment").press("Tab")
    visto["gravou"] = [nota.value.status, comentario.value.status]
    if imagem:
        pagina.evaluate("() => document.querySelector('.rubrica').scrollIntoView({block: 'center'})")
        pagina.wait_for_timeout(1500)
        pagina.screenshot(path=imagem)
    pagina.goto(f"{base}/formgrader/gradebook/{lista}/{lista}")
    pagina.get_by_role("link", name="Entrega nº 1", exact=True).wait_for()
    visto["depois"] = linha(pagina)
    return visto


def percorrer_telas(pagina, base, lista, aluno):
    """Todas as telas do formgrader, com os diálogos abertos: o que cada uma diz, menos o que é do aluno."""
    telas = {}
    enderecos = ["manage_assignments", f"manage_submissions/{lista}", "gradebook", f"gradebook/{lista}"]
    enderecos += [f"gradebook/{lista}/{lista}", "manage_students", f"manage_students/{aluno}"]
    enderecos += [f"manage_students/{aluno}/{lista}"]
    for endereco in enderecos:
        pagina.goto(f"{base}/formgrader/{endereco}")
        pagina.wait_for_function("() => window.models && window.models.loaded")
        telas[endereco] = textos(pagina)
    pagina.goto(f"{base}/formgrader/gradebook/{lista}/{lista}")
    pagina.wait_for_function("() => window.models && window.models.loaded")
    botao = pagina.locator("#toggle_names")
    rotulos = [botao.inner_text()]
    for _ in range(2):  # o programa compara o rótulo do botão para saber o que fazer
        botao.click()
        rotulos.append(botao.inner_text())
    telas["rotulos"] = rotulos
    for endereco, gatilho in [
        ("manage_assignments", "td.edit a"),
        ("manage_assignments", "tfoot a"),
        ("manage_students", "td.edit a"),
        ("manage_students", "tfoot a"),
    ]:
        pagina.goto(f"{base}/formgrader/{endereco}")
        pagina.wait_for_function("() => window.models && window.models.loaded")
        pagina.locator(gatilho).first.click()
        pagina.locator(".modal-dialog").wait_for()
        telas[f"{endereco} {gatilho}"] = textos(pagina)
    pagina.goto(f"{base}/formgrader/gradebook/{lista}/{lista}")
    pagina.get_by_role("link", name="Entrega nº 1", exact=True).click()
    pagina.locator(f"#{QUESTAO}").wait_for()
    pagina.wait_for_load_state("load")
    pagina.wait_for_function("() => formgrader.loaded && formgrader.grades.loaded && formgrader.comments.loaded")
    pagina.locator(".help").click()
    pagina.locator(".modal-dialog").wait_for()
    telas["entrega"] = textos(pagina)
    return telas


def textos(pagina):
    """O que se lê na tela, e o que se leria ao passar o mouse ou com um leitor de tela."""
    return pagina.evaluate("""() => {
        const fora = '.inner_cell, .output_wrapper, .nbgrader_cell .panel-body, .prompt, script';
        document.querySelectorAll(fora).forEach(no => no.remove());
        const partes = [document.title, document.body.innerText];
        for (const nome of ['title', 'placeholder', 'data-original-title', 'aria-label', 'data-search']) {
            document.querySelectorAll(`[${nome}]`).forEach(no => partes.push(no.getAttribute(nome)));
        }
        return partes.join('\\n');
    }""")


def linha(pagina):
    """A primeira entrega na tabela do formgrader, coluna a coluna."""
    cabecas = [texto.strip() for texto in pagina.locator("table thead th").all_inner_texts()]
    celulas = pagina.locator("table tbody tr", has_text="Entrega nº 1").first.locator("td").all_inner_texts()
    return dict(zip(cabecas, (texto.strip() for texto in celulas), strict=False))


def main(base, token, chromium, lista, imagem=""):
    with sync_playwright() as playwright:
        navegador = playwright.chromium.launch(executable_path=chromium, args=OPCOES, timeout=PRAZO)
        pagina = navegador.new_page(viewport={"width": 1200, "height": 1000})
        pagina.set_default_timeout(PRAZO)
        pagina.set_default_navigation_timeout(PRAZO)
        erros = []
        pagina.on("pageerror", lambda erro: erros.append(str(erro)))
        visto = percorrer(pagina, base, token, lista, imagem)
        visto["telas"] = percorrer_telas(pagina, base, lista, visto["aluno"])
        print(json.dumps({**visto, "erros": erros}, ensure_ascii=False))
        navegador.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
