"""Uma correção por vez em cada turma; e o que se diz quando nenhuma pode começar."""

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

_TRAVAS: dict[str, Any] = {}


class NaoDaParaCorrigir(Exception):
    """O que impede a correção da turma inteira, em uma frase que diz o que fazer."""


class OutraCorrecao(RuntimeError):
    """Já há uma correção em curso nesta turma."""


def travar(raiz: str, dono: object) -> Callable[[], Any] | None:
    """Uma correção por vez em cada turma; a trava cai com o `dono`, ou com o processo.

    Devolve quem a solta antes disso; None se não foi esta chamada que a pôs.
    """
    try:
        import fcntl
    except ImportError:  # sem fcntl não há bubblewrap, e quem corrige sem isolamento foi avisado
        return None
    if raiz in _TRAVAS:
        return None
    arquivo = open(Path(raiz, ".correcao.trava"), "a")  # noqa: SIM115 (fica aberto enquanto a correção durar)
    try:
        fcntl.flock(arquivo, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        arquivo.close()
        raise OutraCorrecao(
            "Já há uma correção em curso nesta turma, em outra janela; espere que ela termine e rode de novo."
        ) from None
    except OSError:  # um disco sem travas
        arquivo.close()
        return None
    _TRAVAS[raiz] = arquivo
    return weakref.finalize(dono, lambda: _TRAVAS.pop(raiz).close())
