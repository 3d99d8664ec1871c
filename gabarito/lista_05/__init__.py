"""Lista 05: os parâmetros, dividir e juntar cabeças, a camada inteira e a do PyTorch.

As formas são todas diferentes entre si (N, h, d_h e d), para que um eixo trocado apareça.
"""

ORDEM = (
    "contar_parametros",
    "dividir_cabecas",
    "juntar_cabecas",
    "multi_cabecas",
    "para_torch",
)  # as questões, na ordem da lista
NO_MAPA = "várias cabeças"  # o que ela acrescenta à máquina
EM_FLOAT32 = True  # em `para_torch`: outro processador, ou outro torch, pode arredondar de outro jeito
