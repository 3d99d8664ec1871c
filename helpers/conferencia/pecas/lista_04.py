"""Peças da lista 04: as funções que a questão `equivariante` recebe, e o que faz a cabeça de `inventar_cabeca`.

Cada função de `equivariante` se faz de parâmetros (dados) e leva X (N, d) a Y (N, d_v). Se ela comuta ou não com uma
permutação depende dos parâmetros e da permutação: a mesma peça serve aos dois casos.
"""

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from helpers.conferencia.pecas import ComTestemunha, pesos_que_somam_1, que_veio
from helpers.conferencia.pecas.modulos import aquecer_o_torch
from helpers.escrita import com_virgula


def camada(W_Q, W_K, W_V, P, M, causal: bool = False) -> Callable:
    """Uma cabeça sobre X + P, mais uma mistura fixa dos tokens, M (N, N)."""
    W_Q, W_K, W_V, P, M = (np.asarray(a, dtype=float) for a in (W_Q, W_K, W_V, P, M))

    def f(X):
        Z = X + P  # (N, d)
        S = (Z @ W_Q) @ (Z @ W_K).T / np.sqrt(W_K.shape[1])  # (N, N)
        if causal:
            S = np.where(np.tri(len(S), dtype=bool), S, -np.inf)
        return (pesos_que_somam_1(S) + M) @ (Z @ W_V)  # (N, d_v)

    return f


def por_token(W, b, P, tanh: bool = True, centra: bool = False, no_lugar: bool = False, fator: float = 1.0) -> Callable:
    """A mesma conta em cada linha de fator · (X + P); `no_lugar` faz as contas dentro do próprio X recebido."""

    def f(X):
        Z = X if no_lugar else X.copy()  # (N, d)
        Z += P
        if centra:
            Z -= Z.mean(axis=0)
        Z *= fator
        H = Z @ W + b  # (N, d_v)
        return np.tanh(H) if tanh else H

    return f


def acumulada(W) -> Callable:
    """A linha n soma as linhas de 0 a n."""

    def f(X):
        return np.cumsum(X @ W, axis=0)

    return f


def ordenada(W, coluna: int = 0, devolve: bool = False) -> Callable:
    """Ordena as linhas por uma coluna; com `devolve`, cada linha fica no lugar e ganha o seu número de ordem."""

    def f(X):
        ordem = X[:, coluna].argsort()  # (N,)
        Y = (X[:, :, None] * W).sum(axis=1)  # (N, d_v): X W, somado na mesma ordem em todas as linhas
        return Y * (1 + ordem.argsort()[:, None]) if devolve else Y[ordem]

    return f


def escolhida(W, linha: int = 0) -> Callable:
    """Todas as linhas da saída vêm de uma linha só da entrada."""

    def f(X):
        return np.repeat(X[[linha]] @ W, len(X), axis=0)

    return f


def porta(W, linha: int, v, limiar: float = -3.0) -> Callable:
    """X W em cada linha; só a `linha` ganha mais v, tanto quanto a sua primeira entrada passa do limiar."""

    def f(X):
        Y = (X[:, :, None] * W).sum(axis=1)  # (N, d_v): X W, somado na mesma ordem em todas as linhas
        Y[linha] += np.maximum(X[linha, 0] - limiar, 0.0) * v
        return Y

    return f


def vira(W, linha: int) -> Callable:
    """X W em cada linha; só a `linha` sai com as colunas de trás para a frente."""

    def f(X):
        Y = (X[:, :, None] * W).sum(axis=1)  # (N, d_v)
        Y[linha] = Y[linha, ::-1].copy()
        return Y

    return f


def regida(W) -> Callable:
    """X W, tudo multiplicado por um número que só depende da primeira linha."""

    def f(X):
        return (X[:, :, None] * W).sum(axis=1) * (2.0 + X[0, 0])  # (N, d_v)

    return f


# ------------------------------------------------------------------------------------- inventar_cabeca

PALAVRAS = 20  # do telegrama mais comprido: manga, uma pista e outras dezoito
BASTA = 0.9 - 1e-6  # o peso da pista; a folga é para o arredondamento
SEPARA = 0.05  # entre as saídas de um assunto e as do outro, em relação à distância das duas médias
ENORME = 1e6
ACHA = "uma cabeça em que manga acha a pista"
DIZ_O_ASSUNTO = f"{ACHA}, e a saída dela diz o assunto"


def inventar_cabeca(resposta: Callable) -> Callable:
    """As três matrizes que a resposta devolve viram o que a cabeça faz: em palavras e, se erra, as pontuações."""
    if _usa_o_torch(resposta):
        aquecer_o_torch()

    def f(este: ComTestemunha, tracos: list, fichas: dict, com_valores: bool) -> tuple:
        matrizes = resposta(tracos, fichas)
        lidas = _ler_matrizes(matrizes, len(tracos))
        if isinstance(lidas, str):
            return lidas, np.zeros(len(fichas))
        este.testemunha = lidas
        return ver_cabeca(tracos, fichas, lidas, com_valores)

    return ComTestemunha(f)


def _usa_o_torch(resposta: Any) -> bool:
    """Quem treina as matrizes precisa de um otimizador; os outros não esperam por ele."""
    nomes, globais = getattr(getattr(resposta, "__code__", None), "co_names", ()), getattr(resposta, "__globals__", {})
    modulos = [m.__name__ for m in globais.values() if isinstance(m, ModuleType)]
    return any(nome.partition(".")[0] == "torch" for nome in (*nomes, *globais, *modulos))


def ver_cabeca(tracos: list, fichas: dict, matrizes: Sequence[np.ndarray], com_valores: bool) -> tuple[str, np.ndarray]:
    """O que manga faz no pior telegrama que se escreve com estas palavras; as pontuações (V,), zero se está certo.

    O pior repete dezoito vezes a palavra que mais disputa com a pista: nenhum outro, do mesmo tamanho ou menor, dá
    menos a ela. Assim não há sorteio de frases de que o veredito dependa.
    """
    (W_Q, W_K, W_V), X = matrizes, np.array(list(fichas.values()))  # X (V, d)
    pistas = quais_pistas(tracos, fichas)
    manga, palavras = list(fichas).index("manga"), list(fichas)
    defeito = _forma_de_projecao("W_Q", W_Q, len(tracos)) or _forma_de_projecao("W_K", W_K, len(tracos))
    if not defeito and W_Q.shape != W_K.shape:
        defeito = f"W_Q com d_k = {W_Q.shape[1]} e W_K com d_k = {W_K.shape[1]}, que não se comparam"
    if not defeito and com_valores:
        defeito = _forma_de_projecao("W_V", W_V, len(tracos))
    if defeito:
        return defeito, np.zeros(len(X))
    s = X @ W_K @ (X[manga] @ W_Q) / np.sqrt(W_K.shape[1])  # (V,): as pontuações que manga dá
    outras = [n for n, p in enumerate(palavras) if p != "manga" and p not in pistas]
    rival = max(outras, key=lambda n: s[n])
    pesos = {p: _pesos(s[[palavras.index(p), manga, rival]]) for p in pistas}
    pior = min(pistas, key=lambda p: pesos[p][0])
    direcao = s / (np.abs(s).max() or 1.0)  # sem a escala
    if np.ptp(s) <= 1e-9:
        return f"uma cabeça em que {_por_igual(X[manga], W_Q, W_K)}, e manga dá o mesmo peso a todas", direcao
    if pesos[pior][0] < BASTA:
        na_pista, nela, no_rival = pesos[pior]
        return (
            f"uma cabeça em que, em um telegrama de {PALAVRAS} palavras, manga dá {_abaixo(na_pista)} "
            f"à pista “{pior}”, {com_virgula(nela)} a ela mesma e {com_virgula(no_rival)} às outras "
            f"(“{palavras[rival]}”). Peça mais de 0,9 à pista"
        ), direcao
    if not com_valores:
        return ACHA, np.zeros(len(X))
    V = X @ W_V  # (V, d_v)
    Y = {p: pesos[p] @ V[[palavras.index(p), manga, rival]] for p in pistas}
    return _que_saidas(Y, pistas, V), np.zeros(len(X))


def _por_igual(manga: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray) -> str:
    if not (W_Q.any() and W_K.any()):
        return f"{'W_K' if W_Q.any() else 'W_Q'} só tem zeros"
    return "as pontuações são todas iguais" if (manga @ W_Q).any() else "a consulta de manga é zero"


def quais_pistas(tracos: list, fichas: dict) -> dict[str, str]:
    """Palavra → “cozinha” ou “costura”, das que são de um assunto só."""
    lugar = {assunto: tracos.index(assunto) for assunto in ("cozinha", "costura")}
    tem = {p: [a for a, j in lugar.items() if ficha[j] > 0] for p, ficha in fichas.items()}
    return {p: assuntos[0] for p, assuntos in tem.items() if len(assuntos) == 1}


def _pesos(s: np.ndarray) -> np.ndarray:
    """O peso da pista, o de manga e o das outras juntas, de três pontuações: a terceira é de todas as outras."""
    e = np.array([1.0, 1.0, PALAVRAS - 2.0]) * np.exp(s - s.max())
    return e / e.sum()


def _que_saidas(Y: dict[str, np.ndarray], pistas: dict[str, str], V: np.ndarray) -> str:
    """Pelo que manga recolheu, dá para dizer de que assunto era a pista?"""
    if not V.any():
        return "uma cabeça que acha a pista e não entrega nada, porque os valores são todos zero"
    cozinha, costura = ([p for p in Y if pistas[p] == assunto] for assunto in ("cozinha", "costura"))
    vao = np.mean([Y[p] for p in cozinha], axis=0) - np.mean([Y[p] for p in costura], axis=0)  # (d_v,)
    if np.abs(vao).max() <= 1e-3 * np.abs(V).max():
        return "uma cabeça que acha a pista, mas manga recolhe o mesmo se ela é de cozinha ou de costura"
    na_reta = {p: y @ vao / (vao @ vao) for p, y in Y.items()}  # onde cada saída cai, na reta que liga as duas médias
    fraca, forte = min(cozinha, key=lambda p: na_reta[p]), max(costura, key=lambda p: na_reta[p])
    if na_reta[fraca] - na_reta[forte] < SEPARA:
        return f"uma cabeça que acha a pista, mas o que manga recolhe com “{fraca}” e com “{forte}” se confunde"
    return DIZ_O_ASSUNTO


def _ler_matrizes(matrizes: Any, d: int) -> tuple[np.ndarray, ...] | str:
    """As três, como arrays de float64; ou o que há de errado com elas."""
    em_pilha = getattr(matrizes, "ndim", 0) == 3 and len(matrizes) == 3
    if not em_pilha and (not isinstance(matrizes, tuple | list) or len(matrizes) != 3):
        return f"{que_veio(matrizes)}, em vez das três matrizes, W_Q, W_K e W_V"
    lidas = []
    for nome, W in zip(("W_Q", "W_K", "W_V"), matrizes, strict=True):
        try:
            W = np.asarray(W.detach() if hasattr(W, "detach") else W, dtype=float)
        except (TypeError, ValueError):
            return f"{que_veio(W)} no lugar de {nome}, que deve ser um array"
        if W.size > 10_000:
            return f"uma {nome} de forma {W.shape}, grande demais"
        if not np.isfinite(W).all():
            return f"uma {nome} com NaN ou infinito"
        if (np.abs(W) > ENORME).any():
            return f"uma {nome} com números maiores que um milhão; bastam bem menores"
        lidas.append(W)
    return tuple(lidas)


def _forma_de_projecao(nome: str, W: np.ndarray, d: int) -> str | None:
    colunas = "d_v" if nome == "W_V" else "d_k"
    if W.ndim == 2 and W.shape[0] == d and W.shape[1]:
        return None
    porque = ""
    if W.ndim == 2 and W.shape[1] == d:
        porque = " (parece transposta)"
    elif W.ndim == 1:
        porque = " (um vetor não é uma matriz de uma coluna)"
    return f"uma {nome} de forma {W.shape}, em vez de ({d}, {colunas}){porque}"


def _abaixo(x: float) -> str:
    """Com duas casas, sem arredondar para cima: 0,897 não pode parecer 0,90."""
    return com_virgula(int(x * 100) / 100)
