"""O que uma página pode fazer: a política que o navegador cumpre, escrita em cada uma. Nada vem de outro lugar."""

from collections.abc import Mapping

# `file:` porque, de um arquivo aberto com dois cliques, 'self' não alcança os que estão ao lado em todo navegador.
BASE = {
    "default-src": "'none'",
    "script-src": "'self' file: 'unsafe-inline'",
    "style-src": "'self' file: 'unsafe-inline'",
    "img-src": "'self' file: data:",
    "font-src": "'self' file:",
    "form-action": "'self' file:",
    "base-uri": "'none'",
}


def politica(somar: Mapping[str, str] | None = None) -> str:
    """A política, com as fontes que uma página soma às de todas."""
    regras = dict(BASE)
    for nome, fontes in (somar or {}).items():
        antes = regras.get(nome, "")
        regras[nome] = fontes if antes in ("", "'none'") else f"{antes} {fontes}"
    return "; ".join(f"{nome} {fontes}" for nome, fontes in regras.items())
