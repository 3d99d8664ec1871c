"""As datas da turma: em que fuso se leem, e como uma pessoa, ou o Moodle, as escreve.

O fuso é um só, em nbgrader_config.py (`c.Atraso.fuso`). No livro de notas e nos arquivos toda hora é a de Greenwich.
"""

import datetime
import re
import zoneinfo
from functools import cache

from correcao.comum.moodle import TurmaIndisponivel
from correcao.comum.texto import sem_acentos
from gabarito.no_nbgrader import configuracao

BRASILIA = "America/Sao_Paulo"
DE_EXEMPLO = "14/09/2026 23:59"
_MESES = ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez")
_EM_INGLES = {"feb": 2, "apr": 4, "may": 5, "aug": 8, "sep": 9, "oct": 10, "dec": 12}
_HORA = r"(?P<hora>\d{1,2})(?:[:h](?P<minuto>\d{2})(?::(?P<segundo>\d{2}))?|h)\s*(?P<metade>[ap]\.?m\.?)?"
_DIA = (
    r"(?P<dia>\d{1,2})/(?P<mes>\d{1,2})/(?P<ano>\d{4}|\d{2})",
    r"(?P<ano>\d{4})-(?P<mes>\d{1,2})-(?P<dia>\d{1,2})",
    r"(?:[a-z-]+,\s*)?(?P<dia>\d{1,2})(?:\s+de)?\s+(?P<mes>[a-z]{3,})\.?(?:\s+de)?\s+(?P<ano>\d{4})",
)
_DATAS = [re.compile(rf"{dia}(?:(?:,|t|\s+as|\s)\s*{_HORA})?") for dia in _DIA]


@cache
def fuso() -> zoneinfo.ZoneInfo:
    """O fuso da turma."""
    nome = configuracao().Atraso.get("fuso", BRASILIA)
    try:
        return zoneinfo.ZoneInfo(nome)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, TypeError, OSError):
        raise TurmaIndisponivel(
            f"Não conheço o fuso “{nome}”, que está em nbgrader_config.py (c.Atraso.fuso); escreva-o como em "
            f"“{BRASILIA}” ou “America/Manaus”."
        ) from None


def ler_data(texto: str, sem_hora: datetime.time | None = None) -> datetime.datetime | None:
    """“14/09/2026 23:59”, “segunda-feira, 14 set. 2026, 21:51” ou “14 September 2026, 9:51 PM”, no fuso da turma.

    None se não é uma data. Sem a hora, vale `sem_hora`; sem ela também, não é uma data.
    """
    limpo = " ".join(sem_acentos(texto).split())
    achado = next((m for padrao in _DATAS if (m := padrao.fullmatch(limpo))), None)
    if achado is None or (achado["hora"] is None and sem_hora is None):
        return None
    ano = int(achado["ano"]) + (2000 if len(achado["ano"]) == 2 else 0)
    try:
        dia = datetime.date(ano, _mes(achado["mes"]), int(achado["dia"]))
        hora = sem_hora if achado["hora"] is None else _ler_hora(achado)
        return datetime.datetime.combine(dia, hora or datetime.time(), fuso()).astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        return None


def _mes(texto: str) -> int:
    if texto.isdecimal():
        return int(texto)
    curto = texto[:3]
    return _EM_INGLES.get(curto) or 1 + _MESES.index(curto)


def _ler_hora(achado: re.Match) -> datetime.time:
    hora = int(achado["hora"])
    if achado["metade"]:
        if not 1 <= hora <= 12:
            raise ValueError("hora")
        hora = hora % 12 + (12 if achado["metade"].startswith("p") else 0)
    return datetime.time(hora, int(achado["minuto"] or 0), int(achado["segundo"] or 0))


def aqui(quando: datetime.datetime) -> datetime.datetime:
    """A hora no fuso da turma; a do livro de notas, que é a de Greenwich, não diz o fuso."""
    return (quando if quando.tzinfo else quando.replace(tzinfo=datetime.UTC)).astimezone(fuso())


def curta(quando: datetime.datetime) -> str:
    """14/09/2026 23:59, no fuso da turma."""
    return f"{aqui(quando):%d/%m/%Y %H:%M}"


def diferenca(quando: datetime.datetime) -> str:
    """“UTC-3”, ou “UTC+5:30”: quanto esta hora, com o fuso que tem, está longe da de Greenwich."""
    minutos = round((quando.utcoffset() or datetime.timedelta()).total_seconds() / 60)
    horas, resto = divmod(abs(minutos), 60)
    return f"UTC{'-' if minutos < 0 else '+'}{horas}{f':{resto:02d}' if resto else ''}" if minutos else "UTC"


def duracao(segundos: float) -> str:
    """“2 dias e 3 horas”, só com as duas unidades maiores."""
    partes, resto = [], int(segundos)
    for nome, tamanho in (("dia", 86_400), ("hora", 3600), ("minuto", 60)):
        quantos, resto = divmod(resto, tamanho)
        if quantos:
            partes.append(f"{quantos} {nome}{'s' if quantos > 1 else ''}")
    return " e ".join(partes[:2]) or "menos de um minuto"


def de_dados(texto: object) -> datetime.datetime | None:
    """O que `isoformat` guardou em um JSON nosso; None se é outra coisa."""
    try:
        lida = datetime.datetime.fromisoformat(texto) if isinstance(texto, str) else None
    except ValueError:
        return None
    return lida if lida is None or lida.tzinfo else lida.replace(tzinfo=datetime.UTC)
