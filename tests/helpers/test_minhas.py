"""As funções que o aluno escreve nas listas são as que rodam depois (helpers.minhas); senão, as do curso, e se diz."""

import ast
import importlib
import inspect
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from conftest import RAIZ, alem, aulas, listas, por_que_sem_caixa, questoes, semente_da_rodada, solucoes

from correcao.caixa import a_vista, conversa
from correcao.demo import responder
from gabarito.base import buscar
from gabarito.codigo import como_celula
from helpers import indice
from helpers.autoria import mapa, origem, verificacao
from helpers.autoria.recorte import NotebookIlegivel, ler, sem_magicas
from helpers.conferencia.execucao import executar
from helpers.conferencia.juiz import Juiz
from helpers.conferir import conferir
from helpers.indice import catalogo

SOFTMAX = """
def softmax(x, eixo=-1):
    e = np.exp(x - x.max(axis=eixo, keepdims=True))
    return e / e.sum(axis=eixo, keepdims=True)
"""


@pytest.fixture
def pasta(tmp_path, monkeypatch) -> Path:
    """Uma pasta com as listas do aluno, todas em branco, e a memória do que já se conferiu, vazia."""
    for lista in listas():
        (tmp_path / lista).mkdir()
        texto = (RAIZ / "release" / lista / f"{lista}.ipynb").read_text("utf-8")
        (tmp_path / lista / f"{lista}.ipynb").write_text(texto, "utf-8")
    monkeypatch.setenv(origem.LISTAS, str(tmp_path))
    monkeypatch.setattr(origem, "MEMORIA", tmp_path / "memoria")
    return tmp_path


def notebook(pasta: Path, numero: str) -> Path:
    return next(pasta.glob(f"lista-{numero}-*/*.ipynb"))


def escrever(pasta: Path, numero: str, respostas: dict[str, str], depois: str = "") -> Path:
    """Responde a lista; `depois` é uma célula a mais, no começo."""
    caminho = notebook(pasta, numero)
    nb = responder(nbformat.read(caminho, 4), respostas, None)
    if depois:
        nb.cells.insert(1, nbformat.v4.new_code_cell(depois))
    nbformat.write(nb, caminho)
    return caminho


def da_linha(nome: str) -> str:
    return origem.obter(nome).linha


# ------------------------------------------------------------ a do aluno


def test_a_funcao_do_aluno_vem_do_notebook_salvo_e_uma_linha_diz_isso(pasta, capsys):
    caminho = escrever(pasta, "02", {"softmax": SOFTMAX})
    os.utime(caminho, (0, 0))
    from helpers.minhas import softmax

    assert np.allclose(softmax(np.zeros(4)), 0.25)
    assert inspect.unwrap(softmax).__code__.co_filename.startswith("<lista-02")
    assert re.search(r"^softmax: a sua, da lista 02, salva em \d\d/\d\d às \d\d:\d\d ✓$", capsys.readouterr().out, re.M)


def test_quem_ainda_nao_buscou_uma_lista_usa_a_que_fez_de_outra(pasta):
    """Em um JupyterHub as listas chegam uma a uma, e a lista 02 traz funções da 01."""
    escrever(pasta, "02", {"softmax": SOFTMAX})
    shutil.rmtree(pasta / "lista-01-produto-escalar")
    assert origem.obter("softmax").propria


def test_so_roda_o_que_a_funcao_usa(pasta):
    """Nem figuras, nem arquivos, nem comandos do IPython, nem treinos: só importações, definições e atribuições."""
    antes = """%matplotlib inline
!ls
import math
FATOR = 1.0
print("não era para rodar")
dados = open("/nao/existe").read()
while True:
    pass
"""
    escrever(pasta, "02", {"softmax": f"%%time{SOFTMAX}".replace("return e /", "return FATOR * e /")}, antes)
    assert origem.obter("softmax").propria


def test_o_que_nao_mudou_nao_se_confere_de_novo(pasta, monkeypatch):
    caminho = escrever(pasta, "02", {"softmax": SOFTMAX})
    primeira = origem.obter("softmax").valor
    monkeypatch.setattr(origem, "verificar", lambda *_: pytest.fail("conferiu de novo"))
    assert origem.obter("softmax").valor is primeira
    monkeypatch.undo()
    monkeypatch.setenv(origem.LISTAS, str(pasta))
    monkeypatch.setattr(origem, "MEMORIA", pasta / "memoria")
    escrever(pasta, "02", {"softmax": "def softmax(x, eixo=-1):\n    return x"})
    assert caminho.is_file() and not origem.obter("softmax").propria


def test_vale_a_definicao_que_a_conferencia_ve(tmp_path):
    """Uma função refeita depois da célula de conferência não é a que foi conferida."""
    caminho = escrever_celulas(
        tmp_path, ["def f():\n    return 1", 'conferir("lista-02/f", f)', "def f():\n    return 2"]
    )
    comandos, _ = ler(caminho, "lista-02", ["f"]).precisa("f", "lista-02/f")
    assert [c.celula for c in comandos] == [0]
    caminho = escrever_celulas(tmp_path, ['conferir("lista-02/f_2", f_2)', "def f():\n    return 1"])
    comandos, _ = ler(caminho, "lista-02", ["f"]).precisa("f", "lista-02/f")
    assert [c.celula for c in comandos] == [1], "a conferência de f_2 não é a de f"


def escrever_celulas(pasta: Path, fontes: list[str]) -> Path:
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f) for f in fontes])
    nbformat.write(nb, pasta / "lista.ipynb")
    return pasta / "lista.ipynb"


def test_um_nome_que_falta_e_dito(pasta):
    escrever(pasta, "02", {"softmax": SOFTMAX.replace("np.exp(x", "np.exp(alfa * x")})
    assert "não achei `alfa`" in da_linha("softmax")


EM_TORCH = """
def softmax(x, eixo=-1):
    import torch
    return torch.softmax(torch.as_tensor(x, dtype=torch.float32), eixo)
"""


@pytest.mark.parametrize("resposta", [SOFTMAX, EM_TORCH], ids=["em NumPy", "em PyTorch"])
def test_com_arrays_saem_arrays_e_com_tensores_tensores_qualquer_que_seja_a_biblioteca_do_aluno(pasta, resposta):
    import torch

    escrever(pasta, "02", {"softmax": resposta})
    softmax, x = origem.obter("softmax").valor, np.array([[0.0, 1.0], [2.0, 0.5]])
    A = softmax(x)
    assert isinstance(A, np.ndarray) and (A @ x).shape == (2, 2)
    t = torch.tensor(x)
    if resposta == EM_TORCH:
        assert softmax(x=t, eixo=0).dtype == torch.float64 and (softmax(t) @ t).shape == (2, 2)


def test_so_se_troca_o_tipo_de_arrays_tensores_e_do_que_os_traz():
    import torch

    from helpers.autoria.tipos import como_na_entrada

    def dar(x, *outros):
        return x, [torch.zeros(()), "texto", None], np.int64(3)

    texto, (zero, *resto), tres = como_na_entrada(dar)("x", np.ones(2))
    assert (texto, resto, tres) == ("x", ["texto", None], 3) and isinstance(zero, float | np.floating)
    assert dar.__name__ == como_na_entrada(dar).__name__
    (array, (zero, *_), _) = como_na_entrada(dar)(np.ones(2), [torch.ones(1, dtype=torch.float64)])
    assert array.dtype == zero.dtype == torch.float64


# ------------------------------------------------------------ a do curso, com o porquê

RUINS = {
    "por escrever": ({}, "a sua, da lista 02, ainda não foi escrita"),
    "errada": ({"softmax": "def softmax(x, eixo=-1):\n    return x"}, "ainda não passa na conferência"),
    "erro de sintaxe": ({"softmax": "def softmax(x:"}, "tem um erro de sintaxe na linha 1"),
    "não termina": ({"softmax": "def softmax(x, eixo=-1):\n    while True: pass"}, "não terminou"),
    "encerra o Python": ({"softmax": "import os\ndef softmax(x, eixo=-1):\n    os._exit(0)"}, "encerrou o Python"),
    "SystemExit": ({"softmax": "def softmax(x, eixo=-1):\n    raise SystemExit"}, "ainda não passa na conferência"),
    "decorador sem fim": (
        {"softmax": f"def enrola(f):\n    while True: pass\n@enrola{SOFTMAX}"},
        "não terminou",
    ),
    "memória sem fim": (
        {"softmax": "def softmax(x, eixo=-1):\n    return np.ones((10**6, 10**6))"},
        "ainda não passa na conferência",
    ),
}


@pytest.mark.parametrize("respostas, dito", RUINS.values(), ids=RUINS)
def test_a_lista_ruim_nao_para_a_aula_e_se_diz_por_que(pasta, respostas, dito):
    escrever(pasta, "02", respostas)
    achada = origem.obter("softmax")
    assert not achada.propria and dito in achada.linha and achada.linha.startswith("softmax: a do curso, porque ")
    assert np.allclose(achada.valor(np.zeros(4)), 0.25)


def test_o_que_derruba_o_processo_nao_leva_as_outras_questoes_junto(pasta):
    escrever(
        pasta, "02", {"softmax": RUINS["encerra o Python"][0]["softmax"], "entropia": solucoes(listas()[1])["entropia"]}
    )
    situacoes = origem.situacoes("lista-02")
    assert situacoes["lista-02/entropia"].estado == verificacao.CERTA
    assert situacoes["lista-02/softmax"].estado == verificacao.ERRADA


def test_a_certa_e_lenta_da_lugar_a_do_curso(pasta, monkeypatch):
    cada = 1.1 * verificacao.LENTA_DEMAIS / len(buscar("lista-02/softmax").casos)
    gastar = f"fim = time.process_time() + {cada}\n    while time.process_time() < fim: pass"
    devagar = f"    import time\n    {gastar}\n    e ="
    escrever(pasta, "02", {"softmax": SOFTMAX.replace("    e =", devagar, 1)})
    assert "lenta demais para a aula. Leva" in da_linha("softmax") and "o limite é 5 s" in da_linha("softmax")


@pytest.mark.parametrize(
    "programa, acaba",
    [("pass", True), ("while True: pass", False), ("import time; time.sleep(3600)", False)],
    ids=["acaba", "trabalha sem fim", "dorme"],
)
def test_o_outro_processo_tem_um_prazo_de_processador_e_outro_para_quem_esta_parado(monkeypatch, programa, acaba):
    monkeypatch.setattr(verificacao, "_PARADA", 1.0 if "sleep" in programa else 10**6)
    with subprocess.Popen([sys.executable, "-c", programa]) as processo:
        acabou, gasto = verificacao._esperar(processo, 10**6 if "sleep" in programa or acaba else 0.5)
        processo.kill()
    assert acabou is acaba and (gasto >= 0.5) is ("while" in programa)


@pytest.mark.parametrize(
    "celula, antes",
    [
        ("import torch.nn as nn", True),
        ("from helpers.minhas import softmax", True),
        ("from helpers.minhas import similaridades", False),
        ("import math", False),
    ],
)
def test_o_torch_chega_antes_do_prazo(tmp_path, monkeypatch, celula, antes):
    """Interrompido no meio por um prazo, ele não se importaria mais, e as outras questões pagariam por isso."""
    importados: list[str] = []
    monkeypatch.setattr(verificacao.importlib, "import_module", importados.append)
    verificacao._importar_antes(ler(escrever_celulas(tmp_path, [celula]), "lista-03", []))
    assert importados == (["torch"] if antes else [])


@pytest.mark.parametrize(
    "estragar, dito",
    [
        (lambda p: p.unlink(), "não está na pasta dele"),
        (lambda p: p.rename(p.with_name("minha lista.ipynb")), "há minha lista.ipynb: devolva a ele o nome antigo"),
        (lambda p: p.write_text("{", "utf-8"), "está danificado e não abre"),
        (lambda p: p.write_bytes(b"\xff\xfe\x00"), "está danificado e não abre"),
        (lambda p: p.write_text('{"cells": 3}', "utf-8"), "está danificado e não abre"),
        (lambda p: (p.unlink(), p.parent.rmdir()), "a pasta da lista 02 não está aqui"),
    ],
)
def test_sem_o_notebook_usa_se_a_do_curso(pasta, estragar, dito):
    estragar(notebook(pasta, "02"))
    achada = origem.obter("softmax")
    assert not achada.propria and dito in achada.linha


def test_o_que_o_curso_nao_tem_da_uma_frase(pasta):
    with pytest.raises(ImportError, match="O curso não tem `entropia`, e a sua, da lista 02, ainda não foi escrita"):
        from helpers.minhas import entropia  # noqa: F401
    with pytest.raises(ImportError, match="Você quis dizer `softmax`?"):
        from helpers.minhas import softmaxx  # noqa: F401


# ------------------------------------------------------------ a lista que se confere


def test_ao_conferir_uma_lista_so_ha_o_que_o_curso_tem_das_anteriores(pasta, monkeypatch):
    escrever(pasta, "02", {"softmax": SOFTMAX})
    monkeypatch.setenv(verificacao.LISTA_ATUAL, "lista-03")
    assert not origem.obter("softmax").propria
    monkeypatch.setenv(verificacao.LISTA_ATUAL, "lista-02")
    with pytest.raises(ImportError, match="A lista 02 só usa funções de listas anteriores"):
        origem.obter("softmax")
    assert mapa.mapa() is None


def test_uma_aula_so_traz_funcoes_de_listas_anteriores_a_ela():
    """O pacote da semana não tem o substituto da própria lista: quem ainda não a fez não poderia abrir a aula."""
    listas = catalogo()
    for aula in (RAIZ / "notebooks").rglob("[0-9]*.ipynb"):
        celulas = json.loads(aula.read_text("utf-8"))["cells"]
        codigo = "\n".join("".join(c["source"]) for c in celulas if c["cell_type"] == "code")
        trazidas = ",".join(re.findall(r"from helpers\.minhas import ([^#\n]+)", codigo)).split(",")
        for nome in filter(None, (n.strip() for n in trazidas)):
            assert nome in ("mapa", "fixar") or listas[nome][6:8] < aula.name[:2], f"{aula.name}: {nome}"


def test_ao_corrigir_o_pedido_diz_a_lista(pasta, monkeypatch, tmp_path):
    pedido = tmp_path / "pedido.json"
    pedido.write_text(json.dumps({"lista-05/multi_cabecas": {}}), "utf-8")
    monkeypatch.setenv(origem.PEDIDO, str(pedido))
    assert origem.lista_em_conferencia() == "lista-05"


def test_conferir_na_celula_usa_a_do_curso_no_lugar_da_que_veio_de_outra_lista(pasta, monkeypatch):
    """A softmax do aluno passa nos casos visíveis e erra em outros: o erro dela não se cobra na lista 03."""
    import __main__

    errada_as_vezes = SOFTMAX.replace("    return e", "    e[..., 0] += x.shape[-1] == 23\n    return e")
    escrever(pasta, "02", {"softmax": errada_as_vezes})
    minha = origem.obter("softmax")
    assert minha.propria
    monkeypatch.setattr(__main__, "softmax", minha.valor, raising=False)
    with origem.so_do_curso():
        assert __main__.softmax is not minha.valor
        assert np.allclose(__main__.softmax(np.zeros(23)), 1 / 23)
    assert __main__.softmax is minha.valor


def test_cada_lista_so_traz_funcoes_de_listas_anteriores():
    nomes, usam = catalogo(), 0
    for lista in listas():
        lido = ler(RAIZ / "source" / lista / f"{lista}.ipynb", lista[:8], [])
        for nome in set(lido.importa_de_minhas()) - {"mapa", "fixar"}:
            usam += 1
            assert nomes[nome].partition("/")[0] < lista[:8], (lista, nome)
    assert usam >= 4


# ------------------------------------------------------------ os substitutos


def todos_os_substitutos() -> list[tuple[str, str]]:
    """(questão, nome) de cada um."""
    achados = []
    for arquivo in sorted((RAIZ / "helpers" / "substitutos").glob("lista_*.py")):
        definicoes = [no for no in ast.parse(arquivo.read_text("utf-8")).body if hasattr(no, "name")]
        achados += [(f"{arquivo.stem.replace('_', '-')}/{no.name}", no.name) for no in definicoes]
    return achados


@pytest.mark.parametrize("questao, nome", todos_os_substitutos())
def test_o_substituto_faz_o_que_a_lista_pede(questao, nome):
    q, funcao = buscar(questao), origem.substituto(nome, questao.partition("/")[0])
    conferir(questao, funcao)
    oculta = q.so_oculta(semente_da_rodada())
    assert Juiz(oculta).julgar(executar(oculta.adaptar(funcao), [c.entradas for c in oculta.casos])) is None


def test_so_ha_substituto_para_o_que_se_usa_depois():
    usos: dict[str, set[str]] = {}
    for caminho in [*aulas(), *alem(), *(RAIZ / "source").glob("*/*.ipynb")]:
        numero = re.search(r"\d\d", caminho.name).group()
        celulas = json.loads(caminho.read_text("utf-8"))["cells"]
        codigo = "\n".join("".join(c["source"]) for c in celulas if c["cell_type"] == "code")
        for linha in re.findall(r"from helpers\.minhas import ([^#\n]+)", codigo):
            for nome in linha.split(","):
                usos.setdefault(nome.strip(), set()).add(numero)
        if "minha_atencao" in codigo:  # helpers/llm.py a procura na lista 06
            usos.setdefault("atencao_mascarada", set()).add(numero)
    for questao, nome in todos_os_substitutos():
        assert any(numero > questao[6:8] for numero in usos.get(nome, ())), f"ninguém usa {nome} depois da lista dele"


def test_a_caixa_de_uma_lista_so_tem_os_substitutos_que_ela_usa_e_nenhum_a_responde():
    for lista in listas():
        numero = lista[:8]
        (copia,) = a_vista.a_vista(json.dumps({f"{numero}/x": {}})).values()
        vistos = {p.stem.replace("_", "-") for p in Path(copia).glob("lista_*.py")}
        assert vistos == {u for u in a_vista.usadas(numero) if (a_vista.PASTA / f"{u.replace('-', '_')}.py").is_file()}
        assert all(visto < numero for visto in vistos)
        for visto in vistos:
            modulo = importlib.import_module(f"helpers.substitutos.{visto.replace('-', '_')}")
            funcoes = [f for f in vars(modulo).values() if getattr(f, "__module__", "") == modulo.__name__]
            for q in (q for q in questoes() if q.lista == numero):
                for funcao in funcoes:
                    with pytest.raises(AssertionError):
                        conferir(q.nome, funcao)
    (vazia,) = a_vista.a_vista(None).values()
    assert [p.name for p in Path(vazia).iterdir()] == ["__init__.py"]


def test_o_modulo_fixado_da_os_mesmos_numeros_de_quem_quer_que_seja():
    import torch

    from helpers.minhas import fixar

    X = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(1))
    um, outro = buscar("lista-07/Bloco").referencia, origem.substituto("Bloco", "lista-07")
    assert torch.allclose(fixar(um(8, 2))(X), fixar(outro(8, 2))(X), atol=1e-5)
    assert not torch.allclose(fixar(um(8, 2), 1)(X), fixar(um(8, 2), 2)(X))


# ------------------------------------------------------------ as aulas


def test_a_celula_que_importa_de_minhas_nao_tem_a_saida_comparada():
    """De onde cada função veio depende de quem roda."""
    for caminho in [*aulas(), *alem()]:
        for celula in json.loads(caminho.read_text("utf-8"))["cells"]:
            codigo = "".join(celula["source"]) if celula["cell_type"] == "code" else ""
            if re.search(r"^from helpers\.minhas import|minha_atencao\(\)|^mapa\(\)", codigo, re.M):
                assert "nbval-ignore-output" in celula["metadata"].get("tags", []), (caminho.name, codigo[:60])


# ------------------------------------------------------------ o mapa


def test_o_mapa_tem_cinco_estados_pontos_e_o_proximo_passo(pasta):
    escrever(pasta, "02", {"softmax": SOFTMAX, "entropia": "def entropia(A):\n    return A"})
    texto = mapa.em_texto(mapa.estacoes())
    for peca in ("✓ softmax", "✎ entropia", "○ incorporar", "■ o corpus"):
        assert peca in texto
    assert "02  de pontuações a pesos (2 de 8 pontos, 0 de 2 discussões)" in texto
    assert "Próximo passo: incorporar, na lista 01" in texto


def discutir(pasta: Path, numero: str, textos: dict[str, str]) -> None:
    caminho = notebook(pasta, numero)
    nb = nbformat.read(caminho, 4)
    for celula in nb.cells:
        celula.source = textos.get(celula.metadata.get("nbgrader", {}).get("grade_id"), celula.source)
    nbformat.write(nb, caminho)


def test_o_mapa_mostra_que_discussoes_estao_em_branco(pasta):
    discutir(pasta, "02", {"discussao-1": f"Porque a norma some.\n\n{mapa.EM_BRANCO}", "discussao-2": "  \n"})
    texto = mapa.em_texto(mapa.estacoes())
    assert "¶ discussão 1   ○ discussão 2" in texto and "1 de 2 discussões" in texto
    html = mapa.mapa(dobrado=True)._repr_html_()
    assert "0 de 8 pontos, 1 de 2 discussões" in re.sub(r"<p.*?</p>", "", html)
    assert 'aria-label="discussão 1: escrita, para uma pessoa ler"' in html


def test_com_todas_as_pecas_certas_o_proximo_passo_e_a_discussao_em_branco(pasta):
    feitas = mapa.estacoes()
    for estacao in feitas:
        estacao.pecas = dict.fromkeys(estacao.pecas, mapa.SUA)
    assert "Próximo passo: discussão 1, na lista 01" in mapa.em_texto(feitas)
    for estacao in feitas:
        estacao.discussoes = dict.fromkeys(estacao.discussoes, mapa.ESCRITA)
    assert mapa.em_texto(feitas).endswith("A máquina inteira é sua.")


def test_sem_o_indice_nao_ha_listas_e_se_diz(pasta, monkeypatch, capsys):
    monkeypatch.setattr("helpers.indice.ARQUIVO", pasta / "indice.json")
    assert mapa.main([]) == 2 and "Não achei nenhuma lista" in capsys.readouterr().err
    (pasta / "indice.json").write_text('{"listas": {"lista-01": {"outra": 1}}}', "utf-8")
    assert mapa.main([]) == 2 and "Não achei nenhuma lista" in capsys.readouterr().err


def test_o_mapa_se_le_sem_cor_e_sem_ver(pasta):
    escrever(pasta, "02", {"softmax": SOFTMAX})
    html = mapa.mapa()._repr_html_()
    assert 'aria-label="softmax: sua e certa"' in html and 'aria-label="entropia: por fazer"' in html
    assert len(set(mapa._BORDAS.values())) == len(set(mapa.MARCAS.values())) == 5
    assert 'href="' in html and "lista-01-produto-escalar.ipynb" in html
    assert "<script" not in html and "http" not in html


def test_o_mapa_de_uma_lista_que_nao_se_le_diz_isso_e_segue(pasta):
    inteiro = mapa.em_texto(mapa.estacoes())
    notebook(pasta, "03").write_text("{", "utf-8")
    texto = mapa.em_texto(mapa.estacoes())
    assert "não consegui ler o notebook desta lista" in texto
    assert texto.splitlines()[-2] == inteiro.splitlines()[-2]  # o que o curso vale não depende do arquivo


def test_o_mapa_de_uma_lista_com_outro_nome_diz_que_nome_devolver(pasta):
    caminho = notebook(pasta, "03")
    caminho.rename(caminho.with_name("minha lista.ipynb"))
    texto = mapa.em_texto(mapa.estacoes())
    assert "há minha lista.ipynb: devolva a ele o nome antigo" in texto and "0 de 0" not in texto


def test_cada_caixa_do_mapa_leva_a_aula_e_a_lista(pasta):
    html = mapa.mapa()._repr_html_()
    assert "/../notebooks/01-produto-escalar.ipynb" in html
    assert html.count(">aula</a>") == html.count(">a lista</a>") == len(listas())
    assert '/../notebooks/04b-duas-mangas.ipynb">04b</a>' in html
    assert '/../notebooks/07b-montagem.ipynb">07b</a>' in html


def test_o_mapa_dobrado_tem_uma_linha_por_lista_e_guarda_o_resto_em_um_clique(pasta):
    html = mapa.mapa(dobrado=True)._repr_html_()
    assert html.count("<details><summary>") == html.count("</details>") == len(listas())
    fora = re.sub(r"<details>.*?</details>", "", html)
    assert "incorporar" in html and "mais_parecido" not in fora and "/../notebooks/01-" not in fora


def abertas(html: str) -> list[str]:
    return re.findall(r"<details open><summary>(\d\d)", html)


def test_o_mapa_abre_na_peca_certa_mais_nova_e_no_proximo_passo(pasta):
    assert abertas(mapa.mapa()._repr_html_()) == ["01"]
    escrever(pasta, "02", {"softmax": SOFTMAX})
    assert abertas(mapa.mapa()._repr_html_()) == ["02", "01"]  # de fora para dentro
    assert abertas(mapa.mapa(dobrado=True)._repr_html_()) == ["02"]


def test_o_proximo_passo_leva_ao_enunciado_dele(pasta):
    html = mapa.mapa()._repr_html_()
    assert 'lista-01-produto-escalar.ipynb#cell-id=enunciado-incorporar">incorporar</a>' in html
    for lista, dados in indice.listas().items():
        (caminho,) = (RAIZ / "release").glob(f"{lista}-*/*.ipynb")
        ids = {c["id"] for c in json.loads(caminho.read_text("utf-8"))["cells"] if c["cell_type"] == "markdown"}
        relativo = caminho.relative_to(RAIZ / "release").as_posix()
        assert {mapa._celula_do_enunciado(relativo, questao) for questao in dados.questoes} <= ids, lista


# ------------------------------------------------------------ tudo junto


@pytest.mark.lento
@pytest.mark.tudo
def test_respostas_de_todos_os_estilos_viram_o_gpt_e_movem_o_llm(pasta, monkeypatch, capsys):
    """Cada questão respondida com uma alternativa do banco: laços, einsum, torch, float32."""
    for lista in listas():
        certas = {q.funcao: q.certas[-1 - i % len(q.certas)] for i, q in enumerate(questoes()) if q.lista == lista[:8]}
        celulas = {nome: como_celula(buscar(f"{lista[:8]}/{nome}"), r) for nome, r in certas.items()}
        escrever(pasta, lista[6:8], celulas)
    erradas = {
        nome: situacao.frase
        for lista in listas()
        for nome, situacao in origem.situacoes(lista[:8]).items()
        if situacao.estado != verificacao.CERTA
    }
    assert erradas == {}
    import torch

    from helpers.llm import carregar, minha_atencao
    from helpers.minhas import GPT, Tokenizador, gerar, lotes, treinar

    texto = "ser ou não ser, eis a questão. " * 20
    letras = Tokenizador(texto)
    dados, gerador = torch.tensor(letras.codificar(texto)), torch.Generator().manual_seed(0)
    modelo = GPT(letras.V, 8, 16, 1, 2)
    perdas, medidas = treinar(
        modelo, lambda: lotes(dados, 8, 8, gerador), lotes(dados, 8, 8, gerador), [0.01] * 12, [12], 1.0
    )
    assert perdas[-1] < perdas[0] and list(medidas) == [12]
    assert len(letras.decodificar(gerar(modelo, dados[None, :4], 5)[0].tolist())) == 9
    assert carregar().gerar("The capital of France is", 1, atencao=minha_atencao()) == " Paris"
    assert "atencao_mascarada: a sua, da lista 06" in capsys.readouterr().out


def test_as_magicas_somem_e_as_linhas_ficam_no_lugar():
    assert sem_magicas("%%time\nx = 1\n!ls\nhelp?\ny = 2") == "\nx = 1\n\n\ny = 2"
    assert sem_magicas("%%bash\necho oi") == ""


def test_um_notebook_que_nao_e_um_nao_se_le(tmp_path):
    (tmp_path / "x.ipynb").write_text("[]", "utf-8")
    with pytest.raises(NotebookIlegivel):
        ler(tmp_path / "x.ipynb", "lista-02", [])


def test_de_dentro_da_caixa_so_se_veem_as_funcoes_do_curso_que_a_lista_usa(cada_caixa):
    if porque := por_que_sem_caixa():
        pytest.skip(porque)
    celulas = [
        "from helpers.minhas import softmax\nprint(softmax([0.0, 0.0]))",
        "import os, helpers.substitutos as s\nprint(sorted(os.listdir(os.path.dirname(s.__file__))))",
        "from helpers.minhas import atencao_escalada",
    ]
    resultado = conversa.executar(conversa.Tarefa(celulas, json.dumps({"lista-03/x": {}})), logging.getLogger("teste"))
    usa, ve, recusa = (saidas[0] for saidas in resultado.saidas)
    assert usa["text"] == "[0.5 0.5]\n"
    assert ve["text"] == "['__init__.py', 'lista_02.py']\n"
    assert recusa["evalue"].startswith("A lista 03 só usa funções de listas anteriores")
