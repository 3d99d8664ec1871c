"""Desenhos de uma cabeça de atenção: para onde cada palavra vai e para quem ela olha.

Quem faz a conta é a `atencao` que se dá, que leva Q, K e V a (Y, A): nas aulas, a do aluno. `projecoes` são as três
matrizes W_Q, W_K e W_V. Nada aqui devolve números: só figuras e texto.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from helpers.desenho import CORES, PAPEIS, TONS_DE_A, mapa_de_calor

Atencao = Callable[[Any, Any, Any], tuple[Any, Any]]
Projecoes = Sequence[np.ndarray]


def _atender(atencao: Atencao, X: np.ndarray, C: np.ndarray, projecoes: Projecoes) -> tuple[np.ndarray, np.ndarray]:
    """As consultas vêm de X (N, d); as chaves e os valores, de C (M, d_C). Y (N, d_v) e A (N, M)."""
    Y, A = atencao(*(np.asarray(Z @ W) for Z, W in zip((X, C, C), projecoes, strict=True)))
    return np.asarray(Y), np.asarray(A)


def _porcento(x: float) -> str:
    return f"{x:.0%}"


def olhar(
    atencao: Atencao,
    X: np.ndarray,
    palavras: Sequence[str],
    projecoes: Projecoes,
    quem: str,
    C: np.ndarray | None = None,
    respondem: Sequence[str] = (),
) -> None:
    """Escreve para que palavras `quem` olha mais, e o que recolhe; com C (M, d_C), quem responde é outra frase."""
    Y, A = _atender(atencao, X, X if C is None else C, projecoes)
    outras = respondem or palavras
    n = len(palavras) - 1 - list(palavras)[::-1].index(quem)
    ordem = np.argsort(-np.round(A[n], 6), kind="stable")[:4]  # os empates, na ordem da frase
    print(" ".join(palavras) + (f", perguntando a: {' '.join(respondem)}" if respondem else ""))
    print(f"  {quem} olha para: " + ", ".join(f"{outras[m]} {_porcento(A[n, m])}" for m in ordem))
    print(f"  {quem} recolhe:   ", np.round(Y[n], 2) + 0.0)


def sortear_matrizes(semente: int, d: int = 3, d_k: int = 2, forca: float = 1.0) -> list[np.ndarray]:
    """Três matrizes (d, d_k) de números quaisquer; com mais `forca`, a cabeça escolhe mais."""
    return list(forca * np.random.default_rng(semente).normal(size=(3, d, d_k)))


def separar(atencao: Atencao, X: np.ndarray, duas: tuple[int, int], quantas: int = 1000) -> None:
    """Sorteia cabeças e escreve a que distância uma da outra, no máximo, chegam as `duas` linhas de X (N, d)."""
    distancias = []
    for semente in range(quantas):
        Y, _ = _atender(atencao, X, X, sortear_matrizes(semente, X.shape[1], forca=2.0))
        distancias.append(float(np.linalg.norm(Y[duas[0]] - Y[duas[1]])))
    print(f"{quantas} cabeças sorteadas: as duas mangas ficam, no máximo, a {max(distancias):.6f} uma da outra")


# ------------------------------------------------------------ o plano


def setas(
    atencao: Atencao,
    frases: Sequence[Sequence[str]],
    tabela: Mapping[str, np.ndarray],
    antes: Projecoes,
    depois: Projecoes,
    destaque: str = "manga",
) -> Figure:
    """Um plano por frase: a seta de `destaque` com as projeções de antes (cinza) e com as de depois (verde)."""
    fig, eixos = plt.subplots(2, -(-len(frases) // 2), figsize=(9, 7.2), squeeze=False, sharex=True, sharey=True)
    for ax, frase in zip(eixos.flat, frases, strict=True):
        X = np.stack([tabela[p] for p in frase])  # (N, d): o plano são as duas primeiras componentes
        n = len(frase) - 1 - list(frase)[::-1].index(destaque)
        de_antes, _ = _atender(atencao, X, X, antes)
        Y, A = _atender(atencao, X, X, depois)
        plano_com_setas(ax, frase, X[:, :2], A[n], n, {"antes": de_antes[n], "depois": Y[n]})
    eixos[0, 0].legend(loc="lower left", fontsize=9, frameon=False)
    fig.supxlabel("dimensão 1", fontsize=11)
    fig.supylabel("dimensão 2", fontsize=11)
    return fig


def plano_com_setas(
    ax: Axes, frase: Sequence[str], X: np.ndarray, pesos: np.ndarray, n: int, chegadas: Mapping[str, np.ndarray]
) -> None:
    """As palavras de X (N, 2) no plano e, da palavra n, uma faixa para cada uma e uma seta até cada chegada (2,)."""
    ax.axhline(0, color="0.88", lw=0.8, zorder=0)
    ax.axvline(0, color="0.88", lw=0.8, zorder=0)
    for m, peso in enumerate(pesos):
        ax.plot(*zip(X[n], X[m], strict=True), color=PAPEIS["A"], lw=12 * peso, alpha=0.35, solid_capstyle="round")
    for m, palavra in enumerate(frase):
        cor = PAPEIS["destaque"] if m == n else PAPEIS["X"]
        ax.plot(*X[m], "o", color=cor, ms=8 if m == n else 6, zorder=4)
        if palavra not in frase[:m]:
            _nomear(ax, palavra, X[m], embaixo=m != n and X[m, 1] > 0.4 and abs(X[m, 0]) > 0.3)
    for (nome, fim), cor in zip(chegadas.items(), ("0.45", PAPEIS["Y"])[-len(chegadas) :], strict=True):
        seta = {"arrowstyle": "-|>", "color": cor, "lw": 2.4, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", xy=(fim[0], fim[1]), xytext=(X[n, 0], X[n, 1]), arrowprops=seta, zorder=6)
        ax.plot([], [], color=cor, lw=2.4, label=nome)
    ax.set(xlim=(-1.4, 1.4), ylim=(-1.15, 1.35), aspect="equal")
    ax.set_title(" ".join(frase), fontsize=10)


def _nomear(ax: Axes, palavra: str, ponto: np.ndarray, embaixo: bool) -> None:
    """O nome fica do lado de fora do plano; embaixo do ponto, se uma seta pode chegar a ele."""
    lado = -1 if ponto[0] < -0.1 else 1
    onde = ((0, -7), "center", "top") if embaixo else ((7 * lado, 0), "left" if lado > 0 else "right", "center")
    ax.annotate(palavra, (ponto[0], ponto[1]), xytext=onde[0], textcoords="offset points", ha=onde[1], va=onde[2],
                zorder=5, fontsize=10)  # fmt: skip


# ------------------------------------------------------------ quem olha para quem


def mapa_da_cabeca(
    atencao: Atencao,
    ax: Axes,
    frase: Sequence[str],
    tabela: Mapping[str, np.ndarray],
    projecoes: Projecoes,
    outra: Sequence[str] = (),
    marcadas: Sequence[str] = (),
) -> AxesImage:
    """Os pesos com que a `frase` olha para si mesma, ou para `outra`; só os de 0,05 ou mais têm o número escrito."""
    X, C = (np.stack([tabela[p] for p in palavras]) for palavras in (frase, outra or frase))  # (N, d) e (M, d)
    _, A = _atender(atencao, X, C, projecoes)
    imagem = mapa_de_calor(A, frase, outra or frase, ax=ax, valores=False, vmin=0, vmax=1, eixo_x="quem é olhado")
    for (n, m), peso in np.ndenumerate(A):
        if peso >= 0.05:
            ax.text(m, n, f"{peso:.2f}", ha="center", va="center", fontsize=10)
    for n, palavra in enumerate(frase):
        if palavra in marcadas:
            ax.add_patch(plt.Rectangle((-0.47, n - 0.47), len(C) - 0.06, 0.94, fill=False, ec=PAPEIS["destaque"], lw=2))
    return imagem


def duas_mangas(
    atencao: Atencao, frase: Sequence[str], tabela: Mapping[str, np.ndarray], projecoes: Projecoes
) -> Figure:
    """Os pesos de cada *manga* da frase, em barras, e onde todas as palavras chegam: são duas setas, no mesmo lugar."""
    X = np.stack([tabela[p] for p in frase])  # (N, d)
    Y, A = _atender(atencao, X, X, projecoes)  # (N, 2), (N, N)
    mangas = [n for n, p in enumerate(frase) if p == "manga"]
    fig, eixos = plt.subplot_mosaic("ac;bc", figsize=(10, 4.6), width_ratios=[1.25, 1])
    for ax, n, vez in zip((eixos["a"], eixos["b"]), mangas, ("1ª", "2ª"), strict=True):
        ax.bar(range(len(frase)), A[n], color=PAPEIS["A"])
        ax.set_xticks(range(len(frase)), frase if vez == "2ª" else [""] * len(frase), rotation=25)
        ax.set(ylim=(0, 1.05), ylabel="peso", title=f"para quem olha a {vez} manga")
    ax = eixos["c"]
    outras = [n for n in range(len(frase)) if n not in mangas]
    ax.plot(*Y[outras].T, "o", color="0.6", ms=6)
    for nomes, ponto in _juntas([frase[n] for n in outras], Y[outras]):
        ax.annotate(nomes, ponto, xytext=(6, -3), textcoords="offset points", color="0.35", fontsize=10)
    primeira, segunda = mangas
    ax.plot(*Y[primeira], "o", mfc="none", mec=PAPEIS["destaque"], ms=17, mew=2.2, label="a 1ª manga")
    ax.plot(*Y[segunda], "o", color=PAPEIS["Y"], ms=8, label="a 2ª manga")
    ax.margins(0.2)
    ax.set(title="onde cada palavra chega", xlabel="coluna 1 de Y", ylabel="coluna 2 de Y")
    fig.legend(loc="outside lower right", ncols=2, fontsize=10, frameon=False)
    return fig


def _juntas(palavras: Sequence[str], pontos: np.ndarray) -> list[tuple[str, tuple[float, float]]]:
    """Um rótulo para cada grupo de palavras quase no mesmo ponto de (N, 2)."""
    grupos: list[tuple[list[str], np.ndarray]] = []
    perto = 0.06 * np.ptp(pontos, axis=0).max()
    for palavra, ponto in zip(palavras, pontos, strict=True):
        for nomes, lugar in grupos:
            if np.linalg.norm(ponto - lugar) <= perto:
                nomes.append(palavra)
                break
        else:
            grupos.append(([palavra], ponto))
    return [(", ".join(nomes), (float(lugar[0]), float(lugar[1]))) for nomes, lugar in grupos]


def antes_e_depois(
    atencao: Atencao,
    X: np.ndarray,
    palavras: Sequence[str],
    antes: Projecoes,
    depois: Projecoes,
    marcadas: Sequence[str],
) -> Figure:
    """Os pesos (N, N) antes e depois do treino; em destaque, as linhas das palavras `marcadas`."""
    fig, eixos = plt.subplots(1, 2, figsize=(10, 4.9), sharey=True)
    for ax, W, quando in zip(eixos, (antes, depois), ("antes do treino", "depois do treino"), strict=True):
        _, A = _atender(atencao, X, X, W)
        imagem = mapa_de_calor(
            A, palavras, palavras, ax=ax, titulo=quando, vmin=0, vmax=1, eixo_x="quem é olhado", valores=False
        )
        for n, palavra in enumerate(palavras):
            if palavra in marcadas:
                ax.add_patch(plt.Rectangle((-0.5, n - 0.5), len(palavras), 1, fill=False, ec=CORES["vermelho"], lw=2))
    eixos[0].set_ylabel("quem olha")
    fig.colorbar(imagem, ax=eixos, label="peso de atenção", shrink=0.8)
    return fig


def mapas_da_imagem(
    atencao: Atencao, X: np.ndarray, palavras: Sequence[str], imagem: np.ndarray, projecoes: Projecoes
) -> Figure:
    """Para cada palavra, quanto ela olha para cada pedaço da imagem (altura, largura, 3), de cores entre −1 e 1."""
    C = imagem.reshape(-1, 3)  # (M, 3): um pedaço por linha
    Y, A = _atender(atencao, X, C, projecoes)
    fig, eixos = plt.subplots(2, len(palavras) + 1, figsize=(10, 2.9), height_ratios=[5, 1.6])
    eixos[0, 0].imshow(np.clip((imagem + 1) / 2, 0, 1))
    eixos[0, 0].set_title("a imagem", fontsize=11)
    eixos[1, 0].text(0.5, 0.5, "o que cada uma recolhe", ha="center", va="center", fontsize=9)
    for ax, cor, palavra, pesos, y in zip(eixos[0, 1:], eixos[1, 1:], palavras, A, Y, strict=True):
        # até o triplo de um peso uniforme
        mapa = ax.imshow(pesos.reshape(imagem.shape[:2]), vmin=0, vmax=3 / len(C), cmap=TONS_DE_A)
        ax.set_title(f"“{palavra}” olha para", fontsize=11)
        cor.imshow(np.clip((y.reshape(1, 1, 3) + 1) / 2, 0, 1), aspect="auto")
    for ax in eixos.flat:
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    fig.colorbar(mapa, ax=eixos[0, -1], label="peso de atenção", extend="max", shrink=0.9)
    return fig


def aquarela(betas: Sequence[float]) -> Figure:
    """Cinco chaves, cada uma com a sua cor; cada ponto do plano é uma consulta, e a cor dele é a resposta."""
    angulos = np.radians([20, 95, 165, 235, 310])
    chaves = np.stack([np.cos(angulos), np.sin(angulos)], axis=1)  # (5, 2)
    cores = np.array([to_rgb(CORES[c]) for c in ("azul", "laranja", "verde", "rosa", "amarelo")])  # (5, 3)
    lado = np.linspace(-1.3, 1.3, 120)
    pontos = torch.from_numpy(np.stack(np.meshgrid(lado, -lado), axis=-1))  # (120, 120, 2): uma consulta em cada
    tamanho = (4.4, 4.6) if len(betas) == 1 else (2.75 * len(betas), 3.1)
    fig, eixos = plt.subplots(1, len(betas), figsize=tamanho, squeeze=False)
    for ax, beta in zip(eixos[0], betas, strict=True):
        pesos = torch.softmax(beta * (pontos @ torch.from_numpy(chaves.T)), dim=-1).numpy()  # (120, 120, 5)
        ax.imshow(pesos @ cores, extent=(-1.3, 1.3, -1.3, 1.3))
        ax.scatter(*chaves.T, c=cores, s=90, edgecolor="black", zorder=3)
        ax.set(title=f"β = {beta:g}", xlabel="dimensão 1", xticks=[], yticks=[])
    eixos[0, 0].set_ylabel("dimensão 2")
    return fig
