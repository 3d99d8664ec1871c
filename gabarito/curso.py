"""O curso como o nbgrader o vê: a configuração, as listas e a emissão de uma delas (source/ → release/)."""

import logging
import shutil
import tempfile
from pathlib import Path

from traitlets.config import Config, PyFileConfigLoader

from helpers import RAIZ


def listas_do_curso() -> list[str]:
    """As pastas de source/, em ordem: "lista-01-produto-escalar", …"""
    return sorted(p.name for p in (RAIZ / "source").glob("lista-*") if p.is_dir())


def configuracao(raiz: Path | None = None) -> Config:
    """O nbgrader_config.py da raiz; com `raiz`, o curso (source, release, gradebook) fica nessa outra pasta."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(RAIZ)).load_config()
    if raiz is not None:
        config.CourseDirectory.root = str(raiz)
    config.Application.log_level = logging.WARNING
    return config


def emitir(lista: str, raiz: Path | None = None) -> str | None:
    """source/LISTA → release/LISTA pelo próprio nbgrader. Devolve o log quando não deu certo."""
    from nbgrader.apps import NbGraderAPI  # leva segundos, e quem só lê a configuração não precisa dele

    destino = (raiz or RAIZ) / "release" / lista
    with tempfile.TemporaryDirectory() as reserva:
        if destino.is_dir():  # o nbgrader apaga a versão antiga antes de saber se consegue fazer a nova
            shutil.copytree(destino, Path(reserva, lista))
        resultado = NbGraderAPI(config=configuracao(raiz)).generate_assignment(lista, force=True, create=True)
        if resultado["success"]:
            return None
        if Path(reserva, lista).is_dir():
            shutil.copytree(Path(reserva, lista), destino, dirs_exist_ok=True)
    return resultado.get("log") or str(resultado.get("error"))
