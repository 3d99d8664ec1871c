"""Um explorador fora do Jupyter: o pedaço de HTML que vai na saída da célula, e a página inteira, em um arquivo só.

Nenhum dos dois pede nada à rede. Onde o programa não roda (um notebook em que o JupyterLab ainda não confia), fica a
imagem, que está dentro do pedaço.
"""

import base64
import hashlib
import html
import json
import zlib
from collections.abc import Mapping
from typing import Any

from helpers.exploradores.montar import FIM, neutras

PAGINA = """<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data:">
<title>{titulo}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ margin: 0 auto; max-width: 70rem; padding: clamp(.5rem, 2vw, 2rem); font-family: system-ui, sans-serif;
  background: {claro[fundo]}; color: {claro[texto]} }}
h1 {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }}
@media (prefers-color-scheme: dark) {{ body {{ background: #0f1115; color: {escuro[texto]} }} }}
</style>
</head>
<body>
<main>
<h1>{titulo}</h1>
{corpo}
</main>
</body>
</html>
"""


def em_json(valores: Mapping[str, Any]) -> str:
    """Os valores do modelo, com os bytes comprimidos e em base64; nenhum texto deles fecha o <script>."""
    prontos = {
        nome: {"deflate": base64.b64encode(zlib.compress(v, 9)).decode("ascii")} if isinstance(v, bytes) else v
        for nome, v in valores.items()
    }
    return json.dumps(prontos, ensure_ascii=False, sort_keys=True, allow_nan=False).replace("<", "\\u003c")


def fragmento(programa: str, valores: Mapping[str, Any], alt: str, png: str | None = None) -> str:
    """O HTML de um explorador, com o módulo e os dados dentro. Os mesmos dados dão o mesmo texto, byte a byte."""
    if not programa.endswith(FIM):
        raise ValueError(f"um módulo termina em {FIM.strip()!r}")
    dados = em_json(valores)
    resumo = hashlib.sha256((programa + dados).encode()).hexdigest()[:16]
    imagem = (
        f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{png}">' if png else f"<p>{html.escape(alt)}</p>"
    )
    corpo = programa.removesuffix(FIM).replace("</script", "<\\/script")
    return (
        f'<div data-explorador="{resumo}" style="max-width:100%">{imagem}</div>\n'
        f'<script>(() => {{\n{corpo}\nabrirNaPagina(render, "{resumo}", {dados});\n}})();</script>'
    )


def pagina(titulo: str, corpo: str) -> str:
    """A página inteira; a política dela proíbe ao navegador qualquer pedido à rede."""
    return PAGINA.format(titulo=html.escape(titulo), corpo=corpo, claro=neutras("claro"), escuro=neutras("escuro"))
