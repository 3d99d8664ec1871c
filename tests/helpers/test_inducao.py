"""A vida de uma cabeça de indução: as sequências, as notas, os treinos guardados e o que a lista 09 mostra."""

from dataclasses import replace

import matplotlib.pyplot as plt
import pytest
import torch

from bancadas.inducao import REDES
from gabarito.lista_09.tarefa_de_copia import tarefa_de_copia
from helpers import inducao
from helpers.inducao import AMARRADA, LARGURA, SOLTA
from helpers.veja import copia, treinar_na_sua_tarefa


def test_da_primeira_volta_so_se_cobra_o_ultimo_token():
    periodos = torch.tensor([3, 8, 5])
    x, y = inducao.repetidas(periodos, torch.Generator().manual_seed(0))
    for linha, alvos, P in zip(x.tolist(), y.tolist(), periodos.tolist(), strict=True):
        assert len(set(linha[:P])) == P and linha[P:] == linha[:-P]
        assert alvos == [-100] * (P - 1) + linha[P:] + [-100]


def test_os_lugares_da_inducao_vem_logo_depois_do_mesmo_token():
    P = 5
    x, _ = inducao.prova(P, quantas=1)
    lugares = inducao.lugares_da_inducao(P)
    for t in range(LARGURA):
        certos = [s for s in range(1, t + 1) if x[0, s - 1] == x[0, t] and s - 1 < t] if t >= P else []
        assert lugares[t].nonzero().flatten().tolist() == certos, t


def test_as_notas_de_uma_cabeca_perfeita_sao_1():
    x, y = inducao.prova()
    A = torch.zeros(2, len(x), 2, LARGURA, LARGURA)
    A[0, :, 1] = torch.eye(LARGURA).roll(1, 0)
    lugares = inducao.lugares_da_inducao(inducao.MEDIDO).float()
    A[1, :, 0] = lugares / lugares.sum(-1, keepdim=True).clamp(min=1)

    class Perfeita:
        def mapas(self, x):
            return A

        def __call__(self, x):
            return (torch.nn.functional.one_hot(y.clamp(min=0), inducao.V).float(), None)

    assert inducao.medir(Perfeita()) == pytest.approx({"acertos": 1, "anterior": 1, "inducao": 1})


def test_nos_dicionarios_cada_chave_que_volta_tem_o_valor_de_antes():
    x, y = inducao.dicionarios(50)
    assert x.shape == y.shape == (50, 16)
    for linha, alvos in zip(x.tolist(), y.tolist(), strict=True):
        assert len(set(linha[:8])) == 8
        valor = dict(zip(linha[:8:2], linha[1:8:2], strict=True))
        assert alvos == [-100] * 8 + [a for chave in linha[8::2] for a in (valor[chave], -100)]
        assert linha[9::2] == [valor[chave] for chave in linha[8::2]]


def test_com_a_saida_solta_a_cabeca_nasce_e_com_a_amarrada_nao():
    solta, amarrada = (inducao.treinar(replace(rede, passos=150)).medidas[-1] for rede in (SOLTA, AMARRADA))
    assert min(solta.values()) > 0.7
    assert amarrada["inducao"] < 0.3


def test_a_saida_que_comeca_igual_a_dos_embeddings_segue_sozinha():
    torch.manual_seed(0)
    modelo = inducao.Copista(replace(AMARRADA, solta=True, copiada=True))
    assert torch.equal(modelo.desfaz.weight, modelo.tokens.weight)
    assert modelo.desfaz.weight is not modelo.tokens.weight
    assert inducao.Copista(AMARRADA).desfaz.weight is not modelo.desfaz.weight


def test_as_redes_guardadas_sao_as_da_bancada_de_hoje():
    guardadas = inducao.carregar(REDES)
    assert list(guardadas) == list(REDES)
    assert all(len(vidas) == len(inducao.SEMENTES) for vidas in guardadas.values())


def test_na_lista_a_rede_treina_com_a_funcao_do_aluno():
    vida = copia.viver_na_tarefa(tarefa_de_copia, passos=5)
    assert vida.passos == [0, 5] and vida.rede.bloco == 2 * copia.COMPRIMENTOS[1] + 1
    assert all(set(medida) == {"acertos", "anterior", "inducao"} for medida in vida.medidas)


def test_sem_a_funcao_certa_a_lista_diz_o_que_falta(capsys):
    treinar_na_sua_tarefa(lambda lote, comprimento, V, gerador: None)
    assert "passar na conferência" in capsys.readouterr().out


def test_na_correcao_a_lista_nao_treina_nada(monkeypatch, capsys):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    treinar_na_sua_tarefa(tarefa_de_copia)
    assert capsys.readouterr().out == ""


def test_no_notebook_a_primeira_figura_do_treino_aparece_e_a_ultima_troca_a_primeira(monkeypatch):
    vistas = []
    monkeypatch.setattr("helpers.desenho.publicar", lambda fig, alt, **como: vistas.append(como))
    tela = inducao.TelaDaVida(2, inducao.prova(quantas=1)[0])
    tela.no_notebook = True
    for vida in inducao.viver(replace(SOLTA, passos=2), cada=1):
        tela.crescer({"saída solta": vida})
    plt.close("all")
    assert [como["atualizar"] for como in vistas] == [False, True]
    assert vistas[0]["display_id"] == vistas[1]["display_id"]
