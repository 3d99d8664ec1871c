"""`python -m configuracao.no_hub`: o servidor de uma pessoa em um JupyterHub, que o hub começa com a conta dela.

O de um aluno abre a pasta dele, que é feita ou posta em dia antes; o do instrutor, no clone completo, abre o clone, com
o formgrader. Quem o chama é a configuração que o `python curso.py hub` escreve. Só a biblioteca padrão.
"""

import os
import sys
from pathlib import Path

from configuracao import aluno, ferramentas, servidor
from configuracao.lugares import DO_ALUNO, RAIZ, WINDOWS, do_aluno, programa_do_venv, python_do_venv

PASTA = "curso-atencao"  # a do aluno, na pasta pessoal dele, se CURSO_ALUNO não diz outra
PARADO = 3600  # segundos: um kernel, e depois o servidor, de quem foi embora não ocupam a memória da máquina


def servidor_de(instrutor: bool) -> tuple[list[str], dict[str, str], Path]:
    """(o comando, o ambiente e a pasta em que ele roda)."""
    pasta = RAIZ if instrutor else do_aluno()
    pagina = "/lab" if instrutor else "/lab/tree/notebooks/00-boas-vindas.ipynb"
    variaveis = servidor.variaveis(ferramentas.ambiente(), instrutor)
    variaveis["PATH"] = os.pathsep.join([str(programa_do_venv("x").parent), variaveis.get("PATH", "")])
    comando = [
        *(str(python_do_venv()), "-m", "jupyterhub.singleuser"),
        f"--ServerApp.root_dir={pasta}",
        f"--ServerApp.default_url={pagina}",
        f"--MappingKernelManager.cull_idle_timeout={PARADO}",
        f"--ServerApp.shutdown_no_activity_timeout={2 * PARADO}",
    ]
    return comando, variaveis, pasta


def main() -> None:
    instrutor = (RAIZ / "gabarito").is_dir()
    if instrutor:
        os.environ.pop(DO_ALUNO, None)
    else:
        os.environ[DO_ALUNO] = str(Path(os.environ.get(DO_ALUNO) or Path.home() / PASTA).expanduser())
        aluno.por_em_dia()  # se não deu, o registro do hub diz por quê, e a pasta abre como está
    comando, variaveis, pasta = servidor_de(instrutor)
    os.umask(0o077)  # o que se escreve daqui em diante é só da pessoa
    os.chdir(pasta)
    if WINDOWS:
        sys.exit("O JupyterHub não roda no Windows.")
    os.execve(comando[0], [*comando, *sys.argv[1:]], variaveis)


if __name__ == "__main__":
    main()
