"""Grava `helpers/referencias/LISTA.json`: o que o notebook do aluno precisa para conferir, e nada mais."""

import json
from pathlib import Path
from typing import Any

from gabarito.base import Questao, carregar_tudo

RAIZ = Path(__file__).resolve().parent.parent
DESTINO = RAIZ / "helpers" / "referencias"


def _so_folhas(x: Any) -> bool:
    """Uma lista ou um dicionário de poucos andares, que se lê melhor em uma linha só."""
    return len(json.dumps(x, ensure_ascii=False)) <= 110


def _escrever(x: Any, recuo: int = 0) -> str:
    """JSON que se lê em um diff: o que cabe em uma linha fica em uma linha."""
    if not isinstance(x, dict | list) or not x or _so_folhas(x):
        return json.dumps(x, ensure_ascii=False)
    espaco = " " * (recuo + 1)
    if isinstance(x, dict):
        itens = [f"{espaco}{json.dumps(k, ensure_ascii=False)}: {_escrever(v, recuo + 1)}" for k, v in x.items()]
        return "{\n" + ",\n".join(itens) + "\n" + " " * recuo + "}"
    if all(not isinstance(v, dict | list) for v in x):  # muitos números: uma linha, por mais comprida que seja
        return json.dumps(x, ensure_ascii=False)
    return "[\n" + ",\n".join(espaco + _escrever(v, recuo + 1) for v in x) + "\n" + " " * recuo + "]"


def _como_dados(q: Questao) -> dict:
    ref = q.visivel()
    return {
        "assinatura": ref.assinatura,
        "saida": q.saida if isinstance(q.saida, str) else [list(par) for par in q.saida],
        "rtol": ref.tolerancia.rtol,
        "atol": ref.tolerancia.atol,
        "prazo": ref.prazo,
        **({"adaptador": ref.adaptador} if ref.adaptador else {}),
        "propriedades": ref.propriedades,
        "casos": [{"rotulo": c.rotulo, "entradas": c.entradas, "esperado": c.esperado} for c in ref.casos],
        "equivocos": {e.nome: {"frase": e.frase, "casos": e.casos} for e in ref.enganos},
    }


def textos(listas: list[str] | None = None) -> dict[str, str]:
    """O texto de cada arquivo de referências, pelo nome da lista ("lista-02", "aula-02")."""
    por_lista: dict[str, dict] = {}
    for q in carregar_tudo().values():
        if listas is None or q.lista in listas:
            por_lista.setdefault(q.lista, {})[q.nome] = _como_dados(q)
    return {lista: _escrever(questoes) + "\n" for lista, questoes in por_lista.items()}


def gravar(listas: list[str] | None = None) -> list[Path]:
    DESTINO.mkdir(exist_ok=True)
    gravados = []
    for lista, texto in textos(listas).items():
        caminho = DESTINO / f"{lista}.json"
        caminho.write_text(texto, encoding="utf-8", newline="\n")
        gravados.append(caminho)
    return gravados
