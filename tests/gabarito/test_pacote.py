"""O pacote do aluno: funciona sozinho e não leva nada do instrutor."""

import ast
import itertools
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ, abrir_pacote, alem, aulas, listas
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from configuracao import testar
from configuracao.comandos import COMANDOS
from gabarito.base import carregar_tudo
from gabarito.pacote import INDICE, NO_ZIP, como_vai_a_aula, conteudo, empacotar, main
from helpers.conferencia.codificacao import codificar


@pytest.fixture(scope="module")
def aberto(tmp_path_factory):
    pasta = tmp_path_factory.mktemp("pacote")
    empacotar(pasta / "curso.zip")
    return abrir_pacote(pasta / "curso.zip", pasta)


def test_so_ha_as_salas_do_aluno(aberto):
    salas = {p.name for p in aberto.iterdir()}
    assert salas <= {
        *("README.md", "LICENSE", "curso.py", "pyproject.toml", "environment.yml"),
        *("notebooks", "release", "helpers", "configuracao", "imagens", "guias"),
    }
    assert {"curso.py", "notebooks", "release", "helpers", "configuracao"} <= salas


def test_o_readme_do_pacote_so_fala_do_que_ha_nele(aberto):
    texto = (aberto / "README.md").read_text("utf-8")
    assert len(texto.splitlines()) <= 45  # uma tela
    for caminho in re.findall(r"\]\(([^)#]+)\)|`((?:\w+/)+)`", texto):
        assert (aberto / "".join(caminho)).exists(), caminho
    for pagina in [*aberto.glob("guias/*.md"), aberto / "README.md"]:
        for comando in re.findall(r"python curso\.py (\w+)", pagina.read_text("utf-8")):
            assert (aberto / COMANDOS[comando].sala).is_dir(), (pagina.name, comando)


def test_vai_junto_tudo_o_que_a_instalacao_usa(aberto):
    """O instalador só sabe o que falta quando roda: aqui se segue cada importação e se lê cada lock que ele nomeia."""
    faltam, vistos = ["instalar", "testar"], set()
    while faltam:
        nome = faltam.pop()
        vistos.add(nome)
        texto = (aberto / "configuracao" / f"{nome}.py").read_text("utf-8")
        faltam += [usado for usado in re.findall(r"from configuracao\.(\w+) import", texto) if usado not in vistos]
    assert vistos >= {"instalar", "ferramentas", "barra"}
    instalados = {"curso", "modelos", "pip", "torch", "torch-comum", "instalador", "desenvolvimento"}
    locks = {p.stem for p in (aberto / "configuracao" / "locks").iterdir()}
    assert locks == instalados | {"llama"}


def test_nenhuma_solucao_nem_rubrica_vai_junto(aberto):
    for lista in listas():
        fonte = json.loads((RAIZ / "source" / lista / f"{lista}.ipynb").read_text("utf-8"))
        solucoes = [
            linha.strip()
            for celula in fonte["cells"]
            if "### BEGIN SOLUTION" in "".join(celula["source"])
            for linha in "".join(celula["source"])
            .split("### BEGIN SOLUTION")[1]
            .split("### END SOLUTION")[0]
            .splitlines()
            if len(linha.strip()) > 25
        ]
        assert solucoes
        entregue = (aberto / "release" / lista / f"{lista}.ipynb").read_text("utf-8")
        texto = "\n".join("".join(c["source"]) for c in json.loads(entregue)["cells"])
        assert not [linha for linha in solucoes if linha in texto]


def test_nada_do_gabarito_nem_da_correcao_vai_junto(aberto):
    for caminho in aberto.rglob("*"):
        assert not {"source", "gabarito", "correcao", "tests", "submitted"} & set(caminho.relative_to(aberto).parts)
        if caminho.suffix == ".py":
            for no in ast.walk(ast.parse(caminho.read_text("utf-8"))):
                nomes = [a.name for a in no.names] if isinstance(no, ast.Import) else []
                nomes += [no.module or ""] if isinstance(no, ast.ImportFrom) else []
                assert not [n for n in nomes if n.split(".")[0] in ("gabarito", "correcao")], caminho


def test_os_casos_ocultos_sao_sorteados_e_nao_vao_junto(aberto):
    """Um caso é o conjunto das suas entradas. Alguns, como o peso único [1.0], só podem ser iguais aos visíveis."""
    for caminho in sorted((aberto / "helpers" / "referencias").glob("lista-*.json")):
        for nome, dado in json.loads(caminho.read_text("utf-8")).items():
            entregues = {json.dumps(c["entradas"]) for c in dado["casos"]}
            q = carregar_tudo()[nome]
            for semente in range(3):
                ocultos = [json.dumps([codificar(e) for e in c.entradas]) for c in q.casos_ocultos(semente)]
                assert sum(c not in entregues for c in ocultos) > len(ocultos) / 2, nome
            outra = [json.dumps([codificar(e) for e in c.entradas]) for c in q.casos_ocultos(3)]
            assert set(outra) != set(ocultos), nome


def test_as_saidas_certas_nao_estao_no_arquivo_para_serem_copiadas(aberto):
    """Fora do exemplo do enunciado, o arquivo tem impressões digitais, e não as respostas."""
    for caminho in (aberto / "helpers" / "referencias").glob("*.json"):
        for nome, q in json.loads(caminho.read_text("utf-8")).items():
            claros = [c for c in q["casos"] if "claro" in c["esperado"]]
            assert len(claros) <= 1, nome
            for c in q["casos"]:
                for saida in c["esperado"].get("saidas", []):
                    assert "valores" not in saida, nome


def test_o_pacote_confere_uma_lista_sem_o_resto_do_curso(aberto):
    """Roda a conferência de dentro da pasta aberta, sem que o repositório esteja no caminho."""
    codigo = (
        "import sys; sys.path = [p for p in sys.path if p != sys.argv[1]]; sys.path.insert(0, '.');"
        "import helpers.conferir as c, numpy as np; assert 'curso-atencao' in c.__file__, c.__file__;"
        "c.conferir('aula-00/dobro', lambda x: 2 * x)"
    )
    subprocess.run([sys.executable, "-c", codigo, str(RAIZ)], cwd=aberto, check=True)


def test_o_zip_e_o_mesmo_byte_a_byte(tmp_path):
    empacotar(tmp_path / "a.zip")
    empacotar(tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert not [p for p in conteudo() if p.suffix in (".db", ".pyc")]


def test_o_pacote_de_uma_semana_so_tem_o_que_ja_chegou():
    """Até a 03: as aulas, as listas e as referências até ela; e, das funções do curso, só as de listas anteriores."""
    caminhos = conteudo(ate="03")
    numeros = {
        sala: sorted({n for p in caminhos if p.is_relative_to(sala) for n in re.findall(r"(?<!\d)\d\d(?!\d)", p.name)})
        for sala in ("notebooks", "release", "helpers/referencias", "helpers/substitutos")
    }
    assert numeros == {
        "notebooks": ["00", "01", "02", "03"],
        "release": ["01", "02", "03"],
        "helpers/referencias": ["00", "01", "02", "03"],
        "helpers/substitutos": [n for n in ("01", "02") if (RAIZ / f"helpers/substitutos/lista_{n}.py").is_file()],
    }
    assert {p for p in conteudo() if p.parts[0] not in ("notebooks", "release", "helpers")} <= set(caminhos)


def test_o_pacote_de_uma_semana_roda_sozinho(tmp_path):
    """A lista da semana importa o que é de outra, e o mapa mostra só as listas que há."""
    empacotar(tmp_path / "curso.zip", ate="03")
    pasta = abrir_pacote(tmp_path / "curso.zip", tmp_path)
    codigo = (
        "import sys; sys.path = [p for p in sys.path if p != sys.argv[1]]; sys.path.insert(0, '.');"
        "from helpers.minhas import mapa, softmax; print(mapa())"
    )
    ambiente = {nome: valor for nome, valor in os.environ.items() if nome != "CURSO_LISTAS"}
    comando = [sys.executable, "-c", codigo, str(RAIZ)]
    feito = subprocess.run(comando, cwd=pasta, env=ambiente, check=True, capture_output=True, text=True)
    assert "softmax: a do curso" in feito.stdout
    assert "03  a escala" in feito.stdout and "04  " not in feito.stdout


def test_o_indice_de_uma_semana_nao_fala_das_que_nao_chegaram(tmp_path):
    """Nem da função do curso no lugar das da própria semana, que o pacote ainda não tem."""
    empacotar(tmp_path / "curso.zip", ate="03")
    with zipfile.ZipFile(tmp_path / "curso.zip") as arquivo:
        nomes = arquivo.namelist()
        pasta = nomes[0].partition("/")[0]
        chegou = json.loads(arquivo.read(f"{pasta}/{INDICE.as_posix()}"))["listas"]
    inteiro = json.loads((RAIZ / INDICE).read_text("utf-8"))["listas"]
    assert list(chegou) == ["lista-01", "lista-02", "lista-03"]
    assert chegou["lista-02"] == inteiro["lista-02"]
    assert inteiro["lista-03"]["substitutos"] and "substitutos" not in chegou["lista-03"]
    for nome, lista in chegou.items():
        assert all(f"{pasta}/notebooks/{aula}.ipynb" in nomes for aula in lista["aulas"]), nome
        assert f"{pasta}/release/{lista['pasta']}/{lista['pasta']}.ipynb" in nomes


def test_uma_semana_que_nao_existe_e_recusada(capsys):
    assert main(["--ate", "42"]) == 2
    primeira, *_, ultima = [lista[6:8] for lista in listas()]
    assert f"o --ate vai de {primeira} a {ultima}" in capsys.readouterr().err


# ------------------------------------------------------------ as aulas do pacote


def secoes(nb: dict) -> list[list[dict]]:
    """As células de cada seção de uma aula."""
    comecos = [i for i, c in enumerate(nb["cells"]) if re.search(r"(?m)^## ", "".join(c["source"]))]
    return [nb["cells"][i:f] for i, f in itertools.pairwise([0, *comecos, len(nb["cells"])])]


def depois_da_aposta(secao: list[dict]) -> list[dict]:
    """As células de código que vêm depois da primeira aposta da seção."""
    apostas = [i for i, c in enumerate(secao) if c["cell_type"] == "code" and "confira(" in "".join(c["source"])]
    return [c for c in secao[apostas[0] + 1 :] if c["cell_type"] == "code"] if apostas else []


@pytest.mark.parametrize("aula", [*aulas(), *alem()], ids=lambda p: str(p.relative_to(RAIZ)))
def test_depois_de_uma_aposta_o_pacote_nao_traz_saida_e_o_resto_e_igual_byte_a_byte(aberto, aula):
    entregue = json.loads((aberto / aula.relative_to(RAIZ)).read_text("utf-8"))
    inteira = json.loads(aula.read_text("utf-8"))
    i = next(i for i, c in enumerate(inteira["cells"]) if c.get("outputs"))
    if all(saida["output_type"] == "stream" for saida in inteira["cells"][i]["outputs"]):
        assert entregue["cells"][i]["outputs"] == [], "o primeiro Shift+Enter tem de mudar algo à vista"
        entregue["cells"][i] |= {k: inteira["cells"][i][k] for k in ("outputs", "execution_count")}
    for secao, original in zip(secoes(entregue), secoes(inteira), strict=True):
        for celula, antes in zip(depois_da_aposta(secao), depois_da_aposta(original), strict=True):
            assert (celula["outputs"], celula["execution_count"]) == ([], None)
            celula |= {"outputs": antes["outputs"], "execution_count": antes["execution_count"]}
    assert (json.dumps(entregue, ensure_ascii=False, indent=1) + "\n").encode() == aula.read_bytes()


def test_o_que_nao_e_aula_vai_como_esta(aberto):
    for caminho in conteudo():
        if not (caminho.parts[0] == "notebooks" and caminho.suffix == ".ipynb"):
            destino = NO_ZIP.get(caminho, caminho)
            assert (aberto / destino).read_bytes() == (RAIZ / caminho).read_bytes(), caminho


def celula(texto: str, saida: str = "algo", **metadados) -> dict:
    return new_code_cell(texto, outputs=[new_output("stream", text=saida)], execution_count=1, metadata=metadados)


def test_a_aposta_so_esconde_o_que_vem_depois_dela_na_secao():
    celulas = [
        new_markdown_cell("# Uma aula"),
        celula("from helpers.conferir import confira"),
        celula('aposta = ...\nconfira("aula-02/x", aposta)'),
        celula("plano_da_frase(frases, TABELA)", tags=["nbval-ignore-output"]),
        new_markdown_cell("### Um título menor não acaba a seção"),
        celula("from helpers.minhas import softmax"),
        celula('aposta = ...\nconfira("aula-02/y", aposta)'),
        new_markdown_cell("Um texto.\n\n## Outra seção"),
        celula("print(1)"),
    ]
    texto = nbformat.writes(new_notebook(cells=celulas)) + "\n"
    nb = json.loads(como_vai_a_aula(texto.encode()))
    com_saida = [i for i, c in enumerate(nb["cells"]) if c.get("outputs")]
    assert com_saida == [2, 8], "e a primeira que só imprime vai por rodar"


def test_no_pacote_o_testar_so_quer_que_nenhuma_celula_falhe(tmp_path, monkeypatch, capsys):
    """Uma saída diferente da guardada passa, na aula e além dela; uma célula que para, não."""
    (tmp_path / "notebooks" / "alem").mkdir(parents=True)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    for nome, codigo in (("01-a", "print(1)"), ("alem/01-b", "print(2)"), ("alem/01-c", "1 / 0")):
        nb = new_notebook(cells=[celula(codigo)], metadata=kernel)
        nbformat.write(nb, tmp_path / "notebooks" / f"{nome}.ipynb")
    monkeypatch.setattr(testar, "RAIZ", tmp_path)
    (resultado,) = testar.etapas(rapido=False, pasta=str(tmp_path))
    assert resultado[:3] == ("aulas", False, "2 passaram, 1 falhou")
    assert "Os resultados não são comparados" in capsys.readouterr().out


def test_o_que_ha_alem_de_uma_aula_vem_com_ela(tmp_path):
    """Em uma pasta de curso qualquer: até a 02, só o que é da 02 ou de antes."""
    nomes = ["02-softmax", "alem/01-redes", "alem/02-jacobiana", "alem/03-perda", "alem/.ipynb_checkpoints/01-redes"]
    for nome in nomes:
        caminho = tmp_path / "notebooks" / f"{nome}.ipynb"
        caminho.parent.mkdir(parents=True, exist_ok=True)
        caminho.write_text("{}")
    vistos = [p.relative_to("notebooks").with_suffix("").as_posix() for p in conteudo(tmp_path, ate="02")]
    assert vistos == ["02-softmax", "alem/01-redes", "alem/02-jacobiana"]
    assert Path("notebooks/alem/03-perda.ipynb") in conteudo(tmp_path)
