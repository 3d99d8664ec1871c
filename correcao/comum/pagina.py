"""O que as páginas da correção têm em comum: HTML que se basta, sem rede, sem script e sem nada do aluno por limpar."""

import datetime
import html
import io
import re
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import mistune
import nh3
from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup
from nbconvert.filters import strip_ansi
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from configuracao.versao import versao
from correcao.comum import datas
from correcao.comum.imagem import ler as ler_imagem

MODELOS = Path(__file__).parents[1] / "modelos"
MAIOR_TEXTO = 20_000  # caracteres de uma saída que vão para a página
MAIOR_RESPOSTA = 20_000  # caracteres de uma resposta: o Pygments e o mistune levariam horas com milhões deles
MAIS_FORMULAS, MAIOR_FORMULA = 100, 400  # por texto, e em caracteres: cada uma é um desenho do Matplotlib
_CORTE = "\n[… o resto foi cortado …]"
_FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\\w$])\$(?!\s)([^$\n]{1,400}?)(?<![\s\\])\$(?![\w$])", flags=re.DOTALL)
_ETIQUETAS = {*("p", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "br", "hr", "del"),
              *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td")}  # fmt: skip


@cache
def ambiente() -> Environment:
    jinja = Environment(loader=FileSystemLoader(MODELOS), autoescape=select_autoescape(["html"]), trim_blocks=True)
    jinja.globals["estilo"] = Markup((MODELOS / "base.css").read_text(encoding="utf-8"))
    jinja.globals["versao"] = versao()
    return jinja


def data(quando: datetime.datetime) -> str:
    """02/03/2026, 09:00 (UTC-3)."""
    local = datas.aqui(quando)
    return f"{local:%d/%m/%Y, %H:%M} ({datas.diferenca(local)})"


def mostravel(texto: str) -> str:
    """O que se mostra de uma resposta; o tempo de quem a desenha cresce com o quadrado de uma fila sem fim."""
    texto = texto[:MAIOR_RESPOSTA] + (_CORTE if len(texto) > MAIOR_RESPOSTA else "")
    texto = re.sub(r"^[^\S\n]+$", "", texto, flags=re.MULTILINE)
    texto = re.sub(r"\n{20,}", "\n" * 20, texto)
    texto = re.sub(r"([^\S\n]{80})[^\S\n]+", r"\1", texto)
    return re.sub(r"(\S{1000})(?=\S)", r"\1\n", texto)


def codigo(texto: str) -> Markup:
    """Código Python colorido. O Pygments escapa tudo o que escreve."""
    return Markup(highlight(mostravel(texto), PythonLexer(), HtmlFormatter(nowrap=False, cssclass="realce")))


def com_codigo(texto: str) -> Markup:
    """O texto escapado, com o que está entre crases em fonte de código."""
    partes = texto.split("`")
    return Markup("").join(Markup("<code>{}</code>").format(p) if i % 2 else p for i, p in enumerate(partes))


def texto_pre(texto: str) -> Markup:
    limpo = strip_ansi(texto)
    corte = _CORTE if len(limpo) > MAIOR_TEXTO else ""
    return Markup(f"<pre>{html.escape(limpo[:MAIOR_TEXTO])}{corte}</pre>")


def figura(dados: str, alt: str = "") -> Markup:
    """Uma imagem do aluno, que só entra se for mesmo um PNG ou um JPEG, e de um tamanho que se possa abrir."""
    imagem = ler_imagem(dados)
    if imagem is None:
        return Markup("")
    alt = html.escape(alt or "Figura do seu notebook", quote=True)
    endereco = f"data:{imagem.tipo};base64,{imagem.base64}"
    return Markup(f'<figure><img class="figura" alt="{alt}" src="{endereco}"></figure>')


class ImagensColadas:
    """Parte de quem desenha o Markdown: no lugar de cada imagem colada, um número; no de uma de fora, o texto dela.

    Uma imagem de fora avisaria a quem a serve. As coladas entram depois da limpeza, que as tiraria.
    """

    coladas: dict[str, Any]

    def image(self, text: str, url: str, title: str | None = None) -> str:
        texto = html.escape(html.unescape(text))
        # citada mil vezes, uma imagem grande encheria a memória: na segunda vez, já não está aqui
        colada = self.coladas.pop(unquote(url.removeprefix("attachment:")), {})
        imagem = ler_imagem(next(iter(colada.values()), None))
        if not url.startswith("attachment:") or imagem is None:
            return texto
        endereco = f"data:{imagem.tipo};base64,{imagem.base64}"
        self._imagens.append(f'<img alt="{sem_marcas(texto)}" src="{endereco}" style="max-width: 100%">')
        return f"\ue002{len(self._imagens) - 1}\ue003"

    def com_elas(self, limpo: str) -> str:
        return re.sub(r"\ue002(\d+)\ue003", lambda m: self._imagens[int(m.group(1))], limpo)

    @cached_property
    def _imagens(self) -> list[str]:
        return []


class _Desenho(ImagensColadas, mistune.HTMLRenderer):
    pass


def sem_marcas(texto: str) -> str:
    """Sem os caracteres que guardam o lugar de fórmulas e imagens."""
    return re.sub("[\ue000-\ue003]", "", texto)


def markdown(texto: str, coladas: dict | None = None) -> Markup:
    """O Markdown de um aluno: HTML escapado, etiquetas inofensivas, fórmulas desenhadas, nenhum endereço de fora.

    Das imagens, só as que ele colou (`coladas`), cada uma uma vez.
    """
    formulas: list[str] = []
    desenho = _Desenho(escape=True)
    desenho.coladas = dict(coladas or {})

    def guardar(achado: re.Match) -> str:
        latex = achado.group(1) or achado.group(2)
        if len(formulas) >= MAIS_FORMULAS or len(latex) > MAIOR_FORMULA:
            return achado.group(0)
        formulas.append(_formula(latex, bloco=achado.group(1) is not None))
        return f"\ue000{len(formulas) - 1}\ue001"

    ler = mistune.create_markdown(renderer=desenho, plugins=["table", "strikethrough"])
    corpo = ler(_FORMULA.sub(guardar, sem_marcas(mostravel(texto))))
    limpo = desenho.com_elas(so_as_etiquetas(str(corpo), _ETIQUETAS))
    limpo = re.sub(r"<(/?)h[1-6]>", r"<\1h3>", limpo)  # dentro de uma questão, que é um h2, todo título é um h3
    return Markup(re.sub(r"\ue000(\d+)\ue001", lambda m: formulas[int(m.group(1))], limpo))


def so_as_etiquetas(corpo: str, etiquetas: set[str]) -> str:
    """O HTML só com estas etiquetas, sem atributo algum; das outras fica o texto."""
    # sem o "*", o nh3 deixaria `title` e `lang`; sem clean_content_tags, tiraria também o texto de um <script>
    limpo = nh3.clean(corpo, tags=etiquetas, attributes={"*": set()}, clean_content_tags=set(), link_rel=None)
    return limpo.replace('"', "&quot;")  # sem atributos, só há aspas no texto; o nh3 as deixa cruas


_LETRA = 12  # em pontos: do tamanho do texto
# o que o Matplotlib só conhece por outro nome
_SINONIMOS = {
    r"\le": r"\leq", r"\ge": r"\geq", r"\lVert": r"\|", r"\rVert": r"\|", r"\lvert": "|", r"\rvert": "|",
    r"\tfrac": r"\frac", r"\implies": r"\Rightarrow", r"\iff": r"\Leftrightarrow", r"\textbf": r"\mathbf",
}  # fmt: skip


def em_mathtext(latex: str) -> str:
    """A fórmula com os nomes que o Matplotlib conhece."""
    com_chaves = re.sub(r"(\\t?frac)(\d)(\w)", r"\1{\2}{\3}", latex.strip())  # \frac1d
    return re.sub(r"\\[A-Za-z]+", lambda m: _SINONIMOS.get(m[0], m[0]), com_chaves)


@cache
def _formula(latex: str, bloco: bool = False) -> str:
    """A fórmula como SVG, pelo Matplotlib: nada vem da rede. O que ele não sabe desenhar fica como foi escrito."""
    import matplotlib  # leva um segundo, e há páginas sem fórmulas
    from matplotlib import font_manager, mathtext

    saida = io.BytesIO()
    try:
        with matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": "curso", "savefig.facecolor": "none"}):
            letra = font_manager.FontProperties(size=_LETRA)
            mathtext.math_to_image(f"${em_mathtext(latex)}$", saida, prop=letra, format="svg", dpi=72)
        svg = saida.getvalue().decode()
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    except Exception:  # LaTeX que o Matplotlib não entende
        return f"<code>{html.escape(latex)}</code>"
    rotulo = html.escape(latex, quote=True)
    classe = "formula bloco" if bloco else "formula"
    return f'<span class="{classe}" role="img" aria-label="{rotulo}">{svg}</span>'


def saidas(celula: Any, com_rastro: bool = False) -> Markup:
    """As saídas de uma célula do aluno: textos, figuras e, dos erros, só o nome e a mensagem (ou o rastro inteiro)."""
    partes = []
    for saida in celula.get("outputs", []):
        if saida.output_type == "stream":
            partes.append(texto_pre(saida.text))
        elif saida.output_type == "error":
            erro = f"{saida.ename}: {saida.evalue}"
            partes.append(texto_pre("\n".join(saida.traceback) if com_rastro and saida.traceback else erro))
        else:
            dados = saida.get("data", {})
            imagem = dados.get("image/png") or dados.get("image/jpeg")
            if imagem:
                metadados = saida.get("metadata", {}).get("image/png", {})
                partes.append(figura(imagem, html.unescape(metadados.get("alt", "")) if metadados else ""))
            elif "text/plain" in dados:
                partes.append(texto_pre(dados["text/plain"]))
    return Markup("").join(partes)
