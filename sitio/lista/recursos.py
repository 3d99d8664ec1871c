"""O que a página de uma lista baixa para ter Python: o Pyodide, o NumPy e, de cada lista, só o que ela usa do curso.

Cada recurso sai em duas formas, com o resumo do conteúdo no nome: `X.<resumo>.gz`, para http, e `X.<resumo>.js`, o
mesmo em base64, porque uma página aberta do disco só consegue ler um script.
"""

import ast
import base64
import gzip
import hashlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from configuracao.lugares import RAIZ
from gabarito.base import carregar
from gabarito.emprestimos import de_outras_listas
from helpers.indice import listas
from sitio.lista import rodas
from sitio.lista.na_pagina import viagem
from sitio.lista.rastro import rastrear
from sitio.lista.rodas import SemRodas

__all__ = ["CSP", "LISTAS", "SemRodas", "preparar"]

LISTAS = tuple(f"lista-{n:02d}" for n in range(1, 7))  # as que se fazem com o NumPy; as outras pedem o torch
MAIOR_LISTA = 500_000  # bytes, comprimida
COMUNS = ("pyodide.asm.wasm", "pyodide.asm.js", "pyodide.js", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
MANIFESTO = "manifesto.json"
OPERARIO = Path(__file__).with_name("motor-operario.js")
EMPRESTIMOS = "sitio/lista/na_pagina/emprestimos.json"
# Do NumPy, o que uma lista nunca usa: os testes, o que serve para compilar C e Fortran, as dicas de tipo.
_FORA_DO_NUMPY = re.compile(
    r"(^|/)(tests|f2py|include|_pyinstaller|distutils)/|_examples/|\.(pyi|h|c|pxd|a|txt|rst|in|build|template)$|"
    r"conftest\.py$|py\.typed$|_add_newdocs\.cpython|-info/(?!METADATA|LICENSE|licenses)|_tests\.|test_|/__pycache__/"
)
# O que a página de uma lista precisa somar à política das outras: o quadro do Python herda a da página que o contém.
CSP = {
    "script-src": "'unsafe-eval' 'wasm-unsafe-eval' blob:",
    "worker-src": "blob:",
    "connect-src": "'self'",
}
_DATA = (2026, 1, 1, 0, 0, 0)  # a mesma em todos os zips: o mesmo conteúdo dá os mesmos bytes


class GrandeDemais(RuntimeError):
    """O que uma lista usa não cabe no que ela pode pesar."""


def preparar(
    destino: Path, quais: Iterable[str] = LISTAS, aviso: Callable[[str], None] = print
) -> dict[str, Any] | None:
    """Põe em `destino` os recursos destas listas e devolve o manifesto; None, com um aviso, se não há NumPy aqui."""
    if not rodas.PYODIDE.is_dir():
        aviso("Falta o Pyodide: rode `npm ci` na pasta sitio/. As listas do site ficam para ler e baixar.")
        return None
    roda = rodas.achar(aviso)
    if roda is None:
        aviso("Sem o NumPy, as listas do site ficam para ler e baixar.")
        return None
    destino.mkdir(parents=True, exist_ok=True)
    nomes = [nome for nome in quais if nome in listas()]
    with ThreadPoolExecutor(max_workers=2) as threads:  # cada rastro é outro processo
        rastros = dict(zip(nomes, threads.map(rastrear, nomes), strict=True))
    conteudos = {nome: (rodas.PYODIDE / nome).read_bytes() for nome in COMUNS}
    conteudos |= {"operario.js": OPERARIO.read_bytes(), "numpy.zip": _numpy(roda.arquivo), LOCK: _lock()}
    comuns = list(conteudos)
    conteudos |= {f"{nome}.zip": da_lista(nome, rastros[nome]["arquivos"]) for nome in nomes}
    with ThreadPoolExecutor(max_workers=2) as threads:  # o zlib solta o interpretador
        gravados = threads.map(lambda nome: _gravar(destino, nome, conteudos[nome]), conteudos)
        arquivos = dict(zip(conteudos, gravados, strict=True))
    for nome in nomes:
        if (pesa := arquivos[f"{nome}.zip"]["comprimido"]) > MAIOR_LISTA:
            raise GrandeDemais(f"O que a {nome} leva à página pesa {pesa} bytes, e o limite é {MAIOR_LISTA}.")
    manifesto = {
        "versoes": _versoes(roda),
        "oficial": roda.oficial,
        "comuns": comuns,
        "listas": {nome: [f"{nome}.zip"] for nome in nomes},
        "sem_torch": [q for nome in nomes for q in rastros[nome]["sem_torch"]],
        "arquivos": arquivos,
    }
    feitos = {dados[forma] for dados in arquivos.values() for forma in ("gz", "js")}
    for velho in [p for p in destino.iterdir() if p.name not in feitos]:  # de quando o site foi feito antes
        velho.unlink()
    (destino / MANIFESTO).write_text(json.dumps(manifesto, ensure_ascii=False), encoding="utf-8")
    return manifesto


def _lock() -> bytes:
    """Sem os pacotes, que a página não pede: sobra de que versão tudo é."""
    lido = json.loads((rodas.PYODIDE / LOCK).read_text("utf-8"))
    return json.dumps({"info": lido["info"], "packages": {}}).encode()


def _versoes(roda: rodas.Roda) -> dict[str, str]:
    pacote = json.loads((rodas.PYODIDE / "package.json").read_text("utf-8"))
    lock = json.loads((rodas.PYODIDE / LOCK).read_text("utf-8"))
    return {"pyodide": pacote["version"], "python": lock["info"]["python"], "numpy": roda.versao}


def da_lista(lista: str, arquivos: Iterable[str]) -> bytes:
    """O zip do que a lista usa do curso, com o que se empresta das outras."""
    conteudo = {nome: (RAIZ / nome).read_bytes() for nome in arquivos}
    emprestimos = {q.nome: tabelas for q in carregar(lista).values() if (tabelas := de_outras_listas(q))}
    conteudo[EMPRESTIMOS] = json.dumps(emprestimos, sort_keys=True).encode()
    referencias = f"helpers/referencias/{lista}.json"
    for nome in [n for n in conteudo if n.endswith(".json")]:  # sem os espaços de quem os lê
        dados = json.loads(conteudo[nome])
        if nome == referencias:
            dados, conteudo[nome.replace(".json", viagem.SUFIXO)] = viagem.embalar(dados)
        conteudo[nome] = json.dumps(dados, ensure_ascii=False, separators=(",", ":")).encode()
    for nome in [n for n in conteudo if n.endswith(".py")]:
        conteudo[nome] = _sem_prosa(conteudo[nome].decode()).encode()
    return _zip(conteudo)


def _sem_prosa(programa: str) -> str:
    """O mesmo programa sem os comentários e as docstrings, que na página ninguém lê: um terço do que ele pesa."""
    arvore = ast.parse(programa)
    for no in ast.walk(arvore):
        if isinstance(no, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(no) is not None:
            no.body = no.body[1:] or [ast.Pass()]
    return ast.unparse(arvore)


def _numpy(arquivo: Path) -> bytes:
    with zipfile.ZipFile(arquivo) as roda:
        servem = [n for n in roda.namelist() if not n.endswith("/") and not _FORA_DO_NUMPY.search(n)]
        return _zip({nome: roda.read(nome) for nome in servem})


def _zip(conteudo: dict[str, bytes]) -> bytes:
    """Sem comprimir: quem comprime é o gzip, por fora, e melhor."""
    saida = io.BytesIO()
    with zipfile.ZipFile(saida, "w", zipfile.ZIP_STORED) as feito:
        for nome in sorted(conteudo):
            feito.writestr(zipfile.ZipInfo(nome, _DATA), conteudo[nome])
    return saida.getvalue()


def _gravar(destino: Path, nome: str, conteudo: bytes) -> dict[str, Any]:
    resumo = hashlib.sha256(conteudo).hexdigest()[:12]
    gz, js = f"{nome}.{resumo}.gz", f"{nome}.{resumo}.js"
    comprimido = gzip.compress(conteudo, 9, mtime=0)
    texto = base64.b64encode(comprimido).decode()
    (destino / gz).write_bytes(comprimido)
    (destino / js).write_text(f'cursoRecurso("{nome}","{texto}");\n', encoding="ascii")
    return {"gz": gz, "js": js, "tamanho": len(conteudo), "comprimido": len(comprimido)}


if __name__ == "__main__":
    sys.exit(preparar(Path(sys.argv[1])) is None)
