"""O que se está construindo: os cadernos, as páginas e os arquivos, que as partes do site vão mudando."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

Conteudo = bytes | str | Path


class NaoDeu(Exception):
    """O site não pode ser feito, e a frase diz por quê e o que fazer."""


def em_script(valor: Any) -> str:
    """O JSON de `valor`, que nenhum texto dele fecha o `<script>` em que está."""
    return json.dumps(valor, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def cru(html: str) -> str:
    """O HTML como um bloco do MyST, que o deixa tal e qual."""
    cerca = "`" * 9
    return f"{cerca}{{raw}} html\n{html}\n{cerca}\n"


def titulo(texto: str) -> str:
    """O primeiro título de um Markdown, sem as marcas."""
    achado = re.search(r"^# +(.+)$", texto, re.MULTILINE)
    return achado[1].replace("*", "").replace("`", "").strip() if achado else ""


@dataclass
class Caderno:
    origem: Path  # na pasta do curso, relativo a ela
    endereco: str  # no site, sem o .html
    nb: Any
    ativos: list[str] = field(default_factory=list)
    csp: dict[str, str] = field(default_factory=dict)  # o que soma à política da página
    minutos: int = 0

    @property
    def raiz(self) -> str:
        """Desta página até a pasta do site: “../”."""
        return "../" * self.endereco.count("/")

    def usar(self, *nomes: str) -> None:
        self.ativos += [nome for nome in nomes if nome not in self.ativos]

    def html(self, texto: str) -> Any:
        return nbformat.v4.new_markdown_cell(cru(texto))

    def dados(self, id: str, valor: Any) -> Any:
        return self.html(f'<script type="application/json" id="{id}">{em_script(valor)}</script>')


@dataclass
class Pagina:
    endereco: str
    titulo: str
    texto: str | None = None
    html: str | None = None
    ativos: tuple[str, ...] = ()
    csp: Mapping[str, str] = field(default_factory=dict)
    largo: bool = False
    busca: str = ""  # o que a busca acha nela, além do que o texto diz: para uma página que se desenha sozinha
    origem: Path | None = None  # o arquivo do curso de onde veio, relativo à pasta dele


@dataclass
class Obra:
    raiz: Path  # a pasta do curso
    pasta: Path  # onde se trabalha, em .sitio/
    ate: str | None = None
    versao: str = ""
    cadernos: dict[str, Caderno] = field(default_factory=dict)
    paginas: dict[str, Pagina] = field(default_factory=dict)
    arquivos: dict[str, Conteudo] = field(default_factory=dict)
    experimente: str = ""
    ativos_da_inicial: list[str] = field(default_factory=list)
    csp_da_inicial: dict[str, str] = field(default_factory=dict)

    @property
    def fonte(self) -> Path:
        return self.pasta / "fonte"

    @property
    def saida(self) -> Path:
        return self.pasta / "saida"

    def por(self, pagina: Pagina) -> None:
        self.cadernos.pop(pagina.endereco, None)
        self.paginas[pagina.endereco] = pagina

    @property
    def enderecos(self) -> list[str]:
        return [*self.cadernos, *self.paginas]


def ler_caderno(raiz: Path, origem: Path, endereco: str) -> Caderno:
    try:
        dados = json.loads((raiz / origem).read_text(encoding="utf-8"))
        nbformat.validate(nbformat.from_dict(dados))
        nb = nbformat.reads(json.dumps(dados), as_version=nbformat.NO_CONVERT)
    except (OSError, ValueError, AttributeError, KeyError, TypeError, nbformat.ValidationError) as erro:
        celula = _celula_ruim(locals().get("dados"))
        onde = "" if celula is None else f", na célula {celula + 1}"
        dito = (str(erro).strip() or type(erro).__name__).splitlines()[0]
        raise NaoDeu(f"Não consegui ler {origem}{onde}: {dito}") from None
    return Caderno(origem, endereco, nb)


def _celula_ruim(dados: Any) -> int | None:
    """Qual das células, sozinha, já não é de um notebook."""
    celulas = dados.get("cells", ()) if isinstance(dados, dict) else ()
    for i, celula in enumerate(celulas):
        try:
            nbformat.validate(nbformat.from_dict({**dados, "cells": [celula]}))
        except Exception:
            return i
    return None
