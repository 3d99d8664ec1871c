"""As peças da lista 07: a classe `Bloco` não é dado; aqui ela recebe pesos e é chamada, e o que ela fez é dado."""

import inspect
import math
from collections.abc import Callable, Iterable
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


def aceita_um_argumento(forward: Callable) -> bool:
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
    parados = dict.fromkeys(nome.partition(".")[0] for nome, p in modulo.named_parameters() if p.grad is None)
    return f"um bloco em que o gradiente não chega a {', '.join(f'`{n}`' for n in parados)}" if parados else None


def gradiente_e_o_da_conta(conta: Callable, tensores: list) -> bool:
    """O gradiente de conta() nos tensores prevê o que ela muda quando se anda um pouco, ao acaso, em todos eles?

    Um .detach() no meio do caminho corta parte do gradiente e deixa a saída como estava: só medindo se vê.
    """
    import torch

    passo, g = 2e-3, torch.Generator().manual_seed(3)
    valor = conta()
    achados = torch.autograd.grad(valor, tensores, allow_unused=True)
    gradientes = [torch.zeros_like(t) if a is None else a for t, a in zip(tensores, achados, strict=True)]
    rumos = [torch.randint(2, t.shape, generator=g) * 2.0 - 1 for t in tensores]
    prevista = sum(float((a * r).sum()) for a, r in zip(gradientes, rumos, strict=True))
    with torch.no_grad():
        _andar(tensores, rumos, passo)
        adiante = float(conta())
        _andar(tensores, rumos, -2 * passo)
        medida = (adiante - float(conta())) / (2 * passo)
        _andar(tensores, rumos, passo)
    tamanho = math.sqrt(sum(float(a.square().sum()) for a in gradientes))
    ruido = 1e-5 * (1 + abs(float(valor.detach()))) / passo  # o do float32, com folga
    return abs(medida - prevista) <= 0.03 * max(tamanho, abs(medida)) + ruido


def _andar(tensores: list, rumos: list, quanto: float) -> None:
    for t, rumo in zip(tensores, rumos, strict=True):
        t += quanto * rumo


def _sobre_as_derivadas(modulo: Any, X: Any) -> str | None:
    """Além de chegar, o gradiente tem de ser o da conta: nos parâmetros e na entrada, que é a saída de outro bloco."""
    import torch

    entrada = X.clone().requires_grad_(True)
    pesos = torch.randn(X.shape, generator=torch.Generator().manual_seed(4))
    nomeados = dict(modulo.named_parameters())

    def conta() -> Any:
        return (modulo(entrada) * pesos).double().sum()

    atencao = [p for nome, p in nomeados.items() if nome.startswith(("norma1", "qkv"))]
    resto = [p for nome, p in nomeados.items() if not nome.startswith(("norma1", "qkv"))]
    if not (gradiente_e_o_da_conta(conta, atencao) and gradiente_e_o_da_conta(conta, resto)):
        return "um bloco em que parte do gradiente dos parâmetros se perde (um .detach()?)"
    if not gradiente_e_o_da_conta(conta, [entrada]):
        return "um bloco em que parte do gradiente não volta até X (um .detach()?)"
    return None


def serve_de_novo(usado: Callable, novo: Callable, entradas: Iterable) -> bool:
    """Um módulo já chamado responde como um recém-criado, com textos de outros tamanhos?"""
    import torch

    try:
        return all(torch.allclose(usado(z), novo(z), rtol=1e-3, atol=1e-4, equal_nan=True) for z in entradas)
    except RuntimeError:  # o que ele guardou não combina com o tamanho novo
        return False


def _sobre_o_uso(modulo: Any, novo: Any, X: Any, Y: Any) -> str | None:
    """O que só se vê usando o módulo de novo: com outro tamanho de texto, e medindo as derivadas."""
    import torch

    tamanhos = [torch.cat([X, X[:, :1]], dim=1), *([X[:, :-1]] if X.shape[1] > 1 else [])]
    if not serve_de_novo(modulo, novo, tamanhos):
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


def bloco(resposta: Callable) -> Callable:
    """A classe do aluno vira uma função que devolve dados: o que se viu do módulo, e a saída dele para X."""
    import torch

    def f(d: int, h: int, pesos: dict, X: Any) -> tuple:
        nada = torch.zeros(X.shape)  # da forma certa, para que o que se leia seja a primeira parte
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.manual_seed(7)  # o que o aluno sortear sai sempre igual
            modulo = resposta(d, h)
            problema = _sobre_o_modulo(modulo, pesos)
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
            if not problema and len(X) == 1:  # custa umas vinte contas: só nos casos de uma frase
                novo = resposta(d, h)
                novo.load_state_dict(pesos, strict=True)
                problema = _sobre_o_uso(modulo, novo.eval(), X, Y)
            return (problema, nada) if problema else (CERTO, Y.detach())

    return f
