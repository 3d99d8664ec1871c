"""O reparo: de bytes quaisquer ao notebook que o nbgrader sabe corrigir, com as respostas do aluno onde elas estiverem.

Nada é executado aqui, nada é lido do disco, e nada do que o aluno mandou manda em nós: da entrega só passam o texto das
células e, no texto das discussões, as imagens coladas. Estrutura, marcas do nbgrader, kernel e testes vêm da lista
emitida.

O caminho, um módulo por passo: `arquivo` (dos bytes ao JSON), `celulas` (do JSON às células), `versao` (se são de uma
lista que depois mudou), `triagem` (o que cada uma diz ser), `respostas` (qual delas responde cada questão), `montagem`
(de volta à ordem da lista) e `relato` (o que se conta disso). `lista` é a lista como foi emitida; `analise`, o que se
sabe de um texto sem executá-lo.
"""

from dataclasses import dataclass, field, fields
from typing import Any

from nbformat import NotebookNode

from correcao.chegada.reparo.arquivo import Zero, abrir, nome_seguro
from correcao.chegada.reparo.avisos import ID_DO_AVISO, aviso_do_zero, aviso_dos_consertos
from correcao.chegada.reparo.celulas import Celula, ler_celulas
from correcao.chegada.reparo.lista import Lista, exigir_a_lista
from correcao.chegada.reparo.montagem import Montagem
from correcao.chegada.reparo.relato import contar, contar_do_kernel
from correcao.chegada.reparo.versao import ANTIGA, por_em_dia

__all__ = ["ID_DO_AVISO", "MAXIMO", "Reparo", "aviso_dos_consertos", "reparar"]

MAXIMO = 100_000_000  # bytes de um arquivo; acima disso nem se abre
_VOLTAS = 4  # de um reparo a outro, até que nada mude


@dataclass
class Reparo:
    nb: NotebookNode
    consertos: list[str] = field(default_factory=list)
    motivo: str | None = None
    respondidas: int = 0


def reparar(bruto: bytes | None, emitida: NotebookNode, nome: str) -> Reparo:
    """O notebook pronto para o nbgrader, o que foi consertado nele e, se vale zero, por quê.

    `bruto` é o conteúdo do arquivo (None: não havia arquivo); `emitida`, a lista como foi distribuída; `nome`, o nome
    do arquivo entregue, que só aparece nas frases.
    """
    lista, arquivo = Lista(emitida), nome_seguro(nome)
    consertos: list[str] = []
    try:
        dado = abrir(bruto, arquivo, consertos, MAXIMO)
        celulas = ler_celulas(dado, consertos)
        exigir_a_lista(celulas, lista, arquivo)
    except Zero as zero:
        return Reparo(_sem_respostas(lista, str(zero)), consertos, str(zero))
    celulas, antiga = por_em_dia(celulas, lista)
    consertos += [ANTIGA] if antiga else []
    consertos += contar_do_kernel(dado, lista)
    lidas = _impressao(celulas, lista)  # antes da triagem, que as muda
    montagem = Montagem(lista, celulas)
    consertos += contar(montagem, antiga)
    nb = montagem.notebook()
    for _ in range(_VOLTAS):  # o que um conserto aproxima (duas metades de uma célula) outro pode juntar
        celulas = ler_celulas(nb, [])
        antes_delas, lidas = lidas, _impressao(celulas, lista)
        if lidas == antes_delas:  # das mesmas células sairia o mesmo notebook
            break
        montagem = Montagem(lista, celulas)
        antes, nb = nb, montagem.notebook()
        if nb == antes:
            break
    return Reparo(nb, consertos, None, montagem.respostas.quantas)


_CAMPOS = [campo.name for campo in fields(Celula)]


def _impressao(celulas: list[Celula], lista: Lista) -> list[dict[str, Any]]:
    """Tudo o que se leu delas; um id que a lista não conhece não diz nada."""
    conhecidos = {"", *lista.por_id, ID_DO_AVISO}
    lidas = [{campo: getattr(c, campo) for campo in _CAMPOS} for c in celulas]
    return [lida if lida["id"] in conhecidos else lida | {"id": ""} for lida in lidas]


def _sem_respostas(lista: Lista, motivo: str) -> NotebookNode:
    nb = lista.notebook([lista.celula(i) for i in range(len(lista.emitidas))])
    nb.cells.insert(0, aviso_do_zero(motivo))
    return nb
