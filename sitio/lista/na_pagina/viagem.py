"""As impressões digitais de uma lista pesam mais que tudo o que viaja: vão como bytes, e aqui voltam a ser texto."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUFIXO = ".marcas"


def embalar(dados: Any) -> tuple[Any, bytes]:
    """Os dados com, no lugar das marcas, quantas são; e os bytes de todas elas, na ordem."""
    todas: list[bytes] = []
    for com_marcas in _com_marcas(dados):
        marcas = com_marcas["marcas"].split()
        todas.append(bytes.fromhex("".join(marcas)))
        com_marcas["marcas"] = len(marcas)
    return dados, b"".join(todas)


def desembalar(arquivo: Path) -> None:
    """O arquivo de referências, como o motor da conferência o lê."""
    marcas = arquivo.with_suffix(SUFIXO)
    dados, texto, lidas = json.loads(arquivo.read_text("utf-8")), marcas.read_bytes().hex(), 0
    for com_marcas in _com_marcas(dados):
        fim = lidas + 8 * com_marcas["marcas"]
        com_marcas["marcas"] = " ".join(texto[i : i + 8] for i in range(lidas, fim, 8))
        lidas = fim
    arquivo.write_text(json.dumps(dados), encoding="utf-8")
    marcas.unlink()


def _com_marcas(dado: Any) -> Iterator[dict[str, Any]]:
    if isinstance(dado, dict):
        if "marcas" in dado:
            yield dado
        for valor in dado.values():
            yield from _com_marcas(valor)
    elif isinstance(dado, list):
        for valor in dado:
            yield from _com_marcas(valor)
