"""Os telegramas da aula 01: oito palavras, a última é sempre manga, e uma só das outras diz se ela é fruta ou roupa."""

from collections.abc import Callable

import numpy as np
import torch

from helpers.exemplos import GRUPOS, TABELA

_PALAVRAS = np.array(list(TABELA))
_VETORES = np.array([TABELA[p] for p in _PALAVRAS])  # (32, 2)
_DE = {grupo: np.flatnonzero(np.isin(_PALAVRAS, palavras)) for grupo, palavras in GRUPOS.items()}  # grupo → índices
_MANGA = int(np.flatnonzero(_PALAVRAS == "manga")[0])


def _sortear(
    gerador: np.random.Generator, posicoes: list[int], quantos: int, N: int = 8
) -> tuple[np.ndarray, np.ndarray]:
    """Os índices das palavras, (quantos, N), e o que manga quer dizer em cada um: 1 é fruta, 0 é roupa."""
    quais = gerador.choice(_DE["outras"], size=(quantos, N))
    quais[:, -1] = _MANGA
    y = gerador.integers(2, size=quantos)
    pistas = np.where(y, gerador.choice(_DE["fruta"], size=quantos), gerador.choice(_DE["roupa"], size=quantos))
    quais[np.arange(quantos), gerador.choice(posicoes, size=quantos) - 1] = pistas
    return quais, y


def telegrama(gerador: np.random.Generator, posicao: int) -> str:
    """Um telegrama com a pista nesta posição, de 1 a 7, e o que manga quer dizer nele."""
    quais, y = _sortear(gerador, [posicao], 1)
    return f"{' '.join(_PALAVRAS[quais[0]])} → {'fruta' if y[0] else 'roupa'}"


def lote(gerador: np.random.Generator, posicoes: list[int], quantos: int, N: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Telegramas de N palavras com a pista em uma destas posições: X (quantos, N, 2) e as respostas (quantos,)."""
    quais, y = _sortear(gerador, posicoes, quantos, N)
    return _VETORES[quais], y


class Recorrente(torch.nn.Module):
    """Percorre a frase palavra por palavra e responde pelo último resumo, de 32 números."""

    def __init__(self, saidas: int = 1) -> None:
        super().__init__()
        self.passo = torch.nn.RNN(2, 32, batch_first=True)
        self.saida = torch.nn.Linear(32, saidas)

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        return self.saida(self.passo(X)[0][:, -1])  # (quantos, N, 2) → (quantos, 32) → (quantos, saidas)


class MesmaConta(torch.nn.Module):
    """Faz a mesma conta com cada palavra e responde pela média de todas, um resumo de 32 números."""

    def __init__(self) -> None:
        super().__init__()
        self.cada_palavra = torch.nn.Sequential(torch.nn.Linear(2, 32), torch.nn.Tanh())
        self.saida = torch.nn.Linear(32, 1)

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        return self.saida(self.cada_palavra(X).mean(dim=1))  # (quantos, N, 2) → (quantos, 32) → (quantos, 1)


def mlp() -> torch.nn.Module:
    """Uma rede de 32 unidades sobre o telegrama emendado: 8 palavras de 2 números."""
    camadas = torch.nn.Flatten(), torch.nn.Linear(16, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1)
    return torch.nn.Sequential(*camadas)


def treinar(
    X: np.ndarray, y: np.ndarray, nova: Callable[[], torch.nn.Module] = mlp, passos: int = 150, taxa: float = 0.02
) -> torch.nn.Module:
    """Uma rede nova, treinada com todos os telegramas a cada passo."""
    torch.manual_seed(0)
    rede = nova().double()
    otimizador = torch.optim.Adam(rede.parameters(), lr=taxa)
    Xt, yt = torch.tensor(X), torch.tensor(y, dtype=torch.float64)
    for _ in range(passos):
        perda = torch.nn.functional.binary_cross_entropy_with_logits(rede(Xt)[:, 0], yt)
        otimizador.zero_grad()
        perda.backward()
        otimizador.step()
    return rede


def acerto(rede: torch.nn.Module, X: np.ndarray, y: np.ndarray) -> float:
    """A fração dos telegramas que a rede acerta: saída positiva quer dizer fruta."""
    with torch.no_grad():
        return float(((rede(torch.tensor(X))[:, 0] > 0).numpy() == y).mean())
