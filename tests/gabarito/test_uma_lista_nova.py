"""Uma aula e uma lista a mais, em uma cópia do curso, pelo guia: os arquivos e os comandos são os que estão nele."""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ, entregar, listas

from configuracao.comandos import COMANDOS
from correcao.caixa import caixa
from correcao.livro.turma import Turma

pytestmark = [pytest.mark.lento, pytest.mark.filterwarnings("ignore:Object of type")]
GUIA = (RAIZ / "guias" / "escrever-questoes.md").read_text("utf-8")
SECAO = GUIA.partition("\n## Uma lista nova\n")[2].partition("\n## ")[0]
# O caminho, no começo da linha, e o que se escreve nele.
ARQUIVOS = dict(re.findall(r"^`([\w/.]+)`(?:(?!```).)*```python\n(.*?)^```", SECAO, flags=re.DOTALL | re.MULTILINE))
BLOCOS = re.findall(r"^```(\w*)\n(.*?)^```$", SECAO, flags=re.DOTALL | re.MULTILINE)
# Cada bloco de comandos, com o que o guia diz que se vê depois dele.
PASSOS = [
    (texto, depois if outra == "text" else "")
    for (lingua, texto), (outra, depois) in itertools.pairwise([*BLOCOS, ("", "")])
    if not lingua
]
NOVA = "lista-11-variacoes"
CERTA = "def variacoes(x):\n    return np.array([b - a for a, b in zip(x, x[1:])])"
ERRADA = "def variacoes(x):\n    return x[:-1] - x[1:]"


class Copia:
    """O curso em outra pasta, sem os arquivos grandes."""

    def __init__(self, pasta: Path):
        self.pasta, self.ditos = pasta, list[list[tuple[int, str]]]()
        # se o curso já tem uma lista com o número do guia, a cópia não a tem
        do_numero = [padrao.format(NOVA[6:8]) for padrao in ("{}*.ipynb", "lista[-_]{}*", "aula[-_]{}*")]
        sem = shutil.ignore_patterns("__pycache__", "*.safetensors", ".ipynb_checkpoints", *do_numero)
        for nome in ("configuracao", "correcao", "gabarito", "helpers", "source", "release", "notebooks"):
            shutil.copytree(RAIZ / nome, pasta / nome, ignore=sem)
        shutil.copy(RAIZ / "nbgrader_config.py", pasta)
        # as entregas são nossas, e a caixa não mostra o que há na pasta temporária
        self.ambiente = os.environ | {"PYTHONPATH": str(pasta), caixa.SEM_ISOLAMENTO: "1"}
        for nome in ("CURSO_TURMA", "CURSO_LIVRO", "CURSO_LISTAS"):
            self.ambiente.pop(nome, None)

    def rodar(self, comando: str) -> tuple[int, str]:
        """O comando como está escrito em um guia, com o Python deste ambiente e sem a porta, que instala."""
        palavras = comando.partition("#")[0].split()
        if palavras[:2] == ["python", "curso.py"]:
            palavras = ["python", "-m", COMANDOS[palavras[2]].modulo, *palavras[3:]]
        argumentos = [sys.executable, *palavras[1:]]
        feito = subprocess.run(
            argumentos, cwd=self.pasta, env=self.ambiente, capture_output=True, text=True, encoding="utf-8"
        )
        assert "Traceback" not in feito.stderr, feito.stderr
        return feito.returncode, feito.stdout + feito.stderr

    def python(self, codigo: str) -> str:
        argumentos = [sys.executable, "-c", codigo]
        return subprocess.run(
            argumentos, cwd=self.pasta, env=self.ambiente, capture_output=True, text=True, encoding="utf-8", check=True
        ).stdout

    def responder(self, aluno: str) -> None:
        """Põe em release/ o que este aluno entregou, como se a lista fosse a de quem usa o curso."""
        shutil.copy(self.pasta / "submitted" / aluno / NOVA / f"{NOVA}.ipynb", self.pasta / "release" / NOVA)


@pytest.fixture(scope="module")
def copia(tmp_path_factory) -> Copia:
    """A cópia com os arquivos do guia, depois dos comandos dele; em `ditos`, o que cada bloco de comandos disse."""
    copia = Copia(tmp_path_factory.mktemp("curso"))
    for nome, texto in ARQUIVOS.items():
        (copia.pasta / nome).parent.mkdir(exist_ok=True)
        (copia.pasta / nome).write_text(texto, "utf-8")
    for comandos, _ in PASSOS:
        if "corrigir" in comandos:
            for aluno, resposta in (("ana", CERTA), ("beto", ERRADA)):
                entregar(copia.pasta, NOVA, aluno, {"variacoes": resposta})
        copia.ditos.append([copia.rodar(comando) for comando in comandos.splitlines()])
    return copia


def test_o_guia_da_os_arquivos_inteiros_e_o_que_se_ve():
    assert list(ARQUIVOS) == ["gabarito/lista_11/__init__.py", "gabarito/lista_11/variacoes.py", "nova.py"]
    assert [bool(visto) for _, visto in PASSOS] == [True, True, False]


def test_os_comandos_do_guia_dizem_o_que_ele_mostra(copia):
    (fazer, ver, corrigir), (gerado, visto, _) = copia.ditos, (visto for _, visto in PASSOS)
    assert [codigo for codigo, _ in fazer] == [0, 0, 0]
    assert fazer[-1][1] == gerado
    assert [codigo for codigo, _ in ver] == [0, 1, 0]  # a lista está em branco, e não passa na conferência
    assert set(visto.splitlines()) <= {linha for _, dito in ver for linha in dito.splitlines()}
    assert [codigo for codigo, _ in corrigir] == [0]


def test_a_entrega_certa_ganha_os_pontos_e_a_errada_le_a_frase_do_seu_equivoco(copia):
    entregas = {e.aluno: e for e in Turma(copia.pasta).entregas(NOVA)}
    assert {aluno: e.nota for aluno, e in entregas.items()} == {"ana": 2, "beto": 0}
    assert [q.equivoco for q in entregas["beto"].questoes] == ["ao-contrario"]


def test_quem_fez_a_lista_a_ve_na_conferencia_no_mapa_e_nas_aulas(copia):
    copia.responder("ana")
    assert copia.rodar("python curso.py conferir 11")[0] == 0
    html = copia.python("from helpers.minhas import mapa, variacoes; print(mapa()._repr_html_())")
    assert "variacoes: a sua, da lista 11" in html
    assert 'aria-label="variacoes: sua e certa"' in html and "11 · de um número ao seguinte" in html
    assert "notebooks/11-variacoes.ipynb" in html and html.count(">a lista</a>") == len(
        {NOVA[:8], *(lista[:8] for lista in listas())}
    )


def test_o_pacote_da_semana_tem_a_aula_a_lista_e_o_indice(copia):
    with zipfile.ZipFile(copia.pasta / "pacotes" / "curso-atencao-ate-11.zip") as zip_:
        pasta = zip_.namelist()[0].partition("/")[0]
        nomes = {nome.removeprefix(f"{pasta}/") for nome in zip_.namelist()}
        indice = json.loads(zip_.read(f"{pasta}/helpers/indice.json"))["listas"]
    assert {"notebooks/11-variacoes.ipynb", "helpers/referencias/lista-11.json"} <= nomes
    assert "release/lista-11-variacoes/lista-11-variacoes.ipynb" in nomes
    assert indice["lista-11"] == {
        "pasta": "lista-11-variacoes",
        "titulo": "Variações",
        "no_mapa": "de um número ao seguinte",
        "aulas": ["11-variacoes"],
        "questoes": {"variacoes": 2},
        "abertas": {},
    }


def test_a_aula_que_importa_o_que_nao_esta_certo_nem_o_curso_tem_para_com_uma_frase(copia):
    """A lista 11 não tem substitutos."""
    copia.responder("beto")
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("from helpers.minhas import variacoes")])
    nbformat.write(nb, copia.pasta / "notebooks" / "12-depois.ipynb")
    codigo, dito = copia.rodar(".venv/bin/python -m gabarito.aulas 12")
    assert codigo == 1 and "A aula 12-depois parou em uma célula, e não foi gravada." in dito
    assert "O curso não tem `variacoes`, e a sua, da lista 11, ainda não passa na conferência." in dito
