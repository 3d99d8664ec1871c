"""Os grupos do Moodle: a entrega é uma só, a nota e a devolutiva são de cada membro, e um grupo nunca é um aluno."""

import csv
import io
import json
import zipfile

import pytest
from turma_pronta import LISTA, NOTEBOOK, dito, turma_corrigida, zip_de

from correcao.chegada import coletar
from correcao.chegada.equipe import Equipe, Equipes
from correcao.devolucao import devolver, notas, relatorio
from correcao.juizo import corrigir
from correcao.livro import prazo
from correcao.livro.turma import Turma

pytestmark = pytest.mark.filterwarnings("ignore:Object of type")  # o nbgrader e o SQLAlchemy
CABECALHO = (
    "Identificador;Nome completo;Número de identificação;Status;Grupo;Nota;Nota máxima;"
    "Última modificação (envio);Comentários do feedback"
)
ENVIADO = "Enviado para avaliação"
PESSOAS = {  # número no Moodle → nome, matrícula, grupo, status
    "11": ("Ana Sá", "m11", "Grupo A", ENVIADO),
    "12": ("Beto D'Ávila", "m12", "Grupo A", ENVIADO),
    "13": ("Caio", "m13", "Os Transformers", ENVIADO),
    "14": ("Dora", "m14", "Grupo padrão", "Nenhum envio"),
}
DE_HOJE = {
    "Grupo A_7310100_assignsubmission_file/l.ipynb": NOTEBOOK,
    "Os Transformers_12_assignsubmission_file/l.ipynb": NOTEBOOK + b"\n",  # o número do grupo é o de um aluno de outro
}
DE_ANTES = {
    f"Grupo A-{nome}_{n}_assignsubmission_file_/l.ipynb": NOTEBOOK for n, nome in ((11, "Ana Sá"), (12, "Beto"))
}


@pytest.fixture
def turma(tmp_path, monkeypatch):
    pasta = tmp_path / "turma"
    pasta.mkdir()
    monkeypatch.setenv("CURSO_TURMA", str(pasta))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)
    return pasta


def folha(turma, pessoas=PESSOAS, cabecalho=CABECALHO):
    linhas = [cabecalho]
    for n, (nome, matricula, grupo, status) in pessoas.items():
        quando = "segunda-feira, 2 mar. 2026, 10:00" if status == ENVIADO else "-"
        linhas.append(f"Participante {n};{nome};{matricula};{status};{grupo};;10,00;{quando};")
    (turma / "p.csv").write_text("\n".join(linhas) + "\n", encoding="utf-8")
    return turma / "p.csv"


def anotado(turma):
    return json.loads((turma / "moodle.json").read_text(encoding="utf-8"))[LISTA]


@pytest.mark.parametrize("membros, pastas", [(DE_HOJE, {"grupo-a", "grupo-os-transformers"}), (DE_ANTES, {"grupo-a"})])
def test_a_entrega_de_um_grupo_e_uma_so_e_a_chamada_sabe_de_quem(turma, tmp_path, capsys, membros, pastas):
    assert coletar.main(["02", str(zip_de(tmp_path, membros)), "--planilha", str(folha(turma))]) in (0, 3)
    texto = dito(capsys)
    assert {p.name for p in (turma / "submitted").iterdir()} == pastas and "de 2 alunos" in texto
    alunos = anotado(turma)
    assert alunos["grupo-a"]["membros"] == ["m11", "m12"] and alunos["grupo-a"]["id"] is None
    assert alunos["m12"] | {"grupo": "grupo-a", "pasta": "Beto D'Ávila_12_assignsubmission_file_"} == alunos["m12"]
    assert "Não entregaram (1): Dora." in texto and not (turma / "recusados").exists()


@pytest.mark.parametrize(
    "pasta",
    [
        "Grupo A_7310100_assignsubmission_file",
        "Grupo padrão_assignsubmission_file",
        "Grupo A-Ana_11_assignsubmission_file_",
    ],
)
@pytest.mark.parametrize("com_planilha", [False, True])
def test_sem_a_coluna_grupo_a_entrega_de_um_grupo_nao_e_de_ninguem_e_isso_e_dito(
    turma, tmp_path, capsys, pasta, com_planilha
):
    """A planilha, quando há, é a de uma tarefa individual; e Bia, que entregou sozinha, é coletada."""
    membros = {f"{pasta}/l.ipynb": NOTEBOOK, "Bia_9_assignsubmission_file_/l.ipynb": NOTEBOOK}
    pessoas = {"9": ("Bia", "m9", "", ENVIADO), "11": ("Ana", "m11", "", ENVIADO)}
    pedido = ["02", str(zip_de(tmp_path, membros))]
    pedido += ["--planilha", str(folha(turma, pessoas))] if com_planilha else []
    assert coletar.main(pedido) == 3
    assert {p.name for p in (turma / "submitted").iterdir()} == {"m9" if com_planilha else "bia-9"}
    assert "São envios de grupos, e não se sabe quem está neles: Grupo" in dito(capsys)
    assert (turma / "recusados" / "sem-dono" / LISTA / "l.ipynb").read_bytes() == NOTEBOOK


def test_so_com_envios_de_grupos_e_sem_planilha_nada_e_coletado(turma, tmp_path, capsys):
    assert coletar.main(["02", str(zip_de(tmp_path, {"Grupo A_7_assignsubmission_file/l.ipynb": NOTEBOOK}))]) == 2
    assert "Grupo A_7. Baixe a planilha" in dito(capsys) and not (turma / "submitted").exists()


def test_depois_da_primeira_coleta_os_grupos_ja_sao_conhecidos(turma, tmp_path, capsys):
    coletar.main(["02", str(zip_de(tmp_path, DE_HOJE)), "--planilha", str(folha(turma))])
    nova = {nome: conteudo + b" " for nome, conteudo in DE_HOJE.items()}
    antes = anotado(turma)
    coletar.main(["02", str(zip_de(tmp_path, nova))])
    assert {a: d.get("grupo") for a, d in anotado(turma).items()} == {a: d.get("grupo") for a, d in antes.items()}
    assert anotado(turma)["grupo-a"]["membros"] == ["m11", "m12"]


def test_quem_muda_de_grupo_muda_de_nota(turma, tmp_path, capsys):
    coletar.main(["02", str(zip_de(tmp_path, DE_HOJE)), "--planilha", str(folha(turma))])
    mudadas = PESSOAS | {"12": ("Beto D'Ávila", "m12", "Os Transformers", ENVIADO)}
    so_um = {nome: c for nome, c in DE_HOJE.items() if nome.startswith("Os")}
    coletar.main(["02", str(zip_de(tmp_path, so_um)), "--planilha", str(folha(turma, mudadas))])
    alunos = anotado(turma)
    assert alunos["grupo-a"]["membros"] == ["m11"] and alunos["grupo-os-transformers"]["membros"] == ["m12", "m13"]


def test_a_planilha_de_outra_tarefa_em_grupo_e_recusada(turma, tmp_path, capsys):
    coletar.main(["01", str(zip_de(tmp_path, DE_HOJE)), "--planilha", str(folha(turma))])
    assert coletar.main(["02", str(zip_de(tmp_path, DE_HOJE)), "--planilha", str(turma / "p.csv")]) == 2
    assert "parece a da lista-01" in dito(capsys) and LISTA not in (turma / "moodle.json").read_text()


def test_um_aluno_com_o_nome_de_um_grupo_continua_um_aluno():
    equipes = Equipes([Equipe("Ana Sá", "grupo-ana-sa", ("2",))], {"1": "Ana Sá", "2": "Bia"})
    assert equipes.achar("Ana Sá", "1") is None and equipes.por_que_nao("Ana Sá", "1") is None
    assert equipes.achar("Ana Sá", "77") is equipes.todas[0]


def test_dois_grupos_que_so_diferem_no_acento_nao_se_misturam():
    equipes = Equipes([Equipe("Grupo É", "grupo-e", ("1",)), Equipe("Grupo E", "grupo-e-2", ("2",))], {})
    assert equipes.achar("Grupo É", "9").pasta == "grupo-e" and equipes.achar("Grupo E", "8").pasta == "grupo-e-2"


@pytest.fixture
def corrigida(turma, tmp_path):
    """O grupo A (m11 e m12) e Os Transformers (m13), coletados e com notas no livro."""
    coletar.main(["02", str(zip_de(tmp_path, DE_HOJE)), "--planilha", str(folha(turma))])
    turma_corrigida(turma, 2, ("grupo-a", "grupo-os-transformers"))
    return turma


def test_cada_membro_tem_a_nota_do_grupo_na_planilha_e_a_devolutiva_no_zip(corrigida, capsys):
    assert notas.main(["02", "--moodle", str(corrigida / "p.csv")]) == 0
    assert devolver.main(["02"]) == 0 and relatorio.main(["02"]) == 0 and relatorio.main([]) == 0
    with Turma(corrigida).livro() as livro:
        de_cada = {e.student.id: e.score for e in livro.assignment_submissions(LISTA)}
    texto = (corrigida / "p-preenchida.csv").read_text(encoding="utf-8")
    linhas = {linha["Identificador"][-2:]: linha for linha in csv.DictReader(io.StringIO(texto), delimiter=";")}
    esperadas = {"11": "grupo-a", "12": "grupo-a", "13": "grupo-os-transformers"}
    assert {n: linhas[n]["Nota"] for n in esperadas} == {
        n: f"{de_cada[grupo]:.2f}".replace(".", ",") for n, grupo in esperadas.items()
    }
    assert (
        linhas["11"]["Comentários do feedback"] == linhas["12"]["Comentários do feedback"] and not linhas["14"]["Nota"]
    )
    with zipfile.ZipFile(corrigida / "feedback" / f"{LISTA}-moodle.zip") as zip_:
        pastas = {nome.partition("/")[0] for nome in zip_.namelist()}
        pagina = zip_.read(f"Beto D'Ávila_12_assignsubmission_file_/devolutiva-{LISTA}.html").decode()
    assert pastas == {f"{PESSOAS[n][0]}_{n}_assignsubmission_file_" for n in esperadas}
    assert "Beto D&#39;Ávila, do Grupo A" in pagina
    da_lista = (corrigida / "relatorios" / f"{LISTA}.html").read_text(encoding="utf-8")
    assert "Ana Sá · m11 (Grupo A)" in da_lista and "muito parecidas" not in dito(capsys)
    assert "grupo-" not in (corrigida / "relatorios" / "turma.html").read_text(encoding="utf-8")


def test_o_grupo_nao_e_um_aluno_nas_contas_da_turma(corrigida, capsys):
    assert notas.main(["--todas"]) == 0
    linhas = list(csv.reader(io.StringIO((corrigida / "notas-todas.csv").read_text("utf-8-sig")), delimiter=";"))
    assert [linha[0] for linha in linhas[1:]] == ["m11", "m12", "m13", "m14"]
    assert list(Turma(corrigida).conhecidos()) == ["m11", "m12", "m13", "m14"]
    (corrigida / "autograded" / "grupo-a" / LISTA / f"{LISTA}.ipynb").unlink()
    lida = Turma(corrigida).ler(LISTA)
    assert [s.aluno for s in lida.sem] == ["m11", "m12"] and list(lida.faltosos) == ["m14"] and not lida.por_coletar


def test_quem_pede_para_corrigir_um_membro_le_o_nome_do_grupo(corrigida, capsys):
    assert corrigir.main(["02", "--aluno", "m11"]) == 2
    assert "do aluno “m11”. A que ele tem é a do grupo: --aluno grupo-a" in dito(capsys)


def test_a_prorrogacao_de_um_membro_e_so_dele(corrigida, capsys):
    assert prazo.main(["02", "02/03/2026", "01:00"]) == 0
    assert prazo.main(["02", "03/03/2026", "23:59", "--aluno", "m12"]) == 0
    atrasos = {e.aluno: e.atraso for e in Turma(corrigida).entregas(LISTA)}
    assert atrasos["m11"] > 0 and atrasos["m12"] == 0


def test_a_do_grupo_nao_toma_o_lugar_da_que_um_membro_entregou_sozinho(turma, tmp_path):
    coletar.main(["02", str(zip_de(tmp_path, DE_HOJE)), "--planilha", str(folha(turma))])
    turma_corrigida(turma, 2, ("grupo-a", "m11"))
    assert {e.aluno: e.grupo for e in Turma(turma).entregas(LISTA)} == {"m11": None, "m12": "Grupo A"}
