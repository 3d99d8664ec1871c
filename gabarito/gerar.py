"""`python curso.py gerar [LISTA…]`: gabarito/ → helpers/referencias/ e a matriz; source/ → release/."""

import argparse
import logging
import shutil
import sys
import tempfile
from pathlib import Path

from nbgrader.apps import NbGraderAPI
from traitlets.config import Config, PyFileConfigLoader

from gabarito import banco, referencias
from helpers.validar import achar_lista

RAIZ = referencias.RAIZ


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


def gerar_release(lista: str, raiz: Path | None = None) -> str | None:
    """source/LISTA → release/LISTA pelo próprio nbgrader. Devolve o log quando não deu certo."""
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


def main(argumentos: list[str] | None = None) -> int:
    analisador = argparse.ArgumentParser(
        prog="python curso.py gerar",
        description="Escreve helpers/referencias/ e a matriz a partir de gabarito/, e release/ a partir de source/.",
    )
    analisador.add_argument(
        "listas", nargs="*", metavar="LISTA", help="por exemplo: 02 ou lista-02 (sem nenhuma, todas)"
    )
    pedidas = analisador.parse_args(argumentos).listas
    todas = listas_do_curso()
    escolhidas = [achar_lista(p, todas) for p in pedidas] or todas
    if None in escolhidas:
        ruim = pedidas[escolhidas.index(None)]
        print(f"Não existe a lista {ruim!r}; as que há são: {', '.join(todas)}.", file=sys.stderr)
        return 2
    curtas = {nome[: len("lista-00")] for nome in escolhidas}
    gravados = referencias.gravar(None if not pedidas else [*curtas, *(c.replace("lista", "aula") for c in curtas)])
    banco.MATRIZ.write_text(banco.matriz(banco.questoes_das_listas()), encoding="utf-8", newline="\n")
    print(f"helpers/referencias/: {len(gravados)} arquivos; gabarito/MATRIZ.md")
    for lista in escolhidas:
        problema = gerar_release(lista)
        if problema:
            print(problema, file=sys.stderr)
            print(f"Não foi possível gerar release/{lista}; o motivo está acima.", file=sys.stderr)
            return 1
        print(f"release/{lista}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
