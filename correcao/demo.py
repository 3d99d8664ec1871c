"""`python curso.py demo`: uma turma de mentira passa por prazo, coletar, corrigir, ler, devolver, notas e relatorio.

As entregas são feitas com o banco do gabarito: certas, alternativas, com equívocos, estragadas e em branco. Há quem
atrase, quem tenha mais prazo, quem entregue em grupo, quem mande outra coisa e quem não mande nada. Das respostas
abertas, um programa lê metade, com a mesma função que a página de `ler` chama. Os alunos são só números. No fim, um
ensaio de como se anula uma questão. Tudo acontece em uma pasta à parte; nada da sua turma é tocado.
"""

import datetime
import io
import json
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
from correcao.caixa import caixa
from correcao.chegada import coletar
from correcao.comum.pagina import MODELOS
from correcao.devolucao import devolver, notas, relatorio
from correcao.juizo import corrigir
from correcao.livro import leitura, prazo
from correcao.livro.turma import Turma
from helpers import RAIZ

LISTA = "lista-02-softmax"
ALUNOS = 24
GRUPO, DO_GRUPO = "Grupo A", ("2001", "2002")  # entregam juntos, e o Moodle faz uma pasta só
FALTAM = 2  # alunos que estão na planilha e não entregaram
LEITOR = "monitor de mentira"
# o que se responde a cada questão aberta, e quanto a rubrica dá a cada critério
DISCUSSOES = json.loads((MODELOS / "discussoes.json").read_text(encoding="utf-8"))
INICIO, DE_UM_A_OUTRO = datetime.datetime(2026, 3, 2, 9, 0), datetime.timedelta(hours=7)


def _questoes() -> list:
    from correcao.juizo.preprocessadores import questao_da_celula

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
            # só o primeiro escreve muito: um texto longo e igual seria, com razão, uma pista no relatório
            qual = 1 + i // 2 % 2 if i else 0
            nb = notebook(respostas(sorte, acerto) | {q: d[qual]["texto"] for q, d in DISCUSSOES.items()}, None)
            if i % 12 == 3:  # editado em um programa que apaga os metadados
                for celula in nb.cells:
                    celula.metadata.clear()
            conteudo = nbformat.writes(nb).encode()
        if i % 12 == 7:
            nome = "Cópia de lista 2 (1).ipynb"
        if i % 12 == 9:
            conteudo = conteudo[: len(conteudo) // 2]  # o envio caiu no meio
        if i % 12 == 10:
            nome, conteudo = "lista 2.docx", b"As respostas, em um editor de texto."
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
    with zipfile.ZipFile(saida, "w", zipfile.ZIP_DEFLATED) as arquivo:
        for i, (numero, (nome, conteudo)) in enumerate(turma.items()):
            quando = INICIO + i * DE_UM_A_OUTRO
            pasta = f"Participante {numero}_{numero}_assignsubmission_file_"
            arquivo.writestr(zipfile.ZipInfo(f"{pasta}/{nome}", quando.timetuple()[:6]), conteudo)
        do_grupo = nbformat.writes(notebook(respostas(random.Random(7), 0.9), "Os pesos somam 1.")).encode()
        caminho = f"{GRUPO}_7310100_assignsubmission_file_/{LISTA}.ipynb"
        arquivo.writestr(zipfile.ZipInfo(caminho, INICIO.timetuple()[:6]), do_grupo)
    return saida.getvalue()


def ler_metade(turma: Turma, lista: str) -> int:
    """Dá nota, pelos critérios, às respostas de um aluno sim, outro não; as outras ficam para a página."""
    lidas = 0
    for e in turma.entregas(lista)[::2]:
        nb = nbformat.read(e.notebook, as_version=4)
        textos = {c.metadata.nbgrader.grade_id: c.source for c in nb.cells if utils.is_solution(c)}
        for q in e.questoes:
            fracoes = {d["texto"]: d["fracoes"] for d in DISCUSSOES.get(q.id, [])}.get(textos.get(q.id))
            if q.espera and fracoes is not None:
                leitura.dar_nota(turma, lista, e.aluno, q.id, quem=LEITOR, fracoes=fracoes)
                lidas += 1
    return lidas


def _ler(pasta: Path) -> int:
    turma = Turma(pasta)
    lidas, esperam = ler_metade(turma, LISTA), sum(q.espera for e in turma.entregas(LISTA) for q in e.questoes)
    print(
        f"Aqui quem lê é um programa: deu nota a {lidas} respostas abertas, pelos critérios. Outras {esperam} esperam."
    )
    print(f"Para ver a página em que se leem: CURSO_TURMA={pasta} python curso.py ler 02")
    return corrigir.BEM


def prazo_da_turma(quantas: int) -> datetime.datetime:
    """Antes dos dois últimos: um atrasa, e o outro tem mais prazo."""
    return INICIO + max(0, quantas - 3) * DE_UM_A_OUTRO


def planilha_do_moodle(turma: dict[str, tuple[str, bytes]]) -> str:
    """Com as colunas e as palavras que o Moodle usa em português."""
    linhas = [
        'Identificador,"Nome completo","Número de identificação",Status,Grupo,Nota,"Nota máxima",'
        '"Nota pode ser alterada","Última modificação (envio)","Última modificação (nota)","Comentários de feedback"'
    ]
    prazo_, ultimo = prazo_da_turma(len(turma)), len(turma) - 1
    numeros = [*turma, *(str(1001 + len(turma) + i) for i in range(FALTAM))]
    for i, n in enumerate(numeros):
        quando, status = INICIO + i * DE_UM_A_OUTRO, "Enviado para avaliação"
        if n not in turma:
            status = "Nenhum envio"
        elif quando > prazo_ and i == ultimo:
            status += f" -  - Prorrogação concedida até: {_como_o_moodle(quando + DE_UM_A_OUTRO)}"
        elif quando > prazo_:
            status += f" - {int((quando - prazo_).total_seconds() // 3600)} horas atrasado"
        enviado = _como_o_moodle(quando) if n in turma else "-"
        linhas.append(f'"Participante {n}","Participante {n}",a{n},"{status}",,,"10,00",Sim,"{enviado}",-,')
    for n in DO_GRUPO:
        status, enviado = "Enviado para avaliação", _como_o_moodle(INICIO)
        linhas.append(f'"Participante {n}","Participante {n}",a{n},"{status}",{GRUPO},,"10,00",Sim,"{enviado}",-,')
    return "\r\n".join(linhas) + "\r\n"


def _como_o_moodle(quando: datetime.datetime) -> str:
    dia = ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo")
    return f"{dia[quando.weekday()]}, {quando.day} mar. {quando:%Y, %H:%M}"


def demo(pasta: Path, alunos: int) -> Path:
    """Roda tudo em `pasta` e devolve o relatório."""
    turma = entregas(alunos)
    (pasta / "moodle.zip").write_bytes(zip_do_moodle(turma))
    (pasta / "planilha.csv").write_text(planilha_do_moodle(turma), encoding="utf-8", newline="")
    planilha, ate = str(pasta / "planilha.csv"), f"{prazo_da_turma(alunos):%d/%m/%Y %H:%M}"
    passos = [
        (f'prazo 02 "{ate}"', lambda: prazo.main(["02", ate])),
        ("coletar 02 moodle.zip --planilha planilha.csv", lambda: coletar.main(
            ["02", str(pasta / "moodle.zip"), "--planilha", planilha])),
        ("corrigir 02", lambda: corrigir.main(["02"])),
        ("ler 02", lambda: _ler(pasta)),
        ("devolver 02", lambda: devolver.main(["02"])),
        ("notas 02 --moodle planilha.csv", lambda: notas.main(["02", "--moodle", planilha])),
        ("notas --todas", lambda: notas.main(["--todas"])),
        ("relatorio 02", lambda: relatorio.main(["02"])),
        ("relatorio", lambda: relatorio.main([])),
        ("corrigir 02 --questao discussao-2 --anular", lambda: corrigir.main(
            ["02", "--questao", "discussao-2", "--anular"])),
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
    quantas = f"{alunos + 1} entregas, uma delas de um grupo"
    print(f"\nDo zip ao relatório em {tempo:.0f} s, com {quantas}. Tudo está em {pasta}")
    if not pedido.sem_navegador:
        webbrowser.open(pagina.as_uri())
    return 0


if __name__ == "__main__":
    rodar(main)
