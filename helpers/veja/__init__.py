"""O fim de cada lista, *Veja o que você fez*: um desenho que só as funções do aluno fazem.

    veja("lista-02", softmax=softmax, autoatencao_simples=autoatencao_simples)

O desenho de cada lista está em `helpers/veja/lista_NN.py`: uma função `desenhar(prontas)`, que recebe as funções que há
(nome → função) e devolve a figura e o texto alternativo, e, onde o PyTorch tem a função em uma chamada, `DO_PYTORCH`.
O que não está pronto nem o PyTorch tem fica em branco no desenho, e se diz; `SEM_ELA` diz de outras o que muda.
"""

import importlib
from collections.abc import Callable
from typing import Any

from helpers.autoria.tipos import como_na_entrada
from helpers.conferencia.exame import nao_escrita, passa
from helpers.conferencia.pedido import sem_ninguem_olhando
from helpers.conferencia.referencia import carregar


def veja(lista: str, **funcoes: Callable[..., Any]) -> None:
    """Desenha o que as funções desta lista fazem. Na correção e no Validar não há quem olhe: não faz nada."""
    if sem_ninguem_olhando():
        return
    from helpers.desenho import mostrar  # só aqui: o Matplotlib demora a chegar

    desenho = f"helpers.veja.{lista.replace('-', '_')}"
    try:
        modulo = importlib.import_module(desenho)
    except ModuleNotFoundError as falta:
        if falta.name != desenho:
            raise
        print(f"A {lista.replace('-', ' ')} ainda não tem um desenho.")
        return
    do_pytorch, sem_ela = getattr(modulo, "DO_PYTORCH", {}), getattr(modulo, "SEM_ELA", {})
    prontas: dict[str, Callable[..., Any]] = {}
    for nome, funcao in funcoes.items():
        certa, registros = passa(carregar(f"{lista}/{nome}"), funcao)
        estado = "ainda não foi escrita" if nao_escrita(registros) else "ainda não passa na conferência"
        if certa:
            prontas[nome] = como_na_entrada(funcao)
        elif nome in do_pytorch:
            prontas[nome] = do_pytorch[nome]
            print(f"{nome}: a do PyTorch, porque a sua {estado}.")
        else:
            print(f"{nome}: {estado}, e {sem_ela.get(nome, 'a parte dela no desenho fica em branco')}.")
    if not prontas:
        quem = "alguma destas funções" if len(funcoes) > 1 else "ela"
        print(f"Quando {quem} passar na conferência, rode esta célula de novo.")
        return
    try:
        figura, alt = modulo.desenhar(prontas)
    except Exception as erro:  # passou nos casos visíveis e falhou no desenho: é da função dele
        print(f"Uma das suas funções parou no meio do desenho: {type(erro).__name__}: {erro}")
        return
    mostrar(figura, alt)


def treinar_na_sua_tarefa(tarefa_de_copia: Callable[..., Any]) -> None:
    """Na lista 09, uma rede treina na tarefa do aluno, e se vê a cabeça nascer. Na correção e no Validar, nada."""
    if sem_ninguem_olhando():
        return
    if not passa(carregar("lista-09/tarefa_de_copia"), tarefa_de_copia)[0]:
        print("Quando a sua tarefa_de_copia passar na conferência, rode esta célula de novo: a rede treina com ela.")
        return
    from helpers.veja.copia import viver_na_tarefa  # só aqui: na correção não se espera por ele

    try:
        viver_na_tarefa(tarefa_de_copia)
    except Exception as erro:  # passou nos casos visíveis e falhou no treino: é da função dele
        print(f"A sua tarefa_de_copia parou no meio do treino: {type(erro).__name__}: {erro}")
