"""Os quadros de um `explorar`: cabem em pouco, e cada um se refaz inteiro."""

import matplotlib.pyplot as plt

from gabarito import quadros
from helpers.explorar import descrever


def desenhar(graus, nome):
    fig, ax = plt.subplots(figsize=(2, 2))
    ax.plot([0, graus], [0, 1])
    ax.set_title(f"{nome} a {graus}")
    return fig


def test_cada_posicao_se_refaz_igual_ao_desenho_dela():
    lido = quadros.ler(quadros.fazer(desenhar, "uma reta", descrever({"graus": (0, 4, 1, 2), "nome": ["a", "b"]})))
    assert [len(c["valores"]) for c in lido["controles"]] == [5, 2]
    assert [c["inicial"] for c in lido["controles"]] == [2, 0]
    refeito = quadros.aplicar(lido["base"], lido["quadros"][4 * 2 + 1])
    assert refeito == quadros.svg(desenhar(4, "b"))
    assert lido["quadros"][2 * 2] == []


def test_um_controle_de_muitas_posicoes_guarda_as_pontas_e_a_em_que_abre():
    (quais,) = quadros._escolher([361], [40], [True], 100)
    assert {0, 40, 360} <= set(quais) and len(quais) <= 100


def test_o_que_se_escolhe_de_uma_lista_fica_inteiro():
    assert quadros._escolher([9, 100], [0, 24], [False, True], 60)[0] == list(range(9))


def test_os_quadros_guardados_sao_leves():
    guardados = list(quadros.PASTA.glob("*.quadros"))
    assert guardados and all(a.stat().st_size <= quadros.TAMANHO for a in guardados)
    assert sum(a.stat().st_size for a in guardados) <= 3_000_000
