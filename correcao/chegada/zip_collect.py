"""A coleta do curso para o `nbgrader zip_collect`: as classes que nbgrader_config.py lhe dá."""

import datetime
import os
from pathlib import Path, PurePosixPath
from typing import Any

from nbgrader.plugins.zipcollect import ExtractorPlugin, FileNameCollectorPlugin

from correcao.chegada.coletada import MESMA_HORA, nome_de_arquivo
from correcao.chegada.dono import Dono, dono_de
from correcao.chegada.leitor import Leitor, NaoDaParaColetar
from correcao.comum.texto import imprimivel

_CADA_UM = "extraido-"
SEM_DATA = 0.0  # a hora de um arquivo de que não se sabe quando foi entregue


class ExtratorSeguro(ExtractorPlugin):
    """Abre os zips de downloaded/LISTA/archive com os cuidados da coleta, e não com os do shutil."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        leitor, extraidos = Leitor(), list[Path]()
        try:
            for n, arquivo in enumerate(leitor.ler(_origem(Path(archive_path)))):
                primeira, *resto = map(nome_de_arquivo, arquivo.caminho.parts)
                # cada um em uma pasta sua: em um zip, o nome de um arquivo pode ser também o de uma pasta
                destino = Path(extracted_path, f"{_CADA_UM}{n}", primeira, *resto[-1:])
                destino.parent.mkdir(parents=True, exist_ok=True)
                destino.write_bytes(arquivo.conteudo or b"")
                os.utime(destino, (arquivo.quando.timestamp(),) * 2)
                extraidos.append(destino)
        except NaoDaParaColetar as erro:
            app: Any = self.parent
            app.fail(str(erro))
        if _horas_do_download(extraidos):
            self.log.warning("Os arquivos têm todos a mesma hora, a do download: ninguém perde por atraso.")
            for destino in extraidos:
                os.utime(destino, (SEM_DATA, SEM_DATA))
        for f in leitor.fora:
            self.log.warning("Ficou de fora: %s: %s", f.caminho, f.porque)


def _horas_do_download(extraidos: list[Path]) -> bool:
    """Um Moodle antigo põe em tudo a hora em que o zip foi feito."""
    horas: dict[str, float] = {}
    for p in extraidos:
        horas[p.parent.name] = max(p.stat().st_mtime, horas.get(p.parent.name, 0.0))
    return len(horas) > 1 and max(horas.values()) - min(horas.values()) <= MESMA_HORA


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
        if not isinstance(dono, Dono):
            self.log.warning("Ficou de fora: %s: %s", imprimivel(partes[-2]), dono)
            return None
        if not nome.lower().endswith(".ipynb"):
            return None
        achado = {"student_id": dono.aluno, "file_id": nome}
        hora = arquivo.stat().st_mtime
        if hora == SEM_DATA:
            return achado
        quando = datetime.datetime.fromtimestamp(hora, datetime.UTC)
        return achado | {"timestamp": quando.strftime("%Y-%m-%d %H:%M:%S UTC")}

    def _extraidos(self) -> Path:
        app: Any = self.parent
        passo = {"downloaded": app.downloaded_directory, "collect_step": app.extracted_directory}
        estrutura = app.collect_directory_structure.format(assignment_id=app.coursedir.assignment_id, **passo)
        return Path(app.coursedir.root, estrutura)
