"""A versão do curso: escrita no pyproject.toml e lida dele por todos os que a mostram."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import RAIZ, abrir_pacote

from configuracao import atualizar, versao
from correcao.comum import pagina
from gabarito.pacote import empacotar

NUMERO = versao.versao()


def dito_por(pasta):
    comando = [sys.executable, "-I", "-S", "curso.py", "versao"]
    feito = subprocess.run(comando, cwd=pasta, capture_output=True, text=True, encoding="utf-8")
    assert not (pasta / ".venv").exists() or pasta == RAIZ, "instalou"
    return feito.returncode, feito.stdout, feito.stderr


@pytest.fixture(scope="module")
def semana(tmp_path_factory):
    """O pacote até a aula 03, aberto."""
    pasta = tmp_path_factory.mktemp("semana")
    empacotar(pasta / "curso.zip", ate="03")
    return abrir_pacote(pasta / "curso.zip", pasta)


def test_no_curso_do_instrutor_se_le_tambem_o_commit():
    codigo, linhas, _ = dito_por(RAIZ)
    assert codigo == 0 and linhas.startswith(
        f"Atenção e Transformers, versão {NUMERO}.\nO curso do instrutor, até a aula "
    )
    if (RAIZ / ".git").exists() and shutil.which("git"):
        assert re.search(r"^Commit [0-9a-f]{7,}", linhas, flags=re.MULTILINE)


def test_o_pacote_diz_a_versao_e_ate_onde_vai_sem_instalar_nada(semana):
    assert json.loads((semana / atualizar.MANIFESTO).read_text("utf-8"))["versao"] == NUMERO
    dito = f"Atenção e Transformers, versão {NUMERO}.\nO pacote do aluno, até a aula 03.\n"
    assert dito_por(semana) == (0, dito, "")
    assert f"[{NUMERO}]" in (semana / "guias" / "novidades.md").read_text("utf-8")


@pytest.mark.parametrize("texto", [None, "", "isto não é TOML", "project = 3", '[project]\nversion = "um"'])
def test_sem_um_pyproject_que_se_leia_sai_uma_frase(semana, tmp_path, texto):
    pasta = shutil.copytree(semana, tmp_path / "pasta", ignore=shutil.ignore_patterns("*.ipynb"))
    (pasta / "pyproject.toml").unlink()
    if texto is not None:
        (pasta / "pyproject.toml").write_text(texto, encoding="utf-8")
    codigo, linhas, erro = dito_por(pasta)
    assert (codigo, linhas) == (1, "") and len(erro.splitlines()) == 1 and "pyproject.toml" in erro


def test_as_paginas_que_a_correcao_faz_a_dizem_no_pe():
    for modelo in ("devolutiva.html", "relatorio.html"):
        html = pagina.ambiente().get_template(modelo).render(titulo="Lista 02")
        assert f"Transformers, versão {NUMERO}.</p></footer>\n</body>" in html


def test_o_que_se_escreve_a_mao_e_da_mesma_versao():
    """As saídas guardadas na página de boas-vindas, as novidades e a citação."""
    boas_vindas = json.loads((RAIZ / "notebooks" / "00-boas-vindas.ipynb").read_text("utf-8"))
    saidas = "".join("".join(s.get("text", [])) for c in boas_vindas["cells"] for s in c.get("outputs", []))
    assert f"Curso {NUMERO} ·" in saidas, "rode: .venv/bin/python -m gabarito.aulas 00"
    novidades = re.findall(r"(?m)^## \[([\d.]+)\]", (RAIZ / "CHANGELOG.md").read_text("utf-8"))
    assert novidades[0] == NUMERO
    assert novidades == sorted(novidades, key=versao.em_ordem, reverse=True)
    assert f"\nversion: {NUMERO}\n" in (RAIZ / "CITATION.cff").read_text("utf-8")
