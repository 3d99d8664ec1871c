"""Uma correção por vez em cada turma."""

import subprocess
import sys

import pytest

from correcao.comum.trava import OutraCorrecao, travar

pytest.importorskip("fcntl")


class Dono:
    """Quem corrige."""


def test_de_outro_processo_a_turma_esta_ocupada_ate_que_o_dono_a_solte(tmp_path):
    programa = f"from correcao.comum.trava import travar\nimport builtins\ntravar({str(tmp_path)!r}, builtins)"
    dono = Dono()
    soltar = travar(str(tmp_path), dono)
    ocupada = subprocess.run([sys.executable, "-c", programa], capture_output=True, text=True)
    assert OutraCorrecao.__name__ in ocupada.stderr and "em outra janela" in ocupada.stderr
    soltar()
    livre = subprocess.run([sys.executable, "-c", programa], capture_output=True, text=True)
    assert livre.returncode == 0, livre.stderr


def test_a_trava_cai_com_o_dono(tmp_path):
    dono = Dono()
    assert travar(str(tmp_path), dono) and travar(str(tmp_path), Dono()) is None
    del dono
    assert travar(str(tmp_path), Dono()) is not None
