"""O que a correção escreve só o dono lê: onde há outras contas, há nele respostas, notas e nomes."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from helpers import RAIZ

PASTAS = (
    *("source", "submitted", "autograded", "feedback", "relatorios", "evidencias"),
    *("anteriores", "recusados", "copias", "downloaded"),
)
ARQUIVOS = ("gradebook.db", "moodle.json", "prorrogacoes.json", "reentregas.json", "anuladas.json", "correcao.log")
DO_GABARITO = ("gabarito",)


def fechar(caminho: Path) -> None:
    """Tira dos outros o que é nosso; do grupo também, menos em uma pasta que se fez para ele (setgid)."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        visto = caminho.lstat()
        do_grupo = (visto.st_mode | caminho.parent.stat().st_mode) & stat.S_ISGID
        modo = stat.S_IMODE(visto.st_mode) & ~(0o007 if do_grupo else 0o077)
        if not caminho.is_symlink() and visto.st_uid == os.geteuid() and modo != stat.S_IMODE(visto.st_mode):
            caminho.chmod(modo)


def pasta_fechada(pasta: Path) -> Path:
    """A pasta, feita se não há, e fechada antes que se escreva nela."""
    pasta.mkdir(parents=True, exist_ok=True)
    fechar(pasta)
    return pasta


@contextlib.contextmanager
def turma_fechada(raiz: Path) -> Iterator[None]:
    """Fecha o que já havia na pasta da turma e, no fim, também o que se escreveu nela no meio."""
    for nome in (*PASTAS, *ARQUIVOS):
        fechar(raiz / nome)
    try:
        yield
    finally:
        for nome in (*PASTAS, *ARQUIVOS):
            fechar(raiz / nome)


def abertas(raiz: Path) -> list[str]:
    """O que, na pasta da turma, outras contas deste computador podem ler."""
    nomes = [*PASTAS, *ARQUIVOS, *(DO_GABARITO if raiz.resolve() == RAIZ.resolve() else ())]
    if os.name == "nt" or not _se_chega(raiz.resolve()):
        return []
    return [nome for nome in nomes if _modo(raiz / nome) & (0o001 if (raiz / nome).is_dir() else 0o004)]


def aviso(raiz: Path) -> str | None:
    """O que se diz a quem corrige, se há algo aberto."""
    if not (quais := abertas(raiz)):
        return None
    return (
        f"Outras contas deste computador podem ler {', '.join(quais)}, em {raiz}. Se você não o quer, rode ali: "
        f"`chmod go-rwx {' '.join(quais)}`"
    )


def _se_chega(pasta: Path) -> bool:
    """Todas as pastas até lá deixam passar os outros?"""
    return all(_modo(p) & 0o001 for p in (pasta, *pasta.parents))


def _modo(caminho: Path) -> int:
    try:
        return stat.S_IMODE(caminho.stat().st_mode)
    except OSError:
        return 0
