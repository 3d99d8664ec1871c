"""Um semestre de três listas, do zip do Moodle às médias: cada nota, desconto, comentário e arquivo é o que devia ser.

A turma é inventada aqui, com acentos, apóstrofos, atrasos, prorrogações, grupos, notebooks do Colab e do VS Code,
arquivos recusados e segundos envios. São 12 alunos; com `testar --tudo`, 60.
"""

import csv
import dataclasses
import datetime
import html
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ, solucoes, tudo
from pontuar import fracao

from correcao.chegada import coletar
from correcao.demo import responder
from correcao.devolucao import devolver, notas, relatorio
from correcao.juizo import corrigir
from correcao.juizo.rejulgar import dependem_de
from correcao.livro import prazo
from correcao.livro import turma as modulo_turma
from correcao.livro.turma import Turma
from gabarito.base import Questao, carregar
from gabarito.codigo import como_celula
from gabarito.no_nbgrader import configuracao

LISTAS = ("lista-01-produto-escalar", "lista-02-softmax", "lista-03-escala")
EM_GRUPO = LISTAS[2]
PRAZOS = [datetime.datetime(2026, 3, 9 + 7 * i, 23, 59) for i in range(3)]
POR_DIA = 0.1
pytestmark = [
    *(pytest.mark.lento, pytest.mark.usefixtures("com_ou_sem_caixa")),
    pytest.mark.filterwarnings("ignore:Object of type"),
]
PRENOMES = (
    "Ana",
    "João",
    "Conceição",
    "Íris",
    "D’Artagnan",
    "Zoë",
    "Luís",
    "Mônica",
    "Ñuñez",
    "Ágata",
    "Bia",
    "O'Hara",
)
SOBRENOMES = ("Sá", "D'Ávila", "dos Santos", "Gonçalves", "Pêssego-Lima")


@dataclasses.dataclass
class Plano:
    """O que um aluno faz em uma lista, e o que se espera disso."""

    erra: bool = False  # uma questão, com um equívoco do banco
    mexer: Callable | None = None  # o editor em que trabalhou
    arquivo: str = ""  # com outro nome
    entrega: bool = True
    recusado: bool = False  # mandou outra coisa no lugar do notebook
    atraso: int = 0  # horas depois do prazo
    prorrogado: str = ""  # "moodle" ou "instrutor"
    reenvia: bool = False  # na primeira vez, tudo em branco


def do_colab(nb) -> None:
    """O Colab troca os ids das células e acrescenta os seus metadados."""
    nb.metadata.update(colab={"provenance": []}, kernelspec={"name": "python3", "display_name": "Python 3"})
    for i, celula in enumerate(nb.cells):
        celula.id = f"colab{i}"
        celula.metadata["id"] = f"{i:012x}"


def do_vs_code(nb) -> None:
    """O VS Code não guarda o que não conhece."""
    for celula in nb.cells:
        celula.metadata = nbformat.from_dict({"vscode": {"languageId": "python"}})


PLANOS = (
    Plano(),
    Plano(erra=True, atraso=26),
    Plano(mexer=do_colab),
    Plano(mexer=do_vs_code, erra=True),
    Plano(recusado=True),
    Plano(atraso=26, prorrogado="moodle"),
    Plano(atraso=30, prorrogado="instrutor"),
    Plano(reenvia=True),
    Plano(entrega=False),
    Plano(erra=True, arquivo="Cópia de lista (1).ipynb"),
    Plano(atraso=3),
    Plano(atraso=26, reenvia=True),
)


@dataclasses.dataclass
class Aluno:
    i: int

    @property
    def nome(self) -> str:
        return f"{PRENOMES[self.i % len(PRENOMES)]} {SOBRENOMES[self.i % len(SOBRENOMES)]} {self.i // 12 + 1}º"

    @property
    def matricula(self) -> str:
        return f"2026{self.i:03d}"

    def numero(self, lista: str) -> str:
        """O Moodle dá números novos em cada tarefa."""
        return str(10_000 * (1 + LISTAS.index(lista)) + self.i)

    def pasta(self, lista: str) -> str:
        return f"{self.nome}_{self.numero(lista)}_assignsubmission_file_"

    def plano(self, lista: str) -> Plano:
        """Cada lista roda os papéis de um aluno a outro; na do grupo, o papel é o do grupo."""
        j = LISTAS.index(lista)
        quem = self.i // 3 * 5 if lista == EM_GRUPO else self.i + j
        return PLANOS[quem % len(PLANOS)]

    @property
    def grupo(self) -> str:
        return f"Grupo {chr(ord('A') + self.i // 3)}"


ALUNOS = [Aluno(i) for i in range(60 if tudo() else 12)]


def errada(lista: str) -> Questao:
    """Uma questão de que nenhuma outra depende: errá-la não muda as outras."""
    return next(q for q in carregar(lista[:8]).values() if not dependem_de(lista, q.funcao))


def caderno(lista: str, plano: Plano, quem: str, em_branco: bool = False) -> bytes:
    nb = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)
    if not em_branco:
        certas, q = solucoes(lista), errada(lista)
        respostas = certas | ({q.funcao: como_celula(q, q.equivocos[0])} if plano.erra else {})
        nb = responder(nb, respostas, f"O que penso, por {quem}: $a<b$.")
    if plano.mexer:
        plano.mexer(nb)
    return nbformat.writes(nb).encode()


def quando(aluno: Aluno, lista: str) -> datetime.datetime:
    plano, ate = aluno.plano(lista), PRAZOS[LISTAS.index(lista)]
    return (
        ate + datetime.timedelta(hours=plano.atraso)
        if plano.atraso
        else ate - datetime.timedelta(hours=5 + aluno.i % 7)
    )


def zip_do_moodle(destino: Path, lista: str, primeira: bool) -> Path:
    """O de “baixar todos os envios”; o primeiro é de antes dos segundos envios."""
    with zipfile.ZipFile(destino, "w", zipfile.ZIP_DEFLATED) as zip_:
        for aluno in ALUNOS:
            plano = aluno.plano(lista)
            if not plano.entrega or (lista == EM_GRUPO and aluno.i % 3):
                continue
            pasta = (
                f"{aluno.grupo}_{7_310_100 + aluno.i}_assignsubmission_file"
                if lista == EM_GRUPO
                else aluno.pasta(lista)
            )
            em_branco = primeira and plano.reenvia
            hora = quando(aluno, lista) - datetime.timedelta(hours=48 * em_branco)
            nome = "respostas.docx" if plano.recusado else plano.arquivo or f"{lista}.ipynb"
            dentro = b"um texto" if plano.recusado else caderno(lista, plano, aluno.nome, em_branco)
            info = zipfile.ZipInfo(f"{pasta}/{nome}", hora.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            zip_.writestr(info, dentro)
    return destino


def planilha(destino: Path, lista: str) -> Path:
    """A de notas, em uma escala de 100, como o Moodle a baixa em português."""
    grupo = ["Grupo"] if lista == EM_GRUPO else []
    linhas = [["Identificador", "Nome completo", "Número de identificação", "Status", *grupo, "Nota", "Nota máxima",
               "Última modificação (envio)", "Comentários de feedback"]]  # fmt: skip
    for aluno in ALUNOS:
        plano, hora = aluno.plano(lista), quando(aluno, lista)
        status = "Enviado para avaliação" if plano.entrega else "Nenhum envio"
        if plano.prorrogado == "moodle":
            ate = hora + datetime.timedelta(hours=4)
            status += f" - Prorrogação concedida até: {ate.day} de março de 2026, {ate:%H:%M}"
        elif plano.atraso:
            dias, horas = divmod(plano.atraso, 24)
            status += f" - {f'{dias} dia {horas} horas' if dias else f'{horas} horas'} atrasado"
        enviado = f"segunda-feira, {hora.day} mar. 2026, {hora:%H:%M}" if plano.entrega else "-"
        do_grupo = [aluno.grupo] if lista == EM_GRUPO else []
        nome, n = aluno.nome, f"Participante {aluno.numero(lista)}"
        linhas.append([n, nome, aluno.matricula, status, *do_grupo, "", "100,00", enviado, ""])
    texto = io.StringIO(newline="")
    csv.writer(texto, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(linhas)
    destino.write_text(texto.getvalue(), encoding="utf-8", newline="")
    return destino


def lida_a_mao(aluno: Aluno, discussao: str) -> tuple[float, str | None]:
    """O que o instrutor deu à discussão, e o que escreveu; em um grupo, é a de quem vem primeiro."""
    quarto = (aluno.i + (discussao == "discussao-2")) % 5
    return min(1.0, 0.25 * quarto), f"Falta o item {quarto}, como em {aluno.nome}." if quarto == 2 else None


def ler_as_discussoes(turma: Turma, lista: str) -> None:
    de_quem = {a.grupo.lower().replace(" ", "-") if lista == EM_GRUPO else a.matricula: a for a in reversed(ALUNOS)}
    with turma.livro() as livro:
        for entrega in livro.assignment_submissions(lista):
            for nota in (g for n in entrega.notebooks for g in n.grades if g.name.startswith("discussao")):
                if nota.needs_manual_grade:
                    vale, comentado = lida_a_mao(de_quem[entrega.student_id], nota.name)
                    nota.manual_score, nota.needs_manual_grade = vale * nota.max_score, False
                    chaves = (nota.name, lista, lista, entrega.student_id)
                    livro.find_comment(*chaves).manual_comment = comentado
        livro.db.commit()


def com_desconto(raiz=None):
    config = configuracao(raiz)
    config.Atraso.por_dia = POR_DIA
    return config


@pytest.fixture(scope="module")
def semestre(tmp_path_factory):
    """As três listas, do prazo ao relatório, com os comandos que o instrutor daria."""
    pasta = tmp_path_factory.mktemp("semestre")
    with pytest.MonkeyPatch.context() as troca:
        troca.setenv("CURSO_TURMA", str(pasta))
        troca.delenv("CURSO_LIVRO", raising=False)
        troca.setattr(modulo_turma, "configuracao", com_desconto)
        for lista, ate in zip(LISTAS, PRAZOS, strict=True):
            numero = lista[6:8]
            assert prazo.main([numero, f"{ate:%d/%m/%Y}", f"{ate:%H:%M}"]) == 0
            folha = planilha(pasta / f"notas-{numero}.csv", lista)
            for vez in (True, False):
                zip_ = zip_do_moodle(pasta / f"envios-{numero}-{vez}.zip", lista, primeira=vez)
                assert coletar.main([numero, str(zip_), "--planilha", str(folha)]) in (0, 3)
                assert corrigir.main([numero, *(["--processos", "1"] if not tudo() else [])]) in (0, 3)
            for aluno in (a for a in ALUNOS if a.plano(lista).prorrogado == "instrutor"):
                fim = quando(aluno, lista) + datetime.timedelta(hours=1)
                mais = [numero, f"{fim:%d/%m/%Y}", f"{fim:%H:%M}", "--aluno", aluno.matricula]
                assert prazo.main(mais) == 0
            ler_as_discussoes(Turma(pasta), lista)
            assert devolver.main([numero]) == 0
            assert notas.main([numero, "--moodle", str(folha), "--zero-para-ausentes"]) == 0
            assert relatorio.main([numero]) == 0
        assert notas.main(["--todas"]) == 0 and relatorio.main([]) == 0
        yield pasta


def lider(aluno: Aluno, lista: str) -> Aluno:
    return ALUNOS[aluno.i // 3 * 3] if lista == EM_GRUPO else aluno


def esperada(aluno: Aluno, lista: str) -> tuple[float, float]:
    """(a nota, o desconto) de quem entregou, refeitos sem a máquina de corrigir."""
    plano, cheia = aluno.plano(lista), 0.0
    if plano.recusado:
        return 0.0, 0.0
    emitida = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)
    for celula in emitida.cells:
        vale = celula.metadata.get("nbgrader", {}).get("points")
        nome = celula.metadata.get("nbgrader", {}).get("grade_id", "")
        if vale is None:
            continue
        if nome.startswith("discussao"):
            cheia += vale * lida_a_mao(lider(aluno, lista), nome)[0]
        elif not (plano.erra and nome == f"confere-{errada(lista).funcao}"):
            cheia += vale
        else:
            cheia += vale * fracao_do_banco(lista)
    dias = 0 if plano.prorrogado else -(-plano.atraso // 24)
    return cheia * (1 - POR_DIA * dias), cheia * POR_DIA * dias


def fracao_do_banco(lista: str) -> float:
    return fracao(errada(lista), errada(lista).equivocos[0].nome)


def entregaram(lista: str) -> list[Aluno]:
    return [a for a in ALUNOS if a.plano(lista).entrega]


@pytest.mark.parametrize("lista", LISTAS)
def test_cada_nota_e_cada_desconto_sao_os_esperados(semestre, lista):
    lidas = {e.aluno: e for e in Turma(semestre).entregas(lista)}
    assert set(lidas) == {a.matricula for a in entregaram(lista)}
    for aluno in entregaram(lista):
        nota, desconto = esperada(aluno, lista)
        e = lidas[aluno.matricula]
        assert (e.nota, e.desconto) == (pytest.approx(nota), pytest.approx(desconto)), (aluno, aluno.plano(lista))
        assert e.nome == aluno.nome and not e.espera


@pytest.mark.parametrize("lista", LISTAS)
def test_cada_comentario_da_planilha_diz_o_que_houve(semestre, lista):
    texto = (semestre / f"notas-{lista[6:8]}-preenchida.csv").read_text(encoding="utf-8")
    linhas = {linha["Identificador"]: linha for linha in csv.DictReader(io.StringIO(texto), delimiter=";")}
    for aluno in ALUNOS:
        plano, linha = aluno.plano(lista), linhas[f"Participante {aluno.numero(lista)}"]
        comentario = linha["Comentários de feedback"]
        if not plano.entrega:
            assert (linha["Nota"], comentario) == ("0,00", "Não houve entrega.")
            continue
        nota, desconto = esperada(aluno, lista)
        assert linha["Nota"] == f"{10 * nota:.2f}".replace(".", ","), aluno
        assert ("Desconto de" in comentario) == (desconto > 0), comentario
        if desconto:
            tempo = "1 dia e 2 horas" if plano.atraso == 26 else "3 horas"
            assert comentario.startswith(f"Desconto de {10 * desconto:.2f} por {tempo} de atraso.".replace(".", ",", 1))
        if plano.recusado:
            assert "respostas.docx: não é um notebook." in comentario and "Discussão" not in comentario
            continue
        assert (f"`{errada(lista).funcao}`:" in comentario) == plano.erra, comentario
        for d in ("discussao-1", "discussao-2"):
            _, escrito = lida_a_mao(lider(aluno, lista), d)
            assert escrito is None or d not in _discussoes(lista) or escrito in comentario, comentario
        assert (comentario == "Tudo certo.") == (nota > 10 - 1e-9)


def _discussoes(lista: str) -> set[str]:
    emitida = nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)
    return {c.metadata.get("nbgrader", {}).get("grade_id", "") for c in emitida.cells}


@pytest.mark.parametrize("lista", LISTAS)
def test_cada_um_recebe_a_sua_pagina_e_so_ela(semestre, lista):
    with zipfile.ZipFile(semestre / "feedback" / f"{lista}-moodle.zip") as zip_:
        paginas = {nome.partition("/")[0]: zip_.read(nome).decode() for nome in zip_.namelist()}
    assert set(paginas) == {a.pasta(lista) for a in entregaram(lista)}
    for aluno in entregaram(lista):
        plano, guardada = aluno.plano(lista), semestre / "feedback" / aluno.matricula / lista / f"{lista}.html"
        assert guardada.read_text(encoding="utf-8") == paginas[aluno.pasta(lista)]
        pagina = html.unescape(paginas[aluno.pasta(lista)])
        assert f"Devolutiva de {aluno.nome}" in pagina and ("respostas.docx" in pagina) == plano.recusado
        assert (f"O que penso, por {lider(aluno, lista).nome}" in pagina) == (not plano.recusado)
        outros = [a.nome for a in ALUNOS if a is not aluno and lider(a, lista) is not lider(aluno, lista)]
        assert not [nome for nome in outros if nome in pagina]


def test_o_que_chegou_esta_guardado_e_o_recusado_tambem(semestre):
    for lista in LISTAS[:2]:
        for aluno in ALUNOS:
            plano, pasta = aluno.plano(lista), semestre / "submitted" / aluno.matricula / lista
            assert pasta.is_dir() == plano.entrega
            assert (semestre / "recusados" / aluno.matricula / lista / "respostas.docx").is_file() == plano.recusado
            assert (semestre / "anteriores" / aluno.matricula / lista).is_dir() == plano.reenvia
            if plano.entrega and not plano.recusado:
                esperado = caderno(lista, plano, aluno.nome)
                assert (
                    json.loads(next(pasta.glob("*.ipynb")).read_bytes())["cells"][2:]
                    == json.loads(esperado)["cells"][2:]
                )
    grupos = {a.grupo.lower().replace(" ", "-") for a in entregaram(EM_GRUPO)}
    assert {p.name for p in (semestre / "submitted").iterdir() if (p / EM_GRUPO).is_dir()} == grupos


def test_as_medias_do_semestre_sao_as_das_tres_listas(semestre):
    texto = (semestre / "notas-todas.csv").read_text("utf-8-sig")
    linhas = {linha["aluno"]: linha for linha in csv.DictReader(io.StringIO(texto), delimiter=";")}
    assert set(linhas) == {a.matricula for a in ALUNOS}
    for aluno in ALUNOS:
        dele = [esperada(aluno, lista)[0] for lista in LISTAS if aluno.plano(lista).entrega]
        media = float(linhas[aluno.matricula]["media"].replace(",", "."))
        assert media == pytest.approx(sum(dele) / 3, abs=0.005 + 1e-9)  # 6,025 tanto dá 6,02 quanto 6,03
        assert linhas[aluno.matricula]["nome"].lstrip("'") == aluno.nome
    pagina = html.unescape((semestre / "relatorios" / "turma.html").read_text(encoding="utf-8"))
    assert all(aluno.nome in pagina for aluno in ALUNOS) and "grupo-" not in pagina
