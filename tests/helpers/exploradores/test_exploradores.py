"""Os exploradores: feitos do que está em fonte/, sem rede, com o teclado, e com os números que o NumPy dá."""

import json
import os
import re
import subprocess
import sys
from itertools import combinations

import nbformat
import numpy as np
import pytest
from conftest import RAIZ, o_lab
from nbconvert import HTMLExporter

from configuracao.saidas import CONTROLE, ao_salvar
from gabarito import aulas
from gabarito.pacote import conteudo
from helpers.desenho import PAPEIS
from helpers.exploradores import montar
from helpers.exploradores.anfitriao import Explorador
from helpers.exploradores.pagina import fragmento, pagina
from helpers.exploradores.plano import FRASE_DO_RATO, FRASES, TABELA, TABELA_DO_RATO
from helpers.explorar import conta_das_matrizes, pagina_estatica, plano_da_frase, plano_das_chaves

NOMES = montar.nomes()
FRASE = FRASES[0].split()
X = np.array([TABELA[p] for p in FRASE])  # (5, 2)
SORTEIO = np.random.default_rng(0)
W_Q, W_K, W_V = SORTEIO.normal(size=(2, 3)), SORTEIO.normal(size=(2, 3)), SORTEIO.normal(size=(2, 2))


def pesos(S):
    e = np.exp(S - S.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# ---------------------------------------------------------------- os módulos


@pytest.mark.parametrize("nome", NOMES)
def test_o_modulo_nao_pede_nada_a_rede_nem_a_outro_arquivo(nome):
    texto = montar.modulo(nome)
    assert set(re.findall(r"https?://[\w./]+", texto)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(import|fetch|XMLHttpRequest|WebSocket|eval|innerHTML|localStorage)\b", texto)
    assert texto.endswith(montar.FIM) and texto.count("export ") == 1


def test_os_modulos_juntos_cabem_em_250_kb_e_nao_levam_comentarios():
    textos = [montar.modulo(nome) for nome in NOMES]
    assert sum(len(texto.encode()) for texto in textos) <= 250_000
    for texto in textos:
        assert not re.search(r"^\s*(//|/\*\*)", texto.partition("\n")[2], re.MULTILINE)


def test_tirar_espacos_nao_mexe_no_que_esta_entre_aspas_ou_crases():
    assert montar.sem_espacos('f(a, b, "x, y = \\" => 1", `${a, b} = c`) === d') == (
        'f(a,b,"x, y = \\" => 1",`${a, b} = c`)===d'
    )
    for arquivo in montar.FONTE.rglob("*.js"):  # um texto entre crases dentro de outro se confundiria
        assert not re.search(r"`[^`]*\$\{[^}`]*`", arquivo.read_text(encoding="utf-8")), arquivo


def frases(no, caminho=""):
    if isinstance(no, str):
        yield caminho, no
    else:
        for chave, filho in no.items() if isinstance(no, dict) else enumerate(no):
            yield from frases(filho, f"{caminho}.{chave}".lstrip("."))


def test_o_catalogo_tem_os_textos_que_os_modulos_pedem_e_nenhum_a_mais():
    catalogo = dict(frases(montar.ler_json("textos.json")))
    fontes = [p.read_text("utf-8") for p in montar.FONTE.rglob("*.js")]
    fontes += [p.read_text("utf-8") for p in montar.PASTA.glob("*.py")]
    pedidos = set(re.findall(r"(?:texto|frase)\(\s*[\"']([\w.]+)[\"']", "\n".join(fontes)))
    assert pedidos - catalogo.keys() == set()
    tudo = "\n".join(fontes)
    soltos = [c for c in catalogo if c.split(".")[1] not in ("teclas", "titulo") and f"{c.split('.')[1]}" not in tudo]
    assert [c for c in soltos if not re.search(rf"{c.split('.')[1].rpartition('_')[0]}_\$", tudo)] == []


def test_o_catalogo_tem_aspas_curvas():
    for caminho, texto in frases(montar.ler_json("textos.json")):
        assert not re.search('[«»"]', texto), caminho


def contraste(a, b):
    def luz(cor):
        partes = [int(cor[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        lineares = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in partes]
        return 0.2126 * lineares[0] + 0.7152 * lineares[1] + 0.0722 * lineares[2]

    maior, menor = sorted((luz(a), luz(b)), reverse=True)
    return (maior + 0.05) / (menor + 0.05)


def test_as_letras_de_cada_cor_se_leem_nos_dois_temas_e_o_matplotlib_usa_as_mesmas_cores():
    cores = montar.papeis()
    assert {nome: cor["traco"] for nome, cor in cores.items()} == PAPEIS
    for nome, cor in cores.items():
        for tema in ("claro", "escuro"):
            assert contraste(cor[tema], montar.neutras(tema)["fundo"]) >= 4.5, (nome, tema)
    papeis = (*"QKVAX", "feed-forward", "posicoes", "destaque")
    assert len({cores[papel]["traco"] for papel in papeis}) == len(papeis)


def test_o_pacote_leva_tudo_o_que_ha_na_fonte():
    fonte = {p.relative_to(RAIZ) for p in montar.FONTE.rglob("*") if p.is_file()}
    assert len(fonte) > len(NOMES) and fonte <= set(conteudo())


# ---------------------------------------------------------------- o lado do Python


def test_a_manga_vai_para_o_lado_da_fruta_em_uma_frase_e_da_roupa_na_outra():
    assert "vai de (0,00; 1,00) para (0,21; 0,52)" in plano_da_frase(FRASES[0]).alt
    assert re.search(r"vai de \(0,00; 1,00\) para \(−0,1[67]; ", plano_da_frase(FRASES[1]).alt)
    assert "rei olha mais para Roma" in plano_da_frase(FRASE_DO_RATO, TABELA_DO_RATO, destaque="rei").alt


@pytest.mark.parametrize("fazer", [plano_da_frase, plano_das_chaves, lambda: conta_das_matrizes(X, FRASE)])
def test_a_saida_tem_imagem_com_texto_alternativo_e_um_html_que_se_repete(fazer):
    (dados, extras), (outra, _) = fazer()._repr_mimebundle_(), fazer()._repr_mimebundle_()
    assert CONTROLE in dados and len(extras["image/png"]["alt"]) > 40
    assert dados["text/html"] == outra["text/html"] and dados["text/plain"] == outra["text/plain"]
    assert extras["image/png"]["alt"].replace("“", "").split()[0] in dados["text/html"]
    assert len(dados["text/html"]) < 150_000 and not re.search(r'(src|href)="http', dados["text/html"])


@pytest.mark.parametrize(
    "recado, pedaco",
    [
        (lambda: plano_da_frase("Eu gosto de banana"), "Não conheço “banana”. As palavras que tenho são"),
        (lambda: plano_da_frase("  "), "Falta a frase"),
        (lambda: plano_da_frase(["...", "manga"]), "A frase está vazia"),
        (lambda: plano_da_frase(tabela={"manga": [0, np.nan]}, frases="manga"), "tem um NaN na posição [1]"),
        (lambda: plano_da_frase(tabela={"manga": [0, 1, 2]}, frases="manga"), "tem a forma (3,)"),
        (lambda: plano_da_frase(tabela={"manga": ["a", "b"]}, frases="manga"), "não é número"),
        (lambda: plano_da_frase(temperatura=0), "A temperatura vai de"),
        (lambda: plano_da_frase(cabecas={"c": {"W_Q": np.eye(3), "W_K": np.eye(2)}}), "W_Q de “c” tem a forma (3, 3)"),
        (lambda: conta_das_matrizes(X, FRASE[:2]), "X tem 5 linhas"),
        (lambda: conta_das_matrizes(X[0], FRASE), "X tem a forma (2,)"),
        (lambda: conta_das_matrizes(X + np.inf, FRASE), "X tem um infinito na posição [0, 0]"),
        (lambda: conta_das_matrizes(X, FRASE, W_Q), "com 2 linhas cada"),
        (lambda: conta_das_matrizes(np.ones((3, 40)), FRASE[:3]), "até 16 linhas"),
        (lambda: conta_das_matrizes(X, FRASE, ate="Z"), "“S”, “A” ou “Y”"),
        (lambda: conta_das_matrizes(X, FRASE, colunas=["alto"]), "X tem 2 colunas, e vieram 1 nomes"),
    ],
)
def test_dados_ruins_viram_uma_frase_e_nao_um_erro(recado, pedaco):
    visto = recado()
    assert not isinstance(visto, Explorador) and pedaco in repr(visto) and pedaco.split("“")[0] in visto._repr_html_()


def test_um_texto_nos_dados_nao_fecha_o_script():
    feito = fragmento(montar.modulo("plano"), {"dados": {"problema": "</script><img src=x onerror=alert(1)>"}}, "a <b>")
    assert feito.count("</script>") == 1 and "<img" not in feito and "a &lt;b&gt;" in feito


def test_ao_salvar_sai_o_controle_vivo_e_fica_a_imagem():
    vivo = {"data": {CONTROLE: {}, "image/png": "", "text/html": ""}}
    celulas = [{"outputs": [vivo, {"data": {CONTROLE: {}}}, {"name": "stdout"}]}, {"cell_type": "markdown"}]
    ao_salvar(model={"type": "notebook", "content": {"cells": celulas}}, path="a")
    assert celulas[0]["outputs"] == [{"data": {"image/png": "", "text/html": ""}}, {"name": "stdout"}]
    ao_salvar(model={"type": "file", "content": "texto"}, path="b")
    ao_salvar(model={"type": "notebook", "content": None}, path="c")


# ---------------------------------------------------------------- no navegador


@pytest.fixture(scope="module")
def navegar(chromium, playwright):
    """Roda roteiros de navegador_exploradores.py, em um Chromium só, e devolve o que cada um viu."""

    def rodar(*pedidos):
        comando = [sys.executable, str(RAIZ / "tests" / "navegador" / "navegador_exploradores.py"), chromium]
        ambiente = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": playwright, "NO_PROXY": "localhost,127.0.0.1"}
        feito = subprocess.run(comando, input=json.dumps(pedidos), env=ambiente, capture_output=True, text=True)
        assert feito.returncode == 0, feito.stderr[-3000:]
        return json.loads(feito.stdout)

    return rodar


@pytest.fixture(scope="module")
def paginas(tmp_path_factory):
    """O endereço, em file://, de uma página de cada explorador."""
    pasta = tmp_path_factory.mktemp("paginas")
    exploradores = {"plano": plano_da_frase(escala=False), "conta": conta_das_matrizes(X, FRASE, W_Q, W_K, W_V)}
    return {nome: pagina_estatica(e, pasta / f"{nome}.html").as_uri() for nome, e in exploradores.items()}


def confere_plano(visto):
    """O que se fez com o mouse e com o teclado no plano deu os números do NumPy."""
    assert visto["no_comeco"] == visto["de_volta"] and "para (0,21; 0,52)" in visto["no_comeco"]
    assert visto["arrastada"] != visto["no_comeco"]
    assert visto["temperatura_de_volta"] == "1,00" and visto["frase_de_volta"] == FRASES[0]
    assert visto["chegou_ao_ponto"] and visto["ponto"] == "manga, em 0,10 e 0,75" and visto["chegou_a_temperatura"]
    movida = np.where(np.array(FRASE)[:, None] == "manga", [0.10, 0.75], X)
    A = pesos(movida @ movida.T / 16)  # o controle foi ao fim: temperatura 16
    (dos_pesos, dos_lugares) = visto["tabelas"].values()
    lidos = [[float(x.replace(",", ".").replace("−", "-")) for x in linha[1:]] for linha in dos_pesos]
    assert np.abs(np.array(lidos) - A).max() <= 0.005 + 1e-9
    lugares = [[float(x.replace(",", ".").replace("−", "-")) for x in linha[1:]] for linha in dos_lugares]
    assert np.abs(np.array(lugares) - np.hstack([movida, A @ movida])).max() <= 0.005 + 1e-9
    assert "T" in visto["teclas"] and "?" in visto["teclas"]
    assert "manga olha mais para comer" in visto["falado"]


def confere_conta(visto):
    assert len(visto["passos"]) == 6 and visto["acesas"] == 6  # as cinco da linha de S e a casa apontada
    S = X @ W_Q @ (X @ W_K).T / np.sqrt(3)
    valor = f"{pesos(S)[0, 1]:.2f}".replace(".", ",")
    assert visto["com_o_mouse"].startswith("A, linha Eu, coluna gosto") and visto["com_o_mouse"].endswith(valor)
    assert visto["chegou_a_grade"] and visto["casa"].startswith("linha gosto, coluna gosto: ")
    assert "√3" in visto["soma"] and visto["falado"].startswith("S, linha gosto, coluna gosto")
    lidos = [
        [float(x.replace(",", ".").replace("−", "-")) for x in linha[1:]] for linha in visto["tabelas"]["S (5 × 5)"]
    ]
    assert np.abs(np.array(lidos) - S).max() <= 0.005 + 1e-9


@pytest.fixture(scope="module")
def aula(tmp_path_factory):
    """Uma aula com dois exploradores, executada e guardada como as do curso."""
    pasta = tmp_path_factory.mktemp("aula")
    nb = nbformat.v4.new_notebook()
    preparo = "import numpy as np\nfrom helpers.explorar import conta_das_matrizes, plano_da_frase"
    conta = f"W_Q, W_K, W_V = (np.array(W) for W in {[W_Q.tolist(), W_K.tolist(), W_V.tolist()]})\n"
    conta += f"conta_das_matrizes({X.tolist()}, {FRASE}, W_Q, W_K, W_V)"
    fontes = [preparo, "e = plano_da_frase(escala=False)\ne", conta, 'print("frase:", e.estado.get("frase"))']
    nb.cells = [nbformat.v4.new_code_cell(fonte) for fonte in fontes]
    nbformat.write(nb, pasta / "aula.ipynb")
    aulas.executar(pasta / "aula.ipynb")
    return pasta / "aula.ipynb"


RUINS = [
    ("plano", {"frases": [], "tabela": {"a": [0, 0]}}, "Falta a frase"),
    ("plano", {"frases": ["a"], "tabela": {}}, "Falta a tabela"),
    ("plano", {"frases": ["a"], "tabela": {"a": [0, None]}}, "O vetor de “a”"),
    (
        "plano",
        {"frases": ["a"], "tabela": {"a": [0, 1]}, "cabecas": [{"nome": "c", "W_Q": [[1]]}]},
        "As projeções de “c”",
    ),
    ("plano", {"problema": "Não deu <b>certo</b>."}, "Não deu <b>certo</b>."),
    ("conta", {"X": [[1, 2], [3]], "palavras": ["a", "b"]}, "X precisa ter"),
    ("conta", {"X": [[1, 2], [3, 4]], "palavras": []}, "X tem 2 linhas"),
    ("conta", {}, "X precisa ter"),
]
FRASES_RUINS = {
    "Eu gosto de banana": "Não conheço “banana”. As palavras que tenho são a, abacaxi",
    "": "A frase está vazia",
    "a " * 20: "A frase ficou comprida",
}
CABECA = {"nome": "c", "W_Q": W_Q.tolist(), "W_K": W_K.tolist(), "W_V": W_V.tolist()}
ESCOLHAS = {"palavras": FRASE, "frente": 4, "pontos": {}, "temperatura": 1, "escala": False, "dimensao": None}
ESCOLHAS |= {"projecoes": False, "cabeca": 0}
VARIANTES = [{}, {"temperatura": 0.25}, {"escala": True}, {"dimensao": 128}, {"dimensao": 128, "escala": True}]
VARIANTES += [{"projecoes": True}, {"projecoes": True, "escala": True, "pontos": {"comer": [-1, 0.5]}}]


def ruim(pasta, nome, dados):
    """Uma página cujos dados não servem, sem que o Python os tenha visto."""
    arquivo = pasta / f"{nome}-{len(list(pasta.iterdir()))}.html"
    arquivo.write_text(pagina("ruim", fragmento(montar.modulo(nome), {"dados": dados}, "alt")), encoding="utf-8")
    return arquivo.as_uri()


@pytest.fixture(scope="module")
def visto(navegar, paginas, aula, tmp_path_factory):
    """Tudo o que se faz fora do JupyterLab, em um Chromium só: roteiro → o que ele viu."""
    pasta = tmp_path_factory.mktemp("ruins")
    dados = json.dumps({"tabela": {p: list(x) for p, x in TABELA.items()}, "cabecas": [CABECA]})
    casos = [f"contaDoPlano({dados}, {json.dumps(ESCOLHAS | v)}).map(c => [c.A, c.Y])" for v in VARIANTES]
    sem_rede = {"require_js_url": "", "mathjax_url": "", "mermaid_js_url": "", "widget_renderer_url": ""}
    exportada = pasta.parent / "aula.html"
    exportada.write_text(HTMLExporter(**sem_rede).from_filename(str(aula))[0], encoding="utf-8")
    com_nomes = conta_das_matrizes(X, FRASE, W_Q, W_K, W_V, colunas=("direita", "alto"))
    com_nomes = pagina_estatica(com_nomes, pasta.parent / "com-nomes.html").as_uri()
    dois = "".join(e.em_html() for e in (plano_da_frase(), conta_das_matrizes(X, FRASE, W_Q, W_K, W_V)))
    (pasta.parent / "dois.html").write_text(
        pagina("dois", f'<input id="outro" aria-label="x">{dois}'), encoding="utf-8"
    )
    inteira = pagina_estatica(plano_da_frase(), pasta.parent / "inteira.html").as_uri()
    pedidos = {
        "na_pagina": [paginas],
        "com_o_dedo": [paginas["plano"]],
        "com_dados_ruins": [[ruim(pasta, nome, dados) for nome, dados, _ in RUINS]],
        "frases_ruins": [paginas["plano"], list(FRASES_RUINS)],
        "letra_a_letra": [paginas["plano"], "Ele vai comer suc"],
        "escalas": [paginas["plano"]],
        "brincar": [inteira],
        "mexer_na_conta": [com_nomes],
        "em_outra_pagina": [(pasta.parent / "dois.html").as_uri()],
        "contas": [montar.modulo("plano").removesuffix(montar.FIM), casos],
        "exportado": [exportada.as_uri()],
    }
    return dict(zip(pedidos, navegar(*pedidos.items()), strict=True))


@pytest.mark.lento
@pytest.mark.parametrize("nome", ["plano", "conta"])
def test_em_uma_pagina_o_explorador_se_usa_pelo_mouse_e_pelo_teclado_sem_rede(visto, nome):
    um = visto["na_pagina"][nome]
    {"plano": confere_plano, "conta": confere_conta}[nome](um)
    assert um["fora"] == [] and um["erros"] == []
    assert um["acesso"] == {"light": [], "dark": []}
    assert um["sobra_no_celular"] <= 0


@pytest.mark.lento
def test_o_dedo_move_a_palavra_e_fora_dela_rola_a_pagina(visto):
    antes, depois, parada, rolada = visto["com_o_dedo"]
    assert "vai de (0,00; 1,00)" in antes and re.search(r"vai de \(0,[2-6]\d; (1,0|0,9)\d\)", depois)
    assert parada == 0 and rolada > 50


@pytest.mark.lento
def test_as_contas_do_navegador_sao_as_do_numpy(visto):
    for variante, feitas in zip(VARIANTES, visto["contas"], strict=True):
        v = ESCOLHAS | variante
        x = np.array([v["pontos"].get(p, TABELA[p]) for p in FRASE])
        Q, K, V = (x @ W for W in (W_Q, W_K, W_V)) if v["projecoes"] else (x, x, x)
        d_k = v["dimensao"] or K.shape[1]
        S = Q @ K.T * np.sqrt((v["dimensao"] or 2) / 2) / v["temperatura"] / (np.sqrt(d_k) if v["escala"] else 1)
        [(A, Y)] = feitas
        assert np.abs(np.array(A) - pesos(S)).max() < 1e-12 and np.abs(Y - pesos(S) @ V).max() < 1e-12


@pytest.mark.lento
def test_no_navegador_dados_e_frases_ruins_viram_uma_frase(visto):
    for frase, (_, _, pedaco) in zip(visto["com_dados_ruins"], RUINS, strict=True):
        assert frase.startswith(pedaco)
    for (aviso, pontos), pedaco in zip(visto["frases_ruins"], FRASES_RUINS.values(), strict=True):
        assert aviso.startswith(pedaco) and pontos == 5


@pytest.mark.lento
def test_enquanto_se_escreve_o_plano_fica_no_lugar_e_enter_completa_a_palavra(visto):
    escrita = visto["letra_a_letra"]
    assert len(set(escrita["alturas"])) == 1 and min(escrita["pontos"]) >= 1
    assert escrita["sugestoes"][0].startswith("suco") and escrita["completa"] == "Ele vai comer suco"
    assert escrita["fichas"] == ["Ele", "vai", "comer", "suco"]


@pytest.mark.lento
def test_uma_unidade_tem_o_mesmo_tamanho_nos_dois_eixos_em_qualquer_tela(visto):
    for x, y in visto["escalas"]:
        assert x == pytest.approx(y, abs=0.01) and x > 50


@pytest.mark.lento
def test_no_plano_se_brinca_com_a_frase_as_camadas_e_os_desafios(visto):
    v = visto["brincar"]
    assert v["com_suco"] == [*FRASE, "suco"] and v["arrastada"] == ["suco", *FRASE] and v["tirada"] == FRASE
    assert v["pelas_setas"] == [["Eu", "gosto", "de", "manga", "comer"], "manga"]
    assert v["sem_de"] == [["Eu", "gosto", "manga", "comer"], "manga"]
    assert "as palavras todas couberam quase no mesmo ponto" in v["doze_camadas"]
    assert "para (0,21; 0,52)" in v["zero_camadas"][0] and v["zero_camadas"][1] == "0"
    falta, chegou, outro, parada = v["desafios"]
    assert "A frase tem 3 palavras, e o desafio pede 4." in falta and chegou.endswith("Chegou!")
    assert "Faltam" in outro and "A frase tem 4 palavras, e o desafio pede 5." in parada
    assert v["cobertas"] == []
    assert v["pelo_nome"].startswith("Sem contar ela mesma, comer olha"), "o nome escolhe como o ponto"
    assert v["com_lua"] == [[*FRASE, "lua"], 0], "arrastada, uma palavra de fora entra na frase"
    assert v["acesso"] == [] and v["erros"] == []


@pytest.mark.lento
def test_na_conta_um_numero_se_muda_no_lugar_e_tudo_depois_dele_segue(visto):
    v = visto["mexer_na_conta"]
    assert v["pelos_n"] == [["2", True], ["3", True], ["4", True]], "o foco continua em uma casa"

    def escrito(M):
        return [f"{x:.2f}".replace(".", ",").replace("-", "−").replace("−0,00", "0,00") for x in M.ravel()]

    assert v["aponta"][0].startswith("Q, linha manga,") and v["aponta"][1].endswith("coluna q3")
    assert v["escolhido"] == "9", "um clique escolhe o número inteiro"
    outra = W_Q.copy()
    outra[1, 0] = 9
    assert v["nao_e_numero"] == ["true", escrito(X @ outra)[0]], "fica a conta do último número que serviu"
    outra[1, 0] = -2.4
    assert v["mudado"] == ["−2,40", "W_Q, linha alto, coluna q1", escrito(X @ outra)]
    assert len(v["voam"]) == 2  # um número da linha e um da coluna
    Y = pesos(X @ outra @ (X @ W_K).T / np.sqrt(3)) @ X @ W_V
    x, y = escrito(Y[FRASE.index(v["seta"].split("“")[1].split("”")[0])])
    assert v["Y"] == escrito(Y) and v["seta"].endswith(f"({x}; {y}).")
    assert "× 10⁶" in v["grandes"][0] or "× 10⁷" in v["grandes"][0]
    assert not any("e+" in grande for grande in v["grandes"]) and "As exponenciais estourariam" in v["grandes"][1]
    assert v["de_volta"] == escrito(pesos(X @ W_Q @ (X @ W_K).T / np.sqrt(3)) @ X @ W_V)
    assert v["acesso"] == [] and v["erros"] == []


@pytest.mark.lento
def test_em_uma_pagina_com_tema_proprio_os_exploradores_o_seguem(visto):
    escuro, claro = ["escuro"] * 2, ["claro"] * 2
    assert visto["em_outra_pagina"]["temas"] == [escuro, claro, escuro, escuro]  # “auto” e nenhum: o do sistema


@pytest.mark.lento
def test_a_tecla_e_de_quem_tem_o_foco_ou_o_ponteiro_e_de_mais_ninguem(visto):
    ninguem, no_plano, na_conta, com_foco, em_um_campo, ainda_no_campo = visto["em_outra_pagina"]["teclas"]
    assert ninguem == ["0", "1"] and no_plano == ["1", "1"] and na_conta == ["1", "2"]
    assert com_foco == ["2", "2"] and em_um_campo == ainda_no_campo == com_foco
    assert visto["em_outra_pagina"]["escrito"] == "cncn"


def test_todo_desafio_tem_muitas_solucoes_mas_nao_se_resolve_ao_acaso():
    manga, outras = np.array(TABELA["manga"]), np.array([x for p, x in TABELA.items() if p != "manga"])
    for d in plano_da_frase().dados["desafios"]:
        frases = np.array(list(combinations(range(len(outras)), d["palavras"] - 1)))  # sem palavras repetidas
        x = np.concatenate([outras[frases], np.broadcast_to(manga, (len(frases), 1, 2))], axis=1)
        y = np.einsum("fn,fnd->fd", pesos(x @ manga), x)
        resolvem = np.hypot(*(y - TABELA[d["alvo"]]).T) <= d["raio"]
        assert 20 <= resolvem.sum() <= 0.05 * len(frases), d
        ja_aberta = np.array([TABELA[p] for p in FRASES[0].split()])
        longe = np.hypot(*(pesos(ja_aberta @ manga) @ ja_aberta - TABELA[d["alvo"]]))
        assert longe > d["raio"] or d["palavras"] != len(ja_aberta), d
    assert plano_da_frase(escala=False).dados["desafios"] == []


@pytest.mark.lento
def test_um_notebook_exportado_pelo_nbconvert_ainda_se_move(visto):
    exportado = visto["exportado"]
    confere_plano(exportado["plano"])
    assert len(exportado["conta"]["passos"]) == 6 and exportado["imagens"] == 0
    assert exportado["fora"] == [] and exportado["erros"] == []


@pytest.mark.tudo
@pytest.mark.lento
def test_a_aula_guardada_passa_no_nbval_e_nao_tem_controle_vivo(aula):
    assert CONTROLE not in aula.read_text(encoding="utf-8") and "image/png" in aula.read_text(encoding="utf-8")
    comando = [
        sys.executable,
        "-m",
        "pytest",
        "--nbval",
        "--nbval-current-env",
        "-p",
        "no:cacheprovider",
        "-q",
        str(aula),
    ]
    feito = subprocess.run(comando, cwd=RAIZ, capture_output=True, text=True)
    assert feito.returncode == 0, feito.stdout[-2000:]


@pytest.fixture(scope="module")
def lab(aula):
    """O endereço e o token do JupyterLab do curso, aberto na pasta da aula."""
    with o_lab(aula.parent) as aberto:
        yield aberto


@pytest.mark.lento
def test_no_jupyterlab_a_imagem_vem_antes_e_o_explorador_vivo_depois(navegar, aula, lab):
    [visto] = navegar(["no_lab", [*lab, aula.name]])
    assert visto["vivos_antes"] == 0 and len(visto["antes"]) == 2 and all("manga" in alt for alt in visto["antes"])
    confere_plano(visto["plano"])
    confere_conta(visto["conta"])
    assert len(set(visto["celulas"])) == 1
    assert visto["acesso"] == {"true": [], "false": []}
    assert visto["no_kernel"].strip() == f"frase: {FRASES[0]}"
    assert visto["fora"] == [] and visto["erros"] == []
    guardado = nbformat.read(aula, as_version=4)
    saidas = [s for c in guardado.cells for s in c.outputs if "image/png" in s.get("data", {})]
    assert len(saidas) == 2 and all("text/html" in s.data and CONTROLE not in s.data for s in saidas)
    antes, depois = visto["reaberto"]
    assert "para (0,21; 0,52)" in antes and "vai de (−0,05; 1,00)" in depois
