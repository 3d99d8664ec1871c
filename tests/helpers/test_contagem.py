"""Os modelos de contagem e as misturas da aula 09: a conta rápida é a conta da definição, e ninguém vê o futuro."""

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from helpers.contagem import NGramas
from helpers.copia import (
    COMPRIMENTOS,
    MODELOS,
    Tarefa,
    acertos_de_contagem,
    carregar_copia,
    construir,
    lotes,
    sequencias,
    treinar,
)
from helpers.gpt import GPT
from helpers.misturas import MISTURAS
from helpers.treino import trechos

V = 6


@pytest.fixture(scope="module")
def texto() -> torch.Tensor:
    rng = np.random.default_rng(3)
    ids = [0]
    for _ in range(400):
        ids.append(int((ids[-1] * 2 + rng.integers(3)) % (V - 1)))  # o token V − 1 não aparece
    return torch.tensor(ids)


def _pela_definicao(texto: torch.Tensor, n: int, antes: list[int]) -> np.ndarray:
    """Witten-Bell ao pé da letra: P_n = (c + T·P_(n−1)) / (N + T), até a uniforme."""
    ids = texto.tolist()
    depois: dict = defaultdict(Counter)
    for i, token in enumerate(ids):
        for m in range(min(n - 1, i) + 1):
            depois[tuple(ids[i - m : i])][token] += 1
    P = np.full(V, 1 / V)
    for m in range(min(n - 1, len(antes)) + 1):
        c = depois.get(tuple(antes[len(antes) - m :]))
        if c:
            vetor = np.array([c[w] for w in range(V)])
            P = (vetor + len(c) * P) / (vetor.sum() + len(c))
    return P


def test_no_bloco_cada_posicao_so_usa_o_que_ha_antes_dela(texto):
    x, y = trechos(texto[:120], 7)
    P = NGramas(texto, V, 4).probabilidades(x, y)  # (5, N, T)
    for ordem in range(5):
        for b in (0, 3):
            for t in range(7):
                certo = _pela_definicao(texto, ordem, x[b, : t + 1].tolist()) if ordem else np.full(V, 1 / V)
                assert P[ordem, b, t] == pytest.approx(certo[y[b, t]], rel=1e-12), (ordem, b, t)


def test_as_perdas_sao_a_media_do_menos_log(texto):
    x, y = trechos(texto, 8)
    grama = NGramas(texto, V, 3)
    assert grama.perdas(x, y)[0] == pytest.approx(np.log(V))
    np.testing.assert_allclose(grama.perdas(x, y), grama.perdas(x, y, por_posicao=True).mean(axis=1))


def test_a_maior_ordem_pode_passar_do_texto_e_do_bloco():
    curto = torch.tensor([1, 2, 3])
    x, y = trechos(torch.tensor([1, 2, 3, 1, 2]), 2)
    P = NGramas(curto, V, 6).probabilidades(x, y)
    assert P.shape == (7, 2, 2)
    np.testing.assert_allclose(P[6], P[3])


def test_uma_ordem_que_nao_cabe_em_64_bits_e_recusada():
    with pytest.raises(ValueError, match="64 bits"):
        NGramas(torch.tensor([1, 2]), 85, 12)


def test_contar_em_janelas_nao_emenda_o_fim_de_uma_no_comeco_da_outra():
    grama = NGramas(torch.tensor([[1, 2, 3], [4, 5, 1]]), V, 2)
    assert grama.ordens[1].sequencias.tolist() == [1 * V + 2, 2 * V + 3, 4 * V + 5, 5 * V + 1]  # 3 e 4 não se seguem


def test_o_tamanho_soma_as_tabelas_de_todas_as_ordens(texto):
    grama = NGramas(texto, V, 3)
    ids = texto.tolist()
    distintas = [len({tuple(ids[i : i + m]) for i in range(len(ids) - m + 1)}) for m in (1, 2, 3)]
    assert [grama.tamanho(n) for n in range(4)] == [0, distintas[0], sum(distintas[:2]), sum(distintas)]


@pytest.mark.parametrize("ordem", [1, 2, 3, None])
@pytest.mark.parametrize("antes", [[2], [1, 3], [4, 4, 4, 4], [0, 1, 2, 0, 1], [5], [3, 5]])
def test_o_texto_escrito_e_sorteado_da_distribuicao_da_definicao(texto, ordem, antes):
    escrito = NGramas(texto, V, 5).escrever(torch.tensor(antes), 30, semente=1, ordem=ordem).tolist()
    assert escrito[: len(antes)] == antes and len(escrito) == len(antes) + 30
    sorte = torch.Generator().manual_seed(1)
    for i in range(len(antes), len(escrito)):
        p = torch.from_numpy(_pela_definicao(texto, ordem or 5, escrito[:i]))
        assert escrito[i] == torch.multinomial(p, 1, generator=sorte).item()


@pytest.mark.parametrize("nome", list(MISTURAS))
def test_nenhuma_mistura_ve_o_futuro(nome):
    torch.manual_seed(0)
    modelo = GPT(V, bloco=9, d=16, camadas=2, cabecas=2, mistura=MISTURAS[nome]).eval()
    ids = torch.randint(V, (3, 9))
    outro = ids.clone()
    outro[:, 5:] = (outro[:, 5:] + 1) % V
    with torch.no_grad():
        assert torch.allclose(modelo(ids)[0][:, :5], modelo(outro)[0][:, :5], atol=1e-6)


def test_as_misturas_que_se_comparam_tem_o_mesmo_tamanho():
    def parametros(nome):
        return sum(p.numel() for p in GPT(85, mistura=MISTURAS[nome]).parameters())

    for nome in ("uniforme", "janela", "sozinho"):
        assert abs(parametros(nome) / parametros("atencao") - 1) < 0.01


def test_so_quem_mistura_depende_do_passado():
    torch.manual_seed(0)
    ids = torch.randint(V, (2, 9))
    outro = ids.clone()
    outro[:, 0] = (outro[:, 0] + 1) % V
    for nome in MISTURAS:
        modelo = GPT(V, bloco=9, d=16, camadas=2, cabecas=2, mistura=MISTURAS[nome]).eval()
        with torch.no_grad():
            muda = not torch.allclose(modelo(ids)[0][:, -1], modelo(outro)[0][:, -1], atol=1e-6)
        assert muda == (nome not in ("sozinho", "nenhuma")), nome


def test_na_copia_os_tokens_voltam_depois_do_separador():
    x = sequencias(torch.tensor([3, 1]), Tarefa(V=8), torch.Generator().manual_seed(0))
    a, b, c = x[0, :3].tolist()
    d = int(x[1, 0])
    assert x.tolist() == [[a, b, c, 0, a, b, c], [d, 0, d, 0, 0, 0, 0]]
    assert min(a, b, c, d) >= 1


def test_a_copia_cobra_so_o_que_se_pode_saber(monkeypatch):
    cobrados = []
    monkeypatch.setattr(F, "cross_entropy", lambda z, y: cobrados.append(y) or z.sum())
    tarefa = Tarefa(menor=1, maior=3, V=8, lote=4, passos=1)
    treinar(construir("nenhuma", tarefa), tarefa)
    ((x, comprimentos),) = lotes(tarefa, 0)
    for linha, y, L in zip(
        x.tolist(), cobrados[0].view(x.shape).tolist(), comprimentos.flatten().tolist(), strict=True
    ):
        assert y == [-100] * (L - 1) + linha[L : 2 * L + 1] + [-100] * (x.shape[1] - 2 * L)


def test_sem_repeticao_os_tokens_de_uma_sequencia_sao_diferentes():
    x = sequencias(torch.full((50,), 6), Tarefa(V=8, repete=False), torch.Generator().manual_seed(0))
    assert all(len(set(linha)) == 6 for linha in x[:, :6].tolist())
    assert set(x[:, :6].flatten().tolist()) == set(range(1, 8))


def test_contar_decora_a_copia_curta_e_nao_a_comprida():
    curta = acertos_de_contagem(replace(Tarefa(), menor=1, maior=1, passos=40), 1)
    comprida = acertos_de_contagem(replace(Tarefa(), menor=8, maior=8, passos=10), 8)
    assert curta[1] < 0.3 and curta[2] == 1.0  # o bigrama não vê o token; o trigrama vê
    assert max(comprida) < 0.2


def test_o_treino_da_copia_guardado_e_o_da_configuracao_de_hoje():
    guardado = carregar_copia()
    assert [len(v) for v in guardado["modelos"].values()] == [len(COMPRIMENTOS)] * len(MODELOS)
