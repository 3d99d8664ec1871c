"""`python curso.py coletar LISTA ARQUIVO`: do zip do Moodle (ou de uma pasta de notebooks) para submitted/.

Do arquivo não se confia em nada: caminhos, tamanhos e nomes são conferidos antes de escrever um byte. O que não serve
fica de fora, com o porquê, e o resto é coletado. De quem é cada arquivo, só diz o primeiro nome do caminho dele, que é
o do zip ou da pasta que o instrutor deu: os de dentro, e os de um zip dentro de outro, foi um aluno quem escreveu. Os
mesmos passos servem ao `nbgrader zip_collect` (zip_collect.py).
"""

import collections
import contextlib
import datetime
import itertools
import shutil
import sys
import unicodedata
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
from correcao.chegada.dono import Dono, dono_de, ids_da_planilha
from correcao.chegada.envio import Envio, envios
from correcao.chegada.equipe import FORA_DA_PLANILHA, SEM_PLANILHA, Equipes, da_planilha, do_anotado
from correcao.chegada.leitor import ATALHO, DA_TURMA, LIMITE, PARA_FORA, Leitor, NaoDaParaColetar, limpo
from correcao.comum import datas
from correcao.comum.moodle import DoMoodle, TurmaIndisponivel, de_que_lista, ler_anotado
from correcao.comum.reserva import pasta_fechada, turma_fechada
from gabarito.no_nbgrader import listas_do_curso
from helpers import RAIZ
from helpers.conferencia.listas import achar_lista, nao_existe
from helpers.gravacao import gravar

NA_TELA = 40  # do que ficou de fora, quantas linhas; o resto vai contado por motivo
_COMO_SE_GUARDA = "%Y-%m-%d %H:%M:%S UTC"  # a data de uma entrega, como o nbgrader a escreve


def agrupar(
    arquivos: Iterator[Arquivo], ids: dict[str, str], fora: list[Fora], equipes: Equipes | None = None
) -> list[Coletada]:
    """Os notebooks de cada aluno, ou de cada grupo; de dois com o mesmo nome, o mais novo."""
    achados: dict[str, Coletada] = {}
    for arquivo in sorted(arquivos, key=lambda a: (a.quando, str(a.caminho))):
        dono, tipo, nome = dono_de(arquivo.caminho, ids, equipes)
        if not isinstance(dono, Dono):
            fora.append(Fora(limpo(str(arquivo.caminho)), dono, arquivo.quando, None, arquivo.conteudo))
            continue
        da_pessoa = achados.setdefault(dono.aluno, Coletada(dono, arquivo.quando))
        if _outra_pessoa(dono, da_pessoa.dono):
            porque = f"sem acentos, o nome é o mesmo de “{limpo(da_pessoa.dono.nome)}”; mude um dos dois"
            fora.append(Fora(limpo(str(arquivo.caminho)), porque, arquivo.quando, None, arquivo.conteudo))
            continue
        da_pessoa.dono.atrasado |= dono.atrasado
        if not nome.lower().endswith(".ipynb"):
            onde = "Canvas" if (dono.id or "").startswith("canvas-") else "Moodle"
            porque = f"é um texto escrito no {onde}, e não um notebook" if tipo == "onlinetext" else "não é um notebook"
            fora.append(Fora(limpo(str(arquivo.caminho)), porque, None, dono, arquivo.conteudo))
            continue
        antigos = [a for a in da_pessoa.arquivos if nome_do(a) == nome]
        if dono.membros and any(a.conteudo == arquivo.conteudo for a in antigos):
            continue  # a cópia que o Moodle pôs na pasta de outro membro
        porque = "há outro com o mesmo nome, mais novo ou da mesma hora"
        fora += [Fora(limpo(str(a.caminho)), porque, None, dono, a.conteudo) for a in antigos]
        da_pessoa.arquivos = [a for a in da_pessoa.arquivos if a not in antigos]
        da_pessoa.arquivos.append(Arquivo(arquivo.caminho.with_name(nome), arquivo.conteudo, arquivo.quando))
        da_pessoa.quando = max(da_pessoa.quando, arquivo.quando)
    return sorted(achados.values(), key=lambda c: c.dono.aluno)


def so_recusados(fora: list[Fora], coletadas: list[Coletada]) -> list[Coletada]:
    """Quem mandou alguma coisa, mas de quem nada se aproveitou: também tem direito a uma nota e a um motivo."""
    achados = {c.dono.aluno for c in coletadas}
    novos: dict[str, Coletada] = {}
    for f in fora:
        if f.quando is None or f.dono is None or f.porque in (LIMITE, DA_TURMA):  # não foi culpa do aluno
            continue
        if f.porque in (ATALHO, PARA_FORA) and not do_sistema(f.dono):  # o nome não diz que houve alguém
            continue
        if f.dono.aluno not in achados:
            novos.setdefault(f.dono.aluno, Coletada(f.dono, f.quando))
    return list(novos.values())


def do_sistema(dono: Dono) -> bool:
    """O Moodle ou o Canvas diz que é um aluno, ou um grupo deles?"""
    return bool(dono.id or dono.membros)


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
            recusados.guardar(turma / recusados.RECUSADOS / aluno / lista, nome_de_arquivo(nome) + f.sufixo, f.conteudo)
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
    if not any(c.arquivos or do_sistema(c.dono) for c in coletadas):
        da_turma = next((f.caminho for f in leitor.fora if f.porque == DA_TURMA), None)
        if da_turma:
            raise NaoDaParaColetar(f"{origem.name}/{da_turma} {DA_TURMA}. Nada foi coletado.")
        if frase := dos_grupos_sem_dono(leitor.fora):
            raise NaoDaParaColetar(f"{frase} Nada foi coletado.")
        raise NaoDaParaColetar(f"Não há nenhum notebook (.ipynb) em {origem.name}; nada foi coletado.")
    if tabela:
        exigir_a_planilha_da_tarefa(tabela.name, ditos, coletadas, turma, lista)
    feita = Coleta(coletadas, leitor.fora, datar(coletadas, ditos))
    pasta_fechada(turma / "submitted")
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
        quem = limpo(envio.nome or f"participante {numero}")
        if envio.ilegivel:
            feita.ilegiveis.append(f"“{limpo(envio.ilegivel)}”, de {quem}")
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
    if c.envio and c.envio.rascunho:
        partes.append("é um rascunho no Moodle")
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
    if rascunhos := [limpo(c.dono.nome) for c in feita.coletadas if c.envio and c.envio.rascunho]:
        frases.append(
            f"No Moodle são rascunhos, que ninguém enviou: {', '.join(rascunhos)}. Estão coletados, com a data da "
            "última mudança; se para você um rascunho não é uma entrega, apague a pasta dele em submitted/ antes de "
            "corrigir."
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
        with turma_fechada(turma):
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
    rascunhos = any(c.envio and c.envio.rascunho for c in coletadas)
    olhar = sem or rascunhos or feita.do_download or feita.ilegiveis or feita.fora_do_zip or any(f.quando for f in fora)
    return 3 if olhar else 0  # 3: há o que olhar, como no corrigir


if __name__ == "__main__":
    rodar(main)
