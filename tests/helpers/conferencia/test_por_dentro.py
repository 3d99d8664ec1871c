"""Os nomes que uma biblioteca não promete manter: só em um módulo, e todos ainda existem na versão instalada."""

import ast
import contextlib
import copy
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat
import pytest
from conftest import RAIZ

import correcao
from gabarito.no_nbgrader import versao_das_tabelas
from helpers.conferencia import por_dentro

ADAPTADOR = RAIZ / "helpers" / "conferencia" / "por_dentro.py"
SALAS = ("helpers", "gabarito", "correcao", "configuracao", "bancadas")
ARQUIVOS = [p for sala in SALAS for p in sorted((RAIZ / sala).rglob("*.py"))] + [RAIZ / "curso.py"]
# O que começa por `_` e é público: está na documentação do Python.
PUBLICOS = {"_asdict", "_exit", "_fields", "_replace", "_make"}


def privado(nome: str) -> bool:
    """`_nome`; nem `__especial__`, nem `_repr_html_`, que são combinados públicos do Python e do IPython."""
    return nome.startswith("_") and not nome.endswith("_") and nome not in PUBLICOS


def usados(arvore: ast.AST) -> Iterator[ast.Attribute]:
    return (no for no in ast.walk(arvore) if isinstance(no, ast.Attribute) and privado(no.attr))


def definidos(arvore: ast.AST) -> set[str]:
    """Os nomes que o próprio arquivo define: funções, métodos, variáveis, atributos a que ele atribui."""
    nomes = set()
    for no in ast.walk(arvore):
        if isinstance(no, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            nomes.add(no.name)
        elif isinstance(no, ast.Name | ast.Attribute) and isinstance(no.ctx, ast.Store):
            nomes.add(no.id if isinstance(no, ast.Name) else no.attr)
    return nomes


@cache
def da_casa() -> set[str]:
    """Tudo o que algum arquivo do curso define: uma classe pode herdar de outra, de outro arquivo."""
    return set().union(*(definidos(ast.parse(p.read_text(encoding="utf-8"))) for p in ARQUIVOS))


def alheios(texto: str) -> list[str]:
    """`linha: atributo` de cada nome privado que o arquivo usa e não é dele."""
    arvore = ast.parse(texto)
    proprios = definidos(arvore)
    de_outros = [no for no in usados(arvore) if no.attr not in proprios]
    return [f"{no.lineno}: {ast.unparse(no)}" for no in de_outros if not (_e_de_si(no) and no.attr in da_casa())]


def _e_de_si(no: ast.Attribute) -> bool:
    return isinstance(no.value, ast.Name) and no.value.id in ("self", "cls")


@pytest.mark.parametrize("caminho", ARQUIVOS, ids=lambda p: str(p.relative_to(RAIZ)))
def test_fora_do_adaptador_ninguem_usa_um_nome_privado_de_outro(caminho):
    achados = alheios(caminho.read_text(encoding="utf-8"))
    assert caminho == ADAPTADOR or achados == [], f"passe por {ADAPTADOR.relative_to(RAIZ)}: {achados}"


@pytest.mark.parametrize(
    "texto", ["conversor._format_source(a)", "super()._add_comment(c)", "self._kernel_spec", "import torch\ntorch._C.x"]
)
def test_um_uso_alheio_e_notado(texto):
    assert len(alheios(texto)) == 1


def test_um_nome_do_proprio_arquivo_nao_e_alheio():
    assert alheios("class A:\n    def _x(self):\n        self._y = _z\n        return self._x(), self._y, B._x") == []


def test_cada_nome_usado_no_adaptador_tem_dono():
    nomes = {no.attr for no in usados(ast.parse(ADAPTADOR.read_text(encoding="utf-8")))}
    assert nomes == set(por_dentro.DONOS)


@pytest.mark.parametrize("nome, dono", por_dentro.DONOS.items())
def test_cada_nome_ainda_existe_na_versao_instalada(nome, dono):
    modulo, _, classe = dono.rpartition(".")
    assert hasattr(getattr(importlib.import_module(modulo), classe), nome), (
        f"{dono} não tem mais {nome}: veja o que mudou na versão instalada e acerte {ADAPTADOR.relative_to(RAIZ)}"
    )


# ---------------------------------------------------------------- o que se troca


def de_fora(arvore: ast.AST) -> set[str]:
    """Os nomes que o arquivo importa do que não é do curso nem da biblioteca padrão."""
    nossos, achados = {*SALAS, *sys.stdlib_module_names, "curso"}, set()
    for no in ast.walk(arvore):
        if isinstance(no, ast.Import):
            achados |= {n.asname or n.name.split(".")[0] for n in no.names if n.name.split(".")[0] not in nossos}
        elif isinstance(no, ast.ImportFrom) and not no.level and (no.module or "").split(".")[0] not in nossos:
            achados |= {n.asname or n.name for n in no.names}
    return achados


def _raiz(no: ast.AST) -> str | None:
    while isinstance(no, ast.Attribute | ast.Subscript):
        no = no.value
    return no.id if isinstance(no, ast.Name) else None


def _mexidos(no: ast.AST) -> list[ast.AST]:
    """Aquilo a que um trecho atribui, ou que ele apaga."""
    if isinstance(no, ast.Call):
        como = ast.unparse(no.func).rpartition(".")[2]
        return no.args[:1] if como in ("setattr", "delattr", "__setattr__", "__setitem__") else []
    alvos = getattr(no, "targets", None) or [getattr(no, "target", None)]
    soltos = [e for alvo in alvos for e in getattr(alvo, "elts", [alvo])]
    escreve = isinstance(no, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete)
    return [e for e in soltos if escreve and isinstance(e, ast.Attribute | ast.Subscript)]


def trocas(texto: str) -> list[str]:
    """`linha: trecho` de cada nome de outra biblioteca que o arquivo, ou um programa que ele guarda, troca."""
    arvore = ast.parse(texto)
    alheios = de_fora(arvore)
    achados = [
        f"{no.lineno}: {ast.unparse(no)}" for no in ast.walk(arvore) if any(_raiz(m) in alheios for m in _mexidos(no))
    ]
    textos = [no.value for no in ast.walk(arvore) if isinstance(no, ast.Constant) and isinstance(no.value, str)]
    for programa in (t for t in textos if "\nimport " in t):
        with contextlib.suppress(SyntaxError):
            achados += trocas(programa)
    return achados


@pytest.mark.parametrize("caminho", ARQUIVOS, ids=lambda p: str(p.relative_to(RAIZ)))
def test_fora_do_adaptador_ninguem_troca_um_nome_de_outra_biblioteca(caminho):
    achados = trocas(caminho.read_text(encoding="utf-8"))
    assert caminho == ADAPTADOR or achados == [], f"passe por {ADAPTADOR.relative_to(RAIZ)}: {achados}"


@pytest.mark.parametrize(
    "texto",
    [
        "import zmq\nzmq.Socket.bind = f",
        "from nbgrader.api import Gradebook as G\ndef f():\n    G.__init__ = g",
        "import matplotlib\nsetattr(matplotlib, 'x', 1)",
        "import matplotlib\ndict.__setitem__(matplotlib.rcParams, 'backend', 1)",
        "def f():\n    import a.b as c\n    c.d, x = 1, 2",
        "P = 'x\\nimport zmq\\nzmq.Socket.bind = f'",
    ],
)
def test_uma_troca_e_notada(texto):
    assert len(trocas(texto)) == 1


def test_o_que_e_do_curso_ou_do_python_se_muda_a_vontade():
    assert trocas("import os\nos.environ['a'] = 'b'\nself.x = 1\nfrom helpers import gpt\ngpt.y = 2") == []


@pytest.mark.parametrize("inteiro", por_dentro.TROCADOS)
def test_cada_nome_trocado_ainda_existe_na_versao_instalada(inteiro):
    if inteiro.startswith("distributed."):
        pytest.importorskip("distributed")
    dono, _, nome = inteiro.rpartition(".")
    try:
        de_quem = importlib.import_module(dono)
    except ModuleNotFoundError:
        modulo, _, classe = dono.rpartition(".")
        de_quem = getattr(importlib.import_module(modulo), classe)
    assert nome in vars(de_quem), f"{dono} não tem mais {nome}: veja o que mudou e acerte o adaptador"


def test_o_que_nao_esta_na_lista_nao_se_troca():
    with pytest.raises(LookupError, match="nbgrader.api.MissingEntry não está"):
        por_dentro.trocar(importlib.import_module("nbgrader.api"), "MissingEntry", None)


def test_nenhuma_classe_da_correcao_troca_sem_querer_um_nome_privado_da_biblioteca():
    trocados = []
    for achado in pkgutil.walk_packages(correcao.__path__, "correcao."):
        modulo = importlib.import_module(achado.name)
        for classe in (c for c in vars(modulo).values() if inspect.isclass(c) and c.__module__ == achado.name):
            de_fora = [base for base in classe.__mro__[1:] if not base.__module__.startswith("correcao")]
            nossos = filter(privado, definidos(ast.parse(textwrap.dedent(inspect.getsource(classe)))))
            trocados += [f"{classe.__qualname__}.{n}" for n in nossos if any(n in vars(base) for base in de_fora)]
    assert trocados == []


@pytest.mark.parametrize(
    "estragar",
    [
        lambda dados: None,
        lambda dados: dados.pop("grade"),
        lambda dados: dados.pop("schema_version"),
        lambda dados: dados.update(schema_version=2),
        lambda dados: dados.update(schema_version=4),
        lambda dados: dados.update(points="dois"),
        lambda dados: dados.update(locked="sim"),
        lambda dados: dados.update(grade_id=""),
        lambda dados: dados.update(grade_id="preparo"),
        lambda dados: dados.update(extra=1),
        lambda dados: dados.update(solution=not dados["solution"]),
    ],
)
def test_a_conferencia_de_metadados_recusa_o_que_a_do_nbgrader_recusa_e_so_isso(estragar):
    from nbgrader.preprocessors import CheckCellMetadata

    from correcao.juizo.preprocessadores import ConferirMetadados

    def erro(conferir, nb):
        try:
            conferir().preprocess(nb, {})
        except Exception as erro:
            return type(erro)
        return None

    lista = next((RAIZ / "source").glob("lista-02*/*.ipynb"))
    nb = nbformat.read(lista, as_version=4)
    for indice, celula in enumerate(nb.cells):
        if "nbgrader" in celula.metadata:
            torto = copy.deepcopy(nb)
            estragar(torto.cells[indice].metadata.nbgrader)
            assert erro(ConferirMetadados, torto) == erro(CheckCellMetadata, torto)


@pytest.mark.lento
def test_a_versao_das_tabelas_e_a_que_o_programa_alembic_diz():
    programa = "import nbgrader.api; print(nbgrader.api.get_alembic_version())"
    caminho = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    dito = subprocess.check_output([sys.executable, "-c", programa], env=os.environ | {"PATH": caminho}, text=True)
    assert versao_das_tabelas() == dito.strip()


def fluxo_do_kernel():
    """Um fluxo de saída, trocado como o do ipykernel, que anota o que de fato se escreve e se esvazia."""

    class OutStream:
        __module__, __qualname__ = "ipykernel.iostream", "OutStream"

        def __init__(self):
            self.feito = []
            self.no_meio = None  # o que outra thread escreve enquanto este fluxo se esvazia

        def write(self, texto):
            self.feito.append(texto)
            return len(texto)

        def flush(self):
            self.feito.append("esvaziado")
            if self.no_meio:
                texto, self.no_meio = self.no_meio, None
                self.write(texto)

    por_dentro.esvaziar_so_o_escrito(OutStream)
    fluxo = OutStream()
    fluxo.flush()  # do que se escreveu antes da troca não se sabe: a primeira vez vale
    assert fluxo.feito.pop() == "esvaziado"
    return fluxo


def test_um_fluxo_em_que_nada_se_escreveu_nao_se_esvazia():
    fluxo = fluxo_do_kernel()
    fluxo.flush()
    assert fluxo.feito == []


def test_o_que_se_escreve_se_esvazia_e_uma_vez_so():
    fluxo = fluxo_do_kernel()
    assert fluxo.write("oi") == 2
    fluxo.flush()
    fluxo.flush()
    assert fluxo.feito == ["oi", "esvaziado"]


def test_o_que_se_escreve_enquanto_o_fluxo_se_esvazia_sai_na_vez_seguinte():
    fluxo = fluxo_do_kernel()
    fluxo.write("antes")
    fluxo.no_meio = "no meio"
    fluxo.flush()
    fluxo.flush()
    assert fluxo.feito == ["antes", "esvaziado", "no meio", "esvaziado"]
