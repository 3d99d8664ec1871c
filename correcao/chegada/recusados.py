"""O que um aluno mandou e não entrou na correção: fica guardado, e o porquê vai até a página dele."""

import itertools
from pathlib import Path, PurePosixPath
from typing import Any

RECUSADOS = "recusados"  # recusados/ALUNO/LISTA/arquivo
SEM_DONO = "sem-dono"
MAIOR = 10 * 2**20  # bytes de um arquivo que se guardam; o que é maior fica só no zip
MAIOR_DO_ALUNO = 30 * 2**20
MAIOR_TOTAL = 200 * 2**20
MAIS_NA_PAGINA = 20


class Espaco:
    """Quanto ainda cabe do que se recusa: sem notebook, uma pasta de vídeos não enche o disco de quem corrige."""

    def __init__(self) -> None:
        self._de: dict[str, int] = {}

    def cabe(self, aluno: str, tamanho: int) -> bool:
        do_aluno = self._de.get(aluno, 0) + tamanho
        if tamanho > MAIOR or do_aluno > MAIOR_DO_ALUNO or sum(self._de.values()) + tamanho > MAIOR_TOTAL:
            return False
        self._de[aluno] = do_aluno
        return True


def guardar(pasta: Path, nome: str, conteudo: bytes) -> Path:
    """Põe o arquivo na pasta, sem tomar o lugar de outro; o que já está lá não se repete."""
    pasta.mkdir(parents=True, exist_ok=True)
    partes = PurePosixPath(nome)
    for n in itertools.count(1):
        destino = pasta / (nome if n == 1 else f"{partes.stem}-{n}{partes.suffix}")
        if not destino.exists():
            destino.write_bytes(conteudo)
            return destino
        if destino.is_file() and destino.read_bytes() == conteudo:
            return destino
    raise AssertionError("não se chega aqui")


def de_dados(dado: Any) -> list[tuple[str, str]]:
    """Os que a coleta anotou de um aluno: (arquivo, por quê)."""
    pares = dado if isinstance(dado, list) else []
    return [(str(p[0]), str(p[1])) for p in pares if isinstance(p, list) and len(p) == 2][:MAIS_NA_PAGINA]
