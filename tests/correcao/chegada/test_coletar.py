"""`python curso.py coletar`: o zip do Moodle vira submitted/, e o que não serve fica de fora, com o porquê."""

import gzip
import io
import json
import os
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from conftest import RAIZ

from correcao.chegada import coletar, leitor, planilha
from correcao.chegada.coletada import MAIS_NOVA
from correcao.chegada.coletar import NaoDaParaColetar
from correcao.chegada.dono import dono_de
from correcao.chegada.envio import envios
from correcao.chegada.zip_collect import SEM_DATA, ExtratorSeguro

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
        ("silvaana_12345_987654_lista-01.ipynb", "silvaana-12345"),  # o Canvas
        ("silvaana_LATE_12345_987654_lista-01-1.ipynb", "silvaana-12345"),
        ("Ana Sá - lista-01-produto-escalar.ipynb", "ana-sa"),  # o Google Classroom
        ("Ana Sá - Cópia de lista-01-produto-escalar (1).ipynb", "ana-sa"),
        ("Ana Sá - minha resposta.ipynb", "ana-sa"),
        ("lista-01 - Ana Sá.ipynb", "ana-sa"),
    ],
)
def test_o_nome_que_o_sistema_deu_diz_de_quem_e_o_arquivo(caminho, aluno):
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
        ("\\", b"x", "aponta para fora"),
        ("..", b"x", "aponta para fora"),
        ("B_8_assignsubmission_file_/b.ipynb", b"0" * (100 * 2**20 + 1), "tem mais de 100 MB"),
        (atalho(), b"/etc/passwd", "atalho"),
        ("Z_7_assignsubmission_file_/z.zip", b"PK\x03\x04lixo", "não se consegue ler"),
    ],
)
def test_o_que_e_perigoso_fica_de_fora_e_o_resto_e_coletado(tmp_path, nome, conteudo, trecho):
    turma, coletadas, fora = colher(tmp_path, {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK, nome: conteudo})
    assert coletadas["p-1"].situacao == "coletada"
    assert any(trecho in porque for porque in fora.values())
    assert {p.name for p in tmp_path.rglob("fora.ipynb")} == set()


def zipado(*membros: tuple[str, bytes], metodo: int = zipfile.ZIP_DEFLATED) -> bytes:
    dentro = io.BytesIO()
    with zipfile.ZipFile(dentro, "w", metodo) as zip_:
        for nome, conteudo in membros:
            zip_.writestr(nome, conteudo)
    return dentro.getvalue()


ENVIO = "Ana_1_assignsubmission_file_"
NADA_DENTRO = {
    "um zip vazio": ({f"{ENVIO}/lista.zip": zipado()}, "é um zip sem nenhum arquivo dentro"),
    "um zip vazio, solto": ({f"{ENVIO}_lista.zip": zipado()}, "é um zip sem nenhum arquivo dentro"),
    "um zip só com uma pasta": ({f"{ENVIO}/lista.zip": zipado(("p/", b""))}, "é um zip sem nenhum arquivo dentro"),
    "um zip com outro, vazio": (
        {f"{ENVIO}/lista.zip": zipado(("outro.zip", zipado()))},
        "é um zip sem nenhum arquivo dentro",
    ),
    "um zip sem notebook": ({f"{ENVIO}/lista.zip": zipado(("leia.txt", b"x"))}, "não é um notebook"),
    "uma pasta vazia": ({f"{ENVIO}/": b""}, "chegou sem nenhum arquivo dentro"),
    "só o que o sistema põe": ({f"{ENVIO}/.DS_Store": b"x"}, "chegou sem nenhum arquivo dentro"),
    "um zip de 0 bytes": ({f"{ENVIO}/lista.zip": b""}, "está vazio, com 0 bytes"),
    "do Canvas": ({"silvaana_12345_987_lista.zip": zipado()}, "é um zip sem nenhum arquivo dentro"),
    "com o nome na pasta": ({"ana/lista.zip": zipado()}, "é um zip sem nenhum arquivo dentro"),
    "com o nome no zip": ({"ana.zip": zipado()}, "é um zip sem nenhum arquivo dentro"),
    "a pasta com o nome": ({"ana/": b""}, "chegou sem nenhum arquivo dentro"),
}


@pytest.mark.parametrize("membros, porque", NADA_DENTRO.values(), ids=NADA_DENTRO)
@pytest.mark.parametrize("como", ["zip", "pasta"])
def test_quem_mandou_o_vazio_nao_some(tmp_path, membros, porque, como, capsys):
    turma, arquivo = tmp_path / "turma", fazer_zip(tmp_path, {**de(7), **membros})
    turma.mkdir()
    origem = arquivo
    if como == "pasta":
        origem = tmp_path / "recebidos"
        with zipfile.ZipFile(arquivo) as zip_:
            zip_.extractall(origem)
    feita = coletar.fazer(LISTA, origem, turma)
    (ela,) = [c for c in feita.coletadas if c.dono.aluno != "nome-7"]
    assert ela.situacao == "sem notebook: vai valer zero, com o motivo" and "ana" in ela.dono.aluno
    assert (turma / "submitted" / ela.dono.aluno / LISTA).is_dir()
    assert [dito for _, dito in anotados(turma)[ela.dono.aluno]["recusados"]] == [porque]  # o que a página dela diz


def test_um_arquivo_de_0_bytes_tambem_e_uma_entrega(tmp_path):
    turma, coletadas, _ = colher(tmp_path, {f"{ENVIO}/l.ipynb": b""})
    assert len(coletadas["ana-1"].arquivos) == 1 and (turma / "submitted" / "ana-1" / LISTA / "l.ipynb").exists()


def test_quem_mandou_um_zip_vazio_nao_e_dado_por_perdido_na_planilha(tmp_path):
    tabela = folha(tmp_path, p1=(ENVIADO, "domingo, 1 mar. 2026, 21:00"), p7=(ENVIADO, "domingo, 1 mar. 2026, 21:00"))
    membros = {**de(7), f"{ENVIO}/lista.zip": zipado()}
    feita = coletar.fazer(LISTA, fazer_zip(tmp_path, membros), tmp_path / "turma", tabela)
    assert feita.fora_do_zip == [] and {c.dono.aluno for c in feita.coletadas} == {"p1", "p7"}


def test_um_zip_do_moodle_em_que_ninguem_mandou_notebook_tambem_e_coletado(tmp_path):
    assert set(colher(tmp_path, {f"{ENVIO}/lista.zip": zipado()})[1]) == {"ana-1"}


def test_um_notebook_que_comprime_como_uma_bomba_entra_se_abri_lo_custa_pouco(tmp_path):
    avisos = json.loads(NOTEBOOK)
    texto = ["RuntimeWarning: overflow encountered in exp; treating the result as inf\n"] * 60_000
    codigo = next(c for c in avisos["cells"] if c["cell_type"] == "code")
    codigo["outputs"] = [{"output_type": "stream", "name": "stderr", "text": texto}]
    inteiro = json.dumps(avisos, indent=1).encode()
    membros = {f"{ENVIO}/l.ipynb": inteiro, "B_2_assignsubmission_file_/l.zip": zipado(("l.ipynb", inteiro))}
    arquivo = fazer_zip(tmp_path, membros)
    with zipfile.ZipFile(arquivo) as zip_:
        assert zip_.infolist()[0].file_size > 200 * zip_.infolist()[0].compress_size
    turma, _, fora = colher(tmp_path, membros)
    assert fora == {}
    for aluno in ("ana-1", "b-2"):
        assert (turma / "submitted" / aluno / LISTA / "l.ipynb").read_bytes() == inteiro


def test_a_bomba_de_verdade_fica_de_fora_e_guardada_como_veio(tmp_path, monkeypatch):
    monkeypatch.setattr(leitor, "MAIOR_ARQUIVO", 2**20)
    grande = b"0" * (2**20 + 1)
    membros = {**de(7), f"{ENVIO}/l.ipynb": grande, "B_2_assignsubmission_file_/l.zip": zipado(("l.ipynb", grande))}
    turma, coletadas, fora = colher(tmp_path, membros)
    assert set(fora.values()) == {"tem mais de 1 MB"} and coletadas["ana-1"].arquivos == []
    for aluno in ("ana-1", "b-2"):
        assert anotados(turma)[aluno]["recusados"] == [["l.ipynb", "tem mais de 1 MB"]]
        (guardado,) = (turma / "recusados" / aluno / LISTA).iterdir()
        assert guardado.name == "l.ipynb.gz" and guardado.stat().st_size < 10_000
        assert gzip.decompress(guardado.read_bytes()) == grande


def test_muitos_arquivos_pequenos_de_um_zip_dentro_de_outro_tambem_se_contam(tmp_path, monkeypatch):
    monkeypatch.setattr(leitor, "MAIOR_ENTREGA", 2**20)
    dentro = zipado(*((f"{n}.ipynb", b"0" * 2**18) for n in range(40)))
    _, coletadas, fora = colher(tmp_path, {f"{ENVIO}/l.zip": zipado(("outro.zip", dentro))})
    assert len(coletadas["ana-1"].arquivos) == 3 and len(fora) == 37
    assert set(fora.values()) == {"o que foi mandado passa de 200 MB ou de 500 arquivos"}


def test_quem_mente_no_tamanho_nao_enche_a_memoria(tmp_path, monkeypatch):
    """O zipfile abriria de uma vez tudo o que há em um bz2: aqui, 64 MB que o zip diz que são um."""
    bombas = []
    for metodo in (zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED):
        bomba = bytearray(zipado(("l.ipynb", bytes(64 * 2**20)), metodo=metodo))
        for inicio, onde in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
            lugar = bomba.index(inicio) + onde
            bomba[lugar : lugar + 4] = (2**20).to_bytes(4, "little")
        bombas.append(bytes(bomba))
    arquivo = fazer_zip(tmp_path, {f"A_{n}_assignsubmission_file_/l.zip": b for n, b in enumerate(bombas)})
    tracemalloc.start()
    try:
        feita = coletar.fazer(LISTA, arquivo, tmp_path / "turma")
        pico = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert pico < 20 * 2**20
    assert [f.porque.partition(";")[0] for f in feita.fora] == [
        *("está comprimido de um jeito que a correção não abre", "está estragado dentro do zip")
    ]


def test_o_total_tem_limite(tmp_path, monkeypatch):
    monkeypatch.setattr(leitor, "MAIOR_TOTAL", 3 * len(NOTEBOOK))
    monkeypatch.setattr(leitor, "MODESTA", 0)
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


def test_o_zip_collect_tambem_nota_a_hora_do_download(tmp_path):
    (tmp_path / "archive").mkdir()
    for pasta, quantos in (("um", 1), ("dois", 2)):
        fazer_zip(tmp_path / "archive", {f"N_{n}_assignsubmission_file_/l.ipynb": NOTEBOOK for n in range(quantos)})
        ExtratorSeguro().extract(str(tmp_path / "archive"), str(tmp_path / pasta))
    horas = {p: {f.stat().st_mtime for f in (tmp_path / p).rglob("*.ipynb")} for p in ("um", "dois")}
    assert horas["dois"] == {SEM_DATA} and SEM_DATA not in horas["um"]


def test_a_data_que_outro_programa_escreveu_tambem_conta(tmp_path):
    turma, _, _ = colher(tmp_path, {"Ana_1_assignsubmission_file_/l.ipynb": NOTEBOOK}, HOJE)
    (turma / "submitted" / "ana-1" / LISTA / "timestamp.txt").write_text("2099-01-01 00:00:00 America/Sao_Paulo")
    _, coletadas, _ = colher(tmp_path, {"Ana_1_assignsubmission_file_/l.ipynb": NOTEBOOK + b" "}, HOJE)
    assert "já havia uma entrega mais nova" in coletadas["ana-1"].situacao


# ---------------------------------------------------------------- as datas, e o que a planilha sabe delas

CABECALHO = (
    'Identificador,"Nome completo","Endereço de email",Status,Nota,"Nota máxima","A nota pode ser modificada",'
    '"Última modificação (envio)","Última modificação (nota)","Comentários do feedback"\r\n'
)
ENVIADO, EXTRA = "Enviado para avaliação", "Prorrogação concedida até: segunda-feira, 9 mar. 2026, 23:59"


def folha(pasta: Path, **linhas: tuple[str, str]) -> Path:
    """A planilha do Moodle: `p1=(status, última modificação)`, e assim por diante."""
    texto = CABECALHO
    for quem, (status, quando) in linhas.items():
        texto += f'"Participante {quem[1:]}","D’Ávila, {quem}",{quem}@x.br,"{status}",,"100,00",Sim,"{quando}",-,\r\n'
    arquivo = pasta / "planilha.csv"
    arquivo.write_bytes(texto.encode("utf-8-sig"))
    return arquivo


def de(*numeros: int) -> dict:
    return {f"Nome_{n}_assignsubmission_file_/l.ipynb": NOTEBOOK for n in numeros}


def data(turma: Path, aluno: str) -> str | None:
    arquivo = turma / "submitted" / aluno / LISTA / "timestamp.txt"
    return arquivo.read_text().strip() if arquivo.exists() else None


def anotados(turma: Path) -> dict:
    return json.loads((turma / "moodle.json").read_text(encoding="utf-8"))[LISTA]


def test_da_planilha_vem_o_nome_a_data_o_atraso_e_a_prorrogacao(tmp_path):
    tabela = folha(
        tmp_path,
        p1=(ENVIADO, "domingo, 1 mar. 2026, 21:00"),
        p2=(f"{ENVIADO} - 2 dias 3 horas atrasado", "quarta-feira, 4 mar. 2026, 02:59"),
        p3=(f"{ENVIADO} -  - {EXTRA}", "quinta-feira, 5 mar. 2026, 10:00"),
        p4=("Nenhum envio - A tarefa está atrasada há: 2 dias 3 horas", "-"),
        p5=("Rascunho (não enviado)", "domingo, 1 mar. 2026, 20:00"),
        p6=(ENVIADO, "domingo, 1 mar. 2026, 22:00"),
    )
    turma = tmp_path / "turma"
    feita = coletar.fazer(LISTA, fazer_zip(tmp_path, de(1, 2, 3)), turma, tabela)
    assert not feita.do_download  # todas têm a data da planilha
    assert data(turma, "p1") == "2026-03-02 00:00:00 UTC" and data(turma, "p2") == "2026-03-04 05:59:00 UTC"
    assert {c.dono.nome for c in feita.coletadas} == {f"D’Ávila, p{n}" for n in (1, 2, 3)}
    ditos = {aluno: (d.get("atraso"), d.get("prorrogacao")) for aluno, d in anotados(turma).items()}
    assert ditos["p1"] == (0.0, None) and ditos["p2"] == (51 * 3600, None)
    assert ditos["p3"] == (0.0, "2026-03-10T02:59:00+00:00")
    assert feita.faltam == ["D’Ávila, p4", "D’Ávila, p5 (tem um rascunho)"] and feita.fora_do_zip == ["D’Ávila, p6"]
    quadro = coletar.quadro(feita.coletadas, feita.fora)
    assert "atrasada 2 dias e 3 horas, segundo o Moodle" in quadro and "com prazo até 09/03/2026 23:59" in quadro


def test_um_rascunho_do_moodle_e_coletado_e_dito_e_conta_o_prazo_como_os_outros(tmp_path, monkeypatch, capsys):
    tabela = folha(
        tmp_path,
        p1=(f"{ENVIADO} - 2 dias atrasado", "quarta-feira, 4 mar. 2026, 02:59"),
        p2=("Rascunho (não enviado)", "quinta-feira, 5 mar. 2026, 20:00"),
        p3=(ENVIADO, "domingo, 1 mar. 2026, 20:00"),
    )
    turma = tmp_path / "turma"
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    assert coletar.main([LISTA[6:8], str(fazer_zip(tmp_path, de(1, 2, 3))), "--planilha", str(tabela)]) == 3
    dito = capsys.readouterr().out
    assert "coletada; é um rascunho no Moodle" in dito and "rascunhos, que ninguém enviou: D’Ávila, p2." in dito
    assert data(turma, "p2") == "2026-03-05 23:00:00 UTC"
    assert [anotados(turma)[p].get("atraso") for p in ("p1", "p2", "p3")] == [2 * 86_400, None, 0.0]


@pytest.mark.parametrize(
    "status, segundos",
    [
        ("Enviado para avaliação - 45 segundos atrasado", 45),
        ("Enviado para avaliação - 1 hora 2 minutos atrasado", 3720),
        ("Enviado para avaliação - 1 ano 3 dias atrasado - Avaliado", 368 * 86_400),
        ("Submitted for grading - 2 days 3 hours late", 51 * 3600),
        ("Submitted for grading - 1 min 5 secs late - Extension granted until: Monday, 2 March 2026, 1:00 PM", 65),
    ],
)
def test_o_atraso_do_moodle_se_le_em_qualquer_unidade(tmp_path, status, segundos):
    ditos = envios(planilha.ler(folha(tmp_path, p1=(status, "-"), p2=(ENVIADO, "-"))))
    assert (ditos["1"].atraso, ditos["2"].atraso) == (segundos, 0)


def test_quando_a_planilha_nao_marca_ninguem_ela_nao_diz_que_ninguem_atrasou(tmp_path):
    """O Moodle pode não ter prazo: então quem decide é o do curso."""
    assert envios(planilha.ler(folha(tmp_path, p1=(ENVIADO, "-"))))["1"].atraso is None


def test_um_zip_com_a_hora_do_download_e_notado_e_ninguem_fica_com_data(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CURSO_TURMA", str(tmp_path / "turma"))
    origem = str(fazer_zip(tmp_path, de(1, 2, 3)))
    assert coletar.main(["01", origem]) == 3
    assert "ninguém perde por atraso" in capsys.readouterr().out and data(tmp_path / "turma", "nome-1") is None
    tabela = folha(tmp_path, **{f"p{n}": (ENVIADO, f"domingo, {n} mar. 2026, 21:00") for n in (1, 2, 3)})
    assert coletar.main(["01", origem, "--planilha", str(tabela)]) == 0  # a planilha que chega depois dá as datas
    assert "a data agora é a da planilha" in capsys.readouterr().out
    assert coletar.main(["01", origem]) == 0  # e ficam, se a planilha não vem outra vez
    assert "03/03/2026 21:00" in capsys.readouterr().out
    assert data(tmp_path / "turma", "p3") == "2026-03-04 00:00:00 UTC"


def test_a_planilha_corrige_tambem_a_data_que_era_a_do_download(tmp_path):
    turma, _, _ = colher(tmp_path, de(1))  # com um aluno só, não há com que comparar a hora
    tabela = folha(tmp_path, p1=(ENVIADO, "domingo, 1 mar. 2026, 21:00"))
    assert "a data agora é a da planilha" in colher(tmp_path, de(1), tabela=tabela)[1]["p1"].situacao
    assert data(turma, "p1") == "2026-03-02 00:00:00 UTC"


def test_sem_data_a_entrega_de_um_zip_mais_velho_tambem_nao_troca_a_mais_nova(tmp_path):
    turma, _, _ = colher(tmp_path, de(1, 2))
    velhas = dict.fromkeys(de(1, 2), NOTEBOOK + b" ")
    assert {c.situacao for c in colher(tmp_path, velhas, quando=ONTEM)[1].values()} == {MAIS_NOVA}
    assert (turma / "submitted" / "nome-1" / LISTA / "l.ipynb").read_bytes() == NOTEBOOK


def test_horas_diferentes_sao_as_do_envio(tmp_path):
    outro = fazer_zip(tmp_path, de(1)).rename(tmp_path / "um.zip")
    turma = tmp_path / "turma"
    coletar.fazer(LISTA, outro, turma)
    assert data(turma, "nome-1") == "2026-03-02 13:00:00 UTC"  # 10:00 em Brasília


def test_uma_data_da_planilha_que_nao_se_entende_e_dita_e_vale_a_do_zip(tmp_path):
    tabela = folha(tmp_path, p1=(ENVIADO, "ontem à noite"))
    feita = coletar.fazer(LISTA, fazer_zip(tmp_path, de(1)), tmp_path / "turma", tabela)
    assert feita.ilegiveis == ["“ontem à noite”, de D’Ávila, p1"] and "ontem à noite" in coletar.recados(feita)[0]
    assert data(tmp_path / "turma", "p1") == "2026-03-02 13:00:00 UTC"


def test_a_planilha_de_outra_tarefa_e_recusada_e_nada_e_coletado(tmp_path):
    turma = tmp_path / "turma"
    turma.mkdir()
    (turma / "moodle.json").write_text('{"lista-03-escala": {"x": {"nome": "X", "id": "900", "pasta": "p"}}}')
    tabela = folha(tmp_path, p900=(ENVIADO, "-"), p901=(ENVIADO, "-"))
    with pytest.raises(NaoDaParaColetar, match=r"outra tarefa do Moodle \(parece a da lista-03-escala\)"):
        coletar.coletar(LISTA, fazer_zip(tmp_path, de(1, 2)), turma, tabela)
    assert not (turma / "submitted").exists()


def test_quem_faltou_na_primeira_coleta_e_entregou_depois_e_a_mesma_pessoa(tmp_path):
    tabela = folha(tmp_path, p1=(ENVIADO, "-"), p2=("Nenhum envio", "-"))
    turma, _, _ = colher(tmp_path, de(1), tabela=tabela)
    assert anotados(turma)["p2"]["enviou"] is False
    assert set(colher(tmp_path, de(1, 2))[1]) == {"p1", "p2"}
    assert anotados(turma)["p2"]["pasta"] and len(anotados(turma)) == 2


def test_a_entrega_nova_sem_planilha_nao_fica_com_o_atraso_da_antiga(tmp_path):
    tabela = folha(tmp_path, p1=(ENVIADO, "-"), p2=(f"{ENVIADO} - 1 dia atrasado -  - {EXTRA}", "-"))
    turma, _, _ = colher(tmp_path, de(1, 2), tabela=tabela)
    colher(tmp_path, dict.fromkeys(de(2), NOTEBOOK + b" "), quando=(2026, 3, 3, 10, 0, 0))
    depois = anotados(turma)
    assert depois["p1"]["atraso"] == 0 and "atraso" not in depois["p2"] and depois["p2"]["prorrogacao"]


# ---------------------------------------------------------------- o que se recusa


def test_o_que_se_recusa_fica_guardado_e_o_porque_e_anotado(tmp_path):
    membros = {
        "P_1_assignsubmission_file_/l.ipynb": NOTEBOOK,
        "Q_2_assignsubmission_file_/lista.docx": b"um texto",
        "R_3_assignsubmission_file_/tudo.zip": b"PK\x03\x04lixo",
        "S_4_assignsubmission_file_meu.pdf": b"%PDF",
    }
    turma, _, _ = colher(tmp_path, membros)
    colher(tmp_path, membros)  # de novo: nada se repete
    guardados = {str(p.relative_to(turma / "recusados")): p.read_bytes() for p in (turma / "recusados").rglob("*.*")}
    assert guardados == {f"q-2/{LISTA}/lista.docx": b"um texto", f"r-3/{LISTA}/tudo.zip": b"PK\x03\x04lixo",
                         f"s-4/{LISTA}/meu.pdf": b"%PDF"}  # fmt: skip
    porques = {aluno: d.get("recusados") for aluno, d in anotados(turma).items()}
    assert porques == {"p-1": None, "q-2": [["lista.docx", "não é um notebook"]],
                       "r-3": [["tudo.zip", "é um zip que não se consegue ler"]],
                       "s-4": [["meu.pdf", "não é um notebook"]]}  # fmt: skip


def test_o_que_e_grande_demais_para_guardar_nao_se_le(tmp_path, monkeypatch):
    monkeypatch.setattr("correcao.chegada.recusados.MAIOR", 10)
    membros = {"P_1_assignsubmission_file_/l.ipynb": NOTEBOOK, "P_1_assignsubmission_file_/video.mp4": b"x" * 11}
    turma, coletadas, fora = colher(tmp_path, membros)
    assert "não é um notebook" in fora.values() and not (turma / "recusados").exists()
    assert len(coletadas["p-1"].arquivos) == 1


# ---------------------------------------------------------------- o Canvas e o Classroom


def test_a_pasta_do_drive_nao_e_um_aluno_mesmo_se_alguem_mandou_dois(tmp_path):
    membros = {f"Lista 01/{nome}.ipynb": NOTEBOOK for nome in ("Ana Sá - lista-01", "Ana Sá - lista-01 (1)", "Bia - L")}
    assert {a: len(c.arquivos) for a, c in colher(tmp_path, membros)[1].items()} == {"ana-sa": 2, "bia": 1}


def test_o_canvas_diz_quem_atrasou_mas_nao_quanto(tmp_path):
    membros = {"sa_12345_1111_l.ipynb": NOTEBOOK, "sa_LATE_12345_1112_l-1.ipynb": NOTEBOOK, "li_222_333_l.docx": b"x",
               "sa_12345_text.html": b"oi", "zito_LATE_777_text.html": b"oi"}  # fmt: skip
    _, coletadas, fora = colher(tmp_path, membros)
    assert set(coletadas) == {"sa-12345", "li-222", "zito-777"} and "não é um notebook" in fora.values()
    assert fora["sa_12345_text.html"] == "é um texto escrito no Canvas, e não um notebook"
    assert "LATE" in coletar.quadro(list(coletadas.values()), [])
