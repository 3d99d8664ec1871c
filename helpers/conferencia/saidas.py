"""As saídas de uma chamada: dos dados para números, dos números para o arquivo de referências, e a comparação."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from helpers.conferencia import impressao
from helpers.conferencia.codificacao import DadoInvalido, decodificar
from helpers.conferencia.impressao import Tolerancia


@dataclass
class Parte:
    """Uma das saídas, já como números: escalar tem forma ()."""

    forma: tuple[int, ...]
    natureza: str  # "real", "inteiro", "booleano" ou "texto"
    tipo: str
    valores: np.ndarray

    @cached_property
    def sem_enormes(self) -> np.ndarray:
        """Perto de 1e308, que o nan_to_num põe no lugar de infinito, a folga é infinita: não é número que sirva."""
        return np.where(np.isfinite(self.valores) & (np.abs(self.valores) > 1e290), np.nan, self.valores)


# ---------------------------------------------------------------- das saídas para números


def _escalar(valor: Any) -> Parte:
    if isinstance(valor, bool):
        return Parte((), "booleano", "bool", np.array(float(valor)))
    if isinstance(valor, int):
        # Um inteiro maior que 2^53 não cabe exato em float: fica como texto, que se compara por igual.
        if abs(valor) > 2**53:
            return Parte((), "texto", str(valor), np.array(0.0))
        return Parte((), "inteiro", "int", np.array(float(valor)))
    if isinstance(valor, float):
        return Parte((), "real", "float64", np.array(valor))
    if isinstance(valor, str):
        return Parte((), "texto", valor, np.array(0.0))
    raise DadoInvalido("valor de tipo desconhecido")


def _parte(dado: Any) -> Parte | str:
    """Os números de uma saída codificada; se não forem números, o nome do que ela é."""
    if isinstance(dado, dict) and len(dado) == 1:
        (nome, corpo), *_ = dado.items()
        if nome in ("array", "tensor"):
            a = decodificar({"array": corpo})
            inteiro = np.issubdtype(a.dtype, np.integer)
            natureza = "booleano" if a.dtype == bool else ("inteiro" if inteiro else "real")
            return Parte(a.shape, natureza, corpo["tipo"], a.astype(float))
        if nome == "outro" and isinstance(corpo, str):
            return corpo[:80]
        if nome in ("tupla", "lista") and isinstance(corpo, list):
            return f"uma {nome} de {len(corpo)}"
        if nome == "dict":
            return "um dicionário"
    valor = decodificar(dado)
    return "None" if valor is None else _escalar(valor)


def _par_de_inteiros(item: Any) -> tuple[int, int] | str:
    """Um par (i, j) escrito de qualquer jeito usual; se não for um par, o nome do que é."""
    if isinstance(item, dict) and ("array" in item or "tensor" in item):
        item = {"lista": decodificar({"array": next(iter(item.values()))}).tolist()}
    corpo = item.get("tupla", item.get("lista")) if isinstance(item, dict) and len(item) == 1 else None
    if not isinstance(corpo, list):
        if isinstance(item, dict):
            return "dicionários" if "dict" in item else "coisas que não são pares"
        return "textos" if isinstance(item, str) else "números soltos"
    if len(corpo) != 2:
        return f"grupos de {len(corpo)}"
    if not all(type(n) is int for n in corpo):
        return "pares que não são de inteiros"
    return corpo[0], corpo[1]


def _pares(dado: Any) -> Parte | str:
    """Uma lista de pares de inteiros, como texto: é igual ou não é."""
    if isinstance(dado, dict) and ("array" in dado or "tensor" in dado):  # np.argwhere e torch.nonzero: (K, 2)
        a = decodificar({"array": next(iter(dado.values()))})
        if a.size and (a.ndim != 2 or a.dtype.kind not in "iu"):
            return f"um array {a.dtype} de forma {a.shape}"
        dado = {"lista": [{"lista": linha} for linha in a.tolist()] if a.size else []}
    corpo = dado.get("lista", dado.get("tupla")) if isinstance(dado, dict) and len(dado) == 1 else None
    if not isinstance(corpo, list):
        outra = _parte(dado)
        return outra if isinstance(outra, str) else "um valor que não é lista"
    lidos = [_par_de_inteiros(item) for item in corpo]
    ruins = [par for par in lidos if isinstance(par, str)]
    return f"uma lista de {ruins[0]}" if ruins else Parte((), "texto", str(lidos), np.array(0.0))


def partes(dado: Any, tipos: list[str]) -> list[Parte] | str:
    """As saídas de uma chamada, uma por tipo pedido; ou, se a estrutura é outra, o nome dela."""
    quantas = len(tipos)
    if quantas == 1:
        unica = _pares(dado) if tipos[0] == "pares" else _parte(dado)
        return unica if isinstance(unica, str) else [unica]
    if isinstance(dado, dict) and len(dado) == 1:
        (nome, corpo), *_ = dado.items()
        if nome in ("tupla", "lista") and isinstance(corpo, list):
            if len(corpo) != quantas:
                return f"uma {nome} de {len(corpo)}"
            lidas = [_parte(d) for d in corpo]
            ruins = [p for p in lidas if isinstance(p, str)]
            return f"entre os valores, {ruins[0]}" if ruins else [p for p in lidas if isinstance(p, Parte)]
    unica = _parte(dado)
    if isinstance(unica, str):
        return unica
    return f"um array só, de forma {unica.forma}" if unica.forma else "um valor só"


# ---------------------------------------------------------------- das partes para o arquivo, e de volta


def guardar(ps: list[Parte], claro: bool, sal: str, tolerancia: Tolerancia, amostra: bool = False) -> dict:
    """As saídas de um caso como dados: às claras ou em impressão digital."""
    if claro:
        return {"claro": [_as_claras(p) for p in ps]}
    return {"saidas": [_impressa(p, f"{sal}|{i}", tolerancia, amostra) for i, p in enumerate(ps)]}


def _as_claras(p: Parte) -> dict:
    valores = [v if np.isfinite(v) else str(v) for v in p.valores.ravel().tolist()]
    return {"forma": list(p.forma), "natureza": p.natureza, "tipo": p.tipo, "valores": valores}


def _impressa(p: Parte, sal: str, tolerancia: Tolerancia, amostra: bool) -> dict:
    dado = {"forma": list(p.forma), "natureza": p.natureza}
    if p.natureza == "texto":
        return dado | {"marca": impressao.marca(sal, 0, p.tipo)}
    dado |= impressao.imprimir(p.sem_enormes, sal, _tolerancia_de(p, tolerancia))
    # Um valor às claras por array, para que o diagnóstico possa dizer "esperado … veio …".
    if amostra and p.valores.size >= 4:
        dado["amostra"] = _amostra(p.valores.ravel())
    return dado


def _amostra(valores: np.ndarray) -> list:
    """O valor mais longe do meio, e onde. Arredonda, para que o último bit de outro processador não mude o arquivo."""
    longe = np.abs(valores - np.median(valores))
    i = int(np.flatnonzero(longe >= longe.max() * (1 - 1e-5))[0]) if np.isfinite(longe).all() else int(longe.argmax())
    return [i, float(f"{valores[i]:.12g}")]


def _tolerancia_de(p: Parte, tolerancia: Tolerancia) -> Tolerancia:
    return tolerancia if p.natureza == "real" else Tolerancia(0.0, 1e-9)


def _comparaveis(p: Parte, guardada: dict) -> bool:
    return p.forma == tuple(guardada["forma"]) and (p.natureza == "texto") == (guardada["natureza"] == "texto")


def bate(p: Parte, guardada: dict, sal: str, tolerancia: Tolerancia) -> bool:
    """A parte é a guardada? Para no primeiro elemento que não é: quem quer saber quais são usa `batem`."""
    if "marcas" in guardada and _comparaveis(p, guardada):
        return impressao.reconhece(p.sem_enormes, guardada, sal, tolerancia)
    elementos = batem(p, guardada, sal, tolerancia)
    return elementos is not None and bool(np.all(elementos))


def batem(p: Parte, guardada: dict, sal: str, tolerancia: Tolerancia) -> np.ndarray | None:
    """Elemento a elemento, a parte é a guardada? None quando nem a forma é a mesma."""
    if not _comparaveis(p, guardada):
        return None
    if p.natureza == "texto":
        igual = (
            p.tipo == guardada["tipo"] if "tipo" in guardada else impressao.marca(sal, 0, p.tipo) == guardada["marca"]
        )
        return np.array(igual)
    if "valores" in guardada:
        certos = np.array(guardada["valores"], dtype=float).reshape(p.forma)
        return np.asarray(tolerancia.iguais(p.valores, certos))
    return impressao.reconhecer(p.sem_enormes, guardada, sal, tolerancia)


def lista_guardada(dado: dict) -> list[dict]:
    return dado["claro"] if "claro" in dado else dado["saidas"]


def sal_do_caso(questao: str, i: int, equivoco: str = "") -> str:
    return f"{questao}|{equivoco}|{i}"


def sal_da_saida(questao: str, i: int, n: int, equivoco: str = "") -> str:
    return f"{sal_do_caso(questao, i, equivoco)}|{n}"
