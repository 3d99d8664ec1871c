"""O que a correção combina com o kernel em que roda a entrega: onde está o pedido dela, e como se mostra a evidência.

Só nomes e a leitura do pedido: quem o atende é `atendimento`, que precisa do NumPy.
"""

import json
import os
from pathlib import Path

PEDIDO = "CURSO_PEDIDO"  # variável de ambiente com o caminho do pedido da correção
TIPO_DA_EVIDENCIA = "application/vnd.curso.evidencia+json"


def sem_ninguem_olhando() -> bool:
    """É o botão Validar, o `curso.py conferir` ou a correção que está rodando o notebook, e não uma pessoa?"""
    return PEDIDO in os.environ or "NBGRADER_EXECUTION" in os.environ


def pedido_da_correcao(questao: str) -> dict | None:
    """O que a correção pede desta questão; None se ninguém está corrigindo."""
    caminho = os.environ.get(PEDIDO)
    if not caminho:
        return None
    try:
        return json.loads(Path(caminho).read_text(encoding="utf-8")).get(questao)
    except (OSError, ValueError):
        return None
