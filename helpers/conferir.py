"""A porta da conferência: `conferir("lista-02/softmax", softmax)`.

Nos casos visíveis o julgamento é aqui, na hora. Quando a lista está sendo corrigida, a correção deixa um pedido com
entradas novas, e esta função só devolve a evidência: o que a resposta fez com elas. Nenhum notebook muda por isso.
"""

from typing import Any

import numpy as np

from helpers.conferencia.aposta import confira
from helpers.conferencia.atendimento import entregar_evidencia
from helpers.conferencia.conserto import com_o_conserto
from helpers.conferencia.contexto import conferindo
from helpers.conferencia.exame import examinar, observacoes
from helpers.conferencia.execucao import Registro
from helpers.conferencia.frases import pode_vir_de, so_conta_la
from helpers.conferencia.na_celula import nao_rodou
from helpers.conferencia.na_tela import Conferencia, cuidar_do_notebook, dar_o_recado, em_notebook, em_verde
from helpers.conferencia.pedido import pedido_da_correcao
from helpers.conferencia.por_outra import so_erra_por_outra
from helpers.conferencia.propriedades import PROPRIEDADES
from helpers.conferencia.referencia import Referencia, carregar

__all__ = ["Conferencia", "conferir", "confira", "iguais"]


def conferir(questao: str, resposta: Any) -> None:
    """Confere a resposta nos casos visíveis; lança Conferencia com o diagnóstico, ou volta em silêncio.

    Em um notebook, quando está tudo certo, mostra uma linha verde com o que foi conferido.
    """
    pedido = pedido_da_correcao(questao)
    if pedido is not None:
        entregar_evidencia(questao, resposta, pedido)
        return
    referencia = carregar(questao)
    if frase := nao_rodou(referencia.funcao, getattr(resposta, "__name__", None)):
        raise Conferencia(frase, questao)
    with conferindo():
        diagnostico, registros = examinar(referencia, resposta)
        por_outra, culpadas = (
            so_erra_por_outra(referencia, resposta, registros) if diagnostico is not None else (False, [])
        )
    if diagnostico is None:
        _mostrar_que_passou(referencia, registros)
    elif por_outra:
        dar_o_recado(so_conta_la(culpadas))
    else:
        if por_outra is False and not culpadas:
            diagnostico.frase = com_o_conserto(referencia, resposta, diagnostico, registros)
        frase = diagnostico.frase + _do_que_ja_passa(referencia, diagnostico.certos)
        if por_outra is None:
            frase += f" {pode_vir_de(culpadas)}"
        # "from None": o caminho por dentro do curso não interessa a quem responde
        raise Conferencia(frase, questao, diagnostico.equivoco) from None


def _do_que_ja_passa(referencia: Referencia, certos: list[bool]) -> str:
    """A quem errou só uma das últimas partes da questão: quanto vale o que está certo."""
    fracao = sum(referencia.partes[: referencia.partes_certas(certos)]) if certos else 0
    return f" O que já passa aqui vale {100 * fracao:.0f} % dos pontos da questão." if fracao else ""


def _mostrar_que_passou(referencia: Referencia, registros: list[Registro]) -> None:
    if em_notebook():
        titulos = [PROPRIEDADES[p.rpartition(": ")[2]].titulo for p in referencia.propriedades]
        feito = ", ".join(["forma", *dict.fromkeys(titulos), "valores"])
        quantos = len(referencia.casos)
        casos = "1 caso" if quantos == 1 else f"{quantos} casos"
        print(em_verde(f"{referencia.funcao}: {casos} ({feito})."))
        for observacao in observacoes(registros):
            print(f"  {observacao}")


def iguais(a: Any, b: Any) -> bool:
    """Os dois arrays têm a mesma forma e os mesmos números? (A tolerância para o arredondamento é nossa.)"""
    um, outro = np.asarray(a), np.asarray(b)
    return um.shape == outro.shape and bool(np.allclose(um, outro, rtol=1e-5, atol=1e-7))


cuidar_do_notebook()
