"""O lado do Python de um explorador: leva os dados ao módulo, e deixa na saída da célula uma imagem e um HTML."""

import functools
import html
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import matplotlib.pyplot as plt
import numpy as np
import traitlets
from matplotlib.figure import Figure

from helpers.desenho import imagem_png
from helpers.escrita import com_virgula
from helpers.exploradores import montar
from helpers.exploradores.pagina import fragmento, pagina
from helpers.gravacao import gravar

VISTA = "application/vnd.jupyter.widget-view+json"


def frase(caminho: str, **trocas: Any) -> str:
    """A frase do catálogo, como no JavaScript: frase("plano.alt", frase="…")."""
    achada: Any = montar.ler_json("textos.json")
    for parte in caminho.split("."):
        achada = achada[parte]
    return achada.format(**trocas)


def numero(x: float, casas: int = 2) -> str:
    """0,75; −1,20: como o JavaScript dos exploradores o escreve."""
    escrito = com_virgula(abs(x), casas)
    return ("−" if x < 0 and escrito.strip("0,") else "") + escrito


class Problema(Exception):
    """Os dados não servem, e a frase diz por quê; é mostrada no lugar do explorador."""


class Explorador(anywidget.AnyWidget):
    """Um explorador na tela. `.estado` tem o que a pessoa escolheu nele.

    `figura` desenha a imagem que fica na saída (e no lugar do explorador, onde ele não roda); `alt` a descreve. Com
    `html=False`, a saída guarda só a imagem: é para dados grandes, que vêm de um arquivo.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    dados = traitlets.Dict().tag(sync=True)
    estado = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        modulo: str,
        dados: Mapping[str, Any],
        alt: str,
        figura: Callable[[], Figure] | None = None,
        html: bool = True,
        **outros: Any,
    ) -> None:
        self.modulo, self.alt, self.figura, self.com_html = modulo, alt, figura, html
        super().__init__(_esm=montar.modulo(modulo), dados=dict(dados), **outros)

    def valores(self) -> dict[str, Any]:
        """O que o módulo lê do modelo; quem tem mais que `dados` (os pesos, em bytes) acrescenta aqui."""
        return {"dados": self.dados}

    def png(self) -> str | None:
        if self.figura is None:
            return None
        fig = self.figura()
        try:
            return imagem_png(fig)
        finally:
            plt.close(fig)

    def em_html(self, png: str | None = None) -> str:
        return fragmento(montar.modulo(self.modulo), self.valores(), self.alt, png)

    def _repr_mimebundle_(self, **_pedidos: Any) -> tuple[dict, dict]:
        png = self.png()
        dados: dict[str, Any] = {"text/plain": f"[explorador: {self.alt}]"}
        dados[VISTA] = {"version_major": 2, "version_minor": 1, "model_id": self.model_id}
        if png is not None:
            dados["image/png"] = png
        if self.com_html:
            dados["text/html"] = self.em_html(png)
        return dados, {"image/png": {"alt": self.alt}} if png is not None else {}


class Recado:
    """No lugar de um explorador cujos dados não servem."""

    def __init__(self, frase: str) -> None:
        self.frase = frase

    def __repr__(self) -> str:
        return self.frase

    def _repr_html_(self) -> str:
        return f'<p role="status">{html.escape(self.frase)}</p>'


def ou_recado(fazer: Callable[..., Explorador]) -> Callable[..., Explorador | Recado]:
    """Faz de uma função que devolve um explorador uma que, em vez de parar com `Problema`, mostra a frase."""

    @functools.wraps(fazer)
    def tentar(*args: Any, **kwargs: Any) -> Explorador | Recado:
        try:
            return fazer(*args, **kwargs)
        except Problema as problema:
            return Recado(str(problema))

    return tentar


def pagina_estatica(explorador: Explorador | Recado, destino: str | Path, titulo: str | None = None) -> Path:
    """Grava uma página que abre sem Jupyter, sem rede e com dois cliques: o módulo e os dados vão dentro dela."""
    if isinstance(explorador, Recado):
        corpo, nome = explorador._repr_html_(), "Explorador"
    else:
        corpo, nome = explorador.em_html(explorador.png()), frase(f"{explorador.modulo}.titulo")
    gravar(Path(destino), pagina(titulo or nome, corpo))
    return Path(destino)


def matriz(nome: str, valor: Any, forma: tuple[int | None, ...]) -> np.ndarray:
    """`valor` como array de números finitos com essa forma (None: qualquer tamanho); senão, a frase do que há."""
    try:
        lida = np.asarray(valor.detach().cpu() if hasattr(valor, "detach") else valor, dtype=float)
    except (TypeError, ValueError):
        raise Problema(frase("comum.nao_sao_numeros", nome=nome)) from None
    certa = lida.ndim == len(forma) and all(f in (None, t) for f, t in zip(forma, lida.shape, strict=True))
    if not certa or 0 in lida.shape:
        pedida = (
            "(" + ", ".join("qualquer" if f is None else str(f) for f in forma) + ("," if len(forma) == 1 else "") + ")"
        )
        raise Problema(frase("comum.forma_errada", nome=nome, forma=lida.shape, pedida=pedida))
    if not np.isfinite(lida).all():
        onde = tuple(int(i) for i in np.argwhere(~np.isfinite(lida))[0])
        tipo = "NaN" if math.isnan(lida[onde]) else "infinito"
        raise Problema(frase("comum.nao_finito", nome=nome, tipo=tipo, onde=list(onde)))
    return lida
