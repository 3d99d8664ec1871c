"""Uma lista que muda depois de corrigida, com os comandos do guia do instrutor, na ordem em que ele os dá."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ, entregar, solucoes, tudo

from correcao.caixa import caixa
from correcao.chegada.reparo.versao import ANTIGA
from correcao.livro.turma import Turma

LISTA = "lista-01-produto-escalar"
pytestmark = [pytest.mark.lento, pytest.mark.filterwarnings("ignore:Object of type")]
# O banco inteiro da lista, que o `gerar` confere, e os vários processos, que demoram a nascer, só em --tudo.
CONDUTOR = """
import contextlib, importlib, io, json, os, sys
from gabarito import gerar
from correcao.juizo import oficina
if "--depressa" in sys.argv:
    gerar.textos = lambda alvo: {}
    oficina.quantos_cabem = lambda quantas: 1
for linha in sys.stdin:
    modulo, *resto = json.loads(linha)
    for nome in [n for n in sys.modules if n.startswith("gabarito.lista_") and n.count(".") == 1]:
        del sys.modules[nome]  # cada comando lê a ORDEM que está no arquivo
    fora, erro = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(fora), contextlib.redirect_stderr(erro):
        codigo = importlib.import_module(modulo).main(resto)
    print(json.dumps([codigo, fora.getvalue(), erro.getvalue()]), flush=True)
"""
MODULOS = {"gerar": "gabarito.gerar", "corrigir": "correcao.juizo.corrigir", "devolver": "correcao.devolucao.devolver"}


def receitas() -> dict[str, list[list[str]]]:
    """Do guia: o que está em negrito no começo de cada receita → os comandos dela."""
    guia = (RAIZ / "guias" / "instrutor.md").read_text(encoding="utf-8")
    secao = guia.partition("## Quando a lista muda no meio do curso\n")[2].partition("\n## ")[0]
    partes = re.split(r"^\*\*(.*?)\.\*\*", secao, flags=re.MULTILINE)[1:]
    comandos = [re.findall(r"^python curso\.py (.*?)\s*(?:#.*)?$", parte, flags=re.MULTILINE) for parte in partes[1::2]]
    return {nome: [c.split() for c in cs] for nome, cs in zip(partes[::2], comandos, strict=True)}


class Curso:
    """Uma cópia do curso, com a turma na própria pasta dele, e um processo que roda os comandos."""

    def __init__(self, pasta: Path):
        self.pasta, sem = pasta, shutil.ignore_patterns("__pycache__", "*.safetensors")
        for nome in ("configuracao", "correcao", "gabarito", "helpers", f"source/{LISTA}", f"release/{LISTA}"):
            shutil.copytree(RAIZ / nome, pasta / nome, ignore=sem)
        shutil.copy(RAIZ / "nbgrader_config.py", pasta)
        ambiente = {k: v for k, v in os.environ.items() if k not in ("CURSO_TURMA", "CURSO_LIVRO", "PYTHONPATH")}
        ambiente[caixa.SEM_ISOLAMENTO] = (
            "1"  # as entregas são nossas, e a caixa não mostra o que há na pasta temporária
        )
        opcoes = [] if tudo() else ["--depressa"]
        canos = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "encoding": "utf-8"}
        self.processo = subprocess.Popen([sys.executable, "-c", CONDUTOR, *opcoes], cwd=pasta, env=ambiente, **canos)

    def rodar(self, comando: list[str]) -> tuple[int, str]:
        self.processo.stdin.write(json.dumps([MODULOS[comando[0]], *comando[1:]]) + "\n")
        self.processo.stdin.flush()
        codigo, saida, erro = json.loads(self.processo.stdout.readline())
        assert "Traceback" not in erro and "Error" not in erro, erro
        return codigo, saida + erro

    def seguir(self, receita: str) -> list[tuple[int, str]]:
        return [self.rodar(comando) for comando in receitas()[receita]]

    def mudar(self, mexer) -> None:
        """Muda a lista em source/, como faz o instrutor."""
        caminho = self.pasta / "source" / LISTA / f"{LISTA}.ipynb"
        nb = nbformat.read(caminho, as_version=4)
        mexer(nb)
        nbformat.write(nb, caminho)

    def por_na_ordem(self, *nomes: str) -> None:
        """Muda as questões do gabarito, como faz o instrutor."""
        caminho = self.pasta / "gabarito" / LISTA[:8].replace("-", "_") / "__init__.py"
        texto = caminho.read_text("utf-8")
        caminho.write_text(re.sub(r"ORDEM = \(.*?\)", f"ORDEM = {nomes!r}", texto, flags=re.DOTALL), "utf-8")

    def notas(self) -> dict[str, dict[str, tuple[float, float]]]:
        """Aluno → questão → (pontos, de quantos), como as lê quem faz a devolutiva."""
        lidas = {}
        for e in Turma(self.pasta).entregas(LISTA):
            lidas[e.aluno] = {q.id.removeprefix("confere-"): (q.pontos, q.de) for q in e.questoes}
            assert e.nota == pytest.approx(sum(p for p, _ in lidas[e.aluno].values()))
        return lidas


def da_questao(nb, nome: str) -> list:
    """As células de uma questão, e o lugar da primeira."""
    return [c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id", "").partition("-")[2] == nome
            or c.metadata.get("nbgrader", {}).get("grade_id") == nome]  # fmt: skip


def por_os_pontos(nb, nome: str, antes: str, depois: str) -> None:
    """Na célula, no título e na capa."""
    for celula in da_questao(nb, nome):
        if "points" in celula.metadata.nbgrader:
            celula.metadata.nbgrader.points = int(depois)
        celula.source = celula.source.replace(f"({antes} ponto", f"({depois} ponto")
    capa = nb.cells[0]
    titulo = nome.replace("discussao-", "Discussão ")
    capa.source = re.sub(rf"(\|[^|\n]*{titulo}[^|\n]*\| ){antes} \|", rf"\g<1>{depois} |", capa.source)
    valem = sum(
        c.metadata.nbgrader.points for c in nb.cells if c.metadata.get("nbgrader", {}).get("points") is not None
    )
    capa.source = re.sub(r"(\*\*[^*]*?)\d+(?= pontos?\*\*)", rf"\g<1>{valem}", capa.source, count=1)


def tirar(nb, nome: str) -> None:
    fora = da_questao(nb, nome)
    nb.cells = [c for c in nb.cells if c not in fora and f"{nome}={nome}" not in c.source]
    nb.cells[0].source = re.sub(rf"^\|[^|\n]*{nome}[^|\n]*\|.*\n", "", nb.cells[0].source, flags=re.MULTILINE)
    por_os_pontos(nb, "discussao-2", "1", "1")  # o total da capa


@pytest.fixture(scope="module")
def curso(tmp_path_factory):
    """A lista 01 sem a última questão, corrigida: Ana acerta tudo, Beto erra o cosseno, e uma discussão já foi lida."""
    curso = Curso(tmp_path_factory.mktemp("curso"))
    guardada = nbformat.read(RAIZ / "source" / LISTA / f"{LISTA}.ipynb", as_version=4)
    curso.mudar(lambda nb: tirar(nb, "sentido"))
    codigo, dito = curso.rodar(["gerar", "01"])
    assert codigo == 1 and "tire “sentido” de ORDEM, em gabarito/lista_01/__init__.py" in dito
    curso.por_na_ordem("incorporar", "similaridades", "cosseno", "mais_parecido")
    assert curso.rodar(["gerar", "01"])[0] == 0
    certas = solucoes(LISTA)
    entregar(curso.pasta, LISTA, "ana", certas, "Uma resposta.")
    entregar(curso.pasta, LISTA, "beto", certas | {"cosseno": "def cosseno(X):\n    return X @ X.T"}, "Outra.")
    assert curso.rodar(["corrigir", "01"])[0] == 0
    with Turma(curso.pasta).livro() as livro:
        for nome in ("discussao-1", "discussao-2"):
            nota = livro.find_grade(nome, LISTA, LISTA, "ana")
            nota.manual_score, nota.needs_manual_grade = 0.5, False
        livro.db.commit()
    curso.inteira, curso.certas = guardada, certas
    yield curso
    curso.processo.stdin.close()
    curso.processo.wait(300)


def test_uma_turma_passa_por_todas_as_mudancas_do_guia_com_o_mesmo_livro(curso):
    assert list(receitas()) == [
        *("Anular uma questão", "Mudar um enunciado", "Mudar os pontos de uma questão", "Acrescentar uma questão"),
        *("Tirar uma questão", "Desistir de anular"),
    ]
    antes = curso.notas()
    assert antes["ana"]["cosseno"] == (2, 2) and antes["beto"]["cosseno"] == (0, 2) and "sentido" not in antes["ana"]

    # anular: para quem entregou, e para quem entrega depois
    (_, ensaio), (codigo, dito) = curso.seguir("Anular uma questão")
    assert "1 de 2 notas mudam; nada foi gravado" in ensaio and codigo == 0 and "1 de 2 notas mudaram" in dito
    entregar(curso.pasta, LISTA, "caio", {})
    curso.rodar(["corrigir", "01"])
    assert {a: n["cosseno"] for a, n in curso.notas().items()} == dict.fromkeys(("ana", "beto", "caio"), (2, 2))
    assert curso.notas()["ana"] == antes["ana"]
    assert curso.rodar(["devolver", "01"])[0] == 0
    pagina = (curso.pasta / "feedback" / "beto" / LISTA / f"{LISTA}.html").read_text(encoding="utf-8")
    assert "Questão anulada: os pontos dela são de todos." in pagina

    # um enunciado: nada se corrige de novo
    anuladas = curso.notas()
    curso.mudar(
        lambda nb: da_questao(nb, "incorporar")[0].update(
            source=da_questao(nb, "incorporar")[0].source + "\n\nOutra frase."
        )
    )
    feitos = curso.seguir("Mudar um enunciado")
    assert [codigo for codigo, _ in feitos] == [0, 0] and "3 sem mudança" in feitos[1][1]
    assert curso.notas() == anuladas
    with Turma(curso.pasta).livro() as livro:
        assert livro.find_source_cell("enunciado-incorporar", LISTA, LISTA).source.endswith("Outra frase.")

    # os pontos: sem licença, só se diz; com ela, a nota dada à mão muda de escala
    curso.mudar(lambda nb: por_os_pontos(nb, "discussao-1", "1", "2"))
    (gerou, _), (passou, dito) = curso.seguir("Mudar os pontos de uma questão")
    assert gerou == 0 and passou == 0 and "discussao-1 passa de 1 para 2" in dito
    assert curso.notas()["ana"] == anuladas["ana"] | {"discussao-1": (1, 2)}
    assert curso.notas()["beto"] == anuladas["beto"] | {"discussao-1": (0, 2)}

    # uma questão a mais: zero para quem já entregou, e só nela; quem entrega de novo ganha os pontos
    dos_pontos = curso.notas()
    curso.mudar(lambda nb: (nb.update(cells=curso.inteira.cells), por_os_pontos(nb, "discussao-1", "1", "2")))
    curso.por_na_ordem("incorporar", "similaridades", "cosseno", "mais_parecido", "sentido")
    assert curso.rodar(["gerar", "01"])[0] == 0
    codigo, dito = curso.rodar(["corrigir", "01"])
    assert codigo == 2 and "mudou depois que parte da turma foi corrigida: entra sentido" in dito
    assert [codigo for codigo, _ in curso.seguir("Acrescentar uma questão")] == [0, 0]
    assert curso.notas() == {aluno: notas | {"sentido": (0, 2)} for aluno, notas in dos_pontos.items()}
    entregar(curso.pasta, LISTA, "ana", curso.certas, "Uma resposta.")
    curso.rodar(["corrigir", "01"])
    assert curso.notas()["ana"] == dos_pontos["ana"] | {"sentido": (2, 2)}

    # uma questão a menos
    com_mais = curso.notas()
    curso.mudar(lambda nb: tirar(nb, "mais_parecido"))
    curso.por_na_ordem("incorporar", "similaridades", "cosseno", "sentido")
    assert [codigo for codigo, _ in curso.seguir("Tirar uma questão")] == [0, 0]
    esperadas = {a: {q: v for q, v in n.items() if q != "mais_parecido"} for a, n in com_mais.items()}
    assert curso.notas() == esperadas
    # quem tem a lista antiga não é acusado de mexer nela, e o que ela tinha não vira resposta
    por_aluno = {e.aluno: e for e in Turma(curso.pasta).entregas(LISTA)}
    assert all(
        por_aluno[aluno].consertos == [ANTIGA] and not por_aluno[aluno].motivo for aluno in ("ana", "beto", "caio")
    )
    corrigido = nbformat.read(por_aluno["caio"].notebook, as_version=4)
    textos = {c.metadata.nbgrader.grade_id: c.source for c in corrigido.cells if "nbgrader" in c.metadata}
    assert (
        textos["discussao-1"] == "*Escreva aqui a sua resposta.*" and "Outra frase" not in textos["enunciado-cosseno"]
    )

    # e a anulada volta a valer
    curso.seguir("Desistir de anular")
    assert {a: n["cosseno"] for a, n in curso.notas().items()} == {"ana": (2, 2), "beto": (0, 2), "caio": (0, 2)}
    assert len(list((curso.pasta / "copias").glob("gradebook-*.db"))) >= 5
