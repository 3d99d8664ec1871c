"""`python curso.py site`: o site inteiro, do que há no curso às páginas no destino."""

import shutil
import sys
import time
import webbrowser
from pathlib import Path

from configuracao import comandos
from configuracao.terminal import por_que, rodar
from helpers import RAIZ
from helpers.escrita import com_virgula
from helpers.indice import listas
from sitio import esfinge, montagem, npm
from sitio.obra import NaoDeu, Obra

TRABALHO = RAIZ / ".sitio"
MARCA = ".site-do-curso"  # no destino: os arquivos que fomos nós que pusemos


def fazer(destino: Path, ate: str | None = None, trabalho: Path = TRABALHO, so: tuple[str, ...] | None = None) -> Obra:
    """Faz o site em `destino`. Se algo falha, o que havia lá fica como estava."""
    destino = destino.resolve()
    conferir(destino)
    npm.preparar()
    obra = montagem.nova(trabalho, ate)
    obra.pasta.mkdir(parents=True, exist_ok=True)
    print("Lendo o curso…", flush=True)
    montagem.montar(obra, so)
    print(f"Fazendo as páginas ({len(obra.enderecos)})…", flush=True)
    esfinge.construir(obra)
    publicar(obra, destino)
    return obra


def conferir(destino: Path) -> None:
    destino = destino.resolve()  # com um “..” depois de uma pasta que ainda não existe, pareceria vazio
    if destino.is_dir() and any(destino.iterdir()) and not (destino / MARCA).is_file():
        raise NaoDeu(f"A pasta {destino} já tem outras coisas; dê uma vazia, ou que ainda não exista, com --destino.")
    if destino.exists() and not destino.is_dir():
        raise NaoDeu(f"{destino} é um arquivo; dê uma pasta com --destino.")


def publicar(obra: Obra, destino: Path) -> None:
    """Leva ao destino o que mudou, e tira dele o que deixou de haver."""
    destino = destino.resolve()
    destino.mkdir(parents=True, exist_ok=True)
    marca = destino / MARCA
    antes = set(marca.read_text(encoding="utf-8").splitlines()) if marca.is_file() else set()
    agora: dict[str, bytes | Path] = {}
    ha = set(obra.enderecos)
    for arquivo in (p for p in obra.saida.rglob("*") if p.is_file()):
        nome = arquivo.relative_to(obra.saida).as_posix()
        if nome.startswith("_static/") or nome.removesuffix(".html") in ha:  # de um site anterior podem restar páginas
            agora[nome] = arquivo
    for nome, conteudo in obra.arquivos.items():
        agora[nome] = conteudo.encode() if isinstance(conteudo, str) else conteudo
    marca.write_text("\n".join(sorted(antes | agora.keys())), encoding="utf-8")
    for nome, conteudo in agora.items():
        _copiar(conteudo, destino / nome)
    for nome in antes - agora.keys():
        (destino / nome).unlink(missing_ok=True)
    marca.write_text("\n".join(sorted(agora)), encoding="utf-8")


def _copiar(conteudo: bytes | Path, para: Path) -> None:
    para.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(conteudo, Path):
        novo, velho = conteudo.stat(), para.stat() if para.is_file() else None
        if velho is None or velho.st_size != novo.st_size or velho.st_mtime_ns != novo.st_mtime_ns:
            shutil.copy2(conteudo, para)
    elif not para.is_file() or para.read_bytes() != conteudo:
        para.write_bytes(conteudo)


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("site", argumentos)
    ate = f"{int(pedido.ate):02d}" if pedido.ate is not None else None
    numeros = [nome[-2:] for nome in listas()]
    if ate is not None and ate not in numeros:
        print(f"Não existe a lista {ate}; o --ate vai de {numeros[0]} a {numeros[-1]}.", file=sys.stderr)
        return 2
    destino, inicio = (pedido.destino or RAIZ / "pacotes" / "site").resolve(), time.time()
    try:
        fazer(destino, ate)
    except NaoDeu as frase:
        print(frase, file=sys.stderr)
        return 1
    except OSError as erro:
        print(f"Não foi possível gravar o site em {destino}: {por_que(erro)}.", file=sys.stderr)
        return 1
    tamanho = sum(p.stat().st_size for p in destino.rglob("*") if p.is_file()) / 1e6
    paginas = len(list(destino.rglob("*.html")))
    print(f"{destino}: {paginas} páginas, {com_virgula(tamanho, 1)} MB, em {time.time() - inicio:.0f} s.")
    print(f"Abra com dois cliques: {destino / 'index.html'}")
    if pedido.abrir:
        webbrowser.open((destino / "index.html").as_uri())
    return 0


if __name__ == "__main__":
    rodar(main)
