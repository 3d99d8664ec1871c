"""O que custa caro em uma correção, como funções de dados em dados: sortear, executar e julgar.

Quem corrige chama `atual()`, e não sabe onde o trabalho é feito: neste processo (é assim no `nbgrader autograde` e no
formgrader), em um operário ao lado (juizo/oficina.py) ou em outra máquina (juizo/cluster).
"""

import hashlib
import json
import logging
import traceback
from contextvars import ContextVar
from dataclasses import asdict
from functools import cache
from typing import Any, Protocol

from correcao.caixa.conversa import Resultado, Tarefa, executar
from correcao.caixa.oraculo import Oraculo
from correcao.comum import memoria
from correcao.comum.anotacao import Veredito
from correcao.juizo import evidencia
from gabarito.base import Questao, buscar
from gabarito.codigo import emprestada


class Trabalho(Protocol):
    """Onde se trabalha."""

    def sortear(self, questoes: list[str], semente: int) -> dict[str, Any]: ...

    def executar(self, tarefa: Tarefa, log: logging.Logger) -> Resultado: ...

    def julgar(self, evidencias: list[tuple[str, str]], semente: int) -> list[dict[str, Any]]: ...


class Aqui:
    """Neste processo, uma coisa de cada vez: quem roda já está sozinho."""

    def sortear(self, questoes: list[str], semente: int) -> dict[str, Any]:
        return sortear(questoes, semente)

    def executar(self, tarefa: Tarefa, log: logging.Logger) -> Resultado:
        return executar(tarefa, log)

    def julgar(self, evidencias: list[tuple[str, str]], semente: int) -> list[dict[str, Any]]:
        return julgar(evidencias, semente)


_ATUAL: ContextVar[Trabalho] = ContextVar("trabalho")


def atual() -> Trabalho:
    return _ATUAL.get(None) or Aqui()


def trabalhar_em(onde: Trabalho) -> None:
    """Daqui em diante, nesta thread."""
    _ATUAL.set(onde)


def questao(nome: str) -> Questao:
    """A do gabarito; LookupError se não está lá."""
    if (q := buscar(nome)) is None:  # o nbgrader daria a nota pelo que o kernel do aluno mostrasse
        raise LookupError(f"a questão {nome} não está no gabarito")
    return q


def sortear(questoes: list[str], semente: int) -> dict[str, Any]:
    """O pedido de uma entrega, com as funções do oráculo à parte e o resumo das entradas de cada questão; as certas de
    que cada uma depende; e, das questões que não couberam nele, o erro."""
    oraculo, pedidos, entradas, depende, defeitos = Oraculo(), [], {}, {}, {}
    for nome in questoes:
        try:
            q = questao(nome)
            texto = json.dumps(evidencia.pedido(q, semente, oraculo))
            # o que o oráculo esconde também é entrada
            inteiro = json.dumps(evidencia.pedido(q, semente)) if q.as_cegas else texto
            entradas[nome] = hashlib.sha256(inteiro.encode()).hexdigest()
            depende[nome] = {d.nome: _emprestada(d.nome) for d in q.dependencias}
            pedidos.append(f"{json.dumps(nome)}: {texto}")
        except Exception as erro:  # a culpa é nossa, e só desta questão
            defeitos[nome] = _defeito(erro)
    return {
        "pedido": f"{{{', '.join(pedidos)}}}",
        "oraculo": oraculo.para_dados(),
        "entradas": entradas,
        "depende": depende,
        "defeitos": defeitos,
    }


@cache
def _emprestada(nome: str) -> str:
    return emprestada(questao(nome))


def julgar(evidencias: list[tuple[str, str]], semente: int) -> list[dict[str, Any]]:
    """De cada (questão, evidência), {"veredito", "funcao", "resta"}; ou {"defeito"}, se o erro foi nosso."""
    return [_julgar(nome, texto, semente) for nome, texto in evidencias]


def _julgar(nome: str, texto: str, semente: int) -> dict[str, Any]:
    try:
        q = questao(nome)
        with memoria.limitada():
            veredito: Veredito = evidencia.julgar(q, semente, texto)
        return {"veredito": asdict(veredito), "funcao": q.funcao, "resta": evidencia.o_que_resta(q, veredito)}
    except Exception as erro:
        return {"defeito": _defeito(erro)}


def _defeito(erro: Exception) -> dict[str, str]:
    return {"erro": repr(erro), "rastro": "".join(traceback.format_exception(erro))}
