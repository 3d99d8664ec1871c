"""A pasta que o aluno entregou: qual dos arquivos é o notebook, e o que fica para trás.

Atalhos (symlinks) não são seguidos, e só arquivos comuns são abertos: uma pasta entregue por um estranho pode ter
qualquer coisa dentro. Nada é copiado, apagado ou renomeado aqui.
"""

import os
import re
import stat
import sys
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from correcao import DATA, SEGREDO
from correcao.chegada.reparo import MAXIMO, Reparo, reparar
from correcao.comum.texto import imprimivel

_MAXIMO_DE_ARQUIVOS = 2_000
_PROFUNDIDADE = 4
_MAXIMO_DE_CANDIDATOS = 8  # notebooks que se abrem para ver qual tem mais respostas
_FIM_DE_NOTEBOOK = (".ipynb", ".ipynb.txt", ".ipynb.json", ".ipynb.bin")  # navegadores acrescentam o último pedaço
_DE_QUEM_ENTREGA = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git", ".venv", "node_modules"}
_DO_SISTEMA = {".DS_Store", "Thumbs.db", "desktop.ini", DATA, SEGREDO}
_MODULOS = {"numpy", "torch", "helpers", "matplotlib", "scipy", "IPython", "ipykernel", "ipywidgets", "nbgrader"}


@dataclass
class Escolha:
    arquivo: Path | None  # o notebook
    avisos: list[str] = field(default_factory=list)
    sobras: list[str] = field(default_factory=list)  # caminhos relativos do que fica para trás


def ler(caminho: Path, maximo: int = MAXIMO) -> bytes | None:
    """Até `maximo` + 1 bytes de um arquivo comum; None se é outra coisa (atalho, fifo, pasta) ou não se pode ler."""
    bandeiras = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        if not stat.S_ISREG(os.lstat(caminho).st_mode):
            return None
        descritor = os.open(caminho, bandeiras | getattr(os, "O_CLOEXEC", 0))
    except (OSError, ValueError):
        return None
    try:
        with os.fdopen(descritor, "rb") as arquivo:
            # De novo, no que foi aberto: entre olhar e abrir, o arquivo pode ter sido trocado.
            return arquivo.read(maximo + 1) if stat.S_ISREG(os.fstat(arquivo.fileno()).st_mode) else None
    except OSError:
        return None


def escolher(pasta: Path, lista: str, emitida: NotebookNode | None = None) -> Escolha:
    """O notebook da entrega, mesmo que tenha outro nome ou esteja em uma subpasta.

    O de nome certo vale, a não ser que não tenha resposta alguma e outro tenha; entre os de outro nome, o que tem mais
    respostas e, no empate, o de nome mais parecido. Sem `emitida` os notebooks não são abertos: só o nome decide.
    """
    pasta = Path(pasta)
    escolha = Escolha(None)
    comuns, outros = arquivos(pasta, escolha.avisos)
    notebooks = [p for p in comuns if _e_notebook(p)]
    escolha.arquivo = _melhor(pasta, notebooks, lista, emitida, escolha.avisos)
    de_fora = [p for p in comuns if pasta / p != escolha.arquivo and p.name not in _DO_SISTEMA]
    escolha.sobras = sorted([*(_legivel(p.as_posix()) for p in de_fora), *outros])
    escolha.avisos += _avisos_das_sobras(escolha.sobras)
    return escolha


def arquivos(pasta: Path, avisos: list[str]) -> tuple[list[Path], list[str]]:
    """(arquivos comuns, o resto), em caminhos relativos e em ordem; pastas por abrir contam como resto."""
    comuns: list[Path] = []
    outros: list[str] = []
    por_abrir = [Path()]
    while por_abrir and len(comuns) + len(outros) < _MAXIMO_DE_ARQUIVOS:
        atual = por_abrir.pop(0)
        try:
            with os.scandir(pasta / atual) as varredura:
                entradas = sorted(varredura, key=lambda e: e.name)
        except OSError:
            outros.append(f"{_legivel(atual.as_posix())}/")
            continue
        for entrada in entradas:
            relativo = atual / entrada.name
            if entrada.is_symlink():
                avisos.append(f"“{_legivel(entrada.name)}” é um atalho para outro lugar; não foi seguido.")
                outros.append(_legivel(relativo.as_posix()))
            elif entrada.is_dir(follow_symlinks=False):
                if entrada.name in _DE_QUEM_ENTREGA:
                    continue
                if len(relativo.parts) < _PROFUNDIDADE:
                    por_abrir.append(relativo)
                else:
                    outros.append(f"{_legivel(relativo.as_posix())}/")
            elif entrada.is_file(follow_symlinks=False):
                comuns.append(relativo)
            else:
                outros.append(_legivel(relativo.as_posix()))
    if por_abrir:
        avisos.append(f"A pasta tem mais de {_MAXIMO_DE_ARQUIVOS} arquivos; só os primeiros foram olhados.")
    return comuns[:_MAXIMO_DE_ARQUIVOS], outros[:_MAXIMO_DE_ARQUIVOS]


def _legivel(nome: str) -> str:
    return imprimivel(nome, maximo=200)


def _e_notebook(relativo: Path) -> bool:
    return relativo.name.lower().endswith(_FIM_DE_NOTEBOOK) and not relativo.name.startswith("._")


def _melhor(
    pasta: Path, notebooks: list[Path], lista: str, emitida: NotebookNode | None, avisos: list[str]
) -> Path | None:
    if not notebooks:
        return None
    certo = Path(f"{lista}.ipynb")
    em_ordem = sorted(notebooks, key=lambda p: (p != certo, -_parecenca(p, lista), len(p.parts), p.as_posix()))
    if emitida is None or em_ordem == [certo]:
        melhor = em_ordem[0]
    else:
        respondidas = {
            p: _respondidas(reparar(ler(pasta / p), emitida, p.name)) for p in em_ordem[:_MAXIMO_DE_CANDIDATOS]
        }
        # max fica com o primeiro em caso de empate: o de nome certo, ou o de nome mais parecido
        melhor = max(respondidas, key=respondidas.__getitem__)
        if respondidas.get(certo, 0) > 0:
            melhor = certo
    if melhor != certo:
        avisos.append(f"O notebook não se chama {certo}; foi usado “{_legivel(melhor.as_posix())}”.")
    if len(notebooks) > 1:
        avisos.append(f"Há {len(notebooks)} notebooks na entrega; foi usado “{_legivel(melhor.as_posix())}”.")
    return pasta / melhor


def _respondidas(reparo: Reparo) -> int:
    """−1 para o que nem é desta lista."""
    return -1 if reparo.motivo else reparo.respondidas


def _parecenca(relativo: Path, lista: str) -> int:
    """Quanto do nome da lista está no nome do arquivo: o nome inteiro, o número dela, ou nada."""
    nome = _simples(relativo.name)
    numero = re.match(r"lista-(\d+)", lista)
    if _simples(lista) in nome:
        return 2
    return int(numero is not None and re.search(rf"lista0*{int(numero.group(1))}(?!\d)", nome) is not None)


def _simples(nome: str) -> str:
    sem_acentos = unicodedata.normalize("NFKD", nome.casefold())
    return re.sub(r"[^a-z0-9]", "", sem_acentos)


def _avisos_das_sobras(sobras: list[str]) -> list[str]:
    primeiros = {s.partition("/")[0] for s in sobras}
    perigosos = sorted(p for p in primeiros if p.partition(".")[0] in _MODULOS | sys.stdlib_module_names)
    perigosos = [p for p in perigosos if "." not in p or p.endswith((".py", ".pyc", ".so", ".pyd"))]
    if not perigosos:
        return []
    return [f"Ficou de fora o que tomaria o lugar de um módulo do Python ou do curso: {', '.join(perigosos[:10])}."]
