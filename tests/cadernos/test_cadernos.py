"""A higiene dos cadernos (notebooks): o que um aluno abre está inteiro, legível e acessível."""

import json
import re

import pytest
from conftest import RAIZ, alem, aulas, listas

AULAS = [*aulas(), *alem()]
LISTAS = [p for sala in ("source", "release") for p in sorted((RAIZ / sala).glob("*/*.ipynb"))]
TODOS = [*AULAS, *LISTAS]
EXPLORADORES = ("plano_da_frase(", "conta_das_matrizes(", "as_cabecas(", "letra_por_letra(", "explorar(")
COMO_TRABALHAR = """
**Como trabalhar.** Escreva cada função na célula que já tem o nome dela e rode a conferência logo abaixo. Ela usa
alguns casos. A correção usa outros, sorteados. Não mude nomes nem argumentos, e não apague células. O que vale e o que
não vale está em [Como funciona uma lista](../../notebooks/como-funciona-uma-lista.md).
"""


def _ler(caminho):
    return json.loads(caminho.read_text(encoding="utf-8"))


def _fonte(celula) -> str:
    return "".join(celula["source"])


def _nome(caminho) -> str:
    return str(caminho.relative_to(RAIZ))


@pytest.mark.parametrize("caminho", TODOS, ids=_nome)
def test_o_kernel_e_o_do_curso_e_o_formato_tem_ids(caminho):
    nb = _ler(caminho)
    assert nb["metadata"]["kernelspec"]["name"] == "python3"
    assert (nb["nbformat"], nb["nbformat_minor"]) >= (4, 5)
    ids = [c["id"] for c in nb["cells"]]
    assert len(ids) == len(set(ids))
    assert "jupytext" not in nb["metadata"]


@pytest.mark.parametrize("caminho", TODOS, ids=_nome)
def test_nenhum_caminho_desta_maquina(caminho):
    for i, celula in enumerate(_ler(caminho)["cells"]):
        assert not re.search(r"(?<![\w.])/(work|root|home|tmp)/", json.dumps(celula)), f"célula {i}"


@pytest.mark.parametrize("caminho", AULAS, ids=_nome)
def test_a_aula_foi_executada_de_cima_a_baixo_e_guardada_com_as_saidas(caminho):
    codigo = [c for c in _ler(caminho)["cells"] if c["cell_type"] == "code" and _fonte(c).strip()]
    assert [c["execution_count"] for c in codigo] == list(range(1, len(codigo) + 1))


@pytest.mark.parametrize("caminho", AULAS, ids=_nome)
def test_so_ha_erro_onde_a_aula_quer_um_erro(caminho):
    for i, celula in enumerate(_ler(caminho)["cells"]):
        erros = [s for s in celula.get("outputs", []) if s["output_type"] == "error"]
        avisos = [s for s in celula.get("outputs", []) if s.get("name") == "stderr"]
        assert not erros or "raises-exception" in celula["metadata"].get("tags", []), f"célula {i}"
        assert not avisos, f"célula {i}: texto no stderr"


@pytest.mark.parametrize("caminho", AULAS, ids=_nome)
def test_cada_figura_tem_texto_alternativo(caminho):
    figuras = 0
    for i, celula in enumerate(_ler(caminho)["cells"]):
        for saida in celula.get("outputs", []):
            dados = saida.get("data", {})
            assert "application/vnd.jupyter.widget-view+json" not in dados, f"célula {i}: controle guardado"
            if "image/png" in dados:
                figuras += 1
                assert len(saida["metadata"]["image/png"]["alt"]) > 20, f"célula {i}"
            else:
                assert "<Figure size" not in json.dumps(dados), f"célula {i}: figura que não aparece"
    assert figuras >= 1 or caminho in alem()


@pytest.mark.parametrize("caminho", AULAS, ids=_nome)
def test_as_celulas_de_codigo_cabem_na_tela(caminho):
    for i, celula in enumerate(_ler(caminho)["cells"]):
        if celula["cell_type"] == "code":
            assert len([linha for linha in _fonte(celula).splitlines() if linha.strip()]) <= 25, f"célula {i}"


@pytest.mark.parametrize("caminho", TODOS, ids=_nome)
def test_cada_link_leva_a_um_arquivo_do_curso(caminho):
    """Os de `source/` são os de `release/`, uma pasta ao lado."""
    for i, celula in enumerate(_ler(caminho)["cells"]):
        texto = _fonte(celula) if celula["cell_type"] == "markdown" else ""
        for destino in re.findall(r"""\]\(([^)#:\s]+)(?:#[^)]*)?\)|href="([^"#:]+)["#]""", texto):
            assert (caminho.parent / "".join(destino)).exists(), f"célula {i}: {''.join(destino)}"


@pytest.mark.parametrize("caminho", AULAS, ids=_nome)
def test_nem_aspas_angulares_nem_recados_ao_nbval(caminho):
    """As aspas são as curvas; o que o nbval precisa saber vai em uma tag, que ninguém lê."""
    for i, celula in enumerate(_ler(caminho)["cells"]):
        assert not re.search(r"[«»]|NBVAL_", json.dumps(celula, ensure_ascii=False)), f"célula {i}"


# ------------------------------------------------------------ a anatomia de uma aula


def _codigo(nb) -> list:
    return [c for c in nb["cells"] if c["cell_type"] == "code" and _fonte(c).strip()]


def _dobrada(celula) -> bool:
    return celula["metadata"].get("jupyter", {}).get("source_hidden") is True


def _aposta(celula) -> bool:
    return celula["cell_type"] == "code" and "confira(" in _fonte(celula)


def _palavras(nb) -> int:
    return len(" ".join(_fonte(c) for c in nb["cells"] if c["cell_type"] == "markdown").split())


def _linhas_a_vista(nb) -> int:
    return sum(bool(linha.strip()) for c in _codigo(nb) if not _dobrada(c) for linha in _fonte(c).splitlines())


def _figuras(nb) -> int:
    return sum("image/png" in saida.get("data", {}) for c in _codigo(nb) for saida in c["outputs"])


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
def test_a_aula_cabe_em_uma_sentada(caminho):
    nb = _ler(caminho)
    medidas = {
        "células": (len(nb["cells"]), 36),
        "palavras": (_palavras(nb), 2200),
        "linhas de código à vista": (_linhas_a_vista(nb), 120),
        "figuras": (_figuras(nb), 7),
        "apostas": (sum(map(_aposta, nb["cells"])), 6),
    }
    assert {nome: (tem, no_maximo) for nome, (tem, no_maximo) in medidas.items() if tem > no_maximo} == {}
    assert caminho.name.startswith("00") or _figuras(nb) >= 5


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
def test_o_tempo_dito_e_o_de_quem_le(caminho):
    """150 palavras e 10 linhas de código por minuto, e 2 minutos por aposta; a menos de 20 %."""
    nb = _ler(caminho)
    preciso = _palavras(nb) / 150 + _linhas_a_vista(nb) / 10 + 2 * sum(map(_aposta, nb["cells"]))
    dito = re.search(r"Tempo: (\d+) minutos", _fonte(nb["cells"][0]))
    assert dito, "falta, na primeira célula, “Tempo: 40 minutos.”"
    assert 0.8 <= int(dito[1]) / preciso <= 1.2, f"dito: {dito[1]}; preciso: {preciso:.0f}"


@pytest.mark.parametrize("caminho", AULAS, ids=_nome)
def test_o_codigo_de_desenho_esta_dobrado_e_so_ele(caminho):
    for i, celula in enumerate(_ler(caminho)["cells"]):
        if celula["cell_type"] == "code" and _dobrada(celula):
            desenha = ("mostrar(", "plt.", *EXPLORADORES)
            assert any(sinal in _fonte(celula) for sinal in desenha), f"célula {i}: dobrada, e não desenha"
        elif celula["cell_type"] == "code":
            assert "plt." not in _fonte(celula), f"célula {i}: desenha à vista"


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
def test_ha_o_que_mover_ou_apostar_antes_da_primeira_formula(caminho):
    celulas = _ler(caminho)["cells"]
    formulas = [i for i, c in enumerate(celulas) if c["cell_type"] == "markdown" and "$$" in _fonte(c)]
    mexer = [i for i, c in enumerate(celulas) if _aposta(c) or any(e in _fonte(c) for e in EXPLORADORES)]
    assert mexer and mexer[0] < min(formulas, default=len(celulas))


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
def test_a_aula_tem_a_anatomia_de_uma_aula(caminho):
    texto = "\n".join(_fonte(c) for c in _ler(caminho)["cells"]).casefold()
    partes = ["?", "glossario.md"]
    if not caminho.name.startswith("00"):
        partes += ["confira(", "00-boas-vindas.ipynb", f"release/lista-{caminho.name[:2]}-"]
        partes += ["resumo", "discutir", "referências"]
    assert not [p for p in partes if p not in texto]


@pytest.mark.parametrize("caminho", aulas()[1:], ids=_nome)
def test_a_aposta_vem_com_o_convite_na_mesma_secao(caminho):
    convite = False
    for celula in _ler(caminho)["cells"]:
        if celula["cell_type"] == "markdown":
            convite = "**Aposte antes de rodar.**" in _fonte(celula) or convite and "## " not in _fonte(celula)
        assert convite or not _aposta(celula), _fonte(celula)


@pytest.mark.parametrize("caminho", alem(), ids=_nome)
def test_o_caminho_ao_lado_e_curto_e_a_aula_dele_o_cita(caminho):
    assert 8 <= len(_ler(caminho)["cells"]) <= 20
    da_aula = [p for p in aulas() if p.name[:2] == caminho.name[:2]]  # a 07 e a 10 são duas
    assert f"alem/{caminho.name}" in "\n".join(_fonte(c) for aula in da_aula for c in _ler(aula)["cells"])


# ------------------------------------------------------------ a anatomia de uma lista


@pytest.mark.parametrize("lista", listas())
def test_a_lista_tem_a_anatomia_de_uma_lista(lista):
    celulas = _ler(RAIZ / "source" / lista / f"{lista}.ipynb")["cells"]
    marcas = [c["metadata"].get("nbgrader", {}) for c in celulas]
    ids = [m["grade_id"] for m in marcas if m]
    assert len(ids) == len(set(ids))
    testes = [c for c, m in zip(celulas, marcas, strict=True) if m.get("grade") and not m.get("solution")]
    assert 4 <= len(testes) <= 7
    for celula in testes:
        nome = celula["metadata"]["nbgrader"]["grade_id"].removeprefix("confere-")
        assert _fonte(celula).strip() == f'conferir("{lista[:8]}/{nome}", {nome})'
        assert celula["metadata"]["nbgrader"]["locked"]
    manuais = [m for m in marcas if m.get("grade") and m.get("solution")]
    assert 1 <= len(manuais) <= 2
    assert not [c for c in celulas if c.get("outputs")]
    texto = "\n".join(_fonte(c) for c in celulas)
    for parte in ("minutos", "Dificuldade", "<details>", "Rubrica", "ponto"):
        assert parte.casefold() in texto.casefold(), parte


def _emitida(lista: str) -> list:
    return _ler(RAIZ / "release" / lista / f"{lista}.ipynb")["cells"]


def _marca(celula, campo: str):
    return celula["metadata"].get("nbgrader", {}).get(campo)


@pytest.mark.parametrize("lista", listas())
def test_a_lista_se_le_em_dez_minutos(lista):
    assert 1500 <= _palavras({"cells": _emitida(lista)}) <= 1700


@pytest.mark.parametrize("lista", listas())
def test_a_lista_abre_com_a_aula_e_as_mesmas_regras_e_fecha_com_a_aula_seguinte(lista):
    celulas, numero = _emitida(lista), int(lista[6:8])
    abertura = _fonte(celulas[0])
    assert f"](../../notebooks/{numero:02d}-" in abertura
    regras = next(p for p in abertura.split("\n\n") if "Como trabalhar" in p)
    assert " ".join(re.sub(r"(?m)^> ?", "", regras).split()) == " ".join(COMO_TRABALHAR.split())
    assert len(regras.splitlines()) <= 5
    fim = [_fonte(c) for c in celulas if c["cell_type"] == "markdown"][-1]
    assert numero == 10 or f"](../../notebooks/{numero + 1:02d}-" in fim


@pytest.mark.parametrize("lista", listas())
def test_a_lista_termina_com_um_desenho_que_nao_vale_pontos(lista):
    celulas = {_marca(c, "grade_id"): c for c in _emitida(lista)}
    veja, ids = celulas["veja"], list(celulas)
    assert ids.index("texto-veja") == ids.index("veja") - 1 < ids.index("mapa")
    assert f'veja("{lista[:8]}", ' in _fonte(veja) and "from helpers.veja import veja" in _fonte(veja)
    assert _marca(veja, "locked") and not _marca(veja, "grade") and not _marca(veja, "solution")
    desenhadas = re.findall(r"(\w+)=(\w+)", _fonte(veja))
    assert desenhadas and all(a == b and f"confere-{a}" in celulas for a, b in desenhadas)
    assert (RAIZ / "helpers" / "veja" / f"{lista[:8].replace('-', '_')}.py").is_file()


@pytest.mark.parametrize("lista", listas())
def test_a_discussao_diz_quanto_vale_cada_coisa_e_tem_onde_medir(lista):
    celulas = _emitida(lista)
    abertas = [i for i, c in enumerate(celulas) if _marca(c, "grade") and _marca(c, "solution")]
    for i in abertas:
        enunciado = max(j for j in range(i) if str(_marca(celulas[j], "grade_id")).startswith("enunciado-"))
        texto = _fonte(celulas[enunciado])
        assert re.search(r"\bVale\b.*\d,\d", texto, re.DOTALL), texto[:60]
        if re.search(r"\bmeça\b", texto, re.IGNORECASE):
            vizinhas = celulas[enunciado + 1 : i + 2]
            assert any(c["cell_type"] == "code" and not _marca(c, "grade") for c in vizinhas), texto[:60]
