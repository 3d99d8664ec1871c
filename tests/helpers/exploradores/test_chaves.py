"""*O plano das chaves*: os números que o NumPy e o PyTorch dão, e o treino que acontece no navegador."""

import json
import os
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest
import torch
from conftest import RAIZ, o_lab

from gabarito import aulas
from helpers.exemplos import GRUPOS
from helpers.exploradores import chaves, montar
from helpers.exploradores.anfitriao import Explorador
from helpers.exploradores.pagina import fragmento, pagina
from helpers.explorar import pagina_estatica, plano_das_chaves, treinar_as_chaves

TABELA = {p: np.array(x) for p, x in chaves.TABELA.items()}
FRASE = ["Eu", "gosto", "de", "comer", "manga"]
X = np.array([TABELA[p] for p in FRASE])  # (5, 3)
W_Q, W_K = np.random.default_rng(0).normal(size=(2, 3, 2))


def numero(escrito):
    return float(escrito.replace(",", ".").replace("−", "-"))


def angulo(u, v):
    return np.degrees(np.arccos(u @ v / np.linalg.norm(u) / np.linalg.norm(v)))


# ---------------------------------------------------------------- o lado do Python


def test_treinadas_as_matrizes_acham_pistas_que_o_treino_nao_viu():
    Q, K = treinar_as_chaves()
    vistas = {p for frase, _ in chaves.TELEGRAMAS for p in frase.split()}
    novas = [p for p in GRUPOS["fruta"] + GRUPOS["roupa"] if p not in vistas]
    assert len(novas) == 4
    for pista in novas:
        frase = np.array([TABELA[p] for p in ("manga", pista, "lua", "cortar", "de", "praça")])
        S = frase @ K @ (frase[0] @ Q) / np.sqrt(2)
        assert np.exp(S[1]) / np.exp(S).sum() > 0.7, pista


def test_frutas_e_roupas_opostas_no_comeco_se_juntam_para_onde_a_consulta_aponta():
    meio = {g: np.mean([TABELA[p] for p in GRUPOS[g]], axis=0) for g in ("fruta", "roupa")}
    comeco, depois = (np.array(chaves.W_Q_DO_COMECO), np.array(chaves.W_K_DO_COMECO)), treinar_as_chaves()
    fruta, roupa = (meio[g] @ comeco[1] for g in meio)
    assert angulo(fruta, roupa) > 120
    (Q, K), manga = depois, TABELA["manga"]
    fruta, roupa = (meio[g] @ K for g in meio)
    assert angulo(fruta, roupa) < 20 and angulo(fruta, manga @ Q) < 15 and angulo(roupa, manga @ Q) < 15


def test_o_estado_ja_nasce_com_as_matrizes_do_comeco():
    aberto = plano_das_chaves(W_Q, W_K)
    assert aberto.estado["quem"] == "manga" and aberto.estado["frase"] == " ".join(FRASE)
    assert np.array_equal(aberto.estado["W_Q"], W_Q) and np.array_equal(aberto.estado["W_K"], W_K)
    assert "seta azul até (0,60; 0,40)" in plano_das_chaves().alt


def test_com_tudo_zero_nao_se_diz_que_alguem_vence():
    assert "manga olha para todas por igual, com 20 %" in plano_das_chaves(np.zeros((3, 2))).alt


def test_sem_exemplos_nao_ha_treino_e_outra_tabela_serve():
    aberto = plano_das_chaves(
        np.eye(2), np.eye(2), "a b", {"a": [0, 1], "b": [1, 0]}, destaque="a", componentes=("x", "y"), treino=()
    )
    assert aberto.dados["treino"]["exemplos"] == [] and aberto.png()


@pytest.mark.parametrize(
    ("recado", "pedaco"),
    [
        (lambda: plano_das_chaves(np.eye(2)), "W_Q tem a forma (2, 2), e aqui precisa ter a forma (3, 2)"),
        (lambda: plano_das_chaves(W_K=np.full((3, 2), np.nan)), "W_K tem um NaN na posição [0, 0]"),
        (lambda: plano_das_chaves("chaves"), "Em W_Q há algo que não é número"),
        (lambda: plano_das_chaves(frases="Eu gosto de banana"), "Não conheço “banana”"),
        (lambda: plano_das_chaves(frases=[" "]), "Falta a frase"),
        (lambda: plano_das_chaves(tabela={"manga": [0, 1]}, frases="manga"), "o vetor de “manga” tem a forma (2,)"),
        (lambda: plano_das_chaves(treino=[("Eu gosto", "gosto")]), "“manga” não está na frase “Eu gosto”"),
    ],
)
def test_dados_ruins_viram_uma_frase(recado, pedaco):
    visto = recado()
    assert not isinstance(visto, Explorador) and pedaco in repr(visto)


# ---------------------------------------------------------------- no navegador

RUINS = [
    ({}, "Faltam as palavras"),
    ({"frases": ["a"], "tabela": {"a": [1, 2]}, "componentes": ["x"]}, "O vetor de “a” precisa ter 1 números"),
    (
        {"frases": ["a"], "tabela": {"a": [1]}, "componentes": ["x"], "W_Q": [[1, 2]], "W_K": [[1]]},
        "W_Q e W_K precisam",
    ),
]


@pytest.fixture(scope="module")
def navegar(chromium, playwright):
    """Roda roteiros de navegador_chaves.py, em um Chromium só, e devolve o que cada um viu."""

    def rodar(*pedidos):
        comando = [sys.executable, str(RAIZ / "tests" / "navegador" / "navegador_chaves.py"), chromium]
        ambiente = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": playwright, "NO_PROXY": "localhost,127.0.0.1"}
        feito = subprocess.run(comando, input=json.dumps(pedidos), env=ambiente, capture_output=True, text=True)
        assert feito.returncode == 0, feito.stderr[-3000:]
        return json.loads(feito.stdout)

    return rodar


@pytest.fixture(scope="module")
def visto(navegar, tmp_path_factory):
    """Tudo o que se faz no navegador, em um Chromium só: roteiro → o que ele viu."""
    pasta = tmp_path_factory.mktemp("chaves")
    endereco = pagina_estatica(plano_das_chaves(), pasta / "chaves.html").as_uri()
    ruins = []
    for i, (dados, _) in enumerate(RUINS):
        feita = pagina("ruim", fragmento(montar.modulo("chaves"), {"dados": dados}, "alt"))
        (pasta / f"{i}.html").write_text(feita, encoding="utf-8")
        ruins.append((pasta / f"{i}.html").as_uri())
    matrizes = f"{W_Q.tolist()}, {W_K.tolist()}"
    exemplos = json.dumps(plano_das_chaves().dados["treino"]["exemplos"])
    vetores = f"e.palavras.map(p => ({json.dumps(chaves.TABELA)})[p])"
    em_X = f"{exemplos}.map(e => ({{ X: {vetores}, n: e.quem, pista: e.pista }}))"
    casos = [f"procurar({X.tolist()}, 4, {matrizes})", f"perdaDasChaves({em_X}, {matrizes})"]
    pedidos = {
        "mexer": [endereco],
        "treinar": [endereco],
        "sem_movimento": [endereco],
        "com_o_dedo": [endereco],
        "nos_dois_temas": [endereco],
        "com_dados_ruins": [ruins],
        "contas": [montar.modulo("chaves").removesuffix(montar.FIM), casos],
    }
    return dict(zip(pedidos, navegar(*pedidos.items()), strict=True))


@pytest.mark.lento
def test_as_contas_do_navegador_sao_as_do_numpy_e_o_gradiente_o_do_torch(visto):
    procura, perda = visto["contas"]
    q, K = X[4] @ W_Q, X @ W_K
    A = np.exp(K @ q / np.sqrt(2)) / np.exp(K @ q / np.sqrt(2)).sum()
    for nome, certo in {"q": q, "K": K, "S": K @ q / np.sqrt(2), "A": A, "Y": A @ X[:, :2]}.items():
        assert np.abs(np.array(procura[nome]) - certo).max() < 1e-12, nome
    Ws = [torch.tensor(W, requires_grad=True) for W in (W_Q, W_K)]
    do_torch = chaves.perda_dos_telegramas(*chaves.em_tensores(), *Ws)
    assert perda["perda"] == pytest.approx(do_torch.item(), abs=1e-12)
    for nome, dW in zip(("dQ", "dK"), torch.autograd.grad(do_torch, Ws), strict=True):
        assert np.abs(np.array(perda[nome]) - dW.numpy()).max() < 1e-12


@pytest.mark.lento
def test_o_mouse_e_o_teclado_mexem_nos_numeros_e_a_consulta_acompanha(visto):
    mexido = visto["mexer"]
    assert mexido["no_comeco"].startswith("manga olha mais para si mesma, com 22\xa0% do peso.")
    assert mexido["arrastada"] != mexido["no_comeco"], "a ponta da consulta se arrasta"
    assert mexido["chave_puxada"] != mexido["arrastada"], "uma chave se arrasta, e W_K muda"
    assert mexido["de_volta"] == mexido["no_comeco"]
    assert mexido["quem"].startswith("comer "), "uma palavra escolhida no plano passa a procurar"
    assert mexido["com_foco"].startswith("consulta de manga"), "arrastada a ponta, as setas continuam"
    assert all(nome in mexido["legenda"] for nome in ("halo:", "linha azul:", "sombra:"))
    assert mexido["pelo_nome"].startswith("gosto "), "o nome escolhe como o ponto"
    assert mexido["de_fora"].endswith(" suco"), "uma palavra de fora entra na frase"
    assert mexido["chegou_ao_numero"] and mexido["numero"] == "0,70" and mexido["consulta"].endswith("em (0,70; 0,40)")
    assert mexido["chegou_a_ponta"] and mexido["ponta"].endswith("em (0,75; 0,65)")
    com = np.array(chaves.W_Q_DO_COMECO)
    com[1] = [0.75, 0.65]
    K = X @ np.array(chaves.W_K_DO_COMECO)
    S = K @ com[1] / np.sqrt(2)
    A = np.exp(S) / np.exp(S).sum()
    da_conta, da_W_Q, _ = mexido["tabelas"].values()
    certa = np.column_stack([X[:, :2], K, K @ com[1] / np.linalg.norm(com[1]), S, A])
    assert np.abs([[numero(x) for x in linha[1:]] for linha in da_conta] - certa).max() <= 0.005 + 1e-9
    assert [[numero(x) for x in linha[1:]] for linha in da_W_Q] == com.tolist()
    assert "A seta verde chega a" in mexido["falado"]
    assert mexido["alturas"][0] == mexido["alturas"][1], "uma frase que ainda se escreve não muda a altura"
    assert mexido["avisos"] == ["Não conheço “banana”", ""]
    assert mexido["fora"] == [] and mexido["erros"] == []


@pytest.mark.lento
def test_o_treino_se_ve_passo_a_passo_para_e_volta_ao_comeco(visto):
    treino = visto["treinar"]
    passos = [int(re.search(r"Passo (\d+)", p)[1]) for p in treino["placares"]]
    assert passos[0] == 0 and passos[1] == 1 and passos[1] < passos[2] < passos[3], "um passo, e depois andando"
    assert passos[4] == passos[5], "pausado, não anda"
    assert treino["escolhida"].startswith("comer "), "durante o treino se escolhe quem procura"
    assert treino["mexido"].startswith("Passo 0,"), "quem mexe em um número recomeça dali"
    assert treino["de_volta"] == treino["no_comeco"] and treino["botao"].startswith("Treinar")
    assert treino["erros"] == []


@pytest.mark.lento
def test_sem_animacoes_o_treino_chega_de_uma_vez_as_matrizes_do_pytorch(visto):
    fim = visto["sem_movimento"]
    assert "O treino parou" in fim["placar"] and "Em 40 de 40 telegramas" in fim["placar"]
    assert "O treino parou" in fim["falado"] and "manga olha mais para comer" in fim["falado"]
    _, *matrizes = fim["tabelas"].values()
    for lida, W in zip(matrizes, treinar_as_chaves(), strict=True):
        assert np.abs(np.array([[numero(x) for x in linha[1:]] for linha in lida]) - W).max() <= 0.005 + 1e-6


@pytest.mark.lento
def test_nos_dois_temas_no_celular_com_o_dedo_e_com_dados_ruins(visto):
    assert visto["nos_dois_temas"]["acesso"] == {"light": [], "dark": []}
    assert visto["nos_dois_temas"]["sobra_no_celular"] <= 0
    antes, depois, lados = visto["com_o_dedo"]
    assert antes != depois and all(largura == altura for largura, altura in lados), "a mesma escala nos dois eixos"
    for frase, (_, pedaco) in zip(visto["com_dados_ruins"], RUINS, strict=True):
        assert frase.startswith(pedaco)


@pytest.mark.lento
@pytest.mark.tudo
def test_no_jupyterlab_as_matrizes_que_a_pessoa_deixou_chegam_ao_python(navegar, tmp_path):
    fontes = [
        "from helpers.explorar import plano_das_chaves\ne = plano_das_chaves()\ne",
        'print("W_Q:", e.estado["W_Q"][1])',
    ]
    nbformat.write(
        nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f) for f in fontes]), tmp_path / "aula.ipynb"
    )
    aulas.executar(tmp_path / "aula.ipynb")
    assert "W_Q: [0.6, 0.4]" in (tmp_path / "aula.ipynb").read_text(encoding="utf-8")
    with o_lab(tmp_path) as lab:
        [visto] = navegar(("no_lab", [*lab, "aula.ipynb"]))
    assert visto["impresso"].strip() == "W_Q: [0.65, 0.4]" and visto["acesso"] == {"true": [], "false": []}
    assert visto["erros"] == []
