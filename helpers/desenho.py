"""Figuras do curso: um estilo só, cores que daltônicos distinguem e texto alternativo em cada imagem."""

import base64
import io
import json
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from helpers.exemplos import FRUTA, GRUPOS, ROUPA, TABELA

# Paleta de Okabe e Ito: oito cores que se distinguem nas formas comuns de daltonismo.
CORES = {
    "azul": "#0072B2",
    "laranja": "#E69F00",
    "verde": "#009E73",
    "vermelho": "#D55E00",
    "ceu": "#56B4E9",
    "rosa": "#CC79A7",
    "amarelo": "#F0E442",
    "preto": "#000000",
}

# Uma cor para cada um de Q, K, V e A, no curso inteiro; os exploradores leem o mesmo arquivo.
_PAPEIS = Path(__file__).resolve().parent / "exploradores" / "fonte" / "cores.json"
PAPEIS: dict[str, str] = {nome: cor["traco"] for nome, cor in json.loads(_PAPEIS.read_text(encoding="utf-8")).items()}

plt.rcParams.update(
    {
        "figure.figsize": (7, 4),
        "figure.dpi": 110,
        "figure.constrained_layout.use": True,
        "font.size": 11,
        "axes.prop_cycle": plt.cycler(color=[cor for nome, cor in CORES.items() if nome != "amarelo"]),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": False,
        "image.cmap": "cividis",
        "svg.fonttype": "none",
    }
)


def imagem_png(fig: Figure) -> str:
    """A figura como PNG em base64, do jeito que um notebook a guarda."""
    memoria = io.BytesIO()
    fig.savefig(memoria, format="png", metadata={"Software": None})
    return base64.b64encode(memoria.getvalue()).decode("ascii")


def publicar(fig: Figure, alt: str, display_id: str | None = None, atualizar: bool = False) -> None:
    """Põe a figura na saída da célula, com o texto alternativo nos metadados, e a fecha."""
    dados = {"image/png": imagem_png(fig), "text/plain": f"[figura: {alt}]"}
    plt.close(fig)  # senão o backend do notebook a mostraria de novo, sem texto alternativo
    display(
        dados,
        raw=True,
        metadata={"image/png": {"alt": alt}},
        display_id=display_id,
        **({"update": True} if atualizar else {}),
    )


def mostrar(fig: Figure, alt: str) -> None:
    """Mostra a figura com um texto alternativo, para quem não a vê."""
    if not alt.strip():
        raise ValueError("escreva em `alt` o que se vê na figura: quem usa leitor de tela depende disso")
    publicar(fig, alt)


def mapa_de_calor(
    A: np.ndarray,
    linhas: Sequence[str] | None = None,
    colunas: Sequence[str] | None = None,
    ax: Axes | None = None,
    titulo: str = "",
    eixo_x: str = "",
    eixo_y: str = "",
    valores: bool = True,
    vmin: float | None = None,
    vmax: float | None = None,
    cmap: str = "cividis",
    casas: int = 2,
) -> AxesImage:
    """Desenha a matriz A (N, M) como mapa de calor; devolve a imagem, para quem quiser uma barra de cores."""
    A = np.asarray(A)
    ax = ax or plt.gca()
    imagem = ax.imshow(A, vmin=vmin, vmax=vmax, cmap=cmap, aspect="equal")
    if colunas is not None:
        ax.set_xticks(range(A.shape[1]), colunas, rotation=45, ha="right")
    if linhas is not None:
        ax.set_yticks(range(A.shape[0]), linhas)
    ax.set(title=titulo, xlabel=eixo_x, ylabel=eixo_y)
    ax.spines[:].set_visible(False)
    if valores:
        for (i, j), valor in np.ndenumerate(A):
            claro = np.asarray(imagem.norm(np.asarray(valor))) > 0.55  # texto escuro sobre célula clara, e o contrário
            ax.text(j, i, f"{valor:.{casas}f}", ha="center", va="center", fontsize=8,
                    color="black" if claro else "white")  # fmt: skip
    return imagem


def plano(
    ax: Axes,
    pontos: np.ndarray,
    rotulos: Sequence[str],
    cores: Sequence[str] | None = None,
    setas: bool = False,
    deslocamento: tuple[float, float] = (5, 5),
) -> None:
    """Pontos (N, 2) com seus nomes; com setas=True, cada um é um vetor que sai da origem."""
    pontos = np.asarray(pontos)
    cores = list(cores) if cores is not None else [CORES["azul"]] * len(pontos)
    for (x, y), rotulo, cor in zip(pontos, rotulos, cores, strict=True):
        if setas:
            ax.annotate("", xy=(x, y), xytext=(0, 0), arrowprops={"arrowstyle": "->", "color": cor, "lw": 1.6})
        ax.plot(x, y, "o", color=cor, ms=5)
        ax.annotate(rotulo, (x, y), xytext=deslocamento, textcoords="offset points")
    ax.axhline(0, color="0.8", lw=0.8, zorder=0)
    ax.axvline(0, color="0.8", lw=0.8, zorder=0)


def setas_da_manga(ax: Axes, na_fruta: np.ndarray, na_roupa: np.ndarray) -> None:
    """As palavras das duas frases da manga no plano, e as setas até onde *manga* vai em cada uma: dois pontos (2,)."""
    cores = {"fruta": CORES["laranja"], "roupa": CORES["azul"]}
    lados = {"Eu": (6, -6), "Ele": (-16, -14), "de": (8, -2), "para": (-32, -4), "a": (-12, -12), "gosto": (7, 0),
             "pediu": (-36, 4), "comer": (7, -3), "costureira": (-34, -15), "cortar": (-16, -16)}  # fmt: skip
    for palavra in dict.fromkeys([*FRUTA, *ROUPA]):
        if palavra != "manga":
            cor = next((c for grupo, c in cores.items() if palavra in GRUPOS[grupo]), "0.55")
            plano(ax, TABELA[palavra][None], [palavra], [cor], deslocamento=lados.get(palavra, (6, 6)))
    x, y = (float(v) for v in TABELA["manga"])
    for ponto, cor in zip((na_fruta, na_roupa), cores.values(), strict=True):
        u, v = (float(z) for z in ponto)
        ax.annotate("", xy=(u, v), xytext=(x, y), arrowprops={"arrowstyle": "-|>", "color": cor, "lw": 2.6})
        dito = f"({u:.2f}; {v:.2f})".replace(".", ",").replace("-", "−")
        ax.annotate(dito, (u, v), xytext=(10 if u > 0 else -88, -4), textcoords="offset points")
    plano(ax, np.array([[x, y]]), ["manga"], [CORES["vermelho"]], deslocamento=(-18, 9))
    ax.set(xlabel="dimensão 1", ylabel="dimensão 2", xlim=(-0.95, 0.95), ylim=(-0.25, 1.18))


def nuvens(caminho: np.ndarray, palavras: Sequence[str]) -> Figure:
    """Um quadro por camada de um caminho (camadas + 1, N, 2): onde estão as palavras, e a largura da nuvem."""
    fig, eixos = plt.subplots(1, len(caminho), figsize=(3.6 * len(caminho), 3.4), sharex=True, sharey=True)
    for camada, (ax, Z) in enumerate(zip(np.atleast_1d(eixos), np.asarray(caminho), strict=True)):
        ax.plot(*caminho[0].T, "o", color="0.85", ms=5)  # de onde todas saíram
        ax.plot(*Z.T, "o", color=CORES["azul"], ms=6, alpha=0.8)
        largura = f"{np.ptp(Z[:, 0]):.3f}".replace(".", ",")
        nome = ("nenhuma camada", "1 camada")[camada] if camada < 2 else f"{camada} camadas"
        ax.set(title=f"{nome}: largura {largura}", xlabel="dimensão 1")
        ax.margins(0.14)
        if camada == 0:
            ax.set_ylabel("dimensão 2")
            for palavra, ponto in zip(palavras, Z, strict=True):
                ax.annotate(palavra, ponto, xytext=(4, 5), textcoords="offset points", fontsize=9)
        else:
            ax.annotate(f"as {len(palavras)} palavras", Z.mean(axis=0), xytext=(0, -26), textcoords="offset points",
                        ha="center", color=CORES["azul"])  # fmt: skip
    return fig
