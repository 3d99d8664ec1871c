"""Como uma saída errada se liga à certa: o que se diz quando nenhum equívoco conhecido a explica.

Cada frase é um fato que se leu nos números. A causa, quem escreveu a função sabe melhor.
"""

import numpy as np

_FOLGA = 1e-5


def relacao(veio: np.ndarray, certo: np.ndarray | None, batem: np.ndarray) -> str:
    """O que se vê na saída inteira, com um espaço antes, se algo se vê. `certo` só há em um caso às claras."""
    if certo is not None and np.all(np.isfinite(veio)) and np.all(np.isfinite(certo)):
        achada = _dos_valores(veio.astype(float), certo.astype(float))
        if achada:
            return f" {achada}"
    achada = _dos_lugares(batem)
    return f" {achada}" if achada else ""


def _perto(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.allclose(a, b, rtol=_FOLGA, atol=_FOLGA))


def _dos_valores(veio: np.ndarray, certo: np.ndarray) -> str:
    if _perto(veio, certo):  # um épsilon a mais: aqui tudo pareceria fator 1, ou a transposta de uma simétrica
        return ""
    if veio.ndim == 2 and veio.shape == veio.shape[::-1] and _perto(veio, certo.T):
        return "Sua saída é a transposta da certa."
    if certo.size > 1 and np.ptp(certo) > _FOLGA:  # de uma saída constante, todo fator serve
        if fator := _fator(veio, certo):
            return fator
        if _perto(veio - certo, np.full_like(certo, (veio - certo).flat[0])):
            return f"A saída inteira é a certa somada a {(veio - certo).flat[0]:.4g}."
    return _fora_do_lugar(veio, certo)


def _fator(veio: np.ndarray, certo: np.ndarray) -> str:
    maior = np.unravel_index(np.argmax(np.abs(certo)), certo.shape)
    razao = veio[maior] / certo[maior]
    if abs(razao) < _FOLGA or not _perto(veio, razao * certo):
        return ""
    if abs(razao + 1) < _FOLGA:
        return "A saída inteira está com o sinal trocado."
    return f"A saída inteira é a certa vezes {razao:.4g}: confira por quanto você divide ou multiplica."


def _fora_do_lugar(veio: np.ndarray, certo: np.ndarray) -> str:
    """Os números certos, em outros lugares. Poucos, ou repetidos, podem coincidir por acaso."""
    if len(np.unique(certo)) < 3 or not _perto(np.sort(veio, axis=None), np.sort(certo, axis=None)):
        return ""
    if veio.ndim == 2:
        for que, a, b in (("linhas", veio, certo), ("colunas", veio.T, certo.T)):
            if _perto(a[np.lexsort(a.T)], b[np.lexsort(b.T)]):
                return f"As {que} são as certas, em outra ordem."
    return "Os números são os certos, em outros lugares."


def _dos_lugares(batem: np.ndarray) -> str:
    """Se o erro é só em uma linha, em uma coluna ou em um lado da diagonal, diz onde."""
    if batem.ndim != 2 or min(batem.shape) < 3 or not batem.any():
        return ""
    n, m = np.indices(batem.shape)
    N, M = batem.shape
    regioes = {
        "na primeira linha": n == 0,
        "na última linha": n == N - 1,
        "na primeira coluna": m == 0,
        "na última coluna": m == M - 1,
        "na diagonal": n == m,
        "acima da diagonal": m > n,
        "abaixo da diagonal": m < n,
    }
    if so := next((onde for onde, regiao in regioes.items() if (batem | regiao).all()), ""):
        return f"Só há erro {so}."
    fora = next((onde for onde, regiao in regioes.items() if np.array_equal(batem, regiao)), "")
    return f"Só está certo o que fica {fora}." if fora else ""
