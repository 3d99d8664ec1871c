"""O que ARQUITETURA.md diz das salas e de quem importa quem é verdade."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from conftest import RAIZ

TEXTO = (RAIZ / "ARQUITETURA.md").read_text(encoding="utf-8")
LINHA = re.compile(r"^\| `(\w+)` \|[^|]*\| ([^|]*) \|", flags=re.MULTILINE)
SALAS = {sala: set(re.findall(r"`(\w+)`", importa)) for sala, importa in LINHA.findall(TEXTO)}
DE_DENTRO = re.compile(r"^\| `correcao/(\w+)` \|[^|]*\| ([^|]*) \|", flags=re.MULTILINE)
SALAS_DE_DENTRO = {sala: set(re.findall(r"`(\w+)`", importa)) for sala, importa in DE_DENTRO.findall(TEXTO)}


def importados(arquivo: Path, so_no_topo: bool = False) -> set[str]:
    arvore = ast.parse(arquivo.read_text(encoding="utf-8"))
    nos = arvore.body if so_no_topo else list(ast.walk(arvore))
    modulos = {no.module or "" for no in nos if isinstance(no, ast.ImportFrom) and no.level == 0}
    return modulos | {nome.name for no in nos if isinstance(no, ast.Import) for nome in no.names}


def importados_por_inteiro(no: ast.AST) -> set[str]:
    """Os módulos, e o que se tira de cada um, que pode ser outro módulo."""
    if isinstance(no, ast.ImportFrom) and no.level == 0:
        return {no.module or "", *(f"{no.module}.{nome.name}" for nome in no.names)}
    return {nome.name for nome in no.names} if isinstance(no, ast.Import) else set()


@cache
def nomes_de_modulos(arquivo: Path) -> set[str]:
    """Tudo o que o arquivo importa ou cita em um texto (um programa que ele roda), com o que se tira de cada módulo."""
    achados = set()
    for no in ast.walk(ast.parse(arquivo.read_text(encoding="utf-8"))):
        achados |= importados_por_inteiro(no)
        if isinstance(no, ast.Constant) and isinstance(no.value, str):
            achados |= set(re.findall(r"\b\w+(?:\.\w+)+", no.value))
    return achados


def das_salas(modulos: set[str]) -> set[str]:
    return {modulo.split(".")[0] for modulo in modulos} & SALAS.keys()


def test_as_salas_sao_as_pastas_de_programas_do_repositorio():
    pastas = {p.parent.name for p in RAIZ.glob("*/__init__.py")} - {"tests"}
    assert pastas == SALAS.keys()


@pytest.mark.parametrize("sala", SALAS)
def test_cada_sala_so_importa_as_que_o_mapa_diz(sala):
    # os comandos de helpers leem a definição deles, mas só quando são chamados: a caixa não tem configuracao/
    permitidas = SALAS[sala] | {sala} | ({"configuracao"} if sala == "helpers" else set())
    usadas = set()
    for arquivo in sorted((RAIZ / sala).rglob("*.py")):
        usadas |= das_salas(importados(arquivo, so_no_topo=sala == "helpers"))
        assert das_salas(importados(arquivo)) <= permitidas, arquivo
    assert usadas - {sala} == SALAS[sala], "o mapa promete mais do que se usa"


def modulos(pasta: Path) -> dict[str, Path]:
    """Nome → arquivo, dos módulos que estão nesta pasta, e não nas de dentro dela."""
    partes = ".".join(pasta.relative_to(RAIZ).parts)
    return {f"{partes}.{p.stem}".removesuffix(".__init__"): p for p in sorted(pasta.glob("*.py"))}


def test_as_salas_de_dentro_da_correcao_sao_as_pastas_dela():
    pastas = {p.parent.name for p in (RAIZ / "correcao").glob("*/__init__.py")}
    soltos = {p.stem for p in (RAIZ / "correcao").glob("*.py")} - {"__init__"}
    assert pastas | soltos == SALAS_DE_DENTRO.keys()


@pytest.mark.parametrize("sala", SALAS_DE_DENTRO)
def test_cada_sala_da_correcao_so_importa_as_que_o_mapa_diz(sala):
    pasta, usadas = RAIZ / "correcao" / sala, set()
    for arquivo in sorted(pasta.rglob("*.py")) if pasta.is_dir() else [pasta.with_suffix(".py")]:
        arvore = ast.walk(ast.parse(arquivo.read_text(encoding="utf-8")))
        relativos = [no for no in arvore if isinstance(no, ast.ImportFrom) and no.level]
        assert not relativos, f"{arquivo}: um import relativo não se confere aqui"
        partes = [nome.split(".") for nome in nomes_de_modulos(arquivo) if nome.startswith("correcao.")]
        usadas |= {p[1] for p in partes} & SALAS_DE_DENTRO.keys() - {sala}
    assert usadas == SALAS_DE_DENTRO[sala]


def test_nenhuma_sala_da_correcao_volta_a_quem_a_importa():
    def alcanca(sala: str) -> set[str]:
        return SALAS_DE_DENTRO[sala].union(*map(alcanca, SALAS_DE_DENTRO[sala]))

    assert not [sala for sala in SALAS_DE_DENTRO if sala in alcanca(sala)]  # em um ciclo, nem terminaria


def test_nenhum_modulo_da_correcao_volta_a_quem_o_importa_nem_dentro_de_uma_funcao():
    arquivos = {
        m: p for pasta in {p.parent for p in (RAIZ / "correcao").rglob("*.py")} for m, p in modulos(pasta).items()
    }
    usa = {}
    for modulo, arquivo in arquivos.items():
        nomes = set().union(*(importados_por_inteiro(no) for no in ast.walk(ast.parse(arquivo.read_text("utf-8")))))
        usa[modulo] = (nomes & arquivos.keys()) - {modulo}
        if any(outro.startswith(f"{modulo}.") for outro in arquivos):  # a porta de uma pasta conhece o que há nela,
            usa[modulo] = {outro for outro in usa[modulo] if not outro.startswith(f"{modulo}.")}  # e isso se vê no nome
    TopologicalSorter(usa).prepare()  # um CycleError diz o caminho


# ---------------------------------------------------------------- os testes seguem as salas

TESTES = RAIZ / "tests"
ESPELHADOS = [t for t in sorted(TESTES.glob("*/**/test_*.py")) if (RAIZ / t.parent.relative_to(TESTES)).is_dir()]


@pytest.mark.parametrize("teste", ESPELHADOS, ids=lambda t: str(t.relative_to(TESTES)))
def test_cada_teste_usa_a_pasta_em_que_esta(teste):
    pasta = ".".join(teste.parent.relative_to(TESTES).parts)
    assert any(nome == pasta or nome.startswith(f"{pasta}.") for nome in nomes_de_modulos(teste))


def test_o_teste_com_o_nome_de_um_modulo_esta_na_pasta_dele():
    onde: dict[str, set[Path]] = {}
    for modulo in (p for sala in SALAS for p in (RAIZ / sala).rglob("*.py") if p.stem != "__init__"):
        onde.setdefault(f"test_{modulo.stem}", set()).add(modulo.parent.relative_to(RAIZ))
    for teste in ESPELHADOS:
        pasta = teste.parent.relative_to(TESTES)
        casas = {casa for casa in onde.get(teste.stem, ()) if casa.parts[0] == pasta.parts[0]} or {pasta}
        assert any(pasta == casa or pasta in casa.parents for casa in casas), (teste, casas)


@pytest.mark.parametrize("pasta", sorted({p.parent for p in (RAIZ / "correcao").rglob("*.py")}), ids=lambda p: p.name)
def test_cada_modulo_da_correcao_tem_teste_na_pasta_de_mesmo_nome_ou_na_de_cima(pasta):
    daqui = modulos(pasta)
    testes = [t for p in (pasta, *pasta.parents) if p != RAIZ and RAIZ in p.parents
              for t in (TESTES / p.relative_to(RAIZ)).glob("test_*.py")]  # fmt: skip
    vistos, fila = set(), [nome for teste in testes for nome in nomes_de_modulos(teste)]
    while fila:  # também o que um módulo desta pasta, já testado, usa dela
        nome = fila.pop()
        programas = {m for m, arquivo in daqui.items() if arquivo.name == nome}  # um que outro roda, como o mae.py
        for modulo in ({nome, nome.rpartition(".")[0]} & daqui.keys() | programas) - vistos:
            vistos.add(modulo)
            fila += nomes_de_modulos(daqui[modulo])
    assert daqui.keys() == vistos


def test_a_porta_usa_so_a_biblioteca_padrao():
    import sys

    for arquivo in [RAIZ / "curso.py", *(RAIZ / "configuracao").glob("*.py")]:
        de_fora = (
            {modulo.split(".")[0] for modulo in importados(arquivo)} - sys.stdlib_module_names - {"configuracao", ""}
        )
        assert not de_fora, arquivo


def test_o_motor_so_usa_a_oficina_nas_pecas():
    motor = RAIZ / "helpers" / "conferencia"
    for arquivo in motor.rglob("*.py"):
        da_oficina = {
            m
            for m in importados(arquivo) - {"helpers.escrita"}  # é das duas, e não importa nada do curso
            if m.startswith("helpers.") and not m.startswith("helpers.conferencia")
        }
        assert not da_oficina or "pecas" in arquivo.parts, arquivo


def arvores() -> dict[str, ast.Module]:
    arquivos = [*RAIZ.glob("*.py"), *(p for sala in SALAS for p in (RAIZ / sala).rglob("*.py"))]
    return {p.relative_to(RAIZ).as_posix(): ast.parse(p.read_text(encoding="utf-8")) for p in arquivos}


def test_a_virgula_dos_decimais_e_o_enumerar_sao_escritos_uma_vez_e_outra_na_porta_que_roda_sozinha():
    virgula, enumerar = set(), set()
    for arquivo, arvore in arvores().items():
        for no in ast.walk(arvore):
            if isinstance(no, ast.Call) and isinstance(no.func, ast.Attribute) and no.func.attr == "replace":
                virgula |= {arquivo} if [getattr(a, "value", None) for a in no.args] == [".", ","] else set()
            if isinstance(no, ast.FunctionDef) and no.name.strip("_") in ("enumerar", "em_fila"):
                enumerar.add(arquivo)
    assert virgula == {"helpers/escrita.py", "configuracao/computador.py"}
    assert enumerar == {"helpers/escrita.py", "configuracao/comandos.py"}


def test_a_pasta_do_curso_e_calculada_uma_vez_e_por_quem_roda_antes_de_haver_de_onde_importar():
    calculam = {
        arquivo
        for arquivo, arvore in arvores().items()
        for no in arvore.body
        if isinstance(no, ast.Assign) and [alvo.id for alvo in no.targets if isinstance(alvo, ast.Name)] == ["RAIZ"]
    }
    assert calculam == {"helpers/__init__.py", "configuracao/lugares.py", "curso.py", "nbgrader_config.py"}


def test_cada_palavra_da_casa_e_usada_no_codigo():
    palavras = re.findall(
        r"^\| ([a-zêíçã, ]+) \|", TEXTO.split("## As palavras da casa")[1].split("## ")[0], flags=re.MULTILINE
    )
    codigo = " ".join(p.read_text("utf-8") for sala in SALAS for p in (RAIZ / sala).rglob("*.py")).casefold()
    soltas = [p for linha in palavras for p in linha.split(", ") if p != "palavra"]
    assert len(soltas) >= 12 and all(palavra.rstrip() in codigo for palavra in soltas)
