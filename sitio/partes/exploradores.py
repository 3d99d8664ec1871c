"""Os exploradores: o programa de cada um vai uma vez, em um arquivo, e as páginas só levam os dados."""

import base64
import hashlib
import html
import json
import re
import zlib
from functools import cache
from typing import Any

import nbformat

from helpers.exploradores import montar
from helpers.exploradores.arquivos import ExploradorComArquivos
from helpers.exploradores.letra import letra_por_letra
from sitio.obra import Caderno, Obra
from sitio.partes import figuras

PASTA = "_static/exploradores"
SAIDA = re.compile(
    r'(<div data-explorador="(\w+)".*?</div>)\s*<script>\(\(\) => \{\n// Feito de [^\n]*\((\w+)\)\n.*'
    r'\nabrirNaPagina\(render, "\2", (\{.*\})\);\n\}\)\(\);</script>\s*',
    re.DOTALL,
)


def caderno(caderno: Caderno, obra: Obra) -> None:
    for celula in caderno.nb.cells:
        if celula.cell_type == "code" and (chamada := LETRA.search(celula.source)) and celula.outputs:
            _letra(caderno, obra, celula, chamada[1])
        for saida in celula.get("outputs", ()):
            texto = saida.get("data", {}).get("text/html", "")
            if achado := SAIDA.fullmatch(texto):
                figura, resumo, nome, dados = achado.groups()
                png = re.search(r"data:image/png;base64,([^\"]+)", figura)
                alt = html.unescape((re.search(r'alt="([^"]*)"', figura) or ["", ""])[1])
                imagem = figuras.imagem(caderno, obra, base64.b64decode(png[1]), alt, "so-papel") if png else ""
                saida.data = {"text/html": lugar(resumo) + imagem + colocar(resumo, nome, dados)}
                caderno.usar(programa(nome))


def arquivos(obra: Obra) -> dict[str, Any]:
    dos_pesos = {f"_static/pesos/{nome}.js": _em_programa(nome, bruto) for nome, bruto in _pesos().items()}
    return dos_pesos | {f"{PASTA}/{nome}.js": classico(nome) for nome in montar.nomes()}


# ------------------------------------------------------------ Letra por letra: os pesos chegam um de cada vez

LETRA = re.compile(r"^letra_por_letra\((.*)\)$", re.MULTILINE)
OUTRO_MODELO = "<p>Na página, os pesos são os que o curso guardou de um treino com esta mesma receita.</p>"


def _letra(caderno: Caderno, obra: Obra, celula: Any, argumentos: str) -> None:
    """O notebook só guarda a imagem dele; a página o tem vivo, com os pesos que o curso guarda."""
    texto = re.search(r'"([^"]*)"', argumentos)
    explorador = letra_por_letra(texto=texto[1] if texto else None)
    assert isinstance(explorador, ExploradorComArquivos)
    dados = {"dados": {c: v for c, v in explorador.dados.items() if c != "bagagem"}}
    escrito = json.dumps(dados, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")
    resumo = hashlib.sha256(escrito.encode()).hexdigest()[:16]
    guardada = next((s.data["image/png"] for s in celula.outputs if "image/png" in s.get("data", {})), None)
    imagem = figuras.imagem(caderno, obra, base64.b64decode(guardada), explorador.alt, "so-papel") if guardada else ""
    nota = OUTRO_MODELO if "modelo" in argumentos else ""
    celula.outputs = [s for s in celula.outputs if s.output_type == "stream"]
    celula.outputs.append(
        nbformat.v4.new_output(
            "display_data", {"text/html": lugar(resumo) + imagem + colocar(resumo, "letra", escrito) + nota}
        )
    )
    caderno.usar(programa("letra"))


@cache
def _pesos() -> dict[str, bytes]:
    explorador = letra_por_letra()
    assert isinstance(explorador, ExploradorComArquivos)
    return dict(explorador.arquivos)


def _em_programa(nome: str, bruto: bytes) -> str:
    """Os pesos como um `<script>`: de `file://`, uma página não lê um arquivo de outro jeito."""
    return f'pesosDoCurso.chegou("{nome}", "{base64.b64encode(zlib.compress(bruto, 9)).decode()}");\n'


# dois do mesmo tipo, para quem os ouve, têm nomes diferentes
DOIS_NA_PAGINA = """
const nomes = new Map();
for (const no of document.querySelectorAll("[data-explorador] > div")) {
  const secao = no.shadowRoot?.querySelector("section");
  const nome = secao?.getAttribute("aria-label").replace(/ \\(\\d+\\)$/, "");
  if (!nome) continue;
  nomes.set(nome, (nomes.get(nome) ?? 0) + 1);
  if (nomes.get(nome) > 1) secao.setAttribute("aria-label", `${nome} (${nomes.get(nome)})`);
}
"""
PEDIR_OS_PESOS = """
const aqui = document.currentScript.src;
const pesos = (globalThis.pesosDoCurso ??= {
  pedidos: {},
  chegou(nome, texto) { this.pedidos[nome].chegou(inflar(texto)); },
  pedir(nome) {
    return (this.pedidos[nome] ??= (() => {
      let chegou, falhou;
      const promessa = new Promise((sim, nao) => ([chegou, falhou] = [sim, nao]));
      const programa = document.createElement("script");
      programa.src = new URL(`../pesos/${nome}.js`, aqui).href;
      programa.onerror = falhou;
      document.head.append(programa);
      return { promessa, chegou };
    })()).promessa;
  },
});
const comOsPesos = (model) => {
  const get = model.get;
  const pontos = [model.get("dados"), ...(model.get("dados").outros ?? [])].flatMap((d) => d.pontos);
  const nomes = new Set(pontos.map((p) => p.arquivo));
  model.get = (nome) => (nomes.has(nome) ? pesos.pedir(nome) : get(nome));
  return model;
};
"""


def programa(nome: str) -> str:
    """O arquivo do explorador, para `usar`."""
    return f"{PASTA.removeprefix('_static/')}/{nome}.js"


def lugar(resumo: str) -> str:
    """Onde o explorador se abre. Sem JavaScript, e no papel, fica a imagem que vem depois (`so-papel`)."""
    return f'<div data-explorador="{resumo}"></div>'


def colocar(resumo: str, nome: str, dados: str) -> str:
    """Os dados de um explorador que está no elemento com este resumo; `dados` já é JSON que não fecha o `<script>`."""
    return f'<script type="application/json" data-do-explorador="{resumo}" data-programa="{nome}">{dados}</script>'


@cache
def classico(nome: str) -> str:
    """O módulo de um explorador como um `<script>` comum: um módulo de outro arquivo não abre em `file://`."""
    corpo = montar.modulo(nome).removesuffix(montar.FIM)
    abrir = "abrirNaPagina(render, resumo, dados)"
    if nome == "letra":
        corpo += PEDIR_OS_PESOS
        abrir = "abrirNaPagina(({ model, el }) => render({ model: comOsPesos(model), el }), resumo, dados)"
    return (
        f"(() => {{\n{corpo}\n"
        f"for (const no of document.querySelectorAll('script[data-programa=\"{nome}\"]')) {{\n"
        "  const [resumo, dados] = [no.dataset.doExplorador, JSON.parse(no.textContent, globalThis.deScript)];\n"
        f"  {abrir};\n}}\n{DOIS_NA_PAGINA}}})();\n"
    )
