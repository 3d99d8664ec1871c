"""Uma rodada em uma lista, da turma inteira: o que corrigir, julgar de novo e anular têm em comum."""

import contextlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from tqdm import tqdm

from correcao.caixa.quente import quente
from correcao.chegada.recebimento import ler_emitida
from correcao.comum.texto import imprimivel
from correcao.comum.trava import NaoDaParaCorrigir, travar
from correcao.juizo import lista_nova, oficina
from correcao.juizo.cluster.cluster import Cluster
from correcao.livro import quem
from correcao.livro.livro import LivroIndisponivel, conferir_o_livro, um_motor_so
from correcao.livro.turma import Turma
from gabarito.no_nbgrader import configuracao
from helpers import RAIZ

BEM, PROBLEMA, PEDIDO_ERRADO, OLHAR, INTERROMPIDA = 0, 1, 2, 3, 130
REGISTRO = "correcao.log"
_PROVA = 2**20  # bytes que têm de caber na pasta da turma para que valha a pena seguir
T = TypeVar("T")


class _Registro(logging.FileHandler):
    def handleError(self, record: logging.LogRecord) -> None:
        """Um registro que não cabe no disco não suja a tela: quem corrige diz o que houve."""


def abrir_registro(arquivo: Path) -> logging.Logger:
    """O que o nbgrader conta de cada passo, com os defeitos por extenso, vai para um arquivo; na tela fica o quadro."""
    registro = logging.getLogger("correcao")
    for antigo in registro.handlers[:]:
        registro.removeHandler(antigo)
        antigo.close()
    destino = _Registro(arquivo, mode="w", encoding="utf-8", delay=True)
    destino.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    registro.addHandler(destino)
    registro.setLevel(logging.INFO)
    registro.propagate = False
    return registro


class Rodada:
    """Uma rodada de correção de uma lista, na turma da pasta `raiz`."""

    def __init__(self, lista: str, raiz: Path = RAIZ, registro: logging.Logger | None = None):
        self.lista, self.raiz = lista, Path(raiz)
        config = configuracao(self.raiz)
        self.registro = registro or abrir_registro(self.raiz / REGISTRO)
        self.api = NbGraderAPI(config=config)
        self.coursedir = self.api.coursedir

    def alunos(self) -> list[str]:
        """Quem entregou alguma coisa, em ordem; um atalho não é uma entrega (veja `atalhos`)."""
        return sorted(p.parent.name for p in self._pastas() if p.is_dir() and not _e_atalho(p))

    def atalhos(self) -> list[str]:
        """Quem tem, no lugar da pasta da entrega, um atalho: não se segue, porque daria em qualquer lugar."""
        return sorted(p.parent.name for p in self._pastas() if _e_atalho(p) and (p.is_dir() or not p.exists()))

    def _pastas(self) -> list[Path]:
        entregas = Path(self.coursedir.root, self.coursedir.submitted_directory)
        return [p / self.lista for p in entregas.glob("*") if not p.name.startswith(".")]

    def nao_ha_entrega(self, aluno: str) -> str:
        dica = quem.parecidos(aluno, Turma(self.raiz).conhecidos())
        return f"Não há entrega de {self.lista} do aluno “{imprimivel(aluno)}”{dica}."

    def preparar(self, com_licenca: bool = False) -> None:
        """A trava e o livro de notas, de que se precisa até para saber que não há nada a fazer.

        Com licença, uma lista que mudou depois de corrigida muda também nele.
        """
        travar(str(self.coursedir.root), self)
        um_motor_so()
        try:
            conferir_o_livro(self.coursedir.db_url)
        except LivroIndisponivel as erro:
            raise NaoDaParaCorrigir(str(erro)) from None
        mudanca = lista_nova.por_em_dia(self.coursedir, self.lista, com_licenca)
        if not com_licenca and (aviso := lista_nova.que_a_turma_nao_tem(self.coursedir, self.lista)):
            print(aviso, file=sys.stderr)
        if com_licenca:
            print(f"A lista nova está no livro de notas: {mudanca}." if mudanca.pede_licenca else "A lista não mudou.")

    def exigir_espaco(self) -> None:
        """OSError se aqui já não se grava: o nbgrader esconde o dele, e a turma inteira pararia, um por um."""
        try:
            with tempfile.TemporaryFile(dir=self.raiz) as prova:
                prova.write(bytes(_PROVA))
        except OSError as erro:
            erro.filename = str(self.raiz)
            raise

    def _livro(self) -> Gradebook:
        return Gradebook(self.coursedir.db_url, self.coursedir.course_id)

    def _corrigido(self, aluno: str) -> Path:
        pasta = self.coursedir.format_path(self.coursedir.autograded_directory, aluno, self.lista)
        return Path(pasta, f"{self.lista}.ipynb")


def _e_atalho(pasta: Path) -> bool:
    return pasta.is_symlink() or pasta.parent.is_symlink()


def quantas_de_cada_vez(processos: int | None, alunos: list[str], nosso: Cluster | None = None) -> int:
    if os.name == "nt":  # um operário herda descritores, e ali não se herdam
        return 1
    cabem = nosso.quantos() if nosso else oficina.quantos_cabem(len(alunos))
    return min(processos or cabem, len(alunos))


def em_cada_uma(
    rodada: Rodada,
    alunos: list[str],
    quantos: int,
    titulo: str,
    fazer: Callable[[str, int], T],
    nosso: Cluster | None = None,
) -> dict[str, T]:
    """`fazer(aluno, número da thread)` de cada um: neste processo, ou em uma oficina, com `quantos` de cada vez."""
    # a barra só aparece em um terminal
    with tqdm(total=len(alunos), desc=titulo, unit="entrega", disable=None, leave=False) as barra:
        if quantos == 1 and nosso is None:
            return {aluno: _e_contar(fazer(aluno, 0), barra) for aluno in alunos}
        codigo = "\n".join(c.source for c in ler_emitida(rodada.coursedir, rodada.lista).cells if c.cell_type == "code")
        nossa = oficina.Oficina(quantos, quente.receita(codigo), nosso)
        with contextlib.chdir(rodada.coursedir.root):  # o nbgrader vai a ela e volta, e aqui são muitas idas de uma vez
            feitas = nossa.fazer(alunos, fazer, barra.update)
    for porque in nossa.frias:
        print(f"Parte das entregas rodou na caixa fria, que é mais lenta: {porque}", file=sys.stderr)
    if nossa.daqui:
        quantas = f"{len(nossa.daqui)} {'entrega' if len(nossa.daqui) == 1 else 'entregas'}"
        print(f"O cluster não deu conta de {quantas}, feitas neste computador; veja {REGISTRO}.", file=sys.stderr)
    return feitas


def _e_contar(feita: T, barra: Any) -> T:
    barra.update()
    return feita
