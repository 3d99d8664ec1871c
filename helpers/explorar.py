"""Exploradores: figuras com controles, que deixam no notebook uma imagem parada.

Os de helpers/exploradores respondem na hora, porque a conta é feita no navegador. `explorar` põe controles simples em
qualquer figura do matplotlib, que o kernel redesenha.
"""

import uuid
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
from IPython.display import display
from matplotlib.figure import Figure

from helpers.desenho import publicar
from helpers.exploradores.anfitriao import pagina_estatica
from helpers.exploradores.cabecas import as_cabecas
from helpers.exploradores.chaves import plano_das_chaves, treinar_as_chaves
from helpers.exploradores.conta import conta_das_matrizes
from helpers.exploradores.letra import letra_por_letra
from helpers.exploradores.plano import camadas_da_frase, plano_da_frase

__all__ = [
    "as_cabecas",
    "camadas_da_frase",
    "conta_das_matrizes",
    "explorar",
    "letra_por_letra",
    "pagina_estatica",
    "plano_da_frase",
    "plano_das_chaves",
    "treinar_as_chaves",
]


def _controle(nome: str, valor: Any) -> widgets.Widget:
    """O controle que combina com o valor: (mín., máx., passo, inicial), lista, bool ou texto."""
    comum = {"description": nome.replace("_", " "), "style": {"description_width": "initial"}}
    if isinstance(valor, tuple):
        minimo, maximo, passo, inicial = valor
        inteiro = all(isinstance(v, int) for v in valor)
        tipo = widgets.IntSlider if inteiro else widgets.FloatSlider
        return tipo(value=inicial, min=minimo, max=maximo, step=passo, continuous_update=False, **comum)
    if isinstance(valor, bool):
        return widgets.Checkbox(value=valor, **comum)
    if isinstance(valor, str):
        return widgets.Text(value=valor, continuous_update=False, **comum)
    return widgets.Dropdown(options=list(valor), **comum)


def explorar(desenhar: Callable[..., Figure], alt: str, **controles: Any) -> None:
    """Mostra um controle para cada argumento de `desenhar` e redesenha quando um deles muda.

    A primeira figura fica na saída da célula como imagem comum: quem lê o notebook sem executá-lo também a vê.
    """
    caixas = {nome: _controle(nome, valor) for nome, valor in controles.items()}
    identidade = uuid.uuid4().hex

    def valores() -> dict[str, Any]:
        return {nome: caixa.value for nome, caixa in caixas.items()}

    def redesenhar(_mudanca: dict | None = None) -> None:
        publicar(desenhar(**valores()), alt, display_id=identidade, atualizar=True)

    display(widgets.VBox(list(caixas.values())))
    publicar(desenhar(**valores()), alt, display_id=identidade)
    for caixa in caixas.values():
        caixa.observe(redesenhar, names="value")
