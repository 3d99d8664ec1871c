"""`python curso.py demo`: uma turma de mentira passa por coletar, corrigir, devolver, notas e relatorio.

As entregas são feitas com o banco do gabarito: certas, alternativas, com equívocos, estragadas e em branco. Os alunos
são só números. Tudo acontece em uma pasta à parte; nada da sua turma é tocado.
"""

import datetime
import io
import os
import random
import re
import tempfile
import time
import webbrowser
import zipfile
from pathlib import Path

import nbformat
from nbgrader import utils

from configuracao import comandos
from configuracao.terminal import rodar
from correcao import caixa, coletar, corrigir, devolver, notas, relatorio
from helpers import RAIZ

LISTA = "lista-02-softmax"
ALUNOS = 24


def _questoes() -> list:
    from correcao.preprocessadores import questao_da_celula

    nb = nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4)
    return [q for c in nb.cells if (q := questao_da_celula(c))]


def respostas(sorte: random.Random, acerto: float) -> dict[str, str]:
    """As respostas de um aluno: cada questão certa com a chance dada; senão, um equívoco do banco."""
    from gabarito.codigo import como_celula

    escolhidas = {}
    for q in _questoes():
        resposta = sorte.choice(q.certas if sorte.random() < acerto else q.equivocos[:6])
        escolhidas[q.funcao] = como_celula(q, resposta)
    return escolhidas


def notebook(codigo: dict[str, str], discussao: str | None) -> nbformat.NotebookNode:
    """A lista, respondida."""
    return responder(nbformat.read(RAIZ / "release" / LISTA / f"{LISTA}.ipynb", as_version=4), codigo, discussao)


def responder(nb: nbformat.NotebookNode, codigo: dict[str, str], discussao: str | None) -> nbformat.NotebookNode:
    """Escreve em uma lista o código de cada resposta e, nas questões abertas, a discussão."""
    for celula in nb.cells:
        if utils.is_solution(celula) and celula.metadata.nbgrader.grade_id in codigo:
            celula.source = codigo[celula.metadata.nbgrader.grade_id]
        elif discussao and utils.is_solution(celula) and utils.is_grade(celula):
            celula.source = discussao
    return nb


def entregas(quantas: int) -> dict[str, tuple[str, bytes]]:
    """Número do participante → (nome do arquivo, conteúdo), sempre as mesmas."""
    sorte = random.Random(2026)
    turma: dict[str, tuple[str, bytes]] = {}
    for i in range(quantas):
        nome, acerto = f"{LISTA}.ipynb", (1.0, 0.85, 0.6, 0.35)[i % 4]
        if i % 12 == 5:
            conteudo = nbformat.writes(notebook({}, None)).encode()  # em branco
        else:
            nb = notebook(respostas(sorte, acerto), "Cada linha de pesos soma 1, porque vem de uma softmax.")
            if i % 12 == 3:  # editado em um programa que apaga os metadados
                for celula in nb.cells:
                    celula.metadata.clear()
            conteudo = nbformat.writes(nb).encode()
        if i % 12 == 7:
            nome = "Cópia de lista 2 (1).ipynb"
        if i % 12 == 9:
            conteudo = conteudo[: len(conteudo) // 2]  # o envio caiu no meio
        turma[str(1001 + i)] = (nome, conteudo)
    if quantas >= 12:  # duas entregas iguais, para que o relatório tenha uma pista a mostrar
        turma["1012"] = turma["1003"]
        turma["1002"] = (f"{LISTA}.ipynb", nbformat.writes(so_erra_por_outra()).encode())
    return turma


def so_erra_por_outra() -> nbformat.NotebookNode:
    """Uma entrega em que só a primeira função está errada, e as que a usam erram por causa dela."""
    from gabarito.codigo import como_celula

    softmax = _questoes()[0]
    fonte = nbformat.read(RAIZ / "source" / LISTA / f"{LISTA}.ipynb", as_version=4)
    marcas = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", flags=re.MULTILINE)
    codigo = {c.metadata.nbgrader.grade_id: marcas.sub("", c.source) for c in fonte.cells if _programa(c)}
    errada = {softmax.funcao: como_celula(softmax, softmax.equivocos[0])}
    return notebook(codigo | errada, "Cada linha de pesos soma 1, porque vem de uma softmax.")


def _programa(celula: nbformat.NotebookNode) -> bool:
    return utils.is_solution(celula) and not utils.is_grade(celula)


def zip_do_moodle(turma: dict[str, tuple[str, bytes]]) -> bytes:
    saida = io.BytesIO()
    inicio = datetime.datetime(2026, 3, 2, 9, 0)
    with zipfile.ZipFile(saida, "w", zipfile.ZIP_DEFLATED) as arquivo:
        for i, (numero, (nome, conteudo)) in enumerate(turma.items()):
            quando = inicio + datetime.timedelta(hours=7 * i)
            pasta = f"Participante {numero}_{numero}_assignsubmission_file_"
            arquivo.writestr(zipfile.ZipInfo(f"{pasta}/{nome}", quando.timetuple()[:6]), conteudo)
    return saida.getvalue()


def planilha_do_moodle(turma: dict[str, tuple[str, bytes]]) -> str:
    cabecalho = "Identificador,Nome completo,Número de identificação,Status,Nota,Nota máxima,Comentários de feedback"
    linhas = [f'Participante {n},Participante {n},a{n},Enviado,,"10,00",' for n in turma]
    return "\r\n".join([cabecalho, *linhas]) + "\r\n"


def demo(pasta: Path, alunos: int) -> Path:
    """Roda tudo em `pasta` e devolve o relatório."""
    turma = entregas(alunos)
    (pasta / "moodle.zip").write_bytes(zip_do_moodle(turma))
    (pasta / "planilha.csv").write_text(planilha_do_moodle(turma), encoding="utf-8", newline="")
    passos = [
        ("coletar 02 moodle.zip --planilha planilha.csv", lambda: coletar.main(
            ["02", str(pasta / "moodle.zip"), "--planilha", str(pasta / "planilha.csv")])),
        ("corrigir 02", lambda: corrigir.main(["02"])),
        ("devolver 02", lambda: devolver.main(["02"])),
        ("notas 02 --moodle planilha.csv", lambda: notas.main(["02", "--moodle", str(pasta / "planilha.csv")])),
        ("relatorio 02", lambda: relatorio.main(["02"])),
    ]  # fmt: skip
    for nome, passo in passos:
        inicio = time.perf_counter()
        print(f"\n── python curso.py {nome}", flush=True)
        codigo = passo()
        print(f"   ({time.perf_counter() - inicio:.0f} s)", flush=True)
        if codigo not in (corrigir.BEM, corrigir.OLHAR):
            raise SystemExit(codigo)
    return pasta / relatorio.PASTA / f"{LISTA}.html"


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("demo", argumentos)
    if pedido.sem_isolamento:
        os.environ[caixa.SEM_ISOLAMENTO] = "1"
    pasta = (pedido.pasta or Path(tempfile.mkdtemp(prefix="curso-demo-"))).resolve()
    pasta.mkdir(parents=True, exist_ok=True)
    os.environ["CURSO_TURMA"] = str(pasta)
    inicio = time.perf_counter()
    alunos = pedido.alunos or ALUNOS
    pagina = demo(pasta, alunos)
    tempo = time.perf_counter() - inicio
    print(f"\nDo zip ao relatório em {tempo:.0f} s, com {alunos} entregas. Tudo está em {pasta}")
    if not pedido.sem_navegador:
        webbrowser.open(pagina.as_uri())
    return 0


if __name__ == "__main__":
    rodar(main)
