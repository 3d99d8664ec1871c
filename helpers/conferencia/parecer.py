"""O parecer: tudo o que se diz de uma resposta nos casos visíveis, como dados. Quem o mostra é outro."""

from dataclasses import dataclass, field
from typing import Any

from helpers.conferencia.conserto import com_o_conserto
from helpers.conferencia.contexto import conferindo
from helpers.conferencia.exame import examinar, nao_escrita, observacoes
from helpers.conferencia.execucao import Registro
from helpers.conferencia.frases import pode_vir_de, so_conta_la
from helpers.conferencia.na_celula import nao_rodou
from helpers.conferencia.por_outra import so_erra_por_outra
from helpers.conferencia.propriedades import PROPRIEDADES
from helpers.conferencia.referencia import Referencia, carregar

CERTA, ERRADA, POR_OUTRA = "certa", "errada", "por-outra"  # a última ganha os pontos: o erro é de outra questão
POR_ESCREVER, NAO_RODOU = "por-escrever", "nao-rodou"


@dataclass
class Parecer:
    situacao: str
    frase: str
    equivoco: str | None = None
    fracao: float = 0.0  # dos pontos da questão
    observacoes: list[str] = field(default_factory=list)


def dar_parecer(questao: str, resposta: Any) -> Parecer:
    referencia = carregar(questao)
    if frase := nao_rodou(referencia.funcao, getattr(resposta, "__name__", None)):
        return Parecer(NAO_RODOU, frase)
    with conferindo():
        diagnostico, registros = examinar(referencia, resposta)
        if diagnostico is None:
            return Parecer(CERTA, _o_que_passou(referencia), fracao=1.0, observacoes=observacoes(registros))
        por_outra, culpadas = so_erra_por_outra(referencia, resposta, registros)
    if por_outra:
        return Parecer(POR_OUTRA, so_conta_la(culpadas), fracao=1.0)
    if por_outra is False and not culpadas:
        diagnostico.frase = com_o_conserto(referencia, resposta, diagnostico, registros)
    fracao = _fracao(referencia, diagnostico.certos)
    frase = diagnostico.frase
    # a quem errou só uma das últimas partes da questão, quanto vale o que está certo
    frase += f" O que já passa aqui vale {100 * fracao:.0f} % dos pontos da questão." if fracao else ""
    frase += f" {pode_vir_de(culpadas)}" if por_outra is None else ""
    return Parecer(_situacao(registros), frase, diagnostico.equivoco, fracao)


def _situacao(registros: list[Registro]) -> str:
    return POR_ESCREVER if nao_escrita(registros) else ERRADA


def _fracao(referencia: Referencia, certos: list[bool]) -> float:
    return sum(referencia.partes[: referencia.partes_certas(certos)]) if certos else 0.0


def _o_que_passou(referencia: Referencia) -> str:
    titulos = [PROPRIEDADES[p.rpartition(": ")[2]].titulo for p in referencia.propriedades]
    feito = ", ".join(["forma", *dict.fromkeys(titulos), "valores"])
    quantos = len(referencia.casos)
    return f"{referencia.funcao}: {'1 caso' if quantos == 1 else f'{quantos} casos'} ({feito})."
