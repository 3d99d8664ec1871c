"""`python -m configuracao MODULO …`: roda um módulo do curso com as saídas e o Ctrl-C já cuidados.

É como o curso.py chama os módulos: importar o torch ou o nbgrader leva segundos, e um Ctrl-C ali também é uma frase.
"""

import runpy
import sys

from configuracao.terminal import rodar


def main() -> None:
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    rodar(main)
