"""`python curso.py hub`: o curso em um JupyterHub, um só para a turma inteira.

Sem `--aplicar`, só diz o que há, o que falta e o que seria feito. Tudo o que faz fica em uma pasta (`--pasta`), salvo
duas coisas, que ele diz: este clone, que é do instrutor, ganha o JupyterHub no `.venv` e se fecha às outras contas.
Contas, rede e certificados são de quem cuida da máquina.

    curso/   o pacote dos alunos, com o `.venv`, que todos leem e ninguém muda
    troca/   a pasta de troca do nbgrader
    proxy/   o configurable-http-proxy, se o sistema não tem um
    hub/     a configuração e o que o JupyterHub guarda; só do root
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configuracao import atualizar, comandos
from configuracao.computador import PYTHONS
from configuracao.lugares import LOCKS
from configuracao.servidor import TROCA
from configuracao.terminal import por_que, rodar
from gabarito import hub_conferido
from gabarito.pacote import empacotar
from helpers import RAIZ
from helpers.escrita import com_virgula

CURSO = "curso-atencao"  # o course_id
PROXY = "configurable-http-proxy"
VERSAO_DO_PROXY = "5.3.0"
GIGAS = 4.0  # a instalação, o pacote e o proxy


class NaoDaParaPreparar(Exception):
    """O que impede o hub, em uma frase que diz o que fazer."""


@dataclass
class Plano:
    """O que se pediu, e onde cada coisa fica."""

    pasta: Path
    instrutor: str
    python: Path  # o que todos podem rodar, e de que se faz o .venv deles
    clone: Path = RAIZ
    ate: str | None = None

    @property
    def curso(self) -> Path:
        return self.pasta / "curso"

    @property
    def troca(self) -> Path:
        return self.pasta / "troca"

    @property
    def configuracao(self) -> Path:
        return self.pasta / "hub" / "jupyterhub_config.py"

    @property
    def proxy(self) -> Path:
        do_sistema = shutil.which(PROXY)
        return Path(do_sistema) if do_sistema else self.pasta / "proxy" / "node_modules" / ".bin" / PROXY


@dataclass
class Passo:
    """Uma coisa a fazer; `falta` diz se ainda não está feita."""

    dito: str
    falta: bool
    fazer: Callable[[], None]


# ------------------------------------------------------------ a configuração do JupyterHub


def texto_da_configuracao(plano: Plano) -> str:
    """O jupyterhub_config.py. Quem o muda à mão fica com o seu: o comando só escreve um que não existe."""
    hub = plano.configuracao.parent
    return f'''"""O JupyterHub do curso, que `python curso.py hub` escreveu. Pode mudar: ele não o escreve de novo."""

import os

c = get_config()

# Só esta máquina. Para a rede, ponha na frente um servidor com HTTPS (guias/jupyterhub.md).
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.db_url = "sqlite:///{hub}/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = "{hub}/jupyterhub_cookie_secret"
c.ConfigurableHTTPProxy.command = ["{plano.proxy}"]
c.ConfigurableHTTPProxy.pid_file = "{hub}/proxy.pid"

# Entra quem tem conta e senha nesta máquina. Para escolher quem: allow_all = False e allowed_users = {{"ana", …}}.
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allow_all = True

# O servidor de cada um roda com a conta dele. O do aluno usa o curso de todos; o do instrutor, o clone dele.
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
CLONES = {{"{plano.instrutor}": "{plano.clone}"}}


def escolher_o_curso(spawner):
    curso = CLONES.get(spawner.user.name, "{plano.curso}")
    spawner.cmd = [os.path.join(curso, ".venv", "bin", "python"), "-P", "-m", "configuracao.no_hub"]


c.Spawner.pre_spawn_hook = escolher_o_curso
c.Spawner.environment = {{"{TROCA}": "{plano.troca}"}}
c.Spawner.start_timeout = 120  # a primeira vez, em um disco frio
'''


# ------------------------------------------------------------ os passos


def passos(plano: Plano) -> Iterator[Passo]:
    """Do primeiro ao último; cada um só olha a máquina quando chega a vez dele."""
    yield Passo(f"fazer a pasta {plano.pasta}", not plano.pasta.is_dir(), lambda: _pasta(plano.pasta, 0o755))
    em_dia = _em_dia(plano)
    yield Passo(f"pôr em {plano.curso} o pacote dos alunos", not em_dia, lambda: _por_o_pacote(plano))
    yield Passo(
        f"instalar o curso em {plano.curso}/.venv, com {plano.python} (uns 530 MB)",
        not (plano.curso / ".venv" / "curso.json").is_file(),
        lambda: _instalar(plano),
    )
    for curso in (plano.curso, plano.clone):
        yield Passo(
            f"pôr o JupyterHub em {curso}/.venv",
            not hub_conferido.tem_o_jupyterhub(curso),
            lambda curso=curso: _por_o_jupyterhub(curso),  # type: ignore[misc]
        )
    yield Passo(f"pôr o {PROXY} em {plano.pasta}/proxy, com o npm", not plano.proxy.exists(), lambda: _proxy(plano))
    aberta = bool(hub_conferido.da_troca(plano.troca, CURSO, plano.instrutor))
    yield Passo(
        f"fazer a troca, {plano.troca}, em que todos põem e só {plano.instrutor} lê", aberta, lambda: _troca(plano)
    )
    yield Passo(
        f"escrever {plano.configuracao}", not plano.configuracao.exists(), lambda: _escrever_a_configuracao(plano)
    )
    yield Passo(
        f"fechar {plano.clone} às outras contas",
        bool(hub_conferido.do_clone(plano.clone, plano.instrutor)),
        lambda: _fechar_o_clone(plano),
    )


def _pasta(caminho: Path, modo: int, dono: str | None = None) -> None:
    caminho.mkdir(parents=True, exist_ok=True)
    if dono:
        shutil.chown(caminho, dono)
    caminho.chmod(modo)


def _em_dia(plano: Plano) -> bool:
    """O que há na pasta de todos é o que este clone daria?"""
    if not (plano.curso / atualizar.MANIFESTO).is_file():
        return False
    _, novo = _pacote(plano)
    return atualizar.manifesto_da_pasta(plano.curso) == novo


def _pacote(plano: Plano) -> tuple[dict[str, bytes], dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="curso-") as pasta:
        empacotar(Path(pasta, "p.zip"), plano.clone, plano.ate)
        return atualizar.abrir(Path(pasta, "p.zip"))


def _por_o_pacote(plano: Plano) -> None:
    _pasta(plano.curso, 0o755)
    arquivos, novo = _pacote(plano)
    feitos, saem = atualizar.planejar(plano.curso, atualizar.manifesto_da_pasta(plano.curso), novo)
    atualizar.aplicar(plano.curso, arquivos, novo, feitos, saem)
    hub_conferido.abrir_a_todos(plano.curso)


def _instalar(plano: Plano) -> None:
    _rodar([str(plano.python), str(plano.curso / "curso.py"), "reparar"], plano.curso)
    hub_conferido.abrir_a_todos(plano.curso)


def _por_o_jupyterhub(curso: Path) -> None:
    python = str(curso / ".venv" / "bin" / "python")
    _rodar([python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", str(LOCKS / "hub.lock")], curso)
    if curso.stat().st_uid == 0:  # o dos alunos; o clone é do instrutor
        hub_conferido.abrir_a_todos(curso)


def _proxy(plano: Plano) -> None:
    destino = plano.pasta / "proxy"
    _pasta(destino, 0o755)
    _rodar(["npm", "install", "--silent", "--prefix", str(destino), f"{PROXY}@{VERSAO_DO_PROXY}"], destino)


def _troca(plano: Plano) -> None:
    do_curso = plano.troca / CURSO
    _pasta(
        plano.troca, 0o1777
    )  # o nbgrader só usa uma troca em que todos escrevem; o 1, para não apagarem a dos outros
    for pasta, modo in ((do_curso, 0o755), (do_curso / "outbound", 0o755), (do_curso / "inbound", 0o2733)):
        _pasta(pasta, modo, plano.instrutor)


def _escrever_a_configuracao(plano: Plano) -> None:
    _pasta(plano.configuracao.parent, 0o700)
    plano.configuracao.write_text(texto_da_configuracao(plano), encoding="utf-8")


def _fechar_o_clone(plano: Plano) -> None:
    plano.clone.chmod(0o700)


def _rodar(comando: list[str], onde: Path) -> None:
    """Com a máscara de um sistema comum: o que se instala é para todos lerem."""
    feito = subprocess.run(comando, cwd=onde, umask=0o022, capture_output=True, text=True)
    if feito.returncode:
        dito = (feito.stdout + feito.stderr).strip()[-2000:]
        raise NaoDaParaPreparar(f"{dito}\nParei: saiu com o código {feito.returncode} o comando {' '.join(comando)}")


# ------------------------------------------------------------ o que se pediu


def planejar(pasta: Path, ate: str | None = None) -> Plano:
    if not sys.platform.startswith("linux"):
        raise NaoDaParaPreparar("O JupyterHub do curso é para o Linux.")
    if RAIZ.stat().st_uid == 0:
        raise NaoDaParaPreparar(
            f"{RAIZ} é do root, e no hub o clone é de quem corrige: com a conta do instrutor, clone o curso na pasta "
            "pessoal dele, rode lá python3 curso.py reparar, e depois este comando, com sudo, também de lá."
        )
    return Plano(pasta.absolute(), RAIZ.owner(), python_de_todos(), RAIZ, ate)


def python_de_todos() -> Path:
    """Um Python que as outras contas também rodam: o que está na pasta pessoal de alguém não serve."""
    base = getattr(sys, "_base_executable", None) or sys.executable
    nomes = [f"python{versao}" for versao in reversed(PYTHONS)]
    candidatos = [Path(base).resolve(), *(Path(p, nome) for nome in nomes for p in ("/usr/local/bin", "/usr/bin"))]
    for candidato in candidatos:
        if candidato.is_file() and not hub_conferido.fechado_no_caminho(candidato.resolve()) and _tem_venv(candidato):
            return candidato
    raise NaoDaParaPreparar(
        f"As outras contas não podem rodar {base}, que está em uma pasta fechada, e não achei outro Python de "
        f"{PYTHONS[0]} a {PYTHONS[-1]}; no Debian e no Ubuntu, sudo apt install python3 python3-venv"
    )


def _tem_venv(python: Path) -> bool:
    comando = [str(python), "-c", "import ensurepip, venv"]
    return subprocess.run(comando, capture_output=True, cwd="/").returncode == 0


def depois(plano: Plano) -> str:
    python = plano.curso / ".venv" / "bin" / "python"
    return (
        "Agora:\n"
        f"  ligue o hub, como root: {python} -m jupyterhub -f {plano.configuracao}\n"
        f"  publique uma lista, como {plano.instrutor}, em um terminal do hub: nbgrader release_assignment LISTA\n"
        "  veja se está tudo no lugar: python curso.py hub --conferir\n"
        "  o resto (HTTPS, memória, systemd) está em guias/jupyterhub.md"
    )


def main(argumentos: list[str] | None = None) -> int:
    pedido = comandos.ler("hub", argumentos)
    ate = f"{int(pedido.ate):02d}" if pedido.ate is not None else None
    try:
        plano = planejar(pedido.pasta or Path("/srv/curso-atencao"), ate)
        if pedido.conferir:
            return hub_conferido.relatar(plano.pasta, plano.clone, plano.instrutor, CURSO, plano.proxy)
        if pedido.aplicar and os.geteuid() != 0:
            raise NaoDaParaPreparar("Só o root prepara um hub; rode o mesmo comando com sudo.")
        return _fazer(plano, pedido.aplicar)
    except (NaoDaParaPreparar, atualizar.NaoDaParaAtualizar) as erro:
        print(erro, file=sys.stderr)
        return 2
    except OSError as erro:
        onde = f" em {erro.filename}" if erro.filename else ""
        print(f"Parei{onde}: {por_que(erro)}. Resolva e rode de novo: o que já está pronto fica.", file=sys.stderr)
        return 1
    finally:
        if os.geteuid() == 0:
            devolver_ao_dono(RAIZ)


def devolver_ao_dono(clone: Path) -> None:
    """O que o root escreveu no clone, só de rodar isto, seria do root: e o instrutor não poderia mais corrigir."""
    dono = clone.stat()
    for pasta, pastas, nomes in os.walk(clone):
        for caminho in (os.path.join(pasta, nome) for nome in (*pastas, *nomes)):
            if os.lstat(caminho).st_uid == 0 != dono.st_uid:
                os.lchown(caminho, dono.st_uid, dono.st_gid)


def _fazer(plano: Plano, aplicar: bool) -> int:
    livres = shutil.disk_usage(next(p for p in (plano.pasta, *plano.pasta.parents) if p.exists())).free / 1e9
    if livres < GIGAS and not (plano.curso / ".venv").is_dir():
        raise NaoDaParaPreparar(
            f"São precisos {GIGAS:.0f} GB livres para {plano.pasta}, e há {com_virgula(livres, 1)}."
        )
    if not plano.proxy.exists() and not shutil.which("npm"):
        raise NaoDaParaPreparar(f"Faltam o {PROXY} e o npm, que o traz; no Debian e no Ubuntu, sudo apt install npm")
    print(f"O JupyterHub do curso em {plano.pasta}; instrutor: {plano.instrutor}, com {plano.clone}.")
    faltam = 0
    for passo in passos(plano):
        print(f"  {'·' if passo.falta else '✓'} {passo.dito}", flush=True)
        faltam += passo.falta
        if passo.falta and aplicar:
            passo.fazer()
    if faltam and not aplicar:
        print("Nada foi feito. Para fazer o que falta (·), rode o mesmo comando, como root, com --aplicar.")
        return 0
    print(depois(plano))
    return 0


if __name__ == "__main__":
    rodar(main)
