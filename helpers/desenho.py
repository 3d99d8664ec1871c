"""Figuras do curso: um estilo só, cores que daltônicos distinguem e texto alternativo em cada imagem."""

import base64
import io
from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.text import Text
from matplotlib.ticker import ScalarFormatter

from helpers.escrita import decimais
from helpers.exemplos import TABELA
from helpers.exploradores.montar import neutras, papeis

# Uma cor para cada papel, no curso inteiro: as dos exploradores, em fonte/cores.json.
PAPEIS: dict[str, str] = {nome: cor["traco"] for nome, cor in papeis().items()}
# As mesmas, pelo nome: a paleta de Okabe e Ito com o vermelho e o índigo de Paul Tol, que se distinguem nas formas
# comuns de daltonismo. O vermelho de Okabe e Ito todos chamam de laranja.
_NOMES = ("azul", "laranja", "verde", "vermelho", "ceu", "rosa", "indigo")
CORES = {nome: PAPEIS[nome] for nome in _NOMES} | {"amarelo": "#F0E442", "preto": "#000000"}
_FUNDO = neutras("claro")["fundo-2"]
TONS_DE_A = LinearSegmentedColormap.from_list("pesos", [_FUNDO, PAPEIS["A"]])  # pesos de atenção, do 0 ao 1
TONS_DE_S = LinearSegmentedColormap.from_list(  # pontuações, com o 0 no meio: rosa combina, azulado é o contrário
    "pontuações", [neutras("claro")["negativo"], "white", papeis()["A"]["claro"]]
)
TONS_NEUTROS = LinearSegmentedColormap.from_list("neutros", [_FUNDO, PAPEIS["X"]])  # o que não é pesos nem pontuações

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
        "image.cmap": "Greys",
        "svg.fonttype": "none",
    }
)


class _ComVirgula(ScalarFormatter):
    """Os números de um eixo."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return decimais(super().__call__(x, pos))


def em_portugues(fig: Figure) -> None:
    """Escreve em português todo número da figura: quem desenha os formata como o Python os escreve.

    O que está em letra de máquina é código, e fica como está.
    """
    for eixo in (eixo for ax in fig.axes for eixo in (ax.xaxis, ax.yaxis)):
        if type(eixo.get_major_formatter()) is ScalarFormatter:
            eixo.set_major_formatter(_ComVirgula())
    for texto in fig.findobj(Text):
        if "monospace" not in texto.get_fontfamily():
            texto.set_text(decimais(texto.get_text()))


TELA, MENOR_LETRA = 900, 10  # pixels: o que um notebook dá a uma figura em uma tela de 1366, e o que ainda se lê


def legivel(fig: Figure) -> None:
    """Uma figura larga é encolhida até caber na tela: nela, as letras que ficariam miúdas crescem."""
    menor = MENOR_LETRA * 72 / min(fig.dpi, TELA / fig.get_figwidth())  # em pontos
    for eixo in (eixo for ax in fig.axes for eixo in (ax.xaxis, ax.yaxis)):
        if any(float(rotulo.get_fontsize()) < menor for rotulo in eixo.get_ticklabels()):
            eixo.set_tick_params(labelsize=menor)
    for texto in fig.findobj(Text):
        if float(texto.get_fontsize()) < menor:
            texto.set_fontsize(menor)


def imagem_png(fig: Figure) -> str:
    """A figura como PNG em base64, do jeito que um notebook a guarda."""
    em_portugues(fig)
    legivel(fig)
    memoria = io.BytesIO()
    fig.savefig(memoria, format="png", metadata={"Software": None})
    return base64.b64encode(memoria.getvalue()).decode("ascii")


def publicar(fig: Figure, alt: str, display_id: str | None = None, atualizar: bool = False) -> None:
    """Põe a figura na saída da célula, com o texto alternativo nos metadados, e a fecha."""
    alt = decimais(alt)
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
    cmap: str | Colormap = TONS_DE_A,
    casas: int = 2,
) -> AxesImage:
    """Desenha A (N, M) como mapa de calor, na cor dos pesos; devolve a imagem, para quem quiser uma barra de cores."""
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
            luz = np.dot(imagem.to_rgba(np.asarray(valor))[:3], (0.299, 0.587, 0.114))
            ax.text(j, i, f"{valor:.{casas}f}", ha="center", va="center", fontsize=8,
                    color="black" if luz > 0.5 else "white")  # fmt: skip
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


def em_branco(ax: Axes, texto: str, fontsize: float | None = None) -> None:
    """No lugar de uma parte do desenho que ainda não dá para fazer: só o texto, que diz o que falta."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, texto, ha="center", va="center", color="0.4", transform=ax.transAxes, fontsize=fontsize)


# ---------------------------------------------------------------- o diagrama das múltiplas cabeças


def _tom(papel: str, cabeca: int = 0) -> tuple[float, ...]:
    """A cor do papel, mais clara a cada cabeça: a primeira é a cor cheia."""
    clareza = 1 - (1, 0.45, 0.7, 0.25)[cabeca % 4]
    return tuple(c + (1 - c) * clareza for c in to_rgb(PAPEIS[papel]))


def _grade(ax: Axes, x: float, y: float, cores: Sequence[Sequence[tuple[float, ...]]], nome: str, forma: str) -> None:
    """Uma matriz com o canto de cima em (x, y): uma casa para cada cor, o nome em cima e a forma embaixo."""
    for (i, j), _ in np.ndenumerate(np.empty((len(cores), len(cores[0])))):
        ax.add_patch(Rectangle((x + j, y - i - 1), 1, 1, facecolor=cores[i][j], edgecolor="white", lw=1.2))
    meio = x + len(cores[0]) / 2
    ax.text(meio, y + 0.35, nome, ha="center", va="bottom", fontsize=13, weight="bold")
    ax.text(meio, y - len(cores) - 0.3, forma, ha="center", va="top", fontsize=10, color="0.3")


def _seta(ax: Axes, de: tuple[float, float], ate: tuple[float, float], cor: str | tuple[float, ...] = "0.35") -> None:
    ax.annotate("", xy=ate, xytext=de, arrowprops={"arrowstyle": "-|>", "color": cor, "lw": 1.4})


def diagrama_da_cabeca(N: int, d: int, d_k: int, d_v: int) -> Figure:
    """Uma cabeça, da entrada X (N, d) à saída Y (N, d_v), com a forma de cada matriz e os três passos."""
    fig, ax = plt.subplots(figsize=(9.6, 5.4))
    altura, x_w, x_q = 3 * (max(N, d) + 3.4), d + 3.4, d + 7.6
    centros = {papel: altura * (5 - 2 * i) / 6 for i, papel in enumerate("QKV")}
    _grade(ax, 0, altura / 2 + N / 2, [[_tom("X")] * d] * N, "X", f"({N}, {d})")
    for papel, centro in centros.items():
        colunas = d_v if papel == "V" else d_k
        _seta(ax, (d + 0.4, altura / 2), (x_w - 0.5, centro))
        _grade(ax, x_w, centro + d / 2, [[_tom(papel, 1)] * colunas] * d, f"$W_{papel}$", f"({d}, {colunas})")
        ax.text(x_q - 0.9, centro, "→", ha="center", va="center", fontsize=15)
        _grade(ax, x_q, centro + N / 2, [[_tom(papel)] * colunas] * N, papel, f"({N}, {colunas})")
    x_s, x_a = x_q + d_k + 4.2, x_q + d_k + N + 9.2
    alto, meio = (centros["Q"] + centros["K"]) / 2, (centros["Q"] + centros["K"] + 2 * centros["V"]) / 4
    for papel in "QK":
        _seta(ax, (x_q + d_k + 0.4, centros[papel]), (x_s - 0.5, alto), _tom(papel))
    conta = r"$QK^\top / \sqrt{d_k}$"
    _grade(ax, x_s, alto + N / 2, [[_tom("S", 1)] * N] * N, "S", f"({N}, {N})\n{conta}")
    ax.text(x_s + N + 2.5, alto + 0.5, "softmax em\ncada linha", ha="center", va="bottom", fontsize=10, color="0.3")
    _seta(ax, (x_s + N + 0.6, alto), (x_a - 0.6, alto))
    _grade(ax, x_a, alto + N / 2, [[_tom("A")] * N] * N, "A", f"({N}, {N})")
    x_y = x_a + N + 5
    _seta(ax, (x_a + N + 0.5, alto), (x_y - 0.6, meio), _tom("A"))
    _seta(ax, (x_q + d_v + 0.4, centros["V"]), (x_y - 0.6, meio), _tom("V"))
    _grade(ax, x_y, meio + N / 2, [[_tom("Y")] * d_v] * N, "Y = A V", f"({N}, {d_v})")
    for passo, x in (("1 · projetar", x_q - 1.4), ("2 · comparar", (x_s + x_a + N) / 2), ("3 · misturar", x_y + 1)):
        ax.text(x, altura + 1.6, passo, ha="center", fontsize=13, color=CORES["vermelho"], weight="bold")
    ax.text(x_w + d_k / 2, -1.7, "as três que se aprendem", ha="center", fontsize=11, color="0.3")
    ax.set(xlim=(-0.3, x_y + d_v + 1.6), ylim=(-2.3, altura + 2.9), aspect="equal")
    ax.axis("off")
    return fig


def diagrama_das_cabecas(N: int, d: int, h: int) -> Figure:
    """A atenção de h cabeças, da entrada X (N, d) à saída Y (N, d), com a forma de cada matriz e os cinco passos."""
    fig, ax = plt.subplots(figsize=(12, 5.8))
    altura, meio = max(3, h) * (N + 3.6), max(3, h) * (N + 3.6) / 2
    cabeca_da_coluna = [c * h // d for c in range(d)]
    cheia, x_qkv, x_cabecas = f"({N}, {d})", d + 4.6, 2 * d + 11.4

    _grade(ax, 0, meio + N / 2, [[_tom("X")] * d] * N, "X", cheia)
    for i, papel in enumerate("QKV"):
        centro = altura * (5 - 2 * i) / 6
        _grade(ax, x_qkv, centro + N / 2, [[_tom(papel, c) for c in cabeca_da_coluna]] * N, papel, cheia)
        _seta(ax, (d + 0.3, meio), (x_qkv - 0.3, centro))
        ax.text(d + 2.1, (meio + centro) / 2 + 0.9 * (1 - i) + 0.5 * (i == 1), f"$W_{papel}$", ha="center", fontsize=13,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip
    for i in range(h):
        centro = altura * (1 - (i + 0.5) / h)
        fim = _uma_cabeca(ax, x_cabecas, centro, i, N, d // h)
        ax.add_patch(Rectangle((x_cabecas - 0.8, centro - N / 2 - 1.9), fim - x_cabecas + 1.6, N + 5,
                               facecolor="none", edgecolor="0.75", lw=1.2, ls="--"))  # fmt: skip
        for j, papel in enumerate("QKV"):  # cada cabeça recebe um pedaço das três
            chegada = centro + (1 - j) * N / 3
            _seta(ax, (x_qkv + d + 0.3, altura * (5 - 2 * j) / 6), (x_cabecas - 0.9, chegada), _tom(papel, i))
        _seta(ax, (fim + 1, centro), (fim + 3.9, meio))

    fim += 1
    x_y = fim + 6.4 + 2 * d
    _grade(ax, fim + 3.2, meio + N / 2, [[_tom("V", c) for c in cabeca_da_coluna]] * N, "juntas", cheia)
    _grade(ax, fim + 4.8 + d, meio + d / 2, [[_tom("X", c)] * d for c in cabeca_da_coluna], "$W_O$", f"({d}, {d})")
    _grade(ax, x_y, meio + N / 2, [[_tom("Y")] * d] * N, "Y", cheia)
    for sinal, x in (("×", fim + 4 + d), ("=", x_y - 0.8)):
        ax.text(x, meio, sinal, ha="center", va="center", fontsize=15)
    for passo, x in (("1 · projetar", d + 2), ("2 · dividir", x_qkv + d + 3.2), ("3 · olhar", (x_cabecas + fim) / 2),
                     ("4 · juntar", fim + 2.4), ("5 · misturar", x_y - 0.6)):  # fmt: skip
        ax.text(x, altura + 1.9, passo, ha="center", fontsize=13, color=CORES["vermelho"], weight="bold")
    ax.set(xlim=(-0.3, x_y + d + 0.3), ylim=(0.3, altura + 3.2), aspect="equal")
    ax.axis("off")
    return fig


def _uma_cabeca(ax: Axes, x: float, centro: float, i: int, N: int, d_h: int) -> float:
    """Q_i, K_iᵀ, A_i, V_i e H_i em fila; devolve onde a fila acaba."""
    ax.text(x, centro + N / 2 + 1.7, f"cabeça {i}", fontsize=12, style="italic")
    for papel, nome, linhas, colunas, sinal in (
        ("Q", f"$Q_{i}$", N, d_h, "×"),
        ("K", rf"$K_{i}^\top$", d_h, N, "→"),
        ("A", f"$A_{i}$", N, N, "×"),
        ("V", f"$V_{i}$", N, d_h, "="),
        ("V", f"$H_{i}$", N, d_h, ""),
    ):
        folga = 2.4 if sinal == "→" else 0.7
        _grade(ax, x, centro + linhas / 2, [[_tom(papel, i)] * colunas] * linhas, nome, f"({linhas}, {colunas})")
        ax.text(x + colunas + folga, centro, sinal, ha="center", va="center", fontsize=15)
        if sinal == "→":
            conta = r"÷ $\sqrt{d_h}$," + "\nsoftmax"
            ax.text(x + colunas + folga, centro + 0.6, conta, ha="center", va="bottom", fontsize=10, color="0.3")
        x += colunas + 2 * folga
    return x - 2 * folga


# ---------------------------------------------------------------- o diagrama do GPT


def _caixa(ax: Axes, x: float, y: float, nome: str, forma: str, cor: str, largura: float = 2.0) -> None:
    """Uma caixa com o centro em (x, y): o nome dentro, a forma do que ela guarda embaixo do nome."""
    ax.add_patch(FancyBboxPatch((x - largura / 2, y - 0.5), largura, 1, boxstyle="round,pad=0.02,rounding_size=0.15",
                                facecolor=to_rgb(cor) + (0.18,), edgecolor=cor, lw=1.6))  # fmt: skip
    ax.text(x, y + (0.16 if forma else 0), nome, ha="center", va="center", fontsize=11)
    ax.text(x, y - 0.24, forma, ha="center", va="center", fontsize=9, color="0.3")


def diagrama_do_gpt(V: int, T: int, d: int, camadas: int, h: int) -> Figure:
    """O GPT da esquerda para a direita: o caminho residual no meio, o que cada bloco soma a ele, e as formas."""
    fig, ax = plt.subplots(figsize=(13, 3.9))
    cinza, lida = "0.35", PAPEIS["X"]
    _caixa(ax, 1.0, 0, "ids", f"(B, {T})", CORES["preto"], 1.5)
    _caixa(ax, 3.6, 1.1, "tokens, $E$", f"({V}, {d})", lida)
    _caixa(ax, 3.6, -1.1, "posições, $P$", f"({T}, {d})", PAPEIS["posicoes"])
    x, passo = 5.6, 5.2
    fim = x + 0.5 + camadas * passo
    for y, texto in ((1.1, (1.8, 0.2)), (-1.1, (1.8, -0.2))):
        _seta(ax, texto, (2.55, y), cinza)
        _seta(ax, (4.65, y), (x - 0.15, 0.15 if y > 0 else -0.15), cinza)
    ax.text(x, 0, "+", ha="center", va="center", fontsize=17, weight="bold")
    ax.plot([x + 0.25, fim + 0.3], [0, 0], color=PAPEIS["residual"], lw=6, alpha=0.35, zorder=0, solid_capstyle="butt")
    for i in range(camadas):
        de = x + 0.5 + i * passo
        ax.add_patch(Rectangle((de, -0.55), passo - 0.5, 2.75, facecolor="none", edgecolor="0.75", lw=1.2, ls="--"))
        ax.text(de + 0.1, 2.3, f"bloco {i}", fontsize=12, style="italic")
        partes = (
            ("atenção", f"LN, {h} cabeças", PAPEIS["atencao"]),
            ("feed-forward", f"LN, $d_{{ff}}$ = {4 * d}", PAPEIS["feed-forward"]),
        )
        for j, (nome, detalhe, cor) in enumerate(partes):
            meio = de + 1.2 + 2.3 * j
            _caixa(ax, meio, 1.35, nome, detalhe, cor, 2.1)
            _seta(ax, (meio - 0.75, 0.05), (meio - 0.75, 0.82), cinza)
            _seta(ax, (meio + 0.75, 0.82), (meio + 0.75, 0.2), cinza)
            ax.text(meio + 0.75, 0, "+", ha="center", va="center", fontsize=15, weight="bold")
    ax.text((x + fim) / 2 + 0.2, -0.85, f"o caminho residual, (B, {T}, {d}) do começo ao fim", ha="center", fontsize=11,
            color="0.3")  # fmt: skip
    for nome, forma, cor, largura in (("LN", "", "#666666", 1.0), (r"× $E^\top$", f"({d}, {V})", lida, 1.6),
                                      ("logits", f"(B, {T}, {V})", CORES["preto"], 1.9)):  # fmt: skip
        _seta(ax, (fim + 0.3, 0), (fim + 0.75, 0), cinza)
        fim += 0.75 + largura
        _caixa(ax, fim - largura / 2, 0, nome, forma, cor, largura)
    saida = fim - 1.9 - 0.75 - 0.8  # o meio da caixa × Eᵀ
    ax.plot([3.6, 3.6, saida, saida], [1.65, 2.95, 2.95, 0.6], color=lida, lw=1.2, ls=":")
    ax.text((3.6 + saida) / 2, 3.05, "a mesma matriz lê e escreve", ha="center", va="bottom", fontsize=11, color=lida)
    ax.set(xlim=(0, fim + 0.2), ylim=(-1.75, 3.5), aspect="equal")
    ax.axis("off")
    return fig


def setas_da_manga(ax: Axes, na_fruta: np.ndarray, na_roupa: np.ndarray) -> None:
    """*Manga* antes e depois de olhar, da origem até cada ponto (2,), com o ângulo que ela girou em cada frase."""
    fruta, roupa = CORES["laranja"], CORES["azul"]
    manga = TABELA["manga"]
    for palavra, lado in (("fruta", (7, 2)), ("camisa", (-50, 2))):
        ax.plot(*np.stack([np.zeros(2), 1.18 * TABELA[palavra]]).T, ":", color="0.6", lw=1.2)
        plano(ax, TABELA[palavra][None], [palavra], ["0.45"], deslocamento=lado)
    for ponto, cor, nome, lado in (
        (manga, CORES["vermelho"], "manga, antes", (-42, 9)),
        (na_fruta, fruta, "manga, na fruta", (12, -14)),
        (na_roupa, roupa, "manga, na roupa", (-122, -18)),
    ):
        u, v = (float(z) for z in ponto)
        ax.annotate("", xy=(u, v), xytext=(0, 0), arrowprops={"arrowstyle": "-|>", "color": cor, "lw": 2.6})
        dito = nome if ponto is manga else f"{nome}\n({u:.2f}; {v:.2f})"
        ax.annotate(dito, (u, v), xytext=lado, textcoords="offset points", va="center", weight="bold",
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip
    for ponto, cor, raio in ((na_fruta, fruta, 0.3), (na_roupa, roupa, 0.24)):
        fim = float(np.degrees(np.arctan2(ponto[1], ponto[0])))
        arco = np.radians(np.linspace(90, fim, 30))
        ax.plot(raio * np.cos(arco), raio * np.sin(arco), color=cor, lw=1.6)
        meio = np.radians((90 + fim) / 2)
        ax.text(1.3 * raio * np.cos(meio), 1.3 * raio * np.sin(meio), f"{abs(90 - fim):.0f}°", color=cor, ha="center",
                va="center", fontsize=10)  # fmt: skip
    ax.set(xlabel="dimensão 1", ylabel="dimensão 2", xlim=(-0.95, 0.95), ylim=(-0.06, 1.2), aspect="equal")


def nuvens(caminho: np.ndarray, palavras: Sequence[str]) -> Figure:
    """Um quadro por camada de um caminho (camadas + 1, N, 2): onde estão as palavras, e a largura da nuvem."""
    fig, eixos = plt.subplots(1, len(caminho), figsize=(3.6 * len(caminho), 3.4), sharex=True, sharey=True)
    for camada, (ax, Z) in enumerate(zip(np.atleast_1d(eixos), np.asarray(caminho), strict=True)):
        ax.plot(*caminho[0].T, "o", color="0.85", ms=5)  # de onde todas saíram
        ax.plot(*Z.T, "o", color=CORES["azul"], ms=6, alpha=0.8)
        nome = ("nenhuma camada", "1 camada")[camada] if camada < 2 else f"{camada} camadas"
        ax.set(title=f"{nome}: largura {np.ptp(Z[:, 0]):.2g}", xlabel="dimensão 1")
        ax.margins(0.14)
        if camada == 0:
            ax.set_ylabel("dimensão 2")
            for palavra, ponto in zip(palavras, Z, strict=True):
                ax.annotate(palavra, ponto, xytext=(4, 5), textcoords="offset points", fontsize=9)
        else:
            ax.annotate(f"as {len(palavras)} palavras", Z.mean(axis=0), xytext=(0, -26), textcoords="offset points",
                        ha="center", color=CORES["azul"])  # fmt: skip
    return fig
