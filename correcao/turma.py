"""A turma como dados: o que o livro de notas, os notebooks corrigidos e a coleta sabem de cada entrega.

É a única leitura que `devolver`, `notas` e `relatorio` fazem; nenhum deles fala com o nbgrader por conta própria.
"""

import contextlib
import datetime
import errno
import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.filters import strip_ansi
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.utils import is_grade, is_locked, is_solution
from sqlalchemy.exc import DatabaseError

from correcao.atraso import Atraso
from correcao.exportador import DADOS
from gabarito.gerar import configuracao

RAIZ = Path(__file__).resolve().parent.parent
MOODLE = "moodle.json"  # o que a coleta anotou: lista → aluno → nome, id e pasta do Moodle
ESPERA = 5.0  # segundos por um livro que outro programa está usando
_SQLITE = "sqlite:///"
_ERROS = {
    errno.EACCES: "falta permissão",
    errno.EPERM: "falta permissão",
    errno.EROFS: "o disco é só de leitura",
    errno.ENOSPC: "o disco está cheio",
    errno.ENOENT: "o caminho não existe",
    errno.ENOTDIR: "o caminho passa por um arquivo que não é pasta",
    errno.EISDIR: "é uma pasta, e não um arquivo",
    errno.EEXIST: "já existe",
    errno.ENAMETOOLONG: "o nome é comprido demais",
}
_TITULO = re.compile(r"^## +(.*?)\s*(?:\([\d,.]+ pontos?.*)?$", flags=re.MULTILINE)


class TurmaIndisponivel(Exception):
    """O que impede de ler a turma, em uma frase que diz o que fazer."""


def por_que(erro: OSError) -> str:
    """O erro do sistema em português; o que não é dos comuns fica nas palavras dele."""
    return _ERROS.get(erro.errno, erro.strerror or str(erro))


def rodar(main: Callable[[], int]) -> None:
    """Um comando visto do terminal: um Ctrl-C é uma frase, e não um rastro."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nInterrompido; o que já estava pronto fica. Rode de novo para terminar.", file=sys.stderr)
        sys.exit(130)


def ler_anotado(raiz: Path) -> dict[str, dict[str, dict[str, str]]]:
    """O que as coletas anotaram: lista → aluno → nome, id e pasta do Moodle."""
    arquivo = raiz / MOODLE
    if not arquivo.is_file():
        return {}
    try:
        return json.loads(arquivo.read_text(encoding="utf-8"))
    except ValueError:
        raise TurmaIndisponivel(
            f"O arquivo {arquivo}, em que a coleta anota os nomes do Moodle, está estragado; apague-o e colete de novo "
            "o zip de cada lista (as entregas já coletadas ficam)."
        ) from None


@dataclass
class QuestaoCorrigida:
    """Uma questão na entrega de um aluno."""

    id: str  # o grade_id da célula que vale pontos: "confere-softmax" ou "discussao-1"
    titulo: str  # como está na lista: "1. `softmax`"
    pontos: float
    de: float
    automatica: bool
    espera: bool  # uma pessoa ainda precisa ler
    diagnostico: str | None = None  # por que não ganhou tudo, na frase que o aluno lê
    equivoco: str | None = None  # o nome curto do engano, quando é conhecido
    comentario: str | None = None  # o que o instrutor escreveu


@dataclass
class Entrega:
    """A entrega de um aluno, corrigida."""

    aluno: str
    lista: str
    nota: float  # já com o desconto de atraso
    de: float
    desconto: float
    quando: datetime.datetime | None
    atraso: float  # segundos
    motivo: str | None
    consertos: list[str]
    notebook: Path
    questoes: list[QuestaoCorrigida] = field(default_factory=list)
    nome: str | None = None  # o nome da pessoa, se a coleta o soube

    @property
    def espera(self) -> bool:
        return any(q.espera for q in self.questoes)


class Turma:
    """As entregas corrigidas de uma turma (a pasta que tem submitted/, autograded/ e o livro de notas)."""

    def __init__(self, raiz: Path = RAIZ):
        self.raiz = Path(raiz)
        config = configuracao(self.raiz)
        self.coursedir = NbGraderAPI(config=config).coursedir
        self.atraso = Atraso(config=config)
        self.sem: list[str] = []  # quem está no livro e não tem, em autograded/, um notebook que se leia
        self._nomes: dict[str, dict[str, dict[str, str]]] = {}

    @contextlib.contextmanager
    def livro(self) -> Iterator[Gradebook]:
        """O livro de notas, aberto; o que o impede de responder é dito em uma frase."""
        self._conferir_o_livro()
        try:
            with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as livro:
                yield livro
        except DatabaseError as erro:
            raise TurmaIndisponivel(self._sem_livro(str(erro.orig))) from None

    def _arquivo_do_livro(self) -> Path | None:
        """None quando o livro está em um servidor."""
        url = self.coursedir.db_url
        return Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None

    def _conferir_o_livro(self) -> None:
        """O nbgrader faria tabelas novas em um arquivo que não é um livro: melhor nem abrir."""
        arquivo = self._arquivo_do_livro()
        if arquivo is None or not arquivo.exists():
            return
        try:
            endereco = f"{arquivo.resolve().as_uri()}?mode=ro"
            with contextlib.closing(sqlite3.connect(endereco, uri=True, timeout=ESPERA)) as conexao:
                conexao.execute("select name from sqlite_master").fetchall()
        except sqlite3.DatabaseError as erro:
            raise TurmaIndisponivel(self._sem_livro(str(erro))) from None

    def _sem_livro(self, erro: str) -> str:
        onde = self._arquivo_do_livro() or "do servidor"
        if "locked" in erro:
            return f"O livro de notas {onde} está em uso por outro programa; feche-o e rode de novo."
        if "readonly" in erro or "unable to open" in erro:
            return f"Não consegui abrir o livro de notas {onde}; confira as permissões do arquivo e da pasta."
        if "malformed" in erro or "not a database" in erro:
            return f"O livro de notas {onde} está estragado; troque-o por uma das cópias de copias/ e rode de novo."
        return f"O livro de notas {onde} não respondeu ({erro}); rode de novo."

    def moodle(self, lista: str) -> dict[str, dict[str, str]]:
        """O que a coleta anotou de cada aluno desta lista: {"nome", "id", "pasta"}."""
        return ler_anotado(self.raiz).get(lista, {})

    def listas(self) -> list[str]:
        """As listas com alguma entrega corrigida."""
        arquivo = self._arquivo_do_livro()
        if arquivo is not None and not arquivo.exists():
            return []  # abri-lo o criaria, vazio
        with self.livro() as livro:
            return sorted(a.name for a in livro.assignments if a.submissions)

    def entregas(self, lista: str) -> list[Entrega]:
        """As entregas da lista, em ordem de aluno. Só as que têm notebook em autograded/; as outras vão para `sem`."""
        with self.livro() as livro:
            guardadas = sorted(livro.assignment_submissions(lista), key=lambda e: e.student.id)
            achadas = [(e.student.id, self._entrega(e, lista)) for e in guardadas]
        self.sem = [aluno for aluno, entrega in achadas if entrega is None]
        return [self._com_nome(entrega) for _, entrega in achadas if entrega]

    def entrega(self, lista: str, aluno: str) -> Entrega | None:
        """Uma entrega só; None se ela não foi corrigida."""
        with self.livro() as livro:
            try:
                achada = self._entrega(livro.find_submission(lista, aluno), lista)
            except MissingEntry:
                return None
        return self._com_nome(achada) if achada else None

    def _com_nome(self, entrega: Entrega) -> Entrega:
        if entrega.lista not in self._nomes:
            self._nomes[entrega.lista] = self.moodle(entrega.lista)
        entrega.nome = self._nomes[entrega.lista].get(entrega.aluno, {}).get("nome")
        return entrega

    def _entrega(self, guardada: Any, lista: str) -> Entrega | None:
        aluno = guardada.student.id
        pasta = self.coursedir.format_path(self.coursedir.autograded_directory, aluno, lista)
        caminho = Path(pasta, f"{lista}.ipynb")
        try:
            nb = nbformat.read(caminho, as_version=4)
        except (OSError, ValueError, nbformat.ValidationError):  # apagado, ou estragado depois da correção
            return None
        anotado = nb.metadata.get(DADOS, {})
        notas = {g.name: g for n in guardada.notebooks for g in n.grades}
        comentarios = {c.name: c for n in guardada.notebooks for c in n.comments}
        # calculado aqui, e não lido: o nbgrader o guarda antes que as questões abertas tenham nota
        desconto = self.atraso.late_submission_penalty(aluno, guardada.score, guardada.total_seconds_late)
        return Entrega(
            aluno,
            lista,
            nota=max(0.0, guardada.score - desconto),
            de=guardada.max_score,
            desconto=desconto,
            quando=guardada.timestamp,
            atraso=guardada.total_seconds_late,
            motivo=anotado.get("motivo"),
            consertos=list(anotado.get("consertos") or []),
            notebook=caminho,
            questoes=[_questao(c, i, nb, notas, comentarios, anotado) for i, c in enumerate(nb.cells) if is_grade(c)],
        )


def _questao(celula: Any, i: int, nb: Any, notas: dict, comentarios: dict, anotado: dict) -> QuestaoCorrigida:
    nome = celula.metadata.nbgrader.grade_id
    nota, resposta = notas[nome], nome.removeprefix("confere-")
    comentario = comentarios.get(resposta)
    equivocos = {q.rpartition("/")[2]: engano for q, engano in (anotado.get("enganos") or {}).items()}
    return QuestaoCorrigida(
        nome,
        titulo=_titulo_acima(nb, i) or resposta,
        pontos=nota.score,
        de=nota.max_score,
        automatica=not is_solution(celula),
        espera=nota.needs_manual_grade,
        diagnostico=_diagnostico(celula) or (comentario.auto_comment if is_solution(celula) and comentario else None),
        equivoco=equivocos.get(resposta),
        comentario=comentario.manual_comment if comentario else None,
    )


def _titulo_acima(nb: Any, i: int) -> str | None:
    """O título da questão: o último antes da célula, nas células que o aluno não edita."""
    textos = [c.source for c in nb.cells[:i] if c.cell_type == "markdown" and is_locked(c)]
    achados = [m.group(1) for texto in textos for m in _TITULO.finditer(texto)]
    return achados[-1].strip() if achados else None


def _diagnostico(celula: Any) -> str | None:
    """A frase que a correção escreveu na célula; None se a célula não explica nada."""
    for saida in celula.get("outputs", []):
        if saida.output_type == "error":
            return strip_ansi(saida.evalue)
        if saida.output_type == "stream" and "✗ " in saida.text:
            return saida.text.partition("✗ ")[2].strip()
    return None


def avisar_de_quem_falta(turma: Turma, lista: str) -> int:
    """0; ou 3, com o aviso, se o livro tem notas de quem perdeu o notebook corrigido."""
    if not turma.sem:
        return 0
    print(
        f"Ficou de fora quem tem nota mas não tem, em autograded/, um notebook que se leia: {', '.join(turma.sem)}; "
        f"rode antes: python curso.py corrigir {lista}",
        file=sys.stderr,
    )
    return 3
