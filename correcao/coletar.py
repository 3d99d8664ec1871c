"""`python curso.py coletar LISTA ARQUIVO`: do zip do Moodle (ou de uma pasta de notebooks) para submitted/.

Do arquivo não se confia em nada: caminhos, tamanhos e nomes são conferidos antes de escrever um byte. O que não serve
fica de fora, com o porquê, e o resto é coletado. De quem é cada arquivo, só diz o primeiro nome do caminho dele, que é
o do zip ou da pasta que o instrutor deu: os de dentro, e os de um zip dentro de outro, foi um aluno quem escreveu. Os
mesmos passos servem ao `nbgrader zip_collect` (zip_collect.py).
"""

import collections
import contextlib
import datetime
import io
import itertools
import json
import os
import re
import shutil
import stat
import sys
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tqdm import tqdm

from configuracao import comandos
from configuracao.terminal import por_que, rodar
from correcao import DATA, pasta_da_turma, planilha
from correcao.moodle import MOODLE, TurmaIndisponivel, ler_anotado
from correcao.texto import imprimivel, sem_acentos
from gabarito.curso import listas_do_curso
from helpers import RAIZ
from helpers.arquivos import gravar
from helpers.conferencia.listas import achar_lista

MAIOR_ARQUIVO = 100 * 2**20
MAIOR_TOTAL = 2 * 2**30
MAIS_ARQUIVOS = 20_000
MAIOR_ENTREGA = 200 * 2**20  # o que tudo o que é de um aluno ocupa: não pode tomar o lugar dos colegas
MAIS_DA_ENTREGA = 500
MODESTA = 10 * 2**20  # uma entrega até este tamanho, e de até 20 arquivos, entra mesmo com o total estourado por outros
MODESTOS = 20
NA_TELA = 40  # do que ficou de fora, quantas linhas; o resto vai contado por motivo
COMPRESSAO = 200  # um notebook comprime umas 10 vezes; uma bomba, milhares
FUNDO = 3  # um zip dentro de um zip dentro de um zip
_PASTA = re.compile(r"^(?P<nome>.+?)_(?P<id>\d{1,18})_assignsubmission_(?P<tipo>file|onlinetext)_?$")
_SOLTO = re.compile(r"^(?P<nome>.+?)_(?P<id>\d{1,18})_assignsubmission_(?P<tipo>file|onlinetext)_(?P<arquivo>.+)$")
_MARCA = re.compile(r"_(\d{1,18})_assignsubmission_(?:file|onlinetext)")
_COMO_SE_GUARDA = "%Y-%m-%d %H:%M:%S UTC"  # a data de uma entrega, como o nbgrader a escreve
_LIMITE = "o arquivo inteiro passou do limite de 2 GB ou de 20 000 arquivos"
_DO_ALUNO = "o que este aluno mandou passa de 200 MB ou de 500 arquivos"
_DA_TURMA = (
    "parece o zip da turma, e dentro de uma pasta, ou de outro zip, só se aceita o de um aluno; "
    "se é o da turma, dê o caminho dele ao comando"
)
_INICIO_NO_INDICE = b"PK\x01\x02"  # o de cada arquivo, no índice de um zip
_RESTOS = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")


class NaoDaParaColetar(Exception):
    """O que impede a coleta inteira, em uma frase que diz o que fazer."""


@dataclass
class Arquivo:
    """Um arquivo da coleta, já fora do zip."""

    caminho: PurePosixPath
    conteudo: bytes
    quando: datetime.datetime  # em UTC


@dataclass
class Fora:
    """O que ficou de fora, e por quê."""

    caminho: str
    porque: str
    quando: datetime.datetime | None = None  # só no que pede um olhar: o aluno talvez tenha perdido alguma coisa
    dono: "Dono | None" = None


@dataclass
class Dono:
    """De quem é um arquivo, segundo o nome que o Moodle lhe deu (ou a pasta em que está)."""

    aluno: str
    nome: str
    id: str | None = None
    pasta: str | None = None


@dataclass
class Coletada:
    """O que se coletou de um aluno."""

    dono: Dono
    quando: datetime.datetime
    arquivos: list[Arquivo] = field(default_factory=list)
    situacao: str = ""


# ---------------------------------------------------------------- ler sem confiar


class Leitor:
    """Lê um zip ou uma pasta, com um limite para cada aluno e outro para o total, e anota o que recusou."""

    def __init__(self, ids: dict[str, str] | None = None) -> None:
        self.ids = ids or {}
        self.fora: list[Fora] = []
        self.bytes: collections.Counter[str] = collections.Counter()  # de cada aluno
        self.quantos: collections.Counter[str] = collections.Counter()
        self.hora: datetime.datetime | None = None  # a do arquivo que se está lendo

    def ler(self, origem: Path) -> Iterator[Arquivo]:
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
        return dono_de(caminho, self.ids)[0] if caminho.parts else None

    def _aluno(self, caminho: PurePosixPath) -> str:
        dono = self._dono(caminho)
        return dono.aluno if dono else ""

    def _recusar(self, caminho: PurePosixPath, porque: str) -> None:
        self.quantos[self._aluno(caminho)] += 1  # o que se recusa também custa
        self.fora.append(Fora(_limpo(str(caminho)), porque, self.hora, self._dono(caminho)))

    def _cabe(self, caminho: PurePosixPath, tamanho: int) -> bool:
        aluno = self._aluno(caminho)
        if tamanho > MAIOR_ARQUIVO:
            self._recusar(caminho, f"tem mais de {MAIOR_ARQUIVO // 2**20} MB")
        elif self.bytes[aluno] + tamanho > MAIOR_ENTREGA or self.quantos[aluno] >= MAIS_DA_ENTREGA:
            self._recusar(caminho, _DO_ALUNO)
        elif self._estourou(tamanho) and (self.bytes[aluno] + tamanho > MODESTA or self.quantos[aluno] >= MODESTOS):
            self._recusar(caminho, _LIMITE)
        else:
            self.bytes[aluno] += tamanho
            self.quantos[aluno] += 1
            return True
        return False

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
            if info.is_dir() or _e_resto(caminho):
                continue
            if quando and self.quantos[self._aluno(caminho)] >= MAIS_DA_ENTREGA:
                return self._recusar(caminho, _DO_ALUNO)  # o resto do zip também não cabe, e pode não ter fim
            if _sai_da_pasta(nome):
                self._recusar(caminho, "o caminho aponta para fora do zip")
            elif stat.S_ISLNK(info.external_attr >> 16):
                self._recusar(caminho, "é um atalho, e não um arquivo")
            elif info.flag_bits & 1:
                self._recusar(caminho, "está protegido por senha")
            elif info.file_size > 2**20 and info.file_size > COMPRESSAO * max(1, info.compress_size):
                self._recusar(caminho, "é grande demais depois de aberto (parece uma bomba de compressão)")
            elif self._cabe(caminho, info.file_size if _interessa(caminho) else 0):
                yield from self._membro(zip_, info, caminho, fundo, self.hora)

    def _membro(
        self,
        zip_: zipfile.ZipFile,
        info: zipfile.ZipInfo,
        caminho: PurePosixPath,
        fundo: int,
        quando: datetime.datetime,
    ) -> Iterator[Arquivo]:
        if not _interessa(caminho):  # não se lê o que não vai ser usado
            yield Arquivo(caminho, b"", quando)
            return
        try:
            with zip_.open(info) as aberto:
                conteudo = aberto.read(info.file_size + 1)  # o tamanho declarado pode mentir
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
        if conteudo.count(_INICIO_NO_INDICE) > MAIS_ARQUIVOS:  # abri-lo já encheria a memória
            return self._recusar(caminho, "é um zip com arquivos demais")
        try:
            with zipfile.ZipFile(io.BytesIO(conteudo)) as dentro:
                if len(caminho.parts) == 1 and not _do_moodle_e(caminho) and _parece_da_turma(dentro):
                    return self._recusar(caminho, _DA_TURMA)
                yield from self._zip(dentro, caminho.with_suffix(""), fundo, quando)
        except Exception:  # há muitos jeitos de estragar um zip
            self._recusar(caminho, "é um zip que não se consegue ler")

    def _pasta(self, origem: Path) -> Iterator[Arquivo]:
        _exigir_a_da_turma(origem)
        for raiz, pastas, nomes in os.walk(origem, followlinks=False):
            pastas.sort()
            for nome in sorted(nomes):
                relativo = PurePosixPath(Path(raiz, nome).relative_to(origem).as_posix())
                if not _e_resto(relativo):
                    yield from self._do_disco(Path(raiz, nome), relativo)

    def _do_disco(self, arquivo: Path, relativo: PurePosixPath) -> Iterator[Arquivo]:
        try:
            info = arquivo.lstat()
            self.hora = quando = datetime.datetime.fromtimestamp(info.st_mtime, datetime.UTC).replace(microsecond=0)
            if not stat.S_ISREG(info.st_mode):
                return self._recusar(relativo, "é um atalho, e não um arquivo")
            if not self._cabe(relativo, info.st_size if _interessa(relativo) else 0):
                return
            conteudo = arquivo.read_bytes() if _interessa(relativo) else b""
        except OSError as erro:
            return self._recusar(relativo, f"não pôde ser lido ({por_que(erro)})")
        if relativo.suffix.lower() != ".zip":
            yield Arquivo(relativo, conteudo, quando)
        else:
            yield from self._de_dentro(conteudo, relativo, 2, quando)


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
    if _do_moodle_e(PurePosixPath(comum)) or not _tem_uma_turma([PurePosixPath(*c.parts[1:]) for c in caminhos]):
        return ""
    return f"{comum}/"


def _exigir_a_da_turma(origem: Path) -> None:
    """Uma pasta só com outra dentro: se é a da turma ou a de um aluno, só o instrutor sabe."""
    nomes = [p for p in origem.iterdir() if not _e_resto(PurePosixPath(p.name))]
    if len(nomes) != 1 or nomes[0].is_symlink() or not nomes[0].is_dir() or _do_moodle_e(PurePosixPath(nomes[0].name)):
        return
    dentro = [PurePosixPath(p.relative_to(nomes[0]).as_posix()) for p in nomes[0].rglob("*") if p.is_file()]
    if _tem_uma_turma([c for c in dentro if not _e_resto(c)]):
        raise NaoDaParaColetar(
            f"Em {origem} só há a pasta {nomes[0].name}. Se ela é a da turma, dê o caminho dela: {nomes[0]}. "
            "Se é de um aluno só, dê o caminho do notebook dele."
        )


def _tem_uma_turma(caminhos: list[PurePosixPath]) -> bool:
    """Uma pasta para cada aluno, ou um notebook com o nome de cada um; senão, é um aluno com vários arquivos."""
    if any(len(c.parts) > 1 for c in caminhos):
        return True
    nomes = [_sem_o_nome_da_lista(c.stem) for c in caminhos if c.suffix.lower() == ".ipynb"]
    return len(nomes) > 1 and all(nomes) and len({identificador(nome) for nome in nomes}) == len(nomes)


def _parece_da_turma(zip_: zipfile.ZipFile) -> bool:
    caminhos = [PurePosixPath(_nome_no_zip(m)) for m in zip_.infolist()]
    caminhos = [c for c in caminhos if not _e_resto(c)]
    return bool(caminhos) and all(map(_do_moodle_e, caminhos))


def _do_moodle_e(caminho: PurePosixPath) -> bool:
    """Há no caminho o nome que o Moodle dá ao que é de um aluno?"""
    return any(_PASTA.match(parte) or _SOLTO.match(parte) for parte in caminho.parts)


def _interessa(caminho: PurePosixPath) -> bool:
    return caminho.suffix.lower() in (".ipynb", ".zip")


def _sai_da_pasta(nome: str) -> bool:
    return nome.startswith("/") or bool(re.match(r"[A-Za-z]:", nome)) or ".." in nome.split("/") or "\0" in nome


def _e_resto(caminho: PurePosixPath) -> bool:
    return any(parte in _RESTOS or parte.startswith("._") for parte in caminho.parts)


def _hora_do_zip(info: zipfile.ZipInfo) -> datetime.datetime:
    """A hora de um zip não diz o fuso: é a do relógio de quem baixou."""
    try:
        return datetime.datetime(*info.date_time).astimezone(datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.datetime(1980, 1, 1, tzinfo=datetime.UTC)


def _limpo(texto: str) -> str:
    return imprimivel(texto, maximo=120)


# ---------------------------------------------------------------- de quem é cada arquivo


def identificador(texto: str) -> str:
    """Um nome de pasta simples: letras sem acento, números, ponto, hífen."""
    simples = re.sub(r"[^a-z0-9._-]+", "-", sem_acentos(texto)).strip("-._")
    return simples[:60] or "sem-nome"


def dono_de(caminho: PurePosixPath, ids: dict[str, str] | None = None) -> tuple[Dono | None, str, str]:
    """(dono, tipo do envio, nome do arquivo) pelo primeiro nome do caminho; None se não dá para saber de quem é."""
    ids, primeira, so_o_arquivo = ids or {}, caminho.parts[0], len(caminho.parts) == 1
    achado = (None if so_o_arquivo else _PASTA.match(primeira)) or _SOLTO.match(primeira)
    if achado:
        nome = achado["arquivo"] if so_o_arquivo else caminho.name
        if len(set(_MARCA.findall(primeira))) > 1:  # um dos dois números foi um aluno quem escreveu; não se sabe qual
            return None, achado["tipo"], nome
        pasta = primeira if achado.re is _PASTA else None
        return _do_moodle(achado, pasta, ids), achado["tipo"], nome
    if len(caminho.parts) > 1:
        return Dono(identificador(caminho.parts[0]), caminho.parts[0]), "file", caminho.name
    nome = _sem_o_nome_da_lista(caminho.stem) or caminho.stem
    return Dono(identificador(nome), nome), "file", caminho.name


def _sem_o_nome_da_lista(nome: str) -> str:
    """“lista-01_a12345” → “a12345”."""
    return re.sub(r"(?i)[\s_-]*lista[\s_-]*\d+[\w-]*?(?=[\s_]|$)", "", nome).strip(" _-")


def _do_moodle(achado: re.Match, pasta: str | None, ids: dict[str, str]) -> Dono:
    nome, numero = achado["nome"], achado["id"]
    # com nomes repetidos na turma, é o número do Moodle que distingue as pessoas
    aluno = ids.get(numero) or f"{identificador(nome)}-{numero}"
    pasta = pasta or f"{nome}_{numero}_assignsubmission_file_"
    return Dono(aluno, nome, numero, pasta)


def ids_da_planilha(tabela: planilha.Planilha) -> dict[str, str]:
    """Número do Moodle → a matrícula ou, se não há, o começo do e-mail."""
    ids = {}
    for numero, linha in tabela.participantes().items():
        matricula, email = tabela.valor(linha, "numero"), tabela.valor(linha, "email")
        proprio = matricula or email.partition("@")[0]
        if proprio:
            ids[numero] = identificador(proprio)
    quantos = collections.Counter(ids.values())
    return {numero: f"{i}-{numero}" if quantos[i] > 1 else i for numero, i in ids.items()}


# ---------------------------------------------------------------- coletar


def agrupar(arquivos: Iterator[Arquivo], ids: dict[str, str], fora: list[Fora]) -> list[Coletada]:
    """Os notebooks de cada aluno; de dois com o mesmo nome, o mais novo."""
    achados: dict[str, Coletada] = {}
    for arquivo in sorted(arquivos, key=lambda a: (a.quando, str(a.caminho))):
        dono, tipo, nome = dono_de(arquivo.caminho, ids)
        if dono is None:
            porque = "o nome traz dois números do Moodle; veja de quem é"
            fora.append(Fora(_limpo(str(arquivo.caminho)), porque, arquivo.quando))
            continue
        da_pessoa = achados.setdefault(dono.aluno, Coletada(dono, arquivo.quando))
        if _outra_pessoa(dono, da_pessoa.dono):
            porque = f"sem acentos, o nome é o mesmo de “{_limpo(da_pessoa.dono.nome)}”; mude um dos dois"
            fora.append(Fora(_limpo(str(arquivo.caminho)), porque, arquivo.quando))
            continue
        if not nome.lower().endswith(".ipynb"):
            porque = "é um texto escrito no Moodle, e não um notebook" if tipo == "onlinetext" else "não é um notebook"
            fora.append(Fora(_limpo(str(arquivo.caminho)), porque))
            continue
        antigos = [a for a in da_pessoa.arquivos if _nome(a) == nome]
        fora += [Fora(_limpo(str(a.caminho)), "há outro com o mesmo nome, mais novo ou da mesma hora") for a in antigos]
        da_pessoa.arquivos = [a for a in da_pessoa.arquivos if a not in antigos]
        da_pessoa.arquivos.append(Arquivo(arquivo.caminho.with_name(nome), arquivo.conteudo, arquivo.quando))
        da_pessoa.quando = max(da_pessoa.quando, arquivo.quando)
    return sorted(achados.values(), key=lambda c: c.dono.aluno)


def so_recusados(fora: list[Fora], coletadas: list[Coletada]) -> list[Coletada]:
    """Quem o Moodle diz que entregou, mas de quem nada se aproveitou: também tem direito a uma nota e a um motivo."""
    achados = {c.dono.aluno for c in coletadas}
    novos: dict[str, Coletada] = {}
    for f in fora:
        if f.quando is None or f.porque == _LIMITE:  # não foi culpa do aluno
            continue
        if f.dono and f.dono.id and f.dono.aluno not in achados:
            novos.setdefault(f.dono.aluno, Coletada(f.dono, f.quando))
    return list(novos.values())


def _outra_pessoa(um: Dono, outro: Dono) -> bool:
    """Duas pessoas que cairiam na mesma pasta; maiúsculas não distinguem ninguém."""
    nomes = {unicodedata.normalize("NFC", dono.nome).casefold() for dono in (um, outro)}
    return um.id != outro.id or (um.id is None and len(nomes) > 1)


def _nome(arquivo: Arquivo) -> str:
    return arquivo.caminho.name


def guardar(coletada: Coletada, turma: Path, lista: str) -> str:
    """Põe a entrega em submitted/, sem trocar uma mais nova por uma mais velha; devolve o que fez."""
    destino = turma / "submitted" / coletada.dono.aluno / lista
    antiga = _quando(destino)
    novos = {nome_de_arquivo(_nome(a)): a.conteudo for a in coletada.arquivos}
    if destino.is_dir():
        antigos = {p.name: p.read_bytes() for p in destino.glob("*.ipynb")}
        if antiga and antiga > coletada.quando:
            return "ficou de fora: já havia uma entrega mais nova"
        if antigos == novos:
            return "já estava coletada"
        if not novos:
            return "sem notebook desta vez: ficou a entrega anterior"
    provisoria = destino.with_name(f".{destino.name}.nova")
    shutil.rmtree(provisoria, ignore_errors=True)
    provisoria.mkdir(parents=True)
    for nome, conteudo in novos.items():
        (provisoria / nome).write_bytes(conteudo)
    (provisoria / DATA).write_text(f"{coletada.quando.strftime(_COMO_SE_GUARDA)}\n", encoding="utf-8")
    feito = "coletada"
    if destino.is_dir():  # só agora, com a nova inteira no disco
        _reservar(destino, turma / "anteriores" / coletada.dono.aluno / lista, antiga or coletada.quando)
        feito = "trocou a anterior, que foi para anteriores/"
    provisoria.rename(destino)
    return feito if novos else "sem notebook: vai valer zero, com o motivo"


def _reservar(antiga: Path, pasta: Path, quando: datetime.datetime) -> None:
    """Guarda a entrega trocada, sem apagar outra que tenha a mesma data."""
    pasta.mkdir(parents=True, exist_ok=True)
    sufixos = itertools.chain([""], (f"-{n}" for n in itertools.count(2)))
    nomes = (pasta / f"{quando:%Y%m%d-%H%M%S}{sufixo}" for sufixo in sufixos)
    antiga.rename(next(nome for nome in nomes if not nome.exists()))


def nome_de_arquivo(nome: str) -> str:
    limpo = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in nome)
    cabe = limpo.encode("utf-8", "replace")[-200:].decode("utf-8", "ignore")  # um sistema de arquivos conta bytes
    return cabe.lstrip(".") or "sem-nome.ipynb"


def _quando(pasta: Path) -> datetime.datetime | None:
    try:
        texto = (pasta / DATA).read_text(encoding="utf-8").strip()
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(texto, _COMO_SE_GUARDA).replace(tzinfo=datetime.UTC)
        from nbgrader.utils import parse_utc  # só para a data que outro programa escreveu: leva segundos

        return parse_utc(texto).replace(tzinfo=datetime.UTC)
    except (OSError, ValueError, AttributeError):
        return None


def mesmos_nomes(ids: dict[str, str], turma: Path, lista: str) -> tuple[dict[str, str], dict[str, str]]:
    """Uma pessoa não vira duas: quem já foi coletado nesta lista continua com o nome da pasta que tem.

    Uma planilha que chega depois da primeira coleta ainda troca o nome de quem não foi corrigido. Devolve os nomes por
    número do Moodle, e as trocas a fazer em submitted/.
    """
    nomes, trocas = dict(ids), {}
    for aluno, dados in ler_anotado(turma).get(lista, {}).items():
        novo = ids.get(dados["id"] or "")
        velha, nova = (turma / "submitted" / nome / lista for nome in (aluno, novo or aluno))
        corrigida = (turma / "autograded" / aluno / lista).exists()
        if novo and novo != aluno and velha.is_dir() and not corrigida and not nova.exists():
            trocas[aluno] = novo
        elif dados["id"] and velha.is_dir():
            nomes[dados["id"]] = aluno
    return nomes, trocas


def trocar_nomes(trocas: dict[str, str], turma: Path, lista: str) -> None:
    for velho, novo in trocas.items():
        destino = turma / "submitted" / novo / lista
        destino.parent.mkdir(parents=True, exist_ok=True)
        (turma / "submitted" / velho / lista).rename(destino)
        with contextlib.suppress(OSError):  # só sai vazia: pode haver outras listas nela
            (turma / "submitted" / velho).rmdir()


def anotar(coletadas: list[Coletada], turma: Path, lista: str, trocas: dict[str, str]) -> None:
    """Guarda o nome e a pasta que o Moodle deu a cada aluno, para devolver por lá."""
    arquivo, tudo = turma / MOODLE, ler_anotado(turma)
    da_lista = tudo.setdefault(lista, {})
    for velho, novo in trocas.items():
        da_lista[novo] = da_lista.pop(velho)
    for c in coletadas:
        da_lista[c.dono.aluno] = {"nome": c.dono.nome, "id": c.dono.id, "pasta": c.dono.pasta}
    gravar(arquivo, json.dumps(tudo, ensure_ascii=False, indent=1))


def coletar(
    lista: str, origem: Path, turma: Path = RAIZ, tabela: Path | None = None
) -> tuple[list[Coletada], list[Fora]]:
    """Coleta `origem` (zip, pasta ou notebook) e devolve o que coletou e o que ficou de fora."""
    if not origem.exists():
        raise NaoDaParaColetar(f"Não achei {origem}; confira o caminho.")
    turma = Path(turma)
    ids, trocas = mesmos_nomes(ids_da_planilha(planilha.ler(tabela)) if tabela else {}, turma, lista)
    leitor = Leitor(ids)
    coletadas = agrupar(leitor.ler(origem), ids, leitor.fora)
    coletadas = sorted([*coletadas, *so_recusados(leitor.fora, coletadas)], key=lambda c: c.dono.aluno)
    if not any(c.arquivos for c in coletadas):
        da_turma = next((f.caminho for f in leitor.fora if f.porque == _DA_TURMA), None)
        if da_turma:
            raise NaoDaParaColetar(f"{origem.name}/{da_turma} {_DA_TURMA}. Nada foi coletado.")
        raise NaoDaParaColetar(f"Não há nenhum notebook (.ipynb) em {origem.name}; nada foi coletado.")
    trocar_nomes(trocas, turma, lista)
    for coletada in tqdm(coletadas, desc="Coletando", unit="aluno", disable=None, leave=False):
        coletada.situacao = guardar(coletada, turma, lista)
    anotar(coletadas, turma, lista, trocas)
    return coletadas, leitor.fora


def quadro(coletadas: list[Coletada], fora: list[Fora]) -> str:
    largura = max([len(c.dono.aluno) for c in coletadas] + [5])
    linhas = [f"{'aluno':<{largura}}  {'quando':<16}  {'notebooks':>9}  situação"]
    for c in coletadas:
        quando = c.quando.astimezone().strftime("%d/%m/%Y %H:%M")
        linhas.append(f"{c.dono.aluno:<{largura}}  {quando:<16}  {len(c.arquivos):>9}  {c.situacao}")
    if fora:
        linhas += ["", "Ficou de fora:", *(f"  {f.caminho}: {f.porque}" for f in fora[:NA_TELA])]
        porques = collections.Counter(f.porque for f in fora[NA_TELA:])
        linhas += [f"  … e mais {n}: {porque}" for porque, n in porques.most_common(NA_TELA)]
    return "\n".join(linhas)


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("coletar", argumentos)
    lista = achar_lista(pedido.lista, listas_do_curso())
    if lista is None:
        print(f"Não existe a lista “{pedido.lista}”; existem: {', '.join(listas_do_curso())}.", file=sys.stderr)
        return 2
    turma = pasta_da_turma()
    try:
        coletadas, fora = coletar(lista, pedido.arquivo, turma, pedido.planilha)
    except (NaoDaParaColetar, TurmaIndisponivel, planilha.PlanilhaInvalida) as erro:
        print(erro, file=sys.stderr)
        return 2
    except OSError as erro:
        print(
            f"A coleta parou em {erro.filename}: {por_que(erro)}. O que já foi coletado fica; resolva e rode de novo.",
            file=sys.stderr,
        )
        return 1
    print(quadro(coletadas, fora))
    sem = sum(not c.arquivos for c in coletadas)
    quantos = f"{len(coletadas)} {'aluno' if len(coletadas) == 1 else 'alunos'}"
    print(f"\n{quantos}{f', {sem} sem notebook' if sem else ''}. Agora: python curso.py corrigir {lista}")
    return 3 if sem or any(f.quando for f in fora) else 0  # 3: há o que olhar, como no corrigir


if __name__ == "__main__":
    rodar(main)
