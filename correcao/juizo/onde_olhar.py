"""Onde olhar: a quem errou de um jeito que o banco não conhece, a página diz a linha, como o notebook disse.

Procurar é rodar a resposta muitas vezes. Por isso se faz em uma caixa nova, com as evidências já fechadas e os pontos
já decididos, e só com os casos que o aluno tem. O que volta de lá são linhas e assuntos de uma lista fechada; nada
disso, e nenhum erro daqui, muda um ponto.
"""

import json
import logging
from dataclasses import replace
from typing import Any

from nbformat import NotebookNode

from correcao.caixa.caixa import Limites
from correcao.comum.anotacao import Veredito, nome_da_resposta
from correcao.comum.texto import imprimivel
from correcao.juizo.evidencia import das_saidas
from correcao.juizo.executar import rodar_codigo
from correcao.juizo.uma_vez import tentada
from gabarito.pontos import questao_conferida
from helpers.conferencia.conserto.fala import FALAS, MAIOR_TRECHO, Conserto, Ponto

_PROCURAR = "from helpers.conferencia.conserto.publicar import publicar as conferir\n"
_MAIOR = 4000  # caracteres do que volta da caixa
_MAIS_LINHAS = 10_000
_CADERNO = 60.0  # segundos, no lugar dos do notebook inteiro: é só por uma frase, e a turma espera


def sem_nome(nb: NotebookNode, vereditos: dict[str, Veredito]) -> dict[str, str]:
    """As questões tentadas cujo erro, visto nos casos do aluno, não é um dos conhecidos; e o texto de cada resposta."""
    respostas = {c.metadata.nbgrader.grade_id: c for c in nb.cells if "nbgrader" in c.metadata}
    achadas = {}
    for celula in nb.cells:
        questao = questao_conferida(celula) or ""
        veredito = vereditos.get(questao)
        if veredito is None or not veredito.frase or veredito.equivoco or not veredito.frase.startswith("No caso “"):
            continue
        resposta = respostas.get(nome_da_resposta(celula.metadata.nbgrader.grade_id))
        if resposta is not None and not veredito.emprestadas and tentada(resposta):
            achadas[questao] = resposta.source
    return achadas


def procurar(nb: NotebookNode, textos: dict[str, str], limites: Limites, log: logging.Logger) -> dict[str, str]:
    """De cada questão, a frase que diz onde olhar, se se achou."""
    celulas: list[str | None] = []
    onde: dict[str, int] = {}
    for celula in nb.cells:
        questao = questao_conferida(celula)
        if questao in textos:
            onde[questao] = len(celulas)
            celulas.append(_PROCURAR + celula.source)
        else:
            celulas.append(celula.source if questao is None and celula.cell_type == "code" else None)
    # as listas anteriores que a caixa deixa ver são as da lista do pedido; com ele vazio, nenhuma conferência o acha
    pedido = json.dumps({f"{next(iter(textos)).partition('/')[0]}/": None})
    limites = replace(limites, caderno=min(limites.caderno, _CADERNO))
    saidas = rodar_codigo(celulas[: max(onde.values()) + 1], pedido, [], limites, log).saidas
    lidos = {q: _ler(das_saidas(saidas[i]), textos[q]) for q, i in onde.items()}
    return {q: imprimivel(conserto.dizer(), " ") for q, conserto in lidos.items() if conserto is not None}


def _ler(texto: Any, resposta: str) -> Conserto | None:
    """O que a caixa disse, se tem o formato combinado e só cita o que está na resposta."""
    if not isinstance(texto, str) or len(texto) > _MAIOR:
        return None
    try:
        pontos = json.loads(texto)["pontos"]
        lidos = [Ponto([int(n) for n in p["linhas"]], str(p["que"]), str(p["trecho"])) for p in pontos]
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    return Conserto(lidos) if 1 <= len(lidos) <= 2 and all(_vale(p, resposta) for p in lidos) else None


def _vale(ponto: Ponto, resposta: str) -> bool:
    linhas = 1 <= len(ponto.linhas) <= 2 and all(0 < n < _MAIS_LINHAS for n in ponto.linhas)
    trecho = len(ponto.trecho) <= MAIOR_TRECHO and ponto.trecho in resposta
    return linhas and trecho and (ponto.que == "" or ponto.que in FALAS) and (ponto.que != "nome" or ponto.trecho != "")
