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
from typing import Any

from tqdm import tqdm

from configuracao import comandos
from configuracao.terminal import por_que, rodar
from correcao import DATA, pasta_da_turma
from correcao.chegada import planilha, recusados
from correcao.chegada.chamada import Recusas, anotar, mesmos_nomes, trocar_nomes
from correcao.chegada.coletada import (
    FICOU,
    JA_ESTAVA,
    MAIS_NOVA,
    Arquivo,
    Coletada,
    Fora,
    datar,
    nome_de_arquivo,
    nome_do,
)
from correcao.chegada.dono import Dono, do_moodle_e, dono_de, ids_da_planilha, tem_uma_turma
from correcao.chegada.envio import Envio, envios
from correcao.chegada.equipe import FORA_DA_PLANILHA, SEM_PLANILHA, Equipes, da_planilha, do_anotado
from correcao.comum import datas
from correcao.comum.moodle import DoMoodle, TurmaIndisponivel, de_que_lista, ler_anotado
from correcao.comum.texto import imprimivel
from gabarito.no_nbgrader import listas_do_curso
from helpers import RAIZ
from helpers.conferencia.listas import achar_lista, nao_existe
from helpers.gravacao import gravar

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
_COMO_SE_GUARDA = "%Y-%m-%d %H:%M:%S UTC"  # a data de uma entrega, como o nbgrader a escreve
_LIMITE = "o arquivo inteiro passou do limite de 2 GB ou de 20 000 arquivos"
_DO_ALUNO = "o que foi mandado passa de 200 MB ou de 500 arquivos"
_DA_TURMA = (
    "parece o zip da turma, e dentro de uma pasta, ou de outro zip, só se aceita o de um aluno; "
    "se é o da turma, dê o caminho dele ao comando"
)
_INICIO_NO_INDICE = b"PK\x01\x02"  # o de cada arquivo, no índice de um zip
_RESTOS = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")


class NaoDaParaColetar(Exception):
    """O que impede a coleta inteira, em uma frase que diz o que fazer."""


# ---------------------------------------------------------------- ler sem confiar


class Leitor:
    """Lê um zip ou uma pasta, com um limite para cada aluno e outro para o total, e anota o que recusou."""

    def __init__(self, ids: dict[str, str] | None = None, equipes: Equipes | None = None) -> None:
        self.ids, self.equipes = ids or {}, equipes
        self.fora: list[Fora] = []
        self.bytes: collections.Counter[str] = collections.Counter()  # de cada aluno
        self.quantos: collections.Counter[str] = collections.Counter()
        self.hora: datetime.datetime | None = None  # a do arquivo que se está lendo
        self.espaco = recusados.Espaco()

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
        dono = dono_de(caminho, self.ids, self.equipes)[0] if caminho.parts else None
        return dono if isinstance(dono, Dono) else None

    def _aluno(self, caminho: PurePosixPath) -> str:
        dono = self._dono(caminho)
        return dono.aluno if dono else ""

    def _recusar(self, caminho: PurePosixPath, porque: str, conteudo: bytes | None = None) -> None:
        self.quantos[self._aluno(caminho)] += 1  # o que se recusa também custa
        guardado = conteudo if conteudo and self.espaco.cabe(self._aluno(caminho), len(conteudo)) else None
        self.fora.append(Fora(_limpo(str(caminho)), porque, self.hora, self._dono(caminho), guardado))

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
        if not _interessa(caminho) and not self.espaco.cabe(self._aluno(caminho), info.file_size):
            yield Arquivo(caminho, None, quando)  # não se lê o que não vai ser usado nem guardado
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
            return self._recusar(caminho, "é um zip com arquivos demais", conteudo)
        try:
            with zipfile.ZipFile(io.BytesIO(conteudo)) as dentro:
                if len(caminho.parts) == 1 and not do_moodle_e(caminho) and _parece_da_turma(dentro):
                    return self._recusar(caminho, _DA_TURMA, conteudo)
                yield from self._zip(dentro, caminho.with_suffix(""), fundo, quando)
        except Exception:  # há muitos jeitos de estragar um zip
            self._recusar(caminho, "é um zip que não se consegue ler", conteudo)

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
            ler = _interessa(relativo) or self.espaco.cabe(self._aluno(relativo), info.st_size)
            conteudo = arquivo.read_bytes() if ler else None
        except OSError as erro:
            return self._recusar(relativo, f"não pôde ser lido ({por_que(erro)})")
        if conteudo is None or relativo.suffix.lower() != ".zip":
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


def _limpo(texto: str) -> str:
    return imprimivel(texto, maximo=120)


# ---------------------------------------------------------------- coletar


def agrupar(
    arquivos: Iterator[Arquivo], ids: dict[str, str], fora: list[Fora], equipes: Equipes | None = None
) -> list[Coletada]:
    """Os notebooks de cada aluno, ou de cada grupo; de dois com o mesmo nome, o mais novo."""
    achados: dict[str, Coletada] = {}
    for arquivo in sorted(arquivos, key=lambda a: (a.quando, str(a.caminho))):
        dono, tipo, nome = dono_de(arquivo.caminho, ids, equipes)
        if not isinstance(dono, Dono):
            fora.append(Fora(_limpo(str(arquivo.caminho)), dono, arquivo.quando, None, arquivo.conteudo))
            continue
        da_pessoa = achados.setdefault(dono.aluno, Coletada(dono, arquivo.quando))
        if _outra_pessoa(dono, da_pessoa.dono):
            porque = f"sem acentos, o nome é o mesmo de “{_limpo(da_pessoa.dono.nome)}”; mude um dos dois"
            fora.append(Fora(_limpo(str(arquivo.caminho)), porque, arquivo.quando, None, arquivo.conteudo))
            continue
        da_pessoa.dono.atrasado |= dono.atrasado
        if not nome.lower().endswith(".ipynb"):
            porque = "é um texto escrito no Moodle, e não um notebook" if tipo == "onlinetext" else "não é um notebook"
            fora.append(Fora(_limpo(str(arquivo.caminho)), porque, None, dono, arquivo.conteudo))
            continue
        antigos = [a for a in da_pessoa.arquivos if nome_do(a) == nome]
        if dono.membros and any(a.conteudo == arquivo.conteudo for a in antigos):
            continue  # a cópia que o Moodle pôs na pasta de outro membro
        porque = "há outro com o mesmo nome, mais novo ou da mesma hora"
        fora += [Fora(_limpo(str(a.caminho)), porque, None, dono, a.conteudo) for a in antigos]
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
        if f.dono and (f.dono.id or f.dono.membros) and f.dono.aluno not in achados:
            novos.setdefault(f.dono.aluno, Coletada(f.dono, f.quando))
    return list(novos.values())


def _outra_pessoa(um: Dono, outro: Dono) -> bool:
    """Duas pessoas que cairiam na mesma pasta; maiúsculas não distinguem ninguém."""
    nomes = {unicodedata.normalize("NFC", dono.nome).casefold() for dono in (um, outro)}
    return um.id != outro.id or (um.id is None and len(nomes) > 1)


def exigir_a_planilha_da_tarefa(
    nome: str, participantes: dict[str, Any], coletadas: list[Coletada], turma: Path, lista: str
) -> None:
    """Os números do Moodle são de uma tarefa só: se nenhum dos do zip está na planilha, ela é de outra."""
    do_zip = {c.dono.id for c in coletadas if c.dono.id and c.dono.id.isdecimal()}
    de_outra = de_que_lista(participantes, turma, lista)
    so_grupos = not do_zip and any(c.dono.membros for c in coletadas)  # o número deles não está em planilha alguma
    if do_zip and participantes and not do_zip & participantes.keys() or so_grupos and de_outra:
        raise NaoDaParaColetar(
            f"{nome} é a planilha de outra tarefa do Moodle{de_outra}: nenhum dos números do zip está nela. Baixe a "
            "desta tarefa; nada foi coletado."
        )


def guardar(coletada: Coletada, turma: Path, lista: str, do_zip: datetime.datetime | None = None) -> str:
    """Põe a entrega em submitted/, sem trocar uma mais nova por uma mais velha; devolve o que fez.

    `do_zip` é a hora do zip de que veio a que está lá, se ela não tem data.
    """
    destino = turma / "submitted" / coletada.dono.aluno / lista
    datada = _quando(destino)
    antiga, novos = datada or do_zip, coletada.conteudos
    if destino.is_dir():
        antigos = {p.name: p.read_bytes() for p in destino.glob("*.ipynb")}
        if antigos == novos:
            if not coletada.da_planilha or coletada.data == datada:
                return JA_ESTAVA
            _escrever_a_data(destino, coletada.data)
            return f"{JA_ESTAVA}; a data agora é a da planilha"
        if antiga and antiga > coletada.ordem:
            return MAIS_NOVA
        if not novos:
            return FICOU
    provisoria = destino.with_name(f".{destino.name}.nova")
    shutil.rmtree(provisoria, ignore_errors=True)
    provisoria.mkdir(parents=True)
    for nome, conteudo in novos.items():
        gravar(provisoria / nome, conteudo)
    _escrever_a_data(provisoria, coletada.data)
    feito = "coletada"
    if destino.is_dir():  # só agora, com a nova inteira no disco
        _reservar(destino, turma / "anteriores" / coletada.dono.aluno / lista, antiga or coletada.quando)
        feito = "trocou a anterior, que foi para anteriores/"
    provisoria.rename(destino)
    return feito if novos else "sem notebook: vai valer zero, com o motivo"


def _escrever_a_data(pasta: Path, data: datetime.datetime | None) -> None:
    """Sem uma data em que se possa confiar, não se escreve nenhuma: quem não tem data não atrasou."""
    if data is not None:
        gravar(pasta / DATA, f"{data.strftime(_COMO_SE_GUARDA)}\n")


def _reservar(antiga: Path, pasta: Path, quando: datetime.datetime) -> None:
    """Guarda a entrega trocada, sem apagar outra que tenha a mesma data."""
    pasta.mkdir(parents=True, exist_ok=True)
    sufixos = itertools.chain([""], (f"-{n}" for n in itertools.count(2)))
    nomes = (pasta / f"{quando:%Y%m%d-%H%M%S}{sufixo}" for sufixo in sufixos)
    antiga.rename(next(nome for nome in nomes if not nome.exists()))


def _quando(pasta: Path) -> datetime.datetime | None:
    try:
        texto = (pasta / DATA).read_text(encoding="utf-8").strip()
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(texto, _COMO_SE_GUARDA).replace(tzinfo=datetime.UTC)
        from nbgrader.utils import parse_utc  # só para a data que outro programa escreveu: leva segundos

        return parse_utc(texto).replace(tzinfo=datetime.UTC)
    except (OSError, ValueError, AttributeError):
        return None


def guardar_recusados(fora: list[Fora], turma: Path, lista: str) -> Recusas:
    """Guarda o que se recusou; devolve, de cada aluno, os nomes e os porquês."""
    recusas: Recusas = collections.defaultdict(list)
    for f in fora:
        aluno, caminho = f.dono.aluno if f.dono else recusados.SEM_DONO, PurePosixPath(f.caminho)
        nome = dono_de(caminho)[2] if caminho.parts else "sem-nome"
        if f.dono:
            recusas[aluno].append([nome, f.porque])
        if f.conteudo:
            recusados.guardar(turma / recusados.RECUSADOS / aluno / lista, nome_de_arquivo(nome), f.conteudo)
    return recusas


@dataclass
class Coleta:
    """O que uma coleta fez."""

    coletadas: list[Coletada]
    fora: list[Fora]
    do_download: bool = False  # as horas são todas a do download, e não dizem quem atrasou
    faltam: list[str] = field(default_factory=list)  # quem, segundo a planilha, não entregou
    fora_do_zip: list[str] = field(default_factory=list)  # quem, segundo ela, entregou e não está aqui
    ilegiveis: list[str] = field(default_factory=list)  # datas dela que não se entendem


def coletar(
    lista: str, origem: Path, turma: Path = RAIZ, tabela: Path | None = None
) -> tuple[list[Coletada], list[Fora]]:
    """Coleta `origem` (zip, pasta ou notebook) e devolve o que coletou e o que ficou de fora."""
    feita = fazer(lista, origem, turma, tabela)
    return feita.coletadas, feita.fora


def fazer(lista: str, origem: Path, turma: Path = RAIZ, tabela: Path | None = None) -> Coleta:
    if not origem.exists():
        raise NaoDaParaColetar(f"Não achei {origem}; confira o caminho.")
    turma = Path(turma)
    folha = planilha.ler(tabela) if tabela else None
    ditos = envios(folha) if folha else {}
    anotado = ler_anotado(turma).get(lista, {})
    ids, trocas = mesmos_nomes(ids_da_planilha(folha) if folha else {}, turma, lista)
    equipes = da_planilha(folha, ids.values()) if folha else do_anotado(anotado)
    leitor = Leitor(ids, equipes)
    coletadas = agrupar(leitor.ler(origem), ids, leitor.fora, equipes)
    coletadas = sorted([*coletadas, *so_recusados(leitor.fora, coletadas)], key=lambda c: c.dono.aluno)
    if not any(c.arquivos for c in coletadas):
        da_turma = next((f.caminho for f in leitor.fora if f.porque == _DA_TURMA), None)
        if da_turma:
            raise NaoDaParaColetar(f"{origem.name}/{da_turma} {_DA_TURMA}. Nada foi coletado.")
        if frase := dos_grupos_sem_dono(leitor.fora):
            raise NaoDaParaColetar(f"{frase} Nada foi coletado.")
        raise NaoDaParaColetar(f"Não há nenhum notebook (.ipynb) em {origem.name}; nada foi coletado.")
    if tabela:
        exigir_a_planilha_da_tarefa(tabela.name, ditos, coletadas, turma, lista)
    feita = Coleta(coletadas, leitor.fora, datar(coletadas, ditos))
    trocar_nomes(trocas, turma, lista)
    for c in tqdm(coletadas, desc="Coletando", unit="aluno", disable=None, leave=False):
        c.situacao = guardar(c, turma, lista, datas.de_dados(anotado.get(c.dono.aluno, {}).get("zip")))
        if c.data is None and c.situacao in (JA_ESTAVA, FICOU, MAIS_NOVA):  # a que ficou pode ter uma
            c.data = _quando(turma / "submitted" / c.dono.aluno / lista)
    feita.do_download &= any(c.data is None for c in coletadas)
    anotar(coletadas, turma, lista, trocas, ditos, guardar_recusados(leitor.fora, turma, lista))
    _conferir_com_a_planilha(feita, ditos, anotado)
    return feita


def _conferir_com_a_planilha(feita: Coleta, ditos: dict[str, Envio], anotado: DoMoodle) -> None:
    aqui = {c.dono.id for c in feita.coletadas} | {d.get("id") for d in anotado.values() if d.get("pasta")}
    aqui |= {membro for c in feita.coletadas for membro in c.dono.membros}
    for numero, envio in ditos.items():
        quem = _limpo(envio.nome or f"participante {numero}")
        if envio.ilegivel:
            feita.ilegiveis.append(f"“{_limpo(envio.ilegivel)}”, de {quem}")
        if numero not in aqui:
            onde = feita.fora_do_zip if envio.enviou else feita.faltam
            onde.append(f"{quem} (tem um rascunho)" if envio.rascunho else quem)


def quadro(coletadas: list[Coletada], fora: list[Fora]) -> str:
    largura = max([len(c.dono.aluno) for c in coletadas] + [5])
    linhas = [f"{'aluno':<{largura}}  {'quando':<16}  {'notebooks':>9}  situação"]
    for c in coletadas:
        quando = datas.curta(c.data) if c.data else "sem data"
        linhas.append(f"{c.dono.aluno:<{largura}}  {quando:<16}  {len(c.arquivos):>9}  {_com_o_atraso(c)}")
    if fora:
        linhas += ["", "Ficou de fora:", *(f"  {f.caminho}: {f.porque}" for f in fora[:NA_TELA])]
        porques = collections.Counter(f.porque for f in fora[NA_TELA:])
        linhas += [f"  … e mais {n}: {porque}" for porque, n in porques.most_common(NA_TELA)]
        linhas += [f"O que dava para guardar está em {recusados.RECUSADOS}/."] if any(f.conteudo for f in fora) else []
    return "\n".join(linhas)


def _com_o_atraso(c: Coletada) -> str:
    partes = [c.situacao]
    if c.dono.membros:
        partes.append("de 1 aluno" if len(c.dono.membros) == 1 else f"de {len(c.dono.membros)} alunos")
    if c.envio and c.envio.atraso:
        partes.append(f"atrasada {datas.duracao(c.envio.atraso)}, segundo o Moodle")
    if c.envio and c.envio.prorrogacao:
        partes.append(f"com prazo até {datas.curta(c.envio.prorrogacao)}")
    if c.dono.atrasado:
        partes.append("o Canvas a marca como atrasada (LATE)")
    return "; ".join(partes)


def dos_grupos_sem_dono(fora: list[Fora]) -> str | None:
    """O que dizer dos envios de grupos que não se sabe quem são; None se não há."""
    pastas = {
        f.caminho.partition("_assignsubmission_")[0] for f in fora if f.porque in (SEM_PLANILHA, FORA_DA_PLANILHA)
    }
    if not pastas:
        return None
    quais = ", ".join(sorted(pastas)[:NA_TELA])
    return (
        f"São envios de grupos, e não se sabe quem está neles: {quais}. Baixe a planilha de notas desta tarefa, que "
        "nas tarefas em grupo traz a coluna Grupo, e colete de novo com --planilha."
    )


def recados(feita: Coleta) -> list[str]:
    """O que o instrutor precisa saber, além do quadro."""
    frases = [frase] if (frase := dos_grupos_sem_dono(feita.fora)) else []
    if feita.do_download:
        frases.append(
            "Os arquivos têm todos a mesma hora, que é a do download: por ela não se sabe quem atrasou, e ninguém "
            "perde por atraso. Com --planilha, vale a data que o Moodle anotou."
        )
    if feita.ilegiveis:
        frases.append(f"Não entendi estas datas da planilha, e vale a do zip: {'; '.join(feita.ilegiveis[:NA_TELA])}.")
    if feita.fora_do_zip:
        frases.append(
            f"Segundo a planilha, enviaram e não estão aqui: {', '.join(feita.fora_do_zip)}; baixe os envios outra vez."
        )
    if feita.faltam:
        frases.append(f"Não entregaram ({len(feita.faltam)}): {', '.join(feita.faltam)}.")
    return frases


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("coletar", argumentos)
    lista = achar_lista(pedido.lista, listas_do_curso())
    if lista is None:
        print(nao_existe(pedido.lista, listas_do_curso()), file=sys.stderr)
        return 2
    turma = pasta_da_turma()
    try:
        feita = fazer(lista, pedido.arquivo, turma, pedido.planilha)
    except (NaoDaParaColetar, TurmaIndisponivel, planilha.PlanilhaInvalida) as erro:
        print(erro, file=sys.stderr)
        return 2
    except OSError as erro:
        print(
            f"A coleta parou em {erro.filename}: {por_que(erro)}. O que já foi coletado fica; resolva e rode de novo.",
            file=sys.stderr,
        )
        return 1
    coletadas, fora = feita.coletadas, feita.fora
    print("\n".join([quadro(coletadas, fora), *(f"\n{frase}" for frase in recados(feita))]))
    sem = sum(not c.arquivos for c in coletadas)
    quantos = sum(max(1, len(c.dono.membros)) for c in coletadas)
    fim = ", ".join(["1 aluno" if quantos == 1 else f"{quantos} alunos", *([f"{sem} sem notebook"] if sem else [])])
    print(f"\n{fim}. Agora: python curso.py corrigir {lista}")
    olhar = sem or feita.do_download or feita.ilegiveis or feita.fora_do_zip or any(f.quando for f in fora)
    return 3 if olhar else 0  # 3: há o que olhar, como no corrigir


if __name__ == "__main__":
    rodar(main)
