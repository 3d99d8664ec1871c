"""O banco de equívocos e alternativas: nenhum equívoco sobrevive, nenhuma resposta certa é recusada.

O que se gera dele (as referências dos alunos e as matrizes) é conferido aqui, com a mesma rodada.
"""

import json

import numpy as np
import pytest
from conftest import lentas, questoes, semente_da_rodada, tudo

from gabarito import banco, referencias
from gabarito.base import ALTERA_A_ENTRADA, buscar, carregar_tudo, caso, declarado
from gabarito.codigo import como_celula
from gabarito.tabela import DeclaracaoErrada
from helpers.conferencia import impressao
from helpers.conferencia.execucao import executar
from helpers.conferencia.juiz import Juiz
from helpers.conferencia.referencia import carregar

CONSERTO = "rode `python curso.py gerar`"


def sorteios():
    """(questão, semente): a desta rodada, que muda a cada commit; com `--tudo`, também as outras."""
    pares = [
        (q, s)
        for q in carregar_tudo().values()
        if q.ocultos
        for s in sorted({semente_da_rodada(), *({0, *banco.sementes_de(q)} if tudo() else ())})
    ]
    return [pytest.param(q, s, id=f"{q.nome}-{s}", marks=lentas(q)) for q, s in pares]


@pytest.mark.parametrize("q", [pytest.param(q, id=q.nome, marks=lentas(q)) for q in carregar_tudo().values()])
def test_nos_visiveis_cada_equivoco_ouve_a_sua_frase_e_o_que_foi_gerado_esta_em_dia(q, monkeypatch):
    impressos = anotar_o_que_se_imprime(monkeypatch)
    exame = banco.visiveis(q)
    assert not banco.problemas(exame.resultados)
    guardada = json.loads((referencias.DESTINO / f"{q.lista}.json").read_text(encoding="utf-8"))[q.nome]
    nova = json.loads(referencias.texto([exame.referencia]))[q.nome]
    float32 = declarado(q.lista, "EM_FLOAT32", False)
    if float32:  # o que está trancado não se compara com folga: só se sabe de que entradas é
        for dado in (nova, guardada):
            dado["emprestimos"] = {f: sorted(tabela) for f, tabela in dado.get("emprestimos", {}).items()}
    assert not diferencas(nova, guardada, float32, impressos)[:5], f"{q.lista}.json está velho; {CONSERTO}"
    if q.lista.startswith("lista"):
        escrita = (banco.matriz_de(q.lista)).read_text(encoding="utf-8")
        assert exame.matriz() in escrita, f"a matriz da {q.lista} está velha; {CONSERTO}"


@pytest.mark.parametrize(("q", "semente"), sorteios())
def test_o_mesmo_vale_so_com_os_casos_ocultos_de_uma_semente(q, semente):
    assert not banco.problemas(banco.ocultos(q, semente))


def anotar_o_que_se_imprime(monkeypatch):
    """As marcas feitas daqui em diante → os números de que saíram, o sal e a tolerância."""
    impressos, imprimir = {}, impressao.imprimir

    def anotando(valores, sal, tolerancia):
        feita = imprimir(valores, sal, tolerancia)
        impressos[feita["marcas"]] = (np.asarray(valores, float).ravel(), sal, tolerancia)
        return feita

    monkeypatch.setattr(impressao, "imprimir", anotando)
    return impressos


def diferencas(a, b, float32=False, impressos=None, onde=""):
    """Onde duas referências diferem além do arredondamento, que é outro em outro processador.

    Um número pode cair na casa vizinha da grade, e por isso de cada marca se pergunta o que a conferência pergunta: é a
    deste número, ou a de um vizinho dele dentro da tolerância? Mais que isso é um arquivo velho.
    """
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return [onde]
        iguais = {"marcas", "expoentes"} if "marcas" in a and reconhecidas(a, b, impressos or {}) else set()
        chaves = [chave for chave in a if chave not in iguais]
        return [d for chave in chaves for d in diferencas(a[chave], b[chave], float32, impressos, f"{onde}/{chave}")]
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return [onde]
        pares = enumerate(zip(a, b, strict=True))
        return [d for i, (x, y) in pares for d in diferencas(x, y, float32, impressos, f"{onde}/{i}")]
    rel, absoluta = (1e-4, 1e-5) if float32 else (1e-9, 1e-12)
    perto = isinstance(a, float) and isinstance(b, float) and a == pytest.approx(b, rel=rel, abs=absoluta)
    return [] if perto or (type(a) is type(b) and a == b) else [onde]


def reconhecidas(nova, guardada, impressos):
    """As marcas guardadas reconhecem, um a um, os números de que saíram as novas?"""
    if nova["marcas"] not in impressos or len(nova["expoentes"]) != len(guardada["expoentes"]):
        return False
    valores, sal, tolerancia = impressos[nova["marcas"]]
    tantas = len(guardada["marcas"].split()) == valores.size
    return tantas and impressao.reconhece(valores, guardada, sal, tolerancia)


def test_uma_referencia_velha_e_notada():
    nova = json.loads((referencias.DESTINO / "lista-07.json").read_text(encoding="utf-8"))["lista-07/Bloco"]
    for estragar in (
        lambda d: d["casos"][0].update(rotulo="outro"),
        lambda d: d["casos"][1]["entradas"].pop(),
        lambda d: d["casos"][1]["esperado"]["saidas"][-1].update(marcas="x " * 36),
        lambda d: d["equivocos"].pop(next(iter(d["equivocos"]))),
        lambda d: d.update(atol=1.0),
    ):
        velha = json.loads(json.dumps(nova))
        estragar(velha)
        assert diferencas(nova, velha, float32=True)
    assert not diferencas(nova, json.loads(json.dumps(nova)), float32=True)


@pytest.mark.parametrize(("desvio", "velha"), [(0.5, False), (4.0, True)])
def test_uma_marca_so_pode_ser_a_de_um_vizinho(monkeypatch, desvio, velha):
    tolerancia = impressao.Tolerancia(rtol=0.0, atol=1e-6)
    numeros = np.linspace(0.1, 0.9, 200)
    guardada = impressao.imprimir(numeros + desvio * 1e-6, "sal", tolerancia)
    impressos = anotar_o_que_se_imprime(monkeypatch)
    nova = impressao.imprimir(numeros, "sal", tolerancia)
    assert nova != guardada
    assert bool(diferencas(nova, guardada, impressos=impressos)) == velha


def test_cada_lista_tem_os_seus_arquivos_e_so_eles():
    listas = {q.lista for q in carregar_tudo().values()}
    assert {p.stem for p in referencias.DESTINO.glob("*.json")} == listas, CONSERTO
    for lista in (nome for nome in listas if nome.startswith("lista")):
        no_disco = {p.stem for p in banco.matriz_de(lista).parent.glob("*.py")} - {"__init__", "comum"}
        assert no_disco == {q.referencia.__module__.rpartition(".")[2] for q in questoes() if q.lista == lista}


@pytest.mark.parametrize("q", questoes(), ids=lambda q: q.nome)
def test_o_banco_da_questao_e_grande(q):
    assert len(q.equivocos) >= 8 and len(q.alternativas) >= 4


@pytest.mark.parametrize("q", carregar_tudo().values(), ids=lambda q: q.nome)
def test_cada_frase_e_uma_frase(q):
    for e in q.equivocos:
        if e.nome != ALTERA_A_ENTRADA:
            # uma palavra citada (“roupa”) ou código (`x`) pode abrir a frase em minúscula
            assert e.frase[0].isupper() or e.frase[0] in "“`", e.nome
            assert e.frase.rstrip().endswith((".", "?", "!")), e.nome
            assert 20 <= len(e.frase) <= 400, e.nome


def test_ha_uma_semente_nova_para_cada_entrega():
    q = next(q for q in carregar_tudo().values() if q.ocultos)
    assert q.oculta(1).casos[-1].entradas != q.oculta(2).casos[-1].entradas


def test_de_um_caso_oculto_nunca_se_fala_a_entrada():
    q = buscar("lista-02/softmax")
    so_ocultos, todos = q.so_oculta(0), q.oculta(0, com_equivocos=False)
    assert all(c.oculto for c in so_ocultos.casos)
    assert [c.oculto for c in todos.casos] == [False] * len(q.casos) + [True] * len(so_ocultos.casos)
    errada = next(e for e in q.equivocos if e.nome == "sem-maximo")
    dito = Juiz(so_ocultos).julgar(executar(lambda x, eixo=-1: 1 + errada.funcao(x, eixo), _entradas(so_ocultos)))
    assert dito.frase.startswith("Em um caso que você não vê")


def _entradas(referencia):
    return [c.entradas for c in referencia.casos]


@pytest.mark.parametrize("q", [pytest.param(q, id=q.nome, marks=lentas(q)) for q in questoes()])
def test_o_codigo_do_banco_escrito_em_uma_celula_da_o_mesmo(q):
    """As turmas de mentira são feitas com esse texto: ele tem de valer sozinho, sem o gabarito por perto."""
    guardada = carregar(q.nome)
    errados = {e.nome: next(i for i, c in enumerate(e.casos) if c != "certo") for e in guardada.equivocos}
    for resposta in [*q.certas, *q.equivocos]:
        texto: dict = {}
        exec(como_celula(q, resposta), texto)
        entradas = [guardada.casos[errados.get(resposta.nome, 0)].entradas]  # o primeiro caso em que ela se mostra
        (escrita,) = executar(q.adaptar(texto[q.funcao]), entradas)
        (do_banco,) = executar(q.adaptar(resposta.funcao), entradas)
        assert _o_que_fez(escrita) == _o_que_fez(do_banco), resposta.nome


def _o_que_fez(registro):
    """O erro, sem o nome da função, que na célula é outro; ou a saída, como texto, porque NaN não é igual a NaN."""
    if registro.erro is not None:
        return registro.erro["tipo"]
    return json.dumps(registro.saida), registro.alterou


# ---------------------------------------------------------------- uma declaração errada é notada


@pytest.fixture
def dobro():
    from gabarito.base import QUESTOES, questao

    q = questao(
        "lista-99/dobro",
        assinatura="dobro(x)",
        saida="float",
        referencia=_dobro,
        casos=[caso(2.0, claro=True), caso(3.0)],
    )
    yield q
    del QUESTOES[q.nome]


def _dobro(x):
    y = 2 * x
    return y


@pytest.mark.parametrize(
    ("tabela", "queixa"),
    [
        ("triplo: 4 * x → 3 * x\n    Multiplicou por três.", "'4 \\* x', que aparece 0 vezes"),
        ("triplo: y → z\n    Multiplicou por três.", "'y', que aparece 2 vezes"),
        ("triplo: 2 * x → 3 *\n    Multiplicou por três.", "não é Python"),
        ("triplo: 3 * x", "falta a frase"),
        ("triplo:\n    Multiplicou por três.", "falta o código"),
        ("triplo 3 * x\n    Multiplicou por três.", "não entendi a linha"),
        ("triplo: 3 * x\n    Um.\ntriplo: 3 * x\n    Outro.", "foi declarado duas vezes"),
        ("triplo: y = 2 → y = 3\n        2 * x → 3 * x\n    Um.", "mexem no mesmo trecho"),
    ],
)
def test_uma_tabela_errada_para_com_o_nome_da_questao(dobro, tabela, queixa):
    with pytest.raises(DeclaracaoErrada, match=f"lista-99/dobro.*{queixa}"):
        dobro.equivocos_curtos(tabela)


def test_um_equivoco_igual_a_referencia_para_com_o_nome_dele(dobro):
    dobro.equivocos_curtos("soma: x + x\n    Somou em vez de multiplicar, e dá no mesmo.")
    with pytest.raises(DeclaracaoErrada, match="lista-99/dobro, soma: .* igual à referência"):
        dobro.visivel()


def test_o_texto_trocado_aparece_no_rastro_do_erro(dobro):
    dobro.equivocos_curtos("divide: 2 * x → x / 0\n    Dividiu por zero.")
    (registro,) = executar(dobro.equivocos[0].funcao, [[2.0]])
    assert registro.erro["tipo"] == "ZeroDivisionError" and "y = x / 0" in registro.erro["onde"]
