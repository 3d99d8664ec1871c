"""De quem é um arquivo, pelo nome que o Moodle, o Canvas, o Google Classroom ou o instrutor lhe deu.

Só o primeiro nome do caminho diz: é o do zip ou da pasta que o instrutor deu. Os de dentro, foi um aluno quem escreveu.
"""

import collections
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from correcao.chegada import planilha
from correcao.chegada.equipe import Equipes
from correcao.comum.texto import sem_acentos

# só a do grupo padrão do Moodle vem sem o número
_MOODLE = r"^(?P<nome>.+?)(?:_(?P<id>\d{1,18}))?_assignsubmission_(?P<tipo>file|onlinetext)"
_PASTA, _SOLTO = re.compile(rf"{_MOODLE}_?$"), re.compile(rf"{_MOODLE}_(?P<arquivo>.+)$")
_MARCA = re.compile(r"_(\d{1,18})_assignsubmission_(?:file|onlinetext)")
# o Canvas: nome sem espaços, LATE se atrasou, o número da pessoa, o do arquivo, e o nome que ela lhe deu; do que se
# escreveu na página da tarefa não há número do arquivo
_CANVAS = re.compile(
    r"^(?P<nome>[^\W\d_][^_]*)_(?P<late>LATE_)?(?P<id>\d{3,18})_(?:\d{3,18}_(?P<arquivo>.+)|(?P<texto>text\.html?))$"
)
_LISTA = re.compile(r"(?i)[\s_-]*lista[\s_-]*\d+[\w-]*?(?=[\s_(]|$)")
_DOIS_NUMEROS = "o nome traz dois números do Moodle; veja de quem é"
_COPIA = re.compile(r"(?i)^(?:c[óo]pia de|copy of)\b\s*")  # o que o Drive e o navegador acrescentam
_OUTRA = re.compile(r"\s*\(\d+\)$")


@dataclass
class Dono:
    """De quem é um arquivo, segundo o nome que o Moodle lhe deu (ou a pasta em que está)."""

    aluno: str  # o nome da pasta dele, ou da do grupo dele
    nome: str
    id: str | None = None  # o número dele no Moodle; de um zip do Canvas, “canvas-” e o de lá
    pasta: str | None = None
    atrasado: bool = False  # o Canvas o diz no nome do arquivo, mas não quanto
    membros: tuple[str, ...] = ()  # de um grupo, os números deles no Moodle


def identificador(texto: str) -> str:
    """Um nome de pasta simples: letras sem acento, números, ponto, hífen."""
    simples = re.sub(r"[^a-z0-9._-]+", "-", sem_acentos(texto)).strip("-._")
    return simples[:60] or "sem-nome"


def dono_de(
    caminho: PurePosixPath, ids: dict[str, str] | None = None, equipes: Equipes | None = None
) -> tuple[Dono | str, str, str]:
    """(dono, tipo do envio, nome do arquivo) pelo primeiro nome do caminho; no lugar do dono, por que não se sabe."""
    ids, primeira, so_o_arquivo = ids or {}, caminho.parts[0], len(caminho.parts) == 1
    achado = (None if so_o_arquivo else _PASTA.match(primeira)) or _SOLTO.match(primeira)
    if achado:
        nome = achado["arquivo"] if so_o_arquivo else caminho.name
        if len(set(_MARCA.findall(primeira))) > 1:  # um dos dois números foi um aluno quem escreveu; não se sabe qual
            return _DOIS_NUMEROS, achado["tipo"], nome
        pasta = primeira if achado.re is _PASTA else None
        return _do_moodle(achado, pasta, ids, equipes or Equipes()), achado["tipo"], nome
    if achado := _CANVAS.match(primeira):
        nome = (achado["arquivo"] or achado["texto"]) if so_o_arquivo else caminho.name
        return _do_canvas(achado, ids), "onlinetext" if achado["texto"] else "file", nome
    if not so_o_arquivo:
        return Dono(identificador(primeira), primeira), "file", caminho.name
    nome = nome_no_arquivo(caminho.stem) or caminho.stem
    return Dono(identificador(nome), nome), "file", caminho.name


def nome_no_arquivo(solto: str) -> str:
    """“lista-01_a12345” → “a12345”; do Classroom, “Ana Sá - Cópia de lista-01 (1)” → “Ana Sá”."""
    partes = [_sem_a_lista(parte) for parte in solto.split(" - ")] if " - " in solto else [_sem_a_lista(solto)]
    return next((parte for parte in partes if parte), "")


def _sem_a_lista(texto: str) -> str:
    sem = _LISTA.sub("", texto)
    if sem != texto:  # “Cópia de lista-01 (1)”: sem a lista, não sobra ninguém
        sem = _COPIA.sub("", _OUTRA.sub("", sem.strip(" _-")))
    return sem.strip(" _-")


def _do_moodle(achado: re.Match, pasta: str | None, ids: dict[str, str], equipes: Equipes) -> Dono | str:
    nome, numero = achado["nome"], achado["id"]
    if equipe := equipes.achar(nome, numero):
        return Dono(equipe.pasta, equipe.nome, membros=equipe.membros)
    if porque := equipes.por_que_nao(nome, numero):
        return porque
    # com nomes repetidos na turma, é o número do Moodle que distingue as pessoas
    aluno = ids.get(numero) or f"{identificador(nome)}-{numero}"
    pasta = pasta or f"{nome}_{numero}_assignsubmission_file_"
    return Dono(aluno, nome, numero, pasta)


def _do_canvas(achado: re.Match, ids: dict[str, str]) -> Dono:
    numero = f"canvas-{achado['id']}"
    aluno = ids.get(numero) or f"{identificador(achado['nome'])}-{achado['id']}"
    return Dono(aluno, achado["nome"], numero, atrasado=bool(achado["late"]))


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


def do_moodle_e(caminho: PurePosixPath) -> bool:
    """Há no caminho o nome que o Moodle dá ao que é de um aluno?"""
    return any(_PASTA.match(parte) or _SOLTO.match(parte) for parte in caminho.parts)


def tem_uma_turma(caminhos: list[PurePosixPath]) -> bool:
    """Uma pasta para cada aluno, ou um notebook com o nome de cada um; senão, é um aluno com vários arquivos."""
    if any(len(c.parts) > 1 for c in caminhos):
        return True
    cadernos = [c for c in caminhos if c.suffix.lower() == ".ipynb"]
    donos = [identificador(nome) if (nome := nome_no_arquivo(c.stem)) else "" for c in cadernos]
    if all(_CANVAS.match(c.name) or " - " in c.stem for c in cadernos):  # quem pôs os nomes foi o Canvas ou o Classroom
        return len(set(donos)) > 1
    return len(donos) > 1 and all(donos) and len(set(donos)) == len(donos)
