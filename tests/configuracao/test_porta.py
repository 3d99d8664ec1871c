"""A porta do curso: o que a pessoa vê na primeira vez, na segunda, e quando algo dá errado.

Nada aqui usa a rede: a instalação é testada numa cópia do curso com um lock de pacotes minúsculos, feitos na hora.
"""

import ast
import base64
import functools
import hashlib
import http.server
import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import zipfile
from collections import namedtuple
from importlib import metadata
from pathlib import Path

import pytest
from conftest import RAIZ

from configuracao import barra, computador, frases, instalar

SAO_UNIX = os.name != "nt"
LINUX = sys.platform.startswith("linux")


def carregar(nome, arquivo):
    especificacao = importlib.util.spec_from_file_location(nome, arquivo)
    modulo = importlib.util.module_from_spec(especificacao)
    especificacao.loader.exec_module(modulo)
    return modulo


def rodar(pasta, *argumentos, **variaveis):
    """Roda o curso.py de uma pasta como a pessoa faria e devolve código, saída e erro."""
    ambiente = {nome: valor for nome, valor in os.environ.items() if not nome.startswith(("PIP_", "CONDA_"))}
    ambiente.update({"PIP_CONFIG_FILE": os.devnull, **variaveis})
    return subprocess.run(
        [sys.executable, str(pasta / "curso.py"), *argumentos],
        env=ambiente,
        text=True,
        encoding="utf-8",
        capture_output=True,
        timeout=300,
    )


def frase_de(feito, codigo=1):
    """O erro é uma frase só, sem rastro do Python, e o código de saída não é zero."""
    assert feito.returncode == codigo, feito.stdout + feito.stderr
    linhas = feito.stderr.strip().splitlines()
    assert len(linhas) == 1, feito.stderr
    assert "Traceback" not in feito.stderr
    return linhas[0]


# ------------------------------------------------------------ sem instalar nada


def test_um_python_antigo_consegue_ler_o_arquivo():
    ast.parse((RAIZ / "curso.py").read_text(encoding="utf-8"), feature_version=(3, 6))


def test_python_antigo_recebe_uma_frase():
    programa = (
        "import runpy, sys; sys.version_info = (3, 8, 10, 'final', 0); "
        f"runpy.run_path({str(RAIZ / 'curso.py')!r}, run_name='__main__')"
    )
    feito = subprocess.run([sys.executable, "-c", programa, "lab"], capture_output=True, text=True, encoding="utf-8")
    assert "pede Python 3.11 ou mais novo e este é o 3.8" in frase_de(feito)


@pytest.mark.parametrize(
    "dele, trecho",
    [
        ({"versao": "3.15"}, "ainda não existe para o Python 3.15"),
        ({"bits": 32}, "32 bits"),
        ({"sistema": "darwin", "maquina": "x86_64", "macos": "15.1"}, "Mac com processador Intel"),
        ({"sistema": "darwin", "maquina": "arm64", "macos": "13.7"}, "pede macOS 14"),
    ],
)
def test_computador_que_nao_serve_recebe_uma_frase_antes_de_baixar(dele, trecho):
    with pytest.raises(instalar.Aviso, match=trecho):
        computador.exigir_sistema(**dele)


@pytest.mark.parametrize(
    "dele",
    [
        {"sistema": "linux", "maquina": "x86_64"},
        {"sistema": "win32", "maquina": "AMD64", "versao": "3.14"},
        {"sistema": "darwin", "maquina": "arm64", "macos": "14.0"},
    ],
)
def test_computador_comum_serve(dele):
    computador.exigir_sistema(**dele)


def test_disco_cheio_e_dito_antes_de_baixar(monkeypatch):
    livre = namedtuple("uso", "total used free")(10**11, 10**11, 4 * 10**8)
    monkeypatch.setattr(computador.shutil, "disk_usage", lambda pasta: livre)
    with pytest.raises(instalar.Aviso, match="precisa de 3,2 GB livres em .* e há 0,4 GB"):
        computador.exigir_espaco(computador.ESPACO_NOVO)


def test_python_sem_venv_diz_o_pacote_do_debian(monkeypatch):
    monkeypatch.setattr(computador.importlib.util, "find_spec", lambda nome: None if nome == "ensurepip" else object())
    with pytest.raises(instalar.Aviso, match="módulo ensurepip.*sudo apt install python3-venv"):
        computador.exigir_venv()


DITO_PELO_PIP = [
    ("OSError: [Errno 28] No space left on device", "disco encheu"),
    ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "não é o que o curso espera"),
    ("urllib3.exceptions.IncompleteRead: IncompleteRead(9 bytes read, 7 more expected)", "internet"),
    ("Retrying after connection broken by 'NewConnectionError: Failed to establish a new connection'", "internet"),
    ("Temporary failure in name resolution", "internet"),
    ("Retrying after connection broken by 'SSLError(SSLCertVerificationError)'", "outra rede"),
    ("ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: 'x'", "escrever em .venv"),
    ("ERROR: No matching distribution found for numpy==9.9", "pacote numpy==9.9"),
    ("algo que ninguém previu", "mande ao instrutor"),
]
DA_REDE = "error: Request failed after 2 retries in 3s\n  cause: Failed to fetch: http://x/simple/six/\n  cause: "
SEM_SOLUCAO = "error: No solution found when resolving dependencies\n  cause: Because "
DITO_PELO_UV = [  # o que o uv 0.13 escreveu, em cada uma destas situações, de verdade
    (f"{DA_REDE}client error (Connect)\n  cause: tcp connect error\n  cause: Connection refused", "internet"),
    (f"{DA_REDE}dns error\n  cause: failed to lookup address information: Name or service not known", "internet"),
    (f"{DA_REDE}tunnel error: failed to create underlying connection\n  cause: tcp connect error", "internet"),
    (f"{DA_REDE}client error (Connect)\n  cause: tunnel error: proxy authorization required", "internet"),
    (f"{DA_REDE}operation timed out", "internet"),
    (f"{DA_REDE}HTTP status server error (500 Internal Server Error) for url (http://x/simple/six/)", "internet"),
    ("  cause: error decoding response body\n  cause: end of file before message length reached", "internet"),
    ("  cause: Failed to download distribution due to network timeout. Try increasing UV_HTTP_TIMEOUT", "internet"),
    ("error: Failed to fetch: https://x/\n  cause: invalid peer certificate: UnknownIssuer", "outra rede"),
    ("error: Failed to download `six==1.17.0`\n  cause: Hash mismatch for `six==1.17.0`", "não é o que o curso espera"),
    ("  cause: failed to write to file `x`: No space left on device (os error 28)", "disco encheu"),
    ("  cause: failed to write to file `x`: Não há espaço suficiente no disco. (os error 112)", "disco encheu"),
    ("  cause: failed to create directory `/x`: Permission denied (os error 13)", "escrever em .venv"),
    ("  cause: failed to remove file `x`: Acesso negado. (os error 5)", "escrever em .venv"),
    (f"{SEM_SOLUCAO}there is no version of six==99.0 and you require six==99.0, we can", "pacote six==99.0"),
    (f"{SEM_SOLUCAO}x-y was not found in the package registry and you require x-y==1.0, we can", "pacote x-y==1.0"),
    (
        f"{SEM_SOLUCAO}six was not found in the package registry and you require six==1.17.0, we can\n\n"
        "hint: An index (http://x/simple) returned a 403 Forbidden error.",
        "recusou o acesso",
    ),
    (f"{SEM_SOLUCAO}x has no wheels and you require x{{os_name == 'nt'}}==1.0, we can", "o pacote x==1.0 para"),
    (f"{SEM_SOLUCAO}numpy==2.4.6 has no usable wheels and you require numpy==2.4.6, we can", "pacote numpy==2.4.6"),
]


@pytest.mark.parametrize("dito, trecho", DITO_PELO_PIP + DITO_PELO_UV)
def test_cada_falha_vira_uma_frase_com_o_caminho_dos_detalhes(dito, trecho):
    frase = str(frases.explicar(f"Resolved 3 packages in 2ms\n{dito}\n"))
    assert trecho in frase and "instalacao.log" in frase and "\n" not in frase


def test_a_barra_conta_os_megabytes_que_o_uv_baixou(monkeypatch):
    monkeypatch.setattr(barra.Vigia, "mb", lambda self: 60.0)  # o que o uv já abriu do que ainda baixa
    medir = barra.medida_do_uv(dilatacao=1.2)
    linhas = ["Resolved 9 packages in 1s\n"]
    assert medir(linhas) == (None, "60 MB abertos")
    linhas += ["Downloading modelo (95.4MiB)\n", "Downloading numpy (19.1MiB)\n"]
    assert medir(linhas) == (pytest.approx(50 / 120, abs=1e-3), "50 de 120 MB")
    linhas += [" Downloaded numpy\n"]
    assert medir(linhas) == (pytest.approx(70 / 120, abs=1e-3), "70 de 120 MB")
    assert medir([*linhas, " Downloaded modelo\n", "Prepared 9 packages in 3s\n"]) == (1.0, "instalando")


def test_a_barra_nao_anda_para_tras(monkeypatch):
    abertos = iter([90.0, 0.0])
    monkeypatch.setattr(barra.Vigia, "mb", lambda self: next(abertos))
    medir = barra.medida_do_uv(dilatacao=1.2)
    linhas = ["Downloading modelo (95.4MiB)\n", "Downloading numpy (19.1MiB)\n"]
    assert medir(linhas)[1] == "75 de 120 MB"
    assert medir([*linhas, " Downloaded numpy\n"])[1] == "75 de 120 MB"


def test_a_barra_nunca_promete_mais_do_que_ha(monkeypatch):
    monkeypatch.setattr(barra.Vigia, "mb", lambda self: 10_000.0)
    parte, texto = barra.medida_do_uv(dilatacao=4)(["Downloading torch (95.4MiB)\n"])
    assert parte == pytest.approx(0.99) and texto == "99 de 100 MB"


def test_a_barra_do_pip_conta_os_pacotes():
    medir = barra.medida_do_pip(4, lambda: 9)
    assert medir(["Collecting a\n", "  Downloading a.whl\n", "Collecting b\n"]) == (0.25, "baixando 2/4")
    assert medir(["Collecting a\n", "Installing collected packages: a\n"]) == (1.0, "instalando 4/4")


def test_comando_desconhecido_sugere_o_parecido():
    frase = frase_de(rodar(RAIZ, "lba"), 2)
    assert "“lba”" in frase and "“lab”" in frase and "curso.py ajuda" in frase


def test_opcao_desconhecida_sugere_a_parecida():
    frase = frase_de(rodar(RAIZ, "lab", "--sem-navegado"), 2)
    assert "“--sem-navegador”" in frase


@pytest.mark.parametrize(
    "pedido, problema",
    [
        (["conferir"], "Falta LISTA"),
        (["conferir", "01", "02"], "Sobra “02”"),
        (["lab", "instrutor"], "Sobra “instrutor”"),
    ],
)
def test_pedido_incompleto_diz_o_problema_e_mostra_o_uso(pedido, problema):
    frase = frase_de(rodar(RAIZ, *pedido), 2)
    assert frase.startswith(problema) and f"; use assim: python curso.py {pedido[0]}" in frase


@pytest.mark.parametrize("pedido", [[], ["ajuda"], ["--help"], ["-h"]])
def test_a_ajuda_e_em_portugues_e_lista_os_comandos(pedido):
    feito = rodar(RAIZ, *pedido)
    assert feito.returncode == 0 and feito.stdout.startswith("uso: python curso.py")
    assert all(f"\n  {comando} " in feito.stdout for comando in ("lab", "conferir", "gerar", "pacote", "testar"))


@pytest.mark.parametrize("comando", ["lab", "conferir", "gerar", "pacote", "testar"])
def test_cada_comando_tem_ajuda_em_portugues_sem_instalar_nada(comando):
    feito = rodar(RAIZ, comando, "--help")
    assert feito.returncode == 0 and feito.stdout.startswith(f"uso: python curso.py {comando}")
    assert "usage" not in feito.stdout and "opções:" in feito.stdout


def test_no_pacote_do_aluno_os_comandos_do_instrutor_dizem_isso(tmp_path):
    copiar_curso(tmp_path)
    shutil.rmtree(tmp_path / "gabarito", ignore_errors=True)
    frase = frase_de(rodar(tmp_path, "gerar"), 2)
    assert "este comando é do instrutor e não vem no pacote do aluno" in frase
    assert "gerar" not in rodar(tmp_path, "ajuda").stdout


def test_o_ambiente_da_conda_com_as_versoes_do_curso_e_usado_como_esta(monkeypatch):
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    assert instalar.python_da_conda() is None
    monkeypatch.setenv("CONDA_PREFIX", sys.prefix)
    assert instalar.python_da_conda() == sys.executable
    monkeypatch.setattr(instalar.metadata, "version", lambda nome: "0.0.1")
    assert instalar.python_da_conda() is None


def test_o_jupyter_do_curso_nao_depende_da_pasta_pessoal(monkeypatch):
    monkeypatch.setenv("JUPYTER_PATH", "outro-lugar")
    monkeypatch.setenv("PYTHONPATH", "outro-lugar")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # sem os .pyc, cada processo compilaria o torch de novo
    curso = carregar("curso_em_teste", RAIZ / "curso.py")
    aluno, instrutor = curso.ambiente(), curso.ambiente(instrutor=True)
    assert not {"JUPYTER_PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"} & set(aluno)
    assert aluno["JUPYTER_CONFIG_PATH"] == str(RAIZ / "configuracao" / "jupyter")
    assert instrutor["JUPYTER_CONFIG_PATH"].split(os.pathsep)[0] == str(RAIZ / "configuracao" / "instrutor")
    assert Path(aluno["JUPYTER_CONFIG_DIR"]).parent == RAIZ and aluno["PYTHONUTF8"] == "1"


def test_as_extensoes_que_pedem_uma_pasta_de_troca_ficam_desligadas():
    def ligadas(perfil):
        pasta = RAIZ / "configuracao" / perfil
        servidor = json.loads((pasta / "jupyter_server_config.d" / "nbgrader.json").read_text())
        tela = json.loads((pasta / "labconfig" / "page_config.json").read_text())["disabledExtensions"]
        return servidor["ServerApp"]["jpserver_extensions"], tela

    servidor, fora_da_tela = ligadas("jupyter")
    assert servidor["helpers.conferencia.botao"] and not servidor["nbgrader.server_extensions.validate_assignment"]
    for nome in ("assignment_list", "course_list", "formgrader"):
        assert servidor[f"nbgrader.server_extensions.{nome}"] is False
        assert fora_da_tela[f"@jupyter/nbgrader:{nome.replace('_', '-')}"] is True
    servidor, fora_da_tela = ligadas("instrutor")
    assert servidor == {"correcao.devolucao.formgrader": True}  # a do nbgrader, em português
    assert not any(fora_da_tela.values())


def test_o_quadro_soma_os_relatorios_do_pytest(tmp_path, capsys):
    testar = carregar("testar_em_teste", RAIZ / "configuracao" / "testar.py")
    (tmp_path / "r.xml").write_text(
        '<testsuites><testsuite tests="9" failures="1" errors="1" skipped="2"/></testsuites>'
    )
    assert testar.contar(tmp_path / "r.xml") == "5 passaram, 2 falharam, 2 não rodaram"
    assert testar.contar(tmp_path / "nenhum.xml") == "o pytest parou antes do fim"
    assert testar.quadro([("estilo", True, "", 1.0), ("aulas", False, "1 falhou", 2.0)]) == 1
    assert "Falhou: aulas." in capsys.readouterr().out
    assert testar.quadro([("estilo", True, "", 1.0)]) == 0


# ------------------------------------------------------------ instalando pacotes minúsculos, sem rede


def copiar_curso(destino):
    shutil.copy(RAIZ / "curso.py", destino)
    shutil.copy(RAIZ / "pyproject.toml", destino)
    shutil.copytree(RAIZ / "configuracao", destino / "configuracao", ignore=shutil.ignore_patterns("__pycache__"))
    for lock in (destino / "configuracao" / "locks").iterdir():
        lock.write_text("")
    (destino / "helpers" / "conferencia").mkdir(parents=True)
    (destino / "helpers" / "__init__.py").touch()
    (destino / "helpers" / "conferencia" / "comando.py").write_text(
        "import sys\nfrom importlib import metadata as m\n"
        "print('rodou', sorted((d.name, d.version) for d in m.distributions() if d.name.startswith(('pac', 'torch'))))"
    )


def fazer_wheel(pasta, nome, versao, programa=None):
    """Um pacote de um módulo e um programa; devolve a linha dele no lock."""
    registro = f"{nome}-{versao}.dist-info"
    arquivos = {
        f"{nome}.py": f"versao = {versao!r}\n",
        f"{registro}/METADATA": f"Metadata-Version: 2.1\nName: {nome}\nVersion: {versao}\n",
        f"{registro}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{registro}/entry_points.txt": "" if programa else f"[console_scripts]\n{nome} = {nome}:versao\n",
    }
    linhas = [f"{caminho},sha256={resumo(texto)},{len(texto)}\n" for caminho, texto in arquivos.items()]
    arquivos[f"{registro}/RECORD"] = "".join(linhas) + f"{registro}/RECORD,,\n"
    wheel = pasta / f"{nome}-{versao}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as zip_:
        for caminho, texto in arquivos.items():
            zip_.writestr(caminho, texto)
        if programa:
            zip_.write(programa, f"{nome}-{versao}.data/scripts/{programa.name}")
    return f"{nome}=={versao} \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def resumo(texto):
    return base64.urlsafe_b64encode(hashlib.sha256(texto.encode()).digest()).rstrip(b"=").decode()


TORCH = "2.13.0+cpu" if LINUX else "2.13.0"
UV = metadata.version("uv"), Path(sysconfig.get_path("scripts"), "uv" if SAO_UNIX else "uv.exe")


@pytest.fixture(scope="module")
def loja(tmp_path_factory):
    """Uma pasta de wheels: pac_a, pac_b em duas versões, pac_c, pac_d, um torch de mentira e o uv de verdade."""
    pasta = tmp_path_factory.mktemp("wheels")
    linhas = {
        pino: fazer_wheel(pasta, *pino)
        for pino in [("pac_a", "1.0"), ("pac_b", "1.0"), ("pac_b", "2.0"), ("pac_c", "1.0"), ("pac_d", "1.0")]
    }
    linhas["torch"] = fazer_wheel(pasta, "torch", TORCH)
    linhas["uv"] = fazer_wheel(pasta, "uv", UV[0], UV[1])
    return pasta, linhas


@pytest.fixture(scope="module")
def modelo(tmp_path_factory, loja):
    """Um curso já instalado, uma vez por módulo; os testes trabalham em cópias dele."""
    pasta = tmp_path_factory.mktemp("modelo")
    preparar_pasta(pasta, loja)
    (pasta / "casa").mkdir()
    return pasta, rodar_com_loja(pasta, loja, HOME=str(pasta / "casa"))


def preparar_pasta(pasta, loja):
    copiar_curso(pasta)
    pedir(pasta, loja, ("pac_a", "1.0"), ("pac_b", "1.0"), ("pac_c", "1.0"))
    aqui = f"sys_platform == '{sys.platform}' and platform_machine == '{platform.machine()}'"
    aqui += f" and python_version == '{sys.version_info[0]}.{sys.version_info[1]}'"
    por_na_pasta(pasta, "torch", loja[1]["torch"].replace(" \\", f" ; {aqui} \\"))
    por_na_pasta(pasta, "instalador", loja[1]["uv"])


def por_na_pasta(pasta, lock, texto):
    (pasta / "configuracao" / "locks" / f"{lock}.lock").write_text(texto)


def pedir(pasta, loja, *pinos):
    por_na_pasta(pasta, "curso", "".join(loja[1][pino] for pino in pinos))


def rodar_com_loja(pasta, loja, *comando, **variaveis):
    comando = comando or ("conferir", "lista")
    return rodar(pasta, *comando, **{"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(loja[0]), **variaveis})


def instalados(feito):
    assert feito.returncode == 0, feito.stdout + feito.stderr
    linha = next(linha for linha in feito.stdout.splitlines() if linha.startswith("rodou "))
    return dict(ast.literal_eval(linha.removeprefix("rodou ")))


@pytest.fixture
def curso(modelo, tmp_path):
    """Uma cópia do curso instalado, com a mudança de pasta já acertada por uma primeira partida."""
    pasta = tmp_path / "cópia do curso"  # espaço e acento: pastas assim existem
    shutil.copytree(modelo[0], pasta, symlinks=True)
    rodar(pasta, "conferir", "lista")
    return pasta


def sitio(pasta):
    return next(pasta.glob(".venv/lib/python3.*/site-packages" if SAO_UNIX else ".venv/Lib/site-packages"))


def diario(pasta):
    return (pasta / ".venv" / "instalacao.log").read_text(encoding="utf-8")


TUDO = {"pac_a": "1.0", "pac_b": "1.0", "pac_c": "1.0", "torch": TORCH}
SEM_UV = "O uv não roda neste computador; instalo com o pip"


@pytest.mark.lento
def test_a_primeira_vez_instala_tudo_e_roda_o_comando(modelo):
    pasta, feito = modelo
    assert instalados(feito) == TUDO
    assert "Instalando os pacotes…" in feito.stdout and "Resolved" not in feito.stdout and SEM_UV not in feito.stdout
    assert "Ambiente pronto em" in feito.stdout
    assert "+ pac-a==1.0" in diario(pasta) and f"+ torch=={TORCH}" in diario(pasta)  # é o uv quem fala assim
    assert json.loads((pasta / ".venv" / "curso.json").read_text())["completo"] is True


@pytest.mark.lento
def test_do_que_se_baixa_nada_fica_no_cache_nem_na_pasta_pessoal(modelo):
    assert not (modelo[0] / ".venv" / "cache").exists()
    assert not {".cache", ".config", ".local", "uv"} & {p.name for p in (modelo[0] / "casa").iterdir()}


@pytest.mark.lento
def test_a_segunda_vez_nao_instala_nada(curso):
    antes = diario(curso)
    feito = rodar(curso, "conferir", "lista", PIP_NO_INDEX="1")
    assert len(instalados(feito)) == 4 and feito.stdout.startswith("rodou")
    assert diario(curso) == antes


@pytest.mark.lento
def test_quando_as_versoes_mudam_so_a_diferenca_e_instalada(curso, loja):
    antes = len(diario(curso))
    pedir(curso, loja, ("pac_a", "1.0"), ("pac_b", "2.0"), ("pac_d", "1.0"))
    assert instalados(rodar_com_loja(curso, loja)) == {"pac_a": "1.0", "pac_b": "2.0", "pac_d": "1.0", "torch": TORCH}
    mudancas = re.findall(r"(?m)^ [-+~] (.*)$", diario(curso)[antes:])
    assert sorted(mudancas) == ["pac-b==1.0", "pac-b==2.0", "pac-c==1.0", "pac-d==1.0"]


# ------------------------------------------------------------ o que só alguns comandos usam


@pytest.fixture
def com_correcao(curso, loja):
    """O curso do instrutor: um comando da correção, que mostra o que há, e o grupo que ele usa."""
    (curso / "correcao").mkdir()
    (curso / "correcao" / "__init__.py").touch()
    shutil.copy(curso / "helpers" / "conferencia" / "comando.py", curso / "correcao" / "demo.py")
    por_na_pasta(curso, "correcao", loja[1][("pac_d", "1.0")])
    return curso


@pytest.mark.lento
def test_o_que_so_a_correcao_usa_vem_na_primeira_vez_que_ela_roda_e_fica(com_correcao, loja):
    antes = diario(com_correcao)
    assert instalados(rodar(com_correcao, "conferir", "lista", PIP_NO_INDEX="1")) == TUDO
    assert diario(com_correcao) == antes
    feito = rodar_com_loja(com_correcao, loja, "demo")
    assert instalados(feito) == {**TUDO, "pac_d": "1.0"}
    assert feito.stdout.startswith("Este comando usa mais 1 pacotes; instalo-os agora, só desta vez.\n")
    depois = diario(com_correcao)
    for comando in (("demo",), ("conferir", "lista")):
        assert instalados(rodar(com_correcao, *comando, PIP_NO_INDEX="1"))["pac_d"] == "1.0"
    assert diario(com_correcao) == depois


@pytest.mark.lento
def test_quando_muda_o_lock_de_um_grupo_so_quem_o_tem_instala_de_novo(com_correcao, loja):
    por_na_pasta(com_correcao, "desenvolvimento", loja[1][("pac_b", "2.0")])  # que ninguém pediu
    assert rodar(com_correcao, "conferir", "lista", PIP_NO_INDEX="1").stdout.startswith("rodou")
    rodar_com_loja(com_correcao, loja, "demo")
    por_na_pasta(com_correcao, "correcao", "")
    feito = rodar_com_loja(com_correcao, loja)
    assert instalados(feito) == TUDO and "Tirando o que saiu do curso" in feito.stdout


@pytest.mark.lento
def test_se_um_grupo_nao_vem_uma_frase_o_diz_e_o_resto_continua_a_rodar_sem_rede(com_correcao):
    sem_rede = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    assert "acesso à internet" in frase_de(rodar(com_correcao, "demo", **sem_rede))
    assert instalados(rodar(com_correcao, "conferir", "lista", **sem_rede)) == TUDO


# ------------------------------------------------------------ o torch, onde não se alcança o índice do PyTorch


class InstaladorDeMentira:
    """Guarda o que se pede e falha, a cada índice, com a causa que se disser."""

    def __init__(self, **causas):
        self.causas, self.pedidos = causas, []

    def instalar(self, pedidos, rotulo, *, indice=None, dilatacao=1.2):
        de_onde = "comum" if str(instalar.TORCH_COMUM) in pedidos else "pytorch" if indice else "configurado"
        self.pedidos.append(de_onde)
        if causa := self.causas.get(de_onde):
            raise instalar.Aviso(f"a frase de {de_onde}", causa=causa)


@pytest.fixture
def no_linux(monkeypatch, tmp_path):
    monkeypatch.setattr(instalar.sys, "platform", "linux")
    monkeypatch.setattr(instalar, "pasta_de_pacotes", lambda versao: tmp_path)
    livre = namedtuple("uso", "total used free")(10**12, 0, 10**12)
    monkeypatch.setattr(computador.shutil, "disk_usage", lambda pasta: livre)
    return tmp_path


@pytest.mark.parametrize("causa", ["rede", "certificado", "acesso", "pacote"])
def test_onde_o_indice_do_pytorch_nao_responde_vem_o_torch_do_indice_comum_e_uma_linha_diz(no_linux, capsys, causa):
    instalador = InstaladorDeMentira(configurado="pacote", pytorch=causa)
    instalar.instalar_torch(instalador, "3.13")
    assert instalador.pedidos == ["configurado", "pytorch", "comum"]
    (linha,) = capsys.readouterr().out.splitlines()
    assert linha.startswith("O índice do PyTorch não responde") and "5,5 GB em vez de" in linha


@pytest.mark.parametrize("causa", ["queda", "disco", "hash", "permissao"])
def test_o_que_nao_e_falta_de_resposta_nao_leva_ao_torch_maior(no_linux, causa):
    instalador = InstaladorDeMentira(configurado="pacote", pytorch=causa)
    with pytest.raises(instalar.Aviso, match="a frase de pytorch"):
        instalar.instalar_torch(instalador, "3.13")
    assert "comum" not in instalador.pedidos


def test_sem_rede_nenhuma_a_frase_e_a_da_rede(no_linux):
    for causas in ({"configurado": "rede"}, {"configurado": "pacote", "pytorch": "rede", "comum": "rede"}):
        instalador = InstaladorDeMentira(**causas)
        with pytest.raises(instalar.Aviso, match=f"a frase de {list(causas)[-1]}"):
            instalar.instalar_torch(instalador, "3.13")


def test_um_indice_comum_sem_o_torch_e_dito_em_uma_frase_que_nao_culpa_a_rede(no_linux):
    instalador = InstaladorDeMentira(configurado="pacote", pytorch="rede", comum="pacote")
    with pytest.raises(instalar.Aviso, match="Há internet, mas .*não tem o torch 2.13.0 para este Python") as aviso:
        instalar.instalar_torch(instalador, "3.13")
    assert "\n" not in str(aviso.value)


def test_antes_do_torch_maior_se_olha_o_disco(no_linux, monkeypatch):
    livre = namedtuple("uso", "total used free")(10**12, 0, 4 * 10**9)
    monkeypatch.setattr(computador.shutil, "disk_usage", lambda pasta: livre)
    instalador = InstaladorDeMentira(configurado="pacote", pytorch="rede")
    frase = "precisa de 9,5 GB livres em .* e há 4,0 GB, porque o índice do PyTorch não responde"
    with pytest.raises(instalar.Aviso, match=frase):
        instalar.instalar_torch(instalador, "3.13")
    assert "comum" not in instalador.pedidos


def test_quem_ja_tem_o_torch_do_indice_comum_fica_com_ele(no_linux):
    (no_linux / f"torch-{instalar.numero_do_torch()}.dist-info").mkdir()
    instalador = InstaladorDeMentira(configurado="pacote", pytorch="rede")
    instalar.instalar_torch(instalador, "3.13")
    assert instalador.pedidos == ["comum"]
    assert {"torch", "triton"} <= instalar.pacotes_pedidos((), no_linux)


@pytest.fixture
def espelho(tmp_path, loja):
    """Um índice de verdade, neste computador, que tem os pacotes da loja e o torch comum no lugar do de CPU."""
    pagina = tmp_path / "espelho" / "simple"
    for wheel in [*loja[0].glob("pac*.whl"), *loja[0].glob("uv*.whl")]:
        pasta = pagina / wheel.name.split("-")[0].replace("_", "-")
        pasta.mkdir(parents=True, exist_ok=True)
        shutil.copy(wheel, pasta)
    (pagina / "torch").mkdir()
    linha = fazer_wheel(pagina / "torch", "torch", "2.13.0")
    servir = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path / "espelho")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), servir) as servidor:
        threading.Thread(target=servidor.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{servidor.server_port}/simple", linha
        servidor.shutdown()


@pytest.mark.lento
@pytest.mark.skipif(not LINUX, reason="só no Linux o torch de CPU vem de outro índice")
def test_atras_de_um_espelho_o_curso_se_instala_e_a_segunda_vez_nao_procura_o_pytorch(tmp_path, loja, espelho):
    pasta = tmp_path / "curso"
    pasta.mkdir()
    preparar_pasta(pasta, loja)
    por_na_pasta(pasta, "torch-comum", espelho[1] + loja[1][("pac_d", "1.0")])
    programa = pasta / "configuracao" / "instalar.py"
    programa.write_text(
        programa.read_text("utf-8").replace(instalar.INDICE_DO_TORCH, "http://127.0.0.1:9/whl"), "utf-8"
    )
    feito = rodar(pasta, "conferir", "lista", PIP_INDEX_URL=espelho[0])
    assert instalados(feito) == {**TUDO, "torch": "2.13.0", "pac_d": "1.0"}
    assert feito.stdout.count("O índice do PyTorch não responde; instalo o torch do índice comum") == 1
    assert rodar(pasta, "conferir", "lista", PIP_NO_INDEX="1").stdout.startswith("rodou")
    pedir(pasta, loja, ("pac_a", "1.0"), ("pac_b", "2.0"))
    feito = rodar(pasta, "conferir", "lista", PIP_INDEX_URL=espelho[0])
    assert instalados(feito) == {"pac_a": "1.0", "pac_b": "2.0", "torch": "2.13.0", "pac_d": "1.0"}
    assert "não responde" not in feito.stdout


@pytest.fixture(scope="module")
def loja_sem_uv(tmp_path_factory, loja):
    pasta = tmp_path_factory.mktemp("sem-uv")
    for wheel in loja[0].glob("[pt]*.whl"):
        shutil.copy(wheel, pasta)
    return pasta, loja[1]


@pytest.mark.lento
def test_onde_nao_ha_uv_o_pip_instala_tudo_e_uma_linha_diz_isso(tmp_path, loja, loja_sem_uv):
    preparar_pasta(tmp_path, loja)
    feito = rodar_com_loja(tmp_path, loja_sem_uv)
    assert instalados(feito) == TUDO and SEM_UV in feito.stdout
    pedir(tmp_path, loja, ("pac_a", "1.0"), ("pac_b", "2.0"))
    assert instalados(rodar_com_loja(tmp_path, loja_sem_uv)) == {"pac_a": "1.0", "pac_b": "2.0", "torch": TORCH}
    assert "Requirement already satisfied: pac_a" in diario(tmp_path)
    linha = loja[1][("pac_d", "1.0")]
    por_na_pasta(tmp_path, "curso", linha[:-9] + "00000000\n")
    assert "não é o que o curso espera" in frase_de(rodar_com_loja(tmp_path, loja_sem_uv))


@pytest.mark.lento
def test_um_uv_que_nao_executa_da_lugar_ao_pip(curso, loja):
    uv = next(curso.glob(".venv/*/uv*"))
    uv.unlink()
    uv.write_bytes(b"isto nao e um programa")
    pedir(curso, loja, ("pac_a", "1.0"), ("pac_d", "1.0"))
    feito = rodar_com_loja(curso, loja)
    assert instalados(feito)["pac_d"] == "1.0" and SEM_UV in feito.stdout


@pytest.mark.lento
def test_o_pip_tenta_o_que_o_uv_nao_conseguiu_por_uma_razao_que_ninguem_previu(curso, loja):
    uv = next(curso.glob(".venv/*/uv*"))
    uv.unlink()
    uv.write_text(f'#!{sys.executable}\nimport sys\nsys.exit("--version" not in sys.argv and "que coisa")\n')
    uv.chmod(0o755)
    pedir(curso, loja, ("pac_a", "1.0"), ("pac_d", "1.0"), ("pac_b", "1.0"), ("pac_c", "1.0"))
    feito = rodar_com_loja(curso, loja)
    assert instalados(feito)["pac_d"] == "1.0" and "O uv não conseguiu; tento de novo com o pip" in feito.stdout


@pytest.mark.lento
def test_o_torch_que_nao_e_o_da_tabela_e_recusado(curso, loja):
    tabela = curso / "configuracao" / "locks" / "torch.lock"
    tabela.write_text(tabela.read_text()[:-9] + "00000000\n")
    shutil.rmtree(next(sitio(curso).glob("torch-*.dist-info")))
    (sitio(curso) / "torch.py").unlink()
    assert "não é o que o curso espera" in frase_de(rodar_com_loja(curso, loja))
    assert not (sitio(curso) / "torch.py").exists()


@pytest.mark.lento
def test_uma_instalacao_interrompida_e_terminada(curso, loja):
    selo = curso / ".venv" / "curso.json"
    campos = json.loads(selo.read_text())
    selo.write_text(json.dumps({**campos, "completo": False}))
    next(sitio(curso).glob("pac_a-*.dist-info/RECORD")).unlink()  # o instalador morreu antes de registrar
    (sitio(curso) / "pac_a.py").unlink()
    registro = next(sitio(curso).glob("pac_c-*.dist-info/RECORD"))  # ou depois de pôr o registro que veio no pacote
    do_pacote = [x for x in registro.read_text().splitlines(True) if not re.match(r"\.\.|.*/(INSTALLER|REQUESTED)", x)]
    registro.write_text("".join(do_pacote))
    next(curso.glob(".venv/*/pac_c*")).unlink()
    (sitio(curso) / "pac_b.py").write_text("")  # ou o disco cortou um arquivo
    (sitio(curso) / "~ac_c").mkdir()  # ou sobrou um resto de troca
    assert len(instalados(rodar_com_loja(curso, loja))) == 4
    assert "versao" in (sitio(curso) / "pac_a.py").read_text()
    assert "versao" in (sitio(curso) / "pac_b.py").read_text()
    assert list(curso.glob(".venv/*/pac_c*"))
    assert not list(sitio(curso).glob("~*"))


@pytest.mark.lento
@pytest.mark.skipif(not SAO_UNIX, reason="o sinal de Ctrl-C só pode ser mandado assim no Unix")
def test_ctrl_c_na_instalacao_diz_que_ela_continua_depois(curso, loja):
    pedir(curso, loja, ("pac_a", "1.0"), ("pac_d", "1.0"))
    with socket.create_server(("127.0.0.1", 0)) as muda:  # um índice que aceita a conexão e nunca responde
        ambiente = {
            **os.environ,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_FIND_LINKS": "",
            "PIP_DEFAULT_TIMEOUT": "60",
            "PIP_INDEX_URL": f"http://127.0.0.1:{muda.getsockname()[1]}/simple",
        }
        filho = subprocess.Popen(
            [sys.executable, str(curso / "curso.py"), "conferir", "lista"],
            env=ambiente,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        muda.settimeout(300)
        conexao, _ = muda.accept()
        filho.send_signal(signal.SIGINT)
        _, erro = filho.communicate(timeout=300)
        conexao.close()
    assert filho.returncode == 130 and "ela continua" in erro and "Traceback" not in erro
    assert instalados(rodar_com_loja(curso, loja))["pac_d"] == "1.0"


@pytest.mark.lento
@pytest.mark.parametrize(
    "rede",
    [
        {"PIP_INDEX_URL": "http://127.0.0.1:9/simple"},  # ninguém responde
        {"PIP_INDEX_URL": "https://indice.invalid/simple", "PIP_PROXY": "http://127.0.0.1:9"},  # nem o proxy
        {"PIP_INDEX_URL": "https://indice.invalid/simple", "NO_PROXY": "*"},  # o nome não existe
    ],
)
def test_sem_rede_uma_frase_e_o_que_ja_havia_fica(curso, loja, rede):
    pedir(curso, loja, ("pac_a", "1.0"), ("pac_d", "1.0"))
    frase = frase_de(rodar(curso, "conferir", "lista", **rede))
    assert "acesso à internet" in frase and "continua de onde parou" in frase
    assert (sitio(curso) / "pac_a.py").is_file()
    assert instalados(rodar_com_loja(curso, loja))["pac_d"] == "1.0"


@pytest.mark.lento
def test_pacote_adulterado_e_recusado(curso, loja):
    linha = loja[1][("pac_d", "1.0")]
    por_na_pasta(curso, "curso", linha[:-9] + "00000000\n")
    assert "não é o que o curso espera" in frase_de(rodar_com_loja(curso, loja))
    assert not (sitio(curso) / "pac_d.py").exists()


@pytest.mark.lento
def test_um_pacote_que_o_indice_nao_tem_e_dito_pelo_nome(curso, loja):
    por_na_pasta(curso, "curso", loja[1][("pac_d", "1.0")].replace("pac_d==1.0", "pac_z==7.0"))
    assert "Não encontrei o pacote pac-z==7.0 para este" in frase_de(rodar_com_loja(curso, loja))


@pytest.mark.lento
def test_os_modelos_sao_instalados_junto_com_os_pacotes(curso, loja):
    por_na_pasta(curso, "modelos", loja[1][("pac_d", "1.0")])
    assert instalados(rodar_com_loja(curso, loja))["pac_d"] == "1.0"


@pytest.mark.lento
def test_reparar_acha_pelo_hash_o_arquivo_alterado_e_o_instala_de_novo(curso, loja):
    alterado = sitio(curso) / "pac_b.py"
    certo = alterado.read_text()
    alterado.write_text(certo.replace("1", "7"))  # do mesmo tamanho: só o hash percebe
    feito = rodar_com_loja(curso, loja, "reparar")
    assert feito.returncode == 0 and "pac_b" in feito.stdout and "pac_a" not in feito.stdout
    assert alterado.read_text() == certo
    assert "nada estragado" in rodar_com_loja(curso, loja, "reparar").stdout


@pytest.mark.lento
def test_um_venv_quebrado_e_refeito_com_uma_frase(curso, loja):
    for programa in curso.glob(".venv/bin/python*"):
        programa.unlink()
    feito = rodar_com_loja(curso, loja)
    assert len(instalados(feito)) == 4 and "refaço do zero" in feito.stdout


@pytest.mark.lento
@pytest.mark.skipif(not SAO_UNIX, reason="no Windows os programas de .venv são .exe")
def test_a_pasta_pode_mudar_de_lugar_sem_reinstalar(curso, tmp_path):
    nova = tmp_path / "outro lugar"
    curso.rename(nova)
    antes = diario(nova)
    feito = rodar(nova, "conferir", "lista", PIP_NO_INDEX="1")
    assert len(instalados(feito)) == 4 and "mudou de lugar" in feito.stdout and diario(nova) == antes
    assert str(curso) not in (nova / ".venv" / "bin" / "pac_a").read_text()
    de_fora = subprocess.run(
        [nova / ".venv/bin/python", "-c", "import helpers; print(helpers.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert de_fora.stdout.startswith(str(nova))


@pytest.mark.lento
@pytest.mark.skipif(not SAO_UNIX, reason="a trava do Windows é por processo")
def test_a_segunda_janela_espera_a_primeira(curso, loja):
    import fcntl

    pedir(curso, loja, ("pac_a", "1.0"), ("pac_d", "1.0"))
    ambiente = {**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(loja[0])}
    with open(curso / ".venv.trava", "a") as trava:
        fcntl.flock(trava, fcntl.LOCK_EX)
        filho = subprocess.Popen(
            [sys.executable, str(curso / "curso.py"), "conferir", "lista"],
            env=ambiente,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        assert "espero ela terminar" in filho.stdout.readline()
        assert filho.poll() is None
    saida, _ = filho.communicate(timeout=300)
    assert filho.returncode == 0 and "pac_d" in saida


TODAS_AS_AJUDAS = """
import contextlib, importlib, sys
for nome in sys.argv[1:]:
    with contextlib.suppress(SystemExit):
        importlib.import_module(f"bancadas.{nome}").main(["--help"])
    print("\\f")
"""


@pytest.mark.lento
def test_toda_bancada_tem_a_medicao_curta_que_o_comando_promete():
    nomes = sorted(p.stem for p in (RAIZ / "bancadas").glob("[a-z]*.py"))
    comando = [sys.executable, "-c", TODAS_AS_AJUDAS, *nomes]  # um processo só: cada um leria o torch outra vez
    feito = subprocess.run(comando, cwd=RAIZ, capture_output=True, text=True, encoding="utf-8")
    assert feito.returncode == 0, feito.stderr
    for nome, ajuda in zip(nomes, feito.stdout.split("\f"), strict=False):
        assert "--rapida" in ajuda and f"bancada {nome}" in ajuda, (nome, ajuda)


def test_a_ajuda_diz_todas_as_bancadas():
    ajuda = rodar(RAIZ, "bancada", "--help").stdout
    for bancada in (RAIZ / "bancadas").glob("[a-z]*.py"):
        assert bancada.stem in ajuda
