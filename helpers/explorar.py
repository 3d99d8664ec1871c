"""Exploradores: figuras com controles, que deixam no notebook uma imagem parada.

Os de helpers/exploradores respondem na hora, porque a conta é feita no navegador. `explorar` põe controles simples em
qualquer figura do matplotlib, que o kernel redesenha.
"""

import contextlib
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets
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


_ACENTOS = {"angulo": "ângulo", "mascara": "máscara", "comeco": "começo"}  # o código não os leva, e a tela, sim


class _Controles(anywidget.AnyWidget):
    """Os controles na tela. `pedido` conta o que a pessoa mudou, e `feito`, o que já está na figura."""

    _esm = traitlets.Unicode().tag(sync=True)
    controles: traitlets.List = traitlets.List().tag(sync=True)
    valores = traitlets.Dict().tag(sync=True)
    pedido = traitlets.Int(0).tag(sync=True)
    feito = traitlets.Int(0).tag(sync=True)


def _controle(nome: str, valor: Any) -> tuple[dict[str, Any], Any]:
    """O controle que combina com o valor, (mín., máx., passo, inicial), lista, bool ou texto, e o valor inicial."""
    comum = {"nome": nome, "rotulo": " ".join(_ACENTOS.get(parte, parte) for parte in nome.split("_"))}
    if isinstance(valor, tuple):
        minimo, maximo, passo, inicial = valor
        casas = 0 if all(isinstance(v, int) for v in valor) else len(f"{passo:g}".partition(".")[2]) or 1
        return {**comum, "tipo": "range", "minimo": minimo, "maximo": maximo, "passo": passo, "casas": casas}, inicial
    if isinstance(valor, bool):
        return {**comum, "tipo": "checkbox"}, valor
    if isinstance(valor, str):
        return {**comum, "tipo": "text"}, valor
    opcoes = list(valor)
    return {**comum, "tipo": "lista", "opcoes": opcoes}, opcoes[0]


def descrever(controles: Mapping[str, Any]) -> list[tuple[dict[str, Any], Any]]:
    """De cada controle, o que a tela precisa saber dele, e o valor em que abre."""
    return [_controle(nome, valor) for nome, valor in controles.items()]


def explorar(desenhar: Callable[..., Figure], alt: str, **controles: Any) -> None:
    """Mostra um controle para cada argumento de `desenhar`, e a figura acompanha a mão.

    A primeira figura fica na saída da célula como imagem comum: quem lê o notebook sem executá-lo também a vê.
    """
    feitos = dict(zip(controles, descrever(controles), strict=True))
    tela = _Controles(
        _esm=(Path(__file__).parent / "controles.js").read_text(encoding="utf-8"),
        controles=[controle for controle, _ in feitos.values()],
        valores={nome: inicial for nome, (_, inicial) in feitos.items()},
    )
    identidade = uuid.uuid4().hex

    def valores() -> dict[str, Any]:
        """O navegador só tem um tipo de número: cada um volta a ser o que o controle promete."""
        return {
            nome: valor if "casas" not in feitos[nome][0] else (float if feitos[nome][0]["casas"] else int)(valor)
            for nome, valor in tela.valores.items()
        }

    def redesenhar(mudanca: dict) -> None:
        with contextlib.ExitStack() as no_fim:  # mesmo que a figura falhe, o controle não fica preso
            no_fim.callback(tela.set_trait, "feito", mudanca["new"])
            publicar(desenhar(**valores()), alt, display_id=identidade, atualizar=True)

    display(tela)
    publicar(desenhar(**valores()), alt, display_id=identidade)
    tela.observe(redesenhar, names="pedido")
