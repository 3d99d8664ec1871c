"""O que um erro de Python quer dizer, em português: escolhido pelo tipo, pela mensagem, pelo trecho que falhou e pelo
que havia nos nomes dele (ver `helpers.conferencia.flagrante`)."""

import re
from typing import Any

from helpers.conferencia.explicacoes.tabela import EXPLICACOES
from helpers.conferencia.flagrante import Flagrante


def por_escrever(erro: dict[str, Any]) -> bool:
    """A resposta ainda tem o `raise NotImplementedError`? O torch também lança esse erro, mas com uma mensagem."""
    return erro["tipo"] == "NotImplementedError" and (not erro["mensagem"] or "NotImplementedError" in erro["onde"])


def explicar_erro(erro: dict[str, Any], lugar: str) -> str:
    """A função parou: diz com que erro, onde, e o que isso costuma querer dizer."""
    tipo, mensagem, onde = erro["tipo"], erro["mensagem"], erro["onde"]
    if por_escrever(erro):
        if erro["auxiliar"]:
            return f"Esta função usa `{erro['auxiliar']}`, que ainda não foi escrita: comece por ela."
        return "Esta função ainda não foi escrita: troque o `raise NotImplementedError` pela sua resposta."
    if tipo in ("TempoEsgotado", "EsperaEsgotada"):
        return f"{lugar}, {_sem_tempo(mensagem, parada=tipo == 'EsperaEsgotada')}"
    if tipo == "RecursionError":
        return f"{lugar}, sua função chama a si mesma sem parar; qual é o caso em que ela deve parar?"
    if tipo == "SystemExit":
        return f"{lugar}, sua função encerrou o programa (exit ou quit); use return."
    if re.search(r"linha \d+: (if .*: *)?raise ", onde):
        explicacao = (
            "Esse erro vem do seu próprio raise, e neste caso não era para lançar: confira a condição e o que ela usa."
        )
    else:
        explicacao = o_que_quer_dizer(erro)
    return f"{onde_parou(erro, lugar)} {explicacao}".rstrip()


def onde_parou(erro: dict[str, Any], lugar: str, quem: str = "sua função") -> str:
    """Com que erro a função parou, e em que linha; sem dizer por quê."""
    onde = f" ({erro['onde']})" if erro["onde"] else ""
    return f"{lugar}, {quem} parou com {_em_curto(erro)}{onde}."


def _sem_tempo(mensagem: str, parada: bool) -> str:
    """O prazo acabou: o de uma chamada ou, em “20 ao todo”, o de todas."""
    segundos, _, ao_todo = mensagem.partition(" ")
    if parada:
        ficou = "as chamadas à sua função já somavam" if ao_todo else "sua função ficou"
        return f"{ficou} {segundos} s sem quase usar o processador; há um sleep, um input ou uma trava?"
    if ao_todo:
        return f"as chamadas à sua função já somavam {segundos} s de processador; há um laço que dá para evitar?"
    return (
        f"sua função não terminou em {segundos} s de processador; há um laço que não acaba, ou um que dá para evitar?"
    )


def _em_curto(erro: dict[str, Any]) -> str:
    """O tipo e a mensagem, sem as listas de tudo o que serviria."""
    curta = re.split(r", but expected one of|, with gufunc signature|\n| \(or directly access", erro["mensagem"])[0]
    return f"{erro['tipo']}: {curta}".rstrip(": ").rstrip(".")


def o_que_quer_dizer(erro: dict[str, Any]) -> str:
    """A explicação do erro, ou nada, se ele não está na tabela."""
    flagrante = Flagrante(erro)
    for nome, padrao, dizer in EXPLICACOES:
        if not {*nome.split("|")} & {erro["tipo"], *erro["bases"]}:
            continue
        achado = re.search(padrao, erro["mensagem"], flags=re.DOTALL)
        dito = achado and (dizer.format(*achado.groups()) if isinstance(dizer, str) else dizer(flagrante, achado))
        if dito:
            return dito
    return ""
