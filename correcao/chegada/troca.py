"""A troca (exchange) do nbgrader, como em um JupyterHub: as duas pontas que são de quem corrige.

Na pasta de chegada escreve quem quiser, e nela nada é de confiança: uma entrega torta não para a coleta, nem a
devolução, das outras, e do que um aluno pôs lá só se levam arquivos comuns.
"""

import contextlib
import datetime
import glob
import os
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseFeedback
from nbgrader.utils import parse_utc

from correcao import DATA, SEGREDO
from correcao.chegada import entrega
from correcao.comum.texto import imprimivel


class ColetaDaTroca(ExchangeCollect):
    """O `nbgrader collect` que não segue atalhos, não para em uma entrega torta e não aceita uma em nome de outro."""

    src_records: list[dict[str, Any]]

    def init_src(self) -> None:
        """De cada aluno, a última entrega; com `before_duedate`, a última até o prazo, se há uma."""
        if not self.coursedir.course_id:
            self.fail("Falta o nome do curso; diga qual é com --course.")
        self.inbound_path = os.path.join(self.root, self.coursedir.course_id, "inbound")
        if not os.access(self.inbound_path, os.R_OK | os.X_OK):
            self.fail(f"Não consigo ler {self.inbound_path}; confira o nome do curso e as permissões da pasta.")
        limite = self._prazo() if self.before_duedate else None
        registros = [r for nome in os.listdir(self.inbound_path) if (r := self._registro(nome))]
        registros.sort(key=lambda r: (limite is None or r["timestamp"] <= limite, r["timestamp"]))
        self.src_records = list({r["username"]: r for r in registros}.values())

    def _prazo(self) -> datetime.datetime | None:
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as livro, contextlib.suppress(MissingEntry):
            return livro.find_assignment(self.coursedir.assignment_id).duedate
        return None

    def _registro(self, nome: str) -> dict[str, Any] | None:
        """De quem é e de quando: o nbgrader submit põe na chegada “aluno+lista+data”, e às vezes mais um sorteio."""
        aluno, _, resto = nome.partition(f"+{self.coursedir.assignment_id}+")
        if not resto or self.coursedir.student_id not in ("", "*", aluno):
            return None
        try:
            registro = {"username": aluno, "filename": nome, "timestamp": parse_utc(resto.partition("+")[0])}
            porque = self._por_que_nao(os.path.join(self.inbound_path, nome), aluno)
        except Exception:  # o nome da pasta é do aluno, e o dateutil tem muitos jeitos de não entender uma data
            registro, porque = None, "o nome não é o que o nbgrader submit dá"
        if porque:
            self.log.error("Ficou de fora: %s: %s.", imprimivel(nome), porque)
            return None
        return registro

    def _por_que_nao(self, path: str, aluno: str) -> str | None:
        if os.path.islink(path) or not os.path.isdir(path):
            return "não é uma pasta"
        if aluno.startswith(".") or aluno != aluno.strip() or not aluno.isprintable():
            return "o nome não é o de um aluno"  # “..” levaria a entrega para fora de submitted/
        if not self.check_owner or self._e_minha(path):
            return None
        dono = _dono(path)  # o nbgrader só avisa; onde os alunos têm contas, é uma entrega forjada
        if dono != aluno:
            return f"diz ser de {imprimivel(aluno)}, e quem a pôs lá foi {dono or 'uma conta que não existe'}"
        return None

    def _e_minha(self, path: str) -> bool:
        """De quem faz a coleta, que põe lá o que quiser: é assim onde todos têm a mesma conta."""
        return os.stat(path).st_uid == os.getuid()

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        avisos: list[str] = []
        cabem = 1000 * self.coursedir.max_dir_size
        Path(dest).mkdir(parents=True, exist_ok=True)
        for relativo in entrega.arquivos(Path(src), avisos)[0]:
            conteudo = entrega.ler(Path(src, relativo), cabem)
            if conteudo is None or len(conteudo) > cabem:
                avisos.append(f"“{imprimivel(str(relativo))}” não pôde ser lido, ou é grande demais; ficou de fora.")
                continue
            cabem -= len(conteudo)
            Path(dest, relativo).parent.mkdir(parents=True, exist_ok=True)
            Path(dest, relativo).write_bytes(conteudo)
        for aviso in avisos:
            self.log.warning("%s: %s", imprimivel(os.path.basename(src)), aviso)


def _dono(path: str) -> str | None:
    try:
        return Path(path).owner()
    except (OSError, KeyError, NotImplementedError):  # uma conta que não existe mais; o Windows
        return None


class DevolucaoDaTroca(ExchangeReleaseFeedback):
    """O `nbgrader release_feedback`, que passa por cima de quem não entregou pela troca, e que os alunos podem ler."""

    src_path: str
    dest_path: str

    def copy_files(self) -> None:
        for pasta in sorted(glob.glob(self.src_path)):
            if all(Path(pasta, nome).is_file() for nome in (DATA, SEGREDO)):
                self.src_path = glob.escape(pasta)
                super().copy_files()
            else:
                self.log.warning("O que está em %s não veio pela troca, e por ela não volta.", pasta)
        for publicada in Path(self.dest_path).glob("*.html"):  # a cópia guarda o modo, e com umask 077 só o dono lia
            if publicada.stat().st_uid == os.getuid():
                publicada.chmod(0o644)
