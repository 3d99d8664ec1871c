"""O reparo e a escolha do notebook, peça por peça. As entregas acidentadas inteiras estão em acidentes/."""

import copy
import json
import os
import socket
import time

import nbformat
import pytest
from conftest import RAIZ, listas, png

from correcao.chegada import entrega, reparo
from correcao.chegada.entrega import escolher, ler
from correcao.chegada.reparo import reparar
from correcao.chegada.reparo.analise import define_fracamente

LISTA = "lista-02-softmax"
RESPOSTA = "def softmax(x, eixo=-1):\n    return x"


def _emitida(lista=LISTA):
    return nbformat.read(RAIZ / "release" / lista / f"{lista}.ipynb", as_version=4)


def _dados(lista=LISTA) -> dict:
    return json.loads((RAIZ / "release" / lista / f"{lista}.ipynb").read_text(encoding="utf-8"))


def _bytes(nb) -> bytes:
    return json.dumps(nb).encode()


def _achar(nb, grade_id):
    return next(c for c in nb["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def _reparar(nb):
    return reparar(_bytes(nb), _emitida(), f"{LISTA}.ipynb")


def _com_fontes(*fontes: str) -> dict:
    """Um notebook sem marca alguma, com estas células de código."""
    celulas = [{"cell_type": "code", "source": f, "metadata": {}, "outputs": []} for f in fontes]
    return {"cells": celulas, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


# ---------------------------------------------------------------- o que não muda


@pytest.mark.parametrize("lista", listas())
def test_toda_lista_em_branco_sai_como_entrou(lista):
    if not (RAIZ / "release" / lista).is_dir():
        pytest.skip("a lista ainda não foi gerada")
    emitida = _emitida(lista)
    feito = reparar(_bytes(_dados(lista)), emitida, lista)
    assert (feito.motivo, feito.consertos, feito.respondidas) == (None, [], 0)
    assert [(c.cell_type, c.source) for c in feito.nb.cells] == [(c.cell_type, c.source) for c in emitida.cells]


@pytest.mark.parametrize("lista", listas())
def test_toda_lista_respondida_e_reconhecida_sem_marca_alguma(lista):
    if not (RAIZ / "release" / lista).is_dir():
        pytest.skip("a lista ainda não foi gerada")
    fonte = nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)
    marcadas = [c for c in fonte.cells if "nbgrader" in c.metadata]
    respostas = {c.metadata.nbgrader.grade_id: c.source for c in marcadas if c.metadata.nbgrader.solution}
    nb = json.loads(nbformat.writes(fonte))
    for celula in nb["cells"]:
        celula["metadata"] = {}
        celula.pop("id", None)
    feito = reparar(_bytes(nb), _emitida(lista), lista)
    prontas = {c.metadata.nbgrader.grade_id: c.source for c in feito.nb.cells if "nbgrader" in c.metadata}
    assert {g: prontas[g] for g in respostas} == respostas
    assert feito.respondidas == len(respostas)


def test_a_emitida_nao_e_modificada():
    emitida = _emitida()
    antes = copy.deepcopy(emitida)
    nb = _dados()
    _achar(nb, "softmax")["source"] = RESPOSTA
    feito = reparar(_bytes(nb), emitida, LISTA)
    feito.nb.cells[0].metadata["x"] = 1
    reparar(b"", emitida, LISTA).nb.cells[1].metadata.nbgrader["points"] = 7
    assert emitida == antes


def test_o_notebook_sem_nada_a_consertar_se_monta_uma_vez_so(monkeypatch):
    montados = []

    class Contada(reparo.Montagem):
        def __init__(self, *partes):
            montados.append(self)
            super().__init__(*partes)

    monkeypatch.setattr(reparo, "Montagem", Contada)
    assert _reparar(_dados()).consertos == [] and len(montados) == 1
    sem_marca = _dados()
    for celula in sem_marca["cells"]:
        celula["metadata"].pop("nbgrader", None)
    _reparar(sem_marca)
    assert len(montados) == 3  # o que muda de uma leitura para a outra se monta de novo, até que nada mude


def test_o_resultado_e_sempre_o_mesmo():
    nb = _com_fontes("import numpy as np", RESPOSTA, "def entropia(A):\n    return 1", RESPOSTA + "\n")
    assert _reparar(nb).nb == _reparar(nb).nb
    assert _reparar(nb).consertos == _reparar(nb).consertos


# ---------------------------------------------------------------- nada do aluno manda em nós


def test_nenhum_metadado_do_aluno_passa():
    nb = _dados()
    veneno = {
        "tags": ["skip-execution", "raises-exception", "remove-cell", "parameters"],
        "nbgrader": {"grade": True, "points": 1000, "grade_id": "inventada", "solution": False, "locked": False},
        "jupyter": {"source_hidden": True},
        "execution": {"a": 1},
        "slideshow": {"slide_type": "skip"},
    }
    nb["metadata"] = {
        "kernelspec": {
            "name": "ir",
            "display_name": "x",
            "metadata": {"kernel_provisioner": {"provisioner_name": "x"}},
        },
        "widgets": {"x": 1},
        "jupytext": {"cell_metadata_filter": "all"},
        "execution": {"timeout": 1},
        "curso": {"motivo": None, "nota": 10},
    }
    for celula in nb["cells"]:
        celula["metadata"] = celula["metadata"] | {k: v for k, v in veneno.items() if k != "nbgrader"}
    nb["cells"].append(
        {"cell_type": "code", "source": "print(1)", "metadata": veneno, "outputs": [{"x": 1}], "id": "z"}
    )
    feito = _reparar(nb)
    emitida = _emitida()
    assert feito.nb.metadata == emitida.metadata
    assert [c.metadata for c in feito.nb.cells] == [*(c.metadata for c in emitida.cells), {}]
    assert set(feito.nb) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert feito.nb.cells[-1].outputs == []


def test_um_aviso_forjado_e_descartado():
    nb = _dados()
    forjado = {"cell_type": "markdown", "id": reparo.ID_DO_AVISO, "metadata": {}}
    nb["cells"].insert(0, forjado | {"source": "## O que a correção consertou nesta entrega\n\nDê 10 a este aluno."})
    assert "Dê 10" not in json.dumps(_reparar(nb).nb, ensure_ascii=False)


def test_o_nome_do_arquivo_nao_escreve_markdown_no_aviso():
    feito = reparar(b"", _emitida(), "x](http://e.vil)<script>`\n# oi\x1b[31m\u202e.ipynb")
    assert not set("<>[]`#\n\x1b\u202e") & set(feito.motivo)


def test_so_imagens_de_verdade_acompanham_a_discussao():
    nb = _dados()
    discussao = _achar(nb, "discussao-1")
    discussao["source"] = "Veja ![a conta](attachment:conta.png)"
    discussao["attachments"] = {
        "conta.png": {"image/png": png(3, 2)},
        "x.svg": {"image/svg+xml": "<svg onload='alert(1)'/>"},
        "y.html": {"text/html": "<script>"},
        "../z.png": {"image/png": png(3, 2)},
        "w.png": {"image/png": "javascript:alert(1)"},
        "v.png": 3,
    }
    feito = _reparar(nb)
    assert _achar(feito.nb, "discussao-1")["attachments"] == {"conta.png": {"image/png": png(3, 2)}}
    nbformat.validate(feito.nb)
    (conserto,) = feito.consertos
    assert "só se aceitam PNG e JPEG" in conserto


# ---------------------------------------------------------------- qual das células é a resposta


@pytest.mark.parametrize(
    "fonte",
    [
        "softmax = lambda x, eixo=-1: x",
        "from scipy.special import softmax",
        "from scipy.special import expit, softmax",
        "import torch\nsoftmax = torch.softmax",
        "try:\n    import torch\nexcept ImportError:\n    pass\nelse:\n    def softmax(x, eixo=-1):\n        return x",
        "async def softmax(x): ...",
        "class softmax:\n    pass",
        "@decorador\ndef softmax(x): ...",
        "    def softmax(x):\n        return x",
        ">>> def softmax(x):\n...     return x",
        "%%time\ndef softmax(x):\n    return x",
        "softmax: object = abs",
    ],
)
def test_ha_muitos_jeitos_de_definir_a_funcao(fonte):
    feito = _reparar(_com_fontes("import numpy as np", "def entropia(A):\n    return 0", fonte))
    assert _achar(feito.nb, "softmax")["source"] == fonte
    assert feito.respondidas == 2


@pytest.mark.parametrize(
    "fonte", ["entropia_de = 3", "print(softmax)", "x.softmax = 1", "softmax == 2", "# def softmax"]
)
def test_e_muitos_de_nao_definir(fonte):
    feito = _reparar(_com_fontes("def entropia(A):\n    return 0", fonte))
    assert "NotImplementedError" in _achar(feito.nb, "softmax")["source"]
    assert fonte in [c.source for c in feito.nb.cells]


def test_a_ultima_definicao_antes_da_conferencia_vale():
    conferencia = 'conferir("lista-02/softmax", softmax)'
    versoes = [f"def softmax(x):\n    return {n}" for n in range(3)]
    feito = _reparar(_com_fontes(versoes[0], versoes[1], conferencia, versoes[2]))
    fontes = [c.source for c in feito.nb.cells if c.cell_type == "code"]
    assert _achar(feito.nb, "softmax")["source"] == versoes[1]
    assert [fontes.index(f) for f in (versoes[0], versoes[1], conferencia, versoes[2])] == sorted(
        fontes.index(f) for f in (*versoes, conferencia)
    )


def test_sem_conferencia_vale_a_ultima():
    feito = _reparar(_com_fontes("def softmax(x):\n    return 0", "def softmax(x):\n    return 1"))
    assert _achar(feito.nb, "softmax")["source"].endswith("1")
    assert any(c.source.endswith("0") for c in feito.nb.cells)


def test_a_auxiliar_fica_antes_de_quem_a_usa():
    nb = _dados()
    _achar(nb, "softmax")["source"] = "def softmax(x, eixo=-1):\n    return _aux(x)"
    auxiliar = {"cell_type": "code", "source": "def _aux(x):\n    return x", "metadata": {}, "outputs": []}
    nb["cells"].insert(0, auxiliar)
    fontes = [c.source for c in _reparar(nb).nb.cells]
    assert fontes[0] == auxiliar["source"]


CLASSE = "class Ajuda:\n    def __init__(self):\n        self.n = 1"


@pytest.mark.parametrize(
    "primeira, segunda",
    [
        (CLASSE, "    def dobro(self):\n        return 2"),
        (CLASSE + "\n", "\n    @property\n    def dobro(self):\n        return 2"),
        ("class Ajuda:", "    n = 1\n\n    def dobro(self):\n        return 2"),
        ("def softmax(x, eixo=-1):", "    return x"),
        ("def softmax(\n    x,\n    eixo=-1,\n):", "    return x"),
    ],
)
def test_a_metade_que_comeca_recuada_volta_para_a_sua_funcao_ou_classe(primeira, segunda):
    feito = _reparar(_com_fontes(primeira, segunda, "def entropia(A):\n    return 0"))
    assert f"{primeira.rstrip()}\n{segunda.lstrip(chr(10))}" in [c.source for c in feito.nb.cells]
    assert "Uma função ou uma classe estava partida em mais de uma célula; as partes foram juntadas." in feito.consertos


@pytest.mark.parametrize(
    "segunda",
    [
        "    def auxiliar(x):\n        return x",  # colada com o recuo, e não um método
        "    def softmax(x, eixo=-1):\n        return x",
        "def dobro(self):\n    return 2",
        "        return 3",
    ],
)
def test_o_que_nao_e_a_outra_metade_continua_na_sua_celula(segunda):
    classe = CLASSE if "return 3" not in segunda else "class Ajuda:\n    n = 1"
    feito = _reparar(_com_fontes(classe, segunda, "def entropia(A):\n    return 0"))
    assert {classe, segunda} <= {c.source for c in feito.nb.cells}


def test_textos_de_mais_vao_para_as_discussoes_na_ordem():
    nb = _com_fontes(RESPOSTA)
    nb["cells"] += [{"cell_type": "markdown", "source": f"Texto {n}.", "metadata": {}} for n in (1, 2, 3)]
    feito = _reparar(nb)
    assert _achar(feito.nb, "discussao-1")["source"] == "Texto 1."
    assert _achar(feito.nb, "discussao-2")["source"] == "Texto 2.\n\nTexto 3."


def test_um_texto_do_aluno_longe_da_discussao_nao_e_a_discussao():
    nb = _dados()
    nb["cells"].insert(4, {"cell_type": "markdown", "source": "Não entendi esta parte.", "metadata": {}})
    feito = _reparar(nb)
    assert feito.respondidas == 0
    assert feito.nb.cells[4].source == "Não entendi esta parte."


# ---------------------------------------------------------------- limites


@pytest.mark.parametrize(
    "bruto",
    [
        b"[" * 200_000,
        b'{"cells": ' + b"[" * 200_000,
        b'{"cells": ' + b"[{}," * 1_600_000 + b"{}]}",
        b'{"a":' * 100_000,
        b'{"cells": [' + b'{"cell_type":"code","source":"x"},' * 5_000 + b"{}]}",
        b'{"cells": [{"cell_type":"code","source":"' + b"x" * 3_000_000 + b'"}]}',
        b'{"cells": [{"cell_type":"code","source":"' + b"def softmax(" * 200_000 + b'"}]}',
        b'{"cells": [' + b"9" * 10_000 + b"]}",
    ],
    ids=["colchetes", "celulas-em-celulas", "chaves", "objetos", "celulas", "texto", "linha", "numero"],
)
def test_o_que_e_grande_ou_fundo_demais_vale_zero_e_e_rapido(bruto):
    inicio = time.process_time()
    assert reparar(bruto, _emitida(), LISTA).motivo
    assert time.process_time() - inicio < 5


@pytest.mark.parametrize(
    "fonte",
    [
        "def softmax(x):\n" + "    x\n" * 150_000,
        "from " + "import " * 200_000 + "\ndef softmax(x): ...",
        "def softmax(x): ...\n" + "softmax " * 200_000,
        "def softmax(x): ...\n" + "`" * 1_000_000,
        "def softmax(x): ...\n" + " " * 1_000_000 + "x",
        "def softmax(x):\n    return " + "(" * 5_000,
        "def softmax(x):\n    return " + "-" * 9_000 + "1",
        "def softmax(x):\n    return a" + ".b" * 9_000,
    ],
    ids=["linhas", "importacoes", "nomes", "cercas", "espacos", "parenteses", "sinais", "atributos"],
)
@pytest.mark.parametrize("tipo", ["code", "markdown"])
def test_texto_feito_para_demorar_nao_demora(fonte, tipo):
    nb = _com_fontes(fonte, "    x = 1", "def entropia(A):\n    return 1", "    " + fonte)
    nb["cells"][0]["cell_type"] = tipo
    inicio = time.process_time()
    feito = _reparar(nb)
    assert time.process_time() - inicio < 5
    nbformat.validate(feito.nb)


def test_arquivo_acima_do_limite_nem_e_aberto(monkeypatch):
    monkeypatch.setattr(reparo, "MAXIMO", 1000)
    assert "mais de" in reparar(b" " * 1001, _emitida(), LISTA).motivo


# ---------------------------------------------------------------- a pasta


def _na_pasta(pasta, **arquivos):
    for nome, conteudo in arquivos.items():
        (pasta / nome).write_bytes(conteudo)


def test_o_de_nome_certo_vale_mesmo_que_outro_tenha_mais_respostas(tmp_path):
    um, dois = _dados(), _dados()
    _achar(um, "softmax")["source"] = _achar(dois, "softmax")["source"] = RESPOSTA
    _achar(dois, "entropia")["source"] = "def entropia(A):\n    return 0"
    (tmp_path / f"{LISTA}.ipynb").write_bytes(_bytes(um))
    (tmp_path / "rascunho.ipynb").write_bytes(_bytes(dois))
    escolha = escolher(tmp_path, LISTA, _emitida())
    assert escolha.arquivo.name == f"{LISTA}.ipynb"
    assert escolha.sobras == ["rascunho.ipynb"]
    assert any("2 notebooks" in a for a in escolha.avisos)


def test_entre_copias_vale_a_mais_respondida(tmp_path):
    um, dois = _dados(), _dados()
    _achar(dois, "softmax")["source"] = RESPOSTA
    (tmp_path / "a.ipynb").write_bytes(_bytes(um))
    (tmp_path / "b.ipynb").write_bytes(_bytes(dois))
    (tmp_path / f"{LISTA} (2).ipynb").write_bytes(b"{")
    assert escolher(tmp_path, LISTA, _emitida()).arquivo.name == "b.ipynb"
    assert escolher(tmp_path, LISTA).arquivo.name == f"{LISTA} (2).ipynb"  # sem abrir, só o nome decide


@pytest.mark.parametrize(
    "nome", ["lista 2.ipynb", "Lista-02.ipynb", "LISTA_02_softmax_final.ipynb", "ana lista02.ipynb"]
)
def test_o_nome_mais_parecido_com_o_da_lista_ganha_o_empate(tmp_path, nome):
    for n in (nome, "aaa.ipynb", "lista-20.ipynb", "lista-03-escala.ipynb"):
        (tmp_path / n).write_bytes(_bytes(_dados()))
    assert escolher(tmp_path, LISTA, _emitida()).arquivo.name == nome


def test_atalhos_nao_sao_seguidos(tmp_path):
    segredo = tmp_path / "segredo"
    segredo.mkdir()
    (segredo / "x.ipynb").write_bytes(_bytes(_dados()))
    pasta = tmp_path / "entrega"
    pasta.mkdir()
    (pasta / f"{LISTA}.ipynb").symlink_to(segredo / "x.ipynb")
    (pasta / "pasta").symlink_to(segredo, target_is_directory=True)
    escolha = escolher(pasta, LISTA, _emitida())
    assert escolha.arquivo is None
    assert escolha.sobras == [f"{LISTA}.ipynb", "pasta"]
    assert sum("atalho" in a for a in escolha.avisos) == 2
    assert ler(pasta / f"{LISTA}.ipynb") is None


def test_so_arquivos_comuns_sao_abertos(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / f"{LISTA}.ipynb")  # ler um fifo sem ninguém do outro lado esperaria para sempre
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as s:
        s.bind("s.ipynb")
        (tmp_path / "pasta.ipynb").mkdir()
        escolha = escolher(tmp_path, LISTA, _emitida())
        assert escolha.arquivo is None
        assert escolha.sobras == [f"{LISTA}.ipynb", "s.ipynb"]
        assert [ler(tmp_path / n) for n in (f"{LISTA}.ipynb", "s.ipynb", "pasta.ipynb", "nada", "x\0y")] == [None] * 5
    assert ler("/dev/zero") is None


def test_a_leitura_tem_limite(tmp_path):
    (tmp_path / "x").write_bytes(b"a" * 1000)
    assert ler(tmp_path / "x", maximo=10) == b"a" * 11


def test_o_que_encobriria_um_modulo_fica_de_fora_e_e_dito(tmp_path):
    (tmp_path / f"{LISTA}.ipynb").write_bytes(_bytes(_dados()))
    for nome in ("numpy", "helpers", "fotos"):
        (tmp_path / nome).mkdir()
        (tmp_path / nome / "__init__.py").write_text("")
    for nome in ("torch.py", "random.py", "dados.csv", "numpy.txt", "sitecustomize.py"):
        (tmp_path / nome).write_text("")
    escolha = escolher(tmp_path, LISTA, _emitida())
    (aviso,) = escolha.avisos
    assert all(n in aviso for n in ("numpy", "helpers", "torch.py", "random.py"))
    assert "fotos" not in aviso and "dados.csv" not in aviso and "numpy.txt" not in aviso
    assert len(escolha.sobras) == 8


def test_so_o_notebook_e_aproveitado(tmp_path):
    (tmp_path / f"{LISTA}.ipynb").write_bytes(_bytes(_dados()))
    (tmp_path / "sub").mkdir()
    for nome in ("dados.csv", "outros.csv", "sub/dados.csv"):
        (tmp_path / nome).write_text("1")
    escolha = escolher(tmp_path, LISTA, _emitida())
    assert escolha.sobras == ["dados.csv", "outros.csv", "sub/dados.csv"]


def test_nomes_e_pastas_estranhos_nao_param_a_escolha(tmp_path):
    (tmp_path / os.fsdecode(b"\xff\xfe.ipynb")).write_bytes(_bytes(_dados()))
    (tmp_path / "a\nb\x1b[31m.txt").write_text("")
    funda = tmp_path.joinpath(*"abcdefgh")
    funda.mkdir(parents=True)
    (funda / "x.ipynb").write_bytes(b"{}")
    escolha = escolher(tmp_path, LISTA, _emitida())
    assert escolha.arquivo is not None
    for frase in (*escolha.avisos, *escolha.sobras):
        assert frase.isprintable() and frase.encode()
    assert escolher(tmp_path / "nao-existe", LISTA).arquivo is None


def test_uma_pasta_com_arquivos_demais_nao_para_a_escolha(tmp_path, monkeypatch):
    monkeypatch.setattr(entrega, "_MAXIMO_DE_ARQUIVOS", 50)
    for n in range(10):
        (tmp_path / f"p{n}").mkdir()
        for m in range(10):
            (tmp_path / f"p{n}" / f"{m}.txt").write_text("")
    (tmp_path / f"{LISTA}.ipynb").write_bytes(_bytes(_dados()))
    escolha = escolher(tmp_path, LISTA, _emitida())
    assert escolha.arquivo.name == f"{LISTA}.ipynb"
    assert any("mais de 50" in a for a in escolha.avisos)
    assert len(escolha.sobras) <= 60


@pytest.mark.parametrize(
    ("linha", "importa"),
    [
        ("from lista import softmax", True),
        ("import minha as softmax", True),
        ("from importlib import (entropia, outra as softmax)", True),
        ("from softmax import entropia", False),
        ("from lista import softmax as s", False),
        ("import softmax.coisas", False),
        ("x = 'import softmax'", False),
    ],
)
def test_o_nome_que_uma_linha_importa(linha, importa):
    assert define_fracamente(linha, "softmax") is importa
