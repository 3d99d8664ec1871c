"""Lista 05: dividir e juntar cabeças, a atenção de múltiplas cabeças, os parâmetros, o torch e a caça às entradas.

As formas são todas diferentes entre si (N, h, d_h e d), para que um eixo trocado apareça. Em `entradas_erradas` os
números são múltiplos de potências de dois onde a fronteira importa: a diferença que vale exatamente `tol` é exata.
"""

ORDEM = (
    "dividir_cabecas",
    "juntar_cabecas",
    "multi_cabecas",
    "contar_parametros",
    "para_torch",
    "entradas_erradas",
)  # as questões, na ordem da lista
