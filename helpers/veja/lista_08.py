"""Lista 08: o GPT do aluno decora um trava-língua, com as peças que ele escreveu."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.desenho import CORES
from helpers.veja.lista_03 import em_branco

TEXTO = "O rato roeu a roupa do rei de Roma, e a rainha, com raiva, resolveu remendar. "
PASSOS, CONTEXTO, MAXIMA, AQUECE = 150, 16, 0.01, 15
SEM_ELA = dict.fromkeys(("Tokenizador", "lotes", "GPT", "gerar", "treinar"), "sem ela o ensaio não roda")
Funcoes = dict[str, Callable[..., Any]]


def desenhar(prontas: Funcoes) -> tuple[Figure, str]:
    fig, (passos, curva) = plt.subplots(1, 2, figsize=(12, 4.4), width_ratios=[1, 1.3])
    dito = [_taxas(passos, prontas.get("taxa"))]
    if faltam := [nome for nome in (*SEM_ELA, "taxa") if nome not in prontas]:
        dito.append(em_branco(curva, "o ensaio", faltam[0]))
        return fig, " ".join(dito)
    perdas, antes, depois = _ensaio(prontas)
    curva.plot(range(1, PASSOS + 1), perdas, color=CORES["vermelho"])
    curva.set(
        title="o seu GPT decora o trava-língua", xlabel="passo", ylabel="perda (nats por caractere)", ylim=(0, None)
    )
    fig.suptitle(f"antes:  {_numa_linha(antes)}\ndepois:  {_numa_linha(depois)}", x=0.02, ha="left", fontsize=11,
                 family="monospace")  # fmt: skip
    dito.append(f"À direita, a perda do ensaio, de {perdas[0]:.2f} a {perdas[-1]:.2f}.")
    dito.append(f"Antes ele escrevia “{_numa_linha(antes)}”, e depois, “{_numa_linha(depois)}”.")
    return fig, " ".join(dito)


def _taxas(ax: Axes, taxa: Callable[..., Any] | None) -> str:
    if taxa is None:
        return em_branco(ax, "a sua taxa", "taxa")
    ax.plot(range(1, PASSOS + 1), _das_taxas(taxa), color=CORES["azul"])
    ax.set(title="a sua taxa", xlabel="passo", ylabel="taxa de aprendizado", ylim=(0, None))
    return f"À esquerda, a taxa sobe por {AQUECE} passos e desce até o {PASSOS}."


def _das_taxas(taxa: Callable[..., Any]) -> list[float]:
    return [float(taxa(passo, PASSOS, MAXIMA, AQUECE)) for passo in range(1, PASSOS + 1)]


def _ensaio(prontas: Funcoes) -> tuple[list[float], str, str]:
    """As perdas, e o que o modelo escreve antes e depois, sem sorteio."""
    tokenizador = prontas["Tokenizador"](TEXTO)
    dados = torch.tensor(tokenizador.codificar(TEXTO * 4))  # (n,)
    sorte = torch.Generator().manual_seed(8)
    with torch.random.fork_rng():
        torch.manual_seed(8)
        modelo = prontas["GPT"](tokenizador.V, CONTEXTO, 32, 1, 2)
        comeco = torch.tensor([tokenizador.codificar(TEXTO[:6])])  # (1, 6)

        def escrever() -> str:
            return tokenizador.decodificar(
                prontas["gerar"](modelo, comeco, len(TEXTO) - 6, 0.0, None, sorte)[0].tolist()
            )

        antes = escrever()
        perdas, _ = prontas["treinar"](
            modelo, lambda: prontas["lotes"](dados, CONTEXTO, 16, sorte), prontas["lotes"](dados, CONTEXTO, 16, sorte),
            _das_taxas(prontas["taxa"]), [PASSOS], 1.0,
        )  # fmt: skip
        return [float(perda) for perda in perdas], antes, escrever()


def _numa_linha(texto: str) -> str:
    return texto.replace("<PAD>", "□").replace("$", r"\$")
