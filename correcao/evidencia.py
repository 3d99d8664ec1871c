"""O vaivém da correção: o pedido (entradas novas) e a evidência (o que a resposta fez com elas).

Tudo o que vem do kernel do aluno é suspeito: lê-se como dados, com tamanho limitado, e nada é executado.
"""

import hashlib
import json
from dataclasses import fields
from typing import Any

from gabarito.base import Questao
from helpers.dados import codificar
from helpers.execucao import Registro
from helpers.julgamento import Diagnostico, Juiz

PRAZO_TOTAL = 60.0  # há mais casos que na conferência: quem passou nela não pode ser reprovado pelo relógio
MAXIMO = 20_000_000  # caracteres de evidência por questão
_TEXTOS_DO_ERRO = ("tipo", "mensagem", "onde", "auxiliar")
_CAMPOS = {f.name for f in fields(Registro)}


class EvidenciaInvalida(ValueError):
    """O que o kernel entregou não é uma evidência."""


def semente_da_questao(semente: int, nome: str) -> int:
    """De uma semente por entrega, uma por questão, sem relação visível entre elas."""
    return int.from_bytes(hashlib.sha256(f"{semente}|{nome}".encode()).digest()[:8], "big")


def pedido(q: Questao, semente: int) -> dict:
    """As entradas que o kernel vai receber: as visíveis e as ocultas desta entrega. Nenhuma saída."""
    declarados = [*q.casos, *q.casos_ocultos(semente_da_questao(semente, q.nome))]
    return {
        "casos": [[codificar(e) for e in c.entradas] for c in declarados],
        "quantidades": q.visivel(com_enganos=False).quantidades,
        "prazo": q.prazo,
        "prazo_total": PRAZO_TOTAL,
        "adaptador": q.adaptador,
    }


def _registro(dado: Any) -> Registro:
    if not isinstance(dado, dict) or set(dado) != _CAMPOS:
        raise EvidenciaInvalida("registro com campos a mais ou a menos")
    erro = dado["erro"]
    if erro is not None:
        textos = isinstance(erro, dict) and all(isinstance(erro.get(k), str) for k in _TEXTOS_DO_ERRO)
        if not textos or not isinstance(erro.get("bases"), list) or not all(isinstance(b, str) for b in erro["bases"]):
            raise EvidenciaInvalida("erro mal anotado")
    if not isinstance(dado["alterou"], list) or not all(type(i) is int for i in dado["alterou"]):
        raise EvidenciaInvalida("lista de argumentos alterados inválida")
    return Registro(saida=dado["saida"], erro=erro, alterou=dado["alterou"])


def ler(texto: Any, questao: str) -> tuple[str | None, list[Registro]]:
    """(problema na chamada, registros) de uma evidência; EvidenciaInvalida para qualquer outra coisa."""
    if not isinstance(texto, str) or len(texto) > MAXIMO:
        raise EvidenciaInvalida("evidência ausente ou grande demais")
    try:
        dado = json.loads(texto)
    except (ValueError, RecursionError) as erro:
        raise EvidenciaInvalida("evidência que não é JSON") from erro
    if not isinstance(dado, dict) or dado.get("questao") != questao or not isinstance(dado.get("registros"), list):
        raise EvidenciaInvalida("evidência de outra questão")
    chamada = dado.get("chamada")
    return (chamada if isinstance(chamada, str) else None), [_registro(r) for r in dado["registros"]]


def julgar(q: Questao, semente: int, texto: Any) -> Diagnostico | None:
    """None quando a evidência está certa em todos os casos; senão, o porquê."""
    try:
        chamada, registros = ler(texto, q.nome)
    except EvidenciaInvalida:
        return Diagnostico("A correção não recebeu um resultado legível da sua função.")
    if chamada == "nao-e-funcao":
        return Diagnostico(f"`{q.funcao}` deveria ser uma função.")
    if chamada == "argumentos":
        return Diagnostico(f"`{q.funcao}` não aceita os argumentos do enunciado: {q.assinatura}.")
    propria = semente_da_questao(semente, q.nome)
    try:
        if Juiz(q.oculta(propria, com_enganos=False)).julgar(registros) is None:
            return None
        return Juiz(q.oculta(propria)).julgar(registros)
    except Exception:  # uma evidência torta não pode parar a turma
        return Diagnostico("O resultado da sua função não pôde ser comparado com o esperado.")
