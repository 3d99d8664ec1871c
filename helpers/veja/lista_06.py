"""Veja o que você fez, lista 06: três cabeças causais em um verso, e cinco camadas diante do caçador de vazamentos."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from helpers.conferencia.pecas import lista_06 as camadas
from helpers.desenho import CORES
from helpers.veja.lista_05 import dizer_o_que_falta, em_calor

_VERSO = ["Amor", "é", "um", "fogo", "que", "arde", "sem", "[pad]"]
_CABECAS = ["0: a palavra anterior", "1: todo o passado, por igual", "2: quer a palavra seguinte"]
_T, _d = 6, 4  # as medidas das camadas que se examinam
_FUTURO = np.isinf(torch.nn.Transformer.generate_square_subsequent_mask(_T).numpy())  # (T, T)


def desenhar(prontas: dict[str, Callable[..., Any]]) -> tuple[Figure, str]:
    fig, eixos = plt.subplot_mosaic("0" * 5 + "1" * 5 + "2" * 5 + ";" + "aaabbbcccdddeee", figsize=(13, 8.4))
    dito = []
    multi, vaza = prontas.get("multi_cabecas_causal"), prontas.get("vaza_futuro")
    if multi:
        A = np.asarray(multi(*_leitura(), 3)[1])[0]  # (3, 8, 8)
        for i, nome in enumerate(_CABECAS):
            em_calor(eixos[str(i)], A[i], _VERSO, nome, primeira=i == 0)
        dito.append(
            "Em cima, três mapas de atenção sobre um verso, todos vazios acima da diagonal e na coluna do pad. A "
            "cabeça 0 acende a palavra anterior, a 1, todo o passado por igual, e a 2, que quer a seguinte, fica na "
            "própria."
        )
    if vaza:
        for lugar, (nome, f, esconde) in zip("abcde", _examinadas(multi), strict=False):
            _cartao(eixos[lugar], nome, esconde, bool(vaza(f, _T, _d, np.random.default_rng(6))))
        eixos["a"].set_ylabel("em cor, o que a\nmáscara deixa ver")
        dito.append(
            "Embaixo, uma camada em cada quadro, com o que a máscara dela deixa ver, em cor, e o que o seu caçador "
            "disse: vaza ou não vaza."
        )
    onde = {"multi_cabecas_causal": (0.4 if vaza else 0.5, 0.75), "vaza_futuro": (0.5, 0.25)}
    dito += dizer_o_que_falta(fig, prontas, onde)
    return fig, " ".join(dito)


def _leitura() -> tuple[np.ndarray, ...]:
    """X (1, 8, 24), ids (1, 8) e as quatro matrizes (24, 24) de três cabeças feitas à mão, de tamanho 8.

    As oito primeiras componentes de cada palavra dizem o lugar dela no verso.
    """
    X = np.eye(8, 24)[None]
    ids = np.array([[palavra != "[pad]" for palavra in _VERSO]]) * np.arange(1, 9)
    W_Q, W_K = np.zeros((24, 24)), np.zeros((24, 24))
    W_Q[:8, :8] = 30 * np.eye(8, k=-1)  # cabeça 0: procura o lugar anterior; a 1 não procura nada
    W_Q[:8, 16:] = 40 * np.eye(8, k=1) + 20 * np.eye(8)  # cabeça 2: o seguinte; se não puder, o próprio
    W_K[:8] = np.tile(np.eye(8), 3)
    return X, ids, W_Q, W_K, np.eye(24), np.eye(24)


def _examinadas(multi: Callable[..., Any] | None) -> list[tuple[str, Callable[..., Any], np.ndarray]]:
    """O nome, a camada e a máscara dela, (T, T); a última é a do aluno, se está pronta."""
    W_Q, W_K, W_V, W_O = np.random.default_rng(3).normal(size=(4, _d, _d)) / 2
    cabeca = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V}
    alem = np.pad(_FUTURO, ((0, 0), (1, 0)))[:, :_T]
    feitas = [
        ("sem máscara", camadas.atencao(**cabeca, esconde=_FUTURO & False), _FUTURO & False),
        ("uma posição além", camadas.atencao(**cabeca, esconde=alem), alem),
        ("zerar depois da softmax", camadas.atencao(**cabeca, esconde=_FUTURO, quando="depois"), _FUTURO),
        ("normalizar ao longo da frase", camadas.normalizada(~_FUTURO * 1.0, 0), _FUTURO),
    ]
    if multi:
        ids = np.ones((1, _T), dtype=int)
        feitas.append(("a sua camada", lambda X: multi(X[None], ids, W_Q, W_K, W_V, W_O, 2)[0][0], _FUTURO))
    return feitas


def _cartao(ax: Axes, nome: str, esconde: np.ndarray, vazou: bool) -> None:
    cor = CORES["vermelho" if vazou else "verde"]
    ax.imshow(~esconde, cmap=LinearSegmentedColormap.from_list("vista", ["#e3e5e8", cor]), vmin=0, vmax=1.6)
    ax.set_title(nome, fontsize=11)
    ax.set_xlabel("vaza" if vazou else "não vaza", color=cor, fontsize=15, weight="bold")
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
