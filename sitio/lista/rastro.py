"""O que uma lista usa de `helpers/`, visto rodando-a sem o torch e sem o que a página não tem.

    python -m sitio.lista.rastro lista-02      # os arquivos, e as questões que só se conferem com o torch, em JSON

Roda a lista em branco e confere cada questão com uma resposta que nada faz: o que se importou e o que se leu é o que
viaja. Do que só se importa quando alguém erra de um certo jeito, diz o texto dos módulos que já viajam.
"""

import ast
import importlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from configuracao.lugares import RAIZ

_SALAS = ("helpers", "sitio")
_NUNCA = ("helpers.substitutos", "gabarito", "correcao")


class RespostaNoPacote(RuntimeError):
    """Algo que responde a uma questão ia viajar."""


def rastrear(lista: str) -> dict[str, Any]:
    """Em outro processo, que ainda não importou nada: {"arquivos": […], "sem_torch": […]}."""
    comando = [sys.executable, "-m", "sitio.lista.rastro", lista]
    feito = subprocess.run(comando, cwd=RAIZ, capture_output=True, text=True, encoding="utf-8")
    if feito.returncode:
        raise RuntimeError(f"Não consegui ver o que a {lista} usa:\n{feito.stderr[-2000:]}")
    rastro = json.loads(feito.stdout)
    proibidos = [a for a in rastro["arquivos"] if a.startswith(tuple(n.replace(".", "/") for n in _NUNCA))]
    if proibidos:
        raise RespostaNoPacote(f"{proibidos[0]} não pode ir para a página")
    return rastro


def celulas(lista: str) -> list[dict[str, str]]:
    """As células de código da lista do aluno, como a tela as entrega."""
    (caminho,) = (RAIZ / "release").glob(f"{lista}-*/*.ipynb")
    todas = json.loads(caminho.read_text("utf-8"))["cells"]
    return [
        {"id": c["id"], "nome": c["metadata"].get("nbgrader", {}).get("grade_id", ""), "texto": "".join(c["source"])}
        for c in todas
        if c["cell_type"] == "code"
    ]


# ---------------------------------------------------------------- o outro processo


def _ver(lista: str) -> dict[str, Any]:
    lidos: set[str] = set()
    sys.addaudithook(lambda evento, o: lidos.add(str(o[0])) if evento == "open" and isinstance(o[0], str) else None)
    from sitio.lista.na_pagina import sem_torch

    sem_torch.instalar()
    from sitio.lista.na_pagina.atendente import SEM_TORCH, Atendente

    decide = f"helpers.decisoes.{lista.replace('-', '_')}"
    for entrada in ("sitio.lista.na_pagina.ligar", "sitio.lista.tela_veja", "helpers.engane", decide):
        importlib.import_module(entrada)
    sem: list[str] = []
    from helpers.indice import listas, questoes

    for anterior in (nome for nome in listas() if nome <= lista):  # uma função de outra lista traz o que ela importa
        atendente = Atendente(anterior)
        escritas = [_em_branco(c) for c in celulas(anterior)]
        atendente.atender(json.dumps({"que": "por_em_dia_tudo", "celulas": escritas}))
        for questao in questoes(lista) if anterior == lista else ():
            pedido = {"que": "conferir", "questao": questao, "celulas": escritas}
            if json.loads(atendente.atender(json.dumps(pedido)))["situacao"] == SEM_TORCH:
                sem.append(questao)
    modulos = _com_os_de_depois(sorted(m for m in sys.modules if m.startswith(_SALAS)))
    dados = [p for p in map(Path, lidos) if p.suffix == ".json" and p.is_relative_to(RAIZ / "helpers")]
    arquivos = [*(Path(sys.modules[m].__file__ or "") for m in modulos), *dados]
    return {"arquivos": sorted({str(a.relative_to(RAIZ)) for a in arquivos if a.is_file()}), "sem_torch": sem}


def _em_branco(celula: dict[str, str]) -> dict[str, str]:
    """No lugar da resposta, uma função que aceita tudo e nada faz: a conferência vai até o fim."""
    texto = celula["texto"]
    if "raise NotImplementedError" in texto:
        (definicao,) = (no for no in ast.parse(texto).body if isinstance(no, ast.FunctionDef))
        texto = f"def {definicao.name}(*entradas, **opcoes):\n    return 0"
    return celula | {"texto": texto}


def _com_os_de_depois(modulos: list[str]) -> list[str]:
    """Estes e os que eles importam dentro de uma função, se dão para importar sem o que a página não tem."""
    vistos: set[str] = set()
    while novos := [m for m in sorted({*modulos, *sys.modules}) if m.startswith(_SALAS) and m not in vistos]:
        vistos.update(novos)
        for nome in {citado for m in novos for citado in _citados(m)} - vistos:
            if not nome.startswith(_NUNCA):
                try:
                    importlib.import_module(nome)
                except ImportError:
                    continue
    return sorted(m for m in vistos if getattr(sys.modules.get(m), "__file__", None))


def _citados(modulo: str) -> Iterable[str]:
    arquivo = getattr(sys.modules[modulo], "__file__", None)
    for no in ast.walk(ast.parse(Path(arquivo).read_text("utf-8"))) if arquivo else ():
        if isinstance(no, ast.ImportFrom) and no.module and no.module.startswith(_SALAS):
            yield no.module
            yield from (f"{no.module}.{a.name}" for a in no.names if _e_modulo(f"{no.module}.{a.name}"))
        elif isinstance(no, ast.Import):
            yield from (a.name for a in no.names if a.name.startswith(_SALAS))


def _e_modulo(nome: str) -> bool:
    try:
        return importlib.util.find_spec(nome) is not None
    except (ImportError, AttributeError, ValueError):
        return False


if __name__ == "__main__":
    print(json.dumps(_ver(sys.argv[1])))
