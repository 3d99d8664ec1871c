"""O ambiente do curso em `.venv`: criar, completar, consertar. Usa só a biblioteca padrão.

`preparar()` é a entrada. Um selo dentro de `.venv` diz o que a última instalação completou; com o selo em
dia, nada é feito. Todo problema que a pessoa pode resolver vira um `Aviso`, de uma frase.
"""

import base64
import contextlib
import csv
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Collection, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from configuracao import atualizar
from configuracao.barra import acompanhar, medida_do_pip
from configuracao.computador import (
    ESPACO_DIFERENCA,
    ESPACO_NOVO,
    ESPACO_TORCH_COMUM,
    PYTHONS,
    exigir_espaco,
    exigir_sistema,
    exigir_venv,
)
from configuracao.ferramentas import OPCOES_DO_PIP, Instalador, ambiente, comando_do_pip
from configuracao.frases import Aviso, explicar
from configuracao.lugares import CACHE, DIARIO, LOCKS, RAIZ, SELO, VENV, WINDOWS, pasta_de_pacotes, python_do_venv

__all__ = ["Aviso", "ambiente", "preparar", "reparar"]

PACOTES, MODELOS, PIP, TORCH = (LOCKS / f"{nome}.lock" for nome in ("curso", "modelos", "pip", "torch"))
INSTALADOR, TORCH_COMUM = LOCKS / "instalador.lock", LOCKS / "torch-comum.lock"
INDICE_DO_TORCH = "https://download.pytorch.org/whl/cpu"  # o único que tem, para o Linux, a versão de CPU
DILATACAO_DO_COMUM = 1.7  # quantas vezes o torch do índice comum, aberto, é maior do que o que se baixa
SEM_RESPOSTA = ("rede", "certificado", "acesso", "pacote")  # as causas de quem não alcança um índice, ou o pacote nele


# ------------------------------------------------------------ o que deve estar instalado


def texto_dos_locks(*locks: Path) -> str:
    return "".join(lock.read_text(encoding="utf-8") for lock in locks)


def locks(grupos: Iterable[str]) -> list[Path]:
    """Os do que todos usam e os dos grupos (comandos.grupos)."""
    return [PACOTES, MODELOS, PIP, *(LOCKS / f"{grupo}.lock" for grupo in sorted(grupos))]


def pacotes_do_lock(*quais: Path) -> list[str]:
    """Os nomes pedidos (um nome pode vir duas vezes, para Pythons diferentes)."""
    return re.findall(r"(?m)^([A-Za-z0-9._-]+)==", texto_dos_locks(*quais))


def assinatura(grupos: Iterable[str]) -> str:
    """Muda quando as versões pedidas mudam."""
    return hashlib.sha256(texto_dos_locks(*locks(grupos), TORCH, TORCH_COMUM, INSTALADOR).encode()).hexdigest()


def numero_do_torch() -> str:
    return re.findall(r"torch==([\d.]+)", texto_dos_locks(TORCH))[0]


def pedido_do_torch(versao: str) -> list[str]:
    """O que se pede para ter o torch: por hash, se a tabela de torch.lock o tem para este computador e este Python."""
    tabela = texto_dos_locks(TORCH)
    onde = f"sys_platform == '{sys.platform}' and platform_machine == '{platform.machine()}'"
    if re.search(rf"(?m)^torch==\S+ ; {onde} and python_version == '{re.escape(versao)}'", tabela):
        return ["-r", str(TORCH)]
    return [f"torch=={numero_do_torch()}" + ("+cpu" if sys.platform.startswith("linux") else "")]


def ha_torch_comum(site: Path) -> bool:
    """No Linux, o torch instalado é o do índice comum?"""
    return sys.platform.startswith("linux") and (site / f"torch-{numero_do_torch()}.dist-info").is_dir()


def ler_selo() -> dict[str, Any]:
    try:
        return dict(json.loads(SELO.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def gravar_selo(**campos: Any) -> None:
    provisorio = SELO.with_suffix(".novo")
    provisorio.write_text(json.dumps(campos, ensure_ascii=False, indent=1), encoding="utf-8")
    provisorio.replace(SELO)


def ja_instalados(selo: dict[str, Any]) -> set[str]:
    """Os grupos que a última instalação completou, salvo o que já não há."""
    return {grupo for grupo in selo.get("grupos", ()) if (LOCKS / f"{grupo}.lock").is_file()}


def em_dia(selo: dict[str, Any], versao: str, grupos: Collection[str]) -> bool:
    ha = ja_instalados(selo)
    pedido = {"completo": True, "python": versao, "assinatura": assinatura(ha), "pasta": str(VENV)}
    return ha.issuperset(grupos) and all(selo.get(campo) == valor for campo, valor in pedido.items())


def python_da_conda() -> str | None:
    """O Python em uso, se for o do ambiente conda de environment.yml, com as versões do curso."""
    prefixo = os.environ.get("CONDA_PREFIX")
    if not prefixo or os.path.realpath(prefixo) != os.path.realpath(sys.prefix):
        return None
    import tomllib

    diretos = tomllib.loads((RAIZ / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    pinos = [pino.split("==") for pino in diretos if ";" not in pino]  # com marcador, é só de alguns sistemas
    try:
        iguais = all(metadata.version(nome).split("+")[0] == versao for nome, versao in pinos)
    except metadata.PackageNotFoundError:
        return None
    return sys.executable if iguais else None


def completar_a_conda(grupos: Iterable[str]) -> None:
    """O que não está em environment.yml: os modelos, que viriam com as dependências deles, e o que só alguns usam."""
    for lock in locks(grupos)[1:]:
        if lock == PIP or esta_na_conda(lock):
            continue
        print(f"Instalando o que {lock.name} pede…", flush=True)
        comando = [*comando_do_pip(sys.executable), "install", *OPCOES_DO_PIP, "--require-hashes", "-r", str(lock)]
        feito = subprocess.run(comando, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if feito.returncode:
            raise explicar(feito.stdout, " ".join(comando))


def esta_na_conda(lock: Path) -> bool:
    pedidos = re.findall(r"(?m)^([A-Za-z0-9._-]+)==([^\s;]+) *\\?$", texto_dos_locks(lock))  # sem os de alguns sistemas
    with contextlib.suppress(metadata.PackageNotFoundError):
        return all(metadata.version(nome) == versao for nome, versao in pedidos)
    return False


# ------------------------------------------------------------ o ambiente


def versao_do_venv() -> str | None:
    """'3.11', ou None se o Python de `.venv` não existe ou não roda mais."""
    comando = [str(python_do_venv()), "-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        saida = subprocess.run(comando, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return saida.stdout.strip() if saida.returncode == 0 else None


def preparar(grupos: Collection[str] = ()) -> str:
    """Devolve o Python que roda o curso, depois de instalar o que faltar do que todos usam e dos `grupos`."""
    conda = python_da_conda()
    if conda:
        completar_a_conda(grupos)
        return conda
    versao = versao_do_venv()
    if versao is None or not em_dia(ler_selo(), versao, grupos):
        with trava() as aberta:
            # outra janela pode ter terminado enquanto esperávamos
            selo, versao = ler_selo(), versao_do_venv()
            if selo.get("completo") and versao and selo.get("pasta") != str(VENV):
                selo = acertar_caminhos(selo)
            if versao is None or not em_dia(selo, versao, grupos):
                versao = instalar(selo, versao, aberta, grupos)
    ligar_pasta(versao)
    return str(python_do_venv())


def reparar() -> list[str]:
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


def instalar(selo: dict[str, Any], versao: str | None, aberta: IO[str], grupos: Iterable[str] = ()) -> str:
    """Deixa em `.venv` exatamente o que os locks pedem, aproveitando tudo o que já está lá."""
    inicio = time.time()
    exigir_sistema()
    versao = garantir_venv(selo, versao, aberta)
    site, ha = pasta_de_pacotes(versao), ja_instalados(selo)
    if not selo.get("completo"):
        desfazer_metades(site)
    elif novos := set(grupos) - ha:
        quantos = len(pacotes_do_lock(*locks(novos)[3:]))
        print(f"Este comando usa mais {quantos} pacotes; instalo-os agora, só desta vez.", flush=True)
    todos = ha.union(grupos)
    pedidos = pacotes_pedidos(todos, site)
    conhecidos = pedidos | set(selo.get("pacotes", ()))
    comum = {"assinatura": assinatura(todos), "python": versao, "pasta": str(VENV)}
    # os grupos novos só entram no selo no fim: se não vierem, os comandos que não os usam continuam a rodar
    gravar_selo(completo=False, grupos=sorted(ha), pacotes=sorted(conhecidos), **comum)
    instalador = Instalador(aberta)
    instalar_pacotes(instalador, site, locks(todos))
    if conhecidos > pedidos:
        instalador.tirar(sorted(conhecidos - pedidos))
    with aquecendo():
        instalar_torch(instalador, versao)
    shutil.rmtree(CACHE, ignore_errors=True)  # só agora: uma instalação interrompida continua dele
    gravar_selo(completo=True, grupos=sorted(todos), pacotes=sorted(pacotes_pedidos(todos, site)), **comum)
    print(f"Ambiente pronto em {time.time() - inicio:.0f} s.", flush=True)
    return versao


def pacotes_pedidos(grupos: Iterable[str], site: Path) -> set[str]:
    return set(pacotes_do_lock(*locks(grupos), *([TORCH_COMUM] if ha_torch_comum(site) else [])))


@contextlib.contextmanager
def aquecendo() -> Iterator[None]:
    """Enquanto o PyTorch chega, importa o que o JupyterLab importa: os .pyc ficam prontos para a primeira partida."""
    programa = "import jupyterlab.labapp, nbgrader.server_extensions.validate_assignment, ipykernel.ipkernel"
    comando = [str(python_do_venv()), "-c", programa]
    filho = subprocess.Popen(comando, env=ambiente(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=VENV)
    try:
        yield
    finally:
        filho.kill()  # o que faltar é compilado quando for usado
        filho.wait()


def instalar_pacotes(instalador: Instalador, site: Path, quais: list[Path]) -> None:
    """Só o que falta é baixado: o que já está na versão pedida fica."""
    do_pip = medida_do_pip(len(pacotes_do_lock(*quais)), lambda: len(list(site.glob("*.dist-info"))))
    pedidos = [parte for lock in quais for parte in ("-r", str(lock))]
    instalador.instalar(pedidos, "Instalando os pacotes", medida=do_pip)


def instalar_torch(instalador: Instalador, versao: str) -> None:
    """A versão de CPU. No Linux ela é a +cpu, que o índice comum não tem; a que ele tem traz vários GB de CUDA."""
    pedido, rotulo = pedido_do_torch(versao), "Instalando o PyTorch"
    if ha_torch_comum(pasta_de_pacotes(versao)):
        return instalador.instalar(["-r", str(TORCH_COMUM)], rotulo, dilatacao=DILATACAO_DO_COMUM)
    try:
        return instalador.instalar(pedido, rotulo, dilatacao=4)
    except Aviso as aviso:
        if aviso.causa != "pacote" or not sys.platform.startswith("linux"):
            raise
    try:
        instalador.instalar(pedido, rotulo, indice=INDICE_DO_TORCH, dilatacao=4)
    except Aviso as aviso:
        if aviso.causa not in SEM_RESPOSTA:
            raise
        instalar_torch_comum(instalador, rotulo)


def instalar_torch_comum(instalador: Instalador, rotulo: str) -> None:
    """Há rede, porque os pacotes vieram; o que não se alcança é o índice do PyTorch, como atrás de um espelho."""
    exigir_espaco(ESPACO_TORCH_COMUM, ", porque o índice do PyTorch não responde e o torch do índice comum é maior")
    print(
        "O índice do PyTorch não responde; instalo o torch do índice comum, que traz também o que só serve a placas de "
        "vídeo: são 2,7 GB para baixar em vez de 0,2, e o curso ocupa 5,5 GB em vez de 1,5.",
        flush=True,
    )
    try:
        instalador.instalar(["-r", str(TORCH_COMUM)], rotulo, dilatacao=DILATACAO_DO_COMUM)
    except Aviso as aviso:
        if aviso.causa != "pacote":
            raise
        raise Aviso(
            f"Há internet, mas o índice do PyTorch não responde e o índice de pacotes deste computador não tem o torch "
            f"{numero_do_torch()} para este Python; instale em outra rede, ou peça-o a quem cuida desse índice "
            f"(detalhes: {DIARIO}).",
            causa="pacote",
        ) from None


def garantir_venv(selo: dict[str, Any], versao: str | None, aberta: IO[str]) -> str:
    """Cria `.venv`, ou refaz o que não serve mais; devolve a versão do Python dele."""
    serve = versao in PYTHONS and selo.get("python", versao) == versao
    if versao and serve and any(pasta_de_pacotes(versao).glob("pip-*.dist-info/RECORD")):
        exigir_espaco(ESPACO_DIFERENCA)
        return versao
    exigir_venv()
    exigir_espaco(ESPACO_NOVO)
    print(
        "O ambiente em .venv não serve mais (o Python dele mudou ou sumiu); refaço do zero."
        if selo
        else "Vou instalar o curso na pasta .venv. São uns 530 MB para baixar, só desta vez, e 1,5 GB no disco.",
        flush=True,
    )
    if not selo and (outra := atualizar.ao_lado(RAIZ)):
        print(
            f"Se você já fazia o curso em {outra}, as suas listas continuam lá, e não é preciso instalar de novo: "
            "pare com Ctrl-C e, naquela pasta, rode python curso.py atualizar e o caminho do zip novo.",
            flush=True,
        )
    # quem roda pode ser o próprio .venv, prestes a ser apagado; o Python de base fica fora dele
    base = getattr(sys, "_base_executable", None) or sys.executable
    if VENV.is_dir():
        shutil.rmtree(VENV)
    VENV.mkdir()
    embutido = pip_embutido()
    sem_pip = ["--without-pip"] if embutido else []
    acompanhar([base, "-m", "venv", *sem_pip, str(VENV)], "Criando o ambiente", aberta, ambiente())
    criado = versao_do_venv()
    if criado is None:
        raise Aviso(f"O Python que acabo de pôr em {VENV} não roda; apague essa pasta e rode de novo com outro Python.")
    if embutido:
        por_o_pip(embutido, pasta_de_pacotes(criado))
    return criado


def pip_embutido() -> Path | None:
    """O arquivo do pip que vem com o Python; o Debian e o Fedora o guardam em outra pasta."""
    import ensurepip

    pastas = [sysconfig.get_config_var("WHEEL_PKG_DIR"), os.path.join(os.path.dirname(ensurepip.__file__), "_bundled")]
    achados = [arquivo for pasta in pastas if pasta for arquivo in sorted(Path(pasta).glob("pip-*.whl"))]
    return achados[-1] if achados else None


def por_o_pip(embutido: Path, site: Path) -> None:
    """Um pip que basta para trazer o uv; o do lock toma o lugar dele. O venv o compilaria inteiro, e demora."""
    with zipfile.ZipFile(embutido) as arquivo:
        arquivo.extractall(site)
    registro = next(site.glob("pip-*.dist-info"))
    (registro / "INSTALLER").write_text("curso\n")
    with open(registro / "RECORD", "a", encoding="utf-8") as lista:
        lista.write(f"{registro.name}/INSTALLER,,\n")


def desfazer_metades(site: Path, conteudo: bool = False) -> list[str]:
    """Apaga o registro do que não está inteiro, para que seja instalado de novo; devolve os nomes.

    Quem instala grava RECORD por último; sem ele, ou com arquivo faltando ou truncado, o pacote ficou pela metade. Com
    `conteudo`, compara também os hashes.
    """
    for resto in site.glob("~*"):
        shutil.rmtree(resto, ignore_errors=True)
    estragados = [registro for registro in sorted(site.glob("*.dist-info")) if not esta_inteiro(registro, conteudo)]
    for registro in estragados:
        shutil.rmtree(registro)
    if estragados:  # o uv liga os arquivos do cache em vez de copiá-los: lá também estariam estragados
        shutil.rmtree(CACHE, ignore_errors=True)
    return [registro.name.split("-")[0] for registro in estragados]


def esta_inteiro(registro: Path, conteudo: bool = False) -> bool:
    try:
        with open(registro / "RECORD", encoding="utf-8", newline="") as arquivo:
            todas = list(csv.reader(arquivo))
        linhas = [linha for linha in todas if len(linha) == 3 and linha[2]]
        # os programas de bin/ mudam quando a pasta muda de lugar (acertar_caminhos): basta que existam
        fora = [linha for linha in linhas if linha[0].startswith("..")]
        dentro = [linha for linha in linhas if not linha[0].startswith("..")]
        pasta = registro.parent
        return (
            # o uv põe de saída o RECORD que veio no pacote; o que ele grava no fim diz também quem instalou
            any(linha and linha[0].endswith("/INSTALLER") for linha in todas)
            and all((pasta / nome).exists() for nome, _, _ in fora)
            and all(os.path.getsize(pasta / nome) == int(tamanho) for nome, _, tamanho in dentro)
            and (not conteudo or all(resumo_do_arquivo(pasta / nome) == hash_ for nome, hash_, _ in dentro))
        )
    except OSError:
        return False


def resumo_do_arquivo(caminho: Path) -> str:
    """O SHA-256 como RECORD o escreve."""
    with open(caminho, "rb") as arquivo:
        resumo = hashlib.file_digest(arquivo, "sha256").digest()
    return "sha256=" + base64.urlsafe_b64encode(resumo).rstrip(b"=").decode()


def ligar_pasta(versao: str) -> None:
    """O que `.venv` precisa saber do curso; é conferido a cada partida, porque a pasta pode mudar de lugar."""
    site = pasta_de_pacotes(versao).resolve()
    # um .pth relativo: `import helpers` funciona de qualquer pasta
    escrever(site / "curso.pth", os.path.relpath(RAIZ, site) + "\n")
    # sem isto o ipykernel avisa em inglês, a cada notebook aberto, que a conexão local não é cifrada
    escrever(VENV / "etc/ipython/ipython_kernel_config.py", "c = get_config()\nc.IPKernelApp.log_level = 'ERROR'\n")


def escrever(arquivo: Path, texto: str) -> None:
    if not arquivo.is_file() or arquivo.read_text() != texto:
        arquivo.parent.mkdir(parents=True, exist_ok=True)
        arquivo.write_text(texto)


def acertar_caminhos(selo: dict[str, Any]) -> dict[str, Any]:
    """A pasta do curso mudou de lugar: os programas de `.venv/bin` ainda guardam o caminho antigo."""
    print("A pasta do curso mudou de lugar; acerto o ambiente.", flush=True)
    antiga, nova = selo.get("pasta", str(VENV)).encode(), str(VENV).encode()
    for programa in (VENV / "bin").glob("*"):  # no Windows não há bin; lá o curso usa sempre `python -m`
        if programa.is_file() and not programa.is_symlink():
            conteudo = programa.read_bytes()
            if antiga in conteudo and b"\0" not in conteudo:
                programa.write_bytes(conteudo.replace(antiga, nova))
    gravar_selo(**{**selo, "pasta": str(VENV)})
    return ler_selo()


@contextlib.contextmanager
def trava() -> Iterator[IO[str]]:
    """Uma instalação por vez: a segunda janela espera a primeira."""
    with open(RAIZ / ".venv.trava", "a") as aberta:
        if not tentar_trava(aberta):
            print("Outra janela está instalando o curso; espero ela terminar.", flush=True)
            while not tentar_trava(aberta):
                time.sleep(0.3)
        yield aberta


def tentar_trava(aberta: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(aberta.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(aberta.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as erro:
        return not (WINDOWS or isinstance(erro, BlockingIOError))  # disco sem travas: segue sem elas
    return True
