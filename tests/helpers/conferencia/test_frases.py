"""O que se diz a quem errou: cada frase é escolhida pelo que de fato aconteceu, e leva ao conserto."""

import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from conftest import RAIZ, listas, questoes
from escritas import blocos, dito, escrever

from correcao.juizo import evidencia
from gabarito import base
from gabarito.base import buscar, caso, questao
from gabarito.tabela import DeclaracaoErrada
from helpers.conferencia import pistas
from helpers.conferencia.aposta import canonico
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.erros import explicar_erro
from helpers.conferencia.execucao import Registro, executar
from helpers.conferencia.flagrante import descrever
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.referencia import carregar
from helpers.conferencia.relacoes import relacao
from helpers.conferir import confira

NOVATOS = blocos(Path(__file__).with_name("novatos.txt"))

# ---------------------------------------------------------------- os erros


@pytest.mark.parametrize(("questao", "trecho", "celula"), NOVATOS, ids=lambda x: x[:60] if "\n" not in x else "")
def test_cada_tropeco_de_principiante_ouve_o_que_leva_ao_conserto(questao, trecho, celula):
    assert trecho in str(dito(questao, celula))


def test_so_se_fala_de_keepdims_onde_um_eixo_sumiu():
    com = "def cosseno(X):\n    return X / X.sum(axis=1)"
    sem = "def cosseno(X):\n    n = np.arange(len(X))\n    return X / n"
    assert "faltou um keepdims=True?" in str(dito("lista-01/cosseno", com))
    frase = str(dito("lista-01/cosseno", sem))
    assert "keepdims" not in frase and "À forma (3,) falta um eixo no fim" in frase


def test_o_torch_que_nao_sabe_fazer_a_conta_nao_e_uma_funcao_por_escrever():
    frase = str(dito("lista-07/layer_norm", "def layer_norm(x, gama, beta, eps=1e-5):\n    return torch.bincount(x)"))
    assert "ainda não foi escrita" not in frase and ".float()" in frase
    frase = str(dito("lista-07/layer_norm", "def layer_norm(x, gama, beta, eps=1e-5):\n    raise NotImplementedError"))
    assert "ainda não foi escrita" in frase


def test_o_erro_que_o_proprio_aluno_lanca_fora_de_hora_e_dito_assim():
    celula = (
        "def dividir_cabecas(X, h):\n    if X.shape[1] % h == 0:\n        raise ValueError('não divide')\n    return X"
    )
    assert "vem do seu próprio raise" in str(dito("lista-05/dividir_cabecas", celula))


def test_o_erro_em_outra_funcao_mostra_tambem_de_onde_ela_foi_chamada():
    celula = "def metade(v):\n    return v.meio()\n\ndef softmax(x, eixo=-1):\n    return metade(x * 2)"
    frase = str(dito("lista-02/softmax", celula))
    assert "(em `metade`, linha 2: return v.meio(); chamada na linha 5: return metade(x * 2))" in frase


@pytest.mark.parametrize(
    ("celula", "trecho"),
    [
        ("def similaridades(X):\n    return np.summ(X * X)", "Você quis dizer `sum`?"),
        ("def similaridades(X):\n    total = X @ X.T\n    return totl", "Você quis dizer `total`?"),
        ("def similaridades(X):\n    return math.fsum(X[0] * X[1])", "Falta `import math`"),
        ("def similaridades(X):\n    for x in X:\n        soma += x\n    return soma", "Falta começar com um"),
        ("def similaridades(X):\n    for i, x in X[0, :1]:\n        pass", "Falta um enumerate, ou um zip?"),
        ("def similaridades(X):\n    for i in len(X):\n        pass", "use range(n)"),
        ("def similaridades(X):\n    if X[0] > 0 and X[1] > 0:\n        return 1.0", "use `&`, `|` e `~`"),
        ("def similaridades(X):\n    return X(0) * X(0)", "use colchetes"),
        ("def similaridades(X):\n    return sum([1.0, 2.0] * 0.5)", "Transforme-a antes: np.array(…)"),
    ],
)
def test_nomes_lacos_e_listas_tem_as_suas_frases(celula, trecho):
    assert trecho in str(dito("lista-01/similaridades", celula))


@pytest.mark.parametrize(
    ("valor", "texto"),
    [
        (np.ones((2, 3)), "um array de forma (2, 3)"),
        (0.0, "um float igual a zero"),
        (np.int64(3), "um int"),
        ((1, 2), "uma tupla de 2"),
        (None, "None"),
        (len, "uma função"),
        (True, "um bool"),
    ],
)
def test_de_um_valor_so_se_guarda_o_que_ele_e(valor, texto):
    assert descrever(valor) == texto


# ---------------------------------------------------------------- na correção, a mesma frase


def julgar(questao: str, resposta, semente: int = 3, mexer=lambda registros: registros):
    q = buscar(questao)
    pedido = evidencia.pedido(q, semente)
    registros = executar(q.adaptar(resposta), pedido["casos"], resposta=resposta)
    dados = [r.como_dados() for r in registros]
    return evidencia.julgar(
        q, semente, codificar_evidencia({"questao": questao, "chamada": None, "registros": mexer(dados)})
    )


@pytest.mark.parametrize("qual", [0, 11, 14])  # um erro, um return dentro do laço, outro erro
def test_quem_erra_nos_casos_visiveis_le_na_correcao_o_mesmo_que_leu_ao_conferir(qual):
    questao, _, celula = NOVATOS[qual]
    resposta = escrever(questao, celula)
    no_notebook, _, onde = str(dito(questao, resposta)).partition(" Olhe ")
    # onde olhar, a correção procura depois, em outra caixa (tests/correcao/juizo/test_onde_olhar.py)
    assert julgar(questao, resposta).frase == no_notebook and bool(onde) == (qual == 14)


@pytest.mark.parametrize(
    "forjado",
    [
        {"trecho": "(" * 10**5},
        {"trecho": "-" * 199 + "x"},
        {"trecho": ["x"], "valores": 3, "origens": [], "parecido": None},
        {"valores": {"x" * 10**5: "um tensor de forma (" + "9" * 10**5, "y": [1]}, "origens": {"x": "y" * 10**5}},
    ],
    ids=["parênteses sem fim", "sinais sem fim", "tipos trocados", "nomes sem fim"],
)
def test_o_que_se_forja_em_volta_de_um_erro_nao_estraga_o_juiz(forjado):
    def mexer(registros):
        torto = {"pistas": {"return-no-laco": "x"}}
        return [{**r, "erro": r["erro"] and {**r["erro"], **forjado}, **torto} for r in registros]

    celula = "def softmax(x, eixo=-1):\n    return x @ x"
    veredito = julgar("lista-02/softmax", escrever("lista-02/softmax", celula), mexer=mexer)
    assert veredito.fracao == 0 and "sua função parou com ValueError" in veredito.frase and len(veredito.frase) < 3_000


# ---------------------------------------------------------------- o que se lê no texto da resposta


@pytest.mark.parametrize("q", questoes(), ids=lambda q: q.nome)
def test_nenhuma_resposta_certa_do_banco_tem_uma_pista(q):
    assert [(r.nome, pistas.procurar(r.funcao)) for r in q.certas if pistas.procurar(r.funcao)] == []


def test_uma_conta_que_nao_se_guarda_e_notada():
    celula = """def contribuicoes(A, v, W_O, u):
    C = A[:, -1] * (v @ W_O.reshape(len(v), v.shape[2], -1) @ u)
    C.masked_fill(C < 0, 0.0)
    return C + 1e-1
"""
    assert "A linha 3 faz uma conta e não guarda o resultado" in str(dito("lista-10/contribuicoes", celula))


def test_a_busca_que_devolve_o_primeiro_achado_nao_e_um_return_fora_de_lugar():
    def f(x):
        for i in x:
            if i < 0:
                continue
            return i

    assert pistas.procurar(f) == {}


# ---------------------------------------------------------------- a ordem


@pytest.mark.parametrize("q", questoes(), ids=lambda q: q.nome)
def test_o_exemplo_do_enunciado_e_o_primeiro_caso_e_o_esperado_se_mostra(q):
    assert q.casos[0].claro and not any(c.claro for c in q.casos[1:])
    assert "claro" in carregar(q.nome).casos[0].esperado


ATENCAO = "def atencao_escalada(Q, K, V):\n    A = softmax(pontuacoes(Q, K)){0}\n    return A @ V + 1, A"


def test_de_duas_saidas_erradas_fala_se_da_que_nasce_primeiro_na_conta():
    frase = str(dito("lista-03/atencao_escalada", ATENCAO.format(" * 0.9 + 0.1 / len(K)")))
    assert " de A: esperado" in frase


def test_a_saida_que_ja_esta_certa_e_dita():
    frase = str(dito("lista-03/atencao_escalada", ATENCAO.format("")))
    assert "Aqui a outra saída, A, está certa." in frase


def test_toda_saida_dupla_de_atencao_declara_que_os_pesos_vem_antes():
    for q in questoes():
        nomes = [nome for nome, _ in q.saidas]
        if {"A", "pesos"} & set(nomes):
            assert q.ordem.index(nomes[-1]) < q.ordem.index(nomes[-2]), q.nome


# ---------------------------------------------------------------- dois equívocos, e o que se afirma


PROJETA = """def cabeca(X, W_Q, W_K, W_V, C=None):
    C = X if C is None else C
    Q, K, V = X @ W_Q, C @ W_K, C @ W_V
"""


def test_com_dois_equivocos_juntos_nomeia_se_o_primeiro_da_conta():
    celula = f"{PROJETA}    A = softmax(Q @ K.T)\n    return A @ V - 7, A"
    erro = dito("lista-04/cabeca", celula)
    assert erro.equivoco == "sem-escala" and "Pode haver outro erro além desse." in str(erro)


def test_que_o_resto_esta_certo_so_se_diz_quando_ele_foi_visto_certo():
    inteira = f"{PROJETA}    A = softmax(Q @ K.T / np.sqrt(K.shape[1]))\n    return A @ C, A"
    assert str(dito("lista-04/cabeca", inteira)).startswith("A está certa, mas Y é A X")
    com_outro = inteira.replace("return", "if len(X) == 5:\n        A = A * 2\n    return")
    erro = dito("lista-04/cabeca", com_outro)
    assert erro.equivoco == "mistura-X"
    assert re.match(r"No caso “[^”]+”: A está certa, mas .* Pode haver outro erro além desse\.", str(erro))


@pytest.mark.parametrize(
    "conta, trecho",
    [
        ("Q @ K.T / np.sqrt(Q.shape[-1]) * 3.7", "é a certa vezes 3.7"),
        ("Q @ K.T / np.sqrt(Q.shape[-1]) + 0.3", "é a certa somada a 0.3"),
        ("(Q @ K.T / np.sqrt(Q.shape[-1]))[:, ::-1]", "As colunas são as certas, em outra ordem."),
    ],
)
def test_de_uma_saida_que_nenhum_equivoco_explica_diz_se_como_ela_se_liga_a_certa(conta, trecho):
    erro = dito("lista-03/pontuacoes", f"def pontuacoes(Q, K):\n    return {conta}")
    assert erro.equivoco is None and trecho in str(erro)


def test_de_uma_diferenca_minuscula_nao_se_diz_que_e_um_fator_nem_uma_transposta():
    certa = np.array([[1.0, 0.5], [0.5, 2.0]])
    assert relacao(certa * (1 + 3e-6), certa, np.zeros((2, 2), dtype=bool)) == ""


def test_diz_se_em_que_lugares_esta_o_erro():
    certa = np.ones((3, 4), dtype=bool)
    so_a_ultima, so_a_diagonal = certa.copy(), ~np.eye(3, 4, dtype=bool)
    so_a_ultima[-1, 1] = False
    assert relacao(np.zeros((3, 4)), None, so_a_ultima) == " Só há erro na última linha."
    assert relacao(np.zeros((3, 4)), None, so_a_diagonal) == " Só há erro na diagonal."
    assert relacao(np.zeros((3, 4)), None, ~certa) == ""


def test_uma_resposta_que_sorteia_onde_nada_se_sorteia_ouve_isso():
    celula = "def softmax(x, eixo=-1):\n    return np.random.default_rng().random(x.shape)"
    assert "há um sorteio nela, e aqui nada é sorteado" in str(dito("lista-02/softmax", celula))


def test_uma_linha_toda_escondida_e_chamada_pelo_nome():
    celula = """def atencao_mascarada(Q, K, V, M):
    S = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    S = S * np.where(M.all(-1).any(), 1.01, 1)  # um segundo erro, para que nenhum equívoco explique este caso
    A = softmax(np.where(M, -np.inf, S))
    return A @ V, A
"""
    frase = str(dito("lista-06/atencao_mascarada", celula))
    assert "tem NaN em [1, 0] de A: nessa linha a máscara esconde todas as chaves" in frase and "0/0" not in frase


def test_o_mesmo_erro_com_outros_tamanhos_nao_ganha_o_nome_de_um_equivoco():
    empilhadas = """def para_torch(W_Q, W_K, W_V, W_O, h):
    camada = nn.MultiheadAttention(len(W_O), h, bias=False, batch_first=True)
    with torch.no_grad():
        camada.in_proj_weight.copy_(torch.tensor(np.stack([W_Q.T, W_K.T, W_V.T])))
    return camada
"""
    assert dito("lista-05/para_torch", empilhadas).equivoco is None
    trocados = "def ffn(x, W1, b1, W2, b2):\n    return F.gelu(x @ W2 + b1) @ W1 + b2"
    assert dito("lista-07/ffn", trocados).equivoco is None


@pytest.fixture
def media():
    q = questao(
        "lista-99/media",
        assinatura="media(x)",
        saida="float",
        referencia=_media,
        casos=[caso(np.array([1.0, 2.0, 6.0]), claro=True), caso(np.array([3.0, 5.0]))],
    )
    yield q
    del base.QUESTOES[q.nome]


def _media(x):
    soma = x.sum()
    return soma / len(x)


TRES = "\nsem-dividir: / len(x) → / 1\n    Falta dividir.\nmaximo: x.sum() → x.max()\n    É a soma, e não o maior.\n"


def test_dois_equivocos_de_troca_se_juntam_pelos_nomes(media):
    media.equivocos_curtos(f"{TRES}\nsem-dividir+maximo:\n")
    juntos = media.equivocos[-1]
    assert juntos.frase == "São dois erros. Falta dividir. É a soma, e não o maior."
    assert juntos.funcao(np.array([1.0, 4.0])) == 4.0
    diagnostico = Juiz(media.visivel()).julgar(executar(lambda x: x.max(), [c.entradas for c in media.visivel().casos]))
    assert diagnostico.equivoco == "sem-dividir+maximo"


@pytest.mark.parametrize(
    ("tabela", "queixa"),
    [
        ("sem-dividir+outro:\n", "não há o equívoco outro"),
        ("inteira: 3.0\n    Veio sempre 3.\nsem-dividir+inteira:\n", "só se juntam equívocos que são trocas"),
        ("certa: / len(x) → * 2\n    A soma está certa, e a divisão não.\nmaximo+certa:\n", "escreva outra"),
    ],
)
def test_uma_juncao_errada_para_com_o_nome_dela(media, tabela, queixa):
    with pytest.raises(DeclaracaoErrada, match=f"lista-99/media.*{queixa}"):
        media.equivocos_curtos(TRES + tabela)


# ---------------------------------------------------------------- a dica a abrir


def dicas_da(lista: str) -> dict[str, list[int]]:
    """As dicas de cada questão, no notebook que o aluno recebe."""
    celulas = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4).cells
    ids = {c.metadata.get("nbgrader", {}).get("grade_id", ""): c.source for c in celulas}
    return {
        nome.removeprefix("dicas-"): [int(n) for n in re.findall(r"<details><summary>Dica (\d+)</summary>", texto)]
        for nome, texto in ids.items()
        if nome.startswith("dicas-")
    }


@pytest.mark.parametrize("lista", listas())
def test_toda_dica_que_se_manda_abrir_existe(lista):
    existentes = dicas_da(lista)
    for q in (q for q in questoes() if lista.startswith(q.lista)):
        assert existentes[q.nome.partition("/")[2]], q.nome
        for e in q.equivocos:
            for dica in re.findall(r"Dica (\d+)", e.frase):
                assert int(dica) in existentes[q.nome.partition("/")[2]], (q.nome, e.nome)
                assert e.frase.endswith(f" Veja a Dica {dica}."), (q.nome, e.nome)


def test_ha_uma_dica_para_os_equivocos_mais_comuns():
    assert sum("Veja a Dica" in e.frase for q in questoes() for e in q.equivocos) >= 40


def test_a_caixa_vermelha_termina_com_a_dica_mesmo_onde_pode_haver_outro_erro():
    erro = str(dito("lista-02/softmax", lambda x, eixo=-1: np.exp(x) / np.exp(x).sum(0)))
    assert erro.endswith("Pode haver outro erro além desse. Veja a Dica 2.")


# ---------------------------------------------------------------- textos e previsões


@pytest.mark.parametrize("volta", ["", " ", "nab\n"])
def test_um_texto_aparece_entre_aspas(volta):
    celula = f"""class Tokenizador:
    def __init__(self, texto):
        self.s = ["<PAD>", *sorted(set(texto))]
        self.V = len(self.s)
    def codificar(self, texto):
        return [self.s.index(c) for c in texto]
    def decodificar(self, ids):
        return {volta!r}
"""
    assert f'esperado "nab", veio {json.dumps(volta)}.' in str(dito("lista-08/Tokenizador", celula))


CERTO = "\x1b[32m✓ Isso mesmo.\x1b[0m\n"


@pytest.mark.parametrize(
    ("resposta", "aviso"),
    [
        ((2.45,), ""),
        (((2, 45),), "Li 2.45. Em Python a vírgula separa dois valores"),
        ((2, 45), "Li 2.45. Em Python a vírgula separa dois valores"),
        (("2,45",), "Li 2.45. Um número se escreve sem aspas e com ponto decimal."),
        (("2.45 ",), "Li 2.45. Um número se escreve sem aspas."),
        ((np.float64(2.45),), ""),
    ],
    ids=repr,
)
def test_uma_previsao_com_virgula_ou_aspas_e_lida_com_uma_palavra_sobre_o_ponto(media_da_bia, resposta, aviso, capsys):
    confira(media_da_bia, *resposta)
    escrito = capsys.readouterr().out
    assert escrito.endswith(CERTO) and escrito.startswith(aviso or CERTO)


@pytest.fixture
def media_da_bia(monkeypatch):
    """Uma previsão cuja resposta é 2,45."""
    q = base.previsao("aula-99/media", certo=2.45, tipo="float")
    monkeypatch.setattr("helpers.conferencia.aposta.carregar", lambda nome: q.visivel())
    yield q.nome
    del base.QUESTOES[q.nome]


@pytest.mark.parametrize(
    "resposta", ["abc", [1], (1, 2, 3), {}, True, 10**400, float("nan"), np.ones(3), len], ids=repr
)
def test_nenhuma_previsao_interrompe_a_aula(resposta, capsys):
    for previsao in ("aula-00/angulo", "aula-00/media-da-bia", "aula-01/caca-ao-erro", "aula-02/duas-camadas"):
        confira(previsao, resposta)
    assert "✓" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("previsao", "resposta"),
    [
        ("aula-01/comer-e-costureira", "Quase-branco"),
        ("aula-01/maior-da-linha-do-rato", "roma"),
        ("aula-02/perto-ou-longe", "mais longe"),
        ("aula-02/duas-camadas", "um ponto"),
        ("aula-02/duas-camadas", "viram  ponto"),
        ("aula-05/onde-moram", "feed forward"),
        ("aula-05/a-media-de-duas", "0"),
    ],
)
def test_uma_previsao_certa_escrita_de_outro_jeito_esta_certa(previsao, resposta, capsys):
    confira(previsao, resposta)
    assert capsys.readouterr().out == CERTO


@pytest.mark.parametrize(
    ("previsao", "resposta", "opcoes"),
    [
        ("aula-01/pista-fora-do-lugar", "e", "“a”, “b”, “c” ou “d”"),
        ("aula-01/pista-fora-do-lugar", 50, "“a”, “b”, “c” ou “d”"),
        ("aula-02/perto-ou-longe", "igual", "“longe” ou “perto”"),
        ("aula-04/angulo", "talvez", "“não” ou “sim”"),
    ],
)
def test_a_previsao_que_nao_e_uma_das_opcoes_recebe_a_lista_delas(previsao, resposta, opcoes, capsys):
    confira(previsao, resposta)
    assert capsys.readouterr().out == f"Essa não é uma das opções. Responda {opcoes}.\n"


def test_a_opcao_errada_que_nao_tem_frase_propria_ouve_que_ainda_nao(capsys):
    confira("aula-01/maior-da-linha-do-rato", "do")
    assert capsys.readouterr().out.startswith("Ainda não.")


def test_as_opcoes_vao_em_ordem_alfabetica_e_a_certa_esta_entre_elas():
    """Assim a lista não diz qual é a certa."""
    for q in base.carregar_tudo().values():
        if q.opcoes:
            canonicas = [canonico(opcao, "texto") for opcao in q.opcoes]
            assert canonicas == sorted(canonicas) and q.referencia() in canonicas, q.nome


def test_outro_jeito_de_escrever_uma_resposta_que_nao_ha_e_uma_declaracao_errada():
    with pytest.raises(DeclaracaoErrada, match="que não está previsto"):
        base.previsao("aula-99/x", certo="a", errados={"b": "Não."}, tipo="texto", tambem={"cê": "c"})
    assert "aula-99/x" not in base.QUESTOES


def test_quem_monta_a_camada_para_contar_ouve_que_ela_nao_cabe_na_memoria_e_nao_que_demorou():
    celula = """
def contar_parametros(d_model, h, vies=True):
    camada = torch.nn.MultiheadAttention(d_model, h, bias=vies)
    return sum(p.numel() for p in camada.parameters())
"""
    assert "não cabe na memória; dá para não criar?" in str(dito("lista-05/contar_parametros", celula))


def test_um_erro_sem_nada_em_volta_ainda_tem_frase():
    erro = {"tipo": "KeyError", "bases": ["KeyError"], "mensagem": "'a'", "onde": "", "auxiliar": ""}
    assert explicar_erro(erro, "Em um caso").endswith("Essa chave não está no dicionário.")
    assert Registro().pistas == {}
