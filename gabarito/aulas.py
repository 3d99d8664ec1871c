"""`python -m gabarito.aulas [00 01 …]`: executa as aulas, e o que há além delas, e as guarda com as saídas.

`02` é a aula 02 e os notebooks dela em `notebooks/alem`; `alem/02-nome`, só esse.

Para quem escreve: mude o notebook, rode isto, olhe as figuras. Os controles dos exploradores não são guardados (sem
kernel eles só mostrariam um aviso); a imagem parada de cada um fica. Dos de `explorar` ficam também os quadros, para o
site, em `sitio/quadros/`.
"""

import sys
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from tqdm import tqdm

from configuracao import comandos
from configuracao.saidas import sem_controles
from configuracao.terminal import rodar
from gabarito.no_nbgrader import aulas_do_curso
from helpers import RAIZ

METADADOS = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


def limpar(nb: Any) -> Any:
    """Tira do notebook executado o que é desta execução, e não da aula."""
    nb.metadata = nbformat.from_dict(METADADOS)
    for celula in nb.cells:
        celula.metadata.pop("execution", None)
        _juntar_impressos(celula)
    sem_controles(nb)
    return nb


def _juntar_impressos(celula: Any) -> None:
    """O que uma célula imprime em seguida fica em uma saída só: em quantas chegou depende da pressa da máquina."""
    juntas: list[Any] = []
    for saida in celula.get("outputs", []):
        if juntas and saida.output_type == "stream" == juntas[-1].output_type and saida.name == juntas[-1].name:
            juntas[-1].text += saida.text
        else:
            juntas.append(saida)
    if celula.cell_type == "code":
        celula.outputs = juntas


def executar(caminho: Path) -> float:
    """Executa a aula de cima a baixo em um kernel limpo e a grava; devolve os segundos que levou."""
    nb = nbformat.read(caminho, as_version=4)
    inicio = time.perf_counter()
    NotebookClient(
        nb,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": caminho.parent}},
        extra_arguments=[
            "--IPKernelApp.log_level=40",  # sem o aviso, em inglês, de que o kernel usa TCP local
            f"--IPKernelApp.exec_lines={_guardar_os_quadros(caminho)}",
        ],
    ).execute()
    segundos = time.perf_counter() - inicio
    nbformat.write(limpar(nb), caminho)
    return segundos


def _guardar_os_quadros(caminho: Path) -> str:
    """O que o kernel roda antes da aula: o site mexe nos controles de `explorar` sem ele (gabarito/quadros.py)."""
    nome = caminho.relative_to(RAIZ / "notebooks").with_suffix("").as_posix() if caminho.is_relative_to(RAIZ) else ""
    return f"from gabarito.quadros import instalar; instalar({nome!r}); del instalar" if nome else ""


def main(argumentos: list[str] | None = None) -> int:
    pedidas = comandos.ler("aulas", argumentos).aula
    nomes = {p: p.relative_to(RAIZ / "notebooks").with_suffix("").as_posix() for p in aulas_do_curso()}
    estranhas = set(pedidas) - {p.name[:2] for p in nomes} - set(nomes.values())
    if estranhas:
        print(f"Não existe a aula “{min(estranhas)}”; diga como em 02 ou em alem/02-nome.", file=sys.stderr)
        return 2
    caminhos = [p for p in nomes if not pedidas or {p.name[:2], nomes[p]} & set(pedidas)]
    tempos: dict[str, float] = {}
    for caminho in tqdm(caminhos, desc="aulas", file=sys.stdout):
        try:
            tempos[nomes[caminho]] = executar(caminho)
        except CellExecutionError as erro:
            print(f"A aula {nomes[caminho]} parou em uma célula, e não foi gravada.", file=sys.stderr)
            print(f"{erro.ename}: {erro.evalue}", file=sys.stderr)
            return 1
    for nome, segundos in tempos.items():
        print(f"{nome}: {segundos:.0f} s")
    return 0


if __name__ == "__main__":
    rodar(main)
