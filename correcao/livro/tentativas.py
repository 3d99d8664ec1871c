"""As entregas de um aluno na mesma lista, e qual delas vale.

O livro de notas só tem a última. Quando chega outra, o que ele tinha da anterior passa para uma tabela ao lado, em
frações dos pontos, e uma política (`python curso.py reentrega`) diz qual vale. Sem política, vale a última.
"""

import datetime
import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakSet

import sqlalchemy as sa
from sqlalchemy.orm import object_session

from correcao.comum import datas
from correcao.comum.moodle import TurmaIndisponivel, ler_guardado
from helpers.escrita import numero
from helpers.gravacao import gravar

REENTREGAS = "reentregas.json"  # lista → até quando, qual vale, o teto
MELHOR, ULTIMA = "melhor", "ultima"
_ESTRAGADO = (
    "em que estão as reentregas, está estragado; mude o nome dele e diga de novo a de cada lista: python curso.py "
    "reentrega LISTA DATA"
)
_TABELAS = sa.MetaData()
TENTATIVAS = sa.Table(
    "curso_tentativa", _TABELAS,
    sa.Column("numero", sa.Integer, primary_key=True),
    sa.Column("entrega", sa.String(32), nullable=False, index=True),  # o id do nbgrader
    sa.Column("quando", sa.DateTime),  # na hora de Greenwich
    sa.Column("notas", sa.Text),  # questão → [fração dos pontos, se ninguém a tinha lido]; a que está no livro não tem
)  # fmt: skip
_COM_TABELA: WeakSet[sa.Engine] = WeakSet()  # os livros em que já se leu uma linha dela: não se pergunta a cada entrega


# ------------------------------------------------------------ a política


@dataclass(frozen=True)
class Politica:
    """Até quando se entrega de novo, qual vale e até quanto vale uma reentrega."""

    ate: datetime.datetime  # na hora de Greenwich, sem dizer que é, como no livro
    vale: str = MELHOR
    teto: int = 100  # por cento dos pontos da lista

    def __str__(self) -> str:
        qual = "a melhor das notas" if self.vale == MELHOR else "a nota da última entrega"
        teto = f", e uma reentrega vale no máximo {self.teto}% dos pontos" if self.teto < 100 else ""
        return (
            f"Depois do prazo, dá para entregar de novo até {datas.curta(_de_greenwich(self.ate))}. Vale {qual}{teto}."
        )

    def para_dados(self) -> dict[str, Any]:
        return {"ate": _de_greenwich(self.ate).isoformat(), "vale": self.vale, "teto": self.teto}


def _de_greenwich(quando: datetime.datetime) -> datetime.datetime:
    return quando.replace(tzinfo=datetime.UTC)


def ler_reentregas(raiz: Path) -> dict[str, Politica]:
    lidas = {}
    for lista, dados in ler_guardado(raiz / REENTREGAS, dict, _ESTRAGADO).items():
        ate, vale, teto = datas.de_dados(dados.get("ate")), dados.get("vale"), dados.get("teto")
        if ate is None or vale not in (MELHOR, ULTIMA) or not isinstance(teto, int) or not 0 < teto <= 100:
            raise TurmaIndisponivel(f"O arquivo {raiz / REENTREGAS}, {_ESTRAGADO}")
        lidas[lista] = Politica(ate.astimezone(datetime.UTC).replace(tzinfo=None), vale, teto)
    return lidas


def gravar_reentregas(raiz: Path, todas: dict[str, Politica]) -> None:
    dados = {lista: politica.para_dados() for lista, politica in todas.items()}
    gravar(raiz / REENTREGAS, json.dumps(dados, ensure_ascii=False, indent=1, sort_keys=True))


# ------------------------------------------------------------ lembrar


def lembrar(sessao: Any, entrega: Any, notas: Iterable[Any]) -> None:
    """Antes de dadas as notas de uma entrega: as que o livro ainda tem são da anterior. Quem chama é quem grava.

    A mesma entrega, corrigida outra vez, tem a mesma data, e não é outra.
    """
    if sessao.get_bind() not in _COM_TABELA:
        _TABELAS.create_all(sessao.connection())
    ultima = sa.select(TENTATIVAS).where(TENTATIVAS.c.entrega == entrega.id).order_by(TENTATIVAS.c.numero.desc())
    anterior = sessao.execute(ultima.limit(1)).first()
    if anterior:
        _COM_TABELA.add(sessao.get_bind())
    if anterior and anterior.quando == entrega.timestamp:
        return
    notas = list(notas)
    sem_nota = any(n.needs_manual_grade and n.name.startswith("confere-") for n in notas)  # um defeito nosso
    if anterior and not sem_nota:
        dela = {n.name: [n.score / n.max_score if n.max_score else 0.0, bool(n.needs_manual_grade)] for n in notas}
        onde = TENTATIVAS.c.numero == anterior.numero
        sessao.execute(sa.update(TENTATIVAS).where(onde).values(notas=json.dumps(dela)))
    sessao.execute(sa.insert(TENTATIVAS).values(entrega=entrega.id, quando=entrega.timestamp))


# ------------------------------------------------------------ qual vale


@dataclass(frozen=True)
class Tentativa:
    """Uma entrega, com os pontos que tem na lista de agora, sem desconto."""

    quando: datetime.datetime | None
    pontos: float


def tentativas(guardada: Any, anuladas: Collection[str] = ()) -> list[Tentativa]:
    """As de uma entrega do livro, da primeira à que está nele."""
    atual, sessao = Tentativa(guardada.timestamp, guardada.score), object_session(guardada)
    if sessao is None or not sa.inspect(sessao.connection()).has_table(TENTATIVAS.name):
        return [atual]
    de_antes = sa.select(TENTATIVAS).where(TENTATIVAS.c.entrega == guardada.id, TENTATIVAS.c.notas.is_not(None))
    linhas = sessao.execute(de_antes.order_by(TENTATIVAS.c.numero)).all()
    agora = [g for caderno in guardada.notebooks for g in caderno.grades] if linhas else []
    return [*(Tentativa(linha.quando, _pontos(json.loads(linha.notas), agora, anuladas)) for linha in linhas), atual]


def _pontos(dela: dict[str, Any], agora: list[Any], anuladas: Collection[str]) -> float:
    """A resposta aberta que ninguém tinha lido vale o que vale a última, a única que ainda se lê."""
    pontos = 0.0
    for nota in agora:
        fracao, por_ler = dela.get(nota.name, (0.0, False))
        pontos += nota.max_score if nota.name in anuladas else nota.score if por_ler else fracao * nota.max_score
    return pontos


@dataclass(frozen=True)
class Decidida:
    """A nota que vale, e o que se diz ao aluno; sem reentregas, só a política, se há."""

    nota: float
    desconto: float
    atraso: float
    ditos: tuple[str, ...] = ()


def decidir(
    politica: Politica | None,
    todas: list[Tentativa],
    limite: datetime.datetime | None,
    de: float,
    atraso: float,
    descontar: Callable[[float, float], float],
    tolerancia: float = 0.0,
) -> Decidida:
    """`limite` é o prazo do aluno; `atraso`, o da última entrega, em segundos; `descontar` dá os pontos que se perdem.

    Até o prazo, e os segundos de `tolerancia` dele, se troca a entrega à vontade, e vale a última. O que chega
    depois, de quem já tinha uma, é reentrega.
    """

    def atrasou(tentativa: Tentativa) -> float:
        if tentativa is todas[-1] or tentativa.quando is None or limite is None:
            return atraso if tentativa is todas[-1] else 0.0
        return max(0.0, (tentativa.quando - limite).total_seconds())

    def com_desconto(tentativa: Tentativa) -> Decidida:
        desconto = descontar(tentativa.pontos, atrasou(tentativa))
        return Decidida(max(0.0, tentativa.pontos - desconto), desconto, atrasou(tentativa))

    if politica is None or limite is None:
        return com_desconto(todas[-1])
    no_prazo = [i for i, t in enumerate(todas) if atrasou(t) <= tolerancia]
    i = no_prazo[-1] if no_prazo else 0
    base, fim = com_desconto(todas[i]), max(politica.ate, limite)
    depois = [t for t in todas[i + 1 :] if t.quando is not None]
    valem = [t for t in depois if t.quando <= fim]  # type: ignore[operator]
    ditos = [str(politica)]
    if not valem:
        if depois:
            ditos.append(
                f"A sua entrega de {_dia(depois[-1])} chegou depois disso e não conta. Vale a de {_dia(todas[i])}."
            )
        return Decidida(base.nota, base.desconto, base.atraso, tuple(ditos))
    teto = de * politica.teto / 100
    nova = max(valem, key=lambda t: t.pontos) if politica.vale == MELHOR else valem[-1]
    nota = min(nova.pontos, teto)
    if politica.vale == MELHOR and nota <= base.nota:
        outra = f"a reentrega de {_dia(nova)} ficou com {numero(nota)}"
        ditos.append(f"Vale a sua entrega de {_dia(todas[i])}, com {numero(base.nota)}: {outra}.")
        return Decidida(base.nota, base.desconto, base.atraso, tuple(ditos))
    cortada = f" (ela fez {numero(nova.pontos)}, e o teto é {numero(teto)})" if nova.pontos > teto + 1e-9 else ""
    antes = f"a de {_dia(todas[i])} tinha {numero(base.nota)}"
    ditos.append(f"Vale a sua reentrega de {_dia(nova)}, com {numero(nota)}{cortada}: {antes}.")
    return Decidida(nota, 0.0, 0.0, tuple(ditos))


def _dia(tentativa: Tentativa) -> str:
    return datas.curta(_de_greenwich(tentativa.quando)) if tentativa.quando else "antes"
