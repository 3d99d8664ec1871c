"""O que os testes compartilham."""

import os
import subprocess
import sys
from pathlib import Path

# Antes de NumPy e torch: com matrizes pequenas, uma thread só é mais rápida, e muito, em máquina ocupada.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest

RAIZ = Path(__file__).resolve().parent.parent


# Com um arquivo por vez em cada processo, os demorados vão primeiro: assim os dois processos acabam juntos.
DEMORADOS = (
    "test_banco", "test_correcao", "test_nbgrader_original", "test_ataques", "test_turma_acidentada", "test_fuzz"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    lugar = {nome: i for i, nome in enumerate(DEMORADOS)}
    items.sort(key=lambda item: lugar.get(item.path.stem, len(lugar)))


HONESTAS = {"test_correcao", "test_corrigir", "test_turma", "test_volta", "test_turma_acidentada"}


@pytest.fixture(scope="module", autouse=True)
def _onde_nao_ha_caixa(request):
    """Turmas honestas são corrigidas também onde não há bubblewrap; os testes da própria caixa pulam."""
    if request.module.__name__.rpartition(".")[2] not in HONESTAS:
        yield
        return
    from correcao import caixa

    with pytest.MonkeyPatch.context() as troca:
        if caixa._por_que_nao():
            troca.setenv(caixa.SEM_ISOLAMENTO, "1")
        yield


@pytest.fixture(scope="session")
def raiz() -> Path:
    return RAIZ


def questoes():
    """Todas as questões do gabarito, com o nome como identificação do teste."""
    from gabarito.base import carregar_tudo

    return [pytest.param(q, id=q.nome) for q in carregar_tudo().values()]


def questoes_e_o_tempo_delas():
    """As mesmas; as das listas 07 a 10, que rodam modelos, são lentas."""
    return [pytest.param(p.values[0], id=p.id, marks=lentas(p.values[0])) for p in questoes()]


def lentas(q):
    return [pytest.mark.lento] if q.lista >= "lista-07" else []


def listas() -> list[str]:
    return sorted(p.name for p in (RAIZ / "source").glob("lista-*"))


def aulas() -> list[Path]:
    return sorted((RAIZ / "notebooks").glob("*.ipynb"))


def instalar_a_parte(lock: str, pasta: Path) -> str:
    """Põe em `pasta`, fora do ambiente do curso, o que o lock pede; sem rede, pula o teste."""
    comando = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps", "--require-hashes"]
    comando += ["--only-binary", ":all:", "--target", str(pasta), "-r", str(RAIZ / lock)]
    feito = subprocess.run(comando, capture_output=True, text=True, encoding="utf-8")
    if feito.returncode:
        sem_rede = ("onnection", "Max retries", "timed out")  # um pino errado, com rede, é falha do teste
        assert any(sinal in feito.stderr for sinal in sem_rede), feito.stderr
        pytest.skip(f"sem rede para instalar {lock}: {feito.stderr.strip().splitlines()[-1]}")
    return str(pasta)
