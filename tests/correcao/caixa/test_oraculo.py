"""O que uma resposta recebe para chamar, e não pode examinar: na correção, a função mora do lado de fora da caixa."""

import json
import subprocess
import sys

import numpy as np
import pytest
from conftest import RAIZ
from nbformat.v4 import new_code_cell, new_notebook

from correcao.caixa.caixa import Limites
from correcao.caixa.oraculo import FIM, Oraculo
from correcao.comum.anotacao import DADOS, Anotacao
from correcao.juizo.evidencia import julgar, pedido
from correcao.juizo.executar import Executar
from gabarito.base import buscar
from gabarito.codigo import como_celula
from helpers.conferencia.codificacao import codificar, decodificar
from helpers.conferencia.pedido import TIPO_DA_EVIDENCIA

SEMENTE = 2**40 + 7
AS_CEGAS = ("lista-04/equivariante", "lista-06/vaza_futuro")

# Quem examina em vez de chamar: lê no fecho da função com que pesos ela foi feita, e responde sem chamá-la.
ESPIA = """
import numpy as np

def vaza_futuro(f, T, d, rng):
    p = {nome: c.cell_contents for nome, c in zip(f.__code__.co_freevars, f.__closure__)}
    peca = f.__qualname__.partition(".")[0]
    do_futuro = np.triu(p["P"], 1).any() if "P" in p else False
    if peca == "atencao":
        return bool(p["quando"] == "depois" or np.triu(~p["esconde"], 1).any())
    if peca == "mistura":
        return bool(do_futuro or (p["L"] is not None and p["de"] > p["para"]))
    return bool(peca == "diferenca" or do_futuro or p.get("eixo") == 0)
"""


# Certa, e de um jeito que não se espera: pergunta o nome da função, chama-a de duas threads e muitas vezes.
INSISTENTE = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np

def vaza_futuro(f, T, d, rng):
    assert f.__name__ and callable(f)
    X = rng.normal(size=(T, d))
    Y = f(X.copy())
    trocados = []
    for k in range(1, T):
        for _ in range(3):
            Z = X.copy()
            Z[k:] = rng.normal(size=(T - k, d))
            trocados.append((k, Z))
    with ThreadPoolExecutor(2) as grupo:
        saidas = list(grupo.map(f, [Z for _, Z in trocados]))
    return any(not np.allclose(W[:k], Y[:k], atol=1e-6) for (k, _), W in zip(trocados, saidas))
"""


def _corrigir(nome, *respostas, **limites):
    """Roda na caixa cada resposta e, depois dela, a conferência; devolve o veredito de cada uma e o pedido."""
    q, oraculo = buscar(nome), Oraculo()
    texto = json.dumps({q.nome: pedido(q, SEMENTE, oraculo)})
    conferencia = f"from helpers.conferir import conferir\nconferir({q.nome!r}, {q.funcao})"
    nb = new_notebook(cells=[new_code_cell(c) for resposta in respostas for c in (resposta, conferencia)])
    Executar(limites=Limites(**limites)).preprocess(
        nb, {DADOS: Anotacao(semente=SEMENTE, pedido=texto, oraculo=oraculo.para_dados())}
    )
    saidas = [[s.data for s in c.outputs if TIPO_DA_EVIDENCIA in s.get("data", {})] for c in nb.cells[1::2]]
    return [julgar(q, SEMENTE, dados[-1][TIPO_DA_EVIDENCIA]) for dados in saidas], texto


@pytest.mark.usefixtures("com_ou_sem_caixa")
@pytest.mark.parametrize("nome", AS_CEGAS)
def test_as_respostas_certas_do_banco_chamam_a_funcao_de_fora_e_ganham_tudo(nome):
    q = buscar(nome)
    vereditos, texto = _corrigir(nome, *(como_celula(q, resposta) for resposta in q.certas))
    assert {r.nome: v.fracao for r, v in zip(q.certas, vereditos, strict=True)} == {r.nome: 1.0 for r in q.certas}
    assert '"funcao"' not in texto and '"de_fora"' in texto  # nem o nome da peça nem os pesos entram na caixa


@pytest.mark.usefixtures("com_ou_sem_caixa")
@pytest.mark.parametrize(("as_cegas", "ganha"), [(lambda f, T, d, rng: (T, d), 0.0), (None, 1.0)])
def test_quem_examina_a_funcao_em_vez_de_chamar_so_ganharia_se_ela_estivesse_na_caixa(monkeypatch, as_cegas, ganha):
    monkeypatch.setattr(buscar("lista-06/vaza_futuro"), "as_cegas", as_cegas)
    ((veredito,), _) = _corrigir("lista-06/vaza_futuro", ESPIA)
    assert veredito.fracao == ganha


@pytest.mark.usefixtures("com_ou_sem_caixa")
def test_quem_chama_a_funcao_muitas_vezes_e_de_outras_threads_nao_perde_nada():
    ((veredito,), _) = _corrigir("lista-06/vaza_futuro", INSISTENTE, mensagens=100)  # perguntar não é escrever
    assert veredito.fracao == 1.0, veredito.frase


@pytest.mark.usefixtures("com_ou_sem_caixa")
def test_quem_pede_que_alguem_digite_ouve_que_nao_ha_ninguem():
    le = "def vaza_futuro(f, T, d, rng):\n    return input('e agora?')"
    assert "EOFError" in _corrigir("lista-06/vaza_futuro", le)[0][0].frase


# ---------------------------------------------------------------- o oráculo sozinho


@pytest.fixture
def oraculo():
    """Um que só tem o primeiro caso visível de `vaza_futuro`; e o lugar da função."""
    dele, q = Oraculo(), buscar("lista-06/vaza_futuro")
    (lugar,) = (
        e["de_fora"] for e in dele.esconder(q, 0, q.casos[0].entradas) if isinstance(e, dict) and "de_fora" in e
    )
    return dele, lugar


def _perguntar(oraculo, lugar, X):
    return json.loads(oraculo.responder(json.dumps({"lugar": lugar, "entrada": codificar(X)})))


def test_o_oraculo_responde_com_a_saida_da_funcao(oraculo):
    q = buscar("lista-06/vaza_futuro")
    X = np.random.default_rng(1).normal(size=q.casos[0].entradas[1:3])
    f = decodificar(codificar(q.casos[0].entradas[0]), confiavel=True)
    resposta = _perguntar(*oraculo, X)
    assert np.array_equal(decodificar(resposta["saida"]), f(X)) and resposta["entrada"] is None


RECUSA = {"erro": ["ValueError", "a função f não aceita essa entrada"]}


@pytest.mark.parametrize("forma", [(8000,), (4, 2), (3, 1), (1, 300), (2, 2, 2), (1, 3, 2), ()])
def test_o_que_nao_tem_a_forma_do_caso_e_recusado_sem_chamar_a_funcao(oraculo, forma):
    dele, lugar = oraculo  # o caso é de T = 3 e d = 2
    dele._funcoes[tuple(lugar)] = pytest.fail, dele._funcoes[tuple(lugar)][1]
    assert _perguntar(dele, lugar, np.zeros(forma)) == RECUSA


def test_algumas_linhas_do_caso_a_funcao_aceita_ou_recusa_por_si(oraculo):
    vista = []
    dele, lugar = oraculo
    dele._funcoes[tuple(lugar)] = vista.append, dele._funcoes[tuple(lugar)][1]
    for linhas in (0, 1, 2, 3):
        _perguntar(dele, lugar, np.zeros((linhas, 2)))
    assert [len(X) for X in vista] == [0, 1, 2, 3]


# Quantos KB este processo cresceu, no máximo, para responder a uma pergunta de 64 por 256 números em seis eixos.
_MUITOS_EIXOS = """
import json, resource
import numpy as np
from correcao.caixa.oraculo import Oraculo
from gabarito.base import buscar
from helpers.conferencia.codificacao import codificar
q, oraculo = buscar("lista-04/equivariante"), Oraculo()
caso = next(i for i, c in enumerate(q.casos) if c.entradas[0].nome == "lista_04.ordenada")
lugar = oraculo.esconder(q, caso, q.casos[caso].entradas)[0]["de_fora"]
medida = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
antes = medida()
resposta = oraculo.responder(json.dumps({"lugar": lugar, "entrada": codificar(np.zeros((64, 1, 256, 1, 1, 1)))}))
print(resposta, medida() - antes)
"""


def test_uma_pergunta_de_muitos_eixos_nao_enche_a_memoria_de_quem_corrige():
    feito = subprocess.run([sys.executable, "-c", _MUITOS_EIXOS], cwd=RAIZ, capture_output=True, text=True, check=True)
    resposta, quilobytes = feito.stdout.rsplit(maxsplit=1)
    assert json.loads(resposta) == RECUSA and int(quilobytes) < 50_000


def test_o_tempo_de_responder_e_de_quem_pergunta(oraculo):
    _perguntar(*oraculo, np.ones(buscar("lista-06/vaza_futuro").casos[0].entradas[1:3]))
    assert oraculo[0].segundos > 0


def test_um_erro_da_funcao_volta_como_erro(oraculo):
    assert _perguntar(*oraculo, np.ones(3))["erro"][0] in ("ValueError", "IndexError")


@pytest.mark.parametrize(
    "pergunta",
    [
        None,
        7,
        "oi",
        "[" * 10_000,
        "{}",
        '{"lugar": ["lista-06/vaza_futuro", 99, 0], "entrada": 1}',
        '{"lugar": [[]], "entrada": 1}',
        '{"lugar": ["lista-06/vaza_futuro", 0, 0], "entrada": {"funcao": {"nome": "lista_06.constante"}}}',
        '{"lugar": ["lista-06/vaza_futuro", 0, 0], "entrada": {"array": {"tipo": "float64", "forma": [9e9]}}}',
        json.dumps({"lugar": ["lista-06/vaza_futuro", 0, 0], "entrada": "x" * 2_000_000}),
    ],
)
def test_uma_pergunta_torta_nao_tem_resposta(oraculo, pergunta):
    assert oraculo[0].responder(pergunta) == FIM


def test_a_funcao_que_escreve_na_entrada_escreve_tambem_na_de_quem_chama(monkeypatch):
    from helpers.conferencia import de_fora

    class Kernel:
        def raw_input(self, pergunta):
            X = decodificar(json.loads(pergunta)["entrada"])
            return json.dumps({"saida": codificar(X.sum()), "entrada": codificar(X + 1)})

    monkeypatch.setattr("IPython.get_ipython", lambda: type("Shell", (), {"kernel": Kernel()}))
    X = np.ones((2, 2))
    assert de_fora.de_fora(["questao", 0, 0])(X) == 4.0 and (X == 2).all()


def test_as_duas_questoes_em_que_examinar_daria_a_resposta_sao_as_cegas():
    assert all(buscar(nome).as_cegas for nome in AS_CEGAS)
