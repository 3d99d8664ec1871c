"""A conferência dentro de um kernel de verdade: o que o aluno vê na saída da célula."""

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from configuracao.saidas import CONTROLE, sem_controles

pytestmark = pytest.mark.lento

CELULAS = {
    "importa": "from helpers.conferir import conferir",
    "sem definir": 'conferir("aula-00/dobro", dobro)',
    "outro nome": "soma = uma_variavel + 1",
    "errada": 'dobro = lambda x: x ** 2\nconferir("aula-00/dobro", dobro)',
    "com erro": 'def dobro(x):\n    n = x[:, None] * [1, 2]\n    return max(n)\nconferir("aula-00/dobro", dobro)',
    "ruidosa": (
        "import sys, warnings\nfrom tqdm.auto import tqdm\nfrom IPython.display import display\n"
        "def dobro(x):\n    print('oi'); print('ai', file=sys.stderr); display('figura'); warnings.warn('cuidado')\n"
        "    for _ in tqdm(range(3)):\n        pass\n    return 2 * x\n"
        'conferir("aula-00/dobro", dobro)'
    ),
    "certa": 'conferir("aula-00/dobro", lambda x: 2 * x)',
}


@pytest.fixture(scope="module")
def saidas(tmp_path_factory):
    nb = new_notebook(cells=[new_code_cell(c) for c in CELULAS.values()])
    pasta = tmp_path_factory.mktemp("kernel")
    NotebookClient(nb, kernel_name="python3", allow_errors=True, resources={"metadata": {"path": pasta}}).execute()
    return dict(zip(CELULAS, (c.outputs for c in nb.cells), strict=True))


def _texto(saida) -> str:
    return "\n".join(saida["traceback"]) if saida["output_type"] == "error" else saida.get("text", "")


def test_o_acerto_e_uma_linha_verde(saidas):
    (saida,) = saidas["certa"]
    assert saida["text"].startswith("\x1b[32m✓ dobro: 2 casos")
    assert saida["text"].count("\n") == 1


def test_o_equivoco_mostra_so_o_diagnostico(saidas):
    (saida,) = saidas["errada"]
    assert "ao quadrado" in _texto(saida)
    assert "Traceback" not in _texto(saida) and "helpers" not in _texto(saida)


def test_o_erro_e_explicado_pelo_que_esta_escrito_na_celula(saidas):
    (saida,) = saidas["com erro"]
    texto = " ".join(_texto(saida).split())
    assert "(linha 3: return max(n))" in texto and "O `max` do Python não sabe comparar linhas inteiras" in texto


def test_a_funcao_que_ainda_nao_existe_tem_a_sua_frase(saidas):
    (saida,) = saidas["sem definir"]
    assert "O nome `dobro` não existe neste notebook" in _texto(saida)
    assert "Traceback" not in _texto(saida)


def test_um_nome_errado_em_outra_celula_aparece_como_sempre(saidas):
    (saida,) = saidas["outro nome"]
    assert saida["ename"] == "NameError" and "uma_variavel" in _texto(saida)
    assert "Traceback" in _texto(saida)


def test_prints_avisos_e_barras_nao_aparecem_e_nao_reprovam(saidas):
    saida = saidas["ruidosa"][0]
    assert saida["text"].startswith("\x1b[32m✓ dobro")
    assert "escreve na tela" in saida["text"] and "cuidado" in saida["text"]
    assert not [s for s in saidas["ruidosa"] if s.get("name") == "stderr" or s["output_type"] == "display_data"]


# ---------------------------------------------------------------- o que o Python não lê

SINTAXE = {
    "importa": "from helpers.conferir import conferir, confira",
    "noventa": 'aposta = noventa\nconfira("aula-00/angulo", aposta)',
    "com unidade": 'aposta = 90°\nconfira("aula-00/angulo", aposta)',
    "sem aspas": 'aposta = Azulado\nconfira("aula-01/comer-e-costureira", aposta)',
    "duas palavras": 'aposta = quase branco  # perto de 90 graus\nconfira("aula-01/comer-e-costureira", aposta)',
    "meia aspa": 'aposta = "azulado\nconfira("aula-01/comer-e-costureira", aposta)',
    "direto": 'confira("aula-01/comer-e-costureira", azulado)',
    "sem jeito": 'aposta = "azulado"\nconfira("aula-01/comer-e-costureira", aposta',
    "o dobro": "def dobro(x):\n    return x ** 2",
    "o conserto que não rodou": "def dobro(x):\n    return 2 x",
    "a conferência": 'conferir("aula-00/dobro", dobro)',
    "o conserto": "def dobro(x):\n    return 2 * x",
    "a outra conferência": 'conferir("aula-00/dobro", dobro)',
}
ANGULO, CORES = "A aposta desta célula é um número", "Em Python, um texto se escreve entre aspas."


@pytest.fixture(scope="module")
def tropecos(tmp_path_factory):
    nb = new_notebook(cells=[new_code_cell(c) for c in SINTAXE.values()])
    pasta = tmp_path_factory.mktemp("kernel")
    NotebookClient(nb, kernel_name="python3", allow_errors=True, resources={"metadata": {"path": pasta}}).execute()
    return {nome: " ".join(map(_texto, c.outputs)) for nome, c in zip(SINTAXE, nb.cells, strict=True)} | {
        "erros": [nome for nome, c in zip(SINTAXE, nb.cells, strict=True) if any("ename" in s for s in c.outputs)]
    }


@pytest.mark.parametrize(
    ("celula", "diz"),
    [
        ("noventa", f"Li “noventa”. {ANGULO}"),
        ("com unidade", "Li 90. Um número se escreve sem unidade.\n"),
        ("sem aspas", f"Li “Azulado”. {CORES}\nAzulado é de quem aponta para o lado contrário."),
        ("duas palavras", f"Li “quase branco”. {CORES}\n"),
        ("meia aspa", f"Li “azulado”. {CORES}\nAzulado é de quem"),
        ("direto", f"Li “azulado”. {CORES}\nAzulado é de quem"),
        ("sem jeito", "Esta célula tem um erro de sintaxe na linha 2, e por isso não rodou."),
    ],
)
def test_a_aposta_que_o_python_nao_le_ganha_uma_frase_e_o_notebook_segue(tropecos, celula, diz):
    assert tropecos[celula].startswith(diz)
    assert celula not in tropecos["erros"]


def test_depois_de_um_erro_de_sintaxe_nao_se_julga_a_funcao_antiga(tropecos):
    assert "tem um erro de sintaxe na linha 2, e por isso não rodou" in " ".join(tropecos["a conferência"].split())
    assert "ao quadrado" not in tropecos["a conferência"]
    assert "✓ dobro" in tropecos["a outra conferência"]


# ---------------------------------------------------------------- o que demora

ESPERA = """from helpers.espera import esperando
with esperando("Lendo o modelo…"):
    from ipywidgets.widgets.widget import _instances
    visto = [w.value for w in _instances.values() if hasattr(w, "value")]
print(visto)"""


def test_enquanto_algo_demora_ha_uma_frase_e_nada_dela_fica_no_notebook(tmp_path, monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    nb = new_notebook(cells=[new_code_cell(ESPERA)])
    NotebookClient(nb, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    controle, dito = nb.cells[0].outputs
    assert list(controle.data) == [CONTROLE] and "Lendo o modelo…" in dito.text
    sem_controles(nb)
    assert [s.output_type for s in nb.cells[0].outputs] == ["stream"]
