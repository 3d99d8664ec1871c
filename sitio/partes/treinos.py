"""As curvas dos treinos guardados, que se percorrem passo a passo: a perda, a régua e o que o modelo escrevia ali."""

import json
from typing import Any

from helpers.treino import PASTA
from sitio.obra import Caderno, Obra, em_script

NOMES = {
    "melhor": "o GPT da aula 08",
    "longa": "o mesmo, com 64 letras à vista e 2000 passos",
    "nenhuma": "sem atenção",
    "uniforme": "a média de todas as letras",
    "janela": "uma janela fixa",
    "da-fonte": "a receita da fonte",
    "com-dropout": "com dropout 0,2",
    "sem-queda": "com a taxa que não desce",
    "sem-aquecimento": "sem aquecimento",
    "sem-zerar": "com as saídas sem zerar",
    "sem-escala-inicial": "com outra escala no começo",
    "sem-corte": "sem corte do gradiente",
    "sem-betas": "com os betas padrão do AdamW",
    "com-taxa-da-fonte": "com o pico de 0,003",
}
NA_REGUA = {"nada": "não sabe nada", "letras": "unigrama", "pares": "bigrama"}  # os nomes da aula 08
RECEITAS = ("melhor", "da-fonte", *(n for n in NOMES if n.startswith(("com-", "sem-"))))
# em que célula de cada aula, por um pedaço do código dela, e que treinos se percorrem ali
ONDE: dict[str, tuple[str, tuple[str, ...]]] = {
    "aulas/08-gpt-shakespeare": ("historia = treinar(modelo, corpus, MELHOR", ("melhor", "longa")),
    "aulas/09-sem-atencao": (
        'melhor, nenhuma = treinos_guardados("melhor")',
        ("melhor", "nenhuma", "uniforme", "janela"),
    ),
    "alem/08-receita": ("tiradas = {nome: treinos_guardados(nome)", RECEITAS),
}


def caderno(caderno: Caderno, obra: Obra) -> None:
    if caderno.endereco not in ONDE:
        return
    pedaco, treinos = ONDE[caderno.endereco]
    for i, celula in enumerate(caderno.nb.cells):
        if celula.cell_type == "code" and pedaco in celula.source:
            caderno.nb.cells.insert(
                i + 1, caderno.html(f'<div class="treinos" data-treinos="{" ".join(treinos)}"></div>')
            )
            caderno.usar("treinos-guardados.js", "treinos.js", "treinos.css")
            return


def arquivos(obra: Obra) -> dict[str, Any]:
    return {"_static/treinos-guardados.js": f"globalThis.TREINOS_GUARDADOS = {em_script(guardados())};\n"}


def guardados() -> dict[str, Any]:
    regua = json.loads((PASTA.parent / "exploradores" / "pesos" / "melhor.json").read_text(encoding="utf-8"))["regua"]
    regua = {NA_REGUA[nome]: perda for nome, perda in regua.items()}
    return {"regua": regua, "treinos": {nome: _treino(nome, rotulo) for nome, rotulo in NOMES.items()}}


def _treino(nome: str, rotulo: str) -> dict[str, Any]:
    """A primeira semente, a que escreveu; das outras, as aulas tiram as médias."""
    lido = json.loads((PASTA / f"{nome}.json").read_text(encoding="utf-8"))["historias"][0]
    return {"rotulo": rotulo} | {
        campo: lido[campo] for campo in ("semente", "passos", "treino", "validacao", "amostras")
    }
