"""O uv, que instala, e o pip, que traz o uv e faz o trabalho dele onde ele não roda.

O uv não lê a configuração do pip, e é nela que uma escola ou empresa diz o índice, o certificado e o proxy: o que ela
pede é repassado.
"""

import ast
import os
import re
import shutil
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Mapping, Sequence
from typing import IO

from configuracao.barra import Medida, acompanhar, medida_do_uv
from configuracao.frases import Aviso
from configuracao.lugares import CACHE, LOCKS, programa_do_venv, python_do_venv

# Só o que já vem pronto: compilar um pacote pediria um compilador. Os .pyc nascem no primeiro uso; fazê-los todos aqui
# leva mais tempo do que a instalação inteira.
OPCOES = ("--no-deps", "--only-binary", ":all:")
OPCOES_DO_PIP = (*OPCOES, "--no-user", "--no-compile", "--progress-bar", "off")


def ambiente() -> dict[str, str]:
    """As variáveis dos processos filhos, sem as que puxariam pacotes de outro lugar ou impediriam os .pyc."""
    fora = {"PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_ROOT", "__PYVENV_LAUNCHER__"}
    fora |= {"PYTHONDONTWRITEBYTECODE"}
    variaveis = {nome: valor for nome, valor in os.environ.items() if nome not in fora}
    return {**variaveis, "PYTHONUTF8": "1", "PYTHONNOUSERSITE": "1"}


class Instalador:
    """Instala em `.venv` com o uv ou, onde ele não roda, com o pip. `aberta` é a trava, que os filhos herdam."""

    def __init__(self, aberta: IO[str]):
        self.aberta = aberta
        self.uv = self._trazer_o_uv()
        self.do_pip = configuracao_do_pip() if self.uv else {}

    def instalar(
        self,
        pedidos: Sequence[str],
        rotulo: str,
        *,
        indice: str | None = None,
        dilatacao: float = 1.2,
        medida: Medida | None = None,
    ) -> None:
        """`pedidos` como o uv e o pip os aceitam; `indice` no lugar do configurado; `medida`, a do pip."""
        pedidos = [*pedidos, *(["--require-hashes"] if "-r" in pedidos else [])]
        if self.uv:
            try:
                return self._com_o_uv(["install", *OPCOES, *pedidos], rotulo, indice, medida_do_uv(dilatacao))
            except Aviso as aviso:
                # um certificado, uma senha, ou um caso que ninguém previu: o pip, que trouxe o uv, talvez passe
                if aviso.codigo == 130 or aviso.causa not in ("", "certificado", "acesso"):
                    raise
                print("O uv não conseguiu; tento de novo com o pip, que demora mais.", flush=True)
        self._com_o_pip([*pedidos, *(["--index-url", indice] if indice else [])], rotulo, medida)

    def tirar(self, nomes: Sequence[str]) -> None:
        rotulo = "Tirando o que saiu do curso"
        if self.uv:
            return self._com_o_uv(["uninstall", *nomes], rotulo)
        comando = [*comando_do_pip(), "uninstall", "--yes", *nomes]
        acompanhar(comando, rotulo, self.aberta, variaveis_do_pip())

    def _trazer_o_uv(self) -> str | None:
        """O caminho do uv, ou None se não há um para este computador."""
        try:
            self._com_o_pip(["--require-hashes", "-r", str(LOCKS / "instalador.lock")], "Preparando o instalador")
        except Aviso as aviso:
            if aviso.causa != "pacote":
                raise
        uv = str(programa_do_venv("uv"))
        try:
            if subprocess.run([uv, "--version"], capture_output=True, timeout=60).returncode == 0:
                return uv
        except (OSError, subprocess.TimeoutExpired):
            pass
        print("O uv não roda neste computador; instalo com o pip, que demora mais.", flush=True)
        return None

    def _com_o_uv(
        self, argumentos: Sequence[str], rotulo: str, indice: str | None = None, medida: Medida | None = None
    ) -> None:
        for sobra in CACHE.glob("uv/.tmp*"):  # de uma instalação interrompida; enganaria a barra
            shutil.rmtree(sobra, ignore_errors=True)
        opcoes, variaveis = para_o_uv(self.do_pip)
        if indice:
            variaveis["UV_DEFAULT_INDEX"] = indice
            variaveis.pop("UV_INDEX", None)
        verbo, *resto = argumentos
        # --no-config: nem o uv.toml da pessoa nem o pyproject.toml mudam o que é instalado
        comando = [str(self.uv), "--no-config", "--color", "never", "pip", verbo, "--python", str(python_do_venv())]
        comando += [*(opcoes if verbo == "install" else []), *resto]
        acompanhar(comando, rotulo, self.aberta, variaveis, medida)

    def _com_o_pip(self, pedidos: Sequence[str], rotulo: str, medida: Medida | None = None) -> None:
        comando = [*comando_do_pip(), "install", *OPCOES_DO_PIP, *pedidos]
        acompanhar(comando, rotulo, self.aberta, variaveis_do_pip(), medida)


# ------------------------------------------------------------ o pip


def comando_do_pip(python: str | None = None) -> list[str]:
    opcoes = ["-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    return [python or str(python_do_venv()), *opcoes]


def variaveis_do_pip() -> dict[str, str]:
    """O que o pip baixa e abre fica na pasta do curso: nem a pasta pessoal nem /tmp se enchem."""
    rascunho = CACHE / "tmp"
    rascunho.mkdir(parents=True, exist_ok=True)
    return {
        **ambiente(),
        "PIP_CACHE_DIR": str(CACHE / "pip"),
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(rascunho)),
    }


def configuracao_do_pip() -> dict[str, str]:
    """As opções que valem para `pip install`, dos arquivos e das variáveis PIP_*; as últimas mandam."""
    comando = [str(python_do_venv()), "-m", "pip", "config", "list"]
    feito = subprocess.run(comando, capture_output=True, text=True, encoding="utf-8", env=ambiente())
    lidas: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for secao, nome, valor in re.findall(r"(?m)^(\S+?)\.([\w-]+)=(.+)$", feito.stdout):
        if secao in lidas and (texto := ast.literal_eval(valor).strip()):
            lidas[secao][nome] = texto
    return {**lidas["global"], **lidas["install"], **lidas[":env:"]}


# ------------------------------------------------------------ do pip para o uv


def para_o_uv(do_pip: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """As opções e as variáveis com que o uv busca onde o pip buscaria. Endereços, só nas variáveis: podem ter senha."""
    # o pip procura em todos os índices; o uv, só no primeiro que conhece o pacote, se não se pede outra coisa
    opcoes = ["--index-strategy", "unsafe-best-match"]
    if do_pip.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        opcoes.append("--no-index")
    for lugar in do_pip.get("find-links", "").split():
        opcoes += ["--find-links", lugar]
    variaveis = {nome: valor for nome, valor in ambiente().items() if not nome.startswith("UV_")}
    variaveis.update(
        UV_CACHE_DIR=str(CACHE / "uv"),
        UV_PYTHON_DOWNLOADS="never",
        UV_HTTP_RETRIES="2",
    )
    traducao = {
        "index-url": "UV_DEFAULT_INDEX",
        "extra-index-url": "UV_INDEX",
        "trusted-host": "UV_INSECURE_HOST",
        "client-cert": "SSL_CLIENT_CERT",
    }
    variaveis.update({traducao[nome]: " ".join(valor.split()) for nome, valor in do_pip.items() if nome in traducao})
    if segundos := do_pip.get("timeout") or do_pip.get("default-timeout"):
        variaveis["UV_HTTP_TIMEOUT"] = segundos.split(".")[0]
    for protocolo, endereco in urllib.request.getproxies().items():  # no Windows e no macOS, os do sistema
        if protocolo in ("http", "https"):
            variaveis.setdefault(f"{protocolo}_proxy", endereco)
    if "proxy" in do_pip:
        variaveis.update(dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), do_pip["proxy"]))
    return opcoes, {**variaveis, **certificados(do_pip, variaveis)}


def certificados(do_pip: Mapping[str, str], variaveis: Mapping[str, str]) -> dict[str, str]:
    """Os do pip: o arquivo que lhe foi dado, os do sistema ou, onde não há, os que vêm com o programa."""
    do_requests = variaveis.get("REQUESTS_CA_BUNDLE") or variaveis.get("CURL_CA_BUNDLE")
    proprio = do_pip.get("cert") or do_requests
    if proprio:
        return {"SSL_CERT_DIR" if os.path.isdir(proprio) else "SSL_CERT_FILE": proprio}
    caminhos = ssl.get_default_verify_paths()
    ha_no_sistema = sys.platform in ("win32", "darwin") or caminhos.cafile or caminhos.capath
    return {"UV_SYSTEM_CERTS": "1"} if ha_no_sistema else {}
