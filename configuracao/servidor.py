"""O ambiente dos comandos e do JupyterLab: o Jupyter do curso não depende do que há na pasta pessoal.

Os perfis são pastas de configuração do Jupyter; o que um diz vale sobre o que dizem os seguintes.
"""

import os
from collections.abc import Mapping

from configuracao.lugares import RAIZ, do_aluno

TROCA = "CURSO_TROCA"  # variável de ambiente: a pasta de troca do nbgrader, onde há uma (configuracao/hub)


def variaveis(ambiente: Mapping[str, str], instrutor: bool = False) -> dict[str, str]:
    """As de `ambiente`, com as do curso."""
    prontas = {n: v for n, v in ambiente.items() if n not in ("JUPYTER_PATH", "JUPYTER_NO_CONFIG", "MPLBACKEND")}
    perfis = ["instrutor"] * instrutor + ["hub"] * bool(ambiente.get(TROCA)) + ["jupyter"]
    casa = do_aluno() / ".jupyter"
    (casa / "ipython").mkdir(parents=True, exist_ok=True)  # sem a pasta, o IPython avisa a cada kernel
    return prontas | {
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_CONFIG_PATH": os.pathsep.join(str(RAIZ / "configuracao" / perfil) for perfil in perfis),
        "JUPYTER_CONFIG_DIR": str(casa),
        "JUPYTER_DATA_DIR": str(casa / "dados"),
        "IPYTHONDIR": str(casa / "ipython"),
    }
