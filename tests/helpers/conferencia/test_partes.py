"""Crédito parcial: uma questão que declara partes dá os pontos das primeiras que estão inteiramente certas."""

import json

import pytest

from correcao.juizo import evidencia
from gabarito.base import QUESTOES, buscar, carregar_tudo, caso, questao
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.execucao import executar
from helpers.conferencia.referencia import Referencia, carregar
from helpers.conferir import Conferencia, conferir

SEMENTE = 7


def _inverso(x):
    if x == 0:
        raise ValueError("zero não tem inverso")
    return 1 / x


@pytest.fixture
def inverso():
    q = questao(
        "lista-99/inverso",
        assinatura="inverso(x)",
        saida="float",
        referencia=_inverso,
        casos=[caso(2.0, claro=True), caso(0.0, nomeia="zero", parte="erros")],
        ocultos=lambda rng: [caso(float(rng.uniform(1, 5))), caso(0.0, nomeia="zero", parte="erros")],
        partes={"valores": 0.75, "erros": 0.25},
    )
    yield q
    del QUESTOES[q.nome]


def julgar(q, resposta):
    registros = executar(resposta, evidencia.pedido(q, SEMENTE)["casos"])
    dados = {"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return evidencia.julgar(q, SEMENTE, codificar_evidencia(dados))


def _so_lanca_erros(x):
    raise ValueError(f"zero {x}")


@pytest.mark.parametrize(
    "resposta, fracao, certas",
    [
        (_inverso, 1.0, ["valores", "erros"]),
        (lambda x: 1 / x if x else float("inf"), 0.75, ["valores"]),
        (_so_lanca_erros, 0.0, []),
        (lambda x: -1 / x if x else _inverso(x), 0.0, []),
        (lambda x: 1 / x if x in (2.0, 0.0) else 0.0, 0.0, []),
    ],
    ids=["tudo certo", "sem o erro pedido", "só lança erros", "só o erro está certo", "decorou o caso visível"],
)
def test_as_primeiras_partes_certas_valem_e_o_resto_nao(inverso, resposta, fracao, certas):
    veredito = julgar(inverso, resposta)
    assert veredito.fracao == fracao and veredito.certas == certas
    assert (veredito.frase is None) == (fracao == 1)


def test_quem_confere_fica_sabendo_quanto_vale_o_que_ja_passa(inverso, monkeypatch):
    monkeypatch.setattr("helpers.conferencia.parecer.carregar", lambda _: Referencia.de_dados(inverso.nome, no_disco))
    no_disco = json.loads(json.dumps(inverso.visivel().para_dados()))
    with pytest.raises(Conferencia, match=r"deveria lançar ValueError.* O que já passa aqui vale 75 % dos pontos da q"):
        conferir(inverso.nome, lambda x: 1 / x if x else float("inf"))
    with pytest.raises(Conferencia) as nada:
        conferir(inverso.nome, lambda x: -1 / x if x else _inverso(x))
    assert "já passa" not in str(nada.value)
    conferir(inverso.nome, _inverso)


def test_as_fracoes_tem_de_somar_um():
    with pytest.raises(ValueError, match="não somam 1"):
        questao("lista-99/x", assinatura="x()", saida="int", referencia=int, casos=[], partes={"a": 0.5, "b": 0.4})


def test_o_pedido_da_correcao_diz_quantos_argumentos_a_conferencia_usa():
    for q in carregar_tudo().values():
        assert evidencia.pedido(q, SEMENTE)["quantidades"] == carregar(q.nome).quantidades, q.nome


@pytest.mark.parametrize("q", [pytest.param(q, id=q.nome) for q in carregar_tudo().values() if "erros" in q.partes])
def test_quem_acerta_os_valores_e_esquece_os_erros_ganha_so_a_primeira_parte(q):
    certa = q.adaptar(q.referencia)

    def sem_erros(*entradas):
        try:
            return certa(*entradas)
        except ValueError:
            return None
        finally:
            sem_erros.testemunha = getattr(certa, "testemunha", None)

    veredito = julgar(q, sem_erros)
    assert list(q.partes) == ["valores", "erros"] and veredito.certas == ["valores"]
    assert veredito.fracao == q.partes["valores"] and veredito.frase is not None


@pytest.mark.parametrize(
    ("nome", "equivoco", "certas"),
    [
        ("lista-08/gerar", "nao-corta", []),
        ("lista-08/gerar", "sempre-o-mais-provavel", ["guloso"]),
        ("lista-08/gerar", "top-k-ignorado", ["guloso", "sorteio"]),
        ("lista-08/treinar", "sem-zero-grad", []),
        ("lista-08/treinar", "avalia-em-modo-de-treino", ["passos"]),
        ("lista-08/treinar", "sem-corte", ["passos", "medidas"]),
        ("lista-08/treinar", "so-a-primeira-taxa", ["passos", "medidas"]),
    ],
)
def test_nas_questoes_do_treino_cada_parte_vale_por_si(nome, equivoco, certas):
    q = buscar(nome)
    veredito = julgar(q, q.adaptar(q._equivoco(equivoco).funcao))
    assert veredito.certas == certas and veredito.fracao == sum(q.partes[p] for p in certas)


@pytest.mark.parametrize(
    ("nome", "equivoco", "certas"),
    [
        ("lista-05/contar_parametros", "nunca-com-vies", ["matrizes"]),
        ("lista-05/dividir_cabecas", "cita-so-d", ["valores"]),
        ("lista-05/multi_cabecas", "ignora-h", ["uma cabeça"]),
        ("lista-05/multi_cabecas", "sem-escala", []),
        ("lista-05/multi_cabecas", "softmax-instavel", ["uma cabeça", "várias cabeças"]),
        ("lista-05/para_torch", "saida-sem-transpor", ["pesos de atenção"]),
        ("lista-05/para_torch", "sem-transpor", []),
        ("lista-06/atencao_mascarada", "transpoe-tudo", ["uma frase"]),
        ("lista-06/atencao_mascarada", "linha-escondida-da-nan", ["uma frase", "um lote"]),
        ("lista-06/vaza_futuro", "sempre-falso", []),
        ("lista-06/vaza_futuro", "so-a-ultima-posicao", ["camadas"]),
        ("lista-06/vaza_futuro", "entrada-de-zeros", ["camadas", "um lugar só"]),
        ("lista-06/multi_cabecas_causal", "so-a-primeira-frase", ["uma frase"]),
        ("lista-06/multi_cabecas_causal", "esquece-os-pads", ["uma frase", "um lote"]),
    ],
)
def test_nas_questoes_das_cabecas_cada_parte_vale_por_si(nome, equivoco, certas):
    q = buscar(nome)
    veredito = julgar(q, q.adaptar(q._equivoco(equivoco).funcao))
    assert veredito.certas == certas and veredito.fracao == pytest.approx(sum(q.partes[p] for p in certas))
