"""As peças da lista 07: a classe `Bloco` não é dado; aqui ela recebe pesos e é chamada, e o que ela fez é dado."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from helpers.conferencia.pecas.modulos import (
    aceita_um_argumento,
    com_outros_tamanhos,
    dois_passos,
    em_float64,
    gradiente_e_o_da_conta,
    ondas,
    outros_tamanhos,
    serve_de_novo,
)

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
        return f"um bloco com `{sobram[0]}`, que não está na tabela do enunciado, e sem `{faltam[0]}`, que está"
    if faltam:
        return f"um bloco sem `{faltam[0]}`, que está na tabela do enunciado"
    if sobram:
        return f"um bloco com `{sobram[0]}`, que não está na tabela do enunciado"
    for nome, peso in quer.items():
        if tem[nome].shape != peso.shape:
            return f"um bloco em que `{nome}` tem forma {_forma(tem[nome])}, e não {_forma(peso)}"
    return None


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
    parados = dict.fromkeys(nome.partition(".")[0] for nome, p in modulo.named_parameters() if p.grad is None)
    return f"um bloco em que o gradiente não chega a {', '.join(f'`{n}`' for n in parados)}" if parados else None


def _sobre_as_derivadas(modulo: Any, X: Any) -> str | None:
    """Além de chegar, o gradiente tem de ser o da conta: nos parâmetros e na entrada, que é a saída de outro bloco."""
    with em_float64(modulo):
        entrada = X.double().requires_grad_(True)

        def conta() -> Any:
            return (modulo(entrada) * ondas(X.shape)).sum()

        if not gradiente_e_o_da_conta(conta, list(modulo.parameters())):
            return "um bloco em que parte do gradiente dos parâmetros se perde (um .detach()?)"
        if not gradiente_e_o_da_conta(conta, [entrada]):
            return "um bloco em que parte do gradiente não volta até X (um .detach()?)"
    return None


def _sobre_o_uso(modulo: Any, novo: Any, X: Any, Y: Any) -> str | None:
    """O que só se vê usando o módulo de novo: com outro tamanho de texto, e medindo as derivadas."""
    if not serve_de_novo(modulo, novo, outros_tamanhos(X)):
        return "um bloco que já não serve quando T muda de uma chamada para outra"
    return _sobre_as_derivadas(modulo, X) if Y.isfinite().all() else None


def _sobre_o_modulo(modulo: Any, pesos: dict) -> str | None:
    """O que há de errado antes de qualquer conta: o tipo, o forward, os nomes e as formas."""
    import torch

    if not isinstance(modulo, torch.nn.Module):
        return _que_coisa(modulo)
    if type(modulo).forward is torch.nn.Module.forward:
        return "um módulo sem forward"
    if not aceita_um_argumento(modulo.forward):
        return "um bloco cujo forward não pode ser chamado só com X"
    buffers = [nome for nome, _ in modulo.named_buffers() if nome in modulo.state_dict()]
    if buffers:  # uma máscara guardada com register_buffer vai junto com os pesos
        return f"um bloco com o buffer `{buffers[0]}` entre os pesos: registre-o com persistent=False"
    return _sobre_os_nomes(modulo.state_dict(), pesos)


def _em_uso(modulo: Any, nomes: Iterable[str], X: Any, Y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Em números, que a correção refaz: a saída com outros tamanhos de T, e o que dois passos de treino mudam."""
    outros = com_outros_tamanhos(modulo, outros_tamanhos(X))
    achados = {**dict(modulo.named_buffers()), **dict(modulo.named_parameters())}
    parametros = [achados[nome] for nome in nomes]  # na ordem da tabela, e não na da classe
    if not Y.isfinite().all():
        return outros, np.zeros(len(parametros) + 1)
    entrada = X.clone().requires_grad_(True)
    return outros, dois_passos(lambda: (modulo(entrada) * ondas(X.shape)).sum(), parametros, entrada)


def bloco(resposta: Callable) -> Callable:
    """A classe do aluno vira uma função que devolve dados: o que se viu do módulo, a saída dele para X, e o uso."""
    import torch

    def f(d: int, h: int, pesos: dict, X: Any) -> tuple:
        # das formas certas, para que o que se leia seja a primeira parte
        nada = (torch.zeros(X.shape), np.zeros(len(outros_tamanhos(X))), np.zeros(len(pesos) + 1))
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.manual_seed(7)  # o que o aluno sortear sai sempre igual
            modulo = resposta(d, h)
            problema = _sobre_o_modulo(modulo, pesos)
            if problema:
                return problema, *nada
            modulo.load_state_dict(pesos, strict=True)
            modulo.eval()
            copia = X.clone()
            Y = modulo(copia)
            if not isinstance(Y, torch.Tensor):
                return _sobre_a_saida(Y), *nada
            if not torch.equal(copia, X):
                return "um bloco que escreve dentro da entrada X", *nada
            if Y.shape != X.shape:
                return CERTO, Y.detach(), *nada[1:]  # da forma quem fala é a conferência
            if not torch.allclose(modulo(X.clone()), Y, equal_nan=True):
                return "um bloco que responde cada vez uma coisa, mesmo em avaliação (eval)", *nada
            problema = _sobre_o_gradiente(modulo, Y)
            if not problema and len(X) == 1:  # custa umas vinte contas: só nos casos de uma frase
                novo = resposta(d, h)
                novo.load_state_dict(pesos, strict=True)
                problema = _sobre_o_uso(modulo, novo.eval(), X, Y)
            return (problema, *nada) if problema else (CERTO, Y.detach(), *_em_uso(modulo, pesos, X, Y))

    return f
