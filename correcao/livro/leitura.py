"""As notas que uma pessoa dá às questões abertas: quem deu, quando, por quais critérios, e a que texto.

A nota e o comentário ficam onde o nbgrader os guarda, e o formgrader os mostra e muda. O que ele não sabe fica em duas
tabelas a mais, no mesmo livro de notas: o resumo de cada texto corrigido e uma linha por nota dada. Uma linha só vale
enquanto a nota e o comentário são os que ela diz: mudados no formgrader, foi ele quem os deu.
"""

import datetime
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from weakref import WeakSet

import sqlalchemy as sa
from nbgrader.api import BaseCell, Comment, Gradebook, MissingEntry, SubmittedAssignment, SubmittedNotebook
from nbgrader.api import Grade as Nota
from sqlalchemy.exc import IntegrityError, ProgrammingError

from correcao.chegada.recebimento import ler_original
from correcao.comum.texto import texto_valido
from correcao.livro.criterios import Aberta, Avaliado, abertas_de, comentario
from helpers.escrita import numero

FORMGRADER = "formgrader"  # de quem é uma nota que não foi dada por aqui
MAIOR_COMENTARIO = 5_000  # caracteres
_REUSAR = 9  # comentários que se oferecem: um para cada tecla

_TABELAS = sa.MetaData()
TEXTOS = sa.Table(
    "curso_texto", _TABELAS,
    sa.Column("nota", sa.String(32), primary_key=True),  # o id do nbgrader
    sa.Column("resumo", sa.String(64), nullable=False),
)  # fmt: skip
LEITURAS = sa.Table(
    "curso_leitura", _TABELAS,
    sa.Column("numero", sa.Integer, primary_key=True),
    sa.Column("nota", sa.String(32), nullable=False, index=True),
    sa.Column("quem", sa.Text, nullable=False),
    sa.Column("quando", sa.DateTime, nullable=False),  # na hora de Greenwich
    sa.Column("pontos", sa.Float),
    sa.Column("criterios", sa.Text, nullable=False),
    sa.Column("comentario", sa.Text, nullable=False),
)  # fmt: skip


class NotaRecusada(ValueError):
    """Por que uma nota não foi gravada, em uma frase."""


class Ultrapassada(Exception):
    """A nota ou o texto mudaram depois que foram lidos; `agora` é como estão."""

    def __init__(self, agora: "RespostaAberta"):
        self.agora = agora
        super().__init__(
            f"{agora.autor} deu {numero(agora.pontos)} a esta resposta enquanto você lia."
            if agora.pontos is not None and agora.lida
            else "Esta resposta mudou enquanto você lia."
        )


@dataclass
class RespostaAberta:
    """Uma resposta aberta de um aluno, no livro de notas."""

    pontos: float | None  # os que uma pessoa deu
    comentario: str
    lida: bool
    vazia: bool  # o aluno não escreveu nada
    versao: str  # muda com a nota, com o comentário e com o texto
    quem: str | None = None
    quando: datetime.datetime | None = None
    criterios: list[Avaliado] = field(default_factory=list)

    @property
    def autor(self) -> str:
        return "O formgrader" if self.quem == FORMGRADER else self.quem or "Alguém"


@dataclass
class _Linha:
    quem: str
    quando: datetime.datetime
    pontos: float | None
    criterios: list[Avaliado]
    comentario: str


# ------------------------------------------------------------ o texto que se corrigiu


def resumir(celula: Any) -> str:
    """O resumo de uma resposta: muda se muda o que se lê nela, com as imagens coladas."""
    linhas = [linha.rstrip() for linha in celula.source.strip().splitlines()]
    dados = json.dumps([linhas, celula.get("attachments") or {}], sort_keys=True)
    return hashlib.sha256(dados.encode("utf-8", "replace")).hexdigest()


def textos(sessao: Any, notas: Iterable[str]) -> dict[str, str]:
    """O resumo do texto a que cada nota foi dada."""
    if not _ha_tabelas(sessao):
        return {}
    return dict(sessao.execute(sa.select(TEXTOS.c.nota, TEXTOS.c.resumo).where(TEXTOS.c.nota.in_(list(notas)))).all())


def guardar_textos(sessao: Any, resumos: dict[str, str]) -> None:
    """De cada nota, o resumo do texto a que ela é dada."""
    if resumos:
        sessao.execute(sa.delete(TEXTOS).where(TEXTOS.c.nota.in_(list(resumos))))
        sessao.execute(sa.insert(TEXTOS), [{"nota": nota, "resumo": resumo} for nota, resumo in resumos.items()])


_COM_TABELAS: WeakSet[sa.Engine] = WeakSet()  # os livros em que já se viram as duas: não se pergunta a cada entrega


def _ha_tabelas(sessao: Any) -> bool:
    if sessao.get_bind() not in _COM_TABELAS and _TABELAS.tables.keys() <= {
        *sa.inspect(sessao.connection()).get_table_names()
    }:
        _COM_TABELAS.add(sessao.get_bind())
    return sessao.get_bind() in _COM_TABELAS


def criar_tabelas(sessao: Any) -> None:
    """As duas tabelas, se o livro ainda não as tem."""
    if _ha_tabelas(sessao):
        return
    try:
        _TABELAS.create_all(sessao.connection())
    except (IntegrityError, ProgrammingError):  # outro processo as criou neste instante
        sessao.rollback()
        _TABELAS.create_all(sessao.connection())


# ------------------------------------------------------------ o que se lê


def leituras(sessao: Any, notas: Iterable[Any], comentarios: dict[str, Any]) -> dict[str, _Linha]:
    """A última linha de cada nota (id → linha), só se ainda é dela a nota que está no livro."""
    por_id = {nota.id: nota for nota in notas}
    achadas: dict[str, _Linha] = {}
    if not _ha_tabelas(sessao):
        return achadas
    consulta = sa.select(LEITURAS).where(LEITURAS.c.nota.in_(list(por_id))).order_by(LEITURAS.c.numero)
    for linha in sessao.execute(consulta):
        criterios = [Avaliado(**dado) for dado in json.loads(linha.criterios)]
        achadas[linha.nota] = _Linha(linha.quem, linha.quando, linha.pontos, criterios, linha.comentario)
    return {
        ident: linha
        for ident, linha in achadas.items()
        if (linha.pontos, linha.comentario) == (por_id[ident].manual_score, _manual(comentarios.get(ident)))
    }


def situacoes(livro: Gradebook, lista: str, aluno: str | None = None) -> dict[tuple[str, str], RespostaAberta]:
    """(aluno, questão) → a situação de cada resposta aberta da lista, ou só as de um aluno."""
    notas = {(quem, nome): nota for nota, quem, nome in _buscar(livro, Nota, lista, aluno)}
    ditos = {(quem, nome): dito for dito, quem, nome in _buscar(livro, Comment, lista, aluno)}
    comentarios = {nota.id: ditos.get(chave) for chave, nota in notas.items()}
    linhas = leituras(livro.db, notas.values(), comentarios)
    resumos = textos(livro.db, comentarios)
    return {
        chave: _situacao(nota, comentarios[nota.id], linhas.get(nota.id), resumos.get(nota.id))
        for chave, nota in notas.items()
    }


def _buscar(livro: Gradebook, tabela: Any, lista: str, aluno: str | None) -> Any:
    """(nota ou comentário, aluno, questão) das questões abertas, de uma vez: o nbgrader iria ao livro a cada aluno."""
    try:
        notebook = livro.find_notebook(lista, lista)
    except MissingEntry:  # a lista só tem um prazo
        return []
    abertas = {c.name for c in notebook.grade_cells} & {c.name for c in notebook.solution_cells}
    consulta = (
        sa.select(tabela, SubmittedAssignment.student_id, BaseCell.name)
        .join(SubmittedNotebook, tabela.notebook_id == SubmittedNotebook.id)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(BaseCell, tabela.cell_id == BaseCell.id)
        .where(SubmittedNotebook.notebook_id == notebook.id, BaseCell.name.in_(abertas))
    )
    return livro.db.execute(consulta if aluno is None else consulta.where(SubmittedAssignment.student_id == aluno))


def _situacao(nota: Any, dito: Any, linha: _Linha | None, resumo: str | None) -> RespostaAberta:
    visto = json.dumps([nota.manual_score, _manual(dito), nota.needs_manual_grade, resumo])
    feita = RespostaAberta(
        pontos=nota.manual_score,
        comentario=_manual(dito),
        lida=not nota.needs_manual_grade,
        vazia=nota.auto_score == 0,  # o nbgrader só dá zero sozinho ao que ninguém escreveu
        versao=hashlib.sha256(visto.encode()).hexdigest()[:16],
    )
    if linha and nota.manual_score is not None:
        feita.quem, feita.quando, feita.criterios = linha.quem, linha.quando, linha.criterios
    elif nota.manual_score is not None:
        feita.quem = FORMGRADER
    return feita


def _manual(dito: Any) -> str:
    return (dito.manual_comment if dito else None) or ""


def para_reusar(vistas: Iterable[RespostaAberta]) -> list[str]:
    """Os comentários já escritos, sem o que as caixas escrevem; os mais usados na frente."""
    escritos = Counter(texto for s in vistas if (texto := sem_automatico(s.comentario, s.criterios)))
    return [texto for texto, _ in escritos.most_common(_REUSAR)]


def sem_automatico(texto: str, criterios: Sequence[Avaliado]) -> str:
    """O comentário sem as frases que os critérios escreveram no começo dele."""
    return texto.removeprefix(comentario(criterios)).strip()


# ------------------------------------------------------------ o que se grava


def ler_pontos(texto: str, de: float) -> float:
    """“0,75” e “0.75” são o mesmo número; NotaRecusada para o que não é uma nota de 0 a `de`."""
    limpo = texto.strip().replace(",", ".")
    if re.fullmatch(r"\d{1,4}(\.\d{0,6})?|\.\d{1,6}", limpo, flags=re.ASCII) and float(limpo) <= de:
        return float(limpo)
    raise NotaRecusada(f"A nota é um número de 0 a {numero(de)}, como 0,75.")


def dar_nota(
    turma: Any,
    lista: str,
    aluno: str,
    questao: str,
    *,
    quem: str,
    fracoes: Sequence[float] | None = None,
    pontos: float | None = None,
    texto: str | None = None,
    versao: str | None = None,
) -> RespostaAberta:
    """Dá uma nota à mão: a dos critérios (`fracoes`: 0, 0,5 ou 1 para cada) ou, se diz quanto, `pontos`.

    Sem `texto`, o comentário é o que os critérios escrevem. Sem nota nenhuma, a resposta volta à fila. Com `versao`,
    Ultrapassada se a resposta, a nota ou o comentário mudaram desde que foram lidos.
    """
    aberta = next((a for a in abertas_de(ler_original(turma.coursedir, lista)) if a.id == questao), None)
    avaliados = _avaliar(aberta, fracoes)
    if pontos is None and avaliados:
        pontos = sum(a.pontos for a in avaliados)
    escrito = _limpar(comentario(avaliados) if texto is None else texto)
    with turma.livro() as livro:
        try:
            nota = livro.find_grade(questao, lista, lista, aluno)
        except MissingEntry:
            raise NotaRecusada(f"Não há no livro de notas a resposta de {aluno} a {questao}.") from None
        if pontos is not None and not 0 <= pontos <= nota.max_score:
            raise NotaRecusada(f"A nota vai de 0 a {numero(nota.max_score)}.")
        criar_tabelas(livro.db)
        # escrever sem mudar nada segura a linha, no SQLite e no PostgreSQL: quem vem depois espera, e lê o que ficou
        segurar = sa.update(Nota).where(Nota.id == nota.id).values(needs_manual_grade=Nota.needs_manual_grade)
        livro.db.execute(segurar.execution_options(synchronize_session=False))
        livro.db.expire_all()
        agora = situacoes(livro, lista, aluno)[aluno, questao]
        if versao is not None and versao != agora.versao:
            livro.db.rollback()
            raise Ultrapassada(agora)
        _gravar(livro, nota, livro.find_comment(questao, lista, lista, aluno), pontos, escrito)
        livro.db.execute(sa.insert(LEITURAS).values(
            nota=nota.id, quem=_limpar(quem)[:200], quando=datetime.datetime.now(datetime.UTC).replace(tzinfo=None),
            pontos=pontos, criterios=json.dumps([asdict(a) for a in avaliados]), comentario=escrito,
        ))  # fmt: skip
        livro.db.commit()
        return situacoes(livro, lista, aluno)[aluno, questao]


def _avaliar(aberta: Aberta | None, fracoes: Sequence[float] | None) -> list[Avaliado]:
    try:
        return aberta.avaliar(fracoes) if aberta and fracoes is not None else []
    except ValueError:
        raise NotaRecusada("Os critérios desta questão mudaram; recarregue a página.") from None


def _gravar(livro: Gradebook, nota: Any, dito: Comment, pontos: float | None, escrito: str) -> None:
    """Como o formgrader grava."""
    nota.manual_score = pontos
    nota.needs_manual_grade = pontos is None and nota.auto_score is None
    dito.manual_comment = escrito or None
    livro.db.flush()


def _limpar(texto: str) -> str:
    """O que um livro de notas guarda: o PostgreSQL não aceita o caractere nulo."""
    visivel = "".join(c if c.isprintable() or c == "\n" else " " for c in texto_valido(texto)[:MAIOR_COMENTARIO])
    return visivel.strip()
