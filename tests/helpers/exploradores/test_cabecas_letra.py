"""*As cabeças* e *Letra por letra*: os números que o PyTorch dá, os pesos guardados e o GPT do aluno."""

import base64
import json
import os
import shutil
import subprocess
import sys

import nbformat
import numpy as np
import pytest
import torch
from conftest import RAIZ, instalar_a_parte, o_lab
from nbconvert import HTMLExporter
from torch import nn

from configuracao.saidas import CONTROLE
from gabarito import aulas
from gabarito.base import buscar
from gabarito.pacote import conteudo
from helpers import pesos_do_gpt, treino
from helpers.corpus import Corpus, carregar
from helpers.exploradores import montar
from helpers.exploradores.anfitriao import Explorador
from helpers.exploradores.cabecas import NA_SAIDA
from helpers.exploradores.pagina import fragmento, pagina
from helpers.explorar import as_cabecas, letra_por_letra, pagina_estatica
from helpers.gpt import GPT, gerar
from helpers.treino import EXPERIMENTOS, Experimento, Receita, treinos_guardados

MEGA = 1_000_000
COMECO = "To be, or not to b"
FRASE = ["Eu", "gosto", "de", "comer", "manga"]
TEXTO = "o rato roeu a roupa do rei de Roma\n"


class Tokenizador:
    """Como o da lista 08."""

    def __init__(self, texto):
        self.letras = ["<PAD>", *sorted(set(texto))]
        self.V = len(self.letras)

    def decodificar(self, ids):
        return "".join(self.letras[i] for i in ids)


def sorteados(*forma, causal=True, semente=0):
    """Pesos de atenção ao acaso, (L, H, T, T)."""
    S = torch.randn(*forma, generator=torch.Generator().manual_seed(semente)) * 2
    return (S + torch.full(forma[-2:], -torch.inf).triu(1) if causal else S).softmax(-1)


# ---------------------------------------------------------------- os pesos guardados


@pytest.fixture(scope="module")
def guardados():
    return pesos_do_gpt.ler()


def test_os_pesos_cabem_nos_limites_e_vao_no_pacote(guardados):
    arquivos = [guardados.pasta / p["arquivo"] for p in guardados.pontos]
    assert all(a.stat().st_size <= MEGA for a in arquivos)
    assert {a.relative_to(RAIZ).as_posix() for a in arquivos} <= {p.as_posix() for p in conteudo()}
    assert sum(p.numel() for p in guardados.modelo(-1).parameters()) == 408_704


def test_os_pontos_sao_do_treino_de_hoje_e_as_perdas_as_da_curva_dele(guardados):
    historia = treinos_guardados(guardados.treino)[0]
    curva = dict(zip(historia.passos, historia.validacao, strict=True))
    em_comum = [p for p in guardados.pontos if p["passo"] in curva]
    assert [p["passo"] for p in guardados.pontos] == list(pesos_do_gpt.PASSOS) and len(em_comum) == 3
    assert historia.semente == guardados.semente
    for ponto in em_comum:
        assert ponto["perda"] == pytest.approx(curva[ponto["passo"]], abs=0.01), ponto


@pytest.mark.lento
def test_a_perda_guardada_e_a_que_cada_modelo_da_no_texto_de_validacao(guardados):
    corpus = carregar()
    assert corpus.vocabulario == guardados.vocabulario
    medida = treino.amostra(corpus.validacao, 16)
    for i, ponto in enumerate(guardados.pontos):
        assert treino.avaliar(guardados.modelo(i), *medida) == pytest.approx(ponto["perda"], abs=2e-4), ponto
    regua = guardados.regua
    assert regua["nada"] == pytest.approx(np.log(corpus.V), abs=1e-3)
    perdas = [p["perda"] for p in guardados.pontos]
    assert perdas[0] > regua["nada"] > perdas[1] > regua["letras"] > perdas[2] > regua["pares"] > perdas[3] > perdas[4]


def test_treinar_com_a_opcao_pesos_guarda_os_passos_pedidos(tmp_path, monkeypatch, capsys):
    corpus = Corpus("de brinquedo", TEXTO * 40)
    receita = Receita(bloco=8, d=16, lote=8, passos=6, dropout=0.1)
    monkeypatch.setitem(EXPERIMENTOS, "pequena", Experimento(receita, sementes=(3,)))
    pesos_do_gpt.fazer("pequena", corpus, tmp_path, passos=(0, 4, 6))
    lidos = pesos_do_gpt.ler("pequena", tmp_path)
    assert [p["passo"] for p in lidos.pontos] == [0, 4, 6] and lidos.vocabulario == corpus.vocabulario
    inteiro = treino.construir(receita, corpus.V, 3)
    treino.treinar(inteiro, corpus, receita, 3)
    do_treino = {nome: p.half().float() for nome, p in inteiro.state_dict().items()}
    assert all(torch.equal(p, do_treino[nome]) for nome, p in lidos.modelo(-1).state_dict().items())
    monkeypatch.setitem(EXPERIMENTOS, "pequena", Experimento(receita, sementes=(4,)))
    with pytest.raises(
        ValueError, match="são de outra configuração; faça com: python curso.py treinar pequena --pesos"
    ):
        pesos_do_gpt.ler("pequena", tmp_path)
    with pytest.raises(FileNotFoundError, match="não estão guardados; faça com"):
        pesos_do_gpt.ler("melhor", tmp_path)


@pytest.mark.parametrize(("argumentos", "diz"), [([], "Diga de que treino"), (["janela"], "não tem atenção")])
def test_a_opcao_pesos_recusa_o_que_o_explorador_nao_abre(argumentos, diz, capsys):
    assert treino.main([*argumentos, "--pesos"]) == 2
    assert diz in capsys.readouterr().err


# ---------------------------------------------------------------- o GPT do aluno

CERTAS = buscar("lista-08/GPT").certas


@pytest.mark.parametrize("resposta", CERTAS, ids=[r.nome for r in CERTAS])
def test_todo_gpt_certo_da_lista_08_se_abre_com_os_numeros_dele(resposta):
    tokenizador = Tokenizador(TEXTO)
    torch.manual_seed(1)
    dele = resposta.funcao(tokenizador.V, 8, 16, 2, 4)
    estado = torch.random.get_rng_state()
    bruto, cabecas, vocabulario = pesos_do_gpt.do_aluno(dele, tokenizador)
    assert torch.equal(torch.random.get_rng_state(), estado) and dele.training, "abrir não muda nada de quem treina"
    assert cabecas == 4 and vocabulario == tokenizador.letras
    ids = torch.randint(1, tokenizador.V, (2, 8))
    with torch.no_grad():
        assert torch.allclose(pesos_do_gpt.de_bytes(bruto, cabecas)(ids)[0], dele.eval()(ids)[0], atol=5e-3)


def estragado(modelo):
    with torch.no_grad():
        modelo.blocos[0].qkv.weight[0, 0] = torch.nan
    return modelo


def do_aluno(**trocas):
    argumentos = {"V": Tokenizador(TEXTO).V, "bloco": 8, "d": 16, "camadas": 2, "cabecas": 2} | trocas
    return buscar("lista-08/GPT").referencia(*argumentos.values())


def de_outra_conta(nome):
    return next(e.funcao for e in buscar("lista-08/GPT").equivocos if e.nome == nome)(Tokenizador(TEXTO).V, 8, 16, 2, 2)


@pytest.mark.parametrize(
    ("modelo", "diz"),
    [
        (lambda: nn.Linear(2, 2), "Este modelo não tem “norma.bias”"),
        (lambda: estragado(do_aluno()), "Há um NaN, um infinito ou um número enorme em “blocos.0.mistura.qkv.weight”"),
        (lambda: do_aluno(d=512, bloco=64), "é grande demais para o navegador"),
        (lambda: do_aluno(V=9), "O modelo tem 9 tokens, e o tokenizador, 14"),
        (lambda: de_outra_conta("sem-norma-final"), "a conta do seu modelo é diferente"),
        (lambda: de_outra_conta("saida-com-peso-proprio"), "“saida.weight” sobra ou falta"),
        (lambda: de_outra_conta("alvos-obrigatorios"), "parou com um erro ao ler um texto de 8 caracteres"),
        (lambda: GPT(14, 8, 16, mistura=None), "sobra ou falta"),
        (lambda: "meu_gpt.pt", "Passe o modelo treinado, e não str"),
    ],
)
def test_do_que_nao_se_abre_se_diz_por_que(modelo, diz):
    visto = letra_por_letra(modelo(), Tokenizador(TEXTO))
    assert not isinstance(visto, Explorador) and diz in repr(visto)


def test_do_tokenizador_que_falta_ou_nao_serve_se_diz_por_que():
    class SemVolta(Tokenizador):
        def decodificar(self, ids):
            return "?"

    assert "Falta o tokenizador" in repr(letra_por_letra(do_aluno()))
    assert "não me deu o vocabulário" in repr(letra_por_letra(do_aluno(), object()))
    assert "um caractere só deles" in repr(letra_por_letra(do_aluno(), SemVolta(TEXTO)))


def test_o_gpt_do_aluno_abre_com_uma_linha_e_um_comeco_que_ele_conhece():
    aberto = letra_por_letra(do_aluno(), Tokenizador(TEXTO))
    assert isinstance(aberto, Explorador) and set(aberto.dados["texto"]) <= set(TEXTO) and "seu GPT" in aberto.alt
    assert letra_por_letra(do_aluno(), Tokenizador(TEXTO), texto="rei").dados["texto"] == "rei"


# ---------------------------------------------------------------- as saídas


def test_os_pesos_do_gpt_nao_ficam_na_saida_e_so_os_do_ultimo_passo_viajam_com_o_controle(guardados):
    aberto = letra_por_letra()
    dados, extras = aberto._repr_mimebundle_()
    assert CONTROLE in dados and "text/html" not in dados and "t 11 %" in extras["image/png"]["alt"]
    estado = aberto.get_state()
    assert estado.pop("bagagem") == guardados.pesos(-1) and len(guardados.pesos(-1)) <= MEGA
    assert len(json.dumps(dados)) < 100_000 and len(json.dumps(estado, default=str)) < 100_000


def test_a_pagina_com_todos_os_pontos_cabe_em_6_mb(tmp_path):
    assert pagina_estatica(letra_por_letra(), tmp_path / "letra.html").stat().st_size <= 6 * MEGA


def test_as_cabecas_de_um_modelo_pequeno_vao_na_saida_e_as_de_um_grande_so_em_imagem():
    pequeno, grande = (as_cabecas(sorteados(L, 9, T, T), ["a"] * T) for L, T in ((2, 16), (30, 64)))
    (da_pequena, _), (da_grande, extras) = pequeno._repr_mimebundle_(), grande._repr_mimebundle_()
    assert len(da_pequena["text/html"]) < NA_SAIDA + 150_000 and "text/html" not in da_grande
    assert len(json.dumps(da_grande)) < 400_000 and "30 camadas de 9" in extras["image/png"]["alt"]
    assert (
        da_pequena["text/html"] == as_cabecas(sorteados(2, 9, 16, 16), ["a"] * 16)._repr_mimebundle_()[0]["text/html"]
    )


@pytest.mark.parametrize(
    "pesos",
    [
        lambda A: A.numpy(),
        lambda A: A[:, None],  # com um lote de um texto só, como em GPT.mapas
        lambda A: list(A),
        lambda A: A.tolist(),
        lambda A: A.half(),
    ],
)
def test_os_pesos_servem_como_array_tensor_ou_lista_por_camada(pesos):
    A = sorteados(2, 3, 5, 5)
    assert as_cabecas(pesos(A), FRASE).dados == as_cabecas(A, FRASE).dados | {"causal": True}


def test_um_mapa_so_e_as_cabecas_de_uma_camada_tambem_servem():
    A = sorteados(2, 3, 5, 5, causal=False)
    assert as_cabecas(A[0, 0], FRASE).dados["camadas"] == as_cabecas(A[0, 0], FRASE).dados["cabecas"] == 1
    assert as_cabecas(A[0], FRASE).dados["cabecas"] == 3 and as_cabecas(A[0], FRASE).dados["causal"] is False


@pytest.mark.parametrize(
    ("pesos", "tokens", "diz"),
    [
        (lambda A: A[..., :3], FRASE, "a forma (2, 3, 5, 3)"),
        (lambda A: A[:0], FRASE, "a forma (0, 3, 5, 5)"),
        (lambda A: "pesos", FRASE, "algo que não é número"),
        (lambda A: [A[0], A[1, :2]], FRASE, "algo que não é número"),
        (lambda A: A.masked_fill(A.max() == A, torch.nan), FRASE, "Há um NaN ou um infinito nos pesos da camada"),
        (lambda A: A - 0.5, FRASE, "há um peso negativo, −0,50"),
        (lambda A: A * 2, FRASE, "Na camada 0, cabeça 0, a linha 0 soma 2,00"),
        (lambda A: A, FRASE[:3], "São 3 tokens, e os mapas são de 5 por 5"),
        (lambda A: torch.zeros(30, 16, 128, 128), ["a"] * 128, "Escolha menos camadas"),
    ],
)
def test_pesos_que_nao_servem_viram_uma_frase(pesos, tokens, diz):
    visto = as_cabecas(pesos(sorteados(2, 3, 5, 5)), tokens)
    assert not isinstance(visto, Explorador) and diz in repr(visto)
    assert "contadas a partir de 0" in repr(as_cabecas(sorteados(2, 3, 5, 5), FRASE, camada=2))


# ---------------------------------------------------------------- no navegador


@pytest.fixture(scope="module")
def navegar(tmp_path_factory):
    """Roda um roteiro de navegador_cabecas_letra.py e devolve o que ele viu."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("não há Chromium: apt install chromium")
    a_parte = instalar_a_parte("navegador.lock", tmp_path_factory.mktemp("playwright"))

    def rodar(roteiro, *argumentos):
        comando = [sys.executable, str(RAIZ / "tests" / "navegador" / "navegador_cabecas_letra.py"), chromium]
        ambiente = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": a_parte, "NO_PROXY": "localhost,127.0.0.1"}
        pedido = json.dumps([[roteiro, argumentos]])
        feito = subprocess.run(comando, input=pedido, env=ambiente, capture_output=True, text=True)
        assert feito.returncode == 0, feito.stderr[-3000:]
        return json.loads(feito.stdout)[0]

    return rodar


MAPAS = sorteados(3, 2, 5, 5, causal=False, semente=2)


@pytest.fixture(scope="module")
def paginas(tmp_path_factory):
    pasta = tmp_path_factory.mktemp("paginas")
    abertos = {"letra": letra_por_letra(), "cabecas": as_cabecas(MAPAS, FRASE)}
    return {nome: pagina_estatica(e, pasta / f"{nome}.html").as_uri() for nome, e in abertos.items()}


def lidos(tabela):
    return np.array([[float(x.replace(",", ".").replace("−", "-")) for x in linha[1:]] for linha in tabela])


class DoCurso:
    """O bastante de um corpus para `gerar`."""

    def __init__(self, guardados):
        self.vocabulario = guardados.vocabulario

    def codificar(self, texto):
        return torch.tensor([self.vocabulario.index(c) for c in texto])

    def decodificar(self, ids):
        return "".join(self.vocabulario[i] for i in ids.tolist())


def ordem(modelo, corpus, texto):
    """As letras, da mais provável à menos, segundo o PyTorch."""
    with torch.no_grad():
        z = modelo(corpus.codificar(texto[-16:])[None])[0][0, -1, 1:]
    return [corpus.vocabulario[1 + i] for i in z.argsort(descending=True).tolist()], z.sort(descending=True).values


def confere_letra(visto, guardados):
    """Clicadas, aceitas e geradas, as letras são as que o PyTorch daria; e as tabelas têm os números dele."""
    modelo, corpus = guardados.modelo(-1), DoCurso(guardados)
    assert visto["clicada"] == COMECO + ordem(modelo, corpus, COMECO)[0][2]
    assert visto["sorteada"][:-1] == visto["clicada"] and visto["geradas"].startswith(visto["sorteada"])
    assert "".join(visto["marcadas"]) == visto["geradas"].removeprefix(COMECO)
    assert visto["cabeca"].startswith("Camada 1, cabeça 0: a última letra")
    assert visto["aceitas"] == gerar(modelo, corpus, COMECO, 4, temperatura=0)
    segunda = ordem(modelo, corpus, visto["aceitas"])[0][1]
    assert visto["chegou_as_barras"] and visto["segunda"].endswith("%, aceitar")
    assert visto["com_a_segunda"] == visto["aceitas"] + segunda
    assert visto["chegou_as_cabecas"] and visto["outra_cabeca"] == "Camada 1, cabeça 1" and visto["chegou_ao_controle"]
    assert visto["gulosas"] == gerar(modelo, corpus, visto["com_a_segunda"], 20, temperatura=0)

    chances, olhares = visto["tabelas"].values()
    letras, logits = ordem(modelo, corpus, visto["inicial"])
    nomes = {" ": "espaço", "\n": "fim de linha"}
    assert [linha[0] for linha in chances[:30]] == [nomes.get(c, c) for c in letras[:30]]
    assert np.abs(lidos(chances)[:, 0] - logits.numpy()).max() <= 0.005 + 1e-3
    assert lidos(chances)[:, 1].tolist() == [1] + [0] * (len(letras) - 1)  # a temperatura ficou em 0
    mapas = modelo.mapas(corpus.codificar(visto["inicial"])[None])[:, 0, :, -1].flatten(0, 1)  # (4, T)
    assert np.abs(lidos(olhares) - torch.cat([mapas.mean(0)[None], mapas]).T.numpy()).max() <= 0.005 + 1e-3
    assert "a mais provável é" in visto["falado"]


def confere_cabecas(visto):
    assert visto["clicada"] == "Camada 2, cabeça 1" and visto["resumo"].startswith("Em média, o peso vai assim")
    assert visto["por_cima"].startswith(f"“{FRASE[2]}” olha mais para") and visto["pintado"]
    assert visto["escolhido"].startswith(f"“{FRASE[4]}” olha mais para") and visto["desfeito"] == visto["resumo"]
    escolhida, desfeita = visto["no_mapa"]
    assert escolhida.startswith(f"“{FRASE[0]}” olha mais para") and desfeita == visto["resumo"]
    de_quem = FRASE[MAPAS[2, 1, :, 1].argmax()]
    assert visto["olhado"].startswith(f"“{FRASE[1]}” é mais olhado por “{de_quem}” (")
    assert visto["nas_linhas"].startswith(f"“{FRASE[3]}” olha mais para") and visto["de_volta_ao_mapa"] == 1
    assert visto["pelas_setas"] == ["Camada 1, cabeça 1"] * 2
    maior = FRASE[MAPAS[1, 1, 2].argmax()]
    assert visto["chegou_aos_tokens"] and visto["token"][0] == f"{FRASE[2]}, token 3"
    assert visto["token"][1].startswith(f"“{FRASE[2]}” olha mais para “{maior}” (")
    assert visto["falado"] == visto["token"][1]
    (tabela,) = [t for legenda, t in visto["tabelas"].items() if "cabeça 1" in legenda]
    assert np.abs(lidos(tabela) - MAPAS[1, 1].numpy()).max() <= 0.005 + 1e-3


@pytest.mark.lento
def test_em_uma_pagina_os_dois_se_usam_pelo_mouse_e_pelo_teclado_sem_rede(navegar, paginas, guardados):
    visto = navegar("na_pagina", paginas, COMECO)
    confere_letra(visto["letra"], guardados)
    confere_cabecas(visto["cabecas"])
    ditos = visto["letra"]["treino"][::-1]
    assert [d[0].split(" · ")[0] for d in ditos] == [f"passo {p}" for p in pesos_do_gpt.PASSOS]
    pedacos = [
        "Ainda não sabe nada",
        "Já sabe quais letras",
        "Já sabe que letra",
        "Sabe mais do que quem só conta",
        "Sabe mais",
    ]
    assert all(d[1].startswith(pedaco) for d, pedaco in zip(ditos, pedacos, strict=True))
    for i, dito in enumerate(ditos):
        primeira = ordem(guardados.modelo(i), DoCurso(guardados), visto["letra"]["inicial"])[0][0]
        assert dito[2].startswith({" ": "espaço", "\n": "fim de linha"}.get(primeira, primeira) + ","), dito
    for nome, um in visto.items():
        assert um["fora"] == [] and um["erros"] == [], nome
        assert um["acesso"] == {"light": [], "dark": []}, nome
        assert um["sobra_no_celular"] <= 0, nome


@pytest.mark.lento
def test_os_logits_do_navegador_sao_os_do_pytorch(navegar, guardados, tmp_path):
    tokenizador = Tokenizador(TEXTO)
    torch.manual_seed(0)
    dele = next(r.funcao for r in CERTAS if r.nome == "com-o-bloco-do-torch")(tokenizador.V, 12, 24, 3, 3)
    (tmp_path / "dele").write_bytes(pesos_do_gpt.do_aluno(dele, tokenizador)[0])
    modelos = [(guardados.pasta / p["arquivo"], guardados.modelo(i)) for i, p in enumerate(guardados.pontos)]
    modelos += [(tmp_path / "dele", pesos_do_gpt.de_bytes((tmp_path / "dele").read_bytes(), 3))]
    sorte = torch.Generator().manual_seed(0)
    ids = [torch.randint(1, m.V, (1, T), generator=sorte) for _, m in modelos for T in (1, 7, m.bloco)]
    casos = [(a, m, ids.pop(0)) for a, m in modelos for _ in range(3)]
    pedidos = [(str(a), m.blocos[0].mistura.cabecas, x[0].tolist()) for a, m, x in casos]
    feitas = navegar("contas_do_gpt", montar.modulo("letra").removesuffix(montar.FIM), pedidos)
    for (arquivo, modelo, x), (logits, atencao) in zip(casos, feitas, strict=True):
        with torch.no_grad():
            assert (torch.tensor(logits) - modelo(x)[0].flatten()).abs().max() < 1e-3, arquivo
        assert (torch.tensor(atencao) - modelo.mapas(x).flatten()).abs().max() < 1e-4, arquivo


@pytest.mark.lento
def test_no_navegador_o_que_nao_serve_vira_uma_frase(navegar, paginas, tmp_path):
    bom, *ruins = navegar("textos_ruins", paginas["letra"], ["coração", "", "To be 🥭"])
    assert ruins[0][0].startswith("O modelo não conhece “ç” (é o 5º caractere)") and ruins[0][1] == ["çã"]
    assert ruins[1][0].startswith("Escreva ao menos uma letra") and "“🥭” (é o 7º caractere)" in ruins[2][0]
    assert bom[:3] == ["", [], 12] and all(r[2:] == bom[2:] for r in ruins), "o desenho fica, e a altura também"
    certo = {"tokens": ["a", "b"], "camadas": 1, "cabecas": 1, "causal": False}
    ruins = {
        "letra": [{"pontos": [{"arquivo": "x"}]}, {"vocabulario": ["<PAD>", "a"], "pontos": []}],
        "cabecas": [
            {},
            {"tokens": ["a"]},
            certo | {"pesos": np.ones(3, "<f2")},
            certo | {"pesos": np.full(4, np.nan, "<f2")},
        ],
    }
    enderecos = []
    for nome, casos in ruins.items():
        for i, dados in enumerate(casos):
            bytes_ = {"pesos": dados.pop("pesos").tobytes()} if "pesos" in dados else {}
            html = fragmento(montar.modulo(nome), {"dados": dados} | bytes_, "alt")
            (tmp_path / f"{nome}-{i}.html").write_text(pagina("ruim", html), encoding="utf-8")
            enderecos.append((tmp_path / f"{nome}-{i}.html").as_uri())
    pedacos = ["Faltam as letras", "Faltam os pesos do modelo", "Faltam os tokens", "Faltam os pesos de atenção"]
    pedacos += ["Os pesos de atenção não chegaram: eles não têm o tamanho certo"] * 2
    vistos = navegar("com_dados_ruins", enderecos)
    assert all(v.startswith(pedaco) for v, pedaco in zip(vistos, pedacos, strict=True)), vistos


@pytest.mark.lento
def test_com_o_kernel_ocupado_o_explorador_espera_diz_isso_e_ganha_vida_sozinho(navegar):
    letra, cabecas = letra_por_letra(), as_cabecas(MAPAS, FRASE)
    for aberto, nome in ((letra, "melhor-1200.safetensors"), (cabecas, "pesos")):
        programa = montar.modulo(aberto.modulo).removesuffix(montar.FIM)
        pesos = [nome, base64.b64encode(aberto.arquivos[nome]).decode()]
        sem_bagagem = {"dados": aberto.dados | {"bagagem": ""}}
        antes, erros = navegar("kernel_ocupado", programa, sem_bagagem, pesos)
        assert "O kernel está ocupado com outra célula." in antes and "não chegaram" not in antes and erros == []


# Uma cabeça de cada tipo, sobre “a b c a b c a b”, e uma que não se decide.
REPETE = list("abcabcab")


def de_um_tipo(alvos):
    """Um mapa causal (8, 8): em cada linha, 0,8 do peso nos `alvos` dela que já passaram, e o resto em todos."""
    A = torch.zeros(8, 8)
    for i in range(8):
        certos = [j for j in alvos(i) if 0 <= j <= i] or [i]
        A[i, certos] = 0.8 / len(certos)
        A[i, : i + 1] += 0.2 / (i + 1)
    return A


TIPOS = [
    de_um_tipo(lambda i: [i - 1]),
    de_um_tipo(lambda i: [0]),
    de_um_tipo(lambda i: [i]),
    de_um_tipo(lambda i: [i - 3, i - 6]),
    de_um_tipo(lambda i: [i - 2, i - 5]),  # o que veio depois da outra vez
    torch.tril(torch.ones(8, 8)) / torch.arange(1, 9)[:, None],
]


@pytest.mark.lento
def test_cada_cabeca_diz_o_que_mais_faz_e_ha_uma_caca(navegar, tmp_path):
    aberta = as_cabecas(torch.stack(TIPOS).reshape(2, 3, 8, 8), REPETE)
    visto = navegar("o_que_fazem", pagina_estatica(aberta, tmp_path / "tipos.html").as_uri())
    nomes = [f"Camada {l}, cabeça {c}" for l in (0, 1) for c in (0, 1, 2)]
    marcas = ["anterior", "sumidouro", "própria", "repetida", "indução"]
    com_marca = [f"{n}, {m}" for n, m in zip(nomes, marcas, strict=False)] + nomes[5:]
    assert visto["marcas"] == com_marca == visto["em_ordem"] and visto["na_caca"] == nomes
    comeco, errou, *acertos, _, _, ultima = visto["perguntas"]
    assert comeco.startswith("Pergunta 1 de 5.") and "espalha o peso" in errou and "Pergunta 1 de 5." in errou
    assert [a.split(". Perg")[0] for a in acertos] == [f"Acertou, e ganhou {n}" for n in (2, 3, 3, 3)]
    assert ultima == "Uma das que serviam era a seguinte: Camada 1, cabeça 1. Você fez 11 de 15 pontos."
    assert visto["acesso"] == [] and visto["erros"] == [] and visto["tem_campo"] == 0
    sem = TIPOS[1].numpy().copy()
    sem[:, 0] = 0
    sem[1:] /= sem[1:].sum(1, keepdims=True)
    assert np.abs(lidos(visto["tabela"]) - sem).max() <= 0.005 + 1e-3
    assert "0\xa0% para o primeiro" in visto["sem_primeiro"]


@pytest.mark.lento
def test_com_um_kernel_as_cabecas_leem_uma_frase_da_pessoa(navegar):
    aberta = as_cabecas(MAPAS, FRASE, leitor=lambda f: (sorteados(1, 2, len(f.split()), len(f.split())), f.split()))
    antes, bagagem = dict(aberta.dados), aberta.bagagem
    aberta.estado = {"camada": 0, "cabeca": 1}
    aberta.refazer("gosto de suco")
    assert aberta.dados["inicial"] == [0, 1], "a cabeça que se olhava continua à vista"
    assert aberta.dados["tokens"] == ["gosto", "de", "suco"] and aberta.arquivos["pesos"] == aberta.bagagem != bagagem
    em_base64 = [base64.b64encode(b).decode() for b in (bagagem, aberta.bagagem)]
    programa = montar.modulo("cabecas").removesuffix(montar.FIM)
    visto = navegar("uma_frase_sua", programa, antes, em_base64[0], aberta.dados, em_base64[1])
    assert visto["pedidos"] == [{"calcular": "gosto de suco"}] and visto["lendo"] == "O modelo está lendo a frase…"
    assert visto["recusada"] == "Essa não deu." and visto["tokens"] == ["gosto", "de", "suco"]
    assert visto["campo"] == "gosto de suco" and visto["acesso"] == [] and visto["erros"] == []


def test_de_uma_frase_que_o_leitor_nao_le_se_diz_por_que():
    def leitor(frase):
        if frase == "longa":
            return torch.zeros(30, 16, 128, 128), ["a"] * 128
        raise ValueError("ela tem um emoji.")

    aberta, ditas = as_cabecas(MAPAS, FRASE, leitor=leitor), []
    aberta.send = lambda mensagem: ditas.append(mensagem["recusado"])
    aberta.refazer("longa")
    aberta.refazer("🥭")
    assert "Escolha menos camadas" in ditas[0] and ditas[1] == "Não consegui ler essa frase: ela tem um emoji."
    assert aberta.dados["tokens"] == FRASE


@pytest.mark.lento
def test_o_explorador_tambem_escreve_em_portugues_e_compara_os_momentos_do_treino(navegar, paginas):
    visto = navegar("em_portugues", paginas["letra"])
    assert visto["comeco"] == "A palavra manga " and "as aulas deste curso" in visto["rotulo"]
    assert visto["depois"].startswith("o, ") and visto["no_comeco"].startswith("passo 0 ")
    assert visto["letras_a_vista"] == 32 and visto["cortados"] == 0
    passos = [f"passo {p}" for p in pesos_do_gpt.PASSOS_EM_PORTUGUES]
    assert [m.split("\n")[0] for m in visto["momentos"]] == passos and all(len(m) > 40 for m in visto["momentos"])
    assert visto["acesso"] == [] and visto["erros"] == [] and visto["fora"] == []


def test_o_modelo_em_portugues_cabe_inteiro_em_1_mb_e_e_do_texto_que_vai_com_o_curso():
    pontos, corpus = pesos_do_gpt.ler("portugues"), carregar("o-curso")
    assert sum(len(pontos.pesos(i)) for i in range(5)) <= MEGA and pontos.vocabulario == corpus.vocabulario
    assert corpus.sha256 == pesos_do_gpt.SHA256_DO_CURSO and "helpers/textos/o-curso.txt" in map(str, conteudo())
    medida = treino.amostra(corpus.validacao, 32)
    assert treino.avaliar(pontos.modelo(-1), *medida) == pytest.approx(pontos.pontos[-1]["perda"], abs=2e-4)


@pytest.fixture(scope="module")
def aula(tmp_path_factory):
    """Um notebook com os dois, executado e guardado como as aulas."""
    arquivo = tmp_path_factory.mktemp("aula") / "aula.ipynb"
    fontes = [
        "import numpy as np\nfrom helpers.explorar import as_cabecas, letra_por_letra",
        "e = letra_por_letra()\ne",
    ]
    fontes += [f"as_cabecas({MAPAS.tolist()}, {FRASE})", 'print("estado:", e.estado.get("texto"))']
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(fonte) for fonte in fontes])
    nbformat.write(nb, arquivo)
    aulas.executar(arquivo)
    return arquivo


@pytest.mark.lento
def test_a_aula_guardada_nao_tem_os_pesos(aula):
    assert aula.stat().st_size < 400_000 and CONTROLE not in aula.read_text(encoding="utf-8")
    saidas = [s.data for c in nbformat.read(aula, 4).cells for s in c.outputs if "data" in s]
    assert ["text/html" in d for d in saidas] == [False, True] and all("image/png" in d for d in saidas)


@pytest.mark.lento
def test_as_cabecas_de_um_notebook_exportado_ainda_se_movem(navegar, aula, tmp_path):
    sem_rede = {"require_js_url": "", "mathjax_url": "", "mermaid_js_url": "", "widget_renderer_url": ""}
    feito, _ = HTMLExporter(**sem_rede).from_filename(str(aula))
    (tmp_path / "aula.html").write_text(feito, encoding="utf-8")
    visto = navegar("exportadas", (tmp_path / "aula.html").as_uri())
    confere_cabecas(visto)
    assert visto["fora"] == [] and visto["erros"] == []


@pytest.mark.lento
@pytest.mark.tudo
def test_no_jupyterlab_os_pesos_vem_do_kernel_e_nao_ficam_no_notebook(navegar, aula, guardados):
    with o_lab(aula.parent) as lab:
        visto = navegar("no_lab", *lab, aula.name, COMECO)
    confere_letra(visto["letra"], guardados)
    confere_cabecas(visto["cabecas"])
    assert visto["celulas"][0] == visto["celulas"][1] and visto["acesso"] == {"true": [], "false": []}
    assert visto["no_kernel"].strip() == f"estado: {visto['letra']['inicial']}".strip()
    assert visto["fora"] == [] and visto["erros"] == [], visto["faltam"]
    assert aula.stat().st_size < 400_000
