"""O que se vê enquanto se treina: a barra, a curva que cresce e, ao lado dela, o que o modelo escreve agora."""

import math
import statistics
import sys
import textwrap
import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tqdm.auto import tqdm

from helpers.escrita import com_virgula, enumerar

if TYPE_CHECKING:  # só se desenha no notebook
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from helpers.treino import Historia

CEDO = (5, 10, 20, 40, 80)  # os passos em que se mede no começo, quando a perda cai depressa
LETRAS = 160  # quantas o modelo escreve a cada medida
_BARRA = "{desc}: {percentage:3.0f} % {bar} {n_fmt} de {total_fmt} passos, {elapsed}, faltam {remaining}{postfix}"
_LARGURA, _ALTURA = 30, 13  # o que cabe do texto, em letras e em linhas


class Tela:
    """A barra, no notebook e no terminal; a curva, só no notebook. `escrever` dá o texto do modelo neste momento."""

    def __init__(
        self,
        rotulo: str,
        passos: int,
        linhas: dict[str, float],
        escrever: Callable[[], str] | None = None,
        texto: str = "validação",
    ):
        self.rotulo, self.passos, self.linhas, self.texto = rotulo, passos, linhas, texto
        self.escrever, self.identidade = escrever, ""
        self.no_notebook = "ipykernel" in sys.modules and _shell() == "ZMQInteractiveShell"
        quieta = not (self.no_notebook or sys.stderr.isatty())
        # sem pressa: cada atualização são várias mensagens do kernel, e quem só as lê no fim da célula guarda mil
        self.barra = tqdm(total=passos, desc=rotulo, bar_format=_BARRA, disable=quieta, leave=False, mininterval=2.0)

    def passo(self, perda: float) -> None:
        self.barra.update()
        if self.barra.n % 20 == 0:
            self.barra.set_postfix_str(f"perda {com_virgula(perda)}")

    def desenhar(self, historia: "Historia") -> None:
        if not self.no_notebook or not historia.passos:
            return
        from helpers.desenho import publicar

        primeira = not self.identidade
        self.identidade = self.identidade or uuid.uuid4().hex
        escrito = self.escrever() if self.escrever else ""
        fig = curva(historia, self.rotulo, self.linhas, self.passos, self.texto, escrito)
        publicar(fig, self._em_palavras(historia, escrito), display_id=self.identidade, atualizar=not primeira)

    def _em_palavras(self, historia: "Historia", escrito: str) -> str:
        alt = f"Curva de perda de {self.rotulo}: treino e {self.texto} até o passo {historia.passos[-1]}"
        alt += f", quando a perda de {self.texto} é {historia.validacao[-1]:.2f}"
        if quais := passadas(historia, self.linhas):
            alt += f"; já passou por baixo de {enumerar(quais)}"
        return alt + (f". Ele escreve: {' '.join(escrito.split())}" if escrito.strip() else "")

    def fechar(self, historia: "Historia") -> None:
        self.barra.close()
        self.desenhar(historia)


def _shell() -> str:
    from IPython import get_ipython

    return type(get_ipython()).__name__


def passadas(historia: "Historia", linhas: Mapping[str, float]) -> dict[str, int]:
    """Em que passo se mediu, pela primeira vez, uma perda abaixo de cada reta."""
    medidas = list(zip(historia.passos, historia.validacao, strict=True))
    quando = {nome: next((p for p, perda in medidas if perda < valor), None) for nome, valor in linhas.items()}
    return {nome: passo for nome, passo in quando.items() if passo is not None}


def curva(
    historia: "Historia",
    rotulo: str = "",
    linhas: dict[str, float] | None = None,
    passos: int | None = None,
    texto: str = "validação",
    escrito: str = "",
) -> "Figure":
    """A figura da perda no treino e no texto que ficou fora dele, com as retas de referência e o que foi escrito."""
    import matplotlib.pyplot as plt

    from helpers.desenho import CORES

    if escrito:
        fig, (ax, lado) = plt.subplots(1, 2, figsize=(10, 4), width_ratios=(2.2, 1))
        _o_que_escreve(lado, historia, linhas or {}, escrito)
    else:
        fig, ax = plt.subplots(figsize=(7, 4))
    suaves = [statistics.fmean(historia.perdas[max(0, i - 20) : i]) for i in range(20, len(historia.perdas) + 1, 20)]
    ax.plot(range(20, len(historia.perdas) + 1, 20), suaves, color=CORES["ceu"], lw=1,
            label="lotes de treino, de 20 em 20")  # fmt: skip
    if historia.treino:
        ax.plot(historia.passos, historia.treino, "o-", ms=4, color=CORES["azul"], label="treino")
    ax.plot(historia.passos, historia.validacao, "s-", ms=4, color=CORES["vermelho"], label=texto)
    ja = passadas(historia, linhas or {})
    for nome, valor in (linhas or {}).items():
        ax.axhline(valor, color=CORES["verde"] if nome in ja else "0.6", lw=0.9, ls="--", zorder=0)
    (baixo, alto), y = ax.get_ylim(), math.inf
    for nome, valor in sorted((linhas or {}).items(), key=lambda item: -item[1]):
        cor, marca = (CORES["verde"], "✓ ") if nome in ja else ("0.25", "")
        y = min(valor, y - 0.055 * (alto - baixo))  # duas retas vizinhas, e os nomes não se cobrem
        # à direita do quadro: dentro dele, o nome da última reta cairia em cima da curva
        ax.annotate(f"{marca}{nome}: {valor:.2f}", (1.01, y), xycoords=("axes fraction", "data"), va="center",
                    fontsize=9, color=cor)  # fmt: skip
    fim = passos or historia.passos[-1]
    ax.set(title=rotulo, xlabel="passo", ylabel="perda (nats por caractere)")
    eixo_dos_passos(ax, fim)
    ax.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, fontsize=10)
    return fig


def _o_que_escreve(ax: "Axes", historia: "Historia", linhas: Mapping[str, float], escrito: str) -> None:
    """O texto do modelo neste passo; em cima dele, a reta que acaba de passar."""
    from helpers.desenho import CORES

    passo = historia.passos[-1]
    agora = [nome for nome, quando in passadas(historia, linhas).items() if quando == passo]
    titulo = f"passou: {enumerar(agora)}!" if agora and passo else f"no passo {passo}, ele escreve"
    ax.set_title(titulo, fontsize=11, loc="left", color=CORES["verde"] if agora and passo else "black")
    do_texto = [pedaco for linha in escrito.strip("\n").split("\n") for pedaco in _quebrada(linha)]
    ax.text(0, 1, "\n".join(do_texto[:_ALTURA]), va="top", family="monospace", fontsize=10, parse_math=False)
    ax.axis("off")


def _quebrada(linha: str) -> list[str]:
    return textwrap.wrap(linha, _LARGURA) or [""]


def eixo_dos_passos(ax: "Axes", fim: int) -> None:
    """De 0 até o fim, com o começo esticado: metade do que se aprende está nos primeiros passos."""
    ax.set_xscale("symlog", linthresh=CEDO[1], linscale=0.6)
    marcas = [0, *(passo for passo in (*CEDO, 200, 400, 800) if passo <= fim / 2), fim]
    ax.set_xlim(0, fim)
    ax.set_xticks(marcas, [str(passo) for passo in marcas])
    ax.minorticks_off()
