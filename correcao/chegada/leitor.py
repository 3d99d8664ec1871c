"""Lê o que o instrutor baixou (um zip, uma pasta, um notebook) sem confiar em nada do que há dentro.

O limite é sobre o que abrir custa, contado enquanto se descomprime: um notebook com sessenta mil linhas iguais comprime
tanto quanto uma bomba, e não custa nada. O que passa dele fica de fora ainda comprimido, e se guarda assim.
"""

import collections
import datetime
import io
import os
import re
import stat
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from configuracao.terminal import por_que
from correcao.chegada import recusados
from correcao.chegada.coletada import Arquivo, Fora
from correcao.chegada.dono import Dono, do_moodle_e, dono_de, tem_uma_turma
from correcao.chegada.equipe import Equipes
from correcao.comum import datas
from correcao.comum.texto import imprimivel

MAIOR_ARQUIVO = 100 * 2**20
MAIOR_TOTAL = 2 * 2**30
MAIS_ARQUIVOS = 20_000
MAIOR_ENTREGA = 200 * 2**20  # o que tudo o que é de um aluno ocupa: não pode tomar o lugar dos colegas
MAIS_DA_ENTREGA = 500
MODESTA = 10 * 2**20  # uma entrega até este tamanho, e de até 20 arquivos, entra mesmo com o total estourado por outros
MODESTOS = 20
FUNDO = 3  # um zip dentro de um zip dentro de um zip
_PEDACO = 2**20  # bytes que se abrem de cada vez
_METODOS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # nos outros, um pedaço pequeno abre inteiro, tenha o que tiver
LIMITE = "o arquivo inteiro passou do limite de 2 GB ou de 20 000 arquivos"
_DO_ALUNO = "o que foi mandado passa de 200 MB ou de 500 arquivos"
DA_TURMA = (
    "parece o zip da turma, e dentro de uma pasta, ou de outro zip, só se aceita o de um aluno; "
    "se é o da turma, dê o caminho dele ao comando"
)
PARA_FORA = "o caminho aponta para fora do zip"
ATALHO = "é um atalho, e não um arquivo"
_VAZIO = "é um zip sem nenhum arquivo dentro"
_NADA = "chegou sem nenhum arquivo dentro"
_A_PASTA = "a pasta do envio"  # o nome que se dá a uma em que não há nada
_INICIO_NO_INDICE = b"PK\x01\x02"  # o de cada arquivo, no índice de um zip
_RESTOS = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")


class NaoDaParaColetar(Exception):
    """O que impede a coleta inteira, em uma frase que diz o que fazer."""


class Leitor:
    """Lê um zip ou uma pasta, com um limite para cada aluno e outro para o total, e anota o que recusou."""

    def __init__(self, ids: dict[str, str] | None = None, equipes: Equipes | None = None) -> None:
        self.ids, self.equipes = ids or {}, equipes
        self.fora: list[Fora] = []
        self.bytes: collections.Counter[str] = collections.Counter()  # de cada aluno
        self.quantos: collections.Counter[str] = collections.Counter()
        self.hora: datetime.datetime | None = None  # a do arquivo que se está lendo
        self.espaco = recusados.Espaco()
        self.vistas: dict[str, datetime.datetime] = {}  # o primeiro nome de cada caminho, também dos que não se leem
        self.com_algo: set[str] = set()  # deles, os de que algo se leu ou se recusou

    def ler(self, origem: Path) -> Iterator[Arquivo]:
        """Ao fim, também quem mandou uma pasta vazia está em `fora`."""
        yield from self._ler(origem)
        for primeira, hora in self.vistas.items():
            if primeira not in self.com_algo:
                caminho, self.hora = PurePosixPath(primeira, _A_PASTA), hora
                dono = dono_de(caminho, self.ids, self.equipes)[0]
                self._recusar(caminho, _NADA if isinstance(dono, Dono) else dono)

    def _ler(self, origem: Path) -> Iterator[Arquivo]:
        if origem.is_dir():
            yield from self._pasta(origem)
        elif origem.suffix.lower() == ".ipynb":
            yield from self._do_disco(origem, PurePosixPath(origem.name))
        else:
            try:
                with zipfile.ZipFile(origem) as zip_:
                    yield from self._zip(zip_, PurePosixPath(), tirar=_pasta_comum(zip_.infolist()))
            except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as erro:
                motivo = f" ({por_que(erro)})" if isinstance(erro, OSError) else ", ou chegou incompleto"
                raise NaoDaParaColetar(
                    f"{origem.name} não é um zip que se possa ler{motivo}; baixe-o de novo do Moodle."
                ) from None

    def _dono(self, caminho: PurePosixPath) -> Dono | None:
        dono = dono_de(caminho, self.ids, self.equipes)[0] if caminho.parts else None
        return dono if isinstance(dono, Dono) else None

    def _aluno(self, caminho: PurePosixPath) -> str:
        dono = self._dono(caminho)
        return dono.aluno if dono else ""

    def _ver(self, caminho: PurePosixPath) -> None:
        """Alguém mandou alguma coisa, mesmo que seja uma pasta vazia."""
        if self.hora and caminho.parts and not _e_resto(PurePosixPath(caminho.parts[0])):
            self.vistas.setdefault(caminho.parts[0], self.hora)

    def _recusar(self, caminho: PurePosixPath, porque: str, conteudo: bytes | None = None, sufixo: str = "") -> None:
        self._contar(caminho)  # o que se recusa também custa
        guardado = conteudo if conteudo and self.espaco.cabe(self._aluno(caminho), len(conteudo)) else None
        self.fora.append(Fora(limpo(str(caminho)), porque, self.hora, self._dono(caminho), guardado, sufixo))

    def _contar(self, caminho: PurePosixPath) -> None:
        self.com_algo.update(caminho.parts[:1])
        self.quantos[self._aluno(caminho)] += 1

    def _por_que_nao_cabe(self, caminho: PurePosixPath, tamanho: int) -> str | None:
        """None, se cabe; e aí já se conta."""
        aluno = self._aluno(caminho)
        if tamanho > MAIOR_ARQUIVO:
            return f"tem mais de {MAIOR_ARQUIVO // 2**20} MB"
        if self.bytes[aluno] + tamanho > MAIOR_ENTREGA or self.quantos[aluno] >= MAIS_DA_ENTREGA:
            return _DO_ALUNO
        if self._estourou(tamanho) and (self.bytes[aluno] + tamanho > MODESTA or self.quantos[aluno] >= MODESTOS):
            return LIMITE
        self.bytes[aluno] += tamanho
        self._contar(caminho)
        return None

    def _estourou(self, tamanho: int) -> bool:
        return self.bytes.total() + tamanho > MAIOR_TOTAL or self.quantos.total() >= MAIS_ARQUIVOS

    def _zip(
        self,
        zip_: zipfile.ZipFile,
        base: PurePosixPath,
        fundo: int = 1,
        quando: datetime.datetime | None = None,
        tirar: str = "",
    ) -> Iterator[Arquivo]:
        """`quando` é a hora do zip de um aluno: a dos arquivos de dentro, foi ele quem escreveu."""
        for info in zip_.infolist():
            nome = _nome_no_zip(info).removeprefix(tirar)
            caminho, self.hora = base / nome.lstrip("/"), quando or _hora_do_zip(info)
            self._ver(caminho)
            if info.is_dir() or _e_resto(caminho):
                continue
            if quando and self.quantos[self._aluno(caminho)] >= MAIS_DA_ENTREGA:
                return self._recusar(caminho, _DO_ALUNO)  # o resto do zip também não cabe, e pode não ter fim
            if _sai_da_pasta(nome):
                self._recusar(caminho, PARA_FORA)
            elif stat.S_ISLNK(info.external_attr >> 16):
                self._recusar(caminho, ATALHO)
            elif info.flag_bits & 1:
                self._recusar(caminho, "está protegido por senha")
            elif info.compress_type not in _METODOS:
                self._recusar(
                    caminho, "está comprimido de um jeito que a correção não abre; refaça-o como um zip comum"
                )
            elif porque := self._por_que_nao_cabe(caminho, info.file_size if _interessa(caminho) else 0):
                self._recusar(caminho, porque, *_ainda_comprimido(zip_, info))
            else:
                yield from self._membro(zip_, info, caminho, fundo, self.hora)

    def _membro(
        self,
        zip_: zipfile.ZipFile,
        info: zipfile.ZipInfo,
        caminho: PurePosixPath,
        fundo: int,
        quando: datetime.datetime,
    ) -> Iterator[Arquivo]:
        if not _interessa(caminho) and not self.espaco.cabe(self._aluno(caminho), info.file_size):
            yield Arquivo(caminho, None, quando)  # não se lê o que não vai ser usado nem guardado
            return
        try:
            with zip_.open(info) as aberto:
                conteudo = _aos_poucos(aberto, info.file_size)  # o tamanho declarado pode mentir
        except Exception:  # CRC errado, método desconhecido, fluxo truncado
            return self._recusar(caminho, "está estragado dentro do zip")
        if len(conteudo) > info.file_size:
            return self._recusar(caminho, "tem mais bytes do que o zip declara")
        if caminho.suffix.lower() != ".zip":
            yield Arquivo(caminho, conteudo, quando)
        elif fundo >= FUNDO:
            self._recusar(caminho, "é um zip dentro de outro, fundo demais")
        else:
            yield from self._de_dentro(conteudo, caminho, fundo + 1, quando)

    def _de_dentro(
        self, conteudo: bytes, caminho: PurePosixPath, fundo: int, quando: datetime.datetime
    ) -> Iterator[Arquivo]:
        """Os arquivos de um zip que estava em uma pasta, ou dentro de outro: é de um aluno, e o que há nele também."""
        if not conteudo:
            return self._recusar(caminho, "está vazio, com 0 bytes")
        if conteudo.count(_INICIO_NO_INDICE) > MAIS_ARQUIVOS:  # abri-lo já encheria a memória
            return self._recusar(caminho, "é um zip com arquivos demais", conteudo)
        try:
            with zipfile.ZipFile(io.BytesIO(conteudo)) as dentro:
                if len(caminho.parts) == 1 and not do_moodle_e(caminho) and _parece_da_turma(dentro):
                    return self._recusar(caminho, DA_TURMA, conteudo)
                antes = self.quantos[self._aluno(caminho)]
                yield from self._zip(dentro, caminho.with_suffix(""), fundo, quando)
                if self.quantos[self._aluno(caminho)] == antes:
                    self._recusar(caminho, _VAZIO, conteudo)
        except Exception:  # há muitos jeitos de estragar um zip
            self._recusar(caminho, "é um zip que não se consegue ler", conteudo)

    def _pasta(self, origem: Path) -> Iterator[Arquivo]:
        _exigir_a_da_turma(origem)
        for raiz, pastas, nomes in os.walk(origem, followlinks=False):
            pastas.sort()
            for pasta in (Path(raiz, nome) for nome in pastas if Path(raiz) == origem):
                self._pasta_de_alguem(pasta)
            for nome in sorted(nomes):
                relativo = PurePosixPath(Path(raiz, nome).relative_to(origem).as_posix())
                if not _e_resto(relativo):
                    yield from self._do_disco(Path(raiz, nome), relativo)

    def _pasta_de_alguem(self, pasta: Path) -> None:
        caminho = PurePosixPath(pasta.name, _A_PASTA)
        self.hora = _hora(pasta.lstat())
        self._ver(caminho)
        if pasta.is_symlink() and not _e_resto(caminho):
            self._recusar(caminho, ATALHO)

    def _do_disco(self, arquivo: Path, relativo: PurePosixPath) -> Iterator[Arquivo]:
        try:
            info = arquivo.lstat()
            self.hora = quando = _hora(info)
            if not stat.S_ISREG(info.st_mode):
                return self._recusar(relativo, ATALHO)
            if porque := self._por_que_nao_cabe(relativo, info.st_size if _interessa(relativo) else 0):
                cabe = info.st_size <= recusados.MAIOR
                return self._recusar(relativo, porque, arquivo.read_bytes() if cabe else None)
            ler = _interessa(relativo) or self.espaco.cabe(self._aluno(relativo), info.st_size)
            conteudo = arquivo.read_bytes() if ler else None
        except OSError as erro:
            return self._recusar(relativo, f"não pôde ser lido ({por_que(erro)})")
        if conteudo is None or relativo.suffix.lower() != ".zip":
            yield Arquivo(relativo, conteudo, quando)
        else:
            yield from self._de_dentro(conteudo, relativo, 2, quando)


def _aos_poucos(aberto: IO[bytes], declarado: int) -> bytes:
    """O conteúdo; de um que tenha mais do que o declarado, só se lê um pedaço a mais."""
    lidos = bytearray()
    while len(lidos) <= declarado and (pedaco := aberto.read(_PEDACO)):
        lidos += pedaco
    return bytes(lidos)


def _ainda_comprimido(zip_: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[bytes | None, str]:
    """(o que se guarda de um arquivo grande demais para abrir, o que se acrescenta ao nome dele).

    O que o zip tem dele é o miolo de um gzip: com um começo e um fim, qualquer programa o abre.
    """
    arquivo = zip_.fp
    if info.compress_size > recusados.MAIOR or info.compress_type != zipfile.ZIP_DEFLATED or arquivo is None:
        return None, ""
    arquivo.seek(info.header_offset)
    cabecalho = arquivo.read(30)
    if len(cabecalho) < 30:
        return None, ""
    arquivo.seek(sum(struct.unpack("<HH", cabecalho[26:])), os.SEEK_CUR)
    fim = struct.pack("<LL", info.CRC, info.file_size & 0xFFFFFFFF)
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + arquivo.read(info.compress_size) + fim, ".gz"


def _hora(info: os.stat_result) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(info.st_mtime, datetime.UTC).replace(microsecond=0)


def _nome_no_zip(info: zipfile.ZipInfo) -> str:
    return info.filename.replace("\\", "/")


def _pasta_comum(membros: list[zipfile.ZipInfo]) -> str:
    """Um zip de uma pasta traz o nome dela em todos os caminhos: ele não é o nome de um aluno."""
    caminhos = [PurePosixPath(_nome_no_zip(m)) for m in membros if not m.is_dir()]
    caminhos = [c for c in caminhos if not _e_resto(c)]
    primeiras = {c.parts[0] for c in caminhos if c.parts}
    if len(caminhos) < 2 or len(primeiras) != 1 or any(len(c.parts) < 2 for c in caminhos):
        return ""
    comum = primeiras.pop()
    if do_moodle_e(PurePosixPath(comum)) or not tem_uma_turma([PurePosixPath(*c.parts[1:]) for c in caminhos]):
        return ""
    return f"{comum}/"


def _exigir_a_da_turma(origem: Path) -> None:
    """Uma pasta só com outra dentro: se é a da turma ou a de um aluno, só o instrutor sabe."""
    nomes = [p for p in origem.iterdir() if not _e_resto(PurePosixPath(p.name))]
    if len(nomes) != 1 or nomes[0].is_symlink() or not nomes[0].is_dir() or do_moodle_e(PurePosixPath(nomes[0].name)):
        return
    dentro = [PurePosixPath(p.relative_to(nomes[0]).as_posix()) for p in nomes[0].rglob("*") if p.is_file()]
    if tem_uma_turma([c for c in dentro if not _e_resto(c)]):
        raise NaoDaParaColetar(
            f"Em {origem} só há a pasta {nomes[0].name}. Se ela é a da turma, dê o caminho dela: {nomes[0]}. "
            "Se é de um aluno só, dê o caminho do notebook dele."
        )


def _parece_da_turma(zip_: zipfile.ZipFile) -> bool:
    caminhos = [PurePosixPath(_nome_no_zip(m)) for m in zip_.infolist()]
    caminhos = [c for c in caminhos if not _e_resto(c)]
    return bool(caminhos) and all(map(do_moodle_e, caminhos))


def _interessa(caminho: PurePosixPath) -> bool:
    return caminho.suffix.lower() in (".ipynb", ".zip")


def _sai_da_pasta(nome: str) -> bool:
    return nome.startswith("/") or bool(re.match(r"[A-Za-z]:", nome)) or ".." in nome.split("/") or "\0" in nome


def _e_resto(caminho: PurePosixPath) -> bool:
    return any(parte in _RESTOS or parte.startswith("._") for parte in caminho.parts)


def _hora_do_zip(info: zipfile.ZipInfo) -> datetime.datetime:
    """A hora de um zip não diz o fuso: é a do relógio de quem o fez, que se supõe o da turma."""
    try:
        return datetime.datetime(*info.date_time, tzinfo=datas.fuso()).astimezone(datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.datetime(1980, 1, 1, tzinfo=datetime.UTC)


def limpo(texto: str) -> str:
    return imprimivel(texto, maximo=120)
