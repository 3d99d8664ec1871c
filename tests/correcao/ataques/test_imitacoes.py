"""Células que imitam os avisos, os vereditos e os quadros da correção: o que é do aluno aparece como do aluno."""

import re

import nbformat
import pytest
from conftest import RAIZ, png
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.utils import is_grade, is_solution

from correcao import demo
from correcao.chegada import reparo
from correcao.chegada.recebimento import questoes_da_lista
from correcao.comum.anotacao import DADOS, Anotacao, Veredito
from correcao.devolucao import devolver
from correcao.devolucao.rubrica import MostrarRubrica, inofensivo
from correcao.livro.turma import Entrega, QuestaoCorrigida

LISTA = demo.LISTA
NOTA = "esta entrega vale 10, e a leitura já foi feita"
IMITACOES = [
    f"**Atenção.** Corrigida à mão: {NOTA}.",
    f"## O que a correção consertou nesta entrega\n\n- {NOTA}",
    f"## Esta entrega não pôde ser corrigida\n\n{NOTA}",
    f'<div class="rubrica" style="background: #fff8e1">*Só quem corrige vê este quadro.* {NOTA}</div>',
    f"> Comentário do instrutor\n>\n> {NOTA}",
    f"Veredito da correção\n\n✓ {NOTA}",
    f"</div></div></details><div>{NOTA}",
    f"&lt;/div&gt;</pre></blockquote></section>{NOTA}",
]
FIGURA = new_output("display_data", {"image/png": png(300, 60)})


def corrigido(imitacao: str):
    """Um notebook de autograded/ com a imitação em tudo o que é do aluno, e com dois avisos de verdade no alto."""
    nb = demo.notebook({}, imitacao)
    anotacao = Anotacao(
        motivo="O motivo.", consertos=["O conserto."], titulo="Lista 02", questoes=questoes_da_lista(nb)
    )
    saidas = [new_output("stream", text=f"✓ softmax: 12 casos certos. {imitacao}"), FIGURA]
    saidas += [new_output("error", ename="Conferencia", evalue=imitacao, traceback=[imitacao])]
    for celula in nb.cells:
        if is_solution(celula) and celula.cell_type == "code":
            celula.source, celula.outputs = "1  # do aluno", saidas
        elif is_grade(celula) and not is_solution(celula):
            anotacao.anotar(celula.metadata.nbgrader.grade_id, Veredito("A frase da correção."))
    nb.cells.append(new_markdown_cell(imitacao, id="do-aluno-1"))
    nb.cells.append(new_code_cell("1", outputs=saidas, id="do-aluno-2"))
    nb.cells.append(nbformat.v4.new_raw_cell(imitacao, id="do-aluno-3"))
    nb.cells.insert(0, new_markdown_cell(f"**Atenção.** {anotacao.motivo}"))
    nb.cells.insert(1, reparo.aviso_dos_consertos(anotacao.consertos))
    nb.metadata[DADOS] = anotacao.para_dados()
    return nb


@pytest.mark.parametrize("imitacao", IMITACOES)
def test_no_formgrader_tudo_o_que_e_do_aluno_esta_atras_da_linha_pontilhada(imitacao):
    recursos = {"submission_id": "x", "assignment_id": LISTA, "notebook_id": LISTA}
    celulas = MostrarRubrica().preprocess(corrigido(imitacao), recursos)[0].cells
    textos = [c.source for c in celulas if c.cell_type == "markdown"]
    textos += [s.data["text/html"] for c in celulas for s in c.get("outputs", [])]
    do_aluno = [t for t in textos if NOTA in t or "<img" in t]
    assert len(do_aluno) >= 10
    for texto in do_aluno:
        assert re.match(
            r'<div style="[^"]*dotted[^"]*"><div style="[^"]*">(Escrito pelo aluno|Saída da célula do aluno)</', texto
        )
        assert len(re.findall(r"<div[ >]", texto)) == texto.count("</div>") and texto.endswith("</div>")
        assert len(re.findall(r"<[^>]*style=", texto)) == 2 and set(re.findall(r"<[^>]*class=(\S+)", texto)) <= {
            '"figura"'
        }
    avisos = [t for t in textos if "Aviso da correção" in t.partition("</div>")[0]]
    assert len(avisos) == 2 and "O motivo." in avisos[0] and "O conserto." in avisos[1]
    vereditos = [t for t in textos if "Veredito da correção" in t.partition("</div>")[0]]
    assert vereditos and all("✗ A frase da correção." in t for t in vereditos)


@pytest.mark.parametrize("imitacao", IMITACOES)
def test_na_devolutiva_o_que_o_aluno_escreveu_nao_sai_do_quadro_dele(imitacao, tmp_path):
    nb = corrigido(imitacao)
    nbformat.write(nb, tmp_path / "l.ipynb")
    anotadas = questoes_da_lista(nb)
    questoes = [QuestaoCorrigida(q.id, q.titulo, 0.0, 1.0, True, False, f"A frase. {imitacao}") for q in anotadas]
    e = Entrega("ana", LISTA, "Lista 02", 0.0, 10.0, 0.0, None, 0.0, None, [], tmp_path / "l.ipynb", questoes)
    pagina = devolver.devolutiva(e)
    assert pagina.count('<div class="do-aluno">') > 5
    fora = re.sub(r'<div class="do-aluno">.*?</div>\s*</details>', "", pagina, flags=re.DOTALL)
    assert NOTA in pagina and "<blockquote>" not in fora and "<img" not in fora
    assert pagina.count("<section") == pagina.count("</section>") == len(questoes)
    assert all(NOTA not in trecho or "A frase." in trecho for trecho in fora.split("<p>"))


@pytest.mark.parametrize("imitacao", IMITACOES[:3])
def test_no_notebook_corrigido_um_texto_que_comeca_como_um_aviso_fica_cru(imitacao):
    emitida = nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)
    nb = nbformat.from_dict(emitida)
    nb.cells = [new_markdown_cell(imitacao), new_markdown_cell("Atenção é tudo de que você precisa."), *emitida.cells]
    feito = reparo.reparar(nbformat.writes(nb).encode(), emitida, "l.ipynb").nb
    assert [c.cell_type for c in feito.cells if NOTA in c.source] == ["raw"]
    assert [c.cell_type for c in feito.cells if "é tudo de que" in c.source] == ["markdown"]


@pytest.mark.parametrize(
    "formula",
    [
        r"\def\frac#1#2{10}",
        r"\renewcommand{\text}[1]{vale 10}",
        r"\let\sum\prod",
        r"\require{HTML}\style{position: fixed}{x}",
        r"\href{http://mau}{x}",
        r"\gdef\sqrt{10}",
    ],
)
def test_uma_formula_do_aluno_nao_muda_as_da_rubrica_nem_vira_outra_coisa(formula):
    feito = inofensivo(f"$$ {formula} $$")
    assert "∖" in feito and not re.search(r"\\(def|gdef|renewcommand|let|require|style|href)", feito)
    honesta = r"$\left(\frac{a}{b}\right) \le \sqrt{x} \newline \text{ok} \displaystyle \delta$"
    assert inofensivo(honesta).strip() == f"<p>{honesta}</p>"
