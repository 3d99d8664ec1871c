"""A máquina de corrigir: pede evidências ao kernel do aluno e as julga fora dele. Nunca vai para o aluno."""

import os
from pathlib import Path

from helpers import RAIZ

DATA = "timestamp.txt"  # o arquivo em que o nbgrader guarda, em cada pasta, a data da entrega
SEGREDO = "submission_secret.txt"  # e a senha com que o aluno busca a devolutiva, quando a entrega veio pela troca


def pasta_da_turma() -> Path:
    """Onde ficam as entregas e as notas: o que disser a variável CURSO_TURMA, ou a pasta do curso."""
    return Path(os.environ.get("CURSO_TURMA") or RAIZ)
