"""As reentregas: qual das entregas de um aluno vale, quanto, e o que ele lê disso."""

import csv
import datetime
import shutil

import pytest
from turma_pronta import LISTA, turma_corrigida

from correcao.devolucao import devolver, notas
from correcao.devolucao.preencher import comentario
from correcao.juizo import corrigir
from correcao.livro import prazo, reentrega
from correcao.livro.atraso import Atraso
from correcao.livro.tentativas import MELHOR, ULTIMA, Politica, Tentativa, decidir, lembrar, ler_reentregas
from correcao.livro.turma import Turma

DIA = datetime.timedelta(days=1)
PRAZO = datetime.datetime(2026, 3, 10, 2, 59)
ATE = PRAZO + 7 * DIA


def valendo(politica, *entregas, limite=PRAZO, de=10.0, por_dia=0.1, tolerancia=0.0):
    """`valendo(politica, (-1, 6), (3, 9))`: quantos dias depois do prazo, e com quantos pontos."""
    todas = [Tentativa(PRAZO + dia * DIA, pontos) for dia, pontos in entregas]
    regra = Atraso(por_dia=por_dia, tolerancia=tolerancia)
    atraso = max(0.0, (todas[-1].quando - limite).total_seconds()) if limite else 0.0
    return decidir(
        politica,
        todas,
        limite,
        de,
        atraso,
        lambda pontos, s: regra.late_submission_penalty("ana", pontos, s),
        3600 * regra.tolerancia,
    )


def test_sem_politica_vale_a_ultima_com_o_atraso_dela():
    assert valendo(None, (-1, 6), (2, 9)).nota == pytest.approx(9 * 0.8)
    assert valendo(None, (-1, 6), (2, 9)).ditos == ()


@pytest.mark.parametrize(
    "vale, teto, entregas, nota",
    [
        (MELHOR, 100, [(-1, 6)], 6),
        (MELHOR, 100, [(-2, 9), (-1, 6)], 6),  # até o prazo, uma troca a outra
        (MELHOR, 100, [(-1, 6), (3, 9)], 9),  # a reentrega não paga atraso
        (MELHOR, 80, [(-1, 6), (3, 9)], 8),
        (MELHOR, 80, [(-1, 9), (3, 10)], 9),  # o teto não tira o que já se tinha
        (MELHOR, 80, [(-1, 6), (2, 7), (3, 5)], 7),
        (ULTIMA, 80, [(-1, 9), (3, 10)], 8),
        (ULTIMA, 100, [(-1, 6), (2, 7), (3, 5)], 5),
        (MELHOR, 80, [(-1, 6), (8, 10)], 6),  # fora do prazo da reentrega
        (ULTIMA, 100, [(-1, 6), (2, 7), (8, 10)], 7),
        (MELHOR, 100, [(1, 8)], 7.2),  # quem só entregou atrasado não reentregou
        (MELHOR, 80, [(1, 5), (2, 9)], 8),  # … e, se entrega de novo, sim
    ],
)
def test_qual_das_entregas_vale_e_quanto(vale, teto, entregas, nota):
    assert valendo(Politica(ATE, vale, teto), *entregas).nota == pytest.approx(nota)


def test_quem_tem_mais_prazo_so_reentrega_depois_do_seu():
    politica = Politica(ATE, ULTIMA, 50)
    assert valendo(politica, (-1, 6), (2, 9), limite=PRAZO + 3 * DIA).nota == 9  # ainda no prazo dele: sem teto
    assert valendo(politica, (2, 6), (5, 9), limite=PRAZO + 3 * DIA).nota == 5
    assert valendo(politica, (2, 6), (9, 9), limite=PRAZO + 10 * DIA).nota == 9  # o dele vai além da reentrega


def test_o_que_chega_na_tolerancia_da_turma_e_no_prazo_e_nao_tem_teto():
    politica = Politica(ATE, ULTIMA, 50)
    assert valendo(politica, (-1, 6), (0.5, 9), tolerancia=12).nota == 9
    assert valendo(politica, (-1, 6), (0.6, 9), tolerancia=12).nota == 5


def test_sem_prazo_nao_ha_o_que_reentregar():
    assert valendo(Politica(ATE, ULTIMA, 50), (-1, 6), (3, 9), limite=None).nota == 9


def test_o_aluno_le_a_regra_e_qual_entrega_vale():
    politica, troca = valendo(Politica(ATE, MELHOR, 80), (-1, 6), (3, 9)).ditos
    assert "até 16/03/2026 23:59" in politica and "a melhor das notas" in politica and "80%" in politica
    assert "Vale a sua reentrega de 12/03/2026 23:59, com 8 (ela fez 9, e o teto é 8): a de 08/03" in troca
    assert "Vale a sua entrega de 08/03/2026 23:59, com 9" in valendo(Politica(ATE), (-1, 9), (3, 8)).ditos[1]
    assert "chegou depois disso e não conta" in valendo(Politica(ATE), (-1, 9), (8, 10)).ditos[1]


# ------------------------------------------------------------ em uma turma


@pytest.fixture(scope="module")
def pronta(tmp_path_factory):
    """Ana (a001) e um grupo (a002), corrigidos, com prazo; as entregas são de 02/03."""
    tmp_path = tmp_path_factory.mktemp("turma")
    turma_corrigida(tmp_path, 2)
    with Turma(tmp_path).livro() as livro:
        livro.update_or_create_assignment(LISTA, duedate=PRAZO)
        for entrega in livro.assignment_submissions(LISTA):
            for nota in entrega.notebooks[0].grades:
                nota.auto_score, nota.needs_manual_grade = nota.max_score / 2, False
            lembrar(livro.db, entrega, entrega.notebooks[0].grades)
        livro.db.commit()
    return tmp_path


@pytest.fixture
def turma(pronta, tmp_path):
    return shutil.copytree(pronta, tmp_path / "turma")


def entregar_de_novo(turma, aluno, dia, fracao):
    """O que a correção de outra entrega faz ao livro."""
    with Turma(turma).livro() as livro:
        entrega = livro.find_submission(LISTA, aluno)
        entrega.timestamp = PRAZO + dia * DIA
        lembrar(livro.db, entrega, entrega.notebooks[0].grades)
        for nota in entrega.notebooks[0].grades:
            nota.auto_score, nota.manual_score = nota.max_score * fracao, None
        livro.db.commit()


def test_a_tolerancia_e_a_da_configuracao_da_turma(turma, monkeypatch):
    entregar_de_novo(turma, "a001", 0.5, 1.0)
    assert pedir(turma, monkeypatch, "02", "16/03/2026", "--teto", "80") == 0
    assert a_de(turma).nota == 8
    com_tolerancia = Turma(turma)
    com_tolerancia.atraso.tolerancia = 12
    assert next(e for e in com_tolerancia.entregas(LISTA) if e.aluno == "a001").nota == 10


def a_de(turma, aluno="a001"):
    return next(e for e in Turma(turma).entregas(LISTA) if e.aluno == aluno)


def pedir(turma, monkeypatch, *palavras):
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    return reentrega.main(list(palavras))


def test_a_regra_vale_nas_notas_na_pagina_e_no_comentario_do_moodle(turma, monkeypatch, capsys):
    entregar_de_novo(turma, "a001", 3, 1.0)
    assert a_de(turma).nota == 10
    assert pedir(turma, monkeypatch, "02", "16/03/2026", "--teto", "80%") == 0
    assert "no máximo 80% dos pontos" in capsys.readouterr().out
    ana = a_de(turma)
    assert (ana.nota, ana.desconto, ana.atraso) == (8, 0, 0)
    assert "o teto é 8" in comentario(ana) and "Depois do prazo" not in comentario(ana)
    pagina = devolver.devolutiva(ana)
    assert "Depois do prazo, dá para entregar de novo até 16/03/2026 23:59" in pagina and "o teto é 8" in pagina
    assert "Depois do prazo, dá para entregar de novo" in devolver.devolutiva(a_de(turma, "a002"))
    destino = turma / "n.csv"
    assert notas.main(["02", "--destino", str(destino)]) == 0
    linhas = {c["aluno"]: c["nota"] for c in csv.DictReader(destino.open(encoding="utf-8-sig"), delimiter=";")}
    assert linhas == {"a001": "8,00", "a002": "5,00"}
    assert pedir(turma, monkeypatch, "02", "--tirar") == 0 and a_de(turma).nota == 10


def test_mudar_so_a_data_deixa_o_teto_e_a_que_vale_como_estavam(turma, monkeypatch):
    assert pedir(turma, monkeypatch, "02", "16/03/2026", "--vale", "ultima", "--teto", "70") == 0
    assert pedir(turma, monkeypatch, "02", "17/03/2026") == 0
    assert ler_reentregas(turma)[LISTA] == Politica(ATE + DIA, ULTIMA, 70)


def test_corrigir_de_novo_a_mesma_entrega_nao_e_reentregar(turma):
    entregar_de_novo(turma, "a001", -8, 1.0)
    for _ in range(2):
        with Turma(turma).livro() as livro:
            entrega = livro.find_submission(LISTA, "a001")
            lembrar(livro.db, entrega, entrega.notebooks[0].grades)
            livro.db.commit()
    with Turma(turma).livro() as livro:
        assert len(Turma(turma).tentativas(livro.find_submission(LISTA, "a001"))) == 2


def test_a_nota_dada_a_mao_na_primeira_fica_nela_e_a_que_ninguem_tinha_lido_vale_a_da_ultima(turma, monkeypatch):
    with Turma(turma).livro() as livro:
        primeira, segunda = [n for n in livro.find_submission(LISTA, "a001").notebooks[0].grades if "disc" in n.name]
        primeira.manual_score, segunda.needs_manual_grade, segunda.auto_score = primeira.max_score, True, 0.0
        livro.db.commit()
    pedir(turma, monkeypatch, "02", "16/03/2026")
    entregar_de_novo(turma, "a001", 3, 0.0)
    assert a_de(turma).nota == 5  # 4 das automáticas, 1 da discussão lida; a outra espera
    with Turma(turma).livro() as livro:
        _, segunda = [n for n in livro.find_submission(LISTA, "a001").notebooks[0].grades if "disc" in n.name]
        segunda.manual_score, segunda.needs_manual_grade = segunda.max_score, False
        livro.db.commit()
    assert a_de(turma).nota == 6


def test_a_questao_anulada_vale_para_todas_as_entregas(turma, monkeypatch):
    pedir(turma, monkeypatch, "02", "16/03/2026")
    entregar_de_novo(turma, "a001", 3, 0.0)
    (turma / "anuladas.json").write_text(f'{{"{LISTA}": ["confere-softmax"]}}')
    assert a_de(turma).nota == 6  # a metade de 10, e a outra metade dos 2 pontos da anulada


def test_cada_membro_de_um_grupo_tem_o_seu_prazo(turma, monkeypatch):
    pedir(turma, monkeypatch, "02", "16/03/2026", "--vale", "ultima", "--teto", "50")
    (turma / "moodle.json").write_text(
        f'{{"{LISTA}": {{"a002": {{"nome": "Grupo A", "membros": ["bia", "caio"]}}, '
        '"bia": {"grupo": "a002"}, "caio": {"grupo": "a002", "prorrogacao": "2026-03-15T00:00:00+00:00"}}}'
    )
    entregar_de_novo(turma, "a002", 3, 0.9)
    assert (a_de(turma, "bia").nota, a_de(turma, "caio").nota) == (5, 9)


def test_a_correcao_lembra_a_entrega_anterior_e_diz_qual_nunca_foi_corrigida(tmp_path, monkeypatch, capsys):
    pasta = tmp_path / "submitted" / "ana" / LISTA
    pasta.mkdir(parents=True)
    (pasta / f"{LISTA}.ipynb").write_text("isto não é JSON")
    for dia in ("2026-03-02", "2026-03-12"):
        (pasta / "timestamp.txt").write_text(f"{dia} 12:00:00 UTC")
        corrigir.corrigir(LISTA, tmp_path)
    with Turma(tmp_path).livro() as livro:
        assert len(Turma(tmp_path).tentativas(livro.find_submission(LISTA, "ana"))) == 2
    shutil.copytree(pasta, tmp_path / "anteriores" / "ana" / LISTA / "20260302-120000")
    assert reentrega.nunca_corrigidas(Turma(tmp_path), LISTA) == []
    shutil.copytree(pasta, tmp_path / "anteriores" / "ana" / LISTA / "20260303-120000")
    pedir(tmp_path, monkeypatch, "02")
    assert "ela não conta: ana" in capsys.readouterr().out


@pytest.mark.parametrize(
    "palavras, frase",
    [
        (["02", "16/03/2026", "--vale", "media"], "melhor ou ultima"),
        (["02", "16/03/2026", "--teto", "0"], "de 1 a 100"),
        (["02", "1/3/2026"], "não é depois do prazo"),
        (["01", "16/03/2026"], "ainda não tem prazo"),
        (["02", "--teto", "80"], "Falta dizer até quando"),
        (["02", "--tirar"], "não aceita reentregas"),
        (["02", "ontem"], "Não entendi a data"),
        (["--tirar"], "Diga de que lista"),
    ],
)
def test_um_pedido_sem_sentido_termina_em_uma_frase_e_nada_muda(turma, monkeypatch, capsys, palavras, frase):
    try:
        codigo = pedir(turma, monkeypatch, *palavras)
    except SystemExit as saida:
        codigo = saida.code
    assert codigo == 2 and frase in capsys.readouterr().err
    assert not (turma / "reentregas.json").exists()


def test_um_arquivo_de_reentregas_estragado_para_em_uma_frase(turma, monkeypatch, capsys):
    (turma / "reentregas.json").write_text('{"' + LISTA + '": {"ate": "ontem"}}')
    assert pedir(turma, monkeypatch, "02") == 2 and "está estragado" in capsys.readouterr().err
    assert prazo.Prazos(Turma(turma)).da_lista(LISTA) is not None
