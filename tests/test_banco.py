"""O banco de enganos e alternativas: nenhum engano sobrevive, nenhuma resposta certa é recusada."""

import pytest
from conftest import lentas, questoes, questoes_e_o_tempo_delas

from gabarito import banco
from gabarito.base import carregar_tudo
from gabarito.codigo import como_resposta
from helpers.conferir import Conferencia, conferir

# Questões em que não cabem oito enganos plausíveis e distintos, ou quatro alternativas; o porquê vai ao lado.
MENOS_ENGANOS: dict[str, int] = {}
MENOS_ALTERNATIVAS: dict[str, int] = {}


def _problemas(q, sementes, completo=True) -> str:
    return "\n".join(f"{r.tipo} {r.nome}: {p}" for r in banco.examinar(q, sementes, completo) for p in r.problemas)


@pytest.mark.parametrize("q", questoes_e_o_tempo_delas())
def test_cada_engano_ouve_a_sua_frase_e_cada_alternativa_passa(q):
    assert not _problemas(q, [0])


@pytest.mark.lento
@pytest.mark.parametrize("q", [p for p in questoes() if p.values[0].ocultos])
def test_o_mesmo_vale_em_muitas_sementes_de_casos_ocultos(q):
    assert len(banco.SEMENTES) == 20 and len(banco.SEMENTES_DE_MODELOS) == 8
    # os visíveis e a primeira semente são do teste acima
    assert not _problemas(q, banco.sementes_de(q)[1:], completo=False)


@pytest.mark.parametrize("q", banco.questoes_das_listas(), ids=lambda q: q.nome)
def test_o_banco_da_questao_e_grande(q):
    assert len(q.equivocos) >= MENOS_ENGANOS.get(q.nome, 8)
    assert len(q.alternativas) >= MENOS_ALTERNATIVAS.get(q.nome, 4)


@pytest.mark.parametrize("q", questoes())
def test_cada_frase_e_uma_frase(q):
    for e in q.equivocos:
        if e.nome != "altera-a-entrada":
            # uma palavra citada («roupa») ou código (`x`) pode abrir a frase em minúscula
            assert e.frase[0].isupper() or e.frase[0] in "«`", e.nome
            assert e.frase.rstrip().endswith((".", "?", "!")), e.nome
            assert 20 <= len(e.frase) <= 400, e.nome


def test_ha_uma_semente_nova_para_cada_entrega():
    q = next(q for q in carregar_tudo().values() if q.ocultos)
    assert q.oculta(1).casos[-1].entradas != q.oculta(2).casos[-1].entradas


@pytest.mark.parametrize("q", [pytest.param(q, id=q.nome, marks=lentas(q)) for q in banco.questoes_das_listas()])
def test_o_codigo_do_banco_escrito_em_uma_celula_da_o_mesmo(q):
    """As turmas de mentira são feitas com esse texto: ele tem de valer sozinho, sem o gabarito por perto."""
    nome = q.funcao
    for funcao in q.alternativas.values():
        celula: dict = {}
        exec(como_resposta(funcao, nome), celula)
        conferir(q.nome, celula[nome])
    for e in q.equivocos:
        celula = {}
        exec(como_resposta(e.funcao, nome), celula)
        with pytest.raises(Conferencia) as erro:
            conferir(q.nome, celula[nome])
        assert erro.value.equivoco == e.nome
