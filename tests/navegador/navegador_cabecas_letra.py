"""O que uma pessoa faz em *As cabeças* e em *Letra por letra*; como navegador_exploradores.py, de que usa as partes."""

import base64
import sys
from pathlib import Path

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
    nos_dois_temas,
    rodou,
    tabelas,
)

# ------------------------------------------------------------ letra por letra


def letra(pagina, comeco):
    """Pelo mouse e depois só pelo teclado. Devolve os textos que apareceram, e as tabelas de dois passos do treino."""
    onde = pagina.locator(".letra")
    folha, barras = onde.locator("textarea"), onde.locator("ol button")
    barras.first.wait_for()
    folha.fill(comeco)
    esperar_letras(pagina, len(comeco))
    barras.nth(2).click()
    visto = {"clicada": esperar_letras(pagina, len(comeco) + 1)}
    onde.get_by_role("button", name="Sortear uma").click()
    visto["sorteada"] = esperar_letras(pagina, len(comeco) + 2)
    onde.get_by_role("button", name="Gerar 20 letras").click()
    visto["geradas"] = esperar_letras(pagina, len(comeco) + 22)
    visto["marcadas"] = onde.locator("mark").all_inner_texts()
    onde.get_by_text("Camada 1, cabeça 0", exact=True).or_(onde.get_by_text("1 · 0", exact=True)).locator(
        "visible=true"
    ).click()
    visto["cabeca"] = onde.locator(".atencao .legenda").inner_text()

    folha.focus()  # daqui em diante, só o teclado
    pagina.keyboard.press("Control+a")
    pagina.keyboard.type(comeco)
    esperar_letras(pagina, len(comeco))
    for i in range(4):
        pagina.keyboard.press("Enter")
        visto["aceitas"] = esperar_letras(pagina, len(comeco) + 1 + i)
    visto["chegou_as_barras"] = ate(pagina, ", aceitar")
    pagina.keyboard.press("ArrowDown")
    visto["segunda"] = com_foco(pagina)
    pagina.keyboard.press("Enter")
    visto["com_a_segunda"] = esperar_letras(pagina, len(comeco) + 5)
    visto["chegou_as_cabecas"] = ate(pagina, "Camada 1, cabeça 0")
    pagina.keyboard.press("ArrowDown")
    visto["outra_cabeca"] = com_foco(pagina)
    visto["chegou_ao_controle"] = ate_o_tipo(pagina, "range")
    pagina.keyboard.press("Home")  # temperatura 0
    pagina.keyboard.press("g")
    visto["gulosas"] = esperar_letras(pagina, len(comeco) + 25)
    pagina.keyboard.press("r")
    esperar_letras(pagina, None)
    pagina.keyboard.press("t")
    visto["inicial"] = folha.input_value()
    visto["tabelas"] = tabelas(pagina)
    deixar_passar(pagina, 400)
    visto["falado"] = onde.locator(".fala").inner_text()
    return visto


def pontos_do_treino(pagina):
    """A letra mais provável e o que se diz em cada passo guardado, do último ao primeiro, pelo teclado."""
    controle = pagina.locator(".letra .treino input")
    ditos = []
    for _ in range(int(controle.get_attribute("max")) + 1):
        primeira = pagina.locator(".letra ol .so-falado").first.text_content()
        ditos.append(
            [controle.get_attribute("aria-valuetext"), pagina.locator(".treino .legenda").inner_text(), primeira]
        )
        antes = pagina.locator(".letra ol").inner_text()
        controle.press("ArrowLeft")
        if len(ditos) <= int(controle.get_attribute("max")):
            esperar_mudanca(pagina, ".letra ol", antes)
    return ditos


def esperar_letras(pagina, quantas):
    """O texto, quando tem tantas letras e a conta delas está na tela."""
    folha = pagina.locator(".letra textarea")
    for _ in range(6000):
        if quantas is None or len(folha.input_value()) == quantas:
            break
        pagina.wait_for_timeout(20)
    deixar_passar(pagina, 80)
    return folha.input_value()


def ate_o_tipo(pagina, tipo):
    for _ in range(40):
        achou = "(t) => [...document.querySelectorAll('*')].some(n => n.shadowRoot?.activeElement?.type === t)"
        if pagina.evaluate(achou, tipo):
            return True
        pagina.keyboard.press("Tab")
    return False


def textos_ruins(navegador, endereco, textos):
    """De cada texto que não serve: o que se diz, o que fica marcado, quantas barras continuam e se a altura mudou."""
    pagina = abrir(navegador, endereco)
    pagina.locator(".letra ol button").first.wait_for()
    casa, vistos = pagina.locator(".explorador"), []
    for texto in ["The king ", *textos]:
        pagina.locator(".letra textarea").fill(texto)
        deixar_passar(pagina, 100)
        marcado = pagina.locator(".espelho u").all_inner_texts()
        barras = pagina.locator(".letra .barras button:visible").count()
        vistos.append([pagina.locator(".letra .aviso").inner_text(), marcado, barras, casa.bounding_box()["height"]])
    return vistos


def kernel_ocupado(navegador, programa, valores, pesos):
    """Um explorador cujos pesos o kernel só manda depois de um minuto: [o que diz antes, os erros, se ganha vida]."""
    pagina = abrir(navegador, "about:blank")
    pagina.clock.install()
    pagina.evaluate(
        f"""(valores) => {{ {programa}
        const ouvintes = new Set();
        const model = {{ get: (n) => valores[n], set() {{}}, save_changes() {{}}, send() {{}},
            on: (e, f) => e === 'msg:custom' && ouvintes.add(f), off: (e, f) => ouvintes.delete(f) }};
        window.responder = (nome, b64) => {{
            const bytes = Uint8Array.from(atob(b64), (c) => c.charCodeAt(0)).buffer;
            [...ouvintes].forEach((f) => f({{ arquivo: nome }}, [new DataView(bytes)]));
        }};
        render({{ model, el: document.body.appendChild(document.createElement('div')) }});
    }}""",
        valores,
    )
    pagina.clock.fast_forward(60_000)
    antes = pagina.locator(".explorador .corpo").inner_text()
    pagina.evaluate("([nome, b64]) => responder(nome, b64)", pesos)
    pagina.locator(".letra .barras button:visible, .cabecas .mini").first.wait_for()
    return [antes, pagina.erros]


def o_que_fazem(navegador, endereco):
    """As marcas, em ordem de camada e do que cada cabeça faz; a caça; e o primeiro token escondido."""
    pagina = abrir(navegador, endereco)
    minis, pergunta = pagina.locator(".mini"), pagina.locator(".pergunta")
    nomes = lambda: [no.get_attribute("aria-label") for no in minis.all()]  # noqa: E731
    minis.first.wait_for()
    visto = {"marcas": nomes()}
    ordenar = pagina.get_by_label("Ordenar pelo que fazem")
    ordenar.check()
    visto["em_ordem"] = nomes()
    ordenar.uncheck()
    pagina.get_by_role("button", name="Caça às cabeças").click()
    visto["na_caca"], visto["perguntas"] = nomes(), [pergunta.inner_text()]
    for qual in (5, 0, 1, 2, 3, 3, 3, 3):  # erra uma, acerta três, erra três
        minis.nth(qual).click()
        pagina.get_by_role("button", name="É esta").click()
        visto["perguntas"].append(pergunta.inner_text())
    minis.nth(1).click()
    pagina.get_by_label("Esconder o primeiro token").check()
    visto["sem_primeiro"] = pagina.locator(".uma .frase").inner_text()
    pagina.keyboard.press("t")
    visto["tabela"] = list(tabelas(pagina).values())[0]
    return visto | {"acesso": acesso(pagina), "erros": pagina.erros, "tem_campo": pagina.locator(".sua-frase").count()}


def uma_frase_sua(navegador, programa, dados, pesos, outros, outros_pesos):
    """Com um kernel que lê frases: o que o explorador lhe pede, e o que mostra quando ele recusa e quando responde."""
    pagina = abrir(navegador, "about:blank")
    pagina.evaluate(
        f"""([dados, pesos]) => {{ {programa}
        const ver = (b64) => new DataView(Uint8Array.from(atob(b64), (c) => c.charCodeAt(0)).buffer);
        const valores = {{ dados, bagagem: ver(pesos) }}, ouvintes = {{}};
        window.pedidos = [];
        window.chamar = (e, ...x) => (ouvintes[e] ?? []).slice().forEach((f) => f(...x));
        window.mudar_ = (d, b64) => {{ valores.dados = d; valores.bagagem = ver(b64); chamar('change:dados'); }};
        const model = {{ get: (n) => valores[n], set(n, v) {{ valores[n] = v; }}, save_changes() {{}},
            send: (x) => pedidos.push(x), on: (e, f) => (ouvintes[e] ??= []).push(f),
            off: (e, f) => (ouvintes[e] = (ouvintes[e] ?? []).filter((g) => g !== f)) }};
        render({{ model, el: document.body.appendChild(document.createElement('div')) }});
    }}""",
        [dados, pesos],
    )
    campo = pagina.get_by_label("Ou escreva uma frase sua")
    campo.fill("gosto de suco")
    campo.press("Enter")
    visto = {"pedidos": pagina.evaluate("pedidos"), "lendo": pagina.locator(".sua-frase .legenda").inner_text()}
    pagina.evaluate("chamar('msg:custom', {recusado: 'Essa não deu.'}, [])")
    visto["recusada"] = pagina.locator(".sua-frase .legenda").inner_text()
    pagina.evaluate("([d, b]) => mudar_(d, b)", [outros, outros_pesos])
    pagina.get_by_label("gosto, token 1").wait_for()
    visto["tokens"] = pagina.locator(".palco .token").all_inner_texts()
    return visto | {"campo": campo.input_value(), "acesso": acesso(pagina, "body > div"), "erros": pagina.erros}


def em_portugues(navegador, endereco):
    """O outro modelo: o que ele escreve, e o mesmo começo em cada momento do treino."""
    pagina = abrir(navegador, endereco, reduced_motion="reduce")
    pagina.locator(".letra ol button").first.wait_for()
    pagina.get_by_label("Modelo", exact=True).select_option("Este curso, em português")
    folha = pagina.locator(".letra textarea")
    pagina.wait_for_function("() => true")
    visto = {"comeco": folha.input_value(), "rotulo": pagina.locator(".papel label").inner_text()}
    folha.fill("A atençã")
    deixar_passar(pagina, 200)
    visto["depois"] = pagina.locator(".letra .barras .so-falado").first.text_content()
    pagina.get_by_role("button", name="Comparar os momentos").click()
    pagina.get_by_role("button", name="Comparar os momentos").wait_for()  # enquanto anda, o botão é Parar
    visto["momentos"] = pagina.locator(".momentos li").all_inner_texts()
    pagina.locator(".marcas span").first.click()
    visto["no_comeco"] = pagina.locator(".treino output").inner_text()
    pagina.set_viewport_size(CELULAR)
    folha.fill("A palavra manga procura as outras palavras")
    deixar_passar(pagina, 200)
    visto["cortados"] = pagina.locator(".fita").evaluate(
        """fita => [...fita.querySelectorAll("input")].filter(
            no => no.getBoundingClientRect().left < fita.parentNode.getBoundingClientRect().left).length"""
    )
    visto["letras_a_vista"] = pagina.locator(".torre").count()
    return visto | {"acesso": acesso(pagina), "erros": pagina.erros, "fora": pagina.fora}


def contas_do_gpt(navegador, programa, casos):
    """Os logits e os pesos de atenção que o módulo calcula: cada caso é (arquivo, cabeças, ids)."""
    pagina = abrir(navegador, "about:blank")
    conta = f"""([b64, cabecas, ids]) => {{ {programa}
        const bytes = Uint8Array.from(atob(b64), (c) => c.charCodeAt(0));
        const feita = criarGPT(new DataView(bytes.buffer), cabecas).calcular(ids);
        return [Array.from(feita.logits), Array.from(feita.atencao)];
    }}"""
    em_base64 = lambda arquivo: base64.b64encode(Path(arquivo).read_bytes()).decode()  # noqa: E731
    return [pagina.evaluate(conta, [em_base64(arquivo), cabecas, ids]) for arquivo, cabecas, ids in casos]


# ------------------------------------------------------------ as cabeças


def cabecas(pagina):
    onde = pagina.locator(".cabecas")
    minis, titulo, frase = onde.locator(".mini"), onde.locator(".uma h3"), onde.locator(".uma .frase")
    minis.last.click()
    visto = {"clicada": titulo.inner_text(), "resumo": frase.inner_text()}
    onde.locator(".token").nth(2).hover()
    visto["por_cima"] = frase.inner_text()
    onde.locator(".token").nth(4).click()
    pagina.mouse.move(0, 0)
    visto["escolhido"] = frase.inner_text()
    onde.locator(".token").nth(4).click()
    pagina.mouse.move(0, 0)
    visto["desfeito"] = frase.inner_text()
    visto["no_mapa"] = []
    for _ in range(2):  # clicar em uma casa escolhe quem olha, e outra vez desfaz
        onde.locator(".casas").click(position={"x": 5, "y": 5})
        pagina.mouse.move(0, 0)
        visto["no_mapa"].append(frase.inner_text())
    onde.get_by_role("button", name="Linhas").click()
    onde.locator(".token").nth(3).hover()
    visto["nas_linhas"] = frase.inner_text()
    onde.locator(".para-quem span").nth(1).hover()
    visto["olhado"] = frase.inner_text()
    visto["pintado"] = onde.locator(".palco canvas").evaluate(
        "(tela) => tela.getContext('2d').getImageData(0, 0, tela.width, tela.height).data.some((x) => x > 0)"
    )

    minis.last.focus()  # daqui em diante, só o teclado
    for tecla in ("ArrowUp", "Home", "ArrowRight"):
        pagina.keyboard.press(tecla)
    visto["pelas_setas"] = [com_foco(pagina), titulo.inner_text()]
    pagina.keyboard.press("m")
    visto["de_volta_ao_mapa"] = onde.locator(".palco.mapa").count()
    visto["chegou_aos_tokens"] = ate(pagina, ", token ")
    for tecla in ("Home", "ArrowDown", "ArrowDown"):
        pagina.keyboard.press(tecla)
    visto["token"] = [com_foco(pagina), frase.inner_text()]
    pagina.keyboard.press("t")
    visto["tabelas"] = tabelas(pagina)
    deixar_passar(pagina, 400)
    visto["falado"] = onde.locator(".fala").inner_text()
    return visto


# ------------------------------------------------------------ os roteiros


def na_pagina(navegador, enderecos, comeco):
    visto = {}
    for nome, endereco in enderecos.items():
        pagina = abrir(navegador, endereco)
        visto[nome] = cabecas(pagina) if nome == "cabecas" else letra(pagina, comeco)
        if nome == "letra":
            visto[nome]["treino"] = pontos_do_treino(pagina)
        visto[nome] |= {"fora": pagina.fora, "erros": pagina.erros}
        visto[nome] |= nos_dois_temas(navegador, endereco, ".letra ol button, .cabecas .mini")
    return visto


def exportadas(navegador, endereco):
    """As cabeças de um notebook exportado pelo nbconvert, sem rede e sem kernel."""
    pagina = abrir(navegador, endereco)
    return cabecas(pagina) | {"fora": pagina.fora, "erros": pagina.erros}


def no_lab(navegador, base, token, notebook, comeco):
    """No JupyterLab: os pesos vêm do kernel, os atalhos dele não valem aqui, e o notebook salvo não os tem."""
    pagina = abrir(navegador, f"{base}/lab/tree/{notebook}?token={token}", ALTA)
    faltam = []
    pagina.on("response", lambda r: faltam.append(f"{r.status} {r.url}") if r.status >= 400 else None)
    celulas = pagina.locator(".jp-CodeCell")
    celulas.first.wait_for()
    pagina.locator(".jp-OutputArea-output img").first.wait_for()
    esperar_kernel(pagina, token)
    celulas.first.locator(".cm-content").click()
    for i in range(celulas.count() - 1):
        pagina.keyboard.press("Shift+Enter")
        rodou(celulas.nth(i))
    pagina.locator(".explorador .mini").first.wait_for()
    pagina.locator(".letra ol button").first.wait_for()
    quantas = celulas.count()
    visto = {"letra": letra(pagina, comeco), "cabecas": cabecas(pagina)}
    for tecla in ("b", "d", "d", "x"):  # atalhos do JupyterLab, que não podem valer dentro de um explorador
        pagina.keyboard.press(tecla)
    visto["celulas"] = [quantas, celulas.count()]
    visto["acesso"] = {}
    for tema in ("true", "false"):
        pagina.evaluate("(tema) => document.body.setAttribute('data-jp-theme-light', tema)", tema)
        visto["acesso"][tema] = acesso(pagina, ".jp-OutputArea-output")
    celulas.last.locator(".cm-content").click()
    pagina.keyboard.press("Shift+Enter")
    pagina.get_by_text("estado:").last.wait_for()
    visto["no_kernel"] = pagina.locator(".jp-OutputArea-output pre").last.inner_text()
    pagina.keyboard.press("Control+s")
    pagina.locator(".jp-mod-dirty").first.wait_for(state="detached")
    visto["fora"] = [url for url in pagina.fora if not url.startswith((base, base.replace("http", "ws")))]
    return visto | {"erros": pagina.erros, "faltam": faltam}


comum.ROTEIROS |= {
    f.__name__: f
    for f in (
        na_pagina,
        textos_ruins,
        kernel_ocupado,
        o_que_fazem,
        uma_frase_sua,
        em_portugues,
        contas_do_gpt,
        exportadas,
        no_lab,
    )
}

if __name__ == "__main__":
    comum.main(*sys.argv[1:])
