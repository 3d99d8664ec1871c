"""O veredito como dados: escrito uma vez pela correção, lido por todos, e nunca pelo que veio do aluno."""

import copy
import json
import shutil
import subprocess
import sys

import nbformat
import pytest
from conftest import RAIZ, entregar, listas, solucoes
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbgrader.utils import determine_grade, is_grade

from correcao import devolver, evidencia, notas, relatorio
from correcao.anotacao import (
    DADOS,
    DEFEITO,
    RECEBIDA,
    Anotacao,
    AnotacaoIlegivel,
    QuestaoAnotada,
    Veredito,
    registro_da_correcao,
)
from correcao.preprocessadores import JulgarEvidencia, Registrar, desenhar
from correcao.recebimento import questoes_da_lista, titulo_da_lista
from correcao.turma import Turma
from gabarito.base import buscar
from gabarito.curso import emitir
from helpers.conferencia.execucao import executar
from helpers.conferir import TIPO_DA_EVIDENCIA, codificar_evidencia

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


@pytest.mark.parametrize("lista", listas())
def test_os_titulos_saem_da_lista_emitida(lista):
    emitida = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)
    questoes, textos = questoes_da_lista(emitida), "\n".join(c.source for c in emitida.cells)
    assert [q.id for q in questoes] == [c.metadata.nbgrader.grade_id for c in emitida.cells if is_grade(c)]
    assert len({q.titulo for q in questoes}) == len(questoes)
    assert all(f"## {q.titulo} (" in textos and q.veredito is None for q in questoes)
    assert f"# {titulo_da_lista(emitida)}\n" in textos and f"{int(lista[6:8]):02d}" in titulo_da_lista(emitida)


# ---------------------------------------------------------------- a saída que o nbgrader pontua


def celula_de_teste(questao: str, *saidas):
    marca = {"grade": True, "solution": False, "locked": True, "points": 2, "grade_id": "confere-dobro"}
    marca |= {"schema_version": 3, "task": False}
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
    celula = celula_de_teste("aula-00/dobro", *desenhar(veredito, buscar("aula-00/dobro"), 2.0))
    assert determine_grade(celula) == (pontos, 2.0)
    nbformat.validate(new_notebook(cells=[celula]))
    assert veredito.frase is None or veredito.frase in json.dumps(celula.outputs, ensure_ascii=False)


def com_evidencia(questao: str, resposta, semente: int):
    q = buscar(questao)
    registros = executar(resposta, evidencia.pedido(q, semente)["casos"])
    dados = {"questao": q.nome, "chamada": None, "registros": [r.como_dados() for r in registros]}
    return celula_de_teste(questao, new_output("display_data", data={TIPO_DA_EVIDENCIA: codificar_evidencia(dados)}))


def test_um_erro_nosso_ao_julgar_e_registrado_e_refeito_e_as_outras_questoes_ficam(monkeypatch, caplog):
    certo = evidencia.julgar

    def torto(q, *resto):
        if q.nome == "aula-00/dobro":
            raise KeyError("um defeito do juiz")
        return certo(q, *resto)

    monkeypatch.setattr(evidencia, "julgar", torto)
    boa = com_evidencia("lista-02/softmax", buscar("lista-02/softmax").referencia, 5)
    boa.metadata.nbgrader.grade_id = "confere-softmax"
    nb = new_notebook(cells=[com_evidencia("aula-00/dobro", lambda x: 2 * x, 5), boa])
    recursos = {DADOS: Anotacao(semente=5)}
    for passo in (JulgarEvidencia(), Registrar()):
        nb, recursos = passo.preprocess(nb, recursos)
    anotacao = Anotacao.de_dados(nb.metadata[DADOS])
    assert anotacao.motivo == DEFEITO and "um defeito do juiz" in anotacao.defeito
    dobro, softmax = (q.veredito for q in anotacao.questoes)
    assert (dobro.frase, dobro.fracao) == (DEFEITO, 0.0) and (softmax.frase, softmax.fracao) == (None, 1.0)
    assert "defeito ao julgar aula-00/dobro" in caplog.text and "KeyError" in caplog.text


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
    "programa", [("correcao.corrigir", "01"), ("nbgrader", "autograde", LISTA, "--force")], ids=" ".join
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
