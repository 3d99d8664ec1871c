"""`python curso.py prazo`: até quando se entrega cada lista, e quem tem mais prazo, no fuso da turma.

O prazo de uma lista fica no livro de notas, onde o formgrader e o nbgrader também o veem. A prorrogação de um aluno,
que pode não ter entregado ainda, fica em prorrogacoes.json (livro/prorrogacao.py).
"""

import datetime
import sys
from typing import Any

from nbgrader.api import MissingEntry

from configuracao import comandos
from configuracao.terminal import nao_gravei, rodar
from correcao import pasta_da_turma
from correcao.comum import datas
from correcao.comum.reserva import turma_fechada
from correcao.comum.texto import imprimivel
from correcao.livro import quem
from correcao.livro.prorrogacao import gravar_prorrogacoes, ler_prorrogacoes
from correcao.livro.turma import Turma, TurmaIndisponivel
from gabarito.no_nbgrader import listas_do_curso
from helpers.conferencia.listas import achar_lista, nao_existe

FIM_DO_DIA = datetime.time(23, 59)
_DIAS = ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo")


class PedidoSemSentido(Exception):
    """O que não se pode fazer com um prazo, em uma frase que diz o que fazer."""


class Prazos:
    """Os prazos de uma turma."""

    def __init__(self, turma: Turma):
        self.turma, self.dadas = turma, ler_prorrogacoes(turma.raiz)

    def da_lista(self, lista: str) -> datetime.datetime | None:
        """Em UTC; None se a lista não tem prazo."""
        if self.turma.sem_livro:
            return None
        with self.turma.livro() as livro:
            try:
                prazo = livro.find_assignment(lista).duedate
            except MissingEntry:
                return None
        return prazo and prazo.replace(tzinfo=datetime.UTC)

    def por(self, lista: str, prazo: datetime.datetime | None) -> None:
        """Sem prazo, tira o que havia."""
        if prazo is None and self.da_lista(lista) is None:
            raise PedidoSemSentido(f"A {lista} já não tem prazo.")
        with self.turma.livro() as livro:
            # o livro guarda a hora de Greenwich, sem dizer que é
            livro.update_or_create_assignment(lista, duedate=prazo and prazo.replace(tzinfo=None))

    def prorrogar(self, lista: str, alunos: list[str], ate: datetime.datetime) -> None:
        prazo = self.da_lista(lista)
        if prazo is None:
            raise PedidoSemSentido(
                f"A {lista} ainda não tem prazo, e só se dá mais prazo a alguém depois dele. Ponha-o antes: "
                f'python curso.py prazo {lista[6:8]} "{datas.DE_EXEMPLO}"'
            )
        if ate <= prazo:
            raise PedidoSemSentido(
                f"{datas.curta(ate)} não é depois do prazo da {lista}, que é {datas.curta(prazo)}. Nada mudou."
            )
        alunos = self._exigir(alunos)
        da_lista = self.dadas.setdefault(lista, {})
        da_lista.update({aluno: ate.isoformat() for aluno in alunos})
        gravar_prorrogacoes(self.turma.raiz, self.dadas)

    def tirar_de(self, lista: str, alunos: list[str]) -> None:
        da_lista = self.dadas.get(lista, {})
        conhecidos = self.turma.conhecidos()
        alunos = [quem.achar(aluno, conhecidos) or aluno for aluno in alunos]
        for aluno in alunos:
            if aluno not in da_lista:
                raise PedidoSemSentido(f"“{imprimivel(aluno)}” não tem mais prazo na {lista}. Nada mudou.")
        self.dadas[lista] = {aluno: ate for aluno, ate in da_lista.items() if aluno not in alunos}
        gravar_prorrogacoes(self.turma.raiz, self.dadas)

    def _exigir(self, pedidos: list[str]) -> list[str]:
        """As pastas deles; um nome digitado errado seria uma prorrogação que ninguém tem."""
        conhecidos, alunos = self.turma.conhecidos(), []
        for pedido in pedidos:
            aluno = quem.achar(pedido, conhecidos)
            if aluno is None:
                frase = f"Não conheço o aluno “{imprimivel(pedido)}”{quem.parecidos(pedido, conhecidos)}"
                raise PedidoSemSentido(f"{frase}; use o nome da pasta dele em submitted/. Nada mudou.")
            alunos.append(aluno)
        return alunos

    def quadro(self, listas: list[str]) -> str:
        """Uma linha por lista e, debaixo dela, uma por aluno com mais prazo."""
        linhas, largura = [], max(map(len, listas))
        for lista in listas:
            prazo = self.da_lista(lista)
            linhas.append(f"{lista:<{largura}}  {por_extenso(prazo) if prazo else 'sem prazo'}")
            linhas += [f"    {aluno}: até {ate}" for aluno, ate in self._prorrogadas(lista)]
        return "\n".join(linhas)

    def _prorrogadas(self, lista: str) -> list[tuple[str, str]]:
        do_moodle = self.turma.moodle(lista)
        dadas = [(aluno, ate, "") for aluno, ate in self.dadas.get(lista, {}).items()]
        dadas += [(a, d["prorrogacao"], ", pelo Moodle") for a, d in do_moodle.items() if d.get("prorrogacao")]
        nomes, linhas = self.turma.conhecidos() if dadas else {}, []
        for aluno, ate, origem in dadas:
            dito = f"{aluno} · {nomes[aluno]}" if nomes.get(aluno) else aluno
            lida = datas.de_dados(ate)
            linhas.append((imprimivel(dito), f"{datas.curta(lida)}{origem}" if lida else "(data ilegível)"))
        return sorted(linhas)

    def atrasadas(self, lista: str) -> list[str]:
        """Quem, com o prazo de agora, entregou atrasado."""
        with self.turma.livro() as livro:
            guardadas = livro.assignment_submissions(lista)
            return sorted(e.student.id for e in guardadas if self.turma.atrasos.segundos(e) > 0)


def por_extenso(quando: datetime.datetime) -> str:
    """segunda-feira, 14/09/2026 23:59 (UTC-3)."""
    local = datas.aqui(quando)
    return f"{_DIAS[local.weekday()]}, {local:%d/%m/%Y %H:%M} ({datas.diferenca(local)})"


def ler_pedida(palavras: list[str]) -> datetime.datetime:
    """A data que se digitou; sem a hora, o fim do dia."""
    texto = " ".join(palavras)
    lida = datas.ler_data(texto, FIM_DO_DIA)
    if lida is None or not 2000 <= lida.year < 2200:
        raise PedidoSemSentido(
            f"Não entendi a data “{imprimivel(texto)}”; escreva o dia, o mês, o ano e a hora, como em "
            f'"{datas.DE_EXEMPLO}". Nada mudou.'
        )
    return lida


def mudar(prazos: Prazos, pedido: Any, lista: str) -> None:
    if pedido.tirar and pedido.data:
        raise PedidoSemSentido("Com “--tirar” não vai uma data: fique com um dos dois. Nada mudou.")
    if pedido.tirar:
        prazos.tirar_de(lista, pedido.aluno) if pedido.aluno else prazos.por(lista, None)
    elif pedido.data:
        quando = ler_pedida(pedido.data)
        prazos.prorrogar(lista, pedido.aluno, quando) if pedido.aluno else prazos.por(lista, quando)
    elif pedido.aluno:
        raise PedidoSemSentido(f'Falta dizer até quando: python curso.py prazo {pedido.lista} "{datas.DE_EXEMPLO}" …')


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("prazo", argumentos)
    lista = achar_lista(pedido.lista, listas_do_curso()) if pedido.lista else None
    try:
        if pedido.lista and lista is None:
            raise PedidoSemSentido(nao_existe(pedido.lista, listas_do_curso()))
        if lista is None and (pedido.aluno or pedido.tirar):
            raise PedidoSemSentido("Diga de que lista é o prazo: python curso.py prazo LISTA DATA")
        turma = Turma(pasta_da_turma())
        prazos = Prazos(turma)
        if lista is not None:
            with turma_fechada(turma.raiz):
                mudar(prazos, pedido, lista)
        print(prazos.quadro([lista] if lista else listas_do_curso()))
        print(turma.atraso.politica())
        if lista is not None and not turma.sem_livro and (atrasadas := Prazos(Turma(turma.raiz)).atrasadas(lista)):
            quantas = "1 entrega atrasada" if len(atrasadas) == 1 else f"{len(atrasadas)} entregas atrasadas"
            print(f"Com esse prazo, há {quantas}: {', '.join(map(imprimivel, atrasadas))}.")
    except (PedidoSemSentido, TurmaIndisponivel) as erro:
        print(erro, file=sys.stderr)
        return 2
    except OSError as erro:
        print(nao_gravei(erro), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    rodar(main)
