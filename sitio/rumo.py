"""Onde uma página fica no caminho do curso: a trilha das aulas, o que vem antes e depois, o tempo e o que se baixa."""

import html
import json
import posixpath
import re
from pathlib import PurePosixPath
from typing import Any

from gabarito.pacote import como_vai_a_aula
from sitio.enderecos import relativo
from sitio.obra import Caderno, Obra

BAIXAR = "baixar"
POR_MINUTO = 200  # palavras que se leem
_NUMERO = re.compile(r"(?:aulas/|alem/|listas/lista-)(\d\d)(b?)")


def numero(endereco: str) -> str:
    """“04” ou “04b”; vazio, se a página não é de uma aula."""
    achado = _NUMERO.match(endereco)
    return achado[1] + achado[2] if achado else ""


def minutos(texto: str) -> int:
    """O que a página diz que leva; se não diz, o que leva ler as palavras dela."""
    dito = re.search(r"^Tempo: (\d+) minutos", texto, re.MULTILINE)
    if dito:
        return int(dito[1])
    return max(1, round(len(re.findall(r"\w+", re.sub(r"```.*?```", "", texto, flags=re.DOTALL))) / POR_MINUTO))


def texto_de(caderno: Caderno) -> str:
    return "\n\n".join(c.source for c in caderno.nb.cells if c.cell_type == "markdown")


def arquivos(obra: Obra) -> None:
    """Cada notebook, para baixar, como vai no pacote do aluno."""
    for caderno in obra.cadernos.values():
        bruto = (obra.raiz / caderno.origem).read_bytes()
        e_aula = caderno.origem.parts[0] == "notebooks"
        obra.arquivos[f"{BAIXAR}/{caderno.origem.name}"] = _leve(como_vai_a_aula(bruto)) if e_aula else bruto


def _leve(notebook: bytes) -> bytes:
    """A aula sem o HTML dos exploradores, que uma execução põe de volta: fica a imagem de cada um."""
    nb = json.loads(notebook)
    for celula in nb["cells"]:
        for saida in celula.get("outputs", ()):
            if "image/png" in saida.get("data", {}):
                saida["data"].pop("text/html", None)
    return (json.dumps(nb, ensure_ascii=False, indent=1) + "\n").encode()


def rumos(obra: Obra, fichas: dict[str, dict[str, Any]]) -> None:
    """Acrescenta às fichas a trilha, o antes, o depois e a linha que vem embaixo do título."""
    aulas = sorted(onde for onde in fichas if onde.startswith("aulas/"))
    for onde, ficha in fichas.items():
        if onde.startswith(("aulas/", "listas/", "alem/")):
            ficha["trilha"] = [_passo(onde, aula, fichas) for aula in aulas]
            ficha["antes"], ficha["depois"] = _vizinhos(onde, aulas, fichas)
            ficha["linha"] = _linha(onde, fichas)


def _passo(onde: str, aula: str, fichas: dict[str, dict[str, Any]]) -> dict[str, Any]:
    aqui = "page" if aula == onde else "true" if numero(aula)[:2] == numero(onde)[:2] and onde[:5] != "aulas" else ""
    return {"href": relativo(onde, aula), "numero": numero(aula), "titulo": fichas[aula]["titulo"], "aqui": aqui}


def _vizinhos(onde: str, aulas: list[str], fichas: dict[str, dict[str, Any]]) -> tuple[Any, Any]:
    if onde in aulas:
        i = aulas.index(onde)
        antes = aulas[i - 1] if i else ""
        depois = aulas[i + 1] if i + 1 < len(aulas) else ""
        rotulos = ("Aula anterior", "Próxima aula")
    else:
        desta = [aula for aula in aulas if numero(aula)[:2] == numero(onde)[:2]]
        seguintes = [aula for aula in aulas if numero(aula)[:2] > numero(onde)[:2]]
        antes = (desta[-1] if onde.startswith("listas/") else desta[0]) if desta else ""
        depois = seguintes[0] if seguintes else ""
        rotulos = ("A aula dela" if onde.startswith("listas/") else "A aula", "Próxima aula")
    return _vizinho(onde, antes, rotulos[0], fichas), _vizinho(onde, depois, rotulos[1], fichas)


def _vizinho(onde: str, qual: str, rotulo: str, fichas: dict[str, dict[str, Any]]) -> dict[str, str] | None:
    return {"href": relativo(onde, qual), "titulo": fichas[qual]["titulo"], "rotulo": rotulo} if qual else None


def _linha(onde: str, fichas: dict[str, dict[str, Any]]) -> str:
    """“30 minutos · Baixar o notebook · Lista 02 · Além: …”."""
    ficha = fichas[onde]
    partes = [f"{ficha['minutos']} min"] if not onde.startswith("listas/") else []
    if ficha["origem"]:
        nome = PurePosixPath(ficha["origem"]).name
        para = posixpath.relpath(f"{BAIXAR}/{nome}", posixpath.dirname(onde))
        # em uma lista, o que se escreveu na página se baixa na barra dela
        dito = "Baixar a lista em branco" if onde.startswith("listas/") else "Baixar o notebook"
        partes.append(f'<a href="{para}" download>{dito}</a>')
    if onde.startswith("aulas/"):
        n = numero(onde)[:2]
        partes += [_ligar(onde, p, f"Lista {n}") for p in fichas if p.startswith(f"listas/lista-{n}")]
        alem = [_ligar(onde, p, _curto(fichas[p]["titulo"])) for p in fichas if p.startswith(f"alem/{n}-")]
        if alem and not numero(onde).endswith("b"):
            partes.append("Além: " + ", ".join(alem))
    return f'<p class="ficha">{" · ".join(partes)}</p>'


def _ligar(de: str, para: str, texto: str) -> str:
    return f'<a href="{relativo(de, para)}">{html.escape(texto)}</a>'


def _curto(titulo: str) -> str:
    return titulo.partition("·")[2].strip() or titulo
