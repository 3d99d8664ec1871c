"""Este computador serve para o curso? Pergunta-se antes de baixar qualquer coisa."""

import importlib.util
import platform
import shutil
import sys

from configuracao.frases import Aviso
from configuracao.lugares import RAIZ

PYTHONS = ("3.11", "3.12", "3.13", "3.14")  # há pacotes prontos para estes
# GB livres que pedimos antes de instalar: onde o disco não liga arquivos, como em um pendrive, o uv os copia do cache
ESPACO_NOVO, ESPACO_DIFERENCA, ESPACO_TORCH_COMUM = 3.2, 0.5, 9.5


def exigir_sistema(
    sistema: str = sys.platform,
    maquina: str | None = None,
    macos: str | None = None,
    bits: int | None = None,
    versao: str | None = None,
) -> None:
    """Avisa quando o PyTorch não existe para este computador."""
    maquina = maquina or platform.machine()
    macos = (macos or platform.mac_ver()[0] or "0").split(".")[0]
    versao = versao or f"{sys.version_info[0]}.{sys.version_info[1]}"
    if versao not in PYTHONS:
        raise Aviso(
            f"O PyTorch do curso ainda não existe para o Python {versao}; instale também o Python "
            f"{PYTHONS[-1]} (python.org) e rode o curso com ele."
        )
    if (bits or (64 if sys.maxsize > 2**32 else 32)) < 64:
        raise Aviso(
            "Este Python é de 32 bits e o PyTorch só existe para 64; instale o Python de 64 bits "
            "(python.org) e rode de novo."
        )
    if sistema == "darwin" and maquina == "x86_64":
        raise Aviso(
            "O PyTorch do curso não existe para Mac com processador Intel; use outro computador (num "
            "Mac M1 ou mais novo, instale o Python para Apple Silicon)."
        )
    if sistema == "darwin" and int(macos) < 14:
        raise Aviso(
            f"O PyTorch do curso pede macOS 14 ou mais novo e este é o {macos}; atualize o sistema e rode de novo."
        )


def exigir_espaco(gigas: float, por_que: str = "") -> None:
    """Tudo é baixado e instalado na pasta do curso: é lá que precisa haver lugar."""
    livres = shutil.disk_usage(RAIZ).free / 1e9
    if livres < gigas:
        raise Aviso(
            f"Falta espaço em disco: a instalação precisa de {_com_virgula(gigas)} GB livres em {RAIZ} e há "
            f"{_com_virgula(livres)} GB{por_que}; "
            "libere espaço e rode de novo."
        )


def _com_virgula(x: float) -> str:
    """1,5 e não 1.5. A porta tem a sua: roda antes da instalação e não importa helpers.escrita, que é a dos outros."""
    return f"{x:.1f}".replace(".", ",")


def exigir_venv() -> None:
    faltam = [modulo for modulo in ("venv", "ensurepip") if importlib.util.find_spec(modulo) is None]
    if faltam:
        raise Aviso(
            f"Este Python não tem o módulo {' e '.join(faltam)}; no Debian e no Ubuntu rode "
            "`sudo apt install python3-venv`, nos outros reinstale o Python de python.org, e "
            "tente de novo."
        )
