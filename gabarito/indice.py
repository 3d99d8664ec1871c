"""O índice do curso (helpers/indice.json), feito do que cada lista diz de si em source/ e em gabarito/lista_NN."""

import ast
import re
from collections.abc import Iterable
from dataclasses import MISSING, asdict, fields, replace
from typing import Any

import nbformat
from nbgrader.utils import is_grade, is_solution

from gabarito import pontos, referencias
from gabarito.base import declarado
from gabarito.no_nbgrader import listas_do_curso
from gabarito.tabela import DeclaracaoErrada
from helpers import RAIZ, minhas
from helpers.autoria.recorte import ler
from helpers.indice import Lista, listas
from helpers.substitutos import USA_TORCH

_TITULO = re.compile(r"^# Lista \d\d · (.+)$", flags=re.MULTILINE)


def montar(escolhidas: Iterable[str]) -> dict[str, Lista]:
    """O índice com as listas escolhidas como estão agora em source/; as outras ficam como foram geradas.

    O que vem de helpers/ e de notebooks/ é sempre o de agora. Uma lista que nunca foi gerada não entra.
    """
    guardadas, todas = listas(), listas_do_curso()
    agora = set(escolhidas) if guardadas else set(todas)
    novas: dict[str, Lista] = {}
    for pasta in todas:
        nome = pasta[: len("lista-00")]
        if pasta in agora:
            novas[nome] = _da_fonte(pasta)
        elif nome in guardadas:
            novas[nome] = guardadas[nome]
        else:
            continue
        novas[nome] = replace(novas[nome], **_de_fora(nome))
    return novas


def texto(indice: dict[str, Lista]) -> str:
    """O que vai para o arquivo; o que uma lista não tem não se escreve."""
    sempre = {f.name for f in fields(Lista) if f.default is MISSING and f.default_factory is MISSING}
    dados = {
        nome: {campo: valor for campo, valor in asdict(lista).items() if valor or campo in sempre}
        for nome, lista in indice.items()
    }
    return referencias.escrever({"listas": dados}) + "\n"


def ate(indice: dict[str, Lista], numero: str) -> dict[str, Lista]:
    """O do pacote de uma semana: até a lista dela, que ainda não tem quem fique no lugar das suas funções."""
    ultima = f"lista-{numero}"
    chegaram = {nome: lista for nome, lista in indice.items() if nome <= ultima}
    if ultima in chegaram:
        chegaram[ultima] = replace(chegaram[ultima], substitutos=[], substitutos_com_torch=False)
    return chegaram


def desacordos(nome: str, indice: dict[str, Lista]) -> list[str]:
    """O que a lista importa de `helpers.minhas` e não teria na correção, uma frase para cada função."""
    de_quem = {funcao: outra for outra, lista in indice.items() if outra < nome for funcao in lista.questoes}
    frases = []
    for funcao in indice[nome].importa:
        if funcao not in de_quem:
            frases.append(f"ela importa {funcao} de helpers.minhas, e nenhuma lista anterior pede essa função")
        elif funcao not in indice[de_quem[funcao]].substitutos:
            arquivo = f"helpers/substitutos/{de_quem[funcao].replace('-', '_')}.py"
            frases.append(f"ela importa {funcao} de helpers.minhas, e falta a do curso, em {arquivo}")
    return frases


def _da_fonte(pasta: str) -> Lista:
    nome, arquivo = pasta[: len("lista-00")], RAIZ / "source" / pasta / f"{pasta}.ipynb"
    nb = nbformat.read(arquivo, as_version=4)
    titulo = _TITULO.search(nb.cells[0].source)
    if titulo is None:
        raise DeclaracaoErrada(f"A capa de source/{pasta} não começa com “# Lista {nome[-2:]} · Título”")
    conferidas = {q.rpartition("/")[2]: c for c in nb.cells if (q := pontos.questao_conferida(c))}
    abertas = {c.metadata.nbgrader.grade_id: c for c in nb.cells if is_grade(c) and is_solution(c)}
    trazidas = ler(arquivo, nome, []).importa_de_minhas()
    return Lista(
        pasta=pasta,
        titulo=titulo[1].strip(),
        no_mapa=declarado(nome, "NO_MAPA", titulo[1].strip()),
        aulas=[],
        questoes={funcao: c.metadata.nbgrader.points for funcao, c in conferidas.items()},
        abertas={qual: c.metadata.nbgrader.points for qual, c in abertas.items()},
        importa=sorted({funcao for funcao in trazidas if funcao not in minhas.__all__}),
        do_curso=list(declarado(nome, "DO_CURSO", ())),
        a_parte=declarado(nome, "A_PARTE", False),
        aquecer=list(declarado(nome, "AQUECER", ())),
    )


def _de_fora(nome: str) -> dict[str, Any]:
    """O que há da lista fora de source/: os notebooks da aula e as funções do curso."""
    arquivo = RAIZ / "helpers" / "substitutos" / f"{nome.replace('-', '_')}.py"
    codigo = arquivo.read_text(encoding="utf-8") if arquivo.is_file() else ""
    definidas = [no.name for no in ast.parse(codigo).body if isinstance(no, ast.FunctionDef | ast.ClassDef)]
    return {
        "aulas": sorted(p.stem for p in (RAIZ / "notebooks").glob(f"{nome[-2:]}*.ipynb")),
        "substitutos": [d for d in definidas if not d.startswith("_")],
        "substitutos_com_torch": USA_TORCH.search(codigo) is not None,
    }
