"""Uma página mínima com o motor de uma lista, sem a tela: nela os testes e as bancadas o usam em um navegador."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from configuracao.lugares import RAIZ
from sitio import npm
from sitio.lista import recursos
from sitio.lista.rastro import celulas
from sitio.politica import politica

PAGINA = """<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{csp}"><title>motor</title></head><body>
<script src="motor.js"></script><script>
const celulas = {celulas}, estados = [], progressos = [], textos = [];
const com = (id, texto) => ({{ celulas: celulas.map((c) => (c.id === id ? {{ ...c, texto }} : c)), outras: {{}} }});
const motor = curso.criarMotor({{
  lista: "{lista}", recursos: curso.recursosDaPagina({manifesto}, "recursos/"),
  aoMudar: (e) => estados.push(e), aoProgredir: (p) => progressos.push(p), aoEscrever: (t) => textos.push(t),
}});
window.pronta = true;
</script></body></html>"""
JUNTAR = """
const [modulo, entrada, saida] = process.argv.slice(1);
const comum = { bundle: true, minify: true, format: "iife", globalName: "curso" };
require(modulo).buildSync({ entryPoints: [entrada], outfile: saida, ...comum });
"""


def fazer(pasta: Path, feitos: Path, manifesto: dict[str, Any], lista: str = "lista-02") -> Path:
    """`pagina.html` em `pasta`, com o motor e um elo para os recursos `feitos`."""
    os.symlink(feitos, pasta / "recursos")
    motor = RAIZ / "sitio" / "lista" / "motor.js"
    subprocess.run(
        [npm.node(), "-e", JUNTAR, str(npm.arquivo("esbuild")), str(motor), str(pasta / "motor.js")], check=True
    )
    html = PAGINA.format(
        csp=politica(recursos.CSP), celulas=json.dumps(celulas(lista)), manifesto=json.dumps(manifesto), lista=lista
    )
    pagina = pasta / "pagina.html"
    pagina.write_text(html, encoding="utf-8")
    return pagina
