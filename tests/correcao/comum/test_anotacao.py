"""O veredito como dados: escrito uma vez pela correção, lido por todos, e nunca pelo que veio do aluno."""

import copy
import json
import logging
import shutil
import subprocess
import sys
import time

import nbformat
import numpy as np
import pytest
from conftest import RAIZ, entregar, solucoes
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbgrader.utils import determine_grade, is_grade

from correcao.caixa.saida import parou_no_relogio
from correcao.chegada.recebimento import questoes_da_lista
from correcao.comum.anotacao import (
    DADOS,
    DEFEITO,
    RECEBIDA,
    Anotacao,
    AnotacaoIlegivel,
    QuestaoAnotada,
    Veredito,
    registro_da_correcao,
)
from correcao.devolucao import devolver, notas, relatorio
from correcao.juizo import evidencia
from correcao.juizo.preprocessadores import JulgarEvidencia, PedirEvidencia, Registrar, desenhar
from correcao.livro.turma import Turma
from gabarito import base
from gabarito.base import buscar
from gabarito.no_nbgrader import emitir
from helpers.conferencia.atendimento import codificar_evidencia
from helpers.conferencia.execucao import Registro, executar
from helpers.conferencia.pedido import TIPO_DA_EVIDENCIA

LISTA = "lista-01-produto-escalar"
pytestmark = pytest.mark.usefixtures("com_ou_sem_caixa")
COMPLETA = Anotacao(
    entrega="a" * 64,
    titulo="Lista 02 · Softmax",
    consertos=["Uma célula da lista faltava e foi posta de volta."],
    motivo="O kernel terminou por conta própria na célula 3; o que vinha depois ficou sem resultado.",
    defeito="RuntimeError('x')",
    segundos=1.25,
    questoes=[
        QuestaoAnotada("confere-f", "1. `f`", Veredito("Falta um eixo.", "sem-eixo", 0.75, ["valores"], 12)),
        QuestaoAnotada("confere-g", "2. `g`", Veredito(None, None, 1.0, [], 3)),
        QuestaoAnotada("discussao-1", "Discussão 1"),
    ],
    semente=7,
    pedido='{"lista-02/f": {}}',
)


# ---------------------------------------------------------------- ida e volta


def test_o_que_se_anota_e_o_que_se_le_e_o_pedido_nao_vai_para_o_disco():
    dado = json.loads(json.dumps(COMPLETA.para_dados()))
    assert "semente" not in dado and "pedido" not in dado
    lida = Anotacao.de_dados(dado)
    lida.semente, lida.pedido = COMPLETA.semente, COMPLETA.pedido
    assert lida == COMPLETA


ESTRAGOS = [
    lambda d: d.pop("questoes"),
    lambda d: d.update(questoes={}),
    lambda d: d.update(titulo=None),
    lambda d: d.update(consertos=[1]),
    lambda d: d.update(consertos="abc"),
    lambda d: d.update(motivo=["x"]),
    lambda d: d.update(segundos="rápido"),
    lambda d: d["questoes"].append("confere-h"),
    lambda d: d["questoes"][0].pop("id"),
    lambda d: d["questoes"][0].update(veredito="certo"),
    lambda d: d["questoes"][0]["veredito"].update(fracao=2),
    lambda d: d["questoes"][0]["veredito"].update(fracao=True),
    lambda d: d["questoes"][0]["veredito"].update(fracao=float("nan")),
    lambda d: d["questoes"][0]["veredito"].update(frase=3),
    lambda d: d["questoes"][0]["veredito"].update(certas=[None]),
    lambda d: d["questoes"][0]["veredito"].update(casos="12"),
]


@pytest.mark.parametrize("estragar", ESTRAGOS)
def test_uma_anotacao_estragada_no_disco_e_como_se_nao_houvesse(tmp_path, estragar):
    dado, arquivo = copy.deepcopy(COMPLETA.para_dados()), tmp_path / "x.ipynb"
    arquivo.write_text(json.dumps({"cells": [], "metadata": {DADOS: dado}}))
    assert registro_da_correcao(arquivo) is not None
    estragar(dado)
    with pytest.raises(AnotacaoIlegivel):
        Anotacao.de_dados(dado)
    arquivo.write_text(json.dumps({"cells": [], "metadata": {DADOS: dado}}))
    assert registro_da_correcao(arquivo) is None


@pytest.mark.parametrize("texto", ["", "{", "[]", "3", '{"metadata": 1}', '{"metadata": {"curso": 5}}', "[" * 10**5])
def test_um_arquivo_que_nao_e_um_notebook_corrigido_nao_tem_anotacao(tmp_path, texto):
    (tmp_path / "x.ipynb").write_text(texto)
    assert registro_da_correcao(tmp_path / "x.ipynb") is None
    assert registro_da_correcao(tmp_path / "não há.ipynb") is None


# ---------------------------------------------------------------- a saída que o nbgrader pontua


def celula_de_teste(questao: str, *saidas):
    marca = {"grade": True, "solution": False, "locked": True, "points": 2, "schema_version": 3, "task": False}
    marca["grade_id"] = f"confere-{questao.partition('/')[2]}"
    return new_code_cell(f'conferir("{questao}", dobro)', metadata={"nbgrader": marca}, outputs=list(saidas))


@pytest.mark.parametrize(
    "veredito, pontos",
    [
        (Veredito(None, None, 1.0, [], 5), 2.0),
        (Veredito("Falta o erro ✗ pedido.", "sem-erro", 0.75, ["valores"], 5), 1.5),
        (Veredito("Sua função eleva ao quadrado.", "quadrado", 0.0, [], 5), 0.0),
    ],
    ids=["tudo certo", "em parte", "errado"],
)
def test_o_nbgrader_da_os_pontos_do_veredito(veredito, pontos):
    celula = celula_de_teste("aula-00/dobro", *desenhar(veredito, "aula-00/dobro", "dobro", 2.0))
    assert determine_grade(celula) == (pontos, 2.0)
    nbformat.validate(new_notebook(cells=[celula]))
    assert veredito.frase is None or veredito.frase in json.dumps(celula.outputs, ensure_ascii=False)


def com_evidencia(questao: str, resposta, semente: int):
    q = buscar(questao)
    registros = executar(resposta, evidencia.pedido(q, semente)["casos"])
    dados = {"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return celula_de_teste(questao, new_output("display_data", data={TIPO_DA_EVIDENCIA: codificar_evidencia(dados)}))


SEMENTE = 5
LOG = logging.getLogger("veredito")  # o que o nbgrader dá depende do que outros testes já abriram neste processo
# O que, em uma questão, pode não funcionar por culpa nossa.
TORTAS: dict[str, dict] = {
    "o juiz lança um erro": {"tolerancia": None},
    "a referência lança um erro": {"referencia": lambda *_: 1 / 0},
    "a referência escreve na entrada": {"referencia": lambda x: np.multiply(x, 2, out=x)},
    "a testemunha lança um erro": {"confirma": lambda *_: 1 / 0},
    "a declaração não se sustenta": {"ocultos": lambda rng: [base.caso(np.ones(2), nomeia="x"), None]},
}


def julgar_e_registrar(nb, anotacao: Anotacao) -> Anotacao:
    recursos = {DADOS: anotacao}
    for passo in (JulgarEvidencia(log=LOG), Registrar()):
        nb, recursos = passo.preprocess(nb, recursos)
    nbformat.validate(nb)
    return Anotacao.de_dados(nb.metadata[DADOS])


@pytest.mark.parametrize("torta", TORTAS)
def test_um_erro_nosso_e_registrado_e_refeito_e_as_outras_questoes_ficam_com_o_que_merecem(monkeypatch, caplog, torta):
    certas = [com_evidencia(nome, buscar(nome).referencia, SEMENTE) for nome in ("aula-00/dobro", "lista-02/softmax")]
    for campo, valor in TORTAS[torta].items():
        monkeypatch.setattr(buscar("aula-00/dobro"), campo, valor)
    nb = new_notebook(cells=[*certas, celula_de_teste("lista-02/entropia")])
    anotacao = julgar_e_registrar(nb, Anotacao(semente=SEMENTE))
    assert anotacao.motivo == DEFEITO and anotacao.defeito
    dobro, softmax, entropia = (q.veredito for q in anotacao.questoes)
    assert (dobro.frase, dobro.fracao) == (DEFEITO, 0.0) and (softmax.frase, softmax.fracao) == (None, 1.0)
    assert "não recebeu nenhum resultado" in entropia.frase
    assert "defeito ao julgar confere-dobro" in caplog.text and "Traceback" in caplog.text


@pytest.mark.parametrize("tipo", ["TempoEsgotado", "EsperaEsgotada"])
def test_a_referencia_que_nao_termina_a_tempo_e_um_defeito_tambem_onde_se_espera_um_erro(monkeypatch, tipo):
    q = buscar("lista-02/softmax")
    com_erro = [base.caso(*c.entradas, nomeia="x") for c in q.casos]
    monkeypatch.setattr(q, "casos", com_erro)
    parada = Registro(erro={"tipo": tipo, "bases": [], "mensagem": "10", "onde": "", "auxiliar": ""})
    monkeypatch.setattr(base, "executar", lambda *_, **__: [parada])
    with pytest.raises(base.DeclaracaoErrada, match="a referência não terminou a tempo"):
        q.oculta(SEMENTE, com_equivocos=False)


def test_um_erro_nosso_ao_sortear_as_entradas_so_custa_a_propria_questao_e_e_refeito(monkeypatch, caplog):
    monkeypatch.setattr(buscar("lista-02/softmax"), "ocultos", lambda rng: 1 / 0)
    celulas = [celula_de_teste(nome) for nome in ("aula-00/dobro", "lista-02/softmax", "lista-02/nao-existe")]
    nb, recursos = PedirEvidencia(log=LOG).preprocess(new_notebook(cells=celulas), {})
    anotacao = recursos[DADOS]
    assert anotacao.motivo is None  # o notebook ainda vai rodar
    assert set(json.loads(anotacao.pedido)) == {"aula-00/dobro"}
    assert "ZeroDivisionError" in caplog.text and "Traceback" in caplog.text
    celulas[0].outputs = com_evidencia("aula-00/dobro", lambda x: 2 * x, anotacao.semente).outputs
    anotacao = julgar_e_registrar(nb, anotacao)
    assert anotacao.motivo == DEFEITO and "ZeroDivisionError" in anotacao.defeito
    assert [q.veredito.frase for q in anotacao.questoes] == [None, DEFEITO, DEFEITO]


def test_um_teste_comum_que_nao_chegou_a_rodar_nao_ganha_pontos():
    rodou, nao_rodou = (celula_de_teste(f"lista-02/{nome}") for nome in ("softmax", "entropia"))
    for celula in (rodou, nao_rodou):
        celula.source = "assert True"
    rodou.execution_count = 3
    anotacao = julgar_e_registrar(new_notebook(cells=[rodou, nao_rodou]), Anotacao(motivo="O kernel terminou."))
    assert [q.veredito.fracao for q in anotacao.questoes] == [1.0, 0.0]
    assert [determine_grade(celula)[0] for celula in (rodou, nao_rodou)] == [2, 0]


def erro(nome: str, dito: str):
    return new_output("error", ename=nome, evalue=dito, traceback=[])


SEM_NOME = erro("NameError", "name 'softmax' is not defined")
POR_QUE = {
    "sintaxe": (
        [erro("SyntaxError", "expected ':' (2845629110.py, line 3)")],
        "A célula da resposta tem um erro de sintaxe na linha 3, e por isso nada dela rodou.",
    ),
    "recuo": (
        [erro("IndentationError", "unexpected indent (2845629110.py, line 2)")],
        "A célula da resposta tem um erro de sintaxe na linha 2, e por isso nada dela rodou.",
    ),
    "módulo": (
        [erro("ModuleNotFoundError", "No module named 'einops'")],
        "A célula da resposta importa `einops`, um módulo que o curso não tem, e parou ali.",
    ),
    "kernel": (
        [erro("ExecucaoInterrompida", "O kernel terminou por conta própria na célula 7.")],
        "A célula da resposta não chegou ao fim. O kernel terminou por conta própria na célula 7.",
    ),
    "outro erro": (
        [erro("ZeroDivisionError", "division by zero")],
        "A célula da resposta parou com um erro (ZeroDivisionError: division by zero) antes de chegar ao fim.",
    ),
    "apagou": ([], "O nome `softmax` não existe no notebook que você entregou."),
}


@pytest.mark.parametrize("saidas, frase", POR_QUE.values(), ids=POR_QUE)
def test_se_o_nome_nao_existe_diz_se_por_que_a_celula_dele_nao_rodou(saidas, frase):
    marca = {"grade": False, "solution": True, "locked": False, "schema_version": 3, "task": False}
    resposta = new_code_cell("...", metadata={"nbgrader": marca | {"grade_id": "softmax"}}, outputs=saidas)
    teste = celula_de_teste("lista-02/softmax", SEM_NOME)
    anotacao = julgar_e_registrar(new_notebook(cells=[resposta, teste]), Anotacao())
    assert [q.veredito.frase for q in anotacao.questoes] == [frase]


def test_a_celula_que_levou_o_kernel_diz_isso_e_nao_o_que_parou_as_outras():
    culpada = celula_de_teste("lista-02/softmax", erro("ExecucaoInterrompida", "O kernel terminou na célula 7."))
    outra = celula_de_teste("lista-02/entropia")
    anotacao = julgar_e_registrar(new_notebook(cells=[culpada, outra]), Anotacao(motivo="Parou na 9; o resto ficou."))
    assert [q.veredito.frase for q in anotacao.questoes] == [
        *("O kernel terminou na célula 7.", "Parou na 9; o resto ficou.")
    ]


def test_um_defeito_nosso_e_dito_tambem_a_quem_ja_tinha_outro_motivo():
    anotacao = Anotacao(motivo="O kernel terminou por conta própria na célula 2.")
    anotacao.tropecar(KeyError("x"))
    anotacao.tropecar(KeyError("y"))
    assert anotacao.motivo == f"O kernel terminou por conta própria na célula 2. {DEFEITO}"
    assert anotacao.defeito == "KeyError('x')"


def test_so_o_relogio_faz_uma_evidencia_pedir_outra_corrida():
    def evidencia_de(resposta, prazo=0.05, espera=10**6) -> str:
        (registro,) = executar(resposta, [[]], prazo, espera=espera)
        return codificar_evidencia({"questao": "x", "chamada": None, "registros": [registro.como_dados()]})

    def laco():
        while True:
            pass

    assert parou_no_relogio(evidencia_de(lambda: time.sleep(3600), prazo=20, espera=0.01))
    for resposta in (laco, lambda: {"tipo": "EsperaEsgotada"}, lambda: '"tipo": "EsperaEsgotada"', lambda: 1 / 0):
        assert not parou_no_relogio(evidencia_de(resposta))


def _julgar(q, semente, resposta) -> Veredito:
    registros = executar(resposta, evidencia.pedido(q, semente)["casos"])
    dados = {"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return evidencia.julgar(q, semente, codificar_evidencia(dados))


def test_a_referencia_roda_uma_vez_nos_visiveis_e_nos_ocultos_so_para_quem_acerta_os_visiveis(monkeypatch):
    q, corridas = buscar("lista-02/softmax"), []
    certa, errada = q.referencia, next(e for e in q.equivocos if e.nome == "soma-global").funcao

    def contada(*entradas):
        corridas.append(entradas)
        return certa(*entradas)

    monkeypatch.setattr(q, "referencia", contada)
    for semente in range(3):
        veredito = _julgar(q, semente, errada)
        assert (veredito.fracao, veredito.equivoco) == (0.0, "soma-global")
        assert veredito.casos == len(q.casos) + len(q.casos_ocultos(evidencia.semente_da_questao(semente, q.nome)))
    assert len(corridas) == len(q.casos)
    assert _julgar(q, 5, certa).fracao == 1.0
    assert len(corridas) == veredito.casos  # e a dos visíveis não se repetiu
    monkeypatch.setattr(q, "referencia", lambda x, eixo=-1: 2 * certa(x, eixo))
    assert _julgar(q, 5, certa).fracao == 0.0  # quem conserta a questão não é julgado pela de antes


def test_o_pedido_e_feito_sem_rodar_a_referencia(monkeypatch):
    q = buscar("lista-02/softmax")
    esperado = evidencia.pedido(q, 3)
    monkeypatch.setattr(q, "referencia", lambda *_: pytest.fail("a referência rodou"))
    assert evidencia.pedido(q, 3) == esperado and esperado["quantidades"] == [1, 2]


# ---------------------------------------------------------------- o que vem do aluno

FORJADO = "FORJADO-7f3a"


def forjar(nb) -> None:
    """Põe nos metadados, e nas saídas, tudo o que a correção escreveria de uma entrega perfeita."""
    falsa = Anotacao(entrega=FORJADO, titulo=FORJADO, consertos=[FORJADO], motivo=None, segundos=0.1)
    falsa.questoes = [QuestaoAnotada(q.id, FORJADO) for q in questoes_da_lista(nb)]
    for celula in nb.cells:
        celula.metadata[DADOS] = {"frase": FORJADO, "fracao": 1.0}
        if is_grade(celula):
            falsa.anotar(celula.metadata.nbgrader.grade_id, Veredito(FORJADO, FORJADO, 1.0, [FORJADO], 99))
            celula.metadata.nbgrader.points = 100
            if celula.cell_type == "code":
                celula.outputs = [new_output("stream", name="stdout", text=f"✓ {FORJADO}\n✗ {FORJADO}\n")]
    nb.metadata[DADOS] = falsa.para_dados()
    nb.metadata[RECEBIDA] = falsa.para_dados()


@pytest.fixture(scope="module")
def turma(tmp_path_factory):
    """Duas entregas forjadas, uma em branco e uma com a primeira resposta certa, por corrigir."""
    turma = tmp_path_factory.mktemp("forjada")
    shutil.copytree(RAIZ / "source" / LISTA, turma / "source" / LISTA)
    assert emitir(LISTA, turma) is None  # a lista já está no livro de notas
    (nome, resposta), *_ = solucoes(LISTA).items()
    for aluno, respostas in (("branca", {}), ("meia", {nome: resposta})):
        assert FORJADO in entregar(turma, LISTA, aluno, respostas, mexer=forjar).read_text()
    return turma


@pytest.mark.lento
@pytest.mark.parametrize(
    "programa",
    [("correcao.juizo.corrigir", "01", "--processos", "1"), ("nbgrader", "autograde", LISTA, "--force")],
    ids=" ".join,
)
def test_uma_anotacao_forjada_na_entrega_nao_sobrevive(turma, programa, monkeypatch, capsys):
    monkeypatch.setenv("CURSO_TURMA", str(turma))
    feito = subprocess.run([sys.executable, "-m", *programa], cwd=RAIZ, capture_output=True, text=True)
    assert feito.returncode == 0, feito.stdout + feito.stderr
    entregas = {e.aluno: e for e in Turma(turma).entregas(LISTA)}
    certas = {aluno: [q.id for q in e.questoes if q.automatica and not q.diagnostico] for aluno, e in entregas.items()}
    assert certas["branca"] == [] and len(certas["meia"]) == 1
    assert entregas["branca"].nota == 0 < entregas["meia"].nota < 5
    assert all(e.de == 10 and e.titulo.startswith("Lista 01") and not e.motivo for e in entregas.values())

    for comando, pedido in ((devolver, ["01"]), (notas, []), (relatorio, ["01"]), (relatorio, [])):
        assert comando.main(pedido) == 0
    assert FORJADO not in "".join([*capsys.readouterr(), feito.stdout, feito.stderr])
    pastas = [turma / nome for nome in ("autograded", "feedback", "relatorios")]
    escritos = [turma / "notas.csv", *(p for pasta in pastas for p in pasta.rglob("*.*") if p.is_file())]
    assert len(escritos) >= 8
    assert [str(p) for p in escritos if FORJADO.encode() in p.read_bytes()] == []
