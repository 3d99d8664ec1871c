"""Que funções do curso (helpers/substitutos) a caixa de uma lista enxerga: as que a lista usa, e nenhuma outra.

Um substituto pode ser a resposta de uma questão. Por isso, na caixa, a pasta deles dá lugar a uma cópia que só tem os
arquivos das listas de que esta importa algo, e que são sempre anteriores.
"""

import hashlib
import re
from pathlib import Path

from helpers import RAIZ
from helpers.gravacao import pasta_pronta
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

    def encher(pasta: Path) -> None:
        for arquivo, texto in textos.items():
            (pasta / arquivo).write_bytes(texto)
            (pasta / arquivo).chmod(0o644)

    return pasta_pronta(RAIZ / ".jupyter" / "substitutos" / nome, encher)
