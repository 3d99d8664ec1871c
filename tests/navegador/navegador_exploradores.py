"""O que uma pessoa faz em um explorador, feito pelo Playwright; roda à parte, chamado por test_exploradores.py.

Recebe o Chromium e, pela entrada, em JSON, uma lista de pares: o nome de um dos roteiros abaixo e os argumentos dele.
Escreve em JSON o que viu em cada um. O Chromium é aberto uma vez só.
"""

import contextlib
import json
import re
import sys

from axe_playwright_python.sync_playwright import Axe
from navegador_formgrader import OPCOES, PRAZO
from playwright.sync_api import sync_playwright

CELULAR, MESA = {"width": 360, "height": 780}, {"width": 1200, "height": 900}
ALTA = {"width": 1200, "height": 2800}  # o JupyterLab só põe na página as células que cabem na tela


@contextlib.contextmanager
def chromium(caminho):
    with sync_playwright() as playwright:
        navegador = playwright.chromium.launch(executable_path=caminho, args=OPCOES, timeout=PRAZO)
        yield navegador
        navegador.close()


def abrir(navegador, endereco, tela=MESA, tema="light", **outros):
    """Uma página com um espião: `pagina.fora` guarda o que ela pediu à rede, e `pagina.erros`, o que falhou nela."""
    contexto = navegador.new_context(viewport=tela, color_scheme=tema, **outros)
    pagina = contexto.new_page()
    pagina.set_default_timeout(PRAZO)
    pagina.fora, pagina.erros = [], []
    pagina.on("request", lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else pagina.fora.append(r.url))
    pagina.on("pageerror", lambda erro: pagina.erros.append(str(erro)))
    pagina.on("console", lambda m: _anotar(pagina, m))
    pagina.goto(endereco)
    return pagina


def _anotar(pagina, mensagem):
    """Um explorador não pede nada a ninguém: o que o servidor do JupyterLab não achou, quem pediu foi o JupyterLab."""
    texto, de_onde = mensagem.text, mensagem.location["url"]
    do_lab = de_onde.startswith("http://") and texto.startswith("Failed to load resource") and "404" in texto
    if mensagem.type == "error" and not do_lab:
        pagina.erros.append(f"{texto} {de_onde}")


# As da WCAG até a 2.2, as boas práticas, e uma que o axe ainda traz desligada: o nome falado contém o que se lê.
REGRAS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"label-content-name-mismatch": {"enabled": True}, "target-size": {"enabled": True}},
}


def acesso(pagina, onde=None):
    """As regras do axe-core que a página quebra, e em que elementos."""
    visto = Axe().run(pagina, context=onde, options=REGRAS).response["violations"]
    return [f"{v['id']}: {no['html'][:120]}" for v in visto for no in v["nodes"]]


def sobra_de_lado(pagina):
    return pagina.evaluate("document.documentElement.scrollWidth - innerWidth")


def nos_dois_temas(navegador, endereco, pronto="h2"):
    """O axe com tudo aberto, claro na mesa e escuro no celular, e quanto sobra de lado neste. Espera por `pronto`."""
    visto = {"acesso": {}}
    for tema, tela in (("light", MESA), ("dark", CELULAR)):
        pagina = abrir(navegador, endereco, tela, tema, reduced_motion="reduce")
        pagina.locator(pronto).first.wait_for()
        pagina.get_by_role("button", name="Tabela").click()
        pagina.get_by_role("button", name="Teclas").click()
        visto["acesso"][tema] = acesso(pagina)
        if tela is CELULAR:
            visto["sobra_no_celular"] = sobra_de_lado(pagina)
    return visto


def tabelas(pagina):
    """As tabelas à vista, que a tecla T mostra: legenda → linhas de textos."""
    return pagina.evaluate(
        """() => {
        const dentro = [...document.querySelectorAll('*')].flatMap(no => no.shadowRoot ? [no.shadowRoot] : []);
        const achadas = dentro.flatMap(raiz => [...raiz.querySelectorAll('.tabela:not([hidden]) table')]);
        return Object.fromEntries(achadas.map(t => [t.caption.innerText,
            [...t.tBodies[0].rows].map(l => [...l.cells].map(c => c.innerText))]));
    }"""
    )


def com_foco(pagina):
    """Como um leitor de tela chamaria o que está com o foco."""
    return pagina.evaluate(
        """() => {
        let no = document.activeElement;
        while (no?.shadowRoot?.activeElement) no = no.shadowRoot.activeElement;
        return no?.getAttribute('aria-label') ?? no?.querySelector?.('.so-falado')?.textContent ?? no?.innerText ?? '';
    }"""
    )


def ate(pagina, nome, tecla="Tab", vezes=40):
    """Aperta a tecla até o foco chegar a quem tem esse nome; devolve se chegou."""
    for _ in range(vezes):
        if nome in com_foco(pagina):
            return True
        pagina.keyboard.press(tecla)
    return False


# ------------------------------------------------------------ o plano da frase


def plano(pagina):
    """Mexe no plano pelo mouse e depois só pelo teclado; a página já está aberta nele."""
    casa = pagina.locator(".explorador.plano")
    visto = {"no_comeco": casa.locator(".dito").inner_text()}
    ponto = casa.locator(".ponto.frente .bola").bounding_box()
    x, y = ponto["x"] + ponto["width"] / 2, ponto["y"] + ponto["height"] / 2
    pagina.mouse.move(x, y)
    pagina.mouse.down()
    pagina.mouse.move(x + 60, y + 30, steps=4)
    pagina.mouse.up()
    visto["arrastada"] = esperar_mudanca(casa, ".dito", visto["no_comeco"])
    temperatura = casa.locator("input[type=range]").first
    temperatura.press("End")
    pagina.get_by_label("Ou escreva a sua").fill("Ele gosto manga")
    redesenhar(pagina)
    casa.get_by_role("button", name="Voltar ao começo").click()
    redesenhar(pagina)
    visto["de_volta"] = casa.locator(".dito").inner_text()
    visto["temperatura_de_volta"] = temperatura.get_attribute("aria-valuetext")
    visto["frase_de_volta"] = pagina.get_by_label("Ou escreva a sua").input_value()

    casa.locator(".palavra[aria-checked=true]").focus()  # daqui em diante, só o teclado
    visto["chegou_ao_ponto"] = ate(pagina, "manga, em")
    for tecla in ("ArrowRight", "ArrowRight", "Shift+ArrowDown"):
        pagina.keyboard.press(tecla)
        redesenhar(pagina)
    visto["ponto"] = com_foco(pagina)
    visto["chegou_a_temperatura"] = ate_a_temperatura(pagina)
    fria = casa.locator(".dito").inner_text()
    pagina.keyboard.press("End")
    visto["morna"] = esperar_mudanca(casa, ".dito", fria)
    pagina.keyboard.press("t")
    visto["tabelas"] = tabelas(pagina)
    pagina.keyboard.press("t")
    pagina.keyboard.press("?")
    visto["teclas"] = casa.locator(".ajuda dt").all_inner_texts()
    pagina.keyboard.press("Escape")
    deixar_passar(pagina, 400)  # a fala espera a pessoa parar de mexer
    visto["falado"] = casa.locator(".fala").inner_text()
    return visto


def ate_a_temperatura(pagina):
    for _ in range(40):
        if pagina.evaluate(
            "() => [...document.querySelectorAll('*')].some(n => n.shadowRoot?.activeElement?.type === 'range')"
        ):
            return True
        pagina.keyboard.press("Tab")
    return False


def redesenhar(pagina):
    """Espera o explorador, que desenha uma vez por quadro, mostrar o que a última tecla mudou."""
    pagina.evaluate("() => new Promise(feito => requestAnimationFrame(() => requestAnimationFrame(feito)))")


def deixar_passar(pagina, milissegundos):
    """No relógio da própria página: por ocupada que esteja a máquina, o que ela marcou para antes já aconteceu."""
    pagina.evaluate("(quanto) => new Promise(feito => setTimeout(feito, quanto))", milissegundos)


def esperar_mudanca(casa, seletor, antes):
    """O texto de `seletor` assim que ele deixa de ser `antes`."""
    no = casa.locator(seletor)
    for _ in range(6000):
        if no.inner_text() != antes:
            break
        no.page.wait_for_timeout(10)
    return no.inner_text()


def escrever_frases(pagina, frases):
    """O que se diz de cada frase que não serve, e quantas palavras o plano ainda mostra."""
    avisos = []
    for frase in frases:
        pagina.get_by_label("Ou escreva a sua").fill(frase)
        avisos.append([pagina.locator(".aviso").text_content(), pagina.locator(".plano .ponto").count()])
    return avisos


def letra_a_letra(navegador, endereco, frase):
    """Escrita sem pressa, a frase não mexe na altura nem apaga o plano; Enter completa a última palavra."""
    pagina = abrir(navegador, endereco, reduced_motion="reduce")
    campo, casa = pagina.get_by_label("Ou escreva a sua"), pagina.locator(".explorador")
    campo.fill("")
    visto = {"alturas": [], "pontos": []}
    for letra in frase:
        campo.press_sequentially(letra)
        redesenhar(pagina)
        visto["alturas"].append(casa.bounding_box()["height"])
        visto["pontos"].append(pagina.locator(".ponto").count())
    visto["sugestoes"] = pagina.locator(".sugestoes button").all_inner_texts()
    campo.press("Enter")
    redesenhar(pagina)
    return visto | {"completa": campo.input_value(), "fichas": pagina.locator(".palavra").all_inner_texts()}


def escalas(navegador, endereco):
    """Quantos pixels tem uma unidade em cada eixo: na mesa, em uma tela larga e no celular."""
    vistas = []
    for tela in (MESA, {"width": 1920, "height": 1080}, CELULAR):
        pagina = abrir(navegador, endereco, tela)
        pagina.locator(".ponto").first.wait_for()
        redesenhar(pagina)
        # comer em (0,66; 0,60) e manga em (0; 1), da tabela da aula 01
        vistas.append(
            pagina.evaluate(
                """() => {
            const raiz = [...document.querySelectorAll('*')].find(no => no.shadowRoot).shadowRoot;
            const lugar = n => raiz.querySelector(`.ponto[data-n="${n}"]`).transform.baseVal[0].matrix;
            const [comer, manga] = [lugar(3), lugar(4)];
            return [(comer.e - manga.e) / 0.66, (comer.f - manga.f) / 0.4];
        }"""
            )
        )
        pagina.context.close()
    return vistas


def cobertas_pelos_tracos(pagina):
    """As palavras cinza que o mouse não alcança, porque há uma ligação ou uma seta por cima."""
    return pagina.evaluate(
        """() => {
        const raiz = [...document.querySelectorAll('*')].find(no => no.shadowRoot).shadowRoot;
        return [...raiz.querySelectorAll('g.fora')].filter(no => {
            const c = no.querySelector('.alvo').getBoundingClientRect();
            return raiz.elementFromPoint(c.x + c.width / 2, c.y + c.height / 2).closest('.ligacoes, .setas');
        }).map(no => no.dataset.palavra);
    }"""
    )


def brincar(navegador, endereco):
    """Um clique põe uma palavra cinza na frase; as fichas andam e saem, pelo mouse e pelo teclado; um desafio."""
    pagina = abrir(navegador, endereco, reduced_motion="reduce")
    fichas, dito = pagina.locator(".palavra"), pagina.locator(".dito")
    pagina.locator("g.fora[data-palavra=suco] .alvo").click()
    visto = {"com_suco": fichas.all_inner_texts()}
    de, ate_ = fichas.nth(5).bounding_box(), fichas.nth(0).bounding_box()

    def puxar(x, y):
        pagina.mouse.move(de["x"] + 10, de["y"] + 10)
        pagina.mouse.down()
        pagina.mouse.move(x, y, steps=4)
        pagina.mouse.up()

    puxar(ate_["x"] + 2, ate_["y"] + 10)
    visto["arrastada"] = fichas.all_inner_texts()
    de = fichas.nth(0).bounding_box()
    puxar(de["x"] + 10, de["y"] - 90)
    visto["tirada"] = fichas.all_inner_texts()
    fichas.nth(4).focus()  # manga; daqui em diante, só o teclado
    pagina.keyboard.press("Shift+ArrowLeft")
    visto["pelas_setas"] = [fichas.all_inner_texts(), com_foco(pagina)]
    pagina.keyboard.press("ArrowLeft")
    pagina.keyboard.press("Delete")
    visto["sem_de"] = [fichas.all_inner_texts(), com_foco(pagina)]
    pagina.keyboard.press("0")
    for _ in range(12):
        pagina.keyboard.press("c")
    redesenhar(pagina)
    visto["doze_camadas"] = dito.inner_text()
    pagina.keyboard.press("0")
    redesenhar(pagina)
    visto["zero_camadas"] = [dito.inner_text(), pagina.locator(".camadas output").inner_text()]
    visto["desafios"] = []
    for n, frase in ((1, "Ele gosto manga"), (1, "blusa botão guerra manga"), (2, ""), (3, "")):
        if frase:
            pagina.get_by_label("Ou escreva a sua").fill(frase)
        if len(visto["desafios"]) != 1:
            pagina.get_by_role("button", name=f"Desafio {n}").click()
        redesenhar(pagina)
        visto["desafios"].append(pagina.locator(".placar").inner_text())
    pagina.get_by_label("Ou escreva a sua").fill("manga maçã")  # entre as duas fica fruta
    redesenhar(pagina)
    visto["cobertas"] = cobertas_pelos_tracos(pagina)
    pagina.get_by_role("button", name="Voltar ao começo").click()
    pagina.locator("text.nome[data-palavra=comer]").click()
    redesenhar(pagina)
    visto["pelo_nome"] = dito.inner_text()
    de = pagina.locator("g.fora[data-palavra=lua] .apagado").bounding_box()
    puxar(de["x"] + 70, de["y"] + 10)
    redesenhar(pagina)
    visto["com_lua"] = [fichas.all_inner_texts(), pagina.locator("g.fora[data-palavra=lua]").count()]
    return visto | {"acesso": acesso(pagina), "erros": pagina.erros}


# ------------------------------------------------------------ a conta das matrizes


def conta(pagina):
    casa = pagina.locator(".explorador.conta")
    visto = {"passos": casa.locator(".aba").all_inner_texts()}
    casa.get_by_role("tab", name="softmax").click()
    casas = casa.locator(".resultado .casa")
    casas.nth(1).hover()
    visto["com_o_mouse"] = casa.locator(".soma").inner_text()
    visto["acesas"] = casa.locator(".acesa").count()
    casa.get_by_role("tab", name="softmax").focus()  # daqui em diante, só o teclado
    pagina.keyboard.press("p")
    visto["chegou_a_grade"] = ate(pagina, "linha ")
    for tecla in ("Home", "ArrowDown", "ArrowRight"):
        pagina.keyboard.press(tecla)
    visto["casa"] = com_foco(pagina)
    visto["soma"] = casa.locator(".soma").inner_text()
    deixar_passar(pagina, 400)
    visto["falado"] = casa.locator(".fala").inner_text()
    pagina.keyboard.press("t")
    visto["tabelas"] = tabelas(pagina)
    pagina.keyboard.press("t")
    return visto


def mexer_na_conta(navegador, endereco):
    """N de dentro de uma casa; um número mudado no lugar; o botão que mostra a conta; a seta que resulta."""
    pagina = abrir(navegador, endereco)
    resultado = pagina.locator(".resultado .casa")
    resultado.nth(3).click()
    visto = {"pelos_n": []}
    for _ in range(3):
        pagina.keyboard.press("n")
        aba = pagina.locator(".aba[aria-selected=true]").inner_text().split("\n")[0]
        visto["pelos_n"].append([aba, "linha " in com_foco(pagina)])
    pagina.get_by_role("tab", name="Q = X").click()
    visto["aponta"] = []
    for onde in (".esquerda", ".direita"):
        pagina.locator(f"{onde} .casa").last.hover()
        visto["aponta"].append(pagina.locator(".soma .de-quem").inner_text())
    numero = pagina.get_by_label("W_Q, linha alto, coluna q1")
    numero.click()
    pagina.keyboard.type("9")
    visto["escolhido"] = numero.input_value()
    numero.fill("dois")
    visto["nao_e_numero"] = [numero.get_attribute("aria-invalid"), resultado.nth(0).inner_text()]
    numero.fill("−2,5")
    numero.press("ArrowUp")
    visto["mudado"] = [numero.input_value(), com_foco(pagina), resultado.all_inner_texts()]
    pagina.get_by_role("button", name="Ver a conta").click()
    pagina.locator(".voa").first.wait_for()
    visto["voam"] = pagina.locator(".voa").all_inner_texts()
    pagina.locator(".ainda").first.wait_for(state="detached")
    pagina.locator(".voa").first.wait_for(state="detached")
    pagina.get_by_role("tab", name="Y = A V").click()
    visto["Y"] = resultado.all_inner_texts()
    visto["seta"] = pagina.locator(".resulta svg").get_attribute("aria-label")
    visto["acesso"] = acesso(pagina)
    pagina.get_by_role("button", name="Voltar ao começo").click()
    visto["de_volta"] = resultado.all_inner_texts()
    pagina.get_by_role("tab", name="Q = X").click()
    for rotulo in ("X, linha manga, coluna alto", "W_Q, linha alto, coluna q1", "W_Q, linha alto, coluna q2"):
        pagina.get_by_label(rotulo).fill("99")
    visto["grandes"] = []
    for passo in ("S = Q", "softmax"):
        pagina.get_by_role("tab", name=passo).click()
        resultado.last.hover()
        visto["grandes"].append(pagina.locator(".mesa").inner_text())
    return visto | {"erros": pagina.erros}


def com_o_dedo(navegador, endereco):
    """No celular: o dedo leva manga para a direita; e, fora de um ponto, rola a página."""
    pagina = abrir(navegador, endereco, CELULAR, has_touch=True)
    toque, casa = pagina.context.new_cdp_session(pagina), pagina.locator(".explorador.plano")
    antes = casa.locator(".dito").inner_text()

    def deslizar(x, y, dx, dy):
        toque.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for i in range(1, 6):
            onde = {"x": x + i * dx / 5, "y": y + i * dy / 5}
            toque.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [onde]})
            pagina.wait_for_timeout(30)
        toque.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    bola, moldura = casa.locator(".ponto.frente .bola").bounding_box(), casa.locator(".moldura").bounding_box()
    deslizar(bola["x"] + bola["width"] / 2, bola["y"] + bola["height"] / 2, 50, 0)
    visto = [antes, esperar_mudanca(casa, ".dito", antes), pagina.evaluate("scrollY")]
    deslizar(moldura["x"] + 10, moldura["y"] + moldura["height"] - 10, 0, -150)
    pagina.wait_for_function("scrollY > 0")
    return [*visto, pagina.evaluate("scrollY")]


def em_outra_pagina(navegador, endereco):
    """Dois exploradores em uma página com tema próprio e um campo de texto: o tema deles, e de quem é cada tecla."""
    pagina = abrir(navegador, endereco, tema="dark", reduced_motion="reduce")
    plano, conta = pagina.locator(".explorador.plano"), pagina.locator(".explorador.conta")
    camadas, aba = plano.locator(".camadas output"), conta.locator(".aba[aria-selected=true] .passo")
    visto = {"temas": [], "teclas": []}
    for tema in ("auto", "light", "dark", None):
        por = "(t) => t ? document.body.setAttribute('data-theme', t) : document.body.removeAttribute('data-theme')"
        pagina.evaluate(por, tema)
        visto["temas"].append([no.get_attribute("data-tema") for no in (plano, conta)])

    def apertar(*teclas):
        for tecla in teclas:
            pagina.keyboard.press(tecla)
        redesenhar(pagina)
        visto["teclas"].append([camadas.inner_text(), aba.inner_text()])

    apertar("c", "n")  # ninguém foi tocado, e o ponteiro está longe
    plano.locator(".dito").hover()
    apertar("c", "n")
    conta.locator(".explica").hover()
    apertar("c", "n")
    plano.locator(".palavra").first.focus()  # o foco manda mais que o ponteiro
    apertar("c", "n")
    pagina.locator("#outro").focus()
    apertar("c", "n")
    bola = plano.locator(".ponto.frente .bola").bounding_box()
    pagina.mouse.move(bola["x"] + 5, bola["y"] + 5)
    apertar("c", "n")
    return visto | {"escrito": pagina.locator("#outro").input_value()}


# ------------------------------------------------------------ os roteiros


def na_pagina(navegador, exploradores):
    """Cada explorador em uma página de file://: pelo mouse e pelo teclado, no celular, e o axe nos dois temas."""
    visto = {}
    for nome, endereco in exploradores.items():
        pagina = abrir(navegador, endereco)
        visto[nome] = globals()[nome](pagina)
        visto[nome]["fora"], visto[nome]["erros"] = pagina.fora, pagina.erros
        visto[nome] |= nos_dois_temas(navegador, endereco)
    return visto


def com_dados_ruins(navegador, enderecos):
    return [abrir(navegador, endereco).locator(".recado").inner_text() for endereco in enderecos]


def frases_ruins(navegador, endereco, frases):
    return escrever_frases(abrir(navegador, endereco), frases)


def contas(navegador, programa, casos):
    """O que as funções do módulo devolvem, sem desenhar: `casos` são expressões em JavaScript."""
    pagina = abrir(navegador, "about:blank")
    return [pagina.evaluate(f"() => {{ {programa}\nreturn {caso}; }}") for caso in casos]


def exportado(navegador, endereco):
    """Um notebook exportado pelo nbconvert: os exploradores se movem, sem rede e sem kernel."""
    pagina = abrir(navegador, endereco)
    visto = {"imagens": pagina.locator("[data-explorador] > img").count(), "plano": plano(pagina)}
    visto["conta"] = {"passos": pagina.locator(".aba").all_inner_texts()}
    return {**visto, "fora": pagina.fora, "erros": pagina.erros}


def no_lab(navegador, base, token, notebook, imagem=""):
    """No JupyterLab: antes de rodar, a imagem; depois, o explorador vivo; reaberto sem kernel, ainda se move."""
    pagina = abrir(navegador, f"{base}/lab/tree/{notebook}?token={token}", ALTA)
    celulas = pagina.locator(".jp-CodeCell")
    celulas.first.wait_for()
    guardadas = pagina.locator(".jp-OutputArea-output img")
    guardadas.nth(1).wait_for()  # as duas: a segunda às vezes demora mais
    visto = {
        "antes": [no.get_attribute("alt") for no in guardadas.all()],
        "vivos_antes": pagina.locator(".explorador").count(),
    }
    esperar_kernel(pagina, token)
    celulas.first.locator(".cm-content").click()
    for i in range(celulas.count() - 1):  # a última conta ao kernel o que se fez
        pagina.keyboard.press("Shift+Enter")
        rodou(celulas.nth(i))
    pagina.locator(".explorador .palavra").first.wait_for()
    pagina.locator(".explorador .aba").first.wait_for()
    quantas = celulas.count()
    visto["plano"], visto["conta"] = plano(pagina), conta(pagina)
    for tecla in ("b", "d", "d", "x", "m"):  # atalhos do JupyterLab, que não podem valer dentro de um explorador
        pagina.keyboard.press(tecla)
        visto.setdefault("celulas", [quantas]).append(celulas.count())
    visto["acesso"] = {}
    for tema in ("true", "false"):
        pagina.evaluate("(tema) => document.body.setAttribute('data-jp-theme-light', tema)", tema)
        visto["acesso"][tema] = acesso(pagina, ".jp-OutputArea-output")
    if imagem:
        pagina.screenshot(path=imagem)
    pagina.locator(".plano .ponto.frente").focus()
    pagina.keyboard.press("Control+s")  # este vale
    pagina.locator(".jp-mod-dirty").first.wait_for(state="detached")
    celulas.last.locator(".cm-content").click()
    pagina.keyboard.press("Shift+Enter")
    visto["no_kernel"] = esperar_mudanca(pagina, ".jp-OutputArea-output pre", "frase: None\n")
    pagina.keyboard.press("Control+s")
    pagina.locator(".jp-mod-dirty").first.wait_for(state="detached")
    visto["fora"] = [url for url in pagina.fora if not url.startswith((base, base.replace("http", "ws")))]
    visto["erros"] = list(pagina.erros)  # antes de reabrir, que desliga o kernel desta página
    visto["reaberto"] = reabrir(navegador, base, token, notebook)
    return visto


def rodou(celula):
    """Até que a célula tenha o número de quem já rodou."""
    celula.locator(".jp-InputArea-prompt").filter(has_text=re.compile(r"\[\d+\]")).wait_for()


def esperar_kernel(pagina, token):
    """Até que o kernel responda à página: antes disso, executar uma célula só apaga a saída dela."""
    pronto = """async (token) => {
        const sessoes = await (await fetch('/api/sessions', { headers: { Authorization: `token ${token}` } })).json();
        return sessoes.some(s => s.kernel.execution_state === 'idle' && s.kernel.connections > 0);
    }"""
    for _ in range(3000):
        if pagina.evaluate(pronto, token):
            # o servidor já sabe; em uma máquina ocupada, a página pode ainda não saber
            pagina.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for(state="attached")
            return
        pagina.wait_for_timeout(200)
    raise TimeoutError("o kernel não respondeu")


def reabrir(navegador, base, token, notebook):
    """O notebook salvo, em que o JupyterLab já confia, com o kernel desligado."""
    pedidos = navegador.new_context(extra_http_headers={"Authorization": f"token {token}"}).request
    for sessao in pedidos.get(f"{base}/api/sessions", timeout=PRAZO).json():
        pedidos.delete(f"{base}/api/sessions/{sessao['id']}", timeout=PRAZO)
    pagina = abrir(navegador, f"{base}/lab/tree/{notebook}?token={token}", ALTA)
    pagina.locator(".explorador .palavra").first.wait_for()
    antes = pagina.locator(".dito").inner_text()
    pagina.locator(".ponto.frente").focus()
    pagina.keyboard.press("ArrowLeft")
    return [antes, esperar_mudanca(pagina, ".dito", antes)]


ROTEIROS = {
    f.__name__: f
    for f in (
        na_pagina,
        com_o_dedo,
        com_dados_ruins,
        frases_ruins,
        letra_a_letra,
        escalas,
        brincar,
        mexer_na_conta,
        em_outra_pagina,
        contas,
        exportado,
        no_lab,
    )
}


def main(caminho):
    with chromium(caminho) as navegador:
        vistos = [ROTEIROS[nome](navegador, *argumentos) for nome, argumentos in json.load(sys.stdin)]
        print(json.dumps(vistos, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
