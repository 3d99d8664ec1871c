"""Lista 03, escala: referências, casos, equívocos conhecidos e soluções alternativas de cada questão."""

ORDEM = (
    "pontuacoes",
    "variancia_do_produto",
    "saturacao",
    "norma_jacobiana",
    "atencao_escalada",
)  # as questões, na ordem da lista
