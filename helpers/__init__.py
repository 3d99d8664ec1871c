"""O que os notebooks importam. Vai para o aluno.

Há duas salas: `conferencia/` é o motor que confere respostas, e `conferir.py`, a porta dele; o resto é a oficina das
aulas (desenhar, explorar, ler o corpus, treinar, rodar um LLM). `escrita.py` é das duas.
"""

import os
from pathlib import Path

RAIZ = Path(__file__).resolve().parent.parent  # a pasta do curso, para todas as salas menos configuracao


def do_aluno() -> Path:
    """A pasta em que fica o que é do aluno: a do curso ou, onde o curso é um só para muitos, uma dele."""
    return Path(os.environ.get("CURSO_ALUNO") or RAIZ).expanduser().absolute()


def refeitos(pasta: Path) -> Path:
    """Onde se guarda o que se refaz de uma pasta do curso: nela mesma ou, se ela é de todos, na do aluno."""
    return pasta if do_aluno() == RAIZ else do_aluno() / pasta.name


def versao() -> str:
    """A versão do curso, “1.0.0”."""
    from configuracao.versao import versao as do_curso  # só aqui: a caixa, que importa esta pasta, não enxerga a outra

    return do_curso() or "sem versão"
