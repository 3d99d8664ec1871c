"""O explorador *As cabeças*: os mapas de atenção de todas as camadas e cabeças de um modelo, e um deles em grande."""

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from helpers.desenho import TONS_DE_A
from helpers.exploradores.anfitriao import Problema, frase, numero, ou_recado
from helpers.exploradores.arquivos import ExploradorComArquivos

CABEM = 4_000_000  # pesos, contando todas as cabeças
NA_SAIDA = 300_000  # bytes: até aqui, a saída da célula leva os pesos em um HTML que se move sozinho


Leitor = Callable[[str], tuple[Any, Sequence[str]]]  # de uma frase aos pesos e aos tokens dela


class AsCabecas(ExploradorComArquivos):
    """Com um `leitor`, a pessoa escreve uma frase, o kernel a lê, e o explorador se refaz com os mapas dela."""

    leitor: Leitor | None = None

    def refazer(self, frase_dela: str) -> None:
        if self.leitor is None:
            return
        try:
            agora = self.estado.get("camada", 0), self.estado.get("cabeca", 0)
            dados, bruto, _ = _prontos(*self.leitor(frase_dela), *agora)
        except Problema as problema:
            self.send({"recusado": str(problema)})
        except Exception as erro:
            self.send({"recusado": frase("cabecas.nao_leu", por_que=erro)})
        else:
            self.arquivos = {"pesos": bruto}
            with self.hold_sync():  # os dados e a bagagem chegam juntos
                self.bagagem = bruto
                self.dados = dados | {"bagagem": "pesos", "aceita_frase": True, "frase": frase_dela}


@ou_recado
def as_cabecas(
    pesos: Any, tokens: Sequence[str], camada: int = 0, cabeca: int = 0, *, leitor: Leitor | None = None
) -> ExploradorComArquivos:
    """Os pesos de atenção (L, H, T, T) de L camadas de H cabeças sobre T tokens; abre em `camada` e `cabeca`.

    Serve também um mapa só (T, T), as cabeças de uma camada (H, T, T), e uma lista com um array por camada. Com
    `leitor`, que leva uma frase a (pesos, tokens), a pessoa pode escrever a sua:
    `as_cabecas(pesos, tokens, leitor=lambda f: (modelo.atencoes(f), modelo.tokens(f)))`.
    """
    dados, bruto, A = _prontos(pesos, tokens, camada, cabeca)
    L, H, nomes = dados["camadas"], dados["cabecas"], dados["tokens"]
    camadas = "uma camada" if L == 1 else f"{L} camadas"
    alt = frase("cabecas.alt", texto=" ".join(nomes), camadas=camadas, cabecas=H, camada=camada, cabeca=cabeca)
    aberto = AsCabecas(
        "cabecas", dados | {"aceita_frase": leitor is not None}, alt, lambda: _figura(A, nomes, camada, cabeca),
        html=len(bruto) * 4 / 3 <= NA_SAIDA, arquivos={"pesos": bruto}, primeiro="pesos",
    )  # fmt: skip
    aberto.leitor = leitor
    return aberto


def _prontos(pesos: Any, tokens: Sequence[str], camada: int, cabeca: int) -> tuple[dict, bytes, np.ndarray]:
    """Os dados do módulo, os pesos em float16 e os mesmos, (L, H, T, T), para a imagem."""
    A = _conferidos(pesos)  # (L, H, T, T)
    L, H, T, _ = A.shape
    nomes = [str(t) for t in tokens]
    if len(nomes) != T:
        raise Problema(frase("cabecas.quantos_tokens", tokens=len(nomes), T=T))
    if not (0 <= camada < L and 0 <= cabeca < H):
        raise Problema(frase("cabecas.inicial", camada=camada, cabeca=cabeca, camadas=L, cabecas=H))
    causal = not np.triu(A, 1).any()
    mapas = A.reshape(L * H, T, T)
    bruto = (mapas[:, *np.tril_indices(T)] if causal else mapas).astype("<f2").tobytes()
    dados = {"tokens": nomes, "camadas": L, "cabecas": H, "causal": causal, "inicial": [camada, cabeca]}
    return dados, bruto, A


def _conferidos(pesos: Any) -> np.ndarray:
    """Os pesos (L, H, T, T) em float32; o que não é um peso de atenção vira a frase que diz por quê."""
    try:
        if isinstance(pesos, list | tuple):
            pesos = np.stack([_em_numpy(p) for p in pesos])
        A = _em_numpy(pesos).astype(np.float32)
    except (TypeError, ValueError):
        raise Problema(frase("cabecas.nao_sao_numeros")) from None
    if A.ndim == 5 and A.shape[1] == 1:  # o lote de um texto só
        A = A[:, 0]
    A = A.reshape((1,) * (4 - A.ndim) + A.shape)
    if A.ndim != 4 or A.shape[2] != A.shape[3] or 0 in A.shape:
        raise Problema(frase("cabecas.forma", forma=A.shape))
    if A.size > CABEM:
        raise Problema(frase("cabecas.grande", quantos=A.size, cabem=CABEM))
    _so_pesos(A)
    return A


def _em_numpy(valor: Any) -> np.ndarray:
    return np.asarray(valor.detach().cpu().float() if hasattr(valor, "detach") else valor)


def _so_pesos(A: np.ndarray) -> None:
    """Nem NaN, nem negativos, e cada linha soma 1."""
    if not np.isfinite(A).all():
        l, c, *_ = np.argwhere(~np.isfinite(A))[0].tolist()
        raise Problema(frase("cabecas.nao_finito", camada=l, cabeca=c))
    if A.min() < 0:
        l, c, *_ = np.argwhere(A < 0)[0].tolist()
        raise Problema(frase("cabecas.negativo", camada=l, cabeca=c, valor=numero(float(A[l, c].min()))))
    somas = A.sum(-1)  # (L, H, T)
    if not np.allclose(somas, 1, atol=0.01):
        l, c, i = np.argwhere(~np.isclose(somas, 1, atol=0.01))[0].tolist()
        raise Problema(frase("cabecas.soma", camada=l, cabeca=c, linha=i, soma=numero(float(somas[l, c, i]))))


def _figura(A: np.ndarray, tokens: list[str], camada: int, cabeca: int) -> Figure:
    """Todas as cabeças e, em grande, uma. A força da cor é a raiz do peso, como no navegador.

    Com muitas camadas, elas vão ao longo do eixo x, e a cabeça ampliada fica embaixo: assim se lê em uma página.
    """
    L, H, T, _ = A.shape
    deitada = L > 2 * H
    if deitada:
        fig, (todas, uma) = plt.subplots(2, 1, figsize=(8.4, 7.4), height_ratios=[1, 1.8])
    else:
        fig, (todas, uma) = plt.subplots(1, 2, figsize=(8, 4), width_ratios=[2, 3])
    mapas = A.swapaxes(0, 1) if deitada else A  # (linhas, colunas, T, T)
    folga = max(1, T // 8)
    passo = T + folga
    mosaico = np.full((len(mapas) * passo - folga, mapas.shape[1] * passo - folga), np.nan)
    for i, j in np.ndindex(mapas.shape[:2]):
        mosaico[i * passo :, j * passo :][:T, :T] = np.sqrt(mapas[i, j])
    todas.imshow(mosaico, cmap=TONS_DE_A, vmin=0, vmax=1)
    das_camadas, das_cabecas = range(0, L, 2 if deitada else max(1, L // 10)), range(H)
    em_x, em_y = (das_camadas, das_cabecas) if deitada else (das_cabecas, das_camadas)
    todas.set_xticks(np.array(em_x) * passo + T / 2, em_x)
    todas.set_yticks(np.array(em_y) * passo + T / 2, em_y)
    nomes = ("camada", "cabeça") if deitada else ("cabeça", "camada")
    todas.set(xlabel=nomes[0], ylabel=nomes[1])
    todas.yaxis.set_visible(L > 1)  # onde só há uma camada, o nome dela não diz nada
    todas.spines[:].set_visible(False)
    uma.imshow(np.sqrt(A[camada, cabeca]), cmap=TONS_DE_A, vmin=0, vmax=1)
    tamanho = 9 if T <= 20 else 8 if deitada and T <= 40 else 5
    uma.set_xticks(range(T), tokens, rotation=60, ha="right", fontsize=tamanho)
    uma.set_yticks(range(T), tokens, fontsize=tamanho)
    uma.set_title(frase("cabecas.qual" if L > 1 else "cabecas.so_cabeca", camada=camada, cabeca=cabeca))
    uma.spines[:].set_visible(False)
    return fig
