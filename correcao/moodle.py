"""O que a coleta anota do Moodle, na pasta da turma: o nome, o número e a pasta de cada aluno."""

import json
from pathlib import Path

MOODLE = "moodle.json"  # lista → aluno → nome, id e pasta do Moodle
DoMoodle = dict[str, dict[str, str | None]]  # aluno → {"nome", "id", "pasta"}; sem id nem pasta se não veio de lá


class TurmaIndisponivel(Exception):
    """O que impede de ler a turma, em uma frase que diz o que fazer."""


def ler_anotado(raiz: Path) -> dict[str, DoMoodle]:
    """O que as coletas anotaram."""
    arquivo = raiz / MOODLE
    if not arquivo.is_file():
        return {}
    try:
        return json.loads(arquivo.read_text(encoding="utf-8"))
    except ValueError:
        raise TurmaIndisponivel(
            f"O arquivo {arquivo}, em que a coleta anota os nomes do Moodle, está estragado; apague-o e colete de novo "
            "o zip de cada lista (as entregas já coletadas ficam)."
        ) from None
