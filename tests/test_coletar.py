"""`python curso.py coletar`: o zip do Moodle vira submitted/, e o que não serve fica de fora, com o porquê."""

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from conftest import RAIZ

from correcao import coletar, planilha
from correcao.coletar import NaoDaParaColetar, dono_de

LISTA = "lista-01-produto-escalar"
NOTEBOOK = (RAIZ / "release" / LISTA / f"{LISTA}.ipynb").read_bytes()
ONTEM, HOJE = (2026, 3, 1, 10, 0, 0), (2026, 3, 2, 10, 0, 0)


def fazer_zip(pasta: Path, membros: dict, quando=HOJE) -> Path:
    caminho = pasta / "envios.zip"
    with zipfile.ZipFile(caminho, "w", zipfile.ZIP_DEFLATED) as zip_:
        for nome, conteudo in membros.items():
            info = nome if isinstance(nome, zipfile.ZipInfo) else zipfile.ZipInfo(nome, quando)
            info.compress_type = zipfile.ZIP_DEFLATED
            zip_.writestr(info, conteudo)
    return caminho


def colher(tmp_path, membros, quando=HOJE, **opcoes):
    turma = tmp_path / "turma"
    turma.mkdir(exist_ok=True)
    coletadas, fora = coletar.coletar(LISTA, fazer_zip(tmp_path, membros, quando), turma, **opcoes)
    return turma, {c.dono.aluno: c for c in coletadas}, {f.caminho: f.porque for f in fora}


@pytest.mark.parametrize(
    "caminho, aluno",
    [
        ("Ana Sá_123_assignsubmission_file_/lista.ipynb", "ana-sa-123"),
        ("Ana Sá_123_assignsubmission_file/lista.ipynb", "ana-sa-123"),
        ("Ana Sá_123_assignsubmission_file_minha lista.ipynb", "ana-sa-123"),
        ("Participante_77_assignsubmission_file_/x/lista.ipynb", "participante-77"),
        ("Participant_77_assignsubmission_file_/lista.ipynb", "participant-77"),
        ("José da_Silva D’Ávila_9_assignsubmission_file_/a.ipynb", "jose-da_silva-d-avila-9".replace("_", "-")),
        ("a12345/lista.ipynb", "a12345"),
        ("a12345.ipynb", "a12345"),
        ("lista-01_a12345.ipynb", "a12345"),
    ],
)
def test_o_nome_do_moodle_diz_de_quem_e_o_arquivo(caminho, aluno):
    assert dono_de(PurePosixPath(caminho))[0].aluno.replace("_", "-") == aluno


def test_a_entrega_vai_para_a_pasta_do_aluno_com_a_data(tmp_path):
    turma, coletadas, _ = colher(tmp_path, {"P_1_assignsubmission_file_/lista.ipynb": NOTEBOOK})
    pasta = turma / "submitted" / "p-1" / LISTA
    assert (pasta / "lista.ipynb").read_bytes() == NOTEBOOK
    assert (pasta / "timestamp.txt").read_text().strip().endswith("UTC")
    assert coletadas["p-1"].situacao == "coletada"
    anotado = json.loads((turma / "moodle.json").read_text())[LISTA]["p-1"]
    assert anotado == {"nome": "P", "id": "1", "pasta": "P_1_assignsubmission_file_"}


def test_nomes_iguais_sao_pessoas_diferentes(tmp_path):
    membros = {f"Nome Igual_{n}_assignsubmission_file_/l.ipynb": NOTEBOOK for n in (1, 2)}
    assert set(colher(tmp_path, membros)[1]) == {"nome-igual-1", "nome-igual-2"}


def test_a_planilha_troca_o_numero_do_moodle_pela_matricula(tmp_path):
    tabela = tmp_path / "p.csv"
    tabela.write_text("Identificador;Nome completo;Número de identificação;Nota\nParticipante 1;P;20261234;\n")
    _, coletadas, _ = colher(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK}, tabela=tabela)
    assert set(coletadas) == {"20261234"}


def test_quem_nao_mandou_notebook_tambem_e_coletado_e_o_resto_e_dito(tmp_path):
    membros = {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK, "Q_2_assignsubmission_file_/l.docx": b"x",
               "R_3_assignsubmission_onlinetext_/onlinetext.html": b"x"}  # fmt: skip
    turma, coletadas, fora = colher(tmp_path, membros)
    assert "sem notebook" in coletadas["q-2"].situacao and (turma / "submitted" / "q-2" / LISTA).is_dir()
    assert set(fora.values()) == {"não é um notebook", "é um texto escrito no Moodle, e não um notebook"}


def test_uma_entrega_mais_velha_nao_troca_a_mais_nova_e_a_trocada_fica_guardada(tmp_path):
    nome = "P_1_assignsubmission_file_/l.ipynb"
    turma, _, _ = colher(tmp_path, {nome: NOTEBOOK})
    velha = colher(tmp_path, {nome: NOTEBOOK + b" "}, quando=ONTEM)[1]["p-1"]
    assert "mais nova" in velha.situacao
    assert colher(tmp_path, {nome: NOTEBOOK})[1]["p-1"].situacao == "já estava coletada"
    nova = colher(tmp_path, {nome: NOTEBOOK + b"\n"}, quando=(2026, 3, 3, 10, 0, 0))[1]["p-1"]
    assert "anteriores" in nova.situacao
    assert (turma / "submitted" / "p-1" / LISTA / "l.ipynb").read_bytes() == NOTEBOOK + b"\n"
    (guardada,) = (turma / "anteriores" / "p-1" / LISTA).glob("*/l.ipynb")
    assert guardada.read_bytes() == NOTEBOOK


def test_um_zip_dentro_do_zip_e_aberto(tmp_path):
    dentro = io.BytesIO()
    with zipfile.ZipFile(dentro, "w") as zip_:
        zip_.writestr("pasta/lista.ipynb", NOTEBOOK)
        zip_.writestr("../sai.ipynb", NOTEBOOK)
    turma, coletadas, fora = colher(tmp_path, {"P_1_assignsubmission_file_/tudo.zip": dentro.getvalue()})
    (fora_do_zip,) = fora
    assert len(coletadas["p-1"].arquivos) == 1 and fora_do_zip.endswith("../sai.ipynb")


def atalho() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("L_9_assignsubmission_file_/l.ipynb", HOJE)
    info.external_attr = 0o120777 << 16
    return info


@pytest.mark.parametrize(
    "nome, conteudo, trecho",
    [
        ("../../fora.ipynb", NOTEBOOK, "aponta para fora"),
        ("/etc/fora.ipynb", NOTEBOOK, "aponta para fora"),
        ("C:\\fora.ipynb", NOTEBOOK, "aponta para fora"),
        ("..\\..\\fora.ipynb", NOTEBOOK, "aponta para fora"),
        ("B_8_assignsubmission_file_/b.ipynb", b"0" * 40_000_000, "bomba"),
        (atalho(), b"/etc/passwd", "atalho"),
        ("Z_7_assignsubmission_file_/z.zip", b"PK\x03\x04lixo", "não se consegue ler"),
    ],
)
def test_o_que_e_perigoso_fica_de_fora_e_o_resto_e_coletado(tmp_path, nome, conteudo, trecho):
    turma, coletadas, fora = colher(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK, nome: conteudo})
    assert coletadas["p-1"].situacao == "coletada"
    assert any(trecho in porque for porque in fora.values())
    assert {p.name for p in tmp_path.rglob("fora.ipynb")} == set()


def test_o_total_tem_limite(tmp_path, monkeypatch):
    monkeypatch.setattr(coletar, "MAIOR_TOTAL", 3 * len(NOTEBOOK))
    monkeypatch.setattr(coletar, "MODESTA", 0)
    membros = {f"P_{n}_assignsubmission_file_/l.ipynb": NOTEBOOK for n in range(5)}
    _, coletadas, fora = colher(tmp_path, membros)
    assert len(coletadas) == 3 and all("limite" in porque for porque in fora.values())


def test_um_zip_truncado_ou_que_nao_e_zip_e_dito_e_nada_muda(tmp_path):
    inteiro = fazer_zip(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK})
    for ruim in (inteiro.read_bytes()[:200], b"isto nao e um zip", b""):
        arquivo = tmp_path / "ruim.zip"
        arquivo.write_bytes(ruim)
        with pytest.raises(NaoDaParaColetar, match="não é um zip"):
            coletar.coletar(LISTA, arquivo, tmp_path / "turma")
    assert not (tmp_path / "turma").exists()


def test_uma_pasta_de_notebooks_tambem_serve_e_atalhos_nao_sao_seguidos(tmp_path):
    origem = tmp_path / "recebidos"
    (origem / "a1").mkdir(parents=True)
    (origem / "a1" / "l.ipynb").write_bytes(NOTEBOOK)
    (origem / "a2.ipynb").write_bytes(NOTEBOOK)
    (tmp_path / "segredo.ipynb").write_text("segredo")
    os.symlink(tmp_path / "segredo.ipynb", origem / "a3.ipynb")
    coletadas, fora = coletar.coletar(LISTA, origem, tmp_path)
    assert [c.dono.aluno for c in coletadas] == ["a1", "a2"] and "atalho" in fora[0].porque


@pytest.mark.parametrize("dentro", ["envios.zip", "envios"])
def test_o_zip_ou_a_pasta_da_turma_se_da_direto_e_nao_dentro_de_outra_pasta(tmp_path, dentro):
    membros = {f"P_{n}_assignsubmission_file_/l.ipynb": NOTEBOOK for n in (1, 2)}
    origem = tmp_path / "baixados"
    origem.mkdir()
    fazer_zip(origem, membros)
    if dentro == "envios":
        with zipfile.ZipFile(origem / "envios.zip") as zip_:
            zip_.extractall(origem / "envios")
        (origem / "envios.zip").unlink()
    (origem / ".DS_Store").touch()
    with pytest.raises(NaoDaParaColetar, match=rf"da turma, dê o caminho dele|caminho dela: {origem / dentro}"):
        coletar.coletar(LISTA, origem, tmp_path)
    assert not (tmp_path / "submitted").exists()
    assert len(coletar.coletar(LISTA, origem / dentro, tmp_path)[0]) == 2


def test_o_comando_diz_o_que_falta(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CURSO_TURMA", str(tmp_path))
    assert coletar.main(["99", "x.zip"]) == 2 and "Não existe a lista" in capsys.readouterr().err
    assert coletar.main(["01", str(tmp_path / "nada.zip")]) == 2 and "Não achei" in capsys.readouterr().err
    vazio = fazer_zip(tmp_path, {"leia.txt": b"x"})
    assert coletar.main(["01", str(vazio)]) == 2 and "nenhum notebook" in capsys.readouterr().err


# ---------------------------------------------------------------- a planilha


PLANILHAS = {
    "português, ponto e vírgula": "Identificador;Nome completo;Nota;Nota máxima;Comentários de feedback\r\n"
                                  "Participante 5;Fulana;;10,00;\r\n",
    "inglês, vírgula, tudo entre aspas": '"Identifier","Full name","Grade","Maximum Grade","Feedback comments"\n'
                                         '"Participant 5","Fulana","","10.00",""\n',
    "com BOM e uma coluna estranha": "\ufeffIdentificador,Extra,Nota,Nota máxima\r\n"
                                     'Participante 5,"a, b",,"10,00"\r\n',
}  # fmt: skip


@pytest.mark.parametrize("texto", PLANILHAS.values(), ids=PLANILHAS)
def test_a_planilha_volta_igual_menos_o_que_se_mudou(tmp_path, texto):
    arquivo = tmp_path / "p.csv"
    arquivo.write_bytes(texto.encode())
    tabela = planilha.ler(arquivo)
    tabela.gravar(tmp_path / "igual.csv")
    assert (tmp_path / "igual.csv").read_bytes() == texto.encode()
    linha = tabela.participantes()["5"]
    tabela.por(linha, "nota", tabela.numero(7.5))
    tabela.gravar(arquivo)
    assert ("7,50" if "10,00" in texto else "7.50") in arquivo.read_text()


@pytest.mark.parametrize(
    "ruim", [b"", b"a,b\n1,2\n", b"PK\x03\x04", b"Identificador,Nota\nParticipante 1\n", b"\xff\xfe\x00"]
)
def test_o_que_nao_e_a_planilha_do_moodle_e_dito(tmp_path, ruim):
    arquivo = tmp_path / "p.csv"
    arquivo.write_bytes(ruim)
    with pytest.raises(planilha.PlanilhaInvalida):
        planilha.ler(arquivo)


def test_o_zip_collect_do_nbgrader_coleta_com_os_mesmos_cuidados(tmp_path):
    arquivos = tmp_path / "downloaded" / LISTA / "archive"
    arquivos.mkdir(parents=True)
    membros = {"Ana Sá_123_assignsubmission_file_/lista.ipynb": NOTEBOOK, "../fora.ipynb": NOTEBOOK}
    fazer_zip(arquivos, membros)
    ambiente = os.environ | {"CURSO_TURMA": str(tmp_path)}
    comando = [sys.executable, "-m", "nbgrader", "zip_collect", LISTA]
    feito = subprocess.run(comando, cwd=RAIZ, env=ambiente, capture_output=True, text=True)
    assert feito.returncode == 0 and "aponta para fora do zip" in feito.stderr, feito.stderr
    (entrega,) = (tmp_path / "submitted").glob("*/*/*.ipynb")
    assert entrega.parent == tmp_path / "submitted" / "ana-sa-123" / LISTA and entrega.read_bytes() == NOTEBOOK
    assert (entrega.parent / "timestamp.txt").read_text().startswith("2026-03-02 ")


def test_a_data_que_outro_programa_escreveu_tambem_conta(tmp_path):
    turma, _, _ = colher(tmp_path, {"Ana_1_assignsubmission_file_/l.ipynb": NOTEBOOK}, HOJE)
    (turma / "submitted" / "ana-1" / LISTA / "timestamp.txt").write_text("2099-01-01 00:00:00 America/Sao_Paulo")
    _, coletadas, _ = colher(tmp_path, {"Ana_1_assignsubmission_file_/l.ipynb": NOTEBOOK + b" "}, HOJE)
    assert "já havia uma entrega mais nova" in coletadas["ana-1"].situacao
