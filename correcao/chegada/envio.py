"""O que a planilha de notas do Moodle diz da entrega de cada um: se enviou, quando, com que atraso, com mais prazo."""

import datetime
import re
from dataclasses import dataclass

from correcao.chegada import planilha
from correcao.chegada.dono import identificador, ids_da_planilha
from correcao.comum import datas
from correcao.comum.texto import sem_acentos

_UNIDADES = {"ano": 365 * 86_400, "semana": 7 * 86_400, "dia": 86_400, "hora": 3600, "min": 60, "seg": 1,
             "year": 365 * 86_400, "week": 7 * 86_400, "day": 86_400, "hour": 3600, "sec": 1}  # fmt: skip
_QUANTO = re.compile(rf"(\d+)\s*({'|'.join(_UNIDADES)})[a-z]*\.?")
# “A tarefa está atrasada há: 2 dias”, de quem não enviou, é outra coisa
_ATRASADO = re.compile(rf"((?:{_QUANTO.pattern}[\s,e]*)+)\s*(?:atrasad[oa]|late)")
_NAO_ENVIOU = ("nenhum envio", "sem envio", "nada foi enviado", "no submission", "nothing has been submitted")
_RASCUNHO = ("rascunho", "draft")
_ATE = re.compile(r"(?:prorrogacao|extensao|extension|prazo)[^:0-9]*\b(?:ate|until)\b\s*:?\s*(.+)")


@dataclass
class Envio:
    """O de um aluno."""

    aluno: str  # o nome da pasta dele
    nome: str | None = None
    enviou: bool | None = None  # None quando a planilha não diz
    rascunho: bool = False
    quando: datetime.datetime | None = None
    atraso: float | None = None  # segundos; None quando a planilha não marca o atraso de ninguém
    prorrogacao: datetime.datetime | None = None
    ilegivel: str | None = None  # uma data que está ali e não se entendeu


def envios(tabela: planilha.Planilha) -> dict[str, Envio]:
    """Número do Moodle → o que a planilha diz."""
    ids = ids_da_planilha(tabela)
    lidos = {n: _ler(tabela, linha, ids.get(n), n) for n, linha in tabela.participantes().items()}
    if any(e.atraso for e in lidos.values()):  # então o Moodle tem um prazo, e quem ele não marca não atrasou
        for e in (e for e in lidos.values() if not e.rascunho):  # de um rascunho, ele não marca nunca
            e.atraso = e.atraso or 0.0
    return lidos


def _ler(tabela: planilha.Planilha, linha: list[str], aluno: str | None, numero: str) -> Envio:
    status, escrita = sem_acentos(tabela.valor(linha, "status")), tabela.valor(linha, "enviado")
    nome = tabela.valor(linha, "nome")
    pasta = aluno or f"{identificador(nome or 'participante')}-{numero}"
    lido = Envio(pasta, nome or None, atraso=_atraso(status))
    if status:
        lido.rascunho = status.startswith(_RASCUNHO)
        lido.enviou = not lido.rascunho and not status.startswith(_NAO_ENVIOU)
    if escrita.strip(" -"):
        lido.quando = datas.ler_data(escrita)
        lido.ilegivel = escrita if lido.quando is None else None
    for parte in status.split(" - "):
        if achado := _ATE.match(parte.strip()):
            lido.prorrogacao = datas.ler_data(achado[1])
            lido.ilegivel = lido.ilegivel or (achado[1] if lido.prorrogacao is None else None)
    return lido


def _atraso(status: str) -> float | None:
    """“enviado para avaliacao - 2 dias 3 horas atrasado” → 183600: o Moodle diz as duas unidades maiores."""
    achado = _ATRASADO.search(status)
    return float(sum(int(n) * _UNIDADES[u] for n, u in _QUANTO.findall(achado[1]))) if achado else None
