"""Uma entrega feita com uma versão anterior da lista: o que o aluno não tocou nela passa a ser o da versão de agora."""

from nbformat import from_dict
from nbgrader.utils import compute_checksum

from correcao.chegada.reparo.celulas import Celula
from correcao.chegada.reparo.lista import Lista

ANTIGA = "Esta entrega é de uma versão anterior da lista, que mudou depois; foi corrigida pela de agora."


def por_em_dia(celulas: list[Celula], lista: Lista) -> tuple[list[Celula], bool]:
    """(as células, se eram de outra versão). Cada célula da lista traz o resumo do texto com que foi emitida."""
    intocadas = {c for c in celulas if c.grade_id and _intocada(c)}
    de_outra = {c for c in intocadas if (i := lista.indice.get(c.grade_id)) is not None and not _a_mesma(c, lista, i)}
    if not de_outra:
        return celulas, False
    ficam = [c for c in celulas if c not in intocadas or c.grade_id in lista.indice]  # o resto é de questões que saíram
    return [_de_agora(c, lista, c in de_outra) for c in ficam], True


def _intocada(celula: Celula) -> bool:
    """O texto é o que o nbgrader resumiu ao emitir a célula?"""
    dado = {"cell_type": celula.tipo, "source": celula.fonte, "metadata": {"nbgrader": celula.marca}}
    try:
        return celula.marca.get("checksum") == compute_checksum(from_dict(dado))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):  # a marca pode ser qualquer coisa
        return False


def _a_mesma(celula: Celula, lista: Lista, i: int) -> bool:
    return celula.marca["checksum"] == lista.marcas[i].get("checksum")


def _de_agora(celula: Celula, lista: Lista, de_outra: bool) -> Celula:
    i = lista.indice.get(celula.grade_id)
    if i is None:
        return celula
    nova = celula.trocada(lista.emitidas[i].source if de_outra else celula.fonte)
    nova.marca = dict(lista.marcas[i])
    return nova
