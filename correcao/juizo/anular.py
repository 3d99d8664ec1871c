"""`python curso.py corrigir LISTA --questao Q --anular`: os pontos da questão passam a ser de todos os que entregaram.

Nada se grava sem `--aplicar`. Pedi-la de novo (`--questao Q --aplicar`) desiste: cada um volta a ter o que tinha, e
nada se julga.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties

from correcao.chegada.recebimento import ler_emitida
from correcao.comum.anotacao import nome_da_resposta, pontos_de
from correcao.comum.texto import imprimivel
from correcao.comum.trava import NaoDaParaCorrigir
from correcao.juizo.rodada import BEM, OLHAR, Rodada
from correcao.livro import anuladas
from correcao.livro.anuladas import gravar_anuladas, ler_anuladas
from correcao.livro.atraso import Atrasos, descontar
from correcao.livro.livro import guardar_copia
from gabarito.no_nbgrader import configuracao
from helpers.escrita import numero


@dataclass
class Mudanca:
    """O que um aluno tem na questão, e o que passa a ter; None se não se sabe."""

    antes: float
    depois: float | None


class Anulacao(Rodada):
    """A de uma questão, das que o programa corrige ou das que uma pessoa lê."""

    def achar(self, pedida: str) -> str:
        ids = pontos_de(ler_emitida(self.coursedir, self.lista))
        for id_ in ids:
            if pedida.rpartition("/")[2] in (id_, nome_da_resposta(id_)):
                return id_
        nomes = ", ".join(map(nome_da_resposta, ids))
        raise NaoDaParaCorrigir(f"A {self.lista} não tem a questão “{imprimivel(pedida)}”; existem: {nomes}.")

    def anular(self, questao: str, aplicar: bool) -> dict[str, Mudanca]:
        """Primeiro se anota: se isto parar no meio, rodar de novo completa o resto."""
        todas = ler_anuladas(self.raiz)
        nova = questao not in todas.get(self.lista, [])
        if aplicar:
            guardar_copia(self.coursedir.db_url, self.raiz)
            gravar_anuladas(self.raiz, todas | {self.lista: sorted({*todas.get(self.lista, []), questao})})

        def mudar(sessao: Any, notas: list[Any]) -> None:
            if aplicar and nova:  # o que sobrou de uma anulação de que se desistiu, se aquilo parou no meio
                anuladas.esquecer(sessao, notas)
            if aplicar:
                anuladas.guardar_o_de_antes(sessao, notas)
            for nota in notas:
                anuladas.dar_os_pontos(nota)

        return self._mudar(questao, aplicar, mudar)

    def desistir(self, questao: str, aplicar: bool) -> dict[str, Mudanca]:
        """Por último se anota: até lá, rodar de novo faz o mesmo."""
        sem_registro: set[str] = set()

        def mudar(sessao: Any, notas: list[Any]) -> None:
            guardadas = anuladas.antes_de_anular(sessao, notas)
            sem_registro.update(n.id for n in notas if n.id not in guardadas)
            for nota in (n for n in notas if n.id in guardadas):
                anuladas.desfazer(nota, guardadas[nota.id])

        if aplicar:
            guardar_copia(self.coursedir.db_url, self.raiz)
        feitas = self._mudar(questao, aplicar, mudar, sem_registro)
        if aplicar:
            todas = ler_anuladas(self.raiz)
            gravar_anuladas(self.raiz, todas | {self.lista: [q for q in todas[self.lista] if q != questao]})
            with self._livro() as livro:
                anuladas.esquecer(livro.db, (nota for _, nota in self._notas(livro, questao)))
                livro.db.commit()
        return feitas

    def _notas(self, livro: Gradebook, questao: str) -> list[tuple[str, Any]]:
        guardadas = livro.assignment_submissions(self.lista)
        achadas = [(e.student_id, g) for e in guardadas for n in e.notebooks for g in n.grades if g.name == questao]
        return sorted(achadas, key=lambda par: par[0])

    def _mudar(
        self, questao: str, aplicar: bool, mudar: Callable[[Any, list[Any]], None], sem: Iterable[str] = ()
    ) -> dict[str, Mudanca]:
        """Uma transação só, com os descontos por atraso que mudam com as notas; sem `aplicar`, nada fica."""
        quem, atrasos = AssignLatePenalties(config=configuracao(self.raiz)), Atrasos(self.raiz)
        with self._livro() as livro:
            try:
                notas = self._notas(livro, questao)
                antes = {nota.id: nota.score for _, nota in notas}
                mudar(livro.db, [nota for _, nota in notas])
                livro.db.flush()
                livro.db.expire_all()  # a nota de um notebook é uma soma, que o SQLAlchemy já leu
                feitas = {a: Mudanca(antes[n.id], None if n.id in sem else n.score) for a, n in notas}
                for aluno in feitas if aplicar else ():
                    descontar(quem, livro, atrasos, self.lista, self.lista, aluno)
                if aplicar:
                    livro.db.commit()
            finally:
                livro.db.rollback()
        return feitas


def anulada(raiz: Path, lista: str, pedida: str) -> bool:
    """A questão pedida está anulada? Uma que não existe, não está."""
    da_lista = ler_anuladas(raiz).get(lista, [])
    return any(pedida.rpartition("/")[2] in (id_, nome_da_resposta(id_)) for id_ in da_lista)


def mostrar(lista: str, pedida: str, raiz: Path, aplicar: bool) -> int:
    rodada = Anulacao(lista, raiz)
    questao = rodada.achar(pedida)
    rodada.preparar()
    if not rodada.anular(questao, aplicar=False):
        raise NaoDaParaCorrigir(f"Nenhuma entrega da {lista} foi corrigida; corrija antes de anular.")
    return _dizer(rodada.anular(questao, aplicar), lista, aplicar)


def mostrar_a_desistencia(lista: str, pedida: str, raiz: Path, alunos: list[str] | None, aplicar: bool) -> int:
    rodada = Anulacao(lista, raiz)
    questao = rodada.achar(pedida)
    nome = nome_da_resposta(questao)
    if alunos:
        raise NaoDaParaCorrigir(f"A questão {nome} está anulada, para todos; tire “--aluno”.")
    rodada.preparar()
    feitas = rodada.desistir(questao, aplicar)
    verbo = (
        "volta a valer, e cada um tem nela" if aplicar else "está anulada; com --aplicar, volta a valer, e cada um tem"
    )
    print(f"A questão {nome} {verbo} o que tinha antes.")
    codigo = _dizer(feitas, lista, aplicar)
    curta = lista.split("-")[1]
    for aluno in (a for a, m in feitas.items() if m.depois is None):
        quem = imprimivel(aluno)
        print(f"{quem}: não se sabe o que tinha; rode python curso.py corrigir {curta} --aluno {quem} --de-novo")
        codigo = OLHAR
    return codigo


def _dizer(feitas: dict[str, Mudanca], lista: str, aplicar: bool) -> int:
    largura = max((len(imprimivel(aluno)) for aluno in feitas), default=0)
    for aluno, m in feitas.items():
        depois = "?" if m.depois is None else numero(m.depois)
        print(f"{imprimivel(aluno):<{largura}}  {numero(m.antes):>5} → {depois}")
    mudam = sum(m.depois is not None and abs(m.antes - m.depois) > 1e-9 for m in feitas.values())
    dito = f"{mudam} de {len(feitas)} notas {'mudaram' if aplicar else 'mudam'}"
    fim = f". Para que os alunos leiam: python curso.py devolver {lista.split('-')[1]}"
    print(dito + (fim if aplicar else "; nada foi gravado: para gravar, rode de novo com --aplicar."))
    return BEM
