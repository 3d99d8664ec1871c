"""O que se diz de um caso errado: onde foi, e o que a saída tem que a certa não tem. Nada aqui decide se está certo."""

import contextlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from helpers.conferencia.codificacao import decodificar
from helpers.conferencia.frases import TIPOS_POR_EXTENSO
from helpers.conferencia.propriedades import PROPRIEDADES
from helpers.conferencia.referencia import Caso, Referencia
from helpers.conferencia.relacoes import relacao
from helpers.conferencia.saidas import Parte, batem, lista_guardada, sal_da_saida
from helpers.escrita import enumerar


class _Errada:
    """Uma saída que não é a certa, e em que elementos."""

    def __init__(self, n: int, nome: str, parte: Parte, guardada: dict, batem: np.ndarray):
        self.n, self.nome, self.parte, self.guardada, self.batem = n, nome, parte, guardada, batem


class Fraseado:
    """As frases de uma questão."""

    def __init__(self, referencia: Referencia):
        self.ref = referencia

    # ---------------------------------------------------------------- onde

    def argumento(self, i: int) -> str:
        nomes = self.ref.argumentos
        return nomes[i] if i < len(nomes) else f"argumento {i + 1}"

    def rotulo(self, caso: Caso) -> str:
        if caso.oculto:
            return "Em um caso que você não vê"
        return f"No caso “{caso.rotulo}”" if caso.rotulo else "Em um caso"

    def lugar(self, caso: Caso) -> str:
        """ "No caso “eixo 0”, com softmax(x de forma (2, 3), 0)"; de um caso oculto não se mostra a entrada."""
        if caso.oculto:
            return self.rotulo(caso)
        # com um adaptador, as últimas entradas são dele, e o aluno não as recebe
        entradas = caso.entradas[: len(self.ref.argumentos)]
        argumentos = ", ".join(
            _resumo(decodificar(e, confiavel=True), self.argumento(k)) for k, e in enumerate(entradas)
        )
        rotulo = self.rotulo(caso)
        return f"{rotulo}, com {self.ref.funcao}({argumentos})" if caso.entradas else rotulo

    # ---------------------------------------------------------------- o quê

    def saidas_por_extenso(self, caso: Caso) -> list[tuple[str, str]]:
        """(nome, tipo) de cada saída; um array de booleanos é dito como tal."""
        naturezas = [g["natureza"] for g in lista_guardada(caso.esperado)]
        return [
            (nome, "booleanos" if tipo == "array" and natureza == "booleano" else tipo)
            for (nome, tipo), natureza in zip(self.ref.saidas, naturezas, strict=True)
        ]

    def conteudo(self, ps: list[Parte], i: int, caso: Caso) -> str:
        """NaN em qualquer saída, depois as propriedades de todas, e só então o primeiro valor que difere."""
        erradas = self._erradas(ps, i, caso)
        entradas = [decodificar(e, confiavel=True) for e in caso.entradas]
        for e in erradas:
            # há questões em que −inf é a resposta: só se aponta o que não é finito e não devia ser assim
            ruins = ~np.isfinite(e.parte.valores) & ~e.batem
            if np.any(ruins):
                return self._nao_finito(e, np.argwhere(ruins)[0], entradas, caso)
        for descricao in self.ref.propriedades:
            alvo, _, propriedade = descricao.rpartition(": ")
            for e in erradas:
                alvos = (e.nome, "")
                frase = PROPRIEDADES[propriedade].verificar(e.parte.valores, entradas) if alvo in alvos else None
                if frase:
                    return f"{self.lugar(caso)}: {frase[0].lower()}{frase[1:]}"
        return self._valor(erradas[0], caso) + self._as_outras(erradas)

    def _erradas(self, ps: list[Parte], i: int, caso: Caso) -> list[_Errada]:
        """As saídas que não são as certas, como nascem na conta."""
        guardadas, erradas = lista_guardada(caso.esperado), []
        for n in self.ref.como_nascem:
            certos = batem(ps[n], guardadas[n], sal_da_saida(self.ref.questao, i, n), self.ref.tolerancia)
            if certos is None:  # um texto onde se espera um número, ou o contrário
                certos = np.zeros(ps[n].forma, dtype=bool)
            if not np.all(certos):
                erradas.append(_Errada(n, self.ref.saidas[n][0], ps[n], guardadas[n], certos))
        return erradas

    def _as_outras(self, erradas: list[_Errada]) -> str:
        """Das saídas que não estão erradas, se houver."""
        fora = {e.n for e in erradas} | ({0} if self.ref.adaptador else set())
        certas = [nome for n, (nome, _) in enumerate(self.ref.saidas) if n not in fora]
        if not certas or self._e_descricao(erradas[0].n):
            return ""
        quais = enumerar(certas)
        return (
            f" Aqui a outra saída, {quais}, está certa."
            if not certas[1:]
            else f" Aqui as outras saídas, {quais}, estão certas."
        )

    def _e_descricao(self, n: int) -> bool:
        """A primeira saída de um adaptador diz, em palavras, o que ele viu: não é um texto do aluno."""
        return self.ref.adaptador is not None and n == 0 and self.ref.saidas[0][1] == "texto"

    def _nao_finito(self, e: _Errada, ruim: np.ndarray, entradas: list, caso: Caso) -> str:
        valor = e.parte.valores[tuple(ruim)]
        onde = f" em {_indice(ruim)}{_de(e.nome)}" if e.parte.forma else f" em {e.nome}" * bool(e.nome)
        if np.isnan(valor) and _linha_escondida(e.parte.forma, ruim, entradas):
            return (
                f"{self.lugar(caso)}, sua saída tem NaN{onde}: nessa linha a máscara esconde todas as chaves, "
                "e a softmax de uma linha só de −inf dá NaN. Trate-a à parte."
            )
        if np.isnan(valor):
            return (
                f"{self.lugar(caso)}, sua saída tem NaN{onde}; costuma vir de 0/0, de inf/inf, de inf − inf, "
                "ou do log ou da raiz de um número negativo."
            )
        if valor < 0:
            return (
                f"{self.lugar(caso)}, sua saída tem menos infinito{onde}; costuma vir do log de zero, "
                "ou de uma pontuação escondida que não passou pela softmax."
            )
        return (
            f"{self.lugar(caso)}, sua saída tem infinito{onde}; costuma vir de uma divisão por zero "
            "ou de exp() de um número grande."
        )

    def _valor(self, e: _Errada, caso: Caso) -> str:
        p, guardada, lugar = e.parte, e.guardada, self.lugar(caso)
        if self._e_descricao(e.n):
            return f"{lugar}, {_veio(p.tipo)} {p.tipo[:200]}."
        if p.natureza == "texto":
            entre_aspas = self.ref.saidas[e.n][1] == "texto"
            certo = None if caso.oculto else guardada.get("tipo")
            return f"{lugar}, {_compara_textos(certo, p.tipo, entre_aspas)}"
        if p.natureza == "booleano" and not p.forma:
            return f"{lugar}, sua função respondeu {bool(p.valores)}, e a resposta certa é a outra."
        if not p.forma:
            certo = guardada["valores"][0] if "valores" in guardada else None
            onde = f"em {e.nome}: " if e.nome else ""
            return f"{lugar}, {onde}{_compara(certo, float(p.valores), caso.oculto)}"
        plano = int(np.flatnonzero(~e.batem.ravel())[0])
        certo = None
        if "valores" in guardada:
            certo = guardada["valores"][plano]
        elif "amostra" in guardada and not e.batem.ravel()[guardada["amostra"][0]]:
            plano, certo = guardada["amostra"]
        indice = np.unravel_index(plano, p.forma)
        comparacao = _compara(certo, float(p.valores[indice]), caso.oculto)
        if p.natureza == "booleano":
            comparacao = f"veio {bool(p.valores[indice])}, e o certo é o contrário."
        return f"{lugar}, em {_indice(indice)}{_de(e.nome)}: {comparacao}{self._relacao(e, caso)}"

    def _relacao(self, e: _Errada, caso: Caso) -> str:
        as_claras = "valores" in e.guardada and e.parte.natureza != "booleano" and not caso.oculto
        certo = np.array(e.guardada["valores"], dtype=float).reshape(e.parte.forma) if as_claras else None
        return relacao(e.parte.valores, certo, e.batem)


def por_extenso(tipo: str, forma: tuple[int, ...]) -> str:
    return f"um array de forma {forma}" if tipo == "array" else TIPOS_POR_EXTENSO.get(tipo, tipo)


def _de(nome: str) -> str:
    return f" de {nome}" if nome else ""


def _indice(indice: Sequence | np.ndarray) -> str:
    return "[" + ", ".join(str(int(i)) for i in indice) + "]"


def _veio(que: str) -> str:
    """ "veio um lote…", "vieram lotes…"."""
    return "vieram" if re.match(r"(os|as|lotes|textos|triplas|tokens|medidas) ", que) else "veio"


def _compara(certo: float | None, veio: float, oculto: bool) -> str:
    """ "esperado 0.5, veio 0.3", com algarismos bastantes para que os dois não pareçam iguais."""
    if certo is None or oculto:
        return f"veio {veio:.6g}, e não é esse o valor."
    algarismos = next((n for n in (4, 6, 9, 12) if f"{float(certo):.{n}g}" != f"{veio:.{n}g}"), 17)
    return f"esperado {float(certo):.{algarismos}g}, veio {veio:.{algarismos}g}."


def _compara_textos(certo: str | None, veio: str, entre_aspas: bool) -> str:
    """O mesmo, para textos, que vão entre aspas (um vazio tem de ser visto), e para o que se compara como texto."""
    veio = json.dumps(veio[:200], ensure_ascii=False) if entre_aspas else veio[:200]
    if certo is None or len(certo) > 200:
        return f"veio {veio}, e não é esse o resultado."
    return f"esperado {json.dumps(certo, ensure_ascii=False) if entre_aspas else certo}, veio {veio}."


def _linha_escondida(forma: tuple[int, ...], indice: np.ndarray, entradas: Iterable[Any]) -> bool:
    """Alguma máscara das entradas (True esconde), ou uma matriz com −inf, esconde a linha inteira deste índice?"""
    for entrada in entradas:
        if not forma or not getattr(entrada, "ndim", 0):
            continue
        a = np.asarray(entrada)
        escondido = a if a.dtype == bool else np.isneginf(a.astype(float))
        with contextlib.suppress(ValueError):  # uma entrada que não se estende até as linhas desta saída
            linhas = np.broadcast_to(escondido, (*forma[:-1], a.shape[-1]))
            if linhas[tuple(indice[:-1])].all():
                return True
    return False


def _resumo(valor: Any, nome: str) -> str:
    """Uma entrada em poucas letras: o valor, se couber; senão, o nome e a forma."""
    if callable(valor) or isinstance(valor, np.random.Generator) or nome == "gerador":  # no caso só está a semente
        return nome
    if hasattr(valor, "shape"):
        return f"{nome} de forma {tuple(valor.shape)}"
    texto = repr(valor)
    return texto if len(texto) <= 30 else nome
