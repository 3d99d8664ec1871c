"""Onde fica cada coisa da instalação."""

import os
from pathlib import Path

RAIZ = Path(__file__).resolve().parent.parent  # a pasta do curso; para as outras salas, helpers.RAIZ
VENV = RAIZ / ".venv"
CACHE = VENV / "cache"  # o que o uv e o pip baixam; some quando a instalação termina
DIARIO = VENV / "instalacao.log"  # tudo o que o uv e o pip disseram
SELO = VENV / "curso.json"  # o que a última instalação completou
LOCKS = RAIZ / "configuracao" / "locks"
WINDOWS = os.name == "nt"
DO_ALUNO = "CURSO_ALUNO"  # variável de ambiente: a pasta do aluno, onde o curso é um só para muitos


def do_aluno() -> Path:
    """A pasta em que fica o que é do aluno; a do curso, se ele é só de um. Nas outras salas, helpers.do_aluno."""
    return Path(os.environ.get(DO_ALUNO) or RAIZ).expanduser().absolute()


def programa_do_venv(nome: str, raiz: Path = RAIZ) -> Path:
    return raiz / VENV.name / (f"Scripts/{nome}.exe" if WINDOWS else f"bin/{nome}")


def python_do_venv() -> Path:
    return programa_do_venv("python")


def pasta_de_pacotes(versao: str) -> Path:
    return VENV / ("Lib/site-packages" if WINDOWS else f"lib/python{versao}/site-packages")
