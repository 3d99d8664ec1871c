"""A higiene dos cadernos (notebooks): o que um aluno abre está inteiro, legível e acessível."""

import json
import re
import warnings
from typing import NamedTuple

import pytest
from conftest import RAIZ, alem, aulas, listas

AULAS = [*aulas(), *alem()]
LISTAS = [p for sala in ("source", "release") for p in sorted((RAIZ / sala).glob("*/*.ipynb"))]
TODOS = [*AULAS, *LISTAS]
EXPLORADORES = ("plano_da_frase(", "conta_das_matrizes(", "as_cabecas(", "letra_por_letra(", "explorar(")
GUIA = (RAIZ / "guias" / "escrever-aulas.md").read_text(encoding="utf-8")


class Limite(NamedTuple):
    """Uma linha da tabela do guia: fora do primeiro par, avisa; fora do segundo, recusa. Vazio, não há limite."""

    minimo: float
    maximo: float
    recusa_abaixo: float
    recusa_acima: float
    por_questao: float


def _limites() -> dict[tuple[str, str], Limite]:
    linhas = re.findall(r"(?m)^\| (aula|célula|ao lado|lista) \| ([^|]+) \|(.*)\|$", GUIA)
    vazios = ("0", "inf", "0", "inf", "0")
    return {
        (de, medida): Limite(*(float(n.strip() or v) for n, v in zip(numeros.split("|"), vazios, strict=True)))
        for de, medida, numeros in linhas
    }


LIMITES = _limites()


def cabe(de: str, medida: str, tem: float, questoes: int = 0, onde: str = "") -> str:
    """Recusa o que passa muito; do que passa pouco, devolve o aviso, que o pytest mostra no fim."""
    limite = LIMITES[de, medida]
    a_mais = limite.por_questao * questoes
    minimo, maximo, abaixo, acima = (n + a_mais for n in limite[:4])
    dito = f"{onde}{medida}: {tem:.0f}, e o guia pede de {minimo:.0f} a {maximo:.0f}"
    assert abaixo <= tem <= acima, dito
    if minimo <= tem <= maximo:
        return ""
    warnings.warn(dito, stacklevel=2)
    return dito


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
            linhas = [linha for linha in _fonte(celula).splitlines() if linha.strip()]
            cabe("célula", "linhas", len(linhas), onde=f"célula {i}, ")


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


# ------------------------------------------------------------ os limites, que estão no guia


def test_o_guia_tem_um_limite_para_cada_medida_e_recusa_depois_de_avisar():
    assert {de for de, _ in LIMITES} == {"aula", "célula", "ao lado", "lista"} and len(LIMITES) == 11
    for limite in LIMITES.values():
        assert limite.recusa_abaixo <= limite.minimo < limite.maximo <= limite.recusa_acima


@pytest.mark.parametrize("de, medida", [("aula", "palavras"), ("lista", "palavras")])
def test_quem_passa_tres_palavras_e_avisado_e_quem_passa_muito_e_recusado(de, medida):
    limite = LIMITES[de, medida]
    maximo = limite.maximo + 7 * limite.por_questao
    assert cabe(de, medida, maximo, 7) == ""
    with pytest.warns(UserWarning, match=f"palavras: {maximo + 3:.0f}, e o guia pede"):
        cabe(de, medida, maximo + 3, 7)
    with pytest.raises(AssertionError, match="o guia pede"):
        cabe(de, medida, 1.2 * maximo, 7)


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
    cabe("aula", "células", len(nb["cells"]))
    cabe("aula", "palavras", _palavras(nb))
    cabe("aula", "linhas de código à vista", _linhas_a_vista(nb))
    cabe("aula", "apostas", sum(map(_aposta, nb["cells"])))
    poucas = LIMITES["aula", "figuras"].minimo if caminho.name.startswith("00") else 0  # a 00 pode ter menos
    cabe("aula", "figuras", max(_figuras(nb), poucas))


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
def test_o_tempo_dito_e_o_de_quem_le(caminho):
    """150 palavras e 10 linhas de código por minuto, e 2 minutos por aposta."""
    nb = _ler(caminho)
    preciso = _palavras(nb) / 150 + _linhas_a_vista(nb) / 10 + 2 * sum(map(_aposta, nb["cells"]))
    dito = re.search(r"Tempo: (\d+) minutos", _fonte(nb["cells"][0]))
    assert dito, "falta, na primeira célula, “Tempo: 40 minutos.”"
    cabe("aula", "minutos ditos, em % dos precisos", 100 * int(dito[1]) / preciso)


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
    cabe("ao lado", "células", len(_ler(caminho)["cells"]))
    da_aula = [p for p in aulas() if p.name[:2] == caminho.name[:2]]  # a 04, a 07 e a 10 são duas
    assert f"alem/{caminho.name}" in "\n".join(_fonte(c) for aula in da_aula for c in _ler(aula)["cells"])


# ------------------------------------------------------------ a anatomia de uma lista


@pytest.mark.parametrize("lista", listas())
def test_a_lista_tem_a_anatomia_de_uma_lista(lista):
    celulas = _ler(RAIZ / "source" / lista / f"{lista}.ipynb")["cells"]
    marcas = [c["metadata"].get("nbgrader", {}) for c in celulas]
    ids = [m["grade_id"] for m in marcas if m]
    assert len(ids) == len(set(ids))
    testes = [c for c, m in zip(celulas, marcas, strict=True) if m.get("grade") and not m.get("solution")]
    cabe("lista", "questões conferidas", len(testes))
    for celula in testes:
        nome = celula["metadata"]["nbgrader"]["grade_id"].removeprefix("confere-")
        assert _fonte(celula).strip() == f'conferir("{lista[:8]}/{nome}", {nome})'
        assert celula["metadata"]["nbgrader"]["locked"]
    manuais = [m for m in marcas if m.get("grade") and m.get("solution")]
    cabe("lista", "questões abertas", len(manuais))
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
    celulas = _emitida(lista)
    cabe("lista", "palavras", _palavras({"cells": celulas}), sum(bool(_marca(c, "grade")) for c in celulas))


def _como_trabalhar() -> str:
    """O parágrafo das regras, igual em todas: está no guia, entre cercas."""
    return " ".join(re.search(r"```markdown\n\s*(\*\*Como trabalhar\.\*\*.*?)```", GUIA, flags=re.DOTALL)[1].split())


@pytest.mark.parametrize("lista", listas())
def test_a_lista_abre_com_a_aula_e_as_mesmas_regras_e_fecha_com_a_aula_seguinte(lista):
    celulas, numero = _emitida(lista), int(lista[6:8])
    abertura = _fonte(celulas[0])
    assert f"](../../notebooks/{numero:02d}-" in abertura
    regras = next(p for p in abertura.split("\n\n") if "Como trabalhar" in p)
    assert " ".join(re.sub(r"(?m)^> ?", "", regras).split()) == _como_trabalhar()
    assert len(regras.splitlines()) <= 5
    fim = [_fonte(c) for c in celulas if c["cell_type"] == "markdown"][-1]
    assert lista == listas()[-1] or f"](../../notebooks/{numero + 1:02d}-" in fim


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
