"""Acidentes das listas que pedem classes e usam o torch (07, 08 e 10): o que só acontece com elas.

Todos partem da lista respondida com as soluções de `source/`. Um acidente mexe no notebook, ou devolve outro, e diz que
questões deixam de valer pontos (`erradas`), se alguma deixa.
"""

import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import nbformat
from acidentes import RAIZ, achar, codigo, despir, onde, texto, tirar

LISTA_07, LISTA_08, LISTA_10 = "lista-07-bloco", "lista-08-gpt-shakespeare", "lista-10-llm-de-verdade"


@dataclass
class Acidente:
    nome: str
    lista: str
    mexer: Callable[[dict], dict | None]
    erradas: tuple[str, ...]

    def entregue(self) -> bytes:
        nb = respondida(self.lista)
        feito = self.mexer(nb)
        return json.dumps(nb if feito is None else feito, ensure_ascii=False).encode()


ACIDENTES: dict[str, Acidente] = {}


def acidente(nome: str, lista: str, erradas: tuple[str, ...] = ()) -> Callable:
    def registrar(mexer: Callable[[dict], Any]) -> Callable:
        assert nome not in ACIDENTES
        ACIDENTES[nome] = Acidente(nome, lista, mexer, erradas)
        return mexer

    return registrar


@cache
def emitida(lista: str) -> Any:
    return nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)


@cache
def respostas(lista: str) -> dict[str, str]:
    """{célula de resposta: o que um aluno que acerta tudo escreveria nela}"""
    fonte = nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)
    marcadas = [c for c in fonte.cells if c.metadata.get("nbgrader", {}).get("solution")]
    return {c.metadata.nbgrader.grade_id: re.sub(r" *### (BEGIN|END) SOLUTION\n?", "", c.source) for c in marcadas}


def questoes(lista: str) -> set[str]:
    return {r for r in respostas(lista) if not r.startswith("discussao")}


def respondida(lista: str) -> dict:
    nb = json.loads(nbformat.writes(emitida(lista)))
    for celula in nb["cells"]:
        grade_id = celula["metadata"].get("nbgrader", {}).get("grade_id")
        celula["source"] = respostas(lista).get(grade_id, celula["source"])
    return nb


def stub(lista: str, grade_id: str) -> str:
    return next(c.source for c in emitida(lista).cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def partir(nb: dict, grade_id: str, *cortes: str) -> None:
    """Parte a célula antes de cada corte, como o “Dividir célula” do JupyterLab: as marcas vão para todas as partes."""
    for corte in reversed(cortes):
        celula = achar(nb, grade_id)
        antes, achado, depois = celula["source"].partition(corte)
        assert achado, corte
        celula["source"] = antes
        nb["cells"].insert(onde(nb, grade_id) + 1, copy.deepcopy(celula) | {"source": achado + depois, "id": "parte"})


# ---------------------------------------------------------------- lista 07


@acidente("classe-partida-entre-os-metodos", LISTA_07)
def _(nb):
    partir(nb, "Bloco", "    def atencao", "    def forward")


@acidente("classe-partida-no-meio-de-um-metodo-e-sem-marcas", LISTA_07)
def _(nb):
    partir(nb, "Bloco", "        self.norma2")
    despir(nb)


@acidente("classe-partida-logo-depois-do-titulo", LISTA_07)
def _(nb):
    achar(nb, "Bloco")["source"] = re.sub(r'    """.*"""\n\n', "", respostas(LISTA_07)["Bloco"])
    partir(nb, "Bloco", "    def __init__")
    partir(nb, "ffn", "    ")


@acidente("classe-virou-texto", LISTA_07)
def _(nb):
    achar(nb, "Bloco").update(cell_type="markdown")
    achar(nb, "layer_norm").update(cell_type="markdown", source=f"```python\n{respostas(LISTA_07)['layer_norm']}\n```")
    despir(nb)


@acidente("colab-com-a-importacao-apagada", LISTA_07)
def _(nb):
    tirar(nb, "preparo")
    despir(nb)
    nb["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nb["cells"].insert(0, codigo("!echo instalando\nimport torch", id="aZ00kQ9x"))


@acidente("o-bloco-de-tras-para-a-frente-com-uma-errada", LISTA_07, erradas=("ffn", "Bloco"))
def _(nb):
    # quem usa a ffn errada erra também, como em um notebook que não se estragou
    achar(nb, "ffn")["source"] = "def ffn(x, W1, b1, W2, b2):\n    return F.silu(x @ W1 + b1) @ W2 + b2"
    sem_ffn = "self.reduz(F.gelu(self.expande(self.norma2(Z))))"
    dela = "self.expande.weight.T, self.expande.bias, self.reduz.weight.T, self.reduz.bias"
    achar(nb, "Bloco")["source"] = respostas(LISTA_07)["Bloco"].replace(sem_ffn, f"ffn(self.norma2(Z), {dela})")
    nb["cells"].reverse()


# ---------------------------------------------------------------- lista 08


@acidente("duas-classes-em-uma-celula-e-stubs-nas-outras", LISTA_08)
def _(nb):
    certas = respostas(LISTA_08)
    achar(nb, "Tokenizador")["source"] = "\n\n\n".join([certas["GPT"], certas["gerar"], certas["Tokenizador"]])
    for q in ("GPT", "gerar"):
        achar(nb, q)["source"] = stub(LISTA_08, q)


@acidente("o-preparo-trocado-pelo-seu-proprio-bloco", LISTA_08)
def _(nb):
    (preparo,) = tirar(nb, "preparo")
    proprio = respostas(LISTA_07)["Bloco"]
    importacoes = "import math\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn"
    nb["cells"].insert(1, preparo | {"source": f"{importacoes}\n\n\n{proprio}"})


@acidente("um-metodo-posto-na-classe-em-outra-celula", LISTA_08)
def _(nb):
    inteira = respostas(LISTA_08)["GPT"]
    classe, achado, metodo = inteira.partition("    def forward")
    achar(nb, "GPT")["source"] = classe
    solto = re.sub(r"^ {4}", "", achado + metodo, flags=re.MULTILINE) + "\n\nGPT.forward = forward"
    nb["cells"].insert(onde(nb, "GPT") + 1, codigo(solto))
    despir(nb)


# ---------------------------------------------------------------- lista 10


@acidente("sem-marcas-fora-de-ordem-e-com-uma-em-branco", LISTA_10, erradas=("desligar",))
def _(nb):
    achar(nb, "desligar")["source"] = stub(LISTA_10, "desligar")
    nb["cells"] += tirar(nb, "contribuicoes", "confere-contribuicoes", "preparo")
    despir(nb)


@acidente("so-as-funcoes-em-um-notebook-novo-com-torch", LISTA_10)
def _(nb):
    certas = [respostas(LISTA_10)[q] for q in reversed([*respostas(LISTA_10)]) if not q.startswith("discussao")]
    celulas = [texto("# Minha lista"), codigo("import math\nimport torch"), *map(codigo, certas)]
    return {"cells": celulas, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
