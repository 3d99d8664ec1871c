"""O notebook de volta à ordem da lista, com cada resposta na sua célula e as células a mais do aluno onde estavam."""

from bisect import bisect_left
from functools import cached_property

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_markdown_cell, new_raw_cell

from correcao.chegada.reparo.analise import sem_cerca, so_define
from correcao.chegada.reparo.avisos import imita
from correcao.chegada.reparo.celulas import Celula
from correcao.chegada.reparo.lista import Lista
from correcao.chegada.reparo.respostas import Respostas
from correcao.chegada.reparo.triagem import Triagem


class Montagem:
    """Diz o que é cada célula da entrega e monta o notebook."""

    def __init__(self, lista: Lista, celulas: list[Celula]):
        self.lista = lista
        self.triagem = Triagem(lista, celulas)
        self.respostas = Respostas(self.triagem)

    def notebook(self) -> NotebookNode:
        usadas = {*self.respostas.dono.values(), *(c for cs in self.respostas.de_texto.values() for c in cs)}
        lugares: dict[int, list[NotebookNode]] = {}
        for celula in self.triagem.soltas:
            if celula not in usadas:
                lugares.setdefault(self._lugar(celula), []).append(_a_mais(celula))
        celulas = lugares.get(-1, [])
        for i in range(len(self.lista.emitidas)):
            celulas.append(self._pronta(i))
            celulas += lugares.get(i, [])
        return self.lista.notebook(celulas)

    def _pronta(self, i: int) -> NotebookNode:
        dono, de_texto = self.respostas.dono, self.respostas.de_texto
        if i in dono:
            return self.lista.celula(i, dono[i].fonte if dono[i].tipo == "code" else sem_cerca(dono[i].fonte))
        if i in de_texto:
            imagens = {nome: dados for c in de_texto[i] for nome, dados in c.anexos.items()}
            return self.lista.celula(i, "\n\n".join(c.fonte for c in de_texto[i]), imagens)
        return self.lista.celula(i)

    # ------------------------------------------------ a ordem

    @property
    def fora_de_ordem(self) -> int:
        """Quantas células da lista saíram do lugar."""
        return len(self._ancoras) - len(self._em_ordem)

    @cached_property
    def _ancoras(self) -> list[tuple[int, int]]:
        """(posição na entrega, índice na lista) das células reconhecidas, na ordem da entrega."""
        posicao = self.respostas.posicao
        return sorted((p, i) for i in range(len(self.lista.emitidas)) if (p := posicao(i)) is not None)

    @cached_property
    def _em_ordem(self) -> list[tuple[int, int]]:
        """As âncoras que não saíram do lugar: a maior subsequência que cresce."""
        fim: list[int] = []  # o menor último índice de uma subsequência de cada tamanho
        quem: list[int] = []
        anterior: list[int | None] = []
        for n, (_, i) in enumerate(self._ancoras):
            k = bisect_left(fim, i)
            anterior.append(quem[k - 1] if k else None)
            fim[k : k + 1] = [i]
            quem[k : k + 1] = [n]
        caminho: list[tuple[int, int]] = []
        ultima = quem[-1] if quem else None
        while ultima is not None:
            caminho.append(self._ancoras[ultima])
            ultima = anterior[ultima]
        return caminho[::-1]

    def _lugar(self, celula: Celula) -> int:
        """Depois de que célula da lista entra uma célula a mais (−1: antes de todas)."""
        if celula.presa is not None:
            i, lado = celula.presa
            return i - 1 if lado == "antes" else i
        k = bisect_left(self._em_ordem, (celula.posicao, -1))
        lugar = self._em_ordem[k - 1][1] if k else -1
        if self.fora_de_ordem and so_define(celula.fonte):
            # Uma auxiliar não pode ficar depois de quem vinha depois dela e voltou para o seu lugar.
            mudadas = set(self._ancoras) - set(self._em_ordem)
            seguintes = [i for p, i in mudadas if p > celula.posicao and i in self.respostas.dono]
            lugar = min([lugar, *(i - 1 for i in seguintes)])
        return lugar


def _a_mais(celula: Celula) -> NotebookNode:
    """Uma célula que não é da lista: fica no lugar, sem metadado algum."""
    if celula.tipo == "code":
        # o new_code_cell conferiria o esquema já aqui; quem exporta o notebook o confere inteiro
        campos: dict = {
            "cell_type": "code",
            "metadata": {},
            "source": celula.fonte,
            "outputs": [],
            "execution_count": None,
        }
        return from_dict(campos)
    if celula.tipo == "raw" or imita(celula.fonte):  # um texto cru não parece um aviso
        return new_raw_cell(celula.fonte)
    nova = new_markdown_cell(celula.fonte)
    if celula.imagens:
        nova.attachments = from_dict(celula.anexos)
    return nova
