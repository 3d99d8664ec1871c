"""As questões abertas: o formgrader do `lab --instrutor`, da lista à nota, com a rubrica à vista só de quem corrige."""

import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import urllib.request

import nbformat
import nbgrader
import pytest
from conftest import RAIZ, entregar, listas, o_lab, solucoes
from jinja2 import Environment
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.utils import is_grade, is_solution

from correcao import demo
from correcao.caixa.quente import quente
from correcao.devolucao import formgrader
from correcao.devolucao.rubrica import MostrarRubrica, inofensivo
from correcao.juizo import corrigir
from correcao.livro.criterios import rubricas_de
from correcao.livro.turma import Turma
from gabarito import aulas
from helpers.conferencia import botao, comando

LISTA = demo.LISTA
RESPOSTA = "As linhas deixam de somar 1: $a<b$.\n\n<script>window.invadido = 1</script>\n\n"
RESPOSTA += '<img src="x" onerror="window.invadido = 1">'
INGLES = re.compile(
    r"\b(the|this|is|not|to|of|and|please|loading|click|submissions?|assignments?|students?|grad(e|ed|ing)|scores?|name|"
    r"search|show|hide|all|add|new|edit|error|success(fully)?|there|feedback|credit|next|prev|previous|save|cancel|close|"
    r"manage|written|task|avg|due|date|flag(ged)?|tests?|failed|needs|draft|released?|none|missing|remaining|"
    r"comments?|keyboard|shortcuts?|move|sorry|optional)\b",
    flags=re.IGNORECASE,
)
QUESTAO, COMENTARIO = "discussao-1", "Faltou o exemplo numérico; o resto está claro."


def fonte(lista):
    return nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)


@pytest.mark.parametrize("lista", listas())
def test_toda_questao_aberta_tem_rubrica_e_o_aluno_nao_a_recebe(lista):
    abertas = [c.metadata.nbgrader.grade_id for c in fonte(lista).cells if is_grade(c) and is_solution(c)]
    rubricas = rubricas_de(fonte(lista))
    assert abertas and list(rubricas) == abertas
    assert all("ponto" in texto.splitlines()[0] for texto in rubricas.values())
    emitida = (RAIZ / "release" / lista / f"{lista}.ipynb").read_text(encoding="utf-8")
    assert "Rubrica" not in emitida and "Resposta-modelo" not in emitida


def test_fora_da_tela_do_formgrader_a_rubrica_nao_aparece():
    nb = demo.notebook({}, RESPOSTA)
    de_antes = nbformat.writes(nb)
    MostrarRubrica().preprocess(nb, {"unique_key": LISTA})  # como na devolutiva do próprio nbgrader
    assert nbformat.writes(nb) == de_antes


def test_na_tela_do_formgrader_a_rubrica_vem_antes_da_resposta():
    recursos = {"submission_id": "x", "assignment_id": LISTA, "notebook_id": LISTA}
    celulas = MostrarRubrica().preprocess(demo.notebook({}, RESPOSTA), recursos)[0].cells
    onde = next(i for i, c in enumerate(celulas) if c.metadata.get("nbgrader", {}).get("grade_id") == QUESTAO)
    assert "Rubrica (1 ponto)" in celulas[onde - 1].source and "Rubrica" not in celulas[onde].source
    assert sum('class="rubrica"' in c.source for c in celulas) == 2


def test_o_html_de_uma_resposta_vira_texto():
    feito = inofensivo(RESPOSTA + "\n\n[aqui](javascript:alert(1))\n\n```\na\n\nb < c\n```")
    assert not re.search(r"<(script|img|a)\b|href|onerror=\"", feito)
    assert "$a&lt;b$" in feito and "&lt;script&gt;" in feito and "b &lt; c" in feito


# ---------------------------------------------------------------- em português


def programas() -> dict[str, str]:
    """Os modelos e os .js do formgrader, como o nbgrader os instala."""
    achados = [*formgrader.MODELOS.glob("*.tpl"), *(formgrader.MODELOS / "formgrade").glob("*.j2")]
    achados += formgrader.PROGRAMAS.glob("*.js")
    return {p.name: p.read_text(encoding="utf-8") for p in achados}


def test_as_frases_sao_para_o_nbgrader_instalado_e_todas_servem():
    assert formgrader.frases()["versao"] == nbgrader.__version__
    fontes, trechos = programas().values(), formgrader.frases()["trechos"]
    assert [trecho for trecho in trechos if not any(trecho in fonte for fonte in fontes)] == []
    for antes, depois in trechos.items():
        fontes = [fonte.replace(antes, depois) for fonte in fontes]
    achados = {" ".join(m[2].split()) for fonte in fontes for m in formgrader._textos().finditer(fonte)}
    assert set(formgrader.frases()["textos"]) - achados == set()


def test_nos_programas_traduzidos_nao_sobra_texto_em_ingles():
    for nome, fonte in programas().items():
        feito = formgrader.traduzir(fonte)
        if nome.endswith(".js"):
            textos = re.findall(
                r'\.(?:text|append)\("([^"<]+)"|title: "([^"]+)"|"help": "([^"]+)"|= "([A-Z][^"]+)"', feito
            )
            textos += re.findall(r'create(?:Log)?Modal\(\s*"[^"]+",\s*"([^"]+)"(?:,\s*"([^"]+)")?()()', feito)
        else:
            limpo = re.sub(r"(?s)<svg.*?</svg>|<script.*?</script>|<style.*?</style>|{%.*?%}|{{.*?}}", "", feito)
            textos = re.findall(r'>([^<>]*)<|title="([^"]*)"', limpo)
        for texto in itertools.chain.from_iterable(textos):
            assert not INGLES.search(re.sub("nbgrader_config.py|course_id", "", texto)), f"{nome}: {texto}"


def test_um_texto_desconhecido_fica_como_veio_e_o_que_e_do_aluno_nao_muda():
    assert formgrader.traduzir("<b>Something else</b> Name") == "<b>Something else</b> Name"
    assert formgrader.traduzir('if (status === "draft") {') == 'if (status === "draft") {'
    modelo = Environment(loader=formgrader.Modelos(formgrader.MODELOS)).get_template("manage_students_assignments.tpl")
    pagina = modelo.render(base_url="", student_id="Score")
    assert '<li class="active">Score</li>' in pagina and "<th>Lista</th>" in pagina


def test_uma_entrega_cujo_arquivo_sumiu_tem_a_sua_tela():
    modelo = Environment(loader=formgrader.Modelos(formgrader.MODELOS)).get_template("formgrade_404.tpl")
    recursos = {"index": 0, "total": 2, "filename": "a.ipynb", "base_url": ""}
    assert "Não achei o notebook desta entrega: a.ipynb" in " ".join(modelo.render(resources=recursos).split())


# ---------------------------------------------------------------- no navegador


@pytest.fixture(scope="module")
def turma(tmp_path_factory):
    """Dois alunos com o código certo e as questões abertas por ler, já corrigidos, fora da pasta do curso."""
    pasta = tmp_path_factory.mktemp("turma")
    for i in (1, 2):
        entregar(pasta, LISTA, f"aluno-{i}", demo.respostas(random.Random(i), acerto=1.0), RESPOSTA)
    assert [situacao.motivo for situacao in corrigir_aqui(LISTA, pasta)] == [None, None]
    yield pasta
    quente.fechar()


def corrigir_aqui(lista, pasta):
    """O `corrigir`, neste processo, que já importou quase tudo."""
    with pytest.MonkeyPatch.context() as troca:
        troca.setenv("CURSO_TURMA", str(pasta))
        return corrigir.corrigir(lista, pasta)


def rodar(pasta, *argumentos, **variaveis):
    ambiente = {**os.environ, "PYTHONUTF8": "1", "CURSO_TURMA": str(pasta), **variaveis}
    comando = [sys.executable, *argumentos]
    return subprocess.run(comando, cwd=RAIZ, env=ambiente, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture(scope="module")
def servidor(turma):
    """O endereço e o token do `lab --instrutor` desta turma."""
    with o_lab(turma) as aberto:
        yield aberto


@pytest.mark.lento
def test_da_lista_a_nota_no_formgrader(chromium, playwright, turma, servidor):
    antes = {e.aluno: e for e in Turma(turma).entregas(LISTA)}
    assert [e.nota for e in antes.values()] == [8, 8] and all(e.espera for e in antes.values())

    programa = [str(RAIZ / "tests" / "navegador" / "navegador_formgrader.py"), *servidor, chromium, LISTA]
    feito = rodar(turma, *programa, PYTHONPATH=playwright, NO_PROXY="localhost,127.0.0.1")
    assert feito.returncode == 0, feito.stderr[-3000:]
    visto = json.loads(feito.stdout)

    assert "As linhas deixam de somar 1" in visto["resposta"] and "<script>" in visto["resposta"]
    assert not visto["invadiu"]
    assert len(visto["rubricas"]) == 2 and all("Rubrica (1 ponto)." in texto for texto in visto["rubricas"])
    assert visto["gravou"] == [200, 200]
    assert (visto["antes"]["Nota"], visto["depois"]["Nota"]) == ("8 / 10", "8,75 / 10")

    esconder, mostrar = "Esconder todos os nomes", "Mostrar todos os nomes"
    assert visto["erros"] == [] and visto["telas"].pop("rotulos") == [mostrar, esconder, mostrar]
    for tela, texto in visto["telas"].items():
        assert not INGLES.search(texto), f"{tela}: {INGLES.findall(texto)}"

    depois = {e.aluno: e for e in Turma(turma).entregas(LISTA)}
    lida = depois.pop(visto["aluno"])
    questao = next(q for q in lida.questoes if q.id == QUESTAO)
    assert (lida.nota, questao.pontos, questao.comentario, questao.espera) == (8.75, 0.75, COMENTARIO, False)
    assert [e.nota for e in depois.values()] == [8]

    feito = rodar(turma, "-m", "correcao.devolucao.devolver", LISTA)
    assert feito.returncode == 0, feito.stderr
    for aluno in antes:
        pagina = (turma / "feedback" / aluno / LISTA / f"{LISTA}.html").read_text(encoding="utf-8")
        assert (COMENTARIO in pagina) == (aluno == visto["aluno"])
        assert "Rubrica" not in pagina and "Resposta-modelo" not in pagina


@pytest.mark.lento
def test_o_botao_de_corrigir_da_zero_com_o_motivo_a_uma_pasta_sem_notebook(turma, servidor):
    base, token = servidor
    pasta = turma / "submitted" / "aluno-sem-nada" / "lista-01-produto-escalar"
    pasta.mkdir(parents=True)
    (pasta / "anotações.txt").write_text("esqueci o notebook")
    corrigir_aqui(pasta.name, turma)  # põe a lista no livro de notas
    shutil.rmtree(turma / "autograded" / "aluno-sem-nada")
    pedido = urllib.request.Request(
        f"{base}/formgrader/api/submission/{pasta.name}/aluno-sem-nada/autograde",
        data=b"", headers={"Authorization": f"token {token}"},
    )  # fmt: skip
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(pedido) as resposta:
        assert json.load(resposta)["success"]
    (entrega,) = Turma(turma).entregas(pasta.name)
    assert entrega.nota == 0 and "notebook" in entrega.motivo
    assert (turma / "autograded" / "aluno-sem-nada" / pasta.name / f"{pasta.name}.ipynb").is_file()


# ---------------------------------------------------------------- o botão Validar, do aluno


@pytest.fixture(scope="module")
def meia_lista(turma):
    """Um notebook com uma questão certa, uma errada, as outras por escrever, e uma das duas discussões respondida."""
    nb = nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)
    respostas = {nome: texto for nome, texto in solucoes(LISTA).items() if nome == "softmax"}
    respostas["entropia"] = "def entropia(A):\n    return -sum(A * np.log(A), axis=-1)"
    for celula in nb.cells:
        nome = celula.metadata.get("nbgrader", {}).get("grade_id")
        celula.source = {**respostas, "discussao-1": RESPOSTA}.get(nome, celula.source)
    caminho = turma / "meia-lista.ipynb"
    nbformat.write(nb, caminho)
    return caminho


def test_o_botao_responde_com_o_que_o_terminal_diz():
    situacoes = [
        comando.Situacao("softmax", 2, True),
        comando.Situacao("entropia", 1, False, "veio <b>NaN</b>"),
        comando.Situacao("discussao-1", 1, None, comando.SEM_RESPOSTA),
    ]
    resposta = botao.resposta(situacoes)
    linhas = [f"{x['marca']} {x['titulo']}: {x['recado']}".removesuffix(": ") for x in resposta["relato"]["linhas"]]
    assert "\n".join([*linhas, "", resposta["relato"]["resumo"]]) == comando.relatar(situacoes)
    assert resposta["relato"]["resumo"] == (
        "1 de 2 questões passam nos casos visíveis (2 de 3 pontos). Ainda em branco: discussao-1."
    )
    assert [f["error"] for f in resposta["failed"]] == ["veio &lt;b&gt;NaN&lt;/b&gt;"]  # a tela do nbgrader lê HTML
    assert "failed" not in botao.resposta(situacoes[:1])


EXPLORADOR = """import sys
sys.path.insert(0, {raiz!r})
import matplotlib.pyplot as plt
from helpers.explorar import explorar

def desenhar(angulo):
    fig, ax = plt.subplots(figsize=(2, 1))
    ax.set_title(f"{{angulo:.2f}}")
    return fig

explorar(desenhar, alt="um número", angulo=(0.0, 2.0, 0.25, 1.0))"""


@pytest.fixture(scope="module")
def visto(chromium, playwright, turma, servidor, meia_lista):
    """O que um aluno viu em uma aula e na lista (navegador_validar.py)."""
    texto = "<details><summary>Dica</summary>\n\nUma.\n\n</details>\n\nDepois da dica, "
    texto += f"[a lista]({meia_lista.name}#cell-id=enunciado-entropia)."
    celulas = [new_markdown_cell(texto), new_code_cell(EXPLORADOR.format(raiz=str(RAIZ)))]
    celulas[1].metadata["jupyter"] = {"source_hidden": True}
    nbformat.write(new_notebook(cells=celulas, metadata=aulas.METADADOS), turma / "aula.ipynb")
    programa = [str(RAIZ / "tests" / "navegador" / "navegador_validar.py"), *servidor, chromium, "aula.ipynb"]
    programa += [meia_lista.name, os.environ.get("CURSO_IMAGENS", "")]
    feito = rodar(turma, *programa, PYTHONPATH=playwright, NO_PROXY="localhost,127.0.0.1")
    assert feito.returncode == 0, feito.stderr[-3000:]
    return json.loads(feito.stdout)


@pytest.mark.lento
def test_abrir_uma_aula_nao_a_muda_e_o_codigo_dobrado_nao_faz_ruido(visto):
    assert visto["sujas"] == 0
    assert visto["dobrado"] == ["0px", '"código dobrado"']
    assert visto["folga"] > 5, "o parágrafo não se cola à dica"


@pytest.mark.lento
def test_a_figura_de_explorar_acompanha_a_mao_e_no_escuro_esta_em_um_cartao(visto):
    assert visto["figuras"] == 2 and "," in visto["visor"] and "." not in visto["visor"]
    assert visto["cartao"] == ["0px", "8px", "rgb(255, 255, 255)"]
    assert visto["alt"] == "um número", "o texto alternativo chega à imagem"


@pytest.mark.lento
def test_nos_menus_nao_ha_ingles(visto):
    ingles = re.compile(r"\b(Rename|Save|Reference|State|Notebook to|File|the)\b")
    assert not [item for itens in visto["menus"].values() for item in itens if ingles.search(item)]
    assert "Renomear Notebook…" in visto["menus"]["Arquivo"] and "Referência: NumPy" in visto["menus"]["Ajuda"]


@pytest.mark.lento
def test_um_elo_e_uma_linha_do_validar_levam_a_questao(visto):
    assert 0 <= visto["pelo_elo"] < 300 and 0 <= visto["pelo_relato"] < 300


@pytest.mark.lento
def test_so_a_discussao_por_escrever_diz_como_se_escreve_nela(visto, meia_lista):
    assert visto["por_escrever"] == meia_lista.read_text("utf-8").count("*Escreva aqui a sua resposta.*") == 1


@pytest.mark.lento
def test_o_dialogo_de_validar_e_o_relato_do_terminal(visto, turma, meia_lista):
    resumo, *linhas = [linha.strip() for linha in visto["corpo"].splitlines() if linha.strip()]
    terminal = rodar(turma, "-m", "helpers.conferencia.comando", str(meia_lista)).stdout
    assert terminal.endswith("\n".join([*linhas, "", resumo]) + "\n")
    assert visto["titulo"] == "Resultado da validação" and "Ainda em branco: discussão 2." in resumo
    (entropia,) = [linha for linha in linhas if "entropia (" in linha]
    assert linhas[0] == "✓ softmax (2 pontos)" and "O `sum` do Python não tem `axis`" in entropia


@pytest.mark.lento
def test_validar_o_que_nao_e_uma_lista_e_dito_em_uma_frase(turma, servidor):
    base, token = servidor
    nbformat.write(nbformat.v4.new_notebook(), turma / "vazio.ipynb")
    pedido = urllib.request.Request(
        f"{base}/assignments/validate?path=vazio.ipynb", data=b"", headers={"Authorization": f"token {token}"}
    )
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(pedido) as resposta:
        visto = json.load(resposta)
    assert not visto["success"] and "não tem questões de lista" in visto["value"]
