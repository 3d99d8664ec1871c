"""Os prazos: como se põem, quem tem mais, quem atrasou, e o que se desconta. Um prazo posto antes da primeira correção
faz o livro conhecer a lista sem as células dela, e isso não para a turma.
"""

import datetime
import json
import shutil
import sqlite3
import time
from pathlib import Path

import pytest
from conftest import RAIZ
from nbgrader.apps import NbGraderAPI

from correcao.comum import datas, pagina
from correcao.juizo import corrigir, rodada
from correcao.livro import prazo, quem
from correcao.livro import turma as modulo_turma
from correcao.livro.atraso import Atraso, Atrasos
from correcao.livro.turma import Turma
from gabarito.no_nbgrader import configuracao, emitir

LISTA = "lista-01-produto-escalar"
PRAZO = datetime.datetime(2026, 3, 1, 23, 59)
pytestmark = pytest.mark.usefixtures("com_ou_sem_caixa")


def livro(turma: Path):
    return Turma(turma).livro()


@pytest.fixture(scope="module")
def so_o_prazo(tmp_path_factory) -> Path:
    """Um livro de notas com o prazo e mais nada, como o formgrader e o `nbgrader db assignment add` o deixam."""
    pasta = tmp_path_factory.mktemp("prazo")
    with livro(pasta) as aberto:
        aberto.update_or_create_assignment(LISTA, duedate=PRAZO)
    return pasta / "gradebook.db"


@pytest.fixture
def turma(so_o_prazo, tmp_path) -> Path:
    """O livro só com o prazo, e uma entrega do dia seguinte que não é um notebook: nenhum kernel precisa partir."""
    shutil.copy(so_o_prazo, tmp_path)
    pasta = tmp_path / "submitted" / "ana" / LISTA
    pasta.mkdir(parents=True)
    (pasta / f"{LISTA}.ipynb").write_text("isto não é JSON")
    (pasta / "timestamp.txt").write_text("2026-03-02 23:59:00 UTC")
    return tmp_path


def conferir_a_nota(turma: Path) -> None:
    with livro(turma) as aberto:
        entrega = aberto.find_submission(LISTA, "ana")
        assert (entrega.score, entrega.max_score) == (0, 10) and entrega.assignment.duedate == PRAZO
        assert entrega.total_seconds_late == 24 * 3600


def test_corrigir_completa_a_lista_e_o_prazo_fica(turma):
    (situacao,) = corrigir.corrigir(LISTA, turma)
    assert (situacao.nota, situacao.de) == (0, 10) and "não é um notebook" in situacao.motivo
    conferir_a_nota(turma)


def test_o_autograde_comum_do_nbgrader_tambem_completa_a_lista(turma):
    feito = NbGraderAPI(config=configuracao(turma)).autograde(LISTA, "*")
    assert feito["success"], feito
    conferir_a_nota(turma)


def test_quem_ja_tinha_ficado_sem_nota_ganha_a_sua_e_a_prorrogacao_fica(turma):
    with livro(turma) as aberto:  # o que a correção antiga deixava: a entrega no livro, sem notebook algum
        aberto.add_student("ana")
        aberto.add_submission(LISTA, "ana", timestamp="2026-03-02 23:59:00 UTC")
        aberto.grant_extension(LISTA, "ana", hours=5)
    assert corrigir.corrigir(LISTA, turma)[0].nota == 0
    with livro(turma) as aberto:
        assert aberto.find_submission(LISTA, "ana").total_seconds_late == 19 * 3600


def test_gerar_completa_uma_lista_com_prazo_e_com_entregas_vazias(turma):
    with livro(turma) as aberto:
        aberto.add_student("ana")
        aberto.add_submission(LISTA, "ana")
    (turma / "source").symlink_to(RAIZ / "source")
    assert emitir(LISTA, turma) is None
    with livro(turma) as aberto:
        assert aberto.find_assignment(LISTA).max_score == 10 and aberto.find_assignment(LISTA).duedate == PRAZO
        assert [n.name for n in aberto.find_submission(LISTA, "ana").notebooks] == [LISTA]


def test_uma_emissao_que_parou_no_meio_e_refeita(turma):
    (turma / "source").symlink_to(RAIZ / "source")
    assert emitir(LISTA, turma) is None
    with livro(turma) as aberto:  # as células são gravadas uma a uma
        notebook = aberto.find_notebook(LISTA, LISTA)
        for celula in notebook.source_cells[3:]:
            aberto.db.delete(celula)
        aberto.db.commit()
    assert corrigir.corrigir(LISTA, turma)[0].nota == 0
    with livro(turma) as aberto:
        assert len(aberto.find_notebook(LISTA, LISTA).source_cells) > 10


# ---------------------------------------------------------------- o comando


@pytest.fixture
def vazia(tmp_path, monkeypatch) -> Path:
    """Uma turma só com a pasta de uma aluna."""
    monkeypatch.setenv("CURSO_TURMA", str(tmp_path))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)
    (tmp_path / "submitted" / "ana-1" / LISTA).mkdir(parents=True)
    return tmp_path


def no_livro(pasta: Path) -> datetime.datetime | None:
    with livro(pasta) as aberto:
        return aberto.find_assignment(LISTA).duedate


@pytest.mark.parametrize("data", ["14/09/2026 23:59", "14/09/26", "14/9/2026 23h59", "2026-09-14 23:59"])
def test_o_prazo_se_escreve_no_fuso_da_turma_e_o_livro_guarda_o_de_greenwich(vazia, capsys, data):
    assert prazo.main(["01", *data.split()]) == 0  # com ou sem aspas
    assert no_livro(vazia) == datetime.datetime(2026, 9, 15, 2, 59)
    assert "segunda-feira, 14/09/2026 23:59 (UTC-3)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "texto, certa",
    [
        ("segunda-feira, 14 set. 2026, 21:51", "14/09/2026 21:51"),  # como o Moodle a escreve, em cada língua e versão
        ("terça, 3 Mar 2026, 00:05", "03/03/2026 00:05"),
        ("sábado, 1 de agosto de 2026, 12:00", "01/08/2026 12:00"),
        ("Monday, 14 September 2026, 9:51\u202fPM", "14/09/2026 21:51"),
        ("Friday, 2 October 2026, 12:05 AM", "02/10/2026 00:05"),
    ],
)
def test_as_datas_do_moodle_se_leem(texto, certa):
    assert datas.curta(datas.ler_data(texto)) == certa


@pytest.mark.parametrize("texto", ["", "-", "31/02/2026 10:00", "14/09/2026 25:00", "ontem", "14/09/2026", "13:00 PM"])
def test_o_que_nao_e_uma_data_nao_vira_uma(texto):
    assert datas.ler_data(texto) is None


def test_o_quadro_mostra_todas_as_listas_e_quem_tem_mais_prazo(vazia, capsys):
    prazo.main(["01", "14/09/2026", "23:59"])
    assert prazo.main(["01", "16/09/2026", "12:00", "--aluno", "ana-1"]) == 0
    capsys.readouterr()
    assert prazo.main([]) == 0
    dito = capsys.readouterr().out
    assert "ana-1: até 16/09/2026 12:00" in dito and dito.count("sem prazo") == 9
    assert prazo.main(["01", "--tirar", "--aluno", "ana-1"]) == 0 and prazo.main(["01", "--tirar"]) == 0
    assert "ana-1" not in capsys.readouterr().out.partition("sem prazo")[2] and no_livro(vazia) is None


@pytest.mark.parametrize(
    "pedido, trecho",
    [
        (["99", "14/09/2026"], "Não existe a lista “99”"),
        (["01", "31/02/2026"], "Não entendi a data “31/02/2026”"),
        (["01", "amanhã"], "Não entendi a data “amanhã”"),
        (["01", "15/09/2026", "--aluno", "ana"], "Não conheço o aluno “ana” (você quis dizer “ana-1”, de Ana Sá?)"),
        (["01", "15/09/2026", "--aluno", "bia"], "Não conheço o aluno “bia”; use"),
        (["01", "13/09/2026", "--aluno", "ana-1"], "não é depois do prazo"),
        (["02", "15/09/2026", "--aluno", "ana-1"], "ainda não tem prazo"),
        (["01", "--aluno", "ana-1"], "Falta dizer até quando"),
        (["01", "--tirar", "--aluno", "ana-1"], "não tem mais prazo"),
        (["02", "--tirar"], "já não tem prazo"),
        (["01", "15/09/2026", "--tirar"], "fique com um dos dois"),
        (["--tirar"], "Diga de que lista"),
    ],
)
def test_um_pedido_sem_sentido_acaba_em_uma_frase_e_nada_muda(vazia, capsys, pedido, trecho):
    (vazia / "moodle.json").write_text(f'{{"{LISTA}": {{"ana-1": {{"nome": "Ana Sá"}}}}}}', encoding="utf-8")
    prazo.main(["01", "14/09/2026"])
    antes = {p: p.read_bytes() for p in vazia.rglob("*") if p.is_file()}
    capsys.readouterr()
    assert prazo.main(pedido) == 2
    saida = capsys.readouterr()
    assert trecho in saida.err and saida.err.count("\n") == 1 and not saida.out
    assert {p: p.read_bytes() for p in vazia.rglob("*") if p.is_file()} == antes


def test_a_pasta_da_turma_que_nao_existe_e_dita_com_o_nome_dela(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CURSO_TURMA", str(tmp_path / "turma-b"))
    monkeypatch.delenv("CURSO_LIVRO", raising=False)
    assert prazo.main(["01", "14/09/2026"]) == 2
    dito = capsys.readouterr().err
    assert f"{tmp_path / 'turma-b'}, não existe; crie-a" in dito and dito.count("\n") == 1


def test_um_livro_que_nao_se_deixa_gravar_acaba_em_uma_frase(vazia, capsys, caplog):
    prazo.main(["01", "14/09/2026"])
    with sqlite3.connect(vazia / "gradebook.db") as conexao:  # o root grava até no que é só de leitura
        recusa = "select raise(abort, 'attempt to write a readonly database')"
        conexao.execute(f"create trigger so_leitura before update on assignment begin {recusa}; end")
    capsys.readouterr()
    assert prazo.main(["01", "15/09/2026"]) == 2
    dito = capsys.readouterr()
    assert "confira as permissões" in dito.err and dito.err.count("\n") == 1 and not dito.out and not caplog.text
    assert no_livro(vazia) == datetime.datetime(2026, 9, 15, 2, 59)


@pytest.mark.parametrize("ja_corrigida", [False, True])
def test_com_outra_pasta_corrigir_diz_que_os_pontos_da_lista_do_curso_mudaram(turma, capsys, monkeypatch, ja_corrigida):
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    for sala in ("source", "release"):  # a cópia que a turma fez, de quando o cosseno valia outra coisa
        pasta = shutil.copytree(RAIZ / sala / LISTA, turma / sala / LISTA)
        nb = json.loads((pasta / f"{LISTA}.ipynb").read_text("utf-8"))
        celula = next(c for c in nb["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == "confere-cosseno")
        agora, celula["metadata"]["nbgrader"]["points"] = celula["metadata"]["nbgrader"]["points"], 7
        (pasta / f"{LISTA}.ipynb").write_text(json.dumps(nb), encoding="utf-8")
    if ja_corrigida:
        corrigir.main(["01"])
        capsys.readouterr()
    assert corrigir.main(["01"]) == 3 and "ana" in (dito := capsys.readouterr()).out
    assert f"mudou (cosseno passa de 7 para {agora})" in dito.err and "corrigir 01 --lista-nova" in dito.err
    assert corrigir.main(["01", "--lista-nova"]) == 3 and "do curso mudou" not in capsys.readouterr().err
    assert corrigir.main(["01"]) == 3 and "do curso mudou" not in capsys.readouterr().err


def test_o_aluno_se_diz_tambem_pelo_nome_da_pessoa(vazia, capsys):
    (vazia / "moodle.json").write_text(f'{{"{LISTA}": {{"ana-1": {{"nome": "Ana Sá"}}}}}}', encoding="utf-8")
    prazo.main(["01", "14/09/2026"])
    assert prazo.main(["01", "15/09/2026", "--aluno", "ANA SA"]) == 0
    assert "ana-1 · Ana Sá: até 15/09/2026 23:59" in capsys.readouterr().out
    assert prazo.main(["01", "--tirar", "--aluno", "ana sá"]) == 0 and "Ana" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "pedido, achado, dica",
    [
        ("20261034", "20261034", ""), ("bruno lima", "20261034", ""), ("Bruno", None, "“20261034”, de Bruno Lima?"),
        ("Brumo Lima", None, "“20261034”, de Bruno Lima?"),
        ("Fábio da Silva", None, "“f-1”, de Fábio da Silva ou “f-2”"),
        ("2026103", None, "“20261034”, de Bruno Lima?"), ("Zoroastro", None, ""), ("", None, ""),
    ],
)  # fmt: skip
def test_quem_se_procura_pelo_nome_e_achado_ou_sugerido(pedido, achado, dica):
    turma = {"20261034": "Bruno Lima", "f-1": "Fábio da Silva", "f-2": "Fábio da Silva", "sem-nome": None}
    assert quem.achar(pedido, turma) == achado
    if achado is None:
        assert dica in quem.parecidos(pedido, turma) and bool(dica) == bool(quem.parecidos(pedido, turma))


def test_corrigir_aceita_o_nome_da_pessoa_e_sugere_quem_nao_achou(turma, capsys, monkeypatch):
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    (turma / "moodle.json").write_text(json.dumps({LISTA: {"ana": {"nome": "Ana Sá", "id": "1", "pasta": "x"}}}))
    assert corrigir.main(["01", "--aluno", "ana sá"]) == 3 and "1 entrega." in capsys.readouterr().out
    assert corrigir.main(["01", "--aluno", "Sá"]) == 2
    assert "do aluno “Sá” (você quis dizer “ana”, de Ana Sá?)." in capsys.readouterr().err


def test_o_desconto_diz_que_um_dia_comecado_conta_inteiro():
    atraso = Atraso(por_dia=0.1)
    assert atraso.politica() == "Atraso: 10% da nota por dia começado, até 100%."
    assert atraso.late_submission_penalty("ana", 10, 26 * 3600) == 2
    assert Atraso(por_dia=0.1, tolerancia=1.5).politica().endswith(", depois de 1,5 h de tolerância.")


def test_prorrogacoes_estragadas_sao_ditas_e_nao_se_perdem(vazia, capsys):
    (vazia / "prorrogacoes.json").write_text("{estragado")
    assert prazo.main(["01", "14/09/2026"]) == 2
    assert "prorrogacoes.json" in capsys.readouterr().err
    assert (vazia / "prorrogacoes.json").read_text() == "{estragado" and not (vazia / "gradebook.db").exists()


def test_um_fuso_que_nao_existe_e_dito(vazia, capsys, monkeypatch):
    config = configuracao(vazia)
    config.Atraso.fuso = "America/Sao Paulo"
    monkeypatch.setattr(datas, "configuracao", lambda: config)
    datas.fuso.cache_clear()
    try:
        assert prazo.main(["01", "14/09/2026"]) == 2
    finally:
        datas.fuso.cache_clear()
    assert "Não conheço o fuso “America/Sao Paulo”" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="este sistema não troca de fuso")
def test_o_fuso_e_o_da_turma_e_nao_o_do_computador(monkeypatch):
    try:
        for fuso in ("Asia/Tokyo", "UTC0"):
            monkeypatch.setenv("TZ", fuso)
            time.tzset()
            assert pagina.data(datetime.datetime(2026, 3, 2, 12, 0)) == "02/03/2026, 09:00 (UTC-3)"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_o_formgrader_oferece_o_fuso_da_turma(so_o_prazo, tmp_path):
    shutil.copy(so_o_prazo, tmp_path)
    (tmp_path / "source").symlink_to(RAIZ / "source")
    lista = NbGraderAPI(config=configuracao(tmp_path)).get_assignment(LISTA)
    assert (lista["duedate_notimezone"], lista["duedate_timezone"]) == ("2026-03-01T20:59:00", "-0300")
    assert lista["display_duedate"] == "01/03/2026 20:59"


# ---------------------------------------------------------------- quem atrasou, e quanto custa


def atraso(pasta: Path, entregue: str | None, extensao: int = 0, moodle: str = "{}") -> float:
    """As horas de atraso de uma entrega, com o prazo de 1º de março às 23:59 (UTC)."""
    (pasta / "moodle.json").write_text(f'{{"{LISTA}": {{"ana": {moodle}}}}}')
    with livro(pasta) as aberto:
        aberto.add_student("ana")
        entrega = aberto.add_submission(LISTA, "ana", **({"timestamp": entregue} if entregue else {}))
        entrega.extension = datetime.timedelta(hours=extensao) if extensao else None
        return Atrasos(pasta).segundos(entrega) / 3600


@pytest.mark.parametrize(
    "entregue, extensao, moodle, horas",
    [
        ("2026-03-02 23:59 UTC", 0, "{}", 24),
        ("2026-03-02 23:59 UTC", 5, "{}", 19),  # a que o nbgrader deu
        ("2026-03-02 23:59 UTC", 0, '{"prorrogacao": "2026-03-02T21:59:00+00:00"}', 2),  # a da planilha do Moodle
        ("2026-03-02 23:59 UTC", 0, '{"atraso": 7200}', 2),  # o Moodle sabe de um prazo que aqui ninguém disse
        ("2026-03-02 23:59 UTC", 0, '{"atraso": 0}', 0),
        ("2026-03-01 12:00 UTC", 0, '{"atraso": 7200}', 0),  # aqui o prazo é maior do que o do Moodle
        (None, 0, '{"atraso": 7200}', 2),
        (None, 0, "{}", 0),  # sem data em que se possa confiar, ninguém atrasou
    ],
)
def test_quem_atrasou_e_o_que_o_prazo_e_o_moodle_dizem_e_na_duvida_vale_o_menor(
    so_o_prazo, tmp_path, entregue, extensao, moodle, horas
):
    shutil.copy(so_o_prazo, tmp_path)
    assert atraso(tmp_path, entregue, extensao, moodle) == horas


def test_sem_prazo_no_curso_vale_o_atraso_que_o_moodle_marcou(tmp_path):
    with livro(tmp_path) as aberto:
        aberto.add_assignment(LISTA)
    assert atraso(tmp_path, "2026-03-02 23:59 UTC", 5, '{"atraso": 7200}') == 2


def test_a_prorrogacao_dada_antes_da_entrega_vale_e_nao_anda_com_o_prazo(so_o_prazo, tmp_path, monkeypatch, capsys):
    shutil.copy(so_o_prazo, tmp_path)
    monkeypatch.setenv("CURSO_TURMA", str(tmp_path))
    (tmp_path / "submitted" / "ana").mkdir(parents=True)
    assert prazo.main(["01", "02/03/2026", "18:59", "--aluno", "ana"]) == 0
    assert Turma(tmp_path).listas() == []  # ninguém entregou ainda
    assert prazo.main(["01", "28/02/2026"]) == 0
    assert atraso(tmp_path, "2026-03-02 23:59 UTC") == 2


@pytest.fixture
def com_desconto(monkeypatch):
    def config(raiz=None):
        feita = configuracao(raiz)
        feita.Atraso.por_dia = 0.1
        return feita

    for modulo in (modulo_turma, rodada):
        monkeypatch.setattr(modulo, "configuracao", config)


def test_o_quadro_da_correcao_mostra_a_nota_com_o_desconto_e_o_livro_tambem_o_tem(turma, com_desconto):
    assert corrigir.corrigir(LISTA, turma)[0].desconto == 0
    with livro(turma) as aberto:
        aberto.find_submission(LISTA, "ana").notebooks[0].grades[0].manual_score = 2.0
        aberto.db.commit()
    (situacao,) = corrigir.corrigir(LISTA, turma, de_novo=True)
    assert (situacao.nota, situacao.desconto) == (1.8, 0.2)
    quadro = corrigir.quadro([situacao])
    assert "1,8 de 10" in quadro and "já com o desconto de 0,2 por atraso" in quadro
    with livro(turma) as aberto:
        assert aberto.find_submission(LISTA, "ana").late_submission_penalty == 0.2
