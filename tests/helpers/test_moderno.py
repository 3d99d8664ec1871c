"""As peças de hoje no GPT do curso, e o que está guardado de cada uma."""

import json
import statistics

import pytest
import torch

from helpers import moderno
from helpers.moderno import (
    ALVO,
    ARQUIVO,
    BASE,
    MELHOR_TROCA,
    NOMES,
    SEMENTES,
    TROCAS,
    AtencaoDeHoje,
    GPTDeHoje,
    Pecas,
    custo_ate,
    girar,
    giros,
    guardados,
)  # fmt: skip
from helpers.treino import MELHOR, TreinoDesatualizado, construir

V = 30


def modelo(pecas: Pecas) -> GPTDeHoje:
    """Com números em todo lugar: no começo da receita, o que soma no caminho residual é zero, e nada apareceria."""
    torch.manual_seed(0)
    feito = GPTDeHoje(V, pecas)
    with torch.no_grad():
        for p in feito.parameters():
            p.normal_(0.0, 0.1)
    return feito.eval()


def test_sem_trocar_nada_e_o_gpt_da_aula():
    torch.manual_seed(3)
    de_hoje, da_aula = GPTDeHoje(V, Pecas()), construir(MELHOR, V, 3)
    assert list(de_hoje.state_dict()) == list(da_aula.state_dict())
    assert all(torch.equal(a, b) for a, b in zip(de_hoje.parameters(), da_aula.parameters(), strict=True))


@pytest.mark.parametrize("nome", TROCAS)
def test_nenhuma_troca_ve_o_futuro_nem_muda_o_tamanho(nome):
    trocado, ids = modelo(TROCAS[nome]), torch.arange(1, 17)[None]
    outros = ids.clone()
    outros[0, 9:] = 20
    assert torch.allclose(trocado(ids)[0][0, :9], trocado(outros)[0][0, :9], atol=1e-5)
    assert not torch.allclose(trocado(ids)[0][0, 9:], trocado(outros)[0][0, 9:], atol=1e-3)
    quantos, da_aula = (sum(p.numel() for p in m.parameters()) for m in (trocado, construir(MELHOR, V)))
    assert abs(quantos - da_aula) <= 0.01 * da_aula


def test_no_rope_o_produto_so_depende_da_distancia():
    q, k, quanto = torch.randn(8), torch.randn(8), giros(T=16, C=8)
    a, b, c = (girar(q, quanto[:, i]) @ girar(k, quanto[:, j]) for i, j in ((3, 1), (15, 13), (15, 1)))
    assert a.item() == pytest.approx(b.item(), abs=1e-5) and a.item() != pytest.approx(c.item(), abs=1e-3)
    assert girar(q, quanto[:, 7]).norm().item() == pytest.approx(q.norm().item(), abs=1e-5)


def test_com_qk_norm_o_tamanho_de_uma_consulta_nao_muda_os_pesos():
    for qk_norm, igual in ((True, True), (False, False)):
        atencao = AtencaoDeHoje(128, 2, 16, rope=False, qk_norm=qk_norm)
        x = torch.randn(2, 16, 128, generator=torch.Generator().manual_seed(0))
        antes, _ = atencao.pesos(x)
        with torch.no_grad():
            atencao.qkv.weight[:128] *= 7  # as consultas
        assert torch.allclose(antes, atencao.pesos(x)[0], atol=1e-5) is igual


def test_o_custo_ate_o_alvo_e_o_do_primeiro_passo_em_que_se_mede_abaixo_dele():
    treino: dict[str, list] = {"passos": [0, 50, 100, 150], "validacao": [4.0, 2.0, 1.9, 1.95]}
    assert custo_ate(1.9, treino, 1.5) == 150 and custo_ate(1.8, treino, 1.5) is None


def test_o_que_falta_ou_e_de_outra_configuracao_e_recusado(tmp_path, monkeypatch):
    copia = tmp_path / "moderno.json"
    with pytest.raises(TreinoDesatualizado, match="não estão guardados; faça com: python curso.py bancada moderno"):
        guardados(copia)
    inteiro = json.loads(ARQUIVO.read_text(encoding="utf-8"))
    inteiro["treinos"][MELHOR_TROCA].pop()
    copia.write_text(json.dumps(inteiro), encoding="utf-8")
    with pytest.raises(TreinoDesatualizado, match="pela metade"):
        guardados(copia)
    monkeypatch.setitem(moderno.TROCAS, "muon", Pecas(muon=True, taxa_do_muon=0.5))
    with pytest.raises(TreinoDesatualizado, match="outra configuração"):
        guardados(ARQUIVO)


def test_o_que_o_notebook_conta_esta_guardado():
    g = guardados()
    assert set(g.treinos) == set(TROCAS) and set(g.custos) == {*TROCAS, "fonte"} == set(NOMES)
    assert {nome: [t["semente"] for t in feitos] for nome, feitos in g.treinos.items() if nome != BASE} == SEMENTES
    medias = {nome: statistics.fmean(t["final"]["validacao"] for t in feitos) for nome, feitos in g.treinos.items()}
    assert min(medias, key=medias.__getitem__) == MELHOR_TROCA and medias[MELHOR_TROCA] <= 1.77
    melhor, gasto = g.treinos[MELHOR_TROCA][0], g.fonte["passos"][-1] * g.custos["fonte"]["mediana"]
    da_melhor = custo_ate(ALVO, melhor, g.custos[MELHOR_TROCA]["mediana"])
    da_fonte = custo_ate(ALVO, g.fonte, g.custos["fonte"]["mediana"]) or gasto
    assert da_melhor is not None and 4 * da_melhor <= da_fonte
