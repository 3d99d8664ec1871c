"""Lista 03, escala: referências, casos, equívocos conhecidos e soluções alternativas de cada questão."""

ORDEM = (
    "pontuacoes",
    "variancia_da_pontuacao",
    "vantagem",
    "resposta_ao_empurrao",
    "atencao_escalada",
)  # as questões, na ordem da lista
NO_MAPA = "a escala"  # o que ela acrescenta à máquina
