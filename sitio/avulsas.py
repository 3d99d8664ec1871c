"""As páginas que o site tem e o curso não: a da busca, a de além e a de baixar."""

from collections import defaultdict
from pathlib import Path

from gabarito.pacote import empacotar
from helpers.escrita import com_virgula
from sitio import npm
from sitio.lista import licencas, tela
from sitio.obra import Obra, Pagina
from sitio.rumo import BAIXAR, numero

TEXTOS = Path(__file__).resolve().parent / "textos"

BUSCA = """
<form id="procura" role="search">
  <input type="search" name="q" aria-label="O que procurar" autocomplete="off" placeholder="softmax, máscara…">
</form>
<p id="quantos" role="status"></p>
<ol id="achados"></ol>
<noscript><p>A busca precisa de JavaScript.</p></noscript>
"""


def por(obra: Obra) -> None:
    pacote = obra.pasta / "curso-atencao.zip"
    empacotar(pacote, obra.raiz, obra.ate)
    obra.arquivos[f"{BAIXAR}/{pacote.name}"] = pacote
    texto = (TEXTOS / "baixar.md").read_text(encoding="utf-8")
    texto = texto.format(versao=obra.versao, tamanho=com_virgula(pacote.stat().st_size / 1e6, 0), ate=_ate(obra))
    obra.por(Pagina("baixar", "Baixar e instalar", texto=texto))
    letra = "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"
    obra.arquivos["_static/stix-two-math.woff2"] = npm.arquivo(letra)
    obra.arquivos["_static/minisearch.js"] = npm.arquivo("minisearch/dist/umd/index.js")
    obra.por(
        Pagina("busca", "Busca", html=BUSCA, ativos=("minisearch.js", "indice-da-busca.js", "busca.js"), largo=True)
    )
    obra.por(Pagina("alem/index", "Além das aulas", texto=_alem(obra)))
    obra.por(Pagina(licencas.ENDERECO, licencas.TITULO, texto=licencas.texto(tela.recursos(obra))))


def _ate(obra: Obra) -> str:
    return "" if obra.ate is None else f" Por enquanto, ele vai até a aula {obra.ate}."


def _alem(obra: Obra) -> str:
    """Os caminhos ao lado, por aula."""
    por_aula = defaultdict(list)
    for onde in sorted(obra.cadernos):
        if onde.startswith("alem/"):
            por_aula[numero(onde)].append(onde.removeprefix("alem/"))
    partes = ["# Além das aulas", (TEXTOS / "alem.md").read_text(encoding="utf-8")]
    for n, caminhos in por_aula.items():
        partes += [f"## Da aula {n}", "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(caminhos) + "\n```"]
    return "\n\n".join(partes) + "\n"
