"""`python curso.py gerar [LISTA…]`: gabarito/ → helpers/referencias/ e as matrizes; source/ → release/; e o índice.

Tudo o que pode dar errado é visto antes de gravar: os pontos de cada lista e as declarações de cada questão.
"""

import sys
from pathlib import Path

import nbformat
from tqdm import tqdm

from configuracao import comandos
from configuracao.terminal import por_que, rodar
from gabarito import banco, indice, pontos, referencias
from gabarito.base import Questao, carregar
from gabarito.no_nbgrader import emitir, listas_do_curso
from gabarito.tabela import DeclaracaoErrada
from helpers import RAIZ
from helpers.conferencia.listas import achar_lista, nao_existe
from helpers.gravacao import gravar
from helpers.indice import ARQUIVO, no_lugar


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
    """O que a lista, em source/, promete e não é assim: pontos diferentes, questões a mais ou a menos."""
    try:
        nb = nbformat.read(RAIZ / "source" / lista / f"{lista}.ipynb", as_version=4)
    except (OSError, ValueError) as erro:
        porque = por_que(erro) if isinstance(erro, OSError) else "não é um notebook"
        raise DeclaracaoErrada(f"Não consegui ler source/{lista}/{lista}.ipynb ({porque})") from erro
    existem, pedidas = carregar(lista[: len("lista-00")]), pontos.conferidas(nb)
    frases = [f"a questão {nome} não está no gabarito" for nome in pedidas if nome not in existem]
    frases += [_sem_celula(q) for nome, q in existem.items() if nome not in pedidas]
    return pontos.desacordos(nb) + frases


def _sem_celula(q: Questao) -> str:
    pasta, modulo = q.referencia.__module__.split(".")[1:]
    return (
        f"nenhuma célula confere a questão {q.nome}, que está no gabarito; "
        f"se ela saiu da lista, tire “{modulo}” de ORDEM, em gabarito/{pasta}/__init__.py"
    )


def conferidos(escolhidas: list[str], alvos: list[str]) -> dict[Path, str]:
    """Tudo o que se grava, se tudo combina; senão, DeclaracaoErrada."""
    for lista in escolhidas:
        _exigir(lista, desacordos(lista))
    novo = indice.montar(escolhidas)
    for lista in escolhidas:
        _exigir(lista, indice.desacordos(lista[: len("lista-00")], novo))
    escritos = {ARQUIVO: indice.texto(novo)}
    with no_lugar(novo):
        for alvo in tqdm(alvos, desc="Conferindo o gabarito", disable=None, leave=False):
            escritos |= textos(alvo)
    return escritos


def _exigir(lista: str, frases: list[str]) -> None:
    if frases:
        raise DeclaracaoErrada(f"A lista em source/{lista} não combina ({'; '.join(frases)})")


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
    try:
        escritos = conferidos(escolhidas, alvos)
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
