"""O que as peças das listas 07 a 09 olham em um módulo do torch.

Um módulo não é dado. O que ele faz, sim: a saída, com este e com outros tamanhos, e o que dois passos de treino mudam
nos parâmetros. São números que a correção refaz do lado de fora, com a referência. O resto serve à frase do aluno.
"""

import contextlib
import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

PASSO = 0.05  # da descida simples: pequeno, para que o arredondamento do primeiro passo não cresça no segundo


def aceita_um_argumento(forward: Callable) -> bool:
    try:
        inspect.signature(forward).bind(None)
    except TypeError:
        return False
    return True


_NO_TORCH = {  # o bloco que a lista 08 dá pronto é o do torch, que tem os mesmos parâmetros com outros nomes
    **{"norm1.": "norma1.", "self_attn.in_proj_weight": "qkv.weight", "self_attn.out_proj.": "saida."},
    **{"norm2.": "norma2.", "linear1.": "expande.", "linear2.": "reduz."},
}


def parametros(modelo: Any) -> dict[str, Any]:
    """Os parâmetros, cada um com todos os nomes que tem; os de um bloco do torch, com os da lista 07."""
    from torch import nn

    modulos = modelo.named_modules(remove_duplicate=False)
    do_torch = tuple(f"{nome}." for nome, m in modulos if isinstance(m, nn.TransformerEncoderLayer))
    achados = {}
    for nome, p in modelo.named_parameters(remove_duplicate=False):
        if nome.startswith(do_torch):
            for dele, nosso in _NO_TORCH.items():
                nome = nome.replace(f".{dele}", f".{nosso}")
        achados[nome] = p
    return achados


def aquecer_o_torch() -> None:
    """O primeiro otimizador de um processo carrega meio torch, por segundos: que não contem no prazo da resposta."""
    import torch

    peso = torch.zeros(1, requires_grad=True)
    otimizador = torch.optim.AdamW([peso])
    peso.sum().backward()
    otimizador.step()


# ---------------------------------------------------------------- números que a correção refaz


def resumo(t: Any) -> float:
    """Um número que depende de todos os do tensor, e do lugar de cada um; 0 para um tensor vazio."""
    z = t.detach().double().flatten().numpy()
    return float(np.cos(0.9 * np.arange(len(z)) + 0.5) @ z / math.sqrt(max(len(z), 1)))


def ondas(forma: Sequence[int]) -> Any:
    """Pesos fixos, todos diferentes, para fazer de uma saída inteira um número só."""
    import torch

    return torch.cos(0.7 * torch.arange(math.prod(forma)) + 0.3).reshape(tuple(forma)) / math.sqrt(math.prod(forma))


def outros_tamanhos(z: Any, maximo: int | None = None) -> list:
    """z (B, T, …) com um token a menos, se T > 1, e com um a mais, se cabe."""
    import torch

    T = z.shape[1]
    menor, maior = [z[:, :-1]] if T > 1 else [], [torch.cat([z, z[:, :1]], dim=1)]
    return menor + (maior if maximo is None or maximo > T else [])


def com_outros_tamanhos(funcao: Callable, entradas: Iterable) -> np.ndarray:
    """O resumo do que a função dá com cada entrada; NaN onde ela para."""

    def um(z: Any) -> float:
        try:
            return resumo(funcao(z))
        except Exception:  # o que o módulo guardou não combina com este tamanho
            return math.nan

    return np.array([um(z) for z in entradas])


def dois_passos(conta: Callable, parametros: Sequence, entrada: Any = None) -> np.ndarray:
    """O que dois passos de descida simples mudam em cada parâmetro, e o gradiente que chega à entrada: um número cada.

    Um .detach() no meio do caminho deixa a saída como estava, mas não isto. Os parâmetros voltam ao que eram.
    """
    import torch

    antes = [p.detach().clone() for p in parametros]
    alvos = [t for t in (*parametros, *([] if entrada is None else [entrada])) if t.requires_grad]
    na_entrada: list[float] = []
    for _ in range(2):
        achados = torch.autograd.grad(conta(), alvos, allow_unused=True)
        gradientes = {id(t): g for t, g in zip(alvos, achados, strict=True) if g is not None}
        if entrada is not None and not na_entrada:
            na_entrada = [resumo(gradientes.get(id(entrada), torch.zeros(())))]
        with torch.no_grad():
            for p in parametros:
                if id(p) in gradientes:
                    p -= PASSO * gradientes[id(p)]
    mudou = [resumo((p - a) / (2 * PASSO)) for p, a in zip(parametros, antes, strict=True)]
    with torch.no_grad():
        for p, a in zip(parametros, antes, strict=True):
            p.copy_(a)
    return np.array([*mudou, *na_entrada])


def perda_de_texto(modelo: Any, ids: Any, alvos: Any) -> Callable:
    """A perda, sem <PAD>: o alvo 0 não conta, e quem usa padding_idx=0 não dá gradiente ao <PAD> que entra."""
    return lambda: modelo(ids.clamp(min=1), alvos.clamp(min=1))[1]


EM_USO = [
    ("logits com outros tamanhos de T (um resumo de cada)", "array"),
    ("o que dois passos de treino mudam (um resumo por parâmetro)", "array"),
]


def gpt_em_uso(modelo: Any, nomes: Iterable[str], ids: Any, alvos: Any, bloco: int) -> tuple[np.ndarray, np.ndarray]:
    """As saídas de `EM_USO`."""
    outros = com_outros_tamanhos(lambda z: modelo(z)[0], outros_tamanhos(ids, bloco))
    achados = parametros(modelo)
    pedidos = [achados[nome] for nome in nomes]
    if alvos is None or not bool(perda_de_texto(modelo, ids, alvos)().isfinite()):
        return outros, np.zeros(len(pedidos))
    return outros, dois_passos(perda_de_texto(modelo, ids, alvos), pedidos)


# ---------------------------------------------------------------- medidas para o diagnóstico


@contextlib.contextmanager
def em_float64(modulo: Any) -> Iterator[None]:
    """O módulo em float64, em que uma derivada se mede com folga; depois, como era."""
    import torch

    era_float32, padrao = any(p.dtype == torch.float32 for p in modulo.parameters()), torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)  # as máscaras que o módulo cria também
    modulo.double()
    try:
        yield
    finally:
        torch.set_default_dtype(padrao)
        if era_float32:
            modulo.float()


def gradiente_e_o_da_conta(conta: Callable, tensores: list) -> bool:
    """O gradiente de conta() nos tensores, em float64, prevê o que ela muda quando se anda um pouco neles?

    Aqui não há referência com que comparar os dois passos: só medindo se sabe que a diferença é um gradiente cortado.
    Se o módulo não aceita float64, não se diz nada: os dois passos dirão.
    """
    try:
        return _derivadas_batem(conta, [t for t in tensores if t.requires_grad], passo=1e-6)
    except (RuntimeError, TypeError):
        return True


def _derivadas_batem(conta: Callable, tensores: list, passo: float) -> bool:
    import torch

    achados = torch.autograd.grad(conta(), tensores, allow_unused=True)
    gradientes = [torch.zeros_like(t) if a is None else a for t, a in zip(tensores, achados, strict=True)]
    tamanho = math.sqrt(sum(float(a.square().sum()) for a in gradientes))
    for semente in (3, 4):  # dois rumos ao acaso: o que se perdeu pode ser quase perpendicular a um
        g = torch.Generator().manual_seed(semente)
        rumos = [torch.randint(2, t.shape, generator=g) * 2.0 - 1 for t in tensores]
        prevista = sum(float((a * r).sum()) for a, r in zip(gradientes, rumos, strict=True))
        with torch.no_grad():
            _andar(tensores, rumos, passo)
            adiante = float(conta())
            _andar(tensores, rumos, -2 * passo)
            medida = (adiante - float(conta())) / (2 * passo)
            _andar(tensores, rumos, passo)
        if abs(medida - prevista) > 1e-3 * max(tamanho, abs(medida)) + 1e-6:
            return False
    return True


def _andar(tensores: list, rumos: list, quanto: float) -> None:
    for t, rumo in zip(tensores, rumos, strict=True):
        t += quanto * rumo


def gradiente_da_perda_chega(modelo: Any, ids: Any, alvos: Any) -> bool:
    """O mesmo, da perda de um GPT, em todos os parâmetros."""
    with em_float64(modelo):
        return gradiente_e_o_da_conta(perda_de_texto(modelo, ids, alvos), list(modelo.parameters()))


def serve_de_novo(usado: Callable, novo: Callable, entradas: Iterable) -> bool:
    """Um módulo já chamado responde como um recém-criado, com textos de outros tamanhos?"""
    import torch

    try:
        return all(torch.allclose(usado(z), novo(z), rtol=1e-3, atol=1e-4, equal_nan=True) for z in entradas)
    except RuntimeError:  # o que ele guardou não combina com o tamanho novo
        return False
