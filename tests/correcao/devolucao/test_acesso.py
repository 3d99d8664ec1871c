"""O que sai da correção, e o mapa, no Chromium: nenhuma regra do axe-core quebrada, nos dois temas, e nada da rede."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ
from turma_pronta import LISTA, turma_corrigida

from correcao.devolucao import devolver, relatorio
from correcao.livro.turma import Turma
from helpers.autoria.mapa import AINDA_NAO, DO_CURSO, ESCRITA, POR_FAZER, SUA, Estacao, em_html
from helpers.exploradores.pagina import pagina

pytestmark = [pytest.mark.lento, pytest.mark.filterwarnings("ignore:Object of type")]  # o nbgrader e o SQLAlchemy
TEXTO = "# Um título\n\n#### Outro, bem abaixo\n\nUma linha com $a^2$ e `código`.\n\n| a | b |\n|---|---|\n| 1 | 2 |"
ESTADOS = {"incorporar": SUA, "similaridades": AINDA_NAO, "cosseno": POR_FAZER, "o corpus": DO_CURSO}


@pytest.fixture(scope="module")
def paginas(tmp_path_factory) -> dict[str, Path]:
    pasta = tmp_path_factory.mktemp("turma")
    with pytest.MonkeyPatch.context() as troca:
        troca.setenv("CURSO_TURMA", str(pasta))
        troca.delenv("CURSO_LIVRO", raising=False)
        troca.setattr(relatorio, "parecidas", lambda *_: [])  # compara com o banco inteiro, e demora
        turma_corrigida(pasta, 3)
        entregue = pasta / "autograded" / "a001" / LISTA / f"{LISTA}.ipynb"
        nb = nbformat.read(entregue, as_version=4)
        next(
            c for c in nb.cells if c.get("metadata", {}).get("nbgrader", {}).get("grade_id") == "discussao-1"
        ).source = TEXTO
        nbformat.write(nb, entregue)
        turma = Turma(pasta)
        textos = {"devolutiva": devolver.devolutiva(turma.entrega(LISTA, "a001"))}
        textos |= {"relatorio": relatorio.da_lista(turma, LISTA), "turma": relatorio.de_todas(turma, [LISTA])}
        abertas = {"discussão 1": ESCRITA, "discussão 2": POR_FAZER}
        estacoes = [Estacao(f"lista-0{n}", "uma lista", ESTADOS, abertas, 1, 4, f"lista-0{n}.ipynb") for n in (1, 2)]
        textos["mapa"] = pagina("O mapa", em_html(estacoes, "../release"))
    for nome, texto in textos.items():
        (pasta / f"{nome}.html").write_text(texto, encoding="utf-8")
    return {nome: pasta / f"{nome}.html" for nome in textos}


def test_o_que_se_devolve_e_o_mapa_se_leem_de_qualquer_jeito(chromium, playwright, paginas):
    programa = [sys.executable, str(RAIZ / "tests" / "navegador" / "navegador_acesso.py"), chromium]
    programa += [os.environ.get("CURSO_IMAGENS", ""), *map(str, paginas.values())]
    ambiente = {**os.environ, "PYTHONPATH": playwright}
    feito = subprocess.run(programa, env=ambiente, capture_output=True, text=True, encoding="utf-8")
    assert feito.returncode == 0, feito.stderr[-3000:]
    visto = json.loads(feito.stdout)
    assert visto == {nome: {"quebra": [], "fora": [], "sobra": 0} for nome in paginas}


def test_o_titulo_do_relatorio_se_diz_uma_vez(paginas):
    assert paginas["relatorio"].read_text("utf-8").count(f"<title>{LISTA}: a turma de relance</title>") == 1
