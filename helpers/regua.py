"""A régua inteira: quem só conta letras e as redes do curso, todos medidos no mesmo texto.

Cada um prevê as letras do teste, cortado em trechos de 16: vê de 1 a 16 caracteres, e nada do trecho de antes. O
contexto do treino longo é de 64, e dele entram só as 16 primeiras posições de cada trecho, em que ele vê o mesmo.
"""

import math
import statistics
from collections.abc import Iterable, Mapping

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from helpers.contagem import NGramas
from helpers.corpus import SHA256_DO_TEXTO, Corpus
from helpers.desenho import CORES
from helpers.treino import Historia, trechos, treinos_guardados

TRECHO = 16
GRAMAS = ("não sabe nada (ln V)", "unigrama", "bigrama", "trigrama", "4-grama", "5-grama", "6-grama")
REDES = {
    "nenhuma": "rede sem atenção",
    "uniforme": "média uniforme no lugar da atenção",
    "janela": "janela fixa no lugar da atenção",
    "melhor": "o GPT da aula, 1200 passos",
    "longa": "o GPT do treino longo, contexto de 64",
}
DA_AULA_08 = ("melhor", "longa")
_ESTILOS = (("o", "azul"), ("s", "preto"), ("D", "vermelho"))  # das redes, de quem conta, e o que quem chama acrescenta


def de_quem_conta(corpus: Corpus) -> dict[str, float]:
    """A perda de teste dos n-gramas contados no treino, de 0 a 6."""
    contadores = NGramas(corpus.treino, corpus.V, len(GRAMAS) - 1)
    return dict(zip(GRAMAS, contadores.perdas(*trechos(corpus.teste, TRECHO)).tolist(), strict=True))


def das_redes(quais: Iterable[str] = REDES) -> dict[str, float]:
    """A perda de teste dos treinos guardados, na média das sementes."""
    return {REDES[nome]: statistics.fmean(map(_no_trecho, treinos_guardados(nome))) for nome in quais}


def _no_trecho(historia: Historia) -> float:
    return statistics.fmean(historia.por_posicao[:TRECHO])


def regua_inteira(corpus: Corpus, outras: Mapping[str, float] | None = None) -> tuple[Figure, str]:
    """A figura e o texto alternativo. `outras` são perdas medidas no mesmo teste, como a do seu GPT.

    Se o texto não é o Shakespeare do curso, os treinos guardados, que leram outra coisa, ficam de fora.
    """
    return _desenhar(corpus, REDES, outras)


def regua_da_aula_08(corpus: Corpus, outras: Mapping[str, float] | None = None) -> tuple[Figure, str]:
    """A mesma, sem as redes da aula 09: onde elas ficam é a primeira aposta de lá."""
    return _desenhar(corpus, DA_AULA_08, outras)


def _desenhar(corpus: Corpus, quais: Iterable[str], outras: Mapping[str, float] | None) -> tuple[Figure, str]:
    redes = das_redes(quais) if corpus.sha256 == SHA256_DO_TEXTO else {}
    partes = zip((redes, de_quem_conta(corpus), outras or {}), _ESTILOS, strict=True)
    linhas = [(perda, nome, estilo) for perdas, estilo in partes for nome, perda in perdas.items()]
    linhas.sort(key=lambda linha: -linha[0])
    fig, ax = plt.subplots(figsize=(9, 0.36 * len(linhas) + 1.4))
    for y, (perda, nome, (marca, cor)) in enumerate(linhas):
        seu = nome in (outras or {})
        ax.axhline(y, color="0.9", lw=0.8, zorder=0)
        ax.plot(perda, y, marca, color=CORES[cor], ms=9 if seu else 7)
        ax.annotate(f"{perda:.2f}", (perda, y), xytext=(9, 0), textcoords="offset points",
                    va="center", weight="bold" if seu else "normal", color=CORES[cor])  # fmt: skip
    ax.set_yticks(range(len(linhas)), [nome for _, nome, _ in linhas])
    for rotulo, (_, nome, (_, cor)) in zip(ax.get_yticklabels(), linhas, strict=True):
        rotulo.set(color=CORES[cor], weight="bold" if nome in (outras or {}) else "normal")
    ax.set(
        xlabel=f"perda no teste (nats por caractere), de 1 a {TRECHO} caracteres à vista",
        ylim=(len(linhas) - 0.5, -0.5),
    )
    ax.set_xlim(min(linhas)[0] - 0.1, math.log(corpus.V) + 0.3)
    ditas = "; ".join(f"{nome}, {perda:.2f}" for perda, nome, _ in linhas)
    return fig, f"Uma régua de perdas no mesmo texto, da maior à menor: {ditas}."
