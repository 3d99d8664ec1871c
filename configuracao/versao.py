"""`python curso.py versao`: que curso é este.

O número está escrito em um lugar só, o pyproject.toml, que vai também para o aluno; daqui o leem o manifesto do pacote,
a página de boas-vindas e o pé das páginas da correção. Só a biblioteca padrão: roda antes da instalação.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from configuracao import comandos
from configuracao.lugares import RAIZ
from configuracao.terminal import rodar

_ESCRITA = re.compile(r"\d{1,6}\.\d{1,6}\.\d{1,6}", flags=re.ASCII)


def versao(raiz: Path = RAIZ) -> str | None:
    """“1.0.0”; None se o pyproject.toml falta, não se lê ou não diz um número assim."""
    try:
        escrita = tomllib.loads((raiz / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return escrita if bem_escrita(escrita) else None


def bem_escrita(numero: object) -> bool:
    return isinstance(numero, str) and _ESCRITA.fullmatch(numero) is not None


def em_ordem(numero: str) -> tuple[int, ...]:
    """Para comparar duas: a 1.10.0 vem depois da 1.9.0."""
    return tuple(map(int, numero.split(".")))


def _ate_onde(raiz: Path) -> str:
    numeros = sorted(p.name[:2] for p in (raiz / "notebooks").glob("[0-9][0-9]*.ipynb"))
    return f"até a aula {numeros[-1]}" if numeros else "sem nenhuma aula na pasta notebooks"


def _commit(raiz: Path) -> str:
    """O commit do git, se há um; e se a pasta tem mudanças que não estão nele."""
    if not (raiz / ".git").exists():  # o de uma pasta de fora não é o do curso
        return ""
    try:
        comando = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
        dito = subprocess.run(comando, cwd=raiz, capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
    com_mudancas = ", com mudanças que não estão nele" if dito.endswith("+") else ""
    return f"Commit {dito.rstrip('+')}{com_mudancas}." if dito else ""


def descricao(raiz: Path, numero: str) -> str:
    de_quem = "O curso do instrutor" if (raiz / "gabarito").is_dir() else "O pacote do aluno"
    linhas = [f"Atenção e Transformers, versão {numero}.", f"{de_quem}, {_ate_onde(raiz)}.", _commit(raiz)]
    return "\n".join(filter(None, linhas))


def main(argumentos: list[str] | None = None) -> int:
    comandos.ler("versao", argumentos)
    if (numero := versao(RAIZ)) is None:
        print("Não dá para saber a versão: o pyproject.toml desta pasta falta ou está estragado.", file=sys.stderr)
        return 1
    print(descricao(RAIZ, numero))
    return 0


if __name__ == "__main__":
    rodar(main)
