"""Que funções do curso (helpers/substitutos) a caixa de uma lista enxerga: as que a lista usa, e nenhuma outra.

Um substituto pode ser a resposta de uma questão. Por isso, na caixa, a pasta deles dá lugar a uma cópia que só tem os
arquivos das listas de que esta importa algo, e que são sempre anteriores.
"""

import hashlib
import re
import shutil
import tempfile
from pathlib import Path

from helpers import RAIZ
from helpers.indice import catalogo, listas

PASTA = RAIZ / "helpers" / "substitutos"


def a_vista(pedido: str | None) -> dict[str, str]:
    """Lugar na caixa → lugar no computador, para a lista das questões do pedido."""
    achada = re.search(r'"(lista-\d\d)/', pedido or "")
    return {str(PASTA): str(_copia(tuple(usadas(achada.group(1)) if achada else [])))}


def usadas(lista: str) -> list[str]:
    """As listas anteriores de que esta importa alguma função, por `helpers.minhas`."""
    nomes, esta = catalogo(), listas().get(lista)
    outras = {nomes[n].partition("/")[0] for n in (esta.importa if esta else []) if n in nomes}
    return sorted(outra for outra in outras if outra < lista)


def _copia(listas: tuple[str, ...]) -> Path:
    """Uma pasta só com os arquivos destas listas; feita uma vez, e de novo se eles mudam."""
    arquivos = [PASTA / "__init__.py", *(PASTA / f"{lista.replace('-', '_')}.py" for lista in listas)]
    textos = {p.name: p.read_bytes() for p in arquivos if p.is_file()}
    nome = hashlib.sha256(repr(sorted(textos.items())).encode()).hexdigest()[:16]
    destino = RAIZ / ".jupyter" / "substitutos" / nome
    if not destino.is_dir():
        destino.parent.mkdir(parents=True, exist_ok=True)
        provisoria = Path(tempfile.mkdtemp(dir=destino.parent))
        for arquivo, texto in textos.items():
            (provisoria / arquivo).write_bytes(texto)
            (provisoria / arquivo).chmod(0o644)
        provisoria.chmod(0o755)  # quem lê é o usuário da caixa
        try:
            provisoria.rename(destino)
        except OSError:  # outro processo a fez primeiro
            shutil.rmtree(provisoria)
    return destino
