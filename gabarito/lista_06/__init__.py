"""Lista 06: a máscara causal, a de preenchimento, a atenção mascarada, as cabeças causais e a busca de vazamentos.

As pontuações ficam pequenas (o desvio delas é perto de 1) e uma máscara aditiva de −1e9 dá os mesmos pesos que −inf. Em
alguns casos elas vão a ±40, exatas em float32: quem esconde com −30 é apanhado, e quem esconde com −1e4 não. Em
`vaza_futuro`, uma função causal muda por menos de 1e-10 do tamanho da saída quando se mexe no futuro (é
arredondamento), e uma que vaza, por mais de 1e-4.
"""

ORDEM = (
    "mascara_causal",
    "mascara_de_preenchimento",
    "atencao_mascarada",
    "multi_cabecas_causal",
    "vaza_futuro",
)  # as questões, na ordem da lista
