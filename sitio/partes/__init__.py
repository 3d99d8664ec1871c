"""As partes do site, na ordem em que agem. O que uma parte pode ter está na docstring de `sitio`."""

PARTES = (
    "sitio.partes.listas",
    "sitio.partes.celulas",
    "sitio.partes.exploradores",
    "sitio.partes.figuras",
    "sitio.partes.quadros",
    "sitio.partes.pesos",
    "sitio.partes.treinos",
    "sitio.partes.significados",
    "sitio.partes.apostas",  # por último: fecha o que as outras puseram depois de cada aposta
)
