"""A página que diz de quem é cada programa que o site leva: nome, versão e licença, lidos do que foi instalado."""

import json
from typing import Any

from configuracao.lugares import RAIZ
from sitio import npm

ENDERECO, TITULO = "licencas", "De quem é o que há aqui"
_ABERTURA = """# De quem é o que há aqui

O curso tem duas licenças: o código é MIT, e os textos e as figuras são Creative Commons Atribuição 4.0 (CC BY 4.0).
Use, mude e passe adiante, dizendo de onde veio. O site leva também programas de outras pessoas, e cada um tem a licença
dos seus autores.

| programa | versão | licença | para quê |
| --- | --- | --- | --- |
"""
_PARA_QUE = {
    "pyodide": "o Python que confere as listas na página",
    "temml": "as fórmulas",
    "minisearch": "a busca",
    "markdown-it": "como fica uma discussão",
    "@fontsource/stix-two-math": "a letra das fórmulas",
    "esbuild": "junta os programas do site; não vai nele",
}
_DO_EDITOR = "o editor das listas"
_DO_PYTHON = (
    ("Python", "python", "PSF-2.0", "a linguagem, dentro do Pyodide"),
    ("NumPy", "numpy", "BSD-3-Clause", "as contas das listas"),
)
_SEM_PYTHON = "\nEste site foi feito sem o Python da página: as listas dele são para ler e baixar.\n"
_FIM = """
O Pyodide é livre sob a MPL 2.0, e o código dele está em <https://github.com/pyodide/pyodide>. {numpy}
"""
_OFICIAL = "O NumPy é o da distribuição do Pyodide, sem mudanças."
_COMPILADO = "O NumPy foi compilado à parte, para este Pyodide, do código que os autores publicam."


def texto(manifesto: dict[str, Any] | None) -> str:
    """A página, em Markdown. O manifesto é o de `recursos.preparar`; sem ele, o site não leva o Python."""
    pedidos = json.loads((RAIZ / "sitio" / "package.json").read_text("utf-8"))["dependencies"]
    linhas = [_do_npm(nome) for nome in sorted(pedidos) if manifesto or nome != "pyodide"]
    if manifesto is None:
        return _ABERTURA + "\n".join(linhas) + "\n" + _SEM_PYTHON
    linhas += [f"| {nome} | {manifesto['versoes'][qual]} | {lic} | {que} |" for nome, qual, lic, que in _DO_PYTHON]
    return _ABERTURA + "\n".join(linhas) + "\n" + _FIM.format(numpy=_OFICIAL if manifesto["oficial"] else _COMPILADO)


def _do_npm(nome: str) -> str:
    pacote = json.loads(npm.arquivo(f"{nome}/package.json").read_text("utf-8"))
    que = _DO_EDITOR if nome.startswith("@codemirror/") else _PARA_QUE.get(nome, "")
    return f"| {nome} | {pacote['version']} | {pacote.get('license', '')} | {que} |"
