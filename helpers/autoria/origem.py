"""De onde vem cada função: do notebook do aluno, se ela passa na conferência, ou do curso. Uma linha diz qual foi."""

import contextlib
import datetime
import difflib
import hashlib
import importlib
import importlib.metadata
import json
import os
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from helpers import RAIZ, do_aluno
from helpers.autoria.recorte import Caderno, NotebookIlegivel, ler, montar
from helpers.autoria.tipos import como_na_entrada
from helpers.autoria.verificacao import CERTA, LENTA, POR_ESCREVER, Situacao, verificar
from helpers.conferencia.contexto import AO_CONFERIR
from helpers.conferencia.listas import LISTA_ATUAL
from helpers.conferencia.pedido import PEDIDO
from helpers.gravacao import gravar
from helpers.indice import catalogo, listas, questoes

LISTAS = "CURSO_LISTAS"  # variável de ambiente: outra pasta com as listas do aluno
REFERENCIAS = RAIZ / "helpers" / "referencias"
SUBSTITUTOS = RAIZ / "helpers" / "substitutos"
MEMORIA = do_aluno() / ".jupyter" / "minhas"
_MONTADAS: dict[str, Any] = {}  # chave → o que já se montou neste processo
_DADAS: dict[int, tuple[str, Any]] = {}  # as do aluno que já se deram: id → (nome, função)


class SemFuncao(ImportError):
    """Não há como dar esta função; o texto diz por quê."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


@dataclass(frozen=True)
class Origem:
    """Uma função e o que se diz dela."""

    valor: Any
    propria: bool
    linha: str


# ---------------------------------------------------------------- as listas e as questões


def pasta_das_listas() -> Path:
    return Path(os.environ.get(LISTAS) or do_aluno() / "release")


def notebook(lista: str) -> Path | None:
    """O notebook da lista, com o nome que ela tem no curso; None se a pasta dela não está aqui."""
    pastas = sorted(pasta_das_listas().glob(f"{lista}-*"))
    return pastas[0] / f"{pastas[0].name}.ipynb" if pastas else None


def _questao(nome: str) -> str:
    nomes = catalogo()
    if nome not in nomes:
        perto = difflib.get_close_matches(nome, nomes, 1)
        dica = f" Você quis dizer `{perto[0]}`?" if perto else ""
        raise SemFuncao(f"Nenhuma lista daqui pede a função `{nome}`.{dica}")
    return nomes[nome]


def lista_em_conferencia() -> str | None:
    """A lista que se confere ou corrige neste processo: nela só há o que o curso tem das listas anteriores."""
    if lista := os.environ.get(LISTA_ATUAL):
        return lista
    if caminho := os.environ.get(PEDIDO):
        with contextlib.suppress(OSError):
            achada = re.search(rb'"(lista-\d\d)/', Path(caminho).read_bytes())
            return achada.group(1).decode() if achada else "lista-00"
    return None


# ---------------------------------------------------------------- o que se dá


def obter(nome: str) -> Origem:
    """A função do aluno, se está certa; senão a do curso, e a linha diz por quê."""
    questao = _questao(nome)
    lista = questao.partition("/")[0]
    if em_conferencia := lista_em_conferencia():
        if lista >= em_conferencia:
            raise SemFuncao(
                f"A {_por_extenso(em_conferencia)} só usa funções de listas anteriores, e `{nome}` não é uma delas."
            )
        return Origem(substituto(nome, lista), False, f"{nome}: {_artigo(nome)} do curso, como na correção.")
    caminho = notebook(lista)
    porque = _por_que_nao(questao, caminho)
    if porque is None:
        assert caminho is not None
        valor = _montar(nome, questao)
        _DADAS[id(valor)] = (nome, valor)
        return Origem(valor, True, f"{nome}: {_seu(nome, lista)}, salv{_artigo(nome)} {_quando(caminho)} ✓")
    fim = "" if porque.endswith(("?", "!")) else "."
    if not tem_substituto(nome, lista):
        raise SemFuncao(f"O curso não tem `{nome}`, e {porque}{fim}")
    return Origem(substituto(nome, lista), False, f"{nome}: {_artigo(nome)} do curso, porque {porque}{fim}")


def ha(nome: str) -> bool:
    """Há como dar esta função, a do aluno ou a do curso?"""
    try:
        obter(nome)
    except SemFuncao:
        return False
    return True


def sem_arquivo(lista: str, caminho: Path | None) -> str:
    """Por que não há o que ler desta lista; vazio se o notebook está no lugar."""
    if caminho is None:
        return f"a pasta da {_por_extenso(lista)} não está aqui"
    if caminho.is_file():
        return ""
    outros = sorted(p.name for p in caminho.parent.glob("*.ipynb"))
    achado = f" (há {outros[0]}: devolva a ele o nome antigo)" if outros else ""
    return f"o arquivo {caminho.name} não está na pasta dele{achado}"


def _por_que_nao(questao: str, caminho: Path | None) -> str | None:
    """Por que a do aluno não serve, em palavras que completam uma frase; None se serve."""
    lista = questao.partition("/")[0]
    if falta := sem_arquivo(lista, caminho):
        return falta
    assert caminho is not None
    try:
        situacao = situacoes(lista)[questao]
    except NotebookIlegivel:
        return f"o arquivo {caminho.name} está danificado e não abre (volte a uma cópia sua ou à do pacote)"
    nome = questao.rpartition("/")[2]
    seu, a, frase = _seu(nome, lista), _artigo(nome), situacao.frase.rstrip(".")
    return {
        CERTA: None,
        POR_ESCREVER: f"{seu}, ainda não foi escrit{a}",
        LENTA: f"{seu}, está cert{a}, mas é lent{a} demais para a aula. {frase}",
    }.get(situacao.estado, f"{seu}, ainda não passa na conferência. {frase}")


def _artigo(nome: str) -> str:
    """As funções são femininas; as classes, masculinas: o Bloco, o GPT, o Tokenizador."""
    return "o" if nome[0].isupper() else "a"


def _seu(nome: str, lista: str) -> str:
    return f"{'o seu' if _artigo(nome) == 'o' else 'a sua'}, da {_por_extenso(lista)}"


def _por_extenso(lista: str) -> str:
    return lista.replace("-", " ")


def _quando(caminho: Path) -> str:
    salvo = datetime.datetime.fromtimestamp(caminho.stat().st_mtime)
    dia = "" if salvo.date() == datetime.date.today() else f"em {salvo:%d/%m} "
    return f"{dia}às {salvo:%H:%M}"


# ---------------------------------------------------------------- as do curso


def tem_substituto(nome: str, lista: str) -> bool:
    """O curso tem uma função para pôr no lugar desta?"""
    # na caixa, o índice está inteiro, e os arquivos são só os que a lista usa
    tem = lista in (todas := listas()) and nome in todas[lista].substitutos
    return tem and (SUBSTITUTOS / f"{lista.replace('-', '_')}.py").is_file()


def substituto(nome: str, lista: str) -> Any:
    if not tem_substituto(nome, lista):
        raise SemFuncao(f"O curso não tem uma `{nome}` para pôr no lugar da sua.")
    return getattr(importlib.import_module(f"helpers.substitutos.{lista.replace('-', '_')}"), nome)


@contextlib.contextmanager
def so_do_curso() -> Iterator[None]:
    """Enquanto se confere uma resposta, o que veio de outras listas é o do curso: é assim na correção."""
    espaco = vars(sys.modules["__main__"])
    minhas = {n: v for n, v in list(espaco.items()) if _DADAS.get(id(v), (None, None))[1] is v and v is not None}
    trocas = {n: _DADAS[id(v)][0] for n, v in minhas.items()}
    prontas = {n: _questao(nome).partition("/")[0] for n, nome in trocas.items()}
    try:
        espaco.update(
            {n: substituto(trocas[n], lista) for n, lista in prontas.items() if tem_substituto(trocas[n], lista)}
        )
        yield
    finally:
        espaco.update(minhas)


AO_CONFERIR.append(so_do_curso)


# ---------------------------------------------------------------- as do aluno


def caderno(lista: str) -> Caderno:
    caminho = notebook(lista)
    try:
        if caminho is None:
            raise NotebookIlegivel(lista)
        return _caderno(caminho, caminho.stat().st_mtime_ns, lista, tuple(questoes(lista)))
    except OSError as erro:
        raise NotebookIlegivel(str(caminho)) from erro


@lru_cache(maxsize=32)
def _caderno(caminho: Path, _mudou: int, lista: str, questoes: tuple[str, ...]) -> Caderno:
    return ler(caminho, lista, [q.rpartition("/")[2] for q in questoes])


def situacoes(lista: str) -> dict[str, Situacao]:
    """A situação de cada questão da lista; o que não mudou desde a última vez não é conferido de novo."""
    lido, caminho = caderno(lista), notebook(lista)
    assert caminho is not None
    chave, arquivo = _chave(lido), MEMORIA / f"{lista}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        guardado = json.loads(arquivo.read_text("utf-8"))
        if guardado["chave"] == chave:
            return {q: Situacao(**dado) for q, dado in guardado["situacoes"].items()}
    if not _CALADO and not all(lido.esta_por_escrever(q.rpartition("/")[2], q) for q in questoes(lista)):
        print(f"Conferindo a sua {_por_extenso(lista)}. Da próxima vez, sai na hora.", flush=True)
    achadas = verificar(caminho, lido, questoes(lista))
    with contextlib.suppress(OSError):  # sem onde guardar, confere-se de novo na próxima vez
        MEMORIA.mkdir(parents=True, exist_ok=True)
        gravar(arquivo, json.dumps({"chave": chave, "situacoes": {q: asdict(s) for q, s in achadas.items()}}))
    return achadas


def _chave(lido: Caderno) -> str:
    """Muda com o código da lista, as referências dela, o que ela importa de outras, o motor e as versões."""
    partes = [json.dumps(lido.fontes), str(pasta_das_listas()), platform.python_version()]
    partes += [_versao(pacote) for pacote in ("numpy", "torch")]
    arquivos = [REFERENCIAS / f"{lido.lista}.json", *sorted((RAIZ / "helpers" / "conferencia").rglob("*.py"))]
    arquivos += sorted(SUBSTITUTOS.glob("*.py")) if lido.importa_de_minhas() else []
    partes += [f"{p.name} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in arquivos if p.is_file()]
    return hashlib.sha256("\n".join(partes).encode()).hexdigest()


_versao = cache(importlib.metadata.version)


def _montar(nome: str, questao: str) -> Any:
    """A função, montada neste processo; a mesma enquanto nada de que ela depende mudar."""
    lista = questao.partition("/")[0]
    chave = f"{questao} {_chave_inteira(lista)}"
    if chave not in _MONTADAS:
        from helpers.conferencia.execucao import com_prazo

        comandos, _ = caderno(lista).precisa(nome, questao)
        with com_prazo(10), _em_silencio():
            valor = montar(comandos, lista.replace("-", "_"))[nome]
        _MONTADAS[chave] = valor if isinstance(valor, type) else como_na_entrada(valor)
    return _MONTADAS[chave]


def _chave_inteira(lista: str) -> str:
    """A da lista e as das listas de que ela traz funções, que são sempre anteriores."""
    if sem_arquivo(lista, notebook(lista)):  # as funções dela são as do curso
        return f"sem {lista}"
    lido, nomes = caderno(lista), catalogo()
    outras = {nomes[n].partition("/")[0] for n in lido.importa_de_minhas() if n in nomes}
    return " ".join([_chave(lido), *(_chave_inteira(outra) for outra in sorted(outras) if outra < lista)])


# ---------------------------------------------------------------- o que se mostra

_CALADO: list[bool] = []


@contextlib.contextmanager
def _em_silencio() -> Iterator[None]:
    _CALADO.append(True)
    try:
        yield
    finally:
        _CALADO.pop()


def dar(nome: str) -> Any:
    """O que `from helpers.minhas import nome` recebe: a função, com a linha que diz de onde ela veio."""
    origem = obter(nome)
    if not _CALADO and not lista_em_conferencia():
        print(origem.linha)
    return origem.valor
