"""O que chega ao aluno e ao Moodle é a verdade, e nenhum descuido de quem exporta as notas se paga com elas."""

import csv
import dataclasses
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ
from turma_pronta import LISTA, NOTEBOOK, dito, turma_corrigida

from correcao.chegada.entrega import escolher
from correcao.chegada.reparo import aviso_dos_consertos
from correcao.chegada.reparo.avisos import e_aviso, imita
from correcao.comum.anotacao import DADOS, Veredito
from correcao.devolucao import devolver, notas, relatorio
from correcao.devolucao.preencher import comentario
from correcao.devolucao.rubrica import _saidas
from correcao.juizo import corrigir
from correcao.livro import prazo
from correcao.livro import turma as modulo_turma
from correcao.livro.turma import Entrega, QuestaoCorrigida, Turma
from gabarito.no_nbgrader import configuracao

pytestmark = pytest.mark.filterwarnings("ignore:Object of type")  # o nbgrader e o SQLAlchemy
NOMES = {"a001": "Ana D’Ávila", "a002": "Beto Sá", "a003": "Caio Conceição"}
CABECALHO = "Identificador;Nome completo;Número de identificação;Status;Nota;Nota máxima;Comentários do feedback"
ENVIADO = "Enviado para avaliação"


@pytest.fixture(scope="module")
def modelo(tmp_path_factory) -> Path:
    """Três entregas corrigidas, coletadas do Moodle com os números 1, 2 e 3, e dois alunos que não entregaram."""
    pasta = tmp_path_factory.mktemp("modelo")
    with pytest.MonkeyPatch.context() as troca:
        troca.delenv("CURSO_LIVRO", raising=False)
        turma_corrigida(pasta, 3)
    alunos = {a: {"nome": nome, "id": a[-1], "pasta": f"{nome}_{a[-1]}_…"} for a, nome in NOMES.items()}
    alunos |= {f"a00{n}": {"nome": f"Falta {n}", "id": str(n), "pasta": None, "enviou": False} for n in (4, 5)}
    (pasta / "moodle.json").write_text(json.dumps({LISTA: alunos}), encoding="utf-8")
    return pasta


@pytest.fixture
def turma(modelo, tmp_path, monkeypatch) -> Path:
    pasta = tmp_path / "turma"
    shutil.copytree(modelo, pasta)
    monkeypatch.setenv("CURSO_TURMA", str(pasta))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)
    return pasta


def folha(turma: Path, *linhas: str, maxima: str = "10,00") -> Path:
    """A planilha do Moodle: de cada linha, “número;status;nota”."""
    texto = CABECALHO
    for linha in linhas:
        n, status, nota = linha.split(";")
        texto += f"\nParticipante {n};{NOMES.get(f'a00{n}', f'Falta {n}')};a00{n};{status};{nota};{maxima};"
    (turma / "p.csv").write_text(texto + "\n", encoding="utf-8")
    return turma / "p.csv"


def inteira(turma: Path, **opcoes) -> Path:
    return folha(turma, *(f"{n};{ENVIADO};" for n in (1, 2, 3)), "4;Nenhum envio;", "5;Nenhum envio;", **opcoes)


def preenchida(turma: Path) -> dict[str, dict[str, str]]:
    texto = (turma / "p-preenchida.csv").read_text(encoding="utf-8")
    return {linha["Identificador"][-1]: linha for linha in csv.DictReader(io.StringIO(texto), delimiter=";")}


def no_livro(turma: Path, aluno: str, **campos) -> None:
    """Muda a discussão 1 de um aluno, como faz quem a lê no formgrader."""
    comentado = campos.pop("comentario", None)
    with Turma(turma).livro() as livro:
        nota = livro.find_grade("discussao-1", LISTA, LISTA, aluno)
        for campo, valor in campos.items():
            setattr(nota, campo, valor)
        if comentado:
            livro.find_comment("discussao-1", LISTA, LISTA, aluno).manual_comment = comentado
        livro.db.commit()


def entrega(**mudado) -> Entrega:
    q = QuestaoCorrigida("discussao-1", "Discussão 1", 1.0, 1.0, automatica=False, espera=False)
    cheia = Entrega("a", LISTA, "Lista 02", 10.0, 10.0, 0.0, None, 0.0, None, [], Path("x"), [q])
    return dataclasses.replace(cheia, **mudado)


def questao(pontos: float, **mudado) -> QuestaoCorrigida:
    return QuestaoCorrigida("discussao-1", "Discussão 1", pontos, 1.0, automatica=False, espera=False, **mudado)


# ---------------------------------------------------------------- a verdade no comentário


def test_so_com_todos_os_pontos_o_comentario_diz_tudo_certo():
    assert comentario(entrega()) == "Tudo certo."
    assert comentario(entrega(nota=9.5, questoes=[questao(0.5)])) == "Discussão 1: 0,5 de 1."
    assert "Tudo certo" not in comentario(entrega(nota=9.0))


def test_o_comentario_do_instrutor_chega_a_planilha_do_moodle():
    lida = questao(0.5, comentario="Faltou o exemplo:\n$a<b$.", diagnostico=None)
    assert comentario(entrega(nota=9.5, questoes=[lida])) == "Discussão 1: Faltou o exemplo: $a&lt;b$."
    assert comentario(entrega(questoes=[questao(1.0, comentario="Ótimo!")])) == "Discussão 1: Ótimo!"


def test_o_comentario_fala_na_escala_da_planilha():
    atrasada = entrega(nota=8.5, desconto=1.0, atraso=51 * 3600.0, questoes=[questao(0.5)])
    esperado = "Desconto de 10,00 por 2 dias e 3 horas de atraso. Discussão 1: 5 de 10."
    assert comentario(atrasada, escala=10.0) == esperado


def test_na_planilha_de_100_a_nota_e_o_desconto_vao_sobre_100(turma, monkeypatch, capsys):
    def com_desconto(raiz=None):
        config = configuracao(raiz)
        config.Atraso.por_dia = 0.1
        return config

    monkeypatch.setattr(modulo_turma, "configuracao", com_desconto)
    prazo.main(["02", "01/03/2026", "23:59"])  # entregaram no dia seguinte
    assert notas.main(["02", "--moodle", str(inteira(turma, maxima="100,00"))]) == 0
    linha = preenchida(turma)["1"]
    (e,) = [e for e in Turma(turma).entregas(LISTA) if e.aluno == "a001"]
    assert linha["Nota"] == f"{10 * e.nota:.2f}".replace(".", ",") and e.desconto > 0
    esperado = f"Desconto de {10 * e.desconto:.2f} por 9 horas e 1 minuto".replace(".", ",")
    assert linha["Comentários do feedback"].startswith(esperado)


def test_por_que_um_arquivo_foi_recusado_chega_ao_comentario_e_a_pagina(turma):
    anotado = json.loads((turma / "moodle.json").read_text(encoding="utf-8"))
    anotado[LISTA]["a001"]["recusados"] = [["lista.docx", "não é um notebook"], ["<b>.zip", "está protegido por senha"]]
    (turma / "moodle.json").write_text(json.dumps(anotado), encoding="utf-8")
    e = Turma(turma).entrega(LISTA, "a001")
    pagina = devolver.devolutiva(e)
    assert "<code>lista.docx</code>: não é um notebook" in pagina and "&lt;b&gt;.zip" in pagina
    assert "lista.docx" not in comentario(e)  # há um notebook, e a nota vem dele
    e.motivo = "Não há um notebook nesta entrega."
    assert "lista.docx: não é um notebook." in comentario(e)


# ---------------------------------------------------------------- a verdade na página


@pytest.mark.parametrize("pontos, sinal", [(1.0, "✓"), (0.5, "◐"), (0.0, "✗")])
def test_quem_ganhou_parte_dos_pontos_nao_leva_um_x_vermelho(turma, pontos, sinal):
    no_livro(turma, "a001", manual_score=pontos)
    pagina = devolver.devolutiva(Turma(turma).entrega(LISTA, "a001"))
    trecho = pagina[pagina.index('aria-label="Discussão 1"') :]
    assert re.search(r'class="pontos (\w+)">(\S)', trecho).groups() == (
        {"✓": "bom", "◐": "parte", "✗": "ruim"}[sinal],
        sinal,
    )


def test_no_formgrader_parte_dos_pontos_tambem_nao_e_um_erro_inteiro():
    celula = nbformat.v4.new_code_cell()
    feita = {f: _saidas(celula, Veredito("Faltou.", fracao=f, casos=3))[0].data["text/html"] for f in (0.0, 0.5)}
    assert "✗ Faltou." in feita[0.0] and "◐ Faltou." in feita[0.5] and "#a3331a" not in feita[0.5]


def test_do_que_faltava_nao_se_diz_que_foi_consertado(turma):
    arquivo = turma / "autograded" / "a001" / LISTA / f"{LISTA}.ipynb"
    nb = nbformat.read(arquivo, as_version=4)
    nb.metadata[DADOS] |= {"motivo": "Não havia um notebook na entrega.", "consertos": ["“x” é um atalho."]}
    nbformat.write(nb, arquivo)
    pagina = devolver.devolutiva(Turma(turma).entrega(LISTA, "a001"))
    assert "consertou" not in pagina and "O que a correção notou na sua entrega" in pagina
    (turma / "vazia").mkdir()
    assert escolher(turma / "vazia", LISTA).avisos == []  # que não há notebook, o motivo já diz
    sem_nada = corrigir.Situacao("a", 0.0, 10.0, motivo="Sem notebook.", consertos=["Falta uma célula."])
    assert "consert" not in corrigir.quadro([sem_nada])
    celula = aviso_dos_consertos(["x"])
    assert "consert" not in celula.source and e_aviso(celula.id, celula.source) and imita(celula.source)
    assert e_aviso(celula.id, "## O que a correção consertou nesta entrega")  # o de uma correção antiga


def test_o_que_a_lista_traz_em_branco_nao_e_a_resposta_de_ninguem(turma):
    """Como na página de quem teve o arquivo recusado: o notebook corrigido é a lista, sem nada dele."""
    arquivo = turma / "autograded" / "a001" / LISTA / f"{LISTA}.ipynb"
    dele, da_lista = nbformat.read(arquivo, as_version=4), nbformat.reads(NOTEBOOK.decode(), as_version=4)
    da_lista.metadata[DADOS] = dele.metadata[DADOS]
    nbformat.write(da_lista, arquivo)
    pagina = devolver.devolutiva(Turma(turma).entrega(LISTA, "a001"))
    assert "A sua resposta" not in pagina and "Escreva aqui" not in pagina
    escrita = next(c for c in da_lista.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "entropia")
    escrita.source = "def entropia(p):\n    return 7"
    nbformat.write(da_lista, arquivo)
    pagina = devolver.devolutiva(Turma(turma).entrega(LISTA, "a001"))
    assert pagina.count("A sua resposta") == 1 and "def" in pagina


# ---------------------------------------------------------------- as guardas de `notas`


def test_a_planilha_de_outra_tarefa_e_recusada_mesmo_com_as_mesmas_matriculas(turma, capsys):
    anotado = json.loads((turma / "moodle.json").read_text(encoding="utf-8"))
    anotado["lista-03-escala"] = {"a001": {"nome": "Ana", "id": "901", "pasta": "p"}}
    (turma / "moodle.json").write_text(json.dumps(anotado), encoding="utf-8")
    tabela = folha(turma, f"1;{ENVIADO};", f"2;{ENVIADO};")
    tabela.write_text(re.sub(r"Participante (\d)", r"Participante 90\1", tabela.read_text("utf-8")), encoding="utf-8")
    assert notas.main(["02", "--moodle", str(tabela)]) == 2
    assert "planilha de outra tarefa do Moodle (parece a da lista-03-escala)" in dito(capsys)
    assert not (turma / "p-preenchida.csv").exists()


def test_quem_nao_entregou_e_dito_e_so_ganha_zero_se_se_pede(turma, capsys):
    assert notas.main(["02", "--moodle", str(inteira(turma))]) == 0
    assert "Não entregaram (2): Falta 4, Falta 5, e ficam sem nota" in dito(capsys)
    assert [linha["Nota"] for linha in preenchida(turma).values()][3:] == ["", ""]
    assert notas.main(["02", "--moodle", str(inteira(turma)), "--zero-para-ausentes"]) == 0
    assert "ficaram com zero" in dito(capsys)
    depois = preenchida(turma)
    assert (depois["4"]["Nota"], depois["5"]["Comentários do feedback"]) == ("0,00", "Não houve entrega.")
    assert depois["1"]["Nota"] != "0,00"


def test_o_zero_nao_vai_para_quem_o_moodle_diz_que_entregou_nem_tem_prazo_nem_ja_tem_nota(turma, capsys):
    ate = "Nenhum envio - Prorrogação concedida até: domingo, 1 jan. 2199, 10:00"
    linhas = [f"1;{ENVIADO};", f"4;{ENVIADO} - 2 dias atrasado;", f"5;{ate};", "6;Nenhum envio;7,00", "7;Nenhum envio;"]
    assert notas.main(["02", "--moodle", str(folha(turma, *linhas)), "--zero-para-ausentes"]) == 3
    texto = dito(capsys)
    assert "O Moodle diz que entregaram, e aqui não têm nota: Falta 4;" in texto
    assert "ainda têm prazo: Falta 5." in texto and "Não entregaram (1): Falta 7; ficaram com zero" in texto
    assert {n: linha["Nota"] for n, linha in preenchida(turma).items() if n > "3"} == {
        **{"4": "", "5": "", "6": "7,00"},
        "7": "0,00",
    }


def test_a_nota_que_o_moodle_nao_aceita_e_dita(turma, capsys):
    tabela = inteira(turma)
    linhas = tabela.read_text("utf-8").replace(";Nota máxima;", ";Nota máxima;Nota pode ser alterada;").splitlines()
    corpo = [linha.replace(";10,00;", f";10,00;{'Não' if ';a002;' in linha else 'Sim'};") for linha in linhas[1:]]
    tabela.write_text("\n".join([linhas[0], *corpo]) + "\n", encoding="utf-8")
    assert notas.main(["02", "--moodle", str(tabela)]) == 3
    assert "não aceita outra nota de: Beto Sá;" in dito(capsys)


@pytest.mark.parametrize("nome", ["moodle.json", "prorrogacoes.json"])
@pytest.mark.parametrize("texto", ["{", "[]", '{"lista-02-softmax": 3}', "null"])
def test_um_anotado_estragado_e_dito_e_fica_como_esta(turma, capsys, nome, texto):
    (turma / nome).write_text(texto, encoding="utf-8")
    for comando, argumentos in ((notas.main, ["02"]), (devolver.main, ["02"]), (prazo.main, ["02", "01/01/2026"])):
        assert comando(argumentos) == 2
        assert nome in dito(capsys) and (turma / nome).read_text() == texto


def test_antes_do_prazo_ninguem_ganha_zero(turma, capsys):
    prazo.main(["02", "01/01/2199"])
    assert notas.main(["02", "--moodle", str(inteira(turma)), "--zero-para-ausentes"]) == 0
    assert "ainda têm prazo: Falta 4, Falta 5." in dito(capsys) and preenchida(turma)["4"]["Nota"] == ""


def test_as_discussoes_por_ler_sao_ditas(turma, capsys):
    no_livro(turma, "a001", needs_manual_grade=True)
    for argumentos in (["02"], ["02", "--moodle", str(inteira(turma))], ["--todas"]):
        assert notas.main(argumentos) == 3
        assert "1 entrega espera a leitura das questões abertas" in dito(capsys)


@pytest.mark.parametrize("argumentos, nome", [(["02"], "notas.csv"), (["--todas"], "notas-todas.csv")])
def test_o_que_ja_estava_no_lugar_nao_se_perde(turma, capsys, argumentos, nome):
    assert notas.main(argumentos) == 0 and notas.main(argumentos) == 0
    assert "já existia" not in dito(capsys)  # era igual
    (turma / nome).write_text("anotações minhas", encoding="utf-8")
    assert notas.main(argumentos) == 0
    assert f"{nome} já existia e mudou; o de antes ficou em" in dito(capsys)
    guardados = [p.read_text("utf-8") for p in turma.glob(f"{nome.removesuffix('.csv')}-2*.csv")]
    assert guardados == ["anotações minhas"] and "a001" in (turma / nome).read_text("utf-8-sig")


def test_no_csv_quem_nao_entregou_tambem_tem_a_sua_linha(turma, capsys):
    assert notas.main(["02"]) == 0
    linhas = list(csv.DictReader(io.StringIO((turma / "notas.csv").read_text("utf-8-sig")), delimiter=";"))
    assert [(x["aluno"], x["nome"], x["situacao"]) for x in linhas[3:]] == [
        ("a004", "Falta 4", "não entregou"),
        ("a005", "Falta 5", "não entregou"),
    ]
    assert "Não entregaram a lista-02-softmax (2): Falta 4, Falta 5." in dito(capsys)
    assert linhas[0]["nome"] == "Ana D’Ávila"


def test_no_csv_o_zero_tambem_so_vai_para_quem_nao_entregou_e_ja_nao_pode(turma, capsys):
    anotado = json.loads((turma / "moodle.json").read_text(encoding="utf-8"))
    anotado[LISTA]["a005"]["prorrogacao"] = "2199-01-01T00:00:00+00:00"
    anotado[LISTA]["a006"] = {"nome": "Enviou 6", "id": "6", "pasta": None, "enviou": True}
    (turma / "moodle.json").write_text(json.dumps(anotado), encoding="utf-8")
    assert notas.main(["02", "--zero-para-ausentes"]) == 3
    assert "O Moodle diz que entregaram, e aqui não têm nota: Enviou 6;" in dito(capsys)
    linhas = list(csv.DictReader(io.StringIO((turma / "notas.csv").read_text("utf-8-sig")), delimiter=";"))
    assert [(x["aluno"], x["nota"]) for x in linhas[3:]] == [("a004", "0,00"), ("a005", "")]


@pytest.mark.parametrize(
    "argumentos, trecho",
    [
        (["02", "--todas"], "“--todas” vai sozinha"),
        (["--pesos", "02=2"], "“--pesos” vai com “--todas”"),
        (["--moodle", "p.csv"], "diga a lista"),
        (["--todas", "--pesos", "07=2"], "“07”, que não tem notas"),
        (["--todas", "--pesos", "02=0"], "peso zero a todas"),
    ],
)
def test_um_pedido_que_nao_combina_e_dito_em_uma_frase(turma, capsys, argumentos, trecho):
    antes = sorted(turma.iterdir())
    assert notas.main(argumentos) == 2
    assert trecho in dito(capsys) and sorted(turma.iterdir()) == antes


# ---------------------------------------------------------------- todas as listas


def duas_listas(monkeypatch) -> None:
    """Mais uma lista, que só a Ana entregou, com nota 5 de 10."""
    da_casa = Turma.entregas

    def entregas(self, lista):
        if lista == LISTA:
            return da_casa(self, LISTA)
        self.sem = []
        return [dataclasses.replace(entrega(nota=5.0), aluno="a001", lista=lista)]

    monkeypatch.setattr(Turma, "entregas", entregas)
    monkeypatch.setattr(Turma, "listas", lambda self: ["lista-01-produto-escalar", LISTA])


def test_todas_as_listas_em_uma_linha_por_aluno_com_os_pesos(turma, capsys, monkeypatch):
    duas_listas(monkeypatch)
    assert notas.main(["--todas", "--pesos", "01=1,02=3"]) == 0
    texto = (turma / "notas-todas.csv").read_text("utf-8-sig")
    linhas = {x["aluno"]: x for x in csv.DictReader(io.StringIO(texto), delimiter=";")}
    assert list(linhas) == ["a001", "a002", "a003", "a004", "a005"] and linhas["a004"]["media"] == "0,00"
    ana, beto = linhas["a001"], linhas["a002"]
    da_ana, do_beto = (float(x["lista-02 (peso 3)"].replace(",", ".")) for x in (ana, beto))
    assert ana["media"] == f"{(5 + 3 * da_ana) / 4:.2f}".replace(".", ",") and ana["lista-01 (peso 1)"] == "5,00"
    assert ana["total"] == f"{5 + da_ana:.2f}".replace(".", ",") and ana["entregues"] == "2"
    assert beto["media"] == f"{3 * do_beto / 4:.2f}".replace(".", ",") and beto["lista-01 (peso 1)"] == ""
    assert beto["media_das_entregues"] == f"{do_beto:.2f}".replace(".", ",")


def test_quem_tem_dois_nomes_de_pasta_em_listas_diferentes_e_dito(turma, capsys):
    anotado = json.loads((turma / "moodle.json").read_text(encoding="utf-8"))
    anotado["lista-01-produto-escalar"] = {
        "ana-d-avila-77": {"nome": "Ana D’Ávila", "id": "77", "pasta": "p"},
        "a004": {"nome": "Falta 4", "id": "78", "pasta": "p"},
    }
    anotado[LISTA]["outro-beto"] = {"nome": "Beto Sá", "id": "9", "pasta": "p"}  # na mesma lista: é outra pessoa
    (turma / "moodle.json").write_text(json.dumps(anotado), encoding="utf-8")
    assert notas.main(["--todas"]) == 3
    assert "mesma pessoa, em duas linhas: Ana D’Ávila (a001, ana-d-avila-77). Se" in dito(capsys)


# ---------------------------------------------------------------- o relatório


def test_o_relatorio_tem_nomes_colunas_ligacoes_e_quem_falta(turma, monkeypatch):
    monkeypatch.setattr(relatorio, "parecidas", lambda *_: [])  # compara com o banco inteiro, e demora
    prazo.main(["02", "02/03/2026", "09:10"])
    devolver.devolver(LISTA, Turma(turma))
    texto = relatorio.da_lista(Turma(turma), LISTA)
    destino = f"../feedback/a001/{LISTA}/{LISTA}.html"
    assert f'<a href="{destino}">Ana D’Ávila · a001</a>' in texto
    assert (turma / "relatorios" / destino).resolve().is_file()
    assert re.findall(r'<th class="n">(\w+)</th>', texto[texto.index("Aluno a aluno") :]) == [
        *("nota", "1", "2", "3", "4", "5", "6", "D1", "D2", "situação")
    ]
    assert "Falta 4 · a004, Falta 5 · a005." in texto and "2 alunos não entregaram" in texto
    assert "Prazo: 02/03/2026 09:10, com 1 atraso" in texto and "4 minutos de atraso" in texto


def test_o_relatorio_de_todas_tem_media_e_total(turma, monkeypatch):
    duas_listas(monkeypatch)
    (turma / "relatorios").mkdir()
    (turma / "relatorios" / f"{LISTA}.html").write_text("o da lista")
    texto = relatorio.relatorio(None, Turma(turma)).read_text(encoding="utf-8")
    assert f'<a href="{LISTA}.html">lista-02</a>' in texto and "Ana D’Ávila · a001" in texto and "Falta 4" in texto
    assert '<th class="n">média</th><th class="n">total</th>' in texto and "<tfoot><tr><th>A turma</th>" in texto


# ---------------------------------------------------------------- fora do git


@pytest.mark.skipif(not (RAIZ / ".git").exists(), reason="só no repositório")
def test_o_que_e_pessoal_na_pasta_do_curso_fica_fora_do_git():
    pessoais = ["envios.zip", "Notas-Lista 02.csv", "p-preenchida.csv", "notas-todas.csv", "notas.xlsx", "turma.ods",
                "prorrogacoes.json", "moodle.json", "recusados/ana/x/lista.docx", "anteriores/a/b.ipynb",
                "gradebook.db", "tls/chave.pem", "downloaded/l/archive/x.zip", "copias/gradebook-1.db"]  # fmt: skip
    feito = subprocess.run(["git", "check-ignore", *pessoais], cwd=RAIZ, capture_output=True, text=True)
    ignorados = [nome.strip('"') for nome in feito.stdout.splitlines()]
    assert sorted(ignorados) == sorted(pessoais)
