"""`helpers.minhas`, na página: as funções do aluno, dos textos das outras listas que a tela entrega.

Aqui não há substitutos, porque um deles, em NumPy, seria uma resposta publicada. De uma função que falta se diz qual
é e de que lista; e a conferência empresta, como números trancados, o que a resposta certa pediria a ela.
"""

import contextlib
import json
import sys
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from helpers.autoria.recorte import Caderno, montar
from helpers.autoria.tipos import como_na_entrada
from helpers.conferencia.emprestimo import Emprestada
from helpers.conferencia.execucao import TempoEsgotado, com_prazo
from helpers.indice import catalogo, questoes

EMPRESTIMOS = Path(__file__).with_name("emprestimos.json")  # questão → função de outra lista → assinatura e tabela
_MONTAR = 5.0  # segundos, como em helpers/autoria/verificacao
SUA, FALTA, EMPRESTADA = "sua", "falta", "emprestada"


class FaltaOutra(RuntimeError):
    """A função é de outra lista, e ainda não há uma que sirva."""


class Falta:
    """No lugar da função que falta: só se queixa quando alguém a chama."""

    def __init__(self, origem: "Origem"):
        self.origem = origem
        self.__name__ = origem.nome

    def __call__(self, *_entradas: Any, **_opcoes: Any) -> Any:
        raise FaltaOutra(self.origem.por_extenso())


@dataclass
class Origem:
    nome: str
    lista: str
    veio: str
    porque: str = ""

    def por_extenso(self) -> str:
        return f"`{self.nome}` é da {self.lista.replace('-', ' ')}, e a sua {self.porque}; faça-a antes, lá"


class Minhas(ModuleType):
    """O módulo `helpers.minhas` da página."""

    def __init__(self, lista: str) -> None:
        super().__init__("helpers.minhas")
        self._lista = lista
        self._textos: dict[str, dict[str, Any]] = {}
        self._dadas: dict[str, tuple[Any, Origem]] = {}

    def entregar(self, outras: dict[str, dict[str, Any]]) -> bool:
        """O que há das outras listas; True se mudou."""
        if outras == self._textos:
            return False
        self._textos, self._dadas = outras, {}
        return True

    def origens(self) -> list[Origem]:
        return [origem for _, origem in self._dadas.values()]

    def mapa(self, **_opcoes: Any) -> None:
        """Na página, quem desenha o mapa é ela."""

    def fixar(self, *_entradas: Any, **_opcoes: Any) -> Any:
        from sitio.lista.na_pagina.sem_torch import SemTorch

        raise SemTorch

    def __getattr__(self, nome: str) -> Any:
        if nome.startswith("_") or nome not in catalogo():
            raise AttributeError(f"module 'helpers.minhas' has no attribute {nome!r}")
        if nome not in self._dadas:
            questao = catalogo()[nome]
            valor, porque = self._montada(nome, questao)
            origem = Origem(nome, questao.partition("/")[0], FALTA if porque else SUA, porque)
            self._dadas[nome] = (Falta(origem) if porque else valor, origem)
        return self._dadas[nome][0]

    def _montada(self, nome: str, questao: str) -> tuple[Any, str]:
        """(a função do aluno, por que ela não serve)."""
        lista = questao.partition("/")[0]
        guardada = self._textos.get(lista)
        if guardada is None or not guardada.get("celulas"):
            return None, "ainda não foi escrita"
        funcoes = [q.rpartition("/")[2] for q in questoes(lista)]
        caderno = Caderno(lista, [c["texto"] for c in guardada["celulas"]], frozenset(funcoes))
        if caderno.esta_por_escrever(nome, questao):
            return None, "ainda não foi escrita"
        if nome not in guardada.get("certas", ()):
            return None, "ainda não passou em Conferir"
        comandos, _ = caderno.precisa(nome, questao)
        try:
            with com_prazo(_MONTAR):
                valor = montar(comandos, lista.replace("-", "_"))[nome]
        except KeyboardInterrupt:
            raise
        except (TempoEsgotado, Exception, SystemExit) as erro:
            return None, f"parou ao ser preparada ({type(erro).__name__}: {str(erro)[:120]})"
        # de outra lista ainda mais atrás pode faltar a de que esta precisa
        for outra in vars(sys.modules["__main__"]).values() if valor is None else [*valor.__globals__.values()]:
            if isinstance(outra, Falta):
                return None, f"usa `{outra.origem.nome}`, da {outra.origem.lista.replace('-', ' ')}, que falta"
        return (valor if isinstance(valor, type) else como_na_entrada(valor)), ""

    # ------------------------------------------------------------ o que se empresta

    @cached_property
    def _emprestimos(self) -> dict[str, Any]:
        return json.loads(EMPRESTIMOS.read_text("utf-8")) if EMPRESTIMOS.is_file() else {}

    @contextlib.contextmanager
    def emprestando(self, questao: str, nomes: dict[str, Any]) -> Iterator[dict[str, Emprestada]]:
        """Enquanto se confere, no lugar de cada função que falta, os números que a resposta certa pediria a ela."""
        faltam = {n: v for n, v in nomes.items() if isinstance(v, Falta)}
        tabelas = self._emprestimos.get(questao, {})
        emprestadas = {
            n: Emprestada(tabelas[f.origem.nome]["assinatura"], tabelas[f.origem.nome]["tabela"])
            for n, f in faltam.items()
            if f.origem.nome in tabelas
        }
        nomes.update(emprestadas)
        try:
            yield {faltam[n].origem.nome: e for n, e in emprestadas.items()}
        finally:
            nomes.update({n: faltam[n] for n in emprestadas})


def como_dados(origens: list[Origem], emprestadas: Collection[str] = ()) -> list[dict[str, str]]:
    return [asdict(o) | ({"veio": EMPRESTADA} if o.nome in emprestadas else {}) for o in origens]


def instalar(lista: str) -> Minhas:
    """Põe este módulo no lugar de `helpers.minhas`."""
    import helpers

    sys.modules["helpers.minhas"] = minhas = Minhas(lista)
    vars(helpers)["minhas"] = minhas
    return minhas
