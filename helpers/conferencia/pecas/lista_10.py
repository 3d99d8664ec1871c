"""As peças da lista 10: o transplante em um modelo pequeno e no SmolLM2, a lista de cabeças como dados e as notas."""

from collections.abc import Callable
from typing import Any

import numpy as np

TRIPLAS = "uma lista de triplas (camada, cabeca, valor)"
_LIDOS: dict = {}  # (função, entradas) → o que o SmolLM2 deu; só de funções do gabarito, que não mudam


# ----------------------------------------------------------------------------------- transplantar


def transplantar(resposta: Callable) -> Callable:
    """A resposta com um modelo pequeno, de que se leem os logits, ou com o SmolLM2: dele só voltam três números."""
    from helpers.llm import carregar

    grande = carregar()  # aqui, e não dentro de f: os segundos da leitura do modelo não contam no prazo da resposta

    def f(medidas: Any, frase: Any, doador: Any, cabecas: list) -> Any:
        if not isinstance(medidas, str):
            return resposta(_pequeno(*medidas), frase, doador, cabecas)
        chave = (resposta, frase, doador, tuple(cabecas))
        if chave in _LIDOS:
            return _LIDOS[chave]
        lidos = _resumo(resposta(grande, frase, doador, cabecas))
        if str(getattr(resposta, "__module__", "")).startswith("gabarito."):
            # O banco repete as mesmas frases em cada semente. A função de um aluno pode chamar outra que ele mudou.
            _LIDOS[chave] = lidos
        return lidos

    return f


def _pequeno(semente: int, camadas: int, cabecas: int, dim_cabeca: int, vocabulario: int) -> Any:
    """Um modelo causal com a interface do SmolLM2 e parâmetros sorteados; com a semente 0, um que se faz à mão."""
    import torch

    from helpers.llm_comum import ModeloCausal

    d, sorteio = cabecas * dim_cabeca, np.random.default_rng(semente)
    E, W_QKV, W_O = (
        torch.tensor(sorteio.normal(size=forma).round(2) / escala, dtype=torch.float32)
        for forma, escala in (((vocabulario, d), 1), ((camadas, 3, d, d), d**0.5), ((camadas, d, d), d**0.5))
    )
    if semente == 0:  # cada cabeça fica com uma coluna dos embeddings, e olha para todos por igual
        E = torch.tensor([[1.0, 0], [3, 2], [5, 4]])
        W_QKV = torch.stack([torch.zeros(2, 2), torch.zeros(2, 2), torch.eye(2)])[None]
        W_O = torch.eye(2)[None]

    class Pequeno(ModeloCausal):
        nome = "um modelo pequeno"

        def _ids(self, texto: str) -> list[int]:
            raise ValueError("Este modelo pequeno não lê letras: dê a ele a lista de tokens que veio em `frase`.")

        def tokens(self, texto: Any) -> list[str]:
            return [str(i) for i in self.ids(texto)]

        def texto(self, ids: Any) -> str:
            return " ".join(str(int(i)) for i in ids)

        def passar(self, ids: list[int], percurso: Any) -> Any:
            x = percurso.escrever(E[ids])  # (T, d)
            mascara = torch.ones(len(ids), len(ids), dtype=torch.bool).triu(1)
            for camada in range(camadas):
                q, k, v = (x @ W_QKV[camada]).unflatten(-1, (cabecas, dim_cabeca)).transpose(1, 2)  # (h, T, d_h) cada
                saida = percurso.atender(camada, q, k, v, mascara)
                x = x + percurso.escrever(saida.transpose(0, 1).flatten(1) @ W_O[camada])
            return x @ E.T  # (T, V)

    pequeno = Pequeno()
    pequeno.camadas, pequeno.cabecas = camadas, cabecas
    pequeno.dim_cabeca, pequeno.vocabulario = dim_cabeca, vocabulario
    return pequeno


def _resumo(logits: Any) -> Any:
    """Três números que dependem de todos os logits (V,): três ondas, de passos diferentes, ao longo do vocabulário.

    Divididos por 100, toleram um centésimo: mil vezes o arredondamento de float32, e menos que qualquer erro. Com
    estes passos, nenhum cai perto da beira de uma casa da impressão digital, que é a mesma em qualquer processador.
    O que não tem a forma dos logits volta como veio.
    """
    z = np.asarray(logits, dtype=float) if hasattr(logits, "shape") else logits
    if getattr(z, "ndim", 0) != 1 or len(z) < 1000:
        return logits
    i = np.arange(len(z))
    ondas = np.stack([np.cos(passo * i) for passo in (0.9, 10.0, 16.7)])  # (3, V)
    return ondas @ (z - z.mean()) / np.sqrt(len(z)) / 100


# --------------------------------------------------------------------------------------- desligar

COPIA = "uma cópia"


def desligar(resposta: Callable) -> Callable:
    """A saída, e se ela é outro tensor: com a lista vazia, a própria entrada teria os mesmos números, e não é cópia."""
    import torch

    def f(saidas: Any, cabecas: list) -> tuple:
        novas = resposta(saidas, cabecas)
        if not isinstance(novas, torch.Tensor | np.ndarray):
            return f"{_que_valor(novas)}, em vez de um tensor", np.zeros(saidas.shape)
        if np.shares_memory(torch.as_tensor(novas).detach().numpy(), saidas.numpy()):
            return "a própria entrada, em vez de uma cópia", novas
        return COPIA, novas

    return f


# -------------------------------------------------------------------------- cabecas_por_pontuacao


def cabecas_por_pontuacao(resposta: Callable) -> Callable:
    """A lista de triplas vira dados: que formato tem, os índices (k, 2) e os valores (k,)."""

    def f(As: Any, pontuar: Callable, k: int) -> tuple:
        triplas = resposta(As, pontuar, k)
        que = _que_lista(triplas)
        indices, valores = np.full((k, 2), -1), np.zeros(k)  # das formas certas, para que se leia a primeira parte
        if que != TRIPLAS:
            return que, indices, valores
        for i, (camada, cabeca, valor) in enumerate(triplas[:k]):
            indices[i], valores[i] = (int(camada), int(cabeca)), float(valor)
        if len(triplas) != k:
            return f"uma lista de {len(triplas)} triplas, em vez de {k}", indices, valores
        L, H = As.shape[:2]
        notas = np.array([[pontuar(As[camada, cabeca]) for cabeca in range(H)] for camada in range(L)])
        return _que_ordem(indices, valores, notas), indices, valores

    return f


def _que_ordem(indices: np.ndarray, valores: np.ndarray, notas: np.ndarray) -> str:
    """As triplas (k, 2) e (k,) são de cabeças diferentes, com a nota de cada uma, e na ordem pedida?"""
    if not ((indices >= 0) & (indices < notas.shape)).all():
        return "uma lista em que há uma camada ou uma cabeça que não existe"
    certas = notas[indices[:, 0], indices[:, 1]]  # (k,)
    if not np.allclose(valores, certas, rtol=1e-3, atol=1e-6):
        return "uma lista com outros valores, em vez de cada um ser o que f deu para aquela camada e aquela cabeça"
    lugares = [tuple(par) for par in indices.tolist()]
    if len(set(lugares)) < len(lugares):
        return "uma lista em que a mesma cabeça aparece mais de uma vez"
    if (certas[:-1] < certas[1:]).any():
        return "uma lista fora de ordem, em vez de ir da maior nota para a menor"
    if any(certas[i] == certas[i + 1] and lugares[i] > lugares[i + 1] for i in range(len(lugares) - 1)):
        return "uma lista com empates fora de ordem, em vez de vir antes a menor camada e, nela, a menor cabeça"
    return TRIPLAS


def _que_valor(valor: Any) -> str:
    if valor is None:
        return "None (falta um return?)"
    forma = f" de forma {tuple(valor.shape)}" if hasattr(valor, "shape") else ""
    return f"um valor do tipo {type(valor).__name__}{forma}"


def _que_lista(valor: Any) -> str:
    if not isinstance(valor, list | tuple):
        return _que_valor(valor) + ", em vez de uma lista" * (valor is not None)
    for item in valor:
        if not isinstance(item, list | tuple):
            return f"uma lista em que há um valor do tipo {type(item).__name__}, em vez de triplas"
        if len(item) == 2 and isinstance(item[0], list | tuple):
            return "uma lista em que há um par dentro de outro, em vez de triplas (camada, cabeca, valor)"
        if len(item) != 3:
            return f"uma lista em que há um grupo de {len(item)}, em vez de triplas (camada, cabeca, valor)"
        if not all(_inteiro(n) for n in item[:2]):
            if all(_numero(n) for n in item) and all(_inteiro(n) for n in item[1:]):
                return "triplas (valor, camada, cabeca), em vez de (camada, cabeca, valor)"
            tipo = next(type(n).__name__ for n in item[:2] if not _inteiro(n))
            return f"uma lista em que camada ou cabeca é do tipo {tipo}, em vez de um inteiro"
        if not _numero(item[2]):
            return f"uma lista em que o valor é do tipo {type(item[2]).__name__}, em vez de um número"
    return TRIPLAS


def _inteiro(n: Any) -> bool:
    """int, np.int64 ou um tensor de um inteiro só."""
    if hasattr(n, "item") and getattr(n, "ndim", 1) == 0:
        n = n.item()
    return isinstance(n, int) and not isinstance(n, bool)


def _numero(n: Any) -> bool:
    if hasattr(n, "item") and getattr(n, "ndim", 1) == 0:
        n = n.item()
    return isinstance(n, int | float) and not isinstance(n, bool)


def pontuacao(tipo: str, i: int = 0, j: int = 0) -> Callable:
    """Uma nota para uma cabeça, (T, T) → float; nenhuma é das que a lista pede."""

    def f(A: Any) -> float:
        A = np.asarray(A, dtype=float)
        if A.ndim != 2:
            raise ValueError(f"f dá nota a uma cabeça só, (T, T), e recebeu a forma {A.shape}")
        if tipo == "casa":
            return float(A[i, j])
        if tipo == "coluna":
            return float((A[:, i] ** 2).sum())
        if tipo == "dois antes":
            return float(np.diagonal(A, -2).mean())
        if tipo == "linhas no anterior":  # quantas linhas têm no token anterior o seu maior peso: empates são comuns
            return float((A[1:].argmax(axis=1) == np.arange(len(A) - 1)).sum())
        if tipo == "menos concentração":  # negativa: quanto mais espalhada a cabeça, mais perto de 0
            return float(-(A**2).sum(axis=1).mean())
        if tipo == "muito negativa":  # sempre abaixo de −1000: quem começa o máximo em −1, ou em −100, não acha nenhuma
            return float(-1000 - 1000 * (A**2).sum())
        return float(A[i].max())

    return f
