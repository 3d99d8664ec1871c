"""`python curso.py gerar [LISTA…]`: gabarito/ → helpers/referencias/ e as matrizes; source/ → release/.

Tudo o que pode dar errado é visto antes de gravar: os pontos de cada lista e as declarações de cada questão.
"""

import sys
from pathlib import Path

import nbformat
from tqdm import tqdm

from configuracao import comandos
from configuracao.terminal import rodar
from gabarito import banco, pontos, referencias
from gabarito.base import carregar
from gabarito.no_nbgrader import emitir, listas_do_curso
from gabarito.tabela import DeclaracaoErrada
from helpers import RAIZ
from helpers.conferencia.listas import achar_lista, nao_existe
from helpers.gravacao import gravar


def textos(lista: str) -> dict[Path, str]:
    """O que o gabarito de "lista-02" ou de "aula-02" escreve: a referência do aluno e, de uma lista, a matriz."""
    exames = [banco.visiveis(q) for q in carregar(lista).values()]
    if not exames:  # uma aula sem previsões
        return {}
    for exame in exames:
        if ruins := banco.problemas(exame.resultados):
            raise DeclaracaoErrada(f"{exame.q.nome}, {'; '.join(ruins)}")
    escritos = {referencias.DESTINO / f"{lista}.json": referencias.texto([e.referencia for e in exames])}
    if lista.startswith("lista"):
        escritos[banco.matriz_de(lista)] = banco.matriz(exames)
    return escritos


def desacordos(lista: str) -> list[str]:
    """O que a lista, em source/, promete e não é assim: pontos diferentes, e questões que o gabarito não tem."""
    nb = nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)
    existem = carregar(lista[: len("lista-00")])
    sem_gabarito = [nome for nome in pontos.conferidas(nb) if nome not in existem]
    return pontos.desacordos(nb) + [f"a questão {nome} não está no gabarito" for nome in sem_gabarito]


def main(argumentos: list[str] | None = None) -> int:
    pedidas = comandos.ler("gerar", argumentos).lista
    todas = listas_do_curso()
    achadas = {pedida: achar_lista(pedida, todas) for pedida in pedidas}
    for pedida, achada in achadas.items():
        if achada is None:
            print(nao_existe(pedida, todas), file=sys.stderr)
            return 2
    escolhidas = [achada for achada in achadas.values() if achada] or todas
    curtas = [lista[: len("lista-00")] for lista in escolhidas]
    alvos = [*curtas, *(c.replace("lista", "aula") for c in curtas)] + ([] if pedidas else ["aula-00"])
    escritos: dict[Path, str] = {}
    try:
        for lista in escolhidas:
            if frases := desacordos(lista):
                raise DeclaracaoErrada(f"A lista em source/{lista} não combina ({'; '.join(frases)})")
        for alvo in tqdm(alvos, desc="Conferindo o gabarito", disable=None, leave=False):
            escritos |= textos(alvo)
    except DeclaracaoErrada as erro:
        print(f"{erro}; nada foi gravado.", file=sys.stderr)
        return 1
    for caminho, texto in escritos.items():
        gravar(caminho, texto)
    print("\n".join(str(caminho.relative_to(RAIZ)) for caminho in sorted(escritos)))
    for lista in escolhidas:
        problema = emitir(lista)
        if problema:
            print(problema, file=sys.stderr)
            print(f"Não foi possível gerar release/{lista}; o motivo está acima.", file=sys.stderr)
            return 1
        print(f"release/{lista}/")
    return 0


if __name__ == "__main__":
    rodar(main)
