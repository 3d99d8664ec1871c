"""Só dados atravessam: valores de Python, NumPy e torch viram JSON, e voltam, sem pickle nem código.

É o formato das referências (o que `gerar` grava) e das evidências (o que o kernel do aluno entrega à correção).
A leitura desconfia de tudo: uma evidência pode ter sido escrita por qualquer um.

Os números de um array vão como os bytes deles, em base64, que se escrevem e se leem de uma vez. Nas referências, que
são um arquivo do curso, vão por extenso.
"""

import base64
import math
import sys
import types
from functools import lru_cache
from typing import Any

import numpy as np

from helpers.conferencia.pecas import Funcao, Gerador, peca

MAXIMO_DE_VALORES = 200_000
TIPOS_DE_ARRAY = {
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64"),
}
_NAO_FINITOS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class DadoInvalido(ValueError):
    """O que chegou não tem o formato combinado."""


def _numero(x: Any) -> Any:
    """Um número que o JSON sabe escrever; NaN e infinito viram texto."""
    if isinstance(x, float) and not math.isfinite(x):
        return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf")
    return x


def _array(nome: str, tipo: str, a: np.ndarray, por_extenso: bool) -> dict:
    if a.size > MAXIMO_DE_VALORES:
        return {"outro": f"um array com {a.size} valores, grande demais"}
    corpo: dict[str, Any] = {"tipo": tipo, "forma": list(a.shape)}
    if por_extenso:
        return {nome: corpo | {"valores": [_numero(v) for v in a.ravel().tolist()]}}
    na_ordem = a.astype(a.dtype.newbyteorder("<"), copy=False)
    return {nome: corpo | {"bytes": base64.b64encode(na_ordem.tobytes()).decode()}}


def _tensor(t: Any, por_extenso: bool) -> Any:
    t = t.detach().cpu()
    tipo = str(t.dtype).removeprefix("torch.")
    if tipo not in TIPOS_DE_ARRAY:
        return {"outro": f"um tensor do tipo {tipo}"}
    a = t.to(dtype=sys.modules["torch"].float32).numpy() if tipo == "bfloat16" else t.numpy()
    return codificar(a[()]) if a.ndim == 0 else _array("tensor", tipo, a, por_extenso)


@lru_cache(maxsize=64)
def _nome_do_tipo(tipo: np.dtype) -> str:
    return tipo.name  # que o NumPy monta a cada vez


def codificar(x: Any, por_extenso: bool = False) -> Any:
    """O valor como dados de JSON. O que não é dado vira {"outro": o que é}."""
    torch = sys.modules.get("torch")  # se o aluno não importou o torch, nada aqui é tensor
    if torch is not None and isinstance(x, torch.Tensor):
        return _tensor(x, por_extenso)
    if isinstance(x, np.ndarray) and x.ndim == 0:
        x = x[()]
    if isinstance(x, np.bool_ | np.integer | np.floating):
        x = x.item()
    if isinstance(x, int) and not isinstance(x, bool) and abs(x) > 10**300:
        return {"outro": "um inteiro com mais de 300 algarismos"}
    if isinstance(x, str):  # também o texto do NumPy (np.str_), que é um str e não é
        return str.__str__(x)
    if x is None or isinstance(x, bool | int):
        return x
    if isinstance(x, float):
        return x if math.isfinite(x) else {"numero": _numero(x)}
    if isinstance(x, np.ndarray):
        tipo = _nome_do_tipo(x.dtype)
        if tipo not in TIPOS_DE_ARRAY:
            return {"outro": f"um array do tipo {x.dtype}"}
        return _array("array", tipo, np.asarray(x), por_extenso)
    if isinstance(x, tuple | list):
        return {"tupla" if isinstance(x, tuple) else "lista": [codificar(v, por_extenso) for v in x]}
    if isinstance(x, dict):
        return {"dict": [[codificar(k, por_extenso), codificar(v, por_extenso)] for k, v in x.items()]}
    if isinstance(x, Funcao):
        return {"funcao": {"nome": x.nome, "parametros": codificar(x.parametros, por_extenso)}}
    if isinstance(x, Gerador):
        return {"gerador": x.semente}
    if isinstance(x, types.GeneratorType | types.CoroutineType):
        return {"outro": "um gerador (ficou um yield na função?)"}
    if callable(x):
        return {"outro": "uma função (faltaram os parênteses da chamada?)"}
    return {"outro": f"um valor do tipo {type(x).__name__}"}


def _ler_array(corpo: Any) -> tuple[np.ndarray, str]:
    if not isinstance(corpo, dict) or len(corpo) != 3 or not {"tipo", "forma"} < corpo.keys():
        raise DadoInvalido("array sem tipo, forma e valores")
    tipo, forma = corpo["tipo"], corpo["forma"]
    if not isinstance(tipo, str) or not isinstance(forma, list):
        raise DadoInvalido("array de campos trocados")
    if tipo not in TIPOS_DE_ARRAY:
        raise DadoInvalido("array de tipo desconhecido")
    if len(forma) > 16 or not all(type(n) is int and 0 <= n <= MAXIMO_DE_VALORES for n in forma):
        raise DadoInvalido("forma inválida")
    quantos = math.prod(forma)
    if quantos > MAXIMO_DE_VALORES:
        raise DadoInvalido("array grande demais")
    # bfloat16 não existe no NumPy: quem lê só precisa dos números
    do_numpy = np.dtype("float32" if tipo == "bfloat16" else tipo)
    a = _dos_bytes(corpo["bytes"], do_numpy) if "bytes" in corpo else _por_extenso(corpo.get("valores"), do_numpy)
    if a.size != quantos:
        raise DadoInvalido("a forma não bate com a quantidade de valores")
    return a.reshape(forma), tipo


def _dos_bytes(texto: Any, tipo: np.dtype) -> np.ndarray:
    try:
        bruto = base64.b64decode(texto.encode("ascii"), validate=True)
        a = np.frombuffer(bruto, tipo.newbyteorder("<")).astype(tipo)  # uma cópia, em que se pode escrever
    except (AttributeError, ValueError) as erro:
        raise DadoInvalido("bytes que não são os de um array") from erro
    if tipo.kind == "b" and bruto.translate(None, b"\0\1"):
        raise DadoInvalido("booleano que não é 0 nem 1")
    return a


def _por_extenso(valores: Any, tipo: np.dtype) -> np.ndarray:
    if not isinstance(valores, list) or len(valores) > MAXIMO_DE_VALORES:
        raise DadoInvalido("array sem valores")
    numeros = [_NAO_FINITOS.get(v) if isinstance(v, str) else v for v in valores]
    if not all(type(v) in (int, float, bool) for v in numeros):
        raise DadoInvalido("valor que não é número")
    try:
        with np.errstate(over="ignore"):  # o que não cabe em float16 vira infinito
            return np.array(numeros, dtype=tipo)
    except (OverflowError, ValueError) as erro:
        raise DadoInvalido("valor que não cabe no tipo") from erro


def decodificar(dado: Any, confiavel: bool = False, profundidade: int = 0) -> Any:
    """O contrário de `codificar`; um tensor volta como tensor. Levanta DadoInvalido para o que não entende.

    Só o que o próprio curso escreveu (`confiavel`) pode pedir que se construa uma função ou um gerador.
    """
    if profundidade > 8:
        raise DadoInvalido("dados aninhados demais")
    if dado is None or type(dado) in (bool, int, float, str):
        return dado
    if not isinstance(dado, dict) or len(dado) != 1:
        raise DadoInvalido("dado de formato desconhecido")
    (nome, corpo), *_ = dado.items()
    if nome == "numero" and isinstance(corpo, str) and corpo in _NAO_FINITOS:
        return _NAO_FINITOS[corpo]
    if nome == "array":
        return _ler_array(corpo)[0]
    if nome == "tensor":
        import torch

        a, tipo = _ler_array(corpo)
        return torch.from_numpy(a).to(getattr(torch, tipo))
    if nome in ("tupla", "lista") and isinstance(corpo, list):
        valores = [decodificar(v, confiavel, profundidade + 1) for v in corpo]
        return tuple(valores) if nome == "tupla" else valores
    if nome == "dict" and isinstance(corpo, list) and all(isinstance(p, list) and len(p) == 2 for p in corpo):
        pares = [
            (decodificar(k, confiavel, profundidade + 1), decodificar(v, confiavel, profundidade + 1)) for k, v in corpo
        ]
        try:
            return dict(pares)
        except TypeError as erro:
            raise DadoInvalido("chave de dicionário que não serve") from erro
    if confiavel and nome == "gerador":
        return np.random.default_rng(corpo)
    if confiavel and nome == "de_fora":
        from helpers.conferencia.de_fora import de_fora  # que usa este módulo

        return de_fora(corpo)
    if confiavel and nome == "funcao":
        return peca(corpo["nome"])(**decodificar(corpo["parametros"], True, profundidade + 1))
    raise DadoInvalido("dado de formato desconhecido")
