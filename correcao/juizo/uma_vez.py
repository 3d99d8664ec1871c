"""Um erro se cobra uma vez: a questão que só erra por uma função anterior, que o aluno já errou, ganha os seus pontos.

Se a dependência declarada foi tentada e está errada, a entrega roda outra vez, em uma caixa nova e com entradas novas,
com a certa no lugar dela: é a segunda evidência, que só conta para a questão que depende. A certa vai como uma célula,
e o que essa corrida mostra não chega ao aluno: dela só saem a fração dos pontos e qual das frases do gabarito se diz.
"""

import ast
import hashlib
import json
import logging
from dataclasses import dataclass, field, replace
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from correcao.caixa.caixa import Limites
from correcao.chegada.reparo.analise import MAXIMO_PARA_ANALISAR
from correcao.comum.anotacao import Veredito, nome_da_resposta
from correcao.juizo import trabalho
from correcao.juizo.evidencia import das_saidas, outra_semente
from correcao.juizo.executar import rodar_codigo
from correcao.juizo.guardado import Pronta, caber
from gabarito.pontos import questao_conferida
from helpers.conferencia.frases import errada_tambem_com_outra

Emprestimos = dict[str, dict[str, str]]  # questão → as dependências que se trocam, e a célula que põe a certa no lugar


@dataclass
class Segunda:
    """O que saiu da segunda corrida de uma entrega."""

    evidencias: dict[str, Pronta] = field(default_factory=dict)  # questão → o que deixou
    processador: float = 0.0


def emprestimos(nb: NotebookNode, vereditos: dict[str, Veredito], depende: Emprestimos) -> Emprestimos:
    """As questões que rodam outra vez: tentadas, sem todos os pontos, com uma dependência tentada e errada."""
    respostas = {c.metadata.nbgrader.grade_id: c for c in nb.cells if "nbgrader" in c.metadata}
    erradas = {
        questao
        for c in nb.cells
        if (questao := questao_conferida(c)) in vereditos
        and (vereditos[questao].fracao < 1 or vereditos[questao].emprestadas)
        and tentada(respostas.get(nome_da_resposta(c.metadata.nbgrader.grade_id)))
    }
    achados = {q: {d: certa for d, certa in depende.get(q, {}).items() if d in erradas} for q in erradas}
    return {q: trocas for q, trocas in achados.items() if trocas}


def tentada(resposta: NotebookNode | None) -> bool:
    """O aluno escreveu alguma coisa na célula, além do que ela já trazia?"""
    if resposta is None or resposta.cell_type != "code" or not resposta.source.strip():
        return False
    if resposta.metadata.nbgrader.get("checksum") == compute_checksum(resposta):
        return False
    if len(resposta.source) > MAXIMO_PARA_ANALISAR:  # 2 MB de números ocupariam 1 GB de quem corrige
        return True
    try:
        instrucoes = [no for no in ast.walk(ast.parse(resposta.source)) if isinstance(no, ast.stmt)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # errou ao escrever, mas escreveu
    return any(map(_faz_alguma_coisa, instrucoes))


def _faz_alguma_coisa(no: ast.stmt) -> bool:
    if isinstance(no, ast.Expr):  # uma docstring, `...`
        return not isinstance(no.value, ast.Constant)
    if isinstance(no, ast.Return):
        return no.value is not None and not (isinstance(no.value, ast.Constant) and no.value.value is None)
    if isinstance(no, ast.Raise):
        # nó a nó, e não pelo `ast.dump`, que não aguenta uma conta com mil sinais
        return not any(isinstance(n, ast.Name) and n.id == "NotImplementedError" for n in ast.walk(no))
    return not isinstance(no, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom | ast.Pass)


def resumo(entradas: str, trocas: dict[str, str]) -> str:
    """Muda se mudam as entradas, ou o que se emprestou."""
    return hashlib.sha256(json.dumps([entradas, sorted(trocas.items())]).encode()).hexdigest()


def entradas_de_hoje(questao: str, trocas: dict[str, str], semente: int) -> str:
    sorteado = _sortear([questao], semente)
    return resumo(sorteado["entradas"][questao], trocas)


def rodar(nb: NotebookNode, todos: Emprestimos, semente: int, limites: Limites, log: logging.Logger) -> Segunda:
    """A segunda evidência de cada questão; a que não a deu fica sem. Um erro que saia daqui é nosso."""
    sorteado = _sortear(list(todos), semente)
    celulas, onde = _com_as_certas(nb, todos)
    resultado = rodar_codigo(celulas, sorteado["pedido"], sorteado["oraculo"], limites, log)
    if resultado.defeito is not None:
        raise RuntimeError(f"na segunda corrida: {resultado.defeito}")
    textos = {q: caber(das_saidas(resultado.saidas[i])) for q, i in onde.items()}
    evidencias = {q: Pronta(resumo(sorteado["entradas"][q], todos[q]), texto) for q, texto in textos.items()}
    return Segunda(evidencias, resultado.gasto)


def _sortear(questoes: list[str], semente: int) -> dict[str, Any]:
    sorteado = trabalho.atual().sortear(questoes, outra_semente(semente))
    for defeito in sorteado["defeitos"].values():
        raise RuntimeError(f"{defeito['erro']}\n{defeito['rastro']}")
    return sorteado


def _com_as_certas(nb: NotebookNode, todos: Emprestimos) -> tuple[list[str | None], dict[str, int]]:
    """O código a rodar, e em que lugar dele está a conferência de cada questão.

    A certa entra duas vezes: depois da conferência da que ela troca, para quem guarda a função em outro nome, e antes
    da conferência de quem depende dela, para quem a define outra vez no meio. As outras conferências não rodam.
    """
    certas = {d: certa for trocas in todos.values() for d, certa in trocas.items()}
    celulas: list[str | None] = []
    onde: dict[str, int] = {}
    for celula in nb.cells:
        questao = questao_conferida(celula)
        if questao in todos:
            celulas += [*todos[questao].values(), celula.source]
            onde[questao] = len(celulas) - 1
        elif questao is None and celula.cell_type == "code":
            celulas.append(celula.source)
        if questao in certas:
            celulas.append(certas[questao])
    return celulas[: max(onde.values(), default=-1) + 1], onde


def julgar(evidencias: dict[str, Pronta], semente: int) -> dict[str, dict[str, Any]]:
    """O que o juiz disse de cada segunda evidência, como `trabalho.julgar`."""
    prontas = [(q, p.texto) for q, p in evidencias.items() if p.texto is not None]
    ditos = trabalho.atual().julgar(prontas, outra_semente(semente)) if prontas else []
    for dito in ditos:
        if "defeito" in dito:
            raise RuntimeError(f"{dito['defeito']['erro']}\n{dito['defeito']['rastro']}")
    return dict(zip((q for q, _ in prontas), ditos, strict=True))


def revistos(
    vereditos: dict[str, Veredito], todos: Emprestimos, ditos: dict[str, dict[str, Any]]
) -> dict[str, Veredito]:
    """Os vereditos que a segunda evidência melhora. Dela só vem quanto vale, e qual das frases do gabarito diz o que
    ainda falta: a da primeira pode ser a do erro que não se cobra."""
    melhores = {}
    for questao, dito in ditos.items():
        antes, depois = vereditos[questao], Veredito.de_dados(dito["veredito"])
        if depois.fracao > antes.fracao:
            frase, equivoco = antes.frase, antes.equivoco
            if depois.fracao == 1:
                frase = equivoco = None
            elif resta := dito.get("resta"):
                frase, equivoco = resta, depois.equivoco
            melhores[questao] = replace(depois, frase=frase, equivoco=equivoco, emprestadas=list(todos[questao]))
        elif depois.equivoco not in (None, antes.equivoco) and (resta := dito.get("resta")):
            mesmo = errada_tambem_com_outra([d.rpartition("/")[2] for d in todos[questao]])
            melhores[questao] = replace(antes, frase=f"{antes.frase} {mesmo} {resta}")
    # culpada é a que ficou sem pontos: a que só errava por outra, e os ganhou, não é
    de_fato = {q: v.fracao for q, v in (vereditos | melhores).items()}
    for veredito in melhores.values():
        culpadas = [d for d in veredito.emprestadas if de_fato[d] < 1]
        veredito.emprestadas = [d.rpartition("/")[2] for d in culpadas]
    return melhores
