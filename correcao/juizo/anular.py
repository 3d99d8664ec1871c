"""`python curso.py corrigir LISTA --questao Q --anular`: os pontos da questão passam a ser de todos os que entregaram.

Nada se grava sem `--aplicar`. Julgá-la de novo (`--questao Q --aplicar`) a faz valer outra vez.
"""

from pathlib import Path

from nbgrader.preprocessors import AssignLatePenalties

from correcao.chegada.recebimento import ler_emitida
from correcao.comum.anotacao import nome_da_resposta, pontos_de
from correcao.comum.texto import imprimivel
from correcao.comum.trava import NaoDaParaCorrigir
from correcao.juizo.rodada import BEM, Rodada
from correcao.livro.anuladas import dar_os_pontos, gravar_anuladas, ler_anuladas
from correcao.livro.atraso import Atrasos, descontar
from correcao.livro.livro import guardar_copia
from gabarito.no_nbgrader import configuracao
from helpers.escrita import numero


class Anulacao(Rodada):
    """A de uma questão, das que o programa corrige ou das que uma pessoa lê."""

    def achar(self, pedida: str) -> str:
        ids = pontos_de(ler_emitida(self.coursedir, self.lista))
        for id_ in ids:
            if pedida.rpartition("/")[2] in (id_, nome_da_resposta(id_)):
                return id_
        nomes = ", ".join(map(nome_da_resposta, ids))
        raise NaoDaParaCorrigir(f"A {self.lista} não tem a questão “{imprimivel(pedida)}”; existem: {nomes}.")

    def notas(self, questao: str) -> dict[str, tuple[float, float]]:
        """Aluno → o que tem nela, e o que passa a ter."""
        with self._livro() as livro:
            guardadas = livro.assignment_submissions(self.lista)
            achadas = {e.student_id: g for e in guardadas for n in e.notebooks for g in n.grades if g.name == questao}
            return {a: (g.score, g.max_score + (g.extra_credit or 0.0)) for a, g in sorted(achadas.items())}

    def gravar(self, questao: str) -> None:
        """Primeiro se anota: se isto parar no meio, rodar de novo completa o resto."""
        guardar_copia(self.coursedir.db_url, self.raiz)
        anuladas = ler_anuladas(self.raiz)
        anuladas[self.lista] = sorted({*anuladas.get(self.lista, []), questao})
        gravar_anuladas(self.raiz, anuladas)
        quem, atrasos = AssignLatePenalties(config=configuracao(self.raiz)), Atrasos(self.raiz)
        with self._livro() as livro:
            for entrega in livro.assignment_submissions(self.lista):
                for nota in (g for n in entrega.notebooks for g in n.grades if g.name == questao):
                    dar_os_pontos(nota)
            livro.db.flush()
            livro.db.expire_all()  # a nota de um notebook é uma soma, que o SQLAlchemy já leu
            for entrega in livro.assignment_submissions(self.lista):
                descontar(quem, livro, atrasos, self.lista, self.lista, entrega.student_id)
            livro.db.commit()


def mostrar(lista: str, pedida: str, raiz: Path, aplicar: bool) -> int:
    rodada = Anulacao(lista, raiz)
    questao = rodada.achar(pedida)
    rodada.preparar()
    notas = rodada.notas(questao)
    if not notas:
        raise NaoDaParaCorrigir(f"Nenhuma entrega da {lista} foi corrigida; corrija antes de anular.")
    if aplicar:
        rodada.gravar(questao)
    largura = max(len(imprimivel(aluno)) for aluno in notas)
    for aluno, (antes, depois) in notas.items():
        print(f"{imprimivel(aluno):<{largura}}  {numero(antes):>5} → {numero(depois)}")
    mudam = sum(abs(antes - depois) > 1e-9 for antes, depois in notas.values())
    dito = f"{mudam} de {len(notas)} notas {'mudaram' if aplicar else 'mudam'}"
    fim = f". Para que os alunos leiam: python curso.py devolver {lista.split('-')[1]}"
    print(dito + (fim if aplicar else "; nada foi gravado: para gravar, rode de novo com --aplicar."))
    return BEM
