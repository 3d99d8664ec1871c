"""Gravar um arquivo de uma vez: quem o lê ao mesmo tempo, ou depois de uma queda, vê o antigo ou o novo, inteiros."""

import contextlib
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path


@contextlib.contextmanager
def de_uma_vez(destino: Path) -> Iterator[Path]:
    """Um caminho provisório, na mesma pasta, que no fim toma o lugar de `destino`; se algo falhar, some."""
    provisorio = destino.with_name(f".{uuid.uuid4().hex}")
    try:
        yield provisorio
        provisorio.replace(destino)
    except OSError as erro:
        if erro.filename in (None, str(provisorio)):  # um disco cheio não diz de que arquivo
            erro.filename = str(destino)  # é o nome que a pessoa conhece
            erro.filename2 = None
        raise
    finally:
        with contextlib.suppress(OSError):  # se nem apagar se pode, o que interessa é o erro de cima
            provisorio.unlink()


def gravar(destino: Path, conteudo: str | bytes) -> None:
    """Põe `conteudo` (texto, em UTF-8) em `destino`."""
    with de_uma_vez(destino) as provisorio:
        provisorio.write_bytes(conteudo.encode("utf-8") if isinstance(conteudo, str) else conteudo)


def pasta_pronta(destino: Path, encher: Callable[[Path], None]) -> Path:
    """`destino`, feita por `encher` e à vista de todos, se ainda não existe; pela metade ninguém a vê."""
    if not destino.is_dir():
        destino.parent.mkdir(parents=True, exist_ok=True)
        provisoria = Path(tempfile.mkdtemp(dir=destino.parent))
        encher(provisoria)
        provisoria.chmod(0o755)  # quem lê é o usuário da caixa
        try:
            provisoria.rename(destino)
        except OSError:  # outro processo a fez primeiro
            shutil.rmtree(provisoria)
    return destino
