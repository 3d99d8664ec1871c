"""A turma por todas as listas: uma linha por aluno, com os pesos de nbgrader_config.py (`c.Notas.pesos`) ou outros."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from correcao.comum.moodle import TurmaIndisponivel, ler_anotado
from correcao.livro.turma import Entrega, SemNota, Turma
from gabarito.no_nbgrader import configuracao
from helpers.conferencia.listas import achar_lista

_COMO = 'escreva-os como em {"01": 1, "08": 2.5}'


@dataclass
class Linha:
    """Um aluno, do começo ao fim do curso."""

    aluno: str
    nome: str | None
    entregas: dict[str, Entrega]  # lista → a dele; as que ele não entregou não estão
    pesos: dict[str, float]
    sem: frozenset[str] = frozenset()  # as que ele entregou e que, por culpa nossa, não têm nota

    @property
    def total(self) -> float | None:
        """A soma das notas, sem os pesos; None enquanto falta alguma por culpa nossa."""
        return None if self.sem else sum(e.nota for e in self.entregas.values())

    @property
    def media(self) -> float | None:
        """De 0 a 10, com os pesos; o que não foi entregue vale zero. None enquanto falta uma nota por culpa nossa."""
        return self._media(sum(self.pesos.values()))

    @property
    def media_das_entregues(self) -> float | None:
        """A mesma, só das listas que o aluno entregou; None se não entregou nenhuma que conte."""
        peso = sum(self.pesos[lista] for lista in self.entregas)
        return self._media(peso) if peso else None

    def _media(self, peso: float) -> float | None:
        if any(self.pesos[lista] for lista in self.sem):
            return None
        return 10 * sum(self.pesos[lista] * e.nota / e.de for lista, e in self.entregas.items() if e.de) / peso


def pesos_de(listas: list[str], pedidos: Mapping[Any, Any] | None = None) -> dict[str, float]:
    """O peso de cada lista: 1, se ninguém disse outro."""
    onde = "--pesos" if pedidos else "c.Notas.pesos, em nbgrader_config.py,"
    ditos = pedidos if pedidos is not None else configuracao().Notas.get("pesos", {})
    if not isinstance(ditos, Mapping):
        raise TurmaIndisponivel(f"{onde} não tem os pesos das listas; {_COMO}.")
    pesos = dict.fromkeys(listas, 1.0)
    for pedida, peso in ditos.items():
        lista = achar_lista(str(pedida), listas)
        if lista is None:
            raise TurmaIndisponivel(f"{onde} fala da lista “{pedida}”, que não tem notas; têm: {', '.join(listas)}.")
        if isinstance(peso, bool) or not isinstance(peso, int | float) or not 0 <= peso < math.inf:
            raise TurmaIndisponivel(f"{onde} dá à lista “{pedida}” um peso que não é um número; {_COMO}.")
        pesos[lista] = float(peso)
    if not sum(pesos.values()):
        raise TurmaIndisponivel(f"{onde} dá peso zero a todas as listas; {_COMO}.")
    return pesos


def boletim(turma: Turma, listas: list[str], pesos: dict[str, float]) -> list[Linha]:
    """Todos os alunos de que se tem notícia, em ordem; `turma.sem` fica com quem está sem nota em alguma lista."""
    das_listas: dict[str, dict[str, Entrega]] = {}
    sem: list[SemNota] = []
    for lista in listas:
        das_listas[lista] = {e.aluno: e for e in turma.entregas(lista)}
        sem += turma.sem
    turma.sem = sem
    nomes, sem_nota = turma.conhecidos(), {(s.aluno, s.lista) for s in sem}
    return [
        Linha(
            aluno,
            nome,
            {lista: e[aluno] for lista, e in das_listas.items() if aluno in e},
            pesos,
            frozenset(lista for lista in listas if (aluno, lista) in sem_nota),
        )
        for aluno, nome in nomes.items()
    ]


def parecem_a_mesma(turma: Turma) -> list[str]:
    """“Ana Sá (ana-sa-12, 20261234)”: quem, em listas diferentes, foi coletado com nomes de pasta diferentes."""
    pessoas: dict[str, dict[str, set[str]]] = {}  # nome → pasta → as listas em que aparece
    for lista, alunos in ler_anotado(turma.raiz).items():
        for aluno, dados in alunos.items():
            if dados.get("nome"):
                pessoas.setdefault(dados["nome"], {}).setdefault(aluno, set()).add(lista)
    achadas = []
    for nome, pastas in pessoas.items():
        # na mesma lista, são duas pessoas com o mesmo nome
        if len(pastas) > 1 and sum(map(len, pastas.values())) == len(set.union(*pastas.values())):
            achadas.append(f"{nome} ({', '.join(sorted(pastas))})")
    return sorted(achadas)
