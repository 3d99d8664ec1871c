"""`python curso.py corrigir LISTA`: corrige todas as entregas de uma lista, e diz no fim quem precisa de um olhar.

É o `nbgrader autograde` com três cuidados a mais: cada aluno é um caso à parte, o que já foi corrigido e não mudou
não é corrigido outra vez, e o que parou no meio recomeça.
"""

import argparse
import contextlib
import datetime
import logging
import os
import shutil
import sqlite3
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.utils import rmtree
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError
from tqdm import tqdm

from correcao import caixa
from correcao.exportador import OutraCorrecao, ler_emitida, receber, registro_da_correcao, travar
from gabarito.gerar import configuracao, gerar_release, listas_do_curso
from helpers.validar import achar_lista

RAIZ = Path(__file__).resolve().parent.parent
BEM, PROBLEMA, PEDIDO_ERRADO, OLHAR, INTERROMPIDA = 0, 1, 2, 3, 130
REGISTRO = "correcao.log"
COPIAS, QUANTAS_COPIAS = "copias", 10  # do livro de notas


def abrir_registro(arquivo: Path) -> logging.Logger:
    """O que o nbgrader conta de cada passo, com os defeitos por extenso, vai para um arquivo; na tela fica o quadro."""
    registro = logging.getLogger("correcao")
    for antigo in registro.handlers[:]:
        registro.removeHandler(antigo)
        antigo.close()
    destino = logging.FileHandler(arquivo, mode="w", encoding="utf-8", delay=True)
    destino.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    registro.addHandler(destino)
    registro.setLevel(logging.INFO)
    registro.propagate = False
    return registro


class NaoDaParaCorrigir(Exception):
    """O que impede a correção da turma inteira, em uma frase que diz o que fazer."""


@dataclass
class Situacao:
    """Como ficou a entrega de um aluno."""

    aluno: str
    nota: float | None = None
    de: float = 0.0
    esperando: bool = False  # há questão que uma pessoa ainda precisa ler
    repetida: bool = False  # já estava corrigida e não mudou
    motivo: str | None = None
    consertos: list[str] = field(default_factory=list)


class Corretor(Autograde):
    """O Autograde do nbgrader para uma entrega: decide pelo conteúdo, e não só pela data, se há o que corrigir."""

    def init_notebooks(self) -> None:
        """Também a pasta sem notebook algum é uma entrega: vale zero, com o motivo."""
        pasta = self._format_source(self.coursedir.assignment_id, self.coursedir.student_id)
        self.notebooks = []
        self.assignments = {pasta: [os.path.join(pasta, f"{self.coursedir.assignment_id}.ipynb")]}

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        destino = Path(self._format_dest(assignment_id, student_id))
        if not self.force and self.em_dia(assignment_id, student_id):
            return False
        if destino.exists():
            rmtree(str(destino))
        return True

    def em_dia(self, lista: str, aluno: str) -> bool:
        """A correção chegou ao fim, e o que seria corrigido ainda é o mesmo?"""
        anotado = registro_da_correcao(Path(self._format_dest(lista, aluno), f"{lista}.ipynb"))
        if anotado is None or anotado.get("defeito") or not self._no_livro(lista, aluno):
            return False
        pasta = Path(self._format_source(lista, aluno))
        return anotado.get("entrega") == receber(pasta, lista, ler_emitida(self.coursedir, lista)).resumo

    def _no_livro(self, lista: str, aluno: str) -> bool:
        """O livro pode ter sido trocado por um vazio depois da correção."""
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as livro:
            try:
                return livro.find_submission(lista, aluno) is not None
            except MissingEntry:
                return False


class Correcao:
    """Uma rodada de correção de uma lista, na turma da pasta `raiz`."""

    def __init__(self, lista: str, raiz: Path = RAIZ, de_novo: bool = False):
        self.lista, self.raiz, self.de_novo = lista, Path(raiz), de_novo
        config = configuracao(self.raiz)
        self.registro = abrir_registro(self.raiz / REGISTRO)
        self.api = NbGraderAPI(config=config)
        self.coursedir = self.api.coursedir

    def alunos(self) -> list[str]:
        """Quem entregou alguma coisa, em ordem. Pastas que são atalhos não são de ninguém."""
        entregas = Path(self.coursedir.root, self.coursedir.submitted_directory)
        pastas = [p / self.lista for p in entregas.glob("*") if not p.name.startswith(".")]
        return sorted(p.parent.name for p in pastas if p.is_dir() and not p.is_symlink() and not p.parent.is_symlink())

    def preparar(self) -> None:
        """Confere o que a turma inteira precisa: a caixa, a trava, o livro de notas, a lista nele."""
        travar(str(self.coursedir.root), self)
        try:
            caixa.exigir()
        except caixa.SemCaixa as erro:
            raise NaoDaParaCorrigir(str(erro)) from None
        self._conferir_o_livro()
        try:
            with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as livro:
                livro.find_assignment(self.lista)
                return
        except MissingEntry:
            pass
        if not (self.raiz / "source" / self.lista).is_dir():  # uma turma em outra pasta usa a lista do curso
            shutil.copytree(RAIZ / "source" / self.lista, self.raiz / "source" / self.lista)
        problema = gerar_release(self.lista, self.raiz)
        if problema:
            raise NaoDaParaCorrigir(f"A lista {self.lista} não pôde ser posta no livro de notas: {problema}")

    def _conferir_o_livro(self) -> None:
        """Um livro estragado é dito, e nunca refeito por cima."""
        arquivo = self._arquivo_do_livro()
        if arquivo is None:
            return
        try:
            endereco = f"{arquivo.resolve().as_uri()}?mode=ro"
            with contextlib.closing(sqlite3.connect(endereco, uri=True, timeout=10)) as conexao:
                inteiro = conexao.execute("pragma quick_check").fetchone()[0] == "ok"
        except sqlite3.OperationalError as erro:  # o livro pode estar são; quem não o deixa ler é que tem um problema
            ocupado = "locked" in str(erro)
            que = "está em uso por outro programa; feche-o" if ocupado else f"não se deixa ler ({erro}); veja por que"
            raise NaoDaParaCorrigir(f"O livro de notas {arquivo} {que} e rode de novo.") from None
        except sqlite3.DatabaseError:
            inteiro = False
        if not inteiro:
            raise NaoDaParaCorrigir(
                f"O livro de notas {arquivo} está estragado; troque-o por uma cópia de {COPIAS}/, ou mude o nome dele "
                "para recomeçar com um vazio, e rode de novo."
            )

    def _arquivo_do_livro(self) -> Path | None:
        """O arquivo do livro de notas, se ele é um arquivo e já existe; um servidor cuida de si."""
        endereco = make_url(self.coursedir.db_url)
        if endereco.get_backend_name() != "sqlite" or not endereco.database:
            return None
        arquivo = Path(endereco.database)
        return arquivo if arquivo.is_file() else None

    def guardar_copia(self) -> None:
        """Uma cópia datada do livro de notas antes de mexer nele; ficam as últimas."""
        livro = self._arquivo_do_livro()
        if livro is None:
            return
        pasta = self.raiz / COPIAS
        pasta.mkdir(exist_ok=True)
        destino = pasta / f"gradebook-{datetime.datetime.now():%Y%m%d-%H%M%S}.db"
        with contextlib.closing(sqlite3.connect(livro)) as de, contextlib.closing(sqlite3.connect(destino)) as para:
            de.backup(para)
        for velha in sorted(pasta.glob("gradebook-*.db"))[:-QUANTAS_COPIAS]:
            velha.unlink()

    def corrigir(self, aluno: str) -> Situacao:
        """Corrige uma entrega. Só deixa passar o que impediria também as outras."""
        situacao = Situacao(aluno)
        if aluno != aluno.strip() or not aluno.isprintable():  # o nbgrader trocaria o nome, e a nota seria de outro
            situacao.motivo = "O nome da pasta tem espaços nas pontas ou quebras de linha; mude-o e rode de novo."
            return situacao
        self.coursedir.assignment_id, self.coursedir.student_id = self.lista, aluno
        corretor = Corretor(coursedir=self.coursedir, parent=self.api, force=self.de_novo)
        corretor.log = self.registro
        try:
            situacao.repetida = not self.de_novo and corretor.em_dia(self.lista, aluno)
            if not situacao.repetida:
                corretor.start()
        except DatabaseError:
            raise
        except Exception as erro:  # nada de um aluno pode parar a turma
            if isinstance(erro.__context__, DatabaseError):
                raise erro.__context__ from None
            self.registro.exception("a correção de %s não terminou", aluno)
            situacao.motivo = f"A correção desta entrega não terminou; veja {REGISTRO} e rode de novo."
            return situacao  # o que houver em autograded/ é de uma entrega anterior
        return self._completar(situacao)

    def _completar(self, situacao: Situacao) -> Situacao:
        destino = self.coursedir.format_path(self.coursedir.autograded_directory, situacao.aluno, self.lista)
        anotado = registro_da_correcao(Path(destino, f"{self.lista}.ipynb"))
        if anotado is None:
            situacao.motivo = situacao.motivo or f"A correção desta entrega não terminou; veja {REGISTRO}."
            return situacao
        situacao.motivo, situacao.consertos = anotado.get("motivo"), anotado.get("consertos") or []
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as livro:
            entrega = livro.find_submission(self.lista, situacao.aluno)
            situacao.nota, situacao.de = entrega.score, entrega.max_score
            situacao.esperando = entrega.needs_manual_grade
        return situacao


def quadro(situacoes: list[Situacao]) -> str:
    """Uma linha por aluno, com o que há a dizer dele."""
    largura = max([len(s.aluno) for s in situacoes] + [len("aluno")])
    linhas = [f"{'aluno':<{largura}}  {'nota':>11}  situação"]
    for s in situacoes:
        nota = "sem nota" if s.nota is None else f"{_numero(s.nota)} de {_numero(s.de)}"
        linhas.append(f"{_visivel(s.aluno):<{largura}}  {nota:>11}  {_situacao(s)}")
    return "\n".join(linhas)


def _visivel(nome: str) -> str:
    """O nome de uma pasta pode ter códigos que um terminal executa."""
    return "".join(c if c.isprintable() else "?" for c in nome)


def _numero(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".").replace(".", ",")


def _situacao(s: Situacao) -> str:
    partes = [s.motivo.rstrip(".")] if s.motivo else []
    if s.consertos:
        partes.append(f"com {len(s.consertos)} {'conserto' if len(s.consertos) == 1 else 'consertos'}")
    partes += ["espera a leitura de uma pessoa"] if s.esperando else []
    partes += ["já estava corrigida"] if s.repetida else []
    return "; ".join(partes) or "corrigida"


def resumo(situacoes: list[Situacao]) -> str:
    """O fecho: quantas, quantas esperam, quem precisa de um olhar."""
    olhar = [_visivel(s.aluno) for s in situacoes if s.motivo]
    quantas = f"{len(situacoes)} {'entrega' if len(situacoes) == 1 else 'entregas'}"
    esperam = sum(s.esperando for s in situacoes)
    repetidas = sum(s.repetida for s in situacoes)
    frases = [f"{quantas}{f', {repetidas} sem mudança desde a última correção' if repetidas else ''}."]
    if esperam:
        verbo = "espera" if esperam == 1 else "esperam"
        frases.append(f"{esperam} {verbo} a leitura das questões abertas: python curso.py lab --instrutor")
    if olhar:
        frases.append(f"Precisam de um olhar: {', '.join(olhar)}.")
    return "\n".join(frases)


def corrigir(lista: str, raiz: Path = RAIZ, alunos: list[str] | None = None, de_novo: bool = False) -> list[Situacao]:
    """Corrige as entregas de `lista` na turma em `raiz` e devolve a situação de cada uma."""
    rodada = Correcao(lista, raiz, de_novo)
    todos = rodada.alunos()
    if not todos:
        raise NaoDaParaCorrigir(
            f"Não há entregas de {lista} em {rodada.coursedir.submitted_directory}/ALUNO/{lista}; "
            "ponha lá os notebooks recebidos e rode de novo."
        )
    estranhos = sorted(set(alunos or []) - set(todos))
    if estranhos:
        raise NaoDaParaCorrigir(f"Não há entrega de {lista} do aluno {estranhos[0]!r}.")
    rodada.preparar()
    rodada.guardar_copia()
    # a barra só aparece em um terminal
    barra = tqdm(alunos or todos, desc="Corrigindo", unit="entrega", disable=None, leave=False)
    return [rodada.corrigir(aluno) for aluno in barra]


def main(argumentos: list[str] | None = None) -> int:
    analisador = argparse.ArgumentParser(
        prog="python curso.py corrigir", description="Corrige as entregas de uma lista que estão em submitted/."
    )
    analisador.add_argument("lista", metavar="LISTA", help="02, lista-02 ou o nome inteiro")
    analisador.add_argument("--aluno", action="append", metavar="A", help="só este aluno (pode repetir)")
    analisador.add_argument("--de-novo", action="store_true", help="corrige também o que já estava corrigido")
    analisador.add_argument("--sem-isolamento", action="store_true", help="executa as entregas sem a caixa (perigoso)")
    pedido = analisador.parse_args(argumentos)
    lista = achar_lista(pedido.lista, listas_do_curso())
    if lista is None:
        print(f"Não existe a lista {pedido.lista!r}; as que há são: {', '.join(listas_do_curso())}.", file=sys.stderr)
        return PEDIDO_ERRADO
    if pedido.sem_isolamento:
        os.environ[caixa.SEM_ISOLAMENTO] = "1"
    warnings.filterwarnings("ignore", module="nbgrader")  # o nbgrader usa o SQLAlchemy de um jeito que ele desaconselha
    try:
        situacoes = corrigir(lista, Path(os.environ.get("CURSO_TURMA", RAIZ)), pedido.aluno, pedido.de_novo)
    except (NaoDaParaCorrigir, OutraCorrecao) as erro:
        print(erro, file=sys.stderr)
        return PEDIDO_ERRADO
    except DatabaseError as erro:
        print(
            f"O livro de notas não respondeu ({erro.orig}); nada se perdeu: rode de novo e a correção continua de "
            "onde parou.",
            file=sys.stderr,
        )
        return PROBLEMA
    except KeyboardInterrupt:
        print("\nCorreção interrompida; o que já foi corrigido fica: rode de novo e ela continua.", file=sys.stderr)
        return INTERROMPIDA
    print(quadro(situacoes))
    print(resumo(situacoes))
    if any(s.nota is None for s in situacoes):
        return PROBLEMA
    return OLHAR if any(s.motivo for s in situacoes) else BEM


if __name__ == "__main__":
    sys.exit(main())
