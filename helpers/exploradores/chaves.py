"""O plano das chaves: as palavras em um plano e, em outro, a consulta de uma delas e as chaves de todas."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from helpers import exemplos
from helpers.desenho import PAPEIS
from helpers.exploradores.anfitriao import Explorador, Problema, frase, matriz, numero, ou_recado
from helpers.exploradores.plano import FRASES as DO_PLANO
from helpers.exploradores.plano import na_tabela

TABELA = {p: x.tolist() for p, x in exemplos.TABELA_3.items()}
COMPONENTES = ("direita", "alto", "assunto")
# As duas do curso, dois telegramas com pistas que o treino não viu, e a das duas mangas.
FRASES = (
    *DO_PLANO[:2],
    "lua manga praça pomar a cortar",
    "ponte agulha de manga circo pediu",
    " ".join(exemplos.DUAS_MANGAS),
)
# Números quaisquer e pequenos, como os de quem ainda não aprendeu nada. A terceira linha de W_K não lê o assunto.
W_Q_DO_COMECO = ((0.4, -0.3), (0.6, 0.4), (-0.2, 0.5))
W_K_DO_COMECO = ((0.5, -0.5), (0.2, 0.2), (0.0, 0.0))
FORMAS = ["frutas", "roupas", "outros assuntos", "sem assunto"]
_MARCAS = "os^D"  # círculo, quadrado, triângulo e losango, como no navegador
_DESCIDA = {"taxa": 0.5, "passos": 400, "quase_nada": 2e-5}  # o treino para quando a perda cai menos que `quase_nada`


def _telegramas(quantos: int = 40) -> list[tuple[str, str]]:
    """Frases de seis palavras para o treino: manga, uma pista, e quatro que só atrapalham; e, de cada uma, a pista."""
    g, rng, feitos = exemplos.GRUPOS, np.random.default_rng(0), []
    pistas, enfeites = g["fruta"][:4] + g["roupa"][:4], [*g["outras"][:6], *g["curtas"], "cortar"]
    for _ in range(quantos):
        pista = str(rng.choice(pistas))
        palavras = ["manga", pista, *(str(p) for p in rng.choice(enfeites, size=4, replace=False))]
        feitos.append((" ".join(rng.permutation(palavras)), pista))
    return feitos


TELEGRAMAS = _telegramas()


@ou_recado
def plano_das_chaves(
    W_Q: Any = W_Q_DO_COMECO,
    W_K: Any = W_K_DO_COMECO,
    frases: str | Sequence[str] = FRASES,
    tabela: Mapping[str, Sequence[float]] | None = None,
    *,
    destaque: str = "manga",
    componentes: Sequence[str] = COMPONENTES,
    treino: Sequence[tuple[str, str]] = TELEGRAMAS,
) -> Explorador:
    """À esquerda, as palavras; à direita, as chaves delas e a consulta de quem procura, que começa por `destaque`.

    W_Q e W_K (D, 2) dizem onde começa; quem mexe muda os números, a consulta ou as chaves. `tabela` dá o vetor (D,) de
    cada palavra, com um nome para cada número em `componentes`; os dois primeiros são o lugar dela à esquerda, e é isso
    que ela entrega. Sem `tabela`, são as palavras da manga, com D = 3. O botão Treinar mexe nas duas matrizes para que
    a seta de `destaque` chegue à pista de cada (frase, pista) de `treino`; com `treino=()`, ele não aparece.

    `.estado` tem a `frase`, `quem` procura, `W_Q`, `W_K` (listas) e o `passo` do treino, como a pessoa os deixou.
    """
    vetores = {str(p): _vetor(str(p), x, len(componentes)) for p, x in (tabela or TABELA).items()}
    lista = [frases] if isinstance(frases, str) else [str(f) for f in frases]
    if not any(f.strip() for f in lista):
        raise Problema(frase("plano.sem_frase"))
    palavras = na_tabela(lista[0], vetores)
    pesos = {nome: matriz(nome, W, (len(componentes), 2)) for nome, W in (("W_Q", W_Q), ("W_K", W_K))}
    comeco = {nome: W.tolist() for nome, W in pesos.items()}
    dados = {
        "frases": lista,
        "tabela": vetores,
        "componentes": [str(c) for c in componentes],
        "grupos": [] if tabela else _grupos(),
        "destaque": destaque,
        "treino": _DESCIDA | {"exemplos": [_exemplo(f, pista, vetores, destaque) for f, pista in treino]},
        **comeco,
    }
    n = len(palavras) - 1 - palavras[::-1].index(destaque) if destaque in palavras else len(palavras) - 1
    X = np.array([vetores[p] for p in palavras])  # (N, D)
    conta = _procurar(X, n, pesos["W_Q"], pesos["W_K"])
    chaves = {p: np.array(x) @ pesos["W_K"] for p, x in vetores.items()}
    return Explorador(
        "chaves", dados, _alt(lista[0], palavras, n, conta), lambda: _figura(palavras, n, vetores, chaves, conta),
        estado={"frase": " ".join(palavras), "quem": palavras[n], "passo": 0, **comeco},
    )  # fmt: skip


def treinar_as_chaves(W_Q: Any = W_Q_DO_COMECO, W_K: Any = W_K_DO_COMECO) -> tuple[np.ndarray, np.ndarray]:
    """W_Q e W_K (3, 2) depois do que o botão Treinar faz, para quem não o apertou: os mesmos passos, com o PyTorch."""
    Ws = [torch.tensor(np.asarray(W), dtype=torch.float64, requires_grad=True) for W in (W_Q, W_K)]
    telegramas, antes = em_tensores(), float("inf")
    for passo in range(int(_DESCIDA["passos"]) + 1):
        perda = perda_dos_telegramas(*telegramas, *Ws)
        if antes - perda.item() <= _DESCIDA["quase_nada"] or passo == _DESCIDA["passos"]:
            break
        antes = perda.item()
        for W, dW in zip(Ws, torch.autograd.grad(perda, Ws), strict=True):
            W.data -= _DESCIDA["taxa"] * dW
    return Ws[0].detach().numpy(), Ws[1].detach().numpy()


def em_tensores() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Dos telegramas do treino: as palavras (B, 6, 3), as mangas (B, 1, 3) e os lugares das pistas (B, 2)."""
    palavras = [texto.split() for texto, _ in TELEGRAMAS]
    X = torch.tensor([[TABELA[p] for p in lidas] for lidas in palavras], dtype=torch.float64)
    certos = torch.tensor([TABELA[pista][:2] for _, pista in TELEGRAMAS], dtype=torch.float64)
    mangas = torch.tensor([[TABELA["manga"]]], dtype=torch.float64).expand(len(X), 1, 3)
    return X, mangas, certos


def perda_dos_telegramas(
    X: torch.Tensor, mangas: torch.Tensor, certos: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor
) -> torch.Tensor:
    """O quadrado da distância da ponta da seta de manga à pista, em média."""
    Y = torch.nn.functional.scaled_dot_product_attention(mangas @ W_Q, X @ W_K, X[..., :2])  # (B, 1, 2)
    return ((Y[:, 0] - certos) ** 2).sum(-1).mean()


def _vetor(palavra: str, x: Any, D: int) -> list[float]:
    return matriz(f"o vetor de “{palavra}”", x, (D,)).tolist()


def _grupos() -> list[dict[str, Any]]:
    g = exemplos.GRUPOS
    com_assunto = [[*g["fruta"], "comeu"], g["roupa"], g["outras"]]
    resto = [p for p in TABELA if not any(p in grupo for grupo in com_assunto)]
    nomeados = zip(FORMAS, [*com_assunto, resto], strict=True)
    return [{"nome": nome, "forma": i, "palavras": palavras} for i, (nome, palavras) in enumerate(nomeados)]


def _exemplo(texto: str, pista: str, vetores: Mapping[str, Any], destaque: str) -> dict[str, Any]:
    palavras = na_tabela(texto, vetores)
    for falta in (destaque, pista):
        if falta not in palavras:
            raise Problema(frase("chaves.exemplo_torto", frase=texto, falta=falta))
    return {"palavras": palavras, "quem": palavras.index(destaque), "pista": palavras.index(pista)}


# ------------------------------------------------------------ a imagem


def _procurar(X: np.ndarray, n: int, W_Q: np.ndarray, W_K: np.ndarray) -> dict[str, np.ndarray]:
    """A consulta q (2,) da palavra n, as chaves K (N, 2), as pontuações e os pesos (N,) e onde a seta chega (2,)."""
    q, K = X[n] @ W_Q, X @ W_K
    S = K @ q / np.sqrt(2)
    A = torch.softmax(torch.from_numpy(S), dim=-1).numpy()
    return {"q": q, "K": K, "S": S, "A": A, "Y": A @ X[:, :2]}


def _par(ponto: np.ndarray) -> str:
    return frase("chaves.par", x=numero(ponto[0]), y=numero(ponto[1]))


def _sombra(conta: Mapping[str, np.ndarray], m: int) -> float:
    return float(conta["K"][m] @ conta["q"] / max(np.linalg.norm(conta["q"]), 1e-9))


def _alt(texto: str, palavras: list[str], n: int, conta: Mapping[str, np.ndarray]) -> str:
    m = int(conta["A"].argmax())
    trocas = {"sombra": numero(_sombra(conta, m)), "s": numero(conta["S"][m])}
    alvo = frase("chaves.si_mesma") if m == n else palavras[m]
    trocas |= {"quem": palavras[n], "alvo": alvo, "peso": f"{100 * conta['A'][m]:.0f} %", "y": _par(conta["Y"])}
    iguais = np.ptp(conta["A"]) < 1e-9
    dito = " ".join(frase(qual, **trocas) for qual in (["chaves.iguais"] if iguais else ["chaves.olha", "chaves.dito"]))
    return frase("chaves.alt", frase=texto, quem=palavras[n], q=_par(conta["q"]), dito=dito)


def _figura(
    palavras: list[str], n: int, vetores: Mapping[str, Any], chaves: Mapping[str, np.ndarray], conta: Mapping[str, Any]
) -> Figure:
    """Os dois planos, cada um com a mesma escala nos dois eixos, como no navegador."""
    fig, (esquerda, direita) = plt.subplots(1, 2, figsize=(9.6, 5), dpi=90)
    lugares = {p: np.array(x[:2]) for p, x in vetores.items()}
    daqui, q, maior = lugares[palavras[n]], conta["q"], int(conta["A"].argmax())
    for m, palavra in enumerate(palavras):
        trecho = zip(daqui, lugares[palavra], strict=True)
        esquerda.plot(*trecho, color=PAPEIS["A"], lw=14 * conta["A"][m], alpha=0.4, solid_capstyle="round", zorder=1)
    _palavras(esquerda, lugares, palavras, n, PAPEIS["X"], "As palavras")
    _seta(esquerda, daqui, conta["Y"], PAPEIS["Y"])
    tamanho = float(np.linalg.norm(q))
    if tamanho > 1e-6:
        direita.axline((0, 0), tuple(q), color=PAPEIS["Q"], lw=1, alpha=0.5, zorder=1)
        for m, k in enumerate(conta["K"]):
            pe = q / tamanho * _sombra(conta, m)
            direita.plot(*zip(k, pe, strict=True), color="0.6", lw=2 if m == maior else 0.8, ls=":", zorder=1)
        fim = q / tamanho * _sombra(conta, maior)
        direita.plot([0, fim[0]], [0, fim[1]], color=PAPEIS["K"], lw=9, alpha=0.45, solid_capstyle="butt", zorder=2)
    _palavras(direita, chaves, palavras, n, PAPEIS["K"], "A consulta e as chaves", q)
    _seta(direita, np.zeros(2), q, PAPEIS["Q"])
    rotulo = frase("chaves.consulta", quem=palavras[n])
    direita.annotate(rotulo, q, xytext=(-8, 8), textcoords="offset points", ha="right", color=PAPEIS["Q"], zorder=5)
    return fig


def _seta(ax: Axes, de: np.ndarray, ate: np.ndarray, cor: str) -> None:
    linha = {"arrowstyle": "-|>", "color": cor, "lw": 3, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", xy=(ate[0], ate[1]), xytext=(de[0], de[1]), arrowprops=linha, zorder=4)


def _palavras(
    ax: Axes, lugares: Mapping[str, np.ndarray], palavras: list[str], n: int, cor: str, titulo: str, *outros: np.ndarray
) -> None:
    """Cada palavra da tabela com a forma do seu grupo; as da frase, maiores e com nome."""
    forma_de = {p: _MARCAS[g["forma"]] for g in _grupos() for p in g["palavras"]}
    lado = 1.12 * max(float(np.abs(p).max()) for p in [*lugares.values(), *outros, np.full(2, 1e-6)])
    for palavra, ponto in lugares.items():
        dentro = palavra in palavras
        tinta = PAPEIS["Q"] if palavra == palavras[n] and cor == PAPEIS["X"] else cor
        marca = forma_de.get(palavra, "o")
        ax.plot(*ponto, marca, color=tinta, ms=9 if dentro else 5, alpha=1 if dentro else 0.4, mec="white", zorder=3)
        if dentro:
            contorno = [withStroke(linewidth=3, foreground="white")]  # o nome se lê por cima das linhas
            ax.annotate(
                palavra,
                (ponto[0], ponto[1]),
                xytext=(6, 6),
                textcoords="offset points",
                zorder=5,
                path_effects=contorno,
            )
    for grupo in _grupos()[:3] if set(lugares) == set(TABELA) else []:
        meio = np.mean([lugares[p] for p in grupo["palavras"]], axis=0)
        ax.annotate(
            grupo["nome"], (meio[0], meio[1]), ha="center", va="top", color="0.4", style="italic", fontsize=10, zorder=4
        )
    for linha in (ax.axhline, ax.axvline):
        linha(0, color="0.85", lw=0.8, zorder=0)
    ax.set(xlim=(-lado, lado), ylim=(-lado, lado), aspect="equal", title=titulo)
    for eixo in (ax.xaxis, ax.yaxis):
        eixo.set_major_formatter(lambda x, _: numero(x, 1))
