"""Do que há no curso à fonte do site: que páginas há, o que as partes fazem delas, e os arquivos que o Sphinx lê."""

import importlib
import json
from pathlib import Path
from typing import Any

import nbformat

from configuracao.versao import versao
from gabarito.pacote import conteudo
from helpers import RAIZ
from sitio import avulsas, inicial, rumo
from sitio.enderecos import FIXOS, endereco, imagens, religar, religar_saida
from sitio.obra import NaoDeu, Obra, Pagina, cru, ler_caderno, titulo
from sitio.partes import PARTES

GUIAS = (
    *("instrutor", "plano-de-15-semanas", "publicar-o-site", "escrever-questoes", "escrever-aulas"),
    *("jupyterhub", "quando-algo-nao-funciona"),
)
SOLTOS = [*FIXOS, *(f"guias/{nome}.md" for nome in GUIAS)]
FICHAS = "paginas.json"  # o que a extensão do Sphinx precisa saber de cada página


def montar(obra: Obra, so: tuple[str, ...] | None = None) -> None:
    """Escreve em `obra.fonte` a fonte de todas as páginas; com `so`, só a dos cadernos com estes números."""
    _juntar(obra, so)
    rumo.arquivos(obra)
    for caderno in obra.cadernos.values():
        caderno.minutos = rumo.minutos(rumo.texto_de(caderno))
    partes = [importlib.import_module(nome) for nome in PARTES]
    for caderno in list(obra.cadernos.values()):
        for parte in partes:
            if hasattr(parte, "caderno"):
                _na_parte(parte.caderno, caderno, obra)
    for parte in partes:
        if hasattr(parte, "paginas"):
            parte.paginas(obra)
    for parte in partes:
        if hasattr(parte, "arquivos"):
            obra.arquivos.update(parte.arquivos(obra))
    avulsas.por(obra)
    obra.por(inicial.pagina(obra))
    _gravar(obra)


def _na_parte(funcao, caderno, obra) -> None:
    try:
        funcao(caderno, obra)
    except NaoDeu:
        raise
    except Exception as erro:  # o que quer que haja de estranho em um notebook, diz-se em qual
        raise NaoDeu(f"Não consegui converter {caderno.origem}: {type(erro).__name__}: {erro}") from erro


def _juntar(obra: Obra, so: tuple[str, ...] | None) -> None:
    do_aluno = [p for p in conteudo(obra.raiz, obra.ate) if p.parts[0] in ("notebooks", "release")]
    for origem in do_aluno:
        onde = endereco(origem.as_posix())
        if origem.suffix != ".ipynb" or onde is None:
            continue
        if so is None or any(numero in origem.name for numero in so):
            obra.cadernos[onde] = ler_caderno(obra.raiz, origem, onde)
    for caminho in SOLTOS:
        origem, onde = Path(caminho), endereco(caminho)
        if onde != "index" and (obra.raiz / origem).is_file():
            assert onde is not None
            texto = (obra.raiz / origem).read_text(encoding="utf-8")
            obra.por(Pagina(onde, titulo(texto), texto=texto, origem=origem))


def _gravar(obra: Obra) -> None:
    ha, escritos = set(obra.enderecos), set()
    fichas: dict[str, dict[str, Any]] = {}
    for onde, caderno in obra.cadernos.items():
        for celula in caderno.nb.cells:
            if celula.cell_type == "markdown" and "{raw} html" not in celula.source[:30]:
                celula.source = religar(celula.source, caderno.origem, onde, ha)
            for saida in celula.get("outputs", ()):
                if "text/html" in saida.get("data", {}):
                    saida.data["text/html"] = religar_saida(saida.data["text/html"], caderno.origem, onde, ha)
        caderno.nb.metadata.pop("widgets", None)
        for i, celula in enumerate(caderno.nb.cells):
            celula["id"] = f"celula-{i}"  # o nbformat sorteia o de uma célula nova, e a página pareceria outra
        escritos.add(_escrever(obra, f"{onde}.ipynb", nbformat.writes(caderno.nb)))
        primeiro = next((c.source for c in caderno.nb.cells if c.source.startswith("# ")), onde)
        fichas[onde] = {
            "titulo": titulo(primeiro),
            "ativos": caderno.ativos,
            "origem": caderno.origem.as_posix(),
            "minutos": caderno.minutos,
            "csp": caderno.csp,
        }
    for onde, pagina in obra.paginas.items():
        texto = pagina.texto or f"# {pagina.titulo}\n\n{cru(pagina.html or '')}"
        if pagina.origem is not None:
            texto, figuras = imagens(texto, pagina.origem, onde)
            texto = religar(texto, pagina.origem, onde, ha)
            obra.arquivos.update({nome: obra.raiz / caminho for nome, caminho in figuras.items()})
        escritos.add(_escrever(obra, f"{onde}.md", texto))
        fichas[onde] = {
            "titulo": pagina.titulo,
            "ativos": pagina.ativos,
            "origem": pagina.origem.as_posix() if pagina.origem else None,
            "csp": dict(pagina.csp),
            "largo": pagina.largo,
            "minutos": rumo.minutos(texto),
        }
    rumo.rumos(obra, fichas)
    fichas = {onde: fichas[onde] for onde in sorted(fichas)}
    _escrever(obra, f"../{FICHAS}", json.dumps(fichas, ensure_ascii=False, indent=1))
    for velho in obra.fonte.rglob("*"):
        if velho.is_file() and velho not in escritos:
            velho.unlink()


def _escrever(obra: Obra, nome: str, texto: str) -> Path:
    """Só toca no arquivo se o texto mudou: é pela data que o Sphinx sabe o que refazer."""
    destino = obra.fonte / nome
    destino.parent.mkdir(parents=True, exist_ok=True)
    if not destino.is_file() or destino.read_text(encoding="utf-8") != texto:
        destino.write_text(texto, encoding="utf-8")
    return destino


def nova(pasta: Path, ate: str | None = None) -> Obra:
    return Obra(RAIZ, pasta / ("inteiro" if ate is None else f"ate-{ate}"), ate, versao() or "")
