"""Nenhuma aula, nem o que há além dela, traz a resposta de uma questão: nem em uma função, nem solta em uma célula.

As funções de uma aula são tentadas nas questões de todas as listas. O que uma célula calcula sem função é tentado nas
da lista da própria aula: cada conta vira uma função do que entra nela.
"""

import ast
import builtins
import itertools
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import RAIZ, alem, aulas, questoes
from nbformat.v4 import new_code_cell, new_notebook
from pontuar import cabe, pontua, sem_rede_nem_programas  # noqa: F401

from gabarito.base import Questao
from helpers.autoria.recorte import ler, montar, sem_magicas
from helpers.conferencia.execucao import com_prazo

FUNCOES = (ast.FunctionDef, ast.ClassDef)
CONTAS = (ast.Call, ast.BinOp, ast.Subscript, ast.Compare, ast.BoolOp, ast.IfExp, ast.comprehension)
RESULTADOS = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Attribute, ast.Compare, ast.IfExp, ast.ListComp)
POUCAS = 3  # contas: com menos, uma linha como X @ X.T é só a fórmula, que a aula tem de mostrar (duas, por saída)
MUITAS = 40  # nenhuma resposta cabe em tantas; um nome que se usa a si mesmo cresce sem fim
ARGUMENTOS = 4  # com mais, as ordens são muitas, e ninguém escreve tanto sem uma função
SINAIS = {  # o que se reconhece pelo texto: a resposta muda um objeto, e não sai de uma conta
    "lista-05/para_torch": r"(?s)in_proj_weight.*out_proj\.weight|out_proj\.weight.*in_proj_weight"
}


# ------------------------------------------------------------ as funções de uma aula


def funcoes(caminho: Path) -> Iterator[tuple[str, Callable]]:
    """O que a aula define e se pode chamar, com o que cada definição usa."""
    caderno, conhecidos = ler(caminho, "aula-00", []), espaco(caminho)
    for comando in caderno.comandos:
        if isinstance(comando.no, ast.FunctionDef) and _e_do_pytorch(comando.no.body[-1], conhecidos):
            continue
        for nome in comando.define:
            if isinstance(comando.no, FUNCOES) or isinstance(getattr(comando.no, "value", None), ast.Lambda):
                preciso, _ = caderno.precisa(nome, "nenhuma")
                try:
                    with com_prazo(10):
                        yield nome, montar(preciso, "aula")[nome]
                except Exception:  # precisa de um treino, ou do que só existe com a aula rodando
                    continue


def _e_do_pytorch(no: ast.AST, conhecidos: dict[str, Any]) -> bool:
    """Só chama o PyTorch, sem nenhuma conta: como nos substitutos, isso não é a resposta."""
    nos = list(ast.walk(no))
    if any(isinstance(n, (*CONTAS[1:], ast.UnaryOp, ast.For)) for n in nos):
        return False
    usados = [conhecidos[n.id] for n in nos if isinstance(n, ast.Name) and n.id in conhecidos]
    donos = {str(getattr(u, "__module__", None) or getattr(u, "__name__", "")).partition(".")[0] for u in usados}
    return "torch" in donos and donos <= {"torch", "numpy"}


def respondidas_por_funcoes(caminho: Path) -> list[str]:
    tentadas = [(nome, f, q) for nome, f in funcoes(caminho) for q in questoes() if cabe(q, f)]
    return [f"{nome} responde {q.nome}" for nome, f, q in tentadas if pontua(q, f)]


# ------------------------------------------------------------ o que uma célula calcula


def _trocar(no: Any, feitos: dict[str, ast.expr]) -> Any:
    """Põe, no lugar de um nome, a conta que o fez. O que não muda não se copia, porque ninguém mexe nele."""
    if isinstance(no, ast.Name):
        return feitos.get(no.id, no) if isinstance(no.ctx, ast.Load) else no
    if isinstance(no, list):
        novos = [_trocar(filho, feitos) for filho in no]
        return novos if any(novo is not velho for novo, velho in zip(novos, no, strict=True)) else no
    if not isinstance(no, ast.AST):
        return no
    campos = {nome: _trocar(valor, feitos) for nome, valor in ast.iter_fields(no)}
    return no if all(campos[nome] is valor for nome, valor in ast.iter_fields(no)) else type(no)(**campos)


def _sequencias(corpo: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """O corpo de uma célula, e os dos laços e dos `with` dela."""
    yield corpo
    for no in corpo:
        if isinstance(no, ast.For | ast.While | ast.With | ast.If):
            yield from _sequencias(no.body)


def _atribuicoes(no: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if not isinstance(no, ast.Assign) or len(no.targets) != 1:
        return
    alvo = no.targets[0]
    if isinstance(alvo, ast.Name):
        yield alvo.id, no.value
    elif isinstance(alvo, ast.Tuple) and isinstance(no.value, ast.Tuple) and len(alvo.elts) == len(no.value.elts):
        yield from ((a.id, v) for a, v in zip(alvo.elts, no.value.elts, strict=True) if isinstance(a, ast.Name))
    elif isinstance(alvo, ast.Tuple):
        valores = ast.Call(ast.Name("list", ast.Load()), [no.value], [])  # o que está à direita pode ser um gerador
        indices = [ast.Subscript(valores, ast.Constant(i), ast.Load()) for i in range(len(alvo.elts))]
        yield from ((a.id, v) for a, v in zip(alvo.elts, indices, strict=True) if isinstance(a, ast.Name))


def contas(fonte: str, saidas: int) -> Iterator[ast.expr]:
    """Cada conta da célula, e o mesmo com os nomes que ela fez trocados pelas contas deles, de uma em uma camada."""
    for sequencia in _sequencias(ast.parse(sem_magicas(fonte)).body):
        feitos = {nome: conta for no in sequencia for nome, conta in _atribuicoes(no) if not _desenha(conta)}
        soltas = [e for no in sequencia if isinstance(no, ast.Expr) for e in ast.walk(no) if isinstance(e, RESULTADOS)]
        for conta in _candidatas(feitos, soltas, saidas):
            for _ in range(5):
                if _desenha(conta) or _quantas(conta) > MUITAS:
                    break
                yield conta
                if (outra := _trocar(conta, feitos)) is conta:
                    break
                conta = outra


def _candidatas(feitos: dict[str, ast.expr], soltas: list[ast.expr], saidas: int) -> list[ast.expr]:
    """O que pode ser o resultado: uma conta, ou alguns dos nomes feitos em seguida, em qualquer ordem."""
    if saidas == 1:
        return [*feitos.values(), *soltas]
    nomes = [ast.Name(nome, ast.Load()) for nome in feitos]
    juntos = [nomes[i : i + saidas + 1] for i in range(max(1, len(nomes) - saidas))]
    escolhas = dict.fromkeys(alguns for j in juntos for alguns in itertools.permutations(j, saidas))
    return [ast.Tuple(list(alguns), ast.Load()) for alguns in escolhas]


def _desenha(conta: ast.expr) -> bool:
    return any(isinstance(no, ast.Name) and no.id in ("plt", "fig", "print", "mostrar") for no in ast.walk(conta))


def _quantas(conta: ast.expr, da_aula: frozenset[str] = frozenset()) -> int:
    """As contas; chamar uma função que a própria aula define vale por muitas."""
    nos = list(ast.walk(conta))
    chamadas = [no.func.id for no in nos if isinstance(no, ast.Call) and isinstance(no.func, ast.Name)]
    return sum(isinstance(no, CONTAS) for no in nos) + POUCAS * sum(nome in da_aula for nome in chamadas)


def _de_fora(conta: ast.expr, conhecidos: dict[str, Any]) -> list[str]:
    """Os nomes de dados que entram na conta, na ordem em que aparecem."""
    nomes = [no.id for no in ast.walk(conta) if isinstance(no, ast.Name) and isinstance(no.ctx, ast.Load)]
    feitos = {no.id for no in ast.walk(conta) if isinstance(no, ast.Name) and isinstance(no.ctx, ast.Store)}
    return [n for n in dict.fromkeys(nomes) if n not in conhecidos and n not in feitos and not hasattr(builtins, n)]


def espaco(caminho: Path) -> dict[str, Any]:
    """O que a aula importa e define; os dados dela, não."""
    nomes: dict[str, Any] = {"__name__": "aula"}
    for comando in ler(caminho, "aula-00", []).comandos:
        if isinstance(comando.no, (ast.Import, ast.ImportFrom, *FUNCOES)):
            try:
                exec(compile(ast.Module([comando.no], []), comando.arquivo, "exec"), nomes)
            except Exception:
                continue
    return nomes


def respondidas_por_celulas(caminho: Path, da_lista: list[Questao]) -> list[str]:
    conhecidos, achadas = espaco(caminho), []
    definicoes = [c.no for c in ler(caminho, "aula-00", []).comandos if isinstance(c.no, ast.FunctionDef)]
    da_aula = frozenset(no.name for no in definicoes if not _e_do_pytorch(no.body[-1], conhecidos))
    fontes = [c.source for c in nbformat.read(caminho, as_version=4).cells if c.cell_type == "code"]
    for saidas in {len(q.saidas) for q in da_lista}:
        todas = {ast.unparse(conta): conta for fonte in fontes for conta in contas(fonte, saidas)}
        for texto, conta in todas.items():
            if _quantas(conta, da_aula) < max(POUCAS, 2 * saidas) or _e_do_pytorch(conta, conhecidos):
                continue
            nomes = _de_fora(conta, conhecidos)
            if 1 <= len(nomes) <= ARGUMENTOS:
                iguais = [q for q in da_lista if len(q.saidas) == saidas and _responde(q, nomes, texto, conhecidos)]
                achadas += [f"{texto} responde {q.nome}" for q in iguais]
    return achadas


def _responde(q: Questao, nomes: list[str], texto: str, conhecidos: dict[str, Any]) -> bool:
    """A conta é a resposta, com os nomes em alguma ordem?"""
    if not cabe(q, eval(f"lambda {', '.join(nomes)}: 0")):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ordens = itertools.permutations(nomes)
        return any(pontua(q, eval(f"lambda {', '.join(ordem)}: ({texto})", conhecidos)) for ordem in ordens)


def respondidas_pelo_texto(caminho: Path) -> list[str]:
    celulas = [c.source for c in nbformat.read(caminho, as_version=4).cells if c.cell_type == "code"]
    return [f"uma célula responde {q}" for q, sinal in SINAIS.items() for c in celulas if re.search(sinal, c)]


def respondidas(caminho: Path) -> list[str]:
    da_lista = [q for q in questoes() if q.lista == f"lista-{caminho.name[:2]}"]
    return [
        *respondidas_por_funcoes(caminho),
        *respondidas_por_celulas(caminho, da_lista),
        *respondidas_pelo_texto(caminho),
    ]


@pytest.mark.parametrize("caminho", [*aulas(), *alem()], ids=lambda p: str(p.relative_to(RAIZ)))
def test_a_aula_nao_traz_a_resposta_de_uma_questao(caminho):
    assert respondidas(caminho) == []


# ------------------------------------------------------------ o que as aulas já trouxeram

PREPARO = "import numpy as np\nimport torch\n\nfrom helpers.minhas import softmax"
JA_TROUXERAM = {
    "02: uma função e a soma dela": (
        """
def parcelas(A):
    return -A * np.log(np.where(A > 0, A, 1.0))

pesos = np.array([[0.5, 0.5], [0.9, 0.1]])
H = np.sum(parcelas(pesos), axis=-1)
""",
        "lista-02/entropia",
    ),
    "03: a conta solta": ("s = q @ K.T / np.sqrt(K.shape[1])", "lista-03/pontuacoes"),
    "04: cabeca": (
        """
def olhar(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]))
    return A @ V, A
""",
        "lista-04/cabeca",
    ),
    "05: multi": (
        """
def multi(X, W_Q, W_K, W_V, W_O, h):
    N, d = X.shape
    Q, K, V = ((X @ W).reshape(N, h, d // h).transpose(1, 0, 2) for W in (W_Q, W_K, W_V))
    A = softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(d // h))
    H = A @ V
    return H.transpose(1, 0, 2).reshape(N, d) @ W_O, A
""",
        "lista-05/multi_cabecas",
    ),
    "05: para o PyTorch": (
        """
camada = torch.nn.MultiheadAttention(12, 3)
camada.in_proj_weight.copy_(torch.cat([W_Q.T, W_K.T, W_V.T]))
camada.out_proj.weight.copy_(W_O.T)
""",
        "lista-05/para_torch",
    ),
    "02: três linhas": (
        """
for X in frases:
    S = X @ X.T
    A = softmax(S)
    Y = A @ X
    mostrar(plano(Y), alt="a frase, depois da atenção")
""",
        "lista-02/autoatencao_simples",
    ),
}


def _aula(pasta: Path, numero: str, codigo: str) -> Path:
    nb = new_notebook(cells=[new_code_cell(PREPARO), new_code_cell(codigo)])
    nbformat.write(nb, pasta / f"{numero}-aula.ipynb")
    return pasta / f"{numero}-aula.ipynb"


@pytest.mark.parametrize("codigo, questao", JA_TROUXERAM.values(), ids=JA_TROUXERAM)
def test_a_resposta_na_aula_e_vista(tmp_path, codigo, questao):
    """O que as aulas de antes mostravam; senão, o teste de cima não veria nada."""
    achadas = respondidas(_aula(tmp_path, questao[6:8], codigo))
    assert {achada.rpartition(" ")[2] for achada in achadas} == {questao}


def test_a_formula_a_funcao_do_aluno_e_a_do_pytorch_podem_aparecer(tmp_path):
    codigo = "S = X @ X.T\nA = softmax(S)\nprint(A.sum(axis=-1), (A @ X)[0])"
    assert respondidas(_aula(tmp_path, "01", codigo)) == []
    pronta = "def entropia_pronta(A):\n    return torch.distributions.Categorical(probs=torch.as_tensor(A)).entropy()"
    assert respondidas(_aula(tmp_path, "02", pronta)) == []
    assert respondidas(_aula(tmp_path, "03", "from helpers.minhas import cabeca\nY, A = cabeca(X, P, Q, R)")) == []
