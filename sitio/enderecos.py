"""Onde cada arquivo do curso fica no site, e as ligações de um para o outro."""

import html
import posixpath
import re
from pathlib import Path, PurePosixPath

from docutils.nodes import make_id

FIXOS = {
    "notebooks/glossario.md": "glossario",
    "notebooks/como-funciona-uma-lista.md": "como-funciona-uma-lista",
    "CHANGELOG.md": "novidades",
    "CONTRIBUTING.md": "contribuir",
    "SECURITY.md": "seguranca",
    "README.md": "index",
}
_LISTA = re.compile(r"release/(lista-\d\d[\w-]*)/\1\.ipynb")
_LIGACAO = re.compile(r"(?<!!)\[((?:[^\[\]`]|`[^`\n]*`)+)\]\(([^()\s]+)\)")
_IMAGEM = re.compile(r"!\[([^\]]*)\]\(([^()\s]+)\)")
_CODIGO = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def endereco(caminho: str) -> str | None:
    """O endereço no site deste arquivo do curso, sem o .html; None se ele não vai para o site."""
    if caminho in FIXOS:
        return FIXOS[caminho]
    if achado := _LISTA.fullmatch(caminho):
        return f"listas/{achado[1]}"
    puro = PurePosixPath(caminho)
    if puro.suffix == ".ipynb" and puro.parent.as_posix() == "notebooks":
        return f"aulas/{puro.stem}"
    if puro.suffix == ".ipynb" and puro.parent.as_posix() == "notebooks/alem":
        return f"alem/{puro.stem}"
    if puro.suffix == ".md" and puro.parent.as_posix() == "guias":
        return f"guias/{puro.stem}"
    return None


def relativo(de: str, para: str) -> str:
    """Da página `de` à página `para`: “../aulas/02-softmax.html”."""
    return posixpath.relpath(f"{para}.html", posixpath.dirname(de) or ".")


def religar(texto: str, origem: Path, de: str, ha: set[str]) -> str:
    """O Markdown com as ligações para outros arquivos do curso levando às páginas deles.

    A que leva a um arquivo que não está no site (de outra semana, ou do repositório) vira só o texto dela.
    """

    def trocar(achado: re.Match[str]) -> str:
        dentro, destino = achado[1], achado[2]
        if re.match(r"[a-z]+:|#", destino):
            return achado[0]
        caminho, _, pedaco = destino.partition("#")
        para = endereco(posixpath.normpath(posixpath.join(origem.parent.as_posix(), caminho)))
        if para is None or para not in ha:
            return dentro
        ancora = f"#{make_id(pedaco.removeprefix('cell-id='))}" if pedaco else ""
        return f'<a class="reference internal" href="{html.escape(relativo(de, para) + ancora)}">{dentro}</a>'

    partes = _CODIGO.split(texto)
    # uma ligação pode ter código dentro do texto dela: junta-se tudo de novo antes de trocar
    guardados: list[str] = []

    def guardar(pedaco: str) -> str:
        guardados.append(pedaco)
        return f"\ue000{len(guardados) - 1}\ue001"

    so_texto = "".join(guardar(p) if n % 2 else p for n, p in enumerate(partes))
    trocado = _LIGACAO.sub(trocar, so_texto)
    return re.sub("\ue000(\\d+)\ue001", lambda a: guardados[int(a[1])], trocado)


def religar_saida(texto: str, origem: Path, de: str, ha: set[str]) -> str:
    """O mesmo no HTML que uma célula escreveu, como o mapa da aula 00; a que não leva a nada deixa de ser ligação."""

    def trocar(achado: re.Match[str]) -> str:
        caminho, _, pedaco = html.unescape(achado[1]).partition("#")
        para = endereco(posixpath.normpath(posixpath.join(origem.parent.as_posix(), caminho)))
        if para is None or para not in ha:
            return ""
        e_aula = para.startswith("aulas/")  # nas listas, as células da página são outras
        ancora = f"#{make_id(pedaco.removeprefix('cell-id='))}" if pedaco and e_aula else ""
        return f' href="{html.escape(relativo(de, para) + ancora)}"'

    return re.sub(r'\s(?:xlink:)?href="([^":]+\.(?:ipynb|md)(?:#[^"]*)?)"', trocar, texto)


def imagens(texto: str, origem: Path, de: str) -> tuple[str, dict[str, Path]]:
    """O Markdown com as imagens dele tiradas de `_images/`, e de onde cada uma vem, na pasta do curso."""
    achadas: dict[str, Path] = {}

    def trocar(achado: re.Match[str]) -> str:
        if re.match(r"[a-z]+:", achado[2]):
            return achado[0]
        caminho = Path(posixpath.normpath(posixpath.join(origem.parent.as_posix(), achado[2])))
        achadas[f"_images/{caminho.name}"] = caminho
        onde = posixpath.relpath(f"_images/{caminho.name}", posixpath.dirname(de) or ".")
        return f'<img class="figura" alt="{html.escape(achado[1])}" src="{onde}" loading="lazy">'

    return _IMAGEM.sub(trocar, texto), achadas
