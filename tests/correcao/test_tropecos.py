"""O que dá errado na volta do instrutor: cada tropeço é dito em português, com um código de saída, e nada se perde."""

import csv
import html
import io
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ
from turma_pronta import LISTA, NOTEBOOK, dito, turma_corrigida, zip_de

from configuracao.terminal import por_que
from correcao.chegada import coletar, planilha
from correcao.comum.anotacao import DADOS
from correcao.devolucao import devolver, notas, relatorio
from correcao.devolucao.preencher import comentario
from correcao.devolucao.semelhanca import Escrito
from correcao.livro.turma import Entrega, QuestaoCorrigida, Turma

AMANHA = (2026, 3, 3, 10, 0, 0)
pytestmark = pytest.mark.filterwarnings("ignore:Object of type")  # o nbgrader e o SQLAlchemy


@pytest.fixture
def turma(tmp_path, monkeypatch) -> Path:
    pasta = tmp_path / "turma"
    pasta.mkdir()
    monkeypatch.setenv("CURSO_TURMA", str(pasta))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)
    return pasta


def arvore(pasta: Path) -> dict[str, bytes]:
    return {str(p.relative_to(pasta)): p.read_bytes() for p in pasta.rglob("*") if p.is_file()}


# ---------------------------------------------------------------- coletar


def test_de_quem_so_mandou_o_que_nao_presta_fica_a_entrega_vazia_e_o_comando_pede_um_olhar(turma, tmp_path, capsys):
    membros = {
        "Ana_1_assignsubmission_file_/l.ipynb": NOTEBOOK,
        "Beto_2_assignsubmission_file_/tudo.zip": b"PK\x03\x04lixo",
        "Caio_3_assignsubmission_file_/b.ipynb": b"0" * (100 * 2**20 + 1),
        "../fora.ipynb": NOTEBOOK,
    }
    assert coletar.main(["02", str(zip_de(tmp_path, membros))]) == 3
    texto = dito(capsys)
    assert {p.name for p in (turma / "submitted").iterdir()} == {"ana-1", "beto-2", "caio-3"}
    assert "3 alunos, 2 sem notebook" in texto and "tem mais de 100 MB" in texto and "aponta para fora" in texto


def test_uma_coleta_sem_nada_de_estranho_sai_com_zero(turma, tmp_path, capsys):
    membros = {"Ana_1_assignsubmission_file_/l.ipynb": NOTEBOOK, "Ana_1_assignsubmission_file_/leia.txt": b"x"}
    assert coletar.main(["02", str(zip_de(tmp_path, membros))]) == 0
    assert "1 aluno. Agora: python curso.py corrigir" in dito(capsys)


def test_uma_entrega_sem_notebook_nao_toma_o_lugar_de_uma_que_tem(turma, tmp_path):
    coletar.coletar(LISTA, zip_de(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK}), turma)
    membros = {"P_1_assignsubmission_file_/l.docx": b"x", "Q_2_assignsubmission_file_/l.ipynb": NOTEBOOK}
    coletadas, _ = coletar.coletar(LISTA, zip_de(tmp_path, membros, AMANHA), turma)
    assert "ficou a entrega anterior" in coletadas[0].situacao
    assert (turma / "submitted" / "p-1" / LISTA / "l.ipynb").read_bytes() == NOTEBOOK


def test_duas_trocas_com_a_mesma_data_guardam_as_duas_anteriores(turma, tmp_path):
    for fim in (b"", b" ", b"  "):
        coletar.coletar(LISTA, zip_de(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK + fim}), turma)
    guardadas = {p.read_bytes() for p in (turma / "anteriores").rglob("l.ipynb")}
    assert guardadas == {NOTEBOOK, NOTEBOOK + b" "}


def test_a_pasta_comum_de_um_zip_de_notebooks_nao_e_um_aluno(turma, tmp_path):
    origem = zip_de(tmp_path, {"recebidos/a1.ipynb": NOTEBOOK, "recebidos/lista-02_a2.ipynb": NOTEBOOK})
    assert [c.dono.aluno for c in coletar.coletar(LISTA, origem, turma)[0]] == ["a1", "a2"]
    de_um_so = zip_de(tmp_path, {f"ana/{LISTA}.ipynb": NOTEBOOK, "ana/rascunho.ipynb": NOTEBOOK})
    assert [c.dono.aluno for c in coletar.coletar(LISTA, de_um_so, turma)[0]] == ["ana"]


def test_coletar_com_e_depois_sem_a_planilha_nao_faz_de_um_aluno_dois(turma, tmp_path):
    tabela = tmp_path / "p.csv"
    tabela.write_text("Identificador;Número de identificação;Nota\nParticipante 1;20261234;\n", encoding="utf-8")
    origem = zip_de(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK})
    for com_planilha in (None, tabela, None):  # a que chega depois troca o nome; a que falta não o desfaz
        coletar.coletar(LISTA, origem, turma, com_planilha)
    assert [p.name for p in (turma / "submitted").iterdir()] == ["20261234"]
    assert list(Turma(turma).moodle(LISTA)) == ["20261234"]


def test_depois_de_corrigido_o_aluno_fica_com_o_nome_que_esta_no_livro_de_notas(turma, tmp_path):
    tabela = tmp_path / "p.csv"
    tabela.write_text("Identificador;Número de identificação;Nota\nParticipante 1;20261234;\n", encoding="utf-8")
    origem = zip_de(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK})
    coletar.coletar(LISTA, origem, turma)
    (turma / "autograded" / "p-1" / LISTA).mkdir(parents=True)
    coletar.coletar(LISTA, origem, turma, tabela)
    assert [p.name for p in (turma / "submitted").iterdir()] == ["p-1"]


@pytest.mark.parametrize("conteudo", [b"isto nao e um zip", b"Rar!\x1a\x07\x00", b""])
def test_o_que_nao_e_zip_e_dito_e_nada_muda(turma, tmp_path, capsys, conteudo):
    ruim = tmp_path / "envios.zip"
    ruim.write_bytes(conteudo)
    assert coletar.main(["02", str(ruim)]) == 2
    assert "envios.zip não é um zip" in dito(capsys) and not list(turma.iterdir())


def test_o_anotado_do_moodle_estragado_e_dito_antes_de_coletar(turma, tmp_path, capsys):
    (turma / "moodle.json").write_text("{estragado")
    origem = zip_de(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK})
    assert coletar.main(["02", str(origem)]) == 2
    assert "moodle.json" in dito(capsys) and not (turma / "submitted").exists()


def test_quando_o_disco_enche_a_entrega_de_antes_continua_no_lugar(turma, tmp_path, capsys, monkeypatch):
    nome = "P_1_assignsubmission_file_/l.ipynb"
    coletar.coletar(LISTA, zip_de(tmp_path, {nome: NOTEBOOK}), turma)
    nova = zip_de(tmp_path, {nome: NOTEBOOK + b" "}, AMANHA)

    def cheio(caminho, *_):
        raise OSError(28, "No space left on device", str(caminho))

    with monkeypatch.context() as troca:
        troca.setattr(Path, "write_bytes", cheio)
        assert coletar.main(["02", str(nova)]) == 1
    assert "o disco está cheio" in dito(capsys)
    assert (turma / "submitted" / "p-1" / LISTA / "l.ipynb").read_bytes() == NOTEBOOK
    coletar.coletar(LISTA, nova, turma)
    assert (turma / "submitted" / "p-1" / LISTA / "l.ipynb").read_bytes() == NOTEBOOK + b" "


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="o root escreve em qualquer pasta")
def test_uma_pasta_so_de_leitura_e_dita(turma, tmp_path, capsys):
    turma.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert coletar.main(["02", str(zip_de(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK}))]) == 1
    finally:
        turma.chmod(0o755)
    assert "falta permissão" in dito(capsys)


def test_os_erros_do_sistema_sao_ditos_em_portugues():
    assert por_que(PermissionError(13, "Permission denied")) == "falta permissão"
    assert por_que(OSError(30, "Read-only file system")) == "o disco é só de leitura"
    assert por_que(OSError(9999, "algo novo")) == "algo novo"


# ---------------------------------------------------------------- a planilha

CABECALHO = "Identificador;Nome completo;Número de identificação;Nota;Nota máxima;Comentários de feedback"


def test_uma_planilha_em_latin1_volta_em_latin1_mesmo_com_um_sinal_que_ela_nao_tem(tmp_path):
    arquivo = tmp_path / "p.csv"
    arquivo.write_bytes(f"{CABECALHO}\r\nParticipante 5;Zé;a5;;10,00;\r\n".encode("latin-1"))
    tabela = planilha.ler(arquivo)
    tabela.por(tabela.participantes()["5"], "comentario", "A forma é (2, 3) → (3, 2) ≠ “certo” 的")
    tabela.gravar(arquivo)
    assert "A forma é (2, 3) -> (3, 2) != “certo” ?" in arquivo.read_bytes().decode("cp1252")
    assert b"N\xfamero" in arquivo.read_bytes()


def test_com_ponto_e_virgula_e_sem_exemplo_de_decimal_a_nota_sai_com_virgula(tmp_path):
    arquivo = tmp_path / "p.csv"
    arquivo.write_text("Identificador;Nota\nParticipante 5;\n", encoding="utf-8")
    assert planilha.ler(arquivo).numero(7.5) == "7,50"
    arquivo.write_text("Identificador,Nota\nParticipante 5,\n", encoding="utf-8")
    assert planilha.ler(arquivo).numero(7.5) == "7.50"


@pytest.mark.parametrize(
    "conteudo, trecho",
    [
        ("Nome,Sobrenome,E-mail\nAna,Sá,a@b\n".encode(), "falta a coluna Identificador e a coluna Nota"),
        ("Identificador\tNota\n".encode("utf-16"), "não é um CSV"),
        (b"PK\x03\x04", "sem salvá-lo em outro formato"),
        (b"Identificador,Nota\nParticipante 1,2,3\n", "A linha 2 de p.csv"),
    ],
)
def test_o_que_nao_e_a_planilha_de_notas_e_dito_com_o_que_usar(turma, tmp_path, capsys, conteudo, trecho):
    arquivo = tmp_path / "p.csv"
    arquivo.write_bytes(conteudo)
    origem = zip_de(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK})
    assert coletar.main(["02", str(origem), "--planilha", str(arquivo)]) == 2
    texto = dito(capsys)
    assert trecho in texto and "Baixar planilha de notas" in texto and not (turma / "submitted").exists()


# ---------------------------------------------------------------- devolver, notas, relatorio

COMANDOS = [(devolver.main, ["02"]), (notas.main, ["02"]), (relatorio.main, ["02"]), (relatorio.main, [])]


@pytest.fixture(scope="module")
def modelo(tmp_path_factory) -> Path:
    pasta = tmp_path_factory.mktemp("modelo")
    with pytest.MonkeyPatch.context() as troca:
        troca.delenv("CURSO_LIVRO", raising=False)
        turma_corrigida(pasta, 3)
    return pasta


@pytest.fixture
def corrigida(turma, modelo) -> Path:
    shutil.copytree(modelo, turma, dirs_exist_ok=True)
    return turma


@pytest.mark.parametrize("comando, argumentos", COMANDOS)
def test_um_livro_de_notas_estragado_e_dito_e_fica_como_esta(corrigida, capsys, comando, argumentos):
    (corrigida / "gradebook.db").write_bytes(b"isto nao e um livro" * 300)
    antes = arvore(corrigida)
    assert comando(argumentos) == 2
    assert "está estragado; troque-o por uma das cópias" in dito(capsys) and arvore(corrigida) == antes


def test_um_livro_de_notas_em_uso_e_dito(corrigida, capsys, monkeypatch):
    monkeypatch.setattr("correcao.livro.livro.ESPERA", 0.1)
    ocupado = sqlite3.connect(corrigida / "gradebook.db", isolation_level=None)
    ocupado.execute("begin exclusive")
    try:
        for comando, argumentos in COMANDOS:
            assert comando(argumentos) == 2
            assert "em uso por outro programa" in dito(capsys)
    finally:
        ocupado.close()


@pytest.mark.parametrize("comando, argumentos", COMANDOS)
def test_sem_livro_nenhum_nao_se_cria_um_vazio(turma, capsys, comando, argumentos):
    assert comando(argumentos) == 2
    assert "orrigi" in dito(capsys) and not (turma / "gradebook.db").exists()


@pytest.mark.parametrize("comando, argumentos", COMANDOS)
def test_quem_perdeu_o_notebook_corrigido_e_dito_e_os_outros_saem(corrigida, capsys, comando, argumentos):
    (corrigida / "autograded" / "a002" / LISTA / f"{LISTA}.ipynb").write_text("{cortado")
    assert comando(argumentos) == 3
    assert "um notebook desta versão do curso que se leia: a002; rode antes: python curso.py corrigir" in dito(capsys)


def test_sem_nenhum_notebook_corrigido_o_relatorio_diz_o_que_rodar(corrigida, capsys):
    for pasta in (corrigida / "autograded").iterdir():
        (pasta / LISTA / f"{LISTA}.ipynb").unlink()
    assert relatorio.main(["02"]) == 2 and "corrigir" in dito(capsys)
    assert relatorio.main([]) == 2 and "corrigir" in dito(capsys)
    assert devolver.main(["02"]) == 2 and "corrigir" in dito(capsys)


@pytest.mark.parametrize("comando, argumentos", COMANDOS)
def test_o_que_uma_versao_anterior_corrigiu_pede_outra_correcao_e_nada_e_gravado(
    corrigida, capsys, comando, argumentos
):
    for arquivo in (corrigida / "autograded").rglob("*.ipynb"):
        nb = nbformat.read(arquivo, as_version=4)
        nb.metadata[DADOS] = {"entrega": "x", "consertos": [], "motivo": None, "defeito": None, "equivocos": {}}
        nbformat.write(nb, arquivo)
    antes = arvore(corrigida)
    assert comando(argumentos) == 2
    assert "de uma versão anterior do curso; rode: python curso.py corrigir" in dito(capsys)
    assert arvore(corrigida) == antes


@pytest.mark.parametrize("nome", ["=1+1", "+1", "-1", "@x", "\t=1+1", " =1+1", "\r\n@x"], ids=repr)
def test_nenhuma_celula_do_csv_e_uma_formula(corrigida, nome):
    do_moodle = {LISTA: {"a001": {"nome": nome, "id": "1", "pasta": "p"}}}
    (corrigida / "moodle.json").write_text(json.dumps(do_moodle), encoding="utf-8")
    arquivo = corrigida / "autograded" / "a002" / LISTA / f"{LISTA}.ipynb"
    nb = nbformat.read(arquivo, as_version=4)
    nb.metadata[DADOS]["motivo"] = nome
    nbformat.write(nb, arquivo)
    assert notas.main(["02"]) == 0
    texto = (corrigida / "notas.csv").read_bytes().decode("utf-8-sig")
    um, outro, _ = csv.DictReader(io.StringIO(texto, newline=""), delimiter=";")
    assert um["nome"] == outro["situacao"] == f"'{nome}"
    assert notas.sem_formula(f"Ana,{nome}") == f"Ana,{nome[: -len(nome.strip())]}'{nome.strip()}"


@pytest.mark.parametrize(
    "erro", ["<img src=x onerror=alert(1)>", "a<b & c", "x;=cmd|' /C calc'!A0", "<=1+1", "a,\t=1+1", 'b; "@x', "\n+1"]
)
def test_o_que_o_aluno_escreveu_em_um_erro_chega_ao_moodle_como_texto(erro):
    q = QuestaoCorrigida("confere-f", "1. `f`", 0.0, 1.0, True, False, f"A sua função parou (ValueError: {erro}).")
    e = Entrega("a", LISTA, "Lista 02", 0.0, 10.0, 0.0, None, 0.0, None, [], Path("x"), [q])
    escrito = comentario(e)
    assert html.unescape(escrito) == f"{q.titulo}: {q.diagnostico}" and "<" not in escrito
    assert not any(celula.strip(" \t\"'")[:1] in ("=", "+", "-", "@") for celula in re.split(r"[,;\t\r\n]", escrito))


@pytest.mark.lento
@pytest.mark.parametrize("nome, argumentos", [("devolver", ["02"]), ("notas", []), ("relatorio", [])])
def test_quem_so_le_as_notas_nao_espera_pelo_torch_nem_pelo_gabarito(corrigida, nome, argumentos):
    programa = f"import json, sys\nfrom correcao.devolucao import {nome}\nassert {nome}.main({argumentos}) == 0\n"
    programa += "print(json.dumps(list(sys.modules)), file=sys.stderr)"
    feito = subprocess.run([sys.executable, "-c", programa], cwd=RAIZ, capture_output=True, text=True)
    assert feito.returncode == 0, feito.stderr
    importados = set(json.loads(feito.stderr.splitlines()[-1]))
    assert "nbgrader" in importados and not importados & {"torch", "gabarito.base", "correcao.juizo.preprocessadores"}


def test_a_planilha_de_outra_tarefa_e_dita_e_nada_e_gravado(corrigida, capsys):
    outra = corrigida / "outra.csv"
    outra.write_text(f"{CABECALHO}\nParticipante 900;X;zzz;;10,00;\n", encoding="utf-8")
    assert notas.main(["02", "--moodle", str(outra)]) == 2
    assert "é a planilha desta tarefa?" in dito(capsys) and not (corrigida / "outra-preenchida.csv").exists()


def test_quem_nao_veio_do_moodle_e_achado_na_planilha_pela_matricula(corrigida, capsys):
    tabela = corrigida / "p.csv"
    tabela.write_text(f"{CABECALHO}\nParticipante 7;X;a001;;10,00;\nParticipante 8;Y;a002;;10,00;\n", encoding="utf-8")
    assert notas.main(["02", "--moodle", str(tabela)]) == 3
    assert "Não estão na planilha: a003." in dito(capsys)
    linhas = (corrigida / "p-preenchida.csv").read_text(encoding="utf-8").splitlines()
    assert re.match(r"Participante 7;X;a001;\d+,\d\d;10,00;", linhas[1])


def test_o_csv_das_notas_abre_no_excel_em_portugues(corrigida, capsys):
    assert notas.main(["02"]) == 0
    texto = (corrigida / "notas.csv").read_text(encoding="utf-8-sig")
    linhas = list(csv.DictReader(io.StringIO(texto), delimiter=";"))
    assert [linha["aluno"] for linha in linhas] == ["a001", "a002", "a003"]
    assert all(re.fullmatch(r"\d+,\d\d", linha["nota"]) for linha in linhas)
    assert "Atraso: sem desconto." in dito(capsys)


def test_o_botao_do_formgrader_faz_a_devolutiva_do_curso(corrigida):
    from nbgrader.apps import NbGraderAPI

    from gabarito.no_nbgrader import configuracao

    feito = NbGraderAPI(config=configuracao(corrigida)).generate_feedback(LISTA, "a001")
    assert feito["success"], feito
    texto = (corrigida / "feedback" / "a001" / LISTA / f"{LISTA}.html").read_text(encoding="utf-8")
    assert texto == devolver.devolutiva(Turma(corrigida).entrega(LISTA, "a001"))
    assert 'lang="pt-BR"' in texto and "conferir(" not in texto


@pytest.mark.parametrize("por_extenso", [1, 0])
def test_dos_grupos_parecidos_so_os_primeiros_vao_por_extenso(corrigida, monkeypatch, por_extenso):
    longo = "\n".join(f"def f{i}(x, y):\n    return x ** {i} + y * {i} - {i * i}" for i in range(12))
    escritos = iter([Escrito({"softmax": longo}), Escrito({"softmax": "x = 1"}), Escrito({"softmax": longo})])
    monkeypatch.setattr(relatorio, "escrito", lambda *_: next(escritos))
    monkeypatch.setattr(relatorio, "MAIS_GRUPOS", por_extenso)
    texto = relatorio.da_lista(Turma(corrigida), LISTA)
    assert "<strong>2 entregas:</strong> a001, a003" in texto and texto.count('<div class="lado">') == por_extenso
