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
                saida.data = {"text/html": imagem(caderno, obra, png, alt)}


def imagem(caderno: Caderno, obra: Obra, png: bytes, alt: str, mais: str = "") -> str:
    """A imagem em um arquivo, e a marca que a põe nesta página."""
    nome = f"{PASTA}/{hashlib.sha256(png).hexdigest()[:16]}.png"
    obra.arquivos[nome] = png
    largura, altura = struct.unpack(">II", png[16:24])
    classe, tamanho = f"figura {mais}".strip(), f'width="{largura}" height="{altura}"'
    onde = f"{caderno.raiz}{nome}"
    return f'<img class="{classe}" src="{onde}" alt="{html.escape(alt)}" {tamanho} loading="lazy">'
