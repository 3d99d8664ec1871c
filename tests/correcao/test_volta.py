"""A volta inteira do instrutor: a demonstração, as devolutivas, as notas e o relatório."""

import base64
import csv
import json
import os
import re
import subprocess
import sys
import zipfile

import pytest
from conftest import RAIZ
from nbgrader.api import Gradebook

from correcao import demo
from correcao.comum import pagina
from correcao.devolucao import devolver, notas, relatorio
from correcao.livro.turma import Turma
from gabarito.base import carregar_tudo
from helpers.escrita import numero

LISTA = "lista-02-softmax"


@pytest.fixture(scope="module")
def feita(tmp_path_factory):
    """A demonstração, com doze alunos: a pasta e o que ela imprimiu."""
    pasta = tmp_path_factory.mktemp("demo")
    comando = [sys.executable, "-m", "correcao.demo", "--sem-navegador", "--alunos", "12", "--pasta", str(pasta)]
    feito = subprocess.run(comando, cwd=RAIZ, capture_output=True, text=True)
    return pasta, feito


@pytest.fixture(scope="module")
def turma(feita) -> Turma:
    return Turma(feita[0])


@pytest.fixture(scope="module")
def entregas(turma) -> dict:
    return {e.aluno: e for e in turma.entregas(LISTA)}


pytestmark = [pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")]


def test_a_demonstracao_vai_do_zip_ao_relatorio(feita):
    pasta, feito = feita
    assert feito.returncode == 0, feito.stderr[-2000:]
    assert "Traceback" not in feito.stdout + feito.stderr and "Warning" not in feito.stderr
    assert (pasta / "relatorios" / f"{LISTA}.html").is_file() and (pasta / "planilha-preenchida.csv").is_file()
    assert len(list((pasta / "feedback").glob(f"*/{LISTA}/*.html"))) == 14


def test_a_turma_de_mentira_tem_de_tudo(entregas):
    notas_ = [e.nota for e in entregas.values()]
    assert max(notas_) == 10 and min(notas_) == 0
    # 8 dos pontos são das funções; os outros 2, das questões abertas, que o programa leu pela metade
    assert max(sum(q.pontos for q in e.questoes if q.automatica) for e in entregas.values()) == 8
    abertas = [q for e in entregas.values() for q in e.questoes if not q.automatica]
    # as duas do grupo, que ninguém leu, são de cada um dos dois membros
    assert sum(bool(q.criterios) for q in abertas) == 10 and sum(q.espera for q in abertas) == 8 + 2 * 2
    assert any(e.consertos for e in entregas.values()) and any(e.motivo for e in entregas.values())
    assert any(q.equivoco for e in entregas.values() for q in e.questoes)


def test_na_turma_de_mentira_um_atrasa_outro_tem_mais_prazo_e_dois_faltam(feita, turma, entregas):
    assert {a: e.atraso / 3600 for a, e in entregas.items() if e.atraso} == {"a1011": 7}
    assert entregas["a1011"].recusados == [("lista 2.docx", "não é um notebook")]
    assert list(turma.ler(LISTA).faltosos) == ["a1013", "a1014"]
    dito = feita[1].stdout
    assert "atrasada 7 horas, segundo o Moodle" in dito and "com prazo até 05/03/2026 21:00" in dito
    assert "16 alunos e 1 lista em" in dito


def test_na_turma_de_mentira_ha_um_grupo_e_uma_questao_que_se_poderia_anular(feita, entregas):
    assert {a: e.grupo for a, e in entregas.items() if e.grupo} == {"a2001": "Grupo A", "a2002": "Grupo A"}
    assert entregas["a2001"].nota == entregas["a2002"].nota > 0 and not (feita[0] / "anuladas.json").exists()
    assert "notas mudam; nada foi gravado" in feita[1].stdout


# ---------------------------------------------------------------- as devolutivas


def paginas(turma) -> dict[str, str]:
    return {p.parent.parent.name: p.read_text(encoding="utf-8") for p in (turma.raiz / "feedback").glob("*/*/*.html")}


def test_a_pagina_nao_traz_teste_referencia_entrada_oculta_nem_rastro(turma):
    referencia = json.loads((RAIZ / "helpers" / "referencias" / "lista-02.json").read_text())
    marcas = set(re.findall(r'"([A-Za-z0-9+/]{16,})"', json.dumps(referencia)))
    for texto in paginas(turma).values():
        assert "conferir(" not in texto and "BEGIN SOLUTION" not in texto and "Traceback" not in texto
        assert "vnd.curso" not in texto and "gabarito" not in texto and str(RAIZ) not in texto
        assert "Rubrica" not in texto
        assert not any(m in texto for m in list(marcas)[:2000])


def test_a_pagina_se_basta_e_nao_tem_script(turma):
    for texto in paginas(turma).values():
        assert not re.search(r"<(script|iframe|object|embed|link|form)\b", texto, flags=re.IGNORECASE)
        assert not re.search(r"""(src|href|action)\s*=\s*["']?(?!data:image/(png|jpeg);base64,)""", _sem_codigo(texto))
        assert "default-src 'none'" in texto and 'lang="pt-BR"' in texto and "width=device-width" in texto


def _sem_codigo(texto: str) -> str:
    """A página sem o conteúdo escapado: o que resta é o que o navegador interpreta."""
    return re.sub(r"<(pre|code)\b.*?</\1>|<svg.*?</svg>", "", texto, flags=re.DOTALL)


def test_a_pagina_diz_a_nota_o_diagnostico_e_mostra_a_resposta(turma, entregas):
    aluno, e = next((a, e) for a, e in entregas.items() if any(q.equivoco for q in e.questoes))
    texto = paginas(turma)[aluno]
    frase = next(q.diagnostico for q in e.questoes if q.equivoco)
    assert str(pagina.com_codigo(frase)) in texto
    assert f"{numero(e.nota)} <span" in texto and "O que olhar a seguir" in texto
    assert 'class="nf">softmax' in texto


def test_o_comentario_do_instrutor_chega_ao_aluno_e_a_nota_sobe(turma, entregas):
    aluno = next(a for a, e in entregas.items() if e.espera)
    antes = entregas[aluno].nota
    with turma.livro() as livro:
        entrega = livro.find_submission(LISTA, aluno)
        aberta = next(g for n in entrega.notebooks for g in n.grades if g.needs_manual_grade)
        aberta.manual_score, aberta.needs_manual_grade = 1.0, False
        comentario = livro.find_comment(aberta.name, LISTA, LISTA, aluno)
        comentario.manual_comment = "Boa resposta: $A = QK^T$ <script>alert(1)</script>"
        livro.db.commit()
    devolver.devolver(LISTA, turma)
    texto = paginas(turma)[aluno]
    assert f"{numero(antes + 1)} <span" in texto and "Boa resposta" in texto
    assert "<script" not in texto and 'aria-label="A = QK^T"' in texto


def test_o_zip_tem_as_pastas_que_o_moodle_espera(turma):
    with zipfile.ZipFile(turma.raiz / "feedback" / f"{LISTA}-moodle.zip") as zip_:
        nomes = zip_.namelist()
    assert len(nomes) == 14
    padrao = rf"Participante (\d+)_\1_assignsubmission_file_/devolutiva-{LISTA}\.html"
    assert all(re.fullmatch(padrao, nome) for nome in nomes)


# ---------------------------------------------------------------- notas e relatório


def test_a_planilha_do_moodle_volta_so_com_nota_e_comentario_mudados(turma, entregas):
    nomes = ("planilha.csv", "planilha-preenchida.csv")
    antes, depois = (list(csv.DictReader((turma.raiz / nome).open(encoding="utf-8", newline=""))) for nome in nomes)
    for a, d in zip(antes, depois, strict=True):
        entregou = a["Status"] != "Nenhum envio"
        assert re.fullmatch(r"\d+,\d\d" if entregou else "", d["Nota"])
        assert bool(d["Comentários de feedback"]) == entregou
        mudadas = {coluna for coluna in a if a[coluna] != d[coluna]}
        assert mudadas == ({"Nota", "Comentários de feedback"} if entregou else set())


def test_o_csv_comum_tem_uma_linha_por_aluno(turma, tmp_path):
    destino = tmp_path / "notas.csv"
    assert notas.em_csv([turma.ler(LISTA)], destino) == 14
    linhas = destino.read_text(encoding="utf-8-sig").splitlines()
    assert linhas[0].startswith("aluno;nome;lista;nota;de") and len(linhas) == 15 + demo.FALTAM


def test_o_relatorio_mostra_as_figuras_e_os_diagnosticos_da_turma(turma, entregas):
    texto = relatorio.relatorio("02", turma).read_text(encoding="utf-8")
    assert texto.count("data:image/png;base64,") >= 3
    for trecho in ("discriminação", "Os diagnósticos mais frequentes", "Entregas que precisam de um olhar"):
        assert trecho in texto
    (grupo,) = relatorio.parecidas(LISTA, turma, list(entregas.values()))  # as duas que a demonstração faz iguais
    assert f"<strong>2 entregas:</strong> {grupo['primeiro']}" in texto and "letra por letra" in texto
    mais_comum = relatorio.diagnosticos(list(entregas.values()))[0]
    assert str(mais_comum["frase"]) in texto
    assert "<script" not in texto and "http" not in re.sub(r"http-equiv", "", _sem_codigo(texto))


def test_o_relatorio_de_todas_as_listas_mostra_o_progresso(turma):
    texto = relatorio.relatorio(None, turma).read_text(encoding="utf-8")
    assert "O progresso de cada um" in texto and "a1001" in texto


def test_o_gabarito_nao_esta_em_nenhuma_pagina(turma):
    segredos = [q.nome for q in carregar_tudo().values() if q.nome.startswith("lista-02/")]
    textos = "".join(paginas(turma).values())
    assert not any(nome in textos for nome in segredos)


# ---------------------------------------------------------------- sem turma


@pytest.mark.parametrize("modulo, argumentos", [("devolver", ["02"]), ("notas", []), ("relatorio", ["02"])])
def test_sem_correcao_feita_cada_comando_diz_o_que_rodar_antes(tmp_path, modulo, argumentos):
    feito = subprocess.run([sys.executable, "-m", f"correcao.devolucao.{modulo}", *argumentos], cwd=RAIZ, text=True,
                           capture_output=True, env=os.environ | {"CURSO_TURMA": str(tmp_path)})  # fmt: skip
    assert feito.returncode == 2 and "orrig" in feito.stderr and "Traceback" not in feito.stderr


def test_o_atraso_desconta_por_dia_depois_da_tolerancia_e_ate_o_teto():
    from correcao.livro.atraso import Atraso

    regra = Atraso(por_dia=0.1, teto=0.25, tolerancia=2)
    assert regra.late_submission_penalty("a", 8.0, 3600) == 0
    assert regra.late_submission_penalty("a", 8.0, 3 * 3600) == pytest.approx(0.8)
    assert regra.late_submission_penalty("a", 8.0, 10 * 86_400) == pytest.approx(2.0)


@pytest.mark.parametrize("bruto", ["<script>alert(1)</script>", '<img src=x onerror="alert(1)">',
                                   "[clique](javascript:alert(1))", "![x](https://fora/x.png)", "$<script>$",
                                   '"><svg onload=alert(1)>'])  # fmt: skip
def test_o_markdown_de_um_aluno_sai_limpo(bruto):
    limpo = str(pagina.markdown(bruto))
    assert not re.search(r'<(script|img|a|svg onload)\b|href="(?!#)', limpo)


def test_uma_figura_que_nao_e_figura_nao_entra():
    assert pagina.figura(base64.b64encode(b"<svg onload=alert(1)>").decode()) == ""


def test_a_discriminacao_e_alta_quando_a_questao_separa_quem_sabe():
    import numpy as np

    assert relatorio.discriminacao(np.array([0, 0, 1, 1.0]), np.array([1, 2, 7, 8.0])) > 0.9
    assert relatorio.discriminacao(np.array([1, 1, 1, 1.0]), np.array([1, 2, 7, 8.0])) is None


def test_um_livro_em_outro_servidor_tem_o_endereco_no_ambiente(monkeypatch, tmp_path):
    monkeypatch.setenv("CURSO_LIVRO", f"sqlite:///{tmp_path / 'outro.db'}")
    assert Turma(tmp_path).coursedir.db_url.endswith("outro.db")
    with Gradebook(f"sqlite:///{tmp_path / 'outro.db'}") as livro:
        assert livro.students == []
