"""O que os testes da caixa têm em comum: rodar um comando ou um notebook nela, também como um usuário comum."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ
from nbformat.v4 import new_code_cell, new_notebook

from correcao.caixa import a_vista, caixa, camadas
from correcao.caixa.caixa import Caixa, Limites
from correcao.comum.anotacao import Anotacao
from correcao.juizo.executar import Executar

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
# Enche tudo em que se pode escrever, também com arquivos abertos e sem nome; mostra os bytes, e onde se podia.
ENCHER = """
import os
onde, bytes_, abertos = [], 0, []
for pasta, _, _ in os.walk('/'):
    if pasta.startswith(('/proc/', '/dev/pts')) or not os.access(pasta, os.W_OK):
        continue
    try:
        for i in range(30):
            abertos.append(os.open(f'{pasta}/enchimento-{i}', os.O_CREAT | os.O_WRONLY))
            os.unlink(f'{pasta}/enchimento-{i}')
            while True:
                bytes_ += os.write(abertos[-1], bytes(1_000_000))
    except OSError:
        onde.append(os.stat(pasta).st_dev)
print(len(set(onde)), bytes_)
"""
_COMO_COMUM = r"""
# Deixa o Python e o curso ao alcance de um usuário comum, mesmo que morem em uma pasta fechada (como /root), e
# passa a ser esse usuário. Só neste espaço de montagens: o computador não muda.
set -e
guardado=$1; casa=$2; shift 2
mkdir -p "$guardado"; mount -t tmpfs x "$guardado"; i=0
for p in $PASTAS; do i=$((i+1)); mkdir "$guardado/$i"; mount --rbind "$p" "$guardado/$i"; done
for f in $FECHADAS; do mount -t tmpfs -o mode=755 x "$f"; done
i=0
for p in $PASTAS; do i=$((i+1)); mkdir -p "$p"; mount --rbind "$guardado/$i" "$p"; done
exec setpriv --reuid 54321 --regid 54321 --clear-groups env HOME="$casa" "$@"
"""


def na_caixa(*cmd: str, limites: Limites | None = None) -> list[str]:
    """O comando que roda `cmd` em uma caixa nova."""
    return Caixa(limites=limites or Limites(), usuario=caixa.novo_usuario()).comando(cmd)


def executar(*celulas: str, curso: Anotacao | None = None, **limites) -> tuple[list, Anotacao]:
    """As saídas de cada célula e o que a execução contou."""
    nb = new_notebook(cells=[new_code_cell(c) for c in celulas])
    recursos = {"curso": curso or Anotacao()}
    nb, recursos = Executar(limites=Limites(**limites)).preprocess(nb, recursos)
    nbformat.validate(nb)
    json.dumps(nb).encode("utf-8")
    return [c.outputs for c in nb.cells], recursos["curso"]


def textos(saidas: list) -> str:
    return "".join(s.get("text", "") or s.get("evalue", "") or str(s.get("data", "")) for s in saidas)


def como_comum(casa: Path, programa: str, **ambiente: str) -> str:
    """O que `programa` escreve, rodado por um usuário comum, cuja pasta pessoal e de temporários é `casa`."""
    a_vista.a_vista(None)  # as cópias que a caixa usa, em uma pasta em que só quem instalou o curso escreve
    camadas.vistas()
    pastas = [sys.base_prefix, str(RAIZ)]
    fechadas = {str(a) for p in pastas for a in Path(p).parents if not a.stat().st_mode & 0o001}
    fechadas = [f for f in sorted(fechadas) if not any(f.startswith(outra + "/") for outra in fechadas)]
    casa.mkdir(exist_ok=True)
    casa.chmod(0o777)
    try:
        feito = subprocess.run(
            ["unshare", "-m", "sh", "-c", _COMO_COMUM, "sh", f"{casa}/guardado", casa, sys.executable, "-c", programa],
            env={"PATH": os.environ["PATH"], "PASTAS": " ".join(pastas), "FECHADAS": " ".join(fechadas)}
            | {"PYTHONPATH": str(RAIZ), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(casa)}
            | ambiente,
            capture_output=True,
            text=True,
            cwd=RAIZ,
        )
        if "unshare: unshare failed" in feito.stderr:
            pytest.skip("este sistema não deixa montar um espaço à parte")
        assert feito.returncode == 0, feito.stderr
        assert [p.name for p in casa.glob("curso-*")] == []
    finally:
        shutil.rmtree(casa, ignore_errors=True)
    return feito.stdout
