"""Examina uma resposta nos casos visíveis: dá para chamá-la, o que ela fez em cada um, e o que há de errado."""

from typing import Any

from helpers.conferencia.erros import por_escrever
from helpers.conferencia.execucao import Registro, aceita, executar
from helpers.conferencia.juiz import Diagnostico, Juiz, Julgamento
from helpers.conferencia.referencia import Referencia
from helpers.escrita import com_virgula

_LENTO = 2.0  # segundos, somados todos os casos, a partir dos quais vale um comentário
_SORTEIO = "Com a mesma entrada, sua função deu dois resultados: há um sorteio nela, e aqui nada é sorteado."


def examinar(referencia: Referencia, resposta: Any) -> tuple[Diagnostico | None, list[Registro]]:
    """O que há de errado na resposta, nos casos visíveis (None se nada), e o que ela fez em cada um."""
    frase = _nao_da_para_chamar(referencia, resposta)
    if frase:
        return Diagnostico(frase), []
    registros = _rodar(referencia, resposta)
    try:
        diagnostico = Juiz(referencia).julgar(registros)
        if diagnostico is not None and _varia(referencia, resposta, diagnostico, registros):
            diagnostico.frase = f"{_SORTEIO} {diagnostico.frase}"
        return diagnostico, registros
    except Exception:  # a resposta pode ter trocado funções do NumPy ou do Python por outras
        return Diagnostico("O resultado da sua função não pôde ser comparado; reinicie o kernel e rode de novo."), []


def passa(referencia: Referencia, resposta: Any) -> tuple[bool, list[Registro]]:
    """A resposta está certa nos casos visíveis, e o que ela fez em cada um; para quem não vai dizer por quê."""
    if _nao_da_para_chamar(referencia, resposta):
        return False, []
    registros = _rodar(referencia, resposta)
    try:
        return Julgamento(referencia, registros).certa, registros
    except Exception:  # como em `examinar`
        return False, []


def _rodar(referencia: Referencia, resposta: Any) -> list[Registro]:
    casos = [c.entradas for c in referencia.casos]
    return executar(referencia.adaptar(resposta), casos, resposta=resposta)


def _varia(referencia: Referencia, resposta: Any, dito: Diagnostico, registros: list[Registro]) -> bool:
    """A resposta dá outra coisa com a mesma entrada? (Onde o sorteio faz parte da questão, um adaptador a chama.)"""
    if dito.equivoco or dito.caso is None or referencia.adaptador or registros[dito.caso].erro:
        return False
    (outra_vez,) = executar(resposta, [referencia.casos[dito.caso].entradas], resposta=resposta)
    return outra_vez.erro is None and outra_vez.saida != registros[dito.caso].saida


def _nao_da_para_chamar(referencia: Referencia, resposta: Any) -> str | None:
    """O primeiro degrau da escada: existe, é função, aceita os argumentos?"""
    nome = referencia.funcao
    if not callable(resposta):
        que = "o valor `...` (três pontos)" if resposta is ... else f"um valor do tipo {type(resposta).__name__}"
        return f"`{nome}` deveria ser uma função, e é {que}; passe a função sem os parênteses da chamada."
    for quantidade in referencia.quantidades:
        if not aceita(resposta, quantidade):
            return (
                f"`{nome}` precisa aceitar {quantidade} {'argumento' if quantidade == 1 else 'argumentos'} "
                f"por posição; a assinatura do enunciado é {referencia.assinatura}."
            )
    return None


def nao_escrita(registros: list[Registro]) -> bool:
    """A função ainda é a do enunciado, com o `raise NotImplementedError`?"""
    return bool(registros) and registros[0].erro is not None and por_escrever(registros[0].erro)


def observacoes(registros: list[Registro]) -> list[str]:
    """O que não custa pontos, mas vale saber: a função imprime, avisa ou demora."""
    frases = []
    if any(r.impresso for r in registros):
        frases.append(
            "Sua função escreve na tela (print ou barra de progresso); está certa, mas em silêncio fica melhor."
        )
    avisos = [a for r in registros for a in r.avisos]
    if avisos:
        frases.append(f"Sua função emitiu um aviso: {avisos[0]}. O resultado está certo, mas vale entender o porquê.")
    segundos = sum(r.segundos for r in registros)
    if segundos > _LENTO:
        frases.append(
            f"Sua função levou {com_virgula(segundos, 1)} s; um laço em Python talvez possa virar uma conta com arrays."
        )
    return frases
