"""`python curso.py hub --conferir`: o que está errado em um JupyterHub do curso, e o comando que o conserta.

Só olha. Cada achado é uma frase; sem nenhum, está tudo no lugar.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from configuracao import atualizar
from configuracao.versao import versao

DA_TURMA = (
    *("gabarito", "source", "submitted", "autograded", "feedback", "evidencias", "relatorios", "copias"),
    *("gradebook.db", "moodle.json"),
)


def relatar(pasta: Path, clone: Path, instrutor: str, curso: str, proxy: Path) -> int:
    if not pasta.is_dir():
        print(f"Não há um hub do curso em {pasta}; para fazê-lo: python curso.py hub")
        return 2
    achados = [
        *do_curso(pasta / "curso"),
        *da_troca(pasta / "troca", curso, instrutor),
        *do_clone(clone, instrutor),
        *dos_programas(pasta, clone, proxy),
    ]
    for achado in achados:
        print(f"✗ {achado}")
    if not achados:
        print(f"Está tudo no lugar em {pasta}.")
    return 3 if achados else 0


def modo(caminho: Path) -> int:
    return stat.S_IMODE(caminho.stat().st_mode)


def fechado_no_caminho(caminho: Path) -> Path | None:
    """A primeira pasta do caminho por que as outras contas não passam, ou o próprio arquivo, se não o leem."""
    for pasta in reversed(caminho.parents):
        if not modo(pasta) & 0o001:
            return pasta
    return None if modo(caminho) & 0o004 else caminho


# ------------------------------------------------------------ o curso de todos


def do_curso(curso: Path) -> Iterator[str]:
    python = curso / ".venv" / "bin" / "python"
    if not python.exists():
        yield f"Falta o curso de todos, {curso}: python curso.py hub --aplicar"
        return
    if fechada := fechado_no_caminho(python.resolve()):
        yield (
            f"As outras contas não rodam o Python do curso, {python.resolve()}, por causa de {fechada}; apague "
            f"{curso}/.venv e rode python curso.py hub --aplicar, que procura outro Python"
        )
    ilegiveis, abertos = _erros_de_permissao(curso)
    if ilegiveis:
        yield f"As outras contas não leem {ilegiveis[0]}{_e_mais(ilegiveis)}: chmod -R a+rX {curso}"
    if abertos:
        yield f"Qualquer um pode mudar {abertos[0]}{_e_mais(abertos)}, que todos usam: chmod -R go-w {curso}"
    la, aqui = atualizar.manifesto_da_pasta(curso).get("versao"), versao()
    if la != aqui:
        yield f"O curso de todos é da versão {la}, e este clone, da {aqui}: python curso.py hub --aplicar"


def _erros_de_permissao(curso: Path) -> tuple[list[Path], list[Path]]:
    """(o que as outras contas não leem, o que elas poderiam mudar)."""
    ilegiveis, abertos = [], []
    for pasta, _, nomes in os.walk(curso):
        aqui = Path(pasta)
        do_jupyter = aqui.parts[len(curso.parts) : len(curso.parts) + 1] == (".jupyter",)
        for caminho in (aqui, *(aqui / nome for nome in nomes)):
            if caminho.is_symlink() or do_jupyter or caminho.name == ".venv.trava":
                continue
            m, precisa = modo(caminho), 0o005 if caminho == aqui else 0o004
            if m & precisa != precisa:
                ilegiveis.append(caminho)
            if m & 0o002:
                abertos.append(caminho)
    return ilegiveis, abertos


def abrir_a_todos(curso: Path) -> None:
    """Todos leem, e só o dono muda."""
    for pasta, _, nomes in os.walk(curso):
        os.chmod(pasta, modo(Path(pasta)) & ~0o022 | 0o055)
        for caminho in (Path(pasta, nome) for nome in nomes):
            if not caminho.is_symlink():
                m = modo(caminho)
                caminho.chmod(m & ~0o022 | (0o055 if m & 0o100 else 0o044))


def _e_mais(caminhos: list[Path]) -> str:
    return f" e mais {len(caminhos) - 1}" if len(caminhos) > 1 else ""


# ------------------------------------------------------------ a troca


def da_troca(troca: Path, curso: str, instrutor: str) -> list[str]:
    refazer = "python curso.py hub --aplicar"
    if not troca.is_dir():
        return [f"Falta a pasta de troca, {troca}: {refazer}"]
    achados = []
    if modo(troca) & 0o007 != 0o007:
        achados.append(f"Na troca, {troca}, nem todos escrevem, e o nbgrader a recusa: chmod 1777 {troca}")
    elif not modo(troca) & stat.S_ISVTX:
        achados.append(f"Na troca, {troca}, um aluno poderia apagar a pasta do curso: chmod 1777 {troca}")
    do_curso = troca / curso
    if not do_curso.is_dir():
        return [*achados, f"Falta na troca a pasta do curso, {do_curso}: {refazer}"]
    for nome, certo in (("", 0o755), ("outbound", 0o755), ("inbound", 0o733)):
        pasta = do_curso / nome
        if not pasta.is_dir():
            achados.append(f"Falta {pasta}: {refazer}")
            continue
        if pasta.owner() != instrutor:
            achados.append(
                f"{pasta} é de {pasta.owner()}, e {instrutor} não publica nem recolhe: chown {instrutor} {pasta}"
            )
        if modo(pasta) & 0o777 != certo:
            por_que = "os alunos veem as entregas uns dos outros" if modo(pasta) & 0o004 else "a entrega não passa"
            por_que = por_que if nome == "inbound" else "os direitos não são os do nbgrader"
            achados.append(f"Em {pasta}, {por_que}: chmod {'2' if nome == 'inbound' else ''}{certo:o} {pasta}")
    return achados


# ------------------------------------------------------------ o clone do instrutor


def do_clone(clone: Path, instrutor: str) -> list[str]:
    achados = []
    python = clone / ".venv" / "bin" / "python"
    if python.exists() and (fechada := _fechado_a_todos(python.resolve(), clone)):
        achados.append(
            f"{instrutor} não roda o Python do clone, {python.resolve()}, por causa de {fechada}; apague {clone}/.venv "
            "e instale de novo com outro Python: /usr/bin/python3 curso.py reparar"
        )
    if modo(clone) & 0o077 == 0 or fechado_no_caminho(clone):
        return achados
    abertas = [clone / nome for nome in DA_TURMA if (clone / nome).exists() and modo(clone / nome) & 0o007]
    if abertas:
        achados.append(f"As outras contas leem {abertas[0]}{_e_mais(abertas)}: chmod go-rwx {clone}")
    return achados


def _fechado_a_todos(python: Path, clone: Path) -> Path | None:
    return None if python.is_relative_to(clone) else fechado_no_caminho(python)


# ------------------------------------------------------------ os programas


def tem_o_jupyterhub(curso: Path) -> str | None:
    """A versão do que está no .venv dali."""
    registros = sorted((curso / ".venv").glob("lib/python*/site-packages/jupyterhub-*.dist-info"))
    return registros[-1].name.split("-")[1].removesuffix(".dist") if registros else None


def dos_programas(pasta: Path, clone: Path, proxy: Path) -> Iterator[str]:
    de_todos, do_clone_ = tem_o_jupyterhub(pasta / "curso"), tem_o_jupyterhub(clone)
    if de_todos is None or do_clone_ is None:
        onde = pasta / "curso" if de_todos is None else clone
        yield f"Falta o JupyterHub em {onde}/.venv: python curso.py hub --aplicar"
    elif de_todos != do_clone_:
        yield f"O JupyterHub dos alunos é o {de_todos}, e o do instrutor, o {do_clone_}: python curso.py hub --aplicar"
    if not proxy.exists():
        yield f"Falta o configurable-http-proxy, {proxy}: python curso.py hub --aplicar"
    arquivo = pasta / "hub" / "jupyterhub_config.py"
    try:
        if not arquivo.is_file():
            yield f"Falta a configuração do hub, {arquivo}: python curso.py hub --aplicar"
        elif modo(arquivo.parent) & 0o077:
            yield f"O que o hub guarda em {arquivo.parent} está aberto às outras contas: chmod 700 {arquivo.parent}"
    except PermissionError:
        pass  # é do root, como deve ser
