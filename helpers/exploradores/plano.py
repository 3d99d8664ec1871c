"""O plano da frase: as palavras como pontos, e de cada uma a seta para onde ela vai quando olha para as outras."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from helpers import exemplos
from helpers.desenho import CORES, PAPEIS, nuvens
from helpers.exploradores.anfitriao import Explorador, Problema, frase, matriz, numero, ou_recado

_NOMES = {"outras": "outros assuntos", "curtas": "palavras curtas", "ambiguas": "entre os dois"}
GRUPOS = {_NOMES.get(grupo, grupo): [*palavras] for grupo, palavras in exemplos.GRUPOS.items()}
GRUPOS["fruta"].append("comeu")
GRUPOS["palavras curtas"] += [p for p in exemplos.MAIS if p != "comeu"]
CORES_DOS_GRUPOS = {"fruta": "laranja", "roupa": "azul", "outros assuntos": "verde", "entre os dois": "destaque"}
TABELA: dict[str, Sequence[float]] = {p: x.tolist() for p, x in exemplos.VOCABULARIO.items()}
FRASES = ("Eu gosto de comer manga", "Ele pediu para a costureira cortar a manga", "A costureira vai cortar a manga")

# Cada um: a palavra em que está o alvo, o raio dele, quantas palavras a frase precisa ter, e o que se pede.
DESAFIOS = (
    ("camisa", 0.2, 4, "Leve a ponta da seta de manga até o alvo, em volta de camisa, com quatro palavras."),
    ("comer", 0.2, 4, "Agora até comer, também com quatro palavras."),
    ("manga", 0.1, 5, "Faça manga ficar onde está. Com cinco palavras, a seta dela não pode sair do alvo."),
)

# A segunda frase do curso, com os vetores da aula 02.
FRASE_DO_RATO = "O rato roeu a roupa do rei de Roma"
TABELA_DO_RATO = {p.rstrip("."): x.tolist() for p, x in zip(exemplos.RATO, exemplos.X_RATO, strict=True)}


@ou_recado
def plano_da_frase(
    frases: str | Sequence[str] = FRASES,
    tabela: Mapping[str, Sequence[float]] | None = None,
    *,
    destaque: str = "manga",
    temperatura: float | None = 1.0,
    escala: bool | None = None,
    dimensoes: Sequence[int] = (),
    cabecas: Mapping[str, Mapping[str, Any]] | None = None,
    projecoes: bool = True,
    desafios: bool | None = None,
) -> Explorador:
    """As palavras da frase no plano, e a seta de cada uma; a de `destaque` vem na frente.

    `tabela` dá o vetor (2,) de cada palavra; sem ela, são as da aula 01. `temperatura=None` esconde o controle.
    `escala` (True ou False) mostra o interruptor de √d_k, ligado ou não. Com `dimensoes`, como (2, 8, 32, 128), as
    pontuações passam a ter o tamanho típico que teriam com vetores de d_k componentes: crescem como √d_k. `cabecas` dá
    a cada nome as suas W_Q, W_K (2, d_k) e W_V (2, 2); `projecoes=False` começa com elas desligadas.
    `desafios` mostra os três desafios, que são das palavras da manga (por padrão, só quando o plano é o mais simples).
    """
    lista = [frases] if isinstance(frases, str) else [str(f) for f in frases]
    grupos = GRUPOS if tabela is None else {}
    vetores = {str(p): matriz(f"o vetor de “{p}”", x, (2,)).tolist() for p, x in (tabela or TABELA).items()}
    if not any(f.strip() for f in lista):
        raise Problema(frase("plano.sem_frase"))
    palavras = na_tabela(lista[0], vetores)
    projetadas = [_cabeca(nome, W) for nome, W in (cabecas or {}).items()]
    if temperatura is not None and not 1 / 16 <= temperatura <= 16:
        raise Problema(frase("plano.temperatura_fora"))
    dados = {
        "frases": lista,
        "tabela": vetores,
        "grupos": [
            {"nome": n, "cor": CORES_DOS_GRUPOS.get(n, "cinza"), "palavras": list(g)} for n, g in grupos.items()
        ],
        "destaque": destaque,
        "temperatura": temperatura,
        "com_escala": escala is not None,
        "escala": bool(escala),
        "dimensoes": [int(d) for d in dimensoes],
        "cabecas": projetadas,
        "projecoes": projecoes,
        "desafios": _desafios(desafios, simples=not (tabela or cabecas or dimensoes or escala is not None)),
    }
    X = np.array([vetores[p] for p in palavras])  # (N, 2)
    A, Y = _olhar(X, projetadas[0] if projetadas and projecoes else {}, temperatura or 1.0, bool(escala))
    n = len(palavras) - 1 - palavras[::-1].index(destaque) if destaque in palavras else len(palavras) - 1
    return Explorador(
        "plano", dados, alt=_alt(lista[0], palavras, X, A, Y, n), figura=lambda: _figura(palavras, X, A, Y, n)
    )


def _desafios(pedidos: bool | None, simples: bool) -> list[dict[str, Any]]:
    """Valem para a tabela da aula 01 e a atenção sem parâmetros: em outro plano, talvez não tenham solução."""
    if not (simples if pedidos is None else pedidos and simples):
        return []
    return [dict(zip(("alvo", "raio", "palavras", "pede"), d, strict=True)) for d in DESAFIOS]


def camadas_da_frase(palavras: Sequence[str], X: np.ndarray, camadas: int = 2) -> Figure:
    """Onde ficam as palavras de X (N, 2) quando todas olham para todas, uma camada depois da outra."""
    caminho = [np.asarray(X, dtype=float)]
    for _ in range(camadas):
        caminho.append(_olhar(caminho[-1], {}, 1.0, False)[1])
    return nuvens(np.stack(caminho), palavras)


def na_tabela(texto: str, vetores: Mapping[str, Any]) -> list[str]:
    """As palavras da frase, como a tabela as escreve; se falta alguma, a frase que diz qual."""
    por_minuscula = {p.lower(): p for p in vetores}
    pedacos = [p for p in (q.strip(".,;:!?…“”\"'()") for q in texto.split()) if p]
    if not pedacos:
        raise Problema(frase("palavras.frase_vazia"))
    achadas = {p: p if p in vetores else por_minuscula.get(p.lower()) for p in pedacos}
    estranhas = [f"“{p}”" for p, achada in achadas.items() if achada is None]
    if estranhas:
        raise Problema(
            frase("palavras.desconhecida", nomes=", ".join(estranhas), conhecidas=", ".join(sorted(vetores)))
        )
    return [str(achadas[p]) for p in pedacos]


def _cabeca(nome: str, W: Mapping[str, Any]) -> dict[str, Any]:
    W_Q, W_K = (matriz(f"{w} de “{nome}”", W.get(w), (2, None)) for w in ("W_Q", "W_K"))
    W_V = matriz(f"W_V de “{nome}”", W.get("W_V", np.eye(2)), (2, 2))
    if W_Q.shape != W_K.shape:
        raise Problema(frase("plano.cabeca_torta", nome=nome))
    return {"nome": nome, "W_Q": W_Q.tolist(), "W_K": W_K.tolist(), "W_V": W_V.tolist()}


# ------------------------------------------------------------ a imagem


def _olhar(X: np.ndarray, W: Mapping[str, Any], temperatura: float, escala: bool) -> tuple[np.ndarray, np.ndarray]:
    """Os pesos (N, N) e para onde vai cada palavra (N, 2), com a softmax do PyTorch."""
    Q, K, V = (X @ np.array(W[w]) if w in W else X for w in ("W_Q", "W_K", "W_V"))
    divisor = temperatura * (K.shape[-1] ** 0.5 if escala else 1.0)
    A = torch.softmax(torch.from_numpy(Q @ K.T / divisor), dim=-1).numpy()
    return A, A @ V


def _alt(texto: str, palavras: list[str], X: np.ndarray, A: np.ndarray, Y: np.ndarray, n: int) -> str:
    outras = [m for m, palavra in enumerate(palavras) if palavra != palavras[n]]
    maior = max(outras, key=lambda m: A[n, m], default=n)
    lugares = {"x": X[n, 0], "y": X[n, 1], "x2": Y[n, 0], "y2": Y[n, 1], "peso": A[n, maior]}
    trocas = {nome: numero(x) for nome, x in lugares.items()}
    dito = frase("plano.olha" if outras else "plano.so_uma", palavra=palavras[n], alvo=palavras[maior], **trocas)
    return frase("plano.alt", frase=texto, dito=dito)


def _figura(palavras: list[str], X: np.ndarray, A: np.ndarray, Y: np.ndarray, n: int) -> Figure:
    fig, ax = plt.subplots(figsize=(6.4, 4.8), dpi=90)
    ax.axhline(0, color="0.85", lw=0.8, zorder=0)
    ax.axvline(0, color="0.85", lw=0.8, zorder=0)
    for m, peso in enumerate(A[n]):
        ax.plot(
            *zip(X[n], X[m], strict=True), color=PAPEIS["A"], lw=14 * peso, alpha=0.4, solid_capstyle="round", zorder=1
        )
    for m, palavra in enumerate(palavras):
        cor, lw = (CORES["vermelho"], 2.6) if m == n else ("0.45", 1.0)
        ax.annotate("", xy=Y[m], xytext=X[m], arrowprops={"arrowstyle": "-|>", "color": cor, "lw": lw}, zorder=3)
        ax.plot(*X[m], "o", color=cor if m == n else CORES["azul"], ms=9 if m == n else 6, zorder=4)
        if palavra not in palavras[:m]:
            peso = {"weight": "bold", "color": cor} if m == n else {}
            contorno = [withStroke(linewidth=3, foreground="white")]  # o nome se lê por cima das setas
            ax.annotate(
                palavra, X[m], xytext=(6, 6), textcoords="offset points", zorder=5, path_effects=contorno, **peso
            )
    ax.margins(0.15)
    ax.set_aspect("equal", adjustable="datalim")
    for eixo in (ax.xaxis, ax.yaxis):
        eixo.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))
        eixo.set_major_formatter(lambda x, _: numero(x, 1))
    ax.set(xlabel="dimensão 1", ylabel="dimensão 2")
    return fig
