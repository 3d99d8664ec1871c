"""O texto de `helpers/referencias/LISTA.json`: o que o notebook do aluno precisa para conferir, e nada mais."""

import json
from typing import Any

from helpers import RAIZ
from helpers.conferencia.referencia import Referencia

DESTINO = RAIZ / "helpers" / "referencias"


def _so_folhas(x: Any) -> bool:
    """Uma lista ou um dicionário de poucos andares, que se lê melhor em uma linha só."""
    return len(json.dumps(x, ensure_ascii=False)) <= 110


def escrever(x: Any, recuo: int = 0) -> str:
    """JSON que se lê em um diff: o que cabe em uma linha fica em uma linha."""
    if not isinstance(x, dict | list) or not x or _so_folhas(x):
        return json.dumps(x, ensure_ascii=False)
    espaco = " " * (recuo + 1)
    if isinstance(x, dict):
        itens = [f"{espaco}{json.dumps(k, ensure_ascii=False)}: {escrever(v, recuo + 1)}" for k, v in x.items()]
        return "{\n" + ",\n".join(itens) + "\n" + " " * recuo + "}"
    if all(not isinstance(v, dict | list) for v in x):  # muitos números: uma linha, por mais comprida que seja
        return json.dumps(x, ensure_ascii=False)
    return "[\n" + ",\n".join(espaco + escrever(v, recuo + 1) for v in x) + "\n" + " " * recuo + "]"


def texto(referencias: list[Referencia]) -> str:
    """O texto do arquivo de uma lista, com as referências das questões dela."""
    return escrever({ref.questao: ref.para_dados() for ref in referencias}) + "\n"
