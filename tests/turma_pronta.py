"""Uma turma já corrigida e o zip de um envio, para os testes da volta do instrutor."""

import datetime
import random
import re
import zipfile
from pathlib import Path

import nbformat
from conftest import RAIZ
from nbgrader.utils import is_grade, is_solution

from correcao import demo
from correcao.chegada.recebimento import questoes_da_lista
from correcao.comum.anotacao import DADOS, Anotacao, Veredito
from correcao.livro.turma import Turma

LISTA = demo.LISTA
NOTEBOOK = (RAIZ / "release" / LISTA / f"{LISTA}.ipynb").read_bytes()
INGLES = re.compile(r"\b(the|not|denied|file|directory|No such|Errno|Traceback|Error|is a|database|locked)\b")
HOJE = (2026, 3, 2, 10, 0, 0)


def zip_de(pasta: Path, membros: dict, quando=HOJE) -> Path:
    caminho = pasta / "envios.zip"
    with zipfile.ZipFile(caminho, "w", zipfile.ZIP_DEFLATED) as zip_:
        for nome, conteudo in membros.items():
            info = zipfile.ZipInfo(nome, quando)
            info.compress_type = zipfile.ZIP_DEFLATED
            zip_.writestr(info, conteudo)
    return caminho


def turma_corrigida(pasta: Path, quantos: int, alunos: tuple[str, ...] = ()) -> None:
    """Uma turma com notas no livro e notebooks em autograded/, sem ter passado pela correção."""
    sorte, emitida = random.Random(7), nbformat.reads(NOTEBOOK.decode(), as_version=4)
    with Turma(pasta).livro() as livro:
        livro.add_assignment(LISTA)
        livro.add_notebook(LISTA, LISTA)
        for celula in emitida.cells:
            marca = celula.metadata.get("nbgrader", {})
            if is_grade(celula):
                pontos, tipo = float(marca.points), celula.cell_type
                livro.add_grade_cell(marca.grade_id, LISTA, LISTA, max_score=pontos, cell_type=tipo)
            if is_solution(celula):
                livro.add_solution_cell(marca.grade_id, LISTA, LISTA)
        for i in range(quantos):
            aluno = alunos[i] if alunos else f"a{i + 1:03d}"
            livro.add_student(aluno)
            entregue = datetime.datetime(2026, 3, 2, 12) + datetime.timedelta(minutes=7 * i)
            entrega = livro.add_submission(LISTA, aluno, timestamp=entregue)
            for nota in entrega.notebooks[0].grades:
                nota.auto_score = nota.max_score if sorte.random() < 0.6 else 0.0
                nota.needs_manual_grade = False
            destino = pasta / "autograded" / aluno / LISTA
            destino.mkdir(parents=True)
            nb = demo.notebook(demo.respostas(sorte, sorte.random()), f"Resposta {i}: $a_{{{i}}} = 1$.")
            nb.metadata[DADOS] = anotada(emitida, {n.name: n.auto_score for n in entrega.notebooks[0].grades})
            nbformat.write(nb, destino / f"{LISTA}.ipynb")
        livro.db.commit()


def anotada(emitida, pontos: dict[str, float]) -> dict:
    """O que a correção anotaria de uma entrega com estes pontos."""
    anotacao = Anotacao(titulo="Lista 02 · Softmax", questoes=questoes_da_lista(emitida))
    for questao in [q.id for q in anotacao.questoes if q.id.startswith("confere-")]:
        certa = Veredito(fracao=1.0, casos=12)
        anotacao.anotar(questao, certa if pontos[questao] else Veredito("A soma não é 1.", casos=12))
    return anotacao.para_dados()


def dito(capsys) -> str:
    """O que o comando disse; nada disso pode estar em inglês."""
    saida = capsys.readouterr()
    assert not INGLES.search(saida.err), saida.err
    return saida.out + saida.err
