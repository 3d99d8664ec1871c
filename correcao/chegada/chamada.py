"""A chamada de uma lista, em moodle.json: quem é cada um na turma, o que o Moodle disse dele, e quem não entregou."""

import contextlib
import json
from pathlib import Path
from typing import Any

from correcao.chegada.coletada import FICOU, JA_ESTAVA, MAIS_NOVA, Coletada
from correcao.chegada.envio import Envio
from correcao.comum.moodle import MOODLE, DoMoodle, ler_anotado
from helpers.gravacao import gravar

Recusas = dict[str, list[list[str]]]  # aluno → [arquivo, por quê]


def mesmos_nomes(ids: dict[str, str], turma: Path, lista: str) -> tuple[dict[str, str], dict[str, str]]:
    """Uma pessoa não vira duas: quem já foi coletado nesta lista continua com o nome da pasta que tem.

    Uma planilha que chega depois da primeira coleta ainda troca o nome de quem não foi corrigido. Devolve os nomes por
    número do Moodle, e as trocas a fazer em submitted/.
    """
    nomes, trocas = dict(ids), {}
    for aluno, dados in ler_anotado(turma).get(lista, {}).items():
        novo = ids.get(dados["id"] or "")
        velha, nova = (turma / "submitted" / nome / lista for nome in (aluno, novo or aluno))
        corrigida = (turma / "autograded" / aluno / lista).exists()
        if novo and novo != aluno and velha.is_dir() and not corrigida and not nova.exists():
            trocas[aluno] = novo
        elif dados["id"] and (velha.is_dir() or not novo):  # o que só está na planilha de antes também tem nome
            nomes[dados["id"]] = aluno
    return nomes, trocas


def trocar_nomes(trocas: dict[str, str], turma: Path, lista: str) -> None:
    for velho, novo in trocas.items():
        destino = turma / "submitted" / novo / lista
        destino.parent.mkdir(parents=True, exist_ok=True)
        (turma / "submitted" / velho / lista).rename(destino)
        with contextlib.suppress(OSError):  # só sai vazia: pode haver outras listas nela
            (turma / "submitted" / velho).rmdir()


def anotar(
    coletadas: list[Coletada],
    turma: Path,
    lista: str,
    trocas: dict[str, str],
    ditos: dict[str, Envio],
    recusas: Recusas,
) -> None:
    """Guarda o que o Moodle disse de cada aluno: o nome e a pasta, para devolver por lá, o atraso, e quem faltou."""
    arquivo, tudo = turma / MOODLE, ler_anotado(turma)
    da_lista = tudo.setdefault(lista, {})
    for velho, novo in trocas.items():
        da_lista[novo] = da_lista.pop(velho)
    for c in coletadas:
        if c.situacao != MAIS_NOVA:
            da_lista[c.dono.aluno] = _do_coletado(c, da_lista.get(c.dono.aluno, {}), recusas.get(c.dono.aluno))
    _tirar_os_repetidos(da_lista, coletadas)
    de_cada_numero = {dados.get("id"): aluno for aluno, dados in da_lista.items()}
    for numero, envio in ditos.items():
        aluno = de_cada_numero.get(numero) or envio.aluno
        da_lista.setdefault(aluno, {"nome": None, "id": numero, "pasta": None}).update(_do_envio(envio))
    _anotar_os_grupos(da_lista, coletadas)
    gravar(arquivo, json.dumps(tudo, ensure_ascii=False, indent=1))


def _anotar_os_grupos(da_lista: DoMoodle, coletadas: list[Coletada]) -> None:
    """Quem está em cada grupo que entregou; a pasta de cada um no Moodle é a que ele teria se entregasse sozinho."""
    de_cada_numero = {dados.get("id"): aluno for aluno, dados in da_lista.items() if dados.get("id")}
    for c in (c for c in coletadas if c.dono.membros):
        membros = [de_cada_numero[n] for n in c.dono.membros if n in de_cada_numero]
        for aluno, dados in da_lista.items():
            if dados.get("membros"):  # ninguém está em dois
                dados["membros"] = [m for m in dados["membros"] if m not in membros]
            if aluno in membros:
                nome = (dados.get("nome") or "Participante").replace("_", " ")
                dados["grupo"], dados["pasta"] = c.dono.aluno, f"{nome}_{dados['id']}_assignsubmission_file_"
            elif dados.get("grupo") == c.dono.aluno:  # saiu dele
                dados["grupo"] = dados["pasta"] = None
        da_lista.setdefault(c.dono.aluno, {"nome": c.dono.nome, "id": None, "pasta": None})["membros"] = membros


def _do_coletado(c: Coletada, antes: dict[str, Any], recusados: list[list[str]] | None) -> dict[str, Any]:
    dados: dict[str, Any] = {"nome": c.dono.nome, "id": c.dono.id, "pasta": c.dono.pasta}
    # a prorrogação é da pessoa; o resto, da entrega, e só vale enquanto ela é a mesma
    ainda = ("prorrogacao", "zip", "atraso") if c.situacao in (JA_ESTAVA, FICOU) else ("prorrogacao",)
    dados |= {nome: antes[nome] for nome in ainda if nome in antes}
    dados |= {"zip": c.quando.isoformat()} if c.data is None else {}
    return dados | ({"recusados": recusados} if recusados else {})


def _tirar_os_repetidos(da_lista: DoMoodle, coletadas: list[Coletada]) -> None:
    """Quem faltava em uma planilha de antes, com outro nome de pasta, e agora entregou."""
    entregaram = {c.dono.id: c.dono.aluno for c in coletadas if c.dono.id}
    for aluno, dados in list(da_lista.items()):
        if not dados.get("pasta") and entregaram.get(dados.get("id") or "", aluno) != aluno:
            del da_lista[aluno]


def _do_envio(envio: Envio) -> dict[str, Any]:
    ate = envio.prorrogacao.isoformat() if envio.prorrogacao else None
    dito = {"nome": envio.nome, "atraso": envio.atraso, "prorrogacao": ate, "enviou": envio.enviou}
    return {nome: valor for nome, valor in dito.items() if valor is not None}
