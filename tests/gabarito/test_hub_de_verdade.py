"""Um JupyterHub de verdade, feito do nada como o guia diz: contas do sistema, dois alunos no navegador e um instrutor.

Só como root, porque faz e desfaz três contas; instala o curso duas vezes (3 GB), e leva uns dez minutos.
"""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from conftest import RAIZ, solucoes

from correcao.demo import responder
from gabarito import hub

LISTA = "lista-02-softmax"
NAVEGADOR = Path(__file__).parents[1] / "navegador" / "navegador_hub.py"
pytestmark = [pytest.mark.tudo, pytest.mark.lento]


def rodar(comando: list[str], **opcoes) -> str:
    feito = subprocess.run(comando, capture_output=True, text=True, timeout=1800, **opcoes)
    assert feito.returncode == 0, f"{comando}\n{feito.stdout[-3000:]}\n{feito.stderr[-3000:]}"
    return feito.stdout + feito.stderr


def porta_livre() -> int:
    with socket.socket() as tomada:
        tomada.bind(("127.0.0.1", 0))
        return tomada.getsockname()[1]


@pytest.fixture(scope="module")
def lugar() -> Iterator[SimpleNamespace]:
    """As contas, o clone do instrutor e a pasta do hub; no fim, nada disso fica."""
    faltam = [nome for nome in ("useradd", "npm") if not shutil.which(nome)]
    if not hasattr(os, "geteuid") or os.geteuid() or faltam:
        pytest.skip("faz contas no sistema: só como root, e com o useradd e o npm")
    try:
        python = hub.python_de_todos()
    except hub.NaoDaParaPreparar as erro:
        pytest.skip(str(erro))
    base = Path(tempfile.mkdtemp(prefix="curso-hub-", dir="/var/tmp"))
    base.chmod(0o755)
    marca, senha = secrets.token_hex(2), secrets.token_hex(8)
    contas = {nome: f"hub-{nome}-{marca}" for nome in ("prof", "ana", "beto")}
    try:
        for conta in contas.values():
            rodar(["useradd", "-m", "-b", str(base), "-s", "/bin/bash", conta])
            rodar(["chpasswd"], input=f"{conta}:{senha}")
        clone = base / contas["prof"] / "curso"
        arquivos = rodar(["git", "ls-files", "-co", "--exclude-standard"], cwd=RAIZ).splitlines()
        for nome in arquivos:
            if (RAIZ / nome).is_file():
                (clone / nome).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(RAIZ / nome, clone / nome)
        rodar(["chown", "-R", f"{contas['prof']}:", str(clone)])
        yield SimpleNamespace(base=base, hub=base / "srv", clone=clone, contas=contas, senha=senha, python=str(python))
    finally:
        for conta in contas.values():
            subprocess.run(["pkill", "-KILL", "-u", conta], check=False)  # só as contas que este teste fez
            subprocess.run(["userdel", "-r", conta], capture_output=True, check=False)
        shutil.rmtree(base, ignore_errors=True)


def como(lugar: SimpleNamespace, quem: str, texto: str) -> str:
    """Um comando no terminal de alguém, como no do hub."""
    aluno = f"CURSO_ALUNO=~/curso-atencao PATH={lugar.hub}/curso/.venv/bin:$PATH"
    variaveis = f"CURSO_TROCA={lugar.hub}/troca {'PATH=~/curso/.venv/bin:$PATH' if quem == 'prof' else aluno}"
    pasta = "~/curso" if quem == "prof" else "~/curso-atencao"
    return rodar(["su", "-", lugar.contas[quem], "-c", f"export {variaveis}; cd {pasta} && {texto}"])


@pytest.fixture(scope="module")
def no_ar(lugar) -> Iterator[str]:
    """O endereço do hub, ligado."""
    como(lugar, "prof", f"{lugar.python} curso.py reparar")
    feito = rodar([lugar.python, "curso.py", "hub", "--pasta", str(lugar.hub), "--aplicar"], cwd=lugar.clone)
    assert "python -m jupyterhub" in feito or "-m jupyterhub" in feito
    assert "Está tudo no lugar" in rodar(
        [lugar.python, "curso.py", "hub", "--pasta", str(lugar.hub), "--conferir"], cwd=lugar.clone
    )
    configuracao, base = lugar.hub / "hub" / "jupyterhub_config.py", f"http://127.0.0.1:{porta_livre()}"
    portas = f'c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{porta_livre()}"\n'
    portas += f"c.JupyterHub.hub_port = {porta_livre()}\n"
    configuracao.write_text(configuracao.read_text().replace("http://127.0.0.1:8000", base) + portas)
    registro = (lugar.base / "hub.log").open("w")
    comando = [str(lugar.hub / "curso/.venv/bin/python"), "-m", "jupyterhub", "-f", str(configuracao)]
    servidor = subprocess.Popen(comando, cwd=configuracao.parent, stdout=registro, stderr=registro)
    try:
        for _ in range(600):
            if "JupyterHub is now running" in (lugar.base / "hub.log").read_text():
                break
            assert servidor.poll() is None, (lugar.base / "hub.log").read_text()[-3000:]
            time.sleep(0.2)
        yield base
    finally:
        servidor.terminate()
        servidor.wait(60)


@pytest.fixture(scope="module")
def navegar(lugar, no_ar, chromium, playwright):
    def passear(quem: str, tarefa: str, onde: str = "") -> dict:
        imagens = Path(os.environ.get("CURSO_IMAGENS_DO_HUB") or lugar.base)  # para quem quer ver as telas
        imagem = str(imagens / f"{quem}-{tarefa}.png")
        argumentos = [no_ar, chromium, lugar.contas[quem], lugar.senha, tarefa, onde, imagem]
        ambiente = {**os.environ, "PYTHONPATH": os.pathsep.join([str(playwright), str(NAVEGADOR.parent)])}
        return json.loads(rodar([sys.executable, str(NAVEGADOR), *argumentos], env=ambiente).splitlines()[-1])

    return passear


def foto(pasta: Path) -> dict[str, int]:
    """Os arquivos da pasta de todos, e quando mudaram; menos o .venv, em que o próprio hub deixa os .pyc dele."""
    fora = {"__pycache__", ".venv"}
    return {str(p): p.lstat().st_mtime_ns for p in pasta.rglob("*") if p.is_file() and not fora & set(p.parts)}


def test_a_volta_de_uma_lista_em_um_jupyterhub(lugar, no_ar, navegar):
    como(lugar, "prof", f"nbgrader release_assignment {LISTA}")
    navegar("ana", "buscar", LISTA)  # a primeira vez de alguém deixa os .pyc que faltavam, e mais nada
    de_todos = foto(lugar.hub / "curso")
    visto = navegar("beto", "buscar", LISTA)
    assert visto["menu"] == ["Listas do curso"]
    assert "Buscar" in visto["antes"] and "Entregar" in visto["depois"]
    for quem, certas in (("ana", 6), ("beto", 2)):
        notebook = lugar.base / lugar.contas[quem] / "curso-atencao" / "release" / LISTA / f"{LISTA}.ipynb"
        respostas = dict(list(solucoes(LISTA).items())[:certas])
        nbformat.write(responder(nbformat.read(notebook, 4), respostas, "Porque as pontuações crescem."), notebook)
        visto = navegar(quem, "entregar", LISTA)
        assert f"{certas} de 6 questões passam" in visto["relato"] and "Buscar a devolutiva" in visto["listas"]
    assert "softmax: a sua, da lista 02" in navegar("ana", "aula", "03-escala")["saida"]
    assert re.search(r"6 de \d+ peças suas", como(lugar, "ana", "python3 curso.py progresso"))

    como(lugar, "prof", f"nbgrader collect {LISTA} && {lugar.python} curso.py corrigir 02")
    como(lugar, "prof", f"{lugar.python} curso.py devolver 02 && nbgrader release_feedback {LISTA}")
    for quem, pontos in (("ana", "8"), ("beto", "3")):
        assert "ver a devolutiva" in navegar(quem, "devolutiva")["listas"]
        aqui = lugar.base / lugar.contas[quem] / "curso-atencao" / "release" / LISTA / "feedback"
        (pagina,) = aqui.rglob("*.html")
        assert f'<div class="nota">{pontos} ' in pagina.read_text()
    visto = navegar("prof", "formgrader")
    assert {"Listas do curso", "Formgrader"} <= set(visto["menu"]) and LISTA in visto["tabela"]

    assert foto(lugar.hub / "curso") == de_todos  # nada de um aluno ficou na pasta de todos
    ninguem_le = [
        *(f"~{lugar.contas['beto']}/curso-atencao", f"{lugar.hub}/troca/{hub.CURSO}/inbound", f"{lugar.hub}/hub"),
        *(str(lugar.clone / nome) for nome in ("gabarito", "gradebook.db", "feedback")),
    ]
    for caminho in ninguem_le:
        recusa = como(lugar, "ana", f"ls {caminho} 2>&1 || true")
        assert "Permission denied" in recusa, (caminho, recusa)
    assert "denied" in como(lugar, "ana", f"touch {lugar.hub}/curso/meu 2>&1 || true")
    assert "Está tudo no lugar" in rodar(
        [lugar.python, "curso.py", "hub", "--pasta", str(lugar.hub), "--conferir"], cwd=lugar.clone
    )
