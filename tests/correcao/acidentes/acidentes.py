"""Entregas honestas que se estragaram no caminho: o que cada uma sofreu, e o que as suas respostas merecem.

Todas partem da lista 02 respondida por inteiro e certa (`respondida`). Um acidente mexe nela e diz, se não forem todas,
que questões continuam a valer pontos (`certas`) e que discussões têm o que uma pessoa leia (`escritas`).
"""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from conftest import RAIZ

LISTA = "lista-02-softmax"
QUESTOES = ("softmax", "softmax_temperatura", "entropia", "autoatencao_simples", "empurrar", "empilhar")
DISCUSSOES = ("discussao-1", "discussao-2")

RESPOSTAS = {
    "softmax": (
        "def softmax(x, eixo=-1):\n"
        "    e = np.exp(x - x.max(axis=eixo, keepdims=True))\n"
        "    return e / e.sum(axis=eixo, keepdims=True)"
    ),
    "softmax_temperatura": (
        "def softmax_temperatura(x, T, eixo=-1):\n"
        "    if T <= 0:\n"
        '        raise ValueError(f"a temperatura T deve ser positiva, e veio {T}")\n'
        "    return softmax(x / T, eixo)"
    ),
    "entropia": (
        "def entropia(A):\n    seguro = np.where(A > 0, A, 1.0)\n    return -(A * np.log(seguro)).sum(axis=-1)"
    ),
    "autoatencao_simples": "def autoatencao_simples(X):\n    A = softmax(X @ X.T)\n    return A @ X, A",
    "empurrar": (
        "def empurrar(a, j, c):\n"
        "    e = np.zeros(len(a))\n"
        "    e[j] = c\n"
        "    novos = a * np.exp(e - e.max())\n"
        "    return novos / novos.sum()"
    ),
    "empilhar": (
        "def empilhar(X, camadas, T=1.0):\n"
        "    caminho = [X]\n"
        "    for _ in range(camadas):\n"
        "        Z = caminho[-1]\n"
        "        caminho.append(softmax(Z @ Z.T / T) @ Z)\n"
        "    return np.stack(caminho)"
    ),
    "discussao-1": "Com o eixo 0 são as colunas que somam 1.\n\nAs linhas somam 0,87, 0,87, 0,82 e 1,44.",
    "discussao-2": "Com pesos quase duros um empurrão não muda quase nada, e o treino não aprende.",
}
INGENUA = "def softmax(x, eixo=-1):\n    return np.exp(x) / np.exp(x).sum()"  # errada, e estoura


@dataclass
class Acidente:
    nome: str
    fazer: Callable[[], dict[str, bytes]]  # os arquivos da pasta entregue
    certas: tuple[str, ...]
    escritas: tuple[str, ...]
    motivo: str  # o que o motivo do zero diz; vazio se há o que corrigir
    intacta: bool  # nada a consertar
    por_outra: tuple[str, ...] = ()  # as que só erram por outra: a correção lhes dá os pontos


ACIDENTES: dict[str, Acidente] = {}


@cache
def emitida(lista: str = LISTA) -> Any:
    return nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)


def marcadas() -> list[Any]:
    """As células da lista que o nbgrader marca; as outras são rascunho, e do aluno."""
    return [c for c in emitida().cells if "nbgrader" in c.metadata]


def respondida() -> dict:
    """A lista respondida, como o JupyterLab a grava: só dicionários, listas e textos."""
    nb = json.loads(nbformat.writes(emitida()))
    for celula in nb["cells"]:
        resposta = RESPOSTAS.get(celula["metadata"].get("nbgrader", {}).get("grade_id"))
        if resposta is not None:
            celula["source"] = resposta
    return nb


def acidente(
    nome: str,
    certas: tuple[str, ...] = QUESTOES,
    escritas: tuple[str, ...] = DISCUSSOES,
    motivo: str = "",
    intacta: bool = False,
    arquivo: str = f"{LISTA}.ipynb",
    por_outra: tuple[str, ...] = (),
) -> Callable:
    """Registra um acidente. A função recebe o notebook respondido, mexe nele, e pode devolver outra coisa no lugar:
    outro notebook, os bytes do arquivo, ou a pasta inteira ({nome: bytes})."""
    if motivo:
        certas = escritas = ()

    def registrar(mexer: Callable[[dict], Any]) -> Callable:
        def fazer() -> dict[str, bytes]:
            nb = respondida()
            feito = mexer(nb)
            feito = nb if feito is None else feito
            if isinstance(feito, dict) and all(isinstance(v, bytes) for v in feito.values()):
                return feito
            return {arquivo: feito if isinstance(feito, bytes) else _gravar(feito)}

        assert nome not in ACIDENTES
        ACIDENTES[nome] = Acidente(nome, fazer, certas, escritas, motivo, intacta, por_outra)
        return mexer

    return registrar


def entregar(acidente: Acidente, pasta: Path) -> None:
    """Põe em `pasta` os arquivos que o aluno entregou."""
    pasta.mkdir(parents=True, exist_ok=True)
    for nome, conteudo in acidente.fazer().items():
        (pasta / nome).parent.mkdir(parents=True, exist_ok=True)
        (pasta / nome).write_bytes(conteudo)


def menos(*questoes: str) -> tuple[str, ...]:
    return tuple(q for q in (*QUESTOES, *DISCUSSOES) if q not in questoes)


def _gravar(nb: dict) -> bytes:
    return json.dumps(nb, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")


def achar(nb: dict, grade_id: str) -> dict:
    return next(c for c in nb["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def onde(nb: dict, grade_id: str) -> int:
    return nb["cells"].index(achar(nb, grade_id))


def tirar(nb: dict, *grade_ids: str) -> list[dict]:
    tiradas = [achar(nb, g) for g in grade_ids]
    nb["cells"] = [c for c in nb["cells"] if not any(c is t for t in tiradas)]
    return tiradas


def codigo(fonte: str, **metadata: Any) -> dict:
    return {"cell_type": "code", "source": fonte, "metadata": metadata, "outputs": [], "execution_count": None}


def texto(fonte: str, **metadata: Any) -> dict:
    return {"cell_type": "markdown", "source": fonte, "metadata": metadata}


def stub(grade_id: str) -> str:
    return next(c.source for c in marcadas() if c.metadata.nbgrader.grade_id == grade_id)


def despir(nb: dict) -> None:
    """Sem marcas e sem ids: como sai de um editor que não conhece o nbgrader."""
    for celula in nb["cells"]:
        celula["metadata"] = {}
        celula.pop("id", None)


# ---------------------------------------------------------------- intactas


@acidente("intacta", intacta=True)
def _(nb):
    pass


@acidente("em-branco", certas=(), escritas=(), intacta=True)
def _(nb):
    return json.loads(nbformat.writes(emitida()))


@acidente("rascunhos-entre-as-celulas", intacta=True)
def _(nb):
    nb["cells"].insert(onde(nb, "confere-softmax") + 1, codigo("softmax(np.array([1.0, 2.0]))"))
    nb["cells"].insert(onde(nb, "enunciado-entropia"), texto("## Minhas anotações\n\nRever isto."))
    nb["cells"].append(codigo(""))


@acidente("a-versao-errada-vem-depois-para-mostrar-o-estouro", intacta=True)
def _(nb):
    nb["cells"].append(codigo(INGENUA + "\n\nsoftmax(np.array([1000.0, 0.0]))"))


@acidente(
    "uma-errada-e-uma-em-branco", certas=("empilhar", "empurrar", "softmax"), escritas=("discussao-2",), intacta=True
)
def _(nb):
    achar(nb, "softmax_temperatura")["source"] = (
        "def softmax_temperatura(x, T, eixo=-1):\n    return softmax(x * T, eixo)"
    )
    achar(nb, "entropia")["source"] = stub("entropia")
    achar(nb, "autoatencao_simples")["source"] = "def autoatencao_simples(X):\n    return X, softmax(X"
    achar(nb, "discussao-1")["source"] = stub("discussao-1")


@acidente("com-comandos-do-ipython", intacta=True)
def _(nb):
    nb["cells"].insert(2, codigo("%matplotlib inline\n!echo instalando"))
    achar(nb, "entropia")["source"] = "%%time\n" + RESPOSTAS["entropia"]


# ---------------------------------------------------------------- marcas e metadados


@acidente("sem-marcas")
def _(nb):
    for celula in nb["cells"]:
        celula["metadata"] = {}


@acidente("sem-marcas-nem-ids")
def _(nb):
    despir(nb)


@acidente("so-algumas-marcas")
def _(nb):
    for numero, celula in enumerate(nb["cells"]):
        if numero % 2:
            celula["metadata"] = {}
        celula.pop("id")


@acidente("sem-marcas-e-com-uma-errada", certas=menos("empurrar")[:5])
def _(nb):
    achar(nb, "empurrar")["source"] = "def empurrar(a, j, c):\n    return a + c"
    despir(nb)


@acidente("colab")
def _(nb):
    despir(nb)
    nb["metadata"] = {
        "colab": {"provenance": [], "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "accelerator": "GPU",
    }
    nb["nbformat_minor"] = 0
    for numero, celula in enumerate(nb["cells"]):
        celula["metadata"] = {"id": f"aZ{numero:02d}kQ9x"}
        celula["source"] = celula["source"].splitlines(True) if isinstance(celula["source"], str) else celula["source"]
        if celula["cell_type"] == "code":
            celula["execution_count"] = numero
            celula["metadata"]["colab"] = {"base_uri": "https://localhost:8080/"}
            celula["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["oi\n"]}]
    nb["cells"].insert(0, codigo("!echo git clone", id="primeira"))


@acidente("vscode")
def _(nb):
    despir(nb)
    nb["metadata"] = {
        "kernelspec": {"name": ".venv", "display_name": ".venv (3.12.3)", "language": "python"},
        "language_info": {"name": "python", "version": "3.12.3"},
        "vscode": {"interpreter": {"hash": "31f2aee4e71d21fbe5cf8b01ff0e069b"}},
    }
    for numero, celula in enumerate(nb["cells"]):
        celula["id"] = f"{numero:08x}"
        celula["metadata"] = {"vscode": {"languageId": "python"}} if celula["cell_type"] == "code" else {}


@acidente("marcas-trocadas-entre-duas-respostas")
def _(nb):
    a, b = achar(nb, "softmax"), achar(nb, "entropia")
    a["metadata"], b["metadata"] = b["metadata"], a["metadata"]
    a["id"], b["id"] = b["id"], a["id"]


@acidente("marcas-trocadas-entre-resposta-e-conferencia")
def _(nb):
    a, b = achar(nb, "softmax"), achar(nb, "confere-softmax")
    a["metadata"], b["metadata"] = b["metadata"], a["metadata"]


@acidente("etiquetas-do-editor-em-todas-as-celulas")
def _(nb):
    for celula in nb["cells"]:
        celula["metadata"]["tags"] = ["skip-execution", "raises-exception", "minha-etiqueta"]


@acidente("pontos-e-marcas-alterados")
def _(nb):
    for celula in nb["cells"]:
        if marca := celula["metadata"].get("nbgrader"):
            marca |= {"points": 100, "schema_version": 1, "locked": False}
            marca.pop("grade", None)


@acidente("marcas-que-nao-sao-marcas")
def _(nb):
    for numero, celula in enumerate(nb["cells"]):
        celula["metadata"]["nbgrader"] = [None, 3, "grade_id", {"grade_id": ["softmax"]}, {"grade_id": 7}][numero % 5]


@acidente("kernel-de-outra-linguagem")
def _(nb):
    nb["metadata"] = {
        "kernelspec": {"name": "ir", "display_name": "R", "language": "R"},
        "language_info": {"name": "R"},
    }


@acidente("metadados-de-jupytext-e-de-widgets", intacta=True)
def _(nb):
    nb["metadata"]["jupytext"] = {"formats": "ipynb,py:percent"}
    nb["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    for celula in nb["cells"]:
        celula["metadata"] |= {"collapsed": True, "execution": {"iopub.status.busy": "2026-01-01"}, "scrolled": True}


# ---------------------------------------------------------------- copiadas


@acidente("copia-em-branco-depois-da-resposta")
def _(nb):
    copia = copy.deepcopy(achar(nb, "softmax")) | {"source": stub("softmax"), "id": "copia"}
    nb["cells"].insert(onde(nb, "softmax") + 1, copia)


@acidente("copia-respondida-depois-do-original-em-branco")
def _(nb):
    copia = copy.deepcopy(achar(nb, "softmax")) | {"id": "copia"}
    achar(nb, "softmax")["source"] = stub("softmax")
    nb["cells"].insert(onde(nb, "softmax") + 1, copia)


@acidente("segunda-tentativa-em-uma-copia")
def _(nb):
    copia = copy.deepcopy(achar(nb, "softmax")) | {"id": "copia"}
    achar(nb, "softmax")["source"] = INGENUA
    nb["cells"].insert(onde(nb, "softmax") + 1, copia)


@acidente("conferencia-copiada")
def _(nb):
    copia = copy.deepcopy(achar(nb, "confere-softmax"))
    nb["cells"].insert(onde(nb, "confere-softmax") + 1, copia)
    nb["cells"].append(copy.deepcopy(copia))


@acidente("notebook-colado-duas-vezes")
def _(nb):
    nb["cells"] += copy.deepcopy(nb["cells"])


@acidente("respondida-no-fim-com-os-stubs-no-lugar")
def _(nb):
    respostas = [achar(nb, q)["source"] for q in QUESTOES]
    for q in QUESTOES:
        achar(nb, q)["source"] = stub(q)
    nb["cells"] += [codigo(r) for r in respostas]


# ---------------------------------------------------------------- apagadas


@acidente("conferencias-apagadas")
def _(nb):
    tirar(nb, *(f"confere-{q}" for q in QUESTOES))


@acidente("enunciados-e-dicas-apagados")
def _(nb):
    apagados = {c.id for c in marcadas() if c.metadata.nbgrader.grade_id.startswith(("enunc", "dicas"))}
    nb["cells"] = [c for c in nb["cells"] if c["id"] not in apagados]


@acidente("preparo-apagado")
def _(nb):
    tirar(nb, "preparo")


@acidente("so-as-funcoes-em-um-notebook-novo", escritas=())
def _(nb):
    celulas = [codigo("import numpy as np"), *(codigo(RESPOSTAS[q]) for q in QUESTOES)]
    return {"cells": celulas, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@acidente("uma-resposta-apagada", certas=menos("empurrar")[:5])
def _(nb):
    tirar(nb, "empurrar")


@acidente("uma-resposta-esvaziada", certas=menos("empurrar")[:5], escritas=("discussao-2",), intacta=True)
def _(nb):
    achar(nb, "empurrar")["source"] = "\n"
    achar(nb, "discussao-1")["source"] = ""


@acidente("resposta-apagada-e-escrita-na-celula-de-outra")
def _(nb):
    (temperatura,) = tirar(nb, "softmax_temperatura")
    achar(nb, "softmax")["source"] += "\n\n\n" + temperatura["source"]


# ---------------------------------------------------------------- fora de ordem


@acidente("de-tras-para-a-frente")
def _(nb):
    nb["cells"].reverse()


@acidente("conferencias-todas-no-fim")
def _(nb):
    nb["cells"] += tirar(nb, *(f"confere-{q}" for q in QUESTOES))


@acidente("conferencia-antes-da-resposta")
def _(nb):
    despir_depois = tirar(nb, "confere-softmax")
    nb["cells"].insert(onde(nb, "softmax"), despir_depois[0])
    despir(nb)


@acidente("primeira-questao-levada-para-o-fim-com-a-sua-auxiliar")
def _(nb):
    achar(nb, "softmax")["source"] = "def softmax(x, eixo=-1):\n    return _dividir(np.exp(_descer(x, eixo)), eixo)"
    levada = tirar(nb, "softmax", "confere-softmax")
    nb["cells"] += [
        codigo("import math\n\ndef _descer(x, eixo):\n    return x - x.max(axis=eixo, keepdims=True)"),
        codigo("def _dividir(e, eixo):\n    return e / e.sum(axis=eixo, keepdims=True)"),
        *levada,
    ]


# ---------------------------------------------------------------- partidas e juntadas


@acidente("funcao-partida-no-meio")
def _(nb):
    celula = achar(nb, "softmax")
    primeira, _, segunda = celula["source"].partition("keepdims=True))\n")
    celula["source"] = primeira + "keepdims=True))\n"
    nb["cells"].insert(onde(nb, "softmax") + 1, copy.deepcopy(celula) | {"source": segunda, "id": "outra"})


@acidente("auxiliar-em-uma-celula-e-resposta-em-outra")
def _(nb):
    celula = achar(nb, "entropia")
    celula["source"] = "def _seguro(A):\n    return np.where(A > 0, A, 1.0)"
    nova = codigo("def entropia(A):\n    return -(A * np.log(_seguro(A))).sum(axis=-1)")
    nb["cells"].insert(onde(nb, "entropia") + 1, nova)


@acidente("resposta-e-conferencia-em-uma-celula")
def _(nb):
    for q in QUESTOES:
        (confere,) = tirar(nb, f"confere-{q}")
        achar(nb, q)["source"] += "\n\n" + "".join(confere["source"])


@acidente("conferencia-colada-antes-da-resposta")
def _(nb):
    (confere,) = tirar(nb, "confere-softmax")
    achar(nb, "softmax")["source"] = "".join(confere["source"]) + "\n" + RESPOSTAS["softmax"]
    despir(nb)


@acidente("tudo-em-uma-celula", escritas=())
def _(nb):
    tudo = "import numpy as np\n\n" + "\n\n".join(RESPOSTAS[q] for q in QUESTOES)
    return {"cells": [codigo(tudo)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@acidente("tudo-na-primeira-resposta-e-stubs-nas-outras")
def _(nb):
    achar(nb, "softmax")["source"] = "\n\n".join(RESPOSTAS[q] for q in QUESTOES)
    for q in QUESTOES[1:]:
        achar(nb, q)["source"] = stub(q)


@acidente("a-softmax-repetida-na-celula-da-questao-2-sem-marcas")
def _(nb):
    achar(nb, "softmax_temperatura")["source"] = (
        INGENUA.replace("softmax(", "_outra(")
        + "\n\n"
        + "\n\n".join([RESPOSTAS["softmax"], RESPOSTAS["softmax_temperatura"]])
    )
    despir(nb)


# ---------------------------------------------------------------- de outro tipo


@acidente("resposta-virou-texto")
def _(nb):
    achar(nb, "softmax").update(cell_type="markdown")


@acidente("resposta-em-texto-com-cerca-e-sem-marcas")
def _(nb):
    achar(nb, "entropia").update(cell_type="markdown", source=f"```python\n{RESPOSTAS['entropia']}\n```")
    despir(nb)


@acidente("resposta-virou-raw")
def _(nb):
    achar(nb, "empurrar").update(cell_type="raw")
    despir(nb)


@acidente("conferencias-viraram-texto")
def _(nb):
    for q in QUESTOES:
        achar(nb, f"confere-{q}").update(cell_type="markdown")


@acidente("discussao-virou-codigo")
def _(nb):
    achar(nb, "discussao-1").update(cell_type="code", outputs=[], execution_count=None)
    despir(nb)


@acidente("discussao-escrita-na-celula-de-baixo")
def _(nb):
    achar(nb, "discussao-1")["source"] = stub("discussao-1")
    nb["cells"].insert(onde(nb, "discussao-1") + 1, texto(RESPOSTAS["discussao-1"]))


@acidente("discussao-escrita-no-enunciado")
def _(nb):
    enunciado = achar(nb, "enunciado-discussao-2")
    enunciado["source"] = "".join(enunciado["source"]) + "\n\n" + RESPOSTAS["discussao-2"]
    achar(nb, "discussao-2")["source"] = stub("discussao-2")


@acidente("discussao-partida-em-duas")
def _(nb):
    celula = achar(nb, "discussao-1")
    metades = celula["source"].split("\n\n")
    celula["source"] = metades[0]
    nb["cells"].insert(onde(nb, "discussao-1") + 1, copy.deepcopy(celula) | {"source": metades[1], "id": "metade"})


# ---------------------------------------------------------------- travadas, mexidas


@acidente("conferencias-trocadas-por-impressoes")
def _(nb):
    for q in QUESTOES:
        achar(nb, f"confere-{q}")["source"] = f"print('{q} pronta')"


@acidente(
    "conferencias-afrouxadas-nao-ajudam",
    certas=menos("softmax", "softmax_temperatura", "autoatencao_simples", "empilhar")[:2],
    por_outra=("autoatencao_simples", "empilhar"),
)
def _(nb):
    achar(nb, "softmax")["source"] = INGENUA
    achar(nb, "confere-softmax")["source"] = "assert True"
    achar(nb, "softmax_temperatura")["source"] = stub("softmax_temperatura")
    achar(nb, "confere-softmax_temperatura")["source"] = "try:\n    conferir('lista-02/softmax', 1)\nexcept:\n    pass"


@acidente("preparo-com-mais-importacoes")
def _(nb):
    preparo = achar(nb, "preparo")
    preparo["source"] = "".join(preparo["source"]) + "\nfrom math import exp\nimport numpy as matriz"
    achar(nb, "empurrar")["source"] = RESPOSTAS["empurrar"].replace("np.", "matriz.").replace("a *", "exp(0) * a *")


@acidente("auxiliar-escrita-dentro-da-conferencia")
def _(nb):
    confere = achar(nb, "confere-entropia")
    confere["source"] = "def _ln(A):\n    return np.log(np.where(A > 0, A, 1.0))\n\n" + "".join(confere["source"])
    achar(nb, "entropia")["source"] = "def entropia(A):\n    return -(A * _ln(A)).sum(axis=-1)"


@acidente("enunciados-traduzidos-pelo-navegador")
def _(nb):
    for celula in nb["cells"]:
        if celula["metadata"].get("nbgrader", {}).get("locked") and celula["cell_type"] == "markdown":
            celula["source"] = "".join(celula["source"]).replace("softmax", "máximo suave").replace("é", "is")


# ---------------------------------------------------------------- formatos


@acidente("nbformat-3")
def _(nb):
    antigo = nbformat.convert(nbformat.from_dict(copy.deepcopy(nb)), 3)
    return json.loads(json.dumps(antigo))


@acidente("nbformat-4-0", intacta=True)
def _(nb):
    nb["nbformat_minor"] = 0
    for celula in nb["cells"]:
        celula.pop("id")


@acidente("fim-de-linha-do-windows", intacta=True)
def _(nb):
    for celula in nb["cells"]:
        celula["source"] = "".join(celula["source"]).replace("\n", "\r\n")
    return _gravar(nb).replace(b"\n", b"\r\n")


@acidente("bom-no-comeco", intacta=True)
def _(nb):
    return b"\xef\xbb\xbf" + _gravar(nb)


@acidente("lixo-depois-do-fim")
def _(nb):
    return _gravar(nb) + b"\x00\x00\n}\n]]> fim do arquivo"


@acidente("saidas-enormes", intacta=True)
def _(nb):
    for celula in nb["cells"]:
        if celula["cell_type"] == "code":
            imagem = {"output_type": "display_data", "data": {"image/png": "iVBOR" * 200_000}, "metadata": {}}
            celula["outputs"] = [imagem, {"output_type": "stream", "name": "stdout", "text": "x" * 1_000_000}]


@acidente("caracteres-invalidos")
def _(nb):
    achar(nb, "softmax")["source"] += "\x00  # \ud83d"
    return json.dumps(nb).encode().replace(b"0,87", b"0,\\u000087")


@acidente("chaves-que-faltam")
def _(nb):
    for celula in nb["cells"]:
        for chave in ("metadata", "outputs", "execution_count", "id"):
            celula.pop(chave, None)
    nb["cells"] += [None, 3, "texto", {}, {"cell_type": "code"}, {"source": None, "cell_type": 7}]
    return {"cells": nb["cells"]}


@acidente("tipo-de-celula-desconhecido")
def _(nb):
    for celula in nb["cells"]:
        if celula["cell_type"] == "code":
            celula["cell_type"] = "python"


@acidente("nan-e-chaves-repetidas", intacta=True)
def _(nb):
    return _gravar(nb).replace(b'"cells"', b'"cells": 3, "x": NaN, "y": -Infinity, "cells"', 1)


@acidente("milhares-de-celulas-vazias", intacta=True)
def _(nb):
    nb["cells"] = [codigo("") for _ in range(5_000)] + nb["cells"] + [texto(" \n") for _ in range(5_000)]


# ---------------------------------------------------------------- a pasta


@acidente("baixado-duas-vezes", arquivo=f"{LISTA} (1).ipynb")
def _(nb):
    pass


@acidente("copia-de-do-drive", arquivo="Cópia de Lista-02-Softmax.IPYNB")
def _(nb):
    pass


@acidente("com-txt-no-fim-do-nome", arquivo=f"{LISTA}.ipynb.txt")
def _(nb):
    pass


@acidente("em-uma-subpasta", arquivo=f"entrega final/{LISTA}.ipynb")
def _(nb):
    pass


@acidente("nome-sem-nada-a-ver", arquivo="Untitled3.ipynb")
def _(nb):
    pass


@acidente("o-de-nome-certo-esta-em-branco")
def _(nb):
    branco = nbformat.writes(emitida()).encode()
    return {f"{LISTA}.ipynb": branco, f"{LISTA} (1).ipynb": _gravar(nb), "outra.ipynb": b"{}"}


@acidente("com-modulos-que-encobririam-os-do-curso")
def _(nb):
    ruim = b"raise RuntimeError('eu nao devia ser importado')"
    return {
        f"{LISTA}.ipynb": _gravar(nb),
        "numpy.py": ruim,
        "helpers/__init__.py": ruim,
        "helpers/conferir.py": ruim,
        "torch/__init__.py": ruim,
        "json.py": ruim,
    }


# ---------------------------------------------------------------- o que vale zero, e por quê


@acidente("pasta-sem-notebook", motivo="Nenhum notebook desta entrega")
def _(nb):
    return {"LEIAME.txt": b"professor, segue por e-mail"}


@acidente("arquivo-vazio", motivo="está vazio")
def _(nb):
    return b""


@acidente("so-zeros", motivo="está vazio")
def _(nb):
    return b"\x00" * 4096


@acidente("truncado", motivo="truncado")
def _(nb):
    inteiro = _gravar(nb)
    return inteiro[: len(inteiro) // 2].decode("utf-8", "ignore").encode()


@acidente("no-bloco-de-notas-do-windows")
def _(nb):
    return json.dumps(nb, ensure_ascii=False).encode("cp1252", "replace")


@acidente("em-utf-8-estragado", motivo="não está em UTF-8")
def _(nb):
    return json.dumps(nb, ensure_ascii=False).encode().replace("ç".encode(), b"\xc3", 1)


@acidente("em-utf-16", motivo="UTF-16")
def _(nb):
    return json.dumps(nb, ensure_ascii=False).encode("utf-16")


@acidente("pagina-da-web", motivo="página da web")
def _(nb):
    return b"<!DOCTYPE html>\n<html><head><title>Lista - Google Drive</title></head></html>"


@acidente("programa-renomeado", motivo="programa em Python")
def _(nb):
    return ("#!/usr/bin/env python\n# coding: utf-8\nimport numpy as np\n\n" + RESPOSTAS["softmax"]).encode()


@acidente("zip-renomeado", motivo="arquivo zip")
def _(nb):
    return b"PK\x03\x04" + b"\x14\x00" * 50


@acidente("json-que-nao-e-notebook", motivo="não é um notebook")
def _(nb):
    return b'{"nome": "lista", "notas": [1, 2, 3]}'


@acidente("notebook-sem-celulas", motivo="nenhuma célula")
def _(nb):
    return {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@acidente("outra-lista", motivo="é da lista-03")
def _(nb):
    return nbformat.writes(emitida("lista-03-escala")).encode()


@acidente("uma-aula", motivo="nenhuma questão desta lista")
def _(nb):
    return (RAIZ / "notebooks" / "01-produto-escalar.ipynb").read_bytes()


@acidente("conflito-do-git", motivo="conflito do Git")
def _(nb):
    return _gravar(nb).replace(b"\n", b"\n<<<<<<< HEAD\n", 1)
