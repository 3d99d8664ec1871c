"""O que a coleta anota do Moodle, na pasta da turma: o nome, o número, a pasta e o atraso de cada aluno."""

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MOODLE = "moodle.json"  # lista → aluno → nome, id e pasta do Moodle
# aluno → {"nome", "id", "pasta"}; sem id nem pasta se não veio de lá, e sem pasta se está na planilha e não entregou.
# Quando se sabe, também: "atraso" (segundos), "prorrogacao" (até quando), "enviou", "recusados" e "zip" (a hora dele).
# Um grupo é mais um “aluno”, com "membros"; cada um deles tem "grupo", o nome da pasta do grupo
DoMoodle = dict[str, dict[str, Any]]


class TurmaIndisponivel(Exception):
    """O que impede de ler a turma, em uma frase que diz o que fazer."""


def ler_guardado(arquivo: Path, dentro: type, estragado: str) -> dict[str, Any]:
    """Um JSON nosso, da pasta da turma: lista → um `dentro`; vazio se não há, e `estragado` se é outra coisa."""
    if not arquivo.is_file():
        return {}
    with contextlib.suppress(ValueError, RecursionError):
        lido = json.loads(arquivo.read_text(encoding="utf-8"))
        if isinstance(lido, dict) and all(isinstance(da_lista, dentro) for da_lista in lido.values()):
            return lido
    raise TurmaIndisponivel(f"O arquivo {arquivo}, {estragado}")


def ler_anotado(raiz: Path) -> dict[str, DoMoodle]:
    """O que as coletas anotaram."""
    estragado = (
        "em que a coleta anota os nomes do Moodle, está estragado; apague-o e colete de novo o zip de cada lista (as "
        "entregas já coletadas ficam)."
    )
    lido = ler_guardado(raiz / MOODLE, dict, estragado)
    if not all(isinstance(dados, dict) for da_lista in lido.values() for dados in da_lista.values()):
        raise TurmaIndisponivel(f"O arquivo {raiz / MOODLE}, {estragado}")
    return lido


def de_que_lista(numeros: Iterable[str], raiz: Path, menos: str) -> str:
    """“ (parece a da lista-03-escala)”, se estes números do Moodle foram coletados em outra lista; senão, nada."""
    procurados = set(numeros)
    for lista, alunos in ler_anotado(raiz).items():
        if lista != menos and procurados & {dados.get("id") for dados in alunos.values()}:
            return f" (parece a da {lista})"
    return ""
