"""Exploradores com dados grandes: o primeiro arquivo viaja com o explorador, e os outros o navegador pede pelo nome. O
notebook não guarda nenhum."""

from collections.abc import Callable, Mapping
from typing import Any

import traitlets
from matplotlib.figure import Figure

from helpers.exploradores.anfitriao import Explorador


class ExploradorComArquivos(Explorador):
    """Um explorador que lê `arquivos`, de nome para bytes. Só uma página parada os leva todos dentro dela.

    O que abre primeiro (`primeiro`) vai na bagagem: no “Executar todas”, o kernel só atende a um pedido depois da
    última célula, e uma delas pode ser um treino de minutos.
    """

    bagagem = traitlets.Bytes().tag(sync=True)

    def __init__(
        self,
        modulo: str,
        dados: Mapping[str, Any],
        alt: str,
        figura: Callable[[], Figure],
        *,
        arquivos: Mapping[str, bytes],
        primeiro: str,
        html: bool = False,
    ) -> None:
        self.arquivos = arquivos
        levados = dict(dados) | {"bagagem": primeiro}
        super().__init__(modulo, levados, alt, figura, html, bagagem=arquivos[primeiro])
        self.on_msg(self._atender)

    def _atender(self, _widget: Any, pedido: Any, _buffers: Any) -> None:
        if not isinstance(pedido, dict):
            return
        if "calcular" in pedido:
            self.refazer(str(pedido["calcular"]))
        nome = str(pedido.get("pedir"))
        if nome in self.arquivos:
            self.send({"arquivo": nome}, buffers=[self.arquivos[nome]])

    def refazer(self, frase: str) -> None:
        """O que fazer com uma frase que a pessoa escreveu; quem aceita frases diz."""

    def valores(self) -> dict[str, Any]:
        return super().valores() | dict(self.arquivos)
