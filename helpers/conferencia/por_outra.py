"""O erro que vem de outra questão: quem só erra por uma função anterior da lista, já errada, não erra duas vezes."""

import sys
from typing import Any

from helpers.conferencia.emprestimo import Emprestada
from helpers.conferencia.exame import nao_escrita, passa
from helpers.conferencia.execucao import Registro
from helpers.conferencia.referencia import Referencia, carregar


def so_erra_por_outra(
    referencia: Referencia, resposta: Any, registros: list[Registro]
) -> tuple[bool | None, list[str]]:
    """A resposta errada passa se as funções da mesma lista que ela usa forem as certas? E de quais delas é a culpa.

    None se aqui não há como saber.
    """
    erradas = _dependencias_erradas(referencia, resposta, registros)
    certa = _certa_sem_o_erro_delas(referencia, resposta, erradas) if erradas else False
    return certa, [funcao for funcao, culpada in erradas.items() if culpada]


def _dependencias_erradas(referencia: Referencia, resposta: Any, registros: list[Registro]) -> dict[str, bool]:
    """As funções do aluno de que a resposta depende, já escritas, que não passam nos casos visíveis delas.

    De cada uma se diz se a culpa é dela: a que só erra por outra não a tem.
    """
    if not registros or nao_escrita(registros):
        return {}
    nomes, lista = _nomes_em_volta(resposta), referencia.questao.partition("/")[0]
    erradas: dict[str, bool] = {}
    for funcao in referencia.depende:
        if callable(nomes.get(funcao)):
            sua = carregar(f"{lista}/{funcao}")
            certa, registros_dela = passa(sua, nomes[funcao])
            if not certa and not nao_escrita(registros_dela):
                de_antes = {f: True for f in sua.depende if f in erradas}
                erradas[funcao] = not (de_antes and _certa_sem_o_erro_delas(sua, nomes[funcao], de_antes))
    return erradas


def _certa_sem_o_erro_delas(referencia: Referencia, resposta: Any, erradas: dict[str, bool]) -> bool | None:
    """A resposta passa com as dependências certas? None se aqui não há como saber."""
    if not referencia.emprestimos:
        return None
    nomes, lista = _nomes_em_volta(resposta), referencia.questao.partition("/")[0]
    certas = {f: Emprestada(carregar(f"{lista}/{f}").assinatura, referencia.emprestimos.get(f, {})) for f in erradas}
    do_aluno = {f: nomes[f] for f in erradas}
    nomes.update(certas)
    try:
        certa, _ = passa(referencia, resposta)
    finally:
        nomes.update(do_aluno)
    return None if any(c.faltou for c in certas.values()) else certa


def _nomes_em_volta(resposta: Any) -> dict[str, Any]:
    """Os nomes do notebook, onde a resposta procura as outras funções."""
    modulo = sys.modules.get(getattr(resposta, "__module__", None) or "")
    return getattr(resposta, "__globals__", None) or (vars(modulo) if modulo else {})
