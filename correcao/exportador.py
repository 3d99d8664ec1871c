"""Por onde passa cada entrega: o exportador que o Autograde do nbgrader usa (`c.Autograde.exporter_class`).

O nbgrader chama o exportador duas vezes por notebook. Na primeira (a limpeza), os bytes da entrega são lidos aqui e
consertados antes que qualquer outro código os veja. Na segunda (a correção), o notebook já limpo é executado na caixa
e julgado. Nada do que uma entrega traga, e nenhum defeito nosso, deixa um aluno sem nota ou para a turma: no pior
caso a entrega vale zero, com o motivo escrito, e o resumo pede que alguém a olhe.
"""

import contextlib
import glob
import hashlib
import itertools
import json
import os
import re
import shutil
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.utils import parse_utc, rmtree
from sqlalchemy.exc import OperationalError

from correcao import caixa, entrega, provisionador, reparo

RAIZ = Path(__file__).resolve().parent.parent
DADOS = "curso"  # a chave, nos metadados do notebook e nos recursos, do que a correção anota
RECEBIDA = "curso-recebida"  # a mesma anotação, da limpeza à correção: quem a tem ainda não chegou ao fim
DATA = "timestamp.txt"
DEFEITO = "A correção tropeçou em um defeito dela mesma nesta entrega; o instrutor foi avisado e vai olhá-la."
_TRAVAS: dict[str, Any] = {}


class OutraCorrecao(RuntimeError):
    """Já há uma correção em curso nesta turma."""


def travar(raiz: str, dono: object) -> Callable[[], Any] | None:
    """Uma correção por vez em cada turma; a trava cai com o `dono`, ou com o processo.

    Devolve quem a solta antes disso; None se não foi esta chamada que a pôs.
    """
    try:
        import fcntl
    except ImportError:  # sem fcntl não há bubblewrap, e quem corrige sem isolamento foi avisado
        return None
    if raiz in _TRAVAS:
        return None
    arquivo = open(Path(raiz, ".correcao.trava"), "a")  # noqa: SIM115 (fica aberto enquanto a correção durar)
    try:
        fcntl.flock(arquivo, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        arquivo.close()
        raise OutraCorrecao(
            "Já há uma correção em curso nesta turma, em outra janela; espere que ela termine e rode de novo."
        ) from None
    except OSError:  # um disco sem travas
        arquivo.close()
        return None
    _TRAVAS[raiz] = arquivo
    return weakref.finalize(dono, lambda: _TRAVAS.pop(raiz).close())


def ler_emitida(coursedir: Any, lista: str, notebook: str | None = None) -> Any:
    """A lista como foi distribuída: a da turma ou, se lá não há, a do curso."""
    notebook = notebook or lista
    da_turma = Path(coursedir.format_path(coursedir.release_directory, ".", lista), f"{notebook}.ipynb")
    da_casa = RAIZ / "release" / lista / f"{notebook}.ipynb"
    return nbformat.read(da_turma if da_turma.is_file() else da_casa, as_version=4)


@dataclass
class Recebida:
    """O que havia na pasta de uma entrega: o notebook escolhido, e o que há a dizer da escolha."""

    nome: str
    conteudo: bytes | None
    avisos: list[str]
    data: bytes | None

    @property
    def resumo(self) -> str:
        """Muda quando muda o que seria corrigido, ou a data, de que depende o desconto por atraso."""
        partes = hashlib.sha256(b"nada" if self.conteudo is None else b"|" + self.conteudo)
        partes.update(b"" if self.data is None else b"|" + self.data)
        return partes.hexdigest()


def receber(pasta: Path, notebook: str, emitida: Any) -> Recebida:
    escolha = entrega.escolher(pasta, notebook, emitida)
    conteudo = entrega.ler(escolha.arquivo) if escolha.arquivo else None
    nome = escolha.arquivo.name if escolha.arquivo else ""
    return Recebida(nome, conteudo, list(escolha.avisos), entrega.ler(pasta / DATA, 200))


def antes_de_converter(assignment: str, student: str, notebooks: list[str]) -> None:
    """O `pre_convert_hook`: seja qual for o nome do arquivo entregue, o nbgrader vê o nome da lista.

    A lista de notebooks é a do próprio conversor, e muda no lugar. Uma lista com vários notebooks (não há nenhuma no
    curso) fica com os nomes que tem.
    """
    pasta = Path(notebooks[0]).parent
    nome = _unico_notebook(pasta)
    if nome is not None:
        notebooks[:] = [str(pasta / nome)]


def _unico_notebook(pasta: Path) -> str | None:
    """O nome do notebook da lista entregue em `pasta`; None se ela tem vários, ou nenhum."""
    emitidos = {p.name for raiz in (pasta.parents[2], RAIZ) for p in (raiz / "release" / pasta.name).glob("*.ipynb")}
    return emitidos.pop() if len(emitidos) == 1 else None


def _por_de_lado_a_data_ilegivel(pasta: Path) -> None:
    """O nbgrader deixaria sem nota o aluno cuja data ele não entende."""
    data = pasta / DATA
    if os.path.lexists(data) and not _data_legivel(data):
        nomes = (pasta / f"timestamp-ilegivel-{i}" for i in itertools.count(1))
        with contextlib.suppress(OSError):  # em uma pasta só de leitura, o nbgrader é que dirá o que há
            data.rename(next(nome for nome in nomes if not os.path.lexists(nome)))


def _e_pasta(caminho: Path) -> bool:
    return caminho.is_dir() and not caminho.is_symlink() and not caminho.parent.is_symlink()


def _data_legivel(data: Path) -> bool:
    try:
        if data.is_symlink() or not data.is_file() or data.stat().st_size > 200:
            return False
        texto = data.read_text(encoding="utf-8").strip()
        # quem a lê depois é o nbgrader: vale o que ele entende, se for de uma época em que alguém possa ter entregado
        return not texto or 1970 <= parse_utc(texto).year < 2200
    except Exception:  # o dateutil tem muitos jeitos de não entender
        return False


def _e_por_fim(fazer: Callable[[], None], depois: Callable[[], Any]) -> Callable[[], None]:
    def feito() -> None:
        try:
            fazer()
        finally:
            depois()

    return feito


class Exportador(NotebookExporter):
    """Conserta na entrada, e na saída nunca deixa um aluno sem nota."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        try:
            caixa.exigir()
            soltar = travar(str(self.parent.coursedir.root), self)
        except (caixa.SemCaixa, OutraCorrecao) as erro:
            self.log.error("%s", erro)
            raise NbGraderException(str(erro)) from None
        if soltar is not None:  # o formgrader continua vivo depois de corrigir: a trava não pode esperar por ele
            self.parent.convert_notebooks = _e_por_fim(self.parent.convert_notebooks, soltar)
        self._deixar_os_arquivos_da_entrega()
        provisionador.varrer()
        if type(self.parent) is Autograde:  # o `corrigir` escolhe ele mesmo o que corrigir
            self._incluir_as_pastas_sem_notebook()
            self._recomecar_o_que_ficou_pela_metade()
        for pasta in self.parent.assignments:
            _por_de_lado_a_data_ilegivel(Path(pasta))

    def _deixar_os_arquivos_da_entrega(self) -> None:
        """Faz o nbgrader não copiar nada da entrega: ele seguiria atalhos e traria módulos que encobrem os de verdade.

        O padrão é o caminho inteiro porque o nbgrader não escapa os colchetes do nome de uma pasta.
        """
        coursedir = self.parent.coursedir
        entregas = coursedir.directory_structure.format(
            nbgrader_step=coursedir.submitted_directory, student_id="*", assignment_id="*"
        )
        padrao = os.path.join(glob.escape(coursedir.root), entregas)
        if padrao not in coursedir.ignore:
            coursedir.ignore = [*coursedir.ignore, padrao]

    def _incluir_as_pastas_sem_notebook(self) -> None:
        """Também a pasta sem notebook algum é uma entrega: vale zero, com o motivo. O nbgrader passaria por cima dela.

        A lista das entregas é a do próprio conversor, que ele já fez e ainda não percorreu.
        """
        conversor, coursedir = self.parent, self.parent.coursedir
        padrao = conversor._format_source(coursedir.assignment_id, coursedir.student_id)
        for pasta in glob.glob(padrao):
            if self._de_quem(pasta) is None:  # o nbgrader pararia a turma inteira nesta
                self.log.error("O nome da pasta %r tem quebras de linha; mude-o e rode de novo.", pasta)
                conversor.assignments.pop(pasta, None)
            elif pasta not in conversor.assignments and coursedir.notebook_id == "*" and _e_pasta(Path(pasta)):
                nome = _unico_notebook(Path(pasta))
                if nome is not None:
                    conversor.assignments[pasta] = [os.path.join(pasta, nome)]

    def _recomecar_o_que_ficou_pela_metade(self) -> None:
        """Uma correção morta à força deixa a pasta em autograded/, e o nbgrader a tomaria por pronta."""
        conversor, coursedir = self.parent, self.parent.coursedir
        for aluno in map(self._de_quem, conversor.assignments):
            destino = Path(conversor._format_dest(coursedir.assignment_id, aluno))
            if not destino.is_dir() or aluno in coursedir.student_id_exclude.split(","):
                continue
            prontos = [registro_da_correcao(caminho) is not None for caminho in destino.glob("*.ipynb")]
            if not prontos or not all(prontos):
                self.log.warning("A correção de %s tinha ficado pela metade; recomeço.", aluno)
                try:
                    rmtree(str(destino))
                except OSError as erro:  # fica como está, e os outros alunos não esperam por isso
                    self.log.error("Não consigo apagar %s (%s); apague e rode de novo.", destino, erro)

    def _de_quem(self, pasta: str) -> str | None:
        """O aluno, pelo caminho da entrega, como o nbgrader o lê."""
        lista = re.escape(self.parent.coursedir.assignment_id)
        achado = re.fullmatch(self.parent._format_source(lista, "(?P<aluno>.*)", escape=True), pasta)
        return achado["aluno"] if achado else None

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[str, Any]:
        caminho = Path(filename)
        resources["metadata"] = {"name": caminho.stem, "path": str(caminho.parent)}
        if self.parent._sanitizing:
            return self._receber(caminho, resources)
        return self._corrigir(nbformat.read(caminho, as_version=4), resources)

    # ------------------------------------------------------------ a limpeza

    def _receber(self, caminho: Path, resources: Any) -> tuple[str, Any]:
        emitida, pasta = self._emitida(resources), caminho.parent
        anotado: dict[str, Any] = {"consertos": [], "motivo": None, "defeito": None, "entrega": None}
        try:
            recebida = receber(pasta, caminho.stem, emitida)
            anotado["entrega"] = recebida.resumo
            feito = reparo.reparar(recebida.conteudo, emitida, recebida.nome)
            anotado |= {"consertos": [*recebida.avisos, *feito.consertos], "motivo": feito.motivo}
            saida = self._exportar(feito.nb, resources, anotado)
        except OperationalError:  # o livro de notas não responde: não é desta entrega
            raise
        except Exception as erro:
            self.log.exception("defeito ao receber a entrega em %s", pasta)
            anotado |= {"motivo": DEFEITO, "defeito": repr(erro)}
            saida = self._exportar(self._emitida(resources), resources, anotado)
        self._levar_a_data(pasta, resources)
        return saida

    def _emitida(self, resources: Any) -> Any:
        ids = resources["nbgrader"]
        return ler_emitida(self.parent.coursedir, ids["assignment"], ids["notebook"])

    def _exportar(self, nb: Any, resources: Any, anotado: dict) -> tuple[str, Any]:
        nb.metadata[RECEBIDA] = anotado
        return self.from_notebook_node(nb, resources)

    def _levar_a_data(self, pasta: Path, resources: Any) -> None:
        """O nbgrader compara as datas da entrega e da correção para saber se há entrega nova."""
        ids = resources["nbgrader"]
        destino = Path(self.parent._format_dest(ids["assignment"], ids["student"]))
        destino.mkdir(parents=True, exist_ok=True)
        if _data_legivel(pasta / DATA):
            shutil.copyfile(pasta / DATA, destino / DATA, follow_symlinks=False)

    # ------------------------------------------------------------ a correção

    def _corrigir(self, nb: Any, resources: Any) -> tuple[str, Any]:
        anotado = dict(nb.metadata.pop(RECEBIDA))
        resources[DADOS] = dict(anotado)
        try:
            return self.from_notebook_node(nb, resources)
        except (OperationalError, caixa.SemCaixa):  # não é culpa da entrega, e a próxima daria no mesmo
            raise
        except Exception as erro:
            self.log.exception("defeito ao corrigir a entrega de %s", resources["nbgrader"]["student"])
            resources[DADOS] = anotado | {"motivo": DEFEITO, "defeito": repr(erro)}
            return self.from_notebook_node(self._emitida(resources), resources)


def registro_da_correcao(caminho: Path) -> dict | None:
    """O que a correção anotou em um notebook de autograded/; None se ele não chegou ao fim."""
    try:
        return dict(json.loads(caminho.read_bytes())["metadata"][DADOS])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
