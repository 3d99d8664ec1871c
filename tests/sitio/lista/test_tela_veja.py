"""Os números que as funções do aluno dão aos exploradores, e o que se diz quando uma falta."""

import json

import numpy as np
import pytest

from gabarito.base import carregar
from helpers.exemplos import RATO, X_RATO
from helpers.fichas import FICHAS
from sitio.lista import tela_veja


def certas(lista):
    return {nome.partition("/")[2]: questao.referencia for nome, questao in carregar(lista).items()}


@pytest.mark.parametrize("lista", ["lista-02", "lista-04"])
def test_tudo_o_que_se_desenha_cabe_em_um_json_sem_infinitos(lista):
    assert json.loads(json.dumps(tela_veja.dados(lista, certas(lista)), allow_nan=False))


def test_na_02_o_caminho_comeca_nas_palavras_e_cada_linha_de_um_olhar_soma_um():
    feito = tela_veja.dados("lista-02", certas("lista-02"))
    assert feito["caminho"]["palavras"] == RATO and np.allclose(feito["caminho"]["quadros"][0], X_RATO)
    assert np.shape(feito["olhares"]["pesos"]) == (tela_veja.CAMADAS, 1, 9, 9)
    assert np.allclose(np.sum(feito["olhares"]["pesos"], axis=-1), 1)
    assert np.allclose(np.sum(feito["empurroes"]["pesos"], axis=-1), 1)


def test_na_02_so_se_desenha_o_que_ja_passa():
    so_empurrar = {"empurrar": certas("lista-02")["empurrar"]}
    assert list(tela_veja.dados("lista-02", so_empurrar)) == ["empurroes"]
    assert "olhadas" not in tela_veja.dados("lista-02", so_empurrar)["empurroes"]


def test_na_04_manga_acha_a_pista_de_cada_telegrama_e_se_le_o_que_se_escreve():
    feito = tela_veja.dados("lista-04", certas("lista-04"))
    for mapa in feito["telegramas"]:
        maior = np.argmax(mapa["pesos"][0][0][mapa["tokens"].index("manga")])
        assert FICHAS[mapa["tokens"][maior]][[1, 3]].max() > 0
    escrito = tela_veja.dados("lista-04", certas("lista-04"), "Trem de manga agulha.")
    assert [m["tokens"] for m in escrito["telegramas"]] == [["trem", "de", "manga", "agulha"]]
    fora = tela_veja.dados("lista-04", certas("lista-04"), "manga xpto")
    assert "xpto" in fora["recusa"] and "telegramas" not in fora
