"""`python curso.py atualizar PACOTE`: um pacote mais novo por cima da pasta do aluno, sem tocar no que é dele.

O pacote traz um manifesto (pacote.json), com o resumo de cada arquivo, e a pasta guarda o do pacote de que veio. Uma
lista ou uma aula que mudou desde então é do aluno: fica como está, e a nova vai para o lado, com “.nova” no nome, que
`conferir`, `progresso` e `helpers.minhas` não leem. O resto se troca, e o que havia de diferente fica guardado. Tudo é
conferido e escrito ao lado antes da primeira troca, e cada troca é de uma vez: interrompido, basta rodar de novo.
Só a biblioteca padrão: roda antes da instalação.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from configuracao import comandos
from configuracao.lugares import DO_ALUNO, RAIZ, do_aluno
from configuracao.terminal import por_que, rodar
from configuracao.versao import bem_escrita, em_ordem

MANIFESTO = "configuracao/pacote.json"
GUARDADOS = "antes-de-atualizar"  # o que o aluno tinha mudado fora das listas e das aulas
_PROVISORIA = ".atualizacao-"
_MAIOR, _MAIOR_TOTAL, _MAIS_ARQUIVOS, _COMPRESSAO = 100 * 2**20, 500 * 2**20, 5000, 200
_SALAS = {"configuracao", "guias", "helpers", "imagens", "notebooks", "release"}
_SOLTOS = {"LICENSE", "README.md", "curso.py", "environment.yml", "pyproject.toml"}
_BAIXE = "baixe o pacote de novo, e dê ao comando o zip inteiro"

Manifesto = dict[str, list[str | None]]  # caminho → o resumo do arquivo e, de um notebook, o do que está escrito nele


class NaoDaParaAtualizar(Exception):
    """Por que nada foi feito, em uma frase."""


@dataclass
class Passo:
    """O que se faz com um arquivo do pacote."""

    caminho: str  # na pasta do curso
    origem: str  # no pacote
    guardar: bool = False  # o que está lá é do aluno, e vai antes para `antes-de-atualizar`
    novo: bool = False


# ---------------------------------------------------------------- os resumos


def resumos(caminho: str, conteudo: bytes) -> list[str | None]:
    """O resumo de um arquivo; e, de um notebook, o do que está escrito nele, sem as saídas, que mudam só de rodar."""
    return [hashlib.sha256(conteudo).hexdigest(), _do_escrito(conteudo) if caminho.endswith(".ipynb") else None]


def _do_escrito(notebook: bytes) -> str | None:
    try:
        celulas = [[c["cell_type"], "".join(c["source"])] for c in json.loads(notebook)["cells"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return hashlib.sha256(json.dumps(celulas).encode("utf-8", "surrogatepass")).hexdigest()


def _iguais(caminho: str, um: list[str | None] | None, outro: list[str | None]) -> bool:
    """Uma lista é a mesma se cada byte é o mesmo; uma aula, se é o mesmo o que está escrito."""
    if um is None:
        return False
    return um[0] == outro[0] or (not caminho.startswith("release/") and um[1] is not None and um[1] == outro[1])


def _do_aluno(caminho: str) -> bool:
    return caminho.endswith(".ipynb") and caminho.startswith(("release/", "notebooks/"))


# ---------------------------------------------------------------- o pacote, sem confiar nele


def abrir(pacote: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    """(caminho → conteúdo, o manifesto), já conferidos um com o outro."""
    try:
        with zipfile.ZipFile(pacote) as zip_:
            arquivos = _membros(zip_)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError, ValueError, zlib.error):
        raise NaoDaParaAtualizar(
            f"{pacote.name} não é um zip que se possa ler, ou chegou incompleto; {_BAIXE}."
        ) from None
    except OSError as erro:
        raise NaoDaParaAtualizar(f"Não consegui ler {pacote}: {por_que(erro)}.") from None
    manifesto = _ler_manifesto(arquivos.pop(MANIFESTO, b""))
    if manifesto is None:
        raise NaoDaParaAtualizar(f"{pacote.name} não é um pacote deste curso que sirva para atualizar; {_BAIXE}.")
    certos = {nome: resumos(nome, conteudo)[0] for nome, conteudo in arquivos.items()}
    if certos != {nome: r[0] for nome, r in manifesto["arquivos"].items()}:
        raise NaoDaParaAtualizar(f"O que há em {pacote.name} não é o que o manifesto dele diz; {_BAIXE}.")
    return arquivos, manifesto


def _membros(zip_: zipfile.ZipFile) -> dict[str, bytes]:
    infos = [i for i in zip_.infolist() if not i.is_dir()]
    if len(infos) > _MAIS_ARQUIVOS or sum(i.file_size for i in infos) > _MAIOR_TOTAL:
        raise NaoDaParaAtualizar(f"O zip tem arquivos demais, ou grandes demais, para ser o pacote do curso; {_BAIXE}.")
    arquivos: dict[str, bytes] = {}
    vistos: set[str] = set()
    for info in infos:
        nome = _nome(info)
        chave = unicodedata.normalize("NFC", nome).casefold()
        if chave in vistos:  # no Windows e no macOS, um tomaria o lugar do outro
            raise NaoDaParaAtualizar(f"O zip tem dois arquivos com o mesmo nome, {nome}; {_BAIXE}.")
        vistos.add(chave)
        with zip_.open(info) as aberto:
            arquivos[nome] = aberto.read(info.file_size + 1)
        if len(arquivos[nome]) != info.file_size:
            raise NaoDaParaAtualizar(f"{nome} não tem o tamanho que o zip declara; {_BAIXE}.")
    return arquivos


def _nome(info: zipfile.ZipInfo) -> str:
    """O caminho na pasta do curso: sem a pasta que o zip cria, e só se é um dos que um pacote tem."""
    partes = PurePosixPath(info.filename).parts[1:]
    escrito = info.filename.isprintable() and not re.search(r'[\\:*?"<>|]', info.filename)
    simples = escrito and not info.filename.startswith("/") and not any(p.startswith(".") for p in partes)
    conhecido = bool(partes) and (partes[0] in _SALAS if len(partes) > 1 else partes[0] in _SOLTOS)
    atalho, senha = stat.S_ISLNK(info.external_attr >> 16), info.flag_bits & 1
    bomba = (
        info.file_size > _MAIOR or info.file_size > 2**20 and info.file_size > _COMPRESSAO * max(1, info.compress_size)
    )
    if not simples or not conhecido or atalho or senha or bomba:
        mostrado = "".join(c if c.isprintable() else "?" for c in info.filename[:120])
        raise NaoDaParaAtualizar(f"Há no zip um arquivo que um pacote do curso não tem, {mostrado}; {_BAIXE}.")
    return "/".join(partes)


def _ler_manifesto(texto: bytes) -> dict[str, Any] | None:
    with contextlib.suppress(ValueError, RecursionError):
        lido = json.loads(texto)
        arquivos = lido.get("arquivos") if isinstance(lido, dict) else None
        if not isinstance(arquivos, dict) or not all(isinstance(r, list) and len(r) == 2 for r in arquivos.values()):
            return None
        ate, numero = lido.get("ate"), lido.get("versao")  # os primeiros pacotes não diziam a versão
        semana = ate is None or isinstance(ate, str) and re.fullmatch(r"\d\d", ate, flags=re.ASCII)
        return lido if semana and (numero is None or bem_escrita(numero)) else None
    return None


# ---------------------------------------------------------------- o que fazer


def manifesto_da_pasta(raiz: Path, manifesto: str = MANIFESTO) -> dict[str, Any]:
    return _ler_manifesto(_ler(raiz / manifesto) or b"") or {"arquivos": {}}


def planejar(raiz: Path, antigo: dict[str, Any], novo: dict[str, Any]) -> tuple[list[Passo], list[str]]:
    """(os passos, o que sai do curso e o aluno não mudou). Sem o manifesto da pasta, tudo o que é diferente é dele."""
    _exigir_as_mesmas_semanas(antigo, novo)
    _exigir_que_nao_volte(antigo.get("versao"), novo.get("versao"))
    de_antes: Manifesto = antigo["arquivos"]
    passos = [p for nome, r in novo["arquivos"].items() if (p := _passo(raiz, nome, de_antes.get(nome), r))]
    saem = []
    for nome in de_antes.keys() - novo["arquivos"].keys():
        aqui = _ler(raiz / nome) if nome.startswith(("helpers/", "configuracao/")) and ".." not in nome else None
        if aqui is not None and resumos(nome, aqui)[0] == de_antes[nome][0]:
            saem.append(nome)
    return passos, sorted(saem)


def _exigir_as_mesmas_semanas(antigo: dict[str, Any], novo: dict[str, Any]) -> None:
    ate, antes = novo.get("ate"), antigo.get("ate") if antigo["arquivos"] else "00"
    if ate is not None and (antes is None or ate < antes):
        tem = "já tem o curso inteiro" if antes is None else f"já vai até a lista {antes}"
        raise NaoDaParaAtualizar(f"Este pacote só vai até a lista {ate}, e a sua pasta {tem}; não há o que atualizar.")


def _exigir_que_nao_volte(antes: str | None, agora: str | None) -> None:
    if antes is not None and (agora is None or em_ordem(agora) < em_ordem(antes)):
        de = "de antes de o curso ter versões" if agora is None else f"da versão {agora}"
        raise NaoDaParaAtualizar(f"Este pacote é {de}, e a sua pasta já está na {antes}; não há o que atualizar.")


def _passo(raiz: Path, nome: str, antes: list[str | None] | None, novo: list[str | None]) -> Passo | None:
    conteudo = _ler(raiz / nome)
    if conteudo is None:
        return Passo(nome, nome, novo=True)
    aqui = resumos(nome, conteudo)
    if aqui[0] == novo[0]:
        return None
    if _iguais(nome, aqui, novo) or (antes is not None and _iguais(nome, antes, aqui)):
        # quem só rodou a aula fica com as saídas dele, se o texto dela não mudou
        return None if _do_aluno(nome) and _iguais(nome, aqui, novo) else Passo(nome, nome)
    if antes is not None and antes[0] == novo[0]:  # o aluno mudou, e o curso não
        return None
    if _do_aluno(nome):
        return _ao_lado(raiz, nome, novo)
    return Passo(nome, nome, guardar=True)


def _ao_lado(raiz: Path, nome: str, novo: list[str | None]) -> Passo | None:
    """`lista-02-softmax.nova.ipynb`; a de uma atualização anterior, que pode ter respostas, fica também."""
    base, n = nome.removesuffix(".ipynb"), 1
    while True:
        destino = f"{base}.nova{'' if n == 1 else f'-{n}'}.ipynb"
        conteudo = _ler(raiz / destino)
        if conteudo is None:
            return Passo(destino, nome, novo=True)
        if resumos(destino, conteudo)[0] == novo[0]:
            return None
        n += 1


def _ler(caminho: Path) -> bytes | None:
    """None se não há nada lá. O que está por trás de um atalho, ou não é um arquivo, não se toca."""
    if not os.path.lexists(caminho):
        return None
    if not caminho.is_file() or caminho.is_symlink():
        raise NaoDaParaAtualizar(f"{caminho} não é um arquivo comum; tire-o daí e rode de novo. Nada mudou.")
    return caminho.read_bytes()


def _exigir_pastas_de_verdade(raiz: Path, passos: list[Passo]) -> None:
    for passo in passos:
        pasta = (raiz / passo.caminho).parent
        while pasta != raiz:
            if os.path.lexists(pasta) and (pasta.is_symlink() or not pasta.is_dir()):
                raise NaoDaParaAtualizar(f"{pasta} não é uma pasta comum; tire-a daí e rode de novo. Nada mudou.")
            pasta = pasta.parent


# ---------------------------------------------------------------- fazer


def aplicar(
    raiz: Path,
    arquivos: dict[str, bytes],
    novo: dict[str, Any],
    passos: list[Passo],
    saem: list[str],
    manifesto: str = MANIFESTO,
) -> None:
    """Escreve tudo ao lado, e só então troca; o manifesto é o último, para que o que parar no meio recomece."""
    for resto in raiz.glob(f"{_PROVISORIA}*"):
        shutil.rmtree(resto, ignore_errors=True)
    provisoria = raiz / f"{_PROVISORIA}{os.getpid()}"
    try:
        for i, passo in enumerate(passos):
            _escrever(provisoria / str(i), arquivos[passo.origem])
        _escrever(provisoria / "manifesto", json.dumps(novo, ensure_ascii=False, indent=1, sort_keys=True).encode())
        for passo in (p for p in passos if p.guardar):
            _guardar(raiz, passo.caminho)
        for i, passo in enumerate(passos):
            destino = raiz / passo.caminho
            destino.parent.mkdir(parents=True, exist_ok=True)
            os.replace(provisoria / str(i), destino)
        for nome in saem:
            with contextlib.suppress(FileNotFoundError):
                (raiz / nome).unlink()
        (raiz / manifesto).parent.mkdir(exist_ok=True)
        os.replace(provisoria / "manifesto", raiz / manifesto)
    finally:
        shutil.rmtree(provisoria, ignore_errors=True)


def _escrever(destino: Path, conteudo: bytes) -> None:
    destino.parent.mkdir(parents=True, exist_ok=True)
    destino.write_bytes(conteudo)


def _guardar(raiz: Path, nome: str) -> None:
    """Uma cópia do que o aluno mudou, sem tomar o lugar de outra."""
    conteudo, n = (raiz / nome).read_bytes(), 1
    while True:
        destino = raiz / GUARDADOS / (nome if n == 1 else f"{nome}.{n}")
        if not destino.exists():
            return _escrever(destino, conteudo)
        if destino.read_bytes() == conteudo:
            return None
        n += 1


# ---------------------------------------------------------------- quem o abriu em vez de atualizar


def ao_lado(raiz: Path = RAIZ) -> Path | None:
    """A pasta em que o aluno já tinha o curso instalado, se ele abriu este pacote ao lado dela."""
    with contextlib.suppress(OSError):
        vizinhas = [
            p for p in raiz.parent.iterdir() if p != raiz and (p / MANIFESTO).is_file() and (p / ".venv").is_dir()
        ]
        if (raiz / MANIFESTO).is_file() and vizinhas:
            return max(vizinhas, key=lambda p: (p / ".venv").stat().st_mtime)
    return None


# ---------------------------------------------------------------- o comando


def de_que_para_que(antes: str | None, agora: str | None, ensaio: bool) -> str:
    """“Da versão 1.0.0 para a 1.1.0.”; vazio se o pacote é dos que não a diziam."""
    if agora is None:
        return ""
    if antes == agora:
        return f"A versão é a mesma, {agora}."
    de = "De um pacote sem versão, dos primeiros," if antes is None else f"Da versão {antes}"
    return f"{de} {'você iria ' if ensaio else ''}para a{' versão' if antes is None else ''} {agora}."


def relato(passos: list[Passo], saem: list[str], ensaio: bool) -> str:
    """O que mudou, ou mudaria: os notebooks, um por um; o resto, contado."""
    novos = [p for p in passos if p.novo and p.caminho == p.origem and _do_aluno(p.caminho)]
    trocados = [p for p in passos if not p.novo and _do_aluno(p.caminho)]
    linhas = [f"  {p.caminho}: {'entraria' if ensaio else 'entrou'}" for p in novos]
    linhas += [f"  {p.caminho}: {'seria trocado' if ensaio else 'trocado'} pelo novo" for p in trocados]
    for p in (p for p in passos if p.caminho != p.origem):
        onde = "iria para" if ensaio else "está em"
        linhas.append(f"  {p.origem}: tem coisas suas, e fica como está; a versão nova {onde} {p.caminho}")
    linhas += [
        f"  {p.caminho}: você o mudou; o seu {'iria' if ensaio else 'foi'} para {GUARDADOS}/"
        for p in passos
        if p.guardar
    ]
    outros = len(passos) - len(linhas) + len(saem)
    linhas += (
        [f"  e mais {outros} do programa do curso" if linhas else f"  {outros} do programa do curso"] if outros else []
    )
    return "\n".join([f"O que {'mudaria' if ensaio else 'mudou'}:", *linhas])


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("atualizar", argumentos)
    try:
        if (RAIZ / "gabarito").is_dir():
            raise NaoDaParaAtualizar(
                "Esta pasta é a do instrutor, e o pacote é dos alunos; use o git para atualizá-la."
            )
        if DO_ALUNO in os.environ:
            return _de_um_so_para_muitos(pedido)
        if pedido.pacote is None:
            comandos.errar("Falta PACOTE; use assim: python curso.py atualizar PACOTE")
        arquivos, novo = abrir(pedido.pacote)
        antigo = manifesto_da_pasta(RAIZ)
        passos, saem = planejar(RAIZ, antigo, novo)
        _exigir_pastas_de_verdade(RAIZ, passos)
        if not passos and not saem:
            if not pedido.ensaio:
                aplicar(RAIZ, arquivos, novo, [], [])
            numero = novo.get("versao")
            print(f"A sua pasta já está em dia com este pacote{f', da versão {numero}' if numero else ''}.")
            return 0
        if not pedido.ensaio:
            aplicar(RAIZ, arquivos, novo, passos, saem)
    except NaoDaParaAtualizar as erro:
        print(erro, file=sys.stderr)
        return 2
    except OSError as erro:
        onde = f" em {erro.filename}" if erro.filename else ""
        print(f"Parei{onde}: {por_que(erro)}. Nada seu se perdeu; resolva e rode de novo.", file=sys.stderr)
        return 1
    if numeros := de_que_para_que(antigo.get("versao"), novo.get("versao"), pedido.ensaio):
        print(numeros)
    print(relato(passos, saem, pedido.ensaio))
    if pedido.ensaio:
        print("Foi só um ensaio: nada mudou.")
    return 0


def _de_um_so_para_muitos(pedido: Any) -> int:
    """Onde o curso é um só para muitos, quem o atualiza é quem cuida dele; o aluno só põe a pasta dele em dia."""
    from configuracao import aluno  # que importa este módulo

    if pedido.pacote is not None or pedido.ensaio:
        raise NaoDaParaAtualizar(
            "Aqui o programa do curso é um só para todos, e quem o atualiza é quem cuida dele. O que chegou de novo "
            "entra na sua pasta com: python curso.py atualizar"
        )
    passos = aluno.preparar(do_aluno())
    print(relato(passos, [], ensaio=False) if passos else "A sua pasta já está em dia com o curso.")
    return 0


if __name__ == "__main__":
    rodar(main)
