"""As peças da lista 07: a classe `Bloco` não é dado; aqui ela recebe pesos e é chamada, e o que ela fez é dado."""

import inspect
from collections.abc import Callable
from typing import Any

CERTO = "um bloco que aceita os pesos, repete a resposta e deixa o gradiente passar"


def _que_coisa(valor: Any) -> str:
    if valor is None:
        return "None, em vez de um nn.Module"
    if isinstance(valor, type):
        return f"a classe {valor.__name__}, em vez de um módulo dela"
    return f"um valor do tipo {type(valor).__name__}, em vez de um nn.Module"


def _forma(t: Any) -> str:
    return str(tuple(t.shape))


def _sobre_os_nomes(tem: dict, quer: dict) -> str | None:
    """A primeira diferença entre os parâmetros que o módulo tem e os que o enunciado pede."""
    faltam = [n for n in quer if n not in tem]
    sobram = [n for n in tem if n not in quer]
    if faltam and sobram:
        return f"um bloco sem `{faltam[0]}` (mas com `{sobram[0]}`)"
    if faltam:
        return f"um bloco sem `{faltam[0]}`"
    if sobram:
        return f"um bloco com `{sobram[0]}`, que não está na tabela do enunciado"
    for nome, peso in quer.items():
        if tem[nome].shape != peso.shape:
            return f"um bloco em que `{nome}` tem forma {_forma(tem[nome])}, e não {_forma(peso)}"
    return None


def _aceita_so_x(forward: Callable) -> bool:
    try:
        inspect.signature(forward).bind(None)
    except TypeError:
        return False
    return True


def _sobre_a_saida(Y: Any) -> str:
    """O que o forward devolveu, quando não é um tensor."""
    if Y is None:
        return "um bloco cujo forward não devolve nada (None)"
    if isinstance(Y, tuple | list):
        return f"um bloco cujo forward devolve uma {'tupla' if isinstance(Y, tuple) else 'lista'} de {len(Y)}"
    return f"um bloco cujo forward devolve {type(Y).__name__}, e não um tensor"


def _sobre_o_gradiente(modulo: Any, Y: Any) -> str | None:
    """A perda precisa alcançar todos os parâmetros, senão o bloco não aprende."""
    if not Y.requires_grad:
        return "um bloco por onde o gradiente não passa (a conta saiu do torch?)"
    try:
        Y.pow(2).sum().backward()
    except RuntimeError:
        return "um bloco por onde o gradiente não volta (há uma conta no lugar, como +=?)"
    parados = [nome for nome, p in modulo.named_parameters() if p.grad is None]
    return f"um bloco em que o gradiente não chega a `{parados[0]}`" if parados else None


def bloco(resposta: Callable) -> Callable:
    """A classe do aluno vira uma função que devolve dados: o que se viu do módulo, e a saída dele para X."""
    import torch

    def f(d: int, h: int, pesos: dict, X: Any) -> tuple:
        nada = torch.zeros(X.shape)  # da forma certa, para que o que se leia seja a primeira parte
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.manual_seed(7)  # o que o aluno sortear sai sempre igual
            modulo = resposta(d, h)
            if not isinstance(modulo, torch.nn.Module):
                return _que_coisa(modulo), nada
            if type(modulo).forward is torch.nn.Module.forward:
                return "um módulo sem forward", nada
            if not _aceita_so_x(modulo.forward):
                return "um bloco cujo forward não pode ser chamado só com X", nada
            problema = _sobre_os_nomes(modulo.state_dict(), pesos)
            if problema:
                return problema, nada
            modulo.load_state_dict(pesos, strict=True)
            modulo.eval()
            copia = X.clone()
            Y = modulo(copia)
            if not isinstance(Y, torch.Tensor):
                return _sobre_a_saida(Y), nada
            if not torch.equal(copia, X):
                return "um bloco que escreve dentro da entrada X", nada
            if Y.shape != X.shape:
                return CERTO, Y.detach()  # da forma quem fala é a conferência
            if not torch.allclose(modulo(X.clone()), Y, equal_nan=True):
                return "um bloco que responde cada vez uma coisa, mesmo em avaliação (eval)", nada
            problema = _sobre_o_gradiente(modulo, Y)
            return (problema, nada) if problema else (CERTO, Y.detach())

    return f
