"""A coleta do curso para o `nbgrader zip_collect`: as classes que nbgrader_config.py lhe dá."""

import datetime
import os
from pathlib import Path, PurePosixPath

from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin

from correcao.coletar import Leitor, dono_de, nome_de_arquivo


class ExtratorSeguro(ExtractorPlugin):
    """Abre os zips de downloaded/LISTA/archive com os cuidados da coleta, e não com os do shutil."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        leitor = Leitor()
        for origem in sorted(Path(archive_path).iterdir()):
            for arquivo in leitor.ler(origem):
                destino = Path(extracted_path, *(nome_de_arquivo(p) for p in arquivo.caminho.parts))
                destino.parent.mkdir(parents=True, exist_ok=True)
                destino.write_bytes(arquivo.conteudo)
                os.utime(destino, (arquivo.quando.timestamp(),) * 2)
        for f in leitor.fora:
            self.log.warning("Ficou de fora: %s: %s", f.caminho, f.porque)


class ColetorDoMoodle(FileNameCollectorPlugin):
    """Diz de quem é cada arquivo pelo nome que o Moodle lhe deu."""

    def collect(self, submitted_file: str) -> dict | None:
        arquivo = Path(submitted_file)
        partes = arquivo.parts
        dentro = partes[partes.index("extracted") + 1 :] if "extracted" in partes else partes[-2:]
        dono, _, nome = dono_de(PurePosixPath(*dentro))
        if dono is None or not nome.lower().endswith(".ipynb"):
            return None
        quando = datetime.datetime.fromtimestamp(arquivo.stat().st_mtime, datetime.UTC)
        return {"student_id": dono.aluno, "file_id": nome, "timestamp": quando.strftime("%Y-%m-%d %H:%M:%S UTC")}
