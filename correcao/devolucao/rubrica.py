"""O que o formgrader mostra a mais a quem corrige: a rubrica ao lado da resposta, e a resposta sem nada que se execute.

O que é do aluno (textos, saídas e imagens) fica atrás de uma linha pontilhada, que diz de quem é; os quadros coloridos
são só da correção. Assim, uma resposta não se faz passar por um aviso, por um veredito nem por uma rubrica.

Só vale na tela do formgrader, e só em memória: nenhum arquivo muda, e as páginas dos alunos não passam por aqui.
"""

import html
import re
from typing import Any

import nbformat
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import Preprocessor
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_locked, is_solution

from correcao.chegada.recebimento import ler_original
from correcao.chegada.reparo.lista import DO_ALUNO
from correcao.comum.anotacao import DADOS, Anotacao, AnotacaoIlegivel, Veredito
from correcao.comum.imagem import so_as_que_cabem
from correcao.comum.pagina import ImagensColadas, com_codigo, mostravel, saidas, sem_marcas, so_as_etiquetas
from correcao.livro.criterios import MODELO, rubricas_de

_QUADRO = "margin: 0 0 1em; padding: .7em 1em; border-left: 4px solid {}; background: {}; color: #222"
_DA_RUBRICA, _DO_AVISO = _QUADRO.format("#8a6d00", "#fff8e1"), _QUADRO.format("#1f5f99", "#eaf3fb")
_CERTO, _ERRADO = _QUADRO.format("#0b6e4f", "#e9f6f0"), _QUADRO.format("#a3331a", "#fbeeea")
_DO_ALUNO = "padding-left: .8em; border-left: 4px dotted #767676; overflow: hidden"
_LEGENDA = "font-size: 85%; color: #5b5b57"
_ETIQUETAS = {*("p", "em", "strong", "code", "pre", "span", "ul", "ol", "li", "blockquote", "br", "hr", "del", "div"),
              *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td")}  # fmt: skip
# O que, em uma fórmula, muda as outras da página (as da rubrica também) ou faz mais do que uma fórmula.
_MANDA_NA_PAGINA = re.compile(
    r"\\(?=[gex]?def|let|futurelet|(?:re)?new(?:command|env)|providecommand|Declare|require|href|class|cssId|style|data)"
)
# Sem rede não há MathJax, e o formgrader, que conta com ele, pararia antes de ligar os atalhos do teclado.
_SEM_MATHJAX = """<script>
if (!window.MathJax || !MathJax.Hub) {
  window.MathJax = {Hub: {Startup: {signal: {Interest: function (avisar) { setTimeout(avisar, 0, "End"); }}}}};
}
</script>"""


class MostrarRubrica(Preprocessor):
    """Acrescenta, antes de cada resposta que uma pessoa lê, a rubrica que está em source/."""

    def preprocess(self, nb: Any, resources: dict) -> tuple[Any, dict]:
        if "submission_id" not in resources:  # quem o põe é a tela do formgrader; sem ele, a página pode ser do aluno
            return nb, resources
        curso = CourseDirectory(config=self.config)
        original = ler_original(curso, resources["assignment_id"], resources["notebook_id"])
        rubricas = rubricas_de(original)
        nossas = {c.source for c in original.cells if c.cell_type == "markdown" and is_locked(c)}
        vereditos = _vereditos(nb)
        so_as_que_cabem(nb)
        celulas = [nbformat.v4.new_markdown_cell(_SEM_MATHJAX)]
        for celula in nb.cells:
            nome = celula.metadata.get("nbgrader", {}).get("grade_id")
            if nome in rubricas and is_solution(celula):
                celulas.append(nbformat.v4.new_markdown_cell(_caixa(rubricas[nome])))
            if celula.cell_type == "code":
                celula.source = mostravel(celula.source)
                celula.outputs = _saidas(celula, vereditos.get(nome))
            elif celula.cell_type == "raw":
                pre = f"<pre>{html.escape(mostravel(celula.source))}</pre>"
                celula = nbformat.v4.new_markdown_cell(_em_um_bloco(pre, "Escrito pelo aluno", _DO_ALUNO))
            elif celula.source not in nossas:
                # um <script> na resposta rodaria no Jupyter de quem corrige
                texto = inofensivo(celula.source, celula.pop("attachments", None))
                celula.source = _em_um_bloco(texto, *_de_quem(celula))
            celulas.append(celula)
        nb.cells = celulas
        return nb, resources


def _vereditos(nb: Any) -> dict[str, Veredito]:
    """O que a correção decidiu de cada conferência: grade_id → veredito."""
    try:
        return {q.id: q.veredito for q in Anotacao.de_dados(nb.metadata.get(DADOS)).questoes if q.veredito}
    except AnotacaoIlegivel:  # de uma versão anterior do curso
        return {}


def _de_quem(celula: Any) -> tuple[str, str]:
    """(legenda, estilo) de um texto que não é o da lista como está em source/."""
    if is_locked(celula):  # as marcas do nbgrader são as da lista: o reparo não deixa passar as do aluno
        return "Da lista, quando foi corrigida", _DO_AVISO
    da_correcao = "nbgrader" not in celula.metadata and not celula.get("id", DO_ALUNO).startswith(DO_ALUNO)
    return ("Aviso da correção", _DO_AVISO) if da_correcao else ("Escrito pelo aluno", _DO_ALUNO)


def _saidas(celula: Any, veredito: Veredito | None) -> list[Any]:
    """O veredito em um quadro; e as saídas que são do kernel do aluno, em uma caixa que o diz."""
    if veredito is not None:
        certas = f"✓ certo: {', '.join(veredito.certas)}<br>" if veredito.certas else ""
        frase = com_codigo(veredito.recado or f"{veredito.casos} casos certos.")
        em_parte = (_DA_RUBRICA, "◐") if veredito.fracao else (_ERRADO, "✗")  # parte dos pontos não é erro inteiro
        estilo, marca = em_parte if veredito.frase else (_CERTO, "✓")
        feita = _em_um_bloco(f"{certas}{marca} {frase}", "Veredito da correção", estilo)
    elif celula.outputs:
        feita = _em_um_bloco(saidas(celula, com_rastro=True), "Saída da célula do aluno", _DO_ALUNO)
    else:
        return []
    return [nbformat.v4.new_output("display_data", data={"text/html": feita})]


def inofensivo(texto: str, coladas: dict | None = None) -> str:
    """O Markdown de um aluno em HTML que nada executa nem busca; o HTML que ele escreveu aparece como texto.

    Das imagens, só as que ele colou (`coladas`), cada uma uma vez, que entram depois da limpeza.
    """
    desenho = _Desenho(escape=True, anchor_link_text="")
    desenho.coladas = dict(coladas or {})
    texto = _MANDA_NA_PAGINA.sub("∖", sem_marcas(mostravel(texto)))
    return desenho.com_elas(so_as_etiquetas(MarkdownWithMath(renderer=desenho).render(texto), _ETIQUETAS))


class _Desenho(ImagensColadas, IPythonRenderer):
    pass


def _caixa(rubrica: str) -> str:
    criterios, marca, modelo = rubrica.partition(MODELO)
    linhas = [f'<div class="rubrica" style="{_DA_RUBRICA}">', "*Só quem corrige vê este quadro.*", criterios]
    if marca:
        estilo = "display: list-item; cursor: pointer"
        linhas += [f'<details><summary style="{estilo}">Resposta-modelo</summary>', marca + modelo, "</details>"]
    return "\n\n".join([*linhas, "</div>"])


def _em_um_bloco(texto: str, legenda: str, estilo: str) -> str:
    """HTML que o Markdown do nbconvert passa adiante como está: um bloco só, sem linha em branco que o interrompa."""
    sem_vazias = re.sub(r"\n[^\S\n]*(?=\n)", "&#10;", re.sub(r"\r\n?", "\n", texto.strip()))
    return f'<div style="{estilo}"><div style="{_LEGENDA}">{legenda}</div>{sem_vazias}</div>'
