"""O axe-core em páginas guardadas, claras na mesa e escuras no celular, com tudo aberto; chamado por test_acesso.py.

Recebe o Chromium, a pasta das imagens (ou "") e as páginas; escreve em JSON o que cada uma quebra e o que pediu à rede.
"""

import json
import sys
from pathlib import Path

from navegador_exploradores import CELULAR, MESA, abrir, acesso, chromium, sobra_de_lado


def main(caminho, imagens, *paginas):
    visto = {}
    with chromium(caminho) as navegador:
        for endereco in paginas:
            nome = Path(endereco).stem
            visto[nome] = {"quebra": [], "fora": []}
            for tema, tela in (("light", MESA), ("dark", CELULAR)):
                pagina = abrir(navegador, Path(endereco).as_uri(), tela, tema)
                pagina.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
                visto[nome]["quebra"] += [f"{tema}: {quebra}" for quebra in acesso(pagina)]
                visto[nome]["fora"] += pagina.fora
                visto[nome]["sobra"] = sobra_de_lado(pagina)
                if imagens:
                    pagina.screenshot(path=f"{imagens}/{nome}-{tema}.png", full_page=True)
    print(json.dumps(visto, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
