"""Por que a célula de uma resposta não chegou ao fim, pelo erro que ela mostrou: a conferência dela só diria, depois,
que um nome não existe."""

import re
from typing import Any

INTERROMPIDA = "ExecucaoInterrompida"  # o nome do erro que a correção põe na célula em que a execução parou
_DE_SINTAXE = ("SyntaxError", "IndentationError", "TabError")
_MAIOR = 80  # caracteres de um nome que se cita


def por_que_nao_rodou(celula: Any) -> str | None:
    """Em uma frase sem maiúscula nem ponto; None se a célula não mostrou erro."""
    erro = next((s for s in celula.get("outputs", []) if s.output_type == "error"), None)
    if erro is None:
        return None
    if erro.ename in _DE_SINTAXE:
        achada = re.search(r"line (\d+)\)?$", erro.evalue)
        onde = f" na linha {achada.group(1)}" if achada else ""
        return f"a célula da resposta tem um erro de sintaxe{onde}, e por isso nada dela rodou"
    if erro.ename == "ModuleNotFoundError" and (achado := re.search(r"No module named '([\w.]+)'", erro.evalue)):
        modulo = achado.group(1)[:_MAIOR]
        return f"a célula da resposta importa `{modulo}`, um módulo que o curso não tem, e parou ali"
    if erro.ename == INTERROMPIDA:
        return f"a célula da resposta não chegou ao fim. {erro.evalue.rstrip('.')}"
    qual = f"{erro.ename}: {erro.evalue[:300]}".rstrip(": ")
    return f"a célula da resposta parou com um erro ({qual}) antes de chegar ao fim"
