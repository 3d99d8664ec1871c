"""A higiene dos cadernos (notebooks): o que um aluno abre está inteiro, legível e acessível."""

import json
import re

import pytest
from conftest import RAIZ, aulas, listas

LISTAS = [p for sala in ("source", "release") for p in sorted((RAIZ / sala).glob("*/*.ipynb"))]
TODOS = [*aulas(), *LISTAS]
# Palavras que só existem com acento; nos identificadores do código elas aparecem sem, por convenção.
SEM_ACENTO = re.compile(
    r"\b(nao|voce|funcao|atencao|exercicio|mascara|questao|solucao|tambem|entao|numero|padrao|dimensao|media|"
    r"pontuacao|variancia|saida|vetor nulo e|sera|ate|so|esta e a|razao)\b",
    flags=re.IGNORECASE,
)


def _ler(caminho):
    return json.loads(caminho.read_text(encoding="utf-8"))


def _fonte(celula) -> str:
    return "".join(celula["source"])


def _prosa(texto: str) -> str:
    """O texto sem código, fórmulas, HTML nem endereços."""
    texto = re.sub(r"```.*?```", "", texto, flags=re.DOTALL)
    return re.sub(r"`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|<[^>]*>", "", texto, flags=re.DOTALL)


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
def test_a_prosa_tem_acentos_e_nenhum_caminho_desta_maquina(caminho):
    for i, celula in enumerate(_ler(caminho)["cells"]):
        achado = SEM_ACENTO.search(_prosa(_fonte(celula))) if celula["cell_type"] == "markdown" else None
        assert not achado, f"célula {i}: {achado.group(0)!r} sem acento"
        assert not re.search(r"(?<![\w.])/(work|root|home|tmp)/", json.dumps(celula)), f"célula {i}"


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
def test_a_aula_foi_executada_de_cima_a_baixo_e_guardada_com_as_saidas(caminho):
    codigo = [c for c in _ler(caminho)["cells"] if c["cell_type"] == "code" and _fonte(c).strip()]
    assert [c["execution_count"] for c in codigo] == list(range(1, len(codigo) + 1))


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
def test_so_ha_erro_onde_a_aula_quer_um_erro(caminho):
    for i, celula in enumerate(_ler(caminho)["cells"]):
        erros = [s for s in celula.get("outputs", []) if s["output_type"] == "error"]
        avisos = [s for s in celula.get("outputs", []) if s.get("name") == "stderr"]
        assert not erros or "raises-exception" in celula["metadata"].get("tags", []), f"célula {i}"
        assert not avisos, f"célula {i}: texto no stderr"


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
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
    assert figuras >= 1


@pytest.mark.parametrize("caminho", aulas(), ids=_nome)
def test_as_celulas_de_codigo_cabem_na_tela(caminho):
    for i, celula in enumerate(_ler(caminho)["cells"]):
        if celula["cell_type"] == "code":
            assert len([linha for linha in _fonte(celula).splitlines() if linha.strip()]) <= 25, f"célula {i}"


@pytest.mark.parametrize("caminho", aulas()[1:], ids=_nome)
def test_a_aula_tem_a_anatomia_de_uma_aula(caminho):
    texto = "\n".join(_fonte(c) for c in _ler(caminho)["cells"]).casefold()
    partes = ["minutos", "objetivos", "mapa", "preveja", "erro famoso", "caça ao erro", "confira(", "explorar("]
    partes += ["resumo", "discussão", "glossário", "referências"]
    assert not [p for p in partes if p not in texto]


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
