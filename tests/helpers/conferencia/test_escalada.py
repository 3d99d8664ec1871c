"""Quem obedece às frases não sobe do nada até a resposta certa mais depressa do que quem não ouve nenhuma.

Dois andarilhos partem do mesmo começo, vazio ou sorteado, e mudam a resposta com as trocas que o menor conserto
experimenta. Um escolhe ao acaso; o outro, quando ouve “Olhe a linha…”, só mexe nessa linha e nesse assunto. Os começos
são de questões que uma ou duas trocas não resolvem: nas outras, quem está a duas trocas já tentou a questão.
"""

import ast
import random

import pytest
from conftest import tudo
from escritas import escrever

from helpers.conferencia.conserto.busca import procurar
from helpers.conferencia.conserto.trocas import trocas
from helpers.conferencia.exame import examinar
from helpers.conferencia.referencia import carregar

QUESTOES = ["lista-01/cosseno", "lista-02/softmax", "lista-03/atencao_escalada", "lista-05/multi_cabecas"]
PASSOS, COMECOS = (8, 10) if tudo() else (3, 2)
CONTAS = ["{a} @ {b}", "{a} * {b}", "{a} + {b}", "{a} - {b}", "{a}.T", "{a}.sum(axis=-1)", "np.exp({a})", "{a} / 2"]


def _expressao(sorte: random.Random, nomes: list[str], fundo: int) -> str:
    if fundo == 0:
        return sorte.choice(nomes)
    a, b = (_expressao(sorte, nomes, fundo - 1) for _ in range(2))
    return f"({sorte.choice(CONTAS).format(a=a, b=b)})"


def _comecos(questao: str) -> list[str]:
    """O vazio, e alguns sorteados: contas quaisquer com os argumentos."""
    referencia, sorte = carregar(questao), random.Random(questao)
    nomes = list(referencia.argumentos)
    corpos = [f"return {nomes[0]}"]
    for _ in range(COMECOS):
        conta, outra = (_expressao(sorte, nomes[:4], sorte.randrange(1, 3)) for _ in range(2))
        corpos.append(f"Z = {conta}\n    return {f'Z, {outra}' if len(referencia.saidas) > 1 else 'Z'}")
    return [f"def {referencia.funcao}({', '.join(nomes)}):\n    {corpo}\n" for corpo in corpos]


def _andar(questao: str, celula: str, sorte: random.Random, obedece: bool) -> tuple[bool, int]:
    """Chegou à resposta certa? E quantas vezes ouviu onde olhar."""
    referencia, ouviu = carregar(questao), 0
    for _ in range(PASSOS):
        resposta = escrever(questao, celula)
        diagnostico, registros = examinar(referencia, resposta)
        if diagnostico is None:
            return True, ouviu
        conserto = procurar(referencia, resposta, registros) if obedece else None
        ouviu += conserto is not None
        (definicao,) = ast.parse(celula).body
        assert isinstance(definicao, ast.FunctionDef)
        todas = list(trocas(definicao, []))
        if conserto is not None:
            onde = {linha for ponto in conserto.pontos for linha in ponto.linhas}
            assuntos = {ponto.que for ponto in conserto.pontos if ponto.que}
            todas = [t for t in todas if t.linha in onde and (not assuntos or t.que in assuntos)] or todas
        sorte.choice(todas).fazer()
        celula = ast.unparse(ast.fix_missing_locations(definicao)) + "\n"
    return False, ouviu


@pytest.mark.parametrize("questao", QUESTOES)
def test_do_nada_ninguem_sobe_a_resposta_certa_pelas_frases(questao):
    for n, celula in enumerate(_comecos(questao)):
        obediente, ouviu = _andar(questao, celula, random.Random(n), obedece=True)
        surdo, _ = _andar(questao, celula, random.Random(n), obedece=False)
        assert (obediente, ouviu) == (surdo, 0), celula


def test_o_andarilho_que_obedece_chega_quando_ja_esta_perto():
    """O teste acima pode falhar: a uma troca da certa, a frase leva até ela."""
    celula = "def similaridades(X):\n    return X @ X\n"
    chegou = [_andar("lista-01/similaridades", celula, random.Random(n), obedece=True) for n in range(12)]
    assert any(certa and ouviu for certa, ouviu in chegou)
