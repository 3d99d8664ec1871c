"""`python curso.py reentrega`: quem pode entregar de novo depois do prazo, até quando, e qual entrega vale."""

import datetime
import sys
from typing import Any

from configuracao import comandos
from configuracao.terminal import nao_gravei, rodar
from correcao import pasta_da_turma
from correcao.comum import datas
from correcao.comum.reserva import turma_fechada
from correcao.comum.texto import imprimivel
from correcao.livro.prazo import PedidoSemSentido, Prazos, ler_pedida
from correcao.livro.tentativas import MELHOR, Politica, gravar_reentregas, ler_reentregas
from correcao.livro.turma import Turma, TurmaIndisponivel
from gabarito.no_nbgrader import listas_do_curso
from helpers.conferencia.listas import achar_lista, nao_existe


def mudar(turma: Turma, lista: str, pedido: Any) -> None:
    todas = ler_reentregas(turma.raiz)
    if pedido.tirar:
        if pedido.data:
            raise PedidoSemSentido("Com “--tirar” não vai uma data: fique com um dos dois. Nada mudou.")
        if lista not in todas:
            raise PedidoSemSentido(f"A {lista} não aceita reentregas. Nada mudou.")
        del todas[lista]
    elif pedido.data:
        todas[lista] = _politica(turma, lista, pedido, todas.get(lista))
    elif pedido.vale or pedido.teto:
        raise PedidoSemSentido(
            f'Falta dizer até quando: python curso.py reentrega {pedido.lista} "{datas.DE_EXEMPLO}" …'
        )
    else:
        return
    gravar_reentregas(turma.raiz, todas)


def _politica(turma: Turma, lista: str, pedido: Any, antes: Politica | None) -> Politica:
    """A pedida; o que ela não diz fica como estava."""
    prazo, ate = Prazos(turma).da_lista(lista), ler_pedida(pedido.data)
    if prazo is None:
        raise PedidoSemSentido(
            f"A {lista} ainda não tem prazo, e só se entrega de novo depois dele. Ponha-o antes: "
            f'python curso.py prazo {lista[6:8]} "{datas.DE_EXEMPLO}"'
        )
    if ate <= prazo:
        raise PedidoSemSentido(
            f"{datas.curta(ate)} não é depois do prazo da {lista}, que é {datas.curta(prazo)}. Nada mudou."
        )
    vale, teto = (antes.vale, antes.teto) if antes else (MELHOR, 100)
    return Politica(ate.astimezone(datetime.UTC).replace(tzinfo=None), pedido.vale or vale, pedido.teto or teto)


def quadro(turma: Turma, listas: list[str]) -> str:
    todas, largura = ler_reentregas(turma.raiz), max(map(len, listas))
    linhas = [f"{lista:<{largura}}  {todas.get(lista, 'sem reentrega: vale a última')}" for lista in listas]
    for lista in listas if len(listas) == 1 and not turma.sem_livro else []:
        if perdidas := nunca_corrigidas(turma, lista):
            quem = ", ".join(map(imprimivel, perdidas))
            linhas.append(f"Entregaram de novo antes de a anterior ser corrigida, e ela não conta: {quem}.")
    return "\n".join(linhas)


def nunca_corrigidas(turma: Turma, lista: str) -> list[str]:
    """De quem há, em anteriores/, mais entregas do que o livro lembra."""
    with turma.livro() as livro:
        lembradas = {e.student.id: len(turma.tentativas(e)) - 1 for e in livro.assignment_submissions(lista)}
    pastas = {
        p.parent.name: len([q for q in p.iterdir() if q.is_dir()]) for p in turma.raiz.glob(f"anteriores/*/{lista}")
    }
    return sorted(aluno for aluno, quantas in pastas.items() if quantas > lembradas.get(aluno, 0))


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("reentrega", argumentos)
    lista = achar_lista(pedido.lista, listas_do_curso()) if pedido.lista else None
    try:
        if pedido.lista and lista is None:
            raise PedidoSemSentido(nao_existe(pedido.lista, listas_do_curso()))
        if lista is None and (pedido.vale or pedido.teto or pedido.tirar):
            raise PedidoSemSentido("Diga de que lista é a reentrega: python curso.py reentrega LISTA DATA")
        turma = Turma(pasta_da_turma())
        if lista is not None:
            with turma_fechada(turma.raiz):
                mudar(turma, lista, pedido)
        print(quadro(turma, [lista] if lista else listas_do_curso()))
        if lista is not None and (pedido.data or pedido.tirar):
            print(f"As notas já são as desta regra: rode devolver {lista[6:8]} e notas {lista[6:8]} outra vez.")
    except (PedidoSemSentido, TurmaIndisponivel) as erro:
        print(erro, file=sys.stderr)
        return 2
    except OSError as erro:
        print(nao_gravei(erro), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    rodar(main)
