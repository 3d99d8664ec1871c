"""O programa que CONTRIBUTING.md dá para acrescentar uma questão serve na lista como ela está hoje."""

import re
import shutil
import subprocess
import sys

import nbformat
from conftest import RAIZ

from gabarito.pontos import conferidas, desacordos


def test_a_receita_de_uma_questao_deixa_a_lista_de_acordo_consigo(tmp_path):
    texto = (RAIZ / "CONTRIBUTING.md").read_text("utf-8")
    programa = re.search(r"```python\n(.*?)```", texto, flags=re.DOTALL)[1]
    lista = re.search(r'CAMINHO = "(.*)"', programa)[1]
    (tmp_path / lista).parent.mkdir(parents=True)
    shutil.copy(RAIZ / lista, tmp_path / lista)
    subprocess.run([sys.executable, "-c", programa], cwd=tmp_path, check=True)
    nb = nbformat.read(tmp_path / lista, as_version=4)
    assert desacordos(nb) == [] and conferidas(nb)[-1] == "lista-02/dobro"
    assert 'questao(\n    "lista-02/dobro"' in (RAIZ / "guias" / "escrever-questoes.md").read_text("utf-8")
