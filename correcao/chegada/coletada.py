"""O que a coleta achou de um aluno: os arquivos dele, o que ficou de fora, e de quando é a entrega."""

import datetime
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from correcao.chegada.dono import Dono
from correcao.chegada.envio import Envio

# o que se fez com a entrega, nos casos em que fica a que já estava
MAIS_NOVA = "ficou de fora: já havia uma entrega mais nova"
JA_ESTAVA = "já estava coletada"
FICOU = "sem notebook desta vez: ficou a entrega anterior"
MESMA_HORA = 60.0  # segundos: um Moodle antigo põe em todos os arquivos a hora em que o zip foi feito
UM_MINUTO = datetime.timedelta(seconds=59)  # a planilha do Moodle não diz os segundos


@dataclass
class Arquivo:
    """Um arquivo da coleta, já fora do zip."""

    caminho: PurePosixPath
    conteudo: bytes | None  # None em um que não se lê nem se guarda, de tão grande
    quando: datetime.datetime  # em UTC


@dataclass
class Fora:
    """O que ficou de fora, e por quê."""

    caminho: str
    porque: str
    quando: datetime.datetime | None = None  # só no que pede um olhar: o aluno talvez tenha perdido alguma coisa
    dono: Dono | None = None
    conteudo: bytes | None = None  # o que se guarda dele
    sufixo: str = ""  # que se acrescenta ao nome com que se guarda


@dataclass
class Coletada:
    """O que se coletou de um aluno."""

    dono: Dono
    quando: datetime.datetime
    arquivos: list[Arquivo] = field(default_factory=list)
    situacao: str = ""
    data: datetime.datetime | None = None  # a da entrega, se dá para confiar em alguma
    envio: Envio | None = None  # o que a planilha diz dele

    @property
    def conteudos(self) -> dict[str, bytes]:
        return {nome_de_arquivo(nome_do(a)): a.conteudo or b"" for a in self.arquivos}

    @property
    def ordem(self) -> datetime.datetime:
        """A hora que diz qual de duas entregas é a mais nova."""
        if self.data is None:
            return self.quando
        return self.data + UM_MINUTO if self.da_planilha else self.data

    @property
    def da_planilha(self) -> bool:
        return self.envio is not None and self.envio.quando is not None


def nome_do(arquivo: Arquivo) -> str:
    return arquivo.caminho.name


def nome_de_arquivo(nome: str) -> str:
    limpo = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in nome)
    cabe = limpo.encode("utf-8", "replace")[-200:].decode("utf-8", "ignore")  # um sistema de arquivos conta bytes
    return cabe.lstrip(".") or "sem-nome.ipynb"


def datar(coletadas: list[Coletada], ditos: dict[str, Envio]) -> bool:
    """A data de cada entrega: a da planilha ou, se dá para confiar nela, a do arquivo. Devolve se não deu."""
    for c in coletadas:
        c.envio = ditos.get(c.dono.id or "") or _do_grupo([ditos[n] for n in c.dono.membros if n in ditos])
        c.data = c.envio.quando if c.envio else None
        if c.envio and c.envio.nome and not c.dono.membros:  # o da pasta vem sem o que um nome de arquivo não pode ter
            c.dono.nome = c.envio.nome
    horas = [c.quando for c in coletadas]
    do_download = len(horas) > 1 and (max(horas) - min(horas)).total_seconds() <= MESMA_HORA
    sem_data = [c for c in coletadas if c.data is None]
    for c in sem_data:
        c.data = None if do_download else c.quando
    return do_download and bool(sem_data)


def _do_grupo(dos_membros: list[Envio]) -> Envio | None:
    """O de um grupo é o do membro que mexeu nele por último; o atraso e o prazo de cada um são de cada um."""
    datados = [e for e in dos_membros if e.quando]
    ultimo = max(datados, key=lambda e: e.quando or datetime.datetime.min, default=None)
    if ultimo is None:
        return None
    rascunho = not any(e.enviou for e in dos_membros) and any(e.rascunho for e in dos_membros)
    return Envio(ultimo.aluno, enviou=not rascunho, rascunho=rascunho, quando=ultimo.quando)
