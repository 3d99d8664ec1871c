"""O kernel dentro da caixa: um provisionador do jupyter_client e o gerente de kernels que o usa.

A conversa passa por soquetes de arquivo (ipc), porque a caixa não tem rede. Quem os abre é este processo, em uma pasta
que de dentro não se vê; o kernel os herda já abertos, e do computador não há pasta alguma em que ele escreva. O gerente
escolhe o provisionador e o kernel ele mesmo: não depende de kernelspec instalado, de variável de ambiente, nem do que o
notebook do aluno pede.
"""

import asyncio
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

import psutil
import zmq.asyncio
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.client import KernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Any as Qualquer
from traitlets import Instance, Type, default

from correcao.caixa import a_vista, caixa, cgrupo
from correcao.caixa.caixa import Caixa, Limites
from correcao.caixa.cgrupo import Grupo
from correcao.caixa.quente import quente
from helpers.conferencia.pedido import PEDIDO

_PEDIDO_NA_CAIXA = f"{caixa.TMP}/pedido.json"
_AJUSTES: dict[str, dict[str, Any]] = {"HistoryManager": {"enabled": False}, "IPKernelApp": {"log_level": 40}}
_SEM_HISTORICO = [f"--{classe}.{nome}={valor}" for classe, pares in _AJUSTES.items() for nome, valor in pares.items()]
_DESCRITORES = 100  # os soquetes herdados ficam daqui para cima, longe dos que o shell e o bubblewrap usam
# O que roda na caixa: o ipykernel_launcher, mas com os soquetes que já vêm abertos no lugar dos que ele abriria.
_KERNEL = """
import json, sys
sys.path.remove("")
import zmq
from helpers.conferencia.por_dentro import herdar_soquetes
herdar_soquetes(zmq, json.loads(sys.argv.pop(1)))
from ipykernel.kernelapp import launch_new_instance
launch_new_instance()
"""
_TROCA = "curso-kernel-"  # o começo do nome das pastas de troca
_NOVA = 60.0  # segundos em que uma pasta de troca pode ainda não ter sido travada por quem a fez


class Provisionador(LocalProvisioner):
    """Um processo local, como o do LocalProvisioner, só que na caixa. `parent` é um Gerente."""

    troca: Path | None = None  # a pasta, no computador, com a conexão, o pedido e os soquetes deste kernel
    _trava: int | None = None  # enquanto este processo viver, diz aos outros que a pasta de troca tem dono
    grupo: Grupo | None = None
    _herdados: tuple[int, ...] = ()  # os descritores abertos aqui, até o kernel os ter
    _queixas: int | None = None  # por onde se lê o que o processo escreve fora das células
    _gasto = 0.0
    sem_quente: str | None = None  # por que o kernel está na caixa fria

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        gerente = self.gerente
        self.troca, self._trava = _pasta_de_troca()
        if caixa.sem_isolamento():
            return await self._sem_caixa(gerente, self.troca, **kwargs)
        caixa.exigir()
        # Caminhos absolutos e a troca de transporte antes do pai, que escreve o arquivo de conexão.
        gerente.transport, gerente.ip = "ipc", str(self.troca / "k")
        gerente.connection_file = str(self.troca / "conexao.json")
        kwargs = await super().pre_launch(**kwargs)
        leitura, ambiente = {gerente.connection_file: gerente.connection_file}, {}
        if gerente.pedido:
            leitura[_PEDIDO_NA_CAIXA] = _gravar_o_pedido(gerente.pedido, self.troca)
            ambiente[PEDIDO] = _PEDIDO_NA_CAIXA
        limites, usuario = gerente.limites, caixa.novo_usuario()
        if usuario is not None:
            for caminho in leitura.values():
                os.chown(caminho, usuario, usuario)
        self.grupo = Grupo.novo(self.troca.name, limites.memoria + 2 * limites.disco)
        no_grupo = str(self.grupo.pasta) if self.grupo else None
        leitura |= a_vista.a_vista(gerente.pedido)
        self._caixa = Caixa(leitura=leitura, ambiente=ambiente, limites=limites, usuario=usuario, grupo=no_grupo)
        soquetes = self._abrir_os_soquetes()
        comando = [sys.executable, "-c", _KERNEL, json.dumps(soquetes), *kwargs["cmd"][3:]]
        kwargs.update(cmd=comando, env={}, cwd=str(self.troca), pass_fds=self._herdados)
        # As queixas vão por um cano, e não por um arquivo, que de dentro se poderia encher.
        self._queixas, stderr = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._herdados += (stderr,)
        kwargs.update(stdout=subprocess.DEVNULL, stderr=stderr)
        return kwargs

    def _esquentar(self) -> quente.Filha:
        """O mesmo kernel, na mesma caixa, a partir de um Python que já importou quase tudo."""
        *soquetes, queixas = self._herdados
        enderecos = [f"ipc://{self.gerente.ip}-{porta}" for porta in self.gerente.ports]
        conexao = self.gerente.connection_file
        ajustes = _AJUSTES | {"IPKernelApp": _AJUSTES["IPKernelApp"] | {"connection_file": conexao}}
        argumentos = ["-f", conexao, *_SEM_HISTORICO]
        descricao = self._caixa.descricao() | {"enderecos": enderecos, "argumentos": argumentos, "ajustes": ajustes}
        return quente.mae(self.gerente.receita).pedir(descricao, [queixas, *soquetes])

    def _abrir_os_soquetes(self) -> dict[str, int]:
        """Abre os do kernel e diz que descritor é o de cada endereço."""
        import fcntl

        descritores = {}
        for porta in self.gerente.ports:
            with socket.socket(socket.AF_UNIX) as soquete:
                soquete.bind(f"{self.gerente.ip}-{porta}")
                soquete.listen()
                descritor = fcntl.fcntl(soquete, fcntl.F_DUPFD_CLOEXEC, _DESCRITORES)
            descritores[f"ipc://{self.gerente.ip}-{porta}"] = descritor
            self._herdados += (descritor,)
        return descritores

    def _largar_os_herdados(self) -> None:
        while self._herdados:
            os.close(self._herdados[0])
            self._herdados = self._herdados[1:]

    async def _sem_caixa(self, gerente: "Gerente", troca: Path, **kwargs: Any) -> dict[str, Any]:
        """O que o instrutor pediu: um processo comum, em um rascunho só dele e sem o ambiente do instrutor."""
        rascunho = troca / "rascunho"
        rascunho.mkdir()
        gerente.connection_file = str(troca / "conexao.json")
        kwargs = await super().pre_launch(**kwargs)
        passam = {"PATH", "HOME", "LANG", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "USERPROFILE", "OMP_NUM_THREADS"}
        ambiente = {nome: valor for nome, valor in os.environ.items() if nome.upper() in passam}
        ambiente |= {PEDIDO: _gravar_o_pedido(gerente.pedido, troca)} if gerente.pedido else {}
        ambiente |= {"IPYTHONDIR": str(troca / "ipython"), "PYTHONUTF8": "1"}
        # o que o processo escreve fora das células não suja a tela do instrutor
        kwargs.update(env=ambiente, cwd=str(rascunho), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return kwargs

    @property
    def gerente(self) -> "Gerente":
        assert isinstance(self.parent, Gerente)
        return self.parent

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        try:
            if caixa.sem_isolamento():
                return await super().launch_kernel(cmd, **kwargs)
            if not self._quente():
                return await super().launch_kernel(self._caixa.comando(cmd), **kwargs)
            return self.connection_info
        finally:
            self._largar_os_herdados()

    def _quente(self) -> bool:
        """Partiu na caixa quente? Se ela não se faz, fica dito por quê, e parte na fria."""
        if self.gerente.so_fria:
            self.sem_quente = self.gerente.so_fria
            return False
        try:
            self.process: Any = self._esquentar()
        except quente.SemQuente as erro:
            self.sem_quente = str(erro)
            return False
        self.pid, self.pgid = self.process.pid, None  # o grupo é o da mãe: um sinal a ele seria para todas as filhas
        return True

    def queixas(self) -> str:
        """As últimas palavras de um processo que não partiu."""
        with contextlib.suppress(OSError):
            if self._queixas is not None:
                return os.read(self._queixas, 2**16).decode(errors="replace").strip()[-500:] or "sem explicação"
        return "sem explicação"

    def olhar(self) -> tuple[int, float]:
        """(bytes de memória, segundos de processador) de tudo o que roda, ou rodou, na caixa.

        O tempo de um processo que acabou fica com o pai que esperou por ele: senão, com o primeiro da caixa.
        """
        memoria, gasto = 0, 0.0
        # na caixa quente, o que se vê nos dois primeiros, que são nossos e intocáveis, é a memória da mãe
        da_mae = 2 if isinstance(self.process, quente.Filha) else 0
        for ordem, processo in enumerate(self._processos()):
            with contextlib.suppress(psutil.Error), processo.oneshot():
                memoria += processo.memory_info().rss if ordem >= da_mae else 0
                gasto += sum(processo.cpu_times()[:4])
        self._gasto = max(self._gasto, gasto)  # o de um filho que ninguém esperou some com ele
        return memoria, self._gasto

    def _processos(self) -> list[psutil.Process]:
        """Os da caixa, com o de fora na frente e, logo depois, o filho dele."""
        with contextlib.suppress(psutil.Error):
            if self.process is not None and self.process.poll() is None:
                primeiro = psutil.Process(self.process.pid)
                if self.grupo is None or not (no_grupo := self.grupo.processos()):
                    return [primeiro, *primeiro.children(recursive=True)]  # que olha todos os do computador
                outros = [p for pid in no_grupo if pid != primeiro.pid and (p := _se_existe(pid))]
                return [primeiro, *sorted(outros, key=lambda p: _pai(p) != primeiro.pid)]
        return []

    async def kill(self, restart: bool = False) -> None:
        """Morto o bwrap, morre o primeiro processo da caixa, e com ele, que é o pai de todos, os outros."""
        filhos = self._processos()[1:]
        await super().kill(restart=restart)
        prazo = time.monotonic() + 60
        # que ninguém ainda esteja morrendo quando a próxima entrega começar
        while any(_vivo(f) for f in filhos) and time.monotonic() < prazo:
            for filho in filhos:
                with contextlib.suppress(psutil.Error):
                    filho.kill()
            await asyncio.sleep(0.005)

    async def cleanup(self, restart: bool = False) -> None:
        try:
            await super().cleanup(restart=restart)
        finally:
            if not restart:
                self.apagar_a_troca()

    def apagar_a_troca(self) -> None:
        """Nada do pedido nem dos soquetes fica para trás; chamada outra vez, não faz nada."""
        if self.troca is not None:
            _apagar(self.troca)
            self.troca = None
        self._largar_os_herdados()
        if self.grupo is not None:
            self.grupo.apagar()
            self.grupo = None
        for nome in ("_trava", "_queixas"):
            if (descritor := getattr(self, nome)) is not None:
                os.close(descritor)
                setattr(self, nome, None)


class Gerente(AsyncKernelManager):
    """O gerente de kernels da correção: sempre o Python do curso, sempre com o Provisionador."""

    pedido = Qualquer(None, allow_none=True, help="o texto do pedido (JSON), ou None")
    limites = Instance(Limites)
    receita: frozenset[str] = frozenset()  # o que a mãe da caixa quente deve já ter importado
    so_fria: str | None = None  # por que não se tenta a caixa quente
    # conversa-se com um kernel de cada vez: esperar parado custa, por mensagem, metade do que custa o asyncio
    client_factory = Type(BlockingKernelClient, klass=KernelClient)
    _do_cliente: zmq.Context | None = None

    @default("limites")
    def _limites(self) -> Limites:
        return Limites.do_ambiente()

    @default("context")
    def _contexto(self) -> zmq.asyncio.Context:
        return self._com_limites(zmq.asyncio.Context())

    def _com_limites(self, contexto: zmq.Context) -> Any:
        """Uma mensagem grande demais derruba a conexão em vez de encher a memória de quem corrige."""
        contexto.setsockopt(zmq.MAXMSGSIZE, self.limites.saida_celula)
        contexto.setsockopt(zmq.RCVHWM, 1000)
        return contexto

    @property
    def kernel_spec(self) -> KernelSpec:
        comando = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", *_SEM_HISTORICO]
        # O sinal iria para o grupo do bwrap, que morreria com ele: a interrupção vai como mensagem.
        modo = "signal" if caixa.sem_isolamento() and os.name == "nt" else "message"
        return KernelSpec(argv=comando, display_name="Python 3", language="python", interrupt_mode=modo)

    # no KernelManager, de que o AsyncKernelManager herda, as duas não são assíncronas
    async def start_kernel(self, **kw: Any) -> None:  # type: ignore[override]
        if self.provisioner is None:
            self.kernel_id = self.kernel_id or str(uuid.uuid4())
            self.provisioner = Provisionador(kernel_id=self.kernel_id, kernel_spec=self.kernel_spec, parent=self)
        await super().start_kernel(**kw)

    async def cleanup_resources(self, restart: bool = False) -> None:  # type: ignore[override]
        """O jupyter_client só destrói o contexto que ele mesmo fez."""
        try:
            await super().cleanup_resources(restart=restart)
        finally:
            # o do gerente, só quem interrompe o kernel o usa
            do_gerente = self.context if self.trait_has_value("context") else None
            for contexto in filter(None, [self._do_cliente, do_gerente] if not restart else []):
                contexto.destroy(linger=100)

    def client(self, **kwargs: Any) -> Any:
        self._do_cliente = self._com_limites(zmq.Context())
        return super().client(**{"context": self._do_cliente, **kwargs})

    @property
    def processo(self) -> Provisionador:
        """O kernel, depois que partiu."""
        assert isinstance(self.provisioner, Provisionador)
        return self.provisioner


def _gravar_o_pedido(pedido: str, troca: Path) -> str:
    caminho = troca / "pedido.json"
    caminho.write_text(pedido, encoding="utf-8")
    return str(caminho)


def _se_existe(pid: int) -> psutil.Process | None:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid)
    return None


def _pai(processo: psutil.Process) -> int | None:
    with contextlib.suppress(psutil.Error):
        return processo.ppid()
    return None


def _vivo(processo: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return processo.is_running() and processo.status() != psutil.STATUS_ZOMBIE
    return False


def _temporarios() -> str:
    """Curta: o caminho de um soquete de arquivo tem no máximo 107 caracteres."""
    base = tempfile.gettempdir()
    return base if len(base) < 60 else "/tmp"


def _pasta_de_troca() -> tuple[Path, int | None]:
    """Uma pasta nova, travada enquanto este processo viver, e a trava (None onde não há travas)."""
    pasta = Path(tempfile.mkdtemp(prefix=_TROCA, dir=_temporarios()))
    return pasta, _travar(pasta)


def _travar(pasta: Path) -> int | None:
    """A trava de uma pasta de troca; None se outro processo a tem, ou se este sistema não trava pastas."""
    try:
        import fcntl

        trava = os.open(pasta, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except (ImportError, AttributeError, OSError):
        return None
    try:
        fcntl.flock(trava, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(trava)
        return None
    return trava


def varrer() -> None:
    """Apaga as pastas de troca e os grupos que uma correção morta à força (kill -9, falta de luz) deixou para trás."""
    cgrupo.varrer()
    for pasta in Path(_temporarios()).glob(f"{_TROCA}*"):
        with contextlib.suppress(OSError, AttributeError):  # outro a apagou antes, ou este sistema não tem donos
            dados = pasta.lstat()
            if dados.st_uid != os.geteuid() or time.time() - dados.st_mtime < _NOVA:
                continue
            if (trava := _travar(pasta)) is not None:
                _apagar(pasta)
                os.close(trava)


def _apagar(pasta: Path) -> None:
    """A pasta pode ter sido mexida por um aluno: pastas fundas demais ou fechadas não podem ficar para trás."""
    shutil.rmtree(pasta, ignore_errors=True)
    if pasta.exists() and os.name != "nt":
        for programa in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            subprocess.run([*programa, str(pasta)], capture_output=True)
