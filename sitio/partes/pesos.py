"""Os números grandes que um notebook guarda, como os mapas das cabeças da aula 10: saem de dentro da página.

Vão em um programa à parte, que o explorador só pede quando aparece (sitio/ativos/sob-pedido.js).
"""

import hashlib
import json
import re

from sitio.obra import Caderno, Obra, em_script

PASTA = "pesos"  # em _static/
GRANDE = 30_000  # letras de base64; o que é menor viaja com a página
DADOS = re.compile(r'(<script type="application/json" data-do-explorador="[^>]*>)(.*?)(</script>)', re.DOTALL)


def caderno(caderno: Caderno, obra: Obra) -> None:
    for celula in caderno.nb.cells:
        for saida in celula.get("outputs", ()):
            if "data-do-explorador" in saida.get("data", {}).get("text/html", ""):
                texto = saida.data["text/html"]
                saida.data["text/html"] = DADOS.sub(lambda achado: _sem_os_grandes(achado, caderno, obra), texto)


def _sem_os_grandes(achado: re.Match[str], caderno: Caderno, obra: Obra) -> str:
    abre, texto, fecha = achado.groups()
    valores = json.loads(texto)
    for nome, valor in valores.items():
        if isinstance(valor, dict) and len(valor.get("deflate", "")) > GRANDE:
            valores[nome] = {"script": _a_parte(caderno, obra, nome, valor["deflate"])}
    return f"{abre}{em_script(valores)}{fecha}"


def _a_parte(caderno: Caderno, obra: Obra, que: str, deflate: str) -> str:
    """Põe os números no site e diz, a partir desta página, onde estão."""
    if "sob-pedido.js" not in caderno.ativos:
        caderno.ativos.insert(0, "sob-pedido.js")  # antes dos exploradores, que o usam ao abrir
    nome = f"{que}-{hashlib.sha256(deflate.encode()).hexdigest()[:12]}"
    onde = f"_static/{PASTA}/{nome}.js"
    obra.arquivos[onde] = f"globalThis.chegouOArquivo({em_script(nome)}, {em_script(deflate)});\n"
    return f"{caderno.raiz}{onde}"
