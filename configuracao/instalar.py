"""O ambiente do curso em `.venv`: criar, completar, consertar. Usa só a biblioteca padrão.

`preparar()` é a entrada. Um selo dentro de `.venv` diz o que a última instalação completou; com o selo em
dia, nada é feito. Todo problema que a pessoa pode resolver vira um `Aviso`, de uma frase.
"""
import base64
import contextlib
import csv
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from importlib import metadata
from pathlib import Path

RAIZ = Path(__file__).resolve().parent.parent
VENV = RAIZ / ".venv"
LOCKS = (RAIZ / "requisitos.lock", RAIZ / "modelos.lock")   # os pacotes; os modelos da aula 10
SELO = VENV / "curso.json"          # o que a última instalação completou
DIARIO = VENV / "instalacao.log"    # tudo o que o pip disse
TORCH = "2.13.0"
INDICE_TORCH = "https://download.pytorch.org/whl/cpu"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")   # há pacotes prontos para estes
ESPACO_NOVO, ESPACO_DIFERENCA = 3.0, 0.5   # GB livres que pedimos antes de instalar
OPCOES_DO_PIP = ("--no-deps", "--only-binary", ":all:", "--no-user", "--progress-bar", "off")
WINDOWS = os.name == "nt"


class Aviso(Exception):
    """Um problema que a pessoa pode resolver: o texto é a frase que ela lê."""

    def __init__(self, frase, codigo=1):
        super().__init__(frase)
        self.codigo = codigo


# ------------------------------------------------------------ este computador serve?

def exigir_sistema(sistema=sys.platform, maquina=None, macos=None, bits=None, versao=None):
    """Avisa antes de baixar qualquer coisa quando o PyTorch não existe para este computador."""
    maquina = maquina or platform.machine()
    macos = (macos or platform.mac_ver()[0] or "0").split(".")[0]
    versao = versao or f"{sys.version_info[0]}.{sys.version_info[1]}"
    if versao not in PYTHONS:
        raise Aviso(f"O PyTorch {TORCH} ainda não existe para o Python {versao}; instale também o Python "
                    f"{PYTHONS[-1]} (python.org) e rode o curso com ele.")
    if (bits or (64 if sys.maxsize > 2**32 else 32)) < 64:
        raise Aviso("Este Python é de 32 bits e o PyTorch só existe para 64; instale o Python de 64 bits "
                    "(python.org) e rode de novo.")
    if sistema == "darwin" and maquina == "x86_64":
        raise Aviso(f"O PyTorch {TORCH} não existe para Mac com processador Intel; use outro computador (num "
                    "Mac M1 ou mais novo, instale o Python para Apple Silicon).")
    if sistema == "darwin" and int(macos) < 14:
        raise Aviso(f"O PyTorch {TORCH} pede macOS 14 ou mais novo e este é o {macos}; atualize o sistema e "
                    "rode de novo.")


def exigir_espaco(gigas):
    """O pip baixa para a pasta temporária e instala na pasta do curso: as duas precisam de lugar."""
    for pasta, preciso in ((RAIZ, gigas), (tempfile.gettempdir(), gigas / 4)):
        livres = shutil.disk_usage(pasta).free / 1e9
        if livres < preciso:
            frase = (f"Falta espaço em disco: a instalação precisa de {preciso:.1f} GB livres em {pasta} e "
                     f"há {livres:.1f} GB; libere espaço e rode de novo.")
            raise Aviso(re.sub(r"(\d)\.(\d GB)", r"\1,\2", frase))


def exigir_venv():
    faltam = [modulo for modulo in ("venv", "ensurepip") if importlib.util.find_spec(modulo) is None]
    if faltam:
        raise Aviso(f"Falta a este Python o módulo {' e '.join(faltam)}; no Debian e no Ubuntu rode "
                    "`sudo apt install python3-venv`, nos outros reinstale o Python de python.org, e "
                    "tente de novo.")


# ------------------------------------------------------------ o que deve estar instalado

def texto_dos_locks():
    return "".join(lock.read_text(encoding="utf-8") for lock in LOCKS)


def pacotes_do_lock():
    """Os nomes pedidos (um nome pode vir duas vezes, para Pythons diferentes)."""
    return re.findall(r"(?m)^([A-Za-z0-9._-]+)==", texto_dos_locks())


def assinatura():
    """Muda quando as versões pedidas mudam."""
    return hashlib.sha256((texto_dos_locks() + TORCH).encode()).hexdigest()


def ler_selo():
    try:
        return dict(json.loads(SELO.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def gravar_selo(**campos):
    provisorio = SELO.with_suffix(".novo")
    provisorio.write_text(json.dumps(campos, ensure_ascii=False, indent=1), encoding="utf-8")
    provisorio.replace(SELO)


def em_dia(selo, versao):
    pedido = {"completo": True, "python": versao, "assinatura": assinatura(), "pasta": str(VENV)}
    return versao is not None and all(selo.get(campo) == valor for campo, valor in pedido.items())


def python_da_conda():
    """O Python em uso, se for o do ambiente conda de environment.yml, com as versões do curso."""
    prefixo = os.environ.get("CONDA_PREFIX")
    if not prefixo or os.path.realpath(prefixo) != os.path.realpath(sys.prefix):
        return None
    import tomllib
    diretos = tomllib.loads((RAIZ / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    try:
        iguais = all(metadata.version(nome).split("+")[0] == versao
                     for nome, versao in (pino.split("==") for pino in diretos))
    except metadata.PackageNotFoundError:
        return None
    return sys.executable if iguais else None


def modelos_na_conda():
    """O arquivo environment.yml não tem como pedir os modelos sem as dependências deles; o curso os põe aqui."""
    pedidos = re.findall(r"(?m)^([A-Za-z0-9._-]+)==(\S+)", LOCKS[1].read_text(encoding="utf-8"))
    with contextlib.suppress(metadata.PackageNotFoundError):
        if all(metadata.version(nome) == versao for nome, versao in pedidos):
            return
    print("Instalando os modelos da aula 10…", flush=True)
    comando = [sys.executable, "-m", "pip", "install", *OPCOES_DO_PIP, "--require-hashes", "-r", str(LOCKS[1])]
    feito = subprocess.run(comando, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if feito.returncode:
        raise Aviso(explicar(feito.stdout, " ".join(comando)))


# ------------------------------------------------------------ o ambiente

def python_do_venv():
    return VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")


def pasta_de_pacotes(versao):
    return VENV / ("Lib/site-packages" if WINDOWS else f"lib/python{versao}/site-packages")


def versao_do_venv():
    """'3.11', ou None se o Python de `.venv` não existe ou não roda mais."""
    comando = [python_do_venv(), "-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        saida = subprocess.run(comando, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return saida.stdout.strip() if saida.returncode == 0 else None


def preparar():
    """Devolve o Python que roda o curso, depois de instalar o que faltar."""
    conda = python_da_conda()
    if conda:
        modelos_na_conda()
        return conda
    versao = versao_do_venv()
    if not em_dia(ler_selo(), versao):
        with trava() as aberta:
            # outra janela pode ter terminado enquanto esperávamos
            selo, versao = ler_selo(), versao_do_venv()
            if selo.get("completo") and versao and selo.get("pasta") != str(VENV):
                selo = acertar_caminhos(selo)
            if not em_dia(selo, versao):
                versao = instalar(selo, versao, aberta)
    ligar_pasta(versao)
    return str(python_do_venv())


def reparar():
    """Confere cada arquivo instalado pelo hash e instala de novo o que estiver estragado; devolve o que era."""
    if python_da_conda():
        raise Aviso("Este é um ambiente da conda; refaça-o com: conda env update -f environment.yml --prune")
    versao, estragados = versao_do_venv(), []
    with trava() as aberta:
        selo = ler_selo()
        if versao and selo:
            gravar_selo(**{**selo, "completo": False})
            estragados = desfazer_metades(pasta_de_pacotes(versao), conteudo=True)
        versao = instalar(ler_selo(), versao, aberta)
    ligar_pasta(versao)
    return estragados


def instalar(selo, versao, aberta):
    """Deixa em `.venv` exatamente o que o lock pede, aproveitando tudo o que já está lá."""
    inicio = time.time()
    exigir_sistema()
    versao = garantir_venv(selo, versao, aberta)
    if not selo.get("completo"):
        desfazer_metades(pasta_de_pacotes(versao))
    pedidos = set(pacotes_do_lock())
    conhecidos = pedidos | set(selo.get("pacotes", ()))
    comum = {"assinatura": assinatura(), "python": versao, "pasta": str(VENV)}
    gravar_selo(completo=False, pacotes=sorted(conhecidos), **comum)
    instalar_lock(versao, aberta)
    if conhecidos > pedidos:
        pip(["uninstall", "--yes", *sorted(conhecidos - pedidos)], "Tirando o que saiu do curso", aberta)
    instalar_torch(aberta)
    gravar_selo(completo=True, pacotes=sorted(pedidos), **comum)
    print(f"Ambiente pronto em {time.time() - inicio:.0f} s.", flush=True)
    return versao


def garantir_venv(selo, versao, aberta):
    """Cria `.venv`, ou refaz o que não serve mais; devolve a versão do Python dele."""
    serve = versao in PYTHONS and any(pasta_de_pacotes(versao).glob("pip-*.dist-info/RECORD"))
    if serve and selo.get("python", versao) == versao:
        exigir_espaco(ESPACO_DIFERENCA)
        return versao
    exigir_venv()
    exigir_espaco(ESPACO_NOVO)
    print("O ambiente em .venv não serve mais (o Python dele mudou ou sumiu); refaço do zero." if selo else
          "Instalo o curso na pasta .venv: alguns minutos e cerca de 1,8 GB, só desta vez.", flush=True)
    # quem roda pode ser o próprio .venv, prestes a ser apagado; o Python de base fica fora dele
    base = getattr(sys, "_base_executable", None) or sys.executable
    if VENV.is_dir():
        shutil.rmtree(VENV)
    VENV.mkdir()
    acompanhar([base, "-m", "venv", str(VENV)], "Criando o ambiente", aberta)
    return versao_do_venv()


def desfazer_metades(site, conteudo=False):
    """Apaga o registro do que não está inteiro, para que o pip o instale de novo; devolve os nomes.

    O pip grava RECORD por último; sem ele, ou com arquivo faltando ou truncado, o pacote ficou pela metade. Com
    `conteudo`, compara também os hashes.
    """
    for resto in site.glob("~*"):
        shutil.rmtree(resto, ignore_errors=True)
    estragados = [registro for registro in sorted(site.glob("*.dist-info")) if not esta_inteiro(registro, conteudo)]
    for registro in estragados:
        shutil.rmtree(registro)
    return [registro.name.split("-")[0] for registro in estragados]


def esta_inteiro(registro, conteudo=False):
    try:
        with open(registro / "RECORD", encoding="utf-8", newline="") as arquivo:
            linhas = [linha for linha in csv.reader(arquivo) if len(linha) == 3 and linha[2]]
        # os programas de bin/ mudam quando a pasta muda de lugar (acertar_caminhos): basta que existam
        fora = [linha for linha in linhas if linha[0].startswith("..")]
        dentro = [linha for linha in linhas if not linha[0].startswith("..")]
        pasta = registro.parent
        return (all((pasta / nome).exists() for nome, _, _ in fora)
                and all(os.path.getsize(pasta / nome) == int(tamanho) for nome, _, tamanho in dentro)
                and (not conteudo or all(resumo_do_arquivo(pasta / nome) == hash_ for nome, hash_, _ in dentro)))
    except OSError:
        return False


def resumo_do_arquivo(caminho):
    """O SHA-256 como o pip o escreve em RECORD."""
    with open(caminho, "rb") as arquivo:
        resumo = hashlib.file_digest(arquivo, "sha256").digest()
    return "sha256=" + base64.urlsafe_b64encode(resumo).rstrip(b"=").decode()


def ligar_pasta(versao):
    """O que `.venv` precisa saber do curso; é conferido a cada partida, porque a pasta pode mudar de lugar."""
    site = pasta_de_pacotes(versao).resolve()
    # um .pth relativo: `import helpers` funciona de qualquer pasta
    escrever(site / "curso.pth", os.path.relpath(RAIZ, site) + "\n")
    # sem isto o ipykernel avisa em inglês, a cada notebook aberto, que a conexão local não é cifrada
    escrever(VENV / "etc/ipython/ipython_kernel_config.py", "c = get_config()\nc.IPKernelApp.log_level = 'ERROR'\n")


def escrever(arquivo, texto):
    if not arquivo.is_file() or arquivo.read_text() != texto:
        arquivo.parent.mkdir(parents=True, exist_ok=True)
        arquivo.write_text(texto)


def acertar_caminhos(selo):
    """A pasta do curso mudou de lugar: os programas de `.venv/bin` ainda guardam o caminho antigo."""
    print("A pasta do curso mudou de lugar; acerto o ambiente.", flush=True)
    antiga, nova = selo.get("pasta", str(VENV)).encode(), str(VENV).encode()
    for programa in (VENV / "bin").glob("*"):   # no Windows não há bin; lá o curso usa sempre `python -m`
        if programa.is_file() and not programa.is_symlink():
            conteudo = programa.read_bytes()
            if antiga in conteudo and b"\0" not in conteudo:
                programa.write_bytes(conteudo.replace(antiga, nova))
    gravar_selo(**{**selo, "pasta": str(VENV)})
    return ler_selo()


@contextlib.contextmanager
def trava():
    """Uma instalação por vez: a segunda janela espera a primeira."""
    with open(RAIZ / ".venv.trava", "a") as aberta:
        if not tentar_trava(aberta):
            print("Outra janela está instalando o curso; espero ela terminar.", flush=True)
            while not tentar_trava(aberta):
                time.sleep(0.3)
        yield aberta


def tentar_trava(aberta):
    try:
        if WINDOWS:
            import msvcrt
            msvcrt.locking(aberta.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl
            fcntl.flock(aberta.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as erro:
        return not (WINDOWS or isinstance(erro, BlockingIOError))   # disco sem travas: segue sem elas
    return True


def ambiente():
    """As variáveis dos processos filhos, sem as que puxariam pacotes de outro lugar."""
    fora = {"PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_ROOT",
            "__PYVENV_LAUNCHER__"}
    variaveis = {nome: valor for nome, valor in os.environ.items() if nome not in fora}
    return {**variaveis, "PYTHONUTF8": "1", "PYTHONNOUSERSITE": "1"}


# ------------------------------------------------------------ o pip, com uma barra em português

def instalar_lock(versao, aberta):
    """Só o que falta é baixado: o pip pula o que já está na versão pedida."""
    site = pasta_de_pacotes(versao)
    pedidos = [parte for lock in LOCKS for parte in ("-r", str(lock))]
    pip(["install", "--require-hashes", *pedidos], "Instalando os pacotes", aberta,
        len(pacotes_do_lock()), lambda: len(list(site.glob("*.dist-info"))))


def instalar_torch(aberta):
    """A versão de CPU. No Linux ela é a +cpu; a do índice comum traria vários GB de CUDA."""
    rotulo = "Instalando o PyTorch"
    if not sys.platform.startswith("linux"):
        return pip(["install", f"torch=={TORCH}"], rotulo, aberta)
    pedido = ["install", f"torch=={TORCH}+cpu"]
    try:
        pip(pedido, rotulo, aberta)
    except Aviso as aviso:
        if aviso.codigo == 130:   # Ctrl-C
            raise
        pip([*pedido, "--index-url", INDICE_TORCH], rotulo, aberta)


def pip(argumentos, rotulo, aberta, total=0, instalados=None):
    comando = [str(python_do_venv()), "-m", "pip", "--disable-pip-version-check", "--no-input",
               "--retries", "2"]
    if argumentos[0] == "install":
        argumentos = [*argumentos, *OPCOES_DO_PIP]
    acompanhar(comando + argumentos, rotulo, aberta, total, instalados)


def acompanhar(comando, rotulo, aberta, total=0, instalados=None):
    """Roda o comando com a saída no diário e uma barra na tela; se falhar, diz a causa numa frase."""
    # o filho herda a trava: se esta janela morrer, a próxima ainda espera o pip acabar
    herdados = {} if WINDOWS else {"pass_fds": (aberta.fileno(),)}
    filho = subprocess.Popen(comando, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, cwd=RAIZ, **herdados,
                             env={**ambiente(), "PYTHONUNBUFFERED": "1"})
    linhas, barra = [], Barra(rotulo, total, instalados)
    leitor = threading.Thread(target=guardar, args=(filho.stdout, linhas), daemon=True)
    leitor.start()
    try:
        while leitor.is_alive():
            barra.mostrar(linhas)
            leitor.join(0.2)
        barra.fim(filho.wait())
    except KeyboardInterrupt:
        parar(filho)
        raise Aviso("\nInstalação interrompida; o que já foi feito fica guardado: rode o mesmo comando de "
                    "novo e ela continua.", 130) from None
    if filho.returncode:
        raise Aviso(explicar("".join(linhas)))


def guardar(saida, linhas):
    with open(DIARIO, "a", encoding="utf-8") as diario:
        for bruta in saida:
            linhas.append(bruta.decode("utf-8", "replace"))
            with contextlib.suppress(OSError):   # disco cheio: a causa ainda está em `linhas`
                diario.write(linhas[-1])
                diario.flush()


def parar(filho):
    if not WINDOWS:
        filho.send_signal(signal.SIGINT)
    try:
        filho.wait(10)
    except subprocess.TimeoutExpired:
        filho.kill()
        filho.wait()


class Barra:
    """`Instalando os pacotes [#####-----] baixando 57/129, 18 s`, sempre na mesma linha do terminal."""

    def __init__(self, rotulo, total, instalados):
        self.rotulo, self.total, self.instalados = rotulo, total, instalados
        self.inicio, self.viva = time.time(), sys.stdout.isatty()
        if not self.viva:
            print(f"{rotulo}…", flush=True)

    def mostrar(self, linhas):
        if not self.viva:
            return
        texto = ""
        if self.total and any(linha.startswith("Installing collected") for linha in linhas):
            texto = self.desenho(min(self.instalados(), self.total), "instalando", 0.5)
        elif self.total:
            inicios = ("Collecting ", "Requirement already", "Ignoring ")
            texto = self.desenho(sum(linha.startswith(inicios) for linha in linhas), "baixando", 0)
        self.escrever(f"{self.rotulo} {texto}{time.time() - self.inicio:.0f} s")

    def escrever(self, texto, fim=""):
        print("\r" + texto.ljust(78), end=fim, flush=True)

    def desenho(self, feitos, verbo, base):
        cheios = int(24 * (base + feitos / self.total / 2))
        return f"[{'#' * cheios:-<24}] {verbo} {feitos}/{self.total}, "

    def fim(self, codigo):
        if self.viva:
            fecho = "não deu certo" if codigo else f"pronto em {time.time() - self.inicio:.0f} s"
            self.escrever(f"{self.rotulo}: {fecho}", fim="\n")


CAUSAS = (
    (r"No space left|Errno 28\b|not enough space",
     "O disco encheu durante a instalação; libere uns 3 GB e rode de novo: ela continua de onde parou"),
    (r"DO NOT MATCH THE HASHES",
     "Um pacote baixado não é o que o curso espera (download estragado ou alterado); tente de novo em outra "
     "rede e, se repetir, avise o instrutor"),
    (r"CERTIFICATE_VERIFY_FAILED|SSLError",
     "A rede recusou a conexão segura, como é comum em redes com filtro; tente de novo em outra rede"),
    (r"Failed to establish|NewConnectionError|name resolution|getaddrinfo|Max retries|[Tt]imed? ?out|"
     r"ProxyError|[Cc]onnection ?(reset|Reset|aborted|refused|broken)|IncompleteRead|unreachable|"
     r"RemoteDisconnected",
     "Não há acesso à internet, ou ele caiu; verifique a conexão e rode o mesmo comando: ele continua "
     "de onde parou"),
    (r"Permission denied|Errno 13\b|WinError (?:5|32)\b|Access is denied",
     "Não posso escrever em .venv; feche as outras janelas do curso, veja se a pasta é sua e rode de novo"),
    (r"ensurepip",
     "Este Python não consegue criar ambientes; no Debian e no Ubuntu rode `sudo apt install python3-venv` e "
     "tente de novo"),
    (r"No matching distribution found for (?P<pacote>[^\s;]+)",
     "Não encontrei o pacote {pacote} para este sistema e este Python; verifique a internet e, se ela "
     "funciona, avise o instrutor"),
)


def explicar(texto, detalhes=DIARIO):
    """A saída do pip em uma frase que diz o que fazer."""
    frase = "A instalação falhou; rode de novo e, se repetir, mande ao instrutor o arquivo dos detalhes"
    for padrao, explicacao in CAUSAS:
        achado = re.search(padrao, texto)
        if achado:
            frase = explicacao.format(**achado.groupdict())
            break
    return f"{frase} (detalhes: {detalhes})."
