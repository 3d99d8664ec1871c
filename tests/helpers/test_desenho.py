"""As figuras: quem desenha escreve os números como o Python, e quem as lê os vê em português."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Text

from helpers import desenho


def figura():
    fig, ax = plt.subplots()
    ax.plot([0, 1], [-0.5, 0.5])
    ax.set(title="T = 0.25", xlabel="de -1.5 a 2", ylabel="2-grama, x-1")
    ax.text(0, 0, "x = 0.5", family="monospace")
    fig.colorbar(desenho.mapa_de_calor([[0.25, -0.75]], ax=fig.add_subplot(), casas=2))
    desenho.em_portugues(fig)
    fig.draw_without_rendering()
    return fig


def test_todo_numero_de_uma_figura_tem_virgula_e_sinal_de_menos():
    ax, mapa, barra = figura().axes
    assert ax.get_title() == "T = 0,25" and ax.get_xlabel() == "de −1,5 a 2"
    assert [t.get_text() for t in mapa.texts] == ["0,25", "−0,75"]
    for eixo in (ax.xaxis, ax.yaxis, barra.yaxis):
        ditos = [rotulo.get_text() for rotulo in eixo.get_ticklabels()]
        assert any("," in dito for dito in ditos) and not any("." in dito or "-" in dito for dito in ditos)


def test_o_que_nao_e_numero_e_o_que_e_codigo_ficam_como_estao():
    ax = figura().axes[0]
    assert ax.get_ylabel() == "2-grama, x-1" and ax.texts[0].get_text() == "x = 0.5"


def test_o_texto_alternativo_tambem_tem_virgula(monkeypatch):
    mostrados = []
    monkeypatch.setattr(desenho, "display", lambda dados, **opcoes: mostrados.append((dados, opcoes)))
    desenho.mostrar(plt.figure(), "de 0.5 a -1.5")
    ((dados, opcoes),) = mostrados
    assert opcoes["metadata"]["image/png"]["alt"] == "de 0,5 a −1,5"
    assert dados["text/plain"] == "[figura: de 0,5 a −1,5]"


@pytest.mark.parametrize("largura", [5, 9, 15])
def test_nenhuma_letra_fica_miuda_na_tela(largura):
    fig, eixos = plt.subplots(1, 3, figsize=(largura, 4))
    nomes = [f"palavra{n}" for n in range(6)]
    for ax in eixos:
        desenho.mapa_de_calor(np.eye(6), nomes, nomes, ax, "um título", "um eixo", "outro")
    eixos[0].set_yticks(range(6), nomes, fontsize=6)
    desenho.imagem_png(fig)
    por_ponto = min(fig.dpi, 900 / largura) / 72  # 900: o que sobra para a saída em uma tela de 1366
    rotulos = [t for ax in fig.axes for eixo in (ax.xaxis, ax.yaxis) for t in eixo.get_ticklabels()]
    miudas = {t.get_text() for t in (*fig.findobj(Text), *rotulos) if t.get_fontsize() * por_ponto < 10 - 1e-6}
    assert not miudas
