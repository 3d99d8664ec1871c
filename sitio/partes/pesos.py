"""Os números grandes dos exploradores, cada um em um programa à parte, que a página só pede quando alguém o abre.

*Letra por letra* não guarda nada no notebook: aqui os pesos do curso vão em um arquivo por ponto do treino. Os mapas
das cabeças da aula 10, que o notebook guarda, saem de dentro da página.
"""

import ast
import base64
import hashlib
import html
import json
import re
import zlib
from typing import Any

from helpers.exploradores.arquivos import ExploradorComArquivos
from helpers.exploradores.letra import letra_por_letra
from sitio.obra import Caderno, Obra, em_script
from sitio.partes.exploradores import colocar, programa

PASTA = "pesos"  # em _static/
GRANDE = 30_000  # letras de base64; o que é menor viaja com a página
DADOS = re.compile(r'(<script type="application/json" data-do-explorador="[^>]*>)(.*?)(</script>)', re.DOTALL)


def caderno(caderno: Caderno, obra: Obra) -> None:
    for celula in caderno.nb.cells:
        if celula.cell_type != "code":
            continue
        texto = _texto_da_letra(celula.source)
        for saida in celula.outputs:
            if saida.get("data") and texto is not None:
                saida.data = {"text/html": _letra(caderno, obra, saida.data, texto)}
            elif "data-do-explorador" in saida.get("data", {}).get("text/html", ""):
                saida.data["text/html"] = DADOS.sub(
                    lambda m: _sem_os_grandes(m, caderno, obra), saida.data["text/html"]
                )


def _texto_da_letra(fonte: str) -> str | None:
    """O texto com que *Letra por letra* abre nesta célula (vazio: o de sempre); None se ela não o abre."""
    if "letra_por_letra(" not in fonte:
        return None
    ultima = ast.parse(fonte).body[-1]
    chamada = ultima.value if isinstance(ultima, ast.Expr) else None
    if not (
        isinstance(chamada, ast.Call) and isinstance(chamada.func, ast.Name) and chamada.func.id == "letra_por_letra"
    ):
        return None
    textos = [a.value for a in chamada.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return textos[0] if textos else ""


def _letra(caderno: Caderno, obra: Obra, dados: dict[str, Any], texto: str) -> str:
    """O explorador, com a imagem que o notebook guardou até ele abrir. O modelo de uma aula treinada é o do curso."""
    aberto = letra_por_letra(texto=texto or None)
    assert isinstance(aberto, ExploradorComArquivos)
    valores: dict[str, Any] = {"dados": aberto.dados}
    for nome, bruto in aberto.arquivos.items():
        valores[nome] = {
            "script": a_parte(caderno, obra, nome, base64.b64encode(zlib.compress(bruto, 9)).decode("ascii"))
        }
    resumo = hashlib.sha256(f"letra {texto}".encode()).hexdigest()[:16]
    parada = dados.get("text/html") or f"<p>{html.escape(aberto.alt)}</p>"
    caderno.usar(programa("letra"))
    return f'<div data-explorador="{resumo}">{parada}</div>{colocar(resumo, "letra", em_script(valores))}'


def _sem_os_grandes(achado: re.Match[str], caderno: Caderno, obra: Obra) -> str:
    abre, texto, fecha = achado.groups()
    valores = json.loads(texto)
    for nome, valor in valores.items():
        if isinstance(valor, dict) and len(valor.get("deflate", "")) > GRANDE:
            resumo = hashlib.sha256(valor["deflate"].encode()).hexdigest()[:12]
            valores[nome] = {"script": a_parte(caderno, obra, f"{nome}-{resumo}", valor["deflate"])}
    return f"{abre}{em_script(valores)}{fecha}"


def a_parte(caderno: Caderno, obra: Obra, nome: str, base64_do_deflate: str) -> str:
    """Põe os números no site e diz, a partir desta página, onde estão."""
    if "sob-pedido.js" not in caderno.ativos:
        caderno.ativos.insert(0, "sob-pedido.js")  # antes dos exploradores, que o usam ao abrir
    onde = f"_static/{PASTA}/{nome}.js"
    if onde not in obra.arquivos:
        obra.arquivos[onde] = f"globalThis.chegouOArquivo({em_script(nome)}, {em_script(base64_do_deflate)});\n"
    return f"{caderno.raiz}{onde}"
