"""O que ARQUITETURA.md diz das salas e de quem importa quem é verdade."""

import ast
import re
from pathlib import Path

import pytest
from conftest import RAIZ

TEXTO = (RAIZ / "ARQUITETURA.md").read_text(encoding="utf-8")
LINHA = re.compile(r"^\| `(\w+)` \|[^|]*\| ([^|]*) \|", flags=re.MULTILINE)
SALAS = {sala: set(re.findall(r"`(\w+)`", importa)) for sala, importa in LINHA.findall(TEXTO)}


def importados(arquivo: Path, so_no_topo: bool = False) -> set[str]:
    arvore = ast.parse(arquivo.read_text(encoding="utf-8"))
    nos = arvore.body if so_no_topo else list(ast.walk(arvore))
    modulos = {no.module or "" for no in nos if isinstance(no, ast.ImportFrom) and no.level == 0}
    return modulos | {nome.name for no in nos if isinstance(no, ast.Import) for nome in no.names}


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
            m for m in importados(arquivo) if m.startswith("helpers.") and not m.startswith("helpers.conferencia")
        }
        assert not da_oficina or "pecas" in arquivo.parts, arquivo


def test_cada_palavra_da_casa_e_usada_no_codigo():
    palavras = re.findall(
        r"^\| ([a-zêíçã, ]+) \|", TEXTO.split("## As palavras da casa")[1].split("## ")[0], flags=re.MULTILINE
    )
    codigo = " ".join(p.read_text("utf-8") for sala in SALAS for p in (RAIZ / sala).rglob("*.py")).casefold()
    soltas = [p for linha in palavras for p in linha.split(", ") if p != "palavra"]
    assert len(soltas) >= 12 and all(palavra.rstrip() in codigo for palavra in soltas)
