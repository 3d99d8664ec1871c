"""Ataques sem código: zips, nomes, datas, textos e números feitos para parar ou enganar quem coleta, julga e mostra."""

import io
import json
import time
import zipfile
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ, png
from nbconvert.filters.markdown import markdown2html
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory

from correcao.chegada import coletar, leitor, recebimento, reparo, zip_collect
from correcao.comum import pagina
from correcao.devolucao import rubrica
from correcao.juizo import corrigir, evidencia
from gabarito.base import Questao, buscar
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.execucao import Registro

LISTA = "lista-01-produto-escalar"
NOTEBOOK = (RAIZ / "release" / LISTA / f"{LISTA}.ipynb").read_bytes()
HOJE, DEPOIS = (2026, 3, 2, 10, 0, 0), (2030, 1, 1, 0, 0, 0)
VITIMA, MAU = "Ana_999_assignsubmission_file_", "Mau_123_assignsubmission_file_"
SEMENTE = 7


def zipar(membros: dict[str, bytes], quando=HOJE) -> bytes:
    saida = io.BytesIO()
    with zipfile.ZipFile(saida, "w", zipfile.ZIP_DEFLATED) as zip_:
        for nome, conteudo in membros.items():
            info = zipfile.ZipInfo(nome, quando)
            info.compress_type = zipfile.ZIP_DEFLATED
            zip_.writestr(info, conteudo)
    return saida.getvalue()


def colher(pasta: Path, membros: dict[str, bytes]) -> tuple[dict[str, coletar.Coletada], dict[str, str]]:
    (pasta / "envios.zip").write_bytes(zipar(membros))
    (pasta / "turma").mkdir()
    coletadas, fora = coletar.coletar(LISTA, pasta / "envios.zip", pasta / "turma")
    return {c.dono.aluno: c for c in coletadas}, {f.caminho: f.porque for f in fora}


# ---------------------------------------------------------------- coletar


@pytest.mark.parametrize("dentro", [f"{VITIMA}/l.ipynb", f"{VITIMA}l.ipynb"])
@pytest.mark.parametrize("de_fora", [f"{MAU}envio.zip", f"{MAU}/envio.zip"])
def test_o_zip_de_um_aluno_nao_fala_por_outro(tmp_path, de_fora, dentro):
    membros = {f"{VITIMA}l.ipynb": NOTEBOOK, de_fora: zipar({dentro: NOTEBOOK + b"\n"}, DEPOIS)}
    coletadas, _ = colher(tmp_path, membros)
    assert set(coletadas) == {"ana-999", "mau-123"}
    assert [a.conteudo for a in coletadas["ana-999"].arquivos] == [NOTEBOOK]


@pytest.mark.parametrize("data", [(1980, 1, 1, 0, 0, 0), (2107, 12, 31, 0, 0, 0)])
def test_a_data_que_vale_e_a_do_envio_e_nao_a_de_dentro_do_zip(tmp_path, data):
    coletadas, _ = colher(tmp_path, {f"{MAU}/e.zip": zipar({"l.ipynb": NOTEBOOK}, data)})
    assert coletadas["mau-123"].quando.year == 2026


def test_um_nome_que_traz_dois_numeros_do_moodle_fica_de_fora(tmp_path):
    membros = {f"{VITIMA}l.ipynb": NOTEBOOK, f"Mau_999_assignsubmission_file_x_{MAU[4:]}l.ipynb": NOTEBOOK + b" "}
    coletadas, fora = colher(tmp_path, membros)
    assert set(coletadas) == {"ana-999"} and "dois números" in "".join(fora.values())


def test_dois_nomes_que_dariam_na_mesma_pasta_nao_se_misturam(tmp_path):
    coletadas, fora = colher(tmp_path, {"Ana/l.ipynb": NOTEBOOK, "aná/l.ipynb": NOTEBOOK + b" "})
    assert [a.conteudo for a in coletadas["ana"].arquivos] == [NOTEBOOK] and "“Ana”" in fora["aná/l.ipynb"]


@pytest.mark.parametrize(
    "nome, conteudo",
    [
        (f"{MAU}/{'字' * 110}.ipynb", NOTEBOOK),
        (f"{MAU}e.zip", zipar({f"M_{'9' * 3000}_assignsubmission_file_/l.ipynb": NOTEBOOK})),
        (f"{MAU}/e.zip", zipar({"áá.ipynb": NOTEBOOK}).replace("áá".encode(), b"\xff\xfe\xff\xfe")),
        (f"{MAU}/e.zip", zipar({f"{i}.txt": b"" for i in range(600)})),
    ],
    ids=["nome de 330 bytes", "número de 3000 algarismos", "nome que não é UTF-8", "600 arquivos"],
)
def test_um_zip_estragado_de_proposito_nao_para_a_coleta(tmp_path, nome, conteudo):
    assert "ana-999" in colher(tmp_path, {nome: conteudo, f"{VITIMA}/l.ipynb": NOTEBOOK})[0]


def guloso(notebooks: int) -> bytes:
    return zipar({f"{i}.ipynb": NOTEBOOK for i in range(notebooks)})


@pytest.mark.parametrize(
    "do_mau",
    [
        {f"{MAU}/e.zip": guloso(20)},
        {f"{MAU}/{i}.zip": guloso(2) for i in range(12)},
        {f"{MAU}{i}.zip": guloso(2) for i in range(12)},
        {f"{MAU}/{i}.ipynb": NOTEBOOK for i in range(12)},
        {f"{MAU}/e.zip": zipar({f"{i}.zip": guloso(2) for i in range(12)})},
    ],
    ids=["um zip", "12 zips", "12 zips soltos", "12 notebooks", "12 zips em um zip"],
)
def test_um_aluno_nao_gasta_o_limite_dos_outros(tmp_path, monkeypatch, do_mau):
    monkeypatch.setattr(leitor, "MAIOR_TOTAL", 10 * len(NOTEBOOK))
    monkeypatch.setattr(leitor, "MAIOR_ENTREGA", 6 * len(NOTEBOOK))
    coletadas, fora = colher(tmp_path, {**do_mau, f"{VITIMA}/l.ipynb": NOTEBOOK, f"{MAU}/v.mp4": b"x"})
    assert coletadas["ana-999"].arquivos and "passa de 200 MB" in "".join(fora.values())


def test_muitos_gulosos_juntos_tambem_nao(tmp_path, monkeypatch):
    monkeypatch.setattr(leitor, "MAIOR_TOTAL", 10 * len(NOTEBOOK))
    monkeypatch.setattr(leitor, "MODESTA", 2 * len(NOTEBOOK))
    monkeypatch.setattr(leitor, "MAIS_ARQUIVOS", 40)
    gulosos = {f"Mau_{i}_assignsubmission_file_/{j}.ipynb": NOTEBOOK for i in range(8) for j in range(9)}
    coletadas, fora = colher(tmp_path, {**gulosos, f"{VITIMA}/l.ipynb": NOTEBOOK})
    assert coletadas["ana-999"].arquivos and "arquivo inteiro passou" in "".join(fora.values())


def test_o_indice_de_um_zip_nao_enche_a_memoria_nem_a_tela(tmp_path, monkeypatch):
    monkeypatch.setattr(leitor, "MAIS_ARQUIVOS", 100)
    monkeypatch.setattr(leitor, "MAIS_DA_ENTREGA", 30)
    sem_fim, muitos = ({f"../{i}": b"" for i in range(n)} for n in (101, 90))
    coletadas, fora = colher(tmp_path, {f"{MAU}/a.zip": zipar(sem_fim), f"{MAU}/b.zip": zipar(muitos),
                                        f"{MAU}/c.zip": zipar(muitos), f"{VITIMA}/l.ipynb": NOTEBOOK})  # fmt: skip
    assert coletadas["ana-999"].arquivos and len(fora) <= 32 and "arquivos demais" in fora[f"{MAU}/a.zip"]


def na_pasta(pasta: Path, membros: dict[str, bytes]) -> Path:
    for nome, conteudo in membros.items():
        (pasta / nome).parent.mkdir(parents=True, exist_ok=True)
        (pasta / nome).write_bytes(conteudo)
    return pasta


FORJADO = {f"{VITIMA}/l.ipynb": NOTEBOOK + b"\n"}
POR_DENTRO = {
    "um zip": {"mau.zip": zipar(FORJADO, DEPOIS)},
    "um zip em um zip": {"mau.zip": zipar({"turma.zip": zipar(FORJADO, DEPOIS)}, DEPOIS)},
    "um zip na pasta dele": {"mau/envios.zip": zipar(FORJADO, DEPOIS)},
    "pastas na pasta dele": {f"mau/{nome}": conteudo for nome, conteudo in FORJADO.items()},
    "um nome solto na pasta dele": {f"mau/{VITIMA}l.ipynb": NOTEBOOK + b"\n"},
    "um zip com o nome dela na pasta dele": {f"mau/{VITIMA}l.zip": zipar({"l.ipynb": NOTEBOOK + b"\n"})},
    "um zip disfarçado": {"mau.zip": zipar({**FORJADO, "leia.txt": b""}, DEPOIS)},
}


@pytest.mark.parametrize("como", ["pasta", "zip", "zip de uma pasta"])
@pytest.mark.parametrize("do_mau", POR_DENTRO.values(), ids=POR_DENTRO)
def test_so_o_primeiro_nome_do_caminho_diz_de_quem_e_a_entrega(tmp_path, do_mau, como):
    membros = {f"{VITIMA}/l.ipynb": NOTEBOOK, "bia/l.ipynb": NOTEBOOK, **do_mau}
    origem = na_pasta(tmp_path / "recebidos", membros) if como == "pasta" else tmp_path / "recebidos.zip"
    if como != "pasta":
        comum = "recebidos/" if como == "zip de uma pasta" else ""
        origem.write_bytes(zipar({f"{comum}{nome}": conteudo for nome, conteudo in membros.items()}))
    coletadas = {c.dono.aluno: c for c in coletar.coletar(LISTA, origem, tmp_path)[0]}
    assert set(coletadas) - {"mau"} == {"ana-999", "bia"}
    assert [a.conteudo for a in coletadas["ana-999"].arquivos] == [NOTEBOOK]
    assert coletadas["ana-999"].quando.year < 2030


@pytest.mark.parametrize("arquivo", ["x_999_assignsubmission_file.zip", "x_999_assignsubmission_file_e.zip"])
def test_o_nome_de_um_zip_solto_com_dois_numeros_do_moodle_fica_de_fora(tmp_path, arquivo):
    membros = {f"{VITIMA}l.ipynb": NOTEBOOK, f"{MAU}{arquivo}": zipar({"l.ipynb": NOTEBOOK + b" "}, DEPOIS)}
    coletadas, fora = colher(tmp_path, membros)
    assert set(coletadas) == {"ana-999"} and "dois números" in "".join(fora.values())


def test_um_caminho_torto_no_zip_de_um_aluno_nao_faz_uma_entrega_vazia_de_outro(tmp_path):
    de_dentro = zipar({f"../{VITIMA}/l.ipynb": NOTEBOOK, f"/{VITIMA}/l.ipynb": NOTEBOOK, "l.ipynb": NOTEBOOK})
    assert set(colher(tmp_path, {f"{MAU}/e.zip": de_dentro})[0]) == {"mau-123"}


class _Recolher(ZipCollectApp):
    """O `nbgrader zip_collect`, sem ler a linha de comando nem a configuração de quem testa."""

    extractor_plugin, collector_plugin = zip_collect.ExtratorSeguro, zip_collect.ColetorDoMoodle

    def __init__(self, turma: Path):
        super().__init__()
        self.coursedir = CourseDirectory(root=str(turma), assignment_id=LISTA)

    def rodar(self) -> dict[str, list[bytes]]:
        self.init_plugins()
        self.extract_archive_files()
        self.process_extracted_files()
        entregues = Path(self.coursedir.root, "submitted")
        return {p.name: [n.read_bytes() for n in p.rglob("*.ipynb")] for p in entregues.glob("*")}


@pytest.mark.parametrize("do_mau", POR_DENTRO.values(), ids=POR_DENTRO)
def test_o_zip_collect_do_nbgrader_tem_a_mesma_regra(tmp_path, do_mau):
    turma = tmp_path / "extracted" / "turma"  # um caminho que engana quem procura a pasta pelo nome
    membros = {f"{VITIMA}/l.ipynb": NOTEBOOK, "bia/l.ipynb": NOTEBOOK, **do_mau}
    na_pasta(turma / "downloaded" / LISTA / "archive", membros)
    entregues = _Recolher(turma).rodar()
    assert set(entregues) - {"mau"} == {"ana-999", "bia"} and entregues["ana-999"] == [NOTEBOOK]


def test_no_zip_collect_um_arquivo_com_o_nome_de_uma_pasta_nao_para_a_turma(tmp_path):
    tortos = zipar({"a": b"", "a/l.ipynb": NOTEBOOK, "b.ipynb": NOTEBOOK, "b.ipynb/extracted/c.ipynb": NOTEBOOK})
    turma = {f"{MAU}/e.zip": tortos, f"{VITIMA}/l.ipynb": NOTEBOOK}
    na_pasta(tmp_path / "downloaded" / LISTA / "archive", {"envios.zip": zipar(turma)})
    entregues = _Recolher(tmp_path).rodar()
    assert {aluno: len(notebooks) for aluno, notebooks in entregues.items()} == {"mau-123": 3, "ana-999": 1}


# ---------------------------------------------------------------- julgar


def evidencia_de(questao: str, registros: list[Registro]) -> str:
    dados = {"questao": questao, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return codificar_evidencia(dados)


def test_uma_mensagem_de_erro_sem_fim_nao_prende_o_juiz_nem_enche_o_diagnostico():
    q = buscar("lista-02/softmax")
    venenos = {"mensagem": "numpy" * 500_000, "tipo": "TypeError\x1b[2J\u202e\n", "onde": "o" * 10**6}
    erro = {"bases": ["TypeError"] * 10**5, "auxiliar": "a" * 10**6, **venenos}
    inicio = time.process_time()
    frase = evidencia.julgar(q, SEMENTE, evidencia_de(q.nome, [Registro(erro=erro)])).frase
    assert time.process_time() - inicio < 20
    assert frase.isprintable() and len(frase) < 3_000


@pytest.mark.parametrize(
    "registro",
    [
        {"saida": "\ud800"},
        {"saida": {"outro": [[]]}},
        {"saida": {"array": {"tipo": ["float64"], "forma": [1], "valores": [1.0]}}},
        {"saida": {"array": {"tipo": "float64", "forma": [1], "valores": [10**400]}}},
        {"saida": 1.0, "alterou": [-100]},
        {"saida": 1.0, "alterou": [10**4000]},
    ],
    ids=[
        "meio caractere",
        "nome que não é texto",
        "tipo em lista",
        "número enorme",
        "argumento −100",
        "argumento 1e4000",
    ],
)
@pytest.mark.parametrize("questao", ["lista-02/softmax", "lista-09/GPTSemAtencao"])
def test_um_resultado_torto_vale_zero_e_nao_parece_um_defeito_nosso(registro, questao, monkeypatch):
    q, com_tudo = buscar(questao), Questao.oculta
    monkeypatch.setattr(Questao, "oculta", lambda q, semente, com_equivocos=True: com_tudo(q, semente, False))
    quantos = len(evidencia.pedido(q, SEMENTE)["casos"])
    veredito = evidencia.julgar(q, SEMENTE, evidencia_de(questao, [Registro(**registro)] * quantos))
    assert veredito.fracao == 0 and veredito.frase.isprintable()


# ---------------------------------------------------------------- consertar, mostrar e relatar


def test_um_milhao_de_celulas_vazias_vale_zero_na_hora():
    emitida = recebimento.nbformat.reads(NOTEBOOK.decode(), as_version=4)
    feito = reparo.reparar(json.dumps({"cells": [{}] * 10**6}).encode(), emitida, "l.ipynb")
    assert "células demais" in feito.motivo


def test_as_linhas_vazias_de_uma_discussao_que_virou_codigo_nao_prendem_o_conserto():
    emitida = recebimento.nbformat.reads(NOTEBOOK.decode(), as_version=4)
    nb = recebimento.nbformat.reads(NOTEBOOK.decode(), as_version=4)
    vazias = nbformat.v4.new_code_cell("\n" * 300_000 + "x")
    nb.cells = [vazias if c.id.startswith("discussao") else c for c in nb.cells]
    inicio = time.process_time()
    assert reparo.reparar(json.dumps(nb).encode(), emitida, "l.ipynb").motivo is None
    assert time.process_time() - inicio < 20


FILAS = {
    "espaços": "a " + " " * 10**6 + "b",
    "linhas de espaços": (" " * 50 + "\n") * 20_000,
    "um nome sem fim": "a." * 500_000,
    "fórmulas": " ".join(f"$z_{{{i}}}$" for i in range(50_000)),
    "uma fórmula sem fim": "$$" + "x+" * 500_000 + "x$$",
}


@pytest.mark.parametrize("texto", FILAS.values(), ids=FILAS)
def test_um_texto_feito_para_demorar_e_mostrado_logo(texto, monkeypatch):
    monkeypatch.setattr(pagina, "MAIS_FORMULAS", 5)
    inicio = time.process_time()
    pagina.markdown(texto)
    pagina.codigo(texto)
    rubrica.inofensivo(texto)
    assert time.process_time() - inicio < 30


@pytest.mark.parametrize("vazia", ["\n\n", "\n\x0c\n", "\n\x0b\n", "\r\r", "\n\u2028\n"])
@pytest.mark.parametrize("isca", ["![](http://mau/x.png)", "[x](http://mau)", "<img src=x onerror=alert(1)>"])
def test_na_tela_do_formgrader_nada_de_um_aluno_e_buscado_nem_vira_link(isca, vazia):
    bruto = f"<pre>{rubrica.html.escape(f'a{vazia}{isca}')}</pre>"
    for texto in (bruto, rubrica.inofensivo(f"a{vazia}`{isca}`{vazia}{isca}")):
        bloco = rubrica._em_um_bloco(texto, "Escrito pelo aluno", rubrica._DO_ALUNO)
        feito = str(markdown2html(bloco))
        assert "<img" not in feito and "<a " not in feito and "<script" not in feito


@pytest.mark.parametrize(
    "bruto, limpo",
    [
        ('<p title="x" lang="y" class="z" id="w" style="v" onclick="u">a</p>', "<p>a</p>"),
        ("<a href='http://mau' title=t>b</a><img src=x onerror=y>", "b"),
        ("<p>c<!-- d --><iframe src=x></iframe></p>", "<p>c</p>"),
        ("<table><td align=left background=x>e", "<table><tbody><tr><td>e</td></tr></tbody></table>"),
        ("<script>f</script><style>g</style>", "fg"),
        ("&lt;img onerror=&quot;x&quot;&gt;", "&lt;img onerror=&quot;x&quot;&gt;"),
        ("<svg><script>h</script></svg><math><mi>i</mi></math>j", "j"),
    ],
)
def test_da_limpeza_so_saem_as_etiquetas_conhecidas_e_sem_atributos(bruto, limpo):
    assert pagina.so_as_etiquetas(bruto, pagina._ETIQUETAS) == limpo


def test_a_imagem_colada_em_uma_resposta_aparece_e_a_que_falta_nao_para_a_tela():
    coladas = {"image 1.png": {"image/png": png(3, 2)}}
    feito = rubrica.inofensivo('![a"b](attachment:image%201.png) ![some](attachment:outra.png)', coladas)
    assert f'src="data:image/png;base64,{png(3, 2)}"' in feito and 'alt="a&quot;b"' in feito and "some" in feito


@pytest.mark.parametrize("texto", ["0001-01-01 00:00:00 UTC", "9999-12-31 23:59:59 UTC", "9999-12-31 23:59 -1200"])
def test_uma_data_de_outra_era_e_posta_de_lado(tmp_path, texto):
    (tmp_path / "timestamp.txt").write_text(texto)
    assert not recebimento.data_legivel(tmp_path / "timestamp.txt")


def test_um_nome_de_pasta_nao_manda_no_terminal():
    situacao = corrigir.Situacao("a\x1b[2J\u202eb", motivo="x")
    assert "\x1b" not in corrigir.quadro([situacao]) + corrigir.resumo("01", [situacao])
