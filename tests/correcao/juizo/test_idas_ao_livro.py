"""Quantas vezes se vai ao livro de notas por uma entrega: não depende de quantas células a lista tem."""

from collections import Counter

import pytest
from conftest import entregar, solucoes
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.pool import Pool

from correcao.juizo import corrigir

LISTAS = ("lista-01-produto-escalar", "lista-02-softmax")
NA_PRIMEIRA, DE_NOVO = 35, 23  # a primeira também põe o aluno e a entrega no livro; uma diz se ela é uma reentrega
pytestmark = [pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")]


@pytest.fixture
def idas(monkeypatch):
    """Aluno → instruções SQL, da correção da entrega dele; e, em `abertas`, as conexões que se abriram."""
    contadas, agora, da_casa = Counter(), [""], corrigir.Correcao.corrigir

    def contar(rodada, aluno):
        agora[0] = aluno
        try:
            return da_casa(rodada, aluno)
        finally:
            agora[0] = ""

    def anotar(*_):
        contadas[agora[0]] += 1

    def abriu(*_):
        contadas.abertas[agora[0]] += 1

    monkeypatch.setattr(corrigir.Correcao, "corrigir", contar)
    contadas.abertas = Counter()
    event.listen(Engine, "before_cursor_execute", anotar)
    event.listen(Pool, "connect", abriu)
    yield contadas
    event.remove(Engine, "before_cursor_execute", anotar)
    event.remove(Pool, "connect", abriu)


@pytest.mark.parametrize("lista", LISTAS)
def test_uma_entrega_custa_poucas_instrucoes_sql(idas, tmp_path, lista):
    certas = solucoes(lista)
    # as duas primeiras também conferem o livro, que é o mesmo para a turma inteira
    for aluno, respostas in {"a": certas, "b": certas, "certa": certas, "em-branco": {}}.items():
        entregar(tmp_path, lista, aluno, respostas, discussao="Porque sim.")
        (tmp_path / "submitted" / aluno / lista / "timestamp.txt").write_text("2026-03-02 10:00:00 UTC")
    for limite in (NA_PRIMEIRA, DE_NOVO):
        idas.clear()
        idas.abertas.clear()
        corrigir.corrigir(lista, tmp_path, de_novo=True)
        assert 0 < max(idas["certa"], idas["em-branco"]) <= limite, idas
        assert idas.abertas["certa"] == idas.abertas["em-branco"] == 1  # e fecham-se: a de uma não serve à outra
