"""`python -m configuracao.travar`: refaz configuracao/locks/ e environment.yml a partir de pyproject.toml.

Os locks valem para Python 3.11 a 3.14 em Linux, Windows e macOS, têm os hashes de todos os arquivos e nenhum endereço.
As versões que pyproject.toml não fixa ficam como estão no lock; com --atualizar, vão para as mais novas. Com --torch, a
tabela de hashes do PyTorch (locks/torch.lock) é completada com o que se alcança: o índice comum (macOS e Windows), o do
PyTorch (Linux) e as pastas de find-links do pip; o que não se alcança fica como está, e uma linha diz o que falta.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from configuracao import comandos
from configuracao.computador import PYTHONS
from configuracao.ferramentas import configuracao_do_pip, para_o_uv
from configuracao.instalar import INDICE_DO_TORCH
from configuracao.lugares import LOCKS, RAIZ, programa_do_venv
from configuracao.terminal import rodar

COMANDO = "python -m configuracao.travar"
UNIVERSAL = ("--universal", "--python-version", PYTHONS[0], "--fork-strategy", "fewest")
# (sys_platform, platform_machine, como o nome do arquivo termina, o rótulo da versão)
COMPUTADORES = (
    ("linux", "x86_64", "manylinux_2_28_x86_64", "+cpu"),
    ("linux", "aarch64", "manylinux_2_28_aarch64", "+cpu"),
    ("darwin", "arm64", "macosx_14_0_arm64", ""),
    ("win32", "AMD64", "win_amd64", ""),
)
SEM_DEPENDENCIAS = ("modelos", "instalador", "pip")
TORCH_COMUM = "torch-comum"
PARA_QUE = {
    "curso": "O que o aluno usa, salvo o torch, que tem a sua tabela; o curso.py instala daqui.",
    "correcao": "O que falta ao curso para corrigir; o curso.py o instala quando um comando da correção roda.",
    "desenvolvimento": "O que falta ao curso para rodar os testes; o curso.py o instala quando `testar` roda.",
    "sitio": "O que falta ao curso para fazer o site; o curso.py o instala quando `site` roda.",
    TORCH_COMUM: "O torch do índice comum, que no Linux traz o CUDA; só onde não se alcança o índice do PyTorch.",
    "modelos": "Os modelos da aula 10, em pacotes do PyPI, sem as dependências, que não são usadas.",
    "instalador": "O uv, que o pip põe em .venv e que instala o resto.",
    "pip": "O pip que fica em .venv.",
    "hub": "O que falta ao curso para servir a muitos em um JupyterHub (python curso.py hub).",
    "llama": "O que falta ao curso para usar o Llama 3.2 ou outro modelo do Hugging Face (helpers/llm_hub.py).",
    "navegador": "O Playwright e o axe-core, com que os testes conduzem o Chromium do sistema e conferem o acesso.",
    "cluster": "O que falta ao curso para corrigir em várias máquinas (python curso.py corrigir LISTA --cluster).",
    "postgres": "O que falta ao curso para guardar as notas em um PostgreSQL (CURSO_LIVRO=postgresql+psycopg://…).",
}


# ------------------------------------------------------------ o que pyproject.toml declara


def projeto() -> dict[str, Any]:
    return tomllib.loads((RAIZ / "pyproject.toml").read_text(encoding="utf-8"))


def declarado(dados: Mapping[str, Any]) -> dict[str, list[str]]:
    """O que cada lock deve satisfazer: nome do lock → pedidos."""
    return {
        "curso": dados["project"]["dependencies"],
        **dados["project"]["optional-dependencies"],
        **dados["dependency-groups"],
        TORCH_COMUM: [f"torch=={versao_do_torch(dados)}"],
    }


def resumo(nome: str, dados: Mapping[str, Any]) -> str:
    """Muda quando muda o que o lock deve satisfazer; fica escrito nele, e um teste o confere sem rede."""
    pedido = [declarado(dados)[nome], dados["tool"]["uv"]["override-dependencies"], dados["project"]["requires-python"]]
    return hashlib.sha256(json.dumps(pedido).encode()).hexdigest()[:16]


def versao_do_torch(dados: Mapping[str, Any]) -> str:
    return next(p for p in dados["project"]["dependencies"] if p.startswith("torch==")).removeprefix("torch==")


# ------------------------------------------------------------ os locks


def travar(atualizar: bool = False) -> None:
    """Refaz todos os locks, o do curso primeiro: os outros não repetem o que está nele."""
    dados = projeto()
    torch = versao_do_torch(dados)
    for nome, pedidos in declarado(dados).items():
        if nome == "curso":
            pedidos = [p for p in pedidos if not p.startswith("torch==")] + dependencias_do_torch(torch)
        opcoes = ["--no-deps"] if nome in SEM_DEPENDENCIAS else []
        por_cima = nome not in ("curso", *SEM_DEPENDENCIAS)
        if por_cima:
            opcoes += ["--constraints", str(LOCKS / "curso.lock")]
        texto = compilar(nome, pedidos, dados["tool"]["uv"]["override-dependencies"], opcoes, atualizar)
        if por_cima:
            texto = sem_os_pacotes(texto, nomes(ler("curso")))
        (LOCKS / f"{nome}.lock").write_text(cabecalho(nome, dados) + texto, encoding="utf-8")
        print(f"configuracao/locks/{nome}.lock: {len(pinos(texto))} pacotes.", flush=True)


def cabecalho(nome: str, dados: Mapping[str, Any]) -> str:
    para_que = PARA_QUE.get(nome, f"O extra {nome} de pyproject.toml.")
    instalado = nome not in dados["project"]["optional-dependencies"]
    como = f"python -m pip install --no-deps -r configuracao/locks/{nome}.lock"
    return (
        f"# {para_que}\n"
        + ("" if instalado else f"# Não é instalado por padrão. Com o Python do curso: {como}\n")
        + f"# Gerado de pyproject.toml por: {COMANDO}\n"
        + f"# declarado: {resumo(nome, dados)}\n"
    )


def compilar(nome: str, pedidos: Iterable[str], trocas: Iterable[str], opcoes: list[str], atualizar: bool) -> str:
    """O texto do lock; as versões do lock de hoje são mantidas, se ainda servem e não se pede para atualizar."""
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        saida = Path(pasta, "lock")
        saida.write_text(ler(nome), encoding="utf-8")
        Path(pasta, "trocas").write_text("\n".join(trocas), encoding="utf-8")
        comando = [*UNIVERSAL, "--generate-hashes", "--no-header", "--no-annotate", "--overrides", f"{pasta}/trocas"]
        comando += [*opcoes, *(["--upgrade"] if atualizar else []), "--output-file", str(saida)]
        uv_compile(pedidos, comando, pasta)
        return saida.read_text(encoding="utf-8")


def dependencias_do_torch(versao: str) -> list[str]:
    """Os nomes do que o torch usa. Os do Windows: os do Linux incluem o CUDA, que a versão de CPU dispensa."""
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        saida = uv_compile(
            [f"torch=={versao}"], ["--python-platform", "windows", "--no-header", "--no-annotate"], pasta
        )
    return sorted(nomes(saida) - {"torch"})


def uv_compile(pedidos: Iterable[str], opcoes: Iterable[str], pasta: str, indice: str | None = None) -> str:
    # só o índice principal: um espelho parcial, ou uma pasta, teria só alguns dos arquivos, e faltariam hashes
    so_o_principal = {k: v for k, v in configuracao_do_pip().items() if k not in ("extra-index-url", "find-links")}
    _, variaveis = para_o_uv(so_o_principal)
    variaveis["UV_CACHE_DIR"] = os.path.join(pasta, "cache")
    if indice:
        variaveis["UV_DEFAULT_INDEX"] = indice
    comando = [str(programa_do_venv("uv")), "--no-config", "--quiet", "pip", "compile", "-", *opcoes]
    feito = subprocess.run(
        comando, input="\n".join(pedidos), env=variaveis, cwd=pasta, capture_output=True, text=True, encoding="utf-8"
    )
    if feito.returncode:
        raise RuntimeError(" ".join(feito.stderr.split()))
    return feito.stdout


def ler(nome: str) -> str:
    arquivo = LOCKS / f"{nome}.lock"
    return arquivo.read_text(encoding="utf-8") if arquivo.is_file() else ""


def pinos(texto: str) -> list[str]:
    """As linhas `nome==versão ; marcador` de um lock; um nome pode vir duas vezes, para sistemas diferentes."""
    return re.findall(r"(?m)^([A-Za-z0-9._-]+==[^\\\n]*?) *\\?$", texto)


def nomes(texto: str) -> set[str]:
    return {pino.split("==")[0] for pino in pinos(texto)}


def sem_os_pacotes(texto: str, fora: Set[str]) -> str:
    blocos = re.split(r"(?m)^(?=\S)", texto)
    return "".join(bloco for bloco in blocos if bloco.split("==")[0] not in fora)


# ------------------------------------------------------------ environment.yml


def ambiente_da_conda(dados: Mapping[str, Any]) -> str:
    """O mesmo ambiente para a conda, que serve para estudar e para corrigir; o pip é o dela."""
    linhas = [
        "# O mesmo ambiente para quem usa conda:  conda env create -f environment.yml && conda activate curso-atencao",
        f"# Gerado de pyproject.toml por: {COMANDO}",
        "# O índice extra é o do PyTorch: dele vem, no Linux, a versão de CPU, que o pip prefere por ser a +cpu.",
        "# Os modelos da aula 10 ficam fora, porque aqui viriam com as dependências deles; o curso.py os instala.",
        "# E o que só os testes usam, o `python curso.py testar` instala.",
        f"name: {dados['project']['name']}",
        "channels:",
        "  - conda-forge",
        "  - nodefaults",
        "dependencies:",
        f"  - python={PYTHONS[0]}",
        "  - pip",
        "  - pip:",
        f"      - --extra-index-url {INDICE_DO_TORCH}",
        f"      - torch=={versao_do_torch(dados)}",
        *(f"      - {json.dumps(pino) if ';' in pino else pino}" for pino in pinos(ler("curso") + ler("correcao"))),
        "      - -e .",
    ]
    return "\n".join(linhas) + "\n"


# ------------------------------------------------------------ o torch


def tabela_do_torch(versao: str, hashes: Mapping[str, str]) -> str:
    """Uma linha de requirements por computador e Python; sem hash, a linha é um comentário e o torch vem sem ele."""
    linhas = [
        "# O torch, com o hash do arquivo de cada sistema e cada Python. Onde falta, ele é instalado sem o hash.",
        "# O que já está aqui só muda à mão: se o índice passar a dizer outro hash, o comando para e conta.",
        f"# Para completar, de onde se alcance o índice do PyTorch: {COMANDO} --torch",
    ]
    for sistema, maquina, fim, rotulo in COMPUTADORES:
        for python in PYTHONS:
            arquivo = nome_do_arquivo(versao, rotulo, python, fim)
            onde = f"sys_platform == '{sistema}' and platform_machine == '{maquina}' and python_version == '{python}'"
            pino = f"torch=={versao}{rotulo} ; {onde}"
            linhas.append(f"# {arquivo}")
            soma = hashes.get(arquivo)
            linhas.append(f"{pino} \\\n    --hash=sha256:{soma}" if soma else f"# falta o hash: {pino}")
    return "\n".join(linhas) + "\n"


def nome_do_arquivo(versao: str, rotulo: str, python: str, fim: str) -> str:
    cp = "cp" + python.replace(".", "")
    return f"torch-{versao}{rotulo}-{cp}-{cp}-{fim}.whl"


def hashes_na_tabela() -> dict[str, str]:
    return dict(re.findall(r"(?m)^# (torch-\S+\.whl)\ntorch==.*\\\n +--hash=sha256:([0-9a-f]{64})$", ler("torch")))


def travar_torch(versao: str, buscar: bool) -> None:
    hashes = {nome: soma for nome, soma in hashes_na_tabela().items() if f"-{versao}+" in nome or f"-{versao}-" in nome}
    for origem, achados in (fontes(versao) if buscar else {}).items():
        for nome, soma in achados.items():
            if hashes.setdefault(nome, soma) != soma:
                raise RuntimeError(f"O hash de {nome} em {origem} não é o da tabela: {soma}.")
    texto = tabela_do_torch(versao, hashes)
    (LOCKS / "torch.lock").write_text(texto, encoding="utf-8")
    print(f"configuracao/locks/torch.lock: faltam {texto.count('# falta o hash')} de {texto.count('.whl')} hashes.")


def fontes(versao: str) -> dict[str, dict[str, str]]:
    """De onde vêm os hashes: origem → {arquivo: sha256}."""
    achados = {}
    for origem, pedido, indice in (
        ("o índice comum", f"torch=={versao}", None),
        ("o índice do PyTorch", f"torch=={versao}+cpu", INDICE_DO_TORCH),
    ):
        try:
            achados[origem] = hashes_do_indice(pedido, indice)
        except RuntimeError:
            print(f"Não alcancei {origem}; os hashes que ele tem ficam como estão na tabela.", file=sys.stderr)
    for pasta in configuracao_do_pip().get("find-links", "").split():
        arquivos = Path(pasta.removeprefix("file://")).glob(f"torch-{versao}*.whl")
        achados[pasta] = {a.name: hashlib.sha256(a.read_bytes()).hexdigest() for a in arquivos}
    return achados


def hashes_do_indice(pedido: str, indice: str | None) -> dict[str, str]:
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        saida = os.path.join(pasta, "pylock.toml")
        uv_compile([pedido], [*UNIVERSAL, "--no-deps", "--format", "pylock.toml", "-o", saida], pasta, indice)
        (pacote,) = tomllib.loads(Path(saida).read_text(encoding="utf-8"))["packages"]
    arquivos = [(unquote(roda["url"].rpartition("/")[2]), roda["hashes"]) for roda in pacote["wheels"]]
    return {nome: somas["sha256"] for nome, somas in arquivos if "sha256" in somas}


# ------------------------------------------------------------ o comando


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("travar", argumentos)
    try:
        travar(pedido.atualizar)
        travar_torch(versao_do_torch(projeto()), buscar=pedido.torch)
    except (OSError, RuntimeError) as erro:
        print(f"Não consegui refazer os locks; o uv disse: {erro}", file=sys.stderr)
        return 1
    (RAIZ / "environment.yml").write_text(ambiente_da_conda(projeto()), encoding="utf-8")
    print("environment.yml: refeito.")
    return 0


if __name__ == "__main__":
    rodar(main)
