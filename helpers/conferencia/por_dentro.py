"""Os nomes que nbgrader, nbconvert e IPython não prometem manter (começam por `_`): aqui estão todos os que se usam.

Quem troca de versão olha este arquivo, e um teste confere que cada um ainda existe. Cada função recebe o objeto pronto:
este módulo, que também é lido no kernel do aluno, não importa nada.
"""

from typing import Any

# De que classe é cada nome que se usa aqui.
DONOS = {
    "_sanitizing": "nbgrader.converters.autograde.Autograde",
    "_preprocessors": "nbconvert.exporters.exporter.Exporter",
    "_init_resources": "nbconvert.exporters.exporter.Exporter",
    "_preprocess": "nbgrader.validator.Validator",
    "_get_changed_cells": "nbgrader.validator.Validator",
    "_showtraceback": "IPython.core.interactiveshell.InteractiveShell",
}


def esta_limpando(conversor: Any) -> bool:
    """O Autograde chama o exportador duas vezes por notebook: esta é a da limpeza, e não a da correção?"""
    return bool(conversor._sanitizing)


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
