"""O que os testes compartilham."""

from pathlib import Path

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
