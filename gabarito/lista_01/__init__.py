"""Lista 01, produto escalar: referências, casos, equívocos e alternativas de cada questão."""

ORDEM = (
    "incorporar",
    "produto_escalar",
    "similaridades",
    "cosseno",
    "mais_parecido",
)  # as questões, na ordem da lista
