"""As trocas de países da aula 10b: o que a aula mostra é o que a questão `transplantar` da lista 10 mede."""

import pytest

from gabarito.lista_10.transplantar import transplantar
from helpers.llm import carregar
from helpers.medidas import CABECA, CAMADA, CAPITAIS, SENTIDOS, capital, trocar_paises


def test_as_frases_dos_sentidos_terminam_na_palavra_e_no_mesmo_artigo():
    modelo = carregar()
    for palavra, frases in SENTIDOS:
        assert len(frases) == 6
        artigo = "·the" if palavra == "bank" else "·a"
        assert {tuple(modelo.tokens(frase)[-2:]) for frase in frases} == {(artigo, f"·{palavra}")}


def test_cada_capital_comeca_pelo_token_que_a_aula_mede():
    modelo = carregar()
    assert [modelo.texto(modelo.ids(token)[:1]) for token in CAPITAIS.values()] == list(CAPITAIS.values())


def test_a_troca_de_paises_da_o_mesmo_que_o_gancho():
    modelo = carregar()
    tabela = trocar_paises(["France", "Italy"])
    esperado = transplantar(modelo, capital("France"), capital("Italy"), [(CAMADA, CABECA)]).softmax(dim=-1)
    token, chance = tabela[0][1]
    assert token == " Rome" == modelo.texto([int(esperado.argmax())])
    assert chance == pytest.approx(esperado.max().item(), abs=1e-4)
    assert tabela[0][0][0] == " Paris" == modelo.texto([int(modelo.logits(capital("France"))[-1].argmax())])
