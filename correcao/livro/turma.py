"""A turma como dados: o que o livro de notas, os notebooks corrigidos e a coleta sabem de cada entrega.

É a única leitura que `devolver`, `notas` e `relatorio` fazem; nenhum deles fala com o nbgrader por conta própria.
"""

import contextlib
import dataclasses
import datetime
import functools
import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError

from correcao.chegada import recusados
from correcao.comum.anotacao import QuestaoAnotada, nome_da_resposta, registro_da_correcao
from correcao.comum.moodle import DoMoodle, TurmaIndisponivel, ler_anotado
from correcao.comum.texto import imprimivel
from correcao.livro.anuladas import FRASE, ler_anuladas
from correcao.livro.atraso import Atraso, Atrasos
from correcao.livro.criterios import Avaliado
from correcao.livro.leitura import RespostaAberta, situacoes
from correcao.livro.livro import LivroIndisponivel, arquivo_do_livro, conferir_o_livro, do_banco, explicar
from correcao.livro.tentativas import Politica, Tentativa, decidir, ler_reentregas, tentativas
from gabarito.no_nbgrader import configuracao
from helpers import RAIZ
from helpers.conferencia.listas import achar_lista

Lidas = Mapping[tuple[str, str], RespostaAberta]  # (aluno, questão) → como está a leitura da resposta aberta

# Por que alguém que entregou está sem nota: o que se diz na tela e o que vai na linha dele.
DEFEITO = (
    "Sem nota, por um defeito da correção, e não da entrega",
    "sem nota: a correção tropeçou em um defeito dela mesma e vai ser repetida",
)
ILEGIVEL = (
    "Ficou de fora quem tem nota mas não tem, em autograded/, um notebook desta versão do curso que se leia",
    "sem nota: o notebook corrigido não está em autograded/, ou não se lê",
)
SERA_REPETIDA = (
    "A correção tropeçou em um defeito dela mesma nesta entrega, e vai ser repetida. Você não precisa fazer nada, e "
    "não perde nada com isso: a nota sai depois."
)  # o que o aluno lê no lugar da nota
POR_CORRIGIR = ("Entregaram, e a correção não chegou ao fim", "sem nota: a entrega ainda não foi corrigida")


@dataclass
class QuestaoCorrigida:
    """Uma questão na entrega de um aluno."""

    id: str  # o grade_id da célula que vale pontos: "confere-softmax" ou "discussao-1"
    titulo: str  # como está na lista: "1. `softmax`"
    pontos: float
    de: float
    automatica: bool
    espera: bool  # uma pessoa ainda precisa ler
    diagnostico: str | None = None  # por que não ganhou tudo, ou por que ganhou mesmo assim, na frase que o aluno lê
    equivoco: str | None = None  # o nome curto do equívoco, quando é conhecido
    comentario: str | None = None  # o que o instrutor escreveu
    emprestada: bool = False  # os pontos vêm da segunda evidência (juizo/uma_vez.py)
    criterios: list[Avaliado] = field(default_factory=list)  # os da rubrica, se alguém a leu por eles


@dataclass
class Entrega:
    """A entrega de um aluno, corrigida."""

    aluno: str
    lista: str
    titulo: str  # o da lista
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
    recusados: list[tuple[str, str]] = field(default_factory=list)  # (arquivo, por que não entrou na correção)
    grupo: str | None = None  # o nome do grupo que a entregou; os membros têm a mesma nota, menos o atraso de cada um
    reentrega: tuple[str, ...] = ()  # a política da lista e qual das entregas vale, se há uma
    defeito: bool = False  # um erro nosso: não tem nota, e `entregas` não a devolve

    @property
    def espera(self) -> bool:
        return any(q.espera for q in self.questoes)

    @property
    def completa(self) -> bool:
        """Todos os pontos, e nada por ler nem por descontar."""
        return self.nota >= self.de - 1e-9 and not (self.motivo or self.desconto or self.espera)


@dataclass
class SemNota:
    """Quem entregou e, por culpa nossa, não tem nota: ela não é zero, é nenhuma."""

    aluno: str
    lista: str
    porque: tuple[str, str]
    nome: str | None = None
    entrega: Entrega | None = None  # a que teve um defeito

    @property
    def quem(self) -> str:
        return f"{self.nome} ({self.aluno})" if self.nome else self.aluno


@dataclass
class Lida:
    """Uma lista, como está agora."""

    lista: str
    entregas: list[Entrega]
    sem: list[SemNota]
    faltosos: dict[str, str | None] = field(default_factory=dict)  # estão na planilha do Moodle e nada mandaram
    com_prazo: set[str] = field(default_factory=set)  # deles, os que ainda podem entregar
    por_coletar: dict[str, str | None] = field(default_factory=dict)  # o Moodle diz que entregaram, e aqui não há nada


class Turma:
    """As entregas corrigidas de uma turma (a pasta que tem submitted/, autograded/ e o livro de notas)."""

    def __init__(self, raiz: Path = RAIZ):
        self.raiz = Path(raiz)
        config = configuracao(self.raiz)
        self.coursedir = CourseDirectory(config=config)
        self.atraso = Atraso(config=config)
        self.sem: list[SemNota] = []  # da última lista que se leu
        self._nomes: dict[str, DoMoodle] = {}

    @functools.cached_property
    def atrasos(self) -> Atrasos:
        return Atrasos(self.raiz)

    @contextlib.contextmanager
    def livro(self) -> Iterator[Gradebook]:
        """O livro de notas, aberto; o que o impede de responder é dito em uma frase."""
        endereco = self.coursedir.db_url
        try:
            conferir_o_livro(endereco)
            with Gradebook(endereco, self.coursedir.course_id) as livro:
                yield livro
        except LivroIndisponivel as erro:
            raise TurmaIndisponivel(str(erro)) from None
        except (DatabaseError, InvalidEntry) as erro:
            if (do_banco_ := do_banco(erro)) is None:
                raise
            raise TurmaIndisponivel(explicar(endereco, str(do_banco_.orig))) from None

    @property
    def sem_livro(self) -> bool:
        """Ainda não há um livro de notas? Abri-lo o criaria, vazio."""
        arquivo = arquivo_do_livro(self.coursedir.db_url)
        return arquivo is not None and not arquivo.exists()

    def conhecidos(self) -> dict[str, str | None]:
        """Todos os alunos de que se tem notícia, em qualquer lista: a pasta → o nome da pessoa, se alguém o disse."""
        achados: dict[str, str | None] = {}
        if not self.sem_livro:
            with self.livro() as livro:
                achados.update(dict.fromkeys(s.id for s in livro.students))
        entregas = Path(self.coursedir.root, self.coursedir.submitted_directory)
        achados.update(dict.fromkeys(p.name for p in entregas.glob("*") if p.is_dir() and p.name[0] != "."))
        for da_lista in ler_anotado(self.raiz).values():
            achados.update({aluno: dados.get("nome") or achados.get(aluno) for aluno, dados in da_lista.items()})
        grupos = {
            g for da_lista in ler_anotado(self.raiz).values() for g, dados in da_lista.items() if "membros" in dados
        }
        return {aluno: nome for aluno, nome in sorted(achados.items()) if aluno not in grupos}

    def ler(self, lista: str) -> Lida:
        """As entregas da lista, quem está sem nota por culpa nossa e quem não entregou."""
        entregas = self.entregas(lista)
        lida = Lida(lista, entregas, list(self.sem))
        aqui = {e.aluno for e in entregas} | {s.aluno for s in self.sem}
        pasta = self.coursedir.submitted_directory
        for aluno, dados in sorted(self.moodle(lista).items()):
            entregue = Path(self.coursedir.format_path(pasta, dados.get("grupo") or aluno, lista))
            if aluno not in aqui and not entregue.is_dir() and "membros" not in dados:
                onde = lida.por_coletar if dados.get("enviou") else lida.faltosos
                onde[aluno] = dados.get("nome")
        agora = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
        lida.com_prazo = {a for a in lida.faltosos if any(prazo > agora for prazo in self.prazos(lista, a))}
        return lida

    def prazos(self, lista: str, aluno: str) -> list[datetime.datetime]:
        """O da lista, se tem, e o que o aluno tem a mais; na hora de Greenwich."""
        with self.livro() as livro:
            prazo = livro.find_assignment(lista).duedate
        return [*([prazo] if prazo else []), *self.atrasos.prorrogacoes(lista, aluno)]

    def moodle(self, lista: str) -> DoMoodle:
        """O que a coleta anotou de cada aluno desta lista: {"nome", "id", "pasta"}."""
        return ler_anotado(self.raiz).get(lista, {})

    def listas(self) -> list[str]:
        """As listas com alguma entrega corrigida."""
        if self.sem_livro:
            return []
        with self.livro() as livro:
            return sorted(a.name for a in livro.assignments if a.submissions)

    def achar(self, pedida: str) -> str:
        """A lista com entregas corrigidas que alguém pediu por um nome curto; TurmaIndisponivel se não há."""
        listas = self.listas()
        if lista := achar_lista(pedida, listas):
            return lista
        ha = ", ".join(listas) or "nenhuma"
        raise TurmaIndisponivel(f"Não há entregas corrigidas da lista “{pedida}”; há destas: {ha}.")

    def entregas(self, lista: str) -> list[Entrega]:
        """As entregas da lista que têm nota, em ordem de aluno; quem não a tem por culpa nossa vai para `sem`."""
        with self.livro() as livro:
            guardadas = {e.student.id: e for e in livro.assignment_submissions(lista)}
            lidas = situacoes(livro, lista)
            achadas = [par for e in guardadas.values() for par in self._de_cada_um(e, lista, guardadas, lidas)]
        achadas.sort(key=lambda par: par[0])
        lidas_por_nos = [self._com_nome(entrega) for _, entrega in achadas if entrega]
        perdidos = [SemNota(aluno, lista, ILEGIVEL, self._nome(lista, aluno)) for aluno, e in achadas if e is None]
        defeitos = [SemNota(e.aluno, lista, DEFEITO, e.nome, e) for e in lidas_por_nos if e.defeito]
        self.sem = [*perdidos, *defeitos, *self._por_corrigir(lista, {*guardadas, *(aluno for aluno, _ in achadas)})]
        return [e for e in lidas_por_nos if not e.defeito]

    def _por_corrigir(self, lista: str, no_livro: set[str]) -> Iterator[SemNota]:
        """Quem está em submitted/ e não está no livro: a correção parou antes dele, ou não terminou."""
        pastas = Path(self.coursedir.root, self.coursedir.submitted_directory).glob(f"*/{lista}")
        for aluno in sorted({p.parent.name for p in pastas if p.parent.name[0] != "." and p.is_dir()} - no_livro):
            for membro in self._anotados(lista).get(aluno, {}).get("membros", [aluno]):
                if membro not in no_livro:
                    yield SemNota(membro, lista, POR_CORRIGIR, self._nome(lista, membro))

    def _nome(self, lista: str, aluno: str) -> str | None:
        return self._anotados(lista).get(aluno, {}).get("nome")

    def _de_cada_um(
        self, guardada: Any, lista: str, guardadas: Mapping[str, Any], lidas: Lidas
    ) -> Iterator[tuple[str, Entrega | None]]:
        """A entrega de um aluno ou, se é a de um grupo, uma para cada membro que não tenha outra, só dele."""
        entrega, dados = self._entrega(guardada, lista, lidas), self._anotados(lista).get(guardada.student.id, {})
        if "membros" not in dados:
            yield guardada.student.id, entrega
            return
        for membro in (m for m in dados["membros"] if m not in guardadas):
            if entrega is None:
                yield membro, None
                continue
            yield membro, self._valendo(dataclasses.replace(entrega, aluno=membro, grupo=dados.get("nome")), guardada)

    def entrega(self, lista: str, aluno: str) -> Entrega | None:
        """Uma entrega só, mesmo que um defeito a tenha deixado sem nota; None se ela não foi corrigida."""
        with self.livro() as livro:
            try:
                achada = self._entrega(livro.find_submission(lista, aluno), lista, situacoes(livro, lista, aluno))
            except MissingEntry:
                return None
        return self._com_nome(achada) if achada else None

    def atraso_e_desconto(self, guardada: Any, aluno: str | None = None) -> tuple[float, float]:
        """Os segundos de atraso de uma entrega do livro de notas, e os pontos que ela perde por eles."""
        atraso = self.atrasos.segundos(guardada, aluno)
        return atraso, self.atraso.late_submission_penalty(guardada.student.id, guardada.score, atraso)

    def tentativas(self, guardada: Any) -> list[Tentativa]:
        """Todas as entregas de que a do livro é a última."""
        return tentativas(guardada, self._anuladas.get(guardada.assignment.name, []))

    def _valendo(self, entrega: Entrega, guardada: Any) -> Entrega:
        """Com a nota que vale para o aluno dela: calculada aqui, e não lida do livro, que não sabe de tudo."""
        lista, prazo = entrega.lista, guardada.assignment.duedate
        politica = self._reentregas.get(lista)
        todas = self.tentativas(guardada) if politica else [Tentativa(guardada.timestamp, guardada.score)]
        limite = prazo and max(
            prazo + (guardada.extension or datetime.timedelta()),
            *self.atrasos.prorrogacoes(lista, entrega.aluno),
            prazo,
        )
        decidida = decidir(
            politica,
            todas,
            limite,
            guardada.max_score,
            self.atrasos.segundos(guardada, entrega.aluno),
            lambda pontos, atraso: self.atraso.late_submission_penalty(entrega.aluno, pontos, atraso),
            3600 * self.atraso.tolerancia,
        )
        # os pontos que há no livro não são uma nota; e um nan que escape se vê, um zero não
        nota = math.nan if entrega.defeito else decidida.nota
        return dataclasses.replace(
            entrega, nota=nota, desconto=decidida.desconto, atraso=decidida.atraso, reentrega=decidida.ditos
        )

    @functools.cached_property
    def _reentregas(self) -> dict[str, Politica]:
        return ler_reentregas(self.raiz)

    def _com_nome(self, entrega: Entrega) -> Entrega:
        anotados = self._anotados(entrega.lista)
        dados = anotados.get(entrega.aluno, {})
        do_grupo = anotados.get(dados.get("grupo") or "", dados) if entrega.grupo else dados
        entrega.nome, entrega.recusados = dados.get("nome"), recusados.de_dados(do_grupo.get("recusados"))
        return entrega

    def _anotados(self, lista: str) -> DoMoodle:
        """O mesmo que `moodle`, lido uma vez."""
        if lista not in self._nomes:
            self._nomes[lista] = self.moodle(lista)
        return self._nomes[lista]

    def _entrega(self, guardada: Any, lista: str, lidas: Lidas) -> Entrega | None:
        aluno = guardada.student.id
        pasta = self.coursedir.format_path(self.coursedir.autograded_directory, aluno, lista)
        caminho = Path(pasta, f"{lista}.ipynb")
        anotacao = registro_da_correcao(caminho)
        notas = {g.name: g for n in guardada.notebooks for g in n.grades}
        comentarios = {c.name: c for n in guardada.notebooks for c in n.comments}
        if anotacao is None or {q.id for q in anotacao.questoes} != notas.keys():
            return None  # apagado, estragado depois da correção, ou de outra versão do curso ou da lista
        lida = Entrega(
            aluno,
            lista,
            anotacao.titulo,
            nota=math.nan,
            de=guardada.max_score,
            desconto=0.0,
            quando=guardada.timestamp,
            atraso=0.0,
            motivo=anotacao.motivo,
            consertos=anotacao.consertos,
            defeito=anotacao.defeito is not None,
            notebook=caminho,
            questoes=[
                _questao(
                    q,
                    notas[q.id],
                    comentarios.get(nome_da_resposta(q.id)),
                    lidas.get((aluno, q.id)),
                    anulada=q.id in self._anuladas.get(lista, []),
                )
                for q in anotacao.questoes
            ],
        )
        return self._valendo(lida, guardada)

    @functools.cached_property
    def _anuladas(self) -> dict[str, list[str]]:
        return ler_anuladas(self.raiz)


def _questao(
    q: QuestaoAnotada, nota: Any, comentario: Any, lida: RespostaAberta | None, anulada: bool
) -> QuestaoCorrigida:
    """O veredito anotado, com os pontos e os comentários do livro de notas."""
    automatico = comentario.auto_comment if comentario else None
    do_instrutor = comentario.manual_comment if comentario else None
    return QuestaoCorrigida(
        q.id,
        titulo=q.titulo,
        pontos=nota.score,
        de=nota.max_score,
        automatica=q.veredito is not None,
        espera=nota.needs_manual_grade,
        diagnostico=q.veredito.recado if q.veredito else automatico,
        equivoco=q.veredito.equivoco if q.veredito else None,
        comentario=" ".join(filter(None, (FRASE, do_instrutor))) if anulada else do_instrutor,
        emprestada=bool(q.veredito and q.veredito.emprestadas),
        criterios=lida.criterios if lida and lida.lida else [],
    )


def sem_notebooks(lista: str | None) -> str:
    """O que dizer quando o livro tem notas, e dos notebooks corrigidos não se lê nenhum."""
    quais = f"de {lista}" if lista else "corrigidos"
    return (
        f"Os notebooks {quais} não estão em autograded/, tiveram um defeito da correção, ou são de uma versão anterior "
        f"do curso; rode: python curso.py corrigir {lista or 'LISTA'}"
    )


def avisar_de_quem_falta(sem: Iterable[SemNota]) -> int:
    """0; ou 3, com o nome de quem entregou e não tem nota, e o que rodar."""
    juntos: dict[tuple[str, str], list[str]] = {}
    for s in sem:
        juntos.setdefault((s.porque[0], s.lista), []).append(imprimivel(s.quem))
    for (frase, lista), quem in juntos.items():
        print(f"{frase}: {', '.join(quem)}; rode antes: python curso.py corrigir {lista}", file=sys.stderr)
    return 3 if juntos else 0
