"""`python curso.py corrigir LISTA`: corrige todas as entregas de uma lista, e diz no fim quem precisa de um olhar.

É o `nbgrader autograde` com três cuidados a mais: cada aluno é um caso à parte, o que já foi corrigido e não mudou
não é corrigido outra vez, e o que parou no meio recomeça.
"""

import logging
import os
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.api import InvalidEntry
from nbgrader.converters import Autograde
from nbgrader.utils import rmtree
from sqlalchemy.exc import DatabaseError

from configuracao import comandos
from configuracao.terminal import NAO_SE_GRAVA, nao_gravei, rodar
from correcao import pasta_da_turma
from correcao.caixa import caixa, provisionador
from correcao.chegada.recebimento import ler_emitida, receber
from correcao.comum.anotacao import pontos_de, pontos_do_corrigido, registro_da_correcao
from correcao.comum.moodle import ler_anotado
from correcao.comum.reserva import aviso, pasta_fechada, turma_fechada
from correcao.comum.texto import imprimivel
from correcao.comum.trava import NaoDaParaCorrigir, OutraCorrecao
from correcao.juizo import anular, rejulgar
from correcao.juizo.cluster import cluster
from correcao.juizo.guardado import EVIDENCIAS
from correcao.juizo.rodada import (
    BEM,
    INTERROMPIDA,
    OLHAR,
    PEDIDO_ERRADO,
    PROBLEMA,
    REGISTRO,
    Rodada,
    em_cada_uma,
    quantas_de_cada_vez,
)
from correcao.livro import quem
from correcao.livro.livro import (
    LivroIndisponivel,
    aberto_por_todo,
    conexao_guardada,
    do_banco,
    em_portugues,
    guardar_copia,
)
from correcao.livro.turma import Turma, TurmaIndisponivel
from gabarito.no_nbgrader import completar_no_livro, listas_do_curso
from helpers import RAIZ
from helpers.conferencia.listas import achar_lista, nao_existe
from helpers.conferencia.por_dentro import guardar_os_preprocessadores
from helpers.escrita import numero

_ATALHO = "A pasta da entrega, em submitted/, é um atalho (link); ponha no lugar a pasta de verdade e rode de novo."


@dataclass
class Situacao:
    """Como ficou a entrega de um aluno."""

    aluno: str
    nota: float | None = None
    de: float = 0.0
    desconto: float = 0.0  # por atraso; a nota já vem sem ele
    esperando: bool = False  # há questão que uma pessoa ainda precisa ler
    em_dia: bool = False  # já estava corrigida e não mudou
    motivo: str | None = None
    consertos: list[str] = field(default_factory=list)
    defeito: bool = False  # um erro nosso, que a próxima correção refaz: não há nota


class Corretor(Autograde):
    """O Autograde do nbgrader para uma entrega, que é sempre refeita: se é preciso, já decidiu quem chama."""

    def start(self) -> None:
        with conexao_guardada(self.coursedir.db_url):
            super().start()

    def init_notebooks(self) -> None:
        """Também a pasta sem notebook algum é uma entrega: vale zero, com o motivo."""
        lista, aluno = self.coursedir.assignment_id, self.coursedir.student_id
        pasta = self.coursedir.format_path(self.coursedir.submitted_directory, aluno, lista)
        self.notebooks: list[str] = []
        self.assignments = {pasta: [os.path.join(pasta, f"{lista}.ipynb")]}

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        destino = self.coursedir.format_path(self.coursedir.autograded_directory, student_id, assignment_id)
        if os.path.exists(destino):
            rmtree(destino)
        return True

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        with aberto_por_todo(self.coursedir.db_url, self.coursedir.course_id):
            super().init_assignment(assignment_id, student_id)


class Correcao(Rodada):
    """Corrige as entregas de uma lista. Com `de_novo`, também as que não mudaram."""

    def __init__(self, lista: str, raiz: Path = RAIZ, de_novo: bool = False, registro: logging.Logger | None = None):
        super().__init__(lista, raiz, registro)
        self.de_novo = de_novo
        self._feitos: dict[bool, list[Any]] = {}  # os preprocessadores das duas passadas do nbgrader

    def comecar(self) -> None:
        """O que a turma inteira precisa: a caixa, uma cópia do livro, a lista nele."""
        try:
            caixa.exigir(self.coursedir.root)
        except caixa.SemCaixa as erro:
            raise NaoDaParaCorrigir(str(erro)) from None
        if aviso := caixa.canais_abertos():
            print(aviso, file=sys.stderr)
        provisionador.varrer()
        for pasta in ("autograded", EVIDENCIAS):
            pasta_fechada(self.raiz / pasta)
        guardar_copia(self.coursedir.db_url, self.raiz)
        problema = completar_no_livro(self.lista, self.coursedir)
        if problema:
            raise NaoDaParaCorrigir(f"A lista {self.lista} não pôde ser posta no livro de notas: {problema}")

    def em_dia(self, alunos: list[str]) -> set[str]:
        """De quem a correção chegou ao fim, está no livro, e é do que está agora em submitted/."""
        if self.de_novo:
            return set()
        with self._livro() as livro:  # o livro pode ter sido trocado por um vazio depois da correção
            no_livro = {entrega.student_id for entrega in livro.assignment_submissions(self.lista)}
        emitida = ler_emitida(self.coursedir, self.lista)
        return {aluno for aluno in alunos if aluno in no_livro and self._nao_mudou(aluno, emitida)}

    def _nao_mudou(self, aluno: str, emitida: Any) -> bool:
        anotacao = registro_da_correcao(self._corrigido(aluno))
        if anotacao is None or anotacao.defeito or pontos_do_corrigido(self._corrigido(aluno)) != pontos_de(emitida):
            return False
        pasta = Path(self.coursedir.format_path(self.coursedir.submitted_directory, aluno, self.lista))
        return anotacao.entrega == receber(pasta, self.lista, emitida).resumo

    def corrigir(self, aluno: str) -> Situacao:
        """Corrige uma entrega. Só deixa passar o que impediria também as outras."""
        if aluno != aluno.strip() or not aluno.isprintable():  # o nbgrader trocaria o nome, e a nota seria de outro
            motivo = "O nome da pasta tem espaços nas pontas ou quebras de linha; mude-o e rode de novo."
            return Situacao(aluno, motivo=motivo)
        self.coursedir.assignment_id, self.coursedir.student_id = self.lista, aluno
        corretor = Corretor(coursedir=self.coursedir, parent=self.api)
        corretor.log = self.registro
        guardar_os_preprocessadores(corretor, self._feitos)
        try:
            corretor.start()
        except DatabaseError:
            raise
        except Exception as erro:  # nada de um aluno pode parar a turma
            if isinstance(erro.__context__, DatabaseError):
                raise erro.__context__ from None
            if isinstance(erro.__context__, InvalidEntry) and (do_livro := do_banco(erro.__context__)):
                raise do_livro from None
            self.registro.exception("a correção de %s não terminou", aluno)
            self.exigir_espaco()
            # o que houver em autograded/ é de uma entrega anterior
            return Situacao(aluno, motivo=f"A correção desta entrega não terminou; veja {REGISTRO} e rode de novo.")
        return Situacao(aluno)

    def completar(self, situacoes: list[Situacao]) -> None:
        """As notas, do livro, e o que a correção anotou."""
        turma = Turma(self.raiz)
        with self._livro() as livro:
            entregas = {entrega.student_id: entrega for entrega in livro.assignment_submissions(self.lista)}
            for situacao in situacoes:
                if situacao.motivo is None:
                    self._completar(situacao, entregas.get(situacao.aluno), turma)

    def _completar(self, situacao: Situacao, entrega: Any, turma: Turma) -> None:
        anotacao = registro_da_correcao(self._corrigido(situacao.aluno))
        if anotacao is None or entrega is None:
            situacao.motivo = f"A correção desta entrega não terminou; veja {REGISTRO}."
            return
        situacao.motivo, situacao.consertos = anotacao.motivo, anotacao.consertos
        situacao.defeito = anotacao.defeito is not None
        if situacao.defeito:  # os pontos que há no livro não são uma nota
            return
        _, situacao.desconto = turma.atraso_e_desconto(entrega)
        situacao.nota, situacao.de = max(0.0, entrega.score - situacao.desconto), entrega.max_score
        situacao.esperando = entrega.needs_manual_grade


def quadro(situacoes: list[Situacao]) -> str:
    """Uma linha por aluno, com o que há a dizer dele."""
    largura = max([len(s.aluno) for s in situacoes] + [len("aluno")])
    linhas = [f"{'aluno':<{largura}}  {'nota':>11}  situação"]
    for s in situacoes:
        nota = "sem nota" if s.nota is None else f"{numero(s.nota)} de {numero(s.de)}"
        linhas.append(f"{imprimivel(s.aluno):<{largura}}  {nota:>11}  {_situacao(s)}")
    return "\n".join(linhas)


def _situacao(s: Situacao) -> str:
    partes = [s.motivo.rstrip(".")] if s.motivo else []
    if s.consertos:
        partes.append(f"com {len(s.consertos)} {'aviso' if len(s.consertos) == 1 else 'avisos'}")
    partes += [f"já com o desconto de {numero(s.desconto)} por atraso"] if s.desconto else []
    partes += ["espera a leitura de uma pessoa"] if s.esperando else []
    partes += ["já estava corrigida"] if s.em_dia else []
    return "; ".join(partes) or "corrigida"


def resumo(lista: str, situacoes: list[Situacao]) -> str:
    """O fecho: quantas, quantas esperam, quem precisa de um olhar."""
    olhar = [imprimivel(s.aluno) for s in situacoes if s.motivo]
    quantas = f"{len(situacoes)} {'entrega' if len(situacoes) == 1 else 'entregas'}"
    esperam = sum(s.esperando for s in situacoes)
    repetidas = sum(s.em_dia for s in situacoes)
    frases = [f"{quantas}{f', {repetidas} sem mudança desde a última correção' if repetidas else ''}."]
    if esperam:
        verbo = "espera" if esperam == 1 else "esperam"
        frases.append(f"{esperam} {verbo} a leitura das questões abertas: python curso.py ler {lista}")
    if olhar:
        frases.append(f"Precisam de um olhar: {', '.join(olhar)}.")
    if refazer := [imprimivel(s.aluno) for s in situacoes if s.defeito]:
        frases.append(
            f"Sem nota, por um defeito da correção, e não da entrega: {', '.join(refazer)}. O que houve está em "
            f"{REGISTRO}; rode de novo, e só o que falta é refeito: python curso.py corrigir {lista}"
        )
    return "\n".join(frases)


def corrigir(
    lista: str,
    raiz: Path = RAIZ,
    alunos: list[str] | None = None,
    de_novo: bool = False,
    processos: int | None = 1,
    endereco: str | None = None,
    nova: bool = False,
) -> list[Situacao]:
    """Corrige as entregas de `lista` na turma em `raiz`, `processos` de cada vez, e devolve a situação de cada uma.

    Com None, tantas de cada vez quantas couberem; com 1, neste mesmo processo; com o endereço de um cluster, nele. Com
    `nova`, antes passa a turma para a lista que mudou.
    """
    rodada = Correcao(lista, raiz, de_novo)
    todos, atalhos = rodada.alunos(), rodada.atalhos()
    if not todos and not atalhos:
        raise NaoDaParaCorrigir(
            f"Não há entregas de {lista} em {rodada.coursedir.submitted_directory}/ALUNO/{lista}; "
            "ponha lá os notebooks recebidos e rode de novo."
        )
    estranhos = sorted(set(alunos or []) - {*todos, *atalhos})
    if estranhos:
        grupo = ler_anotado(rodada.raiz).get(lista, {}).get(estranhos[0], {}).get("grupo")
        dica = f" A que ele tem é a do grupo: --aluno {grupo}" if grupo else ""
        raise NaoDaParaCorrigir(rodada.nao_ha_entrega(estranhos[0]) + dica)
    rodada.preparar(nova)
    alvos = [aluno for aluno in todos if not alunos or aluno in alunos]
    em_dia = rodada.em_dia(alvos)
    feitas = _corrigir_estas(rodada, [a for a in alvos if a not in em_dia], processos, endereco)
    situacoes = [Situacao(aluno, em_dia=True) if aluno in em_dia else feitas[aluno] for aluno in alvos]
    situacoes += [Situacao(aluno, motivo=_ATALHO) for aluno in atalhos if not alunos or aluno in alunos]
    rodada.completar(situacoes)
    return situacoes


def _corrigir_estas(
    rodada: Correcao, alunos: list[str], processos: int | None, endereco: str | None
) -> dict[str, Situacao]:
    if not alunos:
        return {}
    rodada.comecar()
    nosso = cluster.conectar(endereco) if endereco else None
    quantos = quantas_de_cada_vez(processos, alunos, nosso)
    outras = [Correcao(rodada.lista, rodada.raiz, rodada.de_novo, rodada.registro) for _ in range(quantos - 1)]
    rodadas = [rodada, *outras]
    return em_cada_uma(rodada, alunos, quantos, "Corrigindo", lambda aluno, i: rodadas[i].corrigir(aluno), nosso)


def _pedido_que_nao_combina(pedido: Any) -> str | None:
    if pedido.aplicar and not pedido.questao:
        return "A opção “--aplicar” grava o que “--questao Q” mostrou; diga a questão, ou corrija sem “--aplicar”."
    if pedido.anular and (not pedido.questao or pedido.aluno):
        return "“--anular” é de uma questão, e da turma inteira: corrigir LISTA --questao Q --anular, sem “--aluno”."
    if pedido.lista_nova and (pedido.questao or pedido.aluno):
        return "“--lista-nova” é da turma inteira: vai sem “--aluno” e sem “--questao”."
    if pedido.questao and pedido.de_novo:
        return (
            "“--questao” julga o que as entregas já responderam, e “--de-novo” as executa outra vez: fique com uma só."
        )
    if pedido.questao and pedido.cluster:
        return "“--questao” julga o que já está guardado neste computador, e não usa o cluster: tire “--cluster”."
    return None


def _pelo_nome(pedidos: list[str], raiz: Path, lista: str) -> list[str]:
    """As pastas dos alunos que se pediram; quem pediu pode ter escrito o nome da pessoa."""
    if not pedidos or all((raiz / "submitted" / aluno / lista).exists() for aluno in pedidos):
        return pedidos
    conhecidos = Turma(raiz).conhecidos()
    return [quem.achar(aluno, conhecidos) or aluno for aluno in pedidos]


def _de_uma_questao(pedido: Any, lista: str, raiz: Path, alunos: list[str]) -> int:
    if pedido.anular:
        return anular.mostrar(lista, pedido.questao, raiz, pedido.aplicar)
    if anular.anulada(raiz, lista, pedido.questao):
        return anular.mostrar_a_desistencia(lista, pedido.questao, raiz, alunos, pedido.aplicar)
    return rejulgar.mostrar(lista, pedido.questao, raiz, alunos, pedido.aplicar, pedido.processos)


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("corrigir", argumentos)
    lista = achar_lista(pedido.lista, listas_do_curso())
    if lista is None:
        print(nao_existe(pedido.lista, listas_do_curso()), file=sys.stderr)
        return PEDIDO_ERRADO
    if problema := _pedido_que_nao_combina(pedido):
        print(problema, file=sys.stderr)
        return PEDIDO_ERRADO
    if pedido.sem_isolamento:
        os.environ[caixa.SEM_ISOLAMENTO] = "1"
    warnings.filterwarnings("ignore", module="nbgrader")  # o nbgrader usa o SQLAlchemy de um jeito que ele desaconselha
    try:
        raiz = pasta_da_turma()
        alunos = _pelo_nome(pedido.aluno, raiz, lista)
        if pedido.questao:
            return _de_uma_questao(pedido, lista, raiz, alunos)
        with turma_fechada(raiz):
            situacoes = corrigir(
                *(lista, raiz, alunos, pedido.de_novo, pedido.processos, pedido.cluster),
                nova=pedido.lista_nova,
            )
    except LivroIndisponivel as erro:
        print(erro, file=sys.stderr)
        return PROBLEMA
    except (NaoDaParaCorrigir, OutraCorrecao, TurmaIndisponivel) as erro:
        print(erro, file=sys.stderr)
        return PEDIDO_ERRADO
    except cluster.SemCluster as erro:
        print(erro, file=sys.stderr)
        return PROBLEMA
    except DatabaseError as erro:
        print(
            f"O livro de notas não respondeu ({em_portugues(str(erro.orig))}); nada se perdeu: rode de novo e a "
            "correção continua de onde parou.",
            file=sys.stderr,
        )
        return PROBLEMA
    except OSError as erro:
        if erro.errno not in NAO_SE_GRAVA:
            raise
        print(nao_gravei(erro), file=sys.stderr)
        return PROBLEMA
    except KeyboardInterrupt:
        print("\nCorreção interrompida; o que já foi corrigido fica: rode de novo e ela continua.", file=sys.stderr)
        return INTERROMPIDA
    print(quadro(situacoes))
    print(resumo(lista, situacoes))
    if dito := aviso(raiz):
        print(dito, file=sys.stderr)
    if any(s.nota is None and not s.defeito for s in situacoes):
        return PROBLEMA
    return OLHAR if any(s.motivo for s in situacoes) else BEM


if __name__ == "__main__":
    rodar(main)
