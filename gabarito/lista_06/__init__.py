"""Lista 06: a máscara causal, a de preenchimento, a atenção mascarada, a busca de vazamentos e as cabeças causais.

As pontuações ficam pequenas (o desvio delas é perto de 1) e uma máscara aditiva de −1e9 dá os mesmos pesos que −inf. Em
alguns casos elas vão a ±40, exatas em float32: quem esconde com −30 é apanhado, e quem esconde com −1e4 não.
"""

ORDEM = (
    "mascara_causal",
    "mascara_de_preenchimento",
    "atencao_mascarada",
    "vaza_futuro",
    "multi_cabecas_causal",
)  # as questões, na ordem da lista
NO_MAPA = "a máscara causal"  # o que ela acrescenta à máquina
