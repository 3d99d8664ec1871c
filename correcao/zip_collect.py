"""A coleta do curso para o `nbgrader zip_collect`: as classes que nbgrader_config.py lhe dá."""

import datetime
import os
from pathlib import Path, PurePosixPath
from typing import Any

from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin

from correcao.coletar import Leitor, NaoDaParaColetar, dono_de, nome_de_arquivo

_CADA_UM = "extraido-"


class ExtratorSeguro(ExtractorPlugin):
    """Abre os zips de downloaded/LISTA/archive com os cuidados da coleta, e não com os do shutil."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        leitor = Leitor()
        try:
            for n, arquivo in enumerate(leitor.ler(_origem(Path(archive_path)))):
                primeira, *resto = map(nome_de_arquivo, arquivo.caminho.parts)
                # cada um em uma pasta sua: em um zip, o nome de um arquivo pode ser também o de uma pasta
                destino = Path(extracted_path, f"{_CADA_UM}{n}", primeira, *resto[-1:])
                destino.parent.mkdir(parents=True, exist_ok=True)
                destino.write_bytes(arquivo.conteudo)
                os.utime(destino, (arquivo.quando.timestamp(),) * 2)
        except NaoDaParaColetar as erro:
            app: Any = self.parent
            app.fail(str(erro))
        for f in leitor.fora:
            self.log.warning("Ficou de fora: %s: %s", f.caminho, f.porque)


def _origem(pasta: Path) -> Path:
    """Um zip sozinho em archive/ é o da turma; com outra coisa ao lado, cada zip é de um aluno."""
    dentro = [p for p in pasta.iterdir() if p.name not in (".DS_Store", "Thumbs.db", "desktop.ini")]
    return dentro[0] if len(dentro) == 1 and dentro[0].suffix.lower() == ".zip" else pasta


class ColetorDoMoodle(FileNameCollectorPlugin):
    """Diz de quem é cada arquivo pelo nome que o Moodle lhe deu."""

    def collect(self, submitted_file: str) -> dict | None:
        arquivo = Path(submitted_file)
        partes = arquivo.relative_to(self._extraidos()).parts
        dono, _, nome = dono_de(PurePosixPath(*partes[partes[0].startswith(_CADA_UM) :]))
        if dono is None or not nome.lower().endswith(".ipynb"):
            return None
        quando = datetime.datetime.fromtimestamp(arquivo.stat().st_mtime, datetime.UTC)
        return {"student_id": dono.aluno, "file_id": nome, "timestamp": quando.strftime("%Y-%m-%d %H:%M:%S UTC")}

    def _extraidos(self) -> Path:
        app: Any = self.parent
        passo = {"downloaded": app.downloaded_directory, "collect_step": app.extracted_directory}
        estrutura = app.collect_directory_structure.format(assignment_id=app.coursedir.assignment_id, **passo)
        return Path(app.coursedir.root, estrutura)
