"""O que os testes compartilham."""

import os
from pathlib import Path

# Antes de NumPy e torch: com matrizes pequenas, uma thread só é mais rápida, e muito, em máquina ocupada.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest

RAIZ = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def raiz() -> Path:
    return RAIZ


def questoes():
    """Todas as questões do gabarito, com o nome como identificação do teste."""
    from gabarito.base import carregar_tudo

    return [pytest.param(q, id=q.nome) for q in carregar_tudo().values()]


def listas() -> list[str]:
    return sorted(p.name for p in (RAIZ / "source").glob("lista-*"))


def aulas() -> list[Path]:
    return sorted((RAIZ / "notebooks").glob("*.ipynb"))
