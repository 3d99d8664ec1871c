"""O que uma pessoa faz em uma lista da página, feito pelo Playwright; chamado por test_tela.py.

Recebe o Chromium, o endereço do site e, pela entrada, em JSON, uma lista de pares: o nome de um roteiro e os argumentos
dele. Escreve em JSON o que viu em cada um.
"""

import json
import sys
import time

from navegador_exploradores import CELULAR, MESA, abrir, acesso, chromium, sobra_de_lado

PRAZO = 120_000  # milissegundos: em máquina ocupada, o Python da página demora a chegar
ENCHER = """for (let n = 2 ** 22; n >= 1; n = Math.floor(n / 2))
  try { for (;;) localStorage.setItem("outro-" + Math.random(), "x".repeat(n)); } catch {}"""
ESVAZIAR = (
    """Object.keys(localStorage).filter((k) => k.startsWith("outro-")).forEach((k) => localStorage.removeItem(k))"""
)
RECUSAR = (
    """Object.defineProperty(window, "localStorage", { get() { throw new DOMException("não", "SecurityError"); } })"""
)
EXPLORADORES = (
    "[...document.querySelectorAll('.l-explorador')].map((e) => e.shadowRoot.querySelector('section').className)"
)
LISTA_02 = "listas/lista-02-softmax.html"


class Pessoa:
    """Uma página aberta em um contexto só dela (o que se guarda não passa de uma pessoa a outra)."""

    def __init__(self, navegador, endereco, tela=MESA, tema="light", **outros):
        self.pagina = abrir(navegador, endereco, tela, tema, **outros)
        self.pagina.set_default_timeout(PRAZO)
        if (lugar := self.pagina.locator("#experimente")).count():  # na inicial, o editor só chega quando se vê
            lugar.scroll_into_view_if_needed()
        self.pagina.locator(".l-editor .cm-content").first.wait_for()

    def escrever(self, nome, fonte):
        self.pagina.locator(f'[data-nome="{nome}"] .cm-content').focus()
        self.pagina.keyboard.press("Control+a")
        self.pagina.keyboard.insert_text(fonte)

    def ler(self, nome):
        return self.pagina.locator(f'[data-nome="{nome}"] .cm-content').inner_text()

    def conferir(self, nome):
        """O que se diz, sem o título; e o título."""
        saida = self.pagina.locator(f'[data-papel="conferir"][data-nome="{nome}"] .l-saida')
        self.pagina.get_by_role("button", name=f"Conferir {nome}", exact=True).click()
        return self._dito(saida)

    def _dito(self, saida):
        saida.locator(".l-andamento").wait_for(state="detached")
        dito = saida.locator(".l-dito")
        if not dito.count():
            return {"titulo": "", "frase": saida.inner_text()}
        titulo = dito.locator(".l-titulo")
        frase = dito.locator("p:not(.l-titulo)")
        return {
            "titulo": titulo.inner_text() if titulo.count() else "",
            "frase": frase.first.text_content() if frase.count() else "",
        }

    def rodar(self, nome, fonte=None):
        if fonte is not None:
            self.escrever(nome, fonte)
        lugar = self.pagina.locator(f'[data-papel="rascunho"][data-nome="{nome}"]')
        lugar.get_by_role("button", name="Rodar").click()
        return lugar.locator(".l-saida")

    def aviso(self, tipo):
        return self.pagina.locator(f'[data-aviso="{tipo}"] p').inner_text()

    def pontos(self):
        return self.pagina.locator(".l-pontos").inner_text()

    def baixar(self, destino):
        with self.pagina.expect_download() as baixado:
            self.pagina.get_by_role("button", name="Baixar a lista").click()
        baixado.value.save_as(destino)
        return baixado.value.suggested_filename


def com_a_anterior(navegador, base, de_antes, endereco):
    """Quem já fez uma questão de outra lista, (endereço, nome, resposta), e abriu esta."""
    outra, nome, fonte = de_antes
    pessoa = Pessoa(navegador, base + outra)
    pessoa.escrever(nome, fonte)
    pessoa.conferir(nome)
    pessoa.pagina.goto(base + endereco)
    pessoa.pagina.locator(".l-editor .cm-content").first.wait_for()
    return pessoa


def questoes(navegador, base, erradas, certas, destino, de_antes):
    """Cada questão errada e certa, na página; no fim, o que ela promete e o arquivo que ela dá."""
    pessoa = com_a_anterior(navegador, base, de_antes, LISTA_02)
    visto = {"erradas": {}, "certas": {}}
    for nome, fonte in erradas.items():
        pessoa.escrever(nome, fonte)
        visto["erradas"][nome] = pessoa.conferir(nome)["frase"]
        pessoa.escrever(nome, certas[nome])
        visto["certas"][nome] = pessoa.conferir(nome)["titulo"]
    visto["pontos"] = pessoa.pontos()
    visto["arquivo"] = pessoa.baixar(destino)
    pessoa.pagina.reload()
    pessoa.pagina.locator(".l-ficha").first.wait_for()
    visto["depois_de_recarregar"] = [pessoa.pontos(), pessoa.ler("softmax")]
    visto["erros"] = pessoa.pagina.erros
    visto["fora"] = [u for u in pessoa.pagina.fora if not u.startswith(base)]
    return visto


def tropecos(navegador, base):
    """Um laço parado no meio, uma enxurrada, um erro, um input e um array de gigabytes: a página segue."""
    pessoa = Pessoa(navegador, base + LISTA_02)
    saida = pessoa.rodar("meca-2", "while True:\n    pass")
    saida.get_by_role("button", name="Parar").wait_for()
    pessoa.pagina.wait_for_timeout(500)
    saida.get_by_role("button", name="Parar").click()
    visto = {"laco": pessoa._dito(saida)["frase"]}
    for nome, fonte in {
        "enxurrada": "for i in range(10**6):\n    print('manga' * 20)",
        "erro": "x = [1, 2]\nx[5]",
        "sintaxe": "def f(\n",
        "input": "input('nome?')",
        "gigabytes": "np.ones((200_000, 200_000))",
    }.items():
        saida = pessoa.rodar("meca-2", fonte)
        visto[nome] = pessoa._dito(saida)["frase"]
        texto = saida.locator(".l-texto")
        visto[f"{nome}_escrito"] = len(texto.inner_text()) if texto.count() else 0
    saida = pessoa.rodar("meca-2", "1 + 1")
    pessoa._dito(saida)  # espera que acabe
    visto["depois"] = saida.locator(".l-texto").inner_text()
    visto["ficou"] = pessoa.ler("meca-2")
    return visto


def guarda(navegador, base):
    """Duas abas, o armazenamento cheio e o recusado: o que se diz e o que fica."""
    um = Pessoa(navegador, base + LISTA_02)
    dois = um.pagina.context.new_page()
    dois.goto(base + LISTA_02)
    outra = Pessoa.__new__(Pessoa)
    outra.pagina = dois
    dois.locator(".cm-content").first.wait_for()
    visto = {"duas_abas": um.aviso("outra-aba")}
    um.escrever("softmax", "def softmax(x, eixo=-1):\n    return 'desta'")
    dois.wait_for_function("document.querySelector('[data-nome=softmax] .cm-content').innerText.includes('desta')")
    dois.close()
    um.pagina.evaluate("() => {" + ENCHER + "}")
    um.escrever("entropia", "def entropia(A):\n    return 'sem espaço para isto'" + " " * 500)
    visto["cheio"] = um.aviso("guarda")
    visto["na_tela"] = um.ler("entropia")
    um.pagina.evaluate(
        "Object.keys(localStorage).filter((k) => k.startsWith('outro-')).forEach((k) => localStorage.removeItem(k))"
    )
    um.escrever("entropia", "def entropia(A):\n    return 'coube'")
    visto["coube"] = um.aviso("guarda")
    contexto = navegador.new_context()
    contexto.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('não', 'SecurityError'); } })"
    )
    recusada = contexto.new_page()
    recusada.goto(base + LISTA_02)
    visto["recusado"] = recusada.locator('[data-aviso="guarda"] p').inner_text()
    return visto


def volta(navegador, base, arquivos):
    """Abre cada arquivo e diz o que se leu; nada roda."""
    pessoa = Pessoa(navegador, base + LISTA_02)
    visto = {}
    for nome, caminho in arquivos.items():
        pessoa.pagina.locator("#l-arquivo").set_input_files(caminho)
        pessoa.pagina.locator('[data-aviso="aberto"]').wait_for()
        visto[nome] = [pessoa.aviso("aberto"), pessoa.ler("softmax")]
        pessoa.pagina.locator('[data-aviso="aberto"] .l-fechar').click()
    visto["python"] = pessoa.pagina.locator("iframe").count()
    return visto


def teclado(navegador, base, respostas):
    """A lista 02 inteira sem o mouse: do alto da página até conferir cada questão."""
    pessoa = Pessoa(navegador, base + LISTA_02)
    tecla = pessoa.pagina.keyboard.press
    feitas = []
    pessoa.pagina.locator("body").click(position={"x": 1, "y": 1})
    for _ in range(400):
        tecla("Tab")
        onde = pessoa.pagina.evaluate(
            "(document.activeElement.closest('[data-papel=resposta]') ?? {dataset: {}}).dataset.nome ?? ''"
        )
        editor = pessoa.pagina.evaluate("document.activeElement.classList.contains('cm-content')")
        if not (onde and editor):
            continue
        tecla("Control+a")
        pessoa.pagina.keyboard.insert_text(respostas[onde])
        tecla("Control+Enter")
        saida = pessoa.pagina.locator(f'[data-papel="conferir"][data-nome="{onde}"] .l-saida')
        saida.locator(".l-dito").wait_for()
        feitas.append([onde, pessoa._dito(saida)["titulo"]])
        tecla("Escape")  # e o Tab da volta sai do editor
        if len(feitas) == len(respostas):
            break
    return {"feitas": feitas, "pontos": pessoa.pontos()}


def sem_rede(navegador, base):
    """Depois de uma visita em que se rodou algo, a lista abre e confere sem servidor nenhum."""
    pessoa = Pessoa(navegador, base + LISTA_02)
    pessoa.pagina.evaluate("navigator.serviceWorker.ready.then(() => true)")
    pessoa.pagina.wait_for_function("navigator.serviceWorker.controller !== null")
    pessoa.conferir("entropia")
    pessoa.escrever("entropia", "def entropia(A):\n    return A")
    pessoa.pagina.context.set_offline(True)
    pessoa.pagina.reload()
    pessoa.pagina.locator(".l-editor .cm-content").first.wait_for()
    visto = {"guardado": pessoa.ler("entropia"), "conferencia": pessoa.conferir("entropia")["titulo"]}
    pessoa.pagina.goto(base + "listas/lista-03-escala.html")
    visto["outra_lista"] = pessoa.pagina.title()
    return visto


def acessivel(navegador, base, imagens, paginas):
    """O axe nos dois temas, claro na mesa e escuro no celular, com tudo aberto e uma conferência feita."""
    visto = {}
    for tema, tela in (("light", MESA), ("dark", CELULAR)):
        for endereco in paginas:
            pessoa = Pessoa(navegador, base + endereco, tela, tema, bypass_csp=True, has_touch=tela is CELULAR)
            pessoa.pagina.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            botoes = pessoa.pagina.get_by_role("button", name="Experimentar em um rascunho")
            if botoes.count():
                botoes.first.click()
                pessoa.pagina.get_by_role("button", name="Ver como fica").first.click()
            nome = pessoa.pagina.locator('[data-papel="conferir"]').first.get_attribute("data-nome")
            if pessoa.pagina.get_by_role("button", name=f"Conferir {nome}", exact=True).count():
                pessoa.conferir(nome)
            quebras = acesso(pessoa.pagina)
            visto[f"{tema} {endereco}"] = {"quebra": quebras, "sobra": sobra_de_lado(pessoa.pagina)}
            if imagens:
                nome = endereco.rpartition("/")[2].removesuffix(".html")
                pessoa.pagina.screenshot(path=f"{imagens}/{nome}-{tema}.png", full_page=True)
            pessoa.pagina.context.close()
    return visto


def veja(navegador, base, endereco, respostas, imagem, de_antes):
    """*Veja o que você fez*, com as respostas dadas e uma da lista anterior: os exploradores que abriram."""
    pessoa = com_a_anterior(navegador, base, de_antes, endereco)
    for nome, fonte in respostas.items():
        pessoa.escrever(nome, fonte)
    pessoa.pagina.get_by_role("button", name="Desenhar com as minhas funções").click()
    lugar = pessoa.pagina.locator('[data-papel="veja"]')
    lugar.locator(".l-veja h3").first.wait_for()
    pessoa.pagina.wait_for_timeout(300)
    if imagem:
        lugar.screenshot(path=imagem)
    return {
        "titulos": lugar.locator("h3").all_inner_texts(),
        "exploradores": pessoa.pagina.evaluate(EXPLORADORES),
        "erros": pessoa.pagina.erros,
    }


def primeira_vez(navegador, base, fonte):
    """Da abertura da inicial à primeira resposta conferida, em segundos."""
    comecou = time.perf_counter()
    pessoa = Pessoa(navegador, base + "index.html")
    pessoa.escrever("similaridades", fonte)
    dito = pessoa.conferir("similaridades")
    return {"segundos": round(time.perf_counter() - comecou, 1), **dito}


def main(caminho, base):
    roteiros = json.load(sys.stdin)
    with chromium(caminho) as navegador:
        feitos = [globals()[nome](navegador, base, *argumentos) for nome, *argumentos in roteiros]
    print(json.dumps(feitos, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
