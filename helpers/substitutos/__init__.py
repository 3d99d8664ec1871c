"""O que o curso põe no lugar de uma função que o aluno ainda não tem: um arquivo por lista.

Onde o NumPy ou o PyTorch tem a função, o substituto é uma chamada a ela. Onde nenhum tem, ele é uma resposta: por isso
o pacote de uma semana não leva os arquivos das listas dela em diante, e a caixa que corrige uma lista só enxerga os que
ela usa. Só há substituto para o que uma aula ou uma lista posterior usa (tests/helpers/test_minhas.py).
"""

import re
from functools import cache
from pathlib import Path

USA_TORCH = re.compile(r"^\s*(?:import|from) torch\b", re.M)


@cache
def com_torch() -> frozenset[str]:
    """As funções daqui que usam o torch. Ele demora a chegar, e quem vai precisar delas o importa antes."""
    textos = [p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("lista_*.py")]
    usam = [texto for texto in textos if USA_TORCH.search(texto)]
    return frozenset(nome for texto in usam for nome in re.findall(r"^(?:def|class) (\w+)", texto, re.M))
