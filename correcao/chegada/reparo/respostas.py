"""Qual das células do aluno responde cada questão.

Quem decide, nesta ordem: a marca do nbgrader, se a célula define a função pedida; o nome da função que ela define; e,
para os textos, a posição entre as vizinhas.
"""

from collections.abc import Callable

from correcao.chegada.reparo import analise
from correcao.chegada.reparo.celulas import Celula
from correcao.chegada.reparo.triagem import Triagem


class Respostas:
    """A célula de cada questão de código e as de cada discussão, dentre as que a triagem disse serem do aluno."""

    def __init__(self, triagem: Triagem):
        self.triagem, self.lista = triagem, triagem.lista
        self.soltas, self.pista = triagem.soltas, triagem.pista
        self.dono: dict[int, Celula] = {}  # resposta de código → célula
        self.de_texto: dict[int, list[Celula]] = {}
        self.pela_posicao: set[int] = set()
        self.repetidas = 0
        self._desfazer_as_marcas_que_mentem()
        self._achar_codigos()
        self._achar_textos()

    @property
    def quantas(self) -> int:
        return len(self.dono) + len(self.de_texto)

    def posicao(self, i: int) -> int | None:
        """Onde, na entrega, está a célula `i` da lista."""
        if i in self.dono:
            return self.dono[i].posicao if self._de_quem(self.dono[i]) == i else None
        if i in self.de_texto:
            return self.de_texto[i][0].posicao
        copias = self.triagem.copias.get(i)
        if not copias:
            return None
        return copias[-1 if i in self.lista.testes else 0].posicao

    def presente(self, i: int) -> bool:
        return any(i in d for d in (self.triagem.copias, self.dono, self.de_texto, self.triagem.testadas))

    # ------------------------------------------------ em código

    def _desfazer_as_marcas_que_mentem(self) -> None:
        """A marca de uma discussão em um programa, ou a de um programa em uma discussão."""
        for celula in self.soltas:
            pista = self.pista[celula]
            define = any(n in self.lista.do_nome for n in celula.definidos)
            if (pista in self.lista.textos and celula.tipo == "code" and define) or (
                pista in self.lista.codigos and celula.tipo != "code" and not self._define(celula, pista)
            ):
                self.pista[celula] = None

    def _achar_codigos(self) -> None:
        """Um degrau por vez para todas as questões: o que é mais certo em uma não pode ser tomado por outra."""
        nomes, pista = self.lista.nomes, self.pista
        codigo = [c for c in self.soltas if c.tipo == "code"]
        degraus: list[Callable[[int], list[Celula]]] = [
            lambda r: [c for c in self.soltas if pista[c] == r and self._define(c, r)],
            lambda r: [c for c in codigo if self._principal(c) == r and self._de_quem(c) is None],
            lambda r: [c for c in codigo if nomes[r] & set(c.definidos)],
            lambda r: [c for c in codigo if self._de_quem(c) is None and nomes[r] and self._define(c, r)],
            self._em_texto,
            lambda r: [c for c in codigo if pista[c] == r and self._de_quem(c) is None],
        ]
        for achar in degraus:
            for r in self.lista.codigos:
                if r not in self.dono and (achadas := achar(r)):
                    self.dono[r] = self._a_que_vale(r, achadas)

    def _define(self, celula: Celula, r: int) -> bool:
        nomes = self.lista.nomes[r]
        fracamente = (analise.define_fracamente(celula.fonte, n) for n in nomes)
        return not nomes or bool(nomes & set(celula.definidos)) or any(fracamente)

    def _principal(self, celula: Celula) -> int | None:
        """De que questão é a célula, se define várias funções: as auxiliares vêm antes, a da questão por último."""
        donos = [self.lista.do_nome[n] for n in celula.definidos if n in self.lista.do_nome]
        pista = self.pista[celula]
        return pista if pista in donos else (donos[-1] if donos else None)

    def _de_quem(self, celula: Celula) -> int | None:
        return next((r for r, c in self.dono.items() if c is celula), None)

    def _em_texto(self, r: int) -> list[Celula]:
        """As células de texto que são, na verdade, o programa da resposta (com ou sem a cerca do Markdown)."""
        achadas = []
        for celula in self.soltas:
            if celula.tipo != "code":
                programa = analise.sem_cerca(celula.fonte)
                if self.lista.nomes[r] & set(analise.definidos(programa)) and analise.e_python(programa):
                    achadas.append(celula)
        return achadas

    def _a_que_vale(self, r: int, achadas: list[Celula]) -> Celula:
        """A última antes da última conferência, como quem roda de cima para baixo; sem conferência, a última."""
        teste, testadas = self.lista.teste_de(r), self.triagem.testadas
        posicoes = [c.posicao for c in self.triagem.copias.get(teste, ())] if teste is not None else []
        posicoes += [testadas[teste]] if teste in testadas else []
        antes = [c for c in achadas if posicoes and c.posicao <= max(posicoes)]
        return (antes or achadas)[-1]

    # ------------------------------------------------ em texto

    def _achar_textos(self) -> None:
        usadas = set(self.dono.values())
        for m in self.lista.textos:
            achadas = [c for c in self.soltas if self.pista[c] == m and c not in usadas]
            if achadas:
                unicas = {c.chave: c for c in achadas}
                self.de_texto[m] = list(unicas.values())
                self.repetidas += len(achadas) - len(unicas)
                usadas |= set(achadas)
        faltam: dict[tuple[float, float], list[int]] = {}
        for m in self.lista.textos:
            if m not in self.de_texto:
                faltam.setdefault(self._vizinhanca(m), []).append(m)
        for (inicio, fim), manuais in faltam.items():
            self._repartir([c for c in self.soltas if c not in usadas and inicio <= c.posicao <= fim], manuais)

    def _repartir(self, perto: list[Celula], manuais: list[int]) -> None:
        """Os textos de uma vizinhança, um para cada discussão que falta nela; os que sobram ficam com a última."""
        textos = [c for c in perto if c.tipo != "code" and _pode_ser_texto(c, manuais)]
        textos = textos or [c for c in perto if c.tipo == "code" and analise.e_prosa(c.fonte)]
        for ordem, m in enumerate(manuais):
            ultima = ordem == len(manuais) - 1
            achadas = textos[ordem:] if ultima else textos[ordem : ordem + 1]
            if achadas:
                self.de_texto[m] = achadas
                self.pela_posicao.add(m)

    def _vizinhanca(self, m: int) -> tuple[float, float]:
        """Entre que posições da entrega a resposta `m` deveria estar."""
        vizinhas = [(i, self.posicao(i)) for i in range(len(self.lista.emitidas)) if i not in self.lista.textos]
        antes = [p for i, p in vizinhas if p is not None and i < m]
        depois = [p for i, p in vizinhas if p is not None and i > m and (not antes or p > antes[-1])]
        return (antes[-1] if antes else -1), (depois[0] if depois else float("inf"))


def _pode_ser_texto(celula: Celula, manuais: list[int]) -> bool:
    """O resto de um enunciado mexido só é resposta se o enunciado é o da questão."""
    return celula.presa is None or celula.presa[0] + 1 in manuais
