"""O GPT do curso: o que ele promete, testado com modelos pequenos e sem treinar."""

import math
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers.corpus import Corpus
from helpers.gpt import GPT, PAD, Atencao, apagar, gerar
from helpers.misturas import MISTURAS

V, BLOCO = 13, 8


def modelo(**opcoes) -> GPT:
    torch.manual_seed(0)
    return GPT(V, **{"bloco": BLOCO, "d": 16, "camadas": 2, "cabecas": 2} | opcoes).eval()


def textos(B: int = 3, T: int = BLOCO) -> torch.Tensor:
    return torch.randint(1, V, (B, T), generator=torch.Generator().manual_seed(1))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus("de brinquedo", "abcdefghijkl" * 3)


def test_o_arquivo_cabe_em_umas_120_linhas_de_codigo(raiz: Path):
    linhas = (raiz / "helpers" / "gpt.py").read_text(encoding="utf-8").splitlines()
    assert sum(bool(linha.strip()) for linha in linhas) <= 125


def test_devolve_logits_e_so_ha_perda_quando_ha_alvos():
    m, ids = modelo(), textos()
    logits, perda = m(ids)
    assert logits.shape == (3, BLOCO, V) and perda is None
    assert m(ids, ids)[1].shape == ()


def test_antes_de_treinar_a_perda_e_perto_de_ln_V():
    _, perda = modelo()(textos(64), textos(64).flip(0))
    assert abs(perda.item() - math.log(V)) < 0.3


@pytest.mark.parametrize("nome", MISTURAS)
def test_mudar_o_futuro_nao_muda_o_passado(nome):
    m, ids = modelo(mistura=MISTURAS[nome]), textos()
    outro = ids.clone()
    outro[:, 5:] = (outro[:, 5:] + 3) % V
    assert torch.allclose(m(ids)[0][:, :5], m(outro)[0][:, :5], atol=1e-6)
    assert not torch.allclose(m(ids)[0][:, 5:], m(outro)[0][:, 5:], atol=1e-6)


@pytest.mark.parametrize(("nome", "olha"), [("atencao", True), ("uniforme", True), ("janela", True), ("sozinho", False),
                                            ("nenhuma", False)])  # fmt: skip
def test_so_quem_mistura_ve_o_caractere_anterior(nome, olha):
    m, ids = modelo(mistura=MISTURAS[nome]), textos()
    outro = ids.clone()
    outro[:, 3] = (outro[:, 3] + 3) % V
    assert torch.allclose(m(ids)[0][:, 4], m(outro)[0][:, 4], atol=1e-6) != olha


def test_todas_as_misturas_tem_o_tamanho_da_atencao():
    def tamanho(nome):
        return sum(p.numel() for p in modelo(d=128, mistura=MISTURAS[nome]).parameters())

    assert all(abs(tamanho(nome) / tamanho("atencao") - 1) < 0.001 for nome in ("uniforme", "janela", "sozinho"))


def test_a_atencao_e_a_do_torch_com_os_mesmos_pesos():
    torch.manual_seed(0)
    nossa, x = Atencao(16, 2, BLOCO, 0.0), torch.randn(3, BLOCO, 16)
    dele = nn.MultiheadAttention(16, 2, bias=False, batch_first=True)
    dele.in_proj_weight.data, dele.out_proj.weight.data = nossa.qkv.weight.data, nossa.saida.weight.data
    futuro = torch.ones(BLOCO, BLOCO, dtype=torch.bool).triu(1)
    saida, pesos = dele(x, x, x, attn_mask=futuro, average_attn_weights=False)
    assert torch.allclose(nossa(x), saida, atol=1e-6)
    assert torch.allclose(nossa.pesos(x)[0].view(3, 2, BLOCO, BLOCO), pesos, atol=1e-6)


def test_os_mapas_sao_pesos_de_atencao_de_cada_camada_e_cabeca():
    mapas = modelo().mapas(textos())
    assert mapas.shape == (2, 3, 2, BLOCO, BLOCO)
    assert torch.allclose(mapas.sum(-1), torch.ones(2, 3, 2, BLOCO), atol=1e-6)
    assert mapas.triu(1).abs().max() == 0


def test_alvos_PAD_nao_contam_na_perda():
    m, ids = modelo(), textos()
    alvos = textos().flip(0)
    alvos[:, 4:] = PAD
    esperada = F.cross_entropy(m(ids)[0][:, :4].flatten(0, 1), alvos[:, :4].flatten())
    assert torch.allclose(m(ids, alvos)[1], esperada)


def test_a_saida_usa_o_embedding_dos_tokens():
    m, ids = modelo(), textos()
    antes = m(ids)[0]
    with torch.no_grad():
        m.tokens.weight[V - 1] += 1  # muda a coluna V-1 dos logits, mesmo se o token não aparece na entrada
    ids = ids.clamp(max=V - 2)
    assert not torch.allclose(m(ids)[0][..., V - 1], antes[..., V - 1])
    assert sum(p.shape == (V, 16) for p in m.parameters()) == 1


def test_com_zerar_as_camadas_comecam_sem_mexer_no_caminho_residual():
    m, ids = modelo(zerar=True), textos()
    assert torch.equal(m(ids)[0], F.linear(m.norma(m.entrada(ids)), m.tokens.weight))


def test_um_texto_maior_que_o_contexto_e_recusado_com_os_dois_tamanhos():
    with pytest.raises(ValueError, match="9 tokens e o contexto deste modelo é de 8"):
        modelo()(textos(T=BLOCO + 1))


def test_apagar_zera_a_fracao_pedida_e_preserva_a_media():
    torch.manual_seed(0)
    y = apagar(torch.ones(1001, 999), 0.2)
    assert abs((y == 0).float().mean().item() - 0.2) < 0.004  # seis desvios padrão de um sorteio de 10⁶ são 0,0024
    assert torch.equal(y[y != 0], torch.full_like(y[y != 0], 1.25))
    assert apagar(y, 0.0) is y


def test_dropout_so_age_no_treino():
    m, ids = modelo(dropout=0.5), textos()
    assert torch.equal(m(ids)[0], m(ids)[0])
    m.train()
    assert not torch.equal(m(ids)[0], m(ids)[0])


def test_gerar_continua_o_texto_e_a_mesma_semente_da_o_mesmo_texto(corpus):
    m = modelo()
    texto = gerar(m, corpus, "abc", n=20, semente=5)
    assert texto.startswith("abc") and len(texto) == 23
    assert texto == gerar(m, corpus, "abc", n=20, semente=5) != gerar(m, corpus, "abc", n=20, semente=6)
    assert "<PAD>" not in texto


def test_temperatura_zero_e_top_1_escolhem_o_mais_provavel(corpus):
    m = modelo()
    guloso = gerar(m, corpus, "abc", n=15, temperatura=0)
    assert guloso == gerar(m, corpus, "abc", n=15, top_k=1, semente=9)
    assert guloso[3] == corpus.vocabulario[m(corpus.codificar("abc")[None])[0][0, -1, 1:].argmax() + 1]


def test_gerar_sorteia_com_as_probabilidades_da_softmax(corpus):
    m = modelo()
    with torch.no_grad():
        m.tokens.weight.mul_(30)  # probabilidades bem diferentes umas das outras
        z = m(corpus.codificar("a")[None])[0][0, -1]
    z[PAD] = float("-inf")
    vezes = 1500
    sorteados = [gerar(m, corpus, "a", n=1, temperatura=2.0, semente=s)[1] for s in range(vezes)]
    frequencias = torch.tensor([sorteados.count(c) / vezes for c in corpus.vocabulario])
    p = (z / 2).softmax(-1)
    assert ((frequencias - p).abs() < 6 * (p * (1 - p) / vezes).sqrt() + 1e-9).all()


def test_gerar_devolve_o_modelo_como_estava(corpus):
    m = modelo().train()
    gerar(m, corpus, "a", n=1)
    assert m.training
