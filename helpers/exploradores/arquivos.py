"""Exploradores com dados grandes: o navegador os pede pelo nome, e vão em uma mensagem, que o notebook não guarda."""

from collections.abc import Callable, Mapping
from typing import Any

from matplotlib.figure import Figure

from helpers.exploradores.anfitriao import Explorador


class ExploradorComArquivos(Explorador):
    """Um explorador que lê `arquivos`, de nome para bytes. Só uma página parada os leva dentro dela."""

    def __init__(
        self,
        modulo: str,
        dados: Mapping[str, Any],
        alt: str,
        figura: Callable[[], Figure],
        *,
        arquivos: Mapping[str, bytes],
        html: bool = False,
    ) -> None:
        self.arquivos = arquivos
        super().__init__(modulo, dados, alt, figura, html)
        self.on_msg(self._atender)

    def _atender(self, _widget: Any, pedido: Any, _buffers: Any) -> None:
        nome = str(pedido.get("pedir")) if isinstance(pedido, dict) else ""
        if nome in self.arquivos:
            self.send({"arquivo": nome}, buffers=[self.arquivos[nome]])

    def valores(self) -> dict[str, Any]:
        return super().valores() | dict(self.arquivos)
