"""O treino: receitas, lotes, a definição da perda de teste, modelos e treinos guardados."""

import dataclasses
import json
import math
import sys
from dataclasses import replace
from types import ModuleType

import pytest
import torch
from safetensors.torch import save_file
from tqdm import tqdm

from gabarito.base import buscar
from helpers import treino
from helpers.corpus import Corpus
from helpers.desenho import publicar
from helpers.gpt import GPT
from helpers.pesos_do_gpt import mapas_de_atencao
from helpers.substitutos.lista_07 import Bloco
from helpers.tela_do_treino import _BARRA, passadas
from helpers.treino import (
    DA_FONTE,
    EXPERIMENTOS,
    LONGA,
    MELHOR,
    Experimento,
    Receita,
    TreinoDesatualizado,
    abrir,
    andar,
    avaliar,
    avaliar_por_posicao,
    construir,
    guardar,
    janelas,
    medir_no_fim,
    resumo,
    trechos,
    treinar,
    treinos_guardados,
)

PEQUENA = Receita(bloco=8, d=16, lote=8, passos=6, lr=0.01)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus("de brinquedo", "o rato roeu a roupa do rei de Roma\n" * 40)


# ------------------------------------------------------------ receitas


def test_a_receita_da_fonte_e_a_da_tabela_dela():
    r = DA_FONTE
    assert (r.bloco, r.d, r.camadas, r.cabecas, r.dropout, r.lr, r.lote, r.passos) == (
        16,
        128,
        2,
        2,
        0.2,
        0.003,
        64,
        1200,
    )
    assert {r.taxa(passo) for passo in range(1200)} == {0.003}


def test_a_receita_melhor_so_muda_o_treino():
    mesmas = ("bloco", "d", "camadas", "cabecas", "mistura", "lote", "passos")
    assert all(getattr(MELHOR, campo) == getattr(DA_FONTE, campo) for campo in mesmas)
    assert LONGA.bloco > MELHOR.bloco


def test_a_taxa_sobe_no_aquecimento_fica_e_desce_ate_zero():
    r = Receita(passos=100, lr=1.0, aquecimento=10, queda="linear", queda_desde=0.5)
    assert [r.taxa(0), r.taxa(9), r.taxa(30), r.taxa(75)] == [0.1, 1.0, 1.0, 0.5]
    assert 0 < r.taxa(99) < 0.03
    assert math.isclose(replace(r, queda="cosseno").taxa(75), 0.5)


# ------------------------------------------------------------ dados e perda


def test_as_janelas_sao_pedacos_do_texto_e_todo_comeco_e_possivel():
    sorteadas = janelas(torch.arange(20), 4, 4000, semente=0)
    primeiras, outras = next(sorteadas), next(sorteadas)
    assert primeiras.shape == (4000, 5) and torch.equal(primeiras[:, :-1] + 1, primeiras[:, 1:])
    assert set(primeiras[:, 0].tolist()) == set(range(16))
    assert not torch.equal(primeiras, outras)
    assert torch.equal(primeiras, next(janelas(torch.arange(20), 4, 4000, semente=0)))


def test_os_blocos_de_teste_preveem_cada_caractere_uma_vez():
    x, y = trechos(torch.arange(21), 4)
    assert torch.equal(y.flatten(), torch.arange(1, 21)) and torch.equal(x + 1, y)


def test_poucos_blocos_sao_igualmente_espacados():
    x, _ = trechos(torch.arange(4001), 4, quantos=10)
    assert x[:, 0].tolist() == list(range(0, 4000, 400))


def test_avaliar_e_a_perda_media_sem_dropout(corpus):
    m = construir(replace(PEQUENA, dropout=0.5), corpus.V).train()
    x, y = trechos(corpus.teste, 8)
    perda = avaliar(m, x, y)
    assert m.training, "o modelo volta ao modo em que estava"
    assert math.isclose(perda, m.eval()(x, y)[1].item(), rel_tol=1e-5)
    assert math.isclose(avaliar_por_posicao(m, x, y).mean().item(), perda, rel_tol=1e-9)


# ------------------------------------------------------------ o treino


def test_treinar_aprende_e_conta_a_historia(corpus, capsys):
    r = replace(PEQUENA, passos=60)
    historia = treinar(modelo := construir(r, corpus.V), corpus, r, avaliar_em=20, amostras_em=(0, 60))
    assert historia.passos == [0, 5, 10, 20, 40, 60] and len(historia.perdas) == 60
    assert historia.validacao[-1] < historia.validacao[0] - 0.5
    assert set(historia.amostras) == {0, 60} and len(historia.amostras[60]) == 201
    dito = capsys.readouterr()
    assert dito.out == dito.err == "", "fora do notebook, o treino fica quieto"
    assert not historia.final and not historia.por_posicao, "quem treina ainda não abriu o teste"
    medir_no_fim(historia, modelo, corpus)
    assert set(historia.final) == {"treino", "treino_com_dropout", "validacao", "teste"}
    assert len(historia.por_posicao) == 8


def test_o_modelo_escreve_quando_a_perda_passa_por_uma_reta(corpus):
    r = replace(PEQUENA, passos=60)
    livre = treinar(construir(r, corpus.V), corpus, r, avaliar_em=20)
    meio = (livre.validacao[2] + livre.validacao[3]) / 2  # a perda passa por aqui entre os passos 10 e 20
    com_retas = treinar(construir(r, corpus.V), corpus, r, avaliar_em=20, linhas={"no meio": meio, "nunca": 0.0})
    assert livre.validacao[2] > meio > livre.validacao[3] and not livre.amostras
    assert list(com_retas.amostras) == [20] and com_retas.validacao == livre.validacao


def test_a_mesma_semente_da_o_mesmo_treino_e_outra_da_outro(corpus):
    def perdas(semente):
        r = replace(PEQUENA, dropout=0.2)
        return treinar(construir(r, corpus.V, semente), corpus, r, semente).perdas

    assert perdas(3) == perdas(3) != perdas(4)


def test_o_corte_limita_o_gradiente(corpus):
    r = replace(PEQUENA, passos=1, corte=1e-9, decaimento=0.0)
    livre, preso = construir(r, corpus.V), construir(r, corpus.V)
    list(andar(livre, corpus.treino, replace(r, corte=0.0)))
    list(andar(preso, corpus.treino, r))
    antes = construir(r, corpus.V).tokens.weight
    assert (livre.tokens.weight - antes).abs().max() > 2 * (preso.tokens.weight - antes).abs().max()


def test_a_figura_da_curva_tem_as_retas_de_referencia(corpus):
    historia = treinar(construir(PEQUENA, corpus.V), corpus, PEQUENA, avaliar_em=3)
    fig = treino.curva(historia, "teste", {"ln V": math.log(corpus.V)})
    ax = fig.axes[0]
    assert any("ln V" in t.get_text() for t in ax.texts) and ax.get_ylabel() and ax.get_xlabel()


def test_ao_lado_da_curva_esta_o_que_ele_escreve_e_a_reta_que_passou_e_notada(corpus):
    historia = treinar(construir(PEQUENA, corpus.V), corpus, PEQUENA, avaliar_em=3)
    linhas = {"sempre": 99.0, "agora": (historia.validacao[-2] + historia.validacao[-1]) / 2, "nunca": 0.0}
    assert passadas(historia, linhas) == {"sempre": 0, "agora": historia.passos[-1]}
    fig = treino.curva(historia, "teste", linhas, escrito="o rato $roeu a_1\n" + "muito " * 40)
    publicar(fig, "uma curva")  # um cifrão escrito pelo modelo não é uma fórmula
    ax, lado = fig.axes
    retas = [t.get_text() for t in ax.texts]
    assert [reta[0] for reta in retas] == ["✓", "✓", "n"]
    assert lado.get_title("left") == "passou: agora!"
    assert lado.texts[0].get_text().startswith("o rato $roeu a_1\nmuito muito")
    assert max(map(len, lado.texts[0].get_text().split("\n"))) <= 30


def test_a_cada_medida_o_modelo_escreve_e_a_barra_fala_portugues(corpus, monkeypatch):
    vistas = []
    monkeypatch.setattr("helpers.desenho.publicar", lambda fig, alt, **_: vistas.append((fig.axes[1].texts, alt)))
    monkeypatch.setattr("helpers.tela_do_treino._shell", lambda: "ZMQInteractiveShell")
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setattr("helpers.tela_do_treino.tqdm", tqdm)
    historia = treinar(construir(PEQUENA, corpus.V), corpus, PEQUENA, avaliar_em=3)
    assert len(vistas) == len(historia.passos) + 1, "e no fim"
    assert all(textos and "Ele escreve: " in alt for textos, alt in vistas)
    barra = tqdm.format_meter(400, 1200, 48.2, ncols=90, prefix="GPT", postfix="perda 1,79", bar_format=_BARRA)
    assert "400 de 1200 passos" in barra and "faltam" in barra and barra.endswith(", perda 1,79")
    assert "/s" not in barra and "." not in barra


# ------------------------------------------------------------ modelos guardados


def test_um_modelo_guardado_e_aberto_e_o_mesmo(corpus, tmp_path):
    r = replace(PEQUENA, mistura="janela")
    m = construir(r, corpus.V, 5).eval()
    guardar(tmp_path / "m.safetensors", m, r)
    x, _ = trechos(corpus.teste, 8)
    assert torch.equal(abrir(tmp_path / "m.safetensors")(x)[0], m(x)[0])
    assert [p.name for p in tmp_path.iterdir()] == ["m.safetensors"]


def test_um_modelo_estragado_ou_que_nao_existe_e_dito(tmp_path):
    (tmp_path / "m.safetensors").write_bytes(b"\x80\x04isto seria um pickle")
    with pytest.raises(ValueError, match="está estragado ou não é um modelo deste curso"):
        abrir(tmp_path / "m.safetensors")
    with pytest.raises(FileNotFoundError, match="Não há um modelo guardado"):
        abrir(tmp_path / "nada.safetensors")


def test_um_modelo_guardado_com_os_nomes_de_antes_ainda_se_abre(corpus, tmp_path):
    antes = {"tokens": "simbolos", "posicoes": "lugares", "blocos": "pilha"}
    m = construir(PEQUENA, corpus.V, 5).eval()

    def velho(nome):
        primeira, _, resto = nome.partition(".")
        return f"{antes.get(primeira, primeira)}.{resto}".replace("norma1", "norma_mistura").replace(
            "norma2", "norma_pensa"
        )

    receita = {"receita": json.dumps(dataclasses.asdict(PEQUENA))}
    save_file({velho(n): p for n, p in m.state_dict().items()}, tmp_path / "m.safetensors", metadata=receita)
    x, _ = trechos(corpus.teste, 8)
    assert torch.equal(abrir(tmp_path / "m.safetensors")(x)[0], m(x)[0])


DA_LISTA_08 = r"de um GPT escrito na lista 08 .*modelo = GPT\(9, 8, 16, 2, cabecas\)"


@pytest.mark.parametrize(
    ("questao", "resposta", "argumentos", "diz"),
    [
        ("lista-08/GPT", "referência", (9, 8, 16, 2, 2), DA_LISTA_08),
        ("lista-08/GPT", "com-o-bloco-do-torch", (9, 8, 16, 2, 2), DA_LISTA_08),
        ("lista-09/GPTSemAtencao", "referência", (9, 8, 16, 1, "media"), "de um GPTSemAtencao escrito na lista 09 "),
    ],
)
def test_de_um_modelo_que_o_aluno_escreveu_se_diz_o_que_e(questao, resposta, argumentos, diz, tmp_path):
    do_aluno = next(r.funcao for r in buscar(questao).certas if r.nome == resposta)(*argumentos)
    guardar(tmp_path / "meu.safetensors", do_aluno, PEQUENA)
    with pytest.raises(ValueError, match=diz) as erro:
        abrir(tmp_path / "meu.safetensors")
    assert "estragado" not in str(erro.value)


def test_de_pesos_de_outro_modelo_se_diz_que_nao_sao_do_curso(tmp_path):
    guardar(tmp_path / "outro.safetensors", torch.nn.Linear(2, 3), PEQUENA)
    with pytest.raises(ValueError, match="não é de um GPT deste curso"):
        abrir(tmp_path / "outro.safetensors")


# ------------------------------------------------------------ treinos guardados


@pytest.fixture
def experimento(corpus, monkeypatch):
    """Um treino pequeno no lugar dos de verdade, sobre o texto de brinquedo."""
    monkeypatch.setattr(treino, "SHA256_DO_TEXTO", corpus.sha256)
    monkeypatch.setitem(EXPERIMENTOS, "pequena", Experimento(PEQUENA, sementes=(0, 1), avaliar_em=3, amostras_em=(6,)))
    return EXPERIMENTOS["pequena"]


def fazer(corpus, pasta, **opcoes):
    ditos = []
    treino.fazer_treino("pequena", pasta=pasta, corpus=corpus, avisar=ditos.append, **opcoes)
    return ditos


def test_um_treino_guardado_volta_inteiro(experimento, corpus, tmp_path):
    assert len(fazer(corpus, tmp_path)) == 2
    historias = treinos_guardados("pequena", tmp_path)
    assert [c.semente for c in historias] == [0, 1]
    refeita = treinar(modelo := construir(PEQUENA, corpus.V, 1), corpus, PEQUENA, 1, 3, (6,))
    medir_no_fim(refeita, modelo, corpus)
    assert historias[1].amostras == refeita.amostras and historias[1].passos == refeita.passos
    assert historias[1].final == pytest.approx(refeita.final, abs=1e-4)
    media, desvio = resumo(historias)
    assert media == pytest.approx(sum(c.final["teste"] for c in historias) / 2) and desvio >= 0


def test_so_as_sementes_que_faltam_sao_treinadas(experimento, corpus, tmp_path, monkeypatch):
    fazer(corpus, tmp_path)
    guardado = (tmp_path / "pequena.json").read_text(encoding="utf-8")
    (aviso,) = fazer(corpus, tmp_path)
    assert "já está feito" in aviso and (tmp_path / "pequena.json").read_text(encoding="utf-8") == guardado
    assert len(fazer(corpus, tmp_path, de_novo=True)) == 2


@pytest.mark.parametrize("mudanca", [{"lr": 0.02}, {"dropout": 0.1}, {"mistura": "janela"}, {"betas": (0.9, 0.95)}])
def test_um_treino_de_outra_configuracao_e_recusado(experimento, corpus, tmp_path, monkeypatch, mudanca):
    fazer(corpus, tmp_path)
    monkeypatch.setitem(EXPERIMENTOS, "pequena", replace(experimento, receita=replace(PEQUENA, **mudanca)))
    with pytest.raises(TreinoDesatualizado, match="outra configuração; faça com: python curso.py treinar pequena"):
        treinos_guardados("pequena", tmp_path)


def test_outro_texto_e_outra_configuracao(experimento, corpus, tmp_path, monkeypatch):
    fazer(corpus, tmp_path)
    monkeypatch.setattr(treino, "SHA256_DO_TEXTO", "0" * 64)
    with pytest.raises(TreinoDesatualizado, match="outra configuração"):
        treinos_guardados("pequena", tmp_path)


def test_um_arquivo_mexido_pela_metade_ou_que_falta_e_recusado(experimento, corpus, tmp_path):
    with pytest.raises(TreinoDesatualizado, match="ainda não foi feito"):
        treinos_guardados("pequena", tmp_path)
    fazer(corpus, tmp_path)
    arquivo = tmp_path / "pequena.json"
    guardado = json.loads(arquivo.read_text(encoding="utf-8"))
    arquivo.write_text(json.dumps(guardado | {"historias": guardado["historias"][:1]}), encoding="utf-8")
    with pytest.raises(TreinoDesatualizado, match="faltam sementes"):
        treinos_guardados("pequena", tmp_path)
    guardado["configuracao"]["receita"]["lr"] = 0.5
    arquivo.write_text(json.dumps(guardado), encoding="utf-8")
    with pytest.raises(TreinoDesatualizado, match="foi mexido"):
        treinos_guardados("pequena", tmp_path)


@pytest.mark.parametrize("nome", list(EXPERIMENTOS))
def test_os_treinos_das_aulas_sao_da_configuracao_de_hoje(nome):
    historias = treinos_guardados(nome)
    receita = EXPERIMENTOS[nome].receita
    assert all(len(c.perdas) == receita.passos and len(c.por_posicao) == receita.bloco for c in historias)


def test_a_receita_melhor_chega_a_1_83_em_tres_sementes_no_texto_em_que_foi_escolhida():
    melhor, da_fonte = treinos_guardados("melhor"), treinos_guardados("da-fonte")
    assert len(EXPERIMENTOS["melhor"].sementes) == 3 and resumo(melhor, "validacao")[0] <= 1.83
    for texto in ("validacao", "teste"):
        assert resumo(melhor, texto)[0] < resumo(da_fonte, texto)[0]


def test_nenhum_treino_da_mesma_receita_sem_um_ingrediente_ganha_dela_na_validacao():
    melhor, _ = resumo(treinos_guardados("melhor"), "validacao")
    for nome in EXPERIMENTOS:
        if nome.startswith(("sem-", "com-")):
            assert melhor < resumo(treinos_guardados(nome), "validacao")[0], nome


@pytest.mark.lento
def test_o_comeco_do_treino_melhor_se_repete_nesta_maquina():
    """Trinta passos da semente 0 dão as perdas guardadas: o que a aula mostra sai deste código."""
    from helpers.corpus import carregar

    guardada, shakespeare = treinos_guardados("melhor")[0], carregar()
    modelo = construir(MELHOR, shakespeare.V, 0)
    for passo, perda in andar(modelo, shakespeare.treino, MELHOR, 0):
        assert perda == pytest.approx(guardada.perdas[passo - 1], abs=0.02)
        if passo == 30:
            break


def test_o_comando_lista_os_treinos_e_recusa_um_nome_estranho(capsys):
    assert treino.main([]) == 0
    dito = capsys.readouterr().out
    assert all(nome in dito for nome in EXPERIMENTOS)
    assert treino.main(["inexistente"]) == 2
    assert "Não conheço o treino “inexistente”" in capsys.readouterr().err


def test_toda_receita_constroi_o_modelo_que_diz():
    for experimento in EXPERIMENTOS.values():
        m = construir(experimento.receita, 85)
        assert isinstance(m, GPT) and m.bloco == experimento.receita.bloco


def test_com_o_bloco_da_lista_07_o_modelo_da_receita_e_o_mesmo():
    ids = torch.randint(1, 85, (2, 16), generator=torch.Generator().manual_seed(0))
    receita = replace(MELHOR, zerar=False)  # com as saídas em zero, não se vê quantas são as cabeças
    do_curso, do_aluno = construir(receita, 85), construir(receita, 85, camada=Bloco)
    assert torch.allclose(do_curso(ids)[0], do_aluno(ids)[0], atol=1e-5)
    mapas = mapas_de_atencao(do_aluno, Corpus("letras", "".join(map(chr, range(33, 117)))), "!" * 5)
    assert mapas.shape == (2, 2, 5, 5) and torch.allclose(mapas.sum(-1), torch.ones(2, 2, 5))


# ------------------------------------------------------------ a bancada


def test_o_par_da_bancada_e_do_tamanho_do_gpt_do_curso_e_calcula_o_mesmo_tipo_de_saida():
    from bancadas.treino import ComoNaFonte

    r = replace(DA_FONTE, dropout=0.0)
    dele, nosso = ComoNaFonte(85, r), construir(r, 85)
    tamanhos = [sum(p.numel() for p in m.parameters()) for m in (dele, nosso)]
    assert 1 <= tamanhos[0] / tamanhos[1] < 1.01  # os vieses da camada de atenção do torch
    ids = torch.randint(1, 85, (2, 16))
    assert dele(ids)[0].shape == nosso(ids)[0].shape
    outro = ids.clone()
    outro[:, 9:] = 1
    assert torch.allclose(dele.eval()(ids)[0][:, :9], dele(outro)[0][:, :9], atol=1e-5)


@pytest.mark.lento
@pytest.mark.tudo
def test_a_bancada_de_treino_roda_e_termina_com_um_objeto_json(tmp_path, capsys):
    from bancadas.treino import main

    assert main(["--rapida", "--threads", "1", "--saida", str(tmp_path / "treino.png")]) == 0
    razoes = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {"tokens_por_segundo_bloco_16_dropout_0.2", "tokens_por_segundo_bloco_64_dropout_0.2"} <= set(razoes)
    assert razoes["tempo_ate_o_alvo"] > 0 and (tmp_path / "treino.png").stat().st_size > 10_000
