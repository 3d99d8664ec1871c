"""O que o curso usa de outras bibliotecas sem que elas o prometam manter: aqui está tudo.

São os nomes que começam por `_`, e aqueles, privados ou não, no lugar dos quais se põe outra coisa. Quem troca de
versão olha este arquivo, e um teste confere que cada um ainda existe. Cada função recebe o objeto pronto: este módulo,
que também é lido no kernel do aluno e na mãe, não importa biblioteca alguma.
"""

from types import ModuleType
from typing import Any

# De que classe é cada nome que se usa aqui.
DONOS = {
    "_sanitizing": "nbgrader.converters.autograde.Autograde",
    "_init_preprocessors": "nbgrader.converters.autograde.Autograde",
    "_preprocessors": "nbconvert.exporters.exporter.Exporter",
    "_init_resources": "nbconvert.exporters.exporter.Exporter",
    "_preprocess": "nbgrader.validator.Validator",
    "_get_changed_cells": "nbgrader.validator.Validator",
    "_showtraceback": "IPython.core.interactiveshell.InteractiveShell",
}


# O que se troca, no lugar em que está definido, e para quê.
TROCADOS = {
    "distributed.client.Client._handle_task_erred": "um erro que vem do cluster não é lido (juizo/cluster)",
    "distributed.client.loads": "idem: nem um pickle",
    "distributed.client.pickle": "idem",
    "distributed.protocol.pickle.loads": "idem",
    "distributed.protocol.serialize.families": "idem",
    "ipykernel.iostream.OutStream.flush": "um fluxo sem nada escrito não tem o que esvaziar (quente/mae)",
    "ipykernel.iostream.OutStream.write": "idem",
    "ipykernel.ipkernel.sys": "um kernel que nasce não lê o arquivo de cada módulo (quente/mae)",
    "matplotlib.get_cachedir": "a pasta que a mãe viu não é a da filha (quente/mae)",
    "matplotlib.get_configdir": "idem",
    "matplotlib.rcParams": "o backend que o ambiente diria, sem a validação (quente/mae)",
    "nbgrader.api.Gradebook.__init__": "o livro se confere uma vez (livro/livro)",
    "nbgrader.api.create_engine": "um motor do SQLAlchemy para o processo inteiro (livro/livro)",
    "nbgrader.api.get_alembic_version": "a versão das tabelas, sem o programa alembic (gabarito/no_nbgrader)",
    "nbgrader.converters.autograde.Autograde._init_preprocessors": "não os fazer a cada entrega (juizo/corrigir)",
    "nbgrader.converters.base.BaseConverter.convert_notebooks": "o que se desfaz depois de corrigir (juizo/exportador)",
    "numpy.add": "o que a resposta não escreve não se parece com o certo (conferencia/por_escrever)",
    "numpy.divide": "idem",
    "numpy.empty": "idem",
    "numpy.empty_like": "idem",
    "numpy.exp": "idem",
    "numpy.log": "idem",
    "numpy.multiply": "idem",
    "numpy.power": "idem",
    "numpy.sqrt": "idem",
    "numpy.subtract": "idem",
    "numpy.true_divide": "idem",
    "torch.empty": "idem",
    "torch.empty_like": "idem",
    "traitlets.config.application.Application.parse_command_line": "os ajustes do kernel já vêm lidos (quente/mae)",
    "zmq.sugar.socket.Socket.bind": "os soquetes do kernel já vêm abertos (`herdar_soquetes`)",
}


def trocar(dono: Any, nome: str, novo: Any) -> None:
    """Põe `novo` no lugar de um nome de um módulo, de uma classe ou de um objeto; só dos que estão em TROCADOS."""
    if not isinstance(dono, ModuleType):
        classe = dono if isinstance(dono, type) else type(dono)
        quem = next(c for c in classe.__mro__ if nome in vars(c))
        inteiro = f"{quem.__module__}.{quem.__qualname__}.{nome}"
    else:
        inteiro = f"{dono.__name__}.{nome}"
    if inteiro not in TROCADOS:
        raise LookupError(f"{inteiro} não está em TROCADOS")
    setattr(dono, nome, novo)


def trocar_na_tabela(tabela: dict, chave: Any, novo: Any) -> None:
    """Um valor de uma tabela que também está em TROCADOS, sem passar pelo que a classe dela faça ao recebê-lo."""
    dict.__setitem__(tabela, chave, novo)


def herdar_soquetes(zmq: Any, herdados: dict[str, int]) -> None:
    """Daqui em diante, o soquete de um destes endereços é o que já vem aberto, e não um que se abra."""
    abrir = zmq.Socket.bind

    def herdar(soquete: Any, endereco: str) -> Any:
        if endereco in herdados:
            soquete.setsockopt(zmq.USE_FD, herdados.pop(endereco))
        return abrir(soquete, endereco)

    trocar(zmq.Socket, "bind", herdar)


def esvaziar_so_o_escrito(fluxo: Any) -> None:
    """Daqui em diante, um fluxo de saída do kernel em que nada se escreveu não se esvazia.

    O kernel esvazia os dois, e espera pela thread que os manda, quatro vezes por célula: um décimo do que ela custa.
    """
    escrever, esvaziar = fluxo.write, fluxo.flush

    def anotar_e_escrever(self: Any, texto: str) -> Any:
        self.escrito = True
        return escrever(self, texto)

    def esvaziar_o_escrito(self: Any) -> None:
        if getattr(self, "escrito", True):  # antes: o que outra thread escrever daqui em diante fica para a próxima
            self.escrito = False
            esvaziar(self)

    trocar(fluxo, "write", anotar_e_escrever)
    trocar(fluxo, "flush", esvaziar_o_escrito)


def esta_limpando(conversor: Any) -> bool:
    """O Autograde chama o exportador duas vezes por notebook: esta é a da limpeza, e não a da correção?"""
    return bool(conversor._sanitizing)


def guardar_os_preprocessadores(conversor: Any, feitos: dict[bool, list[Any]]) -> None:
    """Daqui em diante, os de cada passada são os que já se fizeram: fazê-los custa mais do que usá-los."""
    fazer = conversor._init_preprocessors

    def aproveitar() -> None:
        if (limpando := esta_limpando(conversor)) not in feitos:
            fazer()
            feitos[limpando] = conversor.exporter._preprocessors
        conversor.exporter._preprocessors = feitos[limpando]

    trocar(conversor, "_init_preprocessors", aproveitar)


def passar(exportador: Any, nb: Any, resources: Any) -> tuple[Any, Any]:
    """O notebook depois de cada preprocessador do exportador, sem que ninguém o copie nem confira."""
    resources = exportador._init_resources(resources)
    for preprocessador in exportador._preprocessors:
        nb, resources = preprocessador(nb, resources)
    return nb, resources


def executar_e_validar(validador: Any, nb: Any) -> Any:
    """O notebook executado como o botão Validar o executa."""
    return validador._preprocess(nb)


def celulas_alteradas(validador: Any, nb: Any) -> list[Any]:
    """As células de teste que o aluno mudou."""
    return list(validador._get_changed_cells(nb))


def mostrar_erro(shell: Any, tipo: type, erro: BaseException, linhas: list[str]) -> None:
    """Mostra estas linhas no lugar do rastro do erro."""
    shell._showtraceback(tipo, erro, linhas)
