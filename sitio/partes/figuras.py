"""As figuras em arquivos, com o texto alternativo e o tamanho: a página não salta enquanto elas chegam."""

import base64
import hashlib
import html
import struct

from sitio.obra import Caderno, Obra

PASTA = "_images"


def caderno(caderno: Caderno, obra: Obra) -> None:
    for celula in caderno.nb.cells:
        for saida in celula.get("outputs", ()):
            dados = saida.get("data", {})
            if "image/png" in dados and "text/html" not in dados:
                png = base64.b64decode(dados["image/png"])
                alt = saida.get("metadata", {}).get("image/png", {}).get("alt", "")
                saida.data = {"text/html": _figura(caderno, obra, png, alt)}


def _figura(caderno: Caderno, obra: Obra, png: bytes, alt: str) -> str:
    nome = f"{PASTA}/{hashlib.sha256(png).hexdigest()[:16]}.png"
    obra.arquivos[nome] = png
    largura, altura = struct.unpack(">II", png[16:24])
    return (
        f'<img class="figura" src="{caderno.raiz}{nome}" alt="{html.escape(alt)}" width="{largura}" height="{altura}" '
        'loading="lazy">'
    )
