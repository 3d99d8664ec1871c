"""O processo-mãe: importa uma vez o que as listas importam e, a cada pedido, se divide em um kernel dentro da caixa.

É um programa à parte, que quente/quente.py põe para rodar com o ambiente vazio. Não importa `correcao` nem
`gabarito`, e não fica sabendo de nenhuma entrega: de cada pedido só recebe um descritor, que passa à filha sem ler. É a
filha que lê dali a descrição da caixa (caixa/caixa.py), entra nela pelas chamadas ao sistema e só então vira kernel.

São três os processos de uma entrega. O de fora vigia: diz quando o kernel acabou, e acaba com ele se quem corrige
sumir. O primeiro da caixa monta o que se vê, abre mão de tudo o que podia, e espera pelo terceiro, que é o kernel.
"""

import base64
import contextlib
import ctypes
import errno
import fcntl
import gc
import importlib
import json
import os
import random
import re
import resource
import select
import signal
import socket
import struct
import sys
import time
import types
from collections.abc import Callable
from typing import Any, NoReturn

_LIBC = ctypes.CDLL(None, use_errno=True)
_MAXIMO = 2**20  # bytes de uma descrição
_OCIOSA = 300.0  # segundos sem pedidos até sair da memória: o formgrader fica aberto dias

# mount(2), unshare(2), prctl(2) e companhia, com os nomes que têm no manual
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE, MS_SLAVE, MNT_DETACH = 4096, 16384, 1 << 18, 1 << 19, 2
_ESPACOS = (
    0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x2000_0000 | 0x4000_0000
)  # NS CGROUP UTS IPC PID NET
_ESPACO_DE_MONTAGENS, _ESPACO_DE_USUARIOS = 0x0002_0000, 0x1000_0000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
_MOUNT_SETATTR, _PIVOT_ROOT = 442, {"x86_64": 155, "aarch64": 41}
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_MADV_COLLAPSE, _PAGINA_GRANDE = 25, 2**21
_AT_RECURSIVE, _AT_FDCWD = 0x8000, -100
_APARELHOS = ("null", "zero", "full", "random", "urandom", "tty")
_MODULOS = (
    *("ipykernel.ipkernel", "ipykernel.kernelapp", "ipykernel.zmqshell", "ipykernel.debugger"),
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.oinspect", "IPython.utils.wildcard"),
    *("IPython.core.logger", "helpers.exemplos", "helpers.veja"),
    *("IPython.extensions.storemagic", "matplotlib.pyplot", "tornado.platform.asyncio", "faulthandler"),
    *(
        "helpers.conferencia.por_dentro",
        "helpers.conferir",
        "helpers.minhas",
    ),  # só os nomes: a um substituto, que pode ser uma resposta, ninguém chega
)
_DO_NUCLEO = ("sys", "sysrq-trigger", "irq", "bus")  # o que em /proc fala com o núcleo: só leitura


# ---------------------------------------------------------------- as chamadas ao sistema


def _conferir(retorno: int, o_que: str) -> int:
    if retorno < 0:
        numero = ctypes.get_errno()
        raise OSError(numero, f"{o_que}: {os.strerror(numero)}")
    return retorno


def _prctl(opcao: int, valor: int, extra: Any = 0) -> None:
    _conferir(_LIBC.prctl(opcao, ctypes.c_ulong(valor), extra, 0, 0), f"prctl {opcao}")


def _montar(origem: str, destino: str, tipo: str, opcoes: int, dados: str = "") -> None:
    textos = [t.encode() for t in (origem, destino, tipo)]
    _conferir(_LIBC.mount(*textos, ctypes.c_ulong(opcoes), dados.encode() or None), f"mount {tipo} {destino}")


def _so_leitura(destino: str, alcance: int = _AT_RECURSIVE, sem_aparelhos: int = _ATTR_NODEV) -> None:
    """Com tudo o que estiver montado por baixo, que é o que um remount não alcança."""
    atributos = struct.pack("=QQQQ", _ATTR_RDONLY | _ATTR_NOSUID | sem_aparelhos, 0, 0, 0)
    retorno = _LIBC.syscall(_MOUNT_SETATTR, _AT_FDCWD, destino.encode(), alcance, atributos, len(atributos))
    _conferir(retorno, f"mount_setattr {destino}")


def _trocar_de_raiz(nova: str, velha: str) -> None:
    numero = _PIVOT_ROOT[os.uname().machine]
    _conferir(_LIBC.syscall(numero, nova.encode(), velha.encode()), "pivot_root")


def _soltar(pasta: str) -> None:
    _conferir(_LIBC.umount2(pasta.encode(), MNT_DETACH), f"umount {pasta}")


# ---------------------------------------------------------------- o que se vê de dentro


def _montagens(operacoes: list[list[str]]) -> None:
    """A raiz nova, do zero: o que a descrição não põe nela não existe para quem está dentro."""
    # os atalhos se resolvem agora: depois da troca, um caminho absoluto já seria o de dentro
    operacoes = [
        [op, os.path.realpath(resto[0]), *resto[1:]] if op in _COPIAM else [op, *resto] for op, *resto in operacoes
    ]
    _montar("none", "/", "", MS_REC | MS_PRIVATE)
    _montar("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755")
    os.chdir("/tmp")
    for pasta in ("nova", "velha", "vazia"):
        os.mkdir(pasta)
    _montar("nova", "nova", "", MS_BIND)
    _trocar_de_raiz("/tmp", "velha")
    os.chdir("/")
    for operacao, *resto in operacoes:
        _OPERACOES[operacao](*resto)
    _soltar("/velha")
    os.chdir("/nova")
    _trocar_de_raiz(".", ".")
    _soltar(".")
    os.chdir("/")


def _dir(destino: str, permissoes: str) -> None:
    _criar_acima(destino)
    with contextlib.suppress(FileExistsError):
        os.mkdir(f"/nova{destino}")
    os.chmod(f"/nova{destino}", int(permissoes, 8))


def _criar_acima(destino: str) -> None:
    os.makedirs(os.path.dirname(f"/nova{destino}"), mode=0o755, exist_ok=True)


def _ro_bind(origem: str, destino: str) -> None:
    _copiar_a_vista(f"/velha{origem}", destino)
    _so_leitura(f"/nova{destino}")


def _camada(origem: str, destino: str) -> None:
    """A mesma pasta, com arquivos que para o núcleo são outros: nada do que se faz com eles outra caixa percebe."""
    os.makedirs(f"/nova{destino}", mode=0o755, exist_ok=True)
    de_baixo = ":".join(re.sub(r"([\\:,])", r"\\\1", pasta) for pasta in ("/vazia", f"/velha{origem}"))
    opcoes = MS_RDONLY | MS_NOSUID | MS_NODEV
    _montar("overlay", f"/nova{destino}", "overlay", opcoes, f"lowerdir={de_baixo},userxattr")


def _copiar_a_vista(origem: str, destino: str) -> None:
    _criar_acima(destino)
    if os.path.isdir(origem):
        os.makedirs(f"/nova{destino}", mode=0o755, exist_ok=True)
    elif not os.path.exists(f"/nova{destino}"):
        os.close(os.open(f"/nova{destino}", os.O_CREAT | os.O_WRONLY, 0o644))
    _montar(origem, f"/nova{destino}", "", MS_BIND | MS_REC)


def _symlink(alvo: str, destino: str) -> None:
    os.symlink(alvo, f"/nova{destino}")


def _tmpfs(destino: str, tamanho: str, permissoes: str) -> None:
    os.makedirs(f"/nova{destino}", mode=0o755, exist_ok=True)
    _montar("tmpfs", f"/nova{destino}", "tmpfs", MS_NOSUID | MS_NODEV, f"mode={permissoes},size={tamanho}")


def _proc(destino: str) -> None:
    os.mkdir(f"/nova{destino}", 0o755)
    _montar("proc", f"/nova{destino}", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    for nome in _DO_NUCLEO:
        caminho = f"{destino}/{nome}"
        if os.path.exists(f"/nova{caminho}"):
            _copiar_a_vista(f"/nova{caminho}", caminho)
            _so_leitura(f"/nova{caminho}")


def _dev(destino: str) -> None:
    os.mkdir(f"/nova{destino}", 0o755)
    _montar("tmpfs", f"/nova{destino}", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755")
    for nome in _APARELHOS:
        if os.path.exists(f"/velha/dev/{nome}"):
            _copiar_a_vista(f"/velha/dev/{nome}", f"{destino}/{nome}")
            # a hora de um aparelho é a mesma para o computador inteiro: escreve-se nele, e não nela
            _so_leitura(f"/nova{destino}/{nome}", sem_aparelhos=0)
    for i, nome in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{i}", f"/nova{destino}/{nome}")
    os.symlink("/proc/self/fd", f"/nova{destino}/fd")
    os.symlink("pts/ptmx", f"/nova{destino}/ptmx")


def _pts(destino: str, opcoes: str) -> None:
    os.mkdir(f"/nova{destino}", 0o755)
    _montar("devpts", f"/nova{destino}", "devpts", MS_NOSUID | MS_NOEXEC, opcoes)


def _remount_ro(destino: str) -> None:
    _so_leitura(f"/nova{destino}".rstrip("/"), alcance=0)


_OPERACOES: dict[str, Callable[..., None]] = {
    **{"ro-bind": _ro_bind, "camada": _camada, "symlink": _symlink, "dir": _dir, "tmpfs": _tmpfs},
    **{"proc": _proc, "dev": _dev, "pts": _pts, "remount-ro": _remount_ro},
}
_COPIAM = ("ro-bind", "camada")


# ---------------------------------------------------------------- do que se abre mão


def _usuarios(fora: tuple[int, int], dentro: tuple[int, int]) -> None:
    """Em um espaço de usuários novo: quem está dentro se vê como `dentro`, e ninguém mais existe."""
    for arquivo, texto in (
        ("setgroups", "deny"),
        ("uid_map", f"{dentro[0]} {fora[0]} 1"),
        ("gid_map", f"{dentro[1]} {fora[1]} 1"),
    ):
        with open(f"/proc/self/{arquivo}", "w") as aberto:
            aberto.write(texto)


def _ligar_a_rede_de_dentro() -> None:
    """A interface lo, que a rede nova tem desligada."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as soquete:
        fcntl.ioctl(soquete, 0x8914, struct.pack("16sh22x", b"lo", 0x41))  # SIOCSIFFLAGS: IFF_UP | IFF_RUNNING


def _despir(descricao: dict[str, Any]) -> None:
    """Os limites, o usuário e as capacidades; por fim o filtro, que já não deixaria fazer o que veio antes."""
    for nome, valor in descricao["rlimits"].items():
        qual = getattr(resource, f"RLIMIT_{nome.upper()}")
        resource.setrlimit(qual, (valor, valor))
    for capacidade in range(64):
        if _LIBC.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capacidade), 0, 0, 0) < 0 and ctypes.get_errno() != errno.EINVAL:
            raise OSError(ctypes.get_errno(), "prctl PR_CAPBSET_DROP")
    usuario = descricao["usuario"]
    if usuario is not None:
        os.setgroups([])
        os.setresgid(usuario, usuario, usuario)
        os.setresuid(usuario, usuario, usuario)
    versao_3 = struct.pack("=Ii", 0x2008_0522, 0)
    _conferir(_LIBC.capset(versao_3, bytes(24)), "capset")
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # depois de trocar de usuário, que a apagaria
    instrucoes = base64.b64decode(descricao["filtro"])
    programa = ctypes.create_string_buffer(instrucoes, len(instrucoes))
    cabeca = struct.pack("@HP", len(instrucoes) // 8, ctypes.addressof(programa))
    _prctl(PR_SET_SECCOMP, 2, ctypes.c_char_p(cabeca))


def _fechar_menos(ficam: set[int]) -> None:
    for nome in os.listdir("/proc/self/fd"):
        if int(nome) not in ficam:
            with contextlib.suppress(OSError):
                os.close(int(nome))


# ---------------------------------------------------------------- os três processos de uma entrega


def _de_fora(canal: socket.socket) -> NoReturn:
    """O vigia: faz a caixa, diz a quem corrige que ela partiu e como acabou."""
    mae = os.getppid()
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != mae:  # a mãe morreu antes que se pedisse para morrer com ela
        os._exit(1)
    try:
        descricao, herdados = _ler(canal)
        with open("/proc/self/oom_score_adj", "w") as arquivo:
            arquivo.write("1000")
        if descricao["grupo"]:
            with open(f"{descricao['grupo']}/cgroup.procs", "w") as arquivo:
                arquivo.write(str(os.getpid()))
        fora = os.geteuid(), os.getegid()
        sem_privilegio = descricao["usuario"] is None
        _conferir(_LIBC.unshare(_ESPACOS | (_ESPACO_DE_USUARIOS if sem_privilegio else 0)), "unshare")
        if sem_privilegio:
            _usuarios(fora, (descricao["dentro"], descricao["dentro"]))
            # antes de a caixa ter o seu /proc, em que isto já não se escreve; onde não dá, há o filtro
            with contextlib.suppress(OSError), open("/proc/sys/user/max_user_namespaces", "w") as arquivo:
                arquivo.write("0")
        le, escreve = os.pipe()
        primeiro = os.fork()
        if primeiro == 0:
            os.close(le)
            _primeiro_da_caixa(canal, descricao, herdados, escreve)
        os.close(escreve)
        for descritor in herdados:
            os.close(descritor)
        with open(le, "rb") as aviso:  # acaba quando o primeiro fecha o seu lado, antes de haver um kernel
            queixa = aviso.read().decode(errors="replace")
    except Exception as erro:
        queixa, primeiro = f"{type(erro).__name__}: {erro}", 0
    _dizer(canal, {"erro": queixa} if queixa != "pronta" else {"pid": os.getpid()})
    if queixa != "pronta":
        os._exit(1)
    _vigiar(canal, primeiro)


def _vigiar(canal: socket.socket, primeiro: int) -> NoReturn:
    fim = os.pidfd_open(primeiro)
    prontos = select.poll()
    prontos.register(fim, select.POLLIN)
    prontos.register(canal, select.POLLIN)
    if not any(descritor == fim for descritor, _ in prontos.poll()):
        os.kill(primeiro, signal.SIGKILL)  # quem corrige fechou o canal: é como se manda matar a caixa
    estado = os.waitpid(primeiro, 0)[1]
    _dizer(canal, {"codigo": os.waitstatus_to_exitcode(estado)})
    os._exit(0)


def _primeiro_da_caixa(canal: socket.socket, descricao: dict[str, Any], herdados: list[int], aviso: int) -> NoReturn:
    """O processo 1 da caixa, com que ela acaba."""
    try:
        canal.close()
        os.umask(0o022)
        os.setsid()
        socket.sethostname("caixa")
        _ligar_a_rede_de_dentro()
        _montagens(descricao["montagens"])
        nada = os.open("/dev/null", os.O_RDWR)
        for destino, origem in enumerate((nada, nada, herdados[0])):
            os.dup2(origem, destino)
        soquetes = herdados[1:]
        _fechar_menos({0, 1, 2, aviso, *soquetes})
        _despir(descricao)
        os.write(aviso, b"pronta")
    except BaseException as erro:
        os.write(aviso, f"{type(erro).__name__}: {erro}".encode())
        os._exit(1)
    os.close(aviso)
    _prctl(PR_SET_DUMPABLE, 0)  # de dentro não se lê a memória do primeiro, nem se muda
    kernel = os.fork()
    if kernel == 0:
        _kernel(descricao, dict(zip(descricao["enderecos"], soquetes, strict=True)))
    for sinal in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sinal, signal.SIG_DFL)  # ao processo 1 de uma caixa, os de dentro não mandam sinais assim
    _fechar_menos(set())
    while True:
        acabou, estado = os.wait()  # os órfãos também são dele
        if acabou == kernel:
            codigo = os.waitstatus_to_exitcode(estado)
            os._exit(codigo if codigo >= 0 else 128 - codigo)


def _kernel(descricao: dict[str, Any], herdados: dict[str, int]) -> NoReturn:
    """Como um kernel que acabou de nascer: com o ambiente da caixa, sem nada do que o acaso deu à mãe."""
    codigo: Any = 1
    try:
        _prctl(PR_SET_DUMPABLE, 1)  # quem troca de usuário deixa de poder ler o próprio /proc
        os.environ.clear()
        os.environ.update(descricao["variaveis"] | _POSTAS, PWD=descricao["pasta"])
        os.chdir(descricao["pasta"])
        _renascer()
        _partir(descricao["ajustes"], descricao["argumentos"], herdados)
        codigo = 0
    except SystemExit as saida:
        codigo = saida.code if isinstance(saida.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(codigo)


def _partir(ajustes: dict[str, Any], argumentos: list[str], herdados: dict[str, int]) -> None:
    """O ipykernel_launcher, mas com os soquetes que já vêm abertos no lugar dos que ele abriria.

    Os ajustes são os dos argumentos, já lidos: montar quem os lê seria um quinto do que custa partir.
    """
    import zmq
    from ipykernel.iostream import OutStream
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    from helpers.conferencia import por_dentro

    por_dentro.herdar_soquetes(zmq, herdados)
    por_dentro.esvaziar_so_o_escrito(OutStream)
    sys.argv[:] = ["-c", *argumentos]
    aplicacao = IPKernelApp.instance()

    def ja_lidos(argv: Any = None) -> None:
        aplicacao.argv, aplicacao.cli_config = argumentos, Config(ajustes)
        aplicacao.update_config(aplicacao.cli_config)
        # o traitlets só filtra ao escrever: cada recado que ninguém lê seria montado inteiro
        aplicacao.log.setLevel(aplicacao.log_level)

    por_dentro.trocar(aplicacao, "parse_command_line", ja_lidos)
    aplicacao.initialize()
    aplicacao.start()


# ---------------------------------------------------------------- a conversa


def _ler(canal: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """A descrição da caixa e os descritores que vêm com ela: o das queixas e os soquetes do kernel."""
    cabeca, herdados, _, _ = socket.recv_fds(canal, 4, 32)
    tamanho = int.from_bytes(cabeca, "big")
    if len(cabeca) < 4 or tamanho > _MAXIMO:
        raise ValueError("pedido torto")
    dados = b""
    while len(dados) < tamanho:
        if not (parte := canal.recv(tamanho - len(dados))):
            raise EOFError("pedido pela metade")
        dados += parte
    return json.loads(dados), herdados


def _dizer(canal: socket.socket, dado: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):
        canal.sendall(json.dumps(dado).encode() + b"\n")


# ---------------------------------------------------------------- o que se importa uma vez


_GERADORES: list[random.Random] = []  # os que os módulos importados guardam, e que têm um estado


def _renascer() -> None:
    """O que em um processo novo viria do acaso, ou do ambiente, vem outra vez dele."""
    for gerador in _GERADORES:
        gerador.seed()
    if "numpy" in sys.modules:
        import numpy

        numpy.random.seed()  # noqa: NPY002 (é o gerador que o aluno pode usar)
    if "torch" in sys.modules:
        import torch

        torch.default_generator.manual_seed(int.from_bytes(os.urandom(8), "big") >> 1)
    if "multiprocessing.process" in sys.modules:
        import multiprocessing

        multiprocessing.current_process().authkey = os.urandom(32)
    time.tzset()
    sys.dont_write_bytecode = True
    import matplotlib

    from helpers.conferencia.por_dentro import trocar, trocar_na_tabela

    # o que o Matplotlib leria do ambiente ao ser importado, e que o kernel escreve lá
    # (sem passar pela validação dele, que custa mais do que todo o resto daqui)
    trocar_na_tabela(matplotlib.rcParams, "backend", "module://matplotlib_inline.backend_inline")
    for nome in ("get_configdir", "get_cachedir"):  # sem a resposta que guardaram, que é uma pasta de fora
        funcao = getattr(matplotlib, nome)
        trocar(matplotlib, nome, getattr(funcao, "__wrapped__", funcao))


_POSTAS: dict[str, str] = {}  # as variáveis que o próprio kernel põe no ambiente, e que na fria também estariam lá


def _aquecer(receita: list[str], fontes: str) -> None:
    provisorias = {"OMP_NUM_THREADS": "1", "MPLCONFIGDIR": fontes, "PATH": "/usr/bin:/bin"}
    os.environ |= provisorias
    antes = set(os.environ)
    for modulo in _MODULOS:
        importlib.import_module(modulo)
    _POSTAS.update((nome, valor) for nome, valor in os.environ.items() if nome not in antes)
    _sem_a_lista_dos_modulos()
    if "torch" in receita:
        importlib.import_module("torch")
    if "otimizadores" in receita:
        _aquecer_os_otimizadores()
    if "controles" in receita:
        importlib.import_module("anywidget")
    if "llm" in receita:
        from helpers.llm import carregar

        carregar()
    for nome in provisorias:
        del os.environ[nome]
    gc.collect()
    _GERADORES[:] = [o for o in gc.get_objects() if type(o) is random.Random]
    gc.freeze()  # a coleta de lixo das filhas não mexe nestas páginas, e elas continuam uma só
    _juntar_as_paginas()


def _juntar_as_paginas() -> None:
    """Dividir-se é copiar a tabela das páginas, e com páginas grandes isso custa menos. Onde não as há, fica assim."""
    with open("/proc/self/maps") as mapas:
        campos = [linha.split() for linha in mapas]
    for enderecos, permissoes, _, _, arquivo, *nome in campos:
        de, ate = (int(lado, 16) for lado in enderecos.split("-"))
        inicio = -(-de // _PAGINA_GRANDE) * _PAGINA_GRANDE
        tamanho = ate // _PAGINA_GRANDE * _PAGINA_GRANDE - inicio
        if permissoes == "rw-p" and arquivo == "0" and nome in ([], ["[heap]"]) and tamanho > 0:
            _LIBC.madvise(ctypes.c_void_p(inicio), ctypes.c_size_t(tamanho), _MADV_COLLAPSE)


def _sem_a_lista_dos_modulos() -> None:
    """Ao nascer, um kernel lê o arquivo de cada módulo importado, só para o depurador, que aqui ninguém usa: tocaria em
    milhares de páginas da mãe, e cada uma teria de ser copiada."""
    from ipykernel import ipkernel

    from helpers.conferencia.por_dentro import trocar

    trocar(ipkernel, "sys", types.SimpleNamespace(**vars(sys) | {"modules": {}}))


def _aquecer_os_otimizadores() -> None:
    """O primeiro passo de um otimizador importa, ele sozinho, mais do que o torch inteiro."""
    import torch
    from torch.nn import functional as F

    peso = torch.zeros(1, 2, requires_grad=True)
    F.cross_entropy(peso, torch.zeros(1, dtype=torch.long)).backward()
    for otimizador in (torch.optim.AdamW, torch.optim.Adam, torch.optim.SGD):
        otimizador([peso], lr=0.1).step()


_DE_NOVO = """
import importlib.util, sys
sys.path.remove("")
especificacao = importlib.util.spec_from_file_location("mae", sys.argv.pop(1))
modulo = importlib.util.module_from_spec(especificacao)
especificacao.loader.exec_module(modulo)
modulo.main()
"""


def nascer() -> NoReturn:
    """Começa de novo, com o programa do Python em um lugar em que não se escreve.

    De dentro da caixa se chega a ele por /proc/self/exe, que não passa pelas montagens dela: como usuário comum, o
    programa seria do próprio aluno. As opções do Python são as da caixa fria, para que os dois se comportem igual.
    """
    programa, eu = os.readlink("/proc/self/exe"), (os.geteuid(), os.getegid())
    try:
        _conferir(_LIBC.unshare(_ESPACO_DE_MONTAGENS | (_ESPACO_DE_USUARIOS if eu[0] else 0)), "unshare")
        if eu[0]:
            _usuarios(eu, eu)
        _montar("none", "/", "", MS_REC | MS_SLAVE)  # o que se montar depois no computador continua a aparecer aqui
        _montar(programa, programa, "", MS_BIND)
        _so_leitura(programa)
        # só o descritor fica com ela: o que está montado por baixo de uma pasta não deixa fazer dela uma camada
        aberto = os.open(programa, os.O_PATH | os.O_CLOEXEC)
        _soltar(programa)
    except OSError as erro:
        sys.exit(str(erro))
    os.environ.pop("LC_CTYPE", None)  # que o Python pôs, por não haver outra
    argumentos = [sys.executable, "-s", "-X", "utf8", "-c", _DE_NOVO, __file__, *sys.argv[1:]]
    os.execve(aberto, argumentos, os.environ)


def main() -> None:
    controle = socket.socket(fileno=int(sys.argv[1]))
    fontes, receita = sys.argv[2], sys.argv[3:]
    sys.argv[1:] = []
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    _aquecer(receita, fontes)
    while True:
        if not select.select([controle], [], [], _OCIOSA)[0]:
            if _ha_filhas():  # uma que dorme: com a mãe se iria ela
                continue
            return
        pedido, descritores, _, _ = socket.recv_fds(controle, 1, 1)
        if not pedido:
            return
        canal = socket.socket(fileno=descritores[0])
        if len(os.listdir("/proc/self/task")) != 1:  # dividida com mais de uma thread, a filha poderia travar
            _dizer(canal, {"erro": "a mãe tem mais de uma thread"})
            return
        if os.fork() == 0:
            controle.close()
            _de_fora(canal)
        canal.close()
        _ha_filhas()


def _ha_filhas() -> bool:
    """Há alguma que ainda não acabou? As que acabaram não ficam no caminho."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


if __name__ == "__main__":
    nascer()
