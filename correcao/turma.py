"""A turma como dados: o que o livro de notas, os notebooks corrigidos e a coleta sabem de cada entrega.

É a única leitura que `devolver`, `notas` e `relatorio` fazem; nenhum deles fala com o nbgrader por conta própria.
"""

import datetime
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.filters import strip_ansi
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.utils import is_grade, is_locked, is_solution

from correcao.atraso import Atraso
from correcao.exportador import DADOS
from gabarito.gerar import configuracao

RAIZ = Path(__file__).resolve().parent.parent
MOODLE = "moodle.json"  # o que a coleta anotou: lista → aluno → nome, id e pasta do Moodle
_TITULO = re.compile(r"^## +(.*?)\s*(?:\([\d,.]+ pontos?.*)?$", flags=re.MULTILINE)


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

    def livro(self) -> Gradebook:
        return Gradebook(self.coursedir.db_url, self.coursedir.course_id)

    def moodle(self, lista: str) -> dict[str, dict[str, str]]:
        """O que a coleta anotou de cada aluno desta lista: {"nome", "id", "pasta"}."""
        arquivo = self.raiz / MOODLE
        return json.loads(arquivo.read_text(encoding="utf-8")).get(lista, {}) if arquivo.is_file() else {}

    def listas(self) -> list[str]:
        """As listas com alguma entrega corrigida."""
        with self.livro() as livro:
            return sorted(a.name for a in livro.assignments if a.submissions)

    def entregas(self, lista: str) -> list[Entrega]:
        """As entregas da lista, em ordem de aluno. Só as que têm notebook em autograded/."""
        nomes = self.moodle(lista)
        with self.livro() as livro:
            achadas = [self._entrega(e, lista) for e in livro.assignment_submissions(lista)]
        for entrega in filter(None, achadas):
            entrega.nome = nomes.get(entrega.aluno, {}).get("nome")
        return sorted((e for e in achadas if e), key=lambda e: e.aluno)

    def _entrega(self, guardada: Any, lista: str) -> Entrega | None:
        aluno = guardada.student.id
        pasta = self.coursedir.format_path(self.coursedir.autograded_directory, aluno, lista)
        caminho = Path(pasta, f"{lista}.ipynb")
        if not caminho.is_file():
            return None
        nb = nbformat.read(caminho, as_version=4)
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
