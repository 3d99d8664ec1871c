"""Uma frase na tela enquanto algo demora, que some quando ele acaba."""

import contextlib
from collections.abc import Iterator

from helpers.conferencia.na_tela import em_notebook
from helpers.conferencia.pedido import sem_ninguem_olhando

_CONTROLE = "application/vnd.jupyter.widget-view+json"  # só isto: nada fica guardado no notebook


@contextlib.contextmanager
def esperando(frase: str) -> Iterator[None]:
    """Em um notebook, mostra `frase` enquanto dura."""
    if not em_notebook() or sem_ninguem_olhando():
        yield
        return
    import ipywidgets  # só aqui: a caixa da correção não os usa
    from IPython.display import display

    aviso = ipywidgets.HTML(f'<span role="status">{frase}</span>')
    display({_CONTROLE: {"version_major": 2, "version_minor": 0, "model_id": aviso.model_id}}, raw=True)
    try:
        yield
    finally:
        aviso.close()
